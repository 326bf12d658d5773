/* A page as text: in two dimensions in Unicode, or a line for a line in ASCII. */
#include "present/page.h"

#include <string.h>

enum { INDENT = 4 };

static size_t longest(size_t a, size_t b) { return a > b ? a : b; }

/* ---------------------------------------------------------------- sentences */

static void run_text(nh_page *page, nh_text *out, nh_run run)
{
    if (run.text) {
        nh_text_str(out, run.text);
    } else if (page->maker.plain) {
        nh_math_plain(out, run.math);
    } else {
        nh_box b = nh_box_of(page->maker.arena, run.math);
        if (b.height == 1)
            nh_box_write(out, &b, 0);
        else
            nh_math_in_sentence(out, run.math);
    }
}

/* Words, which go on in the next line where this one is full. */
static void fill(nh_text *out, const char *text, size_t room, size_t indent)
{
    size_t used = 0;
    while (*text) {
        size_t length = strcspn(text, " "), shown = nh_utf8_count(text, length);
        if (used && used + 1 + shown > room) {
            nh_text_char(out, '\n');
            nh_text_repeat(out, ' ', indent);
            used = 0;
        }
        nh_text_str(out, used ? " " : "");
        nh_text_add(out, text, length);
        used += shown + (used > 0);
        text += length;
        text += strspn(text, " ");
    }
    nh_text_char(out, '\n');
}

static void sentence(nh_page *page, nh_text *out, const nh_block *block)
{
    nh_text whole;
    nh_text_init(&whole, page->maker.arena);
    for (size_t i = 0; i < block->n_runs; i++)
        run_text(page, &whole, block->runs[i]);
    fill(out, nh_text_get(&whole), page->width, 0);
}

static void underlined(nh_page *page, nh_text *out, const char *text, char line)
{
    nh_text_format(out, "%s\n", text);
    size_t length = nh_utf8_count(text, strlen(text));
    for (size_t i = 0; i < length && line; i++)
        nh_text_str(out, page->maker.plain ? (line == '=' ? "=" : "-") : line == '=' ? "═" : "─");
    nh_text_str(out, line ? "\n" : "");
}

/* ---------------------------------------------------------------- equations */

static const char *plain_text(nh_page *page, const nh_math *m)
{
    nh_text text;
    nh_text_init(&text, page->maker.arena);
    nh_math_plain(&text, m);
    return nh_text_get(&text);
}

/* A matrix has a line for each of its rows, in columns. */
static void plain_matrix(nh_page *page, nh_text *out, const nh_math *m, size_t indent)
{
    size_t columns = m->columns, *widths = nh_arena_array(page->maker.arena, columns + 1, sizeof *widths);
    memset(widths, 0, (columns + 1) * sizeof *widths);
    for (size_t e = 0; e < m->count; e++)
        widths[e % columns] = longest(widths[e % columns], strlen(plain_text(page, m->items[e])));
    for (size_t e = 0; e < m->count; e++) {
        const char *text = plain_text(page, m->items[e]);
        if (e && e % columns == 0)
            nh_text_str(out, "\n"), nh_text_repeat(out, ' ', indent);
        nh_text_str(out, e % columns ? "  " : "[ ");
        nh_text_str(out, text);
        nh_text_repeat(out, ' ', widths[e % columns] - strlen(text));
        nh_text_str(out, e % columns + 1 == columns ? " ]" : "");
    }
    nh_text_char(out, '\n');
}

static void plain_equation(nh_page *page, nh_text *out, nh_equation equation, size_t left_width)
{
    const char *left = equation.left ? plain_text(page, equation.left) : "";
    size_t indent = INDENT + left_width + (left_width ? 3 : 0), width = page->width;
    nh_text_repeat(out, ' ', INDENT + left_width - strlen(left));
    nh_text_format(out, equation.left ? "%s = " : left_width ? "%s   " : "%s", left);
    if (equation.right->kind == NH_MATH_MATRIX) {
        plain_matrix(page, out, equation.right, indent);
        return;
    }
    nh_math_lines lines =
        nh_math_break(&page->maker, equation.right, width > indent + 20 ? width - indent : 20);
    for (size_t i = 0; i < lines.count; i++) {
        nh_text_repeat(out, ' ', i ? indent + lines.items[i].indent : 0);
        const char *text = plain_text(page, lines.items[i].math);
        nh_text_format(out, "%s\n", text + (i ? strspn(text, " ") : 0));
    }
}

/* One line above the other, as one box, whose line is that of the first one. */
static nh_box stacked(nh_arena *arena, const nh_math_lines *lines)
{
    nh_box *parts = nh_arena_array(arena, lines->count + 1, sizeof *parts);
    size_t width = 0, height = 0;
    for (size_t i = 0; i < lines->count; i++) {
        parts[i] = nh_box_of(arena, lines->items[i].math);
        width = longest(width, parts[i].width + lines->items[i].indent);
        height += parts[i].height;
    }
    nh_box b = nh_box_new(arena, width, height, lines->count ? parts[0].base : 0);
    for (size_t i = 0, top = 0; i < lines->count; top += parts[i].height, i++)
        nh_box_put(&b, top, lines->items[i].indent, &parts[i]);
    return b;
}

static nh_box equation_box(nh_page *page, nh_equation equation, size_t left_width)
{
    nh_arena *arena = page->maker.arena;
    nh_box left = equation.left ? nh_box_of(arena, equation.left) : nh_box_new(arena, 0, 1, 0);
    size_t before = INDENT + left_width + (left_width ? 3 : 0);
    nh_math_lines lines =
        nh_math_break(&page->maker, equation.right, page->width > before + 20 ? page->width - before : 20);
    nh_box right = stacked(arena, &lines);
    size_t base = longest(left.base, right.base);
    size_t below = longest(left.height - left.base, right.height - right.base);
    nh_box b = nh_box_new(arena, before + right.width, base + below, base);
    nh_box_put(&b, base - left.base, INDENT + left_width - left.width, &left);
    nh_box_put(&b, base - right.base, before, &right);
    if (equation.left)
        b.cells[base * b.width + INDENT + left_width + 1].c = '=';
    return b;
}

static size_t width_of(nh_page *page, const nh_math *m)
{
    return !m ? 0 : page->maker.plain ? strlen(plain_text(page, m)) : nh_box_of(page->maker.arena, m).width;
}

/* High ones have a blank line between them. */
static void equations(nh_page *page, nh_text *out, const nh_block *block)
{
    size_t left = 0;
    bool high = false;
    nh_box *boxes = nh_arena_array(page->maker.arena, block->n_equations + 1, sizeof *boxes);
    for (size_t i = 0; i < block->n_equations; i++)
        left = longest(left, width_of(page, block->equations[i].left));
    for (size_t i = 0; i < block->n_equations && !page->maker.plain; i++) {
        boxes[i] = equation_box(page, block->equations[i], left);
        high = high || boxes[i].height > 1;
    }
    for (size_t i = 0; i < block->n_equations; i++) {
        if (page->maker.plain)
            plain_equation(page, out, block->equations[i], left);
        if (i && high)
            nh_text_char(out, '\n');
        for (size_t k = 0; !page->maker.plain && k < boxes[i].height; k++) {
            nh_box_write(out, &boxes[i], k);
            nh_text_char(out, '\n');
        }
    }
}

/* ---------------------------------------------------------------- tables */

/* The last column takes what is left of the line. */
static void table(nh_page *page, nh_text *out, const nh_block *block)
{
    size_t columns = block->columns, *widths = nh_arena_array(page->maker.arena, columns + 1, sizeof *widths);
    size_t indent = INDENT;
    memset(widths, 0, (columns + 1) * sizeof *widths);
    for (size_t e = 0; e < block->n_runs; e++) {
        const char *text = block->runs[e].text;
        widths[e % columns] = longest(widths[e % columns], nh_utf8_count(text, strlen(text)));
    }
    for (size_t j = 0; j + 1 < columns; j++)
        indent += widths[j] + 2;
    for (size_t e = 0; e < block->n_runs; e++) {
        const char *text = block->runs[e].text;
        nh_text_repeat(out, ' ', e % columns ? 2 : INDENT);
        if (e % columns + 1 == columns) {
            fill(out, text, page->width > indent + 20 ? page->width - indent : 20, indent);
            continue;
        }
        nh_text_str(out, text);
        nh_text_repeat(out, ' ', widths[e % columns] - nh_utf8_count(text, strlen(text)));
    }
}

void nh_page_text(nh_page *page, nh_text *out)
{
    for (size_t i = 0; i < page->count; i++) {
        const nh_block *block = &page->blocks[i];
        if (block->kind == NH_BLOCK_EQUATIONS && block->n_equations == 0)
            continue;
        nh_text_str(out, out->length ? "\n" : "");
        switch (block->kind) {
        case NH_BLOCK_TITLE: underlined(page, out, block->runs[0].text, '='); break;
        case NH_BLOCK_HEADING: underlined(page, out, block->runs[0].text, '-'); break;
        case NH_BLOCK_SENTENCE: sentence(page, out, block); break;
        case NH_BLOCK_EQUATIONS: equations(page, out, block); break;
        case NH_BLOCK_TABLE: table(page, out, block); break;
        }
    }
}
