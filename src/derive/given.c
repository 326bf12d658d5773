/* What the values of the parameters say. Proofs treat parameters as symbols, which have a sign; two things a symbol does not
 * know: that its value is 0, where what is divided by it has none, and that it is a formula in others, M = 2 m. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

static uint32_t index_of(const nh_equations *eq, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return index;
}

/* The parameters without a sign: within rounding they are 0. */
static size_t zeros_of(nh_equations *eq, nh_expr *symbols)
{
    const nh_model *model = eq->model;
    const signed char *signs = nh_model_signs(model, &eq->context->arena);
    size_t count = 0;
    for (size_t i = 0; i < model->n_parameters; i++)
        if (signs[index_of(eq, model->parameters[i].symbol)] == 0)
            symbols[count++] = model->parameters[i].symbol;
    return count;
}

void nh_put_zeros(nh_equations *eq, const nh_expr *e, size_t count, nh_expr *out)
{
    size_t n = eq->model->n_parameters;
    nh_arena_mark mark = nh_arena_here(&eq->context->arena);
    nh_expr *symbols = nh_array(eq, n), *values = nh_array(eq, n);
    size_t zeros = zeros_of(eq, symbols);
    for (size_t i = 0; i < zeros; i++)
        values[i] = eq->pool.zero;
    if (zeros)
        nh_substitute(&eq->pool, &eq->context->arena, e, count, symbols, values, zeros, out);
    else if (out != e)
        memcpy(out, e, count * sizeof *out);
    nh_arena_release(&eq->context->arena, mark);
}

static bool is_formula(const nh_equations *eq, nh_expr value)
{
    bool any = false;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends);
    if (value)
        nh_find_symbols(&eq->pool, scratch, &value, 1, depends);
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        any = any || depends[i];
    nh_arena_release(scratch, mark);
    return any;
}

nh_given_values nh_find_given(nh_equations *eq)
{
    const nh_model *model = eq->model;
    const signed char *signs = nh_model_signs(model, &eq->context->arena);
    size_t n = model->n_parameters;
    nh_given_values g = {.formulas = nh_array(eq, n), .values = nh_array(eq, n), .others = nh_array(eq, n)};
    g.has_zeros = zeros_of(eq, nh_array(eq, n)) > 0;
    for (size_t i = 0; i < n; i++) {
        const nh_parameter *p = &model->parameters[i];
        if (is_formula(eq, p->value) && signs[index_of(eq, p->symbol)] != 0)
            g.formulas[g.n_formulas] = p->symbol, g.values[g.n_formulas++] = p->value;
        else
            g.others[g.n_others++] = p->symbol;
    }
    for (size_t pass = 1; pass < g.n_formulas; pass++) /* values may be formulas in formulas */
        nh_substitute(&eq->pool, &eq->context->arena, g.values, g.n_formulas, g.formulas, g.values,
                      g.n_formulas, g.values);
    return g;
}

void nh_put_given(nh_equations *eq, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(&eq->context->arena);
    nh_given_values g = nh_find_given(eq);
    nh_substitute(&eq->pool, &eq->context->arena, e, count, g.formulas, g.values, g.n_formulas, out);
    nh_put_zeros(eq, out, count, out);
    nh_arena_release(&eq->context->arena, mark);
}

bool nh_rows_depend(nh_equations *eq, size_t rows, const nh_expr *M)
{
    size_t n = eq->n;
    nh_given_values g = nh_find_given(eq);
    if (!g.has_zeros && !g.n_formulas)
        return false; /* nothing was taken in that follows from the rest */
    nh_expr *all = nh_array(eq, rows * n);
    nh_put_given(eq, M, rows * n, all);
    return nh_have_values(all, rows * n) && nh_rows_follow(eq, rows, n, all);
}

enum { MOST_ROWS = 12, PLACES = 6 };

/* Whether they do at the start and at all states around it that satisfy the equations of the positions: x = y is a branch of
 * x^2 = y^2, where its derivative is that of x - y. What is divided by x - y is true on the other branch alone. */
static bool depend_around_start(nh_equations *eq)
{
    bool positions = false;
    for (size_t a = 0; a < eq->model->r; a++)
        positions = positions || eq->model->constraints[a].position;
    if (!positions || eq->r < 2 || eq->r > MOST_ROWS)
        return false;
    const double *start = nh_start_quietly(eq);
    double *here = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *here);
    bool depend = start && nh_rows_depend_at(eq, start);
    for (uint64_t k = 0; k < PLACES && depend; k++) {
        memcpy(here, start, eq->pool.n_symbols * sizeof *here);
        for (size_t i = 0; i < 2 * eq->n; i++) {
            const nh_coordinate *q = &eq->model->coordinates[i % eq->n];
            here[index_of(eq, i < eq->n ? q->q : q->rate)] +=
                0.1 * ((double)(nh_hash(k * 2 * eq->n + i + 1) >> 40) / (1 << 23) - 1);
        }
        depend = nh_project_positions(eq, here) && nh_rows_depend_at(eq, here);
    }
    return depend;
}

const char *nh_dependence(nh_equations *eq)
{
    if (eq->model->r == 0 || !eq->second.C_i)
        return NULL;
    return nh_rows_depend(eq, eq->r, eq->second.C_i) || nh_rows_depend_always(eq)
               ? "the constraints are nowhere independent"
           : depend_around_start(eq) ? "the constraints depend on each other at all states around the start"
                                     : NULL;
}

bool nh_constraints_depend(nh_equations *eq) { return nh_dependence(eq) != NULL; }

/* The values that the model itself gives, where a formula leaves its sign: R - r with R = 2, r = 1 is positive. */
static void put_own(nh_judge *j, double *values, double *own)
{
    const nh_model *model = j->eq->model;
    nh_model_parameter_values(model, &j->eq->context->arena, own);
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = index_of(j->eq, model->parameters[i].symbol);
        values[index] = own[index] == own[index] ? own[index] : values[index];
    }
}

void nh_obey_formulas(nh_judge *j, double *values)
{
    const nh_equations *eq = j->eq;
    const nh_given_values *g = &j->given;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    double *numbers = nh_arena_array(scratch, g->n_others + 1, sizeof *numbers),
           *all = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *all);
    bool fits = true;
    for (size_t i = 0; i < g->n_others; i++)
        numbers[i] = values[index_of(eq, g->others[i])];
    nh_model_parameter_values_with(eq->model, scratch, g->others, numbers, g->n_others, all);
    for (size_t i = 0; i < g->n_formulas; i++) {
        uint32_t index = index_of(eq, g->formulas[i]);
        fits = fits && all[index] * j->signs[index] > 0;
        values[index] = all[index];
    }
    if (!fits)
        put_own(j, values, all);
    nh_arena_release(scratch, mark);
}
