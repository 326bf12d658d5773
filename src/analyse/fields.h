/* Inside analyse/: a space with some variables, vector fields on it, and what can be decided of them within limits. */
#ifndef NH_ANALYSE_FIELDS_H
#define NH_ANALYSE_FIELDS_H

#include "algebra/algebra.h"
#include "derive/derive.h"

typedef struct nh_space {
    nh_equations *eq;
    nh_algebra algebra;
    double deadline; /* seconds of the clock */
    bool timed;      /* the time is one of the variables, the last one */
    size_t n;
    nh_expr *variables; /* symbols */
    size_t m;
    nh_expr *X; /* the admissible velocities are spanned by these fields, m x n */
} nh_space;

/* The space of the coordinates, and of the time where the constraints depend on it or are not homogeneous, with the fields that
 * span the admissible velocities: psi_alpha, and X_0 + d_t. Constraints that are not affine: psi + d_t and its derivatives by
 * the z, which are constants in them. Returns why there is none, or NULL. Not to be moved in memory. */
const char *nh_space_init(nh_space *, nh_equations *, double max_seconds);
void nh_space_free(nh_space *);
bool nh_is_late(const nh_space *);

/* Whether there are more operations in these than are looked at. */
bool nh_is_long(nh_equations *, const nh_expr *e, size_t count);

/* Whether all of them have values: nothing was divided by a parameter that is 0. */
bool nh_all_have_values(const nh_expr *e, size_t count);

/* With the parameters' own values. False: something has no value then. */
bool nh_put_own_values(nh_equations *, const nh_expr *e, size_t count, nh_expr *out);

/* Whether all constraints are affine in the velocities, with the number 0 and formulas for the parameters that are. */
bool nh_is_affine(const nh_equations *);

bool nh_depends_on(nh_equations *, nh_expr e, nh_expr symbol);
bool nh_depends_on_variables(nh_space *, nh_expr e);

/* Whether the fields X have denominators that may vanish, or other functions that are not defined everywhere. */
bool nh_space_has_poles(nh_space *);

/* How many of the constraints stand for equations in the positions. */
size_t nh_positional(const nh_equations *);

/* Whether e is zero. NH_YES and NH_NO are proofs. */
nh_answer nh_space_is_zero(nh_space *, nh_expr e);

/* The same by numbers alone, where NH_YES is none. */
nh_answer nh_space_seems_zero(nh_space *, nh_expr e);

/* Each in a shorter form, as far as that is found at once. */
void nh_space_simplify(nh_space *, nh_expr *e, size_t count);

/* Rows of n expressions, all NH_EXPR_NONE. */
nh_expr *nh_space_rows(nh_space *, size_t count);

/* out = X(f) for each f. */
void nh_along(nh_space *, const nh_expr *X, const nh_expr *f, size_t count, nh_expr *out);

/* Linear relations (see nh_relations) in m rows of count columns, in the time that is left; to be freed in any case. False: not found. */
bool nh_space_relations(nh_space *, nh_relations *, size_t m, size_t count, const nh_expr *e,
                        const bool *constant);

/* The i-th of them, proved: count coefficients; NULL: it could not be written, or not be proved. */
nh_expr *nh_space_relation(nh_space *, nh_relations *, size_t i);

/* States that are as good as any, by symbol: with the model's parameters, where they have values. */
double *nh_space_state(nh_space *, int which);

/* e or -e, whichever is not negative at the first of them. */
nh_expr nh_space_positive(nh_space *, nh_expr e);

/* "sin(theta)", not longer than that many bytes. */
const char *nh_space_text(nh_space *, nh_expr e, size_t limit);

/* A fact, at this place of the list. */
void nh_fact_insert(nh_equations *, nh_facts *, size_t at, nh_fact fact);

#endif
