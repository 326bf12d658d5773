/* Inside analyse/: the theorem of Lagrange and Dirichlet. */
#ifndef NH_ANALYSE_ENERGY_H
#define NH_ANALYSE_ENERGY_H

#include "analyse/linearize.h"

/* Whether the energy has a strict minimum at a steady motion, among the states that constraints on the positions leave, and is conserved. */
bool nh_energy_is_least(nh_flow *, const nh_linearization *);

/* The same, but it only does not grow at any of many states nearby. */
bool nh_energy_falls_to_least(nh_flow *, const nh_linearization *);

#endif
