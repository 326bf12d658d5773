/* Inside analyse/: what the linear equations, the energy and families of steady motions tell of stability. */
#ifndef NH_ANALYSE_STABILITY_H
#define NH_ANALYSE_STABILITY_H

#include "analyse/linearize.h"

/* Verdict and reason. */
void nh_judge_stability(nh_flow *, nh_linearization *);

#endif
