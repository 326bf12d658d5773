/* Inside analyse/: zeros of which no formula was found, proved by enclosing them. */
#ifndef NH_ANALYSE_ENCLOSE_H
#define NH_ANALYSE_ENCLOSE_H

#include "analyse/equilibria.h"

/* Whether the roots have exactly one zero near the state e, as far as the variables are determined by the others: variables that are 0, or a part of
 * pi, stay so, those that are free may have any value, and of a family with fewer equations than unknowns some are held. *within receives how
 * far the state can be from it, in any variable. moves: by variable, the unknowns. */
bool nh_enclose_zero(nh_flow *, const nh_expr *roots, size_t count, const bool *moves,
                     const nh_equilibrium *e, double *within);

#endif
