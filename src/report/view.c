/* Where the eye is: so that the whole motion is seen or, where the bodies would be too small in it, so that they are
 * followed. */
#include "report/view.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- vectors */

double nh_dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void nh_cross3(const double *a, const double *b, double *out)
{
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

void nh_unit3(double *a)
{
    double size = sqrt(nh_dot3(a, a));
    for (int k = 0; k < 3 && size > 0; k++)
        a[k] /= size;
}

void nh_tangents(const double *normal, double *first, double *second)
{
    double guess[3] = {fabs(normal[0]) < 0.9, fabs(normal[0]) >= 0.9, 0}, along = nh_dot3(guess, normal);
    for (int k = 0; k < 3; k++)
        first[k] = guess[k] - along * normal[k];
    nh_unit3(first);
    nh_cross3(normal, first, second);
}

double nh_round_up(double x)
{
    double power = pow(10, floor(log10(x))), digits = x / power;
    return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

void nh_place_at(const nh_scene *scene, const nh_quantity *triple, size_t row, double *x)
{
    for (int k = 0; k < 3; k++)
        x[k] = triple[k].there ? nh_quantity_at(scene, &triple[k], row) : 0;
}

void nh_lens_see(const nh_lens *lens, const double *x, double *pixel)
{
    for (int k = 0; k < 2; k++)
        pixel[k] = nh_dot3(lens->m[k], x) + lens->c[k];
}

/* ---------------------------------------------------------------- how far things reach */

typedef struct box {
    double low[2], high[2];
} box;

static const box nowhere = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static void include(box *b, const double *pixel, double radius)
{
    for (int k = 0; k < 2; k++) {
        b->low[k] = fmin(b->low[k], pixel[k] - radius);
        b->high[k] = fmax(b->high[k], pixel[k] + radius);
    }
}

static double reach_of(const nh_scene *scene, const nh_drawn *item, size_t row)
{
    double size[3];
    switch (item->drawing->shape) {
    case NH_SHAPE_BALL:
    case NH_SHAPE_DISC: return fabs(nh_quantity_at(scene, &item->radius, row));
    case NH_SHAPE_BOX: nh_place_at(scene, item->other, row, size); return sqrt(nh_dot3(size, size)) / 2;
    case NH_SHAPE_ELLIPSOID: return fmax(item->axes[0], fmax(item->axes[1], item->axes[2]));
    default: return 0;
    }
}

static bool is_seen(const nh_drawn *item)
{
    nh_shape shape = item->drawing->shape;
    return shape != NH_SHAPE_GROUND && shape != NH_SHAPE_VELOCITY && shape != NH_SHAPE_REACTION;
}

/* Points, and balls that are drawn instead of them, are seen from any distance. */
static bool has_size(const nh_drawn *item)
{
    nh_shape shape = item->drawing->shape;
    return item->R[0].there || shape == NH_SHAPE_ROD || shape == NH_SHAPE_DISC || shape == NH_SHAPE_BOX;
}

/* Through a lens without scale: all items of a row, or those that have a size. */
static void include_row(const nh_view *view, size_t row, bool all, box *b)
{
    for (size_t i = 0; i < view->scene->count; i++) {
        const nh_drawn *item = &view->scene->items[i];
        double x[3], pixel[2];
        if (!is_seen(item) || !(all || has_size(item)))
            continue;
        nh_place_at(view->scene, item->at, row, x);
        nh_lens_see(&view->lens, x, pixel);
        include(b, pixel, reach_of(view->scene, item, row));
        if (item->drawing->shape != NH_SHAPE_ROD)
            continue;
        nh_place_at(view->scene, item->other, row, x);
        nh_lens_see(&view->lens, x, pixel);
        include(b, pixel, 0);
    }
}

/* ---------------------------------------------------------------- frames */

/* Rows up to the first that cannot be drawn. */
static size_t drawable_rows(const nh_view *view)
{
    size_t row = 0;
    for (; row < view->scene->trace->rows; row++) {
        box b = nowhere;
        include_row(view, row, true, &b);
        for (int k = 0; k < 2; k++)
            if (!(fabs(b.low[k]) < 1e12 && fabs(b.high[k]) < 1e12))
                return row;
    }
    return row;
}

/* The largest angle by which a frame turns from a row to the next, as the largest change of its entries. */
static double fastest_turn(const nh_scene *scene, size_t rows)
{
    double most = 0;
    for (size_t i = 0; i < scene->count; i++)
        for (int k = 0; k < 9 && scene->items[i].R[0].there && is_seen(&scene->items[i]); k++)
            for (size_t row = 1; row < rows; row++)
                most = fmax(most, fabs(nh_quantity_at(scene, &scene->items[i].R[k], row) -
                                       nh_quantity_at(scene, &scene->items[i].R[k], row - 1)));
    return most;
}

/* Between frames everything moves straight on: the faster bodies turn, the more of them there have to be. */
static void choose_frames(nh_view *view, nh_arena *arena, size_t rows)
{
    enum { FEW = 100 };
    size_t parts = rows - 1, stride = parts / FEW ? parts / FEW : 1;
    double turn = fastest_turn(view->scene, rows);
    while (stride > 1 && (double)stride * turn > 0.5)
        stride--;
    size_t frames = (parts + stride - 1) / stride + 1;
    view->rows = nh_arena_array(arena, frames, sizeof *view->rows);
    for (size_t i = 0; i < frames; i++)
        view->rows[i] = i * stride < parts ? i * stride : parts;
    view->frames = frames;
}

/* ---------------------------------------------------------------- the eye */

/* In space from the front right and above, in the plane from above. */
static void turn_eye(nh_view *view)
{
    const nh_scene *scene = view->scene;
    double first[3], second[3], right[3], up[3];
    nh_tangents(scene->up, first, second);
    for (int k = 0; k < 3; k++)
        view->back[k] = scene->planar ? k == 2 : 0.5 * first[k] - second[k] + 0.55 * scene->up[k];
    nh_unit3(view->back);
    nh_cross3(scene->up, view->back, right);
    nh_unit3(right);
    nh_cross3(view->back, right, up);
    for (int k = 0; k < 3; k++)
        view->lens.m[0][k] = right[k], view->lens.m[1][k] = -up[k];
}

/* How much of the room it takes, of the side where it takes more. */
static double part_of(const box *b, const double *room)
{
    return fmax((b->high[0] - b->low[0]) / room[0], (b->high[1] - b->low[1]) / room[1]);
}

/* Pixels of a unit; curves have a scale for each axis. */
static void scale_by(nh_view *view, const double *scales)
{
    view->scale = scales[0];
    for (int k = 0; k < 6; k++)
        view->lens.m[k / 3][k % 3] *= scales[k / 3];
}

/* Keeps the bodies of each frame in the middle of the picture. */
static void follow(nh_view *view, nh_arena *arena)
{
    view->moved = nh_arena_array(arena, view->frames, sizeof *view->moved);
    for (size_t i = 0; i < view->frames; i++) {
        box now = nowhere;
        include_row(view, view->rows[i], false,
                    &now); /* reaches are not scaled, but the same on both sides */
        view->moved[i][0] = NH_VIEW_WIDTH / 2.0 - (now.low[0] + now.high[0]) / 2;
        view->moved[i][1] = NH_VIEW_HEIGHT / 2.0 - (now.low[1] + now.high[1]) / 2;
    }
}

static void fit(nh_view *view, nh_arena *arena, size_t rows)
{
    enum { MARGIN = 16 };
    const double size[2] = {NH_VIEW_WIDTH, NH_VIEW_HEIGHT};
    double room[2] = {size[0] - 2 * MARGIN, size[1] - 2 * MARGIN}, scales[2], largest = 0;
    box all = nowhere;
    for (size_t row = 0; row < rows; row++) {
        box now = nowhere;
        include_row(view, row, true, &all);
        include_row(view, row, false, &now);
        if (now.low[0] <= now.high[0])
            largest = fmax(largest, part_of(&now, room));
    }
    double whole = part_of(&all, room);
    bool followed = largest > 0 && whole > 9 * largest && !view->scene->curves;
    for (int k = 0; k < 2; k++) {
        double span = view->scene->curves ? (all.high[k] - all.low[k]) / room[k] : whole;
        scales[k] = followed ? 0.42 / largest : span > 0 ? 1 / span : 1;
    }
    scale_by(view, scales);
    for (int k = 0; k < 2 && !followed; k++)
        view->lens.c[k] = size[k] / 2 - scales[k] * (all.low[k] + all.high[k]) / 2;
    if (followed)
        follow(view, arena);
}

static void find_ground(nh_view *view)
{
    const nh_scene *scene = view->scene;
    view->normal[2] = 1;
    for (size_t i = 0; i < scene->count && !scene->planar; i++)
        if (scene->items[i].drawing->shape == NH_SHAPE_GROUND)
            view->ground = &scene->items[i];
    if (!view->ground)
        return;
    nh_place_at(scene, view->ground->other, 0, view->normal);
    nh_unit3(view->normal);
}

bool nh_view_open(nh_view *view, const nh_scene *scene, nh_arena *arena)
{
    *view = (nh_view){.scene = scene};
    turn_eye(view);
    find_ground(view);
    size_t rows = drawable_rows(view);
    if (rows < 2)
        return false;
    choose_frames(view, arena, rows);
    fit(view, arena, rows);
    return true;
}

/* The light comes from above, a little from the left: S x = x - l (x - a).n/(l.n). */
nh_lens nh_lens_of_shadows(const nh_view *view)
{
    nh_lens out = view->lens;
    double l[3], a[3];
    const double *n = view->normal;
    for (int k = 0; k < 3; k++)
        l[k] = -n[k] + 0.3 * view->lens.m[0][k] / view->scale;
    nh_place_at(view->scene, view->ground->at, 0, a);
    for (int k = 0; k < 2; k++) {
        double slant = nh_dot3(view->lens.m[k], l) / nh_dot3(l, n);
        for (int j = 0; j < 3; j++)
            out.m[k][j] -= slant * n[j];
        out.c[k] += slant * nh_dot3(a, n);
    }
    return out;
}
