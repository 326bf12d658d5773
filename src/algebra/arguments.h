/* Inside algebra/: the arguments of functions as polynomials in atoms. */
#ifndef NH_ALGEBRA_ARGUMENTS_H
#define NH_ALGEBRA_ARGUMENTS_H

#include "algebra/basis.h"

enum { NH_MOST_FACTORS = 8, NH_MOST_TERMS = 40, NH_MOST_UNITS = 840 };

typedef struct nh_monomial {
    nh_factor factors[NH_MOST_FACTORS]; /* in the order of the bases */
    size_t count;
    nh_rational coefficient;
} nh_monomial;

typedef struct nh_polynomial {
    nh_monomial terms[NH_MOST_TERMS];
    size_t count;
} nh_polynomial;

/* The argument, or all of it as one atom, where it is too long or too large a
 * multiple. */
nh_polynomial *nh_argument_of(nh_basis *, nh_expr e);
void nh_set_atom(nh_polynomial *, nh_expr e, int64_t exponent);
nh_expr nh_monomial_expr(nh_basis *, const nh_monomial *); /* without its coefficient */

#endif
