/* Formulas in two dimensions, in Unicode: a box of cells, one row of which stands on the line. */
#include "present/math.h"

#include <string.h>

nh_box nh_box_new(nh_arena *arena, size_t width, size_t height, size_t base)
{
    nh_box b = {width, height, base, nh_arena_array(arena, width * height + 1, sizeof(nh_cell))};
    memset(b.cells, 0, (width * height + 1) * sizeof *b.cells);
    return b;
}

void nh_box_put(nh_box *into, size_t row, size_t column, const nh_box *what)
{
    for (size_t i = 0; i < what->height; i++)
        memcpy(into->cells + (row + i) * into->width + column, what->cells + i * what->width,
               what->width * sizeof *what->cells);
}

static void put_code_point(nh_text *out, uint32_t c)
{
    if (c < 0x80) {
        nh_text_char(out, (char)c);
    } else if (c < 0x800) {
        nh_text_char(out, (char)(0xC0 | c >> 6));
        nh_text_char(out, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        nh_text_char(out, (char)(0xE0 | c >> 12));
        nh_text_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        nh_text_char(out, (char)(0x80 | (c & 0x3F)));
    } else {
        nh_text_char(out, (char)(0xF0 | c >> 18));
        nh_text_char(out, (char)(0x80 | (c >> 12 & 0x3F)));
        nh_text_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        nh_text_char(out, (char)(0x80 | (c & 0x3F)));
    }
}

void nh_box_write(nh_text *out, const nh_box *b, size_t row)
{
    size_t end = b->width;
    const nh_cell *cells = b->cells + row * b->width;
    while (end > 0 && (cells[end - 1].c == 0 || cells[end - 1].c == ' '))
        end--;
    for (size_t i = 0; i < end; i++) {
        put_code_point(out, cells[i].c ? cells[i].c : ' ');
        if (cells[i].mark)
            put_code_point(out, cells[i].mark);
    }
}

/* ---------------------------------------------------------------- lines of text */

static nh_box line(nh_arena *arena, const char *text)
{
    size_t length = strlen(text), at = 0;
    nh_box b = nh_box_new(arena, nh_utf8_count(text, length), 1, 0);
    for (size_t i = 0; i < b.width && at < length; i++) {
        size_t bytes = nh_utf8_decode(text + at, length - at, &b.cells[i].c);
        at += bytes ? bytes : 1;
    }
    return b;
}

/* Side by side, on one line. */
static nh_box beside(nh_arena *arena, const nh_box *parts, size_t count)
{
    size_t width = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        width += parts[i].width;
        above = parts[i].base > above ? parts[i].base : above;
        size_t under = parts[i].height - parts[i].base;
        below = under > below ? under : below;
    }
    nh_box b = nh_box_new(arena, width, above + below, above);
    size_t column = 0;
    for (size_t i = 0; i < count; i++) {
        nh_box_put(&b, above - parts[i].base, column, &parts[i]);
        column += parts[i].width;
    }
    return b;
}

static nh_box row(nh_arena *arena, const nh_math *m)
{
    nh_box *parts = nh_arena_array(arena, m->count + 1, sizeof *parts);
    for (size_t i = 0; i < m->count; i++)
        parts[i] = nh_box_of(arena, m->items[i]);
    return m->count ? beside(arena, parts, m->count) : nh_box_new(arena, 0, 1, 0);
}

/* ---------------------------------------------------------------- names and signs */

/* Letters that have a character of their own with a dot or two; for others it is a mark. */
static uint32_t dotted(char letter, nh_accent accent)
{
    static const struct {
        char letter;
        uint32_t one, two;
    } table[] = {{'a', 0x227, 0xE4},    {'b', 0x1E03, 0},      {'c', 0x10B, 0},       {'d', 0x1E0B, 0},
                 {'e', 0x117, 0xEB},    {'f', 0x1E1F, 0},      {'g', 0x121, 0},       {'h', 0x1E23, 0x1E27},
                 {'m', 0x1E41, 0},      {'n', 0x1E45, 0},      {'o', 0x22F, 0xF6},    {'p', 0x1E57, 0},
                 {'r', 0x1E59, 0},      {'s', 0x1E61, 0},      {'t', 0x1E6B, 0x1E97}, {'u', 0, 0xFC},
                 {'w', 0x1E87, 0x1E85}, {'x', 0x1E8B, 0x1E8D}, {'y', 0x1E8F, 0xFF},   {'z', 0x17C, 0}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].letter == letter)
            return accent == NH_ACCENT_DOT ? table[k].one : accent == NH_ACCENT_TWO_DOTS ? table[k].two : 0;
    return 0;
}

/* A letter has its dots over it, a word has primes behind it. */
static nh_box name(nh_arena *arena, const nh_math *m)
{
    static const uint32_t marks[] = {0, 0x307, 0x308, 0x304};
    const nh_glyph *glyph = nh_glyph_of(m->text);
    nh_box b = line(arena, glyph ? glyph->unicode : m->text);
    if (m->accent == NH_ACCENT_NONE || b.width == 0)
        return b;
    if (b.width > 1 && m->accent != NH_ACCENT_BAR) {
        nh_box parts[2] = {b, line(arena, m->accent == NH_ACCENT_DOT ? "′" : "″")};
        return beside(arena, parts, 2);
    }
    nh_cell *last = &b.cells[b.width - 1];
    uint32_t whole = last->c < 0x80 ? dotted((char)last->c, m->accent) : 0;
    if (whole)
        last->c = whole;
    else
        last->mark = marks[m->accent];
    return b;
}

static nh_box sign(nh_arena *arena, const char *text, bool between)
{
    const char *shown = *text == '-' ? "−" : *text == 'x' ? "×" : text;
    nh_text padded;
    nh_text_init(&padded, arena);
    nh_text_format(&padded, !between ? "%s" : *text == ',' ? "%s " : " %s ", shown);
    return line(arena, nh_text_get(&padded));
}

/* ---------------------------------------------------------------- fences */

/* One side of a fence, as high as what it encloses: the row on the line is in it. */
static nh_box side(nh_arena *arena, char which, size_t height, size_t base)
{
    static const struct {
        char which;
        uint32_t one, top, middle, bottom;
    } table[] = {{'(', '(', 0x239B, 0x239C, 0x239D},
                 {')', ')', 0x239E, 0x239F, 0x23A0},
                 {'[', '[', 0x23A1, 0x23A2, 0x23A3},
                 {']', ']', 0x23A4, 0x23A5, 0x23A6},
                 {'|', '|', 0x2502, 0x2502, 0x2502}};
    size_t k = 0;
    while (table[k].which != which)
        k++;
    nh_box b = nh_box_new(arena, 1, height, base);
    for (size_t i = 0; i < height; i++)
        b.cells[i].c = height == 1      ? table[k].one
                       : i == 0         ? table[k].top
                       : i + 1 < height ? table[k].middle
                                        : table[k].bottom;
    return b;
}

static nh_box enclosed(nh_arena *arena, const nh_box *inside, char open, char close)
{
    nh_box parts[3] = {side(arena, open, inside->height, inside->base), *inside,
                       side(arena, close, inside->height, inside->base)};
    return beside(arena, parts, 3);
}

static nh_box fence(nh_arena *arena, const nh_math *m)
{
    nh_box inside = nh_box_of(arena, m->items[0]);
    return enclosed(arena, &inside, *m->text, *m->text == '(' ? ')' : ']');
}

/* ---------------------------------------------------------------- fractions */

/* Both in the middle of the line between them. */
static nh_box fraction(nh_arena *arena, const nh_math *m)
{
    nh_box above = nh_box_of(arena, m->items[0]), below = nh_box_of(arena, m->items[1]);
    size_t width = (above.width > below.width ? above.width : below.width) + 2;
    nh_box b = nh_box_new(arena, width, above.height + below.height + 1, above.height);
    nh_box_put(&b, 0, (width - above.width) / 2, &above);
    nh_box_put(&b, above.height + 1, (width - below.width) / 2, &below);
    for (size_t i = 0; i < width; i++)
        b.cells[above.height * width + i].c = 0x2500;
    return b;
}

/* ---------------------------------------------------------------- indices and exponents */

static uint32_t raised(uint32_t c)
{
    static const uint32_t digits[] = {0x2070, 0xB9,   0xB2,   0xB3,   0x2074,
                                      0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
    return c >= '0' && c <= '9' ? digits[c - '0'] : c == 0x2212 ? 0x207B : 0;
}

static uint32_t lowered(uint32_t c) { return c >= '0' && c <= '9' ? 0x2080 + c - '0' : 0; }

/* In the line, where there are characters for it; false: there are none. */
static bool in_line(nh_box *script, uint32_t (*change)(uint32_t))
{
    if (script->height > 1)
        return false;
    for (size_t i = 0; i < script->width; i++)
        if (script->cells[i].mark || !change(script->cells[i].c))
            return false;
    for (size_t i = 0; i < script->width; i++)
        script->cells[i].c = change(script->cells[i].c);
    return true;
}

/* The name x_P of a model: where there are no characters for its index it is written as there, in the line. */
static nh_box name_with_index(nh_arena *arena, const nh_math *m)
{
    nh_box parts[3] = {nh_box_of(arena, m->items[0]), line(arena, "_"), nh_box_of(arena, m->items[1])};
    bool small = in_line(&parts[2], lowered);
    if (small)
        parts[1] = parts[2];
    return beside(arena, parts, small ? 2 : 3);
}

static nh_box scripts(nh_arena *arena, const nh_math *m);

/* The end of parentheses that began in another line, with an exponent or without. */
static nh_box closing(nh_arena *arena, const nh_math *m)
{
    const nh_math base = {.kind = NH_MATH_WORDS, .text = m->text};
    const nh_math *items[3] = {&base, NULL, m->count ? m->items[0] : NULL};
    const nh_math power = {.kind = NH_MATH_SCRIPTS, .items = items, .count = 3};
    return m->count ? scripts(arena, &power) : line(arena, m->text);
}

/* Over each other; what fits into the line is in it. */
static nh_box scripts(nh_arena *arena, const nh_math *m)
{
    if (m->text)
        return name_with_index(arena, m);
    nh_box base = nh_box_of(arena, m->items[0]), script[2];
    bool raised_up[2] = {false, false};
    nh_box parts[3] = {base};
    size_t count = 1;
    for (int k = 0; k < 2; k++) {
        if (!m->items[k + 1])
            continue;
        script[k] = nh_box_of(arena, m->items[k + 1]);
        if (base.height == 1 && in_line(&script[k], k ? raised : lowered))
            parts[count++] = script[k];
        else
            raised_up[k] = true;
    }
    nh_box core = beside(arena, parts, count);
    if (!raised_up[0] && !raised_up[1])
        return core;
    size_t above = raised_up[1] ? script[1].height : 0, below = raised_up[0] ? script[0].height : 0;
    size_t width = raised_up[1] ? script[1].width : 0;
    width = raised_up[0] && script[0].width > width ? script[0].width : width;
    nh_box b = nh_box_new(arena, core.width + width, core.height + above + below, core.base + above);
    nh_box_put(&b, above, 0, &core);
    if (raised_up[1])
        nh_box_put(&b, 0, core.width, &script[1]);
    if (raised_up[0])
        nh_box_put(&b, above + core.height, core.width, &script[0]);
    return b;
}

/* ---------------------------------------------------------------- functions */

static nh_box arguments(nh_arena *arena, const nh_math *m)
{
    nh_box parts[3] = {nh_box_of(arena, m->items[0])};
    if (m->count < 3)
        return parts[0];
    parts[1] = line(arena, ", "), parts[2] = nh_box_of(arena, m->items[1]);
    return beside(arena, parts, 3);
}

/* sin x, sin^2 x, sin(x + y), the root sign, |x| */
static nh_box call(nh_arena *arena, const nh_math *m)
{
    nh_box inside = arguments(arena, m), parts[4];
    const nh_math *exponent = m->items[m->count - 1];
    size_t count = 0;
    if (m->function == NH_FN_abs)
        return enclosed(arena, &inside, '|', '|');
    bool root = m->function == NH_FN_sqrt, shortly = m->count == 2 && nh_math_is_short(m->items[0]);
    parts[count++] = line(arena, root ? "√" : m->text);
    if (exponent) {
        parts[count] = nh_box_of(arena, exponent);
        in_line(&parts[count++], raised);
    }
    if (shortly && !root)
        parts[count++] = line(arena, " ");
    parts[count++] = shortly ? inside : enclosed(arena, &inside, '(', ')');
    return beside(arena, parts, count);
}

/* ---------------------------------------------------------------- matrices */

/* Columns in the middle, rows as high as their highest entry. */
static nh_box matrix(nh_arena *arena, const nh_math *m)
{
    size_t columns = m->columns, rows = columns ? m->count / columns : 0, width = 0, height = 0;
    nh_box *parts = nh_arena_array(arena, m->count + 1, sizeof *parts);
    size_t *widths = nh_arena_array(arena, columns + 1, sizeof *widths);
    size_t *above = nh_arena_array(arena, rows + 1, sizeof *above),
           *below = nh_arena_array(arena, rows + 1, sizeof *below);
    memset(widths, 0, (columns + 1) * sizeof *widths);
    memset(above, 0, (rows + 1) * sizeof *above), memset(below, 0, (rows + 1) * sizeof *below);
    for (size_t e = 0; e < m->count; e++) {
        nh_box p = parts[e] = nh_box_of(arena, m->items[e]);
        size_t i = e / columns, j = e % columns;
        widths[j] = p.width > widths[j] ? p.width : widths[j];
        above[i] = p.base > above[i] ? p.base : above[i];
        below[i] = p.height - p.base > below[i] ? p.height - p.base : below[i];
    }
    for (size_t j = 0; j < columns; j++)
        width += widths[j] + (j ? 2 : 0);
    for (size_t i = 0; i < rows; i++)
        height += above[i] + below[i];
    nh_box inside = nh_box_new(arena, width + 2, height, height / 2);
    for (size_t i = 0, top = 0; i < rows; top += above[i] + below[i], i++)
        for (size_t j = 0, left = 1; j < columns; left += widths[j] + 2, j++) {
            const nh_box *p = &parts[i * columns + j];
            nh_box_put(&inside, top + above[i] - p->base, left + (widths[j] - p->width) / 2, p);
        }
    return enclosed(arena, &inside, '[', ']');
}

nh_box nh_box_of(nh_arena *arena, const nh_math *m)
{
    switch (m->kind) {
    case NH_MATH_ROW: return row(arena, m);
    case NH_MATH_NAME: return name(arena, m);
    case NH_MATH_NUMBER:
    case NH_MATH_WORDS:
    case NH_MATH_OPEN: return line(arena, m->text);
    case NH_MATH_CLOSE: return closing(arena, m);
    case NH_MATH_SIGN: return sign(arena, m->text, true);
    case NH_MATH_PREFIX: return sign(arena, m->text, false);
    case NH_MATH_TIMES: return line(arena, " ");
    case NH_MATH_SPACE: return line(arena, "    ");
    case NH_MATH_CALL: return call(arena, m);
    case NH_MATH_FRACTION: return fraction(arena, m);
    case NH_MATH_SCRIPTS: return scripts(arena, m);
    case NH_MATH_FENCE: return fence(arena, m);
    case NH_MATH_MATRIX: return matrix(arena, m);
    }
    return nh_box_new(arena, 0, 1, 0);
}
