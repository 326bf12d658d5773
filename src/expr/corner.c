/* Functions with a corner: sign(u), |u|, sqrt(u^2), and min(a, b), max(a, b), with u = a - b. On either side of u = 0 each is a smooth one: 1 or -1, u or
 * -u, a or b. */
#include "expr/expr.h"

#include <math.h>
#include <string.h>

bool nh_is_root_of_power(const nh_pool *pool, nh_expr node, nh_expr *base, int64_t *k)
{
    nh_node n = nh_get(pool, node), inner = nh_get(pool, n.kind == NH_CALL ? n.a : node);
    nh_rational exponent;
    if (n.kind != NH_CALL || n.function != NH_FN_sqrt || inner.kind != NH_POW ||
        !nh_is_number(pool, inner.b, &exponent) || exponent.big || exponent.den != 1 || exponent.num % 2)
        return false;
    *base = inner.a, *k = exponent.num / 2;
    return true;
}

nh_expr nh_corner_argument(nh_pool *pool, nh_expr node)
{
    nh_node n = nh_get(pool, node);
    nh_expr base = NH_EXPR_NONE;
    int64_t k;
    if (nh_is_root_of_power(pool, node, &base, &k))
        return k % 2 ? base : NH_EXPR_NONE;
    if (n.kind != NH_CALL || nh_function_get((nh_function)n.function)->smooth)
        return NH_EXPR_NONE;
    return n.b ? nh_sub(pool, n.a, n.b) : n.a;
}

nh_expr nh_side_of_corner(nh_pool *pool, nh_expr node, const nh_expr *image, bool positive)
{
    nh_node n = nh_get(pool, node);
    nh_expr base;
    int64_t k;
    if (nh_is_root_of_power(pool, node, &base, &k)) {
        nh_expr power = nh_power(pool, image[base], k);
        return positive ? power : nh_neg(pool, power);
    }
    switch (n.function) {
    case NH_FN_sign: return positive ? pool->one : pool->minus_one;
    case NH_FN_abs: return positive ? image[n.a] : nh_neg(pool, image[n.a]);
    case NH_FN_min: return image[positive ? n.b : n.a];
    default: return image[positive ? n.a : n.b]; /* max */
    }
}

/* ---------------------------------------------------------------- states on both sides */

/* Values of u that are gone to. */
static const double PLACES[NH_CORNER_PLACES] = {-0.1, 0.1, -5, 5, -300, 300};
enum { STEPS = 20 };

size_t nh_corner_number(const nh_corners *c, nh_expr u)
{
    nh_expr opposite = nh_neg(c->pool, u);
    for (size_t i = 0; i < c->n; i++)
        if (c->arguments[i] == u || c->arguments[i] == opposite)
            return i;
    return c->n;
}

static void find_arguments(nh_corners *c)
{
    for (size_t i = 0; i < c->walk.count; i++) {
        nh_expr u = nh_corner_argument(c->pool, c->walk.nodes[i]);
        size_t at = u ? nh_corner_number(c, u) : NH_MOST_CORNERS;
        if (u && at == c->n && at < NH_MOST_CORNERS)
            c->arguments[c->n++] = u;
    }
}

nh_corners nh_corners_of(nh_pool *pool, nh_arena *arena, nh_arena *scratch, const nh_expr *e, size_t count,
                         const nh_expr *symbols, size_t n_symbols)
{
    nh_corners c = {.pool = pool, .scratch = scratch, .walk = nh_walk_of(pool, arena, e, count)};
    find_arguments(&c);
    c.symbols = symbols, c.n_symbols = n_symbols;
    c.slopes = nh_arena_array(arena, c.n * n_symbols + 1, sizeof *c.slopes);
    for (size_t i = 0; i < c.n; i++)
        nh_gradient(pool, scratch, &c.arguments[i], NULL, 1, symbols, n_symbols, c.slopes + i * n_symbols);
    return c;
}

double nh_corner_value(const nh_corners *c, size_t argument, const double *values)
{
    double value = NAN, error = NAN;
    if (c->arguments[argument])
        nh_evaluate(c->pool, c->scratch, &c->arguments[argument], 1, values, &value, &error);
    return fabs(value) > error ? value : 0;
}

/* x -= (u - place) du/|du|^2. False: it is there, or this leads nowhere. */
static bool step_to(const nh_corners *c, size_t argument, double place, double *slopes, double *values)
{
    double off = nh_corner_value(c, argument, values) - place, square = 0;
    nh_evaluate(c->pool, c->scratch, c->slopes + argument * c->n_symbols, c->n_symbols, values, slopes, NULL);
    for (size_t i = 0; i < c->n_symbols; i++)
        square += slopes[i] * slopes[i];
    if (!(square > 0) || !isfinite(square) || fabs(off) < 1e-9)
        return false;
    for (size_t i = 0; i < c->n_symbols; i++) {
        uint32_t index = 0;
        nh_is_symbol(c->pool, c->symbols[i], &index);
        values[index] -= off * slopes[i] / square;
    }
    return true;
}

void nh_corner_go_to(const nh_corners *c, size_t argument, size_t place, double *values)
{
    nh_arena_mark mark = nh_arena_here(c->scratch);
    double *slopes = nh_arena_array(c->scratch, c->n_symbols + 1, sizeof *slopes);
    for (int k = 0; k < STEPS && step_to(c, argument, PLACES[place], slopes, values); k++) {
    }
    nh_arena_release(c->scratch, mark);
}

/* ---------------------------------------------------------------- jumps
 *
 * sign(u) jumps at u = 0, and atan2(u, v) where v is negative. A pole of 1/u is a jump of what stays finite there: atan(1/u), tanh(1/u), 1/(1 + exp(1/u)),
 * and |u|/u, however |u| is written. 1/sqrt(R) has one where R comes down to 0 and turns round: there all derivatives of R are 0. */

typedef struct jumps {
    nh_pool *pool;
    nh_arena *scratch;
    const nh_expr *variables;
    size_t n_variables;
    const signed char *signs;
    size_t known;
    nh_expr *out;
    size_t count;
} jumps;

static bool depends_on(const jumps *j, nh_expr e, nh_expr symbol)
{
    bool *depends = nh_arena_array(j->scratch, j->pool->n_symbols + 1, sizeof *depends);
    uint32_t index = 0;
    memset(depends, 0, (j->pool->n_symbols + 1) * sizeof *depends);
    nh_is_symbol(j->pool, symbol, &index);
    nh_find_symbols(j->pool, j->scratch, &e, 1, depends);
    return depends[index];
}

static void add_place(jumps *j, nh_expr u)
{
    bool known = !u || nh_is_number(j->pool, u, NULL) || nh_is_never_zero(j->pool, u, j->signs, j->known),
         varies = false;
    for (size_t i = 0; i < j->n_variables && !known; i++)
        varies = varies || depends_on(j, u, j->variables[i]);
    for (size_t i = 0; i < j->count; i++)
        known = known || j->out[i] == u;
    if (varies && !known)
        j->out[j->count++] = u;
}

/* A positive number times even powers, and what has the sign +. */
static bool is_square(const jumps *j, const nh_product *p)
{
    bool holds = nh_rational_sign(p->number) > 0;
    for (size_t k = 0; k < p->count && holds; k++) {
        uint32_t index = 0;
        bool positive =
            nh_is_symbol(j->pool, p->factors[k].base, &index) && index < j->known && j->signs[index] > 0;
        holds = positive || p->factors[k].exponent % 2 == 0;
    }
    return holds;
}

static bool has_factor(const nh_product *p, nh_expr base)
{
    bool has = false;
    for (size_t k = 0; k < p->count; k++)
        has = has || p->factors[k].base == base;
    return has;
}

/* A sum of squares without a common factor, x^2 + y^2: it is 0 where all of them are, which motions go round. */
static bool is_thin(const jumps *j, nh_expr e)
{
    nh_sum sum = nh_sum_of(j->pool, j->scratch, e);
    bool thin = sum.count > 1;
    for (size_t a = 0; a < sum.count; a++)
        thin = thin && is_square(j, &sum.terms[a]);
    for (size_t k = 0; thin && k < sum.terms[0].count; k++) {
        bool common = true;
        for (size_t a = 1; a < sum.count; a++)
            common = common && has_factor(&sum.terms[a], sum.terms[0].factors[k].base);
        thin = !common;
    }
    return thin;
}

/* Of 1/e. */
static void add_pole(jumps *j, nh_expr e)
{
    bool root = false;
    for (nh_node n = nh_get(j->pool, e);
         n.kind == NH_POW || (n.kind == NH_CALL && (n.function == NH_FN_sqrt || n.function == NH_FN_abs));
         n = nh_get(j->pool, e)) {
        if (n.kind == NH_POW && !nh_is_number(j->pool, n.b, NULL))
            break;
        root = n.kind == NH_CALL && n.function == NH_FN_sqrt;
        e = n.a;
    }
    if (is_thin(j, e))
        return;
    if (!root)
        add_place(j, e);
    for (size_t i = 0; i < j->n_variables && root; i++)
        if (depends_on(j, e, j->variables[i]))
            add_place(j, nh_derivative(j->pool, j->scratch, e, j->variables[i]));
}

static bool is_pole(const nh_pool *pool, nh_node n)
{
    nh_rational exponent;
    return (n.kind == NH_CALL && n.function == NH_FN_tan) ||
           (n.kind == NH_POW && nh_is_number(pool, n.b, &exponent) && nh_rational_sign(exponent) < 0);
}

static bool has_pole(const jumps *j, nh_expr e)
{
    nh_walk walk = nh_walk_of(j->pool, j->scratch, &e, 1);
    bool has = false;
    for (size_t i = 0; i < walk.count && !has; i++)
        has = is_pole(j->pool, nh_get(j->pool, walk.nodes[i]));
    return has;
}

/* Whether a pole may be a jump with it: within it, or beside it where it is 0, too. */
static bool bounds_poles(const jumps *j, nh_node n)
{
    if (n.kind != NH_CALL)
        return false;
    switch (n.function) {
    case NH_FN_sqrt: return !nh_is_never_zero(j->pool, n.a, j->signs, j->known) && !is_thin(j, n.a);
    case NH_FN_abs:
    case NH_FN_min:
    case NH_FN_max: return true;
    case NH_FN_exp:
    case NH_FN_tanh:
    case NH_FN_atan: return has_pole(j, n.a);
    case NH_FN_atan2: return has_pole(j, n.a) || has_pole(j, n.b);
    default: return false;
    }
}

static void add_jumps_at(jumps *j, nh_expr e, bool bounded)
{
    nh_node n = nh_get(j->pool, e);
    if (n.kind == NH_CALL && (n.function == NH_FN_sign || n.function == NH_FN_atan2))
        add_place(j, n.a);
    else if (bounded && n.kind == NH_CALL && n.function == NH_FN_tan)
        add_place(j, nh_call(j->pool, NH_FN_cos, n.a, NH_EXPR_NONE));
    else if (bounded && is_pole(j->pool, n))
        add_pole(j, n.a);
}

size_t nh_find_jumps(nh_pool *pool, nh_arena *arena, nh_arena *scratch, nh_expr e, const nh_expr *variables,
                     size_t n, const signed char *signs, size_t known, nh_expr **places)
{
    nh_walk walk = nh_walk_of(pool, scratch, &e, 1);
    bool bounded = false;
    *places = nh_arena_array(arena, walk.count * (n + 1) + 1, sizeof **places);
    jumps j = {.pool = pool,
               .scratch = scratch,
               .variables = variables,
               .n_variables = n,
               .signs = signs,
               .known = known,
               .out = *places};
    for (size_t i = 0; i < walk.count; i++)
        bounded = bounded || bounds_poles(&j, nh_get(pool, walk.nodes[i]));
    for (size_t i = 0; i < walk.count; i++)
        add_jumps_at(&j, walk.nodes[i], bounded);
    return j.count;
}
