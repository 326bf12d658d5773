/* Places in texts, and messages as they are shown. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---------------------------------------------------------------- the world of a test */

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    nh_diagnostics diagnostics;
    uint64_t seed;
} world;

static int setup(void **state)
{
    world *w = malloc(sizeof *w);
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap);
    nh_diagnostics_init(&w->diagnostics, &w->arena);
    w->seed = 1;
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    world *w = *state;
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
    free(w);
    return 0;
}

static size_t random_below(world *w, size_t n) { return (size_t)(nh_hash(w->seed += 0x9e3779b97f4a7c15u) % n); }

static const nh_source *source_of(world *w, const char *text)
{
    return nh_source_new(&w->arena, "m.nh", text, strlen(text));
}

/* ---------------------------------------------------------------- places */

static void expect_place(const nh_source *source, size_t offset, size_t line, size_t column)
{
    nh_place place = nh_source_place(source, (uint32_t)offset);
    if (place.line != line || place.column != column)
        fail_msg("byte %zu is at %zu:%zu instead of %zu:%zu", offset, place.line, place.column, line, column);
}

static void test_places(void **state)
{
    world *w = *state;
    const nh_source *source = source_of(w, "a\nbc\r\nd\re\n\n\tf\n");
    expect_place(source, 0, 1, 1);
    expect_place(source, 1, 1, 2);
    expect_place(source, 2, 2, 1);
    expect_place(source, 4, 2, 3);  /* CR */
    expect_place(source, 5, 2, 4);  /* LF */
    expect_place(source, 6, 3, 1);  /* d */
    expect_place(source, 8, 4, 1);  /* e, after a lone CR */
    expect_place(source, 10, 5, 1); /* an empty line */
    expect_place(source, 11, 6, 1); /* a tab is one character */
    expect_place(source, 12, 6, 2);
    expect_place(source, 14, 7, 1); /* the end */
    assert_int_equal(source->n_lines, 7);
    source = source_of(w, "θφ = €x");
    expect_place(source, 2, 1, 2);
    expect_place(source, 4, 1, 3);
    expect_place(source, 7, 1, 6);
    expect_place(source, 10, 1, 7);
    source = source_of(w, "\xef\xbb\xbf" "a\n\xef\xbb\xbf" "b");
    expect_place(source, 0, 1, 1);
    expect_place(source, 3, 1, 1);
    expect_place(source, 4, 1, 2);
    expect_place(source, 5, 2, 1);
    expect_place(source, 8, 2, 2); /* a mark in the midst is a character */
    source = source_of(w, "");
    expect_place(source, 0, 1, 1);
    assert_int_equal(source->n_lines, 1);
    source = source_of(w, "a\r\r\n\r");
    expect_place(source, 2, 2, 1);
    expect_place(source, 4, 3, 1);
    expect_place(source, 5, 4, 1);
}

/* Texts put together from pieces; where each of them begins is known by then. */
static void test_random_places(void **state)
{
    world *w = *state;
    static const char *const pieces[] = {"a", " ", "\t", "θ", "€", "𝄞", "\xff", "\xce", "\n", "\r\n", "\r"};
    enum { PIECES = sizeof pieces / sizeof *pieces, FIRST_END = 8 };
    for (int k = 0; k < 500; k++) {
        char text[1000];
        size_t offsets[201], lines[201], columns[201], length = 0, line = 1, column = 1, last = 0;
        if (random_below(w, 2))
            memcpy(text, "\xef\xbb\xbf", 3), length = 3;
        for (size_t i = 0; i <= 200; i++) {
            offsets[i] = length, lines[i] = line, columns[i] = column;
            size_t piece = random_below(w, PIECES);
            if (last == PIECES - 1 && pieces[piece][0] == '\n')
                piece = 0; /* CR and LF would be one */
            if (last == 7 && piece < FIRST_END)
                piece = 0; /* nor shall a broken character be mended */
            memcpy(text + length, pieces[piece], strlen(pieces[piece]));
            length += strlen(pieces[piece]);
            column++;
            if (piece >= FIRST_END)
                line++, column = 1;
            last = piece;
        }
        const nh_source *source = nh_source_new(&w->arena, "m.nh", text, length);
        for (size_t i = 0; i <= 200; i++)
            expect_place(source, offsets[i], lines[i], columns[i]);
        expect_place(source, length, line, column);
    }
}

static void test_spans(void **state)
{
    world *w = *state;
    char text[] = "kinetic 1/2*m*v^2", name[] = "a.nh";
    const nh_source *source = nh_source_new(&w->arena, name, text, strlen(text));
    memset(text, '#', strlen(text)); /* the source has its own copy */
    name[0] = '#';
    assert_string_equal(source->name, "a.nh");
    nh_span first = {8, 3}, last = {12, 5}, both = nh_span_join(first, last);
    assert_true(nh_slice_is(nh_source_slice(source, first), "1/2"));
    assert_true(nh_slice_is(nh_source_slice(source, both), "1/2*m*v^2"));
    assert_true(nh_slice_is(nh_source_slice(source, (nh_span){17, 0}), ""));
}

/* ---------------------------------------------------------------- messages */

static const char *shown(world *w, const nh_diagnostic *diagnostic)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_diagnostic_print(&text, diagnostic);
    return nh_text_get(&text);
}

/* The two lines below the message. */
static void expect_excerpt(world *w, const char *text, size_t length, nh_span span, const char *line, const char *caret)
{
    const nh_source *source = nh_source_new(&w->arena, "m.nh", text, length);
    const char *whole = shown(w, &(nh_diagnostic){NH_ERROR, source, span, "wrong", NULL});
    char want[3000];
    snprintf(want, sizeof want, "%5zu | %s\n      | %s\n", nh_source_place(source, span.offset).line, line, caret);
    const char *end = strchr(whole, '\n');
    assert_non_null(end);
    assert_string_equal(end + 1, want);
}

static void expect_line(world *w, const char *text, uint32_t offset, uint32_t length, const char *line,
                        const char *caret)
{
    expect_excerpt(w, text, strlen(text), (nh_span){offset, length}, line, caret);
}

static void test_message(void **state)
{
    world *w = *state;
    const nh_source *source = source_of(w, "coordinates x\nkinetic   m*x'^2\n");
    nh_diagnostic d = {NH_ERROR, source, {24, 1}, "unknown name 'm'", "declare it as a parameter"};
    assert_string_equal(shown(w, &d), "m.nh:2:11: error: unknown name 'm'; declare it as a parameter\n"
                                      "    2 | kinetic   m*x'^2\n"
                                      "      |           ^\n");
    d.severity = NH_WARNING, d.hint = NULL, d.span.length = 6;
    assert_string_equal(shown(w, &d), "m.nh:2:11: warning: unknown name 'm'\n"
                                      "    2 | kinetic   m*x'^2\n"
                                      "      |           ^~~~~~\n");
    d.source = NULL;
    assert_string_equal(shown(w, &d), "warning: unknown name 'm'\n");
}

static void test_excerpts(void **state)
{
    world *w = *state;
    expect_line(w, "abc", 0, 0, "abc", "^");
    expect_line(w, "abc", 0, 3, "abc", "^~~");
    expect_line(w, "abc", 2, 1, "abc", "  ^");
    expect_line(w, "abc", 3, 0, "abc", "   ^");
    expect_line(w, "abc\n", 3, 1, "abc", "   ^");
    expect_line(w, "abc\r\ndef", 3, 2, "abc", "   ^");
    expect_line(w, "abc\r\ndef", 5, 3, "def", "^~~");
    expect_line(w, "abc\rdef\r", 5, 1, "def", " ^");
    expect_line(w, "abc\n", 4, 0, "", "^");
    expect_line(w, "", 0, 0, "", "^");
    expect_line(w, "abc\ndef", 1, 6, "abc", " ^~"); /* to the end of its line */
    expect_line(w, "\tx + y", 5, 1, "\tx + y", "\t    ^");
    expect_line(w, "a\tb\tc", 4, 1, "a\tb\tc", " \t \t^");
    expect_line(w, "θ + φψ", 5, 4, "θ + φψ", "    ^~");
    expect_line(w, "θ + φψ", 7, 2, "θ + φψ", "     ^");
    expect_line(w, "€𝄞x", 7, 1, "€𝄞x", "  ^");
    expect_line(w, "\xef\xbb\xbfx + y", 7, 1, "x + y", "    ^");
    expect_line(w, "\xef\xbb\xbfx + y", 3, 1, "x + y", "^");
    expect_line(w, "\xef\xbb\xbfx\ny", 5, 1, "y", "^");
}

/* A hundred thousand lines: the number is wider, and the caret goes along. */
static void test_many_lines(void **state)
{
    world *w = *state;
    enum { LINES = 100000 };
    char *text = malloc(LINES + 4);
    memset(text, '\n', LINES);
    memcpy(text + LINES, "xyz", 4);
    const nh_source *source = nh_source_new(&w->arena, "m.nh", text, LINES + 3);
    free(text);
    expect_place(source, LINES + 1, LINES + 1, 2);
    expect_place(source, LINES / 2, LINES / 2 + 1, 1);
    nh_diagnostic d = {NH_ERROR, source, {LINES + 1, 1}, "wrong", NULL};
    assert_string_equal(shown(w, &d), "m.nh:100001:2: error: wrong\n"
                                      "100001 | xyz\n"
                                      "       |  ^\n");
}

/* Of a long line 90 characters before the place and 70 from it on are shown. */
static void check_long_line(world *w, const char *character, size_t count, size_t at, size_t marked)
{
    size_t size = strlen(character), from = at > 90 ? at - 90 : 0, to = at + 70 < count ? at + 70 : count;
    char text[3000] = "", line[3000] = "", caret[3000] = "";
    for (size_t i = 0; i < count; i++)
        strcat(text, character);
    strcat(line, from ? "..." : "");
    memcpy(line + strlen(line), text + from * size, (to - from) * size);
    strcat(line, to < count ? "..." : "");
    memset(caret, ' ', (from ? 3 : 0) + at - from);
    strcat(caret, "^");
    for (size_t i = at + 1; i < at + marked && i < to; i++)
        strcat(caret, "~");
    expect_line(w, text, (uint32_t)(at * size), (uint32_t)(marked * size), line, caret);
}

static void test_long_lines(void **state)
{
    world *w = *state;
    static const char *const characters[] = {"a", "θ", "€"};
    static const size_t counts[] = {69, 70, 71, 90, 91, 160, 161, 162, 300, 500};
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (size_t at = 0; at <= counts[i]; at++)
                check_long_line(w, characters[c], counts[i], at, at % 3 ? at % 7 : 200);
}

/* What could do harm to a terminal is shown as a question mark, one for each character. */
static void test_control_characters(void **state)
{
    world *w = *state;
    expect_line(w, "a\x01" "b\x1b[31mc\x7f" "d", 10, 1, "a?b?[31mc?d", "          ^");
    expect_line(w, "a\xc2\x85" "b", 3, 1, "a?b", "  ^");             /* U+0085 */
    expect_line(w, "a\xc2\xa0" "b", 3, 1, "a\xc2\xa0" "b", "  ^");   /* U+00A0 is a mere space */
    expect_line(w, "a\xe2\x80\xae" "b", 4, 1, "a?b", "  ^");         /* U+202E writes from right to left */
    expect_line(w, "a\xe2\x80\x8b" "b", 4, 1, "a?b", "  ^");         /* U+200B has no width */
    expect_line(w, "a\xe2\x81\xa6" "b\xe2\x81\xa9", 1, 3, "a?b?", " ^"); /* U+2066, U+2069 */
    expect_line(w, "a\xe2\x80\xa8" "b", 4, 1, "a?b", "  ^");         /* U+2028 ends a line */
    expect_line(w, "\xff\xfe" "b", 2, 1, "??b", "  ^");
    expect_line(w, "\xce", 0, 1, "?", "^");
    expect_line(w, "a\xce" "b", 2, 1, "a?b", "  ^");
    expect_excerpt(w, "a\0b", 3, (nh_span){2, 1}, "a?b", "  ^");
}

static void test_control_characters_in_messages(void **state)
{
    world *w = *state;
    nh_report(&w->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, "not \a, write θ", "unknown name '%s'",
              "\x1b[2Jφ\xff");
    assert_string_equal(shown(w, &w->diagnostics.items[0]), "error: unknown name '?[2Jφ?'; not ?, write θ\n");
}

/* Random bytes: lines without controls, and a caret that is not far. */
static void test_random_bytes(void **state)
{
    world *w = *state;
    for (int k = 0; k < 3000; k++) {
        char text[300];
        size_t length = 1 + random_below(w, sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = (char)(random_below(w, 3) ? 0x20 + random_below(w, 0x60) : random_below(w, 256));
        nh_span span = {(uint32_t)random_below(w, length + 1), 0};
        span.length = (uint32_t)random_below(w, length + 1 - span.offset);
        nh_diagnostic d = {NH_ERROR, nh_source_new(&w->arena, "m.nh", text, length), span, "wrong", NULL};
        const char *whole = shown(w, &d);
        int lines = 0;
        for (size_t i = 0, size; whole[i]; i += size) {
            uint32_t c;
            size = nh_utf8_decode(whole + i, strlen(whole + i), &c);
            assert_true(size > 0 && (c >= 0xa0 || (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'));
            lines += c == '\n';
        }
        assert_int_equal(lines, 3);
        assert_in_range(strlen(whole), 20, 2000);
    }
}

/* ---------------------------------------------------------------- reports */

static void test_report(void **state)
{
    world *w = *state;
    char hint[] = "do this";
    const nh_source *source = source_of(w, "x");
    nh_report(&w->diagnostics, NH_WARNING, source, (nh_span){0, 1}, hint, "%s and %d", "that", 7);
    hint[0] = '#'; /* copied */
    const nh_diagnostic *d = &w->diagnostics.items[0];
    assert_int_equal(w->diagnostics.count, 1);
    assert_int_equal(w->diagnostics.errors, 0);
    assert_string_equal(d->message, "that and 7");
    assert_string_equal(d->hint, "do this");
    assert_true(d->severity == NH_WARNING && d->source == source && d->span.length == 1);
    nh_report(&w->diagnostics, NH_ERROR, source, (nh_span){0, 1}, NULL, "plain");
    assert_null(w->diagnostics.items[1].hint);
    assert_int_equal(w->diagnostics.errors, 1);
}

static void test_long_report(void **state)
{
    world *w = *state;
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    nh_report(&w->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL, "unknown name '%s'", name);
    const char *message = w->diagnostics.items[0].message;
    assert_memory_equal(message, "unknown name 'nnnn", 18);
    assert_in_range(strlen(message), 500, sizeof name);
}

/* A long message is cut between two characters, wherever they begin. */
static void test_cut_report(void **state)
{
    world *w = *state;
    char name[1201];
    for (size_t i = 0; i < 1200; i += 3)
        memcpy(name + i, "€", 4);
    for (size_t shift = 0; shift < 3; shift++) {
        nh_report(&w->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL, "%.*s%s", (int)shift, "ab", name);
        const char *message = w->diagnostics.items[w->diagnostics.count - 1].message;
        size_t length = strlen(message);
        assert_true(length > 1000 && length < 1024);
        assert_int_equal((length - shift) % 3, 0);
    }
}

static void test_limit_of_errors(void **state)
{
    world *w = *state;
    nh_diagnostics *d = &w->diagnostics;
    for (int i = 1; i <= NH_MAX_ERRORS; i++) {
        nh_report(d, NH_WARNING, NULL, (nh_span){0, 0}, NULL, "warning %d", i);
        nh_report(d, NH_ERROR, NULL, (nh_span){0, 0}, NULL, "error %d", i);
        assert_false(nh_diagnostics_full(d));
        assert_int_equal(d->errors, i);
        assert_int_equal(d->count, 2 * i);
    }
    assert_string_equal(d->items[d->count - 1].message, "error 20");
    nh_report(d, NH_WARNING, NULL, (nh_span){0, 0}, NULL, "one more warning");
    assert_int_equal(d->count, 41);
    for (int i = 0; i < 5; i++) {
        nh_report(d, NH_ERROR, source_of(w, "x"), (nh_span){0, 1}, "hint", "error 21");
        nh_report(d, NH_WARNING, NULL, (nh_span){0, 0}, NULL, "warning 21");
        assert_true(nh_diagnostics_full(d));
        assert_int_equal(d->count, 42);
    }
    assert_non_null(strstr(d->items[41].message, "too many errors"));
    assert_int_equal(d->items[41].severity, NH_ERROR);
    assert_null(d->items[41].source);
}

/* ---------------------------------------------------------------- through the context */

static void report_two(void *arg)
{
    nh_context *context = arg;
    const nh_source *source = nh_source_new(&context->arena, "m.nh", "a = θφ\n", 9);
    nh_report(&context->diagnostics, NH_ERROR, source, (nh_span){4, 4}, "hint", "wrong");
    nh_report(&context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL, "careful");
}

static void report_nothing(void *arg) { (void)arg; }

static void test_context(void **state)
{
    (void)state;
    nh_context *context = nh_context_new(NULL);
    assert_int_equal(nh_context_call(context, report_two, context), NH_ERROR_MODEL);
    assert_int_equal(nh_message_count(context), 2);
    nh_message m = nh_message_get(context, 0);
    assert_string_equal(m.file, "m.nh");
    assert_true(m.line == 1 && m.column == 5 && m.length == 2 && m.severity == NH_ERROR);
    assert_string_equal(m.message, "wrong");
    assert_string_equal(m.hint, "hint");
    assert_string_equal(nh_message_text(context, 0), "m.nh:1:5: error: wrong; hint\n"
                                                     "    1 | a = θφ\n"
                                                     "      |     ^~\n");
    m = nh_message_get(context, 1);
    assert_true(m.line == 0 && m.severity == NH_WARNING && !m.hint && !*m.file);
    assert_string_equal(nh_message_text(context, 1), "warning: careful\n");
    assert_string_equal(nh_message_text(context, 2), "");
    assert_string_equal(nh_message_get(context, 2).message, "");
    assert_int_equal(nh_context_call(context, report_nothing, NULL), NH_OK);
    assert_int_equal(nh_message_count(context), 0);
    nh_context_free(context);
    assert_int_equal(nh_message_count(NULL), 0);
    nh_context_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_spans, setup, teardown),
        cmocka_unit_test_setup_teardown(test_message, setup, teardown),
        cmocka_unit_test_setup_teardown(test_excerpts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_control_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_control_characters_in_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_report, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_report, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_report, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limit_of_errors, setup, teardown),
        cmocka_unit_test(test_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
