/* Many motions of one system, on all processors. The starts are cut into pieces, which do not depend on how many threads there are;
 * threads take piece after piece (pieces.c), and the rows are handed over in the order of the starts. */
#include "integrate/pieces.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- threads */

/* Not so far ahead of what is written that memory fills with rows. */
static bool wait_for_turn(nh_many *m, size_t index)
{
    pthread_mutex_lock(&m->lock);
    while (index >= m->written + m->ahead && !atomic_load(&m->stopped))
        pthread_cond_wait(&m->change, &m->lock);
    pthread_mutex_unlock(&m->lock);
    return !atomic_load(&m->stopped);
}

static void finish_piece(nh_many *m, nh_piece *p, nh_status status)
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
    nh_worker *w = arg;
    nh_many *m = w->m;
    for (size_t i; (i = atomic_fetch_add(&m->next, 1)) < m->n_pieces;) {
        if (!wait_for_turn(m, i))
            break;
        w->now = &m->pieces[i];
        nh_arena_init(&w->now->arena, &w->heap);
        finish_piece(m, w->now, nh_heap_try(&w->heap, nh_piece_do, w));
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

static size_t threads_for(const nh_many *m)
{
    long here = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = m->job->options.threads > 0 ? (size_t)m->job->options.threads
                    : here > 0                  ? (size_t)here
                                                : 1;
    wanted = wanted > 256 ? 256 : wanted;
    return wanted < m->n_pieces ? wanted : m->n_pieces;
}

/* How many rows the longest motion has; false: too many, which is reported. */
static bool count_rows(nh_many *m)
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
static bool have_length(const nh_many *m)
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
static void cut(nh_many *m, nh_arena *arena)
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
static bool wait_for_piece(nh_many *m, size_t index)
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

static int write_piece(nh_many *m, nh_piece *p)
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
    size_t changed, first_changed;
    double t_changed;
    nh_kept kept;
    bool swings;
    size_t looked;
} totals;

static void add_up(const nh_many *m, const nh_piece *p, totals *sum)
{
    sum->steps += p->steps, sum->swings |= p->swings;
    sum->looked += p->looked;
    if (p->met && !sum->met)
        sum->first_met = p->first_met, sum->t_met = p->t_met;
    sum->met += p->met;
    if (p->changed && !sum->changed)
        sum->first_changed = p->first_changed, sum->t_changed = p->t_changed;
    sum->changed += p->changed;
    for (size_t i = 0; i < m->motion->n_kept; i++)
        nh_kept_take(&sum->kept, i, p->kept.drift[i], p->kept.sizes[i], p->kept.gaps[i], p->kept.starts[i]);
    if (p->failed && !sum->failed)
        sum->first_failure = p->first_failure, sum->reason = p->reason, sum->t_failure = p->t_failure;
    sum->failed += p->failed;
}

static void write_all(nh_many *m, totals *sum)
{
    const nh_run_options *o = &m->job->options;
    for (size_t i = 0; i < m->n_pieces; i++) {
        if (!wait_for_piece(m, i))
            break;
        nh_piece *p = &m->pieces[i];
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

static size_t begin_threads(nh_many *m, nh_worker *workers, size_t count)
{
    const nh_heap *heap = &m->job->context->heap;
    size_t running = 0;
    for (; running < count; running++) {
        nh_worker *w = &workers[running];
        *w = (nh_worker){.m = m};
        nh_heap_init(&w->heap, &heap->allocator,
                     (heap->limit - heap->used) / (2 * count) + 1); /* half of what is left */
        nh_arena_init(&w->arena, &w->heap);
        if (pthread_create(&w->thread, NULL, work, w))
            break;
    }
    return running;
}

static void end_threads(nh_many *m, nh_worker *workers, size_t count)
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
    nh_many *m;
    totals *sum;
} writing;

static void write_guarded(void *arg)
{
    writing *w = arg;
    write_all(w->m, w->sum);
}

static void tell(const nh_many *m, nh_text *out, const totals *sum, const nh_worker *workers, size_t threads,
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
    if (sum->changed) {
        nh_text_format(
            out,
            "the free velocities fail along %zu of %zu motions, and these go on in all velocities; "
            "the first of them is start %zu, at t = ",
            sum->changed, m->starts.count, sum->first_changed + 1);
        nh_text_double(out, sum->t_changed);
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

static bool open_rows(nh_many *m)
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

static void compile(nh_many *m, nh_motion *motion)
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

/* The motion in all velocities, where free ones that the program chose may fail: it is there before the threads are, who make nothing. */
static const nh_motion *second_of(nh_run_job *job, const nh_motion *first, const double *values)
{
    const nh_equations *eq = job->equations;
    bool chosen = !first->second && eq->r > 0 && !eq->model->psi;
    if (!chosen || job->options.method != NH_METHOD_BOTH || eq->second.reason)
        return NULL;
    nh_motion *second = nh_job_motion(job, true, values);
    second->code = NH_CODE_NEVER, job->motion = (nh_motion *)first;
    return second;
}

bool nh_run_many(nh_run_job *job, bool second, const double *values, nh_text *summary)
{
    nh_arena *arena = &job->equations->arena;
    nh_motion *motion = nh_job_motion(job, second, values);
    nh_many m = {.job = job, .motion = motion, .ahead = 64, .status = NH_OK};
    if (!nh_starts_read(job, motion, values, &m.starts) || !open_rows(&m))
        return false;
    memcpy(motion->start, m.starts.states, (1 + motion->size) * sizeof *motion->start);
    memcpy(motion->constants, m.starts.constants, job->model->n_parameters * sizeof *motion->constants);
    job->options.solver = nh_job_solver(job); /* for all of them, by the first */
    m.lanes = can_go_together(job, motion) ? nh_piece_lanes(job->options.solver) : NULL;
    m.tolerance = nh_step_tolerance(job->options.solver, job->options.tolerance);
    m.order = nh_taylor_order_in_lanes(m.tolerance) | 1;
    if (!count_rows(&m) || !have_length(&m))
        return false;
    m.second = second_of(job, motion, values);
    cut(&m, arena);
    compile(&m, motion);
    motion->code = motion->native || motion->native_values
                       ? NH_CODE_ALWAYS
                       : NH_CODE_NEVER; /* threads share it, and do not make it */
    size_t count = threads_for(&m);
    nh_worker *workers = nh_arena_array(arena, count + 1, sizeof *workers);
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
