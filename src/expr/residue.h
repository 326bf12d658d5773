/* Inside expr/, included by its door: fields of p elements, p = 2^61 - c with a small c. p + 1 is divisible by 2^17 at least: the circle
 * c^2 + s^2 = 1 has so many points, and angles can be halved 16 times, beginning with pi. */
#ifndef NH_EXPR_RESIDUE_H
#define NH_EXPR_RESIDUE_H

#include <stdint.h>

#define NH_P ((UINT64_C(1) << 61) - 1)
#define NH_P_OTHER ((UINT64_C(1) << 61) - (UINT64_C(1) << 17) - 1)

static inline uint64_t nh_field_reduce(uint64_t p, uint64_t x)
{
    x = (x & NH_P) + (x >> 61) * (NH_P + 1 - p);
    return x >= p ? x - p : x;
}

static inline uint64_t nh_field_add(uint64_t p, uint64_t a, uint64_t b) { return nh_field_reduce(p, a + b); }
static inline uint64_t nh_field_sub(uint64_t p, uint64_t a, uint64_t b)
{
    return nh_field_reduce(p, a + p - b);
}

static inline uint64_t nh_field_mul(uint64_t p, uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    product = (product & NH_P) + (product >> 61) * (NH_P + 1 - p); /* below 2^79 */
    return nh_field_reduce(p, (uint64_t)(product & NH_P) + (uint64_t)(product >> 61) * (NH_P + 1 - p));
}

static inline uint64_t nh_field_power(uint64_t p, uint64_t a, uint64_t n)
{
    uint64_t result = 1;
    for (; n; n >>= 1, a = nh_field_mul(p, a, a))
        if (n & 1)
            result = nh_field_mul(p, result, a);
    return result;
}

static inline uint64_t nh_field_inverse(uint64_t p, uint64_t a) { return nh_field_power(p, a, p - 2); }

/* The first of them. */
static inline uint64_t nh_mod_add(uint64_t a, uint64_t b) { return nh_field_add(NH_P, a, b); }
static inline uint64_t nh_mod_sub(uint64_t a, uint64_t b) { return nh_field_sub(NH_P, a, b); }
static inline uint64_t nh_mod_mul(uint64_t a, uint64_t b) { return nh_field_mul(NH_P, a, b); }
static inline uint64_t nh_mod_inverse(uint64_t a) { return nh_field_inverse(NH_P, a); }

#endif
