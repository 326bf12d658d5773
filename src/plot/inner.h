/* What the files of plot/ share. */
#ifndef NH_PLOT_INNER_H
#define NH_PLOT_INNER_H

#include "plot/plot.h"

/* ---------------------------------------------------------------- words.c: text with marks in it
 * Words are UTF-8 that is fit for XML, with bytes between that raise, lower or slant what follows them. They are made
 * from any text, measured, shortened, and written as SVG. */

enum { NH_MARK_UP = 1, NH_MARK_DOWN, NH_MARK_SYMBOL, NH_MARK_END };

void nh_words_add(nh_text *words, const char *text); /* any text, as it is */
void nh_words_power(nh_text *words, int exponent);   /* 10 with an exponent */
const char *nh_words_plain(nh_arena *arena, const char *text);
const char *nh_words_name(nh_arena *arena, const char *name); /* theta1' as a symbol, if it reads like one */

/* An estimate from above, in pixels: the picture does not know its font. */
double nh_words_width(const char *words, double size);
const char *nh_words_fit(nh_arena *arena, const char *words, double size,
                         double width); /* with ... at the end */

/* ---------------------------------------------------------------- svg.c: elements */

typedef enum nh_anchor { NH_ANCHOR_START, NH_ANCHOR_MIDDLE, NH_ANCHOR_END } nh_anchor;

/* How a text stands; the class gives its colour and weight. */
typedef struct nh_lettering {
    const char *style; /* class, NULL: none */
    double size;
    nh_anchor anchor;
    bool upwards;
} nh_lettering;

void nh_svg_number(nh_text *out, double x);           /* hundredths at most */
void nh_svg_escaped(nh_text *out, const char *words); /* without marks */
void nh_svg_words(nh_text *out, double x, double y, nh_lettering lettering, const char *words);
void nh_svg_segment(nh_text *out, double x1, double y1, double x2, double y2); /* of a path's data */

/* ---------------------------------------------------------------- axis.c: from values to pixels */

typedef struct nh_axis {
    double low, high;  /* of the values, or of their decimal logarithms */
    double start, end; /* pixels */
    bool logarithmic;
} nh_axis;

/* The span of many values; low > high: there is none. */
typedef struct nh_extent {
    double low, high;
} nh_extent;

nh_extent nh_extent_of(const nh_curve *curves, size_t count, bool y, bool logarithmic);
void nh_axis_fit(nh_axis *axis, nh_extent extent,
                 double margin); /* margin: part of the span, on both sides */
void nh_axes_fit_equal(nh_axis *x, nh_axis *y, nh_extent of_x, nh_extent of_y, double margin);
double nh_axis_at(const nh_axis *axis, double value);    /* of a tick, which may be a little beyond */
double nh_axis_place(const nh_axis *axis, double value); /* NaN: it has no place */

/* ---------------------------------------------------------------- ticks.c */

/* first, ..., last times mantissa * 10^exponent: all numbers in the range that end in 1, 2 or 5 steps. */
typedef struct nh_steps {
    int64_t first, last;
    int mantissa, exponent;
} nh_steps;

enum { NH_MOST_TICKS = 12 };

typedef struct nh_tick {
    double at; /* pixels */
    const char *words;
} nh_tick;

typedef struct nh_ticks {
    nh_tick items[NH_MOST_TICKS];
    size_t count;
    const char *rest; /* the power of ten and the offset that were taken out of all; "" */
} nh_ticks;

nh_steps nh_steps_of(double low, double high, size_t most); /* the finest steps with at most so many ticks */
double nh_decimal(int64_t digits, int exponent);
nh_ticks nh_ticks_below(nh_arena *arena, const nh_axis *axis, double size); /* labels side by side */
nh_ticks nh_ticks_beside(nh_arena *arena, const nh_axis *axis);             /* labels above each other */

/* ---------------------------------------------------------------- dots.c: what of a curve can be seen */

/* A point in pixels; x is NaN where the line breaks. */
typedef struct nh_dot {
    double x, y;
} nh_dot;

typedef struct nh_dots {
    nh_dot *items;
    size_t count;
} nh_dots;

nh_dots nh_dots_place(nh_arena *arena, const nh_curve *curve, const nh_axis *x, const nh_axis *y);
void nh_dots_columns(nh_dots *dots); /* first, least, greatest and last of a column */
void nh_dots_ink(nh_arena *arena, nh_dots *dots, bool points); /* only what blackens a new pixel */
void nh_dots_straighten(nh_dots *dots, double tolerance);      /* without points on straight lines */

/* ---------------------------------------------------------------- curve.c */

enum { NH_COLOURS = 6, NH_DASHES = 4 };

/* Draws a curve; y of its end, NaN if nothing was drawn. */
double nh_curve_draw(nh_text *out, nh_arena *scratch, const nh_panel *panel, size_t index, const nh_axis *x,
                     const nh_axis *y);
void nh_curve_sample(nh_text *out, const nh_panel *panel, size_t index, double x, double y);

/* ---------------------------------------------------------------- panel.c, legend.c */

enum {
    NH_PANEL_LEFT = 66,
    NH_PANEL_TOP = 30,
    NH_PANEL_WIDTH = 330,
    NH_PANEL_HEIGHT = 206,
    NH_PANEL_BOTTOM = 44,
    NH_LEGEND_MOST = 12
};

double nh_legend_width(const nh_panel *panel, nh_arena *scratch); /* to the right of the panel */
void nh_legend_draw(nh_text *out, nh_arena *scratch, const nh_panel *panel, const double *ends);
void nh_panel_draw(nh_text *out, nh_arena *scratch, const nh_panel *panel); /* at the origin */

#endif
