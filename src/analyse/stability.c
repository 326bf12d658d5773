#include "analyse/stability.h"
#include "algebra/algebra.h"
#include "analyse/corners.h"
#include "analyse/energy.h"
#include "analyse/newton.h"
#include "analyse/spectrum.h"
#include "analyse/underflow.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- families */

/* What is 0 but for the rounding of Newton's method is 0. */
static void put_zeros(const nh_flow *f, const nh_linearization *l, double *inputs)
{
    for (size_t i = 0; i < l->n; i++) {
        double *x = &inputs[1 + l->variables[i]];
        *x = fabs(*x) < 1e-12 * f->scale[l->variables[i]] ? 0 : *x;
    }
}

/* One of them is too small for doubles: x^151, where x is 1e-3. */
static bool hides_rates(nh_flow *f, const nh_linearization *l, const double *inputs)
{
    nh_expr *rates = nh_arena_array(f->arena, l->n + 1, sizeof *rates);
    for (size_t i = 0; i < l->n; i++)
        rates[i] = f->rates[l->variables[i]];
    return nh_hides_small(f, rates, l->n, inputs);
}

/* The rates of the variables that take part are all 0 within rounding, of the formulas and of the state. What is 0 is not rounded: a rate of
 * 1e-13 x is none of a family x, whatever there is beside it. */
static bool is_steady_at(nh_flow *f, const nh_linearization *l, const double *inputs)
{
    double *rates = nh_doubles(f->arena, f->size), *errors = nh_doubles(f->arena, f->size),
           *J = nh_doubles(f->arena, f->size * f->size);
    if (!nh_flow_exactly(f, inputs, rates, errors, NULL, NULL) ||
        !nh_smooth_derivatives(f, f->field, inputs, J))
        return false;
    for (size_t i = 0; i < l->n; i++) {
        double of_state = 0;
        for (size_t k = 0; k < l->n; k++)
            of_state += fabs(J[l->variables[i] * f->size + l->variables[k]]) * DBL_EPSILON *
                        fabs(inputs[1 + l->variables[k]]);
        if (fabs(rates[l->variables[i]]) > 100 * (errors[l->variables[i]] + of_state))
            return false;
    }
    return !hides_rates(f, l, inputs);
}

/* Near by and far, and nothing that a period fits into: what is steady at most of them is so between them, too. */
static const double APART[] = {0.11303, 0.061803, 9.2736e-3, 1.1180e-3, 1.7321e-5, 2.2361e-7};
enum { DISTANCES = sizeof APART / sizeof *APART, MOST_OF_THEM = DISTANCES - 2 };

/* Whether there is a steady motion so far along a direction (by variable that takes part): with the variable that changes most held there. */
static bool is_steady_along(nh_flow *f, const nh_linearization *l, nh_smooth *steady, const bool *stays,
                            const double *direction, double apart)
{
    double *inputs = nh_doubles(f->arena, f->size + 1), square = 0, along = 0;
    bool *moves = nh_arena_array(f->arena, f->size + 1, sizeof *moves);
    size_t most = 0;
    memcpy(inputs, l->inputs, (f->size + 1) * sizeof *inputs);
    memcpy(moves, stays, f->size * sizeof *moves);
    for (size_t i = 0; i < l->n; i++) {
        square += direction[i] * direction[i];
        inputs[1 + l->variables[i]] += apart * f->scale[l->variables[i]] * direction[i];
        most = fabs(direction[i]) > fabs(direction[most]) ? i : most;
    }
    moves[l->variables[most]] = false;
    for (int k = 0; k < 2; k++) /* the second time to all digits */
        if (!nh_newton(f, steady, moves, inputs))
            return false;
    put_zeros(f, l, inputs);
    if (!is_steady_at(f, l, inputs))
        return false;
    for (size_t i = 0; i < l->n; i++)
        along += (inputs[1 + l->variables[i]] - l->inputs[1 + l->variables[i]]) / f->scale[l->variables[i]] *
                 direction[i] / square;
    return fabs(along - apart) <= 0.1 * fabs(apart);
}

/* On both sides. */
static bool is_family(nh_flow *f, const nh_linearization *l, nh_smooth *steady, const bool *stays,
                      const double *direction)
{
    bool family = true;
    for (int side = -1; side <= 1 && family; side += 2) {
        size_t count = 0;
        for (size_t i = 0; i < DISTANCES && count + DISTANCES - i >= MOST_OF_THEM; i++)
            count += is_steady_along(f, l, steady, stays, direction, side * APART[i]);
        family = count >= MOST_OF_THEM;
    }
    return family;
}

enum { MIXTURES = 3 };

/* Along each eigenvector of 0, and along mixtures of them: two lines that cross are no plane. */
static bool zeros_are_families(nh_flow *f, const nh_linearization *l)
{
    const bool *stays = nh_taking_part(f);
    nh_smooth *steady = nh_steadiness(f, stays);
    double *direction = nh_doubles(f->arena, l->n), *mixture = nh_doubles(f->arena, l->n * MIXTURES);
    for (size_t k = 0; k < l->n_free; k++) {
        if (l->eigenvalues[k].re != 0 || l->eigenvalues[k].im != 0)
            continue;
        for (size_t i = 0; i < l->n; i++) {
            direction[i] = l->mode_re[i * l->n_free + k];
            for (size_t m = 0; m < MIXTURES; m++)
                mixture[m * l->n + i] +=
                    direction[i] * ((double)(nh_hash(7 * m + k) >> 12 & 0xffff) / 0x8000 - 1);
        }
        if (!is_family(f, l, steady, stays, direction))
            return false;
    }
    for (size_t m = 0; m < MIXTURES && l->kernel > 1; m++)
        if (!is_family(f, l, steady, stays, mixture + m * l->n))
            return false;
    return true;
}

/* The variables along which there are eigenvectors of 0, if there are no more of them than of those: by variable. NULL: there are. */
static bool *free_variables(nh_flow *f, const nh_linearization *l)
{
    bool *free = nh_arena_array(f->arena, f->size + 1, sizeof *free);
    size_t count = 0;
    for (size_t k = 0; k < l->n_free; k++)
        for (size_t i = 0; i < l->n && l->eigenvalues[k].re == 0 && l->eigenvalues[k].im == 0; i++)
            if (fabs(l->mode_re[i * l->n_free + k]) > 1e-30) {
                count += !free[l->variables[i]];
                free[l->variables[i]] = true;
            }
    return count == l->kernel ? free : NULL;
}

/* By algebra: with 0 for the variables that are 0 the rates are 0, whatever the free ones are. */
static bool family_is_proved(nh_flow *f, const nh_linearization *l)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    size_t count = 0, parameters = eq->model->n_parameters, room = f->size + parameters + 1;
    nh_expr *symbols = nh_arena_array(f->arena, room, sizeof *symbols),
            *values = nh_arena_array(f->arena, room, sizeof *values),
            *rates = nh_arena_array(f->arena, f->size + 1, sizeof *rates);
    const nh_expr *exact = nh_flow_exact_parameters(f);
    const bool *free = free_variables(f, l);
    for (size_t k = 0; k < f->size; k++)
        if (free && !free[k] && l->inputs[1 + k] == 0)
            symbols[count] = f->symbols[k], values[count++] = pool->zero;
    for (size_t i = 0; i < parameters; i++) {
        uint32_t index = 0;
        if (nh_is_symbol(pool, eq->model->parameters[i].symbol, &index) && exact[index])
            symbols[count] = eq->model->parameters[i].symbol, values[count++] = exact[index];
    }
    nh_substitute(pool, &eq->context->arena, f->rates, f->size, symbols, values, count, rates);
    nh_algebra algebra;
    bool proved = free && !f->held->count;
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.1}, nh_flow_signs(f));
    for (size_t i = 0; i < l->n && proved; i++) {
        nh_expr rate = rates[l->variables[i]];
        proved = rate && nh_is_zero(&algebra, rate) == NH_YES;
    }
    nh_algebra_free(&algebra);
    return proved;
}

/* "...", or "..., which are tested by numbers". */
static const char *family_reason(nh_flow *f, const nh_linearization *l, bool decays)
{
    if (family_is_proved(f, l))
        return decays ? "all real parts are negative but for the eigenvalues 0 of a family of steady motions "
                        "(Lyapunov, Malkin)"
                      : "every state nearby is a steady motion, too";
    return decays ? "all real parts are negative but for the eigenvalues 0 of a family of steady motions, "
                    "tested "
                    "by numbers (Lyapunov, Malkin)"
                  : "every state nearby is a steady motion, too, tested by numbers";
}

/* ---------------------------------------------------------------- where the state itself is in doubt */

/* The derivatives of the field at a state nearby; side 0: here. */
static bool derivatives_beside(nh_flow *f, const nh_linearization *l, const double *way, int side, double *J)
{
    double *inputs = nh_doubles(f->arena, f->size + 1);
    memcpy(inputs, l->inputs, (f->size + 1) * sizeof *inputs);
    for (size_t i = 0; i < l->n && side; i++)
        inputs[1 + l->variables[i]] += side * way[i];
    return nh_smooth_derivatives(f, f->field, inputs, J);
}

/* The largest change of A from the state to others on both sides. */
static double change_along(nh_flow *f, const nh_linearization *l, const double *way)
{
    size_t size = f->size;
    double *here = nh_doubles(f->arena, size * size), *J = nh_doubles(f->arena, size * size), worst = 0;
    if (!derivatives_beside(f, l, way, 0, here))
        return INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        if (!derivatives_beside(f, l, way, side, J))
            return INFINITY;
        for (size_t i = 0; i < l->n * l->n; i++) {
            size_t at = l->variables[i / l->n] * size + l->variables[i % l->n];
            worst = fmax(worst, fabs(J[at] - here[at]));
        }
    }
    return worst;
}

/* What the rates are, and may be by rounding, in units of the variables. */
static double residue(nh_flow *f, const nh_linearization *l)
{
    double *rates = nh_doubles(f->arena, f->size), *errors = nh_doubles(f->arena, f->size), worst = 0;
    if (!nh_flow_exactly(f, l->inputs, rates, errors, NULL, NULL))
        return INFINITY;
    for (size_t i = 0; i < l->n; i++) {
        size_t k = l->variables[i];
        worst = fmax(worst, (fabs(rates[k]) + errors[k]) / f->scale[k]);
    }
    return worst;
}

/* From the state to where the root may be: v, a direction along which A is sigma, times r/sigma, and the rounding of what is not 0. */
static void find_way(const nh_flow *f, const nh_linearization *l, const double *v, double far, double *way)
{
    for (size_t i = 0; i < l->n; i++) {
        double x = l->inputs[1 + l->variables[i]], along = 0;
        for (size_t j = 0; j < l->n_free; j++)
            along += l->tangents[j * l->n + i] * v[j];
        way[i] = along * far * f->scale[l->variables[i]] + (along < 0 ? -4 : 4) * DBL_EPSILON * fabs(x);
    }
}

/* How far A may be from that of the root; the ways to it, by rows; and the least that A does in any direction (but those of a family). Where
 * rates r and A are right, the root is r/sigma away, and A nearly the same there (Newton, Kantorovich). */
typedef struct doubt {
    double change, least, norm;
    size_t count;
    double *ways;
} doubt;

static doubt find_doubt(nh_flow *f, const nh_linearization *l)
{
    size_t m = l->n_free;
    double *S = nh_doubles(f->arena, m), *right = nh_doubles(f->arena, m * m), r = residue(f, l);
    doubt d = {.least = INFINITY, .ways = nh_doubles(f->arena, m * l->n)};
    if (m && !nh_singular(f->arena, m, m, l->on_them, S, right))
        d.change = INFINITY;
    for (size_t j = 0; j + l->kernel < m && S[j] > l->rounding; j++) {
        double far = 2 * r / S[j], *way = d.ways + d.count++ * l->n;
        find_way(f, l, right + j * m, far, way);
        d.change = fmax(d.change, far < 1 ? change_along(f, l, way) : INFINITY);
        d.least = fmin(d.least, S[j]), d.norm = fmax(d.norm, S[j]);
    }
    return d;
}

/* Near a multiple root the rates are 0 but for rounding, and an eigenvalue that should be 0 is not. */
static bool is_vague(nh_flow *f, const nh_linearization *l)
{
    doubt d = find_doubt(f, l);
    return d.change > 0 && !(d.change < d.least / 2);
}

/* Whether an eigenvalue has a positive real part, with these derivatives of all rates. */
static bool grows_by(nh_flow *f, const nh_linearization *l, const double *J)
{
    size_t size = f->size, n = l->n, m = l->n_free;
    double *half = nh_doubles(f->arena, m * n), *A = nh_doubles(f->arena, m * m);
    for (size_t i = 0; i < m * n; i++)
        for (size_t k = 0; k < n; k++)
            half[i] += l->tangents[i / n * n + k] * J[l->variables[k] * size + l->variables[i % n]];
    for (size_t i = 0; i < m * m; i++)
        for (size_t k = 0; k < n; k++)
            A[i] += half[i / m * n + k] * l->tangents[i % m * n + k];
    nh_spectrum *s = nh_spectrum_of(f->arena, m, A, l->rounding);
    for (size_t k = 0; s && k < m; k++)
        if (s->values[k].re > 20 * s->values[k].error)
            return true;
    return false;
}

/* At a state nearby, too. */
static bool grows_beside(nh_flow *f, const nh_linearization *l, const double *way, int side)
{
    double *J = nh_doubles(f->arena, f->size * f->size);
    return derivatives_beside(f, l, way, side, J) && grows_by(f, l, J);
}

/* Whatever the others are, one that is not in doubt is enough: one that a change of A leaves positive, by a root of it at most, or that there is
 * wherever the root may be. */
static bool grows(nh_flow *f, const nh_linearization *l)
{
    doubt d = find_doubt(f, l);
    for (size_t k = 0; k < l->n_free; k++) {
        nh_eigenvalue e = l->eigenvalues[k];
        if (e.re > 20 * e.error && sqrt(d.change * d.norm) < e.re / 2)
            return true;
    }
    for (size_t j = 0; j < d.count; j++)
        for (int side = -1; side <= 1; side += 2)
            if (!grows_beside(f, l, d.ways + j * l->n, side))
                return false;
    return d.count > 0;
}

/* ---------------------------------------------------------------- the verdict */

static void decide(nh_linearization *l, nh_stability verdict, const char *reason)
{
    l->verdict = verdict, l->reason = reason;
}

typedef struct counts {
    size_t grow, decay, turn;
} counts;

static counts count(const nh_linearization *l)
{
    counts c = {0, 0, 0};
    for (size_t k = 0; k < l->n_free; k++) {
        nh_eigenvalue e = l->eigenvalues[k];
        if (e.re == 0 && e.im == 0)
            continue;
        c.grow += e.re > 20 * e.error, c.decay += e.re < -20 * e.error, c.turn += fabs(e.re) <= 20 * e.error;
    }
    return c;
}

static const char BY_FALL[] =
    "the energy has a strict minimum there, and grows at no state nearby that was tried "
    "(Lagrange, Dirichlet)";

/* Rates, their derivatives or eigenvalues are too small for doubles, and not 0. */
static bool is_hidden(nh_flow *f, const nh_linearization *l)
{
    nh_expr *A = nh_arena_array(f->arena, l->n * l->n + 1, sizeof *A);
    for (size_t i = 0; i < l->n * l->n; i++)
        A[i] = f->derivatives[l->variables[i / l->n] * f->size + l->variables[i % l->n]];
    return l->tiny || hides_rates(f, l, l->inputs) || nh_hides_small(f, A, l->n * l->n, l->inputs);
}

/* Where the rates have no jump: by the linear equations of each side, as if it were everywhere. */
static bool grows_on_all_sides(nh_flow *f, const nh_linearization *l)
{
    size_t count = 0;
    const nh_expr *rates = nh_flow_on_sides(f, l->inputs, &count);
    double *J = nh_doubles(f->arena, f->size * f->size);
    bool all = count > 0;
    for (size_t side = 0; side < count && all; side++) {
        nh_smooth *there = nh_smooth_new(f, rates + side * f->size, f->size);
        all = nh_smooth_derivatives(f, there, l->inputs, J) && grows_by(f, l, J);
    }
    return all;
}

/* The linear equations are none. */
static void judge_corner(nh_flow *f, nh_linearization *l)
{
    if (grows_on_all_sides(f, l))
        decide(l, NH_UNDECIDED,
               "forces have a corner there, and on each side of it an eigenvalue has a positive real part");
    else if (nh_energy_is_smooth(f) && nh_energy_falls_to_least(f, l))
        decide(l, NH_STABLE, BY_FALL);
    else
        decide(l, NH_UNDECIDED, "forces have a corner there");
}

void nh_judge_stability(nh_flow *f, nh_linearization *l)
{
    counts c = count(l);
    if (!l->steady)
        decide(l, NH_UNDECIDED, "this is no steady motion");
    else if (f->timed)
        decide(l, NH_UNDECIDED, "the equations depend on the time");
    else if (nh_flow_has_corner(f, l->inputs))
        judge_corner(f, l);
    else if (c.grow && grows(f, l))
        decide(l, NH_UNSTABLE, "an eigenvalue has a positive real part");
    else if (is_hidden(f, l))
        decide(l, NH_UNDECIDED, "a number that decides is not 0, and too small for doubles");
    else if (c.grow || is_vague(f, l))
        decide(l, NH_UNDECIDED,
               "a multiple root: rounding hides where exactly it is, and with it the derivatives");
    else if (nh_energy_is_least(f, l))
        decide(l, NH_STABLE, "the energy is conserved and has a strict minimum there (Lagrange, Dirichlet)");
    else if (!c.turn && !l->zeros)
        decide(l, NH_STABLE, "asymptotically: all real parts are negative");
    else if (!c.turn && l->zeros == l->kernel && zeros_are_families(f, l))
        decide(l, NH_STABLE, family_reason(f, l, c.decay));
    else if (nh_energy_falls_to_least(f, l))
        decide(l, NH_STABLE, BY_FALL);
    else if (c.turn)
        decide(l, NH_UNDECIDED, "eigenvalues on the imaginary axis: the linear equations do not decide");
    else
        decide(l, NH_UNDECIDED, "an eigenvalue is 0: the linear equations do not decide");
}
