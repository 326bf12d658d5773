/* Along a family with free variables s the linear equations are A(s), with the polynomial
 *
 *     det(lambda - A) = lambda^z (lambda^m + a_1(s) lambda^(m-1) + ... + a_m(s)).
 *
 * An eigenvalue that comes to the imaginary axis makes a_m = 0, or, as one of a pair, the last but one of Hurwitz' determinants, which
 * is the product of all lambda_i + lambda_j up to its sign (Orlando). Where neither is 0 for any s, as many have positive real parts at every member. */
#include "analyse/members.h"
#include "algebra/algebra.h"
#include "analyse/spectrum.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 8 };

typedef struct family {
    nh_flow *flow;
    const nh_equilibrium *e;
    nh_algebra *algebra;
    size_t n;
    nh_expr *A;       /* n x n, in numbers and free variables */
    nh_expr *a;       /* a_0 = 1 to a_n */
    const bool *free; /* by symbol */
} family;

/* ---------------------------------------------------------------- the polynomial */

/* A in the free variables, everything else having its value. */
static bool find_matrix(family *f, const nh_linearization *l)
{
    nh_flow *flow = f->flow;
    nh_equations *eq = flow->eq;
    size_t n = l->n, count = eq->model->n_parameters;
    nh_expr *values = nh_arena_array(flow->arena, flow->size + 1, sizeof *values),
            *symbols = nh_arena_array(flow->arena, count + 1, sizeof *symbols);
    for (size_t k = 0; k < flow->size; k++)
        values[k] = f->e->free[k] ? NH_EXPR_NONE : f->e->exact[k];
    for (size_t i = 0; i < count; i++)
        symbols[i] = eq->model->parameters[i].symbol;
    f->n = n, f->A = nh_linearize_exactly(flow, l, values, 0.5);
    if (!f->A)
        return false;
    nh_substitute(&eq->pool, &eq->context->arena, f->A, n * n, symbols, nh_flow_parameters(flow), count,
                  f->A);
    for (size_t i = 0; i < n * n; i++)
        if (!f->A[i])
            return false;
    return true;
}

/* Continuous for all values of the free variables: no denominators, and functions that have values everywhere. */
static bool is_entire(const family *f)
{
    const nh_pool *pool = &f->flow->eq->pool;
    nh_arena *scratch = &f->flow->eq->context->arena;
    nh_walk walk = nh_walk_of(pool, f->flow->arena, f->A, f->n * f->n);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_rational exponent = {0};
        bool depends = false,
             power = node.kind == NH_POW && nh_is_number(pool, node.b, &exponent) && !exponent.big &&
                     exponent.den == 1 && exponent.num > 0,
             fine = power || node.kind == NH_ADD || node.kind == NH_MUL || node.kind == NH_SYMBOL ||
                    (node.kind == NH_CALL && (node.function == NH_FN_sin || node.function == NH_FN_cos ||
                                              node.function == NH_FN_exp || node.function == NH_FN_tanh ||
                                              node.function == NH_FN_atan));
        bool *in = nh_arena_array(f->flow->arena, pool->n_symbols + 1, sizeof *in);
        nh_find_symbols(pool, scratch, &walk.nodes[i], 1, in);
        for (size_t k = 0; k < pool->n_symbols; k++)
            depends = depends || (in[k] && f->free[k]);
        if (depends && !fine)
            return false;
    }
    return true;
}

/* Faddeev, Leverrier: M_1 = 1, a_k = -tr(A M_k)/k, M_(k+1) = A M_k + a_k. */
static bool find_polynomial(family *f)
{
    nh_pool *pool = &f->flow->eq->pool;
    size_t n = f->n;
    nh_expr *M = nh_arena_array(f->flow->arena, n * n + 1, sizeof *M),
            *AM = nh_arena_array(f->flow->arena, n * n + 1, sizeof *AM);
    f->a = nh_arena_array(f->flow->arena, n + 1, sizeof *f->a);
    f->a[0] = pool->one;
    for (size_t i = 0; i < n * n; i++)
        M[i] = i / n == i % n ? pool->one : pool->zero;
    for (size_t k = 1; k <= n; k++) {
        nh_expr trace = pool->zero;
        if (!nh_matrix_multiply(f->algebra, n, n, n, f->A, M, AM))
            return false;
        for (size_t i = 0; i < n; i++)
            trace = nh_add(pool, trace, AM[i * n + i]);
        f->a[k] = nh_neg(pool, nh_div(pool, trace, nh_integer(pool, (int64_t)k)));
        if (!nh_simplify(f->algebra, &f->a[k], 1, &f->a[k]))
            return false;
        for (size_t i = 0; i < n * n; i++)
            M[i] = i / n == i % n ? nh_add(pool, AM[i], f->a[k]) : AM[i];
    }
    return true;
}

/* ---------------------------------------------------------------- its signs */

/* Always positive, as a sum of positive terms. */
static bool is_positive(const family *f, nh_expr e)
{
    return nh_matrix_positive(f->algebra, 1, &e) == NH_YES;
}

static bool is_negative(const family *f, nh_expr e) { return is_positive(f, nh_neg(&f->flow->eq->pool, e)); }

static bool is_definite(const family *f, nh_expr e) { return is_positive(f, e) || is_negative(f, e); }

/* The determinant of a_(2 j - i), i, j = 1 to m - 1. */
static bool hurwitz_is_definite(const family *f, size_t m)
{
    nh_pool *pool = &f->flow->eq->pool;
    size_t size = m - 1;
    nh_expr H[LARGEST * LARGEST], determinant;
    for (size_t i = 1; i <= size; i++)
        for (size_t j = 1; j <= size; j++)
            H[(i - 1) * size + j - 1] = 2 * j >= i && 2 * j - i <= m ? f->a[2 * j - i] : pool->zero;
    return nh_matrix_determinant(f->algebra, size, H, &determinant) && is_definite(f, determinant);
}

/* Where a_m < 0 an odd number of eigenvalues is positive: that is enough for what is unstable. */
static bool never_crosses(family *f, bool unstable, size_t *zeros)
{
    size_t m = f->n;
    if (!is_entire(f) || !find_polynomial(f))
        return false;
    while (m > 0 && nh_is_zero(f->algebra, f->a[m]) == NH_YES)
        m--;
    *zeros = f->n - m;
    return m == 0 || (unstable && is_negative(f, f->a[m])) ||
           (is_definite(f, f->a[m]) && (m == 1 || hurwitz_is_definite(f, m)));
}

bool nh_members_alike(nh_flow *flow, const nh_linearization *l, const nh_equilibrium *e, size_t *zeros)
{
    nh_pool *pool = &flow->eq->pool;
    nh_algebra algebra;
    bool *free = nh_arena_array(flow->arena, pool->n_symbols + 1, sizeof *free);
    family f = {.flow = flow, .e = e, .algebra = &algebra, .free = free};
    for (size_t k = 0; k < flow->size; k++) {
        uint32_t index = 0;
        nh_is_symbol(pool, flow->symbols[k], &index);
        free[index] = e->free[k];
    }
    if (!e->exact || e->found != NH_PROVED || l->n > LARGEST || !find_matrix(&f, l))
        return false;
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.2}, NULL);
    bool alike = never_crosses(&f, l->verdict == NH_UNSTABLE, zeros);
    nh_algebra_free(&algebra);
    return alike;
}

/* ---------------------------------------------------------------- members that are others */

/* One variable of a state that changes. */
typedef struct line {
    nh_flow *flow;
    double *inputs;
    size_t k;
    const bool *stays;
    double sign; /* 1: the largest is sought, -1: the least */
} line;

/* The largest real part of the eigenvalues that are not 0, times the sign. -INFINITY: none. */
static double growth_at(const line *at, double x)
{
    nh_flow *f = at->flow;
    nh_arena_mark mark = nh_arena_here(f->arena);
    size_t size = f->size, n = 0;
    double *J = nh_doubles(f->arena, size * size), *A = nh_doubles(f->arena, size * size), most = -INFINITY;
    at->inputs[1 + at->k] = x;
    for (size_t i = 0; i < size; i++)
        n += at->stays[i];
    nh_spectrum *s = NULL;
    if (nh_smooth_has_derivatives(f, f->field, at->inputs, J)) {
        for (size_t i = 0, entry = 0; i < size * size; i++)
            if (at->stays[i / size] && at->stays[i % size])
                A[entry++] = J[i];
        s = nh_spectrum_of(f->arena, n, A, 0);
    }
    for (size_t i = 0; s && i < n; i++)
        if (s->values[i].re != 0 || s->values[i].im != 0)
            most = fmax(most, s->values[i].re);
    nh_arena_release(f->arena, mark);
    return isinf(most) ? -INFINITY : at->sign * most;
}

enum { GRID = 96, HALVINGS = 40, PEAKS = 6 };

/* The largest value between two points around a peak, by golden sections. */
static double climb(const line *at, double a, double b)
{
    const double part = (sqrt(5) - 1) / 2;
    double x = b - part * (b - a), y = a + part * (b - a), at_x = growth_at(at, x), at_y = growth_at(at, y);
    for (int k = 0; k < HALVINGS; k++) {
        bool left = at_x > at_y;
        if (left)
            b = y, y = x, at_y = at_x, x = b - part * (b - a);
        else
            a = x, x = y, at_x = at_y, y = a + part * (b - a);
        if (left)
            at_x = growth_at(at, x);
        else
            at_y = growth_at(at, y);
    }
    return at_x > at_y ? x : y;
}

/* From the values on the grid: the best one, and what the highest peaks rise to between its points. */
static double best_of(const line *at, double low, double step, double *values)
{
    double best = low, most = -INFINITY;
    for (size_t i = 0; i <= GRID; i++)
        if (values[i] > most)
            most = values[i], best = low + step * (double)i;
    for (int peak = 0; peak < PEAKS; peak++) {
        size_t top = 0;
        double highest = -INFINITY;
        for (size_t i = 1; i < GRID; i++)
            if (values[i] > highest && values[i] >= values[i - 1] && values[i] >= values[i + 1])
                highest = values[i], top = i;
        if (!top)
            break;
        double x = climb(at, low + step * (double)(top - 1), low + step * (double)(top + 1)),
               there = growth_at(at, x);
        if (there > most)
            most = there, best = x;
        values[top] = -INFINITY;
    }
    return best;
}

bool nh_extreme_members(nh_flow *f, const nh_equilibrium *e, size_t k, double low, double high,
                        double *inputs)
{
    double values[GRID + 1], step = (high - low) / GRID;
    bool any = false;
    nh_smooth_has_derivatives(f, f->field, e->inputs,
                              nh_doubles(f->arena, f->size * f->size)); /* what it makes once stays */
    for (int which = 0; which < 2; which++) {
        line at = {f, inputs + (size_t)which * (f->size + 1), k, nh_taking_part(f), which ? -1 : 1};
        memcpy(at.inputs, e->inputs, (f->size + 1) * sizeof *inputs);
        for (size_t i = 0; i <= GRID; i++)
            any = isfinite(values[i] = growth_at(&at, low + step * (double)i)) || any;
        at.inputs[1 + k] = best_of(&at, low, step, values);
    }
    return any;
}
