/* Inside algebra/, within a job: expressions as fractions of polynomials in the generators of a basis, modulo
 *     s^2 + c^2 - 1 for each angle, sh^2 - ch^2 + 1 for each hyperbolic one, k^q - u for each root.
 * The order of the generators makes the leading terms of these s^2, sh^2, k^q: powers of different generators, so
 * that they are a Groebner basis, and the remainder of a polynomial by them is its normal form. An element is zero
 * if and only if its numerator is; the ring has no unique factorisation, and fractions are not compared. */
#ifndef NH_ALGEBRA_RING_H
#define NH_ALGEBRA_RING_H

#include "algebra/basis.h"
#include "algebra/job.h"
#include "algebra/quotient.h"

typedef struct nh_ring {
    nh_job *job;
    nh_basis *basis;
    size_t max_terms;  /* a product of more terms than that is not tried */
    size_t most_terms; /* of the polynomials so far */
    fmpz_mpoly_ctx_t ctx;
    slong n;                   /* generators */
    fmpz_mpoly_struct **ideal; /* relations, by generator: NULL where there is none */
    slong n_relations;         /* that there are */
    slong *bound;              /* by generator: exponents below need no reduction; 0: any */
    nh_q_struct *forms;        /* by position in the basis's walk */
    uint8_t *states;           /* by position: whether the form is made */
    uint8_t *needed;           /* by position: for the one that is being made */
    struct nh_known *known; /* polynomials written before, in turn: entries of a matrix have much in common */
    size_t n_known;
    struct nh_divisor *divisors; /* polynomials factored before, in turn */
    size_t n_divisors;
} nh_ring;

/* No forms yet. */
void nh_ring_init(nh_ring *, nh_job *, nh_basis *, size_t max_terms);

/* The form of a node of the walk, made when it is first asked for; gives up where that is not possible, and at once for
 * what contains it. */
nh_q_struct *nh_ring_form(nh_ring *, nh_expr e);

bool nh_poly_reduce(nh_ring *, fmpz_mpoly_t p); /* false: it was reduced already */
void nh_poly_mul(nh_ring *, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b); /* reduced */

/* fractions.c */
void nh_form_cancel(nh_ring *, nh_q_t x); /* after a change of the numerator or the denominator */
void nh_form_reduce(nh_ring *, nh_q_t x);
void nh_form_add(nh_ring *, nh_q_t out, const nh_q_t a, const nh_q_t b);
void nh_form_sub(nh_ring *, nh_q_t out, const nh_q_t a, const nh_q_t b);
void nh_form_mul(nh_ring *, nh_q_t out, const nh_q_t a, const nh_q_t b);
void nh_form_div(nh_ring *, nh_q_t out, const nh_q_t a, const nh_q_t b);
bool nh_form_is_zero(const nh_ring *, const nh_q_t x);

void nh_form_power(nh_ring *, nh_q_t out, const nh_q_t x, int64_t n);

/* Whether a product of so many terms is within the budget; the others give up where it, or p, is not. */
bool nh_product_fits(const nh_ring *, slong a, slong b);
void nh_check_product(nh_ring *, slong a, slong b);
void nh_check_length(nh_ring *, const fmpz_mpoly_t p);

/* roots.c: k^q = u for a generator k; and the form of a root or an absolute value. */
void nh_ring_relate(nh_ring *, slong g, slong q, const fmpz_mpoly_t u);
void nh_form_root(nh_ring *, nh_q_t out, nh_expr e, nh_node node);

/* signs.c. Positive for all real values of the generators that have their sign: every term has a positive coefficient, and
 * even powers but for generators that are positive. strictly: and one of them contains only such. Tries the squares of
 * sines and cosines both ways, and mixed. */
bool nh_poly_is_positive(nh_ring *, const fmpz_mpoly_t p, bool strictly);

/* The form with the fewest terms: for each angle c^2 = 1 - s^2 where that is shorter. */
void nh_poly_fewest_terms(nh_ring *, fmpz_mpoly_t p);

/* Squares of both, a - a s^2 + b s^2 = a c^2 + b s^2, which is no normal form: for reading, and to see signs. False: there is no
 * such pair. */
bool nh_poly_pair_squares(nh_ring *, fmpz_mpoly_t p);

/* factors.c: false: it is irreducible, or its factors were not found; p is not zero, and its exponents fit into words. */
bool nh_poly_factor(nh_ring *, fmpz_mpoly_factor_t, const fmpz_mpoly_t p);
void nh_poly_gcd(nh_ring *, fmpz_mpoly_t g, const fmpz_mpoly_t a,
                 const fmpz_mpoly_t b);            /* b: a denominator */
int nh_poly_sign(nh_ring *, const fmpz_mpoly_t p); /* of the leading coefficient */

/* readable.c: as an expression of the pool; paused on return of none: call within the job. */
nh_expr nh_poly_expr(nh_ring *, const fmpz_mpoly_t p);
nh_expr nh_form_expr(nh_ring *, const nh_q_t x);

/* written.c: the number in the i-th term. */
nh_expr nh_poly_number(nh_ring *, const fmpz_mpoly_t p, slong i);

#endif
