#include "tape/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "num/den" with many digits as two numbers times the same power of 10, so that the second one is between 1/10 and 1: neither is too large or too small,
 * unless their quotient is. */
typedef struct two_texts {
    const char *num, *den;
} two_texts;

static two_texts texts_of(nh_rational value, nh_arena *arena)
{
    nh_text all, num, den;
    nh_text_init(&all, arena), nh_text_init(&num, arena), nh_text_init(&den, arena);
    nh_rational_print(&all, value);
    const char *text = nh_text_get(&all), *slash = strchr(text, '/');
    size_t length = slash ? strlen(slash + 1) : 1;
    nh_text_format(&num, "%.*se-%zu", (int)(slash ? slash - text : (ptrdiff_t)strlen(text)), text, length);
    nh_text_format(&den, "%se-%zu", slash ? slash + 1 : "1", length);
    return (two_texts){nh_text_get(&num), nh_text_get(&den)};
}

#define NUMBER_OF(REAL, SUFFIX, READ, ARC)                                                 \
    static REAL big_number_##SUFFIX(nh_rational value)                                     \
    {                                                                                      \
        nh_heap heap;                                                                      \
        nh_arena arena;                                                                    \
        nh_heap_init(&heap, NULL, 0);                                                      \
        nh_arena_init(&arena, &heap);                                                      \
        two_texts texts = texts_of(value, &arena);                                         \
        REAL number = READ(texts.num, NULL) / READ(texts.den, NULL);                       \
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

double nh_number_double(nh_rational value, bool pi)
{
    return pi ? 4 * atan(1) : nh_rational_to_double(value);
}

NUMBER_OF(long double, long, strtold, atanl)
#ifdef NH_HAS_QUAD
NUMBER_OF(__float128, quad, strtoflt128, atanq)
#endif
