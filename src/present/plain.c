/* Formulas in a line: in plain ASCII, as the model language writes them, x' = (a + b)/(2*c); or in Unicode, for sentences. */
#include "present/math.h"

#include <string.h>

typedef struct nh_line {
    nh_text *out;
    bool unicode;
} nh_line;

static void write(nh_line *to, const nh_math *m);

static bool is_sum(const nh_math *m)
{
    if (m->kind != NH_MATH_ROW)
        return false;
    for (size_t i = 0; i < m->count; i++)
        if (m->items[i]->kind == NH_MATH_SIGN || m->items[i]->kind == NH_MATH_PREFIX)
            return true;
    return false;
}

static void in_parentheses(nh_line *to, const nh_math *m, bool needed)
{
    nh_text_str(to->out, needed ? "(" : "");
    write(to, m);
    nh_text_str(to->out, needed ? ")" : "");
}

static void call(nh_line *to, const nh_math *m)
{
    nh_text_format(to->out, "%s(", m->text);
    for (size_t i = 0; i + 1 < m->count; i++) {
        nh_text_str(to->out, i ? ", " : "");
        write(to, m->items[i]);
    }
    nh_text_char(to->out, ')');
}

/* Letters and numbers side by side, which in an exponent would have product signs between them. */
static bool is_index(const nh_math *m)
{
    bool index = m->kind == NH_MATH_ROW;
    for (size_t i = 0; index && i < m->count; i++) {
        nh_math_kind kind = m->items[i]->kind;
        index = kind == NH_MATH_NAME || kind == NH_MATH_NUMBER || kind == NH_MATH_SCRIPTS ||
                (kind == NH_MATH_PREFIX && *m->items[i]->text == ',');
    }
    return index;
}

static void exponent(nh_line *to, const nh_math *m)
{
    bool tight = m->kind == NH_MATH_NUMBER || m->kind == NH_MATH_NAME || m->kind == NH_MATH_CALL;
    nh_text_char(to->out, '^');
    in_parentheses(to, m, !tight);
}

/* An exponent that is no number or name needs parentheses; an index of several letters braces. */
static void scripts(nh_line *to, const nh_math *m)
{
    write(to, m->items[0]);
    for (int k = 1; k < 3; k++) {
        const nh_math *script = m->items[k];
        if (!script)
            continue;
        bool tight =
            script->kind == NH_MATH_NUMBER || script->kind == NH_MATH_NAME || script->kind == NH_MATH_CALL;
        nh_text_char(to->out, k == 1 ? '_' : '^');
        bool braces = is_index(script);
        tight = tight || (to->unicode && braces);
        nh_text_str(to->out, tight ? "" : braces ? "{" : "(");
        write(to, script);
        nh_text_str(to->out, tight ? "" : braces ? "}" : ")");
    }
}

static void matrix(nh_line *to, const nh_math *m)
{
    nh_text_char(to->out, '[');
    for (size_t i = 0; i < m->count; i++) {
        nh_text_str(to->out, i == 0 ? "" : i % m->columns ? ", " : "; ");
        write(to, m->items[i]);
    }
    nh_text_char(to->out, ']');
}

static const char *shown(const nh_line *to, const char *sign)
{
    return to->unicode && *sign == '-' ? "−" : to->unicode && *sign == 'x' ? "×" : sign;
}

static void sign(nh_line *to, const char *text)
{
    nh_text_format(to->out, *text == ',' ? "%s " : " %s ", shown(to, text));
}

/* Signs that are no names of the model language. */
static const char *ascii(const nh_math *m)
{
    return nh_is_partial(m)                 ? "d"
           : strcmp(m->text, "reals") == 0  ? "R"
           : strcmp(m->text, "circle") == 0 ? "S"
           : strcmp(m->text, "star") == 0   ? "*"
                                            : m->text;
}

static void name(nh_line *to, const nh_math *m)
{
    static const char *const marks[] = {"", "\u0307", "\u0308", "\u0304"};
    const nh_glyph *glyph = to->unicode ? nh_glyph_of(m->text) : NULL;
    nh_text_str(to->out, glyph ? glyph->unicode : ascii(m));
    nh_text_str(to->out, to->unicode ? marks[m->accent] : "");
}

/* Letters of an index follow each other without a space; so do partial_i and what it stands before. */
static void row(nh_line *to, const nh_math *m)
{
    for (size_t i = 0; i < m->count; i++) {
        bool letters = i > 0 && m->items[i]->kind == NH_MATH_NAME && m->items[i - 1]->kind == NH_MATH_NAME;
        bool derivative = i > 0 && nh_is_partial(m->items[i - 1]);
        nh_text_str(to->out, !to->unicode && (letters || derivative) ? " " : "");
        write(to, m->items[i]);
    }
}

static void write(nh_line *to, const nh_math *m)
{
    switch (m->kind) {
    case NH_MATH_ROW: row(to, m); break;
    case NH_MATH_NAME: name(to, m); break;
    case NH_MATH_PREFIX: nh_text_str(to->out, shown(to, m->text)); break;
    case NH_MATH_NUMBER:
    case NH_MATH_WORDS:
    case NH_MATH_OPEN: nh_text_str(to->out, m->text); break;
    case NH_MATH_CLOSE:
        nh_text_str(to->out, m->text);
        if (m->count)
            exponent(to, m->items[0]);
        break;
    case NH_MATH_SIGN: sign(to, m->text); break;
    case NH_MATH_TIMES: nh_text_char(to->out, to->unicode ? ' ' : '*'); break;
    case NH_MATH_SPACE: nh_text_str(to->out, "    "); break;
    case NH_MATH_CALL: call(to, m); break;
    case NH_MATH_FRACTION:
        in_parentheses(to, m->items[0], is_sum(m->items[0]));
        nh_text_char(to->out, '/');
        in_parentheses(to, m->items[1], m->items[1]->kind == NH_MATH_ROW);
        break;
    case NH_MATH_SCRIPTS: scripts(to, m); break;
    case NH_MATH_FENCE:
        nh_text_str(to->out, m->text);
        write(to, m->items[0]);
        nh_text_str(to->out, *m->text == '(' ? ")" : "]");
        break;
    case NH_MATH_MATRIX: matrix(to, m); break;
    }
}

void nh_math_plain(nh_text *out, const nh_math *m) { write(&(nh_line){out, false}, m); }

void nh_math_in_sentence(nh_text *out, const nh_math *m) { write(&(nh_line){out, true}, m); }
