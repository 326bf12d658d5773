/* The principles and the geometry, those that are asked for: as text and as JSON. */
#include "present/writer.h"

#include <string.h>

/* ---------------------------------------------------------------- which */

/* The one that contains the name, else the nearest. */
static const char *suggestion(nh_context *context, nh_slice name)
{
    size_t best = name.length / 3 + 2, distance;
    const char *nearest = NULL, *part = nh_arena_copy(&context->arena, name.data, name.length);
    for (int k = 0; k < NH_SHOW_COUNT; k++)
        if ((distance = nh_edit_distance(name, nh_slice_of(nh_show_names[k]), best)) < best)
            best = distance, nearest = nh_show_names[k];
    for (int k = 0; k < NH_SHOW_COUNT && name.length >= 3; k++)
        if (strstr(nh_show_names[k], part))
            nearest = nh_show_names[k];
    if (!nearest)
        return NULL;
    nh_text hint;
    nh_text_init(&hint, &context->arena);
    nh_text_format(&hint, "did you mean '%s'?", nearest);
    return nh_text_get(&hint);
}

static unsigned bit_of(nh_context *context, const nh_source *source, nh_span span)
{
    nh_slice name = nh_source_slice(source, span);
    nh_text all;
    nh_text_init(&all, &context->arena);
    for (unsigned k = 0; k < NH_SHOW_COUNT; k++) {
        if (nh_slice_is(name, nh_show_names[k]))
            return 1u << k;
        nh_text_format(&all, "%s%s", k == 0 ? "" : k + 1 < NH_SHOW_COUNT ? ", " : " and ", nh_show_names[k]);
    }
    nh_report(&context->diagnostics, NH_ERROR, source, span, suggestion(context, name),
              "unknown object '%.*s': there are %s", (int)name.length, name.data, nh_text_get(&all));
    return 0;
}

unsigned nh_show_read(nh_context *context, const char *names)
{
    unsigned shown = 0;
    if (!names || !*names)
        return 0;
    const nh_source *source = nh_source_new(&context->arena, "--show", names, strlen(names));
    for (size_t begin = 0; begin <= source->length;) {
        size_t end = begin + strcspn(names + begin, ","), next = end + 1;
        while (begin < end && names[begin] == ' ')
            begin++;
        while (end > begin && names[end - 1] == ' ')
            end--;
        shown |= bit_of(context, source, (nh_span){(uint32_t)begin, (uint32_t)(end - begin)});
        begin = next;
    }
    return shown;
}

void nh_show_note_long(nh_writer *w)
{
    const nh_principles *o = w->principles;
    size_t n = w->eq->n, m = w->eq->m, points = o->n_points * o->size;
    bool accelerations = o->shown & NH_SHOW_VIRTUAL,
         forces = o->shown & (NH_SHOW_VIRTUAL | NH_SHOW_GIBBS_APPELL);
    const struct {
        const nh_expr *e;
        size_t count;
    } objects[] = {{o->free, n},
                   {o->lipschitz, 1},
                   {o->gauss, 1},
                   {forces ? o->A_alpha : NULL, m},
                   {o->S, 1},
                   {o->S_1, 1},
                   {o->S_2, 1},
                   {o->S_star, 1},
                   {o->dS, m},
                   {accelerations ? o->a_0 : NULL, points},
                   {accelerations ? o->a_alpha : NULL, m * points},
                   {o->w, points},
                   {o->W, 1},
                   {o->R_points, points},
                   {o->christoffel, n * n * n},
                   {o->christoffel_upper, n * n * n},
                   {o->geodesic, n}};
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
        nh_note_long(w, objects[k].e, objects[k].count);
}

/* ---------------------------------------------------------------- text */

static void text_missing(nh_writer *w, const char *what, const char *object)
{
    for (size_t i = 0; i < w->forms->n_unexpanded; i++)
        if (strcmp(w->forms->unexpanded[i].object, object) == 0)
            nh_text_format(w->out, "    no %s: %s\n", what, w->forms->unexpanded[i].reason);
}

static void text_scalar(nh_writer *w, const char *name, const nh_expr *e, const char *object)
{
    if (e)
        nh_text_format(w->out, "    %s = %s\n", name, nh_expr_written(w, *e));
    else
        text_missing(w, name, object);
}

static void text_at_points(nh_writer *w, const char *name, const nh_expr *e)
{
    size_t size = w->principles->size;
    for (size_t nu = 0; nu < w->principles->n_points; nu++) {
        nh_text_format(w->out, "    %s_%s = (", name, w->eq->model->points[nu].name);
        for (size_t k = 0; k < size; k++)
            nh_text_format(w->out, "%s%s", k ? ", " : "", nh_expr_written(w, e[nu * size + k]));
        nh_text_str(w->out, ")\n");
    }
}

static void text_gauss(nh_writer *w)
{
    const nh_principles *o = w->principles;
    nh_text_str(w->out, "\nGauss's function, least along the motion\n");
    text_missing(w, "function", "show.gauss");
    text_scalar(w, "G", o->lipschitz, "show.gauss.lipschitz");
    text_scalar(w, "G_points", o->gauss, "show.gauss.points");
}

static void text_gibbs_appell(nh_writer *w)
{
    const nh_principles *o = w->principles;
    nh_text_str(w->out, "\nthe energy of the accelerations\n");
    text_scalar(w, "S", o->S, "show.gibbs-appell.S");
    text_scalar(w, "S_1", o->S_1, "show.gibbs-appell.S_1");
    text_scalar(w, "S_2", o->S_2, "show.gibbs-appell.S_2");
    text_scalar(w, "S_*", o->S_star, "");
    nh_text_str(w->out, "\nGibbs-Appell equations, dS/dz' = A\n");
    for (size_t alpha = 0; alpha < w->eq->m; alpha++)
        nh_text_format(w->out, "    %s = %s\n", nh_expr_written(w, o->dS[alpha]),
                       nh_expr_written(w, o->A_alpha[alpha]));
}

static void text_virtual(nh_writer *w)
{
    nh_text_str(w->out, "\nvirtual displacements and virtual power\n");
    text_at_points(w, "w", w->principles->w);
    text_scalar(w, "W", w->principles->W, "");
}

/* Those with i <= j that do not vanish. */
static void text_symbols(nh_writer *w, const nh_expr *gamma, bool upper)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    size_t n = w->eq->n, shown = 0;
    for (size_t e = 0; e < n * n * n; e++) {
        const char *i = q[e / n / n].name, *j = q[e / n % n].name, *k = q[e % n].name;
        if (gamma[e] == w->eq->pool.zero || e / n / n > e / n % n)
            continue;
        shown++;
        if (upper)
            nh_text_format(w->out, "    Gamma^%s(%s, %s) = %s\n", k, i, j, nh_expr_written(w, gamma[e]));
        else
            nh_text_format(w->out, "    Gamma(%s, %s, %s) = %s\n", i, j, k, nh_expr_written(w, gamma[e]));
    }
    if (!shown)
        nh_text_str(w->out, "    all are zero\n");
}

static void text_christoffel(nh_writer *w)
{
    const nh_principles *o = w->principles;
    nh_text_str(w->out, "\nChristoffel symbols of the first kind\n");
    text_symbols(w, o->christoffel, false);
    nh_text_str(w->out, "\nChristoffel symbols of the second kind\n");
    if (o->christoffel_upper)
        text_symbols(w, o->christoffel_upper, true);
    else
        text_missing(w, "symbols", "show.christoffel.second");
}

static void text_geodesic(nh_writer *w)
{
    nh_text_str(w->out, "\ngeodesic field\n");
    text_missing(w, "field", "show.geodesic");
    for (size_t i = 0; w->principles->geodesic && i < w->eq->n; i++)
        nh_text_format(w->out, "    %s'' = %s\n", w->eq->model->coordinates[i].name,
                       nh_expr_written(w, w->principles->geodesic[i]));
}

static void text_newton(nh_writer *w)
{
    nh_text_str(w->out, "\nreactive forces at points\n");
    text_missing(w, "forces", "show.newton");
    if (w->principles->R_points)
        text_at_points(w, "R", w->principles->R_points);
}

void nh_show_text(nh_writer *w)
{
    static void (*const parts[NH_SHOW_COUNT])(nh_writer *) = {
        text_gauss, text_gibbs_appell, text_virtual, text_christoffel, text_geodesic, text_newton};
    for (unsigned k = 0; k < NH_SHOW_COUNT; k++)
        if (w->principles->shown >> k & 1)
            parts[k](w);
}

/* ---------------------------------------------------------------- JSON */

static void json_value(nh_writer *w, nh_expr e)
{
    const char *text = nh_expr_written(w, e);
    nh_text_json(w->out, text, strlen(text));
}

static void json_key(nh_writer *w, bool first, const char *key)
{
    nh_text_format(w->out, "%s\"%s\": ", first ? "{ " : ",\n    ", key);
}

static void json_scalar(nh_writer *w, bool first, const char *key, const nh_expr *e)
{
    json_key(w, first, key);
    if (e)
        json_value(w, *e);
    else
        nh_text_str(w->out, "null");
}

static void json_list(nh_writer *w, const nh_expr *e, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        nh_text_str(w->out, i ? ", " : "[");
        json_value(w, e[i]);
    }
    nh_text_str(w->out, count ? "]" : "[]");
}

static void json_vector(nh_writer *w, bool first, const char *key, const nh_expr *e, size_t count)
{
    json_key(w, first, key);
    if (e)
        json_list(w, e, count);
    else
        nh_text_str(w->out, "null");
}

/* { "P": [...], ... }; rows of vectors where there are several blocks. */
static void json_at_points(nh_writer *w, const nh_expr *e, size_t blocks)
{
    size_t size = w->principles->size, count = w->principles->n_points * size;
    nh_text_str(w->out, "{");
    for (size_t nu = 0; nu < w->principles->n_points; nu++) {
        const char *name = w->eq->model->points[nu].name;
        nh_text_str(w->out, nu ? ", " : "");
        nh_text_json(w->out, name, strlen(name));
        nh_text_str(w->out, blocks ? ": [" : ": ");
        for (size_t b = 0; b < blocks; b++) {
            nh_text_str(w->out, b ? ", " : "");
            json_list(w, e + b * count + nu * size, size);
        }
        if (blocks)
            nh_text_char(w->out, ']');
        else
            json_list(w, e + nu * size, size);
    }
    nh_text_str(w->out, "}");
}

/* n x n lists of n */
static void json_cube(nh_writer *w, const nh_expr *e)
{
    size_t n = w->eq->n;
    for (size_t i = 0; e && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            nh_text_str(w->out, i + j == 0 ? "[[" : j == 0 ? "], [" : ", ");
            json_list(w, e + (i * n + j) * n, n);
        }
    nh_text_str(w->out, e ? "]]" : "null");
}

static void json_gauss(nh_writer *w)
{
    const nh_principles *o = w->principles;
    if (!o->lipschitz && !o->gauss) {
        nh_text_str(w->out, "null");
        return;
    }
    json_vector(w, true, "free", o->free, w->eq->n);
    json_scalar(w, false, "lipschitz", o->lipschitz);
    json_scalar(w, false, "points", o->gauss);
    nh_text_str(w->out, " }");
}

static void json_gibbs_appell(nh_writer *w)
{
    const nh_principles *o = w->principles;
    json_scalar(w, true, "S", o->S);
    json_scalar(w, false, "S_1", o->S_1);
    json_scalar(w, false, "S_2", o->S_2);
    json_scalar(w, false, "S_star", o->S_star);
    json_vector(w, false, "dS", o->dS, w->eq->m);
    json_vector(w, false, "A_alpha", o->A_alpha, w->eq->m);
    nh_text_str(w->out, " }");
}

static void json_virtual(nh_writer *w)
{
    const nh_principles *o = w->principles;
    json_key(w, true, "a_0");
    json_at_points(w, o->a_0, 0);
    json_key(w, false, "a_alpha");
    json_at_points(w, o->a_alpha, w->eq->m);
    json_key(w, false, "w");
    json_at_points(w, o->w, 0);
    json_vector(w, false, "A_alpha", o->A_alpha, w->eq->m);
    json_scalar(w, false, "W", o->W);
    nh_text_str(w->out, " }");
}

static void json_christoffel(nh_writer *w)
{
    json_key(w, true, "first");
    json_cube(w, w->principles->christoffel);
    json_key(w, false, "second");
    json_cube(w, w->principles->christoffel_upper);
    nh_text_str(w->out, " }");
}

static void json_geodesic(nh_writer *w)
{
    const nh_coordinate *q = w->eq->model->coordinates;
    if (!w->principles->geodesic) {
        nh_text_str(w->out, "null");
        return;
    }
    for (size_t i = 0; i < w->eq->n; i++) {
        nh_text_format(w->out, "%s\"%s'\": ", i ? ", " : "{ ", q[i].name);
        json_value(w, q[i].rate);
    }
    for (size_t i = 0; i < w->eq->n; i++) {
        nh_text_format(w->out, ", \"%s''\": ", q[i].name);
        json_value(w, w->principles->geodesic[i]);
    }
    nh_text_str(w->out, " }");
}

static void json_newton(nh_writer *w)
{
    if (w->principles->R_points)
        json_at_points(w, w->principles->R_points, 0);
    else
        nh_text_str(w->out, "null");
}

void nh_show_json(nh_writer *w)
{
    static void (*const parts[NH_SHOW_COUNT])(nh_writer *) = {
        json_gauss, json_gibbs_appell, json_virtual, json_christoffel, json_geodesic, json_newton};
    bool first = true;
    for (unsigned k = 0; k < NH_SHOW_COUNT; k++) {
        if (!(w->principles->shown >> k & 1))
            continue;
        nh_text_format(w->out, "%s\"%s\": ", first ? "{ " : ",\n    ", nh_show_names[k]);
        parts[k](w);
        first = false;
    }
    nh_text_str(w->out, " }");
}
