/* Back onto the constraints: the positions to f(q,t) = 0, the velocities to C(q,q',t) = 0, each by Newton's method with the least
 * change in the kinetic metric:
 *     [ g   -J^T ] [ change ]   [ 0  ]
 *     [ J    0   ] [ lambda ] = [ -F ]
 */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A term of a sum: the register, times that of a constant factor; NH_NO_SLOT: of none. */
typedef struct term {
    uint32_t reg, factor;
} term;

enum { MOST_TERMS = 64 }; /* of one constraint; what there is more is in them as a sum */

struct nh_projector {
    const nh_motion *motion;
    nh_series_double *machine;
    double *M, *b, *x;
    size_t *order;
    double *sizes;   /* the largest that coordinates, then velocities, have been; of an angle 1 at least */
    double *units;   /* what a change of each of them is measured by */
    term *terms;     /* of all constraints, and behind them of L_i where there are C^a */
    size_t *n_terms; /* of each of them */
};

/* ---------------------------------------------------------------- what constraints are sums of */

/* The term in its parts, the second one behind all. False: it is no sum. */
static bool split_term(const nh_tape *tape, term *t, term *more, bool *two)
{
    uint32_t maker = tape->maker[t->reg];
    const nh_step *s = maker ? &tape->steps[maker - 1] : NULL;
    bool scaled = s && s->op == NH_OP_SCALE && t->factor == NH_NO_SLOT;
    *two = s && (s->op == NH_OP_ADD || s->op == NH_OP_SUB);
    if (!*two && !scaled && !(s && s->op == NH_OP_NEG))
        return false;
    if (*two)
        *more = (term){s->b, t->factor};
    *t = scaled ? (term){s->b, s->a} : (term){s->a, t->factor};
    return true;
}

static size_t find_terms(const nh_tape *tape, uint32_t output, term *terms)
{
    size_t count = 1;
    terms[0] = (term){output, NH_NO_SLOT};
    for (size_t i = 0; i < count; i++) {
        bool two = false;
        while (count < MOST_TERMS && split_term(tape, &terms[i], &terms[count], &two))
            count += two;
    }
    return count;
}

static void find_all_terms(nh_projector *p, nh_arena *arena)
{
    const nh_motion *m = p->motion;
    size_t n = m->eq->n, rows = m->n_positions + m->n_constraints, all = rows + (m->n_constraints ? n : 0);
    p->terms = nh_arena_array(arena, all * MOST_TERMS + 1, sizeof *p->terms);
    p->n_terms = nh_arena_array(arena, all + 1, sizeof *p->n_terms);
    for (size_t a = 0; a < all; a++) {
        size_t output = a < m->n_positions ? a : a < rows ? m->n_positions * n + a : rows * n + n * n + a;
        p->n_terms[a] =
            find_terms(m->constraints, m->constraints->outputs[output], p->terms + a * MOST_TERMS);
    }
}

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
    p->sizes = nh_zeros(arena, 2 * n), p->units = nh_zeros(arena, n);
    for (size_t i = 0; i < n; i++)
        p->sizes[i] = motion->eq->model->coordinates[i].angle;
    find_all_terms(p, arena);
    nh_project_seen(p, motion->start + 1);
    return nh_series_constants_double(p->machine, motion->constants) ? p : NULL;
}

void nh_project_seen(nh_projector *p, const double *x)
{
    size_t n = p->motion->eq->n, known = p->motion->second ? 2 * n : n;
    for (size_t i = 0; i < known; i++)
        p->sizes[i] = fmax(p->sizes[i], fabs(x[i]));
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

static double mass(const nh_projector *p, size_t i)
{
    size_t n = p->motion->eq->n, metric = (p->motion->n_positions + p->motion->n_constraints) * (n + 1);
    double g = output(p, metric + i * n + i);
    return g > 0 && isfinite(g) ? sqrt(g) : 0;
}

/* What changes of the n numbers x are measured by: the largest that they have been, or a thousandth of what moves as much mass:
 *     u_i = max(|x_i|, max_j sqrt(g_jj / g_ii) |x_j| / 1000) */
static void find_units(nh_projector *p, const double *sizes, const double *x)
{
    double largest = 0;
    size_t n = p->motion->eq->n;
    for (size_t i = 0; i < n; i++) {
        p->units[i] = fmax(sizes[i], fabs(x[i]));
        largest = fmax(largest, mass(p, i) * p->units[i]);
    }
    for (size_t i = 0; i < n; i++)
        p->units[i] = mass(p, i) > 0 ? fmax(p->units[i], 1e-3 * largest / mass(p, i)) : p->units[i];
}

/* The largest term of a sum: nothing less than its rounding is known of it. */
static double largest_term(const nh_projector *p, size_t sum)
{
    const double *r = p->machine->r;
    double largest = 0;
    for (size_t i = 0; i < p->n_terms[sum]; i++) {
        const term *t = &p->terms[sum * MOST_TERMS + i];
        largest = fmax(largest, fabs(r[t->reg] * (t->factor == NH_NO_SLOT ? 1 : r[t->factor])));
    }
    return largest;
}

/* Forces that balance leave velocities that are rounding, and those are as far off the constraints as they are large. Nothing less than a
 * billionth of what one of the forces would make of a velocity by itself, from the start to now, is taken for a motion:
 *     u_i >= 1e-9 |L_i| |t - t_0| / g_ii */
static void raise_units_of_rates(nh_projector *p)
{
    const nh_motion *motion = p->motion;
    size_t rows = motion->n_positions + motion->n_constraints;
    double elapsed = fabs(p->machine->r[0] - motion->start[0]);
    for (size_t i = 0; motion->n_constraints && i < motion->eq->n; i++) {
        double root = mass(p, i), least = 1e-9 * largest_term(p, rows + i) * elapsed / (root * root);
        if (root > 0 && isfinite(least))
            p->units[i] = fmax(p->units[i], least);
    }
}

/* The largest F, in units of what a change of x by its own makes of it, or of the largest term: whatever the units of the model are. */
static double violation(nh_projector *p, size_t first, size_t count, const double *x)
{
    size_t n = p->motion->eq->n, positions = p->motion->n_positions;
    bool rates = first == positions * (n + 1); /* where there are no positions, there is nothing else */
    size_t before = rates ? positions : 0;
    double worst = 0;
    find_units(p, rates ? p->sizes + n : p->sizes, x);
    if (rates)
        raise_units_of_rates(p);
    for (size_t a = 0; a < count; a++) {
        double scale = largest_term(p, before + a);
        for (size_t i = 0; i < n; i++)
            scale = fmax(scale, fabs(output(p, first + count + a * n + i)) * p->units[i]);
        worst = fmax(worst, fabs(output(p, first + a)) / (scale > 0 ? scale : 1));
    }
    return worst;
}

/* Row a of J, and F, in units u_i and so that the largest entry of J is 1. */
static void fill_row(nh_projector *p, size_t first, size_t count, size_t a)
{
    size_t n = p->motion->eq->n, size = n + count;
    double largest = 0, *row = p->M + (n + a) * size;
    for (size_t i = 0; i < n; i++) {
        row[i] = output(p, first + count + a * n + i) * p->units[i];
        largest = fmax(largest, fabs(row[i]));
    }
    double scale = largest > 0 ? 1 / largest : 1;
    for (size_t i = 0; i < n; i++)
        row[i] *= scale, p->M[i * size + n + a] = -row[i];
    p->b[n + a] = -output(p, first + a) * scale;
}

/* The matrix above in units u_i = 1/sqrt(g_ii), so that nothing in it depends on those of the model; F and J from output `first` on, g
 * behind all. */
static void fill(nh_projector *p, size_t first, size_t count)
{
    const nh_motion *motion = p->motion;
    size_t n = motion->eq->n, size = n + count,
           metric = (motion->n_positions + motion->n_constraints) * (n + 1);
    double *u = p->units;
    memset(p->M, 0, size * size * sizeof *p->M), memset(p->b, 0, size * sizeof *p->b);
    for (size_t i = 0; i < n; i++)
        u[i] = mass(p, i) > 0 ? 1 / mass(p, i) : 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            p->M[i * size + j] = output(p, metric + i * n + j) * u[i] * u[j];
    for (size_t a = 0; a < count; a++)
        fill_row(p, first, count, a);
}

/* One step for the n numbers x. */
static bool newton(nh_projector *p, size_t first, size_t count, double *x)
{
    size_t n = p->motion->eq->n, size = n + count;
    fill(p, first, count);
    if (!nh_factor_dense(p->M, p->order, size, 1e-13))
        return false;
    nh_solve_dense(p->M, p->order, size, p->b, p->x);
    for (size_t i = 0; i < n; i++)
        x[i] += p->units[i] * p->x[i];
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
