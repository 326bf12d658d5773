/* Whether an expression is 0 near a place, or only small there: by Newton's method with many digits,
 *     x_i -= e d_i e / (d_k e d_k e)
 * Near a zero of any order k each step leaves (1 - 1/k)^k of e, at most about a third; a smallest value that is not 0 is never left behind. But near a zero of
 * different orders, as that of x^2 + y^4, the steps leave the valley; there it is the least value, and by Newton's method for that,
 *     d_k d_i e dx_k = -d_i e,
 * each step leaves a part of all of them. It must not go far away: exp(-x) becomes small, too. */
#include "algebra/algebra.h"
#include "algebra/digits.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { BITS = 640, MOST_STEPS = 400, FEWER = 200, MOST_OPERATIONS = 2000, MOST_OF_SECOND = 20000 };

static const double NEAR = 1e-2;

typedef struct descent {
    const nh_pool *pool;
    nh_digits *d;
    const nh_expr *all; /* e, then its derivatives, then theirs */
    size_t n, count;    /* count: of all that are looked at */
    const double *from; /* n: where it began */
    nh_complex *x, *values;
    nh_digits_state state;
} descent;

/* e and its derivatives at x; the exponent of e. */
static long look(descent *s)
{
    nh_arena_mark here = nh_arena_here(s->d->arena);
    nh_digits_evaluate(s->d, s->pool, s->all, s->count, &s->state, s->values);
    nh_arena_release(s->d->arena, here);
    return nh_digits_exponent(&s->values[0]);
}

/* False: there is no way. */
static bool step_down(descent *s, mpfr_ptr squares, mpfr_ptr part)
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

/* To where the derivatives are 0; what does not change them stays as it is. */
static bool step_to_least(descent *s)
{
    nh_digits *d = s->d;
    size_t n = s->n, width = n + 1;
    nh_arena_mark here = nh_arena_here(d->arena);
    nh_complex *A = nh_digits_new(d, n * width);
    size_t *order = nh_arena_array(d->arena, n + 1, sizeof *order);
    bool near = true;
    for (size_t i = 0; i < n * width; i++) {
        size_t k = i % width;
        mpfr_srcptr from = s->values[k < n ? 1 + n + i / width * n + k : 1 + i / width].re;
        if (!mpfr_number_p(from))
            return false;
        mpfr_set(A[i].re, from, MPFR_RNDN);
    }
    size_t rank = nh_digits_eliminate(d, A, n, n, width, (long)d->bits, order);
    for (size_t i = 0; i < rank; i++) {
        mpfr_ptr x = s->x[order[i]].re;
        mpfr_sub(x, x, A[i * width + n].re, MPFR_RNDN);
        double from = s->from[order[i]], moved = fabs(mpfr_get_d(x, MPFR_RNDN) - from);
        near = near && moved <= NEAR * fmax(1, fabs(from));
    }
    nh_arena_release(d->arena, here);
    return near && rank > 0;
}

static void begin(descent *s)
{
    for (size_t k = 0; k < s->n; k++)
        mpfr_set_d(s->x[k].re, s->from[k], MPFR_RNDN);
}

static nh_answer descend(descent *s, bool to_least)
{
    begin(s);
    nh_complex *room = nh_digits_new(s->d, 1);
    long first = look(s), now = first;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (!mpfr_number_p(s->values[0].re))
            return NH_UNKNOWN;
        if (now == LONG_MIN || now < first - FEWER)
            return NH_YES;
        if (!(to_least ? step_to_least(s) : step_down(s, room->re, room->im)))
            return NH_NO;
        now = look(s);
    }
    return NH_NO;
}

nh_answer nh_vanishes_near(const nh_pool *pool, nh_arena *arena, const nh_roots_near *r,
                           const nh_expr *second)
{
    nh_arena_mark mark = nh_arena_here(arena);
    size_t first = 1 + r->n, squares = second ? r->n * r->n : 0;
    nh_expr *all = nh_arena_array(arena, first + squares + 1, sizeof *all);
    all[0] = r->F[0], memcpy(all + 1, r->J, r->n * sizeof *all);
    if (second)
        memcpy(all + first, second, squares * sizeof *all);
    nh_answer answer = NH_UNKNOWN;
    if (!nh_operations_exceed(pool, arena, r->F[0], MOST_OPERATIONS) &&
        !nh_has_solve(pool, arena, all, first + squares)) {
        nh_digits d;
        nh_digits_init(&d, arena, BITS);
        nh_complex **digits = nh_arena_array(arena, pool->n_symbols + 1, sizeof(void *));
        descent s = {
            .pool = pool, .d = &d, .all = all, .n = r->n, .x = nh_digits_new(&d, r->n), .count = first};
        double *from = nh_arena_array(arena, r->n + 1, sizeof *from);
        s.values = nh_digits_new(&d, first + squares), s.from = from;
        s.state = (nh_digits_state){.exact = r->exact, .values = r->values, .digits = digits};
        for (size_t k = 0; k < r->n; k++) {
            from[k] = r->values[r->symbols[k]];
            digits[r->symbols[k]] = &s.x[k];
        }
        answer = descend(&s, false);
        s.count = first + squares;
        if (answer == NH_NO && second && nh_count_operations(pool, arena, all, s.count) <= MOST_OF_SECOND)
            answer = descend(&s, true);
    }
    nh_arena_release(arena, mark);
    return answer;
}
