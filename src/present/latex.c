/* A page as LaTeX: a document that compiles, or the part of it that is to be pasted into another one (with amsmath and amssymb). */
#include "present/page.h"

#include <string.h>

/* ---------------------------------------------------------------- words */

/* A character that LaTeX has no letter for is told by its number. */
static void other_character(nh_text *out, const char *bytes, size_t length, uint32_t code_point)
{
    bool letter = code_point >= 0xC0 && code_point <= 0xFF;
    for (const uint32_t *none = (const uint32_t[]){0xD0, 0xD7, 0xDE, 0xF0, 0xF7, 0xFE, 0}; *none; none++)
        letter = letter && code_point != *none;
    if (letter) {
        nh_text_add(out, bytes, length);
        return;
    }
    static const char digits[] = "0123456789ABCDEF";
    nh_text_str(out, "\\texttt{U+");
    for (int shift = code_point > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4)
        nh_text_char(out, digits[code_point >> shift & 15]);
    nh_text_char(out, '}');
}

static void words(nh_text *out, const char *text)
{
    static const char special[] = "\\{}$&#^_~%<>\"|";
    static const char *const written[] = {"\\textbackslash{}",
                                          "\\{",
                                          "\\}",
                                          "\\$",
                                          "\\&",
                                          "\\#",
                                          "\\^{}",
                                          "\\_",
                                          "\\~{}",
                                          "\\%",
                                          "$<$",
                                          "$>$",
                                          "''",
                                          "$|$"};
    for (size_t at = 0, length = strlen(text); at < length;) {
        uint32_t c = 0;
        size_t bytes = nh_utf8_decode(text + at, length - at, &c);
        const char *found = bytes == 1 && text[at] ? strchr(special, text[at]) : NULL;
        if (found)
            nh_text_str(out, written[found - special]);
        else if (bytes == 1)
            nh_text_char(out, text[at]);
        else if (bytes > 1)
            other_character(out, text + at, bytes, c);
        at += bytes ? bytes : 1;
    }
}

/* ---------------------------------------------------------------- formulas */

static void math(nh_text *out, const nh_math *m);

static void grouped(nh_text *out, const char *before, const nh_math *m)
{
    nh_text_format(out, "%s{", before);
    math(out, m);
    nh_text_char(out, '}');
}

/* A word in a formula is upright; underscores do not get here, but in names that no index could be made of. */
static void name(nh_text *out, const nh_math *m)
{
    static const char *const accents[] = {"", "\\dot", "\\ddot", "\\bar"};
    const nh_glyph *glyph = nh_glyph_of(m->text);
    if (m->accent)
        nh_text_format(out, "%s{", accents[m->accent]);
    if (glyph) {
        nh_text_format(out, "%s", glyph->latex);
    } else if (strlen(m->text) == 1) {
        nh_text_str(out, m->text);
    } else {
        nh_text_str(out, "\\mathrm{");
        words(out, m->text);
        nh_text_char(out, '}');
    }
    nh_text_str(out, m->accent ? "}" : glyph ? " " : "");
}

/* Around what is no higher than a line, signs that stretch would have too much space. */
static void fenced(nh_text *out, const char *open, const char *close, const nh_math *inside)
{
    bool high = nh_math_is_high(inside);
    nh_text_format(out, "%s%s", high ? "\\left" : "", open);
    math(out, inside);
    nh_text_format(out, "%s%s", high ? "\\right" : "", close);
}

static void call(nh_text *out, const nh_math *m)
{
    const nh_math *exponent = m->items[m->count - 1];
    if (m->function == NH_FN_sqrt) {
        grouped(out, "\\sqrt", m->items[0]);
        return;
    }
    if (m->function == NH_FN_abs) {
        nh_text_str(out, "\\left|");
        math(out, m->items[0]);
        nh_text_str(out, "\\right|");
        return;
    }
    nh_text_str(out, nh_function_get(m->function)->latex);
    if (exponent)
        grouped(out, "^", exponent);
    bool shortly = m->count == 2 && nh_math_is_short(m->items[0]), high = nh_math_is_high(m);
    nh_text_str(out, shortly ? " " : high ? "\\left(" : "(");
    for (size_t i = 0; i + 1 < m->count; i++) {
        nh_text_str(out, i ? ", " : "");
        math(out, m->items[i]);
    }
    nh_text_str(out, shortly ? "" : high ? "\\right)" : ")");
}

/* A name with an index is one thing: its exponent stands over the index. */
static void scripts(nh_text *out, const nh_math *m)
{
    bool nested = m->items[0]->kind == NH_MATH_SCRIPTS && (m->items[1] || m->items[0]->items[2]);
    nh_text_str(out, nested ? "{" : "");
    math(out, m->items[0]);
    nh_text_str(out, nested ? "}" : "");
    if (m->items[1])
        grouped(out, "_", m->items[1]);
    if (m->items[2])
        grouped(out, "^", m->items[2]);
}

static void matrix(nh_text *out, const nh_math *m)
{
    bool high = false;
    for (size_t i = 0; i < m->count; i++)
        high = high || nh_math_is_high(m->items[i]);
    nh_text_str(out, high ? "{\\renewcommand{\\arraystretch}{1.5}\n" : "");
    nh_text_str(out, "\\begin{bmatrix}\n");
    for (size_t i = 0; i < m->count; i++) {
        nh_text_str(out, i == 0 ? "" : i % m->columns ? " & " : " \\\\\n");
        math(out, m->items[i]);
    }
    nh_text_str(out, high ? "\n\\end{bmatrix}}" : "\n\\end{bmatrix}");
}

static void math(nh_text *out, const nh_math *m)
{
    switch (m->kind) {
    case NH_MATH_ROW:
        for (size_t i = 0; i < m->count; i++)
            math(out, m->items[i]);
        break;
    case NH_MATH_NUMBER:
    case NH_MATH_PREFIX: nh_text_str(out, m->text); break;
    case NH_MATH_NAME: name(out, m); break;
    case NH_MATH_SIGN:
        nh_text_format(out, *m->text == ',' ? "%s " : " %s ", *m->text == 'x' ? "\\times" : m->text);
        break;
    case NH_MATH_TIMES: nh_text_str(out, "\\,"); break;
    case NH_MATH_SPACE: nh_text_str(out, "\\qquad "); break;
    case NH_MATH_WORDS:
        nh_text_str(out, "\\text{");
        words(out, m->text);
        nh_text_char(out, '}');
        break;
    case NH_MATH_CALL: call(out, m); break;
    case NH_MATH_FRACTION:
        grouped(out, "\\frac", m->items[0]);
        grouped(out, "", m->items[1]);
        break;
    case NH_MATH_SCRIPTS: scripts(out, m); break;
    case NH_MATH_FENCE: fenced(out, m->text, *m->text == '(' ? ")" : "]", m->items[0]); break;
    case NH_MATH_OPEN: nh_text_format(out, "\\bigl%s", m->text); break;
    case NH_MATH_CLOSE:
        nh_text_format(out, "\\bigr%s", m->text);
        if (m->count)
            grouped(out, "^", m->items[0]);
        break;
    case NH_MATH_MATRIX: matrix(out, m); break;
    }
}

/* ---------------------------------------------------------------- blocks */

static void equation(nh_page *page, nh_text *out, const nh_block *block, size_t index)
{
    nh_equation equation = block->equations[index];
    nh_math_lines lines = nh_page_lines(page, block, equation);
    if (equation.left)
        math(out, equation.left);
    nh_text_str(out, equation.left ? " &= " : "& ");
    for (size_t i = 0; i < lines.count; i++) {
        nh_text_str(out, i ? " \\\\\n&\\quad {}" : "");
        for (size_t k = 0; i && k + 4 <= lines.items[i].indent; k += 4)
            nh_text_str(out, "\\quad ");
        math(out, lines.items[i].math);
    }
    nh_text_str(out, index + 1 == block->n_equations ? "\n" : " \\\\\n");
}

static void equations(nh_page *page, nh_text *out, const nh_block *block)
{
    nh_text_str(out, "\\begin{align*}\n");
    for (size_t i = 0; i < block->n_equations; i++)
        equation(page, out, block, i);
    nh_text_str(out, "\\end{align*}\n");
}

static void runs(nh_text *out, const nh_block *block)
{
    for (size_t i = 0; i < block->n_runs; i++) {
        if (block->runs[i].text) {
            words(out, block->runs[i].text);
            continue;
        }
        nh_text_char(out, '$');
        math(out, block->runs[i].math);
        nh_text_char(out, '$');
    }
}

/* The last column takes the words, and may have several lines. */
static void table(nh_text *out, const nh_block *block)
{
    nh_text_str(out, "\\begin{center}\n\\small\n\\begin{tabular}{");
    for (size_t k = 0; k + 1 < block->columns; k++)
        nh_text_char(out, 'l');
    nh_text_str(out, "p{0.5\\textwidth}}\n");
    for (size_t e = 0; e < block->n_runs; e++) {
        words(out, block->runs[e].text);
        bool last = (e + 1) % block->columns == 0;
        nh_text_str(out, !last ? " & " : e + 1 == block->columns ? " \\\\\n\\hline\n" : " \\\\\n");
    }
    nh_text_str(out, "\\end{tabular}\n\\end{center}\n");
}

/* next: the block behind it, or NULL. */
static void block_text(nh_page *page, nh_text *out, const nh_block *block, const nh_block *next)
{
    switch (block->kind) {
    case NH_BLOCK_TITLE:
    case NH_BLOCK_HEADING:
        nh_text_str(out, block->kind == NH_BLOCK_TITLE ? "\\section*{" : "\\subsection*{");
        runs(out, block);
        nh_text_str(out, "}\n");
        break;
    case NH_BLOCK_SENTENCE:
        nh_text_str(out, "\\noindent ");
        runs(out, block);
        nh_text_str(out, next && next->kind == NH_BLOCK_EQUATIONS ? "\n" : "\\par\n");
        break;
    case NH_BLOCK_EQUATIONS:
        if (block->n_equations)
            equations(page, out, block);
        break;
    case NH_BLOCK_TABLE: table(out, block); break;
    }
}

void nh_page_latex(nh_page *page, nh_text *out)
{
    if (!page->fragment)
        nh_text_str(out, "\\documentclass[11pt,a4paper]{article}\n"
                         "\\usepackage[utf8]{inputenc}\n"
                         "\\usepackage[margin=22mm]{geometry}\n"
                         "\\usepackage{amsmath,amssymb}\n"
                         "\\allowdisplaybreaks\n"
                         "\\setcounter{MaxMatrixCols}{100}\n"
                         "\\begin{document}\n");
    for (size_t i = 0; i < page->count; i++)
        block_text(page, out, &page->blocks[i], i + 1 < page->count ? &page->blocks[i + 1] : NULL);
    if (!page->fragment)
        nh_text_str(out, "\\end{document}\n");
}
