/* Between which values an expression stays, whatever the symbols are, as far as that is easily seen: 2 + sin(y) is never 0. */
#include "expr/expr.h"

#include <float.h>
#include <math.h>

enum { MOST_VISITS = 1000 };

typedef struct range {
    double low, high; /* with low > 0 or high < 0 it is never 0 */
} range;

typedef struct visitor {
    const nh_pool *pool;
    const signed char *signs; /* by symbol: those with a sign are never 0 */
    size_t known;             /* how many there are; other symbols may be anything */
    int left;
} visitor;

static const range ANY = {-INFINITY, INFINITY};

static range of(visitor *v, nh_expr e);

static range of_symbol(const visitor *v, uint32_t index)
{
    int sign = index < v->known ? v->signs[index] : 0;
    return sign > 0 ? (range){DBL_TRUE_MIN, INFINITY} : sign < 0 ? (range){-INFINITY, -DBL_TRUE_MIN} : ANY;
}

/* What cancels is known to rounding only. */
static double sum_of(double a, double b, double outwards)
{
    double sum = a + b;
    return isnan(sum)                   ? outwards
           : a * b < 0 && isfinite(sum) ? sum + copysign(4 * DBL_EPSILON * (fabs(a) + fabs(b)), outwards)
                                        : sum;
}

/* A product of numbers that are not 0 is not 0. */
static double product_of(double a, double b)
{
    double product = a == 0 || b == 0 ? 0 : a * b;
    return product == 0 && a != 0 && b != 0 ? copysign(DBL_TRUE_MIN, a) * copysign(1, b) : product;
}

static range times(range a, range b)
{
    double x[] = {product_of(a.low, b.low), product_of(a.low, b.high), product_of(a.high, b.low),
                  product_of(a.high, b.high)};
    range r = {x[0], x[0]};
    for (int k = 1; k < 4; k++)
        r.low = fmin(r.low, x[k]), r.high = fmax(r.high, x[k]);
    return r;
}

static range inverse(range a)
{
    if (!(a.low > 0 || a.high < 0))
        return ANY;
    double low = 1 / a.high, high = 1 / a.low;
    return (range){low == 0 && a.low > 0 ? DBL_TRUE_MIN : low,
                   high == 0 && a.high < 0 ? -DBL_TRUE_MIN : high};
}

/* Even powers are no product of two independent numbers. */
static range power_of(visitor *v, const nh_node *node)
{
    nh_rational exponent;
    range a = of(v, node->a);
    if (!nh_is_number(v->pool, node->b, &exponent))
        return ANY;
    double p = nh_rational_to_double(exponent);
    if (!nh_rational_is_int(exponent))
        return a.low > 0 ? (range){DBL_TRUE_MIN, INFINITY} : (range){0, INFINITY};
    double size = fabs(p),
           least = a.low > 0    ? a.low
                   : a.high < 0 ? -a.high
                                : 0,
           most = fmax(fabs(a.low), fabs(a.high));
    range r = fmod(size, 2) != 0 ? (range){pow(a.low, size), pow(a.high, size)}
                                 : (range){pow(least, size), pow(most, size)};
    if (least > 0 && a.low > 0)
        r.low = fmax(r.low, DBL_TRUE_MIN);
    else if (least > 0 && fmod(size, 2) != 0)
        r.high = fmin(r.high, -DBL_TRUE_MIN);
    else if (least > 0)
        r.low = fmax(r.low, DBL_TRUE_MIN);
    return p < 0 ? inverse(r) : r;
}

static range of_call(visitor *v, const nh_node *node)
{
    switch (node->function) {
    case NH_FN_sin:
    case NH_FN_cos:
    case NH_FN_tanh: return (range){-1, 1};
    case NH_FN_exp: return (range){DBL_TRUE_MIN, INFINITY};
    case NH_FN_cosh: return (range){1, INFINITY};
    case NH_FN_sqrt: return (range){of(v, node->a).low > 0 ? DBL_TRUE_MIN : 0, INFINITY};
    default: return ANY;
    }
}

static range of(visitor *v, nh_expr e)
{
    nh_node node = nh_get(v->pool, e);
    nh_rational number;
    if (v->left-- <= 0)
        return ANY;
    if (nh_is_number(v->pool, e, &number)) {
        double x = nh_rational_to_double(number);
        return (range){x, x};
    }
    switch (node.kind) {
    case NH_SYMBOL: return of_symbol(v, node.a);
    case NH_PI: return (range){3, 4};
    case NH_ADD: {
        range a = of(v, node.a), b = of(v, node.b);
        return (range){sum_of(a.low, b.low, -INFINITY), sum_of(a.high, b.high, INFINITY)};
    }
    case NH_MUL: return times(of(v, node.a), of(v, node.b));
    case NH_POW: return power_of(v, &node);
    case NH_CALL: return of_call(v, &node);
    default: return ANY;
    }
}

bool nh_is_never_zero(const nh_pool *pool, nh_expr e, const signed char *signs, size_t known)
{
    visitor v = {pool, signs, known, MOST_VISITS};
    range r = of(&v, e);
    return r.low > 0 || r.high < 0;
}
