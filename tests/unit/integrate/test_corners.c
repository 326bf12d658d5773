/* Where a step ends because of a corner: the first odd zero of a polynomial, whose zeros are chosen. */
#include "integrate/inner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DEGREE = 20, TRIES = 4000 };

typedef struct polynomial {
    long double c[DEGREE + 1];
    size_t degree;
} polynomial;

/* p *= a + b u + c u^2 */
static void multiply(polynomial *p, long double a, long double b, long double c)
{
    p->degree += c != 0 ? 2 : 1;
    assert_true(p->degree <= DEGREE);
    for (size_t k = p->degree + 1; k-- > 0;)
        p->c[k] = a * p->c[k] + (k > 0 ? b * p->c[k - 1] : 0) + (k > 1 ? c * p->c[k - 2] : 0);
}

static double uniform(uint64_t *random)
{
    *random += 0x9e3779b97f4a7c15u;
    return (double)(nh_hash(*random) >> 11) * 0x1p-53;
}

typedef struct room {
    nh_heap heap;
    nh_arena arena;
} room;

static void open_room(room *r)
{
    nh_heap_init(&r->heap, NULL, 0);
    nh_arena_init(&r->arena, &r->heap);
}

static double end_of(room *r, const polynomial *p, bool is_sign, bool *leaves)
{
    nh_corners_double *c = nh_corners_new_double(&r->arena, DEGREE);
    for (size_t k = 0; k <= DEGREE; k++)
        c->powers[k] = (double)p->c[k];
    *leaves = false;
    return nh_corners_part_double(c, is_sign, leaves);
}

/* What has no zeros in [0, 1]: pairs beside it, and far ones. */
static void multiply_others(polynomial *p, uint64_t *random)
{
    for (int k = (int)(3 * uniform(random)); k > 0; k--) {
        double a = uniform(random), b = 0.15 + uniform(random);
        multiply(p, a * a + b * b, -2 * a, 1);
    }
    if (uniform(random) < 0.5)
        multiply(p, 1.3 + uniform(random), -1, 0);
    if (uniform(random) < 0.5)
        multiply(p, 0.3 + uniform(random), 1, 0);
}

/* Up to five simple zeros, a tenth and more apart. */
static void first_of_several(void **state)
{
    room *r = *state;
    uint64_t random = 5;
    for (int k = 0; k < TRIES; k++) {
        polynomial p = {.c = {uniform(&random) < 0.5 ? -1 : 1}};
        double first = 1, at = 0;
        bool leaves;
        while (at = at + 0.1 + 0.3 * uniform(&random), at < 0.99) {
            multiply(&p, -at, 1, 0);
            first = first == 1 ? at : first;
        }
        multiply_others(&p, &random);
        double found = end_of(r, &p, k % 2, &leaves);
        assert_false(leaves);
        if (!(fabs(found - first) < 1e-9))
            fail_msg("try %d: %.17g and not %.17g", k, found, first);
    }
}

/* Zeros of the orders 3 and 5 are found to more digits than signs tell, and those behind them do not matter. */
static void multiple_ones(void **state)
{
    room *r = *state;
    uint64_t random = 7;
    for (int k = 0; k < TRIES; k++) {
        polynomial p = {.c = {1}};
        double at = 0.1 + 0.7 * uniform(&random);
        bool leaves;
        for (int order = k % 2 ? 3 : 5; order > 0; order--)
            multiply(&p, -at, 1, 0);
        multiply_others(&p, &random);
        double found = end_of(r, &p, true, &leaves);
        if (!(fabs(found - at) < 1e-9))
            fail_msg("try %d: %.17g and not %.17g", k, found, at);
    }
}

/* A step that begins at a corner leaves it: a sign is that of the corner alone, and abs is on its other side where g falls. */
static void at_the_start(void **state)
{
    room *r = *state;
    polynomial rises = {.c = {0, 1}, .degree = 1}, falls = {.c = {0, -1}, .degree = 1},
               nothing = {.degree = 0}, away = {.c = {2, -1, 0.5L}, .degree = 2};
    bool leaves;
    assert_true(end_of(r, &rises, true, &leaves) < 1e-12 && leaves);
    assert_true(end_of(r, &falls, false, &leaves) < 1e-12 && leaves);
    assert_true(end_of(r, &rises, false, &leaves) == 1 && !leaves);
    assert_true(end_of(r, &nothing, true, &leaves) == 1 && !leaves);
    assert_true(end_of(r, &away, true, &leaves) == 1 && !leaves);
}

int main(void)
{
    room r;
    open_room(&r);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(first_of_several, &r),
        cmocka_unit_test_prestate(multiple_ones, &r),
        cmocka_unit_test_prestate(at_the_start, &r),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nh_arena_free(&r.arena);
    return failed;
}
