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

/* unit: entries that are rounding beside it are taken as 0; 0: those of A itself count. NULL: no convergence. */
nh_spectrum *nh_spectrum_of(nh_arena *, size_t n, const double *A, double unit);

#endif
