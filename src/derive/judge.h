/* Inside derive/: how facts are found. facts.c has the identities along the motion, structure.c the rest. */
#ifndef NH_DERIVE_JUDGE_H
#define NH_DERIVE_JUDGE_H

#include "algebra/algebra.h"
#include "derive/inner.h"

typedef struct nh_judge {
    nh_equations *eq;
    nh_algebra algebra;
    const signed char *signs; /* by symbol, the z included */
    nh_formulas given;
    nh_facts *facts;
    uint64_t random;
    bool wide, small;                    /* states are drawn from far and near */
    nh_expr *zeta;                       /* symbols for the z'^alpha */
    bool powerless;                      /* R_i q'^i = 0 is proved */
    const char *dependent;               /* how the constraints depend on each other; NULL: they do not */
    bool half_looked_for, half_singular; /* sides.c: whether they do on one side of a corner */
    size_t most_operations;              /* of an expression whose normal form is tried */
    nh_answer good_chart;                /* continuity.c; UNKNOWN: it was not looked at */
    bool steps_looked_for;               /* jumps.c: whether velocities jump, and how that is told */
    nh_verdict steps;
    nh_expr steps_where;
    const char *steps_told;
} nh_judge;

void nh_add_fact(nh_judge *, const char *name, nh_verdict verdict, const char *detail);

/* given.c: what the values of the parameters say. */
nh_formulas nh_find_formulas(nh_equations *, nh_arena *);
bool nh_rows_depend(nh_equations *, size_t rows, const nh_expr *M); /* rows of n: at every state */
/* rank.c: C_i, at a state to rounding; at every state, with numbers in the place of the parameters. */
bool nh_rows_depend_at(nh_equations *, const double *values);
bool nh_rows_depend_always(nh_equations *);

/* A random state by symbol: parameters of the right sign, or 0, on the positions and on C. False: none was found. */
bool nh_draw_state(nh_judge *, double *values);

/* Whether all of them vanish on C: a fact. `what` they are is said where one does not. */
void nh_judge_all(nh_judge *, const char *name, const nh_expr *e, size_t count, const char *what,
                  const char *yes);

/* e on C: with psi in the place of q'. */
void nh_on_C(nh_judge *, const nh_expr *e, size_t count, nh_expr *out);

/* facts.c: the rate of a function along the motion. */
nh_expr nh_rate_of(nh_judge *, nh_expr F);

/* facts.c: moves a state, by symbol, onto the positions and, where there is no psi, onto C. False: it cannot. */
bool nh_onto_C(nh_judge *, double *values);

/* facts.c: a number with six digits. */
void nh_text_six(nh_text *, double value);

/* facts.c: "the rate is 0.25 at x = 1, theta = 0.5". */
const char *nh_witness(nh_judge *, const char *what, nh_expr e, double value, const double *values);

/* continuity.c: what is 0 where F may be other than continuous, or, at a corner, its rate, which is looked at where it is not NONE. None
 * that is no corner: F is continuous along every motion, or infinite. */
typedef struct nh_switch {
    nh_expr u, written; /* on C, and in q' */
    bool corner;
    size_t crossed, poles; /* jumps.c: zeros that motions cross, and at which F or the motion is infinite */
} nh_switch;

typedef struct nh_switches {
    nh_switch *items;
    size_t count, capacity;
} nh_switches;

void nh_find_switches(nh_judge *, nh_expr F, nh_expr rate, nh_switches *);

/* continuity.c: whether there is something in F that can jump and stays finite, as it is written. */
bool nh_may_step(nh_judge *, nh_expr F);

/* continuity.c: whether psi has finite values and rank m at every state. Where it has not, the motion may go on: psi is a choice. */
bool nh_chart_is_good(nh_judge *);

/* continuity.c: F with 0 or pi, by the sign of the second argument, for an atan2 whose first argument is 0 on C. */
nh_expr nh_with_zero_arguments(nh_judge *, nh_expr F);

/* jumps.c: of an F whose rate is 0, proved or as far as seen, whether that makes it constant. PROVED: it has no jumps. Otherwise there is
 * a detail, and where it jumps. */
nh_verdict nh_judge_jumps(nh_judge *, nh_expr F, bool proved, const char **detail, nh_expr *where);

/* jumps.c: whether an F that depends on velocities may change where these jump, since a constraint does. PROVED: none does, TESTED: none
 * was seen to, NOT_KNOWN: one does, and where. */
nh_verdict nh_judge_steps(nh_judge *, nh_expr F, const char **detail);

/* jumps.c: whether F is a number at one of many random states. */
bool nh_has_a_value(nh_judge *, nh_expr F);

/* regular.c: a state on the positions, and with in_rates, q' being variables then, on C, where the rows of M (rows x n) are dependent;
 * values, by symbol, are set to it. Where that is only nearly so, in many digits, it is none. */
bool nh_find_singular(nh_judge *, size_t rows, const nh_expr *M, bool in_rates, double *values);
void nh_judge_regular(nh_judge *);

/* sides.c: states on both sides of each corner of what is in expressions, near and far, by number; false: there is none. NULL: no corners. */
typedef struct nh_sides nh_sides;
nh_sides *nh_sides_of(nh_judge *, const nh_expr *e, size_t count);
size_t nh_sides_count(const nh_sides *); /* NULL: 0 */
bool nh_sides_state(nh_sides *, size_t number, double *values);

/* sides.c: whether the rows of M (rows x n) depend on each other at all states on some choice of sides; values: one of them. */
bool nh_rows_depend_on_a_side(nh_judge *, size_t rows, const nh_expr *M, double *values);
/* The same of the constraints, or of psi. */
bool nh_is_half_singular(nh_judge *);
/* regular.c: the matrix whose rank tells: C_i, or else psi_alpha, on C; rows x n. */
nh_expr *nh_rank_matrix(nh_judge *, size_t *rows);

/* structure.c: the parameters' own values, by symbol, where they have some. */
void nh_put_parameters(nh_judge *, double *values);

/* structure.c: an expression as text; 0 for the parameters that are 0, false: something is divided by one of them. */
const char *nh_text_of(nh_judge *, nh_expr);
bool nh_put_own_zeros(nh_judge *, const nh_expr *e, size_t count, nh_expr *out);
const char *nh_at_state(nh_judge *, const nh_expr *e, size_t count, const double *values); /* " at x = 1" */
void nh_judge_holonomic(nh_judge *);
void nh_judge_metric(nh_judge *);
void nh_judge_structure(nh_judge *);

#endif
