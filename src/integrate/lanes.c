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

/* Half of the lanes: what the wider registers of today hold. */
typedef double half __attribute__((vector_size(32), aligned(8)));
typedef long long half_masks __attribute__((vector_size(32), aligned(8)));
#define HALF(x, h) (((half *)&(x))[h])
#define MAGNITUDE(x) ((half)((half_masks)(x)&0x7fffffffffffffff))
#define LARGER(a, b) ((half)(((half_masks)(a) & ((a) > (b))) | ((half_masks)(b) & ~((a) > (b)))))

/* The largest coefficients of the last two orders relative to their components, as in taylor.inc. */
static void sizes_of(nh_eight *e, nh_lanes *before, nh_lanes *last)
{
    size_t p = e->order;
    for (int h = 0; h < 2; h++) {
        half step = MAGNITUDE(HALF(e->h, h)), largest = {0}, second = {0}, zero = {0};
        for (size_t i = 0; i < e->motion->size; i++) {
            half unit = MAGNITUDE(HALF(C(i, 0), h)), power = step;
            for (size_t j = 1; j <= 4; j++, power *= step) {
                half term = MAGNITUDE(HALF(C(i, j), h)) * power;
                unit = LARGER(term, unit);
            }
            half a = MAGNITUDE(HALF(C(i, p), h)), b = MAGNITUDE(HALF(C(i, p - 1), h));
            half_masks empty = unit == zero; /* begins with nothing */
            for (int lane = 0; lane < 4 && (empty[0] | empty[1] | empty[2] | empty[3]); lane++)
                if (empty[lane]) {
                    a[lane] = a[lane] > 0 ? pow(step[lane], -(double)p) : 0;
                    b[lane] = b[lane] > 0 ? pow(step[lane], -(double)(p - 1)) : 0, unit[lane] = 1;
                }
            a /= unit, b /= unit;
            largest = LARGER(a, largest), second = LARGER(b, second);
        }
        HALF(*last, h) = largest, HALF(*before, h) = second;
    }
}

/* No number where the series has none. */
static void find_steps(nh_eight *e, nh_lanes *h)
{
    nh_lanes last, before;
    sizes_of(e, &before, &last);
    nh_lanes_log(&last), nh_lanes_log(&before);
    double p = (double)e->order;
    for (int k = 0; k < 2; k++) {
        half a = (e->log_tolerance - HALF(last, k)) / p, b = (e->log_tolerance - HALF(before, k)) / (p - 1);
        half_masks less = a < b;
        HALF(*h, k) = (half)((less & (half_masks)a) | (~less & (half_masks)b));
    }
    nh_lanes_exp(h);
    for (size_t i = 0; i < e->motion->size; i++)
        for (int k = 0; k < 2; k++)
            HALF(*h, k) += 0 * (HALF(C(i, e->order), k) + HALF(C(i, e->order - 1), k));
}

static void add_change(nh_eight *e, nh_lanes *step)
{
    for (size_t i = 0; i < e->motion->size; i++)
        for (int k = 0; k < 2; k++) {
            half h = HALF(*step, k), change = HALF(C(i, e->order), k) * h;
            for (size_t j = e->order - 1; j >= 1; j--)
                change = (change + HALF(C(i, j), k)) * h;
            half a = HALF(e->x[i], k), b = change + HALF(e->low[i], k), sum = a + b, part = sum - a;
            HALF(e->low[i], k) = (a - (sum - part)) + (b - part);
            HALF(e->x[i], k) = sum;
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
    add_change(e, &length);
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
