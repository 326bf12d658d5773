/* Inside report/: what a body looks like in a frame of the moving picture, as the data of SVG paths. */
#ifndef NH_REPORT_OUTLINE_H
#define NH_REPORT_OUTLINE_H

#include "report/view.h"

void nh_tenths(nh_text *out, double x);
void nh_pixel(nh_text *out, const double *pixel);

/* A line of an item in a row of the motion. */
typedef void nh_outline(nh_text *out, const nh_view *, const nh_lens *, const nh_drawn *, size_t row);

/* About the place of the item: */
nh_outline nh_draw_outline; /* of balls, ellipsoids and discs */
nh_outline nh_draw_half,
    nh_draw_circles; /* of balls and ellipsoids: fields and lines that show their turning */
nh_outline nh_draw_spokes, nh_draw_mark; /* of discs: the same */
nh_outline nh_draw_box;

/* Where they are: */
nh_outline nh_draw_rod, nh_draw_vector;

#endif
