/* A curve: its line or its dots, in its colour and dashes. */
#include "plot/inner.h"

#include <math.h>

/* Points beyond this number are worth looking whether they add anything. */
enum { MANY = 8192 };

#define STRAIGHT 0.1 /* pixels */

/* ---------------------------------------------------------------- the data of a path */

static long long hundredths(double x) { return llround(100 * x); }

/* From the rounded place of the last point, so that rounding does not add up. */
static void add_step(nh_text *out, double *x, double *y, nh_dot dot)
{
    double dx = (double)(hundredths(dot.x) - hundredths(*x)) / 100;
    double dy = (double)(hundredths(dot.y) - hundredths(*y)) / 100;
    *x = dot.x, *y = dot.y;
    nh_svg_number(out, dx);
    if (dy >= 0)
        nh_text_char(out, ' ');
    nh_svg_number(out, dy);
}

static bool has_dot(const nh_dots *dots, size_t i) { return i < dots->count && !isnan(dots->items[i].x); }

static bool is_alone(const nh_dots *dots, size_t i)
{
    return has_dot(dots, i) && !(i && has_dot(dots, i - 1)) && !has_dot(dots, i + 1);
}

static void add_lines(nh_text *out, const nh_dots *dots)
{
    double x = 0, y = 0;
    bool drawing = false;
    for (size_t i = 0; i < dots->count; i++) {
        bool draws = has_dot(dots, i) && !is_alone(dots, i);
        bool here = draws && drawing && hundredths(x) == hundredths(dots->items[i].x) &&
                    hundredths(y) == hundredths(dots->items[i].y);
        if (draws && !drawing)
            x = y = 0, nh_text_char(out, 'M');
        else if (draws && !here)
            nh_text_char(out, 'l');
        if (draws && !here)
            add_step(out, &x, &y, dots->items[i]);
        drawing = draws;
    }
}

/* A dot is a line without length whose ends are round. */
static void add_dots(nh_text *out, const nh_dots *dots, bool all)
{
    for (size_t i = 0; i < dots->count; i++)
        if (has_dot(dots, i) && (all || is_alone(dots, i))) {
            double x = 0, y = 0;
            nh_text_char(out, 'M');
            add_step(out, &x, &y, dots->items[i]);
            nh_text_str(out, "h0");
        }
}

/* ---------------------------------------------------------------- elements */

static void begin_path(nh_text *out, const char *style, size_t index, bool dashed)
{
    nh_text_format(out, "<path class=\"%s c%zu", style, index % NH_COLOURS);
    if (dashed && index / NH_COLOURS % NH_DASHES)
        nh_text_format(out, " d%zu", index / NH_COLOURS % NH_DASHES);
    nh_text_str(out, "\" d=\"");
}

/* The name is shown by browsers when the curve is pointed at. */
static void end_path(nh_text *out, nh_arena *scratch, const char *name)
{
    nh_text_str(out, "\">");
    if (name && *name) {
        nh_text_str(out, "<title>");
        nh_svg_escaped(out, nh_words_plain(scratch, name));
        nh_text_str(out, "</title>");
    }
    nh_text_str(out, "</path>\n");
}

static nh_dots dots_of(nh_arena *scratch, const nh_panel *panel, const nh_curve *curve, const nh_axis *x,
                       const nh_axis *y)
{
    nh_dots dots = nh_dots_place(scratch, curve, x, y);
    if (!panel->points)
        nh_dots_columns(&dots);
    if (dots.count > MANY)
        nh_dots_ink(scratch, &dots, panel->points);
    if (!panel->points)
        nh_dots_straighten(&dots, STRAIGHT);
    return dots;
}

static double end_of(const nh_dots *dots)
{
    for (size_t i = dots->count; i-- > 0;)
        if (has_dot(dots, i))
            return dots->items[i].y;
    return NAN;
}

/* The start of a path is a ring. */
static void mark_start(nh_text *out, const nh_dots *dots, size_t index)
{
    if (!has_dot(dots, 0))
        return;
    nh_text_format(out, "<circle class=\"start c%zu\" cx=\"", index % NH_COLOURS);
    nh_svg_number(out, dots->items[0].x);
    nh_text_str(out, "\" cy=\"");
    nh_svg_number(out, dots->items[0].y);
    nh_text_str(out, "\" r=\"3\"/>\n");
}

double nh_curve_draw(nh_text *out, nh_arena *scratch, const nh_panel *panel, size_t index, const nh_axis *x,
                     const nh_axis *y)
{
    const nh_curve *curve = &panel->curves[index];
    nh_arena_mark before = nh_arena_here(scratch);
    nh_dots dots = dots_of(scratch, panel, curve, x, y);
    size_t alone = 0;
    for (size_t i = 0; i < dots.count; i++)
        alone += panel->points ? has_dot(&dots, i) : is_alone(&dots, i);
    if (!panel->points && dots.count > alone) {
        begin_path(out, "line", index, true);
        add_lines(out, &dots);
        end_path(out, scratch, curve->name);
    }
    if (alone) {
        begin_path(out, "dots", index, false);
        add_dots(out, &dots, panel->points);
        end_path(out, scratch, curve->name);
    }
    if (panel->equal_scales && !panel->points)
        mark_start(out, &dots, index);
    double end = end_of(&dots);
    nh_arena_release(scratch, before);
    return end;
}

void nh_curve_sample(nh_text *out, const nh_panel *panel, size_t index, double x, double y)
{
    begin_path(out, panel->points ? "dots" : "line", index, !panel->points);
    if (panel->points)
        nh_svg_segment(out, x + 8, y, x + 8, y);
    else
        nh_svg_segment(out, x, y, x + 18, y);
    nh_text_str(out, "\"/>\n");
}
