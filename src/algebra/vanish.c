/* Whether an expression is 0 near a place, or only small there: by Newton's method with many digits,
 *     x_i -= e d_i e / (d_k e d_k e)
 * Near a zero of any order k each step leaves (1 - 1/k)^k of e, at most about a third; a smallest value that is not 0 is never left behind. */
#include "algebra/algebra.h"
#include "algebra/digits.h"

#include <limits.h>
#include <string.h>

enum { BITS = 640, MOST_STEPS = 400, FEWER = 200, MOST_OPERATIONS = 2000 };

typedef struct descent {
    const nh_pool *pool;
    nh_digits *d;
    const nh_expr *all; /* e, then its derivatives */
    size_t n;
    nh_complex *x, *values;
    nh_digits_state state;
} descent;

/* e and its derivatives at x; the exponent of e. */
static long look(descent *s)
{
    nh_arena_mark here = nh_arena_here(s->d->arena);
    nh_digits_evaluate(s->d, s->pool, s->all, s->n + 1, &s->state, s->values);
    nh_arena_release(s->d->arena, here);
    return nh_digits_exponent(&s->values[0]);
}

/* False: there is no way. */
static bool step(descent *s, mpfr_ptr squares, mpfr_ptr part)
{
    mpfr_set_zero(squares, 1);
    for (size_t i = 1; i <= s->n; i++)
        mpfr_sqr(part, s->values[i].re, MPFR_RNDN), mpfr_add(squares, squares, part, MPFR_RNDN);
    if (!mpfr_regular_p(squares))
        return false;
    for (size_t i = 0; i < s->n; i++) {
        mpfr_mul(part, s->values[0].re, s->values[1 + i].re, MPFR_RNDN);
        mpfr_div(part, part, squares, MPFR_RNDN);
        mpfr_sub(s->x[i].re, s->x[i].re, part, MPFR_RNDN);
    }
    return true;
}

static nh_answer descend(descent *s)
{
    nh_complex *room = nh_digits_new(s->d, 1);
    long first = look(s), now = first;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (!mpfr_number_p(s->values[0].re))
            return NH_UNKNOWN;
        if (now == LONG_MIN || now < first - FEWER)
            return NH_YES;
        if (!step(s, room->re, room->im))
            return NH_NO;
        now = look(s);
    }
    return NH_NO;
}

nh_answer nh_vanishes_near(const nh_pool *pool, nh_arena *arena, const nh_roots_near *r)
{
    nh_arena_mark mark = nh_arena_here(arena);
    nh_expr *all = nh_arena_array(arena, r->n + 1, sizeof *all);
    all[0] = r->F[0], memcpy(all + 1, r->J, r->n * sizeof *all);
    nh_answer answer = NH_UNKNOWN;
    if (!nh_operations_exceed(pool, arena, r->F[0], MOST_OPERATIONS) &&
        !nh_has_solve(pool, arena, all, r->n + 1)) {
        nh_digits d;
        nh_digits_init(&d, arena, BITS);
        nh_complex **digits = nh_arena_array(arena, pool->n_symbols + 1, sizeof(void *));
        descent s = {.pool = pool, .d = &d, .all = all, .n = r->n, .x = nh_digits_new(&d, r->n)};
        s.values = nh_digits_new(&d, r->n + 1);
        s.state = (nh_digits_state){.exact = r->exact, .values = r->values, .digits = digits};
        for (size_t k = 0; k < r->n; k++) {
            mpfr_set_d(s.x[k].re, r->values[r->symbols[k]], MPFR_RNDN);
            digits[r->symbols[k]] = &s.x[k];
        }
        answer = descend(&s);
    }
    nh_arena_release(arena, mark);
    return answer;
}
