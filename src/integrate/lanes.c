/* Eight motions of one system at once, by Taylor series; every lane has its own time, step and constants, and computes what it would
 * compute beside any other lanes. As taylor.inc, with vectors. Compiled for each kind of processor. */
#include "integrate/lanes.h"

#include <math.h>
#include <string.h>

struct nh_eight {
    const nh_motion *motion;
    nh_series_lanes *series;
    nh_lanes *x, *low, *change, *constants;
    nh_lanes t, t_low, h; /* h: of the last step */
    nh_lanes from;        /* where the last step began */
    size_t order;
    double log_tolerance;
};

static nh_eight *make_eight(const nh_motion *m, nh_arena *arena, double tolerance, const nh_native *native)
{
    nh_eight *e = nh_arena_array(arena, 1, sizeof *e);
    size_t n = m->size;
    memset(e, 0, sizeof *e);
    e->motion = m, e->order = nh_taylor_order(tolerance), e->log_tolerance = log(tolerance);
    e->series = nh_series_new_lanes(m->field, arena, e->order);
    nh_series_use_lanes(e->series, native);
    nh_lanes **all[] = {&e->x, &e->low, &e->change};
    for (size_t k = 0; k < 3; k++) {
        *all[k] = nh_arena_array(arena, n + 1, sizeof **all[k]);
        memset(*all[k], 0, (n + 1) * sizeof **all[k]);
    }
    e->constants = nh_arena_array(arena, m->field->n_constant_inputs + 1, sizeof *e->constants);
    memset(e->constants, 0, (m->field->n_constant_inputs + 1) * sizeof *e->constants);
    return e;
}

static void put_eight(nh_eight *e, int lane, const double *start, const double *constants)
{
    e->t[lane] = start[0], e->t_low[lane] = 0, e->h[lane] = 1;
    for (size_t i = 0; i < e->motion->size; i++)
        e->x[i][lane] = start[1 + i], e->low[i][lane] = 0;
    for (size_t i = 0; i < e->motion->field->n_constant_inputs; i++)
        e->constants[i][lane] = constants[i];
}

static void begin_eight(nh_eight *e) { nh_series_constants_lanes(e->series, e->constants); }

static double time_eight(const nh_eight *e, int lane) { return e->t[lane]; }

/* ---------------------------------------------------------------- one step */

/* Coefficient k of component i. */
#define C(i, k) e->series->r[(1 + (i)) * e->series->of_register + (k)]

static void expand(nh_eight *e)
{
    nh_series_lanes *s = e->series;
    const uint32_t *outputs = e->motion->field->outputs;
    s->r[0] = e->t;
    s->r[1] = (nh_lanes){0} + 1;
    for (size_t i = 0; i < e->motion->size; i++)
        C(i, 0) = e->x[i];
    for (size_t k = 0; k < e->order; k++) {
        nh_series_step_lanes(s, k);
        for (size_t i = 0; i < e->motion->size; i++)
            C(i, k + 1) = s->r[outputs[i] * s->of_register + k] * s->parts[k + 1];
    }
}

typedef long long masks __attribute__((vector_size(8 * NH_LANES), aligned(8)));
#define MAGNITUDE(x) ((nh_lanes)((masks)(x)&0x7fffffffffffffff))
#define LARGER(a, b) ((nh_lanes)(((masks)(a) & ((a) > (b))) | ((masks)(b) & ~((a) > (b)))))

static bool any(masks m)
{
    long long all = 0;
    for (int lane = 0; lane < NH_LANES; lane++)
        all |= m[lane];
    return all != 0;
}

/* The largest coefficients of the last two orders relative to their components, as in taylor.inc. */
static void sizes_of(const nh_eight *e, nh_lanes *before, nh_lanes *last)
{
    size_t p = e->order;
    nh_lanes step = MAGNITUDE(e->h), largest = {0}, second = {0}, zero = {0};
    for (size_t i = 0; i < e->motion->size; i++) {
        nh_lanes unit = MAGNITUDE(C(i, 0)), power = step;
        for (size_t j = 1; j <= 4; j++, power *= step) {
            nh_lanes term = MAGNITUDE(C(i, j)) * power;
            unit = LARGER(term, unit);
        }
        nh_lanes a = MAGNITUDE(C(i, p)), b = MAGNITUDE(C(i, p - 1));
        masks empty = unit == zero; /* begins with nothing */
        for (int lane = 0; any(empty) && lane < NH_LANES; lane++)
            if (empty[lane]) {
                a[lane] = a[lane] > 0 ? pow(step[lane], -(double)p) : 0;
                b[lane] = b[lane] > 0 ? pow(step[lane], -(double)(p - 1)) : 0, unit[lane] = 1;
            }
        a /= unit, b /= unit;
        largest = LARGER(a, largest), second = LARGER(b, second);
    }
    *last = largest, *before = second;
}

/* No number where the series has none. */
static void find_steps(const nh_eight *e, nh_lanes *h)
{
    nh_lanes last, before;
    double p = (double)e->order;
    sizes_of(e, &before, &last);
    nh_lanes_log(&last), nh_lanes_log(&before);
    nh_lanes a = (e->log_tolerance - last) / p, b = (e->log_tolerance - before) / (p - 1);
    masks less = a < b;
    *h = (nh_lanes)((less & (masks)a) | (~less & (masks)b));
    nh_lanes_exp(h);
    for (size_t i = 0; i < e->motion->size; i++)
        *h += 0 * (C(i, e->order) + C(i, e->order - 1));
}

/* x and what its sum has lost. */
static inline void add_to(nh_eight *e, size_t i, nh_lanes change)
{
    nh_lanes a = e->x[i], b = change + e->low[i], sum = a + b, part = sum - a;
    e->low[i] = (a - (sum - part)) + (b - part);
    e->x[i] = sum;
}

/* Four polynomials side by side: each of them is a chain in which every operation waits for the last. */
static void add_change(nh_eight *e, nh_lanes h)
{
    size_t n = e->motion->size, p = e->order;
    for (size_t i = 0; i < n; i += 4) {
        size_t at[4];
        for (size_t k = 0; k < 4; k++)
            at[k] = i + k < n ? i + k : n - 1; /* the last one more than once, and taken once */
        nh_lanes a = C(at[0], p) * h, b = C(at[1], p) * h, c = C(at[2], p) * h, d = C(at[3], p) * h;
        for (size_t j = p - 1; j >= 1; j--) {
            a = (a + C(at[0], j)) * h, b = (b + C(at[1], j)) * h;
            c = (c + C(at[2], j)) * h, d = (d + C(at[3], j)) * h;
        }
        nh_lanes changes[4] = {a, b, c, d};
        for (size_t k = 0; k < 4 && i + k < n; k++)
            add_to(e, i + k, changes[k]);
    }
}

static void step_eight(nh_eight *e, double to, const bool *active, bool *good)
{
    nh_lanes h = {0}, length;
    expand(e);
    find_steps(e, &h);
    e->from = e->t;
    for (int lane = 0; lane < NH_LANES; lane++) {
        double left = to - e->t[lane], sign = left < 0 ? -1 : 1;
        bool fine = h[lane] > 4e-16 * fmax(1e-12, fabs(e->t[lane])), last = h[lane] >= fabs(left);
        good[lane] = fine || !active[lane];
        length[lane] = !active[lane] || !fine ? 0 : last ? left - e->t_low[lane] : sign * h[lane];
        if (!active[lane] || !fine)
            continue;
        double a = e->t[lane], b = length[lane] + e->t_low[lane], sum = a + b, part = sum - a;
        e->t[lane] = last ? to : sum;
        e->t_low[lane] = last ? 0 : (a - (sum - part)) + (b - part);
        e->h[lane] = last ? e->h[lane] : length[lane];
    }
    add_change(e, length);
}

static void at_eight(const nh_eight *e, int lane, double t, double *x)
{
    double s = t - e->from[lane];
    bool end = t == e->t[lane];
    for (size_t i = 0; i < e->motion->size; i++) {
        double change = 0;
        for (size_t k = e->order; k >= 1 && !end; k--)
            change = (change + C(i, k)[lane]) * s;
        x[i] = end ? e->x[i][lane] : C(i, 0)[lane] + change;
    }
}

#ifdef NH_FOR_WIDE
#define HERE nh_eight_wide
#else
#define HERE nh_eight_plain
#endif
const nh_eight_code HERE = {make_eight, put_eight, begin_eight, step_eight, time_eight, at_eight};
