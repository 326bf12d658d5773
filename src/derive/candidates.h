/* Inside derive/: which of several forms of the same field is evaluated along motions. */
#ifndef NH_DERIVE_CANDIDATES_H
#define NH_DERIVE_CANDIDATES_H

#include "derive/inner.h"

typedef struct nh_candidates {
    nh_equations *eq;
    const bool *constant; /* by symbol: parameters */
    nh_expr *field;       /* the best so far: psi, then Z; NULL: none */
    size_t cost;
} nh_candidates;

void nh_candidates_init(nh_candidates *, nh_equations *);

/* One that may be cheaper. The best so far stays where it is not, or where careful is asked for and this one is rounded worse at
 * some state, or is not a good deal cheaper. */
void nh_consider(nh_candidates *, const nh_expr *psi, const nh_expr *Z, bool careful);

#endif
