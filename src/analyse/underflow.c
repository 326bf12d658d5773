/* exp(-1/x^2) is 0 in doubles where |x| < 0.037, and has no zero: in more digits its sizes are seen. */
#include "analyse/underflow.h"

#include "algebra/algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMALL = 1e-150;

static bool vanishes_nowhere(const nh_pool *pool, nh_expr e)
{
    nh_node node = nh_get(pool, e);
    nh_rational n;
    if (nh_is_number(pool, e, &n))
        return e != pool->zero && fabs(nh_rational_to_double(n)) < SMALL;
    if (node.kind == NH_POW)
        return !nh_is_number(pool, node.b, &n);
    return node.kind == NH_CALL && (node.function == NH_FN_exp || node.function == NH_FN_cosh ||
                                    node.function == NH_FN_sinh || node.function == NH_FN_tanh);
}

bool *nh_may_underflow(nh_flow *f, const nh_expr *roots, size_t count)
{
    bool *may = nh_arena_array(f->arena, count + 1, sizeof *may);
    nh_arena *scratch = &f->eq->context->arena;
    for (size_t i = 0; i < count; i++) {
        nh_arena_mark mark = nh_arena_here(scratch);
        nh_walk walk = nh_walk_of(&f->eq->pool, scratch, &roots[i], 1);
        for (size_t k = 0; k < walk.count && !may[i]; k++)
            may[i] = vanishes_nowhere(&f->eq->pool, walk.nodes[k]);
        nh_arena_release(scratch, mark);
    }
    return may;
}

/* log10 |e|, and its sign; -INFINITY: it is 0, or cannot be told from it. */
typedef struct size {
    double power;
    bool negative;
} size;

static size size_at(nh_flow *f, nh_expr e, const double *values)
{
    char text[64];
    if (!e || !nh_is_not_zero_at(&f->eq->pool, &f->eq->context->arena, e, values, false, text, sizeof text))
        return (size){-INFINITY, false};
    char *exponent = strchr(text, 'e');
    double power = exponent ? strtod(exponent + 1, NULL) : 0;
    if (exponent)
        *exponent = '\0';
    double digits = strtod(text, NULL);
    return (size){log10(fabs(digits)) + power, digits < 0};
}

static const double NEAR = 1e-9, TINY = -250; /* beside a variable; a power of 10 */

/* Whether it keeps its sign on both sides of a value, and is not least between them, as it would be at a zero. */
static bool goes_on(nh_flow *f, nh_expr root, double *values, uint32_t index, size here)
{
    double x = values[index], least = INFINITY;
    bool same = true;
    for (int side = -1; side <= 1; side += 2) {
        values[index] = x * (1 + side * NEAR);
        size there = size_at(f, root, values);
        same = same && isfinite(there.power) && there.negative == here.negative;
        least = fmin(least, there.power);
    }
    values[index] = x;
    return same && least <= here.power;
}

bool nh_only_underflows(nh_flow *f, nh_expr root, const bool *moves, const double *values)
{
    const nh_pool *pool = &f->eq->pool;
    double *moved = nh_doubles(f->arena, pool->n_symbols);
    memcpy(moved, values, pool->n_symbols * sizeof *moved);
    size here = size_at(f, root, values);
    bool alone = isfinite(here.power) && here.power < TINY;
    for (size_t k = 0; k < f->size && alone; k++) {
        uint32_t index = 0;
        nh_is_symbol(pool, f->symbols[k], &index);
        if (moves[k] && values[index] != 0)
            alone = goes_on(f, root, moved, index, here);
    }
    return alone;
}

/* ---------------------------------------------------------------- what is 0 in doubles alone */

enum { MOST_OPERATIONS = 1000 };

nh_expr *nh_with_own_parameters(nh_flow *f, const nh_expr *e, size_t count)
{
    nh_equations *eq = f->eq;
    size_t n = 0, all = eq->model->n_parameters;
    const nh_expr *exact = nh_flow_exact_parameters(f);
    nh_expr *symbols = nh_arena_array(f->arena, all + 1, sizeof *symbols),
            *values = nh_arena_array(f->arena, all + 1, sizeof *values),
            *out = nh_arena_array(f->arena, count + 1, sizeof *out);
    for (size_t i = 0; i < all; i++) {
        uint32_t index = 0;
        if (nh_is_symbol(&eq->pool, eq->model->parameters[i].symbol, &index) && exact[index])
            symbols[n] = eq->model->parameters[i].symbol, values[n++] = exact[index];
    }
    nh_substitute(&eq->pool, &eq->context->arena, e, count, symbols, values, n, out);
    return out;
}

bool nh_hides_small(nh_flow *f, const nh_expr *e, size_t count, const double *inputs)
{
    const nh_pool *pool = &f->eq->pool;
    nh_arena *scratch = &f->eq->context->arena;
    const double *values = nh_flow_symbols(f, inputs);
    double *numbers = nh_doubles(f->arena, count);
    nh_evaluate(pool, scratch, e, count, values, numbers, NULL);
    const nh_expr *exact = NULL;
    bool hides = false;
    for (size_t i = 0; i < count && !hides; i++) {
        if (!(log10(fabs(numbers[i])) < TINY) || e[i] == pool->zero)
            continue;
        exact = exact ? exact : nh_with_own_parameters(f, e, count);
        if (nh_operations_exceed(pool, scratch, e[i], MOST_OPERATIONS))
            continue;
        double power = size_at(f, exact[i], values).power; /* more: what the rounding of the state leaves */
        hides = isfinite(power) && power < TINY;
    }
    return hides;
}

/* ---------------------------------------------------------------- the sign of a sum that cancels in doubles */

enum { MOST_OF_SUMS = 4000 };

bool nh_has_sign_in_digits(nh_flow *f, nh_expr e)
{
    const nh_pool *pool = &f->eq->pool;
    nh_arena *scratch = &f->eq->context->arena;
    return e && !nh_operations_exceed(pool, scratch, e, MOST_OF_SUMS) && !nh_has_solve(pool, scratch, &e, 1);
}

int nh_sign_in_digits(nh_flow *f, nh_expr e, const double *values)
{
    size s = size_at(f, e, values);
    return !isfinite(s.power) ? 0 : s.negative ? -1 : 1;
}
