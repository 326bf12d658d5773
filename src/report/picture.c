/* What the picture consists of: each number is one, or a column of the motion. */
#include "report/inner.h"

#include <math.h>
#include <string.h>

typedef struct painter {
    nh_text *out;
    const nh_page_parts *p;
    size_t next; /* column */
    bool any;
} painter;

/* A part of a drawing: a number, or the column where it changes. */
typedef struct part {
    bool there, fixed;
    double value; /* fixed, or in the first row */
    size_t column;
} part;

/* In the order in which run has put them there. */
static void find_parts(painter *w, const nh_drawing *d, part *parts)
{
    const nh_trace *t = &w->p->trace;
    nh_expr e[NH_DRAWING_PARTS];
    nh_rational number;
    nh_drawing_parts(d, e);
    for (size_t k = 0; k < NH_DRAWING_PARTS; k++) {
        parts[k] = (part){.there = e[k] != NH_EXPR_NONE};
        if (!e[k])
            continue;
        parts[k].fixed = nh_is_number(&w->p->model->pool, e[k], &number);
        if (parts[k].fixed) {
            parts[k].value = nh_rational_to_double(number);
            continue;
        }
        while (w->next < t->n_columns && t->columns[w->next] != NH_COLUMN_PICTURE)
            w->next++;
        parts[k].column = w->next++;
        parts[k].value = t->rows ? t->values[parts[k].column] : NAN;
    }
}

static void print_part(painter *w, const part *x)
{
    if (x->fixed)
        nh_text_double(w->out, x->value);
    else
        nh_text_format(w->out, "{\"column\": %zu}", x->column);
}

static void print_list(painter *w, const char *key, const part *x, size_t count)
{
    nh_text_format(w->out, ", \"%s\": [", key);
    for (size_t k = 0; k < count; k++) {
        nh_text_str(w->out, k ? ", " : "");
        print_part(w, &x[k]);
    }
    nh_text_char(w->out, ']');
}

/* Half axes of the homogeneous ellipsoid with these moments: m (b^2 + c^2)/5 = I1 and so on. */
static void print_axes(painter *w, const part *inertia)
{
    double m = inertia[0].value, I[3] = {inertia[1].value, inertia[2].value, inertia[3].value};
    nh_text_str(w->out, ", \"axes\": [");
    for (int k = 0; k < 3; k++) {
        double square = 2.5 / m * (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]);
        double largest = fmax(I[0], fmax(I[1], I[2]));
        nh_text_str(w->out, k ? ", " : "");
        nh_text_double(w->out, sqrt(fmax(square, 0.0025 * largest / m))); /* a disc is not quite flat */
    }
    nh_text_char(w->out, ']');
}

static void print_frame(painter *w, const part *R)
{
    if (R[0].there)
        print_list(w, "frame", R, 9);
    else
        nh_text_str(w->out, ", \"frame\": null");
}

static void print_radius(painter *w, const part *radius)
{
    nh_text_str(w->out, ", \"radius\": ");
    if (radius->there)
        print_part(w, radius);
    else
        nh_text_str(w->out, "null");
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

static void print_name(painter *w, const nh_drawing *d)
{
    nh_text name;
    nh_text_init(&name, w->out->arena);
    bool force = d->shape == NH_SHAPE_REACTION, velocity = d->shape == NH_SHAPE_VELOCITY;
    nh_text_format(&name, force ? "R(%s)" : velocity ? "v(%s)" : "%s", d->name);
    nh_text_str(w->out, ", \"name\": ");
    nh_text_json(w->out, name.data, name.length); /* names of the language: no markup */
}

static void print_drawing(painter *w, const nh_drawing *d)
{
    part parts[NH_DRAWING_PARTS];
    bool rod = d->shape == NH_SHAPE_ROD;
    find_parts(w, d, parts);
    nh_text_format(w->out, "%s{\"kind\": \"%s\"", w->any ? ",\n  " : "\n  ", words[d->shape].kind);
    w->any = true;
    print_name(w, d);
    print_list(w, rod ? "from" : "at", parts, 3);
    if (words[d->shape].other)
        print_list(w, words[d->shape].other, parts + 3, 3);
    if (words[d->shape].radius)
        print_radius(w, &parts[6]);
    if (words[d->shape].frame)
        print_frame(w, parts + 7);
    if (d->shape == NH_SHAPE_ELLIPSOID)
        print_axes(w, parts + 16);
    if (words[d->shape].group)
        nh_text_format(w->out, ", \"group\": \"%s\"", words[d->shape].group);
    nh_text_char(w->out, '}');
}

/* Upwards: against gravity, where that is along an axis. */
static void print_up(painter *w)
{
    const nh_model *model = w->p->model;
    bool down = false;
    if (model->gravity_size == 3) { /* the bicycle's third axis points down */
        double value = NAN,
               *values = nh_arena_array(w->out->arena, model->pool.n_symbols + 1, sizeof *values);
        nh_model_parameter_values(model, &w->p->context->arena, values);
        nh_evaluate(&model->pool, &w->p->context->arena, &model->gravity[2], 1, values, &value, NULL);
        down = value > 0;
    }
    nh_text_str(w->out, model->planar ? "\"up\": [0, 1, 0]"
                        : down        ? "\"up\": [0, 0, -1]"
                                      : "\"up\": [0, 0, 1]");
}

void nh_report_picture(nh_text *out, const nh_page_parts *p)
{
    painter w = {.out = out, .p = p};
    if (p->no_motion || p->model->n_drawings == 0) {
        nh_text_str(out, "null");
        return;
    }
    nh_text_format(out, "{ \"dimension\": %d, ", p->model->planar ? 2 : 3);
    print_up(&w);
    nh_text_str(out, ", \"items\": [");
    for (size_t i = 0; i < p->model->n_drawings; i++)
        print_drawing(&w, &p->model->drawings[i]);
    nh_text_str(out, " ] }");
}
