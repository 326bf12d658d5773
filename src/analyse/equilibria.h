/* States of rest and steady motions. */
#ifndef NH_ANALYSE_EQUILIBRIA_H
#define NH_ANALYSE_EQUILIBRIA_H

#include "analyse/linearize.h"

/* One state, or a family of them. */
typedef struct nh_equilibrium {
    double *inputs; /* t, x: one of the family, the free variables being 0 or within the box */
    bool *free;     /* by variable: any value does, whatever the other free ones are */
    bool *bound;    /* by variable: changes along the family, with others */
    size_t dimension;
    bool singular;  /* the equations of motion have no unique solution there */
    nh_expr *exact; /* by variable: the values as formulas in the parameters; NULL: none were found */
    nh_verdict
        found; /* proved: the exact values solve the equations exactly, or there is one solution near by; tested: to rounding */
    double within;        /* proved without exact values: not farther away than this */
    nh_stability verdict; /* of the member that is shown, */
    bool alike;           /* and, which is proved, of all others */
    const char *reason;
    double *other; /* inputs of a member with another verdict; NULL: none was found */
    nh_stability other_verdict;
    double **members; /* inputs of others that were found in the family, some of them */
    size_t n_members, members_capacity;
} nh_equilibrium;

typedef struct nh_equilibria {
    nh_flow *flow;              /* in whose variables they are */
    struct nh_equilibria *more; /* in all velocities, what free ones do not reach; NULL: none */
    nh_equilibrium *items;
    size_t count, capacity;
    bool *takes_part; /* by variable; steady motions: the others may change */
    size_t searches, converged;
    bool complete;      /* there can be no others */
    bool polynomial;    /* as the zeros of one they are known; each counts as a search */
    bool everywhere;    /* searched in all velocities, too: on all branches */
    bool full;          /* so many were found that the search was ended */
    double *low, *high; /* the box, by variable */
    bool *jumps;        /* by variable: a velocity along which forces jump at rest, as dry friction does */
    bool *
        vertex; /* by variable: one along which the constraints do, and no force, as at the vertex of a cone */
} nh_equilibria;

/* psi = 0 and Z_alpha = 0 within the box of the model; steady: only for the variables that take part. Parameters have the values
 * that were put into the flow. Where free velocities that the program chose do not reach such states, these are found in all velocities: `more`, or, if there
 * are no others, the flow becomes one in all velocities. */
enum { NH_SEARCHES = 300 };
nh_equilibria *nh_find_equilibria(nh_flow **, bool steady, size_t searches);

/* box.c: "x, y = -10:10; a = -3.14159:3.14159", of the variables that are to be shown. */
void nh_box_print(nh_text *, const nh_flow *, const nh_equilibria *, const bool *shown);

#endif
