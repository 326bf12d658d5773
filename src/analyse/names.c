/* Whether forces act at a state of rest although the equations that were solved hold there.
 *
 * Where coordinates give one configuration many names, as the angles of a sphere do at its poles, the equations at one name do not tell of all
 * forces: at the pole only that along one meridian. A way without kinetic energy leads from name to name, and the configuration is at rest
 * only if the equations hold all along it. */
#include "analyse/dense.h"
#include "analyse/hunt.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

/* The part of v in the span of some rows, in the variables' scales, of length 1. False: hardly any is. */
static bool project(const nh_flow *f, const double *rows, size_t count, double *v)
{
    size_t n = f->n;
    double *A = nh_doubles(f->arena, n * count), *x = nh_doubles(f->arena, count),
           *b = nh_doubles(f->arena, n), square = 0;
    for (size_t i = 0; i < n; i++) {
        b[i] = v[i] / f->scale[i];
        for (size_t d = 0; d < count; d++)
            A[i * count + d] = rows[d * n + i] / f->scale[i];
    }
    if (!nh_least_squares(f->arena, n, count, A, b, 1e-9, x))
        return false;
    for (size_t i = 0; i < n; i++) {
        b[i] = 0;
        for (size_t d = 0; d < count; d++)
            b[i] += A[i * count + d] * x[d];
        square += b[i] * b[i];
    }
    for (size_t i = 0; i < n && square > 0; i++)
        v[i] = b[i] / sqrt(square) * f->scale[i];
    return square > 1e-6;
}

static bool is_at_rest(const nh_hunt *h, const nh_equilibrium *e)
{
    bool rest = true;
    for (size_t k = h->flow->n; k < h->flow->size; k++)
        rest = rest && (!h->moves[k] || (e->inputs[1 + k] == 0 && !e->bound[k]));
    return rest;
}

enum { STEPS = 16 };
static const double STEP = 0.0625, HELD = 1e-9, FORCE = 1e-6;

/* Along v, as long as the configuration stays the same. */
static bool forces_act_along(nh_hunt *h, const double *from, const double *v)
{
    nh_flow *f = h->flow;
    size_t n = f->n, count = 1;
    double *inputs = nh_doubles(f->arena, f->size + 1), *way = nh_doubles(f->arena, n),
           *idle = nh_doubles(f->arena, n * n);
    memcpy(inputs, from, (f->size + 1) * sizeof *inputs);
    memcpy(way, v, n * sizeof *way);
    memcpy(idle, v, n * sizeof *idle);
    for (int step = 0; step < STEPS; step++) {
        if (count == 0 || !project(f, idle, count, way))
            return false;
        for (size_t i = 0; i < n; i++)
            inputs[1 + i] += STEP * way[i];
        count = nh_flow_idle(f, inputs, idle);
        double off = nh_residual(f, h->G, inputs);
        if (count && f->held->count && !(nh_residual(f, f->held, inputs) < HELD))
            return false;
        if (count && isfinite(off) && off > FORCE)
            return true;
    }
    return false;
}

/* Whether [C^a_i] is the same for all velocities. */
static bool is_linear(const nh_flow *f)
{
    const nh_equations *eq = f->eq;
    bool *in = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *in), linear = eq->second.C_i != NULL;
    uint32_t index = 0;
    if (linear)
        nh_find_symbols(&eq->pool, &eq->context->arena, eq->second.C_i, eq->r * eq->n, in);
    for (size_t i = 0; i < eq->n && linear; i++)
        linear = !(nh_is_symbol(&eq->pool, eq->model->coordinates[i].rate, &index) && in[index]);
    return linear;
}

static const double NOTHING = 1e-9;

/* Where linear constraints depend on each other, free velocities that were chosen may say nothing: there has to be a force lambda_a C^a_i of
 * the constraints that holds the others, L_i. */
static bool is_held(nh_hunt *h, const nh_equilibrium *e)
{
    nh_flow *f = h->flow;
    const nh_equations *eq = f->eq;
    size_t n = eq->n, r = eq->r;
    double *L = nh_doubles(f->arena, n), *C = nh_doubles(f->arena, r * n), *A = nh_doubles(f->arena, r * n),
           *lambda = nh_doubles(f->arena, r), left = 0, all = 0;
    if (f->second || eq->model->psi || r == 0 || !is_linear(f) ||
        !(nh_flow_independence(f, e->inputs) < NOTHING) || !nh_smooth_at(f, f->slopes, e->inputs, C) ||
        !nh_smooth_at(f, nh_smooth_new(f, eq->first.Zbar, n), e->inputs, L))
        return true;
    for (size_t k = 0; k < r * n; k++)
        A[k] = fabs(C[k % r * n + k / r]) < NOTHING ? 0 : C[k % r * n + k / r];
    if (!nh_least_squares(f->arena, n, r, A, L, NOTHING, lambda))
        return true;
    for (size_t i = 0; i < n; i++) {
        double rest = L[i];
        for (size_t b = 0; b < r; b++)
            rest -= A[i * r + b] * lambda[b];
        left = fmax(left, fabs(rest)), all = fmax(all, fabs(L[i]));
    }
    return left <= FORCE * all;
}

bool nh_hunt_forces_act(nh_hunt *h, const nh_equilibrium *e)
{
    nh_flow *f = h->flow;
    uint64_t random = h->random; /* what is drawn later does not depend on this */
    const nh_equilibrium any = nh_family_member(h, e);
    double *idle = nh_doubles(f->arena, f->n * f->n);
    h->random = random;
    for (size_t k = f->n; k < f->size; k++)
        any.inputs[1 + k] = e->inputs[1 + k];
    if (!is_at_rest(h, e))
        return false;
    if (!is_held(h, &any))
        return true;
    size_t count = nh_flow_idle(f, e->inputs, idle);
    for (size_t d = 0; d < count; d++)
        if (forces_act_along(h, e->inputs, idle + d * f->n))
            return true;
    return false;
}
