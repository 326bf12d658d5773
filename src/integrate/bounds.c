/* Between which numbers conditions lie within a piece of a step. Along the piece the state is taken to be the polynomial of degree 8 through nine
 * looks at it, and as far from that as two more looks tell; the conditions, their rates and the rates of these are then enclosed in
 * intervals, which leave nothing out, however narrow it is. */
#include "integrate/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NODES = NH_LOOKS + 1 };
const double nh_looks_between[NH_LOOKS_BETWEEN] = {0.190983005625, 0.723606797750};

struct nh_bounds {
    const nh_motion *motion;
    nh_enclosure *piece, *point;
    bool *used;           /* by input: whether a condition depends on it */
    double *states;       /* by component, one behind the other: at the looks and at those between them */
    double *coefficients; /* the same as polynomials in u, -1 <= u <= 1 */
    double *apart;        /* how far the looks between are from that */
    double *largest;      /* by component: the largest it has been */
    double *rates;        /* by component: how fast it is in this piece */
    double from, to;
    size_t orders;                /* that are known of this piece */
    double weights[NODES][NODES]; /* coefficient k is the sum of weights[k][l] x(u_l) */
};

/* Lagrange's polynomials prod_{m != l} (u - u_m)/(u_l - u_m), u_m = m/4 - 1, multiplied out. */
static void find_weights(nh_bounds *b)
{
    for (int l = 0; l < NODES; l++) {
        double c[NODES + 1] = {1};
        for (int m = 0, degree = 0; m < NODES; m++) {
            double u = m / (NH_LOOKS / 2.0) - 1, apart = (l - m) / (NH_LOOKS / 2.0);
            if (m == l)
                continue;
            degree++;
            for (int k = degree; k >= 0; k--)
                c[k] = ((k > 0 ? c[k - 1] : 0) - u * c[k]) / apart;
        }
        for (int k = 0; k < NODES; k++)
            b->weights[k][l] = c[k];
    }
}

static void use(nh_bounds *b, uint32_t reg)
{
    if (reg < b->motion->watched->n_inputs)
        b->used[reg] = true;
}

static void find_used(nh_bounds *b)
{
    const nh_tape *t = b->motion->watched;
    for (size_t i = 0; i < t->n_steps; i++)
        if (t->steps[i].op != NH_OP_SOLVE)
            use(b, t->steps[i].a), use(b, t->steps[i].b);
    for (size_t i = 0; i < t->n_systems; i++) {
        const nh_linear *l = &t->systems[i];
        for (size_t k = 0; k < (size_t)l->n * l->n; k++)
            use(b, l->matrix[k]);
        for (size_t k = 0; k < l->n; k++)
            use(b, l->right[k]);
    }
    for (size_t i = 0; i < t->n_outputs; i++)
        use(b, t->outputs[i]);
}

nh_bounds *nh_bounds_new(const nh_motion *m, nh_arena *arena)
{
    if (!m->watched)
        return NULL;
    nh_bounds *b = nh_arena_array(arena, 1, sizeof *b);
    *b = (nh_bounds){.motion = m};
    b->piece = nh_enclosure_new(m->watched, arena), b->point = nh_enclosure_new(m->watched, arena);
    nh_enclosure_constants(b->piece, m->constants), nh_enclosure_constants(b->point, m->constants);
    b->used = nh_arena_array(arena, m->watched->n_inputs + 1, sizeof *b->used);
    memset(b->used, 0, (m->watched->n_inputs + 1) * sizeof *b->used);
    b->states = nh_zeros(arena, m->size * NH_ALL_LOOKS), b->coefficients = nh_zeros(arena, m->size * NODES);
    b->apart = nh_zeros(arena, m->size), b->largest = nh_zeros(arena, m->size);
    b->rates = nh_zeros(arena, m->size);
    find_weights(b);
    find_used(b);
    return b;
}

void nh_bounds_take(nh_bounds *b, size_t look, const double *x)
{
    if (!b)
        return;
    b->orders = 0;
    for (size_t i = 0; i < b->motion->size; i++) {
        b->states[i * NH_ALL_LOOKS + look] = x[i];
        b->largest[i] = fmax(b->largest[i], fabs(x[i]));
    }
}

void nh_bounds_piece(nh_bounds *b, double from, double to)
{
    if (!b)
        return;
    b->from = from, b->to = to, b->orders = 0;
    for (size_t i = 0; i < b->motion->size; i++) {
        const double *x = b->states + i * NH_ALL_LOOKS;
        double most = 0;
        for (size_t k = 0; k < NH_LOOKS; k++)
            most = fmax(most, fabs(x[k + 1] - x[k]));
        b->rates[i] = most * NH_LOOKS / fabs(to - from);
    }
}

/* ---------------------------------------------------------------- the state within a piece */

/* The polynomial of a component, and what the looks between say of it. */
static void interpolate(nh_bounds *b, size_t i)
{
    const double *x = b->states + i * NH_ALL_LOOKS;
    double *c = b->coefficients + i * NODES;
    for (size_t k = 0; k < NODES; k++) {
        c[k] = 0;
        for (size_t l = 0; l < NODES; l++)
            c[k] += b->weights[k][l] * x[l];
    }
    b->apart[i] = 0;
    for (size_t p = 0; p < NH_LOOKS_BETWEEN; p++) {
        double u = 2 * nh_looks_between[p] - 1, sum = 0;
        for (size_t k = NODES; k-- > 0;)
            sum = sum * u + c[k];
        b->apart[i] = fmax(b->apart[i], fabs(sum - x[NODES + p]));
    }
}

/* The coefficient of order j around any u of the piece: sum_k (k over j) c_k u^(k-j), where even powers are not negative. With
 * prod = (u - u_0)...(u - u_8), an error of the polynomial is a multiple of prod, which is at its largest 7 times what it is at the looks
 * between, its derivative 220 times and half of the second one 2400 times; rounding errors of the looks grow somewhat more. */
static nh_interval within(const nh_bounds *b, size_t i, size_t j)
{
    static const double of_apart[NH_ENCLOSED] = {8, 256, 4096}, of_rounding[NH_ENCLOSED] = {16, 512, 16384};
    const double *c = b->coefficients + i * NODES;
    double error = of_apart[j] * b->apart[i] + of_rounding[j] * DBL_EPSILON * b->largest[i], binomial = 1;
    nh_interval sum = {c[j] - error, c[j] + error};
    for (size_t k = j + 1; k < NODES; k++) {
        binomial *= (double)k / (double)(k - j);
        double term = binomial * c[k];
        bool even = (k - j) % 2 == 0;
        sum.low -= even && term > 0 ? 0 : fabs(term), sum.high += even && term < 0 ? 0 : fabs(term);
    }
    return sum.low <= sum.high ? sum : (nh_interval){-INFINITY, INFINITY};
}

static nh_interval time_within(const nh_bounds *b, size_t j)
{
    double half = (b->to - b->from) / 2;
    return j == 0   ? (nh_interval){fmin(b->from, b->to), fmax(b->from, b->to)}
           : j == 1 ? (nh_interval){half, half}
                    : (nh_interval){0, 0};
}

/* A condition's coefficient of order j around any place of the piece, in units of half of its length. */
static nh_interval of_condition(nh_bounds *b, size_t which, size_t j)
{
    nh_enclosure *e = b->piece;
    for (; b->orders <= j; b->orders++) {
        e->r[b->orders * e->stride] = time_within(b, b->orders);
        for (size_t i = 0; i < b->motion->size; i++) {
            if (!b->used[1 + i])
                continue;
            if (b->orders == 0)
                interpolate(b, i);
            e->r[b->orders * e->stride + 1 + i] = within(b, i, b->orders);
        }
        nh_enclosure_step(e, b->orders);
    }
    return e->r[j * e->stride + e->tape->outputs[which]];
}

/* ---------------------------------------------------------------- what a condition does within a piece */

/* The condition at a state with its rounding. The time has some, too, and in that the state moves. */
static nh_interval at_state(nh_bounds *b, size_t which, double t, const double *x, size_t stride)
{
    nh_enclosure *e = b->point;
    double of_time = 2 * DBL_EPSILON * fabs(t);
    e->r[0] = (nh_interval){t - of_time, t + of_time};
    for (size_t i = 0; i < b->motion->size; i++) {
        double error = 16 * DBL_EPSILON * fmax(b->largest[i], fabs(x[i * stride])) + of_time * b->rates[i];
        e->r[1 + i] = (nh_interval){x[i * stride] - error, x[i * stride] + error};
    }
    nh_enclosure_step(e, 0);
    return e->r[e->tape->outputs[which]];
}

bool nh_bounds_is_firm(nh_bounds *b, size_t which, double t, const double *x)
{
    nh_interval value = at_state(b, which, t, x, 1);
    return value.low > 0 || value.high < 0;
}

double nh_bounds_rounding(nh_bounds *b, size_t which)
{
    const double *middle = b->states + NH_LOOKS / 2;
    nh_interval value = at_state(b, which, b->from + (b->to - b->from) / 2, middle, NH_ALL_LOOKS);
    return isfinite(value.high - value.low) ? value.high - value.low : 0; /* there may be no value */
}

/* Whether the condition is, in the whole piece, not larger than what rounding makes of it. */
static bool is_rounding(nh_bounds *b, size_t which, nh_interval value)
{
    return fmax(-value.low, value.high) <= 4 * nh_bounds_rounding(b, which);
}

nh_course nh_bounds_course(nh_bounds *b, size_t which, double middle, double nothing)
{
    if (!b)
        return NH_COURSE_UNKNOWN;
    nh_interval value = of_condition(b, which, 0);
    if (value.low > nothing || value.high < -nothing)
        return NH_COURSE_AWAY;
    nh_interval rate = of_condition(b, which, 1);
    if (rate.low >= 0 || rate.high <= 0)
        return NH_COURSE_MONOTONE;
    if (fabs(middle) - fmax(-rate.low, rate.high) > nothing)
        return NH_COURSE_AWAY;
    nh_interval bend = of_condition(b, which, 2);
    if (bend.low > 0 || bend.high < 0)
        return bend.low > 0 ? NH_COURSE_CONVEX : NH_COURSE_CONCAVE;
    return is_rounding(b, which, value) ? NH_COURSE_NOTHING : NH_COURSE_UNKNOWN;
}

double nh_bounds_change(nh_bounds *b, size_t which)
{
    nh_interval rate = of_condition(b, which, 1);
    return 2 * fmax(-rate.low, rate.high);
}
