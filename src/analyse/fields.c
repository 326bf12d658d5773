/* The space in which the admissible velocities are fields. */
#include "analyse/fields.h"

#include <math.h>
#include <string.h>

/* Of one job; beyond so many operations an expression is left as it is. */
enum { MOST_TERMS = 2000, MOST_OPERATIONS = 1200 };

/* Operations of all of psi, or of Z, and components of the psi_alpha, beyond which nothing is tried. */
enum { LONG = 3000, MOST_COMPONENTS = 500 };

/* Beyond so many, second derivatives of psi by most of them are left out. */
enum { MOST_VELOCITIES = 4 };

static const double JOB_SECONDS = 0.5;

bool nh_is_late(const nh_space *s) { return nh_seconds() > s->deadline; }

bool nh_is_long(nh_equations *eq, const nh_expr *e, size_t count)
{
    return nh_count_operations(&eq->pool, &eq->context->arena, e, count) > LONG;
}

nh_expr *nh_space_rows(nh_space *s, size_t count)
{
    return nh_arena_array(&s->eq->arena, count * s->n + 1, sizeof(nh_expr));
}

bool nh_is_affine(const nh_equations *eq)
{
    const nh_model *model = eq->model;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].given.kind != NH_LINEAR && model->constraints[a].given.kind != NH_AFFINE)
            return false;
    return model->r > 0 || !model->psi || model->psi_given.kind != NH_NONLINEAR;
}

bool nh_all_have_values(const nh_expr *e, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; i++)
        all = all && e[i] != NH_EXPR_NONE;
    return all;
}

bool nh_put_own_values(nh_equations *eq, const nh_expr *e, size_t count, nh_expr *out)
{
    const nh_model *model = eq->model;
    size_t found = 0;
    nh_expr *symbols = nh_arena_array(&eq->arena, model->n_parameters + 1, sizeof *symbols),
            *values = nh_arena_array(&eq->arena, model->n_parameters + 1, sizeof *values);
    for (size_t i = 0; i < model->n_parameters; i++)
        if (model->parameters[i].value)
            symbols[found] = model->parameters[i].symbol, values[found++] = model->parameters[i].value;
    memcpy(out, e, count * sizeof *out);
    for (size_t pass = 0; pass < found; pass++) /* values may be formulas in formulas */
        nh_substitute(&eq->pool, &eq->context->arena, out, count, symbols, values, found, out);
    return nh_all_have_values(out, count);
}

size_t nh_positional(const nh_equations *eq)
{
    size_t count = 0;
    for (size_t a = 0; a < eq->model->r; a++)
        count += eq->model->constraints[a].position != NH_EXPR_NONE;
    return count;
}

bool nh_depends_on(nh_equations *eq, nh_expr e, nh_expr symbol)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends);
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    nh_find_symbols(&eq->pool, scratch, &e, 1, depends);
    bool found = depends[index];
    nh_arena_release(scratch, mark);
    return found;
}

bool nh_depends_on_variables(nh_space *s, nh_expr e)
{
    bool any = false;
    for (size_t i = 0; i < s->n && !any; i++)
        any = nh_depends_on(s->eq, e, s->variables[i]);
    return any;
}

/* ---------------------------------------------------------------- the fields */

/* psi at z = 0: the part X_0 of q' = X_0 + X_alpha z^alpha. */
static void rest_of_psi(nh_equations *eq, const nh_expr *psi, nh_expr *rest)
{
    nh_expr *z = nh_arena_array(&eq->arena, eq->m + 1, sizeof *z),
            *zero = nh_arena_array(&eq->arena, eq->m + 1, sizeof *zero);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        z[alpha] = eq->z[alpha].symbol, zero[alpha] = eq->pool.zero;
    nh_substitute(&eq->pool, &eq->context->arena, psi, eq->n, z, zero, eq->m, rest);
}

static bool all_zero(nh_space *s, const nh_expr *e, size_t count)
{
    bool zero = true;
    for (size_t i = 0; i < count && zero; i++)
        zero = nh_space_is_zero(s, e[i]) == NH_YES;
    return zero;
}

static void add_field(nh_space *s, const nh_expr *field, bool with_time)
{
    nh_expr *row = s->X + s->m++ * s->n;
    memcpy(row, field, s->eq->n * sizeof *row);
    if (s->timed)
        row[s->n - 1] = with_time ? s->eq->pool.one : s->eq->pool.zero;
}

/* d^2 psi/dz^alpha dz^beta: with psi and psi_alpha, what the velocities near one of them span to second order. Of many, only one. */
static void add_second_derivatives(nh_space *s)
{
    nh_equations *eq = s->eq;
    nh_expr *out = nh_space_rows(s, 1);
    size_t m = eq->m <= MOST_VELOCITIES ? eq->m : 1;
    for (size_t alpha = 0; alpha < m; alpha++)
        for (size_t beta = alpha; beta < m; beta++) {
            nh_directional(&eq->pool, &eq->context->arena, eq->first.psi_alpha + alpha * eq->n, eq->n,
                           &eq->z[beta].symbol, &eq->pool.one, 1, out);
            add_field(s, out, false);
        }
}

static bool is_homogeneous(const nh_equations *eq)
{
    bool all = eq->model->r > 0;
    for (size_t a = 0; a < eq->model->r; a++)
        all = all && (eq->model->constraints[a].given.kind == NH_LINEAR ||
                      eq->model->constraints[a].given.kind == NH_HOMOGENEOUS);
    return all;
}

/* False: they are divided by a parameter that is 0. */
static bool find_fields(nh_space *s)
{
    nh_equations *eq = s->eq;
    bool affine = nh_is_affine(eq);
    nh_expr *rest = nh_arena_array(&eq->arena, eq->n + 1, sizeof *rest),
            *psi = nh_arena_array(&eq->arena, eq->n + 1, sizeof *psi);
    nh_put_given(eq, eq->first.psi, eq->n, psi);
    if (!nh_all_have_values(psi, eq->n))
        return false;
    memcpy(rest, psi, eq->n * sizeof *rest);
    if (affine)
        rest_of_psi(eq, psi, rest);
    for (size_t i = 0; i < eq->n; i++)
        s->timed = s->timed || nh_depends_on(eq, psi[i], eq->model->time);
    s->timed = s->timed || (affine ? !all_zero(s, rest, eq->n) : !is_homogeneous(eq));
    s->n = eq->n + s->timed;
    s->variables = nh_space_rows(s, 1);
    for (size_t i = 0; i < eq->n; i++)
        s->variables[i] = eq->model->coordinates[i].q;
    if (s->timed)
        s->variables[eq->n] = eq->model->time;
    s->X = nh_space_rows(s, 1 + eq->m + (affine ? 0 : eq->m * (eq->m + 1) / 2));
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        add_field(s, eq->first.psi_alpha + alpha * eq->n, false);
    if (s->timed || !affine)
        add_field(s, rest, true);
    if (!affine)
        add_second_derivatives(s);
    nh_put_given(eq, s->X, s->m * s->n, s->X);
    if (!nh_all_have_values(s->X, s->m * s->n))
        return false;
    nh_space_simplify(s, s->X, s->m * s->n);
    return true;
}

const char *nh_space_init(nh_space *s, nh_equations *eq, double max_seconds)
{
    if (!eq->first.psi)
        return "not looked for without parametric equations";
    const char *dependence = nh_dependence(eq);
    if (dependence)
        return dependence;
    if (eq->m * eq->n > MOST_COMPONENTS)
        return "not looked for with so many velocities";
    if (nh_is_long(eq, eq->first.psi, eq->n))
        return "not looked for: the parametric equations are too long";
    *s = (nh_space){.eq = eq, .deadline = nh_seconds() + max_seconds};
    signed char *signs = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(eq->model, &eq->context->arena), eq->model->pool.n_symbols);
    nh_algebra_init(&s->algebra, &eq->pool, &(nh_budget){.max_terms = MOST_TERMS, .max_seconds = JOB_SECONDS},
                    signs);
    if (find_fields(s))
        return NULL;
    nh_space_free(s);
    return "not looked for: the derivation divides by a parameter that is 0";
}

void nh_space_free(nh_space *s) { nh_algebra_free(&s->algebra); }

/* 1/u, or another function than these, of something that varies. */
static bool is_pole(nh_space *s, nh_expr e)
{
    nh_node node = nh_get(&s->eq->pool, e);
    nh_rational exponent;
    if (node.kind == NH_CALL)
        return node.function != NH_FN_sin && node.function != NH_FN_cos && node.function != NH_FN_exp &&
               node.function != NH_FN_sinh && node.function != NH_FN_cosh && nh_depends_on_variables(s, e);
    return node.kind == NH_POW &&
           !(nh_is_number(&s->eq->pool, node.b, &exponent) && nh_rational_is_int(exponent) &&
             nh_rational_sign(exponent) > 0) &&
           nh_depends_on_variables(s, node.a);
}

bool nh_space_has_poles(nh_space *s)
{
    nh_walk walk = nh_walk_of(&s->eq->pool, &s->eq->arena, s->X, s->m * s->n);
    bool found = false;
    for (size_t i = 0; i < walk.count && !found; i++)
        found = is_pole(s, walk.nodes[i]);
    return found;
}

/* ---------------------------------------------------------------- decisions */

static bool is_within_reach(nh_space *s, nh_expr e)
{
    nh_arena *scratch = &s->eq->context->arena;
    return !nh_has_solve(&s->eq->pool, scratch, &e, 1) &&
           nh_count_operations(&s->eq->pool, scratch, &e, 1) <= MOST_OPERATIONS && !nh_is_late(s);
}

nh_answer nh_space_is_zero(nh_space *s, nh_expr e)
{
    if (e == s->eq->pool.zero)
        return NH_YES;
    if (e == NH_EXPR_NONE)
        return NH_UNKNOWN;
    if (is_within_reach(s, e))
        return nh_is_zero(&s->algebra, e);
    return nh_space_seems_zero(s, e) == NH_NO ? NH_NO : NH_UNKNOWN;
}

nh_answer nh_space_seems_zero(nh_space *s, nh_expr e)
{
    return nh_zero_test(s->eq->modular, &s->eq->context->arena, e, s->algebra.signs);
}

static bool is_plain(const nh_pool *pool, nh_expr e)
{
    nh_kind kind = (nh_kind)nh_get(pool, e).kind;
    return kind == NH_NUMBER || kind == NH_SYMBOL || kind == NH_PI || kind == NH_NONE;
}

void nh_space_simplify(nh_space *s, nh_expr *e, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        nh_expr out;
        if (!is_plain(&s->eq->pool, e[i]) && is_within_reach(s, e[i]) &&
            nh_simplify(&s->algebra, &e[i], 1, &out))
            e[i] = out;
    }
}

void nh_along(nh_space *s, const nh_expr *X, const nh_expr *f, size_t count, nh_expr *out)
{
    nh_directional(&s->eq->pool, &s->eq->context->arena, f, count, s->variables, X, s->n, out);
}

bool nh_space_relations(nh_space *s, nh_relations *r, size_t m, size_t count, const nh_expr *e,
                        const bool *constant)
{
    double left = s->deadline - nh_seconds(), usual = s->algebra.budget.max_seconds;
    s->algebra.budget.max_seconds = left > 0 ? left : 0.001;
    bool found = nh_relations_find(r, &s->algebra, m, count, e, constant);
    s->algebra.budget.max_seconds = usual;
    return found;
}

nh_expr *nh_space_relation(nh_space *s, nh_relations *r, size_t i)
{
    nh_pool *pool = &s->eq->pool;
    nh_expr *a = nh_arena_array(&s->eq->arena, r->count + 1, sizeof *a);
    bool proved = nh_relations_write(r, r->vectors[i], a);
    for (size_t k = 0; k < r->rows && proved; k++) {
        nh_expr sum = pool->zero;
        for (size_t j = 0; j < r->count; j++)
            sum = nh_add(pool, sum, nh_mul(pool, a[j], r->e[k * r->count + j]));
        proved = nh_space_is_zero(s, sum) == NH_YES;
    }
    return proved ? a : NULL;
}

double *nh_space_state(nh_space *s, int which)
{
    nh_equations *eq = s->eq;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    for (size_t i = 0; i < eq->model->n_roles; i++)
        values[i] = NAN;
    nh_model_parameter_values(eq->model, &eq->context->arena, values);
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        if (i >= eq->model->n_roles || !isfinite(values[i]))
            values[i] =
                (s->algebra.signs[i] < 0 ? -1 : 1) * (0.3 + 0.07 * (double)(i * (size_t)(1 + which) % 11));
    return values;
}

nh_expr nh_space_positive(nh_space *s, nh_expr e)
{
    double value;
    nh_evaluate(&s->eq->pool, &s->eq->context->arena, &e, 1, nh_space_state(s, 0), &value, NULL);
    return value < 0 ? nh_neg(&s->eq->pool, e) : e;
}

/* ---------------------------------------------------------------- facts */

const char *nh_space_text(nh_space *s, nh_expr e, size_t limit)
{
    nh_text text;
    nh_text_init(&text, &s->eq->arena);
    nh_expr_print(&text, &s->eq->pool, e, limit);
    return nh_text_get(&text);
}

void nh_fact_insert(nh_equations *eq, nh_facts *facts, size_t at, nh_fact fact)
{
    nh_push(&eq->arena, facts->items, facts->count, facts->capacity) = fact;
    for (size_t i = facts->count - 1; i > at; i--)
        facts->items[i] = facts->items[i - 1];
    facts->items[at] = fact;
}
