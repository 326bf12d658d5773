/* Inside analyse/: times at which equations that change with the time have to hold. */
#ifndef NH_ANALYSE_TIMES_H
#define NH_ANALYSE_TIMES_H

#include "analyse/flow.h"

enum { NH_MOST_TIMES = 16 };

/* Times on all sides of the corners in the time that these have: their number; out: NH_MOST_TIMES. */
size_t nh_corner_times(nh_flow *, const nh_expr *roots, size_t count, double *out);

#endif
