/* Inside derive/: why there is no start. All of them report and return false, or whether they had to. */
#ifndef NH_DERIVE_REFUSED_H
#define NH_DERIVE_REFUSED_H

#include "derive/nearest.h"

bool nh_refuse_start(nh_equations *, const char *hint, const char *message);

/* False: parameters that the equations contain have no values. */
bool nh_parameters_have_values(nh_equations *, const double *values);

/* True: the derivatives of an equation all vanish. */
bool nh_problem_is_singular(nh_problem *, bool rates);

/* What was tried to get onto F = 0. */
typedef struct nh_attempt {
    nh_problem *whole,
        *rest; /* in all coordinates or velocities; in those that are not given, NULL: not tried */
    nh_search_end found, moved; /* in the rest; in all, if they may be moved */
    const double *apart;        /* from it to a second one */
    double off;                 /* how far all of them are off */
    bool rates, enough, project;
} nh_attempt;
bool nh_refuse_attempt(const nh_attempt *);

#endif
