/* What a search for integrals rests on: the field, and which functions are independent. */
#include "analyse/search.h"

#include <math.h>
#include <string.h>

nh_arena *nh_search_scratch(const nh_search *s) { return &s->eq->context->arena; }

nh_expr *nh_search_array(const nh_search *s, size_t count)
{
    return nh_arena_array(s->arena, count + 1, sizeof(nh_expr));
}

bool nh_search_is_null(nh_search *s, nh_expr e)
{
    return nh_zero_test(s->eq->modular, nh_search_scratch(s), e, NULL) == NH_YES;
}

bool nh_search_is_over(const nh_search *s)
{
    bool stopped = s->options.stop && s->options.stop(s->options.user);
    return stopped || nh_seconds() > s->deadline || s->rank >= s->most;
}

void nh_search_algebra(nh_search *s, nh_algebra *algebra)
{
    const nh_model *model = s->eq->model;
    signed char *signs = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(model, nh_search_scratch(s)), model->pool.n_symbols);
    nh_budget budget = {.max_seconds = fmax(s->deadline - nh_seconds(), 0.05)};
    nh_algebra_init(algebra, s->pool, &budget, signs);
}

bool *nh_search_parameters(const nh_search *s)
{
    bool *constant = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *constant);
    for (size_t i = 0; i < s->eq->model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(s->pool, s->eq->model->parameters[i].symbol, &index);
        constant[index] = true;
    }
    return constant;
}

/* ---------------------------------------------------------------- the field */

void nh_search_on_C(nh_search *s, const nh_expr *in, size_t count, nh_expr *out)
{
    nh_expr *rates = nh_search_array(s, s->n);
    for (size_t i = 0; i < s->n; i++)
        rates[i] = s->eq->model->coordinates[i].rate;
    if (s->eq->first.psi)
        nh_substitute(s->pool, nh_search_scratch(s), in, count, rates, s->eq->first.psi, s->n, out);
    for (size_t i = 0; i < count && !s->eq->first.psi; i++)
        out[i] = in[i];
}

void nh_search_rates(nh_search *s, const nh_expr *F, size_t count, nh_expr *out)
{
    nh_directional(s->pool, nh_search_scratch(s), F, count, s->state, s->rates, s->size, out);
}

/* psi(q, -w) = -psi(q, w), Z(q, -w) = Z(q, w) */
static bool is_reversible(nh_search *s)
{
    nh_expr *minus = nh_search_array(s, s->m), *turned = nh_search_array(s, s->size);
    for (size_t k = 0; k < s->m; k++)
        minus[k] = nh_neg(s->pool, s->state[s->n + k]);
    nh_substitute(s->pool, nh_search_scratch(s), s->rates, s->size, s->state + s->n, minus, s->m, turned);
    bool reversible = !s->occurs[s->n];
    for (size_t i = 0; i + 1 < s->size && reversible; i++)
        reversible = nh_search_is_null(s, (i < s->n ? nh_add : nh_sub)(s->pool, turned[i], s->rates[i]));
    return reversible;
}

/* Whether psi_alpha changes with w: also where psi is homogeneous, as sqrt(w1^2 + w2^2) is. */
static bool is_nonlinear(nh_search *s)
{
    size_t count = s->m * s->n;
    nh_expr *others = nh_search_array(s, s->m), *d = nh_search_array(s, count);
    if (!s->eq->first.psi)
        return false;
    for (size_t k = 0; k < s->m; k++)
        others[k] = nh_sub(s->pool, nh_integer(s->pool, (int64_t)k + 1),
                           nh_mul(s->pool, nh_integer(s->pool, (int64_t)k + 2), s->state[s->n + k]));
    nh_substitute(s->pool, nh_search_scratch(s), s->eq->first.psi_alpha, count, s->state + s->n, others, s->m,
                  d);
    for (size_t i = 0; i < count; i++)
        if (!nh_search_is_null(s, nh_sub(s->pool, d[i], s->eq->first.psi_alpha[i])))
            return true;
    return false;
}

/* psi^i = k w^alpha with a constant k: w^alpha is q'^i/k. */
static nh_expr as_one_rate(nh_search *s, size_t alpha)
{
    const nh_first_kind *f = &s->eq->first;
    bool *constant = nh_search_parameters(s);
    for (size_t i = 0; i < s->n; i++) {
        nh_expr k = f->psi_alpha[alpha * s->n + i];
        bool *depends = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *depends),
             fixed = k != s->pool->zero;
        nh_find_symbols(s->pool, nh_search_scratch(s), &k, 1, depends);
        for (size_t l = 0; l < s->pool->n_symbols; l++)
            fixed = fixed && (!depends[l] || constant[l]);
        nh_expr rest = nh_sub(s->pool, f->psi[i], nh_mul(s->pool, k, s->state[s->n + alpha]));
        if (fixed && nh_search_is_null(s, rest))
            return nh_div(s->pool, s->eq->model->coordinates[i].rate, k);
    }
    return NH_EXPR_NONE;
}

/* w = (P P^T)^-1 P (q' - psi(q, 0)), P = [psi^i_alpha]: on C that is w. */
static bool as_all_rates(nh_search *s, nh_expr *out)
{
    const nh_expr *P = s->eq->first.psi_alpha;
    size_t n = s->n, m = s->m;
    nh_expr *zero = nh_search_array(s, m), *rest = nh_search_array(s, n), *M = nh_search_array(s, m * m),
            *b = nh_search_array(s, m);
    for (size_t k = 0; k < m; k++)
        zero[k] = s->pool->zero;
    nh_substitute(s->pool, nh_search_scratch(s), s->eq->first.psi, n, s->state + n, zero, m, rest);
    for (size_t k = 0; k < m * m; k++) {
        M[k] = s->pool->zero;
        for (size_t i = 0; i < n; i++)
            M[k] = nh_add(s->pool, M[k], nh_mul(s->pool, P[k / m * n + i], P[k % m * n + i]));
    }
    for (size_t k = 0; k < m; k++) {
        b[k] = s->pool->zero;
        for (size_t i = 0; i < n; i++) {
            nh_expr rate = nh_sub(s->pool, s->eq->model->coordinates[i].rate, rest[i]);
            b[k] = nh_add(s->pool, b[k], nh_mul(s->pool, P[k * n + i], rate));
        }
    }
    nh_algebra algebra;
    nh_search_algebra(s, &algebra);
    bool done = m <= 4 && nh_matrix_solve(&algebra, m, M, 1, b, out);
    nh_algebra_free(&algebra);
    return done;
}

/* Velocities that were made up are written in q', where psi is linear in them. */
static void show_w(nh_search *s)
{
    bool named = !s->eq->first.psi || s->eq->model->n_velocities > 0;
    for (size_t k = 0; k < s->m && !named; k++)
        named = named || s->eq->z[k].rate_of >= 0;
    if (named || s->nonlinear)
        return;
    nh_expr *shown = nh_search_array(s, s->m);
    bool all = true;
    for (size_t k = 0; k < s->m; k++)
        all = (shown[k] = as_one_rate(s, k)) != NH_EXPR_NONE && all;
    if (all || as_all_rates(s, shown))
        s->shown_w = shown;
}

/* With psi: (q, z), rates psi and Z. Without: (q, q') on all of TQ, rates q' and D. */
void nh_search_begin(nh_search *s)
{
    const nh_equations *eq = s->eq;
    bool psi = eq->first.psi != NULL;
    s->n = eq->n, s->m = psi ? eq->m : eq->n, s->size = s->n + s->m + 1;
    s->state = nh_search_array(s, s->size), s->rates = nh_search_array(s, s->size);
    for (size_t i = 0; i < s->n; i++) {
        s->state[i] = eq->model->coordinates[i].q;
        s->rates[i] = psi ? eq->first.psi[i] : eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < s->m; k++) {
        s->state[s->n + k] = psi ? eq->z[k].symbol : eq->model->coordinates[k].rate;
        s->rates[s->n + k] = psi ? eq->first.Z_upper[k] : eq->second.D[k];
    }
    s->state[s->size - 1] = eq->model->time, s->rates[s->size - 1] = s->pool->one;
    nh_search_axes(s);
    s->most = s->n + s->m - !s->occurs[s->n];
    s->in_rates = !psi;
    for (size_t k = 0; k < s->m && psi && s->m == s->n; k++)
        s->in_rates = (k == 0 || s->in_rates) && eq->z[k].rate_of >= 0;
    s->reversible = is_reversible(s);
    s->nonlinear = is_nonlinear(s);
    show_w(s);
}

/* ---------------------------------------------------------------- independence */

static uint64_t *some_values(nh_search *s, uint64_t seed)
{
    uint64_t *values = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *values);
    for (size_t i = 0; i < s->pool->n_symbols; i++)
        values[i] = nh_hash(nh_hash(i + 1) + seed) % NH_P;
    return values;
}

/* The different F_k of some functions, with their gradients, and the values of these at a point. */
typedef struct gradients {
    size_t *place; /* by handle: which one it is, from 1; 0: none; in the scratch arena */
    nh_expr *d;    /* size for each */
    uint64_t *at;
    size_t count, d_count, d_capacity;
} gradients;

static gradients gradients_of(nh_search *s, const nh_known *f, size_t count)
{
    gradients g = {.place = nh_arena_array(nh_search_scratch(s), s->pool->n_nodes, sizeof *g.place)};
    nh_expr *row = nh_search_array(s, s->size);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < f[i].terms; k++) {
            if ((f[i].a && f[i].a[k] == 0) || g.place[f[i].F[k]])
                continue;
            g.place[f[i].F[k]] = ++g.count;
            nh_gradient(s->pool, nh_search_scratch(s), &f[i].F[k], NULL, 1, s->state, s->size, row);
            for (size_t l = 0; l < s->size; l++)
                nh_push(s->arena, g.d, g.d_count, g.d_capacity) = row[l];
        }
    g.at = nh_arena_array(s->arena, g.d_count + 1, sizeof *g.at);
    return g;
}

enum { TRIES = 300, MOST_LOST = 6 };

/* At a random point where all of them have values. False: there is none. */
static bool evaluate(nh_search *s, gradients *g, const uint64_t *values)
{
    bool valid = false;
    nh_arena points;
    nh_arena_init_temporary(&points, s->arena->heap);
    nh_modular *modular = nh_modular_new_for(s->pool, &points, g->d, g->d_count, nh_search_parameters(s));
    for (uint64_t seed = 1; seed < TRIES && !valid; seed++) {
        nh_modular_move(modular, seed << 32, values ? values : some_values(s, seed));
        valid = true;
        for (size_t i = 0; i < g->d_count && valid; i++) {
            nh_residue value = nh_modular_value(modular, g->d[i]);
            valid = value.valid & 1;
            g->at[i] = value.at[0];
        }
    }
    nh_arena_free(&points);
    return valid;
}

/* sum_k a_k dF_k */
static uint64_t *row_of(nh_search *s, const gradients *g, const nh_known *f)
{
    uint64_t *row = nh_arena_array(s->arena, s->size, sizeof *row);
    for (size_t k = 0; k < f->terms; k++) {
        uint64_t a = f->a ? f->a[k] : 1;
        for (size_t l = 0; l < s->size && a; l++)
            row[l] = nh_mod_add(row[l], nh_mod_mul(a, g->at[(g->place[f->F[k]] - 1) * s->size + l]));
    }
    return row;
}

void nh_search_independent(nh_search *s, const nh_known *f, size_t count, size_t degree,
                           const uint64_t *values, bool *new_ones)
{
    nh_known *all = nh_arena_array(s->arena, s->n_known + s->n_lost + count + 1, sizeof *all);
    size_t known = 0;
    for (size_t i = 0; i < s->n_known; i++)
        if (s->known[i].degree <= degree)
            all[known++] = s->known[i];
    for (size_t i = 0; i < s->n_lost && s->n_lost >= MOST_LOST; i++)
        if (s->lost[i].degree <= degree)
            all[known++] = s->lost[i];
    for (size_t i = 0; i < count; i++)
        all[known + i] = f[i];
    nh_arena_mark mark = nh_arena_here(nh_search_scratch(s));
    gradients g = gradients_of(s, all, known + count);
    bool valid = evaluate(s, &g, values);
    nh_echelon *echelon = nh_echelon_new(s->arena, s->size, s->size);
    for (size_t i = 0; i < known + count; i++) {
        bool grows = nh_echelon_add(echelon, row_of(s, &g, &all[i]));
        if (i >= known)
            new_ones[i - known] = valid && grows;
    }
    nh_arena_release(nh_search_scratch(s), mark);
}

size_t nh_search_count_lost(nh_search *s)
{
    size_t count = s->n_lost, left = 0;
    bool *new_ones = nh_arena_array(s->arena, count + 1, sizeof *new_ones);
    s->n_lost = 0;
    nh_search_independent(s, s->lost, count, SIZE_MAX, some_values(s, 0), new_ones);
    for (size_t i = 0; i < count; i++)
        left += new_ones[i];
    return left;
}

static nh_known known_of(nh_search *s, nh_expr F, size_t degree)
{
    nh_expr *one = nh_search_array(s, 1);
    one[0] = F;
    return (nh_known){one, NULL, 1, degree};
}

bool nh_search_is_independent(nh_search *s, nh_expr F, size_t degree)
{
    bool independent = false;
    nh_known f = known_of(s, F, degree);
    nh_search_independent(s, &f, 1, degree, NULL, &independent);
    return independent;
}

void nh_search_know(nh_search *s, nh_expr F, size_t degree)
{
    s->rank += nh_search_is_independent(s, F, SIZE_MAX);
    nh_push(s->arena, s->known, s->n_known, s->known_capacity) = known_of(s, F, degree);
}
