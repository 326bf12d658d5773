/* Why there is no start: the messages. */
#include "derive/refused.h"
#include "derive/judge.h"

#include <math.h>

bool nh_refuse_start(nh_equations *eq, const char *hint, const char *message)
{
    nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, hint, "%s", message);
    return false;
}

bool nh_parameters_have_values(nh_equations *eq, const double *values)
{
    const nh_model *model = eq->model;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->first.acceleration, eq->n, depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->first.R, eq->n, depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->p, eq->n, depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->L, eq->n, depends);
    if (eq->second.C)
        nh_find_symbols(&eq->pool, &eq->context->arena, eq->second.C, eq->r, depends);
    if (eq->first.psi)
        nh_find_symbols(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, depends);
    nh_text names;
    nh_text_init(&names, &eq->arena);
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, model->parameters[i].symbol, &index);
        if (depends[index] && !isfinite(values[index]))
            nh_text_format(&names, "%s%s", names.length ? ", " : "", model->parameters[i].name);
    }
    if (!names.length)
        return true;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message, "numbers are needed for the parameters %s", nh_text_get(&names));
    return nh_refuse_start(eq,
                           eq->of_table ? "give them in 'parameters', with --set or as columns of the starts"
                                        : "give them in 'parameters' or with --set",
                           nh_text_get(&message));
}

/* The largest of all F. The problem was looked at. */
static double largest_of(const nh_problem *p)
{
    double largest = 0;
    for (size_t a = 0; a < p->count; a++)
        largest = fmax(largest, fabs(p->out[a]));
    return largest;
}

/* Relative to what the constraints are made of, where not all of that is 0. */
static bool violation(const nh_attempt *t)
{
    nh_equations *eq = t->whole->eq;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message, "the initial %s violate the constraints by ",
                   t->rates ? "velocities" : "coordinates");
    nh_text_six(&message, isfinite(t->off) ? t->off : largest_of(t->whole));
    const char *hint = !t->project ? "change them, or let them be moved with --project"
                       : t->moved == NH_SEVERAL_FOUND
                           ? "change them: no unique nearest ones satisfy the constraints"
                           : "change them: no nearest ones were found that satisfy the constraints";
    return nh_refuse_start(eq, hint, nh_text_get(&message));
}

/* Of so many times its rounding error a number has no digit that can be relied on: 1 - cos(w) at the triple root of w = sin(w), which
 * is known to four digits of w less than others. */
static const double NO_DIGITS = 1e4;

/* The first equation whose derivatives all vanish as far as anybody can tell, the state being known to twelve digits; count: none. It
 * cannot be solved for anything there. */
static size_t vanishing(nh_problem *p)
{
    nh_equations *eq = p->eq;
    size_t n = p->n;
    double *radii = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *radii),
           *errors = nh_arena_array(&eq->arena, p->count * n + 1, sizeof *errors),
           *slope = nh_arena_array(&eq->arena, p->count * n + 1, sizeof *slope);
    for (size_t i = 0; i < eq->n; i++) {
        const nh_expr own[] = {eq->model->coordinates[i].q, eq->model->coordinates[i].rate};
        for (size_t k = 0; k < 2; k++)
            *nh_slot_of(eq, radii, own[k]) = 1e-12 * fmax(1, fabs(*nh_slot_of(eq, p->values, own[k])));
    }
    nh_evaluate_within(&eq->pool, &eq->context->arena, p->roots + p->count, p->count * n, p->values, radii,
                       slope, errors);
    nh_evaluator_at(p->evaluator, &eq->context->arena, p->values, p->out, p->errors);
    for (size_t a = 0; a < p->count; a++) {
        bool flat = true;
        for (size_t i = 0; i < n; i++) {
            double error = fmax(errors[a * n + i], NO_DIGITS * p->errors[p->count + a * n + i]);
            flat = flat && fabs(slope[a * n + i]) <= error && isfinite(error);
        }
        if (flat)
            return a;
    }
    return p->count;
}

/* Says so where an equation is such a one; otherwise false, and nothing is said. */
bool nh_problem_is_singular(nh_problem *whole, bool rates)
{
    nh_equations *eq = whole->eq;
    size_t a = vanishing(whole);
    if (a == whole->count)
        return false;
    const nh_constraint *c = rates && eq->model->r ? &eq->model->constraints[a] : NULL;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message,
                   "the initial state is singular: the derivatives of %s%s by the %s all vanish there",
                   c ? "the constraint " : "a constraint", c ? *c->name ? c->name : c->text : "",
                   rates ? "velocities" : "coordinates");
    nh_refuse_start(eq, "give another state in 'initial' or with --start", nh_text_get(&message));
    return true;
}

/* The names of the unknowns by which two solutions differ; none: not known. */
static void name_different(const nh_attempt *t, nh_text *names)
{
    const nh_model *model = t->whole->eq->model;
    double most = 0;
    for (size_t k = 0; k < t->rest->n; k++)
        most = fmax(most, fabs(t->apart[k]));
    for (size_t k = 0; k < t->rest->n; k++) {
        nh_expr x = t->rest->unknowns[k];
        for (size_t i = 0; i < model->n && fabs(t->apart[k]) > 1e-3 * most; i++)
            if (x == (t->rates ? model->coordinates[i].rate : model->coordinates[i].q))
                nh_text_format(names, "%s%s%s", names->length ? " or " : "", model->coordinates[i].name,
                               t->rates ? "'" : "");
    }
}

/* There is none with the given ones held, or another one is as near. */
static bool not_unique(const nh_attempt *t)
{
    nh_equations *eq = t->whole->eq;
    bool several = t->rest && t->found == NH_SEVERAL_FOUND;
    nh_text message, hint;
    nh_text_init(&message, &eq->arena);
    nh_text_init(&hint, &eq->arena);
    nh_text_format(&message, "no %sinitial %s %s the constraints with the given ones held",
                   several ? "unique " : "", t->rates ? "velocities" : "coordinates",
                   several ? "satisfy" : "were found that satisfy");
    if (several)
        name_different(t, &hint);
    nh_text whole;
    nh_text_init(&whole, &eq->arena);
    nh_text_format(&whole, "give %s in 'initial'",
                   hint.length ? nh_text_get(&hint)
                   : several   ? "more of them"
                               : "others, or more of them,");
    return nh_refuse_start(eq, nh_text_get(&whole), nh_text_get(&message));
}

/* Where an equation is no number with what is given, an input 0/0 say, nothing can be found for it. */
static bool have_values(const nh_problem *whole, bool rates)
{
    nh_equations *eq = whole->eq;
    size_t a = 0;
    while (a < whole->count && isfinite(whole->out[a]))
        a++;
    if (a == whole->count)
        return true;
    const nh_constraint *c = rates && eq->model->r ? &eq->model->constraints[a] : NULL;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message, "%s%s%s has no finite value at the initial state",
                   c && c->position ? "the derivative of " : "", c ? "the constraint " : "a constraint",
                   c ? *c->name ? c->name : c->text : "");
    return nh_refuse_start(eq, "give another state in 'initial', or another time with --start t=...",
                           nh_text_get(&message));
}

/* Says so where what is given leaves no solution of an equation of those that are left. */
static bool is_contradicted(const nh_problem *rest, bool rates)
{
    nh_equations *eq = rest->eq;
    const nh_model *model = eq->model;
    for (size_t a = 0; a < rest->count; a++) {
        nh_expr F = rest->roots[a];
        if (!nh_is_contradicted(eq, F, rest->values, rest->unknowns, rest->n))
            continue;
        const nh_constraint *c = NULL;
        for (size_t i = 0; i < model->r; i++)
            if (F == (rates ? model->constraints[i].C : model->constraints[i].position))
                c = &model->constraints[i];
        nh_text message;
        nh_text_init(&message, &eq->arena);
        nh_text_format(&message, "the given initial %s contradict %s%s", rates ? "velocities" : "coordinates",
                       c ? "the constraint " : "a constraint", c ? *c->name ? c->name : c->text : "");
        if (!nh_contains_any(eq, F, rest->unknowns, rest->n)) {
            double off, error;
            nh_evaluate(&eq->pool, &eq->context->arena, &F, 1, rest->values, &off, &error);
            nh_text_str(&message, " by "), nh_text_double(&message, fabs(off));
        }
        nh_refuse_start(eq, "change them, leave some of them out, or let them be moved with --project",
                        nh_text_get(&message));
        return true;
    }
    return false;
}

bool nh_refuse_attempt(const nh_attempt *t)
{
    nh_problem_look(t->whole);
    if (t->found == NH_SEVERAL_FOUND && !t->project)
        return not_unique(t);
    bool open = t->enough && !(t->project && t->found == NH_NONE_FOUND);
    if (!have_values(t->whole, t->rates) || (open && t->rest && is_contradicted(t->rest, t->rates)))
        return false;
    if (!open && !t->project && t->off > 1e-6)
        return violation(t);
    if (nh_problem_is_singular(t->whole, t->rates))
        return false;
    return open ? not_unique(t) : violation(t);
}
