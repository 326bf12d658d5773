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
    double from; /* where the last step begins */
    double *begin, *state, *moved, *rates, *momenta;
    double *along, *before, *behind, *there; /* of a jump */
    nh_series_double *bends;                 /* NULL: they have no corners */
    double *direction, *middle, *bent;
};

nh_frontier *nh_frontier_new(const nh_motion *motion, nh_arena *arena, nh_stepper *stepper,
                             nh_projector *projector, nh_complete *complete)
{
    nh_frontier *f = nh_arena_array(arena, 1, sizeof *f);
    *f = (nh_frontier){.motion = motion, .stepper = stepper, .projector = projector, .complete = complete};
    f->begin = nh_zeros(arena, motion->size), f->state = nh_zeros(arena, motion->size);
    f->moved = nh_zeros(arena, motion->size), f->rates = nh_zeros(arena, motion->eq->n);
    f->momenta = nh_zeros(arena, 2 * motion->eq->n), f->along = nh_zeros(arena, motion->eq->n);
    f->before = nh_zeros(arena, motion->size), f->behind = nh_zeros(arena, motion->size);
    f->there = nh_zeros(arena, motion->size), f->from = stepper->t;
    f->volume = nh_volume_new(motion, arena);
    if (motion->bends) {
        f->bends = nh_series_new_double(motion->bends, arena, 0);
        nh_series_constants_double(f->bends, motion->constants);
        f->direction = nh_zeros(arena, motion->size), f->middle = nh_zeros(arena, motion->size);
        f->bent = nh_zeros(arena, motion->bends->n_outputs);
    }
    f->watch = nh_watch_begin(f->volume, stepper->t, stepper->x);
    return f;
}

void nh_frontier_begin(nh_frontier *f)
{
    f->from = f->stepper->t;
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

/* How far constraints are from being satisfied by the velocities of the state x at another place, or how far q' = psi is then from q'. NAN: not known. */
static double apart_at(nh_frontier *f, double t, const double *x)
{
    double apart = 0, positions = 0, velocities = 0;
    bool moved;
    memcpy(f->moved, x, f->motion->size * sizeof *x);
    bool projected = f->projector && nh_project(f->projector, t, f->moved, &positions, &velocities, &moved);
    if (f->motion->second && f->projector && !projected)
        return NAN;
    apart = projected ? fmax(positions, velocities) : 0;
    if (f->motion->second)
        return apart;
    if (!nh_complete_at(f->complete, t, x))
        return NAN;
    for (size_t i = 0; i < f->motion->eq->n; i++)
        apart =
            fmax(apart, fabs(nh_complete_rates(f->complete)[i] - f->rates[i]) / fmax(1, fabs(f->rates[i])));
    return apart;
}

/* By how much the momenta dK/dq'^i differ between two places with the same velocities; 0: by rounding. No force that is finite does that:
 * velocities would jump. */
static double momenta_apart(nh_frontier *f, double before, const double *x, double behind, const double *y)
{
    size_t n = f->motion->eq->n;
    double *p = f->momenta, size = 0, change = 0;
    if (!f->motion->momenta)
        return 0;
    if (!nh_complete_at(f->complete, before, x))
        return NAN;
    nh_complete_momenta(f->complete, p);
    if (!nh_complete_at(f->complete, behind, y))
        return NAN;
    nh_complete_momenta(f->complete, p + n);
    for (size_t i = 0; i < n; i++)
        size += fabs(p[i]) + fabs(p[n + i]), change += fabs(p[n + i] - p[i]);
    return !isfinite(size) ? NAN : change > 1e-9 * size ? change : 0;
}

/* The same of the constraints, where they are not satisfied on one side. */
static double constraints_apart(nh_frontier *f, double before, const double *x, double behind,
                                const double *y)
{
    if (!f->motion->second && !nh_complete_at(f->complete, before, x))
        return NAN;
    memcpy(f->rates, nh_complete_rates(f->complete), f->motion->eq->n * sizeof *f->rates);
    double apart = fabs(apart_at(f, behind, y) - apart_at(f, before, x));
    return apart <= 1e-9 ? 0 : apart;
}

/* The state x moved by the velocities q' in f->along for a time; its own stay what they are. */
static const double *moved_by(const nh_frontier *f, const double *x, double time, double *out)
{
    size_t n = f->motion->eq->n;
    memcpy(out, x, f->motion->size * sizeof *x);
    for (size_t i = 0; i < n; i++)
        out[i] += time * f->along[i];
    return out;
}

/* Scales: 8 units of rounding of the time, 4 times as much, ... What is smooth differs by 4 times as much from one to the next, a root by twice as much; what
 * is rounding, as 1 - sin(x)^2 near its zero, by less and less. A jump is the same on so many in turn. */
enum { SCALES = 24, SCALES_OF_A_JUMP = 5 };

typedef double difference(nh_frontier *, double before, const double *x, double behind, const double *y);

static bool jumps_between(nh_frontier *f, difference *d, double t, const double *x, double back, double on)
{
    double step = 8 * DBL_EPSILON * fmax(fabs(t), 1e-3), last = 0;
    int same = 0;
    for (int k = 0; k < SCALES && same < SCALES_OF_A_JUMP; k++, step *= 4) {
        double by = d(f, t - back * step, moved_by(f, x, -back * step, f->before), t + on * step,
                      moved_by(f, x, on * step, f->behind));
        same = !(by > 0 && isfinite(by)) ? 0 : fabs(by - last) < 0.05 * by ? same + 1 : 1;
        last = by;
    }
    return same >= SCALES_OF_A_JUMP;
}

/* The last time up to t at which the solver has a state within the last step: at a jump itself it may have none. */
static double known_time(nh_frontier *f, double t)
{
    double back = DBL_EPSILON * fmax(fabs(t), fabs(t - f->from)), known = t;
    for (int k = 0; k < SCALES && known != f->from; k++, back *= 4) {
        bool finite = true;
        const double *x = state_at(f, known);
        for (size_t i = 0; i < f->motion->size; i++)
            finite = finite && isfinite(x[i]);
        if (finite)
            return known;
        known = back < fabs(t - f->from) ? t - copysign(back, t - f->from) : f->from;
    }
    return f->from;
}

/* The velocities q' at that time, as far as they have values: 0 otherwise. */
static void find_velocities(nh_frontier *f, double t)
{
    memset(f->along, 0, f->motion->eq->n * sizeof *f->along);
    if (nh_complete_at(f->complete, t, t == f->from ? f->begin : state_at(f, t)))
        memcpy(f->along, nh_complete_rates(f->complete), f->motion->eq->n * sizeof *f->along);
}

bool nh_frontier_jumps(nh_frontier *f, double *t)
{
    double known = known_time(f, *t);
    find_velocities(f, known_time(f, *t - (*t - f->from) / 1024));
    memcpy(f->there, known == f->from ? f->begin : state_at(f, known), f->motion->size * sizeof *f->there);
    bool jumps = jumps_between(f, momenta_apart, *t, f->there, 1, 1) ||
                 jumps_between(f, constraints_apart, *t, f->there, 1, 1);
    *t = jumps ? known : *t;
    return jumps;
}

/* Of a start: just behind it, where the motion goes, the constraints are not what it satisfies. */
bool nh_frontier_begins_with_jump(nh_frontier *f, double to)
{
    double t = f->stepper->t, on = to < t ? -1 : 1;
    const double *x = f->stepper->x;
    if (!nh_complete_at(f->complete, t, x))
        return false;
    memcpy(f->along, nh_complete_rates(f->complete), f->motion->eq->n * sizeof *f->along);
    return jumps_between(f, momenta_apart, t, x, 0, on) || jumps_between(f, constraints_apart, t, x, 0, on);
}

/* ---------------------------------------------------------------- corners */

static bool bends_at(nh_frontier *f, double t, const double *x)
{
    f->bends->r[0] = t;
    memcpy(f->bends->r + 1, x, f->motion->size * sizeof *x);
    return nh_series_step_double(f->bends, 0);
}

/* On which side of a corner the motion is at a time within the last step. */
static int side_at(nh_frontier *f, size_t corner, double t, const double *x)
{
    if (!bends_at(f, t, x))
        return 0;
    double side = nh_corner_side(f->motion->bends, corner, f->bends->r, 1);
    return (side > 0) - (side < 0);
}

/* r(x + d) - 2 r(x) + r(x - d), the largest of all outputs r, d as long as `length`. */
static double bend_by(nh_frontier *f, double t, double length)
{
    const nh_tape *tape = f->motion->bends;
    double largest = 0;
    for (int k = -1; k <= 1; k++) {
        for (size_t i = 0; i < f->motion->size; i++)
            f->moved[i] = f->middle[i] + k * length * f->direction[i];
        if (!bends_at(f, t, f->moved))
            return INFINITY;
        for (size_t i = 0; i < tape->n_outputs; i++)
            f->bent[i] = (k < 0 ? 0 : f->bent[i]) + (k ? 1 : -2) * f->bends->r[tape->outputs[i]];
    }
    for (size_t i = 0; i < tape->n_outputs; i++)
        largest = fmax(largest, fabs(f->bent[i]));
    return largest;
}

/* Whether psi, C or g bend at once where the state in f->middle passes a corner of something in them: |u| does, |u|^3 and what depends on the time
 * alone do not. */
static bool has_corner(nh_frontier *f, double t)
{
    double unit = 0, size = 1;
    for (size_t i = 0; i < f->motion->size; i++) {
        f->direction[i] = f->stepper->x[i] - f->begin[i];
        unit = fmax(unit, fabs(f->direction[i])), size = fmax(size, fabs(f->middle[i]));
    }
    for (size_t i = 0; i < f->motion->size; i++)
        f->direction[i] *= unit > 0 ? size / unit : 0;
    double far = bend_by(f, t, 1e-3), near = bend_by(f, t, 1e-6);
    return near > 1e-10 * size && near > 1e-4 * far;
}

/* The side of a corner is `side` at a, and another one at b: up to where it is the same, in f->middle the state there. */
static double find_corner(nh_frontier *f, size_t corner, double a, double b, int side)
{
    for (int k = 0; k < 100; k++) {
        double t = a + (b - a) / 2;
        if (t == a || t == b)
            break;
        if (side_at(f, corner, t, state_at(f, t)) == side)
            a = t;
        else
            b = t;
    }
    memcpy(f->middle, state_at(f, b), f->motion->size * sizeof *f->middle);
    return b;
}

enum { LOOKS_FOR_CORNERS = 8 };

double nh_frontier_corner(nh_frontier *f, double from)
{
    double to = f->stepper->t, first = NAN;
    for (size_t i = 0; f->bends && i < f->motion->bends->n_corners; i++) {
        int side = side_at(f, i, from, f->begin);
        double before = from;
        if (f->motion->bends->steps[f->motion->bends->corners[i]].op == NH_OP_SIGN || !side)
            continue;
        for (int k = 1; k <= LOOKS_FOR_CORNERS; k++) {
            double t = k == LOOKS_FOR_CORNERS ? to : from + (to - from) * k / LOOKS_FOR_CORNERS;
            if (side_at(f, i, t, state_at(f, t)) != side) {
                double found = find_corner(f, i, before, t, side);
                bool sooner = !(fabs(found - from) >= fabs(first - from));
                first = sooner && has_corner(f, found) ? found : first;
                break;
            }
            before = t;
        }
    }
    return first;
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
