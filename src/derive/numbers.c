/* Every object of both recipes in numbers, at one state. */
#include "derive/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct work {
    nh_equations *eq;
    const double *values;
    nh_numbers_at *at;
    double *g_errors, *L_errors; /* bounds of rounding */
} work;

static double *array(work *w, size_t count)
{
    return nh_arena_array(&w->eq->arena, count + 1, sizeof(double));
}

/* errors, where not NULL, receives bounds of what rounding does to them. */
static double *evaluated_with(work *w, const nh_expr *e, size_t count, double **errors)
{
    double *out = array(w, count);
    if (errors)
        *errors = array(w, count);
    nh_evaluate(&w->eq->pool, &w->eq->context->arena, e, count, w->values, out, errors ? *errors : NULL);
    return out;
}

static double *evaluated(work *w, const nh_expr *e, size_t count)
{
    return evaluated_with(w, e, count, NULL);
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

/* A matrix with its factors. */
typedef struct system_of {
    size_t n;
    const double *A;
    double *factors;
    size_t *order;
} system_of;

static bool factor(work *w, size_t n, const double *A, double tolerance, system_of *out)
{
    *out = (system_of){n, A, array(w, n * n), nh_arena_array(&w->eq->arena, n + 1, sizeof(size_t))};
    memcpy(out->factors, A, n * n * sizeof *A);
    return nh_factor_dense(out->factors, out->order, n, tolerance);
}

/* b - A x, in more digits. */
static void residual(const system_of *s, const double *b, const double *x, double *out)
{
    for (size_t i = 0; i < s->n; i++) {
        long double sum = b[i];
        for (size_t j = 0; j < s->n; j++)
            sum -= (long double)s->A[i * s->n + j] * x[j];
        out[i] = (double)sum;
    }
}

enum { REFINEMENTS = 6 };

/* A x = b, and what is left of it again: the error is that of the numbers in A and b, not that of the elimination. */
static double *solution(work *w, const system_of *s, const double *b)
{
    double *x = array(w, s->n), *left = array(w, s->n), *more = array(w, s->n), last = INFINITY;
    nh_solve_dense(s->factors, s->order, s->n, b, x);
    for (int k = 0; k < REFINEMENTS; k++) {
        double change = 0;
        residual(s, b, x, left);
        nh_solve_dense(s->factors, s->order, s->n, left, more);
        for (size_t i = 0; i < s->n; i++)
            change = fmax(change, fabs(more[i]));
        if (!(change > 0 && change < 0.5 * last))
            break;
        for (size_t i = 0; i < s->n; i++)
            x[i] += more[i];
        last = change;
    }
    return x;
}

enum { MOST_REFINED = 200 }; /* rows of a matrix whose inverse is worth more digits */

static double *inverse_of(work *w, const system_of *s)
{
    size_t n = s->n;
    double *unit = array(w, n), *out = array(w, n * n), *plain = array(w, n);
    for (size_t j = 0; j < n; j++) {
        nh_arena_mark mark = nh_arena_here(&w->eq->arena);
        unit[j] = 1;
        if (n > MOST_REFINED)
            nh_solve_dense(s->factors, s->order, n, unit, plain);
        const double *column = n > MOST_REFINED ? plain : solution(w, s, unit);
        unit[j] = 0;
        for (size_t i = 0; i < n; i++)
            out[i * n + j] = column[i];
        nh_arena_release(&w->eq->arena, mark);
    }
    return out;
}

/* NULL: singular. */
static double *inverse(work *w, size_t n, const double *A)
{
    system_of s;
    return factor(w, n, A, 1e-13, &s) ? inverse_of(w, &s) : NULL;
}

static void find_free(work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    nh_metric(eq, g);
    w->at->g = evaluated_with(w, g, eq->n * eq->n, &w->g_errors);
    w->at->g_inverse = inverse(w, eq->n, w->at->g);
    w->at->A = evaluated(w, eq->A, eq->n);
    w->at->L = evaluated_with(w, eq->L, eq->n, &w->L_errors);
}

static bool all_finite(const double *numbers, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++)
        finite = finite && isfinite(numbers[i]);
    return finite;
}

/* ---------------------------------------------------------------- as far as the state is known */

static const double FARTHEST = 1e-9; /* an angle of many turns is meant as it is written */

/* What rounding may have made of a number: pi is none that the machine has. Those that have few digits are meant as they are. */
static double radius_of(double x)
{
    return x == (double)(float)x ? 0 : fmin(DBL_EPSILON * fabs(x), FARTHEST);
}

/* By symbol, of the state. */
static double *radii_of(work *w)
{
    const nh_equations *eq = w->eq;
    double *radii = array(w, eq->pool.n_symbols);
    for (size_t i = 0; i < eq->n + eq->m; i++) {
        uint32_t index = 0, rate = 0;
        nh_is_symbol(&eq->pool, i < eq->n ? eq->model->coordinates[i].q : eq->z[i - eq->n].symbol, &index);
        radii[index] = radius_of(w->values[index]);
        if (i < eq->n && nh_is_symbol(&eq->pool, eq->model->coordinates[i].rate, &rate))
            radii[rate] = radius_of(w->values[rate]);
    }
    return radii;
}

static double *plain_inverse(work *w, const system_of *s)
{
    size_t n = s->n;
    double *unit = array(w, n), *column = array(w, n), *out = array(w, n * n);
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1;
        nh_solve_dense(s->factors, s->order, n, unit, column);
        unit[j] = 0;
        for (size_t i = 0; i < n; i++)
            out[i * n + j] = column[i];
    }
    return out;
}

/* For |dG| <= E all G + dG are regular if some power of |G^-1| E is less than 1. Units make no difference to that. */
static bool is_regular_within(work *w, const system_of *G, const double *E)
{
    size_t m = G->n;
    nh_arena_mark mark = nh_arena_here(&w->eq->arena);
    double *M = plain_inverse(w, G), norm = 0;
    for (size_t k = 0; k < m * m; k++)
        M[k] = fabs(M[k]);
    M = product(w, m, m, m, M, E);
    for (int power = 0; power < 5 && isfinite(norm); power++) {
        norm = 0;
        for (size_t k = 0; k < m * m; k++)
            norm = fmax(norm, (double)m * M[k]);
        if (norm < 1)
            break;
        M = product(w, m, m, m, M, M);
    }
    nh_arena_release(&w->eq->arena, mark);
    return norm < 1;
}

/* How much G changes from the state to those beside it, each number of it being moved by itself. */
static double *changes_of(work *w, const double *G, const double *radii)
{
    nh_equations *eq = w->eq;
    size_t count = eq->m * eq->m;
    double *E = array(w, count), *there = array(w, count), *moved = array(w, eq->pool.n_symbols);
    memcpy(moved, w->values, eq->pool.n_symbols * sizeof *moved);
    for (size_t s = 0; s < eq->pool.n_symbols; s++) {
        double *most = array(w, count);
        for (int side = -1; side <= 1 && radii[s] > 0; side += 2) {
            moved[s] = w->values[s] + side * radii[s];
            nh_evaluate(&eq->pool, &eq->context->arena, eq->first.G, count, moved, there, NULL);
            for (size_t k = 0; k < count; k++)
                most[k] = fmax(most[k], fabs(there[k] - G[k]));
        }
        moved[s] = w->values[s];
        for (size_t k = 0; k < count; k++)
            E[k] += most[k];
    }
    return E;
}

/* Whether G is regular wherever the state really is: sin(theta)^2 at the double next to pi is not 0. By bounds at first, which may be too wide. */
static bool is_regular_nearby(work *w, const system_of *G)
{
    nh_equations *eq = w->eq;
    size_t count = eq->m * eq->m;
    const double *radii = radii_of(w);
    double *out = array(w, count), *E = array(w, count);
    nh_evaluate_within(&eq->pool, &eq->context->arena, eq->first.G, count, w->values, radii, out, E);
    return is_regular_within(w, G, E) || is_regular_within(w, G, changes_of(w, G->A, radii));
}

static bool factor_metric(work *w, const double *A, system_of *G)
{
    return factor(w, w->eq->m, A, 1e-13, G) && is_regular_nearby(w, G);
}

/* ---------------------------------------------------------------- the first kind */

/* psi_alpha has values and G has none: it is not singular, but beyond all numbers. */
static bool is_too_large(work *w, const double *psi_alpha, const double *G)
{
    size_t n = w->eq->n, m = w->eq->m;
    if (!all_finite(psi_alpha, m * n) || all_finite(G, m * m))
        return false;
    nh_report(&w->eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
              "choose units in which the coefficients of the constraints are nearer to 1",
              "G becomes too large for numbers of the machine at the initial state");
    return true;
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
    system_of G;
    if (is_too_large(w, at->psi_alpha, at->G) || !factor_metric(w, at->G, &G))
        return false;
    at->G_inverse = inverse_of(w, &G);
    at->Z_upper = solution(w, &G, at->Z_lower);
    at->acceleration = product(w, 1, m, n, at->Z_upper, at->psi_alpha);
    double *drift = evaluated(w, f->drift, n), *L = evaluated(w, eq->L_on_C, n);
    for (size_t i = 0; i < n; i++)
        at->acceleration[i] += drift[i];
    at->R_first = product(w, n, n, 1, at->g, at->acceleration);
    for (size_t i = 0; i < n; i++)
        at->R_first[i] -= L[i];
    return true;
}

/* K x = b,
 *     [ g  -C^T ] [ D      ]   [ L                    ]            [ g^ij - pi^ij   C_a^i ]
 *     [ C   0   ] [ lambda ] = [ -(q'^i d_i C + d_t C) ],  K^-1 = [ -C_a^i         G_ab  ]
 * in one piece: g^ij and G^ab would cost digits where they are nearly singular. Each C^a in a unit of its own, a power of 2. */
typedef struct both {
    size_t n, r, size;
    double *unit; /* by constraint */
    double *K, *b, *K_errors, *b_errors;
    double *inverse, *x;
} both;

static void put_row(work *w, both *k, size_t a, const double *errors)
{
    const double *C_i = w->at->C_i + a * k->n;
    double largest = 0;
    for (size_t i = 0; i < k->n; i++)
        largest = fmax(largest, fabs(C_i[i]));
    k->unit[a] = largest > 0 && isfinite(largest) ? ldexp(1, ilogb(largest)) : 1;
    for (size_t i = 0; i < k->n; i++) {
        size_t row = (k->n + a) * k->size + i, column = i * k->size + k->n + a;
        k->K[row] = C_i[i] / k->unit[a], k->K[column] = -k->K[row];
        k->K_errors[row] = k->K_errors[column] = errors[a * k->n + i] / k->unit[a];
    }
}

static both both_of(work *w)
{
    nh_equations *eq = w->eq;
    size_t n = eq->n, r = eq->r, size = n + r;
    both k = {.n = n, .r = r, .size = size, .unit = array(w, r)};
    k.K = array(w, size * size), k.K_errors = array(w, size * size);
    k.b = array(w, size), k.b_errors = array(w, size);
    double *errors, *moved_errors, *moved = evaluated_with(w, eq->second.moved, r, &moved_errors);
    w->at->C_i = evaluated_with(w, eq->second.C_i, r * n, &errors);
    for (size_t i = 0; i < n; i++) {
        k.b[i] = w->at->L[i], k.b_errors[i] = w->L_errors[i];
        memcpy(k.K + i * size, w->at->g + i * n, n * sizeof *k.K);
        memcpy(k.K_errors + i * size, w->g_errors + i * n, n * sizeof *k.K);
    }
    for (size_t a = 0; a < r; a++) {
        put_row(w, &k, a, errors);
        k.b[n + a] = -moved[a] / k.unit[a], k.b_errors[n + a] = moved_errors[a] / k.unit[a];
    }
    return k;
}

/* |K^-1| (|dK| |x| + |db|): what the rounding of K and b makes of D, against |K^-1| |b|, the size that D has without cancelling. */
static double relative_error(work *w, const both *k)
{
    double error = 0, usual = 0, *right = array(w, k->size);
    for (size_t j = 0; j < k->size; j++) {
        right[j] = k->b_errors[j];
        for (size_t i = 0; i < k->size; i++)
            right[j] += k->K_errors[j * k->size + i] * fabs(k->x[i]);
    }
    for (size_t i = 0; i < k->n; i++) {
        double lost = 0, sum = 0;
        for (size_t j = 0; j < k->size; j++) {
            lost += fabs(k->inverse[i * k->size + j]) * right[j];
            sum += fabs(k->inverse[i * k->size + j] * k->b[j]);
        }
        error = fmax(error, lost), usual = fmax(usual, sum);
    }
    return usual > 0 && isfinite(error) ? error / usual : 0;
}

static const double tolerated = 1e-9;

static void warn(work *w, const both *k)
{
    double error = relative_error(w, k);
    if (error > tolerated)
        nh_report(&w->eq->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL,
                  "the state is nearly singular, by its metric or its constraints: rounding may change the "
                  "accelerations by %.0e of their size",
                  error);
}

/* A matrix of numbers in units, by rows and columns (NULL: 1). NULL: there are no doubles for them. */
static double *in_units(work *w, size_t rows, size_t columns, double *A, const double *by_row,
                        const double *by_column)
{
    double *out = array(w, rows * columns);
    for (size_t k = 0; k < rows * columns; k++) {
        out[k] = A[k] * by_row[k / columns] * (by_column ? by_column[k % columns] : 1);
        if (!isfinite(out[k]) || (A[k] != 0 && fabs(out[k]) < DBL_MIN))
            return NULL;
    }
    return out;
}

static double *block(work *w, const both *k, size_t row, size_t rows, size_t column, size_t columns)
{
    double *out = array(w, rows * columns);
    for (size_t i = 0; i < rows; i++)
        memcpy(out + i * columns, k->inverse + (row + i) * k->size + column, columns * sizeof *out);
    return out;
}

/* R_i = lambda_a C^a_i = g_ij D^j - L_i: that in which less cancels. */
static void find_reactions(work *w, const both *k)
{
    nh_numbers_at *at = w->at;
    at->R = array(w, k->n);
    for (size_t i = 0; i < k->n; i++) {
        double by_lambda = 0, by_D = -at->L[i], size = 0, size_by_D = fabs(at->L[i]);
        for (size_t a = 0; a < k->r; a++) {
            double term = at->lambda[a] * at->C_i[a * k->n + i];
            by_lambda += term, size += fabs(term);
        }
        for (size_t j = 0; j < k->n; j++) {
            double term = at->g[i * k->n + j] * at->D[j];
            by_D += term, size_by_D += fabs(term);
        }
        at->R[i] = size <= 2 * size_by_D ? by_lambda : by_D;
    }
    at->R_upper = product(w, k->n, k->n, 1, at->g_inverse, at->R);
}

static bool solve_second(work *w, both *k)
{
    nh_numbers_at *at = w->at;
    system_of s;
    if (!factor(w, k->size, k->K, 1e-14, &s))
        return false;
    k->inverse = inverse_of(w, &s), k->x = solution(w, &s, k->b);
    at->D = k->x, at->lambda = array(w, k->r);
    for (size_t a = 0; a < k->r; a++)
        at->lambda[a] = k->x[k->n + a] / k->unit[a];
    find_reactions(w, k);
    warn(w, k);
    return true;
}

/* pi^ij = C^ai C_a^j = g^ij - (g^ij - pi^ij): that in which less cancels. */
static void find_pi(work *w, const both *k, const double *C_upper, const double *C_a)
{
    nh_numbers_at *at = w->at;
    size_t n = k->n;
    at->pi = array(w, n * n);
    for (size_t e = 0; e < n * n; e++) {
        double size = 0;
        for (size_t a = 0; a < k->r; a++) {
            double term = C_upper[a * n + e / n] * C_a[a * n + e % n];
            at->pi[e] += term, size += fabs(term);
        }
        if (size > 2 * (fabs(at->g_inverse[e]) + fabs(at->g_minus_pi[e])))
            at->pi[e] = at->g_inverse[e] - at->g_minus_pi[e];
    }
}

/* What follows from K^-1, and from C_i and g^ij in the units of K. */
static void find_metrics(work *w, const both *k)
{
    nh_numbers_at *at = w->at;
    size_t n = k->n, r = k->r;
    double *back = array(w, r), *C_i = array(w, r * n);
    for (size_t a = 0; a < r; a++) {
        back[a] = 1 / k->unit[a];
        memcpy(C_i + a * n, k->K + (n + a) * k->size, n * sizeof *C_i);
    }
    double *C_upper = product(w, r, n, n, C_i, at->g_inverse);
    double *C_a = transposed(w, n, r, block(w, k, 0, n, n, r));
    at->C_upper = in_units(w, r, n, C_upper, k->unit, NULL);
    at->G_upper = in_units(w, r, r, product(w, r, n, r, C_upper, transposed(w, r, n, C_i)), k->unit, k->unit);
    at->G_lower = in_units(w, r, r, block(w, k, n, r, n, r), back, back);
    at->C_a = in_units(w, r, n, C_a, back, NULL);
    at->g_minus_pi = block(w, k, 0, n, 0, n);
    find_pi(w, k, C_upper, C_a);
}

static bool find_second(work *w)
{
    nh_equations *eq = w->eq;
    nh_second_kind *s = &eq->second;
    nh_numbers_at *at = w->at;
    both k = both_of(w);
    at->C = evaluated(w, s->C, k.r);
    at->dC = evaluated(w, s->dC, k.r * k.n);
    at->dC_dt = evaluated(w, s->dC_dt, k.r);
    if (!solve_second(w, &k))
        return false;
    find_metrics(w, &k);
    return true;
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
    work w = {.eq = eq, .values = values, .at = nh_arena_array(&eq->arena, 1, sizeof *w.at)};
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
    work w = {.eq = eq, .values = values, .at = nh_arena_array(&eq->arena, 1, sizeof *w.at)};
    double *G = evaluated(&w, eq->first.G, eq->m * eq->m);
    double *psi_alpha = evaluated(&w, eq->first.psi_alpha, eq->m * eq->n);
    system_of factors;
    return !is_too_large(&w, psi_alpha, G) && factor_metric(&w, G, &factors);
}
