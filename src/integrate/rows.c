#include "integrate/rows.h"

#include <string.h>

void nh_rows_init(nh_rows *rows, nh_arena *arena, const nh_run_options *options, size_t most_columns)
{
    *rows = (nh_rows){.options = options, .arena = arena};
    nh_text_init(&rows->line, arena);
    rows->names = nh_arena_array(arena, most_columns + 1, sizeof *rows->names);
    rows->kinds = nh_arena_array(arena, most_columns + 1, sizeof *rows->kinds);
}

void nh_rows_column(nh_rows *rows, const char *name, nh_column kind)
{
    rows->names[rows->n] = name;
    rows->kinds[rows->n++] = kind;
}

static int hand_over(nh_rows *rows)
{
    int stop = rows->options->write(rows->options->user, nh_text_get(&rows->line), rows->line.length);
    rows->line.length = 0;
    return stop;
}

/* What the name of a column may contain needs no quotes: letters, digits, _ and '. */
int nh_rows_head(nh_rows *rows)
{
    if (rows->options->format != NH_ROWS_CSV)
        return 0;
    for (size_t i = 0; i < rows->n; i++)
        nh_text_format(&rows->line, "%s%s", i ? "," : "", rows->names[i]);
    nh_text_char(&rows->line, '\n');
    return hand_over(rows);
}

void nh_row_print(nh_text *out, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            nh_text_char(out, ',');
        nh_text_double(out, values[i] + 0.0); /* no -0 */
    }
    nh_text_char(out, '\n');
}

int nh_rows_add(nh_rows *rows, const double *values)
{
    if (rows->options->format == NH_ROWS_CSV) {
        nh_row_print(&rows->line, values, rows->n);
        return hand_over(rows);
    }
    for (size_t i = 0; i < rows->n; i++)
        nh_push(rows->arena, rows->values, rows->count, rows->capacity) = values[i];
    return 0;
}

int nh_rows_add_text(nh_rows *rows, const char *lines, size_t length)
{
    return length ? rows->options->write(rows->options->user, lines, length) : 0;
}

int nh_rows_close(nh_rows *rows)
{
    bool fits = true;
    if (rows->options->format == NH_ROWS_CSV)
        return 0;
    if (rows->options->format == NH_ROWS_NPY)
        nh_numpy_records(&rows->line, rows);
    else
        fits = nh_numpy_arrays(&rows->line, rows);
    return fits ? hand_over(rows) : 1;
}
