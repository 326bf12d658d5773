/* Inside expr/: nodes as such. */
#ifndef NH_EXPR_INTERN_H
#define NH_EXPR_INTERN_H

#include "expr/expr.h"

/* The handle of this very node, made if it is new. */
nh_expr nh_intern(nh_pool *pool, nh_node node);

/* The operands of a node; returns how many. */
int nh_operands(const nh_pool *pool, nh_expr e, nh_expr operands[2]);

/* The node again, built anew from other operands. */
nh_expr nh_rebuild(nh_pool *pool, nh_expr e, const nh_expr operands[2]);

#endif
