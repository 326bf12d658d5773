/* In all velocities there are more equations than unknowns: where nothing moves that the constraints depend on,
 *
 *     C^a_i D^i = 0 ,
 *
 * whatever the state is, so that r of the D follow from the others wherever the minor of [C^a_i] with their columns is not 0. What is proved
 * of the others is proved of all. */
#include "algebra/algebra.h"
#include "analyse/enclose.h"
#include "analyse/hunt.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 4 };

typedef struct surplus {
    nh_hunt *hunt;
    const nh_equilibrium *e;
    size_t columns[LARGEST]; /* of the minor */
} surplus;

/* By elimination with the largest pivots. False: the rank is less than r. */
static bool choose_columns(surplus *s)
{
    nh_flow *f = s->hunt->flow;
    size_t n = f->n, r = f->eq->r;
    double *C = nh_doubles(f->arena, r * n);
    if (!(nh_flow_independence(f, s->e->inputs) > 1e-6) || !f->slopes ||
        !nh_smooth_at(f, f->slopes, s->e->inputs, C))
        return false;
    for (size_t a = 0; a < r; a++) {
        size_t best = 0;
        for (size_t i = 0; i < n; i++)
            best = fabs(C[a * n + i]) > fabs(C[a * n + best]) ? i : best;
        double pivot = C[a * n + best];
        for (size_t b = a + 1; b < r && pivot != 0; b++) {
            double part = C[b * n + best] / pivot;
            for (size_t i = 0; i < n; i++)
                C[b * n + i] = i == best ? 0 : C[b * n + i] - part * C[a * n + i];
        }
        if (pivot == 0)
            return false;
        s->columns[a] = best;
    }
    return true;
}

/* By the first row. */
static nh_expr minor_of(nh_equations *eq, size_t row, const size_t *columns, size_t count)
{
    nh_pool *pool = &eq->pool;
    nh_expr sum = pool->zero;
    for (size_t k = 0; k < count; k++) {
        size_t others[LARGEST], left = 0;
        for (size_t i = 0; i < count; i++)
            if (i != k)
                others[left++] = columns[i];
        nh_expr part = nh_mul(pool, eq->second.C_i[row * eq->n + columns[k]],
                              left ? minor_of(eq, row + 1, others, left) : pool->one);
        sum = k % 2 ? nh_sub(pool, sum, part) : nh_add(pool, sum, part);
    }
    return sum;
}

/* Whether the minor is not 0 anywhere within that distance, whatever the free variables are. */
static bool is_never_zero(const surplus *s, double within)
{
    nh_flow *f = s->hunt->flow;
    nh_equations *eq = f->eq;
    nh_expr minor = minor_of(eq, 0, s->columns, eq->r);
    double *values = nh_flow_symbols(f, s->e->inputs), *radii = nh_doubles(f->arena, eq->pool.n_symbols),
           value = NAN, error = NAN;
    bool *in = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *in);
    nh_find_symbols(&eq->pool, &eq->context->arena, &minor, 1, in);
    for (size_t k = 0; k < f->size; k++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, f->symbols[k], &index);
        radii[index] = within;
        if (in[index] && (s->e->free[k] || !s->hunt->moves[k]))
            return false;
    }
    nh_evaluate_within(&eq->pool, &eq->context->arena, &minor, 1, values, radii, &value, &error);
    return isfinite(error) && fabs(value) > 2 * error; /* parameters are rounded, too */
}

/* The roots without the r accelerations that follow. */
static size_t leave_out(const surplus *s, nh_expr *roots)
{
    const nh_hunt *h = s->hunt;
    const nh_equations *eq = h->flow->eq;
    size_t kept = 0, first = 0;
    for (size_t i = 0; i < eq->n; i++)
        first += h->moves[i]; /* q'^i come before */
    for (size_t i = 0; i < h->n_roots; i++) {
        bool follows = false;
        for (size_t a = 0; a < eq->r; a++)
            follows = follows || i == first + s->columns[a];
        if (!follows)
            roots[kept++] = h->roots[i];
    }
    return kept;
}

bool nh_hunt_enclose(nh_hunt *h, const nh_equilibrium *e, double *within)
{
    nh_flow *f = h->flow;
    const nh_equations *eq = f->eq;
    if (nh_enclose_zero(f, h->roots, h->n_roots, h->moves, e, within))
        return true;
    surplus s = {.hunt = h, .e = e};
    nh_expr *roots = nh_arena_array(f->arena, h->n_roots + 1, sizeof *roots);
    if (!f->second || f->timed || eq->second.reason || eq->r == 0 || eq->r > LARGEST || !choose_columns(&s))
        return false;
    return nh_enclose_zero(f, roots, leave_out(&s, roots), h->moves, e, within) && is_never_zero(&s, *within);
}
