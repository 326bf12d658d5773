/* Taylor series of several motions at once: series.inc with vectors for numbers. Compiled for each kind of processor. */
#include "tape/number.h"
#include "tape/vector.h"

#include <string.h>

/* ---------------------------------------------------------------- sums */

/* As in sweep.c: now = sum_{j=1..k-1} x_j y_{k-j} and, of the next order, next = sum_{j=2..k-1} x_j y_{k+1-j}, for an odd k > 2 and
 * `count` rows y beside one x. The coefficients k-1 come last: they may still be on their way. One code for all orders, entered
 * where their terms begin: where loops are short, it is their ends that take time, and code for each order takes time to be read. */
static inline __attribute__((always_inline)) void sum_two(const lanes *x, const lanes *const *y, size_t k,
                                                          const int count, lanes *now, lanes *next)
{
    const lanes *end = x + k;
    lanes before[NH_MOST_SHARING], c[NH_MOST_SHARING];
    size_t t = k - 3; /* k - j */
    for (int i = 0; i < count; i++)
        now[i] = next[i] = (lanes){0}, before[i] = y[i][k - 2];
#define TERM(t, last, this)                                                                             \
    for (int i = 0; i < count; i++) {                                                                   \
        this[i] = y[i][t];                                                                              \
        next[i] = fused(*(end - (t)), last[i], next[i]), now[i] = fused(*(end - (t)), this[i], now[i]); \
    }
#define TERMS(t)           \
    TERM(t, before, c)     \
    TERM((t)-1, c, before) \
    __attribute__((fallthrough))
    for (; t > 18; t -= 2) {
        TERM(t, before, c)
        TERM(t - 1, c, before)
    }
    switch (t) {
    case 18: TERMS(18);
    case 16: TERMS(16);
    case 14: TERMS(14);
    case 12: TERMS(12);
    case 10: TERMS(10);
    case 8: TERMS(8);
    case 6: TERMS(6);
    case 4: TERMS(4);
    case 2: TERM(2, before, c) TERM(1, c, before) default : break;
    }
    for (int i = 0; i < count; i++) {
        next[i] = fused(x[2], y[i][k - 1], next[i]), now[i] = fused(x[2], y[i][k - 2], now[i]);
        now[i] = fused(x[1], y[i][k - 1], now[i]);
    }
#undef TERM
#undef TERMS
}

/* The same of a square: 2 sum_{1 <= j < k/2} x_j x_{k-j}, and 2 sum_{2 <= j < (k+1)/2} x_j x_{k+1-j} + x_{(k+1)/2}^2. */
static void square_two(const lanes *x, size_t k, lanes *sum, lanes *prepared)
{
    lanes now = {0}, next = {0};
    if (k > 2) {
        for (size_t j = 2; j < (k + 1) / 2; j++)
            now = fused(x[j], x[k - j], now), next = fused(x[j], x[k + 1 - j], next);
        now = 2 * fused(x[1], x[k - 1], now);
        next = fused(x[(k + 1) / 2], x[(k + 1) / 2], 2 * next);
    }
    *sum = now, *prepared = next;
}

/* Where the rows of a sharing are; see make_places. */
typedef struct places {
    const lanes *x, *y[NH_MOST_SHARING];
} places;

/* All sharings of `count` slots, for an odd k; sums and, behind all of these, what is prepared stand in their order. */
static inline __attribute__((always_inline)) void sum_sharings(const nh_series_lanes *s, const places **g,
                                                               lanes **sums, size_t k, const int count)
{
    lanes now[NH_MOST_SHARING], next[NH_MOST_SHARING];
    size_t n_slots = s->tape->n_slots;
    for (const places *end = *g + s->tape->n_sharing[count]; *g < end; ++*g, *sums += count) {
        sum_two((*g)->x, (*g)->y, k, count, now, next);
        for (int i = 0; i < count; i++)
            (*sums)[i] = now[i], (*sums)[n_slots + (size_t)i] = next[i];
    }
}

static void sum_order(const nh_series_lanes *s, size_t k)
{
    const places *g = s->places;
    lanes *sums = s->sums;
    if (k == 1) {
        memset(sums, 0, s->tape->n_slots * sizeof *sums);
        return;
    }
    sum_sharings(s, &g, &sums, k, 2);
    sum_sharings(s, &g, &sums, k, 1);
    for (size_t p = 0; p < s->tape->n_sharing[0]; p++, g++, sums++)
        square_two(g->x, k, sums, sums + s->tape->n_slots);
}

/* What is missing of an even k: x_1 y_{k-1} + x_{k-1} y_1. */
static void complete_order(const nh_series_lanes *s, size_t k)
{
    const nh_tape *t = s->tape;
    for (size_t p = 0; p < t->n_slots; p++) {
        const nh_slot *slot = &t->slots[p];
        const lanes *x = s->r + slot->rows[0] * s->stride, *y = s->r + slot->rows[1] * s->stride;
        lanes sum = fused(x[1], y[k - 1], s->sums[t->n_slots + slot->place]);
        s->sums[slot->place] = fused(x[k - 1], y[1], sum);
    }
}

/* The sums of order 2: x_1 y_1. */
static void sum_second_order(const nh_series_lanes *s)
{
    const nh_tape *t = s->tape;
    const places *g = s->places;
    lanes *sums = s->sums;
    for (int count = NH_MOST_SHARING; count >= 0; count--)
        for (const places *end = g + t->n_sharing[count]; g < end; g++) {
            *sums++ = g->x[1] * g->y[0][1];
            if (count > 1)
                *sums++ = g->x[1] * g->y[1][1];
        }
}

static void sum_all(nh_series_lanes *s, size_t k)
{
    k % 2 ? sum_order(s, k) : k == 2 ? sum_second_order(s) : complete_order(s, k);
}

/* Coefficients k >= 1 by machine code. */
static bool run_code(nh_series_lanes *s, size_t k)
{
    bool completes = s->complete_code && k > 2 && k % 2 == 0;
    const lanes *sums = completes ? s->sums + s->tape->n_slots : s->sums;
    if (!completes)
        sum_all(s, k);
    return (completes ? s->complete_code : s->next_code)(s->r, s->r + k, sums, s->parts + k + 1, NULL,
                                                         (double)k, s->parts[k], 0, s);
}

/* j u_j to where the sums find it. */
static void weigh(nh_series_lanes *s, size_t k)
{
    const nh_tape *t = s->tape;
    for (size_t i = 0; i < t->n_weighted; i++)
        s->r[(t->n_registers + i) * s->stride + k] = (double)k * s->r[t->weighted[i] * s->stride + k];
}

static void make_places(nh_series_lanes *s, nh_arena *arena)
{
    const nh_tape *t = s->tape;
    size_t count = 0;
    for (int i = 0; i <= NH_MOST_SHARING; i++)
        count += t->n_sharing[i];
    places *all = nh_arena_array(arena, count + 1, sizeof *all);
    for (size_t p = 0; p < count; p++) {
        all[p].x = s->r + t->sharings[p].x * s->stride;
        for (int i = 0; i < NH_MOST_SHARING; i++)
            all[p].y[i] = s->r + t->sharings[p].y[i] * s->stride;
    }
    s->places = all;
}

/* ---------------------------------------------------------------- series */

#define LANES NH_LANES
#define LANE(x, i) (x)[i]
#define ZERO ((lanes){0})
#define ABSOLUTE(x) fabs(x)
#define SIGN(x) sign_lanes(x)
#define LESS(a, b, yes, no) choose((a) < (b), yes, no)
#define FUSED(a, b, c) fused(a, b, c)
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
#define RUN_CODE(s, k) run_code(s, k)
#define SPREAD(s, k) weigh(s, k)
#define STRIDE(order) nh_lanes_stride(order)
#define MAKE_PLACES(s, arena) make_places(s, arena)
#define NAME_arc arc_lanes
#define NAME_factor factor_one
#define NAME_factor_lanes factor_all
#define NAME_back back_one
#define NAME_solve solve_lanes
#define NAME_value value_lanes
#define NAME_next next_lanes
#define NAME_make_systems make_systems
#define NAME_run_values run_values
#define NAME_run_next run_next
#include "tape/series.inc"

/* By machine code, two orders at a time. */
static bool flow_by_code(nh_series_lanes *s)
{
    size_t order = s->order;
    lanes *r = s->r, *sums = s->sums, *prepared = sums + s->tape->n_slots;
    nh_next_code *next = s->next_code, *complete = s->complete_code;
    int regular = s->value_code(r, s);
    for (size_t k = 1; k < order; k += 2) {
        sum_order(s, k);
        regular &= next(r, r + k, sums, s->parts + k + 1, NULL, (double)k, s->parts[k], 0, s);
        if (k + 1 == order)
            break;
        if (k == 1)
            sum_second_order(s);
        regular &= (k == 1 ? next : complete)(r, r + k + 1, k == 1 ? sums : prepared, s->parts + k + 2, NULL,
                                              (double)(k + 1), s->parts[k + 1], 0, s);
    }
    return regular;
}

bool NH_FOR(nh_series_flow_lanes)(nh_series_lanes *s)
{
    const uint32_t *outputs = s->tape->outputs;
    bool regular = true;
    if (s->flows && s->complete_code)
        return flow_by_code(s);
    for (size_t k = 0; k < s->order; k++) {
        regular = (k && s->next_code ? run_code(s, k) : NH_FOR(nh_series_step_lanes)(s, k)) && regular;
        lanes part = s->parts[k + 1] * s->r[1];
        for (size_t i = 0; i < s->tape->n_outputs && !s->flows; i++)
            s->r[(1 + i) * s->stride + k + 1] = s->r[outputs[i] * s->stride + k] * part;
    }
    return regular;
}

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
FOR_CODE_1(tanh)
FOR_CODE_1(inverse_square_of_cosh)
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

const nh_lanes_code NH_FOR(nh_lanes_code) = {NH_LANES,   sincos_code, exp_code,
                                             log_code,   pow_code,    sinh_code,
                                             cosh_code,  tanh_code,   inverse_square_of_cosh_code,
                                             asin_code,  acos_code,   atan_code,
                                             atan2_code, solve_code};
