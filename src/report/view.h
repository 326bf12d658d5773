/* Inside report/: how the moving picture looks at the motion. */
#ifndef NH_REPORT_VIEW_H
#define NH_REPORT_VIEW_H

#include "report/inner.h"

enum { NH_VIEW_WIDTH = 320, NH_VIEW_HEIGHT = 200 };

/* From space to the picture, in pixels: m x + c. Shadows are seen through one of their own. */
typedef struct nh_lens {
    double m[2][3], c[2];
} nh_lens;

typedef struct nh_view {
    const nh_scene *scene;
    nh_lens lens;
    double back[3]; /* towards the eye */
    double scale;   /* pixels of a unit */
    size_t *rows;   /* of the motion, a frame each */
    size_t frames;
    double (*moved)
        [2]; /* of each frame: how far everything is shifted to keep the bodies in sight; NULL: not at all */
    const nh_drawn *ground; /* in space; NULL: none */
    double normal[3];       /* of the ground, or of the plane */
} nh_view;

/* False: there is nothing to look at. */
bool nh_view_open(nh_view *, const nh_scene *, nh_arena *);

void nh_place_at(const nh_scene *, const nh_quantity *triple, size_t row, double *x);
void nh_lens_see(const nh_lens *, const double *x, double *pixel);
nh_lens nh_lens_of_shadows(const nh_view *);

double nh_dot3(const double *a, const double *b);
void nh_cross3(const double *a, const double *b, double *out);
void nh_unit3(double *a); /* as it is where it is 0 */
void nh_tangents(const double *normal, double *first, double *second);
double nh_round_up(double x); /* to 1, 2 or 5 times a power of ten */

#endif
