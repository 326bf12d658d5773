/* The motion near a state, as text and as JSON. */
#include "analyse/analyse.h"
#include "present/stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    nh_text *out;
    nh_flow *flow;
    const nh_linearization *l;
    nh_expr *exact; /* A as formulas; NULL: none */
    const nh_locus *locus;
    const double *values; /* the state by symbol */
} writer;

static const char *short_text(writer *w, double x, int digits)
{
    nh_text text;
    nh_text_init(&text, w->flow->arena);
    nh_text_short(&text, x, digits);
    return nh_text_get(&text);
}

static void pad_left(writer *w, const char *text, size_t width)
{
    size_t length = nh_utf8_count(text, strlen(text));
    nh_text_repeat(w->out, ' ', length < width ? width - length : 0);
    nh_text_str(w->out, text);
}

static void pad_right(writer *w, const char *text, size_t width)
{
    size_t length = nh_utf8_count(text, strlen(text));
    nh_text_str(w->out, text);
    nh_text_repeat(w->out, ' ', length < width ? width - length : 0);
}

static const char *name_of(const writer *w, size_t i) { return w->flow->names[w->l->variables[i]]; }

static bool takes_part(const writer *w, size_t k)
{
    for (size_t i = 0; i < w->l->n; i++)
        if (w->l->variables[i] == k)
            return true;
    return false;
}

/* ---------------------------------------------------------------- text */

static void print_state(writer *w)
{
    pad_right(w, "state", 14);
    for (size_t k = 0; k < w->flow->size; k++) {
        nh_text_format(w->out, "%s%s = ", k ? ", " : "", w->flow->names[k]);
        nh_text_short(w->out, fabs(w->l->inputs[1 + k]) < 1e-12 ? 0 : w->l->inputs[1 + k], 10);
    }
    nh_text_char(w->out, '\n');
}

static void print_names(writer *w, const char *label, bool part)
{
    bool any = false;
    for (size_t k = 0; k < w->flow->size; k++) {
        if (takes_part(w, k) != part)
            continue;
        if (!any)
            pad_right(w, label, 14);
        nh_text_format(w->out, "%s%s", any ? ", " : "", w->flow->names[k]);
        any = true;
    }
    if (any)
        nh_text_str(w->out, part ? "\n" : ": nothing else depends on them\n");
}

/* What kind of state it is. */
static void print_kind(writer *w)
{
    const nh_linearization *l = w->l;
    bool any = false;
    pad_right(w, "motion", 14);
    if (!l->steady) {
        nh_text_format(w->out, "not steady: the rate of %s is ", w->flow->names[l->moving]);
        nh_text_short(w->out, l->rates[l->moving], 6);
        nh_text_str(w->out, "; the eigenvalues below are those of the moment\n");
        if (l->projected) {
            pad_right(w, "projected", 14);
            nh_text_str(w->out,
                        "A, orthogonally in these variables, on the changes that the constraints allow: the "
                        "eigenvalues are those of this\n");
        }
        return;
    }
    for (size_t k = 0; k < w->flow->size; k++)
        if (!takes_part(w, k) && fabs(l->rates[k]) > 1e-9 * fmax(1, fabs(l->inputs[1 + k]))) {
            nh_text_format(w->out, "%s%s' = ", any ? ", " : "steady: ", w->flow->names[k]);
            nh_text_short(w->out, l->rates[k], 6);
            any = true;
        }
    nh_text_str(w->out, any ? "\n" : "at rest\n");
}

static const char *numeric_entry(writer *w, size_t i, size_t k)
{
    return short_text(w, w->l->A[i * w->l->n + k], 6);
}

static const char *entry(writer *w, size_t i, size_t k)
{
    nh_text text;
    if (!w->exact)
        return numeric_entry(w, i, k);
    nh_text_init(&text, w->flow->arena);
    nh_expr_print(&text, &w->flow->eq->pool, w->exact[i * w->l->n + k], 0);
    return nh_text_get(&text);
}

enum { WIDEST = 150 };

/* The entries and the widths of the columns; their sum. */
static size_t find_entries(writer *w, const char *(*of)(writer *, size_t, size_t), const char **entries,
                           size_t *widths)
{
    size_t n = w->l->n, sum = 0;
    memset(widths, 0, n * sizeof *widths);
    for (size_t i = 0; i < n * n; i++) {
        entries[i] = of(w, i / n, i % n);
        size_t length = nh_utf8_count(entries[i], strlen(entries[i]));
        widths[i % n] = length > widths[i % n] ? length : widths[i % n];
    }
    for (size_t k = 0; k < n; k++)
        sum += widths[k] + 2;
    return sum;
}

/* x' = ... for each variable: a matrix with its columns aligned, in numbers where formulas make it too wide to read. */
static void print_matrix(writer *w)
{
    size_t n = w->l->n;
    size_t *widths = nh_arena_array(w->flow->arena, n + 1, sizeof *widths);
    const char **entries = nh_arena_array(w->flow->arena, n * n + 1, sizeof *entries);
    if (find_entries(w, entry, entries, widths) > WIDEST && w->exact)
        find_entries(w, numeric_entry, entries, widths);
    nh_text_format(w->out, "\nA, the derivatives of the rates of these by these%s:\n",
                   w->l->limits ? " (what is 0/0 is a limit, tested by numbers)" : "");
    for (size_t i = 0; i < n; i++) {
        nh_text_str(w->out, "  [ ");
        for (size_t k = 0; k < n; k++) {
            pad_left(w, entries[i * n + k], widths[k]);
            nh_text_str(w->out, k + 1 < n ? "  " : " ]\n");
        }
    }
}

static const char *complex_text(writer *w, double re, double im, int digits)
{
    nh_text text;
    nh_text_init(&text, w->flow->arena);
    if (re != 0 || im == 0)
        nh_text_short(&text, re, digits);
    if (im != 0) {
        nh_text_str(&text, re != 0 ? (im < 0 ? " - " : " + ") : im < 0 ? "-" : "");
        nh_text_short(&text, fabs(im), digits);
        nh_text_char(&text, 'i');
    }
    return nh_text_get(&text);
}

/* The components of a mode that are not small, the largest being 1. */
static void print_mode(writer *w, size_t k)
{
    const nh_linearization *l = w->l;
    bool any = false;
    for (size_t i = 0; i < l->n; i++) {
        double re = l->mode_re[i * l->n_free + k], im = l->mode_im[i * l->n_free + k];
        double size = hypot(re, im);
        if (size < 1e-6)
            continue;
        re = fabs(re) < 1e-9 ? 0 : re, im = fabs(im) < 1e-9 ? 0 : im;
        bool bracket = re != 0 && im != 0;
        nh_text_format(w->out, "%s%s: %s%s%s", any ? ", " : "", name_of(w, i), bracket ? "(" : "",
                       complex_text(w, re, im, 4), bracket ? ")" : "");
        any = true;
    }
    nh_text_char(w->out, '\n');
}

/* No more of them than are right, of ten. */
static const char *right_digits(writer *w, double x, double error)
{
    double right = error > 0 && x != 0 ? floor(log10(fabs(x) / error)) : 10;
    return short_text(w, x, (int)fmin(10, fmax(1, right)));
}

/* One line for a pair. */
static void print_eigenvalues(writer *w)
{
    const nh_linearization *l = w->l;
    nh_text_str(w->out, "\neigenvalue                          period       damping      mode\n");
    for (size_t k = 0; k < l->n_free; k++) {
        nh_eigenvalue e = l->eigenvalues[k];
        double size = hypot(e.re, e.im);
        if (e.im < 0)
            continue;
        nh_text_str(w->out, "  ");
        if (e.im > 0) {
            nh_text text;
            nh_text_init(&text, w->flow->arena);
            nh_text_str(&text, right_digits(w, fabs(e.re) <= 20 * e.error ? 0 : e.re, e.error));
            nh_text_str(&text, " +- ");
            nh_text_str(&text, right_digits(w, e.im, e.error));
            nh_text_char(&text, 'i');
            pad_right(w, nh_text_get(&text), 34);
        } else {
            pad_right(w, right_digits(w, e.re, e.error), 34);
        }
        pad_right(w, e.im > 0 ? short_text(w, 2 * acos(-1) / e.im, 6) : "-", 13);
        pad_right(w, e.im > 0 ? short_text(w, fabs(e.re) <= 20 * e.error ? 0 : -e.re / size, 6) : "-", 13);
        print_mode(w, k);
    }
}

static void print_locus(writer *w)
{
    const nh_locus *locus = w->locus;
    nh_text_char(w->out, '\n');
    pad_right(w, locus->name, 14);
    pad_right(w, "verdict", 11);
    nh_text_str(w->out, "eigenvalues\n");
    for (size_t i = 0; i < locus->count; i++) {
        pad_right(w, short_text(w, locus->rows[i].value, 8), 14);
        pad_right(w, locus->rows[i].steady ? nh_stability_text(locus->rows[i].verdict) : "not steady", 11);
        for (size_t k = 0; k < locus->n; k++) {
            nh_eigenvalue e = locus->rows[i].eigenvalues[k];
            pad_right(w, complex_text(w, fabs(e.re) <= 20 * e.error ? 0 : e.re, e.im, 6), 24);
        }
        while (w->out->length && w->out->data[w->out->length - 1] == ' ')
            w->out->data[--w->out->length] = '\0';
        nh_text_char(w->out, '\n');
    }
    for (size_t i = 0; i < locus->n_changes; i++)
        nh_text_format(w->out, "%s%s from %s to %s at %s = %s\n", i ? "" : "\n", "changes",
                       nh_stability_text(locus->changes[i].before),
                       nh_stability_text(locus->changes[i].behind), locus->name,
                       short_text(w, locus->changes[i].value, 12));
}

static void print_text(writer *w)
{
    const char *title = w->flow->eq->model->title;
    if (*title)
        nh_text_format(w->out, "%s\n\n", title);
    print_state(w);
    print_kind(w);
    print_names(w, "left out", false);
    print_names(w, "variables", true);
    print_matrix(w);
    print_eigenvalues(w);
    nh_text_format(w->out, "\n%s: %s\n", nh_stability_text(w->l->verdict), w->l->reason);
    if (w->locus)
        print_locus(w);
}

/* ---------------------------------------------------------------- JSON */

static void json_string(nh_text *out, const char *text) { nh_text_json(out, text, strlen(text)); }

static void json_pair(nh_text *out, double re, double im)
{
    nh_text_char(out, '[');
    nh_text_double(out, re + 0.0);
    nh_text_str(out, ", ");
    nh_text_double(out, im + 0.0);
    nh_text_char(out, ']');
}

static void json_values(nh_text *out, const nh_eigenvalue *e, size_t count)
{
    nh_text_char(out, '[');
    for (size_t k = 0; k < count; k++) {
        nh_text_str(out, k ? ", " : "");
        json_pair(out, e[k].re, e[k].im);
    }
    nh_text_char(out, ']');
}

static void json_state(writer *w)
{
    nh_text_str(w->out, "{ \"state\": { \"t\": ");
    nh_text_double(w->out, w->l->inputs[0] + 0.0);
    for (size_t k = 0; k < w->flow->size; k++) {
        nh_text_str(w->out, ", ");
        json_string(w->out, w->flow->names[k]);
        nh_text_str(w->out, ": ");
        nh_text_double(w->out, w->l->inputs[1 + k] + 0.0);
    }
    nh_text_str(w->out, " }");
}

static void json_names(writer *w, const char *key, bool part)
{
    bool any = false;
    nh_text_format(w->out, ",\n  \"%s\": [", key);
    for (size_t k = 0; k < w->flow->size; k++) {
        if (takes_part(w, k) != part)
            continue;
        nh_text_str(w->out, any ? ", " : "");
        json_string(w->out, w->flow->names[k]);
        any = true;
    }
    nh_text_char(w->out, ']');
}

static void json_matrix(writer *w, bool exact)
{
    size_t n = w->l->n;
    nh_text_str(w->out, exact ? ",\n  \"A_exact\": " : ",\n  \"A\": ");
    if (exact && !w->exact) {
        nh_text_str(w->out, "null");
        return;
    }
    nh_text_char(w->out, '[');
    for (size_t i = 0; i < n * n; i++) {
        nh_text_str(w->out, i % n ? ", " : i ? "], [" : "[");
        if (exact)
            json_string(w->out, entry(w, i / n, i % n));
        else
            nh_text_double(w->out, w->l->A[i] + 0.0);
    }
    nh_text_str(w->out, n ? "]]" : "]");
}

static void json_modes(writer *w)
{
    const nh_linearization *l = w->l;
    nh_text_str(w->out, ",\n  \"modes\": [");
    for (size_t k = 0; k < l->n_free; k++) {
        nh_text_str(w->out, k ? ", [" : "[");
        for (size_t i = 0; i < l->n; i++) {
            nh_text_str(w->out, i ? ", " : "");
            json_pair(w->out, l->mode_re[i * l->n_free + k], l->mode_im[i * l->n_free + k]);
        }
        nh_text_char(w->out, ']');
    }
    nh_text_char(w->out, ']');
}

static void json_locus(writer *w)
{
    const nh_locus *locus = w->locus;
    nh_text_str(w->out, ",\n  \"vary\": { \"name\": ");
    json_string(w->out, locus->name);
    nh_text_str(w->out, ", \"rows\": [");
    for (size_t i = 0; i < locus->count; i++) {
        nh_text_str(w->out, i ? ",\n    { \"value\": " : "\n    { \"value\": ");
        nh_text_double(w->out, locus->rows[i].value + 0.0);
        nh_text_format(w->out, ", \"verdict\": \"%s\", \"steady\": %s, \"eigenvalues\": ",
                       nh_stability_text(locus->rows[i].verdict), locus->rows[i].steady ? "true" : "false");
        json_values(w->out, locus->rows[i].eigenvalues, locus->n);
        nh_text_str(w->out, " }");
    }
    nh_text_str(w->out, " ],\n    \"changes\": [");
    for (size_t i = 0; i < locus->n_changes; i++) {
        nh_text_str(w->out, i ? ", { \"value\": " : "{ \"value\": ");
        nh_text_double(w->out, locus->changes[i].value + 0.0);
        nh_text_format(w->out, ", \"from\": \"%s\", \"to\": \"%s\" }",
                       nh_stability_text(locus->changes[i].before),
                       nh_stability_text(locus->changes[i].behind));
    }
    nh_text_str(w->out, "] }");
}

static void print_json(writer *w)
{
    json_state(w);
    nh_text_format(w->out, ",\n  \"steady\": %s, \"limits\": %s", w->l->steady ? "true" : "false",
                   w->l->limits ? "true" : "false");
    json_names(w, "left_out", false);
    json_names(w, "variables", true);
    json_matrix(w, false);
    json_matrix(w, true);
    nh_text_format(w->out, ",\n  \"projected\": %s", w->l->projected ? "true" : "false");
    nh_text_str(w->out, ",\n  \"eigenvalues\": ");
    json_values(w->out, w->l->eigenvalues, w->l->n_free);
    json_modes(w);
    nh_text_format(w->out, ",\n  \"verdict\": \"%s\", \"reason\": ", nh_stability_text(w->l->verdict));
    json_string(w->out, w->l->reason);
    if (w->locus)
        json_locus(w);
    nh_text_str(w->out, " }\n");
}

/* ---------------------------------------------------------------- the state as the model gives it */

/* The value of a variable as the model writes it, where that is what the state has; a whole number; or nothing. */
static bool exact_value(const writer *w, size_t k, nh_expr *out)
{
    const nh_equations *eq = w->flow->eq;
    nh_pool *pool = (nh_pool *)&eq->pool;
    double x = w->l->inputs[1 + k], value = NAN;
    for (size_t i = 0; i < eq->model->n_initial; i++)
        if (eq->model->initial[i].symbol == w->flow->symbols[k]) {
            *out = eq->model->initial[i].value;
            nh_evaluate(pool, &eq->context->arena, out, 1, w->values, &value, NULL);
        }
    if (fabs(value - x) <= 1e-14 * fmax(1, fabs(x)))
        return true;
    *out = nh_integer(pool, (int64_t)fmax(-1000, fmin(1000, x)));
    return x == floor(x) && fabs(x) <= 1000;
}

/* What is varied stays a symbol. */
static void find_exact(writer *w, nh_expr varied)
{
    nh_flow *f = w->flow;
    nh_expr *values = nh_arena_array(f->arena, f->size + 1, sizeof *values);
    for (size_t k = 0; k < f->size; k++)
        if (f->symbols[k] != varied && !exact_value(w, k, &values[k]))
            return;
    w->exact = nh_linearize_exactly(f, w->l, values, 1);
}

/* ---------------------------------------------------------------- the call */

typedef struct linearize_job {
    nh_context *context;
    const nh_model *model;
    nh_linearize_options options;
    nh_string *text;
    nh_equations *equations;
    bool lost;
} linearize_job;

/* The values given on the command line stay as they are. */
static nh_base_point place_of(const linearize_job *job, nh_flow *f)
{
    const nh_model *model = job->model;
    nh_expr *held = nh_arena_array(f->arena, model->n_initial + 1, sizeof *held);
    nh_base_point place = {
        .flow = f, .project = job->options.project, .settle = job->options.steady, .held = held};
    for (size_t i = 0; i < model->n_initial; i++)
        if (model->initial[i].asked)
            held[place.n_held++] = model->initial[i].symbol;
    return place;
}

/* v, then real and imaginary part of each eigenvalue: names, then rows. */
static void hand_over(const linearize_job *job, const nh_locus *locus, nh_arena *arena)
{
    size_t count = 1 + 2 * locus->n;
    const char **names = nh_arena_array(arena, count, sizeof *names);
    nh_column *columns = nh_arena_array(arena, count, sizeof *columns);
    double *row = nh_doubles(arena, count);
    names[0] = locus->name, columns[0] = NH_COLUMN_VARIED;
    for (size_t k = 1; k < count; k++) {
        nh_text text;
        nh_text_init(&text, arena);
        nh_text_format(&text, "%s %zu", k % 2 ? "Re" : "Im", (k + 1) / 2);
        names[k] = nh_text_get(&text), columns[k] = k % 2 ? NH_COLUMN_REAL : NH_COLUMN_IMAGINARY;
    }
    bool stopped = job->options.row(job->options.user, count, names, columns, NULL);
    for (size_t i = 0; i < locus->count && !stopped; i++) {
        row[0] = locus->rows[i].value;
        for (size_t k = 0; k < locus->n; k++)
            row[1 + 2 * k] = locus->rows[i].eigenvalues[k].re,
                        row[2 + 2 * k] = locus->rows[i].eigenvalues[k].im;
        stopped = job->options.row(job->options.user, count, names, columns, row);
    }
}

static bool find_locus(const linearize_job *job, writer *w, const nh_base_point *place)
{
    const nh_model *model = job->model;
    if (model->n_ranges == 0)
        return true;
    w->locus = nh_vary(place, &model->ranges[0]);
    if (w->locus && job->options.row)
        hand_over(job, w->locus, w->flow->arena);
    return w->locus != NULL;
}

/* What is varied and has no value of its own has the first of the range. */
static nh_given given_of(const linearize_job *job, const nh_flow *f, double *first)
{
    const nh_model *model = job->model;
    const nh_range *range = model->n_ranges ? &model->ranges[0] : NULL;
    for (size_t i = 0; i < model->n_parameters && range; i++)
        if (model->parameters[i].symbol == range->symbol && !model->parameters[i].value) {
            *first = nh_flow_number(f, range->from);
            return (nh_given){&range->symbol, first, 1};
        }
    return (nh_given){NULL, NULL, 0};
}

static void linearize(void *arg)
{
    linearize_job *job = arg;
    nh_text out;
    nh_equations *eq = job->equations = nh_equations_new(job->context, job->model);
    if (job->context->diagnostics.errors)
        return;
    nh_text_init(&out, &eq->arena);
    writer w = {.out = &out, .flow = nh_flow_new(eq)};
    nh_base_point place = place_of(job, w.flow);
    double first;
    w.l = nh_linearize_at(&place, given_of(job, w.flow, &first));
    job->lost = w.flow->lost;
    if (!w.l)
        return;
    double *values = nh_doubles(&eq->arena, eq->pool.n_symbols);
    nh_model_parameter_values(job->model, &job->context->arena, values);
    w.values = values;
    find_exact(&w, job->model->n_ranges ? job->model->ranges[0].symbol : NH_EXPR_NONE);
    bool found = find_locus(job, &w, &place);
    job->lost = w.flow->lost;
    if (!found)
        return;
    if (job->options.format == NH_FORMAT_JSON)
        print_json(&w);
    else
        print_text(&w);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_linearize(nh_context *context, const nh_model *model, const nh_linearize_options *options,
                             nh_string *text)
{
    if (!context || !model || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    linearize_job job = {context, model, options ? *options : (nh_linearize_options){0}, text, NULL, false};
    nh_status status = nh_context_call(context, linearize, &job);
    nh_equations_free(job.equations);
    return status == NH_ERROR_MODEL && job.lost ? NH_ERROR_NOT_FOUND : status;
}
