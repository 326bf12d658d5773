/* Derivatives against difference quotients in long double, and against each other; substitution against
 * evaluation. */
#include "world.h"

/* ---------------------------------------------------------------- difference quotients */

/* d tree / d direction by central differences with steps h and h/2, extrapolated; their difference tells how far
 * to trust it. */
static long double difference(tree *t, const double values[SYMBOLS], const double along[SYMBOLS], long double *doubt)
{
    long double quotients[2], step = 1e-4L;
    for (int k = 0; k < 2; k++, step /= 2) {
        long double sides[2];
        for (int side = 0; side < 2; side++) {
            long double at[SYMBOLS];
            for (int i = 0; i < SYMBOLS; i++)
                at[i] = values[i] + (side ? -step : step) * along[i];
            sides[side] = tree_value(t, at);
        }
        quotients[k] = (sides[0] - sides[1]) / (2 * step);
    }
    *doubt = fabsl(quotients[0] - quotients[1]);
    return (4 * quotients[1] - quotients[0]) / 3;
}

static double evaluate(world *w, nh_expr e, const double *values)
{
    double value;
    nh_evaluate(&w->pool, &w->scratch, &e, 1, values, &value, NULL);
    return value;
}

/* Whether there was something to compare. */
static bool check_derivative(world *w, tree *t, nh_expr got, const double *values, const double *along,
                             const char *what)
{
    long double doubt, want = difference(t, values, along, &doubt), size = 1 + fabsl(want);
    if (!(doubt < 1e-3L * size))
        return false;
    long double found = wide_value(&w->pool, got, values);
    if (!(fabsl(found - want) <= 1e-8L * size + doubt))
        fail_msg("%s: %.15Lg instead of %.15Lg", what, found, want);
    return true;
}

/* ---------------------------------------------------------------- each function */

/* f(a(x), b(x)) with plain arguments, at many points. */
static int check_function(world *w, tree *t, nh_function f, const char *a, const char *b)
{
    char text[100];
    snprintf(text, sizeof text, arity(f) == 2 ? "%s(%s, %s)" : "%s(%s)", nh_function_get(f)->name, a, b);
    tree_read(t, text);
    nh_expr e = tree_build(w, t), gradient;
    nh_gradient(&w->pool, &w->scratch, &e, NULL, 1, w->symbols, 1, &gradient);
    nh_expr derivative = nh_derivative(&w->pool, &w->scratch, e, w->symbols[0]);
    int compared = 0;
    for (int i = 0; i < 50; i++) {
        double values[SYMBOLS], along[SYMBOLS] = {1};
        random_values(w, values);
        tree_value_at(t, values);
        if (!tree_is_tame(t))
            continue;
        compared += check_derivative(w, t, gradient, values, along, text);
        check_derivative(w, t, derivative, values, along, text);
    }
    return compared;
}

static void test_functions(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    static const char *const arguments[] = {"x", "y", "x/3", "x^2/4", "-x + 1/7", "3/2*x", "x*y"};
    enum { COUNT = sizeof arguments / sizeof *arguments };
    for (int f = 0; f < NH_FN_COUNT; f++) {
        int compared = 0;
        for (int a = 0; a < COUNT; a++)
            for (int b = 0; b < (arity(f) == 2 ? COUNT : 1); b++)
                compared += check_function(w, t, (nh_function)f, arguments[a], arguments[b]);
        if (compared < 80)
            fail_msg("%s: compared only %d times", nh_function_get((nh_function)f)->name, compared);
    }
    free(t);
}

/* What is known by heart, as handles. */
static void test_known_derivatives(void **state)
{
    static const char *const known[][2] = {
        {"sin(x)", "cos(x)"},
        {"cos(x)", "-sin(x)"},
        {"tan(x)", "1 + tan(x)^2"},
        {"asin(x)", "1/sqrt(1 - x^2)"},
        {"acos(x)", "-1/sqrt(1 - x^2)"},
        {"atan(x)", "1/(1 + x^2)"},
        {"sinh(x)", "cosh(x)"},
        {"cosh(x)", "sinh(x)"},
        {"tanh(x)", "1 - tanh(x)^2"},
        {"exp(x)", "exp(x)"},
        {"log(x)", "1/x"},
        {"sqrt(x)", "1/(2*sqrt(x))"},
        {"abs(x)", "sign(x)"},
        {"sign(x)", "0"},
        {"x", "1"},
        {"y", "0"},
        {"pi", "0"},
        {"5", "0"},
        {"x + y", "1"},
        {"3*x", "3"},
        {"x*y", "y"},
        {"x^5", "5*x^4"},
        {"1/x", "-1/x^2"},
        {"x^(1/3)", "1/3*x^(1/3 - 1)"},
        {"x^10000", "10000*x^9999"},
        {"x^20000", "20000*x^19999"},
        {"y^2", "0"},
        {"sin(y)*log(z)", "0"},
        {"2^x", "2^x*log(2)"},
        {"x^y", "y*x^(y - 1)"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        nh_expr e = read_expr(w, known[i][0]), want = read_expr(w, known[i][1]), gradient;
        nh_gradient(&w->pool, &w->scratch, &e, NULL, 1, w->symbols, 1, &gradient);
        if (gradient != want || nh_derivative(&w->pool, &w->scratch, e, w->symbols[0]) != want)
            fail_msg("the derivative of %s is not %s", known[i][0], known[i][1]);
    }
}

/* ---------------------------------------------------------------- random expressions */

typedef struct sample {
    double values[SYMBOLS], along[SYMBOLS];
    nh_expr e, gradient[SYMBOLS], directional, directions[SYMBOLS];
} sample;

/* Directions are expressions too: multiples of symbols. */
static void make_directions(world *w, sample *s)
{
    for (int j = 0; j < SYMBOLS; j++) {
        int k = random_below(w, SYMBOLS), n = random_below(w, 5) - 2;
        s->directions[j] = nh_mul(&w->pool, nh_integer(&w->pool, n), w->symbols[k]);
        s->along[j] = n * s->values[k];
    }
}

static int check_sample(world *w, tree *t, sample *s)
{
    int compared = 0;
    nh_gradient(&w->pool, &w->scratch, &s->e, NULL, 1, w->symbols, SYMBOLS, s->gradient);
    make_directions(w, s);
    nh_directional(&w->pool, &w->scratch, &s->e, 1, w->symbols, s->directions, SYMBOLS, &s->directional);
    compared += check_derivative(w, t, s->directional, s->values, s->along, "forward");
    long double total = 0, parts = 0;
    for (int j = 0; j < SYMBOLS; j++) {
        double unit[SYMBOLS] = {0};
        unit[j] = 1;
        compared += check_derivative(w, t, s->gradient[j], s->values, unit, "reverse");
        long double part = wide_value(&w->pool, s->gradient[j], s->values) * s->along[j];
        total += part, parts += fabsl(part);
    }
    long double forward = wide_value(&w->pool, s->directional, s->values);
    if (!(fabsl(forward - total) <= 1e-10L * (1 + parts)))
        fail_msg("forward %.15Lg, reverse %.15Lg", forward, total);
    return compared;
}

static void test_random_expressions(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    sample s;
    int compared = 0, wanted = 0;
    for (int i = 0; i < 3000; i++, wanted += SYMBOLS + 1) {
        random_tame_tree(w, t, 5, 10, s.values);
        s.e = tree_build(w, t);
        compared += check_sample(w, t, &s);
        world_again(w);
    }
    assert_in_range(compared, wanted * 9 / 10, wanted);
    free(t);
}

/* Several roots at once, weighted by seeds: the same as one root after the other. */
static void test_seeds(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 1000; i++) {
        double values[SYMBOLS];
        nh_expr roots[4], seeds[4], together[SYMBOLS], unseeded[SYMBOLS];
        random_tame_tree(w, t, 5, 12, values);
        tree_build(w, t);
        for (int k = 0; k < 4; k++) {
            roots[k] = k == 3 ? roots[0] : t->built[random_below(w, t->count)]; /* one of them twice */
            seeds[k] = k == 2 ? p->zero : nh_add(p, w->symbols[k], nh_integer(p, k));
        }
        nh_gradient(p, &w->scratch, roots, seeds, 4, w->symbols, SYMBOLS, together);
        nh_gradient(p, &w->scratch, roots, NULL, 4, w->symbols, SYMBOLS, unseeded);
        for (int j = 0; j < SYMBOLS; j++) {
            long double want = 0, plain = 0, size = 0;
            for (int k = 0; k < 4; k++) {
                nh_expr one = nh_derivative(p, &w->scratch, roots[k], w->symbols[j]);
                long double part = wide_value(p, one, values);
                plain += part;
                want += part * wide_value(p, seeds[k], values);
                size += fabsl(part) * 10;
            }
            assert_true(fabsl(wide_value(p, together[j], values) - want) <= 1e-10L * (1 + size));
            assert_true(fabsl(wide_value(p, unseeded[j], values) - plain) <= 1e-10L * (1 + size));
        }
        world_again(w);
    }
    free(t);
}

/* Second derivatives do not depend on the order. */
static void test_mixed_derivatives(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 500; i++) {
        double values[SYMBOLS];
        nh_expr x = w->symbols[0], y = w->symbols[1];
        random_tame_tree(w, t, 5, 8, values);
        nh_expr e = tree_build(w, t), xy, yx;
        xy = nh_derivative(p, &w->scratch, nh_derivative(p, &w->scratch, e, x), y);
        nh_gradient(p, &w->scratch, &e, NULL, 1, &y, 1, &yx);
        nh_gradient(p, &w->scratch, &yx, NULL, 1, &x, 1, &yx);
        assert_true(close_to(wide_value(p, xy, values), wide_value(p, yx, values), 1e-8L));
        world_again(w);
    }
    free(t);
}

/* ---------------------------------------------------------------- substitution */

static void test_substitution(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    tree *t = malloc(sizeof *t);
    int compared = 0;
    for (int i = 0; i < 4000; i++) {
        double values[SYMBOLS], moved[SYMBOLS];
        nh_expr images[SYMBOLS], out[2];
        random_tree(w, t, 5, 10);
        nh_expr roots[2] = {tree_build(w, t), t->built[t->count / 2]};
        random_values(w, values);
        for (int j = 0; j < SYMBOLS; j++) { /* other symbols, numbers, sums of both */
            int k = random_below(w, SYMBOLS), n = random_below(w, 5) - 2, factor = random_below(w, 2);
            images[j] = nh_add(p, nh_mul(p, nh_integer(p, factor), w->symbols[k]), nh_integer(p, n));
            moved[j] = factor * values[k] + n;
        }
        nh_substitute(p, &w->scratch, roots, 2, w->symbols, images, SYMBOLS, out);
        long double want = tree_value_at(t, moved);
        if (roots[0] && tree_is_tame(t)) {
            compared++;
            assert_true(out[0] && out[1]);
            assert_true(close_to(wide_value(p, out[0], values), want, 1e-9L));
            assert_true(close_to(wide_value(p, out[1], values), t->values[t->count / 2], 1e-9L));
        }
        world_again(w);
    }
    assert_in_range(compared, 400, 4000);
    free(t);
}

static void test_substitution_of_itself(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    nh_expr turned[SYMBOLS], out;
    for (int j = 0; j < SYMBOLS; j++)
        turned[j] = w->symbols[(j + 1) % SYMBOLS];
    for (int i = 0; i < 1000; i++) {
        random_tree(w, t, 5, 10);
        nh_expr e = tree_build(w, t), there;
        nh_substitute(&w->pool, &w->scratch, &e, 1, w->symbols, w->symbols, SYMBOLS, &out);
        assert_int_equal(out, e);
        nh_substitute(&w->pool, &w->scratch, &e, 1, w->symbols, turned, SYMBOLS, &there);
        nh_substitute(&w->pool, &w->scratch, &there, 1, turned, w->symbols, SYMBOLS, &out);
        double values[SYMBOLS];
        random_values(w, values);
        tree_value_at(t, values);
        if (e && tree_is_tame(t)) /* simultaneous, and undone */
            assert_true(close_to(wide_value(&w->pool, out, values), t->values[t->count - 1], 1e-9L));
    }
    free(t);
}

static void test_substitution_of_poles(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr roots[] = {read_expr(w, "1/x + y"), read_expr(w, "y/(x - z)"), read_expr(w, "x*y"), read_expr(w, "z")};
    nh_expr symbols[] = {w->symbols[0], w->symbols[2]}, zeros[] = {p->zero, p->zero}, out[4];
    nh_substitute(p, &w->scratch, roots, 4, symbols, zeros, 2, out);
    assert_int_equal(out[0], NH_EXPR_NONE);
    assert_int_equal(out[1], NH_EXPR_NONE);
    assert_int_equal(out[2], p->zero);
    assert_int_equal(out[3], p->zero);
    nh_substitute(p, &w->scratch, roots, 4, symbols, (nh_expr[]){w->symbols[2], w->symbols[0]}, 2, out); /* a swap */
    assert_int_equal(out[0], read_expr(w, "1/z + y"));
    assert_int_equal(out[1], read_expr(w, "y/(z - x)"));
    assert_int_equal(out[3], w->symbols[0]);
    nh_substitute(p, &w->scratch, roots, 4, symbols, (nh_expr[]){NH_EXPR_NONE, p->one}, 2, out);
    assert_true(out[0] == NH_EXPR_NONE && out[1] == NH_EXPR_NONE && out[2] == NH_EXPR_NONE && out[3] == p->one);
}

/* ---------------------------------------------------------------- scratch */

static void test_scratch_is_left(void **state)
{
    world *w = *state;
    nh_expr e = read_expr(w, "sin(x*y)^3/(1 + exp(z))"), out[SYMBOLS];
    nh_arena_alloc(&w->scratch, 10);
    nh_arena_mark before = nh_arena_here(&w->scratch);
    nh_gradient(&w->pool, &w->scratch, &e, NULL, 1, w->symbols, SYMBOLS, out);
    nh_directional(&w->pool, &w->scratch, &e, 1, w->symbols, w->symbols, SYMBOLS, out);
    nh_substitute(&w->pool, &w->scratch, &e, 1, w->symbols, w->symbols + 1, 2, out);
    evaluate(w, e, (double[SYMBOLS]){1, 2, 3, 4, 5, 6});
    nh_arena_mark after = nh_arena_here(&w->scratch);
    assert_true(before.last == after.last && before.next == after.next && before.end == after.end);
}

/* Nothing asked for, nothing given. */
static void test_empty(void **state)
{
    world *w = *state;
    nh_expr e = w->symbols[1], out[2] = {7, 7};
    nh_gradient(&w->pool, &w->scratch, NULL, NULL, 0, w->symbols, 2, out);
    assert_true(out[0] == w->pool.zero && out[1] == w->pool.zero);
    nh_gradient(&w->pool, &w->scratch, &e, NULL, 1, w->symbols, 2, out);
    assert_true(out[0] == w->pool.zero && out[1] == w->pool.one);
    nh_directional(&w->pool, &w->scratch, &e, 1, NULL, NULL, 0, out);
    assert_int_equal(out[0], w->pool.zero);
    nh_directional(&w->pool, &w->scratch, NULL, 0, w->symbols, w->symbols, 2, out);
    nh_substitute(&w->pool, &w->scratch, NULL, 0, w->symbols, w->symbols, 2, out);
    nh_substitute(&w->pool, &w->scratch, &e, 1, NULL, NULL, 0, out);
    assert_int_equal(out[0], e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_known_derivatives, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_seeds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mixed_derivatives, setup, teardown),
        cmocka_unit_test_setup_teardown(test_substitution, setup, teardown),
        cmocka_unit_test_setup_teardown(test_substitution_of_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(test_substitution_of_poles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scratch_is_left, setup, teardown),
        cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
