/* Inside expr/: the field of p = 2^61 - 1 elements. */
#ifndef NH_EXPR_RESIDUE_H
#define NH_EXPR_RESIDUE_H

#include <stdint.h>

#define NH_P ((UINT64_C(1) << 61) - 1)

static inline uint64_t nh_mod_reduce(uint64_t x)
{
    x = (x & NH_P) + (x >> 61);
    return x >= NH_P ? x - NH_P : x;
}

static inline uint64_t nh_mod_add(uint64_t a, uint64_t b) { return nh_mod_reduce(a + b); }
static inline uint64_t nh_mod_sub(uint64_t a, uint64_t b) { return nh_mod_reduce(a + NH_P - b); }

static inline uint64_t nh_mod_mul(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return nh_mod_reduce(((uint64_t)product & NH_P) + (uint64_t)(product >> 61));
}

static inline uint64_t nh_mod_power(uint64_t a, uint64_t n)
{
    uint64_t result = 1;
    for (; n; n >>= 1, a = nh_mod_mul(a, a))
        if (n & 1)
            result = nh_mod_mul(result, a);
    return result;
}

static inline uint64_t nh_mod_inverse(uint64_t a) { return nh_mod_power(a, NH_P - 2); }

#endif
