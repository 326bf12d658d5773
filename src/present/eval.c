/* Every object in numbers, as text and as JSON. */
#include "derive/derive.h"
#include "present/present.h"
#include "present/writer.h"

#include <math.h>
#include <string.h>

typedef struct object {
    const char *name;
    const double *numbers;
    size_t rows, columns; /* rows 0: a vector */
} object;

typedef struct writer {
    nh_text *out;
    nh_equations *eq;
    const double *values;
    nh_numbers_at *at;
    bool json;
    nh_method method;
    const char *part;   /* "first.", "second." or "": where an object stands in JSON */
    nh_text no_numbers; /* the paths of objects for which there are no doubles, each ended by a 0 */
} writer;

static const char FIRST[] = "first.", SECOND[] = "second.";

/* ---------------------------------------------------------------- the state */

static double value_of(const writer *w, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&w->eq->pool, symbol, &index);
    return w->values[index];
}

static void print_value(writer *w, const char *name, const char *prime, double value, bool first)
{
    nh_text_format(w->out, w->json ? "%s\"%s%s\": " : "%s%s%s = ", first ? "" : ", ", name, prime);
    nh_text_double(w->out, value + 0.0); /* no -0 */
}

/* ---------------------------------------------------------------- what the system is, in JSON */

static void print_string(writer *w, const char *string) { nh_text_json(w->out, string, strlen(string)); }

static void print_names(writer *w)
{
    const nh_equations *eq = w->eq;
    nh_text_str(w->out, ",\n  \"coordinates\": [");
    for (size_t i = 0; i < eq->n; i++)
        nh_text_str(w->out, i ? ", " : ""), print_string(w, eq->model->coordinates[i].name);
    nh_text_str(w->out, "],\n  \"velocities\": [");
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        nh_text_str(w->out, alpha ? ", " : ""), print_string(w, eq->z[alpha].name);
    nh_text_char(w->out, ']');
}

/* null where no value is given, and none is needed. */
static void print_parameters(writer *w)
{
    const nh_model *model = w->eq->model;
    nh_text_str(w->out, ",\n  \"parameters\": {");
    for (size_t i = 0; i < model->n_parameters; i++) {
        double value = value_of(w, model->parameters[i].symbol);
        nh_text_str(w->out, i ? ", " : "");
        print_string(w, model->parameters[i].name);
        nh_text_str(w->out, ": ");
        if (isfinite(value))
            nh_text_double(w->out, value);
        else
            nh_text_str(w->out, "null");
    }
    nh_text_char(w->out, '}');
}

static void print_head(writer *w)
{
    if (!w->json)
        return;
    nh_text_str(w->out, "{ \"system\": ");
    print_string(w, w->eq->model->title);
    print_names(w);
    print_parameters(w);
    nh_text_str(w->out, ",\n  ");
}

static void print_state(writer *w)
{
    const nh_model *model = w->eq->model;
    nh_text_str(w->out, w->json ? "\"state\": { " : "state         ");
    print_value(w, "t", "", value_of(w, model->time), true);
    for (size_t i = 0; i < model->n; i++)
        print_value(w, model->coordinates[i].name, "", value_of(w, model->coordinates[i].q), false);
    for (size_t i = 0; i < model->n; i++)
        print_value(w, model->coordinates[i].name, "'", value_of(w, model->coordinates[i].rate), false);
    for (size_t alpha = 0; alpha < w->eq->m; alpha++)
        if (w->eq->z[alpha].rate_of < 0)
            print_value(w, w->eq->z[alpha].name, "", value_of(w, w->eq->z[alpha].symbol), false);
    nh_text_str(w->out, w->json ? " }" : "\n");
}

/* ---------------------------------------------------------------- objects */

static void print_row(writer *w, const double *x, size_t count)
{
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < count; i++) {
        nh_text_str(w->out, i ? ", " : "");
        nh_text_double(w->out, x[i] + 0.0); /* no -0 */
    }
    nh_text_char(w->out, ']');
}

static bool has_doubles(const object *o)
{
    size_t count = o->rows ? o->rows * o->columns : o->columns;
    for (size_t i = 0; o->numbers && i < count; i++)
        if (!isfinite(o->numbers[i]))
            return false;
    return o->numbers != NULL;
}

static void print_numbers(writer *w, const object *o)
{
    if (!has_doubles(o)) {
        nh_text_str(w->out, w->json ? "null" : "-");
        return;
    }
    if (o->rows == 0 && o->columns == 0) {
        nh_text_str(w->out, "[]");
        return;
    }
    if (o->rows == 0) {
        print_row(w, o->numbers, o->columns);
        return;
    }
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < o->rows; i++) {
        nh_text_str(w->out, i ? ", " : "");
        print_row(w, o->numbers + i * o->columns, o->columns);
    }
    nh_text_char(w->out, ']');
}

static void print_object(writer *w, const object *o)
{
    if (w->json) {
        nh_text_format(w->out, ",\n  \"%s\": ", o->name);
    } else {
        nh_text_str(w->out, o->name);
        nh_text_repeat(w->out, ' ', strlen(o->name) < 14 ? 14 - strlen(o->name) : 1);
    }
    print_numbers(w, o);
    if (!w->json)
        nh_text_char(w->out, '\n');
    if (!has_doubles(o) && (o->numbers || w->part == SECOND))
        nh_text_format(&w->no_numbers, "%s%s", w->part, o->name), nh_text_char(&w->no_numbers, '\0');
}

static void print_objects(writer *w, const object *objects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        print_object(w, &objects[i]);
}

/* r x n matrices of r = 0 rows are empty lists. */
static object matrix(const char *name, const double *numbers, size_t rows, size_t columns)
{
    return rows ? (object){name, numbers, rows, columns} : (object){name, numbers, 0, 0};
}

static object vector(const char *name, const double *numbers, size_t count)
{
    return (object){name, numbers, 0, count};
}

static void print_free(writer *w)
{
    nh_numbers_at *at = w->at;
    size_t n = w->eq->n;
    const object objects[] = {matrix("g", at->g, n, n), matrix("g_inverse", at->g_inverse, n, n),
                              vector("A", at->A, n), vector("L", at->L, n)};
    print_objects(w, objects, sizeof objects / sizeof *objects);
}

/* The functions f of the constraints f(q, t) = 0. */
static void print_positions(writer *w)
{
    const nh_model *model = w->eq->model;
    size_t count = 0;
    double *f = nh_arena_array(&w->eq->arena, model->r + 1, sizeof *f), error;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            nh_evaluate(&w->eq->pool, &w->eq->context->arena, &model->constraints[a].position, 1, w->values,
                        &f[count++], &error);
    const object positions = vector("positions", f, count);
    if (w->json || count)
        print_object(w, &positions);
}

/* JSON: the velocities, which both kinds begin with. */
static void begin_equations(writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    nh_text_str(w->out, ",\n  \"equations\": { ");
    for (size_t i = 0; i < w->eq->n; i++)
        print_value(w, q[i].name, "'", value_of(w, q[i].rate), i == 0);
}

static void print_first(writer *w)
{
    nh_numbers_at *at = w->at;
    size_t n = w->eq->n, m = w->eq->m;
    const object objects[] = {vector("psi", at->psi, n),         matrix("psi_alpha", at->psi_alpha, m, n),
                              matrix("G", at->G, m, m),          matrix("G_inverse", at->G_inverse, m, m),
                              vector("Zbar", at->Zbar, n),       vector("Z_lower", at->Z_lower, m),
                              vector("Z_upper", at->Z_upper, m), vector("R", at->R_first, n)};
    if (w->method == NH_METHOD_SECOND) {
        nh_text_str(w->out, w->json ? ",\n  \"first\": null" : "");
        return;
    }
    w->part = FIRST;
    nh_text_str(w->out, w->json ? ",\n  \"first\": { \"kind\": \"first\"" : "\nfirst kind\n");
    print_objects(w, objects, sizeof objects / sizeof *objects);
    const nh_coordinate *q = w->eq->model->coordinates;
    if (!w->json)
        return;
    begin_equations(w);
    for (size_t alpha = 0; at->psi && alpha < m; alpha++)
        print_value(w, w->eq->z[alpha].name, "'", at->Z_upper[alpha], false);
    for (size_t i = 0; !at->psi && i < n; i++)
        print_value(w, q[i].name, "''", at->acceleration[i], false);
    nh_text_str(w->out, " } }");
}

static void print_second(writer *w)
{
    nh_numbers_at *at = w->at;
    size_t n = w->eq->n, r = w->eq->r;
    const object objects[] = {vector("C", at->C, r),
                              matrix("C_i", at->C_i, r, n),
                              matrix("C_upper", at->C_upper, r, n),
                              matrix("G_upper", at->G_upper, r, r),
                              matrix("G_lower", at->G_lower, r, r),
                              matrix("C_a", at->C_a, r, n),
                              matrix("pi", at->pi, n, n),
                              matrix("g_minus_pi", at->g_minus_pi, n, n),
                              matrix("dC", at->dC, r, n),
                              vector("dC_dt", at->dC_dt, r),
                              vector("D", at->D, n),
                              vector("lambda", at->lambda, r),
                              vector("R", at->R, n),
                              vector("R_upper", at->R_upper, n)};
    if (w->method == NH_METHOD_FIRST) {
        nh_text_str(w->out, w->json ? ",\n  \"second\": null" : "");
        return;
    }
    if (at->no_second) {
        nh_text_format(w->out, w->json ? ",\n  \"second\": null" : "\nno second kind: %s\n", at->no_second);
        return;
    }
    w->part = SECOND;
    nh_text_str(w->out, w->json ? ",\n  \"second\": { \"kind\": \"second\"" : "\nsecond kind\n");
    print_objects(w, objects, sizeof objects / sizeof *objects);
    const nh_coordinate *q = w->eq->model->coordinates;
    if (!w->json)
        return;
    begin_equations(w);
    for (size_t i = 0; i < n; i++)
        print_value(w, q[i].name, "''", at->D[i], false);
    nh_text_str(w->out, " } }");
}

/* Why something is null. */
static void print_reason(writer *w, const char *path, const char *reason, bool *any)
{
    nh_text_format(w->out, "%s\"%s\": ", *any ? ", " : "", path);
    print_string(w, reason);
    *any = true;
}

static void print_reasons(writer *w)
{
    bool any = false;
    nh_text_str(w->out, ",\n  \"unexpanded\": {");
    if (!w->at->g_inverse)
        print_reason(w, "g_inverse", "the metric g is singular at the initial state", &any);
    if (w->method == NH_METHOD_SECOND)
        print_reason(w, "first", NH_NOT_ASKED_FOR, &any);
    else if (!w->at->psi)
        print_reason(w, "first.psi", "the constraints were not solved for velocities", &any);
    if (w->method == NH_METHOD_FIRST)
        print_reason(w, "second", NH_NOT_ASKED_FOR, &any);
    else if (w->at->no_second)
        print_reason(w, "second", w->at->no_second, &any);
    const char *path = w->no_numbers.data, *end = path ? path + w->no_numbers.length : path;
    for (; path < end; path += strlen(path) + 1)
        print_reason(w, path, "an entry is too large or too small for numbers of the machine", &any);
    nh_text_str(w->out, "} }\n");
}

/* ---------------------------------------------------------------- the call */

typedef struct eval_job {
    nh_context *context;
    const nh_model *model;
    nh_eval_options options;
    nh_string *text;
    nh_equations *equations;
} eval_job;

static void eval(void *arg)
{
    eval_job *job = arg;
    job->equations = nh_equations_new(job->context, job->model);
    double *values = nh_start_state(job->equations, job->options.project != 0);
    bool refused = values && (nh_refuse_dependent(job->equations, values) ||
                              (!job->equations->first.psi && nh_refuse_singular(job->equations, values)));
    nh_numbers_at *at = values && !refused ? nh_equations_at(job->equations, values) : NULL;
    if (values && !at && !job->context->diagnostics.errors)
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
                  "give another state in 'initial' or with --start", "the initial state is singular");
    if (!at)
        return;
    nh_text out;
    nh_text_init(&out, &job->equations->arena);
    writer w = {
        &out, job->equations, values, at, job->options.format == NH_FORMAT_JSON, job->options.method, "",
        {0}};
    nh_text_init(&w.no_numbers, &job->equations->arena);
    print_head(&w);
    print_state(&w);
    print_free(&w);
    print_positions(&w);
    print_first(&w);
    print_second(&w);
    if (w.json)
        print_reasons(&w);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_eval_with(nh_context *context, const nh_model *model, const nh_eval_options *options,
                             nh_string *text)
{
    if (!context || !model || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    eval_job job = {context, model, options ? *options : (nh_eval_options){0}, text, NULL};
    nh_status status = nh_context_call(context, eval, &job);
    nh_equations_free(job.equations);
    return status;
}

nh_status nh_model_eval(nh_context *context, const nh_model *model, nh_format format, nh_string *text)
{
    return nh_model_eval_with(context, model, &(nh_eval_options){.format = format}, text);
}
