/* What is positive, and the squares of sines and cosines one way or the other. */
#include "algebra/ring.h"

/* One term: its coefficient positive, and each generator of odd power positive. strict: no generator at all may vanish. */
static bool term_is_positive(nh_ring *ring, const fmpz_mpoly_t p, slong i, ulong *exponents, bool *strict)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
    int sign = fmpz_sgn(c);
    fmpz_clear(c);
    fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
    *strict = true;
    for (slong k = 0; k < ring->n; k++) {
        const nh_generator *g = &ring->basis->generators[k];
        bool never_zero = g->sign && (g->kind == NH_GENERATOR_SYMBOL || g->kind == NH_GENERATOR_COSH ||
                                      g->kind == NH_GENERATOR_EXP);
        if (exponents[k] % 2 && !g->sign)
            return false;
        if (exponents[k] % 2)
            sign *= g->sign;
        *strict = *strict && (exponents[k] == 0 || never_zero);
    }
    return sign > 0;
}

static bool terms_are_positive(nh_ring *ring, const fmpz_mpoly_t p, bool strictly)
{
    slong length = fmpz_mpoly_length(p, ring->ctx);
    bool positive = length > 0, strict = false;
    for (slong i = 0; i < length; i++)
        if (!fmpz_mpoly_term_exp_fits_ui(p, i, ring->ctx))
            return false;
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < length && positive; i++) {
        bool this_strict;
        positive = term_is_positive(ring, p, i, exponents, &this_strict);
        strict = strict || this_strict;
    }
    flint_free(exponents);
    return positive && (strict || !strictly);
}

/* c^2 = 1 - s^2 instead of s^2 = 1 - c^2, in one angle; false: that would be too long. */
static bool cosines_away(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p, const nh_circle *c)
{
    fmpz_mpoly_t relation, sum, term, coefficient;
    fmpz_mpoly_init(relation, ring->ctx), fmpz_mpoly_init(sum, ring->ctx);
    fmpz_mpoly_init(term, ring->ctx), fmpz_mpoly_init(coefficient, ring->ctx);
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, ring->ctx);
    fmpz_mpoly_to_univar(u, p, (slong)c->cosine, ring->ctx);
    fmpz_mpoly_gen(relation, (slong)c->sine, ring->ctx); /* 1 - s^2, or 1 + sh^2 */
    fmpz_mpoly_mul(relation, relation, relation, ring->ctx);
    if (!c->hyperbolic)
        fmpz_mpoly_neg(relation, relation, ring->ctx);
    fmpz_mpoly_add_si(relation, relation, 1, ring->ctx);
    bool fits = true;
    for (slong i = 0; i < fmpz_mpoly_univar_length(u, ring->ctx) && fits; i++) {
        slong degree = fmpz_mpoly_univar_get_term_exp_si(u, i, ring->ctx);
        fmpz_mpoly_univar_get_term_coeff(coefficient, u, i, ring->ctx);
        fmpz_mpoly_gen(term, (slong)c->cosine, ring->ctx);
        if (degree % 2 == 0)
            fmpz_mpoly_one(term, ring->ctx);
        for (slong k = 0; k < degree / 2; k++)
            fmpz_mpoly_mul(term, term, relation, ring->ctx);
        fits = nh_product_fits(ring, fmpz_mpoly_length(term, ring->ctx),
                               fmpz_mpoly_length(coefficient, ring->ctx));
        if (fits)
            fmpz_mpoly_mul(term, term, coefficient, ring->ctx);
        fmpz_mpoly_add(sum, sum, term, ring->ctx);
    }
    if (fits)
        fmpz_mpoly_swap(out, sum, ring->ctx);
    fmpz_mpoly_univar_clear(u, ring->ctx);
    fmpz_mpoly_clear(relation, ring->ctx), fmpz_mpoly_clear(sum, ring->ctx);
    fmpz_mpoly_clear(term, ring->ctx), fmpz_mpoly_clear(coefficient, ring->ctx);
    return fits;
}

static bool has_squares(nh_ring *ring, const fmpz_mpoly_t p, const nh_circle *c)
{
    return (!c->hyperbolic || c->pair) && fmpz_mpoly_degree_si(p, (slong)c->cosine, ring->ctx) > 1;
}

/* For one angle after the other where that is shorter at once, or for all of them. */
void nh_poly_fewest_terms(nh_ring *ring, fmpz_mpoly_t p)
{
    fmpz_mpoly_t other, all;
    fmpz_mpoly_init(other, ring->ctx), fmpz_mpoly_init(all, ring->ctx);
    fmpz_mpoly_set(all, p, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        const nh_circle *c = &ring->basis->circles[i];
        if (has_squares(ring, all, c))
            cosines_away(ring, all, all, c);
        if (!has_squares(ring, p, c) || !cosines_away(ring, other, p, c))
            continue;
        if (fmpz_mpoly_length(other, ring->ctx) < fmpz_mpoly_length(p, ring->ctx))
            fmpz_mpoly_swap(p, other, ring->ctx);
    }
    if (fmpz_mpoly_length(all, ring->ctx) < fmpz_mpoly_length(p, ring->ctx))
        fmpz_mpoly_swap(p, all, ring->ctx);
    fmpz_mpoly_clear(other, ring->ctx), fmpz_mpoly_clear(all, ring->ctx);
}

/* What is to be added to p for a pair of terms a t, -a t x^2 to become a t y^2. */
static void pair_squares(nh_ring *ring, fmpz_mpoly_t p, slong x, slong y, fmpz_mpoly_t change,
                         ulong *exponents)
{
    fmpz_t a, b;
    fmpz_init(a), fmpz_init(b);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        if (fmpz_mpoly_get_term_var_exp_ui(p, i, x, ring->ctx) < 2)
            continue;
        fmpz_mpoly_get_term_coeff_fmpz(b, p, i, ring->ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        exponents[x] -= 2;
        fmpz_mpoly_get_coeff_fmpz_ui(a, p, exponents, ring->ctx);
        fmpz_neg(a, a);
        if (!fmpz_equal(a, b))
            continue;
        fmpz_mpoly_push_term_fmpz_ui(change, a, exponents, ring->ctx);
        exponents[y] += 2, fmpz_neg(b, a);
        fmpz_mpoly_push_term_fmpz_ui(change, b, exponents, ring->ctx);
        exponents[y] -= 2, exponents[x] += 2;
        fmpz_mpoly_push_term_fmpz_ui(change, b, exponents, ring->ctx);
    }
    fmpz_clear(a), fmpz_clear(b);
}

/* In a chain a, -a x^2, a x^4 the pairs overlap: only what is shorter is taken. */
static bool squares_paired(nh_ring *ring, fmpz_mpoly_t p, slong x, slong y, ulong *exponents)
{
    fmpz_mpoly_t change;
    fmpz_mpoly_init(change, ring->ctx);
    slong before = fmpz_mpoly_length(p, ring->ctx);
    pair_squares(ring, p, x, y, change, exponents);
    if (fmpz_mpoly_length(change, ring->ctx) > 0) {
        fmpz_mpoly_sort_terms(change, ring->ctx), fmpz_mpoly_combine_like_terms(change, ring->ctx);
        fmpz_mpoly_add(change, p, change, ring->ctx);
        if (fmpz_mpoly_length(change, ring->ctx) < before)
            fmpz_mpoly_swap(p, change, ring->ctx);
    }
    fmpz_mpoly_clear(change, ring->ctx);
    return fmpz_mpoly_length(p, ring->ctx) < before;
}

bool nh_poly_pair_squares(nh_ring *ring, fmpz_mpoly_t p)
{
    bool any = false;
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++)
        if (!fmpz_mpoly_term_exp_fits_ui(p, i, ring->ctx))
            return false;
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        const nh_circle *c = &ring->basis->circles[i];
        slong sine = (slong)c->sine, cosine = (slong)c->cosine;
        while (!c->hyperbolic && (squares_paired(ring, p, sine, cosine, exponents) ||
                                  squares_paired(ring, p, cosine, sine, exponents)))
            any = true;
    }
    flint_free(exponents);
    return any;
}

bool nh_poly_is_positive(nh_ring *ring, const fmpz_mpoly_t p, bool strictly)
{
    if (terms_are_positive(ring, p, strictly))
        return true;
    fmpz_mpoly_t other;
    fmpz_mpoly_init(other, ring->ctx);
    fmpz_mpoly_set(other, p, ring->ctx);
    bool positive = false;
    for (size_t i = 0; i < ring->basis->n_circles && !positive; i++) {
        const nh_circle *c = &ring->basis->circles[i];
        if (!has_squares(ring, p, c) || !cosines_away(ring, other, other, c))
            continue;
        positive = terms_are_positive(ring, other, strictly);
    }
    if (!positive)
        fmpz_mpoly_set(other, p, ring->ctx);
    positive = positive || (nh_poly_pair_squares(ring, other) && terms_are_positive(ring, other, strictly));
    fmpz_mpoly_clear(other, ring->ctx);
    return positive;
}
