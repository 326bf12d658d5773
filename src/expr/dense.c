/* Dense linear systems in doubles. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <math.h>

/* Rows are scaled by their largest entry when pivots are compared. */
static double row_size(const double *A, size_t n, size_t i, size_t from)
{
    double size = 0;
    for (size_t k = from; k < n; k++) {
        double entry = fabs(A[i * n + k]);
        size = entry > size ? entry : size;
    }
    return size > 0 ? size : 1;
}

/* Rows whose sizes are remembered: one that does not change keeps it, for what it loses is 0. */
enum { REMEMBERED = 2048 };

static void exchange(double *A, size_t *order, size_t n, size_t i, size_t j)
{
    size_t swap = order[i];
    order[i] = order[j], order[j] = swap;
    for (size_t k = 0; k < n && i != j; k++) {
        double entry = A[i * n + k];
        A[i * n + k] = A[j * n + k], A[j * n + k] = entry;
    }
}

/* Whether the pivot u_jj = a_jj - sum_k l_jk u_kj is more than what rounding leaves of its terms. Units of rows and of columns make no
 * difference to that. */
static bool is_left(const double *A, size_t n, size_t j, double tolerance)
{
    double pivot = fabs(A[j * n + j]), terms = pivot;
    for (size_t k = 0; k < j; k++)
        terms += fabs(A[j * n + k] * A[k * n + j]);
    return isfinite(pivot) && !(pivot <= tolerance * terms);
}

bool nh_factor_dense(double *A, size_t *order, size_t n, double tolerance)
{
    double sizes[REMEMBERED];
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        if (i < REMEMBERED)
            sizes[i] = row_size(A, n, i, 0);
    }
    for (size_t j = 0; j < n; j++) {
        size_t pivot = j;
        double best = 0;
        for (size_t i = j; i < n; i++) {
            double entry = fabs(A[i * n + j]);
            if (entry == 0)
                continue;
            entry /= i < REMEMBERED ? sizes[i] : row_size(A, n, i, j);
            if (entry > best)
                best = entry, pivot = i;
        }
        if (!(best > 0))
            return false;
        exchange(A, order, n, pivot, j);
        if (!is_left(A, n, j, tolerance))
            return false;
        if (pivot != j && pivot < REMEMBERED)
            sizes[pivot] = sizes[j];
        for (size_t i = j + 1; i < n; i++) {
            double factor = A[i * n + j] /= A[j * n + j];
            if (factor == 0)
                continue;
            for (size_t k = j + 1; k < n; k++)
                A[i * n + k] -= factor * A[j * n + k];
            if (i < REMEMBERED)
                sizes[i] = row_size(A, n, i, j + 1);
        }
    }
    return true;
}

void nh_solve_dense(const double *factors, const size_t *order, size_t n, const double *b, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = b[order[i]];
        for (size_t k = 0; k < i; k++)
            x[i] -= factors[i * n + k] * x[k];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= factors[i * n + k] * x[k];
        x[i] /= factors[i * n + i];
    }
}

bool nh_decompose(double *M, size_t n, double least)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            M[j * n + j] -= M[j * n + k] * M[j * n + k];
        if (!(M[j * n + j] > least))
            return false;
        M[j * n + j] = sqrt(M[j * n + j]);
        for (size_t i = j + 1; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                M[i * n + j] -= M[i * n + k] * M[j * n + k];
            M[i * n + j] /= M[j * n + j];
        }
    }
    return true;
}

bool nh_is_positive(double *S, size_t n, double shift)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = S[j * n + j] += shift;
        if (!(pivot > 0))
            return false;
        for (size_t i = j + 1; i < n; i++) {
            double factor = S[j * n + i] / pivot;
            if (factor == 0)
                continue;
            for (size_t k = i; k < n; k++)
                S[i * n + k] -= factor * S[j * n + k];
        }
    }
    return true;
}

/* S becomes J^T S J with the rotation J in the plane (p, q) that makes S_pq zero. */
static void rotate(double *S, size_t n, size_t p, size_t q)
{
    double theta = (S[q * n + q] - S[p * n + p]) / (2 * S[p * n + q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1),
           s = t * c;
    for (size_t k = 0; k < n; k++) {
        double a = S[k * n + p], b = S[k * n + q];
        S[k * n + p] = c * a - s * b, S[k * n + q] = s * a + c * b;
    }
    for (size_t k = 0; k < n; k++) {
        double a = S[p * n + k], b = S[q * n + k];
        S[p * n + k] = c * a - s * b, S[q * n + k] = s * a + c * b;
    }
}

enum { SWEEPS = 60 };

void nh_eigenvalues(double *S, size_t n)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool still = true;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                if (fabs(S[p * n + q]) > 1e-17 * sqrt(fabs(S[p * n + p] * S[q * n + q])) &&
                    fabs(S[p * n + q]) > 1e-300) {
                    rotate(S, n, p, q);
                    still = false;
                }
        if (still)
            return;
    }
}
