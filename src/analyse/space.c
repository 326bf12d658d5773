/* The functions of the coordinates that integrals are looked for with. */
#include "analyse/search.h"

#include <string.h>

enum { MOST_FUNCTIONS = 4, MOST_OPERATIONS_OF_FUNCTIONS = 30, MOST_DEGREE_OF_FUNCTIONS = 2, MOST_DEGREE = 8 };

/* Of expressions that are made short before they are looked at, and the time for that. */
enum { MOST_OPERATIONS = 400 };
static const double MOST_SECONDS = 0.5;

/* ---------------------------------------------------------------- which coordinates occur */

/* Derivatives are tested, not letters. */
static bool occurs_in_rates(nh_search *s, nh_expr symbol)
{
    nh_expr *d = nh_arena_array(s->arena, s->size, sizeof *d);
    nh_directional(s->pool, &s->eq->context->arena, s->rates, s->size, &symbol, &s->pool->one, 1, d);
    for (size_t i = 0; i < s->size; i++)
        if (nh_zero_test(s->eq->modular, &s->eq->context->arena, d[i], NULL) != NH_YES)
            return true;
    return false;
}

/* ---------------------------------------------------------------- how they occur */

static void add_axis(nh_search *s, nh_axis axis)
{
    for (size_t k = 0; k < s->n_axes; k++)
        if (s->axes[k].x == axis.x && s->axes[k].sine == axis.sine)
            return;
    nh_push(s->arena, s->axes, s->n_axes, s->axes_capacity) = axis;
}

static void add_angle(nh_search *s, nh_expr angle, size_t most)
{
    nh_pool *pool = s->pool;
    nh_expr sine = nh_call(pool, NH_FN_sin, angle, NH_EXPR_NONE);
    if (s->options.space & NH_SPACE_TRIGONOMETRIC && angle != pool->zero &&
        nh_get(pool, sine).kind == NH_CALL)
        add_axis(s, (nh_axis){NH_EXPR_NONE, sine, nh_call(pool, NH_FN_cos, angle, NH_EXPR_NONE), most});
}

/* The symbols of the state that an expression depends on: of the first kind, coordinates and t; of the second, w. */
static void state_symbols(nh_search *s, nh_expr e, bool *coordinates, bool *velocities)
{
    bool *depends = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *depends);
    nh_find_symbols(s->pool, &s->eq->context->arena, &e, 1, depends);
    *coordinates = *velocities = false;
    for (size_t i = 0; i < s->size; i++) {
        uint32_t index = 0;
        nh_is_symbol(s->pool, s->state[i], &index);
        bool is_w = i >= s->n && i < s->n + s->m;
        *(is_w ? velocities : coordinates) = *(is_w ? velocities : coordinates) || depends[index];
    }
}

/* sin(a + b - n*t): sines and cosines of a, b and of the rest are enough, where the multiples are whole. */
static void take_angle(nh_search *s, nh_expr argument)
{
    nh_pool *pool = s->pool;
    nh_arena *scratch = &s->eq->context->arena;
    nh_expr *zeros = nh_arena_array(s->arena, s->n, sizeof *zeros), rest = argument;
    bool whole = true, *with = nh_arena_array(s->arena, s->n, sizeof *with);
    for (size_t i = 0; i < s->n && whole; i++) {
        nh_rational multiple;
        zeros[i] = pool->zero;
        nh_expr d = nh_derivative(pool, scratch, argument, s->state[i]);
        whole = nh_is_number(pool, d, &multiple) && nh_rational_is_int(multiple);
        with[i] = whole && nh_rational_sign(multiple) != 0;
    }
    for (size_t i = 0; i < s->n && whole; i++)
        if (with[i])
            add_angle(s, s->state[i], MOST_DEGREE);
    if (whole)
        nh_substitute(pool, scratch, &argument, 1, s->state, zeros, s->n, &rest);
    bool coordinates, velocities;
    state_symbols(s, rest, &coordinates, &velocities);
    if (coordinates && !velocities)
        add_angle(s, rest, MOST_DEGREE);
}

static void add_function(nh_search *s, nh_expr e)
{
    bool coordinates, velocities;
    size_t functions = 0;
    state_symbols(s, e, &coordinates, &velocities);
    for (size_t k = 0; k < s->n_axes; k++)
        functions += s->axes[k].x && nh_get(s->pool, s->axes[k].x).kind != NH_SYMBOL;
    bool short_enough =
        nh_count_operations(s->pool, nh_search_scratch(s), &e, 1) <= MOST_OPERATIONS_OF_FUNCTIONS;
    if (coordinates && !velocities && s->options.space & NH_SPACE_FUNCTIONS && functions < MOST_FUNCTIONS &&
        short_enough)
        add_axis(s, (nh_axis){e, NH_EXPR_NONE, NH_EXPR_NONE, MOST_DEGREE_OF_FUNCTIONS});
}

/* 1/f for each factor f; cos^2 + sin^2 is none. */
static void add_divisors(nh_search *s, nh_expr e)
{
    nh_expr simple = e;
    if (nh_count_operations(s->pool, nh_search_scratch(s), &e, 1) <= MOST_OPERATIONS)
        nh_simplify(s->algebra, &e, 1, &simple);
    nh_product product = nh_product_of(s->pool, s->arena, simple);
    for (size_t k = 0; k < product.count; k++)
        if (product.factors[k].exponent > 0)
            add_function(s, nh_power(s->pool, product.factors[k].base, -1));
}

static bool is_state_symbol(const nh_search *s, nh_expr e)
{
    bool found = e == s->state[s->size - 1];
    for (size_t i = 0; i < s->n; i++)
        found = found || e == s->state[i];
    return found;
}

/* What a node adds; false: what is inside it needs no look of its own. */
static bool take_node(nh_search *s, nh_expr e)
{
    nh_node node = nh_get(s->pool, e);
    nh_rational n;
    if (node.kind == NH_SYMBOL && is_state_symbol(s, e) && s->options.space & NH_SPACE_POLYNOMIALS)
        add_axis(s, (nh_axis){e, NH_EXPR_NONE, NH_EXPR_NONE, MOST_DEGREE});
    if (node.kind == NH_CALL &&
        (node.function == NH_FN_sin || node.function == NH_FN_cos || node.function == NH_FN_tan)) {
        take_angle(s, node.a);
        if (node.function == NH_FN_tan)
            add_divisors(s, nh_call(s->pool, NH_FN_cos, node.a, NH_EXPR_NONE));
        return false;
    }
    if (node.kind == NH_CALL) {
        add_function(s, e);
        return node.function == NH_FN_sqrt;
    }
    if (node.kind == NH_POW && nh_is_number(s->pool, node.b, &n) && nh_rational_is_int(n)) {
        if (nh_rational_sign(n) < 0)
            add_divisors(s, node.a);
        return true;
    }
    if (node.kind == NH_POW)
        add_function(s, e);
    return node.kind != NH_POW;
}

/* From above: what stands inside a function is not seen. */
static void take_roots(nh_search *s, const nh_expr *roots, size_t count)
{
    nh_walk walk = nh_walk_of(s->pool, s->arena, roots, count);
    size_t end = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    bool *seen = nh_arena_array(s->arena, end, sizeof *seen);
    for (size_t i = 0; i < count; i++)
        seen[roots[i]] = true;
    for (size_t i = walk.count; i-- > 0;) {
        nh_expr e = walk.nodes[i];
        if (!seen[e] || !take_node(s, e))
            continue;
        nh_list operands = nh_operands(s->pool, e);
        for (size_t k = 0; k < operands.count; k++)
            seen[operands.items[k]] = true;
    }
}

/* Those of coordinates that do not occur are left out: x1 - x1 is none. */
static void drop_axes(nh_search *s)
{
    size_t left = 0;
    for (size_t k = 0; k < s->n_axes; k++) {
        bool keep = true;
        for (size_t i = 0; i < s->size; i++) {
            bool absent = i < s->n ? !s->occurs[i] : i == s->size - 1 && !s->occurs[s->n];
            nh_expr angle = s->axes[k].sine ? nh_get(s->pool, s->axes[k].sine).a : NH_EXPR_NONE;
            keep = keep && !(absent && (s->axes[k].x == s->state[i] || angle == s->state[i]));
        }
        if (keep)
            s->axes[left++] = s->axes[k];
    }
    s->n_axes = left;
}

/* As short as may be, so that functions which cancel are not seen. */
static void take_simple(nh_search *s, const nh_expr *roots, size_t count)
{
    nh_expr *simple = nh_search_array(s, count);
    nh_arena *scratch = nh_search_scratch(s);
    double deadline = nh_seconds() + MOST_SECONDS;
    for (size_t i = 0; i < count; i++) {
        simple[i] = roots[i];
        if (nh_seconds() < deadline && !nh_has_solve(s->pool, scratch, &roots[i], 1) &&
            nh_count_operations(s->pool, scratch, &roots[i], 1) <= MOST_OPERATIONS)
            nh_simplify(s->algebra, &roots[i], 1, &simple[i]);
    }
    take_roots(s, simple, count);
}

void nh_search_axes(nh_search *s)
{
    const nh_first_kind *f = &s->eq->first;
    nh_algebra algebra;
    nh_search_algebra(s, &algebra);
    algebra.budget.max_seconds = MOST_SECONDS;
    s->algebra = &algebra;
    s->occurs = nh_arena_array(s->arena, s->n + 1, sizeof *s->occurs);
    for (size_t i = 0; i <= s->n; i++)
        s->occurs[i] = occurs_in_rates(s, s->state[i < s->n ? i : s->size - 1]);
    if (f->psi) {
        take_simple(s, f->psi, s->n);
        take_simple(s, f->G, s->m * s->m);
        take_simple(s, f->Z_lower, s->m);
    } else
        take_simple(s, s->rates, s->size);
    drop_axes(s);
    s->algebra = NULL;
    nh_algebra_free(&algebra);
}

/* ---------------------------------------------------------------- products */

/* cos^k and sin cos^(k-1), or x^k. */
static size_t powers(nh_search *s, const nh_axis *axis, size_t degree, nh_expr out[2])
{
    nh_pool *pool = s->pool;
    if (axis->x) {
        out[0] = nh_power(pool, axis->x, (int64_t)degree);
        return 1;
    }
    out[0] = nh_power(pool, axis->cosine, (int64_t)degree);
    out[1] =
        degree ? nh_mul(pool, axis->sine, nh_power(pool, axis->cosine, (int64_t)degree - 1)) : NH_EXPR_NONE;
    return degree ? 2 : 1;
}

static nh_phis times_axis(nh_search *s, const nh_phis *in, const nh_axis *axis, size_t degree)
{
    nh_phis out = {0};
    for (size_t total = 0; total <= degree; total++)
        for (size_t k = 0; k <= axis->most && k <= total; k++) {
            nh_expr factors[2];
            size_t count = powers(s, axis, k, factors);
            for (size_t i = 0; i < in->count; i++)
                for (size_t f = 0; f < count && in->items[i].degree + k == total; f++)
                    nh_push(s->arena, out.items, out.count, out.capacity) =
                        (nh_phi){nh_mul(s->pool, in->items[i].value, factors[f]), total};
        }
    return out;
}

nh_phis nh_search_functions(nh_search *s, size_t degree)
{
    nh_phis phis = {0};
    nh_push(s->arena, phis.items, phis.count, phis.capacity) = (nh_phi){s->pool->one, 0};
    for (size_t k = 0; k < s->n_axes; k++)
        phis = times_axis(s, &phis, &s->axes[k], degree);
    return phis;
}

void nh_search_name_axes(const nh_search *s, nh_text *out)
{
    bool any = false;
    for (size_t k = 0; k < s->n_axes; k++) {
        nh_expr shown = s->axes[k].x ? s->axes[k].x : nh_get(s->pool, s->axes[k].sine).a;
        nh_text_str(out, any ? ", " : "");
        nh_text_str(out, s->axes[k].x ? "" : "cos and sin of ");
        nh_expr_print(out, s->pool, shown, 200);
        any = true;
    }
}
