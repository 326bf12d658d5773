/* Whether what is true of expressions on an open set is true at almost all points. Fractions of polynomials, sines, exponentials go on beyond their
 * poles. So does a root of u, if u is positive everywhere, or a product of different irreducible factors: it is then no square, and what vanishes for one
 * of its values does so for both. sqrt(x^2) is x on one side, -x on the other. Of several roots each is to have one factor:
 * sqrt(x y) sqrt(y z) sqrt(z x) is x y z or -x y z. */
#include "algebra/algebra.h"

#include <string.h>

typedef struct domain {
    nh_algebra *algebra;
    const bool *varies; /* by symbol */
    nh_walk walk;
    bool *depends;          /* by handle: on such a symbol */
    size_t roots, products; /* of what is not positive everywhere; of several factors */
} domain;

static void find_dependent(domain *d)
{
    const nh_pool *pool = d->algebra->pool;
    for (size_t i = 0; i < d->walk.count; i++) {
        nh_expr e = d->walk.nodes[i];
        nh_list operands = nh_operands(pool, e);
        uint32_t index = 0;
        d->depends[e] = nh_is_symbol(pool, e, &index) && d->varies[index];
        for (size_t k = 0; k < operands.count; k++)
            d->depends[e] = d->depends[e] || d->depends[operands.items[k]];
    }
}

/* A polynomial in what varies. */
static bool is_polynomial(const domain *d, nh_expr u)
{
    const nh_pool *pool = d->algebra->pool;
    nh_arena *arena = pool->arena;
    nh_walk walk = nh_walk_of(pool, arena, &u, 1);
    bool polynomial = true;
    for (size_t i = 0; i < walk.count && polynomial; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_rational n = {0};
        bool power = node.kind == NH_POW && nh_is_number(pool, node.b, &n) && nh_rational_is_int(n) &&
                     !n.big && n.num >= 0;
        polynomial = !d->depends[walk.nodes[i]] || node.kind == NH_SYMBOL || node.kind == NH_ADD ||
                     node.kind == NH_MUL || power;
    }
    return polynomial;
}

enum { MOST_FACTORS = 8 };

/* u is the product of its factors, each once, and a number. */
static bool is_without_squares(const domain *d, nh_expr u, size_t *count)
{
    nh_pool *pool = d->algebra->pool;
    nh_expr factors[MOST_FACTORS], rest = u;
    if (!is_polynomial(d, u) || !nh_factors(d->algebra, u, MOST_FACTORS, count, factors) || *count == 0)
        return false;
    for (size_t i = 0; i < *count; i++)
        rest = nh_div(pool, rest, factors[i]);
    return rest && nh_simplify(d->algebra, &rest, 1, &rest) && nh_is_number(pool, rest, NULL);
}

static bool is_fine_root(domain *d, nh_expr u)
{
    size_t count = 0;
    if (!d->depends[u] || nh_matrix_positive(d->algebra, 1, &u) == NH_YES)
        return true;
    bool fine = is_without_squares(d, u, &count);
    d->roots++, d->products += count > 1;
    return fine && (d->products == 0 || d->roots == 1);
}

static bool is_fine_call(domain *d, nh_node node)
{
    bool of_polynomial = is_polynomial(d, node.a) && (!node.b || is_polynomial(d, node.b));
    switch (node.function) {
    case NH_FN_sqrt: return is_fine_root(d, node.a);
    case NH_FN_log:
    case NH_FN_asin:
    case NH_FN_acos:
    case NH_FN_atan:
    case NH_FN_atan2: return of_polynomial; /* asin(sin(x)) is x and pi - x by turns */
    default: return nh_function_get((nh_function)node.function)->smooth;
    }
}

static bool is_fine(domain *d, nh_expr e)
{
    const nh_pool *pool = d->algebra->pool;
    nh_node node = nh_get(pool, e);
    nh_rational n = {0};
    if (!d->depends[e])
        return true;
    if (node.kind == NH_POW && !(nh_is_number(pool, node.b, &n) && nh_rational_is_int(n)))
        return is_fine_root(d, node.a);
    return node.kind != NH_CALL || is_fine_call(d, node);
}

bool nh_is_analytic(nh_algebra *algebra, const nh_expr *e, size_t count, const bool *varies)
{
    nh_arena *arena = algebra->pool->arena;
    domain d = {.algebra = algebra, .varies = varies, .walk = nh_walk_of(algebra->pool, arena, e, count)};
    size_t size = (size_t)nh_largest(e, count) + 1;
    d.depends = nh_arena_array(arena, size, sizeof *d.depends);
    memset(d.depends, 0, size * sizeof *d.depends);
    find_dependent(&d);
    for (size_t i = 0; i < d.walk.count; i++)
        if (!is_fine(&d, d.walk.nodes[i]))
            return false;
    return true;
}
