/* Inside analyse/: a motion as a field on the states, x' = f(t, x), and other functions of the state, with their derivatives. */
#ifndef NH_ANALYSE_FLOW_H
#define NH_ANALYSE_FLOW_H

#include "integrate/integrate.h"

/* Functions of (t, x). */
typedef struct nh_smooth {
    size_t count;
    nh_tape *tape;
    nh_series_double *machine;
    nh_jacobian *jacobian; /* made when it is first asked for */
    double *scale;         /* by output: see newton.c; NULL: not asked for yet */
} nh_smooth;

typedef struct nh_flow {
    nh_equations *eq;
    nh_arena *arena;
    bool second;       /* the state is (q, q'), for want of a psi; otherwise (q, z) */
    size_t n, size;    /* of q; of the state */
    nh_expr *symbols;  /* by variable */
    const char **names;
    bool *angle;
    bool timed;        /* the time occurs */
    nh_expr *rates;    /* x' */
    nh_smooth *field;  /* the same */
    nh_expr *held_roots;
    nh_smooth *held;   /* f^p(q, t), and C^a(q, q', t) where the state is (q, q'): they stay 0 */
    nh_smooth **all;   /* of this state, for their constants */
    size_t n_all, all_capacity;
    nh_smooth *energy; /* see stability.c; NULL: not made yet */
    nh_smooth *steady; /* see nh_steadiness; that of the variables steady_for */
    bool *steady_for;
    bool lost;         /* something was not found, which is reported */
    double unit;       /* the size of the derivatives of the rates at states nearby; see nh_taking_part */
    double *constants; /* values of the parameters */
    double *inputs;    /* t, then x: of nh_flow_put */
} nh_flow;

nh_flow *nh_flow_new(nh_equations *);

/* Parameters, time and state from values by symbol. False: something has no value. */
bool nh_flow_put(nh_flow *, const double *values);

/* The reverse: the state x into values by symbol, q' and z both. */
void nh_flow_values(const nh_flow *, const double *x, double *values);

nh_smooth *nh_smooth_new(nh_flow *, const nh_expr *roots, size_t count);
/* At (t, x) = inputs; false: not finite, or a linear system is singular. derivatives: count x size. */
bool nh_smooth_at(nh_flow *, nh_smooth *, const double *inputs, double *values);
bool nh_smooth_derivatives(nh_flow *, nh_smooth *, const double *inputs, double *derivatives);

/* e with psi in the place of q', where the state is (q, z). */
void nh_flow_on_C(const nh_flow *, const nh_expr *e, size_t count, nh_expr *out);

/* An expression in the parameters, at their own values; NAN: it has none. */
double nh_flow_number(const nh_flow *, nh_expr e);

static inline double *nh_doubles(nh_arena *arena, size_t count)
{
    return nh_arena_array(arena, count + 1, sizeof(double));
}

#endif
