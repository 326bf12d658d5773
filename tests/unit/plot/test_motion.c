/* Motions: which panels there are, and what is in them. */
#include "world.h"

enum { ROWS = 50 };

static double t[ROWS], one[ROWS], small[ROWS], energy[ROWS], none[ROWS];

static void fill(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        t[i] = 0.1 * (double)i, one[i] = sin(t[i]), small[i] = 1e-3 * cos(t[i]);
        energy[i] = 2 + 1e-13 * sin(3 * t[i]), none[i] = NAN;
    }
}

static const char *motion_of(world *w, const nh_plot_column *columns, size_t count, size_t rows)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    fill();
    nh_plot_motion(&out, "A motion", t, rows, columns, count);
    check_xml(nh_text_get(&out));
    return nh_text_get(&out);
}

static void test_panels(void **state)
{
    const nh_plot_column columns[] = {
        {"x", NH_COLUMN_COORDINATE, one},
        {"y", NH_COLUMN_COORDINATE, one},
        {"theta", NH_COLUMN_ANGLE, one},
        {"x'", NH_COLUMN_RATE, one},
        {"y'", NH_COLUMN_RATE, one},
        {"theta'", NH_COLUMN_ANGLE_RATE, one},
        {"v", NH_COLUMN_VELOCITY, one},
        {"speed", NH_COLUMN_OBSERVED, one},
        {"E", NH_COLUMN_ENERGY, energy},
        {"R_x", NH_COLUMN_REACTION, one},
        {"lambda_1", NH_COLUMN_MULTIPLIER, one},
        {"J", NH_COLUMN_INTEGRAL, energy},
    };
    const char *text = motion_of(*state, columns, 12, ROWS);
    assert_int_equal(count_of(text, "class=\"frame\""), 11);
    assert_non_null(strstr(text, "(E \u2212 E(0)) / max |E|"));
    assert_non_null(strstr(text, "×10<tspan dy=\"-4.18\" font-size=\"8.25\">\u221214</tspan>"));
    for (size_t rows = 0; rows < 3; rows++)
        motion_of(*state, columns, 12, rows);
    motion_of(*state, columns, 0, ROWS);
}

/* A column that would look like zero has a panel of its own; one that is missing does not. */
static void test_sizes(void **state)
{
    const nh_plot_column columns[] = {{"a", NH_COLUMN_OBSERVED, one},
                                      {"b", NH_COLUMN_OBSERVED, small},
                                      {"c", NH_COLUMN_OBSERVED, none},
                                      {"d", NH_COLUMN_OBSERVED, one},
                                      {"e", NH_COLUMN_OBSERVED, small}};
    assert_int_equal(count_of(motion_of(*state, columns, 5, ROWS), "class=\"frame\""), 2);
}

static size_t paths_of(world *w, const char *const *names, size_t count)
{
    nh_plot_column columns[8];
    for (size_t i = 0; i < count; i++)
        columns[i] = (nh_plot_column){names[i], NH_COLUMN_COORDINATE, one};
    return count_of(motion_of(w, columns, count, ROWS), "<circle class=\"start");
}

static void test_paths(void **state)
{
    world *w = *state;
    assert_int_equal(paths_of(w, (const char *[]){"x"}, 1), 0);
    assert_int_equal(paths_of(w, (const char *[]){"x", "y"}, 2), 1);
    assert_int_equal(paths_of(w, (const char *[]){"u", "v", "w"}, 3), 1);
    assert_int_equal(paths_of(w, (const char *[]){"x1", "x2", "y1", "y2"}, 4), 2);
    assert_int_equal(paths_of(w, (const char *[]){"x_A", "y_A", "x_B", "y_C", "z"}, 5), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_panels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_paths, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
