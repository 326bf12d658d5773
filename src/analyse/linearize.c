#include "analyse/linearize.h"
#include "algebra/algebra.h"
#include "analyse/newton.h"
#include "analyse/spectrum.h"
#include "analyse/stability.h"
#include "analyse/underflow.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- which variables take part */

static bool occurs(nh_flow *f, nh_expr e, nh_expr symbol)
{
    nh_equations *eq = f->eq;
    bool *depends = nh_arena_array(f->arena, eq->pool.n_symbols + 1, sizeof *depends);
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, depends);
    return depends[index];
}

enum { STATES = 6 };

/* 0 within the bounds for rounding at states nearby. */
static bool vanishes_nearby(nh_flow *f, nh_expr e)
{
    nh_equations *eq = f->eq;
    double *inputs = nh_doubles(f->arena, f->size + 1);
    size_t seen = 0;
    for (size_t number = 1; number <= STATES; number++) {
        double value = NAN, error = NAN;
        inputs[0] = f->inputs[0] + (double)number / 7;
        for (size_t k = 0; k < f->size; k++)
            inputs[1 + k] =
                f->inputs[1 + k] +
                0.3 * f->scale[k] * ((double)(nh_hash(number * 1000003 + k) >> 12 & 0xffff) / 0x8000 - 1);
        nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, nh_flow_symbols(f, inputs), &value, &error);
        if (!isfinite(value) || !isfinite(error))
            continue;
        if (fabs(value) > error)
            return false;
        seen++;
    }
    return seen > 0;
}

/* Whether e is another on the other side of 0, or further away: x/sqrt(x^2) has the derivative 0. */
static bool changes_far_away(nh_flow *f, nh_expr e, nh_expr symbol)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr places[] = {nh_neg(pool, symbol),
                        nh_add(pool, symbol, nh_div(pool, nh_integer(pool, 7), nh_integer(pool, 3)))},
            there;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        nh_substitute(pool, &f->eq->context->arena, &e, 1, &symbol, &places[i], 1, &there);
        if (there && !vanishes_nearby(f, nh_sub(pool, e, there)))
            return true;
    }
    return false;
}

/* Exactly, by algebra. */
static bool is_proved_zero(nh_flow *f, nh_expr e, const signed char *signs)
{
    nh_algebra algebra;
    nh_algebra_init(&algebra, &f->eq->pool, &(nh_budget){.max_terms = 2000, .max_seconds = 0.2}, signs);
    bool zero = nh_is_zero(&algebra, e) == NH_YES;
    nh_algebra_free(&algebra);
    return zero;
}

/* By residues, which are all but certain, and where they do not tell, by numbers; exp(-1e10*(x - 3)^2) is 0 at nearly all of these: what may
 * underflow needs a proof. */
static bool is_zero(nh_flow *f, nh_expr e, const signed char *signs)
{
    nh_equations *eq = f->eq;
    if (e == eq->pool.zero)
        return true;
    nh_answer zero = nh_zero_test(eq->modular, &eq->context->arena, e, signs);
    if (zero == NH_NO || *nh_may_underflow(f, &e, 1))
        return zero != NH_NO && is_proved_zero(f, e, signs);
    return zero == NH_YES || vanishes_nearby(f, e);
}

/* Functions with corners have derivatives that are 0 although the function changes: then it counts whether the variable is there at all. */
static bool depends(nh_flow *f, nh_expr e, nh_expr derivative, nh_expr symbol, const signed char *signs)
{
    if (f->corners || !occurs(f, e, symbol))
        return occurs(f, e, symbol);
    return !is_zero(f, derivative, signs) || changes_far_away(f, e, symbol);
}

/* Whether the rates, and behind them what is held, depend on the coordinates: looked at when asked for, since most of it is never asked. What
 * cancels for the parameters that are given drops out. */
typedef struct influences {
    nh_flow *flow;
    size_t rows;
    const signed char *signs;
    nh_expr *all;          /* rates and what is held */
    nh_expr **derivatives; /* by coordinate; NULL: not yet */
    signed char *known;    /* rows by coordinate; 0: not yet, 1: depends, -1: does not */
} influences;

static influences influences_of(nh_flow *f)
{
    influences in = {.flow = f, .rows = f->size + f->held->count, .signs = nh_flow_signs(f)};
    in.all = nh_arena_array(f->arena, in.rows + 1, sizeof *in.all);
    in.derivatives = nh_arena_array(f->arena, f->n + 1, sizeof *in.derivatives);
    in.known = nh_arena_array(f->arena, in.rows * f->n + 1, sizeof *in.known);
    nh_flow_put_given(f, f->rates, f->size, in.all);
    nh_flow_put_given(f, f->held_roots, f->held->count, in.all + f->size);
    return in;
}

static bool influences_row(influences *in, size_t i, size_t k)
{
    nh_flow *f = in->flow;
    nh_pool *pool = &f->eq->pool;
    signed char *known = &in->known[k * in->rows + i];
    if (!in->derivatives[k]) {
        in->derivatives[k] = nh_arena_array(f->arena, in->rows + 1, sizeof(nh_expr));
        nh_directional(pool, &f->eq->context->arena, in->all, in->rows, &f->symbols[k], &pool->one, 1,
                       in->derivatives[k]);
    }
    if (!*known)
        *known = depends(f, in->all[i], in->derivatives[k][i], f->symbols[k], in->signs) ? 1 : -1;
    return *known > 0;
}

/* A coordinate goes where nothing that stays depends on it. */
static bool can_go(influences *in, const bool *stays, size_t k)
{
    for (size_t i = 0; i < in->rows; i++)
        if ((i >= in->flow->size || stays[i]) && influences_row(in, i, k))
            return false;
    return true;
}

bool *nh_taking_part(nh_flow *f)
{
    if (f->takes_part && nh_flow_has_same(f, f->taken))
        return f->takes_part;
    influences in = influences_of(f);
    bool *stays = nh_arena_array(f->arena, f->size + 1, sizeof *stays), changed = true;
    for (size_t k = 0; k < f->size; k++)
        stays[k] = true;
    while (changed) {
        changed = false;
        for (size_t k = 0; k < f->n; k++)
            if (stays[k] && can_go(&in, stays, k))
                stays[k] = false, changed = true;
    }
    f->taken = f->given;
    return f->takes_part = stays;
}

/* ---------------------------------------------------------------- steady motions */

nh_smooth *nh_steadiness(nh_flow *f, const bool *stays)
{
    if (f->steady && memcmp(f->steady_for, stays, f->size * sizeof *stays) == 0)
        return f->steady;
    nh_expr *roots = nh_arena_array(f->arena, f->size + f->held->count + 1, sizeof *roots);
    size_t count = 0;
    for (size_t k = 0; k < f->size; k++)
        if (stays[k])
            roots[count++] = f->rates[k];
    memcpy(roots + count, f->held_roots, f->held->count * sizeof *roots);
    f->steady_for = nh_arena_array(f->arena, f->size + 1, sizeof *f->steady_for);
    memcpy(f->steady_for, stays, f->size * sizeof *stays);
    return f->steady = nh_smooth_new(f, roots, count + f->held->count);
}

/* psi^i - value = 0 for a q' that is none of the variables. */
static nh_expr off_by(const nh_flow *f, nh_expr rate, double value)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr given = nh_number(pool, nh_rational_from_double(&pool->numbers, value)), on_C;
    nh_flow_on_C(f, &rate, 1, &on_C);
    return nh_sub(pool, on_C, given);
}

static bool is_variable(const nh_flow *f, nh_expr symbol, size_t *k)
{
    for (*k = 0; *k < f->size; ++*k)
        if (f->symbols[*k] == symbol)
            return true;
    return false;
}

bool nh_settle(nh_flow *f, const nh_expr *symbols, const double *values, size_t count)
{
    bool *moves = nh_arena_array(f->arena, f->size + 1, sizeof *moves);
    const bool *stays = nh_taking_part(f);
    nh_smooth *steady = nh_steadiness(f, stays);
    nh_expr *roots = nh_arena_array(f->arena, steady->count + count + 1, sizeof *roots);
    size_t n_roots = 0, k;
    memcpy(moves, stays, f->size * sizeof *moves);
    for (size_t i = 0; i < count; i++) {
        if (is_variable(f, symbols[i], &k))
            moves[k] = false;
        else
            roots[n_roots++] = off_by(f, symbols[i], values[i]);
    }
    if (n_roots) {
        for (k = 0; k < f->size; k++)
            if (stays[k])
                roots[n_roots++] = f->rates[k];
        memcpy(roots + n_roots, f->held_roots, f->held->count * sizeof *roots);
        steady = nh_smooth_new(f, roots, n_roots + f->held->count);
    }
    return nh_newton_nearest(f, steady, moves, f->inputs);
}

/* ---------------------------------------------------------------- the linear equations */

static void choose_variables(nh_linearization *l, const nh_flow *f, const bool *stays)
{
    l->variables = nh_arena_array(f->arena, f->size + 1, sizeof *l->variables);
    for (size_t k = 0; k < f->size; k++)
        if (stays[k])
            l->variables[l->n++] = k;
}

/* The rows and columns of those that take part. */
static double *part_of(const nh_flow *f, const nh_linearization *l, const double *J, size_t rows,
                       bool all_rows)
{
    double *out = nh_doubles(f->arena, rows * l->n);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < l->n; k++)
            out[i * l->n + k] = J[(all_rows ? i : l->variables[i]) * f->size + l->variables[k]];
    return out;
}

/* What changes of all variables by their scales make of the rate of variable i. */
static double change_of(const nh_linearization *l, const nh_flow *f, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < l->n; k++)
        sum += fabs(l->A[i * l->n + k]) * f->scale[l->variables[k]];
    return sum;
}

/* 0 within rounding: of the formulas, and of the state itself. Where rounding is all that there is, nothing is steady; a rate that nothing
 * changes is measured by the others. */
static void find_moving(nh_linearization *l, const nh_flow *f, const double *errors)
{
    double worst = 0, largest = 0;
    l->steady = true;
    for (size_t i = 0; i < l->n; i++)
        largest = fmax(largest, change_of(l, f, i));
    for (size_t i = 0; i < l->n; i++) {
        double of_state = 0, all = change_of(l, f, i), rate = fabs(l->rates[l->variables[i]]);
        for (size_t k = 0; k < l->n; k++)
            of_state += fabs(l->A[i * l->n + k]) * DBL_EPSILON *
                        fmax(f->scale[l->variables[k]], fabs(f->inputs[1 + l->variables[k]]));
        double rounding = 100 * (errors[l->variables[i]] + of_state),
               scale = all > 1e-11 * largest ? all : 1e-4 * largest;
        bool moves = rate > rounding || (rate > 0 && rounding > 1e-4 * scale);
        if (moves && (l->steady || rate > worst))
            worst = rate, l->moving = l->variables[i];
        l->steady = l->steady && !moves;
    }
}

/* The same at other times, where the time occurs. */
static bool stays_steady(nh_flow *f, const nh_linearization *l)
{
    double *inputs = nh_doubles(f->arena, f->size + 1), *rates = nh_doubles(f->arena, f->size);
    for (int k = 1; k <= 2 && f->timed; k++) {
        memcpy(inputs, l->inputs, (f->size + 1) * sizeof *inputs);
        inputs[0] += k == 1 ? 1.2345679 : 3.1735913;
        if (!nh_smooth_at(f, f->field, inputs, rates))
            return false;
        for (size_t i = 0; i < l->n; i++)
            if (fabs(rates[l->variables[i]]) > 1e-9)
                return false;
    }
    return true;
}

/* B A B^T for the rows of B, an orthonormal basis of the v with H v = 0, which the constraints leave: H A v + H'(x') v = 0 along motions on f = 0, so
 * that A v is one of them where x' = 0, and elsewhere is projected on them. */
static double *on_tangents(nh_arena *arena, const nh_linearization *l, const double *B)
{
    size_t n = l->n, m = l->n_free;
    double *half = nh_doubles(arena, m * n), *out = nh_doubles(arena, m * m);
    for (size_t i = 0; i < m * n; i++)
        for (size_t k = 0; k < n; k++)
            half[i] += B[i / n * n + k] * l->A[k * n + i % n];
    for (size_t i = 0; i < m * m; i++)
        for (size_t k = 0; k < n; k++)
            out[i] += half[i / m * n + k] * B[i % m * n + k];
    return out;
}

/* The vectors in the variables themselves, the largest component being 1. */
static void find_modes(nh_linearization *l, nh_arena *arena, const double *B, const nh_spectrum *s)
{
    size_t n = l->n, m = l->n_free;
    l->mode_re = nh_doubles(arena, n * m), l->mode_im = nh_doubles(arena, n * m);
    for (size_t k = 0; k < m; k++) {
        double largest = 0, a = 1, b = 0;
        for (size_t i = 0; i < n; i++) {
            double re = 0, im = 0;
            for (size_t j = 0; j < m; j++)
                re += B[j * n + i] * s->re[j * m + k], im += B[j * n + i] * s->im[j * m + k];
            l->mode_re[i * m + k] = re, l->mode_im[i * m + k] = im;
            if (hypot(re, im) > largest * (1 + 1e-9))
                largest = hypot(re, im), a = re, b = im;
        }
        for (size_t i = 0; i < n; i++) { /* divided by a + i b */
            double re = l->mode_re[i * m + k], im = l->mode_im[i * m + k], square = a * a + b * b;
            l->mode_re[i * m + k] = (re * a + im * b) / square,
                               l->mode_im[i * m + k] = (im * a - re * b) / square;
        }
    }
}

/* What rounding can do to the matrix: errors of its entries, the largest row sum; with what may be wrong with the state. */
static double rounding_of(const nh_linearization *l, const nh_flow *f, const double *errors)
{
    double worst = 0;
    for (size_t i = 0; i < l->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < l->n; k++)
            sum +=
                errors[l->variables[i] * f->size + l->variables[k]] + DBL_EPSILON * fabs(l->A[i * l->n + k]);
        worst = fmax(worst, sum);
    }
    return worst;
}

/* ---------------------------------------------------------------- to many digits */

enum { MOST_NODES = 20000 };

/* What is known of the values by symbol: the parameters' own, and how far the state may be off. */
static void put_exact(const nh_flow *f, nh_spectral *s)
{
    double *radii = nh_doubles(f->arena, f->eq->pool.n_symbols);
    uint32_t index = 0;
    s->values = nh_flow_symbols(f, f->inputs), s->exact = nh_flow_exact_parameters(f), s->radii = radii;
    for (size_t k = 0; k < f->size; k++)
        if (nh_is_symbol(&f->eq->pool, f->symbols[k], &index)) {
            double x = fabs(f->inputs[1 + k]); /* what is nearly 0 may be 0 */
            radii[index] = x < 1e-12 * f->scale[k] ? x : 4 * DBL_EPSILON * x;
        }
}

/* The derivatives by those that take part, of their rates and of what is held, and what is 0 in a steady motion. */
static void put_equations(nh_flow *f, const nh_linearization *l, nh_spectral *s)
{
    nh_equations *eq = f->eq;
    size_t n = l->n, held = f->held->count;
    nh_expr *A = nh_arena_array(f->arena, n * n + 1, sizeof *A),
            *H = nh_arena_array(f->arena, held * n + 1, sizeof *H),
            *rates = nh_arena_array(f->arena, n + held + 1, sizeof *rates);
    for (size_t i = 0; i < n * n; i++)
        A[i] = f->derivatives[l->variables[i / n] * f->size + l->variables[i % n]];
    for (size_t i = 0; i < held * n; i++)
        H[i] = nh_derivative(&eq->pool, &eq->context->arena, f->held_roots[i / n],
                             f->symbols[l->variables[i % n]]);
    for (size_t i = 0; i < n + held; i++)
        rates[i] = i < n ? f->rates[l->variables[i]] : f->held_roots[i - n];
    s->n = n, s->held = held, s->A = A, s->H = H, s->rates = rates, s->n_rates = n + held;
    s->leaves = l->projected;
}

/* Larger real parts first, then pairs farther from the real axis, their upper one first. */
static bool comes_before(const nh_eigenpair *a, const nh_eigenpair *b)
{
    if (fabs(a->re - b->re) > a->error + b->error + 4 * DBL_EPSILON * fabs(a->re))
        return a->re > b->re;
    return fabs(fabs(a->im) - fabs(b->im)) > a->error + b->error + 4 * DBL_EPSILON * fabs(a->im)
               ? fabs(a->im) > fabs(b->im)
               : a->im > b->im;
}

/* Eigenvalue k, and its vector divided by its largest component. */
static void take_pair(nh_linearization *l, size_t k, const nh_eigenpair *pair)
{
    size_t m = l->n_free;
    double largest = 0, a = 1, b = 0;
    l->eigenvalues[k] = (nh_eigenvalue){pair->re, pair->im, pair->error};
    for (size_t i = 0; i < l->n; i++)
        if (hypot(pair->vector_re[i], pair->vector_im[i]) > largest * (1 + 1e-9)) {
            a = pair->vector_re[i], b = pair->vector_im[i];
            largest = hypot(a, b);
        }
    for (size_t i = 0; i < l->n; i++) {
        double re = pair->vector_re[i] / largest, im = pair->vector_im[i] / largest;
        l->mode_re[i * m + k] = (re * a + im * b) / largest,
                           l->mode_im[i * m + k] = (im * a - re * b) / largest;
    }
}

/* Eigenvalues of one matrix may be of sizes that doubles do not hold together: those of stiff springs and of slow motions. */
static void refine(nh_linearization *l, nh_flow *f)
{
    nh_equations *eq = f->eq;
    nh_spectral s = {.pairs = nh_arena_array(f->arena, l->n + 1, sizeof *s.pairs),
                     .numbers = nh_doubles(f->arena, l->n * l->n),
                     .number_errors = nh_doubles(f->arena, l->n * l->n)};
    size_t *order = nh_arena_array(f->arena, l->n + 1, sizeof *order);
    if (l->limits ||
        nh_count_operations(&eq->pool, &eq->context->arena, f->derivatives, f->size * f->size) > MOST_NODES)
        return;
    put_equations(f, l, &s);
    put_exact(f, &s);
    for (size_t k = 0; k < l->n; k++)
        s.pairs[k].vector_re = nh_doubles(f->arena, l->n), s.pairs[k].vector_im = nh_doubles(f->arena, l->n);
    if (!nh_find_spectrum(&eq->pool, &eq->context->arena, &s) || s.count != l->n_free)
        return;
    for (size_t k = 0; k < s.count; k++) {
        size_t at = k;
        for (; at > 0 && comes_before(&s.pairs[k], &s.pairs[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (size_t k = 0; k < s.count; k++)
        take_pair(l, k, &s.pairs[order[k]]);
    l->zeros = s.zeros, l->kernel = s.kernel, l->tiny = s.tiny;
    for (size_t i = 0; i < l->n * l->n; i++)
        l->A[i] = fabs(s.numbers[i]) <= s.number_errors[i] ? 0 : s.numbers[i];
}

static bool find_equations(nh_linearization *l, nh_flow *f)
{
    size_t size = f->size;
    double *J = nh_doubles(f->arena, size * size), *H = nh_doubles(f->arena, f->held->count * size),
           *rate_errors = nh_doubles(f->arena, size), *errors = nh_doubles(f->arena, size * size);
    l->rates = nh_doubles(f->arena, size);
    if (!nh_flow_exactly(f, f->inputs, l->rates, rate_errors, J, errors) ||
        !nh_smooth_derivatives(f, f->held, f->inputs, H) || nh_flow_regularity(f, f->inputs) < 1e-9)
        return false;
    l->limits = f->limits;
    l->A = part_of(f, l, J, l->n, false);
    double *held = part_of(f, l, H, f->held->count, true), *B = nh_doubles(f->arena, l->n * l->n);
    if (!nh_kernel(f->arena, f->held->count, l->n, held, 1e-10, B, &l->n_free))
        return false;
    double rounding = rounding_of(l, f, errors);
    l->tangents = B, l->on_them = on_tangents(f->arena, l, B);
    nh_spectrum *s = nh_spectrum_of(f->arena, l->n_free, l->on_them, rounding);
    if (!s)
        return false;
    l->eigenvalues = s->values, l->zeros = s->zeros, l->kernel = s->kernel, l->rounding = rounding;
    find_modes(l, f->arena, B, s);
    find_moving(l, f, rate_errors);
    l->steady = l->steady && stays_steady(f, l);
    l->projected = !l->steady && l->n_free < l->n;
    refine(l, f);
    nh_judge_stability(f, l);
    return true;
}

nh_linearization *nh_linearize(nh_flow *f)
{
    nh_linearization *l = nh_arena_array(f->arena, 1, sizeof *l);
    *l = (nh_linearization){.inputs = nh_doubles(f->arena, f->size + 1)};
    memcpy(l->inputs, f->inputs, (f->size + 1) * sizeof *l->inputs);
    choose_variables(l, f, nh_taking_part(f));
    return find_equations(l, f) ? l : NULL;
}

/* ---------------------------------------------------------------- as formulas */

enum { MOST_OPERATIONS = 2000, LONGEST_ENTRY = 60 };

/* d x'^i/d x^k at the state. */
nh_expr *nh_linearize_exactly(nh_flow *f, const nh_linearization *l, const nh_expr *values,
                              double max_seconds)
{
    nh_equations *eq = f->eq;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = l->n, count = 0;
    nh_expr *A = nh_arena_array(f->arena, n * n + 1, sizeof *A),
            *symbols = nh_arena_array(f->arena, f->size + 2, sizeof *A),
            *at = nh_arena_array(f->arena, f->size + 2, sizeof *at);
    if (l->limits || nh_has_solve(pool, scratch, f->rates, f->size) ||
        nh_count_operations(pool, scratch, f->rates, f->size) > MOST_OPERATIONS)
        return NULL;
    for (size_t k = 0; k < f->size; k++)
        if (values[k])
            symbols[count] = f->symbols[k], at[count++] = values[k];
    for (size_t i = 0; i < n * n; i++)
        A[i] = nh_derivative(pool, scratch, f->rates[l->variables[i / n]], f->symbols[l->variables[i % n]]);
    nh_substitute(pool, scratch, A, n * n, symbols, at, count, A);
    nh_algebra algebra;
    const signed char *all = nh_flow_signs(f);
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 5000, .max_seconds = max_seconds}, all);
    bool whole = nh_simplify(&algebra, A, n * n, A);
    nh_algebra_free(&algebra);
    for (size_t i = 0; i < n * n && whole; i++)
        whole = A[i] != NH_EXPR_NONE && nh_count_operations(pool, scratch, &A[i], 1) <= LONGEST_ENTRY;
    return whole ? A : NULL;
}
