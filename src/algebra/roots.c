/* Roots and absolute values: generators with k^q = u. */
#include "algebra/ring.h"

void nh_ring_relate(nh_ring *ring, slong g, slong q, const fmpz_mpoly_t u)
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

/* A generator k with k >= 0 and k^q = u, made earlier; -1: none. */
static slong known_root(nh_ring *ring, slong q, const fmpz_mpoly_t u)
{
    slong found = -1;
    fmpz_mpoly_t relation;
    fmpz_mpoly_init(relation, ring->ctx);
    for (slong i = 0; i < ring->n && found < 0; i++) {
        const nh_generator *g = &ring->basis->generators[i];
        bool root = g->kind == NH_GENERATOR_ROOT || g->kind == NH_GENERATOR_ABS;
        if (!ring->ideal[i] || !root || g->q != q || g->sign <= 0)
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

/* The relations of |x| for symbols x, if there are such generators: k^2 = x^2. */
static void make_absolutes(nh_ring *ring)
{
    fmpz_mpoly_t square;
    fmpz_mpoly_init(square, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_absolutes; i++) {
        slong g = (slong)ring->basis->absolutes[i];
        nh_expr symbol = nh_get(ring->basis->pool, ring->basis->generators[g].e).a;
        if (ring->ideal[g])
            continue;
        fmpz_mpoly_gen(square, (slong)ring->basis->generator_of[symbol] - 1, ring->ctx);
        fmpz_mpoly_mul(square, square, square, ring->ctx);
        nh_ring_relate(ring, g, 2, square);
    }
    fmpz_mpoly_clear(square, ring->ctx);
}

/* |f| as a generator made earlier; -1: none. */
static slong known_absolute(nh_ring *ring, const fmpz_mpoly_t f)
{
    fmpz_mpoly_t square;
    fmpz_mpoly_init(square, ring->ctx);
    nh_poly_mul(ring, square, f, f);
    slong g = known_root(ring, 2, square);
    fmpz_mpoly_clear(square, ring->ctx);
    return g;
}

static void multiply_power(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t base, slong e)
{
    fmpz_mpoly_t power;
    fmpz_mpoly_init(power, ring->ctx);
    fmpz_mpoly_pow_ui(power, base, (ulong)e, ring->ctx);
    fmpz_mpoly_mul(out, out, power, ring->ctx);
    fmpz_mpoly_clear(power, ring->ctx);
}

static void multiply_generator(nh_ring *ring, fmpz_mpoly_t out, slong g)
{
    fmpz_mpoly_t k;
    fmpz_mpoly_init(k, ring->ctx);
    fmpz_mpoly_gen(k, g, ring->ctx);
    fmpz_mpoly_mul(out, out, k, ring->ctx);
    fmpz_mpoly_clear(k, ring->ctx);
}

/* c = k^2 c', out = k out */
static void take_square_number(nh_ring *ring, fmpz_mpoly_t out, fmpz_t c)
{
    for (ulong k = 2; k < 1000; k++)
        while (fmpz_divisible_si(c, (slong)(k * k))) {
            fmpz_divexact_ui(c, c, k * k);
            fmpz_mpoly_scalar_mul_ui(out, out, k, ring->ctx);
        }
}

/* f^e = square^2 left: of f^(2 m) the root is f^m where f is positive or m is even, otherwise |f| f^(m - 1), where
 * |f| is there. */
static void take_square_factor(nh_ring *ring, fmpz_mpoly_t out, fmpz_mpoly_t left, const fmpz_mpoly_t f,
                               slong e)
{
    slong m = e / 2, absolute = -1;
    bool positive = nh_poly_is_positive(ring, f, false);
    if (!positive && m % 2)
        m--, absolute = known_absolute(ring, f);
    multiply_power(ring, out, f, m);
    if (absolute >= 0)
        multiply_generator(ring, out, absolute), m++;
    multiply_power(ring, left, f, e - 2 * m);
}

/* Splits p = out^2 * p': squares of numbers and of factors that are positive, or whose absolute values are there. */
static void take_squares(nh_ring *ring, fmpz_mpoly_t out, fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ring->ctx);
    fmpz_mpoly_t base, left;
    fmpz_mpoly_init(base, ring->ctx), fmpz_mpoly_init(left, ring->ctx);
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_one(out, ring->ctx);
    if (!fmpz_mpoly_is_zero(p, ring->ctx) && fmpz_mpoly_length(p, ring->ctx) < 200 &&
        fmpz_mpoly_factor_squarefree(f, p, ring->ctx)) {
        fmpz_mpoly_factor_get_constant_fmpz(c, f, ring->ctx);
        take_square_number(ring, out, c);
        fmpz_mpoly_set_fmpz(left, c, ring->ctx);
        for (slong i = 0; i < fmpz_mpoly_factor_length(f, ring->ctx); i++) {
            fmpz_mpoly_factor_get_base(base, f, i, ring->ctx);
            take_square_factor(ring, out, left, base, fmpz_mpoly_factor_get_exp_si(f, i, ring->ctx));
        }
        fmpz_mpoly_swap(p, left, ring->ctx);
        nh_poly_reduce(ring, p);
    }
    fmpz_clear(c);
    fmpz_mpoly_clear(base, ring->ctx), fmpz_mpoly_clear(left, ring->ctx);
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
            nh_ring_relate(ring, g, 2, v);
        fmpz_mpoly_gen(v, g, ring->ctx);
        fmpz_mpoly_mul(out, out, v, ring->ctx);
    }
    fmpz_mpoly_clear(v, ring->ctx), fmpz_mpoly_clear(rest, ring->ctx);
}

/* sqrt(N/D) with D > 0, N D = A^2 B v w ...: A k sqrt(v) sqrt(w) ... / D with k^2 = B. */
static void form_sqrt(nh_ring *ring, nh_q_t out, slong g, const nh_q_t x)
{
    fmpz_mpoly_t u, a;
    fmpz_mpoly_init(u, ring->ctx), fmpz_mpoly_init(a, ring->ctx);
    make_absolutes(ring);
    nh_poly_mul(ring, u, nh_q_numref(x), nh_q_denref(x));
    take_squares(ring, a, u);
    take_simple_roots(ring, a, u);
    if (fmpz_mpoly_is_one(u, ring->ctx) || fmpz_mpoly_is_zero(u, ring->ctx)) {
        fmpz_mpoly_mul(nh_q_numref(out), a, u, ring->ctx);
    } else {
        slong same = known_root(ring, 2, u);
        if (same < 0) {
            nh_ring_relate(ring, g, 2, u);
            nh_expr under = nh_poly_expr(ring, u);
            nh_job_pause(ring->job);
            ring->basis->generators[g].e = nh_call(ring->basis->pool, NH_FN_sqrt, under, NH_EXPR_NONE);
            nh_job_resume(ring->job);
        }
        fmpz_mpoly_gen(nh_q_numref(out), same < 0 ? g : same, ring->ctx);
        fmpz_mpoly_mul(nh_q_numref(out), nh_q_numref(out), a, ring->ctx);
    }
    fmpz_mpoly_set(nh_q_denref(out), nh_q_denref(x), ring->ctx);
    nh_form_cancel(ring, out);
    fmpz_mpoly_clear(u, ring->ctx), fmpz_mpoly_clear(a, ring->ctx);
}

/* The generator's own relation, k = D * root with k^q = N D^(q-1). */
static void make_root(nh_ring *ring, slong g, const nh_q_t x)
{
    nh_generator *generator = &ring->basis->generators[g];
    fmpz_mpoly_t u;
    fmpz_mpoly_init(u, ring->ctx);
    fmpz_mpoly_set(u, nh_q_numref(x), ring->ctx);
    for (int64_t k = 1; k < generator->q; k++)
        nh_poly_mul(ring, u, u, nh_q_denref(x));
    nh_ring_relate(ring, g, (slong)generator->q, u);
    if (!nh_poly_is_positive(ring, nh_q_denref(x), false))
        generator->sign = 0;
    nh_expr below = nh_poly_expr(ring, nh_q_denref(x));
    nh_job_pause(ring->job);
    generator->e = nh_mul(ring->basis->pool, below, generator->e);
    nh_job_resume(ring->job);
    fmpz_mpoly_clear(u, ring->ctx);
}

/* Any other root (N/D)^(p/q). */
static void form_root(nh_ring *ring, nh_q_t out, slong g, const nh_q_t x, int64_t p)
{
    if (!ring->ideal[g])
        make_root(ring, g, x);
    nh_q_t root, below;
    nh_q_init(root, ring->ctx), nh_q_init(below, ring->ctx);
    nh_q_gen(root, g, ring->ctx);
    fmpz_mpoly_set(nh_q_numref(below), nh_q_denref(x), ring->ctx);
    fmpz_mpoly_one(nh_q_denref(below), ring->ctx);
    nh_form_div(ring, root, root, below);
    nh_form_power(ring, out, root, p);
    nh_q_clear(root, ring->ctx), nh_q_clear(below, ring->ctx);
}

/* ---------------------------------------------------------------- absolute values */

/* |f|^e = out left with a positive out; left has the factors whose absolute values have no generator. */
static void take_absolute_factor(nh_ring *ring, fmpz_mpoly_t out, fmpz_mpoly_t left, fmpz_mpoly_t f, slong e)
{
    bool positive = nh_poly_is_positive(ring, f, false);
    if (!positive && e % 2) {
        fmpz_mpoly_neg(f, f, ring->ctx);
        positive = nh_poly_is_positive(ring, f, false);
        if (!positive)
            fmpz_mpoly_neg(f, f, ring->ctx);
    }
    slong absolute = positive || e % 2 == 0 ? -1 : known_absolute(ring, f);
    bool as_it_is = positive || e % 2 == 0;
    multiply_power(ring, out, f, as_it_is ? e : e - 1);
    if (absolute >= 0)
        multiply_generator(ring, out, absolute);
    else if (!as_it_is)
        fmpz_mpoly_mul(left, left, f, ring->ctx);
}

enum { LONGEST_ABSOLUTE = 60 };

/* |p| = out |left|: the same left for p and -p. */
static void take_absolute(nh_ring *ring, fmpz_mpoly_t out, fmpz_mpoly_t left, const fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ring->ctx);
    fmpz_mpoly_t base;
    fmpz_mpoly_init(base, ring->ctx);
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_one(out, ring->ctx);
    fmpz_mpoly_set(left, p, ring->ctx);
    if (fmpz_mpoly_length(p, ring->ctx) <= LONGEST_ABSOLUTE && fmpz_mpoly_factor(f, p, ring->ctx)) {
        fmpz_mpoly_one(left, ring->ctx);
        fmpz_mpoly_factor_sort(f, ring->ctx);
        fmpz_mpoly_factor_get_constant_fmpz(c, f, ring->ctx);
        fmpz_abs(c, c);
        fmpz_mpoly_set_fmpz(out, c, ring->ctx);
        for (slong i = 0; i < fmpz_mpoly_factor_length(f, ring->ctx); i++) {
            fmpz_mpoly_factor_get_base(base, f, i, ring->ctx);
            take_absolute_factor(ring, out, left, base, fmpz_mpoly_factor_get_exp_si(f, i, ring->ctx));
        }
    }
    fmpz_clear(c);
    fmpz_mpoly_clear(base, ring->ctx);
    fmpz_mpoly_factor_clear(f, ring->ctx);
}

/* |u| as a generator: one that there is, or g, which then is k^2 = u^2. */
static slong absolute_of(nh_ring *ring, slong g, const fmpz_mpoly_t u)
{
    slong known = known_absolute(ring, u);
    if (known >= 0 || ring->ideal[g])
        return known >= 0 ? known : g;
    fmpz_mpoly_t square;
    fmpz_mpoly_init(square, ring->ctx);
    nh_poly_mul(ring, square, u, u);
    nh_ring_relate(ring, g, 2, square);
    nh_expr under = nh_poly_expr(ring, u);
    nh_job_pause(ring->job);
    ring->basis->generators[g].e = nh_call(ring->basis->pool, NH_FN_abs, under, NH_EXPR_NONE);
    nh_job_resume(ring->job);
    fmpz_mpoly_clear(square, ring->ctx);
    return g;
}

/* |N/D| = |N D|/D^2, N D = A B with A positive: A k/D^2, k = |B|. */
static void form_absolute(nh_ring *ring, nh_q_t out, slong g, const nh_q_t x)
{
    fmpz_mpoly_t u, left;
    fmpz_mpoly_init(u, ring->ctx), fmpz_mpoly_init(left, ring->ctx);
    nh_q_t below;
    nh_q_init(below, ring->ctx);
    make_absolutes(ring);
    nh_poly_mul(ring, u, nh_q_numref(x), nh_q_denref(x));
    take_absolute(ring, nh_q_numref(out), left, u);
    fmpz_mpoly_one(nh_q_denref(out), ring->ctx);
    if (!fmpz_mpoly_is_one(left, ring->ctx))
        multiply_generator(ring, nh_q_numref(out), absolute_of(ring, g, left));
    nh_form_reduce(ring, out);
    nh_poly_mul(ring, nh_q_numref(below), nh_q_denref(x), nh_q_denref(x));
    fmpz_mpoly_one(nh_q_denref(below), ring->ctx);
    nh_form_div(ring, out, out, below);
    nh_q_clear(below, ring->ctx);
    fmpz_mpoly_clear(u, ring->ctx), fmpz_mpoly_clear(left, ring->ctx);
}

static bool form_is_positive(nh_ring *ring, const nh_q_t x)
{
    return nh_poly_is_positive(ring, nh_q_numref(x), false) &&
           nh_poly_is_positive(ring, nh_q_denref(x), false);
}

void nh_form_root(nh_ring *ring, nh_q_t out, nh_expr e, nh_node node)
{
    const nh_pool *pool = ring->basis->pool;
    slong g = (slong)ring->basis->generator_of[e] - 1;
    const nh_q_struct *x = nh_ring_form(ring, node.a);
    bool absolute = ring->basis->generators[g].kind == NH_GENERATOR_ABS;
    if (absolute && (form_is_positive(ring, x) || nh_form_is_zero(ring, x)))
        nh_q_set(out, x, ring->ctx);
    else if (absolute)
        form_absolute(ring, out, g, x);
    else if (node.kind == NH_CALL && nh_poly_is_positive(ring, nh_q_denref(x), true))
        form_sqrt(ring, out, g, x);
    else
        form_root(ring, out, g, x, node.kind == NH_POW ? pool->rationals[nh_get(pool, node.b).a].num : 1);
}
