/* Inside analyse/: functions of the variables in which solutions of linear equations are looked for. */
#ifndef NH_ANALYSE_FUNCTIONS_H
#define NH_ANALYSE_FUNCTIONS_H

#include "analyse/fields.h"

typedef struct nh_functions {
    nh_space *space;
    bool periodic; /* none that contains an angle but as sin, cos and the like */
    nh_expr *items;
    size_t count, capacity;
} nh_functions;

/* How many there are: the variables; with sines, cosines and other functions that occur in the fields; with the products of two of
 * them, logarithms of them and of the factors that occur, and what else simple forms lead to when they are integrated. The simple
 * ones come first. */
typedef enum nh_wealth { NH_VARIABLES, NH_OCCURRING, NH_PRODUCTS, NH_WEALTH_COUNT } nh_wealth;

void nh_functions_init(nh_functions *, nh_space *, bool periodic);
void nh_functions_add(nh_functions *, nh_expr e); /* if it depends on the variables, and once */
void nh_functions_add_logarithms(nh_functions *, nh_expr product); /* of its factors */
void nh_functions_fill(nh_functions *, const nh_expr *occurring, size_t count, nh_wealth);

/* Symbols that stand for constants, by symbol: the parameters. */
bool *nh_constants(nh_space *);

/* exp(sum_k a_k e_k), with powers for the logarithms among the e. */
nh_expr nh_exponential_of(nh_space *, size_t count, const nh_expr *a, const nh_expr *e);

/* Functions that are constant along the fields X, independent of each other, at most `wanted`; returns how many were found.
 * Each is proved. */
size_t nh_find_constant(nh_space *, size_t wanted, nh_expr *out);

#endif
