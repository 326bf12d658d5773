/* Inside tape/: arithmetic of ranges [low, high], rounded outwards. What has no value somewhere is the range of all numbers. */
#ifndef NH_TAPE_INTERVAL_H
#define NH_TAPE_INTERVAL_H

#include "tape/tape.h"

#include <float.h>
#include <math.h>

static inline nh_interval nh_interval_all(void) { return (nh_interval){-INFINITY, INFINITY}; }
static inline nh_interval nh_interval_at(double x) { return (nh_interval){x, x}; }

/* Functions of the library are right to within one unit, operations to within a half. What is too large to be a number is larger than all numbers. */
static inline nh_interval nh_interval_rounded(double low, double high)
{
    nh_interval r = {low == INFINITY ? DBL_MAX : low - 2 * DBL_EPSILON * fabs(low),
                     high == -INFINITY ? -DBL_MAX : high + 2 * DBL_EPSILON * fabs(high)};
    return r.low <= r.high ? r : nh_interval_all(); /* or there is no number */
}

static inline bool nh_interval_has(nh_interval a, double x) { return a.low <= x && x <= a.high; }
static inline double nh_interval_size(nh_interval a)
{
    return -a.low > a.high ? -a.low : a.high;
} /* largest |x| */

static inline nh_interval nh_interval_add(nh_interval a, nh_interval b)
{
    return nh_interval_rounded(a.low + b.low, a.high + b.high);
}

static inline nh_interval nh_interval_neg(nh_interval a) { return (nh_interval){-a.high, -a.low}; }

static inline nh_interval nh_interval_sub(nh_interval a, nh_interval b)
{
    return nh_interval_add(a, nh_interval_neg(b));
}

static inline nh_interval nh_interval_join(nh_interval a, nh_interval b)
{
    return (nh_interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static inline nh_interval nh_interval_mul(nh_interval a, nh_interval b)
{
    double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    if (isnan(p + q + r + s) && (isnan(p) || isnan(q) || isnan(r) || isnan(s)))
        return nh_interval_all();
    double low = p < q ? p : q, high = p < q ? q : p, low2 = r < s ? r : s, high2 = r < s ? s : r;
    return nh_interval_rounded(low < low2 ? low : low2, high > high2 ? high : high2);
}

static inline nh_interval nh_interval_square(nh_interval a)
{
    double p = a.low * a.low, q = a.high * a.high;
    nh_interval r = nh_interval_rounded(p < q ? p : q, p < q ? q : p);
    return nh_interval_has(a, 0) ? (nh_interval){0, r.high} : r;
}

/* 1/a */
static inline nh_interval nh_interval_inverse(nh_interval a)
{
    return nh_interval_has(a, 0) ? nh_interval_all() : nh_interval_rounded(1 / a.high, 1 / a.low);
}

static inline nh_interval nh_interval_div(nh_interval a, nh_interval b)
{
    if (nh_interval_has(b, 0))
        return nh_interval_all();
    double p = a.low / b.low, q = a.low / b.high, r = a.high / b.low, s = a.high / b.high;
    return nh_interval_rounded(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static inline nh_interval nh_interval_scale(double factor, nh_interval a)
{
    return nh_interval_mul(nh_interval_at(factor), a);
}

#endif
