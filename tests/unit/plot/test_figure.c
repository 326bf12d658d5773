/* Figures: whatever goes in, a small and well-formed document comes out. */
#include "world.h"

enum { ROWS = 300 };

static void test_empty(void **state)
{
    world *w = *state;
    nh_text out;
    nh_text_init(&out, &w->arena);
    nh_figure_svg(&out, &(nh_figure){0});
    check_xml(nh_text_get(&out));
    nh_panel panel = {0};
    const char *text = figure_of(w, &panel, 1);
    assert_non_null(strstr(text, "role=\"img\""));
    assert_non_null(strstr(text, "<title>A figure</title>"));
    assert_non_null(strstr(text, "no values"));
}

/* Numbers of all kinds, the worst of them often. */
static double any_number(world *w)
{
    static const double worst[] = {NAN,    INFINITY, -INFINITY, 0,      -0.0,   1e300,
                                   -1e300, 1.7e308,  -1.7e308,  5e-324, 1e-300, 1};
    size_t k = random_bits(w) % 24;
    return k < 12 ? worst[k] : random_between(w, -1, 1) * pow(10, random_between(w, -300, 300));
}

static void fill(world *w, double *values, size_t rows)
{
    double one = any_number(w), other = random_bits(w) % 2 ? any_number(w) : one;
    bool few = random_bits(w) % 2;
    for (size_t i = 0; i < rows; i++)
        values[i] = few ? (random_bits(w) % 2 ? one : other) : any_number(w);
}

static void test_degenerate(void **state)
{
    world *w = *state;
    static double x[ROWS], y[ROWS];
    for (int k = 0; k < 3000; k++) {
        nh_arena_mark before = nh_arena_here(&w->arena);
        size_t rows = random_bits(w) % 3 ? random_bits(w) % 4 : random_bits(w) % ROWS;
        fill(w, x, rows), fill(w, y, rows);
        nh_curve curve = {"f", x, y, rows};
        nh_panel panel = {.title = "hard",
                          .curves = &curve,
                          .n_curves = 1,
                          .equal_scales = random_bits(w) % 2,
                          .y_logarithmic = random_bits(w) % 2,
                          .points = random_bits(w) % 2};
        figure_of(w, &panel, 1);
        nh_arena_release(&w->arena, before);
    }
}

static void test_many(void **state)
{
    world *w = *state;
    static nh_curve curves[64];
    static const double x[] = {0, 1}, y[] = {0, 1};
    for (size_t k = 0; k < 64; k++)
        curves[k] = (nh_curve){"q", x, y, 2};
    const char *text = figure_of(w, &(nh_panel){.curves = curves, .n_curves = 64}, 1);
    assert_non_null(strstr(text, ">and 53 more<"));
    assert_int_equal(count_of(text, "<path class=\"line"), 64 + NH_LEGEND_MOST - 1);
    text = figure_of(w, &(nh_panel){.curves = curves, .n_curves = NH_LEGEND_MOST}, 1);
    assert_null(strstr(text, " more<"));
}

/* A million rows: noise over time, and a path that fills the plane. */
static void test_long(void **state)
{
    world *w = *state;
    enum { LONG = 1000000 };
    double *t = nh_arena_array(&w->arena, LONG, sizeof *t), *x = nh_arena_array(&w->arena, LONG, sizeof *x),
           *y = nh_arena_array(&w->arena, LONG, sizeof *y);
    for (size_t i = 0; i < LONG; i++)
        t[i] = (double)i, x[i] = random_unit(w), y[i] = random_unit(w);
    y[777777] = 100;
    nh_curve over_time = {"y", t, y, LONG}, path = {"path", x, y, LONG};
    nh_panel panel = {.curves = &over_time, .n_curves = 1};
    assert_true(strlen(figure_of(w, &panel, 1)) < 60000);
    panel.curves = &path, panel.equal_scales = true, y[777777] = 0;
    assert_true(strlen(figure_of(w, &panel, 1)) < 2000000);
    panel.points = true;
    assert_true(strlen(figure_of(w, &panel, 1)) < 2000000);
}

/* ---------------------------------------------------------------- without memory */

typedef struct starved {
    size_t left;
} starved;

static void *take(void *user, size_t size)
{
    starved *s = user;
    return s->left-- ? malloc(size) : NULL;
}

static void give(void *user, void *block, size_t size) { free(block); }

static void draw(void *arg)
{
    static const double x[] = {0, 1, 2}, y[] = {1, NAN, 3};
    nh_curve curve = {"theta1'", x, y, 3};
    nh_panel panel = {.title = "t", .x_label = "x", .y_label = "y", .curves = &curve, .n_curves = 1};
    nh_figure_svg(arg, &(nh_figure){"A figure", &panel, 1, 1});
}

static void test_starved(void **state)
{
    nh_status status = NH_ERROR_MEMORY;
    for (size_t most = 0; status != NH_OK; most++) {
        starved s = {most};
        nh_allocator allocator = {&s, take, give};
        nh_heap heap;
        nh_arena arena;
        nh_text out;
        nh_heap_init(&heap, &allocator, 0), nh_arena_init(&arena, &heap), nh_text_init(&out, &arena);
        status = nh_heap_try(&heap, draw, &out);
        assert_true(status == NH_OK || status == NH_ERROR_MEMORY);
        nh_arena_free(&arena);
        assert_int_equal(heap.used, 0);
        s.left = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(test_degenerate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long, setup, teardown),
        cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
