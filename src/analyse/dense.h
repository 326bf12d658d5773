/* Inside analyse/: dense matrices of doubles, by rows, with LAPACK behind them. All numbers are to be finite. */
#ifndef NH_ANALYSE_DENSE_H
#define NH_ANALYSE_DENSE_H

#include "base/base.h"

/* An eigenvalue and how far rounding of the matrix can have moved it. */
typedef struct nh_eigenvalue {
    double re, im, error;
} nh_eigenvalue;

/* The eigenvalues of A (n x n), which may be wrong by `rounding` in norm: those with larger real parts first, pairs together, + im before - im. vectors, where not NULL:
 * column k of re and im belongs to eigenvalue k (n x n each). False: no convergence. */
bool nh_eigen(nh_arena *, size_t n, const double *A, double rounding, nh_eigenvalue *values,
              double *vectors_re, double *vectors_im);

/* D with D^-1 A D in place of A (n x n), D diagonal, so that rows and columns are of a size. */
void nh_balance(nh_arena *, size_t n, double *A, double *D);

/* A = U S V^T, rows x columns. S: min(rows, columns) singular values, largest first; V: its columns are V's rows in `right`
 * (columns x columns), those of no singular value last. False: no convergence. */
bool nh_singular(nh_arena *, size_t rows, size_t columns, const double *A, double *S, double *right);

/* The number of singular values above tolerance times the largest; an orthonormal basis of the x with A x = 0 as rows of `basis`
 * (at most columns x columns), how many in *count. */
bool nh_kernel(nh_arena *, size_t rows, size_t columns, const double *A, double tolerance, double *basis,
               size_t *count);

/* The shortest x among those with the smallest |A x - b|, singular values below tolerance times the largest taken as 0. */
bool nh_least_squares(nh_arena *, size_t rows, size_t columns, const double *A, const double *b,
                      double tolerance, double *x);

#endif
