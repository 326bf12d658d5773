/* How fast neighbouring motions part. */
#ifndef NH_ANALYSE_LYAPUNOV_H
#define NH_ANALYSE_LYAPUNOV_H

#include "analyse/orbit.h"

typedef struct nh_lyapunov {
    double from, to;   /* the times of the run, as far as it got */
    double exponent;   /* the mean rate of growth, the first tenth left out */
    double spread;     /* standard error of that, from twenty parts of the run */
    double resolution; /* growth like a power of the time looks like such an exponent */
    double apart;  /* what another neighbour makes of it, where neighbours were followed themselves; or 0 */
    double *parts; /* rate of growth in each of them */
    size_t count;
    nh_orbit orbit;    /* of the motion itself */
    nh_run_end end;    /* NH_RUN_DONE: it got to its end */
    nh_motion *motion; /* for nh_motion_free_code, also where something gives up */
} nh_lyapunov;

/* Along the motion from the state that was put into the flow, for that long. */
void nh_find_lyapunov(nh_flow *, double length, double tolerance, int (*stop)(void *),
                      void (*progress)(void *, double), void *user, nh_lyapunov *out);

#endif
