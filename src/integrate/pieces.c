/* A piece of many motions, and what a thread does with it: one motion after the other, or, where the system allows it, several together;
 * what such a lane cannot finish is done again alone, which tells why. */
#include "integrate/pieces.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- rows */

/* Without --every a motion has rows at its own start and at the end. */
static double time_between_rows(const nh_run_job *job, double from)
{
    return job->options.every > 0 ? job->options.every : fabs(job->options.to - from);
}

static double row_time(const nh_many *m, double from, size_t k)
{
    const nh_run_job *job = m->job;
    double to = job->options.to, every = time_between_rows(job, from);
    if (job->times)
        return job->times[k];
    double t = from + (to < from ? -1 : 1) * (double)k * every;
    return fabs(to - t) <= 1e-9 * every || (to < from ? t < to : t > to) ? to : t;
}

static void put_row(nh_worker *w, const double *row)
{
    const nh_many *m = w->m;
    nh_piece *p = w->now;
    if (m->job->options.format == NH_ROWS_CSV) {
        nh_row_print(&p->text, row, m->width);
        return;
    }
    for (size_t i = 0; i < m->width; i++)
        nh_push(&p->arena, p->values, p->n_values, p->capacity) = row[i];
}

static void put_rows(nh_worker *w, const double *rows, size_t count)
{
    double before = nh_thread_seconds();
    for (size_t k = 0; k < count; k++)
        put_row(w, rows + k * w->m->width);
    w->writing += nh_thread_seconds() - before;
}

static int take_row(void *user, double t, const double *columns, const double *kept, int event)
{
    nh_worker *w = user;
    size_t n = w->m->motion->n_columns;
    (void)kept;
    w->row[0] = (double)(w->start + 1), w->row[1] = t;
    memcpy(w->row + 2, columns, n * sizeof *columns);
    w->row[2 + n] = event;
    put_row(w, w->row);
    return 0;
}

static void note_failure(nh_worker *w, size_t start, nh_run_end end, double t)
{
    nh_piece *p = w->now;
    if (!p->failed || start < p->first_failure)
        p->first_failure = start, p->reason = end, p->t_failure = t;
    p->failed++;
}

/* ---------------------------------------------------------------- one by one */

static void begin_motion(nh_worker *w, size_t start)
{
    const nh_many *m = w->m;
    const nh_equations *eq = m->motion->eq;
    w->motion.start = m->starts.states + start * (1 + m->motion->size);
    w->motion.constants = m->starts.constants + start * eq->model->n_parameters;
    w->motion.z = m->starts.z + start * eq->m;
    w->start = start;
}

static int ask(void *user) { return atomic_load(&((nh_worker *)user)->m->stopped); }

/* What the summary has of it. */
static void note_run(nh_worker *w, const nh_stepper *s, const nh_run_result *result)
{
    nh_piece *p = w->now;
    p->steps += result->steps, p->swings |= s->swings, p->looked += s->looked;
    if (!isnan(result->met) && !p->met++)
        p->first_met = w->start, p->t_met = result->met;
    for (size_t i = 0; i < w->motion.n_kept; i++)
        nh_kept_take(&p->kept, i, result->kept_drift[i], result->kept_size[i], result->kept_gap[i], w->start);
}

/* From where it begins, with the rows from the next one on. */
static nh_run_result run_motion(nh_worker *w, nh_motion *motion, nh_past *past, size_t next)
{
    const nh_run_job *job = w->m->job;
    nh_run_job own = w->m->before;
    own.motion = motion, own.from = w->motion.start[0];
    nh_run_plan plan = {.from = own.from,
                        .to = job->options.to,
                        .every = time_between_rows(job, own.from),
                        .times = job->times};
    plan.n_times = job->n_times, plan.row = take_row, plan.user = w, plan.stop = ask, plan.user_of_both = w;
    plan.next = next;
    nh_stepper *s = nh_job_stepper(&own, &w->arena);
    s->past = *past;
    nh_run_result result = nh_motion_run(motion, s, &plan, &w->arena);
    *past = s->past;
    if (s->close)
        s->close(s);
    note_run(w, s, &result);
    return result;
}

/* In all velocities, from where the free ones failed, or from the start. */
static nh_run_result run_second(nh_worker *w, const nh_run_result *first, nh_past *past, bool again)
{
    const double *state = first->state;
    if (again) {
        nh_complete_begin(w->complete, &w->motion);
        if (!nh_complete_at(w->complete, w->motion.start[0], w->motion.start + 1))
            return *first;
        state = nh_complete_state(w->complete, &w->arena), *past = (nh_past){0, 0};
    }
    if (!w->now->changed++)
        w->now->first_changed = w->start, w->now->t_changed = first->t;
    w->second.start = nh_zeros(&w->arena, w->second.size + 1);
    memcpy(w->second.start, state, (1 + w->second.size) * sizeof *state);
    w->second.constants = w->motion.constants, w->second.z = w->motion.z;
    return run_motion(w, &w->second, past, first->next);
}

static void run_alone(nh_worker *w, size_t start)
{
    nh_arena_mark mark = nh_arena_here(&w->arena);
    nh_past past = {0, 0};
    const nh_run_job *job = &w->m->before;
    begin_motion(w, start);
    nh_run_result result = run_motion(w, &w->motion, &past, 0);
    bool again = w->m->second && nh_job_begins_again(job, false, &result);
    if (again || (w->m->second && nh_job_goes_on(job, false, &result)))
        result = run_second(w, &result, &past, again);
    if (result.end != NH_RUN_DONE && result.end != NH_RUN_EVENT)
        note_failure(w, start, result.end, result.t);
    nh_arena_release(&w->arena, mark);
}

/* ---------------------------------------------------------------- several together */

/* The motions of a piece that are on their way. */
typedef struct lane {
    size_t start, next_row;
    double from, t;               /* where it began, and of the next row */
    bool ended;                   /* its last row is there */
    double *rows;                 /* so far */
    double *first, *drift, *size; /* of what is kept: where it was first, its largest change and itself */
    nh_watch watch;
    size_t tries; /* to make a step */
    double mark;  /* where it was, so many tries ago */
} lane;

typedef struct pack_run {
    nh_worker *w;
    const nh_pack_code *code;
    const double *times; /* by lane */
    lane lanes[NH_MOST_LANES];
    bool active[NH_MOST_LANES], good[NH_MOST_LANES];
    double limits[NH_MOST_LANES]; /* where the next step ends at the latest */
    size_t next;                  /* the next start of the nh_piece */
    double **rows;                /* by start of the piece: its rows; NULL: it is to be done alone */
    size_t *counts;               /* of rows */
    size_t running;
} pack_run;

static void measure(nh_worker *w, lane *l, double t)
{
    nh_kept *k = &w->now->kept;
    nh_complete_kept(w->complete, w->kept);
    for (size_t i = 0; i < w->motion.n_kept; i++) {
        double *first = l->first;
        if (!isfinite(w->kept[i])) {
            nh_kept_take(k, i, 0, 0, t, l->start);
            continue;
        }
        if (isnan(first[i]))
            first[i] = w->kept[i];
        double size =
            i ? fabs(w->kept[i]) : fabs(w->kept[w->motion.n_kept]) + fabs(w->kept[w->motion.n_kept + 1]);
        l->size[i] = fmax(l->size[i], size);
        l->drift[i] = fmax(l->drift[i], fabs(w->kept[i] - first[i]));
    }
}

/* False: there is no such row. */
static bool lane_row(nh_worker *w, lane *l, double t, const double *x)
{
    const nh_many *m = w->m;
    double *row = l->rows + l->next_row * m->width;
    if (!m->starts.same_constants)
        begin_motion(w, l->start), nh_complete_begin(w->complete, &w->motion);
    if (!nh_complete_at(w->complete, t, x))
        return false;
    row[0] = (double)(l->start + 1), row[1] = t;
    nh_complete_columns(w->complete, row + 2);
    measure(w, l, t);
    for (size_t i = 0; i < m->width; i++)
        if (!isfinite(row[i]))
            return false;
    l->next_row++;
    return true;
}

/* The next start into a free lane; it has its first row at once. */
static bool fill(pack_run *e, int k)
{
    nh_worker *w = e->w;
    const nh_many *m = w->m;
    lane *l = &e->lanes[k];
    if (e->next >= w->now->count)
        return false;
    size_t start = w->now->first + e->next;
    double *state = m->starts.states + start * (1 + m->motion->size);
    *l = (lane){.start = start, .from = state[0], .t = row_time(m, state[0], 0), .mark = state[0]};
    l->rows = e->rows[e->next] = nh_arena_array(&w->arena, m->n_rows * m->width + 1, sizeof(double));
    l->first = nh_zeros(&w->arena, w->motion.n_kept);
    l->drift = nh_zeros(&w->arena, w->motion.n_kept), l->size = nh_zeros(&w->arena, w->motion.n_kept);
    for (size_t i = 0; i < w->motion.n_kept; i++)
        l->first[i] = NAN;
    e->next++;
    begin_motion(w, start);
    if (w->volume)
        nh_volume_begin(w->volume, &w->motion), l->watch = nh_watch_begin(w->volume, state[0], state + 1);
    e->code->put(w->pack, k, state, w->motion.constants);
    e->active[k] = true, e->running++;
    return true;
}

static void leave(pack_run *e, int k, bool failed)
{
    const lane *l = &e->lanes[k];
    e->active[k] = false, e->running--;
    for (size_t i = 0; i < e->w->motion.n_kept && !failed; i++)
        nh_kept_take(&e->w->now->kept, i, l->size[i] > 0 ? l->drift[i] / l->size[i] : 0, l->size[i], NAN,
                     l->start);
    e->counts[e->lanes[k].start - e->w->now->first] = e->lanes[k].next_row;
    if (failed)
        e->rows[e->lanes[k].start - e->w->now->first] = NULL;
}

static bool rows_left(const pack_run *e, int k)
{
    return e->lanes[k].next_row < e->w->m->n_rows && !e->lanes[k].ended;
}

/* The rows up to where a lane is; at the end the lane is free. */
static void lane_rows(pack_run *e, int k)
{
    nh_worker *w = e->w;
    const nh_many *m = w->m;
    lane *l = &e->lanes[k];
    double now = e->times[k];
    bool back = m->job->options.to < l->from;
    while (rows_left(e, k) && (back ? l->t >= now : l->t <= now)) {
        e->code->at(w->pack, k, l->t, w->x);
        if (!lane_row(w, l, l->t, w->x)) {
            leave(e, k, true);
            return;
        }
        l->ended = !m->job->times && l->t == m->job->options.to;
        l->t = l->next_row < m->n_rows ? row_time(m, l->from, l->next_row) : l->t;
    }
    if (now == m->job->options.to)
        leave(e, k, false);
}

/* Into all free lanes, as long as there are starts. Where states can only be had at the ends of steps, the first row is written now. */
static void fill_all(pack_run *e)
{
    bool any = false;
    for (int k = 0; k < e->code->lanes; k++)
        while (!e->active[k] && fill(e, k)) {
            any = true;
            if (e->code->stops_at_rows)
                lane_rows(e, k);
        }
    if (any && !e->w->m->starts.same_constants)
        e->code->begin(e->w->pack);
}

/* What does not get on is looked at alone. */
enum { MOST_STEPS_IN_LANES = 2000000, WATCHED_TRIES = 2048 };

/* Of a first step: no parabola passes through 0 in so many parts, and changes by less than a factor of 2 in each. */
enum { PARTS_OF_FIRST = 8 };

static bool gets_on(pack_run *e, int k)
{
    lane *l = &e->lanes[k];
    if (++l->tries % WATCHED_TRIES)
        return true;
    double progress = fabs(e->times[k] - l->mark);
    l->mark = e->times[k];
    return progress * 1e5 > fabs(e->w->m->job->options.to - l->from);
}

const nh_pack_code *nh_piece_lanes(nh_integrator solver)
{
    bool runge = solver == NH_INTEGRATOR_RUNGE;
#ifdef NH_WIDEST_CODE
    if (nh_processor_kind() == NH_PROCESSOR_WIDEST)
        return runge ? &nh_pack_runge_widest : &nh_pack_taylor_widest;
#endif
#ifdef NH_WIDE_CODE
    if (nh_processor_kind() != NH_PROCESSOR_PLAIN)
        return runge ? &nh_pack_runge_wide : &nh_pack_taylor_wide;
#endif
    return runge ? &nh_pack_runge_plain : &nh_pack_taylor_plain;
}

/* All lanes have a motion at once: its constants are there, and are those of all where all have the same. */
static void make_lanes(nh_worker *w)
{
    const nh_many *m = w->m;
    w->pack = m->lanes->make(&w->motion, &w->arena, m->tolerance, m->order, m->native);
    begin_motion(w, w->now->first);
    for (int k = 0; k < m->lanes->lanes; k++)
        m->lanes->put(w->pack, k, w->motion.start, w->motion.constants);
    m->lanes->begin(w->pack);
}

/* Whether the motion may have gone through a singular state: that is looked at alone. */
static bool is_doubtful(pack_run *e, int k)
{
    nh_worker *w = e->w;
    lane *l = &e->lanes[k];
    if (!w->volume)
        return false;
    if (!w->m->starts.same_constants)
        begin_motion(w, l->start), nh_volume_begin(w->volume, &w->motion);
    /* nothing is known before the first step: where it is long, it is looked at in parts */
    bool begins = isinf(l->watch.change);
    int parts = begins && !e->code->stops_at_rows ? PARTS_OF_FIRST : 1;
    double from = l->watch.t, to = e->times[k];
    l->watch.change = begins ? 0 : l->watch.change;
    for (int i = 1; i <= parts; i++) {
        double t = i == parts ? to : from + (to - from) * i / parts;
        e->code->at(w->pack, k, t, w->x);
        if (!nh_watch_step(w->volume, &l->watch, t, w->x))
            return true;
    }
    return false;
}

static void step_all(pack_run *e, bool enough)
{
    nh_piece *p = e->w->now;
    double to = e->w->m->job->options.to;
    for (int k = 0; k < e->code->lanes; k++)
        e->limits[k] = e->active[k] && e->code->stops_at_rows && rows_left(e, k) ? e->lanes[k].t : to;
    p->steps += e->code->step(e->w->pack, e->limits, e->active, e->good);
    for (int k = 0; k < e->code->lanes; k++)
        if (e->active[k]) {
            if (!e->good[k] || enough || !gets_on(e, k) || is_doubtful(e, k))
                leave(e, k, true);
            else
                lane_rows(e, k);
        }
}

static void run_together(nh_worker *w)
{
    nh_many *m = w->m;
    nh_piece *p = w->now;
    nh_arena_mark mark = nh_arena_here(&w->arena);
    pack_run e = {.w = w, .code = m->lanes};
    if (!w->pack)
        make_lanes(w), mark = nh_arena_here(&w->arena);
    e.times = e.code->times(w->pack);
    e.rows = nh_arena_array(&w->arena, p->count + 1, sizeof *e.rows);
    e.counts = nh_arena_array(&w->arena, p->count + 1, sizeof *e.counts);
    fill_all(&e);
    for (size_t steps = 0; e.running && !ask(w); steps++) {
        step_all(&e, steps > MOST_STEPS_IN_LANES);
        fill_all(&e);
    }
    for (size_t i = 0; i < p->count && !ask(w); i++) {
        put_rows(w, e.rows[i], e.rows[i] ? e.counts[i] : 0);
        if (!e.rows[i])
            run_alone(w, p->first + i);
    }
    nh_arena_release(&w->arena, mark);
}

/* ---------------------------------------------------------------- all of them */

static void prepare(nh_worker *w)
{
    const nh_many *m = w->m;
    w->motion = *m->motion;
    w->motion.arena = &w->arena;
    if (m->second)
        w->second = *m->second, w->second.arena = &w->arena;
    w->complete = nh_complete_new(&w->motion, &w->arena);
    w->volume = nh_volume_new(&w->motion, &w->arena);
    w->row = nh_arena_array(&w->arena, m->width + 2, sizeof *w->row);
    w->x = nh_arena_array(&w->arena, m->motion->size + 1, sizeof *w->x);
    w->kept = nh_arena_array(&w->arena, m->motion->n_kept + 3, sizeof *w->kept);
    w->began = true;
}

void nh_piece_do(void *arg)
{
    nh_worker *w = arg;
    nh_piece *p = w->now;
    if (!w->began)
        prepare(w);
    nh_text_init(&p->text, &p->arena);
    p->kept = nh_kept_new(&p->arena, w->motion.n_kept);
    if (w->m->lanes)
        run_together(w);
    else
        for (size_t i = 0; i < p->count && !ask(w); i++)
            run_alone(w, p->first + i);
}
