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

/* Found, or constant by definition: on C, in (q, w, t). What is found of a degree has to be independent of those up to it: there may be
 * linear ones of which the energy is a function. */
typedef struct nh_known {
    const nh_expr *F;  /* the function is sum_k a_k F_k, */
    const uint64_t *a; /* modulo p for some values of the parameters; NULL: all are 1 */
    size_t terms, degree;
} nh_known;

/* A stage of the search: one space of functions. */
typedef struct nh_stage {
    size_t degree, coefficients; /* degrees: in the velocities, in the coordinates */
    bool with_rates;             /* in q', not in w */
    size_t mode; /* an angle that does not occur, whose cosine and sine are factors; n: none */
} nh_stage;

typedef struct nh_search {
    nh_equations *eq;
    nh_pool *pool;
    nh_arena *arena; /* of the equations */
    nh_search_options options;
    nh_integrals *out;
    double start, deadline; /* of the search */
    double proofs,
        end;     /* what is found is proved until then, and everything done; INFINITY: there is no limit */
    double last; /* of the heap; 0: none */
    size_t n, m, size; /* m: of the w that are the state; size = n + m + 1 */
    nh_expr *state;    /* q, w, t */
    nh_expr *rates;
    nh_algebra *algebra; /* while the axes are found */
    bool *occurs;        /* by coordinate, and t: in the rates of others */
    nh_axis *axes;       /* of the coordinates and functions that occur */
    size_t n_axes, axes_capacity;
    nh_known *known;
    nh_known
        *lost; /* those that could not be written; with numbers modulo p for some values of the parameters */
    size_t n_lost, lost_capacity;
    size_t n_known, known_capacity, rank; /* rank: how many of them are independent */
    size_t n_constraints;                 /* those of them that are constant by definition */
    nh_expr *also; /* momenta that are constant, and functions of others: z' on x'^2 + y'^2 = z'^2 */
    size_t n_also, also_capacity;
    nh_expr *shown_w; /* what is written for the w; NULL: they have names in the model */
    nh_expr *found;   /* in the end, on C, n_found of them */
    size_t n_found;
    bool special;    /* see nh_search_is_special */
    bool reversible; /* (q, -w) moves backwards */
    size_t most;     /* independent integrals that there can be */
    bool in_rates;   /* polynomials in q' are no others than those in w */
    bool nonlinear;  /* psi, in w */
} nh_search;

/* search.c: the field, q' = psi, w' = Z; what is null by numbers. */
void nh_search_begin(nh_search *);
nh_arena *nh_search_scratch(const nh_search *);
nh_expr *nh_search_array(const nh_search *, size_t count);
bool nh_search_is_null(nh_search *, nh_expr e);
bool nh_search_is_over(const nh_search *);

/* Functions of (q, q') as functions of the state, and their rates along the motion. */
void nh_search_on_C(nh_search *, const nh_expr *in, size_t count, nh_expr *out);
void nh_search_rates(nh_search *, const nh_expr *F, size_t count, nh_expr *out);

/* An algebra for all symbols that there are now, and the time that is left. Not to be moved in memory. */
void nh_search_algebra(nh_search *, nh_algebra *);
bool *nh_search_parameters(const nh_search *); /* by symbol */

/* new_ones[i]: to those known up to a degree (and to those that could not be written, after some attempts), and to those before it, f_i adds something: the rank of the gradients grows with it, at a
 * random point modulo p, with these values of the parameters or, where they are NULL, with others. */
void nh_search_independent(nh_search *, const nh_known *f, size_t count, size_t degree,
                           const uint64_t *values, bool *new_ones);
bool nh_search_is_independent(nh_search *, nh_expr F, size_t degree);
void nh_search_know(nh_search *, nh_expr F, size_t degree);

/* ranks.c: whether there are positions that are given, parameters that are 0 or formulas in others, or no psi: then functions may be dependent
 * there, or independent, that are not so at other states and for other parameters. */
bool nh_search_is_special(const nh_search *);
/* new_ones[i] there: F_i is no function of those before it; rank: of all of them, and of what is held. False: no states were found. */
bool nh_search_ranks(nh_search *, const nh_expr *F, size_t count, bool *new_ones, size_t *rank);

/* How many of those that could not be written are independent of those that are known. */
size_t nh_search_count_lost(nh_search *);

/* integrals.c: judged, and kept unless it is refuted. */
void nh_search_keep(nh_search *, nh_expr shown, nh_expr of_state, const char *meaning, size_t degree);

/* stages.c: false: it was not finished. */
bool nh_search_stage(nh_search *, const nh_stage *);

/* space.c: which coordinates occur, and how. */
void nh_search_axes(nh_search *);

/* All products of powers up to a degree; those of lower degree first. */
nh_phis nh_search_functions(nh_search *, size_t degree);

/* Of the axes, in words: "cos and sin of theta, x, sqrt(1 + y^2)". */
void nh_search_name_axes(const nh_search *, nh_text *);

#endif
