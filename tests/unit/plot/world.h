/* What the tests of plot/ share: memory, random numbers, and a reader of XML. */
#ifndef NH_TESTS_PLOT_WORLD_H
#define NH_TESTS_PLOT_WORLD_H

#include "plot/inner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    uint64_t seed;
} world;

static inline int setup(void **state)
{
    world *w = malloc(sizeof *w);
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap);
    w->seed = 1;
    *state = w;
    return 0;
}

static inline int teardown(void **state)
{
    world *w = *state;
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
    free(w);
    return 0;
}

static inline uint64_t random_bits(world *w) { return nh_hash(w->seed += 0x9e3779b97f4a7c15u); }
static inline double random_unit(world *w) { return (double)(random_bits(w) >> 11) * 0x1p-53; }
static inline double random_between(world *w, double a, double b) { return a + (b - a) * random_unit(w); }

/* ---------------------------------------------------------------- XML, as strict as need be */

static inline const char *read_element(const char *at, const char *name, size_t length);

static inline const char *read_text(const char *at)
{
    while (*at && *at != '<') {
        unsigned char c = (unsigned char)*at;
        assert_true(c >= 0x20 || c == '\n');
        assert_true(*at != '>');
        if (*at == '&')
            assert_true(!strncmp(at, "&amp;", 5) || !strncmp(at, "&lt;", 4) || !strncmp(at, "&gt;", 4) ||
                        !strncmp(at, "&quot;", 6));
        at++;
    }
    return at;
}

static inline const char *read_attributes(const char *at)
{
    while (*at == ' ') {
        at += 1 + strcspn(at + 1, "= <>\"");
        assert_true(at[0] == '=' && at[1] == '"');
        at += 2 + strcspn(at + 2, "\"<&");
        assert_int_equal(*at++, '"');
    }
    return at;
}

/* From behind < to behind the end of the element. */
static inline const char *read_rest(const char *at)
{
    size_t length = strcspn(at, " />");
    const char *name = at;
    assert_true(length > 0);
    at = read_attributes(at + length);
    if (at[0] == '/' && at[1] == '>')
        return at + 2;
    assert_int_equal(*at, '>');
    return read_element(at + 1, name, length);
}

static inline const char *read_element(const char *at, const char *name, size_t length)
{
    for (;;) {
        at = read_text(at);
        assert_int_equal(*at, '<');
        if (at[1] != '/') {
            at = read_rest(at + 1);
            continue;
        }
        assert_true(strncmp(at + 2, name, length) == 0 && at[2 + length] == '>');
        return at + 3 + length;
    }
}

/* A document with one element, in UTF-8, without a number that is none. */
static inline void check_xml(const char *text)
{
    uint32_t c;
    for (size_t i = 0, size, length = strlen(text); i < length; i += size) {
        size = nh_utf8_decode(text + i, length - i, &c);
        assert_int_not_equal(size, 0);
    }
    assert_int_equal(*text, '<');
    assert_string_equal(read_rest(text + 1), "\n");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "92233720368547758")); /* what becomes of NaN as an integer */
}

static inline size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static inline const char *figure_of(world *w, const nh_panel *panels, size_t count)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    nh_figure_svg(&out, &(nh_figure){"A figure", panels, count, 0});
    check_xml(nh_text_get(&out));
    return nh_text_get(&out);
}

#endif
