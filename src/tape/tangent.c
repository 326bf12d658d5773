/* The derivative of a tape along a direction, as a tape: with y = f(x),
 *     (x, dx) -> dy = sum_i df/dx_i dx_i
 * step by step:
 *     d(a b) = a db + b da            d(a/b) = (da - w db)/b          d sqrt(a) = da/(2 w)
 *     d a^p = p w da/a                d exp(a) = w da                 d log(a) = da/a
 *     d sin(a) = cos(a) da            d f(a) = f'(a) da               d|a| = sign(a) da
 *     d tanh(a) = v da, v = 1/cosh(a)^2, and dv = -2 w v da
 *     d min(a, b) = (da + db - sign(b - a)(db - da))/2 ...            M dx = db - dM x */
#include "tape/inner.h"

#include <string.h>

typedef struct tangent {
    nh_builder b;
    const nh_tape *of;
    uint32_t *value; /* by register of the other tape: register + 1 */
    uint32_t *rate;  /* the same of its derivative; 0: it is 0 */
} tangent;

static uint32_t times(tangent *t, uint32_t a, uint32_t b) { return nh_build_two(&t->b, NH_OP_MUL, a, b); }

/* Sums and differences of derivatives, register + 1, where 0 is nothing. */
static uint32_t plus(tangent *t, uint32_t a, uint32_t b)
{
    return !a ? b : !b ? a : nh_build_two(&t->b, NH_OP_ADD, a - 1, b - 1) + 1;
}

static uint32_t minus(tangent *t, uint32_t a, uint32_t b)
{
    return !b   ? a
           : !a ? nh_build_one(&t->b, NH_OP_NEG, b - 1) + 1
                : nh_build_two(&t->b, NH_OP_SUB, a - 1, b - 1) + 1;
}

static uint32_t scaled(tangent *t, uint32_t factor, uint32_t rate)
{
    return rate ? times(t, factor, rate - 1) + 1 : 0;
}

static uint32_t over(tangent *t, uint32_t rate, uint32_t below)
{
    return rate ? nh_build_quotient(&t->b, rate - 1, below) + 1 : 0;
}

/* The smaller is a where sign(a - b) = -1: (da + db + sign (db - da))/2; of the larger with the other sign. */
static uint32_t chosen(tangent *t, uint32_t a, uint32_t b, uint32_t da, uint32_t db, bool smaller)
{
    if (!da && !db)
        return 0;
    uint32_t sign = nh_build_one(&t->b, NH_OP_SIGN, nh_build_two(&t->b, NH_OP_SUB, a, b));
    uint32_t apart = scaled(t, sign, smaller ? minus(t, db, da) : minus(t, da, db));
    uint32_t half = nh_build_two(&t->b, NH_OP_DIV, nh_build_integer(&t->b, 1), nh_build_integer(&t->b, 2));
    return scaled(t, half, plus(t, plus(t, da, db), apart));
}

/* ---------------------------------------------------------------- linear systems */

static uint32_t *mapped(tangent *t, const uint32_t *registers, size_t count)
{
    uint32_t *out = nh_arena_array(t->b.tape->arena, count + 1, sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = t->value[registers[i]] - 1;
    return out;
}

/* x, and M dx = db - dM x */
static void solve(tangent *t, const nh_step *s)
{
    const nh_linear *l = &t->of->systems[s->a];
    uint32_t n = l->n, *matrix = mapped(t, l->matrix, (size_t)n * n);
    uint32_t x = nh_build_solve(&t->b, n, matrix, mapped(t, l->right, n)), any = 0;
    uint32_t *right = nh_arena_array(t->b.tape->arena, n + 1, sizeof *right);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rate = t->rate[l->right[i]];
        for (uint32_t j = 0; j < n; j++)
            rate = minus(t, rate, scaled(t, x + j, t->rate[l->matrix[i * n + j]]));
        any = any | rate;
        right[i] = rate ? rate - 1 : nh_build_integer(&t->b, 0);
    }
    uint32_t rates = any ? nh_build_solve(&t->b, n, matrix, right) : 0;
    for (uint32_t i = 0; i < n; i++) {
        t->value[s->out + i] = x + i + 1;
        t->rate[s->out + i] = any ? rates + i + 1 : 0;
    }
}

/* ---------------------------------------------------------------- steps */

static void pair(tangent *t, const nh_step *s, uint32_t a, uint32_t da)
{
    uint32_t out = nh_build_pair(&t->b, (nh_op)s->op, a);
    t->value[s->out] = out + 1, t->value[s->out + 1] = out + 2;
    t->rate[s->out] = scaled(t, out + 1, da);
    uint32_t other = s->op == NH_OP_TANH && da
                         ? scaled(t, times(t, nh_build_integer(&t->b, 2), out), t->rate[s->out])
                         : scaled(t, out, da);
    t->rate[s->out + 1] = s->op == NH_OP_SINHCOSH ? other : minus(t, 0, other);
}

static uint32_t copied(tangent *t, const nh_step *s, uint32_t a, uint32_t b)
{
    if (s->op != NH_OP_ARC && s->op != NH_OP_ATAN2)
        return nh_build_two(&t->b, s->op == NH_OP_SCALE ? NH_OP_MUL : (nh_op)s->op, a, b);
    bool constant = nh_build_is_constant(&t->b, a) && nh_build_is_constant(&t->b, b);
    nh_step copy = {
        .op = s->op, .function = s->function, .a = a, .b = b, .out = nh_build_registers(&t->b, 1, constant)};
    if (s->op == NH_OP_ATAN2) { /* its two derivatives stand behind each other there, and shall here */
        copy.c = nh_build_registers(&t->b, 2, constant);
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t one = nh_build_integer(&t->b, 1), from = t->value[s->c + i] - 1;
            nh_build_step(&t->b, (nh_step){.op = NH_OP_SCALE, .out = copy.c + i, .a = one, .b = from},
                          constant);
        }
    }
    nh_build_step(&t->b, copy, constant);
    return copy.out;
}

static uint32_t rate_of(tangent *t, const nh_step *s, uint32_t w)
{
    nh_builder *b = &t->b;
    uint32_t a = t->value[s->a] - 1, c = t->value[s->b] - 1, da = t->rate[s->a], dc = t->rate[s->b];
    switch ((nh_op)s->op) {
    case NH_OP_ADD: return plus(t, da, dc);
    case NH_OP_SUB: return minus(t, da, dc);
    case NH_OP_MUL:
    case NH_OP_SCALE: return plus(t, scaled(t, c, da), scaled(t, a, dc));
    case NH_OP_DIV: return over(t, minus(t, da, scaled(t, w, dc)), c);
    case NH_OP_NEG: return minus(t, 0, da);
    case NH_OP_SQUARE: return da ? scaled(t, times(t, nh_build_integer(b, 2), a), da) : 0;
    case NH_OP_SQRT: return da ? over(t, da, times(t, nh_build_integer(b, 2), w)) : 0;
    case NH_OP_POWER: return da ? scaled(t, nh_build_quotient(b, times(t, c, w), a), da) : 0;
    case NH_OP_EXP: return scaled(t, w, da);
    case NH_OP_LOG: return over(t, da, a);
    case NH_OP_ARC: return scaled(t, c, da);
    case NH_OP_ATAN2:
        return plus(t, scaled(t, t->value[s->c] - 1, da), scaled(t, t->value[s->c + 1] - 1, dc));
    case NH_OP_ABS: return da ? scaled(t, nh_build_one(b, NH_OP_SIGN, a), da) : 0;
    case NH_OP_MIN: return chosen(t, a, c, da, dc, true);
    case NH_OP_MAX: return chosen(t, a, c, da, dc, false);
    default: return 0; /* sign */
    }
}

static void follow(tangent *t, const nh_step *s)
{
    if (s->op == NH_OP_SOLVE) {
        solve(t, s);
    } else if (nh_op_is_pair(s->op)) {
        pair(t, s, t->value[s->a] - 1, t->rate[s->a]);
    } else {
        uint32_t w = copied(t, s, t->value[s->a] - 1, t->value[s->b] - 1);
        t->value[s->out] = w + 1;
        t->rate[s->out] = rate_of(t, s, w);
    }
}

/* ---------------------------------------------------------------- the tape */

static uint32_t *table(nh_arena *arena, size_t count)
{
    uint32_t *out = nh_arena_array(arena, count + 3, sizeof *out);
    memset(out, 0, (count + 3) * sizeof *out);
    return out;
}

static void place_inputs(tangent *t)
{
    uint32_t n = (uint32_t)t->of->n_inputs, constants = (uint32_t)t->of->n_constant_inputs;
    nh_build_registers(&t->b, 2 * n, false);
    nh_build_registers(&t->b, constants, true);
    for (uint32_t i = 0; i < n; i++)
        t->value[i] = i + 1, t->rate[i] = n + i + 1;
    for (uint32_t i = 0; i < constants; i++)
        t->value[n + i] = 2 * n + i + 1;
    for (size_t i = 0; i < t->of->n_numbers; i++)
        t->value[t->of->numbers[i].out] =
            nh_build_number(&t->b, t->of->numbers[i].value, t->of->numbers[i].pi) + 1;
}

nh_tape *nh_tape_tangent(const nh_tape *of, nh_arena *arena)
{
    nh_tape *tape = nh_arena_array(arena, 1, sizeof *tape);
    *tape =
        (nh_tape){.arena = arena, .n_inputs = 2 * of->n_inputs, .n_constant_inputs = of->n_constant_inputs};
    tangent t = {.of = of, .value = table(arena, of->n_registers), .rate = table(arena, of->n_registers)};
    nh_builder_init(&t.b, tape, arena);
    place_inputs(&t);
    for (size_t i = 0; i < of->n_before; i++)
        follow(&t, &of->before[i]);
    for (size_t i = 0; i < of->n_steps; i++)
        follow(&t, &of->steps[i]);
    tape->n_outputs = of->n_outputs;
    tape->outputs = nh_arena_array(arena, of->n_outputs + 1, sizeof *tape->outputs);
    for (size_t i = 0; i < of->n_outputs; i++) {
        uint32_t rate = t.rate[of->outputs[i]];
        tape->outputs[i] = rate ? rate - 1 : nh_build_integer(&t.b, 0);
    }
    nh_builder_finish(&t.b);
    return tape;
}
