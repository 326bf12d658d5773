/* A run: from the start to the end, a row at each time that is asked for, and what was done. */
#include "integrate/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    nh_motion *motion;
    nh_stepper *stepper;
    nh_projector *projector;
    nh_complete *complete;
    nh_events *events;
    nh_run_result result;
    const nh_run_plan *plan;
    double *columns, *state, *kept,
        *first; /* first: what is kept, where it first had a value; NAN: nowhere yet */
    double *kept_size, *between;
    size_t next;                /* the next row */
    double sized;               /* see measure_columns */
    double mark, best_progress; /* see is_stuck */
    double corner_mark;         /* see look_at_corners */
    size_t across, branched;    /* of the stepper, then */
    double looked_mark;         /* see note_looked */
    size_t looked;              /* of the stepper, then */
    const nh_crossing *found;   /* within the last step */
    size_t n_found;
    nh_frontier *frontier;
    bool within; /* the motion, or the run, ends within the last step, at result.t with the state `state` */
} run;

/* The k-th time of output; INFINITY behind the last one. */
static double time_of(const run *r, size_t k)
{
    const nh_run_plan *plan = r->plan;
    bool back = plan->to < plan->from;
    if (plan->times)
        return k < plan->n_times ? plan->times[k] : back ? -INFINITY : INFINITY;
    double t = plan->from + (back ? -1 : 1) * (double)k * plan->every;
    double left = back ? t - plan->to : plan->to - t;
    return left <= 1e-9 * plan->every ? plan->to : t; /* the last one is the end */
}

static bool is_past(const run *r, double t, double limit)
{
    return r->plan->to < r->plan->from ? t < limit : t > limit;
}

/* ---------------------------------------------------------------- what is kept */

/* How far it has gone from where it was first, and the largest it has been; at the state that is complete. */
static void measure_kept(run *r, double t)
{
    nh_complete_kept(r->complete, r->kept);
    for (size_t i = 0; i < r->motion->n_kept; i++) {
        if (!isfinite(r->kept[i])) {
            r->result.kept_gap[i] = isnan(r->result.kept_gap[i]) ? t : r->result.kept_gap[i];
            continue;
        }
        if (isnan(r->first[i]))
            r->first[i] = r->kept[i];
        double size =
            i ? fabs(r->kept[i]) : fabs(r->kept[r->motion->n_kept]) + fabs(r->kept[r->motion->n_kept + 1]);
        r->kept_size[i] = fmax(r->kept_size[i], size); /* of the energy: |K| + |V| */
        r->result.kept_drift[i] = fmax(r->result.kept_drift[i], fabs(r->kept[i] - r->first[i]));
    }
}

/* Relative to the largest of the whole run: at a start from rest the energy may be rounding alone. */
static void make_drift_relative(run *r)
{
    for (size_t i = 0; i < r->motion->n_kept; i++)
        r->result.kept_drift[i] /= r->kept_size[i] > 0 ? r->kept_size[i] : 1;
}

/* ---------------------------------------------------------------- rows */

/* 0: go on. */
static int emit(run *r, double t, const double *x, int event)
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
    measure_kept(r, t);
    for (size_t i = 0; i < r->motion->n_columns; i++)
        if (!isfinite(r->columns[i])) {
            r->result.end = NH_RUN_NOT_FINITE, r->result.column = r->motion->names[i];
            r->result.t = t;
            return 1;
        }
    if (r->plan->row(r->plan->user, t, r->columns, r->kept, event)) { /* it is the last one */
        r->result.end = NH_RUN_STOPPED, r->result.t = t, r->within = true;
        return 1;
    }
    return 0;
}

/* Places within a step, or a part of it, which nothing that swings avoids as often as it comes. */
static const double within_step[] = {0.190983005625, 0.618033988750, 0.854101966250};
enum { PLACES_WITHIN = sizeof within_step / sizeof *within_step };

/* How large columns are at these places of the last step, from where they were last measured up to a time: rows may show one of them only where
 * it is 0. */
static void measure_columns(run *r, double t)
{
    nh_stepper *s = r->stepper;
    double from = r->sized;
    r->sized = t;
    for (size_t k = 0; k < PLACES_WITHIN && r->plan->sizes && t != from; k++) {
        double place = from + within_step[k] * (t - from);
        s->at(s, place, r->between);
        if (!nh_complete_at(r->complete, place, r->between))
            continue;
        nh_complete_rough_columns(r->complete, r->columns);
        for (size_t i = 0; i < r->motion->n_columns; i++)
            if (isfinite(r->columns[i]))
                r->plan->sizes[i] = fmax(r->plan->sizes[i], fabs(r->columns[i]));
    }
}

/* At a time within the last step; at its end the state itself. */
static int emit_at(run *r, double t, int event)
{
    nh_stepper *s = r->stepper;
    measure_columns(r, t);
    if (t == s->t)
        return emit(r, t, s->x, event);
    s->at(s, t, r->between);
    return emit(r, t, r->between, event);
}

/* The rows up to a time within the last step. */
static int rows_to(run *r, double limit)
{
    if (!r->plan->times && r->next > 0 && time_of(r, r->next - 1) == r->plan->to)
        return 0; /* the last one is there already */
    for (double t; t = time_of(r, r->next), !is_past(r, t, limit); r->next++) {
        if (emit_at(r, t, 0))
            return 1;
        if (t == r->plan->to && !r->plan->times) {
            r->next++;
            return 0;
        }
    }
    return 0;
}

static void find_events(run *r, double from)
{
    double t = r->stepper->t;
    if (r->events)
        r->found = nh_events_within(r->events, r->stepper, from, t, t == r->plan->to, &r->n_found);
}

/* The rows up to a time within the last step, and those of what happened before. */
static int rows(run *r, double limit)
{
    const nh_model *model = r->motion->eq->model;
    for (size_t i = 0; i < r->n_found && !is_past(r, r->found[i].t, limit); i++) {
        const nh_crossing *found = &r->found[i];
        size_t which = (size_t)(found->event < 0 ? -found->event : found->event) - 1;
        if (which >= model->n_events || (model->events[which].section && (found->event < 0 || found->touch)))
            continue;
        if (rows_to(r, found->t) || emit_at(r, found->t, found->event))
            return 1;
        r->result.crossings[which]++;
        if (model->events[which].ends) {
            r->result.end = NH_RUN_EVENT, r->result.event = which, r->result.t = found->t;
            return 1;
        }
    }
    return rows_to(r, limit);
}

/* ---------------------------------------------------------------- after a step */

/* At the state where the stepper is, and, where steps are long, at some places within the last one. */
static void measure(run *r, double from)
{
    const nh_stepper *s = r->stepper;
    for (size_t i = 0; i < PLACES_WITHIN && s->is_dense && from != s->t; i++) {
        double t = from + within_step[i] * (s->t - from);
        s->at(r->stepper, t, r->between);
        if (nh_complete_at(r->complete, t, r->between))
            measure_kept(r, t);
    }
    if (nh_complete_at(r->complete, s->t, s->x))
        measure_kept(r, s->t);
}

/* In units of what velocities, or coordinates, of their size make of a constraint: no step within its tolerance is so
 * far off. What is brought back from there has little to do with the motion. */
static const double most_drift = 0.01;

static void measure_rounding(run *r)
{
    const nh_stepper *s = r->stepper;
    if (r->projector && s->rounding)
        nh_project_rounding(r->projector, s->t, s->x, s->rounding);
}

static void keep_on_constraints(run *r)
{
    double positions = 0, velocities = 0;
    bool moved = false;
    if (!r->projector ||
        !nh_project(r->projector, r->stepper->t, r->stepper->x, &positions, &velocities, &moved))
        return;
    if (fmax(positions, velocities) > most_drift) {
        r->result.end = NH_RUN_OFF_CONSTRAINTS;
        return;
    }
    r->result.position_drift = fmax(r->result.position_drift, positions);
    r->result.constraint_drift = fmax(r->result.constraint_drift, velocities);
    nh_project_seen(r->projector, r->stepper->x);
    if (moved)
        r->stepper->moved(r->stepper);
    measure_rounding(r);
}

/* ---------------------------------------------------------------- where no motion goes on */

/* The rows up to there, and no more. */
static void end_within(run *r, double t, nh_run_end end)
{
    nh_stepper *s = r->stepper;
    if (rows(r, t))
        return;
    if (t != s->t)
        s->at(s, t, r->state);
    else
        memcpy(r->state, s->x, r->motion->size * sizeof *r->state);
    r->result.end = end, r->result.t = t, r->within = true;
}

/* The first time in the last step at which the constraints jump; NAN: none. */
static double find_jump(run *r)
{
    for (size_t i = 0; i < r->n_found; i++) {
        double t = r->found[i].t;
        if ((size_t)abs(r->found[i].event) > r->motion->eq->model->n_events &&
            nh_frontier_jumps(r->frontier, &t))
            return t;
    }
    return NAN;
}

/* Whether the run begins where a sign in the constraints is 0, a value that it has nowhere else, and they jump away from the start. */
static bool begins_with_jump(run *r, nh_arena *arena)
{
    size_t first = r->motion->eq->model->n_events, count = r->motion->n_events;
    double *values = nh_zeros(arena, count);
    bool zero = false;
    if (count == first || !nh_complete_at(r->complete, r->stepper->t, r->stepper->x))
        return false;
    nh_complete_events(r->complete, values);
    for (size_t i = first; i < count; i++)
        zero = zero || values[i] == 0;
    return zero && nh_frontier_begins_with_jump(r->frontier, r->plan->to);
}

/* True: the motion ended within the last step. */
static bool ends_within(run *r, double from)
{
    bool may_jump = r->motion->n_events > r->motion->eq->model->n_events;
    if (may_jump)
        find_events(r, from);
    double jump = may_jump ? find_jump(r) : NAN,
           singular = isnan(jump) ? nh_frontier_singular(r->frontier, from) : NAN;
    if (r->motion->passes && !isnan(singular)) {
        r->result.met = isnan(r->result.met) ? singular : r->result.met;
        singular = NAN;
    }
    double corner = isnan(jump) && isnan(singular) ? nh_frontier_corner(r->frontier, from) : NAN;
    if (isnan(jump) && isnan(singular) && isnan(corner))
        return false;
    if (!may_jump)
        find_events(r, from);
    end_within(r,
               !isnan(jump)     ? jump
               : !isnan(corner) ? corner
                                : singular,
               !isnan(jump)     ? NH_RUN_JUMP
               : !isnan(corner) ? NH_RUN_CORNER
                                : NH_RUN_SINGULAR);
    return true;
}

/* ---------------------------------------------------------------- steps */

/* Steps among which the motion has to get on as it did before, but for such a factor, and so that there is an end in sight: what does
 * not is stuck. */
enum {
    WATCHED_STEPS = 20000,
    CORNER_STEPS = 1024,
    STEPS_BETWEEN_QUESTIONS = 256,
    STEPS_ALL_MEASURED = 64,
    STEPS_MEASURED_OFTEN = 1024,
    STEPS_BETWEEN_MEASUREMENTS = 8,
    STEPS_BETWEEN_LATER_ONES = 32
};
static const double least_progress = 1e-4, most_windows = 1e8, most_corner_windows = 1e5;

static bool is_stopped(run *r)
{
    const nh_run_plan *plan = r->plan;
    if (r->stepper->steps % STEPS_BETWEEN_QUESTIONS)
        return false;
    if (plan->progress)
        plan->progress(plan->user_of_both, (r->stepper->t - plan->from) / (plan->to - plan->from));
    return plan->stop && plan->stop(plan->user_of_both);
}

/* Most steps end early, and at this rate there is no end in sight: where they cross a corner of the forces, the motion stays on it. Where roots seem to
 * have other branches, it is what rounding makes of large numbers. */
static nh_run_end look_at_corners(run *r)
{
    const nh_stepper *s = r->stepper;
    if (s->steps % CORNER_STEPS != CORNER_STEPS - 1)
        return NH_RUN_DONE;
    double progress = fabs(s->t - r->corner_mark);
    size_t across = s->across - r->across, branched = s->branched - r->branched;
    r->corner_mark = s->t, r->across = s->across, r->branched = s->branched;
    if (4 * (across + branched) <= CORNER_STEPS ||
        progress * most_corner_windows >= fabs(r->plan->to - r->plan->from))
        return NH_RUN_DONE;
    return across > branched ? NH_RUN_ON_CORNER : NH_RUN_STEP_TOO_SMALL;
}

static nh_run_end look_at_progress(run *r)
{
    const nh_stepper *s = r->stepper;
    if (s->steps % WATCHED_STEPS != WATCHED_STEPS - 1)
        return NH_RUN_DONE;
    double progress = fabs(s->t - r->mark), best = r->best_progress;
    r->mark = s->t, r->best_progress = fmax(best, progress);
    if (progress < least_progress * best)
        return NH_RUN_STEP_TOO_SMALL;
    if (progress * most_windows >= fabs(r->plan->to - r->plan->from))
        return NH_RUN_DONE;
    return fabs(s->h) > 0.1 * progress / WATCHED_STEPS ? NH_RUN_ENDLESS : NH_RUN_STEP_TOO_SMALL;
}

/* Asked as often: what begins smoothly may come to creep, where something decays much faster than the motion. */
static bool becomes_stiff(const run *r)
{
    const nh_stepper *s = r->stepper;
    return r->plan->is_stiff && s->steps && s->steps % WATCHED_STEPS == 0 &&
           r->plan->is_stiff(r->plan->user_of_both, s->t, s->x);
}

static bool is_finite(const run *r)
{
    bool finite = true;
    for (size_t i = 0; i < r->motion->size; i++)
        finite = finite && isfinite(r->stepper->x[i]);
    return finite;
}

/* What is kept is measured after the first steps, then after every so many, and at the end. */
static bool is_measured(const run *r)
{
    size_t steps = r->stepper->steps, between = steps < STEPS_ALL_MEASURED     ? 1
                                                : steps < STEPS_MEASURED_OFTEN ? STEPS_BETWEEN_MEASUREMENTS
                                                                               : STEPS_BETWEEN_LATER_ONES;
    return steps % between == 0 || r->stepper->t == r->plan->to;
}

/* Where a motion ends at one place, steps there are many, and so short that there is nothing between them to tell. */
static void note_looked(run *r)
{
    const nh_stepper *s = r->stepper;
    if (fabs(s->t - r->looked_mark) > 1e-9 * fabs(r->plan->to - r->plan->from))
        r->looked_mark = s->t, r->looked = s->looked;
}

static void go(run *r)
{
    nh_stepper *s = r->stepper;
    r->mark = r->corner_mark = r->looked_mark = s->t;
    while (s->t != r->plan->to && r->result.end == NH_RUN_DONE) {
        double before = s->t;
        nh_frontier_begin(r->frontier);
        if (is_stopped(r))
            r->result.end = NH_RUN_STOPPED;
        else if ((r->result.end = look_at_corners(r)) != NH_RUN_DONE ||
                 (r->result.end = look_at_progress(r)) != NH_RUN_DONE)
            break;
        else if (becomes_stiff(r))
            r->result.end = NH_RUN_STIFF;
        else if (!s->step(s, r->plan->to))
            r->result.end = s->end == NH_RUN_STEP_TOO_SMALL && nh_frontier_is_near(r->frontier)
                                ? NH_RUN_SINGULAR
                                : s->end;
        else if (!is_finite(r))
            r->result.end = NH_RUN_NOT_FINITE;
        if (r->result.end != NH_RUN_DONE)
            break;
        if (ends_within(r, before))
            return;
        keep_on_constraints(r);
        if (r->result.end != NH_RUN_DONE)
            break;
        if (is_measured(r))
            measure(r, before);
        if (r->motion->n_events == r->motion->eq->model->n_events)
            find_events(r, before);
        if (rows(r, s->t))
            return;
        measure_columns(r, s->t);
        note_looked(r);
        if (!nh_complete_is_regular(r->complete, s->t, s->x)) {
            r->result.end = NH_RUN_CHART;
            return;
        }
    }
    if (r->events && (r->result.end == NH_RUN_STEP_TOO_SMALL || r->result.end == NH_RUN_ON_CORNER)) {
        nh_run_end end = r->result.end;
        r->found = nh_events_at_rest(r->events, s, end == NH_RUN_ON_CORNER, &r->n_found);
        rows(r, s->t);
        if (r->result.end == NH_RUN_NOT_FINITE || r->result.end == NH_RUN_SINGULAR) /* no row of that */
            r->result.end = end, r->result.column = NULL;
        s->looked = r->looked;
    }
}

/* ---------------------------------------------------------------- the whole */

double *nh_zeros(nh_arena *arena, size_t count)
{
    double *out = nh_arena_array(arena, count + 1, sizeof *out);
    return memset(out, 0, (count + 1) * sizeof *out);
}

static run run_of(nh_motion *motion, nh_stepper *stepper, const nh_run_plan *plan, nh_arena *arena)
{
    run r = {.motion = motion, .stepper = stepper, .plan = plan, .next = plan->next, .sized = stepper->t};
    r.projector = nh_projector_new(motion, arena);
    r.complete = nh_complete_new(motion, arena);
    if (plan->fine)
        nh_complete_refine(r.complete, arena);
    r.columns = nh_zeros(arena, motion->n_columns), r.state = nh_zeros(arena, motion->size);
    r.kept = nh_zeros(arena, motion->n_kept + 2), r.first = nh_zeros(arena, motion->n_kept);
    r.kept_size = r.result.kept_size = nh_zeros(arena, motion->n_kept),
    r.result.kept_drift = nh_zeros(arena, motion->n_kept),
    r.result.kept_gap = nh_zeros(arena, motion->n_kept);
    for (size_t i = 0; i < motion->n_kept; i++)
        r.first[i] = r.result.kept_gap[i] = NAN;
    r.between = nh_zeros(arena, motion->size);
    r.frontier = nh_frontier_new(motion, arena, stepper, r.projector, r.complete);
    r.result.crossings = nh_arena_array(arena, motion->n_events + 1, sizeof *r.result.crossings);
    memset(r.result.crossings, 0, (motion->n_events + 1) * sizeof *r.result.crossings);
    r.result.end = stepper->end, r.result.met = NAN;
    r.events = nh_events_new(motion, arena, r.complete, stepper->t, stepper->x);
    return r;
}

nh_run_result nh_motion_run(nh_motion *motion, nh_stepper *stepper, const nh_run_plan *plan, nh_arena *arena)
{
    run r = run_of(motion, stepper, plan, arena);
    double before = nh_thread_seconds() - motion->seconds_to_compile;
    measure(&r, stepper->t);
    measure_rounding(&r);
    if (r.result.end == NH_RUN_DONE && r.next == 0 && !rows_to(&r, stepper->t) && begins_with_jump(&r, arena))
        r.result.end = NH_RUN_JUMP;
    if (r.result.end == NH_RUN_DONE)
        go(&r);
    make_drift_relative(&r);
    r.result.seconds = nh_thread_seconds() - before - motion->seconds_to_compile;
    r.result.next = r.next;
    bool at_row = r.result.column || r.within; /* not where the solver stands, but before that */
    if (r.result.end != NH_RUN_EVENT && !at_row)
        r.result.t = stepper->t;
    r.result.x = at_row ? r.state : stepper->x;
    bool there = nh_complete_at(r.complete, at_row ? r.result.t : stepper->t, r.result.x);
    r.result.state = there ? nh_complete_state(r.complete, arena) : NULL;
    r.result.steps = stepper->steps, r.result.rejected = stepper->rejected;
    return r.result;
}
