/* States of rest and steady motions, as text and as JSON. */
#include "analyse/analyse.h"
#include "present/stability.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    nh_text *out;
    nh_flow *flow;
    const nh_equilibria *all;
    bool steady;
    size_t before; /* items of another list */
} writer;

/* ---------------------------------------------------------------- text */

static void print_exact(writer *w, nh_expr e) { nh_expr_print(w->out, &w->flow->eq->pool, e, 200); }

/* "x = 0, theta = pi/2, u any" */
static void print_state(writer *w, const nh_equilibrium *e)
{
    bool any = false;
    for (size_t k = 0; k < w->flow->size; k++) {
        if (!w->all->takes_part[k])
            continue;
        nh_text_format(w->out, "%s%s", any ? ", " : "", w->flow->names[k]);
        any = true;
        if (e->free[k]) {
            nh_text_str(w->out, " any");
            continue;
        }
        nh_text_str(w->out, " = ");
        if (e->exact)
            print_exact(w, e->exact[k]);
        if (!e->exact || !nh_is_number(&w->flow->eq->pool, e->exact[k], NULL)) {
            nh_text_str(w->out, e->exact ? " = " : "");
            nh_text_short(w->out, fabs(e->inputs[1 + k]) < 1e-12 ? 0 : e->inputs[1 + k], 12);
        }
    }
}

static void print_family(writer *w, const nh_equilibrium *e)
{
    bool any = false;
    for (size_t k = 0; k < w->flow->size; k++)
        if (e->bound[k]) {
            nh_text_format(w->out, "%s%s",
                           any ? ", " : "    one of a family along which these change: ", w->flow->names[k]);
            any = true;
        }
    if (any)
        nh_text_format(w->out, " (%zu dimension%s in all)\n", e->dimension, e->dimension == 1 ? "" : "s");
}

/* A free particle that is pushed goes away: stability is that of what something depends on. */
static void print_drifting(writer *w)
{
    const bool *takes_part = nh_taking_part(w->flow);
    size_t count = 0;
    for (size_t k = 0; k < w->flow->n; k++)
        if (!takes_part[k])
            nh_text_format(w->out, "%s%s", count++ ? ", " : "    meant but for ", w->flow->names[k]);
    if (count)
        nh_text_format(w->out, ", on which nothing depends: %s may drift away\n", count > 1 ? "they" : "it");
}

static void print_item(writer *w, size_t i)
{
    const nh_equilibrium *e = &w->all->items[i];
    nh_text_format(w->out, "%zu.  ", w->before + i + 1);
    print_state(w, e);
    nh_text_char(w->out, '\n');
    print_family(w, e);
    nh_text_str(w->out, e->found == NH_PROVED ? "    proved" : "    tested, to rounding");
    if (e->within > 0) {
        nh_text_str(w->out, ", to within ");
        nh_text_short(w->out, e->within, 2);
    }
    nh_text_format(w->out, "; %s%s: %s\n", e->singular ? "singular; " : "", nh_stability_text(e->verdict),
                   e->reason);
    if (e->verdict == NH_STABLE && !w->steady)
        print_drifting(w);
}

enum { MEMBERS_SHOWN = 3 };

static bool is_like(const writer *w, const nh_equilibrium *a, const nh_equilibrium *b)
{
    size_t n = w->flow->size;
    return a->dimension == b->dimension && a->verdict == b->verdict && a->singular == b->singular &&
           memcmp(a->free, b->free, n * sizeof *a->free) == 0 &&
           memcmp(a->bound, b->bound, n * sizeof *a->bound) == 0;
}

/* Of a family that no formula was found for, some members are enough for a reader. */
static bool is_one_too_many(const writer *w, size_t i)
{
    const nh_equilibrium *e = &w->all->items[i];
    size_t before = 0;
    bool member = false;
    for (size_t k = 0; k < w->flow->size; k++)
        member = member || e->bound[k];
    for (size_t k = 0; k < i && member; k++)
        before += is_like(w, e, &w->all->items[k]);
    return before >= MEMBERS_SHOWN;
}

static void print_items(writer *w)
{
    size_t hidden = 0;
    for (size_t i = 0; i < w->all->count; i++)
        if (is_one_too_many(w, i))
            hidden++;
        else
            print_item(w, i);
    if (hidden)
        nh_text_format(w->out, "and %zu more members of such families; --format json has all of them\n",
                       hidden);
}

static void print_box(writer *w)
{
    if (w->all->polynomial) {
        nh_text_str(w->out, w->all->count ? "these are all: the zeros of a polynomial"
                                          : "there is none: a polynomial has no real zero");
        nh_text_str(w->out, w->flow->eq->model->n_ranges ? ", within " : "\n");
        if (w->flow->eq->model->n_ranges)
            nh_box_print(w->out, w->flow, w->all, w->all->takes_part), nh_text_char(w->out, '\n');
        return;
    }
    nh_text_str(w->out, "searched within ");
    nh_box_print(w->out, w->flow, w->all, w->all->takes_part);
    nh_text_format(w->out, "\nby %zu searches, %zu of which found one; %s\n", w->all->searches,
                   w->all->converged,
                   w->all->full ? "ended because there are so many: there are likely to be others, which a "
                                  "smaller --box shows"
                                : "there may be others");
}

static bool print_velocities(writer *w, const char *before, const bool *chosen)
{
    bool any = false;
    for (size_t k = 0; k < w->flow->size; k++)
        if (chosen[k]) {
            nh_text_format(w->out, "%s%s", any ? ", " : before, w->flow->names[k]);
            any = true;
        }
    return any;
}

/* What would be held is not what is listed: sign(0) is 0. */
static void print_jumps(writer *w)
{
    if (print_velocities(w, "forces jump at rest, with ", w->all->jumps))
        nh_text_str(
            w->out,
            ": sign(0) is 0 here, and v/|v| has no value at v = 0; states that dry friction holds, the "
            "other forces being within the jump, are not listed\n");
    if (print_velocities(w, "the directions that the constraints admit jump at rest, with ", w->all->vertex))
        nh_text_str(w->out, ": the constraints are singular there, as a cone is at its vertex, and do not "
                            "tell which states stay at rest\n");
}

/* Of a velocity that is one of two roots, psi has that of the start. */
static void print_branch(writer *w)
{
    const nh_equations *eq = w->flow->eq;
    if (eq->first.root && !w->flow->second && !w->all->everywhere)
        nh_text_format(
            w->out,
            "the constraint has two roots for %s': searched on that of the initial state alone; another "
            "'initial', or 'independent', shows the other one\n",
            eq->model->coordinates[eq->first.root - 1].name);
}

static void print_left_out(writer *w)
{
    bool any = false;
    for (size_t k = 0; k < w->flow->size; k++)
        if (!w->all->takes_part[k]) {
            nh_text_format(w->out, "%s%s", any ? ", " : "may change: ", w->flow->names[k]);
            any = true;
        }
    nh_text_str(w->out, any ? ": nothing else depends on them\n\n" : "");
}

/* The same writer for those in all velocities. */
static writer of_more(const writer *w)
{
    writer more = *w;
    more.all = w->all->more, more.flow = more.all->flow, more.before = w->all->count;
    return more;
}

/* "what u1, u2 do not reach, in all velocities:" */
static void print_more(writer *w)
{
    writer more = of_more(w);
    for (size_t k = w->flow->n; k < w->flow->size; k++)
        nh_text_format(w->out, "%s%s", k > w->flow->n ? ", " : "\nwhat the free velocities ",
                       w->flow->names[k]);
    nh_text_str(w->out, " do not reach, in all velocities:\n");
    print_left_out(&more);
    print_items(&more);
}

static void print_text(writer *w)
{
    const char *title = w->flow->eq->model->title;
    if (*title)
        nh_text_format(w->out, "%s\n\n", title);
    print_left_out(w);
    if (w->all->count == 0)
        nh_text_format(w->out, "no %s found\n", w->steady ? "steady motion was" : "state of rest was");
    print_items(w);
    if (w->all->more)
        print_more(w);
    nh_text_char(w->out, '\n');
    print_box(w);
    if (w->all->more)
        print_box(&(writer){.out = w->out, .flow = w->all->more->flow, .all = w->all->more});
    print_branch(w);
    print_jumps(w);
}

/* ---------------------------------------------------------------- JSON */

static void json_string(nh_text *out, const char *text) { nh_text_json(out, text, strlen(text)); }

static void json_names(writer *w, const char *key, const bool *chosen, bool wanted)
{
    bool any = false;
    nh_text_format(w->out, ", \"%s\": [", key);
    for (size_t k = 0; k < w->flow->size; k++)
        if (chosen[k] == wanted) {
            nh_text_str(w->out, any ? ", " : "");
            json_string(w->out, w->flow->names[k]);
            any = true;
        }
    nh_text_char(w->out, ']');
}

static void json_state(writer *w, const nh_equilibrium *e)
{
    nh_text_str(w->out, "{ \"state\": {");
    for (size_t k = 0; k < w->flow->size; k++) {
        nh_text_str(w->out, k ? ", " : "");
        json_string(w->out, w->flow->names[k]);
        nh_text_str(w->out, ": ");
        nh_text_double(w->out, e->inputs[1 + k] + 0.0);
    }
    nh_text_str(w->out, "}, \"exact\": ");
    for (size_t k = 0; k < w->flow->size && e->exact; k++) {
        nh_text text;
        nh_text_init(&text, w->flow->arena);
        nh_expr_print(&text, &w->flow->eq->pool, e->exact[k], 0);
        nh_text_str(w->out, k ? ", " : "{");
        json_string(w->out, w->flow->names[k]);
        nh_text_str(w->out, ": ");
        json_string(w->out, nh_text_get(&text));
    }
    nh_text_str(w->out, e->exact ? "}" : "null");
}

/* Which member of a family it is; null: any. */
static void json_member(writer *w, const nh_equilibrium *e, const double *inputs)
{
    bool any = false;
    for (size_t k = 0; k < w->flow->size && inputs; k++)
        if (e->free[k] || e->bound[k]) {
            nh_text_str(w->out, any ? ", " : "{");
            json_string(w->out, w->flow->names[k]);
            nh_text_str(w->out, ": ");
            nh_text_double(w->out, inputs[1 + k] + 0.0);
            any = true;
        }
    nh_text_str(w->out, any ? "}" : "null");
}

static void json_item(writer *w, const nh_equilibrium *e)
{
    json_state(w, e);
    json_names(w, "free", e->free, true);
    json_names(w, "bound", e->bound, true);
    nh_text_format(w->out, ", \"dimension\": %zu, \"found\": \"%s\", \"within\": ", e->dimension,
                   e->found == NH_PROVED ? "proved" : "tested");
    if (e->found == NH_PROVED)
        nh_text_double(w->out, e->within);
    else
        nh_text_str(w->out, "null");
    nh_text_format(w->out,
                   ", \"singular\": %s, \"verdict\": \"%s\", \"reason\": ", e->singular ? "true" : "false",
                   nh_stability_text(e->verdict));
    json_string(w->out, e->reason);
    nh_text_str(w->out, ", \"member\": ");
    json_member(w, e, e->alike ? NULL : e->inputs);
    nh_text_str(w->out, ", \"other\": ");
    json_member(w, e, e->other);
    nh_text_format(w->out, ", \"other_verdict\": %s%s%s }", e->other ? "\"" : "",
                   e->other ? nh_stability_text(e->other_verdict) : "null", e->other ? "\"" : "");
}

static void json_box(writer *w)
{
    nh_text_str(w->out, ",\n  \"box\": {");
    for (size_t k = 0; k < w->flow->size; k++) {
        nh_text_str(w->out, k ? ", " : "");
        json_string(w->out, w->flow->names[k]);
        nh_text_str(w->out, ": [");
        nh_text_double(w->out, w->all->low[k] + 0.0);
        nh_text_str(w->out, ", ");
        nh_text_double(w->out, w->all->high[k] + 0.0);
        nh_text_char(w->out, ']');
    }
    nh_text_char(w->out, '}');
}

/* One list; that in all velocities is a value of it. */
static void print_json(writer *w)
{
    nh_text_str(w->out, "{ \"equilibria\": [");
    for (size_t i = 0; i < w->all->count; i++) {
        nh_text_str(w->out, i ? ",\n    " : "\n    ");
        json_item(w, &w->all->items[i]);
    }
    nh_text_format(w->out,
                   " ],\n  \"searches\": %zu, \"converged\": %zu, \"ended_early\": %s, \"complete\": %s",
                   w->all->searches, w->all->converged, w->all->full ? "true" : "false",
                   w->all->complete ? "true" : "false");
    json_names(w, "left_out", w->all->takes_part, false);
    json_names(w, "jumps", w->all->jumps, true);
    json_box(w);
    nh_text_str(w->out, ",\n  \"in_all_velocities\": ");
    if (w->all->more)
        print_json(&(writer){.out = w->out, .flow = w->all->more->flow, .all = w->all->more});
    else
        nh_text_str(w->out, "null");
    nh_text_str(w->out, " }");
}

/* ---------------------------------------------------------------- the call */

typedef struct equilibria_job {
    nh_context *context;
    const nh_model *model;
    nh_equilibria_options options;
    nh_string *text;
    nh_equations *equations;
} equilibria_job;

static void equilibria(void *arg)
{
    equilibria_job *job = arg;
    const char *without = "";
    nh_text out;
    nh_equations *eq = job->equations = nh_equations_new(job->context, job->model);
    if (job->context->diagnostics.errors)
        return;
    nh_text_init(&out, &eq->arena);
    writer w = {.out = &out, .flow = nh_flow_new(eq), .steady = job->options.steady};
    if (!nh_flow_put_parameters(w.flow, &without)) {
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
                  "give it one in 'parameters', or with --set", "parameter '%s' has no value", without);
        return;
    }
    w.all = nh_find_equilibria(&w.flow, w.steady, NH_SEARCHES);
    if (job->options.format == NH_FORMAT_JSON)
        print_json(&w), nh_text_char(w.out, '\n');
    else
        print_text(&w);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_equilibria(nh_context *context, const nh_model *model,
                              const nh_equilibria_options *options, nh_string *text)
{
    if (!context || !model || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    equilibria_job job = {context, model, options ? *options : (nh_equilibria_options){0}, text, NULL};
    nh_status status = nh_context_call(context, equilibria, &job);
    nh_equations_free(job.equations);
    return status;
}
