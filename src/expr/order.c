/* Sums and products in the order in which a person writes them.
 *
 * Factors: the number, parameters, coordinates, velocities, functions, sums in parentheses. Terms: by their factors, as
 * words in a dictionary, a term that goes on before one that ends; a term without a minus goes first where
 * there is one. The order is one of what is written, and of the order in which names were declared: whatever else
 * the pool holds, and whenever it was made, the text is the same. */
#include "expr/expr.h"
#include "expr/intern.h"
#include <string.h>

/* Shared parts can make a sum longer than any memory: what goes beyond this stays a part in parentheses. */
enum { MAX_FACTORS = 1000, MAX_TERMS = 10000 };

/* ---------------------------------------------------------------- which comes first */

typedef enum { RANK_NUMBER, RANK_FIRST, RANK_SECOND, RANK_THIRD, RANK_FUNCTION, RANK_SUM, RANK_LINEAR } rank;

static rank rank_of(const nh_pool *pool, nh_expr e)
{
    bool power = pool->nodes[e].kind == NH_POW;
    while (pool->nodes[e].kind == NH_POW)
        e = pool->nodes[e].a;
    nh_node node = pool->nodes[e];
    bool sum = node.kind == NH_ADD || node.kind == NH_MUL || node.kind == NH_NONE;
    if (power || sum)
        return sum ? RANK_SUM : RANK_FUNCTION;
    switch (node.kind) {
    case NH_NUMBER: return RANK_NUMBER;
    case NH_SYMBOL: return (rank)(RANK_FIRST + pool->places[node.a]);
    case NH_CALL:
        return pool->nodes[node.a].kind == NH_NUMBER ? RANK_FIRST : RANK_FUNCTION; /* sqrt(2) is a constant */
    case NH_PI: return RANK_FIRST;
    default: return RANK_LINEAR;
    }
}

/* Among those of one rank: pi, sqrt(2), names; functions, powers; products, powers of sums, sums. */
static int class_of(nh_node node)
{
    static const int classes[] = {
        [NH_PI] = 1, [NH_CALL] = 2, [NH_SYMBOL] = 3, [NH_MUL] = 4, [NH_POW] = 5, [NH_ADD] = 6};
    return classes[node.kind];
}

/* The operands in the order in which they are compared: the number of a product last. */
static nh_expr operand(const nh_pool *pool, nh_node node, int k)
{
    bool scaled = node.kind == NH_MUL && pool->nodes[node.a].kind == NH_NUMBER;
    return (k == 0) == scaled ? node.b : node.a;
}

static int compare_names(nh_node p, nh_node q)
{
    return p.function == q.function ? 0 /* cos before sin */
                                    : strcmp(nh_function_get((nh_function)p.function)->name,
                                             nh_function_get((nh_function)q.function)->name);
}

/* Parts of linear systems: by kind and size, then by the first operand that differs. */
static int compare_linear(const nh_pool *pool, nh_expr *a, nh_expr *b)
{
    nh_node p = pool->nodes[*a], q = pool->nodes[*b];
    nh_list x = nh_operands(pool, *a), y = nh_operands(pool, *b);
    if (p.kind != q.kind || x.count != y.count)
        return p.kind != q.kind ? p.kind - q.kind : x.count < y.count ? -1 : 1;
    if (p.kind == NH_MATRIX && p.function != q.function)
        return p.function - q.function;
    size_t k = 0;
    while (k < x.count && x.items[k] == y.items[k])
        k++;
    if (k == x.count) /* components of one solution */
        return p.b < q.b ? -1 : 1;
    *a = x.items[k], *b = y.items[k];
    return 0;
}

/* One step: the answer, or 0, and *a and *b are the operands that give it. Functions go by their argument first. */
static int compare_step(const nh_pool *pool, nh_expr *a, nh_expr *b)
{
    rank x = rank_of(pool, *a), y = rank_of(pool, *b);
    nh_node p = pool->nodes[*a], q = pool->nodes[*b];
    if (x != y)
        return x < y ? -1 : 1;
    if (x == RANK_LINEAR)
        return compare_linear(pool, a, b);
    if (x == RANK_NUMBER)
        return nh_rational_compare(pool->rationals[p.a], pool->rationals[q.a]);
    if (p.kind == NH_SYMBOL && q.kind == NH_SYMBOL)
        return p.a < q.a ? -1 : 1;
    int order = class_of(p) - class_of(q), name = order ? 0 : compare_names(p, q);
    if (order && x != RANK_FUNCTION)
        return order;
    *a = operand(pool, p, 0), *b = operand(pool, q, 0);
    if (*a != *b)
        return 0;
    *a = operand(pool, p, 1), *b = operand(pool, q, 1);
    return order ? order : name;
}

/* Equal operands have equal handles, so that this is one path down, and needs no memory of what was compared. */
int nh_compare(const nh_pool *pool, nh_expr a, nh_expr b)
{
    int order = 0;
    while (a != b && order == 0)
        order = compare_step(pool, &a, &b);
    return order;
}

/* ---------------------------------------------------------------- factors */

static nh_factor factor_of(const nh_pool *pool, nh_expr e)
{
    nh_node node = pool->nodes[e];
    nh_rational n;
    if (node.kind == NH_POW && nh_is_number(pool, node.b, &n) && !n.big && n.den == 1)
        return (nh_factor){node.a, n.num};
    return (nh_factor){e, 1};
}

static int compare_factors(const nh_pool *pool, nh_factor a, nh_factor b)
{
    int order = nh_compare(pool, a.base, b.base);
    return order ? order : a.exponent > b.exponent ? -1 : a.exponent < b.exponent;
}

/* Merge sort: no library sort takes a context everywhere, and this one is stable. */
typedef int comparison(const nh_pool *pool, const void *context, uint32_t a, uint32_t b);

static void merge_sort(const nh_pool *pool, const void *context, comparison *compare, uint32_t *items,
                       uint32_t *room, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half, k = 0;
    merge_sort(pool, context, compare, items, room, half);
    merge_sort(pool, context, compare, items + half, room, n - half);
    while (i < half && j < n)
        room[k++] = compare(pool, context, items[j], items[i]) < 0 ? items[j++] : items[i++];
    while (i < half)
        room[k++] = items[i++];
    while (k-- > 0)
        items[k] = room[k];
}

static int compare_exprs(const nh_pool *pool, const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return nh_compare(pool, a, b);
}

void nh_sort(const nh_pool *pool, nh_expr *items, nh_expr *room, size_t n)
{
    merge_sort(pool, NULL, compare_exprs, items, room, n);
}

static uint32_t *identity(nh_arena *arena, size_t n)
{
    uint32_t *order = nh_arena_array(arena, n + 1, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    return order;
}

static int compare_in_product(const nh_pool *pool, const void *context, uint32_t a, uint32_t b)
{
    const nh_factor *factors = context;
    return compare_factors(pool, factors[a], factors[b]);
}

/* A product without a number in front, which would have to be raised to the exponent. */
static bool is_plain_product(const nh_pool *pool, nh_expr e)
{
    return pool->nodes[e].kind == NH_MUL && pool->nodes[pool->nodes[e].a].kind != NH_NUMBER;
}

/* x x is x^2, as long as both are above or both below. */
static void append_factor(nh_product *product, nh_factor factor)
{
    nh_factor *last = product->count ? &product->factors[product->count - 1] : NULL;
    if (last && last->base == factor.base && (last->exponent > 0) == (factor.exponent > 0))
        last->exponent += factor.exponent;
    else
        product->factors[product->count++] = factor;
}

/* What is below is taken apart: 1/(a b) is 1/a 1/b. */
nh_product nh_product_of(const nh_pool *pool, nh_arena *arena, nh_expr e)
{
    nh_product product = {.number = nh_rational_int(1)};
    nh_factor *todo = NULL, *found = NULL;
    size_t n_todo = 0, todo_capacity = 0, n = 0, capacity = 0;
    for (nh_push(arena, todo, n_todo, todo_capacity) = (nh_factor){e, 1}; n_todo > 0;) {
        nh_factor x = todo[--n_todo], inner = factor_of(pool, x.base);
        nh_node node = pool->nodes[x.base];
        bool product_inside = x.exponent == 1 ? node.kind == NH_MUL : is_plain_product(pool, x.base);
        if (product_inside && n + n_todo < MAX_FACTORS) {
            nh_push(arena, todo, n_todo, todo_capacity) = (nh_factor){node.b, x.exponent};
            nh_push(arena, todo, n_todo, todo_capacity) = (nh_factor){node.a, x.exponent};
        } else if (x.exponent == 1 && inner.exponent < 0 && is_plain_product(pool, inner.base) &&
                   n + n_todo < MAX_FACTORS) {
            nh_push(arena, todo, n_todo, todo_capacity) = inner;
        } else if (x.exponent == 1 && node.kind == NH_NUMBER && n == 0) {
            product.number = pool->rationals[node.a]; /* the normal form has at most one, in front */
        } else {
            nh_push(arena, found, n, capacity) = x.exponent == 1 ? inner : x;
        }
    }
    uint32_t *order = identity(arena, n), *room = identity(arena, n);
    merge_sort(pool, found, compare_in_product, order, room, n);
    product.factors = nh_arena_array(arena, n + 1, sizeof *product.factors);
    for (size_t i = 0; i < n; i++)
        append_factor(&product, found[order[i]]);
    return product;
}

/* ---------------------------------------------------------------- terms */

static int compare_products(const nh_pool *pool, const nh_product *a, const nh_product *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        int order = compare_factors(pool, a->factors[i], b->factors[i]);
        if (order)
            return order;
    }
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return nh_rational_compare(b->number, a->number);
}

static int compare_in_sum(const nh_pool *pool, const void *context, uint32_t a, uint32_t b)
{
    const nh_product *products = context;
    return compare_products(pool, &products[a], &products[b]);
}

static size_t terms_of(const nh_pool *pool, nh_arena *arena, nh_expr e, nh_expr **terms)
{
    nh_expr *todo = NULL;
    size_t n_todo = 0, todo_capacity = 0, n = 0, capacity = 0;
    *terms = NULL;
    for (nh_push(arena, todo, n_todo, todo_capacity) = e; n_todo > 0;) {
        nh_expr x = todo[--n_todo];
        nh_node node = pool->nodes[x];
        if (node.kind == NH_ADD && n + n_todo < MAX_TERMS) {
            nh_push(arena, todo, n_todo, todo_capacity) = node.b;
            nh_push(arena, todo, n_todo, todo_capacity) = node.a;
        } else {
            nh_push(arena, *terms, n, capacity) = x;
        }
    }
    return n;
}

/* The first term without a minus comes to the front. */
static void positive_first(uint32_t *order, size_t n, const nh_product *products)
{
    size_t first = 0;
    while (first < n && nh_rational_sign(products[order[first]].number) < 0)
        first++;
    if (first == n)
        return;
    uint32_t moved = order[first];
    for (; first > 0; first--)
        order[first] = order[first - 1];
    order[0] = moved;
}

nh_sum nh_sum_of(const nh_pool *pool, nh_arena *arena, nh_expr e)
{
    nh_expr *terms;
    size_t n = terms_of(pool, arena, e, &terms);
    nh_product *products = nh_arena_array(arena, n, sizeof *products);
    for (size_t i = 0; i < n; i++)
        products[i] = nh_product_of(pool, arena, terms[i]);
    uint32_t *order = identity(arena, n), *room = identity(arena, n);
    merge_sort(pool, products, compare_in_sum, order, room, n);
    positive_first(order, n, products);
    nh_sum sum = {nh_arena_array(arena, n, sizeof *sum.terms), n};
    for (size_t i = 0; i < n; i++)
        sum.terms[i] = products[order[i]];
    return sum;
}
