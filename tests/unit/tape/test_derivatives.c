/* Derivatives of tapes: against differences in quadruple precision, and against each other. */
#include "world.h"

enum { WORLDS = 300 };
static const double constants[CONSTANT] = {0.7, -1.3};

static void choose(world *w, double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = uniform(w, -1, 1);
}

/* dy along dx. */
static void along(world *w, const nh_tape *tangent, const double *x, const double *dx, double *dy)
{
    nh_series_double *s = nh_series_new_double(tangent, &w->arena, 0);
    assert_true(nh_series_constants_double(s, constants));
    memcpy(s->r, x, CHANGING * sizeof *x);
    memcpy(s->r + CHANGING, dx, CHANGING * sizeof *dx);
    assert_true(nh_series_step_double(s, 0));
    for (int i = 0; i < ROOTS; i++)
        dy[i] = s->r[tangent->outputs[i]];
}

#ifdef NH_HAS_QUAD
static void value_at(world *w, const double *x, const double *dx, __float128 h, __float128 *y)
{
    nh_series_quad *s = nh_series_new_quad(w->tape, &w->arena, 0);
    __float128 all[CONSTANT];
    for (int i = 0; i < CONSTANT; i++)
        all[i] = constants[i];
    assert_true(nh_series_constants_quad(s, all));
    for (int i = 0; i < CHANGING; i++)
        s->r[i] = x[i] + h * dx[i];
    assert_true(nh_series_step_quad(s, 0));
    for (int i = 0; i < ROOTS; i++)
        y[i] = s->r[w->tape->outputs[i]];
}

static void test_tangent(void **state)
{
    (void)state;
    world w;
    const __float128 h = 1e-11Q;
    size_t checked = 0;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        world_begin(&w, seed, true);
        double x[CHANGING], dx[CHANGING], dy[ROOTS];
        __float128 more[ROOTS], less[ROOTS];
        choose(&w, x, CHANGING), choose(&w, dx, CHANGING);
        along(&w, nh_tape_tangent(w.tape, &w.arena), x, dx, dy);
        value_at(&w, x, dx, h, more), value_at(&w, x, dx, -h, less);
        for (int i = 0; i < ROOTS; i++) {
            double expected = (double)((more[i] - less[i]) / (2 * h));
            if (fabs(expected) > 1e6)
                continue;
            assert_close(dy[i], expected, 1e-9);
            checked++;
        }
        world_end(&w);
    }
    assert_true(checked > WORLDS * ROOTS * 9 / 10);
}
#endif

/* Columns found together, several at once, are those along the axes; what is left out is 0. */
static void test_jacobian(void **state)
{
    (void)state;
    world w;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        world_begin(&w, seed, true);
        double x[CHANGING], full[ROOTS][CHANGING] = {{0}};
        choose(&w, x, CHANGING);
        nh_jacobian *j = nh_jacobian_new(w.tape, &w.arena);
        nh_tape *tangent = nh_tape_tangent(w.tape, &w.arena);
        assert_true(nh_jacobian_constants(j, constants) && nh_jacobian_at(j, x));
        for (size_t i = 0; i < ROOTS; i++)
            for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++)
                full[i][j->columns[e]] = j->values[e];
        for (int c = 0; c < CHANGING; c++) {
            double axis[CHANGING] = {0}, dy[ROOTS];
            axis[c] = 1;
            along(&w, tangent, x, axis, dy);
            for (int i = 0; i < ROOTS; i++)
                if (fabs(dy[i]) < 1e6)
                    assert_close(full[i][c], dy[i], 1e-9);
        }
        world_end(&w);
    }
}

/* Where expressions of one's own live. */
typedef struct workplace {
    nh_heap heap;
    nh_arena arena, scratch;
    nh_pool pool;
} workplace;

static void open_workplace(workplace *w)
{
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap), nh_arena_init(&w->scratch, &w->heap);
    nh_pool_init(&w->pool, &w->arena);
}

static void close_workplace(workplace *w)
{
    nh_pool_free(&w->pool);
    nh_arena_free(&w->scratch), nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
}

/* N symbols x0, x1, ... */
static void make_symbols(workplace *w, nh_expr *x, int n)
{
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        x[i] = nh_symbol(&w->pool, name);
    }
}

/* The derivatives of n functions of n symbols at a state. */
static nh_jacobian *jacobian_at(workplace *w, const nh_expr *roots, const nh_expr *x, size_t n,
                                const double *at)
{
    nh_tape *tape = nh_tape_new(&w->pool, &w->arena, &w->scratch, roots, n, x, n, NULL, 0, NH_FOR_VALUES);
    nh_jacobian *j = nh_jacobian_new(tape, &w->arena);
    assert_true(nh_jacobian_constants(j, NULL) && nh_jacobian_at(j, at));
    return j;
}

/* A chain of 200: each depends on its neighbours alone, and three directions do for all. */
static void test_few_directions(void **state)
{
    (void)state;
    enum { N = 200 };
    workplace w;
    nh_expr x[N], roots[N];
    double at[N];
    open_workplace(&w);
    make_symbols(&w, x, N);
    for (int i = 0; i < N; i++) {
        at[i] = 0.1 * i;
        roots[i] = nh_power(&w.pool, x[i], 2);
        if (i > 0)
            roots[i] = nh_add(&w.pool, roots[i], nh_call(&w.pool, NH_FN_sin, x[i - 1], NH_EXPR_NONE));
        if (i + 1 < N)
            roots[i] = nh_add(&w.pool, roots[i], nh_mul(&w.pool, nh_integer(&w.pool, 3), x[i + 1]));
    }
    nh_jacobian *j = jacobian_at(&w, roots, x, N, at);
    assert_int_equal(j->n_directions, 3);
    assert_int_equal(j->count, 3 * N - 2);
    for (size_t i = 0; i < N; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++) {
            size_t c = j->columns[e];
            assert_close(j->values[e], c == i ? 2 * at[i] : c < i ? cos(at[c]) : 3, 1e-14);
        }
    close_workplace(&w);
}

/* Every output depends on every input: as many directions as inputs, some after the others. d/dx_c of sum_j (i + 1) x_j^2. */
static void test_many_directions(void **state)
{
    (void)state;
    enum { N = 11 };
    workplace w;
    nh_expr x[N], roots[N];
    double at[N];
    open_workplace(&w);
    make_symbols(&w, x, N);
    for (int i = 0; i < N; i++) {
        at[i] = 0.3 * i - 1, roots[i] = w.pool.zero;
        for (int j = 0; j < N; j++)
            roots[i] = nh_add(&w.pool, roots[i],
                              nh_mul(&w.pool, nh_integer(&w.pool, i + 1), nh_power(&w.pool, x[j], 2)));
    }
    nh_jacobian *j = jacobian_at(&w, roots, x, N, at);
    assert_int_equal(j->n_directions, N);
    for (size_t i = 0; i < N; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++)
            assert_close(j->values[e], 2 * (double)(i + 1) * at[j->columns[e]], 1e-14);
    close_workplace(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef NH_HAS_QUAD
        cmocka_unit_test(test_tangent),
#endif
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_few_directions),
        cmocka_unit_test(test_many_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
