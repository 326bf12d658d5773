/* The rate of the energy at states near a steady motion x0,
 *
 *     dH(x') = sum_k H_k x'^k + H_t     at x = x0 + xi.
 *
 * Friction takes -d |v|^2 away, and a force p(q) along v gives p v: where |v| is small beside |q| this is the larger one, by however little p is.
 * So states are tried at many ratios of the velocities to the coordinates, and of each of them to the others; and from those at which the energy
 * falls least, beside what its terms are, the way goes on to where it falls less. */
#include "analyse/growth.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

/* Very near, too: what jumps at the state, by however little, is all that counts there. */
static const double APART[] = {0.1, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12, 1e-60};
enum { DIRECTIONS = 300, PLACES = sizeof APART / sizeof *APART };
enum { RATIOS = 4000, WAYS = 16, STEPS_OF_A_WAY = 150 };

typedef struct ascent {
    nh_flow *f;
    const nh_linearization *l;
    const nh_evaluator *terms; /* H_k x'^k, by variable, and H_t */
    const bool *takes_part;
    double *inputs, *values, *errors;
} ascent;

/* ---------------------------------------------------------------- the rate at a state */

/* x0 + xi, in units of the variables, on what is held. False: there is no such state. */
static bool place(const ascent *a, const double *xi)
{
    const nh_linearization *l = a->l;
    memcpy(a->inputs, l->inputs, (a->f->size + 1) * sizeof *a->inputs);
    for (size_t i = 0; i < l->n; i++)
        a->inputs[1 + l->variables[i]] += a->f->scale[l->variables[i]] * xi[i];
    return !a->f->held->count || nh_newton(a->f, a->f->held, a->takes_part, a->inputs);
}

/* dH(x'), less what may be rounding of it, beside the sum of its terms; more than 0: the energy grows there. NAN: it is not known. */
static double growth_at(const ascent *a, const double *xi)
{
    nh_flow *f = a->f;
    nh_arena_mark mark = nh_arena_here(f->arena);
    double sum = NAN, rounding = 0, size = 0;
    if (place(a, xi)) {
        nh_evaluator_at(a->terms, &f->eq->context->arena, nh_flow_symbols(f, a->inputs), a->values,
                        a->errors);
        sum = 0;
    }
    for (size_t k = 0; k <= f->size && !isnan(sum); k++) {
        sum += a->values[k], size += fabs(a->values[k]);
        rounding += 100 * a->errors[k] + (f->held->count ? 1e-12 * fabs(a->values[k]) : 0);
    }
    nh_arena_release(f->arena, mark);
    return isnan(sum) || isnan(rounding) ? NAN : sum <= rounding ? fmin((sum - rounding) / size, 0) : 1;
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

/* The states at which it falls least: a few of them. */
typedef struct best {
    double growth[WAYS], *xi[WAYS];
} best;

static void remember(const ascent *a, best *b, const double *xi, double growth)
{
    size_t worst = 0;
    for (size_t k = 1; k < WAYS; k++)
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
            remember(a, &b, xi, growth);
    }
    for (size_t k = 0; k < WAYS && falls; k++)
        falls = b.growth[k] == -INFINITY || !climbs(a, k, b.xi[k], b.growth[k]);
    return falls;
}

bool nh_energy_falls_nearby(nh_flow *f, const nh_linearization *l, const nh_expr *slope)
{
    size_t count = f->size + 1;
    nh_expr *terms = nh_arena_array(f->arena, count, sizeof *terms);
    double *xi = nh_doubles(f->arena, l->n);
    terms[f->size] = slope[f->size];
    for (size_t k = 0; k < f->size; k++)
        terms[k] = nh_mul(&f->eq->pool, slope[k], f->rates[k]);
    ascent a = {f,
                l,
                nh_evaluator_new(&f->eq->pool, f->arena, terms, count),
                nh_taking_part(f),
                nh_doubles(f->arena, count),
                nh_doubles(f->arena, count),
                nh_doubles(f->arena, count)};
    place(&a, xi); /* what Newton's method makes once stays */
    return falls_in_directions(&a, xi) && falls_at_ratios(&a, xi);
}
