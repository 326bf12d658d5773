/* Many motions of one system, on all processors. The starts are cut into pieces, which do not depend on how many threads there are;
 * threads take piece after piece, and the rows are handed over in the order of the starts. Where the system allows it, several motions
 * are integrated together; what such a lane cannot finish is done again alone, which tells why. */
#include "integrate/lanes.h"
#include "integrate/starts.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* A piece of the starts, and what became of it. */
typedef struct piece {
    size_t first, count;
    bool done;
    nh_arena arena;
    nh_text text;   /* CSV */
    double *values; /* or the numbers */
    size_t n_values, capacity;
    size_t failed, first_failure; /* motions that did not reach their end */
    nh_run_end reason;
    double t_failure;
    size_t met, first_met; /* motions that met another branch of a constraint */
    double t_met;
    size_t steps;
    bool swings;
    size_t looked;
    nh_kept kept;
} piece;

typedef struct many {
    nh_run_job *job;
    nh_run_job
        before; /* the same, as it was before the threads: rows and why it stops are not theirs to read */
    const nh_motion *motion;
    nh_starts starts;
    const nh_pack_code *lanes; /* NULL: one by one */
    double tolerance;          /* of a step in lanes */
    size_t order;              /* odd: the sums of two orders are formed at once */
    size_t width;              /* columns: start, t, those of the motion, event */
    size_t n_rows;             /* of a motion that reaches its end */
    piece *pieces;
    size_t n_pieces;
    atomic_size_t next; /* the first piece that nobody has taken */
    atomic_bool stopped;
    size_t written, ahead; /* how many pieces may be waiting to be written */
    pthread_mutex_t lock;
    pthread_cond_t change;
    nh_status status;
    nh_native *native; /* code for lanes; NULL: interpreted */
} many;

/* What a thread works with. */
typedef struct worker {
    many *m;
    pthread_t thread;
    nh_heap heap;
    nh_arena arena;
    nh_motion motion;
    nh_complete *complete;
    nh_volume *volume;
    nh_pack *pack;
    double *row, *x, *kept;
    piece *now;
    size_t start; /* of the row that is taken */
    bool began;
    double seconds, writing; /* of its processor; of these, for the rows of lanes as text */
} worker;

/* ---------------------------------------------------------------- rows */

/* Without --every a motion has rows at its own start and at the end. */
static double time_between_rows(const nh_run_job *job, double from)
{
    return job->options.every > 0 ? job->options.every : fabs(job->options.to - from);
}

static double row_time(const many *m, double from, size_t k)
{
    const nh_run_job *job = m->job;
    double to = job->options.to, every = time_between_rows(job, from);
    if (job->times)
        return job->times[k];
    double t = from + (to < from ? -1 : 1) * (double)k * every;
    return fabs(to - t) <= 1e-9 * every || (to < from ? t < to : t > to) ? to : t;
}

static void put_row(worker *w, const double *row)
{
    const many *m = w->m;
    piece *p = w->now;
    if (m->job->options.format == NH_ROWS_CSV) {
        nh_row_print(&p->text, row, m->width);
        return;
    }
    for (size_t i = 0; i < m->width; i++)
        nh_push(&p->arena, p->values, p->n_values, p->capacity) = row[i];
}

static void put_rows(worker *w, const double *rows, size_t count)
{
    double before = nh_thread_seconds();
    for (size_t k = 0; k < count; k++)
        put_row(w, rows + k * w->m->width);
    w->writing += nh_thread_seconds() - before;
}

static int take_row(void *user, double t, const double *columns, const double *kept, int event)
{
    worker *w = user;
    size_t n = w->m->motion->n_columns;
    (void)kept;
    w->row[0] = (double)(w->start + 1), w->row[1] = t;
    memcpy(w->row + 2, columns, n * sizeof *columns);
    w->row[2 + n] = event;
    put_row(w, w->row);
    return 0;
}

static void note_failure(worker *w, size_t start, nh_run_end end, double t)
{
    piece *p = w->now;
    if (!p->failed || start < p->first_failure)
        p->first_failure = start, p->reason = end, p->t_failure = t;
    p->failed++;
}

/* ---------------------------------------------------------------- one by one */

static void begin_motion(worker *w, size_t start)
{
    const many *m = w->m;
    const nh_equations *eq = m->motion->eq;
    w->motion.start = m->starts.states + start * (1 + m->motion->size);
    w->motion.constants = m->starts.constants + start * eq->model->n_parameters;
    w->motion.z = m->starts.z + start * eq->m;
    w->start = start;
}

static int ask(void *user) { return atomic_load(&((worker *)user)->m->stopped); }

static void run_alone(worker *w, size_t start)
{
    many *m = w->m;
    const nh_run_job *job = m->job;
    nh_run_job own = m->before;
    nh_arena_mark mark = nh_arena_here(&w->arena);
    begin_motion(w, start);
    own.motion = &w->motion, own.from = w->motion.start[0];
    nh_run_plan plan = {.from = own.from,
                        .to = job->options.to,
                        .every = time_between_rows(job, own.from),
                        .times = job->times};
    plan.n_times = job->n_times, plan.row = take_row, plan.user = w, plan.stop = ask, plan.user_of_both = w;
    nh_stepper *s = nh_job_stepper(&own, &w->arena);
    nh_run_result result = nh_motion_run(&w->motion, s, &plan, &w->arena);
    if (s->close)
        s->close(s);
    w->now->steps += result.steps, w->now->swings |= s->swings;
    w->now->looked += s->looked;
    if (!isnan(result.met) && !w->now->met++)
        w->now->first_met = start, w->now->t_met = result.met;
    for (size_t i = 0; i < w->motion.n_kept; i++)
        nh_kept_take(&w->now->kept, i, result.kept_drift[i], result.kept_size[i], result.kept_gap[i], start);
    if (result.end != NH_RUN_DONE && result.end != NH_RUN_EVENT)
        note_failure(w, start, result.end, result.t);
    nh_arena_release(&w->arena, mark);
}

/* ---------------------------------------------------------------- several together */

/* The motions of a piece that are on their way. */
typedef struct lane {
    size_t start, next_row;
    double from, t; /* where it began, and of the next row */
    bool ended;     /* its last row is there */
    double *rows;   /* so far */
    double *first;
    nh_watch watch;
    size_t tries; /* to make a step */
    double mark;  /* where it was, so many tries ago */
} lane;

typedef struct pack_run {
    worker *w;
    const nh_pack_code *code;
    const double *times; /* by lane */
    lane lanes[NH_MOST_LANES];
    bool active[NH_MOST_LANES], good[NH_MOST_LANES];
    double limits[NH_MOST_LANES]; /* where the next step ends at the latest */
    size_t next;                  /* the next start of the piece */
    double **rows;                /* by start of the piece: its rows; NULL: it is to be done alone */
    size_t *counts;               /* of rows */
    size_t running;
} pack_run;

static void measure(worker *w, const lane *l, double t)
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
        double unit = fmax(fmax(fabs(first[i]), size), 1e-300);
        nh_kept_take(k, i, fabs(w->kept[i] - first[i]) / unit, size, NAN, l->start);
    }
}

/* False: there is no such row. */
static bool lane_row(worker *w, lane *l, double t, const double *x)
{
    const many *m = w->m;
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
    worker *w = e->w;
    const many *m = w->m;
    lane *l = &e->lanes[k];
    if (e->next >= w->now->count)
        return false;
    size_t start = w->now->first + e->next;
    double *state = m->starts.states + start * (1 + m->motion->size);
    *l = (lane){.start = start, .from = state[0], .t = row_time(m, state[0], 0), .mark = state[0]};
    l->rows = e->rows[e->next] = nh_arena_array(&w->arena, m->n_rows * m->width + 1, sizeof(double));
    l->first = nh_arena_array(&w->arena, w->motion.n_kept + 1, sizeof(double));
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
    e->active[k] = false, e->running--;
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
    worker *w = e->w;
    const many *m = w->m;
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

static const nh_pack_code *code_for(nh_integrator solver)
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
static void make_lanes(worker *w)
{
    const many *m = w->m;
    w->pack = m->lanes->make(&w->motion, &w->arena, m->tolerance, m->order, m->native);
    begin_motion(w, w->now->first);
    for (int k = 0; k < m->lanes->lanes; k++)
        m->lanes->put(w->pack, k, w->motion.start, w->motion.constants);
    m->lanes->begin(w->pack);
}

/* Whether the motion may have gone through a singular state: that is looked at alone. */
static bool is_doubtful(pack_run *e, int k)
{
    worker *w = e->w;
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
    piece *p = e->w->now;
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

static void run_together(worker *w)
{
    many *m = w->m;
    piece *p = w->now;
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

/* ---------------------------------------------------------------- threads */

static void prepare(worker *w)
{
    const many *m = w->m;
    w->motion = *m->motion;
    w->motion.arena = &w->arena;
    w->complete = nh_complete_new(&w->motion, &w->arena);
    w->volume = nh_volume_new(&w->motion, &w->arena);
    w->row = nh_arena_array(&w->arena, m->width + 2, sizeof *w->row);
    w->x = nh_arena_array(&w->arena, m->motion->size + 1, sizeof *w->x);
    w->kept = nh_arena_array(&w->arena, m->motion->n_kept + 3, sizeof *w->kept);
    w->began = true;
}

static void do_piece(void *arg)
{
    worker *w = arg;
    piece *p = w->now;
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

/* Not so far ahead of what is written that memory fills with rows. */
static bool wait_for_turn(many *m, size_t index)
{
    pthread_mutex_lock(&m->lock);
    while (index >= m->written + m->ahead && !atomic_load(&m->stopped))
        pthread_cond_wait(&m->change, &m->lock);
    pthread_mutex_unlock(&m->lock);
    return !atomic_load(&m->stopped);
}

static void finish_piece(many *m, piece *p, nh_status status)
{
    pthread_mutex_lock(&m->lock);
    p->done = true;
    if (status != NH_OK) {
        m->status = status;
        atomic_store(&m->stopped, true);
    }
    pthread_cond_broadcast(&m->change);
    pthread_mutex_unlock(&m->lock);
}

static void *work(void *arg)
{
    worker *w = arg;
    many *m = w->m;
    for (size_t i; (i = atomic_fetch_add(&m->next, 1)) < m->n_pieces;) {
        if (!wait_for_turn(m, i))
            break;
        w->now = &m->pieces[i];
        nh_arena_init(&w->now->arena, &w->heap);
        finish_piece(m, w->now, nh_heap_try(&w->heap, do_piece, w));
    }
    w->seconds = nh_thread_seconds();
    return NULL;
}

/* ---------------------------------------------------------------- memory */

/* The caller's allocator is asked by one thread at a time. */
typedef struct shared_allocator {
    nh_allocator inner;
    pthread_mutex_t lock;
} shared_allocator;

static void *take_shared(void *user, size_t size)
{
    shared_allocator *s = user;
    pthread_mutex_lock(&s->lock);
    void *block = s->inner.take(s->inner.user, size);
    pthread_mutex_unlock(&s->lock);
    return block;
}

static void give_shared(void *user, void *block, size_t size)
{
    shared_allocator *s = user;
    pthread_mutex_lock(&s->lock);
    s->inner.give(s->inner.user, block, size);
    pthread_mutex_unlock(&s->lock);
}

/* ---------------------------------------------------------------- the whole */

static size_t threads_for(const many *m)
{
    long here = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = m->job->options.threads > 0 ? (size_t)m->job->options.threads
                    : here > 0                  ? (size_t)here
                                                : 1;
    wanted = wanted > 256 ? 256 : wanted;
    return wanted < m->n_pieces ? wanted : m->n_pieces;
}

/* How many rows the longest motion has; false: too many, which is reported. */
static bool count_rows(many *m)
{
    nh_run_job *job = m->job;
    double longest = 0, every = job->options.every;
    for (size_t i = 0; i < m->starts.count; i++)
        longest = fmax(longest, fabs(job->options.to - m->starts.states[i * (1 + m->motion->size)]));
    if (!nh_job_has_rows(job, longest))
        return false;
    m->n_rows = job->times ? job->n_times : every > 0 ? (size_t)ceil(longest / every - 1e-9) + 1 : 2;
    return true;
}

/* False: reported. Every motion has some length, and all rows that are asked for. */
static bool have_length(const many *m)
{
    const nh_run_job *job = m->job;
    nh_diagnostics *messages = &job->context->diagnostics;
    for (size_t i = 0; i < m->starts.count; i++) {
        double from = m->starts.states[i * (1 + m->motion->size)], low = fmin(from, job->options.to),
               high = fmax(from, job->options.to);
        bool within = low < high;
        for (size_t k = 0; k < job->n_times; k++)
            within = within && job->times[k] >= low && job->times[k] <= high;
        if (!within) {
            nh_report(messages, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                      low < high ? "a time of --at is not between start %zu and the end of the run"
                                 : "the run of start %zu has no length",
                      i + 1);
            return false;
        }
    }
    return true;
}

/* Of a size that depends on the task alone: several for each of many threads, and long enough that lanes are seldom empty. */
static void cut(many *m, nh_arena *arena)
{
    size_t lanes = m->lanes ? (size_t)m->lanes->lanes : nh_lanes_count(),
           most = lanes > 16 ? 16 * lanes : 256;
    size_t bytes = m->n_rows * m->width * sizeof(double) + 1, count = m->starts.count;
    size_t size = ((size_t)8 << 20) / bytes, fair = count / 16 + 1;
    size = size > most ? most : size < lanes ? lanes : size;
    size = fair < size ? (fair + lanes - 1) / lanes * lanes : size;
    m->n_pieces = (count + size - 1) / size;
    m->pieces = nh_arena_array(arena, m->n_pieces + 1, sizeof *m->pieces);
    memset(m->pieces, 0, (m->n_pieces + 1) * sizeof *m->pieces);
    for (size_t i = 0; i < m->n_pieces; i++)
        m->pieces[i].first = i * size, m->pieces[i].count = i * size + size > count ? count - i * size : size;
}

enum { MOST_REGISTERS = 1 << 16 }; /* of a crowd: 32 megabytes for each thread */

/* Runge-Kutta in lanes is interpreted, which is faster than machine code for one after the other. */
static bool can_go_together(const nh_run_job *job, const nh_motion *m)
{
    const nh_run_options *o = &job->options;
    bool series = o->solver == NH_INTEGRATOR_TAYLOR;
    bool values = o->solver == NH_INTEGRATOR_RUNGE && m->values->n_registers < MOST_REGISTERS;
    bool branches = m->field->has_arcs || m->field->has_hidden || (m->field->n_roots && !series);
    return (series || values) && o->precision == 0 && !m->second && !branches && !m->n_positions &&
           !m->n_events && !m->bends;
}

/* Waits for the next piece; false: there will be none. The caller's questions are asked meanwhile. */
static bool wait_for_piece(many *m, size_t index)
{
    pthread_mutex_lock(&m->lock);
    while (!m->pieces[index].done && m->status == NH_OK && !atomic_load(&m->stopped)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        if (until.tv_nsec >= 1000000000)
            until.tv_nsec -= 1000000000, until.tv_sec++;
        pthread_cond_timedwait(&m->change, &m->lock, &until);
        if (nh_job_is_stopped(m->job))
            atomic_store(&m->stopped, true);
    }
    bool there = m->pieces[index].done && m->status == NH_OK && !atomic_load(&m->stopped);
    pthread_cond_broadcast(&m->change);
    pthread_mutex_unlock(&m->lock);
    return there;
}

static int write_piece(many *m, piece *p)
{
    nh_rows *rows = &m->job->rows;
    if (m->job->options.format == NH_ROWS_CSV)
        return nh_rows_add_text(rows, nh_text_get(&p->text), p->text.length);
    int stop = 0;
    for (size_t i = 0; i + m->width <= p->n_values && !stop; i += m->width)
        stop = nh_rows_add(rows, p->values + i);
    if (rows->full)
        m->job->why = NH_STOP_MEMORY;
    return stop;
}

typedef struct totals {
    size_t failed, first_failure, steps;
    nh_run_end reason;
    double t_failure;
    size_t met, first_met;
    double t_met;
    nh_kept kept;
    bool swings;
    size_t looked;
} totals;

static void add_up(const many *m, const piece *p, totals *sum)
{
    sum->steps += p->steps, sum->swings |= p->swings;
    sum->looked += p->looked;
    if (p->met && !sum->met)
        sum->first_met = p->first_met, sum->t_met = p->t_met;
    sum->met += p->met;
    for (size_t i = 0; i < m->motion->n_kept; i++)
        nh_kept_take(&sum->kept, i, p->kept.drift[i], p->kept.sizes[i], p->kept.gaps[i], p->kept.starts[i]);
    if (p->failed && !sum->failed)
        sum->first_failure = p->first_failure, sum->reason = p->reason, sum->t_failure = p->t_failure;
    sum->failed += p->failed;
}

static void write_all(many *m, totals *sum)
{
    const nh_run_options *o = &m->job->options;
    for (size_t i = 0; i < m->n_pieces; i++) {
        if (!wait_for_piece(m, i))
            break;
        piece *p = &m->pieces[i];
        add_up(m, p, sum);
        bool stop = write_piece(m, p) || nh_job_is_stopped(m->job);
        if (o->progress)
            o->progress(o->user, (double)(i + 1) / (double)m->n_pieces);
        pthread_mutex_lock(&m->lock);
        m->written = i + 1;
        if (stop)
            atomic_store(&m->stopped, true);
        pthread_cond_broadcast(&m->change);
        pthread_mutex_unlock(&m->lock);
    }
}

static size_t begin_threads(many *m, worker *workers, size_t count)
{
    const nh_heap *heap = &m->job->context->heap;
    size_t running = 0;
    for (; running < count; running++) {
        worker *w = &workers[running];
        *w = (worker){.m = m};
        nh_heap_init(&w->heap, &heap->allocator,
                     (heap->limit - heap->used) / (2 * count) + 1); /* half of what is left */
        nh_arena_init(&w->arena, &w->heap);
        if (pthread_create(&w->thread, NULL, work, w))
            break;
    }
    return running;
}

static void end_threads(many *m, worker *workers, size_t count)
{
    pthread_mutex_lock(&m->lock);
    if (m->written < m->n_pieces)
        atomic_store(&m->stopped, true);
    pthread_cond_broadcast(&m->change);
    pthread_mutex_unlock(&m->lock);
    for (size_t i = 0; i < count; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < m->n_pieces; i++)
        if (m->pieces[i].arena.heap)
            nh_arena_free(&m->pieces[i].arena);
    for (size_t i = 0; i < count; i++)
        nh_arena_free(&workers[i].arena);
}

/* What is done between the beginning and the end of the threads, which must come to their end even if memory does. */
typedef struct writing {
    many *m;
    totals *sum;
} writing;

static void write_guarded(void *arg)
{
    writing *w = arg;
    write_all(w->m, w->sum);
}

static void tell(const many *m, nh_text *out, const totals *sum, const worker *workers, size_t threads,
                 double seconds)
{
    double processors = 0, text = 0;
    for (size_t i = 0; i < threads; i++)
        processors += workers[i].seconds - workers[i].writing, text += workers[i].writing;
    nh_text_format(out, "%s kind: %zu motion%s in %zu step%s, %s, on %zu thread%s, tolerance ",
                   m->motion->second ? "second" : "first", m->starts.count, m->starts.count == 1 ? "" : "s",
                   sum->steps, sum->steps == 1 ? "" : "s",
                   !m->lanes                                       ? "one by one"
                   : m->job->options.solver == NH_INTEGRATOR_RUNGE ? "in lanes by Runge-Kutta"
                                                                   : "in lanes by Taylor series",
                   threads, threads == 1 ? "" : "s");
    nh_tell_number(out, m->job->options.tolerance);
    nh_text_str(out, "\nstepping: ");
    nh_tell_number(out, 1e3 * seconds);
    nh_text_str(out, " ms, of processors: ");
    nh_tell_number(out, 1e3 * processors);
    if (m->lanes) {
        nh_text_str(out, " ms, writing: ");
        nh_tell_number(out, 1e3 * text);
    }
    if (m->native || m->motion->native || m->motion->native_values) {
        nh_text_str(out, " ms, compiling: ");
        nh_tell_number(out, 1e3 * m->motion->seconds_to_compile);
    }
    nh_text_str(out, " ms\n");
    nh_tell_kept(m->motion, out, &sum->kept);
    nh_tell_swings(out, sum->swings, sum->looked);
    if (sum->met) {
        nh_text_format(out,
                       "another factor of a constraint vanishes along %zu of %zu motions, and they go on "
                       "along their own; "
                       "the first of them is start %zu, at t = ",
                       sum->met, m->starts.count, sum->first_met + 1);
        nh_text_double(out, sum->t_met);
        nh_text_char(out, '\n');
    }
    if (sum->failed) {
        nh_text_format(out,
                       "%zu of %zu motions did not reach their end; the first of them is start %zu, which "
                       "stopped at t = ",
                       sum->failed, m->starts.count, sum->first_failure + 1);
        nh_text_double(out, sum->t_failure);
        nh_text_format(out, "\n%s\n", nh_run_end_text(m->motion->eq, sum->reason));
    } else if (m->written < m->n_pieces)
        nh_text_format(out, "%s\n", nh_stop_text(m->job->why));
}

static bool open_rows(many *m)
{
    nh_rows *rows = &m->job->rows;
    nh_rows_init(rows, &m->job->equations->arena, &m->job->options, m->motion->n_columns + 4);
    nh_rows_column(rows, "start", NH_COLUMN_START), nh_rows_column(rows, "t", NH_COLUMN_TIME);
    for (size_t i = 0; i < m->motion->n_columns; i++)
        nh_rows_column(rows, m->motion->names[i], m->motion->kinds[i]);
    if (m->job->model->n_events)
        nh_rows_column(rows, "event", NH_COLUMN_EVENT);
    m->width = rows->n;
    return !nh_rows_head(rows);
}

/* How long the motions take is not known before: a guess by their number and length decides. */
enum { STEPS_GUESSED = 100 };

static void compile(many *m, nh_motion *motion)
{
    double steps = STEPS_GUESSED * (double)m->starts.count;
    bool pays = motion->code == NH_CODE_WHERE_IT_PAYS &&
                nh_native_pays(motion->field, m->lanes ? steps / m->lanes->lanes : steps, m->order);
    double before = nh_seconds();
    if ((motion->code != NH_CODE_ALWAYS && !pays) || (m->lanes && m->lanes->stops_at_rows))
        return;
    if (m->lanes)
        m->job->lanes_code = m->native = nh_native_new(motion->field, NH_NATIVE_FLOW_LANES, m->order);
    else if (m->job->options.solver == NH_INTEGRATOR_RUNGE)
        nh_motion_compile_values(motion);
    else if (m->job->options.solver == NH_INTEGRATOR_TAYLOR)
        nh_motion_compile(motion);
    motion->seconds_to_compile = nh_seconds() - before;
}

bool nh_run_many(nh_run_job *job, bool second, const double *values, nh_text *summary)
{
    nh_arena *arena = &job->equations->arena;
    nh_motion *motion = nh_job_motion(job, second, values);
    many m = {.job = job, .motion = motion, .ahead = 64, .status = NH_OK};
    if (!nh_starts_read(job, motion, values, &m.starts) || !open_rows(&m))
        return false;
    memcpy(motion->start, m.starts.states, (1 + motion->size) * sizeof *motion->start);
    memcpy(motion->constants, m.starts.constants, job->model->n_parameters * sizeof *motion->constants);
    job->options.solver = nh_job_solver(job); /* for all of them, by the first */
    m.lanes = can_go_together(job, motion) ? code_for(job->options.solver) : NULL;
    m.tolerance = nh_step_tolerance(job->options.solver, job->options.tolerance);
    m.order = nh_taylor_order_in_lanes(m.tolerance) | 1;
    if (!count_rows(&m) || !have_length(&m))
        return false;
    cut(&m, arena);
    compile(&m, motion);
    motion->code = motion->native || motion->native_values
                       ? NH_CODE_ALWAYS
                       : NH_CODE_NEVER; /* threads share it, and do not make it */
    size_t count = threads_for(&m);
    worker *workers = nh_arena_array(arena, count + 1, sizeof *workers);
    totals sum = {.kept = nh_kept_new(arena, motion->n_kept)};
    pthread_mutex_init(&m.lock, NULL), pthread_cond_init(&m.change, NULL);
    nh_heap *heap = &job->context->heap;
    shared_allocator shared = {.inner = heap->allocator};
    pthread_mutex_init(&shared.lock, NULL);
    heap->allocator = (nh_allocator){&shared, take_shared, give_shared};
    m.before = *job;
    double before = nh_seconds();
    count = begin_threads(&m, workers, count);
    nh_status status =
        count ? nh_heap_try(&job->context->heap, write_guarded, &(writing){&m, &sum}) : NH_ERROR_MEMORY;
    double seconds = nh_seconds() - before;
    end_threads(&m, workers, count);
    heap->allocator = shared.inner;
    pthread_mutex_destroy(&m.lock), pthread_cond_destroy(&m.change), pthread_mutex_destroy(&shared.lock);
    status = m.status != NH_OK ? m.status : status;
    if (status != NH_OK)
        nh_heap_fail(&job->context->heap, status);
    bool closed = !nh_rows_close(&job->rows);
    tell(&m, summary, &sum, workers, count, seconds);
    return closed && sum.failed == 0 && m.written == m.n_pieces;
}
