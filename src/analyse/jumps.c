/* Jumps of rates, by their values alone, wherever they come from: sign(x), and also |x|/x.
 *
 * Within a step, the half in which rates change more is halved again. What is left of the change tends to 0 where they are continuous, and to the jump where
 * they are not. Between two states x and x + w that are near each other, f(x) - 2 f(x + w/2) + f(x + w) is next to nothing beside f(x + w) - f(x), of the second
 * order in w; with a jump between them, wherever it is, it is as large. */
#include "analyse/jumps.h"

#include <math.h>
#include <string.h>

struct nh_jumps {
    nh_flow *flow;
    const size_t *variables;
    size_t count;
    size_t met;                              /* steps of the stepper that ended at a corner, so far */
    double longest;                          /* step, so far */
    double *inputs, *at;                     /* at: a state of the stepper */
    double *all;                             /* rates, by variable of the flow; */
    double *before, *behind, *middle, *size; /* of those variables */
};

nh_jumps *nh_jumps_new(nh_flow *f, const size_t *variables, size_t count, const nh_stepper *s)
{
    nh_jumps *j = nh_arena_array(f->arena, 1, sizeof *j);
    *j = (nh_jumps){.flow = f, .variables = variables, .count = count};
    j->inputs = nh_doubles(f->arena, f->size + 1), j->all = nh_doubles(f->arena, f->size);
    j->at = nh_doubles(f->arena, s->motion->size);
    j->before = nh_doubles(f->arena, count), j->behind = nh_doubles(f->arena, count);
    j->middle = nh_doubles(f->arena, count), j->size = nh_doubles(f->arena, count);
    return j;
}

/* Those of the state in j->inputs. False: they have no value. */
static bool rates_of(nh_jumps *j, double *out)
{
    if (!nh_smooth_at(j->flow, j->flow->field, j->inputs, j->all))
        return false;
    for (size_t i = 0; i < j->count; i++)
        out[i] = j->all[j->variables[i]];
    return true;
}

static bool rates_at(nh_jumps *j, double t, const double *x, double *out)
{
    j->inputs[0] = t;
    memcpy(j->inputs + 1, x, j->flow->size * sizeof *x);
    return rates_of(j, out);
}

/* ---------------------------------------------------------------- within a step */

/* From one to the other, relative to what they are in the step: the largest. */
static double change_from(const nh_jumps *j, const double *one, const double *other)
{
    double largest = 0;
    for (size_t i = 0; i < j->count; i++)
        if (j->size[i] > 0)
            largest = fmax(largest, fabs(other[i] - one[i]) / j->size[i]);
    return largest;
}

enum { HALVINGS = 50, FIRST_HALVINGS = 20 };
static const double NOTHING = 1e-9;

/* What |x|^(1/2) changes by is a thousandth of what it was after thirty halvings more. */
static bool stays_while_halved(nh_jumps *j, nh_stepper *s, double from, double to)
{
    double change = change_from(j, j->before, j->behind), early = 0;
    for (int k = 0; k < HALVINGS && change > NOTHING; k++) {
        double middle = from + (to - from) / 2;
        if (middle == from || middle == to)
            break;
        s->at(s, middle, j->at);
        if (!rates_at(j, middle, j->at, j->middle))
            return false;
        double first = change_from(j, j->before, j->middle), second = change_from(j, j->middle, j->behind);
        memcpy(first > second ? j->behind : j->before, j->middle, j->count * sizeof *j->middle);
        *(first > second ? &to : &from) = middle;
        change = fmax(first, second), early = k < FIRST_HALVINGS ? change : early;
    }
    return change > NOTHING && change > 0.5 * early;
}

/* Steps that end at a corner, and those that are next to nothing beside others, as solvers make them to get past one. */
static bool is_suspect(nh_jumps *j, const nh_stepper *s, double from)
{
    size_t met = s->across + s->branched;
    double length = fabs(s->t - from);
    j->longest = fmax(j->longest, length);
    bool suspect = met != j->met || length < 1e-9 * j->longest;
    j->met = met;
    return suspect;
}

bool nh_jumps_within(nh_jumps *j, nh_stepper *s, double from, const double *x)
{
    if (!is_suspect(j, s, from) || !rates_at(j, from, x, j->before) || !rates_at(j, s->t, s->x, j->behind))
        return false;
    for (size_t i = 0; i < j->count; i++)
        j->size[i] = fabs(j->before[i]) + fabs(j->behind[i]);
    return stays_while_halved(j, s, from, s->t);
}

/* ---------------------------------------------------------------- between neighbours */

/* At x + part (other - x). */
static bool rates_between(nh_jumps *j, const double *x, const double *other, double part, double *out)
{
    memcpy(j->inputs + 1, x, j->flow->size * sizeof *x);
    for (size_t i = 0; i < j->count; i++)
        j->inputs[1 + j->variables[i]] += part * (other[i] - x[j->variables[i]]);
    return rates_of(j, out);
}

bool nh_jumps_between(nh_jumps *j, double t, const double *x, const double *other)
{
    static const double rounding = 1e-12, most_bend = 0.1;
    double bend = 0, change = 0, size = 0;
    j->inputs[0] = t;
    if (!rates_between(j, x, other, 0, j->before) || !rates_between(j, x, other, 0.5, j->middle) ||
        !rates_between(j, x, other, 1, j->behind))
        return true;
    for (size_t i = 0; i < j->count; i++) {
        bend = fmax(bend, fabs(j->before[i] - 2 * j->middle[i] + j->behind[i]));
        change = fmax(change, fabs(j->behind[i] - j->before[i])), size = fmax(size, fabs(j->before[i]));
    }
    return bend > rounding * size && bend > most_bend * change;
}
