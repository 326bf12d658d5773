/* The unit of time of series.
 *
 * Coefficient k of a motion that changes within the time T is about as large as T^-k: for T = 1e-14 or 1e14 that is no number, or 0, for the
 * orders of 20 and more that are used here. In a unit near T it is as large as the motion is. Behind the first step, the length of
 * the last one is such a time. */
#include "integrate/inner.h"

#include <float.h>

/* What all coefficients say. */
typedef struct unit_search {
    double shortest; /* time in which a component changes; INFINITY: not known */
    bool told;       /* one has numbers of the highest orders */
    bool too_large;  /* one has coefficients that are no numbers */
} unit_search;

/* (|c_j|/|c_k|)^(1/(k-j)), with the first and the last coefficient of a component that are numbers and not 0. */
static void look_at_component(unit_search *u, const double *c, size_t order)
{
    size_t first = order + 1, last = 0;
    for (size_t k = 0; k <= order; k++) {
        double size = fabs(c[k]);
        if (!isfinite(size))
            u->too_large = true;
        else if (size >= DBL_MIN)
            first = first > order ? k : first, last = k;
    }
    u->told = u->told || last + 1 >= order;
    if (first < last)
        u->shortest =
            fmin(u->shortest, exp((log(fabs(c[first])) - log(fabs(c[last]))) / (double)(last - first)));
}

double nh_unit_of_time(const double *c, size_t n, size_t order, double unit, double left)
{
    unit_search u = {.shortest = INFINITY};
    for (size_t i = 0; i < n; i++)
        look_at_component(&u, c + i * (order + 1), order);
    double time = isinf(u.shortest) ? fabs(left) / unit : u.shortest;
    bool good = (u.told && !u.too_large) || (time > 0x1p-10 && time < 0x1p10);
    if (good || !(time * unit > 0) || !isfinite(time * unit))
        return unit;
    return ldexp(1, ilogb(time * unit));
}
