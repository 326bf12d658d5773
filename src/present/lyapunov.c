/* How fast neighbouring motions part, as text and as JSON. */
#include "present/stability.h"

#include <math.h>
#include <string.h>

/* By the run alone: the parts of it, and growth like a power of the time. */
static double error_of_run(const nh_lyapunov *l) { return fmax(l->spread, l->resolution / 5); }

static double error_of(const nh_lyapunov *l) { return fmax(error_of_run(l), l->apart); }

/* Two neighbours part from the motion at rates of their own, more than the parts of a run do. */
static bool depends_on_neighbour(const nh_lyapunov *l)
{
    return l->apart > fmax(2 * error_of_run(l), fabs(l->exponent) / 10);
}

/* Positive, negative: neither the spread of the parts nor growth like the fifth power of the time explains it. Zero: it is nothing but its
 * error. */
static const char *verdict_of(const nh_lyapunov *l)
{
    double size = fabs(l->exponent);
    if (depends_on_neighbour(l))
        return "undecided";
    if (size > fmax(fmax(4 * l->spread, 2 * l->apart), l->resolution))
        return l->exponent > 0 ? "positive" : "negative";
    return size <= 2 * error_of(l) ? "zero" : "undecided";
}

/* A motion that is known for all times, or goes away for ever, is not chaotic: it is unstable. */
static const char *kind_of(const nh_lyapunov *l)
{
    switch (l->orbit) {
    case NH_ORBIT_REST: return "the state of rest is unstable";
    case NH_ORBIT_PERIODIC: return "the motion is periodic, and unstable";
    case NH_ORBIT_UNBOUNDED: return "the motion is unstable; it goes farther and farther, which is not chaos";
    case NH_ORBIT_APART: return "the motion is unstable, in directions in which it does not move itself";
    case NH_ORBIT_TO_REST: return "the motion comes to a state of rest that is unstable; this is not chaos";
    case NH_ORBIT_TO_PERIODIC:
        return "the motion comes to a periodic one that is unstable; this is not chaos";
    case NH_ORBIT_LINEAR: return "the motion is unstable; the equations are linear, which is not chaos";
    case NH_ORBIT_PLANE: return "the motion is unstable; in fewer than three dimensions this is not chaos";
    case NH_ORBIT_PASSING:
        return "the motion is unstable; it does not come back often enough to be called chaotic";
    default: return "the motion is chaotic";
    }
}

static const char *orbit_of(const nh_lyapunov *l)
{
    static const char *const names[] = {"bounded", "rest",        "periodic", "unbounded", "apart",
                                        "to rest", "to periodic", "linear",   "plane",     "passing"};
    return names[l->orbit];
}

static const char *meaning_of(const nh_lyapunov *l)
{
    const char *verdict = verdict_of(l);
    return strcmp(verdict, "positive") == 0   ? "neighbouring motions part exponentially: "
           : strcmp(verdict, "negative") == 0 ? "neighbouring motions come together"
           : strcmp(verdict, "zero") == 0
               ? "neighbouring motions part no faster than a power of the time, as far as this run tells"
           : depends_on_neighbour(l)
               ? "the rate depends on the neighbour, as where motions touch a jump of the forces, or come to "
                 "rest on it"
               : "more than its error, but growth like a power of the time could look like this in so short "
                 "a "
                 "run; a larger --to decides";
}

static const char *end_of(const nh_lyapunov *l)
{
    switch (l->end) {
    case NH_RUN_DONE: return NULL;
    case NH_RUN_STOPPED: return "stopped by the caller";
    case NH_RUN_SINGULAR: return "the equations are singular there";
    case NH_RUN_STEP_TOO_SMALL: return "the steps become too small";
    case NH_RUN_ON_CORNER: return "the motion stays on a corner of the forces";
    default: return "the motion cannot be followed further";
    }
}

static void print_text(nh_text *out, const nh_model *model, const nh_lyapunov *l)
{
    if (*model->title)
        nh_text_format(out, "%s\n\n", model->title);
    nh_text_str(out, "largest Lyapunov exponent   ");
    if (depends_on_neighbour(l)) {
        nh_text_str(out, "unknown");
    } else {
        nh_text_short(out, l->exponent, 6);
        nh_text_str(out, " +- ");
        nh_text_short(out, error_of(l), 2);
    }
    bool positive = strcmp(verdict_of(l), "positive") == 0;
    nh_text_format(out, "\n%s: %s%s\n", verdict_of(l), meaning_of(l), positive ? kind_of(l) : "");
    if (positive) {
        nh_text_str(out, "a digit is lost in a time of ");
        nh_text_short(out, log(10) / l->exponent, 4);
        nh_text_char(out, '\n');
    }
    nh_text_str(out, "from t = ");
    nh_text_short(out, l->from, 10);
    nh_text_str(out, " to ");
    nh_text_short(out, l->to, 10);
    nh_text_format(out, ", the first eleventh left out; error: from %zu parts of the run\n", l->count);
}

/* Of a run that is so short that its error is not finite: null. */
static void json_number(nh_text *out, double x)
{
    if (isfinite(x))
        nh_text_double(out, x);
    else
        nh_text_str(out, "null");
}

static void print_json(nh_text *out, const nh_lyapunov *l)
{
    nh_text_str(out, "{ \"exponent\": ");
    json_number(out, depends_on_neighbour(l) ? NAN : l->exponent);
    nh_text_str(out, ", \"error\": ");
    json_number(out, depends_on_neighbour(l) ? NAN : error_of(l));
    nh_text_format(out, ", \"verdict\": \"%s\", \"motion\": \"%s\", \"from\": ", verdict_of(l), orbit_of(l));
    nh_text_double(out, l->from);
    nh_text_str(out, ", \"to\": ");
    nh_text_double(out, l->to);
    nh_text_str(out, ",\n  \"parts\": [");
    for (size_t k = 0; k < l->count; k++) {
        nh_text_str(out, k ? ", " : "");
        json_number(out, l->parts[k]);
    }
    nh_text_str(out, "] }\n");
}

/* ---------------------------------------------------------------- the call */

/* The free velocities that were chosen may fail where the motion does not, as they may in a run: then once more in all velocities. */
static bool may_be_the_chart(const nh_equations *eq, const nh_flow *f, const nh_lyapunov *l)
{
    return !f->second && !eq->second.reason && l->end != NH_RUN_DONE && l->end != NH_RUN_STOPPED;
}

typedef struct lyapunov_job {
    nh_context *context;
    const nh_model *model;
    nh_lyapunov_options options;
    int *finished;
    nh_string *text;
    nh_equations *equations;
    nh_lyapunov found, given_up; /* given_up: the other try, where there was one */
} lyapunov_job;

static void follow(lyapunov_job *job, nh_flow *f, double length)
{
    const nh_lyapunov_options *o = &job->options;
    nh_find_lyapunov(f, length, o->tolerance > 0 ? o->tolerance : 1e-12, o->stop, o->progress, o->user,
                     &job->found);
}

/* Whether no motion is determined there, whatever velocities are used: what is followed would be rounding. */
static bool begins_singular(nh_equations *eq, const double *values)
{
    if (nh_first_is_regular(eq, values))
        return false;
    nh_flow *all = eq->second.reason ? NULL : nh_flow_new_second(eq);
    return !all || !nh_flow_put(all, values) || nh_flow_regularity(all, all->inputs) < 1e-9;
}

static void choose_longer(lyapunov_job *job)
{
    nh_lyapunov other = job->given_up;
    if (fabs(other.to - other.from) <= fabs(job->found.to - job->found.from))
        return;
    job->given_up = job->found;
    job->found = other;
}

static void lyapunov(void *arg)
{
    lyapunov_job *job = arg;
    const nh_lyapunov_options *o = &job->options;
    nh_text out;
    nh_equations *eq = job->equations = nh_equations_new(job->context, job->model);
    if (job->context->diagnostics.errors)
        return;
    nh_flow *f =
        nh_equations_has_own_root(eq) && !eq->second.reason ? nh_flow_new_second(eq) : nh_flow_new(eq);
    const double *values = nh_start_state(eq, o->project);
    if (!values)
        return;
    nh_flow_put(f, values);
    double length = (isnan(o->to) ? 1000 : o->to) - f->inputs[0];
    if (length == 0 || !isfinite(length)) {
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  length == 0 ? "the run has no length: it begins and ends at the same time"
                              : "the run has no end");
        return;
    }
    if (begins_singular(eq, values)) {
        if (!job->context->diagnostics.errors)
            nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
                      "give another state in 'initial' or with --start", "the initial state is singular");
        return;
    }
    follow(job, f, length);
    if (may_be_the_chart(eq, f, &job->found)) {
        job->given_up = job->found;
        f = nh_flow_new_second(eq);
        nh_flow_put(f, values);
        follow(job, f, length);
        choose_longer(job);
    }
    *job->finished = job->found.end == NH_RUN_DONE;
    if (end_of(&job->found))
        nh_report(&job->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL,
                  "it ends before its time: %s", end_of(&job->found));
    if (job->found.count < 2) {
        nh_report(&job->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0},
                  "let it begin elsewhere, or end earlier with --to",
                  "the motion ends before anything can be measured");
        nh_text_init(&out, &eq->arena);
        nh_string_make(job->context, &out, job->text);
        return;
    }
    nh_text_init(&out, &eq->arena);
    if (o->format == NH_FORMAT_JSON)
        print_json(&out, &job->found);
    else
        print_text(&out, job->model, &job->found);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_lyapunov(nh_context *context, const nh_model *model, const nh_lyapunov_options *options,
                            int *finished, nh_string *text)
{
    if (!context || !model || !text || !finished || (options && options->tolerance > 0.1))
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0}, *finished = 0;
    lyapunov_job job = {.context = context, .model = model, .finished = finished, .text = text};
    job.options = options ? *options : (nh_lyapunov_options){.to = NAN};
    nh_status status = nh_context_call(context, lyapunov, &job);
    nh_motion_free_code(job.found.motion);
    nh_motion_free_code(job.given_up.motion);
    nh_equations_free(job.equations);
    return status;
}
