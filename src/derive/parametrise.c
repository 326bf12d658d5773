/* Between the two representations of the constraints.
 *
 * psi from the model; or the velocities themselves, where there are no constraints; or, from implicit equations that are
 * affine in the velocities, q' = N(q) u + q'_0 with a basis N of their null space; or, from others, in closed form (closed.c);
 * or, where that cannot be, in a chart:
 * some velocities serve as z, and the derivatives of the others come from
 *     C_P psi_P,alpha = -C_alpha,   C_P drift_P = -(q'^k d_k C + d_t C). */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- names */

/* That of the model where the command line has used the name. */
static nh_expr symbol_of(nh_equations *eq, const char *name)
{
    for (size_t i = 0; i < eq->model->n_expected; i++)
        if (strcmp(eq->model->expected[i].name, name) == 0)
            return eq->model->expected[i].symbol;
    return nh_symbol_placed(&eq->pool, name, NH_PLACED_THIRD);
}

/* u1, u2, ...: the next free names. */
void nh_name_new_velocities(nh_equations *eq)
{
    size_t number = 0;
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        char name[32];
        do
            snprintf(name, sizeof name, "u%zu", ++number);
        while (nh_model_declares(eq->model, name));
        eq->z[alpha] = (nh_z){nh_arena_copy(&eq->arena, name, strlen(name)), symbol_of(eq, name), -1};
    }
}

/* Names on the command line that no velocity has got. */
void nh_refuse_unchosen(nh_equations *eq)
{
    for (size_t i = 0; i < eq->model->n_expected; i++) {
        bool chosen = false;
        for (size_t alpha = 0; alpha < eq->m; alpha++)
            chosen = chosen || eq->z[alpha].symbol == eq->model->expected[i].symbol;
        if (!chosen)
            nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL, "unknown name '%s'",
                      eq->model->expected[i].name);
    }
}

void nh_name_as_rate(nh_equations *eq, size_t alpha, size_t i)
{
    nh_text name;
    nh_text_init(&name, &eq->arena);
    nh_text_format(&name, "%s'", eq->model->coordinates[i].name);
    eq->z[alpha] = (nh_z){nh_text_get(&name), eq->model->coordinates[i].rate, (int64_t)i};
}

/* ---------------------------------------------------------------- an explicit psi */

/* psi in the place of q'. */
void nh_put_psi(nh_equations *eq, nh_expr *e)
{
    nh_expr *rates = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    nh_substitute(&eq->pool, &eq->context->arena, e, eq->n, rates, eq->first.psi, eq->n, e);
}

/* psi_alpha and drift by directional derivatives; L on C by substitution. */
static void finish_explicit(nh_equations *eq)
{
    nh_first_kind *f = &eq->first;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n;
    nh_expr *symbols = nh_array(eq, n + 1), *directions = nh_array(eq, n + 1), *rates = nh_array(eq, n);
    f->psi_alpha = nh_array(eq, eq->m * n);
    f->drift = nh_array(eq, n);
    eq->L_on_C = nh_array(eq, n);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        nh_directional(pool, scratch, f->psi, n, &eq->z[alpha].symbol, &pool->one, 1,
                       f->psi_alpha + alpha * n);
    for (size_t i = 0; i < n; i++) {
        symbols[i] = eq->model->coordinates[i].q, directions[i] = f->psi[i];
        rates[i] = eq->model->coordinates[i].rate;
    }
    symbols[n] = eq->model->time, directions[n] = pool->one;
    nh_directional(pool, scratch, f->psi, n, symbols, directions, n + 1, f->drift);
    nh_substitute(pool, scratch, eq->L, n, rates, f->psi, n, eq->L_on_C);
}

static void from_model(nh_equations *eq)
{
    eq->first.psi = nh_array(eq, eq->n);
    memcpy(eq->first.psi, eq->model->psi, eq->n * sizeof(nh_expr));
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        eq->z[alpha] = (nh_z){eq->model->velocities[alpha].name, eq->model->velocities[alpha].symbol, -1};
    finish_explicit(eq);
}

static void unconstrained(nh_equations *eq)
{
    eq->first.psi = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++) {
        nh_name_as_rate(eq, i, i);
        eq->first.psi[i] = eq->model->coordinates[i].rate;
    }
    finish_explicit(eq);
}

/* ---------------------------------------------------------------- implicit equations */

static bool all_affine(const nh_model *model)
{
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].rate_kind != NH_LINEAR && model->constraints[a].rate_kind != NH_AFFINE)
            return false;
    return true;
}

/* C^a_i, and C^a at q' = 0. */
static void rows_of(nh_equations *eq, nh_expr *C_i, nh_expr *C_0)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    nh_expr *rates = nh_array(eq, n), *zero = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        rates[i] = eq->model->coordinates[i].rate, zero[i] = pool->zero;
    for (size_t a = 0; a < eq->r; a++) {
        nh_expr C = eq->model->constraints[a].C;
        nh_gradient(pool, &eq->context->arena, &C, NULL, 1, rates, n, C_i + a * n);
        nh_substitute(pool, &eq->context->arena, &C, 1, rates, zero, n, C_0 + a);
    }
    for (size_t i = 0; i < eq->r * n; i++)
        if (nh_is_null(eq, C_i[i]))
            C_i[i] = pool->zero;
}

/* Velocities to solve for: the others than `independent`, or good pivots at a random state. */
typedef struct chart {
    bool *pivot;   /* by coordinate */
    size_t *P, *F; /* r pivots, m free ones */
} chart;

/* How bad a pivot is: numbers are the best, what is never 0 before what may be, then what is short. */
static size_t complexity(nh_equations *eq, const signed char *signs, nh_expr e)
{
    static const size_t may_vanish = (size_t)1 << 32;
    if (nh_is_number(&eq->pool, e, NULL))
        return 0;
    bool never = nh_is_never_zero(&eq->pool, e, signs, eq->model->pool.n_symbols);
    return (never ? 1 : may_vanish) + nh_count_operations(&eq->pool, &eq->context->arena, &e, 1);
}

/* Elimination in doubles at a state; among entries that are not small the one with the simplest expression is the pivot. Returns
 * how many were found. */
size_t nh_pivots_at(nh_equations *eq, const double *values, const nh_expr *C_i, size_t r, bool *pivot)
{
    size_t n = eq->n, found = 0;
    double *M = nh_arena_array(&eq->arena, r * n + 1, sizeof *M);
    size_t *simple = nh_arena_array(&eq->arena, r * n + 1, sizeof *simple);
    const signed char *signs = nh_model_signs(eq->model, &eq->context->arena);
    memset(pivot, 0, n * sizeof *pivot);
    nh_evaluate(&eq->pool, &eq->context->arena, C_i, r * n, values, M, NULL);
    for (size_t i = 0; i < r * n; i++)
        simple[i] = complexity(eq, signs, C_i[i]);
    for (size_t a = 0; a < r; a++) {
        size_t best = n;
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, pivot[i] ? 0 : fabs(M[a * n + i]));
        for (size_t i = n; i-- > 0;)
            if (!pivot[i] && fabs(M[a * n + i]) > 1e-3 * largest &&
                (best == n || simple[a * n + i] < simple[a * n + best]))
                best = i;
        if (best == n || largest < 1e-9)
            continue;
        pivot[best] = true, found++;
        for (size_t b = a + 1; b < r; b++) {
            double factor = M[b * n + best] / M[a * n + best];
            for (size_t i = 0; i < n; i++)
                M[b * n + i] -= factor * M[a * n + i];
        }
    }
    return found;
}

/* So many random states are tried. */
enum { SAMPLES = 100 };

/* A random state: positive and near at first, then with both signs, up to some tens away, where the parameters have their own values. */
static void draw_sample(nh_equations *eq, size_t number, double *values)
{
    size_t symbols = eq->pool.n_symbols;
    double *own = nh_arena_array(&eq->context->arena, symbols + 1, sizeof *own),
           far = exp2((double)(number % 6));
    nh_model_parameter_values(eq->model, &eq->context->arena, own);
    for (size_t i = 0; i < symbols; i++) {
        uint64_t random = nh_hash(i + 77 + 1000003 * number);
        values[i] = 0.25 + (double)(random >> 12) * 0x1p-52;
        if (number == 0)
            continue;
        bool parameter = i < eq->model->n_roles && eq->model->roles[i].role == NH_ROLE_PARAMETER;
        values[i] *= parameter ? 1 : random & 1 ? far : -far;
        values[i] = parameter && isfinite(own[i]) ? own[i] : values[i];
    }
}

static double *room_for_values(nh_equations *eq)
{
    return nh_arena_array(&eq->arena, eq->pool.n_symbols + 2 * eq->n + 8, sizeof(double));
}

double *nh_random_values(nh_equations *eq)
{
    double *values = room_for_values(eq);
    draw_sample(eq, 0, values);
    return values;
}

/* At the start, where that is regular; otherwise at a random state, on C if it is given. */
static void choose_pivots(nh_equations *eq, const nh_expr *C, const nh_expr *C_i, size_t r, bool *pivot)
{
    double *values = room_for_values(eq);
    if (eq->sample && nh_pivots_at(eq, eq->sample, C_i, r, pivot) == r)
        return;
    for (size_t number = 0; number < SAMPLES; number++) {
        draw_sample(eq, number, values);
        bool placed = number == 0 || nh_project_positions(eq, values),
             moves = placed && (!C || nh_project_velocities(eq, values, C, r));
        if ((moves || number == 0) && nh_pivots_at(eq, values, C_i, r, pivot) == r)
            break;
    }
    eq->sample = values;
}

static chart chart_of(nh_equations *eq, const nh_expr *C, const nh_expr *C_i)
{
    size_t n = eq->n, p = 0, f = 0;
    chart c = {nh_arena_array(&eq->arena, n, sizeof *c.pivot), nh_arena_array(&eq->arena, n, sizeof *c.P),
               nh_arena_array(&eq->arena, n, sizeof *c.F)};
    if (eq->model->n_independent) {
        for (size_t i = 0; i < n; i++)
            c.pivot[i] = true;
        for (size_t k = 0; k < eq->model->n_independent; k++)
            c.pivot[eq->model->independent[k]] = false;
    } else {
        choose_pivots(eq, C, C_i, eq->r, c.pivot);
    }
    for (size_t i = 0; i < n; i++)
        if (c.pivot[i])
            c.P[p++] = i;
        else
            c.F[f++] = i;
    for (size_t k = 0; k < eq->model->n_independent; k++) /* in the user's order */
        c.F[k] = eq->model->independent[k];
    return c;
}

/* C_P x_P = b for the columns in the chart: count right-hand sides, rows of B. */
static bool solve_in_chart(nh_equations *eq, const chart *c, const nh_expr *C_i, size_t count,
                           const nh_expr *B, nh_expr *X)
{
    size_t r = eq->r;
    nh_expr *M = nh_array(eq, r * r);
    for (size_t a = 0; a < r; a++)
        for (size_t k = 0; k < r; k++)
            M[a * r + k] = C_i[a * eq->n + c->P[k]];
    return nh_solve_general(eq, r, M, count, B, X);
}

/* -C_alpha for each free velocity, as right-hand sides. */
static nh_expr *free_columns(nh_equations *eq, const chart *c, const nh_expr *C_i)
{
    nh_expr *B = nh_array(eq, (eq->m + 1) * eq->r);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        for (size_t a = 0; a < eq->r; a++)
            B[alpha * eq->r + a] = nh_neg(&eq->pool, C_i[a * eq->n + c->F[alpha]]);
    return B;
}

/* In a chart, in the velocities q' themselves. */
static bool solve_in_velocities(nh_equations *eq, const nh_expr *C_i)
{
    nh_pool *pool = &eq->pool;
    nh_first_kind *f = &eq->first;
    size_t n = eq->n, m = eq->m, r = eq->r;
    nh_expr *symbols = nh_array(eq, n + 1), *directions = nh_array(eq, n + 1), *C = nh_array(eq, r);
    for (size_t a = 0; a < r; a++)
        C[a] = eq->model->constraints[a].C;
    chart c = chart_of(eq, C, C_i);
    nh_expr *B = free_columns(eq, &c, C_i), *X = nh_array(eq, (m + 1) * r);
    for (size_t i = 0; i < n; i++)
        symbols[i] = eq->model->coordinates[i].q, directions[i] = eq->model->coordinates[i].rate;
    symbols[n] = eq->model->time, directions[n] = pool->one;
    nh_directional(pool, &eq->context->arena, C, r, symbols, directions, n + 1, B + m * r);
    for (size_t a = 0; a < r; a++)
        B[m * r + a] = nh_neg(pool, B[m * r + a]);
    if (!solve_in_chart(eq, &c, C_i, m + 1, B, X))
        return false;
    f->psi_alpha = nh_array(eq, m * n);
    f->drift = nh_array(eq, n);
    for (size_t i = 0; i < (m + 1) * n; i++)
        *(i < m * n ? &f->psi_alpha[i] : &f->drift[i - m * n]) = pool->zero;
    for (size_t alpha = 0; alpha < m; alpha++) {
        nh_name_as_rate(eq, alpha, c.F[alpha]);
        f->psi_alpha[alpha * n + c.F[alpha]] = pool->one;
        for (size_t k = 0; k < r; k++)
            f->psi_alpha[alpha * n + c.P[k]] = X[alpha * r + k];
    }
    for (size_t k = 0; k < r; k++)
        f->drift[c.P[k]] = X[m * r + k];
    eq->L_on_C = eq->L;
    return true;
}

/* ---------------------------------------------------------------- affine equations without poles */

enum { MOST_AFFINE = 3, MOST_CHARTS = 20 };

/* Whether something in them is divided by a function of the coordinates or of the time. */
static bool have_poles(const nh_equations *eq, const nh_expr *e, size_t count)
{
    nh_arena *scratch = &eq->context->arena;
    nh_walk walk = nh_walk_of(&eq->pool, scratch, e, count);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        nh_rational exponent;
        if (node.kind != NH_POW || !nh_is_number(&eq->pool, node.b, &exponent) ||
            nh_rational_sign(exponent) > 0)
            continue;
        bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends);
        uint32_t index = 0;
        nh_find_symbols(&eq->pool, scratch, &node.a, 1, depends);
        for (size_t k = 0; k <= eq->n; k++) {
            nh_is_symbol(&eq->pool, k < eq->n ? eq->model->coordinates[k].q : eq->model->time, &index);
            if (depends[index])
                return true;
        }
    }
    return false;
}

/* The number that all entries of a row have as a factor, signs aside; 1: none. */
static nh_expr number_of_row(nh_equations *eq, const nh_expr *row)
{
    nh_pool *pool = &eq->pool;
    nh_rational number = nh_rational_int(0);
    for (size_t i = 0; i < eq->n; i++) {
        if (row[i] == pool->zero)
            continue;
        nh_rational next = nh_product_of(pool, &eq->arena, row[i]).number;
        next = nh_rational_sign(next) < 0 ? nh_rational_neg(&pool->numbers, next) : next;
        if (nh_rational_sign(number) && !nh_rational_equal(number, next))
            return pool->one;
        number = next;
    }
    return nh_rational_sign(number) ? nh_number(pool, number) : pool->one;
}

/* The shortest q' with C_i q'^i = -C_0, -C^T (C C^T)^-1 C_0: smooth wherever the constraints are independent. NULL: it is long. */
static nh_expr *shortest_solution(nh_equations *eq, nh_algebra *algebra, const nh_expr *C_i,
                                  const nh_expr *C_0)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    nh_expr *C = nh_array(eq, r * n), *b = nh_array(eq, r), *CC = nh_array(eq, r * r), *x = nh_array(eq, r),
            *q0 = nh_array(eq, n);
    for (size_t a = 0; a < r; a++) {
        nh_expr number = number_of_row(eq, C_i + a * n);
        b[a] = nh_div(pool, C_0[a], number);
        for (size_t i = 0; i < n; i++)
            C[a * n + i] = nh_div(pool, C_i[a * n + i], number);
    }
    for (size_t k = 0; k < r * r; k++) {
        CC[k] = pool->zero;
        for (size_t i = 0; i < n; i++)
            CC[k] = nh_add(pool, CC[k], nh_mul(pool, C[k / r * n + i], C[k % r * n + i]));
    }
    if (!nh_solve_symmetric(eq, r, CC, 1, b, x))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        q0[i] = pool->zero;
        for (size_t a = 0; a < r; a++)
            q0[i] = nh_sub(pool, q0[i], nh_mul(pool, C[a * n + i], x[a]));
    }
    return nh_simplify(algebra, q0, n, q0) ? q0 : NULL;
}

/* One with the fewest velocities that are not 0, without poles: a place that moves may simply be followed. NULL: there is none. */
static nh_expr *sparse_solution(nh_equations *eq, nh_algebra *algebra, const nh_expr *C_i, const nh_expr *C_0)
{
    size_t n = eq->n, r = eq->r, tried = 0;
    nh_expr *M = nh_array(eq, r * r), *b = nh_array(eq, r), *x = nh_array(eq, r), *best = NULL;
    double shortest = INFINITY;
    for (size_t a = 0; a < r; a++)
        b[a] = nh_neg(&eq->pool, C_0[a]);
    for (uint32_t set = 1; set < (uint32_t)1 << n && tried < MOST_CHARTS; set++) {
        size_t columns = 0;
        for (size_t i = 0; i < n; i++)
            columns += set >> i & 1;
        if (columns != r)
            continue;
        for (size_t i = 0, k = 0; i < n; i++)
            for (size_t a = 0; a < r && set >> i & 1; a++)
                M[a * r + k] = C_i[a * n + i], k += a + 1 == r;
        tried++;
        if (!nh_solve_general(eq, r, M, 1, b, x) || !nh_simplify(algebra, x, r, x) || have_poles(eq, x, r))
            continue;
        double length = 0;
        for (size_t a = 0; a < r; a++)
            length += nh_expr_length(&algebra->lengths, x[a]);
        if (length >= shortest)
            continue;
        shortest = length, best = nh_array(eq, n);
        for (size_t i = 0, k = 0; i < n; i++)
            best[i] = set >> i & 1 ? x[k++] : eq->pool.zero;
    }
    return best;
}

static nh_expr *particular_solution(nh_equations *eq, const nh_expr *C_i, const nh_expr *C_0)
{
    nh_algebra algebra;
    nh_budget budget = {.max_terms = 2000, .max_seconds = 5};
    if (eq->r > MOST_AFFINE)
        return NULL;
    nh_algebra_init(&algebra, &eq->pool, &budget, nh_model_signs(eq->model, &eq->context->arena));
    nh_expr *q0 = sparse_solution(eq, &algebra, C_i, C_0);
    q0 = q0 ? q0 : shortest_solution(eq, &algebra, C_i, C_0);
    nh_algebra_free(&algebra);
    return q0;
}

/* q' = sum_alpha N_alpha u^alpha + q'_0. C_0 is NULL where the equations are linear. */
static bool solve_smoothly(nh_equations *eq, const nh_expr *C_i, const nh_expr *C_0)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    nh_expr *N = eq->model->n_independent ? NULL : nh_smooth_null_space(eq, eq->r, C_i);
    nh_expr *q0 = N && C_0 ? particular_solution(eq, C_i, C_0) : NULL;
    if (!N || (C_0 && !q0))
        return false;
    nh_name_new_velocities(eq);
    eq->first.psi = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        nh_expr sum = q0 ? q0[i] : pool->zero;
        for (size_t alpha = 0; alpha < eq->m; alpha++)
            sum = nh_add(pool, sum, nh_mul(pool, N[alpha * n + i], eq->z[alpha].symbol));
        eq->first.psi[i] = sum;
    }
    finish_explicit(eq);
    return true;
}

static bool is_linear(nh_equations *eq, const nh_expr *C_0)
{
    bool linear = true;
    for (size_t a = 0; a < eq->r; a++)
        linear = linear && nh_is_null(eq, C_0[a]);
    return linear;
}

/* psi_P = sum_alpha X_alpha z^alpha + X_0, psi_F = z; where that has poles, as above if it can be. */
static bool solve_affine(nh_equations *eq, const nh_expr *C_i, const nh_expr *C_0)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, m = eq->m, r = eq->r;
    chart c = chart_of(eq, NULL, C_i);
    nh_expr *B = free_columns(eq, &c, C_i), *X = nh_array(eq, (m + 1) * r);
    for (size_t a = 0; a < r; a++)
        B[m * r + a] = nh_neg(pool, C_0[a]);
    if (!solve_in_chart(eq, &c, C_i, m + 1, B, X))
        return false;
    if (!is_linear(eq, C_0) && have_poles(eq, X, (m + 1) * r) && solve_smoothly(eq, C_i, C_0))
        return true;
    if (eq->model->n_independent)
        for (size_t alpha = 0; alpha < m; alpha++)
            nh_name_as_rate(eq, alpha, c.F[alpha]);
    else
        nh_name_new_velocities(eq);
    eq->first.psi = nh_array(eq, n);
    for (size_t alpha = 0; alpha < m; alpha++)
        eq->first.psi[c.F[alpha]] = eq->z[alpha].symbol;
    for (size_t k = 0; k < r; k++) {
        nh_expr sum = X[m * r + k];
        for (size_t alpha = 0; alpha < m; alpha++)
            sum = nh_add(pool, sum, nh_mul(pool, X[alpha * r + k], eq->z[alpha].symbol));
        eq->first.psi[c.P[k]] = sum;
    }
    finish_explicit(eq);
    return true;
}

static void from_equations(nh_equations *eq)
{
    nh_expr *C_i = nh_array(eq, eq->r * eq->n), *C_0 = nh_array(eq, eq->r);
    rows_of(eq, C_i, C_0);
    bool affine = all_affine(eq->model);
    eq->sample = nh_start_quietly(eq);
    if (affine && ((is_linear(eq, C_0) && solve_smoothly(eq, C_i, NULL)) || solve_affine(eq, C_i, C_0)))
        return;
    if (!affine && nh_solve_closed(eq, eq->sample))
        finish_explicit(eq);
    else if (!solve_in_velocities(eq, C_i)) {
        nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
                  "does one of them contradict or repeat another?",
                  "no state was found where the constraints are independent");
        nh_heap_fail(&eq->context->heap, NH_ERROR_MODEL);
    }
}

/* ---------------------------------------------------------------- parametric to implicit */

/* C^a = omega^a_i (q'^i - psi^i at z = 0), with omega^a_i psi^i_alpha = 0, for an affine psi. */
static void annihilate(nh_equations *eq, const nh_expr *rest)
{
    nh_pool *pool = &eq->pool;
    const nh_expr *omega = nh_smooth_null_space(eq, eq->m, eq->first.psi_alpha);
    for (size_t a = 0; omega && a < eq->r; a++) {
        nh_expr sum = pool->zero;
        for (size_t i = 0; i < eq->n; i++)
            sum = nh_add(
                pool, sum,
                nh_mul(pool, omega[a * eq->n + i], nh_sub(pool, eq->model->coordinates[i].rate, rest[i])));
        eq->second.C[a] = sum;
    }
}

/* For an affine psi: z from m of its equations, put into the others; otherwise, where that has poles, if it can be. */
static void eliminate_z(nh_equations *eq)
{
    nh_pool *pool = &eq->pool;
    nh_first_kind *f = &eq->first;
    size_t n = eq->n, m = eq->m, r = eq->r, k = 0;
    bool *pivot = nh_arena_array(&eq->arena, n, sizeof *pivot);
    nh_expr *zero = nh_array(eq, m), *z = nh_array(eq, m), *rest = nh_array(eq, n), *M = nh_array(eq, m * m),
            *b = nh_array(eq, m), *X = nh_array(eq, m);
    size_t *P = nh_arena_array(&eq->arena, n, sizeof *P);
    for (size_t alpha = 0; alpha < m; alpha++)
        zero[alpha] = pool->zero, z[alpha] = eq->z[alpha].symbol;
    nh_substitute(pool, &eq->context->arena, f->psi, n, z, zero, m, rest);
    eq->sample = eq->sample ? eq->sample : nh_start_quietly(eq);
    choose_pivots(eq, NULL, f->psi_alpha, m, pivot);
    for (size_t i = 0; i < n && k < m; i++)
        if (pivot[i])
            P[k++] = i;
    for (size_t j = 0; j < m; j++) {
        b[j] = nh_sub(pool, eq->model->coordinates[P[j]].rate, rest[P[j]]);
        for (size_t alpha = 0; alpha < m; alpha++)
            M[j * m + alpha] = f->psi_alpha[alpha * n + P[j]];
    }
    if (k < m || !nh_solve_general(eq, m, M, 1, b, X)) {
        eq->second.reason = "the parametric equations could not be solved for the velocities";
        return;
    }
    eq->second.C = nh_array(eq, r);
    for (size_t i = 0, a = 0; i < n; i++) {
        if (pivot[i])
            continue;
        nh_expr sum = nh_sub(pool, eq->model->coordinates[i].rate, rest[i]);
        for (size_t alpha = 0; alpha < m; alpha++)
            sum = nh_sub(pool, sum, nh_mul(pool, f->psi_alpha[alpha * n + i], X[alpha]));
        eq->second.C[a++] = sum;
    }
    if (have_poles(eq, eq->second.C, r))
        annihilate(eq, rest);
}

static void find_implicit(nh_equations *eq)
{
    if (eq->model->r || eq->r == 0) {
        eq->second.C = nh_array(eq, eq->r);
        for (size_t a = 0; a < eq->r; a++)
            eq->second.C[a] = eq->model->constraints[a].C;
    } else if (eq->model->psi_kind == NH_NONLINEAR) {
        eq->second.reason = "there is no constraint equation, and the parametric equations are not affine";
    } else {
        eliminate_z(eq);
    }
}

void nh_parametrise(nh_equations *eq)
{
    eq->z = nh_arena_array(&eq->arena, eq->m, sizeof *eq->z);
    if (eq->model->psi)
        from_model(eq);
    else if (eq->r == 0)
        unconstrained(eq);
    else
        from_equations(eq);
    find_implicit(eq);
}

bool nh_equations_has_own_root(const nh_equations *eq)
{
    nh_arena *scratch = &eq->context->arena;
    bool root = false;
    if (eq->model->psi || !eq->first.psi)
        return false;
    nh_walk walk = nh_walk_of(&eq->pool, scratch, eq->first.psi, eq->n);
    for (size_t i = 0; i < walk.count && !root; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        nh_rational n;
        bool power = node.kind == NH_POW && !(nh_is_number(&eq->pool, node.b, &n) && nh_rational_is_int(n));
        if (!power && !(node.kind == NH_CALL && node.function == NH_FN_sqrt))
            continue;
        bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends);
        nh_find_symbols(&eq->pool, scratch, &walk.nodes[i], 1, depends);
        for (size_t alpha = 0; alpha < eq->m; alpha++) {
            uint32_t index = 0;
            nh_is_symbol(&eq->pool, eq->z[alpha].symbol, &index);
            root = root || depends[index];
        }
    }
    return root;
}
