/* The largest Lyapunov exponent (Benettin and others 1980): the motion together with the linear equations of a neighbour,
 *     x' = f(t, x),   w' = df/dx w,
 * w being shortened again and again; the exponent is the mean rate of growth of log |w|. w has components for the variables that take
 * part only: what nothing depends on follows the others. */
#include "analyse/lyapunov.h"
#include "analyse/dense.h"
#include "analyse/linearize.h"
#include "analyse/newton.h"

#include <math.h>
#include <string.h>

typedef struct pair {
    nh_flow *flow;
    nh_motion motion;
    size_t *variables, n; /* of w */
    double *inputs;
    nh_stepper *stepper;
    nh_trace *trace;     /* NULL: not yet */
    nh_trace *late;      /* of the second half of the run; NULL: not yet */
    double *before;      /* the state before a step */
    double mark, best;   /* when the steps were looked at last; the furthest they came between two looks */
    bool steady;         /* the variables of w stay what they are, but for rounding */
    int (*stop)(void *); /* may be NULL */
    void *user;
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

/* Symbols of t, x and w. */
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

/* f, then its derivative along w. */
static nh_expr *roots_of(pair *p, const nh_expr *symbols)
{
    nh_flow *f = p->flow;
    nh_expr *roots = nh_arena_array(f->arena, f->size + p->n + 1, sizeof *roots),
            *along = nh_arena_array(f->arena, p->n + 1, sizeof *along),
            *part = nh_arena_array(f->arena, p->n + 1, sizeof *part);
    for (size_t i = 0; i < p->n; i++)
        along[i] = f->symbols[p->variables[i]], part[i] = f->rates[p->variables[i]];
    memcpy(roots, f->rates, f->size * sizeof *roots);
    nh_directional(&f->eq->pool, &f->eq->context->arena, part, p->n, along, symbols + 1 + f->size, p->n,
                   roots + f->size);
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
        p->motion.start[1 + f->size + i] =
            0.5 + (double)(nh_hash(i + 1) >> 40) / (1 << 24); /* nothing special */
}

/* ---------------------------------------------------------------- keeping both in place */

static double length(const pair *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->stepper->x[p->flow->size + i] * p->stepper->x[p->flow->size + i];
    return sqrt(sum);
}

/* x onto what is held, w onto the directions that it leaves. */
static void project(pair *p)
{
    nh_flow *f = p->flow;
    nh_arena *scratch = &f->eq->context->arena;
    size_t rows = f->held->count, count = 0;
    if (rows == 0)
        return;
    nh_arena_mark mark = nh_arena_here(scratch);
    double *J = nh_doubles(scratch, rows * f->size), *part = nh_doubles(scratch, rows * p->n),
           *basis = nh_doubles(scratch, p->n * p->n), *w = p->stepper->x + f->size,
           *out = nh_doubles(scratch, p->n);
    p->inputs[0] = p->stepper->t;
    memcpy(p->inputs + 1, p->stepper->x, f->size * sizeof *p->inputs);
    if (nh_newton(f, f->held, NULL, p->inputs) && nh_smooth_derivatives(f, f->held, p->inputs, J)) {
        memcpy(p->stepper->x, p->inputs + 1, f->size * sizeof *p->inputs);
        for (size_t i = 0; i < rows * p->n; i++)
            part[i] = J[i / p->n * f->size + p->variables[i % p->n]];
        if (nh_kernel(scratch, rows, p->n, part, 1e-10, basis, &count)) {
            for (size_t b = 0; b < count; b++) {
                double along = 0;
                for (size_t i = 0; i < p->n; i++)
                    along += basis[b * p->n + i] * w[i];
                for (size_t i = 0; i < p->n; i++)
                    out[i] += along * basis[b * p->n + i];
            }
            memcpy(w, out, p->n * sizeof *w);
        }
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

/* |w| = 1 again; the logarithm of what it was. */
static double shorten(pair *p)
{
    stay(p);
    project(p);
    double size = length(p);
    for (size_t i = 0; i < p->n; i++)
        p->stepper->x[p->flow->size + i] /= size;
    p->stepper->moved(p->stepper);
    return log(size);
}

/* ---------------------------------------------------------------- the run */

static const double LONG = 1e6, SHORT = 1e-6;
enum { MOST_STEPS = 1000000 }; /* of one segment: there the steps have become too small */
enum { STEPS_BETWEEN_QUESTIONS = 256, WATCHED_STEPS = 10000 };
static const double least_progress = 1e-4;

/* It creeps: so many steps hardly came anywhere, as where free velocities end. */
static bool is_stuck(pair *p)
{
    if (p->stepper->steps % WATCHED_STEPS != WATCHED_STEPS - 1)
        return false;
    double progress = fabs(p->stepper->t - p->mark), best = p->best;
    p->mark = p->stepper->t, p->best = fmax(best, progress);
    return progress < least_progress * best;
}

static bool is_stopped(const pair *p)
{
    return (p->stop && p->stop(p->user)) || nh_heap_is_late(&p->flow->eq->context->heap);
}

/* To a time; the growth of log |w|. NAN: it cannot go on. */
static double go_to(pair *p, double to)
{
    double growth = 0;
    nh_stepper *s = p->stepper;
    size_t before = s->steps;
    while (s->t != to) {
        if (is_stuck(p) || s->steps - before >= MOST_STEPS)
            s->end = NH_RUN_STEP_TOO_SMALL;
        if (s->steps % STEPS_BETWEEN_QUESTIONS == 0 && is_stopped(p))
            s->end = NH_RUN_STOPPED;
        double t = s->t;
        memcpy(p->before, s->x, p->flow->size * sizeof *p->before);
        if (s->end != NH_RUN_DONE || !s->step(s, to))
            return NAN;
        if (p->trace)
            nh_trace_step(p->trace, s, t, p->before);
        if (p->late)
            nh_trace_step(p->late, s, t, p->before);
        double size = length(p);
        if (!isfinite(size) || size == 0)
            return NAN;
        if (size > LONG || size < SHORT)
            growth += shorten(p);
    }
    return growth + shorten(p);
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

void nh_find_lyapunov(nh_flow *f, double time, double tolerance, int (*stop)(void *),
                      void (*progress)(void *, double), void *user, nh_lyapunov *out)
{
    pair *p = nh_arena_array(f->arena, 1, sizeof *p);
    size_t all = (PARTS + 2) * SEGMENTS;
    *p = (pair){.flow = f, .inputs = nh_doubles(f->arena, f->size + 1), .stop = stop, .user = user};
    p->before = nh_doubles(f->arena, f->size);
    choose(p);
    make_motion(p);
    p->steady = is_steady(p);
    *out = (nh_lyapunov){
        .from = f->inputs[0], .to = f->inputs[0], .parts = nh_doubles(f->arena, PARTS), .motion = &p->motion};
    p->stepper = p->motion.smooth ? nh_taylor_new(&p->motion, f->arena, tolerance)
                                  : nh_runge_new(&p->motion, f->arena, tolerance);
    p->mark = p->stepper->t;
    shorten(p);
    for (size_t k = 0; k < all && out->end == NH_RUN_DONE; k++) {
        if (k == 2 * SEGMENTS)
            p->trace = nh_trace_new(f, p->variables, p->n, p->stepper);
        if (k == (2 + PARTS / 2) * SEGMENTS)
            p->late = nh_trace_new(f, p->variables, p->n, p->stepper);
        double growth = go_to(p, out->from + time * (double)(k + 1) / (double)all);
        if (isnan(growth))
            out->end = p->stepper->end != NH_RUN_DONE ? p->stepper->end : NH_RUN_NOT_FINITE;
        else if (k >= 2 * SEGMENTS)
            out->parts[k / SEGMENTS - 2] += growth / (fabs(time) / (double)all) / SEGMENTS;
        if (progress)
            progress(user, (double)(k + 1) / (double)all);
        if (p->trace && (k + 1) % SEGMENTS == 0)
            nh_trace_part(p->trace);
        out->to = p->stepper->t;
        out->count = k >= 2 * SEGMENTS && out->end == NH_RUN_DONE ? (k + 1) / SEGMENTS - 2 : out->count;
    }
    if (p->trace)
        out->orbit = nh_trace_end(p->trace, p->late, p->stepper->x + f->size);
    summarise(out, fabs(time) / (PARTS + 2));
}
