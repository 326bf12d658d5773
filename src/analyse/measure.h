/* Invariant measures: a density rho(q) such that the motion keeps the volume rho dq dz. */
#ifndef NH_ANALYSE_MEASURE_H
#define NH_ANALYSE_MEASURE_H

#include "derive/derive.h"

/* Adds the fact `invariant-measure`. */
void nh_measure_facts(nh_equations *equations, nh_facts *facts);

#endif
