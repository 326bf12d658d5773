/* Inside algebra/: how long an expression is to a reader, in words, numbers and signs. */
#ifndef NH_ALGEBRA_LENGTH_H
#define NH_ALGEBRA_LENGTH_H

#include "expr/expr.h"

/* A node as a product: a number, and the lengths of what stands above and below the line. */
typedef struct nh_length {
    nh_expr number;   /* NH_EXPR_NONE: 1 */
    bool minus;       /* a minus stands in front; of a sum: in front of every term */
    uint8_t divisors; /* below the line: 0, 1, 2 for more */
    float above, below;
    float text; /* of all, without the minus */
} nh_length;

/* By handle; those of a pool never change, and are kept. */
typedef struct nh_lengths {
    const nh_pool *pool;
    nh_arena *arena;
    nh_length *of;
    size_t count, capacity;
} nh_lengths;

void nh_lengths_init(nh_lengths *, const nh_pool *, nh_arena *);
double nh_expr_length(nh_lengths *, nh_expr e);

#endif
