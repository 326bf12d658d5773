/* Inside analyse/: eigenvalues where 0 is a multiple one. */
#ifndef NH_ANALYSE_SPECTRUM_H
#define NH_ANALYSE_SPECTRUM_H

#include "analyse/dense.h"

typedef struct nh_spectrum {
    size_t n;
    nh_eigenvalue *values;
    double *re, *im;      /* their vectors, as columns: n x n */
    size_t zeros, kernel; /* the multiplicity of 0; the dimension of the x with A x = 0 */
    double norm;          /* of A: the largest singular value */
} nh_spectrum;

/* rounding: how far A may be from what it stands for; entries that are 0 are 0. The errors of the eigenvalues follow from it. NULL: no
 * convergence. */
nh_spectrum *nh_spectrum_of(nh_arena *, size_t n, const double *A, double rounding);

#endif
