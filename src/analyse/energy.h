/* Inside analyse/: the theorem of Lagrange and Dirichlet. */
#ifndef NH_ANALYSE_ENERGY_H
#define NH_ANALYSE_ENERGY_H

#include "analyse/linearize.h"

/* Whether the energy has a strict minimum at a steady motion, among the states that constraints on the positions leave, and is conserved. */
bool nh_energy_is_least(nh_flow *, const nh_linearization *);

/* The same, but it only does not grow at any of many states nearby. Where forces jump with the velocities, as dry friction does, that is enough,
 * too: what lies between both sides of a jump takes no energy that neither side takes (Filippov). */
bool nh_energy_falls_to_least(nh_flow *, const nh_linearization *);

/* Whether no function with corners is in it; in the forces that do work there may be some. */
bool nh_energy_is_smooth(nh_flow *);

#endif
