/* An oracle for the equations of motion: numbers only, by means of its own.
 *
 * Derivatives are those of hyper-dual numbers, a + b e1 + c e2 + d e1 e2 with e1^2 = e2^2 = 0, carried through the energies
 * and constraints as they were read; the accelerations and multipliers are the solution of
 *     [ g   -C^T ] [ q''    ]   [ L                     ]
 *     [ C    0   ] [ lambda ] = [ -(q'^i d_i C + d_t C) ]
 * by Gauss elimination. Nothing of this is shared with derive/ or with the derivatives of expr/. */
#ifndef NH_TEST_ORACLE_H
#define NH_TEST_ORACLE_H

#include "model/model.h"

/* A state: values by symbol index of the model's pool (q, q', t, parameters, z). */
typedef struct oracle {
    const nh_model *model;
    double *values;
    size_t n, r;
    /* results */
    double *acceleration, *lambda, *R;
} oracle;

void oracle_init(oracle *, const nh_model *);
void oracle_free(oracle *);
double *oracle_value(oracle *, nh_expr symbol);

/* The value of an expression, and of its first and second derivatives along two directions (by symbol). */
void oracle_hyperdual(const oracle *, nh_expr e, const double *d1, const double *d2, double out[4]);

/* q'' and lambda at values[]; false: the matrix is singular there. The constraints are the model's. */
int oracle_solve(oracle *);

/* The same for a model with parametric equations: values[] has q, z, t; q' = psi is filled in; q'' is the one that is
 * psi_alpha w + drift with (g q'' - L) psi_alpha = 0. */
int oracle_solve_parametric(oracle *);

/* Newton's method on C = 0 for the velocities, from where they are; 0: it did not converge. */
int oracle_project(oracle *);

#endif
