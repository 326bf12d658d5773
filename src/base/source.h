/* Source texts, positions in them, and what is wrong there. */
#ifndef NH_BASE_SOURCE_H
#define NH_BASE_SOURCE_H

#include "base/text.h"

/* A text with a name, and where its lines begin. */
typedef struct nh_source {
    const char *name;
    const char *text;
    size_t length;
    uint32_t *lines; /* offset of each line's first byte */
    size_t n_lines, lines_capacity;
} nh_source;

/* Bytes offset .. offset + length of a source. */
typedef struct nh_span {
    uint32_t offset, length;
} nh_span;

nh_source *nh_source_new(nh_arena *arena, const char *name, const char *text, size_t length);
nh_slice nh_source_slice(const nh_source *source, nh_span span);
nh_span nh_span_join(nh_span first, nh_span last);

/* Line and column of a byte, in characters, counted from 1. */
typedef struct nh_place {
    size_t line, column;
} nh_place;
nh_place nh_source_place(const nh_source *source, uint32_t offset);

/* One message. */
typedef struct nh_diagnostic {
    nh_severity severity;
    const nh_source *source; /* NULL: about no text in particular */
    nh_span span;
    const char *message, *hint; /* hint may be NULL */
} nh_diagnostic;

/* The messages of one reading. After NH_MAX_ERRORS errors one more says that there may be others, and
 * the rest are dropped. */
enum { NH_MAX_ERRORS = 20 };

typedef struct nh_diagnostics {
    nh_arena *arena;
    nh_diagnostic *items;
    size_t count, capacity;
    size_t errors;
} nh_diagnostics;

void nh_diagnostics_init(nh_diagnostics *diagnostics, nh_arena *arena);
bool nh_diagnostics_full(const nh_diagnostics *diagnostics);

/* The message is a printf format; the hint a plain text or NULL. */
void nh_report(nh_diagnostics *, nh_severity, const nh_source *, nh_span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Whether it is well-formed UTF-8 without control characters; false: reported. */
bool nh_source_is_text(const nh_source *, nh_diagnostics *);

/* file:line:column: error: message; hint
 *     7 | the line
 *       |     ^~~~                                  appended to text */
void nh_diagnostic_print(nh_text *text, const nh_diagnostic *diagnostic);

#endif
