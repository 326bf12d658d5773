/* Eigenvalues to many digits, by the characteristic polynomial. With H the derivatives of what is held, a basis of the x with H x = 0 has 1 and 0 in the
 * variables F without pivot, so that A on it is M = A_F N, the rows F of A times the basis N. Where A x leaves them, as it does off steady motions, this would
 * depend on F; then A x is projected on them, orthogonally in the variables, so that M = (N^T N)^-1 N^T A N. M becomes a matrix of Hessenberg's form, and this
 * its polynomial
 *
 *     p(lambda) = lambda^m + c_(m-1) lambda^(m-1) + ... + c_0,
 *
 * the roots of which are found all at once (Aberth, Ehrlich). How far the coefficients may be off is seen from other states within the rounding of this one,
 * and from fewer digits; the disc around each z_k of radius
 *
 *     m |p(z_k)|/prod |z_k - z_j|,  j /= k,
 *
 * with the largest |p(z_k)| that these allow, contains a root (Smith). Near others, with q - 1 of them left out of the product, it is the q-th root. */
#include "algebra/algebra.h"
#include "algebra/digits.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { BITS = 640, FEWER_BITS = 448, SAMPLES = 6, MOST_STEPS = 500, LARGEST = 40 };

typedef struct matrix {
    nh_digits *d;
    size_t n;      /* of the matrix M, */
    nh_complex *M; /* by rows */
    size_t rows;   /* of the basis N: the variables; its columns: n */
    nh_complex *N;
} matrix;

/* ---------------------------------------------------------------- the matrix */

/* N: columns with 1 at one of the free variables; false: something has no value. */
static bool find_basis(matrix *m, const nh_complex *H, size_t held, size_t *free)
{
    nh_digits *d = m->d;
    nh_complex *copy = nh_digits_new(d, held * m->rows);
    size_t *order = nh_arena_array(d->arena, m->rows + 1, sizeof *order);
    for (size_t i = 0; i < held * m->rows; i++) {
        if (!mpfr_number_p(H[i].re))
            return false;
        nh_digits_set(&copy[i], &H[i]);
    }
    for (size_t k = 0; k < m->rows; k++)
        order[k] = k;
    size_t rank = held ? nh_digits_eliminate(d, copy, held, m->rows, m->rows, 40, order) : 0;
    m->n = m->rows - rank, m->N = nh_digits_new(d, m->rows * m->n);
    for (size_t k = 0; k < m->n; k++) {
        free[k] = order[rank + k];
        mpfr_set_si(m->N[free[k] * m->n + k].re, 1, MPFR_RNDN);
        for (size_t i = 0; i < rank; i++)
            mpfr_neg(m->N[order[i] * m->n + k].re, copy[i * m->rows + free[k]].re, MPFR_RNDN);
    }
    return true;
}

/* A N: rows by n; false: something has no value. */
static bool apply(const matrix *m, const nh_complex *A, nh_complex *out)
{
    for (size_t i = 0; i < m->rows * m->n; i++)
        for (size_t j = 0; j < m->rows; j++) {
            const nh_complex *a = &A[i / m->n * m->rows + j];
            if (!mpfr_number_p(a->re))
                return false;
            mpfr_fma(out[i].re, a->re, m->N[j * m->n + i % m->n].re, out[i].re, MPFR_RNDN);
        }
    return true;
}

/* (N^T N) M = N^T (A N), AN being A N. */
static bool project(matrix *m, const nh_complex *AN)
{
    nh_digits *d = m->d;
    size_t n = m->n, width = 2 * n;
    nh_complex *both = nh_digits_new(d, n * width);
    size_t *order = nh_arena_array(d->arena, n + 1, sizeof *order);
    for (size_t i = 0; i < n * width; i++) {
        size_t k = i % width;
        for (size_t j = 0; j < m->rows; j++)
            mpfr_fma(both[i].re, m->N[j * n + i / width].re, (k < n ? m->N : AN)[j * n + k % n].re,
                     both[i].re, MPFR_RNDN);
    }
    if (nh_digits_eliminate(d, both, n, n, width, (long)d->bits / 2, order) < n)
        return false;
    for (size_t i = 0; i < n * n; i++)
        nh_digits_set(&m->M[order[i / n] * n + i % n], &both[i / n * width + n + i % n]);
    return true;
}

static bool find_matrix(matrix *m, const nh_complex *A, const nh_spectral *s, const nh_complex *H)
{
    nh_digits *d = m->d;
    size_t *free = nh_arena_array(d->arena, m->rows + 1, sizeof *free);
    if (!find_basis(m, H, s->held, free))
        return false;
    nh_complex *AN = nh_digits_new(d, m->rows * m->n);
    m->M = nh_digits_new(d, m->n * m->n);
    if (!apply(m, A, AN))
        return false;
    if (s->leaves)
        return project(m, AN);
    for (size_t i = 0; i < m->n * m->n; i++)
        nh_digits_set(&m->M[i], &AN[free[i / m->n] * m->n + i % m->n]);
    return true;
}

/* ---------------------------------------------------------------- the polynomial */

static void exchange(mpfr_ptr a, mpfr_ptr b) { mpfr_swap(a, b); }

/* Row i loses f times row k; column k gains f times column i: a similar matrix. */
static void combine(nh_digits *d, nh_complex *h, size_t n, size_t i, size_t k, mpfr_srcptr f)
{
    for (size_t j = 0; j < n; j++) {
        mpfr_mul(d->r, f, h[k * n + j].re, MPFR_RNDN);
        mpfr_sub(h[i * n + j].re, h[i * n + j].re, d->r, MPFR_RNDN);
    }
    for (size_t j = 0; j < n; j++) {
        mpfr_mul(d->r, f, h[j * n + i].re, MPFR_RNDN);
        mpfr_add(h[j * n + k].re, h[j * n + k].re, d->r, MPFR_RNDN);
    }
}

/* 0 below the diagonal next to the main one. */
static void reduce(nh_digits *d, nh_complex *h, size_t n)
{
    for (size_t k = 1; k + 1 < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (mpfr_cmpabs(h[i * n + k - 1].re, h[pivot * n + k - 1].re) > 0)
                pivot = i;
        for (size_t j = 0; j < n && pivot != k; j++)
            exchange(h[k * n + j].re, h[pivot * n + j].re);
        for (size_t j = 0; j < n && pivot != k; j++)
            exchange(h[j * n + k].re, h[j * n + pivot].re);
        for (size_t i = k + 1; i < n && !mpfr_zero_p(h[k * n + k - 1].re); i++) {
            mpfr_div(d->s, h[i * n + k - 1].re, h[k * n + k - 1].re, MPFR_RNDN);
            if (!mpfr_zero_p(d->s))
                combine(d, h, n, i, k, d->s);
        }
    }
}

/* p_k = (lambda - h_kk) p_(k-1) - sum_j h_jk h_(j+1,j) ... h_(k,k-1) p_(j-1); out: n + 1 coefficients. */
static void find_polynomial(const matrix *m, nh_complex *out)
{
    nh_digits *d = m->d;
    size_t n = m->n, width = n + 1;
    nh_complex *h = nh_digits_new(d, n * n), *p = nh_digits_new(d, (n + 1) * width), *product = &d->room[0];
    for (size_t i = 0; i < n * n; i++)
        nh_digits_set(&h[i], &m->M[i]);
    reduce(d, h, n);
    mpfr_set_si(p[0].re, 1, MPFR_RNDN);
    for (size_t k = 1; k <= n; k++) {
        nh_complex *own = p + k * width;
        for (size_t i = 0; i < k; i++)
            mpfr_set(own[i + 1].re, p[(k - 1) * width + i].re, MPFR_RNDN);
        mpfr_set_si(product->re, 1, MPFR_RNDN);
        for (size_t j = k; j >= 1; j--) {
            mpfr_mul(d->s, product->re, h[(j - 1) * n + k - 1].re, MPFR_RNDN);
            for (size_t i = 0; i < j; i++) {
                mpfr_mul(d->r, d->s, p[(j - 1) * width + i].re, MPFR_RNDN);
                mpfr_sub(own[i].re, own[i].re, d->r, MPFR_RNDN);
            }
            if (j > 1)
                mpfr_mul(product->re, product->re, h[(j - 1) * n + j - 2].re, MPFR_RNDN);
        }
    }
    for (size_t i = 0; i <= n; i++)
        nh_digits_set(&out[i], &p[n * width + i]);
}

/* ---------------------------------------------------------------- its roots */

typedef struct polynomial {
    nh_digits *d;
    size_t n;
    nh_complex *c;                /* n + 1 */
    nh_complex *off;              /* how far they may be off */
    nh_complex *z, *value, *step; /* n; value, step: one */
} polynomial;

/* p(x), and with `size` the sum of off_k |x|^k instead. */
static void value_at(polynomial *p, const nh_complex *x, nh_complex *out)
{
    nh_digits_set(out, &p->c[p->n]);
    for (size_t k = p->n; k-- > 0;) {
        nh_digits_multiply(p->d, out, out, x);
        mpfr_add(out->re, out->re, p->c[k].re, MPFR_RNDN);
    }
}

static void slope_at(polynomial *p, const nh_complex *x, nh_complex *out)
{
    mpfr_set_si(out->re, 0, MPFR_RNDN), mpfr_set_si(out->im, 0, MPFR_RNDN);
    for (size_t k = p->n; k > 0; k--) {
        nh_digits_multiply(p->d, out, out, x);
        mpfr_mul_ui(p->d->r, p->c[k].re, (unsigned long)k, MPFR_RNDN);
        mpfr_add(out->re, out->re, p->d->r, MPFR_RNDN);
    }
}

static double log2_of(mpfr_srcptr x)
{
    long exponent = 0;
    double part = mpfr_zero_p(x) ? 0 : mpfr_get_d_2exp(&exponent, x, MPFR_RNDN);
    return part == 0 ? -INFINITY : log2(fabs(part)) + (double)exponent;
}

/* On circles, the radii of which are the slopes of the polygon above the points (k, log |c_k|) (Bini). */
static void begin(polynomial *p)
{
    size_t from = 0;
    while (from < p->n) {
        size_t to = p->n;
        double steepest = -INFINITY, here = log2_of(p->c[from].re);
        for (size_t k = from + 1; k <= p->n; k++) {
            double slope = (log2_of(p->c[k].re) - here) / (double)(k - from);
            if (slope >= steepest)
                steepest = slope, to = k;
        }
        for (size_t k = from; k < to; k++) {
            double angle = 2 * acos(-1) * (double)(k - from) / (double)(to - from) + 0.7 + (double)from;
            long whole = (long)floor(-steepest);
            double part = exp2(-steepest - (double)whole);
            mpfr_set_d(p->z[k].re, part * cos(angle), MPFR_RNDN);
            mpfr_set_d(p->z[k].im, part * sin(angle), MPFR_RNDN);
            mpfr_mul_2si(p->z[k].re, p->z[k].re, whole, MPFR_RNDN);
            mpfr_mul_2si(p->z[k].im, p->z[k].im, whole, MPFR_RNDN);
        }
        from = to;
    }
}

/* z_k - (p/p')/(1 - p/p' sum 1/(z_k - z_j)). True: it moved by more than the last digits. */
static bool improve(polynomial *p, size_t k)
{
    nh_digits *d = p->d;
    nh_complex *sum = &d->room[0], *other = &d->room[1];
    value_at(p, &p->z[k], p->value);
    if (nh_digits_exponent(p->value) == LONG_MIN)
        return false;
    slope_at(p, &p->z[k], p->step);
    nh_digits_divide(d, sum, p->step, p->value); /* p'/p */
    for (size_t j = 0; j < p->n; j++) {
        if (j == k)
            continue;
        mpfr_sub(other->re, p->z[k].re, p->z[j].re, MPFR_RNDN);
        mpfr_sub(other->im, p->z[k].im, p->z[j].im, MPFR_RNDN);
        if (nh_digits_exponent(other) == LONG_MIN)
            continue;
        mpfr_set_si(p->step->re, 1, MPFR_RNDN), mpfr_set_si(p->step->im, 0, MPFR_RNDN);
        nh_digits_divide(d, other, p->step, other);
        mpfr_sub(sum->re, sum->re, other->re, MPFR_RNDN);
        mpfr_sub(sum->im, sum->im, other->im, MPFR_RNDN);
    }
    if (nh_digits_exponent(sum) == LONG_MIN)
        return true;
    mpfr_set_si(other->re, 1, MPFR_RNDN), mpfr_set_si(other->im, 0, MPFR_RNDN);
    nh_digits_divide(d, p->step, other, sum);
    mpfr_sub(p->z[k].re, p->z[k].re, p->step->re, MPFR_RNDN);
    mpfr_sub(p->z[k].im, p->z[k].im, p->step->im, MPFR_RNDN);
    long moved = nh_digits_exponent(p->step), size = nh_digits_exponent(&p->z[k]);
    return moved != LONG_MIN && moved > size - (long)(d->bits * 3 / 4);
}

static void find_roots(polynomial *p)
{
    bool moves = true;
    begin(p);
    for (int step = 0; step < MOST_STEPS && moves; step++) {
        moves = false;
        for (size_t k = 0; k < p->n; k++)
            moves = improve(p, k) || moves;
    }
}

/* ---------------------------------------------------------------- their discs */

/* log2 of the largest |p(z_k)|. */
static double log2_value(polynomial *p, size_t k)
{
    nh_digits *d = p->d;
    value_at(p, &p->z[k], p->value);
    mpfr_hypot(p->value->re, p->value->re, p->value->im, MPFR_RNDU);
    mpfr_hypot(p->step->re, p->z[k].re, p->z[k].im, MPFR_RNDU);
    mpfr_set_si(d->s, 0, MPFR_RNDN);
    for (size_t i = p->n + 1; i-- > 0;) {
        mpfr_mul(d->s, d->s, p->step->re, MPFR_RNDU);
        mpfr_add(d->s, d->s, p->off[i].re, MPFR_RNDU);
    }
    mpfr_add(p->value->re, p->value->re, d->s, MPFR_RNDU);
    return log2_of(p->value->re);
}

/* The least of the discs with q - 1 others in it. */
static double radius_of(polynomial *p, size_t k)
{
    double distances[LARGEST], value = log2_value(p, k) + log2((double)p->n), best = INFINITY;
    size_t count = 0;
    for (size_t j = 0; j < p->n; j++) {
        if (j == k)
            continue;
        mpfr_sub(p->d->r, p->z[k].re, p->z[j].re, MPFR_RNDN);
        mpfr_sub(p->d->s, p->z[k].im, p->z[j].im, MPFR_RNDN);
        mpfr_hypot(p->d->r, p->d->r, p->d->s, MPFR_RNDN);
        double distance = log2_of(p->d->r);
        size_t at = count++;
        for (; at > 0 && distances[at - 1] > distance; at--)
            distances[at] = distances[at - 1];
        distances[at] = distance;
    }
    for (size_t q = 1; q <= p->n; q++) {
        double radius = value;
        for (size_t i = q - 1; i < count; i++)
            radius -= distances[i];
        radius = isnan(radius) ? INFINITY : radius / (double)q;
        best = fmin(best, q > 1 ? fmax(radius, distances[q - 2]) : radius);
    }
    return exp2(fmin(best, 1000)) * 1.01;
}

/* ---------------------------------------------------------------- vectors */

/* The which-th x with (M - z) x = 0, in the variables, the largest component being 1. Returns how many there are. */
static size_t find_vector(const matrix *m, const nh_complex *z, size_t which, long small, nh_eigenpair *out)
{
    nh_digits *d = m->d;
    size_t n = m->n;
    nh_arena_mark mark = nh_arena_here(d->arena);
    nh_complex *B = nh_digits_new(d, n * n), *x = nh_digits_new(d, n), *own = nh_digits_new(d, 1);
    size_t *order = nh_arena_array(d->arena, n + 1, sizeof *order);
    for (size_t i = 0; i < n * n; i++)
        nh_digits_set(&B[i], &m->M[i]);
    for (size_t i = 0; i < n; i++) {
        mpfr_sub(B[i * n + i].re, B[i * n + i].re, z->re, MPFR_RNDN);
        mpfr_sub(B[i * n + i].im, B[i * n + i].im, z->im, MPFR_RNDN);
    }
    size_t rank = nh_digits_eliminate(d, B, n, n, n, small, order);
    rank = rank == n ? n - 1 : rank;
    size_t column = order[rank + which % (n - rank)];
    mpfr_set_si(x[column].re, 1, MPFR_RNDN);
    for (size_t i = 0; i < rank; i++) {
        mpfr_neg(x[order[i]].re, B[i * n + column].re, MPFR_RNDN);
        mpfr_neg(x[order[i]].im, B[i * n + column].im, MPFR_RNDN);
    }
    for (size_t i = 0; i < m->rows; i++) {
        mpfr_set_si(own->re, 0, MPFR_RNDN), mpfr_set_si(own->im, 0, MPFR_RNDN);
        for (size_t k = 0; k < n; k++) {
            mpfr_fma(own->re, m->N[i * n + k].re, x[k].re, own->re, MPFR_RNDN);
            mpfr_fma(own->im, m->N[i * n + k].re, x[k].im, own->im, MPFR_RNDN);
        }
        out->vector_re[i] = mpfr_get_d(own->re, MPFR_RNDN);
        out->vector_im[i] = mpfr_get_d(own->im, MPFR_RNDN);
    }
    nh_arena_release(d->arena, mark);
    return n - rank;
}

/* ---------------------------------------------------------------- the call */

typedef struct job {
    const nh_pool *pool;
    nh_arena *arena;
    nh_spectral *s;
    nh_expr *roots;
    size_t count;
    double *moves;
    const nh_complex *values; /* at the state itself */
} job;

/* The coefficients at one state, in numbers of d; false: something has no value. */
static bool sample(const job *j, nh_digits *d, const double *moves, matrix *m, nh_complex *values,
                   nh_complex *c)
{
    const nh_spectral *s = j->s;
    nh_digits_state state = {s->exact, s->values, moves, NULL};
    nh_digits_evaluate(d, j->pool, j->roots, j->count, &state, values);
    *m = (matrix){.d = d, .rows = s->n};
    if (!find_matrix(m, values, s, values + s->n * s->n))
        return false;
    find_polynomial(m, c);
    return true;
}

/* |c - c'| times so much more, where that is larger. */
static void widen(polynomial *p, const nh_complex *other, double times)
{
    for (size_t k = 0; k <= p->n; k++) {
        mpfr_sub(p->d->r, p->c[k].re, other[k].re, MPFR_RNDN);
        mpfr_abs(p->d->r, p->d->r, MPFR_RNDN);
        mpfr_mul_d(p->d->r, p->d->r, times, MPFR_RNDU);
        mpfr_max(p->off[k].re, p->off[k].re, p->d->r, MPFR_RNDU);
    }
}

/* The same for the entries of A, in doubles. */
static void widen_numbers(const job *j, nh_digits *d, const nh_complex *other, double times)
{
    for (size_t i = 0; i < j->s->n * j->s->n; i++) {
        mpfr_sub(d->r, j->values[i].re, other[i].re, MPFR_RNDN);
        j->s->number_errors[i] = fmax(j->s->number_errors[i], times * fabs(mpfr_get_d(d->r, MPFR_RNDN)));
    }
}

/* With fewer digits, and at other states within the radii. False: the same does not come out. */
static bool find_uncertainty(job *j, polynomial *p)
{
    const nh_spectral *s = j->s;
    for (size_t number = 0; number < (s->radii ? SAMPLES : 1); number++) {
        nh_arena_mark mark = nh_arena_here(j->arena);
        nh_digits d;
        matrix m;
        nh_digits_init(&d, j->arena, number ? BITS : FEWER_BITS);
        nh_complex *values = nh_digits_new(&d, j->count), *c = nh_digits_new(&d, s->n + 1);
        for (size_t k = 0; k < j->pool->n_symbols && s->radii; k++)
            j->moves[k] = number ? s->radii[k] * (nh_hash(number * 7919 + k) >> 20 & 1 ? 1 : -1) : 0;
        bool fine = sample(j, &d, j->moves, &m, values, c) && m.n == p->n;
        if (fine)
            widen(p, c, number ? 4 : 0x1p20), widen_numbers(j, p->d, values, number ? 4 : 0x1p20);
        nh_arena_release(j->arena, mark);
        if (!fine)
            return false;
    }
    return true;
}

/* Those that are 0 as far as can be told, the last coefficients being so, are divided out. */
static size_t split_zeros(polynomial *p)
{
    size_t zeros = 0;
    while (zeros < p->n && mpfr_cmpabs(p->c[zeros].re, p->off[zeros].re) <= 0)
        zeros++;
    p->c += zeros, p->off += zeros, p->n -= zeros;
    return zeros;
}

/* What is real or imaginary but for the last digits is so. */
static void round_root(polynomial *p, size_t k)
{
    long re = mpfr_zero_p(p->z[k].re) ? LONG_MIN : mpfr_get_exp(p->z[k].re),
         im = mpfr_zero_p(p->z[k].im) ? LONG_MIN : mpfr_get_exp(p->z[k].im);
    if (im != LONG_MIN && re != LONG_MIN && im < re - 150)
        mpfr_set_si(p->z[k].im, 0, MPFR_RNDN);
    if (im != LONG_MIN && re != LONG_MIN && re < im - 150)
        mpfr_set_si(p->z[k].re, 0, MPFR_RNDN);
}

/* How many before k are the same. */
static size_t repeated(const nh_eigenpair *out, size_t k)
{
    size_t count = 0;
    for (size_t i = 0; i < k; i++)
        count += hypot(out[i].re - out[k].re, out[i].im - out[k].im) <= out[i].error + out[k].error;
    return count;
}

static void hand_over(polynomial *p, const matrix *m, size_t zeros, bool rough, nh_spectral *s)
{
    nh_complex *nothing = nh_digits_new(p->d, 1);
    s->count = p->n + zeros, s->zeros = zeros;
    for (size_t k = 0; k < s->count; k++) {
        nh_eigenpair *out = &s->pairs[k];
        bool zero = k >= p->n;
        if (!zero)
            round_root(p, k);
        const nh_complex *z = zero ? nothing : &p->z[k];
        out->re = mpfr_get_d(z->re, MPFR_RNDN), out->im = mpfr_get_d(z->im, MPFR_RNDN);
        out->error = zero ? 0 : radius_of(p, k);
        s->tiny = s->tiny || (!zero && hypot(out->re, out->im) < DBL_MIN);
        size_t which = zero ? k - p->n : repeated(s->pairs, k);
        size_t vectors = find_vector(m, z, which, rough ? 36 : 150, out);
        if (zero)
            s->kernel = vectors < zeros ? vectors : zeros;
    }
}

/* The rates at the state are 0 to nearly all digits: it is exactly what it stands for. */
static bool is_exact(const nh_complex *rates, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        long size = nh_digits_exponent(&rates[i]);
        if (!mpfr_number_p(rates[i].re) || (size != LONG_MIN && size > -300))
            return false;
    }
    return true;
}

bool nh_find_spectrum(const nh_pool *pool, nh_arena *arena, nh_spectral *s)
{
    size_t squares = s->n * s->n, slopes = s->held * s->n;
    nh_arena_mark mark = nh_arena_here(arena);
    job j = {.pool = pool, .arena = arena, .s = s, .count = squares + slopes + s->n_rates};
    nh_digits d;
    matrix m;
    if (s->n == 0 || s->n >= LARGEST)
        return false;
    j.roots = nh_arena_array(arena, j.count + 1, sizeof *j.roots);
    j.moves = nh_arena_array(arena, pool->n_symbols + 1, sizeof *j.moves);
    for (size_t i = 0; i < j.count; i++)
        j.roots[i] = i < squares            ? s->A[i]
                     : i < squares + slopes ? s->H[i - squares]
                                            : s->rates[i - squares - slopes];
    nh_digits_init(&d, arena, BITS);
    nh_complex *values = nh_digits_new(&d, j.count), *c = nh_digits_new(&d, s->n + 1);
    j.values = values;
    bool fine = sample(&j, &d, NULL, &m, values, c);
    if (fine && is_exact(values + squares + slopes, s->n_rates))
        s->radii = NULL;
    polynomial p = {.d = &d, .n = fine ? m.n : 0, .c = c, .off = nh_digits_new(&d, s->n + 1)};
    p.z = nh_digits_new(&d, s->n), p.value = nh_digits_new(&d, 1), p.step = nh_digits_new(&d, 1);
    fine = fine && find_uncertainty(&j, &p);
    if (fine) {
        bool rough = s->radii;
        for (size_t i = 0; i < squares; i++)
            s->numbers[i] = mpfr_get_d(values[i].re, MPFR_RNDN);
        size_t zeros = split_zeros(&p);
        find_roots(&p);
        hand_over(&p, &m, zeros, rough, s);
    }
    nh_arena_release(arena, mark);
    return fine;
}
