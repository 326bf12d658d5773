/* Derivatives and substitution, each one sweep over the nodes involved. */
#include "expr/expr.h"
#include "expr/intern.h"

#include <string.h>

/* ---------------------------------------------------------------- partial derivatives of a node */

#define D1(fx) (out[0] = (fx))
#define D2(fx, fy) (out[0] = (fx), out[1] = (fy))
#define X x
#define Y y
#define F f
#define ZERO (p->zero)
#define ONE (p->one)
#define TWO (p->two)
#define ADD(a, b) nh_add(p, a, b)
#define SUB(a, b) nh_sub(p, a, b)
#define MUL(a, b) nh_mul(p, a, b)
#define DIV(a, b) nh_div(p, a, b)
#define NEG(a) nh_neg(p, a)
#define HALF(a) nh_mul(p, p->half, a)
#define SQUARE(a) nh_power(p, a, 2)
#define INVERSE(a) nh_power(p, a, -1)
#define CALL(function, a) nh_call(p, function, a, NH_EXPR_NONE)
#define SIN(a) CALL(NH_FN_sin, a)
#define COS(a) CALL(NH_FN_cos, a)
#define SINH(a) CALL(NH_FN_sinh, a)
#define COSH(a) CALL(NH_FN_cosh, a)
#define SQRT(a) CALL(NH_FN_sqrt, a)
#define SIGN(a) CALL(NH_FN_sign, a)

static void call_partials(nh_pool *p, nh_expr f, nh_expr out[2])
{
    nh_node node = p->nodes[f];
    nh_expr x = node.a, y = node.b;
    (void)y;
    switch ((nh_function)node.function) {
#define NH_FUNCTION(name, arity, smooth, parity, at_zero, derivative, ...) \
    case NH_FN_##name:                                                     \
        derivative;                                                        \
        break;
#include "expr/functions.def"
#undef NH_FUNCTION
    case NH_FN_COUNT: break;
    }
}

/* d(a^b) = b a^(b-1) da + a^b log(a) db; a number b has no db. */
static void power_partials(nh_pool *p, nh_expr f, nh_expr out[2])
{
    nh_node node = p->nodes[f];
    out[0] = MUL(node.b, nh_pow(p, node.a, SUB(node.b, ONE)));
    out[1] = nh_is_number(p, node.b, NULL) ? ZERO : MUL(f, CALL(NH_FN_log, node.a));
}

/* out[k] = d e / d operand k. */
static void partials(nh_pool *p, nh_expr e, nh_expr out[2])
{
    nh_node node = p->nodes[e];
    out[0] = out[1] = ZERO;
    switch (node.kind) {
    case NH_ADD: out[0] = out[1] = ONE; break;
    case NH_MUL: out[0] = node.b, out[1] = node.a; break;
    case NH_POW: power_partials(p, e, out); break;
    case NH_CALL: call_partials(p, e, out); break;
    default: break;
    }
}

/* ---------------------------------------------------------------- sweeps */

/* A value for each handle up to the largest of the walk. */
static nh_expr *slots(nh_arena *scratch, nh_walk walk)
{
    return nh_arena_array(scratch, walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1, sizeof(nh_expr));
}

/* Which handles depend on the symbols: derivatives of the others are not looked at. */
static uint8_t *dependence(const nh_pool *pool, nh_arena *scratch, nh_walk walk, const nh_expr *symbols,
                           size_t n)
{
    size_t size = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    uint8_t *depends = nh_arena_array(scratch, size, 1);
    for (size_t j = 0; j < n; j++)
        if (symbols[j] < size)
            depends[symbols[j]] = 1;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        nh_list operands = nh_operands(pool, e);
        for (size_t k = 0; k < operands.count; k++)
            depends[e] |= depends[operands.items[k]];
    }
    return depends;
}

static void accumulate(nh_pool *pool, nh_expr *slot, nh_expr value)
{
    *slot = *slot ? nh_add(pool, *slot, value) : value;
}

/* ---------------------------------------------------------------- reverse */

typedef struct reverse {
    nh_pool *pool;
    nh_arena *scratch;
    const uint8_t *depends;
    nh_expr *adjoint;
    nh_expr **vectors; /* by handle: adjoints of solutions */
} reverse;

static void reverse_scalar(reverse *r, nh_expr e)
{
    nh_expr d[2];
    nh_list operands = nh_operands(r->pool, e);
    if (operands.count == 0)
        return;
    partials(r->pool, e, d);
    for (size_t k = 0; k < operands.count; k++)
        if (r->depends[operands.items[k]])
            accumulate(r->pool, &r->adjoint[operands.items[k]], nh_mul(r->pool, r->adjoint[e], d[k]));
}

static void reverse_part(reverse *r, nh_expr e)
{
    nh_node node = r->pool->nodes[e];
    nh_expr **vector = &r->vectors[node.a];
    if (!*vector)
        *vector = nh_arena_array(r->scratch, nh_operands(r->pool, node.a).count - 1, sizeof **vector);
    accumulate(r->pool, &(*vector)[node.b], r->adjoint[e]);
    r->adjoint[node.a] = r->pool->one; /* something arrived there */
}

static nh_expr transposed(nh_pool *pool, nh_arena *scratch, nh_expr matrix)
{
    nh_node node = pool->nodes[matrix];
    nh_list entries = nh_operands(pool, matrix);
    size_t n = node.b;
    nh_expr *out = nh_arena_array(scratch, n * n, sizeof *out);
    for (size_t k = 0; k < n * n; k++)
        out[k % n * n + k / n] = entries.items[k];
    return node.function ? matrix : nh_matrix_node(pool, n, false, out);
}

/* M x = b, x* the adjoint of x: b* = M^-T x*, M*_ij = -b*_i x_j. */
static void reverse_solve(reverse *r, nh_expr e)
{
    nh_pool *pool = r->pool;
    nh_expr matrix = pool->nodes[e].a, *vector = r->vectors[e];
    nh_list b = nh_operands(pool, e), M = nh_operands(pool, matrix);
    size_t n = b.count - 1;
    for (size_t i = 0; i < n; i++)
        vector[i] = vector[i] ? vector[i] : pool->zero;
    nh_expr solve = nh_solve_node(pool, transposed(pool, r->scratch, matrix), vector);
    for (size_t i = 0; i < n; i++) {
        nh_expr star = nh_component(pool, solve, i);
        if (r->depends[b.items[1 + i]])
            accumulate(pool, &r->adjoint[b.items[1 + i]], star);
        for (size_t j = 0; j < n; j++)
            if (r->depends[M.items[i * n + j]])
                accumulate(pool, &r->adjoint[M.items[i * n + j]],
                           nh_neg(pool, nh_mul(pool, star, nh_component(pool, e, j))));
    }
}

void nh_gradient(nh_pool *pool, nh_arena *scratch, const nh_expr *roots, const nh_expr *seeds, size_t n_roots,
                 const nh_expr *symbols, size_t n_symbols, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    uint8_t *depends = dependence(pool, scratch, walk, symbols, n_symbols);
    nh_expr *adjoint = slots(scratch, walk);
    bool solves = nh_has_solve(pool, scratch, roots, n_roots);
    reverse r = {pool, scratch, depends, adjoint,
                 solves ? nh_arena_array(scratch, (size_t)walk.nodes[walk.count - 1] + 1, sizeof(nh_expr *))
                        : NULL};
    for (size_t i = 0; i < n_roots; i++)
        accumulate(pool, &adjoint[roots[i]], seeds ? seeds[i] : pool->one);
    for (size_t i = walk.count; i-- > 0;) {
        nh_expr e = walk.nodes[i];
        nh_kind kind = (nh_kind)pool->nodes[e].kind;
        if (!adjoint[e] || !depends[e] || kind == NH_MATRIX)
            continue;
        if (kind == NH_COMPONENT)
            reverse_part(&r, e);
        else if (kind == NH_SOLVE)
            reverse_solve(&r, e);
        else
            reverse_scalar(&r, e);
    }
    nh_expr top = walk.count ? walk.nodes[walk.count - 1] : 0;
    for (size_t j = 0; j < n_symbols; j++) {
        bool reached = symbols[j] <= top && adjoint[symbols[j]];
        out[j] = reached ? adjoint[symbols[j]] : pool->zero;
    }
    nh_arena_release(scratch, mark);
}

/* ---------------------------------------------------------------- forward */

static bool any_moves(const nh_pool *pool, nh_expr e, const nh_expr *rate)
{
    nh_list operands = nh_operands(pool, e);
    for (size_t k = 0; k < operands.count; k++)
        if (rate[operands.items[k]])
            return true;
    return false;
}

static void forward_scalar(nh_pool *pool, nh_expr e, nh_expr *rate)
{
    nh_expr d[2];
    nh_list operands = nh_operands(pool, e);
    partials(pool, e, d);
    for (size_t k = 0; k < operands.count; k++)
        if (rate[operands.items[k]])
            accumulate(pool, &rate[e], nh_mul(pool, d[k], rate[operands.items[k]]));
}

/* The matrix of the rates of the entries. */
static nh_expr forward_matrix(nh_pool *pool, nh_arena *scratch, nh_expr e, const nh_expr *rate)
{
    nh_node node = pool->nodes[e];
    nh_list entries = nh_operands(pool, e);
    nh_expr *rates = nh_arena_array(scratch, entries.count, sizeof *rates);
    for (size_t k = 0; k < entries.count; k++)
        rates[k] = rate[entries.items[k]] ? rate[entries.items[k]] : pool->zero;
    return nh_matrix_node(pool, node.b, node.function, rates);
}

/* M x = b: M x' = b' - M' x. */
static nh_expr forward_solve(nh_pool *pool, nh_arena *scratch, nh_expr e, const nh_expr *rate)
{
    nh_expr matrix = pool->nodes[e].a;
    nh_list b = nh_operands(pool, e), M = {NULL, 0};
    size_t n = b.count - 1;
    nh_expr *right = nh_arena_array(scratch, n, sizeof *right);
    if (rate[matrix])
        M = nh_operands(pool, rate[matrix]);
    for (size_t i = 0; i < n; i++) {
        right[i] = rate[b.items[1 + i]] ? rate[b.items[1 + i]] : pool->zero;
        for (size_t j = 0; j < n && M.items; j++)
            if (M.items[i * n + j] != pool->zero)
                right[i] = nh_sub(pool, right[i], nh_mul(pool, M.items[i * n + j], nh_component(pool, e, j)));
    }
    return nh_solve_node(pool, matrix, right);
}

void nh_directional(nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                    const nh_expr *symbols, const nh_expr *directions, size_t n_symbols, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    nh_expr *rate = slots(scratch, walk), top = walk.count ? walk.nodes[walk.count - 1] : 0;
    for (size_t j = 0; j < n_symbols; j++)
        if (symbols[j] <= top)
            rate[symbols[j]] = directions[j];
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        if (!any_moves(pool, e, rate))
            continue;
        switch (pool->nodes[e].kind) {
        case NH_MATRIX: rate[e] = forward_matrix(pool, scratch, e, rate); break;
        case NH_SOLVE: rate[e] = forward_solve(pool, scratch, e, rate); break;
        case NH_COMPONENT: rate[e] = nh_component(pool, rate[pool->nodes[e].a], pool->nodes[e].b); break;
        default: forward_scalar(pool, e, rate); break;
        }
    }
    for (size_t i = 0; i < n_roots; i++)
        out[i] = rate[roots[i]] ? rate[roots[i]] : pool->zero;
    nh_arena_release(scratch, mark);
}

nh_expr nh_derivative(nh_pool *pool, nh_arena *scratch, nh_expr root, nh_expr symbol)
{
    nh_expr out;
    nh_directional(pool, scratch, &root, 1, &symbol, &pool->one, 1, &out);
    return out;
}

nh_expr nh_rebuilt_with(nh_pool *pool, nh_expr e, const nh_expr *image)
{
    nh_list operands = nh_operands(pool, e);
    nh_expr two[2] = {NH_EXPR_NONE, NH_EXPR_NONE}, *images = two;
    if (operands.count > 2)
        images = nh_arena_array(pool->arena, operands.count, sizeof *images);
    for (size_t k = 0; k < operands.count; k++)
        images[k] = image[operands.items[k]];
    return operands.count ? nh_rebuild(pool, e, images) : e;
}

void nh_substitute(nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                   const nh_expr *symbols, const nh_expr *values, size_t n_symbols, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    nh_expr *image = slots(scratch, walk), top = walk.count ? walk.nodes[walk.count - 1] : 0;
    nh_expr *images = nh_operand_room(pool, scratch, walk);
    for (size_t i = 0; i < walk.count; i++)
        image[walk.nodes[i]] = walk.nodes[i];
    for (size_t j = 0; j < n_symbols; j++)
        if (symbols[j] <= top)
            image[symbols[j]] = values[j];
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        nh_list operands = nh_operands(pool, e);
        bool changed = false;
        for (size_t k = 0; k < operands.count; k++) {
            images[k] = image[operands.items[k]];
            changed = changed || images[k] != operands.items[k];
        }
        if (changed)
            image[e] = nh_rebuild(pool, e, images);
    }
    for (size_t i = 0; i < n_roots; i++)
        out[i] = image[roots[i]];
    nh_arena_release(scratch, mark);
}
