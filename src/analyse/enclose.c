/* Krawczyk's test. For the box X of radii r around x, and any matrix Y,
 *
 *     K = x - Y F(x) + (1 - Y F'(X)) (X - x):
 *
 * where K lies in the interior of X, F has exactly one zero in X, and that is in K. Y is an approximate inverse of F'(x); F(x) and
 * F'(X) are enclosed with the roundings and with those of the parameters.
 *
 * The equations are made square: what is 0, or a part of pi, is put in exactly, and the equations that hold then whatever the rest may be are left out; of
 * the unknowns as many are held as there are too many. */
#include "analyse/enclose.h"
#include "algebra/algebra.h"
#include "analyse/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct proof {
    nh_flow *flow;
    const nh_equilibrium *e;
    nh_expr *F;
    size_t n;         /* of equations, and of unknowns in the end */
    size_t *unknowns; /* variables */
    size_t n_unknowns;
    nh_expr *derivatives;   /* n x n_unknowns */
    double *values, *radii; /* by symbol; those of the parameters */
} proof;

static uint32_t index_of(const proof *p, size_t variable)
{
    uint32_t index = 0;
    nh_is_symbol(&p->flow->eq->pool, p->flow->symbols[variable], &index);
    return index;
}

/* ---------------------------------------------------------------- the equations */

/* With what is known exactly put in, without those that are 0 then. */
static void reduce(proof *p, const nh_expr *roots, size_t count, const nh_expr *known)
{
    nh_flow *f = p->flow;
    nh_pool *pool = &f->eq->pool;
    nh_expr *symbols = nh_arena_array(f->arena, f->size + 1, sizeof *symbols),
            *values = nh_arena_array(f->arena, f->size + 1, sizeof *values);
    size_t n = 0;
    for (size_t k = 0; k < f->size; k++)
        if (known[k])
            symbols[n] = f->symbols[k], values[n++] = known[k];
    p->F = nh_arena_array(f->arena, count + 1, sizeof *p->F);
    nh_flow_put_given(f, roots, count, p->F);
    nh_substitute(pool, &f->eq->context->arena, p->F, count, symbols, values, n, p->F);
    nh_algebra algebra;
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.05}, nh_flow_signs(f));
    nh_simplify(&algebra, p->F, count, p->F);
    for (size_t i = 0; i < count; i++) {
        nh_expr root = p->F[i];
        if (!root || nh_is_zero(&algebra, root) != NH_YES)
            p->F[p->n++] = root;
    }
    nh_algebra_free(&algebra);
}

/* What is left depends on nothing that may have any value, nor on the time. */
static bool is_closed(const proof *p, const bool *moves)
{
    const nh_equations *eq = p->flow->eq;
    bool *depends = nh_arena_array(p->flow->arena, eq->pool.n_symbols + 1, sizeof *depends);
    uint32_t time = 0;
    for (size_t i = 0; i < p->n; i++)
        if (!p->F[i])
            return false;
    nh_find_symbols(&eq->pool, &eq->context->arena, p->F, p->n, depends);
    nh_is_symbol(&eq->pool, eq->model->time, &time);
    for (size_t k = 0; k < p->flow->size; k++)
        if ((!moves[k] || p->e->free[k]) && depends[index_of(p, k)])
            return false;
    return !depends[time];
}

/* The parameters' values, with what rounding made of them, and the state, which is exact. */
static void put_values(proof *p)
{
    nh_flow *f = p->flow;
    nh_equations *eq = f->eq;
    size_t n = eq->model->n_parameters;
    double *given = nh_doubles(f->arena, n), *errors = nh_doubles(f->arena, n);
    const nh_expr *exact = nh_flow_parameters(f);
    p->values = nh_flow_symbols(f, p->e->inputs);
    p->radii = nh_doubles(f->arena, eq->pool.n_symbols);
    nh_evaluate(&eq->pool, &eq->context->arena, exact, n, p->values, given, errors);
    for (size_t i = 0; i < n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, eq->model->parameters[i].symbol, &index);
        p->radii[index] = fabs(given[i] - p->values[index]) + errors[i];
    }
}

static void find_derivatives(proof *p)
{
    nh_flow *f = p->flow;
    nh_equations *eq = f->eq;
    nh_expr *column = nh_arena_array(f->arena, p->n + 1, sizeof *column);
    p->derivatives = nh_arena_array(f->arena, p->n * p->n_unknowns + 1, sizeof *p->derivatives);
    for (size_t k = 0; k < p->n_unknowns; k++) {
        nh_directional(&eq->pool, &eq->context->arena, p->F, p->n, &f->symbols[p->unknowns[k]], &eq->pool.one,
                       1, column);
        for (size_t i = 0; i < p->n; i++)
            p->derivatives[i * p->n_unknowns + k] = column[i];
    }
}

/* ---------------------------------------------------------------- as many unknowns as equations */

static const double WEAK = 1e-9;

/* Elimination with the largest pivots: their columns are the unknowns, the others are held. False: the rank is less than n. */
static bool choose_unknowns(proof *p)
{
    size_t n = p->n, columns = p->n_unknowns;
    nh_flow *f = p->flow;
    double *J = nh_doubles(f->arena, n * columns), largest = 0;
    nh_evaluate(&f->eq->pool, &f->eq->context->arena, p->derivatives, n * columns, p->values, J, NULL);
    for (size_t i = 0; i < n; i++) { /* rows of one size */
        double size = 0;
        for (size_t k = 0; k < columns; k++)
            size = fmax(size, fabs(J[i * columns + k] *= f->scale[p->unknowns[k]]));
        for (size_t k = 0; k < columns && size > 0; k++)
            J[i * columns + k] /= size;
    }
    for (size_t step = 0; step < n; step++) {
        size_t row = step, column = step;
        for (size_t i = step; i < n; i++)
            for (size_t k = step; k < columns; k++)
                if (fabs(J[i * columns + k]) > fabs(J[row * columns + column]))
                    row = i, column = k;
        double pivot = J[row * columns + column];
        largest = fmax(largest, fabs(pivot));
        if (!(fabs(pivot) > WEAK * largest))
            return false;
        for (size_t k = 0; k < columns; k++) {
            double other = J[step * columns + k];
            J[step * columns + k] = J[row * columns + k], J[row * columns + k] = other;
        }
        for (size_t i = 0; i < n; i++) {
            double other = J[i * columns + step];
            J[i * columns + step] = J[i * columns + column], J[i * columns + column] = other;
            nh_expr derivative = p->derivatives[i * columns + step];
            p->derivatives[i * columns + step] = p->derivatives[i * columns + column];
            p->derivatives[i * columns + column] = derivative;
        }
        size_t unknown = p->unknowns[step];
        p->unknowns[step] = p->unknowns[column], p->unknowns[column] = unknown;
        for (size_t i = step + 1; i < n; i++) {
            double part = J[i * columns + step] / pivot;
            for (size_t k = step; k < columns; k++)
                J[i * columns + k] -= part * J[step * columns + k];
        }
    }
    for (size_t i = 0; i < n; i++) /* the rows become shorter */
        for (size_t k = 0; k < n; k++)
            p->derivatives[i * n + k] = p->derivatives[i * columns + k];
    p->n_unknowns = n;
    return true;
}

/* ---------------------------------------------------------------- the test */

typedef struct square {
    double *F, *F_error, *J, *J_error, *Y, *r, *K, *F_box;
} square;

static bool invert(const proof *p, square *s)
{
    size_t n = p->n;
    double *factors = nh_doubles(p->flow->arena, n * n), *unit = nh_doubles(p->flow->arena, n),
           *column = nh_doubles(p->flow->arena, n);
    size_t *order = nh_arena_array(p->flow->arena, n + 1, sizeof *order);
    nh_evaluate(&p->flow->eq->pool, &p->flow->eq->context->arena, p->derivatives, n * n, p->values, factors,
                NULL);
    if (!nh_factor_dense(factors, order, n, DBL_EPSILON))
        return false;
    for (size_t k = 0; k < n; k++) {
        unit[k] = 1;
        nh_solve_dense(factors, order, n, unit, column);
        unit[k] = 0;
        for (size_t i = 0; i < n; i++)
            s->Y[i * n + k] = column[i];
    }
    return true;
}

/* |K_i - x_i|, with the roundings of this sum: n + 3 of each product. */
static double distance(const proof *p, const square *s, size_t i)
{
    size_t n = p->n;
    double moved = 0, size = 0, error = 0, rounding = (double)(n + 3) * DBL_EPSILON;
    for (size_t k = 0; k < n; k++) {
        double y = s->Y[i * n + k];
        moved += y * s->F[k], size += fabs(y * s->F[k]), error += fabs(y) * s->F_error[k];
    }
    error += fabs(moved) + rounding * size;
    for (size_t j = 0; j < n; j++) {
        double defect = i == j, sum = 1, wide = 0;
        for (size_t k = 0; k < n; k++) {
            double y = s->Y[i * n + k];
            defect -= y * s->J[k * n + j], sum += fabs(y * s->J[k * n + j]),
                wide += fabs(y) * s->J_error[k * n + j];
        }
        error += (fabs(defect) + rounding * sum + wide) * s->r[j];
    }
    return error * (1 + 1e-6); /* for the roundings of the bounds themselves */
}

static bool contracts(const proof *p, square *s, double part)
{
    nh_flow *f = p->flow;
    nh_equations *eq = f->eq;
    double *radii = nh_doubles(f->arena, eq->pool.n_symbols);
    memcpy(radii, p->radii, eq->pool.n_symbols * sizeof *radii);
    for (size_t k = 0; k < p->n; k++) {
        size_t variable = p->unknowns[k];
        s->r[k] = part * fmax(f->scale[variable], fabs(p->e->inputs[1 + variable]));
        radii[index_of(p, variable)] = s->r[k];
    }
    /* the derivative of a sign is 0 on both sides of its jump: only the values themselves tell of that */
    nh_evaluate_within(&eq->pool, &eq->context->arena, p->F, p->n, p->values, radii, s->F_box, s->K);
    bool inside = true;
    for (size_t i = 0; i < p->n; i++)
        inside = inside && isfinite(s->K[i]);
    nh_evaluate_within(&eq->pool, &eq->context->arena, p->derivatives, p->n * p->n, p->values, radii, s->J,
                       s->J_error);
    for (size_t i = 0; i < p->n; i++) {
        s->K[i] = distance(p, s, i);
        inside = inside && s->K[i] < s->r[i];
    }
    return inside;
}

/* The first box in which it works, from the smallest on. */
static bool encloses(const proof *p, double *within)
{
    static const double parts[] = {1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6, 1e-4};
    nh_flow *f = p->flow;
    size_t n = p->n;
    square s = {nh_doubles(f->arena, n),     nh_doubles(f->arena, n),     nh_doubles(f->arena, n * n),
                nh_doubles(f->arena, n * n), nh_doubles(f->arena, n * n), nh_doubles(f->arena, n),
                nh_doubles(f->arena, n),     nh_doubles(f->arena, n)};
    nh_evaluate_within(&f->eq->pool, &f->eq->context->arena, p->F, n, p->values, p->radii, s.F, s.F_error);
    if (!invert(p, &s))
        return false;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (contracts(p, &s, parts[k])) {
            for (size_t i = 0; i < n; i++)
                *within = fmax(*within, s.K[i]);
            return true;
        }
    return false;
}

/* With these variables being known exactly. */
static bool attempt(nh_flow *f, const nh_expr *roots, size_t count, const bool *moves,
                    const nh_equilibrium *e, const nh_expr *known, double *within)
{
    proof p = {.flow = f, .e = e};
    *within = 0;
    p.unknowns = nh_arena_array(f->arena, f->size + 1, sizeof *p.unknowns);
    for (size_t k = 0; k < f->size; k++) {
        if (known[k] && known[k] != f->eq->pool.zero)
            *within = fmax(*within, fabs(nh_flow_number(f, known[k]) - e->inputs[1 + k]) +
                                        4 * DBL_EPSILON * fabs(e->inputs[1 + k]));
        else if (moves[k] && !e->free[k] && !known[k])
            p.unknowns[p.n_unknowns++] = k;
    }
    reduce(&p, roots, count, known);
    if (!is_closed(&p, moves))
        return false;
    if (p.n == 0)
        return true;
    if (p.n > p.n_unknowns)
        return false;
    put_values(&p);
    find_derivatives(&p);
    return choose_unknowns(&p) && encloses(&p, within);
}

bool nh_enclose_zero(nh_flow *f, const nh_expr *roots, size_t count, const bool *moves,
                     const nh_equilibrium *e, double *within)
{
    nh_expr *known = nh_arena_array(f->arena, f->size + 1, sizeof *known);
    bool positions = false;
    for (size_t k = 0; k < f->size; k++) {
        if (!moves[k] || e->free[k])
            continue;
        if (k >= f->n && e->inputs[1 + k] == 0)
            known[k] = f->eq->pool.zero;
        else if (k < f->n)
            positions = (nh_exact_angle(&f->eq->pool, e->inputs[1 + k], &known[k])) || positions;
    }
    if (attempt(f, roots, count, moves, e, known, within))
        return true;
    memset(known, 0, f->n * sizeof *known); /* a position may be so by chance */
    return positions && attempt(f, roots, count, moves, e, known, within);
}
