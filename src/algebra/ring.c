#include "algebra/ring.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- polynomials */

static bool product_fits(const nh_ring *ring, slong a, slong b)
{
    return a < 2 || b < 2 || (double)a * (double)b <= 40.0 * (double)ring->max_terms;
}

static void check_product(nh_ring *ring, slong a, slong b)
{
    if (!product_fits(ring, a, b))
        nh_job_give_up(ring->job, "a product would have too many terms");
}

static void check_length(nh_ring *ring, const fmpz_mpoly_t p)
{
    size_t terms = (size_t)fmpz_mpoly_length(p, ring->ctx);
    ring->most_terms = terms > ring->most_terms ? terms : ring->most_terms;
    if (terms > ring->max_terms)
        nh_job_give_up(ring->job, "a polynomial has too many terms");
}

/* The relations of generators whose powers in p are too high; returns how many. */
static slong relations_for(nh_ring *ring, const fmpz_mpoly_t p, fmpz_mpoly_struct **relations)
{
    slong count = 0;
    if (ring->n_relations == 0 || fmpz_mpoly_is_zero(p, ring->ctx))
        return 0;
    if (!fmpz_mpoly_degrees_fit_si(p, ring->ctx))
        nh_job_give_up(ring->job, "an exponent is too large");
    slong *degrees = flint_malloc((size_t)ring->n * sizeof *degrees);
    fmpz_mpoly_degrees_si(degrees, p, ring->ctx);
    for (slong i = 0; i < ring->n; i++)
        if (ring->bound[i] && degrees[i] >= ring->bound[i])
            relations[count++] = ring->ideal[i];
    flint_free(degrees);
    return count;
}

static void divide_out(nh_ring *ring, fmpz_mpoly_t p, fmpz_mpoly_struct **relations, slong count)
{
    fmpz_mpoly_struct **quotients = flint_malloc((size_t)count * sizeof *quotients);
    for (slong i = 0; i < count; i++) {
        quotients[i] = flint_malloc(sizeof **quotients);
        fmpz_mpoly_init(quotients[i], ring->ctx);
    }
    fmpz_mpoly_divrem_ideal(quotients, p, p, relations, count, ring->ctx);
    for (slong i = 0; i < count; i++) {
        fmpz_mpoly_clear(quotients[i], ring->ctx);
        flint_free(quotients[i]);
    }
    flint_free(quotients);
}

/* What stands under a root may need to be reduced again. */
bool nh_poly_reduce(nh_ring *ring, fmpz_mpoly_t p)
{
    bool reduced = false;
    fmpz_mpoly_struct **relations = flint_malloc((size_t)(ring->n_relations + 1) * sizeof *relations);
    for (slong count; (count = relations_for(ring, p, relations)) > 0; reduced = true) {
        divide_out(ring, p, relations, count);
        check_length(ring, p);
    }
    flint_free(relations);
    return reduced;
}

void nh_poly_mul(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    check_product(ring, fmpz_mpoly_length(a, ring->ctx), fmpz_mpoly_length(b, ring->ctx));
    fmpz_mpoly_mul(out, a, b, ring->ctx);
    nh_poly_reduce(ring, out);
}

/* ---------------------------------------------------------------- fractions */

bool nh_form_is_zero(const nh_ring *ring, const fmpz_mpoly_q_t x)
{
    return fmpz_mpoly_is_zero(fmpz_mpoly_q_numref(x), ring->ctx);
}

void nh_form_reduce(nh_ring *ring, fmpz_mpoly_q_t x)
{
    bool above = nh_poly_reduce(ring, fmpz_mpoly_q_numref(x)), below = nh_poly_reduce(ring, fmpz_mpoly_q_denref(x));
    if (fmpz_mpoly_is_zero(fmpz_mpoly_q_denref(x), ring->ctx))
        nh_job_give_up(ring->job, "it divides by zero");
    if (above || below)
        fmpz_mpoly_q_canonicalise(x, ring->ctx);
    check_length(ring, fmpz_mpoly_q_numref(x));
}

static void check_forms(nh_ring *ring, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b, bool sum)
{
    slong an = fmpz_mpoly_length(fmpz_mpoly_q_numref(a), ring->ctx), ad = fmpz_mpoly_length(fmpz_mpoly_q_denref(a), ring->ctx);
    slong bn = fmpz_mpoly_length(fmpz_mpoly_q_numref(b), ring->ctx), bd = fmpz_mpoly_length(fmpz_mpoly_q_denref(b), ring->ctx);
    check_product(ring, an, sum ? bd : bn);
    check_product(ring, sum ? ad : bd, sum ? bn : ad);
}

void nh_form_add(nh_ring *ring, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
    check_forms(ring, a, b, true);
    fmpz_mpoly_q_add(out, a, b, ring->ctx);
    nh_form_reduce(ring, out);
}

void nh_form_sub(nh_ring *ring, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
    check_forms(ring, a, b, true);
    fmpz_mpoly_q_sub(out, a, b, ring->ctx);
    nh_form_reduce(ring, out);
}

void nh_form_mul(nh_ring *ring, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
    check_forms(ring, a, b, false);
    fmpz_mpoly_q_mul(out, a, b, ring->ctx);
    nh_form_reduce(ring, out);
}

void nh_form_div(nh_ring *ring, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
    if (nh_form_is_zero(ring, b))
        nh_job_give_up(ring->job, "it divides by zero");
    fmpz_mpoly_q_t inverse;
    fmpz_mpoly_q_init(inverse, ring->ctx);
    fmpz_mpoly_q_inv(inverse, b, ring->ctx);
    nh_form_mul(ring, out, a, inverse);
    fmpz_mpoly_q_clear(inverse, ring->ctx);
}

/* By repeated squaring, reduced at each step. */
static void form_power(nh_ring *ring, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, int64_t n)
{
    fmpz_mpoly_q_t base;
    fmpz_mpoly_q_init(base, ring->ctx);
    fmpz_mpoly_q_set(base, x, ring->ctx);
    if (n < 0 && nh_form_is_zero(ring, x))
        nh_job_give_up(ring->job, "it divides by zero");
    if (n < 0)
        fmpz_mpoly_q_inv(base, base, ring->ctx);
    fmpz_mpoly_q_one(out, ring->ctx);
    for (uint64_t k = (uint64_t)llabs(n); k; k >>= 1) {
        if (k & 1)
            nh_form_mul(ring, out, out, base);
        if (k > 1)
            nh_form_mul(ring, base, base, base);
    }
    fmpz_mpoly_q_clear(base, ring->ctx);
}

/* ---------------------------------------------------------------- signs */

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
        bool never_zero = g->sign && (g->kind == NH_GENERATOR_SYMBOL || g->kind == NH_GENERATOR_COSH || g->kind == NH_GENERATOR_EXP);
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
        fits = product_fits(ring, fmpz_mpoly_length(term, ring->ctx), fmpz_mpoly_length(coefficient, ring->ctx));
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
    fmpz_mpoly_clear(other, ring->ctx);
    return positive;
}

/* ---------------------------------------------------------------- nodes */

static size_t position_of(const nh_ring *ring, nh_expr e)
{
    size_t low = 0, high = ring->basis->walk.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (ring->basis->walk.nodes[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

fmpz_mpoly_q_struct *nh_ring_form(nh_ring *ring, nh_expr e) { return &ring->forms[position_of(ring, e)]; }

static void set_rational(nh_ring *ring, fmpz_mpoly_q_t out, nh_rational value)
{
    fmpq_t x;
    fmpq_init(x);
    if (value.big)
        fmpq_set_mpq(x, value.big);
    else
        fmpq_set_si(x, value.num, (ulong)value.den);
    fmpz_mpoly_q_set_fmpq(out, x, ring->ctx);
    fmpq_clear(x);
}

/* cos + i sin, or cosh + sinh and its inverse: a pair of polynomials. */
typedef struct pair {
    fmpz_mpoly_t c, s;
} pair;

static void pair_init(nh_ring *ring, pair *p)
{
    fmpz_mpoly_init(p->c, ring->ctx);
    fmpz_mpoly_init(p->s, ring->ctx);
    fmpz_mpoly_one(p->c, ring->ctx);
}

static void pair_clear(nh_ring *ring, pair *p)
{
    fmpz_mpoly_clear(p->c, ring->ctx);
    fmpz_mpoly_clear(p->s, ring->ctx);
}

/* cos(a + b) = cos a cos b - sin a sin b (+ for cosh), sin(a + b) = sin a cos b + cos a sin b */
static void pair_mul(nh_ring *ring, pair *out, const pair *b, bool hyperbolic)
{
    fmpz_mpoly_t cc, ss, sc, cs;
    fmpz_mpoly_init(cc, ring->ctx), fmpz_mpoly_init(ss, ring->ctx);
    fmpz_mpoly_init(sc, ring->ctx), fmpz_mpoly_init(cs, ring->ctx);
    nh_poly_mul(ring, cc, out->c, b->c), nh_poly_mul(ring, ss, out->s, b->s);
    nh_poly_mul(ring, sc, out->s, b->c), nh_poly_mul(ring, cs, out->c, b->s);
    if (hyperbolic)
        fmpz_mpoly_add(out->c, cc, ss, ring->ctx);
    else
        fmpz_mpoly_sub(out->c, cc, ss, ring->ctx);
    fmpz_mpoly_add(out->s, sc, cs, ring->ctx);
    fmpz_mpoly_clear(cc, ring->ctx), fmpz_mpoly_clear(ss, ring->ctx);
    fmpz_mpoly_clear(sc, ring->ctx), fmpz_mpoly_clear(cs, ring->ctx);
}

static void pair_turn(nh_ring *ring, pair *out, const nh_circle *circle, int64_t times)
{
    pair unit;
    pair_init(ring, &unit);
    fmpz_mpoly_gen(unit.c, (slong)circle->cosine, ring->ctx);
    fmpz_mpoly_gen(unit.s, (slong)circle->sine, ring->ctx);
    if (times < 0)
        fmpz_mpoly_neg(unit.s, unit.s, ring->ctx);
    for (uint64_t k = (uint64_t)llabs(times); k; k >>= 1) {
        if (k & 1)
            pair_mul(ring, out, &unit, circle->hyperbolic);
        if (k > 1) {
            pair square;
            pair_init(ring, &square);
            pair_mul(ring, &square, &unit, circle->hyperbolic);
            pair_mul(ring, &square, &unit, circle->hyperbolic);
            fmpz_mpoly_swap(unit.c, square.c, ring->ctx);
            fmpz_mpoly_swap(unit.s, square.s, ring->ctx);
            pair_clear(ring, &square);
        }
    }
    pair_clear(ring, &unit);
}

/* 4 cos and 4 sin of a multiple of pi/12, in x = sqrt(2), y = sqrt(3): coefficients of 1, x, y, xy. */
static const signed char twelfths_table[6][2][4] = {
    {{4, 0, 0, 0}, {0, 0, 0, 0}}, {{0, 1, 0, 1}, {0, -1, 0, 1}}, {{0, 0, 2, 0}, {2, 0, 0, 0}},
    {{0, 2, 0, 0}, {0, 2, 0, 0}}, {{2, 0, 0, 0}, {0, 0, 2, 0}},  {{0, -1, 0, 1}, {0, 1, 0, 1}},
};

static void known_number(nh_ring *ring, fmpz_mpoly_t out, const signed char *row)
{
    fmpz_mpoly_t x, y, xy, term;
    fmpz_mpoly_init(x, ring->ctx), fmpz_mpoly_init(y, ring->ctx);
    fmpz_mpoly_init(xy, ring->ctx), fmpz_mpoly_init(term, ring->ctx);
    fmpz_mpoly_set(x, fmpz_mpoly_q_numref(nh_ring_form(ring, ring->basis->root2)), ring->ctx);
    fmpz_mpoly_set(y, fmpz_mpoly_q_numref(nh_ring_form(ring, ring->basis->root3)), ring->ctx);
    fmpz_mpoly_mul(xy, x, y, ring->ctx);
    fmpz_mpoly_set_si(out, row[0], ring->ctx);
    fmpz_mpoly_struct *powers[3] = {x, y, xy};
    for (int k = 0; k < 3; k++) {
        fmpz_mpoly_scalar_mul_si(term, powers[k], row[k + 1], ring->ctx);
        fmpz_mpoly_add(out, out, term, ring->ctx);
    }
    fmpz_mpoly_clear(x, ring->ctx), fmpz_mpoly_clear(y, ring->ctx);
    fmpz_mpoly_clear(xy, ring->ctx), fmpz_mpoly_clear(term, ring->ctx);
}

/* The pair of an argument; returns the number that it is too large by. */
static slong pair_of(nh_ring *ring, pair *out, const nh_turns *turns)
{
    slong scale = 1;
    for (size_t i = 0; i < ring->basis->n_circles; i++)
        if (turns->times[i])
            pair_turn(ring, out, &ring->basis->circles[i], turns->times[i]);
    if (turns->twelfths) {
        pair known;
        pair_init(ring, &known);
        known_number(ring, known.c, twelfths_table[turns->twelfths][0]);
        known_number(ring, known.s, twelfths_table[turns->twelfths][1]);
        pair_mul(ring, out, &known, false);
        pair_clear(ring, &known);
        scale = 4;
    }
    for (int64_t k = turns->quarters & 3; k > 0; k--) { /* cos -> -sin, sin -> cos */
        fmpz_mpoly_swap(out->c, out->s, ring->ctx);
        fmpz_mpoly_neg(out->c, out->c, ring->ctx);
    }
    return scale;
}

/* exp of an argument: powers of its generators, or of ch + sh. */
static void form_exp(nh_ring *ring, fmpz_mpoly_q_t out, const nh_turns *turns)
{
    fmpz_mpoly_q_t unit, other, power;
    fmpz_mpoly_q_init(unit, ring->ctx), fmpz_mpoly_q_init(other, ring->ctx), fmpz_mpoly_q_init(power, ring->ctx);
    fmpz_mpoly_q_one(out, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        const nh_circle *c = &ring->basis->circles[i];
        if (!turns->times[i])
            continue;
        int64_t times = turns->times[i];
        fmpz_mpoly_q_gen(unit, (slong)c->sine, ring->ctx);
        if (c->pair) { /* exp(x) = cosh + sinh, exp(-x) = cosh - sinh */
            if (times < 0)
                fmpz_mpoly_q_neg(unit, unit, ring->ctx);
            fmpz_mpoly_q_gen(other, (slong)c->cosine, ring->ctx);
            fmpz_mpoly_q_add(unit, unit, other, ring->ctx);
            times = llabs(times);
        }
        form_power(ring, power, unit, times);
        nh_form_mul(ring, out, out, power);
    }
    fmpz_mpoly_q_clear(unit, ring->ctx), fmpz_mpoly_q_clear(other, ring->ctx), fmpz_mpoly_q_clear(power, ring->ctx);
}

static void form_circular(nh_ring *ring, fmpz_mpoly_q_t out, nh_node node, bool hyperbolic)
{
    const nh_turns *turns = nh_basis_turns(ring->basis, node.a, hyperbolic);
    nh_function f = (nh_function)node.function;
    if (f == NH_FN_exp) {
        form_exp(ring, out, turns);
        return;
    }
    pair p;
    pair_init(ring, &p);
    slong scale = pair_of(ring, &p, turns);
    bool tangent = f == NH_FN_tan || f == NH_FN_tanh, sine = f == NH_FN_sin || f == NH_FN_sinh;
    fmpz_mpoly_q_t below;
    fmpz_mpoly_q_init(below, ring->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(out), sine || tangent ? p.s : p.c, ring->ctx);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(out), ring->ctx);
    fmpz_mpoly_q_set_si(below, scale, ring->ctx);
    if (tangent)
        fmpz_mpoly_set(fmpz_mpoly_q_numref(below), p.c, ring->ctx);
    nh_form_div(ring, out, out, below);
    fmpz_mpoly_q_clear(below, ring->ctx);
    pair_clear(ring, &p);
}

/* ---------------------------------------------------------------- roots */

static void set_relation(nh_ring *ring, slong g, slong q, const fmpz_mpoly_t u)
{
    fmpz_mpoly_struct *r = flint_malloc(sizeof *r);
    fmpz_mpoly_init(r, ring->ctx);
    fmpz_mpoly_gen(r, g, ring->ctx);
    if (!fmpz_mpoly_pow_ui(r, r, (ulong)q, ring->ctx))
        nh_job_give_up(ring->job, "an exponent is too large");
    fmpz_mpoly_sub(r, r, u, ring->ctx);
    ring->ideal[g] = r;
    ring->n_relations++;
    ring->bound[g] = q;
}

/* Splits p = out^2 * p': squares of numbers and of factors that are positive. */
static void take_squares(nh_ring *ring, fmpz_mpoly_t out, fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ring->ctx);
    fmpz_mpoly_t base, power;
    fmpz_mpoly_init(base, ring->ctx), fmpz_mpoly_init(power, ring->ctx);
    fmpz_mpoly_one(out, ring->ctx);
    if (!fmpz_mpoly_is_zero(p, ring->ctx) && fmpz_mpoly_length(p, ring->ctx) < 200 &&
        fmpz_mpoly_factor_squarefree(f, p, ring->ctx)) {
        fmpz_t c;
        fmpz_init(c);
        fmpz_mpoly_factor_get_constant_fmpz(c, f, ring->ctx);
        for (ulong k = 2; k < 1000; k++)
            while (fmpz_divisible_si(c, (slong)(k * k))) {
                fmpz_divexact_ui(c, c, k * k);
                fmpz_mpoly_scalar_mul_ui(out, out, k, ring->ctx);
            }
        fmpz_clear(c);
        for (slong i = 0; i < fmpz_mpoly_factor_length(f, ring->ctx); i++) {
            slong e = fmpz_mpoly_factor_get_exp_si(f, i, ring->ctx);
            fmpz_mpoly_factor_get_base(base, f, i, ring->ctx);
            if (e < 2 || !nh_poly_is_positive(ring, base, false))
                continue;
            fmpz_mpoly_pow_ui(power, base, (ulong)(e / 2), ring->ctx);
            fmpz_mpoly_mul(out, out, power, ring->ctx);
        }
        fmpz_mpoly_mul(power, out, out, ring->ctx);
        fmpz_mpoly_divides(p, p, power, ring->ctx);
    }
    fmpz_mpoly_clear(base, ring->ctx), fmpz_mpoly_clear(power, ring->ctx);
    fmpz_mpoly_factor_clear(f, ring->ctx);
}

/* u = v u', out = k_v out for each simple root k_v^2 = v that divides it. */
static void take_simple_roots(nh_ring *ring, fmpz_mpoly_t out, fmpz_mpoly_t u)
{
    fmpz_mpoly_t v, rest;
    fmpz_mpoly_init(v, ring->ctx), fmpz_mpoly_init(rest, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_simple_roots; i++) {
        slong g = (slong)ring->basis->simple_roots[i];
        nh_expr under = ring->basis->generators[g].under;
        nh_rational prime;
        if (nh_is_number(ring->basis->pool, under, &prime))
            fmpz_mpoly_set_si(v, prime.num, ring->ctx);
        else
            fmpz_mpoly_gen(v, (slong)ring->basis->generator_of[under] - 1, ring->ctx);
        if (!fmpz_mpoly_divides(rest, u, v, ring->ctx))
            continue;
        fmpz_mpoly_swap(u, rest, ring->ctx);
        if (!ring->ideal[g])
            set_relation(ring, g, 2, v);
        fmpz_mpoly_gen(v, g, ring->ctx);
        fmpz_mpoly_mul(out, out, v, ring->ctx);
    }
    fmpz_mpoly_clear(v, ring->ctx), fmpz_mpoly_clear(rest, ring->ctx);
}

/* A root with the same relation, made earlier. */
static slong same_root(nh_ring *ring, slong g, slong q, const fmpz_mpoly_t u)
{
    slong found = -1;
    fmpz_mpoly_t relation;
    fmpz_mpoly_init(relation, ring->ctx);
    for (slong i = 0; i < ring->n && found < 0; i++) {
        if (!ring->ideal[i] || i == g || ring->basis->generators[i].kind != NH_GENERATOR_ROOT || ring->basis->generators[i].q != q)
            continue;
        fmpz_mpoly_gen(relation, i, ring->ctx);
        fmpz_mpoly_pow_ui(relation, relation, (ulong)q, ring->ctx);
        fmpz_mpoly_sub(relation, relation, u, ring->ctx);
        if (fmpz_mpoly_equal(relation, ring->ideal[i], ring->ctx))
            found = i;
    }
    fmpz_mpoly_clear(relation, ring->ctx);
    return found;
}

/* sqrt(N/D) with D > 0, N D = A^2 B v w ...: A k sqrt(v) sqrt(w) ... / D with k^2 = B. */
static void form_sqrt(nh_ring *ring, fmpz_mpoly_q_t out, slong g, const fmpz_mpoly_q_t x)
{
    fmpz_mpoly_t u, a;
    fmpz_mpoly_init(u, ring->ctx), fmpz_mpoly_init(a, ring->ctx);
    nh_poly_mul(ring, u, fmpz_mpoly_q_numref(x), fmpz_mpoly_q_denref(x));
    take_squares(ring, a, u);
    take_simple_roots(ring, a, u);
    if (fmpz_mpoly_is_one(u, ring->ctx) || fmpz_mpoly_is_zero(u, ring->ctx)) {
        fmpz_mpoly_mul(fmpz_mpoly_q_numref(out), a, u, ring->ctx);
    } else {
        slong same = same_root(ring, g, 2, u);
        if (same < 0) {
            set_relation(ring, g, 2, u);
            nh_expr under = nh_poly_expr(ring, u);
            nh_job_pause(ring->job);
            ring->basis->generators[g].e = nh_call(ring->basis->pool, NH_FN_sqrt, under, NH_EXPR_NONE);
            nh_job_resume(ring->job);
        }
        fmpz_mpoly_gen(fmpz_mpoly_q_numref(out), same < 0 ? g : same, ring->ctx);
        fmpz_mpoly_mul(fmpz_mpoly_q_numref(out), fmpz_mpoly_q_numref(out), a, ring->ctx);
    }
    fmpz_mpoly_set(fmpz_mpoly_q_denref(out), fmpz_mpoly_q_denref(x), ring->ctx);
    fmpz_mpoly_q_canonicalise(out, ring->ctx);
    fmpz_mpoly_clear(u, ring->ctx), fmpz_mpoly_clear(a, ring->ctx);
}

/* Any other root (N/D)^(p/q), and |N/D| as a root of its square: k = D * root, k^q = N D^(q-1); |.|: k^2 = N^2. */
static void form_root(nh_ring *ring, fmpz_mpoly_q_t out, slong g, const fmpz_mpoly_q_t x, int64_t p, bool absolute)
{
    nh_generator *generator = &ring->basis->generators[g];
    fmpz_mpoly_t u;
    fmpz_mpoly_init(u, ring->ctx);
    if (!ring->ideal[g]) {
        fmpz_mpoly_set(u, fmpz_mpoly_q_numref(x), ring->ctx);
        for (int64_t k = 1; k < generator->q; k++)
            nh_poly_mul(ring, u, u, absolute ? fmpz_mpoly_q_numref(x) : fmpz_mpoly_q_denref(x));
        set_relation(ring, g, (slong)generator->q, u);
        if (!nh_poly_is_positive(ring, fmpz_mpoly_q_denref(x), false))
            generator->sign = 0;
        nh_expr below = nh_poly_expr(ring, fmpz_mpoly_q_denref(x));
        nh_job_pause(ring->job);
        generator->e = nh_mul(ring->basis->pool, below, generator->e);
        nh_job_resume(ring->job);
    }
    fmpz_mpoly_q_t root, below;
    fmpz_mpoly_q_init(root, ring->ctx), fmpz_mpoly_q_init(below, ring->ctx);
    fmpz_mpoly_q_gen(root, g, ring->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(below), fmpz_mpoly_q_denref(x), ring->ctx);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(below), ring->ctx);
    nh_form_div(ring, root, root, below);
    form_power(ring, out, root, p);
    fmpz_mpoly_q_clear(root, ring->ctx), fmpz_mpoly_q_clear(below, ring->ctx);
    fmpz_mpoly_clear(u, ring->ctx);
}

static bool form_is_positive(nh_ring *ring, const fmpz_mpoly_q_t x)
{
    return nh_poly_is_positive(ring, fmpz_mpoly_q_numref(x), false) && nh_poly_is_positive(ring, fmpz_mpoly_q_denref(x), false);
}

static void form_of_root(nh_ring *ring, fmpz_mpoly_q_t out, nh_expr e, nh_node node)
{
    const nh_pool *pool = ring->basis->pool;
    slong g = (slong)ring->basis->generator_of[e] - 1;
    const fmpz_mpoly_q_struct *x = nh_ring_form(ring, node.a);
    bool absolute = ring->basis->generators[g].kind == NH_GENERATOR_ABS;
    if (absolute && form_is_positive(ring, x))
        fmpz_mpoly_q_set(out, x, ring->ctx);
    else if (!absolute && node.kind == NH_CALL && nh_poly_is_positive(ring, fmpz_mpoly_q_denref(x), true))
        form_sqrt(ring, out, g, x);
    else
        form_root(ring, out, g, x, node.kind == NH_POW ? pool->rationals[nh_get(pool, node.b).a].num : 1, absolute);
}

/* ---------------------------------------------------------------- all nodes */

static void form_of(nh_ring *ring, fmpz_mpoly_q_t out, nh_expr e)
{
    const nh_pool *pool = ring->basis->pool;
    nh_node node = nh_get(pool, e);
    uint32_t own = ring->basis->generator_of[e];
    nh_generator_kind kind = own ? ring->basis->generators[own - 1].kind : NH_GENERATOR_SYMBOL;
    if (own && (kind == NH_GENERATOR_ROOT || kind == NH_GENERATOR_ABS))
        form_of_root(ring, out, e, node);
    else if (own)
        fmpz_mpoly_q_gen(out, (slong)own - 1, ring->ctx);
    else if (node.kind == NH_NUMBER)
        set_rational(ring, out, pool->rationals[node.a]);
    else if (node.kind == NH_ADD)
        nh_form_add(ring, out, nh_ring_form(ring, node.a), nh_ring_form(ring, node.b));
    else if (node.kind == NH_MUL)
        nh_form_mul(ring, out, nh_ring_form(ring, node.a), nh_ring_form(ring, node.b));
    else if (node.kind == NH_POW)
        form_power(ring, out, nh_ring_form(ring, node.a), pool->rationals[nh_get(pool, node.b).a].num);
    else
        form_circular(ring, out, node, node.function == NH_FN_exp || node.function == NH_FN_sinh ||
                                           node.function == NH_FN_cosh || node.function == NH_FN_tanh);
}

/* sqrt(2) and sqrt(3) before all others: the known turns are made of them. */
static void form_constants(nh_ring *ring)
{
    const nh_expr roots[2] = {ring->basis->root2, ring->basis->root3};
    for (int i = 0; i < 2; i++) {
        nh_expr number = nh_get(ring->basis->pool, roots[i]).a;
        form_of(ring, nh_ring_form(ring, number), number);
        form_of(ring, nh_ring_form(ring, roots[i]), roots[i]);
    }
}

/* s^2 + c^2 - 1, sh^2 - ch^2 + 1 */
static void add_circle(nh_ring *ring, const nh_circle *c)
{
    fmpz_mpoly_t u, square;
    if (c->hyperbolic && !c->pair)
        return;
    fmpz_mpoly_init(u, ring->ctx), fmpz_mpoly_init(square, ring->ctx);
    fmpz_mpoly_gen(square, (slong)c->cosine, ring->ctx);
    fmpz_mpoly_mul(square, square, square, ring->ctx);
    fmpz_mpoly_one(u, ring->ctx);
    fmpz_mpoly_sub(u, u, square, ring->ctx);
    if (c->hyperbolic)
        fmpz_mpoly_neg(u, u, ring->ctx);
    set_relation(ring, (slong)c->sine, 2, u);
    fmpz_mpoly_clear(u, ring->ctx), fmpz_mpoly_clear(square, ring->ctx);
}

void nh_ring_init(nh_ring *ring, nh_job *job, nh_basis *basis, size_t max_terms)
{
    *ring = (nh_ring){.job = job, .basis = basis, .max_terms = max_terms, .n = (slong)basis->n};
    fmpz_mpoly_ctx_init(ring->ctx, ring->n ? ring->n : 1, ORD_LEX);
    ring->ideal = flint_calloc(basis->n + 1, sizeof *ring->ideal);
    ring->bound = flint_calloc(basis->n + 1, sizeof *ring->bound);
    for (size_t i = 0; i < basis->n_circles; i++)
        add_circle(ring, &basis->circles[i]);
    ring->forms = flint_calloc(basis->walk.count + 1, sizeof *ring->forms);
    for (size_t i = 0; i < basis->walk.count; i++)
        fmpz_mpoly_q_init(&ring->forms[i], ring->ctx);
    if (basis->root2)
        form_constants(ring);
    for (size_t i = 0; i < basis->walk.count; i++)
        form_of(ring, &ring->forms[i], basis->walk.nodes[i]);
}
