/* Inside analyse/: zeros of functions of the state, also where they are not isolated. */
#ifndef NH_ANALYSE_NEWTON_H
#define NH_ANALYSE_NEWTON_H

#include "analyse/flow.h"

/* Moves the variables that may move (NULL: all), each step the shortest that solves the linear equations, to where G(t, x) = 0
 * up to rounding. inputs: t, then x. False: it does not get there. */
bool nh_newton(nh_flow *, nh_smooth *G, const bool *moves, double *inputs);

/* The same towards a multiple root, where slopes are far smaller than around it: each equation is measured by its own there. */
bool nh_newton_by_slopes(nh_flow *, nh_smooth *G, const bool *moves, double *inputs);

/* The same, and then along the zeros to where they are nearest to the state at which it began. */
bool nh_newton_nearest(nh_flow *, nh_smooth *G, const bool *moves, double *inputs);

/* The largest |G_i|, each in units of what a change of x by its size, or by 1, makes of it. INFINITY: no value. */
double nh_residual(nh_flow *, nh_smooth *G, const double *inputs);

#endif
