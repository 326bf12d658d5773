/* Runge-Kutta of order 8 with control of the step, for low accuracy and for forces with corners. */
#include "integrate/inner.h"

#include <math.h>
#include <string.h>

enum { STAGES = 12 };

static const double nodes[STAGES] = {
#define NODE(i, c) [i] = c,
#define WEIGHT(i, j, a)
#define LAST(j, b)
#define FIFTH(j, e)
#define THIRD(j, e)
#include "integrate/runge.def"
#undef NODE
#undef WEIGHT
};
static const double weights[STAGES][STAGES] = {
#define NODE(i, c)
#define WEIGHT(i, j, a) [i][j] = a,
#include "integrate/runge.def"
#undef WEIGHT
#undef LAST
};
static const double last[STAGES] = {
#define WEIGHT(i, j, a)
#define LAST(j, b) [j] = b,
#include "integrate/runge.def"
#undef LAST
#undef FIFTH
};
static const double fifth[STAGES] = {
#define LAST(j, b)
#define FIFTH(j, e) [j] = e,
#include "integrate/runge.def"
#undef FIFTH
#undef THIRD
};
static const double third[STAGES] = {
#define FIFTH(j, e)
#define THIRD(j, e) [j] = e,
#include "integrate/runge.def"
};

typedef struct runge {
    nh_series_double *machine;
    double *k[STAGES], *trial;
    double *from, t_from; /* where the last step began */
    double *sizes;        /* the largest that each component has been */
    double tolerance;
    bool tried;
} runge;

static bool field(nh_stepper *s, double t, const double *x, double *out)
{
    runge *own = s->own;
    const nh_tape *tape = s->motion->values;
    own->machine->r[0] = t;
    memcpy(own->machine->r + 1, x, s->motion->size * sizeof *x);
    if (!nh_series_step_double(own->machine, 0))
        return false;
    for (size_t i = 0; i < s->motion->size; i++)
        out[i] = own->machine->r[tape->outputs[i]];
    return true;
}

/* From (t, x) on by h, into trial. */
static bool stages(nh_stepper *s, double t, const double *x, double h)
{
    runge *own = s->own;
    size_t n = s->motion->size;
    for (int i = 0; i < STAGES; i++) {
        for (size_t c = 0; c < n; c++) {
            double sum = 0;
            for (int j = 0; j < i; j++)
                sum += weights[i][j] * own->k[j][c];
            own->trial[c] = x[c] + h * sum;
        }
        if (!field(s, t + nodes[i] * h, own->trial, own->k[i]))
            return false;
    }
    for (size_t c = 0; c < n; c++) {
        double sum = 0;
        for (int j = 0; j < STAGES; j++)
            sum += last[j] * own->k[j][c];
        own->trial[c] = x[c] + h * sum;
    }
    return true;
}

/* As in the book: both estimators together, relative to the tolerance. */
static double error_of(const nh_stepper *s, double h)
{
    const runge *own = s->own;
    double five = 0, three = 0, largest = 1e-300;
    size_t n = s->motion->size;
    for (size_t c = 0; c < n; c++)
        largest = fmax(largest, own->sizes[c]);
    for (size_t c = 0; c < n; c++) {
        double a = 0, b = 0;
        double size =
            fmax(fmax(fabs(s->x[c]), fabs(own->trial[c])), fmax(own->sizes[c], fabs(h * own->k[0][c])));
        double scale = own->tolerance * fmax(size, 1e-6 * largest); /* what begins with nothing */
        for (int j = 0; j < STAGES; j++)
            a += fifth[j] * own->k[j][c], b += third[j] * own->k[j][c];
        five += a / scale * (a / scale), three += b / scale * (b / scale);
    }
    double below = five + 0.01 * three;
    return !isfinite(below) ? INFINITY : below > 0 ? fabs(h) * five / sqrt(below * (double)(n ? n : 1)) : 0;
}

/* Machine code, as in taylor.c: twelve values a step. */
static void use_code(nh_stepper *s, double left)
{
    enum { STEPS_TO_JUDGE = 40 };
    bool always = s->motion->code == NH_CODE_ALWAYS, ask = s->motion->code == NH_CODE_WHERE_IT_PAYS;
    if (s->steps != (always ? 0 : STEPS_TO_JUDGE) || !(always || ask))
        return;
    double steps = s->steps ? fabs(left / (s->t - s->motion->start[0])) * (double)s->steps : INFINITY;
    if (always || nh_native_pays(s->motion->values, steps, STAGES))
        nh_series_use(((runge *)s->own)->machine, nh_motion_compile_values(s->motion));
}

static bool step(nh_stepper *s, double limit)
{
    runge *own = s->own;
    use_code(s, limit - s->t);
    double sign = limit < s->t ? -1 : 1;
    for (;;) {
        double h = sign * fmin(fabs(s->h), fabs(limit - s->t));
        if (fabs(h) < 1e-15 * fmax(1e-12, fabs(s->t)) && fabs(limit - s->t) > fabs(h)) {
            s->end = own->tried ? NH_RUN_STEP_TOO_SMALL : NH_RUN_NOT_FINITE;
            return false;
        }
        double error = stages(s, s->t, s->x, h) ? error_of(s, h) : INFINITY;
        double factor = error == 0        ? 5
                        : isfinite(error) ? fmin(5, fmax(0.2, 0.9 * pow(error, -1.0 / 8)))
                                          : 0.1;
        if (error <= 1) {
            own->t_from = s->t;
            memcpy(own->from, s->x, s->motion->size * sizeof *s->x);
            memcpy(s->x, own->trial, s->motion->size * sizeof *s->x);
            for (size_t c = 0; c < s->motion->size; c++)
                own->sizes[c] = fmax(own->sizes[c], fabs(s->x[c]));
            bool whole = fabs(h) >= fabs(limit - s->t);
            s->t = whole ? limit : s->t + h;
            s->h = whole && factor > 1 ? sign * fmax(fabs(s->h), fabs(h) * factor) : h * factor;
            s->steps++, own->tried = true;
            return true;
        }
        s->rejected++;
        s->h = h * fmin(1, factor);
    }
}

/* Within the last step: once more from its beginning, with a shorter one. */
static void at(nh_stepper *s, double t, double *x)
{
    runge *own = s->own;
    bool there = stages(s, own->t_from, own->from, t - own->t_from);
    for (size_t c = 0; c < s->motion->size; c++)
        x[c] = there ? own->trial[c] : NAN;
}

static void moved(nh_stepper *s) { (void)s; }

nh_stepper *nh_runge_new(const nh_motion *motion, nh_arena *arena, double tolerance)
{
    nh_stepper *s = nh_arena_array(arena, 1, sizeof *s);
    runge *own = nh_arena_array(arena, 1, sizeof *own);
    size_t n = motion->size;
    *s = (nh_stepper){.motion = motion, .t = motion->start[0], .h = 1e-3, .order = 8, .own = own};
    s->step = step, s->at = at, s->moved = moved;
    s->x = nh_arena_array(arena, n + 1, sizeof *s->x);
    memcpy(s->x, motion->start + 1, n * sizeof *s->x);
    *own = (runge){.machine = nh_series_new_double(motion->values, arena, 0), .tolerance = tolerance};
    for (int i = 0; i < STAGES; i++)
        own->k[i] = nh_arena_array(arena, n + 1, sizeof(double));
    own->trial = nh_arena_array(arena, n + 1, sizeof(double));
    own->from = nh_arena_array(arena, n + 1, sizeof(double));
    own->sizes = nh_arena_array(arena, n + 1, sizeof(double));
    for (size_t c = 0; c < n; c++)
        own->sizes[c] = fabs(s->x[c]);
    if (!nh_series_constants_double(own->machine, motion->constants))
        s->end = NH_RUN_SINGULAR;
    return s;
}
