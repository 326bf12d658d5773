/* Inside derive/, included by its door: the objects of both recipes in readable form. */
#ifndef NH_DERIVE_FORMS_H
#define NH_DERIVE_FORMS_H

#include "expr/expr.h"

/* Why an object is not there. */
typedef struct nh_unexpanded {
    const char *object, *reason; /* "first.G_inverse" */
} nh_unexpanded;

/* Each as described for nh_equations; NULL: see unexpanded. Where an object could not be simplified within the budget it
 * is as it came. */
typedef struct nh_forms {
    nh_expr *g, *g_inverse, *A, *L;
    nh_expr *psi, *psi_alpha, *G, *G_inverse, *Zbar, *Z_lower, *Z_upper, *R_first, *acceleration;
    nh_expr *C, *C_i, *C_upper, *G_upper, *G_lower, *C_a, *pi, *g_minus_pi, *dC, *dC_dt, *D, *lambda, *R,
        *R_upper;
    nh_expr *positions; /* of the constraints on positions, n_positions of them */
    size_t n_positions;
    nh_unexpanded *unexpanded;
    size_t n_unexpanded, unexpanded_capacity;
} nh_forms;

/* The same in numbers, at one state. NULL: there is none. */
typedef struct nh_numbers_at {
    double *g, *g_inverse, *A, *L;
    double *psi, *psi_alpha, *G, *G_inverse, *Zbar, *Z_lower, *Z_upper, *R_first, *acceleration;
    double *C, *C_i, *C_upper, *G_upper, *G_lower, *C_a, *pi, *g_minus_pi, *dC, *dC_dt, *D, *lambda, *R,
        *R_upper;
    const char *no_second; /* why there is no second kind here; NULL: there is */
} nh_numbers_at;

#endif
