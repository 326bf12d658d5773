/* Inside analyse/: whether rates jump along a motion. */
#ifndef NH_ANALYSE_JUMPS_H
#define NH_ANALYSE_JUMPS_H

#include "analyse/flow.h"

typedef struct nh_jumps nh_jumps;

/* Of the rates of those variables. */
nh_jumps *nh_jumps_new(nh_flow *, const size_t *variables, size_t count, const nh_stepper *);

/* Whether they jump within the last step, which began at a time with a state. */
bool nh_jumps_within(nh_jumps *, nh_stepper *, double from, const double *x);

/* Whether they may jump between the state x and another one, whose variables are those; both at that time. */
bool nh_jumps_between(nh_jumps *, double t, const double *x, const double *other);

#endif
