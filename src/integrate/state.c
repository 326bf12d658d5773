/* A state with all its velocities: q' from z by psi, or z from q' by Newton's method from where they were last. */
#include "integrate/inner.h"

#include <math.h>
#include <string.h>

#ifdef NH_HAS_QUAD
typedef __float128 fine_number;
typedef nh_series_quad fine_series;
#define FINE(f) f##_quad
#else
typedef long double fine_number;
typedef nh_series_long fine_series;
#define FINE(f) f##_long
#endif

struct nh_complete {
    const nh_motion *motion;
    nh_series_double *columns, *kept, *events, *momenta, *velocities;
    fine_series *fine_columns, *fine_velocities; /* of a run that certifies; NULL: in doubles */
    double *inputs;                              /* t, q, q', z without those that are q' */
    double *z;                                   /* all of them */
    double *M, *b, *change;
    double *lengths, *least; /* of the columns psi_alpha: the largest so far, and the least */
    size_t *itself;          /* by z: the coordinate whose velocity it is, psi^i = z; n: none */
    bool *linear;            /* by z: psi = psi_alpha z + ..., where psi_alpha contains no z */
    size_t *order;
};

static nh_series_double *machine(const nh_motion *m, nh_arena *arena, const nh_tape *tape)
{
    if (!tape)
        return NULL;
    nh_series_double *s = nh_series_new_double(tape, arena, 0);
    nh_series_constants_double(s, m->constants);
    return s;
}

/* Whether psi_alpha contains no z: an angle, of which psi has the sine and cosine, is no part of the velocities by itself. */
static bool is_linear(const nh_motion *m, nh_arena *arena, size_t alpha)
{
    const nh_equations *eq = m->eq;
    bool *depends = nh_arena_array(arena, eq->pool.n_symbols + 1, sizeof *depends), linear = eq->first.psi;
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    if (eq->first.psi)
        nh_find_symbols(&eq->pool, arena, eq->first.psi_alpha + alpha * eq->n, eq->n, depends);
    for (size_t a = 0; a < eq->m; a++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, eq->z[a].symbol, &index);
        linear = linear && !depends[index];
    }
    return linear;
}

nh_complete *nh_complete_new(const nh_motion *m, nh_arena *arena)
{
    nh_complete *c = nh_arena_array(arena, 1, sizeof *c);
    size_t n = m->eq->n, mm = m->eq->m;
    *c = (nh_complete){.motion = m};
    c->columns = machine(m, arena, m->columns), c->kept = machine(m, arena, m->kept);
    c->events = machine(m, arena, m->events), c->momenta = machine(m, arena, m->momenta);
    bool needed = !m->second || m->eq->model->n_velocities > 0;
    c->velocities = machine(m, arena, needed ? m->velocities : NULL);
    c->inputs = nh_arena_array(arena, 1 + 2 * n + mm + 1, sizeof(double));
    c->z = nh_arena_array(arena, mm + 1, sizeof(double));
    memcpy(c->z, m->z, mm * sizeof *c->z);
    c->M = nh_arena_array(arena, mm * mm + 1, sizeof(double)),
    c->b = nh_arena_array(arena, mm + 1, sizeof(double));
    c->change = nh_arena_array(arena, mm + 1, sizeof(double));
    c->order = nh_arena_array(arena, mm + 1, sizeof *c->order);
    c->lengths = nh_zeros(arena, mm), c->least = nh_zeros(arena, mm);
    c->itself = nh_arena_array(arena, mm + 1, sizeof *c->itself);
    c->linear = nh_arena_array(arena, mm + 1, sizeof *c->linear);
    for (size_t alpha = 0; alpha < mm; alpha++)
        c->itself[alpha] = nh_velocity_that_is(m->eq, alpha), c->linear[alpha] = is_linear(m, arena, alpha);
    return c;
}

void nh_complete_begin(nh_complete *c, const nh_motion *m)
{
    nh_series_double *machines[] = {c->columns, c->kept, c->events, c->momenta, c->velocities};
    c->motion = m;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i])
            nh_series_constants_double(machines[i], m->constants);
    memcpy(c->z, m->z, m->eq->m * sizeof *c->z);
}

static void put_z(nh_complete *c)
{
    const nh_equations *eq = c->motion->eq;
    size_t n = eq->n, at = 1 + 2 * n;
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (eq->z[alpha].rate_of < 0)
            c->inputs[at++] = c->z[alpha];
}

static bool run(nh_series_double *s, const double *inputs)
{
    for (size_t i = 0; i < s->tape->n_inputs; i++)
        s->r[i] = inputs[i];
    return nh_series_step_double(s, 0);
}

static double output(const nh_series_double *s, size_t i) { return s->r[s->tape->outputs[i]]; }

/* Least squares of psi(q,z) = q': (psi_a . psi_b) change = psi_a . (q' - psi) */
static bool improve(nh_complete *c, const double *rates, double *size)
{
    const nh_equations *eq = c->motion->eq;
    size_t n = eq->n, m = eq->m;
    if (!run(c->velocities, c->inputs))
        return false;
    for (size_t a = 0; a < m; a++) {
        c->b[a] = 0;
        for (size_t i = 0; i < n; i++)
            c->b[a] += output(c->velocities, n + a * n + i) * (rates[i] - output(c->velocities, i));
        for (size_t b = 0; b < m; b++) {
            c->M[a * m + b] = 0;
            for (size_t i = 0; i < n; i++)
                c->M[a * m + b] +=
                    output(c->velocities, n + a * n + i) * output(c->velocities, n + b * n + i);
        }
    }
    if (!nh_factor_dense(c->M, c->order, m, 1e-13))
        return false;
    nh_solve_dense(c->M, c->order, m, c->b, c->change);
    *size = 0;
    for (size_t a = 0; a < m; a++) {
        c->z[a] += c->change[a];
        *size = fmax(*size, fabs(c->change[a]) / (1 + fabs(c->z[a])));
    }
    put_z(c);
    return true;
}

/* Whether psi(q,z) is q'. */
static bool fits(nh_complete *c, const double *rates)
{
    double worst = 0, size = 0;
    if (!run(c->velocities, c->inputs))
        return false;
    for (size_t i = 0; i < c->motion->eq->n; i++) {
        double error = fabs(rates[i] - output(c->velocities, i));
        worst = !(error <= worst) ? error : worst, size = fmax(size, fabs(rates[i]));
    }
    return worst <= 1e-7 * (1 + size);
}

enum { TRIES = 10 };

/* From where they were last; in another try from elsewhere. What is a velocity itself is known. */
static void guess_z(nh_complete *c, const double *rates, uint64_t try)
{
    const nh_equations *eq = c->motion->eq;
    double size = 1;
    for (size_t i = 0; i < eq->n; i++)
        size = fmax(size, fabs(rates[i]));
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        double chance = 2 * (double)(nh_hash(try * 101 + alpha) >> 11) * 0x1p-53 - 1;
        if (c->itself[alpha] < eq->n)
            c->z[alpha] = rates[c->itself[alpha]];
        else if (try || !isfinite(c->z[alpha]))
            c->z[alpha] = 2 * size * chance;
    }
    put_z(c);
}

static bool find_z(nh_complete *c, const double *rates)
{
    for (uint64_t try = 0; try < TRIES; try++) {
        double size = INFINITY;
        bool stepped = true;
        guess_z(c, rates, try);
        for (int k = 0; k < 20 && size > 1e-14 && stepped; k++)
            stepped = improve(c, rates, &size);
        if (stepped && size < 1e-8 && fits(c, rates))
            return true;
    }
    return false;
}

bool nh_complete_at(nh_complete *c, double t, const double *x)
{
    const nh_motion *m = c->motion;
    size_t n = m->eq->n;
    c->inputs[0] = t;
    memcpy(c->inputs + 1, x, n * sizeof *x);
    if (m->second) {
        memcpy(c->inputs + 1 + n, x + n, n * sizeof *x);
        return !c->velocities || find_z(c, x + n);
    }
    memcpy(c->z, x + n, m->eq->m * sizeof *x);
    for (size_t alpha = 0; alpha < m->eq->m; alpha++)
        if (m->eq->z[alpha].rate_of >= 0)
            c->inputs[1 + n + (size_t)m->eq->z[alpha].rate_of] = c->z[alpha];
    put_z(c);
    if (!run(c->velocities, c->inputs))
        return false;
    for (size_t i = 0; i < n; i++)
        c->inputs[1 + n + i] = output(c->velocities, i);
    return true;
}

static void outputs(nh_series_double *s, const double *inputs, double *out)
{
    bool there = run(s, inputs);
    for (size_t i = 0; i < s->tape->n_outputs; i++)
        out[i] = there ? output(s, i) : NAN;
}

double *nh_complete_state(nh_complete *c, nh_arena *arena)
{
    const nh_equations *eq = c->motion->eq;
    double *state = nh_arena_array(arena, 1 + 2 * eq->n + eq->m + 1, sizeof *state);
    memcpy(state, c->inputs, (1 + 2 * eq->n) * sizeof *state);
    memcpy(state + 1 + 2 * eq->n, c->z, eq->m * sizeof *state);
    return state;
}

const double *nh_complete_rates(const nh_complete *c) { return c->inputs + 1 + c->motion->eq->n; }

/* ---------------------------------------------------------------- with more digits */

static fine_series *fine_machine(const nh_motion *m, nh_arena *arena, const nh_tape *tape)
{
    fine_series *s = FINE(nh_series_new)(tape, arena, 0);
    fine_number *constants = nh_arena_array(arena, tape->n_constant_inputs + 1, sizeof *constants);
    for (size_t i = 0; i < tape->n_constant_inputs; i++)
        constants[i] = m->constants[i];
    FINE(nh_series_constants)(s, constants);
    return s;
}

void nh_complete_refine(nh_complete *c, nh_arena *arena)
{
    const nh_motion *m = c->motion;
    c->fine_columns = fine_machine(m, arena, m->columns);
    if (!m->second)
        c->fine_velocities = fine_machine(m, arena, m->velocities);
}

static bool run_fine(fine_series *s, const double *inputs)
{
    for (size_t i = 0; i < s->tape->n_inputs; i++)
        s->r[i * s->of_register] = inputs[i];
    return FINE(nh_series_step)(s, 0);
}

static fine_number fine_output(const fine_series *s, size_t i)
{
    return s->r[s->tape->outputs[i] * s->of_register];
}

/* Columns of the same state, q' = psi included: how they are rounded is not what it is in doubles. */
static void fine_outputs(nh_complete *c, double *out)
{
    fine_series *s = c->fine_columns, *psi = c->fine_velocities;
    size_t n = c->motion->eq->n;
    bool there = run_fine(s, c->inputs);
    if (psi && run_fine(psi, c->inputs)) {
        for (size_t i = 0; i < n; i++)
            s->r[(1 + n + i) * s->of_register] = fine_output(psi, i);
        there = FINE(nh_series_step)(s, 0);
    }
    for (size_t i = 0; i < s->tape->n_outputs; i++)
        out[i] = there ? (double)fine_output(s, i) : NAN;
}

void nh_complete_columns(nh_complete *c, double *out)
{
    if (c->fine_columns)
        fine_outputs(c, out);
    else
        outputs(c->columns, c->inputs, out);
}

void nh_complete_rough_columns(nh_complete *c, double *out) { outputs(c->columns, c->inputs, out); }

void nh_complete_kept(nh_complete *c, double *out) { outputs(c->kept, c->inputs, out); }

void nh_complete_events(nh_complete *c, double *out) { outputs(c->events, c->inputs, out); }

void nh_complete_momenta(nh_complete *c, double *out) { outputs(c->momenta, c->inputs, out); }

/* ---------------------------------------------------------------- free velocities that were chosen */

/* To length 1; false: one of the columns has nearly vanished, or is about to become infinite. */
static bool normalize_products(nh_complete *c)
{
    size_t m = c->motion->eq->m;
    for (size_t a = 0; a < m; a++) {
        double length = c->b[a] = sqrt(c->M[a * m + a]);
        c->lengths[a] = fmax(c->lengths[a], length);
        c->least[a] = c->least[a] > 0 ? fmin(c->least[a], length) : length;
        if (!(length > 1e-3 * c->lengths[a] && length < 1e3 * c->least[a]))
            return false;
    }
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++)
            c->M[a * m + b] /= c->b[a] * c->b[b];
    return true;
}

/* Whether q' = psi_a z^a + ... is the small difference of large numbers: the rest of psi has a pole near by. */
static bool cancels(const nh_complete *c)
{
    const nh_equations *eq = c->motion->eq;
    size_t n = eq->n, m = eq->m;
    double largest = 0, parts = 0;
    for (size_t i = 0; i < n; i++) {
        double part = 0;
        for (size_t a = 0; a < m; a++)
            part += c->linear[a] ? fabs(output(c->velocities, n + a * n + i) * c->z[a]) : 0;
        largest = fmax(largest, fabs(output(c->velocities, i))), parts = fmax(parts, part);
    }
    return parts > 1e3 * largest && parts > 1e-3;
}

/* Whether the columns psi_alpha are still far from dependent: what Cholesky's method leaves of the length of each, beside the others. */
bool nh_complete_is_regular(nh_complete *c, double t, const double *x)
{
    const nh_motion *mo = c->motion;
    size_t m = mo->eq->m;
    if (mo->second || mo->eq->model->psi || !c->velocities || !nh_complete_at(c, t, x))
        return true;
    nh_find_products(c->velocities, mo->eq->n, m, mo->eq->n, c->M);
    return normalize_products(c) && !cancels(c) && nh_decompose(c->M, m, 1e-5);
}
