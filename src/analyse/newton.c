/* Gauss and Newton: J(x) d = -G(x), |d| least; halved while that makes |G| larger. */
#include "analyse/newton.h"
#include "analyse/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct search {
    nh_flow *flow;
    nh_smooth *G;
    const bool *moves;
    size_t n;         /* of the variables that move */
    double tolerance; /* of the rank */
    bool
        by_slopes; /* each G_i is measured by what the variables that move make of it there, however little that is */
    double *values, *J, *part, *step, *trial, *scale;
} search;

static double size_of(const nh_flow *f, const double *x, size_t i) { return fmax(f->scale[i], fabs(x[i])); }

/* What a change of each variable by its size makes of G_i. */
static double change_of(const search *s, const double *inputs, size_t i)
{
    size_t size = s->flow->size;
    double scale = 0;
    for (size_t k = 0; k < size; k++)
        if (!s->by_slopes || !s->moves || s->moves[k])
            scale = fmax(scale, fabs(s->J[i * size + k]) * size_of(s->flow, inputs + 1, k));
    return scale;
}

enum { STATES = 4 };

/* The same at states around the first one: where all derivatives of G_i vanish, rounding is compared with that. */
static void look_around(search *s, const double *inputs)
{
    s->G->scale = nh_doubles(s->flow->arena, s->G->count);
    for (size_t number = 1; number <= STATES; number++) {
        s->trial[0] = inputs[0];
        for (size_t k = 0; k < s->flow->size; k++)
            s->trial[1 + k] =
                inputs[1 + k] +
                s->flow->scale[k] * ((double)(nh_hash(number * 1000003 + k) >> 12 & 0xffff) / 0x8000 - 1);
        if (nh_smooth_derivatives(s->flow, s->G, s->trial, s->J))
            for (size_t i = 0; i < s->G->count; i++)
                s->G->scale[i] = fmax(s->G->scale[i], change_of(s, s->trial, i));
    }
}

static const double LEAST_SCALE = 1e-3;

static void find_scales(search *s, const double *inputs)
{
    for (size_t i = 0; i < s->G->count; i++) {
        s->scale[i] = fmax(change_of(s, inputs, i), s->by_slopes ? 0 : LEAST_SCALE * s->G->scale[i]);
        s->scale[i] = s->scale[i] > 0 ? s->scale[i] : 1;
    }
}

static double largest(const search *s)
{
    double worst = 0;
    for (size_t i = 0; i < s->G->count; i++)
        worst = fmax(worst, fabs(s->values[i]) / s->scale[i]);
    return worst;
}

/* G at inputs, in the scales that there are. */
static double residual_at(search *s, const double *inputs)
{
    return nh_smooth_at(s->flow, s->G, inputs, s->values) ? largest(s) : INFINITY;
}

static const double TOLERANCE = 1e-11; /* of the rank: directions that are this weak are along a family */

static search prepare(nh_flow *f, nh_smooth *G, const bool *moves, const double *inputs)
{
    size_t size = f->size;
    search s = {.flow = f, .G = G, .moves = moves, .tolerance = TOLERANCE};
    for (size_t k = 0; k < size; k++)
        s.n += !moves || moves[k];
    nh_arena *arena = &f->eq->context->arena;
    s.values = nh_doubles(arena, G->count), s.J = nh_doubles(arena, G->count * size);
    s.part = nh_doubles(arena, G->count * s.n), s.step = nh_doubles(arena, s.n);
    s.trial = nh_doubles(arena, size + 1), s.scale = nh_doubles(arena, G->count);
    if (!G->scale)
        look_around(&s, inputs);
    return s;
}

/* d for the variables that move. */
static bool find_step(search *s)
{
    size_t size = s->flow->size, column = 0;
    double *right = nh_doubles(&s->flow->eq->context->arena, s->G->count);
    for (size_t k = 0; k < size; k++) {
        if (s->moves && !s->moves[k])
            continue;
        for (size_t i = 0; i < s->G->count; i++)
            s->part[i * s->n + column] = s->J[i * size + k] / s->scale[i];
        column++;
    }
    for (size_t i = 0; i < s->G->count; i++)
        right[i] = -s->values[i] / s->scale[i];
    return nh_least_squares(&s->flow->eq->context->arena, s->G->count, s->n, s->part, right, s->tolerance,
                            s->step);
}

static void go(const search *s, const double *from, double part, double *to)
{
    size_t column = 0;
    to[0] = from[0];
    for (size_t k = 0; k < s->flow->size; k++)
        to[1 + k] = from[1 + k] + (!s->moves || s->moves[k] ? part * s->step[column++] : 0);
}

static double relative_step(const search *s, const double *inputs)
{
    double worst = 0;
    size_t column = 0;
    for (size_t k = 0; k < s->flow->size; k++)
        if (!s->moves || s->moves[k])
            worst = fmax(worst, fabs(s->step[column++]) / size_of(s->flow, inputs + 1, k));
    return worst;
}

enum { MOST_STEPS = 60, MOST_HALVINGS = 12, MOST_MULTIPLE = 8 };
static const double SLOW_STEP = 0.1, SLOW = 0.4; /* steps that get shorter by little: 1 - 1/m */
static const double LONGEST_STEP = 2, SMALL = 1e-13, NEAR_ENOUGH = 1e-9, ALONG_NEARLY = 1e-3,
                    ALONG = 1e-8; /* of the largest slope: directions along which there are more zeros */

/* Near a root of order m steps are too short by this factor (Schroeder): the best of some multiples. */
static double lengthen(search *s, const double *inputs, double next)
{
    double best = 1;
    for (int m = 2; m <= MOST_MULTIPLE; m++) {
        go(s, inputs, m, s->trial);
        double there = residual_at(s, s->trial);
        if (!(there < next))
            break;
        best = m, next = there;
    }
    go(s, inputs, best, s->trial);
    return next;
}

/* One step; *now is the residual, before and behind it. slow: the last ones were nearly as long. False: none makes it smaller. */
static bool improve(search *s, double *inputs, double *now, bool slow)
{
    double part = fmin(1, LONGEST_STEP / fmax(relative_step(s, inputs), DBL_MIN)), next = INFINITY;
    for (int k = 0; k < MOST_HALVINGS; k++, part /= 2) {
        go(s, inputs, part, s->trial);
        next = residual_at(s, s->trial);
        if (next < *now || (next <= SMALL && part == 1))
            break;
    }
    bool better = next < *now || next <= SMALL;
    if (better && slow && part == 1)
        next = lengthen(s, inputs, next);
    if (better)
        memcpy(inputs, s->trial, (s->flow->size + 1) * sizeof *inputs), *now = next;
    return better;
}

static bool find_zero(search *s, double *inputs)
{
    double last = 0;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (!nh_smooth_at(s->flow, s->G, inputs, s->values) ||
            !nh_smooth_derivatives(s->flow, s->G, inputs, s->J))
            return false;
        find_scales(s, inputs);
        double now = largest(s);
        if (now == 0)
            return true;
        if (!find_step(s))
            return false;
        double step = relative_step(s, inputs);
        bool slow = step < SLOW_STEP && step > SLOW * last && step < last;
        if (!improve(s, inputs, &now, slow) || step < SMALL)
            return now <= 100 * SMALL;
        last = step;
    }
    return residual_at(s, inputs) <= SMALL;
}

bool nh_newton(nh_flow *f, nh_smooth *G, const bool *moves, double *inputs)
{
    nh_arena_mark mark = nh_arena_here(&f->eq->context->arena);
    search s = prepare(f, G, moves, inputs);
    bool found = find_zero(&s, inputs);
    nh_arena_release(&f->eq->context->arena, mark);
    return found;
}

bool nh_newton_by_slopes(nh_flow *f, nh_smooth *G, const bool *moves, double *inputs)
{
    nh_arena_mark mark = nh_arena_here(&f->eq->context->arena);
    search s = prepare(f, G, moves, inputs);
    s.by_slopes = true;
    bool found = find_zero(&s, inputs);
    nh_arena_release(&f->eq->context->arena, mark);
    return found;
}

/* ---------------------------------------------------------------- the nearest one */

static double distance(const nh_flow *f, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < f->size; k++)
        sum += (a[1 + k] - b[1 + k]) / f->scale[k] * ((a[1 + k] - b[1 + k]) / f->scale[k]);
    return sqrt(sum);
}

/* Of the way to the start, what is along the zeros: P (x_0 - x), P projecting on the kernel of J. False: no derivatives. */
static bool find_way_back(search *s, const double *inputs, const double *start, double *way)
{
    size_t size = s->flow->size, count = 0, column = 0;
    nh_arena *arena = &s->flow->eq->context->arena;
    double *basis = nh_doubles(arena, s->n * s->n), *to_start = nh_doubles(arena, s->n);
    if (!nh_smooth_derivatives(s->flow, s->G, inputs, s->J))
        return false;
    find_scales(s, inputs);
    for (size_t k = 0; k < size; k++) {
        if (s->moves && !s->moves[k])
            continue;
        for (size_t i = 0; i < s->G->count; i++)
            s->part[i * s->n + column] = s->J[i * size + k] * s->flow->scale[k] / s->scale[i];
        to_start[column++] = (start[1 + k] - inputs[1 + k]) / s->flow->scale[k];
    }
    if (!nh_kernel(arena, s->G->count, s->n, s->part, ALONG, basis, &count))
        return false;
    memset(way, 0, (size + 1) * sizeof *way);
    for (size_t b = 0; b < count; b++) {
        double part = 0;
        for (size_t i = 0; i < s->n; i++)
            part += basis[b * s->n + i] * to_start[i];
        column = 0;
        for (size_t k = 0; k < size; k++)
            if (!s->moves || s->moves[k])
                way[1 + k] += part * basis[b * s->n + column++] * s->flow->scale[k];
    }
    return true;
}

bool nh_newton_nearest(nh_flow *f, nh_smooth *G, const bool *moves, double *inputs)
{
    nh_arena *arena = &f->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(arena);
    double *start = nh_doubles(arena, f->size + 1), *way = nh_doubles(arena, f->size + 1),
           *trial = nh_doubles(arena, f->size + 1), *zero = nh_doubles(arena, f->size + 1);
    memcpy(start, inputs, (f->size + 1) * sizeof *start);
    search s = prepare(f, G, moves, inputs);
    bool found = nh_newton(f, G, moves, inputs), nearer;
    if (!found) { /* close to a family steps along it are long, and lead away: first without them */
        memcpy(inputs, start, (f->size + 1) * sizeof *inputs);
        s.tolerance = ALONG_NEARLY;
        find_zero(&s, inputs);
        found = nh_newton(f, G, moves, inputs);
    }
    nearer = found;
    for (int step = 0; step < MOST_STEPS && nearer; step++) {
        double before = distance(f, inputs, start), part = 1;
        nearer = find_way_back(&s, inputs, start, way) && distance(f, way, zero) > NEAR_ENOUGH * (1 + before);
        for (int k = 0; nearer; k++, part /= 2) {
            for (size_t i = 0; i <= f->size; i++)
                trial[i] = inputs[i] + part * way[i];
            if (nh_newton(f, G, moves, trial) && distance(f, trial, start) < before)
                break;
            nearer = k < MOST_HALVINGS;
        }
        if (nearer)
            memcpy(inputs, trial, (f->size + 1) * sizeof *inputs);
    }
    nh_arena_release(arena, mark);
    return found;
}

double nh_residual(nh_flow *f, nh_smooth *G, const double *inputs)
{
    nh_arena_mark mark = nh_arena_here(&f->eq->context->arena);
    search s = prepare(f, G, NULL, inputs);
    double worst = INFINITY;
    if (nh_smooth_derivatives(f, G, inputs, s.J)) {
        find_scales(&s, inputs);
        worst = residual_at(&s, inputs);
    }
    nh_arena_release(&f->eq->context->arena, mark);
    return worst;
}
