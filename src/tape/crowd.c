/* The values of a tape for a crowd: a register is a row of NH_CROWD numbers, and every step goes along its rows, vector after vector.
 * Compiled for each kind of processor. */
#include "tape/number.h"
#include "tape/vector.h"

enum { VECTORS = NH_CROWD / NH_LANES };

static inline lanes *row(const nh_crowd *c, uint32_t reg) { return (lanes *)(c->r + (size_t)reg * NH_CROWD); }

/* ---------------------------------------------------------------- linear systems */

/* Both rows, those of them exchanged in lanes of the mask. */
static inline void exchange(masks m, lanes *a, lanes *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        lanes x = a[k], y = b[k];
        a[k] = choose(m, y, x), b[k] = choose(m, x, y);
    }
}

/* M x = b, A = (M b) by rows, elimination in place: each lane has pivots of its own. No numbers where M is singular. */
static void eliminate(lanes *A, size_t n)
{
    size_t width = n + 1;
    for (size_t j = 0; j < n; j++) {
        lanes *top = A + j * width;
        for (size_t i = j + 1; i < n; i++) {
            masks better = magnitude(A[i * width + j]) > magnitude(top[j]);
            if (any(better))
                exchange(better, top + j, A + i * width + j, width - j);
        }
        lanes inverse = 1 / top[j];
        for (size_t i = j + 1; i < n; i++) {
            lanes f = -A[i * width + j] * inverse;
            for (size_t k = j + 1; k < width; k++)
                A[i * width + k] = fused(f, top[k], A[i * width + k]);
        }
    }
    for (size_t i = n; i-- > 0;) {
        lanes x = A[i * width + n];
        for (size_t k = i + 1; k < n; k++)
            x = fused(-A[i * width + k], A[k * width + n], x);
        A[i * width + n] = x / A[i * width + i];
    }
}

static void solve(nh_crowd *c, const nh_step *step, size_t count)
{
    const nh_linear *l = &c->tape->systems[step->a];
    size_t n = l->n;
    for (size_t v = 0; v < count; v++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                c->system[i * (n + 1) + j] = row(c, l->matrix[i * n + j])[v];
            c->system[i * (n + 1) + n] = row(c, l->right[i])[v];
        }
        eliminate(c->system, n);
        for (uint32_t i = 0; i < n; i++)
            row(c, step->out + i)[v] = c->system[i * (n + 1) + n];
    }
}

/* ---------------------------------------------------------------- steps */

static void arc(nh_function f, lanes *restrict w, const lanes *a, size_t count)
{
    for (size_t v = 0; v < count; v++)
        w[v] = f == NH_FN_asin ? asin_lanes(a[v]) : f == NH_FN_acos ? acos_lanes(a[v]) : atan_lanes(a[v]);
}

#define EACH for (size_t v = 0; v < count; v++)

static void value(nh_crowd *c, const nh_step *step, size_t count)
{
    bool solves = step->op == NH_OP_SOLVE;
    const lanes *a = row(c, solves ? 0 : step->a), *b = row(c, solves ? 0 : step->b);
    lanes *restrict w = row(c, step->out), *restrict w2 = row(c, step->out + 1);
    switch ((nh_op)step->op) {
    case NH_OP_ADD: EACH w[v] = a[v] + b[v]; break;
    case NH_OP_SUB: EACH w[v] = a[v] - b[v]; break;
    case NH_OP_MUL:
    case NH_OP_SCALE: EACH w[v] = a[v] * b[v]; break;
    case NH_OP_DIV:
        EACH w[v] = a[v] / b[v];
        if (step->fades)
            EACH w[v] = choose(magnitude(1 / b[v]) > 0, w[v], 1 / b[v]);
        break;
    case NH_OP_NEG: EACH w[v] = -a[v]; break;
    case NH_OP_SQUARE: EACH w[v] = a[v] * a[v]; break;
    case NH_OP_SQRT: EACH w[v] = sqrt_lanes(a[v]); break;
    case NH_OP_POWER: EACH w[v] = pow_lanes(a[v], b[v]); break;
    case NH_OP_EXP: EACH w[v] = exp_lanes(a[v]); break;
    case NH_OP_LOG: EACH w[v] = log_lanes(a[v]); break;
    case NH_OP_SINCOS: EACH w[v] = sin_lanes(a[v]), w2[v] = cos_lanes(a[v]); break;
    case NH_OP_SINHCOSH: EACH w[v] = sinh_lanes(a[v]), w2[v] = cosh_lanes(a[v]); break;
    case NH_OP_TANH: EACH w[v] = tanh_lanes(a[v]), w2[v] = inverse_square_of_cosh_lanes(a[v]); break;
    case NH_OP_ARC: arc((nh_function)step->function, w, a, count); break;
    case NH_OP_ATAN2: EACH w[v] = atan2_lanes(a[v], b[v]); break;
    case NH_OP_ABS: EACH w[v] = fabs_lanes(a[v]); break;
    case NH_OP_SIGN: EACH w[v] = sign_lanes(a[v]); break;
    case NH_OP_MIN: EACH w[v] = choose(a[v] < b[v], a[v], b[v]); break;
    case NH_OP_MAX: EACH w[v] = choose(a[v] < b[v], b[v], a[v]); break;
    case NH_OP_SOLVE: solve(c, step, count); break;
    }
}

static void run(nh_crowd *c, const nh_step *steps, size_t n, size_t count)
{
    for (size_t i = 0; i < n; i++)
        value(c, &steps[i], count);
}

void NH_FOR(nh_crowd_values)(nh_crowd *c, size_t members)
{
    run(c, c->tape->runs, c->tape->n_steps, (members + NH_LANES - 1) / NH_LANES);
}

void NH_FOR(nh_crowd_constants)(nh_crowd *c, const double *constants)
{
    const nh_tape *t = c->tape;
    double *r = c->r + t->n_inputs * NH_CROWD;
    for (size_t i = 0; i < t->n_constant_inputs * NH_CROWD; i++)
        r[i] = constants[i];
    for (size_t i = 0; i < t->n_numbers; i++) {
        lanes number = in_all_lanes(nh_number_double(t->numbers[i].value, t->numbers[i].pi)),
              *w = row(c, t->numbers[i].out);
        for (size_t v = 0; v < VECTORS; v++)
            w[v] = number;
    }
    run(c, t->before, t->n_before, VECTORS);
}
