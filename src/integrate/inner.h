/* Inside integrate/. */
#ifndef NH_INTEGRATE_INNER_H
#define NH_INTEGRATE_INNER_H

#include "integrate/integrate.h"

/* run.c */
double *nh_zeros(nh_arena *, size_t count);

/* motion.c: the problem of a model, by one of the two kinds, from a start (by symbol). */
typedef struct nh_columns_wanted {
    bool reactions, picture;
} nh_columns_wanted;
nh_motion *nh_motion_new(nh_equations *, bool second, nh_columns_wanted wanted, const double *values);
/* Another start, by symbol. */
void nh_motion_start(nh_motion *, nh_arena *, const double *values);
/* The code of the field, made if it is not there yet; NULL: there is no compiler. */
const nh_native *nh_motion_compile(const nh_motion *);
const nh_native *nh_motion_compile_values(const nh_motion *);

/* state.c: t, q, q', z (those that are not among the q') at a state of the stepper: the inputs of columns and kept. */
typedef struct nh_complete nh_complete;
nh_complete *nh_complete_new(const nh_motion *, nh_arena *);
void nh_complete_begin(nh_complete *, const nh_motion *); /* another start of the same motion */
bool nh_complete_at(nh_complete *, double t, const double *x);
double *nh_complete_state(nh_complete *, nh_arena *); /* t, q, q', and behind them all z */
const double *nh_complete_rates(const nh_complete *); /* q' */
void nh_complete_columns(nh_complete *, double *out);
void nh_complete_kept(nh_complete *, double *out);
void nh_complete_events(nh_complete *, double *out);
/* False: free velocities that the program chose are about to fail at this state. */
bool nh_complete_is_regular(nh_complete *, double t, const double *x);

/* taylor.c, runge.c, cvode.c */
size_t nh_taylor_order(double tolerance);
nh_stepper *nh_taylor_long_new(const nh_motion *, nh_arena *, double tolerance);
nh_stepper *nh_taylor_quad_new(const nh_motion *, nh_arena *, double tolerance);
nh_stepper *nh_cvode_new(const nh_motion *, nh_arena *,
                         double tolerance); /* Runge-Kutta where there is no CVODE */
bool nh_cvode_is_there(void);
/* Whether something decays so much faster than the run lasts that explicit steps are the wrong ones; how fast. */
bool nh_is_stiff(const nh_motion *, double length, double *rate);

/* corners.c: where a step by series has to end. powers[k] = g_k h^k, k <= n, is what decides a corner. */
#define NH_CORNERS_OF(REAL, SUFFIX)                                                                          \
    typedef struct nh_corners_##SUFFIX {                                                                     \
        size_t n;                                                                                            \
        REAL *powers, *b; /* b: Bernstein's coefficients, one set for each level of halving */               \
        REAL *binomial;   /* (i over k)/(n over k) */                                                        \
        REAL nudge;       /* how far a step goes that leaves a corner */                                     \
    } nh_corners_##SUFFIX;                                                                                   \
    nh_corners_##SUFFIX *nh_corners_new_##SUFFIX(nh_arena *, size_t n);                                      \
    /* The part of the step up to behind the first zero of g; 1: there is none. *leaves: it begins at one */ \
    REAL nh_corners_part_##SUFFIX(nh_corners_##SUFFIX *, bool is_sign, bool *leaves);                        \
    /* After all corners of a step. */                                                                       \
    void nh_corners_done_##SUFFIX(nh_corners_##SUFFIX *, bool leaves);
NH_CORNERS_OF(double, double)
NH_CORNERS_OF(long double, long)
#ifdef NH_HAS_QUAD
NH_CORNERS_OF(__float128, quad)
#endif

/* runge_table.c: x + h sum_j last_j k_j, k_i = f(t + nodes_i h, x + h sum_j weights_ij k_j); the errors by two estimators. */
enum { NH_RUNGE_STAGES = 12 };
typedef struct nh_runge_table {
    double nodes[NH_RUNGE_STAGES], weights[NH_RUNGE_STAGES][NH_RUNGE_STAGES], last[NH_RUNGE_STAGES];
    double fifth[NH_RUNGE_STAGES], third[NH_RUNGE_STAGES];
} nh_runge_table;
extern const nh_runge_table nh_runge_8;

/* events.c: where conditions pass through 0 within the last step of a solver. */
typedef struct nh_crossing {
    double t;
    int event; /* its number from 1; negative: from positive to negative */
} nh_crossing;
typedef struct nh_events nh_events;
nh_events *nh_events_new(const nh_motion *, nh_arena *, nh_complete *, double t, const double *x);
/* In the order of time; a list that is good until the next call. */
const nh_crossing *nh_events_within(nh_events *, nh_stepper *, double from, double to, size_t *count);

/* Where steps become too small: whether a condition that ends the run is 0 there. */
bool nh_events_at_rest(nh_events *, nh_stepper *, size_t *which);

/* project.c: onto the constraints, with the least change in the kinetic metric. */
typedef struct nh_projector nh_projector;
nh_projector *nh_projector_new(const nh_motion *, nh_arena *);
/* The drift before; *moved: whether anything was changed. False: no projection. */
bool nh_project(nh_projector *, double t, double *x, double *positions, double *velocities, bool *moved);
/* The logarithm of the determinant of [g, -C_i; C_i, 0]: -INFINITY where the constraints are not independent. False: there is none,
 * or it would take long. */
bool nh_project_volume(nh_projector *, double t, const double *x, double *out);
/* What rounding leaves of velocities that the constraints leave nothing of, where it is known. */
void nh_project_rounding(nh_projector *, double t, const double *x, double *rounding);

/* frontier.c: where a motion is not determined and must not go on. */
typedef struct nh_frontier nh_frontier;
nh_frontier *nh_frontier_new(const nh_motion *, nh_arena *, nh_stepper *, nh_projector *, nh_complete *);
void nh_frontier_begin(nh_frontier *); /* before each step */
/* The time of a singular state in the last step, which began at `from`; NAN: there is none. */
double nh_frontier_singular(nh_frontier *, double from);
/* Whether the constraints just behind a time in the last step are others than just before. */
bool nh_frontier_jumps(nh_frontier *, double t);

/* run.c: the clock of this thread's work, for what is told of a run. */
double nh_thread_seconds(void);
nh_run_result nh_motion_run(nh_motion *, nh_stepper *, const nh_run_plan *, nh_arena *);

#endif
