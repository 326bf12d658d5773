/* Functions with a corner: sign(u), |u|, sqrt(u^2), and min(a, b), max(a, b), with u = a - b. On either side of u = 0 each is a smooth one: 1 or -1, u or
 * -u, a or b. */
#include "expr/expr.h"

#include <math.h>

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

/* ---------------------------------------------------------------- states on both sides */

/* Values of u that are gone to. */
static const double PLACES[NH_CORNER_PLACES] = {-0.1, 0.1, -5, 5, -300, 300};
enum { STEPS = 20 };

size_t nh_corner_number(const nh_corners *c, nh_expr u)
{
    nh_expr opposite = nh_neg(c->pool, u);
    for (size_t i = 0; i < c->n; i++)
        if (c->arguments[i] == u || c->arguments[i] == opposite)
            return i;
    return c->n;
}

static void find_arguments(nh_corners *c)
{
    for (size_t i = 0; i < c->walk.count; i++) {
        nh_expr u = nh_corner_argument(c->pool, c->walk.nodes[i]);
        size_t at = u ? nh_corner_number(c, u) : NH_MOST_CORNERS;
        if (u && at == c->n && at < NH_MOST_CORNERS)
            c->arguments[c->n++] = u;
    }
}

nh_corners nh_corners_of(nh_pool *pool, nh_arena *arena, nh_arena *scratch, const nh_expr *e, size_t count,
                         const nh_expr *symbols, size_t n_symbols)
{
    nh_corners c = {.pool = pool, .scratch = scratch, .walk = nh_walk_of(pool, arena, e, count)};
    find_arguments(&c);
    c.symbols = symbols, c.n_symbols = n_symbols;
    c.slopes = nh_arena_array(arena, c.n * n_symbols + 1, sizeof *c.slopes);
    for (size_t i = 0; i < c.n; i++)
        nh_gradient(pool, scratch, &c.arguments[i], NULL, 1, symbols, n_symbols, c.slopes + i * n_symbols);
    return c;
}

double nh_corner_value(const nh_corners *c, size_t argument, const double *values)
{
    double value = NAN, error = NAN;
    if (c->arguments[argument])
        nh_evaluate(c->pool, c->scratch, &c->arguments[argument], 1, values, &value, &error);
    return fabs(value) > error ? value : 0;
}

/* x -= (u - place) du/|du|^2. False: it is there, or this leads nowhere. */
static bool step_to(const nh_corners *c, size_t argument, double place, double *slopes, double *values)
{
    double off = nh_corner_value(c, argument, values) - place, square = 0;
    nh_evaluate(c->pool, c->scratch, c->slopes + argument * c->n_symbols, c->n_symbols, values, slopes, NULL);
    for (size_t i = 0; i < c->n_symbols; i++)
        square += slopes[i] * slopes[i];
    if (!(square > 0) || !isfinite(square) || fabs(off) < 1e-9)
        return false;
    for (size_t i = 0; i < c->n_symbols; i++) {
        uint32_t index = 0;
        nh_is_symbol(c->pool, c->symbols[i], &index);
        values[index] -= off * slopes[i] / square;
    }
    return true;
}

void nh_corner_go_to(const nh_corners *c, size_t argument, size_t place, double *values)
{
    nh_arena_mark mark = nh_arena_here(c->scratch);
    double *slopes = nh_arena_array(c->scratch, c->n_symbols + 1, sizeof *slopes);
    for (int k = 0; k < STEPS && step_to(c, argument, PLACES[place], slopes, values); k++) {
    }
    nh_arena_release(c->scratch, mark);
}
