/* A panel: axes with their ticks and labels, the curves, and the legend. */
#include "plot/inner.h"

#include <math.h>

#define TICK_SIZE 11.0
#define LABEL_SIZE 12.0
#define TITLE_SIZE 13.0
#define MARGIN 0.05 /* between the curves and the frame */

enum { WIDTH = NH_PANEL_WIDTH, HEIGHT = NH_PANEL_HEIGHT };

/* ---------------------------------------------------------------- axes */

static void fit_axes(const nh_panel *panel, nh_axis *x, nh_axis *y)
{
    nh_extent of_x = nh_extent_of(panel->curves, panel->n_curves, false, false);
    nh_extent of_y = nh_extent_of(panel->curves, panel->n_curves, true, panel->y_logarithmic);
    *x = (nh_axis){.start = 0, .end = WIDTH};
    *y = (nh_axis){.start = HEIGHT, .end = 0, .logarithmic = panel->y_logarithmic};
    if (panel->equal_scales && !panel->y_logarithmic) {
        nh_axes_fit_equal(x, y, of_x, of_y, MARGIN);
        return;
    }
    nh_axis_fit(x, of_x, panel->points ? MARGIN : 0); /* a line over time goes from side to side */
    nh_axis_fit(y, of_y, MARGIN);
}

static void draw_grid(nh_text *out, const nh_ticks *x, const nh_ticks *y)
{
    nh_text_str(out, "<path class=\"grid\" d=\"");
    for (size_t i = 0; i < x->count; i++)
        nh_svg_segment(out, x->items[i].at, 0, x->items[i].at, HEIGHT);
    for (size_t i = 0; i < y->count; i++)
        nh_svg_segment(out, 0, y->items[i].at, WIDTH, y->items[i].at);
    nh_text_str(out, "\"/>\n");
}

/* Where the values change their sign. */
static void draw_zero(nh_text *out, const nh_axis *y)
{
    double zero = nh_axis_place(y, 0);
    if (y->logarithmic || !(zero > 0 && zero < HEIGHT))
        return;
    nh_text_str(out, "<path class=\"zero\" d=\"");
    nh_svg_segment(out, 0, zero, WIDTH, zero);
    nh_text_str(out, "\"/>\n");
}

static void draw_frame(nh_text *out, const nh_ticks *x, const nh_ticks *y)
{
    nh_text_format(out, "<path class=\"frame\" d=\"M0 0V%dH%d", HEIGHT, WIDTH);
    for (size_t i = 0; i < x->count; i++)
        nh_svg_segment(out, x->items[i].at, HEIGHT, x->items[i].at, HEIGHT + 4);
    for (size_t i = 0; i < y->count; i++)
        nh_svg_segment(out, -4, y->items[i].at, 0, y->items[i].at);
    nh_text_str(out, "\"/>\n");
}

static void draw_tick_labels(nh_text *out, const nh_ticks *x, const nh_ticks *y)
{
    for (size_t i = 0; i < x->count; i++)
        nh_svg_words(out, x->items[i].at, HEIGHT + 17,
                     (nh_lettering){.style = "tick", .size = TICK_SIZE, .anchor = NH_ANCHOR_MIDDLE},
                     x->items[i].words);
    for (size_t i = 0; i < y->count; i++)
        nh_svg_words(out, -7, y->items[i].at + 4,
                     (nh_lettering){.style = "tick", .size = TICK_SIZE, .anchor = NH_ANCHOR_END},
                     y->items[i].words);
}

/* ---------------------------------------------------------------- labels */

/* Below the ticks, the power of ten to the right of it. */
static void label_x(nh_text *out, nh_arena *scratch, const nh_panel *panel, const nh_ticks *ticks)
{
    double rest = nh_words_width(ticks->rest, TICK_SIZE), room = WIDTH - 2 * rest - 16;
    const char *words = nh_words_fit(scratch, nh_words_name(scratch, panel->x_label), LABEL_SIZE, room);
    nh_svg_words(out, WIDTH / 2, HEIGHT + 35, (nh_lettering){.size = LABEL_SIZE, .anchor = NH_ANCHOR_MIDDLE},
                 words);
    nh_svg_words(out, WIDTH, HEIGHT + 35,
                 (nh_lettering){.style = "tick", .size = TICK_SIZE, .anchor = NH_ANCHOR_END}, ticks->rest);
}

/* To the left of the ticks; a short label stands upright, a longer one along the axis. */
static void label_y(nh_text *out, nh_arena *scratch, const nh_panel *panel, const nh_ticks *ticks)
{
    const char *words = nh_words_fit(scratch, nh_words_name(scratch, panel->y_label), LABEL_SIZE, HEIGHT);
    double widest = 0, width = nh_words_width(words, LABEL_SIZE);
    for (size_t i = 0; i < ticks->count; i++)
        widest = fmax(widest, nh_words_width(ticks->items[i].words, TICK_SIZE));
    bool upright = width <= NH_PANEL_LEFT - 14 - widest;
    nh_lettering lettering = {
        .size = LABEL_SIZE, .anchor = upright ? NH_ANCHOR_END : NH_ANCHOR_MIDDLE, .upwards = !upright};
    nh_svg_words(out, fmax(-widest - 14, 12 - NH_PANEL_LEFT), HEIGHT / 2 + (upright ? 4 : 0), lettering,
                 words);
}

/* The title above the frame; before it, above the axis that it belongs to, the power of ten. */
static void draw_head(nh_text *out, nh_arena *scratch, const nh_panel *panel, const nh_ticks *y)
{
    double rest = nh_words_width(y->rest, TICK_SIZE), room = NH_PANEL_LEFT - 4;
    bool fits = rest <= room;
    nh_svg_words(
        out, fits ? -6 : 4 - NH_PANEL_LEFT, -10,
        (nh_lettering){.style = "tick", .size = TICK_SIZE, .anchor = fits ? NH_ANCHOR_END : NH_ANCHOR_START},
        y->rest);
    double from = fits ? 0 : rest - room + 14;
    nh_svg_words(
        out, from, -10, (nh_lettering){.style = "head", .size = TITLE_SIZE},
        nh_words_fit(scratch, nh_words_plain(scratch, panel->title), TITLE_SIZE * 1.08, WIDTH - from));
}

/* An empty frame could be taken for a mistake. */
static void tell_empty(nh_text *out, const nh_panel *panel, const double *ends)
{
    for (size_t i = 0; i < panel->n_curves; i++)
        if (!isnan(ends[i]))
            return;
    nh_svg_words(out, WIDTH / 2, HEIGHT / 2,
                 (nh_lettering){.style = "tick", .size = LABEL_SIZE, .anchor = NH_ANCHOR_MIDDLE},
                 "no values");
}

void nh_panel_draw(nh_text *out, nh_arena *scratch, const nh_panel *panel)
{
    nh_axis x, y;
    fit_axes(panel, &x, &y);
    nh_ticks below = nh_ticks_below(scratch, &x, TICK_SIZE), beside = nh_ticks_beside(scratch, &y);
    double *ends = nh_arena_array(scratch, panel->n_curves + 1, sizeof *ends);
    draw_grid(out, &below, &beside);
    draw_zero(out, &y);
    draw_frame(out, &below, &beside);
    for (size_t i = 0; i < panel->n_curves; i++)
        ends[i] = nh_curve_draw(out, scratch, panel, i, &x, &y);
    tell_empty(out, panel, ends);
    draw_tick_labels(out, &below, &beside);
    label_x(out, scratch, panel, &below);
    label_y(out, scratch, panel, &beside);
    draw_head(out, scratch, panel, &beside);
    nh_legend_draw(out, scratch, panel, ends);
}
