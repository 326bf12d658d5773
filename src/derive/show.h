/* Inside derive/: what principles.c and geometry.c share. */
#ifndef NH_DERIVE_SHOW_H
#define NH_DERIVE_SHOW_H

#include "derive/effort.h"

typedef struct nh_show_work {
    nh_equations *eq;
    nh_forms *forms;
    nh_principles *out;
    nh_effort effort;
    nh_expr *rates; /* q' */
    nh_expr *drift;
    nh_expr *force;                            /* A_nu at points */
    const char *not_of_points, *not_at_points; /* why masses resp. forces are elsewhere; NULL: they are not */
} nh_show_work;

nh_expr *nh_show_raised(nh_show_work *, const nh_expr *v); /* g^ij v_j; NULL: g is singular */

/* geometry.c: Christoffel symbols and the geodesic field, those that are asked for. */
void nh_show_geometry(nh_show_work *);

#endif
