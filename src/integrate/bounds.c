/* Between which numbers conditions lie within a part of a piece of a step. Along the piece the state is taken to be the polynomial of degree 8 through nine
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
    bool *used;            /* by input: whether a condition depends on it */
    double *states;        /* by component, one behind the other: at the looks and at those between them */
    double *coefficients;  /* the same as polynomials in u, -1 <= u <= 1 */
    double *shifted;       /* the same in v, u = centre + radius v */
    double *apart;         /* how far the looks between are from that */
    double *largest;       /* by component: the largest it has been */
    double *rates;         /* by component: how fast it is in this piece */
    double from, to;       /* of the piece */
    bool fitted;           /* the polynomials are those of this piece */
    double centre, radius; /* of the part */
    size_t orders;         /* that are known of it */
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
    b->shifted = nh_zeros(arena, m->size * NODES);
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
    for (size_t i = 0; i < b->motion->size; i++) {
        b->states[i * NH_ALL_LOOKS + look] = x[i];
        b->largest[i] = fmax(b->largest[i], fabs(x[i]));
    }
}

void nh_bounds_part(nh_bounds *b, double from, double to)
{
    b->centre = (from + to) / 2, b->radius = (to - from) / 2, b->orders = 0;
}

void nh_bounds_piece(nh_bounds *b, double from, double to)
{
    if (!b)
        return;
    b->from = from, b->to = to, b->fitted = false;
    nh_bounds_part(b, -1, 1);
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

/* p(centre + radius v) */
static void shift(nh_bounds *b, size_t i)
{
    double *d = b->shifted + i * NODES, power = 1;
    memcpy(d, b->coefficients + i * NODES, NODES * sizeof *d);
    for (size_t k = 0; k < NODES && b->centre != 0; k++)
        for (size_t m = NODES - 1; m-- > k;)
            d[m] += b->centre * d[m + 1];
    for (size_t k = 0; k < NODES; k++, power *= b->radius)
        d[k] *= power;
}

/* How far the coefficient of order j may be off. With prod = (u - u_0)...(u - u_8), an error of the polynomial is a multiple of prod, which is
 * at its largest 7 times what it is at the looks between, its derivative 220 times and half of the second one 2400 times; rounding
 * errors of the looks grow somewhat more. */
static double error_of(const nh_bounds *b, size_t i, size_t j)
{
    static const double of_apart[NH_ENCLOSED] = {8, 256, 4096}, of_rounding[NH_ENCLOSED] = {16, 512, 16384};
    double power = j == 0 ? 1 : j == 1 ? b->radius : b->radius * b->radius;
    return power * (of_apart[j] * b->apart[i] + of_rounding[j] * DBL_EPSILON * b->largest[i]);
}

/* The coefficient of order j around any v of the part: sum_k (k over j) d_k v^(k-j), where even powers are not negative. */
static nh_interval within(const nh_bounds *b, size_t i, size_t j)
{
    const double *d = b->shifted + i * NODES;
    double error = error_of(b, i, j), binomial = 1;
    nh_interval sum = {d[j] - error, d[j] + error};
    for (size_t k = j + 1; k < NODES; k++) {
        binomial *= (double)k / (double)(k - j);
        double term = binomial * d[k];
        bool even = (k - j) % 2 == 0;
        sum.low -= even && term > 0 ? 0 : fabs(term), sum.high += even && term < 0 ? 0 : fabs(term);
    }
    return sum.low <= sum.high ? sum : (nh_interval){-INFINITY, INFINITY};
}

/* The time at v. */
static double time_at(const nh_bounds *b, double v)
{
    return b->from + (b->to - b->from) * ((b->centre + b->radius * v + 1) / 2);
}

static nh_interval time_within(const nh_bounds *b, size_t j)
{
    double first = time_at(b, -1), last = time_at(b, 1), half = (last - first) / 2;
    return j == 0   ? (nh_interval){fmin(first, last), fmax(first, last)}
           : j == 1 ? (nh_interval){half, half}
                    : (nh_interval){0, 0};
}

static void fit(nh_bounds *b)
{
    for (size_t i = 0; i < b->motion->size; i++) {
        if (b->used[1 + i] && !b->fitted)
            interpolate(b, i);
        if (b->used[1 + i])
            shift(b, i);
    }
    b->fitted = true;
}

/* A condition's coefficient of order j around any place of the part, in units of half of its length. */
static nh_interval of_condition(nh_bounds *b, size_t which, size_t j)
{
    nh_enclosure *e = b->piece;
    if (b->orders == 0)
        fit(b);
    for (; b->orders <= j; b->orders++) {
        e->r[b->orders * e->stride] = time_within(b, b->orders);
        for (size_t i = 0; i < b->motion->size; i++)
            if (b->used[1 + i])
                e->r[b->orders * e->stride + 1 + i] = within(b, i, b->orders);
        nh_enclosure_step(e, b->orders);
    }
    return e->r[j * e->stride + e->tape->outputs[which]];
}

/* ---------------------------------------------------------------- at one place */

/* The time has its rounding, and in that the state moves. */
static void put_time(nh_bounds *b, double t, double *of_time)
{
    *of_time = 2 * DBL_EPSILON * fabs(t);
    b->point->r[0] = (nh_interval){t - *of_time, t + *of_time};
}

static void put_state(nh_bounds *b, size_t i, double x, double error, double of_time)
{
    error += of_time * b->rates[i];
    b->point->r[1 + i] = (nh_interval){x - error, x + error};
}

bool nh_bounds_is_firm(nh_bounds *b, size_t which, double t, const double *x)
{
    nh_enclosure *e = b->point;
    double of_time;
    put_time(b, t, &of_time);
    for (size_t i = 0; i < b->motion->size; i++)
        put_state(b, i, x[i], 16 * DBL_EPSILON * fmax(b->largest[i], fabs(x[i])), of_time);
    nh_enclosure_step(e, 0);
    nh_interval value = e->r[e->tape->outputs[which]];
    return value.low > 0 || value.high < 0;
}

/* In the middle of the part; with errors of the polynomials, or with rounding alone. */
static nh_interval in_the_middle(nh_bounds *b, size_t which, bool all)
{
    nh_enclosure *e = b->point;
    double of_time;
    if (b->orders == 0)
        fit(b);
    put_time(b, time_at(b, 0), &of_time);
    for (size_t i = 0; i < b->motion->size; i++)
        if (b->used[1 + i])
            put_state(b, i, b->shifted[i * NODES], all ? error_of(b, i, 0) : 16 * DBL_EPSILON * b->largest[i],
                      of_time);
    nh_enclosure_step(e, 0);
    return e->r[e->tape->outputs[which]];
}

double nh_bounds_rounding(nh_bounds *b, size_t which)
{
    nh_interval value = in_the_middle(b, which, false);
    return isfinite(value.high - value.low) ? value.high - value.low : 0; /* there may be no value */
}

/* ---------------------------------------------------------------- what a condition does within a part */

static bool is_away(nh_interval value, double nothing)
{
    return value.low > nothing || value.high < -nothing;
}

/* Whether the polynomials are the state, but for rounding. */
static bool is_exact(const nh_bounds *b)
{
    bool exact = true;
    for (size_t i = 0; i < b->motion->size; i++)
        exact = exact && (!b->used[1 + i] || b->apart[i] <= 1e-12 * b->largest[i]);
    return exact;
}

nh_course nh_bounds_course(nh_bounds *b, size_t which, double nothing)
{
    if (!b)
        return NH_COURSE_UNKNOWN;
    nh_interval value = of_condition(b, which, 0);
    if (is_away(value, nothing))
        return NH_COURSE_AWAY;
    nh_interval rate = of_condition(b, which, 1);
    if (rate.low >= 0 || rate.high <= 0)
        return NH_COURSE_MONOTONE;
    double by = fmax(-rate.low, rate.high);
    nh_interval middle = isfinite(by) ? in_the_middle(b, which, true) : value;
    if (is_away((nh_interval){middle.low - by, middle.high + by}, nothing))
        return NH_COURSE_AWAY;
    nh_interval bend = of_condition(b, which, 2);
    if (bend.low > 0 || bend.high < 0)
        return bend.low > 0 ? NH_COURSE_CONVEX : NH_COURSE_CONCAVE;
    bool nowhere_more = fmax(-value.low, value.high) <= 4 * (middle.high - middle.low);
    return nowhere_more && isfinite(by) && is_exact(b) ? NH_COURSE_NOTHING : NH_COURSE_UNKNOWN;
}

double nh_bounds_change(nh_bounds *b, size_t which)
{
    nh_interval rate = of_condition(b, which, 1);
    return 2 * fmax(-rate.low, rate.high);
}
