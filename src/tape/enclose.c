/* Tapes on ranges: between which numbers the values lie, and the first two coefficients of their series, wherever within a stretch of
 * time. With w = f(u), f' and f''/2 taken over the whole range of u:
 *     w_0 in f(u_0),   w_1 = f' u_1,   w_2 = f' u_2 + f''/2 u_1^2
 * At a corner the derivative is one of two, at a jump it may be anything. */
#include "tape/interval.h"
#include "tape/number.h"

#include <string.h>

#define ADD(a, b) nh_interval_add(a, b)
#define SUB(a, b) nh_interval_sub(a, b)
#define MUL(a, b) nh_interval_mul(a, b)

static const double pi = 3.14159265358979323846;

/* x x^2 is known as x^3, whose rate 3 x^2 x' does not change its sign. */
static void find_powers(nh_enclosure *e, nh_arena *arena)
{
    const nh_tape *t = e->tape;
    e->base = nh_arena_array(arena, e->stride, sizeof *e->base);
    e->degree = nh_arena_array(arena, e->stride, sizeof *e->degree);
    for (uint32_t i = 0; i < e->stride; i++)
        e->base[i] = i, e->degree[i] = 1;
    for (size_t i = 0; i < t->n_steps; i++) {
        const nh_step *s = &t->steps[i];
        bool product = s->op == NH_OP_MUL && e->base[s->a] == e->base[s->b];
        if (s->op == NH_OP_SQUARE || product) {
            e->base[s->out] = e->base[s->a];
            e->degree[s->out] = e->degree[s->a] + (product ? e->degree[s->b] : e->degree[s->a]);
        }
    }
}

nh_enclosure *nh_enclosure_new(const nh_tape *tape, nh_arena *arena)
{
    nh_enclosure *e = nh_arena_array(arena, 1, sizeof *e);
    size_t most = 0;
    *e = (nh_enclosure){.tape = tape, .stride = tape->n_registers + 2};
    e->r = nh_arena_array(arena, NH_ENCLOSED * e->stride, sizeof *e->r);
    memset(e->r, 0, NH_ENCLOSED * e->stride * sizeof *e->r);
    for (size_t i = 0; i < tape->n_systems; i++)
        most = tape->systems[i].n > most ? tape->systems[i].n : most;
    e->system = nh_arena_array(arena, most * (most + 1) + 1, sizeof *e->system);
    find_powers(e, arena);
    return e;
}

/* ---------------------------------------------------------------- functions */

/* Whether a maximum of cos(x - shift) is in the range, or is so near that rounding could have it there. */
static bool has_top(nh_interval a, double shift)
{
    double slack = 4 * DBL_EPSILON * (nh_interval_size(a) + 1), low = a.low - shift - slack;
    return ceil(low / (2 * pi)) * 2 * pi <= a.high - shift + slack;
}

/* cos(x - shift), the values at the ends being known */
static nh_interval wave(nh_interval a, double shift, double first, double last)
{
    if (!(a.high - a.low < 2 * pi) || nh_interval_size(a) > 1e12)
        return (nh_interval){-1, 1};
    nh_interval r = nh_interval_rounded(fmin(first, last), fmax(first, last));
    return (nh_interval){has_top(a, shift + pi) || r.low < -1 ? -1 : r.low,
                         has_top(a, shift) || r.high > 1 ? 1 : r.high};
}

static nh_interval sine(nh_interval a) { return wave(a, pi / 2, sin(a.low), sin(a.high)); }
static nh_interval cosine(nh_interval a) { return wave(a, 0, cos(a.low), cos(a.high)); }

static nh_interval root(nh_interval a)
{
    return a.low < 0 ? nh_interval_all() : nh_interval_rounded(sqrt(a.low), sqrt(a.high));
}

/* The exponent of a step, a constant. */
static double exponent(const nh_enclosure *e, const nh_step *s)
{
    nh_interval p = e->r[s->b];
    return p.low + (p.high - p.low) / 2;
}

/* a^p */
static nh_interval power(nh_interval a, double p)
{
    double first = pow(a.low, p), last = pow(a.high, p);
    if (p == 0)
        return nh_interval_at(1);
    if (a.low < 0 && (p != floor(p) || (p < 0 && a.high >= 0)))
        return nh_interval_all();
    nh_interval r = nh_interval_rounded(fmin(first, last), fmax(first, last));
    return a.low < 0 && a.high > 0 && fmod(p, 2) == 0 ? (nh_interval){0, r.high} : r;
}

static nh_interval hyperbolic_cosine(nh_interval a)
{
    double first = cosh(a.low), last = cosh(a.high);
    nh_interval r = nh_interval_rounded(fmin(first, last), fmax(first, last));
    return nh_interval_has(a, 0) || r.low < 1 ? (nh_interval){1, r.high} : r;
}

static nh_interval hyperbolic_sine(nh_interval a) { return nh_interval_rounded(sinh(a.low), sinh(a.high)); }

static nh_interval arc(nh_function f, nh_interval a)
{
    if (f == NH_FN_atan)
        return nh_interval_rounded(atan(a.low), atan(a.high));
    if (a.low < -1 || a.high > 1)
        return nh_interval_all();
    return f == NH_FN_asin ? nh_interval_rounded(asin(a.low), asin(a.high))
                           : nh_interval_rounded(acos(a.high), acos(a.low));
}

/* The angle of (x, y) in a rectangle: its ends are at corners of it, if it does not meet the cut, x <= 0 at y = 0. */
static nh_interval angle(nh_interval y, nh_interval x)
{
    if (nh_interval_has(y, 0) && x.low <= 0)
        return (nh_interval){-pi * (1 + DBL_EPSILON), pi * (1 + DBL_EPSILON)};
    double p = atan2(y.low, x.low), q = atan2(y.low, x.high), r = atan2(y.high, x.low),
           s = atan2(y.high, x.high);
    return nh_interval_rounded(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

/* ---------------------------------------------------------------- derivatives */

/* f' and f''/2 */
typedef struct slopes {
    nh_interval first, second;
} slopes;

/* 1/(1 + x^2) and -x/(1 + x^2)^2; or 1/sqrt(1 - x^2) and x/2 (1 - x^2)^(-3/2) */
static slopes slopes_of_arc(nh_function f, nh_interval a)
{
    nh_interval square = nh_interval_square(a);
    if (f == NH_FN_atan) {
        nh_interval d = nh_interval_inverse(ADD(nh_interval_at(1), square));
        return (slopes){d, nh_interval_neg(MUL(a, nh_interval_square(d)))};
    }
    nh_interval d = nh_interval_inverse(root(SUB(nh_interval_at(1), square)));
    nh_interval second = MUL(nh_interval_scale(0.5, a), MUL(d, nh_interval_square(d)));
    return f == NH_FN_asin ? (slopes){d, second} : (slopes){nh_interval_neg(d), nh_interval_neg(second)};
}

static slopes slopes_of_power(nh_interval a, double p)
{
    return (slopes){nh_interval_scale(p, power(a, p - 1)),
                    nh_interval_scale(p * (p - 1) / 2, power(a, p - 2))};
}

/* Of a function of one number; w: its value, and cos or cosh behind a sine. */
static slopes slopes_of(const nh_enclosure *e, const nh_step *s)
{
    nh_interval a = e->r[s->a], w = e->r[s->out], inverse, other = e->r[s->out + 1];
    switch ((nh_op)s->op) {
    case NH_OP_SQRT:
        inverse = nh_interval_inverse(nh_interval_scale(2, w));
        return (slopes){inverse, nh_interval_neg(MUL(MUL(inverse, inverse),
                                                     nh_interval_scale(0.5, nh_interval_inverse(w))))};
    case NH_OP_POWER: return slopes_of_power(a, exponent(e, s));
    case NH_OP_EXP: return (slopes){w, nh_interval_scale(0.5, w)};
    case NH_OP_LOG:
        inverse = nh_interval_inverse(a);
        return (slopes){inverse, nh_interval_scale(-0.5, nh_interval_square(inverse))};
    case NH_OP_SINCOS: return (slopes){other, nh_interval_scale(-0.5, w)};
    case NH_OP_SINHCOSH: return (slopes){other, nh_interval_scale(0.5, w)};
    case NH_OP_TANH: return (slopes){other, nh_interval_neg(MUL(w, other))};
    case NH_OP_ARC: return slopes_of_arc((nh_function)s->function, a);
    default: return (slopes){nh_interval_all(), nh_interval_all()};
    }
}

#define AT(reg, k) e->r[(k)*e->stride + (reg)]

static nh_interval chain(const nh_enclosure *e, slopes f, uint32_t u, size_t k)
{
    nh_interval next = MUL(f.first, AT(u, k));
    return k == 1 ? next : ADD(next, MUL(f.second, nh_interval_square(AT(u, 1))));
}

/* sum_{j=0..k} a_j b_{k-j} */
static nh_interval product(const nh_enclosure *e, uint32_t a, uint32_t b, size_t k)
{
    nh_interval sum = MUL(AT(a, 0), AT(b, k));
    for (size_t j = 1; j <= k; j++)
        sum = ADD(sum, MUL(AT(a, j), AT(b, k - j)));
    return sum;
}

static nh_interval square(const nh_enclosure *e, uint32_t a, size_t k)
{
    nh_interval twice = nh_interval_scale(2, MUL(AT(a, 0), AT(a, k)));
    return k == 0 ? nh_interval_square(AT(a, 0)) : k == 1 ? twice : ADD(twice, nh_interval_square(AT(a, 1)));
}

/* w b = a: w_k = (a_k - sum_{j=1..k} b_j w_{k-j})/b_0. A quotient that fades is less than this where b is larger than numbers are. */
static nh_interval quotient(const nh_enclosure *e, const nh_step *s, size_t k)
{
    const nh_interval faded = {-1e-100, 1e-100}, below = AT(s->b, 0);
    if (k == 0 && s->fades && (below.low >= DBL_MAX || below.high <= -DBL_MAX))
        return faded;
    nh_interval rest = AT(s->a, k);
    for (size_t j = 1; j <= k; j++)
        rest = SUB(rest, MUL(AT(s->b, j), AT(s->out, k - j)));
    return nh_interval_div(rest, AT(s->b, 0));
}

/* With r = a^2 + b^2: r w' = b a' - a b', r w'' = b a'' - a b'' - r' w' */
static nh_interval angle_rate(const nh_enclosure *e, const nh_step *s, size_t k)
{
    nh_interval a = AT(s->a, 0), b = AT(s->b, 0), r = ADD(nh_interval_square(a), nh_interval_square(b));
    if (nh_interval_has(a, 0) && b.low <= 0)
        return nh_interval_all(); /* it may jump */
    nh_interval top = SUB(MUL(b, AT(s->a, k)), MUL(a, AT(s->b, k)));
    if (k == 2)
        top = SUB(top, MUL(AT(s->out, 1), ADD(MUL(a, AT(s->a, 1)), MUL(b, AT(s->b, 1)))));
    return nh_interval_div(top, r);
}

/* ---------------------------------------------------------------- corners */

static nh_interval absolute(const nh_enclosure *e, uint32_t a, size_t k)
{
    nh_interval u = AT(a, 0), next = AT(a, k);
    if (u.low >= 0 || u.high <= 0)
        return u.low >= 0 ? next : nh_interval_neg(next);
    return k == 0   ? (nh_interval){0, nh_interval_size(u)}
           : k == 1 ? nh_interval_join(next, nh_interval_neg(next))
                    : nh_interval_all();
}

static nh_interval sign(const nh_enclosure *e, uint32_t a, size_t k)
{
    nh_interval u = AT(a, 0);
    bool jumps = u.low <= 0 && u.high >= 0;
    if (k > 0)
        return jumps ? nh_interval_all() : nh_interval_at(0);
    return (nh_interval){u.low > 0 ? 1 : u.low < 0 ? -1 : 0, u.high > 0 ? 1 : u.high < 0 ? -1 : 0};
}

/* The smaller one, or the larger one. */
static nh_interval one_of(const nh_enclosure *e, const nh_step *s, size_t k)
{
    bool smaller = s->op == NH_OP_MIN;
    nh_interval a = AT(s->a, 0), b = AT(s->b, 0), x = AT(s->a, k), y = AT(s->b, k);
    if (a.high < b.low || b.high < a.low)
        return (a.high < b.low) == smaller ? x : y;
    if (k == 0)
        return smaller ? (nh_interval){fmin(a.low, b.low), fmin(a.high, b.high)}
                       : (nh_interval){fmax(a.low, b.low), fmax(a.high, b.high)};
    return k == 1 ? nh_interval_join(x, y) : nh_interval_all();
}

/* ---------------------------------------------------------------- linear systems */

static double least_size(nh_interval a)
{
    return nh_interval_has(a, 0) ? 0 : fmin(fabs(a.low), fabs(a.high));
}

/* The row from j on whose number j is farthest from 0, to place j; false: there is none. */
static bool pivot(nh_interval *A, size_t n, size_t j)
{
    size_t best = j, width = n + 1;
    for (size_t i = j + 1; i < n; i++)
        if (least_size(A[i * width + j]) > least_size(A[best * width + j]))
            best = i;
    for (size_t k = 0; k < width && best != j; k++) {
        nh_interval swap = A[j * width + k];
        A[j * width + k] = A[best * width + k], A[best * width + k] = swap;
    }
    return least_size(A[j * width + j]) > 0;
}

/* Gauss's method on n rows of n + 1 numbers; the solution in the last column. */
static bool eliminate(nh_interval *A, size_t n)
{
    size_t width = n + 1;
    for (size_t j = 0; j < n; j++) {
        if (!pivot(A, n, j))
            return false;
        for (size_t i = j + 1; i < n; i++) {
            nh_interval factor = nh_interval_div(A[i * width + j], A[j * width + j]);
            for (size_t k = j + 1; k < width; k++)
                A[i * width + k] = SUB(A[i * width + k], MUL(factor, A[j * width + k]));
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            A[i * width + n] = SUB(A[i * width + n], MUL(A[i * width + k], A[k * width + n]));
        A[i * width + n] = nh_interval_div(A[i * width + n], A[i * width + i]);
    }
    return true;
}

/* M_0 x_k = b_k - sum_{j=1..k} M_j x_{k-j} */
static void solve(nh_enclosure *e, const nh_step *s, size_t k)
{
    const nh_linear *l = &e->tape->systems[s->a];
    size_t n = l->n, width = n + 1;
    for (uint32_t i = 0; i < n; i++) {
        nh_interval right = AT(l->right[i], k);
        for (uint32_t c = 0; c < n; c++) {
            e->system[i * width + c] = AT(l->matrix[i * n + c], 0);
            for (size_t j = 1; j <= k; j++)
                right = SUB(right, MUL(AT(l->matrix[i * n + c], j), AT(s->out + c, k - j)));
        }
        e->system[i * width + n] = right;
    }
    bool regular = eliminate(e->system, n);
    for (uint32_t i = 0; i < n; i++)
        AT(s->out + i, k) = regular ? e->system[i * width + n] : nh_interval_all();
}

/* ---------------------------------------------------------------- steps */

static void value(nh_enclosure *e, const nh_step *s)
{
    nh_interval a = s->op == NH_OP_SOLVE ? nh_interval_at(0) : e->r[s->a], *w = &e->r[s->out];
    switch ((nh_op)s->op) {
    case NH_OP_SQRT: *w = root(a); break;
    case NH_OP_POWER: *w = power(a, exponent(e, s)); break;
    case NH_OP_EXP: *w = nh_interval_rounded(exp(a.low), exp(a.high)); break;
    case NH_OP_LOG: *w = a.low < 0 ? nh_interval_all() : nh_interval_rounded(log(a.low), log(a.high)); break;
    case NH_OP_SINCOS: w[0] = sine(a), w[1] = cosine(a); break;
    case NH_OP_SINHCOSH: w[0] = hyperbolic_sine(a), w[1] = hyperbolic_cosine(a); break;
    case NH_OP_TANH:
        w[0] = nh_interval_rounded(tanh(a.low), tanh(a.high));
        w[1] = nh_interval_square(nh_interval_inverse(hyperbolic_cosine(a)));
        break;
    case NH_OP_ARC: *w = arc((nh_function)s->function, a); break;
    case NH_OP_ATAN2: *w = angle(a, e->r[s->b]); break;
    default: break;
    }
}

/* cos and cosh, behind sin and sinh. */
static void follow_wave(nh_enclosure *e, const nh_step *s, size_t k)
{
    double sign_of = s->op == NH_OP_SINCOS ? -1 : 1;
    slopes f = {nh_interval_scale(sign_of, e->r[s->out]), nh_interval_scale(sign_of / 2, e->r[s->out + 1])};
    AT(s->out + 1, k) = chain(e, f, s->a, k);
}

/* v = 1/cosh^2, behind w = tanh: v' = -2 w v, v''/2 = v (2 w^2 - v) */
static void follow_tanh(nh_enclosure *e, const nh_step *s, size_t k)
{
    nh_interval w = e->r[s->out], v = e->r[s->out + 1];
    slopes f = {nh_interval_scale(-2, MUL(w, v)),
                MUL(v, SUB(nh_interval_scale(2, nh_interval_square(w)), v))};
    AT(s->out + 1, k) = chain(e, f, s->a, k);
}

static void enclose(nh_enclosure *e, const nh_step *s, size_t k)
{
    nh_interval *w = &AT(s->out, k);
    uint32_t base = e->base[s->out], degree = e->degree[s->out];
    if (degree > 2) {
        *w = k == 0 ? power(e->r[base], degree) : chain(e, slopes_of_power(e->r[base], degree), base, k);
        return;
    }
    switch ((nh_op)s->op) {
    case NH_OP_ADD: *w = ADD(AT(s->a, k), AT(s->b, k)); return;
    case NH_OP_SUB: *w = SUB(AT(s->a, k), AT(s->b, k)); return;
    case NH_OP_MUL: *w = product(e, s->a, s->b, k); return;
    case NH_OP_SCALE: *w = MUL(AT(s->a, 0), AT(s->b, k)); return;
    case NH_OP_DIV: *w = quotient(e, s, k); return;
    case NH_OP_NEG: *w = nh_interval_neg(AT(s->a, k)); return;
    case NH_OP_SQUARE: *w = square(e, s->a, k); return;
    case NH_OP_ABS: *w = absolute(e, s->a, k); return;
    case NH_OP_SIGN: *w = sign(e, s->a, k); return;
    case NH_OP_MIN:
    case NH_OP_MAX: *w = one_of(e, s, k); return;
    case NH_OP_SOLVE: solve(e, s, k); return;
    default: break;
    }
    if (k == 0)
        value(e, s);
    else if (s->op == NH_OP_ATAN2)
        *w = angle_rate(e, s, k);
    else
        *w = chain(e, slopes_of(e, s), s->a, k);
    if (k > 0 && (s->op == NH_OP_SINCOS || s->op == NH_OP_SINHCOSH))
        follow_wave(e, s, k);
    if (k > 0 && s->op == NH_OP_TANH)
        follow_tanh(e, s, k);
}

void nh_enclosure_constants(nh_enclosure *e, const double *constants)
{
    const nh_tape *t = e->tape;
    for (size_t i = 0; i < t->n_constant_inputs; i++)
        e->r[t->n_inputs + i] = nh_interval_at(constants[i]);
    for (size_t i = 0; i < t->n_numbers; i++)
        e->r[t->numbers[i].out] = nh_interval_at(nh_number_double(t->numbers[i].value, t->numbers[i].pi));
    for (size_t i = 0; i < t->n_before; i++)
        enclose(e, &t->before[i], 0);
}

void nh_enclosure_step(nh_enclosure *e, size_t k)
{
    for (size_t i = 0; i < e->tape->n_steps; i++)
        enclose(e, &e->tape->steps[i], k);
}

void nh_enclosure_some(nh_enclosure *e, size_t k, const uint32_t *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        enclose(e, &e->tape->steps[steps[i]], k);
}
