/* General formulas in a small notation of their own, for the sentences of the worksheet:
 *
 *     names          G, psi, q' (with a dot), Zbar (with a bar), partial
 *     indices        psi^i_alpha, G_{alpha beta}, [G_{a b}]^{-1}
 *     fractions      {partial K}/{partial q'^i}
 *     the rest       ( ) [ ] + - = , . times and numbers; a semicolon is a wide space
 *
 * Names side by side are a product. Within indices a and b number the constraints. */
#include "present/math.h"

#include <string.h>

typedef struct reader {
    nh_math_maker *maker;
    const char *at;
} reader;

static const nh_math *read_row(reader *r, const char *stop, bool indices);

static void skip_space(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static const nh_math *read_name(reader *r)
{
    size_t length = 0;
    while (is_letter(r->at[length]))
        length++;
    const char *name = nh_arena_copy(r->maker->arena, r->at, length);
    r->at += length;
    nh_math *m = nh_arena_array(r->maker->arena, 1, sizeof *m);
    *m = (nh_math){.kind = NH_MATH_NAME, .text = name};
    if (strcmp(name, "Zbar") == 0 && !r->maker->plain)
        m->text = "Z", m->accent = NH_ACCENT_BAR;
    size_t primes = strspn(r->at, "'");
    if (primes && r->maker->plain)
        m->text = nh_arena_copy(r->maker->arena, r->at - length, length + primes);
    else if (primes)
        m->accent = primes == 1 ? NH_ACCENT_DOT : NH_ACCENT_TWO_DOTS;
    r->at += primes;
    return m;
}

static const nh_math *read_number(reader *r)
{
    size_t length = strspn(r->at, "0123456789");
    const char *digits = nh_arena_copy(r->maker->arena, r->at, length);
    r->at += length;
    return nh_math_leaf(r->maker, NH_MATH_NUMBER, digits);
}

/* {...}: a group; {...}/{...}: a fraction. */
static const nh_math *read_group(reader *r, bool indices)
{
    r->at++;
    const nh_math *above = read_row(r, "}", indices);
    r->at += *r->at == '}';
    if (strncmp(r->at, "/{", 2) != 0)
        return above;
    r->at += 2;
    const nh_math *below = read_row(r, "}", indices);
    r->at += *r->at == '}';
    return nh_math_of(r->maker, NH_MATH_FRACTION, 2, (const nh_math *[]){above, below});
}

static const nh_math *read_fence(reader *r)
{
    const char *open = *r->at == '(' ? "(" : "[", *close = *r->at == '(' ? ")" : "]";
    r->at++;
    nh_math *m = nh_arena_array(r->maker->arena, 1, sizeof *m);
    *m = *nh_math_fence(r->maker, read_row(r, close, false));
    m->text = open;
    r->at += *r->at == *close;
    return m;
}

static const nh_math *read_atom(reader *r, bool indices)
{
    if (is_letter(*r->at))
        return read_name(r);
    if (*r->at >= '0' && *r->at <= '9')
        return read_number(r);
    return *r->at == '{' ? read_group(r, indices) : read_fence(r);
}

static const nh_math *read_index(reader *r)
{
    r->at++;
    const nh_math *m = *r->at == '{' ? read_group(r, true) : read_atom(r, true);
    bool dropped = m->kind == NH_MATH_NAME && m->accent == NH_ACCENT_NONE && r->maker->no_index_a &&
                   (strcmp(m->text, "a") == 0 || strcmp(m->text, "b") == 0);
    return dropped || (m->kind == NH_MATH_ROW && m->count == 0) ? NULL : m;
}

static const nh_math *read_with_scripts(reader *r)
{
    const nh_math *base = read_atom(r, false), *scripts[2] = {NULL, NULL};
    while (*r->at == '_' || *r->at == '^') {
        bool above = *r->at == '^';
        const nh_math *index = read_index(r);
        scripts[above] = index ? index : scripts[above];
    }
    return nh_math_scripts(r->maker, base, scripts[0], scripts[1]);
}

/* In front of something rather than between two things: at the beginning, behind another sign, and in indices. */
static const nh_math *read_sign(reader *r, bool first, bool indices)
{
    const char *sign = nh_arena_copy(r->maker->arena, r->at++, 1);
    bool prefix = first || indices || *sign == '.';
    if (*sign == ';')
        return nh_math_leaf(r->maker, NH_MATH_SPACE, "");
    return nh_math_leaf(r->maker, prefix ? NH_MATH_PREFIX : NH_MATH_SIGN, sign);
}

bool nh_is_partial(const nh_math *m)
{
    m = m->kind == NH_MATH_SCRIPTS ? m->items[0] : m;
    return m->kind == NH_MATH_NAME && strcmp(m->text, "partial") == 0;
}

/* Up to one of the stops; a product sign between things that stand side by side. */
static const nh_math *read_row(reader *r, const char *stop, bool indices)
{
    const nh_math **items = NULL;
    size_t count = 0, capacity = 0;
    bool after_thing = false;
    for (skip_space(r); *r->at && !strchr(stop, *r->at); skip_space(r)) {
        if (strncmp(r->at, "times ", 6) == 0) {
            nh_push(r->maker->arena, items, count, capacity) = nh_math_leaf(r->maker, NH_MATH_SIGN, "x");
            r->at += 6, after_thing = false;
            continue;
        }
        bool thing = is_letter(*r->at) || strchr("0123456789{([", *r->at);
        const char *name = r->at;
        if (thing && after_thing && !indices)
            nh_push(r->maker->arena, items, count, capacity) = nh_math_leaf(r->maker, NH_MATH_TIMES, "*");
        bool dropped =
            indices && r->maker->no_index_a && (*name == 'a' || *name == 'b') && !is_letter(name[1]);
        const nh_math *m = thing ? read_with_scripts(r) : read_sign(r, !after_thing, indices);
        if (!dropped)
            nh_push(r->maker->arena, items, count, capacity) = m;
        after_thing = thing && !nh_is_partial(m);
    }
    return nh_math_of(r->maker, NH_MATH_ROW, count, items);
}

const nh_math *nh_notation(nh_math_maker *maker, const char *text)
{
    reader r = {maker, text};
    return read_row(&r, "", false);
}
