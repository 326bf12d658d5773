/* Inside analyse/: what the files on integrals share. */
#ifndef NH_ANALYSE_SEARCH_H
#define NH_ANALYSE_SEARCH_H

#include "algebra/algebra.h"
#include "analyse/integrals.h"

/* Powers of one function of the coordinates, or the sines and cosines of the multiples of an angle. */
typedef struct nh_axis {
    nh_expr x, sine, cosine; /* x: NH_EXPR_NONE for an angle */
    size_t most;             /* the largest degree */
} nh_axis;

/* A function of the coordinates, of a degree. */
typedef struct nh_phi {
    nh_expr value;
    size_t degree;
} nh_phi;

typedef struct nh_phis {
    nh_phi *items;
    size_t count, capacity;
} nh_phis;

typedef struct nh_search {
    nh_equations *eq;
    nh_pool *pool;
    nh_arena *arena; /* of the equations */
    nh_search_options options;
    nh_integrals *out;
    double start, deadline;
    size_t n, m, size; /* m: of the w that are the state; size = n + m + 1 */
    nh_expr *state;    /* q, w, t */
    nh_expr *rates;
    bool *occurs;  /* by coordinate, and t: in the rates of others */
    nh_axis *axes; /* of the coordinates and functions that occur */
    size_t n_axes, axes_capacity;
    nh_expr *known; /* found, and what is constant by definition; on C, in (q, w, t) */
    size_t n_known, known_capacity;
    bool reversible; /* (q, -w) moves backwards */
} nh_search;

/* space.c: which coordinates occur, and how. */
void nh_search_axes(nh_search *);

/* All products of powers up to a degree; those of lower degree first. */
nh_phis nh_search_functions(nh_search *, size_t degree);

/* Of the axes, in words: "cos and sin of theta, x, sqrt(1 + y^2)". */
void nh_search_name_axes(const nh_search *, nh_text *);

#endif
