/* Fractions of polynomials, cancelled as far as the polynomials go (the ring has no unique factorisation), with a denominator
 * whose leading coefficient is positive. */
#include "algebra/ring.h"

#include <stdlib.h>

bool nh_form_is_zero(const nh_ring *ring, const nh_q_t x)
{
    return fmpz_mpoly_is_zero(nh_q_numref(x), ring->ctx);
}

/* a and b without their common factors. */
static void cancel(nh_ring *ring, fmpz_mpoly_t a, fmpz_mpoly_t b)
{
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ring->ctx);
    nh_poly_gcd(ring, g, a, b);
    if (!fmpz_mpoly_is_one(g, ring->ctx)) {
        fmpz_mpoly_divides(a, a, g, ring->ctx);
        fmpz_mpoly_divides(b, b, g, ring->ctx);
    }
    fmpz_mpoly_clear(g, ring->ctx);
}

static void make_second_positive(nh_ring *ring, fmpz_mpoly_t a, fmpz_mpoly_t b)
{
    if (nh_poly_sign(ring, b) < 0)
        fmpz_mpoly_neg(a, a, ring->ctx), fmpz_mpoly_neg(b, b, ring->ctx);
}

void nh_form_cancel(nh_ring *ring, nh_q_t x)
{
    if (nh_form_is_zero(ring, x))
        fmpz_mpoly_one(nh_q_denref(x), ring->ctx);
    if (fmpz_mpoly_is_one(nh_q_denref(x), ring->ctx))
        return;
    cancel(ring, nh_q_numref(x), nh_q_denref(x));
    make_second_positive(ring, nh_q_numref(x), nh_q_denref(x));
}

void nh_form_reduce(nh_ring *ring, nh_q_t x)
{
    bool above = nh_poly_reduce(ring, nh_q_numref(x)), below = nh_poly_reduce(ring, nh_q_denref(x));
    if (fmpz_mpoly_is_zero(nh_q_denref(x), ring->ctx))
        nh_job_give_up(ring->job, "it divides by zero");
    if (above || below)
        nh_form_cancel(ring, x);
    nh_check_length(ring, nh_q_numref(x));
}

static void check_forms(nh_ring *ring, const nh_q_t a, const nh_q_t b, bool sum)
{
    slong an = fmpz_mpoly_length(nh_q_numref(a), ring->ctx),
          ad = fmpz_mpoly_length(nh_q_denref(a), ring->ctx);
    slong bn = fmpz_mpoly_length(nh_q_numref(b), ring->ctx),
          bd = fmpz_mpoly_length(nh_q_denref(b), ring->ctx);
    nh_check_product(ring, an, sum ? bd : bn);
    nh_check_product(ring, sum ? ad : bd, sum ? bn : ad);
}

static bool both_whole(const nh_ring *ring, const nh_q_t x, const nh_q_t y)
{
    return fmpz_mpoly_is_one(nh_q_denref(x), ring->ctx) && fmpz_mpoly_is_one(nh_q_denref(y), ring->ctx);
}

/* a/b + sign c/d = (a d' + sign c b')/(b d'), b = g b', d = g d'; what can be cancelled then is in g. */
static void add(nh_ring *ring, nh_q_t out, const nh_q_t x, const nh_q_t y, int sign)
{
    if (both_whole(ring, x, y)) {
        if (sign > 0)
            fmpz_mpoly_add(nh_q_numref(out), nh_q_numref(x), nh_q_numref(y), ring->ctx);
        else
            fmpz_mpoly_sub(nh_q_numref(out), nh_q_numref(x), nh_q_numref(y), ring->ctx);
        fmpz_mpoly_one(nh_q_denref(out), ring->ctx);
        return;
    }
    fmpz_mpoly_t a, b, c, d, g;
    fmpz_mpoly_init(a, ring->ctx), fmpz_mpoly_init(b, ring->ctx), fmpz_mpoly_init(c, ring->ctx);
    fmpz_mpoly_init(d, ring->ctx), fmpz_mpoly_init(g, ring->ctx);
    fmpz_mpoly_set(a, nh_q_numref(x), ring->ctx), fmpz_mpoly_set(b, nh_q_denref(x), ring->ctx);
    fmpz_mpoly_set(c, nh_q_numref(y), ring->ctx), fmpz_mpoly_set(d, nh_q_denref(y), ring->ctx);
    if (fmpz_mpoly_equal(b, d, ring->ctx)) {
        fmpz_mpoly_swap(g, b, ring->ctx);
        fmpz_mpoly_one(b, ring->ctx);
    } else {
        nh_poly_gcd(ring, g, b, d);
        fmpz_mpoly_divides(d, d, g, ring->ctx), fmpz_mpoly_divides(b, b, g, ring->ctx);
        fmpz_mpoly_mul(a, a, d, ring->ctx), fmpz_mpoly_mul(c, c, b, ring->ctx);
        fmpz_mpoly_mul(b, b, d, ring->ctx);
    }
    if (sign > 0)
        fmpz_mpoly_add(a, a, c, ring->ctx);
    else
        fmpz_mpoly_sub(a, a, c, ring->ctx);
    if (fmpz_mpoly_is_zero(a, ring->ctx))
        fmpz_mpoly_one(b, ring->ctx), fmpz_mpoly_one(g, ring->ctx);
    if (!fmpz_mpoly_is_one(g, ring->ctx))
        cancel(ring, a, g);
    fmpz_mpoly_mul(b, b, g, ring->ctx);
    make_second_positive(ring, a, b);
    fmpz_mpoly_swap(nh_q_numref(out), a, ring->ctx), fmpz_mpoly_swap(nh_q_denref(out), b, ring->ctx);
    fmpz_mpoly_clear(a, ring->ctx), fmpz_mpoly_clear(b, ring->ctx), fmpz_mpoly_clear(c, ring->ctx);
    fmpz_mpoly_clear(d, ring->ctx), fmpz_mpoly_clear(g, ring->ctx);
}

void nh_form_add(nh_ring *ring, nh_q_t out, const nh_q_t a, const nh_q_t b)
{
    check_forms(ring, a, b, true);
    add(ring, out, a, b, 1);
    nh_form_reduce(ring, out);
}

void nh_form_sub(nh_ring *ring, nh_q_t out, const nh_q_t a, const nh_q_t b)
{
    check_forms(ring, a, b, true);
    add(ring, out, a, b, -1);
    nh_form_reduce(ring, out);
}

/* (a/b) (c/d): a and d, and c and b are cancelled. */
void nh_form_mul(nh_ring *ring, nh_q_t out, const nh_q_t x, const nh_q_t y)
{
    check_forms(ring, x, y, false);
    if (both_whole(ring, x, y)) {
        fmpz_mpoly_mul(nh_q_numref(out), nh_q_numref(x), nh_q_numref(y), ring->ctx);
        fmpz_mpoly_one(nh_q_denref(out), ring->ctx);
        nh_form_reduce(ring, out);
        return;
    }
    fmpz_mpoly_t a, b, c, d;
    fmpz_mpoly_init(a, ring->ctx), fmpz_mpoly_init(b, ring->ctx);
    fmpz_mpoly_init(c, ring->ctx), fmpz_mpoly_init(d, ring->ctx);
    fmpz_mpoly_set(a, nh_q_numref(x), ring->ctx), fmpz_mpoly_set(b, nh_q_denref(x), ring->ctx);
    fmpz_mpoly_set(c, nh_q_numref(y), ring->ctx), fmpz_mpoly_set(d, nh_q_denref(y), ring->ctx);
    cancel(ring, a, d), cancel(ring, c, b);
    fmpz_mpoly_mul(a, a, c, ring->ctx), fmpz_mpoly_mul(b, b, d, ring->ctx);
    if (fmpz_mpoly_is_zero(a, ring->ctx))
        fmpz_mpoly_one(b, ring->ctx);
    make_second_positive(ring, a, b);
    fmpz_mpoly_swap(nh_q_numref(out), a, ring->ctx), fmpz_mpoly_swap(nh_q_denref(out), b, ring->ctx);
    fmpz_mpoly_clear(a, ring->ctx), fmpz_mpoly_clear(b, ring->ctx);
    fmpz_mpoly_clear(c, ring->ctx), fmpz_mpoly_clear(d, ring->ctx);
    nh_form_reduce(ring, out);
}

/* 1/x; x is not zero. */
static void invert(nh_ring *ring, nh_q_t out, const nh_q_t x)
{
    nh_q_set(out, x, ring->ctx);
    fmpz_mpoly_swap(nh_q_numref(out), nh_q_denref(out), ring->ctx);
    make_second_positive(ring, nh_q_numref(out), nh_q_denref(out));
}

void nh_form_div(nh_ring *ring, nh_q_t out, const nh_q_t a, const nh_q_t b)
{
    if (nh_form_is_zero(ring, b))
        nh_job_give_up(ring->job, "it divides by zero");
    nh_q_t inverse;
    nh_q_init(inverse, ring->ctx);
    invert(ring, inverse, b);
    nh_form_mul(ring, out, a, inverse);
    nh_q_clear(inverse, ring->ctx);
}

/* By repeated squaring, reduced at each step. */
void nh_form_power(nh_ring *ring, nh_q_t out, const nh_q_t x, int64_t n)
{
    nh_q_t base;
    nh_q_init(base, ring->ctx);
    nh_q_set(base, x, ring->ctx);
    if (n < 0 && nh_form_is_zero(ring, x))
        nh_job_give_up(ring->job, "it divides by zero");
    if (n < 0)
        invert(ring, base, base);
    nh_q_one(out, ring->ctx);
    for (uint64_t k = (uint64_t)llabs(n); k; k >>= 1) {
        if (k & 1)
            nh_form_mul(ring, out, out, base);
        if (k > 1)
            nh_form_mul(ring, base, base, base);
    }
    nh_q_clear(base, ring->ctx);
}
