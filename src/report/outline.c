/* Bodies as lines of a picture: the data of SVG paths, of one frame each. A body is the image A u + x of the unit ball or circle, and
 * so is what is seen of it through a lens. */
#include "report/outline.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- numbers */

/* Tenths of pixels; a minus sign separates as well as a blank does. */
void nh_tenths(nh_text *out, double x)
{
    long long n = llround(x * 10), size = n < 0 ? -n : n;
    char last = out->length ? out->data[out->length - 1] : ' ';
    if (n < 0)
        nh_text_char(out, '-');
    else if (last >= '0' && last <= '9')
        nh_text_char(out, ' ');
    if (size >= 10 || size == 0)
        nh_text_format(out, "%zu", (size_t)(size / 10));
    if (size % 10)
        nh_text_format(out, ".%d", (int)(size % 10));
}

void nh_pixel(nh_text *out, const double *pixel) { nh_tenths(out, pixel[0]), nh_tenths(out, pixel[1]); }

static void corner(nh_text *out, char command, const double *pixel)
{
    nh_text_char(out, command);
    nh_pixel(out, pixel);
}

/* ---------------------------------------------------------------- bodies */

static void frame_of(const nh_view *view, const nh_drawn *item, size_t row, double R[3][3])
{
    for (int k = 0; k < 9; k++)
        R[k / 3][k % 3] = item->R[0].there ? nh_quantity_at(view->scene, &item->R[k], row) : k % 4 == 0;
}

/* r (I - n n^T), n being the axis */
static void disc_of(const nh_view *view, const nh_drawn *item, size_t row, double A[3][3])
{
    double n[3], r = nh_quantity_at(view->scene, &item->radius, row);
    nh_place_at(view->scene, item->other, row, n);
    nh_unit3(n);
    for (int k = 0; k < 9; k++)
        A[k / 3][k % 3] = r * ((k % 4 == 0) - n[k / 3] * n[k % 3]);
}

/* R Q diag(axes), Q being the principal axes in the frame R; of a ball r R */
static void ball_of(const nh_view *view, const nh_drawn *item, size_t row, double A[3][3])
{
    double R[3][3], r = 1;
    bool ball = item->drawing->shape == NH_SHAPE_BALL;
    if (ball)
        r = nh_quantity_at(view->scene, &item->radius, row);
    if (!item->R[0].there) /* it stands for a point */
        r = fmax(r, 4 / view->scale);
    frame_of(view, item, row, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            A[i][j] = ball ? r * R[i][j] : 0;
            for (int k = 0; k < 3 && !ball; k++)
                A[i][j] += R[i][k] * item->turned[3 * k + j] * item->axes[j];
        }
}

static void body_of(const nh_view *view, const nh_drawn *item, size_t row, double A[3][3])
{
    if (item->drawing->shape == NH_SHAPE_DISC)
        disc_of(view, item, row, A);
    else
        ball_of(view, item, row, A);
}

/* ---------------------------------------------------------------- ellipses */

static const double quarter = 0.5523; /* of a circle, as a cubic curve */

static void add(double *out, const double *a, double x, const double *b)
{
    out[0] = a[0] + x * b[0], out[1] = a[1] + x * b[1];
}

/* u cos + v sin */
static void ellipse(nh_text *out, const double *u, const double *v)
{
    double minus_u[2] = {-u[0], -u[1]}, minus_v[2] = {-v[0], -v[1]}, c[2];
    corner(out, 'M', u);
    add(c, u, quarter, v), corner(out, 'C', c);
    add(c, v, quarter, u), nh_pixel(out, c), nh_pixel(out, v);
    add(c, minus_u, quarter, v), corner(out, 'S', c), nh_pixel(out, minus_u);
    add(c, minus_v, -quarter, u), nh_pixel(out, c), nh_pixel(out, minus_v);
    add(c, u, -quarter, v), nh_pixel(out, c), nh_pixel(out, u);
    nh_text_char(out, 'Z');
}

/* What m A maps the unit ball to: the root of B B^T does the same to the unit disc, and changes slowly when the body turns. */
void nh_draw_outline(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    double A[3][3], B[2][3] = {{0}};
    body_of(view, item, row, A);
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < 3; j++)
            B[k / 3][k % 3] += lens->m[k / 3][j] * A[j][k % 3];
    double a = nh_dot3(B[0], B[0]), b = nh_dot3(B[0], B[1]), c = nh_dot3(B[1], B[1]);
    double s = sqrt(fmax(a * c - b * b, 0)), t = sqrt(a + c + 2 * s);
    if (!(t > 0))
        t = 1;
    ellipse(out, (double[]){(a + s) / t, b / t}, (double[]){b / t, (c + s) / t});
}

/* ---------------------------------------------------------------- the turning of round bodies */

/* Of the great circle about the axis k, in the coordinates u of the unit ball: its ends at the rim of what is seen, the middle of its
 * half in front, and the point of the rim on the side of the axis. */
typedef struct half_circle {
    double end[3], front[3], side[3];
} half_circle;

static half_circle half_of(const nh_view *view, double A[3][3], int k)
{
    half_circle h;
    double w[3], axis[3] = {k == 0, k == 1, k == 2};
    for (int j = 0; j < 3; j++) { /* the columns of A are orthogonal */
        double column[3] = {A[0][j], A[1][j], A[2][j]};
        w[j] = nh_dot3(column, view->back) / nh_dot3(column, column);
    }
    nh_unit3(w);
    double along = nh_dot3(axis, w);
    nh_cross3(axis, w, h.end);
    if (nh_dot3(h.end, h.end) < 1e-12)
        nh_cross3(axis, (double[]){k == 1, k == 2, k == 0}, h.end);
    nh_unit3(h.end);
    for (int j = 0; j < 3; j++)
        h.front[j] = w[j] - along * axis[j], h.side[j] = axis[j] - along * w[j];
    nh_unit3(h.front), nh_unit3(h.side);
    return h;
}

/* From end over middle to -end; the pen is at end. */
static void half_turn(nh_text *out, const nh_lens *lens, double A[3][3], const double *end,
                      const double *middle)
{
    double x[3], y[3], e[2], f[2], c[2];
    for (int j = 0; j < 3; j++)
        x[j] = nh_dot3(A[j], end), y[j] = nh_dot3(A[j], middle);
    for (int j = 0; j < 2; j++)
        e[j] = nh_dot3(lens->m[j], x), f[j] = nh_dot3(lens->m[j], y);
    double back[2] = {-e[0], -e[1]};
    add(c, e, quarter, f), corner(out, 'C', c);
    add(c, f, quarter, e), nh_pixel(out, c), nh_pixel(out, f);
    add(c, back, quarter, f), corner(out, 'S', c), nh_pixel(out, back);
}

static void start_at(nh_text *out, const nh_lens *lens, double A[3][3], const double *u)
{
    double x[3] = {nh_dot3(A[0], u), nh_dot3(A[1], u), nh_dot3(A[2], u)};
    corner(out, 'M', (double[]){nh_dot3(lens->m[0], x), nh_dot3(lens->m[1], x)});
}

/* What is seen of the half of a ball on the side of its third axis. */
void nh_draw_half(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    double A[3][3];
    ball_of(view, item, row, A);
    half_circle h = half_of(view, A, 2);
    double back[3] = {-h.end[0], -h.end[1], -h.end[2]};
    start_at(out, lens, A, h.end);
    half_turn(out, lens, A, h.end, h.front);
    half_turn(out, lens, A, back, h.side);
    nh_text_char(out, 'Z');
}

/* The circles across the two other axes. */
void nh_draw_circles(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    double A[3][3];
    ball_of(view, item, row, A);
    for (int k = 0; k < 2; k++) {
        half_circle h = half_of(view, A, k);
        start_at(out, lens, A, h.end);
        half_turn(out, lens, A, h.end, h.front);
    }
}

/* ---------------------------------------------------------------- wheels */

/* Where a wheel's rim is at an angle that turns with it. */
typedef struct rim {
    double u[2], v[2];
} rim;

static rim rim_of(const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    double R[3][3], n[3], in_body[3], two[2][3], space[3],
        r = nh_quantity_at(view->scene, &item->radius, row);
    rim out;
    nh_place_at(view->scene, item->other, row, n);
    nh_unit3(n);
    frame_of(view, item, row, R);
    for (int k = 0; k < 3; k++)
        in_body[k] = R[0][k] * n[0] + R[1][k] * n[1] + R[2][k] * n[2];
    nh_tangents(in_body, two[0], two[1]);
    for (int j = 0; j < 2; j++) {
        for (int k = 0; k < 3; k++)
            space[k] = r * nh_dot3(R[k], two[j]);
        double *pixel = j ? out.v : out.u;
        pixel[0] = nh_dot3(lens->m[0], space), pixel[1] = nh_dot3(lens->m[1], space);
    }
    return out;
}

void nh_draw_spokes(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    static const double cosines[] = {1, 0.5, -0.5}, sines[] = {0, 0.8660254, 0.8660254};
    rim r = rim_of(view, lens, item, row);
    for (int k = 0; k < 3; k++) {
        double x[2] = {cosines[k] * r.u[0] + sines[k] * r.v[0], cosines[k] * r.u[1] + sines[k] * r.v[1]};
        corner(out, 'M', x);
        corner(out, 'L', (double[]){-x[0], -x[1]});
    }
}

/* A line of no length, which has round ends. */
void nh_draw_mark(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    rim r = rim_of(view, lens, item, row);
    corner(out, 'M', r.u);
    nh_text_str(out, "h0");
}

/* ---------------------------------------------------------------- rods, boxes, vectors */

void nh_draw_rod(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    double x[3], pixel[2];
    nh_place_at(view->scene, item->at, row, x);
    nh_lens_see(lens, x, pixel), corner(out, 'M', pixel);
    nh_place_at(view->scene, item->other, row, x);
    nh_lens_see(lens, x, pixel), corner(out, 'L', pixel);
}

/* The two faces of a box across the axis k. The one that is not seen shrinks to a corner that is; in the plane there is but one. */
static void faces(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row,
                  int k)
{
    static const int signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double R[3][3], size[3], facing[3];
    int first = (k + 1) % 3, second = (k + 2) % 3;
    frame_of(view, item, row, R);
    nh_place_at(view->scene, item->other, row, size);
    for (int j = 0; j < 3; j++)
        facing[j] = R[0][j] * view->back[0] + R[1][j] * view->back[1] + R[2][j] * view->back[2] < 0 ? -1 : 1;
    for (int side = -1; side <= 1; side += 2) {
        bool seen = facing[k] * side > 0;
        for (int c = 0; c < 4 && (seen || !view->scene->planar); c++) {
            double local[3], x[3];
            local[k] = side * size[k] / 2;
            local[first] = (seen ? signs[c][0] : facing[first]) * size[first] / 2;
            local[second] = (seen ? signs[c][1] : facing[second]) * size[second] / 2;
            for (int j = 0; j < 3; j++)
                x[j] = nh_dot3(R[j], local);
            corner(out, c ? 'L' : 'M', (double[]){nh_dot3(lens->m[0], x), nh_dot3(lens->m[1], x)});
        }
        nh_text_str(out, seen || !view->scene->planar ? "Z" : "");
    }
}

void nh_draw_box(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    for (int k = view->scene->planar ? 2 : 0; k < 3; k++)
        faces(out, view, lens, item, row, k);
}

static void vector_of(const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row,
                      double *along)
{
    double x[3];
    nh_place_at(view->scene, item->other, row, x);
    along[0] = nh_dot3(lens->m[0], x), along[1] = nh_dot3(lens->m[1], x);
}

/* An arrow; the longest one of the motion has so many pixels. */
void nh_draw_vector(nh_text *out, const nh_view *view, const nh_lens *lens, const nh_drawn *item, size_t row)
{
    enum { LONGEST = 46, HEAD = 6 };
    double from[3], a[2], along[2], longest = 0;
    for (size_t i = 0; i < view->frames; i++) {
        vector_of(view, lens, item, view->rows[i], along);
        longest = fmax(longest, hypot(along[0], along[1]));
    }
    nh_place_at(view->scene, item->at, row, from);
    nh_lens_see(lens, from, a);
    vector_of(view, lens, item, row, along);
    double length = hypot(along[0], along[1]), scale = longest > 0 ? LONGEST / longest : 0;
    double b[2] = {a[0] + scale * along[0], a[1] + scale * along[1]}, h = fmin(HEAD, scale * length / 2);
    double e[2] = {length > 0 ? along[0] / length : 0, length > 0 ? along[1] / length : 0};
    corner(out, 'M', a), corner(out, 'L', b);
    corner(out, 'M', (double[]){b[0] - h * (e[0] - 0.5 * e[1]), b[1] - h * (e[1] + 0.5 * e[0])});
    corner(out, 'L', b);
    corner(out, 'L', (double[]){b[0] - h * (e[0] + 0.5 * e[1]), b[1] - h * (e[1] - 0.5 * e[0])});
}
