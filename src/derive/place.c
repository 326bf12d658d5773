/* Coordinates or velocities onto the constraints: as they are given, or by completing what is left out, with what is given held, or by a
 * small change of all. */
#include "derive/place.h"
#include "derive/plane.h"
#include "derive/refused.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- the unknowns */

bool nh_is_given(nh_equations *eq, const bool *given, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return given[index];
}

/* The unknowns among the coordinates or rates that are not given. */
size_t nh_free_ones(nh_equations *eq, const bool *given, bool rates, nh_expr *out)
{
    size_t count = 0;
    for (size_t i = 0; i < eq->n; i++) {
        nh_expr symbol = rates ? eq->model->coordinates[i].rate : eq->model->coordinates[i].q;
        if (!nh_is_given(eq, given, symbol))
            out[count++] = symbol;
    }
    return count;
}

void nh_all_of(nh_equations *eq, bool rates, nh_expr *out)
{
    for (size_t i = 0; i < eq->n; i++)
        out[i] = rates ? eq->model->coordinates[i].rate : eq->model->coordinates[i].q;
}

/* ---------------------------------------------------------------- how far they are off */

/* A start is known to so many digits; numbers that were computed are known to these. */
static const double GIVEN = 1e-6, COMPUTED = 4 * DBL_EPSILON;

/* By how much the F change where each number may be wrong by a part of itself: those of the state, and all others. So what is asked of
 * an F is relative to its own terms, in whatever units these are. */
static void find_changes(const nh_problem *p, double state, double others, double *changes)
{
    nh_equations *eq = p->eq;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    double *radii = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *radii),
           *F = nh_arena_array(scratch, p->count + 1, sizeof *F);
    memset(radii, 0, (eq->pool.n_symbols + 1) * sizeof *radii);
    for (size_t i = 0; i < eq->model->n_roles; i++) {
        nh_role role = eq->model->roles[i].role;
        bool other = role == NH_ROLE_PARAMETER || role == NH_ROLE_TIME;
        radii[i] = (other ? others : state) * fabs(p->values[i]);
    }
    nh_evaluate_within(&eq->pool, scratch, p->F, p->count, p->values, radii, F, changes);
    nh_arena_release(scratch, mark);
}

/* What F may be and still be 0; beside the end of a root only its own rounding counts. */
static void find_rounding(const nh_problem *p, double *rounding)
{
    double *own = nh_arena_array(&p->eq->arena, p->count + 1, sizeof *own);
    find_changes(p, COMPUTED, COMPUTED, rounding);
    find_changes(p, 0, 0, own);
    for (size_t a = 0; a < p->count; a++)
        if (!isfinite(rounding[a]))
            rounding[a] = isfinite(own[a]) ? own[a] : 0;
}

/* |F_a| relative to its largest derivative and the largest of the unknowns that it depends on, as lengths by the metric. The problem was
 * looked at. */
static double off_by_slope(const nh_placement *w, const nh_problem *p, size_t a)
{
    double slope = 0, size = 0;
    for (size_t i = 0; i < p->n; i++) {
        double g = w->metric ? w->metric[i * p->n + i] : 1, unit = g > 0 ? sqrt(g) : 1;
        double d = fabs(p->out[p->count + a * p->n + i]), x = fabs(*nh_unknown_slot(p, i));
        slope = fmax(slope, d / unit), size = d > 0 ? fmax(size, x * unit) : size;
    }
    return fabs(p->out[a]) / (slope * size);
}

/* How far each F is off 0, relative to what it is made of; 0: by no more than rounding, INFINITY: it has no value, or is at a pole. The
 * worst of them. */
static double find_violations(const nh_placement *w, nh_problem *p, double *off)
{
    double *rounding = nh_arena_array(&w->eq->arena, p->count + 1, sizeof *rounding),
           *terms = nh_arena_array(&w->eq->arena, p->count + 1, sizeof *terms), worst = 0;
    nh_problem_look(p);
    find_rounding(p, rounding);
    find_changes(p, GIVEN, 0, terms);
    for (size_t a = 0; a < p->count; a++) {
        double F = fabs(p->out[a]), by_terms = isfinite(terms[a]) ? F / (terms[a] / GIVEN) : 0;
        off[a] = fmax(off_by_slope(w, p, a), by_terms);
        if (F <= rounding[a])
            off[a] = 0;
        else if (!isfinite(F) || isnan(off[a]))
            off[a] = INFINITY;
        worst = fmax(worst, off[a]);
    }
    return worst;
}

/* ---------------------------------------------------------------- what is left out */

/* Whether F contains an unknown that is not given. */
static bool is_open(const nh_placement *w, nh_expr F) { return nh_contains_any(w->eq, F, w->unknowns, w->n); }

/* The equations that these have an effect on, and those of the others that are violated. */
static size_t equations_left(const nh_placement *w, const double *off, nh_expr *left)
{
    size_t kept = 0;
    for (size_t a = 0; a < w->count; a++)
        if (is_open(w, w->F[a]) || !(off[a] < GIVEN))
            left[kept++] = w->F[a];
    return kept;
}

/* Whether 0 for them will not do. */
static bool is_to_be_completed(const nh_placement *w, const double *off)
{
    bool any = false;
    for (size_t a = 0; a < w->count; a++)
        any = any || (off[a] > 0 && (is_open(w, w->F[a]) || !(off[a] < GIVEN)));
    return any && w->n > 0;
}

/* The part of the metric for what is not given. */
static double *metric_left(const nh_placement *w)
{
    size_t all = w->eq->n;
    double *W = nh_arena_array(&w->eq->arena, w->n * w->n + 1, sizeof *W), *next = W;
    for (size_t i = 0; i < all; i++)
        for (size_t j = 0; j < all; j++)
            if (!nh_is_given(w->eq, w->given, w->all[i]) && !nh_is_given(w->eq, w->given, w->all[j]))
                *next++ = w->metric[i * all + j];
    return W;
}

/* g_ij v^j for the free i, over the given j: the part of the kinetic energy that is linear in the free velocities. */
static double *coupling(const nh_placement *w, const double *v)
{
    size_t all = w->eq->n;
    double *out = nh_arena_array(&w->eq->arena, w->n + 1, sizeof *out), *next = out;
    for (size_t i = 0; i < all; i++) {
        if (nh_is_given(w->eq, w->given, w->all[i]))
            continue;
        *next = 0;
        for (size_t j = 0; j < all; j++)
            if (nh_is_given(w->eq, w->given, w->all[j]))
                *next += w->metric[i * all + j] * v[j];
        next++;
    }
    return out;
}

/* The coordinates or velocities that have to do with those that are left out: in the same equations, or in the same kinetic energy. */
static bool *related(const nh_placement *w, const nh_expr *left, size_t n_left)
{
    nh_equations *eq = w->eq;
    size_t all = eq->n;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends),
         *there = nh_arena_array(&eq->arena, all + 1, sizeof *there);
    nh_find_symbols(&eq->pool, &eq->context->arena, left, n_left, depends);
    for (size_t j = 0; j < all; j++) {
        there[j] = nh_is_given(eq, depends, w->all[j]);
        for (size_t i = 0; i < all && w->metric; i++)
            there[j] = there[j] || (w->metric[i * all + j] != 0 && !nh_is_given(eq, w->given, w->all[i]));
    }
    return there;
}

/* The largest of these, as lengths by the metric. */
static double size_of(const nh_placement *w, const bool *there, const double *v)
{
    size_t all = w->eq->n;
    double size = 0;
    for (size_t i = 0; i < all; i++) {
        double g = w->metric ? w->metric[i * all + i] : 1;
        size = there[i] ? fmax(size, fabs(v[i]) * (g > 0 ? sqrt(g) : 1)) : size;
    }
    return isfinite(size) ? size : 0;
}

/* By what is not given alone. */
static bool complete(const nh_placement *w, nh_problem *whole, const double *off, nh_attempt *attempt)
{
    nh_expr *left = nh_array(w->eq, w->count);
    size_t n_left = equations_left(w, off, left);
    const double *before = nh_unknowns_now(whole);
    nh_problem *rest = nh_arena_array(&w->eq->arena, 1, sizeof *rest);
    double *other = nh_arena_array(&w->eq->arena, w->n + 1, sizeof *other);
    *rest = nh_problem_of(w->eq, w->values, left, n_left, w->unknowns, w->n);
    rest->strict = rest->dependent = true;
    nh_problem_cost(rest, w->metric ? metric_left(w) : NULL, nh_unknowns_now(rest),
                    w->metric ? coupling(w, before) : NULL, size_of(w, related(w, left, n_left), before));
    attempt->rest = rest, attempt->apart = other;
    attempt->found = nh_least(rest, other);
    for (size_t i = 0; i < w->n; i++)
        other[i] -= *nh_slot_of(w->eq, w->values, w->unknowns[i]);
    attempt->enough = w->n >= n_left || attempt->found == NH_SEVERAL_FOUND;
    return attempt->found == NH_ONE_FOUND;
}

/* ---------------------------------------------------------------- all of them */

/* By a small change from where they are. */
static bool correct(const nh_placement *w, nh_problem *whole)
{
    nh_problem_cost(whole, w->metric, nh_unknowns_now(whole), NULL, 0);
    return nh_nearest(whole);
}

/* Whatever the distance. */
static bool move_all(const nh_placement *w, nh_problem *whole, const double *from, nh_attempt *attempt)
{
    double *other = nh_arena_array(&w->eq->arena, w->eq->n + 1, sizeof *other);
    nh_unknowns_set(whole, from);
    nh_problem_cost(whole, w->metric, from, NULL, 0);
    attempt->moved = nh_least(whole, other);
    return attempt->moved == NH_ONE_FOUND;
}

/* Whether equations in given ones alone are still off by a little. */
static bool is_rest_off(const nh_placement *w, const double *off)
{
    bool any = false;
    for (size_t a = 0; a < w->count; a++)
        any = any || (off[a] > 0 && !is_open(w, w->F[a]));
    return any;
}

static nh_placement with_unknowns(nh_placement w)
{
    w.all = nh_array(w.eq, w.eq->n), w.unknowns = nh_array(w.eq, w.eq->n);
    w.n = nh_free_ones(w.eq, w.given, w.rates, w.unknowns);
    nh_all_of(w.eq, w.rates, w.all);
    return w;
}

bool nh_bring_onto(nh_placement *placement)
{
    nh_placement w = with_unknowns(*placement);
    nh_problem whole = nh_problem_of(w.eq, w.values, w.F, w.count, w.all, w.eq->n);
    nh_attempt attempt = {.whole = &whole, .rates = w.rates, .project = w.project};
    double *off = nh_arena_array(&w.eq->arena, w.count + 1, sizeof *off);
    attempt.off = find_violations(&w, &whole, off);
    const double *before = nh_unknowns_now(&whole);
    placement->how = NH_AS_GIVEN;
    if (attempt.off == 0)
        return true;
    placement->how = NH_COMPLETED;
    if (is_to_be_completed(&w, off) && complete(&w, &whole, off, &attempt) &&
        (!is_rest_off(&w, off) || correct(&w, &whole))) {
        w.eq->started->guessed |= !attempt.rest->affine;
        return true;
    }
    placement->how = NH_MOVED;
    nh_unknowns_set(&whole, before);
    if ((attempt.off < GIVEN && correct(&w, &whole)) || (w.project && move_all(&w, &whole, before, &attempt)))
        return true;
    nh_unknowns_set(&whole, before);
    return nh_refuse_attempt(&attempt);
}
