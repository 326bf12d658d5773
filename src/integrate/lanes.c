/* Four or eight motions of one system at once, by Taylor series; every lane has its own time, step and constants, and computes what it would
 * compute beside any other lanes. As taylor.inc, with vectors. Compiled for each kind of processor. */
#include "integrate/lanes.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

typedef unsigned long long bits __attribute__((vector_size(8 * NH_LANES), aligned(8)));

/* A component's size is also what it has been, some of which is forgotten in every step: among many motions the steps are shorter where
 * it is worth it, and not where a component passes through 0. But no more than so many times what it is now: what decays is not lost. Since
 * some errors are larger for that, all are asked to be half as large, and are the same as with sizes of the moment. */
enum { MOST_MEASUREMENTS = 8 };
static const double unit_memory = 0.99, unit_most = 32, share_of_tolerance = 0.5;

struct nh_pack {
    const nh_motion *motion;
    nh_series_lanes *series;
    nh_lanes *x, *low, *units, *constants; /* units: how large each component is, or was */
    nh_lanes *weights;                     /* 1/units, 0 where that is none */
    nh_lanes t, t_low, h;                  /* h: of the last step */
    nh_lanes unit;                         /* of time, in the series; see taylor.inc */
    double *all;                           /* coefficients of one lane, for the choice of a unit */
    nh_lanes from;                         /* where the last step began */
    masks fresh;                           /* no step was made yet */
    size_t order;
    double tolerance, log2_tolerance, root_of_tolerance;
    nh_lanes begin; /* where the motions began */
    nh_corners_double *corners[NH_LANES];
};

static nh_pack *make_some(const nh_motion *m, nh_arena *arena, double tolerance, size_t order,
                          const nh_native *native)
{
    nh_pack *e = nh_arena_array(arena, 1, sizeof *e);
    size_t n = m->size;
    memset(e, 0, sizeof *e);
    e->motion = m, e->order = order, e->tolerance = tolerance;
    e->log2_tolerance = log2(share_of_tolerance * tolerance);
    e->root_of_tolerance = pow(share_of_tolerance * tolerance, 1 / (double)order);
    e->series = nh_series_new_lanes(m->field, arena, e->order);
    for (int lane = 0; lane < NH_LANES && m->field->n_corners; lane++)
        e->corners[lane] = nh_corners_new_double(arena, order - 1);
    nh_series_use_lanes(e->series, native);
    e->all = nh_zeros(arena, n * (order + 1));
    nh_lanes **all[] = {&e->x, &e->low, &e->units, &e->weights};
    for (size_t k = 0; k < 4; k++) { /* the units twice, see settle */
        *all[k] = nh_arena_array(arena, 2 * n + 1, sizeof **all[k]);
        memset(*all[k], 0, (2 * n + 1) * sizeof **all[k]);
    }
    e->constants = nh_arena_array(arena, m->field->n_constant_inputs + 1, sizeof *e->constants);
    memset(e->constants, 0, (m->field->n_constant_inputs + 1) * sizeof *e->constants);
    return e;
}

static void put_some(nh_pack *e, int lane, const double *start, const double *constants)
{
    e->t[lane] = e->begin[lane] = start[0], e->t_low[lane] = 0, e->h[lane] = 1, e->fresh[lane] = -1;
    for (size_t i = 0; i < e->motion->size; i++)
        e->x[i][lane] = start[1 + i], e->low[i][lane] = 0, e->units[i][lane] = 0;
    for (size_t i = 0; i < e->motion->field->n_constant_inputs; i++)
        e->constants[i][lane] = constants[i];
}

static void begin_some(nh_pack *e) { nh_series_constants_lanes(e->series, e->constants); }

static const double *times_some(const nh_pack *e) { return (const double *)&e->t; }

/* ---------------------------------------------------------------- one step */

/* Coefficient k of component i. */
#define C(i, k) e->series->r[(1 + (i)) * e->series->of_register + (k)]

static void expand(nh_pack *e)
{
    nh_series_lanes *s = e->series;
    s->r[0] = e->t;
    s->r[1] = e->unit;
    for (size_t i = 0; i < e->motion->size; i++)
        C(i, 0) = e->x[i];
    nh_series_flow_lanes(s);
}

/* ---------------------------------------------------------------- the unit of time */

/* The largest power of 2 that is not larger; of a number that is not 0. */
static inline lanes power_below(lanes x) { return (lanes)((bits)x & 0x7ff0000000000000); }

static bool finds_unit(nh_pack *e, int lane, double limit)
{
    size_t n = e->motion->size, order = e->order;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= order; k++)
            e->all[i * (order + 1) + k] = C(i, k)[lane];
    double before = e->unit[lane], unit = nh_unit_of_time(e->all, n, order, before, limit - e->t[lane]);
    if (unit != before)
        e->unit[lane] = e->h[lane] = unit;
    return unit != before;
}

/* Units of motions that begin; other lanes get the same coefficients again. */
static void find_units(nh_pack *e, const double *limits)
{
    bool again = true;
    for (int i = 0; i < MOST_MEASUREMENTS && again; i++) {
        again = false;
        for (int lane = 0; lane < NH_LANES; lane++)
            again = (e->fresh[lane] && finds_unit(e, lane, limits[lane])) || again;
        if (again)
            expand(e);
    }
}

/* ---------------------------------------------------------------- logarithms */

/* log2 x, x > 0, less than 0.09 too small: a number's bits are its exponent and, between powers of 2, a straight line. */
static inline lanes rough_log2(lanes x)
{
    const bits one = (bits)(in_all_lanes(1)), two52 = (bits)(in_all_lanes(0x1p52));
    lanes exponent = (lanes)((bits)x >> 52 | two52) - (0x1p52 + 1023);
    lanes mantissa = (lanes)(((bits)x & 0xfffffffffffff) | one);
    return exponent + (mantissa - 1);
}

/* 2^x, |x| < 1000, to 1e-4: n + f = x, 2^f = 1 + f ln 2 + (f ln 2)^2/2 + ..., and n into the exponent. */
static inline lanes rough_exp2(lanes x)
{
    lanes shifted = x + 0x1.8p52, f = x - (shifted - 0x1.8p52);
    lanes power = 1 + f * (0.693147 + f * (0.240227 + f * (0.0555041 + f * 0.00961813)));
    return (lanes)((bits)power + ((bits)shifted << 52));
}

/* ---------------------------------------------------------------- the length of a step */

/* What begins with nothing is taken to be a power of the time in units of the last step. */
static void measure_empty(masks empty, lanes step, size_t p, lanes *last, lanes *before, lanes *unit)
{
    for (int lane = 0; any(empty) && lane < NH_LANES; lane++)
        if (empty[lane]) {
            (*last)[lane] = (*last)[lane] > 0 ? pow(step[lane], -(double)p) : 0;
            (*before)[lane] = (*before)[lane] > 0 ? pow(step[lane], -(double)(p - 1)) : 0;
            (*unit)[lane] = 1;
        }
}

/* The largest coefficients of the last two orders relative to their components, as in taylor.inc; the sum of all is no number where one
 * of them is none. */
static void sizes_of(nh_pack *e, lanes *before, lanes *last, lanes *all)
{
    size_t p = e->order;
    lanes step = magnitude(e->h) / e->unit, largest = {0}, second = {0}, sum = {0};
    lanes square = step * step;
    for (size_t i = 0; i < e->motion->size; i++) {
        lanes low = larger(magnitude(C(i, 1)) * step, magnitude(C(i, 0)));
        lanes high = larger(magnitude(C(i, 4)) * square, magnitude(C(i, 3)) * step);
        lanes now = larger(larger(high, magnitude(C(i, 2))) * square, low);
        lanes unit = e->units[i] = larger(now, smaller(e->units[i] * unit_memory, now * unit_most));
        lanes a = magnitude(C(i, p)), b = magnitude(C(i, p - 1));
        sum += a + b;
        masks empty = unit == 0;
        measure_empty(empty, step, p, &a, &b, &unit);
        lanes inverse = 1 / unit;
        e->weights[i] = choose(empty, (lanes){0}, inverse);
        largest = larger(a * inverse, largest), second = larger(b * inverse, second);
    }
    *last = largest, *before = second, *all = sum;
}

/* No longer than coefficients from the middle on allow, as in taylor.inc: asked in the lanes in which a step is longer than those
 * before, and in no others, whose steps would depend on what is beside them. */
static lanes within_gaps(const nh_pack *e, lanes h)
{
    masks asked = e->fresh | (h > 1.5 * magnitude(e->h));
    if (!any(asked))
        return h;
    const double more = 1.25, most = more * e->root_of_tolerance;
    size_t p = e->order, first = p / 2;
    lanes part = h / (e->unit * most), power = in_all_lanes(1);
    for (size_t k = 0; k < first; k++)
        power *= part;
    for (size_t k = first; k + 2 <= p; k++, power *= part) {
        lanes size = {0};
        for (size_t i = 0; i < e->motion->size; i++)
            size = larger(magnitude(C(i, k)) * e->weights[i], size);
        masks longer = asked & (size * power > 1);
        for (int lane = 0; lane < NH_LANES && any(longer); lane++)
            if (longer[lane]) {
                double allowed = most * exp(-log(size[lane]) / (double)k);
                h[lane] = fmin(h[lane], allowed * e->unit[lane]);
                part[lane] = h[lane] / (e->unit[lane] * most), power[lane] = pow(part[lane], (double)k);
            }
    }
    return h;
}

/* After Jorba and Zou: h = min (tolerance/size)^(1/k) over the last two orders k. No number where the series has none. */
static lanes find_step(nh_pack *e)
{
    lanes last, before, all;
    double p = (double)e->order;
    sizes_of(e, &before, &last, &all);
    lanes a = (e->log2_tolerance - rough_log2(last)) * (1 / p);
    lanes b = (e->log2_tolerance - rough_log2(before)) * (1 / (p - 1));
    return within_gaps(e, rough_exp2(choose(a < b, a, b)) * e->unit) + 0 * all;
}

/* The first step of a motion: how large its components are is measured along a step as long as it will be. Other lanes feel
 * nothing of it. */
static void settle(nh_pack *e)
{
    size_t n = e->motion->size;
    masks again = e->fresh;
    memcpy(e->units + n, e->units, n * sizeof *e->units);
    for (int i = 0; i < MOST_MEASUREMENTS && any(again); i++) {
        lanes h = find_step(e);
        again &= (h > 0) & (h < 0.5 * magnitude(e->h));
        e->h = choose(again, h, e->h);
        memcpy(e->units, e->units + n, n * sizeof *e->units);
    }
    e->fresh = (masks){0};
}

/* ---------------------------------------------------------------- the end of a step */

/* *x + change + *low exactly as *x and what it lacks. */
static inline void add_to(lanes *x, lanes *low, lanes change)
{
    lanes a = *x, b = change + *low, sum = a + b, part = sum - a;
    *low = (a - (sum - part)) + (b - part);
    *x = sum;
}

/* h in units of time. Several polynomials side by side: each of them is a chain in which every operation waits for the last. */
static inline __attribute__((always_inline)) void add_changes(nh_pack *e, lanes h, size_t first,
                                                              const size_t count)
{
    lanes change[8];
    const lanes *rows[8];
    for (size_t i = 0; i < count; i++)
        rows[i] = &C(first + i, 0), change[i] = rows[i][e->order];
    for (size_t j = e->order - 1; j >= 1; j--)
        for (size_t i = 0; i < count; i++)
            change[i] = fused(change[i], h, rows[i][j]);
    for (size_t i = 0; i < count; i++)
        add_to(&e->x[first + i], &e->low[first + i], change[i] * h);
}

static void add_change(nh_pack *e, lanes h)
{
    size_t n = e->motion->size, i = 0;
    for (; i + 8 <= n; i += 8)
        add_changes(e, h, i, 8);
    for (; i + 4 <= n; i += 4)
        add_changes(e, h, i, 4);
    for (; i < n; i++)
        add_changes(e, h, i, 1);
}

/* ---------------------------------------------------------------- corners */

/* Coefficient k of what decides a corner. */
static inline lanes side(const nh_pack *e, const nh_step *step, size_t k)
{
    const lanes *r = e->series->r + k;
    lanes a = r[step->a * e->series->of_register];
    return step->op == NH_OP_MIN || step->op == NH_OP_MAX ? a - r[step->b * e->series->of_register] : a;
}

/* Where a step may go over a corner: its first coefficient is not more than all the rest. */
static masks is_near(const nh_pack *e, const nh_step *step, lanes length)
{
    lanes sum = {0}, h = magnitude(length) / e->unit;
    for (size_t k = e->order - 1; k >= 1; k--)
        sum = (sum + magnitude(side(e, step, k))) * h;
    return ~(sum < magnitude(side(e, step, 0)));
}

/* The steps that go over a corner end behind it, as in taylor.inc; which ones. */
static masks cut_at_corners(nh_pack *e, masks moves, lanes *length)
{
    const nh_tape *tape = e->motion->field;
    lanes part = in_all_lanes(1), steps = *length / e->unit;
    bool leaves[NH_LANES] = {false};
    for (size_t i = 0; i < tape->n_corners; i++) {
        const nh_step *step = &tape->steps[tape->corners[i]];
        masks near = is_near(e, step, *length) & moves;
        for (int lane = 0; lane < NH_LANES && any(near); lane++) {
            double power = 1, *powers = e->corners[lane]->powers;
            if (!near[lane])
                continue;
            for (size_t k = 0; k < e->order; k++, power *= steps[lane])
                powers[k] = side(e, step, k)[lane] * power;
            double other = nh_corners_part_double(e->corners[lane], step->op == NH_OP_SIGN, &leaves[lane]);
            part[lane] = other < part[lane] ? other : part[lane];
        }
    }
    for (int lane = 0; lane < NH_LANES; lane++)
        nh_corners_done_double(e->corners[lane], leaves[lane]);
    *length *= part;
    return part < 1;
}

/* Where the series of what decides a corner is less exact along a step than those of the state, see taylor.inc: such a motion is followed alone. */
static masks is_rough(const nh_pack *e, lanes length)
{
    const nh_tape *tape = e->motion->field;
    lanes h = magnitude(length) / e->unit;
    masks rough = {0};
    for (size_t i = 0; i < tape->n_corners; i++) {
        const nh_step *step = &tape->steps[tape->corners[i]];
        lanes size = {0}, tail = {0}, power = in_all_lanes(1);
        for (size_t k = 0; k < e->order; k++, power *= h) {
            lanes term = magnitude(side(e, step, k)) * power;
            size = k <= 4 ? larger(term, size) : size, tail = k + 2 < e->order ? tail : larger(term, tail);
        }
        rough |= tail > e->tolerance * size;
    }
    return rough;
}

/* ---------------------------------------------------------------- roots */

/* Where the argument of a root may become 0 within a step, as in taylor.inc: such a motion is followed alone. */
static masks is_near_root(const nh_pack *e, const nh_step *step, lanes h)
{
    const lanes *u = e->series->r + step->a * e->series->of_register;
    lanes zero = {0}, power = in_all_lanes(1), left = magnitude(u[0]);
    masks negative = u[0] < 0;
    for (size_t k = 1; k < e->order; k++) {
        power *= h;
        left += smaller(choose(negative, -u[k], u[k]) * power, zero);
    }
    return ~(left > 0);
}

static masks is_near_roots(const nh_pack *e, lanes length)
{
    const nh_tape *tape = e->motion->field;
    masks near = {0};
    for (size_t i = 0; i < tape->n_roots; i++)
        near |= is_near_root(e, &tape->steps[tape->roots[i]], length / e->unit);
    return near;
}

/* Where something steep may be nearly 0 within a step and is not where it begins, see hidden.inc: such a motion is followed alone, too. */
static masks is_near_steep(const nh_pack *e, uint32_t reg, lanes h)
{
    const lanes *b = e->series->r + reg * e->series->of_register;
    lanes odd = {0}, even = {0}, square = h * h;
    size_t k = e->order - 1;
    if (k % 2)
        odd = magnitude(b[k--]);
    for (; k > 0; k -= 2)
        even = fused(even, square, magnitude(b[k])), odd = fused(odd, square, magnitude(b[k - 1]));
    return fused(even, square, odd * h) > 0.875 * magnitude(b[0]);
}

static masks is_near_steep_ones(const nh_pack *e, lanes length)
{
    const nh_tape *tape = e->motion->field;
    masks near = {0};
    for (size_t i = 0; i < tape->n_steep; i++)
        near |= is_near_steep(e, tape->steep[i], magnitude(length) / e->unit);
    return near;
}

/* ---------------------------------------------------------------- a step */

/* The times, and the lengths of the steps; which lanes could make one. */
static masks advance(nh_pack *e, lanes to, masks active, lanes h, lanes *length)
{
    lanes left = to - e->t, zero = {0}, instant = smaller(magnitude(left), zero + 1e-12);
    lanes least = 4e-16 * larger(magnitude(e->t), instant);
    masks fine = h > least, last = h >= magnitude(left), moves = fine & active;
    lanes own = choose(left < 0, -h, h);
    *length = choose(moves, choose(last, left - e->t_low, own), zero);
    e->h = choose(moves & ~last, own, e->h);
    if (e->motion->field->n_corners)
        last &= ~cut_at_corners(e, moves, length);
    add_to(&e->t, &e->t_low, *length);
    e->t = choose(moves & last, to, e->t), e->t_low = choose(moves & last, zero, e->t_low);
    return fine | ~active;
}

static size_t step_some(nh_pack *e, const double *limits, const bool *active, bool *good)
{
    masks goes, went;
    lanes length;
    size_t count = 0;
    e->unit = power_below(e->h);
    expand(e);
    if (any(e->fresh))
        find_units(e, limits), settle(e);
    e->from = e->t;
    for (int lane = 0; lane < NH_LANES; lane++)
        goes[lane] = active[lane] ? -1 : 0, count += active[lane];
    lanes h = find_step(e),
          longest = magnitude(*(const lanes *)limits - e->begin) * e->motion->field->longest_part;
    went = advance(e, *(const lanes *)limits, goes, h, &length);
    went &= ~is_near_roots(e, length) & ~is_near_steep_ones(e, length) & ~(magnitude(length) > longest) &
            ~is_rough(e, length); /* those are looked at alone */
    add_change(e, length / e->unit);
    for (int lane = 0; lane < NH_LANES; lane++)
        good[lane] = went[lane] != 0;
    return count;
}

static void at_some(const nh_pack *e, int lane, double t, double *x)
{
    double s = (t - e->from[lane]) / e->unit[lane];
    bool end = t == e->t[lane];
    for (size_t i = 0; i < e->motion->size; i++) {
        double change = 0;
        for (size_t k = e->order; k >= 1 && !end; k--)
            change = (change + C(i, k)[lane]) * s;
        x[i] = end ? e->x[i][lane] : C(i, 0)[lane] + change;
    }
}

#if defined(NH_FOR_WIDEST)
#define HERE nh_pack_taylor_widest
#elif defined(NH_FOR_WIDE)
#define HERE nh_pack_taylor_wide
#else
#define HERE nh_pack_taylor_plain
#endif
const nh_pack_code HERE = {NH_LANES, false, make_some, put_some, begin_some, step_some, times_some, at_some};
