#include "analyse/stability.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- the energy */

/* dH/dx, then dH/dt along the motion, for H = q'^i p_i - K + V, which is K + V where K is quadratic in the velocities. */
static nh_smooth *energy_slope(nh_flow *f)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    nh_expr H = nh_sub(pool, eq->model->potential, eq->model->kinetic), on_C;
    for (size_t i = 0; i < eq->n; i++)
        H = nh_add(pool, H, nh_mul(pool, eq->model->coordinates[i].rate, eq->p[i]));
    nh_expr *roots = nh_arena_array(f->arena, f->size + 2, sizeof *roots);
    nh_flow_on_C(f, &H, 1, &on_C);
    nh_gradient(pool, scratch, &on_C, NULL, 1, f->symbols, f->size, roots);
    roots[f->size] = nh_derivative(pool, scratch, on_C, eq->model->time);
    for (size_t k = 0; k < f->size; k++)
        roots[f->size] = nh_add(pool, roots[f->size], nh_mul(pool, roots[k], f->rates[k]));
    return nh_smooth_new(f, roots, f->size + 1);
}

enum { STATES = 5 };

/* dH/dt = 0 at states nearby, and dH/dx^k = 0 for the variables that do not take part. */
static bool is_conserved(nh_flow *f, const nh_linearization *l, nh_smooth *slope)
{
    double *inputs = nh_doubles(f->arena, f->size + 1), *values = nh_doubles(f->arena, f->size + 1),
           *rates = nh_doubles(f->arena, f->size);
    bool *takes_part = nh_arena_array(f->arena, f->size + 1, sizeof *takes_part);
    for (size_t i = 0; i < l->n; i++)
        takes_part[l->variables[i]] = true;
    if (f->held->count) /* states nearby are not on the constraints */
        return false;
    for (size_t number = 1; number <= STATES; number++) {
        double size = 0;
        inputs[0] = f->inputs[0];
        for (size_t k = 0; k < f->size; k++) {
            uint64_t bits = nh_hash(number * 7919 + k);
            inputs[1 + k] = f->inputs[1 + k] + ((double)(bits >> 12 & 0xffff) / 0x8000 - 1) * 0.2;
        }
        if (!nh_smooth_at(f, slope, inputs, values) || !nh_smooth_at(f, f->field, inputs, rates))
            return false;
        for (size_t k = 0; k < f->size; k++) {
            size += fabs(values[k] * rates[k]);
            if (!takes_part[k] && values[k] != 0)
                return false;
        }
        if (fabs(values[f->size]) > 1e-11 * size)
            return false;
    }
    return true;
}

/* Lagrange and Dirichlet: where a conserved energy has a strict minimum among the variables that take part, they stay near. */
static bool energy_is_least(nh_flow *f, const nh_linearization *l)
{
    nh_smooth *slope = f->energy = f->energy ? f->energy : energy_slope(f);
    size_t n = l->n;
    double *values = nh_doubles(f->arena, f->size + 1), *J = nh_doubles(f->arena, (f->size + 1) * f->size),
           *hessian = nh_doubles(f->arena, n * n), largest = 0, least = INFINITY;
    if (!nh_smooth_at(f, slope, l->inputs, values) || !nh_smooth_derivatives(f, slope, l->inputs, J))
        return false;
    for (size_t i = 0; i < n * n; i++) {
        hessian[i] = J[l->variables[i / n] * f->size + l->variables[i % n]];
        largest = fmax(largest, fabs(hessian[i]));
    }
    for (size_t i = 0; i < n; i++)
        if (fabs(values[l->variables[i]]) > 1e-9 * fmax(1, largest))
            return false;
    nh_eigenvalues(hessian, n);
    for (size_t i = 0; i < n; i++)
        least = fmin(least, hessian[i * n + i]);
    return n > 0 && least > 1e-9 * largest && is_conserved(f, l, slope);
}

/* ---------------------------------------------------------------- families */

static double component(const nh_linearization *l, const double *from, const double *to, size_t k)
{
    double sum = 0, square = 0; /* along the k-th vector, which is real for the eigenvalue 0 */
    for (size_t i = 0; i < l->n; i++) {
        double v = l->mode_re[i * l->n_free + k];
        sum += (to[1 + l->variables[i]] - from[1 + l->variables[i]]) * v, square += v * v;
    }
    return square > 0 ? sum / square : 0;
}

static const double APART = 1e-3;

/* Whether there are steady motions on both sides along eigenvector k of 0. */
static bool is_family(nh_flow *f, const nh_linearization *l, nh_smooth *steady, const bool *stays, size_t k)
{
    double *inputs = nh_doubles(f->arena, f->size + 1);
    for (int side = -1; side <= 1; side += 2) {
        memcpy(inputs, l->inputs, (f->size + 1) * sizeof *inputs);
        for (size_t i = 0; i < l->n; i++)
            inputs[1 + l->variables[i]] += side * APART * l->mode_re[i * l->n_free + k];
        if (!nh_newton(f, steady, stays, inputs) || fabs(component(l, l->inputs, inputs, k) - side * APART) > 0.1 * APART)
            return false;
    }
    return true;
}

static bool zeros_are_families(nh_flow *f, const nh_linearization *l)
{
    bool *stays = nh_arena_array(f->arena, f->size + 1, sizeof *stays);
    for (size_t i = 0; i < l->n; i++)
        stays[l->variables[i]] = true;
    nh_smooth *steady = nh_steadiness(f, stays);
    for (size_t k = 0; k < l->n_free; k++)
        if (l->eigenvalues[k].re == 0 && l->eigenvalues[k].im == 0 && !is_family(f, l, steady, stays, k))
            return false;
    return true;
}

/* ---------------------------------------------------------------- the verdict */

static void decide(nh_linearization *l, nh_stability verdict, const char *reason)
{
    l->verdict = verdict, l->reason = reason;
}

void nh_judge_stability(nh_flow *f, nh_linearization *l, double norm)
{
    size_t grow = 0, decay = 0, turn = 0;
    for (size_t k = 0; k < l->n_free; k++) {
        nh_eigenvalue e = l->eigenvalues[k];
        double rounding = 20 * e.error + 1e-11 * norm;
        if (e.re == 0 && e.im == 0)
            continue;
        grow += e.re > rounding, decay += e.re < -rounding, turn += fabs(e.re) <= rounding;
    }
    if (!l->steady)
        decide(l, NH_UNDECIDED, "this is no steady motion");
    else if (f->timed)
        decide(l, NH_UNDECIDED, "the equations depend on the time");
    else if (grow)
        decide(l, NH_UNSTABLE, "an eigenvalue has a positive real part");
    else if (energy_is_least(f, l))
        decide(l, NH_STABLE, "the energy is conserved and has a strict minimum there (Lagrange, Dirichlet)");
    else if (turn)
        decide(l, NH_UNDECIDED, "eigenvalues on the imaginary axis: the linear equations do not decide");
    else if (!l->zeros)
        decide(l, NH_STABLE, "asymptotically: all real parts are negative");
    else if (l->zeros == l->kernel && zeros_are_families(f, l))
        decide(l, NH_STABLE,
               decay ? "all real parts are negative but for the eigenvalues 0 of a family of steady motions (Lyapunov, Malkin)"
                     : "every state nearby is a steady motion, too");
    else
        decide(l, NH_UNDECIDED, "an eigenvalue is 0: the linear equations do not decide");
}
