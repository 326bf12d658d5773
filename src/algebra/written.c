/* Polynomials and fractions as a person would write them: expanded, collected or factored, whichever is shortest. */
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

nh_expr nh_shorter(nh_ring *ring, nh_expr a, nh_expr b)
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
        return ring->basis->pool->places[node.a] == NH_PLACED_FIRST ? 0
                                                                    : 2 + ring->basis->pool->places[node.a];
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

nh_expr nh_poly_number(nh_ring *ring, const fmpz_mpoly_t p, slong i)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
    nh_expr e = number_expr(ring, c);
    fmpz_clear(c);
    return e;
}

/* So that the same factors or terms always make the same expression. */
static void sort_exprs(const nh_pool *pool, nh_expr *e, size_t n)
{
    nh_expr *room = flint_malloc((n + 1) * sizeof *room);
    nh_sort(pool, e, room, n);
    flint_free(room);
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
    fmpz_mpoly_get_term_exp_ui(exponents, p, i, ring->ctx);
    return multiply(ring, nh_poly_number(ring, p, i), monomial_expr(ring, exponents));
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

/* p = g^e q + r, e being the lowest power of g in the terms that have one. */
static void split(nh_ring *ring, const fmpz_mpoly_t p, slong g, ulong e, fmpz_mpoly_t q, fmpz_mpoly_t r)
{
    fmpz_mpoly_t power;
    fmpz_mpoly_init(power, ring->ctx);
    fmpz_mpoly_gen(power, g, ring->ctx);
    fmpz_mpoly_pow_ui(power, power, e, ring->ctx);
    fmpz_mpoly_divrem(q, r, p, power, ring->ctx);
    fmpz_mpoly_clear(power, ring->ctx);
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

static void number_content(nh_ring *ring, const fmpz_mpoly_t p, fmpz_t content)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_zero(content);
    for (slong i = 0; i < fmpz_mpoly_length(p, ring->ctx) && !fmpz_is_one(content); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
        fmpz_gcd(content, content, c);
    }
    fmpz_clear(c);
}

/* What stands in parentheses begins without a minus, and has no number in common: -2*(a + b), not (-2*a - 2*b). */
static nh_expr in_parentheses(nh_ring *ring, const fmpz_mpoly_t p)
{
    fmpz_t content;
    fmpz_init(content);
    number_content(ring, p, content);
    if (all_negative(ring, p))
        fmpz_neg(content, content);
    fmpz_mpoly_t rest;
    fmpz_mpoly_init(rest, ring->ctx);
    fmpz_mpoly_scalar_divexact_fmpz(rest, p, content, ring->ctx);
    nh_expr e = multiply(ring, number_expr(ring, content), collected(ring, rest));
    fmpz_mpoly_clear(rest, ring->ctx);
    fmpz_clear(content);
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
    nh_expr product =
        multiply(ring, to_power(ring, ring->basis->generators[g].e, (int64_t)e), in_parentheses(ring, q));
    nh_expr sum = fmpz_mpoly_is_zero(r, ring->ctx) ? product : add(ring, product, collected(ring, r));
    fmpz_mpoly_clear(q, ring->ctx), fmpz_mpoly_clear(r, ring->ctx);
    return sum;
}

static nh_expr written(nh_ring *ring, const fmpz_mpoly_t p)
{
    nh_expr plain = expanded(ring, p);
    slong length = fmpz_mpoly_length(p, ring->ctx);
    return length < 2 || length > LONG_SUM ? plain : nh_shorter(ring, collected(ring, p), plain);
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

/* The product of the factors, or NH_EXPR_NONE; a minus in front goes into a sum that has one itself. */
static nh_expr factored(nh_ring *ring, const fmpz_mpoly_t p)
{
    nh_expr product = NH_EXPR_NONE;
    slong length = fmpz_mpoly_length(p, ring->ctx);
    if (length < 2 || length > LONGEST_FACTORED)
        return product;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ring->ctx);
    if (nh_poly_factor(ring, f, p)) {
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
            if (fmpz_sgn(c) < 0 && e % 2 && fmpz_mpoly_length(base, ring->ctx) > 1 &&
                has_negative_term(ring, base)) {
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

static nh_expr write_poly(nh_ring *ring, const fmpz_mpoly_t given)
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
        best = nh_shorter(ring, best, product);
    if (nh_poly_pair_squares(ring, p))
        best = nh_shorter(ring, best, written(ring, p));
    fmpz_mpoly_clear(p, ring->ctx);
    return best;
}

enum { KNOWN = 32 };

/* What was written, in the names that the angles had then. */
typedef struct nh_known {
    fmpz_mpoly_t p;
    uint64_t names;
    nh_expr e;
} nh_known;

static uint64_t names_of_angles(const nh_ring *ring)
{
    uint64_t names = 0;
    for (size_t i = 0; i < ring->basis->n_circles; i++)
        names = nh_hash(names ^ ring->basis->circles[i].e);
    return names;
}

nh_expr nh_poly_expr(nh_ring *ring, const fmpz_mpoly_t p)
{
    uint64_t names = names_of_angles(ring);
    if (!ring->known)
        ring->known = flint_calloc(KNOWN, sizeof *ring->known);
    for (size_t k = 0; k < KNOWN && k < ring->n_known; k++)
        if (ring->known[k].names == names && fmpz_mpoly_equal(ring->known[k].p, p, ring->ctx))
            return ring->known[k].e;
    nh_expr e = write_poly(ring, p);
    nh_known *place = &ring->known[ring->n_known % KNOWN];
    if (ring->n_known++ < KNOWN)
        fmpz_mpoly_init(place->p, ring->ctx);
    fmpz_mpoly_set(place->p, p, ring->ctx);
    place->names = names, place->e = e;
    return e;
}

/* The factors of above and below; returns how many. */
static size_t all_factors(nh_ring *ring, nh_expr above, nh_expr below, nh_factor **factors, nh_expr *number)
{
    nh_pool *pool = ring->basis->pool;
    nh_product a = nh_product_of(pool, ring->basis->arena, above),
               b = nh_product_of(pool, ring->basis->arena, below);
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
            bool same = j > i && factors[j].base == factors[i].base,
                 under = root && factors[j].base == node.a;
            if ((!same && !under) || !factors[j].exponent || !factors[i].exponent)
                continue;
            factors[i].exponent += (under ? 2 : 1) * factors[j].exponent, factors[j].exponent = 0;
            any = true;
        }
    }
    return any;
}

/* The whole number m of a power x^m that factor is the root of; 0: it is none. */
static int64_t power_under_root(const nh_pool *pool, nh_expr factor, nh_expr *base)
{
    nh_node node = nh_get(pool, factor), under = nh_get(pool, node.a);
    nh_rational m = {0};
    if (node.kind != NH_CALL || node.function != NH_FN_sqrt || under.kind != NH_POW ||
        !nh_is_number(pool, under.b, &m) || !nh_rational_is_int(m) || m.big || m.num < 2)
        return 0;
    *base = under.a;
    return m.num;
}

/* x^3/sqrt(x^2) = x sqrt(x^2), which has a value at x = 0, too; false: there is no such pair. */
static bool gather_powers(const nh_pool *pool, nh_factor *factors, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        nh_expr base = NH_EXPR_NONE;
        int64_t m = factors[i].exponent < 0 ? power_under_root(pool, factors[i].base, &base) : 0;
        for (size_t j = 0; j < n && m; j++)
            while (factors[j].base == base && factors[j].exponent >= m && factors[i].exponent < 0) {
                factors[i].exponent += 2, factors[j].exponent -= m;
                any = true;
            }
    }
    return any;
}

/* sin(a)^p/cos(a)^q: tan(a) as often as both are there; false: there is no such pair. */
static bool gather_tangents(nh_pool *pool, nh_factor *factors, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            nh_node s = nh_get(pool, factors[i].base), c = nh_get(pool, factors[j].base);
            bool pair = s.kind == NH_CALL && c.kind == NH_CALL && s.function == NH_FN_sin &&
                        c.function == NH_FN_cos && s.a == c.a;
            if (!pair || factors[i].exponent != -factors[j].exponent || factors[i].exponent <= 0)
                continue;
            factors[i].base = nh_call(pool, NH_FN_tan, s.a, NH_EXPR_NONE), factors[j].exponent = 0;
            any = true;
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
    bool gathered = gather_factors(pool, factors, n);
    gathered = gather_powers(pool, factors, n) || gathered;
    if (gather_tangents(pool, factors, n) || gathered)
        for (size_t i = 0; i < n; i++)
            e = nh_mul(pool, e, nh_power(pool, factors[i].base, factors[i].exponent));
    else
        e = nh_div(pool, above, below);
    nh_job_resume(ring->job);
    return e;
}

/* Nothing but minus signs below go above. */
nh_expr nh_fraction_expr(nh_ring *ring, const nh_q_t x)
{
    fmpz_mpoly_t above, below;
    fmpz_mpoly_init(above, ring->ctx), fmpz_mpoly_init(below, ring->ctx);
    fmpz_mpoly_set(above, nh_q_numref(x), ring->ctx);
    fmpz_mpoly_set(below, nh_q_denref(x), ring->ctx);
    nh_poly_fewest_terms(ring, below);
    if (all_negative(ring, below))
        fmpz_mpoly_neg(above, above, ring->ctx), fmpz_mpoly_neg(below, below, ring->ctx);
    nh_expr e = quotient(ring, nh_poly_expr(ring, above), nh_poly_expr(ring, below));
    fmpz_mpoly_clear(above, ring->ctx), fmpz_mpoly_clear(below, ring->ctx);
    return e;
}

/* Long sums are neither collected nor factored, and each term has a sign and one word at least. */
bool nh_form_is_longer(nh_ring *ring, const nh_q_t x, double length)
{
    slong terms = fmpz_mpoly_length(nh_q_numref(x), ring->ctx);
    return terms > LONG_SUM && terms > LONGEST_FACTORED && 2 * (double)terms - 1 > length;
}
