/* Taylor series in double, long double and quadruple precision: series.inc, three times. */
#include "tape/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

/* "num/den" with many digits. */
static const char *digits_of(nh_rational value, nh_arena *arena)
{
    nh_text text;
    nh_text_init(&text, arena);
    nh_rational_print(&text, value);
    return nh_text_get(&text);
}

#define BIG_NUMBER(REAL, SUFFIX, READ)                                           \
    static REAL big_number_##SUFFIX(nh_rational value)                           \
    {                                                                            \
        nh_heap heap;                                                            \
        nh_arena arena;                                                          \
        nh_heap_init(&heap, NULL, 0);                                            \
        nh_arena_init(&arena, &heap);                                            \
        const char *text = digits_of(value, &arena), *slash = strchr(text, '/'); \
        REAL number = READ(text, NULL) / (slash ? READ(slash + 1, NULL) : 1);    \
        nh_arena_free(&arena);                                                   \
        return number;                                                           \
    }
BIG_NUMBER(double, double, strtod)
BIG_NUMBER(long double, long, strtold)
#ifdef NH_HAS_QUAD
BIG_NUMBER(__float128, quad, strtoflt128)
#endif

#define REAL double
#define FN(f) f
#define NAME(x) JOIN(x, double)
#define SERIES nh_series_double
#include "tape/series.inc"
#undef REAL
#undef FN
#undef NAME
#undef SERIES

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
