#include "analyse/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* LAPACK, as Fortran compilers call it: matrices by columns, lengths of the character arguments behind the others. */
void dgeevx_(const char *balance, const char *left, const char *right, const char *sense, const int *n,
             double *A, const int *lda, double *re, double *im, double *vl, const int *ldvl, double *vr,
             const int *ldvr, int *low, int *high, double *scale, double *norm, double *conditions,
             double *separations, double *work, const int *lwork, int *iwork, int *info, size_t, size_t,
             size_t, size_t);
void dgebal_(const char *job, const int *n, double *A, const int *lda, int *low, int *high, double *scale,
             int *info, size_t);
void dgesvd_(const char *left, const char *right, const int *rows, const int *columns, double *A,
             const int *lda, double *S, double *U, const int *ldu, double *VT, const int *ldvt, double *work,
             const int *lwork, int *info, size_t, size_t);
void dgelss_(const int *rows, const int *columns, const int *n_right, double *A, const int *lda, double *B,
             const int *ldb, double *S, const double *tolerance, int *rank, double *work, const int *lwork,
             int *info);

static double *doubles(nh_arena *arena, size_t count)
{
    return nh_arena_array(arena, count + 1, sizeof(double));
}

static double *by_columns(nh_arena *arena, size_t rows, size_t columns, const double *A)
{
    double *out = doubles(arena, rows * columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            out[j * rows + i] = A[i * columns + j];
    return out;
}

/* ---------------------------------------------------------------- eigenvalues */

typedef struct spectrum {
    size_t n;
    double *re, *im, *right, *conditions, norm;
} spectrum;

static bool find_spectrum(nh_arena *arena, size_t n, const double *A, spectrum *s)
{
    int size = (int)n, low, high, work_size = (int)(n * (n + 8) + 64), info;
    double *copy = by_columns(arena, n, n, A), *left = doubles(arena, n * n), *scale = doubles(arena, n),
           *separations = doubles(arena, n), *work = doubles(arena, (size_t)work_size);
    int *iwork = nh_arena_array(arena, 2 * n + 1, sizeof *iwork);
    s->n = n, s->re = doubles(arena, n), s->im = doubles(arena, n), s->right = doubles(arena, n * n);
    s->conditions = doubles(arena, n);
    dgeevx_("B", "V", "V", "E", &size, copy, &size, s->re, s->im, left, &size, s->right, &size, &low, &high,
            scale, &s->norm, s->conditions, separations, work, &work_size, iwork, &info, 1, 1, 1, 1);
    return info == 0;
}

/* Larger real part first, then larger distance from the real axis; of a pair the upper one. */
static bool comes_before(const spectrum *s, size_t a, size_t b)
{
    if (fabs(s->re[a] - s->re[b]) > 4 * DBL_EPSILON * s->norm)
        return s->re[a] > s->re[b];
    if (fabs(s->im[a]) != fabs(s->im[b]))
        return fabs(s->im[a]) > fabs(s->im[b]);
    return s->im[a] > s->im[b];
}

static size_t *in_order(nh_arena *arena, const spectrum *s)
{
    size_t *order = nh_arena_array(arena, s->n + 1, sizeof *order);
    for (size_t k = 0; k < s->n; k++) {
        size_t at = k;
        for (; at > 0 && comes_before(s, k, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    return order;
}

/* LAPACK keeps the vectors of a pair u +- i v as two columns u, v. */
static void take_vector(const spectrum *s, size_t k, size_t to, double *re, double *im)
{
    size_t first = s->im[k] < 0 ? k - 1 : k;
    for (size_t i = 0; i < s->n; i++) {
        re[i * s->n + to] = s->right[first * s->n + i];
        im[i * s->n + to] = s->im[k] == 0 ? 0 : copysign(1, s->im[k]) * s->right[(first + 1) * s->n + i];
    }
}

bool nh_eigen(nh_arena *arena, size_t n, const double *A, double rounding, nh_eigenvalue *values,
              double *vectors_re, double *vectors_im)
{
    spectrum s;
    if (n == 0)
        return true;
    if (!find_spectrum(arena, n, A, &s))
        return false;
    size_t *order = in_order(arena, &s);
    for (size_t k = 0; k < n; k++) {
        size_t from = order[k];
        double wrong = fmax(4 * DBL_EPSILON * s.norm, rounding),
               error = wrong / fmax(s.conditions[from], DBL_EPSILON);
        values[k] = (nh_eigenvalue){s.re[from], s.im[from], fmin(error, sqrt(wrong * s.norm))};
        if (vectors_re)
            take_vector(&s, from, k, vectors_re, vectors_im);
    }
    return true;
}

void nh_balance(nh_arena *arena, size_t n, double *A, double *D)
{
    int size = (int)n, low, high, info;
    double *copy = by_columns(arena, n, n, A);
    if (n == 0)
        return;
    dgebal_("S", &size, copy, &size, &low, &high, D, &info, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            A[i * n + j] = copy[j * n + i];
}

/* ---------------------------------------------------------------- singular values */

bool nh_singular(nh_arena *arena, size_t rows, size_t columns, const double *A, double *S, double *right)
{
    int m = (int)rows, n = (int)columns, one = 1, work_size = (int)(8 * (rows + columns) + 64), info;
    double *copy = by_columns(arena, rows, columns, A), *work = doubles(arena, (size_t)work_size), *VT,
           unused;
    if (rows == 0 || columns == 0) {
        for (size_t i = 0; i < columns; i++)
            for (size_t j = 0; j < columns; j++)
                right[i * columns + j] = i == j;
        return true;
    }
    VT = doubles(arena, columns * columns);
    dgesvd_("N", "A", &m, &n, copy, &m, S, &unused, &one, VT, &n, work, &work_size, &info, 1, 1);
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < columns; i++)
            right[k * columns + i] = VT[i * columns + k];
    return info == 0;
}

bool nh_kernel(nh_arena *arena, size_t rows, size_t columns, const double *A, double tolerance, double *basis,
               size_t *count)
{
    size_t least = rows < columns ? rows : columns, rank = 0;
    double *S = doubles(arena, least), *right = doubles(arena, columns * columns);
    if (!nh_singular(arena, rows, columns, A, S, right))
        return false;
    while (rank < least && S[rank] > tolerance * S[0] && S[rank] > 0)
        rank++;
    *count = columns - rank;
    memcpy(basis, right + rank * columns, *count * columns * sizeof *basis);
    return true;
}

bool nh_least_squares(nh_arena *arena, size_t rows, size_t columns, const double *A, const double *b,
                      double tolerance, double *x)
{
    size_t most = rows > columns ? rows : columns;
    int m = (int)rows, n = (int)columns, one = 1, ld = (int)most, rank, info,
        work_size = (int)(8 * (rows + columns) + 64);
    if (rows == 0 || columns == 0) {
        memset(x, 0, columns * sizeof *x);
        return true;
    }
    double *copy = by_columns(arena, rows, columns, A), *B = doubles(arena, most), *S = doubles(arena, most),
           *work = doubles(arena, (size_t)work_size);
    memcpy(B, b, rows * sizeof *B);
    dgelss_(&m, &n, &one, copy, &m, B, &ld, S, &tolerance, &rank, work, &work_size, &info);
    memcpy(x, B, columns * sizeof *x);
    return info == 0;
}
