/* The state at which numbers are asked for: what the model and the command line give, completed and brought onto the
 * constraints.
 *
 * Coordinates left out are 0, or, under constraints on the positions, the nearest ones that satisfy them. Velocities left
 * out are 0 where the constraints allow that; otherwise those of least 1/2 g_ij q'^i q'^j with the given ones held. */
#include "derive/inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A few equations F(x) = 0 for some of the symbols, with their derivatives. */
typedef struct problem {
    nh_equations *eq;
    double *values; /* by symbol */
    size_t count;   /* equations */
    const nh_expr *F;
    nh_expr *unknowns;
    size_t n;
    nh_expr *roots; /* F, then dF/dx by rows */
    nh_evaluator *evaluator;
    double *out, *errors;
    bool strict;        /* derivatives that are 0 but for rounding are 0: no velocity of 1e17 comes of one */
    double least;       /* scale of the equations; 0: that of their derivatives alone */
    const double *pull; /* what the cost has besides: pull . x; NULL: nothing */
} problem;

static double *slot(nh_equations *eq, double *values, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return &values[index];
}

static problem problem_of(nh_equations *eq, double *values, const nh_expr *F, size_t count, nh_expr *unknowns,
                          size_t n)
{
    problem p = {eq,   values, count, F,     unknowns, n,   nh_array(eq, count * (n + 1)),
                 NULL, NULL,   NULL,  false, 0,        NULL};
    memcpy(p.roots, F, count * sizeof *F);
    for (size_t a = 0; a < count; a++)
        nh_gradient(&eq->pool, &eq->context->arena, &F[a], NULL, 1, unknowns, n, p.roots + count + a * n);
    p.out = nh_arena_array(&eq->arena, count * (n + 1) + 1, sizeof *p.out);
    p.errors = nh_arena_array(&eq->arena, count * (n + 1) + 1, sizeof *p.errors);
    p.evaluator = nh_evaluator_new(&eq->pool, &eq->arena, p.roots, count * (n + 1));
    return p;
}

/* The largest |F|, relative to what a change of the unknowns by their own size, or by 1, makes of it. */
static double evaluate(problem *p)
{
    nh_evaluator_at(p->evaluator, &p->eq->context->arena, p->values, p->out, p->strict ? p->errors : NULL);
    double worst = 0;
    for (size_t k = p->count; k < p->count * (p->n + 1) && p->strict; k++)
        p->out[k] = fabs(p->out[k]) <= p->errors[k] && isfinite(p->errors[k]) ? 0 : p->out[k];
    for (size_t a = 0; a < p->count; a++) {
        double size = p->least;
        for (size_t i = 0; i < p->n; i++) {
            double x = fmax(1, fabs(*slot(p->eq, p->values, p->unknowns[i])));
            size = fmax(size, fabs(p->out[p->count + a * p->n + i]) * x);
        }
        double relative = fabs(p->out[a]) / (size > 0 ? size : 1);
        worst = isfinite(relative) ? fmax(worst, relative) : INFINITY;
    }
    return worst;
}

/* b becomes the solution; false: the matrix is singular. */
static bool solve(nh_equations *eq, double *M, double *b, size_t n)
{
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    size_t *order = nh_arena_array(&eq->arena, n + 1, sizeof *order);
    double *right = nh_arena_array(&eq->arena, n + 1, sizeof *right);
    memcpy(right, b, n * sizeof *b);
    bool regular = nh_factor_dense(M, order, n, 1e-11);
    if (regular)
        nh_solve_dense(M, order, n, right, b);
    nh_arena_release(&eq->arena, mark);
    return regular;
}

static bool is_diagonal(const double *W, size_t n)
{
    for (size_t i = 0; W && i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i == j ? !(W[i * n + j] > 0) : W[i * n + j] != 0)
                return false;
    return true;
}

/* With a diagonal W: (J W^-1 J^T) lambda = J (x - y) - F for y = x0 - W^-1 pull, and y + W^-1 J^T lambda into out. */
static bool step_by_multipliers(problem *p, const double *W, const double *x0, double *out)
{
    size_t n = p->n, r = p->count;
    double *S = nh_arena_array(&p->eq->arena, r * r + 1, sizeof *S),
           *b = nh_arena_array(&p->eq->arena, r + 1, sizeof *b);
    for (size_t i = 0; i < n; i++)
        out[i] = x0[i] - (p->pull ? p->pull[i] / (W ? W[i * n + i] : 1) : 0);
    for (size_t a = 0; a < r; a++) {
        const double *J = p->out + r + a * n;
        b[a] = -p->out[a];
        for (size_t i = 0; i < n; i++) {
            if (J[i] == 0)
                continue;
            b[a] += J[i] * (*slot(p->eq, p->values, p->unknowns[i]) - out[i]);
            for (size_t c = 0; c < r; c++)
                S[a * r + c] += J[i] / (W ? W[i * n + i] : 1) * p->out[r + c * n + i];
        }
    }
    if (!solve(p->eq, S, b, r))
        return false;
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            out[i] += p->out[r + a * n + i] * b[a] / (W ? W[i * n + i] : 1);
    return true;
}

/*     [ W   -J^T ] [ x      ]   [ W x0 - pull ]
 *     [ J    0   ] [ lambda ] = [ J x - F     ] */
static bool step_in_one(problem *p, const double *W, const double *x0, double *out)
{
    size_t n = p->n, r = p->count, size = n + r;
    double *M = nh_arena_array(&p->eq->arena, size * size + 1, sizeof *M),
           *b = nh_arena_array(&p->eq->arena, size + 1, sizeof *b);
    for (size_t i = 0; i < n; i++) {
        b[i] = p->pull ? -p->pull[i] : 0;
        for (size_t j = 0; j < n; j++) {
            M[i * size + j] = W[i * n + j];
            b[i] += W[i * n + j] * x0[j];
        }
    }
    for (size_t a = 0; a < r; a++) {
        b[n + a] = -p->out[a];
        for (size_t i = 0; i < n; i++) {
            double J = p->out[r + a * n + i];
            M[(n + a) * size + i] = J, M[i * size + n + a] = -J;
            b[n + a] += J * *slot(p->eq, p->values, p->unknowns[i]);
        }
    }
    bool unique = solve(p->eq, M, b, size);
    memcpy(out, b, n * sizeof *out);
    return unique;
}

/* Squares of numbers beyond these are none any more, or 0. */
static const double SMALL = 1e-100, LARGE = 1e100;

/* 1, or what brings the largest of some numbers, `stride` apart, to 1. */
static double unit_of(const double *numbers, size_t count, size_t stride)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(numbers[i * stride]));
    return largest > 0 && isfinite(largest) && !(largest > SMALL && largest < LARGE) ? 1 / largest : 1;
}

/* Equations with tiny or huge coefficients, in units of their own. */
static void scale_equations(problem *p)
{
    for (size_t a = 0; a < p->count; a++) {
        double unit = unit_of(p->out + p->count + a * p->n, p->n, 1);
        for (size_t i = 0; i < p->n && unit != 1; i++)
            p->out[p->count + a * p->n + i] *= unit;
        p->out[a] *= unit;
    }
}

/* One step of: least 1/2 (x - x0)^T W (x - x0) + pull x with F(x) = 0. W NULL: the identity. False: no unique step. */
static bool constrained_step(problem *p, const double *W, const double *x0, double *change)
{
    nh_arena_mark mark = nh_arena_here(&p->eq->arena);
    double *next = nh_arena_array(&p->eq->arena, p->n + 1, sizeof *next);
    scale_equations(p);
    bool unique = is_diagonal(W, p->n) ? step_by_multipliers(p, W, x0, next) : step_in_one(p, W, x0, next);
    *change = unique ? 0 : *change;
    for (size_t i = 0; i < p->n && unique; i++) {
        double *x = slot(p->eq, p->values, p->unknowns[i]);
        *change = fmax(*change, fabs(next[i] - *x) / (1 + fabs(*x)));
        *x = next[i];
    }
    nh_arena_release(&p->eq->arena, mark);
    return unique;
}

enum { STEPS = 100 };

/* 1/2 (x - x0)^T W (x - x0) + pull x */
static double cost(problem *p, const double *W, const double *x0)
{
    double sum = 0;
    for (size_t i = 0; p->pull && i < p->n; i++)
        sum += p->pull[i] * *slot(p->eq, p->values, p->unknowns[i]);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            double a = *slot(p->eq, p->values, p->unknowns[i]) - x0[i],
                   b = *slot(p->eq, p->values, p->unknowns[j]) - x0[j];
            sum += 0.5 * (W ? W[i * p->n + j] : i == j) * a * b;
        }
    return sum;
}

static void set_unknowns(problem *p, const double *x)
{
    for (size_t i = 0; i < p->n; i++)
        *slot(p->eq, p->values, p->unknowns[i]) = x[i];
}

static double *now_at(problem *p)
{
    double *x = nh_arena_array(&p->eq->arena, p->n + 1, sizeof *x);
    for (size_t i = 0; i < p->n; i++)
        x[i] = *slot(p->eq, p->values, p->unknowns[i]);
    return x;
}

/* Newton's method with the smallest steps: some solution near by. False: none, and the unknowns are as they were. */
static bool onto(problem *p)
{
    double *before = now_at(p), change = INFINITY;
    const double *pull = p->pull;
    p->pull = NULL;
    for (int step = 0; step < STEPS && isfinite(evaluate(p)) && evaluate(p) >= 1e-14; step++)
        if (!constrained_step(p, NULL, now_at(p), &change))
            break;
    p->pull = pull;
    if (evaluate(p) < 1e-12)
        return true;
    set_unknowns(p, before);
    return false;
}

/* The step of constrained_step from a state that satisfies the equations, as far as it makes the cost less. False: it does not. */
static bool slide(problem *p, const double *W, const double *x0, double *change)
{
    double *from = now_at(p), now = cost(p, W, x0);
    evaluate(p);
    if (!constrained_step(p, W, x0, change))
        return false;
    double *to = now_at(p);
    for (double part = 1; part > 1e-6; part /= 2) {
        for (size_t i = 0; i < p->n; i++)
            *slot(p->eq, p->values, p->unknowns[i]) = from[i] + part * (to[i] - from[i]);
        if (onto(p) && cost(p, W, x0) < now)
            return true;
    }
    set_unknowns(p, from);
    return false;
}

enum { SLIDES = 2000 };

/* Where the equations bend more than they are near, steps to the solution of the linear ones lead nowhere: along them, then. */
static bool nearest_along(problem *p, const double *W, const double *x0)
{
    double change = INFINITY;
    set_unknowns(p, x0);
    bool there = onto(p);
    for (int step = 0; there && step < SLIDES && change > 1e-12; step++)
        if (!slide(p, W, x0, &change))
            return change < 1e-6 && evaluate(p) < 1e-12; /* at the least, within rounding */
    return there && change <= 1e-12;
}

/* Solves F = 0, nearest to x0 in the metric W. False: there is no unique solution near by. */
static bool nearest(problem *p, const double *W, const double *x0)
{
    double *before = now_at(p), change = INFINITY, last = INFINITY;
    for (int step = 0; step < STEPS && change >= 1e-14; step++) {
        if (!isfinite(evaluate(p)) || !constrained_step(p, W, x0, &change))
            break;
        if (change < 1e-9 && change > 0.5 * last) /* only rounding is left */
            break;
        last = change;
    }
    if (change < 1e-9 && evaluate(p) < 1e-12)
        return true;
    set_unknowns(p, before);
    return nearest_along(p, W, x0);
}

enum { STARTS = 60 };

/* The same from many starts, where one did not do: the least of the solutions found, if it is the only one. */
static bool nearest_of_many(problem *p, const double *W, const double *x0)
{
    double *x = nh_arena_array(&p->eq->arena, p->n + 1, sizeof *x),
           *best = nh_arena_array(&p->eq->arena, p->n + 1, sizeof *best);
    double least = INFINITY;
    bool unique = true;
    for (uint64_t start = 0; start < STARTS; start++) {
        double size = 0.3 * exp2((double)(start % 6)), apart = 0;
        for (size_t i = 0; i < p->n; i++)
            x[i] = x0[i] + size * (2 * (double)(nh_hash(start * 1000 + i) >> 11) * 0x1p-53 - 1);
        set_unknowns(p, x);
        if (!nearest(p, W, x0))
            continue;
        double found = cost(p, W, x0);
        for (size_t i = 0; i < p->n; i++)
            apart = fmax(apart, fabs(*slot(p->eq, p->values, p->unknowns[i]) - best[i]));
        bool same = isfinite(least) && fabs(found - least) <= 1e-9 * (1 + least);
        unique = same ? unique && apart < 1e-6 * (1 + size) : found < least ? true : unique;
        for (size_t i = 0; i < p->n && found < least && !same; i++)
            best[i] = *slot(p->eq, p->values, p->unknowns[i]);
        least = same ? least : fmin(least, found);
    }
    set_unknowns(p, best);
    return isfinite(least) && unique;
}

static bool project_onto(nh_equations *eq, double *values, const nh_expr *F, size_t count, bool rates)
{
    nh_expr *unknowns = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        unknowns[i] = rates ? eq->model->coordinates[i].rate : eq->model->coordinates[i].q;
    problem p = problem_of(eq, values, F, count, unknowns, eq->n);
    return count == 0 || onto(&p);
}

bool nh_project_velocities(nh_equations *eq, double *values, const nh_expr *C, size_t count)
{
    return project_onto(eq, values, C, count, true);
}

bool nh_project_positions(nh_equations *eq, double *values)
{
    nh_expr *F = nh_array(eq, eq->model->r);
    size_t count = 0;
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            F[count++] = eq->model->constraints[a].position;
    return project_onto(eq, values, F, count, false);
}

/* ---------------------------------------------------------------- what is given */

static nh_role role_of(const nh_equations *eq, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return index < eq->model->n_roles ? eq->model->roles[index].role : NH_ROLE_VELOCITY; /* u1, u2, ... */
}

static bool gives(const nh_equations *eq, const nh_given *given, nh_role role)
{
    bool any = false;
    for (size_t i = 0; i < given->count; i++)
        any = any || role_of(eq, given->symbols[i]) == role;
    return any;
}

/* Giving z instead replaces all q' of the model, and the reverse. */
static bool is_replaced(const nh_equations *eq, nh_expr symbol, const nh_given *instead)
{
    nh_role role = role_of(eq, symbol);
    return (role == NH_ROLE_RATE && gives(eq, instead, NH_ROLE_VELOCITY)) ||
           (role == NH_ROLE_VELOCITY && gives(eq, instead, NH_ROLE_RATE));
}

static bool *given_symbols(nh_equations *eq, nh_given instead)
{
    bool *given = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *given);
    uint32_t index = 0;
    for (size_t i = 0; i < eq->model->n_initial; i++) {
        nh_is_symbol(&eq->pool, eq->model->initial[i].symbol, &index);
        given[index] = !is_replaced(eq, eq->model->initial[i].symbol, &instead);
    }
    for (size_t i = 0; i < instead.count; i++) {
        nh_is_symbol(&eq->pool, instead.symbols[i], &index);
        given[index] = true;
    }
    return given;
}

static bool is_given(nh_equations *eq, const bool *given, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return given[index];
}

static bool wrong(nh_equations *eq, const char *hint, const char *message)
{
    nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, hint, "%s", message);
    return false;
}

/* Parameters that the equations contain must have values. */
static bool parameters_have_values(nh_equations *eq, const double *values)
{
    const nh_model *model = eq->model;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->first.acceleration, eq->n, depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->first.R, eq->n, depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->p, eq->n, depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, eq->L, eq->n, depends);
    if (eq->second.C)
        nh_find_symbols(&eq->pool, &eq->context->arena, eq->second.C, eq->r, depends);
    if (eq->first.psi)
        nh_find_symbols(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, depends);
    nh_text names;
    nh_text_init(&names, &eq->arena);
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, model->parameters[i].symbol, &index);
        if (depends[index] && !isfinite(values[index]))
            nh_text_format(&names, "%s%s", names.length ? ", " : "", model->parameters[i].name);
    }
    if (!names.length)
        return true;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message, "numbers are needed for the parameters %s", nh_text_get(&names));
    return wrong(eq, "give them in 'parameters' or with --set", nh_text_get(&message));
}

/* Parameters, time, and what initial gives, or what is given instead; everything else is 0. */
static double *given_values(nh_equations *eq, nh_given instead)
{
    const nh_model *model = eq->model;
    nh_arena *scratch = &eq->context->arena;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    double *parameters = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *parameters);
    nh_model_parameter_values_with(model, scratch, instead.symbols, instead.values, instead.count,
                                   parameters);
    for (size_t i = 0; i < model->n_roles; i++)
        values[i] = model->roles[i].role == NH_ROLE_PARAMETER ? parameters[i] : 0;
    nh_evaluate(&eq->pool, scratch, &model->start_time, 1, parameters, slot(eq, values, model->time), NULL);
    for (size_t i = 0; i < model->n_initial; i++)
        if (!is_replaced(eq, model->initial[i].symbol, &instead))
            nh_evaluate(&eq->pool, scratch, &model->initial[i].value, 1, parameters,
                        slot(eq, values, model->initial[i].symbol), NULL);
    for (size_t i = 0; i < instead.count; i++)
        *slot(eq, values, instead.symbols[i]) = instead.values[i];
    return values;
}

/* ---------------------------------------------------------------- positions */

/* The unknowns among the coordinates or rates that are not given. */
static size_t free_ones(nh_equations *eq, const bool *given, bool rates, nh_expr *out)
{
    size_t count = 0;
    for (size_t i = 0; i < eq->n; i++) {
        nh_expr symbol = rates ? eq->model->coordinates[i].rate : eq->model->coordinates[i].q;
        if (!is_given(eq, given, symbol))
            out[count++] = symbol;
    }
    return count;
}

static void all_of(nh_equations *eq, bool rates, nh_expr *out)
{
    for (size_t i = 0; i < eq->n; i++)
        out[i] = rates ? eq->model->coordinates[i].rate : eq->model->coordinates[i].q;
}

static bool violation(nh_equations *eq, double size, const char *what, bool project)
{
    char digits[32];
    nh_double_print(digits, size);
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message, "the initial %s violate the constraints by %s", what, digits);
    return wrong(eq,
                 project ? "change them: no unique nearest ones satisfy the constraints"
                         : "change them, or let them be moved with --project",
                 nh_text_get(&message));
}

/* g_ij v^j for the free i, over the given j: the part of the kinetic energy that is linear in the free velocities. */
static double *coupling(nh_equations *eq, const bool *given, const nh_expr *all, const double *metric,
                        const double *v, size_t n)
{
    double *out = nh_arena_array(&eq->arena, n + 1, sizeof *out);
    memset(out, 0, (n + 1) * sizeof *out);
    for (size_t i = 0, k = 0; i < eq->n; i++) {
        if (is_given(eq, given, all[i]))
            continue;
        for (size_t j = 0; j < eq->n; j++)
            if (is_given(eq, given, all[j]))
                out[k] += metric[i * eq->n + j] * v[j];
        k++;
    }
    return out;
}

/* The equations that the unknowns have an effect on; of the others those that are satisfied need nothing. */
static size_t equations_left(nh_equations *eq, double *values, const nh_expr *F, size_t count,
                             nh_expr *unknowns, size_t n, nh_expr *left)
{
    size_t kept = 0;
    for (size_t a = 0; a < count; a++) {
        bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
        memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
        nh_find_symbols(&eq->pool, &eq->context->arena, &F[a], 1, depends);
        for (size_t i = 0; i < n; i++)
            any = any || is_given(eq, depends, unknowns[i]);
        problem one = problem_of(eq, values, &F[a], 1, unknowns, n);
        one.least = 1;
        if (any || !(evaluate(&one) < 1e-12))
            left[kept++] = F[a];
    }
    return kept;
}

/* The largest derivative of each equation, as things are. */
static double *slopes(problem *p)
{
    double *out = nh_arena_array(&p->eq->arena, p->count + 1, sizeof *out);
    evaluate(p);
    for (size_t a = 0; a < p->count; a++)
        for (size_t i = 0; i < p->n; i++)
            out[a] = fmax(out[a], fabs(p->out[p->count + a * p->n + i]));
    return out;
}

/* Whether an equation has lost its slope: x^2 = y^2 from (1, 0) to the tip, where both of the nearest points were as near. */
static bool is_flat(problem *p, const double *before)
{
    const double *now = slopes(p);
    for (size_t a = 0; a < p->count; a++)
        if (now[a] < 1e-6 * before[a])
            return true;
    return false;
}

/* Of so many times its rounding error a number has no digit that can be relied on: 1 - cos(w) at the triple root of w = sin(w), which
 * is known to four digits of w less than others. */
static const double NO_DIGITS = 1e4;

/* The first equation whose derivatives all vanish as far as anybody can tell, the state being known to twelve digits; count: none. It
 * cannot be solved for anything there. */
static size_t vanishing(problem *p)
{
    nh_equations *eq = p->eq;
    size_t n = p->n;
    double *radii = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *radii),
           *errors = nh_arena_array(&eq->arena, p->count * n + 1, sizeof *errors),
           *slope = nh_arena_array(&eq->arena, p->count * n + 1, sizeof *slope);
    for (size_t i = 0; i < eq->n; i++) {
        const nh_expr own[] = {eq->model->coordinates[i].q, eq->model->coordinates[i].rate};
        for (size_t k = 0; k < 2; k++)
            *slot(eq, radii, own[k]) = 1e-12 * fmax(1, fabs(*slot(eq, p->values, own[k])));
    }
    nh_evaluate_within(&eq->pool, &eq->context->arena, p->roots + p->count, p->count * n, p->values, radii,
                       slope, errors);
    nh_evaluator_at(p->evaluator, &eq->context->arena, p->values, p->out, p->errors);
    for (size_t a = 0; a < p->count; a++) {
        bool flat = true;
        for (size_t i = 0; i < n; i++) {
            double error = fmax(errors[a * n + i], NO_DIGITS * p->errors[p->count + a * n + i]);
            flat = flat && fabs(slope[a * n + i]) <= error && isfinite(error);
        }
        if (flat)
            return a;
    }
    return p->count;
}

/* Says so where an equation is such a one; otherwise false, and nothing is said. */
static bool is_singular(problem *whole, bool rates)
{
    nh_equations *eq = whole->eq;
    size_t a = vanishing(whole);
    if (a == whole->count)
        return false;
    const nh_constraint *c = rates && eq->model->r ? &eq->model->constraints[a] : NULL;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message,
                   "the initial state is singular: the derivatives of %s%s by the %s all vanish there",
                   c ? "the constraint " : "a constraint", c ? *c->name ? c->name : c->text : "",
                   rates ? "velocities" : "coordinates");
    wrong(eq, "give another state in 'initial' or with --start", nh_text_get(&message));
    return true;
}

/* Why there is no state on F = 0. */
static bool not_there(problem *whole, double size, bool rates, bool enough, bool project)
{
    const char *what = rates ? "velocities" : "coordinates";
    if (is_singular(whole, rates))
        return false;
    if (!enough)
        return violation(whole->eq, size, what, project);
    nh_text message;
    nh_text_init(&message, &whole->eq->arena);
    nh_text_format(&message, "no unique initial %s satisfy the constraints with the given ones held", what);
    return wrong(whole->eq,
                 rates ? "give more of them in 'initial'" : "give more of them in 'initial', or all",
                 nh_text_get(&message));
}

/* Where an equation is no number with what is given, an input 0/0 say, nothing can be found for it. */
static bool have_values(problem *whole, bool rates)
{
    nh_equations *eq = whole->eq;
    size_t a = 0;
    while (a < whole->count && isfinite(whole->out[a]))
        a++;
    if (a == whole->count)
        return true;
    const nh_constraint *c = rates && eq->model->r ? &eq->model->constraints[a] : NULL;
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_format(&message, "%s%s%s has no finite value at the initial state",
                   c && c->position ? "the derivative of " : "", c ? "the constraint " : "a constraint",
                   c ? *c->name ? c->name : c->text : "");
    return wrong(eq, "give another state in 'initial', or another time with --start t=...",
                 nh_text_get(&message));
}

/* How far the values are off F = 0, relative to the largest derivative of each F and the largest of the unknowns that it depends on: in
 * whatever units. What is rounding is nothing. */
static double relative_violation(problem *p)
{
    double *errors = nh_arena_array(&p->eq->arena, p->count * (p->n + 1) + 1, sizeof *errors), worst = 0;
    nh_evaluator_at(p->evaluator, &p->eq->context->arena, p->values, p->out, errors);
    for (size_t a = 0; a < p->count; a++) {
        double slope = 0, size = 0;
        for (size_t i = 0; i < p->n; i++) {
            double d = fabs(p->out[p->count + a * p->n + i]);
            slope = fmax(slope, d);
            size = d > 0 ? fmax(size, fabs(*slot(p->eq, p->values, p->unknowns[i]))) : size;
        }
        double all = fabs(p->out[a]), least = size > 0 ? 0 : 1e-15 * slope; /* beside velocities that are 0 */
        double off = all <= errors[a] || all < least ? 0 : all / (slope * size);
        worst = isnan(off) ? INFINITY : fmax(worst, off);
    }
    return worst;
}

/* Onto F = 0: as it is, or by a small correction of all, or by completing what is not given. */
static bool bring_onto(nh_equations *eq, double *values, const nh_expr *F, size_t count, bool rates,
                       const bool *given, bool project, const double *metric)
{
    nh_expr *unknowns = nh_array(eq, eq->n), *all = nh_array(eq, eq->n);
    size_t n = free_ones(eq, given, rates, unknowns);
    all_of(eq, rates, all);
    problem whole = problem_of(eq, values, F, count, all, eq->n);
    double off = relative_violation(&whole), size = evaluate(&whole);
    if (off < 1e-15)
        return true;
    if (off < 1e-6)
        return nearest(&whole, metric, now_at(&whole)) || not_there(&whole, size, rates, false, project);
    nh_expr *left = nh_array(eq, count);
    size_t n_left = equations_left(eq, values, F, count, unknowns, n, left);
    problem rest = problem_of(eq, values, left, n_left, unknowns, n);
    rest.strict = rates;
    double *W = nh_arena_array(&eq->arena, n * n + 1, sizeof *W);
    for (size_t i = 0, k = 0; metric && i < eq->n; i++) {
        if (is_given(eq, given, all[i]))
            continue;
        for (size_t j = 0, l = 0; j < eq->n; j++)
            if (!is_given(eq, given, all[j]))
                W[k * n + l++] = metric[i * eq->n + j];
        k++;
    }
    double *x0 = now_at(&rest), *before = now_at(&whole), *steep = slopes(&whole);
    rest.pull = metric ? coupling(eq, given, all, metric, before, n) : NULL;
    const bool enough = n > 0 && n >= n_left;
    if (enough && nearest(&rest, metric ? W : NULL, x0))
        return true;
    if (enough && nearest_of_many(&rest, metric ? W : NULL, x0))
        return true;
    set_unknowns(&whole, before);
    if (project && nearest(&whole, metric, before) && !is_flat(&whole, steep))
        return true;
    set_unknowns(&whole, before);
    if (project && nearest_of_many(&whole, metric, before))
        return true;
    set_unknowns(&whole, before);
    evaluate(&whole);
    return have_values(&whole, rates) && not_there(&whole, size, rates, enough, project);
}

static bool place(nh_equations *eq, double *values, const bool *given, bool project)
{
    const nh_model *model = eq->model;
    nh_expr *F = nh_array(eq, model->r);
    size_t count = 0;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            F[count++] = model->constraints[a].position;
    return count == 0 || bring_onto(eq, values, F, count, false, given, project, NULL);
}

/* ---------------------------------------------------------------- velocities */

static bool any_given(nh_equations *eq, const bool *given, nh_role role)
{
    bool any = false;
    for (size_t i = 0; i < eq->model->n_roles; i++)
        any = any || (given[i] && eq->model->roles[i].role == role);
    return any;
}

static bool rates_from_psi(nh_equations *eq, double *values)
{
    double *psi = nh_arena_array(&eq->arena, eq->n + 1, sizeof *psi);
    bool finite = true;
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++) {
        *slot(eq, values, eq->model->coordinates[i].rate) = psi[i];
        finite = finite && isfinite(psi[i]);
    }
    return finite || wrong(eq, "give another state in 'initial', or another time with --start t=...",
                           "psi has no finite value at the initial state");
}

static double *metric_at(nh_equations *eq, const double *values)
{
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    double *out = nh_arena_array(&eq->arena, eq->n * eq->n + 1, sizeof *out);
    nh_metric(eq, g);
    nh_evaluate(&eq->pool, &eq->context->arena, g, eq->n * eq->n, values, out, NULL);
    return out;
}

size_t nh_velocity_that_is(const nh_equations *eq, size_t alpha)
{
    if (eq->z[alpha].rate_of >= 0)
        return (size_t)eq->z[alpha].rate_of;
    size_t i = eq->first.psi ? 0 : eq->n;
    while (i < eq->n && eq->first.psi[i] != eq->z[alpha].symbol)
        i++;
    return i;
}

/* Where a search for z starts: at the velocities that they are, otherwise at random. */
static void guess_z(nh_equations *eq, double *values, int start)
{
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        size_t i = nh_velocity_that_is(eq, alpha);
        double chance =
            start == 0 ? 0 : 4 * ((double)(nh_hash((uint64_t)start * 97 + alpha) >> 11) * 0x1p-53 - 0.5);
        *slot(eq, values, eq->z[alpha].symbol) =
            i < eq->n ? *slot(eq, values, eq->model->coordinates[i].rate) : chance;
    }
}

/* One step of Gauss and Newton's method: J^T J dz = -J^T F, into b. False: it is singular. Each z in a unit of its own. */
static bool least_squares_step(problem *p, double *M, double *b)
{
    size_t n = p->count, m = p->n;
    double *unit = nh_arena_array(&p->eq->context->arena, m + 1, sizeof *unit);
    for (size_t a = 0; a < m; a++) {
        unit[a] = unit_of(p->out + n + a, n, m);
        for (size_t i = 0; i < n && unit[a] != 1; i++)
            p->out[n + i * m + a] *= unit[a];
    }
    memset(M, 0, m * m * sizeof *M);
    memset(b, 0, m * sizeof *b);
    for (size_t i = 0; i < n; i++) {
        const double *J = p->out + n + i * m;
        for (size_t a = 0; a < m; a++) {
            if (J[a] == 0)
                continue;
            b[a] -= J[a] * p->out[i];
            for (size_t c = 0; c < m; c++)
                M[a * m + c] += J[a] * J[c];
        }
    }
    bool regular = solve(p->eq, M, b, m);
    for (size_t a = 0; a < m; a++)
        b[a] *= unit[a];
    return regular;
}

/* F = 0 from where the unknowns are. A step to where F has no value, beyond the end of a root, is halved. */
static bool least_squares(problem *p, double *M, double *b)
{
    double before = INFINITY, moved = INFINITY;
    bool stepped = false;
    for (int step = 0; step < STEPS; step++) {
        double size = evaluate(p);
        if ((size < 1e-13 && !(size < 0.1 * before)) ||
            (size < 1e-10 && moved < 1e-13)) /* as near as rounding lets it come */
            return true;
        if (!isfinite(size) && stepped) {
            for (size_t a = 0; a < p->n; a++)
                b[a] /= 2, *slot(p->eq, p->values, p->unknowns[a]) -= b[a];
            continue;
        }
        if (!isfinite(size) || !least_squares_step(p, M, b))
            return false;
        before = size, moved = 0, stepped = true;
        for (size_t a = 0; a < p->n; a++) {
            double *x = slot(p->eq, p->values, p->unknowns[a]);
            *x += b[a];
            moved = fmax(moved, fabs(b[a]) / (1 + fabs(*x)));
        }
    }
    return false;
}

enum { STARTS_FOR_Z = 40 };

/* Where all z are velocities themselves, nothing is to be solved: whether the others are what psi says. */
static bool z_are_rates(nh_equations *eq, double *values)
{
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (nh_velocity_that_is(eq, alpha) == eq->n)
            return false;
    guess_z(eq, values, 0);
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    double *psi = nh_arena_array(&eq->arena, eq->n + 1, sizeof *psi), worst = 0, size = 0;
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++) {
        double rate = *slot(eq, values, eq->model->coordinates[i].rate), error = fabs(psi[i] - rate);
        worst = !(error <= worst) ? error : worst, size = fmax(size, fabs(rate));
    }
    nh_arena_release(&eq->arena, mark);
    return worst <= 1e-10 * size;
}

/* z from q' = psi(q,z), from several starts. */
static bool z_from_rates(nh_equations *eq, double *values)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, m = eq->m;
    if (z_are_rates(eq, values))
        return true;
    nh_expr *F = nh_array(eq, n), *z = nh_array(eq, m);
    for (size_t i = 0; i < n; i++)
        F[i] = nh_sub(pool, eq->first.psi[i], eq->model->coordinates[i].rate);
    for (size_t alpha = 0; alpha < m; alpha++)
        z[alpha] = eq->z[alpha].symbol;
    problem p = problem_of(eq, values, F, n, z, m);
    p.least = 1;
    double *M = nh_arena_array(&eq->arena, m * m + 1, sizeof *M),
           *b = nh_arena_array(&eq->arena, m + 1, sizeof *b);
    for (int start = 0; start < STARTS_FOR_Z; start++) {
        guess_z(eq, values, start);
        if (least_squares(&p, M, b))
            return true;
    }
    if (eq->second.C) {
        nh_expr *rates = nh_array(eq, n);
        all_of(eq, true, rates);
        problem whole = problem_of(eq, values, eq->second.C, eq->r, rates, n);
        if (is_singular(&whole, true))
            return false;
    }
    for (size_t alpha = 0; alpha < m; alpha++)
        *slot(eq, values, z[alpha]) = NAN;
    const char *dependence = nh_dependence(eq);
    if (dependence)
        return wrong(eq, "give another state in 'initial', or leave one of them out", dependence);
    return eq->without_z ||
           wrong(eq,
                 "another branch of a constraint than that of 'initial' has none; --method second needs none",
                 "no quasi-velocities were found for the initial velocities");
}

/* q' on C with the velocities given, or of least kinetic energy. */
static bool move(nh_equations *eq, double *values, const bool *given, bool project)
{
    if ((eq->first.psi && any_given(eq, given, NH_ROLE_VELOCITY)) ||
        (eq->model->psi && !any_given(eq, given, NH_ROLE_RATE))) { /* z that are left out are 0 */
        return rates_from_psi(eq, values);
    }
    if (eq->second.C && eq->r > 0 &&
        !bring_onto(eq, values, eq->second.C, eq->r, true, given, project, metric_at(eq, values)))
        return false;
    if (!eq->first.psi)
        return true;
    if (eq->r == 0 || eq->z[0].rate_of >= 0)
        return true; /* the z are velocities themselves */
    return z_from_rates(eq, values);
}

double *nh_start_state(nh_equations *eq, bool project)
{
    double *values = nh_start_state_with(eq, project, (nh_given){.count = 0});
    if (values)
        nh_refuse_indefinite_at(eq, values);
    return values;
}

double *nh_start_state_with(nh_equations *eq, bool project, nh_given instead)
{
    double *values = given_values(eq, instead);
    bool *given = given_symbols(eq, instead);
    if (!parameters_have_values(eq, values) || !place(eq, values, given, project) ||
        !move(eq, values, given, project))
        return NULL;
    return values;
}

bool nh_refuse_singular(nh_equations *eq, double *values)
{
    nh_expr *rates = nh_array(eq, eq->n);
    if (!eq->second.C || eq->r == 0)
        return false;
    all_of(eq, true, rates);
    problem whole = problem_of(eq, values, eq->second.C, eq->r, rates, eq->n);
    return is_singular(&whole, true);
}

/* The equations of the first kind are not there yet: only the constraints and what the model gives. */
double *nh_start_quietly(nh_equations *eq)
{
    nh_diagnostics *diagnostics = &eq->context->diagnostics;
    size_t count = diagnostics->count, errors = diagnostics->errors;
    double *values = given_values(eq, (nh_given){.count = 0});
    bool *given = given_symbols(eq, (nh_given){.count = 0});
    nh_expr *C = nh_array(eq, eq->model->r);
    for (size_t a = 0; a < eq->model->r; a++)
        C[a] = eq->model->constraints[a].C;
    for (size_t i = 0; i < eq->model->n_parameters; i++) { /* those without a value: positive */
        double *value = slot(eq, values, eq->model->parameters[i].symbol);
        *value = isfinite(*value) ? *value : 1;
    }
    bool found = place(eq, values, given, true) &&
                 bring_onto(eq, values, C, eq->model->r, true, given, true, metric_at(eq, values));
    diagnostics->count = count, diagnostics->errors = errors;
    double *kept = nh_arena_array(&eq->arena, eq->pool.n_symbols + 2 * eq->n + 8,
                                  sizeof *kept); /* the z are still to come */
    memcpy(kept, values, eq->pool.n_symbols * sizeof *kept);
    return found ? kept : NULL;
}
