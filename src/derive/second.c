/* The equations of the second kind:
 *     C^a_i = dC^a/dq'^i,  C^ai = g^ij C^a_j,  G^ab = C^ai C^b_i
 *     lambda_a = -G_ab (C^bi L_i + q'^i d_i C^b + d_t C^b)
 *     R_i = lambda_a C^a_i,  D^i = g^ij (L_j + R_j) */
#include "derive/inner.h"

#include <string.h>

static void derivatives(nh_equations *eq)
{
    nh_second_kind *s = &eq->second;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n, r = eq->r;
    nh_expr *q = nh_array(eq, n), *rates = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        q[i] = eq->model->coordinates[i].q, rates[i] = eq->model->coordinates[i].rate;
    s->C_i = nh_array(eq, r * n);
    s->dC = nh_array(eq, r * n);
    s->dC_dt = nh_array(eq, r);
    for (size_t a = 0; a < r; a++) {
        nh_gradient(pool, scratch, &s->C[a], NULL, 1, rates, n, s->C_i + a * n);
        nh_gradient(pool, scratch, &s->C[a], NULL, 1, q, n, s->dC + a * n);
        s->dC_dt[a] = nh_derivative(pool, scratch, s->C[a], eq->model->time);
    }
}

/* g^ij applied to the rows of C_i and to L. */
static bool raise_indices(nh_equations *eq, nh_expr *L_upper)
{
    nh_second_kind *s = &eq->second;
    size_t n = eq->n, r = eq->r;
    nh_expr *g = nh_array(eq, n * n), *B = nh_array(eq, (r + 1) * n), *X = nh_array(eq, (r + 1) * n);
    nh_metric(eq, g);
    memcpy(B, s->C_i, r * n * sizeof *B);
    memcpy(B + r * n, eq->L, n * sizeof *B);
    if (!nh_solve_symmetric(eq, n, g, r + 1, B, X))
        return false;
    s->C_upper = nh_array(eq, r * n);
    memcpy(s->C_upper, X, r * n * sizeof *X);
    memcpy(L_upper, X + r * n, n * sizeof *X);
    return true;
}

static bool find_lambda(nh_equations *eq, const nh_expr *rates)
{
    nh_second_kind *s = &eq->second;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    nh_expr *b = nh_array(eq, r);
    s->G_upper = nh_array(eq, r * r);
    s->lambda = nh_array(eq, r);
    for (size_t a = 0; a < r; a++)
        for (size_t c = 0; c <= a; c++)
            s->G_upper[a * r + c] = s->G_upper[c * r + a] = nh_dot(eq, s->C_upper + a * n, s->C_i + c * n, n);
    for (size_t a = 0; a < r; a++) {
        nh_expr free = nh_dot(eq, s->C_upper + a * n, eq->L, n), moved = nh_dot(eq, rates, s->dC + a * n, n);
        b[a] = nh_neg(pool, nh_add(pool, free, nh_add(pool, moved, s->dC_dt[a])));
    }
    return nh_solve_symmetric(eq, r, s->G_upper, 1, b, s->lambda);
}

void nh_derive_second(nh_equations *eq)
{
    nh_second_kind *s = &eq->second;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    nh_expr *L_upper = nh_array(eq, n), *rates = nh_array(eq, n);
    if (s->reason)
        return;
    for (size_t i = 0; i < n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    derivatives(eq);
    if (!raise_indices(eq, L_upper)) {
        s->reason = "the metric g is singular";
        return;
    }
    if (!find_lambda(eq, rates)) {
        s->reason = "the constraints are nowhere independent";
        return;
    }
    s->R = nh_array(eq, n), s->R_upper = nh_array(eq, n), s->D = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        s->R[i] = s->R_upper[i] = pool->zero;
        for (size_t a = 0; a < r; a++) {
            s->R[i] = nh_add(pool, s->R[i], nh_mul(pool, s->lambda[a], s->C_i[a * n + i]));
            s->R_upper[i] = nh_add(pool, s->R_upper[i], nh_mul(pool, s->lambda[a], s->C_upper[a * n + i]));
        }
        s->D[i] = nh_add(pool, L_upper[i], s->R_upper[i]);
    }
}
