/* A run: from the start to the end, a row at each time that is asked for, and what was done. */
#include "integrate/inner.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct run {
    nh_motion *motion;
    nh_stepper *stepper;
    nh_projector *projector;
    nh_complete *complete;
    nh_run_result result;
    const nh_run_plan *plan;
    double *columns, *state, *kept, *first; /* first: what is kept, at the start */
    double *kept_size;
    size_t next; /* the next row */
} run;

/* The k-th time of output. */
static double time_of(const run *r, size_t k)
{
    double begin = r->plan->from, end = r->plan->to, every = r->plan->every;
    double t = begin + (end < begin ? -1 : 1) * (double)k * every;
    double left = end < begin ? t - end : end - t;
    return left <= 1e-9 * every ? end : t; /* the last one is the end */
}

static bool is_past(const run *r, double t, double limit)
{
    return r->plan->to < r->plan->from ? t < limit : t > limit;
}

/* 0: go on. */
static int emit(run *r, double t, const double *x)
{
    double drift[2];
    bool moved;
    memcpy(r->state, x, r->motion->size * sizeof *x);
    if (r->projector)
        nh_project(r->projector, t, r->state, &drift[0], &drift[1], &moved);
    if (!nh_complete_at(r->complete, t, r->state)) {
        r->result.end = r->motion->second ? NH_RUN_NO_VELOCITIES : NH_RUN_SINGULAR;
        return 1;
    }
    nh_complete_columns(r->complete, r->columns);
    for (size_t i = 0; i < r->motion->n_columns; i++)
        if (!isfinite(r->columns[i])) {
            r->result.end = NH_RUN_NOT_FINITE;
            return 1;
        }
    if (r->plan->row(r->plan->user, t, r->columns)) {
        r->result.end = NH_RUN_STOPPED;
        return 1;
    }
    return 0;
}

/* How far what is kept has gone from where it was, in units of the largest it has been. */
static void measure(run *r, bool begin)
{
    if (!nh_complete_at(r->complete, r->stepper->t, r->stepper->x))
        return;
    nh_complete_kept(r->complete, r->kept);
    for (size_t i = 0; i < r->motion->n_kept; i++) {
        if (begin)
            r->first[i] = r->kept[i];
        r->kept_size[i] = fmax(r->kept_size[i], fabs(r->kept[i]));
        double unit = r->kept_size[i] > 0 ? r->kept_size[i] : 1;
        r->result.kept_drift[i] = fmax(r->result.kept_drift[i], fabs(r->kept[i] - r->first[i]) / unit);
    }
}

static void keep_on_constraints(run *r)
{
    double positions = 0, velocities = 0;
    bool moved = false;
    if (!r->projector ||
        !nh_project(r->projector, r->stepper->t, r->stepper->x, &positions, &velocities, &moved))
        return;
    r->result.position_drift = fmax(r->result.position_drift, positions);
    r->result.constraint_drift = fmax(r->result.constraint_drift, velocities);
    if (moved)
        r->stepper->moved(r->stepper);
}

/* The rows up to where the solver is; the one at that very time from the state itself. */
static int rows(run *r, double *between)
{
    for (double t; t = time_of(r, r->next), !is_past(r, t, r->stepper->t); r->next++) {
        bool here = t == r->stepper->t;
        if (!here)
            r->stepper->at(r->stepper, t, between);
        if (emit(r, t, here ? r->stepper->x : between))
            return 1;
        if (t == r->plan->to) {
            r->next++;
            return 0;
        }
    }
    return 0;
}

/* Steps among which the motion has to get on by such a part of the run: what does not is stuck. */
enum { WATCHED_STEPS = 20000, STEPS_BETWEEN_QUESTIONS = 256, STEPS_BETWEEN_MEASUREMENTS = 8 };
static const double least_progress = 1e-4;

static void go(run *r, double *between)
{
    nh_stepper *s = r->stepper;
    double mark = s->t;
    while (s->t != r->plan->to && r->result.end == NH_RUN_DONE) {
        if (r->plan->stop && s->steps % STEPS_BETWEEN_QUESTIONS == 0 &&
            r->plan->stop(r->plan->user_of_stop)) {
            r->result.end = NH_RUN_STOPPED;
            return;
        }
        if (s->steps % WATCHED_STEPS == WATCHED_STEPS - 1) {
            if (fabs(s->t - mark) < least_progress * fabs(r->plan->to - r->plan->from)) {
                r->result.end = NH_RUN_STEP_TOO_SMALL;
                return;
            }
            mark = s->t;
        }
        double limit = r->plan->ends_at_rows ? time_of(r, r->next) : r->plan->to;
        if (!s->step(s, limit)) {
            r->result.end = s->end;
            return;
        }
        for (size_t i = 0; i < r->motion->size; i++)
            if (!isfinite(s->x[i])) {
                r->result.end = NH_RUN_NOT_FINITE;
                return;
            }
        keep_on_constraints(r);
        if (s->steps % STEPS_BETWEEN_MEASUREMENTS == 0 || s->t == r->plan->to)
            measure(r, false);
        if (rows(r, between))
            return;
    }
}

static double *numbers(nh_arena *arena, size_t count)
{
    double *out = nh_arena_array(arena, count + 1, sizeof *out);
    memset(out, 0, (count + 1) * sizeof *out);
    return out;
}

double nh_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

nh_run_result nh_motion_run(nh_motion *motion, nh_stepper *stepper, const nh_run_plan *plan)
{
    nh_arena *arena = motion->arena;
    run r = {.motion = motion, .stepper = stepper, .plan = plan};
    r.projector = nh_projector_new(motion, arena);
    r.complete = nh_complete_new(motion, arena);
    r.columns = numbers(arena, motion->n_columns), r.state = numbers(arena, motion->size);
    r.kept = numbers(arena, motion->n_kept), r.first = numbers(arena, motion->n_kept);
    r.kept_size = numbers(arena, motion->n_kept), r.result.kept_drift = numbers(arena, motion->n_kept);
    r.result.end = stepper->end;
    double *between = numbers(arena, motion->size), before = nh_seconds() - motion->seconds_to_compile;
    measure(&r, true);
    r.next = plan->next;
    if (r.result.end == NH_RUN_DONE && (r.next > 0 || !emit(&r, stepper->t, stepper->x))) {
        r.next += r.next == 0;
        go(&r, between);
    }
    r.result.seconds = nh_seconds() - before - motion->seconds_to_compile;
    r.result.next = r.next;
    r.result.state =
        nh_complete_at(r.complete, stepper->t, stepper->x) ? nh_complete_state(r.complete) : NULL;
    r.result.t = stepper->t, r.result.steps = stepper->steps, r.result.rejected = stepper->rejected;
    return r.result;
}
