/* Forms for evaluation: the same values, proved and in numbers, with as many operations as Horner's scheme has by hand. Names with a capital
 * letter are constants, as in reading.h: what is made of them alone does not count. */
#include "reading.h"

#include <math.h>

typedef struct example {
    const char *text;
    size_t most; /* operations on what changes, counted by hand */
} example;

static const example examples[] = {
    {"A + K*x + L*x^2 + M*x^3", 7},                        /* A + x (K + x (L + M x)), a product with a constant counts */
    {"M*x + K*x + 3*x", 1},                                /* (M + K + 3) x */
    {"(M*x + K*x*y)/(L*R)", 3},                            /* x (M/(L R) + K/(L R) y) */
    {"M*x*y*z + K*x*y + L*x", 5},                          /* x (L + y (K + M z)) */
    {"sin(x)^2 + cos(x)^2", 0},
    {"M*sin(x)^2 + K*cos(x)^2 + L", 4},                    /* of one square: the sine, its square, and two more */
    {"M + cos(x)^2*(K + cos(y)^2*(L + cos(z)^2*A))", 12},  /* three cosines, squares, products and sums */
    {"(A + K*x)/(L + M*x)", 6}, /* 1/x and the product with it count as two */
    {"x^6 + M*x^4 + K*x^2", 6},                            /* one square, y (K + y (M + y)), the highest of factor 1 */
    {"sqrt(M)*sqrt(K)*x + x", 1},
    {"exp(M)*x + sin(K)*x*y", 3},
    {"1/sqrt(1 - sin(x)^2/9)", 7}, /* a generator that is written otherwise than it came */
    {"sin(x)*cos(x)^2*(1 - 1/9*sin(x)^2)^(-3/2)/3 + y*M", 20},
    {"M*cos(x)/(1 - sin(x)^2/9) + K*sin(y)*cos(x)/sqrt(1 - sin(x)^2/9)", 30},
    {"(x/2 + sqrt(x^2/4 + y^2/9))^3 + M*sqrt(x^2/4 + y^2/9)", 30},
    {"sqrt(2*M)*x + sqrt(M/8)*y + sqrt((1 + x^2)*M)", 20},
    {"abs(x)*y + tanh(x/2)*M + exp(x/3)^2*log(y^2)", 60},
    {"x - x", 0},
    {"M", 0},
    {"0", 0},
};

/* The operations on what changes: nodes that are not made of constants alone. */
static size_t operations(world *w, nh_expr e)
{
    nh_walk walk = nh_walk_of(&w->pool, &w->arena, &e, 1);
    bool *changes = nh_arena_array(&w->arena, (size_t)e + 1, sizeof *changes);
    size_t count = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr node = walk.nodes[i];
        uint32_t index = 0;
        changes[node] = nh_is_symbol(&w->pool, node, &index) && !w->signs[index];
        nh_list operands = nh_operands(&w->pool, node);
        for (size_t k = 0; k < operands.count; k++)
            changes[node] = changes[node] || changes[operands.items[k]];
        count += changes[node] && operands.count;
    }
    return count;
}

/* In both ways. */
static void nest(world *w, nh_expr e, nh_expr out[2])
{
    bool constant[MOST_SYMBOLS];
    for (size_t i = 0; i < MOST_SYMBOLS; i++)
        constant[i] = w->signs[i] != 0;
    if (!nh_nest(&w->algebra, &e, 1, constant, out))
        fail_msg("not nested, because %s: %s", w->algebra.reason, text_of(w, e));
}

static void same(world *w, nh_expr e, nh_expr f)
{
    if (nh_is_zero(&w->algebra, nh_sub(&w->pool, e, f)) != NH_YES)
        fail_msg("%s is not %s", text_of(w, f), text_of(w, e));
    for (int k = 0; k < 5; k++) {
        double values[MOST_SYMBOLS], x, y, dx, dy;
        random_values(w, values);
        nh_evaluate(&w->pool, &w->arena, &e, 1, values, &x, &dx);
        nh_evaluate(&w->pool, &w->arena, &f, 1, values, &y, &dy);
        if (!(fabs(x - y) <= dx + dy))
            fail_msg("%.17g, not %.17g: %s", y, x, text_of(w, f));
    }
}

static void test_examples(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        nh_expr e = read_expr(w, examples[i].text), f[2];
        nest(w, e, f);
        same(w, e, f[0]), same(w, e, f[1]);
        if (operations(w, f[0]) > examples[i].most)
            fail_msg("%s has %zu operations on what changes, not %zu", text_of(w, f[0]), operations(w, f[0]), examples[i].most);
        world_again(w);
    }
}

/* Random polynomials in what changes and in constants. */
static nh_expr random_term(world *w)
{
    static const char *const factors[] = {"x", "y", "z'", "sin(x)", "cos(x)", "cos(x - y)", "M", "K", "L",
                                          "sqrt(1 + x^2/4)", "1/(1 + x^2/4)", "sqrt(M/2)"};
    nh_expr e = nh_integer(&w->pool, random_below(w, 9) - 4);
    for (int k = random_below(w, 6); k-- > 0;)
        e = nh_mul(&w->pool, e, read_expr(w, factors[random_below(w, 12)]));
    return e;
}

static void test_random(void **state)
{
    world *w = *state;
    for (int i = 0; i < 60; i++) {
        nh_expr e = w->pool.zero, f[2], below = read_expr(w, i % 3 ? "M + L" : "3 + M*sin(y)^2");
        for (int k = 0; k < 12; k++)
            e = nh_add(&w->pool, e, random_term(w));
        e = nh_div(&w->pool, e, below);
        nest(w, e, f);
        same(w, e, f[0]), same(w, e, f[1]);
        world_again(w);
    }
}

/* Near s = 0 a c^2 + b s^2 - a c^2 is b s^2: no digit of it may be lost. */
static void test_small_angles(void **state)
{
    world *w = *state;
    nh_expr e = read_expr(w, "M*sin(x)^2 + K*cos(x)^2*y"), f[2];
    double values[MOST_SYMBOLS], value, error;
    nest(w, e, f);
    random_values(w, values);
    values[0] = 2, values[1] = 1e-6, values[2] = 3, values[3] = 1e-13; /* M, x, K, y */
    nh_evaluate(&w->pool, &w->arena, &f[1], 1, values, &value, &error);
    assert_true(fabs(value - 2.3e-12) < 1e-23); /* 2 x^2 + 3 y, up to x^4 and x^2 y */
    assert_true(error < 1e-26);
}

/* Beyond the budget nothing is written. */
static void test_budget(void **state)
{
    world *w = *state;
    bool constant[MOST_SYMBOLS] = {false};
    nh_expr e = read_expr(w, "(a + b + c + d + x + y + z)^9"), out[2] = {NH_EXPR_NONE, NH_EXPR_NONE};
    w->algebra.budget.max_terms = 100;
    assert_false(nh_nest(&w->algebra, &e, 1, constant, out));
    assert_non_null(w->algebra.reason);
    assert_int_equal(out[0], NH_EXPR_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_examples, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random, setup, teardown),
        cmocka_unit_test_setup_teardown(test_small_angles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_budget, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
