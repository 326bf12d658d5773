/* Back onto the constraints: the positions to f(q,t) = 0, the velocities to C(q,q',t) = 0, each by Newton's method with the least
 * change in the kinetic metric:
 *     [ g   -J^T ] [ change ]   [ 0  ]
 *     [ J    0   ] [ lambda ] = [ -F ]
 */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct nh_projector {
    const nh_motion *motion;
    nh_series_double *machine;
    double *M, *b, *x;
    size_t *order;
};

nh_projector *nh_projector_new(const nh_motion *motion, nh_arena *arena)
{
    if (!motion->constraints)
        return NULL;
    nh_projector *p = nh_arena_array(arena, 1, sizeof *p);
    size_t n = motion->eq->n, size = n + motion->n_positions + motion->n_constraints;
    *p = (nh_projector){.motion = motion, .machine = nh_series_new_double(motion->constraints, arena, 0)};
    p->M = nh_arena_array(arena, size * size + 1, sizeof *p->M);
    p->b = nh_arena_array(arena, size + 1, sizeof *p->b),
    p->x = nh_arena_array(arena, size + 1, sizeof *p->x);
    p->order = nh_arena_array(arena, size + 1, sizeof *p->order);
    return nh_series_constants_double(p->machine, motion->constants) ? p : NULL;
}

static bool evaluate(nh_projector *p, double t, const double *x)
{
    p->machine->r[0] = t;
    memcpy(p->machine->r + 1, x, p->motion->size * sizeof *x);
    return nh_series_step_double(p->machine, 0);
}

static double output(const nh_projector *p, size_t i)
{
    return p->machine->r[p->motion->constraints->outputs[i]];
}

/* The largest F, in units of what a change of x by its size, or by 1, makes of it. */
static double violation(const nh_projector *p, size_t first, size_t count, const double *x)
{
    size_t n = p->motion->eq->n;
    double worst = 0;
    for (size_t a = 0; a < count; a++) {
        double scale = 0;
        for (size_t i = 0; i < n; i++)
            scale = fmax(scale, fabs(output(p, first + count + a * n + i)) * fmax(1, fabs(x[i])));
        worst = fmax(worst, fabs(output(p, first + a)) / (scale > 0 ? scale : 1));
    }
    return worst;
}

/* The matrix above; F and J from output `first` on, g behind all. */
static void fill(nh_projector *p, size_t first, size_t count)
{
    const nh_motion *motion = p->motion;
    size_t n = motion->eq->n, size = n + count,
           metric = (motion->n_positions + motion->n_constraints) * (n + 1);
    memset(p->M, 0, size * size * sizeof *p->M);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            p->M[i * size + j] = output(p, metric + i * n + j);
    for (size_t a = 0; a < count; a++)
        for (size_t i = 0; i < n; i++) {
            p->M[(n + a) * size + i] = output(p, first + count + a * n + i);
            p->M[i * size + n + a] = -p->M[(n + a) * size + i];
        }
}

/* One step for the n numbers x. */
static bool newton(nh_projector *p, size_t first, size_t count, double *x)
{
    size_t n = p->motion->eq->n, size = n + count;
    fill(p, first, count);
    memset(p->b, 0, size * sizeof *p->b);
    for (size_t a = 0; a < count; a++)
        p->b[n + a] = -output(p, first + a);
    if (!nh_factor_dense(p->M, p->order, size, 1e-13))
        return false;
    nh_solve_dense(p->M, p->order, size, p->b, p->x);
    for (size_t i = 0; i < n; i++)
        x[i] += p->x[i];
    return true;
}

enum { MOST_STEPS = 8 };
static const double exact = 1e-15; /* what rounding leaves */

static bool project_part(nh_projector *p, double t, double *state, size_t first, size_t count, double *x,
                         double *drift, bool *moved)
{
    for (int k = 0; count && k < MOST_STEPS; k++) {
        if (!evaluate(p, t, state))
            return false;
        double now = violation(p, first, count, x);
        if (k == 0)
            *drift = now;
        if (now <= exact)
            return true;
        if (!newton(p, first, count, x))
            return false;
        *moved = true;
        if (now < 1e-9) /* quadratic convergence: that was the last one */
            return true;
    }
    return true;
}

bool nh_project(nh_projector *p, double t, double *x, double *positions, double *velocities, bool *moved)
{
    const nh_motion *motion = p->motion;
    size_t n = motion->eq->n, f = motion->n_positions;
    *positions = *velocities = 0, *moved = false;
    return project_part(p, t, x, 0, f, x, positions, moved) &&
           project_part(p, t, x, f * (n + 1), motion->n_constraints, x + n, velocities, moved);
}

/* A velocity that the constraints leave nothing of is what rounding leaves, and that is in proportion to what it would be if all of
 * the kinetic energy were its own: sqrt(2 K / g_ii). */
void nh_project_rounding(nh_projector *p, double t, const double *x, double *rounding)
{
    const nh_motion *motion = p->motion;
    size_t n = motion->eq->n, metric = (motion->n_positions + motion->n_constraints) * (n + 1);
    const double *v = x + n;
    double twice = 0, share = 16 * DBL_EPSILON;
    if (!motion->n_constraints || !evaluate(p, t, x))
        return;
    for (size_t i = 0; i < n * n; i++)
        twice += output(p, metric + i) * v[i / n] * v[i % n];
    for (size_t i = 0; i < n; i++) {
        double own = twice / output(p, metric + i * n + i);
        rounding[n + i] = own > 0 && isfinite(own) ? share * sqrt(own) : 0;
    }
}
