/* Inside derive/: what its files share. */
#ifndef NH_DERIVE_INNER_H
#define NH_DERIVE_INNER_H

#include "derive/derive.h"

/* An array of expressions that lives as long as the equations; all NH_EXPR_NONE. */
nh_expr *nh_array(nh_equations *, size_t count);

/* Whether none of them is NH_EXPR_NONE. */
bool nh_have_values(const nh_expr *e, size_t count);

/* Whether e vanishes identically, as far as its residues tell: good enough to leave a term out. */
bool nh_is_null(nh_equations *, nh_expr e);

nh_expr nh_dot(nh_equations *, const nh_expr *a, const nh_expr *b, size_t n);

/* metric.c: p, A, L; g times a vector, g v = p(q,v,t) - p(q,0,t). */
void nh_derive_free_motion(nh_equations *);
void nh_lower(nh_equations *, const nh_expr *v, nh_expr *out);
void nh_forces_at(nh_equations *, const nh_expr *v, nh_expr *out); /* L_i - g_ij v^j, in q and q' */
void nh_put_psi(nh_equations *, nh_expr *);                        /* of n expressions: psi for q' */

/* linear.c: B and X have a row for each right-hand side. False: there is no solution anywhere. The first two decide by the
 * predicted length; the next two eliminate in any case. */
bool nh_solve_symmetric(nh_equations *, size_t n, const nh_expr *M, size_t count, const nh_expr *B,
                        nh_expr *X);
bool nh_solve_general(nh_equations *, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X);
bool nh_eliminate_symmetric(nh_equations *, size_t n, const nh_expr *M, size_t count, const nh_expr *B,
                            nh_expr *X);
bool nh_eliminate(nh_equations *, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X);

/* The roots without linear systems in them: these are eliminated, however long that gets. */
void nh_write_out(nh_equations *, const nh_expr *roots, size_t count, nh_expr *out);

/* predict.c: terms of each, as one expanded fraction; of the determinant of a matrix. */
void nh_predict_terms(nh_equations *, const nh_expr *e, size_t count, double *terms);
double nh_predict_determinant(nh_equations *, size_t n, const nh_expr *M);

/* parametrise.c: psi, psi_alpha, drift, whatever the model gives. */
void nh_parametrise(nh_equations *);

/* smooth.c: the vectors v with M v = 0 for rows x n entries, one for each row of the result, n - rows of them, of full rank everywhere where such ones are
 * found. NULL: none that are short and regular at the start. */
nh_expr *nh_smooth_null_space(nh_equations *, size_t rows, const nh_expr *M);

/* successive.c: the same, row after row, for many rows. */
nh_expr *nh_successive_null_space(nh_equations *, size_t rows, const nh_expr *M);

/* frame.c: the same from frames that turn with a row; NULL: none of this kind. */
nh_expr *nh_frame_null_space(nh_equations *, size_t rows, const nh_expr *M);

/* parametrise.c: columns of pivots of rows at a state, and how many there are: the rank. */
size_t nh_pivots_at(nh_equations *, const double *values, const nh_expr *M, size_t rows, bool *pivot);
double *nh_random_values(nh_equations *); /* by symbol, between 1/4 and 5/4 */

/* closed.c: psi for constraints that are not affine, and the names of the z; false: not found. The start is a state on C, by
 * symbol, that tells the branch; NULL: none. */
bool nh_solve_closed(nh_equations *, const double *start);

/* parametrise.c: z called u1, u2, ...; a z that is the velocity of coordinate i. */
void nh_name_new_velocities(nh_equations *);
void nh_refuse_unchosen(nh_equations *);
void nh_name_as_rate(nh_equations *, size_t alpha, size_t i);

/* start.c: the start state before there is a psi, from the implicit equations; NULL: none, and nothing is reported. */
double *nh_start_quietly(nh_equations *);

/* start.c: moves the velocities among the values (by symbol) onto C = 0, the coordinates onto the positions. False: not found,
 * and they are as they were. */
bool nh_project_velocities(nh_equations *, double *values, const nh_expr *C, size_t count);
bool nh_project_positions(nh_equations *, double *values);

/* contradict.c: whether F, which is not 0 as things are, is 0 for no values of the unknowns; false: it is not known. */
bool nh_contains_any(nh_equations *, nh_expr F, const nh_expr *symbols, size_t n);
bool nh_is_contradicted(nh_equations *, nh_expr F, const double *values, const nh_expr *unknowns, size_t n);

/* definite.c: reports an indefinite or nowhere regular kinetic energy, and gives up. */
void nh_refuse_indefinite(nh_equations *);

/* facts.c: states on both sides of each corner of what is in expressions, near and far, with the parameters' own values; how many. */
size_t nh_states_on_sides(nh_equations *, const nh_expr *e, size_t count, double ***states);
void nh_refuse_indefinite_at(nh_equations *, const double *values); /* at one state */

void nh_derive_first(nh_equations *);
void nh_derive_second(nh_equations *);

/* linear.c: multiplications and divisions of the elimination of a pattern of entries, which is filled in on the way; counting
 * stops beyond the limit. */
size_t nh_elimination_cost(bool *full, size_t n, size_t limit);

/* rank.c: whether a row of M (rows x columns) follows from those before it, at every state; where residues do not tell, it does not. */
bool nh_rows_follow(nh_equations *, size_t rows, size_t columns, const nh_expr *M);

/* second.c: C_upper, G_upper, lambda, R, R_upper and D by elimination, from C_i and moved, however long that gets. Returns why
 * there are none, or NULL. */
const char *nh_second_by_elimination(nh_equations *, nh_second_kind *);

#endif
