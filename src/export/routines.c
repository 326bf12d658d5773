/* What is computed: each routine as a tape, and what of it is needed. */
#include "export/writer.h"

#include <string.h>

const char *const nh_routine_names[NH_ROUTINES] = {
    "first_kind",         "first_psi",      "first_reactions", "first_multipliers",
    "first_energy",       "first_observed", "second_kind",     "second_reactions",
    "second_multipliers", "second_energy",  "second_observed", "second_constraints"};

/* For shorter forms: of the equations of the first kind, and of all the rest, in systems of a few coordinates. */
static const double SECONDS_TO_SIMPLIFY = 1, SECONDS_FOR_ALL = 3;
enum { MOST_COORDINATES = 8 };

static nh_expr *array(nh_export *e, size_t count)
{
    return nh_arena_array(e->arena, count + 1, sizeof(nh_expr));
}

/* ---------------------------------------------------------------- variables */

typedef struct variables {
    nh_variable *items;
    size_t count, changing;
} variables;

static void add(variables *v, nh_expr symbol, const char *name, nh_from from, size_t index)
{
    v->items[v->count++] = (nh_variable){symbol, name, from, index};
}

/* Whether q'^i is among the z. */
static bool is_z(const nh_equations *eq, size_t i)
{
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (eq->z[alpha].rate_of == (int64_t)i)
            return true;
    return false;
}

/* t, q, then z and, by psi, q' without those that are z; or t, q, q'. */
static variables variables_of(nh_export *e, bool in_z)
{
    const nh_equations *eq = e->eq;
    const nh_model *model = eq->model;
    size_t most = 1 + 2 * eq->n + eq->m + model->n_parameters;
    variables v = {nh_arena_array(e->arena, most + 1, sizeof *v.items), 0, 0};
    add(&v, model->time, "t", NH_FROM_TIME, 0);
    for (size_t i = 0; i < eq->n; i++)
        add(&v, model->coordinates[i].q, e->q[i], NH_FROM_STATE, i);
    for (size_t alpha = 0; alpha < eq->m && in_z; alpha++)
        add(&v, eq->z[alpha].symbol, e->z[alpha], NH_FROM_STATE, eq->n + alpha);
    for (size_t i = 0; i < eq->n; i++)
        if (!in_z)
            add(&v, model->coordinates[i].rate, e->rates[i], NH_FROM_STATE, eq->n + i);
        else if (!is_z(eq, i))
            add(&v, model->coordinates[i].rate, e->rates[i], NH_FROM_RATE, i);
    v.changing = v.count;
    for (size_t i = 0; i < model->n_parameters; i++)
        add(&v, model->parameters[i].symbol, e->parameters[i], NH_FROM_PARAMETERS, i);
    return v;
}

/* ---------------------------------------------------------------- what is needed */

static void need(bool *live, const uint32_t *registers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        live[registers[i]] = true;
}

/* Derivatives that a tape has beside a function are for series: nobody needs them here. */
static bool has_second_operand(const nh_step *step)
{
    switch ((nh_op)step->op) {
    case NH_OP_ADD:
    case NH_OP_SUB:
    case NH_OP_MUL:
    case NH_OP_SCALE:
    case NH_OP_DIV:
    case NH_OP_POWER:
    case NH_OP_ATAN2:
    case NH_OP_MIN:
    case NH_OP_MAX: return true;
    default: return false;
    }
}

bool nh_step_is_needed(const nh_routine *r, const nh_step *step)
{
    size_t count = nh_op_is_pair(step->op) ? 2 : step->op == NH_OP_SOLVE ? r->tape->systems[step->a].n : 1;
    for (size_t i = 0; i < count; i++)
        if (r->live[step->out + i])
            return true;
    return false;
}

static void need_operands(nh_routine *r, const nh_step *step)
{
    const nh_tape *t = r->tape;
    bool *live = r->live;
    if (!nh_step_is_needed(r, step))
        return;
    if (step->op == NH_OP_SOLVE) {
        const nh_linear *system = &t->systems[step->a];
        need(live, system->matrix, (size_t)system->n * system->n);
        need(live, system->right, system->n);
        return;
    }
    live[step->a] = true;
    live[step->out] = live[step->out] || step->op == NH_OP_TANH; /* 1 - tanh^2 is made of tanh */
    if (has_second_operand(step))
        live[step->b] = true;
}

static void find_live(nh_export *e, nh_routine *r)
{
    const nh_tape *t = r->tape;
    r->live = nh_arena_array(e->arena, t->n_registers + 1, sizeof *r->live);
    for (size_t i = 0; i < t->n_outputs; i++)
        if (!r->undefined[i])
            r->live[t->outputs[i]] = true;
    for (size_t i = t->n_steps; i-- > 0;)
        need_operands(r, &t->steps[i]);
    for (size_t i = t->n_before; i-- > 0;)
        need_operands(r, &t->before[i]);
    for (size_t i = 0; i < t->n_inputs + t->n_constant_inputs; i++) {
        nh_from from = r->variables[i].from;
        r->uses_time = r->uses_time || (r->live[i] && from == NH_FROM_TIME);
        r->uses_state = r->uses_state || (r->live[i] && from == NH_FROM_STATE);
        r->uses_rates = r->uses_rates || (r->live[i] && from == NH_FROM_RATE);
        r->uses_parameters = r->uses_parameters || (r->live[i] && from == NH_FROM_PARAMETERS);
    }
}

static bool uses(const nh_routine *r, nh_op op)
{
    const nh_tape *t = r->tape;
    for (size_t i = 0; i < t->n_before; i++)
        if (t->before[i].op == op && nh_step_is_needed(r, &t->before[i]))
            return true;
    for (size_t i = 0; i < t->n_steps; i++)
        if (t->steps[i].op == op && nh_step_is_needed(r, &t->steps[i]))
            return true;
    return false;
}

bool nh_export_uses(const nh_export *e, nh_op op)
{
    for (size_t k = 0; k < NH_ROUTINES; k++)
        if (e->routines[k].tape && uses(&e->routines[k], op))
            return true;
    return false;
}

/* ---------------------------------------------------------------- a routine */

/* Why an expression has no value at this kind of state; NULL: it has one. */
static const char *no_value(nh_export *e, nh_expr root, const variables *v)
{
    const nh_pool *pool = &e->eq->pool;
    if (root == NH_EXPR_NONE)
        return "it divides by zero";
    bool *occurs = nh_arena_array(e->arena, pool->n_symbols + 1, sizeof *occurs);
    nh_find_symbols(pool, &e->eq->context->arena, &root, 1, occurs);
    for (size_t i = 0; i < v->count; i++) {
        uint32_t index = 0;
        nh_is_symbol(pool, v->items[i].symbol, &index);
        occurs[index] = false;
    }
    for (size_t i = 0; i < pool->n_symbols; i++)
        if (occurs[i])
            return "it is no function of this state";
    return NULL;
}

/* Roots without a value are 0 on the tape. */
static void make(nh_export *e, nh_routine_id id, const nh_expr *given, size_t count, bool in_z)
{
    nh_equations *eq = e->eq;
    nh_routine *r = &e->routines[id];
    variables v = variables_of(e, in_z);
    nh_expr *roots = array(e, count), *symbols = array(e, v.count);
    r->undefined = nh_arena_array(e->arena, count + 1, sizeof *r->undefined);
    bool told = id == NH_FIRST_OBSERVED || id == NH_SECOND_OBSERVED;
    for (size_t i = 0; i < count; i++) {
        r->undefined[i] = told || !given[i] ? no_value(e, given[i], &v) : NULL;
        roots[i] = r->undefined[i] ? eq->pool.zero : given[i];
    }
    for (size_t i = 0; i < v.count; i++)
        symbols[i] = v.items[i].symbol;
    r->id = id, r->variables = v.items;
    r->tape = nh_tape_new(&eq->pool, e->arena, &eq->context->arena, roots, count, symbols, v.changing,
                          symbols + v.changing, v.count - v.changing, NH_FOR_VALUES);
    find_live(e, r);
}

static void miss(nh_export *e, nh_routine_id id, const char *reason) { e->routines[id].reason = reason; }

/* R_i and lambda_a of one kind in the place of the symbols for them. */
static nh_expr *observed(nh_export *e, bool in_z)
{
    nh_equations *eq = e->eq;
    const nh_model *model = eq->model;
    nh_expr *symbols = array(e, model->n_roles), *values = array(e, model->n_roles),
            *roots = array(e, model->n_observed);
    size_t found = nh_equations_special(eq, in_z || eq->second.reason, symbols, values);
    for (size_t i = 0; i < model->n_observed; i++)
        roots[i] = model->observed[i].value;
    nh_substitute(&eq->pool, &eq->context->arena, roots, model->n_observed, symbols, values, found, roots);
    return roots;
}

/* q', then q''. */
static nh_expr *with_rates(nh_export *e, const nh_expr *acceleration)
{
    size_t n = e->eq->n;
    nh_expr *roots = array(e, 2 * n);
    for (size_t i = 0; i < n; i++)
        roots[i] = e->eq->model->coordinates[i].rate, roots[n + i] = acceleration[i];
    return roots;
}

/* ---------------------------------------------------------------- both kinds */

/* As it comes, or simplified: the one with fewer operations. */
static const nh_expr *shorter(nh_export *e, const nh_expr *raw, const nh_expr *simple, size_t count)
{
    const nh_pool *pool = &e->eq->pool;
    nh_arena *scratch = &e->eq->context->arena;
    if (!e->forms || !simple)
        return raw;
    return nh_count_operations(pool, scratch, simple, count) < nh_count_operations(pool, scratch, raw, count)
               ? simple
               : raw;
}

/* Energies and what is observed are functions of q' too, which psi gives. */
static void make_shared(nh_export *e, bool first, bool in_z)
{
    const nh_equations *eq = e->eq;
    const nh_model *model = eq->model;
    const nh_expr energies[] = {model->kinetic, model->potential};
    make(e, first ? NH_FIRST_ENERGY : NH_SECOND_ENERGY, energies, 2, in_z);
    if (model->n_observed)
        make(e, first ? NH_FIRST_OBSERVED : NH_SECOND_OBSERVED, observed(e, in_z), model->n_observed, in_z);
    nh_routine_id multipliers = first ? NH_FIRST_MULTIPLIERS : NH_SECOND_MULTIPLIERS;
    if (!eq->second.reason && eq->r)
        make(e, multipliers, shorter(e, eq->second.lambda, e->forms ? e->forms->lambda : NULL, eq->r), eq->r,
             in_z);
    else
        miss(e, multipliers, eq->r ? eq->second.reason : "there are no constraints");
}

static void make_first(nh_export *e)
{
    nh_equations *eq = e->eq;
    size_t n = eq->n;
    bool in_z = eq->first.psi != NULL;
    const nh_expr *field =
        in_z ? nh_equations_field(eq, SECONDS_TO_SIMPLIFY) : with_rates(e, eq->first.acceleration);
    make(e, NH_FIRST_KIND, field, n + (in_z ? eq->m : n), in_z);
    if (in_z)
        make(e, NH_FIRST_PSI, field, n, true);
    else
        miss(e, NH_FIRST_PSI, "the constraints cannot be solved in formulas; the first kind is in q'");
    make(e, NH_FIRST_REACTIONS, shorter(e, eq->first.R, e->forms ? e->forms->R_first : NULL, n), n, in_z);
    make_shared(e, true, in_z);
}

static void make_second(nh_export *e)
{
    nh_equations *eq = e->eq;
    if (eq->second.reason) {
        miss(e, NH_SECOND_KIND, eq->second.reason);
        return;
    }
    const nh_forms *f = e->forms;
    make(e, NH_SECOND_KIND, with_rates(e, shorter(e, eq->second.D, f ? f->D : NULL, eq->n)), 2 * eq->n,
         false);
    make(e, NH_SECOND_REACTIONS, shorter(e, eq->second.R, f ? f->R : NULL, eq->n), eq->n, false);
    make_shared(e, false, false);
    if (eq->r)
        make(e, NH_SECOND_CONSTRAINTS, eq->second.C, eq->r, false);
}

static const char *const meanings[NH_ROUTINES] = {
    "(q', z'): the equations of the first kind, q' = psi(q,z,t), z' = Z(q,z,t)",
    "q' = psi(q,z,t), the velocities of the coordinates",
    "R_i, the reactive forces",
    "lambda_a, the multipliers",
    "kinetic and potential energy",
    "what the model observes",
    "(q', q''): the equations of the second kind, q'' = D(q,q',t)",
    "R_i = lambda_a dC^a/dq'^i, the reactive forces",
    "lambda_a, the multipliers",
    "kinetic and potential energy",
    "what the model observes",
    "C^a(q,q',t), which is 0 along the motion"};

void nh_make_routines(nh_export *e)
{
    bool small = e->eq->n <= MOST_COORDINATES && !e->eq->second.system;
    e->forms = small ? nh_equations_forms(e->eq, SECONDS_FOR_ALL) : NULL;
    make_first(e);
    make_second(e);
    for (size_t k = 0; k < NH_ROUTINES; k++)
        e->routines[k].meaning = meanings[k];
    if (!e->eq->first.psi)
        e->routines[NH_FIRST_KIND].meaning = "(q', q''): the equations of the first kind, on the constraint";
}
