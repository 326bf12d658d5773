/* A basis of the velocities that linear constraints allow, one row after the other: where there are many, minors of all rows are too long.
 *
 * Vectors v_j that satisfy the rows so far have s_j = C_i v_j^i with the next one. If some s_p is never 0, as the length of a drawbar, the others take
 * v_j - (s_j / s_p) v_p; otherwise the few v_j with s_j that is not 0 are combined by a basis of s, as (sin a, -cos a) has (cos a, sin a). Nothing is divided by
 * what may vanish, so that the result is a basis at every state. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 200, MOST_COMBINED = 4, MOST_OPERATIONS = 400, LONGEST_ENTRY = 60 };

static const double LEAST_PIVOT = 1e-6; /* relative to the others at the start */

typedef struct basis {
    nh_equations *eq;
    nh_algebra *algebra;
    const double *sample;
    size_t count;
    nh_expr *v; /* n each */
    nh_expr *s;
} basis;

/* Simplified, where that is short. */
static void tidy(basis *b, nh_expr *e)
{
    nh_expr simple;
    if (nh_is_null(b->eq, *e))
        *e = b->eq->pool.zero;
    else if (nh_count_operations(&b->eq->pool, &b->eq->context->arena, e, 1) <= MOST_OPERATIONS &&
             nh_simplify(b->algebra, e, 1, &simple))
        *e = simple;
}

static double size_of(const basis *b, nh_expr e)
{
    double value = 0;
    nh_evaluate(&b->eq->pool, &b->eq->context->arena, &e, 1, b->sample, &value, NULL);
    return fabs(value);
}

/* The largest that is never 0; count: none that is not tiny beside the others. */
static size_t find_pivot(const basis *b)
{
    size_t pivot = b->count;
    double largest = 0, best = 0;
    for (size_t j = 0; j < b->count; j++) {
        double size = size_of(b, b->s[j]);
        largest = fmax(largest, size);
        if (size > best &&
            nh_is_never_zero(&b->eq->pool, b->s[j], b->algebra->signs, b->eq->model->pool.n_symbols))
            pivot = j, best = size;
    }
    return best > LEAST_PIVOT * largest ? pivot : b->count;
}

static void drop(basis *b, size_t j)
{
    size_t n = b->eq->n;
    memmove(b->v + j * n, b->v + (j + 1) * n, (b->count - j - 1) * n * sizeof *b->v);
    b->count--;
}

/* v_j - (s_j / s_p) v_p */
static void eliminate(basis *b, size_t p)
{
    nh_pool *pool = &b->eq->pool;
    size_t n = b->eq->n;
    for (size_t j = 0; j < b->count; j++) {
        if (j == p || b->s[j] == pool->zero)
            continue;
        nh_expr part = nh_div(pool, b->s[j], b->s[p]);
        for (size_t i = 0; i < n; i++)
            if (b->v[p * n + i] != pool->zero) {
                nh_expr *e = &b->v[j * n + i];
                *e = nh_sub(pool, *e, nh_mul(pool, part, b->v[p * n + i]));
                tidy(b, e);
            }
    }
    drop(b, p);
}

/* sum_j a_j v_j over the columns */
static void combine(basis *b, const size_t *columns, size_t count, const nh_expr *a, nh_expr *out)
{
    nh_pool *pool = &b->eq->pool;
    for (size_t i = 0; i < b->eq->n; i++) {
        out[i] = pool->zero;
        for (size_t k = 0; k < count; k++)
            out[i] = nh_add(pool, out[i], nh_mul(pool, a[k], b->v[columns[k] * b->eq->n + i]));
        tidy(b, &out[i]);
    }
}

/* By vectors a with sum_j s_j a_j = 0 that are a basis everywhere; false: there are none that are found, or too many columns for it. */
static bool combine_few(basis *b)
{
    nh_equations *eq = b->eq;
    size_t columns[MOST_COMBINED], count = 0, found = 0, n = eq->n;
    nh_expr s[MOST_COMBINED], a[MOST_COMBINED * MOST_COMBINED];
    for (size_t j = 0; j < b->count; j++) {
        if (b->s[j] == eq->pool.zero)
            continue;
        if (count == MOST_COMBINED ||
            nh_count_operations(&eq->pool, &eq->context->arena, &b->s[j], 1) > LONGEST_ENTRY)
            return false;
        columns[count] = j, s[count++] = b->s[j];
    }
    bool everywhere = false;
    if (count < 2 || !nh_matrix_null_space(b->algebra, 1, count, s, &found, a, &everywhere) || !everywhere ||
        found + 1 != count)
        return false;
    nh_expr *out = nh_array(eq, found * n);
    for (size_t k = 0; k < found; k++)
        combine(b, columns, count, a + k * count, out + k * n);
    for (size_t k = 0; k < found; k++)
        memcpy(b->v + columns[k] * n, out + k * n, n * sizeof *out);
    drop(b, columns[found]);
    return true;
}

/* False: this row cannot be satisfied without a division by what may vanish, or only after others. */
static bool satisfy(basis *b, const nh_expr *row)
{
    bool any = false;
    for (size_t j = 0; j < b->count; j++) {
        b->s[j] = nh_dot(b->eq, row, b->v + j * b->eq->n, b->eq->n);
        tidy(b, &b->s[j]);
        any = any || b->s[j] != b->eq->pool.zero;
    }
    size_t pivot = any ? find_pivot(b) : b->count;
    if (pivot < b->count)
        eliminate(b, pivot);
    else
        return any && combine_few(b);
    return true;
}

/* The first of the rows that can be satisfied, again and again. */
static bool satisfy_all(basis *b, size_t rows, const nh_expr *M)
{
    bool *done = nh_arena_array(&b->eq->arena, rows + 1, sizeof *done);
    memset(done, 0, rows * sizeof *done);
    for (size_t left = rows; left > 0; left--) {
        size_t a = 0;
        while (a < rows && (done[a] || !satisfy(b, M + a * b->eq->n)))
            a++;
        if (a == rows)
            return false;
        done[a] = true;
    }
    return true;
}

nh_expr *nh_successive_null_space(nh_equations *eq, size_t rows, const nh_expr *M)
{
    size_t n = eq->n;
    nh_algebra algebra;
    nh_budget budget = {.max_terms = 200, .max_seconds = 5};
    if (n > MOST_COLUMNS)
        return NULL;
    nh_algebra_init(&algebra, &eq->pool, &budget, nh_model_signs(eq->model, &eq->context->arena));
    basis b = {
        .eq = eq, .algebra = &algebra, .sample = eq->sample ? eq->sample : nh_random_values(eq), .count = n};
    b.v = nh_array(eq, n * n), b.s = nh_array(eq, n);
    for (size_t k = 0; k < n * n; k++)
        b.v[k] = k / n == k % n ? eq->pool.one : eq->pool.zero;
    bool found = satisfy_all(&b, rows, M);
    nh_algebra_free(&algebra);
    return found ? b.v : NULL;
}
