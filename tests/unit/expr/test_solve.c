/* Linear systems as nodes, against Cramer's rule written out. */
#include "world.h"

enum { MOST = 4 };

/* A random polynomial or trigonometric entry. */
static nh_expr random_entry(world *w)
{
    nh_pool *p = &w->pool;
    nh_expr x = w->symbols[random_below(w, SYMBOLS)], y = w->symbols[random_below(w, SYMBOLS)];
    switch (random_below(w, 5)) {
    case 0: return p->zero;
    case 1: return nh_integer(p, random_below(w, 7) - 3);
    case 2: return nh_call(p, NH_FN_sin, nh_add(p, x, y), NH_EXPR_NONE);
    case 3: return nh_add(p, nh_mul(p, x, y), p->half);
    default: return nh_sub(p, nh_power(p, x, 2), y);
    }
}

/* The determinant by its permutations. */
static nh_expr determinant(nh_pool *p, const nh_expr *M, size_t n, size_t row, unsigned used)
{
    nh_expr sum = p->zero;
    int sign = 1;
    if (row == n)
        return p->one;
    for (size_t j = 0; j < n; j++) {
        if (used >> j & 1)
            continue;
        nh_expr term = nh_mul(p, M[row * n + j], determinant(p, M, n, row + 1, used | 1u << j));
        sum = sign > 0 ? nh_add(p, sum, term) : nh_sub(p, sum, term);
        sign = -sign;
    }
    return sum;
}

typedef struct linear {
    size_t n;
    bool symmetric;
    nh_expr M[MOST * MOST], b[MOST];
    nh_expr x[MOST], truth[MOST]; /* as nodes; by Cramer's rule */
} linear;

static void random_system(world *w, linear *l)
{
    nh_pool *p = &w->pool;
    l->n = 1 + (size_t)random_below(w, MOST), l->symmetric = random_below(w, 2);
    size_t n = l->n;
    for (size_t i = 0; i < n; i++) {
        l->b[i] = random_entry(w);
        for (size_t j = 0; j < n; j++)
            l->M[i * n + j] = l->symmetric && j < i ? l->M[j * n + i] : random_entry(w);
        l->M[i * n + i] = nh_add(p, l->M[i * n + i], nh_integer(p, 3));
    }
    nh_solution(p, n, l->symmetric, l->M, l->b, l->x);
    nh_expr below = determinant(p, l->M, n, 0, 0), replaced[MOST * MOST];
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n * n; k++)
            replaced[k] = k % n == j ? l->b[k / n] : l->M[k];
        l->truth[j] = nh_div(p, determinant(p, replaced, n, 0, 0), below);
    }
}

/* Equal in doubles, within the bounds that both give, and modulo p. */
static void assert_same(world *w, nh_modular *m, nh_expr node, nh_expr truth)
{
    nh_expr both[2] = {node, truth};
    double values[SYMBOLS], out[2], errors[2];
    for (int k = 0; k < 3; k++) {
        random_values(w, values);
        nh_evaluate(&w->pool, &w->scratch, both, 2, values, out, errors);
        if (isfinite(errors[0]) && isfinite(errors[1]))
            assert_true(fabs(out[0] - out[1]) <= errors[0] + errors[1]);
    }
    nh_residue a = nh_modular_value(m, node), b = nh_modular_value(m, truth);
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        if (a.valid >> k & b.valid >> k & 1)
            assert_true(a.at[k] == b.at[k]);
}

static void test_values(void **state)
{
    world *w = *state;
    nh_modular *m = nh_modular_new(&w->pool, &w->arena, 5); /* one for all: it remembers */
    int finite = 0;
    for (int trial = 0; trial < 300; trial++) {
        linear l;
        random_system(w, &l);
        double values[SYMBOLS], out[MOST], errors[MOST];
        random_values(w, values);
        nh_evaluate(&w->pool, &w->scratch, l.x, l.n, values, out, errors);
        for (size_t i = 0; i < l.n; i++) {
            assert_same(w, m, l.x[i], l.truth[i]);
            finite += errors[i] < 1e-9;
        }
    }
    assert_true(finite > 400); /* the bounds are of use */
}

static void test_derivatives(void **state)
{
    world *w = *state;
    nh_modular *m = nh_modular_new(&w->pool, &w->arena, 5); /* one for all: it remembers */
    nh_pool *p = &w->pool;
    for (int trial = 0; trial < 200; trial++) {
        linear l;
        random_system(w, &l);
        nh_expr nodes[SYMBOLS], truths[SYMBOLS], weight = w->symbols[0], e = p->zero, truth = p->zero;
        for (size_t i = 0; i < l.n; i++) { /* a function of all components, not a linear one */
            e = nh_add(p, nh_mul(p, e, l.x[i]), nh_mul(p, weight, l.x[i]));
            truth = nh_add(p, nh_mul(p, truth, l.truth[i]), nh_mul(p, weight, l.truth[i]));
        }
        nh_gradient(p, &w->scratch, &e, NULL, 1, w->symbols, SYMBOLS, nodes);
        nh_gradient(p, &w->scratch, &truth, NULL, 1, w->symbols, SYMBOLS, truths);
        for (int i = 0; i < SYMBOLS; i++) {
            assert_same(w, m, nodes[i], truths[i]);
            assert_same(w, m, nh_derivative(p, &w->scratch, e, w->symbols[i]), truths[i]);
        }
    }
}

static void test_substitution(void **state)
{
    world *w = *state;
    nh_modular *m = nh_modular_new(&w->pool, &w->arena, 5); /* one for all: it remembers */
    nh_pool *p = &w->pool, other;
    for (int trial = 0; trial < 100; trial++) {
        linear l;
        random_system(w, &l);
        nh_expr value = nh_add(p, w->symbols[1], p->half), x[MOST], truth[MOST];
        nh_substitute(p, &w->scratch, l.x, l.n, &w->symbols[0], &value, 1, x);
        nh_substitute(p, &w->scratch, l.truth, l.n, &w->symbols[0], &value, 1, truth);
        for (size_t i = 0; i < l.n; i++)
            assert_same(w, m, x[i], truth[i]);
        nh_pool_init_like(&other, &w->arena, p);
        for (size_t i = 0; i < l.n; i++) {
            double values[SYMBOLS], here, there;
            random_values(w, values);
            nh_expr copy = nh_import(&other, &w->scratch, p, l.x[i]);
            nh_evaluate(p, &w->scratch, &l.x[i], 1, values, &here, NULL);
            nh_evaluate(&other, &w->scratch, &copy, 1, values, &there, NULL);
            assert_true(here == there || (isnan(here) && isnan(there)));
        }
        nh_pool_free(&other);
    }
}

/* The same system is the same node, whatever was built between; no right-hand side, nothing to solve. */
static void test_sharing(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    linear l, other;
    random_system(w, &l);
    for (int trial = 0; trial < 200; trial++)
        random_system(w, &other);
    nh_expr again[MOST], zero[MOST];
    nh_solution(p, l.n, l.symmetric, l.M, l.b, again);
    assert_memory_equal(again, l.x, l.n * sizeof *again);
    for (size_t i = 0; i < l.n; i++)
        zero[i] = p->zero;
    nh_solution(p, l.n, l.symmetric, l.M, zero, again);
    for (size_t i = 0; i < l.n; i++)
        assert_int_equal(again[i], p->zero);
    l.M[0] = NH_EXPR_NONE;
    nh_solution(p, l.n, l.symmetric, l.M, l.b, again);
    assert_int_equal(again[0], NH_EXPR_NONE);
}

/* A singular matrix has no solution, in doubles and modulo p. */
static void test_singular(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr x = w->symbols[0], y = w->symbols[1], M[4] = {x, y, nh_mul(p, p->two, x), nh_mul(p, p->two, y)}, b[2] = {x, p->one}, out[2];
    double values[SYMBOLS], value, error;
    random_values(w, values);
    values[0] = 1, values[1] = 2;
    nh_solution(p, 2, false, M, b, out);
    nh_evaluate(p, &w->scratch, out, 1, values, &value, &error);
    assert_true(isnan(value) && !isfinite(error));
    nh_modular *m = nh_modular_new(p, &w->arena, 5);
    assert_int_equal(nh_modular_value(m, out[0]).valid, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_derivatives, setup, teardown),
        cmocka_unit_test_setup_teardown(test_substitution, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sharing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_singular, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
