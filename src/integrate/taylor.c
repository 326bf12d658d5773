/* Integration by Taylor series of the order that the tolerance asks for, in three precisions: taylor.inc. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps of rho e^-2, rho the radius of convergence, and the order that goes with them are cheapest where the time of a step grows with
 * the square of the order (Jorba and Zou). Much of it grows less: longer steps of a higher order are faster, by so much where orders
 * are low, and less where rounding suffers. */
static double more_than_theirs(double tolerance)
{
    double digits = fmin(fmax(-log10(tolerance), 9), 15);
    return 1.7 - 0.4 * (digits - 9) / 6;
}

static size_t order_for(double tolerance, double more)
{
    size_t order = (size_t)ceil(-log(tolerance) / 2 * more + 1);
    return order < 6 ? 6 : order;
}

size_t nh_taylor_order(double tolerance) { return order_for(tolerance, more_than_theirs(tolerance)); }

size_t nh_taylor_order_in_lanes(double tolerance) { return order_for(tolerance, 1.3); }

enum { MOST_MEASUREMENTS = 8 }; /* of the components, for the length of one step; of the unit of time */
enum { MOST_HALVES = 44 };      /* of a step that goes over to another branch of a root */
static const double same_branch = 1e-10, other_branch = 1e-4; /* rates that are as near, or as far apart */
static const double SHORTEST_STEP = 4e-16; /* relative to the time: so that times change, which are doubles */

static inline double larger(double a, double b) { return a > b ? a : b; }

/* x^n */
static double raised(double x, size_t n)
{
    double result = 1;
    for (; n; n /= 2, x *= x)
        result = n % 2 ? result * x : result;
    return result;
}

/* Machine code, where the rest of the run is worth it. */
static void use_code(nh_stepper *s, nh_series_double *series, nh_series_double *probe, double left)
{
    if (series->next_code || !nh_code_pays(s, s->motion->field, s->order, left))
        return;
    const nh_native *code = nh_motion_compile(s->motion);
    nh_series_use(series, code), nh_series_use(probe, code);
}

/* See hidden.inc. */
enum { DEPTH = 32 }; /* of compounds whose bounds are those of their parts */
enum { MOST_ORDERS = 128, MOST_CUTS = 32 };
static const double MUCH = 8; /* more than a series adds up to */

/* How low a polynomial is between 0 and 1, to within a half, by its coefficients in Bernstein's polynomials, which are cut in two by de Casteljau's
 * scheme; 0: it is not more than `nothing`. */
static double least_between(double *b, size_t n, double nothing, int cuts)
{
    double left[MOST_ORDERS], low = b[0], ends = b[0] < b[n] ? b[0] : b[n];
    for (size_t i = 0; i <= n; i++)
        low = fmin(low, b[i]);
    if (!(ends > nothing) || cuts == MOST_CUTS)
        return 0;
    if (low >= ends / 2 && low > nothing)
        return low;
    for (size_t j = 0; j <= n; j++) {
        left[j] = b[0];
        for (size_t i = 0; i + j < n; i++)
            b[i] = (b[i] + b[i + 1]) / 2;
    }
    double before = least_between(left, n, nothing, cuts + 1);
    return before > 0 ? fmin(before, least_between(b, n, nothing, cuts + 1)) : 0;
}

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#define REAL double
#define APART(series) 1 /* registers are */
#define EPSILON DBL_EPSILON
#define CORNERS nh_corners_double
#define USE_CODE(s, left) \
    use_code(s, ((taylor_double *)(s)->own)->series, ((taylor_double *)(s)->own)->probe, left)
#define NAME(x) JOIN(x, double)
#define RANGE range_double
#define LOOK look_double
#define SERIES nh_series_double
#define TAYLOR taylor_double
#define NEW nh_taylor_new
#include "integrate/taylor.inc"

#define APART(series) (series)->of_register
#define FINE 0x1p-64 /* rounding, beside DBL_EPSILON/2 */
#define USE_CODE(s, left) \
    use_code(s, ((taylor_long *)(s)->own)->rough, ((taylor_long *)(s)->own)->probe, left)
#define REAL long double
#define EPSILON LDBL_EPSILON
#define CORNERS nh_corners_long
#define NAME(x) JOIN(x, long)
#define RANGE range_long
#define LOOK look_long
#define SERIES nh_series_long
#define TAYLOR taylor_long
#define NEW nh_taylor_long_new
#include "integrate/taylor.inc"

#ifdef NH_HAS_QUAD
#define APART(series) (series)->of_register
#define FINE 0x1p-113
#define USE_CODE(s, left) \
    use_code(s, ((taylor_quad *)(s)->own)->rough, ((taylor_quad *)(s)->own)->probe, left)
#define REAL __float128
#define EPSILON FLT128_EPSILON
#define CORNERS nh_corners_quad
#define NAME(x) JOIN(x, quad)
#define RANGE range_quad
#define LOOK look_quad
#define SERIES nh_series_quad
#define TAYLOR taylor_quad
#define NEW nh_taylor_quad_new
#include "integrate/taylor.inc"
#else
nh_stepper *nh_taylor_quad_new(const nh_motion *motion, nh_arena *arena, double tolerance)
{
    return nh_taylor_long_new(motion, arena, tolerance);
}
#endif
