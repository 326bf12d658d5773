/* Newton's method from many starts, and what the solutions have in common.
 *
 * The equations are psi^i = 0, Z_alpha = 0 with the lower index, and the position constraints: at singular states, where Z^alpha has
 * no value, they have solutions, too. */
#include "analyse/equilibria.h"
#include "algebra/algebra.h"
#include "analyse/dense.h"
#include "analyse/enclose.h"
#include "analyse/exact.h"
#include "analyse/members.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

typedef struct hunt {
    nh_flow *flow;
    nh_smooth *G;
    const bool *moves; /* by variable: the unknowns */
    const nh_expr *roots;
    size_t n_roots;
    nh_equilibria *all;
    bool degenerate; /* see is_degenerate: the search is in vain */
    uint64_t random;
} hunt;

/* ---------------------------------------------------------------- the equations */

/* Those that contain the time have to hold at all times: they are taken at three. */
static size_t at_all_times(nh_flow *f, nh_expr *roots, size_t count)
{
    static const int64_t parts[] = {12345679, 31735913}; /* of 10^7: nothing that a period fits into */
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    uint32_t index = 0;
    nh_is_symbol(pool, eq->model->time, &index);
    size_t all = count;
    for (size_t i = 0; i < count; i++) {
        bool *depends = nh_arena_array(f->arena, pool->n_symbols + 1, sizeof *depends);
        nh_find_symbols(pool, &eq->context->arena, &roots[i], 1, depends);
        for (size_t k = 0; k < 2 && depends[index]; k++) {
            nh_expr later = nh_add(pool, eq->model->time,
                                   nh_div(pool, nh_integer(pool, parts[k]), nh_integer(pool, 10000000)));
            nh_substitute(pool, &eq->context->arena, &roots[i], 1, &eq->model->time, &later, 1,
                          &roots[all++]);
        }
    }
    return all;
}

/* Of the variables that are to be constant. */
static nh_expr *equations(nh_flow *f, const bool *takes_part, size_t *count)
{
    const nh_equations *eq = f->eq;
    nh_expr *roots = nh_arena_array(f->arena, 3 * (f->size + eq->m + f->held->count) + 1, sizeof *roots);
    for (size_t i = 0; i < eq->n; i++)
        if (takes_part[i])
            roots[(*count)++] = f->second ? eq->model->coordinates[i].rate : eq->first.psi[i];
    bool in_z = !f->second || !eq->first.psi;
    for (size_t k = 0; k < (in_z ? eq->m : eq->n); k++) /* D where there is a psi that is not used */
        roots[(*count)++] = in_z ? eq->first.Z_lower[k] : f->rates[eq->n + k];
    memcpy(roots + *count, f->held_roots, f->held->count * sizeof *roots);
    *count += f->held->count;
    *count = at_all_times(f, roots, *count);
    return roots;
}

/* ---------------------------------------------------------------- the box */

static const double WIDE = 10;

/* Angles: a turn; everything else: -10 to 10; or as the model's ranges say. */
static void find_box(hunt *h)
{
    const nh_model *model = h->flow->eq->model;
    nh_equilibria *all = h->all;
    all->low = nh_doubles(h->flow->arena, h->flow->size),
    all->high = nh_doubles(h->flow->arena, h->flow->size);
    for (size_t k = 0; k < h->flow->size; k++) {
        double size = h->flow->angle[k] ? acos(-1) : WIDE;
        all->low[k] = -size, all->high[k] = size;
        for (size_t i = 0; i < model->n_ranges; i++)
            if (model->ranges[i].symbol == h->flow->symbols[k]) {
                double a = nh_flow_number(h->flow, model->ranges[i].from),
                       b = nh_flow_number(h->flow, model->ranges[i].to);
                if (isfinite(a) && isfinite(b))
                    all->low[k] = fmin(a, b), all->high[k] = fmax(a, b);
            }
        double half = (all->high[k] - all->low[k]) / 2;
        h->flow->scale[k] = half > 0 ? fmin(1, half) : 1;
    }
}

static double draw(hunt *h)
{
    h->random += 0x9e3779b97f4a7c15u;
    return (double)(nh_hash(h->random) >> 11) / 9007199254740992.0;
}

/* A third of the starts at rest, a third close to the origin. In every second search some variables are 0 and stay so: that leads
 * to the special members of families. */
static void draw_start(hunt *h, size_t number, double *inputs, bool *moves)
{
    inputs[0] = h->flow->inputs[0];
    for (size_t k = 0; k < h->flow->size; k++) {
        double x = h->all->low[k] + (h->all->high[k] - h->all->low[k]) * draw(h);
        bool rest = number % 3 == 1 && k >= h->flow->n, zero = draw(h) < 0.5 && number % 2;
        inputs[1 + k] = !h->moves[k]      ? h->flow->inputs[1 + k]
                        : rest || zero    ? 0
                        : number % 3 == 2 ? 0.1 * x
                                          : x;
        moves[k] = h->moves[k] && !zero;
    }
}

/* Angles by whole turns into the box; false: it is outside. */
static bool into_box(const hunt *h, double *inputs)
{
    double turn = 2 * acos(-1);
    for (size_t k = 0; k < h->flow->size; k++) {
        double low = h->all->low[k], high = h->all->high[k], margin = 1e-9 * (1 + fabs(high) + fabs(low));
        if (!h->moves[k])
            continue;
        if (h->flow->angle[k] && inputs[1 + k] < low - margin)
            inputs[1 + k] += turn * ceil((low - margin - inputs[1 + k]) / turn);
        if (h->flow->angle[k] && inputs[1 + k] > high + margin)
            inputs[1 + k] -= turn * ceil((inputs[1 + k] - high - margin) / turn);
        if (h->flow->angle[k] && inputs[1 + k] < low + margin && high - low > turn - 2 * margin)
            inputs[1 + k] += turn; /* pi rather than -pi */
        if (inputs[1 + k] < low - margin || inputs[1 + k] > high + margin)
            return false;
    }
    return true;
}

static const double USELESS = 1e-6;

/* What Newton's method may leave of the state, by symbol; what is 0 is so by choice. */
static double *radii_of(const nh_flow *f, const double *inputs)
{
    double *radii = nh_doubles(f->arena, f->eq->pool.n_symbols);
    for (size_t k = 0; k < f->size; k++) {
        uint32_t index = 0;
        if (inputs[1 + k] != 0 && nh_is_symbol(&f->eq->pool, f->symbols[k], &index))
            radii[index] = 1e-12 * fmax(f->scale[k], fabs(inputs[1 + k]));
    }
    return radii;
}

/* No equation may jump that near to the state, as sign(v) does beside v = 0. */
static bool jumps_nearby(hunt *h, const double *inputs, const double *values, double *out, double *errors)
{
    nh_equations *eq = h->flow->eq;
    bool jumps = false;
    nh_evaluate_within(&eq->pool, &eq->context->arena, h->roots, h->n_roots, values,
                       radii_of(h->flow, inputs), out, errors);
    for (size_t i = 0; i < h->n_roots; i++)
        jumps = jumps || !isfinite(errors[i]);
    return jumps;
}

/* In which a variable is measured. */
static double unit_of(const hunt *h, const double *inputs, size_t k)
{
    return fmax(h->flow->scale[k], fabs(inputs[1 + k]));
}

/* The equations hold within rounding, of the formulas and of the state, and the energies have values there. Rounding must not be all
 * that there is of an equation: next to a state where it has no value, as 0/0, it can have any, with slopes without bound. */
static bool holds_at_state(hunt *h, const double *inputs, bool rough)
{
    nh_flow *f = h->flow;
    nh_equations *eq = f->eq;
    size_t count = h->n_roots;
    nh_arena *arena = f->arena;
    double *values = nh_doubles(arena, eq->pool.n_symbols), *out = nh_doubles(arena, count + 2),
           *errors = nh_doubles(arena, count + 2), *J = nh_doubles(arena, count * f->size);
    nh_expr *roots = nh_arena_array(arena, count + 2, sizeof *roots);
    memcpy(roots, h->roots, count * sizeof *roots);
    roots[count] = eq->model->kinetic, roots[count + 1] = eq->model->potential;
    nh_model_parameter_values(eq->model, &eq->context->arena, values);
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, eq->model->time, &index);
    values[index] = inputs[0];
    nh_flow_values(f, inputs + 1, values);
    if (f->corners && jumps_nearby(h, inputs, values, out, errors))
        return false;
    nh_evaluate(&eq->pool, &eq->context->arena, roots, count + 2, values, out, errors);
    if (!isfinite(out[count]) || !isfinite(out[count + 1]))
        return false;
    if (!nh_smooth_derivatives(f, h->G, inputs,
                               J)) /* the equations themselves may have values, as sqrt|v| has at 0 */
        memset(J, 0, count * f->size * sizeof *J);
    for (size_t i = 0; i < count; i++) {
        double of_state = 0;
        for (size_t k = 0; k < f->size; k++) /* 0 is exact, and next to it numbers are fine */
            of_state += fabs(J[i * f->size + k]) * 4e-16 *
                        (rough && inputs[1 + k] != 0 ? unit_of(h, inputs, k) : fabs(inputs[1 + k]));
        double scale = h->G->scale && h->G->scale[i] > 0 ? h->G->scale[i] : 1;
        if (!(fabs(out[i]) <= 100 * (errors[i] + of_state)) || !(errors[i] + of_state <= USELESS * scale))
            return false;
    }
    return true;
}

/* Also where what is nearly 0 is 0. Where nothing has a value there, as in v/|v|, numbers next to it are as good as their size allows. */
static bool is_solution(hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    double *cleaned = nh_doubles(f->arena, f->size + 1), *values = nh_doubles(f->arena, h->n_roots);
    bool other = false;
    memcpy(cleaned, inputs, (f->size + 1) * sizeof *cleaned);
    for (size_t k = 0; k < f->size; k++)
        if (inputs[1 + k] != 0 && fabs(inputs[1 + k]) < 1e-7 * f->scale[k])
            cleaned[1 + k] = 0, other = true;
    if (!other || holds_at_state(h, inputs, false))
        return other || holds_at_state(h, inputs, false);
    return nh_smooth_at(f, h->G, cleaned, values) ? holds_at_state(h, cleaned, false)
                                                  : holds_at_state(h, inputs, true);
}

/* Whether free velocities that the program chose degenerate, where the constraints themselves are independent: psi_alpha Z^alpha says nothing of
 * the accelerations there. */
static bool is_degenerate(const hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    const nh_equations *eq = f->eq;
    return !f->second && !eq->second.reason && !eq->model->psi && eq->r &&
           nh_flow_regularity(f, inputs) < 1e-9 && nh_flow_independence(f, inputs) > 1e-6;
}

/* ---------------------------------------------------------------- families */

static const double ROUNDING = 1e-10;

enum { ANYWHERE = 3, SLICES = 16, NEAR_ZERO = 8, PLACES = ANYWHERE + SLICES + NEAR_ZERO };

/* Anywhere in the box; then once in each slice of it, in another order for each variable; then on both sides of 0, or of what is
 * nearest to it, in powers: forces may have corners. */
static double place_in_box(hunt *h, size_t i, size_t number)
{
    double low = h->all->low[i], high = h->all->high[i], part = draw(h);
    if (number < ANYWHERE)
        return low + (high - low) * part;
    size_t turn = number - ANYWHERE, slice = (turn * (2 * i + 1) + 5 * i) % SLICES;
    if (turn < SLICES)
        return low + (high - low) * ((double)slice + part) / SLICES;
    double middle = fmin(fmax(0, low), high), end = (turn + i) % 2 ? low : high;
    return middle +
           (end - middle) * pow(10, -3 * ((double)(slice / 2 % (NEAR_ZERO / 2)) + part) / (NEAR_ZERO / 2));
}

static bool holds_at(hunt *h, const double *inputs, const bool *marked, size_t number)
{
    double *moved = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(moved, inputs, (h->flow->size + 1) * sizeof *moved);
    for (size_t i = 0; i < h->flow->size; i++)
        if (marked[i])
            moved[1 + i] = place_in_box(h, i, number);
    return nh_residual(h->flow, h->G, moved) <= ROUNDING && is_solution(h, moved);
}

/* Whether the equations hold wherever the marked variables are: below and above 0, far and near. */
static bool holds_along(hunt *h, const double *inputs, const bool *marked)
{
    bool holds = true;
    for (size_t k = 0; k < ANYWHERE && holds; k++)
        holds = holds_at(h, inputs, marked, k);
    uint64_t random = h->random; /* what is drawn later does not depend on the rest */
    for (size_t k = ANYWHERE; k < PLACES && holds; k++)
        holds = holds_at(h, inputs, marked, k);
    h->random = random;
    return holds;
}

static void find_free(hunt *h, nh_equilibrium *e)
{
    for (size_t k = 0; k < h->flow->size; k++) {
        e->free[k] = h->moves[k];
        if (h->moves[k])
            e->free[k] = holds_along(h, e->inputs, e->free);
        e->dimension += e->free[k];
    }
}

/* 0, or what is nearest to it in the box, for the free ones. */
static void rest_free(hunt *h, nh_equilibrium *e)
{
    for (size_t k = 0; k < h->flow->size; k++)
        if (e->free[k])
            e->inputs[1 + k] = fmin(fmax(0, h->all->low[k]), h->all->high[k]);
}

static const double HIDDEN = 0.05; /* beside the size of a variable */

/* Numbers that are nearly 0 become 0, where the equations like that: near a multiple root Newton's steps are short. */
static bool clean(hunt *h, double *inputs, double near)
{
    double *cleaned = nh_doubles(h->flow->arena, h->flow->size + 1);
    bool any = false;
    memcpy(cleaned, inputs, (h->flow->size + 1) * sizeof *cleaned);
    for (size_t k = 0; k < h->flow->size; k++)
        if (h->moves[k] && cleaned[1 + k] != 0 && fabs(cleaned[1 + k]) < near * h->flow->scale[k])
            cleaned[1 + k] = 0, any = true;
    double after = any ? nh_residual(h->flow, h->G, cleaned) : INFINITY;
    if (!(after <= fmax(1e-15, nh_residual(h->flow, h->G, inputs))))
        return false;
    memcpy(inputs, cleaned, (h->flow->size + 1) * sizeof *cleaned);
    return true;
}

/* Nothing that a period fits into; rounding may spoil some. */
static const double APART[] = {9.2736e-3, -9.8696e-3, 6.1807e-3, -4.2331e-3,
                               3.1731e-3, -2.7183e-3, 1.0833e-3, -1.2679e-3};
enum { DISTANCES = sizeof APART / sizeof *APART, ENOUGH = 2 };

/* Whether there is a solution so far along a direction of the others: with the variable that changes most held there, so that it is no other one. */
static bool holds_there(hunt *h, const nh_equilibrium *e, const bool *others, const double *direction,
                        double apart)
{
    size_t size = h->flow->size, most = 0;
    double *inputs = nh_doubles(h->flow->arena, size + 1), along = 0;
    bool *moves = nh_arena_array(h->flow->arena, size + 1, sizeof *moves);
    inputs[0] = e->inputs[0];
    for (size_t k = 0; k < size; k++) {
        inputs[1 + k] = e->inputs[1 + k] + apart * unit_of(h, e->inputs, k) * direction[k];
        most = fabs(direction[k]) > fabs(direction[most]) ? k : most;
        moves[k] = others[k];
    }
    moves[most] = false;
    for (int k = 0; k < 2; k++) /* the second time to all digits */
        if (!nh_newton(h->flow, h->G, moves, inputs))
            return false;
    clean(h, inputs, 1e-12);
    if (!is_solution(h, inputs))
        return false;
    for (size_t k = 0; k < size; k++)
        along += (inputs[1 + k] - e->inputs[1 + k]) / unit_of(h, e->inputs, k) * direction[k];
    return fabs(along - apart) <= 0.2 * fabs(apart);
}

/* On both sides. */
static bool goes_on(hunt *h, const nh_equilibrium *e, const bool *others, const double *direction)
{
    size_t above = 0, below = 0;
    for (size_t i = 0; i < DISTANCES && (above < ENOUGH || below < ENOUGH); i++)
        if ((APART[i] < 0 ? below : above) < ENOUGH && holds_there(h, e, others, direction, APART[i]))
            *(APART[i] < 0 ? &below : &above) += 1;
    return above >= ENOUGH && below >= ENOUGH;
}

/* A member like most: the free variables are anywhere. */
static nh_equilibrium any_member(hunt *h, const nh_equilibrium *e)
{
    nh_equilibrium any = *e;
    any.inputs = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(any.inputs, e->inputs, (h->flow->size + 1) * sizeof *any.inputs);
    for (size_t k = 0; k < h->flow->size; k++)
        if (e->free[k])
            any.inputs[1 + k] = place_in_box(h, k, 0);
    return any;
}

/* The columns of J for the other variables in their units, n of them: rows x n. NULL: no derivatives. */
static double *slopes_of(hunt *h, const double *inputs, const bool *others, size_t n)
{
    size_t size = h->flow->size, rows = h->G->count;
    double *J = nh_doubles(h->flow->arena, rows * size), *part = nh_doubles(h->flow->arena, rows * n);
    if (!nh_smooth_derivatives(h->flow, h->G, inputs, J))
        return NULL;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0, column = 0; k < size; k++)
            if (others[k])
                part[i * n + column++] = J[i * size + k] * unit_of(h, inputs, k);
    return part;
}

/* Two lines that cross are no plane: along a mixture of all directions there have to be solutions, too. */
static bool goes_on_with(hunt *h, const nh_equilibrium *e, const bool *others, double *mixture,
                         const double *direction, double part)
{
    double *both = nh_doubles(h->flow->arena, h->flow->size), square = 0;
    for (size_t k = 0; k < h->flow->size; k++)
        both[k] = mixture[k] + part * direction[k], square += both[k] * both[k];
    for (size_t k = 0; k < h->flow->size; k++)
        both[k] /= sqrt(square);
    if (!goes_on(h, e, others, direction) || !goes_on(h, e, others, both))
        return false;
    for (size_t k = 0; k < h->flow->size; k++)
        mixture[k] += part * direction[k];
    return true;
}

/* Directions among the other variables in which the equations do not change at first, and along which there are solutions. */
static void find_bound(hunt *h, nh_equilibrium *e)
{
    size_t size = h->flow->size, n = 0, count = 0;
    nh_arena *arena = h->flow->arena;
    double *basis = nh_doubles(arena, size * size), *direction = nh_doubles(arena, size),
           *mixture = nh_doubles(arena, size), *part;
    bool *others = nh_arena_array(arena, size + 1, sizeof *others);
    uint64_t random = h->random; /* what is drawn later does not depend on this */
    const nh_equilibrium any = any_member(h, e);
    h->random = random;
    for (size_t k = 0; k < size; k++)
        others[k] = h->moves[k] && !e->free[k], n += others[k];
    if (n == 0 || !(part = slopes_of(h, any.inputs, others, n)) ||
        !nh_kernel(arena, h->G->count, n, part, 1e-8, basis, &count))
        return;
    for (size_t d = 0; d < count; d++) {
        for (size_t k = 0, column = 0; k < size; k++)
            direction[k] = others[k] ? basis[d * n + column++] : 0;
        if (!goes_on_with(h, &any, others, mixture, direction, 1 / (1 + (double)d)))
            continue;
        e->dimension++;
        for (size_t k = 0; k < size; k++)
            e->bound[k] = e->bound[k] || fabs(direction[k]) > 1e-6;
    }
}

/* Whether the equations hold within rounding between two states, too: they are the same multiple root then, or members of a family. In the middle
 * there may be another state: it is tried at other places as well. */
static bool are_one(hunt *h, const double *a, const double *b)
{
    static const double parts[] = {0.5, 0.1459, 0.8541, 0.3247, 0.6753};
    double *between = nh_doubles(h->flow->arena, h->flow->size + 1);
    bool one = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && one; i++) {
        for (size_t k = 0; k < h->flow->size + 1; k++)
            between[k] = a[k] + (b[k] - a[k]) * parts[i];
        one = is_solution(h, between);
    }
    return one;
}

/* Of a multiple root rounding leaves a wide neighbourhood, in which 0 is the likely place. */
static void settle(hunt *h, double *inputs)
{
    double *settled = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(settled, inputs, (h->flow->size + 1) * sizeof *settled);
    if (clean(h, settled, HIDDEN) && is_solution(h, settled) && are_one(h, inputs, settled))
        memcpy(inputs, settled, (h->flow->size + 1) * sizeof *settled);
}

/* ---------------------------------------------------------------- the list */

static double apart(const nh_flow *f, size_t k, double a, double b)
{
    double turn = 2 * acos(-1), difference = fabs(a - b);
    if (f->angle[k])
        difference = fabs(difference - turn * round(difference / turn));
    return difference / fmax(f->scale[k], fmax(fabs(a), fabs(b)));
}

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

static bool has_any(const nh_flow *f, const bool *set)
{
    for (size_t k = 0; k < f->size; k++)
        if (set[k])
            return true;
    return false;
}

/* Those that neither is to change have the same values. */
static bool agree(const nh_flow *f, const nh_equilibrium *a, const nh_equilibrium *b, const bool *left_out)
{
    for (size_t k = 0; k < f->size; k++)
        if (!left_out[k] && (b->free[k] || apart(f, k, a->inputs[1 + k], b->inputs[1 + k]) > 1e-5))
            return false;
    return true;
}

/* Whether b belongs to the family of a, and is not worth a line of its own as a special member of it. */
static bool contains(const nh_flow *f, const nh_equilibrium *a, const nh_equilibrium *b)
{
    if (!has_any(f, a->bound))
        return agree(f, a, b, a->free) && !has_any(f, b->bound) && within(f, b->free, a->free);
    if (has_any(f, a->free) || has_any(f, b->free))
        return same_set(f, a->free, b->free) && agree(f, a, b, a->free);
    return agree(f, a, b, a->bound) && a->dimension >= b->dimension && has_any(f, b->bound) &&
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
static void stand_for(hunt *h, nh_equilibrium *e, const nh_equilibrium *other)
{
    if (!has_any(h->flow, e->bound))
        return;
    for (size_t i = 0; i <= other->n_members && e->n_members < MEMBERS; i++)
        nh_push(h->flow->arena, e->members, e->n_members, e->members_capacity) =
            i ? other->members[i - 1] : other->inputs;
}

/* A new one, unless it is among those that are there; those that belong to it go. */
static void add(hunt *h, nh_equilibrium e)
{
    nh_equilibria *all = h->all;
    size_t kept = 0;
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

enum { MOST_OPERATIONS = 2000 };
static const double WEAK = 1e-9;

/* Whether the equations have weak directions, so that doubles cannot tell a root from a family. */
static bool is_weak(hunt *h, const double *inputs, size_t n)
{
    nh_arena *arena = h->flow->arena;
    size_t rows = h->G->count, least = rows < n ? rows : n;
    double *S = nh_doubles(arena, least), *right = nh_doubles(arena, n * n),
           *part = slopes_of(h, inputs, h->moves, n);
    return part && rows >= n && n && nh_singular(arena, rows, n, part, S, right) && S[n - 1] < WEAK * S[0];
}

/* With many digits: true where there is one root near by, and no other, where the state is then. */
static bool polish(hunt *h, double *inputs)
{
    nh_flow *f = h->flow;
    nh_equations *eq = f->eq;
    size_t n = 0, count = h->n_roots;
    uint32_t *symbols = nh_arena_array(f->arena, f->size + 1, sizeof *symbols);
    size_t *which = nh_arena_array(f->arena, f->size + 1, sizeof *which);
    for (size_t k = 0; k < f->size; k++)
        if (h->moves[k] && nh_is_symbol(&eq->pool, f->symbols[k], &symbols[n]))
            which[n++] = k;
    if (f->corners || f->timed || !is_weak(h, inputs, n) ||
        nh_count_operations(&eq->pool, &eq->context->arena, h->roots, count) > MOST_OPERATIONS)
        return false;
    nh_expr *J = nh_arena_array(f->arena, count * n + 1, sizeof *J);
    for (size_t i = 0; i < count * n; i++)
        J[i] = nh_derivative(&eq->pool, &eq->context->arena, h->roots[i / n], f->symbols[which[i % n]]);
    nh_roots_near r = {
        count, n, h->roots, J, symbols, nh_flow_exact_parameters(f), nh_flow_symbols(f, inputs)};
    if (!nh_polish_root(&eq->pool, &eq->context->arena, &r))
        return false;
    for (size_t k = 0; k < n; k++)
        inputs[1 + which[k]] = r.values[symbols[k]];
    return true;
}

/* alone: no other is near by. */
static nh_equilibrium describe(hunt *h, const double *inputs, bool alone)
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
    clean(h, e.inputs, 1e-7);
    return e;
}

static bool is_known(hunt *h, const double *inputs)
{
    for (size_t i = 0; i < h->all->count; i++) {
        const nh_equilibrium *e = &h->all->items[i];
        bool same = true, bound = false, near = true;
        for (size_t k = 0; k < h->flow->size; k++) {
            double distance = e->free[k] ? 0 : apart(h->flow, k, e->inputs[1 + k], inputs[1 + k]);
            bound = bound || e->bound[k] || e->free[k];
            same = same && !e->bound[k] && distance < 1e-6;
            near = near && distance < HIDDEN;
        }
        if (same || (near && !bound && are_one(h, e->inputs, inputs)))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- what is said of each */

typedef struct opinion {
    bool singular;
    nh_stability verdict;
    const char *reason;
    const nh_linearization *l; /* NULL: none */
} opinion;

static const double NEAR = 1e-9, JUMP = 1e-2;

/* Beside a state: with 0 for numbers that are nearly 0, or moved a little. */
static void beside(const hunt *h, const double *inputs, size_t number, double *out)
{
    const nh_flow *f = h->flow;
    out[0] = inputs[0];
    for (size_t k = 0; k < f->size; k++) {
        double part = (double)(nh_hash(number * 65537 + k) >> 12 & 0xffff) / 0x8000 - 1, x = inputs[1 + k];
        double moved = number ? x + NEAR * f->scale[k] * part : fabs(x) < NEAR * f->scale[k] ? 0 : x;
        out[1 + k] = h->moves[k] ? moved : x;
    }
}

/* Whether some equation is more apart at two states than its derivatives J and the roots of small numbers make it. */
static bool jumps(const hunt *h, const double *J, const double *inputs, const double *other, const double *at,
                  const double *there)
{
    size_t size = h->flow->size;
    for (size_t i = 0; i < h->n_roots; i++) {
        double linear = 0, scale = h->G->scale && h->G->scale[i] > 0 ? h->G->scale[i] : 1;
        for (size_t k = 0; k < size; k++)
            linear += fabs(J[i * size + k] * (other[1 + k] - inputs[1 + k]));
        if (fabs(there[i] - at[i]) > JUMP * scale + 10 * linear)
            return true;
    }
    return false;
}

/* Whether the equations are next to the state what they are there: at 0/0 they are not, or have no value at all, whatever their
 * derivatives say. Beyond the end of a root there is nothing to compare; signs of velocities are meant to jump. */
static bool is_continuous(hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    double *other = nh_doubles(f->arena, f->size + 1), *at = nh_doubles(f->arena, h->n_roots),
           *there = nh_doubles(f->arena, h->n_roots), *J = nh_doubles(f->arena, h->n_roots * f->size);
    beside(h, inputs, 0, other);
    if (!nh_smooth_at(f, h->G, inputs, at) || !nh_smooth_at(f, h->G, other, there))
        return false;
    if (!nh_smooth_derivatives(f, h->G, inputs, J)) /* none: a corner */
        memset(J, 0, h->n_roots * f->size * sizeof *J);
    for (size_t number = 1; number <= 4 && !f->corners; number++) {
        beside(h, inputs, number, other);
        if (nh_smooth_at(f, h->G, other, there) && jumps(h, J, inputs, other, at, there))
            return false;
    }
    return true;
}

static opinion opinion_at(hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    opinion o = {true, NH_UNDECIDED, "the equations of motion are singular there", NULL};
    memcpy(f->inputs, inputs, (f->size + 1) * sizeof *f->inputs);
    bool good = is_continuous(h, inputs) && !(nh_flow_regularity(f, inputs) < 1e-9);
    nh_linearization *l = good ? nh_linearize(f) : NULL;
    if (good)
        o.reason = "the equations of motion have no derivatives there";
    if (l)
        o = (opinion){false, l->verdict, l->reason, l};
    return o;
}

/* Whether free variable k makes a difference to the motion. */
static bool matters(const hunt *h, const nh_equilibrium *e, size_t k)
{
    return e->bound[k] || (e->free[k] && nh_taking_part(h->flow)[k]);
}

/* Whether it is proved that what is said of one member is true of all: those that nothing depends on make no difference; with the others no eigenvalue may
 * come to the imaginary axis, where eigenvalues are what decides: with those that are 0, one for each of these variables. */
static bool are_alike(hunt *h, const nh_equilibrium *e, const nh_linearization *l)
{
    size_t count = 0, zeros = 0, on_axis = 0;
    for (size_t k = 0; k < h->flow->size; k++)
        count += matters(h, e, k);
    if (count == 0 || has_any(h->flow, e->bound) || !l || l->verdict == NH_UNDECIDED)
        return count == 0;
    for (size_t i = 0; i < l->n_free; i++)
        on_axis += fabs(l->eigenvalues[i].re) <= 20 * l->eigenvalues[i].error;
    return nh_members_alike(h->flow, l, e, &zeros) &&
           (l->verdict == NH_UNSTABLE || (zeros == count && on_axis == count));
}

/* Of those with other verdicts, one that is decided. */
static void compare(hunt *h, nh_equilibrium *e, const double *inputs)
{
    nh_stability there = opinion_at(h, inputs).verdict;
    if (there == e->verdict || (e->other && (e->other_verdict != NH_UNDECIDED || there == NH_UNDECIDED)))
        return;
    e->other_verdict = there, e->other = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(e->other, inputs, (h->flow->size + 1) * sizeof *inputs);
}

enum { DRAWN = 4 };

/* Among those that were found, where eigenvalues are farthest to both sides, and some that are drawn. */
static void find_other(hunt *h, nh_equilibrium *e)
{
    size_t size = h->flow->size;
    double *inputs = nh_doubles(h->flow->arena, 2 * (size + 1));
    for (size_t i = 0; i < e->n_members; i++)
        compare(h, e, e->members[i]);
    for (size_t k = 0; k < size; k++)
        if (e->free[k] && matters(h, e, k) &&
            nh_extreme_members(h->flow, e, k, h->all->low[k], h->all->high[k], inputs))
            compare(h, e, inputs), compare(h, e, inputs + size + 1);
    for (int member = 0; member < DRAWN && has_any(h->flow, e->free); member++) {
        memcpy(inputs, e->inputs, (size + 1) * sizeof *inputs);
        for (size_t k = 0; k < size; k++)
            if (e->free[k])
                inputs[1 + k] = h->all->low[k] + (h->all->high[k] - h->all->low[k]) * draw(h);
        compare(h, e, inputs);
    }
}

/* "...; others of the family are unstable, as that with v = -1": a verdict that is not proved for all is that of the member that is shown. */
static void tell_others(hunt *h, nh_equilibrium *e)
{
    static const char *const names[] = {"stable", "unstable", "undecided"};
    const double *inputs = e->other ? e->other : e->inputs;
    nh_text out;
    bool any = false;
    nh_text_init(&out, h->flow->arena);
    nh_text_str(&out, e->reason);
    if (e->other)
        nh_text_format(&out, "; others of the family are %s, as that with ", names[e->other_verdict]);
    else
        nh_text_str(&out, has_any(h->flow, e->bound) ? "; others of the family may differ"
                                                     : "; others of the family may differ from that with ");
    for (size_t k = 0; k < h->flow->size; k++)
        if (matters(h, e, k) && (e->other || !has_any(h->flow, e->bound))) {
            nh_text_format(&out, "%s%s = ", any ? ", " : "", h->flow->names[k]);
            nh_text_short(&out, inputs[1 + k], 6);
            any = true;
        }
    e->reason = nh_text_get(&out);
}

/* Of the member that is shown; where that is an exception, another one is. */
static void judge(hunt *h, nh_equilibrium *e)
{
    opinion first = opinion_at(h, e->inputs);
    if (first.singular && has_any(h->flow, e->free)) {
        const nh_equilibrium any = any_member(h, e);
        opinion o = opinion_at(h, any.inputs);
        if (!o.singular)
            first = o, memcpy(e->inputs, any.inputs, (h->flow->size + 1) * sizeof *any.inputs);
    }
    e->singular = first.singular, e->verdict = first.verdict, e->reason = first.reason;
    e->alike = are_alike(h, e, first.l);
    if (e->alike)
        return;
    find_other(h, e);
    tell_others(h, e);
}

enum { MOST_FOUND = 100, MOST_EXACT = 25, MOST_IN_VAIN = 3 };

static void search(hunt *h, size_t searches)
{
    double *inputs = nh_doubles(h->flow->arena, h->flow->size + 1);
    bool *moves = nh_arena_array(h->flow->arena, h->flow->size + 1, sizeof *moves);
    for (size_t k = 0; k < searches && h->all->count < MOST_FOUND; k++) {
        draw_start(h, k, inputs, moves);
        h->all->searches++;
        bool found = nh_newton(h->flow, h->G, moves, inputs);
        clean(h, inputs, found ? 1e-7 : HIDDEN);
        if (found)
            settle(h, inputs);
        if (!into_box(h, inputs) || !is_solution(h, inputs))
            continue;
        h->degenerate = is_degenerate(h, inputs);
        if (h->degenerate)
            return;
        h->all->converged++;
        if (is_known(h, inputs))
            continue;
        bool alone = polish(h, inputs);
        if (!alone || (into_box(h, inputs) && !is_known(h, inputs)))
            add(h, describe(h, inputs, alone));
    }
    h->all->full = h->all->count >= MOST_FOUND;
}

/* ---------------------------------------------------------------- singular families */

/* One where the equations are singular, so that they have no derivatives along which to look for its family. */
static bool is_lone(const nh_flow *f, const nh_equilibrium *e)
{
    return e->singular && !e->exact && !has_any(f, e->free);
}

/* The number of directions in which the lone states lie from the first of them. */
static size_t directions(const hunt *h, size_t first)
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

/* Many lone states are samples of a family: the first one stands for them, if they leave out some direction. */
static void gather_lone(hunt *h)
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
            bound[k] = bound[k] || apart(f, k, all->items[i].inputs[1 + k], e->inputs[1 + k]) > 1e-6;
    for (size_t i = 0; i < all->count; i++)
        if (i <= first || !is_lone(f, &all->items[i]))
            all->items[kept++] = all->items[i];
    all->count = kept;
    all->items[first].bound = bound, all->items[first].dimension = dimension;
}

static bool comes_before(const nh_flow *f, const nh_equilibrium *a, const nh_equilibrium *b)
{
    if (a->dimension != b->dimension)
        return a->dimension > b->dimension;
    for (size_t k = 0; k < f->size; k++)
        if (fabs(a->inputs[1 + k] - b->inputs[1 + k]) > 1e-9)
            return a->inputs[1 + k] < b->inputs[1 + k];
    return false;
}

static void sort(const nh_flow *f, nh_equilibria *all)
{
    for (size_t i = 1; i < all->count; i++)
        for (size_t k = i; k > 0 && comes_before(f, &all->items[k], &all->items[k - 1]); k--) {
            nh_equilibrium other = all->items[k];
            all->items[k] = all->items[k - 1], all->items[k - 1] = other;
        }
}

/* ---------------------------------------------------------------- dry friction */

/* What each equation changes by from one side of rest to the other, along a velocity. False: it has no value. */
static bool find_steps(hunt *h, double *inputs, size_t k, double apart, double *steps, double *sizes)
{
    double *one = nh_doubles(h->flow->arena, h->n_roots), *other = nh_doubles(h->flow->arena, h->n_roots);
    inputs[1 + k] = -apart;
    bool both = nh_smooth_at(h->flow, h->G, inputs, one);
    inputs[1 + k] = apart;
    both = nh_smooth_at(h->flow, h->G, inputs, other) && both;
    inputs[1 + k] = 0;
    for (size_t i = 0; i < h->n_roots; i++) {
        double scale = h->G->scale && h->G->scale[i] > 0 ? h->G->scale[i] : 1;
        steps[i] = fabs(other[i] - one[i]), sizes[i] = scale + fabs(one[i]) + fabs(other[i]);
    }
    return both;
}

/* Whether one of the steps is no smaller near by. */
static bool jumps_along(hunt *h, double *inputs, size_t k)
{
    size_t n = h->n_roots;
    double *near = nh_doubles(h->flow->arena, n), *far = nh_doubles(h->flow->arena, n),
           *sizes = nh_doubles(h->flow->arena, n);
    if (!find_steps(h, inputs, k, 1e-6, far, sizes) || !find_steps(h, inputs, k, 1e-12, near, sizes))
        return false;
    for (size_t i = 0; i < n; i++)
        if (near[i] > 1e-9 * sizes[i] && near[i] > far[i] / 2)
            return true;
    return false;
}

enum { POSITIONS = 8 };

/* Where forces jump at rest, sign(0) = 0 leaves out the states that dry friction would hold. */
static void find_jumps(hunt *h)
{
    nh_flow *f = h->flow;
    double *inputs = nh_doubles(f->arena, f->size + 1);
    h->all->jumps = nh_arena_array(f->arena, f->size + 1, sizeof *h->all->jumps);
    for (size_t number = 0; number < POSITIONS; number++) {
        inputs[0] = f->inputs[0];
        for (size_t k = 0; k < f->size; k++)
            inputs[1 + k] = k < f->n ? place_in_box(h, k, number) : 0;
        if (f->held->count && !nh_newton(f, f->held, NULL, inputs))
            continue;
        for (size_t k = f->n; k < f->size; k++)
            inputs[1 + k] = 0;
        for (size_t k = f->n; k < f->size; k++)
            h->all->jumps[k] = h->all->jumps[k] || jumps_along(h, inputs, k);
    }
}

/* The state itself, where it is known exactly. */
static void take_exact(hunt *h, nh_equilibrium *e)
{
    for (size_t k = 0; k < h->flow->size && e->exact; k++)
        if (h->moves[k] && !e->free[k]) {
            double x = nh_flow_number(h->flow, e->exact[k]);
            if (fabs(x - e->inputs[1 + k]) <= 1e-6 * fmax(h->flow->scale[k], fabs(x)))
                e->inputs[1 + k] = x;
        }
}

/* Fewer searches where each of them is long: by the size of the equations, not by the clock. */
static size_t affordable(const hunt *h, size_t searches)
{
    double size = (double)h->flow->size,
           one = 30 * ((double)h->G->tape->operations * size / 2 + 20 * size * size * size);
    double most = 3e9 / one;
    return most < 12 ? 12 : most < (double)searches ? (size_t)most : searches;
}

/* NULL: in other variables. */
static nh_equilibria *find(nh_flow *f, bool steady, size_t searches)
{
    nh_equilibria *all = nh_arena_array(f->arena, 1, sizeof *all);
    hunt h = {.flow = f, .all = all, .random = 2007};
    all->takes_part = nh_arena_array(f->arena, f->size + 1, sizeof *all->takes_part);
    for (size_t k = 0; k < f->size; k++)
        all->takes_part[k] = true;
    if (steady)
        all->takes_part = nh_taking_part(f);
    h.moves = all->takes_part;
    h.roots = equations(f, all->takes_part, &h.n_roots);
    h.G = nh_smooth_new(f, h.roots, h.n_roots);
    find_box(&h);
    search(&h, affordable(&h, searches));
    if (h.degenerate)
        return NULL;
    size_t in_vain = 0; /* one after the other */
    for (size_t i = 0; i < all->count; i++) {
        nh_equilibrium *e = &all->items[i];
        e->found = NH_TESTED;
        if (i < MOST_EXACT && in_vain < MOST_IN_VAIN)
            e->exact = nh_exact_zero(f, h.roots, h.n_roots, h.moves, e, &e->found);
        in_vain = e->exact ? 0 : in_vain + 1;
        take_exact(&h, e);
        if (!e->exact && i < MOST_EXACT && nh_enclose_zero(f, h.roots, h.n_roots, h.moves, e, &e->within))
            e->found = NH_PROVED;
        judge(&h, e);
    }
    gather_lone(&h);
    sort(f, all);
    find_jumps(&h);
    return all;
}

nh_equilibria *nh_find_equilibria(nh_flow **f, bool steady, size_t searches)
{
    nh_equilibria *all = find(*f, steady, searches);
    const char *without;
    if (all)
        return all;
    *f = nh_flow_new_second((*f)->eq);
    nh_flow_put_parameters(*f, &without);
    return find(*f, steady, searches);
}
