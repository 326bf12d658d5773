/* The door of plot/: pictures in SVG. Arrays go in, text comes out; no mechanics is computed here.
 *
 * All texts that are given are shown as text, whatever is in them. A number that is not finite, or beyond 1e300, or on
 * a logarithmic axis not at least 1e-290, breaks its line. A picture stays small however long the curves are. */
#ifndef NH_PLOT_H
#define NH_PLOT_H

#include "base/base.h"

/* Names and labels of axes that read like theta1', v_G or x, y are set as formulas; others as they are. */
typedef struct nh_curve {
    const char *name; /* stands beside the curve's end; NULL: none */
    const double *x, *y;
    size_t count;
} nh_curve;

typedef struct nh_panel {
    const char *title, *x_label, *y_label; /* NULL: none */
    const nh_curve *curves;
    size_t n_curves;
    bool equal_scales; /* a path: a unit is as long on both axes, and the start is marked */
    bool y_logarithmic;
    bool points; /* dots instead of lines */
} nh_panel;

typedef struct nh_figure {
    const char *title; /* NULL: none */
    const nh_panel *panels;
    size_t n_panels;
    size_t columns; /* panels in a row; 0: chosen */
} nh_figure;

/* Adds an <svg> element, which is a document of its own and can stand in a page as well. */
void nh_figure_svg(nh_text *out, const nh_figure *figure);

typedef struct nh_plot_column {
    const char *name;
    nh_column kind;
    const double *values; /* as many as there are rows */
} nh_plot_column;

/* The picture of a motion: the path in the plane, where there is one, and everything over time. The path is that of
 * each x.. with its y.. among coordinates and what is observed; without such names, that of the first two lengths. */
void nh_plot_motion(nh_text *out, const char *title, const double *t, size_t rows,
                    const nh_plot_column *columns, size_t n_columns);

/* Eigenvalues over what is varied, the first column: real parts, imaginary parts, and both in the complex plane. The others are
 * real parts, each followed by its imaginary part. */
void nh_plot_locus(nh_text *out, const char *title, size_t rows, const nh_plot_column *columns, size_t n_columns);

/* Points of a section: each coordinate with its rate; angles within a turn. */
void nh_plot_section(nh_text *out, const char *title, size_t rows, const nh_plot_column *columns, size_t n_columns);

#endif
