/* Functions with a corner: sign(u), |u|, sqrt(u^2), and min(a, b), max(a, b), with u = a - b. On either side of u = 0 each is a smooth one: 1 or -1, u or
 * -u, a or b. */
#include "expr/expr.h"

bool nh_is_root_of_power(const nh_pool *pool, nh_expr node, nh_expr *base, int64_t *k)
{
    nh_node n = nh_get(pool, node), inner = nh_get(pool, n.kind == NH_CALL ? n.a : node);
    nh_rational exponent;
    if (n.kind != NH_CALL || n.function != NH_FN_sqrt || inner.kind != NH_POW ||
        !nh_is_number(pool, inner.b, &exponent) || exponent.big || exponent.den != 1 || exponent.num % 2)
        return false;
    *base = inner.a, *k = exponent.num / 2;
    return true;
}

nh_expr nh_corner_argument(nh_pool *pool, nh_expr node)
{
    nh_node n = nh_get(pool, node);
    nh_expr base = NH_EXPR_NONE;
    int64_t k;
    if (nh_is_root_of_power(pool, node, &base, &k))
        return k % 2 ? base : NH_EXPR_NONE;
    if (n.kind != NH_CALL || nh_function_get((nh_function)n.function)->smooth)
        return NH_EXPR_NONE;
    return n.b ? nh_sub(pool, n.a, n.b) : n.a;
}

nh_expr nh_side_of_corner(nh_pool *pool, nh_expr node, const nh_expr *image, bool positive)
{
    nh_node n = nh_get(pool, node);
    nh_expr base;
    int64_t k;
    if (nh_is_root_of_power(pool, node, &base, &k)) {
        nh_expr power = nh_power(pool, image[base], k);
        return positive ? power : nh_neg(pool, power);
    }
    switch (n.function) {
    case NH_FN_sign: return positive ? pool->one : pool->minus_one;
    case NH_FN_abs: return positive ? image[n.a] : nh_neg(pool, image[n.a]);
    case NH_FN_min: return image[positive ? n.b : n.a];
    default: return image[positive ? n.a : n.b]; /* max */
    }
}
