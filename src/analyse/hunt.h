/* Inside analyse/: what the files on equilibria share. */
#ifndef NH_ANALYSE_HUNT_H
#define NH_ANALYSE_HUNT_H

#include "analyse/equilibria.h"

#include <math.h>

/* A search for solutions G = 0, and those that it has found. */
typedef struct nh_hunt {
    nh_flow *flow;
    nh_smooth *G;
    const bool *moves; /* by variable: the unknowns */
    const nh_expr *roots;
    size_t n_roots;
    const nh_expr *exact;      /* the same with the values of the parameters as they are written */
    const bool *may_underflow; /* by root */
    nh_equilibria *all;
    bool degenerate; /* a solution was left out, being such a one: see nh_hunt_is_degenerate */
    uint64_t random;
} nh_hunt;

/* In which a variable is measured. */
static inline double nh_hunt_unit(const nh_hunt *h, const double *inputs, size_t k)
{
    return fmax(h->flow->scale[k], fabs(inputs[1 + k]));
}

/* equilibria.c: a value for variable i within the box. Anywhere in it; then once in each slice of it, in another order for each
 * variable; then on both sides of 0, or of what is nearest to it, in powers: forces may have corners. */
enum {
    NH_ANYWHERE = 3,
    NH_SLICES = 16,
    NH_NEAR_ZERO = 8,
    NH_PLACES = NH_ANYWHERE + NH_SLICES + NH_NEAR_ZERO
};
double nh_hunt_place(nh_hunt *, size_t i, size_t number);

/* Whether the equations hold within rounding. */
bool nh_hunt_is_solution(nh_hunt *, const double *inputs);

/* Whether free velocities that the program chose degenerate at a state: it is looked for in all velocities then. */
bool nh_hunt_is_degenerate(const nh_hunt *, const double *inputs);

/* reach.c: whether free velocities reach all that the constraints admit, which is proved, or the model's own say what is meant. */
bool nh_flow_reaches_all(nh_flow *);

/* surplus.c: whether it is proved that exactly one solution is near by: see enclose.h. */
bool nh_hunt_enclose(nh_hunt *, const nh_equilibrium *, double *within);

/* names.c: whether forces act at a state of rest although the equations hold there, as another name of the same configuration tells, or the
 * constraints, which do not hold them. */
bool nh_hunt_forces_act(nh_hunt *, const nh_equilibrium *);

/* friction.c: the velocities along which the equations jump at rest. */
void nh_hunt_find_jumps(nh_hunt *);

/* Numbers that are nearly 0 become 0, where the equations like that. False: none did. */
bool nh_hunt_clean(nh_hunt *, double *inputs, double near);

/* The columns of J for the marked variables in their units, n of them: rows x n. NULL: no derivatives. */
double *nh_hunt_slopes(nh_hunt *, const double *inputs, const bool *marked, size_t n);

/* How far two values of variable k are apart, beside their size; angles but for whole turns. */
double nh_hunt_apart(const nh_flow *, size_t k, double a, double b);

/* families.c: a solution becomes one of the list, with its family, unless that is there. alone: no other is near by. */
void nh_family_add(nh_hunt *, const double *inputs, bool alone);

/* One that is known to be none of those in the list, and to have no family. */
void nh_family_add_lone(nh_hunt *, const double *inputs);

/* All positions at rest, in the place of all that were found. */
void nh_family_everywhere(nh_hunt *);

/* A member like most: the free variables are anywhere. */
nh_equilibrium nh_family_member(nh_hunt *, const nh_equilibrium *);

/* Many lone states are samples of a family: the first one stands for them, if they leave out some direction. */
void nh_family_gather(nh_hunt *);

/* Wherever the coordinates are. */
bool nh_family_is_everywhere(const nh_flow *, const nh_equilibrium *);

/* By variable: whether one is in the set. */
bool nh_set_has_any(const nh_flow *, const bool *set);

/* verdicts.c: whether it is stable, of the member that is shown; where that is an exception, another one is. */
void nh_equilibrium_judge(nh_hunt *, nh_equilibrium *);

#endif
