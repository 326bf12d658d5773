/* Inside algebra/: numbers with many digits (MPFR). Their digits live in an arena, so that nothing is to be freed. */
#ifndef NH_ALGEBRA_DIGITS_H
#define NH_ALGEBRA_DIGITS_H

#include "expr/expr.h"

#include <mpfr.h>

typedef struct nh_complex {
    mpfr_t re, im;
} nh_complex;

/* Where they are, how many bits they have, and room to compute. */
typedef struct nh_digits {
    nh_arena *arena;
    mpfr_prec_t bits;
    nh_complex room[3];
    mpfr_t r, s;
} nh_digits;

void nh_digits_init(nh_digits *, nh_arena *, mpfr_prec_t bits);
nh_complex *nh_digits_new(nh_digits *, size_t count); /* each 0 */

void nh_digits_set(nh_complex *to, const nh_complex *from);
void nh_digits_multiply(nh_digits *, nh_complex *out, const nh_complex *a, const nh_complex *b);
void nh_digits_divide(nh_digits *, nh_complex *out, const nh_complex *a, const nh_complex *b);
/* a -= b c */
void nh_digits_subtract(nh_digits *, nh_complex *a, const nh_complex *b, const nh_complex *c);
/* |a| < 2^ of this; LONG_MIN: 0 */
long nh_digits_exponent(const nh_complex *a);

/* Gauss and Jordan with the largest pivots, among the first `columns` of the rows, which are `width` long, as far as they are larger than 2^-small of the first
 * one: returns how many. Row k has 1 in column order[k] then, where the others have 0; the other columns follow in order[]. */
size_t nh_digits_eliminate(nh_digits *, nh_complex *A, size_t rows, size_t columns, size_t width, long small,
                           size_t *order);

/* Values by symbol: *digits[k], where there is one; exact[k], which has no symbols, where there is one; otherwise values[k] + moves[k]. digits, moves: may be
 * NULL. */
typedef struct nh_digits_state {
    const nh_expr *exact;
    const double *values, *moves;
    nh_complex *const *digits;
} nh_digits_state;

/* The values of expressions; NaN: none. */
void nh_digits_evaluate(nh_digits *, const nh_pool *, const nh_expr *roots, size_t n_roots,
                        const nh_digits_state *, nh_complex *out);

#endif
