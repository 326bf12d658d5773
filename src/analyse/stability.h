/* Inside analyse/: what the linear equations, the energy and families of steady motions tell of stability. */
#ifndef NH_ANALYSE_STABILITY_H
#define NH_ANALYSE_STABILITY_H

#include "analyse/linearize.h"

/* Verdict and reason; norm: of the matrix that the eigenvalues are those of, or of others nearby. */
void nh_judge_stability(nh_flow *, nh_linearization *, double norm);

#endif
