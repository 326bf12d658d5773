/* Numbers that are kept for a picture. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The names live no longer than the call that tells them: they are copied. */
static bool keep_names(cli_table *t, size_t count, const char *const *names, const nh_column *columns)
{
    t->names = calloc(count + 1, sizeof *t->names), t->columns = calloc(count + 1, sizeof *t->columns);
    for (size_t i = 0; t->names && t->columns && i < count; i++, t->n_columns++) {
        char *copy = malloc(strlen(names[i]) + 1);
        if (!copy)
            return false;
        t->names[i] = strcpy(copy, names[i]), t->columns[i] = columns[i];
    }
    return t->n_columns == count;
}

int cli_table_take(void *table, size_t count, const char *const *names, const nh_column *columns,
                   const double *values)
{
    cli_table *t = table;
    if (!values)
        return !keep_names(t, count, names, columns);
    if (t->n_values + count > t->values_capacity) {
        size_t capacity = 2 * t->values_capacity + 1024 * count;
        double *larger = realloc(t->values, capacity * sizeof *larger);
        if (!larger)
            return 1;
        t->values = larger, t->values_capacity = capacity;
    }
    memcpy(t->values + t->n_values, values, count * sizeof *values);
    t->n_values += count;
    return 0;
}

bool cli_table_draw(const cli_table *t, const cli_options *options, nh_context *context,
                    const nh_model *model)
{
    nh_string svg = {NULL, 0};
    size_t rows = t->n_columns ? t->n_values / t->n_columns : 0;
    nh_status status = nh_plot_rows(context, nh_model_title(model), t->n_columns, t->names, t->columns,
                                    t->values, rows, &svg);
    cli_options to_picture = *options;
    to_picture.output = options->plot;
    bool drawn = cli_status(status) == EXIT_DONE && cli_write(&to_picture, svg.data, svg.length);
    nh_string_free(context, &svg);
    return drawn;
}

void cli_table_free(cli_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        free((char *)t->names[i]);
    free(t->names), free(t->columns), free(t->values);
}
