/* Stability along a parameter, or along a variable of the state. */
#ifndef NH_ANALYSE_VARY_H
#define NH_ANALYSE_VARY_H

#include "analyse/linearize.h"

typedef struct nh_locus_row {
    double value;
    nh_eigenvalue *eigenvalues; /* each followed from row to row */
    size_t zeros;
    nh_stability verdict;
    bool steady;
} nh_locus_row;

/* Where the verdict changes. */
typedef struct nh_change {
    double value;
    nh_stability before, behind;
} nh_change;

typedef struct nh_locus {
    const char *name;
    size_t n; /* eigenvalues of a row */
    nh_locus_row *rows;
    size_t count, capacity;
    nh_change *changes;
    size_t n_changes, changes_capacity;
} nh_locus;

/* How states are found. */
typedef struct nh_base_point {
    nh_flow *flow;
    bool project,
        settle; /* settle: to the nearest steady motion that has the values given on the command line, */
    const nh_expr *held; /* of these symbols */
    size_t n_held;
} nh_base_point;

/* Puts the state of the model, with these values instead of its own, into the flow and linearizes there. NULL: there is no such
 * state, which is reported. */
nh_linearization *nh_linearize_at(const nh_base_point *, nh_given);

/* The range of the model. NULL: reported. */
nh_locus *nh_vary(const nh_base_point *, const nh_range *);

#endif
