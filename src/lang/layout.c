/* The layout of a model: the user's tokens, line breaks and comments, with the white space put right. */
#include "lang/lexer.h"

#include <string.h>

enum { COLUMN = 13, WIDTH = 100 };

typedef struct writer {
    const nh_source *source;
    nh_text *out;
    size_t column;              /* characters in the current line of output */
    bool point;                 /* within a point or body statement: at, mass, force and so on are words */
    int depth;                  /* of parentheses */
    const nh_token *last;       /* the token before, on this line or an earlier one; NULL: the keyword */
    bool word, operand, binary; /* whether it was such a word, the end of an operand, a + or - between two */
} writer;

static void write_text(writer *w, const char *data, size_t length)
{
    nh_text_add(w->out, data, length);
    w->column += nh_utf8_count(data, length);
}

static void write_spaces(writer *w, size_t count)
{
    while (count--)
        write_text(w, " ", 1);
}

static void end_line(writer *w)
{
    nh_text_char(w->out, '\n');
    w->column = 0;
}

static bool is_sign(const nh_token *t, const char *signs)
{
    return t && t->kind == NH_TOKEN_SIGN && strchr(signs, t->sign);
}

static bool ends_operand(const nh_token *t)
{
    return t->kind == NH_TOKEN_NAME || t->kind == NH_TOKEN_NUMBER || is_sign(t, ")]'");
}

/* at, mass, force and so on outside of parentheses in a point or body statement, behind an operand: elsewhere they are names. */
static bool is_word(const writer *w, const nh_token *t)
{
    if (!w->point || w->depth > 0 || !w->operand || t->kind != NH_TOKEN_NAME)
        return false;
    static const char *const words[] = {"at", "mass", "force", "frame", "inertia", "torque", "axis", "radius", "from", "to", "size", "along", "normal"};
    nh_slice name = nh_source_slice(w->source, t->span);
    bool word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word = word || nh_slice_is(name, words[i]);
    return word;
}

static void pass(writer *w, const nh_token *t)
{
    w->word = is_word(w, t);
    w->binary = w->operand && is_sign(t, "+-");
    w->operand = !w->word && ends_operand(t);
    w->depth += is_sign(t, "([") ? 1 : is_sign(t, ")]") ? -1 : 0;
    w->last = t;
}

/* Whether white space stands between the last token and the next one, on the same line. */
static bool spaced(const writer *w, const nh_token *next)
{
    if (is_sign(w->last, "([") || is_sign(next, ")],:'"))
        return false;
    if (is_sign(w->last, ",:=") || w->binary || w->word || is_sign(next, "="))
        return true;
    if (is_sign(next, "+-"))
        return w->operand;
    return !is_sign(w->last, "+-*/^") && !is_sign(next, "*/^([");
}

/* The place to break a line that is too long: behind the last comma outside of parentheses that leaves it within
 * the width. Returns the index behind that comma, or end. */
static size_t break_point(const writer *w, const nh_token *tokens, size_t from, size_t end)
{
    writer at = *w; /* goes ahead without writing */
    size_t best = end;
    for (size_t i = from; i < end; i++) {
        nh_slice text = nh_source_slice(w->source, tokens[i].span);
        at.column += nh_utf8_count(text.data, text.length) + (i > from && spaced(&at, &tokens[i]));
        pass(&at, &tokens[i]);
        if (at.column > WIDTH && best != end)
            return best;
        if (at.depth == 0 && is_sign(&tokens[i], ",") && i + 1 < end)
            best = i + 1;
    }
    return at.column > WIDTH ? best : end;
}

/* Tokens from..end on one line. */
static void write_tokens(writer *w, const nh_token *tokens, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        if (i > from && spaced(w, &tokens[i]))
            write_spaces(w, 1);
        nh_slice text = nh_source_slice(w->source, tokens[i].span);
        write_text(w, text.data, text.length);
        pass(w, &tokens[i]);
    }
}

/* One line of a statement as the user wrote it, broken further where it is too long. */
static void write_line(writer *w, const nh_token *tokens, size_t from, size_t end)
{
    for (size_t stop; from < end; from = stop) {
        stop = break_point(w, tokens, from, end);
        write_tokens(w, tokens, from, stop);
        if (stop < end) {
            end_line(w);
            write_spaces(w, COLUMN);
        }
    }
}

static void write_comment(writer *w, const nh_token *t)
{
    nh_slice text = nh_source_slice(w->source, t->span);
    write_text(w, text.data, text.length);
}

static void write_keyword(writer *w, const nh_token *t)
{
    nh_slice text = nh_source_slice(w->source, t->span);
    write_text(w, text.data, text.length);
    w->point = nh_slice_is(text, "point") || nh_slice_is(text, "body") || nh_slice_is(text, "draw");
    w->depth = 0, w->last = NULL;
    w->word = w->operand = w->binary = false;
}

/* From token i to the end of the user's line: text, then a comment. Returns the index behind it. */
static size_t write_statement_line(writer *w, const nh_tokens *tokens, size_t i)
{
    size_t end = i;
    while (tokens->items[end].kind < NH_TOKEN_COMMENT)
        end++;
    if (end > i && w->column < COLUMN)
        write_spaces(w, COLUMN - w->column);
    else if (end > i)
        write_spaces(w, 1);
    write_line(w, tokens->items, i, end);
    if (tokens->items[end].kind == NH_TOKEN_COMMENT) {
        write_spaces(w, w->column == 0 ? COLUMN : 2);
        write_comment(w, &tokens->items[end++]);
    }
    end_line(w);
    return end;
}

static void write_statement(writer *w, const nh_tokens *tokens)
{
    write_keyword(w, &tokens->items[0]);
    size_t i = write_statement_line(w, tokens, 1);
    while (tokens->items[i].kind != NH_TOKEN_END) {
        i++; /* the line break */
        if (tokens->items[i].kind == NH_TOKEN_BLANK) {
            i++; /* blank lines inside a statement go */
            continue;
        }
        i = write_statement_line(w, tokens, i);
    }
}

/* Comments between statements; a single blank line where there were some. */
static void write_between(writer *w, const nh_tokens *tokens, bool last)
{
    for (size_t i = 0; i < tokens->count; i++) {
        bool blank = tokens->items[i].kind == NH_TOKEN_BLANK;
        bool more = i + 1 < tokens->count || !last;
        if (!blank)
            write_comment(w, &tokens->items[i]);
        if (!blank || (more && w->out->length > 0))
            end_line(w);
    }
}

static bool syntax_is_right(nh_arena *arena, nh_numbers *numbers, const nh_source *source,
                            nh_diagnostics *diagnostics)
{
    nh_parser *parser = nh_parser_new(arena, numbers, source, diagnostics);
    nh_statement statement;
    while (nh_parser_next(parser, &statement))
        continue;
    return diagnostics->errors == 0;
}

bool nh_lay_out(nh_arena *arena, nh_numbers *numbers, const nh_source *source, nh_diagnostics *diagnostics,
                nh_text *out)
{
    if (!syntax_is_right(arena, numbers, source, diagnostics))
        return false;
    nh_lexer lexer = nh_lexer_of(arena, source);
    nh_tokens tokens = {0};
    writer w = {.source = source, .out = out};
    while (nh_lex_statement(&lexer, &tokens)) {
        if (tokens.items[tokens.count - 1].kind == NH_TOKEN_END)
            write_statement(&w, &tokens);
        else
            write_between(&w, &tokens, lexer.at >= source->length);
    }
    return true;
}
