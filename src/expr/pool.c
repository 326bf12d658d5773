/* The pool: nodes, numbers and symbols, each once. Where an allocation gives up, it stays as it was, or has something that nobody uses. */
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
    size_t capacity = pool->table_capacity ? 2 * pool->table_capacity : 2 * NH_FIRST_CAPACITY;
    pool->table = nh_arena_array(pool->arena, capacity, sizeof *pool->table);
    pool->table_capacity = capacity;
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
    size_t capacity = old_capacity ? 2 * old_capacity : 2 * NH_FIRST_CAPACITY;
    nh_expr *old = pool->number_table;
    pool->number_table = nh_arena_array(pool->arena, capacity, sizeof *pool->number_table);
    pool->numbers_capacity = capacity;
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
    pool->n_places = index; /* one that was given up may have left a place */
    nh_push(pool->arena, pool->places, pool->n_places, pool->places_capacity) = (uint8_t)placing;
    nh_push(pool->arena, pool->symbols, pool->n_symbols, pool->symbols_capacity) = copy;
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
    pool->lists = copy(arena, from->lists, from->lists_capacity, sizeof *pool->lists);
    pool->list_table = copy(arena, from->list_table, from->list_table_capacity, sizeof *pool->list_table);
}

void nh_pool_free(nh_pool *pool) { nh_numbers_free(&pool->numbers); }

/* ---------------------------------------------------------------- walks */

enum { BITS = 64 };

static void mark(uint64_t *seen, nh_expr e, size_t *count)
{
    uint64_t bit = UINT64_C(1) << e % BITS;
    *count += !(seen[e / BITS] & bit);
    seen[e / BITS] |= bit;
}

static void mark_operands(const nh_pool *pool, uint64_t *seen, nh_expr e, size_t *count)
{
    nh_list operands = nh_operands(pool, e);
    for (size_t k = 0; k < operands.count; k++)
        mark(seen, operands.items[k], count);
}

nh_expr nh_largest(const nh_expr *e, size_t count)
{
    nh_expr largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = e[i] > largest ? e[i] : largest;
    return largest;
}

/* Marks downwards from the largest handle, operands being always smaller: one bit a handle, so that a few nodes of a large
 * pool are found fast. */
nh_walk nh_walk_of(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count)
{
    size_t words = (size_t)nh_largest(roots, count) / BITS + 1, marked = 0;
    uint64_t *seen = nh_arena_array(arena, words, sizeof *seen);
    for (size_t i = 0; i < count; i++)
        mark(seen, roots[i], &marked);
    for (size_t w = words; w-- > 0;)
        for (uint64_t done = 0, rest = seen[w]; rest; rest = seen[w] & ~done) {
            int bit = BITS - 1 - __builtin_clzll(rest);
            done |= UINT64_C(1) << bit;
            mark_operands(pool, seen, (nh_expr)(w * BITS + (size_t)bit), &marked);
        }
    nh_walk walk = {nh_arena_array(arena, marked, sizeof *walk.nodes), 0};
    for (size_t w = 0; w < words; w++)
        for (uint64_t rest = seen[w]; rest; rest &= rest - 1)
            walk.nodes[walk.count++] = (nh_expr)(w * BITS + (size_t)__builtin_ctzll(rest));
    return walk;
}

nh_list nh_operands(const nh_pool *pool, nh_expr e)
{
    const nh_node *node = &pool->nodes[e];
    switch (node->kind) {
    case NH_ADD:
    case NH_MUL:
    case NH_POW: return (nh_list){node->both, 2};
    case NH_CALL: return (nh_list){node->both, (size_t)nh_function_get((nh_function)node->function)->arity};
    case NH_MATRIX: return pool->lists[node->a];
    case NH_SOLVE: return pool->lists[node->b];
    case NH_COMPONENT: return (nh_list){node->both, 1};
    default: return (nh_list){NULL, 0};
    }
}

nh_expr *nh_operand_room(const nh_pool *pool, nh_arena *arena, nh_walk walk)
{
    size_t most = 2;
    for (size_t i = 0; i < walk.count; i++) {
        size_t count = nh_operands(pool, walk.nodes[i]).count;
        most = count > most ? count : most;
    }
    return nh_arena_array(arena, most, sizeof(nh_expr));
}

/* Of the node alone: a factorisation costs n^3/3, half of it where the matrix is symmetric; a solution n^2. */
static size_t operations(const nh_pool *pool, nh_node node)
{
    size_t n = node.kind == NH_MATRIX ? node.b : node.kind == NH_SOLVE ? pool->nodes[node.a].b : 0;
    switch (node.kind) {
    case NH_MATRIX: return 2 * n * n * n / (node.function ? 6 : 3);
    case NH_SOLVE: return 2 * n * n;
    case NH_ADD:
    case NH_MUL:
    case NH_POW:
    case NH_CALL: return 1;
    default: return 0;
    }
}

size_t nh_count_operations(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count)
{
    nh_arena_mark mark = nh_arena_here(arena);
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    size_t sum = 0;
    for (size_t i = 0; i < walk.count; i++)
        sum += operations(pool, pool->nodes[walk.nodes[i]]);
    nh_arena_release(arena, mark);
    return sum;
}

/* Puts a handle into a table of 2^bits places; false: it is there already. */
static bool is_new(nh_expr *table, size_t places, nh_expr e)
{
    size_t k = nh_hash(e) & (places - 1);
    while (table[k] && table[k] != e)
        k = (k + 1) & (places - 1);
    bool found = table[k] == e;
    table[k] = e;
    return !found;
}

bool nh_operations_exceed(const nh_pool *pool, nh_arena *arena, nh_expr e, size_t most)
{
    size_t places = 64, sum = 0, waiting = 0;
    while (places < 8 * (most + 2))
        places *= 2;
    nh_arena_mark mark = nh_arena_here(arena);
    nh_expr *table = nh_arena_array(arena, places, sizeof *table),
            *stack = nh_arena_array(arena, places, sizeof *stack);
    for (stack[waiting++] = e; waiting && sum <= most;) {
        nh_expr next = stack[--waiting];
        sum += operations(pool, pool->nodes[next]);
        nh_list operands = nh_operands(pool, next);
        for (size_t k = 0; k < operands.count && sum <= most; k++)
            if (nh_operands(pool, operands.items[k]).count && is_new(table, places, operands.items[k]))
                stack[waiting++] = operands.items[k];
    }
    nh_arena_release(arena, mark);
    return sum > most;
}

bool nh_has_solve(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count)
{
    nh_arena_mark mark = nh_arena_here(arena);
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    bool found = false;
    for (size_t i = 0; i < walk.count && !found; i++)
        found = pool->nodes[walk.nodes[i]].kind == NH_SOLVE;
    nh_arena_release(arena, mark);
    return found;
}

void nh_find_symbols(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count, bool *depends)
{
    nh_arena_mark mark = nh_arena_here(arena);
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    for (size_t i = 0; i < walk.count; i++) {
        uint32_t index;
        if (nh_is_symbol(pool, walk.nodes[i], &index))
            depends[index] = true;
    }
    nh_arena_release(arena, mark);
}
