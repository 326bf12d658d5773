/* Where conditions pass through 0. Within a step the motion is known at every time. The step is cut into pieces until each condition
 * is, in each of them, nowhere 0, or monotone, or bent to one side: bounds.c proves that. There it has at most one zero, which the signs
 * at the ends tell, or two, on both sides of where it is nearest to 0. Where that cannot be proved, in pieces that are a small part of the
 * step or where nothing is known of a condition but its values, it is looked at: nine times, where every other look has to follow from
 * the rest by interpolation, and more closely where it comes near 0.
 *
 * A sign counts where rounding leaves no doubt of it. Between two such looks a change of sign is followed to the last bit. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces are cut up to FINE_CUTS times where bounds ask for it, up to MOST_FINE of them in one step, and fewer, down to LEAST_FINE, where that was
 * in vain in the steps before; MOST_PARTS times from the same looks. Where looks tell that something is not
 * smooth, MOST_CUTS times, and on where that is not at one place alone; not beyond MOST_CUTS_AT_ALL, nor into more than MOST_PIECES in one
 * step: then it is told. */
enum {
    LOOKS = NH_LOOKS,
    FINE_CUTS = 16,
    MOST_PARTS = 4,
    LEAST_FINE = 4,
    MOST_FINE = 256,
    MOST_CUTS = 12,
    MOST_CUTS_AT_ALL = 30,
    MOST_PIECES = 1 << 20,
    STEPS_AT_A_CORNER = 16 /* one of so many crosses it, at least, where the motion is held there */
};

/* What has been seen of a condition so far. */
typedef struct seen {
    double largest; /* it has been */
    double since;   /* the largest since it last was told to be 0 */
    int sign;       /* the last one without doubt; 0: none yet */
    double t;       /* then */
    int high_sign;  /* the same of the last value that is something beside the largest */
    double high_t;  /* then */
    bool low,
        passed;    /* since then: it has been nothing; it has passed through 0, or a touch is known already */
    bool by_looks; /* in this step */
    double edge;   /* where values that are 0 themselves began; NAN: they have not */
    double beside; /* how far before that it is something, and more than rounding */
    bool rests;    /* a stretch of zeros was told, and lasts */
} seen;

struct nh_events {
    const nh_motion *motion;
    nh_arena *arena;
    nh_complete *complete;
    nh_bounds *bounds; /* NULL: only values are known */
    double *x, *values;
    double *looks; /* rows of values */
    seen *seen;    /* by condition */
    nh_course *courses;
    nh_crossing *found;
    size_t n_found, found_capacity;
    double from;         /* where this step begins */
    size_t across;       /* of the stepper */
    size_t crossed_at;   /* its number of steps, when it last crossed a corner */
    size_t pieces, fine; /* of this step */
    size_t most_fine;
};

static int sign_of(double x) { return (x > 0) - (x < 0); }

static void state_at(nh_events *e, nh_stepper *s, double t)
{
    if (t == s->t)
        memcpy(e->x, s->x, e->motion->size * sizeof *e->x);
    else
        s->at(s, t, e->x);
}

/* All conditions at one time; NaN where there is no state. */
static void look(nh_events *e, nh_stepper *s, double t, double *values)
{
    state_at(e, s, t);
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
    *e = (nh_events){.motion = m, .arena = arena, .complete = complete, .most_fine = MOST_FINE};
    e->bounds = nh_bounds_new(m, arena);
    e->x = nh_arena_array(arena, m->size + 1, sizeof *e->x);
    e->values = nh_zeros(arena, m->n_events);
    e->looks = nh_arena_array(arena, NH_ALL_LOOKS * m->n_events, sizeof *e->looks);
    e->courses = nh_arena_array(arena, m->n_events, sizeof *e->courses);
    e->seen = nh_arena_array(arena, m->n_events, sizeof *e->seen);
    if (nh_complete_at(complete, t, x))
        nh_complete_events(complete, e->values);
    for (size_t i = 0; i < m->n_events; i++) {
        bool jump = i >= m->eq->model->n_events,
             firm = jump || !e->bounds || nh_bounds_is_firm(e->bounds, i, t, x);
        int sign = firm ? sign_of(e->values[i]) : 0;
        e->seen[i] = (seen){.sign = sign, .t = t, .high_sign = sign, .high_t = t, .edge = NAN};
        e->seen[i].largest = e->seen[i].since = sign && isfinite(e->values[i]) ? fabs(e->values[i]) : 0;
    }
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

/* Where values that are 0 begin, from t, where it is so, towards a, where it is not. */
static double end_of_zero(nh_events *e, nh_stepper *s, size_t i, double t, double a)
{
    double beside = t + (a < t ? -1e-15 : 1e-15) * fabs(t);
    bool ends = (a - beside) * (a - t) <= 0 || value_at(e, s, i, beside) != 0;
    for (int k = 0; k < 100 && !ends; k++) {
        double middle = t + (a - t) / 2;
        if (middle == t || middle == a)
            break;
        if (value_at(e, s, i, middle) == 0)
            t = middle;
        else
            a = middle;
    }
    return t;
}

/* What is added up in a condition is at most some times as large as the condition has been. */
static double rounding_of(const nh_events *e, size_t i) { return 16 * DBL_EPSILON * e->seen[i].largest; }

/* The first value that is not 0 itself, from the edge towards `far` from it. Next to the edge the rounding of what is added up may make it 0
 * again, as in max(x - 1, 0) where x - 1 is some units of rounding. */
static double first_beside(nh_events *e, nh_stepper *s, size_t i, double edge, double near, double far)
{
    double value = value_at(e, s, i, edge + near);
    while (value == 0 && fabs(near) < fabs(far)) {
        near = fabs(2 * near) < fabs(far) ? 2 * near : far;
        value = value_at(e, s, i, edge + near);
    }
    return value;
}

/* From the edge of values that are 0 towards a: how far it is to where it is certainly something; INFINITY: it comes to 0 as the smallest
 * numbers do. */
static double room_beside(nh_events *e, nh_stepper *s, size_t i, double edge, double a)
{
    double most = fabs(a - edge), room = 2 * most, side = a < edge ? -1 : 1,
           bits = 1e-12 * fmax(fabs(edge), most);
    while (room > bits && fabs(value_at(e, s, i, edge + side * room / 2)) > 64 * rounding_of(e, i))
        room /= 2;
    double first = first_beside(e, s, i, edge, side * room / 64, side * fmin(room, most));
    return fabs(first) < 1e-290 ? INFINITY : room;
}

/* Zeros that last so much longer than what is beside them takes to be something: max(x, 0) has them, (1 - cos x)^2 and x^99, which
 * rounding makes 0, have not. */
static bool is_stretch(double length, double beside) { return length > 8 * beside; }

/* It is 0 at t: the place of that zero between a and b, the middle of what rounding makes 0, or where a stretch of zeros begins. */
static double place_of_zero(nh_events *e, nh_stepper *s, size_t i, double t, double a, double b,
                            bool *stretch)
{
    double first = end_of_zero(e, s, i, t, a), last = end_of_zero(e, s, i, t, b);
    *stretch = first != last && is_stretch(fabs(last - first), room_beside(e, s, i, first, a));
    return *stretch ? first : first / 2 + last / 2;
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
        if (f == 0) { /* as high powers are, for a while */
            bool stretch;
            t = place_of_zero(e, s, i, t, r->a, r->b, &stretch);
            *r = (bracket){t, 0, t, 0};
        } else if (sign_of(f) == sign_of(r->fa))
            r->a = t, wa = r->fa = f, wb /= k % 3 == 1 ? 2 : 1;
        else if (f == f)
            r->b = t, wb = r->fb = f, wa /= k % 3 == 1 ? 2 : 1;
    }
    return true;
}

/* A change of sign is a passage through 0, also by a jump, unless it is at a pole: |f| grows on both sides, the more the nearer. */
static const double most_growth = 1000;

/* How large the condition is between the ends of r, not next to the root: an end may lie on a pole, where values are of any size or infinite. */
static double usual_size(const bracket *r, double root)
{
    double width = fabs(r->b - r->a), near_a = fabs(root - r->a) < width / 16 ? 0 : fabs(r->fa),
           near_b = fabs(root - r->b) < width / 16 ? 0 : fabs(r->fb);
    return fmax(near_a, near_b);
}

/* Between a and b, where the signs differ: whether and where the condition passes through 0. */
static bool root_between(nh_events *e, nh_stepper *s, size_t i, bracket r, double *root)
{
    bracket whole = r;
    bool there = narrow(e, s, i, &r);
    *root = r.b;
    return there && fmin(fabs(r.fa), fabs(r.fb)) <= most_growth * usual_size(&whole, r.b);
}

static void add(nh_events *e, size_t i, double t, int sign)
{
    nh_push(e->arena, e->found, e->n_found, e->found_capacity) = (nh_crossing){t, (int)(i + 1) * sign, false};
    e->seen[i].passed = true, e->seen[i].since = 0;
}

/* The sign, where rounding leaves no doubt of it; 0: it does, or there is no value. Not worth a question where it is far from 0. Where
 * constraints may jump, the sign as it is computed is what they jump by. */
static int firm_sign(nh_events *e, nh_stepper *s, size_t i, double t, double value)
{
    double largest = e->seen[i].largest;
    bool jump = i >= e->motion->eq->model->n_events, far = largest > 0 && fabs(value) > 1e-8 * largest;
    if (value == 0 || jump || far || !e->bounds)
        return sign_of(value);
    state_at(e, s, t);
    return nh_bounds_is_firm(e->bounds, i, t, e->x) ? sign_of(value) : 0;
}

/* Whether it is something beside the largest that it has been, and beside rounding. */
static bool is_high(nh_events *e, nh_stepper *s, size_t i, double t, double value)
{
    return fabs(value) > rounding_of(e, i) && firm_sign(e, s, i, t, value);
}

/* ---------------------------------------------------------------- between two signs */

/* Where the step begins, or t if it is later. */
static double within_step(const nh_events *e, double t, double end)
{
    return (t - e->from) * (end - e->from) < 0 ? e->from : t;
}

/* How far steps may go across a corner, relative: where the solver knows nothing of it, by the tolerance of the run, not of a step. */
static double error_at_corners(const nh_stepper *s)
{
    return s->steps_over_corners ? 1e3 * s->tolerance : s->tolerance;
}

/* A corner of the forces may hold the motion, as dry friction holds a body: what the solver makes of that goes to and fro across it, within
 * its tolerance, and passes through 0 once. */
static bool is_to_and_fro(const nh_events *e, const nh_stepper *s, size_t i)
{
    bool corner = e->across > 0 && s->steps - e->crossed_at < STEPS_AT_A_CORNER;
    return corner && e->seen[i].since <= error_at_corners(s) * e->seen[i].largest;
}

/* A look next to a pole is no measure of what the condition is elsewhere. */
static void forget_pole(seen *c, const bracket *r, double root)
{
    double usual = usual_size(r, root);
    if (usual > 0 && isfinite(usual))
        c->largest = fmin(c->largest, usual);
}

/* The sign is another one than the last: it changes between that look and this one, or, where that was in an earlier step, at the latest at the
 * beginning of this one. */
static void change(nh_events *e, nh_stepper *s, size_t i, double t, double value)
{
    double before = within_step(e, e->seen[i].t, t), root = before;
    bracket r = {before, value_at(e, s, i, before), t, value};
    bool earlier = r.fa == 0 || sign_of(r.fa) == sign_of(value),
         pole = earlier && fabs(r.fa) > most_growth * fabs(value);
    if (is_to_and_fro(e, s, i))
        return;
    if (!pole && (earlier || root_between(e, s, i, r, &root)))
        add(e, i, root, sign_of(value));
    else
        forget_pole(&e->seen[i], &r, root);
}

/* Where the condition is nearest to 0 between a and b, on the side `sign`: at a corner to the last bits of the time. */
static double nearest_between(nh_events *e, nh_stepper *s, size_t i, double a, double b, int sign)
{
    const double golden = 0.3819660112501051;
    double c = a + golden * (b - a), d = b - golden * (b - a);
    double fc = sign * value_at(e, s, i, c), fd = sign * value_at(e, s, i, d);
    for (int k = 0; k < 80 && fc > 0 && fd > 0 && c != d; k++) {
        if (fc < fd)
            b = d, d = c, fd = fc, c = a + golden * (b - a), fc = sign * value_at(e, s, i, c);
        else
            a = c, c = d, fc = fd, d = b - golden * (b - a), fd = sign * value_at(e, s, i, d);
    }
    return fc < fd ? c : d;
}

/* ---------------------------------------------------------------- touches */

/* f at t, t -+ h and t -+ 2h: how far it rises from t to both sides, at h and at 2h. */
typedef struct rise {
    double f[5], near, far;
} rise;

static rise rise_at(nh_events *e, nh_stepper *s, size_t i, double t, double h)
{
    rise r;
    for (int k = 0; k < 5; k++)
        r.f[k] = value_at(e, s, i, t + (k - 2) * h);
    r.near = r.f[1] + r.f[3] - 2 * r.f[2], r.far = r.f[0] + r.f[4] - 2 * r.f[2];
    return r;
}

/* From h on, twice as far and so on, until that is more than rounding: within the step, or somewhat beyond its ends, where the solver has
 * values there. */
static rise rise_beyond_rounding(nh_events *e, nh_stepper *s, size_t i, double t, double *h)
{
    double step = fabs(s->t - e->from), inside = fmin(fabs(t - e->from), fabs(s->t - t)) / 2;
    double room = fmax(inside, step / (s->is_dense ? 8 : 32));
    rise r = rise_at(e, s, i, t, *h = fmin(*h, room));
    while (*h > 0 && *h < room && fabs(r.far) < 1e4 * rounding_of(e, i)) {
        rise next = rise_at(e, s, i, t, fmin(2 * *h, room));
        if (isnan(next.far))
            break;
        r = next, *h = fmin(2 * *h, room);
    }
    return r;
}

/* f = c (t - t0)^p, p > 4/3, near t: t0, to more digits than the lowest value tells, from as near as values are more than rounding. h: how far
 * away to begin. False: it is a corner, see below, or none of both, or that cannot be told. */
static bool find_vertex(nh_events *e, nh_stepper *s, size_t i, double h, double *t)
{
    rise r = rise_beyond_rounding(e, s, i, *t, &h), next = r;
    double sides = fmin(fabs(r.f[0] - r.f[2]), fabs(r.f[4] - r.f[2]));
    if (!(fabs(r.far) > 4 * rounding_of(e, i) && fabs(r.near) < 0.4 * fabs(r.far) &&
          sides > 1e-2 * fabs(r.far)))
        return false;
    for (int tries = 0; tries < 32 && fabs(next.far) >= 1e4 * rounding_of(e, i); tries++) {
        r = next, h /= tries ? 2 : 1;
        next = rise_at(e, s, i, *t, h / 2);
    }
    double by = 2 * h * (r.f[0] - r.f[4]) / (r.far * log2(r.far / r.near));
    *t += fabs(by) < h ? by : 0;
    return true;
}

/* f = c |t - t0|^p, p <= 4/3, as at a corner: t is t0 to the last bits, where f is 0 as far as these tell. Not where it jumps. */
static bool is_corner(nh_events *e, nh_stepper *s, size_t i, double h, double t)
{
    rise r = rise_beyond_rounding(e, s, i, t, &h);
    double last_bits = 4 * DBL_EPSILON * fabs(t) * fabs(r.far) / h;
    double least = 4 * rounding_of(e, i), sides = fmin(fabs(r.f[0] - r.f[2]), fabs(r.f[4] - r.f[2]));
    return sides > least && fabs(r.far) > least && fabs(r.near) < 0.9 * fabs(r.far) &&
           (fabs(r.f[2]) <= last_bits || !is_high(e, s, i, t, r.f[2]));
}

/* It has been nothing between a and b, if `low`, or may have been, and something at both of them, with the same sign: it has turned round, from above or
 * from below. Where constraints may jump, that is nothing. */
static bool touch(nh_events *e, nh_stepper *s, size_t i, double a, double b, int sign, bool low)
{
    bool stretch = false;
    double t = nearest_between(e, s, i, a, b, sign), value = value_at(e, s, i, t), h = fabs(b - a) / 8;
    if (i >= e->motion->eq->model->n_events || is_to_and_fro(e, s, i))
        return false;
    low = low || !is_high(e, s, i, t, value);
    if (value == 0)
        t = place_of_zero(e, s, i, t, a, b, &stretch);
    if (!stretch && !(low && find_vertex(e, s, i, h, &t)) && !is_corner(e, s, i, h, t))
        return false;
    add(e, i, t, sign);
    e->found[e->n_found - 1].touch = true;
    return true;
}

/* The condition has the same sign at a and b: what it does where it is nearest to 0 between them. Whether there is anything to tell. */
static bool dip(nh_events *e, nh_stepper *s, size_t i, bracket r)
{
    int sign = sign_of(r.fa);
    double t = nearest_between(e, s, i, r.a, r.b, sign), value = value_at(e, s, i, t), first, second;
    int there = firm_sign(e, s, i, t, value);
    if (is_to_and_fro(e, s, i))
        return false;
    if (there != -sign)
        return fabs(value) <= 1e-6 * e->seen[i].largest && is_high(e, s, i, r.a, r.fa) &&
               is_high(e, s, i, r.b, r.fb) && touch(e, s, i, r.a, r.b, sign, false);
    if (!root_between(e, s, i, (bracket){r.a, r.fa, t, value}, &first) ||
        !root_between(e, s, i, (bracket){t, value, r.b, r.fb}, &second))
        return false;
    add(e, i, first, -sign);
    add(e, i, second, sign);
    return true;
}

/* ---------------------------------------------------------------- the looks at a piece */

/* The look at t finds 0 itself, or not: a stretch of zeros is told where it begins, as soon as it is seen to be one. What is so from the start
 * on is none. */
static void rest(nh_events *e, nh_stepper *s, size_t i, double t, double value)
{
    seen *c = &e->seen[i];
    if (isnan(value) || fabs(value) > rounding_of(e, i))
        c->edge = NAN;
    if (value != 0 || !c->high_sign || i >= e->motion->eq->model->n_events)
        return;
    if (isnan(c->edge)) {
        double before = within_step(e, c->high_t, t);
        bool known = fabs(value_at(e, s, i, before)) > 64 * rounding_of(e, i);
        c->edge = before == t ? t : end_of_zero(e, s, i, t, before);
        c->beside = known ? room_beside(e, s, i, c->edge, before) : 2 * fabs(c->edge - c->high_t);
    }
    if (c->rests || c->passed || !is_stretch(fabs(t - c->edge), c->beside))
        return;
    add(e, i, within_step(e, c->edge, t), c->high_sign);
    e->found[e->n_found - 1].touch = c->rests = true;
}

/* One look more. */
static void take(nh_events *e, nh_stepper *s, size_t i, double t, double value)
{
    seen *c = &e->seen[i];
    int sign = firm_sign(e, s, i, t, value);
    if (sign && isfinite(value))
        c->largest = fmax(c->largest, fabs(value));
    if (isnan(value))
        c->sign = c->high_sign = 0; /* nothing is known of what is between */
    rest(e, s, i, t, value);
    if (sign && c->sign && sign != c->sign && !c->rests)
        change(e, s, i, t, value);
    c->since = fmax(c->since, fabs(value));
    if (sign)
        c->sign = sign, c->t = t, c->rests = false;
    if (!sign || fabs(value) <= rounding_of(e, i)) {
        c->low = true;
        return;
    }
    if (c->low && !c->passed && sign == c->high_sign)
        touch(e, s, i, within_step(e, c->high_t, t), t, sign, true);
    c->low = c->passed = false, c->high_sign = sign, c->high_t = t;
}

/* Three looks on one side, and the parabola through them has its lowest point between them, or hardly beside them, nearly at 0 or beyond it. */
static bool comes_near(double f0, double f1, double f2)
{
    double bend = f0 - 2 * f1 + f2, slope = (f2 - f0) / 2, least = fmin(f0, fmin(f1, f2));
    double nearly = fmax(0.5 * least, 0.05 * fmax(f0, f2));
    return bend > 0 && fabs(slope) <= 1.2 * bend && f1 - slope * slope / (2 * bend) < nearly;
}

/* Whether it may come to 0 and turn round near look k, before the next look on each side. */
static bool may_dip(nh_events *e, size_t i, size_t k, size_t before, size_t behind)
{
    size_t n = e->motion->n_events;
    double here = e->looks[k * n + i];
    int sign = sign_of(here), bent = e->courses[i] == NH_COURSE_CONVEX ? 1 : -1;
    double f0 = sign * e->looks[before * n + i], f1 = sign * here, f2 = sign * e->looks[behind * n + i];
    bool lowest = f1 <= f0 && f1 <= f2;
    bool bends = e->courses[i] == NH_COURSE_CONVEX || e->courses[i] == NH_COURSE_CONCAVE;
    if (!(f0 > 0 && f1 > 0 && f2 > 0) || (!bends && e->courses[i] != NH_COURSE_UNKNOWN))
        return false;
    if (!bends)
        return before < k && k < behind ? lowest || comes_near(f0, f1, f2) : e->bounds && lowest;
    return sign == bent && lowest && f1 - nh_bounds_change(e->bounds, i) / LOOKS <= rounding_of(e, i);
}

static void scan(nh_events *e, nh_stepper *s, size_t i, const double *times)
{
    size_t n = e->motion->n_events, told = 0; /* up to which look a dip is */
    for (size_t k = 0; k <= LOOKS; k++) {
        size_t before = k > 0 ? k - 1 : 0, behind = k < LOOKS ? k + 1 : LOOKS;
        bracket r = {times[before], e->looks[before * n + i], times[behind], e->looks[behind * n + i]};
        if (k > 0)
            take(e, s, i, times[k], e->looks[k * n + i]);
        if ((k == 0 || k > told) && may_dip(e, i, k, before, behind) && dip(e, s, i, r))
            told = behind; /* not the same two again */
    }
}

/* ---------------------------------------------------------------- pieces */

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

/* How far the other looks are from that; INFINITY: there are places without a value. */
static double apart_of(const nh_events *e, size_t i)
{
    static const double weights[4][5] = {
        {35, 140, -70, 28, -5}, {-5, 60, 90, -20, 3}, {3, -20, 90, 60, -5}, {-5, 28, -70, 140, 35}};
    size_t n = e->motion->n_events;
    double apart = 0;
    for (size_t k = 0; k < 4; k++) {
        double by = e->looks[(2 * k + 1) * n + i];
        for (size_t j = 0; j < 5; j++)
            by -= weights[k][j] / 128 * e->looks[2 * j * n + i];
        apart = isfinite(by) ? fmax(apart, fabs(by)) : INFINITY;
    }
    for (size_t p = 0; p < NH_LOOKS_BETWEEN; p++) {
        double by = e->looks[(LOOKS + 1 + p) * n + i] - guess_at(e, i, nh_looks_between[p]);
        apart = isfinite(by) ? fmax(apart, fabs(by) / 2) : INFINITY;
    }
    return apart;
}

/* Whether the other looks follow from that, but for rounding. Where there is no value at all, there is nothing to follow. */
static bool is_smooth(const nh_events *e, size_t i)
{
    double largest = 0, apart = apart_of(e, i);
    size_t without = 0;
    for (size_t k = 0; k < NH_ALL_LOOKS; k++) {
        double value = e->looks[k * e->motion->n_events + i];
        largest = fmax(largest, fabs(value)), without += isnan(value) ? 1 : 0;
    }
    return apart <= 1e-2 * largest || without == NH_ALL_LOOKS ||
           (e->bounds && isfinite(apart) &&
            apart <= fmax(rounding_of(e, i), 4 * nh_bounds_rounding(e->bounds, i)));
}

/* The looks at a piece; whether all conditions are smooth in it, as far as they tell. Regular looks are deceived by what swings as often as
 * they come: those between are where none of them would fall. */
static bool look_at(nh_events *e, nh_stepper *s, double from, double to, double *times)
{
    size_t n = e->motion->n_events;
    bool smooth = true;
    for (size_t k = 0; k < NH_ALL_LOOKS; k++) {
        double part = k <= LOOKS ? (double)k / LOOKS : nh_looks_between[k - LOOKS - 1];
        double t = k == LOOKS ? to : from + (to - from) * part;
        look(e, s, t, e->looks + k * n);
        nh_bounds_take(e->bounds, k, e->x);
        if (k <= LOOKS)
            times[k] = t;
    }
    nh_bounds_piece(e->bounds, from, to);
    for (size_t i = 0; i < n; i++)
        smooth = smooth && is_smooth(e, i);
    e->pieces++;
    return smooth;
}

/* What the conditions do in a part of the piece that was looked at. Whether that is known of all. */
static bool find_courses(nh_events *e)
{
    bool known = true;
    for (size_t i = 0; i < e->motion->n_events; i++) {
        e->courses[i] = nh_bounds_course(e->bounds, i, rounding_of(e, i));
        known = known && e->courses[i] != NH_COURSE_UNKNOWN;
    }
    return known;
}

/* A piece that was looked at. */
typedef struct piece {
    double from, to;
    int cuts;
    size_t number; /* it was looked at last while there are so many pieces */
} piece;

/* Whether a short piece that is not smooth is so at one place alone, a corner, a jump or a pole: one half of it is smooth. */
static bool is_at_one_place(nh_events *e, nh_stepper *s, double from, double to)
{
    double times[LOOKS + 1], middle = from + (to - from) / 2;
    return look_at(e, s, from, middle, times) != look_at(e, s, middle, to, times);
}

/* Of what is not known in a piece that could be cut further, there are looks alone. */
static void note_looks(nh_events *e, int cuts)
{
    for (size_t i = 0; i < e->motion->n_events && cuts < FINE_CUTS; i++)
        e->seen[i].by_looks |= e->courses[i] == NH_COURSE_UNKNOWN;
}

/* Whether a piece is cut in which a condition is not known to be simple. What swings at all lengths, as rounding does, is not followed any
 * further, here and in the rest of the run, and that is told. */
static bool is_cut(nh_events *e, nh_stepper *s, const piece *p, bool smooth)
{
    int cuts = p->cuts;
    if (!smooth && cuts < MOST_CUTS)
        return true;
    if (e->bounds && cuts < FINE_CUTS && e->fine < e->most_fine) {
        e->fine++;
        return true;
    }
    note_looks(e, cuts);
    if (smooth || s->swings || is_at_one_place(e, s, p->from, p->to))
        return false;
    s->swings = cuts >= MOST_CUTS_AT_ALL || e->pieces >= MOST_PIECES;
    return !s->swings;
}

static void look_within(nh_events *, nh_stepper *, double from, double to, int cuts);

/* A part in which all is known: looks at its ends tell, and where a condition is nearest to 0. */
static void scan_part(nh_events *e, nh_stepper *s, double from, double to)
{
    size_t n = e->motion->n_events;
    double *first = e->looks, *last = e->looks + n;
    look(e, s, from, first);
    look(e, s, to, last);
    for (size_t i = 0; i < n; i++) {
        bool bends = e->courses[i] == NH_COURSE_CONVEX || e->courses[i] == NH_COURSE_CONCAVE;
        int bent = e->courses[i] == NH_COURSE_CONVEX ? 1 : -1;
        double least = bent * first[i] < bent * last[i] ? bent * first[i] : bent * last[i];
        if (bends && least > 0 && least - nh_bounds_change(e->bounds, i) <= rounding_of(e, i))
            dip(e, s, i, (bracket){from, first[i], to, last[i]});
        take(e, s, i, to, last[i]);
    }
}

/* A part of a piece, from u to v, -1 <= u < v <= 1. It is cut as long as the looks at the piece are likely to tell more of its parts. */
static void cut_part(nh_events *e, nh_stepper *s, const piece *p, double u, double v, int cuts)
{
    double middle = (u + v) / 2, from = p->from + (p->to - p->from) * (u + 1) / 2,
           to = v == 1 ? p->to : p->from + (p->to - p->from) * (v + 1) / 2;
    if (p->number != e->pieces) {
        look_within(e, s, from, to, p->cuts + cuts);
        return;
    }
    nh_bounds_part(e->bounds, u, v);
    if (find_courses(e))
        scan_part(e, s, from, to);
    else if (cuts < MOST_PARTS && p->cuts + cuts < FINE_CUTS && e->fine < e->most_fine) {
        e->fine++;
        cut_part(e, s, p, u, middle, cuts + 1);
        cut_part(e, s, p, middle, v, cuts + 1);
    } else
        look_within(e, s, from, to, p->cuts + cuts);
}

static void look_within(nh_events *e, nh_stepper *s, double from, double to, int cuts)
{
    double times[LOOKS + 1];
    bool smooth = look_at(e, s, from, to, times), known = find_courses(e);
    piece p = {from, to, cuts, e->pieces};
    if (!known && is_cut(e, s, &p, smooth)) {
        if (!e->bounds)
            p.number = 0;
        cut_part(e, s, &p, -1, 0, 1);
        cut_part(e, s, &p, 0, 1, 1);
        return;
    }
    if (!known && !smooth) { /* again: the halves were looked at */
        look_at(e, s, from, to, times);
        find_courses(e);
    }
    for (size_t i = 0; i < e->motion->n_events; i++)
        scan(e, s, i, times);
}

/* ---------------------------------------------------------------- at the end of the run */

/* The state behind the end t of the run, by the last step's polynomial, or where the solver has none there by the parabola through those
 * before, x(t + h) = 3 x(t) - 3 x(t - h) + x(t - 2h). */
static void state_behind(nh_events *e, nh_stepper *s, double t, double h, double *x)
{
    static const double weights[] = {3, -3, 1};
    bool there = true;
    s->at(s, t + h, x);
    for (size_t k = 0; k < e->motion->size; k++)
        there = there && isfinite(x[k]);
    for (int m = 0; m < 3 && !there; m++) {
        state_at(e, s, t - m * h);
        for (size_t k = 0; k < e->motion->size; k++)
            x[k] = (m > 0 ? x[k] : 0) + weights[m] * e->x[k];
    }
}

/* 0: it is nothing there, or there is no value. */
static double value_behind(nh_events *e, nh_stepper *s, size_t i, double t, double h)
{
    double *x = nh_arena_array(e->arena, e->motion->size + 1, sizeof *x);
    state_behind(e, s, t, h, x);
    if (!nh_complete_at(e->complete, t + h, x) || (e->bounds && !nh_bounds_is_firm(e->bounds, i, t + h, x)))
        return 0;
    nh_complete_events(e->complete, e->values);
    return isnan(e->values[i]) ? 0 : e->values[i];
}

/* The run ends at t, and nothing is looked at behind it. A condition that is 0 there, as far as rounding tells, has come to 0 if it is
 * something on both sides, a small part of the step before t and behind it: it passes through where the signs differ, and touches where
 * they do not. What has decayed into rounding is nothing on both sides. */
static void end_at(nh_events *e, nh_stepper *s, size_t i, double t)
{
    const seen *c = &e->seen[i];
    double h = (t - e->from) / 32, value = value_at(e, s, i, t);
    if (isnan(value) || c->passed || c->rests || !c->high_sign || firm_sign(e, s, i, t, value))
        return;
    double before = value_at(e, s, i, t - h), behind = value_behind(e, s, i, t, h);
    int from = firm_sign(e, s, i, t - h, before), to = sign_of(behind);
    if (from != c->high_sign || fabs(value) > 1e-3 * fmin(fabs(before), fabs(behind)) || !to)
        return;
    add(e, i, t, to);
    e->found[e->n_found - 1].touch = from == to;
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

/* After a step. */
static void note_step(nh_events *e, nh_stepper *s)
{
    bool in_vain = false;
    for (size_t i = 0; i < e->motion->n_events; i++) {
        in_vain |= e->seen[i].by_looks;
        e->seen[i].by_looks = false;
    }
    s->looked += in_vain;
    size_t next = in_vain ? e->most_fine / 4 : e->most_fine + LEAST_FINE;
    e->most_fine = next < LEAST_FINE ? LEAST_FINE : next > MOST_FINE ? MOST_FINE : next;
}

const nh_crossing *nh_events_within(nh_events *e, nh_stepper *s, double from, double to, bool ends,
                                    size_t *count)
{
    e->n_found = e->pieces = e->fine = 0, e->from = from;
    if (s->across != e->across)
        e->across = s->across, e->crossed_at = s->steps;
    look_within(e, s, from, to, 0);
    for (size_t i = 0; i < e->motion->eq->model->n_events && ends; i++)
        end_at(e, s, i, to);
    note_step(e, s);
    if (e->n_found > 1)
        qsort(e->found, e->n_found, sizeof *e->found, by_time);
    if (to < from)
        turn_round(e->found, e->n_found);
    *count = e->n_found;
    return e->found;
}

/* Conditions that have come to rest at 0 where the motion ends: dry friction ends one so, and nothing passes through. */
static const double nothing = 1e-9; /* beside the largest it has been */

const nh_crossing *nh_events_at_rest(nh_events *e, nh_stepper *s, bool all, size_t *count)
{
    e->n_found = 0;
    const double none = fmax(nothing, error_at_corners(s));
    look(e, s, s->t, e->values);
    for (size_t i = 0; i < e->motion->eq->model->n_events; i++) {
        seen *c = &e->seen[i];
        if (!(all || e->motion->eq->model->events[i].ends) ||
            !(c->since > none * c->largest && fabs(e->values[i]) <= none * c->largest))
            continue;
        add(e, i, s->t, c->high_sign < 0 ? -1 : 1);
        e->found[e->n_found - 1].touch = true;
    }
    *count = e->n_found;
    return e->found;
}
