/* The principles and the geometry, those that are asked for: on a page and as JSON. */
#include "present/objects.h"

#include <string.h>

void nh_show_note_long(nh_writer *w, double longest)
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
        nh_note_long(w, objects[k].e, objects[k].count, longest);
}

/* ---------------------------------------------------------------- on a page */

static void missing(nh_writer *w, const char *what, const char *object)
{
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    for (size_t i = 0; i < w->forms->n_unexpanded; i++)
        if (strcmp(w->forms->unexpanded[i].object, object) == 0)
            nh_text_format(&text, "no %s: %s", what, w->forms->unexpanded[i].reason);
    if (text.length)
        nh_page_say(&w->page, nh_text_get(&text));
}

static void scalar(nh_writer *w, const char *name, const char *what, const nh_expr *e, const char *object)
{
    if (e)
        nh_page_equation(&w->page, nh_notation(&w->page.maker, name), nh_written_math(w, *e));
    else
        missing(w, what, object);
}

/* w_P = (..., ...) */
static void at_points(nh_writer *w, const char *name, const nh_expr *e)
{
    nh_math_maker *maker = &w->page.maker;
    size_t size = w->principles->size;
    for (size_t nu = 0; nu < w->principles->n_points; nu++) {
        const nh_math *items[5] = {NULL}, *index = nh_math_name(maker, w->eq->model->points[nu].name, 0);
        for (size_t k = 0; k < size; k++) {
            items[2 * k] = nh_written_math(w, e[nu * size + k]);
            if (k + 1 < size)
                items[2 * k + 1] = nh_math_leaf(maker, NH_MATH_SIGN, ",");
        }
        nh_page_equation(&w->page, nh_math_scripts(maker, nh_notation(maker, name), index, NULL),
                         nh_math_fence(maker, nh_math_of(maker, NH_MATH_ROW, 2 * size - 1, items)));
    }
}

static void page_gauss(nh_writer *w)
{
    const nh_principles *o = w->principles;
    nh_page_heading(&w->page, "Gauss's function, least along the motion");
    if (w->steps)
        nh_page_notation(&w->page, "G = {1}/{2} g_{i j} (q'' - q''_f)^i (q'' - q''_f)^j");
    missing(w, "function", "show.gauss");
    scalar(w, "G", "Lipschitz form", o->lipschitz, "show.gauss.lipschitz");
    scalar(w, "G_{points}", "form from points", o->gauss, "show.gauss.points");
}

static void page_gibbs_appell(nh_writer *w)
{
    const nh_principles *o = w->principles;
    nh_page_heading(&w->page, "The energy of the accelerations");
    if (w->steps)
        nh_page_notation(&w->page, "S = {1}/{2} sum m_nu a_nu a_nu");
    scalar(w, "S", "S", o->S, "show.gibbs-appell.S");
    scalar(w, "S_1", "S_1", o->S_1, "show.gibbs-appell.S_1");
    scalar(w, "S_2", "S_2", o->S_2, "show.gibbs-appell.S_2");
    scalar(w, "S_star", "S_*", o->S_star, "");
    nh_page_heading(&w->page, "The equations of Gibbs and Appell");
    if (w->steps)
        nh_page_notation(&w->page, "{partial S}/{partial z'^alpha} = A_alpha");
    for (size_t alpha = 0; alpha < w->eq->m; alpha++)
        nh_page_equation(&w->page, nh_written_math(w, o->dS[alpha]), nh_written_math(w, o->A_alpha[alpha]));
}

static void page_virtual(nh_writer *w)
{
    nh_page_heading(&w->page, "Virtual displacements and virtual power");
    if (w->steps)
        nh_page_notation(&w->page, "w_nu = a_{alpha nu} z'^alpha ; W = A_alpha z'^alpha");
    at_points(w, "w", w->principles->w);
    scalar(w, "W", "W", w->principles->W, "");
}

/* Gamma_{ij,k} or Gamma^k_{ij} */
static const nh_math *symbol_name(nh_writer *w, size_t e, bool upper)
{
    nh_math_maker *maker = &w->page.maker;
    const nh_coordinate *q = w->eq->model->coordinates;
    size_t n = w->eq->n;
    const nh_math *comma = nh_math_leaf(maker, NH_MATH_PREFIX, ","),
                  *k = nh_math_name(maker, q[e % n].name, 0);
    const nh_math *items[5] = {nh_math_name(maker, q[e / n / n].name, 0), comma,
                               nh_math_name(maker, q[e / n % n].name, 0), comma, k};
    return nh_math_scripts(maker, nh_notation(maker, "Gamma"),
                           nh_math_of(maker, NH_MATH_ROW, upper ? 3 : 5, items), upper ? k : NULL);
}

/* Those with i <= j that do not vanish. */
static void symbols(nh_writer *w, const nh_expr *gamma, bool upper)
{
    size_t n = w->eq->n, shown = 0;
    for (size_t e = 0; e < n * n * n; e++) {
        if (gamma[e] == w->eq->pool.zero || e / n / n > e / n % n)
            continue;
        shown++;
        nh_page_equation(&w->page, symbol_name(w, e, upper), nh_written_math(w, gamma[e]));
    }
    if (!shown)
        nh_page_say(&w->page, "All are zero.");
}

static void page_christoffel(nh_writer *w)
{
    const nh_principles *o = w->principles;
    nh_page_heading(&w->page, "Christoffel symbols of the first kind");
    symbols(w, o->christoffel, false);
    nh_page_heading(&w->page, "Christoffel symbols of the second kind");
    if (o->christoffel_upper)
        symbols(w, o->christoffel_upper, true);
    else
        missing(w, "symbols", "show.christoffel.second");
}

static void page_geodesic(nh_writer *w)
{
    nh_page_heading(&w->page, "The geodesic field");
    missing(w, "field", "show.geodesic");
    for (size_t i = 0; w->principles->geodesic && i < w->eq->n; i++)
        nh_page_equation(&w->page, nh_math_name(&w->page.maker, w->eq->model->coordinates[i].name, 2),
                         nh_written_math(w, w->principles->geodesic[i]));
}

static void page_newton(nh_writer *w)
{
    nh_page_heading(&w->page, "Reactive forces at points");
    missing(w, "forces", "show.newton");
    if (w->principles->R_points)
        at_points(w, "R", w->principles->R_points);
}

void nh_show_page(nh_writer *w)
{
    static void (*const parts[NH_SHOW_COUNT])(nh_writer *) = {
        page_gauss, page_gibbs_appell, page_virtual, page_christoffel, page_geodesic, page_newton};
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
