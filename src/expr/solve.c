/* Linear systems that stay linear systems: M x = b as nodes. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <string.h>

/* ---------------------------------------------------------------- lists, each once */

static uint64_t list_hash(const nh_expr *items, size_t count)
{
    uint64_t hash = nh_hash(count);
    for (size_t i = 0; i < count; i++)
        hash = nh_hash(hash ^ items[i]);
    return hash;
}

static void list_insert(nh_pool *pool, uint32_t index)
{
    nh_list list = pool->lists[index];
    size_t mask = pool->list_table_capacity - 1, i = list_hash(list.items, list.count) & mask;
    while (pool->list_table[i])
        i = (i + 1) & mask;
    pool->list_table[i] = index + 1;
}

static void lists_grow(nh_pool *pool)
{
    size_t capacity = pool->list_table_capacity ? 2 * pool->list_table_capacity : 2 * NH_FIRST_CAPACITY;
    pool->list_table = nh_arena_array(pool->arena, capacity, sizeof *pool->list_table);
    pool->list_table_capacity = capacity;
    for (uint32_t i = 0; i < pool->n_lists; i++)
        list_insert(pool, i);
}

static bool list_equal(nh_list list, const nh_expr *items, size_t count)
{
    return list.count == count && memcmp(list.items, items, count * sizeof *items) == 0;
}

static uint32_t list_of(nh_pool *pool, const nh_expr *items, size_t count)
{
    if (2 * pool->n_lists >= pool->list_table_capacity)
        lists_grow(pool);
    size_t mask = pool->list_table_capacity - 1;
    for (size_t i = list_hash(items, count) & mask; pool->list_table[i]; i = (i + 1) & mask)
        if (list_equal(pool->lists[pool->list_table[i] - 1], items, count))
            return pool->list_table[i] - 1;
    nh_expr *kept = nh_arena_array(pool->arena, count, sizeof *kept);
    memcpy(kept, items, count * sizeof *kept);
    nh_push(pool->arena, pool->lists, pool->n_lists, pool->lists_capacity) = (nh_list){kept, count};
    list_insert(pool, (uint32_t)pool->n_lists - 1);
    return (uint32_t)pool->n_lists - 1;
}

/* ---------------------------------------------------------------- nodes */

static bool all_there(const nh_expr *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!items[i])
            return false;
    return true;
}

nh_expr nh_matrix_node(nh_pool *pool, size_t n, bool symmetric, const nh_expr *entries)
{
    if (!all_there(entries, n * n))
        return NH_EXPR_NONE;
    uint32_t list = list_of(pool, entries, n * n);
    return nh_intern(pool, (nh_node){.kind = NH_MATRIX, .function = symmetric, .a = list, .b = (uint32_t)n});
}

/* The list begins with the matrix, so that it is all of the operands. */
static nh_expr solve_of_list(nh_pool *pool, const nh_expr *items, size_t count)
{
    if (!all_there(items, count))
        return NH_EXPR_NONE;
    return nh_intern(pool, (nh_node){.kind = NH_SOLVE, .a = items[0], .b = list_of(pool, items, count)});
}

nh_expr nh_solve_node(nh_pool *pool, nh_expr matrix, const nh_expr *b)
{
    size_t n = pool->nodes[matrix].b;
    if (!matrix)
        return NH_EXPR_NONE;
    nh_expr *items = nh_arena_array(pool->arena, n + 1, sizeof *items);
    items[0] = matrix;
    memcpy(items + 1, b, n * sizeof *b);
    return solve_of_list(pool, items, n + 1);
}

/* Without a right-hand side there is nothing to solve. */
nh_expr nh_component(nh_pool *pool, nh_expr solve, size_t component)
{
    bool zero = true;
    if (!solve)
        return NH_EXPR_NONE;
    nh_list list = nh_operands(pool, solve);
    for (size_t i = 1; i < list.count; i++)
        zero = zero && list.items[i] == pool->zero;
    return zero ? pool->zero
                : nh_intern(pool, (nh_node){.kind = NH_COMPONENT, .a = solve, .b = (uint32_t)component});
}

nh_expr nh_rebuild_linear(nh_pool *pool, nh_node node, const nh_expr *operands)
{
    switch (node.kind) {
    case NH_MATRIX: return nh_matrix_node(pool, node.b, node.function, operands);
    case NH_SOLVE:
        return operands[0] ? solve_of_list(pool, operands, pool->nodes[operands[0]].b + 1) : NH_EXPR_NONE;
    case NH_COMPONENT: return nh_component(pool, operands[0], node.b);
    default: return NH_EXPR_NONE;
    }
}

void nh_solution(nh_pool *pool, size_t n, bool symmetric, const nh_expr *M, const nh_expr *b, nh_expr *x)
{
    nh_expr solve = nh_solve_node(pool, nh_matrix_node(pool, n, symmetric, M), b);
    for (size_t i = 0; i < n; i++)
        x[i] = nh_component(pool, solve, i);
}
