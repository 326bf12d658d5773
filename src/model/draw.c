/* What a picture shows: the statements `draw`, and what is drawn without them. */
#include "model/reader.h"

#include <string.h>

static const nh_scope in_drawing = {"a drawing", NH_ON_ALL & ~NH_ON_TOTALS};

/* ---------------------------------------------------------------- statements */

typedef struct shape_word {
    const char *word;
    nh_shape shape;
    bool needs_radius, needs_other; /* other: axis, end, direction, size */
    const char *hint;
} shape_word;

static const shape_word shapes[] = {
    {"disc", NH_SHAPE_DISC, true, false, "add: radius EXPR"},
    {"ball", NH_SHAPE_BALL, true, false, "add: radius EXPR"},
    {"rod", NH_SHAPE_ROD, false, true, "add: to VECTOR"},
    {"box", NH_SHAPE_BOX, false, true, "add: size (a, b, c)"},
    {"path", NH_SHAPE_PATH, false, false, NULL},
    {"vector", NH_SHAPE_VECTOR, false, true, "add: along VECTOR"},
    {"ground", NH_SHAPE_GROUND, false, false, NULL},
};

static const shape_word *shape_of(nh_reader *reader, nh_span span)
{
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (nh_slice_is(nh_word(reader, span), shapes[k].word))
            return &shapes[k];
    return NULL; /* the parser knows no others */
}

/* In space. */
static bool read_vector(nh_reader *reader, const nh_ast *ast, nh_expr *out)
{
    nh_value v = nh_vector_of(reader, ast, &in_drawing);
    for (int k = 0; k < 3; k++)
        out[k] = k < v.size ? v.e[k] : reader->pool->zero;
    if (v.size == 3)
        reader->model->planar = false;
    return v.size != 0;
}

/* The axis of a wheel: the one whose moment of inertia differs from the two others, or the third. */
static int axis_of(const nh_body *b)
{
    return !b->turns                        ? 2
           : b->inertia[0] == b->inertia[1] ? 2
           : b->inertia[0] == b->inertia[2] ? 1
           : b->inertia[1] == b->inertia[2] ? 0
                                            : 2;
}

static void take_frame(nh_drawing *d, const nh_frame *f, int axis)
{
    memcpy(d->R, f->R, sizeof d->R);
    if (d->shape != NH_SHAPE_DISC || d->other[0])
        return;
    for (int k = 0; k < 3; k++)
        d->other[k] = f->R[3 * k + axis];
}

/* Place and frame of a point or body. */
static bool take_object(nh_reader *reader, nh_span span, nh_drawing *d)
{
    const nh_model *model = reader->model;
    const nh_entry *entry = nh_find(reader, nh_word(reader, span));
    if (!entry) {
        nh_unknown(reader, span);
        return false;
    }
    if (entry->kind == NH_ENTRY_BROKEN)
        return false;
    if (entry->kind != NH_ENTRY_POINT && entry->kind != NH_ENTRY_BODY)
        return nh_wrong(reader, span, NULL, "'%s' is %s: points and bodies are drawn", entry->name,
                        nh_entry_kind_text(entry->kind));
    const nh_body *body = entry->kind == NH_ENTRY_BODY ? &model->bodies[entry->index] : NULL;
    const nh_point *point = &model->points[body ? body->point : entry->index];
    d->name = point->name;
    for (int k = 0; k < 3; k++)
        d->at[k] = k < point->size ? point->at[k] : reader->pool->zero;
    if (point->size == 3)
        reader->model->planar = false;
    if (body)
        take_frame(d, &model->frames[body->frame], axis_of(body));
    return true;
}

static void add(nh_model *model, nh_drawing d)
{
    nh_push(&model->arena, model->drawings, model->n_drawings, model->drawings_capacity) = d;
}

/* What is left out: the origin, upwards. */
static void complete(nh_reader *reader, nh_drawing *d)
{
    nh_pool *pool = reader->pool;
    if (!d->at[0])
        d->at[0] = d->at[1] = d->at[2] = pool->zero;
    bool upright = d->shape == NH_SHAPE_DISC || d->shape == NH_SHAPE_GROUND;
    if (upright &&
        !d->other[0]) { /* across the plane; the ground of a planar picture lies along its first axis */
        bool line = d->shape == NH_SHAPE_GROUND && reader->model->planar;
        d->other[0] = pool->zero, d->other[1] = line ? pool->one : pool->zero,
        d->other[2] = line ? pool->zero : pool->one;
    }
}

/* As far as the points tell. */
static bool is_planar(const nh_model *model) { return model->n_points == 0 || model->points[0].size == 2; }

void nh_read_drawing(nh_reader *reader, const nh_statement *s)
{
    const shape_word *word = shape_of(reader, s->items[0].name);
    nh_drawing d = {.shape = word->shape, .name = ""};
    nh_frame f;
    bool ok = true;
    if (reader->model->n_drawings == 0)
        reader->model->planar = is_planar(reader->model);
    if (s->right)
        ok = read_vector(reader, s->right, d.other);
    if (s->n_items > 1)
        ok = take_object(reader, s->items[1].name, &d) && ok;
    if (s->frame && nh_frame_of(reader, s->frame, &f))
        take_frame(&d, &f, 2);
    if (s->value)
        ok = read_vector(reader, s->value, d.at) && ok;
    if (s->radius) {
        nh_value radius = nh_scalar_of(reader, s->radius, &in_drawing);
        ok = radius.size && ok, d.radius = radius.e[0];
    }
    bool place = d.at[0] || d.shape == NH_SHAPE_GROUND;
    if (ok && !place)
        ok = nh_wrong(reader, s->items[0].name, "add the name of a point or body, or: at VECTOR",
                      "a %s without a place", word->word);
    if (ok && ((word->needs_radius && !d.radius) || (word->needs_other && !d.other[0])))
        ok = nh_wrong(reader, s->items[0].name, word->hint, "a %s of no size", word->word);
    if (ok) {
        complete(reader, &d);
        add(reader->model, d);
    }
}

/* ---------------------------------------------------------------- what nobody asked for */

static nh_drawing at_point(nh_reader *reader, nh_shape shape, const nh_point *p)
{
    nh_drawing d = {.shape = shape, .name = p->name};
    for (int k = 0; k < 3; k++)
        d.at[k] = k < p->size ? p->at[k] : reader->pool->zero;
    return d;
}

/* Velocity and reaction of a point or of a body's centre. */
static void add_vectors(nh_reader *reader, uint32_t index)
{
    const nh_point p = reader->model->points[index]; /* the list may move meanwhile */
    nh_drawing velocity = at_point(reader, NH_SHAPE_VELOCITY, &p),
               reaction = at_point(reader, NH_SHAPE_REACTION, &p);
    nh_value F = nh_reactive_force(reader, index);
    for (int k = 0; k < 3; k++) {
        velocity.other[k] = k < p.size ? p.rate[k] : reader->pool->zero;
        reaction.other[k] = k < p.size ? F.e[k] : reader->pool->zero;
    }
    add(reader->model, velocity);
    if (p.mass)
        add(reader->model, reaction);
}

/* The ellipsoid of a body's inertia; for one without, its centre. */
static void add_body(nh_reader *reader, const nh_body *b)
{
    const nh_model *model = reader->model;
    const nh_point *centre = &model->points[b->point];
    nh_drawing d = at_point(reader, b->turns && centre->mass ? NH_SHAPE_ELLIPSOID : NH_SHAPE_POINT, centre);
    memcpy(d.R, model->frames[b->frame].R, sizeof d.R);
    d.inertia[0] = centre->mass;
    memcpy(d.inertia + 1, b->inertia, sizeof b->inertia);
    add(reader->model, d);
}

static bool is_centre(const nh_model *model, size_t point)
{
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].point == point)
            return true;
    return false;
}

/* "y2" for "x2": the other coordinate of a place in the plane; NULL: there is none. */
static const nh_coordinate *partner_of(const nh_model *model, const nh_coordinate *x)
{
    for (size_t i = 0; i < model->n && x->name[0] == 'x'; i++)
        if (model->coordinates[i].name[0] == 'y' && strcmp(model->coordinates[i].name + 1, x->name + 1) == 0)
            return &model->coordinates[i];
    return NULL;
}

/* Without points and bodies: coordinates that are named like places. */
static void add_places(nh_reader *reader)
{
    const nh_model *model = reader->model;
    for (size_t i = 0; i < model->n; i++) {
        const nh_coordinate *x = &model->coordinates[i], *y = partner_of(model, x);
        if (!y || x->angle || y->angle)
            continue;
        nh_drawing d = {.shape = NH_SHAPE_POINT, .name = "", .at = {x->q, y->q, reader->pool->zero}};
        add(reader->model, d);
        d.shape = NH_SHAPE_PATH;
        add(reader->model, d);
    }
}

void nh_add_drawings(nh_reader *reader)
{
    nh_model *model = reader->model;
    bool none = model->n_drawings == 0;
    if (reader->diagnostics->errors)
        return;
    if (none)
        model->planar = is_planar(model);
    for (size_t i = 0; i < model->n_points && none; i++) {
        if (!is_centre(model, i))
            add(model, at_point(reader, NH_SHAPE_POINT, &model->points[i]));
        add(model, at_point(reader, NH_SHAPE_PATH, &model->points[i]));
    }
    for (size_t i = 0; i < model->n_bodies && none; i++)
        add_body(reader, &model->bodies[i]);
    for (size_t i = 0; i < model->n_points; i++)
        add_vectors(reader, (uint32_t)i);
    if (model->n_drawings == 0)
        add_places(reader);
}

/* ---------------------------------------------------------------- once gravity is known */

void nh_finish_drawings(nh_reader *reader)
{
    nh_model *model = reader->model;
    for (size_t i = 0; i < model->n_drawings; i++)
        for (int k = 0; k < 3 && model->drawings[i].other[0]; k++)
            nh_insert_newton(reader, &model->drawings[i].other[k]);
}

/* ---------------------------------------------------------------- for those who draw */

void nh_drawing_parts(const nh_drawing *d, nh_expr *parts)
{
    memset(parts, 0, NH_DRAWING_PARTS * sizeof *parts);
    memcpy(parts, d->at, sizeof d->at);
    if (d->other[0])
        memcpy(parts + 3, d->other, sizeof d->other);
    parts[6] = d->radius;
    if (d->R[0])
        memcpy(parts + 7, d->R, sizeof d->R);
    if (d->shape == NH_SHAPE_ELLIPSOID)
        memcpy(parts + 16, d->inertia, sizeof d->inertia);
}
