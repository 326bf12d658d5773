/* The layout of a model: the user's tokens, line breaks and comments, with the white space put right. */
#include "lang/lexer.h"

#include <string.h>

enum { COLUMN = 13, WIDTH = 100 };

typedef struct writer {
    const nh_source *source;
    nh_text *out;
    size_t column; /* characters in the current line of output */
    bool point;    /* within a point statement: at, mass and force are words */
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
    return t && (t->kind == NH_TOKEN_NAME || t->kind == NH_TOKEN_NUMBER || is_sign(t, ")]'"));
}

/* at, mass, force outside of parentheses in a point statement. */
static bool is_word(const writer *w, const nh_token *t, int depth)
{
    if (!w->point || depth > 0 || !t || t->kind != NH_TOKEN_NAME)
        return false;
    nh_slice name = nh_source_slice(w->source, t->span);
    return nh_slice_is(name, "at") || nh_slice_is(name, "mass") || nh_slice_is(name, "force");
}

/* Whether white space stands between two tokens; before is the one in front of `last`. */
static bool spaced(const writer *w, const nh_token *before, const nh_token *last, const nh_token *next, int depth)
{
    if (is_sign(last, "([") || is_sign(next, ")],:'"))
        return false;
    if (is_sign(last, ",:=") || is_sign(next, "="))
        return true;
    if (is_sign(next, "+-"))
        return ends_operand(last);
    if (is_sign(last, "+-"))
        return ends_operand(before);
    if (is_sign(last, "*/^") || is_sign(next, "*/^"))
        return false;
    if (is_sign(next, "(["))
        return is_word(w, last, depth);
    return true;
}

/* The place to break a line that is too long: behind the last comma outside of parentheses that leaves it within
 * the width. Returns the index behind that comma, or end. */
static size_t break_point(const writer *w, const nh_token *tokens, size_t from, size_t end)
{
    size_t column = w->column, best = end;
    int depth = 0;
    for (size_t i = from; i < end; i++) {
        const nh_token *before = i >= from + 2 ? &tokens[i - 2] : NULL, *last = i > from ? &tokens[i - 1] : NULL;
        nh_slice text = nh_source_slice(w->source, tokens[i].span);
        depth += is_sign(&tokens[i], "([") ? 1 : is_sign(&tokens[i], ")]") ? -1 : 0;
        column += nh_utf8_count(text.data, text.length) + (last && spaced(w, before, last, &tokens[i], depth));
        bool comma = depth == 0 && is_sign(&tokens[i], ",") && i + 1 < end;
        if (column > WIDTH && best != end)
            return best;
        if (comma && (column <= WIDTH || best == end))
            best = i + 1;
    }
    return column > WIDTH ? best : end;
}

/* Tokens from..end on one line; `previous` stands on an earlier line of the statement. */
static void write_tokens(writer *w, const nh_token *tokens, size_t from, size_t end, const nh_token *previous)
{
    int depth = 0;
    const nh_token *before = NULL, *last = NULL;
    for (size_t i = from; i < end; i++) {
        const nh_token *next = &tokens[i];
        if (last && spaced(w, before ? before : previous, last, next, depth))
            write_spaces(w, 1);
        depth += is_sign(next, "([") ? 1 : is_sign(next, ")]") ? -1 : 0;
        nh_slice text = nh_source_slice(w->source, next->span);
        write_text(w, text.data, text.length);
        before = last, last = next;
    }
}

/* One line of a statement as the user wrote it, broken further where it is too long. */
static void write_line(writer *w, const nh_token *tokens, size_t from, size_t end, const nh_token *previous)
{
    for (size_t stop; from < end; from = stop) {
        stop = break_point(w, tokens, from, end);
        write_tokens(w, tokens, from, stop, previous);
        previous = &tokens[stop - 1];
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
    w->point = nh_slice_is(text, "point");
}

/* From token i to the end of the user's line: text, then a comment. Returns the index behind it. */
static size_t write_statement_line(writer *w, const nh_tokens *tokens, size_t i, const nh_token *previous)
{
    size_t end = i;
    while (tokens->items[end].kind < NH_TOKEN_COMMENT)
        end++;
    if (end > i && w->column < COLUMN)
        write_spaces(w, COLUMN - w->column);
    else if (end > i)
        write_spaces(w, 1);
    write_line(w, tokens->items, i, end, previous);
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
    size_t i = write_statement_line(w, tokens, 1, NULL);
    const nh_token *previous = NULL;
    while (tokens->items[i].kind != NH_TOKEN_END) {
        if (tokens->items[i - 1].kind < NH_TOKEN_COMMENT)
            previous = &tokens->items[i - 1];
        i++; /* the line break */
        if (tokens->items[i].kind == NH_TOKEN_BLANK) {
            i++; /* blank lines inside a statement go */
            continue;
        }
        i = write_statement_line(w, tokens, i, previous);
    }
}

/* Comments between statements; a single blank line where there were some. */
static void write_between(writer *w, const nh_tokens *tokens, bool last)
{
    for (size_t i = 0; i < tokens->count; i++) {
        bool blank = tokens->items[i].kind == NH_TOKEN_BLANK;
        bool more = i + 1 < tokens->count ? tokens->items[i + 1].kind != NH_TOKEN_BLANK : !last;
        if (!blank)
            write_comment(w, &tokens->items[i]);
        if (!blank || (more && w->out->length > 0))
            end_line(w);
    }
}

static bool syntax_is_right(nh_arena *arena, nh_numbers *numbers, const nh_source *source, nh_diagnostics *diagnostics)
{
    nh_parser *parser = nh_parser_new(arena, numbers, source, diagnostics);
    nh_statement statement;
    while (nh_parser_next(parser, &statement))
        continue;
    return diagnostics->errors == 0;
}

bool nh_lay_out(nh_arena *arena, nh_numbers *numbers, const nh_source *source, nh_diagnostics *diagnostics, nh_text *out)
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
