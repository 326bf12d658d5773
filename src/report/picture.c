/* What the picture consists of, for the scripts: each number is one, or a column of the motion. */
#include "report/inner.h"

#include <string.h>

static void print_part(nh_text *out, const nh_quantity *x)
{
    if (x->fixed)
        nh_text_double(out, x->value);
    else
        nh_text_format(out, "{\"column\": %zu}", x->column);
}

static void print_list(nh_text *out, const char *key, const nh_quantity *x, size_t count)
{
    nh_text_format(out, ", \"%s\": [", key);
    for (size_t k = 0; k < count; k++) {
        nh_text_str(out, k ? ", " : "");
        print_part(out, &x[k]);
    }
    nh_text_char(out, ']');
}

static void print_numbers(nh_text *out, const char *key, const double *x, size_t count)
{
    nh_text_format(out, ", \"%s\": [", key);
    for (size_t k = 0; k < count; k++) {
        nh_text_str(out, k ? ", " : "");
        nh_text_double(out, x[k]);
    }
    nh_text_char(out, ']');
}

static void print_frame(nh_text *out, const nh_quantity *R)
{
    if (R[0].there)
        print_list(out, "frame", R, 9);
    else
        nh_text_str(out, ", \"frame\": null");
}

static void print_radius(nh_text *out, const nh_quantity *radius)
{
    nh_text_str(out, ", \"radius\": ");
    if (radius->there)
        print_part(out, radius);
    else
        nh_text_str(out, "null");
}

static const struct {
    const char *kind, *other, *group;
    bool radius, frame;
} words[] = {
    [NH_SHAPE_POINT] = {"point", NULL, NULL, false, false},
    [NH_SHAPE_PATH] = {"path", NULL, NULL, false, false},
    [NH_SHAPE_BALL] = {"ball", NULL, NULL, true, true},
    [NH_SHAPE_DISC] = {"disc", "axis", NULL, true, true},
    [NH_SHAPE_ROD] = {"rod", "to", NULL, true, false},
    [NH_SHAPE_BOX] = {"box", "size", NULL, false, true},
    [NH_SHAPE_ELLIPSOID] = {"ellipsoid", NULL, NULL, false, true},
    [NH_SHAPE_VECTOR] = {"vector", "along", "given", false, false},
    [NH_SHAPE_VELOCITY] = {"vector", "along", "velocity", false, false},
    [NH_SHAPE_REACTION] = {"vector", "along", "reaction", false, false},
    [NH_SHAPE_GROUND] = {"ground", "normal", NULL, false, false},
};

static void print_name(nh_text *out, const nh_drawing *d)
{
    nh_text name;
    nh_text_init(&name, out->arena);
    bool force = d->shape == NH_SHAPE_REACTION, velocity = d->shape == NH_SHAPE_VELOCITY;
    nh_text_format(&name, force ? "R(%s)" : velocity ? "v(%s)" : "%s", d->name);
    nh_text_str(out, ", \"name\": ");
    nh_text_json(out, name.data, name.length); /* names of the language: no markup */
}

static void print_item(nh_text *out, const nh_drawn *item)
{
    nh_shape shape = item->drawing->shape;
    nh_text_format(out, "{\"kind\": \"%s\"", words[shape].kind);
    print_name(out, item->drawing);
    print_list(out, shape == NH_SHAPE_ROD ? "from" : "at", item->at, 3);
    if (words[shape].other)
        print_list(out, words[shape].other, item->other, 3);
    if (words[shape].radius)
        print_radius(out, &item->radius);
    if (words[shape].frame)
        print_frame(out, item->R);
    if (shape == NH_SHAPE_ELLIPSOID)
        print_numbers(out, "axes", item->axes, 3);
    if (item->is_turned)
        print_numbers(out, "turned", item->turned, 9);
    if (words[shape].group)
        nh_text_format(out, ", \"group\": \"%s\"", words[shape].group);
    nh_text_char(out, '}');
}

void nh_report_picture(nh_text *out, const nh_page_parts *p)
{
    if (p->no_motion || p->model->n_drawings == 0) {
        nh_text_str(out, "null");
        return;
    }
    nh_scene scene = nh_scene_of(p, out->arena);
    nh_text_format(out, "{ \"dimension\": %d", scene.planar ? 2 : 3);
    print_numbers(out, "up", scene.up, 3);
    nh_text_str(out, ", \"items\": [");
    for (size_t i = 0; i < scene.count; i++) {
        nh_text_str(out, i ? ",\n  " : "\n  ");
        print_item(out, &scene.items[i]);
    }
    nh_text_str(out, " ] }");
}
