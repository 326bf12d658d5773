/* Building expressions in the cheap normal form (see expr.h). */
#include "expr/expr.h"
#include "expr/intern.h"

#include <math.h>

static nh_rational number_of(const nh_pool *pool, nh_expr e) { return pool->rationals[pool->nodes[e].a]; }
static bool is_number(const nh_pool *pool, nh_expr e) { return pool->nodes[e].kind == NH_NUMBER; }

static bool is_integer(const nh_pool *pool, nh_expr e, int64_t *n)
{
    nh_rational value;
    if (!nh_is_number(pool, e, &value) || value.big || value.den != 1)
        return false;
    *n = value.num;
    return true;
}

static nh_expr binary(nh_pool *pool, nh_kind kind, nh_expr a, nh_expr b)
{
    return nh_intern(pool, (nh_node){.kind = (uint8_t)kind, .a = a, .b = b});
}

/* e = coefficient * core, the coefficient a number node. */
static nh_expr core_of(const nh_pool *pool, nh_expr e, nh_expr *coefficient)
{
    nh_node node = pool->nodes[e];
    bool scaled = node.kind == NH_MUL && is_number(pool, node.a);
    *coefficient = scaled ? node.a : pool->one;
    return scaled ? node.b : e;
}

/* ---------------------------------------------------------------- sums */

static nh_expr add_numbers(nh_pool *pool, nh_expr a, nh_expr b)
{
    return nh_number(pool, nh_rational_add(&pool->numbers, number_of(pool, a), number_of(pool, b)));
}

/* x + c: constants gather at the right end. */
static nh_expr add_constant(nh_pool *pool, nh_expr x, nh_expr c)
{
    if (c == pool->zero)
        return x;
    nh_node node = pool->nodes[x];
    if (node.kind == NH_ADD && is_number(pool, node.b))
        return add_constant(pool, node.a, add_numbers(pool, node.b, c));
    return binary(pool, NH_ADD, x, c);
}

static bool is_opposite(const nh_pool *pool, nh_expr x, nh_expr y)
{
    nh_expr cx, cy;
    if (core_of(pool, x, &cx) != core_of(pool, y, &cy))
        return false;
    nh_rational a = number_of(pool, cx), b = number_of(pool, cy);
    return !a.big && !b.big && a.num == -b.num && a.den == b.den;
}

/* (u + v) + y where one of u, v is -y. */
static bool cancels(const nh_pool *pool, nh_expr sum, nh_expr y, nh_expr *rest)
{
    nh_node node = pool->nodes[sum];
    if (node.kind != NH_ADD)
        return false;
    bool first = is_opposite(pool, node.a, y);
    *rest = first ? node.b : node.a;
    return first || is_opposite(pool, node.b, y);
}

nh_expr nh_add(nh_pool *pool, nh_expr a, nh_expr b)
{
    if (!a || !b)
        return NH_EXPR_NONE;
    if (is_number(pool, a) && is_number(pool, b))
        return add_numbers(pool, a, b);
    if (is_number(pool, a))
        return add_constant(pool, b, a);
    if (is_number(pool, b))
        return add_constant(pool, a, b);
    nh_expr ca, cb, x = core_of(pool, a, &ca), y = core_of(pool, b, &cb), rest;
    if (x == y) /* ca x + cb x = (ca + cb) x */
        return nh_mul(pool, add_numbers(pool, ca, cb), x);
    if (cancels(pool, a, b, &rest) || cancels(pool, b, a, &rest))
        return rest;
    return nh_compare(pool, a, b) < 0 ? binary(pool, NH_ADD, a, b) : binary(pool, NH_ADD, b, a);
}

nh_expr nh_neg(nh_pool *pool, nh_expr a) { return nh_mul(pool, pool->minus_one, a); }
nh_expr nh_sub(nh_pool *pool, nh_expr a, nh_expr b) { return nh_add(pool, a, nh_neg(pool, b)); }

/* ---------------------------------------------------------------- products */

static nh_expr scale(nh_pool *pool, nh_expr number, nh_expr x)
{
    if (number == pool->zero || number == pool->one)
        return number == pool->zero ? number : x;
    if (is_number(pool, x))
        return nh_number(pool, nh_rational_mul(&pool->numbers, number_of(pool, number), number_of(pool, x)));
    nh_expr c, core = core_of(pool, x, &c);
    if (c != pool->one)
        return scale(pool, scale(pool, number, c), core);
    return binary(pool, NH_MUL, number, x);
}

/* e = base ^ n with an integer n. */
static nh_expr base_of(const nh_pool *pool, nh_expr e, int64_t *n)
{
    nh_node node = pool->nodes[e];
    *n = 1;
    return node.kind == NH_POW && is_integer(pool, node.b, n) ? node.a : e;
}

static bool is_moderate(int64_t exponent)
{
    return exponent <= NH_MAX_EXPONENT && exponent >= -NH_MAX_EXPONENT;
}

/* base^n * base^m, or NH_EXPR_NONE where the exponent would grow too large. */
static nh_expr merge(nh_pool *pool, nh_expr base, int64_t n, int64_t m)
{
    int64_t sum;
    return __builtin_add_overflow(n, m, &sum) || !is_moderate(sum) ? NH_EXPR_NONE : nh_power(pool, base, sum);
}

static nh_expr mul_cores(nh_pool *pool, nh_expr a, nh_expr b)
{
    int64_t n, m;
    nh_expr x = base_of(pool, a, &n), y = base_of(pool, b, &m);
    nh_expr merged = x == y ? merge(pool, x, n, m) : NH_EXPR_NONE;
    if (merged)
        return merged;
    return nh_compare(pool, a, b) < 0 ? binary(pool, NH_MUL, a, b) : binary(pool, NH_MUL, b, a);
}

nh_expr nh_mul(nh_pool *pool, nh_expr a, nh_expr b)
{
    if (!a || !b)
        return NH_EXPR_NONE;
    if (is_number(pool, a))
        return scale(pool, a, b);
    if (is_number(pool, b))
        return scale(pool, b, a);
    nh_expr ca, cb, x = core_of(pool, a, &ca), y = core_of(pool, b, &cb);
    return scale(pool, scale(pool, ca, cb), mul_cores(pool, x, y));
}

nh_expr nh_div(nh_pool *pool, nh_expr a, nh_expr b)
{
    if (a == b && a != pool->zero)
        return a ? pool->one : NH_EXPR_NONE;
    return nh_mul(pool, a, nh_power(pool, b, -1));
}

/* ---------------------------------------------------------------- powers */

static bool is_call(const nh_pool *pool, nh_expr e, nh_function function)
{
    return pool->nodes[e].kind == NH_CALL && pool->nodes[e].function == function;
}

static nh_expr number_power(nh_pool *pool, nh_expr a, int64_t n)
{
    if (a == pool->zero)
        return n > 0 ? pool->zero : NH_EXPR_NONE;
    return nh_number(pool, nh_rational_pow(&pool->numbers, number_of(pool, a), n));
}

/* a^n for a neither number nor scaled. */
static nh_expr core_power(nh_pool *pool, nh_expr a, int64_t n)
{
    int64_t m, product;
    nh_expr base = base_of(pool, a, &m);
    if (m != 1 && !__builtin_mul_overflow(n, m, &product) && is_moderate(product)) /* (x^m)^n = x^(m n) */
        return nh_power(pool, base, product);
    if (is_call(pool, a, NH_FN_sqrt) && n % 2 == 0) /* sqrt(x)^(2 k) = x^k */
        return nh_power(pool, pool->nodes[a].a, n / 2);
    return binary(pool, NH_POW, a, nh_integer(pool, n));
}

nh_expr nh_power(nh_pool *pool, nh_expr a, int64_t n)
{
    if (!a || n == 1)
        return a;
    if (n == 0)
        return pool->one;
    if (is_number(pool, a))
        return number_power(pool, a, n);
    if (!is_moderate(n))
        return binary(pool, NH_POW, a, nh_integer(pool, n));
    nh_expr c, core = core_of(pool, a, &c);
    if (c != pool->one) /* (c x)^n = c^n x^n */
        return scale(pool, number_power(pool, c, n), core_power(pool, core, n));
    return core_power(pool, a, n);
}

/* x^(p/2) = sqrt(x)^p, so that there is one way to write it. */
nh_expr nh_pow(nh_pool *pool, nh_expr a, nh_expr b)
{
    int64_t n;
    nh_rational exponent;
    if (!a || !b)
        return NH_EXPR_NONE;
    if (is_integer(pool, b, &n))
        return nh_power(pool, a, n);
    if (nh_is_number(pool, b, &exponent)) {
        if (a == pool->zero)
            return nh_rational_sign(exponent) > 0 ? pool->zero : NH_EXPR_NONE;
        if (!exponent.big && exponent.den == 2)
            return nh_power(pool, nh_call(pool, NH_FN_sqrt, a, NH_EXPR_NONE), exponent.num);
    }
    return a == pool->one ? a : binary(pool, NH_POW, a, b);
}

/* ---------------------------------------------------------------- functions */

static bool is_negative(const nh_pool *pool, nh_expr e)
{
    nh_expr c;
    core_of(pool, e, &c);
    return nh_rational_sign(number_of(pool, is_number(pool, e) ? e : c)) < 0;
}

/* e = (k/2) pi, k an integer. */
static bool is_half_turns(nh_pool *pool, nh_expr e, int64_t *k)
{
    nh_expr c, core = core_of(pool, e, &c);
    return core == pool->pi && is_integer(pool, scale(pool, pool->two, c), k);
}

static const nh_function inverse_of[NH_FN_COUNT] = {
    [NH_FN_sin] = NH_FN_asin, [NH_FN_cos] = NH_FN_acos, [NH_FN_tan] = NH_FN_atan,
    [NH_FN_exp] = NH_FN_log,  [NH_FN_log] = NH_FN_exp,
};

/* sin(asin x) = x and the like; sin is function number 0, so that it stands for "none" above. */
static bool undoes(const nh_pool *pool, nh_function function, nh_expr a)
{
    nh_function inverse = inverse_of[function];
    return inverse != NH_FN_sin && is_call(pool, a, inverse);
}

/* sin and cos of inverse functions: with hypotenuse h, cos(asin x) = sqrt(1 - x^2), sin(atan x) = x/h,
 * cos(atan x) = 1/h with h = sqrt(1 + x^2), sin(atan2(y, x)) = y/h, cos(atan2(y, x)) = x/h with h = sqrt(x^2 + y^2). */
static nh_expr call_inverse(nh_pool *pool, nh_function function, nh_expr a)
{
    nh_node node = pool->nodes[a];
    bool sine = function == NH_FN_sin;
    if (node.kind != NH_CALL || (!sine && function != NH_FN_cos))
        return NH_EXPR_NONE;
    if (node.function == NH_FN_asin || node.function == NH_FN_acos)
        return nh_call(pool, NH_FN_sqrt, nh_sub(pool, pool->one, nh_power(pool, node.a, 2)), NH_EXPR_NONE);
    if (node.function != NH_FN_atan && node.function != NH_FN_atan2)
        return NH_EXPR_NONE;
    nh_expr y = node.a, x = node.function == NH_FN_atan ? pool->one : node.b;
    nh_expr square = nh_add(pool, nh_power(pool, x, 2), nh_power(pool, y, 2));
    return nh_div(pool, sine ? y : x, nh_call(pool, NH_FN_sqrt, square, NH_EXPR_NONE));
}

static nh_expr call_number(nh_pool *pool, nh_function function, nh_expr a)
{
    nh_rational value = number_of(pool, a), root;
    if (function == NH_FN_sqrt && nh_rational_sqrt(&pool->numbers, value, &root))
        return nh_number(pool, root);
    if (function == NH_FN_abs)
        return nh_rational_sign(value) < 0 ? nh_neg(pool, a) : a;
    if (function == NH_FN_sign)
        return nh_integer(pool, nh_rational_sign(value));
    if (function == NH_FN_log && a == pool->one)
        return pool->zero;
    double at_zero = nh_function_get(function)->at_zero;
    if (a == pool->zero && !isnan(at_zero))
        return nh_integer(pool, (int64_t)at_zero);
    return NH_EXPR_NONE;
}

static nh_expr call_half_turns(nh_pool *pool, nh_function function, int64_t k)
{
    static const signed char sines[4] = {0, 1, 0, -1};
    if (function == NH_FN_sin)
        return nh_integer(pool, sines[k & 3]);
    if (function == NH_FN_cos)
        return nh_integer(pool, sines[((k & 3) + 1) & 3]);
    return NH_EXPR_NONE;
}

static nh_expr call_two(nh_pool *pool, nh_function function, nh_expr a, nh_expr b)
{
    if (!b)
        return NH_EXPR_NONE;
    bool choice = function == NH_FN_min || function == NH_FN_max;
    if (choice && a == b)
        return a;
    if (choice && is_number(pool, a) && is_number(pool, b)) {
        bool less = nh_rational_compare(number_of(pool, a), number_of(pool, b)) < 0;
        return less == (function == NH_FN_min) ? a : b;
    }
    bool swap = choice && nh_compare(pool, a, b) > 0;
    nh_node node = {.kind = NH_CALL, .function = (uint8_t)function, .a = swap ? b : a, .b = swap ? a : b};
    return nh_intern(pool, node);
}

nh_expr nh_call(nh_pool *pool, nh_function function, nh_expr a, nh_expr b)
{
    const nh_function_info *info = nh_function_get(function);
    int64_t k;
    if (!a || info->arity == 2)
        return a ? call_two(pool, function, a, b) : NH_EXPR_NONE;
    nh_expr folded = is_number(pool, a)           ? call_number(pool, function, a)
                     : is_half_turns(pool, a, &k) ? call_half_turns(pool, function, k)
                     : undoes(pool, function, a)  ? pool->nodes[a].a
                                                  : call_inverse(pool, function, a);
    if (folded)
        return folded;
    if (info->parity != NH_PARITY_NONE && is_negative(pool, a)) {
        nh_expr mirrored = nh_call(pool, function, nh_neg(pool, a), NH_EXPR_NONE);
        return info->parity == NH_PARITY_ODD ? nh_neg(pool, mirrored) : mirrored;
    }
    return nh_intern(pool, (nh_node){.kind = NH_CALL, .function = (uint8_t)function, .a = a});
}

nh_expr nh_rebuild(nh_pool *pool, nh_expr e, const nh_expr *operands)
{
    nh_node node = pool->nodes[e];
    switch (node.kind) {
    case NH_ADD: return nh_add(pool, operands[0], operands[1]);
    case NH_MUL: return nh_mul(pool, operands[0], operands[1]);
    case NH_POW: return nh_pow(pool, operands[0], operands[1]);
    case NH_CALL:
        return nh_call(pool, (nh_function)node.function, operands[0],
                       nh_operands(pool, e).count > 1 ? operands[1] : NH_EXPR_NONE);
    case NH_MATRIX:
    case NH_SOLVE:
    case NH_COMPONENT: return nh_rebuild_linear(pool, node, operands);
    default: return e;
    }
}
