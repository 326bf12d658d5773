/* Inside analyse/, included by its door: first integrals.
 *
 * F = sum of a_k phi_k(q, t) w^mu, with w = z or w = q', is constant along every motion if
 *     psi^i d_i F + Z^alpha d_alpha F + d_t F = 0,
 * which is linear in the a_k: relations between the rates of the phi_k w^mu with coefficients in the parameters. */
#ifndef NH_ANALYSE_INTEGRALS_H
#define NH_ANALYSE_INTEGRALS_H

#include "derive/derive.h"

typedef struct nh_integral {
    nh_expr value; /* in q, t, and q' or z */
    nh_verdict verdict;
    const char *detail;  /* how it is known */
    const char *meaning; /* "energy", "momentum of psi"; NULL: no name is known */
    size_t degree;       /* in the velocities */
    bool follows;        /* it has a name, but is a function of the others */
} nh_integral;

/* An `integral` of the model. */
typedef struct nh_claim {
    const char *name;
    nh_verdict verdict;
    bool follows; /* it is a function of those that were found */
    bool trivial; /* it is constant by the constraints alone, */
    bool fixed;   /* or at all states, whatever the constraints are */
} nh_claim;

/* A coordinate that does not occur in the energies, and has no force. */
typedef struct nh_cyclic {
    const char *name;
    bool conserved; /* its momentum is constant, the constraints notwithstanding */
} nh_cyclic;

typedef struct nh_integrals {
    nh_integral *items; /* functionally independent, but for those that are marked */
    size_t count, capacity;
    nh_cyclic *cyclic;
    size_t n_cyclic, cyclic_capacity;
    nh_claim *claims;
    size_t n_claims;
    size_t degree;        /* the largest in the velocities that was asked for */
    const char *searched; /* the space, in words */
    const char *rest;     /* what was not done; NULL: nothing is to be said */
    bool late;            /* the time was over before the search began */
    bool complete;        /* there are as many as there can be, locally; */
    bool timed;           /* those that depend on the time are counted, too */
    bool has_steps;   /* velocities jump: what depends on them is unknown there, and constant in between */
    size_t unwritten; /* that there are modulo a prime, but whose coefficients could not be written */
} nh_integrals;

/* What the coefficients are made of, besides constants. */
enum { NH_SPACE_POLYNOMIALS = 1, NH_SPACE_TRIGONOMETRIC = 2, NH_SPACE_FUNCTIONS = 4, NH_SPACE_ALL = 7 };

typedef struct nh_search_options {
    size_t degree;  /* in the velocities */
    unsigned space; /* NH_SPACE_... */
    double max_seconds;
    int (*stop)(void *user);                                     /* not 0: the search ends; may be NULL */
    void (*progress)(void *user, double part, const char *what); /* may be NULL */
    void *user;
} nh_search_options;

/* Lives as long as the equations. */
nh_integrals *nh_find_integrals(nh_equations *equations, const nh_search_options *options);

#endif
