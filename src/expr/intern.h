/* Inside expr/: nodes as such. */
#ifndef NH_EXPR_INTERN_H
#define NH_EXPR_INTERN_H

#include "expr/expr.h"

/* The handle of this very node, made if it is new. */
nh_expr nh_intern(nh_pool *pool, nh_node node);

/* Room for the operands of any node of a walk. */
nh_expr *nh_operand_room(const nh_pool *pool, nh_arena *arena, nh_walk walk);

/* The node again, built anew from other operands. */
nh_expr nh_rebuild(nh_pool *pool, nh_expr e, const nh_expr *operands);

/* The same for the kinds NH_MATRIX, NH_SOLVE and NH_COMPONENT; from another pool, if its lists are there. */
nh_expr nh_rebuild_linear(nh_pool *pool, nh_node node, const nh_expr *operands);

/* The pieces of nh_solution. */
nh_expr nh_matrix_node(nh_pool *pool, size_t n, bool symmetric, const nh_expr *entries);
nh_expr nh_solve_node(nh_pool *pool, nh_expr matrix, const nh_expr *b);
nh_expr nh_component(nh_pool *pool, nh_expr solve, size_t component);

#endif
