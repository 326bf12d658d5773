/* Forms for evaluation. Fractions of polynomials in what changes, whose coefficients are made of constants; each polynomial nested,
 *     p = x^e q + r,
 * x being what occurs in most of its terms, e its lowest power there, and q, r nested likewise: Horner's scheme in many
 * variables. What depends on constants alone costs nothing where they are known beforehand. */
#include "algebra/draft.h"
#include "algebra/work.h"

#include <string.h>

/* coefficient * product of generators */
typedef struct term {
    nh_expr coefficient;
    ulong *powers; /* by generator; 0 for constant ones */
} term;

typedef struct polynomial {
    term *terms;
    size_t count;
} polynomial;

typedef struct nesting {
    const nh_expr *in;
    size_t count;
    const bool *constant;      /* by symbol */
    polynomial *above, *below; /* by expression, twice: see both_ways */
    nh_expr *generators;
    size_t n_generators;
    nh_arena *arena;
} nesting;

/* ---------------------------------------------------------------- from normal forms to terms */

static bool is_constant(nh_ring *ring, const nesting *n, nh_expr e)
{
    const nh_pool *pool = ring->basis->pool;
    bool *depends = nh_arena_array(n->arena, pool->n_symbols + 1, sizeof *depends), constant = true;
    memset(depends, 0, (pool->n_symbols + 1) * sizeof *depends);
    nh_find_symbols(pool, n->arena, &e, 1, depends);
    for (size_t i = 0; i < pool->n_symbols; i++)
        constant = constant && (!depends[i] || n->constant[i]);
    return constant;
}

static bool same_powers(const term *s, const term *t, size_t n)
{
    return memcmp(s->powers, t->powers, n * sizeof *s->powers) == 0;
}

/* Terms that differ by constants become one. They mostly stand side by side: parameters are the last generators. */
static void collect(nh_pool *pool, polynomial *p, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t k = left;
        while (k > 0 && !same_powers(&p->terms[k - 1], &p->terms[i], n))
            k--;
        if (k > 0)
            p->terms[k - 1].coefficient = nh_add(pool, p->terms[k - 1].coefficient, p->terms[i].coefficient);
        else
            p->terms[left++] = p->terms[i];
    }
    p->count = left;
}

/* The number of the i-th term, times its constant generators, which are taken out of the powers. */
static nh_expr coefficient(nh_ring *ring, const fmpz_mpoly_t p, slong i, const bool *constant, ulong *powers)
{
    nh_pool *pool = ring->basis->pool;
    nh_expr e = nh_poly_number(ring, p, i);
    nh_job_pause(ring->job);
    for (slong k = ring->n; k-- > 0;)
        if (constant[k] && powers[k]) {
            e = nh_mul(pool, nh_power(pool, ring->basis->generators[k].e, (int64_t)powers[k]), e);
            powers[k] = 0;
        }
    nh_job_resume(ring->job);
    return e;
}

static polynomial terms_of(nh_ring *ring, nesting *n, const fmpz_mpoly_t p, const bool *constant)
{
    size_t count = (size_t)fmpz_mpoly_length(p, ring->ctx), width = (size_t)ring->n + 1;
    nh_check_length(ring, p);
    for (slong i = 0; i < (slong)count; i++)
        if (!fmpz_mpoly_term_exp_fits_ui(p, i, ring->ctx))
            nh_job_give_up(ring->job, "its powers are too high");
    nh_job_pause(ring->job);
    polynomial out = {nh_arena_array(n->arena, count + 1, sizeof *out.terms), count};
    ulong *powers = nh_arena_array(n->arena, (count + 1) * width, sizeof *powers);
    nh_job_resume(ring->job);
    for (size_t i = 0; i < count; i++) {
        out.terms[i].powers = powers + i * width;
        fmpz_mpoly_get_term_exp_ui(out.terms[i].powers, p, (slong)i, ring->ctx);
        out.terms[i].coefficient = coefficient(ring, p, (slong)i, constant, out.terms[i].powers);
    }
    nh_job_pause(ring->job);
    collect(ring->basis->pool, &out, (size_t)ring->n);
    nh_job_resume(ring->job);
    return out;
}

/* The two ways to write squares of sines and cosines: in fewest terms, and then in pairs, a c^2 + b s^2, which has a digit more near
 * s = 0 or c = 0 than a + (b - a) s^2. */
static void both_ways(nh_ring *ring, nesting *n, const fmpz_mpoly_t p, const bool *constant,
                      polynomial out[2])
{
    fmpz_mpoly_t written;
    fmpz_mpoly_init(written, ring->ctx);
    fmpz_mpoly_set(written, p, ring->ctx);
    nh_poly_fewest_terms(ring, written);
    out[0] = terms_of(ring, n, written, constant);
    nh_poly_pair_squares(ring, written);
    out[1] = terms_of(ring, n, written, constant);
    fmpz_mpoly_clear(written, ring->ctx);
}

/* How a root is written is known when its form is made, and not before: sqrt(1 - s^2/9) is sqrt(9 - s^2) there. */
static bool *find_generators(nh_ring *ring, nesting *n)
{
    for (size_t i = 0; i < n->count; i++)
        nh_ring_form(ring, n->in[i]);
    nh_job_pause(ring->job);
    bool *constant = nh_arena_array(n->arena, (size_t)ring->n + 1, sizeof *constant);
    n->n_generators = (size_t)ring->n;
    n->generators = nh_arena_array(n->arena, n->n_generators + 1, sizeof *n->generators);
    for (size_t k = 0; k < n->n_generators; k++) {
        n->generators[k] = ring->basis->generators[k].e;
        constant[k] = is_constant(ring, n, n->generators[k]);
    }
    nh_job_resume(ring->job);
    return constant;
}

static void find_terms(nh_ring *ring, void *arg)
{
    nesting *n = arg;
    const bool *constant = find_generators(ring, n);
    for (size_t i = 0; i < n->count; i++) {
        const nh_q_struct *x = nh_ring_form(ring, n->in[i]);
        both_ways(ring, n, nh_q_numref(x), constant, n->above + 2 * i);
        both_ways(ring, n, nh_q_denref(x), constant, n->below + 2 * i);
    }
}

/* ---------------------------------------------------------------- from terms to nested sums */

/* What occurs in most terms, in two at least; n_generators: nothing does. */
static size_t most_common(const nesting *n, const term *terms, size_t count, ulong *lowest)
{
    size_t best = n->n_generators, most = 1;
    for (size_t k = 0; k < n->n_generators; k++) {
        size_t found = 0;
        ulong low = 0;
        for (size_t i = 0; i < count; i++)
            if (terms[i].powers[k])
                low = found++ == 0 || terms[i].powers[k] < low ? terms[i].powers[k] : low;
        if (found > most)
            best = k, most = found, *lowest = low;
    }
    return best;
}

static nh_expr product(nh_pool *pool, const nesting *n, const term *t)
{
    nh_expr e = pool->one;
    for (size_t k = n->n_generators; k-- > 0;)
        if (t->powers[k])
            e = nh_mul(pool, e, nh_power(pool, n->generators[k], (int64_t)t->powers[k]));
    return nh_mul(pool, t->coefficient, e);
}

/* Those with generator k to the front, divided by its lowest power; how many they are. The order stays otherwise. */
static size_t divide(const nesting *n, term *terms, size_t count, size_t k, ulong lowest)
{
    size_t front = 0, back = 0;
    term *rest = nh_arena_array(n->arena, count + 1, sizeof *rest);
    for (size_t i = 0; i < count; i++)
        if (terms[i].powers[k])
            terms[i].powers[k] -= lowest, terms[front++] = terms[i];
        else
            rest[back++] = terms[i];
    memcpy(terms + front, rest, back * sizeof *rest);
    return front;
}

static nh_expr nest(nh_pool *pool, const nesting *n, term *terms, size_t count)
{
    nh_expr sum = pool->zero;
    while (count) {
        ulong lowest = 0;
        size_t k = most_common(n, terms, count, &lowest), found = 1;
        if (k < n->n_generators) {
            found = divide(n, terms, count, k, lowest);
            nh_expr q = nest(pool, n, terms, found);
            sum = nh_add(pool, sum, nh_mul(pool, nh_power(pool, n->generators[k], (int64_t)lowest), q));
        } else
            sum = nh_add(pool, sum, product(pool, n, terms));
        terms += found, count -= found;
    }
    return sum;
}

static bool only_constant(const nesting *n, const polynomial *p)
{
    bool constant = p->count == 1;
    for (size_t k = 0; k < n->n_generators && constant; k++)
        constant = p->terms[0].powers[k] == 0;
    return constant;
}

/* A constant denominator goes into the coefficients. */
static nh_expr nested_fraction(nh_pool *pool, const nesting *n, size_t i)
{
    polynomial *above = &n->above[i], *below = &n->below[i];
    nh_expr one = pool->one;
    if (only_constant(n, below)) {
        for (size_t k = 0; k < above->count; k++)
            above->terms[k].coefficient =
                nh_div(pool, above->terms[k].coefficient, below->terms[0].coefficient);
    } else
        one = nest(pool, n, below->terms, below->count);
    return nh_div(pool, nest(pool, n, above->terms, above->count), one);
}

static bool nest_all(nh_algebra *algebra, const nh_expr *in, nh_expr *out, void *arg)
{
    nesting *n = arg;
    n->in = in;
    n->arena = &algebra->scratch;
    n->above = nh_arena_array(n->arena, 2 * n->count + 1, sizeof *n->above);
    n->below = nh_arena_array(n->arena, 2 * n->count + 1, sizeof *n->below);
    if (!nh_work(algebra, in, n->count, false, find_terms, n))
        return false;
    for (size_t way = 0; way < 2; way++)
        for (size_t i = 0; i < n->count; i++)
            out[way * n->count + i] = nested_fraction(algebra->pool, n, 2 * i + way);
    return true;
}

bool nh_nest(nh_algebra *algebra, const nh_expr *in, size_t count, const bool *constant, nh_expr *out)
{
    nesting n = {.count = count, .constant = constant};
    return nh_draft_run(algebra, in, count, out, 2 * count, nest_all, &n);
}
