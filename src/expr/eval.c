/* Evaluation in doubles, with a bound for the rounding errors. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <float.h>
#include <math.h>

typedef struct number {
    double value, error; /* |computed - true| <= error */
} number;

/* Not more than this is |f'| within reach of x, and for two arguments the larger of the two partial derivatives;
 * INFINITY where a pole, an end or a jump is within reach. */
static double slope(nh_function function, double x, double y, double reach)
{
    double far = fabs(x) + reach, near = fmax(fabs(x) - reach, 0), margin;
    switch (function) {
    case NH_FN_sin: return fmin(fabs(cos(x)) + reach, 1);
    case NH_FN_cos: return fmin(fabs(sin(x)) + reach, 1);
    case NH_FN_tan: margin = fabs(cos(x)) - reach; return margin > 0 ? 1 / (margin * margin) : INFINITY;
    case NH_FN_asin:
    case NH_FN_acos: return far < 1 ? 1 / sqrt((1 - far) * (1 + far)) : INFINITY;
    case NH_FN_atan: return 1 / (1 + near * near);
    case NH_FN_atan2:
        margin = hypot(x, y) - reach;
        return margin > 0 && (y > reach || fabs(x) > reach) ? 1 / margin : INFINITY;
    case NH_FN_sinh: return cosh(far);
    case NH_FN_cosh: return sinh(far);
    case NH_FN_tanh: return 1 / (cosh(near) * cosh(near));
    case NH_FN_exp: return exp(x + reach);
    case NH_FN_log: return x > reach ? 1 / (x - reach) : INFINITY;
    case NH_FN_sqrt: return x > reach ? 0.5 / sqrt(x - reach) : INFINITY;
    case NH_FN_sign: return fabs(x) > reach ? 0 : INFINITY;
    default: return 1;
    }
}

/* A result of that value, with an error besides its own rounding; DBL_MIN for what underflows. */
static number rounded(double value, double error)
{
    double bound = error + fabs(value) * DBL_EPSILON + DBL_MIN;
    return (number){value, isnan(bound) ? INFINITY : bound};
}

/* Sums do not underflow: that of two zeros is 0, whose sign is known. */
static number sum(number a, number b)
{
    double value = a.value + b.value, bound = a.error + b.error + fabs(value) * DBL_EPSILON;
    return (number){value, isnan(bound) ? INFINITY : bound};
}

/* Neither does a product with 0. */
static number product(number a, number b)
{
    bool zero = (a.value == 0 && a.error == 0 && isfinite(b.value) && isfinite(b.error)) ||
                (b.value == 0 && b.error == 0 && isfinite(a.value) && isfinite(a.error));
    double value = a.value * b.value,
           error = fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error;
    return zero ? (number){value, 0} : rounded(value, error);
}

static number power(number a, number b)
{
    double value = pow(a.value, b.value), size = fabs(a.value), passed = INFINITY;
    if (a.error == 0 && (b.error == 0 || (size == 0 && b.value > b.error)))
        passed = 0;
    else if (b.error == 0 && b.value >= 1) /* |x^n - y^n| <= n max(|x|, |y|)^(n-1) |x - y| */
        passed = b.value * pow(size + a.error, b.value - 1) * a.error;
    else if (size > 2 * a.error &&
             (a.value > 0 || b.error == 0)) { /* value * (e^t - 1), t the error of b log(a) */
        double relative = a.error / (size - a.error);
        passed = fabs(value) * expm1(fabs(b.value) * relative + (fabs(log(size)) + relative) * b.error);
    }
    return rounded(value, passed);
}

/* The error that an argument's error e makes. The slope is looked for within 2 e, for the roundings here. */
static double passed_on(nh_function function, double x, double y, double e)
{
    double passed = e == 0 ? 0 : slope(function, x, y, 2 * e) * e;
    bool root = function == NH_FN_sqrt || function == NH_FN_asin || function == NH_FN_acos;
    return root ? fmin(passed, 3 * sqrt(e)) : passed; /* |f(x) - f(y)| <= 3 sqrt|x - y| up to the very end */
}

static number call(nh_function function, number a, number b)
{
    bool two = nh_function_get(function)->arity == 2;
    double f = nh_function_value(function, a.value, b.value);
    double passed = passed_on(function, a.value, b.value, a.error + (two ? b.error : 0));
    return rounded(f, passed + fabs(f) * DBL_EPSILON);
}

static number rational(nh_rational exact)
{
    double value = nh_rational_to_double(exact);
    bool whole = !exact.big && exact.den == 1 && fabs(value) < 0x1p53;
    return whole ? (number){value, 0} : rounded(value, 0);
}

/* ---------------------------------------------------------------- linear systems */

typedef struct evaluation {
    const nh_pool *pool;
    nh_arena *scratch;
    const double *values, *radii;
    number *slot;               /* by handle */
    bool errors;                /* whether they are wanted */
    struct factored **matrices; /* by handle; NULL: there is no linear system */
    number **solutions;
} evaluation;

/* A matrix, its factors and, for the errors, its approximate inverse X with e = ||1 - X A||, rounding and the errors of the
 * entries included: see find_errors. */
typedef struct factored {
    size_t n;
    bool regular;
    double *A, *dA, *factors, *X, defect;
    size_t *order;
} factored;

static double *doubles(evaluation *ev, size_t count)
{
    return nh_arena_array(ev->scratch, count, sizeof(double));
}

static void find_inverse(evaluation *ev, factored *f)
{
    size_t n = f->n;
    double *unit = doubles(ev, n), *column = doubles(ev, n);
    f->X = doubles(ev, n * n);
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1;
        nh_solve_dense(f->factors, f->order, n, unit, column);
        unit[j] = 0;
        for (size_t i = 0; i < n; i++)
            f->X[i * n + j] = column[i];
    }
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) {
            double sum = i == j, size = fabs(sum), moved = 0;
            for (size_t k = 0; k < n; k++) {
                double x = f->X[i * n + k];
                sum -= x * f->A[k * n + j];
                size += fabs(x * f->A[k * n + j]);
                moved += fabs(x) * f->dA[k * n + j];
            }
            row += fabs(sum) + (double)(n + 2) * DBL_EPSILON * size + moved;
        }
        f->defect = !(row <= f->defect) ? row : f->defect;
    }
}

static factored *factor(evaluation *ev, nh_expr matrix)
{
    nh_list entries = nh_operands(ev->pool, matrix);
    size_t n = ev->pool->nodes[matrix].b;
    factored *f = nh_arena_array(ev->scratch, 1, sizeof *f);
    *f = (factored){.n = n, .A = doubles(ev, n * n), .dA = doubles(ev, n * n), .factors = doubles(ev, n * n)};
    f->order = nh_arena_array(ev->scratch, n, sizeof *f->order);
    for (size_t k = 0; k < n * n; k++) {
        number entry = ev->slot[entries.items[k]];
        f->A[k] = f->factors[k] = entry.value, f->dA[k] = entry.error;
    }
    f->regular = nh_factor_dense(f->factors, f->order, n, 0);
    if (f->regular && ev->errors)
        find_inverse(ev, f);
    return f;
}

/* With r = b - A x~ and s = |X| (|r| + |db| + |dA| |x~|): |x - x~| <= s + e/(1 - e) max s, for A^-1 = X + E (1 - E)^-1 X, E = 1 - X A. */
static void find_errors(const factored *f, const number *b, number *x)
{
    size_t n = f->n;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            double rest = b[k].value, size = fabs(rest), moved = b[k].error;
            for (size_t j = 0; j < n; j++) {
                rest -= f->A[k * n + j] * x[j].value;
                size += fabs(f->A[k * n + j] * x[j].value);
                moved += f->dA[k * n + j] * fabs(x[j].value);
            }
            sum += fabs(f->X[i * n + k]) * (fabs(rest) + (double)(n + 2) * DBL_EPSILON * size + moved);
        }
        x[i].error = sum;
        worst = !(sum <= worst) ? sum : worst;
    }
    bool good = f->defect < 0.5 && isfinite(worst);
    for (size_t i = 0; i < n; i++)
        x[i].error = good ? 1.01 * (x[i].error + f->defect / (1 - f->defect) * worst) + DBL_MIN : INFINITY;
}

static number *solve(evaluation *ev, nh_expr e)
{
    const factored *f = ev->matrices[ev->pool->nodes[e].a];
    nh_list items = nh_operands(ev->pool, e);
    size_t n = f->n;
    number *b = nh_arena_array(ev->scratch, n, sizeof *b), *x = nh_arena_array(ev->scratch, n, sizeof *x);
    double *right = doubles(ev, n), *left = doubles(ev, n);
    for (size_t i = 0; i < n; i++)
        b[i] = ev->slot[items.items[1 + i]], right[i] = b[i].value;
    if (f->regular)
        nh_solve_dense(f->factors, f->order, n, right, left);
    for (size_t i = 0; i < n; i++)
        x[i] = (number){f->regular ? left[i] : NAN, INFINITY};
    if (f->regular && ev->errors)
        find_errors(f, b, x);
    return x;
}

/* ---------------------------------------------------------------- nodes */

static number evaluate_node(evaluation *ev, nh_expr e)
{
    const nh_pool *pool = ev->pool;
    nh_node node = pool->nodes[e];
    bool two =
        node.kind == NH_ADD || node.kind == NH_MUL || node.kind == NH_POW || (node.kind == NH_CALL && node.b);
    number a = two || node.kind == NH_CALL ? ev->slot[node.a] : (number){0, 0},
           b = two ? ev->slot[node.b] : (number){0, 0};
    switch (node.kind) {
    case NH_NUMBER: return rational(pool->rationals[node.a]);
    case NH_SYMBOL: return (number){ev->values[node.a], ev->radii ? ev->radii[node.a] : 0};
    case NH_PI: return rounded(3.14159265358979323846, 0);
    case NH_ADD: return sum(a, b);
    case NH_MUL: return product(a, b);
    case NH_POW: return power(a, b);
    case NH_CALL: return call((nh_function)node.function, a, b);
    case NH_MATRIX: ev->matrices[e] = factor(ev, e); break;
    case NH_SOLVE: ev->solutions[e] = solve(ev, e); break;
    case NH_COMPONENT: return ev->solutions[node.a][node.b];
    default: break;
    }
    return (number){NAN, NAN};
}

struct nh_evaluator {
    const nh_pool *pool;
    const nh_expr *roots;
    size_t n_roots;
    nh_walk walk;
    number *slot; /* by handle */
    factored **matrices;
    number **solutions;
};

static nh_evaluator evaluator_of(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t n_roots)
{
    nh_evaluator e = {.pool = pool, .roots = roots, .n_roots = n_roots};
    e.walk = nh_walk_of(pool, arena, roots, n_roots);
    size_t size = e.walk.count ? (size_t)e.walk.nodes[e.walk.count - 1] + 1 : 1;
    bool solves = false;
    for (size_t i = 0; i < e.walk.count && !solves; i++)
        solves = pool->nodes[e.walk.nodes[i]].kind == NH_SOLVE;
    e.slot = nh_arena_array(arena, size, sizeof *e.slot);
    e.matrices = solves ? nh_arena_array(arena, size, sizeof(void *)) : NULL;
    e.solutions = solves ? nh_arena_array(arena, size, sizeof(void *)) : NULL;
    return e;
}

static void evaluate_along(const nh_evaluator *e, nh_arena *scratch, const double *values,
                           const double *radii, double *out, double *errors)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    evaluation ev = {.pool = e->pool, .scratch = scratch, .values = values, .radii = radii, .errors = errors};
    ev.slot = e->slot, ev.matrices = e->matrices, ev.solutions = e->solutions;
    for (size_t i = 0; i < e->walk.count; i++)
        ev.slot[e->walk.nodes[i]] = evaluate_node(&ev, e->walk.nodes[i]);
    for (size_t i = 0; i < e->n_roots; i++) {
        out[i] = ev.slot[e->roots[i]].value;
        if (errors)
            errors[i] = ev.slot[e->roots[i]].error;
    }
    nh_arena_release(scratch, mark);
}

nh_evaluator *nh_evaluator_new(const nh_pool *pool, nh_arena *arena, const nh_expr *roots, size_t n_roots)
{
    nh_evaluator *e = nh_arena_array(arena, 1, sizeof *e);
    *e = evaluator_of(pool, arena, roots, n_roots);
    return e;
}

void nh_evaluator_at(const nh_evaluator *e, nh_arena *scratch, const double *values, double *out,
                     double *errors)
{
    evaluate_along(e, scratch, values, NULL, out, errors);
}

size_t nh_evaluator_length(const nh_evaluator *e) { return e->walk.count; }

void nh_evaluate_within(const nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                        const double *values, const double *radii, double *out, double *errors)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_evaluator e = evaluator_of(pool, scratch, roots, n_roots);
    evaluate_along(&e, scratch, values, radii, out, errors);
    nh_arena_release(scratch, mark);
}

void nh_evaluate(const nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                 const double *values, double *out, double *errors)
{
    nh_evaluate_within(pool, scratch, roots, n_roots, values, NULL, out, errors);
}
