/* Inside integrate/: eight motions of one system at once. */
#ifndef NH_INTEGRATE_LANES_H
#define NH_INTEGRATE_LANES_H

#include "integrate/inner.h"

typedef struct nh_eight nh_eight;

/* The code for a kind of processor. */
typedef struct nh_eight_code {
    nh_eight *(*make)(const nh_motion *, nh_arena *, double tolerance, const nh_native *); /* NULL: interpreted */
    void (*put)(nh_eight *, int lane, const double *start,
                const double *constants); /* another motion into a lane */
    void (*begin)(nh_eight *);            /* after some were put */
    /* A step of all active lanes, no further than to `to`; good: whether each could. */
    void (*step)(nh_eight *, double to, const bool *active, bool *good);
    double (*time)(const nh_eight *, int lane);
    void (*at)(const nh_eight *, int lane, double t, double *x); /* within the last step */
} nh_eight_code;

extern const nh_eight_code nh_eight_plain, nh_eight_wide;

#endif
