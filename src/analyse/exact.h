/* Inside analyse/: zeros as formulas. */
#ifndef NH_ANALYSE_EXACT_H
#define NH_ANALYSE_EXACT_H

#include "analyse/equilibria.h"

/* The values of the variables that move at a zero found by numbers, in the parameters: whole numbers, fractions, parts of pi, and
 * what follows from these by equations that are linear in one unknown. Free variables stay symbols. NULL: not found, or not
 * proved. *found: whether it is proved that all roots are 0 there. */
nh_expr *nh_exact_zero(nh_flow *, const nh_expr *roots, size_t count, const bool *moves,
                       const nh_equilibrium *e, nh_verdict *found);

/* 0, or p/q pi with q <= 12, whichever is next to x, if it is as good as equal. */
bool nh_exact_angle(nh_pool *, double x, nh_expr *out);

/* The equations with the parameters' own values; NULL: one of them has none. */
const nh_expr *nh_put_own_parameters(nh_flow *, const nh_expr *roots, size_t count);

/* All zeros, where there is one coordinate, which nothing holds, and the roots are fractions of polynomials in it. False: they are not. */
bool nh_all_zeros(nh_flow *, const nh_expr *roots, size_t count, size_t *found, double **zeros);

/* Whether it is proved that every position stays at rest: no force acts at rest, and every constraint admits it. Then the velocities
 * of the state are 0 there. */
bool nh_rests_everywhere(nh_flow *);

#endif
