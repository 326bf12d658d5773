/* Long formulas in lines: a sum is broken before a sign; a product that is too long inside of its parentheses; a long fraction
 * becomes one over its denominator, times a long sum. What cannot be broken stays as it is. */
#include "present/math.h"

#include <string.h>

size_t nh_math_width(nh_math_maker *maker, const nh_math *m)
{
    nh_arena_mark mark = nh_arena_here(maker->arena);
    size_t width;
    if (maker->plain) {
        nh_text text;
        nh_text_init(&text, maker->arena);
        nh_math_plain(&text, m);
        width = text.length;
    } else {
        width = nh_box_of(maker->arena, m).width;
    }
    nh_arena_release(maker->arena, mark);
    return width;
}

typedef struct breaker {
    nh_math_maker *maker;
    nh_math_lines lines;
    const nh_math **row; /* the line that is being filled */
    size_t count, capacity;
    size_t used, indent, width;
} breaker;

static void put(breaker *b, const nh_math *m)
{
    nh_push(b->maker->arena, b->row, b->count, b->capacity) = m;
    b->used += nh_math_width(b->maker, m);
}

static void end_line(breaker *b, size_t next_indent)
{
    if (b->count)
        nh_push(b->maker->arena, b->lines.items, b->lines.count, b->lines.capacity) =
            (nh_math_line){nh_math_of(b->maker, NH_MATH_ROW, b->count, b->row), b->indent};
    b->row = NULL, b->count = b->capacity = 0;
    b->indent = b->used = next_indent;
}

enum { STEP = 3, DEEPEST = 30 };

static void put_sum(breaker *b, const nh_math *m, size_t indent, int depth);

/* What stands in parentheses, with an exponent or without; NULL: nothing. */
static const nh_math *fence_of(const nh_math *m)
{
    const nh_math *base = m->kind == NH_MATH_SCRIPTS && !m->items[1] ? m->items[0] : m;
    return base->kind == NH_MATH_FENCE && base->items[0]->kind == NH_MATH_ROW ? base : NULL;
}

/* A fraction with something long above its line. */
static bool is_long_fraction(breaker *b, const nh_math *m)
{
    return m->kind == NH_MATH_FRACTION && m->items[0]->kind == NH_MATH_ROW &&
           nh_math_width(b->maker, m->items[0]) > b->width / 4;
}

/* The widest factor that can be broken, or count. */
static size_t breakable_factor(breaker *b, const nh_math *const *items, size_t count)
{
    size_t found = count, widest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t width =
            fence_of(items[i]) || is_long_fraction(b, items[i]) ? nh_math_width(b->maker, items[i]) : 0;
        if (width > widest)
            found = i, widest = width;
    }
    return found;
}

/* N/D as 1/D (N): above the line stays a part that is short. */
static const nh_math *unfolded(breaker *b, const nh_math *fraction)
{
    nh_math_maker *maker = b->maker;
    const nh_math *above = fraction->items[0];
    const nh_math *one = nh_math_leaf(maker, NH_MATH_NUMBER, "1");
    const nh_math *inverse =
        nh_math_of(maker, NH_MATH_FRACTION, 2, (const nh_math *[]){one, fraction->items[1]});
    const nh_math *times = nh_math_leaf(maker, NH_MATH_TIMES, "*");
    bool product =
        above->kind == NH_MATH_ROW && breakable_factor(b, above->items, above->count) < above->count;
    for (size_t i = 0; product && i < above->count; i++)
        product = above->items[i]->kind != NH_MATH_SIGN && above->items[i]->kind != NH_MATH_PREFIX;
    if (!product)
        return nh_math_of(maker, NH_MATH_ROW, 3,
                          (const nh_math *[]){inverse, times, nh_math_fence(maker, above)});
    const nh_math **items = nh_arena_array(maker->arena, above->count + 2, sizeof *items);
    items[0] = inverse, items[1] = times;
    memcpy(items + 2, above->items, above->count * sizeof *items);
    return nh_math_of(maker, NH_MATH_ROW, above->count + 2, items);
}

/* With an exponent behind it, or NULL. */
static void put_fenced(breaker *b, const nh_math *fence, const nh_math *exponent, size_t indent, int depth)
{
    const char *open = fence->text;
    const nh_math *inside = fence->items[0];
    put(b, nh_math_leaf(b->maker, NH_MATH_OPEN, open));
    size_t deeper = indent + STEP < b->width / 3 ? indent + STEP : indent;
    put_sum(b, inside, deeper, depth + 1);
    nh_math *close = nh_arena_array(b->maker->arena, 1, sizeof *close);
    *close = *nh_math_of(b->maker, NH_MATH_CLOSE, exponent ? 1 : 0, &exponent);
    close->text = *open == '(' ? ")" : "]";
    put(b, close);
}

/* A term that is too long for a line; a fraction whose denominator is so, too, is written with a slash. */
static void put_long(breaker *b, const nh_math *m, size_t indent, int depth)
{
    if (m->kind == NH_MATH_FRACTION && depth <= DEEPEST &&
        nh_math_width(b->maker, m->items[1]) + indent + STEP > b->width) {
        if (m->items[0]->kind == NH_MATH_ROW)
            put_fenced(b, nh_math_fence(b->maker, m->items[0]), NULL, indent, depth);
        else
            put(b, m->items[0]);
        put(b, nh_math_leaf(b->maker, NH_MATH_PREFIX, "/"));
        put_fenced(b, nh_math_fence(b->maker, m->items[1]), NULL, indent, depth);
        return;
    }
    if (m->kind == NH_MATH_FRACTION)
        m = unfolded(b, m);
    const nh_math *const *items = m->kind == NH_MATH_ROW ? m->items : &m;
    size_t count = m->kind == NH_MATH_ROW ? m->count : 1, at = breakable_factor(b, items, count);
    if (depth > DEEPEST || at == count) {
        put(b, m);
        return;
    }
    for (size_t i = 0; i < at; i++)
        put(b, items[i]);
    const nh_math *fence = fence_of(items[at]);
    if (!fence)
        put_long(b, items[at], indent, depth + 1);
    else
        put_fenced(b, fence, fence != items[at] ? items[at]->items[2] : NULL, indent, depth);
    for (size_t i = at + 1; i < count; i++)
        put(b, items[i]);
}

static bool is_sum(const nh_math *m)
{
    for (size_t i = 0; m->kind == NH_MATH_ROW && i < m->count; i++)
        if (m->items[i]->kind == NH_MATH_SIGN || m->items[i]->kind == NH_MATH_PREFIX)
            return true;
    return false;
}

/* A sign and the term behind it. */
static void put_term(breaker *b, const nh_math *sign, const nh_math *term, size_t indent, int depth)
{
    size_t wanted = nh_math_width(b->maker, term) + (sign ? nh_math_width(b->maker, sign) : 0);
    bool fresh = b->used <= indent || !b->count, fits = indent + wanted <= b->width;
    if (!fresh && b->used + wanted > b->width && (sign || fits))
        end_line(b, indent);
    if (sign)
        put(b, sign);
    if (b->used + wanted > b->width)
        put_long(b, term, indent, depth);
    else
        put(b, term);
}

static void put_sum(breaker *b, const nh_math *m, size_t indent, int depth)
{
    if (!is_sum(m)) {
        put_term(b, NULL, m, indent, depth);
        return;
    }
    const nh_math *sign = NULL;
    for (size_t i = 0; i < m->count; i++) {
        nh_math_kind kind = m->items[i]->kind;
        if (kind == NH_MATH_SIGN || kind == NH_MATH_PREFIX) {
            if (sign)
                put(b, sign);
            sign = m->items[i];
            continue;
        }
        const nh_math *term = m->items[i];
        size_t last = i; /* a product after a sign in front has its factors in the same row */
        while (last + 1 < m->count && m->items[last + 1]->kind != NH_MATH_SIGN)
            last++;
        if (last > i)
            term = nh_math_of(b->maker, NH_MATH_ROW, last - i + 1, m->items + i);
        put_term(b, sign, term, indent, depth);
        i = last, sign = NULL;
    }
    if (sign)
        put(b, sign);
}

nh_math_lines nh_math_break(nh_math_maker *maker, const nh_math *m, size_t width)
{
    breaker b = {.maker = maker, .width = width};
    put_sum(&b, m, STEP / 2, 0);
    end_line(&b, 0);
    return b.lines;
}
