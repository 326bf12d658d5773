/* Roots in terms of others, for proofs. */
#include "algebra/prove.h"

/* ---------------------------------------------------------------- sqrt(a + b sqrt(d)) */

/* The parts of a number a + b sqrt(d), d an integer or a fraction. */
static bool is_quadratic(nh_algebra *algebra, nh_expr e, nh_rational *a, nh_rational *b, nh_rational *d)
{
    const nh_pool *pool = algebra->pool;
    nh_sum sum = nh_sum_of(pool, &algebra->scratch, e);
    if (sum.count != 2 || sum.terms[0].count + sum.terms[1].count != 1)
        return false;
    int with_root = sum.terms[0].count == 1 ? 0 : 1;
    nh_factor f = sum.terms[with_root].factors[0];
    nh_node node = nh_get(pool, f.base);
    *a = sum.terms[1 - with_root].number, *b = sum.terms[with_root].number;
    return node.kind == NH_CALL && node.function == NH_FN_sqrt && f.exponent == 1 &&
           nh_is_number(pool, node.a, d);
}

static nh_expr root_of(nh_pool *pool, nh_rational n)
{
    return nh_call(pool, NH_FN_sqrt, nh_number(pool, n), NH_EXPR_NONE);
}

/* With n^2 = a^2 - b^2 d: sqrt((a + n)/2) +- sqrt((a - n)/2); where n is no fraction and b < 0, n/sqrt(a - b sqrt(d)). */
static nh_expr denested(nh_algebra *algebra, nh_expr e)
{
    nh_pool *pool = algebra->pool;
    nh_numbers *numbers = &pool->numbers;
    nh_rational a, b, d, n, half = {.num = 1, .den = 2};
    nh_expr plain = nh_call(pool, NH_FN_sqrt, e, NH_EXPR_NONE);
    if (!is_quadratic(algebra, e, &a, &b, &d) || nh_rational_sign(a) <= 0)
        return plain;
    nh_rational b2d = nh_rational_mul(numbers, nh_rational_mul(numbers, b, b), d);
    nh_rational norm = nh_rational_sub(numbers, nh_rational_mul(numbers, a, a), b2d);
    bool minus = nh_rational_sign(b) < 0;
    if (nh_rational_sign(norm) <= 0)
        return plain;
    if (nh_rational_sqrt(numbers, norm, &n)) {
        nh_expr first = root_of(pool, nh_rational_mul(numbers, half, nh_rational_add(numbers, a, n)));
        nh_expr second = root_of(pool, nh_rational_mul(numbers, half, nh_rational_sub(numbers, a, n)));
        return minus ? nh_sub(pool, first, second) : nh_add(pool, first, second);
    }
    nh_expr conjugate = nh_sub(pool, nh_number(pool, a), nh_mul(pool, nh_number(pool, b), root_of(pool, d)));
    return minus ? nh_div(pool, root_of(pool, norm), nh_call(pool, NH_FN_sqrt, conjugate, NH_EXPR_NONE))
                 : plain;
}

/* ---------------------------------------------------------------- other roots */

/* base^exponent with an exponent that is small enough to be worth it. */
static nh_expr power_of(nh_pool *pool, nh_expr base, nh_rational exponent)
{
    return nh_pow(pool, base, nh_number(pool, exponent));
}

/* 24^(1/3) = 2^(3/3) 3^(1/3) */
static nh_expr root_of_integer(nh_pool *pool, int64_t n, nh_rational exponent)
{
    nh_expr product = pool->one;
    for (int64_t p = 2; p < 1000 && n > 1; p++) {
        int64_t times = 0;
        for (; n % p == 0; n /= p)
            times++;
        nh_rational all = nh_rational_mul(&pool->numbers, nh_rational_int(times), exponent);
        if (times)
            product = nh_mul(pool, product, power_of(pool, nh_integer(pool, p), all));
    }
    return nh_mul(pool, product, power_of(pool, nh_integer(pool, n), exponent));
}

/* (m x)^(1/3) = m^(1/3) x^(1/3) for a positive m. */
static nh_expr root_of_product(nh_algebra *algebra, nh_expr base, nh_rational exponent)
{
    nh_pool *pool = algebra->pool;
    nh_product product = nh_product_of(pool, &algebra->scratch, base);
    nh_expr out = pool->one, rest = pool->one;
    nh_rational n = product.number;
    for (size_t i = 0; i < product.count; i++) {
        nh_factor f = product.factors[i];
        nh_rational all = nh_rational_mul(&pool->numbers, nh_rational_int(f.exponent), exponent);
        if (nh_is_plainly_positive(algebra, f.base))
            out = nh_mul(pool, out, power_of(pool, f.base, all));
        else
            rest = nh_mul(pool, rest, nh_power(pool, f.base, f.exponent));
    }
    if (n.big || n.num <= 0)
        return nh_mul(pool, out, power_of(pool, nh_mul(pool, nh_number(pool, n), rest), exponent));
    nh_expr numbers =
        nh_div(pool, root_of_integer(pool, n.num, exponent), root_of_integer(pool, n.den, exponent));
    return nh_mul(pool, nh_mul(pool, numbers, out), power_of(pool, rest, exponent));
}

/* (x^(1/3))^(1/2) = x^(1/6), x not being negative where x^(1/3) is defined. */
nh_expr nh_rewrite_root(nh_algebra *algebra, nh_expr base, nh_rational exponent)
{
    nh_pool *pool = algebra->pool;
    nh_node node = nh_get(pool, base);
    nh_rational inner = {.num = 1, .den = 2};
    bool root = node.kind == NH_CALL && node.function == NH_FN_sqrt;
    if (root || (node.kind == NH_POW && nh_is_number(pool, node.b, &inner) && !nh_rational_is_int(inner)))
        return nh_rewrite_root(algebra, node.a, nh_rational_mul(&pool->numbers, inner, exponent));
    if (exponent.big || nh_rational_is_int(exponent))
        return power_of(pool, base, exponent);
    if (exponent.den == 2)
        return nh_pow(pool, denested(algebra, base), nh_integer(pool, exponent.num));
    return root_of_product(algebra, base, exponent);
}

/* ---------------------------------------------------------------- one root for all */

enum { LARGEST_ROOT = 12 };

static bool is_root(const nh_pool *pool, nh_node node, nh_rational *exponent)
{
    *exponent = (nh_rational){.num = 1, .den = 2};
    if (node.kind == NH_CALL)
        return node.function == NH_FN_sqrt;
    return node.kind == NH_POW && nh_is_number(pool, node.b, exponent) && !exponent->big && exponent->den > 1;
}

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y, y = rest;
    }
    return a / x * b;
}

/* By base: the smallest q of which all denominators are divisors; 0: too large, or no root. */
static int64_t *common_roots(nh_algebra *algebra, const nh_walk *walk, nh_expr e)
{
    int64_t *q = nh_arena_array(&algebra->scratch, (size_t)e + 1, sizeof *q);
    for (size_t i = 0; i < walk->count; i++) {
        nh_node node = nh_get(algebra->pool, walk->nodes[i]);
        nh_rational n;
        if (is_root(algebra->pool, node, &n) && n.den <= LARGEST_ROOT)
            q[node.a] = common_multiple(q[node.a] ? q[node.a] : 1, n.den);
    }
    return q;
}

static nh_expr unified(nh_pool *pool, nh_expr base, nh_rational exponent, int64_t q)
{
    nh_expr root = nh_pow(pool, base, nh_number(pool, (nh_rational){.num = 1, .den = q}));
    return nh_power(pool, root, exponent.num * (q / exponent.den));
}

nh_expr nh_unify_roots(nh_algebra *algebra, nh_expr e)
{
    nh_pool *pool = algebra->pool;
    nh_walk walk = nh_walk_of(pool, &algebra->scratch, &e, 1);
    nh_expr *image = nh_arena_array(&algebra->scratch, (size_t)e + 1, sizeof *image);
    int64_t *q = common_roots(algebra, &walk, e);
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr x = walk.nodes[i];
        nh_node node = nh_get(pool, x);
        bool two = node.kind == NH_CALL && nh_function_get((nh_function)node.function)->arity == 2;
        nh_rational n;
        if (is_root(pool, node, &n) && q[node.a] > n.den && q[node.a] <= LARGEST_ROOT)
            image[x] = unified(pool, image[node.a], n, q[node.a]);
        else
            image[x] = node.kind == NH_ADD    ? nh_add(pool, image[node.a], image[node.b])
                       : node.kind == NH_MUL  ? nh_mul(pool, image[node.a], image[node.b])
                       : node.kind == NH_POW  ? nh_pow(pool, image[node.a], image[node.b])
                       : node.kind == NH_CALL ? nh_call(pool, (nh_function)node.function, image[node.a],
                                                        two ? image[node.b] : NH_EXPR_NONE)
                                              : x;
        if (!image[x])
            return e;
    }
    return image[e];
}
