/* Integration by Taylor series of the order that the tolerance asks for, in three precisions: taylor.inc. */
#include "integrate/inner.h"

#include <math.h>
#include <string.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#define REAL double
#define NAME(x) JOIN(x, double)
#define SERIES nh_series_double
#define TAYLOR taylor_double
#define NEW nh_taylor_new
#include "integrate/taylor.inc"
#undef REAL
#undef NAME
#undef SERIES
#undef TAYLOR
#undef NEW

#define REAL long double
#define NAME(x) JOIN(x, long)
#define SERIES nh_series_long
#define TAYLOR taylor_long
#define NEW nh_taylor_long_new
#include "integrate/taylor.inc"
#undef REAL
#undef NAME
#undef SERIES
#undef TAYLOR
#undef NEW

#ifdef NH_HAS_QUAD
#define REAL __float128
#define NAME(x) JOIN(x, quad)
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
