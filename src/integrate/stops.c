/* What is known of a run beforehand: the times at which something that depends on the time alone comes to 0, and decides a corner or is divided by. No
 * step without series leads across one: it ends before it, and the next one begins behind.
 *
 * g(t) is enclosed in intervals, in pieces of the time from the first on: where it is away from 0 there is no zero, where its rate does not change its
 * sign there is one at most, and the signs at the ends tell. Pieces that do not tell are made shorter. What is as short as the rounding of the time,
 * and does not tell, is a place at which a step ends, and no more: a zero that is only touched, or a multiple one. */
#include "integrate/inner.h"

#include <float.h>
#include <string.h>

#define NO_REGISTER UINT32_MAX

/* g = a, or a - b. */
typedef struct target {
    uint32_t a, b, *steps; /* steps: those that make it */
    size_t n_steps;
    bool decides, divides; /* a corner; something may be infinite where it is 0 */
} target;

/* The next zero of a target in one run: before it and behind it are the last and the first time at which the sign is known. */
typedef struct place {
    double before, behind;
    double next;         /* where one looks for the one behind it */
    double width, least; /* of the last piece; and of the shortest one that is asked */
} place;

struct nh_stops {
    const nh_motion *motion;
    nh_enclosure *parts;
    size_t loaded; /* the seat whose constants it has */
    target *targets;
    size_t n_targets, capacity;
    bool *needed;               /* by register */
    place *places;              /* by seat and target */
    double *constants, *starts; /* by seat; starts: the time, then the state */
    nh_interval *fields;        /* by scale and component */
    double *beside;             /* a state */
};

/* ---------------------------------------------------------------- what depends on the time alone */

/* By register: whether it depends on nothing that changes but the time. */
static bool *timed_registers(const nh_tape *t, nh_arena *arena)
{
    bool *timed = nh_arena_array(arena, t->n_registers + 2, sizeof *timed);
    for (size_t i = 0; i < t->n_registers + 2; i++)
        timed[i] = i == 0 || i >= t->n_inputs;
    for (size_t i = 0; i < t->n_steps; i++) {
        const nh_step *s = &t->steps[i];
        bool alone = s->op != NH_OP_SOLVE && timed[s->a] && timed[s->b];
        size_t count = s->op == NH_OP_SOLVE ? t->systems[s->a].n : nh_op_is_pair(s->op) ? 2 : 1;
        for (size_t k = 0; k < count; k++)
            timed[s->out + k] = alone;
    }
    return timed;
}

bool *nh_timed_corners(const nh_tape *t, nh_arena *arena)
{
    bool *timed = timed_registers(t, arena), *out = nh_arena_array(arena, t->n_corners + 1, sizeof *out);
    for (size_t i = 0; i < t->n_corners; i++) {
        const nh_step *s = &t->steps[t->corners[i]];
        bool two = s->op == NH_OP_MIN || s->op == NH_OP_MAX;
        out[i] = timed[s->a] && (!two || timed[s->b]);
    }
    return out;
}

/* In the order of the tape: the steps that a register is made by. */
static void find_steps(const nh_tape *t, nh_arena *arena, bool *needed, target *g)
{
    memset(needed, 0, (t->n_registers + 2) * sizeof *needed);
    needed[g->a] = true;
    if (g->b != NO_REGISTER)
        needed[g->b] = true;
    g->steps = nh_arena_array(arena, t->n_steps + 1, sizeof *g->steps);
    for (size_t i = t->n_steps; i-- > 0;) {
        const nh_step *s = &t->steps[i];
        if (s->op == NH_OP_SOLVE || !(needed[s->out] || (nh_op_is_pair(s->op) && needed[s->out + 1])))
            continue;
        needed[s->a] = needed[s->b] = true;
        g->steps[g->n_steps++] = (uint32_t)i;
    }
    for (size_t i = 0; i < g->n_steps / 2; i++) {
        uint32_t other = g->steps[g->n_steps - 1 - i];
        g->steps[g->n_steps - 1 - i] = g->steps[i], g->steps[i] = other;
    }
}

static void add_target(nh_stops *s, nh_arena *arena, uint32_t a, uint32_t b, bool divides)
{
    for (size_t i = 0; i < s->n_targets; i++)
        if (s->targets[i].a == a && s->targets[i].b == b) {
            s->targets[i].divides |= divides, s->targets[i].decides |= !divides;
            return;
        }
    target g = {.a = a, .b = b, .decides = !divides, .divides = divides};
    find_steps(s->motion->values, arena, s->needed, &g);
    if (g.n_steps || a == 0 || b == 0)
        nh_push(arena, s->targets, s->n_targets, s->capacity) = g;
}

/* What is 0 where b^2, |b| or the root of b is; NO_REGISTER: it is never 0. */
static uint32_t innermost(const nh_stops *s, uint32_t reg)
{
    const nh_tape *t = s->motion->values;
    for (;;) {
        reg = s->parts->base[reg];
        const nh_step *made = t->maker[reg] ? &t->steps[t->maker[reg] - 1] : NULL;
        if (!made || (made->op != NH_OP_ABS && made->op != NH_OP_SQRT && made->op != NH_OP_EXP))
            return reg;
        if (made->op == NH_OP_EXP)
            return NO_REGISTER;
        reg = made->a;
    }
}

/* What a step may be infinite by where it is 0: exponentials, too, which nh_tape.steep leaves out. False: nothing. */
static bool divisor_of(const nh_step *s, uint32_t *reg)
{
    *reg = s->op == NH_OP_DIV ? s->b : s->a;
    return s->op == NH_OP_DIV || s->op == NH_OP_SQRT || s->op == NH_OP_POWER || s->op == NH_OP_LOG;
}

static void find_targets(nh_stops *s, nh_arena *arena)
{
    const nh_tape *t = s->motion->values;
    bool *timed = timed_registers(t, arena), *corners = nh_timed_corners(t, arena);
    for (size_t i = 0; i < t->n_corners; i++) {
        const nh_step *step = &t->steps[t->corners[i]];
        bool two = step->op == NH_OP_MIN || step->op == NH_OP_MAX;
        if (corners[i])
            add_target(s, arena, step->a, two ? step->b : NO_REGISTER, false);
    }
    for (size_t i = 0; i < t->n_steps; i++) {
        uint32_t by, reg = divisor_of(&t->steps[i], &by) && timed[by] ? innermost(s, by) : NO_REGISTER;
        if (reg != NO_REGISTER)
            add_target(s, arena, reg, NO_REGISTER, true);
    }
}

enum { SCALES = 8 };

nh_stops *nh_stops_new(const nh_motion *m, nh_arena *arena, size_t seats)
{
    const nh_tape *t = m->values;
    if (!t->n_corners && !t->n_steep && !t->has_hidden)
        return NULL;
    nh_stops *s = nh_arena_array(arena, 1, sizeof *s);
    *s = (nh_stops){.motion = m, .parts = nh_enclosure_new(t, arena), .loaded = SIZE_MAX};
    s->needed = nh_arena_array(arena, t->n_registers + 2, sizeof *s->needed);
    find_targets(s, arena);
    s->places = nh_arena_array(arena, seats * s->n_targets + 1, sizeof *s->places);
    s->constants = nh_zeros(arena, seats * t->n_constant_inputs),
    s->starts = nh_zeros(arena, seats * (1 + m->size));
    s->fields = nh_arena_array(arena, SCALES * m->size + 1, sizeof *s->fields);
    s->beside = nh_zeros(arena, m->size);
    return s->n_targets ? s : NULL;
}

void nh_stops_begin(nh_stops *s, size_t seat, const double *start, const double *constants)
{
    size_t size = 1 + s->motion->size;
    size_t count = s->motion->values->n_constant_inputs;
    memcpy(s->constants + seat * count, constants, count * sizeof *constants);
    memcpy(s->starts + seat * size, start, size * sizeof *start), s->loaded = SIZE_MAX;
    for (size_t i = 0; i < s->n_targets; i++)
        s->places[seat * s->n_targets + i] = (place){NAN, NAN, start[0], INFINITY, 0};
}

/* ---------------------------------------------------------------- one target */

static nh_interval coefficient(nh_stops *s, const target *g, size_t k)
{
    nh_enclosure *e = s->parts;
    nh_enclosure_some(e, k, g->steps, g->n_steps);
    nh_interval a = e->r[k * e->stride + g->a];
    if (g->b == NO_REGISTER)
        return a;
    nh_interval b = e->r[k * e->stride + g->b];
    return (nh_interval){a.low == b.high ? 0 : nextafter(a.low - b.high, -INFINITY),
                         a.high == b.low ? 0 : nextafter(a.high - b.low, INFINITY)};
}

static nh_interval value_within(nh_stops *s, const target *g, double from, double to)
{
    nh_enclosure *e = s->parts;
    e->r[0] = (nh_interval){fmin(from, to), fmax(from, to)};
    return coefficient(s, g, 0);
}

/* After the value, on the same piece. */
static nh_interval rate_within(nh_stops *s, const target *g)
{
    s->parts->r[s->parts->stride] = (nh_interval){1, 1};
    return coefficient(s, g, 1);
}

enum { UNSURE = 2 };

/* -1, 0 or 1, whatever rounding does. */
static int sign_at(nh_stops *s, const target *g, double t)
{
    nh_interval v = value_within(s, g, t, t);
    return v.low > 0 ? 1 : v.high < 0 ? -1 : v.low == 0 && v.high == 0 ? 0 : UNSURE;
}

/* Between `is`, where the sign is this one, and `other`, where it is not: the last place where it is. */
static double last_place(nh_stops *s, const target *g, double is, double other, int sign)
{
    for (;;) {
        double middle = is + (other - is) / 2;
        if (middle == is || middle == other)
            return is;
        if (sign_at(s, g, middle) == sign)
            is = middle;
        else
            other = middle;
    }
}

/* Some units of rounding before a place, so that no time of a stage is rounded to behind it. */
static double somewhat_before(double where, double from, double to)
{
    double t = where;
    for (int i = 0; i < 3 && t != from; i++)
        t = nextafter(t, to > from ? -INFINITY : INFINITY);
    return t;
}

static double rounding_of(double a, double b) { return DBL_EPSILON * fmax(fabs(a), fabs(b)); }

typedef enum verdict { NONE, FOUND, UNDECIDED } verdict;

static verdict look_within(nh_stops *s, const target *g, place *p, double from, double to)
{
    nh_interval value = value_within(s, g, from, to);
    if (value.low > 0 || value.high < 0 || (value.low == 0 && value.high == 0))
        return NONE;
    nh_interval rate = rate_within(s, g);
    if (!(rate.low >= 0 || rate.high <= 0))
        return UNDECIDED;
    int first = sign_at(s, g, from), last = sign_at(s, g, to);
    if (last == UNSURE)
        return UNDECIDED;
    if (first == last)
        return NONE;
    double behind = last_place(s, g, to, from, last);
    if (first == UNSURE && fabs(behind - from) > 64 * rounding_of(from, behind))
        return NONE; /* it comes from there */
    double before = first == UNSURE ? from : last_place(s, g, from, to, first);
    p->before = somewhat_before(before, from, to), p->behind = p->next = behind;
    return FOUND;
}

enum { MOST_PIECES = 4096 };

/* The first zero from p->next to `to`, which is no number where there is none. */
static void look_for(nh_stops *s, const target *g, place *p, double to)
{
    double from = p->next, at = from, width = fmin(fabs(to - from), 4 * p->width), sign = to < from ? -1 : 1;
    p->before = p->behind = sign * INFINITY, p->next = to;
    for (int i = 0; at != to; i++) {
        double end = width >= fabs(to - at) ? to : at + sign * width;
        double least = fmax(p->least, 4 * rounding_of(at, end));
        end = end == at ? nextafter(at, to) : end;
        verdict found = look_within(s, g, p, at, end);
        p->width = fabs(end - at);
        if (found == FOUND)
            return;
        bool nothing = found == UNDECIDED && width <= least;
        if (nothing || i == MOST_PIECES) {
            p->before = p->behind = at, p->next = nothing ? end : at;
            p->least = nothing ? 4 * least : p->least;
            return;
        }
        at = found == NONE ? end : at;
        p->least = found == NONE && width > 64 * p->least ? 0 : p->least;
        width *= found == NONE ? 1.9 : 0.47;
    }
}

/* ---------------------------------------------------------------- what is infinite */

static double least_size(nh_interval a) { return a.low > 0 ? a.low : a.high < 0 ? -a.high : 0; }
static double largest_size(nh_interval a) { return fmax(fabs(a.low), fabs(a.high)); }

/* The field of a state, at another time. */
static void enclose_field(nh_stops *s, double t, const double *x, nh_interval *out)
{
    nh_enclosure *e = s->parts;
    e->r[0] = (nh_interval){t, t};
    for (size_t i = 0; i < s->motion->size; i++)
        e->r[1 + i] = (nh_interval){x[i], x[i]};
    nh_enclosure_step(e, 0);
    for (size_t i = 0; i < s->motion->size; i++)
        out[i] = e->r[s->motion->values->outputs[i]];
}

static nh_interval change_of(const nh_stops *s, size_t i, size_t k)
{
    nh_interval a = s->fields[(k - 1) * s->motion->size + i], b = s->fields[k * s->motion->size + i];
    return (nh_interval){b.low - a.high, b.high - a.low};
}

/* Whether a component changes by more and more from scale to scale, up to the last one on which that is more than rounding; or is beyond all numbers
 * somewhere, as exp(1/t) soon is. */
static bool grows(const nh_stops *s, size_t i)
{
    const double more = 1.15, beyond = 1e300;
    size_t last = 0, n = s->motion->size;
    for (size_t k = 1; k < SCALES; k++)
        if (least_size(s->fields[k * n + i]) > beyond && largest_size(s->fields[i]) < beyond)
            return true;
    for (size_t k = 1; k < SCALES; k++) {
        nh_interval change = change_of(s, i, k);
        last = change.high - change.low < 0.01 * largest_size(change) ? k : last;
    }
    bool all = last >= 4;
    for (size_t k = all ? last - 2 : SCALES; k <= last && k < SCALES; k++)
        all = all && least_size(change_of(s, i, k)) > more * largest_size(change_of(s, i, k - 1));
    return all;
}

/* Whether the field of a state grows beyond all bounds next to a time, as 1/t and log(t) do, and sin(t)/t and sqrt(t) do not: 2^-4 to 2^-46 of the time, and
 * of the one since the motion began, from there. */
static bool is_infinite(nh_stops *s, double t, double length, const double *x)
{
    static const int exponents[SCALES] = {4, 5, 7, 10, 15, 22, 32, 46};
    const double scale = fabs(t) + length; /* since it began */
    for (int side = -1; side <= 1; side += 2) {
        for (size_t k = 0; k < SCALES; k++)
            enclose_field(s, t + side * ldexp(scale, -exponents[k]), x, s->fields + k * s->motion->size);
        for (size_t i = 0; i < s->motion->size; i++)
            if (grows(s, i))
                return true;
    }
    return false;
}

/* For the state there, or for the one where the motion began, which is not as large as it is next to a pole. */
static bool is_pole(nh_stops *s, size_t seat, double middle, double t, const double *x)
{
    const double *start = s->starts + seat * (1 + s->motion->size);
    double length = fabs(t - start[0]);
    return is_infinite(s, middle, length, x) || is_infinite(s, middle, length, start + 1);
}

/* The same for others beside it: whether there can be a pole at all. 0/0 has few digits near by, and steps better do not end there. */
static bool may_be_pole(nh_stops *s, size_t seat, const place *p, double t, const double *x)
{
    double middle = p->before + (p->behind - p->before) / 2;
    bool may = is_pole(s, seat, middle, t, x);
    for (int side = -1; side <= 1 && !may; side += 2) {
        for (size_t i = 0; i < s->motion->size; i++)
            s->beside[i] = x[i] + side * (1 + fabs(x[i])) * (1 + (double)i / (double)s->motion->size) / 2;
        may = is_infinite(s, middle, fabs(t - s->starts[seat * (1 + s->motion->size)]), s->beside);
    }
    return may;
}

/* ---------------------------------------------------------------- all targets */

static void use_constants(nh_stops *s, size_t seat)
{
    if (s->loaded != seat)
        nh_enclosure_constants(s->parts, s->constants + seat * s->motion->values->n_constant_inputs);
    s->loaded = seat;
}

/* Whether a time is not before a place, on the way forwards or backwards. */
static bool is_at(double t, double where, double sign) { return sign * t >= sign * where; }

static bool is_known(const place *p, double t, double to, double sign)
{
    if (isnan(p->before) || isinf(p->before))
        return isinf(p->before) && is_at(p->next, to, sign);
    return p->before == p->behind ? is_at(p->before, t, sign) : !is_at(t, p->behind, sign);
}

/* Whether a place of what is only divided by matters. Where it is touched and has no more than half of its digits, no step better ends but for a pole of this motion. */
static bool matters(nh_stops *s, size_t seat, const place *p, double t, const double *x)
{
    return p->before == p->behind ? is_pole(s, seat, p->before, t, x) : may_be_pole(s, seat, p, t, x);
}

/* The next place of a target that matters. What is divided by changes its sign there, or comes to 0 and goes back, as |t - 1| does. */
static void find_next(nh_stops *s, size_t seat, size_t which, double t, const double *x, double to)
{
    const target *g = &s->targets[which];
    place *p = &s->places[seat * s->n_targets + which];
    use_constants(s, seat);
    do
        look_for(s, g, p, to);
    while (!g->decides && isfinite(p->before) && !matters(s, seat, p, t, x));
}

/* The nearest place in front. */
static const place *nearest(nh_stops *s, size_t seat, double t, const double *x, double to)
{
    double sign = to < t ? -1 : 1;
    const place *best = NULL;
    for (size_t i = 0; i < s->n_targets; i++) {
        place *p = &s->places[seat * s->n_targets + i];
        while (!is_known(p, t, to, sign))
            find_next(s, seat, i, t, x, to);
        best = best && is_at(p->before, best->before, sign) ? best : p;
    }
    return best;
}

/* Whether something may be infinite at the place, or at others up to behind it. */
static bool divides(const nh_stops *s, size_t seat, const place *best, double sign)
{
    bool may = false;
    for (size_t i = 0; i < s->n_targets; i++)
        may = may ||
              (s->targets[i].divides && is_at(best->behind, s->places[seat * s->n_targets + i].before, sign));
    return may;
}

/* A place that is no more than that is left behind. */
static void leave(nh_stops *s, size_t seat, double t)
{
    for (size_t i = 0; i < s->n_targets; i++) {
        place *p = &s->places[seat * s->n_targets + i];
        if (p->before == t && p->behind == t)
            p->before = p->behind = NAN;
    }
}

nh_ahead nh_stops_next(nh_stops *s, size_t seat, double t, const double *x, double to, double *end)
{
    double sign = to < t ? -1 : 1;
    *end = to;
    while (s && t != to) {
        const place *p = nearest(s, seat, t, x, to);
        if (!is_at(t, p->before, sign)) {
            *end = is_at(p->before, to, sign) ? to : p->before;
            break;
        }
        use_constants(s, seat);
        double middle = p->before + (p->behind - p->before) / 2;
        if (divides(s, seat, p, sign) && is_pole(s, seat, middle, t, x))
            return NH_AHEAD_POLE;
        if (p->before != p->behind) {
            *end = is_at(p->behind, to, sign) ? to : p->behind;
            return NH_AHEAD_PLACE;
        }
        leave(s, seat, p->before);
    }
    return NH_AHEAD_NOTHING;
}

double nh_stops_pole(nh_stops *s, double t, const double *x, double to)
{
    nh_ahead ahead = NH_AHEAD_NOTHING;
    double now = t, end = to;
    for (; s && now != to && ahead != NH_AHEAD_POLE; now = ahead == NH_AHEAD_POLE ? now : end)
        ahead = nh_stops_next(s, 0, now, x, to, &end);
    return now;
}

/* Forwards or backwards, up to `to`. */
static bool has_pole_before(nh_stops *s, const nh_motion *m, double to)
{
    nh_stops_begin(s, 0, m->start, m->constants);
    return nh_stops_pole(s, m->start[0], m->start + 1, to) != to;
}

bool nh_begins_at_pole(const nh_motion *m, nh_arena *arena)
{
    nh_stops *s = nh_stops_new(m, arena, 1);
    double t = m->start[0], near_by = 1e-9 * fabs(t);
    return s && t != 0 && (has_pole_before(s, m, t + near_by) || has_pole_before(s, m, t - near_by));
}
