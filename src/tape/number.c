#include "tape/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "num/den" with many digits. */
static const char *digits_of(nh_rational value, nh_arena *arena)
{
    nh_text text;
    nh_text_init(&text, arena);
    nh_rational_print(&text, value);
    return nh_text_get(&text);
}

#define NUMBER_OF(REAL, SUFFIX, READ, ARC)                                                 \
    static REAL big_number_##SUFFIX(nh_rational value)                                     \
    {                                                                                      \
        nh_heap heap;                                                                      \
        nh_arena arena;                                                                    \
        nh_heap_init(&heap, NULL, 0);                                                      \
        nh_arena_init(&arena, &heap);                                                      \
        const char *text = digits_of(value, &arena), *slash = strchr(text, '/');           \
        REAL number = READ(text, NULL) / (slash ? READ(slash + 1, NULL) : 1);              \
        nh_arena_free(&arena);                                                             \
        return number;                                                                     \
    }                                                                                      \
                                                                                           \
    REAL nh_number_##SUFFIX(nh_rational value, bool pi)                                    \
    {                                                                                      \
        if (pi)                                                                            \
            return 4 * ARC(1);                                                             \
        return value.big ? big_number_##SUFFIX(value) : (REAL)value.num / (REAL)value.den; \
    }

NUMBER_OF(double, double, strtod, atan)
NUMBER_OF(long double, long, strtold, atanl)
#ifdef NH_HAS_QUAD
NUMBER_OF(__float128, quad, strtoflt128, atanq)
#endif
