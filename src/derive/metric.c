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

/* ---------------------------------------------------------------- what cancels */

enum { MOST_TERMS = 64 }; /* that are compared, each with each; deeper sums have more */

/* The terms of a sum, each with its sign. */
typedef struct term {
    nh_expr e;
    bool minus, gone;
    nh_residue value;
} term;

typedef struct terms {
    nh_equations *eq;
    term *all;
    size_t count; /* no more are taken than one too many */
} terms;

static void add_terms(terms *t, nh_expr e, bool minus, size_t depth)
{
    const nh_pool *pool = &t->eq->pool;
    nh_node node = nh_get(pool, e);
    nh_rational n;
    bool negative =
        node.kind == NH_MUL && nh_is_number(pool, node.a, &n) && !n.big && n.num == -1 && n.den == 1;
    if (node.kind == NH_ADD && depth < MOST_TERMS && t->count <= MOST_TERMS) {
        add_terms(t, node.a, minus, depth + 1), add_terms(t, node.b, minus, depth + 1);
        return;
    }
    if (t->count <= MOST_TERMS)
        t->all[t->count++] = (term){.e = negative ? node.b : e, .minus = minus != negative};
}

static bool are_opposite(const term *a, const term *b)
{
    const uint8_t all = (1u << NH_MODULAR_POINTS) - 1;
    bool same = a->value.valid == all && b->value.valid == all && !a->value.root && !b->value.root;
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        same = same && a->value.at[k] == b->value.at[k];
    return same && a->minus != b->minus;
}

/* a - b without what is in both. Where K is a sum of squares of velocities, half of dK/dq and of dp/dt is the same: it is written in two
 * ways, and found by its values. */
static nh_expr difference(nh_equations *eq, nh_expr a, nh_expr b)
{
    term all[MOST_TERMS + 1];
    terms t = {.eq = eq, .all = all};
    nh_expr sum = eq->pool.zero;
    bool any = false;
    add_terms(&t, a, false, 0), add_terms(&t, b, true, 0);
    if (t.count > MOST_TERMS)
        return nh_sub(&eq->pool, a, b);
    for (size_t i = 0; i < t.count; i++)
        all[i].value = nh_modular_value(eq->modular, all[i].e);
    for (size_t i = 0; i < t.count; i++)
        for (size_t k = i + 1; k < t.count && !all[i].gone; k++)
            if (!all[k].gone && are_opposite(&all[i], &all[k]))
                all[i].gone = all[k].gone = any = true;
    for (size_t i = 0; i < t.count && any; i++)
        if (!all[i].gone)
            sum = all[i].minus ? nh_sub(&eq->pool, sum, all[i].e) : nh_add(&eq->pool, sum, all[i].e);
    return any ? sum : nh_sub(&eq->pool, a, b);
}

/* dK/dq^i, and q'^j d_j p_i + d_t p_i + v^j dp_i/dq'^j by one directional derivative: no second derivatives one by one. */
static void find_rates_of_momenta(nh_equations *eq, const nh_expr *v, nh_expr *dK, nh_expr *dp)
{
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n, count = v ? 2 * n + 1 : n + 1;
    nh_expr *rates = rates_of(eq), *q = coordinates_of(eq);
    nh_expr *symbols = nh_array(eq, 2 * n + 1), *directions = nh_array(eq, 2 * n + 1);
    for (size_t i = 0; i < n; i++) {
        symbols[i] = q[i], directions[i] = rates[i];
        symbols[n + 1 + i] = rates[i], directions[n + 1 + i] = v ? v[i] : pool->zero;
    }
    symbols[n] = eq->model->time, directions[n] = pool->one;
    nh_gradient(pool, scratch, &eq->model->kinetic, NULL, 1, q, n, dK);
    nh_directional(pool, scratch, eq->p, n, symbols, directions, count, dp);
}

/* p_i = dK/dq'^i by one reverse sweep, and L_i = A_i + dK/dq^i - q'^j d_j p_i - d_t p_i. */
void nh_derive_free_motion(nh_equations *eq)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    nh_expr *dK = nh_array(eq, n), *dp = nh_array(eq, n);
    eq->p = nh_array(eq, n);
    eq->L = nh_array(eq, n);
    nh_gradient(pool, &eq->context->arena, &eq->model->kinetic, NULL, 1, rates_of(eq), n, eq->p);
    active_forces(eq, coordinates_of(eq));
    find_rates_of_momenta(eq, NULL, dK, dp);
    for (size_t i = 0; i < n; i++)
        eq->L[i] = nh_sub(pool, nh_add(pool, eq->A[i], dK[i]), dp[i]);
}

/* The same less g_ij v^j, at once: with what L_i and g_ij v^j have in common written once. */
void nh_forces_at(nh_equations *eq, const nh_expr *v, nh_expr *out)
{
    nh_expr *dK = nh_array(eq, eq->n), *dp = nh_array(eq, eq->n);
    find_rates_of_momenta(eq, v, dK, dp);
    for (size_t i = 0; i < eq->n; i++)
        out[i] = nh_add(&eq->pool, eq->A[i], difference(eq, dK[i], dp[i]));
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
