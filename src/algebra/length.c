/* The rules are those of nh_expr_print, but nothing is written: the length of a node follows from those of its
 * operands, whose handles are smaller. */
#include "algebra/length.h"

#include <stdlib.h>

/* How tightly something binds; what stands inside something tighter gets parentheses. */
typedef enum { LEVEL_SUM = 1, LEVEL_PRODUCT, LEVEL_POWER, LEVEL_ATOM } level;

void nh_lengths_init(nh_lengths *l, const nh_pool *pool, nh_arena *arena)
{
    *l = (nh_lengths){.pool = pool, .arena = arena};
}

static bool is_whole_power(const nh_pool *pool, nh_node node, nh_rational *n)
{
    return node.kind == NH_POW && nh_is_number(pool, node.b, n) && nh_rational_is_int(*n);
}

static level level_of(const nh_lengths *l, nh_expr e)
{
    nh_node node = nh_get(l->pool, e);
    nh_rational n;
    switch (node.kind) {
    case NH_NUMBER: return l->of[e].minus ? LEVEL_SUM : l->of[e].text > 1 ? LEVEL_PRODUCT : LEVEL_ATOM;
    case NH_ADD: return LEVEL_SUM;
    case NH_MUL: return l->of[e].minus ? LEVEL_SUM : LEVEL_PRODUCT;
    case NH_POW:
        return is_whole_power(l->pool, node, &n) && nh_rational_sign(n) < 0 ? LEVEL_PRODUCT : LEVEL_POWER;
    default: return LEVEL_ATOM;
    }
}

static float whole(const nh_lengths *l, nh_expr e) { return l->of[e].text + (l->of[e].minus ? 1 : 0); }

static float within(const nh_lengths *l, nh_expr e, level at_least)
{
    return whole(l, e) + (level_of(l, e) < at_least ? 2 : 0);
}

/* ---------------------------------------------------------------- products */

/* With the sign between the two, where there are two. */
static float join(float a, float b) { return a + b + (a > 0 && b > 0 ? 1 : 0); }

/* One factor, a power or something else that has been measured. */
static void as_factor(const nh_lengths *l, nh_expr e, nh_length *x)
{
    nh_rational n;
    bool power = is_whole_power(l->pool, nh_get(l->pool, e), &n), plain = !power || llabs(n.num) == 1;
    nh_expr base = power ? nh_get(l->pool, e).a : e;
    x->divisors = power && nh_rational_sign(n) < 0;
    *(x->divisors ? &x->below : &x->above) =
        within(l, base, plain ? LEVEL_POWER : LEVEL_ATOM) + (plain ? 0 : 2);
}

/* 1/2*m*v^2, but x/(2*y): a number's denominator joins others, where there are any. */
static void measure_product(const nh_lengths *l, nh_length *x)
{
    nh_rational n = nh_rational_int(1);
    if (x->number)
        nh_is_number(l->pool, x->number, &n);
    bool fraction = !nh_rational_is_int(n), one = !n.big && llabs(n.num) == 1;
    bool in_front = fraction && !x->divisors, in_divisor = fraction && x->divisors;
    float above = join(in_front ? 3 : one ? 0 : 1, x->above), below = join(in_divisor ? 1 : 0, x->below);
    float line = !x->divisors ? 0 : x->divisors + in_divisor > 1 ? 3 : 1; /* x/y, x/(y*z) */
    x->minus = nh_rational_sign(n) < 0;
    x->text = (above > 0 ? above : 1) + line + below;
}

/* ---------------------------------------------------------------- all nodes */

static void measure_multiplication(const nh_lengths *l, nh_node node, nh_length *x)
{
    const nh_length *a = &l->of[node.a], *b = &l->of[node.b];
    x->number = a->number ? a->number : b->number;
    x->divisors = (uint8_t)(a->divisors + b->divisors > 1 ? 2 : a->divisors + b->divisors);
    x->above = join(a->above, b->above), x->below = join(a->below, b->below);
    measure_product(l, x);
}

static void measure_power(const nh_lengths *l, nh_expr e, nh_node node, nh_length *x)
{
    nh_rational n;
    if (!is_whole_power(l->pool, node, &n))
        x->text = within(l, node.a, LEVEL_ATOM) + 1 + within(l, node.b, LEVEL_ATOM);
    as_factor(l, e, x);
    if (is_whole_power(l->pool, node, &n))
        measure_product(l, x);
}

/* Its operands have been measured. */
static void measure(nh_lengths *l, nh_expr e)
{
    nh_node node = nh_get(l->pool, e);
    nh_length *x = &l->of[e];
    switch (node.kind) {
    case NH_NUMBER:
        x->number = e;
        measure_product(l, x);
        return;
    case NH_MUL: measure_multiplication(l, node, x); return;
    case NH_POW: measure_power(l, e, node, x); return;
    case NH_ADD:
        x->text = l->of[node.a].text + 1 + l->of[node.b].text;
        x->minus = l->of[node.a].minus && l->of[node.b].minus;
        break;
    case NH_CALL: x->text = 3 + whole(l, node.a) + (node.b ? 1 + whole(l, node.b) : 0); break;
    default: x->text = 1; break;
    }
    as_factor(l, e, x);
}

double nh_expr_length(nh_lengths *l, nh_expr e)
{
    while (l->count <= e) {
        nh_expr next = (nh_expr)l->count;
        nh_push(l->arena, l->of, l->count, l->capacity) = (nh_length){0};
        measure(l, next);
    }
    return whole(l, e);
}
