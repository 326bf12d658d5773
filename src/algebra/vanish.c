/* Whether rows that seem to be dependent at a place are so near by, or only nearly: steps of Levenberg and Marquardt with many digits for
 *     F_i = lambda_a M_ai = 0,   F = given = 0,   F = lambda_a lambda_a - 1 = 0,      (J^T J + damping) d = -J^T F
 * Near a zero of order k each step leaves (1 - 1/k)^k of F, at most about a third; with so many digits the damping may be next to nothing. A
 * smallest value that is not 0 is never left behind. */
#include "algebra/algebra.h"
#include "algebra/digits.h"

#include <limits.h>
#include <string.h>

enum {
    BITS = 640,
    DAMPING = -400,
    MOST_STEPS = 150,
    FEWER = 100,
    MOST_UNKNOWNS = 16,
    MOST_OPERATIONS = 4000
};

typedef struct descent {
    const nh_pool *pool;
    const nh_rows_near *r;
    nh_digits *d;
    size_t equations, unknowns, entries;   /* entries: of M and what is given */
    const nh_expr *all;                    /* these, then their derivatives by rows */
    nh_complex *x, *values, *F, *J, *room; /* x: the symbols, then lambda */
    nh_digits_state state;
} descent;

static mpfr_ptr slope(const descent *s, size_t entry, size_t symbol)
{
    return s->values[s->entries + entry * s->r->n + symbol].re;
}

/* out += a b */
static void add_product(descent *s, mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_mul(s->room->re, a, b, MPFR_RNDN);
    mpfr_add(out, out, s->room->re, MPFR_RNDN);
}

/* F_i and its derivatives, i being a column of M. */
static void fill_column(descent *s, size_t i)
{
    const nh_rows_near *r = s->r;
    for (size_t a = 0; a < r->rows; a++) {
        mpfr_srcptr lambda = s->x[r->n + a].re;
        add_product(s, s->F[i].re, lambda, s->values[a * r->columns + i].re);
        for (size_t k = 0; k < r->n; k++)
            add_product(s, s->J[i * s->unknowns + k].re, lambda, slope(s, a * r->columns + i, k));
        mpfr_set(s->J[i * s->unknowns + r->n + a].re, s->values[a * r->columns + i].re, MPFR_RNDN);
    }
}

static void fill(descent *s)
{
    const nh_rows_near *r = s->r;
    size_t last = s->equations - 1;
    for (size_t k = 0; k < s->equations; k++)
        mpfr_set_zero(s->F[k].re, 1);
    for (size_t k = 0; k < s->equations * s->unknowns; k++)
        mpfr_set_zero(s->J[k].re, 1);
    for (size_t i = 0; i < r->columns; i++)
        fill_column(s, i);
    for (size_t g = 0; g < r->given; g++) {
        size_t entry = r->rows * r->columns + g, row = r->columns + g;
        mpfr_set(s->F[row].re, s->values[entry].re, MPFR_RNDN);
        for (size_t k = 0; k < r->n; k++)
            mpfr_set(s->J[row * s->unknowns + k].re, slope(s, entry, k), MPFR_RNDN);
    }
    mpfr_set_si(s->F[last].re, -1, MPFR_RNDN);
    for (size_t a = 0; a < r->rows; a++) {
        mpfr_srcptr lambda = s->x[r->n + a].re;
        add_product(s, s->F[last].re, lambda, lambda);
        mpfr_mul_2ui(s->J[last * s->unknowns + r->n + a].re, lambda, 1, MPFR_RNDN);
    }
}

/* F and J at x; the exponent of the largest F: LONG_MIN: all are 0, LONG_MAX: something has no value. */
static long look(descent *s)
{
    size_t count = s->entries * (s->r->n + 1);
    nh_arena_mark here = nh_arena_here(s->d->arena);
    nh_digits_evaluate(s->d, s->pool, s->all, count, &s->state, s->values);
    nh_arena_release(s->d->arena, here);
    for (size_t k = 0; k < count; k++)
        if (!mpfr_number_p(s->values[k].re))
            return LONG_MAX;
    fill(s);
    long largest = LONG_MIN;
    for (size_t k = 0; k < s->equations; k++) {
        long exponent = nh_digits_exponent(&s->F[k]);
        largest = exponent > largest ? exponent : largest;
    }
    return largest;
}

/* J^T J + damping, and J^T F behind it. */
static void fill_normal(descent *s, nh_complex *A)
{
    size_t n = s->unknowns, width = n + 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < s->equations; k++) {
            mpfr_srcptr own = s->J[k * n + i].re;
            for (size_t l = 0; l < n && mpfr_sgn(own) != 0; l++)
                add_product(s, A[i * width + l].re, own, s->J[k * n + l].re);
            add_product(s, A[i * width + n].re, own, s->F[k].re);
        }
        mpfr_set_ui_2exp(s->room->re, 1, DAMPING, MPFR_RNDN);
        mpfr_add(A[i * width + i].re, A[i * width + i].re, s->room->re, MPFR_RNDN);
    }
}

static bool step(descent *s)
{
    size_t n = s->unknowns, width = n + 1;
    nh_arena_mark here = nh_arena_here(s->d->arena);
    nh_complex *A = nh_digits_new(s->d, n * width);
    size_t *order = nh_arena_array(s->d->arena, width, sizeof *order);
    fill_normal(s, A);
    bool solved = nh_digits_eliminate(s->d, A, n, n, width, BITS, order) == n;
    for (size_t k = 0; k < n && solved; k++)
        mpfr_sub(s->x[order[k]].re, s->x[order[k]].re, A[k * width + n].re, MPFR_RNDN);
    nh_arena_release(s->d->arena, here);
    return solved;
}

static nh_answer descend(descent *s)
{
    long first = look(s), now = first;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (now == LONG_MAX)
            return NH_UNKNOWN;
        if (now == LONG_MIN || now < first - FEWER)
            return NH_YES;
        if (!step(s))
            return NH_UNKNOWN;
        now = look(s);
    }
    return NH_NO;
}

static bool is_short(const descent *s, nh_arena *arena)
{
    size_t count = s->entries * (s->r->n + 1);
    return s->unknowns <= MOST_UNKNOWNS && !nh_has_solve(s->pool, arena, s->all, count) &&
           nh_count_operations(s->pool, arena, s->all, count) <= MOST_OPERATIONS;
}

/* From where doubles came to. */
static void begin(descent *s, nh_arena *arena)
{
    const nh_rows_near *r = s->r;
    nh_complex **digits = nh_arena_array(arena, s->pool->n_symbols + 1, sizeof(void *));
    nh_expr *exact = nh_arena_array(arena, s->pool->n_symbols + 1, sizeof *exact);
    s->x = nh_digits_new(s->d, s->unknowns), s->values = nh_digits_new(s->d, s->entries * (r->n + 1));
    s->F = nh_digits_new(s->d, s->equations), s->J = nh_digits_new(s->d, s->equations * s->unknowns);
    s->room = nh_digits_new(s->d, 1);
    s->state = (nh_digits_state){.exact = exact, .values = r->values, .digits = digits};
    for (size_t k = 0; k < r->n; k++) {
        mpfr_set_d(s->x[k].re, r->values[r->symbols[k]], MPFR_RNDN);
        digits[r->symbols[k]] = &s->x[k];
    }
    for (size_t a = 0; a < r->rows; a++)
        mpfr_set_d(s->x[r->n + a].re, r->lambda[a], MPFR_RNDN);
}

nh_answer nh_dependent_near(const nh_pool *pool, nh_arena *arena, const nh_rows_near *r)
{
    nh_arena_mark mark = nh_arena_here(arena);
    nh_digits d;
    descent s = {
        .pool = pool, .r = r, .d = &d, .equations = r->columns + r->given + 1, .unknowns = r->n + r->rows};
    s.entries = r->rows * r->columns + r->given;
    nh_expr *all = nh_arena_array(arena, s.entries * (r->n + 1) + 1, sizeof *all);
    memcpy(all, r->entries, s.entries * sizeof *all);
    memcpy(all + s.entries, r->slopes, s.entries * r->n * sizeof *all);
    s.all = all;
    nh_answer answer = NH_UNKNOWN;
    if (is_short(&s, arena)) {
        nh_digits_init(&d, arena, BITS);
        begin(&s, arena);
        answer = descend(&s);
    }
    nh_arena_release(arena, mark);
    return answer;
}
