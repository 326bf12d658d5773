/* States of rest and steady motions: Newton's method from many starts.
 *
 * The equations are psi^i = 0, Z_alpha = 0 with the lower index, and the position constraints: at singular states, where Z^alpha has
 * no value, they have solutions, too. */
#include "analyse/equilibria.h"
#include "algebra/algebra.h"
#include "analyse/corners.h"
#include "analyse/dense.h"
#include "analyse/exact.h"
#include "analyse/hunt.h"
#include "analyse/newton.h"
#include "analyse/times.h"
#include "analyse/underflow.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- the equations */

/* The time itself, two later ones, and those beside corners in the time. */
static size_t times_of(nh_flow *f, const nh_expr *roots, size_t count, nh_expr *out)
{
    static const int64_t parts[] = {12345679, 31735913}; /* of 10^7: nothing that a period fits into */
    nh_pool *pool = &f->eq->pool;
    nh_expr unit = nh_integer(pool, 10000000);
    double beside[NH_MOST_TIMES];
    size_t more = nh_corner_times(f, roots, count, beside);
    for (size_t k = 0; k < 2; k++)
        out[k] = nh_add(pool, f->eq->model->time, nh_div(pool, nh_integer(pool, parts[k]), unit));
    for (size_t k = 0; k < more; k++)
        out[2 + k] = nh_div(pool, nh_integer(pool, (int64_t)(beside[k] * 1e7)), unit);
    return 2 + more;
}

static nh_expr at_time(nh_flow *f, nh_expr root, nh_expr time)
{
    nh_equations *eq = f->eq;
    nh_expr then;
    nh_substitute(&eq->pool, &eq->context->arena, &root, 1, &eq->model->time, &time, 1, &then);
    return then;
}

/* Those that contain the time have to hold at all times: they are taken at three, and more where they have corners in it. Where one has no value at
 * a time, such as 1/(t + sqrt(t^2)) before 0, as it was before holes were filled, or else not at all: nothing can be asked of it there. */
static size_t at_all_times(nh_flow *f, const nh_expr *unfilled, nh_expr *roots, size_t count)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_expr later[2 + NH_MOST_TIMES];
    uint32_t index = 0;
    nh_is_symbol(pool, eq->model->time, &index);
    size_t all = count, n_later = times_of(f, roots, count, later);
    for (size_t i = 0; i < count; i++) {
        bool *depends = nh_arena_array(f->arena, pool->n_symbols + 1, sizeof *depends);
        nh_find_symbols(pool, &eq->context->arena, &roots[i], 1, depends);
        for (size_t k = 0; k < n_later && depends[index]; k++) {
            nh_expr then = at_time(f, roots[i], later[k]);
            then = then ? then : at_time(f, unfilled[i], later[k]);
            if (then)
                roots[all++] = then;
        }
    }
    return all;
}

/* Of the variables that are to be constant. */
static nh_expr *equations(nh_flow *f, const bool *takes_part, size_t *count)
{
    const nh_equations *eq = f->eq;
    size_t most = f->size + eq->m + f->held->count;
    nh_expr *roots = nh_arena_array(f->arena, (3 + NH_MOST_TIMES) * most + 1, sizeof *roots);
    for (size_t i = 0; i < eq->n; i++)
        if (takes_part[i])
            roots[(*count)++] = f->second ? eq->model->coordinates[i].rate : eq->first.psi[i];
    bool in_z = !f->second || !eq->first.psi;
    for (size_t k = 0; k < (in_z ? eq->m : eq->n); k++) /* D where there is a psi that is not used */
        roots[(*count)++] = in_z ? eq->first.Z_lower[k] : f->rates[eq->n + k];
    memcpy(roots + *count, f->held_roots, f->held->count * sizeof *roots);
    *count += f->held->count;
    nh_expr *unfilled = nh_arena_array(f->arena, *count + 1, sizeof *unfilled);
    memcpy(unfilled, roots, *count * sizeof *roots);
    nh_fill_holes(f, roots, *count);
    *count = at_all_times(f, unfilled, roots, *count);
    return roots;
}

/* ---------------------------------------------------------------- the box */

static const double WIDE = 10;

/* Angles: a turn; everything else: -10 to 10; or as the model's ranges say. */
static void find_box(nh_hunt *h)
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

static double draw(nh_hunt *h)
{
    h->random += 0x9e3779b97f4a7c15u;
    return (double)(nh_hash(h->random) >> 11) / 9007199254740992.0;
}

/* A third of the starts at rest, a third close to the origin. In every second search some variables are 0 and stay so: that leads
 * to the special members of families. */
static void draw_start(nh_hunt *h, size_t number, double *inputs, bool *moves)
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
static bool into_box(const nh_hunt *h, double *inputs)
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

double nh_hunt_place(nh_hunt *h, size_t i, size_t number)
{
    double low = h->all->low[i], high = h->all->high[i], part = draw(h);
    if (number < NH_ANYWHERE)
        return low + (high - low) * part;
    size_t turn = number - NH_ANYWHERE, slice = (turn * (2 * i + 1) + 5 * i) % NH_SLICES;
    if (turn < NH_SLICES)
        return low + (high - low) * ((double)slice + part) / NH_SLICES;
    double middle = fmin(fmax(0, low), high), end = (turn + i) % 2 ? low : high;
    return middle + (end - middle) *
                        pow(10, -3 * ((double)(slice / 2 % (NH_NEAR_ZERO / 2)) + part) / (NH_NEAR_ZERO / 2));
}

/* ---------------------------------------------------------------- solutions */

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
static bool jumps_nearby(nh_hunt *h, const double *inputs, const double *values, double *out, double *errors)
{
    nh_equations *eq = h->flow->eq;
    bool jumps = false;
    nh_evaluate_within(&eq->pool, &eq->context->arena, h->roots, h->n_roots, values,
                       radii_of(h->flow, inputs), out, errors);
    for (size_t i = 0; i < h->n_roots; i++)
        jumps = jumps || !isfinite(errors[i]);
    return jumps;
}

static const double TINY = 1e-250;

/* A force may be too small for doubles, and not 0. */
static bool only_underflow(nh_hunt *h, const double *values, const double *out)
{
    bool one = false;
    for (size_t i = 0; i < h->n_roots && !one; i++)
        one = h->may_underflow[i] && fabs(out[i]) < TINY &&
              nh_only_underflows(h->flow, h->exact[i], h->moves, values);
    return one;
}

/* The equations hold within rounding, of the formulas and of the state, and the energies have values there. Rounding must not be all
 * that there is of an equation: next to a state where it has no value, as 0/0, it can have any, with slopes without bound. */
static bool holds_at_state(nh_hunt *h, const double *inputs, bool rough)
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
                        (rough && inputs[1 + k] != 0 ? nh_hunt_unit(h, inputs, k) : fabs(inputs[1 + k]));
        double scale = h->G->scale && h->G->scale[i] > 0 ? h->G->scale[i] : 1;
        if (!(fabs(out[i]) <= 100 * (errors[i] + of_state)) || !(errors[i] + of_state <= USELESS * scale))
            return false;
    }
    return !only_underflow(h, values, out);
}

/* Also where what is nearly 0 is 0. Where nothing has a value there, as in v/|v|, numbers next to it are as good as their size allows. */
bool nh_hunt_is_solution(nh_hunt *h, const double *inputs)
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

static const double FREE = 3e-5; /* its square is what G has */

/* Whether free velocities that the program chose degenerate, where the constraints themselves are independent: psi_alpha Z^alpha says nothing of
 * the accelerations there. */
bool nh_hunt_is_degenerate(const nh_hunt *h, const double *inputs)
{
    nh_flow *f = h->flow;
    const nh_equations *eq = f->eq;
    return !f->second && !eq->second.reason && !eq->model->psi && eq->r &&
           nh_flow_freedom(f, inputs) < FREE && nh_flow_independence(f, inputs) > 1e-6;
}

static const double HIDDEN = 0.05; /* beside the size of a variable */

/* Numbers that are nearly 0 become 0, where the equations like that: near a multiple root Newton's steps are short. */
bool nh_hunt_clean(nh_hunt *h, double *inputs, double near)
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

/* Whether the equations hold within rounding between two states, too: they are the same multiple root then, or members of a family. In the middle
 * there may be another state: it is tried at other places as well. */
static bool are_one(nh_hunt *h, const double *a, const double *b)
{
    static const double parts[] = {0.5, 0.1459, 0.8541, 0.3247, 0.6753};
    double *between = nh_doubles(h->flow->arena, h->flow->size + 1);
    bool one = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && one; i++) {
        for (size_t k = 0; k < h->flow->size + 1; k++)
            between[k] = a[k] + (b[k] - a[k]) * parts[i];
        one = nh_hunt_is_solution(h, between);
    }
    return one;
}

/* With 0 for what is nearly 0, and the others where they belong then, which is no other place to rounding. False: nothing is nearly 0, or the
 * equations do not like that. */
static bool put_zeros(nh_hunt *h, double *inputs)
{
    bool *others = nh_arena_array(h->flow->arena, h->flow->size + 1, sizeof *others), any = false;
    double *before = nh_doubles(h->flow->arena, h->flow->size + 1);
    for (size_t k = 0; k < h->flow->size; k++) {
        bool small = h->moves[k] && inputs[1 + k] != 0 && fabs(inputs[1 + k]) < HIDDEN * h->flow->scale[k];
        inputs[1 + k] = small ? 0 : inputs[1 + k], any = any || small;
        others[k] = h->moves[k] && inputs[1 + k] != 0;
    }
    memcpy(before, inputs, (h->flow->size + 1) * sizeof *before);
    any = any && nh_newton(h->flow, h->G, others, inputs);
    for (size_t k = 0; k < h->flow->size && any; k++)
        any = nh_hunt_apart(h->flow, k, before[1 + k], inputs[1 + k]) < 1e-10;
    return any;
}

/* Of a multiple root rounding leaves a wide neighbourhood, in which 0 is the likely place. */
static void settle(nh_hunt *h, double *inputs)
{
    double *settled = nh_doubles(h->flow->arena, h->flow->size + 1);
    memcpy(settled, inputs, (h->flow->size + 1) * sizeof *settled);
    bool zeros = nh_hunt_clean(h, settled, HIDDEN) || put_zeros(h, settled);
    if (zeros && nh_hunt_is_solution(h, settled) && are_one(h, inputs, settled))
        memcpy(inputs, settled, (h->flow->size + 1) * sizeof *settled);
}

/* ---------------------------------------------------------------- roots that are alone */

double *nh_hunt_slopes(nh_hunt *h, const double *inputs, const bool *marked, size_t n)
{
    size_t size = h->flow->size, rows = h->G->count;
    double *J = nh_doubles(h->flow->arena, rows * size), *part = nh_doubles(h->flow->arena, rows * n);
    if (!nh_smooth_derivatives(h->flow, h->G, inputs, J))
        return NULL;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0, column = 0; k < size; k++)
            if (marked[k])
                part[i * n + column++] = J[i * size + k] * nh_hunt_unit(h, inputs, k);
    return part;
}

enum { MOST_OPERATIONS = 2000 };
static const double WEAK = 1e-9;

/* Whether the equations have weak directions, so that doubles cannot tell a root from a family. */
static bool is_weak(nh_hunt *h, const double *inputs, size_t n)
{
    nh_arena *arena = h->flow->arena;
    size_t rows = h->G->count, least = rows < n ? rows : n;
    double *S = nh_doubles(arena, least), *right = nh_doubles(arena, n * n),
           *part = nh_hunt_slopes(h, inputs, h->moves, n);
    return part && rows >= n && n && nh_singular(arena, rows, n, part, S, right) && S[n - 1] < WEAK * S[0];
}

/* With many digits: true where there is one root near by, and no other, where the state is then. */
static bool polish(nh_hunt *h, double *inputs)
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

/* ---------------------------------------------------------------- the search */

double nh_hunt_apart(const nh_flow *f, size_t k, double a, double b)
{
    double turn = 2 * acos(-1), difference = fabs(a - b);
    if (f->angle[k])
        difference = fabs(difference - turn * round(difference / turn));
    return difference / fmax(f->scale[k], fmax(fabs(a), fabs(b)));
}

static bool is_known(nh_hunt *h, const double *inputs)
{
    for (size_t i = 0; i < h->all->count; i++) {
        const nh_equilibrium *e = &h->all->items[i];
        bool same = true, bound = false, near = true;
        for (size_t k = 0; k < h->flow->size; k++) {
            double distance = e->free[k] ? 0 : nh_hunt_apart(h->flow, k, e->inputs[1 + k], inputs[1 + k]);
            bound = bound || e->bound[k] || e->free[k];
            same = same && !e->bound[k] && distance < 1e-6;
            near = near && distance < HIDDEN;
        }
        if (same || (near && !bound && are_one(h, e->inputs, inputs)))
            return true;
    }
    return false;
}

enum { MOST_FOUND = 100, MOST_EXACT = 25, MOST_IN_VAIN = 3 };

static void search(nh_hunt *h, size_t searches)
{
    double *inputs = nh_doubles(h->flow->arena, h->flow->size + 1);
    bool *moves = nh_arena_array(h->flow->arena, h->flow->size + 1, sizeof *moves);
    for (size_t k = 0; k < searches && h->all->count < MOST_FOUND; k++) {
        draw_start(h, k, inputs, moves);
        h->all->searches++;
        bool found = nh_newton(h->flow, h->G, moves, inputs);
        nh_hunt_clean(h, inputs, found ? 1e-7 : HIDDEN);
        if (found)
            settle(h, inputs);
        if (!into_box(h, inputs) || !nh_hunt_is_solution(h, inputs))
            continue;
        bool known = is_known(h, inputs), degenerate = !known && nh_hunt_is_degenerate(h, inputs);
        h->degenerate |= degenerate, h->all->converged += !degenerate;
        if (known || degenerate)
            continue;
        bool alone = polish(h, inputs);
        if (!alone || (into_box(h, inputs) && !is_known(h, inputs)))
            nh_family_add(h, inputs, alone);
    }
    h->all->full = h->all->count >= MOST_FOUND;
}

/* Those of a polynomial in one coordinate are all known, however close and however far; where the model has a range for it, within that. */
static bool take_all(nh_hunt *h)
{
    size_t count, kept = 0;
    double *zeros, *values = nh_doubles(h->flow->arena, h->n_roots);
    bool ranged = h->flow->eq->model->n_ranges > 0;
    if (!nh_all_zeros(h->flow, h->roots, h->n_roots, &count, &zeros))
        return false;
    for (size_t i = 0; i < count; i++) {
        double inputs[] = {h->flow->inputs[0], zeros[i], 0};
        if (ranged && !into_box(h, inputs))
            continue;
        if (!nh_smooth_at(h->flow, h->G, inputs, values)) /* x^2/x at 0 */
            return false;
        zeros[kept++] = inputs[1];
    }
    for (size_t i = 0; i < kept; i++)
        nh_family_add_lone(h, (double[]){h->flow->inputs[0], zeros[i], 0});
    h->all->searches = h->all->converged = kept;
    h->all->complete = h->all->polynomial = true;
    return true;
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

/* ---------------------------------------------------------------- all together */

/* The state itself, where it is known exactly. */
static void take_exact(nh_hunt *h, nh_equilibrium *e)
{
    for (size_t k = 0; k < h->flow->size && e->exact; k++)
        if (h->moves[k] && !e->free[k]) {
            double x = nh_flow_number(h->flow, e->exact[k]);
            if (fabs(x - e->inputs[1 + k]) <= 1e-6 * fmax(h->flow->scale[k], fabs(x)))
                e->inputs[1 + k] = x;
        }
}

/* Whether the formulas are of this state, and not of another one near by. */
static bool is_exactly(const nh_hunt *h, const nh_equilibrium *e)
{
    bool same = e->exact != NULL;
    for (size_t k = 0; k < h->flow->size && same; k++)
        same =
            fabs(nh_flow_number(h->flow, e->exact[k]) - e->inputs[1 + k]) <= 4e-16 * fabs(e->inputs[1 + k]);
    return same;
}

/* Fewer searches where each of them is long: by the size of the equations, not by the clock. */
static size_t affordable(const nh_hunt *h, size_t searches)
{
    double size = (double)h->flow->size,
           one = 30 * ((double)h->G->tape->operations * size / 2 + 20 * size * size * size);
    double most = 3e9 / one;
    return most < 12 ? 12 : most < (double)searches ? (size_t)most : searches;
}

/* Formulas for each, a proof, and what is said of it. */
static void describe_all(nh_hunt *h)
{
    nh_flow *f = h->flow;
    nh_equilibria *all = h->all;
    size_t in_vain = 0, kept = 0; /* one after the other */
    for (size_t i = 0; i < all->count; i++) {
        nh_equilibrium *e = &all->items[i];
        e->found = NH_TESTED;
        if (i < MOST_EXACT && in_vain < MOST_IN_VAIN)
            e->exact = nh_exact_zero(f, h->roots, h->n_roots, h->moves, e, &e->found);
        if (all->complete && !is_exactly(h, e))
            e->exact = NULL, e->found = NH_TESTED;
        in_vain = e->exact ? 0 : in_vain + 1;
        take_exact(h, e);
        if (!e->exact && i < MOST_EXACT && nh_hunt_enclose(h, e, &e->within))
            e->found = NH_PROVED;
        nh_equilibrium_judge(h, e);
        if (!e->singular || !nh_hunt_forces_act(h, e))
            all->items[kept++] = *e;
    }
    all->count = kept;
}

/* The equations, and where to search. */
static nh_hunt *hunt_of(nh_flow *f, bool steady)
{
    nh_hunt *h = nh_arena_array(f->arena, 1, sizeof *h);
    nh_equilibria *all = nh_arena_array(f->arena, 1, sizeof *all);
    *h = (nh_hunt){.flow = f, .all = all, .random = 2007};
    all->flow = f, all->takes_part = nh_arena_array(f->arena, f->size + 1, sizeof *all->takes_part);
    for (size_t k = 0; k < f->size; k++)
        all->takes_part[k] = true;
    if (steady)
        all->takes_part = nh_taking_part(f);
    h->moves = all->takes_part;
    h->roots = equations(f, all->takes_part, &h->n_roots);
    h->G = nh_smooth_new(f, h->roots, h->n_roots);
    h->exact = nh_put_own_parameters(f, h->roots, h->n_roots);
    h->exact = h->exact ? h->exact : h->roots;
    h->may_underflow = nh_may_underflow(f, h->exact, h->n_roots);
    find_box(h);
    return h;
}

static bool rests_everywhere(const nh_hunt *h)
{
    bool everywhere = false;
    for (size_t i = 0; i < h->all->count; i++)
        everywhere = everywhere || nh_family_is_everywhere(h->flow, &h->all->items[i]);
    return everywhere;
}

/* What is said of those that were found. */
static void finish(nh_hunt *h, bool steady)
{
    if (!steady && !rests_everywhere(h) && nh_rests_everywhere(h->flow)) {
        nh_family_everywhere(h);
        nh_equilibrium_judge(h, &h->all->items[0]);
    } else {
        describe_all(h);
    }
    nh_family_gather(h);
    sort(h->flow, h->all);
    h->all->complete = h->all->complete || (!steady && rests_everywhere(h));
    nh_hunt_find_jumps(h);
}

/* ---------------------------------------------------------------- what free velocities do not reach */

/* One step of Newton's method towards z with q' = psi(q, z), which is enough where psi is affine in them. */
static bool step_free(nh_flow *f, nh_smooth *psi, const double *x, double *inputs)
{
    size_t n = f->n, m = f->size - n;
    double *A = nh_doubles(f->arena, n * m), *columns = nh_doubles(f->arena, n * m),
           *b = nh_doubles(f->arena, n), *step = nh_doubles(f->arena, m);
    if (!nh_smooth_at(f, f->directions, inputs, A) || !nh_smooth_at(f, psi, inputs, b))
        return false;
    for (size_t k = 0; k < n * m; k++)
        columns[k] = A[k % m * n + k / m];
    for (size_t i = 0; i < n; i++)
        b[i] = x[1 + n + i] - b[i];
    if (!nh_least_squares(f->arena, n, m, columns, b, 1e-9, step))
        return false;
    for (size_t k = 0; k < m; k++)
        inputs[1 + n + k] += step[k];
    return true;
}

enum { FREE_STEPS = 20 };

/* Velocities of coordinates are what they are. */
static bool find_free_velocities(nh_flow *f, nh_smooth *psi, const double *x, double *inputs)
{
    size_t n = f->n, m = f->size - n;
    bool named = true, found = true;
    memset(inputs + 1 + n, 0, m * sizeof *inputs);
    for (size_t k = 0; k < m && named; k++)
        if ((named = f->eq->z[k].rate_of >= 0))
            inputs[1 + n + k] = x[1 + n + (size_t)f->eq->z[k].rate_of];
    for (int step = 0; step < FREE_STEPS && found && !named; step++)
        found = step_free(f, psi, x, inputs);
    return found;
}

/* False: there are none, or they degenerate. */
static bool take_free(const nh_hunt *free, nh_smooth *psi, const double *x, double *inputs)
{
    nh_flow *f = free->flow;
    size_t n = f->n;
    double *rates = nh_doubles(f->arena, n);
    memcpy(inputs, x, (1 + n) * sizeof *inputs);
    bool found = nh_flow_freedom(f, inputs) >= FREE && find_free_velocities(f, psi, x, inputs) &&
                 nh_smooth_at(f, psi, inputs, rates);
    for (size_t i = 0; i < n && found; i++)
        found = fabs(rates[i] - x[1 + n + i]) <= 1e-9 * (1 + fabs(rates[i]));
    return found;
}

/* The same state in free velocities, to rounding; what nothing depends on is where all searches leave it. False: it is none there. */
static bool is_there(nh_hunt *free, nh_smooth *psi, const double *x, double *inputs)
{
    nh_flow *f = free->flow;
    bool near = take_free(free, psi, x, inputs);
    for (size_t k = 0; k < f->size; k++)
        inputs[1 + k] = free->moves[k] ? inputs[1 + k] : f->inputs[1 + k];
    if (!near || nh_hunt_is_solution(free, inputs))
        return near;
    near = nh_newton(f, free->G, free->moves, inputs) && nh_hunt_is_solution(free, inputs);
    for (size_t k = 0; k < f->n && near; k++)
        near = !free->moves[k] || nh_hunt_apart(f, k, x[1 + k], inputs[1 + k]) < 1e-6;
    return near;
}

/* Those in all velocities that free ones have, too, go to these. */
static void hand_over(nh_hunt *all, nh_hunt *free)
{
    nh_flow *f = free->flow;
    size_t kept = 0;
    uint64_t random = all->random; /* what is drawn later does not depend on this */
    nh_smooth *psi = nh_smooth_new(f, f->eq->first.psi, f->n);
    for (size_t i = 0; i < all->all->count; i++) {
        nh_equilibrium any = nh_family_member(all, &all->all->items[i]);
        double *inputs = nh_doubles(f->arena, f->size + 1);
        if (!is_there(free, psi, any.inputs, inputs))
            all->all->items[kept++] = all->all->items[i];
        else if (!is_known(free, inputs))
            nh_family_add(free, inputs, false);
    }
    all->all->count = kept, all->random = random;
}

/* At rest all velocities are 0, whatever they are called: those in free ones go to those in all. False: the equations in all velocities have no
 * value at one of them. */
static bool gather_at_rest(nh_hunt *free, nh_hunt *all)
{
    size_t n = all->flow->n;
    uint64_t random = free->random; /* what is drawn later does not depend on this */
    bool fine = true;
    for (size_t i = 0; i < free->all->count && fine; i++) {
        nh_equilibrium any = nh_family_member(free, &free->all->items[i]);
        double *inputs = nh_doubles(all->flow->arena, 2 * n + 1);
        memcpy(inputs, any.inputs, (1 + n) * sizeof *inputs);
        fine = nh_hunt_is_solution(all, inputs);
        if (fine && !is_known(all, inputs))
            nh_family_add(all, inputs, false);
    }
    free->random = random;
    return fine;
}

/* Whether all that was found in all velocities is there in free ones. */
static bool fits(nh_hunt *all, nh_hunt *free)
{
    nh_flow *f = free->flow;
    uint64_t random = all->random; /* what is drawn later does not depend on this */
    nh_smooth *psi = nh_smooth_new(f, f->eq->first.psi, f->n);
    bool all_fit = true;
    for (size_t i = 0; i < all->all->count && all_fit; i++) {
        nh_equilibrium any = nh_family_member(all, &all->all->items[i]);
        double *inputs = nh_doubles(f->arena, f->size + 1);
        all_fit = is_there(free, psi, any.inputs, inputs);
    }
    all->random = random;
    return all_fit;
}

/* The same in all velocities, for what free ones cannot tell. NULL: they tell all, or so much that the search was ended. */
static nh_hunt *search_in_all_velocities(nh_hunt *free, bool steady, size_t searches)
{
    const char *without;
    if (free->all->full || (!free->degenerate && nh_flow_reaches_all(free->flow)))
        return NULL;
    nh_flow *f = nh_flow_new_second(free->flow->eq);
    nh_flow_put_parameters(f, &without);
    nh_hunt *h = hunt_of(f, steady);
    search(h, affordable(h, searches));
    free->all->everywhere = h->all->everywhere = true;
    if (!steady && (free->degenerate || !fits(h, free)) && gather_at_rest(free, h))
        free->all->count = 0;
    else
        hand_over(h, free);
    return h;
}

nh_equilibria *nh_find_equilibria(nh_flow **f, bool steady, size_t searches)
{
    nh_hunt *h = hunt_of(*f, steady);
    if (steady || (*f)->angle[0] || !take_all(h))
        search(h, affordable(h, searches));
    nh_hunt *other = search_in_all_velocities(h, steady, searches);
    bool others_alone = other && h->all->count == 0 && other->all->count;
    if (!others_alone)
        finish(h, steady);
    if (!other || !other->all->count || (!steady && rests_everywhere(h)))
        return h->all;
    finish(other, steady);
    if (others_alone)
        *f = other->flow;
    h->all->more = other->all->count ? other->all : NULL;
    return others_alone ? other->all : h->all;
}
