/* The equations of motion as text and as JSON. */
#include "derive/derive.h"
#include "present/present.h"
#include "present/writer.h"

#include <string.h>

/* ---------------------------------------------------------------- long expressions by parts */

enum { LONGEST_WHOLE = 600 }; /* operations, when written out as a tree */

/* Operations of the tree, shared ones as often as they occur. */
static double tree_size(const nh_pool *pool, nh_arena *scratch, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, &e, 1);
    double *size = nh_arena_array(scratch, (size_t)e + 1, sizeof *size);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        bool two = node.kind == NH_ADD || node.kind == NH_MUL || node.kind == NH_POW;
        bool call = node.kind == NH_CALL;
        size[walk.nodes[i]] =
            1 + (two || call ? size[node.a] : 0) + (two || (call && node.b) ? size[node.b] : 0);
    }
    double total = size[e];
    nh_arena_release(scratch, mark);
    return total;
}

typedef nh_writer writer;

void nh_note_long(writer *w, const nh_expr *e, size_t count)
{
    for (size_t i = 0; e && i < count; i++)
        if (tree_size(&w->eq->pool, w->scratch, e[i]) > LONGEST_WHOLE)
            nh_push(&w->eq->arena, w->longs, w->n_longs, w->longs_capacity) = e[i];
}

static nh_expr shortened(const writer *w, nh_expr e)
{
    for (size_t i = 0; i < w->n_longs; i++)
        if (w->longs[i] == e)
            return w->shared.roots[i];
    return e;
}

/* Those of the objects that are printed. */
static void find_long(writer *w, bool all)
{
    nh_forms *o = w->forms;
    size_t n = w->eq->n, m = w->eq->m, r = w->eq->r;
    const struct {
        const nh_expr *e;
        size_t count;
        bool shown; /* in the text, too */
    } objects[] = {{o->psi, n, true},
                   {o->Z_upper, m, true},
                   {o->acceleration, n, !o->psi},
                   {o->D, n, true},
                   {o->lambda, r, true},
                   {o->R, n, true},
                   {o->g, n * n, false},
                   {o->g_inverse, n * n, false},
                   {o->A, n, false},
                   {o->L, n, false},
                   {o->psi_alpha, m * n, false},
                   {o->G, m * m, false},
                   {o->G_inverse, m * m, false},
                   {o->Zbar, n, false},
                   {o->Z_lower, m, false},
                   {o->R_first, n, false},
                   {o->C, r, false},
                   {o->C_i, r * n, false},
                   {o->C_upper, r * n, false},
                   {o->G_upper, r * r, false},
                   {o->G_lower, r * r, false},
                   {o->C_a, r * n, false},
                   {o->pi, n * n, false},
                   {o->g_minus_pi, n * n, false},
                   {o->dC, r * n, false},
                   {o->dC_dt, r, false},
                   {o->R_upper, n, false}};
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
        if (all || objects[k].shown)
            nh_note_long(w, objects[k].e, objects[k].count);
    if (w->principles)
        nh_show_note_long(w);
    if (w->n_longs)
        w->shared = nh_share(&w->eq->pool, &w->eq->arena, w->longs, w->n_longs, "k");
}

const char *nh_expr_written(writer *w, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, &w->eq->arena);
    nh_expr_print(&text, &w->eq->pool, shortened(w, e), 0);
    return nh_text_get(&text);
}

/* ---------------------------------------------------------------- JSON */

static void json_string(writer *w, const char *s) { nh_text_json(w->out, s, strlen(s)); }

static void json_list(writer *w, const nh_expr *e, size_t count)
{
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < count; i++) {
        nh_text_str(w->out, i ? ", " : "");
        json_string(w, nh_expr_written(w, e[i]));
    }
    nh_text_char(w->out, ']');
}

static void json_key(writer *w, const char *key) { nh_text_format(w->out, ",\n  \"%s\": ", key); }

static void json_vector(writer *w, const char *key, const nh_expr *e, size_t count)
{
    json_key(w, key);
    if (e)
        json_list(w, e, count);
    else
        nh_text_str(w->out, "null");
}

static void json_matrix(writer *w, const char *key, const nh_expr *e, size_t rows, size_t columns)
{
    json_key(w, key);
    if (!e) {
        nh_text_str(w->out, "null");
        return;
    }
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < rows; i++) {
        nh_text_str(w->out, i ? ", " : "");
        json_list(w, e + i * columns, columns);
    }
    nh_text_char(w->out, ']');
}

static void json_equation(writer *w, bool first, const char *left, const char *primes, nh_expr right)
{
    nh_text_format(w->out, "%s\"%s%s\": ", first ? "" : ", ", left, primes);
    json_string(w, nh_expr_written(w, right));
}

/* x' = psi and z' = Z; in the velocities themselves where there is no psi. */
static void json_first_equations(writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    json_key(w, "equations");
    nh_text_str(w->out, "{ ");
    for (size_t i = 0; i < w->eq->n; i++)
        json_equation(w, i == 0, q[i].name, "'", w->forms->psi ? w->forms->psi[i] : q[i].rate);
    for (size_t alpha = 0; w->forms->psi && alpha < w->eq->m; alpha++)
        json_equation(w, false, w->eq->z[alpha].name, "'", w->forms->Z_upper[alpha]);
    for (size_t i = 0; !w->forms->psi && i < w->eq->n; i++)
        json_equation(w, false, q[i].name, "''", w->forms->acceleration[i]);
    nh_text_str(w->out, " }");
}

static void json_second_equations(writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    json_key(w, "equations");
    nh_text_str(w->out, "{ ");
    for (size_t i = 0; i < w->eq->n; i++)
        json_equation(w, i == 0, q[i].name, "'", q[i].rate);
    for (size_t i = 0; i < w->eq->n; i++)
        json_equation(w, false, q[i].name, "''", w->forms->D[i]);
    nh_text_str(w->out, " }");
}

static void json_first(writer *w)
{
    nh_forms *o = w->forms;
    size_t n = w->eq->n, m = w->eq->m;
    json_key(w, "first");
    if (w->method == NH_METHOD_SECOND) {
        nh_text_str(w->out, "null");
        return;
    }
    nh_text_str(w->out, "{ \"kind\": \"first\"");
    json_vector(w, "psi", o->psi, n);
    json_matrix(w, "psi_alpha", o->psi_alpha, m, n);
    json_matrix(w, "G", o->G, m, m);
    json_matrix(w, "G_inverse", o->G_inverse, m, m);
    json_vector(w, "Zbar", o->Zbar, n);
    json_vector(w, "Z_lower", o->Z_lower, m);
    json_vector(w, "Z_upper", o->Z_upper, m);
    json_vector(w, "R", o->R_first, n);
    json_first_equations(w);
    nh_text_str(w->out, " }");
}

static void json_second(writer *w)
{
    nh_forms *o = w->forms;
    size_t n = w->eq->n, r = w->eq->r;
    json_key(w, "second");
    if (w->eq->second.reason) {
        nh_text_str(w->out, "null");
        return;
    }
    nh_text_str(w->out, "{ \"kind\": \"second\"");
    json_vector(w, "C", o->C, r);
    json_matrix(w, "C_i", o->C_i, r, n);
    json_matrix(w, "C_upper", o->C_upper, r, n);
    json_matrix(w, "G_upper", o->G_upper, r, r);
    json_matrix(w, "G_lower", o->G_lower, r, r);
    json_matrix(w, "C_a", o->C_a, r, n);
    json_matrix(w, "pi", o->pi, n, n);
    json_matrix(w, "g_minus_pi", o->g_minus_pi, n, n);
    json_matrix(w, "dC", o->dC, r, n);
    json_vector(w, "dC_dt", o->dC_dt, r);
    json_vector(w, "D", o->D, n);
    json_vector(w, "lambda", o->lambda, r);
    json_vector(w, "R", o->R, n);
    json_vector(w, "R_upper", o->R_upper, n);
    json_second_equations(w);
    nh_text_str(w->out, " }");
}

static void json_names(writer *w)
{
    const nh_model *model = w->eq->model;
    json_key(w, "coordinates");
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < model->n; i++) {
        nh_text_str(w->out, i ? ", " : "");
        json_string(w, model->coordinates[i].name);
    }
    nh_text_char(w->out, ']');
    json_key(w, "velocities");
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < w->eq->m; i++) {
        nh_text_str(w->out, i ? ", " : "");
        json_string(w, w->eq->z[i].name);
    }
    nh_text_char(w->out, ']');
    json_key(w, "parameters");
    nh_text_str(w->out, "{");
    for (size_t i = 0; i < model->n_parameters; i++) {
        nh_text_str(w->out, i ? ", " : "");
        json_string(w, model->parameters[i].name);
        nh_text_str(w->out, ": ");
        if (model->parameters[i].value)
            json_string(w, nh_expr_written(w, model->parameters[i].value));
        else
            nh_text_str(w->out, "null");
    }
    nh_text_str(w->out, "}");
}

static void json_rest(writer *w)
{
    const nh_forms *o = w->forms;
    json_key(w, "where");
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < w->shared.count; i++) {
        nh_text_str(w->out, i ? ", [" : "[");
        json_string(w, nh_expr_written(w, w->shared.definitions[i].symbol));
        nh_text_str(w->out, ", ");
        json_string(w, nh_expr_written(w, w->shared.definitions[i].value));
        nh_text_char(w->out, ']');
    }
    nh_text_char(w->out, ']');
    json_key(w, "unexpanded");
    nh_text_char(w->out, '{');
    bool any = false;
    for (size_t i = 0; i < o->n_unexpanded; i++, any = true)
        nh_text_format(w->out, "%s\"%s\": \"%s\"", i ? ", " : "", o->unexpanded[i].object,
                       o->unexpanded[i].reason);
    if (w->eq->second.reason)
        nh_text_format(w->out, "%s\"second\": \"%s\"", any ? ", " : "", w->eq->second.reason);
    any = any || w->eq->second.reason;
    if (w->method == NH_METHOD_SECOND)
        nh_text_format(w->out, "%s\"first\": \"%s\"", any ? ", " : "", NH_NOT_ASKED_FOR);
    any = any || w->method == NH_METHOD_SECOND;
    if (!o->psi)
        nh_text_format(w->out, "%s\"first.psi\": \"the constraints were not solved for velocities\"",
                       any ? ", " : "");
    nh_text_char(w->out, '}');
}

static void print_json(writer *w)
{
    nh_forms *o = w->forms;
    size_t n = w->eq->n;
    nh_text_str(w->out, "{ \"system\": ");
    json_string(w, w->eq->model->title);
    json_names(w);
    json_matrix(w, "g", o->g, n, n);
    json_matrix(w, "g_inverse", o->g_inverse, n, n);
    json_vector(w, "A", o->A, n);
    json_vector(w, "L", o->L, n);
    json_vector(w, "positions", o->positions, o->n_positions);
    json_first(w);
    json_second(w);
    if (w->principles) {
        json_key(w, "show");
        nh_show_json(w);
    }
    json_rest(w);
    nh_text_str(w->out, " }\n");
}

/* ---------------------------------------------------------------- text */

static void text_equation(writer *w, const char *left, const char *primes, nh_expr right)
{
    nh_text_format(w->out, "    %s%s = %s\n", left, primes, nh_expr_written(w, right));
}

static void text_where(writer *w)
{
    for (size_t i = 0; i < w->shared.count; i++)
        nh_text_format(w->out, "%s%s = %s\n", i ? "    " : "\nwhere\n    ",
                       nh_expr_written(w, w->shared.definitions[i].symbol),
                       nh_expr_written(w, w->shared.definitions[i].value));
}

static void text_first(writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    if (w->method == NH_METHOD_SECOND)
        return;
    nh_text_format(w->out, "equations of the first kind%s\n",
                   w->forms->psi ? ""
                                 : ", on C, in the velocities: the constraints were not solved for them");
    for (size_t i = 0; w->forms->psi && i < w->eq->n; i++)
        text_equation(w, q[i].name, "'", w->forms->psi[i]);
    for (size_t alpha = 0; w->forms->psi && alpha < w->eq->m; alpha++)
        text_equation(w, w->eq->z[alpha].name, "'", w->forms->Z_upper[alpha]);
    for (size_t i = 0; !w->forms->psi && i < w->eq->n; i++)
        text_equation(w, q[i].name, "''", w->forms->acceleration[i]);
}

static void text_second(writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    const char *space = w->method == NH_METHOD_SECOND ? "" : "\n";
    if (w->method == NH_METHOD_FIRST)
        return;
    if (w->eq->second.reason) {
        nh_text_format(w->out, "%sno equations of the second kind: %s\n", space, w->eq->second.reason);
        return;
    }
    nh_text_format(w->out, "%sequations of the second kind%s\n", space,
                   w->forms->G_lower || w->eq->r == 0 ? ""
                                                      : ", by elimination of g D = L + R, C_i D^i = -dC");
    for (size_t i = 0; i < w->eq->n; i++)
        text_equation(w, q[i].name, "''", w->forms->D[i]);
    if (w->eq->r)
        nh_text_str(w->out, "\nmultipliers and reactive forces\n");
    for (size_t a = 0; a < w->eq->r; a++) {
        nh_text_format(w->out, "    lambda_%zu = %s\n", a + 1, nh_expr_written(w, w->forms->lambda[a]));
    }
    for (size_t i = 0; w->eq->r && i < w->eq->n; i++)
        nh_text_format(w->out, "    R_%s = %s\n", q[i].name, nh_expr_written(w, w->forms->R[i]));
}

static void print_text(writer *w)
{
    if (*w->eq->model->title)
        nh_text_format(w->out, "%s\n\n", w->eq->model->title);
    text_first(w);
    text_second(w);
    if (w->principles)
        nh_show_text(w);
    text_where(w);
}

/* ---------------------------------------------------------------- the call */

/* Seconds for simplifying: the equations, and what is shown besides. */
enum { SECONDS = 20, SECONDS_TO_SHOW = 10 };

typedef struct derive_job {
    nh_context *context;
    const nh_model *model;
    nh_derive_options options;
    nh_string *text;
    nh_equations *equations;
} derive_job;

static void derive(void *arg)
{
    derive_job *job = arg;
    bool json = job->options.format == NH_FORMAT_JSON;
    unsigned shown = nh_show_read(job->context, job->options.show);
    if (job->context->diagnostics.errors)
        return;
    job->equations = nh_equations_new(job->context, job->model);
    if (job->options.method == NH_METHOD_FIRST && !job->equations->second.reason)
        job->equations->second.reason = NH_NOT_ASKED_FOR;
    nh_forms *forms = nh_equations_forms(job->equations, SECONDS);
    nh_text out;
    nh_text_init(&out, &job->equations->arena);
    writer w = {.out = &out,
                .eq = job->equations,
                .forms = forms,
                .scratch = &job->context->arena,
                .method = job->options.method};
    if (shown)
        w.principles = nh_equations_principles(job->equations, forms, shown, SECONDS_TO_SHOW);
    find_long(&w, json);
    if (json)
        print_json(&w);
    else
        print_text(&w);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_derive_with(nh_context *context, const nh_model *model, const nh_derive_options *options,
                               nh_string *text)
{
    if (!context || !model || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    derive_job job = {context, model, options ? *options : (nh_derive_options){0}, text, NULL};
    nh_status status = nh_context_call(context, derive, &job);
    nh_equations_free(job.equations);
    return status;
}

nh_status nh_model_derive(nh_context *context, const nh_model *model, nh_format format, nh_string *text)
{
    return nh_model_derive_with(context, model, &(nh_derive_options){.format = format}, text);
}
