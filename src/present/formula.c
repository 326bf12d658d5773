/* Expressions as formulas. */
#include "present/math.h"

#include <string.h>

/* The items of a row that is being made. */
typedef struct row {
    nh_math_maker *maker;
    const nh_math **items;
    size_t count, capacity;
} row;

static void put(row *r, const nh_math *m) { nh_push(r->maker->arena, r->items, r->count, r->capacity) = m; }

static void put_leaf(row *r, nh_math_kind kind, const char *text)
{
    put(r, nh_math_leaf(r->maker, kind, text));
}

static const nh_math *whole(row *r) { return nh_math_of(r->maker, NH_MATH_ROW, r->count, r->items); }

/* ---------------------------------------------------------------- numbers */

static void split_number(nh_math_maker *maker, nh_rational value, const char **above, const char **below)
{
    nh_text digits;
    nh_text_init(&digits, maker->arena);
    nh_rational_print(&digits, value);
    const char *text = nh_text_get(&digits);
    text += *text == '-';
    size_t length = strcspn(text, "/");
    *above = nh_arena_copy(maker->arena, text, length);
    *below = text[length] ? text + length + 1 : "1";
}

static const nh_math *number(nh_math_maker *maker, nh_rational value)
{
    const char *above, *below;
    split_number(maker, value, &above, &below);
    row r = {.maker = maker};
    if (nh_rational_sign(value) < 0)
        put_leaf(&r, NH_MATH_PREFIX, "-");
    const nh_math *parts[2] = {nh_math_leaf(maker, NH_MATH_NUMBER, above),
                               nh_math_leaf(maker, NH_MATH_NUMBER, below)};
    put(&r, strcmp(below, "1") == 0 ? parts[0] : nh_math_of(maker, NH_MATH_FRACTION, 2, parts));
    return whole(&r);
}

/* ---------------------------------------------------------------- what needs parentheses */

static bool is_integer_power(const nh_pool *pool, nh_node node)
{
    nh_rational n;
    return node.kind == NH_POW && nh_is_number(pool, node.b, &n) && !n.big && n.den == 1;
}

static bool is_atom(const nh_pool *pool, nh_expr e)
{
    nh_node node = nh_get(pool, e);
    nh_rational value;
    if (nh_is_number(pool, e, &value))
        return nh_rational_sign(value) >= 0 && nh_rational_is_int(value);
    return node.kind == NH_SYMBOL || node.kind == NH_PI || node.kind == NH_CALL;
}

/* As a factor: a sum, or a number with a sign, is put in parentheses. */
static const nh_math *as_factor(nh_math_maker *maker, nh_expr e)
{
    const nh_math *m = nh_math_expr(maker, e);
    nh_kind kind = (nh_kind)nh_get(maker->pool, e).kind;
    bool loose = kind == NH_ADD || kind == NH_MUL || (kind == NH_NUMBER && !is_atom(maker->pool, e));
    return loose ? nh_math_fence(maker, m) : m;
}

static const nh_math *as_base(nh_math_maker *maker, nh_expr e)
{
    const nh_math *m = nh_math_expr(maker, e);
    return is_atom(maker->pool, e) ? m : nh_math_fence(maker, m);
}

/* ---------------------------------------------------------------- functions and powers */

/* The argument of sin x, cos 2x, needs no parentheses. */
static const nh_math *call(nh_math_maker *maker, nh_node node, const nh_math *exponent)
{
    const nh_function_info *info = nh_function_get((nh_function)node.function);
    const nh_math *items[3] = {nh_math_expr(maker, node.a)};
    if (info->arity == 2)
        items[1] = nh_math_expr(maker, node.b);
    items[info->arity] = exponent;
    nh_math *m = nh_arena_array(maker->arena, 1, sizeof *m);
    *m = *nh_math_of(maker, NH_MATH_CALL, (size_t)info->arity + 1, items);
    m->function = (nh_function)node.function;
    m->text = info->name;
    return m;
}

/* sin^2 x, but sqrt(x)^2 and exp(x)^2: where the exponent is a positive whole number. */
static bool exponent_at_name(nh_node node)
{
    nh_function f = (nh_function)node.function;
    return node.kind == NH_CALL && (f == NH_FN_sin || f == NH_FN_cos || f == NH_FN_tan || f == NH_FN_sinh ||
                                    f == NH_FN_cosh || f == NH_FN_tanh);
}

static const nh_math *power(nh_math_maker *maker, nh_expr base, const nh_math *exponent, bool whole_number)
{
    nh_node node = nh_get(maker->pool, base);
    if (!maker->plain && whole_number && exponent_at_name(node))
        return call(maker, node, exponent);
    const nh_math *m = as_base(maker, base);
    bool call_base = node.kind == NH_CALL && node.function != NH_FN_sqrt && !maker->plain;
    return nh_math_scripts(maker, call_base ? nh_math_fence(maker, m) : m, NULL, exponent);
}

static const nh_math *factor(nh_math_maker *maker, nh_factor f)
{
    if (f.exponent == 1)
        return as_factor(maker, f.base);
    nh_text digits;
    nh_text_init(&digits, maker->arena);
    nh_rational_print(&digits, nh_rational_int(f.exponent));
    return power(maker, f.base, nh_math_leaf(maker, NH_MATH_NUMBER, nh_text_get(&digits)), true);
}

/* ---------------------------------------------------------------- products */

/* Functions behind everything else, so that nothing seems to belong to their arguments. */
static int place_of(nh_math_maker *maker, nh_factor f)
{
    nh_node node = nh_get(maker->pool, f.base);
    bool function = node.kind == NH_CALL && node.function != NH_FN_sqrt && node.function != NH_FN_abs;
    return !maker->plain && function;
}

static size_t put_factors(row *r, const nh_product *product, int sign)
{
    size_t count = 0;
    for (int place = 0; place < 2; place++)
        for (size_t i = 0; i < product->count; i++) {
            nh_factor f = product->factors[i];
            if ((f.exponent > 0) != (sign > 0) || place_of(r->maker, f) != place)
                continue;
            if (r->count)
                put_leaf(r, NH_MATH_TIMES, "*");
            f.exponent *= sign;
            put(r, factor(r->maker, f));
            count++;
        }
    return count;
}

/* Alone above or below a line, a sum needs no parentheses. */
static const nh_math *unfenced(const nh_math *m) { return m->kind == NH_MATH_FENCE ? m->items[0] : m; }

/* The product without its sign. */
static const nh_math *product(nh_math_maker *maker, const nh_product *p)
{
    const char *above_text, *below_text;
    split_number(maker, p->number, &above_text, &below_text);
    bool one_above = strcmp(above_text, "1") == 0, one_below = strcmp(below_text, "1") == 0, divisors = false;
    for (size_t i = 0; i < p->count; i++)
        divisors = divisors || p->factors[i].exponent < 0;
    row above = {.maker = maker}, below = {.maker = maker};
    if (!divisors && !one_below)
        put(&above, nh_math_of(maker, NH_MATH_FRACTION, 2,
                               (const nh_math *[]){nh_math_leaf(maker, NH_MATH_NUMBER, above_text),
                                                   nh_math_leaf(maker, NH_MATH_NUMBER, below_text)}));
    else if (!one_above)
        put_leaf(&above, NH_MATH_NUMBER, above_text);
    put_factors(&above, p, 1);
    if (!above.count)
        put_leaf(&above, NH_MATH_NUMBER, "1");
    if (!divisors)
        return whole(&above);
    if (!one_below)
        put_leaf(&below, NH_MATH_NUMBER, below_text);
    put_factors(&below, p, -1);
    return nh_math_of(maker, NH_MATH_FRACTION, 2,
                      (const nh_math *[]){unfenced(whole(&above)), unfenced(whole(&below))});
}

static const nh_math *signed_product(nh_math_maker *maker, nh_expr e)
{
    nh_product p = nh_product_of(maker->pool, maker->arena, e);
    row r = {.maker = maker};
    if (nh_rational_sign(p.number) < 0)
        put_leaf(&r, NH_MATH_PREFIX, "-");
    const nh_math *m = product(maker, &p);
    for (size_t i = 0; m->kind == NH_MATH_ROW && i < m->count && r.count; i++)
        put(&r, m->items[i]);
    if (m->kind != NH_MATH_ROW || !r.count)
        put(&r, m);
    return whole(&r);
}

/* A term may be a row in a row: it stays together. */
static const nh_math *sum(nh_math_maker *maker, nh_expr e)
{
    nh_sum s = nh_sum_of(maker->pool, maker->arena, e);
    row r = {.maker = maker};
    for (size_t i = 0; i < s.count; i++) {
        bool minus = nh_rational_sign(s.terms[i].number) < 0;
        if (i || minus)
            put_leaf(&r, i ? NH_MATH_SIGN : NH_MATH_PREFIX, minus ? "-" : "+");
        put(&r, product(maker, &s.terms[i]));
    }
    return whole(&r);
}

static const nh_math *formula(nh_math_maker *maker, nh_expr e)
{
    const nh_pool *pool = maker->pool;
    nh_node node = nh_get(pool, e);
    switch (node.kind) {
    case NH_NUMBER: return number(maker, pool->rationals[node.a]);
    case NH_SYMBOL: return nh_math_name(maker, pool->symbols[node.a], 0);
    case NH_PI: return nh_math_name(maker, "pi", 0);
    case NH_ADD: return sum(maker, e);
    case NH_MUL: return signed_product(maker, e);
    case NH_POW:
        if (is_integer_power(pool, node))
            return signed_product(maker, e);
        return power(maker, node.a, nh_math_expr(maker, node.b), false);
    case NH_CALL: return call(maker, node, NULL);
    default: return nh_math_leaf(maker, NH_MATH_WORDS, "undefined");
    }
}

enum { DEEPEST = 100, LONGEST_IN_DEPTH = 2000 };

static const nh_math *in_a_line(nh_math_maker *maker, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, maker->arena);
    nh_expr_print(&text, maker->pool, e, maker->plain ? 0 : LONGEST_IN_DEPTH);
    return nh_math_leaf(maker, NH_MATH_WORDS, nh_text_get(&text));
}

const nh_math *nh_math_expr(nh_math_maker *maker, nh_expr e)
{
    if (maker->depth >= DEEPEST)
        return in_a_line(maker, e);
    maker->depth++;
    const nh_math *m = formula(maker, e);
    maker->depth--;
    return m;
}
