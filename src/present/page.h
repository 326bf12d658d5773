/* Inside present/: a page, as blocks that every format can write: headings, sentences, equations, tables. */
#ifndef NH_PRESENT_PAGE_H
#define NH_PRESENT_PAGE_H

#include "present/math.h"

typedef enum nh_block_kind {
    NH_BLOCK_TITLE,
    NH_BLOCK_HEADING,
    NH_BLOCK_SENTENCE,
    NH_BLOCK_EQUATIONS, /* one below the other, aligned */
    NH_BLOCK_TABLE,
} nh_block_kind;

/* A piece of a sentence: words or a formula. */
typedef struct nh_run {
    const char *text;
    const nh_math *math; /* where text is NULL */
} nh_run;

/* left = right, or right alone where left is NULL. */
typedef struct nh_equation {
    const nh_math *left, *right;
} nh_equation;

typedef struct nh_block {
    nh_block_kind kind;
    nh_run *
        runs; /* of a title, a heading, a sentence; of a table, a cell each, by rows; the first row is the head */
    size_t n_runs, runs_capacity, columns;
    nh_equation *equations;
    size_t n_equations, equations_capacity;
} nh_block;

typedef struct nh_page {
    nh_math_maker maker;
    nh_block *blocks;
    size_t count, capacity;
    size_t width;  /* columns of a line */
    bool fragment; /* without what makes it a document */
    int level;     /* of headings in MathML, where it is part of a page and without its title; 0: its own */
} nh_page;

void nh_page_title(nh_page *, const char *text);
void nh_page_heading(nh_page *, const char *text);

/* Words, with formulas in the notation of notation.c between $ and $. */
void nh_page_say(nh_page *, const char *text);

void nh_page_words(nh_page *, const char *text); /* words alone, whatever they contain */
void nh_page_more(nh_page *, const char *words,
                  const nh_math *math); /* behind the last sentence: one of the two */

/* Behind the equation before it, if nothing stood between them. */
void nh_page_equation(nh_page *, const nh_math *left, const nh_math *right);
void nh_page_notation(nh_page *, const char *text); /* a general formula, on a line of its own */

/* The lines of the right-hand side of an equation, beside the widest left-hand side of its block. */
nh_math_lines nh_page_lines(nh_page *, const nh_block *, nh_equation);

void nh_page_table(nh_page *, size_t columns);
void nh_page_cell(nh_page *, const char *text);

/* text.c, latex.c, mathml.c: the page in a format. html: as a document that a browser opens. */
void nh_page_text(nh_page *, nh_text *out);
void nh_page_latex(nh_page *, nh_text *out);
void nh_page_mathml(nh_page *, nh_text *out, bool html);

#endif
