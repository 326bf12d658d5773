/* The motion as a small picture that plays by itself: SVG whose lines change from frame to frame, without a script. Who prefers no
 * motion, and paper, sees the last frame. */
#include "report/outline.h"

#include <math.h>
#include <string.h>

typedef struct painter {
    nh_text *out;
    nh_arena *arena;
    const nh_view *view;
    double seconds; /* of a round */
    bool still;
} painter;

static size_t last_row(const painter *w) { return w->view->rows[w->view->frames - 1]; }

/* ---------------------------------------------------------------- what changes */

static void timing(const painter *w)
{
    nh_text_str(w->out, " dur=\"");
    nh_tenths(w->out, w->seconds);
    nh_text_str(w->out, "s\" repeatCount=\"indefinite\"/>");
}

/* The values of an attribute in all frames; `all_equal`: there is one only. */
typedef struct values {
    nh_text text;
    const char *first;
    bool all_equal;
} values;

static void begin_values(const painter *w, values *v)
{
    *v = (values){.all_equal = true};
    nh_text_init(&v->text, w->arena);
}

static void add_value(const painter *w, values *v, nh_text *value)
{
    const char *text = nh_text_get(value);
    if (!v->first)
        v->first = nh_arena_copy(w->arena, text, strlen(text));
    else
        nh_text_char(&v->text, ';');
    v->all_equal = v->all_equal && strcmp(text, v->first) == 0;
    nh_text_str(&v->text, text);
}

static void animate(const painter *w, const char *element, const values *v)
{
    nh_text_format(w->out, "<%s values=\"", element);
    nh_text_add(w->out, v->text.data, v->text.length);
    nh_text_char(w->out, '"');
    timing(w);
}

/* A path whose data are drawn anew in every frame. */
static void line(const painter *w, const char *class, const nh_lens *lens, const nh_drawn *item,
                 nh_outline *draw)
{
    const nh_view *view = w->view;
    nh_text now;
    values v;
    begin_values(w, &v);
    for (size_t i = w->still ? view->frames - 1 : 0; i < view->frames; i++) {
        nh_text_init(&now, w->arena);
        draw(&now, view, lens, item, view->rows[i]);
        add_value(w, &v, &now);
    }
    nh_text_format(w->out, "<path class=\"%s\" d=\"%s\"", class, v.first);
    if (v.all_equal) {
        nh_text_str(w->out, "/>\n");
        return;
    }
    nh_text_char(w->out, '>');
    animate(w, "animate attributeName=\"d\"", &v);
    nh_text_str(w->out, "</path>\n");
}

/* A group that is moved about: along with an item, or with the eye. */
static void begin_group(const painter *w, const nh_lens *lens, const nh_drawn *item)
{
    const nh_view *view = w->view;
    nh_text now;
    values v;
    begin_values(w, &v);
    for (size_t i = w->still ? view->frames - 1 : 0; i < view->frames; i++) {
        double x[3], pixel[2];
        nh_text_init(&now, w->arena);
        if (item) {
            nh_place_at(view->scene, item->at, view->rows[i], x);
            nh_lens_see(lens, x, pixel);
        }
        nh_pixel(&now, item ? pixel : view->moved[i]);
        add_value(w, &v, &now);
    }
    nh_text_format(w->out, "<g transform=\"translate(%s)\">", v.first);
    if (!v.all_equal)
        animate(w, "animateTransform attributeName=\"transform\" type=\"translate\"", &v);
    nh_text_char(w->out, '\n');
}

static void end_group(const painter *w) { nh_text_str(w->out, "</g>\n"); }

/* ---------------------------------------------------------------- paths */

/* Corners of a path, and how long it is up to each row. */
typedef struct trail {
    nh_text data;
    double *length;
    double whole;
} trail;

static void pixel_of(const painter *w, const nh_drawn *item, size_t row, double *pixel)
{
    double x[3];
    nh_place_at(w->view->scene, item->at, row, x);
    nh_lens_see(&w->view->lens, x, pixel);
}

/* Whether the path leaves the straight line from a corner to the row behind this one. */
static bool is_corner(const painter *w, const nh_drawn *item, size_t from, size_t row)
{
    double a[2], b[2], p[2];
    if (row == last_row(w))
        return true;
    pixel_of(w, item, from, a), pixel_of(w, item, row + 1, b);
    double x = b[0] - a[0], y = b[1] - a[1], length = hypot(x, y);
    for (size_t k = from + 1; k <= row; k++) {
        pixel_of(w, item, k, p);
        double u = p[0] - a[0], v = p[1] - a[1], along = x * u + y * v;
        double off = along < 0 || along > length * length ? INFINITY : fabs(x * v - y * u) / length;
        if (hypot(u, v) > 0.3 && (off > 0.1 || row - from > 40))
            return true;
    }
    return false;
}

static trail trail_of(const painter *w, const nh_drawn *item)
{
    trail t = {.length = nh_arena_array(w->arena, last_row(w) + 1, sizeof *t.length)};
    double before[2], here[2];
    size_t from = 0;
    nh_text_init(&t.data, w->arena);
    pixel_of(w, item, 0, before);
    nh_text_char(&t.data, 'M');
    nh_pixel(&t.data, before);
    nh_text_char(&t.data, 'L');
    for (size_t row = 1; row <= last_row(w); row++) {
        pixel_of(w, item, row, here);
        t.length[row] = t.whole + hypot(here[0] - before[0], here[1] - before[1]);
        if (!is_corner(w, item, from, row))
            continue;
        nh_pixel(&t.data, here);
        t.whole = t.length[row], from = row;
        memcpy(before, here, sizeof here);
    }
    return t;
}

/* What is ahead is faint; what is behind is a dash that grows. */
static void path(const painter *w, const nh_drawn *item)
{
    trail t = trail_of(w, item);
    nh_text now;
    values v;
    if (t.whole < 1)
        return;
    if (!w->still)
        nh_text_format(w->out, "<path class=\"ahead s%zu\" d=\"%s\"/>\n", item->colour % 8,
                       nh_text_get(&t.data));
    nh_text_format(w->out, "<path class=\"behind s%zu\" d=\"%s\"", item->colour % 8, nh_text_get(&t.data));
    if (w->still) {
        nh_text_str(w->out, "/>\n");
        return;
    }
    begin_values(w, &v);
    for (size_t i = 0; i < w->view->frames; i++) {
        nh_text_init(&now, w->arena);
        nh_tenths(&now, fmax(t.whole - t.length[w->view->rows[i]], 0));
        add_value(w, &v, &now);
    }
    nh_text_str(w->out, " pathLength=\"");
    nh_tenths(w->out, t.whole);
    nh_text_str(w->out, "\" stroke-dasharray=\"");
    nh_tenths(w->out, t.whole + 1);
    nh_text_format(w->out, "\" stroke-dashoffset=\"%s\">", v.first);
    animate(w, "animate attributeName=\"stroke-dashoffset\"", &v);
    nh_text_str(w->out, "</path>\n");
}

/* ---------------------------------------------------------------- bodies */

static bool is_round(const nh_drawn *item)
{
    nh_shape shape = item->drawing->shape;
    return shape == NH_SHAPE_BALL || shape == NH_SHAPE_ELLIPSOID || shape == NH_SHAPE_DISC;
}

static void round_body(const painter *w, const nh_drawn *item)
{
    const nh_lens *lens = &w->view->lens;
    bool disc = item->drawing->shape == NH_SHAPE_DISC, turns = item->R[0].there;
    begin_group(w, lens, item);
    line(w, disc ? "wheel" : turns ? "ball" : "dot", lens, item, nh_draw_outline);
    if (turns && disc) {
        line(w, "spokes", lens, item, nh_draw_spokes);
        line(w, "mark", lens, item, nh_draw_mark);
    } else if (turns) {
        line(w, "half", lens, item, nh_draw_half);
        line(w, "lines", lens, item, nh_draw_circles);
        line(w, "rim", lens, item, nh_draw_outline);
    }
    end_group(w);
}

static void width_of(const painter *w, const nh_drawn *item, const char *class, nh_text *out)
{
    double r = item->radius.there ? nh_quantity_at(w->view->scene, &item->radius, 0) : 0;
    nh_text_format(out, "%s\" stroke-width=\"", class);
    nh_tenths(out, fmax(2 * r * w->view->scale, 3));
}

static void rod(const painter *w, const nh_lens *lens, const nh_drawn *item, const char *class)
{
    nh_text classes;
    nh_text_init(&classes, w->arena);
    width_of(w, item, class, &classes);
    line(w, nh_text_get(&classes), lens, item, nh_draw_rod);
}

static void body(const painter *w, const nh_drawn *item)
{
    const nh_lens *lens = &w->view->lens;
    switch (item->drawing->shape) {
    case NH_SHAPE_ROD: rod(w, lens, item, "rod"); break;
    case NH_SHAPE_VECTOR: line(w, "vector", lens, item, nh_draw_vector); break;
    case NH_SHAPE_BOX:
        begin_group(w, lens, item);
        line(w, "box", lens, item, nh_draw_box);
        end_group(w);
        break;
    case NH_SHAPE_POINT:
        begin_group(w, lens, item);
        nh_text_format(w->out, "<circle class=\"point s%zu\" r=\"4\"/>\n", item->colour % 8);
        end_group(w);
        break;
    default:
        if (is_round(item))
            round_body(w, item);
    }
}

static void shadows(const painter *w)
{
    nh_lens lens = nh_lens_of_shadows(w->view);
    for (size_t i = 0; i < w->view->scene->count; i++) {
        const nh_drawn *item = &w->view->scene->items[i];
        if (item->drawing->shape == NH_SHAPE_ROD)
            rod(w, &lens, item, "rod-shadow");
        if (!is_round(item))
            continue;
        begin_group(w, &lens, item);
        line(w, "shadow", &lens, item, nh_draw_outline);
        end_group(w);
    }
}

/* How near to the eye, on the average. */
static double nearness(const nh_view *view, const nh_drawn *item)
{
    double x[3], y[3], sum = 0;
    for (size_t i = 0; i < view->frames; i++) {
        nh_place_at(view->scene, item->at, view->rows[i], x);
        nh_place_at(view->scene, item->drawing->shape == NH_SHAPE_ROD ? item->other : item->at, view->rows[i],
                    y);
        sum += nh_dot3(view->back, x) + nh_dot3(view->back, y);
    }
    return sum;
}

/* The far ones first; points and vectors on top of all. */
static const nh_drawn **in_order(const painter *w)
{
    const nh_scene *scene = w->view->scene;
    const nh_drawn **items = nh_arena_array(w->arena, scene->count + 1, sizeof *items);
    double *keys = nh_arena_array(w->arena, scene->count + 1, sizeof *keys);
    for (size_t i = 0; i < scene->count; i++) {
        const nh_drawn *item = &scene->items[i];
        nh_shape shape = item->drawing->shape;
        bool top = shape == NH_SHAPE_POINT || shape == NH_SHAPE_VECTOR;
        double key = top ? INFINITY : scene->planar ? 0 : nearness(w->view, item);
        size_t k = i;
        for (; k > 0 && keys[k - 1] > key; k--)
            keys[k] = keys[k - 1], items[k] = items[k - 1];
        keys[k] = key, items[k] = item;
    }
    return items;
}

/* ---------------------------------------------------------------- the ground */

/* The plane of the grid, and what of it is in the picture: coordinates along its tangents. */
typedef struct plane {
    double at[3], first[3], second[3];
    double low[2], high[2];
} plane;

/* Where a pixel lies in the plane: lens (at + x first + y second) = pixel. */
static bool in_plane(const painter *w, const plane *g, const double *pixel, double *xy)
{
    const nh_lens *lens = &w->view->lens;
    double origin[2], a = nh_dot3(lens->m[0], g->first), b = nh_dot3(lens->m[0], g->second);
    double c = nh_dot3(lens->m[1], g->first), d = nh_dot3(lens->m[1], g->second), det = a * d - b * c;
    nh_lens_see(lens, g->at, origin);
    double x = pixel[0] - origin[0], y = pixel[1] - origin[1], scale = w->view->scale;
    xy[0] = (d * x - b * y) / det, xy[1] = (a * y - c * x) / det;
    return fabs(det) > 0.05 * scale * scale;
}

static bool plane_of(const painter *w, plane *g)
{
    const nh_view *view = w->view;
    *g = (plane){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    if (view->scene->curves || !(view->scene->planar || view->ground))
        return false;
    if (view->ground)
        nh_place_at(view->scene, view->ground->at, 0, g->at);
    nh_tangents(view->normal, g->first, g->second);
    for (size_t i = 0; i < (view->moved ? view->frames : 1); i++)
        for (int c = 0; c < 4; c++) {
            double xy[2], pixel[2] = {c % 2 ? NH_VIEW_WIDTH : 0, c / 2 ? NH_VIEW_HEIGHT : 0};
            for (int k = 0; k < 2 && view->moved; k++)
                pixel[k] -= view->moved[i][k];
            if (!in_plane(w, g, pixel, xy))
                return false;
            for (int k = 0; k < 2; k++)
                g->low[k] = fmin(g->low[k], xy[k]), g->high[k] = fmax(g->high[k], xy[k]);
        }
    return true;
}

/* Lines across the direction k. */
static void grid_lines(const painter *w, const plane *g, int k, double cell)
{
    for (double n = ceil(g->low[k] / cell); n * cell <= g->high[k]; n++)
        for (int end = 0; end < 2; end++) {
            double xy[2], x[3], pixel[2];
            xy[k] = n * cell, xy[1 - k] = end ? g->high[1 - k] : g->low[1 - k];
            for (int j = 0; j < 3; j++)
                x[j] = g->at[j] + xy[0] * g->first[j] + xy[1] * g->second[j];
            nh_lens_see(&w->view->lens, x, pixel);
            nh_text_char(w->out, end ? 'L' : 'M');
            nh_pixel(w->out, pixel);
        }
}

/* A grid that fades out towards the sides. */
static void grid(const painter *w)
{
    enum { CELL = 22, MOST = 150 };
    plane g;
    if (!plane_of(w, &g))
        return;
    double cell = nh_round_up(CELL / w->view->scale);
    while (fmax(g.high[0] - g.low[0], g.high[1] - g.low[1]) > MOST * cell)
        cell = nh_round_up(1.5 * cell);
    if (w->view->moved)
        begin_group(w, &w->view->lens, NULL);
    nh_text_str(w->out, "<path class=\"grid\" d=\"");
    grid_lines(w, &g, 0, cell), grid_lines(w, &g, 1, cell);
    nh_text_str(w->out, "\"/>\n");
    if (w->view->moved)
        end_group(w);
    nh_text_str(w->out, "<rect class=\"edge\" width=\"320\" height=\"200\"/>\n");
}

/* ---------------------------------------------------------------- the document */

/* The colours are those of the page. Every rule begins with the class of the picture, since it may stand in a page. */
static const char style[] =
    "<style>\n"
    ".nh-moving{--paper:#f7f8fa;--grid:#e1e5ea;--body:#e6ebf1;--other:#7f9cbd;--dark:#4d6d92;--shade:#1d2733}"
    "\n"
    ".nh-moving .s0{--c:#2b66a8}.nh-moving .s1{--c:#c0512f}.nh-moving .s2{--c:#2f8464}.nh-moving "
    ".s3{--c:#7a57a3}\n"
    ".nh-moving .s4{--c:#a67608}.nh-moving .s5{--c:#23818f}.nh-moving .s6{--c:#b04a78}.nh-moving "
    ".s7{--c:#6a7632}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".nh-moving{--paper:#1b2026;--grid:#2b323a;--body:#c9d2dc;--other:#5f80a6;--dark:#8fb0d6;--shade:#000}\n"
    ".nh-moving .s0{--c:#7fb0e6}.nh-moving .s1{--c:#ea9070}.nh-moving .s2{--c:#74c3a2}.nh-moving "
    ".s3{--c:#b99be0}\n"
    ".nh-moving .s4{--c:#d9b04e}.nh-moving .s5{--c:#69bfcc}.nh-moving .s6{--c:#e08fb4}.nh-moving "
    ".s7{--c:#b3bf74}\n"
    "}\n"
    ".nh-moving path{fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
    ".nh-moving .paper{fill:var(--paper)}\n"
    ".nh-moving stop{stop-color:var(--paper)}\n"
    ".nh-moving .edge{fill:url(#nh-edge)}\n"
    ".nh-moving .grid{stroke:var(--grid)}\n"
    ".nh-moving .shadow{fill:var(--shade);opacity:.14}\n"
    ".nh-moving .rod-shadow{stroke:var(--shade);opacity:.12}\n"
    ".nh-moving .ahead{stroke:var(--c);opacity:.3}\n"
    ".nh-moving .behind{stroke:var(--c);stroke-width:1.8;stroke-linecap:butt}\n"
    ".nh-moving .point{fill:var(--c);stroke:var(--paper)}\n"
    ".nh-moving .ball,.nh-moving .box{fill:var(--body)}\n"
    ".nh-moving .half,.nh-moving .dot{fill:var(--other)}\n"
    ".nh-moving .lines{stroke:var(--dark);stroke-width:1.2;opacity:.75}\n"
    ".nh-moving .rim,.nh-moving .dot,.nh-moving .box{stroke:var(--dark);stroke-width:1.2}\n"
    ".nh-moving .wheel{fill:var(--other);fill-opacity:.3;stroke:var(--dark);stroke-width:2.2}\n"
    ".nh-moving .spokes{stroke:var(--dark);stroke-width:1;opacity:.7}\n"
    ".nh-moving .mark{stroke:#c0512f;stroke-width:6}\n"
    ".nh-moving .rod{stroke:var(--other)}\n"
    ".nh-moving .vector{stroke:#7a57a3;stroke-width:1.8}\n"
    ".nh-moving .still{display:none}\n"
    "@media print,(prefers-reduced-motion:reduce){.nh-moving .still{display:inline}.nh-moving "
    ".moves{display:none}}\n"
    "</style>\n"
    "<defs><radialGradient id=\"nh-edge\" r=\".62\"><stop offset=\".35\" stop-opacity=\"0\"/><stop "
    "offset=\"1\"/>"
    "</radialGradient></defs>\n";

static void figures(const painter *w)
{
    const nh_scene *scene = w->view->scene;
    const nh_drawn **items = in_order(w);
    if (w->view->moved)
        begin_group(w, &w->view->lens, NULL);
    if (w->view->ground)
        shadows(w);
    for (size_t i = 0; i < scene->count; i++)
        if (scene->items[i].drawing->shape == NH_SHAPE_PATH)
            path(w, &scene->items[i]);
    for (size_t i = 0; i < scene->count; i++)
        body(w, items[i]);
    if (w->view->moved)
        end_group(w);
}

/* Hides the leap from the end to the start. */
static void fade(const painter *w)
{
    nh_text_str(w->out, "<animate attributeName=\"opacity\" values=\"0;1;1;0\" keyTimes=\"0;.02;.98;1\"");
    timing(w);
    nh_text_char(w->out, '\n');
}

static void layer(const painter *w)
{
    nh_text_format(w->out, "<g class=\"%s\">\n", w->still ? "still" : "moves");
    if (w->view->moved)
        grid(w);
    nh_text_str(w->out, "<g>\n");
    if (!w->still)
        fade(w);
    figures(w);
    nh_text_str(w->out, "</g>\n</g>\n");
}

/* As long as the motion, if one would watch it so long, and not too short to be seen. */
static double seconds_of(const nh_trace *t, size_t last)
{
    size_t time = 0;
    while (time + 1 < t->n_columns && t->columns[time] != NH_COLUMN_TIME)
        time++;
    double span = fabs(t->values[last * t->n_columns + time] - t->values[time]);
    return span >= 3 && span <= 15 ? span : 8;
}

bool nh_report_moving(nh_text *out, const nh_page_parts *p)
{
    if (p->no_motion || p->trace.rows < 2)
        return false;
    nh_scene scene = nh_scene_of(p, out->arena);
    nh_view view;
    if (!nh_view_open(&view, &scene, out->arena))
        return false;
    painter w = {.out = out, .arena = out->arena, .view = &view};
    w.seconds = seconds_of(&p->trace, last_row(&w));
    nh_text_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"nh-moving\" viewBox=\"0 0 320 200\" "
                     "width=\"640\" height=\"400\" role=\"img\">\n<title>");
    nh_html_text(out, *p->model->title ? p->model->title : p->name);
    nh_text_format(out, "</title>\n%s<rect class=\"paper\" width=\"320\" height=\"200\"/>\n", style);
    if (!view.moved)
        grid(&w);
    layer(&w);
    w.still = true;
    layer(&w);
    nh_text_str(out, "</svg>\n");
    return true;
}
