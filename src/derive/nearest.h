/* Inside derive/: equations F(x) = 0 for some of the symbols, states on them, and the one of least cost. */
#ifndef NH_DERIVE_NEAREST_H
#define NH_DERIVE_NEAREST_H

#include "derive/inner.h"

typedef struct nh_problem {
    nh_equations *eq;
    double *values; /* by symbol */
    size_t count;   /* equations */
    const nh_expr *F;
    nh_expr *unknowns;
    size_t n;
    nh_expr *roots; /* F, then dF/dx by rows */
    nh_evaluator *evaluator;
    double *out, *errors; /* values of the roots, and bounds for their rounding */
    double *unit;         /* of each unknown: by so much it may change; 1, or see nh_problem_cost */
    bool
        strict; /* derivatives that are 0 but for rounding are 0: no velocity of 1e17 comes of one; and so are equations */
    bool dependent;              /* equations may depend on each other where they hold */
    const double *least;         /* scales of the equations; NULL: those of their derivatives alone */
    const double *W, *x0, *pull; /* the cost, 1/2 (x - x0)^T W (x - x0) + pull x. NULL: W = 1, pull = 0 */
    bool affine;                 /* F is, in the unknowns */
    double size; /* of the unknowns and of what goes with them, as lengths by W; 0: not known */
    double work; /* steps of evaluations so far */
} nh_problem;

nh_problem nh_problem_of(nh_equations *, double *values, const nh_expr *F, size_t count, nh_expr *unknowns,
                         size_t n);

/* Its cost, and the size of what is given besides the unknowns, in units of W. */
void nh_problem_cost(nh_problem *, const double *W, const double *x0, const double *pull, double size);

double *nh_slot_of(nh_equations *, double *values, nh_expr symbol);
void nh_unknowns_set(nh_problem *, const double *x);
double *nh_unknowns_now(nh_problem *);

/* Evaluates. The largest |F|, relative to what a change of the unknowns by their own size, or by their unit, makes of it; NAN: some F
 * has no value. */
double nh_problem_look(nh_problem *);

/* Newton's method with the smallest steps: some solution near by. False: none, and the unknowns are as they were. */
bool nh_onto(nh_problem *);

/* F = 0 at the least cost near by. False: there is none, or others are as good; the unknowns are as they were. */
bool nh_nearest(nh_problem *);

/* The same from many starts. NH_SEVERAL: another one is as good; it is in other, which has n places. */
typedef enum nh_search_end { NH_NONE_FOUND, NH_ONE_FOUND, NH_SEVERAL_FOUND } nh_search_end;
nh_search_end nh_least(nh_problem *, double *other);

#endif
