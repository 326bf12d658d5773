/* The state of least cost on some equations:
 *
 *     1/2 (x - x0)^T W (x - x0) + pull x   least, with   F(x) = 0.
 *
 * First onto F = 0, then along it by Newton's method in the tangent plane, with the curvature of F. */
#include "derive/plane.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- along the equations */

/* W (x - x0) + pull, in units of s. */
static void find_slope(const nh_problem *p, const nh_plane *at, double *slope)
{
    size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        slope[i] = p->pull ? p->pull[i] : 0;
        for (size_t j = 0; j < n; j++)
            if (p->W ? p->W[i * n + j] != 0 : i == j)
                slope[i] += (p->W ? p->W[i * n + j] : 1) * (*nh_unknown_slot(p, j) - p->x0[j]);
        slope[i] *= at->d[i];
    }
}

/* 1/2 (x - x0)^T W (x - x0) + pull x */
static double cost(nh_problem *p)
{
    double sum = 0;
    size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        double x = *nh_unknown_slot(p, i), a = x - p->x0[i];
        sum += p->pull ? p->pull[i] * x : 0;
        for (size_t j = 0; j < n; j++)
            if (p->W ? p->W[i * n + j] != 0 : i == j)
                sum += 0.5 * (p->W ? p->W[i * n + j] : 1) * a * (*nh_unknown_slot(p, j) - p->x0[j]);
    }
    return sum;
}

/* mu with J^T mu = -slope in the span of the rows: R^T mu = -Q slope. */
static void find_multipliers(const nh_problem *p, nh_plane *at, const double *slope)
{
    size_t n = at->n, r = p->count;
    for (size_t l = at->rank; l-- > 0;) {
        double sum = -nh_inner(at->Q + l * n, slope, n);
        for (size_t k = l + 1; k < at->rank; k++)
            sum -= at->R[k * r + l] * at->c[k];
        at->c[l] = sum / at->R[l * r + l];
    }
}

/* The size of the state, by W; 1 where everything is 0. */
static double reach(const nh_problem *p, const nh_plane *at)
{
    double size = p->size;
    for (size_t i = 0; i < p->n; i++)
        size = fmax(size, fabs(*nh_unknown_slot(p, i)) / at->d[i]);
    return size > 0 && isfinite(size) ? size : 1;
}

/* The gradient of mu F/l, in s; the state was looked at. */
static void add_gradient(const nh_problem *p, const nh_plane *at, double factor, double *out)
{
    for (size_t k = 0; k < at->rank; k++) {
        size_t a = at->picked[k];
        const double *J = p->out + p->count + a * p->n;
        for (size_t i = 0; i < p->n; i++)
            out[i] += factor * at->c[k] * (J[i] * at->d[i] / at->length[a]);
    }
}

/* (W + the second derivatives of mu F/l) v, these by differences. */
static void bend(nh_problem *p, const nh_plane *at, const double *v, double *out)
{
    size_t n = p->n;
    nh_arena_mark mark = nh_arena_here(&p->eq->arena);
    double *from = nh_unknowns_now(p), h = 1e-5 * reach(p, at);
    memset(out, 0, n * sizeof *out);
    for (int side = -1; side <= 1 && !p->affine; side += 2) {
        nh_plane_go(p, at, from, v, side * h);
        nh_problem_look(p);
        add_gradient(p, at, side / (2 * h), out);
    }
    nh_unknowns_set(p, from);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (p->W ? p->W[i * n + j] != 0 : i == j)
                out[i] += at->d[i] * (p->W ? p->W[i * n + j] : 1) * at->d[j] * v[j];
    nh_arena_release(&p->eq->arena, mark);
}

/* The cost to second order along F = 0, in the m free directions of Q: slope t + 1/2 t^T H t. */
static void restrict_cost(nh_problem *p, nh_plane *at, double *H, double *slope)
{
    size_t n = p->n, m = n - at->rank;
    const double *free = at->Q + at->rank * n;
    double *whole = nh_plane_numbers(p, n), *image = nh_plane_numbers(p, n);
    find_slope(p, at, whole);
    find_multipliers(p, at, whole);
    for (size_t k = 0; k < m; k++) {
        slope[k] = nh_inner(whole, free + k * n, n);
        bend(p, at, free + k * n, image);
        for (size_t l = 0; l < m; l++)
            H[k * m + l] = nh_inner(image, free + l * n, n);
    }
    for (size_t k = 0; k < m; k++)
        for (size_t l = 0; l < k; l++)
            H[k * m + l] = H[l * m + k] = (H[k * m + l] + H[l * m + k]) / 2;
}

/* Whether all eigenvalues of H, of which none is lost, are larger than that. */
static bool is_above(const nh_problem *p, const double *H, size_t m, double bound)
{
    nh_arena_mark mark = nh_arena_here(&p->eq->arena);
    double *S = nh_plane_numbers(p, m * m);
    memcpy(S, H, m * m * sizeof *S);
    bool above = nh_is_positive(S, m, -bound);
    nh_arena_release(&p->eq->arena, mark);
    return above;
}

/* What differences, or rounding, leave of 0, for W has the diagonal 1. */
static double flat(const nh_problem *p) { return p->affine ? 1e-13 : 1e-8; }

/* t = -(H + shift)^-1 slope with what makes it positive; into slope. */
static bool solve_newton(const nh_problem *p, double *H, double *slope, size_t m)
{
    double shift = 0;
    for (double size = 1e-3; shift < 1e30 && !is_above(p, H, m, flat(p) - shift); size *= 4)
        shift = size;
    for (size_t k = 0; k < m; k++)
        H[k * m + k] += shift, slope[k] = -slope[k];
    size_t *order = nh_arena_array(&p->eq->arena, m + 1, sizeof *order);
    double *t = nh_plane_numbers(p, m);
    bool regular = nh_factor_dense(H, order, m, 0);
    if (regular)
        nh_solve_dense(H, order, m, slope, t);
    memcpy(slope, t, m * sizeof *t);
    return regular;
}

/* The step along F = 0 to the least cost, into at->step; its length, NAN: none. *strict: the cost grows in all directions. */
static double find_step(nh_problem *p, nh_plane *at, bool *strict)
{
    size_t n = p->n;
    nh_arena_mark mark = nh_arena_here(&p->eq->arena);
    nh_problem_look(p);
    nh_plane_rows(p, at);
    nh_plane_rest(at);
    size_t m = n - at->rank;
    double *H = nh_plane_numbers(p, m * m), *t = nh_plane_numbers(p, m);
    restrict_cost(p, at, H, t);
    *strict = is_above(p, H, m, flat(p));
    bool found = solve_newton(p, H, t, m);
    memset(at->step, 0, n * sizeof *at->step);
    for (size_t k = 0; k < m && found; k++)
        for (size_t i = 0; i < n; i++)
            at->step[i] += t[k] * at->Q[(at->rank + k) * n + i];
    nh_arena_release(&p->eq->arena, mark);
    return found ? nh_length(at->step, n) : NAN;
}

/* Goes that step, as far as it makes the cost less; a tiny one in any case, for the cost does not tell there. */
static bool slide(nh_problem *p, nh_plane *at, nh_plane *beside, bool tiny)
{
    nh_arena_mark mark = nh_arena_here(&p->eq->arena);
    double *from = nh_unknowns_now(p), now = cost(p);
    bool less = false;
    for (double part = 1; part > 1e-6 && !less; part /= 2) {
        nh_plane_go(p, at, from, at->step, part);
        less = nh_plane_onto(p, beside) && (tiny || cost(p) < now);
    }
    if (!less)
        nh_unknowns_set(p, from);
    nh_arena_release(&p->eq->arena, mark);
    return less;
}

enum { STEPS = 100 };

/* How a search ended: nowhere; where others may be as good; at a least value in all directions. */
typedef enum end { NOWHERE, LEVEL, LEAST } end;

static end minimise(nh_problem *p, nh_plane *at, nh_plane *beside)
{
    double last = INFINITY;
    if (!nh_plane_onto(p, at))
        return NOWHERE;
    for (int step = 0; step < STEPS; step++) {
        bool strict = false;
        double length = find_step(p, at, &strict) / reach(p, at);
        bool tiny = length < 1e-6;
        if (isnan(length))
            return NOWHERE;
        if (length < 1e-15 || (tiny && !(length < 0.5 * last)))
            return strict ? LEAST : LEVEL;
        last = tiny ? length : INFINITY;
        if (!slide(p, at, beside, tiny))
            return NOWHERE;
    }
    return NOWHERE;
}

/* Where equations depend on each other, whether F = 0 goes on in all directions that they leave free: a step of h along one is off by less
 * than h/10. It is not so at the tip of a cone. */
static bool goes_on(nh_problem *p, nh_plane *at, nh_plane *beside)
{
    double *from = nh_unknowns_now(p), h = 1e-4 * reach(p, at);
    bool smooth = true;
    nh_problem_look(p);
    nh_plane_rows(p, at);
    nh_plane_rest(at);
    for (size_t k = at->rank; k < p->n && at->rank < p->count && smooth; k++) {
        double off = 0;
        nh_plane_go(p, at, from, at->Q + k * p->n, h);
        double *there = nh_unknowns_now(p);
        smooth = nh_plane_onto(p, beside);
        for (size_t i = 0; i < p->n; i++)
            off = fmax(off, fabs(*nh_unknown_slot(p, i) - there[i]) / at->d[i]);
        smooth = smooth && off < 0.1 * h;
    }
    nh_unknowns_set(p, from);
    return smooth;
}

bool nh_nearest(nh_problem *p)
{
    double *before = nh_unknowns_now(p);
    nh_plane at = nh_plane_of(p), beside = nh_plane_of(p);
    bool found = minimise(p, &at, &beside) == LEAST && goes_on(p, &at, &beside);
    if (!found)
        nh_unknowns_set(p, before);
    return found;
}

/* ---------------------------------------------------------------- from many starts */

/* So many starts at most, until so many have come to an end, and while there was no more work than that (a part of a second). */
enum { STARTS = 60, ENDS = 24 };
static const double WORK = 1e7;

/* At x0 itself, then at random places around it, in six sizes. */
static void guess(nh_problem *p, const nh_plane *at, uint64_t start)
{
    double size = start ? 0.3 * exp2((double)(start % 6)) * (p->size > 0 ? p->size : 1) : 0;
    for (size_t i = 0; i < p->n; i++) {
        double chance = 2 * (double)(nh_hash(start * 1000 + i) >> 11) * 0x1p-53 - 1;
        *nh_unknown_slot(p, i) = p->x0[i] + size * at->d[i] * chance;
    }
}

typedef struct best {
    double *x, *other, cost;
    bool strict, several;
} best;

/* The size of two states, by W: what is less than rounding of all that goes with them is none. */
static double size_of_both(const nh_problem *p, const nh_plane *at, const double *other)
{
    double size = 1e-7 * p->size;
    for (size_t i = 0; i < p->n; i++)
        size = fmax(size, fmax(fabs(*nh_unknown_slot(p, i)), fabs(other[i])) / at->d[i]);
    return size > 0 && isfinite(size) ? size : 1;
}

/* Compares the state with the best one so far. */
static void compare(nh_problem *p, const nh_plane *at, best *b, bool strict)
{
    double found = cost(p), size = size_of_both(p, at, b->x), apart = 0;
    double noise = 1e-9 * (fabs(b->cost) + size * size) + 1e-14 * p->size * p->size; /* F = 0 to rounding */
    bool same = isfinite(b->cost) && fabs(found - b->cost) <= noise;
    for (size_t i = 0; i < p->n; i++)
        apart = fmax(apart, fabs(*nh_unknown_slot(p, i) - b->x[i]) / at->d[i]);
    if (same && apart > 1e-6 * size && !b->several) {
        b->several = true;
        for (size_t i = 0; i < p->n; i++)
            b->other[i] = *nh_unknown_slot(p, i);
    }
    if (same || found > b->cost)
        return;
    b->cost = found, b->strict = strict, b->several = false;
    for (size_t i = 0; i < p->n; i++)
        b->x[i] = b->other[i] = *nh_unknown_slot(p, i);
}

nh_search_end nh_least(nh_problem *p, double *other)
{
    nh_plane at = nh_plane_of(p), beside = nh_plane_of(p);
    best b = {.x = nh_plane_numbers(p, p->n), .other = other, .cost = INFINITY};
    const double *before = nh_unknowns_now(p);
    int ends = 0, starts = p->affine ? 1 : STARTS;
    p->work = 0;
    for (int start = 0; start < starts && ends < ENDS && (start == 0 || p->work < WORK); start++) {
        guess(p, &at, (uint64_t)start);
        end how = minimise(p, &at, &beside);
        if (how == NOWHERE)
            continue;
        ends++;
        compare(p, &at, &b, how == LEAST);
    }
    nh_unknowns_set(p, isfinite(b.cost) ? b.x : before);
    if (!isfinite(b.cost))
        return NH_NONE_FOUND;
    return b.several || !b.strict || !goes_on(p, &at, &beside) ? NH_SEVERAL_FOUND : NH_ONE_FOUND;
}
