/* The length of an expression is that of its text: the rules of nh_expr_print are known in two places. */
#include "reading.h"

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'';
}

/* Words, numbers and signs. */
static size_t count_in(const char *text)
{
    size_t count = 0;
    for (size_t i = 0; text[i]; i++)
        count += text[i] != ' ' && !(i > 0 && in_word(text[i]) && in_word(text[i - 1]));
    return count;
}

static const char *const expressions[] = {
    "x", "-x", "3", "-3", "3/5", "-3/5", "pi", "x + y", "x - y", "-x - y", "-x - 3", "y - x", "x*y", "-x*y", "2*x*y", "x/2", "-2*x/3",
    "1/x", "-1/x", "2/x", "x/y", "x/(y*z)", "1/(2*x)", "3/(2*x)", "x/(2*y)", "x^2", "x^-2", "3*x^-2/5", "x^2/y^3", "(x + y)^2",
    "(x*y)^2", "1/(x + y)", "1/(x + y)^2", "x/(x + y)/y", "(x + y)*(x - y)", "-(x + y)*z", "x^(1/2)", "x^(-1/2)", "2*(x - y)^(2/3)/7",
    "x^y", "x^(-y)", "x^(x + y)", "(x^y)^2", "1/x^y", "sin(x)", "-sin(x)^2", "sin(-x - y)", "atan2(x, -y)", "atan2(x, y)/2",
    "sqrt(x^2 + y^2)/(2*m) - 3/5*x^-2 + (x - y)^(2/3)/7", "-x/(y*(x - 1)^2) - 2*(x + y)^3/3 - 1/2",
    "exp(-x)*tan(2*x)/(1 + m) + 1/(x*y) + 5/x", "-(x + 1)*(y - 2) - 3/2", "x'^2*m/2 - m*x*y'", "(-2)^x", "(2/3)^x*y",
    "123456789012345678901234567890*x", "x/123456789012345678901234567890", "max(x, y) - min(-x, 2)",
};

/* Each of them, and all that they consist of. */
static void test_lengths(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        read_expr(w, expressions[i]);
    for (nh_expr e = (nh_expr)w->pool.n_nodes - 1; e > 0; e--) {
        const char *text = text_of(w, e);
        if (nh_expr_length(&w->algebra.lengths, e) != (double)count_in(text))
            fail_msg("%s has the length %zu, not %g", text, count_in(text), nh_expr_length(&w->algebra.lengths, e));
    }
}

/* Shared parts count each time they are written: 2^100 times here. */
static void test_doubled(void **state)
{
    world *w = *state;
    nh_expr e = read_expr(w, "x");
    for (int i = 0; i < 100; i++)
        e = nh_call(&w->pool, NH_FN_sin, nh_add(&w->pool, e, nh_mul(&w->pool, e, e)), NH_EXPR_NONE);
    assert_true(nh_expr_length(&w->algebra.lengths, e) > 1e30);
}

/* |e^(i t_0) + ... + e^(i t_8)|^2 for t_k = a + b1 + ... + bk does not depend on a, and can be told in the b alone: within
 * the budget only where the sums are looked at from the middle. */
static void test_long_sums(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr t = read_expr(w, "a"), x = p->zero, y = p->zero, out;
    for (int k = 0; k <= 8; k++) {
        char name[4] = {'b', (char)('0' + k), 0};
        t = k ? nh_add(p, t, read_expr(w, name)) : t;
        x = nh_add(p, x, nh_call(p, NH_FN_cos, t, NH_EXPR_NONE));
        y = nh_add(p, y, nh_call(p, NH_FN_sin, t, NH_EXPR_NONE));
    }
    nh_expr e = nh_add(p, nh_power(p, x, 2), nh_power(p, y, 2));
    assert_int_equal(nh_is_zero(&w->algebra, nh_derivative(p, &w->algebra.scratch, e, read_expr(w, "a"))), NH_YES);
    assert_true(nh_simplify(&w->algebra, &e, 1, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lengths, setup, teardown),
        cmocka_unit_test_setup_teardown(test_doubled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_sums, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
