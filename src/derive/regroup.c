/* Products grouped in another way. x (y z), where x y is there anyway for something else, is (x y) z; and v (x y), v one of the free
 * velocities, is more often useful than (v x) y. Values stay what they are, but for rounding. */
#include "derive/candidates.h"

#include <string.h>

enum { MOST_FACTORS = 24 };

/* A product and what it is a product of, as the sum of the hashes of its factors. */
typedef struct regrouping {
    nh_equations *eq;
    nh_walk walk;
    uint64_t *sums;     /* by handle */
    uint32_t *uses;     /* by handle: in how many operations and results */
    nh_expr *image;     /* by handle: in its new form; NH_EXPR_NONE: not yet */
    nh_expr *table;     /* products by their sums */
    size_t table_size;  /* a power of 2 */
    bool by_velocities; /* the second rule, otherwise the first */
} regrouping;

static bool is_product(const regrouping *r, nh_expr e) { return nh_get(&r->eq->pool, e).kind == NH_MUL; }

static nh_expr *place_of(const regrouping *r, uint64_t sum)
{
    size_t at = nh_hash(sum) & (r->table_size - 1);
    while (r->table[at] && r->sums[r->table[at]] != sum)
        at = (at + 1) & (r->table_size - 1);
    return &r->table[at];
}

static void prepare(regrouping *r, const nh_expr *roots, size_t count, nh_arena *scratch)
{
    const nh_pool *pool = &r->eq->pool;
    size_t size = (size_t)nh_largest(roots, count) + 1;
    r->walk = nh_walk_of(pool, scratch, roots, count);
    for (r->table_size = 16; r->table_size < 2 * r->walk.count;)
        r->table_size *= 2;
    r->sums = nh_arena_array(scratch, size, sizeof *r->sums),
    r->uses = nh_arena_array(scratch, size, sizeof *r->uses);
    r->image = nh_arena_array(scratch, size, sizeof *r->image);
    r->table = nh_arena_array(scratch, r->table_size, sizeof *r->table);
    memset(r->uses, 0, size * sizeof *r->uses), memset(r->image, 0, size * sizeof *r->image);
    memset(r->table, 0, r->table_size * sizeof *r->table);
    for (size_t i = 0; i < r->walk.count; i++) {
        nh_expr e = r->walk.nodes[i];
        nh_node node = nh_get(pool, e);
        nh_list operands = nh_operands(pool, e);
        for (size_t k = 0; k < operands.count; k++)
            r->uses[operands.items[k]]++;
        r->sums[e] = is_product(r, e) ? r->sums[node.a] + r->sums[node.b] : nh_hash(e);
        nh_expr *place = place_of(r, r->sums[e]);
        *place = *place ? *place : e;
    }
    for (size_t i = 0; i < count; i++)
        r->uses[roots[i]]++;
}

/* 0: they are too many. */
static size_t factors_of(const regrouping *r, nh_expr e, nh_expr *factors)
{
    nh_expr stack[2 * MOST_FACTORS];
    size_t depth = 0, count = 0;
    stack[depth++] = e;
    while (depth) {
        nh_expr top = stack[--depth];
        nh_node node = nh_get(&r->eq->pool, top);
        if (node.kind != NH_MUL && count < MOST_FACTORS)
            factors[count++] = top;
        else if (node.kind == NH_MUL && depth + 2 <= 2 * (size_t)MOST_FACTORS)
            stack[depth++] = node.a, stack[depth++] = node.b;
        else
            return 0;
    }
    return count;
}

static bool is_velocity(const regrouping *r, nh_expr e)
{
    bool is = false;
    for (size_t alpha = 0; alpha < r->eq->m; alpha++)
        is = is || r->eq->z[alpha].symbol == e;
    return is;
}

/* A factor of e that leaves another product, or a single factor, that is there; *rest: which. */
static nh_expr factor_to_part(const regrouping *r, nh_expr e, nh_expr *rest)
{
    nh_node node = nh_get(&r->eq->pool, e);
    nh_expr factors[MOST_FACTORS];
    bool once =
        (is_product(r, node.a) && r->uses[node.a] == 1) || (is_product(r, node.b) && r->uses[node.b] == 1);
    size_t count = once || r->by_velocities ? factors_of(r, e, factors) : 0;
    for (size_t k = 0; k < count; k++) {
        *rest = *place_of(r, r->sums[e] - r->sums[factors[k]]);
        bool other = *rest && *rest != node.a && *rest != node.b && is_product(r, *rest);
        if (other && (!r->by_velocities || is_velocity(r, factors[k])))
            return factors[k];
    }
    return NH_EXPR_NONE;
}

/* Factors come before products of them, but a part need not: it consists of some of the same factors. */
static nh_expr regrouped(regrouping *r, nh_expr e)
{
    nh_node node = nh_get(&r->eq->pool, e);
    nh_expr rest = NH_EXPR_NONE, factor = NH_EXPR_NONE;
    if (r->image[e])
        return r->image[e];
    if (node.kind != NH_MUL)
        return r->image[e] = nh_rebuilt_with(&r->eq->pool, e, r->image);
    nh_expr same = *place_of(r, r->sums[e]); /* grouped in another way */
    if (same != e)
        return r->image[e] = regrouped(r, same);
    factor = factor_to_part(r, e, &rest);
    nh_expr a = regrouped(r, factor ? factor : node.a), b = regrouped(r, factor ? rest : node.b);
    return r->image[e] = nh_mul(&r->eq->pool, a, b);
}

void nh_regroup(nh_equations *eq, const nh_expr *roots, size_t count, bool by_velocities, nh_expr *out)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    regrouping r = {.eq = eq, .by_velocities = by_velocities};
    prepare(&r, roots, count, scratch);
    for (size_t i = 0; i < r.walk.count; i++)
        regrouped(&r, r.walk.nodes[i]);
    for (size_t i = 0; i < count; i++)
        out[i] = r.image[roots[i]];
    nh_arena_release(scratch, mark);
}
