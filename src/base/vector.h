/* Short words for files that compute with vectors, and are compiled for each kind of processor. */
#ifndef NH_BASE_VECTOR_H
#define NH_BASE_VECTOR_H

#include "base/lanes.h"

#include <stdbool.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

/* The processor's own instruction for all lanes at once, where it has one. */
#if defined(NH_FOR_WIDEST)
typedef __m512d vector_register;
#define INSTRUCTION(name) _mm512_##name##_pd
#elif defined(__AVX2__) && defined(__FMA__)
typedef __m256d vector_register;
#define INSTRUCTION(name) _mm256_##name##_pd
#endif

typedef nh_lanes lanes;
typedef long long masks __attribute__((vector_size(8 * NH_LANES), aligned(8))); /* all bits or none */

static inline lanes in_all_lanes(double x) { return (lanes){0} + x; }

static inline lanes magnitude(lanes x) { return (lanes)((masks)x & 0x7fffffffffffffff); }

static inline lanes choose(masks m, lanes yes, lanes no)
{
    return (lanes)((m & (masks)yes) | (~m & (masks)no));
}

/* a > b ? a : b */
static inline lanes larger(lanes a, lanes b)
{
#ifdef INSTRUCTION
    return (lanes)INSTRUCTION(max)((vector_register)a, (vector_register)b);
#else
    return choose(a > b, a, b);
#endif
}

/* a < b ? a : b */
static inline lanes smaller(lanes a, lanes b)
{
#ifdef INSTRUCTION
    return (lanes)INSTRUCTION(min)((vector_register)a, (vector_register)b);
#else
    return choose(a < b, a, b);
#endif
}

/* a b + c, rounded once where the processor can. */
static inline lanes fused(lanes a, lanes b, lanes c)
{
#ifdef INSTRUCTION
    return (lanes)INSTRUCTION(fmadd)((vector_register)a, (vector_register)b, (vector_register)c);
#else
    return a * b + c;
#endif
}

static inline bool any(masks m)
{
#if defined(NH_FOR_WIDEST)
    return _mm512_movepi64_mask((__m512i)m) != 0;
#elif defined(INSTRUCTION)
    return _mm256_movemask_pd((__m256d)m) != 0;
#else
    long long all = 0;
    for (int lane = 0; lane < NH_LANES; lane++)
        all |= m[lane];
    return all != 0;
#endif
}

#endif
