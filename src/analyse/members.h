/* Inside analyse/: what is true of all members of a family, and which of them are others. */
#ifndef NH_ANALYSE_MEMBERS_H
#define NH_ANALYSE_MEMBERS_H

#include "analyse/equilibria.h"

/* Whether it is proved that no eigenvalue but those that are always 0 comes to the imaginary axis, whatever the free variables of the family are, or that
 * there is always a positive one, where that is so at the one member that l belongs to. *zeros receives how many are always 0. */
bool nh_members_alike(nh_flow *, const nh_linearization *l, const nh_equilibrium *, size_t *zeros);

/* Along free variable k, within low:high, two members: where the largest real part of the eigenvalues is largest, and where it is least; those of a fine grid,
 * and what lies between its points. inputs: 2 x (size + 1). False: there are none with derivatives. */
bool nh_extreme_members(nh_flow *, const nh_equilibrium *, size_t k, double low, double high, double *inputs);

#endif
