/* The picture of a section: points in the planes of each coordinate and its rate. */
#include "plot/inner.h"

#include <math.h>
#include <string.h>

/* x' of x; NULL: there is none. */
static const nh_plot_column *rate_of(const nh_plot_column *columns, size_t n_columns, const nh_plot_column *x)
{
    size_t length = strlen(x->name);
    for (size_t i = 0; i < n_columns; i++) {
        const char *name = columns[i].name;
        if (strncmp(name, x->name, length) == 0 && strcmp(name + length, "'") == 0)
            return &columns[i];
    }
    return NULL;
}

/* What the section holds at 0 has nothing but rounding to show. */
static bool is_held(const nh_plot_column *x, size_t rows)
{
    double largest = 0;
    for (size_t k = 0; k < rows; k++)
        largest = fmax(largest, fabs(x->values[k]));
    return largest < 1e-9;
}

/* From -pi to pi. */
static const double *wrapped(nh_arena *arena, const double *values, size_t rows)
{
    double *out = nh_arena_array(arena, rows + 1, sizeof *out), turn = 2 * acos(-1);
    for (size_t k = 0; k < rows; k++)
        out[k] = values[k] - turn * round(values[k] / turn);
    return out;
}

void nh_plot_section(nh_text *out, const char *title, size_t rows, const nh_plot_column *columns,
                     size_t n_columns)
{
    nh_arena *arena = out->arena;
    nh_panel *panels = nh_arena_array(arena, n_columns + 1, sizeof *panels);
    size_t count = 0;
    for (size_t i = 0; i < n_columns; i++) {
        const nh_plot_column *x = &columns[i], *rate = rate_of(columns, n_columns, x);
        if (!rate || is_held(x, rows) || (x->kind != NH_COLUMN_COORDINATE && x->kind != NH_COLUMN_ANGLE))
            continue;
        nh_curve *curve = nh_arena_array(arena, 1, sizeof *curve);
        *curve = (nh_curve){NULL, x->kind == NH_COLUMN_ANGLE ? wrapped(arena, x->values, rows) : x->values,
                            rate->values, rows};
        panels[count++] = (nh_panel){
            .x_label = x->name, .y_label = rate->name, .curves = curve, .n_curves = 1, .points = true};
    }
    nh_figure_svg(out, &(nh_figure){.title = title, .panels = panels, .n_panels = count});
}
