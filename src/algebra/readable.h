/* Inside algebra/: how long an expression is to a reader. */
#ifndef NH_ALGEBRA_READABLE_H
#define NH_ALGEBRA_READABLE_H

#include "algebra/ring.h"

size_t nh_expr_length(const nh_pool *, nh_arena *scratch, nh_expr e);

#endif
