/* What a file says of itself: the system, the tables of indices, the functions. */
#include "export/writer.h"

#include <stdarg.h>
#include <string.h>

/* ---------------------------------------------------------------- lines */

/* Texts of the model end no comment and begin none, in any of the languages. */
static bool is_broken(char c, char next)
{
    return (c == '*' && next == '/') || (c == '/' && next == '*') || (c == '?' && next == '?');
}

void nh_comment(nh_export *e, const char *text)
{
    size_t length = strlen(text);
    nh_text_add(e->out, e->dialect->comment, strlen(e->dialect->comment) - (length == 0));
    for (size_t i = 0; i < length; i++) {
        nh_text_char(e->out, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
        if (is_broken(text[i], text[i + 1]))
            nh_text_char(e->out, ' ');
    }
    nh_text_char(e->out, '\n');
}

/* %s only. */
void nh_comment_format(nh_export *e, const char *format, ...)
{
    va_list arguments;
    nh_text line;
    nh_text_init(&line, e->arena);
    va_start(arguments, format);
    for (const char *c = format; *c; c++)
        if (c[0] == '%' && c[1] == 's')
            nh_text_str(&line, va_arg(arguments, const char *)), c++;
        else
            nh_text_char(&line, *c);
    va_end(arguments);
    nh_comment(e, nh_text_get(&line));
}

/* "    3  theta, an angle" */
static void table_line(nh_export *e, size_t i, const char *text, const char *more)
{
    nh_text line;
    nh_text_init(&line, e->arena);
    nh_text_format(&line, "    %zu  %s%s", i + e->dialect->origin, text, more);
    nh_comment(e, nh_text_get(&line));
}

/* ---------------------------------------------------------------- tables */

static void describe_state(nh_export *e, const char *head, bool in_z)
{
    const nh_equations *eq = e->eq;
    const nh_coordinate *q = eq->model->coordinates;
    nh_comment(e, "");
    nh_comment(e, head);
    for (size_t i = 0; i < eq->n; i++)
        table_line(e, i, q[i].name, q[i].angle ? ", an angle" : "");
    for (size_t alpha = 0; alpha < eq->m && in_z; alpha++)
        table_line(e, eq->n + alpha, eq->z[alpha].name, "");
    for (size_t i = 0; i < eq->n && !in_z; i++)
        table_line(e, eq->n + i, q[i].name, "'");
}

static void describe_states(nh_export *e)
{
    bool in_z = e->eq->first.psi != NULL, second = e->routines[NH_SECOND_KIND].tape != NULL;
    if (in_z)
        describe_state(e, "state of the first kind: the coordinates q and the velocities z", true);
    if (second || !in_z)
        describe_state(e,
                       in_z ? "state of the second kind: the coordinates q and their velocities q'"
                            : "state, of both kinds: the coordinates q and their velocities q'",
                       false);
}

/* A parameter's value as the model gives it: it may depend on others, which the number does not. */
static void describe_parameters(nh_export *e)
{
    const nh_model *model = e->eq->model;
    if (model->n_parameters == 0)
        return;
    nh_comment(e, "");
    nh_comment(e, "par: the parameters, with the values of the model, which stand in parameter_values");
    for (size_t i = 0; i < model->n_parameters; i++) {
        nh_text value;
        nh_text_init(&value, e->arena);
        if (model->parameters[i].value) {
            nh_text_str(&value, " = ");
            nh_expr_print(&value, &model->pool, model->parameters[i].value, 200);
        } else
            nh_text_str(&value, ", which has no value");
        table_line(e, i, model->parameters[i].name, nh_text_get(&value));
    }
}

static void describe_constraints(nh_export *e)
{
    const nh_model *model = e->eq->model;
    if (model->r == 0)
        return;
    nh_comment(e, "");
    nh_comment(e, "constraints, in the order of the multipliers");
    for (size_t a = 0; a < model->r; a++) {
        const nh_constraint *c = &model->constraints[a];
        static const char *const components[] = {"", ", component 1", ", component 2", ", component 3"};
        nh_text text;
        nh_text_init(&text, e->arena);
        nh_text_format(&text, "%s%s%s", c->name, *c->name ? ": " : "", c->text);
        table_line(e, a, nh_text_get(&text), components[c->component]);
    }
}

static void describe_observed(nh_export *e)
{
    const nh_model *model = e->eq->model;
    if (model->n_observed == 0)
        return;
    nh_comment(e, "");
    nh_comment(e, "what is observed");
    for (size_t i = 0; i < model->n_observed; i++)
        table_line(e, i, model->observed[i].name, "");
}

/* ---------------------------------------------------------------- functions */

enum { COLUMN = 22 };

static void describe_routine(nh_export *e, nh_routine_id id)
{
    const nh_routine *r = &e->routines[id];
    const char *name = nh_routine_names[id];
    nh_text line;
    nh_text_init(&line, e->arena);
    nh_text_format(&line, "    %s", name);
    nh_text_repeat(&line, ' ', COLUMN - strlen(name));
    if (r->tape)
        nh_text_str(&line, r->meaning);
    else
        nh_text_format(&line, "is not there: %s", r->reason);
    nh_comment(e, nh_text_get(&line));
}

static void describe_routines(nh_export *e)
{
    nh_comment(e, "");
    nh_comment(e, "functions, of the time t, a state, and par; those of the first kind begin with first_");
    for (nh_routine_id id = 0; id < NH_ROUTINES; id++)
        if (e->routines[id].tape || e->routines[id].reason)
            describe_routine(e, id);
}

void nh_describe(nh_export *e)
{
    const char *title = e->eq->model->title;
    nh_comment_format(e, "The equations of motion, written by nonholo %s, of", nh_version());
    nh_comment(e, "");
    nh_comment_format(e, "    %s", title && *title ? title : "a system without a name");
    describe_states(e);
    describe_parameters(e);
    describe_constraints(e);
    describe_observed(e);
    describe_routines(e);
    if (!e->start) {
        nh_comment(e, "");
        nh_comment_format(e, "There is no initial state: %s", e->no_start);
    }
    nh_comment(e, "");
}
