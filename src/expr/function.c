/* What functions.def says, as data; and the functions' values in doubles. */
#include "expr/expr.h"

#include <math.h>

#define NAN_ NAN
#define ODD NH_PARITY_ODD
#define EVEN NH_PARITY_EVEN
#define NONE NH_PARITY_NONE

static const nh_function_info table[] = {
#define NH_FUNCTION(name, arity, smooth, parity, at_zero, derivative, taylor, c_name, latex, mathml) \
    {#name, arity, smooth, parity, at_zero, c_name, latex, mathml},
#include "expr/functions.def"
#undef NH_FUNCTION
};

const nh_function_info *nh_function_get(nh_function function) { return &table[function]; }

bool nh_function_find(nh_slice name, nh_function *function)
{
    for (int f = 0; f < NH_FN_COUNT; f++)
        if (nh_slice_is(name, table[f].name)) {
            *function = (nh_function)f;
            return true;
        }
    return false;
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

double nh_function_value(nh_function function, double x, double y)
{
    switch (function) {
    case NH_FN_sin: return sin(x);
    case NH_FN_cos: return cos(x);
    case NH_FN_tan: return tan(x);
    case NH_FN_asin: return asin(x);
    case NH_FN_acos: return acos(x);
    case NH_FN_atan: return atan(x);
    case NH_FN_atan2: return atan2(x, y);
    case NH_FN_sinh: return sinh(x);
    case NH_FN_cosh: return cosh(x);
    case NH_FN_tanh: return tanh(x);
    case NH_FN_exp: return exp(x);
    case NH_FN_log: return log(x);
    case NH_FN_sqrt: return sqrt(x);
    case NH_FN_abs: return fabs(x);
    case NH_FN_sign: return sign(x);
    case NH_FN_min: return isnan(x) || isnan(y) ? NAN : fmin(x, y);
    case NH_FN_max: return isnan(x) || isnan(y) ? NAN : fmax(x, y);
    case NH_FN_COUNT: break;
    }
    return NAN;
}
