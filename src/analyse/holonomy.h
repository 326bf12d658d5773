/* Holonomy: how far the constraints can be integrated, by the Lie brackets of the velocities that they admit. */
#ifndef NH_ANALYSE_HOLONOMY_H
#define NH_ANALYSE_HOLONOMY_H

#include "derive/derive.h"

/* Says more in the fact `holonomic`, and adds `growth-vector` and, where there are some, `constant-functions` behind it. */
void nh_holonomy_facts(nh_equations *equations, nh_facts *facts);

#endif
