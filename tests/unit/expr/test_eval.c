/* Evaluation in doubles against long double, and the bound for its errors. */
#include "world.h"

#include <float.h>

_Static_assert(LDBL_MANT_DIG >= 64, "long double serves as the truth here");

/* ---------------------------------------------------------------- functions */

static void test_function_table(void **state)
{
    (void)state;
    static const char *const names[] = {"sin",  "cos",  "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh",
                                        "tanh", "exp",  "log", "sqrt", "abs",  "sign", "min",   "max"};
    enum { COUNT = sizeof names / sizeof *names };
    assert_int_equal(NH_FN_COUNT, COUNT);
    for (int i = 0; i < COUNT; i++) {
        nh_function f;
        assert_true(nh_function_find(nh_slice_of(names[i]), &f));
        assert_string_equal(nh_function_get(f)->name, names[i]);
        assert_int_equal(nh_function_get(f)->arity, arity(f));
        bool corner = f == NH_FN_abs || f == NH_FN_sign || f == NH_FN_min || f == NH_FN_max;
        assert_int_equal(nh_function_get(f)->smooth, !corner);
        assert_true(strlen(nh_function_get(f)->c_name) && strlen(nh_function_get(f)->latex));
    }
    nh_function f;
    assert_false(nh_function_find(nh_slice_of("ln"), &f));
    assert_false(nh_function_find(nh_slice_of("si"), &f));
    assert_false(nh_function_find(nh_slice_of("sinus"), &f));
    assert_false(nh_function_find(nh_slice_of("Sin"), &f));
    assert_false(nh_function_find(nh_slice_of(""), &f));
    assert_true(nh_function_find((nh_slice){"sinus", 3}, &f) && f == NH_FN_sin);
}

/* Parities and values at zero are those of the functions. */
static void test_function_properties(void **state)
{
    world *w = *state;
    for (int f = 0; f < NH_FN_COUNT; f++) {
        const nh_function_info *info = nh_function_get((nh_function)f);
        if (arity(f) == 2) {
            assert_int_equal(info->parity, NH_PARITY_NONE);
            continue;
        }
        bool odd = true, even = true;
        for (int i = 0; i < 100; i++) {
            long double x = random_unit(w), there = function_value(f, x, 0), back = function_value(f, -x, 0);
            odd = odd && fabsl(there + back) < 1e-15L;
            even = even && fabsl(there - back) < 1e-15L;
        }
        assert_int_equal(info->parity, odd ? NH_PARITY_ODD : even ? NH_PARITY_EVEN : NH_PARITY_NONE);
        long double at_zero = function_value(f, 0, 0);
        assert_true(isnan(info->at_zero) ? at_zero != 0 && at_zero != 1 : info->at_zero == (double)at_zero);
    }
}

static void test_function_values(void **state)
{
    world *w = *state;
    for (int f = 0; f < NH_FN_COUNT; f++)
        for (int i = 0; i < 5000; i++) {
            double x = (random_unit(w) - 0.5) * ldexp(1, random_below(w, 8) - 2);
            double y = (random_unit(w) - 0.5) * ldexp(1, random_below(w, 8) - 2);
            double got = nh_function_value((nh_function)f, x, y);
            long double want = function_value(f, x, y);
            assert_int_equal(isnan(got), isnan(want));
            if (!isnan(want) && !(fabsl(got - want) <= 2 * DBL_EPSILON * fabsl(want)))
                fail_msg("%s(%a, %a): %a instead of %La", nh_function_get((nh_function)f)->name, x, y, got, want);
        }
    assert_true(nh_function_value(NH_FN_sign, 0, 0) == 0);
    assert_true(isnan(nh_function_value(NH_FN_sign, NAN, 0)));
    assert_true(isnan(nh_function_value(NH_FN_min, NAN, 1)) && isnan(nh_function_value(NH_FN_min, 1, NAN)));
    assert_true(isnan(nh_function_value(NH_FN_max, NAN, 1)) && isnan(nh_function_value(NH_FN_max, 1, NAN)));
    assert_true(nh_function_value(NH_FN_sign, INFINITY, 0) == 1 && nh_function_value(NH_FN_sign, -INFINITY, 0) == -1);
}

/* ---------------------------------------------------------------- values */

typedef struct result {
    double value, error;
} result;

static result evaluate(world *w, nh_expr e, const double *values)
{
    result r;
    nh_evaluate(&w->pool, &w->scratch, &e, 1, values, &r.value, &r.error);
    return r;
}

static void test_random_values(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 4000; i++) {
        double values[SYMBOLS];
        long double want = random_tame_tree(w, t, 5, 12, values);
        result r = evaluate(w, tree_build(w, t), values);
        if (!close_to(r.value, want, 1e-8L))
            fail_msg("tree %d: %.17g instead of %.18Lg", i, r.value, want);
        assert_true(r.error < 1e-4 * (1 + fabs(r.value))); /* a bound of some use */
        world_again(w);
    }
    free(t);
}

static void test_numbers(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        double value;
        bool exact;
    } numbers[] = {
        {"0", 0, true},
        {"3", 3, true},
        {"-1234567", -1234567, true},
        {"1/3", 1.0 / 3, false},
        {"9007199254740991", 0x1.fffffffffffffp52, true},
        {"9007199254740993", 0x1p53, false},
        {"2^100", 0x1p100, false},
        {"10^400", INFINITY, false},
        {"10^-400", 0, false},
        {"pi", 3.141592653589793, false},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        result r = evaluate(w, read_expr(w, numbers[i].text), NULL);
        assert_true(r.value == numbers[i].value);
        assert_int_equal(r.error == 0, numbers[i].exact);
    }
}

static void test_roots(void **state)
{
    world *w = *state;
    nh_expr roots[] = {read_expr(w, "x + y"), w->symbols[0], NH_EXPR_NONE, read_expr(w, "x + y"), read_expr(w, "2")};
    double values[SYMBOLS] = {0.5, 0.25}, out[5], errors[5];
    nh_evaluate(&w->pool, &w->scratch, roots, 5, values, out, errors);
    assert_true(out[0] == 0.75 && out[1] == 0.5 && isnan(out[2]) && out[3] == 0.75 && out[4] == 2);
    assert_true(errors[1] == 0 && isnan(errors[2]) && errors[0] == errors[3] && errors[4] == 0);
    nh_evaluate(&w->pool, &w->scratch, roots, 5, values, out, NULL);
    assert_true(out[3] == 0.75);
    nh_evaluate(&w->pool, &w->scratch, NULL, 0, values, NULL, NULL);
}

/* ---------------------------------------------------------------- the bound */

/* The truth is known to 11 bits more than doubles have, where the bound is linear in the rounding errors, and
 * to 5 where it is the square root of them. */
static void check_bound(const char *what, result r, long double truth)
{
    if (isnan(r.value) || isnan(truth))
        return;
    if (isinf(r.value)) {
        assert_true(r.error == INFINITY);
        return;
    }
    if (!(fabsl(r.value - truth) <= 1.05L * r.error))
        fail_msg("%s: %.17g +- %g, but it is %.20Lg, %Lg away", what, r.value, r.error, truth, fabsl(r.value - truth));
}

/* Values of all kinds: round ones, so that things cancel, and others. */
static void wild_values(world *w, double values[SYMBOLS])
{
    for (int i = 0; i < SYMBOLS; i++)
        switch (random_below(w, 6)) {
        case 0: values[i] = random_below(w, 7) - 3; break;
        case 1: values[i] = 1 + (random_below(w, 9) - 4) * DBL_EPSILON; break;
        case 2: values[i] = ldexp(random_unit(w) - 0.5, random_below(w, 60) - 40); break;
        case 3: values[i] = i ? values[i - 1] : 0.1; break;
        default: values[i] = 4 * random_unit(w) - 2; break;
        }
}

static void test_bound_of_random_expressions(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    int finite = 0, off = 0;
    for (int i = 0; i < 12000; i++) {
        random_tree(w, t, 5, 4 + i % 12);
        nh_expr e = tree_build(w, t);
        for (int k = 0; k < 4; k++) {
            double values[SYMBOLS];
            wild_values(w, values);
            result r = evaluate(w, e, values);
            long double truth = wide_value(&w->pool, e, values);
            check_bound("random", r, truth);
            bool bounded = isfinite(r.value) && isfinite(r.error) && !isnan(truth);
            finite += bounded;
            off += bounded && r.value != truth;
        }
        world_again(w);
    }
    assert_true(finite > 20000 && off > 10000);
    free(t);
}

/* Whatever the values are within their radii, the bound holds; and it is of use where the radii are small. */
static void test_bound_within_radii(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    int bounded = 0, sharp = 0;
    for (int i = 0; i < 12000; i++) {
        random_tree(w, t, 5, 4 + i % 12);
        nh_expr e = tree_build(w, t);
        double values[SYMBOLS], radii[SYMBOLS], inside[SYMBOLS];
        result r;
        wild_values(w, values);
        for (int k = 0; k < SYMBOLS; k++)
            radii[k] = random_below(w, 4) ? ldexp(random_unit(w), -random_below(w, 40)) : 0;
        nh_evaluate_within(&w->pool, &w->scratch, &e, 1, values, radii, &r.value, &r.error);
        for (int k = 0; k < 8; k++) {
            for (int j = 0; j < SYMBOLS; j++) { /* corners of the box, too */
                double part = k < 4 ? (double)random_below(w, 3) - 1 : 2 * random_unit(w) - 1;
                inside[j] = values[j] + part * radii[j] * (1 - DBL_EPSILON);
                if (fabs(inside[j] - values[j]) > radii[j])
                    inside[j] = values[j];
            }
            long double truth = wide_value(&w->pool, e, inside);
            check_bound("within", r, truth);
            bounded += isfinite(r.value) && isfinite(r.error) && !isnan(truth);
            sharp += isfinite(r.value) && r.error > 0 && fabsl(r.value - truth) > 0.05L * r.error;
        }
        world_again(w);
    }
    assert_true(bounded > 40000 && sharp > 4000);
    free(t);
}

/* Where a bound from the slope at the computed point alone is wrong: next to corners, poles and ends. d is zero,
 * or as small as the error it was computed with. */
static void test_bound_in_bad_places(void **state)
{
    world *w = *state;
    static const char *const zeros[] = {
        "((x + y)^2 - x^2 - 2*x*y - y^2)",    "(sin(x)^2 + cos(x)^2 - 1)", "(x/3 + x/3 + x/3 - y/3*3*x/y)",
        "(sqrt(x)*sqrt(y) - sqrt(x*y))",      "(exp(x + y) - exp(x)*exp(y))", "(tan(x) - sin(x)/cos(x))",
        "(log(x*y) - log(x) - log(y))",
    };
    static const char *const uses[] = {
        "%s^2",          "%s^3",           "%s^-1",          "sqrt(%s)",          "sqrt(abs(%s))",
        "sign(%s)",      "abs(%s)",        "max(%s, 0)",     "min(%s, x - x)",    "log(abs(%s))",
        "asin(1 - %s)",  "acos(1 - %s)",   "asin(1 + %s)",   "atan(1/%s)",        "atan2(%s, %s)",
        "atan2(%s, -1)", "atan2(%s, 1)",   "atan2(1, %s)",   "tan(pi/2 + %s)",    "abs(%s)^(1/3)",
        "abs(%s)^y",     "(1 + %s)^1000",  "2^(1000*%s)",    "exp(1000*%s)",      "cosh(30 + %s)",
        "sinh(30 + %s)", "tanh(%s)",       "cos(%s)",        "sin(%s)",           "1/(1 - cos(%s))",
        "(%s)^0",        "abs(%s)^(1 + %s)", "log(1 + %s)/%s", "asin(sin(pi/2 + %s))", "sqrt(1 - sin(pi/2 + %s))",
    };
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        for (size_t j = 0; j < sizeof uses / sizeof *uses; j++) {
            char text[400];
            snprintf(text, sizeof text, uses[j], zeros[i], zeros[i]);
            nh_expr e = read_expr(w, text);
            for (int k = 0; k < 40; k++) {
                double values[SYMBOLS] = {0.1 + 3 * random_unit(w), 0.1 + 3 * random_unit(w)};
                check_bound(text, evaluate(w, e, values), wide_value(&w->pool, e, values));
            }
        }
}

/* A square of something that vanishes is known to be small, and so is a square root. */
static void test_bound_at_zero(void **state)
{
    world *w = *state;
    double values[SYMBOLS] = {0.3, 0.7};
    result r = evaluate(w, read_expr(w, "(exp(x)*y - y*exp(x) + x/3 - x*(1/3))^2"), values);
    assert_true(r.error < 1e-30);
    r = evaluate(w, read_expr(w, "(sin(x) + y/3 - y*(2/3)/2 - sin(x))^2"), values);
    assert_true(fabs(r.value) < 1e-30 && r.error < 1e-30);
    r = evaluate(w, read_expr(w, "sqrt(abs(x)*abs(y) - abs(x*y))"), values);
    assert_true(fabs(r.value) < 1e-7 && r.error < 1e-7);
    r = evaluate(w, read_expr(w, "sign(sqrt(2)*sqrt(x) - sqrt(2*x))"), values);
    assert_true(r.value == 0 || r.error >= 1);
    values[0] = 1;
    r = evaluate(w, read_expr(w, "(x - 2)^1152921504606846977"), values); /* 2^60 + 1 is odd, 2^60 is not */
    assert_true(r.value == -1 || r.error >= 2);
}

/* What became too small for a double is not taken for an exact zero. */
static void test_bound_of_underflow(void **state)
{
    world *w = *state;
    static const char *const texts[] = {"x*10^-400", "x*10^-300*(y*10^-300*x)", "exp(-1000*x)", "(x/4)^3000",
                                        "x^2*10^-320", "exp(-740*x)", "x*10^-308/y"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int k = 0; k < 20; k++) {
            double values[SYMBOLS] = {0.5 + random_unit(w), 0.5 + random_unit(w)};
            nh_expr e = read_expr(w, texts[i]);
            check_bound(texts[i], evaluate(w, e, values), wide_value(&w->pool, e, values));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_function_table),
        cmocka_unit_test_setup_teardown(test_function_properties, setup, teardown),
        cmocka_unit_test_setup_teardown(test_function_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_roots, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bound_of_random_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bound_within_radii, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bound_in_bad_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bound_at_zero, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bound_of_underflow, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
