/* Stiff systems, by backward differentiation: SUNDIALS' CVODE with the derivatives of the tape, and with projection onto the
 * constraints as a part of its steps. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- is it stiff? */

/* The derivatives along directions, at the start. */
typedef struct tangent {
    const nh_tape *tape;
    nh_series_double *machine;
    const double *start; /* t, then the state */
    size_t n;
} tangent;

/* J v + part f_t. False: something has no value. */
static bool multiply(const tangent *j, const double *v, double part, double *out)
{
    double *r = j->machine->r;
    memcpy(r, j->start, (j->n + 1) * sizeof *r);
    r[j->n + 1] = part;
    memcpy(r + j->n + 2, v, j->n * sizeof *r);
    bool good = nh_series_step_double(j->machine, 0);
    for (size_t i = 0; i < j->n; i++) {
        out[i] = r[j->tape->outputs[i]];
        good = good && isfinite(out[i]);
    }
    return good;
}

static double normalize(double *v, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size += v[i] * v[i];
    size = sqrt(size);
    for (size_t i = 0; i < n && size > 0; i++)
        v[i] /= size;
    return size;
}

/* Something decays so many times during the run, and explicit steps would have to follow it; and so many times while the motion itself
 * changes by as much as it is: otherwise steps of series are as short for its sake, and cost less than those of a low order. */
static const double many_decays = 1e6, many_in_a_change = 3000;

/* How long the motion takes to change by as much as it is, s/s' with s = x' + x''/|rate|, in which what decays at that rate cancels. */
static bool time_of_change(const tangent *j, const double *rates, double rate, nh_arena *arena, double *time)
{
    double *s = nh_zeros(arena, j->n), *slope = nh_zeros(arena, j->n), size = 0, change = 0;
    if (!multiply(j, rates, 1, s))
        return false;
    for (size_t i = 0; i < j->n; i++)
        s[i] = rates[i] + s[i] / fabs(rate);
    if (!multiply(j, s, 1, slope))
        return false;
    for (size_t i = 0; i < j->n; i++)
        size += s[i] * s[i], change += slope[i] * slope[i];
    *time = change > 0 ? sqrt(size / change) : INFINITY;
    return true;
}

/* x' at the start. */
static bool rates_at_start(const nh_motion *m, double *rates)
{
    nh_series_double *values = nh_series_new_double(m->values, m->arena, 0);
    memcpy(values->r, m->start, (m->size + 1) * sizeof *values->r);
    if (!nh_series_constants_double(values, m->constants) || !nh_series_step_double(values, 0))
        return false;
    for (size_t i = 0; i < m->size; i++)
        rates[i] = values->r[m->values->outputs[i]];
    return true;
}

/* The eigenvalue of the largest modulus by iteration, where it is a single real one. */
bool nh_is_stiff(const nh_motion *m, double length, double *rate)
{
    size_t n = m->size;
    if (m->values->n_steps > 20000)
        return false;
    const nh_tape *tape = nh_tape_tangent(m->values, m->arena);
    tangent j = {tape, nh_series_new_double(tape, m->arena, 0), m->start, n};
    double *v = nh_arena_array(m->arena, n + 1, sizeof *v), *w = nh_arena_array(m->arena, n + 1, sizeof *w),
           apart = INFINITY;
    if (!nh_series_constants_double(j.machine, m->constants))
        return false;
    for (size_t i = 0; i < n; i++)
        v[i] = 1 + 0.7 * sin(3 * (double)i + 1); /* a direction that is nothing special */
    normalize(v, n);
    *rate = 0;
    for (int k = 0; k < 40; k++) {
        if (!multiply(&j, v, 0, w))
            return false;
        *rate = 0, apart = 0;
        for (size_t i = 0; i < n; i++)
            *rate += v[i] * w[i];
        for (size_t i = 0; i < n; i++)
            apart = fmax(apart, fabs(w[i] - *rate * v[i]));
        memcpy(v, w, n * sizeof *v);
        if (!(normalize(v, n) > 0))
            return false;
    }
    if (!(*rate * fabs(length) < -many_decays && apart < 0.01 * fabs(*rate)))
        return false;
    double time;
    return rates_at_start(m, w) && time_of_change(&j, w, *rate, m->arena, &time) &&
           time * fabs(*rate) > many_in_a_change;
}

/* ---------------------------------------------------------------- the solver */

#ifdef NH_HAVE_CVODE
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* Coordinates that are no angles, angles, the velocities of both, and quasi-velocities: others are of other units. */
enum { OF_COORDINATE, OF_ANGLE, OF_RATE, OF_ANGLE_RATE, OF_QUASI_VELOCITY, KINDS };

typedef struct solver {
    nh_series_double *machine;
    nh_jacobian *jacobian;
    nh_projector *projector;
    double *inputs, *projected;
    SUNContext context;
    N_Vector y, at;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *memory;
    double limit, tolerance;
    double *sizes;         /* the largest that each component has been */
    double *least;         /* the sizes that they are taken to have at least */
    bool guessed;          /* nothing tells of them so far */
    double *rates_now;     /* where the next step begins */
    double *noise;         /* what rounding of the time makes of the components along the next step */
    uint8_t *kinds;        /* what others each of them is measured by */
    nh_pulses *pulses;     /* NULL: there are none */
    double *sides;         /* of all corners, where the step begins */
    bool mixed;            /* it was looked at on other sides, too */
    bool *timed;           /* by corner: the time alone decides */
    nh_stops *stops;       /* NULL: there are none */
    bool crossed;          /* the last step did, see cross */
    size_t failed;         /* steps, before it began anew */
    double *rates, *slope; /* at the end of the last step, and what they have changed by along it */
} solver;

bool nh_cvode_is_there(void) { return true; }

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* Whether a corner is on another side than where the step begins. */
static bool is_across(const nh_stepper *s)
{
    const solver *own = s->own;
    const nh_tape *tape = s->motion->values;
    bool across = false;
    for (size_t i = 0; i < tape->n_corners; i++)
        across =
            across || (!own->timed[i] &&
                       sign_of(own->sides[i]) * sign_of(nh_corner_side(tape, i, own->machine->r, 1)) < 0);
    return across;
}

static int field(double t, N_Vector y, N_Vector rate, void *user)
{
    nh_stepper *s = user;
    solver *own = s->own;
    const double *x = N_VGetArrayPointer(y);
    double *out = N_VGetArrayPointer(rate);
    own->machine->r[0] = t;
    memcpy(own->machine->r + 1, x, s->motion->size * sizeof *x);
    if (!nh_series_step_double(own->machine, 0))
        return 1; /* try a smaller step */
    for (size_t i = 0; i < s->motion->size; i++) {
        out[i] = own->machine->r[s->motion->values->outputs[i]];
        if (!isfinite(out[i]))
            return 1;
    }
    own->mixed = own->mixed || is_across(s);
    return 0;
}

static int derivatives(double t, N_Vector y, N_Vector rate, SUNMatrix matrix, void *user, N_Vector a,
                       N_Vector b, N_Vector c)
{
    (void)rate, (void)a, (void)b, (void)c;
    nh_stepper *s = user;
    solver *own = s->own;
    const nh_jacobian *j = own->jacobian;
    own->inputs[0] = t;
    memcpy(own->inputs + 1, N_VGetArrayPointer(y), s->motion->size * sizeof(double));
    if (!nh_jacobian_at(own->jacobian, own->inputs))
        return 1;
    for (size_t i = 0; i < s->motion->size; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++)
            if (j->columns[e] > 0)
                SM_ELEMENT_D(matrix, (sunindextype)i, (sunindextype)j->columns[e] - 1) = j->values[e];
    return 0;
}

/* In units of what coordinates of their size make of a constraint on positions. These do not jump, as velocities may: what is so far off is no motion, and the
 * step is made shorter. */
static const double farthest = 0.01;

/* What takes y onto the constraints; not 0: not from there. */
static int correction(double t, N_Vector y, N_Vector change, double allowed, N_Vector error, void *user)
{
    (void)allowed, (void)error;
    nh_stepper *s = user;
    solver *own = s->own;
    double positions, velocities, *x = N_VGetArrayPointer(y), *out = N_VGetArrayPointer(change);
    bool moved;
    memcpy(own->projected, x, s->motion->size * sizeof *x);
    if (!nh_project(own->projector, t, own->projected, &positions, &velocities, &moved) ||
        positions > farthest)
        return 1;
    for (size_t i = 0; i < s->motion->size; i++)
        out[i] = own->projected[i] - x[i];
    return 0;
}

/* One over the error that each component may have: relative to the largest it has been, or to a thousandth of others of its kind. */
static int weights(N_Vector y, N_Vector out, void *user)
{
    nh_stepper *s = user;
    solver *own = s->own;
    const double *x = N_VGetArrayPointer(y);
    double *w = N_VGetArrayPointer(out), largest[KINDS] = {0};
    for (size_t i = 0; i < s->motion->size; i++) {
        own->sizes[i] = fmax(own->sizes[i], fabs(x[i]));
        largest[own->kinds[i]] = fmax(largest[own->kinds[i]], fmax(own->sizes[i], own->least[i]));
    }
    for (size_t i = 0; i < s->motion->size; i++) /* what is still 0 will be of some size */
        w[i] = 1 /
               fmax(own->noise[i],
                    own->tolerance * fmax(fmax(own->sizes[i], 1e-3 * largest[own->kinds[i]]), own->least[i]));
    return 0;
}

/* ---------------------------------------------------------------- of what size components will be */

/* J and, in `slope`, the derivatives by the time where the motion begins; false: there are none. */
static bool derivatives_at_start(nh_stepper *s)
{
    solver *own = s->own;
    const nh_jacobian *j = own->jacobian;
    SUNMatZero(own->matrix);
    if (derivatives(s->t, own->y, NULL, own->matrix, s, NULL, NULL, NULL))
        return false;
    bool finite = true;
    for (size_t i = 0; i < s->motion->size; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++) {
            finite = finite && isfinite(j->values[e]);
            own->slope[i] = j->columns[e] ? own->slope[i] : j->values[e];
        }
    return finite;
}

/* The fastest that something happens: max(|J_ii|, sqrt(|J_ij J_ji|)), or once in the run; whatever the units of the components are. */
static double fastest(const nh_stepper *s, double length)
{
    const solver *own = s->own;
    sunindextype n = (sunindextype)s->motion->size;
    double rate = 1 / length;
    for (sunindextype i = 0; i < n; i++)
        for (sunindextype j = 0; j <= i; j++)
            rate = fmax(rate, sqrt(fabs(SM_ELEMENT_D(own->matrix, i, j))) *
                                  sqrt(fabs(SM_ELEMENT_D(own->matrix, j, i))));
    return rate;
}

/* A component that begins with nothing becomes, in a time T in which something happens, about as large as its rate, or that of its rate, or
 * others make it: T (|f_i| + T |df_i/dt| + sum_j |J_ij| u_j). */
static void grow_sizes(nh_stepper *s, double time)
{
    const solver *own = s->own;
    const double *rates = N_VGetArrayPointer(own->at);
    for (size_t i = 0; i < s->motion->size; i++) {
        double rate = fabs(rates[i]) + time * fabs(own->slope[i]);
        for (size_t j = 0; j < s->motion->size; j++)
            rate += fabs(SM_ELEMENT_D(own->matrix, (sunindextype)i, (sunindextype)j)) * own->least[j];
        own->least[i] = fmax(own->least[i], time * rate);
    }
}

enum { ROUNDS = 3 }; /* from forces to velocities to coordinates */

/* The least sizes: a thousandth of what the start tells; where it tells nothing at all, there is no better than 1e-6 until a place is crossed behind which
 * there may be more than nothing. */
static void find_least_sizes(nh_stepper *s, double length)
{
    solver *own = s->own;
    double largest = 0;
    for (size_t i = 0; i < s->motion->size; i++)
        own->least[i] = fabs(s->x[i]);
    if (length > 0 && derivatives_at_start(s) && field(s->t, own->y, own->at, s) == 0)
        for (int k = 0; k < ROUNDS; k++)
            grow_sizes(s, 1 / fastest(s, length));
    for (size_t i = 0; i < s->motion->size; i++)
        largest = fmax(largest, own->least[i]);
    own->guessed = !(largest > 0);
    for (size_t i = 0; i < s->motion->size; i++)
        own->least[i] = largest > 0 ? fmax(1e-3 * own->least[i], 1e-150) : 1e-6, own->slope[i] = 0;
}

static void set_longest(const nh_stepper *s, double limit)
{
    const solver *own = s->own;
    double longest = nh_longest_step(s, limit);
    CVodeSetMaxStep(own->memory, isfinite(longest) ? longest : 0); /* 0: any */
}

/* The rates where the next step begins, and what they have changed by since the last one began. */
static void find_rates(nh_stepper *s)
{
    solver *own = s->own;
    const double *rates = N_VGetArrayPointer(own->at);
    bool there = field(s->t, own->y, own->at, s) == 0;
    for (size_t i = 0; i < s->motion->size; i++) {
        double now = there ? rates[i] : 0;
        own->slope[i] = s->steps ? fabs(now - own->rates[i]) : 0, own->rates[i] = now;
    }
}

/* Whether the next step, if it is of the length h, may step over something: it goes on with the rates that there are, and changes them by no more
 * than twice what the last step did. CVODE looks at its end, and nowhere between. */
static bool is_blind(nh_stepper *s, double h)
{
    const solver *own = s->own;
    double *r = own->machine->r;
    nh_pulses_begin(own->pulses);
    for (int end = 0; end < 2; end++) {
        double part = h * end;
        r[0] = s->t + part;
        for (size_t i = 0; i < s->motion->size; i++)
            r[1 + i] = s->x[i] + part * own->rates[i];
        if (nh_series_step_double(own->machine, 0))
            nh_pulses_look(own->pulses, r);
    }
    nh_pulses_box(own->pulses, 0, fmin(s->t, s->t + h), fmax(s->t, s->t + h));
    for (size_t i = 0; i < s->motion->size; i++) {
        double end = s->x[i] + h * own->rates[i], more = 2 * fabs(h) * own->slope[i];
        nh_pulses_box(own->pulses, 1 + i, fmin(s->x[i], end) - more, fmax(s->x[i], end) + more);
    }
    return nh_pulses_may_hide(own->pulses);
}

/* Where the next step has to end at the latest. It is up to ten times as long as CVODE says, the second one 10^4 times, and no longer than it was told. */
static double end_of_seen(nh_stepper *s, double limit)
{
    const solver *own = s->own;
    double next = 0, longest = nh_longest_step(s, limit), sign = limit < s->t ? -1 : 1;
    if (!own->pulses)
        return limit;
    find_rates(s);
    CVodeGetCurrentStep(own->memory, &next);
    double grows = s->steps < 2 ? 1e4 : 10, h = fmin(fmin(grows * fabs(next), longest), fabs(limit - s->t)),
           whole = h;
    while (nh_pulses_have_room(s, h, limit) && is_blind(s, sign * h))
        h /= 2;
    if (h == whole || !nh_pulses_have_room(s, h, limit))
        return limit;
    /* the slopes within something steep are none for the steps behind it */
    CVodeSetLSetupFrequency(own->memory, 1), CVodeSetJacEvalFrequency(own->memory, 1);
    return s->t + sign * h;
}

/* The sides of the corners where the next step begins; where it begins on one, they stay as they were. */
static void find_sides(nh_stepper *s)
{
    solver *own = s->own;
    const nh_tape *tape = s->motion->values;
    if (tape->n_corners && field(s->t, own->y, own->at, s) == 0)
        for (size_t i = 0; i < tape->n_corners; i++) {
            double side = nh_corner_side(tape, i, own->machine->r, 1);
            own->sides[i] = side != 0 ? side : own->sides[i];
        }
    own->mixed = false;
}

/* Over a place that is known beforehand (stops.c), some units of rounding long, by the rates before it; behind it all begins anew. */
static bool cross(nh_stepper *s, double end)
{
    solver *own = s->own;
    double h = end - s->t;
    bool there = field(s->t, own->y, own->at, s) == 0;
    for (size_t i = 0; i < s->motion->size && there; i++)
        s->x[i] += h * N_VGetArrayPointer(own->at)[i];
    memcpy(N_VGetArrayPointer(own->y), s->x, s->motion->size * sizeof *s->x);
    own->failed = s->rejected;
    if (CVodeReInit(own->memory, end, own->y)) {
        s->end = NH_RUN_SINGULAR;
        return false;
    }
    own->crossed = true, s->t = end, s->steps++;
    return true;
}

/* The time is rounded, by e |t|, and the field is as much another one as the time alone makes it meanwhile, and as what that makes of the state: as in runge.c.
 * Asked where places of the time are known, between which a field may be as steep as they are near. */
static void find_noise(nh_stepper *s, double end)
{
    solver *own = s->own;
    double next = 1e-3 * fabs(end - s->t), later = s->t + copysign(4 * DBL_EPSILON * s->t, end - s->t);
    double *x = N_VGetArrayPointer(own->y), *rates = N_VGetArrayPointer(own->at);
    size_t n = s->motion->size;
    if (!own->crossed && s->steps)
        CVodeGetCurrentStep(own->memory, &next);
    bool there = field(s->t, own->y, own->at, s) == 0;
    for (size_t c = 0; c < n; c++)
        own->rates_now[c] = rates[c], own->noise[c] = 0;
    for (int i = 0; i < 2 && there; i++) {
        for (size_t c = 0; c < n; c++)
            x[c] = s->x[c] + fabs(next) * own->noise[c];
        there = field(later, own->y, own->at, s) == 0;
        for (size_t c = 0; c < n; c++)
            own->noise[c] = fabs(rates[c] - own->rates_now[c]);
    }
    memcpy(x, s->x, n * sizeof *x);
    for (size_t c = 0; c < n; c++)
        own->noise[c] = there ? fabs(next) * own->noise[c] : 0;
}

/* CVODE makes no step that is next to nothing beside the time. */
static bool is_too_near(const nh_stepper *s, double end)
{
    return fabs(end - s->t) <= 256 * DBL_EPSILON * fmax(fabs(s->t), fabs(end));
}

static bool step(nh_stepper *s, double limit)
{
    solver *own = s->own;
    double end;
    nh_ahead place = nh_stops_next(own->stops, 0, s->t, s->x, limit, &end);
    if (place == NH_AHEAD_POLE) {
        s->end = NH_RUN_NOT_FINITE;
        return false;
    }
    if (place == NH_AHEAD_PLACE || (end != limit && is_too_near(s, end)))
        return cross(s, end);
    if (isnan(own->limit) || (own->crossed && own->guessed))
        find_least_sizes(s, fabs(end - s->t));
    if (own->stops)
        find_noise(s, end);
    own->crossed = false;
    if (limit != own->limit)
        own->limit = limit, set_longest(s, limit);
    double seen = end_of_seen(s, limit);
    end = limit < s->t ? fmax(seen, end) : fmin(seen, end);
    CVodeSetStopTime(own->memory, end);
    find_sides(s);
    double t = s->t;
    int result = CVode(own->memory, end, own->y, &t, CV_ONE_STEP);
    if (result < 0) {
        s->end = result == CV_REPTD_RHSFUNC_ERR || result == CV_FIRST_RHSFUNC_ERR ? NH_RUN_SINGULAR
                                                                                  : NH_RUN_STEP_TOO_SMALL;
        return false;
    }
    s->h = t - s->t, s->t = t;
    memcpy(s->x, N_VGetArrayPointer(own->y), s->motion->size * sizeof *s->x);
    if (own->projector)
        nh_project_seen(own->projector, s->x);
    long failures = 0;
    CVodeGetNumErrTestFails(own->memory, &failures);
    s->rejected = own->failed + (size_t)failures;
    s->steps++, s->across += own->mixed;
    return true;
}

static void at(nh_stepper *s, double t, double *x)
{
    solver *own = s->own;
    if (own->crossed) {
        memcpy(x, s->x, s->motion->size * sizeof *x);
        return;
    }
    bool there = CVodeGetDky(own->memory, t, 0, own->at) == CV_SUCCESS;
    for (size_t i = 0; i < s->motion->size; i++)
        x[i] = there ? N_VGetArrayPointer(own->at)[i] : NAN;
}

/* Its own projection keeps it on the constraints; what is left is not worth a new beginning. */
static void moved(nh_stepper *s) { (void)s; }

static void close_solver(nh_stepper *s)
{
    solver *own = s->own;
    CVodeFree(&own->memory);
    if (own->linear)
        SUNLinSolFree(own->linear);
    if (own->matrix)
        SUNMatDestroy(own->matrix);
    if (own->y)
        N_VDestroy(own->y);
    if (own->at)
        N_VDestroy(own->at);
    if (own->context)
        SUNContext_Free(&own->context);
}

static bool open_solver(nh_stepper *s)
{
    solver *own = s->own;
    sunindextype n = (sunindextype)s->motion->size;
    if (SUNContext_Create(NULL, &own->context))
        return false;
    own->y = N_VNew_Serial(n, own->context), own->at = N_VNew_Serial(n, own->context);
    own->memory = CVodeCreate(CV_BDF, own->context);
    if (!own->y || !own->at || !own->memory)
        return false;
    memcpy(N_VGetArrayPointer(own->y), s->x, s->motion->size * sizeof *s->x);
    own->matrix = SUNDenseMatrix(n, n, own->context);
    own->linear = own->matrix ? SUNLinSol_Dense(own->y, own->matrix, own->context) : NULL;
    return own->linear && !CVodeInit(own->memory, field, s->t, own->y) &&
           !CVodeSetErrFile(own->memory, NULL) && !CVodeSetUserData(own->memory, s) &&
           !CVodeWFtolerances(own->memory, weights) &&
           !CVodeSetLinearSolver(own->memory, own->linear, own->matrix) &&
           !CVodeSetJacFn(own->memory, derivatives) &&
           (!own->projector ||
            (!CVodeSetProjFn(own->memory, correction) && !CVodeSetProjErrEst(own->memory, 0)));
}

static uint8_t kind_of(const nh_motion *m, size_t i)
{
    const nh_equations *eq = m->eq;
    int64_t of = i < eq->n ? (int64_t)i : m->second ? (int64_t)(i - eq->n) : eq->z[i - eq->n].rate_of;
    if (of < 0)
        return OF_QUASI_VELOCITY;
    bool angle = eq->model->coordinates[of].angle;
    return i < eq->n ? (angle ? OF_ANGLE : OF_COORDINATE) : angle ? OF_ANGLE_RATE : OF_RATE;
}

nh_stepper *nh_cvode_new(const nh_motion *motion, nh_arena *arena, double tolerance)
{
    nh_stepper *s = nh_arena_array(arena, 1, sizeof *s);
    solver *own = nh_arena_array(arena, 1, sizeof *own);
    size_t n = motion->size;
    *s = (nh_stepper){.motion = motion, .t = motion->start[0], .h = 0, .tolerance = tolerance, .own = own};
    s->step = step, s->at = at, s->moved = moved, s->close = close_solver, s->is_dense = true;
    s->steps_over_corners = true;
    s->x = nh_arena_array(arena, n + 1, sizeof *s->x);
    memcpy(s->x, motion->start + 1, n * sizeof *s->x);
    *own = (solver){.machine = nh_series_new_double(motion->values, arena, 0), .limit = NAN};
    own->jacobian = nh_jacobian_new(motion->values, arena);
    own->projector = nh_projector_new(motion, arena);
    own->inputs = nh_arena_array(arena, n + 2, sizeof *own->inputs);
    own->projected = nh_arena_array(arena, n + 1, sizeof *own->projected);
    own->sizes = nh_zeros(arena, n), own->least = nh_zeros(arena, n);
    own->rates_now = nh_zeros(arena, n), own->noise = nh_zeros(arena, n);
    own->kinds = nh_arena_array(arena, n + 1, sizeof *own->kinds);
    for (size_t i = 0; i < n; i++)
        own->kinds[i] = kind_of(motion, i);
    own->tolerance = tolerance;
    own->pulses = nh_pulses_new(motion, arena);
    own->sides = nh_zeros(arena, motion->values->n_corners);
    own->timed = nh_timed_corners(motion->values, arena), own->stops = nh_stops_new(motion, arena, 1);
    if (own->stops)
        nh_stops_begin(own->stops, 0, motion->start, motion->constants);
    own->rates = nh_zeros(arena, n), own->slope = nh_zeros(arena, n);
    if (!nh_series_constants_double(own->machine, motion->constants) ||
        !nh_jacobian_constants(own->jacobian, motion->constants))
        s->end = NH_RUN_SINGULAR;
    else if (!open_solver(s)) /* nothing is taken from the arena between here and close */
        s->end = NH_RUN_STEP_TOO_SMALL;
    return s;
}

#else

bool nh_cvode_is_there(void) { return false; }

nh_stepper *nh_cvode_new(const nh_motion *motion, nh_arena *arena, double tolerance)
{
    return nh_runge_new(motion, arena, tolerance);
}

#endif
