#include "algebra/prove.h"

#include <stdlib.h>

bool nh_is_plainly_positive(const nh_algebra *algebra, nh_expr e)
{
    nh_node node = nh_get(algebra->pool, e);
    nh_rational n;
    switch (node.kind) {
    case NH_NUMBER: return nh_is_number(algebra->pool, e, &n) && nh_rational_sign(n) > 0;
    case NH_SYMBOL: return algebra->signs && algebra->signs[node.a] > 0;
    case NH_PI: return true;
    case NH_CALL: return node.function == NH_FN_exp || node.function == NH_FN_cosh;
    default: return false;
    }
}

static nh_expr call(nh_pool *pool, nh_function f, nh_expr a) { return nh_call(pool, f, a, NH_EXPR_NONE); }

static nh_expr times(nh_pool *pool, nh_rational number, nh_expr e)
{
    return nh_mul(pool, nh_number(pool, number), e);
}

/* number * f(...), the only factor. */
static bool is_multiple_of_call(const nh_pool *pool, const nh_product *term, nh_function f)
{
    nh_node node = term->count == 1 ? nh_get(pool, term->factors[0].base) : (nh_node){.kind = NH_NONE};
    return node.kind == NH_CALL && node.function == f && term->factors[0].exponent == 1;
}

static nh_expr term_expr(nh_pool *pool, const nh_product *term)
{
    nh_expr e = pool->one;
    for (size_t i = 0; i < term->count; i++)
        e = nh_mul(pool, e, nh_power(pool, term->factors[i].base, term->factors[i].exponent));
    return times(pool, term->number, e);
}

/* ---------------------------------------------------------------- angles */

typedef struct turn {
    nh_expr c, s;
} turn;

static turn turn_by(nh_pool *p, turn a, turn b)
{
    return (turn){nh_sub(p, nh_mul(p, a.c, b.c), nh_mul(p, a.s, b.s)),
                  nh_add(p, nh_mul(p, a.s, b.c), nh_mul(p, a.c, b.s))};
}

static turn turn_times(nh_pool *p, turn total, turn a, int64_t n)
{
    if (n < 0)
        a.s = nh_neg(p, a.s), n = -n;
    for (; n > 0; n--)
        total = turn_by(p, total, a);
    return total;
}

static nh_expr root_of(nh_pool *p, int64_t n) { return call(p, NH_FN_sqrt, nh_integer(p, n)); }
static nh_expr over(nh_pool *p, nh_expr e, int64_t n) { return nh_div(p, e, nh_integer(p, n)); }

/* cos(pi/8) = sqrt(2 + sqrt(2))/2, tan(pi/8) = sqrt(2) - 1 */
static turn eighth(nh_pool *p)
{
    nh_expr c = over(p, call(p, NH_FN_sqrt, nh_add(p, root_of(p, 2), p->two)), 2);
    return (turn){c, nh_mul(p, c, nh_sub(p, root_of(p, 2), p->one))};
}

static turn third(nh_pool *p) { return (turn){p->half, over(p, root_of(p, 3), 2)}; }

/* cos(pi/5) = (1 + sqrt(5))/4, sin(pi/5) = sqrt(10 - 2 sqrt(5))/4 = sqrt(5)/sqrt(10 + 2 sqrt(5)) */
static turn fifth(nh_pool *p)
{
    nh_expr ten = nh_add(p, nh_mul(p, p->two, root_of(p, 5)), nh_integer(p, 10));
    nh_expr c = over(p, nh_add(p, root_of(p, 5), p->one), 4);
    return (turn){c, nh_div(p, root_of(p, 5), call(p, NH_FN_sqrt, ten))};
}

/* pi n/120 = pi (a/8 + b/3 + c/5) with 15 a + 40 b + 24 c = n: modulo 8, 3 and 5 -a = b = -c = n; what is left over are half
 * turns. */
static turn known_turn(nh_pool *p, turn total, int64_t n)
{
    int64_t a = (((-n) % 8) + 8) % 8, b = ((n % 3) + 3) % 3, c = (((-n) % 5) + 5) % 5;
    int64_t half_turns = (n - 15 * a - 40 * b - 24 * c) / 120;
    total = turn_times(p, total, eighth(p), a);
    total = turn_times(p, total, third(p), b);
    total = turn_times(p, total, fifth(p), c);
    return half_turns % 2 ? (turn){nh_neg(p, total.c), nh_neg(p, total.s)} : total;
}

enum { MOST_TIMES = 8 };

static bool is_small_integer(nh_rational n) { return !n.big && n.den == 1 && llabs(n.num) <= MOST_TIMES; }

static bool is_inverse(const nh_pool *pool, const nh_product *term)
{
    return is_small_integer(term->number) &&
           (is_multiple_of_call(pool, term, NH_FN_asin) || is_multiple_of_call(pool, term, NH_FN_acos) ||
            is_multiple_of_call(pool, term, NH_FN_atan) || is_multiple_of_call(pool, term, NH_FN_atan2));
}

/* Multiples of pi that the ring does not know by itself. */
static bool is_known_turn(const nh_pool *pool, const nh_product *term)
{
    nh_rational n = term->number;
    return term->count == 1 && term->factors[0].base == pool->pi && term->factors[0].exponent == 1 &&
           !n.big && 120 % n.den == 0 && 12 % n.den != 0 && llabs(n.num) < 1000000;
}

/* The turn by the terms that are known, the others being left in *rest; false: there are none. */
static bool take_turns(nh_algebra *algebra, nh_expr argument, turn *total, nh_expr *rest)
{
    nh_pool *pool = algebra->pool;
    nh_sum sum = nh_sum_of(pool, &algebra->scratch, argument);
    bool any = false;
    *total = (turn){pool->one, pool->zero}, *rest = pool->zero;
    for (size_t i = 0; i < sum.count; i++) {
        const nh_product *term = &sum.terms[i];
        nh_expr base = term->count ? term->factors[0].base : NH_EXPR_NONE;
        bool inverse = is_inverse(pool, term), known = is_known_turn(pool, term);
        if (inverse)
            *total =
                turn_times(pool, *total, (turn){call(pool, NH_FN_cos, base), call(pool, NH_FN_sin, base)},
                           term->number.num);
        else if (known)
            *total = known_turn(pool, *total, term->number.num * (120 / term->number.den));
        else
            *rest = nh_add(pool, *rest, term_expr(pool, term));
        any = any || inverse || known;
    }
    return any;
}

static nh_expr rewrite_circular(nh_algebra *algebra, nh_function f, nh_expr argument)
{
    nh_pool *pool = algebra->pool;
    turn total;
    nh_expr rest;
    if (!take_turns(algebra, argument, &total, &rest))
        return call(pool, f, argument);
    total = turn_by(pool, total, (turn){call(pool, NH_FN_cos, rest), call(pool, NH_FN_sin, rest)});
    return f == NH_FN_sin ? total.s : f == NH_FN_cos ? total.c : nh_div(pool, total.s, total.c);
}

/* Values that are multiples of pi; acos by asin. */
static nh_expr rewrite_inverse(nh_pool *pool, nh_function f, nh_expr a)
{
    if (f == NH_FN_acos)
        return nh_sub(pool, over(pool, pool->pi, 2), rewrite_inverse(pool, NH_FN_asin, a));
    bool one = a == pool->one, half = a == pool->half;
    if (f == NH_FN_asin && (one || half))
        return over(pool, pool->pi, one ? 2 : 6);
    return f == NH_FN_atan && one ? over(pool, pool->pi, 4) : call(pool, f, a);
}

static nh_expr rewrite_atan2(nh_algebra *algebra, nh_expr y, nh_expr x)
{
    nh_pool *pool = algebra->pool;
    return nh_is_plainly_positive(algebra, x) ? rewrite_inverse(pool, NH_FN_atan, nh_div(pool, y, x))
                                              : nh_call(pool, NH_FN_atan2, y, x);
}

/* ---------------------------------------------------------------- logarithms and exponentials */

/* log(2^n ...) */
static nh_expr log_of_integer(nh_pool *pool, int64_t n)
{
    nh_expr sum = pool->zero;
    for (int64_t p = 2; p < 1000 && n > 1; p++)
        for (; n % p == 0; n /= p)
            sum = nh_add(pool, sum, call(pool, NH_FN_log, nh_integer(pool, p)));
    return nh_add(pool, sum, call(pool, NH_FN_log, nh_integer(pool, n)));
}

/* log(m x^2 y) = log(m) + 2 log|x| + log(y) for a positive m. */
static nh_expr rewrite_log(nh_algebra *algebra, nh_expr a)
{
    nh_pool *pool = algebra->pool;
    nh_product product = nh_product_of(pool, &algebra->scratch, a);
    nh_expr sum = pool->zero, rest = pool->one;
    for (size_t i = 0; i < product.count; i++) {
        nh_factor f = product.factors[i];
        bool positive = nh_is_plainly_positive(algebra, f.base), even = f.exponent % 2 == 0;
        nh_expr base = positive ? f.base : call(pool, NH_FN_abs, f.base);
        if (positive || even)
            sum = nh_add(pool, sum, nh_mul(pool, nh_integer(pool, f.exponent), call(pool, NH_FN_log, base)));
        else
            rest = nh_mul(pool, rest, nh_power(pool, f.base, f.exponent));
    }
    nh_rational n = product.number;
    if (n.big || n.num <= 0)
        return nh_add(pool, sum, call(pool, NH_FN_log, times(pool, n, rest)));
    sum = nh_add(pool, sum, nh_sub(pool, log_of_integer(pool, n.num), log_of_integer(pool, n.den)));
    return nh_add(pool, sum, call(pool, NH_FN_log, rest));
}

/* exp(n log(u) + v) = u^n exp(v) */
static nh_expr rewrite_exp(nh_algebra *algebra, nh_expr a)
{
    nh_pool *pool = algebra->pool;
    nh_sum sum = nh_sum_of(pool, &algebra->scratch, a);
    nh_expr rest = pool->zero, product = pool->one;
    for (size_t i = 0; i < sum.count; i++) {
        const nh_product *term = &sum.terms[i];
        nh_rational n = term->number;
        if (!is_multiple_of_call(pool, term, NH_FN_log)) {
            rest = nh_add(pool, rest, term_expr(pool, term));
            continue;
        }
        nh_expr u = nh_get(pool, term->factors[0].base).a;
        product = nh_mul(pool, product,
                         nh_rational_is_int(n) ? nh_pow(pool, u, nh_number(pool, n))
                                               : nh_rewrite_root(algebra, u, n));
    }
    return nh_mul(pool, product, call(pool, NH_FN_exp, rest));
}

static nh_expr rewrite_hyperbolic(nh_algebra *algebra, nh_function f, nh_expr a)
{
    nh_pool *pool = algebra->pool;
    nh_expr e = rewrite_exp(algebra, a), below = nh_power(pool, e, -1);
    if (nh_get(pool, e).kind == NH_CALL && nh_get(pool, e).function == NH_FN_exp)
        return call(pool, f, a);
    nh_expr c = nh_mul(pool, pool->half, nh_add(pool, e, below)),
            s = nh_mul(pool, pool->half, nh_sub(pool, e, below));
    return f == NH_FN_sinh ? s : f == NH_FN_cosh ? c : nh_div(pool, s, c);
}

/* ---------------------------------------------------------------- all nodes */

/* max(a, b) = (a + b + |a - b|)/2 */
static nh_expr rewrite_choice(nh_pool *pool, nh_function f, nh_expr a, nh_expr b)
{
    nh_expr distance = call(pool, NH_FN_abs, nh_sub(pool, a, b)), sum = nh_add(pool, a, b);
    return nh_mul(pool, pool->half,
                  f == NH_FN_max ? nh_add(pool, sum, distance) : nh_sub(pool, sum, distance));
}

static nh_expr rewrite_call(nh_algebra *algebra, nh_function f, nh_expr a, nh_expr b)
{
    nh_pool *pool = algebra->pool;
    switch (f) {
    case NH_FN_min:
    case NH_FN_max: return rewrite_choice(pool, f, a, b);
    case NH_FN_sin:
    case NH_FN_cos:
    case NH_FN_tan: return rewrite_circular(algebra, f, a);
    case NH_FN_asin:
    case NH_FN_acos:
    case NH_FN_atan: return rewrite_inverse(pool, f, a);
    case NH_FN_atan2: return rewrite_atan2(algebra, a, b);
    case NH_FN_log: return rewrite_log(algebra, a);
    case NH_FN_exp: return rewrite_exp(algebra, a);
    case NH_FN_sinh:
    case NH_FN_cosh:
    case NH_FN_tanh: return rewrite_hyperbolic(algebra, f, a);
    case NH_FN_sqrt: return nh_rewrite_root(algebra, a, (nh_rational){.num = 1, .den = 2});
    default: return nh_call(pool, f, a, b);
    }
}

/* sign(u) |u| = u, sign(u) u = |u|, sign(u)^2 u = u: true at u = 0, too, as sign(u) = u/|u| is not. f is the sign. */
static void merge_sign(nh_pool *pool, nh_product *product, nh_factor *f)
{
    nh_expr u = nh_get(pool, f->base).a, absolute = call(pool, NH_FN_abs, u);
    for (size_t i = 0; i < product->count; i++) {
        nh_factor *g = &product->factors[i];
        bool plain = g->base == u, abs = g->base == absolute;
        if ((!plain && !abs) || g->exponent < 1 || f->exponent < 1)
            continue;
        if (f->exponent % 2 == 0) {
            f->exponent = 0;
            continue;
        }
        f->exponent = 0, g->exponent--;
        f->base = plain ? absolute : u, f->exponent = 1;
        return;
    }
}

/* Products of signs with what they are the signs of. */
static nh_expr rewrite_product(nh_algebra *algebra, nh_expr e)
{
    nh_pool *pool = algebra->pool;
    nh_product product = nh_product_of(pool, &algebra->scratch, e);
    bool any = false;
    for (size_t i = 0; i < product.count; i++) {
        nh_node node = nh_get(pool, product.factors[i].base);
        bool sign = node.kind == NH_CALL && node.function == NH_FN_sign;
        if (sign)
            merge_sign(pool, &product, &product.factors[i]);
        any = any || sign;
    }
    return any ? term_expr(pool, &product) : e;
}

static nh_expr rewrite_power(nh_algebra *algebra, nh_expr a, nh_expr b)
{
    nh_pool *pool = algebra->pool;
    nh_rational n;
    if (!nh_is_number(pool, b, &n))
        return rewrite_exp(algebra, nh_mul(pool, b, rewrite_log(algebra, a)));
    return nh_rational_is_int(n) ? nh_pow(pool, a, b) : nh_rewrite_root(algebra, a, n);
}

static nh_expr rewrite_node(nh_algebra *algebra, nh_expr e, const nh_expr *image)
{
    nh_node node = nh_get(algebra->pool, e);
    switch (node.kind) {
    case NH_ADD: return nh_add(algebra->pool, image[node.a], image[node.b]);
    case NH_MUL: return rewrite_product(algebra, nh_mul(algebra->pool, image[node.a], image[node.b]));
    case NH_POW: return rewrite_power(algebra, image[node.a], image[node.b]);
    case NH_CALL: {
        bool two = nh_function_get((nh_function)node.function)->arity == 2;
        return rewrite_call(algebra, (nh_function)node.function, image[node.a],
                            two ? image[node.b] : NH_EXPR_NONE);
    }
    default: return e;
    }
}

nh_expr nh_rewrite(nh_algebra *algebra, nh_expr e)
{
    nh_walk walk = nh_walk_of(algebra->pool, &algebra->scratch, &e, 1);
    nh_expr *image = nh_arena_array(&algebra->scratch, (size_t)e + 1, sizeof *image);
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr x = walk.nodes[i];
        image[x] = rewrite_node(algebra, x, image);
        if (!image[x])
            return e;
    }
    return image[e];
}
