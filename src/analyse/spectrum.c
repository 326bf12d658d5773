/* Rounding moves an eigenvalue 0 with a Jordan block of k rows by its k-th root: three of them would be seen 1e-5 away from 0. So
 * the zeros are split off first. With N the x that A sends to 0 and M what is orthogonal to them,
 *     A = [ 0  N A M^T ]
 *         [ 0  M A M^T ],
 * and M A M^T has the other eigenvalues; with its vectors w, A v = l v for v = M^T w + N^T (N A M^T w)/l. */
#include "analyse/spectrum.h"

#include <math.h>
#include <string.h>
static double *doubles(nh_arena *arena, size_t count)
{
    return nh_arena_array(arena, count + 1, sizeof(double));
}

/* Rows of B (k x n) applied to A (n x n) and to rows of C (l x n): B A C^T. */
static double *between(nh_arena *arena, size_t n, size_t k, const double *B, const double *A, size_t l,
                       const double *C)
{
    double *half = doubles(arena, k * n), *out = doubles(arena, k * l);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t h = 0; h < n; h++)
                half[i * n + j] += B[i * n + h] * A[h * n + j];
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < l; j++)
            for (size_t h = 0; h < n; h++)
                out[i * l + j] += half[i * n + h] * C[j * n + h];
    return out;
}

static const double TOLERANCE =
    1e-14; /* singular values below that part of the largest, for each row, are rounding */

typedef struct split {
    size_t zeros;  /* rows of N */
    double *right; /* M, then N, as rows */
    double largest;
} split;

static bool find_split(nh_arena *arena, size_t n, const double *A, double norm, double rounding, split *s)
{
    double *S = doubles(arena, n);
    s->right = doubles(arena, n * n);
    if (!nh_singular(arena, n, n, A, S, s->right))
        return false;
    s->largest = n ? S[0] : 0, s->zeros = 0;
    double unit = norm > 0 ? norm : s->largest;
    while (s->zeros < n && S[n - 1 - s->zeros] <= fmax(TOLERANCE * (double)n * unit, 4 * rounding))
        s->zeros++;
    return true;
}

/* v = M^T w + N^T (N A M^T w)/l, for each of the others. */
static void lift(nh_arena *arena, size_t n, const double *A, const split *s, const nh_spectrum *inner,
                 nh_spectrum *out)
{
    size_t rest = n - s->zeros;
    const double *M = s->right, *N = s->right + rest * n;
    double *NAM = between(arena, n, s->zeros, N, A, rest, M);
    for (size_t k = 0; k < rest; k++) {
        double a = inner->values[k].re, b = inner->values[k].im, square = a * a + b * b;
        for (size_t i = 0; i < n; i++) {
            double re = 0, im = 0;
            for (size_t j = 0; j < rest; j++)
                re += M[j * n + i] * inner->re[j * rest + k], im += M[j * n + i] * inner->im[j * rest + k];
            for (size_t z = 0; z < s->zeros && square > 0; z++) {
                double u = 0, v = 0;
                for (size_t j = 0; j < rest; j++)
                    u += NAM[z * rest + j] * inner->re[j * rest + k],
                        v += NAM[z * rest + j] * inner->im[j * rest + k];
                re += N[z * n + i] * (u * a + v * b) / square, im += N[z * n + i] * (v * a - u * b) / square;
            }
            out->re[i * n + k] = re, out->im[i * n + k] = im;
        }
        out->values[k] = inner->values[k];
    }
}

static nh_spectrum *find(nh_arena *arena, size_t n, const double *A, double norm, double rounding)
{
    split s;
    nh_spectrum *out = nh_arena_array(arena, 1, sizeof *out);
    if (!find_split(arena, n, A, norm, rounding, &s))
        return NULL;
    *out = (nh_spectrum){.n = n, .norm = norm > 0 ? norm : s.largest, .kernel = s.zeros, .zeros = s.zeros};
    out->values = nh_arena_array(arena, n + 1, sizeof *out->values);
    out->re = doubles(arena, n * n), out->im = doubles(arena, n * n);
    if (s.zeros == 0)
        return nh_eigen(arena, n, A, rounding, out->values, out->re, out->im) ? out : NULL;
    size_t rest = n - s.zeros;
    nh_spectrum *inner =
        find(arena, rest, between(arena, n, rest, s.right, A, rest, s.right), out->norm, rounding);
    if (!inner)
        return NULL;
    lift(arena, n, A, &s, inner, out);
    out->zeros += inner->zeros;
    for (size_t k = rest; k < n; k++) {
        out->values[k] = (nh_eigenvalue){0, 0, 0};
        for (size_t i = 0; i < n; i++)
            out->re[i * n + k] = s.right[k * n + i];
    }
    return out;
}

/* Larger real parts first; the zeros stand where they belong. */
static void sort(nh_arena *arena, nh_spectrum *s)
{
    size_t n = s->n, *order = nh_arena_array(arena, n + 1, sizeof *order);
    nh_eigenvalue *values = nh_arena_array(arena, n + 1, sizeof *values);
    double *re = doubles(arena, n * n), *im = doubles(arena, n * n);
    for (size_t k = 0; k < n; k++) {
        size_t at = k;
        for (; at > 0 && s->values[k].re > s->values[order[at - 1]].re + s->values[k].error; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (size_t k = 0; k < n; k++) {
        values[k] = s->values[order[k]];
        for (size_t i = 0; i < n; i++)
            re[i * n + k] = s->re[i * n + order[k]], im[i * n + k] = s->im[i * n + order[k]];
    }
    s->values = values, s->re = re, s->im = im;
}

/* Of the balanced matrix: the errors of the entries grow with D_k/D_i. */
static double balanced_rounding(size_t n, const double *A, const double *balanced, double rounding)
{
    double before = 0, after = 0;
    for (size_t i = 0; i < n * n; i++)
        before = fmax(before, fabs(A[i])), after = fmax(after, fabs(balanced[i]));
    return before > 0 ? rounding * fmin(1, after / before) : rounding;
}

nh_spectrum *nh_spectrum_of(nh_arena *arena, size_t n, const double *A, double rounding)
{
    double *balanced = doubles(arena, n * n), *D = doubles(arena, n);
    memcpy(balanced, A, n * n * sizeof *A);
    nh_balance(arena, n, balanced, D);
    nh_spectrum *s = find(arena, n, balanced, 0, balanced_rounding(n, A, balanced, rounding));
    for (size_t k = 0; s && k < n * n; k++)
        s->re[k] *= D[k / n], s->im[k] *= D[k / n];
    if (s)
        sort(arena, s);
    return s;
}
