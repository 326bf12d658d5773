/* How many terms would it have, written as one fraction of two expanded polynomials? Bounds, found in one sweep before anything
 * is tried: nothing is known of what cancels. */
#include "derive/inner.h"

#include <math.h>

enum { MOST_FACTORS = 8 };

/* The terms of the numerator, and the factors of the denominator that have more than one term, with their exponents. */
typedef struct size {
    double above;
    struct {
        nh_expr base;
        double terms, exponent;
    } factor[MOST_FACTORS];
    size_t count;
} size;

/* (x_1 + ... + x_a)^n has C(a + n - 1, n) terms. */
static double power_terms(double a, double n)
{
    double count = 1;
    if (a <= 1 || n <= 0)
        return 1;
    for (double k = 1; k <= n && count < 1e300; k++)
        count = count * (a + k - 1) / k;
    return count;
}

static size too_large(void) { return (size){.above = INFINITY}; }

static double exponent_of(const size *a, nh_expr base)
{
    for (size_t k = 0; k < a->count; k++)
        if (a->factor[k].base == base)
            return a->factor[k].exponent;
    return 0;
}

static void set_exponent(size *a, nh_expr base, double terms, double exponent)
{
    for (size_t k = 0; k < a->count; k++)
        if (a->factor[k].base == base) {
            a->factor[k].exponent = exponent;
            return;
        }
    if (a->count == MOST_FACTORS) {
        a->above = INFINITY;
        return;
    }
    a->factor[a->count].base = base, a->factor[a->count].terms = terms,
    a->factor[a->count++].exponent = exponent;
}

/* What a numerator is multiplied by to get from the denominator `from` to `to`. */
static double missing_terms(const size *from, const size *to)
{
    double terms = 1;
    for (size_t k = 0; k < to->count; k++) {
        double more = to->factor[k].exponent - exponent_of(from, to->factor[k].base);
        terms *= power_terms(to->factor[k].terms, more);
    }
    return terms;
}

static size sum(const size *a, const size *b)
{
    size out = *a;
    for (size_t k = 0; k < b->count; k++)
        if (b->factor[k].exponent > exponent_of(a, b->factor[k].base))
            set_exponent(&out, b->factor[k].base, b->factor[k].terms, b->factor[k].exponent);
    out.above = out.above < INFINITY ? a->above * missing_terms(a, &out) + b->above * missing_terms(b, &out)
                                     : INFINITY;
    return out;
}

static size product(const size *a, const size *b)
{
    size out = *a;
    out.above *= b->above;
    for (size_t k = 0; k < b->count; k++)
        set_exponent(&out, b->factor[k].base, b->factor[k].terms,
                     b->factor[k].exponent + exponent_of(a, b->factor[k].base));
    return out;
}

/* 1/(N/D)^n = D^n/N^n: D is multiplied out, N is a new factor. */
static size power(const size *a, double n, nh_expr base)
{
    size out = *a, none = {.above = 1};
    if (n < 0) {
        none.above = power_terms(missing_terms(&none, a), -n);
        if (a->above > 1)
            set_exponent(&none, base, a->above, -n);
        return none;
    }
    out.above = power_terms(a->above, n);
    for (size_t k = 0; k < out.count; k++)
        out.factor[k].exponent *= n;
    return out;
}

/* A sine of many angles is a sum of products of the sines and cosines of each, unless their sum is taken as one angle. */
static double call_terms(const nh_pool *pool, nh_expr argument)
{
    double angles = 1;
    for (nh_node node = nh_get(pool, argument); node.kind == NH_ADD; angles++) {
        bool left =
            nh_get(pool, node.a).kind == NH_ADD; /* sums of sums are counted along one side: good enough */
        node = nh_get(pool, left ? node.a : node.b);
    }
    return angles > 8 ? exp2(angles - 8) : 1;
}

/* Sizes of the nodes of a walk, by their places in it. */
typedef struct sizes {
    const nh_pool *pool;
    size *at;
    uint32_t *place; /* by handle */
} sizes;

static size node_size(const sizes *s, nh_expr e)
{
    nh_node node = nh_get(s->pool, e);
    nh_rational n;
    switch (node.kind) {
    case NH_ADD: return sum(&s->at[s->place[node.a]], &s->at[s->place[node.b]]);
    case NH_MUL: return product(&s->at[s->place[node.a]], &s->at[s->place[node.b]]);
    case NH_POW:
        if (nh_is_number(s->pool, node.b, &n) && nh_rational_is_int(n))
            return power(&s->at[s->place[node.a]], nh_rational_to_double(n), node.a);
        return (size){.above = 1};
    case NH_CALL: return (size){.above = call_terms(s->pool, node.a)};
    case NH_COMPONENT:
    case NH_SOLVE:
    case NH_MATRIX: return too_large();
    default: return (size){.above = 1};
    }
}

void nh_predict_terms(nh_equations *eq, const nh_expr *e, size_t count, double *terms)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(&eq->pool, scratch, e, count);
    size_t handles = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    sizes s = {&eq->pool, nh_arena_array(scratch, walk.count + 1, sizeof *s.at),
               nh_arena_array(scratch, handles, sizeof *s.place)};
    for (size_t i = 0; i < walk.count; i++) {
        s.place[walk.nodes[i]] = (uint32_t)i;
        s.at[i] = node_size(&s, walk.nodes[i]);
    }
    for (size_t i = 0; i < count; i++) {
        const size *found = &s.at[s.place[e[i]]];
        terms[i] = found->above + missing_terms(&(size){.above = 1}, found);
    }
    nh_arena_release(scratch, mark);
}

/* The permanent of the term counts bounds the terms of the determinant; by rows, with the columns used as a set. */
enum { LARGEST_PERMANENT = 10 };

double nh_predict_determinant(nh_equations *eq, size_t n, const nh_expr *M)
{
    double terms[LARGEST_PERMANENT * LARGEST_PERMANENT], partial[1 << LARGEST_PERMANENT] = {1};
    if (n > LARGEST_PERMANENT)
        return INFINITY;
    nh_predict_terms(eq, M, n * n, terms);
    for (size_t k = 0; k < n * n; k++)
        terms[k] = M[k] == eq->pool.zero ? 0 : terms[k] - 1;
    for (unsigned used = 1; used < 1u << n; used++) {
        size_t row = (size_t)__builtin_popcount(used) - 1;
        partial[used] = 0;
        for (size_t j = 0; j < n; j++)
            if (used >> j & 1)
                partial[used] += partial[used & ~(1u << j)] * terms[row * n + j];
    }
    return partial[(1u << n) - 1];
}
