/* The door of integrate/: the motion. From the equations and a start to the states at the times that are asked for. */
#ifndef NH_INTEGRATE_H
#define NH_INTEGRATE_H

#include "tape/tape.h"

/* When the field is compiled to machine code. */
typedef enum nh_code { NH_CODE_WHERE_IT_PAYS, NH_CODE_ALWAYS, NH_CODE_NEVER } nh_code;

/* The start, for longer numbers than doubles. */
typedef struct nh_sharp {
    nh_tape *given; /* parameters, then t, q, q', z as the model gives them, and 0 for what it does not */
    nh_tape *
        onto; /* from t, q, q', z: f^p, d_i f^p, C^a, C^a_i, g_ij, psi^i, psi_alpha. NULL: there is nothing to solve */
    size_t n_positions, n_constraints; /* f^p, C^a */
    size_t n_z;                        /* those that are no velocities themselves; 0: none are to be found */
    bool from_z;                       /* q' are to be psi(q, z) */
    nh_placed positions, rates;
    bool *held;          /* by coordinate, then by velocity: it was given */
    size_t n_inputs;     /* 1 + 2 n + z */
    double *all;         /* t, q, q', z, in doubles */
    const double *start; /* the start that this is about, as it was */
} nh_sharp;

/* A system of differential equations x' = f(t, x), with what is to be kept and what is to be told of it.
 * Inputs of all tapes: t, then the state; parameters do not change. */
typedef struct nh_motion {
    nh_equations *eq;
    nh_arena *arena;
    bool second;          /* the state is (q, q'), otherwise (q, z) */
    size_t size;          /* of the state */
    nh_tape *field;       /* x', for series */
    nh_tape *values;      /* x', for values alone */
    nh_tape *constraints; /* f^p, d_i f^p, C^a, C^a_i, g_ij and, with C^a, L_i, as far as they are there */
    nh_tape *columns;     /* what is written: q, q', z, observed, R, lambda */
    nh_tape *kept;        /* what should stay as it is: energy, integrals; behind them K and V */
    nh_tape *events;      /* conditions that are watched; NULL: none */
    nh_tape *momenta;     /* dK/dq'^i, where they may jump with the time; NULL: they do not */
    nh_tape *watched;     /* the same from the state alone; NULL: not as formulas */
    nh_tape *
        velocities; /* psi and psi_alpha; columns, kept, events and this from t, q, q', z. NULL: there is no psi */
    nh_tape *rows; /* n numbers each, that must be independent: C^a_i, or psi_alpha. NULL: not followed */
    size_t n_rows; /* 0: it is one number, the determinant of their products */
    nh_tape *
        bends; /* psi, C and g, where something in them has a corner, which the motion must not pass. NULL: nothing has */
    nh_sharp *sharp; /* NULL: the start is one in doubles */
    bool
        passes; /* where they are not, a constraint that is a product has another branch, and the motion goes on along its own */
    size_t n_positions, n_constraints; /* f^p; C^a where velocities have to be kept on the constraint */
    size_t n_kept;
    const char **kept_names;
    size_t n_events;    /* those of the model, and behind them where constraints or momenta may jump */
    const char **names; /* of the columns */
    nh_column *kinds;
    size_t n_columns;
    bool smooth;       /* no function with corners */
    bool beside;       /* begins beside its start, by the rounding of the numbers that it is followed in */
    double *constants; /* values of the parameters */
    double *start;     /* t, then the state */
    double *z;         /* at the start */
    nh_code code;
    double seconds_to_compile;
    nh_native *native,
        *native_values; /* both tapes as machine code, once it is wanted; freed by nh_motion_free_code */
} nh_motion;

/* How a run ended. */
typedef enum nh_run_end {
    NH_RUN_DONE,
    NH_RUN_SINGULAR,
    NH_RUN_NOT_FINITE,
    NH_RUN_STEP_TOO_SMALL,
    NH_RUN_ENDLESS,   /* steps are as long as ever, but too many */
    NH_RUN_ON_CORNER, /* the same, and most steps cross a corner of the forces */
    NH_RUN_CHART,     /* the free velocities that the program chose come to an end; the motion does not */
    NH_RUN_BRANCH,    /* the equations go on with another root than the motion does */
    NH_RUN_NO_VELOCITIES,
    NH_RUN_OFF_CONSTRAINTS, /* a step was far off them */
    NH_RUN_CORNER, /* of psi, C or g: the root of a square, which has no derivative where that is 0 */
    NH_RUN_JUMP,   /* the constraints jump, and what the velocities do then is not known */
    NH_RUN_STIFF,  /* steps are no longer those of the motion: another solver goes on */
    NH_RUN_STOPPED,
    NH_RUN_EVENT /* a condition that ends the run; that is an end, too */
} nh_run_end;

typedef struct nh_run_result {
    nh_run_end end;
    double t; /* where it ended */
    size_t steps, rejected;
    double constraint_drift, position_drift; /* the largest before each projection, relative to the scale */
    double *kept_drift;                      /* by what is kept: the largest change, relative to its size */
    double *kept_size;                       /* the largest it has been */
    double *kept_gap;                        /* the first time at which it had no value; NAN: there is none */
    size_t next;                             /* the first row that was not written */
    double seconds;                          /* of work for the run, the compiler left out */
    double *state;                           /* t, q, q', z at the end */
    const double *x;                         /* the same, as the solver has it */
    const char *column;                      /* that is not finite; NULL: it is something else */
    size_t event;                            /* the condition that ended it */
    double met;        /* the first time at which it met another branch; NAN: it has not */
    size_t *crossings; /* by condition */
} nh_run_result;

/* A row of output. event: 0, or the number of the condition that passes through 0 there, from 1; negative: it falls.
 * Not 0: no more. */
typedef int nh_take_row(void *user, double t, const double *columns, const double *kept, int event);

typedef struct nh_run_plan {
    double from, to, every; /* rows at from, from + every, ..., to */
    const double *times;    /* or at these, which lie between from and to, in order */
    size_t n_times;
    size_t next;   /* the first of them that is to be written */
    bool fine;     /* rows are computed with more digits than doubles have */
    double *sizes; /* by column: is made the largest so far, also between rows; NULL: nobody asks for it */
    nh_take_row *row;
    void *user;
    int (*stop)(void *user);                   /* not 0: no more; asked now and then. NULL: never */
    void (*progress)(void *user, double part); /* told now and then; may be NULL */
    /* whether another solver should go on from there; asked after many steps, by their number. NULL: never */
    bool (*is_stiff)(void *user, double t, const double *x);
    void *user_of_both; /* of these three */
} nh_run_plan;

/* What has been so far, before another solver took over included. */
typedef struct nh_past {
    double longest; /* step */
    double volume;  /* the logarithm of the largest determinant of the rows */
} nh_past;

/* Where a solver stands; x has `size` entries. */
typedef struct nh_stepper nh_stepper;
struct nh_stepper {
    const nh_motion *motion;
    double t,
        h; /* the time, and the length of the last step or the next one to be tried; negative: backwards */
    double tolerance; /* of one step */
    nh_past past;
    double *x;
    double *rounding; /* by component: what is no error, since no step can do better; NULL: not known */
    nh_run_end end;
    size_t steps, rejected, order;
    size_t across;   /* steps that crossed a corner of the forces, as those do that get nowhere there */
    size_t branched; /* steps that ended where a root, or what looks like one, has another branch */
    size_t looked;   /* steps in which a condition was too intricate for more than looks at it */
    bool swings;     /* a condition does, faster than its zeros can be told apart */
    bool steps_over_corners; /* of the forces, without regard to where they are */
    bool is_dense;           /* states within the last step cost little */
    void *own;
    /* One step, no further than to `limit`; false: it cannot go on, see end. */
    bool (*step)(nh_stepper *, double limit);
    /* The state at a time within the last step. */
    void (*at)(nh_stepper *, double t, double *x);
    /* The state was changed from outside. */
    void (*moved)(nh_stepper *);
    /* Gives back what is not in the arena; NULL: nothing. */
    void (*close)(nh_stepper *);
};

/* Solvers of a motion from its start: they need its tapes field and values, its constants and start alone. tolerance: the error of
 * one step, relative to the size of each component. */
nh_stepper *nh_taylor_new(const nh_motion *, nh_arena *, double tolerance);
nh_stepper *nh_runge_new(const nh_motion *, nh_arena *, double tolerance);
void nh_motion_free_code(nh_motion *);

#endif
