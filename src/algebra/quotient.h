/* Inside algebra/: quotients of polynomials, as pairs. What is done with them, and that they are cancelled, is in fractions.c. */
#ifndef NH_ALGEBRA_QUOTIENT_H
#define NH_ALGEBRA_QUOTIENT_H

#include "algebra/flint.h"

typedef struct nh_q_struct {
    fmpz_mpoly_struct num, den;
} nh_q_struct;

typedef nh_q_struct nh_q_t[1];

#define nh_q_numref(x) (&(x)->num)
#define nh_q_denref(x) (&(x)->den)

/* 0 */
static inline void nh_q_init(nh_q_t x, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_init(nh_q_numref(x), ctx), fmpz_mpoly_init(nh_q_denref(x), ctx);
    fmpz_mpoly_one(nh_q_denref(x), ctx);
}

static inline void nh_q_clear(nh_q_t x, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_clear(nh_q_numref(x), ctx), fmpz_mpoly_clear(nh_q_denref(x), ctx);
}

static inline void nh_q_set(nh_q_t x, const nh_q_t y, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_set(nh_q_numref(x), nh_q_numref(y), ctx), fmpz_mpoly_set(nh_q_denref(x), nh_q_denref(y), ctx);
}

static inline void nh_q_swap(nh_q_t x, nh_q_t y, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_swap(nh_q_numref(x), nh_q_numref(y), ctx),
        fmpz_mpoly_swap(nh_q_denref(x), nh_q_denref(y), ctx);
}

static inline void nh_q_zero(nh_q_t x, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_zero(nh_q_numref(x), ctx), fmpz_mpoly_one(nh_q_denref(x), ctx);
}

static inline void nh_q_one(nh_q_t x, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_one(nh_q_numref(x), ctx), fmpz_mpoly_one(nh_q_denref(x), ctx);
}

static inline void nh_q_gen(nh_q_t x, slong k, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_gen(nh_q_numref(x), k, ctx), fmpz_mpoly_one(nh_q_denref(x), ctx);
}

static inline void nh_q_neg(nh_q_t x, const nh_q_t y, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_neg(nh_q_numref(x), nh_q_numref(y), ctx), fmpz_mpoly_set(nh_q_denref(x), nh_q_denref(y), ctx);
}

static inline void nh_q_set_fmpq(nh_q_t x, const fmpq_t y, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_set_fmpz(nh_q_numref(x), fmpq_numref(y), ctx),
        fmpz_mpoly_set_fmpz(nh_q_denref(x), fmpq_denref(y), ctx);
}

static inline void nh_q_set_si(nh_q_t x, slong n, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_set_si(nh_q_numref(x), n, ctx), fmpz_mpoly_one(nh_q_denref(x), ctx);
}

static inline int nh_q_equal(const nh_q_t x, const nh_q_t y, const fmpz_mpoly_ctx_t ctx)
{
    return fmpz_mpoly_equal(nh_q_numref(x), nh_q_numref(y), ctx) &&
           fmpz_mpoly_equal(nh_q_denref(x), nh_q_denref(y), ctx);
}

#endif
