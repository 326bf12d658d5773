/* Inside integrate/: many starts of one system. */
#ifndef NH_INTEGRATE_STARTS_H
#define NH_INTEGRATE_STARTS_H

#include "integrate/job.h"

/* The starts of options.starts, each with all that a motion begins with. */
typedef struct nh_starts {
    size_t count;
    double *states;    /* t and the state, 1 + size each */
    double *constants; /* the parameters */
    double *z;
    bool same_constants; /* no parameter differs */
} nh_starts;

/* The state of the first start of the table, by symbol, which stands for all of them where one is needed: what the model gives need
 * not be one. NULL: there is none, which was reported. */
double *nh_starts_first(nh_run_job *);

/* False: what is wrong was reported, with its line and column. */
bool nh_starts_read(nh_run_job *, const nh_motion *, const double *values, nh_starts *);

/* Whether the equations do not determine the accelerations at a start (values by symbol), which is reported. */
bool nh_start_is_singular(nh_run_job *, bool second, double *values);

#endif
