/* Expressions as text: read back, they have the value they had. */
#include "world.h"

static const char *print(world *w, nh_expr e, size_t limit)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_expr_print(&text, &w->pool, e, limit);
    return nh_text_get(&text);
}

/* ---------------------------------------------------------------- texts */

static void test_texts(void **state)
{
    static const char *const texts[][2] = {
        {"x", "x"},
        {"0", "0"},
        {"-3", "-3"},
        {"2/3", "2/3"},
        {"-2/3", "-2/3"},
        {"pi", "pi"},
        {"1/0", "undefined"},
        /* sums: a term that goes on before one that ends, one without a minus in front */
        {"y + x", "x + y"},
        {"1 + x", "x + 1"},
        {"x - 1/2", "x - 1/2"},
        {"-x + y", "y - x"},
        {"-x - y", "-x - y"},
        {"x - (y - z)", "x - (y - z)"},
        {"1 + x + x^2 + x*y", "x^2 + x*y + x + 1"},
        {"-x^2 + 2*x*y - 1", "2*x*y - x^2 - 1"},
        {"x + (y + z)", "x + y + z"},
        /* products: the number, symbols, functions, sums */
        {"-x", "-x"},
        {"y*x*2", "2*x*y"},
        {"x*1/2", "1/2*x"},
        {"x*(-2/3)", "-2/3*x"},
        {"(x + y)*sin(z)*x*3", "3*x*sin(z)*(x + y)"},
        {"-(x + y)", "-(x + y)"},
        {"x*(y*z)", "x*y*z"},
        {"2*(x + y)", "2*(x + y)"},
        /* quotients */
        {"1/x", "1/x"},
        {"-1/x", "-1/x"},
        {"x/y", "x/y"},
        {"x/y/z", "x/(y*z)"},
        {"x/(2*y)", "x/(2*y)"},
        {"3/(2*y)", "3/(2*y)"},
        {"2/x", "2/x"},
        {"x/(y + z)", "x/(y + z)"},
        {"(x + y)/z", "(x + y)/z"},
        {"1/(x*y)", "1/(x*y)"},
        {"1/(1/(x + 1) + 1)", "1/(1/(x + 1) + 1)"},
        {"x^-2", "1/x^2"},
        {"x*y^-3", "x/y^3"},
        /* powers */
        {"x^2", "x^2"},
        {"(x + y)^2", "(x + y)^2"},
        {"(-x)^3", "-x^3"},
        {"(x*y)^2", "(x*y)^2"},
        {"(x*z)*(x*y)", "x^2*y*z"},
        {"1/((x*z)*(x*y))", "1/(x^2*y*z)"},
        {"sin(x)^2", "sin(x)^2"},
        {"x^y", "x^y"},
        {"x^(y + 1)", "x^(y + 1)"},
        {"x^(1/3)", "x^(1/3)"},
        {"x^(-1/3)", "x^(-1/3)"},
        {"1/x^(1/3)", "1/x^(1/3)"},
        {"1/x^y", "1/x^y"},
        {"(x^y)^z", "(x^y)^z"},
        {"x^(y^z)", "x^(y^z)"},
        {"(1/2)^x", "(1/2)^x"},
        {"(-2)^x", "(-2)^x"},
        {"2^(-x)", "2^(-x)"},
        {"(x/y)^z", "(x/y)^z"},
        {"2^x*3", "3*2^x"},
        {"sqrt(x)^3", "sqrt(x)^3"},
        /* functions */
        {"sin(x + y)", "sin(x + y)"},
        {"atan2(-x, y/2)", "atan2(-x, 1/2*y)"},
        {"max(x, -y)", "max(x, -y)"},
        {"cos(sin(x)*2)", "cos(2*sin(x))"},
        {"-sin(x)/cos(x)", "-sin(x)/cos(x)"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(print(w, read_expr(w, texts[i][0]), 0), texts[i][1]);
}

/* Parameters before coordinates before velocities, whatever the order in which they came. */
static void test_places(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr v = nh_symbol_placed(p, "θ'", NH_PLACED_THIRD), q = nh_symbol_placed(p, "θ", NH_PLACED_SECOND);
    nh_expr m = nh_symbol_placed(p, "m₁", NH_PLACED_FIRST);
    nh_expr energy = nh_mul(p, nh_mul(p, nh_power(p, v, 2), p->half), nh_mul(p, nh_call(p, NH_FN_cos, q, 0), m));
    assert_string_equal(print(w, energy, 0), "1/2*m₁*θ'^2*cos(θ)");
    assert_string_equal(print(w, nh_mul(p, v, nh_mul(p, q, m)), 0), "m₁*θ*θ'");
}

/* The same sum and the same product whatever the order in which they are put together. */
static void test_order(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    enum { COUNT = 24 };
    static const char *const others[COUNT - NH_FN_COUNT] = {"z", "y^3", "2^z", "x + 1", "pi", "1/u", "u^v"};
    nh_expr parts[COUNT];
    for (int i = 0; i < COUNT; i++)
        parts[i] = i < NH_FN_COUNT ? nh_call(p, (nh_function)i, w->symbols[0], arity(i) == 2 ? w->symbols[1] : 0)
                                   : read_expr(w, others[i - NH_FN_COUNT]);
    const char *sum_text = NULL, *product_text = NULL;
    for (int k = 0; k < 200; k++) {
        nh_expr sum = p->zero, product = p->one;
        for (int i = COUNT; i > 0; i--) {
            int j = random_below(w, i);
            nh_expr part = parts[j];
            parts[j] = parts[i - 1], parts[i - 1] = part;
            sum = nh_add(p, sum, nh_mul(p, nh_integer(p, 3), part));
            product = nh_mul(p, product, part);
        }
        const char *texts[] = {print(w, sum, 0), print(w, product, 0)};
        if (k == 0)
            sum_text = texts[0], product_text = texts[1];
        assert_string_equal(texts[0], sum_text);
        assert_string_equal(texts[1], product_text);
    }
}

/* ---------------------------------------------------------------- and back */

static void check_back(world *w, tree *t, nh_expr e)
{
    const char *text = print(w, e, 0);
    if (strlen(text) > 8000)
        return;
    tree_read(t, text);
    for (int k = 0; k < 3; k++) {
        double values[SYMBOLS];
        random_values(w, values);
        long double got = tree_value_at(t, values);
        if (!tree_is_tame(t))
            continue;
        long double want = wide_value(&w->pool, e, values);
        if ((double)got != (double)want && !close_to(got, want, 1e-14L))
            fail_msg("%s is %.15Lg instead of %.15Lg", text, got, want);
    }
}

static void test_read_back(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    for (int i = 0; i < 5000; i++) {
        random_tame_tree(w, t, 4, 10, values);
        nh_expr e = tree_build(w, t);
        long double want = t->values[t->count - 1];
        const char *text = print(w, e, 0);
        if (strlen(text) < 8000) {
            tree_read(t, text);
            long double got = tree_value_at(t, values);
            if (!close_to(got, want, 1e-11L))
                fail_msg("%s is %.15Lg instead of %.15Lg", text, got, want);
        }
        for (nh_expr part = 1; part < e; part += (nh_expr)(1 + random_below(w, 5)))
            check_back(w, t, part);
        world_again(w);
    }
    free(t);
}

/* Derivatives are full of quotients and signs. */
static void test_read_back_derivatives(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    for (int i = 0; i < 1000; i++) {
        random_tame_tree(w, t, 4, 6, values);
        nh_expr e = tree_build(w, t), gradient[SYMBOLS];
        nh_gradient(&w->pool, &w->scratch, &e, NULL, 1, w->symbols, SYMBOLS, gradient);
        for (int j = 0; j < SYMBOLS; j++)
            check_back(w, t, gradient[j]);
        world_again(w);
    }
    free(t);
}

/* ---------------------------------------------------------------- no parentheses but those needed */

static const char *closing(const char *open)
{
    int depth = 0;
    for (const char *c = open;; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0)
            return c;
    }
}

/* 10 in the place of pi: cos(z - (y - pi)) and cos(z - y - pi) are the same number, but not the same text. */
static void without_pi(char *text)
{
    for (char *pi = text; (pi = strstr(pi, "pi")); pi += 2)
        memcpy(pi, "10", 2);
}

/* Whether it is another number without the pair at open. Products and exponents may keep theirs. */
static bool is_needed(world *w, tree *t, const char *text, const char *open)
{
    char whole_text[2000], shorter[2000];
    const char *close = closing(open);
    if (memchr(open, '/', (size_t)(close - open)) || memchr(open, '*', (size_t)(close - open)))
        return true;
    int before = (int)(open - text), inside = (int)(close - open - 1);
    snprintf(whole_text, sizeof whole_text, "%s", text);
    snprintf(shorter, sizeof shorter, "%.*s%.*s%s", before, text, inside, open + 1, close + 1);
    without_pi(whole_text), without_pi(shorter);
    for (int k = 0; k < 5; k++) {
        double values[SYMBOLS];
        for (int i = 0; i < SYMBOLS; i++)
            values[i] = 0.3 + random_unit(w);
        tree_read(t, whole_text);
        long double whole = tree_value_at(t, values);
        tree_read(t, shorter);
        if (!close_to(whole, tree_value_at(t, values), 1e-9L))
            return true;
    }
    return false;
}

static void test_parentheses(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    int pairs = 0;
    for (int i = 0; i < 3000; i++) {
        random_tame_tree(w, t, 4, 8, values);
        const char *text = print(w, tree_build(w, t), 0);
        bool sees_all = !strstr(text, "min(") && !strstr(text, "max(") && !strstr(text, "sign(");
        for (const char *c = text; *c && sees_all && strlen(text) < 1500; c++)
            if (*c == '(' && (c == text || !(isalnum((unsigned char)c[-1]) || c[-1] == '^'))) {
                pairs++;
                if (!is_needed(w, t, text, c))
                    fail_msg("parentheses that are not needed: %s", text);
            }
        world_again(w);
    }
    assert_true(pairs > 500);
    free(t);
}

/* ---------------------------------------------------------------- limits */

/* The beginning of the whole, a little longer than the limit, and three dots. */
static void check_limit(world *w, nh_expr e, const char *whole, size_t limit, size_t longest)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_text_str(&text, "before: ");
    nh_expr_print(&text, &w->pool, e, limit);
    assert_memory_equal(text.data, "before: ", 8);
    const char *got = nh_text_get(&text) + 8;
    size_t length = strlen(got);
    if (strcmp(got, whole) == 0) {
        assert_true(length <= limit + longest);
        return;
    }
    assert_true(length > limit && length <= limit + longest + 3);
    assert_string_equal(got + length - 3, "...");
    assert_memory_equal(got, whole, length - 3);
}

static void test_limit(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    for (int i = 0; i < 300; i++) {
        random_tame_tree(w, t, 4, 14, values);
        nh_expr e = tree_build(w, t);
        const char *whole = print(w, e, 0);
        for (size_t limit = 1; limit < 100; limit += 1 + limit / 10)
            check_limit(w, e, whole, limit, 24);
        assert_string_equal(print(w, e, strlen(whole)), whole);
        world_again(w);
    }
    free(t);
}

/* Sums and products of sums and products that share: written out they would not end. */
static void test_limit_of_shared_expressions(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr sums[2] = {w->symbols[0], w->symbols[1]}, products[2] = {w->symbols[0], w->symbols[1]}, e = w->symbols[0];
    for (int i = 0; i < 100; i++) {
        nh_expr sum = nh_add(p, sums[0], nh_mul(p, w->symbols[2], sums[1]));
        nh_expr product = nh_mul(p, products[0], products[1]);
        sums[0] = sums[1], sums[1] = nh_add(p, sum, sums[0]);
        products[0] = nh_add(p, products[1], p->one), products[1] = product;
        e = nh_call(p, NH_FN_atan2, e, nh_add(p, e, p->one));
    }
    nh_expr fibonacci[2] = {nh_add(p, w->symbols[0], p->pi), w->symbols[1]}, powers[2] = {w->symbols[0], w->symbols[1]};
    for (int i = 0; i < 100; i++) {
        nh_expr sum = nh_add(p, fibonacci[0], fibonacci[1]), product = nh_mul(p, powers[0], powers[1]);
        fibonacci[0] = fibonacci[1], fibonacci[1] = sum;
        powers[0] = powers[1], powers[1] = product;
    }
    nh_expr all[] = {sums[1], products[1], e, fibonacci[1], powers[1], nh_mul(p, fibonacci[1], powers[1])};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *text = print(w, all[i], 200);
        size_t length = strlen(text);
        assert_in_range(length, 200, 300);
        assert_string_equal(text + length - 3, "...");
    }
}

static void test_enormous_exponents(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr x = w->symbols[0], large = nh_power(p, nh_integer(p, 10), 20);
    assert_string_equal(print(w, nh_pow(p, x, large), 0), "x^100000000000000000000");
    assert_string_equal(print(w, nh_pow(p, x, nh_neg(p, large)), 0), "x^(-100000000000000000000)");
    assert_string_equal(print(w, nh_div(p, w->symbols[1], nh_pow(p, x, large)), 0), "y/x^100000000000000000000");
    assert_string_equal(print(w, nh_power(p, x, -INT64_MAX), 0), "1/x^9223372036854775807");
    assert_string_equal(print(w, nh_power(p, nh_power(p, x, 9000), -9000), 0), "1/(x^9000)^9000");
}

static void test_deep_powers(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr e = w->symbols[0];
    for (int i = 0; i < 500000; i++)
        e = nh_pow(p, e, w->symbols[1]);
    e = nh_mul(p, nh_mul(p, e, w->symbols[2]), nh_add(p, e, w->symbols[3]));
    const char *text = print(w, e, 20);
    assert_memory_equal(text, "z*((((((((((((((((((", 20);
}

/* Many terms at once. */
static void test_long_sum(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr sum = p->zero;
    for (int i = 1; i <= 2000; i++)
        sum = nh_add(p, sum, nh_call(p, NH_FN_sin, nh_mul(p, nh_integer(p, i), w->symbols[0]), 0));
    tree *t = malloc(sizeof *t);
    tree_read(t, print(w, sum, 0));
    double values[SYMBOLS] = {0.5};
    long double want = sinl(500) * sinl(500.25L) / sinl(0.25L); /* of sin x + ... + sin n x */
    assert_true(close_to(tree_value_at(t, values), want, 1e-12L));
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_read_back_derivatives, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parentheses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limit_of_shared_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_enormous_exponents, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep_powers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_sum, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
