/* Families of states of rest: which variables are free, which change with others, and which of the states that were found stand
 * for them. */
#include "analyse/dense.h"
#include "analyse/hunt.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- free variables */

static const double ROUNDING = 1e-10;

/* Where there are no derivatives, as at the end of a root, the equations alone tell. */
static bool holds_at(nh_hunt *h, const double *inputs, const bool *marked, size_t number)
{
    double *moved = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(moved, inputs, (h->flow->size + 1) * sizeof *moved);
    for (size_t i = 0; i < h->flow->size; i++)
        if (marked[i])
            moved[1 + i] = nh_hunt_place(h, i, number);
    double residual = nh_residual(h->flow, h->G, moved);
    return (isinf(residual) || residual <= ROUNDING) && nh_hunt_is_solution(h, moved);
}

/* Whether the equations hold wherever the marked variables are: below and above 0, far and near. */
static bool holds_along(nh_hunt *h, const double *inputs, const bool *marked)
{
    bool holds = true;
    for (size_t k = 0; k < NH_ANYWHERE && holds; k++)
        holds = holds_at(h, inputs, marked, k);
    uint64_t random = h->random; /* what is drawn later does not depend on the rest */
    for (size_t k = NH_ANYWHERE; k < NH_PLACES && holds; k++)
        holds = holds_at(h, inputs, marked, k);
    h->random = random;
    return holds;
}

static void find_free(nh_hunt *h, nh_equilibrium *e)
{
    for (size_t k = 0; k < h->flow->size; k++) {
        e->free[k] = h->moves[k];
        if (h->moves[k])
            e->free[k] = holds_along(h, e->inputs, e->free);
        e->dimension += e->free[k];
    }
}

/* 0, or what is nearest to it in the box, for the free ones. */
static void rest_free(nh_hunt *h, nh_equilibrium *e)
{
    for (size_t k = 0; k < h->flow->size; k++)
        if (e->free[k])
            e->inputs[1 + k] = fmin(fmax(0, h->all->low[k]), h->all->high[k]);
}

/* ---------------------------------------------------------------- variables that change together */

/* Nothing that a period fits into; rounding may spoil some. */
static const double APART[] = {9.2736e-3, -9.8696e-3, 6.1807e-3, -4.2331e-3,
                               3.1731e-3, -2.7183e-3, 1.0833e-3, -1.2679e-3};
enum { DISTANCES = sizeof APART / sizeof *APART, ENOUGH = 2 };

/* Of a multiple root the slopes are far smaller there than around it: measured by themselves, without those along velocities that are 0, they lead on. */
static bool follow_slopes(nh_hunt *h, const bool *moves, double *inputs)
{
    bool *others = nh_arena_array(h->flow->arena, h->flow->size + 1, sizeof *others);
    for (size_t k = 0; k < h->flow->size; k++)
        others[k] = (k < h->flow->n || inputs[1 + k] != 0) && moves[k];
    return nh_newton_by_slopes(h->flow, h->G, others, inputs);
}

/* To all digits. */
static bool finds_zero(nh_hunt *h, const bool *moves, double *inputs)
{
    for (int k = 0; k < 2; k++)
        if (!nh_newton(h->flow, h->G, moves, inputs))
            return false;
    nh_hunt_clean(h, inputs, 1e-12);
    return nh_hunt_is_solution(h, inputs) ||
           (follow_slopes(h, moves, inputs) && nh_hunt_is_solution(h, inputs));
}

/* Whether there is a solution so far along a direction of the others: with the variable that changes most held there, so that it is no other one.
 * *way: where it lies from here, of length 1. */
static bool holds_there(nh_hunt *h, const nh_equilibrium *e, const bool *others, const double *direction,
                        double apart, double *way)
{
    size_t size = h->flow->size, most = 0;
    double *inputs = nh_doubles(h->flow->arena, size + 1), along = 0, square = 0;
    bool *moves = nh_arena_array(h->flow->arena, size + 1, sizeof *moves);
    inputs[0] = e->inputs[0];
    for (size_t k = 0; k < size; k++) {
        inputs[1 + k] = e->inputs[1 + k] + apart * nh_hunt_unit(h, e->inputs, k) * direction[k];
        most = fabs(direction[k]) > fabs(direction[most]) ? k : most;
        moves[k] = others[k];
    }
    moves[most] = false;
    if (!finds_zero(h, moves, inputs))
        return false;
    for (size_t k = 0; k < size; k++) {
        way[k] = (inputs[1 + k] - e->inputs[1 + k]) / nh_hunt_unit(h, e->inputs, k);
        along += way[k] * direction[k], square += way[k] * way[k];
    }
    for (size_t k = 0; k < size && square > 0; k++)
        way[k] /= sqrt(square);
    return fabs(along - apart) <= 0.2 * fabs(apart);
}

/* On both sides. */
static bool goes_on(nh_hunt *h, const nh_equilibrium *e, const bool *others, const double *direction,
                    double *way)
{
    size_t above = 0, below = 0;
    for (size_t i = 0; i < DISTANCES && (above < ENOUGH || below < ENOUGH); i++)
        if ((APART[i] < 0 ? below : above) < ENOUGH && holds_there(h, e, others, direction, APART[i], way))
            *(APART[i] < 0 ? &below : &above) += 1;
    return above >= ENOUGH && below >= ENOUGH;
}

nh_equilibrium nh_family_member(nh_hunt *h, const nh_equilibrium *e)
{
    nh_equilibrium any = *e;
    any.inputs = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(any.inputs, e->inputs, (h->flow->size + 1) * sizeof *any.inputs);
    for (size_t k = 0; k < h->flow->size; k++)
        if (e->free[k])
            any.inputs[1 + k] = nh_hunt_place(h, k, 0);
    return any;
}

/* The ways that solutions were found to lie, which are orthonormal, and the sum of the directions that led there. */
typedef struct ways {
    double *basis, *mixture;
    double *changes; /* by variable: the most that one changes on one of them */
    size_t count;
} ways;

/* Along an arc every direction in its plane leads to the same solutions: whether this way is another one than those that are known. What it adds to
 * them becomes one of them. */
static bool is_new(const nh_hunt *h, ways *w, const double *way)
{
    size_t size = h->flow->size;
    double *rest = w->basis + w->count * size, square = 0;
    memcpy(rest, way, size * sizeof *rest);
    for (size_t d = 0; d < w->count; d++) {
        double part = 0;
        for (size_t k = 0; k < size; k++)
            part += way[k] * w->basis[d * size + k];
        for (size_t k = 0; k < size; k++)
            rest[k] -= part * w->basis[d * size + k];
    }
    for (size_t k = 0; k < size; k++)
        square += rest[k] * rest[k];
    for (size_t k = 0; k < size && square > 0; k++)
        rest[k] /= sqrt(square);
    return square > 0.1;
}

/* Two lines that cross are no plane: along a mixture of all directions there have to be solutions, too. */
static bool goes_on_with(nh_hunt *h, const nh_equilibrium *e, const bool *others, ways *w,
                         const double *direction, double *way)
{
    size_t size = h->flow->size;
    double *both = nh_doubles(h->flow->arena, size), *mixed = nh_doubles(h->flow->arena, size), square = 0,
           part = 1 / (1 + (double)w->count);
    for (size_t k = 0; k < size; k++)
        both[k] = w->mixture[k] + part * direction[k], square += both[k] * both[k];
    for (size_t k = 0; k < size; k++)
        both[k] /= sqrt(square);
    if (!goes_on(h, e, others, direction, way) || !is_new(h, w, way) || !goes_on(h, e, others, both, mixed))
        return false;
    for (size_t k = 0; k < size; k++)
        w->mixture[k] += part * direction[k], w->changes[k] = fmax(w->changes[k], fabs(way[k]));
    w->count++;
    return true;
}

/* What changes along a direction at first. */
static void mark_bound(const nh_hunt *h, nh_equilibrium *e, const double *direction)
{
    for (size_t k = 0; k < h->flow->size; k++)
        e->bound[k] = e->bound[k] || fabs(direction[k]) > 1e-6;
    e->dimension++;
}

/* Where the equations change in fewer directions than there are without solutions, what changes on the way to these. */
static void mark_ways(const nh_hunt *h, nh_equilibrium *e, const ways *w)
{
    for (size_t k = 0; k < h->flow->size; k++)
        e->bound[k] = w->changes[k] > 1e-4;
}

/* Directions among the other variables in which the equations do not change at first, and along which there are solutions. */
static void find_bound(nh_hunt *h, nh_equilibrium *e)
{
    size_t size = h->flow->size, n = 0, count = 0;
    nh_arena *arena = h->flow->arena;
    double *basis = nh_doubles(arena, size * size), *direction = nh_doubles(arena, size),
           *way = nh_doubles(arena, size), *part;
    ways w = {nh_doubles(arena, size * size), nh_doubles(arena, size), nh_doubles(arena, size), 0};
    bool *others = nh_arena_array(arena, size + 1, sizeof *others);
    uint64_t random = h->random; /* what is drawn later does not depend on this */
    const nh_equilibrium any = nh_family_member(h, e);
    h->random = random;
    for (size_t k = 0; k < size; k++)
        others[k] = h->moves[k] && !e->free[k], n += others[k];
    if (n == 0 || !(part = nh_hunt_slopes(h, any.inputs, others, n)) ||
        !nh_kernel(arena, h->G->count, n, part, 1e-8, basis, &count))
        return;
    for (size_t d = 0; d < count; d++) {
        for (size_t k = 0, column = 0; k < size; k++)
            direction[k] = others[k] ? basis[d * n + column++] : 0;
        if (goes_on_with(h, &any, others, &w, direction, way))
            mark_bound(h, e, direction);
    }
    if (w.count && w.count < count)
        mark_ways(h, e, &w);
}

/* ---------------------------------------------------------------- the list */

static bool same_set(const nh_flow *f, const bool *a, const bool *b)
{
    return memcmp(a, b, f->size * sizeof *a) == 0;
}

static bool within(const nh_flow *f, const bool *a, const bool *b)
{
    for (size_t k = 0; k < f->size; k++)
        if (a[k] && !b[k])
            return false;
    return true;
}

bool nh_set_has_any(const nh_flow *f, const bool *set)
{
    for (size_t k = 0; k < f->size; k++)
        if (set[k])
            return true;
    return false;
}

bool nh_family_is_everywhere(const nh_flow *f, const nh_equilibrium *e)
{
    bool all = true;
    for (size_t k = 0; k < f->n; k++)
        all = all && e->free[k];
    return all;
}

/* Those that neither is to change have the same values. */
static bool agree(const nh_flow *f, const nh_equilibrium *a, const nh_equilibrium *b, const bool *left_out)
{
    for (size_t k = 0; k < f->size; k++)
        if (!left_out[k] && (b->free[k] || nh_hunt_apart(f, k, a->inputs[1 + k], b->inputs[1 + k]) > 1e-5))
            return false;
    return true;
}

/* Whether b belongs to the family of a, and is not worth a line of its own as a special member of it. */
static bool contains(const nh_flow *f, const nh_equilibrium *a, const nh_equilibrium *b)
{
    if (!nh_set_has_any(f, a->bound))
        return agree(f, a, b, a->free) && !nh_set_has_any(f, b->bound) && within(f, b->free, a->free);
    if (nh_set_has_any(f, a->free) || nh_set_has_any(f, b->free))
        return same_set(f, a->free, b->free) && agree(f, a, b, a->free);
    return agree(f, a, b, a->bound) && a->dimension >= b->dimension && nh_set_has_any(f, b->bound) &&
           within(f, b->bound, a->bound);
}

/* Of two in a family, the one that is closer to 1 in size stands for it: it is nothing special. */
static double oddness(const nh_flow *f, const nh_equilibrium *e)
{
    double sum = 0;
    for (size_t k = 0; k < f->size; k++)
        sum += e->bound[k] ? e->inputs[1 + k] * e->inputs[1 + k] : 0;
    return fabs(log(fmax(sum, 1e-300)));
}

enum { MEMBERS = 6 };

/* Some of those that another one stands for are kept: what is said of it need not be true of them. */
static void stand_for(nh_hunt *h, nh_equilibrium *e, const nh_equilibrium *other)
{
    if (!nh_set_has_any(h->flow, e->bound))
        return;
    for (size_t i = 0; i <= other->n_members && e->n_members < MEMBERS; i++)
        nh_push(h->flow->arena, e->members, e->n_members, e->members_capacity) =
            i ? other->members[i - 1] : other->inputs;
}

/* alone: no other is near by. */
static nh_equilibrium describe(nh_hunt *h, const double *inputs, bool alone)
{
    nh_arena *arena = h->flow->arena;
    size_t size = h->flow->size;
    nh_equilibrium e = {.inputs = nh_doubles(arena, size + 1)};
    e.free = nh_arena_array(arena, size + 1, sizeof *e.free),
    e.bound = nh_arena_array(arena, size + 1, sizeof *e.bound);
    memcpy(e.inputs, inputs, (size + 1) * sizeof *inputs);
    if (alone)
        return e;
    find_free(h, &e);
    find_bound(h, &e);
    rest_free(h, &e);
    nh_newton(h->flow, h->G, h->moves, e.inputs);
    nh_hunt_clean(h, e.inputs, 1e-7);
    return e;
}

/* Whether a member like most is one where free velocities degenerate: where the constraints do as well, that of which it was found is none. */
static bool is_degenerate(nh_hunt *h, const nh_equilibrium *e)
{
    uint64_t random = h->random; /* what is drawn later does not depend on this */
    nh_equilibrium any = nh_family_member(h, e);
    for (size_t k = 0; k < h->flow->size; k++)
        any.inputs[1 + k] += e->bound[k] ? APART[k % DISTANCES] * nh_hunt_unit(h, e->inputs, k) : 0;
    h->random = random;
    if (nh_set_has_any(h->flow, e->bound) &&
        !(nh_newton(h->flow, h->G, h->moves, any.inputs) && nh_hunt_is_solution(h, any.inputs)))
        return false;
    return nh_hunt_is_degenerate(h, any.inputs);
}

/* Those that belong to a new one go. */
void nh_family_add(nh_hunt *h, const double *inputs, bool alone)
{
    nh_equilibrium e = describe(h, inputs, alone);
    nh_equilibria *all = h->all;
    size_t kept = 0;
    if (!alone && e.dimension && is_degenerate(h, &e)) {
        h->degenerate = true;
        return;
    }
    for (size_t i = 0; i < all->count; i++)
        if (contains(h->flow, &all->items[i], &e)) {
            if (contains(h->flow, &e, &all->items[i]) &&
                oddness(h->flow, &e) < oddness(h->flow, &all->items[i]))
                stand_for(h, &e, &all->items[i]), all->items[i] = e;
            else
                stand_for(h, &all->items[i], &e);
            return;
        }
    for (size_t i = 0; i < all->count; i++)
        if (!contains(h->flow, &e, &all->items[i]))
            all->items[kept++] = all->items[i];
        else
            stand_for(h, &e, &all->items[i]);
    all->count = kept;
    nh_push(h->flow->arena, all->items, all->count, all->capacity) = e;
}

void nh_family_add_lone(nh_hunt *h, const double *inputs)
{
    nh_push(h->flow->arena, h->all->items, h->all->count, h->all->capacity) = describe(h, inputs, true);
}

void nh_family_everywhere(nh_hunt *h)
{
    nh_flow *f = h->flow;
    nh_equilibrium e = describe(h, nh_doubles(f->arena, f->size + 1), true);
    e.exact = nh_arena_array(f->arena, f->size + 1, sizeof *e.exact);
    for (size_t k = 0; k < f->size; k++)
        e.free[k] = k < f->n, e.exact[k] = k < f->n ? f->symbols[k] : f->eq->pool.zero;
    e.inputs[0] = f->inputs[0], e.dimension = f->n, e.found = NH_PROVED;
    rest_free(h, &e);
    h->all->count = 0;
    nh_push(f->arena, h->all->items, h->all->count, h->all->capacity) = e;
}

/* ---------------------------------------------------------------- singular families */

/* One where the equations are singular, so that they have no derivatives along which to look for its family. */
static bool is_lone(const nh_flow *f, const nh_equilibrium *e)
{
    return e->singular && !e->exact && !nh_set_has_any(f, e->free);
}

/* The number of directions in which the lone states lie from the first of them. */
static size_t directions(const nh_hunt *h, size_t first)
{
    nh_flow *f = h->flow;
    size_t rows = 0, rank = 0, n = h->all->count < f->size ? h->all->count : f->size;
    double *all = nh_doubles(f->arena, h->all->count * f->size), *S = nh_doubles(f->arena, n),
           *right = nh_doubles(f->arena, f->size * f->size);
    const double *from = h->all->items[first].inputs;
    for (size_t i = first + 1; i < h->all->count; i++) {
        if (!is_lone(f, &h->all->items[i]))
            continue;
        for (size_t k = 0; k < f->size; k++)
            all[rows * f->size + k] = (h->all->items[i].inputs[1 + k] - from[1 + k]) / f->scale[k];
        rows++;
    }
    n = rows < f->size ? rows : f->size;
    if (!nh_singular(f->arena, rows, f->size, all, S, right))
        return 0;
    while (rank < n && S[rank] > 1e-6 * S[0])
        rank++;
    return rank;
}

enum { A_FAMILY = 4 };

void nh_family_gather(nh_hunt *h)
{
    nh_flow *f = h->flow;
    nh_equilibria *all = h->all;
    size_t first = all->count, lone = 0, unknowns = 0, kept = 0;
    for (size_t k = 0; k < f->size; k++)
        unknowns += h->moves[k];
    for (size_t i = 0; i < all->count; i++)
        if (is_lone(f, &all->items[i]))
            first = lone++ ? first : i;
    if (lone < A_FAMILY)
        return;
    size_t dimension = directions(h, first);
    if (dimension == 0 || dimension >= unknowns || lone < dimension + 2)
        return;
    nh_equilibrium *e = &all->items[first];
    bool *bound = nh_arena_array(f->arena, f->size + 1, sizeof *bound);
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < f->size && is_lone(f, &all->items[i]); k++)
            bound[k] = bound[k] || nh_hunt_apart(f, k, all->items[i].inputs[1 + k], e->inputs[1 + k]) > 1e-6;
    for (size_t i = 0; i < all->count; i++)
        if (i <= first || !is_lone(f, &all->items[i]))
            all->items[kept++] = all->items[i];
    all->count = kept;
    all->items[first].bound = bound, all->items[first].dimension = dimension;
}
