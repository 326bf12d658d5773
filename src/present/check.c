/* What was understood of a model, and what is true of it. */
#include "present/writer.h"

#include <string.h>

enum { COLUMN = 14, LONGEST = 400 };

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* ---------------------------------------------------------------- text */

static void label(nh_text *out, const char *name)
{
    nh_text_str(out, name);
    nh_text_repeat(out, ' ', COLUMN - strlen(name));
}

/* Names that are shown: not of frames without one, and of points that are not the centre of a body. */
static bool is_shown(const nh_model *model, nh_part part, size_t i)
{
    bool shown = *nh_model_name(model, part, i) != '\0';
    for (size_t k = 0; k < model->n_bodies && part == NH_POINTS; k++)
        shown = shown && model->bodies[k].point != i;
    return shown;
}

static void print_list(nh_text *out, const nh_model *model, nh_part part, const char *name)
{
    bool any = false;
    for (size_t i = 0; i < nh_model_count(model, part); i++) {
        if (!is_shown(model, part, i))
            continue;
        if (!any)
            label(out, name);
        nh_text_format(out, "%s%s", any ? ", " : "", nh_model_name(model, part, i));
        any = true;
    }
    if (any)
        nh_text_char(out, '\n');
}

static void print_coordinates(nh_text *out, const nh_model *model)
{
    label(out, "coordinates");
    for (size_t i = 0; i < model->n; i++)
        nh_text_format(out, "%s%s%s", i ? ", " : "", model->coordinates[i].name,
                       model->coordinates[i].angle ? " (angle)" : "");
    nh_text_char(out, '\n');
}

static void print_parameters(nh_text *out, const nh_model *model)
{
    if (model->n_parameters == 0)
        return;
    label(out, "parameters");
    for (size_t i = 0; i < model->n_parameters; i++) {
        const nh_parameter *p = &model->parameters[i];
        nh_text_format(out, "%s%s", i ? ", " : "", p->name);
        if (p->value) {
            nh_text_str(out, " = ");
            nh_expr_print(out, &model->pool, p->value, LONGEST);
        }
    }
    nh_text_char(out, '\n');
}

static void print_energy(nh_text *out, const nh_model *model, const char *name, nh_expr e)
{
    if (e == model->pool.zero)
        return;
    label(out, name);
    nh_expr_print(out, &model->pool, e, LONGEST);
    nh_text_char(out, '\n');
}

static void print_forces(nh_text *out, const nh_model *model)
{
    bool first = true;
    for (size_t i = 0; i < model->n; i++) {
        const nh_coordinate *c = &model->coordinates[i];
        if (c->force == model->pool.zero)
            continue;
        label(out, first ? "forces" : "");
        nh_text_format(out, "%s: ", c->name);
        nh_expr_print(out, &model->pool, c->force, LONGEST);
        nh_text_char(out, '\n');
        first = false;
    }
}

static void print_constraint(nh_text *out, const nh_constraint *c)
{
    if (*c->name)
        nh_text_format(out, "%s: ", c->name);
    nh_text_str(out, c->text);
    if (c->component)
        nh_text_format(out, ", component %d", c->component);
    nh_text_format(out, "   [line %zu, %s", c->line, nh_kind_text(c->kind));
    if (c->kind == NH_HOMOGENEOUS && c->degree != 0) /* 0: zero, or no whole number */
        nh_text_format(out, " of degree %d", c->degree);
    nh_text_str(out, "]\n");
}

static void print_constraints(nh_text *out, const nh_model *model)
{
    for (size_t a = 0; a < model->r; a++) {
        label(out, a ? "" : "constraints");
        print_constraint(out, &model->constraints[a]);
    }
    for (size_t i = 0; model->psi && i < model->n; i++) {
        label(out, i ? "" : "parametric");
        nh_text_format(out, "%s' = ", model->coordinates[i].name);
        nh_expr_print(out, &model->pool, model->psi[i], LONGEST);
        nh_text_char(out, '\n');
    }
    for (size_t i = 0; i < model->n_independent; i++) {
        if (i == 0)
            label(out, "independent");
        nh_text_format(out, "%s%s'%s", i ? ", " : "", model->coordinates[model->independent[i]].name,
                       i + 1 == model->n_independent ? "\n" : "");
    }
}

static void print_freedom(nh_text *out, const nh_model *model)
{
    size_t n = model->n, m = nh_model_m(model), r = n - m;
    label(out, "freedom");
    nh_text_format(out, "n = %zu coordinate%s, r = %zu constraint%s, m = %zu degree%s of freedom\n", n,
                   plural(n), r, plural(r), m, plural(m));
}

static void print_start(nh_text *out, const nh_model *model)
{
    if (model->n_initial == 0 && model->start_time == model->pool.zero)
        return;
    label(out, "start");
    bool first = model->start_time == model->pool.zero;
    if (!first) {
        nh_text_str(out, "t = ");
        nh_expr_print(out, &model->pool, model->start_time, LONGEST);
    }
    for (size_t i = 0; i < model->n_initial; i++, first = false) {
        nh_text_str(out, first ? "" : ", ");
        nh_expr_print(out, &model->pool, model->initial[i].symbol, 0);
        nh_text_str(out, " = ");
        nh_expr_print(out, &model->pool, model->initial[i].value, LONGEST);
    }
    nh_text_char(out, '\n');
}

static void print_text(nh_text *out, const nh_model *model, const nh_fact *facts, size_t count)
{
    if (*model->title)
        nh_text_format(out, "%s\n\n", model->title);
    print_coordinates(out, model);
    print_parameters(out, model);
    print_list(out, model, NH_POINTS, "points");
    print_list(out, model, NH_FRAMES, "frames");
    print_list(out, model, NH_BODIES, "bodies");
    print_energy(out, model, "kinetic", model->kinetic);
    print_energy(out, model, "potential", model->potential);
    print_forces(out, model);
    print_list(out, model, NH_VELOCITIES, "velocities");
    print_constraints(out, model);
    print_freedom(out, model);
    print_start(out, model);
    print_list(out, model, NH_OBSERVED, "observed");
    print_list(out, model, NH_INTEGRALS, "integrals");
    nh_text_char(out, '\n');
    for (size_t i = 0; i < count; i++) {
        size_t length = nh_utf8_count(facts[i].name, strlen(facts[i].name));
        nh_text_str(out, facts[i].name);
        nh_text_repeat(out, ' ', length < 23 ? 24 - length : 1);
        nh_text_format(out, "%-9s %s\n", nh_verdict_text(facts[i].verdict), facts[i].detail);
    }
}

/* ---------------------------------------------------------------- JSON */

static void json_string(nh_text *out, const char *string) { nh_text_json(out, string, strlen(string)); }

static void json_names(nh_text *out, const nh_model *model, nh_part part, const char *key)
{
    nh_text_format(out, "  \"%s\": [", key);
    for (size_t i = 0; i < nh_model_count(model, part); i++) {
        nh_text_str(out, i ? ", " : "");
        json_string(out, nh_model_name(model, part, i));
    }
    nh_text_str(out, "],\n");
}

static void json_constraint(nh_text *out, const nh_constraint *c)
{
    nh_text_str(out, "{ \"name\": ");
    json_string(out, c->name);
    nh_text_format(
        out, ", \"line\": %zu, \"component\": %d, \"kind\": \"%s\", \"degree\": %d, \"equation\": ", c->line,
        c->component, nh_kind_text(c->kind), c->degree);
    json_string(out, c->text);
    nh_text_str(out, " }");
}

static void print_json(nh_text *out, const nh_model *model, const nh_fact *facts, size_t count)
{
    nh_text_str(out, "{ \"system\": ");
    json_string(out, model->title);
    nh_text_str(out, ",\n");
    json_names(out, model, NH_COORDINATES, "coordinates");
    json_names(out, model, NH_VELOCITIES, "velocities");
    json_names(out, model, NH_PARAMETERS, "parameters");
    nh_text_str(out, "  \"constraints\": [");
    for (size_t a = 0; a < model->r; a++) {
        nh_text_str(out, a ? ",\n    " : "\n    ");
        json_constraint(out, &model->constraints[a]);
    }
    size_t m = nh_model_m(model);
    nh_text_format(out, "],\n  \"n\": %zu, \"r\": %zu, \"m\": %zu,\n  \"facts\": [", model->n, model->n - m,
                   m);
    for (size_t i = 0; i < count; i++) {
        nh_text_str(out, i ? ",\n    { \"name\": " : "\n    { \"name\": ");
        json_string(out, facts[i].name);
        nh_text_format(out, ", \"verdict\": \"%s\", \"detail\": ", nh_verdict_text(facts[i].verdict));
        json_string(out, facts[i].detail);
        nh_text_str(out, " }");
    }
    nh_text_str(out, " ] }\n");
}

/* ---------------------------------------------------------------- the call */

typedef struct check_job {
    nh_context *context;
    const nh_model *model;
    nh_format format;
    nh_string *text;
    nh_equations *equations;
} check_job;

static void check(void *arg)
{
    check_job *job = arg;
    nh_text out;
    job->equations = nh_equations_new(job->context, job->model);
    nh_arena *arena = &job->equations->arena;
    nh_text_init(&out, arena);
    nh_facts facts = nh_all_facts(job->equations);
    if (job->format == NH_FORMAT_JSON)
        print_json(&out, job->model, facts.items, facts.count);
    else
        print_text(&out, job->model, facts.items, facts.count);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_check(nh_context *context, const nh_model *model, nh_format format, nh_string *text)
{
    if (!context || !model || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    check_job job = {context, model, format, text, NULL};
    nh_status status = nh_context_call(context, check, &job);
    nh_equations_free(job.equations);
    return status;
}
