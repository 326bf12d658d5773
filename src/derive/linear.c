/* Linear systems on the expression graph. Small and sparse ones are eliminated there, as straight-line code: entries that
 * vanish are left out, so that diagonal and banded matrices cost what they should. What would become too long, which is
 * predicted from the pattern of zeros, stays a linear system (nh_solution) until somebody wants to see formulas. */
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
bool nh_eliminate_symmetric(nh_equations *eq, size_t n, const nh_expr *M, size_t count, const nh_expr *B,
                            nh_expr *X)
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
    return nh_is_number(&eq->pool, e, NULL) ? 0
                                            : 1 + nh_count_operations(&eq->pool, &eq->context->arena, &e, 1);
}

/* Gauss elimination with row exchanges, towards simple pivots that are not small on C. */
bool nh_eliminate(nh_equations *eq, size_t n, const nh_expr *M, size_t count, const nh_expr *B, nh_expr *X)
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
            largest =
                W[i * width + j] == pool->zero ? largest : fmax(largest, sample_of(eq, W[i * width + j]));
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

/* ---------------------------------------------------------------- how long would it get? */

/* A bound on what elimination is worth: a full system of four unknowns takes 24 multiplications to factorise. */
enum { LARGEST_FULL = 4, MOST_OF_ANY = 64, MOST_PER_ENTRY = 3 };

/* Multiplications and divisions of the elimination of a pattern of entries, which is filled in on the way; counting stops
 * beyond the limit. Rows are exchanged for pivots that are there. */
size_t nh_elimination_cost(bool *full, size_t n, size_t limit)
{
    size_t cost = 0;
    for (size_t j = 0; j < n && cost <= limit; j++) {
        size_t p = j;
        while (p < n && !full[p * n + j])
            p++;
        for (size_t k = 0; k < n && p < n && p != j; k++) {
            bool swap = full[j * n + k];
            full[j * n + k] = full[p * n + k], full[p * n + k] = swap;
        }
        for (size_t i = j + 1; i < n; i++)
            for (size_t k = j; k < n && full[i * n + j]; k++)
                if (full[j * n + k])
                    full[i * n + k] = true, cost++;
    }
    return cost;
}

/* Whether M stays a system. */
static bool stays(nh_equations *eq, size_t n, const nh_expr *M)
{
    size_t entries = 0;
    if (n <= LARGEST_FULL)
        return false;
    bool *full = nh_arena_array(&eq->arena, n * n, sizeof *full);
    for (size_t k = 0; k < n * n; k++)
        entries += full[k] = !nh_is_null(eq, M[k]);
    size_t limit = MOST_PER_ENTRY * entries > MOST_OF_ANY ? MOST_PER_ENTRY * entries : MOST_OF_ANY;
    return nh_elimination_cost(full, n, limit) > limit;
}

/* Whether it can be solved at all, by its residues: for a matrix whose residues tell. */
static bool regular(nh_equations *eq, nh_expr component)
{
    nh_residue value = nh_modular_value(eq->modular, component);
    return value.valid != 0 || !value.exact;
}

static bool as_system(nh_equations *eq, size_t n, bool symmetric, const nh_expr *M, size_t count,
                      const nh_expr *B, nh_expr *X)
{
    nh_pool *pool = &eq->pool;
    nh_expr *entries = nh_array(eq, n * n);
    for (size_t k = 0; k < n * n; k++)
        entries[k] = clean(eq, M[k]);
    for (size_t c = 0; c < count; c++)
        nh_solution(pool, n, symmetric, entries, B + c * n, X + c * n);
    return count == 0 || regular(eq, X[0]);
}

bool nh_solve_symmetric(nh_equations *eq, size_t n, const nh_expr *M, size_t count, const nh_expr *B,
                        nh_expr *X)
{
    if (stays(eq, n, M))
        return as_system(eq, n, true, M, count, B, X);
    return nh_eliminate_symmetric(eq, n, M, count, B, X);
}

bool nh_solve_general(nh_equations *eq, size_t n, const nh_expr *M, size_t count, const nh_expr *B,
                      nh_expr *X)
{
    if (stays(eq, n, M))
        return as_system(eq, n, false, M, count, B, X);
    return nh_eliminate(eq, n, M, count, B, X);
}

/* ---------------------------------------------------------------- written out after all */

/* The systems among the roots, eliminated one after the other: image[] by handle. */
static void eliminate_node(nh_equations *eq, nh_expr e, nh_expr *image, nh_expr **solutions)
{
    nh_node node = nh_get(&eq->pool, e), matrix = nh_get(&eq->pool, node.a);
    nh_list M = eq->pool.lists[matrix.a], b = eq->pool.lists[node.b];
    size_t n = matrix.b;
    nh_expr *entries = nh_array(eq, n * n), *right = nh_array(eq, n), *x = nh_array(eq, n);
    for (size_t k = 0; k < n * n; k++)
        entries[k] = image[M.items[k]];
    for (size_t i = 0; i < n; i++)
        right[i] = image[b.items[1 + i]];
    if (matrix.function)
        nh_eliminate_symmetric(eq, n, entries, 1, right, x);
    else
        nh_eliminate(eq, n, entries, 1, right, x);
    solutions[e] = x;
}

void nh_write_out(nh_equations *eq, const nh_expr *roots, size_t count, nh_expr *out)
{
    nh_pool *pool = &eq->pool;
    if (count == 0 || !nh_has_solve(pool, &eq->context->arena, roots, count)) {
        memmove(out, roots, count * sizeof *out);
        return;
    }
    nh_walk walk = nh_walk_of(pool, &eq->arena, roots, count);
    size_t size = (size_t)walk.nodes[walk.count - 1] + 1;
    nh_expr *image = nh_arena_array(&eq->arena, size, sizeof *image),
            **solutions = nh_arena_array(&eq->arena, size, sizeof *solutions);
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        nh_node node = nh_get(pool, e);
        if (node.kind == NH_SOLVE)
            eliminate_node(eq, e, image, solutions);
        else if (node.kind == NH_COMPONENT)
            image[e] = solutions[node.a][node.b];
        else if (node.kind != NH_MATRIX)
            image[e] = nh_rebuilt_with(pool, e, image);
    }
    for (size_t i = 0; i < count; i++)
        out[i] = image[roots[i]];
}
