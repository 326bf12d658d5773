/* Evaluation in doubles, with a bound for the rounding errors. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <float.h>
#include <math.h>

typedef struct number {
    double value, error; /* |computed - true| <= error */
} number;

/* Not more than this is |f'| within reach of x, and for two arguments the larger of the two partial derivatives;
 * INFINITY where a pole, an end or a jump is within reach. */
static double slope(nh_function function, double x, double y, double reach)
{
    double far = fabs(x) + reach, near = fmax(fabs(x) - reach, 0), margin;
    switch (function) {
    case NH_FN_sin: return fmin(fabs(cos(x)) + reach, 1);
    case NH_FN_cos: return fmin(fabs(sin(x)) + reach, 1);
    case NH_FN_tan: margin = fabs(cos(x)) - reach; return margin > 0 ? 1 / (margin * margin) : INFINITY;
    case NH_FN_asin:
    case NH_FN_acos: return far < 1 ? 1 / sqrt((1 - far) * (1 + far)) : INFINITY;
    case NH_FN_atan: return 1 / (1 + near * near);
    case NH_FN_atan2:
        margin = hypot(x, y) - reach;
        return margin > 0 && (y > reach || fabs(x) > reach) ? 1 / margin : INFINITY;
    case NH_FN_sinh: return cosh(far);
    case NH_FN_cosh: return sinh(far);
    case NH_FN_tanh: return 1 / (cosh(near) * cosh(near));
    case NH_FN_exp: return exp(x + reach);
    case NH_FN_log: return x > reach ? 1 / (x - reach) : INFINITY;
    case NH_FN_sqrt: return x > reach ? 0.5 / sqrt(x - reach) : INFINITY;
    case NH_FN_sign: return fabs(x) > reach ? 0 : INFINITY;
    default: return 1;
    }
}

/* A result of that value, with an error besides its own rounding; DBL_MIN for what underflows. */
static number rounded(double value, double error)
{
    double bound = error + fabs(value) * DBL_EPSILON + DBL_MIN;
    return (number){value, isnan(bound) ? INFINITY : bound};
}

static number power(number a, number b)
{
    double value = pow(a.value, b.value), size = fabs(a.value), passed = INFINITY;
    if (a.error == 0 && (b.error == 0 || (size == 0 && b.value > b.error)))
        passed = 0;
    else if (b.error == 0 && b.value >= 1) /* |x^n - y^n| <= n max(|x|, |y|)^(n-1) |x - y| */
        passed = b.value * pow(size + a.error, b.value - 1) * a.error;
    else if (size > 2 * a.error && (a.value > 0 || b.error == 0)) { /* value * (e^t - 1), t the error of b log(a) */
        double relative = a.error / (size - a.error);
        passed = fabs(value) * expm1(fabs(b.value) * relative + (fabs(log(size)) + relative) * b.error);
    }
    return rounded(value, passed);
}

/* The error that an argument's error e makes. The slope is looked for within 2 e, for the roundings here. */
static double passed_on(nh_function function, double x, double y, double e)
{
    double passed = e == 0 ? 0 : slope(function, x, y, 2 * e) * e;
    bool root = function == NH_FN_sqrt || function == NH_FN_asin || function == NH_FN_acos;
    return root ? fmin(passed, 3 * sqrt(e)) : passed; /* |f(x) - f(y)| <= 3 sqrt|x - y| up to the very end */
}

static number call(nh_function function, number a, number b)
{
    bool two = nh_function_get(function)->arity == 2;
    double f = nh_function_value(function, a.value, b.value);
    double passed = passed_on(function, a.value, b.value, a.error + (two ? b.error : 0));
    return rounded(f, passed + fabs(f) * DBL_EPSILON);
}

static number rational(nh_rational exact)
{
    double value = nh_rational_to_double(exact);
    bool whole = !exact.big && exact.den == 1 && fabs(value) < 0x1p53;
    return whole ? (number){value, 0} : rounded(value, 0);
}

static number evaluate_node(const nh_pool *pool, nh_expr e, const double *values, const number *slot)
{
    nh_node node = pool->nodes[e];
    nh_expr operands[2];
    int n = nh_operands(pool, e, operands);
    number a = n > 0 ? slot[node.a] : (number){0, 0}, b = n > 1 ? slot[node.b] : (number){0, 0};
    switch (node.kind) {
    case NH_NUMBER: return rational(pool->rationals[node.a]);
    case NH_SYMBOL: return (number){values[node.a], 0};
    case NH_PI: return rounded(3.14159265358979323846, 0);
    case NH_ADD: return rounded(a.value + b.value, a.error + b.error);
    case NH_MUL:
        return rounded(a.value * b.value, fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error);
    case NH_POW: return power(a, b);
    case NH_CALL: return call((nh_function)node.function, a, b);
    default: return (number){NAN, NAN};
    }
}

void nh_evaluate(const nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots, const double *values,
                 double *out, double *errors)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    size_t size = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    number *slot = nh_arena_array(scratch, size, sizeof *slot);
    for (size_t i = 0; i < walk.count; i++)
        slot[walk.nodes[i]] = evaluate_node(pool, walk.nodes[i], values, slot);
    for (size_t i = 0; i < n_roots; i++) {
        out[i] = slot[roots[i]].value;
        if (errors)
            errors[i] = slot[roots[i]].error;
    }
    nh_arena_release(scratch, mark);
}
