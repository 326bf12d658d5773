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
    double *extreme;        /* the last lowest or highest of it */
    bool *rises;            /* since that one was the lowest */
    size_t *turns;          /* how often it went to and fro */
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
    o->extreme = nh_doubles(f->arena, count);
    o->rises = nh_arena_array(f->arena, count + 1, sizeof *o->rises);
    o->turns = nh_arena_array(f->arena, count + 1, sizeof *o->turns);
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

static const double BACK = 0.1; /* of all that it moved in: that is no ripple */

/* Back from the last extreme by more than a ripple. */
static void count_turn(nh_trace *o, size_t i, double change)
{
    double back = o->rises[i] ? o->extreme[i] - change : change - o->extreme[i];
    if (back > BACK * (o->high[i] - o->low[i]) && moves(o, i))
        o->rises[i] = !o->rises[i], o->turns[i]++, o->extreme[i] = change;
    else if (back < 0)
        o->extreme[i] = change;
}

void nh_trace_step(nh_trace *o, nh_stepper *s, double t, const double *x)
{
    double *farthest = &o->farthest[o->n_parts < MOST_PARTS ? o->n_parts : MOST_PARTS - 1];
    for (size_t i = 0; i < o->count; i++) {
        double change = change_of(o, i, s->x);
        o->low[i] = fmin(o->low[i], change), o->high[i] = fmax(o->high[i], change);
        count_turn(o, i, change);
        if (!o->flow->angle[o->variables[i]])
            *farthest = fmax(*farthest, fabs(change));
    }
    if (o->returned || o->flow->timed || !(height_of(o, x) < 0) || !(height_of(o, s->x) >= 0))
        return;
    find_section(o, s, t, s->t);
    o->returned = is_return(o);
}

void nh_trace_part(nh_trace *o) { o->n_parts += o->n_parts + 1 < MOST_PARTS; }

/* ---------------------------------------------------------------- equations without chaos */

enum { HIGH = 2 }; /* any degree that is not 0 or 1 */

/* Of an expression in the variables, from the degrees of what it consists of (by handle). */
static size_t degree_of(const nh_pool *pool, nh_expr e, const size_t *degrees)
{
    nh_node node = nh_get(pool, e);
    nh_list operands = nh_operands(pool, e);
    size_t most = 0, sum = 0;
    for (size_t k = 0; k < operands.count; k++) {
        size_t d = degrees[operands.items[k]];
        most = d > most ? d : most, sum += d;
    }
    if (node.kind == NH_ADD || node.kind == NH_COMPONENT || sum == 0)
        return most;
    if (node.kind == NH_SOLVE)
        return degrees[node.a] ? HIGH : most;
    return node.kind == NH_MUL && sum == 1 ? 1 : HIGH;
}

static bool is_one_of(const nh_trace *o, nh_expr symbol)
{
    bool one = false;
    for (size_t i = 0; i < o->count; i++)
        one = one || o->flow->symbols[o->variables[i]] == symbol;
    return one;
}

/* The rates are polynomials of degree 1 in the variables, whatever the time does. */
static bool is_linear(const nh_trace *o)
{
    nh_flow *f = o->flow;
    const nh_pool *pool = &f->eq->pool;
    nh_expr *rates = nh_arena_array(f->arena, o->count + 1, sizeof *rates);
    for (size_t i = 0; i < o->count; i++)
        rates[i] = f->rates[o->variables[i]];
    nh_walk walk = nh_walk_of(pool, f->arena, rates, o->count);
    size_t *degrees = nh_arena_array(f->arena, nh_largest(rates, o->count) + 1, sizeof *degrees);
    bool linear = true;
    for (size_t k = 0; k < walk.count; k++)
        degrees[walk.nodes[k]] = is_one_of(o, walk.nodes[k]) ? 1 : degree_of(pool, walk.nodes[k], degrees);
    for (size_t i = 0; i < o->count; i++)
        linear = linear && degrees[rates[i]] < HIGH;
    return linear;
}

/* Poincaré and Bendixson: in the plane, and on surfaces, motions go to rest, to what is periodic, or along between such. */
static bool is_plane(const nh_trace *o) { return !o->flow->timed && o->count < 3 + o->flow->held->count; }

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

enum { OFTEN = 6 };

/* Chaos comes back again and again. What goes once to an unstable state and, by rounding, away from it turns back once or twice. */
static bool is_passing(const nh_trace *o, const double *w)
{
    double all = 0, passing = 0;
    for (size_t i = 0; i < o->count; i++) {
        all += w[i] * w[i];
        passing += o->turns[i] >= OFTEN ? 0 : w[i] * w[i];
    }
    return passing > 0.1 * all;
}

static bool is_at_rest(const nh_trace *o)
{
    bool any = false;
    for (size_t i = 0; i < o->count; i++)
        any = any || moves(o, i);
    return !any;
}

nh_orbit nh_trace_end(const nh_trace *o, const nh_trace *late, const double *w)
{
    return is_at_rest(o)               ? NH_ORBIT_REST
           : is_unbounded(o)           ? NH_ORBIT_UNBOUNDED
           : o->returned               ? NH_ORBIT_PERIODIC
           : late && is_at_rest(late)  ? NH_ORBIT_TO_REST
           : late && late->returned    ? NH_ORBIT_TO_PERIODIC
           : is_apart(o, w)            ? NH_ORBIT_APART
           : is_linear(o)              ? NH_ORBIT_LINEAR
           : is_plane(o)               ? NH_ORBIT_PLANE
           : late && is_apart(late, w) ? NH_ORBIT_APART
           : is_passing(late ? late : o, w) ? NH_ORBIT_PASSING
                                            : NH_ORBIT_BOUNDED;
}
