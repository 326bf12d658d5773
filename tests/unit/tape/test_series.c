/* Tapes and their series: values against the evaluation of expressions, series against values beside the point, all kinds of numbers
 * against each other, machine code against the interpreter bit by bit. */
#include "world.h"

enum { ORDER = 12, WORLDS = 400 };
static const double constants[CONSTANT] = {0.7, -1.3};

/* Coefficients of the inputs: the time and three polynomials. */
static void choose_inputs(world *w, double c[CHANGING][ORDER + 1])
{
    memset(c, 0, CHANGING * (ORDER + 1) * sizeof(double));
    for (int i = 0; i < CHANGING; i++)
        for (int k = 0; k <= ORDER; k++)
            c[i][k] = i == 0 ? (k == 0 ? 0.3 : k == 1) : uniform(w, -1, 1);
}

/* A number of kind REAL is one, or one in each lane: `wide` of them. */
static size_t wide_of_one(void) { return 1; }

enum { MOST_AT_ONCE = CONSTANT * NH_LANES_AT_MOST };

#define RUN(SUFFIX, REAL, WIDE)                                                                            \
    static void put_##SUFFIX(const nh_series_##SUFFIX *s, size_t at, double x)                             \
    {                                                                                                      \
        for (size_t lane = 0; lane < WIDE(); lane++)                                                       \
            ((REAL *)s->r)[at * WIDE() + lane] = x;                                                        \
    }                                                                                                      \
                                                                                                           \
    static bool put_constants_##SUFFIX(nh_series_##SUFFIX *s)                                              \
    {                                                                                                      \
        REAL all[MOST_AT_ONCE];                                                                            \
        for (size_t i = 0; i < CONSTANT * WIDE(); i++)                                                     \
            all[i] = constants[i / WIDE()];                                                                \
        return nh_series_constants_##SUFFIX(s, (const void *)all);                                         \
    }                                                                                                      \
                                                                                                           \
    static bool run_##SUFFIX(world *w, nh_series_##SUFFIX *s, double c[CHANGING][ORDER + 1], size_t order) \
    {                                                                                                      \
        (void)w;                                                                                           \
        if (!put_constants_##SUFFIX(s))                                                                    \
            return false;                                                                                  \
        for (size_t k = 0; k <= order; k++) {                                                              \
            for (size_t i = 0; i < CHANGING; i++)                                                          \
                put_##SUFFIX(s, i * s->of_register + k * s->of_order, c[i][k]);                            \
            if (!nh_series_step_##SUFFIX(s, k))                                                            \
                return false;                                                                              \
        }                                                                                                  \
        return true;                                                                                       \
    }
RUN(double, double, wide_of_one)
RUN(long, long double, wide_of_one)
RUN(lanes, double, nh_lanes_count)
#ifdef NH_HAS_QUAD
RUN(quad, __float128, wide_of_one)
#endif

#define OUT(s, i, k) ((s)->r[(s)->tape->outputs[i] * (s)->of_register + (k) * (s)->of_order])

/* The same in all lanes: the first of them. */
static double *in_lanes(const nh_series_lanes *s, size_t at)
{
    return (double *)s->r + at * nh_lanes_count();
}

static double *out_in_lanes(const nh_series_lanes *s, int i, size_t k)
{
    return in_lanes(s, s->tape->outputs[i] * s->of_register + k * s->of_order);
}

/* ---------------------------------------------------------------- values */

static void test_values(void **state)
{
    (void)state;
    world w;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        world_begin(&w, seed, true);
        double c[CHANGING][ORDER + 1], values[CHANGING + CONSTANT], expected[ROOTS];
        choose_inputs(&w, c);
        for (int i = 0; i < CHANGING + CONSTANT; i++)
            values[i] = i < CHANGING ? c[i][0] : constants[i - CHANGING];
        nh_evaluate(&w.pool, &w.scratch, w.roots, ROOTS, values, expected, NULL);
        nh_series_double *s = nh_series_new_double(w.tape, &w.arena, 0);
        assert_true(run_double(&w, s, c, 0));
        for (int i = 0; i < ROOTS; i++)
            if (fabs(expected[i]) < 1e6)
                assert_close(OUT(s, i, 0), expected[i], 1e-10);
        world_end(&w);
    }
}

/* ---------------------------------------------------------------- series */

#ifdef NH_HAS_QUAD
/* Whether the series begins at a corner, on one side of which it is. */
static bool is_at_corner(const world *w, const nh_series_quad *s)
{
    bool at = false;
    for (size_t i = 0; i < w->tape->n_corners; i++) {
        const nh_step *step = &w->tape->steps[w->tape->corners[i]];
        bool two = step->op == NH_OP_MIN || step->op == NH_OP_MAX;
        __float128 side = s->r[step->a * s->of_register] - (two ? s->r[step->b * s->of_register] : 0);
        at = at || fabsq(side) < 1e-3Q;
    }
    return at;
}

/* sum_k w_k h^k against the value at the inputs' own sums. */
static void test_series_in_quad(void **state)
{
    (void)state;
    world w;
    const __float128 h = 1e-5Q;
    size_t checked = 0;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        world_begin(&w, seed, true);
        double c[CHANGING][ORDER + 1];
        choose_inputs(&w, c);
        nh_series_quad *s = nh_series_new_quad(w.tape, &w.arena, ORDER),
                       *there = nh_series_new_quad(w.tape, &w.arena, 0);
        assert_true(run_quad(&w, s, c, ORDER));
        __float128 all[CONSTANT];
        for (int i = 0; i < CONSTANT; i++)
            all[i] = constants[i];
        assert_true(nh_series_constants_quad(there, all));
        for (size_t i = 0; i < CHANGING; i++) {
            __float128 x = 0;
            for (int k = ORDER; k >= 0; k--)
                x = x * h + c[i][k];
            there->r[i] = x;
        }
        assert_true(nh_series_step_quad(there, 0));
        for (int i = 0; i < ROOTS && !is_at_corner(&w, s); i++) {
            __float128 sum = 0, largest = 1;
            for (int k = ORDER; k >= 0; k--) {
                sum = sum * h + OUT(s, i, (size_t)k);
                __float128 term = fabsq(OUT(s, i, (size_t)k)) * powq(30 * h, k);
                largest = term > largest ? term : largest;
            }
            if (largest > 1e3Q) /* a pole is near: the series says nothing there */
                continue;
            __float128 apart = fabsq(sum - OUT(there, i, 0)) / largest;
            if (apart > 1e-27Q) {
                print_error("seed %d, root %d: %g apart\n", (int)seed, i, (double)apart);
                fail();
            }
            checked++;
        }
        world_end(&w);
    }
    assert_true(checked > WORLDS * ROOTS * 9 / 10);
}

/* Less exact numbers against quadruple precision. */
static void test_precisions(void **state)
{
    (void)state;
    world w;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        world_begin(&w, seed, true);
        double c[CHANGING][ORDER + 1];
        choose_inputs(&w, c);
        nh_series_quad *q = nh_series_new_quad(w.tape, &w.arena, ORDER);
        nh_series_double *d = nh_series_new_double(w.tape, &w.arena, ORDER);
        nh_series_long *l = nh_series_new_long(w.tape, &w.arena, ORDER);
        nh_series_lanes *e = nh_series_new_lanes(w.tape, &w.arena, ORDER);
        assert_true(run_quad(&w, q, c, ORDER) && run_double(&w, d, c, ORDER) && run_long(&w, l, c, ORDER));
        assert_true(run_lanes(&w, e, c, ORDER));
        for (int i = 0; i < ROOTS; i++) {
            double largest = 1;
            for (size_t k = 0; k <= ORDER; k++) {
                double exact = (double)OUT(q, i, k);
                largest = fmax(largest, fabs(exact));
                if (largest > 1e9)
                    break; /* rounding is as large there */
                assert_true(fabs(OUT(d, i, k) - exact) <= 1e-9 * largest);
                assert_true(fabs((double)(OUT(l, i, k) - (long double)OUT(q, i, k))) <= 1e-12 * largest);
                for (size_t lane = 0; lane < nh_lanes_count(); lane++)
                    assert_true(fabs(out_in_lanes(e, i, k)[lane] - exact) <= 1e-9 * largest);
            }
        }
        world_end(&w);
    }
}
#endif

/* Every lane computes what it would compute with others beside it. */
static void test_lanes_are_apart(void **state)
{
    (void)state;
    world w;
    for (uint64_t seed = 0; seed < WORLDS / 4; seed++) {
        world_begin(&w, seed, true);
        nh_series_lanes *all = nh_series_new_lanes(w.tape, &w.arena, ORDER),
                        *one = nh_series_new_lanes(w.tape, &w.arena, ORDER);
        double c[NH_LANES_AT_MOST][CHANGING][ORDER + 1];
        size_t lanes = nh_lanes_count();
        for (size_t lane = 0; lane < lanes; lane++)
            choose_inputs(&w, c[lane]);
        put_constants_lanes(all);
        for (size_t k = 0; k <= ORDER; k++) {
            for (size_t i = 0; i < CHANGING; i++)
                for (size_t lane = 0; lane < lanes; lane++)
                    in_lanes(all, i * all->of_register + k)[lane] = c[lane][i][k];
            nh_series_step_lanes(all, k);
        }
        for (size_t lane = 0; lane < lanes; lane++) {
            assert_true(run_lanes(&w, one, c[lane], ORDER));
            for (int i = 0; i < ROOTS; i++)
                for (size_t k = 0; k <= ORDER; k++) {
                    double a = out_in_lanes(all, i, k)[lane], b = out_in_lanes(one, i, k)[lane];
                    assert_memory_equal(&a, &b, sizeof a);
                }
        }
        world_end(&w);
    }
}

/* ---------------------------------------------------------------- large arguments */

/* tanh(a + s) in powers of s, by mpmath: as exact where it is nearly 1. At 300 it is 1 - 2 exp(-2 (a + s)); at 1000 it is 1. */
enum { KNOWN = 7 };
static const struct {
    double a, w[KNOWN];
} tangents[] = {
    {0.5,
     {0.462117157260009759, 0.78644773296592741, -0.363430990691793638, -0.0942015480432950601,
      0.16467581515519096, -0.0272223872664282724, -0.0503882504052661465}},
    {20,
     {0.999999999999999992, 1.69934170211663558e-17, -1.69934170211663557e-17, 1.13289446807775703e-17,
      -5.66447234038878494e-18, 2.26578893615551382e-18, -7.55262978718504505e-19}},
    {300,
     {1, 1.06015862120172433e-260, -1.06015862120172433e-260, 7.06772414134482884e-261,
      -3.53386207067241442e-261, 1.41354482826896577e-261, -4.7118160942298859e-262}},
    {1000, {1}},
};

static nh_tape *tape_of(world *w, nh_expr root)
{
    return nh_tape_new(&w->pool, &w->arena, &w->scratch, &root, 1, w->changing, CHANGING, w->constant,
                       CONSTANT, NH_FOR_SERIES);
}

static void test_tanh(void **state)
{
    (void)state;
    world w;
    world_begin(&w, 1, false);
    nh_tape *tape = tape_of(&w, nh_call(&w.pool, NH_FN_tanh, w.changing[0], NH_EXPR_NONE));
    nh_series_double *d = nh_series_new_double(tape, &w.arena, ORDER);
    nh_series_long *l = nh_series_new_long(tape, &w.arena, ORDER);
    nh_series_lanes *e = nh_series_new_lanes(tape, &w.arena, ORDER);
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        double c[CHANGING][ORDER + 1] = {{tangents[i].a, 1}};
        assert_true(run_double(&w, d, c, ORDER) && run_long(&w, l, c, ORDER) && run_lanes(&w, e, c, ORDER));
        for (size_t k = 0; k < KNOWN; k++) {
            double exact = tangents[i].w[k], allowed = 4e-15 * fabs(exact);
            assert_true(fabs(OUT(d, 0, k) - exact) <= allowed);
            assert_true(fabs((double)OUT(l, 0, k) - exact) <= allowed);
            assert_true(fabs(out_in_lanes(e, 0, k)[nh_lanes_count() - 1] - exact) <= allowed);
        }
    }
    world_end(&w);
}

/* 1/cosh(a + s) and 1/(1 + exp(a + s)) with a = 1000 are less than doubles can be, not less than long numbers can; there they are
 * c exp(-a - s), c = 2 and 1. What is no number above and below a line is none. */
static void test_inverse_of_large(void **state)
{
    (void)state;
    world w;
    world_begin(&w, 1, false);
    nh_expr up = nh_call(&w.pool, NH_FN_exp, w.changing[0], NH_EXPR_NONE),
            cosh = nh_call(&w.pool, NH_FN_cosh, w.changing[0], NH_EXPR_NONE);
    nh_expr more = nh_add(&w.pool, up, w.pool.one);
    nh_expr roots[] = {nh_div(&w.pool, w.pool.one, cosh), nh_div(&w.pool, w.pool.one, more),
                       nh_div(&w.pool, up, more)};
    double c[CHANGING][ORDER + 1] = {{1000, 1}};
    long double first = expl(-1000.0L);
    for (int i = 0; i < 3; i++) {
        nh_tape *tape = tape_of(&w, roots[i]);
        nh_series_double *d = nh_series_new_double(tape, &w.arena, ORDER);
        nh_series_lanes *e = nh_series_new_lanes(tape, &w.arena, ORDER);
        nh_series_long *l = nh_series_new_long(tape, &w.arena, ORDER);
        assert_true(run_double(&w, d, c, ORDER) && run_long(&w, l, c, ORDER) && run_lanes(&w, e, c, ORDER));
        long double exact = (i == 0 ? 2 : 1) * first;
        for (size_t k = 0; k < KNOWN; k++, exact /= -(long double)k) {
            assert_true(i < 2 ? OUT(d, 0, k) == 0 : isnan(OUT(d, 0, k)));
            assert_true(i < 2 ? out_in_lanes(e, 0, k)[0] == 0 : isnan(out_in_lanes(e, 0, k)[0]));
            assert_true(i == 2 || fabsl(OUT(l, 0, k) - exact) <= 1e-14L * fabsl(exact));
        }
    }
    world_end(&w);
}

/* ---------------------------------------------------------------- numbers */

/* 7^40/3^50 and its inverse: too long for machine words, exact to the last bit in doubles. */
static void test_long_numbers(void **state)
{
    (void)state;
    world w;
    world_begin(&w, 1, false);
    nh_expr above = nh_power(&w.pool, nh_integer(&w.pool, 7), 40),
            below = nh_power(&w.pool, nh_integer(&w.pool, 3), 50);
    nh_expr roots[2] = {nh_div(&w.pool, above, below), nh_div(&w.pool, below, above)};
    nh_tape *tape = nh_tape_new(&w.pool, &w.arena, &w.scratch, roots, 2, w.changing, CHANGING, w.constant,
                                CONSTANT, NH_FOR_VALUES);
    nh_series_double *s = nh_series_new_double(tape, &w.arena, 0);
    assert_true(nh_series_constants_double(s, constants));
    /* 6366805760909027985741435139224001 and 717897987691852588770249 */
    assert_close(s->r[tape->outputs[0]], 6366805760909027985741435139224001.0 / 717897987691852588770249.0,
                 1e-15);
    assert_close(s->r[tape->outputs[1]], 717897987691852588770249.0 / 6366805760909027985741435139224001.0,
                 1e-15);
    world_end(&w);
}

/* ---------------------------------------------------------------- a crowd */

/* Every member has what it would have alone, to what the functions of vectors are exact to, and the same bits beside others. */
static void test_crowd(void **state)
{
    (void)state;
    world w;
    size_t compared = 0, systems = 0;
    for (uint64_t seed = 0; seed < WORLDS / 4; seed++) {
        world_begin(&w, seed, true);
        nh_crowd *all = nh_crowd_new(w.tape, &w.arena), *some = nh_crowd_new(w.tape, &w.arena);
        nh_series_double *one = nh_series_new_double(w.tape, &w.arena, 0);
        double c[NH_CROWD][CHANGING][ORDER + 1], same[CONSTANT * NH_CROWD];
        for (int i = 0; i < CONSTANT * NH_CROWD; i++)
            same[i] = constants[i / NH_CROWD];
        nh_crowd_constants(all, same), nh_crowd_constants(some, same);
        for (int k = 0; k < NH_CROWD; k++) {
            choose_inputs(&w, c[k]);
            for (size_t i = 0; i < CHANGING; i++)
                all->r[i * NH_CROWD + (size_t)k] = some->r[i * NH_CROWD + (size_t)(NH_CROWD - 1 - k)] =
                    c[k][i][0];
        }
        nh_crowd_values(all, NH_CROWD), nh_crowd_values(some, NH_CROWD - 3);
        for (int k = 0; k < NH_CROWD; k++) {
            bool regular = run_double(&w, one, c[k], 0);
            for (int i = 0; i < ROOTS && regular; i++) {
                double exact = OUT(one, i, 0), found = all->r[w.tape->outputs[i] * NH_CROWD + (size_t)k];
                if (fabs(exact) < 1e6) {
                    assert_close(found, exact, 1e-9);
                    compared++;
                }
                double other = some->r[w.tape->outputs[i] * NH_CROWD + (size_t)(NH_CROWD - 1 - k)];
                if (k >= 3)
                    assert_memory_equal(&found, &other, sizeof found);
            }
        }
        systems += w.tape->n_systems;
        world_end(&w);
    }
    assert_true(compared > (size_t)WORLDS / 4 * NH_CROWD * ROOTS * 9 / 10);
    assert_true(systems > WORLDS / 40);
}

/* ---------------------------------------------------------------- machine code */

static void test_code_has_equal_bits(void **state)
{
    (void)state;
    world w;
    size_t numbers = 0;
    for (uint64_t seed = 0; seed < WORLDS / 8; seed++) {
        world_begin(&w, seed, true);
        double c[CHANGING][ORDER + 1];
        choose_inputs(&w, c);
        nh_native *code = nh_native_new(w.tape, NH_NATIVE_SERIES, 0),
                  *values = nh_native_new(w.tape, NH_NATIVE_VALUES, 0);
        nh_native *lanes = nh_native_new(w.tape, NH_NATIVE_LANES, ORDER);
#ifdef NH_EXPECT_CODE
        assert_true(code && values && lanes);
#else
        if (!code) {
            world_end(&w);
            skip();
        }
#endif
        nh_series_double *a = nh_series_new_double(w.tape, &w.arena, ORDER),
                         *b = nh_series_new_double(w.tape, &w.arena, ORDER);
        nh_series_double *v = nh_series_new_double(w.tape, &w.arena, 0);
        nh_series_lanes *e = nh_series_new_lanes(w.tape, &w.arena, ORDER),
                        *f = nh_series_new_lanes(w.tape, &w.arena, ORDER);
        nh_series_use(b, code), nh_series_use(v, values), nh_series_use_lanes(f, lanes);
        assert_true(run_double(&w, a, c, ORDER) && run_double(&w, b, c, ORDER) && run_double(&w, v, c, 0));
        assert_true(run_lanes(&w, e, c, ORDER) && run_lanes(&w, f, c, ORDER));
        for (int i = 0; i < ROOTS; i++) {
            assert_memory_equal(&OUT(a, i, 0), &OUT(v, i, 0), sizeof(double));
            for (size_t k = 0; k <= ORDER; k++, numbers++) {
                assert_memory_equal(&OUT(a, i, k), &OUT(b, i, k), sizeof(double));
                assert_memory_equal(out_in_lanes(e, i, k), out_in_lanes(f, i, k),
                                    nh_lanes_count() * sizeof(double));
            }
        }
        nh_native_free(code), nh_native_free(values), nh_native_free(lanes);
        world_end(&w);
    }
    assert_true(numbers > 1000);
}

/* The motion x' = roots: by hand, one order after the other, and at once, by the interpreter and by machine code: the same, to the
 * last bit. */
#define FLOW(SUFFIX, REAL, WIDE)                                                          \
    static void begin_flow_##SUFFIX(nh_series_##SUFFIX *s, double c[CHANGING][ORDER + 1]) \
    {                                                                                     \
        assert_true(put_constants_##SUFFIX(s));                                           \
        for (size_t i = 0; i < CHANGING; i++)                                             \
            put_##SUFFIX(s, i * s->of_register, c[i][0]);                                 \
        put_##SUFFIX(s, s->of_order, 4); /* the unit of time */                           \
    }                                                                                     \
                                                                                          \
    static void flow_by_hand_##SUFFIX(nh_series_##SUFFIX *s)                              \
    {                                                                                     \
        size_t wide = WIDE();                                                             \
        for (size_t k = 0; k < ORDER; k++) {                                              \
            assert_true(nh_series_step_##SUFFIX(s, k));                                   \
            for (size_t i = 0; i < s->tape->n_outputs; i++) {                             \
                size_t from = s->tape->outputs[i] * s->of_register + k * s->of_order,     \
                       to = (1 + i) * s->of_register + (k + 1) * s->of_order;             \
                for (size_t lane = 0; lane < wide; lane++)                                \
                    ((REAL *)s->r)[to * wide + lane] =                                    \
                        ((REAL *)s->r)[from * wide + lane] * (4 * s->parts[k + 1]);       \
            }                                                                             \
        }                                                                                 \
    }                                                                                     \
                                                                                          \
    static size_t compare_flows_##SUFFIX(nh_series_##SUFFIX *s[3])                        \
    {                                                                                     \
        size_t numbers = 0, size = WIDE() * sizeof(REAL);                                 \
        for (size_t i = 1; i < CHANGING; i++)                                             \
            for (size_t k = 0; k <= ORDER; k++, numbers++) {                              \
                size_t at = (i * s[0]->of_register + k * s[0]->of_order) * WIDE();        \
                assert_memory_equal((REAL *)s[0]->r + at, (REAL *)s[1]->r + at, size);    \
                assert_memory_equal((REAL *)s[1]->r + at, (REAL *)s[2]->r + at, size);    \
            }                                                                             \
        return numbers;                                                                   \
    }
FLOW(double, double, wide_of_one)
FLOW(lanes, double, nh_lanes_count)

/* How many numbers of the flows of a tape have been compared. */
typedef size_t check_flow(world *, const nh_tape *, const nh_native *, double c[CHANGING][ORDER + 1]);

static void check_flows(nh_native_kind kind, size_t order, check_flow *check)
{
    world w;
    size_t numbers = 0;
    for (uint64_t seed = 0; seed < WORLDS / 8; seed++) {
        world_begin(&w, seed, true);
        double c[CHANGING][ORDER + 1];
        choose_inputs(&w, c);
        nh_tape *tape = nh_tape_new(&w.pool, &w.arena, &w.scratch, w.roots, CHANGING - 1, w.changing,
                                    CHANGING, w.constant, CONSTANT, NH_FOR_SERIES);
        nh_native *code = nh_native_new(tape, kind, order);
        numbers += check(&w, tape, code, c);
        nh_native_free(code);
        world_end(&w);
    }
    assert_true(numbers > 1000);
}

static size_t check_lanes(world *w, const nh_tape *tape, const nh_native *code, double c[CHANGING][ORDER + 1])
{
    nh_series_lanes *s[3];
    for (int i = 0; i < 3; i++)
        s[i] = nh_series_new_lanes(tape, &w->arena, ORDER), begin_flow_lanes(s[i], c);
    nh_series_use_lanes(s[2], code);
    flow_by_hand_lanes(s[0]);
    assert_true(nh_series_flow_lanes(s[1]) && nh_series_flow_lanes(s[2]));
    return compare_flows_lanes(s);
}

static void test_flows(void **state)
{
    (void)state;
    check_flows(NH_NATIVE_FLOW_LANES, ORDER, check_lanes);
}

/* One motion, in double; by machine code in two parts. */
static size_t check_one(world *w, const nh_tape *tape, const nh_native *code, double c[CHANGING][ORDER + 1])
{
    nh_series_double *s[3];
    for (int i = 0; i < 3; i++)
        s[i] = nh_series_new_double(tape, &w->arena, ORDER), begin_flow_double(s[i], c);
    nh_series_use(s[2], code);
    flow_by_hand_double(s[0]);
    assert_true(nh_series_flow_double(s[1], 0, ORDER));
    assert_true(nh_series_flow_double(s[2], 0, 3) && nh_series_flow_double(s[2], 3, ORDER));
    return compare_flows_double(s);
}

static void test_flow_of_one(void **state)
{
    (void)state;
    check_flows(NH_NATIVE_FLOW, 0, check_one);
}

/* ---------------------------------------------------------------- rows */

/* Sums in long numbers, one term after the other, beside those by fours. */
static void test_rows(void **state)
{
    (void)state;
    enum { STRIDE = 19, MOST = 14, HIGHEST = 25 };
    double rows[(HIGHEST + 1) * STRIDE + 4], out[MOST + 3], rates[MOST + 3], weights[MOST + 3];
    uint64_t bits = 1;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        bits = nh_hash(bits), rows[k] = (double)(int64_t)bits * 0x1p-63;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t order = 1; order <= HIGHEST; order++) {
            double h = n % 2 ? 0.75 : -0.625, largest = 0;
            nh_rows_change(rows, STRIDE, n, order, h, out);
            nh_rows_rates(rows, STRIDE, n, order, h, rates);
            for (size_t i = 0; i < MOST + 3; i++)
                weights[i] = i < n ? (double)(1 + i) : 0;
            for (size_t i = 0; i < n; i++) {
                long double sum = 0, slope = 0;
                for (size_t k = order; k >= 1; k--)
                    sum = (sum + (long double)rows[k * STRIDE + i]) * (long double)h,
                    slope = slope * (long double)h + (long double)k * (long double)rows[k * STRIDE + i];
                assert_true(fabsl((long double)out[i] - sum) < 1e-15L);
                assert_true(fabsl((long double)rates[i] - slope) < 1e-14L);
                largest = fmax(largest, fabs(rows[order * STRIDE + i]) * weights[i]);
            }
            assert_true(nh_rows_largest(rows + order * STRIDE, n, weights) == largest);
        }
    rows[2] = NAN, rows[3] = 0.5, rows[4] = -2;
    for (size_t i = 0; i < MOST + 3; i++)
        weights[i] = i < 2;
    assert_true(nh_rows_largest(rows + 2, 2, weights) ==
                0.5); /* what is no number, and what is behind them, does not count */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
#ifdef NH_HAS_QUAD
        cmocka_unit_test(test_series_in_quad),
        cmocka_unit_test(test_precisions),
#endif
        cmocka_unit_test(test_lanes_are_apart),
        cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_code_has_equal_bits),
        cmocka_unit_test(test_flows),
        cmocka_unit_test(test_flow_of_one),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_tanh),
        cmocka_unit_test(test_inverse_of_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
