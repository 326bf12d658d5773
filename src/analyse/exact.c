#include "analyse/exact.h"
#include "algebra/algebra.h"

#include <math.h>
#include <string.h>

typedef struct attempt {
    nh_flow *flow;
    nh_algebra *algebra;
    const nh_equilibrium *e;
    nh_expr *roots; /* with the values found so far */
    size_t count;
    nh_expr *values; /* by variable; NH_EXPR_NONE: not known yet */
} attempt;

static const double CLOSE = 1e-9;

/* x = p/q unit, q <= 12. */
static bool as_fraction(nh_pool *pool, double x, nh_expr unit, double size, nh_expr *out)
{
    for (int64_t q = 1; q <= 12; q++) {
        double p = round(x / size * (double)q);
        if (fabs(p) <= 1000 && fabs(p / (double)q * size - x) <= CLOSE * fmax(1, fabs(x))) {
            *out = nh_mul(pool, nh_div(pool, nh_integer(pool, (int64_t)p), nh_integer(pool, q)), unit);
            return true;
        }
    }
    return false;
}

bool nh_exact_angle(nh_pool *pool, double x, nh_expr *out)
{
    if (fabs(x) > CLOSE)
        return as_fraction(pool, x, pool->pi, acos(-1), out);
    *out = pool->zero;
    return true;
}

/* 0 and parts of pi at first; other numbers may be formulas of the parameters. */
static bool guess(attempt *a, size_t k, bool fractions)
{
    nh_pool *pool = &a->flow->eq->pool;
    double x = a->e->inputs[1 + k];
    return nh_exact_angle(pool, x, &a->values[k]) ||
           (fractions && as_fraction(pool, x, pool->one, 1, &a->values[k]));
}

static void put(attempt *a, const nh_expr *symbols, const nh_expr *values, size_t count)
{
    nh_equations *eq = a->flow->eq;
    nh_substitute(&eq->pool, &eq->context->arena, a->roots, a->count, symbols, values, count, a->roots);
    nh_simplify(a->algebra, a->roots, a->count, a->roots);
}

static bool depends_on_unknown(attempt *a, nh_expr e, const bool *unknown)
{
    nh_equations *eq = a->flow->eq;
    bool *depends = nh_arena_array(a->flow->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, depends);
    for (size_t k = 0; k < a->flow->size; k++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, a->flow->symbols[k], &index);
        if (unknown[k] && depends[index])
            return true;
    }
    return false;
}

static double value_of(attempt *a, nh_expr e)
{
    nh_equations *eq = a->flow->eq;
    double *values = nh_doubles(a->flow->arena, eq->pool.n_symbols), out = NAN;
    nh_model_parameter_values(eq->model, &eq->context->arena, values);
    nh_flow_values(a->flow, a->e->inputs + 1, values);
    nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, values, &out, NULL);
    return out;
}

/* slope x^k + rest = 0, neither having an unknown in it. */
static bool solve_for(attempt *a, size_t k, const bool *unknown)
{
    nh_equations *eq = a->flow->eq;
    nh_pool *pool = &eq->pool;
    nh_expr symbol = a->flow->symbols[k];
    for (size_t i = 0; i < a->count; i++) {
        nh_expr slope = nh_derivative(pool, &eq->context->arena, a->roots[i], symbol), rest;
        nh_simplify(a->algebra, &slope, 1, &slope);
        if (!slope || slope == pool->zero || depends_on_unknown(a, slope, unknown))
            continue;
        nh_substitute(pool, &eq->context->arena, &a->roots[i], 1, &symbol, &pool->zero, 1, &rest);
        if (!rest || depends_on_unknown(a, rest, unknown))
            continue;
        nh_expr value = nh_neg(pool, nh_div(pool, rest, slope));
        if (!value)
            continue;
        nh_simplify(a->algebra, &value, 1, &value);
        if (fabs(value_of(a, value) - a->e->inputs[1 + k]) > CLOSE * fmax(1, fabs(a->e->inputs[1 + k])))
            continue;
        a->values[k] = value;
        put(a, &symbol, &value, 1);
        return true;
    }
    return false;
}

/* What was not guessed, one after the other. */
static bool solve_rest(attempt *a, bool *unknown)
{
    bool changed = true, open = true;
    while (changed && open) {
        changed = open = false;
        for (size_t k = 0; k < a->flow->size; k++)
            if (unknown[k]) {
                open = true;
                if (solve_for(a, k, unknown))
                    unknown[k] = false, changed = true;
            }
    }
    return !open;
}

static bool all_zero(attempt *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (!a->roots[i] || nh_is_zero(a->algebra, a->roots[i]) != NH_YES)
            return false;
    return true;
}

static bool attempt_with(attempt *a, const nh_expr *roots, const bool *moves, bool fractions)
{
    nh_flow *f = a->flow;
    bool *unknown = nh_arena_array(f->arena, f->size + 1, sizeof *unknown);
    nh_expr *symbols = nh_arena_array(f->arena, f->size + 1, sizeof *symbols),
            *values = nh_arena_array(f->arena, f->size + 1, sizeof *values);
    size_t count = 0;
    memcpy(a->roots, roots, a->count * sizeof *roots);
    for (size_t k = 0; k < f->size; k++) {
        a->values[k] = f->symbols[k];
        if (!moves[k] || a->e->free[k])
            continue;
        unknown[k] = !guess(a, k, fractions);
        if (!unknown[k])
            symbols[count] = f->symbols[k], values[count++] = a->values[k];
    }
    put(a, symbols, values, count);
    return solve_rest(a, unknown) && all_zero(a);
}

const nh_expr *nh_put_own_parameters(nh_flow *f, const nh_expr *roots, size_t count)
{
    nh_equations *eq = f->eq;
    const nh_model *model = eq->model;
    size_t n = model->n_parameters;
    nh_expr *symbols = nh_arena_array(f->arena, n + 1, sizeof *symbols), *values = nh_flow_parameters(f),
            *out = nh_arena_array(f->arena, count + 1, sizeof *out);
    for (size_t i = 0; i < n; i++)
        symbols[i] = model->parameters[i].symbol;
    memcpy(out, roots, count * sizeof *out);
    nh_substitute(&eq->pool, &eq->context->arena, out, count, symbols, values, n, out);
    for (size_t i = 0; i < count; i++)
        if (!out[i])
            return NULL;
    return out;
}

enum { MOST_OPERATIONS = 400 };

nh_expr *nh_exact_zero(nh_flow *f, const nh_expr *roots, size_t count, const bool *moves,
                       const nh_equilibrium *e, nh_verdict *found)
{
    nh_equations *eq = f->eq;
    nh_algebra algebra;
    attempt a = {.flow = f, .algebra = &algebra, .e = e, .count = count};
    *found = NH_TESTED;
    if (nh_has_solve(&eq->pool, &eq->context->arena, roots, count) ||
        nh_count_operations(&eq->pool, &eq->context->arena, roots, count) > MOST_OPERATIONS)
        return NULL;
    const signed char *signs = nh_flow_signs(f);
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.05}, signs);
    a.roots = nh_arena_array(f->arena, count + 1, sizeof *a.roots);
    a.values = nh_arena_array(f->arena, f->size + 1, sizeof *a.values);
    bool proved = attempt_with(&a, roots, moves, false) || attempt_with(&a, roots, moves, true);
    if (!proved) { /* for the values that the parameters have */
        const nh_expr *given = nh_put_own_parameters(f, roots, count);
        proved = given && (attempt_with(&a, given, moves, false) || attempt_with(&a, given, moves, true));
    }
    nh_algebra_free(&algebra);
    *found = proved ? NH_PROVED : NH_TESTED;
    return proved ? a.values : NULL;
}

/* ---------------------------------------------------------------- polynomials */

enum { MOST_ZEROS = 40 };

/* With one coordinate and nothing that holds it x' = 0 at rest, and the force there is one equation in x. */
bool nh_all_zeros(nh_flow *f, const nh_expr *roots, size_t count, size_t *found, double **zeros)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_algebra algebra;
    nh_expr force = NH_EXPR_NONE;
    *found = 0, *zeros = nh_doubles(f->arena, MOST_ZEROS);
    const nh_expr *given = f->size == 2 && eq->r == 0 && !f->timed && !f->corners && !eq->model->psi
                               ? nh_put_own_parameters(f, roots, count)
                               : NULL;
    if (!given || nh_has_solve(pool, &eq->context->arena, roots, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        nh_expr at_rest;
        nh_substitute(pool, &eq->context->arena, &given[i], 1, &f->symbols[1], &pool->zero, 1, &at_rest);
        if (at_rest == pool->zero)
            continue;
        if (!at_rest || force ||
            nh_count_operations(pool, &eq->context->arena, &at_rest, 1) > MOST_OPERATIONS)
            return false;
        force = at_rest;
    }
    uint32_t index = 0;
    bool *depends = nh_arena_array(f->arena, pool->n_symbols + 1, sizeof *depends);
    if (force)
        nh_find_symbols(pool, &eq->context->arena, &force, 1, depends);
    if (!force || !nh_is_symbol(pool, f->symbols[0], &index) || !depends[index])
        return false;
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.2}, nh_flow_signs(f));
    bool all = nh_real_zeros(&algebra, force, f->symbols[0], MOST_ZEROS, found, *zeros);
    nh_algebra_free(&algebra);
    return all;
}

/* ---------------------------------------------------------------- rest wherever it is */

/* At z = 0, or q' = 0. */
static void at_rest(const nh_flow *f, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_equations *eq = f->eq;
    size_t n = f->second ? eq->n : eq->m;
    nh_expr *symbols = nh_arena_array(f->arena, n + 1, sizeof *symbols),
            *zeros = nh_arena_array(f->arena, n + 1, sizeof *zeros);
    for (size_t i = 0; i < n; i++)
        symbols[i] = f->symbols[f->n + i], zeros[i] = eq->pool.zero;
    nh_substitute(&eq->pool, &eq->context->arena, e, count, symbols, zeros, n, out);
}

/* Every free velocity is one of the q': at rest it is 0. */
static bool has_plain_velocities(const nh_flow *f)
{
    const nh_equations *eq = f->eq;
    bool all = true;
    for (size_t alpha = 0; alpha < eq->m && !f->second; alpha++) {
        bool one = false;
        for (size_t i = 0; i < eq->n; i++)
            one = one || eq->first.psi[i] == eq->z[alpha].symbol;
        all = all && one;
    }
    return all;
}

/* A_i + dK/dq^i - dp_i/dt at q' = 0. */
static void find_pull(nh_flow *f, nh_expr *out)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    nh_expr *rates = nh_arena_array(f->arena, eq->n + 1, sizeof *rates),
            *zeros = nh_arena_array(f->arena, eq->n + 1, sizeof *zeros);
    for (size_t i = 0; i < eq->n; i++) {
        nh_expr slope = nh_derivative(pool, scratch, eq->model->kinetic, eq->model->coordinates[i].q),
                change = nh_derivative(pool, scratch, eq->p[i], eq->model->time);
        out[i] = nh_add(pool, eq->A[i], nh_sub(pool, slope, change));
        rates[i] = eq->model->coordinates[i].rate, zeros[i] = pool->zero;
    }
    nh_substitute(pool, scratch, out, eq->n, rates, zeros, eq->n, out);
}

/* With no pull and reactions 0 the accelerations are 0, whatever becomes of the constraints there. */
bool nh_rests_everywhere(nh_flow *f)
{
    nh_equations *eq = f->eq;
    size_t count = 0, held = f->held->count;
    nh_expr *zero = nh_arena_array(f->arena, 2 * eq->n + held + 1, sizeof *zero);
    nh_algebra algebra;
    find_pull(f, zero), count = eq->n;
    at_rest(f, f->second ? f->held_roots : eq->first.psi, f->second ? held : eq->n, zero + count);
    count += f->second ? held : eq->n;
    bool proved = has_plain_velocities(f) && (f->second || held == 0);
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.1},
                    nh_flow_signs(f));
    for (size_t i = 0; i < count && proved; i++)
        proved = zero[i] && nh_is_zero(&algebra, zero[i]) == NH_YES;
    nh_algebra_free(&algebra);
    return proved;
}
