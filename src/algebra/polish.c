/* Newton's method with many digits: J(x) d = -F(x). Doubles do not tell weak springs beside strong ones from none. */
#include "algebra/algebra.h"
#include "algebra/digits.h"

#include <limits.h>
#include <string.h>

enum { BITS = 640, MOST_STEPS = 12, SMALL = 200 };

typedef struct search {
    const nh_pool *pool;
    const nh_roots_near *r;
    nh_digits *d;
    nh_complex *x;
    nh_expr *all; /* F, then J by rows */
    nh_digits_state state;
} search;

/* One step; *still: it is longer than the last digits. False: J has a smaller rank than there are unknowns, or no value. */
static bool step(search *s, bool *still)
{
    const nh_roots_near *r = s->r;
    size_t n = r->n, width = n + 1, count = r->count;
    nh_complex *values = nh_digits_new(s->d, count * width), *A = nh_digits_new(s->d, count * width);
    size_t *order = nh_arena_array(s->d->arena, n + 1, sizeof *order);
    nh_digits_evaluate(s->d, s->pool, s->all, count * width, &s->state, values);
    for (size_t i = 0; i < count * width; i++) {
        size_t row = i / width, column = i % width;
        const nh_complex *from = column < n ? &values[count + row * n + column] : &values[row];
        if (!mpfr_number_p(from->re))
            return false;
        mpfr_set(A[i].re, from->re, MPFR_RNDN);
    }
    if (nh_digits_eliminate(s->d, A, count, n, width, SMALL, order) < n)
        return false;
    *still = false;
    for (size_t k = 0; k < n; k++) {
        const nh_complex *d = &A[k * width + n];
        mpfr_sub(s->x[order[k]].re, s->x[order[k]].re, d->re, MPFR_RNDN);
        long moved = nh_digits_exponent(d), size = nh_digits_exponent(&s->x[order[k]]);
        *still = *still || (moved != LONG_MIN && moved > -400 && moved + 400 > size);
    }
    return true;
}

bool nh_polish_root(const nh_pool *pool, nh_arena *arena, nh_roots_near *r)
{
    nh_arena_mark mark = nh_arena_here(arena);
    nh_digits d;
    nh_digits_init(&d, arena, BITS);
    search s = {.pool = pool, .r = r, .d = &d, .x = nh_digits_new(&d, r->n)};
    nh_complex **digits = nh_arena_array(arena, pool->n_symbols + 1, sizeof(void *));
    s.all = nh_arena_array(arena, r->count * (r->n + 1) + 1, sizeof *s.all);
    memcpy(s.all, r->F, r->count * sizeof *s.all);
    memcpy(s.all + r->count, r->J, r->count * r->n * sizeof *s.all);
    s.state = (nh_digits_state){.exact = r->exact, .values = r->values, .digits = digits};
    for (size_t k = 0; k < r->n; k++) {
        mpfr_set_d(s.x[k].re, r->values[r->symbols[k]], MPFR_RNDN);
        digits[r->symbols[k]] = &s.x[k];
    }
    bool fine = r->count >= r->n, still = true;
    for (int k = 0; k < MOST_STEPS && fine && still; k++) {
        nh_arena_mark here = nh_arena_here(arena);
        fine = step(&s, &still);
        nh_arena_release(arena, here);
    }
    for (size_t k = 0; k < r->n && fine && !still; k++) {
        bool nothing = nh_digits_exponent(&s.x[k]) < -300; /* or LONG_MIN */
        r->values[r->symbols[k]] = nothing ? 0 : mpfr_get_d(s.x[k].re, MPFR_RNDN);
    }
    nh_arena_release(arena, mark);
    return fine && !still;
}
