/* exp(-1/x^2) is 0 in doubles where |x| < 0.037, and has no zero: in more digits its sizes are seen. */
#include "analyse/underflow.h"

#include "algebra/algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool vanishes_nowhere(const nh_pool *pool, nh_expr e)
{
    nh_node node = nh_get(pool, e);
    nh_rational n;
    if (node.kind == NH_POW)
        return !nh_is_number(pool, node.b, &n);
    return node.kind == NH_CALL &&
           (node.function == NH_FN_exp || node.function == NH_FN_cosh || node.function == NH_FN_sinh);
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

/* log10 |e|; -INFINITY: it is 0, or cannot be told from it. */
static double size_at(nh_flow *f, nh_expr e, const double *values)
{
    char text[64];
    if (!e || !nh_is_not_zero_at(&f->eq->pool, &f->eq->context->arena, e, values, false, text, sizeof text))
        return -INFINITY;
    char *exponent = strchr(text, 'e');
    double power = exponent ? strtod(exponent + 1, NULL) : 0;
    if (exponent)
        *exponent = '\0';
    return log10(fabs(strtod(text, NULL))) + power;
}

static const double NEAR = -9, TINY = -250; /* powers of 10 */

bool nh_only_underflows(nh_flow *f, nh_expr root, const bool *moves, const double *values)
{
    nh_equations *eq = f->eq;
    double size = size_at(f, root, values);
    bool alone = isfinite(size) && size < TINY;
    for (size_t k = 0; k < f->size && alone; k++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, f->symbols[k], &index);
        if (!moves[k] || values[index] == 0)
            continue;
        nh_expr slope = nh_derivative(&eq->pool, &eq->context->arena, root, f->symbols[k]);
        alone = size_at(f, slope, values) + log10(fabs(values[index])) + NEAR < size;
    }
    return alone;
}
