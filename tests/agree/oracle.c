#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- hyper-dual numbers */

typedef struct hd {
    double f, a, b, ab;
} hd;

static hd hd_constant(double x) { return (hd){x, 0, 0, 0}; }
static hd hd_add(hd x, hd y) { return (hd){x.f + y.f, x.a + y.a, x.b + y.b, x.ab + y.ab}; }

static hd hd_mul(hd x, hd y)
{
    return (hd){x.f * y.f, x.f * y.a + x.a * y.f, x.f * y.b + x.b * y.f, x.f * y.ab + x.a * y.b + x.b * y.a + x.ab * y.f};
}

/* f(x) from f, f', f'' */
static hd hd_chain(hd x, double f, double d, double dd)
{
    return (hd){f, d * x.a, d * x.b, d * x.ab + dd * x.a * x.b};
}

static hd hd_log(hd x) { return hd_chain(x, log(x.f), 1 / x.f, -1 / (x.f * x.f)); }
static hd hd_exp(hd x) { return hd_chain(x, exp(x.f), exp(x.f), exp(x.f)); }

static hd hd_power(hd x, hd y)
{
    if (y.a == 0 && y.b == 0 && y.ab == 0) {
        double n = y.f;
        return hd_chain(x, pow(x.f, n), n == 0 ? 0 : n * pow(x.f, n - 1), n == 0 || n == 1 ? 0 : n * (n - 1) * pow(x.f, n - 2));
    }
    return hd_exp(hd_mul(y, hd_log(x)));
}

static hd hd_atan2(hd y, hd x)
{
    double r = x.f * x.f + y.f * y.f;
    double fy = x.f / r, fx = -y.f / r;
    double fyy = -2 * x.f * y.f / (r * r), fxx = 2 * x.f * y.f / (r * r), fxy = (y.f * y.f - x.f * x.f) / (r * r);
    return (hd){atan2(y.f, x.f), fy * y.a + fx * x.a, fy * y.b + fx * x.b,
                fy * y.ab + fx * x.ab + fyy * y.a * y.b + fxx * x.a * x.b + fxy * (x.a * y.b + y.a * x.b)};
}

static hd hd_call(nh_function function, hd x, hd y)
{
    double v = x.f, s, c;
    switch (function) {
    case NH_FN_sin: return hd_chain(x, sin(v), cos(v), -sin(v));
    case NH_FN_cos: return hd_chain(x, cos(v), -sin(v), -cos(v));
    case NH_FN_tan: s = tan(v); return hd_chain(x, s, 1 + s * s, 2 * s * (1 + s * s));
    case NH_FN_asin: c = 1 - v * v; return hd_chain(x, asin(v), 1 / sqrt(c), v / (c * sqrt(c)));
    case NH_FN_acos: c = 1 - v * v; return hd_chain(x, acos(v), -1 / sqrt(c), -v / (c * sqrt(c)));
    case NH_FN_atan: c = 1 + v * v; return hd_chain(x, atan(v), 1 / c, -2 * v / (c * c));
    case NH_FN_atan2: return hd_atan2(x, y);
    case NH_FN_sinh: return hd_chain(x, sinh(v), cosh(v), sinh(v));
    case NH_FN_cosh: return hd_chain(x, cosh(v), sinh(v), cosh(v));
    case NH_FN_tanh: s = tanh(v); return hd_chain(x, s, 1 - s * s, -2 * s * (1 - s * s));
    case NH_FN_exp: return hd_exp(x);
    case NH_FN_log: return hd_log(x);
    case NH_FN_sqrt: s = sqrt(v); return hd_chain(x, s, 0.5 / s, -0.25 / (s * v));
    case NH_FN_abs: return hd_chain(x, fabs(v), v > 0 ? 1 : -1, 0);
    case NH_FN_sign: return hd_constant(v > 0 ? 1 : v < 0 ? -1 : 0);
    case NH_FN_min: return x.f < y.f ? x : y;
    case NH_FN_max: return x.f > y.f ? x : y;
    default: return hd_constant(NAN);
    }
}

static hd node_value(const oracle *o, nh_expr e, const hd *slot, const double *d1, const double *d2)
{
    const nh_pool *pool = &o->model->pool;
    nh_node node = pool->nodes[e];
    switch (node.kind) {
    case NH_NUMBER: return hd_constant(nh_rational_to_double(pool->rationals[node.a]));
    case NH_SYMBOL: return (hd){o->values[node.a], d1 ? d1[node.a] : 0, d2 ? d2[node.a] : 0, 0};
    case NH_PI: return hd_constant(acos(-1));
    case NH_ADD: return hd_add(slot[node.a], slot[node.b]);
    case NH_MUL: return hd_mul(slot[node.a], slot[node.b]);
    case NH_POW: return hd_power(slot[node.a], slot[node.b]);
    case NH_CALL: return hd_call((nh_function)node.function, slot[node.a], node.b ? slot[node.b] : hd_constant(0));
    default: return hd_constant(NAN);
    }
}

/* Every node up to e: operands come first. */
void oracle_hyperdual(const oracle *o, nh_expr e, const double *d1, const double *d2, double out[4])
{
    hd *slot = calloc((size_t)e + 1, sizeof *slot);
    for (nh_expr k = 1; k <= e; k++)
        slot[k] = node_value(o, k, slot, d1, d2);
    out[0] = slot[e].f, out[1] = slot[e].a, out[2] = slot[e].b, out[3] = slot[e].ab;
    free(slot);
}

/* ---------------------------------------------------------------- states */

static uint32_t index_of(const oracle *o, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&o->model->pool, symbol, &index);
    return index;
}

double *oracle_value(oracle *o, nh_expr symbol) { return &o->values[index_of(o, symbol)]; }

void oracle_init(oracle *o, const nh_model *model)
{
    *o = (oracle){.model = model, .n = model->n, .r = model->r};
    o->values = calloc(model->pool.n_symbols + 1, sizeof *o->values);
    o->acceleration = calloc(model->n + 1, sizeof(double));
    o->lambda = calloc(model->r + 1, sizeof(double));
    o->R = calloc(model->n + 1, sizeof(double));
}

void oracle_free(oracle *o)
{
    free(o->values), free(o->acceleration), free(o->lambda), free(o->R);
}

static double *direction(const oracle *o) { return calloc(o->model->pool.n_symbols + 1, sizeof(double)); }

/* q' along q, and 1 along t */
static void set_motion(oracle *o, double *d)
{
    for (size_t i = 0; i < o->n; i++)
        d[index_of(o, o->model->coordinates[i].q)] = *oracle_value(o, o->model->coordinates[i].rate);
    d[index_of(o, o->model->time)] = 1;
}

/* ---------------------------------------------------------------- linear algebra */

/* Gauss elimination with row exchanges; b is replaced by the solution. */
static int gauss(double *M, double *b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        size_t p = j;
        for (size_t i = j; i < n; i++)
            if (fabs(M[i * n + j]) > fabs(M[p * n + j]))
                p = i;
        if (!(fabs(M[p * n + j]) > 1e-12))
            return 0;
        for (size_t k = 0; k < n; k++) {
            double swap = M[j * n + k];
            M[j * n + k] = M[p * n + k], M[p * n + k] = swap;
        }
        double swap = b[j];
        b[j] = b[p], b[p] = swap;
        for (size_t i = j + 1; i < n; i++) {
            double factor = M[i * n + j] / M[j * n + j];
            for (size_t k = j; k < n; k++)
                M[i * n + k] -= factor * M[j * n + k];
            b[i] -= factor * b[j];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= M[i * n + k] * b[k];
        b[i] /= M[i * n + i];
    }
    return 1;
}

/* ---------------------------------------------------------------- g and L */

static void metric_and_forces(oracle *o, double *g, double *L)
{
    const nh_model *model = o->model;
    double *motion = direction(o), out[4];
    set_motion(o, motion);
    for (size_t i = 0; i < o->n; i++) {
        double *di = direction(o), *qi = direction(o);
        di[index_of(o, model->coordinates[i].rate)] = 1;
        qi[index_of(o, model->coordinates[i].q)] = 1;
        for (size_t j = 0; j < o->n; j++) {
            double *dj = direction(o);
            dj[index_of(o, model->coordinates[j].rate)] = 1;
            oracle_hyperdual(o, model->kinetic, di, dj, out);
            g[i * o->n + j] = out[3];
            free(dj);
        }
        oracle_hyperdual(o, model->coordinates[i].force, NULL, NULL, out);
        L[i] = out[0];
        oracle_hyperdual(o, model->potential, qi, NULL, out);
        L[i] -= out[1];
        oracle_hyperdual(o, model->kinetic, qi, NULL, out);
        L[i] += out[1];
        oracle_hyperdual(o, model->kinetic, di, motion, out);
        L[i] -= out[3];
        free(di), free(qi);
    }
    free(motion);
}

/* C^a_i at values[]. */
static void constraint_row(oracle *o, size_t a, double *row)
{
    double out[4];
    for (size_t i = 0; i < o->n; i++) {
        double *di = direction(o);
        di[index_of(o, o->model->coordinates[i].rate)] = 1;
        oracle_hyperdual(o, o->model->constraints[a].C, di, NULL, out);
        row[i] = out[1];
        free(di);
    }
}

int oracle_solve(oracle *o)
{
    size_t n = o->n, r = o->r, size = n + r;
    double *g = calloc(n * n + 1, sizeof *g), *L = calloc(n + 1, sizeof *L), *row = calloc(n + 1, sizeof *row);
    double *M = calloc(size * size + 1, sizeof *M), *b = calloc(size + 1, sizeof *b), *motion = direction(o), out[4];
    set_motion(o, motion);
    metric_and_forces(o, g, L);
    for (size_t i = 0; i < n; i++) {
        memcpy(M + i * size, g + i * n, n * sizeof *M);
        b[i] = L[i];
    }
    for (size_t a = 0; a < r; a++) {
        constraint_row(o, a, row);
        for (size_t i = 0; i < n; i++)
            M[(n + a) * size + i] = row[i], M[i * size + n + a] = -row[i];
        oracle_hyperdual(o, o->model->constraints[a].C, motion, NULL, out);
        b[n + a] = -out[1];
    }
    int ok = gauss(M, b, size);
    memcpy(o->acceleration, b, n * sizeof *b);
    memcpy(o->lambda, b + n, r * sizeof *b);
    for (size_t i = 0; i < n; i++) { /* R = g q'' - L */
        o->R[i] = -L[i];
        for (size_t j = 0; j < n; j++)
            o->R[i] += g[i * n + j] * b[j];
    }
    free(g), free(L), free(row), free(M), free(b), free(motion);
    return ok;
}

int oracle_solve_parametric(oracle *o)
{
    const nh_model *model = o->model;
    size_t n = o->n, m = model->n_velocities;
    double *psi_alpha = calloc(m * n + 1, sizeof(double)), *drift = calloc(n + 1, sizeof(double)), *motion = direction(o), out[4];
    double *g = calloc(n * n + 1, sizeof *g), *L = calloc(n + 1, sizeof *L);
    for (size_t i = 0; i < n; i++) {
        oracle_hyperdual(o, model->psi[i], NULL, NULL, out);
        *oracle_value(o, model->coordinates[i].rate) = out[0];
    }
    set_motion(o, motion);
    for (size_t i = 0; i < n; i++) {
        for (size_t alpha = 0; alpha < m; alpha++) {
            double *d = direction(o);
            d[index_of(o, model->velocities[alpha].symbol)] = 1;
            oracle_hyperdual(o, model->psi[i], d, NULL, out);
            psi_alpha[alpha * n + i] = out[1];
            free(d);
        }
        oracle_hyperdual(o, model->psi[i], motion, NULL, out);
        drift[i] = out[1];
    }
    metric_and_forces(o, g, L);
    double *M = calloc(m * m + 1, sizeof *M), *w = calloc(m + 1, sizeof *w);
    for (size_t alpha = 0; alpha < m; alpha++)
        for (size_t i = 0; i < n; i++) {
            w[alpha] += psi_alpha[alpha * n + i] * L[i];
            for (size_t j = 0; j < n; j++) {
                w[alpha] -= psi_alpha[alpha * n + i] * g[i * n + j] * drift[j];
                for (size_t beta = 0; beta < m; beta++)
                    M[alpha * m + beta] += psi_alpha[alpha * n + i] * g[i * n + j] * psi_alpha[beta * n + j];
            }
        }
    int ok = gauss(M, w, m);
    for (size_t i = 0; i < n; i++) {
        o->acceleration[i] = drift[i];
        for (size_t alpha = 0; alpha < m; alpha++)
            o->acceleration[i] += psi_alpha[alpha * n + i] * w[alpha];
    }
    for (size_t i = 0; i < n; i++) {
        o->R[i] = -L[i];
        for (size_t j = 0; j < n; j++)
            o->R[i] += g[i * n + j] * o->acceleration[j];
    }
    free(psi_alpha), free(drift), free(motion), free(g), free(L), free(M), free(w);
    return ok;
}

int oracle_project(oracle *o)
{
    size_t n = o->n, r = o->r;
    double *row = calloc(r * n + 1, sizeof *row), *M = calloc(r * r + 1, sizeof *M), *b = calloc(r + 1, sizeof *b), out[4];
    int found = r == 0;
    for (int step = 0; step < 60 && !found; step++) {
        double largest = 0;
        for (size_t a = 0; a < r; a++) {
            oracle_hyperdual(o, o->model->constraints[a].C, NULL, NULL, out);
            b[a] = out[0];
            largest = fmax(largest, fabs(out[0]));
            constraint_row(o, a, row + a * n);
        }
        found = largest < 1e-13;
        for (size_t a = 0; a < r; a++)
            for (size_t c = 0; c < r; c++) {
                M[a * r + c] = 0;
                for (size_t i = 0; i < n; i++)
                    M[a * r + c] += row[a * n + i] * row[c * n + i];
            }
        if (found || !gauss(M, b, r))
            break;
        for (size_t i = 0; i < n; i++)
            for (size_t a = 0; a < r; a++)
                *oracle_value(o, o->model->coordinates[i].rate) -= row[a * n + i] * b[a];
    }
    free(row), free(M), free(b);
    return found;
}
