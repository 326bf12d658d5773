/* The parser: one function for each rule of the grammar in lang.h. A rule that fails has reported why and
 * returns NULL or false; the statement is then given up. */
#include "lang/lexer.h"

#include <string.h>

typedef enum form { TITLE, NAMES, OPTIONAL, ASSIGN, EXPRESSION, POINT, DRAWING, LATER, EQUATION, STATE, RATES } form;

static const struct {
    const char *name;
    form form;
} statements[] = {
#define NH_STATEMENT(name, form) {#name, form},
#include "lang/statements.def"
#undef NH_STATEMENT
};

const char *nh_keyword_name(nh_keyword keyword) { return statements[keyword].name; }

bool nh_keyword_find(nh_slice name, nh_keyword *keyword)
{
    for (int k = 0; k < NH_KEYWORD_COUNT; k++)
        if (nh_slice_is(name, statements[k].name)) {
            *keyword = (nh_keyword)k;
            return true;
        }
    return false;
}

struct nh_parser {
    nh_arena *arena;
    nh_numbers *numbers;
    const nh_source *source;
    nh_diagnostics *diagnostics;
    nh_lexer lexer;
    nh_tokens raw;    /* as the lexer gives them */
    nh_tokens tokens; /* of the current statement, without comments and line breaks */
    size_t at;
    int depth;
    form form; /* of the current statement: decides what may follow an expression */
};

nh_parser *nh_parser_new(nh_arena *arena, nh_numbers *numbers, const nh_source *source,
                         nh_diagnostics *diagnostics)
{
    nh_parser *p = nh_arena_array(arena, 1, sizeof *p);
    *p = (nh_parser){.arena = arena, .numbers = numbers, .source = source, .diagnostics = diagnostics};
    p->lexer = nh_lexer_of(arena, source);
    return p;
}

/* ---------------------------------------------------------------- tokens */

static nh_token token(const nh_parser *p) { return p->tokens.items[p->at]; }

static nh_token token_after(const nh_parser *p, size_t n)
{
    size_t last = p->tokens.count - 1;
    return p->tokens.items[p->at + n < last ? p->at + n : last];
}

static bool is_sign(nh_token t, char sign) { return t.kind == NH_TOKEN_SIGN && t.sign == sign; }
static bool at_sign(const nh_parser *p, char sign) { return is_sign(token(p), sign); }
static bool at_kind(const nh_parser *p, nh_token_kind kind) { return token(p).kind == kind; }

static bool accept(nh_parser *p, char sign)
{
    bool there = at_sign(p, sign);
    p->at += there;
    return there;
}

/* For messages: at most so many bytes of a token. */
static nh_slice shown(const nh_parser *p, nh_token t)
{
    nh_slice slice = nh_source_slice(p->source, t.span);
    if (slice.length > 60)
        for (slice.length = 60; ((unsigned char)slice.data[slice.length] & 0xc0) == 0x80;)
            slice.length--; /* not within a character */
    return slice;
}

static bool error_at(nh_parser *p, nh_span span, const char *hint, const char *message)
{
    nh_report(p->diagnostics, NH_ERROR, p->source, span, hint, "%s", message);
    return false;
}

/* A message with %.*s for a word of the text. */
static bool error_word(nh_parser *p, nh_span span, nh_span word, const char *format)
{
    nh_slice text = nh_source_slice(p->source, word);
    nh_text message;
    nh_text_init(&message, p->arena);
    nh_text_format(&message, format, (int)text.length, text.data);
    return error_at(p, span, NULL, nh_text_get(&message));
}

/* Whether a keyword stands behind white space at the beginning of its line. */
static bool is_indented_keyword(const nh_parser *p, nh_token t)
{
    nh_keyword keyword;
    size_t at = t.span.offset;
    const char *text = p->source->text;
    if (t.kind != NH_TOKEN_NAME || !nh_keyword_find(nh_source_slice(p->source, t.span), &keyword))
        return false;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        at--;
    return at < t.span.offset && at > 0 && text[at - 1] == '\n';
}

/* "MESSAGE 'token'", or the token's own message where it is none of the language. */
static bool error_here(nh_parser *p, const char *hint, const char *before, const char *after)
{
    nh_token t = token(p);
    nh_slice text = shown(p, t);
    if (t.kind == NH_TOKEN_BAD)
        nh_report(p->diagnostics, NH_ERROR, p->source, t.span, t.hint, "%s", t.message);
    else if (is_indented_keyword(p, t))
        nh_report(p->diagnostics, NH_ERROR, p->source, t.span,
                  "a line that begins with white space continues the statement above: begin it without",
                  "unexpected '%.*s'", (int)text.length, text.data);
    else if (t.kind == NH_TOKEN_END)
        nh_report(p->diagnostics, NH_ERROR, p->source, t.span, hint, "%s the end of the statement%s", before,
                  after);
    else
        nh_report(p->diagnostics, NH_ERROR, p->source, t.span, hint, "%s '%.*s'%s", before, (int)text.length,
                  text.data, after);
    return false;
}

/* ---------------------------------------------------------------- expressions */

static nh_ast *parse_sum(nh_parser *p);
static nh_ast *parse_signed(nh_parser *p);

static nh_ast *ast_new(nh_parser *p, nh_ast_kind kind, nh_span span)
{
    nh_ast *ast = nh_arena_array(p->arena, 1, sizeof *ast);
    ast->kind = kind, ast->span = ast->name = span;
    return ast;
}

static void ast_add(nh_parser *p, nh_ast *ast, char operator, nh_ast * child)
{
    nh_push(p->arena, ast->children, ast->count, ast->capacity) = child;
    nh_push(p->arena, ast->operators, ast->n_operators, ast->operators_capacity) = operator;
    ast->span = nh_span_join(ast->span, child->span);
}

static bool deeper(nh_parser *p)
{
    if (p->depth++ < NH_MAX_DEPTH)
        return true;
    return error_at(p, token(p).span, "introduce names for parts of it with 'let'",
                    "this is nested too deeply");
}

/* What begins an operand. */
static bool begins_operand(nh_token t)
{
    return t.kind == NH_TOKEN_NAME || t.kind == NH_TOKEN_NUMBER || is_sign(t, '(');
}

static bool missing_star(nh_parser *p)
{
    nh_token before = token_after(p, (size_t)-1), here = token(p);
    nh_slice left = shown(p, before), right = shown(p, here);
    nh_text hint;
    nh_text_init(&hint, p->arena);
    nh_text_format(&hint, "multiplication is written out: %.*s*%.*s", (int)left.length, left.data,
                   (int)right.length, right.data);
    return error_here(p, nh_text_get(&hint), "missing '*' before", "");
}

/* "NAME =" or "NAME' =" or "dot(NAME) =" ahead: the next item of a list. */
static bool item_ahead(const nh_parser *p)
{
    if (!at_kind(p, NH_TOKEN_NAME))
        return false;
    size_t name =
        nh_slice_is(nh_source_slice(p->source, token(p).span), "dot") && is_sign(token_after(p, 1), '(') ? 4
                                                                                                         : 1;
    return is_sign(token_after(p, name), '=') ||
           (is_sign(token_after(p, name), '\'') && is_sign(token_after(p, name + 1), '='));
}

static nh_ast *parse_list(nh_parser *p, nh_ast *list, char close)
{
    nh_span open = token(p).span;
    p->at++;
    do {
        nh_ast *child = parse_sum(p);
        if (!child)
            return NULL;
        ast_add(p, list, ',', child);
    } while (accept(p, ','));
    if (at_kind(p, NH_TOKEN_END) || (!at_sign(p, close) && at_sign(p, '=')))
        return error_at(p, open, NULL, close == ')' ? "this '(' is not closed" : "this '[' is not closed"),
               NULL;
    if (!at_sign(p, close))
        return begins_operand(token(p)) ? missing_star(p)
                                        : error_here(p, NULL, "unexpected", " in parentheses"),
               NULL;
    list->span = nh_span_join(list->span, token(p).span);
    p->at++;
    return list;
}

/* primary = NUMBER | NAME | NAME "(" sum { "," sum } ")" | "(" sum { "," sum } ")" */
static nh_ast *parse_number(nh_parser *p)
{
    nh_ast *ast = ast_new(p, NH_AST_NUMBER, token(p).span);
    nh_slice digits = nh_source_slice(p->source, ast->span);
    switch (nh_decimal_read(p->numbers, digits.data, digits.length, &ast->number)) {
    case NH_DECIMAL_OK: p->at++; return ast;
    case NH_DECIMAL_LONG:
        error_at(p, ast->span, "a number has at most 10000 digits", "this number is too long");
        break;
    case NH_DECIMAL_EXPONENT:
        error_at(p, ast->span, "exponents go from -5000 to 5000", "the exponent of this number is too large");
        break;
    case NH_DECIMAL_FORM: error_at(p, ast->span, NULL, "this is not a number"); break;
    }
    return NULL;
}

static nh_ast *parse_group(nh_parser *p)
{
    nh_ast *vector = parse_list(p, ast_new(p, NH_AST_VECTOR, token(p).span), ')');
    if (!vector || vector->count > 1)
        return vector;
    nh_ast *inner = vector->children[0]; /* plain parentheses; the span includes them */
    nh_ast *group = ast_new(p, NH_AST_SUM, vector->span);
    nh_push(p->arena, group->children, group->count, group->capacity) = inner;
    nh_push(p->arena, group->operators, group->n_operators, group->operators_capacity) = '+';
    return group;
}

static nh_ast *parse_primary(nh_parser *p)
{
    nh_token t = token(p);
    if (t.kind == NH_TOKEN_NUMBER)
        return parse_number(p);
    if (is_sign(t, '('))
        return parse_group(p);
    if (t.kind != NH_TOKEN_NAME) {
        error_here(p, NULL, "expected a number, a name or '(' but found", "");
        return NULL;
    }
    p->at++;
    if (!at_sign(p, '('))
        return ast_new(p, NH_AST_NAME, t.span);
    if (is_sign(token_after(p, 1), ')')) { /* f(): the number of arguments is checked with the meaning */
        nh_ast *call = ast_new(p, NH_AST_CALL, nh_span_join(t.span, token_after(p, 1).span));
        call->name = t.span;
        p->at += 2;
        return call;
    }
    return parse_list(p, ast_new(p, NH_AST_CALL, t.span), ')');
}

/* postfix = primary { "'" | "[" sum "]" } */
static nh_ast *parse_prime(nh_parser *p, nh_ast *base)
{
    nh_span prime = token(p).span;
    if (base->kind == NH_AST_RATE)
        return error_word(p, prime, base->name, "accelerations, %.*s'', cannot be used in a model"), NULL;
    if (base->kind != NH_AST_NAME)
        return error_at(p, prime, NULL, "only coordinates have velocities: ' must follow a name"), NULL;
    nh_ast *rate = ast_new(p, NH_AST_RATE, nh_span_join(base->span, prime));
    rate->name = base->span;
    p->at++;
    return rate;
}

static nh_ast *parse_postfix(nh_parser *p)
{
    nh_ast *base = parse_primary(p);
    while (base && (at_sign(p, '\'') || at_sign(p, '['))) {
        if (at_sign(p, '\'')) {
            base = parse_prime(p, base);
            continue;
        }
        if (base->kind == NH_AST_INDEX) /* v[1][1][1]... would be a tree of any depth */
            return error_at(p, token(p).span, NULL, "a scalar has no components"), NULL;
        nh_ast *index = ast_new(p, NH_AST_INDEX, base->span);
        ast_add(p, index, '[', base);
        base = parse_list(p, index, ']');
    }
    return base;
}

/* power = postfix [ "^" exponent ] */
static nh_ast *parse_power(nh_parser *p)
{
    nh_ast *base = parse_postfix(p);
    if (!base || !accept(p, '^'))
        return base;
    nh_ast *exponent = parse_signed(p);
    if (!exponent)
        return NULL;
    nh_ast *power = ast_new(p, NH_AST_POWER, base->span);
    ast_add(p, power, '^', base);
    ast_add(p, power, '^', exponent);
    return power;
}

/* signed = ("+" | "-") signed | power; an exponent is the same */
static nh_ast *parse_signed(nh_parser *p)
{
    nh_ast *result = NULL;
    nh_token t = token(p);
    if (deeper(p)) {
        if (is_sign(t, '-') || is_sign(t, '+')) {
            p->at++;
            nh_ast *operand = parse_signed(p);
            if (operand) {
                result = ast_new(p, NH_AST_SUM, t.span);
                ast_add(p, result, t.sign, operand);
            }
        } else {
            result = parse_power(p);
        }
    }
    p->depth--;
    return result;
}

/* product = signed { ("*" | "/") signed } */
static nh_ast *parse_product(nh_parser *p)
{
    nh_ast *first = parse_signed(p);
    if (!first || !(at_sign(p, '*') || at_sign(p, '/')))
        return first;
    nh_ast *product = ast_new(p, NH_AST_PRODUCT, first->span);
    ast_add(p, product, '*', first);
    while (at_sign(p, '*') || at_sign(p, '/')) {
        char operator= token(p).sign;
        p->at++;
        nh_ast *factor = parse_signed(p);
        if (!factor)
            return NULL;
        ast_add(p, product, operator, factor);
    }
    return product;
}

/* sum = product { ("+" | "-") product } */
static nh_ast *parse_sum(nh_parser *p)
{
    nh_ast *first = parse_product(p);
    if (!first || !(at_sign(p, '+') || at_sign(p, '-')))
        return first;
    nh_ast *sum = ast_new(p, NH_AST_SUM, first->span);
    ast_add(p, sum, '+', first);
    while (at_sign(p, '+') || at_sign(p, '-')) {
        char operator= token(p).sign;
        p->at++;
        nh_ast *term = parse_product(p);
        if (!term)
            return NULL;
        ast_add(p, sum, operator, term);
    }
    return sum;
}

/* A whole expression; says what is missing where the statement goes on in an impossible way. */
static bool parse_expression(nh_parser *p, nh_ast **out)
{
    p->depth = 0;
    *out = parse_sum(p);
    if (!*out)
        return false;
    bool list = p->form == ASSIGN || p->form == OPTIONAL || p->form == STATE;
    if (list && item_ahead(p))
        return error_here(p, "separate items with ','", "missing ',' before", "");
    if (begins_operand(token(p)) && p->form != POINT && p->form != DRAWING)
        return missing_star(p);
    if (at_sign(p, ')') || at_sign(p, ']'))
        return error_here(p, NULL, "there is no opening parenthesis for this", "");
    if (at_kind(p, NH_TOKEN_BAD))
        return error_here(p, NULL, "", "");
    return true;
}

/* ---------------------------------------------------------------- statements */

static bool expect_end(nh_parser *p)
{
    return at_kind(p, NH_TOKEN_END) || error_here(p, NULL, "unexpected", "");
}

/* NAME, or where rates may stand also NAME' or dot(NAME). */
static bool parse_name(nh_parser *p, bool rates, nh_item *item)
{
    bool dot = rates && at_kind(p, NH_TOKEN_NAME) &&
               nh_slice_is(nh_source_slice(p->source, token(p).span), "dot") &&
               is_sign(token_after(p, 1), '(');
    if (dot)
        p->at += 2;
    if (!at_kind(p, NH_TOKEN_NAME))
        return error_here(p, NULL, "expected a name but found", "");
    item->name = token(p).span;
    p->at++;
    if (dot && !accept(p, ')'))
        return error_here(p, NULL, "expected ')' but found", "");
    item->rate = dot || (rates && accept(p, '\''));
    if (item->rate && at_sign(p, '\''))
        return error_word(p, token(p).span, item->name, "accelerations, %.*s'', cannot be used in a model");
    return true;
}

static bool parse_value(nh_parser *p, nh_item *item)
{
    if (!accept(p, '=')) {
        if (p->form == OPTIONAL)
            return true;
        return error_here(p, NULL, "expected '=' but found", "");
    }
    return parse_expression(p, &item->value);
}

static bool parse_item(nh_parser *p, nh_statement *s)
{
    nh_item item = {.name = {0, 0}};
    bool rates = p->form == STATE || p->form == RATES;
    bool values = p->form != NAMES && p->form != RATES;
    if (!parse_name(p, rates, &item) || (values && !parse_value(p, &item)))
        return false;
    nh_push(p->arena, s->items, s->n_items, s->items_capacity) = item;
    return true;
}

/* items = item { "," item } */
static bool parse_items(nh_parser *p, nh_statement *s)
{
    do {
        if (!parse_item(p, s))
            return false;
    } while (accept(p, ','));
    if (at_kind(p, NH_TOKEN_NAME))
        return error_here(p, "separate items with ','", "missing ',' before", "");
    return expect_end(p);
}

static bool parse_title(nh_parser *p, nh_statement *s)
{
    if (at_kind(p, NH_TOKEN_TITLE)) {
        s->title = token(p).span;
        p->at++;
    }
    return at_kind(p, NH_TOKEN_END) ||
           error_at(p, token(p).span, "a statement begins at the start of a line with a keyword",
                    "a title ends with its line");
}

/* [NAME ":"] sum "=" sum */
static bool parse_equation(nh_parser *p, nh_statement *s)
{
    if (at_kind(p, NH_TOKEN_NAME) && is_sign(token_after(p, 1), ':')) {
        nh_push(p->arena, s->items, s->n_items, s->items_capacity) = (nh_item){.name = token(p).span};
        p->at += 2;
    }
    if (!parse_expression(p, &s->value))
        return false;
    if (!accept(p, '='))
        return error_here(p, "a constraint is an equation: EXPR = EXPR", "expected '=' but found", "");
    if (!parse_expression(p, &s->right))
        return false;
    if (at_sign(p, ','))
        return error_here(p, "give each equation its own 'constraint' statement", "unexpected", "");
    return expect_end(p);
}

static bool at_word(const nh_parser *p, const char *word)
{
    return at_kind(p, NH_TOKEN_NAME) && nh_slice_is(nh_source_slice(p->source, token(p).span), word);
}

static const char point_hint[] = "a point has the form: point P at VECTOR [mass EXPR] [force VECTOR]";
static const char body_hint[] = "a body has the form: body B at VECTOR frame FRAME [mass EXPR] [inertia (I1, "
                                "I2, I3)] [force VECTOR] [torque VECTOR]";

static const char *hint_of(const nh_statement *s)
{
    return s->keyword == NH_KEYWORD_body ? body_hint : point_hint;
}

/* Where what follows a word is put; NULL: it is no such word. */
static nh_ast **clause_of(const nh_parser *p, nh_statement *s)
{
    if (at_word(p, "mass"))
        return &s->mass;
    if (at_word(p, "force"))
        return &s->force;
    if (s->keyword != NH_KEYWORD_body)
        return NULL;
    return at_word(p, "frame")     ? &s->frame
           : at_word(p, "inertia") ? &s->inertia
           : at_word(p, "torque")  ? &s->torque
                                   : NULL;
}

/* "mass EXPR", "force VECTOR" and so on, each once, in any order. */
static bool parse_clause(nh_parser *p, nh_statement *s)
{
    nh_ast **slot = clause_of(p, s);
    if (!slot)
        return begins_operand(token(p)) && !at_kind(p, NH_TOKEN_NAME)
                   ? missing_star(p)
                   : error_here(p, hint_of(s), "unexpected", "");
    if (*slot)
        return error_word(p, token(p).span, token(p).span, "'%.*s' is given twice");
    p->at++;
    return parse_expression(p, slot);
}

/* NAME "at" sum { clause } */
static bool parse_point(nh_parser *p, nh_statement *s)
{
    nh_item item = {.name = {0, 0}};
    if (!parse_name(p, false, &item))
        return false;
    nh_push(p->arena, s->items, s->n_items, s->items_capacity) = item;
    if (!at_word(p, "at"))
        return error_here(p, hint_of(s), "expected 'at' but found", "");
    p->at++;
    if (!parse_expression(p, &s->value))
        return false;
    while (!at_kind(p, NH_TOKEN_END))
        if (!parse_clause(p, s))
            return false;
    return true;
}

static const char drawing_hint[] = "a drawing has the form: draw disc NAME radius EXPR; the manual lists the shapes";

/* What may follow each shape, after the name of a point or body. `from` is `at`, by another name. */
static const struct {
    const char *shape, *words;
} drawings[] = {{"disc", "at axis radius frame"}, {"ball", "at radius frame"}, {"rod", "from to radius"},
                {"box", "at size frame"},         {"path", "at"},              {"vector", "at along"},
                {"ground", "at normal"}};

static bool has_word(const char *words, nh_slice word)
{
    for (const char *c = words; c; c = strchr(c, ' ')) {
        c += *c == ' ';
        size_t length = strcspn(c, " ");
        if (word.length == length && memcmp(c, word.data, length) == 0)
            return true;
    }
    return false;
}

/* Where what follows a word of this shape is put; NULL: it is no such word. */
static nh_ast **drawing_clause(const nh_parser *p, nh_statement *s, const char *words)
{
    if (!at_kind(p, NH_TOKEN_NAME) || !has_word(words, nh_source_slice(p->source, token(p).span)))
        return NULL;
    return at_word(p, "at") || at_word(p, "from") ? &s->value
           : at_word(p, "radius")                 ? &s->radius
           : at_word(p, "frame")                  ? &s->frame
                                                  : &s->right;
}

static const char *words_of(const nh_parser *p)
{
    for (size_t k = 0; k < sizeof drawings / sizeof *drawings; k++)
        if (at_word(p, drawings[k].shape))
            return drawings[k].words;
    return NULL;
}

/* SHAPE [NAME] { word sum } */
static bool parse_drawing(nh_parser *p, nh_statement *s)
{
    const char *words = words_of(p);
    nh_item item = {.name = {0, 0}};
    if (!words)
        return error_here(p, "the shapes are disc, ball, rod, box, path, vector and ground", "expected a shape but found", "");
    parse_name(p, false, &item);
    nh_push(p->arena, s->items, s->n_items, s->items_capacity) = item;
    if (at_kind(p, NH_TOKEN_NAME) && !drawing_clause(p, s, words) && parse_name(p, false, &item))
        nh_push(p->arena, s->items, s->n_items, s->items_capacity) = item;
    while (!at_kind(p, NH_TOKEN_END)) {
        nh_ast **slot = drawing_clause(p, s, words);
        if (!slot)
            return error_here(p, drawing_hint, "unexpected", "");
        if (*slot)
            return error_word(p, token(p).span, token(p).span, "'%.*s' is given twice");
        p->at++;
        if (!parse_expression(p, slot))
            return false;
    }
    return true;
}

static bool parse_rest(nh_parser *p, nh_statement *s)
{
    switch (p->form) {
    case TITLE: return parse_title(p, s);
    case EQUATION: return parse_equation(p, s);
    case POINT: return parse_point(p, s);
    case DRAWING: return parse_drawing(p, s);
    case EXPRESSION: return parse_expression(p, &s->value) && expect_end(p);
    case LATER:
        return error_at(p, s->keyword_span, NULL, "this version of the program does not read this statement");
    default: return parse_items(p, s);
    }
}

/* The nearest keyword, where one is near. */
static const char *keyword_hint(nh_parser *p, nh_slice name)
{
    size_t best = nh_utf8_count(name.data, name.length) / 3 + 1;
    const char *found = NULL;
    for (int k = 0; k < NH_KEYWORD_COUNT; k++) {
        size_t distance = nh_edit_distance(name, nh_slice_of(statements[k].name), best);
        if (distance <= best && (!found || distance < best))
            best = distance, found = statements[k].name;
    }
    if (!found)
        return "statements begin with a keyword, such as coordinates, kinetic or constraint";
    nh_text hint;
    nh_text_init(&hint, p->arena);
    nh_text_format(&hint, "did you mean '%s'?", found);
    return nh_text_get(&hint);
}

static bool parse_keyword(nh_parser *p, nh_statement *s)
{
    if (nh_source_place(p->source, token(p).span.offset).column != 1)
        return error_at(p, token(p).span, NULL,
                        "a statement begins at the start of a line, without white space before it");
    if (!at_kind(p, NH_TOKEN_NAME))
        return error_here(p, "statements begin with a keyword, such as coordinates, kinetic or constraint",
                          "expected a statement but found", "");
    nh_slice name = nh_source_slice(p->source, token(p).span);
    if (!nh_keyword_find(name, &s->keyword))
        return error_here(p, keyword_hint(p, name), "unknown statement", "");
    s->keyword_span = token(p).span;
    p->at++;
    p->form = statements[s->keyword].form;
    if (at_kind(p, NH_TOKEN_END))
        return error_word(p, s->keyword_span, s->keyword_span, "the statement '%.*s' is empty");
    return true;
}

/* After an error: every name of the statement that it might have declared, so that its later uses are not
 * reported as well. */
static void salvage(nh_parser *p, nh_statement *s)
{
    s->ok = false;
    s->n_items = 0;
    for (size_t i = 1; i < p->tokens.count; i++)
        if (p->tokens.items[i].kind == NH_TOKEN_NAME)
            nh_push(p->arena, s->items, s->n_items, s->items_capacity) =
                (nh_item){.name = p->tokens.items[i].span};
}

static bool next_tokens(nh_parser *p)
{
    do {
        if (!nh_lex_statement(&p->lexer, &p->raw))
            return false;
    } while (p->raw.items[p->raw.count - 1].kind != NH_TOKEN_END);
    p->tokens.count = p->at = 0;
    for (size_t i = 0; i < p->raw.count; i++) {
        nh_token_kind kind = p->raw.items[i].kind;
        if (kind < NH_TOKEN_COMMENT || kind == NH_TOKEN_END)
            nh_push(p->arena, p->tokens.items, p->tokens.count, p->tokens.capacity) = p->raw.items[i];
    }
    return true;
}

bool nh_parser_next(nh_parser *p, nh_statement *s)
{
    if (nh_diagnostics_full(p->diagnostics) || !next_tokens(p))
        return false;
    *s = (nh_statement){.keyword = NH_KEYWORD_COUNT, .keyword_span = token(p).span, .ok = true};
    s->span = nh_span_join(token(p).span, p->tokens.items[p->tokens.count - 1].span);
    if (!parse_keyword(p, s) || !parse_rest(p, s))
        salvage(p, s);
    return true;
}

/* What an option says, as a statement. */
static nh_parser *open_list(nh_arena *arena, nh_numbers *numbers, const nh_source *source,
                            nh_diagnostics *diagnostics, nh_statement *s)
{
    nh_parser *p = nh_parser_new(arena, numbers, source, diagnostics);
    *s = (nh_statement){.keyword = NH_KEYWORD_initial, .ok = true};
    nh_lex_all(&p->lexer, &p->tokens);
    s->span = nh_span_join(token(p).span, p->tokens.items[p->tokens.count - 1].span);
    return p;
}

bool nh_parse_assignments(nh_arena *arena, nh_numbers *numbers, const nh_source *source,
                          nh_diagnostics *diagnostics, nh_statement *s)
{
    nh_parser *p = open_list(arena, numbers, source, diagnostics, s);
    p->form = STATE;
    s->ok = at_kind(p, NH_TOKEN_END) || parse_items(p, s);
    return s->ok;
}

/* sum [ "=" sum ] */
static bool parse_condition(nh_parser *p, nh_statement *s)
{
    nh_item item = {.name = token(p).span};
    if (!parse_expression(p, &item.value))
        return false;
    item.name = item.value->span;
    if (accept(p, '=')) {
        if (!parse_expression(p, &item.right))
            return false;
        item.name = nh_span_join(item.name, item.right->span);
    }
    nh_push(p->arena, s->items, s->n_items, s->items_capacity) = item;
    return true;
}

bool nh_parse_conditions(nh_arena *arena, nh_numbers *numbers, const nh_source *source,
                         nh_diagnostics *diagnostics, nh_statement *s)
{
    nh_parser *p = open_list(arena, numbers, source, diagnostics, s);
    p->form = EXPRESSION;
    do {
        if (!parse_condition(p, s))
            return s->ok = false;
    } while (accept(p, ','));
    return s->ok = expect_end(p);
}

/* name "=" sum ":" sum [ ":" sum ] */
static bool parse_range(nh_parser *p, nh_statement *s)
{
    nh_item item = {.name = {0, 0}};
    if (!parse_name(p, true, &item) || !parse_value(p, &item))
        return false;
    if (!accept(p, ':'))
        return error_here(p, "a range is written x=-1:1", "expected ':' but found", "");
    if (!parse_expression(p, &item.right) || (accept(p, ':') && !parse_expression(p, &item.steps)))
        return false;
    nh_push(p->arena, s->items, s->n_items, s->items_capacity) = item;
    return true;
}

bool nh_parse_ranges(nh_arena *arena, nh_numbers *numbers, const nh_source *source, nh_diagnostics *diagnostics,
                     nh_statement *s)
{
    nh_parser *p = open_list(arena, numbers, source, diagnostics, s);
    p->form = EXPRESSION;
    do {
        if (!parse_range(p, s))
            return s->ok = false;
    } while (accept(p, ','));
    return s->ok = expect_end(p);
}
