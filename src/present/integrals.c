/* First integrals, as text and as JSON. */
#include "analyse/analyse.h"
#include "present/writer.h"

#include <string.h>

static const char *const spaces[] = {"constants", "polynomials", "trigonometric", "functions"};
enum { SPACES = sizeof spaces / sizeof *spaces, MOST_DEGREE = 6 };

/* ---------------------------------------------------------------- text */

static const char *degree_text(size_t degree)
{
    static const char *const texts[MOST_DEGREE + 1] = {
        "function of the coordinates",   "linear in the velocities",      "quadratic in the velocities",
        "of degree 3 in the velocities", "of degree 4 in the velocities", "of degree 5 in the velocities",
        "of degree 6 in the velocities"};
    return texts[degree];
}

static void print_integral(nh_text *out, const nh_equations *eq, size_t number, const nh_integral *f)
{
    nh_text_format(out, "F%zu = ", number);
    nh_expr_print(out, &eq->pool, f->value, 0);
    nh_text_format(out, "\n     %s: %s%s; %s\n", nh_verdict_text(f->verdict),
                   f->meaning ? f->meaning : degree_text(f->degree),
                   f->follows ? ", a function of the others" : "", f->detail);
}

/* Of no degree, or of some of them. */
static void print_none(nh_text *out, const nh_integrals *found)
{
    if (found->count == 0)
        nh_text_str(out, "none in the space searched\n");
    for (size_t degree = 1; degree <= found->degree && found->count > 0 && !found->complete; degree++) {
        size_t count = 0;
        for (size_t i = 0; i < found->count; i++)
            count += found->items[i].degree == degree;
        if (count == 0)
            nh_text_format(
                out, "none of degree %zu in the velocities, independent of these, in the space searched\n",
                degree);
    }
}

/* "cyclic coordinates: x (its momentum is not constant), psi" */
static void print_cyclic(nh_text *out, const nh_integrals *found)
{
    for (size_t i = 0; i < found->n_cyclic; i++)
        nh_text_format(out, "%s%s%s", i ? ", " : "\ncyclic coordinates: ", found->cyclic[i].name,
                       found->cyclic[i].conserved
                           ? found->has_steps ? " (its momentum is constant while no velocity jumps)"
                                              : " (its momentum is constant)"
                           : " (its momentum is not constant, by the constraints)");
    nh_text_str(out, found->n_cyclic ? "\n" : "");
}

static const char *claim_text(const nh_claim *c)
{
    bool holds = c->verdict == NH_PROVED || c->verdict == NH_TESTED;
    return c->fixed     ? ", the same number at all states nearby, whatever the motion is"
           : c->trivial ? ", constant by the constraints alone"
           : c->follows ? ", a function of these"
           : holds      ? ", not a function of these"
                        : "";
}

/* The parameters whose value is 0, which are symbols in the search: how many. */
static size_t print_zeros(nh_text *out, const nh_equations *eq, const char *quote)
{
    const nh_model *model = eq->model;
    const signed char *signs = nh_model_signs(model, &eq->context->arena);
    size_t count = 0;
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        if (nh_is_symbol(&eq->pool, model->parameters[i].symbol, &index) && signs[index] == 0)
            nh_text_format(out, "%s%s%s%s", count++ ? ", " : "", quote, model->parameters[i].name, quote);
    }
    return count;
}

static void print_rest(nh_text *out, const nh_equations *eq, const nh_integrals *found)
{
    nh_text zeros;
    nh_text_init(&zeros, out->arena);
    size_t count = print_zeros(&zeros, eq, "");
    if (found->rest)
        nh_text_format(out, "not searched: %s\n", found->rest);
    if (count)
        nh_text_format(out,
                       "not searched: integrals that there are for %s = 0 alone; it is a symbol here, as all "
                       "parameters are\n",
                       nh_text_get(&zeros));
}

static void print_text(nh_text *out, const nh_equations *eq, const nh_integrals *found)
{
    if (*eq->model->title)
        nh_text_format(out, "%s\n\n", eq->model->title);
    for (size_t i = 0; i < found->count; i++)
        print_integral(out, eq, i + 1, &found->items[i]);
    print_none(out, found);
    if (found->complete)
        nh_text_format(out, "these are all%s: there can be no more that are independent\n",
                       found->timed ? "" : " that do not depend on the time");
    if (found->unwritten)
        nh_text_format(out, "%zu more seem%s to be there, but could not be written down\n", found->unwritten,
                       found->unwritten == 1 ? "s" : "");
    print_cyclic(out, found);
    for (size_t i = 0; i < found->n_claims; i++)
        nh_text_format(out, "%sintegral %s of the model: %s%s\n", i ? "" : "\n", found->claims[i].name,
                       nh_verdict_text(found->claims[i].verdict), claim_text(&found->claims[i]));
    nh_text_format(out, "\nsearched: %s\n", found->searched);
    print_rest(out, eq, found);
}

/* ---------------------------------------------------------------- JSON */

static void json_string(nh_text *out, const char *key, const char *string)
{
    nh_text_format(out, "\"%s\": ", key);
    nh_text_json(out, string, strlen(string));
}

static void json_integral(nh_text *out, const nh_equations *eq, const nh_integral *f)
{
    nh_text expression;
    nh_text_init(&expression, out->arena);
    nh_expr_print(&expression, &eq->pool, f->value, 0);
    nh_text_str(out, "{ ");
    json_string(out, "expression", nh_text_get(&expression));
    nh_text_format(out, ", \"verdict\": \"%s\", \"degree\": %zu, ", nh_verdict_text(f->verdict), f->degree);
    if (f->meaning) {
        json_string(out, "meaning", f->meaning);
        nh_text_str(out, ", ");
    }
    if (f->follows)
        nh_text_str(out, "\"follows\": true, ");
    json_string(out, "detail", f->detail);
    nh_text_str(out, " }");
}

static void print_json(nh_text *out, const nh_equations *eq, const nh_integrals *found)
{
    nh_text_str(out, "{ ");
    json_string(out, "system", eq->model->title);
    nh_text_str(out, ",\n  \"integrals\": [");
    for (size_t i = 0; i < found->count; i++) {
        nh_text_str(out, i ? ",\n    " : "\n    ");
        json_integral(out, eq, &found->items[i]);
    }
    nh_text_str(out, "],\n  \"cyclic\": [");
    for (size_t i = 0; i < found->n_cyclic; i++) {
        nh_text_str(out, i ? ", { " : "{ ");
        json_string(out, "coordinate", found->cyclic[i].name);
        nh_text_format(out, ", \"conserved\": %s }", found->cyclic[i].conserved ? "true" : "false");
    }
    nh_text_str(out, "],\n  \"claims\": [");
    for (size_t i = 0; i < found->n_claims; i++) {
        nh_text_str(out, i ? ",\n    { " : "\n    { ");
        json_string(out, "name", found->claims[i].name);
        nh_text_format(out, ", \"verdict\": \"%s\", \"follows\": %s }",
                       nh_verdict_text(found->claims[i].verdict),
                       found->claims[i].follows ? "true" : "false");
    }
    nh_text_format(out, "],\n  \"complete\": %s, \"unwritten\": %zu, ", found->complete ? "true" : "false",
                   found->unwritten);
    json_string(out, "searched", found->searched);
    if (found->rest) {
        nh_text_str(out, ",\n  ");
        json_string(out, "rest", found->rest);
    }
    nh_text_str(out, ",\n  \"zeros\": [");
    print_zeros(out, eq, "\"");
    nh_text_str(out, "] }\n");
}

/* ---------------------------------------------------------------- the call */

typedef struct integrals_job {
    nh_context *context;
    const nh_model *model;
    const nh_integrals_options *options;
    nh_string *text;
    nh_equations *equations;
} integrals_job;

/* Of the names: bit 0 is for constants, which are there anyway. */
static unsigned space_of(const integrals_job *job)
{
    const char *names = job->options->space;
    uint64_t chosen = nh_choices_read(job->context, "--space", names, spaces, SPACES);
    return names && *names ? (unsigned)(chosen >> 1) & NH_SPACE_ALL : NH_SPACE_ALL;
}

static void find(void *arg)
{
    integrals_job *job = arg;
    const nh_integrals_options *o = job->options;
    nh_text out;
    nh_search_options search = {.degree = o->degree ? (size_t)o->degree : 2,
                                .space = space_of(job),
                                .max_seconds = o->max_seconds > 0 ? o->max_seconds : 10,
                                .stop = o->stop,
                                .progress = o->progress,
                                .user = o->user};
    if (job->context->diagnostics.errors)
        return;
    job->equations = nh_equations_new(job->context, job->model);
    nh_text_init(&out, &job->equations->arena);
    nh_integrals *found = nh_find_integrals(job->equations, &search);
    if (found->late)
        nh_heap_fail(&job->context->heap, NH_ERROR_TIME);
    nh_heap_is_late(&job->context->heap); /* then there is time to tell what was found */
    (o->format == NH_FORMAT_JSON ? print_json : print_text)(&out, job->equations, found);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_integrals(nh_context *context, const nh_model *model, const nh_integrals_options *options,
                             nh_string *text)
{
    static const nh_integrals_options defaults = {0};
    const nh_integrals_options *o = options ? options : &defaults;
    if (!context || !model || !text || o->degree < 0 || o->degree > MOST_DEGREE ||
        (o->format != NH_FORMAT_TEXT && o->format != NH_FORMAT_JSON))
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    integrals_job job = {context, model, o, text, NULL};
    nh_status status = nh_context_call(context, find, &job);
    nh_equations_free(job.equations);
    return status;
}
