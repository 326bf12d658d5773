/* A page as HTML with its formulas in MathML Core, which browsers show without scripts: a document, or the part of it that is to
 * be put into another one. */
#include "present/page.h"

#include <string.h>

static void escaped(nh_text *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': nh_text_str(out, "&amp;"); break;
        case '<': nh_text_str(out, "&lt;"); break;
        case '>': nh_text_str(out, "&gt;"); break;
        case '"': nh_text_str(out, "&quot;"); break;
        default: nh_text_char(out, *text); break;
        }
}

static void element(nh_text *out, const char *tag, const char *text)
{
    nh_text_format(out, "<%s>", tag);
    escaped(out, text);
    nh_text_format(out, "</%s>", tag);
}

/* ---------------------------------------------------------------- formulas */

static void math(nh_text *out, const nh_math *m);

/* As one child of its parent. */
static void child(nh_text *out, const nh_math *m)
{
    nh_text_str(out, "<mrow>");
    math(out, m);
    nh_text_str(out, "</mrow>");
}

static void name(nh_text *out, const nh_math *m)
{
    static const char *const accents[] = {"", "˙", "¨", "¯"};
    const nh_glyph *glyph = nh_glyph_of(m->text);
    nh_text_str(out,
                m->accent ? "<mover>" : ""); /* as an accent it would touch the letter in some browsers */
    element(out, "mi", glyph ? glyph->unicode : m->text);
    if (m->accent)
        nh_text_format(out, "<mo>%s</mo></mover>", accents[m->accent]);
}

/* Around what is no higher than a line, signs that stretch would have too much space. */
static void half_fence(nh_text *out, const char *sign, bool opens, bool high)
{
    nh_text_format(out, "<mo fence=\"true\" form=\"%s\"%s>%s</mo>", opens ? "prefix" : "postfix",
                   high ? "" : " stretchy=\"false\"", sign);
}

static void fenced(nh_text *out, const char *open, const char *close, const nh_math *inside)
{
    bool high = nh_math_is_high(inside);
    nh_text_str(out, "<mrow>");
    half_fence(out, open, true, high);
    child(out, inside);
    half_fence(out, close, false, high);
    nh_text_str(out, "</mrow>");
}

/* U+2061 is the sign, not to be seen, of a function that is applied. */
static void call(nh_text *out, const nh_math *m)
{
    const nh_math *exponent = m->items[m->count - 1];
    const char *word = nh_function_get(m->function)->mathml;
    if (m->function == NH_FN_sqrt) {
        nh_text_str(out, "<msqrt>");
        math(out, m->items[0]);
        nh_text_str(out, "</msqrt>");
        return;
    }
    if (m->function == NH_FN_abs) {
        fenced(out, "|", "|", m->items[0]);
        return;
    }
    nh_text_str(out, exponent ? "<msup>" : "");
    element(out, "mi", word);
    if (exponent)
        child(out, exponent), nh_text_str(out, "</msup>");
    nh_text_str(out, "<mo>&#x2061;</mo>");
    if (m->count == 2 && nh_math_is_short(m->items[0])) {
        nh_text_str(out, "<mspace width=\"0.17em\"></mspace>");
        child(out, m->items[0]);
    } else if (m->count == 2) {
        fenced(out, "(", ")", m->items[0]);
    } else {
        bool high = nh_math_is_high(m);
        nh_text_str(out, "<mrow>");
        half_fence(out, "(", true, high);
        child(out, m->items[0]);
        nh_text_str(out, "<mo>,</mo>");
        child(out, m->items[1]);
        half_fence(out, ")", false, high);
        nh_text_str(out, "</mrow>");
    }
}

static void scripts(nh_text *out, const nh_math *m)
{
    const char *tag = m->items[1] && m->items[2] ? "msubsup" : m->items[1] ? "msub" : "msup";
    nh_text_format(out, "<%s>", tag);
    child(out, m->items[0]);
    for (int k = 1; k < 3; k++)
        if (m->items[k])
            child(out, m->items[k]);
    nh_text_format(out, "</%s>", tag);
}

static void matrix(nh_text *out, const nh_math *m)
{
    nh_text_str(out, "<mrow>");
    half_fence(out, "[", true, true);
    nh_text_str(out, "<mtable displaystyle=\"true\">");
    for (size_t i = 0; i < m->count; i++) {
        nh_text_str(out, i % m->columns ? "" : "<mtr>");
        nh_text_str(out, "<mtd>");
        math(out, m->items[i]);
        nh_text_str(out, (i + 1) % m->columns ? "</mtd>" : "</mtd></mtr>");
    }
    nh_text_str(out, "</mtable>");
    half_fence(out, "]", false, true);
    nh_text_str(out, "</mrow>");
}

static void sign(nh_text *out, const char *text, bool prefix)
{
    nh_text_str(out, prefix ? "<mo form=\"prefix\">" : "<mo>");
    escaped(out, *text == '-' ? "−" : *text == 'x' ? "×" : text);
    nh_text_str(out, "</mo>");
}

static void math(nh_text *out, const nh_math *m)
{
    switch (m->kind) {
    case NH_MATH_ROW:
        for (size_t i = 0; i < m->count; i++)
            math(out, m->items[i]);
        break;
    case NH_MATH_NUMBER: element(out, "mn", m->text); break;
    case NH_MATH_NAME: name(out, m); break;
    case NH_MATH_WORDS: element(out, "mtext", m->text); break;
    case NH_MATH_SIGN: sign(out, m->text, false); break;
    case NH_MATH_PREFIX: sign(out, m->text, true); break;
    case NH_MATH_TIMES: nh_text_str(out, "<mo lspace=\"0.17em\">&#x2062;</mo>"); break;
    case NH_MATH_SPACE: nh_text_str(out, "<mspace width=\"2em\"></mspace>"); break;
    case NH_MATH_CALL: call(out, m); break;
    case NH_MATH_FRACTION:
        nh_text_str(out, "<mfrac>");
        child(out, m->items[0]), child(out, m->items[1]);
        nh_text_str(out, "</mfrac>");
        break;
    case NH_MATH_SCRIPTS: scripts(out, m); break;
    case NH_MATH_FENCE: fenced(out, m->text, *m->text == '(' ? ")" : "]", m->items[0]); break;
    case NH_MATH_OPEN: half_fence(out, m->text, true, false); break;
    case NH_MATH_CLOSE:
        nh_text_str(out, m->count ? "<msup>" : "");
        half_fence(out, m->text, false, false);
        if (m->count)
            child(out, m->items[0]);
        nh_text_str(out, m->count ? "</msup>" : "");
        break;
    case NH_MATH_MATRIX: matrix(out, m); break;
    }
}

/* ---------------------------------------------------------------- blocks */

/* The lines of an equation are rows of the table of all of them. */
static void equation(nh_page *page, nh_text *out, const nh_block *block, nh_equation equation)
{
    nh_math_lines lines = nh_page_lines(page, block, equation);
    for (size_t i = 0; i < lines.count; i++) {
        nh_text_str(out, "<mtr><mtd style=\"text-align:right;text-align:-webkit-right;padding-right:0\">");
        if (i == 0 && equation.left)
            math(out, equation.left);
        nh_text_str(out, "</mtd><mtd style=\"text-align:left;text-align:-webkit-left\">");
        if (i == 0 && equation.left)
            nh_text_str(out, "<mo form=\"infix\">=</mo>");
        if (i)
            nh_text_format(out, "<mspace width=\"%zuem\"></mspace>", 2 + lines.items[i].indent / 2);
        math(out, lines.items[i].math);
        nh_text_str(out, "</mtd></mtr>\n");
    }
}

static void equations(nh_page *page, nh_text *out, const nh_block *block)
{
    nh_text_str(out, "<div class=\"formula\"><math display=\"block\"><mtable displaystyle=\"true\">\n");
    for (size_t i = 0; i < block->n_equations; i++)
        equation(page, out, block, block->equations[i]);
    nh_text_str(out, "</mtable></math></div>\n");
}

static void runs(nh_text *out, const nh_block *block, const char *tag)
{
    nh_text_format(out, "<%s>", tag);
    for (size_t i = 0; i < block->n_runs; i++) {
        if (block->runs[i].text) {
            escaped(out, block->runs[i].text);
            continue;
        }
        nh_text_str(out, "<math>");
        child(out, block->runs[i].math);
        nh_text_str(out, "</math>");
    }
    nh_text_format(out, "</%s>\n", tag);
}

static void table(nh_text *out, const nh_block *block)
{
    nh_text_str(out, "<div class=\"formula\"><table>\n");
    for (size_t e = 0; e < block->n_runs; e++) {
        const char *tag = e < block->columns ? "th" : "td";
        nh_text_str(out, e % block->columns ? "" : "<tr>");
        element(out, tag, block->runs[e].text);
        nh_text_str(out, (e + 1) % block->columns ? "" : "</tr>\n");
    }
    nh_text_str(out, "</table></div>\n");
}

static void block_text(nh_page *page, nh_text *out, const nh_block *block)
{
    static const char *const levels[] = {"h2", "h1", "h2", "h3", "h4", "h5", "h6"};
    switch (block->kind) {
    case NH_BLOCK_TITLE:
        if (page->level == 0)
            runs(out, block, "h1");
        break;
    case NH_BLOCK_HEADING: runs(out, block, levels[page->level]); break;
    case NH_BLOCK_SENTENCE: runs(out, block, "p"); break;
    case NH_BLOCK_EQUATIONS:
        if (block->n_equations)
            equations(page, out, block);
        break;
    case NH_BLOCK_TABLE: table(out, block); break;
    }
}

static const char style[] =
    ":root { color-scheme: light dark; }\n"
    "body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }\n"
    ".formula { overflow-x: auto; overflow-y: hidden; margin: 0.6rem 0; padding: 0.2rem 0; }\n"
    "math { font-size: 1.1em; } math[display=block] { margin: 0 0 0 1.5rem; width: max-content; }\n"
    "mtd { padding: 0.35em 0.3em; }\n"
    "table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: 0.15rem "
    "0.8rem 0.15rem 0; }\n"
    "th { border-bottom: 1px solid; }\n"
    "@media print { body { max-width: none; margin: 0; } .formula { overflow: visible; } }\n";

static void head(nh_page *page, nh_text *out)
{
    const nh_block *first = page->count ? &page->blocks[0] : NULL;
    nh_text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                     "'unsafe-inline'\">\n<title>");
    escaped(out, first && first->kind == NH_BLOCK_TITLE ? first->runs[0].text : "nonholo");
    nh_text_format(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void nh_page_mathml(nh_page *page, nh_text *out, bool html)
{
    if (html && !page->fragment)
        head(page, out);
    for (size_t i = 0; i < page->count; i++)
        block_text(page, out, &page->blocks[i]);
    if (html && !page->fragment)
        nh_text_str(out, "</main>\n</body>\n</html>\n");
}
