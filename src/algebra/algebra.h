/* The door of algebra/: exact forms. Whether an expression is zero, its shortest readable form, and matrices of
 * expressions; each within a budget, beyond which the answer is "cannot tell" with a reason, and never a wrong one.
 *
 * Expressions are fractions of polynomials in symbols, sines and cosines of rational multiples and sums of angles,
 * hyperbolic functions, exponentials, roots and absolute values; other functions are taken as they are. Two forms
 * of one expression agree wherever both are defined and the symbols have their signs. */
#ifndef NH_ALGEBRA_H
#define NH_ALGEBRA_H

#include "algebra/length.h"
#include "algebra/relations.h"

/* Zero: the default. */
typedef struct nh_budget {
    size_t max_terms;   /* of a polynomial; 20000 */
    size_t max_bytes;   /* of one job; 512 MiB */
    double max_seconds; /* of one call; 10 */
} nh_budget;

typedef struct nh_algebra {
    nh_pool *pool;
    nh_arena scratch; /* emptied by every call; not the pool's */
    nh_budget budget;
    const signed char *signs; /* by symbol: +1, -1, 0 for either; NULL: all 0 */
    const char *reason;       /* after a call that could not tell: why */
    nh_modular *modular;
    nh_arena modular_arena;
    nh_lengths lengths;
    nh_arena lengths_arena;
    double seconds_left; /* of a call that is several jobs; 0: it is one */
    double spent;        /* seconds of the processor, by all jobs so far */
    size_t cancel_after; /* tests only: every job is cancelled after so many allocations; 0: none */
} nh_algebra;

/* Not to be moved in memory; freed by itself where something inside gives up. */
void nh_algebra_init(nh_algebra *, nh_pool *, const nh_budget *budget, const signed char *signs);
void nh_algebra_free(nh_algebra *);

/* Whether e is zero: YES (its normal form is 0) and NO (there is a point where it is not) are proofs. */
nh_answer nh_is_zero(nh_algebra *, nh_expr e);

/* Whether e is certainly not 0 at a state (by symbol), by two precisions far beyond that of doubles that agree; its value as text.
 * thorough: in thousands of digits. */
bool nh_is_not_zero_at(const nh_pool *, nh_arena *scratch, nh_expr e, const double *values, bool thorough,
                       char *text, size_t size);

/* The shortest readable form of each; what is beyond the budget stays as it is. False: something was. */
bool nh_simplify(nh_algebra *, const nh_expr *in, size_t count, nh_expr *out);

/* Forms for evaluation: what depends on symbols marked constant (by symbol) alone is put together, the rest nested as in Horner's scheme.
 * out: all of them, and all of them once more with squares of sines beside those of cosines, which may take more operations and is
 * rounded better. False: beyond the budget. */
bool nh_nest(nh_algebra *, const nh_expr *in, size_t count, const bool *constant, nh_expr *out);

/* Irreducible factors of the numerator and of the denominator of e, that are not numbers, each once; at most that many. In terms
 * of sines and cosines they need not be the only ones: sin^2 is (1 - cos) (1 + cos), too. */
bool nh_factors(nh_algebra *, nh_expr e, size_t most, size_t *count, nh_expr *out);

/* The same of the numerator alone: e is 0 where one of these is, and has a value. */
bool nh_factors_above(nh_algebra *, nh_expr e, size_t most, size_t *count, nh_expr *out);

/* All real zeros of e, a fraction of polynomials in this symbol alone, each once, from below: to the digits of doubles, or 1e-96. False: it
 * is none, or there are more than that. */
bool nh_real_zeros(nh_algebra *, nh_expr e, nh_expr symbol, size_t most, size_t *count, double *out);

/* Whether what is true of these on an open set of the symbols that vary (by symbol) is true at almost all points: no sqrt(x^2), |x| and the like. False
 * also where it is not known. */
bool nh_is_analytic(nh_algebra *, const nh_expr *e, size_t count, const bool *varies);

/* ---------------------------------------------------------------- matrices, by rows */

/* All return false where the budget did not suffice (or as said), and leave the output alone then. The entries of
 * the results are in readable form. */
bool nh_matrix_multiply(nh_algebra *, size_t rows, size_t inner, size_t columns, const nh_expr *A,
                        const nh_expr *B, nh_expr *out);
bool nh_matrix_multiply_symmetric(nh_algebra *, size_t n, size_t inner, const nh_expr *A, const nh_expr *B,
                                  nh_expr *out); /* for a product that is known to be symmetric */
bool nh_matrix_determinant(nh_algebra *, size_t n, const nh_expr *A, nh_expr *out);
bool nh_matrix_adjugate(nh_algebra *, size_t n, const nh_expr *A, nh_expr *out);
bool nh_matrix_inverse(nh_algebra *, size_t n, const nh_expr *A,
                       nh_expr *out); /* false also where A is singular */
bool nh_matrix_solve(nh_algebra *, size_t n, const nh_expr *A, size_t columns, const nh_expr *B,
                     nh_expr *out);

/* The rank at almost all points, and where it is less: *condition = 0, NH_EXPR_NONE: nowhere. The condition is the sum
 * of the squares of the minors, without factors that are never zero. */
bool nh_matrix_rank(nh_algebra *, size_t rows, size_t columns, const nh_expr *A, size_t *rank,
                    nh_expr *condition);

/* A basis of the vectors x with A x = 0, as rows of out (columns - rank of them), without denominators. *everywhere:
 * whether it is shown to be of full rank at every point; tries to find one that is. */
bool nh_matrix_null_space(nh_algebra *, size_t rows, size_t columns, const nh_expr *A, size_t *count,
                          nh_expr *out, bool *everywhere);

/* All linear relations sum_k a_k e_k = 0 with coefficients in the field of the symbols marked constant (by symbol): e is rows x
 * count, one row for each condition that has to hold for the same a; where a function is simpler than another, it should come first.
 * Each relation expresses one function by those before it, which no other relation contains: in this order they are the rows
 * of *out (*found x count; it lives in the pool's arena), without denominators, and each one is proved. False: the budget did not
 * suffice (the reason is set), and there may be more. */
bool nh_linear_relations(nh_algebra *, size_t rows, size_t count, const nh_expr *e, const bool *constant,
                         size_t *found, nh_expr **out);

/* ---------------------------------------------------------------- eigenvalues */

/* One, how far it may be from the true one, and a vector in the n variables. */
typedef struct nh_eigenpair {
    double re, im, error;
    double *vector_re, *vector_im; /* n each */
} nh_eigenpair;

/* The eigenvalues of A on the x with H x = 0, at a state, in 190 digits. */
typedef struct nh_spectral {
    size_t n, held;
    const nh_expr *A, *H; /* n x n; held x n */
    bool leaves;          /* A x need not be one of the x with H x = 0: it is projected on them */
    const nh_expr *rates; /* what is 0 at the state, if that is exact */
    size_t n_rates;
    const nh_expr *exact; /* by symbol: its value, without symbols; NH_EXPR_NONE: that in values[], */
    const double *values;
    const double
        *radii; /* which may be off by so much; NULL: not at all. Not looked at where the rates are 0 */
    /* afterwards */
    nh_eigenpair *pairs; /* room for n of them, with their vectors; those that are 0 are last */
    size_t count, zeros, kernel;
    bool tiny;                       /* one is too small for a double, and not 0 */
    double *numbers, *number_errors; /* A, and how far its entries may be off: n x n */
} nh_spectral;

/* False: something has no value, or n is too large. */
bool nh_find_spectrum(const nh_pool *, nh_arena *scratch, nh_spectral *);

/* A root of F(x) = 0 in n symbols. */
typedef struct nh_roots_near {
    size_t count, n;
    const nh_expr *F, *J;    /* count; count x n: its derivatives by the unknowns */
    const uint32_t *symbols; /* n: the unknowns */
    const nh_expr *exact;    /* by symbol, as above */
    double *values;          /* by symbol: where it begins, and what it found */
} nh_roots_near;

/* To all digits of a double. False: the rank of J is less than n, in 60 digits, so that there may be others near by, or it does not get there. */
bool nh_polish_root(const nh_pool *, nh_arena *scratch, nh_roots_near *);

/* Rows of a matrix of expressions that doubles cannot tell from dependent ones, lambda_a M_ai = 0, where something given is 0, too. */
typedef struct nh_rows_near {
    size_t rows, columns, given, n;
    const nh_expr *entries, *slopes; /* M, then what is given; their derivatives by the n symbols, by rows */
    const uint32_t *symbols;
    const double *values, *lambda; /* by symbol; by row, of length 1 */
} nh_rows_near;

/* Whether they are dependent near by, or elsewhere, and not only nearly so. UNKNOWN: they are too long, or have no value. */
nh_answer nh_dependent_near(const nh_pool *, nh_arena *scratch, const nh_rows_near *);

/* Whether a symmetric matrix is positive definite at every point: YES where the leading minors are sums of positive
 * terms; NO where one is negative at some point; UNKNOWN otherwise. */
nh_answer nh_matrix_positive(nh_algebra *, size_t n, const nh_expr *A);

#endif
