/* Derivatives that have no value at a state, as those of |v| v at v = 0, where they are 0/0, but tend to one from all sides: the function
 * has this derivative there, which is continuous. It is a test: at states nearer and nearer, in many directions, they have to agree better and
 * better. Those of |v| itself do not, nor those of v log(v). */
#include "analyse/limit.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 24 };
static const double APART[] = {1e-4, 1e-6, 1e-8, 1e-10};
enum { LEVELS = sizeof APART / sizeof *APART };
static const double NOISE = 1e-9, /* of the derivatives: agreement is no better */
    BETTER = 0.5; /* and from level to level so much better: a power of the distance, 0.15 or more */

/* The first half in all variables, the others along axes and between them. */
static void beside(const nh_flow *f, const double *inputs, size_t number, double apart, double *out)
{
    out[0] = inputs[0];
    for (size_t k = 0; k < f->size; k++) {
        double part = (double)(nh_hash(number * 7919 + k) >> 12 & 0xffff) / 0x8000 - 1;
        if (number >= DIRECTIONS / 2)
            part = part < -0.5 ? -1 : part > 0.5 ? 1 : 0;
        out[1 + k] = inputs[1 + k] + apart * f->scale[k] * part;
    }
}

/* The least and the largest of each derivative at one distance. False: there are none in some direction; one along which the state stays
 * one without derivatives does not count. */
static bool look_around(nh_flow *f, nh_smooth *s, const double *inputs, double apart, double *low,
                        double *high)
{
    size_t count = s->count * f->size;
    double *J = nh_doubles(f->arena, count), *near = nh_doubles(f->arena, f->size + 1);
    for (size_t i = 0; i < count; i++)
        low[i] = INFINITY, high[i] = -INFINITY;
    for (size_t number = 0; number < DIRECTIONS; number++) {
        beside(f, inputs, number, apart, near);
        bool fine = nh_smooth_has_derivatives(f, s, near, J);
        if (!fine && number < DIRECTIONS / 2)
            return false;
        for (size_t i = 0; i < count && fine; i++)
            low[i] = fmin(low[i], J[i]), high[i] = fmax(high[i], J[i]);
    }
    return true;
}

/* Whether they agree better than one level before; last: its spread there. */
static bool agrees(double low, double high, double *last)
{
    double spread = high - low, before = *last;
    *last = spread;
    return spread <= NOISE * fmax(fabs(low), fabs(high)) || spread <= BETTER * before;
}

bool nh_smooth_limit(nh_flow *f, nh_smooth *s, const double *inputs, double *derivatives, double *errors)
{
    size_t count = s->count * f->size;
    double *low = nh_doubles(f->arena, count);
    nh_smooth_has_derivatives(f, s, inputs, low); /* what it makes once stays */
    nh_arena_mark mark = nh_arena_here(f->arena);
    double *high = nh_doubles(f->arena, count), *spread = nh_doubles(f->arena, count);
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        spread[i] = isfinite(derivatives[i]) && isfinite(errors[i]) ? NAN : INFINITY; /* NAN: is known */
    for (size_t level = 0; level < LEVELS && fine; level++) {
        fine = look_around(f, s, inputs, APART[level], low, high);
        for (size_t i = 0; i < count && fine; i++)
            fine = isnan(spread[i]) || agrees(low[i], high[i], &spread[i]);
    }
    for (size_t i = 0; i < count && fine; i++)
        if (!isnan(spread[i])) {
            double middle = low[i] + (high[i] - low[i]) / 2;
            errors[i] = 2 * spread[i] + NOISE * fabs(middle);
            derivatives[i] = fabs(middle) <= errors[i] ? 0 : middle;
        }
    nh_arena_release(f->arena, mark);
    return fine;
}
