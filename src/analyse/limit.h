/* Inside analyse/: derivatives as limits. */
#ifndef NH_ANALYSE_LIMIT_H
#define NH_ANALYSE_LIMIT_H

#include "analyse/flow.h"

/* Fills in the derivatives at (t, x) = inputs that are not finite, or have no finite error, with what they tend to from all sides, and
 * how far they may be from it. False: nothing. */
bool nh_smooth_limit(nh_flow *, nh_smooth *, const double *inputs, double *derivatives, double *errors);

#endif
