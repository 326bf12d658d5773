/* Expressions as straight-line code: a name for everything that is used more than once. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <stdio.h>

/* Worth a name: it costs something, and more than a sign or a factor. */
static bool costs(const nh_pool *pool, nh_expr e)
{
    nh_node node = pool->nodes[e];
    if (nh_operands(pool, e).count == 0)
        return false;
    return !(node.kind == NH_MUL && nh_is_number(pool, node.a, NULL) &&
             pool->nodes[node.b].kind == NH_SYMBOL);
}

/* Marks what e consists of; what is marked already is not looked at again. */
typedef struct marking {
    const nh_pool *pool;
    nh_arena *arena;
    bool *seen, *used; /* by handle; by symbol */
    nh_expr *stack;
    size_t count, capacity;
} marking;

static void mark(marking *m, nh_expr e)
{
    uint32_t index;
    if (m->seen[e])
        return;
    m->seen[e] = true;
    if (nh_is_symbol(m->pool, e, &index))
        m->used[index] = true;
    nh_push(m->arena, m->stack, m->count, m->capacity) = e;
}

static void mark_all(marking *m, nh_expr e)
{
    mark(m, e);
    while (m->count > 0) {
        nh_list operands = nh_operands(m->pool, m->stack[--m->count]);
        for (size_t k = 0; k < operands.count; k++)
            mark(m, operands.items[k]);
    }
}

/* What was folded away in the meantime is not defined: from the last definition to the first, those that a root or a later
 * definition uses stay. */
static void drop_unused(const nh_pool *pool, nh_arena *arena, nh_shared *shared, size_t count)
{
    marking m = {.pool = pool, .arena = arena};
    m.seen = nh_arena_array(arena, pool->n_nodes, sizeof *m.seen);
    m.used = nh_arena_array(arena, pool->n_symbols + 1, sizeof *m.used);
    bool *stays = nh_arena_array(arena, shared->count + 1, sizeof *stays);
    for (size_t i = 0; i < count; i++)
        mark_all(&m, shared->roots[i]);
    for (size_t i = shared->count; i-- > 0;) {
        uint32_t index = 0;
        nh_is_symbol(pool, shared->definitions[i].symbol, &index);
        stays[i] = m.used[index];
        if (stays[i])
            mark_all(&m, shared->definitions[i].value);
    }
    size_t kept = 0;
    for (size_t i = 0; i < shared->count; i++)
        if (stays[i])
            shared->definitions[kept++] = shared->definitions[i];
    shared->count = kept;
}

/* The next name that no symbol has: prefix and a number behind the given one. */
static void next_name(const nh_map *taken, const char *prefix, size_t *number, char *name, size_t size)
{
    do
        snprintf(name, size, "%s%zu", prefix, ++*number);
    while (nh_map_get(taken, nh_slice_of(name)) != NH_MAP_NONE);
}

static nh_map names_of(const nh_pool *pool, nh_arena *arena)
{
    nh_map names;
    nh_map_init(&names, arena);
    for (uint32_t i = 0; i < pool->n_symbols; i++)
        nh_map_put(&names, nh_slice_of(pool->symbols[i]), i);
    return names;
}

nh_shared nh_share(nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count, const char *prefix,
                   const nh_map *others)
{
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    size_t size = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    uint32_t *uses = nh_arena_array(arena, size, sizeof *uses);
    nh_expr *image = nh_arena_array(arena, size, sizeof *image);
    nh_shared shared = {.roots = nh_arena_array(arena, count + 1, sizeof *shared.roots)};
    for (size_t i = 0; i < walk.count; i++) {
        nh_list operands = nh_operands(pool, walk.nodes[i]);
        for (size_t k = 0; k < operands.count; k++)
            uses[operands.items[k]]++;
    }
    nh_expr *images = nh_operand_room(pool, arena, walk);
    nh_map taken = names_of(pool, arena);
    size_t number = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        nh_list operands = nh_operands(pool, e);
        for (size_t k = 0; k < operands.count; k++)
            images[k] = image[operands.items[k]];
        image[e] = operands.count ? nh_rebuild(pool, e, images) : e;
        if (uses[e] < 2 || !costs(pool, e) || !costs(pool, image[e]))
            continue;
        char name[32];
        do
            next_name(&taken, prefix, &number, name, sizeof name);
        while (others && nh_map_get(others, nh_slice_of(name)) != NH_MAP_NONE);
        nh_definition definition = {nh_symbol(pool, name), image[e]};
        nh_push(arena, shared.definitions, shared.count, shared.capacity) = definition;
        image[e] = definition.symbol;
    }
    for (size_t i = 0; i < count; i++)
        shared.roots[i] = image[roots[i]];
    drop_unused(pool, arena, &shared, count);
    return shared;
}
