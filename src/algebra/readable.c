/* From normal forms to what a person would write: the shortest of several ways to choose the angles. */
#include "algebra/readable.h"

/* ---------------------------------------------------------------- one angle through t = tan(a/2) */

static slong degree_in(nh_ring *ring, const fmpz_mpoly_t p, const nh_circle *c)
{
    slong degree = 0;
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        slong sum = (slong)(exponents[c->sine] + exponents[c->cosine]);
        degree = sum > degree ? sum : degree;
    }
    flint_free(exponents);
    return degree;
}

/* t^i (1 + sign t^2)^k ..., t being kept in the place of the sine. */
static void set_t(nh_ring *ring, fmpz_mpoly_t out, const nh_circle *c, slong constant, slong linear,
                  slong square)
{
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, ring->ctx);
    fmpz_mpoly_gen(t, (slong)c->sine, ring->ctx);
    fmpz_mpoly_scalar_mul_si(out, t, square, ring->ctx);
    fmpz_mpoly_mul(out, out, t, ring->ctx);
    fmpz_mpoly_scalar_mul_si(t, t, linear, ring->ctx);
    fmpz_mpoly_add(out, out, t, ring->ctx);
    fmpz_mpoly_add_si(out, out, constant, ring->ctx);
    fmpz_mpoly_clear(t, ring->ctx);
}

/* (1 + t^2)^d p(s, c) with s = 2t/(1 + t^2), c = (1 - t^2)/(1 + t^2): a polynomial in t. */
static void to_t(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p, const nh_circle *circle, slong d)
{
    fmpz_mpoly_t s, c, one, term;
    fmpz_mpoly_init(s, ring->ctx), fmpz_mpoly_init(c, ring->ctx);
    fmpz_mpoly_init(one, ring->ctx), fmpz_mpoly_init(term, ring->ctx);
    set_t(ring, s, circle, 0, 2, 0), set_t(ring, c, circle, 1, 0, -1), set_t(ring, one, circle, 1, 0, 1);
    fmpz_mpoly_zero(out, ring->ctx);
    fmpz_t coefficient;
    fmpz_init(coefficient);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(coefficient, p, i, ring->ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        slong a = (slong)exponents[circle->sine], b = (slong)exponents[circle->cosine];
        exponents[circle->sine] = exponents[circle->cosine] = 0;
        fmpz_mpoly_zero(term, ring->ctx);
        fmpz_mpoly_push_term_fmpz_ui(term, coefficient, exponents, ring->ctx);
        for (slong k = 0; k < d; k++)
            fmpz_mpoly_mul(term, term, k < a ? s : k < a + b ? c : one, ring->ctx);
        fmpz_mpoly_add(out, out, term, ring->ctx);
    }
    flint_free(exponents);
    fmpz_clear(coefficient);
    fmpz_mpoly_clear(s, ring->ctx), fmpz_mpoly_clear(c, ring->ctx);
    fmpz_mpoly_clear(one, ring->ctx), fmpz_mpoly_clear(term, ring->ctx);
}

/* 2^d p(t)/(1 + t^2)^d in s and c: with 1/(1 + t^2) = (1 + c)/2, t^2/(1 + t^2) = (1 - c)/2, t/(1 + t^2) = s/2. */
static void from_t(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p, const nh_circle *circle, slong d)
{
    fmpz_mpoly_t plus, minus, s, term;
    fmpz_mpoly_init(plus, ring->ctx), fmpz_mpoly_init(minus, ring->ctx);
    fmpz_mpoly_init(s, ring->ctx), fmpz_mpoly_init(term, ring->ctx);
    fmpz_mpoly_gen(s, (slong)circle->sine, ring->ctx);
    fmpz_mpoly_gen(plus, (slong)circle->cosine, ring->ctx);
    fmpz_mpoly_neg(minus, plus, ring->ctx);
    fmpz_mpoly_add_si(plus, plus, 1, ring->ctx), fmpz_mpoly_add_si(minus, minus, 1, ring->ctx);
    fmpz_mpoly_zero(out, ring->ctx);
    fmpz_t coefficient;
    fmpz_init(coefficient);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(coefficient, p, i, ring->ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        slong j = (slong)exponents[circle->sine];
        exponents[circle->sine] = 0;
        fmpz_mpoly_zero(term, ring->ctx);
        fmpz_mpoly_push_term_fmpz_ui(term, coefficient, exponents, ring->ctx);
        if (j % 2)
            fmpz_mpoly_mul(term, term, s, ring->ctx);
        for (slong k = 0; k < d - j % 2; k++)
            fmpz_mpoly_mul(term, term, k < j / 2 ? minus : plus, ring->ctx);
        fmpz_mpoly_add(out, out, term, ring->ctx);
    }
    nh_poly_reduce(ring, out);
    flint_free(exponents);
    fmpz_clear(coefficient);
    fmpz_mpoly_clear(plus, ring->ctx), fmpz_mpoly_clear(minus, ring->ctx);
    fmpz_mpoly_clear(s, ring->ctx), fmpz_mpoly_clear(term, ring->ctx);
}

/* The degrees in t that numerator and denominator have when their common factors are cancelled, found at a random point modulo
 * a prime: by luck they may come out smaller than they are, never larger but by a chance of 2^-50. */
static void image_in_t(nh_ring *ring, nmod_poly_t out, const fmpz_mpoly_t p, const nh_circle *circle, slong d)
{
    nmod_t mod = out->mod;
    nmod_poly_t s, c, one, term;
    nmod_poly_init(s, mod.n), nmod_poly_init(c, mod.n), nmod_poly_init(one, mod.n),
        nmod_poly_init(term, mod.n);
    nmod_poly_set_coeff_ui(s, 1, 2);
    nmod_poly_set_coeff_ui(c, 0, 1), nmod_poly_set_coeff_ui(c, 2, mod.n - 1);
    nmod_poly_set_coeff_ui(one, 0, 1), nmod_poly_set_coeff_ui(one, 2, 1);
    fmpz_t coefficient;
    fmpz_init(coefficient);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(coefficient, p, i, ring->ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        slong a = (slong)exponents[circle->sine], b = (slong)exponents[circle->cosine];
        exponents[circle->sine] = exponents[circle->cosine] = 0;
        ulong value = fmpz_fdiv_ui(coefficient, mod.n);
        for (slong k = 0; k < ring->n; k++)
            if (exponents[k])
                value =
                    nmod_mul(value, nmod_pow_ui(nh_hash((uint64_t)k + 99) % mod.n, exponents[k], mod), mod);
        nmod_poly_zero(term);
        nmod_poly_set_coeff_ui(term, 0, value);
        for (slong k = 0; k < d; k++)
            nmod_poly_mul(term, term, k < a ? s : k < a + b ? c : one);
        nmod_poly_add(out, out, term);
    }
    flint_free(exponents);
    fmpz_clear(coefficient);
    nmod_poly_clear(s), nmod_poly_clear(c), nmod_poly_clear(one), nmod_poly_clear(term);
}

static bool is_smaller(slong above, slong below, slong d)
{
    return ((above > below ? above : below) + 1) / 2 < d || above + below < 2 * d - 1;
}

/* Whether cancelling can be of use: without it nothing is computed. */
static bool worth_cancelling(nh_ring *ring, const nh_q_t x, const nh_circle *c, slong d)
{
    const ulong prime = (UWORD(1) << 61) - 1;
    nmod_poly_t above, below, common;
    nmod_poly_init(above, prime), nmod_poly_init(below, prime), nmod_poly_init(common, prime);
    image_in_t(ring, above, nh_q_numref(x), c, d);
    image_in_t(ring, below, nh_q_denref(x), c, d);
    nmod_poly_gcd(common, above, below);
    slong shared = nmod_poly_degree(common);
    bool worth = is_smaller(nmod_poly_degree(above) - shared, nmod_poly_degree(below) - shared, d);
    nmod_poly_clear(above), nmod_poly_clear(below), nmod_poly_clear(common);
    return worth;
}

/* x with common factors in t of one angle cancelled; false: there were none. s/(1 - c) and (1 + c)/s meet here. */
static bool cancel_half_angle(nh_ring *ring, nh_q_t x, const nh_circle *c)
{
    slong dn = degree_in(ring, nh_q_numref(x), c), dd = degree_in(ring, nh_q_denref(x), c);
    slong d = dn > dd ? dn : dd;
    if (dn == 0 || dd == 0 || d > 12 || !worth_cancelling(ring, x, c, d))
        return false;
    nh_q_t t;
    nh_q_init(t, ring->ctx);
    to_t(ring, nh_q_numref(t), nh_q_numref(x), c, d);
    to_t(ring, nh_q_denref(t), nh_q_denref(x), c, d);
    nh_form_cancel(ring, t);
    slong left = fmpz_mpoly_degree_si(nh_q_numref(t), (slong)c->sine, ring->ctx);
    slong below = fmpz_mpoly_degree_si(nh_q_denref(t), (slong)c->sine, ring->ctx);
    slong least = ((left > below ? left : below) + 1) / 2;
    bool smaller = is_smaller(left, below, d);
    if (smaller) {
        from_t(ring, nh_q_numref(x), nh_q_numref(t), c, least);
        from_t(ring, nh_q_denref(x), nh_q_denref(t), c, least);
        nh_form_reduce(ring, x);
        nh_form_cancel(ring, x);
    }
    nh_q_clear(t, ring->ctx);
    return smaller;
}

static nh_expr with_half_angles(nh_ring *ring, const nh_q_t x, nh_expr best)
{
    nh_q_t y;
    nh_q_init(y, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        nh_q_set(y, x, ring->ctx);
        if (!ring->basis->circles[i].hyperbolic && cancel_half_angle(ring, y, &ring->basis->circles[i]))
            best = nh_shorter(ring, best, nh_fraction_expr(ring, y));
    }
    nh_q_clear(y, ring->ctx);
    return best;
}

/* ---------------------------------------------------------------- sums and differences of two angles */

/* a_j = b + sign a_i, b taking the place of a_j: its sine and cosine. */
static void turned(nh_ring *ring, fmpz_mpoly_t sine, fmpz_mpoly_t cosine, const nh_circle *ci,
                   const nh_circle *cj, int sign)
{
    fmpz_mpoly_t si, co, s, c;
    fmpz_mpoly_init(si, ring->ctx), fmpz_mpoly_init(co, ring->ctx);
    fmpz_mpoly_init(s, ring->ctx), fmpz_mpoly_init(c, ring->ctx);
    fmpz_mpoly_gen(si, (slong)ci->sine, ring->ctx), fmpz_mpoly_gen(co, (slong)ci->cosine, ring->ctx);
    fmpz_mpoly_gen(s, (slong)cj->sine, ring->ctx), fmpz_mpoly_gen(c, (slong)cj->cosine, ring->ctx);
    if (sign < 0)
        fmpz_mpoly_neg(si, si, ring->ctx);
    fmpz_mpoly_mul(sine, s, co, ring->ctx), fmpz_mpoly_mul(cosine, c, co, ring->ctx);
    fmpz_mpoly_mul(c, c, si, ring->ctx), fmpz_mpoly_mul(s, s, si, ring->ctx);
    fmpz_mpoly_add(sine, sine, c, ring->ctx), fmpz_mpoly_sub(cosine, cosine, s, ring->ctx);
    fmpz_mpoly_clear(si, ring->ctx), fmpz_mpoly_clear(co, ring->ctx);
    fmpz_mpoly_clear(s, ring->ctx), fmpz_mpoly_clear(c, ring->ctx);
}

/* out = p with the value in place of the generator g, by Horner's scheme. */
static void put_in(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p, slong g, const fmpz_mpoly_t value)
{
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, ring->ctx);
    fmpz_mpoly_t coefficient;
    fmpz_mpoly_init(coefficient, ring->ctx);
    fmpz_mpoly_to_univar(u, p, g, ring->ctx);
    slong n = fmpz_mpoly_univar_length(u, ring->ctx);
    fmpz_mpoly_zero(out, ring->ctx);
    for (slong i = 0; i < n; i++) {
        slong next = i + 1 < n ? fmpz_mpoly_univar_get_term_exp_si(u, i + 1, ring->ctx) : 0;
        fmpz_mpoly_univar_get_term_coeff(coefficient, u, i, ring->ctx);
        fmpz_mpoly_add(out, out, coefficient, ring->ctx);
        for (slong k = fmpz_mpoly_univar_get_term_exp_si(u, i, ring->ctx); k > next; k--)
            nh_poly_mul(ring, out, out, value);
    }
    fmpz_mpoly_clear(coefficient, ring->ctx);
    fmpz_mpoly_univar_clear(u, ring->ctx);
}

/* out = p with the values in place of the sine, of which a reduced form has the first power only, and of the cosine of an
 * angle: both at once, for they contain them. */
static void turn_poly(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p, const nh_circle *c,
                      const fmpz_mpoly_t sine, const fmpz_mpoly_t cosine)
{
    fmpz_mpoly_t s, odd, even;
    fmpz_mpoly_init(s, ring->ctx), fmpz_mpoly_init(odd, ring->ctx), fmpz_mpoly_init(even, ring->ctx);
    fmpz_mpoly_gen(s, (slong)c->sine, ring->ctx);
    fmpz_mpoly_divrem(odd, even, p, s, ring->ctx);
    put_in(ring, s, odd, (slong)c->cosine, cosine);
    put_in(ring, out, even, (slong)c->cosine, cosine);
    nh_poly_mul(ring, s, s, sine);
    fmpz_mpoly_add(out, out, s, ring->ctx);
    fmpz_mpoly_clear(s, ring->ctx), fmpz_mpoly_clear(odd, ring->ctx), fmpz_mpoly_clear(even, ring->ctx);
}

static void turn(nh_ring *ring, nh_q_t out, const nh_q_t x, size_t i, size_t j, int sign)
{
    const nh_circle *ci = &ring->basis->circles[i], *cj = &ring->basis->circles[j];
    fmpz_mpoly_t sine, cosine;
    fmpz_mpoly_init(sine, ring->ctx), fmpz_mpoly_init(cosine, ring->ctx);
    turned(ring, sine, cosine, ci, cj, sign);
    turn_poly(ring, nh_q_numref(out), nh_q_numref(x), cj, sine, cosine);
    turn_poly(ring, nh_q_denref(out), nh_q_denref(x), cj, sine, cosine);
    fmpz_mpoly_clear(sine, ring->ctx), fmpz_mpoly_clear(cosine, ring->ctx);
}

/* Whether the two angles meet in two terms: otherwise nothing is gained by combining them, which makes one of two. */
static bool meet(nh_ring *ring, const fmpz_mpoly_t p, const nh_circle *a, const nh_circle *b)
{
    int met = 0;
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx) && met < 2; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        met += exponents[a->sine] + exponents[a->cosine] > 0 && exponents[b->sine] + exponents[b->cosine] > 0;
    }
    flint_free(exponents);
    return met >= 2;
}

static slong terms_in(nh_ring *ring, const nh_q_t x)
{
    return fmpz_mpoly_length(nh_q_numref(x), ring->ctx) + fmpz_mpoly_length(nh_q_denref(x), ring->ctx);
}

static bool occurs(nh_ring *ring, const nh_q_t x, const nh_circle *c)
{
    return !c->hyperbolic && degree_in(ring, nh_q_numref(x), c) + degree_in(ring, nh_q_denref(x), c) > 0;
}

static void rename_circle(nh_ring *ring, size_t j, nh_expr angle)
{
    nh_basis *basis = ring->basis;
    nh_circle *c = &basis->circles[j];
    nh_job_pause(ring->job);
    c->e = angle;
    basis->generators[c->sine].e = nh_call(basis->pool, NH_FN_sin, angle, NH_EXPR_NONE);
    basis->generators[c->cosine].e = nh_call(basis->pool, NH_FN_cos, angle, NH_EXPR_NONE);
    nh_job_resume(ring->job);
}

static nh_expr combine(nh_ring *ring, nh_expr a, nh_expr b, int sign)
{
    nh_pool *pool = ring->basis->pool;
    nh_job_pause(ring->job);
    nh_expr e = nh_basis_collect(ring->basis, sign > 0 ? nh_sub(pool, a, b) : nh_add(pool, a, b));
    nh_job_resume(ring->job);
    return e;
}

static void negate_sine(nh_ring *ring, fmpz_mpoly_t p, slong sine)
{
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        if (fmpz_mpoly_get_term_var_exp_ui(p, i, sine, ring->ctx) % 2 == 0)
            continue;
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
        fmpz_neg(c, c);
        fmpz_mpoly_set_term_coeff_fmpz(p, i, c, ring->ctx);
    }
    fmpz_clear(c);
}

/* x with the angle j turned the other way. */
static void turn_back(nh_ring *ring, nh_q_t x, size_t j)
{
    nh_basis *basis = ring->basis;
    slong sine = (slong)basis->circles[j].sine;
    negate_sine(ring, nh_q_numref(x), sine);
    negate_sine(ring, nh_q_denref(x), sine);
    nh_form_cancel(ring, x);
    rename_circle(ring, j, combine(ring, basis->pool->zero, basis->circles[j].e, 1));
}

/* The best pair of angles to combine; x becomes the shorter form, j the angle that is another one now. False: none is
 * shorter. */
static bool combine_best_pair(nh_ring *ring, nh_q_t x, size_t *changed)
{
    nh_basis *basis = ring->basis;
    nh_q_t y, best;
    nh_q_init(y, ring->ctx), nh_q_init(best, ring->ctx);
    slong fewest = terms_in(ring, x);
    size_t bi = 0, bj = 0;
    int bsign = 0;
    for (size_t i = 0; i < basis->n_circles; i++)
        for (size_t j = 0; j < basis->n_circles; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const nh_circle *a = &basis->circles[i], *b = &basis->circles[j];
                if (i == j || !occurs(ring, x, a) || !occurs(ring, x, b) ||
                    (!meet(ring, nh_q_numref(x), a, b) && !meet(ring, nh_q_denref(x), a, b)))
                    continue;
                turn(ring, y, x, i, j, sign);
                if (terms_in(ring, y) < fewest) {
                    fewest = terms_in(ring, y), bi = i, bj = j, bsign = sign;
                    nh_q_swap(best, y, ring->ctx);
                }
            }
    if (bsign) {
        nh_q_swap(x, best, ring->ctx);
        nh_form_cancel(ring, x);
        rename_circle(ring, bj, combine(ring, basis->circles[bj].e, basis->circles[bi].e, bsign));
        if (bsign > 0 && bi < bj) /* a_i - a_j rather than a_j - a_i */
            turn_back(ring, x, bj);
    }
    *changed = bj;
    nh_q_clear(y, ring->ctx), nh_q_clear(best, ring->ctx);
    return bsign != 0;
}

enum { MOST_TERMS_COMBINED = 150, MOST_ANGLES_COMBINED = 6 };

static nh_expr with_combined_angles(nh_ring *ring, const nh_q_t x, nh_expr best)
{
    nh_basis *basis = ring->basis;
    size_t angles = 0, n = basis->n_circles;
    for (size_t i = 0; i < n; i++)
        angles += occurs(ring, x, &basis->circles[i]);
    if (angles < 2 || angles > MOST_ANGLES_COMBINED || terms_in(ring, x) < 3 ||
        terms_in(ring, x) > MOST_TERMS_COMBINED)
        return best;
    nh_expr *before = flint_malloc(n * sizeof *before);
    for (size_t i = 0; i < n; i++)
        before[i] = basis->circles[i].e;
    nh_q_t y;
    nh_q_init(y, ring->ctx);
    nh_q_set(y, x, ring->ctx);
    for (size_t j; combine_best_pair(ring, y, &j);) {
        best = nh_shorter(ring, best, nh_fraction_expr(ring, y));
        turn_back(ring, y, j);
        best = nh_shorter(ring, best, nh_fraction_expr(ring, y));
        turn_back(ring, y, j);
    }
    for (size_t i = 0; i < n; i++)
        if (basis->circles[i].e != before[i])
            rename_circle(ring, i, before[i]);
    nh_q_clear(y, ring->ctx);
    flint_free(before);
    return best;
}

/* ---------------------------------------------------------------- double angles */

/* Whether each term has an even number of sines and cosines of the angle; *degree: the most of them. */
static bool is_even(nh_ring *ring, const fmpz_mpoly_t p, const nh_circle *c, slong *degree)
{
    bool even = true;
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx) && even; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        slong sum = (slong)(exponents[c->sine] + exponents[c->cosine]);
        even = sum % 2 == 0 && exponents[c->sine] < 2;
        *degree = sum > *degree ? sum : *degree;
    }
    flint_free(exponents);
    return even;
}

/* 2^(d/2) p with c^2 = (1 + C)/2, s c = S/2; C and S take the places of c and s. */
static void double_angle(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p, const nh_circle *circle,
                         slong d)
{
    fmpz_t coefficient;
    fmpz_init(coefficient);
    fmpz_mpoly_t term, plus, power;
    fmpz_mpoly_init(term, ring->ctx), fmpz_mpoly_init(plus, ring->ctx), fmpz_mpoly_init(power, ring->ctx);
    fmpz_mpoly_gen(plus, (slong)circle->cosine, ring->ctx);
    fmpz_mpoly_add_si(plus, plus, 1, ring->ctx);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    fmpz_mpoly_zero(out, ring->ctx);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(coefficient, p, i, ring->ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        ulong pairs = (exponents[circle->sine] + exponents[circle->cosine]) / 2,
              squares = exponents[circle->cosine] / 2;
        exponents[circle->cosine] = 0;
        fmpz_mul_2exp(coefficient, coefficient, (ulong)d / 2 - pairs);
        fmpz_mpoly_zero(term, ring->ctx);
        fmpz_mpoly_push_term_fmpz_ui(term, coefficient, exponents, ring->ctx);
        fmpz_mpoly_pow_ui(power, plus, squares, ring->ctx);
        fmpz_mpoly_mul(term, term, power, ring->ctx);
        fmpz_mpoly_add(out, out, term, ring->ctx);
    }
    flint_free(exponents);
    fmpz_clear(coefficient);
    fmpz_mpoly_clear(term, ring->ctx), fmpz_mpoly_clear(plus, ring->ctx), fmpz_mpoly_clear(power, ring->ctx);
}

/* In 2 a instead of a, where a occurs in no other way. */
static nh_expr with_double_angle(nh_ring *ring, const nh_q_t x, size_t j, nh_expr best)
{
    const nh_circle *c = &ring->basis->circles[j];
    slong degree = 0;
    if (!is_even(ring, nh_q_numref(x), c, &degree) || !is_even(ring, nh_q_denref(x), c, &degree) ||
        degree > 8)
        return best;
    nh_q_t y;
    nh_q_init(y, ring->ctx);
    double_angle(ring, nh_q_numref(y), nh_q_numref(x), c, degree);
    double_angle(ring, nh_q_denref(y), nh_q_denref(x), c, degree);
    nh_form_cancel(ring, y);
    nh_expr angle = c->e;
    rename_circle(ring, j, combine(ring, angle, angle, -1));
    best = nh_shorter(ring, best, nh_fraction_expr(ring, y));
    rename_circle(ring, j, angle);
    nh_q_clear(y, ring->ctx);
    return best;
}

static nh_expr with_double_angles(nh_ring *ring, const nh_q_t x, nh_expr best)
{
    for (size_t j = 0; j < ring->basis->n_circles && terms_in(ring, x) <= MOST_TERMS_COMBINED; j++)
        if (occurs(ring, x, &ring->basis->circles[j]))
            best = with_double_angle(ring, x, j, best);
    return best;
}

nh_expr nh_form_expr(nh_ring *ring, const nh_q_t x)
{
    nh_expr best = nh_fraction_expr(ring, x);
    if (!fmpz_mpoly_is_fmpz(nh_q_denref(x), ring->ctx) && terms_in(ring, x) <= MOST_TERMS_COMBINED)
        best = with_half_angles(ring, x, best);
    return with_double_angles(ring, x, with_combined_angles(ring, x, best));
}
