/* What was done, in words. */
#include "integrate/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *nh_stop_text(int why)
{
    return why == NH_STOP_TIME     ? "the time was over"
           : why == NH_STOP_SIGNAL ? "interrupted"
           : why == NH_STOP_MEMORY ? "there was no memory for more rows"
                                   : "stopped by the caller";
}

const char *nh_run_end_text(const nh_equations *eq, nh_run_end end)
{
    switch (end) {
    case NH_RUN_DONE:
    case NH_RUN_EVENT: return "done";
    case NH_RUN_SINGULAR: return "a singular state: the accelerations do not follow from the equations there";
    case NH_RUN_NOT_FINITE: return "a value is not finite there";
    case NH_RUN_STEP_TOO_SMALL: return "steps became too small: the motion has a singularity near by";
    case NH_RUN_ENDLESS:
        return "no end is in sight: at this rate there would be more than 10^12 steps; a shorter run or a "
               "larger tolerance needs fewer";
    case NH_RUN_ON_CORNER:
        return "the motion stays on a corner of the forces, as a body that friction holds; it can go on "
               "where they are smooth, "
               "with tanh(v/s) instead of sign(v)";
    case NH_RUN_CHART:
        return eq->second.reason
                   ? "the free velocities of the first kind fail there, and there is no second kind; try "
                     "velocities and parametric equations of your own"
                   : "the free velocities of the first kind fail there; the second kind may go on";
    case NH_RUN_BRANCH:
        return "a root, or a function like atan2, changes its branch in the equations there, and the motion "
               "does not";
    case NH_RUN_NO_VELOCITIES: return "the declared velocities do not follow from the others there";
    case NH_RUN_OFF_CONSTRAINTS: return "a step leaves the constraints, which are singular there or near by";
    case NH_RUN_CORNER:
        return "a singular state: velocities, constraints or the kinetic energy have a corner there, as the "
               "root of a square "
               "where that is 0";
    case NH_RUN_JUMP:
        return "the constraints or the momenta jump there, and the velocities with them by a shock, of which "
               "the model says "
               "nothing; a smooth function of the time, tanh(s*x) instead of sign(x), goes on";
    case NH_RUN_STIFF: return "the motion becomes stiff";
    case NH_RUN_STOPPED: return nh_stop_text(NH_STOP);
    }
    return "";
}

/* Three digits; with a point, whatever the locale. */
void nh_tell_number(nh_text *out, double x)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", x);
    for (char *c = digits; *c; c++)
        nh_text_char(out, *c == ',' ? '.' : *c);
}

static void line_with(nh_text *out, const char *before, double x, const char *after)
{
    nh_text_str(out, before);
    nh_tell_number(out, x);
    nh_text_str(out, after);
}

static void tell_state(const nh_run_job *job, nh_text *out, const nh_run_result *result)
{
    const nh_equations *eq = job->equations;
    nh_text_format(out, "stopped at t = ");
    nh_text_double(out, result->t);
    for (size_t i = 0; i < job->motion->size; i++) {
        bool q = i < eq->n, rate = job->motion->second && !q;
        nh_text_format(out, ", %s%s = ",
                       q      ? eq->model->coordinates[i].name
                       : rate ? eq->model->coordinates[i - eq->n].name
                              : eq->z[i - eq->n].name,
                       rate ? "'" : "");
        nh_tell_number(out, result->x[i]);
    }
    nh_text_char(out, '\n');
}

static void tell_time(const nh_run_job *job, nh_text *out, const nh_run_result *result)
{
    line_with(out, "stepping: ", 1e3 * result->seconds, " ms");
    if (job->motion->native || job->motion->native_values)
        line_with(out, ", compiling: ", 1e3 * job->motion->seconds_to_compile, " ms");
    nh_text_char(out, '\n');
}

/* What is 0 up to rounding has no relative change: what is small, and changes by much of that. The size of the energy, which stands
 * first, is that of its parts. */
static bool is_nothing(size_t i, double drift, double size)
{
    return size == 0 || (i > 0 && size < 1e-13 && drift > 1e-3);
}

nh_kept nh_kept_new(nh_arena *arena, size_t count)
{
    nh_kept k = {.drift = nh_zeros(arena, count), .sizes = nh_zeros(arena, count)};
    k.gaps = nh_zeros(arena, count), k.starts = nh_arena_array(arena, count + 1, sizeof *k.starts);
    for (size_t i = 0; i < count; i++)
        k.gaps[i] = NAN, k.starts[i] = 0;
    return k;
}

void nh_kept_take(nh_kept *k, size_t i, double drift, double size, double gap, size_t start)
{
    k->drift[i] = fmax(k->drift[i], drift), k->sizes[i] = fmax(k->sizes[i], size);
    if (!isnan(gap) && (isnan(k->gaps[i]) || start < k->starts[i]))
        k->gaps[i] = gap, k->starts[i] = start;
}

static void tell_gap(const char *name, nh_text *out, const nh_kept *k, size_t i)
{
    nh_text_format(out, "%s has no value at t = ", name);
    nh_tell_number(out, k->gaps[i]);
    if (k->starts)
        nh_text_format(out, " of start %zu", k->starts[i] + 1);
    nh_text_char(out, '\n');
}

void nh_tell_kept(const nh_motion *m, nh_text *out, const nh_kept *k)
{
    for (size_t i = 0; i < m->n_kept; i++) {
        bool gap = !isnan(k->gaps[i]);
        if (is_nothing(i, k->drift[i], k->sizes[i]) && !gap) {
            nh_text_format(out, "%s stays within ", m->kept_names[i]);
            line_with(out, "", k->sizes[i], " of 0\n");
        } else if (k->sizes[i] > 0 || !gap) {
            nh_text_format(out, "%s changes by ", m->kept_names[i]);
            line_with(out, "", k->drift[i], ", relative\n");
        }
        if (gap)
            tell_gap(m->kept_names[i], out, k, i);
    }
}

static void tell_drift(const nh_motion *m, nh_text *out, const nh_run_result *result)
{
    nh_tell_kept(m, out, &(nh_kept){result->kept_drift, result->kept_size, result->kept_gap, NULL});
    if (m->n_constraints)
        line_with(out, "constraints: drift of a step, before projection, ", result->constraint_drift, "\n");
    if (m->n_positions)
        line_with(out, "constraints on positions: drift of a step, before projection, ",
                  result->position_drift, "\n");
}

static void tell_events(const nh_run_job *job, nh_text *out, const nh_run_result *result, bool goes_on)
{
    const nh_model *model = job->equations->model;
    for (size_t i = 0; i < model->n_events; i++)
        if (!model->events[i].ends)
            nh_text_format(out, "event %zu, %s: %zu time%s\n", i + 1, model->events[i].text,
                           result->crossings[i], result->crossings[i] == 1 ? "" : "s");
    for (size_t i = 0; i < model->n_events && result->end != NH_RUN_EVENT && !goes_on; i++)
        if (model->events[i].ends)
            nh_text_format(out, "%s: not met\n", model->events[i].text);
    if (result->end == NH_RUN_EVENT) {
        nh_text_format(out, "ended by %s at t = ", model->events[result->event].text);
        nh_text_double(out, result->t);
        nh_text_char(out, '\n');
    }
}

void nh_tell_swings(nh_text *out, bool swings, size_t looked)
{
    if (swings)
        nh_text_str(out,
                    "a condition swings faster than can be followed: some of its zeros may be missing\n");
    if (looked)
        nh_text_format(out,
                       "a condition is too intricate for bounds in %zu step%s: zeros that are close together "
                       "may be missing there\n",
                       looked, looked == 1 ? "" : "s");
}

/* Whether an exponential is as large as doubles are, or nearly, where a run ended. */
static bool is_too_large(const nh_run_job *job, const nh_run_result *result)
{
    const nh_motion *m = job->motion;
    const nh_tape *tape = m->values;
    nh_series_double *machine = nh_series_new_double(tape, &job->equations->arena, 0);
    machine->r[0] = result->t;
    for (size_t i = 0; i < m->size; i++)
        machine->r[1 + i] = result->x[i];
    bool large = false;
    if (nh_series_constants_double(machine, m->constants) && nh_series_step_double(machine, 0))
        for (size_t i = 0; i < tape->n_steps; i++) {
            const nh_step *step = &tape->steps[i];
            uint32_t reg = step->op == NH_OP_DIV ? step->b : step->out;
            large = large || (step->large && fabs(machine->r[reg]) > 1e290);
        }
    return large;
}

/* Whether the second method ends where it needs g^-1, and there is none: g is not positive definite there, each coordinate in units of its own. */
static bool has_no_inverse(const nh_run_job *job, const nh_run_result *result)
{
    const nh_motion *m = job->motion;
    const nh_tape *tape = m->constraints;
    size_t n = m->eq->n, first = (m->n_positions + m->n_constraints) * (n + 1);
    if (!m->second || !tape)
        return false;
    nh_series_double *machine = nh_series_new_double(tape, &job->equations->arena, 0);
    machine->r[0] = result->t;
    memcpy(machine->r + 1, result->x, m->size * sizeof *result->x);
    double *g = nh_zeros(&job->equations->arena, n * n);
    if (!nh_series_constants_double(machine, m->constants) || !nh_series_step_double(machine, 0))
        return false;
    for (size_t i = 0; i < n * n; i++) {
        double square = machine->r[tape->outputs[first + i / n * (n + 1)]] *
                        machine->r[tape->outputs[first + i % n * (n + 1)]];
        g[i] = square > 0 ? machine->r[tape->outputs[first + i]] / sqrt(square) : 0;
    }
    return !nh_is_positive(g, n, -1e-13);
}

static void tell_why(const nh_run_job *job, nh_text *out, const nh_run_result *result)
{
    bool doubles = result->end == NH_RUN_NOT_FINITE && job->options.precision == 0;
    if (result->column)
        nh_text_format(out, "the column %s is not finite there\n", result->column);
    else if (doubles && is_too_large(job, result))
        nh_text_str(out, "a value is not finite there: an exponential, or a power of one, comes to 10^308, "
                         "where numbers end; "
                         "with --precision long they end at 10^4932\n");
    else if (result->end == NH_RUN_NOT_FINITE && has_no_inverse(job, result))
        nh_text_str(out, "the metric g is singular there, and the second method needs its inverse; the first "
                         "may go on\n");
    else
        nh_text_format(out, "%s\n",
                       result->end == NH_RUN_STOPPED ? nh_stop_text(job->why)
                                                     : nh_run_end_text(job->equations, result->end));
}

void nh_tell_run(const nh_run_job *job, nh_text *out, const nh_run_result *result, const nh_stepper *s,
                 bool goes_on)
{
    nh_text_format(out, "%s, %s kind: %zu step%s", job->solver_name, job->motion->second ? "second" : "first",
                   result->steps, result->steps == 1 ? "" : "s");
    if (result->rejected)
        nh_text_format(out, " and %zu rejected", result->rejected);
    if (s->order)
        nh_text_format(out, ", order %zu", s->order);
    line_with(out, ", tolerance ", job->options.tolerance, "\n");
    if (job->solver_reason)
        nh_text_format(out, "auto: %s\n", job->solver_reason);
    tell_time(job, out, result);
    tell_drift(job->motion, out, result);
    tell_events(job, out, result, goes_on);
    if (!isnan(result->met)) {
        nh_text_str(out, "another factor of a constraint vanishes at t = ");
        nh_text_double(out, result->met);
        nh_text_str(out, ", its branches meet there, and the motion goes on along its own\n");
    }
    nh_tell_swings(out, s->swings, s->looked);
    if (result->end != NH_RUN_DONE && result->end != NH_RUN_EVENT && !goes_on) {
        tell_state(job, out, result);
        tell_why(job, out, result);
    }
}
