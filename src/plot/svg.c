/* The elements of a picture. */
#include "plot/inner.h"

#include <math.h>
#include <string.h>

void nh_svg_number(nh_text *out, double x)
{
    long long n = llround(x * 100), size = n < 0 ? -n : n;
    if (n < 0)
        nh_text_char(out, '-');
    if (size >= 100 || size == 0)
        nh_text_format(out, "%zu", (size_t)(size / 100));
    int rest = (int)(size % 100);
    if (rest % 10)
        nh_text_format(out, ".%d%d", rest / 10, rest % 10);
    else if (rest)
        nh_text_format(out, ".%d", rest / 10);
}

/* A minus sign separates as well as a blank does. */
static void add_pair(nh_text *out, double x, double y)
{
    nh_svg_number(out, x);
    if (llround(y * 100) >= 0)
        nh_text_char(out, ' ');
    nh_svg_number(out, y);
}

void nh_svg_segment(nh_text *out, double x1, double y1, double x2, double y2)
{
    nh_text_char(out, 'M');
    add_pair(out, x1, y1);
    nh_text_char(out, 'L');
    add_pair(out, x2, y2);
}

/* ---------------------------------------------------------------- text */

static void add_escaped(nh_text *out, char c)
{
    const char *escape = c == '&'   ? "&amp;"
                         : c == '<' ? "&lt;"
                         : c == '>' ? "&gt;"
                         : c == '"' ? "&quot;"
                                    : NULL;
    if (escape)
        nh_text_str(out, escape);
    else
        nh_text_char(out, c);
}

void nh_svg_escaped(nh_text *out, const char *words)
{
    for (; *words; words++)
        if (*words < NH_MARK_UP || *words > NH_MARK_END)
            add_escaped(out, *words);
}

typedef struct run_state {
    double up, moved; /* where it should stand, where the last run stood; pixels above the line */
    bool small, symbol;
} run_state;

static void read_mark(run_state *state, char mark, double size)
{
    state->symbol = mark == NH_MARK_SYMBOL;
    if (mark == NH_MARK_SYMBOL)
        return;
    state->small = mark != NH_MARK_END;
    state->up = mark == NH_MARK_UP ? 0.38 * size : mark == NH_MARK_DOWN ? -0.22 * size : 0;
}

/* A run of characters that look alike. */
static void add_run(nh_text *out, run_state *state, double size, const char *words, size_t length)
{
    bool moves = fabs(state->up - state->moved) > 0.01, span = moves || state->small || state->symbol;
    if (span)
        nh_text_str(out, "<tspan");
    if (span && moves)
        nh_text_str(out, " dy=\""), nh_svg_number(out, state->moved - state->up), nh_text_char(out, '"');
    if (span && (state->small || state->symbol)) {
        nh_text_str(out, " font-size=\"");
        nh_svg_number(out, size * (state->small ? 0.75 : 1) * (state->symbol ? 1.12 : 1));
        nh_text_str(out, state->symbol ? "\" class=\"symbol\"" : "\"");
    }
    nh_text_str(out, span ? ">" : "");
    for (size_t i = 0; i < length; i++)
        add_escaped(out, words[i]);
    nh_text_str(out, span ? "</tspan>" : "");
    state->moved = state->up;
}

static void add_runs(nh_text *out, double size, const char *words)
{
    run_state state = {0};
    while (*words) {
        size_t length = strcspn(words, "\1\2\3\4");
        if (length)
            add_run(out, &state, size, words, length);
        words += length;
        if (*words)
            read_mark(&state, *words++, size);
    }
}

void nh_svg_words(nh_text *out, double x, double y, nh_lettering lettering, const char *words)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    if (!*words)
        return;
    nh_text_str(out, "<text ");
    if (lettering.upwards)
        nh_text_str(out, "transform=\"translate("), add_pair(out, x, y), nh_text_str(out, ") rotate(-90)\"");
    else
        nh_text_str(out, "x=\""), nh_svg_number(out, x), nh_text_str(out, "\" y=\""), nh_svg_number(out, y),
            nh_text_char(out, '"');
    nh_text_str(out, anchors[lettering.anchor]);
    nh_text_str(out, " font-size=\"");
    nh_svg_number(out, lettering.size);
    nh_text_char(out, '"');
    if (lettering.style)
        nh_text_format(out, " class=\"%s\"", lettering.style);
    nh_text_char(out, '>');
    add_runs(out, lettering.size, words);
    nh_text_str(out, "</text>\n");
}
