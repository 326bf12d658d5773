/* Inside integrate/: several motions of one system at once, each in a lane of its own with its own time, step and constants: four or eight by
 * Taylor series (lanes.c), or up to 64 by Runge-Kutta (crowd.c). */
#ifndef NH_INTEGRATE_LANES_H
#define NH_INTEGRATE_LANES_H

#include "integrate/inner.h"

typedef struct nh_pack nh_pack;

/* The code for a solver and a kind of processor. */
typedef struct nh_pack_code {
    int lanes;
    bool stops_at_rows; /* states between the ends of steps cannot be had */
    nh_pack *(*make)(const nh_motion *, nh_arena *, double tolerance, size_t order,
                     const nh_native *); /* NULL: interpreted */
    void (*put)(nh_pack *, int lane, const double *start,
                const double *constants); /* another motion into a lane */
    void (*begin)(nh_pack *);             /* after some were put */
    /* A step of the active lanes, each no further than to its limit; good: whether each can go on. How many made one. */
    size_t (*step)(nh_pack *, const double *limits, const bool *active, bool *good);
    const double *(*times)(const nh_pack *);                    /* of all lanes; they stay there */
    void (*at)(const nh_pack *, int lane, double t, double *x); /* within the last step */
} nh_pack_code;

enum { NH_MOST_LANES = NH_CROWD };

extern const nh_pack_code nh_pack_taylor_plain, nh_pack_taylor_wide, nh_pack_taylor_widest,
    nh_pack_runge_plain, nh_pack_runge_wide, nh_pack_runge_widest;

#endif
