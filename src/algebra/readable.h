/* Inside algebra/, within a job: what is shown. */
#ifndef NH_ALGEBRA_READABLE_H
#define NH_ALGEBRA_READABLE_H

#include "algebra/ring.h"

double nh_form_length(nh_ring *, nh_expr e); /* to a reader */

nh_expr nh_shorter(nh_ring *, nh_expr a, nh_expr b); /* a, where they are equally long */

/* written.c: x in the angles that it is given in. */
nh_expr nh_fraction_expr(nh_ring *, const nh_q_t x);

/* Whether it is certain, without writing x down, that it is longer than that. */
bool nh_form_is_longer(nh_ring *, const nh_q_t x, double length);

#endif
