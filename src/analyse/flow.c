#include "analyse/flow.h"
#include "algebra/algebra.h"
#include "analyse/corners.h"
#include "analyse/limit.h"

#include <math.h>
#include <string.h>

static nh_expr *array(const nh_flow *f, size_t count)
{
    return nh_arena_array(f->arena, count + 1, sizeof(nh_expr));
}

static uint32_t index_of(const nh_flow *f, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&f->eq->pool, symbol, &index);
    return index;
}

/* ---------------------------------------------------------------- functions of the state */

nh_smooth *nh_smooth_new(nh_flow *f, const nh_expr *roots, size_t count)
{
    const nh_model *model = f->eq->model;
    nh_smooth *s = nh_arena_array(f->arena, 1, sizeof *s);
    nh_expr *changing = array(f, f->size + 1), *constant = array(f, model->n_parameters);
    changing[0] = model->time;
    memcpy(changing + 1, f->symbols, f->size * sizeof *changing);
    for (size_t i = 0; i < model->n_parameters; i++)
        constant[i] = model->parameters[i].symbol;
    s->count = count;
    s->tape = nh_tape_new(&f->eq->pool, f->arena, &f->eq->context->arena, roots, count, changing, f->size + 1,
                          constant, model->n_parameters, NH_FOR_VALUES);
    s->machine = nh_series_new_double(s->tape, f->arena, 0);
    nh_push(f->arena, f->all, f->n_all, f->all_capacity) = s;
    if (f->constants)
        nh_series_constants_double(s->machine, f->constants);
    return s;
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

bool nh_smooth_at(nh_flow *f, nh_smooth *s, const double *inputs, double *values)
{
    memcpy(s->machine->r, inputs, (f->size + 1) * sizeof *inputs);
    if (!nh_series_step_double(s->machine, 0))
        return false;
    for (size_t i = 0; i < s->count; i++)
        values[i] = s->machine->r[s->tape->outputs[i]];
    return all_finite(values, s->count);
}

/* False: a linear system is singular. */
static bool take_derivatives(nh_flow *f, nh_smooth *s, const double *inputs, double *derivatives)
{
    if (!s->jacobian) {
        s->jacobian = nh_jacobian_new(s->tape, f->arena);
        nh_jacobian_constants(s->jacobian, f->constants);
    }
    const nh_jacobian *j = s->jacobian;
    memset(derivatives, 0, s->count * f->size * sizeof *derivatives);
    if (!nh_jacobian_at(s->jacobian, inputs))
        return false;
    for (size_t i = 0; i < s->count; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++)
            if (j->columns[e] > 0) /* 0: the time */
                derivatives[i * f->size + j->columns[e] - 1] = j->values[e];
    return true;
}

bool nh_smooth_has_derivatives(nh_flow *f, nh_smooth *s, const double *inputs, double *derivatives)
{
    return take_derivatives(f, s, inputs, derivatives) && all_finite(derivatives, s->count * f->size);
}

/* By limits where they are 0/0, as those of |v| v, if the functions themselves have values. */
bool nh_smooth_derivatives(nh_flow *f, nh_smooth *s, const double *inputs, double *derivatives)
{
    size_t count = s->count * f->size;
    if (!take_derivatives(f, s, inputs, derivatives))
        return false;
    if (all_finite(derivatives, count))
        return true;
    nh_arena_mark mark = nh_arena_here(f->arena);
    double *values = nh_doubles(f->arena, s->count), *errors = nh_doubles(f->arena, count);
    bool found = nh_smooth_at(f, s, inputs, values) && nh_smooth_limit(f, s, inputs, derivatives, errors);
    nh_arena_release(f->arena, mark);
    return found;
}

/* ---------------------------------------------------------------- the field */

static void add_variable(nh_flow *f, nh_expr symbol, bool angle)
{
    f->names[f->size] = nh_symbol_name(&f->eq->pool, index_of(f, symbol));
    f->angle[f->size] = angle;
    f->symbols[f->size++] = symbol;
}

static void find_variables(nh_flow *f)
{
    const nh_equations *eq = f->eq;
    size_t most = 2 * eq->n + eq->m;
    f->symbols = array(f, most);
    f->names = nh_arena_array(f->arena, most + 1, sizeof *f->names);
    f->angle = nh_arena_array(f->arena, most + 1, sizeof *f->angle);
    for (size_t i = 0; i < eq->n; i++)
        add_variable(f, eq->model->coordinates[i].q, eq->model->coordinates[i].angle);
    for (size_t i = 0; i < eq->n && f->second; i++)
        add_variable(f, eq->model->coordinates[i].rate, false);
    for (size_t alpha = 0; alpha < eq->m && !f->second; alpha++)
        add_variable(f, eq->z[alpha].symbol, false);
}

/* A variable that stands in sines and cosines alone, as the direction of a velocity does, is one: a turn changes nothing. */
static bool is_direction(const nh_flow *f, nh_expr symbol, const nh_expr *roots, size_t count)
{
    const nh_pool *pool = &f->eq->pool;
    nh_arena *scratch = &f->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, count);
    bool stands = false, alone = true;
    for (size_t i = 0; i < walk.count && alone; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_list operands = nh_operands(pool, walk.nodes[i]);
        bool turns = node.kind == NH_CALL && (node.function == NH_FN_sin || node.function == NH_FN_cos);
        for (size_t k = 0; k < operands.count; k++)
            if (operands.items[k] == symbol)
                stands = true, alone = alone && turns;
    }
    for (size_t i = 0; i < count; i++)
        alone = alone && roots[i] != symbol;
    nh_arena_release(scratch, mark);
    return stands && alone;
}

static void find_directions(nh_flow *f)
{
    for (size_t k = f->n; k < f->size && !f->second; k++)
        f->angle[k] = is_direction(f, f->symbols[k], f->rates, f->size);
}

static const double SECONDS_TO_SIMPLIFY = 2;

/* q' = psi, z' = Z; or q' = q', q'' = D. */
static void find_rates(nh_flow *f)
{
    nh_equations *eq = f->eq;
    f->rates = array(f, f->size);
    if (!f->second) {
        memcpy(f->rates, nh_equations_field(eq, SECONDS_TO_SIMPLIFY), f->size * sizeof *f->rates);
        return;
    }
    for (size_t i = 0; i < eq->n; i++) {
        f->rates[i] = eq->model->coordinates[i].rate;
        f->rates[eq->n + i] = eq->second.reason ? eq->first.acceleration[i] : eq->second.D[i];
    }
}

static void find_held(nh_flow *f)
{
    const nh_equations *eq = f->eq;
    const nh_model *model = eq->model;
    nh_expr *held = array(f, model->r + eq->r);
    size_t count = 0;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            held[count++] = model->constraints[a].position;
    for (size_t a = 0; a < eq->r && f->second && eq->second.C; a++)
        held[count++] = eq->second.C[a];
    f->held_roots = held, f->held = nh_smooth_new(f, held, count);
}

static bool has_time(const nh_flow *f, const nh_expr *rates)
{
    const nh_equations *eq = f->eq;
    bool *depends = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, rates, f->size, depends);
    return depends[index_of(f, eq->model->time)];
}

static nh_flow *new_flow(nh_equations *eq, bool second)
{
    nh_flow *f = nh_arena_array(&eq->arena, 1, sizeof *f);
    *f = (nh_flow){.eq = eq, .arena = &eq->arena, .second = second, .n = eq->n};
    find_variables(f);
    find_rates(f);
    find_directions(f);
    f->timed = f->has_time = has_time(f, f->rates);
    f->field = nh_smooth_new(f, f->rates, f->size);
    f->corners = f->field->tape->has_corners;
    f->scale = nh_doubles(f->arena, f->size);
    for (size_t k = 0; k < f->size; k++)
        f->scale[k] = 1;
    find_held(f);
    f->inputs = nh_doubles(f->arena, f->size + 1);
    return f;
}

nh_flow *nh_flow_new(nh_equations *eq) { return new_flow(eq, !eq->first.psi); }

nh_flow *nh_flow_new_second(nh_equations *eq) { return new_flow(eq, true); }

/* ---------------------------------------------------------------- what is given of the parameters */

/* A value of its own that doubles take for 0 and that is not, as 1e-400, counts. */
static bool is_off(const nh_flow *f, size_t i, const nh_expr *own)
{
    nh_equations *eq = f->eq;
    char text[64];
    return !own[i] || nh_flow_number(f, own[i]) != 0 ||
           !nh_is_not_zero_at(&eq->pool, &eq->context->arena, own[i],
                              nh_doubles(f->arena, eq->pool.n_symbols), false, text, sizeof text);
}

/* The formula of a parameter, which its value obeys; NH_EXPR_NONE: it has none, or another value. */
static nh_expr formula_of(const nh_flow *f, const double *values, size_t i)
{
    const nh_equations *eq = f->eq;
    nh_expr e = eq->model->parameters[i].value;
    bool *depends = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    double number = NAN;
    if (!e)
        return NH_EXPR_NONE;
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, depends);
    for (size_t k = 0; k < eq->pool.n_symbols; k++)
        any = any || depends[k];
    if (any)
        nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, values, &number, NULL);
    return number == f->constants[i] ? e : NH_EXPR_NONE;
}

static void find_given(nh_flow *f)
{
    const nh_model *model = f->eq->model;
    const nh_expr *own = NULL;
    double *values = nh_doubles(f->arena, f->eq->pool.n_symbols);
    f->given = array(f, model->n_parameters);
    for (size_t i = 0; i < model->n_parameters; i++)
        values[index_of(f, model->parameters[i].symbol)] = f->constants[i];
    for (size_t i = 0; i < model->n_parameters; i++) {
        own = f->constants[i] == 0 && !own ? nh_flow_parameters(f) : own;
        bool off = f->constants[i] == 0 && is_off(f, i, own);
        f->given[i] = off ? f->eq->pool.zero : formula_of(f, values, i);
    }
}

void nh_flow_put_given(const nh_flow *f, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_equations *eq = f->eq;
    const nh_model *model = eq->model;
    nh_expr *symbols = array(f, model->n_parameters), *values = array(f, model->n_parameters);
    size_t n = 0;
    for (size_t i = 0; i < model->n_parameters; i++)
        if (f->given[i])
            symbols[n] = model->parameters[i].symbol, values[n++] = f->given[i];
    memmove(out, e, count * sizeof *out);
    for (size_t pass = 0; pass < n; pass++) /* values may be formulas in formulas */
        nh_substitute(&eq->pool, &eq->context->arena, out, count, symbols, values, n, out);
}

bool nh_flow_has_same(const nh_flow *f, const nh_expr *given)
{
    return given && memcmp(given, f->given, f->eq->model->n_parameters * sizeof *given) == 0;
}

/* Rates that have no value so, as 0/0, are taken as they are. */
static bool is_timed(const nh_flow *f)
{
    nh_expr *rates = array(f, f->size);
    bool known = true;
    nh_flow_put_given(f, f->rates, f->size, rates);
    for (size_t i = 0; i < f->size; i++)
        known = known && rates[i];
    return !known || has_time(f, rates);
}

bool nh_flow_put(nh_flow *f, const double *values)
{
    const nh_model *model = f->eq->model;
    f->constants = nh_doubles(f->arena, model->n_parameters);
    for (size_t i = 0; i < model->n_parameters; i++)
        f->constants[i] = values[index_of(f, model->parameters[i].symbol)];
    find_given(f);
    f->timed = f->has_time && is_timed(f);
    f->inputs[0] = values[index_of(f, model->time)];
    for (size_t i = 0; i < f->size; i++)
        f->inputs[1 + i] = values[index_of(f, f->symbols[i])];
    for (size_t k = 0; k < f->n_all; k++) {
        nh_series_constants_double(f->all[k]->machine, f->constants);
        if (f->all[k]->jacobian)
            nh_jacobian_constants(f->all[k]->jacobian, f->constants);
    }
    return all_finite(f->inputs, f->size + 1);
}

bool nh_flow_put_parameters(nh_flow *f, const char **without)
{
    const nh_model *model = f->eq->model;
    const nh_pool *pool = &f->eq->pool;
    double *values = nh_doubles(f->arena, pool->n_symbols);
    nh_model_parameter_values(model, &f->eq->context->arena, values);
    for (size_t i = 0; i < pool->n_symbols; i++) {
        bool parameter = i < model->n_roles && model->roles[i].role == NH_ROLE_PARAMETER;
        if (parameter && !isfinite(values[i])) {
            *without = pool->symbols[i];
            return false;
        }
        values[i] = parameter ? values[i] : 0;
    }
    return nh_flow_put(f, values);
}

void nh_flow_values(const nh_flow *f, const double *x, double *values)
{
    const nh_equations *eq = f->eq;
    double *rates = nh_doubles(f->arena, eq->n);
    for (size_t i = 0; i < f->size; i++)
        values[index_of(f, f->symbols[i])] = x[i];
    if (f->second) /* z: some of the q' */
        return;
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, values, rates, NULL);
    for (size_t i = 0; i < eq->n; i++)
        values[index_of(f, eq->model->coordinates[i].rate)] = rates[i];
}

void nh_flow_on_C(const nh_flow *f, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_equations *eq = f->eq;
    nh_expr *rates = nh_arena_array(f->arena, eq->n + 1, sizeof *rates);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    if (f->second)
        memcpy(out, e, count * sizeof *out);
    else
        nh_substitute(&eq->pool, &eq->context->arena, e, count, rates, eq->first.psi, eq->n, out);
}

nh_expr *nh_flow_parameters(const nh_flow *f)
{
    nh_equations *eq = f->eq;
    const nh_model *model = eq->model;
    size_t n = model->n_parameters;
    nh_expr *symbols = nh_arena_array(f->arena, n + 1, sizeof *symbols),
            *values = nh_arena_array(f->arena, n + 1, sizeof *values);
    for (size_t i = 0; i < n; i++)
        symbols[i] = model->parameters[i].symbol, values[i] = model->parameters[i].value;
    for (size_t pass = 0; pass < n; pass++) /* values may be formulas in other parameters */
        nh_substitute(&eq->pool, &eq->context->arena, values, n, symbols, values, n, values);
    return values;
}

nh_expr *nh_flow_exact_parameters(const nh_flow *f)
{
    const nh_model *model = f->eq->model;
    nh_expr *out = nh_arena_array(f->arena, f->eq->pool.n_symbols + 1, sizeof *out);
    const nh_expr *own = nh_flow_parameters(f);
    for (size_t i = 0; i < model->n_parameters; i++)
        if (own[i] && nh_flow_number(f, own[i]) == f->constants[i])
            out[index_of(f, model->parameters[i].symbol)] = own[i];
    return out;
}

double nh_flow_number(const nh_flow *f, nh_expr e)
{
    double *values = nh_doubles(f->arena, f->eq->pool.n_symbols), out = NAN;
    nh_model_parameter_values(f->eq->model, &f->eq->context->arena, values);
    nh_evaluate(&f->eq->pool, &f->eq->context->arena, &e, 1, values, &out, NULL);
    return out;
}

/* ---------------------------------------------------------------- with rounding errors */

static void make_derivatives(nh_flow *f)
{
    nh_equations *eq = f->eq;
    size_t n = f->size;
    nh_expr *column = array(f, n), *rates = array(f, n);
    nh_roots_of_squares(f, f->rates, n, rates);
    f->derivatives = array(f, n * n);
    for (size_t k = 0; k < n; k++) {
        nh_directional(&eq->pool, &eq->context->arena, rates, n, &f->symbols[k], &eq->pool.one, 1, column);
        for (size_t i = 0; i < n; i++)
            f->derivatives[i * n + k] = column[i];
    }
}

double *nh_flow_symbols(const nh_flow *f, const double *inputs)
{
    const nh_model *model = f->eq->model;
    double *values = nh_doubles(f->arena, f->eq->pool.n_symbols);
    for (size_t i = 0; i < model->n_parameters; i++)
        values[index_of(f, model->parameters[i].symbol)] = f->constants[i];
    values[index_of(f, model->time)] = inputs[0];
    for (size_t i = 0; i < f->size; i++)
        values[index_of(f, f->symbols[i])] = inputs[1 + i];
    return values;
}

bool nh_flow_exactly(nh_flow *f, const double *inputs, double *rates, double *rate_errors,
                     double *derivatives, double *errors)
{
    nh_equations *eq = f->eq;
    size_t n = f->size;
    const double *values = nh_flow_symbols(f, inputs);
    nh_evaluate(&eq->pool, &eq->context->arena, f->rates, n, values, rates, rate_errors);
    if (!all_finite(rates, n) || !all_finite(rate_errors, n) || !derivatives)
        return !derivatives && all_finite(rates, n) && all_finite(rate_errors, n);
    if (!f->derivatives)
        make_derivatives(f);
    nh_evaluate(&eq->pool, &eq->context->arena, f->derivatives, n * n, values, derivatives, errors);
    f->limits = !all_finite(derivatives, n * n) || !all_finite(errors, n * n);
    if (f->limits && !nh_smooth_limit(f, f->field, inputs, derivatives, errors))
        return false;
    for (size_t i = 0; i < n * n; i++)
        if (fabs(derivatives[i]) <= errors[i])
            derivatives[i] = 0;
    return all_finite(derivatives, n * n) && all_finite(errors, n * n);
}

const signed char *nh_flow_signs(const nh_flow *f)
{
    const nh_equations *eq = f->eq;
    signed char *signs = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(eq->model, &eq->context->arena), eq->model->pool.n_symbols);
    return signs;
}
