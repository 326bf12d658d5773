/* The equations of motion, and every object of both recipes, as JSON. */
#include "present/objects.h"

#include <string.h>

typedef nh_writer writer;

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

/* By the key, which is the name of the object; R of the first kind is R_first. */
static bool is_wanted(const writer *w, bool first, const char *key)
{
    for (nh_choice k = NH_OBJECT_g; k < NH_CHOICES; k++)
        if (strcmp(first && strcmp(key, "R") == 0 ? "R_first" : key, nh_choice_names[k]) == 0)
            return nh_is_wanted(w, k);
    return true;
}

static void json_vector(writer *w, const char *key, const nh_expr *e, size_t count)
{
    if (!is_wanted(w, e == w->forms->R_first, key))
        return;
    json_key(w, key);
    if (e)
        json_list(w, e, count);
    else
        nh_text_str(w->out, "null");
}

static void json_matrix(writer *w, const char *key, const nh_expr *e, size_t rows, size_t columns)
{
    if (!is_wanted(w, false, key))
        return;
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
    if (!nh_is_wanted(w, NH_PART_FIRST))
        return;
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
    if (!nh_is_wanted(w, NH_PART_SECOND))
        return;
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

void nh_derive_json(writer *w)
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
