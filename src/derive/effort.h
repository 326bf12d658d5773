/* Inside derive/: how much is tried to make formulas short. */
#ifndef NH_DERIVE_EFFORT_H
#define NH_DERIVE_EFFORT_H

#include "algebra/algebra.h"
#include "derive/inner.h"

/* Predicted terms beyond which a result made from simple parts is not tried. */
enum { NH_MOST_TERMS = 5000 };

typedef struct nh_effort {
    nh_equations *eq;
    nh_forms *forms; /* where what is left out is noted */
    nh_algebra algebra;
    double begin, max_seconds; /* of the processor: on a busy machine the same is tried as on an idle one */
    double most_terms;         /* predicted, of what is tried */
} nh_effort;

/* Not to be moved in memory. All symbols are there already. */
void nh_effort_init(nh_effort *, nh_equations *, nh_forms *, double max_seconds);
void nh_effort_free(nh_effort *);

/* Sets the time for the next job; false: there is none left. */
bool nh_time_left(nh_effort *);

/* Why an object is not there; NULL: it is too large. */
void nh_missing(nh_effort *, const char *object, const char *reason);

/* Each simplified, or as it is; linear systems are written out. */
nh_expr *nh_simple(nh_effort *, const nh_expr *in, size_t count);
nh_expr *nh_simple_within(nh_effort *, const nh_expr *in, size_t count, double most_terms);

/* The predicted terms of the longest. */
double nh_most_terms(nh_effort *, const nh_expr *e, size_t count);

/* Whether results of few terms may be expected from these sums of products. */
bool nh_promising(nh_effort *, const nh_expr *e, size_t count);

#endif
