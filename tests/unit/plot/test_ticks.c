/* Ticks: where they stand, and that their labels say it. */
#include "world.h"

/* A range anywhere, of any size, perhaps far from zero. */
static void random_range(world *w, double *low, double *high)
{
    double scale = pow(10, random_between(w, -287, 298));
    double span = pow(10, random_between(w, -12.5, 0));
    double middle = random_between(w, -1, 1);
    *low = scale * (middle - span), *high = scale * (middle + span);
}

static void test_steps(void **state)
{
    world *w = *state;
    for (int k = 0; k < 100000; k++) {
        double low, high;
        size_t most = 3 + random_bits(w) % 9;
        random_range(w, &low, &high);
        nh_steps s = nh_steps_of(low, high, most);
        double step = nh_decimal(s.mantissa, s.exponent), slack = 1e-3 * step;
        assert_true(s.mantissa == 1 || s.mantissa == 2 || s.mantissa == 5);
        assert_true(s.last - s.first + 1 <= (int64_t)most);
        assert_true(s.last - s.first + 1 >= (most >= 5 ? 2 : 1));
        assert_true((double)s.first * step >= low - slack && (double)(s.first - 1) * step < low + slack);
        assert_true((double)s.last * step <= high + slack && (double)(s.last + 1) * step > high - slack);
    }
}

/* ---------------------------------------------------------------- reading labels back */

/* 1.5, -1.5, 2x10^-3, 10^5, as words. */
static long double read_words(const char *at, const char **end)
{
    long double sign = 1, value = 1;
    if (strncmp(at, "\u2212", 3) == 0)
        sign = -1, at += 3;
    else if (*at == '+')
        at++;
    at += *at == ' ';
    bool power = strncmp(at, "10\1", 3) == 0;
    if (!power) {
        char *behind;
        value = strtold(at, &behind);
        assert_true(behind > at);
        power = strncmp(behind, "×10\1", 5) == 0;
        at = behind + (power ? 2 : 0);
    }
    if (power) {
        long double minus = 1;
        at += 3;
        if (strncmp(at, "\u2212", 3) == 0)
            minus = -1, at += 3;
        char *behind;
        value *= powl(10, minus * strtold(at, &behind));
        assert_int_equal(*behind, NH_MARK_END);
        at = behind + 1;
    }
    *end = at;
    return sign * value;
}

static long double read_tick(const char *words, const char *rest)
{
    const char *end;
    long double value = read_words(words, &end), factor = 1, offset = 0;
    assert_string_equal(end, "");
    if (strncmp(rest, "×", 2) == 0)
        factor = read_words(rest + 2, &rest);
    rest += *rest == ' ';
    if (*rest)
        offset = read_words(rest, &rest);
    assert_string_equal(rest, "");
    return value * factor + offset;
}

static void check_labels(const nh_axis *axis, const nh_ticks *ticks)
{
    assert_true(ticks->count >= 1 && ticks->count <= NH_MOST_TICKS);
    for (size_t i = 0; i < ticks->count; i++) {
        long double value = read_tick(ticks->items[i].words, ticks->rest);
        double at = nh_axis_at(axis, (double)value);
        assert_true(fabs(at - ticks->items[i].at) < 0.5);
        assert_true(nh_words_width(ticks->items[i].words, 11) < NH_PANEL_LEFT - 8);
        assert_true(at > -0.5 && at < 300.5);
    }
}

static void test_labels(void **state)
{
    world *w = *state;
    for (int k = 0; k < 20000; k++) {
        nh_arena_mark before = nh_arena_here(&w->arena);
        nh_axis axis = {.start = 300, .end = 0};
        nh_extent extent;
        random_range(w, &extent.low, &extent.high);
        nh_axis_fit(&axis, extent, 0.05);
        nh_ticks ticks = nh_ticks_beside(&w->arena, &axis);
        check_labels(&axis, &ticks);
        ticks = nh_ticks_below(&w->arena, &axis, 11);
        check_labels(&axis, &ticks);
        for (size_t i = 1; i < ticks.count; i++) {
            double half =
                (nh_words_width(ticks.items[i].words, 11) + nh_words_width(ticks.items[i - 1].words, 11)) / 2;
            assert_true(fabs(ticks.items[i].at - ticks.items[i - 1].at) > half);
        }
        nh_arena_release(&w->arena, before);
    }
}

static void test_logarithmic(void **state)
{
    world *w = *state;
    for (int k = 0; k < 20000; k++) {
        nh_arena_mark before = nh_arena_here(&w->arena);
        double low = random_between(w, -290, 280), span = pow(10, random_between(w, -6.5, 1));
        nh_axis axis = {.start = 300, .end = 0, .logarithmic = true};
        nh_axis_fit(&axis, (nh_extent){low, low + span}, 0.05);
        nh_ticks ticks = nh_ticks_beside(&w->arena, &axis);
        assert_true(ticks.count >= 2);
        check_labels(&axis, &ticks);
        nh_arena_release(&w->arena, before);
    }
}

static void check_words(world *w, double low, double high, const char *first, const char *last,
                        const char *rest)
{
    nh_axis axis = {.low = low, .high = high, .start = 180, .end = 0};
    nh_ticks ticks = nh_ticks_beside(&w->arena, &axis);
    assert_string_equal(ticks.items[0].words, first);
    assert_string_equal(ticks.items[ticks.count - 1].words, last);
    assert_string_equal(ticks.rest, rest);
}

static void test_words(void **state)
{
    check_words(*state, 0, 1, "0.0", "1.0", "");
    check_words(*state, -2.5, 2.5, "\u22122", "2", "");
    check_words(*state, 0, 50000, "0", "50000", "");
    check_words(*state, 0, 500000, "0", "5",
                "×10\1"
                "5\4");
    check_words(*state, -4e-13, 4e-13, "\u22124", "4", "×10\1\u221213\4");
    check_words(*state, 9.81 - 2.2e-11, 9.81 + 2.2e-11, "\u22122", "2", "×10\1\u221211\4 + 9.81");
    check_words(*state, -1234567.81, -1234567.19, "\u22120.8", "\u22120.2", "\u22121234567");
    check_words(*state, 2020, 2025, "2020", "2025", "");
}

/* ---------------------------------------------------------------- axes */

static void test_flat(void **state)
{
    static const double values[] = {0, 9.81, -9.81, 1e300, -1e300, 1e-300, 1e-310, 5e-324};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
            nh_axis axis = {.start = 200, .end = 0, .logarithmic = logarithmic};
            nh_curve curve = {NULL, values + k, values + k, 1};
            nh_axis_fit(&axis, nh_extent_of(&curve, 1, true, logarithmic), 0.05);
            assert_true(axis.low < axis.high && isfinite(axis.high - axis.low));
            double at = nh_axis_place(&axis, values[k]);
            assert_true(logarithmic && !(values[k] > 1e-290) ? isnan(at) : at >= 0 && at <= 200);
        }
}

static void test_equal(void **state)
{
    world *w = *state;
    for (int k = 0; k < 10000; k++) {
        nh_axis x = {.start = 0, .end = 330}, y = {.start = 200, .end = 0};
        nh_extent of_x = {0, 0}, of_y = {0, 0};
        random_range(w, &of_x.low, &of_x.high);
        random_range(w, &of_y.low, &of_y.high);
        nh_axes_fit_equal(&x, &y, of_x, of_y, 0.05);
        double by_x = (x.high - x.low) / 330, by_y = (y.high - y.low) / 200;
        assert_true(fabs(by_x - by_y) <= 1e-2 * by_x);
        assert_true(x.low <= of_x.low && x.high >= of_x.high && y.low <= of_y.low && y.high >= of_y.high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_steps, setup, teardown),
        cmocka_unit_test_setup_teardown(test_labels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_logarithmic, setup, teardown),
        cmocka_unit_test_setup_teardown(test_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_flat, setup, teardown),
        cmocka_unit_test_setup_teardown(test_equal, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
