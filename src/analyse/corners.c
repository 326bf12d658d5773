/* A corner is where the argument u of sign(u), |u|, sqrt(u^2), or the difference u = a - b of min(a, b) and max(a, b), is 0. On either side of it
 * the function is a smooth one: 1 or -1, u or -u, a or b. So next to the state the rates are one of several smooth functions r_s, one for each
 * choice of sides; there is no corner for the linear equations where all of them agree in value and slope, as those of |u| u do:
 *
 *     r_s - r_0 = 0,   d(r_s - r_0)/dx^k = 0.
 *
 * The differences are formulas in which what the sides have in common is not there, so that a jump of 1e-3 beside forces of 1e9 is seen. */
#include "analyse/corners.h"
#include "algebra/algebra.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ARGUMENTS = 6 };

typedef struct corner {
    nh_expr node;
    size_t argument; /* which of the arguments */
    bool reversed;   /* its own is the negative of that */
} corner;

typedef struct corners {
    nh_flow *flow;
    nh_walk walk;
    double *values, *radii; /* the state, by symbol */
    corner *items;
    size_t count, capacity;
    nh_expr arguments[MOST_ARGUMENTS]; /* those that are 0 at the state */
    size_t n_arguments;
    bool many; /* there are more */
} corners;

/* ---------------------------------------------------------------- which they are */

/* 0 within the roundings of the state and of the formula. Without bounds for these: what is said for that. */
static bool vanishes(const corners *c, nh_expr e, bool otherwise)
{
    double value = NAN, error = NAN;
    if (e)
        nh_evaluate_within(&c->flow->eq->pool, &c->flow->eq->context->arena, &e, 1, c->values, c->radii,
                           &value, &error);
    return isfinite(value) && isfinite(error) ? fabs(value) <= error : otherwise;
}

/* The number of an argument among those that were seen, u and -u being one. */
static size_t number_of(corners *c, nh_expr u, bool *reversed)
{
    nh_expr opposite = nh_neg(&c->flow->eq->pool, u);
    for (size_t i = 0; i < c->n_arguments; i++)
        if (c->arguments[i] == u || c->arguments[i] == opposite) {
            *reversed = c->arguments[i] == opposite;
            return i;
        }
    c->many = c->n_arguments == MOST_ARGUMENTS;
    if (!c->many)
        c->arguments[c->n_arguments++] = u;
    return c->n_arguments - 1;
}

/* Those at whose corner the state is. */
static void find_corners(corners *c)
{
    for (size_t i = 0; i < c->walk.count && !c->many; i++) {
        corner at = {.node = c->walk.nodes[i]};
        nh_expr u = nh_corner_argument(&c->flow->eq->pool, at.node);
        if (!u || !vanishes(c, u, true))
            continue;
        at.argument = number_of(c, u, &at.reversed);
        nh_push(c->flow->arena, c->items, c->count, c->capacity) = at;
    }
}

/* The state by symbol, and how far it may be from what it stands for. */
static void put_state(corners *c, const double *inputs)
{
    nh_flow *f = c->flow;
    c->values = nh_flow_symbols(f, inputs), c->radii = nh_doubles(f->arena, f->eq->pool.n_symbols);
    for (size_t k = 0; k < f->size; k++) {
        double x = inputs[1 + k], within = 1e-12 * fmax(f->scale[k], fabs(x));
        uint32_t index = 0;
        nh_is_symbol(&f->eq->pool, f->symbols[k], &index);
        c->values[index] = fabs(x) <= within ? 0 : x;
        c->radii[index] = fabs(x) <= within ? 0 : 4 * DBL_EPSILON * fabs(x);
    }
}

/* ---------------------------------------------------------------- on one side */

/* All nodes on these sides, a bit for each argument; by handle. */
static nh_expr *on_sides(corners *c, unsigned sides)
{
    nh_pool *pool = &c->flow->eq->pool;
    size_t size = c->walk.count ? (size_t)c->walk.nodes[c->walk.count - 1] + 1 : 1, next = 0;
    nh_expr *image = nh_arena_array(c->flow->arena, size, sizeof *image);
    for (size_t i = 0; i < c->walk.count; i++) {
        nh_expr e = c->walk.nodes[i];
        const corner *at = next < c->count ? &c->items[next] : NULL;
        if (at && at->node == e) {
            image[e] = nh_side_of_corner(pool, e, image, (sides >> at->argument & 1) != at->reversed);
            next++;
        } else {
            nh_list operands = nh_operands(pool, e);
            bool changed = false;
            for (size_t k = 0; k < operands.count; k++)
                changed = changed || image[operands.items[k]] != operands.items[k];
            image[e] = changed ? nh_rebuilt_with(pool, e, image) : e;
        }
    }
    return image;
}

/* M^-1 (b_s - b_0), where M is the same on both sides. */
static nh_expr solved(nh_pool *pool, nh_arena *arena, nh_node component, const nh_expr *differences)
{
    nh_list items = nh_operands(pool, component.a), entries = nh_operands(pool, items.items[0]);
    size_t n = items.count - 1;
    nh_expr *x = nh_arena_array(arena, n + 1, sizeof *x), *b = nh_arena_array(arena, n + 1, sizeof *b);
    for (size_t i = 0; i < n; i++)
        b[i] = differences[items.items[1 + i]];
    nh_solution(pool, n, nh_get(pool, items.items[0]).function, entries.items, b, x);
    return x[component.b];
}

/* What each node is more on one choice of sides than on another: a_s b_s - a_0 b_0 = (a_s - a_0) b_s + a_0 (b_s - b_0). */
static nh_expr *differences(corners *c, const nh_expr *first, const nh_expr *image)
{
    nh_pool *pool = &c->flow->eq->pool;
    size_t size = c->walk.count ? (size_t)c->walk.nodes[c->walk.count - 1] + 1 : 1;
    nh_expr *d = nh_arena_array(c->flow->arena, size, sizeof *d);
    for (size_t i = 0; i < c->walk.count; i++) {
        nh_expr e = c->walk.nodes[i];
        nh_node n = nh_get(pool, e);
        if (first[e] == image[e])
            d[e] = pool->zero;
        else if (n.kind == NH_ADD)
            d[e] = nh_add(pool, d[n.a], d[n.b]);
        else if (n.kind == NH_MUL)
            d[e] = nh_add(pool, nh_mul(pool, d[n.a], image[n.b]), nh_mul(pool, first[n.a], d[n.b]));
        else if (n.kind == NH_COMPONENT && first[nh_get(pool, n.a).a] == nh_get(pool, n.a).a &&
                 image[nh_get(pool, n.a).a] == nh_get(pool, n.a).a)
            d[e] = solved(pool, c->flow->arena, n, d);
        else if (n.kind != NH_MATRIX && n.kind != NH_SOLVE)
            d[e] = nh_sub(pool, image[e], first[e]);
    }
    return d;
}

/* r_s - r_0 and its slopes are 0. */
static bool agree(corners *c, const nh_expr *first, unsigned sides)
{
    nh_flow *f = c->flow;
    nh_equations *eq = f->eq;
    const nh_expr *d = differences(c, first, on_sides(c, sides));
    nh_expr *apart = nh_arena_array(f->arena, f->size + 1, sizeof *apart),
            *slopes = nh_arena_array(f->arena, f->size + 1, sizeof *slopes);
    bool same = true;
    for (size_t i = 0; i < f->size && same; i++)
        apart[i] = d[f->rates[i]], same = vanishes(c, apart[i], false);
    for (size_t k = 0; k < f->size && same; k++) {
        nh_directional(&eq->pool, &eq->context->arena, apart, f->size, &f->symbols[k], &eq->pool.one, 1,
                       slopes);
        for (size_t i = 0; i < f->size && same; i++)
            same = vanishes(c, slopes[i], false);
    }
    return same;
}

bool nh_flow_has_corner(nh_flow *f, const double *inputs)
{
    corners c = {.flow = f};
    c.walk = nh_walk_of(&f->eq->pool, f->arena, f->rates, f->size);
    put_state(&c, inputs);
    find_corners(&c);
    if (c.many || c.count == 0)
        return c.many;
    const nh_expr *first = on_sides(&c, 0);
    for (unsigned sides = 1; sides < 1u << c.n_arguments; sides++)
        if (!agree(&c, first, sides))
            return true;
    return false;
}

/* r_s - r_0 is 0 at the state, whatever its slopes are. */
static bool is_continuous(corners *c, const nh_expr *first, unsigned sides)
{
    const nh_expr *d = differences(c, first, on_sides(c, sides));
    bool same = true;
    for (size_t i = 0; i < c->flow->size && same; i++)
        same = vanishes(c, d[c->flow->rates[i]], false);
    return same;
}

nh_expr *nh_flow_on_sides(nh_flow *f, const double *inputs, size_t *count)
{
    corners c = {.flow = f};
    c.walk = nh_walk_of(&f->eq->pool, f->arena, f->rates, f->size);
    put_state(&c, inputs);
    find_corners(&c);
    *count = 0;
    if (c.many || c.count == 0)
        return NULL;
    nh_expr *rates = nh_arena_array(f->arena, (f->size << c.n_arguments) + 1, sizeof *rates);
    const nh_expr *first = on_sides(&c, 0);
    for (unsigned sides = 0; sides < 1u << c.n_arguments; sides++) {
        const nh_expr *image = on_sides(&c, sides);
        if (!is_continuous(&c, first, sides))
            return NULL;
        for (size_t i = 0; i < f->size; i++)
            rates[sides * f->size + i] = image[f->rates[i]];
    }
    *count = (size_t)1 << c.n_arguments;
    return rates;
}

/* ---------------------------------------------------------------- roots of squares */

void nh_roots_of_squares(nh_flow *f, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_pool *pool = &f->eq->pool;
    nh_walk walk = nh_walk_of(pool, f->arena, e, count);
    size_t size = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    nh_expr *image = nh_arena_array(f->arena, size, sizeof *image), base;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr node = walk.nodes[i];
        nh_list operands = nh_operands(pool, node);
        int64_t k;
        bool changed = false;
        for (size_t j = 0; j < operands.count; j++)
            changed = changed || image[operands.items[j]] != operands.items[j];
        if (nh_is_root_of_power(pool, node, &base, &k))
            image[node] = nh_power(pool, nh_call(pool, NH_FN_abs, image[base], NH_EXPR_NONE), k);
        else
            image[node] = changed ? nh_rebuilt_with(pool, node, image) : node;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = e[i] ? image[e[i]] : e[i];
}

/* ---------------------------------------------------------------- holes */

static bool has_root_of_power(const nh_flow *f, const nh_expr *e, size_t count)
{
    const nh_pool *pool = &f->eq->pool;
    nh_walk walk = nh_walk_of(pool, f->arena, e, count);
    nh_expr base;
    int64_t k;
    for (size_t i = 0; i < walk.count; i++)
        if (nh_is_root_of_power(pool, walk.nodes[i], &base, &k))
            return true;
    return false;
}

/* u/sqrt(u^2) = sign(u) within a product. */
static nh_expr with_sign(nh_flow *f, nh_expr product)
{
    nh_pool *pool = &f->eq->pool;
    nh_product p = nh_product_of(pool, f->arena, product);
    nh_expr out = nh_number(pool, p.number), base = NH_EXPR_NONE;
    int64_t k = 0;
    bool found = false;
    for (size_t i = 0; i < p.count && !found; i++)
        for (size_t j = 0; j < p.count && !found; j++) {
            found = p.factors[i].exponent == -1 && p.factors[j].exponent > 0 &&
                    nh_is_root_of_power(pool, p.factors[i].base, &base, &k) && k == 1 &&
                    p.factors[j].base == base;
            if (found)
                p.factors[i] = (nh_factor){nh_call(pool, NH_FN_sign, base, NH_EXPR_NONE), 1},
                p.factors[j].exponent--;
        }
    for (size_t i = 0; i < p.count; i++)
        out = nh_mul(pool, out, nh_power(pool, p.factors[i].base, p.factors[i].exponent));
    return found ? out : product;
}

void nh_fill_holes(nh_flow *f, nh_expr *e, size_t count)
{
    nh_pool *pool = &f->eq->pool;
    nh_algebra algebra;
    if (!has_root_of_power(f, e, count) || nh_has_solve(pool, &f->eq->context->arena, e, count))
        return;
    nh_algebra_init(&algebra, pool, &(nh_budget){.max_terms = 1000, .max_seconds = 0.2}, nh_flow_signs(f));
    nh_simplify(&algebra, e, count, e);
    nh_algebra_free(&algebra);
    nh_walk walk = nh_walk_of(pool, f->arena, e, count);
    nh_expr *image = nh_arena_array(f->arena, (size_t)nh_largest(e, count) + 1, sizeof *image);
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr node = walk.nodes[i];
        bool product = nh_get(pool, node).kind == NH_MUL;
        nh_expr filled = product ? with_sign(f, node) : node;
        nh_list operands = nh_operands(pool, node);
        bool changed = false;
        for (size_t j = 0; j < operands.count; j++)
            changed = changed || image[operands.items[j]] != operands.items[j];
        image[node] = filled != node ? filled : changed ? nh_rebuilt_with(pool, node, image) : node;
    }
    for (size_t i = 0; i < count; i++)
        e[i] = image[e[i]];
}
