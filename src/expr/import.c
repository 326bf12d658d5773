/* Expressions from one pool to another. */
#include "expr/expr.h"
#include "expr/intern.h"

void nh_pool_init_like(nh_pool *pool, nh_arena *arena, const nh_pool *from)
{
    nh_pool_init(pool, arena);
    for (size_t i = 0; i < from->n_symbols; i++)
        nh_symbol_placed(pool, from->symbols[i], (nh_placing)from->places[i]);
}

/* The node of another pool, with operands of this one. */
static nh_expr import_node(nh_pool *pool, const nh_pool *from, nh_node node, const nh_expr *images)
{
    switch (node.kind) {
    case NH_NUMBER: return nh_number(pool, from->rationals[node.a]);
    case NH_SYMBOL: return nh_symbol_at(pool, node.a);
    case NH_PI: return pool->pi;
    case NH_ADD: return nh_add(pool, images[0], images[1]);
    case NH_MUL: return nh_mul(pool, images[0], images[1]);
    case NH_POW: return nh_pow(pool, images[0], images[1]);
    case NH_CALL:
        return nh_call(pool, (nh_function)node.function, images[0], node.b ? images[1] : NH_EXPR_NONE);
    case NH_MATRIX:
    case NH_SOLVE:
    case NH_COMPONENT: return nh_rebuild_linear(pool, node, images);
    default: return NH_EXPR_NONE;
    }
}

nh_expr nh_import(nh_pool *pool, nh_arena *scratch, const nh_pool *from, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(from, scratch, &e, 1);
    nh_expr *image = nh_arena_array(scratch, (size_t)e + 1, sizeof *image);
    nh_expr *images = nh_operand_room(from, scratch, walk);
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr x = walk.nodes[i];
        nh_list operands = nh_operands(from, x);
        for (size_t k = 0; k < operands.count; k++)
            images[k] = image[operands.items[k]];
        image[x] = import_node(pool, from, from->nodes[x], images);
    }
    nh_expr out = image[e];
    nh_arena_release(scratch, mark);
    return out;
}
