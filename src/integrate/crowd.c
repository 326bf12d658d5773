/* Up to 64 motions of one system at once, by Runge-Kutta of order 8; every lane has its own time, step and constants, and computes what
 * it would compute beside any other lanes. As runge.c, with vectors. Compiled for each kind of processor. */
#include "base/vector.h"
#include "integrate/lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { VECTORS = NH_CROWD / NH_LANES, STAGES = NH_RUNGE_STAGES };
static const nh_runge_table *const table = &nh_runge_8;

/* One number of every member. */
typedef struct crowd_row {
    lanes v[VECTORS];
} crowd_row;

struct nh_pack {
    const nh_motion *motion;
    nh_crowd *values;
    crowd_row *x, *trial, *sizes, *constants; /* by component; sizes: the largest that each has been */
    crowd_row *k[STAGES];
    crowd_row t, h, trial_h, error;
    crowd_row *sides;        /* of all corners, where the step begins */
    crowd_row mixed;         /* not 0: some stages are on another side of a corner than its beginning */
    crowd_row *least, *most; /* by nh_tape.steep: its size at the stages */
    nh_stops *stops;         /* NULL: there are none */
    nh_ahead places[NH_CROWD];
    crowd_row ends; /* of the steps, at the latest */
    double *state;  /* of one member */
    double tolerance;
};

static crowd_row *zeros(nh_arena *arena, size_t count)
{
    crowd_row *all = nh_arena_array(arena, count + 1, sizeof *all);
    return memset(all, 0, (count + 1) * sizeof *all);
}

static nh_pack *make_crowd(const nh_motion *m, nh_arena *arena, double tolerance, size_t order,
                           const nh_native *native)
{
    nh_pack *e = (nh_pack *)nh_arena_array(arena, 1, sizeof *e);
    (void)order, (void)native;
    memset(e, 0, sizeof *e);
    e->motion = m, e->tolerance = tolerance, e->values = nh_crowd_new(m->values, arena);
    e->x = zeros(arena, m->size), e->trial = zeros(arena, m->size), e->sizes = zeros(arena, m->size);
    for (int i = 0; i < STAGES; i++)
        e->k[i] = zeros(arena, m->size);
    e->constants = zeros(arena, m->values->n_constant_inputs);
    e->sides = zeros(arena, m->values->n_corners);
    e->stops = nh_stops_new(m, arena, NH_CROWD), e->state = nh_zeros(arena, m->size);
    e->least = zeros(arena, m->values->n_steep), e->most = zeros(arena, m->values->n_steep);
    return e;
}

#define MEMBER(row, lane) ((double *)&(row))[lane]

static void put_member(nh_pack *e, int lane, const double *start, const double *constants)
{
    MEMBER(e->t, lane) = start[0], MEMBER(e->h, lane) = 1e-3;
    for (size_t c = 0; c < e->motion->size; c++)
        MEMBER(e->x[c], lane) = start[1 + c], MEMBER(e->sizes[c], lane) = fabs(start[1 + c]);
    for (size_t i = 0; i < e->motion->values->n_constant_inputs; i++)
        MEMBER(e->constants[i], lane) = constants[i];
    if (e->stops)
        nh_stops_begin(e->stops, (size_t)lane, start, constants);
}

static void begin_crowd(nh_pack *e) { nh_crowd_constants(e->values, (const double *)e->constants); }

static const double *times_crowd(const nh_pack *e) { return (const double *)&e->t; }

/* ---------------------------------------------------------------- one step */

/* k_i = f(t + nodes_i h, trial) */
static void field(nh_pack *e, int i, size_t count)
{
    crowd_row *r = (crowd_row *)e->values->r;
    const uint32_t *outputs = e->motion->values->outputs;
    for (size_t v = 0; v < count; v++)
        r[0].v[v] = fused(in_all_lanes(table->nodes[i]), e->trial_h.v[v], e->t.v[v]);
    for (size_t c = 0; c < e->motion->size; c++)
        memcpy(&r[1 + c], &e->trial[c], count * sizeof(lanes));
    nh_crowd_values(e->values, count * NH_LANES);
    for (size_t c = 0; c < e->motion->size; c++)
        memcpy(&e->k[i][c], &r[outputs[c]], count * sizeof(lanes));
}

/* On which sides of the corners stage i is, as runge.c. */
static void look_at_corners(nh_pack *e, int i, size_t count)
{
    const nh_tape *tape = e->motion->values;
    const crowd_row *r = (const crowd_row *)e->values->r;
    for (size_t k = 0; k < tape->n_corners; k++) {
        const nh_step *s = &tape->steps[tape->corners[k]];
        bool two = s->op == NH_OP_MIN || s->op == NH_OP_MAX;
        for (size_t v = 0; v < count; v++) {
            lanes a = r[s->a].v[v], now = two ? a - r[s->b].v[v] : a, was = i ? e->sides[k].v[v] : now;
            masks other = ((now > 0) ^ (was > 0)) | ((now < 0) ^ (was < 0));
            e->sides[k].v[v] = was;
            e->mixed.v[v] = choose(other, in_all_lanes(1), e->mixed.v[v]);
        }
    }
}

/* How large is what something is steep by, where it is nearly 0. */
static void look_at_steep(nh_pack *e, int i, size_t count)
{
    const nh_tape *tape = e->motion->values;
    for (size_t k = 0; k < tape->n_steep; k++)
        for (size_t v = 0; v < count; v++) {
            lanes size = magnitude(((const crowd_row *)e->values->r)[tape->steep[k]].v[v]);
            e->least[k].v[v] = i ? smaller(size, e->least[k].v[v]) : size;
            e->most[k].v[v] = i ? larger(size, e->most[k].v[v]) : size;
        }
}

/* Where that changes much, there may be something between the stages, see pulses.c: such a motion is followed alone. */
static bool may_be_steep(const nh_pack *e, int lane)
{
    bool may = false;
    for (size_t k = 0; k < e->motion->values->n_steep; k++)
        may = may || MEMBER(e->most[k], lane) > 2 * MEMBER(e->least[k], lane);
    return may;
}

/* trial = x + h sum_{j < stages} a_j k_j */
static void combine(nh_pack *e, const double *a, int stages, size_t count)
{
    for (size_t c = 0; c < e->motion->size; c++)
        for (size_t v = 0; v < count; v++) {
            lanes sum = {0};
            for (int j = 0; j < stages; j++)
                if (a[j] != 0)
                    sum = fused(in_all_lanes(a[j]), e->k[j][c].v[v], sum);
            e->trial[c].v[v] = fused(e->trial_h.v[v], sum, e->x[c].v[v]);
        }
}

/* What an error of a component is measured by, inverted. */
static lanes scale_of(const nh_pack *e, size_t v, size_t c, lanes largest)
{
    lanes now = larger(magnitude(e->x[c].v[v]), magnitude(e->trial[c].v[v]));
    lanes was = larger(e->sizes[c].v[v], magnitude(e->trial_h.v[v] * e->k[0][c].v[v]));
    return 1 / (e->tolerance * larger(larger(now, was), 1e-6 * largest));
}

static lanes largest_of(const nh_pack *e, size_t v)
{
    lanes largest = in_all_lanes(1e-300);
    for (size_t c = 0; c < e->motion->size; c++)
        largest = larger(largest, larger(e->sizes[c].v[v], magnitude(e->trial[c].v[v])));
    return largest;
}

/* The square of the error relative to the tolerance, as in runge.c. */
static lanes error_within(const nh_pack *e, size_t v, lanes largest)
{
    size_t n = e->motion->size;
    lanes five = {0}, three = {0}, h = e->trial_h.v[v];
    for (size_t c = 0; c < n; c++) {
        lanes a = {0}, b = {0}, scale = scale_of(e, v, c, largest);
        for (int j = 0; j < STAGES; j++) {
            lanes k = e->k[j][c].v[v];
            a = fused(in_all_lanes(table->fifth[j]), k, a), b = fused(in_all_lanes(table->third[j]), k, b);
        }
        a *= scale, b *= scale;
        five = fused(a, a, five), three = fused(b, b, three);
    }
    lanes below = five + 0.01 * three, square = h * h * five * five / (below * (double)(n ? n : 1));
    return choose(below > 0, square, below); /* 0, or no number */
}

/* The same across a corner. */
static lanes error_across(const nh_pack *e, size_t v, lanes largest)
{
    lanes worst = {0}, h = e->trial_h.v[v];
    for (size_t c = 0; c < e->motion->size; c++) {
        lanes most = {0};
        for (int j = 1; j < STAGES; j++)
            most = larger(magnitude(e->k[j][c].v[v] - e->k[0][c].v[v]), most);
        worst = larger(most * magnitude(h) * scale_of(e, v, c, largest), worst);
    }
    masks least = magnitude(h) <= 8 * DBL_EPSILON * magnitude(e->t.v[v]);
    worst = choose(least, smaller(worst, in_all_lanes(1)), worst);
    return worst * worst;
}

static lanes error_of(const nh_pack *e, size_t v)
{
    lanes largest = largest_of(e, v), within = error_within(e, v, largest);
    masks mixed = e->mixed.v[v] > 0;
    if (!any(mixed))
        return within;
    lanes across = error_across(e, v, largest);
    return choose(mixed & (across > within), across, within);
}

/* Where steps end at the latest: also before places that are known beforehand, or behind them (stops.c). */
static void find_ends(nh_pack *e, const double *limits, const bool *active)
{
    memcpy(&e->ends, limits, sizeof e->ends);
    for (int lane = 0; lane < NH_CROWD && e->stops; lane++) {
        e->places[lane] = NH_AHEAD_NOTHING;
        if (!active[lane])
            continue;
        for (size_t c = 0; c < e->motion->size; c++)
            e->state[c] = MEMBER(e->x[c], lane);
        e->places[lane] = nh_stops_next(e->stops, (size_t)lane, MEMBER(e->t, lane), e->state, limits[lane],
                                        &MEMBER(e->ends, lane));
    }
}

static void try_step(nh_pack *e, size_t count)
{
    for (size_t v = 0; v < count; v++) {
        lanes left = e->ends.v[v] - e->t.v[v], h = smaller(magnitude(e->h.v[v]), magnitude(left));
        e->trial_h.v[v] = choose(left < 0, -h, h);
    }
    for (int lane = 0; lane < NH_CROWD; lane++) /* such a step is next to nothing, and the whole of it */
        if (e->places[lane] == NH_AHEAD_PLACE)
            MEMBER(e->trial_h, lane) = MEMBER(e->ends, lane) - MEMBER(e->t, lane);
    memset(&e->mixed, 0, sizeof e->mixed);
    for (int i = 0; i < STAGES; i++)
        combine(e, table->weights[i], i, count), field(e, i, count), look_at_corners(e, i, count),
            look_at_steep(e, i, count);
    combine(e, table->last, STAGES, count);
    for (size_t v = 0; v < count; v++)
        e->error.v[v] = error_of(e, v);
}

/* How much longer the next step is, as in runge.c, from the square of the error. */
static double factor_of(double square, bool mixed)
{
    if (!isfinite(square))
        return 0.1;
    if (mixed && square > 1)
        return fmax(0.1, 0.7 / sqrt(sqrt(square)));
    return square == 0 ? 5 : fmin(5, fmax(0.2, 0.9 / sqrt(sqrt(sqrt(sqrt(square))))));
}

/* Over a place that is known beforehand, as runge.c. */
static bool cross(nh_pack *e, int lane)
{
    double h = MEMBER(e->trial_h, lane);
    for (size_t c = 0; c < e->motion->size; c++) {
        double before = MEMBER(e->k[0][c], lane), behind = MEMBER(e->k[STAGES - 1][c], lane);
        double mean = before + (behind - before) / 2;
        MEMBER(e->x[c], lane) += h * (isfinite(mean) ? mean : before);
    }
    MEMBER(e->t, lane) = MEMBER(e->ends, lane);
    return true;
}

/* Whether the step counts. *good: whether there can be another. */
static bool end_step(nh_pack *e, int lane, double limit, bool *good)
{
    double square = MEMBER(e->error, lane), h = MEMBER(e->trial_h, lane), t = MEMBER(e->t, lane);
    *good = e->places[lane] != NH_AHEAD_POLE;
    if (e->places[lane] == NH_AHEAD_PLACE)
        return cross(e, lane);
    if (!*good)
        return false;
    double left = fabs(limit - t), factor = factor_of(square, MEMBER(e->mixed, lane) > 0);
    bool whole = fabs(h) >= left, counts = square <= 1;
    *good = whole || fabs(h) >= 1e-15 * fmax(fmin(left, 1e-12), fabs(t));
    if (!counts) {
        MEMBER(e->h, lane) = h * fmin(1, factor);
        return false;
    }
    *good = *good && !may_be_steep(e, lane);
    for (size_t c = 0; c < e->motion->size; c++) {
        double x = MEMBER(e->x[c], lane) = MEMBER(e->trial[c], lane);
        MEMBER(e->sizes[c], lane) = fmax(MEMBER(e->sizes[c], lane), fabs(x));
    }
    MEMBER(e->t, lane) = whole ? limit : t + h;
    MEMBER(e->h, lane) =
        whole && factor > 1 ? fmax(fabs(MEMBER(e->h, lane)), fabs(h) * factor) : fabs(h) * factor;
    return true;
}

static size_t step_crowd(nh_pack *e, const double *limits, const bool *active, bool *good)
{
    size_t members = 0, made = 0;
    for (int lane = 0; lane < NH_CROWD; lane++)
        members = active[lane] ? (size_t)lane + 1 : members;
    find_ends(e, limits, active);
    try_step(e, (members + NH_LANES - 1) / NH_LANES);
    for (int lane = 0; lane < NH_CROWD; lane++)
        if (active[lane])
            made += end_step(e, lane, MEMBER(e->ends, lane), &good[lane]);
    return made;
}

static void at_member(const nh_pack *e, int lane, double t, double *x)
{
    bool there = t == MEMBER(e->t, lane);
    for (size_t c = 0; c < e->motion->size; c++)
        x[c] = there ? MEMBER(e->x[c], lane) : NAN;
}

#if defined(NH_FOR_WIDEST)
#define HERE nh_pack_runge_widest
#elif defined(NH_FOR_WIDE)
#define HERE nh_pack_runge_wide
#else
#define HERE nh_pack_runge_plain
#endif
const nh_pack_code HERE = {NH_CROWD,    true,       make_crowd,  put_member,
                           begin_crowd, step_crowd, times_crowd, at_member};
