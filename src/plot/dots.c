/* Dots: what of a curve can be seen. Rows by the million are thinned in three ways, none of which changes the picture:
 * within a column of half a pixel the first, least, greatest and last value stay; a long path that comes back to
 * pixels that are black already is not drawn there again; and points on a straight line between others go. */
#include "plot/inner.h"

#include <math.h>

static const nh_dot nowhere = {NAN, NAN};

static bool is_break(nh_dot dot) { return isnan(dot.x); }

static void keep(nh_dots *dots, nh_dot dot)
{
    if (!is_break(dot) || (dots->count && !is_break(dots->items[dots->count - 1])))
        dots->items[dots->count++] = dot;
}

nh_dots nh_dots_place(nh_arena *arena, const nh_curve *curve, const nh_axis *x, const nh_axis *y)
{
    nh_dots dots = {nh_arena_array(arena, curve->count + 1, sizeof *dots.items), 0};
    for (size_t i = 0; i < curve->count; i++) {
        nh_dot dot = {nh_axis_place(x, curve->x[i]), nh_axis_place(y, curve->y[i])};
        keep(&dots, isnan(dot.x) || isnan(dot.y) ? nowhere : dot);
    }
    return dots;
}

/* ---------------------------------------------------------------- columns */

static double column_of(nh_dot dot) { return floor(2 * dot.x); }

/* Those of a run that stay, in their order: at most four, copied first, for what is kept may overwrite the run. */
static void keep_of_run(nh_dots *kept, const nh_dot *run, size_t count)
{
    size_t least = 0, greatest = 0, last = count - 1;
    for (size_t i = 1; i < count; i++) {
        least = run[i].y < run[least].y ? i : least;
        greatest = run[i].y > run[greatest].y ? i : greatest;
    }
    size_t a = least < greatest ? least : greatest, b = least < greatest ? greatest : least;
    nh_dot four[] = {run[0], run[a], run[b], run[last]};
    keep(kept, four[0]);
    if (a != 0)
        keep(kept, four[1]);
    if (b != a && b != 0)
        keep(kept, four[2]);
    if (last != b && last != a && last != 0)
        keep(kept, four[3]);
}

void nh_dots_columns(nh_dots *dots)
{
    nh_dots kept = {dots->items, 0};
    for (size_t i = 0, end; i < dots->count; i = end) {
        end = i + 1;
        if (is_break(dots->items[i])) {
            keep(&kept, nowhere);
            continue;
        }
        while (end < dots->count && column_of(dots->items[end]) == column_of(dots->items[i]))
            end++; /* a break has no column */
        keep_of_run(&kept, dots->items + i, end - i);
    }
    *dots = kept;
}

/* ---------------------------------------------------------------- ink */

enum { SHEET_WIDTH = NH_PANEL_WIDTH + 1, SHEET_HEIGHT = NH_PANEL_HEIGHT + 1 };

typedef struct sheet {
    bool *black;
} sheet;

static size_t cell_of(double x, size_t cells)
{
    return x > 0 ? (x < (double)cells ? (size_t)x : cells - 1) : 0;
}

static bool blacken(sheet *s, nh_dot dot)
{
    bool *cell = &s->black[cell_of(dot.y, SHEET_HEIGHT) * SHEET_WIDTH + cell_of(dot.x, SHEET_WIDTH)];
    bool is_new = !*cell;
    *cell = true;
    return is_new;
}

static bool blacken_line(sheet *s, nh_dot a, nh_dot b)
{
    size_t steps = 1 + (size_t)(2 * fmax(fabs(b.x - a.x), fabs(b.y - a.y)));
    bool is_new = false;
    for (size_t k = 0; k <= steps; k++) {
        double part = (double)k / (double)steps;
        is_new |= blacken(s, (nh_dot){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)});
    }
    return is_new;
}

/* The end of a line is kept where the line is new, or where the dot is alone. */
static void ink_line(sheet *s, nh_dots *kept, nh_dot before, nh_dot dot, nh_dot after)
{
    bool alone = is_break(before) && is_break(after);
    if (alone ? !blacken(s, dot) : is_break(before) || !blacken_line(s, before, dot))
        return;
    bool joined = kept->count && kept->items[kept->count - 1].x == before.x &&
                  kept->items[kept->count - 1].y == before.y;
    if (!joined)
        keep(kept, nowhere);
    if (!joined && !alone)
        keep(kept, before);
    keep(kept, dot);
}

void nh_dots_ink(nh_arena *arena, nh_dots *dots, bool points)
{
    sheet s = {nh_arena_array(arena, SHEET_WIDTH * SHEET_HEIGHT, sizeof *s.black)};
    nh_dots kept = {nh_arena_array(arena, 3 * dots->count + 1, sizeof *kept.items), 0};
    for (size_t i = 0; i < dots->count; i++) {
        nh_dot dot = dots->items[i];
        if (is_break(dot))
            keep(&kept, nowhere);
        else if (!points)
            ink_line(&s, &kept, i ? dots->items[i - 1] : nowhere, dot,
                     i + 1 < dots->count ? dots->items[i + 1] : nowhere);
        else if (blacken(&s, dot))
            keep(&kept, dot);
    }
    *dots = kept;
}

/* ---------------------------------------------------------------- straight lines */

/* The directions from a kept dot in which all dots since then are passed within the tolerance. */
typedef struct cone {
    nh_dot from;
    double low, high; /* angles, relative to that of the first dot */
    double axis, reach;
} cone;

static double angle_between(double a, double b) { return remainder(a - b, 2 * acos(-1)); }

/* Narrows the cone by a dot; false: the dot is outside of it, or on the way back. */
static bool narrow(cone *c, nh_dot dot, double tolerance)
{
    double dx = dot.x - c->from.x, dy = dot.y - c->from.y, distance = hypot(dx, dy);
    if (distance < c->reach || distance == 0)
        return false;
    double half = distance > tolerance ? asin(tolerance / distance) : acos(-1);
    double angle = c->reach > 0 ? angle_between(atan2(dy, dx), c->axis) : 0;
    if (c->reach == 0)
        *c = (cone){c->from, -half, half, atan2(dy, dx), distance};
    else if (angle < c->low || angle > c->high)
        return false;
    c->low = fmax(c->low, angle - half), c->high = fmin(c->high, angle + half), c->reach = distance;
    return true;
}

void nh_dots_straighten(nh_dots *dots, double tolerance)
{
    nh_dots kept = {dots->items, 0};
    cone c = {.from = nowhere};
    nh_dot last = nowhere; /* not yet kept */
    for (size_t i = 0; i <= dots->count; i++) {
        nh_dot dot = i < dots->count ? dots->items[i] : nowhere;
        bool goes_on = !is_break(dot) && !is_break(c.from) && narrow(&c, dot, tolerance);
        if (!goes_on && !is_break(last))
            keep(&kept, last), c = (cone){.from = last};
        if (is_break(dot) || is_break(c.from)) {
            if (i < dots->count)
                keep(&kept, dot);
            c = (cone){.from = dot}, last = nowhere;
            continue;
        }
        if (!goes_on)
            narrow(&c, dot, tolerance);
        last = dot;
    }
    *dots = kept;
}
