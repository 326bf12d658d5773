/* The geometry of the metric, t held:
 *     Gamma_ijk  = 1/2 (d_i g_jk + d_j g_ki - d_k g_ij)
 *     Gamma^k_ij = g^kl Gamma_ijl
 *     X_G:  q''^i = -Gamma^i_hk q'^h q'^k */
#include "derive/show.h"

#include <string.h>

/* d_k g_ij as [(k*n + i)*n + j] */
static nh_expr *derivatives(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    size_t n = eq->n;
    nh_expr *dg = nh_array(eq, n * n * n), *q = nh_array(eq, n), *row = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        q[i] = eq->model->coordinates[i].q;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            nh_gradient(&eq->pool, &eq->context->arena, &w->forms->g[i * n + j], NULL, 1, q, n, row);
            for (size_t k = 0; k < n; k++)
                dg[(k * n + i) * n + j] = dg[(k * n + j) * n + i] = row[k];
        }
    return dg;
}

/* Those with i <= j, simplified, and the others after them. */
static nh_expr *mirrored(nh_show_work *w, const nh_expr *in)
{
    size_t n = w->eq->n, count = 0;
    nh_expr *half = nh_array(w->eq, n * n * n), *out = nh_array(w->eq, n * n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++, count += n)
            memcpy(half + count, in + (i * n + j) * n, n * sizeof *half);
    half = nh_simple(&w->effort, half, count);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++, half += n) {
            memcpy(out + (i * n + j) * n, half, n * sizeof *out);
            memcpy(out + (j * n + i) * n, half, n * sizeof *out);
        }
    return out;
}

static nh_expr *first_kind(nh_show_work *w)
{
    nh_pool *pool = &w->eq->pool;
    size_t n = w->eq->n;
    nh_expr *dg = derivatives(w), *gamma = nh_array(w->eq, n * n * n);
    for (size_t e = 0; e < n * n * n; e++) {
        size_t i = e / n / n, j = e / n % n, k = e % n;
        nh_expr sum = nh_add(pool, dg[(i * n + j) * n + k], dg[(j * n + k) * n + i]);
        gamma[e] = nh_mul(pool, pool->half, nh_sub(pool, sum, dg[(k * n + i) * n + j]));
    }
    return mirrored(w, gamma);
}

static nh_expr *second_kind(nh_show_work *w, const nh_expr *gamma)
{
    size_t n = w->eq->n;
    nh_expr *upper = nh_array(w->eq, n * n * n);
    for (size_t e = 0; e < n * n * n; e++) /* e = (i*n + j)*n + k */
        upper[e] = nh_dot(w->eq, w->forms->g_inverse + e % n * n, gamma + e / n * n, n);
    return mirrored(w, upper);
}

/* -Gamma_hki q'^h q'^k with its index raised. */
static nh_expr *geodesic_field(nh_show_work *w, const nh_expr *gamma)
{
    nh_equations *eq = w->eq;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    nh_expr *lower = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        lower[i] = pool->zero;
    for (size_t h = 0; h < n; h++)
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < n; i++)
                if (gamma[(h * n + k) * n + i] != pool->zero)
                    lower[i] = nh_sub(
                        pool, lower[i],
                        nh_mul(pool, gamma[(h * n + k) * n + i], nh_mul(pool, w->rates[h], w->rates[k])));
    nh_expr *raised = nh_show_raised(w, nh_simple(&w->effort, lower, n));
    return raised ? nh_simple(&w->effort, raised, n) : NULL;
}

void nh_show_geometry(nh_show_work *w)
{
    nh_expr *gamma = first_kind(w);
    if (w->out->shown & NH_SHOW_CHRISTOFFEL) {
        w->out->christoffel = gamma;
        if (w->forms->g_inverse)
            w->out->christoffel_upper = second_kind(w, gamma);
        else
            nh_missing(&w->effort, "show.christoffel.second",
                       "it needs the inverse of g, which is not written out");
    }
    if (w->out->shown & NH_SHOW_GEODESIC) {
        w->out->geodesic = geodesic_field(w, gamma);
        if (!w->out->geodesic)
            nh_missing(&w->effort, "show.geodesic", "the metric g is singular");
    }
}
