/* Evaluation in doubles, with a bound for the rounding errors. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <float.h>
#include <math.h>

typedef struct number {
    double value, error; /* |computed - true| <= error */
} number;

/* |f'(x)|, and for two arguments the larger of the two partial derivatives. */
static double slope(nh_function function, double x, double y, double f)
{
    switch (function) {
    case NH_FN_sin: return fabs(cos(x));
    case NH_FN_cos: return fabs(sin(x));
    case NH_FN_tan: return 1 + f * f;
    case NH_FN_asin:
    case NH_FN_acos: return 1 / sqrt(1 - x * x);
    case NH_FN_atan: return 1 / (1 + x * x);
    case NH_FN_atan2: return 1 / sqrt(x * x + y * y);
    case NH_FN_sinh: return cosh(x);
    case NH_FN_cosh: return fabs(sinh(x));
    case NH_FN_tanh: return 1 - f * f;
    case NH_FN_exp: return f;
    case NH_FN_log: return 1 / fabs(x);
    case NH_FN_sqrt: return 0.5 / f;
    case NH_FN_sign: return 0;
    default: return 1;
    }
}

static number rounded(double value, double error) { return (number){value, error + fabs(value) * DBL_EPSILON}; }

static number integer_power(number a, double n)
{
    double value = pow(a.value, n);
    return rounded(value, a.error == 0 ? 0 : fabs(n * value / a.value) * a.error);
}

static number power(number a, number b)
{
    if (b.error == 0)
        return integer_power(a, b.value);
    double value = pow(a.value, b.value);
    double from_base = fabs(b.value * value / a.value) * a.error;
    return rounded(value, from_base + fabs(value * log(a.value)) * b.error);
}

static number call(nh_function function, number a, number b)
{
    bool two = nh_function_get(function)->arity == 2;
    double f = nh_function_value(function, a.value, b.value);
    double inherited = a.error + (two ? b.error : 0);
    double passed = inherited == 0 ? 0 : slope(function, a.value, b.value, f) * inherited;
    return rounded(f, passed + fabs(f) * DBL_EPSILON);
}

static number rational(nh_rational exact)
{
    double value = nh_rational_to_double(exact);
    bool whole = !exact.big && exact.den == 1 && fabs(value) <= 0x1p53;
    return (number){value, whole ? 0 : fabs(value) * DBL_EPSILON};
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
