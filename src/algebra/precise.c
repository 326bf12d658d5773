/* Values in many digits, for what is too small to be seen in doubles beside what it is added to, or at all. */
#include "algebra/algebra.h"
#include "algebra/digits.h"

#include <string.h>

/* The first precision decides nearly everything; the last one tells 1 - tanh(1000)^2 from 0. Each is tried beside its double. */
static const mpfr_prec_t precisions[] = {256, 8192};
enum { AGREED = 40, MOST_OPERATIONS = 4000 };

typedef struct question {
    const nh_pool *pool;
    nh_arena *scratch;
    nh_expr e;
    nh_digits_state state;
} question;

/* Both precisions agree in some digits: what is 0 is rounding in both, and of different sizes. */
static bool is_certain(const question *q, mpfr_prec_t bits, char *text, size_t size)
{
    nh_digits d[2];
    nh_complex *value[2];
    for (int k = 0; k < 2; k++) {
        nh_digits_init(&d[k], q->scratch, bits << k);
        value[k] = nh_digits_new(&d[k], 1);
        nh_digits_evaluate(&d[k], q->pool, &q->e, 1, &q->state, value[k]);
    }
    mpfr_srcptr exact = value[1]->re;
    mpfr_ptr difference = d[1].r;
    mpfr_sub(difference, value[0]->re, exact, MPFR_RNDN);
    bool certain = mpfr_regular_p(exact) &&
                   (mpfr_zero_p(difference) ||
                    (mpfr_regular_p(difference) && mpfr_get_exp(difference) < mpfr_get_exp(exact) - AGREED));
    if (certain)
        mpfr_snprintf(text, size, "%.6Rg", exact);
    return certain;
}

bool nh_is_not_zero_at(const nh_pool *pool, nh_arena *scratch, nh_expr e, const double *values, bool thorough,
                       char *text, size_t size)
{
    bool found = false;
    if (nh_operations_exceed(pool, scratch, e, MOST_OPERATIONS) || nh_has_solve(pool, scratch, &e, 1))
        return false;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_expr *none = nh_arena_array(scratch, pool->n_symbols + 1, sizeof *none);
    memset(none, 0, (pool->n_symbols + 1) * sizeof *none);
    question q = {pool, scratch, e, {.exact = none, .values = values}};
    bool is_short = !nh_operations_exceed(pool, scratch, e, MOST_OPERATIONS / 20);
    size_t most = thorough && is_short ? sizeof precisions / sizeof *precisions : 1;
    mpfr_exp_t least = mpfr_get_emin();
    mpfr_set_emin(mpfr_get_emin_min()); /* exp(-1e10) is not 0, and exp(-1e17) is not */
    for (size_t k = 0; k < most && !found; k++)
        found = is_certain(&q, precisions[k], text, size);
    mpfr_set_emin(least);
    mpfr_free_cache();
    nh_arena_release(scratch, mark);
    return found;
}
