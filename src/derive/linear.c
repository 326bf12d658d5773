/* Linear systems as straight-line code on the expression graph. Entries that vanish are left out, so that diagonal and
 * banded matrices cost what they should. */
#include "derive/inner.h"

#include <math.h>
#include <string.h>

static nh_expr clean(nh_equations *eq, nh_expr e) { return nh_is_null(eq, e) ? eq->pool.zero : e; }

/* a - b c */
static nh_expr minus_product(nh_equations *eq, nh_expr a, nh_expr b, nh_expr c)
{
    nh_pool *pool = &eq->pool;
    if (b == pool->zero || c == pool->zero)
        return a;
    return nh_sub(pool, a, nh_mul(pool, b, c));
}

/* M = L D L^T without pivoting: M is positive definite where the system is regular. False: a pivot vanishes. */
bool nh_solve_symmetric(nh_equations *eq, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X)
{
    nh_pool *pool = &eq->pool;
    nh_expr *L = nh_array(eq, n * n), *D = nh_array(eq, n);
    for (size_t j = 0; j < n; j++) {
        D[j] = M[j * n + j];
        for (size_t k = 0; k < j; k++)
            D[j] = minus_product(eq, D[j], nh_mul(pool, L[j * n + k], L[j * n + k]), D[k]);
        D[j] = clean(eq, D[j]);
        if (D[j] == pool->zero)
            return false;
        for (size_t i = j + 1; i < n; i++) {
            nh_expr e = M[i * n + j];
            for (size_t k = 0; k < j; k++)
                e = minus_product(eq, e, nh_mul(pool, L[i * n + k], L[j * n + k]), D[k]);
            L[i * n + j] = nh_div(pool, clean(eq, e), D[j]);
        }
    }
    for (size_t c = 0; c < count; c++) {
        nh_expr *x = X + c * n;
        memcpy(x, B + c * n, n * sizeof *x);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++)
                x[i] = minus_product(eq, x[i], L[i * n + k], x[k]);
        for (size_t i = 0; i < n; i++)
            x[i] = nh_div(pool, clean(eq, x[i]), D[i]);
        for (size_t i = n; i-- > 0;)
            for (size_t k = i + 1; k < n; k++)
                x[i] = minus_product(eq, x[i], L[k * n + i], x[k]);
    }
    return true;
}

/* The value at a state on C, where one is known; 1 otherwise. */
static double sample_of(nh_equations *eq, nh_expr e)
{
    double value = 1;
    if (eq->sample)
        nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, eq->sample, &value, NULL);
    return isfinite(value) ? fabs(value) : 0;
}

/* How good a pivot is: numbers before other expressions, short ones before long ones. */
static size_t badness(nh_equations *eq, nh_expr e)
{
    return nh_is_number(&eq->pool, e, NULL) ? 0 : 1 + nh_count_operations(&eq->pool, &eq->context->arena, &e, 1);
}

/* Gauss elimination with row exchanges, towards simple pivots that are not small on C. */
bool nh_solve_general(nh_equations *eq, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X)
{
    nh_pool *pool = &eq->pool;
    size_t width = n + count;
    nh_expr *W = nh_array(eq, n * width);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            W[i * width + j] = clean(eq, M[i * n + j]);
        for (size_t c = 0; c < count; c++)
            W[i * width + n + c] = B[c * n + i];
    }
    for (size_t j = 0; j < n; j++) {
        size_t pivot = n, best = 0;
        double largest = 0;
        for (size_t i = j; i < n; i++)
            largest = W[i * width + j] == pool->zero ? largest : fmax(largest, sample_of(eq, W[i * width + j]));
        for (size_t i = j; i < n; i++) {
            bool large = W[i * width + j] != pool->zero && sample_of(eq, W[i * width + j]) >= 1e-3 * largest;
            if (large && (pivot == n || badness(eq, W[i * width + j]) < best))
                pivot = i, best = badness(eq, W[i * width + j]);
        }
        if (pivot == n)
            return false;
        for (size_t k = 0; k < width && pivot != j; k++) {
            nh_expr swap = W[j * width + k];
            W[j * width + k] = W[pivot * width + k], W[pivot * width + k] = swap;
        }
        for (size_t i = j + 1; i < n; i++) {
            nh_expr factor = nh_div(pool, W[i * width + j], W[j * width + j]);
            for (size_t k = j + 1; k < width && factor != pool->zero; k++)
                W[i * width + k] = clean(eq, minus_product(eq, W[i * width + k], factor, W[j * width + k]));
        }
    }
    for (size_t c = 0; c < count; c++)
        for (size_t i = n; i-- > 0;) {
            nh_expr e = W[i * width + n + c];
            for (size_t k = i + 1; k < n; k++)
                e = minus_product(eq, e, W[i * width + k], X[c * n + k]);
            X[c * n + i] = nh_div(pool, clean(eq, e), W[i * width + i]);
        }
    return true;
}
