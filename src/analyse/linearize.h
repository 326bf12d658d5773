/* The motion near one state, and whether it stays there. */
#ifndef NH_ANALYSE_LINEARIZE_H
#define NH_ANALYSE_LINEARIZE_H

#include "analyse/dense.h"
#include "analyse/flow.h"

typedef enum nh_stability { NH_STABLE, NH_UNSTABLE, NH_UNDECIDED } nh_stability;

/* x = x0 + xi: xi' = A xi for the variables that take part. Coordinates that none of those depends on (x, y and the heading
 * of a vehicle in the plane) do not: where they alone change, the motion is steady. */
typedef struct nh_linearization {
    double *inputs;             /* t, x */
    double *rates;              /* x', by variable */
    size_t *variables;          /* those that take part */
    size_t n;                   /* how many */
    double *A;                  /* n x n */
    bool limits;                /* entries of A are limits, tested by numbers */
    bool steady;                /* all of their rates are 0 */
    size_t moving;              /* if not: the variable that changes most */
    size_t n_free;              /* dimension of what the constraints leave of them */
    double *tangents, *on_them; /* an orthonormal basis of that, by rows; A on it, n_free x n_free */
    bool projected;             /* A leaves that, and is projected on it: no steady motion */
    nh_eigenvalue *eigenvalues; /* n_free of them, on that */
    double *mode_re, *mode_im;  /* by variable (row) and eigenvalue (column): n x n_free */
    double rounding;            /* of A: its norm */
    bool tiny;                  /* an eigenvalue is too small for doubles, and not 0 */
    size_t zeros, kernel;       /* multiplicity of the eigenvalue 0; its eigenvectors */
    nh_stability verdict;
    const char *reason;
} nh_linearization;

/* At the state that was put into the flow. NULL: the field has no value, or no derivatives there. */
nh_linearization *nh_linearize(nh_flow *);

/* The rates of the variables that take part, and what is held: 0 in steady motions. */
nh_smooth *nh_steadiness(nh_flow *, const bool *takes_part);

/* Which variables take part: by variable. */
bool *nh_taking_part(nh_flow *);

/* Moves the state that was put into the flow to the nearest steady motion with these values; the symbols are variables or q'. */
bool nh_settle(nh_flow *, const nh_expr *symbols, const double *values, size_t count);

/* The entries of A as formulas: with the parameters as symbols, at the state given by values (by symbol; NH_EXPR_NONE: stays
 * a symbol). NULL: too long. */
nh_expr *nh_linearize_exactly(nh_flow *, const nh_linearization *, const nh_expr *values, double max_seconds);

#endif
