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

int nh_rows_hand_over(nh_rows *rows)
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
    return nh_rows_hand_over(rows);
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

/* For another block, and for a copy of all of them with the caller. */
static bool has_room(const nh_rows *rows)
{
    const nh_heap *heap = rows->arena->heap;
    size_t block = NH_ROWS_BLOCK * sizeof(double), spare = 1 << 16;
    size_t most = heap->peak > heap->used + 2 * block ? heap->peak : heap->used + 2 * block;
    return most < heap->limit && heap->limit - most > (rows->n_blocks + 1) * block + spare;
}

/* A row has a place for all of its numbers, or for none. */
static bool make_place(nh_rows *rows)
{
    while (rows->count + rows->n > rows->n_blocks * NH_ROWS_BLOCK) {
        if (!has_room(rows))
            return false;
        double *block = nh_arena_array(rows->arena, NH_ROWS_BLOCK, sizeof *block);
        nh_push(rows->arena, rows->blocks, rows->n_blocks, rows->blocks_capacity) = block;
    }
    return true;
}

int nh_rows_add(nh_rows *rows, const double *values)
{
    if (rows->options->format == NH_ROWS_CSV) {
        nh_row_print(&rows->line, values, rows->n);
        return nh_rows_hand_over(rows);
    }
    rows->full = rows->full || !make_place(rows);
    for (size_t i = 0; i < rows->n && !rows->full; i++, rows->count++)
        rows->blocks[rows->count / NH_ROWS_BLOCK][rows->count % NH_ROWS_BLOCK] = values[i];
    return rows->full;
}

int nh_rows_add_text(nh_rows *rows, const char *lines, size_t length)
{
    return length ? rows->options->write(rows->options->user, lines, length) : 0;
}

/* The time may be over: that is why. What there is, is written. */
int nh_rows_close(nh_rows *rows)
{
    if (rows->options->format != NH_ROWS_CSV)
        rows->arena->heap->deadline = 0;
    return rows->options->format == NH_ROWS_NPY   ? nh_numpy_records(rows)
           : rows->options->format == NH_ROWS_NPZ ? nh_numpy_arrays(rows)
                                                  : 0;
}
