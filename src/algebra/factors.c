/* The factors of a polynomial, and those that two have in common. In mechanics most polynomials are linear in something, a mass or a force: p = g (a x + b) with a
 * and b coprime, and then a x + b is irreducible, which a greatest common divisor shows faster than factoring. */
#include "algebra/ring.h"

static bool fits_words(nh_ring *ring, const fmpz_mpoly_t p)
{
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++)
        if (!fmpz_mpoly_term_exp_fits_ui(p, i, ring->ctx))
            return false;
    return true;
}

/* Irreducible at a glance, no factor being common to all terms: some generator occurs in one term only, and not
 * squared there, as masses do. *linear: the generator of degree 1 that occurs in the fewest terms, or -1. */
static bool is_irreducible(nh_ring *ring, const fmpz_mpoly_t p, slong *linear)
{
    enum { SQUARED = 1 << 30 };
    slong *count = flint_calloc((size_t)ring->n + 1, sizeof *count);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        for (slong k = 0; k < ring->n; k++)
            count[k] += exponents[k] > 1 ? SQUARED : (slong)exponents[k];
    }
    *linear = -1;
    for (slong k = 0; k < ring->n; k++)
        if (count[k] > 0 && count[k] < SQUARED && (*linear < 0 || count[k] < count[*linear]))
            *linear = k;
    bool irreducible = *linear >= 0 && count[*linear] == 1;
    flint_free(count);
    flint_free(exponents);
    return irreducible;
}

/* ---------------------------------------------------------------- common factors */

int nh_poly_sign(nh_ring *ring, const fmpz_mpoly_t p)
{
    fmpz_t c;
    fmpz_init(c);
    if (!fmpz_mpoly_is_zero(p, ring->ctx))
        fmpz_mpoly_get_term_coeff_fmpz(c, p, 0, ring->ctx);
    int sign = fmpz_sgn(c);
    fmpz_clear(c);
    return sign;
}

static void gcd_at_length(nh_ring *ring, fmpz_mpoly_t g, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    if (!fmpz_mpoly_gcd(g, a, b, ring->ctx))
        nh_job_give_up(ring->job, "a common divisor could not be found");
}

enum { DIVISORS = 64, LONGEST_DIVISOR = 100 };

/* A polynomial that was factored, without what all its terms have in common. */
typedef struct nh_divisor {
    fmpz_mpoly_t p;
    fmpz_mpoly_factor_t factors;
    bool known;
} nh_divisor;

static bool split_linear(nh_ring *ring, fmpz_mpoly_factor_t f, fmpz_mpoly_t p);

static bool factor_divisor(nh_ring *ring, nh_divisor *d)
{
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ring->ctx);
    fmpz_mpoly_set(p, d->p, ring->ctx);
    fmpz_mpoly_factor_one(d->factors, ring->ctx);
    d->known = split_linear(ring, d->factors, p);
    fmpz_mpoly_clear(p, ring->ctx);
    return d->known;
}

/* There are few different ones in a job, denominators above all, and they come again and again. NULL: the factors are not known. */
static const fmpz_mpoly_factor_struct *factors_of(nh_ring *ring, const fmpz_mpoly_t p)
{
    if (fmpz_mpoly_length(p, ring->ctx) > LONGEST_DIVISOR)
        return NULL;
    if (!ring->divisors)
        ring->divisors = flint_calloc(DIVISORS, sizeof *ring->divisors);
    for (size_t k = 0; k < DIVISORS && k < ring->n_divisors; k++)
        if (fmpz_mpoly_equal(ring->divisors[k].p, p, ring->ctx))
            return ring->divisors[k].known ? ring->divisors[k].factors : NULL;
    nh_divisor *d = &ring->divisors[ring->n_divisors % DIVISORS];
    if (ring->n_divisors++ < DIVISORS)
        fmpz_mpoly_init(d->p, ring->ctx), fmpz_mpoly_factor_init(d->factors, ring->ctx);
    fmpz_mpoly_set(d->p, p, ring->ctx);
    return factor_divisor(ring, d) ? d->factors : NULL;
}

/* g = gcd(a, b) by division by each factor of b. */
static void gcd_by_factors(nh_ring *ring, fmpz_mpoly_t g, const fmpz_mpoly_t a,
                           const fmpz_mpoly_factor_struct *factors)
{
    fmpz_mpoly_t rest, quotient;
    fmpz_mpoly_init(rest, ring->ctx), fmpz_mpoly_init(quotient, ring->ctx);
    int *used = flint_calloc(2 * (size_t)ring->n + 1, sizeof *used), *mine = used + ring->n;
    fmpz_mpoly_used_vars(used, a, ring->ctx);
    fmpz_mpoly_set(rest, a, ring->ctx);
    fmpz_mpoly_one(g, ring->ctx);
    for (slong i = 0; i < factors->num; i++) {
        const fmpz_mpoly_struct *f = factors->poly + i;
        bool all = true;
        fmpz_mpoly_used_vars(mine, f, ring->ctx);
        for (slong k = 0; k < ring->n; k++)
            all = all && (used[k] || !mine[k]);
        for (ulong e = fmpz_get_ui(factors->exp + i);
             all && e > 0 && fmpz_mpoly_divides(quotient, rest, f, ring->ctx); e--) {
            fmpz_mpoly_swap(rest, quotient, ring->ctx);
            fmpz_mpoly_mul(g, g, f, ring->ctx);
        }
    }
    flint_free(used);
    fmpz_mpoly_clear(rest, ring->ctx), fmpz_mpoly_clear(quotient, ring->ctx);
}

/* Nothing is common to all terms of a, and of b. */
static void primitive_gcd(nh_ring *ring, fmpz_mpoly_t g, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    const fmpz_mpoly_factor_struct *factors = factors_of(ring, b);
    if (factors)
        gcd_by_factors(ring, g, a, factors);
    else
        gcd_at_length(ring, g, a, b);
}

void nh_poly_gcd(nh_ring *ring, fmpz_mpoly_t g, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    if (fmpz_mpoly_is_one(a, ring->ctx) || fmpz_mpoly_is_one(b, ring->ctx)) {
        fmpz_mpoly_one(g, ring->ctx);
        return;
    }
    if (fmpz_mpoly_length(a, ring->ctx) < 2 || fmpz_mpoly_length(b, ring->ctx) < 2 || !fits_words(ring, a) ||
        !fits_words(ring, b)) {
        gcd_at_length(ring, g, a, b);
        return;
    }
    fmpz_mpoly_t contents[2], rests[2];
    for (int k = 0; k < 2; k++) {
        fmpz_mpoly_init(contents[k], ring->ctx), fmpz_mpoly_init(rests[k], ring->ctx);
        fmpz_mpoly_term_content(contents[k], k ? b : a, ring->ctx);
        fmpz_mpoly_divides(rests[k], k ? b : a, contents[k], ring->ctx);
    }
    primitive_gcd(ring, g, rests[0], rests[1]);
    gcd_at_length(ring, contents[0], contents[0], contents[1]);
    fmpz_mpoly_mul(g, g, contents[0], ring->ctx);
    for (int k = 0; k < 2; k++)
        fmpz_mpoly_clear(contents[k], ring->ctx), fmpz_mpoly_clear(rests[k], ring->ctx);
}

/* ---------------------------------------------------------------- all factors */

/* p = a x + b, g = gcd(a, b) */
static void common_part(nh_ring *ring, fmpz_mpoly_t g, const fmpz_mpoly_t p, slong x)
{
    fmpz_mpoly_t a, b;
    fmpz_mpoly_init(a, ring->ctx), fmpz_mpoly_init(b, ring->ctx);
    fmpz_mpoly_gen(g, x, ring->ctx);
    fmpz_mpoly_divrem(a, b, p, g, ring->ctx);
    gcd_at_length(ring, g, a, b);
    fmpz_mpoly_clear(a, ring->ctx), fmpz_mpoly_clear(b, ring->ctx);
}

/* The generators that all terms have in common; the rest is left in p. */
static void take_content(nh_ring *ring, fmpz_mpoly_factor_t f, fmpz_mpoly_t p)
{
    fmpz_mpoly_t content, x;
    fmpz_mpoly_init(content, ring->ctx), fmpz_mpoly_init(x, ring->ctx);
    fmpz_mpoly_term_content(content, p, ring->ctx);
    fmpz_mpoly_divides(p, p, content, ring->ctx);
    fmpz_mpoly_get_term_coeff_fmpz(f->constant, content, 0, ring->ctx);
    for (slong k = 0; k < ring->n; k++) {
        ulong e = fmpz_mpoly_get_term_var_exp_ui(content, 0, k, ring->ctx);
        fmpz_mpoly_gen(x, k, ring->ctx);
        if (e)
            fmpz_mpoly_factor_append_ui(f, x, e, ring->ctx);
    }
    fmpz_mpoly_clear(content, ring->ctx), fmpz_mpoly_clear(x, ring->ctx);
}

static bool append_factors(nh_ring *ring, fmpz_mpoly_factor_t f, const fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t more;
    fmpz_mpoly_factor_init(more, ring->ctx);
    bool done = fmpz_mpoly_factor(more, p, ring->ctx);
    fmpz_mul(f->constant, f->constant, more->constant);
    for (slong i = 0; i < more->num && done; i++)
        fmpz_mpoly_factor_append_ui(f, more->poly + i, fmpz_get_ui(more->exp + i), ring->ctx);
    fmpz_mpoly_factor_clear(more, ring->ctx);
    return done;
}

/* The leading coefficients of factors are positive. */
static void append_irreducible(nh_ring *ring, fmpz_mpoly_factor_t f, fmpz_mpoly_t p)
{
    if (nh_poly_sign(ring, p) < 0)
        fmpz_mpoly_neg(p, p, ring->ctx), fmpz_neg(f->constant, f->constant);
    fmpz_mpoly_factor_append_ui(f, p, 1, ring->ctx);
}

/* Denominators are multiplied with each other: what is known to be irreducible is tried first. False: none of it divides p. */
static bool divide_by_known(nh_ring *ring, fmpz_mpoly_factor_t f, fmpz_mpoly_t p)
{
    fmpz_mpoly_t quotient;
    fmpz_mpoly_init(quotient, ring->ctx);
    bool any = false;
    for (size_t k = 0; k < DIVISORS && k < ring->n_divisors; k++) {
        const nh_divisor *d = &ring->divisors[k];
        for (slong i = 0; d->known && i < d->factors->num; i++) {
            const fmpz_mpoly_struct *factor = d->factors->poly + i;
            ulong e = 0;
            while (fmpz_mpoly_length(p, ring->ctx) > 1 &&
                   fmpz_mpoly_divides(quotient, p, factor, ring->ctx)) {
                fmpz_mpoly_swap(p, quotient, ring->ctx);
                e++;
            }
            if (e)
                fmpz_mpoly_factor_append_ui(f, factor, e, ring->ctx), any = true;
        }
    }
    fmpz_mpoly_clear(quotient, ring->ctx);
    return any;
}

/* From p = g (a x + b) on with g. */
static bool split_linear(nh_ring *ring, fmpz_mpoly_factor_t f, fmpz_mpoly_t p)
{
    fmpz_mpoly_t g;
    fmpz_t sign;
    fmpz_mpoly_init(g, ring->ctx), fmpz_init(sign);
    bool done = true;
    while (done && !fmpz_mpoly_is_fmpz(p, ring->ctx)) {
        slong x;
        if (is_irreducible(ring, p, &x)) {
            append_irreducible(ring, f, p);
            fmpz_mpoly_one(p, ring->ctx);
        } else if (x < 0 && !divide_by_known(ring, f, p)) {
            done = append_factors(ring, f, p);
            fmpz_mpoly_one(p, ring->ctx);
        } else if (x >= 0) {
            common_part(ring, g, p, x);
            fmpz_mpoly_divides(p, p, g, ring->ctx);
            append_irreducible(ring, f, p);
            fmpz_mpoly_swap(p, g, ring->ctx);
        }
    }
    if (done) {
        fmpz_mpoly_get_fmpz(sign, p, ring->ctx);
        fmpz_mul(f->constant, f->constant, sign);
    }
    fmpz_mpoly_clear(g, ring->ctx), fmpz_clear(sign);
    return done;
}

bool nh_poly_factor(nh_ring *ring, fmpz_mpoly_factor_t f, const fmpz_mpoly_t given)
{
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ring->ctx);
    fmpz_mpoly_set(p, given, ring->ctx);
    fmpz_mpoly_factor_one(f, ring->ctx);
    take_content(ring, f, p);
    const fmpz_mpoly_factor_struct *known = factors_of(ring, p);
    bool done = known ? true : split_linear(ring, f, p);
    for (slong i = 0; known && i < known->num; i++)
        fmpz_mpoly_factor_append_ui(f, known->poly + i, fmpz_get_ui(known->exp + i), ring->ctx);
    if (known)
        fmpz_mul(f->constant, f->constant, known->constant);
    bool several = fmpz_mpoly_factor_length(f, ring->ctx) > 1 || !fmpz_is_pm1(f->constant) ||
                   (f->num == 1 && !fmpz_is_one(f->exp));
    fmpz_mpoly_clear(p, ring->ctx);
    return done && several;
}
