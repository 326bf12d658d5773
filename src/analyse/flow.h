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
    bool second;      /* the state is (q, q'), for want of a psi; otherwise (q, z) */
    size_t n, size;   /* of q; of the state */
    nh_expr *symbols; /* by variable */
    const char **names;
    bool *angle;
    bool has_time;    /* the time occurs, whatever the parameters are; */
    bool timed;       /* for those that were put */
    nh_expr *rates;   /* x' */
    nh_smooth *field; /* the same */
    nh_expr *held_roots;
    nh_smooth *held; /* f^p(q, t), and C^a(q, q', t) where the state is (q, q'): they stay 0 */
    nh_smooth **all; /* of this state, for their constants */
    size_t n_all, all_capacity;
    struct nh_energy *energy; /* see energy.c; NULL: not made yet */
    nh_smooth *metric;        /* G_ab, or g_ij where the state is (q, q'); NULL: not made yet */
    nh_smooth *slopes;        /* C^a_i on C; NULL: not made yet, or there is none */
    nh_smooth *directions;    /* psi^i_alpha, by alpha; NULL: not made yet */
    nh_smooth *steady;        /* see nh_steadiness; that of the variables steady_for */
    bool *steady_for;
    bool *takes_part;     /* see nh_taking_part, */
    const nh_expr *taken; /* for what was given then */
    bool corners;         /* functions with corners occur */
    nh_expr *derivatives; /* d x'^i/d x^k, by rows; NULL: not asked for yet */
    bool limits;          /* some of them, when they were last asked for, were limits: tested by numbers */
    double *scale;        /* by variable: the size of a change that is not small */
    bool lost;            /* something was not found, which is reported */
    double *constants;    /* values of the parameters */
    nh_expr *
        given; /* by parameter: 0, or its formula, where it has that value; NH_EXPR_NONE: a number of its own */
    double *inputs; /* t, then x: of nh_flow_put */
} nh_flow;

nh_flow *nh_flow_new(nh_equations *);
/* With the state (q, q') also where there is a psi. */
nh_flow *nh_flow_new_second(nh_equations *);

/* Parameters, time and state from values by symbol. False: something has no value. */
bool nh_flow_put(nh_flow *, const double *values);

/* Parameters at their own values, everything else at 0. False: the parameter *without has none. */
bool nh_flow_put_parameters(nh_flow *, const char **without);

/* The reverse: the state x into values by symbol, q' and z both. */
void nh_flow_values(const nh_flow *, const double *x, double *values);

nh_smooth *nh_smooth_new(nh_flow *, const nh_expr *roots, size_t count);
/* At (t, x) = inputs; false: not finite, or a linear system is singular. derivatives: count x size. */
bool nh_smooth_at(nh_flow *, nh_smooth *, const double *inputs, double *values);
bool nh_smooth_derivatives(nh_flow *, nh_smooth *, const double *inputs, double *derivatives);
/* The same without limits where they are 0/0: see limit.h. */
bool nh_smooth_has_derivatives(nh_flow *, nh_smooth *, const double *inputs, double *derivatives);

/* The rates and their derivatives at (t, x) = inputs, with bounds for their rounding errors; what is 0 within them is 0. derivatives and
 * their errors: size x size; may be NULL. False: something has no value. */
bool nh_flow_exactly(nh_flow *, const double *inputs, double *rates, double *rate_errors, double *derivatives,
                     double *errors);

/* The signs of all symbols, those of the velocities that the program named included. */
const signed char *nh_flow_signs(const nh_flow *);

/* The values of all symbols. */
double *nh_flow_symbols(const nh_flow *, const double *inputs);

/* With what is given of the parameters: a force that is switched off makes no difference, nor one that another one cancels. */
void nh_flow_put_given(const nh_flow *, const nh_expr *e, size_t count, nh_expr *out);
/* Whether that is the same as it was. NULL: it was not asked for. */
bool nh_flow_has_same(const nh_flow *, const nh_expr *given);

/* regularity.c: the smallest singular value of G_ab, or of g_ij on the velocities that the constraints leave, and of C^a_i, beside what it is
 * nearby: 0 where the equations are singular, as far as the state is known. */
double nh_flow_regularity(nh_flow *, const double *inputs);

/* The same of C^a_i alone: 0 where the constraints depend on each other, or have no value. 1: there are none. */
double nh_flow_independence(nh_flow *, const double *inputs);

/* The same of psi^i_alpha: 0 where free velocities leave out a direction that the constraints admit, or have to be infinite for it. */
double nh_flow_freedom(nh_flow *, const double *inputs);

/* Directions q' that the constraints admit and that have no kinetic energy, where that is so at this state alone or at a few: what changes along
 * them is how the coordinates name the configuration, as at the pole of a sphere. v: count x n, at most n x n. */
size_t nh_flow_idle(nh_flow *, const double *inputs, double *v);

/* e with psi in the place of q', where the state is (q, z). */
void nh_flow_on_C(const nh_flow *, const nh_expr *e, size_t count, nh_expr *out);

/* The values of the parameters as expressions without symbols, as far as they have any. */
nh_expr *nh_flow_parameters(const nh_flow *);

/* The same by symbol, for those that have the values that were put into the flow; NH_EXPR_NONE for all others. */
nh_expr *nh_flow_exact_parameters(const nh_flow *);

/* An expression in the parameters, at their own values; NAN: it has none. */
double nh_flow_number(const nh_flow *, nh_expr e);

static inline double *nh_doubles(nh_arena *arena, size_t count)
{
    return nh_arena_array(arena, count + 1, sizeof(double));
}

#endif
