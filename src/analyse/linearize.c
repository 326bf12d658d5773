#include "analyse/linearize.h"
#include "algebra/algebra.h"
#include "analyse/newton.h"
#include "analyse/spectrum.h"
#include "analyse/stability.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- which variables take part */

enum { STATES = 6 };

/* Another state nearby; the first is the state itself. */
static void go_near(const nh_flow *f, size_t number, double *inputs)
{
    memcpy(inputs, f->inputs, (f->size + 1) * sizeof *inputs);
    for (size_t k = 0; k < f->size && number > 0; k++) {
        uint64_t bits = nh_hash(number * 1000003 + k);
        inputs[1 + k] += ((double)(bits >> 12 & 0xffff) / 0x8000 - 1) * 0.3;
    }
}

/* The largest derivative of a rate, where that is smallest: what rounding is compared with where all of them vanish at the state
 * itself. */
static void note_unit(nh_flow *f, const double *J, size_t number)
{
    double largest = 0;
    for (size_t i = 0; i < f->size * f->size; i++)
        largest = fmax(largest, fabs(J[i]));
    if (number > 0 && largest > 0)
        f->unit = f->unit > 0 ? fmin(f->unit, largest) : largest;
}

/* influences[i*size + k]: the rate of i depends on k at some of these states; for rows behind those, what is held. */
static bool *find_influences(nh_flow *f)
{
    size_t rows = f->size + f->held->count;
    bool *out = nh_arena_array(f->arena, rows * f->size + 1, sizeof *out);
    double *J = nh_doubles(f->arena, rows * f->size), *inputs = nh_doubles(f->arena, f->size + 1);
    f->unit = 0;
    for (size_t number = 0; number < STATES; number++) {
        go_near(f, number, inputs);
        if (!nh_smooth_derivatives(f, f->field, inputs, J) ||
            !nh_smooth_derivatives(f, f->held, inputs, J + f->size * f->size))
            continue;
        note_unit(f, J, number);
        for (size_t i = 0; i < rows; i++) {
            double largest = 0;
            for (size_t k = 0; k < f->size; k++)
                largest = fmax(largest, fabs(J[i * f->size + k]));
            for (size_t k = 0; k < f->size; k++)
                out[i * f->size + k] = out[i * f->size + k] || fabs(J[i * f->size + k]) > 1e-10 * fmax(1, largest);
        }
    }
    return out;
}

/* A coordinate goes where nothing that stays depends on it. */
static bool can_go(const nh_flow *f, const bool *influences, const bool *stays, size_t k)
{
    for (size_t i = 0; i < f->size + f->held->count; i++)
        if (influences[i * f->size + k] && (i >= f->size || stays[i]))
            return false;
    return true;
}

bool *nh_taking_part(nh_flow *f)
{
    bool *stays = nh_arena_array(f->arena, f->size + 1, sizeof *stays), *influences = find_influences(f), changed = true;
    for (size_t k = 0; k < f->size; k++)
        stays[k] = true;
    while (changed) {
        changed = false;
        for (size_t k = 0; k < f->n; k++)
            if (stays[k] && can_go(f, influences, stays, k))
                stays[k] = false, changed = true;
    }
    return stays;
}

/* ---------------------------------------------------------------- steady motions */

nh_smooth *nh_steadiness(nh_flow *f, const bool *stays)
{
    if (f->steady && memcmp(f->steady_for, stays, f->size * sizeof *stays) == 0)
        return f->steady;
    nh_expr *roots = nh_arena_array(f->arena, f->size + f->held->count + 1, sizeof *roots);
    size_t count = 0;
    for (size_t k = 0; k < f->size; k++)
        if (stays[k])
            roots[count++] = f->rates[k];
    memcpy(roots + count, f->held_roots, f->held->count * sizeof *roots);
    f->steady_for = nh_arena_array(f->arena, f->size + 1, sizeof *f->steady_for);
    memcpy(f->steady_for, stays, f->size * sizeof *stays);
    return f->steady = nh_smooth_new(f, roots, count + f->held->count);
}

/* psi^i - value = 0 for a q' that is none of the variables. */
static nh_expr off_by(const nh_flow *f, nh_expr rate, double value)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr given = nh_number(pool, nh_rational_from_double(&pool->numbers, value)), on_C;
    nh_flow_on_C(f, &rate, 1, &on_C);
    return nh_sub(pool, on_C, given);
}

static bool is_variable(const nh_flow *f, nh_expr symbol, size_t *k)
{
    for (*k = 0; *k < f->size; ++*k)
        if (f->symbols[*k] == symbol)
            return true;
    return false;
}

bool nh_settle(nh_flow *f, const nh_expr *symbols, const double *values, size_t count)
{
    bool *moves = nh_arena_array(f->arena, f->size + 1, sizeof *moves);
    const bool *stays = nh_taking_part(f);
    nh_smooth *steady = nh_steadiness(f, stays);
    nh_expr *roots = nh_arena_array(f->arena, steady->count + count + 1, sizeof *roots);
    size_t n_roots = 0, k;
    memcpy(moves, stays, f->size * sizeof *moves);
    for (size_t i = 0; i < count; i++) {
        if (is_variable(f, symbols[i], &k))
            moves[k] = false;
        else
            roots[n_roots++] = off_by(f, symbols[i], values[i]);
    }
    if (n_roots) {
        for (k = 0; k < f->size; k++)
            if (stays[k])
                roots[n_roots++] = f->rates[k];
        memcpy(roots + n_roots, f->held_roots, f->held->count * sizeof *roots);
        steady = nh_smooth_new(f, roots, n_roots + f->held->count);
    }
    return nh_newton(f, steady, moves, f->inputs);
}

/* ---------------------------------------------------------------- the linear equations */

static void choose_variables(nh_linearization *l, const nh_flow *f, const bool *stays)
{
    l->variables = nh_arena_array(f->arena, f->size + 1, sizeof *l->variables);
    for (size_t k = 0; k < f->size; k++)
        if (stays[k])
            l->variables[l->n++] = k;
}

/* The rows and columns of those that take part. */
static double *part_of(const nh_flow *f, const nh_linearization *l, const double *J, size_t rows, bool all_rows)
{
    double *out = nh_doubles(f->arena, rows * l->n);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < l->n; k++)
            out[i * l->n + k] = J[(all_rows ? i : l->variables[i]) * f->size + l->variables[k]];
    return out;
}

/* 0 up to rounding, in units of what a change of the state by its size, or by 1, makes of the rates. */
static void find_moving(nh_linearization *l, const nh_flow *f)
{
    double worst = 0;
    for (size_t i = 0; i < l->n; i++) {
        double unit = 1;
        for (size_t k = 0; k < l->n; k++)
            unit = fmax(unit, fabs(l->A[i * l->n + k]) * fmax(1, fabs(f->inputs[1 + l->variables[k]])));
        double rate = fabs(l->rates[l->variables[i]]) / unit;
        if (rate > worst)
            worst = rate, l->moving = l->variables[i];
    }
    l->steady = worst <= 1e-9;
}

/* B A B^T for the rows of B, an orthonormal basis of what the constraints leave. */
static double *on_tangents(nh_arena *arena, const nh_linearization *l, const double *B)
{
    size_t n = l->n, m = l->n_free;
    double *half = nh_doubles(arena, m * n), *out = nh_doubles(arena, m * m);
    for (size_t i = 0; i < m * n; i++)
        for (size_t k = 0; k < n; k++)
            half[i] += B[i / n * n + k] * l->A[k * n + i % n];
    for (size_t i = 0; i < m * m; i++)
        for (size_t k = 0; k < n; k++)
            out[i] += half[i / m * n + k] * B[i % m * n + k];
    return out;
}

/* The vectors in the variables themselves, the largest component being 1. */
static void find_modes(nh_linearization *l, nh_arena *arena, const double *B, const nh_spectrum *s)
{
    size_t n = l->n, m = l->n_free;
    l->mode_re = nh_doubles(arena, n * m), l->mode_im = nh_doubles(arena, n * m);
    for (size_t k = 0; k < m; k++) {
        double largest = 0, a = 1, b = 0;
        for (size_t i = 0; i < n; i++) {
            double re = 0, im = 0;
            for (size_t j = 0; j < m; j++)
                re += B[j * n + i] * s->re[j * m + k], im += B[j * n + i] * s->im[j * m + k];
            l->mode_re[i * m + k] = re, l->mode_im[i * m + k] = im;
            if (hypot(re, im) > largest * (1 + 1e-9))
                largest = hypot(re, im), a = re, b = im;
        }
        for (size_t i = 0; i < n; i++) { /* divided by a + i b */
            double re = l->mode_re[i * m + k], im = l->mode_im[i * m + k], square = a * a + b * b;
            l->mode_re[i * m + k] = (re * a + im * b) / square, l->mode_im[i * m + k] = (im * a - re * b) / square;
        }
    }
}

static bool find_equations(nh_linearization *l, nh_flow *f)
{
    size_t size = f->size;
    double *J = nh_doubles(f->arena, size * size), *H = nh_doubles(f->arena, f->held->count * size);
    l->rates = nh_doubles(f->arena, size);
    if (!nh_smooth_at(f, f->field, f->inputs, l->rates) || !nh_smooth_derivatives(f, f->field, f->inputs, J) ||
        !nh_smooth_derivatives(f, f->held, f->inputs, H))
        return false;
    l->A = part_of(f, l, J, l->n, false);
    double *held = part_of(f, l, H, f->held->count, true), *B = nh_doubles(f->arena, l->n * l->n);
    if (!nh_kernel(f->arena, f->held->count, l->n, held, 1e-10, B, &l->n_free))
        return false;
    nh_spectrum *s = nh_spectrum_of(f->arena, l->n_free, on_tangents(f->arena, l, B), f->unit);
    if (!s)
        return false;
    l->eigenvalues = s->values, l->zeros = s->zeros, l->kernel = s->kernel;
    find_modes(l, f->arena, B, s);
    find_moving(l, f);
    nh_judge_stability(f, l, fmax(s->norm, f->unit));
    return true;
}

nh_linearization *nh_linearize(nh_flow *f)
{
    nh_linearization *l = nh_arena_array(f->arena, 1, sizeof *l);
    *l = (nh_linearization){.inputs = nh_doubles(f->arena, f->size + 1)};
    memcpy(l->inputs, f->inputs, (f->size + 1) * sizeof *l->inputs);
    choose_variables(l, f, nh_taking_part(f));
    return find_equations(l, f) ? l : NULL;
}

/* ---------------------------------------------------------------- as formulas */

enum { MOST_OPERATIONS = 2000, LONGEST_ENTRY = 60 };

/* d x'^i/d x^k at the state. */
nh_expr *nh_linearize_exactly(nh_flow *f, const nh_linearization *l, const nh_expr *values, double max_seconds)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = l->n, count = 0;
    nh_expr *A = nh_arena_array(f->arena, n * n + 1, sizeof *A), *symbols = nh_arena_array(f->arena, f->size + 2, sizeof *A),
            *at = nh_arena_array(f->arena, f->size + 2, sizeof *at);
    if (nh_has_solve(pool, scratch, f->rates, f->size) || nh_count_operations(pool, scratch, f->rates, f->size) > MOST_OPERATIONS)
        return NULL;
    for (size_t k = 0; k < f->size; k++)
        if (values[k])
            symbols[count] = f->symbols[k], at[count++] = values[k];
    for (size_t i = 0; i < n * n; i++)
        A[i] = nh_derivative(pool, scratch, f->rates[l->variables[i / n]], f->symbols[l->variables[i % n]]);
    nh_substitute(pool, scratch, A, n * n, symbols, at, count, A);
    nh_algebra algebra;
    const signed char *signs = nh_model_signs(eq->model, f->arena);
    signed char *all = nh_arena_array(f->arena, pool->n_symbols + 1, sizeof *all);
    memcpy(all, signs, eq->model->pool.n_symbols);
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 5000, .max_seconds = max_seconds}, all);
    bool whole = nh_simplify(&algebra, A, n * n, A);
    nh_algebra_free(&algebra);
    for (size_t i = 0; i < n * n && whole; i++)
        whole = A[i] != NH_EXPR_NONE && nh_count_operations(pool, scratch, &A[i], 1) <= LONGEST_ENTRY;
    return whole ? A : NULL;
}
