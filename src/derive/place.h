/* Inside derive/: coordinates or velocities onto the constraints. */
#ifndef NH_DERIVE_PLACE_H
#define NH_DERIVE_PLACE_H

#include "derive/inner.h"

/* Coordinates or velocities that are to be brought onto F = 0. */
typedef struct nh_placement {
    nh_equations *eq;
    double *values;
    const nh_expr *F;
    size_t count, n;         /* equations; unknowns that are not given */
    bool rates, project;     /* velocities; the given ones may be moved, too */
    nh_placed how;           /* they were */
    const bool *given;       /* by symbol */
    const double *metric;    /* n x n for all; NULL: 1 */
    nh_expr *all, *unknowns; /* all of them; those that are not given */
} nh_placement;

/* What is left out stays 0 where F = 0 to rounding; otherwise it is what costs least with the given ones held. Where that cannot be, and
 * F is off 0 by less than 1e-6 of its terms, all of them are changed as little as it takes. False: there is none, which is reported. */
bool nh_bring_onto(nh_placement *);

bool nh_is_given(nh_equations *, const bool *given, nh_expr symbol);

/* The coordinates or rates that are not given, and how many; all of them. */
size_t nh_free_ones(nh_equations *, const bool *given, bool rates, nh_expr *out);
void nh_all_of(nh_equations *, bool rates, nh_expr *out);

#endif
