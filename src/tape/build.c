/* Steps one after the other; what was computed already is not computed again. */
#include "tape/inner.h"

#include <math.h>
#include <string.h>

void nh_builder_init(nh_builder *b, nh_tape *tape, nh_arena *scratch)
{
    *b = (nh_builder){.tape = tape, .scratch = scratch};
}

bool nh_build_is_constant(const nh_builder *b, uint32_t r) { return b->constant[r]; }

uint32_t nh_build_registers(nh_builder *b, uint32_t count, bool constant)
{
    uint32_t first = (uint32_t)b->tape->n_registers;
    for (uint32_t i = 0; i < count; i++) {
        size_t n = b->tape->n_registers, also = n, again = n;
        nh_push(b->scratch, b->base, n, b->base_capacity) = 0;
        nh_push(b->scratch, b->factor, also, b->factor_capacity) = 0;
        nh_push(b->scratch, b->growth, again, b->growth_capacity) = (nh_growth){.tame = true};
        nh_push(b->scratch, b->constant, b->tape->n_registers, b->constant_capacity) = constant;
    }
    return first;
}

/* ---------------------------------------------------------------- what is there already */

static nh_known *place_of(const nh_builder *b, uint64_t key)
{
    size_t i = nh_hash(key) & (b->known_capacity - 1);
    while (b->known[i].key && b->known[i].key != key)
        i = (i + 1) & (b->known_capacity - 1);
    return &b->known[i];
}

static void make_room(nh_builder *b)
{
    nh_known *before = b->known;
    size_t capacity = b->known_capacity;
    if (2 * b->n_known < capacity)
        return;
    b->known_capacity = capacity ? 2 * capacity : 64;
    b->known = nh_arena_array(b->scratch, b->known_capacity, sizeof *b->known);
    memset(b->known, 0, b->known_capacity * sizeof *b->known);
    for (size_t i = 0; i < capacity; i++)
        if (before[i].key)
            *place_of(b, before[i].key) = before[i];
}

/* Of an operation and its operands; never 0. */
static uint64_t key_of(nh_op op, uint32_t a, uint32_t c)
{
    bool swaps = (op == NH_OP_ADD || op == NH_OP_MUL) && a > c;
    return (uint64_t)(op + 1) << 58 | (uint64_t)(swaps ? c : a) << 29 | (swaps ? a : c);
}

static const uint32_t most_registers = 1u << 29; /* that a key can tell apart */

/* ---------------------------------------------------------------- steps */

static bool has_inverse(const nh_step *s)
{
    return s->op == NH_OP_DIV || s->op == NH_OP_SQRT || s->op == NH_OP_POWER || s->op == NH_OP_LOG;
}

#define MIXED UINT32_MAX

static nh_growth together(nh_growth a, nh_growth b, int degree)
{
    uint32_t of = !a.of || a.of == b.of ? b.of : !b.of ? a.of : MIXED;
    return (nh_growth){.of = of, .degree = degree, .tame = a.tame && b.tame};
}

static nh_growth growth_of(const nh_step *s, nh_growth a, nh_growth b)
{
    int higher = a.degree > b.degree ? a.degree : b.degree;
    switch ((nh_op)s->op) {
    case NH_OP_ADD:
    case NH_OP_SUB: return together(a, b, higher);
    case NH_OP_MUL:
    case NH_OP_SCALE: return together(a, b, a.degree + b.degree);
    case NH_OP_NEG: return together(a, a, a.degree);
    case NH_OP_SQUARE: return together(a, a, 2 * a.degree);
    case NH_OP_DIV: b.tame = s->b_constant; return together(a, b, a.degree - b.degree);
    case NH_OP_EXP:
    case NH_OP_SINHCOSH: return (nh_growth){.of = s->a + 1, .degree = 1, .tame = true};
    case NH_OP_SINCOS:
    case NH_OP_TANH: return (nh_growth){.tame = a.tame && !a.of};
    default: return (nh_growth){.of = a.of || b.of ? MIXED : 0};
    }
}

/* sinh(u)/cosh(u)^2: where cosh(u)^2 is more than 10^308, the quotient is less than 10^-154. None fades that could be more than 10^-102 there. */
static bool fades(const nh_step *s, nh_growth a, nh_growth b)
{
    bool one = b.of && b.of != MIXED && (!a.of || a.of == b.of);
    return s->op == NH_OP_DIV && one && a.tame && b.degree > 0 && 3 * (b.degree - a.degree) >= b.degree;
}

static void note_growth(nh_builder *b, nh_step *s)
{
    if (s->op == NH_OP_SOLVE) {
        for (size_t k = 0; k < b->tape->systems[s->a].n; k++)
            b->growth[s->out + k] = (nh_growth){.of = MIXED};
        return;
    }
    nh_growth above = b->growth[s->a], below = b->growth[s->b], own = growth_of(s, above, below);
    s->fades = fades(s, above, below);
    own.is_quotient = s->op == NH_OP_DIV && below.of, own.above = s->a, own.below = s->b;
    b->growth[s->out] = own;
    if (nh_op_is_pair(s->op))
        b->growth[s->out + 1] = own;
}

#undef MIXED

void nh_build_step(nh_builder *b, nh_step step, bool constant)
{
    nh_tape *t = b->tape;
    step.a_constant = step.op != NH_OP_SOLVE && b->constant[step.a];
    step.b_constant = step.op != NH_OP_SOLVE && b->constant[step.b];
    if (has_inverse(&step))
        step.c = nh_build_registers(b, 1, constant);
    if (!constant)
        note_growth(b, &step);
    if (constant)
        nh_push(t->arena, t->before, t->n_before, t->before_capacity) = step;
    else
        nh_push(t->arena, t->steps, t->n_steps, t->steps_capacity) = step;
}

/* One step into so many registers, or what it gave before. */
static uint32_t build(nh_builder *b, nh_op op, uint32_t a, uint32_t c, uint32_t registers)
{
    bool constant = b->constant[a] && b->constant[c], told_apart = b->tape->n_registers < most_registers;
    make_room(b);
    nh_known *known = told_apart ? place_of(b, key_of(op, a, c)) : NULL;
    if (known && known->key)
        return known->out;
    uint32_t out = nh_build_registers(b, registers, constant);
    if (known)
        *known = (nh_known){key_of(op, a, c), out}, b->n_known++;
    nh_build_step(b, (nh_step){.op = (uint8_t)op, .out = out, .a = a, .b = c}, constant);
    return out;
}

/* ---------------------------------------------------------------- constant factors */

/* A product with a constant is known as such: in further products the constants come together, once and before, and what changes
 * is shared: (c x) y, (d x) y and x y need one product of what changes. */

/* x = factor * base; false: it is no such product. */
static bool split(const nh_builder *b, uint32_t x, uint32_t *factor, uint32_t *base)
{
    bool scaled = !b->constant[x] && b->factor[x];
    *factor = scaled ? b->factor[x] - 1 : 0, *base = scaled ? b->base[x] : x;
    return scaled;
}

static uint32_t times(nh_builder *b, uint32_t a, uint32_t c) /* of constants */
{
    uint32_t one = b->integers[3];
    return one && a == one - 1   ? c
           : one && c == one - 1 ? a
           : a == c              ? build(b, NH_OP_SQUARE, a, a, 1)
                                 : build(b, NH_OP_MUL, a, c, 1);
}

static bool is_integer(const nh_builder *b, uint32_t x, int n)
{
    return b->integers[n + 2] && b->integers[n + 2] - 1 == x;
}

/* constant * base */
static uint32_t scale(nh_builder *b, uint32_t factor, uint32_t base)
{
    if (b->constant[base])
        return times(b, factor, base);
    if (is_integer(b, factor, 1))
        return base;
    uint32_t out = is_integer(b, factor, -1) ? build(b, NH_OP_NEG, base, base, 1)
                                             : build(b, NH_OP_SCALE, factor, base, 1);
    b->factor[out] = factor + 1, b->base[out] = base;
    return out;
}

static uint32_t product(nh_builder *b, uint32_t x, uint32_t y);

/* (a/b) y with an exponential in b is (a y)/b: where b is no number any more, the quotient of both still is one, and a product with 0 is none. */
static uint32_t product_of_two(nh_builder *b, uint32_t x, uint32_t y)
{
    if (x == y)
        return build(b, NH_OP_SQUARE, x, x, 1);
    if (!b->growth[x].is_quotient && !b->growth[y].is_quotient)
        return build(b, NH_OP_MUL, x, y, 1);
    nh_growth quotient = b->growth[b->growth[x].is_quotient ? x : y];
    uint32_t other = b->growth[x].is_quotient ? y : x;
    return nh_build_quotient(b, product(b, quotient.above, other), quotient.below);
}

static uint32_t product(nh_builder *b, uint32_t x, uint32_t y)
{
    uint32_t f, g, u, v;
    bool one = split(b, x, &f, &u), other = split(b, y, &g, &v);
    if (b->constant[x])
        return scale(b, other ? times(b, x, g) : x, v);
    if (b->constant[y])
        return scale(b, one ? times(b, y, f) : y, u);
    uint32_t inner = product_of_two(b, u, v);
    return one && other   ? scale(b, times(b, f, g), inner)
           : one || other ? scale(b, one ? f : g, inner)
                          : inner;
}

static uint32_t inverse(nh_builder *b, uint32_t x)
{
    return build(b, NH_OP_DIV, nh_build_integer(b, 1), x, 1);
}

uint32_t nh_build_quotient(nh_builder *b, uint32_t x, uint32_t y)
{
    uint32_t f, g, u, v;
    if (b->constant[y])
        return b->constant[x] ? build(b, NH_OP_DIV, x, y, 1) : product(b, inverse(b, y), x);
    bool one = split(b, x, &f, &u), other = split(b, y, &g, &v);
    uint32_t inner = build(b, NH_OP_DIV, u, v, 1);
    uint32_t factor = one && other ? build(b, NH_OP_DIV, f, g, 1) : one ? f : other ? inverse(b, g) : 0;
    return one || other ? scale(b, factor, inner) : inner;
}

/* c x + c y = c (x + y) */
static uint32_t sum(nh_builder *b, nh_op op, uint32_t x, uint32_t y)
{
    uint32_t f, g, u, v;
    if (split(b, x, &f, &u) && split(b, y, &g, &v) && f == g)
        return scale(b, f, build(b, op, u, v, 1));
    return build(b, op, x, y, 1);
}

uint32_t nh_build_one(nh_builder *b, nh_op op, uint32_t a)
{
    if (op == NH_OP_NEG && !b->constant[a])
        return product(b, nh_build_integer(b, -1), a);
    return op == NH_OP_SQUARE ? product(b, a, a) : build(b, op, a, a, 1);
}

uint32_t nh_build_pair(nh_builder *b, nh_op op, uint32_t a) { return build(b, op, a, a, 2); }

uint32_t nh_build_two(nh_builder *b, nh_op op, uint32_t a, uint32_t c)
{
    return op == NH_OP_MUL                      ? product(b, a, c)
           : op == NH_OP_DIV                    ? nh_build_quotient(b, a, c)
           : op == NH_OP_ADD || op == NH_OP_SUB ? sum(b, op, a, c)
                                                : build(b, op, a, c, 1);
}

/* ---------------------------------------------------------------- numbers and systems */

uint32_t nh_build_number(nh_builder *b, nh_rational value, bool pi)
{
    nh_tape *t = b->tape;
    bool small = !pi && !value.big && value.den == 1 && value.num >= -2 && value.num <= 2;
    if (small && b->integers[value.num + 2])
        return b->integers[value.num + 2] - 1;
    uint32_t out = nh_build_registers(b, 1, true);
    nh_push(t->arena, t->numbers, t->n_numbers, t->numbers_capacity) = (nh_tape_number){out, value, pi};
    if (small)
        b->integers[value.num + 2] = out + 1;
    return out;
}

uint32_t nh_build_integer(nh_builder *b, int64_t n) { return nh_build_number(b, nh_rational_int(n), false); }

uint32_t nh_build_solve(nh_builder *b, uint32_t n, uint32_t *matrix, uint32_t *right)
{
    nh_tape *t = b->tape;
    nh_linear system = {.n = n, .matrix = matrix, .right = right};
    uint32_t index = (uint32_t)t->n_systems, out = nh_build_registers(b, n, false);
    system.slots = nh_arena_array(t->arena, (size_t)n * n + 1, sizeof *system.slots);
    nh_push(t->arena, t->systems, t->n_systems, t->systems_capacity) = system;
    nh_build_step(b, (nh_step){.op = NH_OP_SOLVE, .out = out, .a = index}, false);
    return out;
}

/* ---------------------------------------------------------------- the end */

static void mark_operands(const nh_tape *t, const nh_step *s, bool *live)
{
    if (s->op != NH_OP_SOLVE) {
        live[s->a] = live[s->b] = true;
        if (s->op == NH_OP_ATAN2)
            live[s->c] = live[s->c + 1] = true;
        return;
    }
    const nh_linear *l = &t->systems[s->a];
    for (size_t e = 0; e < (size_t)l->n * l->n; e++)
        live[l->matrix[e]] = true;
    for (size_t i = 0; i < l->n; i++)
        live[l->right[i]] = true;
}

static bool is_live(const nh_tape *t, const nh_step *s, const bool *live)
{
    size_t count = s->op == NH_OP_SOLVE ? t->systems[s->a].n : nh_op_is_pair(s->op) ? 2 : 1;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || live[s->out + i];
    return any;
}

/* Steps that nothing needs go. */
static size_t keep_live(const nh_tape *t, nh_step *steps, size_t count, bool *live)
{
    size_t first = count;
    for (size_t i = count; i-- > 0;)
        if (is_live(t, &steps[i], live)) {
            mark_operands(t, &steps[i], live);
            steps[--first] = steps[i];
        }
    if (first < count)
        memmove(steps, steps + first, (count - first) * sizeof *steps);
    return count - first;
}

/* Where j x_j is; once for each x, of which there are few. */
static uint32_t weighted_row(nh_tape *t, uint32_t x)
{
    size_t i = 0;
    while (i < t->n_weighted && t->weighted[i] != x)
        i++;
    if (i == t->n_weighted)
        nh_push(t->arena, t->weighted, t->n_weighted, t->weighted_capacity) = x;
    return (uint32_t)(t->n_registers + i);
}

static uint32_t slot(nh_tape *t, uint32_t x, uint32_t y, bool weighted)
{
    uint32_t row = weighted ? weighted_row(t, x) : x;
    nh_push(t->arena, t->slots, t->n_slots, t->slots_capacity) = (nh_slot){x, y, weighted, {row, y}, 0};
    return (uint32_t)t->n_slots - 1;
}

static void slots_of_system(nh_builder *b, const nh_step *s)
{
    nh_linear *l = &b->tape->systems[s->a];
    for (uint32_t e = 0; e < l->n * l->n; e++)
        l->slots[e] =
            b->constant[l->matrix[e]] ? NH_NO_SLOT : slot(b->tape, l->matrix[e], s->out + e % l->n, false);
    b->tape->operations += (size_t)l->n * l->n * l->n / 3 + (size_t)l->n * l->n;
}

/* The sums of a step; see series.inc. */
static uint32_t slots_of(nh_builder *b, const nh_step *s)
{
    nh_tape *t = b->tape;
    uint32_t first = (uint32_t)t->n_slots;
    switch ((nh_op)s->op) {
    case NH_OP_MUL: slot(t, s->a, s->b, false); break;
    case NH_OP_DIV: slot(t, s->b, s->out, false); break;
    case NH_OP_SQUARE: slot(t, s->a, s->a, false); break;
    case NH_OP_SQRT: slot(t, s->out, s->out, false); break;
    case NH_OP_POWER: slot(t, s->a, s->out, true), slot(t, s->out, s->a, true); break;
    case NH_OP_EXP: slot(t, s->a, s->out, true); break;
    case NH_OP_LOG: slot(t, s->out, s->a, true); break;
    case NH_OP_SINCOS:
    case NH_OP_SINHCOSH: slot(t, s->a, s->out + 1, true), slot(t, s->a, s->out, true); break;
    case NH_OP_TANH: slot(t, s->a, s->out + 1, true), slot(t, s->out, s->out, false); break;
    case NH_OP_ARC: slot(t, s->a, s->b, true); break;
    case NH_OP_ATAN2: slot(t, s->a, s->c, true), slot(t, s->b, s->c + 1, true); break;
    case NH_OP_SOLVE: slots_of_system(b, s); break;
    default: break;
    }
    return first;
}

static void find_makers(nh_tape *t)
{
    t->maker = nh_arena_array(t->arena, t->n_registers + 2, sizeof *t->maker);
    memset(t->maker, 0, (t->n_registers + 2) * sizeof *t->maker);
    for (uint32_t i = 0; i < t->n_steps; i++) {
        const nh_step *s = &t->steps[i];
        size_t count = s->op == NH_OP_SOLVE ? t->systems[s->a].n : nh_op_is_pair(s->op) ? 2 : 1;
        for (size_t k = 0; k < count; k++)
            t->maker[s->out + k] = i + 1;
    }
}

/* Powers that are still there, and other functions that may be nothing with all of their coefficients. */
static void find_hidden(nh_tape *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->n_powers; i++)
        if (t->maker[t->powers[i].out])
            t->powers[count++] = t->powers[i];
    t->n_powers = count;
    for (uint32_t i = 0; i < t->n_steps; i++) {
        const nh_step *s = &t->steps[i];
        bool hides = s->op == NH_OP_EXP || s->op == NH_OP_TANH || s->op == NH_OP_POWER ||
                     (s->op == NH_OP_DIV && s->large);
        if (hides)
            nh_push(t->arena, t->hidden, t->n_hidden, t->hidden_capacity) = i;
    }
    t->has_hidden = t->has_hidden || t->n_powers > 0;
}

/* The argument that a step is steep by where it is nearly 0; exponentials in it tell of themselves. */
static bool steep_by(const nh_step *s, uint32_t *reg)
{
    *reg = s->op == NH_OP_DIV ? s->b : s->a;
    bool constant = s->op == NH_OP_DIV ? s->b_constant : s->a_constant;
    bool steep = s->op == NH_OP_DIV || s->op == NH_OP_SQRT || s->op == NH_OP_POWER || s->op == NH_OP_LOG;
    return steep && !constant && !s->large;
}

static void find_steep(nh_tape *t, nh_arena *scratch)
{
    bool *known = nh_arena_array(scratch, t->n_registers + 2, sizeof *known);
    memset(known, 0, (t->n_registers + 2) * sizeof *known);
    for (size_t i = 0; i < t->n_steps; i++) {
        uint32_t reg;
        if (!steep_by(&t->steps[i], &reg) || known[reg])
            continue;
        nh_push(t->arena, t->steep, t->n_steep, t->steep_capacity) = reg;
        known[reg] = true;
    }
}

/* Sines, tanh and arcs are never large. */
static void find_large(nh_tape *t, nh_arena *scratch)
{
    bool *large = nh_arena_array(scratch, t->n_registers + 2, sizeof *large);
    memset(large, 0, (t->n_registers + 2) * sizeof *large);
    for (size_t i = 0; i < t->n_steps; i++) {
        nh_step *s = &t->steps[i];
        bool grows = s->op == NH_OP_EXP || s->op == NH_OP_SINHCOSH;
        bool bounded = s->op == NH_OP_SINCOS || s->op == NH_OP_TANH || s->op == NH_OP_ARC ||
                       s->op == NH_OP_ATAN2 || s->op == NH_OP_SIGN || s->op == NH_OP_SOLVE;
        large[s->out] = grows || (!bounded && (large[s->a] || large[s->b]));
        s->large = s->op == NH_OP_DIV ? large[s->b] : large[s->out];
        if (s->op == NH_OP_SINHCOSH)
            large[s->out + 1] = true;
    }
}

void nh_builder_finish(nh_builder *b)
{
    nh_tape *t = b->tape;
    bool *live = nh_arena_array(b->scratch, t->n_registers + 2, sizeof *live);
    memset(live, 0, (t->n_registers + 2) * sizeof *live);
    for (size_t i = 0; i < t->n_outputs; i++)
        live[t->outputs[i]] = true;
    t->n_steps = keep_live(t, t->steps, t->n_steps, live);
    t->n_before = keep_live(t, t->before, t->n_before, live);
    bool polynomial = true;
    for (size_t i = 0; i < t->n_steps; i++) {
        nh_step *s = &t->steps[i];
        s->slot = slots_of(b, s);
        if (s->op >= NH_OP_ABS && s->op <= NH_OP_MAX)
            t->has_corners = true,
            nh_push(t->arena, t->corners, t->n_corners, t->corners_capacity) = (uint32_t)i;
        if (s->op == NH_OP_SQRT || s->op == NH_OP_POWER)
            nh_push(t->arena, t->roots, t->n_roots, t->roots_capacity) = (uint32_t)i;
        t->has_arcs = t->has_arcs || s->op == NH_OP_ARC || s->op == NH_OP_ATAN2;
        t->has_hidden = t->has_hidden || s->op == NH_OP_EXP || s->op == NH_OP_SINHCOSH ||
                        s->op == NH_OP_TANH || s->op == NH_OP_POWER;
        polynomial = polynomial && (s->op <= NH_OP_SCALE || s->op == NH_OP_NEG || s->op == NH_OP_SQUARE);
    }
    find_large(t, b->scratch);
    find_makers(t);
    find_hidden(t);
    find_steep(t, b->scratch);
    t->longest_part = t->has_hidden ? 1.0 / 64 : polynomial || t->has_arcs ? INFINITY : 1.0 / 8;
    t->operations += t->n_steps;
    nh_tape_group(t, b->scratch);
    nh_tape_share(t, b->scratch);
}
