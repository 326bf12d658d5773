/* Where conditions pass through 0. Within a step the motion is known at every time. The step is cut into pieces in which the
 * conditions are smooth: nine looks at each, of which every other one follows from the rest by interpolation. Between two looks a
 * change of sign is followed to the last bit, and where a parabola through three of them comes near 0 and turns round, it is looked at
 * more closely, so that two crossings between two looks are found as well, or, where it is 0 there as far as rounding tells, one touch. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces are cut MOST_CUTS times, and on where what is not smooth is not at one place alone; not beyond MOST_CUTS_AT_ALL, nor into
 * more than MOST_PIECES in one step: then it is told. */
enum { LOOKS = 8, MOST_CUTS = 12, MOST_CUTS_AT_ALL = 30, MOST_PIECES = 1 << 20 };

struct nh_events {
    const nh_motion *motion;
    nh_arena *arena;
    nh_complete *complete;
    double *x, *values;
    double *looks;    /* LOOKS + 1 rows of values */
    double *largest;  /* by condition: the largest it has been */
    double *was_zero; /* by condition: when it was 0 last, */
    bool *left;       /* and whether it has been elsewhere since */
    int *signs;       /* by condition: the last one that was not 0 */
    nh_crossing *found;
    size_t n_found, found_capacity;
    size_t pieces; /* of this step */
};

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* All conditions at one time; NaN where there is no state. */
static void look(nh_events *e, nh_stepper *s, double t, double *values)
{
    if (t == s->t)
        memcpy(e->x, s->x, e->motion->size * sizeof *e->x);
    else
        s->at(s, t, e->x);
    if (nh_complete_at(e->complete, t, e->x))
        nh_complete_events(e->complete, values);
    else
        for (size_t i = 0; i < e->motion->n_events; i++)
            values[i] = NAN;
}

nh_events *nh_events_new(const nh_motion *m, nh_arena *arena, nh_complete *complete, double t,
                         const double *x)
{
    if (!m->n_events)
        return NULL;
    nh_events *e = nh_arena_array(arena, 1, sizeof *e);
    *e = (nh_events){.motion = m, .arena = arena, .complete = complete};
    e->x = nh_arena_array(arena, m->size + 1, sizeof *e->x);
    e->values = nh_arena_array(arena, m->n_events + 1, sizeof *e->values);
    e->looks = nh_arena_array(arena, (LOOKS + 1) * m->n_events, sizeof *e->looks);
    e->signs = nh_arena_array(arena, m->n_events + 1, sizeof *e->signs);
    e->largest = nh_arena_array(arena, m->n_events + 1, sizeof *e->largest);
    memset(e->largest, 0, (m->n_events + 1) * sizeof *e->largest);
    e->was_zero = nh_arena_array(arena, m->n_events + 1, sizeof *e->was_zero);
    e->left = nh_arena_array(arena, m->n_events + 1, sizeof *e->left);
    if (nh_complete_at(complete, t, x))
        nh_complete_events(complete, e->values);
    for (size_t i = 0; i < m->n_events; i++)
        e->signs[i] = sign_of(e->values[i]), e->was_zero[i] = t, e->left[i] = true;
    return e;
}

static double value_at(nh_events *e, nh_stepper *s, size_t i, double t)
{
    look(e, s, t, e->values);
    return e->values[i];
}

/* The ends of an interval in which a condition changes its sign, and its values there. */
typedef struct bracket {
    double a, fa, b, fb;
} bracket;

/* Where to look next: the secant, or the middle; beside it where the last look found no value. */
static double next_look(const bracket *r, double wa, double wb, int k, bool beside)
{
    double t = k % 3 == 2 ? r->a + (r->b - r->a) / 2 : r->b - wb * (r->b - r->a) / (wb - wa);
    if (!((t - r->a) * (t - r->b) < 0))
        t = r->a + (r->b - r->a) / 2;
    return beside ? r->a + 0.381966 * (r->b - r->a) : t;
}

/* By the secant that keeps both sides, with bisection where it is slow, to the last bits of the time; a = b: at 0 itself. False:
 * between them there are places without a value. */
static bool narrow(nh_events *e, nh_stepper *s, size_t i, bracket *r)
{
    double wa = r->fa, wb = r->fb; /* halved where one side stays */
    bool beside = false;
    for (int k = 0; k < 200 && fabs(r->b - r->a) > 4e-16 * fmax(fabs(r->a), fabs(r->b)); k++) {
        double t = next_look(r, wa, wb, k, beside);
        if (t == r->a || t == r->b)
            break;
        double f = value_at(e, s, i, t);
        if (isnan(f) && beside)
            return false;
        beside = isnan(f);
        if (f == 0)
            *r = (bracket){t, 0, t, 0};
        else if (sign_of(f) == sign_of(r->fa))
            r->a = t, wa = r->fa = f, wb /= k % 3 == 1 ? 2 : 1;
        else if (f == f)
            r->b = t, wb = r->fb = f, wa /= k % 3 == 1 ? 2 : 1;
    }
    return true;
}

/* A change of sign is a passage through 0, also by a jump, unless it is at a pole: |f| grows on both sides, the more the nearer. */
static const double most_growth = 1000;

/* Between a and b, where the signs differ: whether and where the condition passes through 0. */
static bool root_between(nh_events *e, nh_stepper *s, size_t i, bracket r, double *root)
{
    double usual = fmax(fabs(r.fa), fabs(r.fb));
    bool there = narrow(e, s, i, &r);
    *root = r.b;
    return there && fmin(fabs(r.fa), fabs(r.fb)) <= most_growth * usual;
}

static void add(nh_events *e, size_t i, double t, int sign)
{
    nh_push(e->arena, e->found, e->n_found, e->found_capacity) = (nh_crossing){t, (int)(i + 1) * sign, false};
    e->was_zero[i] = t, e->left[i] = false;
}

/* What is added up in a condition is at most some times as large as the condition has been. */
static double rounding_of(const nh_events *e, size_t i) { return 16 * DBL_EPSILON * e->largest[i]; }

/* Once, also where it is seen from two pieces, or stays there for long, as a fourth power does. */
static void add_touch(nh_events *e, size_t i, double t, int sign)
{
    if (!e->left[i])
        return;
    add(e, i, t, sign);
    e->found[e->n_found - 1].touch = true;
}

/* A look, behind the last zero or before it. */
static void note(nh_events *e, size_t i, const double *times, size_t k, double value)
{
    if (isfinite(value))
        e->largest[i] = fmax(e->largest[i], fabs(value));
    if ((times[k] - e->was_zero[i]) * (times[LOOKS] - times[0]) > 0 && fabs(value) > rounding_of(e, i))
        e->left[i] = true;
}

/* Where the condition is nearest to 0 between a and b, on the side `sign`. */
static double nearest_between(nh_events *e, nh_stepper *s, size_t i, double a, double b, int sign)
{
    const double golden = 0.3819660112501051;
    double c = a + golden * (b - a), d = b - golden * (b - a);
    double fc = sign * value_at(e, s, i, c), fd = sign * value_at(e, s, i, d);
    for (int k = 0; k < 50 && fc > 0 && fd > 0; k++) {
        if (fc < fd)
            b = d, d = c, fd = fc, c = a + golden * (b - a), fc = sign * value_at(e, s, i, c);
        else
            a = c, c = d, fc = fd, d = b - golden * (b - a), fd = sign * value_at(e, s, i, d);
    }
    return fc < fd ? c : d;
}

/* Three looks on one side, and the parabola through them has its lowest point between them, or hardly beside them, nearly at 0 or beyond it. */
static bool may_touch(double f0, double f1, double f2)
{
    double bend = f0 - 2 * f1 + f2, slope = (f2 - f0) / 2, least = fmin(f0, fmin(f1, f2));
    double nearly = fmax(0.5 * least, 0.05 * fmax(f0, f2));
    return least > 0 && bend > 0 && fabs(slope) <= 1.2 * bend && f1 - slope * slope / (2 * bend) < nearly;
}

/* f = c (t - t0)^2 near t: t0, to more digits than the lowest value tells. False: it is a corner, f = c |t - t0|, or none of both. */
static bool find_vertex(nh_events *e, nh_stepper *s, size_t i, double h, double *t)
{
    double f[5], near, far;
    for (int k = 0; k < 5; k++)
        f[k] = value_at(e, s, i, *t + (k - 2) * h);
    near = f[1] + f[3] - 2 * f[2], far = f[0] + f[4] - 2 * f[2];
    if (!(fabs(near) < 0.4 * fabs(far)))
        return false;
    double by = h * (f[0] - f[4]) / far;
    *t += fabs(by) < h ? by : 0;
    return true;
}

static void touch(nh_events *e, nh_stepper *s, size_t i, const double *times, const double *f, int sign)
{
    double middle = nearest_between(e, s, i, times[0], times[2], sign), value = value_at(e, s, i, middle);
    e->largest[i] = fmax(e->largest[i], fmax(fabs(f[0]), fabs(f[2])));
    if (fabs(value) <= rounding_of(e, i) && i < e->motion->eq->model->n_events) {
        if (find_vertex(e, s, i, 1e-3 * (times[2] - times[0]), &middle))
            add_touch(e, i, middle, sign);
        return;
    }
    if (sign_of(value) != -sign)
        return;
    double first, second;
    if (!root_between(e, s, i, (bracket){times[0], f[0], middle, value}, &first) ||
        !root_between(e, s, i, (bracket){middle, value, times[2], f[2]}, &second))
        return;
    add(e, i, first, -sign);
    add(e, i, second, sign);
}

/* The sign is another one than the last that was not 0: between two looks, or at the first of them, which is 0, or is beyond it already:
 * at the end of the last step it was not, by rounding. */
static void change(nh_events *e, nh_stepper *s, size_t i, bracket looks)
{
    double root = looks.a;
    bool passed = looks.fa == 0 || sign_of(looks.fa) == sign_of(looks.fb);
    if (passed || (sign_of(looks.fa) == e->signs[i] && root_between(e, s, i, looks, &root)))
        add(e, i, root, sign_of(looks.fb));
}

static void scan(nh_events *e, nh_stepper *s, size_t i, const double *times)
{
    size_t n = e->motion->n_events, touched = 0;
    for (size_t k = 1; k <= LOOKS; k++) {
        double before = e->looks[(k - 1) * n + i], now = e->looks[k * n + i];
        int sign = sign_of(now), last = e->signs[i];
        if (sign && sign == last && before == 0 && i < e->motion->eq->model->n_events)
            add_touch(e, i, times[k - 1], sign);
        if (sign && last && sign != last)
            change(e, s, i, (bracket){times[k - 1], before, times[k], now});
        else if (k < LOOKS && sign && k > touched) {
            double f[3] = {before, now, e->looks[(k + 1) * n + i]};
            size_t count = e->n_found;
            if (may_touch(sign * f[0], sign * f[1], sign * f[2]))
                touch(e, s, i, times + k - 1, f, sign);
            touched = e->n_found > count ? k + 1 : 0; /* not the same two again */
        }
        if (sign)
            e->signs[i] = sign;
        note(e, i, times, k, now);
    }
}

/* ---------------------------------------------------------------- pieces */

/* Whether the looks between follow from the others: a polynomial of degree 4 through every other one. */
static bool is_smooth(const nh_events *e, size_t i)
{
    static const double weights[4][5] = {
        {35, 140, -70, 28, -5}, {-5, 60, 90, -20, 3}, {3, -20, 90, 60, -5}, {-5, 28, -70, 140, 35}};
    size_t n = e->motion->n_events;
    double largest = 0, apart = 0;
    for (size_t k = 0; k < 4; k++) {
        double guess = 0;
        for (size_t j = 0; j < 5; j++)
            guess += weights[k][j] / 128 * e->looks[2 * j * n + i];
        double there = e->looks[(2 * k + 1) * n + i];
        if (!isfinite(there - guess))
            return false;
        apart = fmax(apart, fabs(there - guess));
    }
    for (size_t k = 0; k <= LOOKS; k++)
        largest = fmax(largest, fabs(e->looks[k * n + i]));
    return apart <= 1e-2 * largest;
}

/* The polynomial of degree 4 through every other look, at a part of the piece. */
static double guess_at(const nh_events *e, size_t i, double part)
{
    double sum = 0;
    for (size_t j = 0; j < 5; j++) {
        double weight = 1;
        for (size_t k = 0; k < 5; k++)
            weight *= k == j ? 1 : (4 * part - (double)k) / ((double)j - (double)k);
        sum += weight * e->looks[2 * j * e->motion->n_events + i];
    }
    return sum;
}

/* Regular looks are deceived by what swings as often as they come: two more, where none would fall. */
static bool is_smooth_between(nh_events *e, nh_stepper *s, double from, double to)
{
    static const double parts[2] = {0.190983005625, 0.723606797750};
    size_t n = e->motion->n_events;
    bool smooth = true;
    for (int p = 0; p < 2 && smooth; p++) {
        look(e, s, from + (to - from) * parts[p], e->values);
        for (size_t i = 0; i < n; i++) {
            double largest = fabs(e->values[i]);
            for (size_t k = 0; k <= LOOKS; k++)
                largest = fmax(largest, fabs(e->looks[k * n + i]));
            smooth = smooth && fabs(e->values[i] - guess_at(e, i, parts[p])) <= 2e-2 * largest;
        }
    }
    return smooth;
}

/* The looks at a piece; whether all conditions are smooth in it. */
static bool look_at(nh_events *e, nh_stepper *s, double from, double to, double *times)
{
    size_t n = e->motion->n_events;
    bool smooth = true;
    for (size_t k = 0; k <= LOOKS; k++) {
        times[k] = k == LOOKS ? to : from + (to - from) * (double)k / LOOKS;
        look(e, s, times[k], e->looks + k * n);
    }
    for (size_t i = 0; i < n; i++)
        smooth = smooth && is_smooth(e, i);
    e->pieces++;
    return smooth && is_smooth_between(e, s, from, to);
}

/* Whether a short piece that is not smooth is so at one place alone, a corner, a jump or a pole: one half of it is smooth. */
static bool is_at_one_place(nh_events *e, nh_stepper *s, double from, double to)
{
    double times[LOOKS + 1], middle = from + (to - from) / 2;
    return look_at(e, s, from, middle, times) != look_at(e, s, middle, to, times);
}

/* Whether a piece that is not smooth is cut. What swings at all lengths, as rounding does, is not followed any further, here and in
 * the rest of the run, and that is told. */
static bool is_cut(nh_events *e, nh_stepper *s, double from, double to, int cuts)
{
    if (cuts < MOST_CUTS)
        return true;
    if (s->swings || is_at_one_place(e, s, from, to))
        return false;
    s->swings = cuts >= MOST_CUTS_AT_ALL || e->pieces >= MOST_PIECES;
    return !s->swings;
}

static void look_within(nh_events *e, nh_stepper *s, double from, double to, int cuts)
{
    double times[LOOKS + 1];
    if (!look_at(e, s, from, to, times)) {
        if (is_cut(e, s, from, to, cuts)) {
            double middle = from + (to - from) / 2;
            look_within(e, s, from, middle, cuts + 1);
            look_within(e, s, middle, to, cuts + 1);
            return;
        }
        if (cuts >= MOST_CUTS)
            look_at(e, s, from, to, times); /* again: the halves were looked at */
    }
    for (size_t i = 0; i < e->motion->n_events; i++)
        scan(e, s, i, times);
}

static int by_time(const void *a, const void *b)
{
    const nh_crossing *x = a, *y = b;
    return x->t < y->t ? -1 : x->t > y->t ? 1 : (x->event > y->event) - (x->event < y->event);
}

static void turn_round(nh_crossing *list, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        nh_crossing swap = list[i];
        list[i] = list[count - 1 - i], list[count - 1 - i] = swap;
    }
}

const nh_crossing *nh_events_within(nh_events *e, nh_stepper *s, double from, double to, size_t *count)
{
    e->n_found = e->pieces = 0;
    look_within(e, s, from, to, 0);
    if (e->n_found > 1)
        qsort(e->found, e->n_found, sizeof *e->found, by_time);
    if (to < from)
        turn_round(e->found, e->n_found);
    *count = e->n_found;
    return e->found;
}

/* A condition that has come to rest at 0: dry friction ends a motion so, and nothing passes through. */
bool nh_events_at_rest(nh_events *e, nh_stepper *s, size_t *which)
{
    look(e, s, s->t, e->values);
    for (size_t i = 0; i < e->motion->eq->model->n_events; i++)
        if (e->motion->eq->model->events[i].ends && fabs(e->values[i]) <= 1e-9 * e->largest[i]) {
            *which = i;
            return true;
        }
    return false;
}
