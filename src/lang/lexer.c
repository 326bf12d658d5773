#include "lang/lexer.h"

#include <string.h>

/* ---------------------------------------------------------------- characters */

static bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }
static bool is_space(uint32_t c) { return c == ' ' || c == '\t' || c == 0xa0; }
static bool is_break(uint32_t c) { return c == '\n' || c == '\r'; }

static bool is_greek(uint32_t c)
{
    bool plain = (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) || (c >= 0x3b1 && c <= 0x3c9);
    return plain || c == 0x3d1 || c == 0x3d5 || c == 0x3d6 || c == 0x3f0 || c == 0x3f1 || c == 0x3f5;
}

static bool is_letter(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_greek(c);
}

/* The character at an offset, and its size in bytes; 0 at the end and behind it. */
static uint32_t peek(const nh_source *source, uint32_t at, uint32_t *size)
{
    uint32_t c = 0;
    *size = at < source->length ? (uint32_t)nh_utf8_decode(source->text + at, source->length - at, &c) : 0;
    return *size ? c : 0;
}

static uint32_t look(const nh_source *source, uint32_t at)
{
    uint32_t size;
    return peek(source, at, &size);
}

/* What people type or paste for what the language writes otherwise. */
static const struct {
    uint32_t c;
    const char *hint;
} foreign[] = {
    {';', "separate with ','"},
    {'"', "texts need no quotes; the velocity of x is written x'"},
    {'!', "a comment begins with '#'"},
    {'%', "a comment begins with '#'"},
    {'{', "use parentheses ( )"},
    {'}', "use parentheses ( )"},
    {'\\', "a statement goes on in the next line when that begins with white space; no '\\' is needed"},
    {'&', NULL},
    {'<', "constraints are equations: write '='"},
    {'>', "constraints are equations: write '='"},
    {0x00b7, "write '*'"},
    {0x22c5, "write '*'"},
    {0x00d7, "write '*', or cross(a, b) for vectors"},
    {0x2212, "write '-'"},
    {0x2013, "write '-'"},
    {0x2014, "write '-'"},
    {0x00f7, "write '/'"},
    {0x00b2, "write '^2'"},
    {0x00b3, "write '^3'"},
    {0x00b9, "write '^1'"},
    {0x00bd, "write '1/2'"},
    {0x00bc, "write '1/4'"},
    {0x221a, "write 'sqrt(...)'"},
    {0x00b0, "angles are in radians: multiply by pi/180"},
    {0x2032, "write a plain ' for a velocity"},
    {0x2019, "write a plain ' for a velocity"},
    {0x2018, "write a plain ' for a velocity"},
    {0x00b4, "write a plain ' for a velocity"},
    {'`', "write a plain ' for a velocity"},
    {0x2033, "accelerations cannot be used in a model"},
};

static const char *foreign_hint(uint32_t c)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (foreign[i].c == c)
            return foreign[i].hint;
    if (c >= 0x2080 && c <= 0x2089)
        return "write the index as plain digits, x1";
    if (c >= 0x300 && c < 0x370)
        return "the velocity of x is written x'";
    return c >= 0x80 ? "names are made of the letters a-z and A-Z, Greek letters, digits and '_'" : NULL;
}

/* ---------------------------------------------------------------- tokens */

nh_lexer nh_lexer_of(nh_arena *arena, const nh_source *source)
{
    bool bom = source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;
    return (nh_lexer){arena, source, bom ? 3 : 0};
}

static void emit(nh_lexer *lexer, nh_tokens *tokens, nh_token token)
{
    nh_push(lexer->arena, tokens->items, tokens->count, tokens->capacity) = token;
}

static void emit_span(nh_lexer *lexer, nh_tokens *tokens, nh_token_kind kind, uint32_t from)
{
    emit(lexer, tokens, (nh_token){.kind = kind, .span = {from, lexer->at - from}});
}

static void emit_bad(nh_lexer *lexer, nh_tokens *tokens, uint32_t from, const char *message, const char *hint)
{
    nh_span span = {from, lexer->at - from};
    if (tokens->bad)
        return;
    tokens->bad = true;
    emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_BAD, .span = span, .message = message, .hint = hint});
}

static void lex_name(nh_lexer *lexer, nh_tokens *tokens)
{
    uint32_t from = lexer->at, size;
    for (uint32_t c = peek(lexer->source, lexer->at, &size); is_letter(c) || is_digit(c);
         c = peek(lexer->source, lexer->at, &size))
        lexer->at += size;
    size_t characters = nh_utf8_count(lexer->source->text + from, lexer->at - from);
    if (characters > NH_MAX_NAME)
        emit_bad(lexer, tokens, from, "this name is too long", "names have at most 100 characters");
    else
        emit_span(lexer, tokens, NH_TOKEN_NAME, from);
}

static uint32_t skip_digits(const nh_source *source, uint32_t at)
{
    while (is_digit(look(source, at)))
        at++;
    return at;
}

/* digits [. digits] [e [+-] digits]; the e belongs to it only where digits follow. */
static void lex_number(nh_lexer *lexer, nh_tokens *tokens)
{
    const nh_source *source = lexer->source;
    uint32_t from = lexer->at, dots = 0;
    lexer->at = skip_digits(source, lexer->at);
    while (look(source, lexer->at) == '.') {
        dots++;
        lexer->at = skip_digits(source, lexer->at + 1);
    }
    uint32_t e = look(source, lexer->at), digits = lexer->at + 1;
    bool sign = look(source, digits) == '+' || look(source, digits) == '-', exponent = e == 'e' || e == 'E';
    bool complete = exponent && is_digit(look(source, digits + sign));
    if (complete)
        lexer->at = skip_digits(source, digits + sign);
    if (dots > 1)
        emit_bad(lexer, tokens, from, "a number has one decimal point", NULL);
    else if (exponent && sign && !complete)
        emit_bad(lexer, tokens, from, "the exponent of this number has no digits", NULL);
    else
        emit_span(lexer, tokens, NH_TOKEN_NUMBER, from);
}

static void lex_comment(nh_lexer *lexer, nh_tokens *tokens)
{
    uint32_t from = lexer->at, end = from, size = 0;
    for (; lexer->at < lexer->source->length; lexer->at += size) {
        uint32_t c = peek(lexer->source, lexer->at, &size);
        if (is_break(c))
            break;
        if (!is_space(c))
            end = lexer->at + size;
    }
    emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_COMMENT, .span = {from, end - from}});
}

/* Twice the same sign where the language has one: == and **. */
static bool lex_doubled(nh_lexer *lexer, nh_tokens *tokens, uint32_t c)
{
    if ((c != '=' && c != '*') || look(lexer->source, lexer->at + 1) != c)
        return false;
    lexer->at += 2;
    emit_bad(lexer, tokens, lexer->at - 2, c == '=' ? "unexpected '=='" : "unexpected '**'",
             c == '=' ? "an equation has one '='" : "write '^' for a power");
    return true;
}

static void lex_foreign(nh_lexer *lexer, nh_tokens *tokens, uint32_t c, uint32_t size)
{
    uint32_t from = lexer->at;
    lexer->at += size;
    if (tokens->bad)
        return;
    nh_text message;
    nh_text_init(&message, lexer->arena);
    nh_text_format(&message, "unexpected character '%.*s'", (int)size, lexer->source->text + from);
    emit_bad(lexer, tokens, from, nh_text_get(&message), foreign_hint(c));
}

/* One token; white space has been skipped, and the line has not ended. */
static void lex_token(nh_lexer *lexer, nh_tokens *tokens)
{
    uint32_t size, c = peek(lexer->source, lexer->at, &size);
    if (c == '#') {
        lex_comment(lexer, tokens);
    } else if (is_letter(c)) {
        lex_name(lexer, tokens);
    } else if (is_digit(c) || (c == '.' && is_digit(look(lexer->source, lexer->at + 1)))) {
        lex_number(lexer, tokens);
    } else if (lex_doubled(lexer, tokens, c)) {
        return;
    } else if (c < 0x80 && strchr("+-*/^()[],=:'", (int)c)) {
        lexer->at++;
        nh_span span = {lexer->at - 1, 1};
        emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_SIGN, .sign = (char)c, .span = span});
    } else {
        lex_foreign(lexer, tokens, c, size);
    }
}

/* ---------------------------------------------------------------- lines */

static bool at_end(const nh_lexer *lexer) { return lexer->at >= lexer->source->length; }
static uint32_t here(const nh_lexer *lexer) { return look(lexer->source, lexer->at); }

static void skip_spaces(nh_lexer *lexer)
{
    uint32_t size;
    while (!at_end(lexer) && is_space(peek(lexer->source, lexer->at, &size)))
        lexer->at += size;
}

static void skip_break(nh_lexer *lexer)
{
    if (here(lexer) == '\r' && look(lexer->source, lexer->at + 1) == '\n')
        lexer->at++;
    if (!at_end(lexer))
        lexer->at++;
}

/* The tokens of the rest of a line; returns whether any but a comment was there. */
static bool lex_line(nh_lexer *lexer, nh_tokens *tokens)
{
    bool any = false;
    for (skip_spaces(lexer); !at_end(lexer) && !is_break(here(lexer)); skip_spaces(lexer)) {
        any = any || here(lexer) != '#';
        lex_token(lexer, tokens);
    }
    skip_break(lexer);
    return any;
}

/* Free text up to a comment or the end of the line. */
static void lex_title(nh_lexer *lexer, nh_tokens *tokens)
{
    skip_spaces(lexer);
    uint32_t from = lexer->at, end = from, size;
    for (; !at_end(lexer) && !is_break(here(lexer)) && here(lexer) != '#'; lexer->at += size)
        if (!is_space(peek(lexer->source, lexer->at, &size)))
            end = lexer->at + size;
    if (end > from)
        emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_TITLE, .span = {from, end - from}});
}

/* Where the next line begins that continues a statement: it begins with white space and is not blank; comment
 * lines and blank lines before it do not end the statement. 0: there is none. */
static uint32_t continuation(nh_lexer lexer)
{
    while (!at_end(&lexer)) {
        uint32_t line = lexer.at;
        bool indented = is_space(here(&lexer));
        skip_spaces(&lexer);
        uint32_t c = here(&lexer);
        if (!at_end(&lexer) && c != '#' && !is_break(c))
            return indented ? line : 0;
        while (!at_end(&lexer) && !is_break((unsigned char)lexer.source->text[lexer.at]))
            lexer.at++;
        skip_break(&lexer);
    }
    return 0;
}

/* One token for any number of blank lines in a row. */
static void emit_blank(nh_lexer *lexer, nh_tokens *tokens)
{
    if (tokens->count == 0 || tokens->items[tokens->count - 1].kind != NH_TOKEN_BLANK)
        emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_BLANK, .span = {lexer->at, 0}});
}

/* Comments and blank lines up to the next statement (or the end). */
static bool lex_between(nh_lexer *lexer, nh_tokens *tokens)
{
    bool any = false;
    while (!at_end(lexer)) {
        nh_lexer line = *lexer;
        skip_spaces(&line);
        uint32_t c = here(&line);
        if (!at_end(&line) && c != '#' && !is_break(c))
            break;
        any = true;
        if (at_end(&line) || is_break(c))
            emit_blank(lexer, tokens);
        lex_line(lexer, tokens);
    }
    return any;
}

/* A further line of a statement. */
static void lex_continuation(nh_lexer *lexer, nh_tokens *tokens)
{
    emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_NEWLINE, .span = {lexer->at, 0}});
    nh_lexer line = *lexer;
    skip_spaces(&line);
    if (is_break(here(&line)))
        emit_blank(lexer, tokens);
    lex_line(lexer, tokens);
}

static void lex_statement_lines(nh_lexer *lexer, nh_tokens *tokens)
{
    nh_span system = {lexer->at, 6};
    bool title = lexer->source->length - lexer->at >= 6 &&
                 nh_slice_is(nh_source_slice(lexer->source, system), "system");
    uint32_t after = look(lexer->source, lexer->at + 6);
    if (title && !is_letter(after) && !is_digit(after)) {
        lex_name(lexer, tokens);
        lex_title(lexer, tokens);
    }
    lex_line(lexer, tokens);
    for (uint32_t last; (last = continuation(*lexer)) != 0;)
        while (lexer->at <= last)
            lex_continuation(lexer, tokens);
}

/* Just behind the last token that is no comment or line break. */
static void emit_end(nh_lexer *lexer, nh_tokens *tokens)
{
    uint32_t end = lexer->at;
    for (size_t i = tokens->count; i-- > 0;)
        if (tokens->items[i].kind < NH_TOKEN_COMMENT) {
            end = tokens->items[i].span.offset + tokens->items[i].span.length;
            break;
        }
    emit(lexer, tokens, (nh_token){.kind = NH_TOKEN_END, .span = {end, 0}});
}

bool nh_lex_statement(nh_lexer *lexer, nh_tokens *tokens)
{
    tokens->count = 0, tokens->bad = false;
    if (lex_between(lexer, tokens))
        return true;
    if (at_end(lexer))
        return false;
    lex_statement_lines(lexer, tokens);
    emit_end(lexer, tokens);
    return true;
}

void nh_lex_all(nh_lexer *lexer, nh_tokens *tokens)
{
    tokens->count = 0, tokens->bad = false;
    while (!at_end(lexer))
        lex_line(lexer, tokens);
    emit_end(lexer, tokens);
}

/* ---------------------------------------------------------------- texts that are no models */

static bool check_not_empty(const nh_source *source, nh_diagnostics *diagnostics)
{
    nh_lexer lexer = nh_lexer_of(diagnostics->arena, source);
    nh_tokens tokens = {0};
    lex_between(&lexer, &tokens);
    if (!at_end(&lexer))
        return true;
    nh_report(diagnostics, NH_ERROR, source, (nh_span){0, 0}, "a model begins with 'coordinates x, y'",
              "the model is empty");
    return false;
}

static size_t first_line_length(const char *text, size_t length)
{
    size_t end = 0;
    while (end < length && end < 200 && !is_break((unsigned char)text[end]))
        end++;
    return end;
}

const nh_source *nh_source_open(nh_arena *arena, const char *name, const char *text, size_t length,
                                nh_diagnostics *diagnostics)
{
    if (length > NH_MAX_SOURCE) {
        nh_source *head = nh_source_new(arena, name, text, first_line_length(text, length));
        nh_report(diagnostics, NH_ERROR, head, (nh_span){0, 0}, NULL, "the model is larger than 16 MiB");
        return NULL;
    }
    nh_source *source = nh_source_new(arena, name, text, length);
    return nh_source_is_text(source, diagnostics) && check_not_empty(source, diagnostics) ? source : NULL;
}
