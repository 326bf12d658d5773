/* Equations F(x) = 0 for some of the symbols: where they are and, to first order, where they hold. Unknowns are measured by the metric W of
 * the cost: s_i = x_i/d_i with d_i = W_ii^(-1/2); equations by the lengths of their derivatives. So it is the same in all units. */
#include "derive/plane.h"

#include <math.h>
#include <string.h>

double *nh_slot_of(nh_equations *eq, double *values, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return &values[index];
}

double *nh_unknown_slot(const nh_problem *p, size_t i)
{
    return nh_slot_of(p->eq, p->values, p->unknowns[i]);
}

nh_problem nh_problem_of(nh_equations *eq, double *values, const nh_expr *F, size_t count, nh_expr *unknowns,
                         size_t n)
{
    nh_problem p = {.eq = eq, .values = values, .count = count, .F = F, .unknowns = unknowns, .n = n};
    size_t n_roots = count * (n + 1);
    p.roots = nh_array(eq, n_roots);
    memcpy(p.roots, F, count * sizeof *F);
    for (size_t a = 0; a < count; a++)
        nh_gradient(&eq->pool, &eq->context->arena, &F[a], NULL, 1, unknowns, n, p.roots + count + a * n);
    p.out = nh_arena_array(&eq->arena, n_roots + 1, sizeof *p.out);
    p.errors = nh_arena_array(&eq->arena, n_roots + 1, sizeof *p.errors);
    p.unit = nh_arena_array(&eq->arena, n + 1, sizeof *p.unit);
    for (size_t i = 0; i < n; i++)
        p.unit[i] = 1;
    p.evaluator = nh_evaluator_new(&eq->pool, &eq->arena, p.roots, n_roots);
    return p;
}

static double scale_of(const nh_problem *p, size_t i)
{
    double w = p->W ? p->W[i * p->n + i] : 1;
    return w > 0 && isfinite(w) ? 1 / sqrt(w) : 1;
}

static bool is_affine(const nh_problem *p)
{
    nh_equations *eq = p->eq;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, p->roots + p->count, p->count * p->n, depends);
    for (size_t i = 0; i < p->n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, p->unknowns[i], &index);
        any = any || depends[index];
    }
    return !any;
}

void nh_problem_cost(nh_problem *p, const double *W, const double *x0, const double *pull, double size)
{
    p->W = W, p->x0 = x0, p->pull = pull, p->size = size, p->affine = is_affine(p);
    for (size_t i = 0; i < p->n; i++)
        p->size = fmax(p->size, fabs(x0[i]) / scale_of(p, i));
    for (size_t i = 0; i < p->n; i++)
        p->unit[i] = p->size * scale_of(p, i);
}

void nh_unknowns_set(nh_problem *p, const double *x)
{
    for (size_t i = 0; i < p->n; i++)
        *nh_unknown_slot(p, i) = x[i];
}

double *nh_unknowns_now(nh_problem *p)
{
    double *x = nh_arena_array(&p->eq->arena, p->n + 1, sizeof *x);
    for (size_t i = 0; i < p->n; i++)
        x[i] = *nh_unknown_slot(p, i);
    return x;
}

/* Derivatives that are no more than rounding are 0. */
static void clean(nh_problem *p)
{
    for (size_t k = p->count; k < p->count * (p->n + 1); k++)
        if (fabs(p->out[k]) <= p->errors[k] && isfinite(p->errors[k]))
            p->out[k] = 0;
}

double nh_problem_look(nh_problem *p)
{
    nh_evaluator_at(p->evaluator, &p->eq->context->arena, p->values, p->out, p->strict ? p->errors : NULL);
    p->work += (double)nh_evaluator_length(p->evaluator);
    if (p->strict)
        clean(p);
    double worst = 0;
    for (size_t a = 0; a < p->count; a++) {
        double size = p->least ? p->least[a] : 0, F = fabs(p->out[a]);
        for (size_t i = 0; i < p->n; i++)
            size = fmax(size, fabs(p->out[p->count + a * p->n + i]) *
                                  fmax(p->unit[i], fabs(*nh_unknown_slot(p, i))));
        if (!isfinite(F) || !isfinite(size))
            return NAN;
        bool rounding = F == 0 || (p->strict && F <= p->errors[a]);
        worst = fmax(worst, rounding ? 0 : F / size);
    }
    return worst;
}

/* ---------------------------------------------------------------- the equations to first order */

double *nh_plane_numbers(const nh_problem *p, size_t count)
{
    return nh_arena_array(&p->eq->arena, count + 1, sizeof(double));
}

nh_plane nh_plane_of(const nh_problem *p)
{
    size_t n = p->n, r = p->count;
    nh_plane at = {
        .n = n, .d = nh_plane_numbers(p, n), .F = nh_plane_numbers(p, r), .length = nh_plane_numbers(p, r)};
    at.J = nh_plane_numbers(p, r * n), at.left = nh_plane_numbers(p, r * n),
    at.Q = nh_plane_numbers(p, n * n), at.R = nh_plane_numbers(p, r * r);
    at.c = nh_plane_numbers(p, r), at.step = nh_plane_numbers(p, n);
    at.picked = nh_arena_array(&p->eq->arena, r + 1, sizeof *at.picked);
    for (size_t i = 0; i < n; i++)
        at.d[i] = scale_of(p, i);
    return at;
}

double nh_inner(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double nh_length(const double *v, size_t n)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(v[i]));
    if (!(largest > 0))
        return 0;
    for (size_t i = 0; i < n; i++)
        sum += (v[i] / largest) * (v[i] / largest);
    return largest * sqrt(sum);
}

static void take_rows(const nh_problem *p, nh_plane *at)
{
    size_t n = at->n;
    for (size_t a = 0; a < p->count; a++) {
        double *J = at->J + a * n;
        for (size_t i = 0; i < n; i++)
            J[i] = p->out[p->count + a * n + i] * at->d[i];
        double length = at->length[a] = nh_length(J, n);
        for (size_t i = 0; i < n; i++)
            at->left[a * n + i] = J[i] = length > 0 ? J[i] / length : 0;
        at->F[a] = length > 0 ? p->out[a] / length : 0;
    }
}

/* v without its parts along the first k of Q, with length 1. */
static void make_orthonormal(const nh_plane *at, double *v, size_t k)
{
    size_t n = at->n;
    for (int twice = 0; twice < 2; twice++) {
        for (size_t l = 0; l < k; l++) {
            double along = nh_inner(v, at->Q + l * n, n);
            for (size_t i = 0; i < n; i++)
                v[i] -= along * at->Q[l * n + i];
        }
        double length = nh_length(v, n);
        for (size_t i = 0; i < n; i++)
            v[i] /= length;
    }
}

/* Of a row of length 1 less than this is left where it depends on the others. */
static const double DEPENDENT = 1e-9;

/* The row with the most left of it; count: none has. */
static size_t most_left(const nh_problem *p, const nh_plane *at)
{
    size_t best = p->count;
    double longest = DEPENDENT;
    for (size_t a = 0; a < p->count; a++) {
        double length = nh_length(at->left + a * at->n, at->n);
        if (length > longest)
            best = a, longest = length;
    }
    return best;
}

/* Q and R for the rows, the largest first. */
void nh_plane_rows(const nh_problem *p, nh_plane *at)
{
    size_t n = at->n, r = p->count, a;
    take_rows(p, at);
    for (at->rank = 0; at->rank < n && (a = most_left(p, at)) < r; at->rank++) {
        size_t k = at->rank;
        double *q = at->Q + k * n;
        at->picked[k] = a;
        memcpy(q, at->left + a * n, n * sizeof *q);
        make_orthonormal(at, q, k);
        for (size_t l = 0; l <= k; l++)
            at->R[k * r + l] = nh_inner(at->J + a * n, at->Q + l * n, n);
        for (size_t b = 0; b < r; b++) {
            double along = nh_inner(at->left + b * n, q, n);
            for (size_t i = 0; i < n; i++)
                at->left[b * n + i] -= along * q[i];
        }
    }
}

/* The rest of Q, from the axes. */
void nh_plane_rest(nh_plane *at)
{
    size_t n = at->n;
    for (size_t k = at->rank; k < n; k++) {
        size_t best = 0;
        double most = -1;
        for (size_t i = 0; i < n; i++) {
            double left = 1;
            for (size_t l = 0; l < k; l++)
                left -= at->Q[l * n + i] * at->Q[l * n + i];
            if (left > most)
                best = i, most = left;
        }
        memset(at->Q + k * n, 0, n * sizeof *at->Q);
        at->Q[k * n + best] = 1;
        make_orthonormal(at, at->Q + k * n, k);
    }
}

/* s with the least |F + J s|^2 + damping |s|^2, after Levenberg and Marquardt; 0: the smallest s with F + J s = 0. With J = R Q:
 *
 *     (R R^T + damping) y = -F,   s = Q^T R^T y. */
static bool normal_step(const nh_problem *p, nh_plane *at, double damping)
{
    size_t n = at->n, r = p->count, rank = at->rank;
    double *M = nh_plane_numbers(p, rank * rank), *y = nh_plane_numbers(p, rank);
    size_t *order = nh_arena_array(&p->eq->arena, rank + 1, sizeof *order);
    for (size_t k = 0; k < rank; k++) {
        y[k] = at->c[k] = -at->F[at->picked[k]];
        for (size_t l = 0; l < rank; l++)
            M[k * rank + l] = damping > 0 ? nh_inner(at->R + k * r, at->R + l * r, (k < l ? k : l) + 1) +
                                                (k == l ? damping : 0)
                              : l <= k ? at->R[k * r + l]
                                       : 0;
    }
    if (!nh_factor_dense(M, order, rank, 0))
        return false;
    nh_solve_dense(M, order, rank, at->c, y);
    memset(at->step, 0, n * sizeof *at->step);
    for (size_t l = 0; l < rank; l++) {
        double c = damping > 0 ? 0 : y[l];
        for (size_t k = l; k < rank && damping > 0; k++)
            c += at->R[k * r + l] * y[k];
        for (size_t i = 0; i < n; i++)
            at->step[i] += c * at->Q[l * n + i];
    }
    return true;
}

/* ---------------------------------------------------------------- onto the equations */

void nh_plane_go(nh_problem *p, const nh_plane *at, const double *from, const double *step, double part)
{
    for (size_t i = 0; i < p->n; i++)
        *nh_unknown_slot(p, i) = from[i] + part * at->d[i] * step[i];
}

/* The sum of (F_a/l_a)^2, in the lengths of a state before; INFINITY where there is no value. */
static double miss(const nh_problem *p, const nh_plane *at)
{
    double sum = 0;
    for (size_t a = 0; a < p->count; a++) {
        double F = at->length[a] > 0 ? p->out[a] / at->length[a] : 0;
        sum += F * F;
    }
    return isfinite(sum) ? sum : INFINITY;
}

/* The same as the plane tells it, behind its step. */
static double miss_on_plane(const nh_problem *p, const nh_plane *at)
{
    double sum = 0;
    for (size_t a = 0; a < p->count; a++) {
        double F = at->F[a] + nh_inner(at->J + a * at->n, at->step, at->n);
        sum += F * F;
    }
    return sum;
}

/* A step that makes F less, by a tenth of what the plane promises or more, from where p was looked at. False: there is none, or the equations depend on each other and must not. */
static bool approach(nh_problem *p, nh_plane *at, double *size)
{
    nh_arena_mark mark = nh_arena_here(&p->eq->arena);
    nh_plane_rows(p, at);
    double *from = nh_unknowns_now(p), before = miss(p, at);
    bool less = false;
    if (at->rank == p->count || p->dependent) {
        double last = *size < 1e-13 ? 0 : 1e12; /* at the end the whole step, or none */
        for (double damping = 0; damping <= last && !less; damping = damping > 0 ? 8 * damping : 1e-4) {
            if (!normal_step(p, at, damping))
                break;
            nh_plane_go(p, at, from, at->step, 1);
            *size = nh_problem_look(p);
            less = !isnan(*size) && miss(p, at) < 0.9 * before + 0.1 * miss_on_plane(p, at);
        }
    }
    if (!less)
        nh_unknowns_set(p, from);
    nh_arena_release(&p->eq->arena, mark);
    return less;
}

enum { STEPS = 100 };

bool nh_plane_onto(nh_problem *p, nh_plane *at)
{
    double size = nh_problem_look(p);
    for (int step = 0; step < STEPS && !isnan(size); step++)
        if (!approach(p, at, &size))
            break;
    return nh_problem_look(p) < 1e-12;
}

/* Less than this is left of a row where equations touch, as far as the place is known: to 1e-8, for their difference is a square. */
static const double TOUCHING = 3e-6;

static bool do_touch(nh_problem *p, nh_plane *at)
{
    bool touch = false;
    size_t rows = 0;
    nh_problem_look(p);
    nh_plane_rows(p, at);
    for (size_t a = 0; a < p->count; a++)
        rows += at->length[a] > 0;
    for (size_t k = 0; k < at->rank; k++)
        touch = touch || at->R[k * p->count + k] < TOUCHING;
    return touch || at->rank < rows;
}

bool nh_onto(nh_problem *p)
{
    double *before = nh_unknowns_now(p);
    nh_plane at = nh_plane_of(p);
    if (nh_problem_look(p) < 1e-14)
        return true;
    bool there = nh_plane_onto(p, &at) && !do_touch(p, &at);
    if (!there)
        nh_unknowns_set(p, before);
    return there;
}
