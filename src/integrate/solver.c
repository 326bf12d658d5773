/* Which solver. */
#include "integrate/job.h"

#include <math.h>

/* Solvers control the error of one step. So that that of the run is about what was asked for, a step is made as much more exact as
 * thousands of steps need; nothing is gained below the rounding of the numbers. */
static double of_a_step(double tolerance, double rounding)
{
    double least = fmin(tolerance, rounding);
    return fmax(tolerance * 1e-3, least);
}

/* Nothing is gained by finer steps of a low order than that: their errors, and how Newton's method ends in them, would be rounding alone. */
static const double finest_of_cvode = 1e-14;

double nh_step_tolerance(nh_integrator solver, double tolerance)
{
    return of_a_step(tolerance, solver == NH_INTEGRATOR_RUNGE ? 1e-13 : 1e-16);
}

static nh_stepper *taylor(const nh_motion *m, nh_arena *arena, int precision, double tolerance)
{
    static const double rounding[] = {1e-16, 5e-20, 1e-34};
    double step = of_a_step(tolerance, rounding[precision]);
    return precision == 2   ? nh_taylor_quad_new(m, arena, step)
           : precision == 1 ? nh_taylor_long_new(m, arena, step)
                            : nh_taylor_new(m, arena, step);
}

/* ---------------------------------------------------------------- a field without a series */

/* |f(x + d) - f(x)|/|d|, d along one component (or all of them) of so many units; 0: there is no value on that side. */
static double slope_along(const nh_motion *m, nh_series_double *machine, const double *f, size_t which,
                          double length)
{
    double largest = 0;
    for (size_t i = 0; i < m->size; i++)
        machine->r[1 + i] = m->start[1 + i] + (which == i || which == m->size ? length : 0);
    machine->r[0] = m->start[0];
    if (!nh_series_step_double(machine, 0))
        return 0;
    for (size_t i = 0; i < m->size; i++) {
        double there = machine->r[m->values->outputs[i]];
        if (!isfinite(there))
            return 0;
        largest = fmax(largest, fabs(there - f[i]));
    }
    return largest / fabs(length);
}

/* Slopes on both sides along a component, from far and from near, that are not finite, as those of sqrt(|x|) at 0. */
typedef struct steepness {
    bool steep, continuous; /* continuous: and there are values on both sides */
} steepness;

static steepness steepness_along(const nh_motion *m, nh_series_double *machine, const double *f, size_t which)
{
    const double far_off = 1e-4, near_by = 1e-9, most_change = 1e-2;
    steepness s = {false, true};
    for (int side = -1; side <= 1; side += 2) {
        double far = slope_along(m, machine, f, which, side * far_off),
               near = slope_along(m, machine, f, which, side * near_by);
        s.steep = s.steep || near > 3 * far + 1e-3;
        s.continuous = s.continuous && near > 0 && near * near_by < most_change;
    }
    return s;
}

/* Whether the argument of a root, or of a power, is 0 where the field was computed. */
static bool is_at_root(const nh_motion *m, const nh_series_double *machine)
{
    const nh_tape *tape = m->values;
    bool found = false;
    for (size_t i = 0; i < tape->n_roots; i++)
        found = found || fabs(machine->r[tape->steps[tape->roots[i]].a]) < 1e-12;
    return found;
}

/* Whether the field at the start has finite slopes, as |v| v has at 0 and sqrt(x) has not: only then there is one motion. `passing`: or, at a root, it is
 * continuous, and the motion goes past the place with a speed: it does not depend on the slopes there. */
bool nh_is_determined(const nh_motion *m, nh_arena *arena, bool passing)
{
    const double least_speed = 1e-3;
    nh_series_double *machine = nh_series_new_double(m->values, arena, 0);
    double *f = nh_zeros(arena, m->size);
    machine->r[0] = m->start[0];
    for (size_t i = 0; i < m->size; i++)
        machine->r[1 + i] = m->start[1 + i];
    if (!nh_series_constants_double(machine, m->constants) || !nh_series_step_double(machine, 0))
        return false;
    if (passing && (!is_at_root(m, machine) || nh_begins_at_pole(m, arena)))
        return false;
    for (size_t i = 0; i < m->size; i++) {
        f[i] = machine->r[m->values->outputs[i]];
        if (!isfinite(f[i]))
            return false;
    }
    for (size_t which = 0; which <= m->size; which++) {
        steepness s = steepness_along(m, machine, f, which);
        bool moves = which == m->size || fabs(f[which]) > least_speed;
        if (s.steep && !(passing && s.continuous && moves))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- the choice */

static nh_integrator automatic(nh_run_job *job)
{
    const nh_motion *m = job->motion;
    double rate = 0;
    if (job->stiff) {
        job->solver_reason = "the motion has become stiff: something decays much faster than the rest lasts";
        return NH_INTEGRATOR_CVODE;
    }
    if (job->leaves_series) {
        job->solver_reason = "the forces have no series where the motion goes on";
        return NH_INTEGRATOR_RUNGE;
    }
    if (job->options.precision == 0 && nh_cvode_is_there() &&
        nh_is_stiff(m, job->options.to - job->from, &rate)) {
        job->stiff = true;
        job->solver_reason = "the system is stiff: something decays much faster than the run lasts";
        return NH_INTEGRATOR_CVODE;
    }
    if (job->no_series) {
        job->solver_reason = "the forces have no series where the motion begins";
        return NH_INTEGRATOR_RUNGE;
    }
    job->solver_reason = m->smooth ? "all forces are smooth" : "forces have corners, which their series find";
    return NH_INTEGRATOR_TAYLOR;
}

nh_integrator nh_job_solver(nh_run_job *job)
{
    job->solver_reason = NULL;
    return job->options.solver == NH_INTEGRATOR_AUTO ? automatic(job) : job->options.solver;
}

nh_stepper *nh_job_stepper(nh_run_job *job, nh_arena *arena)
{
    static const char *const names[] = {"Taylor", "Taylor, long double", "Taylor, quadruple precision"};
    double tolerance = job->options.tolerance;
    nh_integrator solver = nh_job_solver(job);
    if (solver == NH_INTEGRATOR_RUNGE) {
        job->solver_name = "Runge-Kutta";
        return nh_runge_new(job->motion, arena, nh_step_tolerance(solver, tolerance));
    }
    if (solver == NH_INTEGRATOR_CVODE) {
        job->solver_name = "CVODE";
        return nh_cvode_new(job->motion, arena, fmax(of_a_step(tolerance, 1e-12), finest_of_cvode));
    }
    job->solver_name = names[job->options.precision];
    return taylor(job->motion, arena, job->options.precision, tolerance);
}

/* More exact than the other, by another order and, where there is one, in a higher precision; where there is none, the rounding of the start
 * is shared by both, and one of them begins beside it. */
nh_stepper *nh_job_reference(nh_run_job *job, nh_arena *arena)
{
    int precision = job->options.precision < 2 ? job->options.precision + 1 : 2;
    double tolerance = fmax(job->options.tolerance * 1e-3, precision == 2 ? 1e-33 : 1e-19);
    job->motion->beside = precision == job->options.precision;
    nh_stepper *s = taylor(job->motion, arena, precision, tolerance);
    job->motion->beside = false;
    return s;
}
