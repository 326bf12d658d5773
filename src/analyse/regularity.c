/* Whether the equations are regular at a state: by the least singular value of the matrices that have to be inverted, beside what it is
 * nearby. The state itself is known to some digits only: sin(theta) at the double next to pi is not 0. */
#include "analyse/dense.h"
#include "analyse/flow.h"

#include <math.h>
#include <string.h>

typedef struct matrix {
    nh_flow *flow;
    nh_smooth *entries;
    size_t rows, columns;
    bool metric;       /* columns have the units of rows */
    bool by_largest;   /* the least singular value is measured by the largest: poles count, too */
    nh_smooth *slopes; /* it counts on the v with C^a_i v^i = 0 alone; NULL: on all */
    double *unit;      /* by row: what brings it to 1 nearby */
} matrix;

/* In the units. False: it has no value. */
static bool take(const matrix *M, const double *inputs, double *A)
{
    if (!nh_smooth_at(M->flow, M->entries, inputs, A))
        return false;
    for (size_t k = 0; k < M->rows * M->columns; k++)
        A[k] *= M->unit[k / M->columns] * (M->metric ? M->unit[k % M->columns] : 1);
    return true;
}

/* The v with C^a_i v^i = 0 in the units of the metric, by rows: their number, or `columns` and more where the constraints have no value. */
static size_t find_tangents(const matrix *M, const double *inputs, double *v)
{
    size_t n = M->columns, r = M->slopes->count / n, count = 0;
    double *C = nh_doubles(M->flow->arena, r * n);
    if (!nh_smooth_at(M->flow, M->slopes, inputs, C))
        return n + 1;
    for (size_t a = 0; a < r; a++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            C[a * n + i] *= M->unit[i], largest = fmax(largest, fabs(C[a * n + i]));
        for (size_t i = 0; i < n && largest > 0; i++)
            C[a * n + i] /= largest;
    }
    return nh_kernel(M->flow->arena, r, n, C, 1e-10, v, &count) ? count : n + 1;
}

/* A(v, v) for them, in place of A, m x m. False: the constraints have no value. */
static bool restrict_to_tangents(const matrix *M, const double *inputs, double *A, size_t *m)
{
    size_t n = M->columns;
    double *v = nh_doubles(M->flow->arena, n * n), *half = nh_doubles(M->flow->arena, n * n);
    *m = find_tangents(M, inputs, v);
    if (*m > n)
        return false;
    for (size_t e = 0; e < *m * n; e++)
        for (size_t k = 0; k < n; k++)
            half[e] += v[e / n * n + k] * A[k * n + e % n];
    for (size_t e = 0; e < *m * *m; e++) {
        A[e] = 0;
        for (size_t k = 0; k < n; k++)
            A[e] += half[e / *m * n + k] * v[e % *m * n + k];
    }
    return true;
}

/* The smallest singular value; NAN: there is none. */
static double least_of(const matrix *M, const double *inputs)
{
    nh_arena *arena = M->flow->arena;
    nh_arena_mark mark = nh_arena_here(arena);
    size_t rows = M->rows, columns = M->columns;
    double *A = nh_doubles(arena, rows * columns), *S = nh_doubles(arena, columns),
           *right = nh_doubles(arena, columns * columns), least = NAN;
    bool fine = take(M, inputs, A);
    if (fine && M->slopes)
        fine = restrict_to_tangents(M, inputs, A, &rows), columns = rows;
    if (fine && rows == 0)
        least = 1;
    else if (fine && nh_singular(arena, rows, columns, A, S, right))
        least = S[(rows < columns ? rows : columns) - 1] / (M->by_largest && S[0] > 0 ? S[0] : 1);
    nh_arena_release(arena, mark);
    return least;
}

enum { STATES = 4 };

static void nearby(const nh_flow *f, const double *inputs, size_t number, double *out)
{
    out[0] = inputs[0];
    for (size_t k = 0; k < f->size; k++) {
        double part = (double)(nh_hash(number * 65537 + k) >> 12 & 0xffff) / 0x8000 - 1;
        out[1 + k] = inputs[1 + k] + 0.3 * f->scale[k] * part;
    }
}

/* Masses may be of any size: a row is measured by its largest entry nearby, a metric by its diagonal. */
static void find_units(matrix *M, const double *inputs)
{
    nh_flow *f = M->flow;
    double *near = nh_doubles(f->arena, f->size + 1), *A = nh_doubles(f->arena, M->rows * M->columns),
           *size = nh_doubles(f->arena, M->rows);
    M->unit = nh_doubles(f->arena, M->rows);
    for (size_t number = 1; number <= STATES; number++) {
        nearby(f, inputs, number, near);
        bool fine = nh_smooth_at(f, M->entries, near, A);
        for (size_t k = 0; k < M->rows * M->columns && fine; k++)
            if (!M->metric || k / M->columns == k % M->columns)
                size[k / M->columns] = fmax(size[k / M->columns], fabs(A[k]));
    }
    for (size_t i = 0; i < M->rows; i++)
        M->unit[i] = size[i] > 0 ? 1 / (M->metric ? sqrt(size[i]) : size[i]) : 1;
}

static const double ROUNDING =
    1e-12; /* of the state, as Newton's method leaves it; what is 0 is so by choice */

/* Whether it may be 0 where the state really is: its changes to both sides are as large as itself. */
static bool is_in_doubt(const matrix *M, const double *inputs, double here)
{
    nh_flow *f = M->flow;
    double *moved = nh_doubles(f->arena, f->size + 1), change = 0;
    memcpy(moved, inputs, (f->size + 1) * sizeof *moved);
    for (size_t k = 1; k <= f->size; k++) {
        double most = 0, radius = inputs[k] == 0 ? 0 : ROUNDING * fmax(f->scale[k - 1], fabs(inputs[k]));
        for (int side = -1; side <= 1 && radius > 0; side += 2) {
            moved[k] = inputs[k] + side * radius;
            most = fmax(most, fabs(least_of(M, moved) - here));
        }
        moved[k] = inputs[k], change += most;
    }
    return change >= here;
}

static double beside_nearby(matrix *M, const double *inputs)
{
    nh_flow *f = M->flow;
    double *near = nh_doubles(f->arena, f->size + 1), there = 0;
    find_units(M, inputs);
    double here = least_of(M, inputs);
    for (size_t number = 1; number <= STATES; number++) {
        nearby(f, inputs, number, near);
        there = fmax(there, least_of(M, near));
    }
    if (here > 0 && there > 0)
        return M->metric && is_in_doubt(M, inputs, here) ? 0 : here / there;
    return isnan(here) || there > 0 ? 0 : 1;
}

/* ---------------------------------------------------------------- the matrices */

/* NULL: they have a value nowhere on C. */
static nh_smooth *on_C(nh_flow *f, const nh_expr *e, size_t count)
{
    nh_expr *out = nh_arena_array(f->arena, count + 1, sizeof *out);
    nh_flow_on_C(f, e, count, out);
    for (size_t i = 0; i < count; i++)
        if (!out[i])
            return NULL;
    return nh_smooth_new(f, out, count);
}

double nh_flow_independence(nh_flow *f, const double *inputs)
{
    const nh_equations *eq = f->eq;
    if (!f->slopes && eq->r && eq->second.C_i)
        f->slopes = on_C(f, eq->second.C_i, eq->r * eq->n);
    matrix C = {.flow = f, .entries = f->slopes, .rows = eq->r, .columns = eq->n};
    return f->slopes ? beside_nearby(&C, inputs) : eq->r && eq->second.C_i ? 0 : 1;
}

double nh_flow_freedom(nh_flow *f, const double *inputs)
{
    const nh_equations *eq = f->eq;
    if (eq->m == 0)
        return 1;
    if (!f->directions)
        f->directions = nh_smooth_new(f, eq->first.psi_alpha, eq->m * eq->n);
    matrix psi = {.flow = f, .entries = f->directions, .rows = eq->m, .columns = eq->n};
    psi.by_largest = true;
    return beside_nearby(&psi, inputs);
}

/* g_ij on what C^a_i leaves; no free velocities are used then. */
static double regularity_of_g(nh_flow *f, const double *inputs)
{
    nh_equations *eq = f->eq;
    nh_expr *g = nh_arena_array(f->arena, eq->n * eq->n + 1, sizeof *g);
    if (!f->metric) {
        nh_metric(eq, g);
        f->metric = nh_smooth_new(f, g, eq->n * eq->n);
    }
    matrix M = {.flow = f, .entries = f->metric, .rows = eq->n, .columns = eq->n, .metric = true};
    M.slopes = f->slopes;
    return beside_nearby(&M, inputs);
}

double nh_flow_regularity(nh_flow *f, const double *inputs)
{
    const nh_equations *eq = f->eq;
    double least = nh_flow_independence(f, inputs);
    if (f->second && !eq->second.reason)
        return fmin(least, regularity_of_g(f, inputs));
    if (!f->metric && eq->m)
        f->metric = nh_smooth_new(f, eq->first.G, eq->m * eq->m);
    matrix G = {.flow = f, .entries = f->metric, .rows = eq->m, .columns = eq->m, .metric = true};
    return f->metric ? fmin(least, beside_nearby(&G, inputs)) : least;
}

/* ---------------------------------------------------------------- what has no kinetic energy */

static const double NO_ENERGY = 1e-9; /* beside that nearby */

/* The combinations of the rows of `from` (in the units of the metric where no free velocities are used) for which A(v, v) = 0. */
static size_t combine(const matrix *M, size_t m, const double *A, const double *from, double *v)
{
    size_t n = M->flow->n, count = 0;
    double *basis = nh_doubles(M->flow->arena, m * m);
    if (m == 0 || !nh_kernel(M->flow->arena, m, m, A, NO_ENERGY, basis, &count))
        return 0;
    memset(v, 0, count * n * sizeof *v);
    for (size_t d = 0; d < count; d++)
        for (size_t k = 0; k < m; k++)
            for (size_t i = 0; i < n; i++)
                v[d * n + i] += basis[d * m + k] * (M->slopes || M->flow->second ? 1 : M->unit[k]) *
                                from[k * n + i] * (M->flow->second ? M->unit[i] : 1);
    return count;
}

size_t nh_flow_idle(nh_flow *f, const double *inputs, double *v)
{
    const nh_equations *eq = f->eq;
    size_t n = eq->n, m = f->second ? n : eq->m;
    double *A = nh_doubles(f->arena, n * n), *from = nh_doubles(f->arena, n * n);
    if (!(nh_flow_regularity(f, inputs) < NO_ENERGY) || !f->metric || nh_flow_independence(f, inputs) < 1e-6)
        return 0;
    matrix M = {.flow = f, .entries = f->metric, .rows = m, .columns = m, .metric = true};
    M.slopes = f->second && !eq->second.reason ? f->slopes : NULL;
    find_units(&M, inputs);
    if (!take(&M, inputs, A))
        return 0;
    if (!f->second)
        return nh_flow_freedom(f, inputs) > 1e-6 && nh_smooth_at(f, f->directions, inputs, from)
                   ? combine(&M, m, A, from, v)
                   : 0;
    for (size_t i = 0; i < n; i++)
        from[i * n + i] = 1;
    if (M.slopes && find_tangents(&M, inputs, from) > n)
        return 0;
    if (M.slopes && !restrict_to_tangents(&M, inputs, A, &m))
        return 0;
    return combine(&M, m, A, from, v);
}
