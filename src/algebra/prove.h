/* Inside algebra/: the same function in terms of which more is known to the ring.
 *
 * For proofs only: what comes out is longer, and need not be defined where the given one is (2^x = exp(x*log(2))); it
 * has the same values wherever both are. */
#ifndef NH_ALGEBRA_PROVE_H
#define NH_ALGEBRA_PROVE_H

#include "algebra/algebra.h"

/* Functions in terms of others: min and max by abs; sums of angles with inverse functions, and multiples of pi/120, by
 * radicals; acos by asin; logarithms of products, exponentials of logarithms, powers with any exponent; roots of roots, of
 * numbers, of products, sqrt(a + b*sqrt(d)). Returns e where something would be undefined. */
nh_expr nh_rewrite(nh_algebra *, nh_expr e);

/* radicals.c, within nh_rewrite: base^exponent, the exponent not an integer. */
nh_expr nh_rewrite_root(nh_algebra *, nh_expr base, nh_rational exponent);

/* All roots of one expression as powers of one of them: x^(1/2) and x^(1/3) by x^(1/6). */
nh_expr nh_unify_roots(nh_algebra *, nh_expr e);

/* Positive at a glance. */
bool nh_is_plainly_positive(const nh_algebra *, nh_expr e);

#endif
