/* Inside model/: points that satisfy equations, in doubles. Used where residues cannot decide: on the set that
 * non-linear constraints or constraints on positions single out. */
#ifndef NH_MODEL_SOLVE_H
#define NH_MODEL_SOLVE_H

#include "model/reader.h"

/* Equations F = 0 for the unknowns q and q', with their derivatives. */
typedef struct nh_solver {
    nh_reader *reader;
    nh_expr *unknowns; /* q^1..q^n, q'^1..q'^n */
    size_t n;          /* coordinates */
    nh_expr *roots;    /* for each equation: F, then its 2n derivatives */
    size_t count, capacity;
    nh_evaluator *evaluator; /* of so many equations; NULL: there is none yet */
    size_t evaluated;
    double *values; /* by symbol */
    double *out;    /* values of the roots */
    double *errors; /* bounds for their rounding errors */
    double
        *scale; /* of each equation: the length of its derivative, where that is largest among the starts */
    double *given;   /* the parameters' own values, by symbol, NaN where there are none */
    double *initial; /* those of the initial state, the same */
    uint64_t random, draws;
    bool simple;                    /* the state found last: Newton's method converges to it ever faster */
    double range;                   /* of the starts; larger where the equations have no value */
    bool as_given, always_as_given; /* the parameters have their own values: now, at every call */
    bool holds; /* about half of the unknowns stay as they are drawn, others at every call */
    bool *held; /* which */
    bool late;  /* times up to hundreds away, too */
} nh_solver;

typedef enum nh_found {
    NH_FOUND, /* F = 0 at values[] */
    NH_STUCK, /* at a point where |F|^2 is least, and not zero */
    NH_LOST,
} nh_found;

void nh_solver_init(nh_solver *, nh_reader *);
void nh_solver_add(nh_solver *, nh_expr F);

/* Position and derivative; returns how many equations that makes. */
size_t nh_solver_add_constraint(nh_solver *, const nh_constraint *c);

/* From a random state. The parameters have their own values at every second call, and random ones, of the same
 * sign, at the others; at every fourth call what `initial` gives is taken. */
nh_found nh_solver_find(nh_solver *);

/* The corners in expressions: anything but parameters is moved to reach their sides. */
nh_corners nh_solver_corners(nh_solver *, const nh_expr *e, size_t count);

/* How many states there are on both sides of them, near and far; values[]: one of them, by number, that need not satisfy anything. */
size_t nh_solver_sides(const nh_corners *);
void nh_solver_draw_side(nh_solver *, const nh_corners *, size_t number);

/* From such a state. */
nh_found nh_solver_find_on_side(nh_solver *, const nh_corners *, size_t number);

/* All of them, after some were held. */
void nh_solver_let_go(nh_solver *);

/* From values[], moved by some hundredths. */
nh_found nh_solver_find_near(nh_solver *);

/* The rank of the derivatives of the equations with respect to the velocities, at the state found last; row
 * `without` and the columns with skip[i] set are left out (NH_NO_ROW, NULL: none). */
#define NH_NO_ROW SIZE_MAX
size_t nh_solver_rank(nh_solver *, size_t without, const bool *skip);

/* Whether they have this rank at some state on a side of a corner where the equations hold: of max(x - 30, 0) z' = 0 nothing is seen but from afar. */
bool nh_solver_has_rank_on_a_side(nh_solver *, size_t rank, const bool *skip);

/* How many rows of a matrix are independent of those before them, up to the first that is not, at values[]. */
size_t nh_solver_independent_rows(nh_solver *, const nh_expr *rows, size_t count, size_t columns);

enum { NH_STARTS = 12, NH_STATES = 4 }; /* calls of nh_solver_find before giving up; states that are enough */

/* Whether e vanishes at states that satisfy the equations: so many of them that x' = sqrt(1 - y'^2), which holds on half of the circle,
 * is not taken for what holds on all of it. */
enum { NH_STARTS_ALL = 80, NH_STATES_ALL = 12 };
nh_answer nh_solver_vanishes(nh_solver *, nh_expr e);

/* How large an expression is at random states that need not satisfy anything; 1 where it is larger. */
double nh_solver_usual(nh_solver *, nh_expr e);

/* Whether an expression, which is usually so large, is 0 at values[]: no more than this part of that, or of its derivatives times the
 * unknowns there, which tell its units. Its value is NaN or infinite where it has none. */
bool nh_solver_is_zero(nh_solver *, nh_expr e, double usual, double part, double *value);

/* The value of an expression at values[], with the bound of its rounding error. */
double nh_solver_value(nh_solver *, nh_expr e, double *error);

#endif
