/* Values modulo p = 2^61 - 1 at random points, and the zero test that rests on them. */
#include "expr/expr.h"
#include "expr/intern.h"
#include "expr/residue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define P NH_P
#define add nh_mod_add
#define sub nh_mod_sub
#define mul nh_mod_mul
#define power nh_mod_power
#define inverse nh_mod_inverse

struct nh_modular {
    const nh_pool *pool;
    nh_arena *arena;
    uint64_t seed;
    nh_residue *values; /* by handle, as far as they were asked for */
    size_t count, capacity;
};

/* ---------------------------------------------------------------- the field */

/* For a square: its root that is a square itself. P = 3 mod 4. */
static uint64_t root(uint64_t a) { return power(a, (P + 1) / 4); }

/* ---------------------------------------------------------------- the circle c^2 + s^2 = 1 */

typedef struct turn {
    uint64_t c, s;
} turn;

static turn turn_mul(turn a, turn b)
{
    return (turn){sub(mul(a.c, b.c), mul(a.s, b.s)), add(mul(a.s, b.c), mul(a.c, b.s))};
}

static turn turn_power(turn a, int64_t n)
{
    turn result = {1, 0};
    if (n < 0)
        a.s = sub(0, a.s), n = -n;
    for (; n; n >>= 1, a = turn_mul(a, a))
        if (n & 1)
            result = turn_mul(result, a);
    return result;
}

/* c = (1 - t^2)/(1 + t^2), s = 2 t/(1 + t^2); 1 + t^2 is never zero since -1 is no square. */
static turn turn_of(uint64_t t)
{
    uint64_t square = mul(t, t), below = inverse(add(1, square));
    return (turn){mul(sub(1, square), below), mul(add(t, t), below)};
}

/* Half of a turn: cos(h)^2 = (1 + c)/2, sin(h) = s/(2 cos h). */
static turn turn_half(turn a)
{
    uint64_t c = root(mul(add(1, a.c), inverse(2)));
    return (turn){c, mul(a.s, inverse(add(c, c)))};
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

/* Products of powers of symbols: different ones are linearly independent, so that their sines, cosines and
 * exponentials are algebraically independent. */
static bool is_monomial(const nh_pool *pool, nh_expr e)
{
    for (int steps = 0; steps < MAX_STEPS; steps++) {
        nh_node node = pool->nodes[e];
        if (node.kind == NH_POW && nh_is_number(pool, node.b, NULL))
            node = pool->nodes[node.a];
        if (node.kind == NH_SYMBOL || e == pool->one)
            return true;
        if (node.kind != NH_MUL)
            return false;
        nh_expr last = pool->nodes[node.a].kind == NH_MUL ? node.b : node.a;
        nh_node factor = pool->nodes[last];
        if (factor.kind == NH_POW && nh_is_number(pool, factor.b, NULL))
            factor = pool->nodes[factor.a];
        if (factor.kind != NH_SYMBOL)
            return false;
        e = last == node.a ? node.b : node.a;
    }
    return false;
}

/* A residue that depends on the point, a purpose and another residue only. */
static uint64_t random_residue(const nh_modular *m, int point, uint64_t purpose, uint64_t x)
{
    return nh_hash(nh_hash(nh_hash(m->seed + (uint64_t)point) ^ purpose * 0x9e3779b97f4a7c15u) ^ x) % P;
}

enum { FOR_SYMBOL = 1, FOR_PI, FOR_ANGLE, FOR_EXPONENTIAL, FOR_POWER, FOR_CALL };

static turn pi_turn(nh_rational c, int halvings)
{
    turn t = {P - 1, 0}; /* pi */
    for (int i = 0; i < halvings; i++)
        t = i == 0 ? (turn){0, 1} : turn_half(t);
    return turn_power(t, c.num);
}

/* ---------------------------------------------------------------- values of nodes */

static nh_residue value_at(nh_modular *m, nh_expr e) { return m->values[e]; }

/* What all operands allow: validity by point, exactness, square roots. */
static nh_residue inherit(nh_residue a, nh_residue b)
{
    return (nh_residue){.valid = a.valid & b.valid, .exact = a.exact && b.exact, .root = a.root || b.root};
}

/* The random residue u of a term's unit, the term being u to the n-th; for a coefficient that is no multiple of
 * the unit a residue of its own. *exact is cleared where the term is not tied to others as it should be. */
static uint64_t term_unit(nh_modular *m, int point, uint64_t purpose, term t, int64_t *n, bool *exact)
{
    uint64_t key = value_at(m, t.atom).at[point];
    bool whole = units_of(t.coefficient, n);
    if (!whole)
        *n = 1, key = nh_hash(key) ^ nh_rational_hash(t.coefficient);
    *exact = *exact && whole && is_monomial(m->pool, t.atom);
    return random_residue(m, point, purpose, key);
}

/* The turn by a term; *exact is cleared where it is not tied to the other turns as it should be. */
static turn term_turn(nh_modular *m, int point, term t, bool *exact)
{
    int halvings = 0;
    int64_t n;
    if (t.atom == m->pool->pi && dyadic(t.coefficient, &halvings))
        return pi_turn(t.coefficient, halvings);
    uint64_t tangent = term_unit(m, point, FOR_ANGLE, t, &n, exact);
    return turn_power(turn_of(tangent), n);
}

static nh_residue trigonometric(nh_modular *m, nh_function function, nh_expr argument)
{
    combination sum = take_apart(m->pool, argument);
    nh_residue out = value_at(m, argument);
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        turn total = {1, 0};
        for (size_t i = 0; i < sum.count; i++)
            total = turn_mul(total, term_turn(m, k, sum.terms[i], &out.exact));
        if (function == NH_FN_tan && total.c == 0)
            out.valid &= (uint8_t) ~(1u << k);
        out.at[k] = function == NH_FN_sin   ? total.s
                    : function == NH_FN_cos ? total.c
                                            : mul(total.s, inverse(total.c));
    }
    out.exact = out.exact && sum.ok;
    return out;
}

/* exp(x) = e: cosh = (e + 1/e)/2, sinh = (e - 1/e)/2. */
static uint64_t hyperbolic(nh_function function, uint64_t e)
{
    uint64_t below = inverse(e), half = inverse(2);
    uint64_t c = mul(add(e, below), half), s = mul(sub(e, below), half);
    return function == NH_FN_exp    ? e
           : function == NH_FN_sinh ? s
           : function == NH_FN_cosh ? c
                                    : mul(s, inverse(c));
}

static nh_residue exponential(nh_modular *m, nh_function function, nh_expr argument)
{
    combination sum = take_apart(m->pool, argument);
    nh_residue out = value_at(m, argument);
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        uint64_t total = 1;
        for (size_t i = 0; i < sum.count; i++) {
            int64_t n;
            uint64_t unit = term_unit(m, k, FOR_EXPONENTIAL, sum.terms[i], &n, &out.exact) | 1;
            uint64_t factor = power(unit, (uint64_t)llabs(n));
            total = mul(total, n < 0 ? inverse(factor) : factor);
        }
        out.at[k] = hyperbolic(function, total);
    }
    out.exact = out.exact && sum.ok;
    return out;
}

/* Defined only at points where the argument is a square. */
static nh_residue square_root(nh_residue a)
{
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        uint64_t r = root(a.at[k]);
        if (mul(r, r) != a.at[k])
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
        out.at[k] = random_residue(m, k, purpose, nh_hash(a.at[k]) ^ b.at[k]);
    out.exact = false;
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
        uint64_t value = power(a.at[k], (uint64_t)llabs(n));
        a.at[k] = n < 0 ? inverse(value) : value;
    }
    return a;
}

static nh_residue combine(nh_residue a, nh_residue b, uint64_t (*operation)(uint64_t, uint64_t))
{
    nh_residue out = inherit(a, b);
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        out.at[k] = operation(a.at[k], b.at[k]);
    return out;
}

static nh_residue leaf(nh_modular *m, nh_node node)
{
    nh_residue out = {.valid = (1u << NH_MODULAR_POINTS) - 1, .exact = true};
    bool pole = false; /* p divides the denominator, or the numerator of a number that is not zero */
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        out.at[k] = node.kind == NH_NUMBER   ? nh_rational_mod(m->pool->rationals[node.a], P, &pole)
                    : node.kind == NH_SYMBOL ? random_residue(m, k, FOR_SYMBOL, node.a)
                                             : random_residue(m, k, FOR_PI, 0);
    if (pole || (node.kind == NH_NUMBER && out.at[0] == 0 && nh_rational_sign(m->pool->rationals[node.a]) != 0))
        out.valid = 0;
    return out;
}

static nh_residue node_value(nh_modular *m, nh_expr e)
{
    nh_node node = m->pool->nodes[e];
    nh_rational n;
    switch (node.kind) {
    case NH_NONE: return (nh_residue){.valid = 0};
    case NH_ADD: return combine(value_at(m, node.a), value_at(m, node.b), add);
    case NH_MUL: return combine(value_at(m, node.a), value_at(m, node.b), mul);
    case NH_POW:
        if (nh_is_number(m->pool, node.b, &n) && !n.big && n.den == 1) {
            nh_residue value = integer_power(value_at(m, node.a), n.num);
            if (llabs(n.num) > NH_MAX_EXPONENT) /* x^p = x: a large degree may vanish at every point */
                value.valid = 0;
            return value;
        }
        return opaque(m, FOR_POWER, value_at(m, node.a), value_at(m, node.b));
    case NH_CALL: return call(m, node);
    default: return leaf(m, node);
    }
}

nh_modular *nh_modular_new(const nh_pool *pool, nh_arena *arena, uint64_t seed)
{
    nh_modular *m = nh_arena_array(arena, 1, sizeof *m);
    *m = (nh_modular){.pool = pool, .arena = arena, .seed = nh_hash(seed + 1)};
    return m;
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
    return some && all_zero && !r.root ? NH_YES : NH_UNKNOWN;
}

/* In [1/4, 5/4], with the sign asked for. */
static double random_double(uint64_t *state, signed char sign)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t bits = nh_hash(*state);
    double size = 0.25 + (double)(bits >> 12) * 0x1p-52;
    bool negative = sign < 0 || (sign == 0 && (bits & 1));
    return negative ? -size : size;
}

/* Many, because a root or a corner can make zeros of every other state, or of seven in eight. */
enum { STATES_TRIED = 1000, STATES_WANTED = 100 };

static nh_answer doubles_decide(nh_modular *m, nh_arena *scratch, nh_expr e, const signed char *sign)
{
    size_t n = m->pool->n_symbols;
    double *values = nh_arena_array(scratch, n, sizeof *values);
    uint64_t state = m->seed;
    int zeros = 0;
    for (int tried = 0; tried < STATES_TRIED && zeros < STATES_WANTED; tried++) {
        for (size_t i = 0; i < n; i++)
            values[i] = random_double(&state, sign ? sign[i] : 0);
        double value, error;
        nh_evaluate(m->pool, scratch, &e, 1, values, &value, &error);
        if (isfinite(value) && fabs(value) > 1000 * error)
            return NH_NO;
        bool telling = error < 1e-6 && error > 1e-290; /* below that, all there is has underflowed */
        zeros += telling && fabs(value) <= error;
    }
    return zeros >= STATES_WANTED ? NH_YES : NH_UNKNOWN;
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
