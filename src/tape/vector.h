/* Inside tape/, for the files that are compiled for each kind of processor: functions of all numbers of a vector. */
#ifndef NH_TAPE_VECTOR_H
#define NH_TAPE_VECTOR_H

#include "base/vector.h"
#include "tape/processor.h"

#include <math.h>

/* glibc's vector functions, as many lanes at a time as the processor has. */
#if defined(NH_HAVE_MVEC) && defined(NH_FOR_WIDEST)
typedef double piece __attribute__((vector_size(64)));
#define VECTOR_1(f) _ZGVeN8v_##f
#define VECTOR_2(f) _ZGVeN8vv_##f
#elif defined(NH_HAVE_MVEC) && defined(__AVX2__)
typedef double piece __attribute__((vector_size(32)));
#define VECTOR_1(f) _ZGVdN4v_##f
#define VECTOR_2(f) _ZGVdN4vv_##f
#elif defined(NH_HAVE_MVEC)
typedef double piece __attribute__((vector_size(16)));
#define VECTOR_1(f) _ZGVbN2v_##f
#define VECTOR_2(f) _ZGVbN2vv_##f
#endif

#ifdef NH_HAVE_MVEC
piece VECTOR_1(sin)(piece);
piece VECTOR_1(cos)(piece);
piece VECTOR_1(exp)(piece);
piece VECTOR_1(log)(piece);
piece VECTOR_2(pow)(piece, piece);

enum { PARTS = sizeof(lanes) / sizeof(piece) };
typedef union split {
    lanes all;
    piece pieces[PARTS];
} split;

#define BY_PARTS_1(f)                               \
    static inline lanes f##_lanes(lanes x)          \
    {                                               \
        split s = {.all = x};                       \
        for (int i = 0; i < PARTS; i++)             \
            s.pieces[i] = VECTOR_1(f)(s.pieces[i]); \
        return s.all;                               \
    }
BY_PARTS_1(sin)
BY_PARTS_1(cos)
BY_PARTS_1(exp)
BY_PARTS_1(log)

static inline lanes pow_lanes(lanes x, lanes y)
{
    split s = {.all = x}, e = {.all = y};
    for (int i = 0; i < PARTS; i++)
        s.pieces[i] = VECTOR_2(pow)(s.pieces[i], e.pieces[i]);
    return s.all;
}
#endif

#define ONE_BY_ONE(f)                      \
    static inline lanes f##_lanes(lanes x) \
    {                                      \
        for (int i = 0; i < NH_LANES; i++) \
            x[i] = f(x[i]);                \
        return x;                          \
    }
#ifndef NH_HAVE_MVEC
ONE_BY_ONE(sin)
ONE_BY_ONE(cos)
ONE_BY_ONE(exp)
ONE_BY_ONE(log)

static inline lanes pow_lanes(lanes x, lanes y)
{
    for (int i = 0; i < NH_LANES; i++)
        x[i] = pow(x[i], y[i]);
    return x;
}
#endif
ONE_BY_ONE(sinh)
ONE_BY_ONE(cosh)
ONE_BY_ONE(tanh)
ONE_BY_ONE(asin)
ONE_BY_ONE(acos)
ONE_BY_ONE(atan)

static inline lanes sqrt_lanes(lanes x)
{
#ifdef INSTRUCTION
    return (lanes)INSTRUCTION(sqrt)((vector_register)x);
#else
    for (int i = 0; i < NH_LANES; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

static inline lanes fabs_lanes(lanes x) { return magnitude(x); }

/* 1/cosh(x)^2, see series.c */
static inline lanes inverse_square_of_cosh_lanes(lanes x)
{
    lanes e = exp_lanes(-2 * magnitude(x));
    return 4 * e / ((1 + e) * (1 + e));
}

static inline lanes atan2_lanes(lanes y, lanes x)
{
    for (int i = 0; i < NH_LANES; i++)
        y[i] = atan2(y[i], x[i]);
    return y;
}

static inline void sincos_lanes(lanes x, lanes *s, lanes *c) { *s = sin_lanes(x), *c = cos_lanes(x); }

static inline lanes sign_lanes(lanes x)
{
    lanes zero = {0};
    return choose(x < zero, zero - 1, choose(zero < x, zero + 1, zero));
}

#endif
