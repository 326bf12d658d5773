/* Inside tape/, included by its door: tapes on Taylor series, in double, long double and quadruple precision. */
#ifndef NH_TAPE_MACHINE_H
#define NH_TAPE_MACHINE_H

#if defined(__SIZEOF_FLOAT128__) && defined(__has_include) && __has_include(<quadmath.h>)
#include <quadmath.h>
#define NH_HAS_QUAD 1
#endif

#define NH_MACHINE_OF(REAL, SUFFIX)                                                                              \
    typedef struct nh_series_##SUFFIX {                                                                          \
        const nh_tape *tape;                                                                                     \
        size_t order, stride; /* coefficients of a register: stride apart */                                     \
        REAL *r;              /* registers, coefficient k of register i at i*stride + k */                       \
        REAL *factors;        /* of the linear systems, one behind the other */                                  \
        size_t *pivots;                                                                                          \
        size_t *factors_at, *pivots_at; /* by system */                                                          \
    } nh_series_##SUFFIX;                                                                                        \
                                                                                                                 \
    nh_series_##SUFFIX *nh_series_new_##SUFFIX(const nh_tape *, nh_arena *, size_t order);                       \
    /* The inputs that do not change, and all that follows from them. */                                         \
    bool nh_series_constants_##SUFFIX(nh_series_##SUFFIX *, const REAL *constants);                              \
    /* Coefficient k of every register, from those of the inputs up to k; false: a linear system is singular. */ \
    bool nh_series_step_##SUFFIX(nh_series_##SUFFIX *, size_t k);                                                \
    REAL nh_series_number_##SUFFIX(nh_rational value, bool pi);

NH_MACHINE_OF(double, double)
NH_MACHINE_OF(long double, long)
#ifdef NH_HAS_QUAD
NH_MACHINE_OF(__float128, quad)
#endif

#endif
