/* What is drawn, in numbers: each is fixed, or a column of the motion. */
#include "report/inner.h"

#include <math.h>
#include <string.h>

double nh_quantity_at(const nh_scene *scene, const nh_quantity *part, size_t row)
{
    const nh_trace *t = scene->trace;
    return part->fixed ? part->value : t->values[row * t->n_columns + part->column];
}

/* In the order in which run has put them there; next: the first column that may be one of them. */
static void find_parts(const nh_page_parts *p, const nh_drawing *d, size_t *next, nh_quantity *parts)
{
    const nh_trace *t = &p->trace;
    nh_expr e[NH_DRAWING_PARTS];
    nh_rational number;
    nh_drawing_parts(d, e);
    for (size_t k = 0; k < NH_DRAWING_PARTS; k++) {
        parts[k] = (nh_quantity){.there = e[k] != NH_EXPR_NONE};
        if (!e[k])
            continue;
        parts[k].fixed = nh_is_number(&p->model->pool, e[k], &number);
        if (parts[k].fixed) {
            parts[k].value = nh_rational_to_double(number);
            continue;
        }
        while (*next < t->n_columns && t->columns[*next] != NH_COLUMN_PICTURE)
            ++*next;
        parts[k].column = (*next)++;
        parts[k].value = t->rows ? t->values[parts[k].column] : NAN;
    }
}

/* ---------------------------------------------------------------- inertia */

/* One of Jacobi's rotations, in the plane of the axes i and j: A becomes J^T A J with A_ij = 0, and Q becomes Q J. */
static void rotate(double A[3][3], double *Q, int i, int j)
{
    if (A[i][j] == 0)
        return;
    double half = (A[j][j] - A[i][i]) / (2 * A[i][j]);
    double t = (half < 0 ? -1 : 1) / (fabs(half) + hypot(half, 1)), c = 1 / hypot(t, 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = A[k][i], b = A[k][j];
        A[k][i] = c * a - s * b, A[k][j] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = A[i][k], b = A[j][k];
        A[i][k] = c * a - s * b, A[j][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = Q[3 * k + i], b = Q[3 * k + j];
        Q[3 * k + i] = c * a - s * b, Q[3 * k + j] = s * a + c * b;
    }
}

/* Half axes of the homogeneous ellipsoid with these principal moments: m (b^2 + c^2)/5 = I1 and so on. */
static void half_axes(double m, const double I[3], double *axes)
{
    double largest = fmax(I[0], fmax(I[1], I[2]));
    for (int k = 0; k < 3; k++) {
        double square = 2.5 / m * (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]);
        axes[k] = sqrt(fmax(square, 0.0025 * largest / m)); /* a disc is not quite flat */
    }
}

/* inertia: the mass, then I11, I22, I33, I12, I13, I23. */
static void find_axes(nh_drawn *item, const nh_quantity *inertia)
{
    double I[6];
    for (int k = 0; k < 6; k++)
        I[k] = inertia[1 + k].value;
    double A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    double *Q = item->turned;
    Q[0] = Q[4] = Q[8] = 1;
    item->is_turned = I[3] != 0 || I[4] != 0 || I[5] != 0;
    for (int sweep = 0; sweep < 12; sweep++)
        rotate(A, Q, 0, 1), rotate(A, Q, 0, 2), rotate(A, Q, 1, 2);
    half_axes(inertia[0].value, (double[]){A[0][0], A[1][1], A[2][2]}, item->axes);
}

/* ---------------------------------------------------------------- the whole */

/* Upwards: against gravity, where that is along an axis; the bicycle's third axis points down. */
static void find_up(nh_scene *scene, const nh_page_parts *p)
{
    const nh_model *model = p->model;
    scene->up[scene->planar ? 1 : 2] = 1;
    if (scene->planar || model->gravity_size != 3)
        return;
    nh_arena *scratch = &p->context->arena;
    double down = NAN, *values = nh_arena_array(scratch, model->pool.n_symbols + 1, sizeof *values);
    nh_model_parameter_values(model, scratch, values);
    nh_evaluate(&model->pool, scratch, &model->gravity[2], 1, values, &down, NULL);
    if (down > 0)
        scene->up[2] = -1;
}

/* The colour of the first item with the same name, or the next one; vectors have their own. */
static void find_colours(nh_scene *scene)
{
    size_t next = 0;
    for (size_t i = 0; i < scene->count; i++) {
        size_t k = 0;
        nh_shape shape = scene->items[i].drawing->shape;
        if (shape == NH_SHAPE_VECTOR || shape == NH_SHAPE_VELOCITY || shape == NH_SHAPE_REACTION)
            continue;
        while (strcmp(scene->items[k].drawing->name, scene->items[i].drawing->name) != 0)
            k++;
        scene->items[i].colour = k < i ? scene->items[k].colour : next++;
    }
}

/* Where nothing is drawn: a path and a point for each of the first coordinates, over time. */
static nh_scene curves_of(const nh_page_parts *p, nh_arena *arena)
{
    enum { MOST = 8 };
    static const nh_drawing drawings[] = {{.shape = NH_SHAPE_PATH, .name = ""},
                                          {.shape = NH_SHAPE_POINT, .name = ""}};
    const nh_trace *t = &p->trace;
    nh_scene scene = {.trace = t, .planar = true, .curves = true, .up = {0, 1, 0}};
    nh_quantity time = {.there = true, .column = 0}, zero = {.there = true, .fixed = true};
    scene.items = nh_arena_array(arena, 2 * MOST, sizeof *scene.items);
    while (time.column + 1 < t->n_columns && t->columns[time.column] != NH_COLUMN_TIME)
        time.column++;
    for (size_t c = 0; c < t->n_columns && scene.count < 2 * MOST; c++) {
        if (t->columns[c] != NH_COLUMN_COORDINATE && t->columns[c] != NH_COLUMN_ANGLE)
            continue;
        for (int k = 0; k < 2; k++) {
            nh_drawn *item = &scene.items[scene.count];
            item->drawing = &drawings[k], item->colour = scene.count / 2;
            item->at[0] = time, item->at[1] = (nh_quantity){.there = true, .column = c}, item->at[2] = zero;
            scene.count++;
        }
    }
    return scene;
}

nh_scene nh_scene_of(const nh_page_parts *p, nh_arena *arena)
{
    const nh_model *model = p->model;
    nh_scene scene = {.trace = &p->trace, .count = model->n_drawings, .planar = model->planar};
    size_t next = 0;
    if (model->n_drawings == 0)
        return curves_of(p, arena);
    scene.items = nh_arena_array(arena, scene.count + 1, sizeof *scene.items);
    for (size_t i = 0; i < scene.count; i++) {
        nh_drawn *item = &scene.items[i];
        nh_quantity parts[NH_DRAWING_PARTS];
        item->drawing = &model->drawings[i];
        find_parts(p, item->drawing, &next, parts);
        memcpy(item->at, parts, sizeof item->at);
        memcpy(item->other, parts + 3, sizeof item->other);
        item->radius = parts[6];
        memcpy(item->R, parts + 7, sizeof item->R);
        if (item->drawing->shape == NH_SHAPE_ELLIPSOID)
            find_axes(item, parts + 16);
    }
    find_up(&scene, p);
    find_colours(&scene);
    return scene;
}
