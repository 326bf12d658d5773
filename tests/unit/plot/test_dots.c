/* What is left of a curve looks like the curve. */
#include "world.h"

enum { ROWS = 200000 };

static const nh_axis across = {.low = 0, .high = 1, .start = 0, .end = NH_PANEL_WIDTH};
static const nh_axis up = {.low = -1, .high = 1, .start = NH_PANEL_HEIGHT, .end = 0};

static nh_dots copy_of(world *w, nh_dots dots)
{
    nh_dot *items = nh_arena_array(&w->arena, dots.count + 1, sizeof *items);
    memcpy(items, dots.items, dots.count * sizeof *items);
    return (nh_dots){items, dots.count};
}

static nh_curve noise(world *w, size_t rows)
{
    double *x = nh_arena_array(&w->arena, rows, sizeof *x), *y = nh_arena_array(&w->arena, rows, sizeof *y);
    for (size_t i = 0; i < rows; i++) {
        x[i] = (double)i / (double)(rows - 1);
        y[i] = random_between(w, -0.5, 0.5) * (random_bits(w) % 1000 ? 1 : 2);
        if (random_bits(w) % 5000 == 0)
            y[i] = random_bits(w) % 2 ? NAN : INFINITY;
    }
    return (nh_curve){NULL, x, y, rows};
}

/* ---------------------------------------------------------------- columns */

typedef struct column {
    double least, greatest;
} column;

static void find_extremes(nh_dots dots, column columns[2 * NH_PANEL_WIDTH + 1])
{
    for (size_t i = 0; i <= 2 * NH_PANEL_WIDTH; i++)
        columns[i] = (column){INFINITY, -INFINITY};
    for (size_t i = 0; i < dots.count; i++) {
        if (isnan(dots.items[i].x))
            continue;
        column *c = &columns[(size_t)(2 * dots.items[i].x)];
        c->least = fmin(c->least, dots.items[i].y), c->greatest = fmax(c->greatest, dots.items[i].y);
    }
}

static void test_extremes(void **state)
{
    world *w = *state;
    column before[2 * NH_PANEL_WIDTH + 1], after[2 * NH_PANEL_WIDTH + 1];
    nh_curve curve = noise(w, ROWS);
    nh_dots dots = nh_dots_place(&w->arena, &curve, &across, &up);
    find_extremes(dots, before);
    size_t breaks = 0;
    for (size_t i = 0; i < dots.count; i++)
        breaks += isnan(dots.items[i].x) ? 1 : 0;
    nh_dots_columns(&dots);
    find_extremes(dots, after);
    assert_memory_equal(before, after, sizeof before);
    assert_true(dots.count <= 4 * (2 * NH_PANEL_WIDTH + 1 + breaks) + breaks);
    for (size_t i = 0; i < dots.count; i++)
        breaks -= isnan(dots.items[i].x) ? 1 : 0;
    assert_int_equal(breaks, 0);
}

/* ---------------------------------------------------------------- straight lines */

static double distance(nh_dot p, nh_dot a, nh_dot b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double part = length > 0 ? fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
    return hypot(p.x - a.x - part * dx, p.y - a.y - part * dy);
}

static bool same(nh_dot a, nh_dot b) { return a.x == b.x && a.y == b.y; }

/* Each dot that went lies beside the line between the dots around it that stayed. */
static void check_straight(nh_dots before, nh_dots after, double tolerance)
{
    size_t k = 0;
    for (size_t i = 0; i < before.count; i++) {
        nh_dot dot = before.items[i];
        bool breaks = isnan(dot.x);
        if (k < after.count && (breaks ? isnan(after.items[k].x) : same(dot, after.items[k]))) {
            k++;
            continue;
        }
        assert_true(!breaks && k > 0 && k < after.count);
        assert_true(distance(dot, after.items[k - 1], after.items[k]) <= tolerance + 1e-9);
    }
    assert_int_equal(k, after.count);
}

static nh_dots walk(world *w, size_t count, double roughness)
{
    nh_dots dots = {nh_arena_array(&w->arena, count + 1, sizeof *dots.items), count};
    double x = 100, y = 100, angle = 0;
    for (size_t i = 0; i < count; i++) {
        angle += random_between(w, -roughness, roughness);
        x += 0.3 * cos(angle), y += 0.3 * sin(angle);
        dots.items[i] = random_bits(w) % 200 && i ? (nh_dot){x, y} : (nh_dot){NAN, NAN};
        if (i && isnan(dots.items[i].x) && isnan(dots.items[i - 1].x))
            dots.items[i] = (nh_dot){x, y};
    }
    dots.items[0] = (nh_dot){100, 100};
    return dots;
}

static void test_straight(void **state)
{
    world *w = *state;
    static const double roughness[] = {0, 1e-3, 0.05, 0.5, 3.1};
    for (size_t k = 0; k < 5; k++) {
        nh_dots before = walk(w, 20000, roughness[k]), after = copy_of(w, before);
        nh_dots_straighten(&after, 0.1);
        check_straight(before, after, 0.1);
        assert_true(after.count < before.count || k == 4);
        assert_true(k > 1 || after.count < before.count / 10);
    }
}

static void test_back_and_forth(void **state)
{
    nh_dot items[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {2, 0}, {-1, 0}, {5, 0}, {5, 0}, {9, 0}};
    nh_dots dots = {items, 9};
    nh_dots_straighten(&dots, 0.1);
    assert_true(same(items[1], (nh_dot){3, 0}) && same(items[2], (nh_dot){-1, 0}));
    assert_true(same(items[dots.count - 1], (nh_dot){9, 0}));
}

/* ---------------------------------------------------------------- ink */

static void blacken(nh_dots dots, bool *sheet)
{
    for (size_t i = 1; i < dots.count; i++) {
        nh_dot a = dots.items[i - 1], b = dots.items[i];
        for (int k = 0; k <= 400 && !isnan(a.x) && !isnan(b.x); k++) {
            double x = a.x + (b.x - a.x) * k / 400, y = a.y + (b.y - a.y) * k / 400;
            sheet[(size_t)y * 400 + (size_t)x] = true;
        }
    }
}

/* A path that goes round and round: few of its turns are kept, and hardly a pixel is lost. */
static void test_ink(void **state)
{
    world *w = *state;
    nh_dots before = {nh_arena_array(&w->arena, ROWS + 1, sizeof(nh_dot)), ROWS};
    for (size_t i = 0; i < ROWS; i++) {
        double s = 0.05 * (double)i;
        before.items[i] =
            (nh_dot){165 + 100 * cos(s) + 60 * cos(s * 0.618), 100 + 60 * sin(s) + 35 * sin(s * 0.618)};
    }
    nh_dots after = copy_of(w, before);
    nh_dots_ink(&w->arena, &after, false);
    assert_true(after.count < ROWS / 4);
    bool *black = calloc(400 * 400, 1), *kept = calloc(400 * 400, 1);
    blacken(before, black), blacken(after, kept);
    size_t all = 0, lost = 0;
    for (size_t i = 0; i < 400 * 400; i++)
        all += black[i], lost += black[i] && !kept[i], assert_true(black[i] || !kept[i]);
    assert_true(all > 10000 && lost < all / 100);
    free(black), free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_extremes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_straight, setup, teardown),
        cmocka_unit_test_setup_teardown(test_back_and_forth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ink, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
