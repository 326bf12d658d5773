/* What the tests of lang/ share: memory that must all be given back, a source, and the messages. Include it
 * before cmocka.h. */
#ifndef NH_TEST_LANG_WORLD_H
#define NH_TEST_LANG_WORLD_H

#include "lang/lang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    nh_numbers numbers;
    nh_diagnostics diagnostics;
} world;

static inline int setup(void **state)
{
    world *w = calloc(1, sizeof *w);
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap);
    nh_numbers_init(&w->numbers, &w->arena);
    *state = w;
    return 0;
}

static inline int teardown(void **state)
{
    world *w = *state;
    nh_numbers_free(&w->numbers);
    nh_arena_free(&w->arena);
    size_t left = w->heap.used;
    free(w);
    return left != 0;
}

/* A text as a source, without messages so far. */
static inline const nh_source *open_text(world *w, const char *text)
{
    nh_diagnostics_init(&w->diagnostics, &w->arena);
    return nh_source_new(&w->arena, "test.nh", text, strlen(text));
}

/* "2:7: message; hint", a line for each. */
static inline void add_messages(world *w, nh_text *out)
{
    for (size_t i = 0; i < w->diagnostics.count; i++) {
        const nh_diagnostic *d = &w->diagnostics.items[i];
        if (d->source) {
            nh_place place = nh_source_place(d->source, d->span.offset);
            nh_text_format(out, "%zu:%zu: ", place.line, place.column);
        }
        nh_text_format(out, "%s%s%s\n", d->message, d->hint ? "; " : "", d->hint ? d->hint : "");
    }
}

/* The same text many times. */
static inline char *times(world *w, const char *piece, size_t count)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    while (count--)
        nh_text_str(&out, piece);
    return nh_arena_copy(&w->arena, nh_text_get(&out), out.length);
}

static inline const char *join(world *w, const char *a, const char *b)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    nh_text_str(&out, a);
    nh_text_str(&out, b);
    return nh_text_get(&out);
}

#endif
