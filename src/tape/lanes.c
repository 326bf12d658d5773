/* Taylor series of eight motions at once: series.inc with vectors for numbers. Compiled for each kind of processor. */
#define _GNU_SOURCE
#include "tape/inner.h"
#include "tape/number.h"
#include "tape/processor.h"

#include <math.h>
#include <string.h>

typedef nh_lanes lanes;
typedef long long masks __attribute__((vector_size(8 * NH_LANES), aligned(8)));

/* yes where a < b, no elsewhere */
static inline lanes where_less(lanes a, lanes b, lanes yes, lanes no)
{
    masks less = a < b;
    return (lanes)((less & (masks)yes) | (~less & (masks)no));
}

/* ---------------------------------------------------------------- functions */

/* glibc's vector functions, as many lanes at a time as the processor has. */
#if defined(NH_HAVE_MVEC) && defined(__AVX2__)
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
    static lanes f##_lanes(lanes x)                 \
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

static lanes pow_lanes(lanes x, lanes y)
{
    split s = {.all = x}, e = {.all = y};
    for (int i = 0; i < PARTS; i++)
        s.pieces[i] = VECTOR_2(pow)(s.pieces[i], e.pieces[i]);
    return s.all;
}
#endif

#define ONE_BY_ONE(f)                      \
    static lanes f##_lanes(lanes x)        \
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

static lanes pow_lanes(lanes x, lanes y)
{
    for (int i = 0; i < NH_LANES; i++)
        x[i] = pow(x[i], y[i]);
    return x;
}
#endif
ONE_BY_ONE(sqrt)
ONE_BY_ONE(sinh)
ONE_BY_ONE(cosh)
ONE_BY_ONE(asin)
ONE_BY_ONE(acos)
ONE_BY_ONE(atan)
ONE_BY_ONE(fabs)

static lanes atan2_lanes(lanes y, lanes x)
{
    for (int i = 0; i < NH_LANES; i++)
        y[i] = atan2(y[i], x[i]);
    return y;
}

static void sincos_lanes(lanes x, lanes *s, lanes *c) { *s = sin_lanes(x), *c = cos_lanes(x); }

static lanes sign_lanes(lanes x)
{
    lanes zero = {0};
    return where_less(x, zero, zero - 1, where_less(zero, x, zero + 1, zero));
}

/* ---------------------------------------------------------------- sums */

/* As in sweep.c: sum_{j=1..k-1} w_j x_j y_{k-j}, and of the next order what is known of it. w_j: 1 or j. */
static inline __attribute__((always_inline)) void sum_two(const lanes *x, const lanes *y, const size_t k, const bool weighted,
                                                          lanes *sum, lanes *prepared)
{
    lanes now = {0}, next = {0}, before = y[k - 1];
    if (k > 1)
        now = x[1] * before;
#pragma GCC unroll 32
    for (size_t j = 2; j < k; j++) {
        lanes a = weighted ? (double)j * x[j] : x[j], c = y[k - j];
        next += a * before;
        now += a * c;
        before = c;
    }
    *sum = now, *prepared = next;
}

static void complete(const lanes *x, const lanes *y, size_t k, bool weighted, lanes *sum, const lanes *prepared)
{
    double weight = weighted ? (double)(k - 1) : 1;
    lanes all = *prepared + x[1] * y[k - 1];
    *sum = k > 2 ? all + weight * x[k - 1] * y[1] : all;
}

/* All slots, for an odd k. */
static inline __attribute__((always_inline)) void sum_order(nh_series_lanes *s, const size_t k)
{
    const nh_slot *slots = s->tape->slots;
    lanes *sums = s->sums, *prepared = s->sums + s->tape->n_slots;
    for (size_t p = 0; p < s->tape->n_slots; p++) {
        const lanes *x = s->r + slots[p].x * s->stride, *y = s->r + slots[p].y * s->stride;
        if (slots[p].weighted)
            sum_two(x, y, k, true, &sums[p], &prepared[p]);
        else
            sum_two(x, y, k, false, &sums[p], &prepared[p]);
    }
}

static void complete_order(nh_series_lanes *s, size_t k)
{
    const nh_slot *slots = s->tape->slots;
    lanes *prepared = s->sums + s->tape->n_slots;
    for (size_t p = 0; p < s->tape->n_slots; p++) {
        const lanes *x = s->r + slots[p].x * s->stride, *y = s->r + slots[p].y * s->stride;
        complete(x, y, k, slots[p].weighted, &s->sums[p], &prepared[p]);
    }
}

/* The orders that are used most have code of their own, without loops: where loops are short, it is their ends that take time. */
static void sum_all(nh_series_lanes *s, size_t k)
{
    if (k % 2 == 0) {
        complete_order(s, k);
        return;
    }
    switch (k) {
#define ORDER(n) \
    case n: sum_order(s, n); break;
        ORDER(1) ORDER(3) ORDER(5) ORDER(7) ORDER(9) ORDER(11) ORDER(13) ORDER(15) ORDER(17) ORDER(19) ORDER(21)
#undef ORDER
    default: sum_order(s, k);
    }
}

/* ---------------------------------------------------------------- series */

#define LANES NH_LANES
#define LANE(x, i) (x)[i]
#define ZERO ((lanes){0})
#define ABSOLUTE(x) fabs(x)
#define SIGN(x) sign_lanes(x)
#define LESS(a, b, yes, no) where_less(a, b, yes, no)
#define NUMBER(value, pi) nh_number_double(value, pi)
#define NEW_REALS(arena, count) nh_new_numbers(arena, count, sizeof(lanes))
#define SCALAR double
#define REAL lanes
#define FN(f) f##_lanes
#define SERIES nh_series_lanes
#define NAME(x) NAME_##x
#define NAME_nh_series_new NH_FOR(nh_series_new_lanes)
#define NAME_nh_series_constants NH_FOR(nh_series_constants_lanes)
#define NAME_nh_series_step NH_FOR(nh_series_step_lanes)
#define OWN_SUMS(s, k) sum_all(s, k)
#define NAME_arc arc_lanes
#define NAME_factor factor_one
#define NAME_factor_lanes factor_all
#define NAME_back back_one
#define NAME_solve solve_lanes
#define NAME_value value_lanes
#define NAME_next next_lanes
#define NAME_make_systems make_systems
#include "tape/series.inc"

/* ---------------------------------------------------------------- for machine code */

#define FOR_CODE_1(f)                                                \
    static void f##_code(const lanes *a, const lanes *b, lanes *out) \
    {                                                                \
        (void)b;                                                     \
        *out = f##_lanes(*a);                                        \
    }
FOR_CODE_1(exp)
FOR_CODE_1(log)
FOR_CODE_1(sinh)
FOR_CODE_1(cosh)
FOR_CODE_1(asin)
FOR_CODE_1(acos)
FOR_CODE_1(atan)

static void pow_code(const lanes *a, const lanes *b, lanes *out) { *out = pow_lanes(*a, *b); }

static void atan2_code(const lanes *a, const lanes *b, lanes *out) { *out = atan2_lanes(*a, *b); }

static void sincos_code(const lanes *a, const lanes *b, lanes *out)
{
    (void)b;
    sincos_lanes(*a, &out[0], &out[1]);
}

static int solve_code(void *series, const nh_step *step, double k)
{
    return solve_lanes(series, step, (size_t)k);
}

const nh_lanes_code NH_FOR(nh_lanes_code) = {sincos_code, exp_code,   log_code,  pow_code,
                                             sinh_code,   cosh_code,  asin_code, acos_code,
                                             atan_code,   atan2_code, solve_code};
