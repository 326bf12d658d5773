/* The cost of a form: operations for each state, with what depends on parameters alone computed beforehand; and how it is rounded. */
#include "derive/candidates.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const bool *parameters_of(nh_equations *eq)
{
    bool *constant = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *constant);
    memset(constant, 0, (eq->pool.n_symbols + 1) * sizeof *constant);
    for (size_t i = 0; i < eq->model->n_parameters; i++) {
        uint32_t index = 0;
        if (nh_is_symbol(&eq->pool, eq->model->parameters[i].symbol, &index))
            constant[index] = true;
    }
    return constant;
}

void nh_candidates_init(nh_candidates *c, nh_equations *eq)
{
    *c = (nh_candidates){.eq = eq, .constant = parameters_of(eq)};
}

bool nh_is_parametric(const nh_candidates *c, nh_expr e)
{
    const nh_pool *pool = &c->eq->pool;
    nh_arena *scratch = &c->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, pool->n_symbols + 1, sizeof *depends), is = true;
    nh_find_symbols(pool, scratch, &e, 1, depends);
    for (size_t i = 0; i < pool->n_symbols; i++)
        is = is && (!depends[i] || c->constant[i]);
    nh_arena_release(scratch, mark);
    return is;
}

/* ---------------------------------------------------------------- cost */

/* In series a product of two that change is a sum over all orders; one with a constant, or a sum, costs a fraction of that. */
enum { CHEAP = 1, DEAR = 4 };

/* x^-1 is the quotient that it stands in; whole powers are made of squares. */
static size_t cost_of_power(const nh_pool *pool, nh_node node)
{
    nh_rational n;
    if (!nh_is_number(pool, node.b, &n) || !nh_rational_is_int(n) || n.big)
        return 2 * DEAR;
    size_t products = 0;
    for (int64_t left = n.num < 0 ? -n.num : n.num; left > 1; left /= 2)
        products += 1 + (size_t)(left % 2);
    return products * DEAR + (n.num < 0 ? CHEAP : 0);
}

static size_t cost_of_node(const nh_pool *pool, nh_expr e, const bool *changes)
{
    nh_node node = nh_get(pool, e);
    nh_list operands = nh_operands(pool, e);
    size_t changing = 0, n = node.kind == NH_MATRIX  ? node.b
                             : node.kind == NH_SOLVE ? nh_get(pool, node.a).b
                                                     : 0;
    for (size_t k = 0; k < operands.count; k++)
        changing += changes[operands.items[k]];
    switch (node.kind) {
    case NH_MATRIX: return DEAR * n * n * n / (node.function ? 6 : 3);
    case NH_SOLVE: return DEAR * n * n;
    case NH_MUL: return changing > 1 ? DEAR : CHEAP;
    case NH_POW: return cost_of_power(pool, node);
    case NH_CALL: return DEAR;
    case NH_ADD: return CHEAP;
    default: return 0;
    }
}

static size_t cost(const nh_candidates *c, const nh_expr *roots, size_t count)
{
    const nh_pool *pool = &c->eq->pool;
    nh_arena *scratch = &c->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, count);
    bool *changes = nh_arena_array(scratch, nh_largest(roots, count) + 1, sizeof *changes);
    size_t sum = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        uint32_t index = 0;
        nh_list operands = nh_operands(pool, e);
        changes[e] = nh_is_symbol(pool, e, &index) && !c->constant[index];
        for (size_t k = 0; k < operands.count; k++)
            changes[e] = changes[e] || changes[operands.items[k]];
        sum += changes[e] ? cost_of_node(pool, e, changes) : 0;
    }
    nh_arena_release(scratch, mark);
    return sum;
}

/* ---------------------------------------------------------------- rounding */

/* So many states near 1, and as many near 0, where 1 - cos(x)^2 has fewer digits than sin(x)^2; how much more than those of the other form
 * the bounds for the errors may be. */
enum { STATES = 8, MORE = 8 };

static void draw(const nh_candidates *c, uint64_t state, const double *parameters, const signed char *signs,
                 double *values)
{
    size_t known = c->eq->model->pool.n_symbols;
    for (size_t i = 0; i < c->eq->pool.n_symbols; i++) {
        uint64_t bits = nh_hash(nh_hash(state + 71) + i);
        double size =
            (0.25 + (double)(bits >> 12) * 0x1p-52) * (state >= STATES && !c->constant[i] ? 1e-3 : 1);
        signed char sign = i < known ? signs[i] : 0;
        bool given = i < known && isfinite(parameters[i]);
        values[i] = given ? parameters[i] : sign < 0 || (sign == 0 && (bits & 1)) ? -size : size;
    }
}

/* At one state: has other values, beyond all rounding, or bounds that are larger. Where the first has no value, nothing is known. */
static bool is_worse(const double *before, const double *error_before, const double *after,
                     const double *error_after, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool known = isfinite(before[i]) && isfinite(error_before[i]);
        bool same = fabs(after[i] - before[i]) <= error_after[i] + error_before[i];
        if (known && !(isfinite(after[i]) && same &&
                       error_after[i] <= MORE * (error_before[i] + DBL_EPSILON * fabs(before[i]))))
            return true;
    }
    return false;
}

static bool rounds_as_well(const nh_candidates *c, const nh_expr *field, size_t count)
{
    const nh_equations *eq = c->eq;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    double *parameters = nh_arena_array(scratch, eq->model->pool.n_symbols + 1, sizeof *parameters);
    double *values = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *values);
    double *x = nh_arena_array(scratch, 4 * count + 1, sizeof *x), *errors = x + 2 * count;
    const signed char *signs = nh_model_signs(eq->model, scratch);
    nh_model_parameter_values(eq->model, scratch, parameters);
    nh_evaluator *before = nh_evaluator_new(&eq->pool, scratch, c->field, count),
                 *after = nh_evaluator_new(&eq->pool, scratch, field, count);
    bool well = true;
    for (uint64_t state = 0; state < (uint64_t)2 * STATES && well; state++) {
        draw(c, state, parameters, signs, values);
        nh_evaluator_at(before, scratch, values, x, errors);
        nh_evaluator_at(after, scratch, values, x + count, errors + count);
        well = !is_worse(x, errors, x + count, errors + count, count);
    }
    nh_arena_release(scratch, mark);
    return well;
}

/* ---------------------------------------------------------------- what becomes too large */

/* A number that is 0 or infinite as a double, or nearly so. */
static bool is_beyond_doubles(const nh_pool *pool, nh_expr e)
{
    nh_rational value;
    if (!nh_is_number(pool, e, &value) || nh_rational_sign(value) == 0)
        return false;
    double size = fabs(nh_rational_to_double(value));
    return !(size > 1e-290 && size < 1e290);
}

/* exp(-x) may be written as 1/exp(x), which is no number for large x, and 1/(1 + 1e-400) as 1e400/(1e400 + 1): forms have no exponentials and no such
 * numbers but those of the first one. */
static bool has_large_ones(const nh_candidates *c, const nh_expr *field, size_t count)
{
    const nh_pool *pool = &c->eq->pool;
    nh_arena *scratch = &c->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk before = nh_walk_of(pool, scratch, c->first, count),
            walk = nh_walk_of(pool, scratch, field, count);
    bool other = false;
    for (size_t i = 0, k = 0; i < walk.count && !other; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        while (k < before.count && before.nodes[k] < walk.nodes[i])
            k++;
        bool known = k < before.count && before.nodes[k] == walk.nodes[i];
        bool exponential =
            node.kind == NH_CALL &&
            (node.function == NH_FN_exp || node.function == NH_FN_sinh || node.function == NH_FN_cosh);
        other = !known && (exponential || is_beyond_doubles(pool, walk.nodes[i]));
    }
    nh_arena_release(scratch, mark);
    return other;
}

/* ---------------------------------------------------------------- the choice */

/* A form that is made for evaluation alone is taken where it saves a tenth. */
static bool is_cheaper(const nh_candidates *c, size_t cost, bool careful)
{
    return careful ? 10 * cost < 9 * c->cost : cost < c->cost;
}

static nh_expr *joined(nh_equations *eq, const nh_expr *psi, const nh_expr *Z)
{
    nh_expr *field = nh_array(eq, eq->n + eq->m);
    memcpy(field, psi, eq->n * sizeof *psi);
    memcpy(field + eq->n, Z, eq->m * sizeof *Z);
    return field;
}

static void consider(nh_candidates *c, nh_expr *field, size_t its_cost, bool careful)
{
    size_t count = c->eq->n + c->eq->m;
    c->first = c->first ? c->first : field;
    if (has_large_ones(c, field, count))
        return;
    if (!c->field || (is_cheaper(c, its_cost, careful) && (!careful || rounds_as_well(c, field, count))))
        c->field = field, c->cost = its_cost;
}

void nh_consider(nh_candidates *c, const nh_expr *psi, const nh_expr *Z, bool careful)
{
    nh_expr *field = joined(c->eq, psi, Z);
    consider(c, field, cost(c, field, c->eq->n + c->eq->m), careful);
}

void nh_consider_regrouped(nh_candidates *c, const nh_expr *psi, const nh_expr *Z)
{
    nh_equations *eq = c->eq;
    size_t count = eq->n + eq->m;
    nh_expr *best = joined(eq, psi, Z);
    size_t least = cost(c, best, count);
    for (int rule = 0; rule < 2; rule++) {
        nh_expr *other = nh_array(eq, count);
        nh_regroup(eq, best, count, rule == 0, other);
        size_t its_cost = cost(c, other, count);
        if (its_cost < least)
            best = other, least = its_cost;
    }
    nh_expr *paired = nh_array(eq, count);
    if (nh_pair_factors(eq, best, count, c->constant, paired)) {
        size_t its_cost = cost(c, paired, count);
        if (its_cost < least)
            best = paired, least = its_cost;
    }
    consider(c, best, least, true);
}
