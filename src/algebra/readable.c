/* From normal forms to what a person would write: the shortest of several ways. */
#include "algebra/readable.h"

#include <string.h>

/* ---------------------------------------------------------------- length */

double nh_form_length(nh_ring *ring, nh_expr e)
{
    nh_job_pause(ring->job);
    double length = nh_expr_length(ring->basis->lengths, e);
    nh_job_resume(ring->job);
    return length;
}

static nh_expr shorter(nh_ring *ring, nh_expr a, nh_expr b)
{
    return nh_form_length(ring, b) < nh_form_length(ring, a) ? b : a;
}

/* ---------------------------------------------------------------- terms */

/* What is taken out of a sum first, where several generators occur equally often: velocities, coordinates, then
 * functions, parameters last. */
static int preference(const nh_ring *ring, slong k)
{
    const nh_generator *g = &ring->basis->generators[k];
    nh_node node = nh_get(ring->basis->pool, g->e);
    if (node.kind == NH_SYMBOL)
        return ring->basis->pool->places[node.a] == NH_PLACED_FIRST ? 0 : 2 + ring->basis->pool->places[node.a];
    return 1;
}

static nh_expr number_expr(nh_ring *ring, const fmpz_t c)
{
    nh_pool *pool = ring->basis->pool;
    nh_expr e;
    if (fmpz_fits_si(c) && fmpz_get_si(c) != INT64_MIN) {
        int64_t value = fmpz_get_si(c);
        nh_job_pause(ring->job);
        e = nh_integer(pool, value);
    } else {
        mpq_t q;
        mpq_init(q);
        fmpz_get_mpz(mpq_numref(q), c);
        nh_job_pause(ring->job);
        e = nh_number(pool, nh_rational_copy(&pool->numbers, (nh_rational){.big = q}));
        /* the job's memory goes with the job */
    }
    nh_job_resume(ring->job);
    return e;
}

/* So that the same factors or terms always make the same expression. */
static void sort_exprs(const nh_pool *pool, nh_expr *e, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && nh_compare(pool, e[j], e[j - 1]) < 0; j--) {
            nh_expr swap = e[j];
            e[j] = e[j - 1], e[j - 1] = swap;
        }
}

/* sqrt(2) sqrt(m) = sqrt(2*m), for those in the monomial; NH_EXPR_NONE: there are none. */
static nh_expr simple_roots_expr(nh_ring *ring, const ulong *exponents)
{
    nh_pool *pool = ring->basis->pool;
    nh_expr under = pool->one;
    for (slong k = ring->n; k-- > 0;)
        if (exponents[k] == 1 && ring->basis->generators[k].under)
            under = nh_mul(pool, under, ring->basis->generators[k].under);
    return under == pool->one ? NH_EXPR_NONE : nh_call(pool, NH_FN_sqrt, under, NH_EXPR_NONE);
}

static nh_expr monomial_expr(nh_ring *ring, const ulong *exponents)
{
    nh_pool *pool = ring->basis->pool;
    nh_expr *factors = flint_malloc((size_t)(ring->n + 1) * sizeof *factors), e = pool->one;
    nh_job_pause(ring->job);
    nh_expr roots = simple_roots_expr(ring, exponents);
    for (int others = 0; others < 2; others++) { /* parameters first */
        size_t n = 0;
        if (others && roots)
            factors[n++] = roots;
        for (slong k = 0; k < ring->n; k++) {
            bool in_roots = exponents[k] == 1 && ring->basis->generators[k].under;
            if (exponents[k] && !in_roots && (preference(ring, k) > 0) == (others > 0))
                factors[n++] = nh_power(pool, ring->basis->generators[k].e, (int64_t)exponents[k]);
        }
        sort_exprs(pool, factors, n);
        for (size_t i = 0; i < n; i++)
            e = nh_mul(pool, e, factors[i]);
    }
    nh_job_resume(ring->job);
    flint_free(factors);
    return e;
}

static nh_expr multiply(nh_ring *ring, nh_expr a, nh_expr b)
{
    nh_job_pause(ring->job);
    nh_expr e = nh_mul(ring->basis->pool, a, b);
    nh_job_resume(ring->job);
    return e;
}

static nh_expr add(nh_ring *ring, nh_expr a, nh_expr b)
{
    nh_job_pause(ring->job);
    nh_expr e = nh_add(ring->basis->pool, a, b);
    nh_job_resume(ring->job);
    return e;
}

static nh_expr to_power(nh_ring *ring, nh_expr a, int64_t n)
{
    nh_job_pause(ring->job);
    nh_expr e = nh_power(ring->basis->pool, a, n);
    nh_job_resume(ring->job);
    return e;
}

static nh_expr term_expr(nh_ring *ring, const fmpz_mpoly_t p, slong i, ulong *exponents)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
    fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
    nh_expr e = multiply(ring, number_expr(ring, c), monomial_expr(ring, exponents));
    fmpz_clear(c);
    return e;
}

enum { LONG_SUM = 400 };

static nh_expr expanded(nh_ring *ring, const fmpz_mpoly_t p)
{
    slong n = fmpz_mpoly_length(p, ring->ctx);
    nh_expr sum = ring->basis->pool->zero, *terms = flint_malloc((size_t)(n + 1) * sizeof *terms);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < n; i++)
        terms[i] = term_expr(ring, p, i, exponents);
    if (n <= LONG_SUM)
        sort_exprs(ring->basis->pool, terms, (size_t)n);
    for (slong i = 0; i < n; i++)
        sum = add(ring, sum, terms[i]);
    flint_free(exponents);
    flint_free(terms);
    return sum;
}

/* ---------------------------------------------------------------- collected */

/* The generator that occurs in most terms, in two at least; -1: none. */
static slong most_common(nh_ring *ring, const fmpz_mpoly_t p, ulong *least)
{
    slong length = fmpz_mpoly_length(p, ring->ctx), best = -1;
    slong *count = flint_calloc((size_t)ring->n + 1, sizeof *count);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    ulong *lowest = flint_calloc((size_t)ring->n + 1, sizeof *lowest);
    for (slong i = 0; i < length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        for (slong k = 0; k < ring->n; k++)
            if (exponents[k]) {
                lowest[k] = count[k] == 0 || exponents[k] < lowest[k] ? exponents[k] : lowest[k];
                count[k]++;
            }
    }
    for (slong k = 0; k < ring->n; k++)
        if (count[k] > 1 && (best < 0 || count[k] > count[best] ||
                             (count[k] == count[best] && preference(ring, k) > preference(ring, best))))
            best = k;
    if (best >= 0)
        *least = lowest[best];
    flint_free(count);
    flint_free(exponents);
    flint_free(lowest);
    return best;
}

/* p = g^e q + r, the terms of r without g. */
static void split(nh_ring *ring, const fmpz_mpoly_t p, slong g, ulong e, fmpz_mpoly_t q, fmpz_mpoly_t r)
{
    fmpz_t c;
    fmpz_init(c);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        bool there = exponents[g] > 0;
        if (there)
            exponents[g] -= e;
        fmpz_mpoly_push_term_fmpz_ui(there ? q : r, c, exponents, ring->ctx);
    }
    fmpz_mpoly_sort_terms(q, ring->ctx);
    flint_free(exponents);
    fmpz_clear(c);
}

static bool all_negative(nh_ring *ring, const fmpz_mpoly_t p)
{
    bool negative = true;
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx) && negative; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
        negative = fmpz_sgn(c) < 0;
    }
    fmpz_clear(c);
    return negative;
}

static nh_expr collected(nh_ring *ring, const fmpz_mpoly_t p);

/* What stands in parentheses begins without a minus: -(a + b), not (-a - b). */
static nh_expr in_parentheses(nh_ring *ring, const fmpz_mpoly_t p)
{
    if (!all_negative(ring, p))
        return collected(ring, p);
    fmpz_mpoly_t minus;
    fmpz_mpoly_init(minus, ring->ctx);
    fmpz_mpoly_neg(minus, p, ring->ctx);
    nh_expr e = multiply(ring, ring->basis->pool->minus_one, collected(ring, minus));
    fmpz_mpoly_clear(minus, ring->ctx);
    return e;
}

static nh_expr collected(nh_ring *ring, const fmpz_mpoly_t p)
{
    ulong e = 1;
    slong g = fmpz_mpoly_length(p, ring->ctx) > 1 ? most_common(ring, p, &e) : -1;
    if (g < 0)
        return expanded(ring, p);
    fmpz_mpoly_t q, r;
    fmpz_mpoly_init(q, ring->ctx), fmpz_mpoly_init(r, ring->ctx);
    split(ring, p, g, e, q, r);
    nh_expr product = multiply(ring, to_power(ring, ring->basis->generators[g].e, (int64_t)e), in_parentheses(ring, q));
    nh_expr sum = fmpz_mpoly_is_zero(r, ring->ctx) ? product : add(ring, product, collected(ring, r));
    fmpz_mpoly_clear(q, ring->ctx), fmpz_mpoly_clear(r, ring->ctx);
    return sum;
}

static nh_expr written(nh_ring *ring, const fmpz_mpoly_t p)
{
    nh_expr plain = expanded(ring, p);
    slong length = fmpz_mpoly_length(p, ring->ctx);
    return length < 2 || length > LONG_SUM ? plain : shorter(ring, collected(ring, p), plain);
}

/* ---------------------------------------------------------------- factored */

static bool has_negative_term(nh_ring *ring, const fmpz_mpoly_t p)
{
    bool negative = false;
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx) && !negative; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
        negative = fmpz_sgn(c) < 0;
    }
    fmpz_clear(c);
    return negative;
}

enum { LONGEST_FACTORED = 300 };

/* Irreducible at a glance, no factor being common to all terms: some generator occurs in one term only, and not
 * squared there, as masses do. */
static bool is_irreducible(nh_ring *ring, const fmpz_mpoly_t p)
{
    bool irreducible = false;
    slong *count = flint_calloc((size_t)ring->n + 1, sizeof *count);
    ulong *exponents = flint_malloc((size_t)(ring->n + 1) * sizeof *exponents);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
        for (slong k = 0; k < ring->n; k++)
            count[k] += exponents[k] > 1 ? 2 : (slong)exponents[k];
    }
    for (slong k = 0; k < ring->n && !irreducible; k++)
        irreducible = count[k] == 1;
    flint_free(count);
    flint_free(exponents);
    return irreducible;
}

/* What all terms have in common, if anything, times the rest; false: the rest may have factors. */
static bool split_content(nh_ring *ring, const fmpz_mpoly_t p, nh_expr *product)
{
    fmpz_mpoly_t content, rest;
    fmpz_mpoly_init(content, ring->ctx), fmpz_mpoly_init(rest, ring->ctx);
    fmpz_mpoly_term_content(content, p, ring->ctx);
    fmpz_mpoly_divides(rest, p, content, ring->ctx);
    bool all = is_irreducible(ring, rest);
    if (all && !fmpz_mpoly_is_one(content, ring->ctx)) {
        if (all_negative(ring, rest))
            fmpz_mpoly_neg(content, content, ring->ctx), fmpz_mpoly_neg(rest, rest, ring->ctx);
        *product = multiply(ring, expanded(ring, content), written(ring, rest));
    }
    fmpz_mpoly_clear(content, ring->ctx), fmpz_mpoly_clear(rest, ring->ctx);
    return all;
}

/* The product of the factors, or NH_EXPR_NONE; a minus in front goes into a sum that has one itself. */
static nh_expr factored(nh_ring *ring, const fmpz_mpoly_t p)
{
    nh_expr product = NH_EXPR_NONE;
    slong length = fmpz_mpoly_length(p, ring->ctx);
    if (length < 2 || length > LONGEST_FACTORED || split_content(ring, p, &product))
        return product;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ring->ctx);
    if (fmpz_mpoly_factor(f, p, ring->ctx) && fmpz_mpoly_factor_length(f, ring->ctx) > 0) {
        product = ring->basis->pool->one;
        fmpz_t c;
        fmpz_init(c);
        fmpz_mpoly_factor_get_constant_fmpz(c, f, ring->ctx);
        fmpz_mpoly_factor_sort(f, ring->ctx);
        fmpz_mpoly_t base;
        fmpz_mpoly_init(base, ring->ctx);
        for (slong i = 0; i < fmpz_mpoly_factor_length(f, ring->ctx); i++) {
            slong e = fmpz_mpoly_factor_get_exp_si(f, i, ring->ctx);
            fmpz_mpoly_factor_get_base(base, f, i, ring->ctx);
            if (fmpz_sgn(c) < 0 && e % 2 && fmpz_mpoly_length(base, ring->ctx) > 1 && has_negative_term(ring, base)) {
                fmpz_mpoly_neg(base, base, ring->ctx);
                fmpz_neg(c, c);
            }
            product = multiply(ring, product, to_power(ring, written(ring, base), e));
        }
        product = multiply(ring, number_expr(ring, c), product);
        fmpz_mpoly_clear(base, ring->ctx);
        fmpz_clear(c);
    }
    fmpz_mpoly_factor_clear(f, ring->ctx);
    return product;
}

nh_expr nh_poly_expr(nh_ring *ring, const fmpz_mpoly_t given)
{
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ring->ctx);
    fmpz_mpoly_set(p, given, ring->ctx);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx); i++)
        if (!fmpz_mpoly_term_exp_fits_ui(p, i, ring->ctx))
            nh_job_give_up(ring->job, "an exponent is too large");
    nh_poly_fewest_terms(ring, p);
    nh_expr best = written(ring, p);
    nh_expr product = factored(ring, p);
    if (product)
        best = shorter(ring, best, product);
    fmpz_mpoly_clear(p, ring->ctx);
    return best;
}

/* The factors of above and below; returns how many. */
static size_t all_factors(nh_ring *ring, nh_expr above, nh_expr below, nh_factor **factors, nh_expr *number)
{
    nh_pool *pool = ring->basis->pool;
    nh_product a = nh_product_of(pool, ring->basis->arena, above), b = nh_product_of(pool, ring->basis->arena, below);
    *factors = nh_arena_array(ring->basis->arena, a.count + b.count + 1, sizeof **factors);
    for (size_t i = 0; i < a.count + b.count; i++) {
        (*factors)[i] = i < a.count ? a.factors[i] : b.factors[i - a.count];
        (*factors)[i].exponent *= i < a.count ? 1 : -1;
    }
    *number = nh_number(pool, nh_rational_div(&pool->numbers, a.number, b.number));
    return a.count + b.count;
}

/* x x^-3 = x^-2, sqrt(u) u = sqrt(u)^3, u/sqrt(u) = sqrt(u); false: there is no such pair. */
static bool gather_factors(const nh_pool *pool, nh_factor *factors, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        nh_node node = nh_get(pool, factors[i].base);
        bool root = node.kind == NH_CALL && node.function == NH_FN_sqrt;
        for (size_t j = 0; j < n; j++) {
            bool same = j > i && factors[j].base == factors[i].base, under = root && factors[j].base == node.a;
            if ((!same && !under) || !factors[j].exponent || !factors[i].exponent)
                continue;
            factors[i].exponent += (under ? 2 : 1) * factors[j].exponent, factors[j].exponent = 0;
            any = true;
        }
    }
    return any;
}

static nh_expr quotient(nh_ring *ring, nh_expr above, nh_expr below)
{
    nh_pool *pool = ring->basis->pool;
    nh_factor *factors;
    nh_expr e;
    nh_job_pause(ring->job);
    size_t n = all_factors(ring, above, below, &factors, &e);
    if (gather_factors(pool, factors, n))
        for (size_t i = 0; i < n; i++)
            e = nh_mul(pool, e, nh_power(pool, factors[i].base, factors[i].exponent));
    else
        e = nh_div(pool, above, below);
    nh_job_resume(ring->job);
    return e;
}

static nh_expr fraction(nh_ring *ring, const fmpz_mpoly_q_t x)
{
    return quotient(ring, nh_poly_expr(ring, fmpz_mpoly_q_numref(x)), nh_poly_expr(ring, fmpz_mpoly_q_denref(x)));
}

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
static void set_t(nh_ring *ring, fmpz_mpoly_t out, const nh_circle *c, slong constant, slong linear, slong square)
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

/* x with common factors in t of one angle cancelled; false: there were none. s/(1 - c) and (1 + c)/s meet here. */
static bool cancel_half_angle(nh_ring *ring, fmpz_mpoly_q_t x, const nh_circle *c)
{
    slong dn = degree_in(ring, fmpz_mpoly_q_numref(x), c), dd = degree_in(ring, fmpz_mpoly_q_denref(x), c);
    slong d = dn > dd ? dn : dd;
    if (dn == 0 || dd == 0 || d > 12)
        return false;
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, ring->ctx);
    to_t(ring, fmpz_mpoly_q_numref(t), fmpz_mpoly_q_numref(x), c, d);
    to_t(ring, fmpz_mpoly_q_denref(t), fmpz_mpoly_q_denref(x), c, d);
    fmpz_mpoly_q_canonicalise(t, ring->ctx);
    slong left = fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(t), (slong)c->sine, ring->ctx);
    slong below = fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(t), (slong)c->sine, ring->ctx);
    slong least = ((left > below ? left : below) + 1) / 2;
    bool smaller = least < d || left + below < 2 * d - 1;
    if (smaller) {
        from_t(ring, fmpz_mpoly_q_numref(x), fmpz_mpoly_q_numref(t), c, least);
        from_t(ring, fmpz_mpoly_q_denref(x), fmpz_mpoly_q_denref(t), c, least);
        nh_form_reduce(ring, x);
        fmpz_mpoly_q_canonicalise(x, ring->ctx);
    }
    fmpz_mpoly_q_clear(t, ring->ctx);
    return smaller;
}

static nh_expr with_half_angles(nh_ring *ring, const fmpz_mpoly_q_t x, nh_expr best)
{
    fmpz_mpoly_q_t y;
    fmpz_mpoly_q_init(y, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        fmpz_mpoly_q_set(y, x, ring->ctx);
        if (!ring->basis->circles[i].hyperbolic && cancel_half_angle(ring, y, &ring->basis->circles[i]))
            best = shorter(ring, best, fraction(ring, y));
    }
    fmpz_mpoly_q_clear(y, ring->ctx);
    return best;
}

/* ---------------------------------------------------------------- sums and differences of two angles */

/* a_j = b + sign a_i, b taking the place of a_j: the images of its sine and cosine. */
static void turn_images(nh_ring *ring, fmpz_mpoly_struct **images, const nh_circle *ci, const nh_circle *cj, int sign)
{
    fmpz_mpoly_t si, c, s, product;
    fmpz_mpoly_init(si, ring->ctx), fmpz_mpoly_init(c, ring->ctx);
    fmpz_mpoly_init(s, ring->ctx), fmpz_mpoly_init(product, ring->ctx);
    fmpz_mpoly_gen(si, (slong)ci->sine, ring->ctx);
    if (sign < 0)
        fmpz_mpoly_neg(si, si, ring->ctx);
    fmpz_mpoly_gen(product, (slong)ci->cosine, ring->ctx);
    fmpz_mpoly_mul(s, images[cj->sine], product, ring->ctx);
    fmpz_mpoly_mul(c, images[cj->cosine], product, ring->ctx);
    fmpz_mpoly_mul(product, images[cj->cosine], si, ring->ctx);
    fmpz_mpoly_add(s, s, product, ring->ctx);
    fmpz_mpoly_mul(product, images[cj->sine], si, ring->ctx);
    fmpz_mpoly_sub(c, c, product, ring->ctx);
    fmpz_mpoly_swap(images[cj->sine], s, ring->ctx);
    fmpz_mpoly_swap(images[cj->cosine], c, ring->ctx);
    fmpz_mpoly_clear(si, ring->ctx), fmpz_mpoly_clear(c, ring->ctx);
    fmpz_mpoly_clear(s, ring->ctx), fmpz_mpoly_clear(product, ring->ctx);
}

static void compose(nh_ring *ring, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, size_t i, size_t j, int sign)
{
    fmpz_mpoly_struct **images = flint_malloc((size_t)(ring->n + 1) * sizeof *images);
    for (slong k = 0; k < ring->n; k++) {
        images[k] = flint_malloc(sizeof **images);
        fmpz_mpoly_init(images[k], ring->ctx);
        fmpz_mpoly_gen(images[k], k, ring->ctx);
    }
    turn_images(ring, images, &ring->basis->circles[i], &ring->basis->circles[j], sign);
    fmpz_mpoly_compose_fmpz_mpoly(fmpz_mpoly_q_numref(out), fmpz_mpoly_q_numref(x), images, ring->ctx, ring->ctx);
    fmpz_mpoly_compose_fmpz_mpoly(fmpz_mpoly_q_denref(out), fmpz_mpoly_q_denref(x), images, ring->ctx, ring->ctx);
    for (slong k = 0; k < ring->n; k++) {
        fmpz_mpoly_clear(images[k], ring->ctx);
        flint_free(images[k]);
    }
    flint_free(images);
    nh_form_reduce(ring, out);
    fmpz_mpoly_q_canonicalise(out, ring->ctx);
}

static slong terms_in(nh_ring *ring, const fmpz_mpoly_q_t x)
{
    return fmpz_mpoly_length(fmpz_mpoly_q_numref(x), ring->ctx) + fmpz_mpoly_length(fmpz_mpoly_q_denref(x), ring->ctx);
}

static bool occurs(nh_ring *ring, const fmpz_mpoly_q_t x, const nh_circle *c)
{
    return !c->hyperbolic && degree_in(ring, fmpz_mpoly_q_numref(x), c) + degree_in(ring, fmpz_mpoly_q_denref(x), c) > 0;
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
static void turn_back(nh_ring *ring, fmpz_mpoly_q_t x, size_t j)
{
    nh_basis *basis = ring->basis;
    slong sine = (slong)basis->circles[j].sine;
    negate_sine(ring, fmpz_mpoly_q_numref(x), sine);
    negate_sine(ring, fmpz_mpoly_q_denref(x), sine);
    fmpz_mpoly_q_canonicalise(x, ring->ctx);
    rename_circle(ring, j, combine(ring, basis->pool->zero, basis->circles[j].e, 1));
}

/* The best pair of angles to combine; x becomes the shorter form, j the angle that is another one now. False: none is
 * shorter. */
static bool combine_best_pair(nh_ring *ring, fmpz_mpoly_q_t x, size_t *changed)
{
    nh_basis *basis = ring->basis;
    fmpz_mpoly_q_t y, best;
    fmpz_mpoly_q_init(y, ring->ctx), fmpz_mpoly_q_init(best, ring->ctx);
    slong fewest = terms_in(ring, x);
    size_t bi = 0, bj = 0;
    int bsign = 0;
    for (size_t i = 0; i < basis->n_circles; i++)
        for (size_t j = 0; j < basis->n_circles; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                if (i == j || !occurs(ring, x, &basis->circles[i]) || !occurs(ring, x, &basis->circles[j]))
                    continue;
                compose(ring, y, x, i, j, sign);
                if (terms_in(ring, y) < fewest) {
                    fewest = terms_in(ring, y), bi = i, bj = j, bsign = sign;
                    fmpz_mpoly_q_swap(best, y, ring->ctx);
                }
            }
    if (bsign) {
        fmpz_mpoly_q_swap(x, best, ring->ctx);
        rename_circle(ring, bj, combine(ring, basis->circles[bj].e, basis->circles[bi].e, bsign));
        if (bsign > 0 && bi < bj) /* a_i - a_j rather than a_j - a_i */
            turn_back(ring, x, bj);
    }
    *changed = bj;
    fmpz_mpoly_q_clear(y, ring->ctx), fmpz_mpoly_q_clear(best, ring->ctx);
    return bsign != 0;
}

enum { MOST_TERMS_COMBINED = 150, MOST_ANGLES_COMBINED = 6 };

static nh_expr with_combined_angles(nh_ring *ring, const fmpz_mpoly_q_t x, nh_expr best)
{
    nh_basis *basis = ring->basis;
    size_t angles = 0, n = basis->n_circles;
    for (size_t i = 0; i < n; i++)
        angles += occurs(ring, x, &basis->circles[i]);
    if (angles < 2 || angles > MOST_ANGLES_COMBINED || terms_in(ring, x) < 3 || terms_in(ring, x) > MOST_TERMS_COMBINED)
        return best;
    nh_expr *before = flint_malloc(n * sizeof *before);
    for (size_t i = 0; i < n; i++)
        before[i] = basis->circles[i].e;
    fmpz_mpoly_q_t y;
    fmpz_mpoly_q_init(y, ring->ctx);
    fmpz_mpoly_q_set(y, x, ring->ctx);
    for (size_t j; combine_best_pair(ring, y, &j);) {
        best = shorter(ring, best, fraction(ring, y));
        turn_back(ring, y, j);
        best = shorter(ring, best, fraction(ring, y));
        turn_back(ring, y, j);
    }
    for (size_t i = 0; i < n; i++)
        if (basis->circles[i].e != before[i])
            rename_circle(ring, i, before[i]);
    fmpz_mpoly_q_clear(y, ring->ctx);
    flint_free(before);
    return best;
}

/* Long sums are neither collected nor factored, and each term has a sign and one word at least. */
bool nh_form_is_longer(nh_ring *ring, const fmpz_mpoly_q_t x, double length)
{
    slong terms = fmpz_mpoly_length(fmpz_mpoly_q_numref(x), ring->ctx);
    return terms > LONG_SUM && terms > LONGEST_FACTORED && 2 * (double)terms - 1 > length;
}

nh_expr nh_form_expr(nh_ring *ring, const fmpz_mpoly_q_t x)
{
    nh_expr best = fraction(ring, x);
    if (!fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(x), ring->ctx) && terms_in(ring, x) <= MOST_TERMS_COMBINED)
        best = with_half_angles(ring, x, best);
    return with_combined_angles(ring, x, best);
}
