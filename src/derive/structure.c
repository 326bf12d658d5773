/* What is true of the constraints and of the equations as a whole: regular, holonomic, definite; coordinates that do not
 * occur, blocks of equations that close by themselves, Caplygin's form. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

static const char *text_of(nh_judge *j, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, &j->eq->arena);
    nh_expr_print(&text, &j->eq->pool, e, 400);
    return nh_text_get(&text);
}

static const char *sentence(nh_judge *j, const char *before, const char *names, const char *after)
{
    nh_text text;
    nh_text_init(&text, &j->eq->arena);
    nh_text_format(&text, "%s%s%s", before, names, after);
    return nh_text_get(&text);
}

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

static bool has_values(const nh_expr *e, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!e[i])
            return false;
    return true;
}

/* 0 for the parameters that are 0; false: something is divided by one of them. */
static bool put_zeros(nh_judge *j, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_put_zeros(j->eq, e, count, out);
    return has_values(out, count);
}

/* ---------------------------------------------------------------- regular */

/* The symbols of a state: q, and z or q'; and t. */
static size_t state_symbols(nh_judge *j, nh_expr *out)
{
    nh_equations *eq = j->eq;
    size_t count = 0;
    for (size_t i = 0; i < eq->n; i++)
        out[count++] = eq->model->coordinates[i].q;
    for (size_t k = 0; k < (eq->first.psi ? eq->m : eq->n); k++)
        out[count++] = eq->first.psi ? eq->z[k].symbol : eq->model->coordinates[k].rate;
    out[count++] = eq->model->time;
    return count;
}

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

typedef struct hunt {
    nh_judge *j;
    size_t rows;
    const nh_expr *M; /* rows x n */
    nh_expr f;        /* >= 0; to become 0 */
    nh_expr *gradient, *symbols;
    size_t count;
    double *values;
} hunt;

static double value_of(hunt *h, nh_expr e)
{
    double out;
    nh_evaluate(&h->j->eq->pool, &h->j->eq->context->arena, &e, 1, h->values, &out, NULL);
    return out;
}

/* Whether there are velocities at all here: psi, or, where that is not defined, others. */
static bool is_a_state(hunt *h)
{
    nh_equations *eq = h->j->eq;
    double *psi = doubles(h->j, eq->n);
    bool finite_all = true;
    if (eq->first.psi)
        nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, h->values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++)
        finite_all = finite_all && isfinite(psi[i]);
    if (finite_all || !eq->second.C)
        return finite_all;
    double *here = doubles(h->j, eq->pool.n_symbols);
    memcpy(here, h->values, eq->pool.n_symbols * sizeof *here);
    return nh_project_velocities(eq, here, eq->second.C, eq->r);
}

/* Whether the rank has dropped here: M itself small, or nearly dependent rows. */
static bool is_singular(hunt *h)
{
    nh_equations *eq = h->j->eq;
    if (!is_a_state(h))
        return false;
    double *M = doubles(h->j, h->rows * eq->n), size = 0;
    nh_evaluate(&eq->pool, &eq->context->arena, h->M, h->rows * eq->n, h->values, M, NULL);
    for (size_t k = 0; k < h->rows * eq->n; k++)
        size = !(fabs(M[k]) <= size) ? fabs(M[k]) : size;
    return size < 1e-6 || (isfinite(size) && inverse_condition(h->j, h->rows, eq->n, M) < 1e-6);
}

enum { STARTS = 24, STEPS = 300 };

static const double NEARLY = 1e-3;

/* Downhill: x -= s f grad f/|grad f|^2. Zeros of the square of a sum of squares are fourfold ones: s = 4 goes right to them, if the
 * equations for the positions, whose squares have double ones, are left to others. */
static bool descend(hunt *h)
{
    nh_equations *eq = h->j->eq;
    double *slope = doubles(h->j, h->count), last = INFINITY, stretch = 2;
    for (int step = 0; step < STEPS; step++) {
        double f = value_of(h, h->f), square = 0;
        if (!isfinite(f))
            return false;
        if (f < 1e-14 && (is_singular(h) || f < 1e-60))
            return is_singular(h);
        nh_evaluate(&eq->pool, &eq->context->arena, h->gradient, h->count, h->values, slope, NULL);
        for (size_t k = 0; k < h->count; k++)
            square += slope[k] * slope[k];
        if (!(square > 0))
            return false;
        stretch = f < last ? fmin(4, 1.2 * stretch) : 0.5 * stretch, last = f;
        for (size_t k = 0; k < h->count; k++)
            *slot_of(h->j, h->values, h->symbols[k]) -= stretch * f * slope[k] / square;
        if (f < NEARLY)
            nh_project_positions(eq, h->values);
    }
    return false;
}

/* Fewer for large expressions, and none for the largest: a descent evaluates them some hundred times. */
static int starts_for(size_t operations)
{
    size_t affordable = 20000 / (operations + 1);
    return affordable < STARTS ? (int)affordable : STARTS;
}

/* A state on C where the condition f = 0 holds; values are left there. */
static bool find_singular(nh_judge *j, size_t rows, const nh_expr *M, nh_expr condition, double *values)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    nh_expr *symbols = nh_array(eq, 2 * eq->n + 1), *gradient = nh_array(eq, 2 * eq->n + 1);
    hunt h = {j, rows, M, nh_power(pool, condition, 2), gradient, symbols, state_symbols(j, symbols), values};
    for (size_t a = 0; a < eq->r && !eq->first.psi; a++)
        h.f = nh_add(pool, h.f, nh_power(pool, eq->second.C[a], 2));
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            h.f = nh_add(pool, h.f, nh_power(pool, eq->model->constraints[a].position, 2));
    nh_gradient(pool, &eq->context->arena, &h.f, NULL, 1, symbols, h.count, gradient);
    int starts = starts_for(nh_count_operations(pool, &eq->context->arena, gradient, h.count));
    for (int start = 0; start < starts; start++) {
        if (!nh_draw_state(j, values))
            continue;
        for (size_t k = 0; k < h.count && start < 4; k++) /* at rest; at the origin; everything */
            if (start == 3 || (start == 1) == (k < eq->n))
                *slot_of(j, values, symbols[k]) = 0;
        if ((value_of(&h, h.f) < 1e-14 && is_singular(&h)) || descend(&h))
            return true;
    }
    return false;
}

/* Where det G vanishes, if the algebra tells. */
static nh_expr condition_of_G(nh_judge *j)
{
    size_t rank, m = j->eq->m;
    nh_expr condition = NH_EXPR_NONE, *G = nh_array(j->eq, m * m);
    if (!j->eq->first.psi || m > 4 || !put_zeros(j, j->eq->first.G, m * m, G) ||
        !nh_matrix_rank(&j->algebra, m, m, G, &rank, &condition))
        return NH_EXPR_NONE;
    return condition;
}

static bool all_affine(const nh_equations *eq)
{
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].rate_kind != NH_LINEAR &&
            eq->model->constraints[a].rate_kind != NH_AFFINE)
            return false;
    return eq->model->r > 0 || eq->model->psi_kind != NH_NONLINEAR;
}

/* A psi of the model, or of a closed form, has no singular states of its own. */
static bool eq_psi_is_natural(const nh_equations *eq)
{
    return eq->model->psi || eq->model->psi_kind == NH_NONLINEAR || !all_affine(eq);
}

/* That of G, which knows the masses, where it vanishes at the state found; else that of the rank. */
static const char *condition_text(nh_judge *j, nh_expr condition, const double *values)
{
    nh_expr G = condition_of_G(j), shown = condition;
    double value = NAN;
    nh_text text;
    bool natural = eq_psi_is_natural(j->eq);
    if (G && natural)
        nh_evaluate(&j->eq->pool, &j->eq->context->arena, &G, 1, values, &value, NULL);
    if (fabs(value) < 1e-6)
        shown = G;
    nh_text_init(&text, &j->eq->arena);
    nh_text_format(&text, "singular where %s = 0", text_of(j, shown));
    return nh_text_get(&text);
}

static double choices(size_t n, size_t k)
{
    double count = 1;
    for (size_t i = 0; i < k; i++)
        count *= (double)(n - i) / (double)(i + 1);
    return count;
}

enum { MOST_MINORS = 300 };

/* By numbers alone: at random states. */
static void regular_by_numbers(nh_judge *j, size_t rows, const nh_expr *M)
{
    nh_equations *eq = j->eq;
    double *values = doubles(j, eq->pool.n_symbols);
    hunt h = {.j = j, .rows = rows, .M = M, .values = values};
    for (int k = 0; k < STARTS; k++) {
        if (nh_draw_state(j, values) && is_singular(&h)) {
            nh_add_fact(j, "regular", NH_NOT_KNOWN, "the rank seems to drop at some states");
            return;
        }
    }
    nh_add_fact(j, "regular", NH_TESTED, "the constraints are independent at random states");
}

void nh_judge_regular(nh_judge *j)
{
    nh_equations *eq = j->eq;
    bool implicit = eq->second.C_i != NULL && eq->model->r > 0;
    size_t rows = implicit ? eq->r : eq->m, rank;
    nh_expr *M = nh_array(eq, rows * eq->n), condition = NH_EXPR_NONE;
    if (eq->r == 0) {
        nh_add_fact(j, "regular", NH_PROVED, "there are no constraints");
        return;
    }
    nh_on_C(j, implicit ? eq->second.C_i : eq->first.psi_alpha, rows * eq->n, M);
    if (j->dependent) {
        nh_add_fact(j, "regular", NH_REFUTED, "singular at every state");
        return;
    }
    if (!put_zeros(j, M, rows * eq->n, M)) {
        nh_add_fact(j, "regular", NH_NOT_KNOWN, "the derivation divides by a parameter that is 0");
        return;
    }
    bool solves = nh_has_solve(&eq->pool, &eq->context->arena, M, rows * eq->n);
    if (solves || rows > 4 || choices(eq->n, rows) > MOST_MINORS ||
        !nh_matrix_rank(&j->algebra, rows, eq->n, M, &rank, &condition)) {
        regular_by_numbers(j, rows, M);
        return;
    }
    if (rank < rows) {
        nh_add_fact(j, "regular", NH_REFUTED, "singular at every state");
        return;
    }
    if (!condition) {
        nh_add_fact(j, "regular", NH_PROVED,
                    implicit ? "[C^a_i] has full rank at every state"
                             : "[psi^i_alpha] has full rank at every state");
        return;
    }
    double *values = doubles(j, eq->pool.n_symbols);
    if (find_singular(j, rows, M, condition, values))
        nh_add_fact(j, "regular", NH_REFUTED, condition_text(j, condition, values));
    else
        nh_add_fact(j, "regular", NH_TESTED, "no singular state was found");
}

/* ---------------------------------------------------------------- holonomic */

/* A field X^i d_i + X^t d_t, with what it goes along and what it depends on: flags of the coordinates, and of the time at the end. */
typedef struct field {
    const nh_expr *X;
    nh_expr X_t;
    bool *along, *depends;
} field;

static field field_of(nh_judge *j, const nh_expr *X, nh_expr X_t)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_arena *scratch = &eq->context->arena;
    field f = {X, X_t, nh_arena_array(&eq->arena, n + 1, sizeof *f.along),
               nh_arena_array(&eq->arena, n + 1, sizeof *f.depends)};
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *symbols = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *symbols);
    nh_find_symbols(&eq->pool, scratch, X, n, symbols);
    for (size_t i = 0; i <= n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, i < n ? eq->model->coordinates[i].q : eq->model->time, &index);
        f.depends[i] = symbols[index];
        f.along[i] = (i < n ? X[i] : X_t) != eq->pool.zero;
    }
    nh_arena_release(scratch, mark);
    return f;
}

/* Whether the bracket of two can be anything but 0. */
static bool may_differ(const field *X, const field *Y, size_t n)
{
    bool meet = false;
    for (size_t i = 0; i <= n && !meet; i++)
        meet = (X->along[i] && Y->depends[i]) || (Y->along[i] && X->depends[i]);
    return meet;
}

/* [X, Y]^i = X^k d_k Y^i - Y^k d_k X^i, with the time among the k. */
static void bracket(nh_judge *j, const field *X, const field *Y, nh_expr *out)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_expr *symbols = nh_arena_array(scratch, n + 1, sizeof *symbols),
            *direction = nh_arena_array(scratch, n + 1, sizeof *direction),
            *back = nh_arena_array(scratch, n + 1, sizeof *back);
    for (size_t i = 0; i < n; i++)
        symbols[i] = eq->model->coordinates[i].q;
    symbols[n] = eq->model->time;
    memcpy(direction, X->X, n * sizeof *direction), direction[n] = X->X_t;
    nh_directional(pool, scratch, Y->X, n, symbols, direction, n + 1, out);
    memcpy(direction, Y->X, n * sizeof *direction), direction[n] = Y->X_t;
    nh_directional(pool, scratch, X->X, n, symbols, direction, n + 1, back);
    for (size_t i = 0; i < n; i++)
        out[i] = nh_sub(pool, out[i], back[i]);
    nh_arena_release(scratch, mark);
}

static bool all_positional(const nh_equations *eq)
{
    for (size_t a = 0; a < eq->model->r; a++)
        if (!eq->model->constraints[a].position)
            return false;
    return eq->model->r == eq->r;
}

/* Frobenius: q' = X_0 + X_alpha z^alpha is integrable where C_i [X_alpha, X_beta]^i = 0 and C_i [X_0 + d_t, X_alpha]^i = 0. */
static void frobenius(nh_judge *j)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, m = eq->m, r = eq->r, count = 0, capacity = 0;
    nh_expr *zero = nh_array(eq, m), *z = nh_array(eq, m), *rest = nh_array(eq, n),
            *out = nh_array(eq, (m + 1) * n);
    nh_expr *e = NULL, *C_i = nh_array(eq, r * n);
    for (size_t alpha = 0; alpha < m; alpha++)
        zero[alpha] = pool->zero, z[alpha] = eq->z[alpha].symbol;
    nh_substitute(pool, &eq->context->arena, eq->first.psi, n, z, zero, m, rest);
    nh_on_C(j, eq->second.C_i, r * n, C_i);
    if (!put_zeros(j, eq->first.psi_alpha, m * n, out)) {
        nh_add_fact(j, "holonomic", NH_NOT_KNOWN, "the derivation divides by a parameter that is 0");
        return;
    }
    field *fields = nh_arena_array(&eq->arena, m + 1, sizeof *fields);
    for (size_t alpha = 0; alpha < m; alpha++)
        fields[alpha] = field_of(j, eq->first.psi_alpha + alpha * n, pool->zero);
    fields[m] = field_of(j, rest, pool->one);
    for (size_t alpha = 0; alpha < m; alpha++)
        for (size_t beta = alpha + 1; beta <= m; beta++) {
            if (!may_differ(&fields[beta], &fields[alpha], n))
                continue;
            bracket(j, &fields[beta], &fields[alpha], out);
            for (size_t a = 0; a < r; a++) {
                nh_expr left = nh_dot(eq, C_i + a * n, out, n);
                if (left != pool->zero)
                    nh_push(&eq->arena, e, count, capacity) = left;
            }
        }
    nh_judge_all(j, "holonomic", e, count, "C_i [X, Y]^i",
                 "the Lie brackets of the admissible velocities are admissible (Frobenius)");
    nh_fact *fact = &j->facts->items[j->facts->count - 1];
    if (fact->verdict == NH_REFUTED) {
        nh_text text;
        nh_text_init(&text, &eq->arena);
        nh_text_format(&text, "a Lie bracket leaves the admissible velocities: %s", fact->detail);
        fact->detail = nh_text_get(&text);
    }
}

void nh_judge_holonomic(nh_judge *j)
{
    nh_equations *eq = j->eq;
    if (eq->r == 0)
        nh_add_fact(j, "holonomic", NH_PROVED, "there are no constraints");
    else if (j->dependent)
        nh_add_fact(j, "holonomic", NH_NOT_KNOWN, "the constraints are nowhere independent");
    else if (all_positional(eq))
        nh_add_fact(j, "holonomic", NH_PROVED, "every constraint is the derivative of a position equation");
    else if (!all_affine(eq))
        nh_add_fact(j, "holonomic", NH_NOT_KNOWN,
                    "not decided for constraints that are not affine in the velocities");
    else if (!eq->first.psi || !eq->second.C_i)
        nh_add_fact(j, "holonomic", NH_NOT_KNOWN, "not decided without both representations");
    else
        frobenius(j);
}

/* ---------------------------------------------------------------- definite */

/* The parameters' own values, where they have some: moments of inertia that are drawn one by one belong to no body. */
static void put_parameters(nh_judge *j, double *values)
{
    const nh_equations *eq = j->eq;
    double *own = doubles(j, eq->pool.n_symbols);
    nh_model_parameter_values(eq->model, &eq->context->arena, own);
    for (size_t i = 0; i < eq->model->n_roles; i++)
        if (eq->model->roles[i].role == NH_ROLE_PARAMETER && isfinite(own[i]))
            values[i] = own[i];
}

/* " at x = 1, theta = 0.5": the symbols that the expressions depend on, parameters left out. */
static const char *at_state(nh_judge *j, const nh_expr *e, size_t count, const double *values)
{
    nh_equations *eq = j->eq;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    nh_text text;
    nh_text_init(&text, &eq->arena);
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, e, count, depends);
    for (size_t i = 0; i < eq->model->n_roles; i++) {
        if (!depends[i] || eq->model->roles[i].role == NH_ROLE_PARAMETER)
            continue;
        nh_text_format(&text, "%s%s = ", any ? ", " : " at ", eq->pool.symbols[i]);
        nh_text_double(&text, round(values[i] * 1e6) / 1e6);
        any = true;
    }
    return nh_text_get(&text);
}

void nh_judge_metric(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *g = nh_array(eq, n * n);
    nh_metric(eq, g);
    nh_put_zeros(eq, g, n * n, g);
    nh_answer exact = n <= 10 ? nh_matrix_positive(&j->algebra, n, g) : NH_UNKNOWN;
    if (exact == NH_YES) {
        nh_add_fact(j, "metric-positive", NH_PROVED, "the leading minors of g are positive");
        return;
    }
    double *values = doubles(j, eq->pool.n_symbols), *at = doubles(j, n * n), smallest = INFINITY,
           largest = 0;
    size_t rank;
    nh_expr condition = NH_EXPR_NONE;
    if (n <= 6 && nh_matrix_rank(&j->algebra, n, n, g, &rank, &condition) && rank == n && condition &&
        find_singular(j, n, g, condition, values)) {
        nh_add_fact(j, "metric-positive", NH_REFUTED,
                    sentence(j, "g is singular where ", text_of(j, condition), " = 0"));
        return;
    }
    double *worst = doubles(j, eq->pool.n_symbols);
    bool everywhere = true;
    for (int k = 0; k < STARTS; k++) {
        nh_draw_state(j, values);
        put_parameters(j, values);
        nh_evaluate(&eq->pool, &eq->context->arena, g, n * n, values, at, NULL);
        nh_eigenvalues(at, n);
        double least = INFINITY;
        for (size_t i = 0; i < n; i++)
            least = fmin(least, at[i * n + i]), largest = fmax(largest, fabs(at[i * n + i]));
        everywhere = everywhere && least <= 1e-12 * largest;
        if (least < smallest)
            smallest = least, memcpy(worst, values, eq->pool.n_symbols * sizeof *worst);
    }
    if (smallest > 1e-12 * largest)
        nh_add_fact(j, "metric-positive", NH_TESTED, "g is positive definite at random states");
    else if (smallest < -1e-12 * largest)
        nh_add_fact(j, "metric-positive", NH_REFUTED,
                    sentence(j, "g has a negative eigenvalue", at_state(j, g, n * n, worst), ""));
    else
        nh_add_fact(j, "metric-positive", NH_REFUTED,
                    everywhere ? "g is singular: some motion has no inertia"
                               : sentence(j, "g is singular", at_state(j, g, n * n, worst), ""));
}

/* ---------------------------------------------------------------- cyclic coordinates, Caplygin's form */

/* Whether e changes with q neither by little, its derivative being d, nor by much: sign(q) has the derivative 0, and so has q/sqrt(q^2). */
static bool is_without(nh_judge *j, nh_expr e, nh_expr d, nh_expr q)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    bool *occurs = nh_arena_array(&eq->context->arena, pool->n_symbols + 1, sizeof *occurs);
    uint32_t index = 0;
    nh_is_symbol(pool, q, &index);
    memset(occurs, 0, (pool->n_symbols + 1) * sizeof *occurs);
    nh_find_symbols(pool, &eq->context->arena, &e, 1, occurs);
    if (!occurs[index])
        return true;
    if (d != pool->zero && nh_is_zero(&j->algebra, d) != NH_YES)
        return false;
    nh_expr places[] = {nh_neg(pool, q),
                        nh_add(pool, q, nh_div(pool, nh_integer(pool, 7), nh_integer(pool, 3)))},
            there;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        nh_substitute(pool, &eq->context->arena, &e, 1, &q, &places[i], 1, &there);
        if (!there || nh_is_zero(&j->algebra, nh_sub(pool, e, there)) != NH_YES)
            return false;
    }
    return true;
}

/* cyclic[i]: q^i occurs in nothing that the equations are made of. Values are tested, not letters: x1 - x1 is 0. */
static void find_cyclic(nh_judge *j, bool *cyclic)
{
    nh_equations *eq = j->eq;
    const nh_model *model = eq->model;
    size_t n = eq->n, count = 0;
    size_t most = 2 + n + eq->r + n + model->r;
    nh_expr *e = nh_array(eq, most), *d = nh_array(eq, most);
    e[count++] = model->kinetic;
    for (size_t i = 0; i < n; i++)
        e[count++] = eq->A[i];
    for (size_t a = 0; eq->second.C && a < eq->r; a++)
        e[count++] = eq->second.C[a];
    for (size_t i = 0; model->psi && i < n; i++)
        e[count++] = model->psi[i];
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            e[count++] = model->constraints[a].position;
    bool known = put_zeros(j, e, count, e);
    for (size_t i = 0; i < n && known; i++) {
        nh_directional(&eq->pool, &eq->context->arena, e, count, &model->coordinates[i].q, &eq->pool.one, 1,
                       d);
        cyclic[i] = true;
        for (size_t k = 0; k < count && cyclic[i]; k++)
            cyclic[i] = is_without(j, e[k], d[k], model->coordinates[i].q);
    }
}

/* "x, y" */
static const char *names_of(nh_judge *j, const bool *chosen, bool wanted)
{
    nh_text text;
    nh_text_init(&text, &j->eq->arena);
    for (size_t i = 0; i < j->eq->n; i++)
        if (chosen[i] == wanted)
            nh_text_format(&text, "%s%s", text.length ? ", " : "", j->eq->model->coordinates[i].name);
    return nh_text_get(&text);
}

/* Linear constraints that can be solved for the velocities of r coordinates which occur nowhere: q'^a = B^a_alpha(q) q'^alpha. */
static void judge_caplygin(nh_judge *j, const bool *cyclic)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n, r = eq->r, found = 0;
    bool *dependent = nh_arena_array(&eq->arena, n, sizeof *dependent);
    if (r == 0 || !eq->second.C_i)
        return;
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].rate_kind != NH_LINEAR)
            return;
    nh_elimination *columns = nh_elimination_new(eq->modular, &eq->arena, r);
    nh_expr *column = nh_array(eq, r + 1);
    column[r] = eq->pool.zero;
    for (size_t i = 0; i < n && found < r; i++) {
        for (size_t a = 0; a < r; a++)
            column[a] = eq->second.C_i[a * n + i];
        nh_put_given(eq, column, r, column);
        if (has_values(column, r) && cyclic[i] && nh_elimination_add(columns, column) == NH_ROW_INDEPENDENT)
            dependent[i] = true, found++;
    }
    if (found == r)
        nh_add_fact(j, "caplygin-form", NH_PROVED,
                    sentence(j, "the velocities of ", names_of(j, dependent, true),
                             sentence(j, " follow from those of ", names_of(j, dependent, false),
                                      ", at almost all states, and the former coordinates occur nowhere")));
}

/* q'^i = 0 on C: the constraints leave less of the configuration space than it seems. */
static void judge_constant(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n, count = 0;
    bool *constant = nh_arena_array(&eq->arena, n, sizeof *constant);
    for (size_t i = 0; i < n && eq->first.psi; i++) {
        nh_expr psi;
        constant[i] = put_zeros(j, &eq->first.psi[i], 1, &psi) &&
                      (psi == eq->pool.zero || nh_is_zero(&j->algebra, psi) == NH_YES);
        count += constant[i];
    }
    if (count)
        nh_add_fact(j, "constant-coordinates", NH_PROVED,
                    sentence(j, "", names_of(j, constant, true),
                             ": constant by the constraints alone; the configuration space reduces"));
}

/* ---------------------------------------------------------------- closed blocks */

/* Which of the n + m variables (q, z) the rate of each depends on; NULL: one has no value. */
static bool *dependences(nh_judge *j, size_t size)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *rates = nh_array(eq, size), *simple = nh_array(eq, size), *symbols = nh_array(eq, size);
    bool *depends = nh_arena_array(&eq->arena, size * size, sizeof *depends);
    bool *used = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *used);
    for (size_t i = 0; i < size; i++) {
        symbols[i] = i < n ? eq->model->coordinates[i].q : eq->z[i - n].symbol;
        rates[i] = i < n ? eq->first.psi[i] : eq->first.Z_upper[i - n];
        if (!put_zeros(j, &rates[i], 1, &rates[i]))
            return NULL;
        simple[i] = rates[i];
        if (!nh_has_solve(&eq->pool, &eq->context->arena, &rates[i], 1))
            nh_simplify(&j->algebra, &rates[i], 1, &simple[i]);
    }
    for (size_t i = 0; i < size; i++) {
        memset(used, 0, eq->pool.n_symbols * sizeof *used);
        nh_find_symbols(&eq->pool, &eq->context->arena, &simple[i], 1, used);
        for (size_t k = 0; k < size; k++) {
            uint32_t index = 0;
            nh_is_symbol(&eq->pool, symbols[k], &index);
            depends[i * size + k] = used[index] || i == k;
        }
    }
    return depends;
}

static void close_up(bool *depends, size_t size)
{
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < size; i++)
            for (size_t l = 0; l < size && depends[i * size + k]; l++)
                depends[i * size + l] = depends[i * size + l] || depends[k * size + l];
}

static size_t members(const bool *row, size_t size)
{
    size_t count = 0;
    for (size_t k = 0; k < size; k++)
        count += row[k];
    return count;
}

static void print_block(nh_judge *j, nh_text *out, const bool *row, size_t size)
{
    nh_equations *eq = j->eq;
    nh_text_str(out, out->length ? "; " : "");
    bool any = false;
    for (size_t k = 0; k < size; k++)
        if (row[k]) {
            nh_text_format(out, "%s%s", any ? ", " : "",
                           k < eq->n ? eq->model->coordinates[k].name : eq->z[k - eq->n].name);
            any = true;
        }
}

/* The smallest sets of variables with a z among them whose equations need no others; not the whole. */
static void judge_blocks(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t size = eq->n + eq->m;
    if (!eq->first.psi || eq->r == 0 || size > 40)
        return;
    bool *depends = dependences(j, size);
    if (!depends)
        return;
    close_up(depends, size);
    nh_text text;
    nh_text_init(&text, &eq->arena);
    for (size_t count = 1; count < size; count++) /* the smaller ones first, each once */
        for (size_t i = eq->n; i < size; i++) {
            bool again = members(depends + i * size, size) != count;
            for (size_t k = eq->n; k < i && !again; k++)
                again = memcmp(depends + i * size, depends + k * size, size * sizeof *depends) == 0;
            if (!again)
                print_block(j, &text, depends + i * size, size);
        }
    if (text.length)
        nh_add_fact(j, "closed-blocks", NH_PROVED, nh_text_get(&text));
}

void nh_judge_structure(nh_judge *j)
{
    bool *cyclic = nh_arena_array(&j->eq->arena, j->eq->n, sizeof *cyclic);
    if (j->dependent)
        return;
    find_cyclic(j, cyclic);
    judge_constant(j);
    if (*names_of(j, cyclic, true))
        nh_add_fact(
            j, "cyclic-coordinates", NH_PROVED,
            sentence(j, "", names_of(j, cyclic, true), ": in no kinetic energy, force or constraint"));
    judge_caplygin(j, cyclic);
    judge_blocks(j);
}

/* ---------------------------------------------------------------- homogeneous */

/* C(q, s q', t) = s^k C(q, q', t) for each constraint that was found to be homogeneous by numbers. */
bool nh_equations_homogeneous(nh_equations *eq)
{
    const nh_model *model = eq->model;
    nh_pool *pool = &eq->pool;
    nh_expr s = nh_symbol_placed(pool, "s", NH_PLACED_FIRST), *rates = nh_array(eq, eq->n),
            *scaled = nh_array(eq, eq->n);
    signed char *signs = nh_arena_array(&eq->arena, pool->n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(model, &eq->context->arena), model->pool.n_symbols);
    nh_algebra algebra;
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 5000, .max_seconds = 1}, signs);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = model->coordinates[i].rate, scaled[i] = nh_mul(pool, s, rates[i]);
    bool proved = true;
    for (size_t a = 0; a < model->r && proved; a++) {
        const nh_constraint *c = &model->constraints[a];
        nh_expr turned;
        if (c->kind_exact)
            continue;
        nh_substitute(pool, &eq->context->arena, &c->C, 1, rates, scaled, eq->n, &turned);
        nh_expr wanted = nh_mul(pool, nh_power(pool, s, c->degree), c->C);
        proved = c->rate_kind == NH_HOMOGENEOUS && c->degree > 0 &&
                 nh_is_zero(&algebra, nh_sub(pool, turned, wanted)) == NH_YES;
    }
    nh_algebra_free(&algebra);
    return proved;
}
