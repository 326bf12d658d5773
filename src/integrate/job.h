/* Inside integrate/: one call of nh_model_run. */
#ifndef NH_INTEGRATE_JOB_H
#define NH_INTEGRATE_JOB_H

#include "integrate/rows.h"

typedef struct nh_run_job {
    nh_context *context;
    const nh_model *model;
    nh_run_options options;
    nh_string *summary;
    int *finished;
    nh_equations *equations;
    nh_motion *motion;
    nh_motion *motions[16]; /* all that were made, for their machine code */
    nh_stepper *steppers[16];
    size_t n_motions, n_steppers;
    nh_native *lanes_code; /* for many starts */
    const char *solver_name, *solver_reason;
    nh_rows rows;
    double *row;   /* the numbers of one; NULL: none is opened */
    double from;   /* the time of the start */
    nh_past past;  /* of the motion up to where it goes on in all velocities */
    double *times; /* of rows, in order; NULL: they are regular */
    size_t n_times;
    size_t n_values; /* symbols that the start has values of */
    enum { NH_PASS_WRITES, NH_PASS_COMPARES, NH_PASS_IS_REFERENCE, NH_PASS_HANDS_OVER } pass;
    /* rows of one pass for another: what is compared with the second method */
    double *kept_rows;
    size_t n_kept_rows, kept_capacity, compared, second_rows;
    size_t n_taken; /* rows, of all passes */
    double difference;
    bool stopped;       /* by the caller, and */
    int why;            /* what it said, of NH_STOP */
    bool no_series;     /* the motion cannot begin by series */
    bool leaves_series; /* it has come to where there are none */
    bool stiff;         /* it is so, or has become so */
    bool no_second;     /* the second method is asked for, and there is none */
    struct nh_certificate *certificate;
} nh_run_job;

/* summary.c */
void nh_tell_run(const nh_run_job *, nh_text *out, const nh_run_result *, const nh_stepper *, bool goes_on);
/* What became of what should stay as it is: the largest change and size, and the first time without a value, NAN if there is none. */
typedef struct nh_kept {
    double *drift, *sizes, *gaps;
    size_t *starts; /* of the gaps, where there are many */
} nh_kept;
nh_kept nh_kept_new(nh_arena *, size_t count);
void nh_kept_take(nh_kept *, size_t which, double drift, double size, double gap, size_t start);
void nh_tell_kept(const nh_motion *, nh_text *out, const nh_kept *);
void nh_tell_number(nh_text *out, double x);
void nh_tell_swings(nh_text *out, bool swings, size_t looked);
const char *nh_run_end_text(const nh_equations *, nh_run_end);
const char *nh_stop_text(int why);

/* certify.c: how many digits of a run another one, more exact, has in common with it. */
typedef struct nh_certificate nh_certificate;
nh_certificate *nh_certificate_new(nh_arena *, const nh_motion *);
/* A row of the run that is certified: its digits are asked for when the other one is done. False: there is no memory for more. */
bool nh_certificate_hold(nh_certificate *, double t, const double *columns, const double *kept, int event);
typedef struct nh_held_row {
    double t;
    const double *columns, *kept;
    int event;
} nh_held_row;
bool nh_certificate_held(const nh_certificate *, size_t k, nh_held_row *); /* false: there is no row k */
/* A row of the more exact run; the sizes of columns are the largest that they have been up to there, also between rows. */
void nh_certificate_keep(nh_certificate *, double t, const double *columns);
double *nh_certificate_sizes(nh_certificate *);
int nh_certificate_digits(nh_certificate *, double t,
                          const double *columns); /* of the next row of the other */
void nh_certificate_tell(const nh_certificate *, bool can_be_chaotic, nh_text *out);

/* solver.c: the solver that is asked for, or that fits. */
nh_integrator nh_job_solver(nh_run_job *);
nh_stepper *nh_job_stepper(nh_run_job *, nh_arena *);
nh_stepper *nh_job_reference(nh_run_job *, nh_arena *);

double nh_step_tolerance(nh_integrator, double tolerance); /* of Taylor in double, or of Runge-Kutta */

/* api.c */
nh_motion *nh_job_motion(nh_run_job *, bool second, const double *values);
/* Whether a motion of the first kind that ended so goes on in all velocities, from there or once more from its start. */
bool nh_job_goes_on(const nh_run_job *, bool second, const nh_run_result *);
bool nh_job_begins_again(const nh_run_job *, bool second, const nh_run_result *);
int nh_job_is_stopped(void *job);                  /* by the caller, or as its time is over */
bool nh_job_has_rows(nh_run_job *, double length); /* no more than can be written; false: reported */

/* many.c: all motions of options.starts. False: not all reached their end. */
bool nh_run_many(nh_run_job *, bool second, const double *values, nh_text *summary);

#endif
