/* Every object of both recipes in numbers, at one state. */
#include "derive/inner.h"

#include <math.h>
#include <string.h>

typedef struct work {
    nh_equations *eq;
    const double *values;
    nh_numbers_at *at;
} work;

static double *array(work *w, size_t count)
{
    return nh_arena_array(&w->eq->arena, count + 1, sizeof(double));
}

static double *evaluated(work *w, const nh_expr *e, size_t count)
{
    double *out = array(w, count);
    nh_evaluate(&w->eq->pool, &w->eq->context->arena, e, count, w->values, out, NULL);
    return out;
}

/* A (rows x inner) B (inner x columns) */
static double *product(work *w, size_t rows, size_t inner, size_t columns, const double *A, const double *B)
{
    double *out = array(w, rows * columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            for (size_t k = 0; k < inner; k++)
                out[i * columns + j] += A[i * inner + k] * B[k * columns + j];
    return out;
}

static double *transposed(work *w, size_t rows, size_t columns, const double *A)
{
    double *out = array(w, rows * columns);
    for (size_t i = 0; i < rows * columns; i++)
        out[i % columns * rows + i / columns] = A[i];
    return out;
}

/* NULL: singular. */
static double *inverse(work *w, size_t n, const double *A)
{
    double *factors = array(w, n * n), *unit = array(w, n), *column = array(w, n), *out = array(w, n * n);
    size_t *order = nh_arena_array(&w->eq->arena, n + 1, sizeof *order);
    memcpy(factors, A, n * n * sizeof *A);
    if (!nh_factor_dense(factors, order, n, 1e-13))
        return NULL;
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1;
        nh_solve_dense(factors, order, n, unit, column);
        unit[j] = 0;
        for (size_t i = 0; i < n; i++)
            out[i * n + j] = column[i];
    }
    return out;
}

static void find_free(work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    nh_metric(eq, g);
    w->at->g = evaluated(w, g, eq->n * eq->n);
    w->at->g_inverse = inverse(w, eq->n, w->at->g);
    w->at->A = evaluated(w, eq->A, eq->n);
    w->at->L = evaluated(w, eq->L, eq->n);
}

static bool find_first(work *w)
{
    nh_equations *eq = w->eq;
    nh_first_kind *f = &eq->first;
    nh_numbers_at *at = w->at;
    size_t n = eq->n, m = eq->m;
    at->psi = f->psi ? evaluated(w, f->psi, n) : NULL;
    at->psi_alpha = evaluated(w, f->psi_alpha, m * n);
    at->G = evaluated(w, f->G, m * m);
    at->Zbar = evaluated(w, f->Zbar, n);
    at->Z_lower = evaluated(w, f->Z_lower, m);
    at->G_inverse = inverse(w, m, at->G);
    if (!at->G_inverse)
        return false;
    at->Z_upper = product(w, m, m, 1, at->G_inverse, at->Z_lower);
    at->acceleration = product(w, 1, m, n, at->Z_upper, at->psi_alpha);
    double *drift = evaluated(w, f->drift, n), *L = evaluated(w, eq->L_on_C, n);
    for (size_t i = 0; i < n; i++)
        at->acceleration[i] += drift[i];
    at->R_first = product(w, n, n, 1, at->g, at->acceleration);
    for (size_t i = 0; i < n; i++)
        at->R_first[i] -= L[i];
    return true;
}

/*     [ g  -C^T ] [ D      ]   [ L                    ]
 *     [ C   0   ] [ lambda ] = [ -(q'^i d_i C + d_t C) ]
 * in one piece: g^ij would cost digits where it is nearly singular. */
static bool solve_second(work *w)
{
    nh_equations *eq = w->eq;
    nh_numbers_at *at = w->at;
    size_t n = eq->n, r = eq->r, size = n + r;
    double *M = array(w, size * size), *b = array(w, size), *x = array(w, size),
           *moved = evaluated(w, eq->second.moved, r);
    for (size_t i = 0; i < n; i++) {
        b[i] = at->L[i];
        memcpy(M + i * size, at->g + i * n, n * sizeof *M);
        for (size_t a = 0; a < r; a++) {
            M[(n + a) * size + i] = at->C_i[a * n + i];
            M[i * size + n + a] = -at->C_i[a * n + i];
        }
    }
    for (size_t a = 0; a < r; a++)
        b[n + a] = -moved[a];
    size_t *order = nh_arena_array(&eq->arena, size + 1, sizeof *order);
    if (!nh_factor_dense(M, order, size, 1e-14))
        return false;
    nh_solve_dense(M, order, size, b, x);
    at->D = x, at->lambda = x + n;
    at->R = product(w, 1, r, n, at->lambda, at->C_i);
    at->R_upper = product(w, 1, r, n, at->lambda, at->C_upper);
    return true;
}

static bool find_second(work *w)
{
    nh_equations *eq = w->eq;
    nh_second_kind *s = &eq->second;
    nh_numbers_at *at = w->at;
    size_t n = eq->n, r = eq->r;
    at->C = evaluated(w, s->C, r);
    at->C_i = evaluated(w, s->C_i, r * n);
    at->dC = evaluated(w, s->dC, r * n);
    at->dC_dt = evaluated(w, s->dC_dt, r);
    at->C_upper = product(w, r, n, n, at->C_i, at->g_inverse);
    at->G_upper = product(w, r, n, r, at->C_upper, transposed(w, r, n, at->C_i));
    at->G_lower = inverse(w, r, at->G_upper);
    if (!at->G_lower)
        return false;
    at->C_a = product(w, r, r, n, at->G_lower, at->C_upper);
    at->pi = product(w, n, r, n, transposed(w, r, n, at->C_upper), at->C_a);
    at->g_minus_pi = array(w, n * n);
    for (size_t k = 0; k < n * n; k++)
        at->g_minus_pi[k] = at->g_inverse[k] - at->pi[k];
    return solve_second(w);
}

static bool is_finite(work *w, const char *what, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) {
            nh_report(&w->eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
                      "give another state in 'initial' or with --start",
                      "%s has no finite value at the initial state", what);
            return false;
        }
    return true;
}

nh_numbers_at *nh_equations_at(nh_equations *eq, const double *values)
{
    work w = {eq, values, nh_arena_array(&eq->arena, 1, sizeof *w.at)};
    nh_numbers_at *at = w.at;
    size_t n = eq->n;
    find_free(&w);
    if (!is_finite(&w, "the metric g", at->g, n * n) || !is_finite(&w, "an active force", at->A, n) ||
        !is_finite(&w, "L", at->L, n))
        return NULL;
    if (!find_first(&w) || !is_finite(&w, "Z", at->Z_upper, eq->m) ||
        !is_finite(&w, "a reactive force", at->R_first, n))
        return NULL;
    at->no_second = eq->second.reason ? eq->second.reason
                    : !at->g_inverse  ? "the metric g is singular at the initial state"
                                      : NULL;
    if (at->no_second)
        return at;
    return find_second(&w) && is_finite(&w, "D", at->D, n) && is_finite(&w, "a multiplier", at->lambda, eq->r)
               ? at
               : NULL;
}

bool nh_first_is_regular(nh_equations *eq, const double *values)
{
    work w = {eq, values, nh_arena_array(&eq->arena, 1, sizeof *w.at)};
    double *G = evaluated(&w, eq->first.G, eq->m * eq->m);
    return inverse(&w, eq->m, G) != NULL;
}
