/* The start of a motion for longer numbers than doubles: what the model gives, as numbers alone, and the equations that the rest of it
 * satisfies. sharp.inc solves them. */
#include "integrate/inner.h"

#include <math.h>
#include <string.h>

static nh_expr *array(const nh_motion *m, size_t count)
{
    return nh_arena_array(m->arena, count + 1, sizeof(nh_expr));
}

/* t, q, q', and the z that are no velocities themselves */
static nh_expr *inputs_of(const nh_motion *m, size_t *count)
{
    const nh_equations *eq = m->eq;
    size_t n = eq->n;
    nh_expr *symbols = array(m, 1 + 2 * n + eq->m);
    symbols[0] = eq->model->time, *count = 1 + 2 * n;
    for (size_t i = 0; i < n; i++) {
        symbols[1 + i] = eq->model->coordinates[i].q;
        symbols[1 + n + i] = eq->model->coordinates[i].rate;
    }
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (eq->z[alpha].rate_of < 0)
            symbols[(*count)++] = eq->z[alpha].symbol;
    return symbols;
}

/* Parameters that others lean on are put into these, as often as it takes. */
static void put_parameters(const nh_motion *m, nh_expr *roots, size_t count)
{
    nh_equations *eq = m->eq;
    const nh_model *model = eq->model;
    size_t p = model->n_parameters, found = 0;
    nh_expr *symbols = array(m, p), *values = array(m, p);
    for (size_t i = 0; i < p; i++)
        if (model->parameters[i].value)
            symbols[found] = model->parameters[i].symbol, values[found++] = model->parameters[i].value;
    for (size_t pass = 0; pass < p; pass++) {
        bool *depends = nh_arena_array(&eq->context->arena, eq->pool.n_symbols + 1, sizeof *depends);
        bool any = false;
        memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
        nh_find_symbols(&eq->pool, &eq->context->arena, roots, count, depends);
        for (size_t i = 0; i < eq->pool.n_symbols; i++)
            any = any || depends[i];
        if (!any)
            break;
        nh_substitute(&eq->pool, &eq->context->arena, roots, count, symbols, values, found, roots);
    }
}

/* In long numbers 9.81 is not the double next to it. */
static nh_tape *given_as_numbers(const nh_motion *m, const nh_expr *inputs, size_t count)
{
    nh_equations *eq = m->eq;
    const nh_model *model = eq->model;
    size_t p = model->n_parameters;
    nh_expr *roots = array(m, p + count);
    for (size_t i = 0; i < p; i++)
        roots[i] = model->parameters[i].value ? model->parameters[i].value : eq->pool.zero;
    for (size_t i = 0; i < count; i++) {
        roots[p + i] = inputs[i] == model->time ? model->start_time : eq->pool.zero;
        for (size_t k = 0; k < model->n_initial; k++)
            if (model->initial[k].symbol == inputs[i])
                roots[p + i] = model->initial[k].value;
    }
    put_parameters(m, roots, p + count);
    for (size_t i = 0; i < p + count; i++)
        if (!roots[i])
            return NULL;
    return nh_tape_new(&eq->pool, m->arena, &eq->context->arena, roots, p + count, NULL, 0, NULL, 0,
                       NH_FOR_VALUES);
}

/* f^p, d_i f^p */
static size_t put_positions(const nh_motion *m, nh_sharp *s, nh_expr *roots)
{
    nh_equations *eq = m->eq;
    size_t n = eq->n;
    nh_expr *q = array(m, n);
    for (size_t i = 0; i < n; i++)
        q[i] = eq->model->coordinates[i].q;
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            roots[s->n_positions++] = eq->model->constraints[a].position;
    for (size_t a = 0; a < s->n_positions; a++)
        nh_gradient(&eq->pool, &eq->context->arena, &roots[a], NULL, 1, q, n, roots + s->n_positions + a * n);
    return s->n_positions * (n + 1);
}

static nh_tape *equations_of(const nh_motion *m, nh_sharp *s, const nh_expr *inputs)
{
    nh_equations *eq = m->eq;
    const nh_model *model = eq->model;
    size_t n = eq->n, p = model->n_parameters;
    nh_expr *roots = array(m, (model->r + eq->r) * (n + 1) + n * n + n * (eq->m + 1)),
            *constants = array(m, p);
    size_t count = put_positions(m, s, roots);
    s->n_constraints = eq->second.C && s->rates != NH_FROM_Z ? eq->r : 0;
    memcpy(roots + count, eq->second.C, s->n_constraints * sizeof *roots);
    memcpy(roots + count + s->n_constraints, eq->second.C_i, s->n_constraints * n * sizeof *roots);
    count += s->n_constraints * (n + 1);
    nh_metric(eq, roots + count);
    count += n * n;
    s->n_z = eq->first.psi && s->rates != NH_FROM_Z ? s->n_inputs - 1 - 2 * n : 0;
    s->from_z = eq->first.psi && s->rates == NH_FROM_Z && m->second;
    if (s->n_z || s->from_z) {
        memcpy(roots + count, eq->first.psi, n * sizeof *roots);
        memcpy(roots + count + n, eq->first.psi_alpha, eq->m * n * sizeof *roots);
        count += n * (eq->m + 1);
    }
    for (size_t i = 0; i < p; i++)
        constants[i] = model->parameters[i].symbol;
    return s->n_positions || s->n_constraints || s->n_z || s->from_z
               ? nh_tape_new(&eq->pool, m->arena, &eq->context->arena, roots, count, inputs, s->n_inputs,
                             constants, p, NH_FOR_VALUES)
               : NULL;
}

static uint32_t index_of(const nh_motion *m, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&m->eq->pool, symbol, &index);
    return index;
}

nh_sharp *nh_sharp_new(const nh_motion *m, const double *values)
{
    const nh_equations *eq = m->eq;
    nh_sharp *s = nh_arena_array(m->arena, 1, sizeof *s);
    const nh_expr *inputs = inputs_of(m, &s->n_inputs);
    s->given = given_as_numbers(m, inputs, s->n_inputs);
    if (!s->given || !eq->started)
        return NULL;
    s->positions = eq->started->positions, s->rates = eq->started->rates;
    s->all = nh_arena_array(m->arena, s->n_inputs + 1, sizeof *s->all);
    s->held = nh_arena_array(m->arena, 2 * eq->n + 1, sizeof *s->held);
    for (size_t i = 0; i < s->n_inputs; i++)
        s->all[i] = values[index_of(m, inputs[i])];
    for (size_t i = 0; i < 2 * eq->n; i++)
        s->held[i] = eq->started->given[index_of(m, inputs[1 + i])];
    double *start = nh_arena_array(m->arena, m->size + 2, sizeof *start);
    memcpy(start, m->start, (m->size + 1) * sizeof *start);
    s->start = start;
    s->onto = equations_of(m, s, inputs);
    return s;
}

/* ---------------------------------------------------------------- a linear system */

/* The largest entry from row and column k on goes to (k, k); order: which unknown a column is. */
static double exchange(double *M, size_t *order, double *b, size_t n, size_t k)
{
    size_t row = k, column = k;
    for (size_t i = k; i < n; i++)
        for (size_t j = k; j < n; j++)
            if (fabs(M[i * n + j]) > fabs(M[row * n + column]))
                row = i, column = j;
    for (size_t j = 0; j < n; j++) {
        double other = M[k * n + j];
        M[k * n + j] = M[row * n + j], M[row * n + j] = other;
    }
    for (size_t i = 0; i < n; i++) {
        double other = M[i * n + k];
        M[i * n + k] = M[i * n + column], M[i * n + column] = other;
    }
    double right = b[k];
    size_t unknown = order[k];
    b[k] = b[row], b[row] = right, order[k] = order[column], order[column] = unknown;
    return fabs(M[k * n + k]);
}

void nh_solve_dependent(double *M, size_t *order, double *b, size_t n)
{
    size_t rank = 0;
    double first = 0;
    for (size_t k = 0; k < n; k++)
        order[k] = k;
    for (size_t k = 0; k < n; k++, rank++) {
        double pivot = exchange(M, order, b, n, k);
        first = k ? first : pivot;
        if (!(pivot > 1e-10 * first))
            break;
        for (size_t i = k + 1; i < n; i++) {
            double factor = M[i * n + k] / M[k * n + k];
            for (size_t j = k; j < n && factor != 0; j++)
                M[i * n + j] -= factor * M[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < rank && k < rank; j++)
            b[k] -= M[k * n + j] * b[j];
        b[k] = k < rank ? b[k] / M[k * n + k] : 0;
    }
    for (size_t k = 0; k < n; k++) /* back to the order of the unknowns: M has no further use */
        M[order[k]] = b[k];
    memcpy(b, M, n * sizeof *b);
}
