#include "model/solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

void nh_solver_init(nh_solver *s, nh_reader *reader)
{
    const nh_model *model = reader->model;
    nh_arena *arena = &reader->context->arena;
    *s = (nh_solver){.reader = reader, .n = model->n, .random = 20070301};
    s->unknowns = nh_arena_array(arena, 2 * s->n, sizeof *s->unknowns);
    for (size_t i = 0; i < s->n; i++) {
        s->unknowns[i] = model->coordinates[i].q;
        s->unknowns[s->n + i] = model->coordinates[i].rate;
    }
    s->values = nh_arena_array(arena, model->pool.n_symbols, sizeof *s->values);
    s->given = nh_arena_array(arena, model->pool.n_symbols, sizeof *s->given);
    nh_model_parameter_values(model, arena, s->given);
}

void nh_solver_add(nh_solver *s, nh_expr F)
{
    nh_arena *arena = &s->reader->context->arena;
    size_t width = 2 * s->n + 1;
    if (s->count == s->capacity) {
        size_t larger = s->capacity ? 2 * s->capacity : 4;
        nh_expr *roots = nh_arena_array(arena, larger * width, sizeof *roots);
        if (s->count)
            memcpy(roots, s->roots, s->count * width * sizeof *roots);
        s->roots = roots, s->capacity = larger;
        s->out = nh_arena_array(arena, larger * width, sizeof *s->out);
        double *scale = nh_arena_array(arena, larger, sizeof *scale);
        if (s->count)
            memcpy(scale, s->scale, s->count * sizeof *scale);
        s->scale = scale;
    }
    s->scale[s->count] = 0;
    nh_expr *row = s->roots + s->count * width;
    row[0] = F;
    nh_gradient(s->reader->pool, &s->reader->scratch, &F, NULL, 1, s->unknowns, 2 * s->n, row + 1);
    s->count++;
}

void nh_solver_drop_last(nh_solver *s) { s->count--; }

static double *slot(nh_solver *s, size_t unknown)
{
    uint32_t index = 0;
    nh_is_symbol(s->reader->pool, s->unknowns[unknown], &index);
    return &s->values[index];
}

static double random_unit(nh_solver *s) /* in (0,1) */
{
    s->random += 0x9e3779b97f4a7c15u;
    return ((double)(nh_hash(s->random) >> 12) + 0.5) * 0x1p-52;
}

static void draw(nh_solver *s)
{
    const nh_model *model = s->reader->model;
    bool as_given = s->draws++ % 2 == 0;
    for (size_t i = 0; i < model->pool.n_symbols; i++) {
        double x = 0.25 + random_unit(s);
        signed char sign = s->reader->signs[i];
        s->values[i] = sign < 0 || (sign == 0 && random_unit(s) < 0.5) ? -x : x;
        if (as_given && isfinite(s->given[i]))
            s->values[i] = s->given[i];
    }
}

/* F and its derivatives at values[]; |F|^2, or NaN. */
static double evaluate(nh_solver *s)
{
    size_t width = 2 * s->n + 1;
    nh_evaluate(s->reader->pool, &s->reader->scratch, s->roots, s->count * width, s->values, s->out, NULL);
    double sum = 0;
    for (size_t i = 0; i < s->count * width; i++)
        if (!isfinite(s->out[i]))
            return NAN;
    for (size_t a = 0; a < s->count; a++)
        sum += s->out[a * width] * s->out[a * width];
    return sum;
}

/* Cholesky: solves M x = b in place for a symmetric positive definite M; false where it is not. */
static bool cholesky(double *M, double *b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            M[j * n + j] -= M[j * n + k] * M[j * n + k];
        if (!(M[j * n + j] > 0))
            return false;
        M[j * n + j] = sqrt(M[j * n + j]);
        for (size_t i = j + 1; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                M[i * n + j] -= M[i * n + k] * M[j * n + k];
            M[i * n + j] /= M[j * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= M[i * n + k] * b[k];
        b[i] /= M[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= M[k * n + i] * b[k];
        b[i] /= M[i * n + i];
    }
    return true;
}

/* The damped Gauss-Newton step dy = -J^T (J J^T + mu)^-1 F, of least length. */
static bool step(nh_solver *s, double mu, double *dy, double *M, double *x)
{
    size_t r = s->count, width = 2 * s->n + 1;
    for (size_t a = 0; a < r; a++) {
        const double *A = s->out + a * width;
        x[a] = A[0];
        for (size_t b = 0; b <= a; b++) {
            const double *B = s->out + b * width;
            double sum = a == b ? mu : 0;
            for (size_t k = 1; k < width; k++)
                sum += A[k] * B[k];
            M[a * r + b] = M[b * r + a] = sum;
        }
    }
    if (!cholesky(M, x, r))
        return false;
    for (size_t k = 1; k < width; k++) {
        double sum = 0;
        for (size_t a = 0; a < r; a++)
            sum -= s->out[a * width + k] * x[a];
        dy[k - 1] = sum;
    }
    return true;
}

static double row_norm(const double *row, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += row[j] * row[j];
    return sqrt(sum);
}

static void remember_scale(nh_solver *s)
{
    size_t width = 2 * s->n + 1;
    for (size_t a = 0; a < s->count; a++)
        s->scale[a] = fmax(s->scale[a], row_norm(s->out + a * width + 1, width - 1));
}

/* |J^T F| against its usual size |J| |F|: small where |F|^2 is stationary. */
static double slope(const nh_solver *s)
{
    size_t width = 2 * s->n + 1;
    double gradient = 0, usual = 0;
    for (size_t k = 1; k < width; k++) {
        double sum = 0;
        for (size_t a = 0; a < s->count; a++)
            sum += s->out[a * width + k] * s->out[a * width];
        gradient += sum * sum;
    }
    for (size_t a = 0; a < s->count; a++)
        usual += fabs(s->scale[a] * s->out[a * width]);
    return usual > 0 ? sqrt(gradient) / usual : 0;
}

static void move(nh_solver *s, const double *dy, double factor)
{
    for (size_t k = 0; k < 2 * s->n; k++)
        *slot(s, k) += factor * dy[k];
}

enum { ITERATIONS = 120 };

/* Levenberg and Marquardt's method. */
static nh_found iterate(nh_solver *s, double *dy, double *M, double *x)
{
    double sum = evaluate(s), mu = 1e-3;
    if (isfinite(sum))
        remember_scale(s);
    for (int i = 0; i < ITERATIONS && isfinite(sum); i++) {
        if (sum < 1e-24)
            return NH_FOUND;
        if (!step(s, mu * (1 + sum), dy, M, x)) {
            mu = fmax(10 * mu, 1e-12);
            continue;
        }
        move(s, dy, 1);
        double next = evaluate(s);
        if (next < sum) {
            sum = next, mu = fmax(mu / 10, 1e-15);
        } else {
            move(s, dy, -1);
            evaluate(s);
            mu *= 10;
        }
    }
    return isfinite(sum) && sum > 1e-10 && slope(s) < 1e-3 ? NH_STUCK : NH_LOST;
}

nh_found nh_solver_find(nh_solver *s)
{
    nh_arena *scratch = &s->reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    double *dy = nh_arena_array(scratch, 2 * s->n + 1, sizeof *dy);
    double *M = nh_arena_array(scratch, s->count * s->count + 1, sizeof *M);
    double *x = nh_arena_array(scratch, s->count + 1, sizeof *x);
    draw(s);
    nh_found found = iterate(s, dy, M, x);
    nh_arena_release(scratch, mark);
    return found;
}

/* ---------------------------------------------------------------- rank */

/* Modified Gram-Schmidt: rows that keep a part of their length are independent. A row that is short against its
 * scale is none. */
static size_t rank_of(double *rows, const double *scale, size_t r, size_t n)
{
    size_t rank = 0;
    for (size_t a = 0; a < r; a++) {
        double *row = rows + a * n, before = row_norm(row, n);
        for (int twice = 0; twice < 2; twice++)
            for (size_t b = 0; b < rank; b++) {
                double product = 0;
                for (size_t j = 0; j < n; j++)
                    product += row[j] * rows[b * n + j];
                for (size_t j = 0; j < n; j++)
                    row[j] -= product * rows[b * n + j];
            }
        double after = row_norm(row, n);
        if (!(after > 1e-7 * before) || before < 1e-4 * scale[a])
            continue;
        for (size_t j = 0; j < n; j++)
            rows[rank * n + j] = row[j] / after;
        rank++;
    }
    return rank;
}

size_t nh_solver_rank(nh_solver *s, size_t from, const bool *skip)
{
    nh_arena *scratch = &s->reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t r = s->count - from, width = 2 * s->n + 1;
    evaluate(s);
    double *rows = nh_arena_array(scratch, r * s->n + 1, sizeof *rows);
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < s->n; i++)
            rows[a * s->n + i] = skip && skip[i] ? 0 : s->out[(from + a) * width + 1 + s->n + i];
    size_t rank = rank_of(rows, s->scale + from, r, s->n);
    nh_arena_release(scratch, mark);
    return rank;
}

double nh_solver_value(nh_solver *s, nh_expr e, double *error)
{
    double value;
    nh_evaluate(s->reader->pool, &s->reader->scratch, &e, 1, s->values, &value, error);
    return value;
}
