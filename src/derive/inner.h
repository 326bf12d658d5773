/* Inside derive/: what its files share. */
#ifndef NH_DERIVE_INNER_H
#define NH_DERIVE_INNER_H

#include "derive/derive.h"

/* An array of expressions that lives as long as the equations; all NH_EXPR_NONE. */
nh_expr *nh_array(nh_equations *, size_t count);

/* Whether e vanishes identically, as far as its residues tell: good enough to leave a term out. */
bool nh_is_null(nh_equations *, nh_expr e);

nh_expr nh_dot(nh_equations *, const nh_expr *a, const nh_expr *b, size_t n);

/* metric.c: p, A, L; g times a vector, g v = p(q,v,t) - p(q,0,t). */
void nh_derive_free_motion(nh_equations *);
void nh_lower(nh_equations *, const nh_expr *v, nh_expr *out);
void nh_metric(nh_equations *, nh_expr *g); /* all entries, n x n */

/* linear.c: elimination as straight-line code; B and X have a row for each right-hand side. */
bool nh_solve_symmetric(nh_equations *, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X);
bool nh_solve_general(nh_equations *, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X);

/* parametrise.c: psi, psi_alpha, drift, whatever the model gives. */
void nh_parametrise(nh_equations *);

/* start.c: moves the velocities among the values (by symbol) onto C = 0, or leaves them. */
void nh_project_velocities(nh_equations *, double *values, const nh_expr *C, size_t count);

void nh_derive_first(nh_equations *);
void nh_derive_second(nh_equations *);

#endif
