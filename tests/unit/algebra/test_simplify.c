/* What expressions are simplified to: as a person would write them, and never to something else. */
#include "reading.h"

#include "algebra/readable.h"

#include <math.h>

/* ---------------------------------------------------------------- as a person would write it */


/* ---------------------------------------------------------------- random expressions */

static const char *const symbol_names[] = {"x", "y", "theta", "phi", "t", "M", "K", "R"};
enum { SYMBOLS = sizeof symbol_names / sizeof *symbol_names, ANGLES = 5, MOST_NODES = 30 };

static nh_expr random_symbol(world *w, int below) { return symbol_of(w, nh_slice_of(symbol_names[random_below(w, below)])); }

static nh_expr random_number(world *w)
{
    nh_expr n = nh_integer(&w->pool, 1 + random_below(w, 6));
    return random_below(w, 3) ? n : nh_div(&w->pool, n, nh_integer(&w->pool, 1 + random_below(w, 6)));
}

/* Multiples and sums of angles, phases, multiples of pi/12. */
static nh_expr random_angle(world *w)
{
    nh_pool *p = &w->pool;
    nh_expr a = random_symbol(w, ANGLES), b = random_symbol(w, ANGLES);
    switch (random_below(w, 8)) {
    case 0: return nh_add(p, a, nh_div(p, nh_mul(p, nh_integer(p, random_below(w, 25) - 12), p->pi), nh_integer(p, 12)));
    case 1: return nh_add(p, a, b);
    case 2: return nh_sub(p, nh_mul(p, p->two, a), b);
    case 3: return nh_mul(p, a, random_symbol(w, SYMBOLS));
    case 4: return nh_mul(p, random_number(w), a);
    default: return a;
    }
}

static nh_expr random_leaf(world *w)
{
    switch (random_below(w, 8)) {
    case 0: return random_number(w);
    case 1: return random_below(w, 4) ? random_number(w) : w->pool.pi;
    case 2: return nh_call(&w->pool, random_below(w, 2) ? NH_FN_sin : NH_FN_cos, random_angle(w), NH_EXPR_NONE);
    default: return random_symbol(w, SYMBOLS);
    }
}

static nh_expr random_call(world *w, nh_expr a, nh_expr b)
{
    static const nh_function often[] = {NH_FN_sin, NH_FN_cos, NH_FN_tan, NH_FN_sqrt, NH_FN_sqrt, NH_FN_abs, NH_FN_exp};
    int k = random_below(w, NH_FN_COUNT + 8);
    if (k >= NH_FN_COUNT)
        return nh_call(&w->pool, often[k % 7], k % 2 ? random_angle(w) : a, NH_EXPR_NONE);
    nh_function f = (nh_function)k;
    return nh_call(&w->pool, f, a, nh_function_get(f)->arity == 2 ? b : NH_EXPR_NONE);
}

static nh_expr random_operation(world *w, nh_expr a, nh_expr b)
{
    nh_pool *p = &w->pool;
    switch (random_below(w, 16)) {
    case 0:
    case 1:
    case 2: return nh_add(p, a, b);
    case 3:
    case 4: return nh_sub(p, a, b);
    case 5:
    case 6:
    case 7: return nh_mul(p, a, b);
    case 8:
    case 9: return nh_div(p, a, b);
    case 10: return nh_power(p, a, random_below(w, 7) - 2);
    case 11: return nh_pow(p, a, nh_div(p, nh_integer(p, 1 + random_below(w, 4)), nh_integer(p, 2 + random_below(w, 2))));
    default: return random_call(w, a, b);
    }
}

/* 3 to 30 leaves and operations; NH_EXPR_NONE where something was divided by zero. */
static nh_expr random_expr(world *w)
{
    nh_expr nodes[MOST_NODES];
    int count = 3 + random_below(w, MOST_NODES - 2), leaves = 1 + random_below(w, count < 8 ? count : 8);
    for (int i = 0; i < count; i++) {
        int near = i > 4 ? i - 4 : 0; /* mostly of what was made last, so that most of it is used */
        nh_expr a = i < leaves ? 0 : nodes[near + random_below(w, i - near)], b = i < leaves ? 0 : nodes[random_below(w, i)];
        nodes[i] = i < leaves ? random_leaf(w) : random_operation(w, a, b);
        if (!nodes[i])
            return NH_EXPR_NONE;
    }
    return nodes[count - 1];
}

/* ---------------------------------------------------------------- properties */

enum { POINTS = 12 };

/* Whether a and b have the same value at random points; returns at how many this says something. */
static int compare_values(world *w, nh_expr a, nh_expr b)
{
    int telling = 0;
    for (int k = 0; k < POINTS; k++) {
        double values[MOST_SYMBOLS], out[2], errors[2];
        random_values(w, values);
        nh_evaluate(&w->pool, &w->algebra.scratch, (nh_expr[]){a, b}, 2, values, out, errors);
        if (!isfinite(out[0]) || !isfinite(out[1]))
            continue;
        if (fabs(out[0] - out[1]) > errors[0] + errors[1])
            fail_msg("%s\nis not %s:\n%.17g (error %g), %.17g (error %g)", text_of(w, a), text_of(w, b), out[0], errors[0],
                     out[1], errors[1]);
        telling += errors[0] + errors[1] < 1e-6 * (fabs(out[0]) + fabs(out[1]));
    }
    return telling;
}

static size_t length_of(world *w, nh_expr e) { return (size_t)nh_expr_length(&w->algebra.lengths, e); }

static void check_again(world *w, nh_expr e, nh_expr once)
{
    nh_expr twice = simplify(w, once);
    if (once != twice)
        fail_msg("%s\nis simplified to %s,\nand then to %s", text_of(w, e), text_of(w, once), text_of(w, twice));
}

/* The same text in a pool that has other expressions, too. */
static void check_elsewhere(world *w, const char *given, const char *simplified)
{
    world other;
    world_begin(&other, NULL);
    for (int i = 0; i < SYMBOLS; i++)
        symbol_of(&other, nh_slice_of(symbol_names[i]));
    const char *text = text_of(&other, simplify(&other, read_expr(&other, given)));
    if (strcmp(text, simplified) != 0)
        fail_msg("%s\nis simplified to %s\nand elsewhere to %s", given, simplified, text);
    world_end(&other);
}

static int check_random_expr(world *w)
{
    for (int i = 0; i < SYMBOLS; i++)
        symbol_of(w, nh_slice_of(symbol_names[i]));
    nh_expr e = random_expr(w), simple = NH_EXPR_NONE;
    if (!e || !nh_simplify(&w->algebra, &e, 1, &simple))
        return 0;
    if (length_of(w, simple) > length_of(w, e))
        fail_msg("%s\nis longer than %s", text_of(w, simple), text_of(w, e));
    int telling = compare_values(w, e, simple);
    compare_values(w, simple, read_expr(w, text_of(w, simple)));
    check_again(w, e, simple);
    check_elsewhere(w, text_of(w, e), text_of(w, simple));
    return telling;
}

static void test_random_expressions(void **state)
{
    world *w = *state;
    enum { COUNT = 3000 };
    int telling = 0;
    w->algebra.budget.max_seconds = 0.5;
    for (int i = 0; i < COUNT; i++) {
        telling += check_random_expr(w) > 0;
        world_again(w);
    }
    print_message("%d of %d said something\n", telling, COUNT);
    assert_true(telling > COUNT / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_expressions, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
