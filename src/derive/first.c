/* The equations of the first kind:
 *     G_ab  = g_ij psi^i_a psi^j_b
 *     Zbar_i = L_i(q,psi) - g_ij (psi^k d_k psi^j + d_t psi^j)
 *     Z_a   = Zbar_i psi^i_a,  Z^a = G^ab Z_b
 *     q'^i = psi^i,  z'^a = Z^a
 *     R_i   = g_ij (psi^j_a Z^a + psi^k d_k psi^j + d_t psi^j) - L_i(q,psi) */
#include "derive/inner.h"

static void find_G(nh_equations *eq)
{
    nh_first_kind *f = &eq->first;
    size_t n = eq->n, m = eq->m;
    nh_expr *lowered = nh_array(eq, n);
    f->G = nh_array(eq, m * m);
    for (size_t beta = 0; beta < m; beta++) {
        nh_lower(eq, f->psi_alpha + beta * n, lowered);
        for (size_t alpha = 0; alpha < m; alpha++)
            f->G[alpha * m + beta] = nh_dot(eq, f->psi_alpha + alpha * n, lowered, n);
    }
    for (size_t alpha = 0; alpha < m; alpha++) /* one expression for both entries */
        for (size_t beta = 0; beta < alpha; beta++)
            f->G[alpha * m + beta] = f->G[beta * m + alpha];
}

static void find_Z(nh_equations *eq)
{
    nh_first_kind *f = &eq->first;
    size_t n = eq->n, m = eq->m;
    f->Zbar = nh_array(eq, n);
    f->Z_lower = nh_array(eq, m);
    f->Z_upper = nh_array(eq, m);
    nh_forces_at(eq, f->drift, f->Zbar);
    if (f->psi)
        nh_put_psi(eq, f->Zbar);
    for (size_t alpha = 0; alpha < m; alpha++)
        f->Z_lower[alpha] = nh_dot(eq, f->Zbar, f->psi_alpha + alpha * n, n);
    nh_solve_symmetric(eq, m, f->G, 1, f->Z_lower, f->Z_upper);
}

/* q'' = psi_a Z^a + drift, R = g q'' - L */
static void find_R(nh_equations *eq)
{
    nh_first_kind *f = &eq->first;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    f->acceleration = nh_array(eq, n);
    f->R = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        nh_expr sum = f->drift[i];
        for (size_t alpha = 0; alpha < eq->m; alpha++)
            sum = nh_add(pool, sum, nh_mul(pool, f->psi_alpha[alpha * n + i], f->Z_upper[alpha]));
        f->acceleration[i] = sum;
    }
    nh_lower(eq, f->acceleration, f->R);
    for (size_t i = 0; i < n; i++)
        f->R[i] = nh_sub(pool, f->R[i], eq->L_on_C[i]);
}

void nh_derive_first(nh_equations *eq)
{
    find_G(eq);
    find_Z(eq);
    find_R(eq);
}
