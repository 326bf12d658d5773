/* nh_model_run: CSV and a summary. */
#include "integrate/inner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run_job {
    nh_context *context;
    const nh_model *model;
    nh_run_options options;
    nh_string *summary;
    nh_equations *equations;
    nh_text *line;
    nh_motion *motion;
    nh_motion *motions[4]; /* all that were made */
    size_t n_motions;
    int *finished;
    /* --method both: the rows of the first, to compare with those of the second */
    double *kept_rows;
    size_t n_kept_rows, kept_capacity, compared;
    double difference, from;
    size_t n_values; /* symbols that the start has values of */
    bool second_pass;
} run_job;

/* ---------------------------------------------------------------- rows */

/* What the name of a column may contain needs no quotes: letters, digits, _ and '. */
static int write_line(run_job *job)
{
    nh_text_char(job->line, '\n');
    int stop = job->options.write(job->options.user, nh_text_get(job->line), job->line->length);
    job->line->length = 0;
    return stop;
}

static int write_head(run_job *job)
{
    nh_text_str(job->line, "t");
    for (size_t i = 0; i < job->motion->n_columns; i++)
        nh_text_format(job->line, ",%s", job->motion->names[i]);
    return write_line(job);
}

static int compare_row(run_job *job, const double *columns)
{
    size_t n = job->motion->n_columns;
    for (size_t i = 0; i < n && job->compared < job->n_kept_rows; i++, job->compared++)
        job->difference = fmax(job->difference, fabs(columns[i] - job->kept_rows[job->compared]));
    return 0;
}

static int write_row(void *user, double t, const double *columns)
{
    run_job *job = user;
    if (job->second_pass)
        return compare_row(job, columns);
    nh_text_double(job->line, t);
    for (size_t i = 0; i < job->motion->n_columns; i++) {
        nh_text_char(job->line, ',');
        nh_text_double(job->line, columns[i]);
        if (job->options.method == NH_METHOD_BOTH && job->options.compare)
            nh_push(&job->equations->arena, job->kept_rows, job->n_kept_rows, job->kept_capacity) =
                columns[i];
    }
    return write_line(job);
}

/* ---------------------------------------------------------------- the summary */

static const char *end_text(nh_run_end end)
{
    switch (end) {
    case NH_RUN_DONE: return "done";
    case NH_RUN_SINGULAR:
        return "a singular state: the linear system for the accelerations has no solution there";
    case NH_RUN_NOT_FINITE: return "a value is not finite there";
    case NH_RUN_STEP_TOO_SMALL: return "steps became too small: the motion has a singularity near by";
    case NH_RUN_BRANCH: return "a root in the equations changes its branch there, and the motion does not";
    case NH_RUN_NO_VELOCITIES: return "the declared velocities do not follow from the others there";
    case NH_RUN_STOPPED: return "stopped by the caller";
    }
    return "";
}

/* Three digits; with a point, whatever the locale. */
static void short_number(nh_text *out, double x)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", x);
    for (char *c = digits; *c; c++)
        nh_text_char(out, *c == ',' ? '.' : *c);
}

static void tell_state(const run_job *job, nh_text *out, const nh_stepper *s)
{
    const nh_equations *eq = job->equations;
    nh_text_format(out, "stopped at t = ");
    nh_text_double(out, s->t);
    for (size_t i = 0; i < job->motion->size; i++) {
        bool q = i < eq->n, rate = job->motion->second && !q;
        nh_text_format(out, ", %s%s = ",
                       q      ? eq->model->coordinates[i].name
                       : rate ? eq->model->coordinates[i - eq->n].name
                              : eq->z[i - eq->n].name,
                       rate ? "'" : "");
        short_number(out, s->x[i]);
    }
    nh_text_char(out, '\n');
}

static void tell(const run_job *job, nh_text *out, const nh_run_result *result, const nh_stepper *s,
                 const char *solver, bool goes_on)
{
    nh_text_format(out, "%s, %s kind: %zu step%s", solver, job->motion->second ? "second" : "first",
                   result->steps, result->steps == 1 ? "" : "s");
    if (result->rejected)
        nh_text_format(out, " and %zu rejected", result->rejected);
    nh_text_format(out, ", order %zu, tolerance ", s->order);
    short_number(out, job->options.tolerance);
    nh_text_str(out, "\nstepping: ");
    short_number(out, 1e3 * result->seconds);
    nh_text_str(out, " ms");
    if (job->motion->native) {
        nh_text_str(out, ", compiling: ");
        short_number(out, 1e3 * job->motion->seconds_to_compile);
        nh_text_str(out, " ms");
    }
    nh_text_char(out, '\n');
    for (size_t i = 0; i < job->motion->n_kept; i++) {
        nh_text_format(out, "%s changes by ", job->motion->kept_names[i]);
        short_number(out, result->kept_drift[i]);
        nh_text_str(out, ", relative\n");
    }
    if (job->motion->n_constraints)
        nh_text_str(out, "constraints: drift of a step, before projection, "),
            short_number(out, result->constraint_drift), nh_text_char(out, '\n');
    if (job->motion->n_positions)
        nh_text_str(out, "constraints on positions: drift of a step, before projection, "),
            short_number(out, result->position_drift), nh_text_char(out, '\n');
    if (result->end != NH_RUN_DONE && !goes_on) {
        tell_state(job, out, s);
        nh_text_format(out, "%s\n", end_text(result->end));
    }
}

/* ---------------------------------------------------------------- the call */

/* Whether free velocities that the program chose stand under a root: such a choice ends where the root does, and the motion goes on. */
static bool has_own_root(run_job *job)
{
    const nh_equations *eq = job->equations;
    nh_arena *scratch = &job->context->arena;
    bool root = false;
    if (eq->model->psi || eq->second.reason)
        return false;
    nh_walk walk = nh_walk_of(&eq->pool, scratch, eq->first.psi, eq->n);
    for (size_t i = 0; i < walk.count && !root; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        nh_rational n;
        bool power = node.kind == NH_POW && !(nh_is_number(&eq->pool, node.b, &n) && nh_rational_is_int(n));
        if (!power && !(node.kind == NH_CALL && node.function == NH_FN_sqrt))
            continue;
        bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends);
        memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
        nh_find_symbols(&eq->pool, scratch, &walk.nodes[i], 1, depends);
        for (size_t alpha = 0; alpha < eq->m; alpha++) {
            uint32_t index = 0;
            nh_is_symbol(&eq->pool, eq->z[alpha].symbol, &index);
            root = root || depends[index];
        }
    }
    return root;
}

static bool wants_second(run_job *job)
{
    const nh_equations *eq = job->equations;
    bool none = eq->second.reason && eq->first.psi;
    if (job->options.method == NH_METHOD_SECOND && none)
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "there is no second method: %s", eq->second.reason);
    return job->options.method == NH_METHOD_SECOND || !eq->first.psi ||
           (job->options.method == NH_METHOD_BOTH && !job->options.compare && !none && has_own_root(job));
}

static nh_stepper *stepper_of(run_job *job, const char **name, bool *runge)
{
    const nh_motion *m = job->motion;
    nh_integrator solver = job->options.solver;
    double tolerance = job->options.tolerance;
    if (solver == NH_INTEGRATOR_AUTO)
        solver = m->smooth ? NH_INTEGRATOR_TAYLOR : NH_INTEGRATOR_RUNGE;
    *runge = solver == NH_INTEGRATOR_RUNGE;
    *name = *runge ? "Runge-Kutta" : job->options.precision ? "Taylor, extended precision" : "Taylor";
    if (*runge)
        return nh_runge_new(m, m->arena, tolerance);
    return job->options.precision == 2   ? nh_taylor_quad_new(m, m->arena, tolerance)
           : job->options.precision == 1 ? nh_taylor_long_new(m, m->arena, tolerance)
                                         : nh_taylor_new(m, m->arena, tolerance);
}

/* The state at the end of a run, by symbol. */
static double *values_at(run_job *job, const double *before, const double *state)
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
        nh_is_symbol(&eq->pool, eq->z[alpha].symbol, &index);
        values[index] = state[1 + 2 * n + alpha];
    }
    return values;
}

/* The free velocities that were chosen may fail where the motion does not: then it goes on in all velocities. */
static bool can_go_on(const run_job *job, bool second, const nh_run_result *result)
{
    return result->end == NH_RUN_BRANCH && !second && job->options.method == NH_METHOD_BOTH &&
           !job->equations->second.reason && result->state && result->steps > 0;
}

static bool run_once(run_job *job, bool second, const double *values, size_t next, nh_text *summary)
{
    const char *name;
    nh_run_plan plan = {.from = job->from,
                        .to = job->options.to,
                        .every = job->options.every,
                        .next = next,
                        .row = write_row,
                        .user = job,
                        .stop = job->options.stop,
                        .user_of_stop = job->options.user};
    job->motion = nh_motion_new(job->equations, second, job->options.reactions != 0, values);
    job->motion->code = job->options.compile > 0   ? NH_CODE_ALWAYS
                        : job->options.compile < 0 ? NH_CODE_NEVER
                                                   : NH_CODE_WHERE_IT_PAYS;
    job->motions[job->n_motions++] = job->motion;
    nh_stepper *s = stepper_of(job, &name, &plan.ends_at_rows);
    if (!job->second_pass && next == 0 && write_head(job))
        return false;
    nh_run_result result = nh_motion_run(job->motion, s, &plan);
    bool on = can_go_on(job, second, &result);
    tell(job, summary, &result, s, name, on);
    if (!on)
        return result.end == NH_RUN_DONE;
    nh_text_str(summary, "the free velocities fail at t = ");
    short_number(summary, result.t);
    nh_text_str(summary, ", and the motion goes on in all velocities\n");
    return run_once(job, true, values_at(job, values, result.state), result.next, summary);
}

static double start_time(const nh_equations *eq, const double *values)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, eq->model->time, &index);
    return values[index];
}

static void run_model(void *arg)
{
    run_job *job = arg;
    nh_equations *eq = job->equations = nh_equations_new(job->context, job->model);
    double *values = nh_start_state(eq, job->options.project != 0);
    bool second = values && wants_second(job);
    if (!values || job->context->diagnostics.errors)
        return;
    nh_text line, summary;
    nh_text_init(&line, &eq->arena), nh_text_init(&summary, &eq->arena);
    job->line = &line;
    job->from = start_time(eq, values), job->n_values = eq->pool.n_symbols;
    if (job->options.every <= 0)
        job->options.every = fabs(job->options.to - start_time(eq, values)) / 100;
    if (!(job->options.every > 0) || !isfinite(job->options.to)) {
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "the run has no length: it begins and ends at the same time");
        return;
    }
    bool done = run_once(job, second, values, 0, &summary);
    if (done && job->options.compare && !second && !eq->second.reason) {
        job->second_pass = true;
        done = run_once(job, true, values, 0, &summary);
        nh_text_str(&summary, "the two methods differ by at most ");
        short_number(&summary, job->difference);
        nh_text_char(&summary, '\n');
    }
    *job->finished = done;
    nh_string_make(job->context, &summary, job->summary);
}

nh_status nh_model_run(nh_context *context, const nh_model *model, const nh_run_options *options,
                       int *finished, nh_string *summary)
{
    if (!context || !model || !options || !options->write || !finished || !summary)
        return NH_ERROR_ARGUMENT;
    *summary = (nh_string){NULL, 0}, *finished = 0;
    run_job job = {
        .context = context, .model = model, .options = *options, .summary = summary, .finished = finished};
    if (!(job.options.tolerance > 0))
        job.options.tolerance = 1e-12;
    nh_status status = nh_context_call(context, run_model, &job);
    for (size_t i = 0; i < job.n_motions; i++)
        nh_motion_free_code(job.motions[i]);
    nh_equations_free(job.equations);
    return status;
}
