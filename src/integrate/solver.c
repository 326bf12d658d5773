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

/* Whether the field at the start has finite slopes, as |v| v has at 0 and sqrt(x) has not: only then there is one motion. They are looked at
 * from far and from near. */
bool nh_is_determined(const nh_motion *m, nh_arena *arena)
{
    nh_series_double *machine = nh_series_new_double(m->values, arena, 0);
    double *f = nh_zeros(arena, m->size);
    machine->r[0] = m->start[0];
    for (size_t i = 0; i < m->size; i++)
        machine->r[1 + i] = m->start[1 + i];
    if (!nh_series_constants_double(machine, m->constants) || !nh_series_step_double(machine, 0))
        return false;
    for (size_t i = 0; i < m->size; i++) {
        f[i] = machine->r[m->values->outputs[i]];
        if (!isfinite(f[i]))
            return false;
    }
    for (size_t which = 0; which <= m->size; which++)
        for (int side = -1; side <= 1; side += 2) {
            double far = slope_along(m, machine, f, which, side * 1e-4),
                   near = slope_along(m, machine, f, which, side * 1e-9);
            if (near > 3 * far + 1e-3)
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
    if (job->options.precision == 0 && nh_cvode_is_there() &&
        nh_is_stiff(m, job->options.to - job->from, &rate)) {
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
        return nh_cvode_new(job->motion, arena, of_a_step(tolerance, 1e-12));
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
