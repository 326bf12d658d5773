/* Inside analyse/: the flag of distributions that fields generate by their Lie brackets,
 *
 *     D^1 = span X_alpha,   D^(k+1) = D^k + [D^1, D^k],
 *
 * each D^k by rows in echelon form, R_p = d_p + A^N_p d_N, with pivots p and the other columns N, over the field of functions of the
 * variables. The dimensions of D^1, D^2, ... at almost all points are the growth vector. */
#ifndef NH_ANALYSE_FLAG_H
#define NH_ANALYSE_FLAG_H

#include "analyse/fields.h"

enum { NH_MOST_STEPS = 80 };

/* How a row came in: as a generator (from == NH_NO_ROW), or as the bracket [X_alpha, row `from`]. */
#define NH_NO_ROW SIZE_MAX
typedef struct nh_origin {
    size_t alpha, from;
} nh_origin;

typedef struct nh_flag {
    nh_space *space;
    size_t n; /* columns: the variables, and perhaps a value */
    bool
        with_value; /* the last column is the component along a value that nothing depends on: the last pivot */
    size_t m;
    const nh_expr *X; /* generators, m x n */
    size_t rank;
    nh_expr *rows;     /* rank x n */
    size_t *pivots;    /* by row */
    bool *is_pivot;    /* by column */
    nh_origin *origin; /* by row */
    size_t sizes[NH_MOST_STEPS];
    size_t steps;
    bool complete; /* nothing more is to come */
    bool proved;   /* all combinations that seem to be zero are */
    bool stuck;    /* of one it could not even be said whether it seems to be */
} nh_flag;

/* Grows the flag until it stops or is full, or the limits are reached. */
void nh_flag_grow(nh_flag *, nh_space *, size_t n, size_t m, const nh_expr *X, bool with_value);

/* "(2,3,4)", with "..." where it is not complete. */
const char *nh_flag_text(const nh_flag *);

/* Where the dimensions are less than at almost all points, if at all: *condition = 0; NH_EXPR_NONE: nowhere. False: not found. */
bool nh_flag_drops(const nh_flag *, nh_expr *condition);

#endif
