/* nh_model_run: rows and a summary. */
#include "integrate/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- rows */

/* Of the second method: only compared. */
static int compare_row(nh_run_job *job, const double *columns)
{
    size_t n = job->motion->n_columns;
    job->second_rows++;
    for (size_t i = 0; i < n && job->compared < job->n_kept_rows; i++, job->compared++)
        job->difference = fmax(job->difference, fabs(columns[i] - job->kept_rows[job->compared]));
    return 0;
}

/* To the caller: as text, and as numbers with what is kept behind them. */
static int hand_over(nh_run_job *job, const double *kept)
{
    const nh_run_options *o = &job->options;
    nh_rows *rows = &job->rows;
    if (nh_rows_add(rows, job->row)) {
        job->why = rows->full ? NH_STOP_MEMORY : job->why;
        return 1;
    }
    if (!o->row)
        return 0;
    memcpy(job->row + rows->n, kept, job->motion->n_kept * sizeof *kept);
    return o->row(o->user, rows->n + job->motion->n_kept, rows->names, rows->kinds, job->row);
}

static int put_row(nh_run_job *job, double t, const double *columns, const double *kept, int event)
{
    size_t n = job->motion->n_columns, at = 0;
    if (job->pass == NH_PASS_COMPARES)
        return compare_row(job, columns);
    if (job->pass == NH_PASS_IS_REFERENCE) {
        nh_certificate_keep(job->certificate, t, columns);
        return 0;
    }
    if (job->pass == NH_PASS_WRITES && job->certificate) {
        bool held = nh_certificate_hold(job->certificate, t, columns, kept, event);
        job->why = held ? job->why : NH_STOP_MEMORY;
        return !held;
    }
    job->row[at++] = t;
    memcpy(job->row + at, columns, n * sizeof *columns), at += n;
    if (job->model->n_events)
        job->row[at++] = event;
    if (job->certificate)
        job->row[at++] = nh_certificate_digits(job->certificate, t, columns);
    for (size_t i = 0; i < n && job->options.compare; i++)
        nh_push(&job->equations->arena, job->kept_rows, job->n_kept_rows, job->kept_capacity) = columns[i];
    return hand_over(job, kept);
}

/* The rows of a run with their digits, which are known when there is nothing more to compare them with: also where the caller has said that it is
 * to end. */
static int put_held_rows(nh_run_job *job)
{
    nh_held_row row;
    int stop = 0;
    job->pass = NH_PASS_HANDS_OVER;
    for (size_t k = 0; !stop && nh_certificate_held(job->certificate, k, &row); k++)
        stop = put_row(job, row.t, row.columns, row.kept, row.event) && (job->rows.full || !job->stopped);
    return stop;
}

enum { ROWS_BETWEEN_QUESTIONS = 256 };

/* A step may have any number of rows: whether there is time for more is asked among them, too. */
static int take_row(void *user, double t, const double *columns, const double *kept, int event)
{
    nh_run_job *job = user;
    if (put_row(job, t, columns, kept, event))
        return 1;
    return ++job->n_taken % ROWS_BETWEEN_QUESTIONS == 0 && nh_job_is_stopped(job);
}

static int open_rows(nh_run_job *job)
{
    const nh_motion *m = job->motion;
    nh_rows *rows = &job->rows;
    nh_rows_init(rows, &job->equations->arena, &job->options, m->n_columns + m->n_kept + 4);
    nh_rows_column(rows, "t", NH_COLUMN_TIME);
    for (size_t i = 0; i < m->n_columns; i++)
        nh_rows_column(rows, m->names[i], m->kinds[i]);
    if (job->model->n_events)
        nh_rows_column(rows, "event", NH_COLUMN_EVENT);
    if (job->certificate)
        nh_rows_column(rows, "digits", NH_COLUMN_DIGITS);
    for (size_t i = 0; i < m->n_kept; i++) {
        rows->names[rows->n + i] = m->kept_names[i];
        rows->kinds[rows->n + i] = i ? NH_COLUMN_INTEGRAL : NH_COLUMN_ENERGY;
    }
    job->row = nh_arena_array(&job->equations->arena, rows->n + m->n_kept + 1, sizeof *job->row);
    const nh_run_options *o = &job->options;
    return nh_rows_head(rows) ||
           (o->row && o->row(o->user, rows->n + m->n_kept, rows->names, rows->kinds, NULL));
}

/* ---------------------------------------------------------------- which method */

/* Free velocities that were chosen on a surface come to an end, as an angle of a sphere does at its poles; one motion then goes on in all
 * velocities, many do so from the beginning. */
static bool may_end_in_many(const nh_run_job *job)
{
    const nh_model *model = job->equations->model;
    bool positions = false;
    for (size_t a = 0; a < model->r; a++)
        positions = positions || model->constraints[a].position;
    return job->options.starts && !model->psi && positions;
}

static bool wants_second(nh_run_job *job)
{
    const nh_equations *eq = job->equations;
    bool none = eq->second.reason && eq->first.psi;
    job->no_second = job->options.method == NH_METHOD_SECOND && none;
    if (job->no_second)
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "there is no second method: %s", eq->second.reason);
    return job->options.method == NH_METHOD_SECOND || !eq->first.psi ||
           (job->options.method == NH_METHOD_BOTH && !job->options.compare && !none &&
            (nh_equations_has_own_root(eq) || may_end_in_many(job)));
}

/* ---------------------------------------------------------------- one run */

/* The state at the end of a run, by symbol. */
static double *values_at(nh_run_job *job, const double *before, const double *state)
{
    nh_equations *eq = job->equations;
    size_t n = eq->n, count = eq->pool.n_symbols;
    double *values = nh_arena_array(&eq->arena, count + 1, sizeof *values);
    uint32_t index = 0;
    memcpy(values, before, job->n_values * sizeof *values);
    nh_is_symbol(&eq->pool, eq->model->time, &index);
    values[index] = state[0];
    for (size_t i = 0; i < n; i++) {
        nh_is_symbol(&eq->pool, eq->model->coordinates[i].q, &index);
        values[index] = state[1 + i];
        nh_is_symbol(&eq->pool, eq->model->coordinates[i].rate, &index);
        values[index] = state[1 + n + i];
    }
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        int64_t of = eq->z[alpha].rate_of; /* in all velocities the z are not followed */
        nh_is_symbol(&eq->pool, eq->z[alpha].symbol, &index);
        values[index] = of < 0 ? state[1 + 2 * n + alpha] : state[1 + n + (size_t)of];
    }
    return values;
}

/* The free velocities that were chosen may fail where the motion does not: then it goes on in all velocities. */
bool nh_job_goes_on(const nh_run_job *job, bool second, const nh_run_result *result)
{
    bool chart = result->end == NH_RUN_BRANCH || result->end == NH_RUN_CHART;
    return chart && !second && job->options.method == NH_METHOD_BOTH && !job->equations->second.reason &&
           result->state;
}

/* They may also have hidden a place where nothing happens to the motion behind quotients 0/0: what was computed near by has lost its
 * digits, and the motion is followed once more, from the start, in all velocities; the rows that were written stay. */
bool nh_job_begins_again(const nh_run_job *job, bool second, const nh_run_result *result)
{
    const nh_equations *eq = job->equations;
    bool stuck =
        result->end == NH_RUN_STEP_TOO_SMALL || (result->end == NH_RUN_NOT_FINITE && !result->column);
    return stuck && !second && job->options.method == NH_METHOD_BOTH && !job->options.compare &&
           job->pass == NH_PASS_WRITES && eq->r > 0 && !eq->model->psi && !eq->second.reason;
}

nh_motion *nh_job_motion(nh_run_job *job, bool second, const double *values)
{
    nh_columns_wanted wanted = {job->options.reactions != 0, job->options.picture != 0, false};
    wanted.longer = (job->options.precision || job->options.certify) && !job->options.starts;
    nh_second_at(job->equations, values);
    nh_motion *m = nh_motion_new(job->equations, second, wanted, values);
    m->code = job->options.compile > 0   ? NH_CODE_ALWAYS
              : job->options.compile < 0 ? NH_CODE_NEVER
                                         : NH_CODE_WHERE_IT_PAYS;
    job->motions[job->n_motions++] = m;
    return job->motion = m;
}

int nh_job_is_stopped(void *user)
{
    nh_run_job *job = user;
    const nh_run_options *o = &job->options;
    if (!job->why) /* once is for ever: the clock tells only once */
        job->why = o->stop ? o->stop(o->user) : 0;
    if (!job->why && nh_heap_is_late(&job->context->heap))
        job->why = NH_STOP_TIME;
    return job->why;
}

static void tell_progress(void *user, double part)
{
    const nh_run_job *job = user;
    if (job->options.progress)
        job->options.progress(job->options.user, part);
}

/* Series, which nobody asked for, may be what failed. */
static bool may_be_series(const nh_run_job *job, const nh_run_result *result)
{
    return job->options.solver == NH_INTEGRATOR_AUTO && job->options.precision == 0 &&
           job->pass != NH_PASS_IS_REFERENCE && !job->no_series && !job->leaves_series && !job->stiff &&
           !result->column;
}

/* Where a force has a value and no series, as |v| v at rest, another solver may begin. */
static bool has_no_series(const nh_run_job *job, const nh_run_result *result)
{
    return may_be_series(job, result) && result->end == NH_RUN_NOT_FINITE && result->steps == 0 &&
           nh_is_determined(job->motion, &job->equations->arena, false);
}

/* The motion from another place on. */
static nh_motion motion_from(const nh_run_job *job, double t, const double *x)
{
    nh_motion here = *job->motion;
    here.start = nh_arena_array(here.arena, here.size + 1, sizeof *here.start);
    here.start[0] = t;
    memcpy(here.start + 1, x, here.size * sizeof *x);
    return here;
}

/* Or go on, past a place where its slope is infinite, as that of sqrt(|x|) is at 0. */
static bool leaves_series(const nh_run_job *job, const nh_run_result *result)
{
    bool fails = result->end == NH_RUN_NOT_FINITE || result->end == NH_RUN_STEP_TOO_SMALL;
    if (!fails || !may_be_series(job, result) || result->steps == 0 || !result->state)
        return false;
    nh_motion here = motion_from(job, result->t, result->x);
    return nh_is_determined(&here, &job->equations->arena, true);
}

/* The question of solver.c once more, from where the motion is. */
static bool is_stiff_at(void *user, double t, const double *x)
{
    const nh_run_job *job = user;
    nh_arena_mark mark = nh_arena_here(job->motion->arena);
    nh_motion here = motion_from(job, t, x);
    double rate;
    bool stiff = nh_is_stiff(&here, job->options.to - t, &rate);
    nh_arena_release(here.arena, mark);
    return stiff;
}

/* Series of smooth forces in doubles, which nobody asked for. */
static bool may_become_stiff(const nh_run_job *job)
{
    return job->options.solver == NH_INTEGRATOR_AUTO && job->options.precision == 0 &&
           job->pass != NH_PASS_IS_REFERENCE && !job->stiff && job->motion->smooth && nh_cvode_is_there();
}

/* How it goes on, where it does. */
static void tell_change(nh_text *summary, const nh_run_result *result, bool again)
{
    bool stiff = result->end == NH_RUN_STIFF,
         steep = !again && (result->end == NH_RUN_NOT_FINITE || result->end == NH_RUN_STEP_TOO_SMALL);
    nh_text_str(summary, stiff   ? "the motion becomes stiff at t = "
                         : steep ? "the forces have no series at t = "
                                 : "the free velocities fail at t = ");
    nh_tell_number(summary, result->t);
    nh_text_str(summary, stiff   ? ", and goes on by another solver\n"
                         : steep ? ", and the motion goes on by another solver\n"
                         : again ? ", and the motion begins again in all velocities\n"
                                 : ", and the motion goes on in all velocities\n");
}

static bool run_once(nh_run_job *job, bool second, const double *values, size_t next, nh_text *summary)
{
    const nh_run_options *o = &job->options;
    nh_arena *arena = &job->equations->arena;
    bool reference = job->pass == NH_PASS_IS_REFERENCE;
    nh_run_plan plan = {
        .from = job->from, .to = o->to, .every = o->every, .times = job->times, .n_times = job->n_times};
    plan.next = next, plan.fine = reference, plan.row = take_row, plan.user = job;
    plan.stop = nh_job_is_stopped, plan.progress = tell_progress, plan.user_of_both = job;
    nh_motion *motion = nh_job_motion(job, second, values);
    if (o->certify && !job->certificate)
        job->certificate = nh_certificate_new(arena, motion);
    plan.sizes = reference ? nh_certificate_sizes(job->certificate) : NULL;
    nh_stepper *s = job->steppers[job->n_steppers] =
        reference ? nh_job_reference(job, arena) : nh_job_stepper(job, arena);
    job->n_steppers++;
    s->past = job->past;
    if (job->pass == NH_PASS_WRITES && !job->row && open_rows(job)) /* once, wherever it begins again */
        return false;
    plan.is_stiff = may_become_stiff(job) ? is_stiff_at : NULL;
    nh_run_result result = nh_motion_run(motion, s, &plan, arena);
    if (has_no_series(job, &result)) {
        job->no_series = true;
        return run_once(job, second, values, result.next, summary);
    }
    job->stopped = result.end == NH_RUN_STOPPED;
    if (job->stopped)
        nh_job_is_stopped(job); /* why: also where a row was not taken */
    bool stiff = result.end == NH_RUN_STIFF && result.state,
         again = nh_job_begins_again(job, second, &result), steep = !again && leaves_series(job, &result),
         on = stiff || again || steep || nh_job_goes_on(job, second, &result);
    job->stiff = job->stiff || stiff, job->leaves_series = job->leaves_series || steep;
    job->past = on && !again ? s->past : (nh_past){0, 0};
    if (!reference)
        nh_tell_run(job, summary, &result, s, on);
    if (!on)
        return result.end == NH_RUN_DONE || result.end == NH_RUN_EVENT;
    if (!reference)
        tell_change(summary, &result, again);
    return run_once(job, second || !(stiff || steep), again ? values : values_at(job, values, result.state),
                    result.next, summary);
}

/* From the start. */
static bool run_pass(nh_run_job *job, bool second, const double *values, nh_text *summary)
{
    job->stiff = job->leaves_series = false;
    return run_once(job, second, values, 0, summary);
}

/* ---------------------------------------------------------------- all of it */

/* That of the model, or of the command line: the starts of a table may have others. */
static double start_time(const nh_equations *eq, const double *values)
{
    double time = 0;
    nh_evaluate(&eq->pool, &eq->context->arena, &eq->model->start_time, 1, values, &time, NULL);
    return time;
}

static int increasing(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool has_section(const nh_model *model)
{
    for (size_t i = 0; i < model->n_events; i++)
        if (model->events[i].section)
            return true;
    return false;
}

/* The times of rows in the order in which they are reached; without --to the last of them is the end. */
static bool settle_times(nh_run_job *job)
{
    nh_run_options *o = &job->options;
    if (!o->n_at && has_section(job->model) && !(o->every > 0)) /* its rows alone */
        job->times = nh_arena_array(&job->equations->arena, 1, sizeof *job->times);
    if (!o->n_at)
        return true;
    double *times = job->times = nh_arena_array(&job->equations->arena, o->n_at + 1, sizeof *times);
    memcpy(times, o->at, o->n_at * sizeof *times);
    qsort(times, o->n_at, sizeof *times, increasing);
    job->n_times = o->n_at;
    bool back = times[0] < job->from;
    if (isnan(o->to))
        o->to = back ? times[0] : times[job->n_times - 1];
    for (size_t i = 0; i < job->n_times / 2 && back; i++) {
        double swap = times[i];
        times[i] = times[job->n_times - 1 - i], times[job->n_times - 1 - i] = swap;
    }
    double low = fmin(job->from, o->to), high = fmax(job->from, o->to);
    return times[0] >= low && times[0] <= high && times[job->n_times - 1] >= low &&
           times[job->n_times - 1] <= high;
}

static const double most_rows = 1e10;

bool nh_job_has_rows(nh_run_job *job, double length)
{
    if (job->times || !(job->options.every > 0) || length / job->options.every <= most_rows)
        return true;
    nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
              "there would be more than %.0e rows", most_rows);
    return false;
}

/* False: said why. What depends on the start is looked at again where there are many. */
static bool settle_options(nh_run_job *job)
{
    nh_run_options *o = &job->options;
    nh_diagnostics *messages = &job->context->diagnostics;
    if (!settle_times(job)) {
        nh_report(messages, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "a time of --at is not between the start and the end of the run");
        return false;
    }
    if (isnan(o->to))
        o->to = 10;
    double length = fabs(o->to - job->from);
    if (o->every <= 0 && !o->starts)
        o->every = length / (o->parts > 0 ? o->parts : 100);
    if (!o->starts && !nh_job_has_rows(job, length))
        return false;
    if (!isfinite(o->to) || !(o->starts || o->every > 0)) {
        nh_report(messages, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "the run has no length: it begins and ends at the same time");
        return false;
    }
    if (o->precision && (o->solver == NH_INTEGRATOR_RUNGE || o->solver == NH_INTEGRATOR_CVODE)) {
        nh_report(messages, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "longer numbers are for Taylor series only");
        return false;
    }
    if (o->solver == NH_INTEGRATOR_CVODE && !nh_cvode_is_there()) {
        nh_report(messages, NH_ERROR, NULL, (nh_span){0, 0}, NULL, "this program was built without CVODE");
        return false;
    }
    return true;
}

/* One degree of freedom without the time in it is not chaotic. */
static bool depends_on_time(nh_run_job *job)
{
    const nh_equations *eq = job->equations;
    bool *depends = nh_arena_array(&job->context->arena, eq->pool.n_symbols + 1, sizeof *depends);
    uint32_t index = 0;
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_is_symbol(&eq->pool, eq->model->time, &index);
    nh_find_symbols(&eq->pool, &job->context->arena, eq->first.acceleration, eq->n, depends);
    return depends[index];
}

/* Of the rows that both have. */
static void tell_difference(const nh_run_job *job, nh_text *summary)
{
    size_t n = job->motion->n_columns, rows = n ? job->n_kept_rows / n : 0, both = n ? job->compared / n : 0;
    if (both == 0) {
        nh_text_str(summary, "the two methods were not compared: the second kind has no rows\n");
        return;
    }
    nh_text_str(summary, "the two methods differ by at most ");
    nh_tell_number(summary, job->difference);
    if (job->second_rows != rows)
        nh_text_format(summary, " in the first %zu rows; the first kind has %zu of them, the second %zu",
                       both, rows, job->second_rows);
    nh_text_char(summary, '\n');
}

/* Once more, to compare with; where there was no time for all of it, the rows have the digits that are known. */
static bool certify(nh_run_job *job, bool second, const double *values, nh_text *summary)
{
    if (!job->stopped) {
        job->pass = NH_PASS_IS_REFERENCE, job->no_series = false;
        run_pass(job, second, values, summary);
    }
    bool stopped = job->stopped, handed_over = !put_held_rows(job);
    nh_certificate_tell(job->certificate, job->equations->m > 1 || depends_on_time(job), summary);
    if (stopped)
        nh_text_format(summary, "%s before the certificate was complete\n", nh_stop_text(job->why));
    return handed_over && !stopped;
}

static bool run_passes(nh_run_job *job, bool second, const double *values, nh_text *summary)
{
    if (job->options.starts)
        return nh_run_many(job, second, values, summary);
    bool done = run_pass(job, second, values, summary);
    if (job->certificate)
        done = certify(job, second, values, summary) && done;
    if (nh_rows_close(&job->rows))
        done = false;
    if (job->options.compare && (second || job->equations->second.reason))
        nh_text_format(summary, "the two methods were not compared: %s\n",
                       second ? "the velocities of the first kind are not explicit"
                              : job->equations->second.reason);
    if (!done || !job->options.compare || second || job->equations->second.reason)
        return done;
    job->pass = NH_PASS_COMPARES;
    done = run_pass(job, true, values, summary);
    tell_difference(job, summary);
    return done;
}

static void run_model(void *arg)
{
    nh_run_job *job = arg;
    nh_equations *eq = job->equations = nh_equations_new(job->context, job->model);
    if (eq->second.none_given)
        eq->second.reason = eq->second.none_given;
    bool second = eq->without_z = wants_second(job);
    eq->of_table = job->options.starts != NULL;
    double *values = job->options.starts
                         ? nh_starts_first(job)
                         : nh_start_state_checked(eq, job->options.project != 0, (nh_given){.count = 0});
    if (values && !job->options.starts) /* these have starts of their own */
        nh_start_is_singular(job, second, values);
    if (!values || job->context->diagnostics.errors)
        return;
    job->from = start_time(eq, values), job->n_values = eq->pool.n_symbols;
    if (!settle_options(job))
        return;
    nh_text summary;
    nh_text_init(&summary, &eq->arena);
    if (second && job->options.method == NH_METHOD_FIRST)
        nh_text_str(&summary, "by the second kind: the velocities of the first kind are not explicit\n");
    *job->finished = run_passes(job, second, values, &summary);
    if (!job->context->diagnostics.errors)
        nh_string_make(job->context, &summary, job->summary);
}

nh_status nh_model_run(nh_context *context, const nh_model *model, const nh_run_options *options,
                       int *finished, nh_string *summary)
{
    if (!context || !model || !options || !options->write || !finished || !summary ||
        options->tolerance > 0.1)
        return NH_ERROR_ARGUMENT;
    *summary = (nh_string){NULL, 0}, *finished = 0;
    nh_run_job job = {
        .context = context, .model = model, .options = *options, .summary = summary, .finished = finished};
    if (!(job.options.tolerance > 0))
        job.options.tolerance = 1e-12;
    nh_status status = nh_context_call(context, run_model, &job);
    for (size_t i = 0; i < job.n_motions; i++)
        nh_motion_free_code(job.motions[i]);
    nh_native_free(job.lanes_code);
    for (size_t i = 0; i < job.n_steppers; i++)
        if (job.steppers[i]->close)
            job.steppers[i]->close(job.steppers[i]);
    nh_equations_free(job.equations);
    return status == NH_ERROR_MODEL && job.no_second ? NH_ERROR_NOT_FOUND : status;
}
