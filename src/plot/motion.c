/* The picture of a motion: which columns go into which panel. */
#include "plot/inner.h"

#include <math.h>
#include <string.h>

/* In the order of the panels. */
static const struct {
    nh_column kind;
    const char *title, *y_label;
} groups[] = {
    {NH_COLUMN_COORDINATE, "Coordinates", NULL},
    {NH_COLUMN_ANGLE, "Angles", NULL},
    {NH_COLUMN_RATE, "Rates of the coordinates", NULL},
    {NH_COLUMN_ANGLE_RATE, "Rates of the angles", NULL},
    {NH_COLUMN_VELOCITY, "Velocities", NULL},
    {NH_COLUMN_OBSERVED, "Observed", NULL},
    {NH_COLUMN_REACTION, "Reactions", NULL},
    {NH_COLUMN_MULTIPLIER, "Multipliers", NULL},
    {NH_COLUMN_ENERGY, "Energy, relative change", "(E \u2212 E(0)) / max |E|"},
    {NH_COLUMN_INTEGRAL, "Integrals, relative change", "(I \u2212 I(0)) / max |I|"},
};

typedef struct picture {
    nh_arena *arena;
    const double *t;
    size_t rows;
    const nh_plot_column *columns;
    size_t n_columns;
    nh_panel *panels;
    size_t n_panels, capacity;
} picture;

static nh_panel *new_panel(picture *p, const char *title, const char *x_label, const char *y_label)
{
    nh_panel *panel = &nh_push(p->arena, p->panels, p->n_panels, p->capacity);
    nh_curve *curves = nh_arena_array(p->arena, p->n_columns + 1, sizeof *curves);
    *panel = (nh_panel){.title = title, .x_label = x_label, .y_label = y_label, .curves = curves};
    return panel;
}

static void add_curve(nh_panel *panel, nh_curve curve)
{
    nh_curve *curves = (nh_curve *)panel->curves; /* made by new_panel */
    curves[panel->n_curves++] = curve;
}

/* ---------------------------------------------------------------- paths */

static bool is_place(const nh_plot_column *column)
{
    return column->kind == NH_COLUMN_COORDINATE || column->kind == NH_COLUMN_OBSERVED;
}

/* The partner of x2 is y2, of X_G it is Y_G; NULL: there is none. */
static const nh_plot_column *partner_of(const picture *p, const nh_plot_column *x)
{
    char letter = x->name && *x->name == 'x' ? 'y' : x->name && *x->name == 'X' ? 'Y' : '\0';
    if (!letter || !is_place(x))
        return NULL;
    for (size_t i = 0; i < p->n_columns; i++) {
        const nh_plot_column *y = &p->columns[i];
        if (is_place(y) && y->name && *y->name == letter && strcmp(y->name + 1, x->name + 1) == 0)
            return y;
    }
    return NULL;
}

static const nh_plot_column *length_after(const picture *p, const nh_plot_column *before)
{
    for (size_t i = before ? (size_t)(before - p->columns) + 1 : 0; i < p->n_columns; i++)
        if (p->columns[i].kind == NH_COLUMN_COORDINATE)
            return &p->columns[i];
    return NULL;
}

static const char *pair_name(picture *p, const nh_plot_column *x, const nh_plot_column *y)
{
    nh_text name;
    nh_text_init(&name, p->arena);
    nh_text_format(&name, "%s, %s", x->name, y->name);
    return nh_text_get(&name);
}

static void add_path(picture *p, nh_panel *panel, const nh_plot_column *x, const nh_plot_column *y)
{
    add_curve(panel, (nh_curve){pair_name(p, x, y), x->values, y->values, p->rows});
}

/* A path alone has its names at the axes; several have them beside them. */
static void finish_paths(nh_panel *panel, const nh_plot_column *x, const nh_plot_column *y)
{
    nh_curve *only = (nh_curve *)panel->curves;
    panel->equal_scales = true;
    panel->x_label = panel->n_curves == 1 ? x->name : "x";
    panel->y_label = panel->n_curves == 1 ? y->name : "y";
    if (panel->n_curves == 1)
        only->name = NULL;
}

static void make_paths(picture *p)
{
    const nh_plot_column *x = NULL, *y = NULL;
    nh_panel *panel = new_panel(p, "Path, from \u25cb", NULL, NULL);
    for (size_t i = 0; i < p->n_columns; i++)
        if (partner_of(p, &p->columns[i])) {
            x = &p->columns[i], y = partner_of(p, x);
            add_path(p, panel, x, y);
        }
    if (!x) {
        x = length_after(p, NULL), y = x ? length_after(p, x) : NULL;
        if (y)
            add_path(p, panel, x, y);
    }
    if (panel->n_curves)
        finish_paths(panel, x, y);
    else
        p->n_panels--;
}

/* ---------------------------------------------------------------- everything over time */

static double largest_of(const double *values, size_t rows)
{
    double largest = 0;
    for (size_t i = 0; i < rows; i++)
        if (isfinite(values[i]))
            largest = fmax(largest, fabs(values[i]));
    return largest;
}

/* (E - E(0)) / max|E|, from the first row that has a value. */
static const double *relative_change(picture *p, const double *values)
{
    double *change = nh_arena_array(p->arena, p->rows + 1, sizeof *change);
    double largest = largest_of(values, p->rows);
    size_t first = 0;
    while (first + 1 < p->rows && !isfinite(values[first]))
        first++;
    for (size_t i = 0; i < p->rows; i++)
        change[i] = largest > 0 ? values[i] / largest - values[first] / largest : values[i];
    return change;
}

/* The smallest and the largest of the curves of a panel; a curve that is much smaller than others would look like zero
 * beside them, and gets a panel of its own, unless it is nothing but rounding. */
typedef struct sizes {
    double least, most;
} sizes;

#define COMPARABLE 30.0
#define NOTHING 1e-9

static bool belongs(const sizes *s, double size, double largest)
{
    if (size <= NOTHING * largest || s->most == 0)
        return true;
    return fmax(s->most, size) <= COMPARABLE * fmin(s->least, size);
}

static void enlarge(sizes *s, double size, double largest)
{
    if (size <= NOTHING * largest)
        return;
    s->least = s->most == 0 ? size : fmin(s->least, size);
    s->most = fmax(s->most, size);
}

static double largest_of_kind(const picture *p, nh_column kind)
{
    double largest = 0;
    for (size_t i = 0; i < p->n_columns; i++)
        if (p->columns[i].kind == kind)
            largest = fmax(largest, largest_of(p->columns[i].values, p->rows));
    return largest;
}

/* The panel of the group, from `first` on, in which a curve of this size can be seen. */
static size_t panel_for(picture *p, size_t first, sizes *s, size_t group, double size, double largest)
{
    for (size_t k = first; k < p->n_panels; k++)
        if (belongs(&s[k - first], size, largest))
            return k;
    new_panel(p, groups[group].title, "t", groups[group].y_label);
    s[p->n_panels - 1 - first] = (sizes){0, 0};
    return p->n_panels - 1;
}

static void make_group(picture *p, size_t group)
{
    nh_column kind = groups[group].kind;
    bool kept = kind == NH_COLUMN_ENERGY || kind == NH_COLUMN_INTEGRAL;
    size_t first = p->n_panels;
    double largest = kept ? 0 : largest_of_kind(p, kind);
    sizes *s = nh_arena_array(p->arena, p->n_columns + 1, sizeof *s);
    for (size_t i = 0; i < p->n_columns; i++) {
        const nh_plot_column *column = &p->columns[i];
        if (column->kind != kind)
            continue;
        const double *values = kept ? relative_change(p, column->values) : column->values;
        double size = largest_of(values, p->rows);
        size_t at = panel_for(p, first, s, group, size, largest);
        enlarge(&s[at - first], size, largest);
        add_curve(&p->panels[at],
                  (nh_curve){kind == NH_COLUMN_ENERGY ? NULL : column->name, p->t, values, p->rows});
    }
}

void nh_plot_motion(nh_text *out, const char *title, const double *t, size_t rows,
                    const nh_plot_column *columns, size_t n_columns)
{
    nh_arena scratch;
    nh_arena_init_temporary(&scratch, out->arena->heap);
    picture p = {.arena = &scratch, .t = t, .rows = rows, .columns = columns, .n_columns = n_columns};
    make_paths(&p);
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        make_group(&p, k);
    nh_figure_svg(out, &(nh_figure){.title = title, .panels = p.panels, .n_panels = p.n_panels});
    nh_arena_free(&scratch);
}
