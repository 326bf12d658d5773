/* Whether the free velocities that the program chose may leave out states, or velocities, that the constraints admit: where a denominator of
 * psi is 0, its roots end, or psi_alpha has less than full rank. On a sphere one of these happens somewhere, whichever are chosen. */
#include "algebra/algebra.h"
#include "analyse/hunt.h"

typedef struct reach {
    nh_flow *flow;
    nh_algebra *algebra;
    const bool *varies; /* by symbol: the state, and the time */
} reach;

/* Never 0, as a sum of terms of one sign, or the root of one, with what is given of the parameters. */
static bool is_positive(const reach *r, nh_expr e)
{
    nh_node node = nh_get(&r->flow->eq->pool, e);
    nh_expr simple = e;
    if (node.kind == NH_CALL && node.function == NH_FN_sqrt)
        return is_positive(r, node.a);
    nh_flow_put_given(r->flow, &e, 1, &simple);
    return simple && nh_simplify(r->algebra, &simple, 1, &simple) &&
           nh_matrix_positive(r->algebra, 1, &simple) == NH_YES;
}

static bool has_one_sign(const reach *r, nh_expr e)
{
    return is_positive(r, e) || is_positive(r, nh_neg(&r->flow->eq->pool, e));
}

static bool depends(const reach *r, nh_expr e)
{
    const nh_equations *eq = r->flow->eq;
    bool *in = nh_arena_array(r->flow->arena, eq->pool.n_symbols + 1, sizeof *in), any = false;
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, in);
    for (size_t k = 0; k < eq->pool.n_symbols; k++)
        any = any || (in[k] && r->varies[k]);
    return any;
}

static bool has_values_everywhere(nh_function function)
{
    static const nh_function all[] = {NH_FN_sin,  NH_FN_cos, NH_FN_exp,  NH_FN_tanh, NH_FN_atan, NH_FN_sinh,
                                      NH_FN_cosh, NH_FN_abs, NH_FN_sign, NH_FN_min,  NH_FN_max};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == function)
            return true;
    return false;
}

/* Whether a node has no value, or none with derivatives, for some values of what is in it. */
static bool node_ends(const reach *r, nh_expr e)
{
    const nh_pool *pool = &r->flow->eq->pool;
    nh_node node = nh_get(pool, e);
    nh_rational exponent;
    if ((node.kind != NH_CALL && node.kind != NH_POW && node.kind != NH_SOLVE) || !depends(r, e))
        return false;
    if (node.kind == NH_POW && nh_is_number(pool, node.b, &exponent) && nh_rational_is_int(exponent))
        return nh_rational_sign(exponent) < 0 && !has_one_sign(r, node.a);
    if (node.kind == NH_POW || (node.kind == NH_CALL && node.function == NH_FN_sqrt))
        return !is_positive(r, node.a);
    return node.kind == NH_SOLVE || !has_values_everywhere((nh_function)node.function);
}

static bool psi_ends(const reach *r)
{
    const nh_equations *eq = r->flow->eq;
    nh_walk psi = nh_walk_of(&eq->pool, r->flow->arena, eq->first.psi, eq->n),
            slopes = nh_walk_of(&eq->pool, r->flow->arena, eq->first.psi_alpha, eq->m * eq->n);
    bool ends = false;
    for (size_t i = 0; i < psi.count && !ends; i++)
        ends = node_ends(r, psi.nodes[i]);
    for (size_t i = 0; i < slopes.count && !ends; i++)
        ends = node_ends(r, slopes.nodes[i]);
    return ends;
}

enum { LARGEST = 4, MOST_MINORS = 100 };

/* The next m of n columns, in order. False: there are no more. */
static bool next_columns(size_t *columns, size_t m, size_t n)
{
    size_t k = m;
    while (k > 0 && columns[k - 1] == n - m + k - 1)
        k--;
    if (k == 0)
        return false;
    columns[k - 1]++;
    for (; k < m; k++)
        columns[k] = columns[k - 1] + 1;
    return true;
}

/* Whether some minor of psi_alpha is never 0. */
static bool has_good_minor(const reach *r)
{
    const nh_equations *eq = r->flow->eq;
    size_t m = eq->m, n = eq->n, columns[LARGEST] = {0, 1, 2, 3};
    bool more = true;
    for (size_t number = 0; number < MOST_MINORS && more; number++, more = next_columns(columns, m, n)) {
        nh_expr M[LARGEST * LARGEST], minor;
        for (size_t k = 0; k < m * m; k++)
            M[k] = eq->first.psi_alpha[k / m * n + columns[k % m]];
        if (nh_matrix_determinant(r->algebra, m, M, &minor) && has_one_sign(r, minor))
            return true;
    }
    return false;
}

/* Whether psi_alpha . psi_beta is positive: cos^2 + sin^2 = 1. */
static bool has_good_products(const reach *r)
{
    nh_equations *eq = r->flow->eq;
    size_t m = eq->m, n = eq->n;
    const nh_expr *P = eq->first.psi_alpha;
    nh_expr M[LARGEST * LARGEST];
    for (size_t k = 0; k < m * m; k++) {
        M[k] = eq->pool.zero;
        for (size_t i = 0; i < n; i++)
            M[k] = nh_add(&eq->pool, M[k], nh_mul(&eq->pool, P[k / m * n + i], P[k % m * n + i]));
    }
    return nh_simplify(r->algebra, M, m * m, M) && nh_matrix_positive(r->algebra, m, M) == NH_YES;
}

/* Velocities of coordinates are independent wherever they have values. */
static bool has_full_rank(const reach *r)
{
    const nh_equations *eq = r->flow->eq;
    bool all = true;
    for (size_t k = 0; k < eq->m; k++)
        all = all && eq->z[k].rate_of >= 0;
    return all || (eq->m <= LARGEST && (has_good_products(r) || has_good_minor(r)));
}

bool nh_flow_reaches_all(nh_flow *f)
{
    nh_equations *eq = f->eq;
    const nh_model *model = eq->model;
    if (f->second || model->psi || eq->r == 0 || eq->second.reason || eq->m == 0)
        return true;
    bool *varies = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *varies);
    uint32_t index = 0;
    for (size_t k = 0; k < f->size; k++)
        if (nh_is_symbol(&eq->pool, f->symbols[k], &index))
            varies[index] = true;
    if (nh_is_symbol(&eq->pool, model->time, &index))
        varies[index] = true;
    nh_algebra algebra;
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = 2000, .max_seconds = 0.2},
                    nh_flow_signs(f));
    reach r = {f, &algebra, varies};
    bool reaches = !psi_ends(&r) && has_full_rank(&r);
    nh_algebra_free(&algebra);
    return reaches;
}
