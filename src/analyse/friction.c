/* Where forces jump at rest, sign(0) = 0 leaves out the states that dry friction would hold. Where the equations do and the forces do
 * not, psi^i_alpha does, as at the vertex of a cone. */
#include "analyse/hunt.h"
#include "analyse/newton.h"

#include <math.h>

/* What each function changes by from one side of rest to the other, along a velocity. False: it has no value. */
static bool find_steps(nh_flow *f, nh_smooth *G, double *inputs, size_t k, double apart, double *steps,
                       double *sizes)
{
    double *one = nh_doubles(f->arena, G->count), *other = nh_doubles(f->arena, G->count);
    inputs[1 + k] = -apart;
    bool both = nh_smooth_at(f, G, inputs, one);
    inputs[1 + k] = apart;
    both = nh_smooth_at(f, G, inputs, other) && both;
    inputs[1 + k] = 0;
    for (size_t i = 0; i < G->count; i++) {
        double scale = !G->scale ? 0 : G->scale[i] > 0 ? G->scale[i] : 1;
        steps[i] = fabs(other[i] - one[i]), sizes[i] = scale + fabs(one[i]) + fabs(other[i]);
    }
    return both;
}

/* Whether one of the steps is no smaller near by. */
static bool jumps_along(nh_flow *f, nh_smooth *G, double *inputs, size_t k)
{
    double *near = nh_doubles(f->arena, G->count), *far = nh_doubles(f->arena, G->count),
           *sizes = nh_doubles(f->arena, G->count);
    if (!find_steps(f, G, inputs, k, 1e-6, far, sizes) || !find_steps(f, G, inputs, k, 1e-12, near, sizes))
        return false;
    for (size_t i = 0; i < G->count; i++)
        if (near[i] > 1e-9 * sizes[i] && near[i] > far[i] / 2)
            return true;
    return false;
}

/* The active forces on C. */
static nh_smooth *forces_of(nh_flow *f)
{
    nh_equations *eq = f->eq;
    nh_expr *A = nh_arena_array(f->arena, eq->n + 1, sizeof *A),
            *rates = nh_arena_array(f->arena, eq->n + 1, sizeof *rates);
    for (size_t i = 0; i < eq->n; i++)
        A[i] = eq->A[i], rates[i] = eq->model->coordinates[i].rate;
    if (!f->second)
        nh_substitute(&eq->pool, &eq->context->arena, A, eq->n, rates, eq->first.psi, eq->n, A);
    return nh_smooth_new(f, A, eq->n);
}

enum { POSITIONS = 8 };

void nh_hunt_find_jumps(nh_hunt *h)
{
    nh_flow *f = h->flow;
    nh_smooth *forces = NULL;
    double *inputs = nh_doubles(f->arena, f->size + 1);
    h->all->jumps = nh_arena_array(f->arena, f->size + 1, sizeof *h->all->jumps);
    h->all->vertex = nh_arena_array(f->arena, f->size + 1, sizeof *h->all->vertex);
    for (size_t number = 0; number < POSITIONS; number++) {
        inputs[0] = f->inputs[0];
        for (size_t k = 0; k < f->size; k++)
            inputs[1 + k] = k < f->n ? nh_hunt_place(h, k, number) : 0;
        if (f->held->count && !nh_newton(f, f->held, NULL, inputs))
            continue;
        for (size_t k = f->n; k < f->size; k++)
            inputs[1 + k] = 0;
        for (size_t k = f->n; k < f->size; k++) {
            if (h->all->jumps[k] || !jumps_along(f, h->G, inputs, k))
                continue;
            forces = forces ? forces : forces_of(f);
            h->all->jumps[k] = jumps_along(f, forces, inputs, k);
            h->all->vertex[k] = h->all->vertex[k] || !h->all->jumps[k];
        }
    }
}
