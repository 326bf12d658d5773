/* What the tests of tape/ share: random expressions of all functions, and tapes of them. */
#ifndef NH_TESTS_TAPE_WORLD_H
#define NH_TESTS_TAPE_WORLD_H

#include "tape/tape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHANGING = 4, CONSTANT = 2, ROOTS = 5 }; /* of a tape: t and three others; parameters; expressions */

typedef struct world {
    nh_heap heap;
    nh_arena arena, scratch;
    nh_pool pool;
    nh_expr changing[CHANGING], constant[CONSTANT];
    nh_expr roots[ROOTS];
    nh_tape *tape;
    uint64_t seed;
} world;

static inline double uniform(world *w, double low, double high)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(w->seed >> 11) / 9007199254740992.0;
}

static inline int below(world *w, int n) { return (int)uniform(w, 0, n); }

static inline nh_expr fraction(world *w, int64_t num, int64_t den)
{
    return nh_div(&w->pool, nh_integer(&w->pool, num), nh_integer(&w->pool, den));
}

static nh_expr expression(world *w, int depth, bool corners);

/* a^2 + b^2 + 1/2: positive. */
static inline nh_expr positive(world *w, int depth, bool corners)
{
    nh_expr a = expression(w, depth, corners), b = expression(w, depth, corners);
    nh_expr squares = nh_add(&w->pool, nh_power(&w->pool, a, 2), nh_power(&w->pool, b, 2));
    return nh_add(&w->pool, squares, fraction(w, 1, 2));
}

/* sin(a)/2: between -1/2 and 1/2. */
static inline nh_expr small(world *w, int depth, bool corners)
{
    nh_expr s = nh_call(&w->pool, NH_FN_sin, expression(w, depth, corners), NH_EXPR_NONE);
    return nh_mul(&w->pool, s, fraction(w, 1, 2));
}

static inline nh_expr function(world *w, int depth, bool corners)
{
    nh_pool *p = &w->pool;
    switch (below(w, corners ? 18 : 14)) {
    case 0: return nh_call(p, NH_FN_sin, expression(w, depth, corners), NH_EXPR_NONE);
    case 1: return nh_call(p, NH_FN_cos, expression(w, depth, corners), NH_EXPR_NONE);
    case 2: return nh_call(p, NH_FN_tan, small(w, depth, corners), NH_EXPR_NONE);
    case 3: return nh_call(p, NH_FN_asin, small(w, depth, corners), NH_EXPR_NONE);
    case 4: return nh_call(p, NH_FN_acos, small(w, depth, corners), NH_EXPR_NONE);
    case 5: return nh_call(p, NH_FN_atan, expression(w, depth, corners), NH_EXPR_NONE);
    case 6: return nh_call(p, NH_FN_atan2, expression(w, depth, corners), positive(w, depth, corners));
    case 7: return nh_call(p, NH_FN_sinh, small(w, depth, corners), NH_EXPR_NONE);
    case 8: return nh_call(p, NH_FN_cosh, small(w, depth, corners), NH_EXPR_NONE);
    case 9: return nh_call(p, NH_FN_tanh, expression(w, depth, corners), NH_EXPR_NONE);
    case 10: return nh_call(p, NH_FN_exp, small(w, depth, corners), NH_EXPR_NONE);
    case 11: return nh_call(p, NH_FN_log, positive(w, depth, corners), NH_EXPR_NONE);
    case 12: return nh_call(p, NH_FN_sqrt, positive(w, depth, corners), NH_EXPR_NONE);
    case 13: return nh_pow(p, positive(w, depth, corners), fraction(w, below(w, 2) ? 1 : -2, 3));
    case 14: return nh_call(p, NH_FN_abs, expression(w, depth, corners), NH_EXPR_NONE);
    case 15: return nh_call(p, NH_FN_sign, expression(w, depth, corners), NH_EXPR_NONE);
    case 16: return nh_call(p, NH_FN_min, expression(w, depth, corners), expression(w, depth, corners));
    default: return nh_call(p, NH_FN_max, expression(w, depth, corners), expression(w, depth, corners));
    }
}

/* A component of the solution of a system whose matrix is nearly a multiple of a permutation: its rows have to be exchanged. */
static inline nh_expr solved(world *w, int depth, bool corners)
{
    enum { N = 3 };
    nh_expr M[N * N], b[N], x[N];
    int shift = below(w, N);
    for (int i = 0; i < N; i++) {
        b[i] = expression(w, depth, corners);
        for (int j = 0; j < N; j++)
            M[i * N + j] = j == (i + shift) % N
                               ? nh_add(&w->pool, nh_integer(&w->pool, 3), small(w, depth, corners))
                           : below(w, 2) ? small(w, depth, corners)
                                         : w->pool.zero;
    }
    nh_solution(&w->pool, N, false, M, b, x);
    return x[below(w, N)];
}

static nh_expr expression(world *w, int depth, bool corners)
{
    nh_pool *p = &w->pool;
    int kind = depth <= 0 ? below(w, 2) : 2 + below(w, 9);
    switch (kind) {
    case 0: return below(w, 4) ? w->changing[below(w, CHANGING)] : w->constant[below(w, CONSTANT)];
    case 1:
        return below(w, 3) ? w->changing[below(w, CHANGING)] : fraction(w, 1 + below(w, 7), 1 + below(w, 3));
    case 2: return nh_add(p, expression(w, depth - 1, corners), expression(w, depth - 1, corners));
    case 3: return nh_sub(p, expression(w, depth - 1, corners), expression(w, depth - 1, corners));
    case 4:
    case 5: return nh_mul(p, expression(w, depth - 1, corners), expression(w, depth - 1, corners));
    case 6: return nh_div(p, expression(w, depth - 1, corners), positive(w, depth - 2, corners));
    case 7: return nh_power(p, expression(w, depth - 1, corners), 2 + below(w, 3));
    case 8: return depth > 2 ? solved(w, depth - 3, corners) : nh_neg(p, expression(w, depth - 1, corners));
    default: return function(w, depth - 2, corners);
    }
}

/* Other expressions, from a seed. */
static inline void world_begin(world *w, uint64_t seed, bool corners)
{
    memset(w, 0, sizeof *w);
    w->seed = seed * 2654435761u + 1;
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap), nh_arena_init(&w->scratch, &w->heap);
    nh_pool_init(&w->pool, &w->arena);
    for (int i = 0; i < CHANGING; i++)
        w->changing[i] = nh_symbol(&w->pool, (char[]){"txyz"[i], '\0'});
    for (int i = 0; i < CONSTANT; i++)
        w->constant[i] = nh_symbol(&w->pool, (char[]){"ab"[i], '\0'});
    for (int i = 0; i < ROOTS; i++)
        do
            w->roots[i] = expression(w, 4, corners);
        while (!w->roots[i]); /* 0/0 and the like */
    w->tape = nh_tape_new(&w->pool, &w->arena, &w->scratch, w->roots, ROOTS, w->changing, CHANGING,
                          w->constant, CONSTANT, below(w, 2) ? NH_FOR_VALUES : NH_FOR_SERIES);
}

static inline void world_end(world *w)
{
    nh_pool_free(&w->pool);
    nh_arena_free(&w->scratch);
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
}

/* |a - b| <= tolerance (1 + |a| + |b|), both finite. */
#define assert_close(a, b, tolerance)                                                              \
    do {                                                                                           \
        double close_a_ = (double)(a), close_b_ = (double)(b);                                     \
        if (!(fabs(close_a_ - close_b_) <= (tolerance) * (1 + fabs(close_a_) + fabs(close_b_)))) { \
            print_error("%s:%d: %.17g and %.17g\n", __FILE__, __LINE__, close_a_, close_b_);       \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
