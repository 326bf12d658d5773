/* Runge-Kutta of order 8 with control of the step.
 *
 * The estimators of a step know smooth fields only: of a step across a corner they may say anything, also that it is exact. The error
 * of such a step is taken to be as large as it can be, the step times the difference of the field along it: so that corners are
 * crossed by steps that are short enough for that. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = NH_RUNGE_STAGES };

/* Components are combined in pairs; where they are read from there is one number more if theirs is odd. A pair is read as it was
 * written, for a processor waits where that differs. */
typedef double pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

typedef struct runge {
    nh_series_double *machine;
    double *k, *trial; /* k: the field at all stages, each `room` numbers behind the one before */
    double *five, *three;
    size_t n, room;
    double *from, t_from; /* where the last step began */
    double *sizes;        /* the largest that each component has been */
    double tolerance;
    bool tried;
    nh_pulses *pulses; /* NULL: there are none */
    nh_stops *stops;   /* the same */
    bool crossed;      /* the last step did, see cross */
    double *sides;     /* of all corners, where the step begins */
    bool mixed;        /* some stages are on another side of a corner than its beginning */
    bool jumps;        /* the step begins where a sign is 0, a value that it has nowhere else */
    double nudge;      /* how far a step goes that leaves such a place, relative to others */
    double *last;      /* the field at the end of a step */
    double *
        noise; /* of the components, along a step: what rounding of the time makes of a field that depends on it; NULL: it does not */
} runge;

/* The field at the stage that is in the inputs. */
static bool field(nh_stepper *s, double *out)
{
    runge *own = s->own;
    const uint32_t *outputs = s->motion->values->outputs;
    size_t n = s->motion->size;
    if (!nh_series_step_double(own->machine, 0))
        return false;
    for (size_t i = 0; i + 1 < n; i += 2)
        *(pair *)(out + i) = (pair){own->machine->r[outputs[i]], own->machine->r[outputs[i + 1]]};
    if (n % 2)
        *(pair *)(out + n - 1) = (pair){own->machine->r[outputs[n - 1]], 0};
    return true;
}

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* On which side of the corners a stage is. Where a step begins on a corner, the first stage that does not tells its side. */
static void look_at_corners(nh_stepper *s, int stage)
{
    runge *own = s->own;
    const nh_tape *tape = s->motion->values;
    for (size_t i = 0; i < tape->n_corners; i++) {
        double side = nh_corner_side(tape, i, own->machine->r, 1);
        bool leaves = stage > 0 && own->sides[i] == 0 && side != 0; /* what stays on it, does not jump */
        own->jumps = own->jumps || (leaves && tape->steps[tape->corners[i]].op == NH_OP_SIGN);
        if (stage == 0 || own->sides[i] == 0)
            own->sides[i] = side;
        own->mixed = own->mixed || sign_of(side) != sign_of(own->sides[i]);
    }
}

/* The method itself, from runge.def: what is a number there is one in the code. Sums are formed by stages of even and of odd
 * number, so that neither waits for the other. */
#define ALWAYS __attribute__((always_inline))
#define K(j) (*(const pair *)(k + (j)*room))
#define TERM(j, a) *((j) % 2 ? &odd : &even) += (a)*K(j);
#define NODE(i, c)
#define FIFTH(j, e)
#define THIRD(j, e)

/* out = x + h sum_j a_ij k_j; i = STAGES: b_j instead of a_ij */
static inline ALWAYS void combine(const runge *own, const double *x, double h, int stage, double *out)
{
    size_t n = own->n, room = own->room;
    for (size_t c = 0; c < n; c += 2) {
        const double *k = own->k + c;
        pair even = {0}, odd = {0};
#define WEIGHT(i, j, a) \
    if (stage == (i))   \
    TERM(j, a)
#define LAST(j, b) WEIGHT(STAGES, j, b)
#include "integrate/runge.def"
#undef WEIGHT
#undef LAST
#define WEIGHT(i, j, a)
#define LAST(j, b)
        pair sum = *(const pair *)(x + c) + h * (even + odd);
        out[c] = sum[0];
        if (c + 1 < n)
            out[c + 1] = sum[1];
    }
}

/* The two estimators of the error, without the factor h. */
static void estimate(const runge *own)
{
    size_t room = own->room;
    for (size_t c = 0; c < room; c += 2) {
        const double *k = own->k + c;
        pair even = {0}, odd = {0};
#undef FIFTH
#define FIFTH(j, e) TERM(j, e)
#include "integrate/runge.def"
#undef FIFTH
#define FIFTH(j, e)
        *(pair *)(own->five + c) = even + odd;
        even = odd = (pair){0};
#undef THIRD
#define THIRD(j, e) TERM(j, e)
#include "integrate/runge.def"
#undef THIRD
#define THIRD(j, e)
        *(pair *)(own->three + c) = even + odd;
    }
}

static inline ALWAYS bool evaluate(nh_stepper *s, double t, const double *x, double h, int i, double node)
{
    const runge *own = s->own;
    own->machine->r[0] = t + node * h;
    combine(own, x, h, i, own->machine->r + 1);
    if (!field(s, own->k + (size_t)i * own->room))
        return false;
    look_at_corners(s, i);
    if (own->pulses)
        nh_pulses_look(own->pulses, own->machine->r);
    return true;
}

/* From (t, x) on by h, into trial. */
static bool stages(nh_stepper *s, double t, const double *x, double h)
{
    runge *own = s->own;
    own->mixed = own->jumps = false;
    if (own->pulses)
        nh_pulses_begin(own->pulses);
#undef NODE
#define NODE(i, c)                       \
    if (!evaluate(s, t, x, h, (i), (c))) \
        return false;
#include "integrate/runge.def"
    combine(own, x, h, STAGES, own->trial);
    return true;
}

/* Of two numbers that are not NaN, or the second one. */
static inline double larger(double a, double b) { return a > b ? a : b; }

/* The field at a time and trial + h change into `change`. */
static bool field_beside(nh_stepper *s, double t, double h, double *change)
{
    runge *own = s->own;
    own->machine->r[0] = t;
    for (size_t c = 0; c < s->motion->size; c++)
        own->machine->r[1 + c] = own->trial[c] + h * change[c];
    return field(s, change);
}

/* The time of a stage is rounded, by e |t|, and the field there is as much another one as the time alone makes it meanwhile, and as what that makes of the
 * state. A component that is nothing up to a corner, and less than that for a while behind it, cannot be more exact. Asked where a step is not good
 * enough otherwise. */
static void find_noise(nh_stepper *s, double h)
{
    runge *own = s->own;
    double end = s->t + h, before = end - 4 * DBL_EPSILON * fabs(s->t);
    size_t n = s->motion->size;
    memset(own->last, 0, n * sizeof *own->last);
    bool there = field_beside(s, end, 0, own->last);
    for (int i = 0; i < 2; i++) {
        there = there && field_beside(s, before, h, own->noise);
        for (size_t c = 0; c < n; c++)
            own->noise[c] -= own->last[c];
    }
    for (size_t c = 0; c < n; c++)
        own->noise[c] = there && isfinite(own->noise[c]) ? fabs(h * own->noise[c]) : 0;
}

/* What an error of each component is measured by. */
static inline double scale_of(const nh_stepper *s, double h, size_t c, double largest)
{
    const runge *own = s->own;
    double size =
        larger(larger(fabs(s->x[c]), fabs(own->trial[c])), larger(own->sizes[c], fabs(h * own->k[c])));
    double floor = own->noise ? larger(own->noise[c], s->rounding[c]) : s->rounding[c];
    return larger(own->tolerance * larger(size, 1e-6 * largest), floor); /* what begins with nothing */
}

/* Across a corner: |h| times the largest difference of the field from what it was at the beginning, and this several times: errors of
 * corners add up, and a little shorter step costs nothing. Times cannot be told apart below their rounding. */
static const double strictness = 8, shortest = 8 * DBL_EPSILON;

static double error_across(const nh_stepper *s, double h, double largest)
{
    const runge *own = s->own;
    double worst = 0;
    for (size_t c = 0; c < s->motion->size; c++)
        for (int j = 1; j < STAGES; j++)
            worst = fmax(worst, fabs(h * (own->k[(size_t)j * own->room + c] - own->k[c])) /
                                    scale_of(s, h, c, largest));
    return strictness * worst;
}

/* As in the book: both estimators together, relative to the tolerance. */
static double error_within(const nh_stepper *s, double h, double largest)
{
    const runge *own = s->own;
    double five = 0, three = 0;
    size_t n = s->motion->size;
    estimate(own);
    for (size_t c = 0; c < n; c++) {
        double scale = scale_of(s, h, c, largest), a = own->five[c] / scale, b = own->three[c] / scale;
        five += a * a, three += b * b;
    }
    double below = five + 0.01 * three;
    return !isfinite(below) ? INFINITY : below > 0 ? fabs(h) * five / sqrt(below * (double)(n ? n : 1)) : 0;
}

static double error_of(nh_stepper *s, double h)
{
    const runge *own = s->own;
    double largest = 1e-300;
    for (size_t c = 0; c < s->motion->size; c++)
        largest = larger(larger(own->sizes[c], fabs(own->trial[c])), largest);
    if (own->noise)
        memset(own->noise, 0, s->motion->size * sizeof *own->noise);
    double within = error_within(s, h, largest);
    if (own->noise && within > 1 && isfinite(within))
        find_noise(s, h), within = error_within(s, h, largest);
    if (!own->mixed || !isfinite(within))
        return within;
    double error = fmax(within, error_across(s, h, largest));
    return fabs(h) <= shortest * fabs(s->t)
               ? fmin(error, 1)
               : error; /* also where all begins with nothing behind the corner */
}

/* How much longer the next step is; across a corner errors are in proportion to it, or to its square. */
static double factor_for(const nh_stepper *s, double error)
{
    const runge *own = s->own;
    if (!isfinite(error))
        return 0.1;
    if (own->mixed && error > 1)
        return fmax(0.1, 0.7 / sqrt(error));
    return error == 0 ? 5 : fmin(5, fmax(0.2, 0.9 * pow(error, -1.0 / 8)));
}

/* Machine code, as in taylor.c: twelve values a step. */
static void use_code(nh_stepper *s, double left)
{
    nh_series_double *machine = ((runge *)s->own)->machine;
    if (!machine->value_code && nh_code_pays(s, s->motion->values, STAGES, left))
        nh_series_use(machine, nh_motion_compile_values(s->motion));
}

static void accept(nh_stepper *s, double h, double limit)
{
    runge *own = s->own;
    own->t_from = s->t;
    memcpy(own->from, s->x, s->motion->size * sizeof *s->x);
    memcpy(s->x, own->trial, s->motion->size * sizeof *s->x);
    for (size_t c = 0; c < s->motion->size; c++)
        own->sizes[c] = larger(fabs(s->x[c]), own->sizes[c]);
    s->t = fabs(h) >= fabs(limit - s->t) ? limit : s->t + h;
    s->steps++, s->across += own->mixed || own->jumps, own->tried = true;
}

/* Whether a step of the length h that was tried may have stepped over something. By the mean value theorem x is within it between x + h k, k the least
 * and the largest rate of the stages. */
static bool is_blind(const nh_stepper *s, double h)
{
    const runge *own = s->own;
    if (!own->pulses || !nh_pulses_are_likely(own->pulses))
        return false;
    nh_pulses_box(own->pulses, 0, fmin(s->t, s->t + h), fmax(s->t, s->t + h));
    for (size_t c = 0; c < s->motion->size; c++) {
        double low = fmin(s->x[c], own->trial[c]), high = fmax(s->x[c], own->trial[c]);
        for (size_t j = 0; j < STAGES; j++) {
            double there = s->x[c] + h * own->k[j * own->room + c];
            low = fmin(low, there), high = fmax(high, there);
        }
        nh_pulses_box(own->pulses, 1 + c, low, high);
    }
    return nh_pulses_may_hide(own->pulses);
}

/* Over a place that is known beforehand (stops.c), some units of rounding long: with the mean of the rates before and behind it, if there are both. */
static bool cross(nh_stepper *s, double end)
{
    runge *own = s->own;
    double h = end - s->t;
    bool both = stages(s, s->t, s->x, h);
    const double *before = own->k, *behind = own->k + (STAGES - 1) * own->room;
    for (size_t c = 0; c < s->motion->size; c++) {
        double mean = before[c] + (behind[c] - before[c]) / 2,
               rate = both && isfinite(mean) ? mean : before[c];
        own->trial[c] = s->x[c] + h * rate;
    }
    own->mixed = own->jumps = false, own->crossed = true;
    accept(s, h, end);
    return true;
}

/* A step from where a sign is 0 has that value once and never again: it is so short that this does not matter. */
static bool leave_jump(nh_stepper *s, double limit)
{
    runge *own = s->own;
    double length = fmin(own->nudge * fmax(fabs(s->h), fabs(s->t)), fabs(limit - s->t));
    own->nudge = fmin(4 * own->nudge, 0.1); /* until it is left */
    if (!stages(s, s->t, s->x, limit < s->t ? -length : length)) {
        s->end = NH_RUN_SINGULAR;
        return false;
    }
    accept(s, limit < s->t ? -length : length, limit);
    return true;
}

static const double least_nudge = 4 * DBL_EPSILON;

static bool step(nh_stepper *s, double limit)
{
    runge *own = s->own;
    use_code(s, limit - s->t);
    double sign = limit < s->t ? -1 : 1, whole = 0, end;
    bool looks = true;
    nh_ahead stop = nh_stops_next(own->stops, 0, s->t, s->x, limit, &end);
    if (stop == NH_AHEAD_PLACE)
        return cross(s, end);
    if (stop == NH_AHEAD_POLE) {
        s->end = NH_RUN_NOT_FINITE;
        return false;
    }
    own->crossed = false;
    for (;;) {
        double h = sign * fmin(fmin(fabs(s->h), nh_longest_step(s, limit)), fabs(end - s->t));
        if (fabs(h) < 1e-15 * fmax(nh_instant(s, limit), fabs(s->t)) && fabs(end - s->t) > fabs(h)) {
            s->end = own->tried ? NH_RUN_STEP_TOO_SMALL : NH_RUN_NOT_FINITE;
            return false;
        }
        double error = stages(s, s->t, s->x, h) ? error_of(s, h) : INFINITY;
        if (own->jumps && isfinite(error))
            return leave_jump(s, end);
        double factor = factor_for(s, error);
        if (error <= 1 && looks &&
            is_blind(s, h)) { /* as in hidden.inc: if shorter steps see no more, the whole one */
            whole = fmax(whole, fabs(h)), looks = nh_pulses_have_room(s, h, limit);
            s->rejected++, s->h = looks ? h / 2 : sign * whole;
            continue;
        }
        if (error <= 1) {
            bool last = fabs(h) >= fabs(end - s->t);
            accept(s, h, end);
            s->h = last && factor > 1 ? sign * fmax(fabs(s->h), fabs(h) * factor) : h * factor;
            own->nudge = least_nudge;
            return true;
        }
        s->rejected++;
        s->h = h * fmin(1, factor);
        if (own->mixed && isfinite(error)) /* not past the shortest that crosses a corner */
            s->h = sign * fmax(fabs(s->h), fmin(fabs(h), 0.9 * shortest * fabs(s->t)));
    }
}

/* Within the last step: once more from its beginning, with a shorter one. */
static void at(nh_stepper *s, double t, double *x)
{
    runge *own = s->own;
    if (own->crossed) {
        memcpy(x, own->from, s->motion->size * sizeof *x);
        return;
    }
    bool there = stages(s, own->t_from, own->from, t - own->t_from);
    for (size_t c = 0; c < s->motion->size; c++)
        x[c] = there ? own->trial[c] : NAN;
}

static void moved(nh_stepper *s) { (void)s; }

/* Input 0 is the time. */
static bool depends_on_time(const nh_tape *tape)
{
    bool depends = false;
    for (size_t i = 0; i < tape->n_steps; i++) {
        const nh_step *step = &tape->steps[i];
        depends = depends || (step->op != NH_OP_SOLVE && (step->a == 0 || step->b == 0));
    }
    for (size_t i = 0; i < tape->n_outputs; i++)
        depends = depends || tape->outputs[i] == 0;
    for (size_t i = 0; i < tape->n_systems; i++)
        for (size_t k = 0; k < tape->systems[i].n; k++)
            depends = depends || tape->systems[i].right[k] == 0;
    return depends;
}

nh_stepper *nh_runge_new(const nh_motion *motion, nh_arena *arena, double tolerance)
{
    nh_stepper *s = nh_arena_array(arena, 1, sizeof *s);
    runge *own = nh_arena_array(arena, 1, sizeof *own);
    size_t n = motion->size, room = (n + 1) / 2 * 2;
    *s = (nh_stepper){
        .motion = motion, .t = motion->start[0], .h = 1e-3, .tolerance = tolerance, .order = 8, .own = own};
    s->step = step, s->at = at, s->moved = moved;
    s->x = nh_zeros(arena, room);
    memcpy(s->x, motion->start + 1, n * sizeof *s->x);
    *own = (runge){.machine = nh_series_new_double(motion->values, arena, 0),
                   .tolerance = tolerance,
                   .nudge = least_nudge,
                   .n = n,
                   .room = room};
    /* the zeros behind the components are combined, too */
    own->k = nh_zeros(arena, STAGES * room);
    own->trial = nh_zeros(arena, room), own->from = nh_zeros(arena, room);
    own->five = nh_zeros(arena, room), own->three = nh_zeros(arena, room);
    own->sides = nh_zeros(arena, motion->values->n_corners);
    s->rounding = nh_zeros(arena, n), own->sizes = nh_zeros(arena, n);
    own->pulses = nh_pulses_new(motion, arena), own->stops = nh_stops_new(motion, arena, 1);
    if (own->stops)
        nh_stops_begin(own->stops, 0, motion->start, motion->constants);
    own->noise = depends_on_time(motion->values) ? nh_zeros(arena, room) : NULL;
    own->last = nh_zeros(arena, room);
    for (size_t c = 0; c < n; c++)
        own->sizes[c] = fabs(s->x[c]);
    if (!nh_series_constants_double(own->machine, motion->constants))
        s->end = NH_RUN_SINGULAR;
    return s;
}
