/* Products that share pairs of factors. Each product is taken as the set of its factors, constant ones apart:
 *     e = coefficient x_1 x_2 ... x_k;
 * the pair that occurs in most of them becomes a factor of its own, in all of them, and so on, until none occurs twice. Values stay
 * what they are, but for rounding. */
#include "derive/candidates.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FACTORS = 24, MOST_PRODUCTS = 400, MOST_PAIRS = 2000 };

/* Factors are handles or, from `size` on, pairs. */
typedef struct product {
    uint32_t factors[MOST_FACTORS]; /* that change, in order */
    size_t count;
    nh_expr e, coefficient;
} product;

typedef struct pairing {
    nh_pool *pool;
    nh_walk walk;
    size_t size;    /* handles are less */
    bool *changes;  /* by handle */
    bool *needed;   /* by handle: a product that is operand of something else, or a result */
    nh_expr *image; /* by handle: in its new form */
    product *products;
    size_t n_products, n_factors;
    size_t n_possible; /* pairs of factors of one product, at first */
    uint32_t (*pairs)[2];
    nh_expr *made; /* by pair; NH_EXPR_NONE: not yet */
    size_t n_pairs;
} pairing;

static bool is_product(const pairing *p, nh_expr e) { return nh_get(p->pool, e).kind == NH_MUL; }

/* ---------------------------------------------------------------- products and their factors */

static void prepare(pairing *p, const nh_expr *roots, size_t count, const bool *constant)
{
    for (size_t i = 0; i < p->walk.count; i++) {
        nh_expr e = p->walk.nodes[i];
        uint32_t index = 0;
        nh_list operands = nh_operands(p->pool, e);
        p->changes[e] = nh_is_symbol(p->pool, e, &index) && !constant[index];
        for (size_t k = 0; k < operands.count; k++) {
            p->changes[e] = p->changes[e] || p->changes[operands.items[k]];
            p->needed[operands.items[k]] = p->needed[operands.items[k]] || !is_product(p, e);
        }
    }
    for (size_t i = 0; i < count; i++)
        p->needed[roots[i]] = true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* False: they are too many. */
static bool find_factors(const pairing *p, product *out)
{
    nh_expr stack[2 * MOST_FACTORS];
    size_t depth = 0;
    out->coefficient = p->pool->one;
    stack[depth++] = out->e;
    while (depth) {
        nh_expr top = stack[--depth];
        nh_node node = nh_get(p->pool, top);
        if (!p->changes[top])
            out->coefficient = nh_mul(p->pool, top, out->coefficient);
        else if (node.kind != NH_MUL && out->count < MOST_FACTORS)
            out->factors[out->count++] = top;
        else if (node.kind == NH_MUL && depth + 2 <= 2 * (size_t)MOST_FACTORS)
            stack[depth++] = node.a, stack[depth++] = node.b;
        else
            return false;
    }
    qsort(out->factors, out->count, sizeof *out->factors, by_number);
    return true;
}

/* False: there are too many, or one is too long. */
static bool find_products(pairing *p)
{
    for (size_t i = 0; i < p->walk.count; i++) {
        nh_expr e = p->walk.nodes[i];
        if (!is_product(p, e) || !p->needed[e] || !p->changes[e])
            continue;
        if (p->n_products == MOST_PRODUCTS)
            return false;
        product *x = &p->products[p->n_products++];
        *x = (product){.e = e};
        if (!find_factors(p, x))
            return false;
        p->n_factors += x->count, p->n_possible += x->count * (x->count - 1) / 2;
    }
    return p->n_possible <= MOST_PAIRS;
}

/* ---------------------------------------------------------------- pairs */

static int by_pair(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorted, each once; how many. */
static size_t sort_pairs(uint64_t *pairs, size_t count)
{
    size_t left = 0;
    qsort(pairs, count, sizeof *pairs, by_pair);
    for (size_t i = 0; i < count; i++)
        if (!left || pairs[left - 1] != pairs[i])
            pairs[left++] = pairs[i];
    return left;
}

/* The pairs of factors of all products, sorted: each as often as there are products that have it. */
static size_t list_pairs(const pairing *p, uint64_t *all)
{
    size_t n = 0;
    for (const product *x = p->products; x < p->products + p->n_products; x++) {
        size_t first = n;
        for (size_t i = 0; i < x->count; i++)
            for (size_t j = i + 1; j < x->count; j++)
                all[n++] = (uint64_t)x->factors[i] << 32 | x->factors[j];
        n = first + sort_pairs(all + first, n - first);
    }
    qsort(all, n, sizeof *all, by_pair);
    return n;
}

/* The first of those that occur most often; 0: none occurs twice. */
static uint64_t most_frequent(const uint64_t *all, size_t count)
{
    uint64_t best = 0;
    size_t most = 1;
    for (size_t i = 0, run = 0; i < count; i++) {
        run = i && all[i] == all[i - 1] ? run + 1 : 1;
        if (run > most)
            most = run, best = all[i];
    }
    return best;
}

static void take_out(product *x, size_t place)
{
    memmove(x->factors + place, x->factors + place + 1, (--x->count - place) * sizeof *x->factors);
}

/* A pair, once, in a product; pairs come behind all handles and earlier ones. */
static void replace(product *x, uint32_t a, uint32_t b, uint32_t pair)
{
    size_t i = 0, j;
    while (i < x->count && x->factors[i] != a)
        i++;
    for (j = i + 1; j < x->count && x->factors[j] != b;)
        j++;
    if (j >= x->count)
        return;
    take_out(x, j), take_out(x, i);
    x->factors[x->count++] = pair;
}

static void find_pairs(pairing *p, uint64_t *room)
{
    for (uint64_t best; (best = most_frequent(room, list_pairs(p, room)));) {
        uint32_t a = (uint32_t)(best >> 32), b = (uint32_t)best, pair = (uint32_t)(p->size + p->n_pairs);
        p->pairs[p->n_pairs][0] = a, p->pairs[p->n_pairs][1] = b, p->n_pairs++;
        for (size_t k = 0; k < p->n_products; k++)
            replace(&p->products[k], a, b, pair);
    }
}

/* ---------------------------------------------------------------- the new form */

static nh_expr image_of(pairing *p, uint32_t factor)
{
    if (factor < p->size)
        return p->image[factor];
    size_t k = factor - p->size;
    if (!p->made[k])
        p->made[k] = nh_mul(p->pool, image_of(p, p->pairs[k][0]), image_of(p, p->pairs[k][1]));
    return p->made[k];
}

static void rebuild(pairing *p)
{
    const product *next = p->products, *end = p->products + p->n_products;
    for (size_t i = 0; i < p->walk.count; i++) {
        nh_expr e = p->walk.nodes[i];
        if (next == end || next->e != e) {
            p->image[e] = nh_rebuilt_with(p->pool, e, p->image);
            continue;
        }
        nh_expr changing = p->pool->one;
        for (size_t k = 0; k < next->count; k++)
            changing = nh_mul(p->pool, changing, image_of(p, next->factors[k]));
        p->image[e] = nh_mul(p->pool, next++->coefficient, changing);
    }
}

bool nh_pair_factors(nh_equations *eq, const nh_expr *roots, size_t count, const bool *constant, nh_expr *out)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t size = (size_t)nh_largest(roots, count) + 1;
    pairing p = {.pool = &eq->pool, .walk = nh_walk_of(&eq->pool, scratch, roots, count), .size = size};
    p.changes = nh_arena_array(scratch, size, sizeof *p.changes);
    p.needed = nh_arena_array(scratch, size, sizeof *p.needed);
    p.image = nh_arena_array(scratch, size, sizeof *p.image);
    p.products = nh_arena_array(scratch, MOST_PRODUCTS, sizeof *p.products);
    prepare(&p, roots, count, constant);
    bool found = find_products(&p);
    if (found) {
        p.pairs = nh_arena_array(scratch, p.n_factors + 1,
                                 sizeof *p.pairs); /* each leaves one factor less, twice */
        p.made = nh_arena_array(scratch, p.n_factors + 1, sizeof *p.made);
        find_pairs(&p, nh_arena_array(scratch, p.n_possible + 1, sizeof(uint64_t)));
        rebuild(&p);
        for (size_t i = 0; i < count; i++)
            out[i] = p.image[roots[i]];
    }
    nh_arena_release(scratch, mark);
    return found;
}
