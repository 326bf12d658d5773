/* From expressions to steps. */
#include "tape/inner.h"

#include <string.h>

/* x - y, of which there are a sine and a cosine. */
typedef struct difference {
    nh_expr x, y;
    uint32_t first;
} difference;

typedef struct lowering {
    nh_builder b;
    const nh_pool *pool;
    uint32_t *place;                 /* register + 1 by expression; 0: not there yet */
    uint32_t *partner;               /* by expression: register + 1 of the pair (sin, cos) of this argument */
    uint32_t *hyperbolic, *tangents; /* the same of (sinh, cosh), and of tanh with its derivative */
    uint32_t *solution;              /* by expression: the first register + 1 of a solution */
    bool *turned; /* by expression: its sine or cosine is needed; NULL: sums of angles are not taken apart */
    difference *differences;
    size_t n_differences, differences_capacity;
} lowering;

/* ---------------------------------------------------------------- functions */

static nh_expr negated(const nh_pool *pool, nh_expr e);

/* sin and cos, or sinh and cosh, of one argument together; the first of them. */
static uint32_t pair(lowering *l, nh_op op, uint32_t *table, nh_expr argument)
{
    if (!table[argument])
        table[argument] = nh_build_pair(&l->b, op, l->place[argument] - 1) + 1;
    return table[argument] - 1;
}

typedef struct turn {
    uint32_t sine, cosine;
} turn;

/* sin(y - x) = -sin(x - y), cos(y - x) = cos(x - y): one of the two is enough. */
static turn turn_of_difference(lowering *l, nh_expr argument, nh_expr x, nh_expr y)
{
    for (size_t i = 0; i < l->n_differences; i++) {
        const difference *d = &l->differences[i];
        if (d->x == y && d->y == x)
            return (turn){nh_build_one(&l->b, NH_OP_NEG, d->first), d->first + 1};
    }
    bool is_new = !l->partner[argument];
    uint32_t first = pair(l, NH_OP_SINCOS, l->partner, argument);
    if (is_new)
        nh_push(l->b.scratch, l->differences, l->n_differences, l->differences_capacity) =
            (difference){x, y, first};
    return (turn){first, first + 1};
}

/* Values alone: sin(x + y) = sin x cos y + cos x sin y costs less than another call, where sin x and sin y are needed anyway. Sums of
 * sums go down as deep as they are written, which is not far. */
static turn turn_of(lowering *l, nh_expr argument, int depth)
{
    nh_node node = nh_get(l->pool, argument);
    nh_expr minus = node.kind == NH_ADD ? negated(l->pool, node.b) : NH_EXPR_NONE, x = node.a,
            y = minus ? minus : node.b;
    if (node.kind == NH_ADD && !minus && negated(l->pool, node.a))
        minus = negated(l->pool, node.a), x = node.b, y = minus;
    if (!l->turned && minus)
        return turn_of_difference(l, argument, x, y);
    if (!l->turned || l->partner[argument] || node.kind != NH_ADD || !l->turned[x] || !l->turned[y] ||
        depth > 64) {
        uint32_t first = pair(l, NH_OP_SINCOS, l->partner, argument);
        return (turn){first, first + 1};
    }
    turn a = turn_of(l, x, depth + 1), b = turn_of(l, y, depth + 1);
    uint32_t ss = nh_build_two(&l->b, NH_OP_MUL, a.sine, b.sine),
             cc = nh_build_two(&l->b, NH_OP_MUL, a.cosine, b.cosine);
    uint32_t sc = nh_build_two(&l->b, NH_OP_MUL, a.sine, b.cosine),
             cs = nh_build_two(&l->b, NH_OP_MUL, a.cosine, b.sine);
    return (turn){nh_build_two(&l->b, minus ? NH_OP_SUB : NH_OP_ADD, sc, cs),
                  nh_build_two(&l->b, minus ? NH_OP_ADD : NH_OP_SUB, cc, ss)};
}

/* The derivative 1/sqrt(1 - a^2), its negative, or 1/(1 + a^2) beside the function. */
static uint32_t arc(lowering *l, nh_function f, uint32_t a)
{
    nh_builder *b = &l->b;
    uint32_t one = nh_build_integer(b, 1), square = nh_build_one(b, NH_OP_SQUARE, a);
    uint32_t below = f == NH_FN_atan ? nh_build_two(b, NH_OP_ADD, one, square)
                                     : nh_build_one(b, NH_OP_SQRT, nh_build_two(b, NH_OP_SUB, one, square));
    uint32_t derivative = nh_build_two(b, NH_OP_DIV, nh_build_integer(b, f == NH_FN_acos ? -1 : 1), below);
    bool constant = nh_build_is_constant(b, a);
    uint32_t out = nh_build_registers(b, 1, constant);
    nh_build_step(b, (nh_step){.op = NH_OP_ARC, .function = (uint8_t)f, .out = out, .a = a, .b = derivative},
                  constant);
    return out;
}

static uint32_t arc_of_two(lowering *l, uint32_t y, uint32_t x)
{
    nh_builder *b = &l->b;
    uint32_t below =
        nh_build_two(b, NH_OP_ADD, nh_build_one(b, NH_OP_SQUARE, y), nh_build_one(b, NH_OP_SQUARE, x));
    uint32_t minus = nh_build_one(b, NH_OP_NEG, y);
    bool constant = nh_build_is_constant(b, below);
    uint32_t first = nh_build_registers(b, 2, constant);
    nh_build_step(b, (nh_step){.op = NH_OP_DIV, .out = first, .a = x, .b = below}, constant);
    nh_build_step(b, (nh_step){.op = NH_OP_DIV, .out = first + 1, .a = minus, .b = below}, constant);
    uint32_t out = nh_build_registers(b, 1, constant);
    nh_build_step(b, (nh_step){.op = NH_OP_ATAN2, .out = out, .a = y, .b = x, .c = first}, constant);
    return out;
}

/* Arcs of a sine, cosine or tangent are waves with corners, which arcs alone, whose derivatives have no bounds there, are not exact at:
 *     asin(sin x) = atan2(sin x, |cos x|)    acos(cos x) = atan2(|sin x|, cos x)    atan(tan x) = atan2(sin x sign(cos x), |cos x|)
 *     asin(cos x) = atan2(cos x, |sin x|)    acos(sin x) = atan2(|cos x|, sin x)
 * false: it is none. */
static bool wave(lowering *l, nh_function f, nh_node inner, uint32_t *out)
{
    nh_builder *b = &l->b;
    nh_function g = (nh_function)inner.function;
    bool root = (f == NH_FN_asin || f == NH_FN_acos) && (g == NH_FN_sin || g == NH_FN_cos);
    if (inner.kind != NH_CALL || !(root || (f == NH_FN_atan && g == NH_FN_tan)))
        return false;
    turn x = turn_of(l, inner.a, 0);
    uint32_t along = g == NH_FN_cos ? x.cosine : x.sine, across = g == NH_FN_cos ? x.sine : x.cosine;
    uint32_t size = nh_build_one(b, NH_OP_ABS, across);
    if (f == NH_FN_atan)
        along = nh_build_two(b, NH_OP_MUL, along, nh_build_one(b, NH_OP_SIGN, across));
    *out = f == NH_FN_acos ? arc_of_two(l, size, along) : arc_of_two(l, along, size);
    return true;
}

static uint32_t whole_power(lowering *l, uint32_t a, uint64_t n);

/* sqrt(x^2n) = |x|^n has a corner, or none; otherwise a root. */
static uint32_t root(lowering *l, nh_expr argument)
{
    nh_node node = nh_get(l->pool, argument);
    nh_rational n;
    uint32_t x = node.kind == NH_POW || node.kind == NH_MUL ? l->place[node.a] - 1 : 0;
    bool power = node.kind == NH_POW && nh_is_number(l->pool, node.b, &n) && !n.big && n.den == 1 &&
                 n.num > 0 && n.num % 2 == 0;
    if (node.kind == NH_MUL && node.a == node.b)
        power = true, n.num = 2;
    if (!power)
        return nh_build_one(&l->b, NH_OP_SQRT, l->place[argument] - 1);
    uint64_t half = (uint64_t)n.num / 2;
    return whole_power(l, half % 2 ? nh_build_one(&l->b, NH_OP_ABS, x) : x, half);
}

/* One layer off e, which has the sign of what is left, or the other one: c x, x^(2n+1), sinh, tanh and atan of x. NH_EXPR_NONE: it has none. */
static nh_expr within_sign(const nh_pool *pool, nh_expr e, bool *minus)
{
    nh_node node = nh_get(pool, e);
    nh_rational n;
    bool whole = node.kind == NH_POW && nh_is_number(pool, node.b, &n) && !n.big && n.den == 1;
    bool multiple = node.kind == NH_MUL && nh_is_number(pool, node.a, &n) && !n.big && n.num != 0;
    bool odd = node.kind == NH_CALL &&
               (node.function == NH_FN_sinh || node.function == NH_FN_tanh || node.function == NH_FN_atan);
    if (multiple)
        *minus = *minus != (n.num < 0);
    return multiple ? node.b : odd || (whole && n.num > 0 && n.num % 2) ? node.a : NH_EXPR_NONE;
}

/* Of the innermost: sign(x^3) = sign(x), and the zero of x, being simple, is known to all digits, that of x^3 to a third of them. */
static uint32_t sign(lowering *l, nh_expr argument)
{
    bool minus = false, other = false;
    uint32_t place = l->place[argument];
    for (nh_expr e = argument; (e = within_sign(l->pool, e, &other));)
        if (l->place[e])
            place = l->place[e], minus = other;
    uint32_t out = nh_build_one(&l->b, NH_OP_SIGN, place - 1);
    return minus ? nh_build_one(&l->b, NH_OP_NEG, out) : out;
}

static uint32_t call(lowering *l, nh_node node)
{
    uint32_t a = l->place[node.a] - 1, b = node.b ? l->place[node.b] - 1 : 0, out;
    nh_function f = (nh_function)node.function;
    if (wave(l, f, nh_get(l->pool, node.a), &out))
        return out;
    switch (f) {
    case NH_FN_sin: return turn_of(l, node.a, 0).sine;
    case NH_FN_cos: return turn_of(l, node.a, 0).cosine;
    case NH_FN_sinh: return pair(l, NH_OP_SINHCOSH, l->hyperbolic, node.a);
    case NH_FN_cosh: return pair(l, NH_OP_SINHCOSH, l->hyperbolic, node.a) + 1;
    case NH_FN_tan: {
        uint32_t s = pair(l, NH_OP_SINCOS, l->partner, node.a);
        return nh_build_two(&l->b, NH_OP_DIV, s, s + 1);
    }
    case NH_FN_tanh: return pair(l, NH_OP_TANH, l->tangents, node.a);
    case NH_FN_asin:
    case NH_FN_acos:
    case NH_FN_atan: return arc(l, f, a);
    case NH_FN_atan2: return arc_of_two(l, a, b);
    case NH_FN_exp: return nh_build_one(&l->b, NH_OP_EXP, a);
    case NH_FN_log: return nh_build_one(&l->b, NH_OP_LOG, a);
    case NH_FN_sqrt: return root(l, node.a);
    case NH_FN_abs: return nh_build_one(&l->b, NH_OP_ABS, a);
    case NH_FN_sign: return sign(l, node.a);
    case NH_FN_min: return nh_build_two(&l->b, NH_OP_MIN, a, b);
    case NH_FN_max: return nh_build_two(&l->b, NH_OP_MAX, a, b);
    default: return a;
    }
}

/* ---------------------------------------------------------------- powers */

static void remember_power(lowering *l, uint32_t base, uint32_t out, double n)
{
    nh_tape *t = l->b.tape;
    if ((n >= NH_HIGH_POWER || n <= -NH_HIGH_POWER) && !nh_build_is_constant(&l->b, base))
        nh_push(t->arena, t->powers, t->n_powers, t->powers_capacity) = (nh_high_power){base, out, n};
}

/* By repeated squaring. */
static uint32_t whole_power(lowering *l, uint32_t base, uint64_t exponent)
{
    uint32_t result = 0, a = base;
    uint64_t n = exponent;
    bool any = false;
    for (; n; n >>= 1) {
        if (n & 1)
            result = any ? nh_build_two(&l->b, NH_OP_MUL, result, a) : a, any = true;
        if (n > 1)
            a = nh_build_one(&l->b, NH_OP_SQUARE, a);
    }
    remember_power(l, base, result, (double)exponent);
    return result;
}

static uint32_t power(lowering *l, nh_node node)
{
    uint32_t a = l->place[node.a] - 1, b = l->place[node.b] - 1;
    nh_rational n;
    bool known = nh_is_number(l->pool, node.b, &n) && !n.big;
    if (known && n.den == 1) {
        uint64_t size = n.num < 0 ? (uint64_t)-n.num : (uint64_t)n.num;
        uint32_t result = size ? whole_power(l, a, size) : nh_build_integer(&l->b, 1);
        if (n.num >= 0)
            return result;
        result = nh_build_two(&l->b, NH_OP_DIV, nh_build_integer(&l->b, 1), result);
        remember_power(l, a, result, (double)n.num);
        return result;
    }
    if (known && n.den == 2 && n.num > 0)
        return whole_power(l, root(l, node.a), (uint64_t)n.num);
    if (nh_build_is_constant(&l->b, b))
        return nh_build_two(&l->b, NH_OP_POWER, a, b);
    return nh_build_one(&l->b, NH_OP_EXP,
                        nh_build_two(&l->b, NH_OP_MUL, b, nh_build_one(&l->b, NH_OP_LOG, a)));
}

/* ---------------------------------------------------------------- sums and products */

/* x with e = -x, or NH_EXPR_NONE. */
static nh_expr negated(const nh_pool *pool, nh_expr e)
{
    nh_node node = nh_get(pool, e);
    nh_rational n;
    bool minus = node.kind == NH_MUL && nh_is_number(pool, node.a, &n) && !n.big && n.num == -1 && n.den == 1;
    return minus ? node.b : NH_EXPR_NONE;
}

/* 1/x of a product a/x. */
static nh_expr inverse_of(const nh_pool *pool, nh_expr e)
{
    nh_node node = nh_get(pool, e);
    nh_rational n;
    bool below = node.kind == NH_POW && nh_is_number(pool, node.b, &n) && !n.big && n.num == -1 && n.den == 1;
    return below ? node.a : NH_EXPR_NONE;
}

/* 1 - tanh(x)^2, the derivative of tanh, which is a register; where tanh is nearly 1, the difference has no digits. */
static bool is_derivative_of_tanh(lowering *l, nh_expr one, nh_expr square, uint32_t *out)
{
    nh_node node = nh_get(l->pool, square), inner = nh_get(l->pool, node.a);
    nh_rational n;
    bool two = node.kind == NH_MUL ? node.a == node.b
                                   : node.kind == NH_POW && nh_is_number(l->pool, node.b, &n) && !n.big &&
                                         n.num == 2 && n.den == 1;
    bool is = one == l->pool->one && two && inner.kind == NH_CALL && inner.function == NH_FN_tanh;
    if (is)
        *out = pair(l, NH_OP_TANH, l->tangents, inner.a) + 1;
    return is;
}

static uint32_t sum(lowering *l, nh_node node)
{
    nh_expr minus = negated(l->pool, node.b), other = node.a;
    uint32_t out;
    if (!minus)
        minus = negated(l->pool, node.a), other = node.b;
    if (minus && is_derivative_of_tanh(l, other, minus, &out))
        return out;
    if (minus)
        return nh_build_two(&l->b, NH_OP_SUB, l->place[other] - 1, l->place[minus] - 1);
    return nh_build_two(&l->b, NH_OP_ADD, l->place[node.a] - 1, l->place[node.b] - 1);
}

static uint32_t product(lowering *l, nh_expr e, nh_node node)
{
    nh_expr minus = negated(l->pool, e), below = inverse_of(l->pool, node.b), other = node.a;
    if (minus)
        return nh_build_one(&l->b, NH_OP_NEG, l->place[minus] - 1);
    if (!below)
        below = inverse_of(l->pool, node.a), other = node.b;
    if (below)
        return nh_build_quotient(&l->b, l->place[other] - 1, l->place[below] - 1);
    if (node.a == node.b)
        return nh_build_one(&l->b, NH_OP_SQUARE, l->place[node.a] - 1);
    return nh_build_two(&l->b, NH_OP_MUL, l->place[node.a] - 1, l->place[node.b] - 1);
}

/* ---------------------------------------------------------------- linear systems */

static uint32_t *registers_of(lowering *l, const nh_expr *e, size_t count)
{
    uint32_t *out = nh_arena_array(l->b.tape->arena, count + 1, sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = l->place[e[i]] - 1;
    return out;
}

static void solve(lowering *l, nh_expr e, nh_node node)
{
    uint32_t n = nh_get(l->pool, node.a).b;
    nh_list entries = nh_operands(l->pool, node.a), all = nh_operands(l->pool, e);
    uint32_t *matrix = registers_of(l, entries.items, entries.count);
    l->solution[e] = nh_build_solve(&l->b, n, matrix, registers_of(l, all.items + 1, all.count - 1)) + 1;
}

/* ---------------------------------------------------------------- all nodes */

static void lower(lowering *l, nh_expr e)
{
    nh_node node = nh_get(l->pool, e);
    uint32_t place = 0;
    switch (node.kind) {
    case NH_NUMBER: place = nh_build_number(&l->b, l->pool->rationals[node.a], false) + 1; break;
    case NH_PI: place = nh_build_number(&l->b, nh_rational_int(0), true) + 1; break;
    case NH_ADD: place = sum(l, node) + 1; break;
    case NH_MUL: place = product(l, e, node) + 1; break;
    case NH_POW: place = power(l, node) + 1; break;
    case NH_CALL: place = call(l, node) + 1; break;
    case NH_SOLVE: solve(l, e, node); return;
    case NH_COMPONENT: place = l->solution[node.a] + node.b; break;
    default: return;
    }
    l->place[e] = place;
}

static void place_inputs(lowering *l, const nh_expr *symbols, size_t count, bool constant)
{
    for (size_t i = 0; i < count; i++)
        l->place[symbols[i]] = nh_build_registers(&l->b, 1, constant) + 1;
}

/* The arguments of sines and cosines. */
static bool *turned_ones(const nh_pool *pool, nh_arena *scratch, const nh_walk *walk, size_t size)
{
    bool *turned = nh_arena_array(scratch, size, sizeof *turned);
    memset(turned, 0, size * sizeof *turned);
    for (size_t i = 0; i < walk->count; i++) {
        nh_node node = nh_get(pool, walk->nodes[i]);
        if (node.kind == NH_CALL && (node.function == NH_FN_sin || node.function == NH_FN_cos))
            turned[node.a] = true;
    }
    return turned;
}

/* What only products with an inverse, or sums with a negative, are made of is not computed by itself. */
static bool *used_by_others(const nh_pool *pool, nh_arena *scratch, const nh_walk *walk, const nh_expr *roots,
                            size_t n_roots, size_t size)
{
    bool *used = nh_arena_array(scratch, size, sizeof *used);
    memset(used, 0, size * sizeof *used);
    for (size_t i = 0; i < n_roots; i++)
        used[roots[i]] = true;
    for (size_t i = walk->count; i-- > 0;) {
        nh_expr e = walk->nodes[i];
        nh_node node = nh_get(pool, e);
        if (!used[e])
            continue;
        nh_list operands = nh_operands(pool, e);
        nh_expr inner = NH_EXPR_NONE;
        if (node.kind == NH_ADD)
            inner = negated(pool, node.b) ? node.b : negated(pool, node.a) ? node.a : NH_EXPR_NONE;
        else if (node.kind == NH_MUL && !negated(pool, e))
            inner = inverse_of(pool, node.b) ? node.b : inverse_of(pool, node.a) ? node.a : NH_EXPR_NONE;
        for (size_t k = 0; k < operands.count; k++)
            if (operands.items[k] != inner)
                used[operands.items[k]] = true;
        if (inner) {
            nh_expr below = node.kind == NH_ADD ? negated(pool, inner) : inverse_of(pool, inner);
            used[below] = true;
        }
        if (node.kind == NH_POW)
            used[node.b] = true;
    }
    return used;
}

/* In series a product is a sum, u_0 v_k + u_k v_0 and more: what is known last, u, is added last. */
static void order_factors(nh_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        nh_step *s = &steps[i];
        uint32_t first = s->a > s->b ? s->b : s->a, last = s->a > s->b ? s->a : s->b;
        if (s->op == NH_OP_MUL)
            s->a = last, s->b = first;
    }
}

nh_tape *nh_tape_new(const nh_pool *pool, nh_arena *arena, nh_arena *scratch, const nh_expr *roots,
                     size_t n_roots, const nh_expr *changing, size_t n_changing, const nh_expr *constant,
                     size_t n_constant, nh_tape_use use)
{
    nh_tape *t = nh_arena_array(arena, 1, sizeof *t);
    *t = (nh_tape){
        .arena = arena, .n_inputs = n_changing, .n_constant_inputs = n_constant, .n_outputs = n_roots};
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t size = pool->n_nodes + 1;
    lowering l = {.pool = pool};
    nh_builder_init(&l.b, t, scratch);
    uint32_t **tables[] = {&l.place, &l.partner, &l.hyperbolic, &l.tangents, &l.solution};
    for (size_t k = 0; k < 5; k++) {
        *tables[k] = nh_arena_array(scratch, size, sizeof **tables[k]);
        memset(*tables[k], 0, size * sizeof **tables[k]);
    }
    place_inputs(&l, changing, n_changing, false);
    place_inputs(&l, constant, n_constant, true);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    bool *used = used_by_others(pool, scratch, &walk, roots, n_roots, size);
    l.turned = use == NH_FOR_VALUES ? turned_ones(pool, scratch, &walk, size) : NULL;
    for (size_t i = 0; i < walk.count; i++)
        if (used[walk.nodes[i]] && !l.place[walk.nodes[i]])
            lower(&l, walk.nodes[i]);
    t->outputs = registers_of(&l, roots, n_roots);
    nh_builder_finish(&l.b);
    if (use == NH_FOR_SERIES)
        order_factors(t->steps, t->n_steps), order_factors(t->runs, t->n_steps);
    nh_arena_release(scratch, mark);
    return t;
}
