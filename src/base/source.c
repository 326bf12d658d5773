#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A line ends with LF, CR LF or CR. */
static bool ends_line(const char *text, size_t length, size_t i)
{
    return text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'));
}

nh_source *nh_source_new(nh_arena *arena, const char *name, const char *text, size_t length)
{
    nh_source *source = nh_arena_array(arena, 1, sizeof *source);
    source->name = nh_arena_copy(arena, name, strlen(name));
    source->text = nh_arena_copy(arena, text, length);
    source->length = length;
    nh_push(arena, source->lines, source->n_lines, source->lines_capacity) = 0;
    for (size_t i = 0; i < length; i++)
        if (ends_line(text, length, i))
            nh_push(arena, source->lines, source->n_lines, source->lines_capacity) = (uint32_t)(i + 1);
    return source;
}

nh_slice nh_source_slice(const nh_source *source, nh_span span)
{
    return (nh_slice){source->text + span.offset, span.length};
}

nh_span nh_span_join(nh_span first, nh_span last)
{
    return (nh_span){first.offset, last.offset + last.length - first.offset};
}

/* The last line that begins at or before the offset. */
static size_t line_of(const nh_source *source, uint32_t offset)
{
    size_t low = 0, high = source->n_lines;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (source->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool has_bom(const nh_source *source)
{
    return source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;
}

/* Where the text of a line begins: the byte order mark does not count. */
static size_t line_start(const nh_source *source, size_t line)
{
    return line == 0 && has_bom(source) ? 3 : source->lines[line];
}

/* Where it ends, without its line end. */
static size_t line_end(const nh_source *source, size_t line)
{
    size_t end = line + 1 < source->n_lines ? source->lines[line + 1] : source->length;
    while (end > line_start(source, line) && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        end--;
    return end;
}

/* The length of the character at i; a byte that is not UTF-8 counts as one character. */
static size_t character(const nh_source *source, size_t i, size_t end)
{
    uint32_t c;
    size_t size = nh_utf8_decode(source->text + i, end - i, &c);
    return size ? size : 1;
}

nh_place nh_source_place(const nh_source *source, uint32_t offset)
{
    size_t line = line_of(source, offset), column = 1;
    for (size_t i = line_start(source, line); i < offset && i < source->length; column++)
        i += character(source, i, source->length);
    return (nh_place){line + 1, column};
}

void nh_diagnostics_init(nh_diagnostics *diagnostics, nh_arena *arena)
{
    *diagnostics = (nh_diagnostics){.arena = arena};
}

bool nh_diagnostics_full(const nh_diagnostics *diagnostics) { return diagnostics->errors > NH_MAX_ERRORS; }

static void append(nh_diagnostics *diagnostics, nh_diagnostic diagnostic)
{
    nh_push(diagnostics->arena, diagnostics->items, diagnostics->count, diagnostics->capacity) = diagnostic;
}

/* Without a part of a character at the end, where a text was cut. */
static size_t whole_characters(const char *text, size_t length)
{
    size_t last = length;
    while (last > 0 && ((unsigned char)text[last - 1] & 0xc0) == 0x80)
        last--;
    uint32_t c;
    bool whole = last == 0 || nh_utf8_decode(text + last - 1, length - last + 1, &c) == length - last + 1;
    return whole ? length : last - 1;
}

void nh_report(nh_diagnostics *diagnostics, nh_severity severity, const nh_source *source, nh_span span,
               const char *hint, const char *format, ...)
{
    if (nh_diagnostics_full(diagnostics))
        return;
    if (severity == NH_ERROR && ++diagnostics->errors > NH_MAX_ERRORS) {
        append(diagnostics,
               (nh_diagnostic){NH_ERROR, NULL, {0, 0}, "too many errors; the rest are not shown", NULL});
        return;
    }
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t kept = length < 0 ? 0 : strnlen(message, sizeof message);
    if (length >= (int)sizeof message)
        kept = whole_characters(message, kept);
    append(diagnostics,
           (nh_diagnostic){severity, source, span, nh_arena_copy(diagnostics->arena, message, kept),
                           hint ? nh_arena_copy(diagnostics->arena, hint, strlen(hint)) : NULL});
}

/* ---------------------------------------------------------------- the source line and the caret */

enum { SHOWN_BEFORE = 90, SHOWN_AFTER = 70 }; /* characters of a long line around the place */

typedef struct excerpt {
    size_t from, to; /* bytes shown */
    bool cut_left, cut_right;
} excerpt;

/* The part of the line around a place that fits on a screen. */
static excerpt excerpt_of(const nh_source *source, size_t line, uint32_t offset)
{
    size_t start = line_start(source, line), end = line_end(source, line);
    excerpt shown = {start, end, false, false};
    size_t count = 0;
    for (size_t i = offset < end ? offset : end; i > start && count < SHOWN_BEFORE; count++) {
        do
            i--;
        while (i > start && ((unsigned char)source->text[i] & 0xc0) == 0x80);
        shown.from = i;
    }
    shown.cut_left = count == SHOWN_BEFORE && shown.from > start;
    if (!shown.cut_left)
        shown.from = start;
    size_t i = offset < end ? offset : end;
    for (count = 0; i < end && count < SHOWN_AFTER; count++)
        i += character(source, i, end);
    shown.to = i;
    shown.cut_right = i < end;
    return shown;
}

/* One character, made harmless for a terminal. */
static void print_character(nh_text *text, const char *data, size_t size)
{
    uint32_t c = 0;
    bool fine =
        nh_utf8_decode(data, size, &c) && c != 0x7f && (c >= 0xa0 || (c >= 0x20 && c < 0x7f) || c == '\t');
    bool directed =
        (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    if (fine && !directed)
        nh_text_add(text, data, size);
    else
        nh_text_char(text, '?');
}

static void print_excerpt(nh_text *text, const nh_source *source, excerpt shown)
{
    if (shown.cut_left)
        nh_text_str(text, "...");
    for (size_t i = shown.from; i < shown.to;) {
        size_t size = character(source, i, shown.to);
        print_character(text, source->text + i, size);
        i += size;
    }
    if (shown.cut_right)
        nh_text_str(text, "...");
}

static void print_caret(nh_text *text, const nh_source *source, excerpt shown, nh_span span)
{
    if (shown.cut_left)
        nh_text_str(text, "   ");
    for (size_t i = shown.from; i < span.offset && i < shown.to;) {
        nh_text_char(text, source->text[i] == '\t' ? '\t' : ' ');
        i += character(source, i, shown.to);
    }
    nh_text_char(text, '^');
    size_t end = (size_t)span.offset + span.length, i = span.offset;
    if (i < shown.to)
        i += character(source, i, shown.to);
    for (; i < end && i < shown.to; i += character(source, i, shown.to))
        nh_text_char(text, '~');
}

static void print_source(nh_text *text, const nh_source *source, nh_span span)
{
    size_t line = line_of(source, span.offset);
    excerpt shown = excerpt_of(source, line, span.offset);
    size_t before = text->length;
    nh_text_format(text, "%5zu", line + 1);
    size_t width = text->length - before;
    nh_text_str(text, " | ");
    print_excerpt(text, source, shown);
    nh_text_char(text, '\n');
    nh_text_repeat(text, ' ', width);
    nh_text_str(text, " | ");
    print_caret(text, source, shown, span);
    nh_text_char(text, '\n');
}

/* Names in messages may hold anything that was in the text: controls are not passed on. */
static void print_clean(nh_text *text, const char *string)
{
    for (size_t i = 0, length = strlen(string); i < length;) {
        uint32_t c;
        size_t size = nh_utf8_decode(string + i, length - i, &c);
        print_character(text, string + i, size ? size : 1);
        i += size ? size : 1;
    }
}

void nh_diagnostic_print(nh_text *text, const nh_diagnostic *diagnostic)
{
    const nh_source *source = diagnostic->source;
    if (source) {
        nh_place place = nh_source_place(source, diagnostic->span.offset);
        print_clean(text, source->name);
        nh_text_format(text, ":%zu:%zu: ", place.line, place.column);
    }
    nh_text_str(text, diagnostic->severity == NH_ERROR ? "error: " : "warning: ");
    print_clean(text, diagnostic->message);
    if (diagnostic->hint) {
        nh_text_str(text, "; ");
        print_clean(text, diagnostic->hint);
    }
    nh_text_char(text, '\n');
    if (source)
        print_source(text, source, diagnostic->span);
}

/* ---------------------------------------------------------------- files that are no text */

static bool is_control(uint32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c < 0xa0);
}

bool nh_source_is_text(const nh_source *source, nh_diagnostics *diagnostics)
{
    for (size_t i = 0; i < source->length;) {
        uint32_t c = 0;
        size_t size = nh_utf8_decode(source->text + i, source->length - i, &c);
        nh_span here = {(uint32_t)i, 1};
        if (size == 0) {
            nh_report(diagnostics, NH_ERROR, source, here, "save the file as UTF-8 text",
                      "invalid UTF-8: byte 0x%02x", (unsigned)(unsigned char)source->text[i]);
            return false;
        }
        if (is_control(c)) {
            nh_report(diagnostics, NH_ERROR, source, here, "is this a text file?",
                      c ? "control character 0x%02x" : "NUL character (0x%02x)", (unsigned)c);
            return false;
        }
        i += size;
    }
    return true;
}
