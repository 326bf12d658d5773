/* The free motion: g_ij q''^j = L_i. */
#include "derive/inner.h"

/* Symbols of the model: q, q' and t. */
static nh_expr *rates_of(nh_equations *eq)
{
    nh_expr *rates = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    return rates;
}

static nh_expr *coordinates_of(nh_equations *eq)
{
    nh_expr *q = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        q[i] = eq->model->coordinates[i].q;
    return q;
}

/* A_i = force_i - dV/dq^i */
static void active_forces(nh_equations *eq, const nh_expr *q)
{
    eq->A = nh_array(eq, eq->n);
    nh_gradient(&eq->pool, &eq->context->arena, &eq->model->potential, NULL, 1, q, eq->n, eq->A);
    for (size_t i = 0; i < eq->n; i++)
        eq->A[i] = nh_sub(&eq->pool, eq->model->coordinates[i].force, eq->A[i]);
}

/* p_i = dK/dq'^i by one reverse sweep, and L_i = A_i + dK/dq^i - q'^j d_j p_i - d_t p_i by one directional derivative:
 * no second derivatives one by one. */
void nh_derive_free_motion(nh_equations *eq)
{
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n;
    nh_expr *rates = rates_of(eq), *q = coordinates_of(eq), *dK = nh_array(eq, n), *dp = nh_array(eq, n);
    nh_expr *symbols = nh_array(eq, n + 1), *directions = nh_array(eq, n + 1);
    eq->p = nh_array(eq, n);
    eq->L = nh_array(eq, n);
    nh_gradient(pool, scratch, &eq->model->kinetic, NULL, 1, rates, n, eq->p);
    nh_gradient(pool, scratch, &eq->model->kinetic, NULL, 1, q, n, dK);
    active_forces(eq, q);
    for (size_t i = 0; i < n; i++)
        symbols[i] = q[i], directions[i] = rates[i];
    symbols[n] = eq->model->time, directions[n] = pool->one;
    nh_directional(pool, scratch, eq->p, n, symbols, directions, n + 1, dp);
    for (size_t i = 0; i < n; i++)
        eq->L[i] = nh_sub(pool, nh_add(pool, eq->A[i], dK[i]), dp[i]);
}

/* g_ij v^j = v^j dp_i/dq'^j: p is of degree one in q'. */
void nh_lower(nh_equations *eq, const nh_expr *v, nh_expr *out)
{
    nh_directional(&eq->pool, &eq->context->arena, eq->p, eq->n, rates_of(eq), v, eq->n, out);
}

void nh_metric(nh_equations *eq, nh_expr *g)
{
    size_t n = eq->n;
    nh_expr *rates = rates_of(eq), *row = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        nh_gradient(&eq->pool, &eq->context->arena, &eq->p[i], NULL, 1, rates, n, row);
        for (size_t j = 0; j < n; j++)
            g[i * n + j] = nh_is_null(eq, row[j]) ? eq->pool.zero : row[j];
    }
}
