/* Functions that satisfy linear equations along fields. */
#include "analyse/functions.h"

#include <math.h>

enum { MOST_FUNCTIONS = 160, MOST_FACTORS = 14, STATES = 5 };

/* With more variables, polar coordinates of two of them, and products of three, are left out. */
enum { MOST_VARIABLES = 5 };

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

static void add_products_of_three(nh_functions *f)
{
    nh_pool *pool = &f->space->eq->pool;
    const nh_expr *x = f->space->variables;
    for (size_t i = 0; i < f->space->n && f->space->n <= MOST_VARIABLES; i++)
        for (size_t k = 0; k <= i; k++)
            for (size_t l = 0; l <= k; l++)
                nh_functions_add(f, nh_mul(pool, nh_mul(pool, x[i], x[k]), x[l]));
}

/* log(1 + sin) and the like: what dx/cos(x) and dx/sin(x) lead to. */
static void add_integrals_of_turns(nh_functions *f, size_t count)
{
    nh_pool *pool = &f->space->eq->pool;
    for (size_t i = 0; i < count; i++) {
        nh_node node = nh_get(pool, f->items[i]);
        if (node.kind != NH_CALL || (node.function != NH_FN_sin && node.function != NH_FN_cos))
            continue;
        add_logarithm(f, nh_add(pool, pool->one, f->items[i]));
        add_logarithm(f, nh_sub(pool, pool->one, f->items[i]));
    }
}

/* atan(x/y) and log(x^2 + y^2) for two lengths among the variables. */
static void add_polar(nh_functions *f, nh_expr x, nh_expr y)
{
    nh_pool *pool = &f->space->eq->pool;
    nh_functions_add(f, nh_call(pool, NH_FN_atan, nh_div(pool, x, y), NH_EXPR_NONE));
    add_logarithm(f, nh_add(pool, nh_power(pool, x, 2), nh_power(pool, y, 2)));
}

static void add_all_polar(nh_functions *f)
{
    const nh_coordinate *q = f->space->eq->model->coordinates;
    for (size_t i = 0; i < f->space->eq->n && f->space->n <= MOST_VARIABLES; i++)
        for (size_t k = 0; k < i; k++)
            if (!q[i].angle && !q[k].angle)
                add_polar(f, q[k].q, q[i].q);
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
    add_all_polar(f);
    add_denominators(f, &walk);
    for (size_t i = 0; i < count; i++)
        nh_functions_add_logarithms(f, occurring[i]);
    add_integrals_of_turns(f, simple);
    add_products(f, simple);
    if (!f->periodic)
        add_products_of_three(f);
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
    size_t wanted, found;
    nh_expr *out, *gradients; /* gradients: wanted x n */
} search;

/* The rank of rows of numbers, by Gauss elimination with the largest pivots; what is left of a row is nothing where it is small
 * compared with the row. */
static size_t rank_of(double *M, size_t rows, size_t columns)
{
    size_t rank = 0;
    for (; rank < rows; rank++) {
        double *row = M + rank * columns, size = 0;
        size_t pivot = 0;
        for (size_t j = 0; j < columns; j++)
            pivot = fabs(row[j]) > fabs(row[pivot]) ? j : pivot;
        for (size_t j = 0; j < columns; j++)
            size += isfinite(row[j]) ? 0 : INFINITY;
        if (!(fabs(row[pivot]) > 1e-8) || size > 0)
            return rank;
        for (size_t i = rank + 1; i < rows; i++) {
            double factor = M[i * columns + pivot] / row[pivot];
            for (size_t j = 0; j < columns; j++)
                M[i * columns + j] -= factor * row[j];
        }
    }
    return rank;
}

/* With a corner a function may be a number on one side of it, as x + sqrt(x^2) is. */
static bool has_corner(nh_space *space, nh_expr f)
{
    nh_walk walk = nh_walk_of(&space->eq->pool, &space->eq->arena, &f, 1);
    bool has = false;
    for (size_t i = 0; i < walk.count && !has; i++)
        has = nh_corner_argument(&space->eq->pool, walk.nodes[i]) != NH_EXPR_NONE;
    return has;
}

/* The first ones are positive, and less than 1; the others are on both sides of 0, near and far. */
static double *state_of(nh_space *space, int number)
{
    double *values = nh_space_state(space, number % STATES);
    for (size_t i = 0; i < space->n && number >= STATES; i++) {
        uint64_t bits = nh_hash((uint64_t)number * 1000003 + i) >> 20;
        uint32_t index = 0;
        nh_is_symbol(&space->eq->pool, space->variables[i], &index);
        values[index] *= (bits & 1 && space->algebra.signs[index] == 0 ? -1 : 1) * (bits & 2 ? 20 : 1);
    }
    return values;
}

/* Whether the first rows of the gradients are independent at one of some states, or at each of more of them. */
static bool are_independent(search *s, size_t rows, bool each)
{
    nh_space *space = s->space;
    double *M = nh_arena_array(&space->eq->arena, rows * space->n + 1, sizeof *M);
    int independent = 0, seen = 0;
    for (int state = 0; state < (each ? 8 : 1) * STATES && (each || !independent); state++) {
        bool finite = true;
        nh_evaluate(&space->eq->pool, &space->eq->context->arena, s->gradients, rows * space->n,
                    state_of(space, state), M, NULL);
        for (size_t i = 0; i < rows * space->n; i++)
            finite = finite && isfinite(M[i]);
        seen += finite, independent += finite && rank_of(M, rows, space->n) == rows;
    }
    return independent && (!each || independent == seen);
}

/* A function whose differential is no combination of those of the others. */
static void take(search *s, nh_expr f)
{
    nh_equations *eq = s->space->eq;
    uint32_t symbol;
    if (s->found == s->wanted)
        return;
    nh_gradient(&eq->pool, &eq->context->arena, &f, NULL, 1, s->space->variables, s->space->n,
                s->gradients + s->found * s->space->n);
    if (!are_independent(s, s->found + 1, has_corner(s->space, f)))
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
    search s = {.space = space, .constant = nh_constants(space), .wanted = wanted, .out = out};
    s.gradients = nh_space_rows(space, wanted);
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
