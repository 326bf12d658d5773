/* Inside present/: formulas as a reader sees them, whatever the format: a tree of what stands beside, above, below and inside of
 * what. The formats (text.c, latex.c, mathml.c) write it down; none of them knows expressions. */
#ifndef NH_PRESENT_MATH_H
#define NH_PRESENT_MATH_H

#include "expr/expr.h"

typedef enum nh_math_kind {
    NH_MATH_ROW,    /* items side by side */
    NH_MATH_NUMBER, /* text: digits */
    NH_MATH_NAME,   /* text: a name without index, "theta"; accent */
    NH_MATH_SIGN, /* text: one of + - = , and the like, with space around where it stands between two things */
    NH_MATH_PREFIX,   /* text: a sign in front of something, without space */
    NH_MATH_TIMES,    /* a product sign, which most formats leave out */
    NH_MATH_SPACE,    /* between equations in a line */
    NH_MATH_WORDS,    /* text: words */
    NH_MATH_CALL,     /* function; items: the arguments, and last an exponent or NULL */
    NH_MATH_FRACTION, /* items: above, below */
    NH_MATH_SCRIPTS,  /* items: base, below, above; one of the last two may be NULL; text: of a name, or NULL */
    NH_MATH_FENCE,    /* text: the opening one, ( or [; items: what is inside */
    NH_MATH_OPEN,     /* text: half of a fence that is closed in another line */
    NH_MATH_CLOSE,  /* items: an exponent, or none */
    NH_MATH_MATRIX, /* items by rows, in brackets */
} nh_math_kind;

typedef enum nh_accent { NH_ACCENT_NONE, NH_ACCENT_DOT, NH_ACCENT_TWO_DOTS, NH_ACCENT_BAR } nh_accent;

typedef struct nh_math nh_math;
struct nh_math {
    nh_math_kind kind;
    const char *text;
    nh_accent accent;
    nh_function function;
    const nh_math **items;
    size_t count, columns;
};

/* Where trees are made. */
typedef struct nh_math_maker {
    nh_arena *arena;
    const nh_pool *pool;
    bool plain;      /* for plain text: names, products and powers in the order of the model language */
    bool no_index_a; /* in notation: the index of the one constraint is left out */
    const char **verbatim; /* names that would look like others, and stay as they are */
    size_t n_verbatim;
    int depth;       /* of what is being made; what is deeper than any reader goes is written in a line */
} nh_math_maker;

const nh_math *nh_math_leaf(nh_math_maker *, nh_math_kind kind, const char *text);
const nh_math *nh_math_of(nh_math_maker *, nh_math_kind kind, size_t count, const nh_math *const *items);
const nh_math *nh_math_fence(nh_math_maker *, const nh_math *inside);
const nh_math *nh_math_scripts(nh_math_maker *, const nh_math *base, const nh_math *below,
                               const nh_math *above);
const nh_math *nh_math_matrix(nh_math_maker *, size_t rows, size_t columns, const nh_math *const *items);

bool nh_math_is_short(const nh_math *); /* a name or a number: an argument that needs no parentheses */
bool nh_math_is_high(const nh_math *); /* fractions or matrices stand in it: higher than a line */

/* names.c: theta1' with its index and dots; primes: dots to be added. */
const nh_math *nh_math_name(nh_math_maker *, const char *name, int primes);

/* Of all names that occur: those that would look like an earlier one, or that no index can be made of. */
void nh_math_distinguish(nh_math_maker *, const char *const *names, size_t count);

/* What a name without index is written as: a letter of another alphabet, or NULL. */
typedef struct nh_glyph {
    const char *name, *unicode, *latex;
} nh_glyph;
const nh_glyph *nh_glyph_of(const char *name);

/* formula.c: an expression. */
const nh_math *nh_math_expr(nh_math_maker *, nh_expr e);

/* notation.c: general formulas, written as "G_{alpha beta} = g_{i j} psi^i_alpha psi^j_beta". */
const nh_math *nh_notation(nh_math_maker *, const char *text);
bool nh_is_partial(const nh_math *); /* a sign of differentiation, with or without index */

/* plain.c: in a line of ASCII, or of Unicode. */
void nh_math_plain(nh_text *out, const nh_math *);
void nh_math_in_sentence(nh_text *out, const nh_math *);

/* boxes.c: in two dimensions, in Unicode; by rows of cells. mark: a combining character, or 0. */
typedef struct nh_cell {
    uint32_t c, mark;
} nh_cell;

typedef struct nh_box {
    size_t width, height, base; /* base: the row that stands on the line */
    nh_cell *cells;             /* by rows; c 0: a space */
} nh_box;

nh_box nh_box_of(nh_arena *, const nh_math *);
void nh_box_put(nh_box *into, size_t row, size_t column, const nh_box *what);
nh_box nh_box_new(nh_arena *, size_t width, size_t height, size_t base);
void nh_box_write(nh_text *out, const nh_box *, size_t row); /* one row, without the spaces at its end */

/* breaks.c: columns of the text in a line, or of the box; other formats take what the box takes. Lines of at most `width` columns where it can be broken, each with its indentation. */
typedef struct nh_math_line {
    const nh_math *math;
    size_t indent;
} nh_math_line;

typedef struct nh_math_lines {
    nh_math_line *items;
    size_t count, capacity;
} nh_math_lines;

size_t nh_math_width(nh_math_maker *, const nh_math *);
nh_math_lines nh_math_break(nh_math_maker *, const nh_math *, size_t width);

#endif
