/* The door of lang/: from text to statements, and the layout of a model.
 *
 *     statement  = keyword rest, from the start of a line; lines that begin with white space continue it
 *     sum        = ["+" | "-"] product { ("+" | "-") product }
 *     product    = signed { ("*" | "/") signed }
 *     signed     = ("+" | "-") signed | power
 *     power      = postfix [ "^" exponent ]           exponent = ("+" | "-") exponent | power
 *     postfix    = primary { "'" | "[" sum "]" }         each once
 *     primary    = NUMBER | NAME | NAME "(" sum { "," sum } ")" | "(" sum { "," sum } ")"
 */
#ifndef NH_LANG_H
#define NH_LANG_H

#include "base/base.h"

typedef enum nh_keyword {
#define NH_STATEMENT(name, form) NH_KEYWORD_##name,
#include "lang/statements.def"
#undef NH_STATEMENT
    NH_KEYWORD_COUNT
} nh_keyword;

const char *nh_keyword_name(nh_keyword keyword);
bool nh_keyword_find(nh_slice name, nh_keyword *keyword);

/* ---------------------------------------------------------------- expressions as written */

typedef enum nh_ast_kind {
    NH_AST_NUMBER,
    NH_AST_NAME,
    NH_AST_RATE,    /* x' */
    NH_AST_SUM,     /* operators[i] '+' or '-' before child i, the first too */
    NH_AST_PRODUCT, /* operators[i] '*' or '/' before child i; '*' for the first */
    NH_AST_POWER,   /* two children */
    NH_AST_CALL,    /* name(children) */
    NH_AST_VECTOR,  /* (children) */
    NH_AST_INDEX,   /* child 0 [ child 1 ] */
} nh_ast_kind;

typedef struct nh_ast nh_ast;
struct nh_ast {
    nh_ast_kind kind;
    nh_span span;
    nh_span name; /* of NAME, RATE and CALL */
    nh_rational number;
    nh_ast **children;
    size_t count, capacity;
    char *operators;
    size_t n_operators, operators_capacity;
};

enum { NH_MAX_DEPTH = 200, NH_MAX_NAME = 100 /* characters */, NH_MAX_SOURCE = 16 << 20 /* bytes */ };

/* ---------------------------------------------------------------- statements */

/* One of a list: "m = 1", "R", "x' = 2". */
typedef struct nh_item {
    nh_span name;
    bool rate;       /* x' rather than x */
    nh_ast *value;   /* NULL: none given */
    nh_ast *right;   /* of a condition `value = right`; NULL: it is 0. Of a range `value : right : steps` */
    nh_ast *steps;   /* NULL: none given */
} nh_item;

typedef struct nh_statement {
    nh_keyword keyword;
    nh_span keyword_span, span;
    bool ok;        /* false: a syntax error was reported; items holds the names it would have declared */
    nh_span title;  /* system */
    nh_item *items; /* lists; for a point, body or named constraint one item, its name */
    size_t n_items, items_capacity;
    nh_ast *value;        /* kinetic, potential, gravity; left side of a constraint; position of a point or body */
    nh_ast *right;        /* right side of a constraint */
    nh_ast *mass, *force; /* of a point or body; NULL: none */
    nh_ast *frame, *inertia, *torque; /* of a body; the same */
    nh_ast *radius; /* of a drawing, whose items are the shape and, where there is one, the name; place and frame as of a body, and
                     * axis, end, direction, normal or size in `right` */
} nh_statement;

/* The text of a model as a source; NULL where it is no model at all, which is reported: too large, empty, not
 * UTF-8, control characters. */
const nh_source *nh_source_open(nh_arena *, const char *name, const char *text, size_t length, nh_diagnostics *);

typedef struct nh_parser nh_parser;

/* numbers is where literals are kept. */
nh_parser *nh_parser_new(nh_arena *, nh_numbers *, const nh_source *, nh_diagnostics *);

/* The next statement; false at the end of the text. */
bool nh_parser_next(nh_parser *, nh_statement *statement);

/* A list of assignments alone, as in --set and --start: the items of an `initial` statement. */
bool nh_parse_assignments(nh_arena *, nh_numbers *, const nh_source *, nh_diagnostics *, nh_statement *statement);

/* A list of conditions, as in --until and --event: EXPR or EXPR = EXPR; names are the spans of their texts. */
bool nh_parse_conditions(nh_arena *, nh_numbers *, const nh_source *, nh_diagnostics *, nh_statement *statement);

/* A list of ranges, as in --vary and --box: NAME = FROM : TO or NAME = FROM : TO : STEPS. */
bool nh_parse_ranges(nh_arena *, nh_numbers *, const nh_source *, nh_diagnostics *, nh_statement *statement);

/* ---------------------------------------------------------------- layout */

/* Writes the text laid out: keywords in the first column, the rest from column 14 on, single spaces around
 * + - and =, none around * / ^; line breaks, comments and single blank lines stay where they are, lines that
 * are too long are broken after commas. Reports syntax errors and returns false. */
bool nh_lay_out(nh_arena *, nh_numbers *, const nh_source *, nh_diagnostics *, nh_text *out);

/* ---------------------------------------------------------------- colours */

typedef enum nh_mark_kind {
    NH_MARKED_KEYWORD, /* of a statement */
    NH_MARKED_NAME,
    NH_MARKED_NUMBER,
    NH_MARKED_TITLE,
    NH_MARKED_COMMENT,
} nh_mark_kind;

/* A piece of the text that may have a colour of its own; signs and blanks are between the pieces. */
typedef struct nh_mark {
    nh_mark_kind kind;
    nh_span span;
} nh_mark;

typedef struct nh_marks {
    nh_mark *items;
    size_t count, capacity;
} nh_marks;

/* All of them, in the order of the text. */
nh_marks nh_marks_of(nh_arena *, const nh_source *);

#endif
