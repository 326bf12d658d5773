/* From expressions to steps. */
#include "tape/tape.h"

#include <string.h>

typedef struct lowering {
    nh_tape *tape;
    const nh_pool *pool;
    nh_arena *scratch;
    uint32_t *place;   /* register + 1 by expression; 0: not there yet */
    uint32_t *partner; /* by expression: register + 1 of the pair (sin, cos) of this argument */
    uint32_t *hyperbolic;
    uint32_t *solution; /* by expression: the first register + 1 of a solution */
    bool *constant;     /* by register */
    size_t constant_capacity;
} lowering;

static bool is_constant(const lowering *l, uint32_t r) { return l->constant[r]; }

static uint32_t new_registers(lowering *l, uint32_t count, bool constant)
{
    uint32_t first = (uint32_t)l->tape->n_registers;
    for (uint32_t i = 0; i < count; i++)
        nh_push(l->scratch, l->constant, l->tape->n_registers, l->constant_capacity) = constant;
    return first;
}

static uint32_t slot(lowering *l, uint32_t x, uint32_t y, bool weighted)
{
    nh_tape *t = l->tape;
    nh_push(t->arena, t->slots, t->n_slots, t->slots_capacity) = (nh_slot){x, y, weighted};
    return (uint32_t)t->n_slots - 1;
}

/* The sums of a step; see series.inc. */
static uint32_t slots_of(lowering *l, const nh_step *s)
{
    uint32_t first = (uint32_t)l->tape->n_slots;
    switch ((nh_op)s->op) {
    case NH_OP_MUL:
        if (!s->a_constant && !s->b_constant)
            slot(l, s->a, s->b, false);
        break;
    case NH_OP_DIV: slot(l, s->b, s->out, false); break;
    case NH_OP_SQUARE: slot(l, s->a, s->a, false); break;
    case NH_OP_SQRT: slot(l, s->out, s->out, false); break;
    case NH_OP_POWER: slot(l, s->a, s->out, true), slot(l, s->out, s->a, true); break;
    case NH_OP_EXP: slot(l, s->a, s->out, true); break;
    case NH_OP_LOG: slot(l, s->out, s->a, true); break;
    case NH_OP_SINCOS:
    case NH_OP_SINHCOSH: slot(l, s->a, s->out + 1, true), slot(l, s->a, s->out, true); break;
    case NH_OP_ARC: slot(l, s->a, s->b, true); break;
    case NH_OP_ATAN2: slot(l, s->a, s->c, true), slot(l, s->b, s->c + 1, true); break;
    default: break;
    }
    return first;
}

static void append(lowering *l, nh_step step, bool constant)
{
    nh_tape *t = l->tape;
    step.a_constant = step.op != NH_OP_SOLVE && is_constant(l, step.a);
    step.b_constant = step.op != NH_OP_SOLVE && is_constant(l, step.b);
    if (step.op == NH_OP_DIV || step.op == NH_OP_SQRT || step.op == NH_OP_POWER || step.op == NH_OP_LOG)
        step.c = new_registers(l, 1, constant);
    if (constant) {
        nh_push(t->arena, t->before, t->n_before, t->before_capacity) = step;
        return;
    }
    step.slot = slots_of(l, &step);
    nh_push(t->arena, t->steps, t->n_steps, t->steps_capacity) = step;
    t->operations++;
    t->has_corners = t->has_corners || (step.op >= NH_OP_ABS && step.op <= NH_OP_MAX);
    t->has_roots = t->has_roots || step.op == NH_OP_SQRT || step.op == NH_OP_POWER || step.op == NH_OP_ARC ||
                   step.op == NH_OP_ATAN2;
}

static uint32_t one(lowering *l, nh_op op, uint32_t a)
{
    bool constant = is_constant(l, a);
    uint32_t out = new_registers(l, 1, constant);
    append(l, (nh_step){.op = (uint8_t)op, .out = out, .a = a, .b = a}, constant);
    return out;
}

static uint32_t two(lowering *l, nh_op op, uint32_t a, uint32_t b)
{
    bool constant = is_constant(l, a) && is_constant(l, b);
    uint32_t out = new_registers(l, 1, constant);
    append(l, (nh_step){.op = (uint8_t)op, .out = out, .a = a, .b = b}, constant);
    return out;
}

static uint32_t integer(lowering *l, int64_t n);

/* What is divided by a constant is multiplied by its inverse, which is found once. */
static uint32_t quotient(lowering *l, uint32_t a, uint32_t b)
{
    if (is_constant(l, b) && !is_constant(l, a))
        return two(l, NH_OP_MUL, a, two(l, NH_OP_DIV, integer(l, 1), b));
    return two(l, NH_OP_DIV, a, b);
}

static uint32_t number(lowering *l, nh_rational value, bool pi)
{
    uint32_t out = new_registers(l, 1, true);
    nh_push(l->tape->arena, l->tape->numbers, l->tape->n_numbers, l->tape->numbers_capacity) =
        (nh_tape_number){out, value, pi};
    return out;
}

static uint32_t integer(lowering *l, int64_t n) { return number(l, nh_rational_int(n), false); }

/* ---------------------------------------------------------------- functions */

/* sin and cos, or sinh and cosh, of one argument together; the first of them. */
static uint32_t pair(lowering *l, nh_op op, uint32_t *table, nh_expr argument)
{
    if (!table[argument]) {
        uint32_t a = l->place[argument] - 1;
        bool constant = is_constant(l, a);
        uint32_t out = new_registers(l, 2, constant);
        append(l, (nh_step){.op = (uint8_t)op, .out = out, .a = a, .b = a}, constant);
        table[argument] = out + 1;
    }
    return table[argument] - 1;
}

/* The derivative 1/sqrt(1 - a^2), its negative, or 1/(1 + a^2) beside the function. */
static uint32_t arc(lowering *l, nh_function f, uint32_t a)
{
    uint32_t unit = integer(l, f == NH_FN_acos ? -1 : 1), square = one(l, NH_OP_SQUARE, a), below;
    if (f == NH_FN_atan)
        below = two(l, NH_OP_ADD, integer(l, 1), square);
    else
        below = one(l, NH_OP_SQRT, two(l, NH_OP_SUB, integer(l, 1), square));
    uint32_t derivative = two(l, NH_OP_DIV, unit, below);
    bool constant = is_constant(l, a);
    uint32_t out = new_registers(l, 1, constant);
    append(l, (nh_step){.op = NH_OP_ARC, .function = (uint8_t)f, .out = out, .a = a, .b = derivative},
           constant);
    return out;
}

static uint32_t arc_of_two(lowering *l, uint32_t a, uint32_t b)
{
    uint32_t below = two(l, NH_OP_ADD, one(l, NH_OP_SQUARE, a), one(l, NH_OP_SQUARE, b));
    bool constant = is_constant(l, below);
    uint32_t first = new_registers(l, 2, constant);
    append(l, (nh_step){.op = NH_OP_DIV, .out = first, .a = b, .b = below}, constant);
    uint32_t minus = one(l, NH_OP_NEG, a);
    append(l, (nh_step){.op = NH_OP_DIV, .out = first + 1, .a = minus, .b = below}, constant);
    uint32_t out = new_registers(l, 1, constant);
    append(l, (nh_step){.op = NH_OP_ATAN2, .out = out, .a = a, .b = b, .c = first}, constant);
    return out;
}

static uint32_t call(lowering *l, nh_node node)
{
    uint32_t a = l->place[node.a] - 1, b = node.b ? l->place[node.b] - 1 : 0;
    nh_function f = (nh_function)node.function;
    switch (f) {
    case NH_FN_sin: return pair(l, NH_OP_SINCOS, l->partner, node.a);
    case NH_FN_cos: return pair(l, NH_OP_SINCOS, l->partner, node.a) + 1;
    case NH_FN_sinh: return pair(l, NH_OP_SINHCOSH, l->hyperbolic, node.a);
    case NH_FN_cosh: return pair(l, NH_OP_SINHCOSH, l->hyperbolic, node.a) + 1;
    case NH_FN_tan: {
        uint32_t s = pair(l, NH_OP_SINCOS, l->partner, node.a);
        return two(l, NH_OP_DIV, s, s + 1);
    }
    case NH_FN_tanh: {
        uint32_t s = pair(l, NH_OP_SINHCOSH, l->hyperbolic, node.a);
        return two(l, NH_OP_DIV, s, s + 1);
    }
    case NH_FN_asin:
    case NH_FN_acos:
    case NH_FN_atan: return arc(l, f, a);
    case NH_FN_atan2: return arc_of_two(l, a, b);
    case NH_FN_exp: return one(l, NH_OP_EXP, a);
    case NH_FN_log: return one(l, NH_OP_LOG, a);
    case NH_FN_sqrt: return one(l, NH_OP_SQRT, a);
    case NH_FN_abs: return one(l, NH_OP_ABS, a);
    case NH_FN_sign: return one(l, NH_OP_SIGN, a);
    case NH_FN_min: return two(l, NH_OP_MIN, a, b);
    case NH_FN_max: return two(l, NH_OP_MAX, a, b);
    default: return a;
    }
}

/* ---------------------------------------------------------------- powers */

/* By repeated squaring. */
static uint32_t whole_power(lowering *l, uint32_t a, uint64_t n)
{
    uint32_t result = 0;
    bool any = false;
    for (; n; n >>= 1) {
        if (n & 1)
            result = any ? two(l, NH_OP_MUL, result, a) : a, any = true;
        if (n > 1)
            a = one(l, NH_OP_SQUARE, a);
    }
    return result;
}

static uint32_t power(lowering *l, nh_node node)
{
    uint32_t a = l->place[node.a] - 1, b = l->place[node.b] - 1;
    nh_rational n;
    bool known = nh_is_number(l->pool, node.b, &n) && !n.big;
    if (known && n.den == 1) {
        uint64_t size = n.num < 0 ? (uint64_t)-n.num : (uint64_t)n.num;
        uint32_t result = size ? whole_power(l, a, size) : integer(l, 1);
        return n.num < 0 ? two(l, NH_OP_DIV, integer(l, 1), result) : result;
    }
    if (known && n.den == 2 && n.num > 0)
        return whole_power(l, one(l, NH_OP_SQRT, a), (uint64_t)n.num);
    if (is_constant(l, b))
        return two(l, NH_OP_POWER, a, b);
    return one(l, NH_OP_EXP, two(l, NH_OP_MUL, b, one(l, NH_OP_LOG, a)));
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

static uint32_t sum(lowering *l, nh_node node)
{
    nh_expr minus = negated(l->pool, node.b), other = node.a;
    if (!minus)
        minus = negated(l->pool, node.a), other = node.b;
    if (minus)
        return two(l, NH_OP_SUB, l->place[other] - 1, l->place[minus] - 1);
    return two(l, NH_OP_ADD, l->place[node.a] - 1, l->place[node.b] - 1);
}

static uint32_t product(lowering *l, nh_expr e, nh_node node)
{
    nh_expr minus = negated(l->pool, e), below = inverse_of(l->pool, node.b), other = node.a;
    if (minus)
        return one(l, NH_OP_NEG, l->place[minus] - 1);
    if (!below)
        below = inverse_of(l->pool, node.a), other = node.b;
    if (below)
        return quotient(l, l->place[other] - 1, l->place[below] - 1);
    if (node.a == node.b)
        return one(l, NH_OP_SQUARE, l->place[node.a] - 1);
    return two(l, NH_OP_MUL, l->place[node.a] - 1, l->place[node.b] - 1);
}

/* ---------------------------------------------------------------- linear systems */

static uint32_t *registers_of(lowering *l, const nh_expr *e, size_t count)
{
    uint32_t *out = nh_arena_array(l->tape->arena, count + 1, sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = l->place[e[i]] - 1;
    return out;
}

static void solve(lowering *l, nh_expr e, nh_node node)
{
    nh_tape *t = l->tape;
    nh_node matrix = nh_get(l->pool, node.a);
    nh_list entries = nh_operands(l->pool, node.a), all = nh_operands(l->pool, e);
    nh_linear system = {.n = matrix.b};
    system.matrix = registers_of(l, entries.items, entries.count);
    system.right = registers_of(l, all.items + 1, all.count - 1);
    uint32_t index = (uint32_t)t->n_systems, out = new_registers(l, system.n, false);
    system.slots = nh_arena_array(t->arena, entries.count + 1, sizeof *system.slots);
    for (uint32_t i = 0; i < entries.count; i++) {
        bool constant = is_constant(l, system.matrix[i]);
        system.slots[i] = constant ? NH_NO_SLOT : slot(l, system.matrix[i], out + i % system.n, false);
    }
    nh_push(t->arena, t->systems, t->n_systems, t->systems_capacity) = system;
    append(l, (nh_step){.op = NH_OP_SOLVE, .out = out, .a = index}, false);
    t->operations += (size_t)system.n * system.n * system.n / 3 + (size_t)system.n * system.n;
    l->solution[e] = out + 1;
}

/* ---------------------------------------------------------------- all nodes */

static void lower(lowering *l, nh_expr e)
{
    nh_node node = nh_get(l->pool, e);
    uint32_t place = 0;
    switch (node.kind) {
    case NH_NUMBER: place = number(l, l->pool->rationals[node.a], false) + 1; break;
    case NH_PI: place = number(l, nh_rational_int(0), true) + 1; break;
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
        l->place[symbols[i]] = new_registers(l, 1, constant) + 1;
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

nh_tape *nh_tape_new(const nh_pool *pool, nh_arena *arena, nh_arena *scratch, const nh_expr *roots,
                     size_t n_roots, const nh_expr *changing, size_t n_changing, const nh_expr *constant,
                     size_t n_constant)
{
    nh_tape *t = nh_arena_array(arena, 1, sizeof *t);
    *t = (nh_tape){
        .arena = arena, .n_inputs = n_changing, .n_constant_inputs = n_constant, .n_outputs = n_roots};
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t size = pool->n_nodes + 1;
    lowering l = {.tape = t, .pool = pool, .scratch = scratch};
    uint32_t **tables[] = {&l.place, &l.partner, &l.hyperbolic, &l.solution};
    for (size_t k = 0; k < 4; k++) {
        *tables[k] = nh_arena_array(scratch, size, sizeof **tables[k]);
        memset(*tables[k], 0, size * sizeof **tables[k]);
    }
    place_inputs(&l, changing, n_changing, false);
    place_inputs(&l, constant, n_constant, true);
    nh_walk walk = nh_walk_of(pool, scratch, roots, n_roots);
    bool *used = used_by_others(pool, scratch, &walk, roots, n_roots, size);
    for (size_t i = 0; i < walk.count; i++)
        if (used[walk.nodes[i]] && !l.place[walk.nodes[i]])
            lower(&l, walk.nodes[i]);
    t->outputs = registers_of(&l, roots, n_roots);
    nh_arena_release(scratch, mark);
    return t;
}
