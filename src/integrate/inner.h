/* Inside integrate/. */
#ifndef NH_INTEGRATE_INNER_H
#define NH_INTEGRATE_INNER_H

#include "integrate/integrate.h"

#include <math.h>

/* run.c */
double *nh_zeros(nh_arena *, size_t count);

/* motion.c: the problem of a model, by one of the two kinds, from a start (by symbol). */
typedef struct nh_columns_wanted {
    bool reactions, picture;
    bool longer; /* not a column: the start is to be known in longer numbers */
} nh_columns_wanted;
nh_motion *nh_motion_new(nh_equations *, bool second, nh_columns_wanted wanted, const double *values);
/* Another start, by symbol. */
void nh_motion_start(nh_motion *, nh_arena *, const double *values);
/* sharp.c: what it takes to know the start of a motion, which has these values, in longer numbers. NULL: not as numbers alone. */
nh_sharp *nh_sharp_new(const nh_motion *, const double *values);
/* M x = b by elimination with all exchanges, b becomes x. What depends on the rest, but for 1e-10 of it, is left out: x is 0 there. */
void nh_solve_dependent(double *M, size_t *order, double *b, size_t n);
/* The code of the field, made if it is not there yet; NULL: there is no compiler. */
const nh_native *nh_motion_compile(const nh_motion *);
const nh_native *nh_motion_compile_values(const nh_motion *);

/* motion.c: whether it is time to make it, for series of this order or so many values a step. */
bool nh_code_pays(const nh_stepper *, const nh_tape *, size_t order, double left);

/* state.c: t, q, q', z (those that are not among the q') at a state of the stepper: the inputs of columns and kept. */
typedef struct nh_complete nh_complete;
nh_complete *nh_complete_new(const nh_motion *, nh_arena *);
void nh_complete_refine(
    nh_complete *, nh_arena *); /* columns are computed with more digits than doubles have, from now on */
void nh_complete_begin(nh_complete *, const nh_motion *); /* another start of the same motion */
bool nh_complete_at(nh_complete *, double t, const double *x);
double *nh_complete_state(nh_complete *, nh_arena *); /* t, q, q', and behind them all z */
const double *nh_complete_rates(const nh_complete *); /* q' */
void nh_complete_columns(nh_complete *, double *out);
void nh_complete_rough_columns(nh_complete *, double *out); /* in doubles, whatever was asked for */
void nh_complete_kept(nh_complete *, double *out);
void nh_complete_events(nh_complete *, double *out);
void nh_complete_momenta(nh_complete *, double *out); /* where they may jump */
/* False: free velocities that the program chose are about to fail at this state. */
bool nh_complete_is_regular(nh_complete *, double t, const double *x);

/* taylor.c, runge.c, cvode.c */
/* What is short beside the times of a run to `limit`, also where they begin with 0: steps are not shorter than its rounding. */
static inline double nh_instant(const nh_stepper *s, double limit)
{
    double length = fabs(limit - s->motion->start[0]);
    return length < 1e-12 ? length : 1e-12;
}
/* Where a force may be nothing at all places that are looked at, and something between them, no step is longer than a part of the run. */
static inline double nh_longest_step(const nh_stepper *s, double limit)
{
    const nh_tape *tape = s->motion->values;
    double length = fabs(limit - s->motion->start[0]);
    return length > 0 && (tape->has_hidden || tape->n_corners) ? length / 64 : INFINITY;
}
size_t nh_taylor_order(double tolerance);
size_t
nh_taylor_order_in_lanes(double tolerance); /* where nearly all of the time is that of sums over orders */
nh_stepper *nh_taylor_long_new(const nh_motion *, nh_arena *, double tolerance);
nh_stepper *nh_taylor_quad_new(const nh_motion *, nh_arena *, double tolerance);
nh_stepper *nh_cvode_new(const nh_motion *, nh_arena *,
                         double tolerance); /* Runge-Kutta where there is no CVODE */
bool nh_cvode_is_there(void);
/* Whether something decays so much faster than the run lasts that explicit steps are the wrong ones; how fast. */
bool nh_is_stiff(const nh_motion *, double length, double *rate);

/* unit.c: a unit of time in which the coefficients of a motion that begins are numbers up to the highest order, a power of 2; the same:
 * it is good. c[i*(order + 1) + k] is coefficient k of component i; left: how long the run lasts, where they tell no time. */
double nh_unit_of_time(const double *c, size_t n, size_t order, double unit, double left);

/* solver.c: whether there is one motion from the start, although the field has no series there; passing: past it. */
bool nh_is_determined(const nh_motion *, nh_arena *, bool passing);

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

/* bounds.c: between which numbers conditions lie in a piece of a step, from looks at the state at nine places, equally far apart, and at some
 * between. */
enum { NH_LOOKS = 8, NH_LOOKS_BETWEEN = 2, NH_ALL_LOOKS = NH_LOOKS + 1 + NH_LOOKS_BETWEEN };
extern const double nh_looks_between[NH_LOOKS_BETWEEN]; /* as parts of the piece */
typedef enum nh_course {
    NH_COURSE_UNKNOWN,
    NH_COURSE_AWAY, /* it is nowhere 0 */
    NH_COURSE_MONOTONE,
    NH_COURSE_CONVEX,
    NH_COURSE_CONCAVE,
    NH_COURSE_NOTHING /* all of it is rounding */
} nh_course;
typedef struct nh_bounds nh_bounds;
nh_bounds *nh_bounds_new(const nh_motion *,
                         nh_arena *); /* NULL: nothing is known; then everything is unknown */
void nh_bounds_take(nh_bounds *, size_t look, const double *x); /* those between come last */
void nh_bounds_piece(nh_bounds *, double from, double to);      /* when all are taken */
void nh_bounds_part(nh_bounds *, double from, double to);       /* of the piece, which is -1 to 1 */
/* In the part; at first that is all of it. What is not larger than `nothing` is as good as 0. */
nh_course nh_bounds_course(nh_bounds *, size_t which, double nothing);
/* How much it changes within the part, at most. */
double nh_bounds_change(nh_bounds *, size_t which);
/* What rounding makes of it in the middle of the part. */
double nh_bounds_rounding(nh_bounds *, size_t which);
/* Whether the condition at a state is not 0, whatever rounding does. */
bool nh_bounds_is_firm(nh_bounds *, size_t which, double t, const double *x);

/* pulses.c: whether a step without series is so long that a force may be something within it, and nothing at all places of it that were looked at. */
typedef struct nh_pulses nh_pulses;
nh_pulses *nh_pulses_new(const nh_motion *, nh_arena *); /* NULL: no force can */
void nh_pulses_begin(nh_pulses *);                       /* a step */
void nh_pulses_look(nh_pulses *, const double *r);       /* the registers of m->values at a place of it */
bool nh_pulses_are_likely(const nh_pulses *);            /* whether it is worth the next questions */
void nh_pulses_box(nh_pulses *, size_t input, double low, double high); /* within the step; for all inputs */
bool nh_pulses_may_hide(nh_pulses *);
/* Steps are not made shorter than that for it. */
static inline bool nh_pulses_have_room(const nh_stepper *s, double h, double limit)
{
    return fabs(h) > 0x1p-40 * fabs(limit - s->motion->start[0]);
}

/* stops.c: the times, known beforehand, at which steps without series have to end: where something that depends on the time alone comes to 0, and decides a
 * corner or is divided by. For one motion after the other, in each of some seats. */
typedef struct nh_stops nh_stops;
typedef enum nh_ahead {
    NH_AHEAD_NOTHING, /* the next step ends at *end at the latest */
    NH_AHEAD_PLACE, /* it begins before such a place, and ends at *end behind it, so near that it is none but for that */
    NH_AHEAD_POLE, /* before one where the field is infinite */
} nh_ahead;
nh_stops *nh_stops_new(const nh_motion *, nh_arena *, size_t seats); /* NULL: there are none */
void nh_stops_begin(nh_stops *, size_t seat, const double *start, const double *constants);
nh_ahead nh_stops_next(nh_stops *, size_t seat, double t, const double *x, double to, double *end);
/* Of the first seat: the time before the next place where the field is infinite; `to`: there is none up to there, or there are no stops. */
double nh_stops_pole(nh_stops *, double t, const double *x, double to);
/* Whether a motion begins at such a place, or next to one. */
bool nh_begins_at_pole(const nh_motion *, nh_arena *);
/* By corner of a tape: whether it is decided by the time alone. */
bool *nh_timed_corners(const nh_tape *, nh_arena *);

/* events.c: where conditions pass through 0 within the last step of a solver. */
typedef struct nh_crossing {
    double t;
    int event;  /* its number from 1; negative: from positive to negative */
    bool touch; /* it turns round there, at 0 as far as rounding tells; negative: from below */
} nh_crossing;
typedef struct nh_events nh_events;
nh_events *nh_events_new(const nh_motion *, nh_arena *, nh_complete *, double t, const double *x);
/* In the order of time; a list that is good until the next call. ends: the run does, at `to`. */
const nh_crossing *nh_events_within(nh_events *, nh_stepper *, double from, double to, bool ends,
                                    size_t *count);

/* Where a motion gets no further: the conditions that have come to 0 there; all, or those that end the run. */
const nh_crossing *nh_events_at_rest(nh_events *, nh_stepper *, bool all, size_t *count);

/* project.c: onto the constraints, with the least change in the kinetic metric. */
typedef struct nh_projector nh_projector;
nh_projector *nh_projector_new(const nh_motion *, nh_arena *);
/* The drift before; *moved: whether anything was changed. False: no projection. */
bool nh_project(nh_projector *, double t, double *x, double *positions, double *velocities, bool *moved);
/* A state of the motion: constraints are measured by the largest that its components have been. */
void nh_project_seen(nh_projector *, const double *x);
/* What rounding leaves of velocities that the constraints leave nothing of, where it is known. */
void nh_project_rounding(nh_projector *, double t, const double *x, double *rounding);

/* volume.c: the determinant of the products of rows that must be independent, C^a_i or psi_alpha, along a motion. */
typedef struct nh_volume nh_volume;
nh_volume *nh_volume_new(const nh_motion *, nh_arena *); /* NULL: they are not followed */
bool nh_volume_begin(nh_volume *, const nh_motion *);    /* another start of the same motion */
/* Its logarithm; -INFINITY: they are dependent. False: it has no value. */
bool nh_volume_at(nh_volume *, double t, const double *x, double *out);
/* From step to step. */
typedef struct nh_watch {
    double t, volume, largest; /* of logarithms: the last one, the largest so far */
    double change; /* of the root, relative to it and to the length of the last step; INFINITY: not known */
} nh_watch;
nh_watch nh_watch_begin(nh_volume *, double t, const double *x);
/* After a step to t. True: it has not come anywhere near 0; false: it may have been 0. */
bool nh_watch_step(nh_volume *, nh_watch *, double t, const double *x);
/* The products of the outputs from `first` on, as rows of n, b <= a. */
void nh_find_products(const nh_series_double *, size_t first, size_t rows, size_t n, double *M);

/* frontier.c: where a motion is not determined and must not go on. */
typedef struct nh_frontier nh_frontier;
nh_frontier *nh_frontier_new(const nh_motion *, nh_arena *, nh_stepper *, nh_projector *, nh_complete *);
void nh_frontier_begin(nh_frontier *); /* before each step */
/* The time of a singular state in the last step, which began at `from`; NAN: there is none. */
double nh_frontier_singular(nh_frontier *, double from);
/* The time at which psi, C or g has a corner within the last step; NAN: there is none. */
double nh_frontier_corner(nh_frontier *, double from);
/* Whether a solver that cannot go on stands before one. */
bool nh_frontier_is_near(const nh_frontier *);
/* Whether the constraints, or the momenta, just behind a time in the last step are others than just before; then it becomes the last time at which there
 * is a state. */
bool nh_frontier_jumps(nh_frontier *, double *t);
bool nh_frontier_begins_with_jump(nh_frontier *, double to);

nh_run_result nh_motion_run(nh_motion *, nh_stepper *, const nh_run_plan *, nh_arena *);

#endif
