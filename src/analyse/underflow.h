/* Inside analyse/: numbers that are too small for doubles, and not 0. */
#ifndef NH_ANALYSE_UNDERFLOW_H
#define NH_ANALYSE_UNDERFLOW_H

#include "analyse/flow.h"

/* By root: whether it contains a function that comes arbitrarily near to 0 and never is, as exp, or a number
 * that does, as 1e-400. */
bool *nh_may_underflow(nh_flow *, const nh_expr *roots, size_t count);

/* Whether a root that is as good as 0 at the state, values by symbol, has no zero there by more digits: it keeps its sign where the variables that
 * move are changed by a small part of their values, and is not least between. */
bool nh_only_underflows(nh_flow *, nh_expr root, const bool *moves, const double *values);

/* Whether one of these, as good as 0 in doubles at the state, is not 0, the parameters having their own values. */
bool nh_hides_small(nh_flow *, const nh_expr *e, size_t count, const double *inputs);

/* The expressions with the values of the parameters that are their own, as they are written. */
nh_expr *nh_with_own_parameters(nh_flow *, const nh_expr *e, size_t count);

/* -1, 1; 0: it is 0, as far as 512 bits tell, at a state by symbol. It is to be asked before whether e has a sign so: what is too long has none. */
bool nh_has_sign_in_digits(nh_flow *, nh_expr e);
int nh_sign_in_digits(nh_flow *, nh_expr e, const double *values);

#endif
