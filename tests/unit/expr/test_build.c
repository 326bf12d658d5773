/* The cheap normal form, the pool behind it, and its limits. */
#include "world.h"

/* ---------------------------------------------------------------- what is the same, what is not */

typedef struct pair {
    const char *a, *b;
} pair;

static const pair same[] = {
    /* sums */
    {"x + y", "y + x"},
    {"x + x", "2*x"},
    {"2*x + 3*x", "5*x"},
    {"2*x - x", "x"},
    {"x/2 + x/3", "5*x/6"},
    {"x - x", "0"},
    {"2*x*y - 2*y*x", "0"},
    {"x + 0", "x"},
    {"x + 3 + 4", "x + 7"},
    {"3 + x + 4", "7 + x"},
    {"x + 3 - 3", "x"},
    {"x + y - y", "x"},
    {"x + y - x", "y"},
    {"3*x + y - 3*x", "y"},
    {"x - y", "-y + x"},
    {"-(-x)", "x"},
    {"(x + y) - (y + x)", "0"},
    {"1/2 + 1/3", "5/6"},
    {"1/3 - 1/3", "0"},
    /* products */
    {"x*y", "y*x"},
    {"x*x", "x^2"},
    {"2*(3*x)", "6*x"},
    {"2*(x/2)", "x"},
    {"(2*x)*(3*y)", "6*(x*y)"},
    {"0*x", "0"},
    {"x*1", "x"},
    {"-1*x", "-x"},
    {"x*(-y)", "-(x*y)"},
    {"(-x)*(-y)", "x*y"},
    {"x/x", "1"},
    {"2*x/x", "2"},
    {"x^2/x", "x"},
    {"x^3*x^-3", "1"},
    {"(x*y)/(y*x)", "1"},
    {"(x + y)/(y + x)", "1"},
    {"x^2*x^3", "x^5"},
    {"(x + 1)*(1 + x)", "(x + 1)^2"},
    {"2/3*3/2", "1"},
    /* powers */
    {"x^1", "x"},
    {"x^0", "1"},
    {"0^0", "1"},
    {"0^3", "0"},
    {"0^(3/2)", "0"},
    {"1^x", "1"},
    {"2^10", "1024"},
    {"(-2)^3", "-8"},
    {"(2/3)^-2", "9/4"},
    {"(x^2)^3", "x^6"},
    {"(x^2)^-1", "x^-2"},
    {"1/(1/x)", "x"},
    {"(2*x)^3", "8*x^3"},
    {"(-x)^2", "x^2"},
    {"(-x)^3", "-x^3"},
    {"(x/2)^-1", "2/x"},
    {"(x^y)^1", "x^y"},
    /* square roots */
    {"sqrt(x)^2", "x"},
    {"sqrt(x)*sqrt(x)", "x"},
    {"sqrt(x)^6", "x^3"},
    {"sqrt(x)^-2", "1/x"},
    {"sqrt(x)^4*x", "x^3"},
    {"sqrt(3*x)^2", "3*x"},
    {"sqrt(2)*sqrt(2)", "2"},
    {"x^(1/2)", "sqrt(x)"},
    {"x^(3/2)", "sqrt(x)^3"},
    {"x^(-1/2)", "1/sqrt(x)"},
    {"9^(1/2)", "3"},
    {"4^(-3/2)", "1/8"},
    {"sqrt(9/4)", "3/2"},
    {"sqrt(0)", "0"},
    /* functions of opposites */
    {"sin(-x)", "-sin(x)"},
    {"cos(-x)", "cos(x)"},
    {"tan(-x)", "-tan(x)"},
    {"asin(-x)", "-asin(x)"},
    {"atan(-x)", "-atan(x)"},
    {"sinh(-x)", "-sinh(x)"},
    {"cosh(-x)", "cosh(x)"},
    {"tanh(-x)", "-tanh(x)"},
    {"abs(-x)", "abs(x)"},
    {"sign(-x)", "-sign(x)"},
    {"sin(-2*x)", "-sin(2*x)"},
    {"sin(-3)", "-sin(3)"},
    {"cos(-3/2)", "cos(3/2)"},
    {"sin(-(x + y))", "-sin(x + y)"},
    /* functions of numbers */
    {"sin(0)", "0"},
    {"cos(0)", "1"},
    {"tan(0)", "0"},
    {"asin(0)", "0"},
    {"atan(0)", "0"},
    {"sinh(0)", "0"},
    {"cosh(0)", "1"},
    {"tanh(0)", "0"},
    {"exp(0)", "1"},
    {"log(1)", "0"},
    {"abs(-2/3)", "2/3"},
    {"abs(0)", "0"},
    {"sign(-2/3)", "-1"},
    {"sign(7)", "1"},
    {"sign(0)", "0"},
    {"min(2, 3)", "2"},
    {"min(3, 2)", "2"},
    {"max(1/2, 1/3)", "1/2"},
    {"max(-1/2, -1/3)", "-1/3"},
    {"min(x, y)", "min(y, x)"},
    {"max(x, y)", "max(y, x)"},
    {"max(x, x)", "x"},
    /* functions of multiples of pi/2 */
    {"sin(pi)", "0"},
    {"sin(2*pi)", "0"},
    {"sin(pi/2)", "1"},
    {"sin(3*pi/2)", "-1"},
    {"sin(-pi/2)", "-1"},
    {"cos(pi)", "-1"},
    {"cos(-pi)", "-1"},
    {"cos(pi/2)", "0"},
    {"cos(-pi/2)", "0"},
    {"cos(3*pi/2)", "0"},
    {"cos(100*pi)", "1"},
    {"sin(9223372036854775807/2*pi)", "-1"}, /* 2^63 - 1 = 3 mod 4 */
    {"cos(9223372036854775807/2*pi)", "0"},
    {"cos(4611686018427387903*pi)", "-1"},
    {"cos(9223372036854775806/2*pi)", "-1"},
    {"sin(pi/3 + 2*pi/3)", "0"},
    /* functions and their inverses */
    {"exp(log(x))", "x"},
    {"log(exp(x))", "x"},
    {"sin(asin(x))", "x"},
    {"cos(acos(x))", "x"},
    {"tan(atan(x))", "x"},
};

static const pair different[] = {
    {"2*(x + y)", "2*x + 2*y"}, /* nothing is expanded */
    {"(x + y)^2", "x^2 + 2*x*y + y^2"},
    {"x*(y + z)", "x*y + x*z"},
    {"sqrt(x^2)", "x"},
    {"sqrt(x^2)", "abs(x)"},
    {"asin(sin(x))", "x"},
    {"acos(cos(x))", "x"},
    {"atan(tan(x))", "x"},
    {"acos(-x)", "acos(x)"},
    {"acos(-x)", "-acos(x)"},
    {"exp(-x)", "exp(x)"},
    {"log(-x)", "log(x)"},
    {"atan2(x, y)", "atan2(y, x)"},
    {"min(x, y)", "max(x, y)"},
    {"sin(pi/3)", "1/2"},
    {"tan(pi)", "1"},
    {"x^y", "y^x"},
    {"sqrt(-1)", "1"},
    {"(-1)^(1/3)", "-1"},
    {"x - y", "y - x"},
    {"x", "y"},
    {"pi", "3"},
    {"sqrt(x)^3", "x"},
};

static const char *const undefined[] = {
    "1/0",      "x/0",           "0/0",         "x/(y - y)",    "0^-1",      "0^(-1/2)",  "0^(-1/3)",
    "sin(1/0)", "1/0 - 1/0",     "0*(1/0)",     "(1/0)^0",      "(1/0)^2",   "x^(1/0)",   "(1/0)^y",
    "-(1/0)",   "min(1/0, x)",   "max(x, 1/0)", "atan2(x, 1/0)", "1/log(1)", "1/sin(pi)", "x/(2*y - y - y)",
    "1/0 + x",  "x/(x^2 - x*x)", "tan(y/0)",    "x + x/0*3",    "1/(1/0)",   "(x/0)/(x/0)",
};

static void test_same(void **state)
{
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        nh_expr a = read_expr(*state, same[i].a), b = read_expr(*state, same[i].b);
        if (!a || a != b)
            fail_msg("%s and %s are not the same", same[i].a, same[i].b);
    }
}

static void test_different(void **state)
{
    for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
        nh_expr a = read_expr(*state, different[i].a), b = read_expr(*state, different[i].b);
        if (!a || !b || a == b)
            fail_msg("%s and %s are the same", different[i].a, different[i].b);
    }
}

static void test_undefined(void **state)
{
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
        if (read_expr(*state, undefined[i]) != NH_EXPR_NONE)
            fail_msg("%s has a value", undefined[i]);
}

/* ---------------------------------------------------------------- the pool */

static void test_numbers(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    assert_int_equal(nh_integer(p, 0), p->zero);
    assert_int_equal(nh_integer(p, 1), p->one);
    assert_int_equal(nh_integer(p, -1), p->minus_one);
    assert_int_equal(nh_number(p, (nh_rational){1, 2, NULL}), p->half);
    nh_expr numbers[2000];
    for (int i = 0; i < 2000; i++)
        numbers[i] = nh_number(p, (nh_rational){i - 1000, 1009, NULL}); /* 1009 is prime */
    for (int i = 0; i < 2000; i++) {
        nh_rational value;
        assert_int_equal(nh_number(p, (nh_rational){i - 1000, 1009, NULL}), numbers[i]);
        assert_true(nh_is_number(p, numbers[i], &value));
        assert_true(value.num == i - 1000 && value.den == 1009 && !value.big);
        assert_true(i == 0 || numbers[i] != numbers[i - 1]);
    }
    assert_int_equal(nh_mul(p, nh_power(p, nh_integer(p, 3), 100), nh_power(p, nh_integer(p, 3), -100)), p->one);
    assert_int_equal(nh_power(p, nh_integer(p, 9), 50), nh_power(p, nh_integer(p, 3), 100));
    assert_false(nh_is_number(p, p->pi, NULL));
    assert_false(nh_is_number(p, NH_EXPR_NONE, NULL));
}

static void test_symbols(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    char name[] = "θ1";
    nh_expr a = nh_symbol(p, name), b = nh_symbol(p, name);
    name[0] = '?';
    uint32_t i, j;
    assert_true(a != b); /* a new one each time, even of the same name */
    assert_true(nh_is_symbol(p, a, &i) && nh_is_symbol(p, b, &j));
    assert_int_equal(i, SYMBOLS);
    assert_int_equal(j, SYMBOLS + 1);
    assert_string_equal(nh_symbol_name(p, i), "θ1");
    assert_int_equal(nh_symbol_at(p, i), a);
    assert_int_equal(nh_symbol_at(p, j), b);
    assert_false(nh_is_symbol(p, p->pi, NULL));
    assert_false(nh_is_symbol(p, NH_EXPR_NONE, NULL));
}

static void test_walk(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr roots[] = {read_expr(w, "sin(x*y) + x*y"), read_expr(w, "exp(x*y)*z"), NH_EXPR_NONE};
    read_expr(w, "cos(u)*v"); /* not asked for */
    nh_walk walk = nh_walk_of(p, &w->scratch, roots, 2);
    assert_int_equal(walk.count, 3 + 1 + 2 + 2); /* x y z, xy, sin +, exp * */
    for (size_t i = 1; i < walk.count; i++)
        assert_true(walk.nodes[i - 1] < walk.nodes[i]);
    assert_int_equal(nh_count_operations(p, &w->scratch, roots, 2), 5);
    assert_int_equal(nh_count_operations(p, &w->scratch, roots, 1), 3);
    assert_int_equal(nh_count_operations(p, &w->scratch, w->symbols, SYMBOLS), 0);
    assert_int_equal(nh_count_operations(p, &w->scratch, NULL, 0), 0);
    assert_int_equal(nh_walk_of(p, &w->scratch, NULL, 0).count, 0);
    assert_int_equal(nh_walk_of(p, &w->scratch, roots, 3).count, 9);
    bool depends[SYMBOLS] = {[5] = true};
    nh_find_symbols(p, &w->scratch, roots, 1, depends);
    assert_true(depends[0] && depends[1] && !depends[2] && !depends[3] && !depends[4] && depends[5]);
    nh_find_symbols(p, &w->scratch, roots, 2, depends);
    assert_true(depends[2] && !depends[3]);
}

/* What expr.h promises of every node. */
static void check_node(nh_pool *p, nh_expr e)
{
    nh_node node = nh_get(p, e);
    nh_rational n;
    bool first = nh_is_number(p, node.a, NULL), second = nh_is_number(p, node.b, &n);
    switch (node.kind) {
    case NH_ADD:
        assert_true(node.a && node.b && node.a < e && node.b < e);
        assert_true(!first && node.b != p->zero && (second || nh_compare(p, node.a, node.b) < 0));
        assert_int_equal(nh_add(p, node.a, node.b), e);
        break;
    case NH_MUL:
        assert_true(node.a && node.b && node.a < e && node.b < e);
        assert_true(!second && node.a != p->zero && node.a != p->one && (first || nh_compare(p, node.a, node.b) < 0));
        assert_int_equal(nh_mul(p, node.a, node.b), e);
        break;
    case NH_POW:
        assert_true(node.a && node.b && node.a < e && node.b < e);
        assert_true(!second || !(nh_rational_is(n, 0) || nh_rational_is(n, 1) || (!n.big && n.den == 2)));
        assert_int_equal(nh_pow(p, node.a, node.b), e);
        break;
    case NH_CALL:
        assert_true(node.a && node.a < e && node.b < e);
        assert_int_equal(node.b != NH_EXPR_NONE, arity(node.function) == 2);
        assert_int_equal(nh_call(p, (nh_function)node.function, node.a, node.b), e);
        break;
    default: break;
    }
}

static void test_every_node_is_normal(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 2000; i++) {
        random_tree(w, t, 4, 20);
        tree_build(w, t);
    }
    size_t count = w->pool.n_nodes;
    assert_true(count > 20000);
    for (nh_expr e = 1; e < count; e++)
        check_node(&w->pool, e);
    assert_int_equal(w->pool.n_nodes, count); /* what was built again was there */
    free(t);
}

static void check_laws(nh_pool *p, nh_expr a, nh_expr b)
{
    assert_int_equal(nh_add(p, a, b), nh_add(p, b, a));
    assert_int_equal(nh_mul(p, a, b), nh_mul(p, b, a));
    assert_int_equal(nh_sub(p, a, a), a ? p->zero : NH_EXPR_NONE);
    assert_int_equal(nh_neg(p, nh_neg(p, a)), a);
    assert_int_equal(nh_div(p, a, a), a && a != p->zero ? p->one : NH_EXPR_NONE);
    assert_int_equal(nh_mul(p, a, p->one), a);
    assert_int_equal(nh_add(p, a, p->zero), a);
    assert_int_equal(nh_add(p, a, a), nh_mul(p, p->two, a));
    assert_int_equal(nh_mul(p, a, a), nh_power(p, a, 2));
    assert_int_equal(nh_sub(p, a, b), nh_neg(p, nh_sub(p, b, a)) ? nh_add(p, nh_neg(p, b), a) : NH_EXPR_NONE);
    assert_int_equal(nh_mul(p, a, p->zero), a ? p->zero : NH_EXPR_NONE);
}

static void test_laws(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 2000; i++) {
        random_tree(w, t, 4, 20);
        tree_build(w, t);
        for (int k = 0; k < 20; k++)
            check_laws(&w->pool, t->built[random_below(w, t->count)], t->built[random_below(w, t->count)]);
    }
    free(t);
}

/* What is built has the value of what was written. */
static void test_values_stay(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    for (int i = 0; i < 4000; i++) {
        long double want = random_tame_tree(w, t, 4, 12, values);
        nh_expr e = tree_build(w, t);
        assert_true(e != NH_EXPR_NONE);
        long double got = wide_value(&w->pool, e, values);
        if (!close_to(got, want, 1e-10L))
            fail_msg("tree %d: %.18Lg instead of %.18Lg", i, got, want);
        world_again(w);
    }
    free(t);
}

/* Undefined only where the value is none. */
static void test_undefined_has_no_value(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    int without = 0;
    for (int i = 0; i < 20000; i++) {
        random_tree(w, t, 4, 12);
        if (tree_build(w, t) == NH_EXPR_NONE) {
            random_values(w, values);
            tree_value_at(t, values);
            assert_false(tree_is_tame(t));
            without++;
        }
        if (i % 100 == 0)
            world_again(w);
    }
    assert_in_range(without, 100, 10000);
    free(t);
}

/* ---------------------------------------------------------------- limits */

static void test_exponents(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr x = w->symbols[0], large = nh_power(p, x, NH_MAX_EXPONENT);
    assert_int_equal(nh_power(p, nh_power(p, x, 100), 100), large);
    assert_int_equal(nh_mul(p, nh_power(p, x, 4000), nh_power(p, x, 6000)), large);
    assert_int_equal(nh_get(p, nh_mul(p, large, x)).kind, NH_MUL);
    assert_int_equal(nh_mul(p, large, nh_power(p, x, -NH_MAX_EXPONENT)), p->one);
    assert_int_equal(nh_div(p, x, large), nh_power(p, x, 1 - NH_MAX_EXPONENT));
    nh_expr nested = nh_power(p, nh_power(p, x, 5000), 3);
    assert_int_equal(nh_get(p, nested).kind, NH_POW);
    assert_int_equal(nh_get(p, nested).a, nh_power(p, x, 5000));
    assert_int_equal(nh_power(p, nh_power(p, x, -5000), -2), large);
    assert_int_equal(nh_power(p, nh_call(p, NH_FN_sqrt, x, 0), 10000), nh_power(p, x, 5000));
}

/* Exponents at the end of 64 bits: nothing overflows, the values modulo p are those of the exponents. */
static void test_enormous_exponents(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr x = w->symbols[0];
    static const int64_t powers[] = {INT64_MAX, -INT64_MAX, INT64_C(1) << 62, 10001, -10001, 10000, 100, 2, 1, -1};
    enum { COUNT = sizeof powers / sizeof *powers };
    nh_expr products[COUNT][COUNT], nested[COUNT][COUNT];
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            nh_expr a = nh_power(p, x, powers[i]), b = nh_power(p, x, powers[j]);
            products[i][j] = nh_mul(p, a, b);
            nested[i][j] = nh_power(p, a, powers[j]);
            assert_true(products[i][j] && nested[i][j]);
        }
    nh_modular *m = nh_modular_new(p, &w->arena, 1);
    mpz_t r, n, prime;
    mpz_inits(r, n, prime, NULL);
    mpz_set_ui(prime, (UINT64_C(1) << 61) - 1);
    uint64_t base = nh_modular_value(m, x).at[0];
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            mpz_set_si(n, powers[i]);
            mpz_set_ui(r, base);
            if (powers[j] > 0)
                mpz_add_ui(n, n, (uint64_t)powers[j]);
            else
                mpz_sub_ui(n, n, 0 - (uint64_t)powers[j]);
            mpz_powm(r, r, n, prime);
            assert_int_equal(nh_modular_value(m, products[i][j]).at[0], mpz_get_ui(r));
            mpz_set_ui(r, base);
            mpz_set_si(n, powers[i]);
            mpz_mul_si(n, n, powers[j]);
            mpz_powm(r, r, n, prime);
            assert_int_equal(nh_modular_value(m, nested[i][j]).at[0], mpz_get_ui(r));
        }
    mpz_clears(r, n, prime, NULL);
    nh_expr beyond = nh_pow(p, x, nh_power(p, nh_integer(p, 10), 30));
    assert_int_equal(nh_get(p, beyond).kind, NH_POW);
    assert_int_equal(nh_mul(p, beyond, x), nh_mul(p, x, beyond));
}

typedef struct job {
    world *w;
    nh_expr a, result;
    int64_t n;
} job;

static void job_power(void *arg)
{
    job *j = arg;
    j->result = nh_power(&j->w->pool, j->a, j->n);
}

static void job_square(void *arg)
{
    job *j = arg;
    j->result = nh_mul(&j->w->pool, j->a, j->a);
}

static void test_number_size(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    int64_t limit = (int64_t)p->numbers.max_bits;
    job j = {.w = w, .a = p->two, .n = limit - 1};
    assert_int_equal(nh_heap_try(&w->heap, job_power, &j), NH_OK);
    assert_true(nh_is_number(p, j.result, NULL));
    j.n = limit;
    assert_int_equal(nh_heap_try(&w->heap, job_power, &j), NH_ERROR_NUMBER_SIZE);
    j.n = INT64_MAX;
    assert_int_equal(nh_heap_try(&w->heap, job_power, &j), NH_ERROR_NUMBER_SIZE);
    j.n = -INT64_MAX;
    assert_int_equal(nh_heap_try(&w->heap, job_power, &j), NH_ERROR_NUMBER_SIZE);
    j.a = nh_mul(p, nh_power(p, p->two, limit / 2 + 1), w->symbols[0]);
    assert_int_equal(nh_heap_try(&w->heap, job_square, &j), NH_ERROR_NUMBER_SIZE);
    j.n = 3;
    assert_int_equal(nh_heap_try(&w->heap, job_power, &j), NH_ERROR_NUMBER_SIZE);
    j.a = p->minus_one, j.n = INT64_MAX;
    assert_int_equal(nh_heap_try(&w->heap, job_power, &j), NH_OK);
    assert_int_equal(j.result, p->minus_one);
    assert_int_equal(read_expr(w, "x + x"), read_expr(w, "2*x")); /* the pool goes on */
}

/* ---------------------------------------------------------------- large expressions */

static void test_long_sums(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr x = w->symbols[0], y = w->symbols[1];
    enum { FOLDED = 1000000, DISTINCT = 50000 };
    nh_expr folded = p->zero;
    for (int64_t i = 1; i <= FOLDED; i++)
        folded = nh_add(p, folded, nh_mul(p, nh_integer(p, i % 7 - 3), x));
    assert_int_equal(folded, nh_mul(p, nh_integer(p, -2), x)); /* 7 divides 999999 */

    nh_expr sum = p->zero, product = p->one;
    for (int64_t i = 1; i <= DISTINCT; i++) {
        nh_expr term = nh_call(p, NH_FN_sin, nh_mul(p, nh_integer(p, i), x), NH_EXPR_NONE);
        sum = nh_add(p, sum, term);
        product = nh_mul(p, product, nh_add(p, term, y));
    }
    assert_int_equal(nh_count_operations(p, &w->scratch, &sum, 1), 3 * DISTINCT - 2); /* sin(1 x), first + */
    double values[SYMBOLS] = {0.001, 1.5}, got[2];
    nh_evaluate(p, &w->scratch, (nh_expr[]){sum, product}, 2, values, got, NULL);
    /* sin x + ... + sin n x = sin(n x/2) sin((n + 1) x/2)/sin(x/2) */
    double h = 0.0005, want = sin(DISTINCT * h) * sin((DISTINCT + 1) * h) / sin(h);
    assert_true(fabs(got[0] - want) < 1e-6 * (1 + fabs(want)));
    assert_true(isnan(got[1]) == 0);
    nh_expr gradient[2];
    nh_gradient(p, &w->scratch, &sum, NULL, 1, w->symbols, 2, gradient);
    assert_int_equal(gradient[1], p->zero);
    double rate, step = 1e-6, sides[2];
    nh_evaluate(p, &w->scratch, gradient, 1, values, &rate, NULL);
    for (int k = 0; k < 2; k++) {
        double a = h + (k ? -step : step) / 2;
        sides[k] = sin(DISTINCT * a) * sin((DISTINCT + 1) * a) / sin(a);
    }
    want = (sides[0] - sides[1]) / (2 * step);
    assert_true(fabs(rate - want) < 1e-2 * (1 + fabs(want)));
}

static void test_deep_chains(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    enum { DEPTH = 1000000 };
    nh_expr x = w->symbols[0], y = w->symbols[1], e = x, tenth = x;
    for (int i = 0; i < DEPTH; i++) {
        tenth = i == DEPTH / 10 ? e : tenth;
        e = nh_call(p, NH_FN_sin, e, NH_EXPR_NONE);
    }
    assert_int_equal(nh_count_operations(p, &w->scratch, &e, 1), DEPTH);
    double values[SYMBOLS] = {0.7, 0.7}, value, want = 0.7, slope = 1;
    for (int i = 0; i < DEPTH; i++)
        slope *= cos(want), want = sin(want);
    nh_evaluate(p, &w->scratch, &e, 1, values, &value, NULL);
    assert_true(value == want);

    nh_expr gradient, zero;
    nh_gradient(p, &w->scratch, &e, NULL, 1, &x, 1, &gradient);
    nh_evaluate(p, &w->scratch, &gradient, 1, values, &value, NULL);
    assert_true(fabs(value - slope) < 1e-9 * slope);
    nh_substitute(p, &w->scratch, &e, 1, &x, &p->zero, 1, &zero);
    assert_int_equal(zero, p->zero);
    assert_int_equal(nh_derivative(p, &w->scratch, e, y), p->zero);

    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_expr_print(&text, p, e, 9);
    assert_string_equal(nh_text_get(&text), "sin(sin(sin...");
    nh_text_init(&text, &w->arena);
    nh_expr_print(&text, p, tenth, 0);
    assert_int_equal(text.length, 5 * DEPTH / 10 + 1);
    assert_memory_equal(text.data, "sin(sin(sin(", 12);
}

/* Every other operation nests as well. */
static void test_deep_mixtures(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    enum { DEPTH = 10000 };
    nh_expr x = w->symbols[0], y = w->symbols[1], e = x;
    double values[SYMBOLS] = {0.3, 0.7}, value, want = 0.3;
    for (int i = 0; i < DEPTH; i++) { /* 1/(1 + y e^2), the square root of it, its opposite, e^y */
        e = nh_power(p, nh_add(p, p->one, nh_mul(p, y, nh_power(p, e, 2))), -1);
        e = nh_neg(p, nh_call(p, NH_FN_sqrt, e, NH_EXPR_NONE));
        e = nh_pow(p, nh_sub(p, p->two, e), y);
        want = pow(2 + sqrt(1 / (1 + 0.7 * want * want)), 0.7);
    }
    nh_evaluate(p, &w->scratch, &e, 1, values, &value, NULL);
    assert_true(fabs(value - want) < 1e-12);
    nh_expr gradient[2], along;
    nh_gradient(p, &w->scratch, &e, NULL, 1, w->symbols, 2, gradient);
    nh_directional(p, &w->scratch, &e, 1, &y, &p->one, 1, &along);
    double rates[2];
    nh_evaluate(p, &w->scratch, (nh_expr[]){gradient[1], along}, 2, values, rates, NULL);
    assert_true(fabs(rates[0] - rates[1]) < 1e-12);
    nh_expr moved;
    nh_substitute(p, &w->scratch, &e, 1, &x, &y, 1, &moved);
    assert_true(moved && moved != e);
    assert_int_equal(nh_derivative(p, &w->scratch, moved, x), p->zero);
    nh_residue r = nh_modular_value(nh_modular_new(p, &w->arena, 1), gradient[0]);
    assert_false(r.exact);
}

/* ---------------------------------------------------------------- memory that ends */

typedef struct meter {
    int left;
    int live;
} meter;

static void *meter_take(void *user, size_t size)
{
    meter *m = user;
    if (m->left-- <= 0)
        return NULL;
    m->live++;
    return malloc(size);
}

static void meter_give(void *user, void *block, size_t size)
{
    meter *m = user;
    m->live--;
    memset(block, 0xa5, size);
    free(block);
}

typedef struct labour {
    nh_heap heap;
    nh_arena arena, scratch;
    nh_pool pool;
    bool made;
} labour;

static void work(void *arg)
{
    labour *l = arg;
    nh_pool *p = &l->pool;
    nh_pool_init(p, &l->arena);
    l->made = true;
    nh_expr x = nh_symbol(p, "x"), y = nh_symbol(p, "y"), e = p->one, gradient[2], symbols[2] = {x, y};
    for (int i = 1; i < 20; i++)
        e = nh_add(p, e, nh_mul(p, nh_power(p, nh_integer(p, 3), -10 * i), nh_call(p, NH_FN_sin, nh_mul(p, e, y), 0)));
    e = nh_mul(p, e, nh_call(p, NH_FN_sqrt, x, 0));
    nh_gradient(p, &l->scratch, &e, NULL, 1, symbols, 2, gradient);
    nh_substitute(p, &l->scratch, gradient, 1, &x, &y, 1, gradient);
    double value, values[2] = {1, 2};
    nh_evaluate(p, &l->scratch, gradient, 1, values, &value, NULL);
    nh_modular *m = nh_modular_new(p, &l->arena, 1);
    nh_zero_test(m, &l->scratch, nh_sub(p, gradient[0], gradient[1]), NULL);
    nh_elimination_add(nh_elimination_new(m, &l->arena, 1), gradient);
    nh_text text;
    nh_text_init(&text, &l->arena);
    nh_expr_print(&text, p, gradient[0], 5000);
}

/* Whichever allocation fails, nothing is lost. */
static void test_no_memory(void **state)
{
    (void)state;
    nh_status status = NH_ERROR_MEMORY;
    for (int n = 0; status != NH_OK; n++) {
        meter m = {.left = n};
        labour l = {.made = false};
        nh_heap_init(&l.heap, &(nh_allocator){&m, meter_take, meter_give}, 0);
        nh_arena_init(&l.arena, &l.heap);
        nh_arena_init(&l.scratch, &l.heap);
        status = nh_heap_try(&l.heap, work, &l);
        assert_true(status == NH_OK || status == NH_ERROR_MEMORY);
        if (l.made)
            nh_pool_free(&l.pool);
        nh_arena_free(&l.scratch);
        nh_arena_free(&l.arena);
        if (l.heap.used || m.live)
            fail_msg("%zu bytes are lost when allocation %d fails", l.heap.used, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_different, setup, teardown),
        cmocka_unit_test_setup_teardown(test_undefined, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_symbols, setup, teardown),
        cmocka_unit_test_setup_teardown(test_walk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_node_is_normal, setup, teardown),
        cmocka_unit_test_setup_teardown(test_laws, setup, teardown),
        cmocka_unit_test_setup_teardown(test_values_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(test_undefined_has_no_value, setup, teardown),
        cmocka_unit_test_setup_teardown(test_exponents, setup, teardown),
        cmocka_unit_test_setup_teardown(test_enormous_exponents, setup, teardown),
        cmocka_unit_test_setup_teardown(test_number_size, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_sums, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep_chains, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep_mixtures, setup, teardown),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
