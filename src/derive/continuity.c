/* Where a function F of the state can be other than continuous along a motion.
 *
 * A rate that is 0 makes F constant where F is continuous. A quotient of analytic functions needs nothing more: beside the states where
 * both are 0, of which there are too few for a motion between others to meet them, it is infinite where its denominator vanishes. So
 * F has a switch only if something in it is not analytic; every denominator, every argument of log or sign is one then that can
 * be 0 on a surface in the space of the states, and changes along the motion. Roots, abs, min and max are continuous themselves. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

enum {
    MOST_FACTORS = 12,
    MOST_OPERATIONS = 400,
    MOST_ANGLES = 3,
    MOST_SQUARES = 6,
    MOST_CORNERS = 12,
    STATES = 8
};

typedef enum class { ANALYTIC, MEROMORPHIC, OTHER } class;

typedef struct list {
    nh_judge *j;
    nh_expr F;
    nh_switches *out;
} list;

/* ---------------------------------------------------------------- what is never 0, or hardly anywhere */

static bool is_short(nh_judge *j, nh_expr e)
{
    return !nh_operations_exceed(&j->eq->pool, &j->eq->context->arena, e, MOST_OPERATIONS) &&
           !nh_has_solve(&j->eq->pool, &j->eq->context->arena, &e, 1);
}

static bool is_zero(nh_judge *j, nh_expr e)
{
    return nh_is_null(j->eq, e) || (is_short(j, e) && nh_is_zero(&j->algebra, e) == NH_YES);
}

static nh_expr put(nh_judge *j, nh_expr e, nh_expr symbol, nh_expr value)
{
    nh_substitute(&j->eq->pool, &j->eq->context->arena, &e, 1, &symbol, &value, 1, &e);
    return e;
}

static bool occurs(nh_judge *j, nh_expr e, nh_expr symbol)
{
    bool *depends = nh_arena_array(&j->eq->arena, j->eq->pool.n_symbols + 1, sizeof *depends);
    uint32_t index = 0;
    nh_is_symbol(&j->eq->pool, symbol, &index);
    nh_find_symbols(&j->eq->pool, &j->eq->context->arena, &e, 1, depends);
    return depends[index];
}

/* e = e(0) cos^2 q + e(pi/2) sin^2 q: between its values at two angles, which are set. */
static bool is_between(nh_judge *j, nh_expr e, nh_expr q, nh_expr ends[2])
{
    nh_pool *pool = &j->eq->pool;
    if (!occurs(j, e, q))
        return false;
    ends[0] = put(j, e, q, pool->zero), ends[1] = put(j, e, q, nh_mul(pool, pool->half, pool->pi));
    if (!ends[0] || !ends[1])
        return false;
    nh_expr cosine = nh_power(pool, nh_call(pool, NH_FN_cos, q, NH_EXPR_NONE), 2),
            sine = nh_power(pool, nh_call(pool, NH_FN_sin, q, NH_EXPR_NONE), 2);
    nh_expr sum = nh_add(pool, nh_mul(pool, ends[0], cosine), nh_mul(pool, ends[1], sine));
    return is_zero(j, nh_sub(pool, e, sum));
}

static bool is_positive(nh_judge *j, nh_expr e, int depth)
{
    nh_expr ends[2];
    if (!is_short(j, e))
        return false;
    nh_answer answer = nh_matrix_positive(&j->algebra, 1, &e);
    for (size_t i = 0; i < j->eq->n && answer == NH_UNKNOWN && depth < MOST_ANGLES; i++)
        if (is_between(j, e, j->eq->model->coordinates[i].q, ends))
            return is_positive(j, ends[0], depth + 1) && is_positive(j, ends[1], depth + 1);
    return answer == NH_YES;
}

static bool is_never_zero(nh_judge *j, nh_expr e)
{
    return is_positive(j, e, 0) || is_positive(j, nh_neg(&j->eq->pool, e), 0);
}

/* A number > 0 times even powers and what has the sign +. */
static bool is_no_less_than_zero(const nh_judge *j, const nh_product *p)
{
    bool holds = nh_rational_sign(p->number) > 0;
    for (size_t k = 0; k < p->count && holds; k++) {
        uint32_t index = 0;
        bool positive = nh_is_symbol(&j->eq->pool, p->factors[k].base, &index) && j->signs[index] > 0;
        holds = positive || p->factors[k].exponent % 2 == 0;
    }
    return holds;
}

/* By symbol: q and z, which may have any values on C; not those that the equations of the positions contain. */
static bool *free_symbols(nh_judge *j)
{
    nh_equations *eq = j->eq;
    bool *is_free = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *is_free),
         *bound = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *bound);
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            nh_find_symbols(&eq->pool, &eq->context->arena, &eq->model->constraints[a].position, 1, bound);
    for (size_t i = 0; i < eq->n + (eq->first.psi ? eq->m : 0); i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, i < eq->n ? eq->model->coordinates[i].q : eq->z[i - eq->n].symbol, &index);
        is_free[index] = !bound[index];
    }
    return is_free;
}

/* By symbol: what the factors of a term depend on. False: on something that is neither free nor a parameter. */
static bool symbols_of_term(nh_judge *j, const nh_product *p, const bool *is_free, bool *used)
{
    nh_equations *eq = j->eq;
    bool fits = true, any = false;
    memset(used, 0, eq->pool.n_symbols * sizeof *used);
    for (size_t k = 0; k < p->count; k++)
        nh_find_symbols(&eq->pool, &eq->context->arena, &p->factors[k].base, 1, used);
    for (size_t i = 0; i < eq->pool.n_symbols; i++) {
        bool parameter = i < eq->model->n_roles && eq->model->roles[i].role == NH_ROLE_PARAMETER;
        fits = fits && (!used[i] || is_free[i] || parameter);
        used[i] = used[i] && is_free[i];
        any = any || used[i];
    }
    return fits && any;
}

static bool has_no_negative_term(const nh_judge *j, nh_sum sum)
{
    bool holds = true;
    for (size_t a = 0; a < sum.count; a++)
        holds = holds && is_no_less_than_zero(j, &sum.terms[a]);
    return holds;
}

/* A sum of terms >= 0, two of which are functions of different variables: it is 0 where both are, in two dimensions less. */
static bool has_two_terms(nh_judge *j, nh_expr e, const bool *is_free)
{
    nh_equations *eq = j->eq;
    size_t size = eq->pool.n_symbols;
    nh_sum sum = nh_sum_of(&eq->pool, &eq->arena, e);
    bool *used = nh_arena_array(&eq->arena, sum.count * size + 1, sizeof *used), found = false;
    if (!has_no_negative_term(j, sum))
        return false;
    for (size_t a = 0; a < sum.count && !found; a++) {
        if (!symbols_of_term(j, &sum.terms[a], is_free, used + a * size)) {
            memset(used + a * size, 1, size * sizeof *used); /* meets all others */
            continue;
        }
        for (size_t b = 0; b < a && !found; b++) {
            found = true;
            for (size_t i = 0; i < size && found; i++)
                found = !(used[a * size + i] && used[b * size + i]);
        }
    }
    return found;
}

/* e = (w - w0) A (w - w0)/2 + rest in some of the variables, A positive and without them: A, w and the gradient at w = 0. */
typedef struct squares {
    nh_expr w[MOST_SQUARES], at_zero[MOST_SQUARES], A[MOST_SQUARES * MOST_SQUARES];
    size_t count;
} squares;

/* One variable more, if A stays positive. */
static void add_square(nh_judge *j, nh_expr e, nh_expr w, squares *s)
{
    nh_equations *eq = j->eq;
    nh_expr A[MOST_SQUARES * MOST_SQUARES], slope = nh_derivative(&eq->pool, &eq->context->arena, e, w);
    size_t n = s->count + 1;
    s->w[s->count] = w;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            A[a * n + b] = a + 1 < n && b + 1 < n
                               ? s->A[a * s->count + b]
                               : nh_derivative(&eq->pool, &eq->context->arena, slope, s->w[a < b ? a : b]);
    for (size_t a = 0; a < n * n; a++)
        for (size_t b = 0; b < n; b++)
            if (occurs(j, A[a], s->w[b]))
                return;
    if (nh_matrix_positive(&j->algebra, n, A) != NH_YES)
        return;
    memcpy(s->A, A, n * n * sizeof *A);
    s->at_zero[s->count++] = slope;
}

/* The rest: e at w0 = -A^-1 e_w(0). */
static nh_expr rest_of(nh_judge *j, nh_expr e, squares *s)
{
    nh_equations *eq = j->eq;
    nh_expr zero[MOST_SQUARES], w0[MOST_SQUARES], out = NH_EXPR_NONE;
    for (size_t a = 0; a < s->count; a++)
        zero[a] = eq->pool.zero;
    nh_substitute(&eq->pool, &eq->context->arena, s->at_zero, s->count, s->w, zero, s->count, s->at_zero);
    if (!nh_matrix_solve(&j->algebra, s->count, s->A, 1, s->at_zero, w0))
        return NH_EXPR_NONE;
    for (size_t a = 0; a < s->count; a++)
        w0[a] = nh_neg(&eq->pool, w0[a]);
    nh_substitute(&eq->pool, &eq->context->arena, &e, 1, s->w, w0, s->count, &out);
    return out && nh_simplify(&j->algebra, &out, 1, &out) ? out : NH_EXPR_NONE;
}

/* By squares: 0 only where all of these are 0, and the rest is, which is nowhere less. */
static bool is_thin_by_squares(nh_judge *j, nh_expr e, const bool *is_free)
{
    squares s = {.count = 0};
    for (size_t i = 0; i < j->eq->pool.n_symbols && s.count < MOST_SQUARES; i++)
        if (is_free[i])
            add_square(j, e, nh_symbol_at(&j->eq->pool, (uint32_t)i), &s);
    nh_expr rest = s.count ? rest_of(j, e, &s) : NH_EXPR_NONE;
    if (!rest)
        return false;
    return rest == j->eq->pool.zero ? s.count > 1
                                    : has_no_negative_term(j, nh_sum_of(&j->eq->pool, &j->eq->arena, rest));
}

static bool is_thin(nh_judge *j, nh_expr e)
{
    const bool *is_free = free_symbols(j);
    return has_two_terms(j, e, is_free) || (is_short(j, e) && is_thin_by_squares(j, e, is_free));
}

/* ---------------------------------------------------------------- one node */

/* What is 0 where a node jumps or has a pole; corner: where it is continuous, and its rate is not. */
static nh_expr switch_of(nh_pool *pool, nh_node node, bool *corner)
{
    nh_rational n;
    *corner = false;
    if (node.kind == NH_POW)
        return nh_is_number(pool, node.b, &n) && nh_rational_sign(n) > 0 ? NH_EXPR_NONE : node.a;
    if (node.kind != NH_CALL)
        return NH_EXPR_NONE;
    *corner = node.function == NH_FN_abs || node.function == NH_FN_min || node.function == NH_FN_max ||
              node.function == NH_FN_sqrt;
    switch (node.function) {
    case NH_FN_sign:
    case NH_FN_abs:
    case NH_FN_log:
    case NH_FN_sqrt:
    case NH_FN_atan2: return node.a;
    case NH_FN_min:
    case NH_FN_max: return nh_sub(pool, node.a, node.b);
    case NH_FN_tan: return nh_call(pool, NH_FN_cos, node.a, NH_EXPR_NONE);
    default: return NH_EXPR_NONE;
    }
}

/* So few zeros that no motion needs to meet them: in z, where psi reaches every state of C. */
static bool has_few_zeros(nh_judge *j, nh_expr e)
{
    nh_expr on_C = e;
    if (nh_chart_is_good(j))
        nh_on_C(j, &e, 1, &on_C);
    return on_C && (is_never_zero(j, on_C) || is_thin(j, on_C));
}

/* ---------------------------------------------------------------- where psi fails
 *
 * psi is a choice, and so is what is infinite with it: y' = x' tan(a) has no finite x' at cos(a) = 0, where a skate goes on. */

/* Whether something in it is infinite, or has no derivative, on a surface. */
static bool fails_somewhere(nh_judge *j, nh_expr e)
{
    nh_equations *eq = j->eq;
    nh_walk walk = nh_walk_of(&eq->pool, &eq->arena, &e, 1);
    bool fails = !is_short(j, e);
    for (size_t i = 0; i < walk.count && !fails; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        nh_rational n;
        bool corner = false;
        nh_expr u = switch_of(&eq->pool, node, &corner);
        if (node.kind == NH_POW && !(nh_is_number(&eq->pool, node.b, &n) && nh_rational_is_int(n)))
            u = node.a;
        if (u && (!corner || node.function == NH_FN_sqrt))
            fails = !has_few_zeros(j, u);
    }
    return fails;
}

/* Every z is one of the q': psi has rank m. */
static bool has_plain_velocities(const nh_equations *eq)
{
    bool all = true;
    for (size_t alpha = 0; alpha < eq->m && all; alpha++) {
        all = false;
        for (size_t i = 0; i < eq->n; i++)
            all = all || eq->first.psi[i] == eq->z[alpha].symbol;
    }
    return all;
}

/* G_ab = g_ij psi^i_a psi^j_b is positive where psi has rank m, and not where it has less. */
static bool has_full_rank(nh_judge *j)
{
    nh_equations *eq = j->eq;
    if (has_plain_velocities(eq))
        return true;
    for (size_t k = 0; k < eq->m * eq->m; k++)
        if (!is_short(j, eq->first.G[k]))
            return false;
    return nh_matrix_positive(&j->algebra, eq->m, eq->first.G) == NH_YES;
}

bool nh_chart_is_good(nh_judge *j)
{
    nh_equations *eq = j->eq;
    if (j->good_chart != NH_UNKNOWN)
        return j->good_chart == NH_YES;
    j->good_chart = NH_YES; /* in what follows */
    bool good = !eq->first.psi || eq->first.root == 0;
    for (size_t i = 0; i < eq->n && eq->first.psi && good; i++)
        good = !fails_somewhere(j, eq->first.psi[i]);
    good = good && (!eq->first.psi || has_full_rank(j));
    j->good_chart = good ? NH_YES : NH_NO;
    return good;
}

/* ---------------------------------------------------------------- analytic functions, and quotients of them */

static class worse(class a, class b) { return a > b ? a : b; }

static class class_of_call(nh_judge *j, nh_node node, class inside)
{
    switch (node.function) {
    case NH_FN_sin:
    case NH_FN_cos:
    case NH_FN_exp:
    case NH_FN_sinh:
    case NH_FN_cosh:
    case NH_FN_tanh:
    case NH_FN_atan: return inside == ANALYTIC ? ANALYTIC : OTHER;
    case NH_FN_tan: return inside == ANALYTIC ? MEROMORPHIC : OTHER;
    case NH_FN_sqrt:
    case NH_FN_log: return inside == ANALYTIC && has_few_zeros(j, node.a) ? ANALYTIC : OTHER;
    default: return OTHER;
    }
}

static class class_of_power(nh_judge *j, nh_node node, class inside)
{
    nh_rational n;
    if (!nh_is_number(&j->eq->pool, node.b, &n) || !nh_rational_is_int(n))
        return inside == ANALYTIC && has_few_zeros(j, node.a) ? ANALYTIC : OTHER;
    return nh_rational_sign(n) < 0 ? worse(inside, MEROMORPHIC) : inside;
}

/* Of parameters alone. */
static bool is_constant(nh_judge *j, nh_expr e)
{
    nh_equations *eq = j->eq;
    bool *depends = nh_arena_array(&eq->context->arena, eq->pool.n_symbols + 1, sizeof *depends),
         constant = true;
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, depends);
    for (size_t i = 0; i < eq->pool.n_symbols && constant; i++)
        constant = !depends[i] || (i < eq->model->n_roles && eq->model->roles[i].role == NH_ROLE_PARAMETER);
    return constant;
}

static class class_of(nh_judge *j, nh_expr F)
{
    nh_equations *eq = j->eq;
    nh_walk walk = nh_walk_of(&eq->pool, &eq->arena, &F, 1);
    class *classes = nh_arena_array(&eq->arena, (size_t)F + 1, sizeof *classes);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        nh_list operands = nh_operands(&eq->pool, walk.nodes[i]);
        class inside = ANALYTIC;
        for (size_t k = 0; k < operands.count; k++)
            inside = worse(inside, classes[operands.items[k]]);
        class here = node.kind == NH_CALL  ? class_of_call(j, node, inside)
                     : node.kind == NH_POW ? class_of_power(j, node, inside)
                     : node.kind > NH_CALL ? OTHER
                                           : inside;
        classes[walk.nodes[i]] = here > inside && is_constant(j, walk.nodes[i]) ? inside : here;
    }
    return classes[F];
}

static bool has_poles(nh_judge *j, nh_expr e)
{
    nh_pool *pool = &j->eq->pool;
    nh_walk walk = nh_walk_of(pool, &j->eq->arena, &e, 1);
    bool has = false;
    for (size_t i = 0; i < walk.count && !has; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_rational n;
        has = (node.kind == NH_POW && nh_is_number(pool, node.b, &n) && nh_rational_sign(n) < 0) ||
              (node.kind == NH_CALL && node.function == NH_FN_tan);
    }
    return has;
}

static bool is_root(const nh_pool *pool, nh_node node)
{
    nh_rational n;
    return node.kind == NH_POW ? nh_is_number(pool, node.b, &n) && !nh_rational_is_int(n)
                               : node.kind == NH_CALL && node.function == NH_FN_sqrt;
}

/* sign; atan at a pole of its argument; |w|/w, with poles. Roots of sums end where these are 0, or are infinite there, or continuous. */
static bool may_step_at(nh_judge *j, nh_node node, bool poles)
{
    const nh_pool *pool = &j->eq->pool;
    bool root = is_root(pool, node) || (node.kind == NH_CALL && node.function == NH_FN_abs);
    if (root)
        return poles && nh_get(pool, node.a).kind != NH_ADD;
    if (node.kind != NH_CALL)
        return false;
    bool bounded = node.function == NH_FN_atan || node.function == NH_FN_tanh;
    return node.function == NH_FN_sign || node.function == NH_FN_atan2 || (bounded && has_poles(j, node.a));
}

bool nh_may_step(nh_judge *j, nh_expr F)
{
    nh_pool *pool = &j->eq->pool;
    nh_walk walk = nh_walk_of(pool, &j->eq->arena, &F, 1);
    bool poles = has_poles(j, F), may = false;
    for (size_t i = 0; i < walk.count && !may; i++)
        may = may_step_at(j, nh_get(pool, walk.nodes[i]), poles);
    return may;
}

/* ---------------------------------------------------------------- switches */

/* What a root is taken of. */
static nh_expr without_root(const nh_pool *pool, nh_expr e)
{
    for (nh_node node = nh_get(pool, e);
         (node.kind == NH_CALL && (node.function == NH_FN_sqrt || node.function == NH_FN_abs)) ||
         (node.kind == NH_POW && nh_is_number(pool, node.b, NULL));
         node = nh_get(pool, e))
        e = node.a;
    return e;
}

static bool is_parameter(const nh_equations *eq, nh_expr e)
{
    uint32_t index = 0;
    return nh_is_symbol(&eq->pool, e, &index) && index < eq->model->n_roles &&
           eq->model->roles[index].role == NH_ROLE_PARAMETER;
}

/* F = c u^-p + ..., c without variables and the rest without u: F is infinite there. */
static bool is_pole(list *l, nh_expr u)
{
    nh_equations *eq = l->j->eq;
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_sum sum = nh_sum_of(&eq->pool, scratch, l->F);
    size_t with = 0;
    bool pure = true;
    for (size_t a = 0; a < sum.count; a++)
        for (size_t k = 0; k < sum.terms[a].count; k++) {
            nh_factor f = sum.terms[a].factors[k];
            nh_walk walk = nh_walk_of(&eq->pool, scratch, &f.base, 1);
            bool contains = false;
            for (size_t i = 0; i < walk.count; i++)
                contains = contains || walk.nodes[i] == u;
            if (!contains)
                continue;
            with++;
            pure = pure && f.exponent < 0 && without_root(&eq->pool, f.base) == u;
            for (size_t i = 0; i < sum.terms[a].count; i++)
                pure = pure && (i == k || is_parameter(eq, sum.terms[a].factors[i].base));
        }
    nh_arena_release(scratch, mark);
    return with == 1 && pure;
}

/* ---------------------------------------------------------------- surfaces that are not crossed
 *
 * Where u' = h u with a bounded h, u keeps its sign, or stays 0. */

/* u = a w + b for one of the variables, a being a number: w = -b/a where u = 0. */
static bool solve_for_variable(nh_judge *j, nh_expr u, nh_expr *w, nh_expr *value)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    for (size_t i = 0; i <= eq->n + eq->m; i++) {
        *w = i < eq->n           ? eq->model->coordinates[i].q
             : i < eq->n + eq->m ? eq->z[i - eq->n].symbol
                                 : eq->model->time;
        nh_expr slope = occurs(j, u, *w) ? nh_derivative(pool, &eq->context->arena, u, *w) : NH_EXPR_NONE;
        if (!slope || !nh_is_number(pool, slope, NULL) || slope == pool->zero)
            continue;
        nh_expr rest = put(j, u, *w, pool->zero);
        *value = rest ? nh_neg(pool, nh_div(pool, rest, slope)) : NH_EXPR_NONE;
        if (*value)
            return true;
    }
    return false;
}

/* An even power of something, to a power of at least 1/2. */
static bool is_root_of_square(const nh_pool *pool, nh_expr e, nh_rational power)
{
    nh_node node = nh_get(pool, e);
    nh_rational n;
    return node.kind == NH_POW && nh_is_number(pool, node.b, &n) && nh_rational_is_int(n) &&
           nh_rational_sign(n) > 0 && n.num % 2 == 0 && 2 * power.num >= power.den;
}

/* Whether a node changes with what it depends on by no more than a multiple: no branch, but |w| and sqrt(w^2). */
static bool is_gentle(nh_judge *j, nh_node node)
{
    nh_pool *pool = &j->eq->pool;
    nh_rational n = {.num = 1, .den = 2};
    if (node.kind < NH_POW)
        return true;
    if (node.kind == NH_POW)
        return nh_is_number(pool, node.b, &n) &&
               (nh_rational_is_int(n) || has_few_zeros(j, node.a) || is_root_of_square(pool, node.a, n));
    if (node.kind > NH_CALL)
        return false;
    if (node.function == NH_FN_sqrt && is_root_of_square(pool, node.a, n))
        return true;
    bool corner = node.function == NH_FN_abs || node.function == NH_FN_min || node.function == NH_FN_max;
    return corner || class_of_call(j, node, ANALYTIC) != OTHER;
}

static bool is_lipschitz(nh_judge *j, nh_expr rate, nh_expr w)
{
    nh_walk walk = nh_walk_of(&j->eq->pool, &j->eq->arena, &rate, 1);
    bool holds = true;
    for (size_t i = 0; i < walk.count && holds; i++)
        holds = is_gentle(j, nh_get(&j->eq->pool, walk.nodes[i])) || !occurs(j, walk.nodes[i], w);
    return holds;
}

/* Where the chart is not good: that it is at u(q, t) = 0, but for exceptions. */
static bool reaches_surface(nh_judge *j, nh_expr u, nh_expr w, nh_expr value)
{
    nh_equations *eq = j->eq;
    if (nh_chart_is_good(j))
        return true;
    bool reaches = has_plain_velocities(eq);
    for (size_t i = 0; i < eq->n && reaches; i++)
        reaches = !occurs(j, u, eq->model->coordinates[i].rate) && put(j, eq->first.psi[i], w, value);
    return reaches;
}

/* u' = h u: the surface u = 0 is not crossed. written: u in q'. */
static bool stays_zero(nh_judge *j, nh_expr u, nh_expr written, nh_expr rate)
{
    nh_expr w, value, there = NH_EXPR_NONE;
    if (is_short(j, rate) && solve_for_variable(j, u, &w, &value) && is_lipschitz(j, rate, w) &&
        reaches_surface(j, written, w, value))
        there = put(j, rate, w, value);
    return there && is_zero(j, there);
}

/* One that is constant along the motion never comes to 0, and one that is listed is. */
static void add_switch(list *l, nh_expr u, bool corner)
{
    nh_equations *eq = l->j->eq;
    nh_switches *out = l->out;
    nh_expr on_C;
    nh_on_C(l->j, &u, 1, &on_C);
    if (!on_C || on_C == eq->pool.zero || (!corner && has_few_zeros(l->j, u)))
        return;
    for (size_t k = 0; k < out->count; k++)
        if (out->items[k].u == on_C) {
            out->items[k].corner = out->items[k].corner && corner;
            return;
        }
    nh_expr rate = nh_rate_of(l->j, u);
    if (!rate || is_zero(l->j, rate) || stays_zero(l->j, on_C, u, rate))
        return;
    nh_push(&eq->arena, out->items, out->count, out->capacity) = (nh_switch){on_C, u, corner, 0, 0};
}

/* Each factor is 0 somewhere else, and with simple zeros. */
static void add_factors(list *l, nh_expr u, bool corner)
{
    nh_equations *eq = l->j->eq;
    nh_expr factors[MOST_FACTORS];
    size_t count = 0;
    u = without_root(&eq->pool, u);
    if (!corner && (has_few_zeros(l->j, u) || is_pole(l, u)))
        return;
    if (!is_short(l->j, u) || !nh_factors(&l->j->algebra, u, MOST_FACTORS, &count, factors) || count == 0)
        factors[0] = u, count = nh_is_number(&eq->pool, u, NULL) ? 0 : 1;
    for (size_t k = 0; k < count; k++)
        add_switch(l, factors[k], corner);
}

/* Whether e is 0 on C: exactly, or at states drawn at random. */
static bool vanishes_on_C(nh_judge *j, nh_expr e)
{
    nh_equations *eq = j->eq;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values), value, error;
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    nh_on_C(j, &e, 1, &e);
    bool zero = e && is_zero(j, e), seen = e;
    for (int k = 0; k < STATES && seen && !zero; k++) {
        if (!nh_draw_state(j, values))
            continue;
        nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, values, &value, &error);
        seen = fabs(value) <= 1000 * error + (eq->first.psi ? 0 : 1e-8);
    }
    j->random = random;
    return zero || seen;
}

/* atan2(0, w): pi for w < 0. */
static nh_expr half_turn(nh_pool *pool, nh_expr w)
{
    nh_expr sign = nh_call(pool, NH_FN_sign, w, NH_EXPR_NONE);
    return nh_mul(pool, nh_mul(pool, pool->half, pool->pi), nh_sub(pool, pool->one, sign));
}

nh_expr nh_with_zero_arguments(nh_judge *j, nh_expr F)
{
    nh_pool *pool = &j->eq->pool;
    nh_walk walk = nh_walk_of(pool, &j->eq->arena, &F, 1);
    for (size_t i = 0; i < walk.count && F; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        if (node.kind != NH_CALL || node.function != NH_FN_atan2 || !vanishes_on_C(j, node.a))
            continue;
        nh_expr turned = half_turn(pool, node.b);
        nh_substitute(pool, &j->eq->context->arena, &F, 1, &walk.nodes[i], &turned, 1, &F);
    }
    return F;
}

/* Of all nodes of e; all_corners: e is a rate. */
static void add_all(list *l, nh_expr e, bool all_corners)
{
    nh_equations *eq = l->j->eq;
    nh_walk walk = nh_walk_of(&eq->pool, &eq->arena, &e, 1);
    for (size_t i = 0; i < walk.count && !(all_corners && l->out->count > MOST_CORNERS); i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        bool corner;
        nh_expr u = switch_of(&eq->pool, node, &corner);
        if (!u && all_corners && node.kind == NH_CALL)
            u = node.a;
        if (u)
            add_factors(l, u, corner || all_corners);
    }
}

/* Of a rate that is only seen to be 0 the arguments of all functions are looked at: tanh(1000 (x - 30)) changes at x = 30 alone. */
void nh_find_switches(nh_judge *j, nh_expr F, nh_expr rate, nh_switches *out)
{
    list l = {j, F, out};
    *out = (nh_switches){0};
    if (class_of(j, F) == OTHER)
        add_all(&l, F, false);
    if (rate)
        add_all(&l, rate, true);
}
