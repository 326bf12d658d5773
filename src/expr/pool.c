/* The pool: nodes, numbers and symbols, each once. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <string.h>

static uint64_t node_hash(nh_node node)
{
    uint64_t head = (uint64_t)node.kind << 8 | node.function;
    return nh_hash(nh_hash((uint64_t)node.a << 32 | node.b) ^ head << 48);
}

static bool node_equal(nh_node x, nh_node y)
{
    return x.kind == y.kind && x.function == y.function && x.a == y.a && x.b == y.b;
}

static void table_insert(nh_pool *pool, nh_expr e)
{
    size_t mask = pool->table_capacity - 1, i = node_hash(pool->nodes[e]) & mask;
    while (pool->table[i])
        i = (i + 1) & mask;
    pool->table[i] = e;
}

static void table_grow(nh_pool *pool)
{
    pool->table_capacity = pool->table_capacity ? 2 * pool->table_capacity : 2 * NH_FIRST_CAPACITY;
    pool->table = nh_arena_array(pool->arena, pool->table_capacity, sizeof *pool->table);
    for (nh_expr e = 1; e < pool->n_nodes; e++)
        if (pool->nodes[e].kind != NH_NUMBER)
            table_insert(pool, e);
}

static nh_expr append(nh_pool *pool, nh_node node)
{
    if (pool->n_nodes >= UINT32_MAX)
        nh_heap_fail(pool->arena->heap, NH_ERROR_MEMORY);
    nh_push(pool->arena, pool->nodes, pool->n_nodes, pool->nodes_capacity) = node;
    return (nh_expr)(pool->n_nodes - 1);
}

nh_expr nh_intern(nh_pool *pool, nh_node node)
{
    if (2 * pool->n_nodes >= pool->table_capacity)
        table_grow(pool);
    size_t mask = pool->table_capacity - 1;
    for (size_t i = node_hash(node) & mask; pool->table[i]; i = (i + 1) & mask)
        if (node_equal(pool->nodes[pool->table[i]], node))
            return pool->table[i];
    nh_expr e = append(pool, node);
    table_insert(pool, e);
    return e;
}

/* ---------------------------------------------------------------- numbers */

static void rational_insert(nh_pool *pool, nh_expr e)
{
    nh_rational value = pool->rationals[pool->nodes[e].a];
    size_t mask = pool->numbers_capacity - 1, i = nh_rational_hash(value) & mask;
    while (pool->number_table[i])
        i = (i + 1) & mask;
    pool->number_table[i] = e;
}

static void numbers_grow(nh_pool *pool)
{
    size_t old_capacity = pool->numbers_capacity;
    nh_expr *old = pool->number_table;
    pool->numbers_capacity = old_capacity ? 2 * old_capacity : 2 * NH_FIRST_CAPACITY;
    pool->number_table = nh_arena_array(pool->arena, pool->numbers_capacity, sizeof *pool->number_table);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i])
            rational_insert(pool, old[i]);
}

nh_expr nh_number(nh_pool *pool, nh_rational value)
{
    if (2 * pool->n_rationals >= pool->numbers_capacity)
        numbers_grow(pool);
    size_t mask = pool->numbers_capacity - 1;
    for (size_t i = nh_rational_hash(value) & mask; pool->number_table[i]; i = (i + 1) & mask)
        if (nh_rational_equal(pool->rationals[pool->nodes[pool->number_table[i]].a], value))
            return pool->number_table[i];
    uint32_t index = (uint32_t)pool->n_rationals;
    nh_rational kept = value.big ? nh_rational_copy(&pool->numbers, value) : value;
    nh_push(pool->arena, pool->rationals, pool->n_rationals, pool->rationals_capacity) = kept;
    nh_expr e = append(pool, (nh_node){.kind = NH_NUMBER, .a = index});
    rational_insert(pool, e);
    return e;
}

nh_expr nh_integer(nh_pool *pool, int64_t value) { return nh_number(pool, nh_rational_int(value)); }

bool nh_is_number(const nh_pool *pool, nh_expr e, nh_rational *value)
{
    if (pool->nodes[e].kind != NH_NUMBER)
        return false;
    if (value)
        *value = pool->rationals[pool->nodes[e].a];
    return true;
}

/* ---------------------------------------------------------------- symbols */

nh_expr nh_symbol_placed(nh_pool *pool, const char *name, nh_placing placing)
{
    uint32_t index = (uint32_t)pool->n_symbols;
    const char *copy = nh_arena_copy(pool->arena, name, strlen(name));
    nh_push(pool->arena, pool->symbols, pool->n_symbols, pool->symbols_capacity) = copy;
    nh_push(pool->arena, pool->places, pool->n_places, pool->places_capacity) = (uint8_t)placing;
    return nh_symbol_at(pool, index);
}

nh_expr nh_symbol(nh_pool *pool, const char *name) { return nh_symbol_placed(pool, name, NH_PLACED_SECOND); }

nh_expr nh_symbol_at(nh_pool *pool, uint32_t index)
{
    return nh_intern(pool, (nh_node){.kind = NH_SYMBOL, .a = index});
}

bool nh_is_symbol(const nh_pool *pool, nh_expr e, uint32_t *index)
{
    if (pool->nodes[e].kind != NH_SYMBOL)
        return false;
    if (index)
        *index = pool->nodes[e].a;
    return true;
}

const char *nh_symbol_name(const nh_pool *pool, uint32_t index) { return pool->symbols[index]; }

void nh_pool_init(nh_pool *pool, nh_arena *arena)
{
    *pool = (nh_pool){.arena = arena};
    nh_numbers_init(&pool->numbers, arena);
    append(pool, (nh_node){.kind = NH_NONE});
    pool->zero = nh_integer(pool, 0);
    pool->one = nh_integer(pool, 1);
    pool->minus_one = nh_integer(pool, -1);
    pool->two = nh_integer(pool, 2);
    pool->half = nh_number(pool, (nh_rational){.num = 1, .den = 2});
    pool->pi = nh_intern(pool, (nh_node){.kind = NH_PI});
}

static void *copy(nh_arena *arena, const void *items, size_t count, size_t size)
{
    void *out = nh_arena_array(arena, count ? count : 1, size);
    if (count)
        memcpy(out, items, count * size);
    return out;
}

/* Large numbers and names are shared: they never change, and live as long as the pool that is copied. */
void nh_pool_copy(nh_pool *pool, nh_arena *arena, const nh_pool *from)
{
    *pool = *from;
    pool->arena = arena;
    nh_numbers_init(&pool->numbers, arena);
    pool->nodes = copy(arena, from->nodes, from->nodes_capacity, sizeof *pool->nodes);
    pool->table = copy(arena, from->table, from->table_capacity, sizeof *pool->table);
    pool->number_table = copy(arena, from->number_table, from->numbers_capacity, sizeof *pool->number_table);
    pool->rationals = copy(arena, from->rationals, from->rationals_capacity, sizeof *pool->rationals);
    pool->symbols = copy(arena, from->symbols, from->symbols_capacity, sizeof *pool->symbols);
    pool->places = copy(arena, from->places, from->places_capacity, sizeof *pool->places);
}

void nh_pool_free(nh_pool *pool) { nh_numbers_free(&pool->numbers); }

/* ---------------------------------------------------------------- walks */

static void mark(uint8_t *seen, nh_expr e, size_t *count)
{
    *count += !seen[e];
    seen[e] = 1;
}

/* Marks downwards from the largest handle: operands are always smaller. */
nh_walk nh_walk_of(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count)
{
    nh_expr top = 0;
    for (size_t i = 0; i < count; i++)
        top = roots[i] > top ? roots[i] : top;
    uint8_t *seen = nh_arena_array(arena, (size_t)top + 1, 1);
    size_t marked = 0;
    for (size_t i = 0; i < count; i++)
        mark(seen, roots[i], &marked);
    for (nh_expr e = top; e > 0; e--) {
        if (!seen[e])
            continue;
        nh_expr operands[2];
        int n = nh_operands(pool, e, operands);
        for (int k = 0; k < n; k++)
            mark(seen, operands[k], &marked);
    }
    nh_walk walk = {nh_arena_array(arena, marked, sizeof *walk.nodes), 0};
    for (size_t e = 0; e <= top; e++)
        if (seen[e])
            walk.nodes[walk.count++] = (nh_expr)e;
    return walk;
}

int nh_operands(const nh_pool *pool, nh_expr e, nh_expr operands[2])
{
    nh_node node = pool->nodes[e];
    operands[0] = node.a, operands[1] = node.b;
    switch (node.kind) {
    case NH_ADD:
    case NH_MUL:
    case NH_POW:
        return 2;
    case NH_CALL:
        return nh_function_get((nh_function)node.function)->arity;
    default:
        return 0;
    }
}

size_t nh_count_operations(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count)
{
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    size_t operations = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr operands[2];
        operations += nh_operands(pool, walk.nodes[i], operands) > 0;
    }
    return operations;
}

void nh_find_symbols(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count, bool *depends)
{
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    for (size_t i = 0; i < walk.count; i++) {
        uint32_t index;
        if (nh_is_symbol(pool, walk.nodes[i], &index))
            depends[index] = true;
    }
}
