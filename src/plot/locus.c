/* The picture of eigenvalues along a parameter. */
#include "plot/inner.h"

/* The curves of one part (0: real, 1: imaginary) over what is varied. */
static nh_panel part_of(nh_arena *arena, size_t rows, const nh_plot_column *columns, size_t n_columns,
                        size_t part)
{
    nh_curve *curves = nh_arena_array(arena, n_columns + 1, sizeof *curves);
    size_t count = 0;
    for (size_t i = 1; i + 1 < n_columns; i += 2)
        curves[count++] = (nh_curve){NULL, columns[0].values, columns[i + part].values, rows};
    return (nh_panel){.title = part ? "Imaginary parts" : "Real parts",
                      .x_label = columns[0].name,
                      .curves = curves,
                      .n_curves = count};
}

/* Their paths, from where the parameter begins. */
static nh_panel plane_of(nh_arena *arena, size_t rows, const nh_plot_column *columns, size_t n_columns)
{
    nh_curve *curves = nh_arena_array(arena, n_columns + 1, sizeof *curves);
    size_t count = 0;
    for (size_t i = 1; i + 1 < n_columns; i += 2)
        curves[count++] = (nh_curve){NULL, columns[i].values, columns[i + 1].values, rows};
    return (nh_panel){.title = "Complex plane, from \u25cb",
                      .x_label = "Re",
                      .y_label = "Im",
                      .curves = curves,
                      .n_curves = count,
                      .equal_scales = true};
}

void nh_plot_locus(nh_text *out, const char *title, size_t rows, const nh_plot_column *columns,
                   size_t n_columns)
{
    nh_arena *arena = out->arena;
    nh_panel panels[] = {part_of(arena, rows, columns, n_columns, 0),
                         part_of(arena, rows, columns, n_columns, 1),
                         plane_of(arena, rows, columns, n_columns)};
    nh_figure_svg(out, &(nh_figure){.title = title, .panels = panels, .n_panels = 3});
}
