/* Expressions as straight-line code: a name for everything that is used more than once. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <stdio.h>

/* Worth a name: it costs something, and more than a sign or a factor. */
static bool costs(const nh_pool *pool, nh_expr e)
{
    nh_node node = pool->nodes[e];
    nh_expr operands[2];
    if (nh_operands(pool, e, operands) == 0)
        return false;
    return !(node.kind == NH_MUL && nh_is_number(pool, node.a, NULL) && pool->nodes[node.b].kind == NH_SYMBOL);
}

/* What was folded away in the meantime is not defined: from the last definition to the first, those that a root or a later
 * definition uses stay. */
static void drop_unused(const nh_pool *pool, nh_arena *arena, nh_shared *shared, size_t count)
{
    bool *used = nh_arena_array(arena, pool->n_symbols + 1, sizeof *used);
    bool *stays = nh_arena_array(arena, shared->count + 1, sizeof *stays);
    nh_find_symbols(pool, arena, shared->roots, count, used);
    for (size_t i = shared->count; i-- > 0;) {
        uint32_t index = 0;
        nh_is_symbol(pool, shared->definitions[i].symbol, &index);
        stays[i] = used[index];
        if (stays[i])
            nh_find_symbols(pool, arena, &shared->definitions[i].value, 1, used);
    }
    size_t kept = 0;
    for (size_t i = 0; i < shared->count; i++)
        if (stays[i])
            shared->definitions[kept++] = shared->definitions[i];
    shared->count = kept;
}

nh_shared nh_share(nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count, const char *prefix)
{
    nh_walk walk = nh_walk_of(pool, arena, roots, count);
    size_t size = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    uint32_t *uses = nh_arena_array(arena, size, sizeof *uses);
    nh_expr *image = nh_arena_array(arena, size, sizeof *image);
    nh_shared shared = {.roots = nh_arena_array(arena, count + 1, sizeof *shared.roots)};
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr operands[2];
        for (int k = nh_operands(pool, walk.nodes[i], operands); k-- > 0;)
            uses[operands[k]]++;
    }
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i], operands[2];
        int n = nh_operands(pool, e, operands);
        nh_expr images[2] = {n > 0 ? image[operands[0]] : 0, n > 1 ? image[operands[1]] : 0};
        image[e] = n ? nh_rebuild(pool, e, images) : e;
        if (uses[e] < 2 || !costs(pool, e) || !costs(pool, image[e]))
            continue;
        char name[32];
        snprintf(name, sizeof name, "%s%zu", prefix, shared.count + 1);
        nh_definition definition = {nh_symbol(pool, name), image[e]};
        nh_push(arena, shared.definitions, shared.count, shared.capacity) = definition;
        image[e] = definition.symbol;
    }
    for (size_t i = 0; i < count; i++)
        shared.roots[i] = image[roots[i]];
    drop_unused(pool, arena, &shared, count);
    return shared;
}
