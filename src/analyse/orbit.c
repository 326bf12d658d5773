/* Rest, periods and motions without bounds, seen in the states of a run. Periods: in the section through the first state and across
 * the motion there the motion comes back to that state. */
#include "analyse/orbit.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 32, BISECTIONS = 60 };

/* Changes by rounding, and the distance of a return, both relative to the size of what is looked at. */
static const double STILL = 1e-9, CLOSE = 1e-6;

struct nh_trace {
    nh_flow *flow;
    const size_t *variables;
    size_t count;
    double *first, *across; /* the first state, and its rates, by variable */
    double *low, *high;     /* of the change since then */
    double *at;             /* a state of the stepper */
    double farthest[MOST_PARTS];
    size_t n_parts;
    bool returned;
};

/* ---------------------------------------------------------------- changes */

/* Since the first state; of an angle within half a turn. */
static double change_of(const nh_trace *o, size_t i, const double *x)
{
    size_t v = o->variables[i];
    double d = x[v] - o->first[i];
    return o->flow->angle[v] ? remainder(d, 2 * M_PI) : d;
}

static double height_of(const nh_trace *o, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < o->count; i++)
        sum += change_of(o, i, x) * o->across[i];
    return sum;
}

static bool moves(const nh_trace *o, size_t i)
{
    return o->high[i] - o->low[i] > STILL * (1 + fabs(o->first[i]));
}

nh_trace *nh_trace_new(nh_flow *f, const size_t *variables, size_t count, const nh_stepper *s)
{
    nh_trace *o = nh_arena_array(f->arena, 1, sizeof *o);
    *o = (nh_trace){.flow = f, .variables = variables, .count = count};
    o->first = nh_doubles(f->arena, count), o->across = nh_doubles(f->arena, count);
    o->low = nh_doubles(f->arena, count), o->high = nh_doubles(f->arena, count);
    o->at = nh_doubles(f->arena, s->motion->size);
    double *inputs = nh_doubles(f->arena, f->size + 1), *rates = nh_doubles(f->arena, f->size);
    inputs[0] = s->t;
    memcpy(inputs + 1, s->x, f->size * sizeof *inputs);
    bool known = nh_smooth_at(f, f->field, inputs, rates);
    for (size_t i = 0; i < count; i++)
        o->first[i] = s->x[variables[i]], o->across[i] = known ? rates[variables[i]] : 0;
    return o;
}

/* ---------------------------------------------------------------- a step */

/* Between two times of the last step, where the height is 0 and rises. */
static void find_section(nh_trace *o, nh_stepper *s, double from, double to)
{
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (from + to);
        s->at(s, middle, o->at);
        if (height_of(o, o->at) < 0)
            from = middle;
        else
            to = middle;
    }
    s->at(s, to, o->at);
}

static bool is_return(const nh_trace *o)
{
    double distance = 0, size = 0;
    for (size_t i = 0; i < o->count; i++) {
        distance = fmax(distance, fabs(change_of(o, i, o->at)));
        size = fmax(size, o->high[i] - o->low[i]);
    }
    return distance <= CLOSE * size;
}

void nh_trace_step(nh_trace *o, nh_stepper *s, double t, const double *x)
{
    double *farthest = &o->farthest[o->n_parts < MOST_PARTS ? o->n_parts : MOST_PARTS - 1];
    for (size_t i = 0; i < o->count; i++) {
        double change = change_of(o, i, s->x);
        o->low[i] = fmin(o->low[i], change), o->high[i] = fmax(o->high[i], change);
        if (!o->flow->angle[o->variables[i]])
            *farthest = fmax(*farthest, fabs(change));
    }
    if (o->returned || o->flow->timed || !(height_of(o, x) < 0) || !(height_of(o, s->x) >= 0))
        return;
    find_section(o, s, t, s->t);
    o->returned = is_return(o);
}

void nh_trace_part(nh_trace *o) { o->n_parts += o->n_parts + 1 < MOST_PARTS; }

/* ---------------------------------------------------------------- in the end */

/* Each part goes farther than the one before it, but for one in ten. */
static bool is_unbounded(const nh_trace *o)
{
    size_t farther = 0;
    for (size_t k = 1; k < o->n_parts; k++)
        farther += o->farthest[k] > o->farthest[k - 1];
    return o->n_parts > 2 && 10 * farther >= 9 * (o->n_parts - 1) &&
           o->farthest[o->n_parts - 1] > 1.5 * o->farthest[o->n_parts / 2];
}

static bool is_apart(const nh_trace *o, const double *w)
{
    double all = 0, still = 0;
    for (size_t i = 0; i < o->count; i++) {
        all += w[i] * w[i];
        still += moves(o, i) ? 0 : w[i] * w[i];
    }
    return still > 0.999 * all;
}

nh_orbit nh_trace_end(const nh_trace *o, const double *w)
{
    bool any = false;
    for (size_t i = 0; i < o->count; i++)
        any = any || moves(o, i);
    return !any              ? NH_ORBIT_REST
           : is_unbounded(o) ? NH_ORBIT_UNBOUNDED
           : o->returned     ? NH_ORBIT_PERIODIC
           : is_apart(o, w)  ? NH_ORBIT_APART
                             : NH_ORBIT_BOUNDED;
}
