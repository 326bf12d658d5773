/* At which times equations with corners in the time are looked at: max(t - 50, 0) is 0 until t = 50. Where the argument of a corner is a function of
 * the time alone, once between any two of its zeros, and before and after all of them; where it is one of the state, too, at some times far apart. */
#include "analyse/times.h"
#include "analyse/corners.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ZEROS = NH_MOST_TIMES - 2, FINE = 1000, COARSE = 160, HALVINGS = 60 };
static const double STEP = 0.1, RATIO = 1.1;

typedef struct times {
    nh_flow *flow;
    uint32_t time;
    double *values; /* by symbol */
    double zeros[MOST_ZEROS];
    size_t count;
} times;

static double at(times *s, nh_expr u, double t)
{
    nh_equations *eq = s->flow->eq;
    double out = NAN;
    s->values[s->time] = t;
    nh_evaluate(&eq->pool, &eq->context->arena, &u, 1, s->values, &out, NULL);
    return out;
}

/* Between a and b, where u has different signs. */
static void add_zero(times *s, nh_expr u, double a, double b)
{
    bool rises = at(s, u, b) > 0;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = a + (b - a) / 2;
        if ((at(s, u, middle) > 0) == rises)
            b = middle;
        else
            a = middle;
    }
    if (s->count < MOST_ZEROS)
        s->zeros[s->count++] = b;
}

/* From now on to one side: in small steps to 100, in growing ones to 4e8. */
static void find_zeros(times *s, nh_expr u, double side, size_t most)
{
    double t = s->flow->inputs[0], before = at(s, u, t), far = 0;
    size_t end = s->count + most;
    for (size_t k = 1; k <= FINE + COARSE && s->count < end; k++) {
        far = k <= FINE ? STEP * (double)k : far * RATIO;
        double next = s->flow->inputs[0] + side * far, there = at(s, u, next);
        if ((before > 0) != (there > 0) && isfinite(before) && isfinite(there))
            add_zero(s, u, t, next);
        t = next, before = there;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nowhere in the middle, where something may be 0 by chance. */
static size_t between(times *s, double *out)
{
    size_t count = 0;
    qsort(s->zeros, s->count, sizeof *s->zeros, compare);
    for (size_t i = 0; i <= s->count && s->count; i++) {
        double first = s->zeros[0], last = s->zeros[s->count - 1];
        out[count++] = i == 0          ? first - 0.3719 * (1 + fabs(first))
                       : i == s->count ? last + 0.3719 * (1 + fabs(last))
                                       : s->zeros[i - 1] + 0.4137 * (s->zeros[i] - s->zeros[i - 1]);
    }
    return count;
}

/* Whether an argument depends on the time, and on the state. */
static bool is_of_time(const times *s, nh_expr u, bool *of_state)
{
    const nh_flow *f = s->flow;
    const nh_equations *eq = f->eq;
    bool *in = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *in);
    nh_find_symbols(&eq->pool, &eq->context->arena, &u, 1, in);
    *of_state = false;
    for (size_t k = 0; k < f->size; k++) {
        uint32_t index = 0;
        *of_state = *of_state || (nh_is_symbol(&eq->pool, f->symbols[k], &index) && in[index]);
    }
    return in[s->time];
}

size_t nh_corner_times(nh_flow *f, const nh_expr *roots, size_t count, double *out)
{
    static const double far[] = {-173.2051, -11.91638, 13.74729, 211.1271};
    nh_equations *eq = f->eq;
    nh_walk walk = nh_walk_of(&eq->pool, f->arena, roots, count);
    times s = {.flow = f, .values = nh_flow_symbols(f, f->inputs)};
    bool of_state, mixed = false;
    nh_is_symbol(&eq->pool, eq->model->time, &s.time);
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr u = nh_corner_argument(&eq->pool, walk.nodes[i]);
        if (!u || !is_of_time(&s, u, &of_state))
            continue;
        mixed = mixed || of_state;
        for (int side = -1; side <= 1 && !of_state; side += 2)
            find_zeros(&s, u, side, MOST_ZEROS / 4);
    }
    size_t n = between(&s, out);
    for (size_t k = 0; k < sizeof far / sizeof *far && mixed && n < NH_MOST_TIMES; k++)
        out[n++] = far[k];
    return n;
}
