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
    case NH_FN_COUNT:
        break;
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
static uint8_t *dependence(const nh_pool *pool, nh_arena *scratch, nh_walk walk, const nh_expr *symbols, size_t n)
{
    size_t size = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    uint8_t *depends = nh_arena_array(scratch, size, 1);
    for (size_t j = 0; j < n; j++)
        if (symbols[j] < size)
            depends[symbols[j]] = 1;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i], operands[2];
        for (int k = nh_operands(pool, e, operands); k-- > 0;)
            depends[e] |= depends[operands[k]];
    }
    return depends;
}

static void accumulate(nh_pool *pool, nh_expr *slot, nh_expr value)
{
    *slot = *slot ? nh_add(pool, *slot, value) : value;
}

void nh_gradient(nh_pool *pool, nh_arena *scratch, const nh_expr *roots, const nh_expr *seeds, size_t n_roots,
                 const nh_expr *symbols, size_t n_symbols, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    uint8_t *depends = dependence(pool, scratch, walk, symbols, n_symbols);
    nh_expr *adjoint = slots(scratch, walk);
    for (size_t i = 0; i < n_roots; i++)
        accumulate(pool, &adjoint[roots[i]], seeds ? seeds[i] : pool->one);
    for (size_t i = walk.count; i-- > 0;) {
        nh_expr e = walk.nodes[i], operands[2], d[2];
        int n = adjoint[e] && depends[e] ? nh_operands(pool, e, operands) : 0;
        if (n == 0)
            continue;
        partials(pool, e, d);
        for (int k = 0; k < n; k++)
            if (depends[operands[k]])
                accumulate(pool, &adjoint[operands[k]], nh_mul(pool, adjoint[e], d[k]));
    }
    nh_expr top = walk.count ? walk.nodes[walk.count - 1] : 0;
    for (size_t j = 0; j < n_symbols; j++) {
        bool reached = symbols[j] <= top && adjoint[symbols[j]];
        out[j] = reached ? adjoint[symbols[j]] : pool->zero;
    }
    nh_arena_release(scratch, mark);
}

void nh_directional(nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots, const nh_expr *symbols,
                    const nh_expr *directions, size_t n_symbols, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    nh_expr *rate = slots(scratch, walk), top = walk.count ? walk.nodes[walk.count - 1] : 0;
    for (size_t j = 0; j < n_symbols; j++)
        if (symbols[j] <= top)
            rate[symbols[j]] = directions[j];
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i], operands[2], d[2];
        int n = nh_operands(pool, e, operands);
        bool moves = (n > 0 && rate[operands[0]]) || (n > 1 && rate[operands[1]]);
        if (!moves)
            continue;
        partials(pool, e, d);
        for (int k = 0; k < n; k++)
            if (rate[operands[k]])
                accumulate(pool, &rate[e], nh_mul(pool, d[k], rate[operands[k]]));
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

void nh_substitute(nh_pool *pool, nh_arena *scratch, const nh_expr *roots, size_t n_roots, const nh_expr *symbols,
                   const nh_expr *values, size_t n_symbols, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    nh_expr *image = slots(scratch, walk), top = walk.count ? walk.nodes[walk.count - 1] : 0;
    for (size_t i = 0; i < walk.count; i++)
        image[walk.nodes[i]] = walk.nodes[i];
    for (size_t j = 0; j < n_symbols; j++)
        if (symbols[j] <= top)
            image[symbols[j]] = values[j];
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i], operands[2];
        int n = nh_operands(pool, e, operands);
        if (n == 0)
            continue;
        nh_expr images[2] = {image[operands[0]], n > 1 ? image[operands[1]] : NH_EXPR_NONE};
        if (images[0] != operands[0] || (n > 1 && images[1] != operands[1]))
            image[e] = nh_rebuild(pool, e, images);
    }
    for (size_t i = 0; i < n_roots; i++)
        out[i] = image[roots[i]];
    nh_arena_release(scratch, mark);
}
