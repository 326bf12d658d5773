/* The equations of the second kind:
 *     C^a_i = dC^a/dq'^i,  C^ai = g^ij C^a_j,  G^ab = C^ai C^b_i
 *     lambda_a = -G_ab (C^bi L_i + q'^i d_i C^b + d_t C^b)
 *     R_i = lambda_a C^a_i,  D^i = g^ij (L_j + R_j)
 *
 * These are formulas for small systems. A large one stays the linear system for D and lambda that they solve. */
#include "derive/inner.h"

#include <math.h>

#include <string.h>

static void derivatives(nh_equations *eq)
{
    nh_second_kind *s = &eq->second;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n, r = eq->r;
    nh_expr *q = nh_array(eq, n), *rates = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        q[i] = eq->model->coordinates[i].q, rates[i] = eq->model->coordinates[i].rate;
    s->C_i = nh_array(eq, r * n);
    s->dC = nh_array(eq, r * n);
    s->dC_dt = nh_array(eq, r);
    s->moved = nh_array(eq, r);
    for (size_t a = 0; a < r; a++) {
        nh_gradient(pool, scratch, &s->C[a], NULL, 1, rates, n, s->C_i + a * n);
        nh_gradient(pool, scratch, &s->C[a], NULL, 1, q, n, s->dC + a * n);
        s->dC_dt[a] = nh_derivative(pool, scratch, s->C[a], eq->model->time);
        s->moved[a] = nh_add(pool, nh_dot(eq, rates, s->dC + a * n, n), s->dC_dt[a]);
    }
}

/* ---------------------------------------------------------------- by elimination */

/* g^ij applied to the rows of C_i and to L. */
static bool raise_indices(nh_equations *eq, nh_second_kind *s, const nh_expr *g, nh_expr *L_upper)
{
    size_t n = eq->n, r = eq->r;
    nh_expr *B = nh_array(eq, (r + 1) * n), *X = nh_array(eq, (r + 1) * n);
    memcpy(B, s->C_i, r * n * sizeof *B);
    memcpy(B + r * n, eq->L, n * sizeof *B);
    if (!nh_eliminate_symmetric(eq, n, g, r + 1, B, X))
        return false;
    s->C_upper = nh_array(eq, r * n);
    memcpy(s->C_upper, X, r * n * sizeof *X);
    memcpy(L_upper, X + r * n, n * sizeof *X);
    return true;
}

static bool find_lambda(nh_equations *eq, nh_second_kind *s)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    nh_expr *b = nh_array(eq, r);
    s->G_upper = nh_array(eq, r * r);
    s->lambda = nh_array(eq, r);
    for (size_t a = 0; a < r; a++)
        for (size_t c = 0; c <= a; c++)
            s->G_upper[a * r + c] = s->G_upper[c * r + a] = nh_dot(eq, s->C_upper + a * n, s->C_i + c * n, n);
    for (size_t a = 0; a < r; a++)
        b[a] = nh_neg(pool, nh_add(pool, nh_dot(eq, s->C_upper + a * n, eq->L, n), s->moved[a]));
    return nh_eliminate_symmetric(eq, r, s->G_upper, 1, b, s->lambda);
}

static void find_R(nh_equations *eq, nh_second_kind *s)
{
    size_t n = eq->n;
    s->R = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        s->R[i] = eq->pool.zero;
        for (size_t a = 0; a < eq->r; a++)
            s->R[i] = nh_add(&eq->pool, s->R[i], nh_mul(&eq->pool, s->lambda[a], s->C_i[a * n + i]));
    }
}

const char *nh_second_by_elimination(nh_equations *eq, nh_second_kind *s)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    nh_expr *L_upper = nh_array(eq, n), *g = nh_array(eq, n * n);
    nh_metric(eq, g);
    if (!raise_indices(eq, s, g, L_upper))
        return "the metric g is singular";
    if (!find_lambda(eq, s))
        return "the constraints are nowhere independent";
    find_R(eq, s);
    s->R_upper = nh_array(eq, n), s->D = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        s->R_upper[i] = pool->zero;
        for (size_t a = 0; a < eq->r; a++)
            s->R_upper[i] = nh_add(pool, s->R_upper[i], nh_mul(pool, s->lambda[a], s->C_upper[a * n + i]));
        s->D[i] = nh_add(pool, L_upper[i], s->R_upper[i]);
    }
    return NULL;
}

/* ---------------------------------------------------------------- as one linear system */

/* Multiplications up to which it is done by elimination, and so many more for each unknown. */
enum { MOST_MULTIPLICATIONS = 1500, MOST_FOR_ONE = 20 };

static size_t most_multiplications(const nh_equations *eq)
{
    return MOST_MULTIPLICATIONS + MOST_FOR_ONE * (eq->n + eq->r);
}

/* Coordinates that g connects, over others too, have the same number; g^-1 has no other entries. */
static size_t *parts_of_metric(nh_equations *eq, const nh_expr *g)
{
    size_t n = eq->n, *part = nh_arena_array(&eq->arena, n + 1, sizeof *part);
    for (size_t i = 0; i < n; i++) {
        part[i] = i;
        for (size_t k = 0; k < i; k++) {
            if (g[i * n + k] == eq->pool.zero || part[k] == part[i])
                continue;
            size_t other = part[k], own = part[i];
            for (size_t l = 0; l <= i; l++)
                part[l] = part[l] == other ? own : part[l];
        }
    }
    return part;
}

/* Multiplications by elimination: of g, of G^ab, and for what is between them. */
static size_t predicted(nh_equations *eq, const nh_second_kind *s, const nh_expr *g)
{
    size_t n = eq->n, r = eq->r, most = most_multiplications(eq), count = 0;
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    const size_t *part = parts_of_metric(eq, g);
    size_t *size = nh_arena_array(&eq->arena, n + 1, sizeof *size);
    bool *full = nh_arena_array(&eq->arena, n * n + r * r + 1, sizeof *full), *G = full + n * n,
         *touched = nh_arena_array(&eq->arena, (r + 1) * n + 1, sizeof *touched);
    for (size_t i = 0; i < n; i++)
        size[part[i]]++;
    for (size_t k = 0; k < n * n; k++)
        full[k] = g[k] != eq->pool.zero;
    count += nh_elimination_cost(full, n, most) / 2;
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            if (s->C_i[a * n + i] != eq->pool.zero)
                touched[a * n + part[i]] = true;
    for (size_t a = 0; a < r && count <= most; a++)
        for (size_t p = 0; p < n; p++) {
            count += touched[a * n + p] ? size[p] * size[p] : 0;
            for (size_t b = 0; b <= a && touched[a * n + p]; b++)
                if (touched[b * n + p])
                    G[a * r + b] = G[b * r + a] = true, count += size[p];
        }
    for (size_t i = 0; i < n; i++)
        count += size[part[i]]; /* g^-1 L */
    count += count <= most ? nh_elimination_cost(G, r, most) / 2 : 0;
    nh_arena_release(&eq->arena, mark);
    return count;
}

/*     [ g   -C^T ] [ D      ]   [ L                      ]
 *     [ w C  0   ] [ lambda ] = [ -w (q'^i d_i C + d_t C) ]
 * w: 1, or so large that pivots are looked for in C before they are looked for in g, which leaves G^ab. */
static const char *as_system(nh_equations *eq, nh_second_kind *s, const nh_expr *g, nh_expr w)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r, size = n + r;
    nh_expr *M = nh_array(eq, size * size), *b = nh_array(eq, size), *x = nh_array(eq, size);
    if (nh_rows_follow(eq, n, n, g))
        return "the metric g is singular";
    if (nh_rows_follow(eq, r, n, s->C_i))
        return "the constraints are nowhere independent";
    for (size_t k = 0; k < size * size; k++)
        M[k] = pool->zero;
    for (size_t i = 0; i < n; i++) {
        b[i] = eq->L[i];
        memcpy(M + i * size, g + i * n, n * sizeof *M);
        for (size_t a = 0; a < r; a++) {
            M[(n + a) * size + i] = nh_mul(pool, w, s->C_i[a * n + i]);
            M[i * size + n + a] = nh_neg(pool, s->C_i[a * n + i]);
        }
    }
    for (size_t a = 0; a < r; a++)
        b[n + a] = nh_neg(pool, nh_mul(pool, w, s->moved[a]));
    nh_solution(pool, size, false, M, b, x);
    s->D = x, s->lambda = x + n;
    find_R(eq, s);
    return NULL;
}

void nh_derive_second(nh_equations *eq)
{
    nh_second_kind *s = &eq->second;
    if (s->reason)
        return;
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    nh_metric(eq, g);
    derivatives(eq);
    s->system = predicted(eq, s, g) > most_multiplications(eq);
    s->reason = s->system ? as_system(eq, s, g, eq->pool.one) : nh_second_by_elimination(eq, s);
}

/* ---------------------------------------------------------------- rows that are nearly dependent */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* How much of a row of length 1 is not along those before it, at the least: Gram and Schmidt, in place. */
static double least_part(double *rows, size_t r, size_t n)
{
    double least = 1;
    for (size_t a = 0; a < r; a++) {
        double *row = rows + a * n, length = sqrt(dot(row, row, n));
        for (size_t i = 0; i < n && length > 0; i++)
            row[i] /= length;
        for (size_t b = 0; b < a; b++) {
            double along = dot(row, rows + b * n, n);
            for (size_t i = 0; i < n; i++)
                row[i] -= along * rows[b * n + i];
        }
        double left = sqrt(dot(row, row, n));
        least = fmin(least, left);
        for (size_t i = 0; i < n && left > 0; i++)
            row[i] /= left;
    }
    return least;
}

/* How much larger entries of C are to be than those of g, as a power of 2. */
static int weight(const double *rows, size_t r, const double *g, size_t n)
{
    double largest = 0, shortest = INFINITY;
    for (size_t k = 0; k < n * n; k++)
        largest = fmax(largest, fabs(g[k]));
    for (size_t a = 0; a < r; a++)
        shortest = fmin(shortest, sqrt(dot(rows + a * n, rows + a * n, n)));
    double ratio = log2(largest / shortest);
    return isfinite(ratio) ? (int)fmin(fmax(ceil(ratio), 0), 900) + 40 : 40;
}

/* G^ab has the square of their condition, the system for D and lambda has not: where rows are as near to one another as this, it is taken. */
static const double NEAR = 1e-3;

void nh_second_at(nh_equations *eq, const double *values)
{
    nh_second_kind *s = &eq->second;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    if (s->reason || s->system || r < 2)
        return;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_expr *g = nh_array(eq, n * n);
    double *rows = nh_arena_array(scratch, r * n + n * n + 1, sizeof *rows);
    nh_metric(eq, g);
    nh_evaluate(pool, scratch, s->C_i, r * n, values, rows, NULL);
    nh_evaluate(pool, scratch, g, n * n, values, rows + r * n, NULL);
    int power = weight(rows, r, rows + r * n, n);
    double part = least_part(rows, r, n);
    nh_arena_release(scratch, mark);
    if (!(part < NEAR) || !(part > 0))
        return;
    s->system = !as_system(eq, s, g, nh_power(pool, nh_integer(pool, 2), power));
    for (size_t i = 0; i < n && s->system; i++) /* g_ij D^j - L_i: the lambda_a C^a_i nearly cancel */
        s->R[i] = nh_sub(pool, nh_dot(eq, g + i * n, s->D, n), eq->L[i]);
}
