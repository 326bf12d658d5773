/* Inside analyse/: numbers that are too small for doubles, and not 0. */
#ifndef NH_ANALYSE_UNDERFLOW_H
#define NH_ANALYSE_UNDERFLOW_H

#include "analyse/flow.h"

/* By root: whether it contains a function that comes arbitrarily near to 0 and never is, as exp. */
bool *nh_may_underflow(nh_flow *, const nh_expr *roots, size_t count);

/* Whether a root that is as good as 0 at the state, values by symbol, has no zero there by more digits: f is farther from 0 than its
 * derivatives by the variables that move can bring it by a small part of their values. */
bool nh_only_underflows(nh_flow *, nh_expr root, const bool *moves, const double *values);

#endif
