/* Lagrange, Dirichlet: H is conserved on the surface f^p(x) = 0, which no motion leaves, and has a strict minimum there:
 *
 *     dH = lambda_p df^p,     (d^2 H - lambda_p d^2 f^p)(v, v) > 0  for all v with df^p(v) = 0.
 *
 * Then what begins near stays near. Nothing is asked of the velocities' constraints but that H is conserved, which it is where they are
 * homogeneous and ideal; H may also fall, which says no more. Forces A_i(q) with a potential belong to H: it is dH that counts. */
#include "analyse/energy.h"
#include "analyse/dense.h"
#include "analyse/growth.h"
#include "analyse/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct nh_energy {
    const nh_expr *given; /* of the parameters then */
    bool whole;           /* it depends on nothing but what takes part */
    nh_expr *slope;       /* dH/dx, by variable, and dH/dt behind them */
    nh_smooth *slopes;    /* the same, and df^p/dx for each p */
    bool conserved;
    bool powered;  /* the next one was asked for */
    nh_expr power; /* dH(x') without what cancels in it; NH_EXPR_NONE: there is no such form */
} nh_energy;

/* ---------------------------------------------------------------- dH */

/* H = q'^i p_i - K + V, which is K + V where K is quadratic in the velocities, on C. */
static nh_expr energy_of(const nh_flow *f)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_expr H = nh_sub(pool, eq->model->potential, eq->model->kinetic), on_C;
    for (size_t i = 0; i < eq->n; i++)
        H = nh_add(pool, H, nh_mul(pool, eq->model->coordinates[i].rate, eq->p[i]));
    nh_flow_on_C(f, &H, 1, &on_C);
    return on_C;
}

static bool is_zero(const nh_flow *f, nh_expr e)
{
    nh_equations *eq = f->eq;
    nh_flow_put_given(f, &e, 1, &e);
    return e == eq->pool.zero ||
           (e && nh_zero_test(eq->modular, &eq->context->arena, e, nh_flow_signs(f)) == NH_YES);
}

/* d_k A_i = d_i A_k, up to a chance of nothing. */
static bool is_closed(const nh_flow *f, const nh_expr *A)
{
    nh_equations *eq = f->eq;
    size_t n = f->size;
    nh_expr *dA = nh_arena_array(f->arena, n * n + 1, sizeof *dA);
    for (size_t k = 0; k < n; k++)
        nh_directional(&eq->pool, &eq->context->arena, A, n, &f->symbols[k], &eq->pool.one, 1, dA + k * n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (!is_zero(f, nh_sub(&eq->pool, dA[k * n + i], dA[i * n + k])))
                return false;
    return true;
}

/* A_i(q, 0) besides -dV/dq^i, by variable, where it has a potential of its own; otherwise 0. */
static nh_expr *forces_at_rest(const nh_flow *f)
{
    nh_equations *eq = f->eq;
    nh_expr *A = nh_arena_array(f->arena, f->size + 1, sizeof *A),
            *rates = nh_arena_array(f->arena, f->n + 1, sizeof *rates),
            *rest = nh_arena_array(f->arena, f->n + 1, sizeof *rest);
    bool fine = true;
    for (size_t k = 0; k < f->size; k++)
        A[k] = k < f->n ? eq->model->coordinates[k].force : eq->pool.zero;
    for (size_t i = 0; i < f->n; i++)
        rates[i] = eq->model->coordinates[i].rate, rest[i] = eq->pool.zero;
    nh_flow_put_given(f, A, f->n, A);
    nh_substitute(&eq->pool, &eq->context->arena, A, f->n, rates, rest, f->n, A);
    for (size_t i = 0; i < f->n; i++)
        fine = fine && A[i];
    fine = fine && is_closed(f, A);
    for (size_t k = 0; k < f->size && !fine; k++)
        A[k] = eq->pool.zero;
    return A;
}

/* dH - A_i(q, 0) dq^i, by variable, and dH/dt behind them. */
static nh_expr *find_slope(const nh_flow *f)
{
    nh_equations *eq = f->eq;
    nh_expr *slope = nh_arena_array(f->arena, f->size + 1, sizeof *slope), H = energy_of(f),
            *A = forces_at_rest(f);
    nh_gradient(&eq->pool, &eq->context->arena, &H, NULL, 1, f->symbols, f->size, slope);
    for (size_t k = 0; k < f->size; k++)
        slope[k] = nh_sub(&eq->pool, slope[k], A[k]);
    slope[f->size] = nh_derivative(&eq->pool, &eq->context->arena, H, eq->model->time);
    return slope;
}

/* ---------------------------------------------------------------- along the motion */

/* dH(x') = 0, in the free velocities where there are some: they stay on C. */
static bool is_conserved(nh_flow *f, const nh_expr *slope)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr rate = slope[f->size];
    if (f->second && f->eq->first.psi) {
        nh_flow *free = nh_flow_new(f->eq);
        free->constants = f->constants, free->given = f->given;
        return is_conserved(free, find_slope(free));
    }
    for (size_t k = 0; k < f->size; k++)
        rate = nh_add(pool, rate, nh_mul(pool, slope[k], f->rates[k]));
    return is_zero(f, rate);
}

/* (A_i(q, q') - A_i(q, 0)) q'^i on C: that is all of dH(x') where the constraints are homogeneous and ideal, and nothing depends on the time. */
static nh_expr find_power(nh_flow *f, const nh_expr *slope)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_expr *A = forces_at_rest(f), power = pool->zero, on_C, rest = slope[f->size];
    for (size_t i = 0; i < f->n; i++)
        power = nh_add(pool, power,
                       nh_mul(pool, nh_sub(pool, eq->model->coordinates[i].force, A[i]),
                              eq->model->coordinates[i].rate));
    nh_flow_on_C(f, &power, 1, &on_C);
    for (size_t k = 0; k < f->size; k++)
        rest = nh_add(pool, rest, nh_mul(pool, slope[k], f->rates[k]));
    return on_C && is_zero(f, nh_sub(pool, rest, on_C)) ? on_C : NH_EXPR_NONE;
}

/* ---------------------------------------------------------------- what is made once */

/* dH/dx, and for each p df^p/dx. */
static nh_smooth *all_slopes(nh_flow *f, const nh_expr *slope)
{
    nh_equations *eq = f->eq;
    size_t n = f->size, p = f->held->count;
    nh_expr *all = nh_arena_array(f->arena, (1 + p) * n + 1, sizeof *all);
    memcpy(all, slope, n * sizeof *all);
    for (size_t a = 0; a < p; a++)
        nh_gradient(&eq->pool, &eq->context->arena, &f->held_roots[a], NULL, 1, f->symbols, n,
                    all + (1 + a) * n);
    return nh_smooth_new(f, all, (1 + p) * n);
}

static nh_energy *energy(nh_flow *f)
{
    if (f->energy && nh_flow_has_same(f, f->energy->given))
        return f->energy;
    nh_energy *e = f->energy = nh_arena_array(f->arena, 1, sizeof *e);
    const bool *takes_part = nh_taking_part(f);
    *e = (nh_energy){.given = f->given, .whole = true};
    e->slope = find_slope(f);
    for (size_t k = 0; k < f->size; k++)
        e->whole = e->whole && (takes_part[k] || is_zero(f, e->slope[k]));
    if (e->whole)
        e->slopes = all_slopes(f, e->slope), e->conserved = is_conserved(f, e->slope);
    return e;
}

/* ---------------------------------------------------------------- the second variation */

/* In the variables that take part, n of them, on p equations. */
typedef struct variation {
    size_t n, p, m;      /* m: of the directions that the equations leave */
    double *dH, *df;     /* n; p x n */
    double *L;           /* d^2 H - lambda_p d^2 f^p: n x n */
    double *noise;       /* of its diagonal: what rounding, of the state too, may make of it */
    double *unit;        /* of the variables, by which the diagonal is 1 where it is not 0 */
    double *tangents;    /* by rows, in these units: m x n */
    const size_t *which; /* variables */
} variation;

static const double BESIDE = 1e-8;

static void take_first(variation *v, size_t size, const double *values)
{
    for (size_t i = 0; i < v->n; i++) {
        v->dH[i] = values[v->which[i]];
        for (size_t a = 0; a < v->p; a++)
            v->df[a * v->n + i] = values[(1 + a) * size + v->which[i]];
    }
}

/* dH = lambda_p df^p as nearly as can be. */
static bool take_second(variation *v, nh_arena *arena, size_t size, const double *J)
{
    size_t n = v->n;
    double *across = nh_doubles(arena, n * v->p), *lambda = nh_doubles(arena, v->p);
    for (size_t i = 0; i < n * v->p; i++)
        across[i] = v->df[i % v->p * n + i / v->p];
    if (!nh_least_squares(arena, n, v->p, across, v->dH, 1e-12, lambda))
        return false;
    for (size_t i = 0; i < n * n; i++) {
        size_t row = v->which[i / n], column = v->which[i % n];
        double sum = fabs(v->L[i] = J[row * size + column]);
        for (size_t a = 0; a < v->p; a++) {
            double term = lambda[a] * J[((1 + a) * size + row) * size + column];
            v->L[i] -= term, sum += fabs(term);
        }
        if (row == column)
            v->noise[i % n] += 1e-14 * sum;
    }
    return true;
}

static void find_units(variation *v)
{
    for (size_t i = 0; i < v->n; i++) {
        double own = fabs(v->L[i * v->n + i]);
        v->unit[i] = own > v->noise[i] ? 1 / sqrt(own) : 1;
    }
}

/* The v with df^p(v) = 0. False: the f^p depend on each other. */
static bool find_tangents(variation *v, nh_arena *arena)
{
    double *scaled = nh_doubles(arena, v->p * v->n);
    for (size_t i = 0; i < v->p * v->n; i++)
        scaled[i] = v->df[i] * v->unit[i % v->n];
    return nh_kernel(arena, v->p, v->n, scaled, 1e-10, v->tangents, &v->m) && v->m + v->p == v->n;
}

/* dH(v) = 0 for them, beside what a change of the variables by their scales makes. */
static bool is_critical(const variation *v, const nh_flow *f)
{
    for (size_t k = 0; k < v->m; k++) {
        double sum = 0, allowed = 0;
        for (size_t i = 0; i < v->n; i++) {
            sum += v->tangents[k * v->n + i] * v->unit[i] * v->dH[i];
            allowed += 1e-9 * fabs(v->tangents[k * v->n + i]) / v->unit[i] * f->scale[v->which[i]];
        }
        if (!(fabs(sum) <= allowed))
            return false;
    }
    return true;
}

/* The least eigenvalue of d^2 H - lambda_p d^2 f^p on them. */
static double least(const variation *v, nh_arena *arena)
{
    size_t n = v->n, m = v->m;
    double *half = nh_doubles(arena, m * n), *on = nh_doubles(arena, m * m), least = INFINITY;
    for (size_t i = 0; i < m * n; i++)
        for (size_t k = 0; k < n; k++)
            half[i] += v->tangents[i / n * n + k] * v->unit[k] * v->L[k * n + i % n] * v->unit[i % n];
    for (size_t i = 0; i < m * m; i++)
        for (size_t k = 0; k < n; k++)
            on[i] += half[i / m * n + k] * v->tangents[i % m * n + k];
    nh_eigenvalues(on, m);
    for (size_t i = 0; i < m; i++)
        least = fmin(least, on[i * m + i]);
    return least;
}

/* As far as the state is known: sin(theta)^2 at the double next to pi is not 0, and not larger than at those beside it. */
static void doubt_diagonal(nh_flow *f, nh_smooth *slopes, const double *J, const double *at, variation *v)
{
    size_t size = f->size, rows = slopes->count;
    double *beside = nh_doubles(f->arena, size + 1), *other = nh_doubles(f->arena, rows * size);
    for (int side = -1; side <= 1; side += 2) {
        memcpy(beside, at, (size + 1) * sizeof *beside);
        for (size_t k = 1; k <= size; k++)
            beside[k] += side * 4 * DBL_EPSILON * fabs(beside[k]);
        bool known = nh_smooth_derivatives(f, slopes, beside, other);
        for (size_t i = 0; i < v->n; i++) {
            size_t own = v->which[i] * size + v->which[i];
            v->noise[i] += known ? fabs(other[own] - J[own]) : INFINITY;
        }
    }
}

/* On one side or the other of the state, or there: 0. */
static bool is_positive(nh_flow *f, const nh_linearization *l, nh_energy *e, int side)
{
    size_t n = l->n, p = f->held->count, size = f->size;
    nh_arena *arena = f->arena;
    variation v = {.n = n, .p = p, .which = l->variables};
    double *values = nh_doubles(arena, (1 + p) * size), *J = nh_doubles(arena, (1 + p) * size * size),
           *inputs = nh_doubles(arena, size + 1);
    v.dH = nh_doubles(arena, n), v.df = nh_doubles(arena, p * n), v.L = nh_doubles(arena, n * n);
    v.noise = nh_doubles(arena, n), v.unit = nh_doubles(arena, n), v.tangents = nh_doubles(arena, n * n);
    memcpy(inputs, l->inputs, (size + 1) * sizeof *inputs);
    for (size_t i = 0; i < n && side; i++)
        inputs[1 + l->variables[i]] += side * BESIDE * f->scale[l->variables[i]] * (1 + 0.3 * sin((double)i));
    if (!nh_smooth_at(f, e->slopes, inputs, values) || !nh_smooth_derivatives(f, e->slopes, inputs, J))
        return false;
    take_first(&v, size, values);
    doubt_diagonal(f, e->slopes, J, inputs, &v);
    if (!take_second(&v, arena, size, J))
        return false;
    find_units(&v);
    return find_tangents(&v, arena) && (side || is_critical(&v, f)) && least(&v, arena) > 1e-9;
}

/* Also nearby: where it degenerates, rounding of the state would make a minimum or none. */
static bool has_minimum(nh_flow *f, const nh_linearization *l, nh_energy *e)
{
    return l->n && e->whole && is_positive(f, l, e, 0) && is_positive(f, l, e, -1) && is_positive(f, l, e, 1);
}

bool nh_energy_is_least(nh_flow *f, const nh_linearization *l)
{
    nh_energy *e = energy(f);
    return e->conserved && has_minimum(f, l, e);
}

bool nh_energy_falls_to_least(nh_flow *f, const nh_linearization *l)
{
    nh_energy *e = energy(f);
    if (!has_minimum(f, l, e))
        return false;
    if (!e->powered)
        e->power = find_power(f, e->slope), e->powered = true;
    return nh_energy_falls_nearby(f, l, e->slope, e->power);
}

bool nh_energy_is_smooth(nh_flow *f)
{
    nh_energy *e = energy(f);
    return e->whole && !e->slopes->tape->has_corners;
}
