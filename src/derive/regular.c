/* Whether the constraints are independent at every state. The minors of [C^a_i] tell where they might not be; a state on C is
 * looked for there:
 *     C^a = 0,   lambda_a C^a_i = 0,   lambda_a lambda_a = 1
 * in the unknowns q, q', t and lambda, by steps of Levenberg and Marquardt. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

enum { STARTS = 24, STEPS = 200, MOST_MINORS = 300 };

/* States beyond are not looked at: what becomes 0 towards infinity only is 0 nowhere. */
static const double FARTHEST = 1e6;

typedef struct hunt {
    nh_judge *j;
    size_t rows, n, n_given; /* lambda; equations with lambda; others */
    nh_expr *symbols;        /* of the state */
    size_t n_symbols, unknowns, equations;
    const nh_expr *entries, *derivatives; /* of M, and what has to vanish besides */
    const nh_evaluator *values_of, *slopes_of;
    double *M, *errors, *slopes; /* of rows x n entries and those given; slopes: by entry, then by symbol */
    double *lambda, *E, *bounds, *J;
    double *values;
} hunt;

static double *doubles(nh_judge *j, size_t count)
{
    return nh_arena_array(&j->eq->arena, count + 1, sizeof(double));
}

static double *slot_of(nh_judge *j, double *values, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&j->eq->pool, symbol, &index);
    return &values[index];
}

/* ---------------------------------------------------------------- the equations */

/* q, and z or q'; and t. */
static size_t state_symbols(nh_judge *j, bool in_rates, nh_expr *out)
{
    nh_equations *eq = j->eq;
    bool in_z = eq->first.psi && !in_rates;
    size_t count = 0;
    for (size_t i = 0; i < eq->n; i++)
        out[count++] = eq->model->coordinates[i].q;
    for (size_t k = 0; k < (in_z ? eq->m : eq->n); k++)
        out[count++] = in_z ? eq->z[k].symbol : eq->model->coordinates[k].rate;
    out[count++] = eq->model->time;
    return count;
}

/* The entries of M, then what has to vanish besides. */
static size_t list_roots(nh_judge *j, size_t rows, const nh_expr *M, bool in_rates, nh_expr *out)
{
    nh_equations *eq = j->eq;
    size_t count = rows * eq->n;
    memcpy(out, M, count * sizeof *out);
    for (size_t a = 0; a < eq->r && in_rates; a++)
        out[count++] = eq->second.C[a];
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            out[count++] = eq->model->constraints[a].position;
    nh_put_zeros(eq, out, count, out);
    return count;
}

static bool have_values(const nh_expr *e, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; i++)
        all = all && e[i];
    return all;
}

/* False: there is nothing to evaluate. */
static bool begin(hunt *h, const nh_expr *M, bool in_rates)
{
    nh_judge *j = h->j;
    nh_equations *eq = j->eq;
    nh_expr *roots = nh_array(eq, h->rows * eq->n + eq->r + eq->model->r + 1);
    size_t count = list_roots(j, h->rows, M, in_rates, roots);
    h->symbols = nh_array(eq, 2 * eq->n + 1);
    h->n_symbols = state_symbols(j, in_rates, h->symbols);
    h->n = eq->n, h->n_given = count - h->rows * eq->n;
    h->unknowns = h->n_symbols + h->rows, h->equations = h->n + h->n_given + 1;
    nh_expr *slopes = nh_array(eq, count * h->n_symbols);
    if (!have_values(roots, count))
        return false;
    for (size_t k = 0; k < count; k++)
        nh_gradient(&eq->pool, &eq->context->arena, &roots[k], NULL, 1, h->symbols, h->n_symbols,
                    slopes + k * h->n_symbols);
    h->entries = roots, h->derivatives = slopes;
    h->values_of = nh_evaluator_new(&eq->pool, &eq->arena, roots, count);
    h->slopes_of = nh_evaluator_new(&eq->pool, &eq->arena, slopes, count * h->n_symbols);
    h->M = doubles(j, count), h->errors = doubles(j, count), h->slopes = doubles(j, count * h->n_symbols);
    h->lambda = doubles(j, h->rows), h->E = doubles(j, h->equations), h->bounds = doubles(j, h->equations);
    h->J = doubles(j, h->equations * h->unknowns);
    return have_values(slopes, count * h->n_symbols);
}

/* E, and bounds for its rounding; the sum of its squares. */
static double equations_at(hunt *h)
{
    nh_evaluator_at(h->values_of, &h->j->eq->context->arena, h->values, h->M, h->errors);
    double squares = 0, length = -1;
    for (size_t i = 0; i < h->n; i++) {
        h->E[i] = h->bounds[i] = 0;
        for (size_t a = 0; a < h->rows; a++) {
            h->E[i] += h->lambda[a] * h->M[a * h->n + i];
            h->bounds[i] += fabs(h->lambda[a]) * (h->errors[a * h->n + i] + 1e-16 * fabs(h->M[a * h->n + i]));
        }
    }
    for (size_t k = 0; k < h->n_given; k++)
        h->E[h->n + k] = h->M[h->rows * h->n + k], h->bounds[h->n + k] = h->errors[h->rows * h->n + k];
    for (size_t a = 0; a < h->rows; a++)
        length += h->lambda[a] * h->lambda[a];
    h->E[h->equations - 1] = length, h->bounds[h->equations - 1] = 1e-15;
    for (size_t k = 0; k < h->equations; k++)
        squares += h->E[k] * h->E[k];
    return squares;
}

/* dE by the symbols, then by lambda; values that no number stands for, as pi/2, add to the bounds. */
static void derivatives_at(hunt *h)
{
    size_t w = h->unknowns;
    nh_evaluator_at(h->slopes_of, &h->j->eq->context->arena, h->values, h->slopes, NULL);
    memset(h->J, 0, h->equations * w * sizeof *h->J);
    for (size_t i = 0; i < h->n; i++)
        for (size_t a = 0; a < h->rows; a++) {
            for (size_t s = 0; s < h->n_symbols; s++)
                h->J[i * w + s] += h->lambda[a] * h->slopes[(a * h->n + i) * h->n_symbols + s];
            h->J[i * w + h->n_symbols + a] = h->M[a * h->n + i];
        }
    for (size_t k = 0; k < h->n_given; k++)
        memcpy(h->J + (h->n + k) * w, h->slopes + (h->rows * h->n + k) * h->n_symbols,
               h->n_symbols * sizeof *h->J);
    for (size_t a = 0; a < h->rows; a++)
        h->J[(h->equations - 1) * w + h->n_symbols + a] = 2 * h->lambda[a];
    for (size_t k = 0; k < h->equations; k++)
        for (size_t s = 0; s < h->n_symbols; s++)
            h->bounds[k] += 1e-16 * fabs(h->J[k * w + s] * *slot_of(h->j, h->values, h->symbols[s]));
}

/* ---------------------------------------------------------------- the way to a state */

/* (J^T J + damping) x = -J^T E */
static bool find_step(hunt *h, double damping, double *step)
{
    nh_arena *scratch = &h->j->eq->context->arena;
    size_t w = h->unknowns;
    double *A = nh_arena_array(scratch, w * w + 1, sizeof *A), *b = nh_arena_array(scratch, w, sizeof *b);
    size_t *order = nh_arena_array(scratch, w, sizeof *order);
    for (size_t k = 0; k < h->equations; k++)
        for (size_t i = 0; i < w; i++) {
            b[i] -= h->J[k * w + i] * h->E[k];
            for (size_t l = 0; l < w; l++)
                A[i * w + l] += h->J[k * w + i] * h->J[k * w + l];
        }
    for (size_t i = 0; i < w; i++)
        A[i * w + i] += damping;
    if (!nh_factor_dense(A, order, w, 0))
        return false;
    nh_solve_dense(A, order, w, b, step);
    return true;
}

static void move(hunt *h, const double *step, double sense)
{
    for (size_t s = 0; s < h->n_symbols; s++)
        *slot_of(h->j, h->values, h->symbols[s]) += sense * step[s];
    for (size_t a = 0; a < h->rows; a++)
        h->lambda[a] += sense * step[h->n_symbols + a];
}

static bool is_far(hunt *h)
{
    bool far = false;
    for (size_t s = 0; s < h->n_symbols; s++)
        far = far || !(fabs(*slot_of(h->j, h->values, h->symbols[s])) < FARTHEST);
    return far;
}

/* All equations hold to rounding. */
static bool is_zero(const hunt *h)
{
    bool zero = true;
    for (size_t k = 0; k < h->equations; k++)
        zero = zero && fabs(h->E[k]) <= 10 * h->bounds[k] + 1e-20;
    return zero;
}

/* Where M is small everywhere, as exp(-x) is far away, a small value means nothing: beside the state it is to be larger by far. */
static bool stands_out(hunt *h)
{
    double *step = doubles(h->j, h->unknowns), here = 0, beside = 0;
    for (size_t k = 0; k < h->n; k++)
        here = fmax(here, fabs(h->E[k]) + h->bounds[k]);
    for (size_t s = 0; s < h->n_symbols; s++) {
        double part = 0.02 + 0.05 * (double)(nh_hash(s + 1) >> 40) / (1 << 24);
        step[s] = part * (1 + fabs(*slot_of(h->j, h->values, h->symbols[s])));
    }
    move(h, step, 1);
    equations_at(h);
    for (size_t k = 0; k < h->n; k++)
        beside = fmax(beside, fabs(h->E[k]));
    move(h, step, -1);
    return beside > 1e6 * here;
}

/* psi, where the state is given by z. */
static bool has_velocities(hunt *h)
{
    nh_equations *eq = h->j->eq;
    double *psi = doubles(h->j, eq->n);
    bool all = true;
    if (eq->first.psi)
        nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, h->values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++)
        all = all && isfinite(psi[i]);
    return all;
}

/* |lambda| = 1: small ones would make all equations hold. */
static void normalise(hunt *h)
{
    double length = 0;
    for (size_t a = 0; a < h->rows; a++)
        length += h->lambda[a] * h->lambda[a];
    for (size_t a = 0; a < h->rows; a++)
        h->lambda[a] /= sqrt(length);
}

/* Either the step lowers the squares, or nothing has happened. */
static bool try_step(hunt *h, const double *step, double *squares)
{
    nh_arena *scratch = &h->j->eq->context->arena;
    size_t size = h->j->eq->pool.n_symbols;
    double *values = nh_arena_array(scratch, size + 1, sizeof *values),
           *lambda = nh_arena_array(scratch, h->rows, sizeof *lambda);
    memcpy(values, h->values, size * sizeof *values), memcpy(lambda, h->lambda, h->rows * sizeof *lambda);
    move(h, step, 1);
    normalise(h);
    double next = equations_at(h);
    bool lower = next <= *squares;
    if (!lower) {
        memcpy(h->values, values, size * sizeof *values);
        memcpy(h->lambda, lambda, h->rows * sizeof *lambda);
    }
    *squares = lower ? next : equations_at(h);
    return lower;
}

static bool descend(hunt *h)
{
    normalise(h);
    double damping = 1e-3, squares = equations_at(h), *step = doubles(h->j, h->unknowns);
    for (int k = 0; k < STEPS && isfinite(squares); k++) {
        derivatives_at(h);
        if (is_zero(h))
            return stands_out(h);
        nh_arena_mark mark = nh_arena_here(&h->j->eq->context->arena);
        bool found = find_step(h, damping, step);
        if (found)
            damping = try_step(h, step, &squares) ? fmax(0.1 * damping, 1e-300) : fmax(10 * damping, 1e-12);
        nh_arena_release(&h->j->eq->context->arena, mark);
        if (!found || is_far(h) || damping > 1e12)
            return false;
    }
    return false;
}

/* Fewer for large expressions, and none for the largest. */
static int starts_for(size_t operations)
{
    size_t affordable = 20000 / (operations + 1);
    return affordable < STARTS ? (int)affordable : STARTS;
}

/* At rest; at the origin; everything; else anywhere, near and farther away. */
static void draw_start(hunt *h, int start)
{
    nh_judge *j = h->j;
    j->wide = start % 3 == 2;
    nh_draw_state(j, h->values);
    j->wide = false;
    for (size_t s = 0; s < h->n_symbols && start < 4; s++)
        if (start == 3 || (start == 1) == (s < j->eq->n))
            *slot_of(j, h->values, h->symbols[s]) = 0;
    for (size_t a = 0; a < h->rows; a++)
        h->lambda[a] = (double)(nh_hash((uint64_t)start * 31 + a + 1) >> 40) / (1 << 23) - 1;
}

/* What doubles do not tell: whether the rows are dependent near by, or nowhere. */
static bool is_only_near(hunt *h)
{
    nh_equations *eq = h->j->eq;
    uint32_t *indices = nh_arena_array(&eq->arena, h->n_symbols + 1, sizeof *indices);
    for (size_t k = 0; k < h->n_symbols; k++)
        nh_is_symbol(&eq->pool, h->symbols[k], &indices[k]);
    nh_rows_near near = {.rows = h->rows,
                         .columns = h->n,
                         .given = h->n_given,
                         .n = h->n_symbols,
                         .entries = h->entries,
                         .slopes = h->derivatives,
                         .symbols = indices,
                         .values = h->values,
                         .lambda = h->lambda};
    return nh_dependent_near(&eq->pool, &eq->context->arena, &near) == NH_NO;
}

bool nh_find_singular(nh_judge *j, size_t rows, const nh_expr *M, bool in_rates, double *values)
{
    nh_equations *eq = j->eq;
    hunt h = {.j = j, .rows = rows, .values = values};
    bool found = false;
    int starts = starts_for(rows * nh_count_operations(&eq->pool, &eq->context->arena, M, rows * eq->n));
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    if (starts == 0 || !begin(&h, M, in_rates))
        return false;
    for (int start = 0; start < starts && !found; start++) {
        draw_start(&h, start);
        found = descend(&h) && (in_rates || has_velocities(&h)) && !is_only_near(&h);
    }
    j->random = random;
    return found;
}

/* ---------------------------------------------------------------- the fact */

/* The smallest singular value of M (rows x columns), over the largest, by the eigenvalues of M M^T found by Jacobi's
 * rotations. */
static double inverse_condition(nh_judge *j, size_t rows, size_t columns, const double *M)
{
    double *S = doubles(j, rows * rows), smallest = INFINITY, largest = 0;
    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < rows; b++)
            for (size_t i = 0; i < columns; i++)
                S[a * rows + b] += M[a * columns + i] * M[b * columns + i];
    nh_eigenvalues(S, rows);
    for (size_t a = 0; a < rows; a++)
        smallest = fmin(smallest, S[a * rows + a]), largest = fmax(largest, S[a * rows + a]);
    return largest > 0 ? sqrt(fmax(smallest, 0) / largest) : 0;
}

/* By numbers alone: at random states. */
static void regular_by_numbers(nh_judge *j, size_t rows, const nh_expr *M)
{
    nh_equations *eq = j->eq;
    double *values = doubles(j, eq->pool.n_symbols), *at = doubles(j, rows * eq->n);
    for (int k = 0; k < STARTS; k++) {
        if (!nh_draw_state(j, values))
            continue;
        nh_evaluate(&eq->pool, &eq->context->arena, M, rows * eq->n, values, at, NULL);
        bool finite = true;
        for (size_t i = 0; i < rows * eq->n; i++)
            finite = finite && isfinite(at[i]);
        if (finite && inverse_condition(j, rows, eq->n, at) < 1e-6) {
            nh_add_fact(j, "regular", NH_NOT_KNOWN, "the rank seems to drop at some states");
            return;
        }
    }
    nh_add_fact(j, "regular", NH_TESTED, "the constraints are independent at random states");
}

/* Where det G vanishes, if the algebra tells, and the state found is one of these. */
static nh_expr condition_of_G(nh_judge *j, const double *values)
{
    size_t rank, m = j->eq->m;
    nh_expr condition = NH_EXPR_NONE, *G = nh_array(j->eq, m * m);
    double value = NAN;
    if (m > 4 || !nh_put_own_zeros(j, j->eq->first.G, m * m, G) ||
        !nh_matrix_rank(&j->algebra, m, m, G, &rank, &condition) || !condition)
        return NH_EXPR_NONE;
    nh_evaluate(&j->eq->pool, &j->eq->context->arena, &condition, 1, values, &value, NULL);
    return fabs(value) < 1e-6 ? condition : NH_EXPR_NONE;
}

static void add_refuted(nh_judge *j, nh_expr condition)
{
    nh_text text;
    nh_text_init(&text, &j->eq->arena);
    nh_text_format(&text, "singular where %s = 0", nh_text_of(j, condition));
    nh_add_fact(j, "regular", NH_REFUTED, nh_text_get(&text));
}

/* In the model's own z, by the condition of G, which knows the masses; otherwise in q', which need no psi. */
static void judge_states(nh_judge *j, size_t rows, const nh_expr *M, nh_expr condition)
{
    nh_equations *eq = j->eq;
    double *values = doubles(j, eq->pool.n_symbols);
    nh_expr *C_i = nh_array(eq, rows * eq->n), in_rates = NH_EXPR_NONE;
    size_t rank;
    bool implicit = eq->second.C_i != NULL && eq->model->r > 0;
    if (eq->model->psi && nh_find_singular(j, rows, M, false, values)) {
        nh_expr of_G = condition_of_G(j, values);
        add_refuted(j, of_G ? of_G : condition);
    } else if (implicit && nh_put_own_zeros(j, eq->second.C_i, rows * eq->n, C_i) &&
               nh_find_singular(j, rows, C_i, true, values)) {
        nh_matrix_rank(&j->algebra, rows, eq->n, C_i, &rank, &in_rates);
        add_refuted(j, in_rates ? in_rates : condition);
    } else {
        nh_add_fact(j, "regular", NH_TESTED, "no singular state was found");
    }
}

static double choices(size_t n, size_t k)
{
    double count = 1;
    for (size_t i = 0; i < k; i++)
        count *= (double)(n - i) / (double)(i + 1);
    return count;
}

/* Whether the rank is full at every state for the parameters that obey their formulas. */
static bool is_regular_as_given(nh_judge *j, size_t rows, const nh_expr *M)
{
    size_t count = rows * j->eq->n, rank = 0;
    nh_expr *given = nh_array(j->eq, count), condition = NH_EXPR_NONE;
    if (!j->given.count)
        return false;
    nh_put_given(j->eq, M, count, given);
    return nh_have_values(given, count) &&
           nh_matrix_rank(&j->algebra, rows, j->eq->n, given, &rank, &condition) && rank == rows &&
           !condition;
}

/* In a whole region: where the condition is 0, if it is there, as at the state. */
static void add_half(nh_judge *j, nh_expr condition, const nh_expr *M, size_t count, const double *values)
{
    nh_text text;
    double value = NAN, error = NAN;
    nh_text_init(&text, &j->eq->arena);
    if (condition)
        nh_evaluate(&j->eq->pool, &j->eq->context->arena, &condition, 1, values, &value, &error);
    nh_text_str(&text, "singular ");
    if (fabs(value) <= error)
        nh_text_format(&text, "where %s = 0: ", nh_text_of(j, condition));
    nh_text_format(&text, "in a whole region, as%s", nh_at_state(j, M, count, values));
    nh_add_fact(j, "regular", NH_REFUTED, nh_text_get(&text));
    j->half_looked_for = j->half_singular = j->facts->half_singular = true;
}

/* By the minors of M: on C, where there is a psi. */
static void judge_rank(nh_judge *j, size_t rows, const nh_expr *M, bool implicit)
{
    nh_equations *eq = j->eq;
    nh_expr condition = NH_EXPR_NONE;
    size_t rank;
    bool solves = nh_has_solve(&eq->pool, &eq->context->arena, M, rows * eq->n);
    double *values = doubles(j, eq->pool.n_symbols);
    bool half = nh_rows_depend_on_a_side(j, rows, M, values);
    if (half && (solves || rows > 4 || choices(eq->n, rows) > MOST_MINORS))
        add_half(j, NH_EXPR_NONE, M, rows * eq->n, values);
    else if (solves || rows > 4 || choices(eq->n, rows) > MOST_MINORS ||
             !nh_matrix_rank(&j->algebra, rows, eq->n, M, &rank, &condition))
        regular_by_numbers(j, rows, M);
    else if (rank < rows)
        nh_add_fact(j, "regular", NH_REFUTED, "singular at every state");
    else if (half)
        add_half(j, condition, M, rows * eq->n, values);
    else if (!condition || is_regular_as_given(j, rows, M))
        nh_add_fact(j, "regular", NH_PROVED,
                    implicit ? "[C^a_i] has full rank at every state"
                             : "[psi^i_alpha] has full rank at every state");
    else
        judge_states(j, rows, M, condition);
}

nh_expr *nh_rank_matrix(nh_judge *j, size_t *rows)
{
    nh_equations *eq = j->eq;
    bool implicit = eq->second.C_i != NULL && eq->model->r > 0;
    *rows = implicit ? eq->r : eq->m;
    nh_expr *M = nh_array(eq, *rows * eq->n);
    nh_on_C(j, implicit ? eq->second.C_i : eq->first.psi_alpha, *rows * eq->n, M);
    return M;
}

void nh_judge_regular(nh_judge *j)
{
    nh_equations *eq = j->eq;
    bool implicit = eq->second.C_i != NULL && eq->model->r > 0;
    size_t rows = 0;
    if (eq->r == 0) {
        nh_add_fact(j, "regular", NH_PROVED, "there are no constraints");
        return;
    }
    nh_expr *M = nh_rank_matrix(j, &rows);
    if (j->dependent)
        nh_add_fact(j, "regular", NH_REFUTED, j->dependent);
    else if (!nh_put_own_zeros(j, M, rows * eq->n, M))
        nh_add_fact(j, "regular", NH_NOT_KNOWN, "the derivation divides by a parameter that is 0");
    else
        judge_rank(j, rows, M, implicit);
}
