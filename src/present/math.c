/* Making trees. */
#include "present/math.h"

#include <string.h>

static nh_math *fresh(nh_math_maker *maker, nh_math_kind kind, const char *text, size_t count)
{
    nh_math *m = nh_arena_array(maker->arena, 1, sizeof *m);
    *m = (nh_math){.kind = kind, .text = text, .count = count};
    m->items = nh_arena_array(maker->arena, count + 1, sizeof *m->items);
    return m;
}

const nh_math *nh_math_leaf(nh_math_maker *maker, nh_math_kind kind, const char *text)
{
    return fresh(maker, kind, text, 0);
}

const nh_math *nh_math_of(nh_math_maker *maker, nh_math_kind kind, size_t count, const nh_math *const *items)
{
    if (kind == NH_MATH_ROW && count == 1)
        return items[0];
    nh_math *m = fresh(maker, kind, NULL, count);
    if (count)
        memcpy(m->items, items, count * sizeof *items);
    return m;
}

const nh_math *nh_math_fence(nh_math_maker *maker, const nh_math *inside)
{
    nh_math *m = fresh(maker, NH_MATH_FENCE, "(", 1);
    m->items[0] = inside;
    return m;
}

const nh_math *nh_math_scripts(nh_math_maker *maker, const nh_math *base, const nh_math *below,
                               const nh_math *above)
{
    if (!below && !above)
        return base;
    return nh_math_of(maker, NH_MATH_SCRIPTS, 3, (const nh_math *[]){base, below, above});
}

const nh_math *nh_math_matrix(nh_math_maker *maker, size_t rows, size_t columns, const nh_math *const *items)
{
    nh_math *m = fresh(maker, NH_MATH_MATRIX, NULL, rows * columns);
    if (m->count > 0)
        memcpy(m->items, items, rows * columns * sizeof *items);
    m->columns = columns;
    return m;
}

bool nh_math_is_high(const nh_math *m)
{
    bool high = m->kind == NH_MATH_FRACTION || m->kind == NH_MATH_MATRIX;
    for (size_t i = 0; i < m->count && !high; i++)
        high = m->items[i] && nh_math_is_high(m->items[i]);
    return high;
}

bool nh_math_is_short(const nh_math *m)
{
    const nh_math *base = m->kind == NH_MATH_SCRIPTS ? m->items[0] : m;
    return (base->kind == NH_MATH_NAME || base->kind == NH_MATH_NUMBER) &&
           (m->kind != NH_MATH_SCRIPTS || !m->items[2]);
}
