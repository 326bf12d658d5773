/* The largest Lyapunov exponent (Benettin and others 1980): the motion together with the linear equations of a neighbour,
 *     x' = f(t, x),   w' = df/dx w,
 * w being shortened again and again; the exponent is the mean rate of growth of log |w|. w has components for the variables that take
 * part only: what nothing depends on follows the others.
 *
 * Where f jumps, from f- to f+ as the motion passes h(t, x) = 0, w does, too, of which these equations know nothing:
 *     w+ = w- + (f+ - f-) (dh/dx w-) / (dh/dt + dh/dx f-).
 * Then the neighbour itself is followed, y' = f(t, y), and w = y - x. It meets the jump a little sooner or later than the motion, and both are
 * behind it when w is shortened. That is right to the first order in |w|, but for where one meets the jump and the other does not, or where they stay on
 * it; there the growth depends on |w|, as two runs tell. */
#include "analyse/lyapunov.h"
#include "analyse/corners.h"
#include "analyse/dense.h"
#include "analyse/jumps.h"
#include "analyse/linearize.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

/* What is asked. */
typedef struct question {
    nh_flow *flow;
    double time, tolerance;
    int (*stop)(void *); /* may be NULL */
    void (*progress)(void *, double);
    void *user;
    double done, share; /* of all that is told of the progress: before, and in one run */
} question;

/* Who is followed with the motion: w by the linear equations, or y itself. */
typedef struct neighbour {
    double distance; /* of y, relative to the motion; 0: w */
    double side;     /* 1; -1 for one that begins on the other side */
} neighbour;

typedef struct pair {
    const question *asked;
    nh_flow *flow;
    nh_motion motion;
    size_t *variables, n; /* of w */
    neighbour who;
    double unit, last; /* |w| as it was shortened, and when it was last measured */
    double *inputs, *w;
    nh_stepper *stepper;
    nh_jumps *jumps;
    double astray;     /* growth of |w| where a jump was between both for long */
    bool jumped;       /* rates did, of which the linear equations know nothing */
    nh_trace *trace;   /* NULL: not yet */
    nh_trace *late;    /* of the second half of the run; NULL: not yet */
    double *before;    /* the state before a step */
    double mark, best; /* when the steps were looked at last; the furthest they came between two looks */
    double corner_mark, best_across; /* the same for corners, */
    size_t across;                   /* of the stepper, then */
    bool steady;                     /* the variables of w stay what they are, but for rounding */
} pair;

/* ---------------------------------------------------------------- the equations of both */

static void choose(pair *p)
{
    const bool *stays = nh_taking_part(p->flow);
    p->variables = nh_arena_array(p->flow->arena, p->flow->size + 1, sizeof *p->variables);
    for (size_t k = 0; k < p->flow->size; k++)
        if (stays[k])
            p->variables[p->n++] = k;
}

/* Symbols of t, x and w, or y. */
static nh_expr *symbols_of(pair *p)
{
    nh_flow *f = p->flow;
    nh_expr *out = nh_arena_array(f->arena, f->size + p->n + 2, sizeof *out);
    out[0] = f->eq->model->time;
    memcpy(out + 1, f->symbols, f->size * sizeof *out);
    for (size_t i = 0; i < p->n; i++)
        out[1 + f->size + i] = nh_symbol_placed(&f->eq->pool, f->names[p->variables[i]], NH_PLACED_THIRD);
    return out;
}

/* f, then its derivative along w, or f at y. */
static nh_expr *roots_of(pair *p, const nh_expr *symbols)
{
    nh_flow *f = p->flow;
    nh_arena *scratch = &f->eq->context->arena;
    const nh_expr *w = symbols + 1 + f->size;
    nh_expr *roots = nh_arena_array(f->arena, f->size + p->n + 1, sizeof *roots),
            *x = nh_arena_array(f->arena, p->n + 1, sizeof *x),
            *part = nh_arena_array(f->arena, p->n + 1, sizeof *part);
    for (size_t i = 0; i < p->n; i++)
        x[i] = f->symbols[p->variables[i]], part[i] = f->rates[p->variables[i]];
    memcpy(roots, f->rates, f->size * sizeof *roots);
    if (p->who.distance > 0)
        nh_substitute(&f->eq->pool, scratch, part, p->n, x, w, p->n, roots + f->size);
    else
        nh_directional(&f->eq->pool, scratch, part, p->n, x, w, p->n, roots + f->size);
    return roots;
}

static nh_tape *tape_of(pair *p, const nh_expr *symbols, const nh_expr *roots, nh_tape_use use)
{
    nh_flow *f = p->flow;
    const nh_model *model = f->eq->model;
    nh_expr *constants = nh_arena_array(f->arena, model->n_parameters + 1, sizeof *constants);
    for (size_t i = 0; i < model->n_parameters; i++)
        constants[i] = model->parameters[i].symbol;
    return nh_tape_new(&f->eq->pool, f->arena, &f->eq->context->arena, roots, f->size + p->n, symbols,
                       1 + f->size + p->n, constants, model->n_parameters, use);
}

/* Nothing special. */
static double direction_at_first(size_t i) { return 0.5 + (double)(nh_hash(i + 1) >> 40) / (1 << 24); }

/* How far away a neighbour is, beside the largest component of the motion. */
static double unit_of(const pair *p, const double *x)
{
    double largest = 0;
    for (size_t i = 0; i < p->n && p->who.distance > 0; i++) {
        size_t v = p->variables[i];
        largest = fmax(largest, p->flow->angle[v] ? fmin(fabs(x[v]), M_PI) : fabs(x[v]));
    }
    return p->who.distance > 0 ? p->who.distance * (largest > 0 ? largest : 1) : 1;
}

static void make_motion(pair *p)
{
    nh_flow *f = p->flow;
    nh_expr *symbols = symbols_of(p), *roots = roots_of(p, symbols);
    p->motion = (nh_motion){.eq = f->eq, .arena = f->arena, .second = f->second, .size = f->size + p->n};
    p->motion.field = tape_of(p, symbols, roots, NH_FOR_SERIES),
    p->motion.values = tape_of(p, symbols, roots, NH_FOR_VALUES);
    p->motion.smooth = !p->motion.field->has_corners;
    p->motion.constants = f->constants;
    p->motion.start = nh_doubles(f->arena, 1 + p->motion.size);
    memcpy(p->motion.start, f->inputs, (f->size + 1) * sizeof *f->inputs);
    for (size_t i = 0; i < p->n; i++)
        p->motion.start[1 + f->size + i] = direction_at_first(i);
    p->unit = unit_of(p, f->inputs + 1);
    for (size_t i = 0; i < p->n && p->who.distance > 0; i++)
        p->motion.start[1 + f->size + i] =
            f->inputs[1 + p->variables[i]] + p->who.side * p->unit * direction_at_first(i);
}

/* ---------------------------------------------------------------- keeping both in place */

/* w into p->w. */
static const double *deviation(const pair *p)
{
    const double *x = p->stepper->x, *w = x + p->flow->size;
    for (size_t i = 0; i < p->n; i++)
        p->w[i] = w[i] - (p->who.distance > 0 ? x[p->variables[i]] : 0);
    return p->w;
}

/* The reverse. */
static void put_deviation(pair *p)
{
    double *x = p->stepper->x, *w = x + p->flow->size;
    for (size_t i = 0; i < p->n; i++)
        w[i] = p->w[i] + (p->who.distance > 0 ? x[p->variables[i]] : 0);
}

static double length(const pair *p)
{
    const double *w = deviation(p);
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += w[i] / p->unit * (w[i] / p->unit);
    return sqrt(sum) * p->unit;
}

/* y onto what is held. */
static void project_neighbour(pair *p)
{
    nh_flow *f = p->flow;
    double *x = p->stepper->x;
    p->inputs[0] = p->stepper->t;
    memcpy(p->inputs + 1, x, f->size * sizeof *x);
    for (size_t i = 0; i < p->n; i++)
        p->inputs[1 + p->variables[i]] = x[f->size + i];
    if (!nh_newton(f, f->held, nh_taking_part(f), p->inputs))
        return;
    for (size_t i = 0; i < p->n; i++)
        x[f->size + i] = p->inputs[1 + p->variables[i]];
}

/* w onto the directions that what is held leaves at the state in p->inputs. */
static void project_deviation(pair *p)
{
    nh_flow *f = p->flow;
    nh_arena *scratch = &f->eq->context->arena;
    size_t rows = f->held->count, count = 0;
    double *J = nh_doubles(scratch, rows * f->size), *part = nh_doubles(scratch, rows * p->n),
           *basis = nh_doubles(scratch, p->n * p->n), *w = p->stepper->x + f->size,
           *out = nh_doubles(scratch, p->n);
    if (!nh_smooth_derivatives(f, f->held, p->inputs, J))
        return;
    for (size_t i = 0; i < rows * p->n; i++)
        part[i] = J[i / p->n * f->size + p->variables[i % p->n]];
    if (!nh_kernel(scratch, rows, p->n, part, 1e-10, basis, &count))
        return;
    for (size_t b = 0; b < count; b++) {
        double along = 0;
        for (size_t i = 0; i < p->n; i++)
            along += basis[b * p->n + i] * w[i];
        for (size_t i = 0; i < p->n; i++)
            out[i] += along * basis[b * p->n + i];
    }
    memcpy(w, out, p->n * sizeof *w);
}

/* x onto what is held, and its neighbour. */
static void project(pair *p)
{
    nh_flow *f = p->flow;
    nh_arena *scratch = &f->eq->context->arena;
    if (f->held->count == 0)
        return;
    nh_arena_mark mark = nh_arena_here(scratch);
    p->inputs[0] = p->stepper->t;
    memcpy(p->inputs + 1, p->stepper->x, f->size * sizeof *p->inputs);
    if (nh_newton(f, f->held, NULL, p->inputs)) {
        memcpy(p->stepper->x, p->inputs + 1, f->size * sizeof *p->inputs);
        if (p->who.distance > 0)
            project_neighbour(p);
        else
            project_deviation(p);
    }
    nh_arena_release(scratch, mark);
}

/* Nothing but rounding moves the motion: what leaves it would be another one. */
static bool is_steady(const pair *p)
{
    nh_flow *f = p->flow;
    double *rates = nh_doubles(f->arena, f->size);
    bool steady = !f->timed && nh_smooth_at(f, f->field, f->inputs, rates);
    for (size_t i = 0; i < p->n && steady; i++)
        steady = fabs(rates[p->variables[i]]) <= 1e-14 * fmax(1, fabs(f->inputs[1 + p->variables[i]]));
    return steady;
}

static void stay(pair *p)
{
    for (size_t i = 0; i < p->n && p->steady; i++)
        p->stepper->x[p->variables[i]] = p->motion.start[1 + p->variables[i]];
}

/* By what |w| has grown since it was last measured, as a logarithm. */
static double measure(pair *p)
{
    double size = length(p), growth = log(size / p->last);
    p->last = size;
    return growth;
}

/* |w| is a unit again; by what it had grown. */
static double shorten(pair *p)
{
    stay(p);
    project(p);
    double growth = measure(p);
    p->unit = unit_of(p, p->stepper->x);
    for (size_t i = 0; i < p->n; i++)
        p->w[i] *= p->unit / p->last;
    put_deviation(p);
    p->last = p->who.distance > 0 ? length(p) : 1;
    p->stepper->moved(p->stepper);
    return growth;
}

/* ---------------------------------------------------------------- the run */

static const double LONG = 1e6, SHORT = 1e-6; /* in units; of a neighbour: */
static const double FAR = 10, NEAR = 0.1;
enum { MOST_STEPS = 1000000 }; /* of one segment: there the steps have become too small */
enum { STEPS_BETWEEN_QUESTIONS = 256, CORNER_STEPS = 1024, WATCHED_STEPS = 10000 };
static const double least_progress = 1e-4, least_across_corners = 1e-3, most_windows = 1e4;

/* It creeps: so many steps hardly came anywhere, as where free velocities end. */
static nh_run_end look_at_progress(pair *p)
{
    const nh_stepper *s = p->stepper;
    if (s->steps % WATCHED_STEPS != WATCHED_STEPS - 1)
        return s->end;
    double progress = fabs(s->t - p->mark), best = p->best;
    p->mark = s->t, p->best = fmax(best, progress);
    return progress < least_progress * best ? NH_RUN_STEP_TOO_SMALL : s->end;
}

/* The motion and its neighbour cross corners all the time, and at this rate there is no end in sight, or ever faster. */
static nh_run_end look_at_corners(pair *p)
{
    const nh_stepper *s = p->stepper;
    if (p->who.distance == 0 || s->steps % CORNER_STEPS != CORNER_STEPS - 1)
        return s->end;
    double progress = fabs(s->t - p->corner_mark), best = p->best_across;
    size_t across = s->across - p->across;
    p->corner_mark = s->t, p->across = s->across, p->best_across = fmax(best, progress);
    bool ends = progress * most_windows < fabs(p->asked->time) || progress < least_across_corners * best;
    return ends && 4 * across > CORNER_STEPS ? NH_RUN_ON_CORNER : s->end;
}

static bool is_stopped(const pair *p)
{
    const question *q = p->asked;
    return (q->stop && q->stop(q->user)) || nh_heap_is_late(&p->flow->eq->context->heap);
}

/* Beside the motion: a neighbour that is so far away is none any more; and of one that is so near rounding is too much. */
static const double FARTHEST = 1e-3, NEAREST = 0x1p-46;

/* A jump is between the neighbour and the motion, which they are to meet both. */
static bool is_between(const pair *p)
{
    const nh_stepper *s = p->stepper;
    return p->who.distance > 0 && nh_jumps_between(p->jumps, s->t, s->x, s->x + p->flow->size);
}

/* Where only one of them meets a jump, they part without end. Of such growth nothing is right to the first order. */
static double shorten_across(pair *p)
{
    if (length(p) < p->unit / p->who.distance * FARTHEST)
        return measure(p);
    double growth = shorten(p);
    p->astray += fabs(growth);
    return growth;
}

/* Whether |w| may be followed on. */
static bool is_long_enough(const pair *p, double size)
{
    return isfinite(size) && (p->who.distance > 0 ? size > p->unit / p->who.distance * NEAREST : size > 0);
}

static void look_at_step(pair *p, double t)
{
    if (p->trace)
        nh_trace_step(p->trace, p->stepper, t, p->before);
    if (p->late)
        nh_trace_step(p->late, p->stepper, t, p->before);
    p->jumped = p->who.distance == 0 && nh_jumps_within(p->jumps, p->stepper, t, p->before);
}

/* To a time; the growth of log |w|. NAN: it cannot go on. */
static double go_to(pair *p, double to)
{
    const double much = p->who.distance > 0 ? FAR : LONG, little = p->who.distance > 0 ? NEAR : SHORT;
    double growth = 0;
    nh_stepper *s = p->stepper;
    size_t before = s->steps;
    while (s->t != to) {
        if (s->end == NH_RUN_DONE)
            s->end = look_at_progress(p);
        if (s->end == NH_RUN_DONE)
            s->end = look_at_corners(p);
        if (s->steps - before >= MOST_STEPS)
            s->end = NH_RUN_STEP_TOO_SMALL;
        if (s->steps % STEPS_BETWEEN_QUESTIONS == 0 && is_stopped(p))
            s->end = NH_RUN_STOPPED;
        double t = s->t;
        memcpy(p->before, s->x, p->flow->size * sizeof *p->before);
        if (s->end != NH_RUN_DONE || !s->step(s, to))
            return NAN;
        look_at_step(p, t);
        double size = length(p);
        if (p->jumped || !is_long_enough(p, size))
            return NAN;
        if (size > much * p->unit || size < little * p->unit)
            growth += is_between(p) ? shorten_across(p) : shorten(p);
    }
    return growth + (is_between(p) ? shorten_across(p) : shorten(p));
}

enum { PARTS = 20, SEGMENTS = 10 }; /* the first tenth is left out: two parts more */

static void summarise(nh_lyapunov *out, double part)
{
    double sum = 0, squares = 0, n = (double)out->count;
    for (size_t k = 0; k < out->count; k++)
        sum += out->parts[k];
    out->exponent = n > 0 ? sum / n : NAN;
    for (size_t k = 0; k < out->count; k++)
        squares += (out->parts[k] - out->exponent) * (out->parts[k] - out->exponent);
    out->spread = n > 1 ? sqrt(squares / (n - 1) / n) : INFINITY;
    out->resolution = 5 * log(10) / (n * part); /* t^5 between the first tenth and the end */
}

typedef nh_stepper *new_stepper(const nh_motion *, nh_arena *, double tolerance);

/* A pair at its start. */
static pair *begin(const question *q, neighbour who, new_stepper *solver)
{
    nh_flow *f = q->flow;
    pair *p = nh_arena_array(f->arena, 1, sizeof *p);
    *p = (pair){.asked = q, .flow = f, .who = who, .last = 1};
    p->inputs = nh_doubles(f->arena, f->size + 1), p->before = nh_doubles(f->arena, f->size);
    choose(p);
    p->w = nh_doubles(f->arena, p->n);
    make_motion(p);
    p->steady = is_steady(p);
    solver = solver ? solver : p->motion.smooth ? nh_taylor_new : nh_runge_new;
    p->stepper = solver(&p->motion, f->arena, q->tolerance);
    p->jumps = nh_jumps_new(f, p->variables, p->n, p->stepper);
    p->mark = p->corner_mark = p->stepper->t;
    return p;
}

/* The next segment of all of them. */
static void follow_segment(pair *p, size_t k, nh_lyapunov *out)
{
    const size_t all = (PARTS + 2) * SEGMENTS;
    double time = p->asked->time;
    if (k == 2 * SEGMENTS)
        p->astray = 0, p->trace = nh_trace_new(p->flow, p->variables, p->n, p->stepper);
    if (k == (2 + PARTS / 2) * SEGMENTS)
        p->late = nh_trace_new(p->flow, p->variables, p->n, p->stepper);
    double growth = go_to(p, out->from + time * (double)(k + 1) / (double)all);
    if (isnan(growth))
        out->end = p->stepper->end != NH_RUN_DONE ? p->stepper->end : NH_RUN_NOT_FINITE;
    else if (k >= 2 * SEGMENTS)
        out->parts[k / SEGMENTS - 2] += growth / (fabs(time) / (double)all) / SEGMENTS;
    if (p->asked->progress)
        p->asked->progress(p->asked->user, p->asked->done + p->asked->share * (double)(k + 1) / (double)all);
    if (p->trace && (k + 1) % SEGMENTS == 0)
        nh_trace_part(p->trace);
    out->to = p->stepper->t;
    out->count = k >= 2 * SEGMENTS && out->end == NH_RUN_DONE ? (k + 1) / SEGMENTS - 2 : out->count;
}

/* solver: NULL, or a solver of its own. False: the linear equations do not tell. */
static bool follow(const question *q, neighbour who, new_stepper *solver, nh_lyapunov *out)
{
    nh_flow *f = q->flow;
    pair *p = begin(q, who, solver);
    *out = (nh_lyapunov){
        .from = f->inputs[0], .to = f->inputs[0], .parts = nh_doubles(f->arena, PARTS), .motion = &p->motion};
    shorten(p);
    for (size_t k = 0; k < (PARTS + 2) * SEGMENTS && out->end == NH_RUN_DONE; k++)
        follow_segment(p, k, out);
    if (p->trace)
        out->orbit = nh_trace_end(p->trace, p->late, deviation(p));
    summarise(out, fabs(q->time) / (PARTS + 2));
    out->apart = p->astray > 0 ? p->astray / fabs(out->to - out->from) : 0;
    return !p->jumped;
}

/* ---------------------------------------------------------------- a neighbour itself */

static const neighbour LINEAR = {0, 1}, NEAR_BY = {1e-7, 1}, FARTHER = {1e-6, -1};

static void forget(nh_lyapunov *l)
{
    nh_motion_free_code(l->motion);
    l->motion = NULL;
}

/* By series; where a motion does not get on with them, as that with |x|/x at x = 0, without. The code that the first one has is given back. */
static void follow_neighbour(const question *q, neighbour who, nh_lyapunov *out)
{
    follow(q, who, nh_taylor_new, out);
    if (out->end == NH_RUN_DONE || out->end == NH_RUN_STOPPED || out->end == NH_RUN_ON_CORNER)
        return;
    forget(out);
    nh_lyapunov first = *out;
    follow(q, who, nh_runge_new, out);
    if (fabs(out->to - out->from) <= fabs(first.to - first.from) && out->end != NH_RUN_STOPPED)
        first.motion = out->motion, *out = first;
}

/* Of the parts that both have. */
static double difference(const nh_lyapunov *one, const nh_lyapunov *other)
{
    size_t count = one->count < other->count ? one->count : other->count;
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += one->parts[k] - other->parts[k];
    return count ? fabs(sum) / (double)count : INFINITY;
}

/* Two of them: what is right to the first order is the same for both. Where the motion comes to stay on a corner, it is less and less right before. */
static void follow_neighbours(question *q, nh_lyapunov *out)
{
    q->done = 0, q->share = 0.5;
    follow_neighbour(q, FARTHER, out);
    double before = out->apart;
    out->apart = INFINITY;
    if (out->end == NH_RUN_STOPPED || out->end == NH_RUN_ON_CORNER || out->count < 2)
        return;
    forget(out);
    nh_lyapunov first = *out;
    q->done = 0.5;
    follow_neighbour(q, NEAR_BY, out);
    first.apart = fmax(before, difference(out, &first));
    first.end = out->end == NH_RUN_STOPPED ? out->end : first.end, first.motion = out->motion;
    *out = first;
}

/* Whether the linear equations may tell, as far as is known before. A motion along a corner, as one with |y| in the forces and y = 0, does not pass it, and one
 * that touches a jump does not either; their neighbours do. */
static bool may_be_linear(nh_flow *f)
{
    const nh_tape *tape = f->field->tape;
    bool jumps = false;
    for (size_t i = 0; i < tape->n_corners; i++)
        jumps = jumps || tape->steps[tape->corners[i]].op == NH_OP_SIGN;
    return !jumps && !nh_flow_has_corner(f, f->inputs);
}

void nh_find_lyapunov(nh_flow *f, double time, double tolerance, int (*stop)(void *),
                      void (*progress)(void *, double), void *user, nh_lyapunov *out)
{
    question q = {f, time, tolerance, stop, progress, user, 0, 1};
    *out = (nh_lyapunov){.from = f->inputs[0], .to = f->inputs[0]};
    if (may_be_linear(f) && follow(&q, LINEAR, NULL, out))
        return;
    forget(out);
    follow_neighbours(&q, out);
}
