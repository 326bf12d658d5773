/* Short words for files that compute with vectors, and are compiled for each kind of processor. */
#ifndef NH_BASE_VECTOR_H
#define NH_BASE_VECTOR_H

#include "base/lanes.h"

#include <stdbool.h>
#ifdef __AVX__
#include <immintrin.h>
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
#ifdef __AVX__
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return choose(a > b, a, b);
#endif
}

/* a < b ? a : b */
static inline lanes smaller(lanes a, lanes b)
{
#ifdef __AVX__
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return choose(a < b, a, b);
#endif
}

/* a b + c, rounded once where the processor can. */
static inline lanes fused(lanes a, lanes b, lanes c)
{
#ifdef __FMA__
    return (lanes)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return a * b + c;
#endif
}

static inline bool any(masks m)
{
#ifdef __AVX__
    return _mm256_movemask_pd((__m256d)m) != 0;
#else
    long long all = 0;
    for (int lane = 0; lane < NH_LANES; lane++)
        all |= m[lane];
    return all != 0;
#endif
}

#endif
