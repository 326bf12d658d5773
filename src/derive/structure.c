/* What is true of the constraints and of the equations as a whole: holonomic, definite; coordinates that do not occur,
 * blocks of equations that close by themselves, Caplygin's form. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

const char *nh_text_of(nh_judge *j, nh_expr e)
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

/* 0 for the parameters that are 0; false: something is divided by one of them. */
bool nh_put_own_zeros(nh_judge *j, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_put_zeros(j->eq, e, count, out);
    return nh_have_values(out, count);
}

/* The same, and formulas for the parameters that have some. */
static bool put_all_given(nh_judge *j, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_put_given(j->eq, e, count, out);
    return nh_have_values(out, count);
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

static bool all_affine(const nh_equations *eq)
{
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].given.kind != NH_LINEAR &&
            eq->model->constraints[a].given.kind != NH_AFFINE)
            return false;
    return eq->model->r > 0 || eq->model->psi_given.kind != NH_NONLINEAR;
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
    if (!nh_put_own_zeros(j, eq->first.psi_alpha, m * n, out)) {
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
        nh_add_fact(j, "holonomic", NH_NOT_KNOWN, j->dependent);
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
void nh_put_parameters(nh_judge *j, double *values)
{
    const nh_equations *eq = j->eq;
    double *own = doubles(j, eq->pool.n_symbols);
    nh_model_parameter_values(eq->model, &eq->context->arena, own);
    for (size_t i = 0; i < eq->model->n_roles; i++)
        if (eq->model->roles[i].role == NH_ROLE_PARAMETER && isfinite(own[i]))
            values[i] = own[i];
}

/* " at x = 1, theta = 0.5": the symbols that the expressions depend on, parameters left out. */
const char *nh_at_state(nh_judge *j, const nh_expr *e, size_t count, const double *values)
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

enum { STARTS = 24 };

/* Whether g is positive definite for all values of the parameters that are not 0, or for those that obey their formulas. */
static bool is_positive(nh_judge *j, size_t n, const nh_expr *g)
{
    nh_expr *given = nh_array(j->eq, n * n);
    return nh_matrix_positive(&j->algebra, n, g) == NH_YES ||
           (j->given.count && put_all_given(j, g, n * n, given) &&
            nh_matrix_positive(&j->algebra, n, given) == NH_YES);
}

/* The least eigenvalue of g that was seen, beside the largest one there, and where. */
typedef struct extremes {
    double smallest, *worst; /* worst: by symbol */
    bool everywhere;         /* it is singular at every state */
} extremes;

static void see(nh_judge *j, size_t n, const nh_expr *g, const double *values, extremes *x)
{
    nh_equations *eq = j->eq;
    double *at = doubles(j, n * n), least = INFINITY, largest = 0;
    nh_evaluate(&eq->pool, &eq->context->arena, g, n * n, values, at, NULL);
    nh_eigenvalues(at, n);
    for (size_t i = 0; i < n; i++)
        least = fmin(least, at[i * n + i]), largest = fmax(largest, fabs(at[i * n + i]));
    least = isfinite(least) && largest > 0 ? least / largest : least;
    x->everywhere = x->everywhere && least <= 1e-12;
    if (least < x->smallest)
        x->smallest = least, memcpy(x->worst, values, eq->pool.n_symbols * sizeof *values);
}

/* At random states, and on the sides of corners. */
static extremes see_all(nh_judge *j, size_t n, const nh_expr *g)
{
    double *values = doubles(j, j->eq->pool.n_symbols);
    extremes x = {INFINITY, doubles(j, j->eq->pool.n_symbols), true};
    for (int k = 0; k < STARTS; k++) {
        nh_draw_state(j, values);
        nh_put_parameters(j, values);
        see(j, n, g, values, &x);
    }
    nh_sides *sides = nh_sides_of(j, g, n * n);
    for (size_t k = 0; k < nh_sides_count(sides); k++)
        if (nh_sides_state(sides, k, values))
            see(j, n, g, values, &x);
    return x;
}

/* Whether g is singular at some state, and where. */
static const char *singular_g(nh_judge *j, size_t n, const nh_expr *g)
{
    double *values = doubles(j, j->eq->pool.n_symbols);
    size_t rank = 0;
    nh_expr condition = NH_EXPR_NONE;
    if (nh_rows_depend_on_a_side(j, n, g, values))
        return sentence(j, "g is singular in a whole region, as", nh_at_state(j, g, n * n, values), "");
    if (n <= 6 && nh_matrix_rank(&j->algebra, n, n, g, &rank, &condition) && rank == n && condition &&
        nh_find_singular(j, n, g, false, values))
        return sentence(j, "g is singular where ", nh_text_of(j, condition), " = 0");
    return NULL;
}

void nh_judge_metric(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *g = nh_array(eq, n * n);
    nh_metric(eq, g);
    nh_put_zeros(eq, g, n * n, g);
    if (n <= 10 && is_positive(j, n, g)) {
        nh_add_fact(j, "metric-positive", NH_PROVED, "the leading minors of g are positive");
        return;
    }
    const char *singular = singular_g(j, n, g);
    if (singular) {
        nh_add_fact(j, "metric-positive", NH_REFUTED, singular);
        return;
    }
    extremes x = see_all(j, n, g);
    if (x.smallest > 1e-12)
        nh_add_fact(j, "metric-positive", NH_TESTED, "g is positive definite at random states");
    else if (x.smallest < -1e-12)
        nh_add_fact(j, "metric-positive", NH_REFUTED,
                    sentence(j, "g has a negative eigenvalue", nh_at_state(j, g, n * n, x.worst), ""));
    else
        nh_add_fact(j, "metric-positive", NH_REFUTED,
                    x.everywhere ? "g is singular: some motion has no inertia"
                                 : sentence(j, "g is singular", nh_at_state(j, g, n * n, x.worst), ""));
}

/* ---------------------------------------------------------------- cyclic coordinates, Caplygin's form */

static bool occurs(nh_equations *eq, nh_expr e, nh_expr symbol)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends);
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_find_symbols(&eq->pool, scratch, &e, 1, depends);
    bool found = depends[index];
    nh_arena_release(scratch, mark);
    return found;
}

/* Whether e changes with q neither by little, its derivative being d, nor by much: sign(q) has the derivative 0, and so has q/sqrt(q^2). */
static bool is_without(nh_judge *j, nh_expr e, nh_expr d, nh_expr q)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    if (!occurs(eq, e, q))
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
    bool known = put_all_given(j, e, count, e);
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

/* What is true at one position is true at almost all. */
static bool is_analytic(nh_judge *j, const nh_expr *e, size_t count)
{
    nh_equations *eq = j->eq;
    bool *varies = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *varies);
    for (size_t i = 0; i < eq->n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, eq->model->coordinates[i].q, &index);
        varies[index] = true;
    }
    return nh_is_analytic(&j->algebra, e, count, varies);
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
        if (eq->model->constraints[a].given.kind != NH_LINEAR)
            return;
    nh_elimination *columns = nh_elimination_new(eq->modular, &eq->arena, r);
    nh_expr *column = nh_array(eq, r + 1);
    column[r] = eq->pool.zero;
    for (size_t i = 0; i < n && found < r; i++) {
        for (size_t a = 0; a < r; a++)
            column[a] = eq->second.C_i[a * n + i];
        nh_put_given(eq, column, r, column);
        if (nh_have_values(column, r) && cyclic[i] &&
            nh_elimination_add(columns, column) == NH_ROW_INDEPENDENT)
            dependent[i] = true, found++;
    }
    bool almost_all = found == r && is_analytic(j, eq->second.C_i, r * n);
    if (found == r)
        nh_add_fact(j, "caplygin-form", almost_all ? NH_PROVED : NH_TESTED,
                    sentence(j, "the velocities of ", names_of(j, dependent, true),
                             sentence(j, " follow from those of ", names_of(j, dependent, false),
                                      almost_all ? ", at almost all states, and the former coordinates "
                                                   "occur nowhere"
                                                 : ", where it was tested, and the former coordinates "
                                                   "occur nowhere")));
}

/* q'^i = 0 on C: the constraints leave less of the configuration space than it seems. */
static void judge_constant(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n, count = 0;
    bool *constant = nh_arena_array(&eq->arena, n, sizeof *constant);
    for (size_t i = 0; i < n && eq->first.psi; i++) {
        nh_expr psi;
        constant[i] = put_all_given(j, &eq->first.psi[i], 1, &psi) &&
                      (psi == eq->pool.zero || nh_is_zero(&j->algebra, psi) == NH_YES);
        count += constant[i];
    }
    if (count)
        nh_add_fact(j, "constant-coordinates", nh_is_half_singular(j) ? NH_TESTED : NH_PROVED,
                    sentence(j, "", names_of(j, constant, true),
                             nh_is_half_singular(j)
                                 ? ": constant by the constraints, where these are independent"
                                 : ": constant by the constraints alone; the configuration space reduces"));
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
        if (!put_all_given(j, &rates[i], 1, &rates[i]))
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
        nh_expr turned, C;
        if (c->given.exact)
            continue;
        nh_put_given(eq, &c->C, 1, &C);
        C = C ? C : c->C;
        nh_substitute(pool, &eq->context->arena, &C, 1, rates, scaled, eq->n, &turned);
        nh_expr wanted = nh_mul(pool, nh_power(pool, s, c->given.degree), C);
        proved = c->given.kind == NH_HOMOGENEOUS && c->given.degree > 0 &&
                 nh_is_zero(&algebra, nh_sub(pool, turned, wanted)) == NH_YES;
    }
    nh_algebra_free(&algebra);
    return proved;
}
