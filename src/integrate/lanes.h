/* Inside integrate/: four motions of one system at once. */
#ifndef NH_INTEGRATE_LANES_H
#define NH_INTEGRATE_LANES_H

#include "integrate/inner.h"

typedef struct nh_four nh_four;

/* The code for a kind of processor. */
typedef struct nh_four_code {
    nh_four *(*make)(const nh_motion *, nh_arena *, double tolerance, size_t order,
                     const nh_native *); /* NULL: interpreted */
    void (*put)(nh_four *, int lane, const double *start,
                const double *constants); /* another motion into a lane */
    void (*begin)(nh_four *);             /* after some were put */
    /* A step of all active lanes, no further than to `to`; good: whether each could. */
    void (*step)(nh_four *, double to, const bool *active, bool *good);
    const double *(*times)(const nh_four *);                    /* of all lanes; they stay there */
    void (*at)(const nh_four *, int lane, double t, double *x); /* within the last step */
} nh_four_code;

extern const nh_four_code nh_four_plain, nh_four_wide;

#endif
