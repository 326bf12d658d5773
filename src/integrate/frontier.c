/* Where a motion is not determined and must not go on: a singular state within a step, which solvers step across, and jumps of the
 * constraints. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct nh_frontier {
    const nh_motion *motion;
    nh_stepper *stepper;
    nh_projector *projector; /* NULL: nothing has to be kept on constraints */
    nh_complete *complete;
    nh_volume *volume;
    nh_watch watch;
    double *begin, *state, *moved, *rates;
};

nh_frontier *nh_frontier_new(const nh_motion *motion, nh_arena *arena, nh_stepper *stepper,
                             nh_projector *projector, nh_complete *complete)
{
    nh_frontier *f = nh_arena_array(arena, 1, sizeof *f);
    *f = (nh_frontier){.motion = motion, .stepper = stepper, .projector = projector, .complete = complete};
    f->begin = nh_zeros(arena, motion->size), f->state = nh_zeros(arena, motion->size);
    f->moved = nh_zeros(arena, motion->size), f->rates = nh_zeros(arena, motion->eq->n);
    f->volume = nh_volume_new(motion, arena);
    f->watch = nh_watch_begin(f->volume, stepper->t, stepper->x);
    return f;
}

void nh_frontier_begin(nh_frontier *f)
{
    memcpy(f->begin, f->stepper->x, f->motion->size * sizeof *f->begin);
}

/* The state at a time within the last step. */
static const double *state_at(nh_frontier *f, double t)
{
    if (t == f->stepper->t)
        return f->stepper->x;
    f->stepper->at(f->stepper, t, f->state);
    return f->state;
}

/* ---------------------------------------------------------------- jumps */

/* How far constraints are from being satisfied by the state x at another time, or how far q' = psi is then from q'. */
static double apart_at(nh_frontier *f, double t, const double *x)
{
    double apart = 0, positions = 0, velocities = 0;
    bool moved;
    memcpy(f->moved, x, f->motion->size * sizeof *x);
    if (f->projector && nh_project(f->projector, t, f->moved, &positions, &velocities, &moved))
        apart = fmax(positions, velocities);
    if (f->motion->second || !nh_complete_at(f->complete, t, x))
        return apart;
    for (size_t i = 0; i < f->motion->eq->n; i++)
        apart =
            fmax(apart, fabs(nh_complete_rates(f->complete)[i] - f->rates[i]) / fmax(1, fabs(f->rates[i])));
    return apart;
}

bool nh_frontier_jumps(nh_frontier *f, double t)
{
    double step = 8 * DBL_EPSILON * fmax(fabs(t), 1e-3);
    const double *x = state_at(f, t);
    if (!f->motion->second && !nh_complete_at(f->complete, t - step, x))
        return true;
    memcpy(f->rates, nh_complete_rates(f->complete), f->motion->eq->n * sizeof *f->rates);
    return fabs(apart_at(f, t + step, x) - apart_at(f, t - step, x)) > 1e-9;
}

/* ---------------------------------------------------------------- singular states */

/* Of a determinant: beside what was before or, if that is less, in the same step; and at a start, where it is rounding. */
static const double no_volume = 1e-9, nothing = 1e-30;

/* What a determinant grows by within a step, in logarithms, where rows become infinite. */
static const double log_of_pole = 23;

/* Whether most of that is in the last part of the step: the derivatives of a root that ends there. */
static bool is_pole(nh_frontier *f, double from, double to)
{
    double last = to - (to - from) / 16, volume;
    return nh_volume_at(f->volume, last, state_at(f, last), &volume) &&
           f->watch.volume - volume > log_of_pole / 2;
}

/* The square of what is as good as 0 beside the largest that has been, in lengths: the tolerance of the run. */
static double as_good_as_none(const nh_frontier *f)
{
    double error = fmax(1e3 * f->stepper->tolerance, 1e-9);
    return error * error;
}

/* Whether the least determinant within a step is 0 but for errors; `ends`: the smaller one of its ends, `unit`: the largest there was
 * before; all beside e^top. */
static bool is_none(const nh_frontier *f, double least, double ends, double unit, double top)
{
    return least < no_volume * unit ||
           (least < 0.25 * ends && least * exp(top - f->stepper->past.volume) < as_good_as_none(f));
}

/* The determinant at a time within the last step, relative to e^top. */
static double volume_at(nh_frontier *f, double t, double top)
{
    double volume;
    return nh_volume_at(f->volume, t, state_at(f, t), &volume) ? exp(volume - top) : 1;
}

/* Where it is least between a and b. Its root, 1 at most, comes down to 0 in proportion to the time: where it is larger than that, it does
 * not come to 0. */
static double least_volume(nh_frontier *f, double a, double b, double top, double *value)
{
    const double golden = 0.3819660112501051, step = b - a;
    double c = a + golden * (b - a), d = b - golden * (b - a);
    double fc = volume_at(f, c, top), fd = volume_at(f, d, top);
    for (int k = 0; k < 60 && sqrt(fmin(fc, fd)) < 10 * fabs((b - a) / step); k++)
        if (fc < fd)
            b = d, d = c, fd = fc, c = a + golden * (b - a), fc = volume_at(f, c, top);
        else
            a = c, c = d, fc = fd, d = b - golden * (b - a), fd = volume_at(f, d, top);
    *value = fmin(fc, fd);
    return fc < fd ? c : d;
}

/* A singular state that solvers creep up to: the constraints are next to nothing beside what they were, and so are the steps. */
static bool creeps(const nh_frontier *f, double length, double volume)
{
    const nh_past *past = &f->stepper->past;
    double share = exp(volume - past->volume), part = length / past->longest;
    /* where constraints touch each other, velocities are known to half of the digits only */
    return (share < 1e-14 && part < 1e-8) || (share < as_good_as_none(f) && part < 1e-6);
}

/* Whether the determinants a, b, c at the beginning, in the middle and at the end may have a zero between them: the parabola through them
 * comes near one, or their roots are more of a straight line if they change sign. */
static bool may_vanish(double a, double b, double c)
{
    double bend = a - 2 * b + c, slope = (c - a) / 2, least = fmin(a, fmin(b, c));
    double p = sqrt(a), q = sqrt(b), r = sqrt(c), changes = fmin(fabs(r - 2 * q - p), fabs(p - 2 * q - r));
    bool dips = bend > 0 && fabs(slope) <= bend && b - slope * slope / (2 * bend) < 0.5 * least;
    return least < 0.01 || dips || changes < 0.5 * fabs(p - 2 * q + r);
}

/* The same for a part of the step, by states on the straight line between its ends: where others cost much, and steps are short. */
static bool may_vanish_between(nh_frontier *f, double from, const double *part, double top)
{
    double to = f->stepper->t, looks[3];
    for (int k = 0; k < 3; k++) {
        double share = part[0] + (part[1] - part[0]) * k / 2, volume;
        for (size_t i = 0; i < f->motion->size; i++)
            f->state[i] = f->begin[i] + share * (f->stepper->x[i] - f->begin[i]);
        if (!nh_volume_at(f->volume, from + share * (to - from), f->state, &volume))
            return false;
        looks[k] = exp(volume - top);
    }
    return may_vanish(looks[0], looks[1], looks[2]);
}

enum { PARTS = 4 }; /* of a step: it may be as long as the run, and the determinant anything within it */

/* Where the constraints are not independent somewhere in the step, what comes behind that is one motion of many. The determinant at
 * its ends tells, or it is looked for. */
double nh_frontier_singular(nh_frontier *f, double from)
{
    nh_watch *watch = &f->watch;
    nh_past *past = &f->stepper->past;
    double to = f->stepper->t, before = watch->volume;
    past->longest = fmax(past->longest, fabs(to - from));
    double largest = watch->largest = fmax(watch->largest, past->volume);
    bool calm = nh_watch_step(f->volume, watch, to, f->stepper->x);
    past->volume = watch->largest;
    if (calm)
        return NAN;
    double end = watch->volume, top = fmax(before, end), least;
    if (end - before > log_of_pole && is_pole(f, from, to))
        return to;
    double a = exp(before - top), c = exp(end - top), unit = exp(fmin(largest, top) - top);
    if (a < nothing || fmin(a, c) < no_volume * unit || isnan(top) || creeps(f, fabs(to - from), end))
        return a < c ? from : to;
    for (int i = 0; i < PARTS; i++) {
        const double part[2] = {(double)i / PARTS, (double)(i + 1) / PARTS};
        if (!f->stepper->is_dense && !may_vanish_between(f, from, part, top))
            continue;
        double t = least_volume(f, from + part[0] * (to - from), from + part[1] * (to - from), top, &least);
        if (is_none(f, least, fmin(a, c), unit, top))
            return t;
    }
    return NAN;
}

/* In lengths: a hundredth of what the constraints were. */
static const double near_none = 1e-4;

bool nh_frontier_is_near(const nh_frontier *f)
{
    return f->volume && exp(f->watch.volume - f->stepper->past.volume) < near_none;
}
