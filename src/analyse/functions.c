/* Functions that satisfy linear equations along fields. */
#include "analyse/functions.h"

enum { MOST_FUNCTIONS = 120, MOST_FACTORS = 14 };

void nh_functions_init(nh_functions *f, nh_space *space, bool periodic)
{
    *f = (nh_functions){.space = space, .periodic = periodic};
}

void nh_functions_add(nh_functions *f, nh_expr e)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->items[i] == e)
            return;
    if (e && f->count < MOST_FUNCTIONS && nh_depends_on_variables(f->space, e))
        nh_push(&f->space->eq->arena, f->items, f->count, f->capacity) = e;
}

static void add_logarithm(nh_functions *f, nh_expr e)
{
    nh_functions_add(f, nh_call(&f->space->eq->pool, NH_FN_log, e, NH_EXPR_NONE));
}

void nh_functions_add_logarithms(nh_functions *f, nh_expr e)
{
    nh_space *space = f->space;
    nh_expr factors[MOST_FACTORS];
    size_t count = 0;
    if (nh_depends_on_variables(space, e) && !nh_is_late(space))
        nh_factors(&space->algebra, e, MOST_FACTORS, &count, factors);
    for (size_t i = 0; i < count; i++)
        add_logarithm(f, nh_space_positive(space, factors[i]));
}

/* ---------------------------------------------------------------- what occurs */

/* sin and cos come together. */
static void add_calls(nh_functions *f, const nh_walk *walk)
{
    nh_pool *pool = &f->space->eq->pool;
    for (size_t i = 0; i < walk->count; i++) {
        nh_node node = nh_get(pool, walk->nodes[i]);
        if (node.kind != NH_CALL)
            continue;
        bool turns = node.function == NH_FN_sin || node.function == NH_FN_cos || node.function == NH_FN_tan;
        nh_functions_add(f, turns ? nh_call(pool, NH_FN_sin, node.a, NH_EXPR_NONE) : walk->nodes[i]);
        if (turns)
            nh_functions_add(f, nh_call(pool, NH_FN_cos, node.a, NH_EXPR_NONE));
    }
}

static void add_denominators(nh_functions *f, const nh_walk *walk)
{
    nh_pool *pool = &f->space->eq->pool;
    for (size_t i = 0; i < walk->count; i++) {
        nh_node node = nh_get(pool, walk->nodes[i]);
        nh_rational exponent;
        if (node.kind == NH_POW && nh_is_number(pool, node.b, &exponent) && nh_rational_sign(exponent) < 0)
            nh_functions_add_logarithms(f, node.a);
    }
}

static void add_products(nh_functions *f, size_t count)
{
    count = count < MOST_FACTORS ? count : MOST_FACTORS;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= i; k++)
            nh_functions_add(f, nh_mul(&f->space->eq->pool, f->items[i], f->items[k]));
}

void nh_functions_fill(nh_functions *f, const nh_expr *occurring, size_t count, nh_wealth wealth)
{
    nh_equations *eq = f->space->eq;
    nh_walk walk = nh_walk_of(&eq->pool, &eq->arena, occurring, count);
    for (size_t i = 0; i < f->space->n; i++)
        if (!f->periodic || i >= eq->n || !eq->model->coordinates[i].angle)
            nh_functions_add(f, f->space->variables[i]);
    if (wealth >= NH_OCCURRING)
        add_calls(f, &walk);
    if (wealth < NH_PRODUCTS)
        return;
    size_t simple = f->count;
    for (size_t i = 0; i < simple; i++)
        add_logarithm(f, f->items[i]);
    add_denominators(f, &walk);
    for (size_t i = 0; i < count; i++)
        nh_functions_add_logarithms(f, occurring[i]);
    add_products(f, simple);
}

/* ---------------------------------------------------------------- what is constant */

bool *nh_constants(nh_space *s)
{
    nh_equations *eq = s->eq;
    bool *constant = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *constant);
    for (size_t i = 0; i < eq->model->n_roles; i++)
        constant[i] = eq->model->roles[i].role == NH_ROLE_PARAMETER;
    return constant;
}

static bool is_logarithm(const nh_pool *pool, nh_expr e)
{
    nh_node node = nh_get(pool, e);
    return node.kind == NH_CALL && node.function == NH_FN_log;
}

nh_expr nh_exponential_of(nh_space *s, size_t count, const nh_expr *a, const nh_expr *e)
{
    nh_pool *pool = &s->eq->pool;
    nh_expr product = pool->one, rest = pool->zero;
    for (size_t k = 0; k < count; k++)
        if (is_logarithm(pool, e[k]))
            product = nh_mul(pool, product, nh_pow(pool, nh_get(pool, e[k]).a, a[k]));
        else
            rest = nh_add(pool, rest, nh_mul(pool, a[k], e[k]));
    if (rest == pool->zero)
        return product;
    return nh_mul(pool, product, nh_call(pool, NH_FN_exp, rest, NH_EXPR_NONE));
}

/* sum_k a_k e_k, or its exponential, where logarithms with numbers for their coefficients are among them. */
static nh_expr combination(nh_space *s, size_t count, const nh_expr *a, const nh_expr *e)
{
    nh_pool *pool = &s->eq->pool;
    nh_expr sum = pool->zero;
    bool logarithms = false, numbers = true;
    for (size_t k = 0; k < count; k++) {
        sum = nh_add(pool, sum, nh_mul(pool, a[k], e[k]));
        if (a[k] != pool->zero && is_logarithm(pool, e[k]))
            logarithms = true, numbers = numbers && nh_is_number(pool, a[k], NULL);
    }
    return logarithms && numbers ? nh_exponential_of(s, count, a, e) : sum;
}

typedef struct search {
    nh_space *space;
    bool *constant;
    nh_elimination *gradients;
    size_t wanted, found;
    nh_expr *out;
} search;

/* A function whose differential is no combination of those of the others. */
static void take(search *s, nh_expr f)
{
    nh_equations *eq = s->space->eq;
    nh_expr *row = nh_space_rows(s->space, 2);
    uint32_t symbol;
    nh_gradient(&eq->pool, &eq->context->arena, &f, NULL, 1, s->space->variables, s->space->n, row);
    row[s->space->n] = eq->pool.zero;
    if (s->found == s->wanted || nh_elimination_add(s->gradients, row) != NH_ROW_INDEPENDENT)
        return;
    nh_space_simplify(s->space, &f, 1);
    s->out[s->found++] = f;
    if (nh_is_symbol(&eq->pool, f, &symbol))
        s->constant[symbol] = true;
}

static void look_among(search *s, const nh_functions *f)
{
    nh_space *space = s->space;
    nh_expr *e = nh_arena_array(&space->eq->arena, space->m * f->count + 1, sizeof *e);
    nh_relations relations;
    for (size_t k = 0; k < space->m; k++)
        nh_along(space, space->X + k * space->n, f->items, f->count, e + k * f->count);
    bool found = nh_space_relations(space, &relations, space->m, f->count, e, s->constant);
    for (size_t i = 0; found && i < relations.found && s->found < s->wanted && !nh_is_late(space); i++) {
        const nh_expr *a = nh_space_relation(space, &relations, i);
        if (a)
            take(s, combination(space, f->count, a, f->items));
    }
    nh_relations_free(&relations);
}

/* Among few functions first. A coordinate that is constant is a constant for those that are looked for behind it. */
size_t nh_find_constant(nh_space *space, size_t wanted, nh_expr *out)
{
    nh_equations *eq = space->eq;
    search s = {.space = space, .constant = nh_constants(space), .wanted = wanted, .out = out};
    s.gradients = nh_elimination_new(eq->modular, &eq->arena, space->n);
    for (int wealth = 0; wealth < NH_WEALTH_COUNT && s.found < wanted && !nh_is_late(space); wealth++) {
        size_t before = s.found;
        nh_functions f;
        nh_functions_init(&f, space, false);
        nh_functions_fill(&f, space->X, space->m * space->n, (nh_wealth)wealth);
        look_among(&s, &f);
        wealth -= s.found > before && s.found < wanted;
    }
    return s.found;
}
