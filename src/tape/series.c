/* Taylor series in double, long double and quadruple precision: series.inc, three times. */
#define _GNU_SOURCE /* sincos */
#include "tape/inner.h"

#include <math.h>
#include <string.h>

#include "tape/number.h"

/* A vector of numbers does not cross a line of the cache if the first one does not. */
void *nh_new_numbers(nh_arena *arena, size_t count, size_t size)
{
    enum { LINE = 64 };
    char *all = nh_arena_array(arena, (count + 1) * size + LINE, 1);
    all += LINE - (uintptr_t)all % LINE;
    return memset(all, 0, (count + 1) * size);
}

/* 1/cosh(x)^2 = 4 e/(1 + e)^2, e = exp(-2 |x|): also where cosh(x) is too large to be a number. */
#define INVERSE_SQUARE_OF_COSH(REAL, f)           \
    static REAL inverse_square_of_cosh##f(REAL x) \
    {                                             \
        REAL e = exp##f(-2 * fabs##f(x));         \
        return 4 * e / ((1 + e) * (1 + e));       \
    }
INVERSE_SQUARE_OF_COSH(double, )
INVERSE_SQUARE_OF_COSH(long double, l)
#ifdef NH_HAS_QUAD
INVERSE_SQUARE_OF_COSH(__float128, q)
#endif

double nh_inverse_square_of_cosh(double x) { return inverse_square_of_cosh(x); }

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define LANES 1
#define LANE(x, i) (*((void)(i), &(x)))
#define ZERO ((REAL)0)
#define ABSOLUTE(x) FN(fabs)(x)
#define SIGN(x) ((REAL)(((x) > 0) - ((x) < 0)))
#define LESS(a, b, yes, no) ((a) < (b) ? (yes) : (no))
#define FUSED(a, b, c) ((a) * (b) + (c))
#define NUMBER(value, pi) NAME(nh_number)(value, pi)
#define NEW_REALS(arena, count) nh_new_numbers(arena, count, sizeof(REAL))
#define SCALAR REAL

#define REAL double
#define FN(f) f
#define NAME(x) JOIN(x, double)
#define SERIES nh_series_double
#define ROWS
#include "tape/series.inc"
#undef REAL
#undef FN
#undef NAME
#undef SERIES
#undef ROWS

int nh_series_solve(void *s, const nh_step *step, double k) { return solve_double(s, step, (size_t)k); }

#define REAL long double
#define FN(f) f##l
#define NAME(x) JOIN(x, long)
#define SERIES nh_series_long
#include "tape/series.inc"
#undef REAL
#undef FN
#undef NAME
#undef SERIES

#ifdef NH_HAS_QUAD
#define REAL __float128
#define FN(f) f##q
#define NAME(x) JOIN(x, quad)
#define SERIES nh_series_quad
#include "tape/series.inc"
#endif
