#include "algebra/ring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- polynomials */

bool nh_product_fits(const nh_ring *ring, slong a, slong b)
{
    return a < 2 || b < 2 || (double)a * (double)b <= 40.0 * (double)ring->max_terms;
}

void nh_check_product(nh_ring *ring, slong a, slong b)
{
    if (!nh_product_fits(ring, a, b))
        nh_job_give_up(ring->job, "a product would have too many terms");
}

void nh_check_length(nh_ring *ring, const fmpz_mpoly_t p)
{
    size_t terms = (size_t)fmpz_mpoly_length(p, ring->ctx);
    ring->most_terms = terms > ring->most_terms ? terms : ring->most_terms;
    if (terms > ring->max_terms)
        nh_job_give_up(ring->job, "a polynomial has too many terms");
}

enum { LOW_POWER = 4 };

/* The relations of generators whose powers in p are too high; returns how many. *low: they are sines, and not much too high. */
static slong relations_for(nh_ring *ring, const fmpz_mpoly_t p, fmpz_mpoly_struct **relations, bool *low)
{
    slong count = 0;
    *low = true;
    if (ring->n_relations == 0 || fmpz_mpoly_is_zero(p, ring->ctx))
        return 0;
    if (!fmpz_mpoly_degrees_fit_si(p, ring->ctx))
        nh_job_give_up(ring->job, "an exponent is too large");
    slong *degrees = flint_malloc((size_t)ring->n * sizeof *degrees);
    fmpz_mpoly_degrees_si(degrees, p, ring->ctx);
    for (slong i = 0; i < ring->n; i++)
        if (ring->bound[i] && degrees[i] >= ring->bound[i]) {
            nh_generator_kind kind = ring->basis->generators[i].kind;
            *low = *low && (kind == NH_GENERATOR_SIN || kind == NH_GENERATOR_SINH) && degrees[i] <= LOW_POWER;
            relations[count++] = ring->ideal[i];
        }
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

/* p = q s^2 + r: p := q (1 - c^2) + r, or q (ch^2 - 1) + r. Faster than the division by the relation where the powers are
 * low, as they are in products of reduced forms. */
static void replace_square(nh_ring *ring, fmpz_mpoly_t p, const nh_circle *c)
{
    fmpz_mpoly_t q, r, square;
    fmpz_mpoly_init(q, ring->ctx), fmpz_mpoly_init(r, ring->ctx), fmpz_mpoly_init(square, ring->ctx);
    fmpz_mpoly_gen(square, (slong)c->sine, ring->ctx);
    fmpz_mpoly_mul(square, square, square, ring->ctx);
    fmpz_mpoly_divrem(q, r, p, square, ring->ctx);
    fmpz_mpoly_gen(square, (slong)c->cosine, ring->ctx);
    fmpz_mpoly_mul(square, square, square, ring->ctx);
    fmpz_mpoly_mul(square, q, square, ring->ctx);
    fmpz_mpoly_sub(q, q, square, ring->ctx);
    if (c->hyperbolic)
        fmpz_mpoly_sub(p, r, q, ring->ctx);
    else
        fmpz_mpoly_add(p, r, q, ring->ctx);
    fmpz_mpoly_clear(q, ring->ctx), fmpz_mpoly_clear(r, ring->ctx), fmpz_mpoly_clear(square, ring->ctx);
}

static void replace_squares(nh_ring *ring, fmpz_mpoly_t p)
{
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        const nh_circle *c = &ring->basis->circles[i];
        if (ring->bound[c->sine] && fmpz_mpoly_degree_si(p, (slong)c->sine, ring->ctx) > 1)
            replace_square(ring, p, c);
    }
}

/* What stands under a root may need to be reduced again. */
bool nh_poly_reduce(nh_ring *ring, fmpz_mpoly_t p)
{
    bool reduced = false;
    fmpz_mpoly_struct **relations = flint_malloc((size_t)(ring->n_relations + 1) * sizeof *relations);
    bool low;
    for (slong count; (count = relations_for(ring, p, relations, &low)) > 0; reduced = true) {
        if (low)
            replace_squares(ring, p);
        else
            divide_out(ring, p, relations, count);
        nh_check_length(ring, p);
    }
    flint_free(relations);
    return reduced;
}

void nh_poly_mul(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    nh_check_product(ring, fmpz_mpoly_length(a, ring->ctx), fmpz_mpoly_length(b, ring->ctx));
    fmpz_mpoly_mul(out, a, b, ring->ctx);
    nh_poly_reduce(ring, out);
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

static void make_form(nh_ring *ring, size_t top);

enum { NOT_MADE, GIVEN_UP, MADE };

nh_q_struct *nh_ring_form(nh_ring *ring, nh_expr e)
{
    size_t position = position_of(ring, e);
    if (ring->states[position] != MADE)
        make_form(ring, position);
    return &ring->forms[position];
}

static void set_rational(nh_ring *ring, nh_q_t out, nh_rational value)
{
    fmpq_t x;
    fmpq_init(x);
    if (value.big)
        fmpq_set_mpq(x, value.big);
    else
        fmpq_set_si(x, value.num, (ulong)value.den);
    nh_q_set_fmpq(out, x, ring->ctx);
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
    fmpz_mpoly_set(x, nh_q_numref(nh_ring_form(ring, ring->basis->root2)), ring->ctx);
    fmpz_mpoly_set(y, nh_q_numref(nh_ring_form(ring, ring->basis->root3)), ring->ctx);
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
    int angles = 0; /* the sine of a sum of n angles has 2^(n-1) terms */
    for (size_t i = 0; i < ring->basis->n_circles; i++)
        angles += turns->times[i] != 0;
    if (ldexp(1, angles - 1) > (double)ring->max_terms)
        nh_job_give_up(ring->job, "a sum of angles is too long");
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
static void form_exp(nh_ring *ring, nh_q_t out, const nh_turns *turns)
{
    nh_q_t unit, other, power;
    nh_q_init(unit, ring->ctx), nh_q_init(other, ring->ctx), nh_q_init(power, ring->ctx);
    nh_q_one(out, ring->ctx);
    for (size_t i = 0; i < ring->basis->n_circles; i++) {
        const nh_circle *c = &ring->basis->circles[i];
        if (!turns->times[i])
            continue;
        int64_t times = turns->times[i];
        nh_q_gen(unit, (slong)c->sine, ring->ctx);
        if (c->pair) { /* exp(x) = cosh + sinh, exp(-x) = cosh - sinh */
            if (times < 0)
                nh_q_neg(unit, unit, ring->ctx);
            nh_q_gen(other, (slong)c->cosine, ring->ctx);
            nh_form_add(ring, unit, unit, other);
            times = llabs(times);
        }
        nh_form_power(ring, power, unit, times);
        nh_form_mul(ring, out, out, power);
    }
    nh_q_clear(unit, ring->ctx), nh_q_clear(other, ring->ctx), nh_q_clear(power, ring->ctx);
}

static void form_circular(nh_ring *ring, nh_q_t out, nh_node node, bool hyperbolic)
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
    nh_q_t below;
    nh_q_init(below, ring->ctx);
    fmpz_mpoly_set(nh_q_numref(out), sine || tangent ? p.s : p.c, ring->ctx);
    fmpz_mpoly_one(nh_q_denref(out), ring->ctx);
    nh_q_set_si(below, scale, ring->ctx);
    if (tangent)
        fmpz_mpoly_set(nh_q_numref(below), p.c, ring->ctx);
    nh_form_div(ring, out, out, below);
    nh_q_clear(below, ring->ctx);
    pair_clear(ring, &p);
}

/* ---------------------------------------------------------------- all nodes */

static void form_of(nh_ring *ring, nh_q_t out, nh_expr e)
{
    const nh_pool *pool = ring->basis->pool;
    nh_node node = nh_get(pool, e);
    uint32_t own = ring->basis->generator_of[e];
    nh_generator_kind kind = own ? ring->basis->generators[own - 1].kind : NH_GENERATOR_SYMBOL;
    if (own && (kind == NH_GENERATOR_ROOT || kind == NH_GENERATOR_ABS))
        nh_form_root(ring, out, e, node);
    else if (own)
        nh_q_gen(out, (slong)own - 1, ring->ctx);
    else if (node.kind == NH_NUMBER)
        set_rational(ring, out, pool->rationals[node.a]);
    else if (node.kind == NH_ADD)
        nh_form_add(ring, out, nh_ring_form(ring, node.a), nh_ring_form(ring, node.b));
    else if (node.kind == NH_MUL)
        nh_form_mul(ring, out, nh_ring_form(ring, node.a), nh_ring_form(ring, node.b));
    else if (node.kind == NH_POW)
        nh_form_power(ring, out, nh_ring_form(ring, node.a), pool->rationals[nh_get(pool, node.b).a].num);
    else
        form_circular(ring, out, node,
                      node.function == NH_FN_exp || node.function == NH_FN_sinh ||
                          node.function == NH_FN_cosh || node.function == NH_FN_tanh);
}

/* The nodes that a node's form is made of, and that are not made yet. */
static void find_needed(nh_ring *ring, size_t top)
{
    const nh_basis *basis = ring->basis;
    memset(ring->needed, 0, basis->walk.count);
    ring->needed[top] = 1;
    for (size_t i = top + 1; i-- > 0;) {
        nh_expr parts[2];
        if (!ring->needed[i])
            continue;
        for (int k = nh_basis_parts(basis->pool, nh_get(basis->pool, basis->walk.nodes[i]), parts);
             k-- > 0;) {
            size_t position = position_of(ring, parts[k]);
            ring->needed[position] = ring->states[position] != MADE;
        }
    }
}

static void make_form(nh_ring *ring, size_t top)
{
    find_needed(ring, top);
    for (size_t i = 0; i <= top; i++) {
        if (!ring->needed[i])
            continue;
        if (ring->states[i] == GIVEN_UP)
            nh_job_give_up(ring->job, ring->job->part_reason);
        ring->states[i] = GIVEN_UP; /* unless it goes well */
        form_of(ring, &ring->forms[i], ring->basis->walk.nodes[i]);
        ring->states[i] = MADE;
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
    nh_ring_relate(ring, (slong)c->sine, 2, u);
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
    ring->states = flint_calloc(basis->walk.count + 1, 1);
    ring->needed = flint_calloc(basis->walk.count + 1, 1);
    for (size_t i = 0; i < basis->walk.count; i++)
        nh_q_init(&ring->forms[i], ring->ctx);
    if (basis->root2) /* before all others: the known turns are made of them */
        nh_ring_form(ring, basis->root2), nh_ring_form(ring, basis->root3);
}
