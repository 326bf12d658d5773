/* Values modulo primes at random points, and the zero test that rests on them. */
#include "expr/expr.h"
#include "expr/intern.h"
#include "expr/residue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define add nh_field_add
#define sub nh_field_sub
#define mul nh_field_mul
#define power nh_field_power
#define inverse nh_field_inverse

/* By point. With one prime alone, 2^61 (x + 1) - x - 1 would be zero. */
static const uint64_t primes[NH_MODULAR_POINTS] = {NH_P, NH_P, NH_P_OTHER};

struct nh_modular {
    const nh_pool *pool;
    nh_arena *arena;
    uint64_t seed;
    nh_residue *values; /* by handle, as far as they were asked for */
    size_t count, capacity;
    nh_residue **solutions; /* of linear systems; the residue of their node holds the index */
    size_t n_solutions, solutions_capacity;
    nh_walk walk;           /* of one that moves: the nodes that have values */
    const bool *given;      /* by symbol, with */
    const uint64_t *values_given;
    nh_arena_mark mark;     /* where what the last point needed begins */
};

/* ---------------------------------------------------------------- the field */

/* For a square: its root that is a square itself. p = 3 mod 4. */
static uint64_t root(uint64_t p, uint64_t a) { return power(p, a, (p + 1) / 4); }

/* ---------------------------------------------------------------- the circle c^2 + s^2 = 1 */

typedef struct turn {
    uint64_t c, s;
} turn;

static turn turn_mul(uint64_t p, turn a, turn b)
{
    return (turn){sub(p, mul(p, a.c, b.c), mul(p, a.s, b.s)), add(p, mul(p, a.s, b.c), mul(p, a.c, b.s))};
}

static turn turn_power(uint64_t p, turn a, int64_t n)
{
    turn result = {1, 0};
    if (n < 0)
        a.s = sub(p, 0, a.s), n = -n;
    for (; n; n >>= 1, a = turn_mul(p, a, a))
        if (n & 1)
            result = turn_mul(p, result, a);
    return result;
}

/* c = (1 - t^2)/(1 + t^2), s = 2 t/(1 + t^2); 1 + t^2 is never zero since -1 is no square. */
static turn turn_of(uint64_t p, uint64_t t)
{
    uint64_t square = mul(p, t, t), below = inverse(p, add(p, 1, square));
    return (turn){mul(p, sub(p, 1, square), below), mul(p, add(p, t, t), below)};
}

/* Half of a turn: cos(h)^2 = (1 + c)/2, sin(h) = s/(2 cos h). */
static turn turn_half(uint64_t p, turn a)
{
    uint64_t c = root(p, mul(p, add(p, 1, a.c), inverse(p, 2)));
    return (turn){c, mul(p, a.s, inverse(p, add(p, c, c)))};
}

/* ---------------------------------------------------------------- arguments as combinations of atoms */

enum { UNITS = 840, MAX_ATOMS = 32, MAX_STEPS = 256, MAX_HALVINGS = 8 };

/* A multiple of an atom in units of 1/840: sin(a/2 + b/3) is a polynomial in the sines and cosines of the
 * units. */
typedef struct term {
    nh_expr atom;
    nh_rational coefficient;
} term;

typedef struct combination {
    term terms[MAX_ATOMS];
    size_t count;
    bool ok;
} combination;

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b, b = rest;
    }
    return a < 0 ? -a : a;
}

/* a *= b; false where it does not fit in machine words. */
static bool scale(nh_rational *a, nh_rational b)
{
    if (a->big || b.big)
        return false;
    int64_t g = divisor(a->num, b.den), h = divisor(b.num, a->den);
    if (g == 0 || h == 0)
        g = h = 1;
    return !__builtin_mul_overflow(a->num / g, b.num / h, &a->num) && a->num != INT64_MIN &&
           !__builtin_mul_overflow(a->den / h, b.den / g, &a->den);
}

/* argument = sum of coefficient * atom. */
static void terms_of(const nh_pool *pool, nh_expr argument, combination *out)
{
    term stack[MAX_ATOMS] = {{argument, nh_rational_int(1)}};
    size_t depth = 1, steps = 0;
    *out = (combination){.ok = true};
    while (depth > 0 && out->ok) {
        term t = stack[--depth];
        nh_node node = pool->nodes[t.atom];
        nh_rational factor = nh_rational_int(1);
        out->ok = ++steps < MAX_STEPS && depth + 2 < MAX_ATOMS && out->count < MAX_ATOMS;
        if (node.kind == NH_ADD) {
            stack[depth++] = (term){node.a, t.coefficient};
            stack[depth++] = (term){node.b, t.coefficient};
        } else if (node.kind == NH_MUL && nh_is_number(pool, node.a, &factor)) {
            out->ok = out->ok && scale(&t.coefficient, factor);
            stack[depth++] = (term){node.b, t.coefficient};
        } else if (out->ok) {
            bool number = nh_is_number(pool, t.atom, &factor);
            out->ok = scale(&t.coefficient, factor);
            out->terms[out->count++] = (term){number ? pool->one : t.atom, t.coefficient};
        }
    }
}

/* The same; an argument that is too long or has too large coefficients is an atom by itself. */
static combination take_apart(const nh_pool *pool, nh_expr argument)
{
    combination out;
    terms_of(pool, argument, &out);
    if (!out.ok)
        out.count = 1, out.terms[0] = (term){argument, nh_rational_int(1)};
    return out;
}

/* coefficient * 840 as a small integer. */
static bool units_of(nh_rational c, int64_t *n)
{
    if (c.big || UNITS % c.den != 0 || llabs(c.num) > INT64_C(1) << 40)
        return false;
    *n = c.num * (UNITS / c.den);
    return true;
}

/* coefficient = n / 2^k. */
static bool dyadic(nh_rational c, int *k)
{
    if (c.big || llabs(c.num) > INT64_C(1) << 40)
        return false;
    for (*k = 0; *k <= MAX_HALVINGS; ++*k)
        if (c.den == INT64_C(1) << *k)
            return true;
    return false;
}

/* e = symbol^exponent. */
static bool is_symbol_power(const nh_pool *pool, nh_expr e, double *exponent)
{
    nh_node node = pool->nodes[e];
    nh_rational n = nh_rational_int(1);
    if (node.kind == NH_POW && nh_is_number(pool, node.b, &n))
        node = pool->nodes[node.a];
    *exponent = nh_rational_to_double(n);
    return node.kind == NH_SYMBOL;
}

/* Products of powers of symbols: different ones are linearly independent, so that their sines, cosines and
 * exponentials are algebraically independent. */
static bool is_monomial(const nh_pool *pool, nh_expr e, double *degree)
{
    double exponent;
    *degree = 0;
    for (int steps = 0; steps < MAX_STEPS; steps++) {
        nh_node node = pool->nodes[e];
        if (e == pool->one || is_symbol_power(pool, e, &exponent)) {
            *degree += e == pool->one ? 0 : exponent;
            return true;
        }
        if (node.kind != NH_MUL)
            return false;
        nh_expr last = pool->nodes[node.a].kind == NH_MUL ? node.b : node.a;
        if (!is_symbol_power(pool, last, &exponent))
            return false;
        *degree += exponent;
        e = last == node.a ? node.b : node.a;
    }
    return false;
}

/* A residue that depends on the point, a purpose and another residue only; of what is given, not on the point. */
static uint64_t random_residue(const nh_modular *m, int point, bool given, uint64_t purpose, uint64_t x)
{
    uint64_t origin = given && m->given ? 0 : m->seed + (uint64_t)point;
    return nh_hash(nh_hash(nh_hash(origin) ^ purpose * 0x9e3779b97f4a7c15u) ^ x) % primes[point];
}

enum { FOR_SYMBOL = 1, FOR_PI, FOR_ANGLE, FOR_EXPONENTIAL, FOR_POWER, FOR_CALL };

static turn pi_turn(uint64_t p, nh_rational c, int halvings)
{
    turn t = {p - 1, 0}; /* pi */
    for (int i = 0; i < halvings; i++)
        t = i == 0 ? (turn){0, 1} : turn_half(p, t);
    return turn_power(p, t, c.num);
}

/* ---------------------------------------------------------------- values of nodes */

static nh_residue value_at(nh_modular *m, nh_expr e) { return m->values[e]; }

static void set_degrees(nh_residue *r, double degree, bool fraction)
{
    r->above = degree, r->below = fraction ? degree : 0;
}

/* What all operands allow: validity by point, exactness, square roots. */
static nh_residue inherit(nh_residue a, nh_residue b)
{
    return (nh_residue){.valid = a.valid & b.valid, .exact = a.exact && b.exact, .root = a.root || b.root, .given = a.given && b.given};
}

/* The random residue u of a term's unit, the term being u to the n-th; for a coefficient that is no multiple of
 * the unit a residue of its own. *exact is cleared where the term is not tied to others as it should be. */
static uint64_t term_unit(nh_modular *m, int point, uint64_t purpose, term t, int64_t *n, bool *exact)
{
    nh_residue atom = value_at(m, t.atom);
    uint64_t key = atom.at[point];
    bool whole = units_of(t.coefficient, n);
    if (!whole)
        *n = 1, key = nh_hash(key) ^ nh_rational_hash(t.coefficient);
    double degree;
    *exact = *exact && whole && is_monomial(m->pool, t.atom, &degree);
    return random_residue(m, point, atom.given, purpose, key);
}

/* The turn by a term; *exact is cleared where it is not tied to the other turns as it should be. */
static turn term_turn(nh_modular *m, int point, term t, bool *exact, double *degree)
{
    int halvings = 0;
    int64_t n;
    if (t.atom == m->pool->pi && dyadic(t.coefficient, &halvings))
        return pi_turn(primes[point], t.coefficient, halvings);
    uint64_t tangent = term_unit(m, point, FOR_ANGLE, t, &n, exact);
    *degree += 2 * (double)llabs(n); /* two points of the circle are on one line */
    return turn_power(primes[point], turn_of(primes[point], tangent), n);
}

static nh_residue trigonometric(nh_modular *m, nh_function function, nh_expr argument)
{
    combination sum = take_apart(m->pool, argument);
    nh_residue out = value_at(m, argument);
    double degree = 0;
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        turn total = {1, 0};
        degree = 0;
        for (size_t i = 0; i < sum.count; i++)
            total = turn_mul(primes[k], total, term_turn(m, k, sum.terms[i], &out.exact, &degree));
        if (function == NH_FN_tan && total.c == 0)
            out.valid &= (uint8_t) ~(1u << k);
        out.at[k] = function == NH_FN_sin   ? total.s
                    : function == NH_FN_cos ? total.c
                                            : mul(primes[k], total.s, inverse(primes[k], total.c));
    }
    set_degrees(&out, out.above + out.below + degree, function == NH_FN_tan);
    out.exact = out.exact && sum.ok;
    return out;
}

/* exp(x) = e: cosh = (e + 1/e)/2, sinh = (e - 1/e)/2. */
static uint64_t hyperbolic(uint64_t p, nh_function function, uint64_t e)
{
    uint64_t below = inverse(p, e), half = inverse(p, 2);
    uint64_t c = mul(p, add(p, e, below), half), s = mul(p, sub(p, e, below), half);
    return function == NH_FN_exp    ? e
           : function == NH_FN_sinh ? s
           : function == NH_FN_cosh ? c
                                    : mul(p, s, inverse(p, c));
}

static nh_residue exponential(nh_modular *m, nh_function function, nh_expr argument)
{
    combination sum = take_apart(m->pool, argument);
    nh_residue out = value_at(m, argument);
    double degree = 0;
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        uint64_t total = 1;
        degree = 0;
        for (size_t i = 0; i < sum.count; i++) {
            int64_t n;
            uint64_t unit = term_unit(m, k, FOR_EXPONENTIAL, sum.terms[i], &n, &out.exact) | 1;
            uint64_t factor = power(primes[k], unit % primes[k], (uint64_t)llabs(n));
            total = mul(primes[k], total, n < 0 ? inverse(primes[k], factor) : factor);
            degree += 2 * (double)llabs(n);
        }
        out.at[k] = hyperbolic(primes[k], function, total);
    }
    set_degrees(&out, out.above + out.below + degree, true);
    out.exact = out.exact && sum.ok;
    return out;
}

/* Defined only at points where the argument is a square. */
static nh_residue square_root(nh_residue a)
{
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        uint64_t r = root(primes[k], a.at[k]);
        if (mul(primes[k], r, r) != a.at[k])
            a.valid &= (uint8_t) ~(1u << k);
        a.at[k] = r;
    }
    a.exact = false, a.root = true;
    return a;
}

/* A function of which nothing is used but that it is one. */
static nh_residue opaque(nh_modular *m, uint64_t purpose, nh_residue a, nh_residue b)
{
    nh_residue out = inherit(a, b);
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        out.at[k] = random_residue(m, k, out.given, purpose, nh_hash(a.at[k]) ^ b.at[k]);
    out.exact = false;
    set_degrees(&out, 1 + a.above + a.below + b.above + b.below, false);
    return out;
}

static nh_residue call(nh_modular *m, nh_node node)
{
    nh_function function = (nh_function)node.function;
    switch (function) {
    case NH_FN_sin:
    case NH_FN_cos:
    case NH_FN_tan: return trigonometric(m, function, node.a);
    case NH_FN_exp:
    case NH_FN_sinh:
    case NH_FN_cosh:
    case NH_FN_tanh: return exponential(m, function, node.a);
    case NH_FN_sqrt: return square_root(value_at(m, node.a));
    default: {
        bool two = nh_function_get(function)->arity == 2;
        nh_residue a = value_at(m, node.a), b = value_at(m, two ? node.b : m->pool->one);
        return opaque(m, FOR_CALL + (uint64_t)function, a, b);
    }
    }
}

static nh_residue integer_power(nh_residue a, int64_t n)
{
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        if (n < 0 && a.at[k] == 0)
            a.valid &= (uint8_t) ~(1u << k);
        uint64_t value = power(primes[k], a.at[k], (uint64_t)llabs(n));
        a.at[k] = n < 0 ? inverse(primes[k], value) : value;
    }
    double above = a.above * (double)llabs(n), below = a.below * (double)llabs(n);
    a.above = n < 0 ? below : above, a.below = n < 0 ? above : below;
    return a;
}

static nh_residue sum_of(nh_residue a, nh_residue b)
{
    nh_residue out = inherit(a, b);
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        out.at[k] = add(primes[k], a.at[k], b.at[k]);
    out.above = fmax(a.above + b.below, b.above + a.below), out.below = a.below + b.below;
    return out;
}

static nh_residue product_of(nh_residue a, nh_residue b)
{
    nh_residue out = inherit(a, b);
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        out.at[k] = mul(primes[k], a.at[k], b.at[k]);
    out.above = a.above + b.above, out.below = a.below + b.below;
    return out;
}

static uint64_t leaf_value(const nh_modular *m, int k, nh_node node, bool given, bool *pole)
{
    switch (node.kind) {
    case NH_NUMBER: return nh_rational_mod(m->pool->rationals[node.a], primes[k], pole);
    case NH_SYMBOL:
        return given ? m->values_given[node.a] % primes[k] : random_residue(m, k, false, FOR_SYMBOL, node.a);
    default: return random_residue(m, k, given, FOR_PI, 0);
    }
}

static nh_residue leaf(nh_modular *m, nh_node node)
{
    nh_residue out = {.valid = (1u << NH_MODULAR_POINTS) - 1, .exact = true, .above = node.kind != NH_NUMBER};
    out.given = node.kind != NH_SYMBOL || (m->given && m->given[node.a]);
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        bool pole = false; /* p divides the denominator, or the numerator of a number that is not zero */
        out.at[k] = leaf_value(m, k, node, out.given, &pole);
        if (pole ||
            (node.kind == NH_NUMBER && out.at[k] == 0 && nh_rational_sign(m->pool->rationals[node.a]) != 0))
            out.valid &= (uint8_t) ~(1u << k);
    }
    return out;
}

/* ---------------------------------------------------------------- linear systems */

/* Gauss and Jordan: W is n x (n + 1). False: singular. */
static bool eliminate(uint64_t p, uint64_t *W, size_t n)
{
    size_t width = n + 1;
    for (size_t j = 0; j < n; j++) {
        size_t pivot = j;
        while (pivot < n && W[pivot * width + j] == 0)
            pivot++;
        if (pivot == n)
            return false;
        for (size_t k = 0; k < width && pivot != j; k++) {
            uint64_t swap = W[j * width + k];
            W[j * width + k] = W[pivot * width + k], W[pivot * width + k] = swap;
        }
        uint64_t below = inverse(p, W[j * width + j]);
        for (size_t k = j; k < width; k++)
            W[j * width + k] = mul(p, W[j * width + k], below);
        for (size_t i = 0; i < n; i++) {
            uint64_t factor = i == j ? 0 : W[i * width + j];
            for (size_t k = j; k < width && factor; k++)
                W[i * width + k] = sub(p, W[i * width + k], mul(p, factor, W[j * width + k]));
        }
    }
    return true;
}

static nh_residue entry_at(nh_modular *m, nh_list M, nh_list b, size_t n, size_t i, size_t j)
{
    return value_at(m, j < n ? M.items[i * n + j] : b.items[1 + i]);
}

static nh_residue solve_system(nh_modular *m, nh_expr e)
{
    nh_list b = nh_operands(m->pool, e), M = nh_operands(m->pool, b.items[0]);
    size_t n = b.count - 1, width = n + 1;
    nh_residue *x = nh_arena_array(m->arena, n, sizeof *x),
               all = {.valid = (1u << NH_MODULAR_POINTS) - 1, .exact = true, .given = true};
    uint64_t *W = nh_arena_array(m->arena, n * width, sizeof *W);
    double degree = 0; /* of determinants, three times over */
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        for (size_t i = 0; i < n * width; i++) {
            nh_residue entry = entry_at(m, M, b, n, i / width, i % width);
            W[i] = entry.at[k];
            all.valid &= entry.valid, all.exact = all.exact && entry.exact, all.root = all.root || entry.root;
            all.given = all.given && entry.given;
            degree += entry.above + entry.below;
        }
        if (!(all.valid >> k & 1) || !eliminate(primes[k], W, n))
            all.valid &= (uint8_t) ~(1u << k);
        for (size_t i = 0; i < n; i++)
            x[i].at[k] = all.valid >> k & 1 ? W[i * width + n] : 0;
    }
    for (size_t i = 0; i < n; i++)
        x[i].valid = all.valid, x[i].exact = all.exact, x[i].root = all.root, x[i].given = all.given,
        x[i].above = x[i].below = degree;
    all.at[0] = m->n_solutions;
    nh_push(m->arena, m->solutions, m->n_solutions, m->solutions_capacity) = x;
    return all;
}

static nh_residue node_value(nh_modular *m, nh_expr e)
{
    nh_node node = m->pool->nodes[e];
    nh_rational n;
    switch (node.kind) {
    case NH_NONE: return (nh_residue){.valid = 0};
    case NH_ADD: return sum_of(value_at(m, node.a), value_at(m, node.b));
    case NH_MUL: return product_of(value_at(m, node.a), value_at(m, node.b));
    case NH_POW:
        if (nh_is_number(m->pool, node.b, &n) && !n.big && n.den == 1) {
            nh_residue value = integer_power(value_at(m, node.a), n.num);
            if (llabs(n.num) > NH_MAX_EXPONENT) /* x^p = x: a large degree may vanish at every point */
                value.valid = 0;
            return value;
        }
        return opaque(m, FOR_POWER, value_at(m, node.a), value_at(m, node.b));
    case NH_CALL: return call(m, node);
    case NH_MATRIX: return (nh_residue){.valid = 0};
    case NH_SOLVE: return solve_system(m, e);
    case NH_COMPONENT: return m->solutions[value_at(m, node.a).at[0]][node.b];
    default: return leaf(m, node);
    }
}

nh_modular *nh_modular_new(const nh_pool *pool, nh_arena *arena, uint64_t seed)
{
    nh_modular *m = nh_arena_array(arena, 1, sizeof *m);
    *m = (nh_modular){.pool = pool, .arena = arena, .seed = nh_hash(seed + 1)};
    return m;
}

nh_modular *nh_modular_new_for(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t count,
                               const bool *given)
{
    nh_modular *m = nh_modular_new(pool, arena, 0);
    m->walk = nh_walk_of(pool, arena, roots, count);
    m->given = given;
    m->count = m->walk.count ? (size_t)m->walk.nodes[m->walk.count - 1] + 1 : 1;
    m->count = m->count > pool->one ? m->count : (size_t)pool->one + 1; /* stands for numbers in arguments */
    m->values = nh_arena_array(arena, m->count, sizeof *m->values);
    m->mark = nh_arena_here(arena);
    return m;
}

void nh_modular_move(nh_modular *m, uint64_t seed, const uint64_t *values)
{
    nh_arena_release(m->arena, m->mark);
    m->solutions = NULL, m->n_solutions = m->solutions_capacity = 0;
    m->seed = nh_hash(seed + 1), m->values_given = values;
    m->values[m->pool->one] = node_value(m, m->pool->one);
    for (size_t i = 0; i < m->walk.count; i++)
        m->values[m->walk.nodes[i]] = node_value(m, m->walk.nodes[i]);
}

nh_residue nh_modular_value(nh_modular *m, nh_expr e)
{
    while (m->count <= e) {
        nh_residue value = node_value(m, (nh_expr)m->count);
        nh_push(m->arena, m->values, m->count, m->capacity) = value;
    }
    return m->values[e];
}

/* ---------------------------------------------------------------- zero, by numbers */

/* A fraction of polynomials whose numerator is of degree d, and not zero modulo p, vanishes at a random point with a
 * chance of d/p at most (Schwartz, Zippel; on a circle each line counts twice); at several points that are independent
 * with the product of the chances. YES is said where that is below 2^-40: of n = 3 points, up to d = 2^47. What is zero
 * modulo one of the primes alone, all of its coefficients being multiples of it, must vanish at the points of the other:
 * a chance of 2^-14 for d = 2^47, of 2^-50 for d = 2000. */
enum { CHANCE_BITS = 40 };

static bool is_certain(nh_residue r)
{
    int points = __builtin_popcount(r.valid);
    return points * (61 - log2(fmax(r.above, 1))) >= CHANCE_BITS;
}

static nh_answer residues_decide(nh_residue r)
{
    bool some = false, all_zero = true;
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        if (r.valid >> k & 1) {
            some = true;
            all_zero = all_zero && r.at[k] == 0;
        }
    if (some && !all_zero && r.exact)
        return NH_NO;
    return some && all_zero && !r.root && is_certain(r) ? NH_YES : NH_UNKNOWN;
}

/* In [1/4, 5/4], and in every other state up to 32 times as large, with the sign asked for. */
static double random_double(uint64_t *state, signed char sign, bool large)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t bits = nh_hash(*state);
    double size = 0.25 + (double)(bits >> 12) * 0x1p-52;
    bool negative = sign < 0 || (sign == 0 && (bits & 1));
    size = large ? ldexp(size, (int)(bits >> 1 & 7) % 6) : size;
    return negative ? -size : size;
}

/* ---------------------------------------------------------------- corners */

/* A sum of at most two terms: what is compared with zero where a function has its corner. */
typedef struct corner {
    nh_expr atoms[2];
    double coefficients[2];
    size_t count;
    bool short_enough;
} corner;

static void add_terms(corner *c, const nh_pool *pool, nh_expr argument, double factor)
{
    combination sum = take_apart(pool, argument);
    for (size_t i = 0; i < sum.count && c->short_enough; i++) {
        size_t k = 0;
        while (k < c->count && c->atoms[k] != sum.terms[i].atom)
            k++;
        c->short_enough = k < 2;
        if (k == 2)
            break;
        c->atoms[k] = sum.terms[i].atom;
        c->coefficients[k] = (k < c->count ? c->coefficients[k] : 0) +
                             factor * nh_rational_to_double(sum.terms[i].coefficient);
        c->count = k == c->count ? k + 1 : c->count;
    }
}

/* Whether the corner is where it is at every scale: of x, x*y, x - 2*y, but not of x - 5, which is seen from one side
 * only by states that are not large. */
static bool is_at_every_scale(const nh_pool *pool, nh_node node)
{
    corner c = {.short_enough = true};
    double degrees[2] = {0, 0};
    add_terms(&c, pool, node.a, 1);
    if (node.function == NH_FN_min || node.function == NH_FN_max)
        add_terms(&c, pool, node.b, -1);
    for (size_t k = 0; k < c.count; k++)
        if (!is_monomial(pool, c.atoms[k], &degrees[k]))
            return false;
    double ratio = c.count > 1 ? fabs(c.coefficients[0] / c.coefficients[1]) : 1;
    return c.short_enough && (c.count < 2 || (degrees[0] == degrees[1] && ratio >= 0.5 && ratio <= 2));
}

enum { MOST_CORNERS = 4 };

/* How many functions with corners there are; SIZE_MAX: too many, or at places that may not be met. */
static size_t corners_in(const nh_pool *pool, nh_arena *scratch, nh_expr e)
{
    nh_walk walk = nh_walk_of(pool, scratch, &e, 1);
    size_t corners = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = pool->nodes[walk.nodes[i]];
        if (node.kind != NH_CALL || nh_function_get((nh_function)node.function)->smooth)
            continue;
        if (++corners > MOST_CORNERS || !is_at_every_scale(pool, node))
            return SIZE_MAX;
    }
    return corners;
}

/* Many, because a root can make zeros of every other state, and four corners of 15 in 16: (15/16)^400 = 6e-12. */
enum { STATES_WANTED = 100, STATES_WANTED_AT_CORNERS = 400, TRIES = 10 };

static nh_answer doubles_decide(nh_modular *m, nh_arena *scratch, nh_expr e, const signed char *sign)
{
    size_t n = m->pool->n_symbols, corners = corners_in(m->pool, scratch, e);
    int wanted = corners > 0 ? STATES_WANTED_AT_CORNERS : STATES_WANTED, zeros = 0;
    double *values = nh_arena_array(scratch, n, sizeof *values);
    nh_evaluator *evaluator = nh_evaluator_new(m->pool, scratch, &e, 1);
    uint64_t state = m->seed;
    for (int tried = 0; tried < TRIES * wanted && zeros < wanted; tried++) {
        for (size_t i = 0; i < n; i++)
            values[i] = random_double(&state, sign ? sign[i] : 0, tried % 2);
        double value, error;
        nh_evaluator_at(evaluator, scratch, values, &value, &error);
        if (isfinite(value) && fabs(value) > 1000 * error)
            return NH_NO;
        bool telling = error < 1e-6 && error > 1e-290; /* below that, all there is has underflowed */
        zeros += telling && fabs(value) <= error;
    }
    return zeros >= wanted && corners != SIZE_MAX ? NH_YES : NH_UNKNOWN;
}

nh_answer nh_zero_by_residues(nh_modular *m, nh_expr e)
{
    return e == m->pool->zero ? NH_YES : residues_decide(nh_modular_value(m, e));
}

nh_answer nh_zero_test(nh_modular *m, nh_arena *scratch, nh_expr e, const signed char *sign)
{
    if (e == m->pool->zero)
        return NH_YES;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_answer answer = residues_decide(nh_modular_value(m, e));
    if (answer == NH_UNKNOWN)
        answer = doubles_decide(m, scratch, e, sign);
    nh_arena_release(scratch, mark);
    return answer;
}
