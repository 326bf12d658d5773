/* Inside analyse/: functions with corners, at their corners. */
#ifndef NH_ANALYSE_CORNERS_H
#define NH_ANALYSE_CORNERS_H

#include "analyse/flow.h"

/* Whether the rates, or their derivatives, are others on one side of the state than on another, by however little. What is 0 but for the
 * rounding of Newton's method counts as 0. Where it cannot be told: true. */
bool nh_flow_has_corner(nh_flow *, const double *inputs);

/* The rates on each choice of sides of the corners at which the state is, f->size for each of them, count in all. NULL: there is no corner, there
 * are too many, or the rates jump there. */
nh_expr *nh_flow_on_sides(nh_flow *, const double *inputs, size_t *count);

/* sqrt(u^2) as |u|, the derivative of which has a value wherever it is continuous: that of |u| u at u = 0. */
void nh_roots_of_squares(nh_flow *, const nh_expr *e, size_t count, nh_expr *out);

/* x^3/sqrt(x^2) as x sqrt(x^2), and x/sqrt(x^2) as sign(x): what has a value, or one that it may be given, has it at x = 0, too. */
void nh_fill_holes(nh_flow *, nh_expr *e, size_t count);

#endif
