/* Inside algebra/, included by its door: linear relations between functions, found modulo a prime, written in parameters, proved.
 *
 * What holds for all values of the parameters holds modulo p for random ones: there are never more relations than are found there, and
 * those that are found by chance are not proved. */
#ifndef NH_ALGEBRA_RELATIONS_H
#define NH_ALGEBRA_RELATIONS_H

#include "expr/expr.h"

struct nh_algebra;

/* sum_k a_k e_rk = 0 for r = 1..rows, modulo p for one random choice of the constants. */
typedef struct nh_relations {
    struct nh_algebra *algebra;
    nh_arena arena, points_arena; /* temporary */
    size_t rows, count;
    const nh_expr *e;     /* rows x count */
    const bool *constant; /* by symbol */
    uint64_t *values;     /* of the constants, by symbol */
    uint64_t seed;
    double deadline;
    nh_modular *points;
    nh_echelon *echelon;
    size_t found;
    uint64_t **vectors; /* found x count, in the order of their last columns, which have 1 */
    size_t *last;
} nh_relations;

/* Simple columns come first: each relation expresses one column by those before it. Not to be moved in memory; freed by itself where
 * something inside gives up. False: the budget did not suffice, or there are no points; the algebra's reason says which.
 * To be freed in any case. */
bool nh_relations_find(nh_relations *, struct nh_algebra *, size_t rows, size_t count, const nh_expr *e,
                       const bool *constant);
void nh_relations_free(nh_relations *);

/* Relations with few terms: those above, and those that combinations of them are with other columns expressed; the shortest first, at
 * most so many. Each is the only one between its columns. They live in the arena of the relations. */
uint64_t **nh_relations_short(nh_relations *, size_t most, size_t *count);

/* One of them as functions of the constants, without denominators or common factors: count expressions. False: the budget did not suffice. */
bool nh_relations_write(nh_relations *, const uint64_t *vector, nh_expr *a);

/* interpolate.c: the same for the columns of a support, whose last is the one that is expressed. */
bool nh_relations_interpolate(nh_relations *, const size_t *support, size_t size, nh_expr *a);

#endif
