/* Inside derive/: which of several forms of the same field is evaluated along motions. */
#ifndef NH_DERIVE_CANDIDATES_H
#define NH_DERIVE_CANDIDATES_H

#include "derive/inner.h"

typedef struct nh_candidates {
    nh_equations *eq;
    const bool *constant; /* by symbol: parameters */
    nh_expr *first;       /* as it is derived: psi, then Z */
    nh_expr *field;       /* the best so far; NULL: none */
    size_t cost;
} nh_candidates;

void nh_candidates_init(nh_candidates *, nh_equations *);
bool nh_is_parametric(const nh_candidates *, nh_expr); /* made of parameters and numbers alone */

/* One that may be cheaper. The best so far stays where it is not, or where careful is asked for and this one is rounded worse at
 * some state, or is not a good deal cheaper. */
void nh_consider(nh_candidates *, const nh_expr *psi, const nh_expr *Z, bool careful);

/* The same with its products grouped in the cheapest way, carefully. */
void nh_consider_regrouped(nh_candidates *, const nh_expr *psi, const nh_expr *Z);

/* regroup.c: products that share parts with others, or, by_velocities, with one of the z as the last factor. */
void nh_regroup(nh_equations *, const nh_expr *roots, size_t count, bool by_velocities, nh_expr *out);

/* pairs.c: products by the pairs of factors that they share. False: there are too many. */
bool nh_pair_factors(nh_equations *, const nh_expr *roots, size_t count, const bool *constant, nh_expr *out);

#endif
