/* The rate of the energy at states near a steady motion x0,
 *
 *     dH(x') = sum_k H_k x'^k + H_t     at x = x0 + xi.
 *
 * Friction takes -d |v|^2 away, and a force p(q) along v gives p v: where |v| is small beside |q| this is the larger one, by however little p is.
 * So states are tried at many ratios of the velocities to the coordinates, and of each of them to the others; and from those at which the energy
 * falls least, beside what its terms are, the way goes on to where it falls less.
 *
 * Near the state the terms are of second order, and what is left of them of a higher one: it would be lost in their rounding. So the sum is taken in a form in
 * which they cancel, in xi itself where the equations do not hold the state on a surface, and where doubles do not tell its sign, many digits do. */
#include "analyse/growth.h"
#include "algebra/algebra.h"
#include "analyse/newton.h"
#include "analyse/underflow.h"

#include <math.h>
#include <string.h>

/* Very near, too: what jumps at the state, by however little, is all that counts there. */
static const double APART[] = {0.1, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12, 1e-60};
enum { DIRECTIONS = 300, PLACES = sizeof APART / sizeof *APART };
enum { RATIOS = 4000, WAYS = 3 * (PLACES - 1), STEPS_OF_A_WAY = 150 };

typedef struct ascent {
    nh_flow *f;
    const nh_linearization *l;
    nh_expr sum;             /* dH(x') */
    const nh_evaluator *all; /* H_k x'^k, by variable, H_t, and dH(x') */
    bool in_xi;              /* all of these are in xi instead of x */
    bool in_digits;          /* many digits tell the sign of the sum */
    const bool *takes_part;
    double *inputs, *values, *errors;
} ascent;

/* ---------------------------------------------------------------- the rate at a state */

/* x0 + xi, in units of the variables, on what is held. False: there is no such state. */
static bool place(const ascent *a, const double *xi)
{
    const nh_linearization *l = a->l;
    memcpy(a->inputs, l->inputs, (a->f->size + 1) * sizeof *a->inputs);
    for (size_t i = 0; i < l->n; i++) {
        double *x = &a->inputs[1 + l->variables[i]];
        *x = (a->in_xi ? 0 : *x) + a->f->scale[l->variables[i]] * xi[i];
    }
    return !a->f->held->count || nh_newton(a->f, a->f->held, a->takes_part, a->inputs);
}

/* dH(x') beside the sum of its terms, which is the sum of their sizes; with nothing but rounding its sign alone counts. */
static double growth_of(const ascent *a, const double *symbols)
{
    size_t last = a->f->size + 1;
    double sum = a->values[last], rounding = 10 * a->errors[last], size = 0;
    for (size_t k = 0; k < last; k++)
        size += fabs(a->values[k]);
    if (isnan(sum) || isnan(rounding) || isnan(size))
        return NAN;
    if (fabs(sum) > rounding)
        return sum > 0 ? 1 : fmin(sum / size, 0);
    if (rounding == 0)
        return 0;
    int sign = a->in_digits ? nh_sign_in_digits(a->f, a->sum, symbols) : 1;
    return !a->in_digits ? NAN : sign < 0 ? fmin(-rounding / size, 0) : sign;
}

/* More than 0: the energy grows there. NAN: it is not known. */
static double growth_at(const ascent *a, const double *xi)
{
    nh_flow *f = a->f;
    nh_arena_mark mark = nh_arena_here(f->arena);
    double growth = NAN;
    if (place(a, xi)) {
        const double *symbols = nh_flow_symbols(f, a->inputs);
        nh_evaluator_at(a->all, &f->eq->context->arena, symbols, a->values, a->errors);
        growth = growth_of(a, symbols);
    }
    nh_arena_release(f->arena, mark);
    return growth;
}

/* ---------------------------------------------------------------- states to try */

/* Between -1 and 1. */
static double part_of(uint64_t number, uint64_t which)
{
    return (double)(nh_hash(number * 1000003 + which) >> 12 & 0xffff) / 0x8000 - 1;
}

/* In all directions: every second time along axes and between them. */
static void take_direction(const ascent *a, size_t number, double *xi)
{
    for (size_t i = 0; i < a->l->n; i++) {
        double part = part_of(number / PLACES, i);
        if (number / PLACES % 2)
            part = part < -0.5 ? -1 : part > 0.5 ? 1 : 0;
        xi[i] = APART[number % PLACES] * part;
    }
}

/* The velocities, or the coordinates, are up to 1e8 times smaller than the others; every second time each variable has a size of its own,
 * and every third one of them is 0. */
static void take_ratio(const ascent *a, size_t number, double *xi)
{
    const double most = 8;
    double ratio = most * part_of(number, 1000);
    for (size_t i = 0; i < a->l->n; i++) {
        bool velocity = a->l->variables[i] >= a->f->n;
        double power = velocity ? fmin(ratio, 0) : fmin(-ratio, 0);
        if (number % 2)
            power -= 0.25 * most * (1 + part_of(number, 2000 + i));
        bool none = number % 3 == 0 && part_of(number, 3000 + i) < -0.3;
        xi[i] = none ? 0 : APART[number % (PLACES - 1)] * pow(10, power) * part_of(number, i);
    }
}

/* ---------------------------------------------------------------- on to where it falls less */

/* The largest of the coordinates, or of the velocities. */
static double size_of_group(const ascent *a, const double *xi, bool velocities)
{
    double largest = 0;
    for (size_t i = 0; i < a->l->n; i++)
        if ((a->l->variables[i] >= a->f->n) == velocities)
            largest = fmax(largest, fabs(xi[i]));
    return largest;
}

/* At the distance of another state again. */
static void bring_back(const ascent *a, const double *xi, double *next)
{
    double far = fmax(size_of_group(a, xi, false), size_of_group(a, xi, true)),
           now = fmax(size_of_group(a, next, false), size_of_group(a, next, true));
    for (size_t i = 0; i < a->l->n && now > 0; i++)
        next[i] *= far / now;
}

/* At one distance, by steps in all directions, beside each component or beside the largest of its kind; shorter ones where it does not get better. True: it grows
 * somewhere on the way. */
static bool climbs(const ascent *a, uint64_t seed, double *xi, double growth)
{
    double *next = nh_doubles(a->f->arena, a->l->n), step = 0.5;
    for (size_t k = 0; k < STEPS_OF_A_WAY; k++) {
        double own[] = {size_of_group(a, xi, false), size_of_group(a, xi, true)};
        for (size_t i = 0; i < a->l->n; i++) {
            double unit = k % 2 ? fabs(xi[i]) : own[a->l->variables[i] >= a->f->n];
            next[i] = xi[i] + step * unit * part_of(seed * STEPS_OF_A_WAY + k, 4000 + i);
        }
        bring_back(a, xi, next);
        double there = growth_at(a, next);
        if (there > 0)
            return true;
        step = fmin(there > growth ? 1.5 * step : 0.9 * step, 1);
        if (there > growth)
            growth = there, memcpy(xi, next, a->l->n * sizeof *xi);
    }
    return false;
}

/* The states at which it falls least: a few of them at each distance. */
typedef struct best {
    double growth[WAYS], *xi[WAYS];
} best;

static void remember(const ascent *a, best *b, size_t distance, const double *xi, double growth)
{
    size_t worst = distance;
    for (size_t k = distance; k < WAYS; k += PLACES - 1)
        worst = b->growth[k] < b->growth[worst] ? k : worst;
    if (growth > b->growth[worst])
        b->growth[worst] = growth, memcpy(b->xi[worst], xi, a->l->n * sizeof *xi);
}

/* ---------------------------------------------------------------- all of them */

static bool falls_in_directions(const ascent *a, double *xi)
{
    bool falls = true;
    for (size_t number = 0; number < DIRECTIONS * PLACES && falls; number++) {
        take_direction(a, number, xi);
        falls = growth_at(a, xi) <= 0;
    }
    return falls;
}

/* What is 0 with all of its terms says nothing of where it is less. */
static bool falls_at_ratios(const ascent *a, double *xi)
{
    best b;
    bool falls = true;
    for (size_t k = 0; k < WAYS; k++)
        b.growth[k] = -INFINITY, b.xi[k] = nh_doubles(a->f->arena, a->l->n);
    for (size_t number = 0; number < RATIOS && falls; number++) {
        take_ratio(a, number, xi);
        double growth = growth_at(a, xi);
        falls = growth <= 0;
        if (growth < 0)
            remember(a, &b, number % (PLACES - 1), xi, growth);
    }
    for (size_t k = 0; k < WAYS && falls; k++)
        falls = b.growth[k] == -INFINITY || !climbs(a, k, b.xi[k], b.growth[k]);
    return falls;
}

/* ---------------------------------------------------------------- what is looked at */

/* x0 + xi in the place of x, for the variables that take part, xi having their symbols. */
static void put_displacements(nh_flow *f, const nh_linearization *l, nh_expr *e, size_t count)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr *symbols = nh_arena_array(f->arena, l->n + 1, sizeof *symbols),
            *places = nh_arena_array(f->arena, l->n + 1, sizeof *places);
    for (size_t i = 0; i < l->n; i++) {
        nh_rational x0 = nh_rational_from_double(&pool->numbers, l->inputs[1 + l->variables[i]]);
        symbols[i] = f->symbols[l->variables[i]];
        places[i] = nh_add(pool, symbols[i], nh_number(pool, x0));
    }
    nh_substitute(pool, &f->eq->context->arena, e, count, symbols, places, l->n, e);
}

/* In few operations; what is known of the signs of x is not known of xi. False: it stays as it is. */
static bool shorten(const ascent *a, nh_expr *e)
{
    nh_flow *f = a->f;
    nh_algebra algebra;
    signed char *signs = nh_arena_array(f->arena, f->eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_flow_signs(f), f->eq->pool.n_symbols);
    for (size_t k = 0; k < f->size && a->in_xi; k++) {
        uint32_t index = 0;
        if (nh_is_symbol(&f->eq->pool, f->symbols[k], &index))
            signs[index] = 0;
    }
    nh_algebra_init(&algebra, &f->eq->pool, &(nh_budget){.max_terms = 2000, .max_seconds = 0.2}, signs);
    nh_expr out = NH_EXPR_NONE;
    bool whole = nh_simplify(&algebra, e, 1, &out) && out;
    nh_algebra_free(&algebra);
    *e = whole ? out : *e;
    return whole;
}

/* False: something has no value. */
static bool begin(ascent *a, const nh_expr *slope, nh_expr power)
{
    nh_flow *f = a->f;
    nh_pool *pool = &f->eq->pool;
    size_t count = f->size + 2;
    nh_expr *all = nh_arena_array(f->arena, count, sizeof *all), sum = pool->zero;
    for (size_t k = 0; k <= f->size; k++) {
        all[k] = k < f->size ? nh_mul(pool, slope[k], f->rates[k]) : slope[k];
        sum = nh_add(pool, sum, all[k]);
    }
    all[count - 1] = *nh_with_own_parameters(f, power ? &power : &sum, 1);
    a->in_xi = !f->held->count;
    if (a->in_xi)
        put_displacements(f, a->l, all, count);
    for (size_t k = 0; k < count; k++)
        if (!all[k])
            return false;
    bool cancelled = shorten(a, &all[count - 1]) && a->in_xi; /* off the surface it does not all cancel */
    a->sum = all[count - 1];
    a->in_digits = (cancelled || power) && nh_has_sign_in_digits(f, a->sum);
    a->all = nh_evaluator_new(pool, f->arena, all, count);
    a->values = nh_doubles(f->arena, count), a->errors = nh_doubles(f->arena, count);
    return true;
}

bool nh_energy_falls_nearby(nh_flow *f, const nh_linearization *l, const nh_expr *slope, nh_expr power)
{
    double *xi = nh_doubles(f->arena, l->n);
    ascent a = {.f = f, .l = l, .takes_part = nh_taking_part(f), .inputs = nh_doubles(f->arena, f->size + 1)};
    if (!begin(&a, slope, power))
        return false;
    place(&a, xi); /* what Newton's method makes once stays */
    return falls_in_directions(&a, xi) && falls_at_ratios(&a, xi);
}
