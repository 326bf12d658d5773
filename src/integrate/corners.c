/* Where a step by series has to end because of corners, in three precisions: corners.inc. */
#include "integrate/inner.h"

#include <float.h>
#include <string.h>

enum { MOST_LEVELS = 48 };  /* of halving */
enum { MOST_MULTIPLE = 9 }; /* zero that is looked for */

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#define REAL double
#define EPSILON DBL_EPSILON
#define NAME(x) JOIN(x, double)
#define CORNERS nh_corners_double
#include "integrate/corners.inc"
#undef REAL
#undef EPSILON
#undef NAME
#undef CORNERS

#define REAL long double
#define EPSILON LDBL_EPSILON
#define NAME(x) JOIN(x, long)
#define CORNERS nh_corners_long
#include "integrate/corners.inc"
#undef REAL
#undef EPSILON
#undef NAME
#undef CORNERS

#ifdef NH_HAS_QUAD
#define REAL __float128
#define EPSILON FLT128_EPSILON
#define NAME(x) JOIN(x, quad)
#define CORNERS nh_corners_quad
#include "integrate/corners.inc"
#endif
