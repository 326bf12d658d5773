#include "algebra/digits.h"

#include <limits.h>
#include <math.h>

/* ---------------------------------------------------------------- numbers */

static void place(nh_digits *d, mpfr_ptr x)
{
    void *room = nh_arena_array(d->arena, mpfr_custom_get_size(d->bits), 1);
    mpfr_custom_init(room, d->bits);
    mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, d->bits, room);
}

void nh_digits_init(nh_digits *d, nh_arena *arena, mpfr_prec_t bits)
{
    d->arena = arena, d->bits = bits;
    for (size_t i = 0; i < sizeof d->room / sizeof *d->room; i++)
        place(d, d->room[i].re), place(d, d->room[i].im);
    place(d, d->r), place(d, d->s);
}

nh_complex *nh_digits_new(nh_digits *d, size_t count)
{
    nh_complex *out = nh_arena_array(d->arena, count + 1, sizeof *out);
    for (size_t i = 0; i < count; i++)
        place(d, out[i].re), place(d, out[i].im);
    return out;
}

void nh_digits_set(nh_complex *to, const nh_complex *from)
{
    mpfr_set(to->re, from->re, MPFR_RNDN);
    mpfr_set(to->im, from->im, MPFR_RNDN);
}

void nh_digits_multiply(nh_digits *d, nh_complex *out, const nh_complex *a, const nh_complex *b)
{
    mpfr_fmms(d->r, a->re, b->re, a->im, b->im, MPFR_RNDN);
    mpfr_fmma(d->s, a->re, b->im, a->im, b->re, MPFR_RNDN);
    mpfr_set(out->re, d->r, MPFR_RNDN);
    mpfr_set(out->im, d->s, MPFR_RNDN);
}

/* a conj(b)/|b|^2 */
void nh_digits_divide(nh_digits *d, nh_complex *out, const nh_complex *a, const nh_complex *b)
{
    nh_complex *square = &d->room[2];
    mpfr_fmma(square->re, b->re, b->re, b->im, b->im, MPFR_RNDN);
    mpfr_fmma(d->r, a->re, b->re, a->im, b->im, MPFR_RNDN);
    mpfr_fmms(d->s, a->im, b->re, a->re, b->im, MPFR_RNDN);
    mpfr_div(out->re, d->r, square->re, MPFR_RNDN);
    mpfr_div(out->im, d->s, square->re, MPFR_RNDN);
}

void nh_digits_subtract(nh_digits *d, nh_complex *a, const nh_complex *b, const nh_complex *c)
{
    mpfr_fmms(d->r, b->re, c->re, b->im, c->im, MPFR_RNDN);
    mpfr_fmma(d->s, b->re, c->im, b->im, c->re, MPFR_RNDN);
    mpfr_sub(a->re, a->re, d->r, MPFR_RNDN);
    mpfr_sub(a->im, a->im, d->s, MPFR_RNDN);
}

long nh_digits_exponent(const nh_complex *a)
{
    long re = mpfr_regular_p(a->re) ? mpfr_get_exp(a->re) : LONG_MIN,
         im = mpfr_regular_p(a->im) ? mpfr_get_exp(a->im) : LONG_MIN, more = re > im ? re : im;
    return more == LONG_MIN ? more : more + 1;
}

/* ---------------------------------------------------------------- elimination */

static void exchange_rows(nh_complex *a, nh_complex *b, size_t width)
{
    for (size_t k = 0; k < width; k++) {
        nh_complex c = a[k];
        a[k] = b[k], b[k] = c;
    }
}

/* The largest of the rows and columns that are left; false: there is none as large as that. */
static bool find_pivot(const nh_complex *A, size_t rows, size_t columns, size_t width, size_t from,
                       const size_t *order, long least, size_t *row, size_t *column)
{
    long largest = LONG_MIN;
    for (size_t i = from; i < rows; i++)
        for (size_t k = from; k < columns; k++) {
            long size = nh_digits_exponent(&A[i * width + order[k]]);
            if (size > largest)
                largest = size, *row = i, *column = k;
        }
    return largest != LONG_MIN && largest >= least;
}

size_t nh_digits_eliminate(nh_digits *d, nh_complex *A, size_t rows, size_t columns, size_t width, long small,
                           size_t *order)
{
    long least = LONG_MIN;
    size_t rank = 0, row = 0, column = 0;
    nh_complex *factor = nh_digits_new(d, 1);
    for (size_t k = 0; k < columns; k++)
        order[k] = k;
    for (; rank < rows && find_pivot(A, rows, columns, width, rank, order, least, &row, &column); rank++) {
        size_t pivot = order[column];
        order[column] = order[rank], order[rank] = pivot;
        exchange_rows(A + rank * width, A + row * width, width);
        nh_complex *own = A + rank * width;
        if (rank == 0)
            least = nh_digits_exponent(&own[pivot]) - small;
        nh_digits_set(factor, &own[pivot]);
        for (size_t k = 0; k < width; k++)
            nh_digits_divide(d, &own[k], &own[k], factor);
        for (size_t i = 0; i < rows; i++) {
            if (i == rank || nh_digits_exponent(&A[i * width + pivot]) == LONG_MIN)
                continue;
            nh_digits_set(factor, &A[i * width + pivot]);
            for (size_t k = 0; k < width; k++)
                nh_digits_subtract(d, &A[i * width + k], factor, &own[k]);
        }
    }
    return rank;
}

/* ---------------------------------------------------------------- expressions */

typedef struct evaluation {
    nh_digits *d;
    const nh_pool *pool;
    const nh_digits_state *state;
    size_t *slot; /* by handle */
    nh_complex *values;
    nh_complex **solutions; /* by slot */
} evaluation;

static mpfr_ptr value_of(const evaluation *ev, nh_expr e) { return ev->values[ev->slot[e]].re; }

static void put_number(mpfr_ptr out, nh_rational x)
{
    if (x.big) {
        mpfr_set_q(out, x.big, MPFR_RNDN);
    } else {
        mpfr_set_sj(out, x.num, MPFR_RNDN);
        mpfr_div_si(out, out, (long)x.den, MPFR_RNDN);
    }
}

static void put_symbol(const evaluation *ev, mpfr_ptr out, uint32_t index)
{
    const nh_digits_state *s = ev->state;
    if (s->digits && s->digits[index]) {
        mpfr_set(out, s->digits[index]->re, MPFR_RNDN);
        return;
    }
    if (s->exact[index]) {
        mpfr_set(out, value_of(ev, s->exact[index]), MPFR_RNDN);
        return;
    }
    mpfr_set_d(out, s->values[index], MPFR_RNDN);
    if (s->moves)
        mpfr_add_d(out, out, s->moves[index], MPFR_RNDN);
}

static void put_call(mpfr_ptr out, nh_function function, mpfr_srcptr a, mpfr_srcptr b)
{
    switch (function) {
    case NH_FN_sin: mpfr_sin(out, a, MPFR_RNDN); break;
    case NH_FN_cos: mpfr_cos(out, a, MPFR_RNDN); break;
    case NH_FN_tan: mpfr_tan(out, a, MPFR_RNDN); break;
    case NH_FN_asin: mpfr_asin(out, a, MPFR_RNDN); break;
    case NH_FN_acos: mpfr_acos(out, a, MPFR_RNDN); break;
    case NH_FN_atan: mpfr_atan(out, a, MPFR_RNDN); break;
    case NH_FN_atan2: mpfr_atan2(out, a, b, MPFR_RNDN); break;
    case NH_FN_sinh: mpfr_sinh(out, a, MPFR_RNDN); break;
    case NH_FN_cosh: mpfr_cosh(out, a, MPFR_RNDN); break;
    case NH_FN_tanh: mpfr_tanh(out, a, MPFR_RNDN); break;
    case NH_FN_exp: mpfr_exp(out, a, MPFR_RNDN); break;
    case NH_FN_log: mpfr_log(out, a, MPFR_RNDN); break;
    case NH_FN_sqrt: mpfr_sqrt(out, a, MPFR_RNDN); break;
    case NH_FN_abs: mpfr_abs(out, a, MPFR_RNDN); break;
    case NH_FN_sign:
        if (mpfr_nan_p(a))
            mpfr_set_nan(out);
        else
            mpfr_set_si(out, mpfr_sgn(a), MPFR_RNDN);
        break;
    case NH_FN_min: mpfr_min(out, a, b, MPFR_RNDN); break;
    case NH_FN_max: mpfr_max(out, a, b, MPFR_RNDN); break;
    default: mpfr_set_nan(out); break;
    }
}

/* M x = b; NULL: M is singular, or has no value. */
static nh_complex *solve(const evaluation *ev, nh_expr e)
{
    nh_list items = nh_operands(ev->pool, e), entries = nh_operands(ev->pool, items.items[0]);
    size_t n = items.count - 1, width = n + 1;
    nh_complex *A = nh_digits_new(ev->d, n * width), *x = nh_digits_new(ev->d, n);
    size_t *order = nh_arena_array(ev->d->arena, n + 1, sizeof *order);
    for (size_t i = 0; i < n * width; i++) {
        size_t row = i / width, column = i % width;
        mpfr_srcptr from = value_of(ev, column < n ? entries.items[row * n + column] : items.items[1 + row]);
        if (!mpfr_number_p(from))
            return NULL;
        mpfr_set(A[i].re, from, MPFR_RNDN);
    }
    if (nh_digits_eliminate(ev->d, A, n, n, width, ev->d->bits / 2, order) < n)
        return NULL;
    for (size_t k = 0; k < n; k++)
        nh_digits_set(&x[order[k]], &A[k * width + n]);
    return x;
}

static void evaluate_node(evaluation *ev, nh_expr e)
{
    nh_node node = nh_get(ev->pool, e);
    mpfr_ptr out = value_of(ev, e);
    switch (node.kind) {
    case NH_NUMBER: put_number(out, ev->pool->rationals[node.a]); break;
    case NH_SYMBOL: put_symbol(ev, out, node.a); break;
    case NH_PI: mpfr_const_pi(out, MPFR_RNDN); break;
    case NH_ADD: mpfr_add(out, value_of(ev, node.a), value_of(ev, node.b), MPFR_RNDN); break;
    case NH_MUL: mpfr_mul(out, value_of(ev, node.a), value_of(ev, node.b), MPFR_RNDN); break;
    case NH_POW: mpfr_pow(out, value_of(ev, node.a), value_of(ev, node.b), MPFR_RNDN); break;
    case NH_CALL:
        put_call(out, (nh_function)node.function, value_of(ev, node.a),
                 value_of(ev, node.b ? node.b : node.a));
        break;
    case NH_SOLVE: ev->solutions[ev->slot[e]] = solve(ev, e); break;
    case NH_COMPONENT: {
        const nh_complex *x = ev->solutions[ev->slot[node.a]];
        if (x)
            mpfr_set(out, x[node.b].re, MPFR_RNDN);
        else
            mpfr_set_nan(out);
        break;
    }
    default: break;
    }
}

void nh_digits_evaluate(nh_digits *d, const nh_pool *pool, const nh_expr *roots, size_t n_roots,
                        const nh_digits_state *state, nh_complex *out)
{
    size_t count = n_roots + pool->n_symbols;
    nh_expr *all = nh_arena_array(d->arena, count + 1, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = i < n_roots ? roots[i] : state->exact[i - n_roots];
    nh_walk walk = nh_walk_of(pool, d->arena, all, count),
            first = nh_walk_of(pool, d->arena, state->exact, pool->n_symbols);
    evaluation ev = {.d = d, .pool = pool, .state = state};
    ev.slot = nh_arena_array(d->arena, (size_t)nh_largest(all, count) + 1, sizeof *ev.slot);
    ev.values = nh_digits_new(d, walk.count + 1);
    ev.solutions = nh_arena_array(d->arena, walk.count + 1, sizeof(void *));
    for (size_t i = 0; i < walk.count; i++)
        ev.slot[walk.nodes[i]] = i;
    for (size_t i = 0; i < first.count; i++) /* symbols may stand before what their values consist of */
        evaluate_node(&ev, first.nodes[i]);
    for (size_t i = 0; i < walk.count; i++)
        evaluate_node(&ev, walk.nodes[i]);
    for (size_t i = 0; i < n_roots; i++)
        mpfr_set(out[i].re, value_of(&ev, roots[i]), MPFR_RNDN);
    mpfr_free_cache();
}
