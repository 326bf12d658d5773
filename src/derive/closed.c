/* Non-linear constraints solved in closed form: C(q,q',t) = 0 to q' = psi(q,z,t).
 *
 * Of a product, only the factor is kept that vanishes at the start: x'^2 = y'^2 is x' = y' or x' = -y'. What it is divided by is
 * none of its factors; where equations cannot be solved as they are written, it is left out: x'/y' = 2 is x' - 2 y' = 0.
 * Equations that are linear in a velocity, with a coefficient that is free of velocities and never zero, are solved for it and
 * put into the others: such a solution has no branches, and no end. If one equation is left, it is
 *     k (v1 v4 - v2 v3) = 0   parallel velocities: v1 = u1 cos u3, v2 = u1 sin u3, v3 = u2 cos u3, v4 = u2 sin u3
 *     k (v1^2 + v2^2) = c     with c free of velocities: v1 = sqrt(c/k) cos u, v2 = sqrt(c/k) sin u
 *     a v^2 + b v + c = 0     v = (-b +- sqrt(b^2 - 4 a c))/(2 a) on the branch of the initial state
 * and all velocities that are left are the z. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>
#include <string.h>

typedef struct closed {
    nh_equations *eq;
    nh_expr *v;     /* the velocities q'^i as symbols */
    nh_expr *value; /* what they are, in those that are left and the z */
    nh_expr *C;     /* the equations that are left */
    size_t left;
    bool *solved;             /* by coordinate */
    bool *independent;        /* by coordinate: named by the model; NULL: none named */
    const double *start;      /* a state on C by symbol, or NULL */
    double steepest;          /* the largest |dC/dv_i| there, for the one equation that is left */
    const signed char *signs; /* of the model's symbols */
    nh_expr *branch;          /* by constraint: the factor that is followed; NH_EXPR_NONE: it is no product */
    nh_expr *
        above; /* by constraint: what is left of C without a denominator with velocities; C where there is none */
} closed;

static nh_expr derivative(closed *c, nh_expr e, size_t i)
{
    return nh_derivative(&c->eq->pool, &c->eq->context->arena, e, c->v[i]);
}

/* NH_EXPR_NONE: it has no value there. */
static nh_expr without(closed *c, nh_expr e, size_t i)
{
    nh_expr out;
    nh_substitute(&c->eq->pool, &c->eq->context->arena, &e, 1, &c->v[i], &c->eq->pool.zero, 1, &out);
    return out;
}

static bool may_solve(const closed *c, size_t i)
{
    return !c->solved[i] && !(c->independent && c->independent[i]);
}

/* ---------------------------------------------------------------- signs, as far as they can be seen */

enum { DEEPEST = 4 };

static int sign_of(closed *c, nh_expr e, int depth, bool *never_zero);

/* A parameter has the sign of its value; a sum that of its terms. */
static int sign_of_base(closed *c, nh_expr e, int depth, bool *never_zero)
{
    uint32_t index;
    const nh_model *model = c->eq->model;
    *never_zero = false;
    if (nh_get(&c->eq->pool, e).kind == NH_ADD && depth < DEEPEST)
        return sign_of(c, e, depth + 1, never_zero);
    if (!nh_is_symbol(&c->eq->pool, e, &index) || index >= model->pool.n_symbols)
        return 0;
    int sign = c->signs[index];
    *never_zero = sign != 0;
    return sign;
}

/* A product of numbers, parameters and even powers: +1 or -1, and *never_zero where no factor can vanish; 0: not seen. */
static int sign_of_product(closed *c, nh_product p, int depth, bool *never_zero)
{
    int sign = nh_rational_sign(p.number);
    for (size_t k = 0; k < p.count; k++) {
        bool never = false;
        int of_base = sign_of_base(c, p.factors[k].base, depth, &never);
        *never_zero = *never_zero && never;
        if (p.factors[k].exponent % 2)
            sign *= of_base;
    }
    return sign;
}

/* The sign that all terms have; 0: they differ, or are not seen. */
static int sign_of(closed *c, nh_expr e, int depth, bool *never_zero)
{
    nh_sum sum = nh_sum_of(&c->eq->pool, &c->eq->arena, e);
    int sign = 0;
    *never_zero = false;
    for (size_t k = 0; k < sum.count; k++) {
        bool term_never = true;
        int of_term = sign_of_product(c, sum.terms[k], depth, &term_never);
        if (of_term == 0 || (sign && of_term != sign)) {
            *never_zero = false;
            return 0;
        }
        sign = of_term;
        *never_zero = *never_zero || term_never;
    }
    return sign;
}

static bool is_never_zero(closed *c, nh_expr e)
{
    bool never = false;
    return sign_of(c, e, 0, &never) != 0 && never;
}

/* By velocity that is left: whether it stands in e, where it may cancel; how many do. */
static size_t standing_in(closed *c, nh_expr e, bool *stands)
{
    nh_arena *scratch = &c->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, c->eq->pool.n_symbols + 1, sizeof *depends);
    size_t count = 0;
    nh_find_symbols(&c->eq->pool, scratch, &e, 1, depends);
    for (size_t i = 0; i < c->eq->n; i++) {
        uint32_t index = 0;
        stands[i] = !c->solved[i] && nh_is_symbol(&c->eq->pool, c->v[i], &index) && depends[index];
        count += stands[i];
    }
    nh_arena_release(scratch, mark);
    return count;
}

/* Whether a velocity that is left occurs. */
static bool has_velocity(closed *c, nh_expr e)
{
    bool *stands = nh_arena_array(&c->eq->arena, c->eq->n + 1, sizeof *stands);
    if (standing_in(c, e, stands) == 0)
        return false;
    for (size_t i = 0; i < c->eq->n; i++)
        if (stands[i] && !nh_is_null(c->eq, derivative(c, e, i)))
            return true;
    return false;
}

/* ---------------------------------------------------------------- putting in */

/* v_i = value, in everything. */
static void put_in(closed *c, size_t i, nh_expr value)
{
    nh_equations *eq = c->eq;
    c->solved[i] = true;
    c->value[i] = value;
    nh_substitute(&eq->pool, &eq->context->arena, c->value, eq->n, &c->v[i], &value, 1, c->value);
    nh_substitute(&eq->pool, &eq->context->arena, c->C, c->left, &c->v[i], &value, 1, c->C);
}

static void drop(closed *c, size_t a) { c->C[a] = c->C[--c->left]; }

static bool is_affine(closed *c, nh_expr C)
{
    bool *stands = nh_arena_array(&c->eq->arena, c->eq->n + 1, sizeof *stands);
    standing_in(c, C, stands);
    for (size_t i = 0; i < c->eq->n; i++)
        if (stands[i] && has_velocity(c, derivative(c, C, i)))
            return false;
    return true;
}

/* An equation that is linear in a velocity, whose coefficient is never zero; affine: in all of them. */
static bool solve_linear_one(closed *c, bool affine)
{
    nh_pool *pool = &c->eq->pool;
    bool *stands = nh_arena_array(&c->eq->arena, c->eq->n + 1, sizeof *stands);
    for (size_t a = 0; a < c->left; a++) {
        if (affine && !is_affine(c, c->C[a]))
            continue;
        standing_in(c, c->C[a], stands);
        for (size_t i = c->eq->n; i-- > 0;) {
            nh_expr slope = stands[i] && may_solve(c, i) ? derivative(c, c->C[a], i) : pool->zero;
            if (nh_is_null(c->eq, slope) || has_velocity(c, slope) || !is_never_zero(c, slope))
                continue;
            nh_expr rest = without(c, c->C[a], i);
            if (!rest)
                continue;
            nh_expr value = nh_neg(pool, nh_div(pool, rest, slope));
            drop(c, a);
            put_in(c, i, value);
            return true;
        }
    }
    return false;
}

/* The affine ones, then at most two others: squares of squares of squares are of no use in numbers. */
static void solve_linear(closed *c)
{
    while (c->left && solve_linear_one(c, true))
        ;
    for (int k = 0; k < 2 && c->left && solve_linear_one(c, false); k++)
        ;
}

/* ---------------------------------------------------------------- names */

/* The z, in order: those of the solution that are new, in the names of `made`, then the velocities that are left. */
typedef struct naming {
    nh_expr made[3];
    size_t count;
} naming;

/* Velocities that are left become z: named ones keep their names. */
static void finish(closed *c, const naming *n)
{
    nh_equations *eq = c->eq;
    size_t alpha = 0;
    for (size_t k = 0; k < n->count; k++, alpha++)
        nh_substitute(&eq->pool, &eq->context->arena, c->value, eq->n, &n->made[k], &eq->z[alpha].symbol, 1,
                      c->value);
    for (size_t k = 0; c->independent && k < eq->model->n_independent; k++)
        nh_name_as_rate(eq, alpha++, eq->model->independent[k]);
    for (size_t i = 0; !c->independent && i < eq->n; i++)
        if (!c->solved[i])
            put_in(c, i, eq->z[alpha++].symbol);
    eq->first.psi = nh_array(eq, eq->n);
    memcpy(eq->first.psi, c->value, eq->n * sizeof *c->value);
}

/* ---------------------------------------------------------------- k (v1 v4 - v2 v3) = 0 */

/* The coefficient of v_i v_j, if it is free of velocities and never zero. */
static nh_expr mixed(closed *c, size_t i, size_t j)
{
    nh_expr e = derivative(c, derivative(c, c->C[0], i), j);
    return nh_is_null(c->eq, e) || has_velocity(c, e) || !is_never_zero(c, e) ? NH_EXPR_NONE : e;
}

/* Whether C is nothing but alpha v1 v4 + beta v2 v3. */
static bool is_sum_of(closed *c, nh_expr alpha, nh_expr beta, const size_t at[4])
{
    nh_pool *pool = &c->eq->pool;
    nh_expr first = nh_mul(pool, alpha, nh_mul(pool, c->v[at[0]], c->v[at[3]]));
    nh_expr second = nh_mul(pool, beta, nh_mul(pool, c->v[at[1]], c->v[at[2]]));
    return nh_is_null(c->eq, nh_sub(pool, c->C[0], nh_add(pool, first, second)));
}

/* Forms of few velocities are looked for where there are not many, which would have to cancel. */
enum { NOT_MANY = 12 };

/* Finds at[0] < at[3] and at[1] < at[2], four of them, with alpha v1 v4 + beta v2 v3 = C. */
static bool find_pairs(closed *c, size_t at[4], nh_expr *alpha, nh_expr *beta)
{
    size_t n = c->eq->n, pairs = 0;
    bool *stands = nh_arena_array(&c->eq->arena, n + 1, sizeof *stands);
    if (standing_in(c, c->C[0], stands) > NOT_MANY)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            nh_expr k = stands[i] && stands[j] ? mixed(c, i, j) : NH_EXPR_NONE;
            if (!k)
                continue;
            if (pairs == 0)
                at[0] = i, at[3] = j, *alpha = k;
            else
                at[1] = i, at[2] = j, *beta = k;
            pairs++;
        }
    bool apart = pairs == 2 && at[0] != at[1] && at[0] != at[2] && at[3] != at[1] && at[3] != at[2];
    return apart && is_sum_of(c, *alpha, *beta, at);
}

/* alpha v1 v4 + beta v2 v3 = 0: v1 = u1 cos u3, v2 = u1 sin u3, v3 = u2 alpha cos u3, v4 = -u2 beta sin u3; a common factor of
 * alpha and beta is left out. */
static bool solve_parallel(closed *c)
{
    nh_pool *pool = &c->eq->pool;
    size_t at[4];
    nh_expr alpha, beta;
    if (c->independent || !find_pairs(c, at, &alpha, &beta))
        return false;
    nh_expr ratio = nh_neg(pool, nh_div(pool, beta, alpha)), u[3];
    for (int k = 0; k < 3; k++)
        u[k] = nh_symbol_placed(pool, "u", NH_PLACED_THIRD);
    nh_expr cosine = nh_call(pool, NH_FN_cos, u[2], NH_EXPR_NONE),
            sine = nh_call(pool, NH_FN_sin, u[2], NH_EXPR_NONE);
    if (nh_is_null(c->eq, nh_sub(pool, ratio, pool->one)))
        ratio = pool->one;
    c->left = 0;
    put_in(c, at[0], nh_mul(pool, u[0], cosine));
    put_in(c, at[1], nh_mul(pool, u[0], sine));
    put_in(c, at[2], nh_mul(pool, u[1], cosine));
    put_in(c, at[3], nh_mul(pool, ratio, nh_mul(pool, u[1], sine)));
    finish(c, &(naming){{u[0], u[1], u[2]}, 3});
    return true;
}

/* ---------------------------------------------------------------- quadratic equations */

/* C = a v_i^2 + b v_i + rest, with a free of velocities and never zero. */
typedef struct quadratic {
    nh_expr a, b, rest;
} quadratic;

static bool is_quadratic(closed *c, size_t i, quadratic *q)
{
    nh_pool *pool = &c->eq->pool;
    nh_expr slope = derivative(c, c->C[0], i), twice = derivative(c, slope, i);
    if (nh_is_null(c->eq, twice) || !nh_is_null(c->eq, derivative(c, twice, i)) || has_velocity(c, twice))
        return false;
    q->a = nh_mul(pool, pool->half, twice);
    q->b = without(c, slope, i);
    q->rest = without(c, c->C[0], i);
    if (!q->b || !q->rest)
        return false;
    q->b = nh_is_null(c->eq, q->b) ? pool->zero : q->b;
    return is_never_zero(c, q->a);
}

/* Signs of two expressions are known, and are the same. */
static bool have_same_sign(closed *c, nh_expr a, nh_expr b)
{
    bool never;
    return sign_of(c, a, 0, &never) * sign_of(c, b, 0, &never) > 0;
}

/* C = a v_i^2 + b v_i + k v_j^2 + l v_j + rest, and no other velocities. */
static bool is_ellipse(closed *c, size_t i, size_t j, quadratic *p, quadratic *q)
{
    if (!is_quadratic(c, i, p) || !is_quadratic(c, j, q))
        return false;
    p->rest = q->rest = without(c, p->rest, j);
    return p->rest && !has_velocity(c, p->rest) && !has_velocity(c, p->b) && !has_velocity(c, q->b) &&
           have_same_sign(c, p->a, q->a);
}

/* v_i = -b/(2 a) + sqrt(S/a) cos u, v_j = -l/(2 k) + sqrt(S/k) sin u, S = b^2/(4 a) + l^2/(4 k) - rest: all of it, and no end of a branch. */
static void put_ellipse(closed *c, const size_t at[2], const quadratic *q[2])
{
    nh_pool *pool = &c->eq->pool;
    nh_expr u = nh_symbol_placed(pool, "u", NH_PLACED_THIRD), S = nh_neg(pool, q[0]->rest), centre[2];
    for (int k = 0; k < 2; k++) {
        centre[k] = nh_neg(pool, nh_div(pool, nh_mul(pool, pool->half, q[k]->b), q[k]->a));
        S = nh_add(pool, S, nh_mul(pool, q[k]->a, nh_mul(pool, centre[k], centre[k])));
    }
    c->left = 0;
    for (int k = 0; k < 2; k++) {
        nh_expr size = nh_call(pool, NH_FN_sqrt, nh_div(pool, S, q[k]->a), NH_EXPR_NONE);
        nh_expr turn = nh_call(pool, k ? NH_FN_sin : NH_FN_cos, u, NH_EXPR_NONE);
        put_in(c, at[k], nh_add(pool, centre[k], nh_mul(pool, size, turn)));
    }
    finish(c, &(naming){{u}, 1});
}

static bool solve_ellipse(closed *c)
{
    size_t n = c->eq->n;
    quadratic p, q;
    bool *stands = nh_arena_array(&c->eq->arena, n + 1, sizeof *stands);
    if (c->independent || standing_in(c, c->C[0], stands) > NOT_MANY)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (stands[i] && stands[j] && is_ellipse(c, i, j, &p, &q)) {
                put_ellipse(c, (size_t[]){i, j}, (const quadratic *[]){&p, &q});
                return true;
            }
    return false;
}

/* v + b/(2a) at the start: its sign is that of the branch, its size tells how far the end of the branch is. */
static double distance(closed *c, size_t i, const quadratic *q)
{
    nh_pool *pool = &c->eq->pool;
    nh_expr e = nh_add(pool, c->v[i], nh_div(pool, nh_mul(pool, pool->half, q->b), q->a));
    double value = 0;
    if (c->start)
        nh_evaluate(pool, &c->eq->context->arena, &e, 1, c->start, &value, NULL);
    return isfinite(value) ? value : 0;
}

/* Whether b^2 - 4 a c is a sum of positive terms, so that the branches never meet but where all of them vanish. */
static bool is_wide(closed *c, const quadratic *q)
{
    bool never;
    return q->b == c->eq->pool.zero && sign_of(c, q->a, 0, &never) * sign_of(c, q->rest, 0, &never) < 0;
}

/* Whether the branches of v_i meet at the start, though C is regular there: it has to be solved for another velocity. */
static bool ends_at_start(closed *c, size_t i, const quadratic *q)
{
    return c->start && fabs(distance(c, i, q)) <= 1e-6 && c->steepest > 1e-6;
}

/* The largest |dC/dv_i| at the start. */
static double steepest_at_start(closed *c)
{
    size_t n = c->eq->n;
    nh_expr *slopes = nh_array(c->eq, n);
    double *values = nh_arena_array(&c->eq->arena, n + 1, sizeof *values), steepest = 0;
    nh_gradient(&c->eq->pool, &c->eq->context->arena, c->C, NULL, 1, c->v, n, slopes);
    nh_evaluate(&c->eq->pool, &c->eq->context->arena, slopes, n, c->start, values, NULL);
    for (size_t k = 0; k < n; k++)
        steepest = c->solved[k] || !isfinite(values[k]) ? steepest : fmax(steepest, fabs(values[k]));
    return steepest;
}

/* The velocity to solve for: with branches that never meet, or the one that is farthest from the other branch at the start. */
static size_t best_of(closed *c, quadratic *best)
{
    size_t chosen = c->eq->n;
    double farthest = -1;
    bool *stands = nh_arena_array(&c->eq->arena, c->eq->n + 1, sizeof *stands);
    standing_in(c, c->C[0], stands);
    c->steepest = c->start ? steepest_at_start(c) : 0;
    for (size_t i = c->eq->n; i-- > 0 && farthest < INFINITY;) {
        quadratic q;
        if (!stands[i] || !may_solve(c, i) || !is_quadratic(c, i, &q) || ends_at_start(c, i, &q))
            continue;
        double far = is_wide(c, &q) ? INFINITY : fabs(distance(c, i, &q));
        if (far > farthest)
            chosen = i, farthest = far, *best = q;
    }
    return chosen;
}

static bool solve_quadratic(closed *c)
{
    nh_pool *pool = &c->eq->pool;
    quadratic q = {NH_EXPR_NONE, NH_EXPR_NONE, NH_EXPR_NONE};
    size_t i = best_of(c, &q);
    if (i == c->eq->n)
        return false;
    nh_expr middle = nh_neg(pool, nh_div(pool, nh_mul(pool, pool->half, q.b), q.a));
    nh_expr square = nh_sub(pool, nh_power(pool, middle, 2), nh_div(pool, q.rest, q.a));
    nh_expr root = nh_call(pool, NH_FN_sqrt, square, NH_EXPR_NONE);
    c->left = 0;
    c->eq->first.root = i + 1;
    put_in(c, i, distance(c, i, &q) < 0 ? nh_sub(pool, middle, root) : nh_add(pool, middle, root));
    finish(c, &(naming){{NH_EXPR_NONE}, 0});
    return true;
}

/* ---------------------------------------------------------------- products */

enum { MOST_FACTORS = 8 };

/* |F| at the start, relative to what a change of the velocities by their own size, or by 1, makes of it. */
static double size_at_start(closed *c, nh_expr F)
{
    size_t n = c->eq->n;
    nh_expr *e = nh_array(c->eq, n + 1);
    double *values = nh_arena_array(&c->eq->arena, n + 1, sizeof *values), scale = 0;
    nh_gradient(&c->eq->pool, &c->eq->context->arena, &F, NULL, 1, c->v, n, e);
    e[n] = F;
    nh_evaluate(&c->eq->pool, &c->eq->context->arena, e, n + 1, c->start, values, NULL);
    for (size_t i = 0; i < n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&c->eq->pool, c->v[i], &index);
        scale = fmax(scale, fabs(values[i]) * fmax(1, fabs(c->start[index])));
    }
    return scale > 0 && isfinite(scale) ? fabs(values[n]) / scale : INFINITY;
}

/* Where several factors vanish, as at rest, nothing tells which of them it is that holds. */
static void tell_product(const closed *c, size_t a, size_t factors)
{
    nh_report(&c->eq->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0},
              "give a start with 'initial' at which one of them does",
              "the constraint in line %zu is a product of %zu factors with velocities, and the start does "
              "not tell which of them holds",
              c->eq->model->constraints[a].line, factors);
}

/* The one factor with velocities that vanishes at the start; C itself, where there are not several, or two of them do. */
static nh_expr branch_at_start(closed *c, nh_algebra *algebra, size_t a)
{
    nh_expr factors[MOST_FACTORS], found = NH_EXPR_NONE;
    size_t count = 0, moving = 0, vanishing = 0;
    if (!nh_factors_above(algebra, c->C[a], MOST_FACTORS, &count, factors))
        return c->C[a];
    for (size_t k = 0; k < count; k++) {
        if (!has_velocity(c, factors[k]))
            continue;
        moving++;
        if (!c->start || size_at_start(c, factors[k]) > 1e-6)
            continue;
        vanishing++, found = factors[k];
    }
    if (moving > 1 && vanishing != 1)
        tell_product(c, a, moving);
    return moving > 1 && vanishing == 1 ? found : c->C[a];
}

/* The only factor with velocities of C where others stand in its denominator; otherwise C itself. */
static nh_expr without_denominator(closed *c, nh_algebra *algebra, nh_expr C)
{
    nh_expr factors[MOST_FACTORS], found = NH_EXPR_NONE;
    size_t count = 0, moving = 0, all = 0;
    if (!nh_factors(algebra, C, MOST_FACTORS, &count, factors))
        return C;
    for (size_t k = 0; k < count; k++)
        all += has_velocity(c, factors[k]);
    if (all < 2 || !nh_factors_above(algebra, C, MOST_FACTORS, &count, factors))
        return C;
    for (size_t k = 0; k < count; k++)
        if (has_velocity(c, factors[k]))
            moving++, found = factors[k];
    return moving == 1 && moving < all ? found : C;
}

/* What is derived, and said to be true, is so on this branch. */
static void tell_branch(const closed *c, size_t a)
{
    nh_text text;
    nh_text_init(&text, &c->eq->arena);
    nh_expr_print(&text, &c->eq->pool, c->branch[a], 0);
    nh_report(&c->eq->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL,
              "the constraint in line %zu is a product: all that follows is for %s = 0, the factor that "
              "holds at the start",
              c->eq->model->constraints[a].line, nh_text_get(&text));
}

static void choose_branches(closed *c)
{
    nh_algebra algebra;
    nh_budget budget = {.max_terms = 500, .max_seconds = 1};
    nh_algebra_init(&algebra, &c->eq->pool, &budget, c->signs);
    for (size_t a = 0; a < c->left; a++) {
        bool affine = is_affine(c, c->C[a]);
        nh_expr branch = affine ? c->C[a] : branch_at_start(c, &algebra, a);
        c->branch[a] = branch != c->C[a] ? branch : NH_EXPR_NONE;
        c->above[a] = affine ? branch : without_denominator(c, &algebra, branch);
        c->C[a] = branch;
    }
    nh_algebra_free(&algebra);
}

/* ---------------------------------------------------------------- the call */

static closed closed_of(nh_equations *eq, const double *start)
{
    const nh_model *model = eq->model;
    closed c = {.eq = eq, .left = eq->r, .start = start, .signs = nh_model_signs(model, &eq->arena)};
    c.v = nh_array(eq, eq->n), c.value = nh_array(eq, eq->n), c.C = nh_array(eq, eq->r);
    c.branch = nh_array(eq, eq->r), c.above = nh_array(eq, eq->r);
    c.solved = nh_arena_array(&eq->arena, eq->n, sizeof *c.solved);
    for (size_t i = 0; i < eq->n; i++)
        c.v[i] = c.value[i] = model->coordinates[i].rate;
    for (size_t a = 0; a < eq->r; a++)
        c.C[a] = model->constraints[a].C;
    if (model->n_independent)
        c.independent = nh_arena_array(&eq->arena, eq->n, sizeof *c.independent);
    for (size_t k = 0; k < model->n_independent; k++)
        c.independent[model->independent[k]] = true;
    return c;
}

static bool solve(closed *c)
{
    solve_linear(c);
    if (c->left > 1)
        return false;
    nh_name_new_velocities(c->eq);
    if (c->left == 0)
        finish(c, &(naming){{NH_EXPR_NONE}, 0});
    return c->left == 0 || solve_parallel(c) || solve_ellipse(c) || solve_quadratic(c);
}

/* Once more, without denominators. False also where there are none. */
static bool solve_above(closed *c, const closed *first)
{
    bool any = false;
    for (size_t a = 0; a < c->left; a++) {
        any = any || first->above[a] != (first->branch[a] ? first->branch[a] : c->C[a]);
        c->C[a] = first->above[a], c->branch[a] = first->branch[a];
    }
    return any && solve(c);
}

bool nh_solve_closed(nh_equations *eq, const double *start)
{
    closed c = closed_of(eq, start), again = closed_of(eq, start);
    choose_branches(&c);
    bool done = solve(&c) || solve_above(&again, &c);
    for (size_t a = 0; a < eq->r && done; a++)
        if (c.branch[a])
            tell_branch(&c, a);
    return done;
}
