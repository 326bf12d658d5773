/* Inside integrate/: rows of numbers, and the formats in which they are written. */
#ifndef NH_INTEGRATE_ROWS_H
#define NH_INTEGRATE_ROWS_H

#include "integrate/inner.h"

typedef struct nh_rows {
    const nh_run_options *options;
    nh_arena *arena;
    nh_text line;
    size_t n; /* columns */
    const char **names;
    nh_column *kinds;
    double **blocks; /* all rows, where they are handed over at the end: NH_ROWS_BLOCK numbers each */
    size_t n_blocks, blocks_capacity;
    size_t count; /* numbers */
    bool full;    /* there is no memory for more */
} nh_rows;

enum { NH_ROWS_BLOCK = 4096 };

void nh_rows_init(nh_rows *, nh_arena *, const nh_run_options *, size_t most_columns);
void nh_rows_column(nh_rows *, const char *name, nh_column kind);

/* All: not 0 where the caller wants no more. */
int nh_rows_head(nh_rows *);
int nh_rows_add(nh_rows *, const double *values);
int nh_rows_add_text(nh_rows *, const char *lines, size_t length); /* CSV that was made elsewhere */
int nh_rows_close(nh_rows *);

int nh_rows_hand_over(nh_rows *); /* the line */

/* A line of CSV. */
void nh_row_print(nh_text *out, const double *values, size_t n);

/* numpy.c: the whole file, in pieces, whatever the caller says of the first ones: a part is no file. Not 0: the caller wants no more, or it would be too large for its format. */
int nh_numpy_records(nh_rows *);
int nh_numpy_arrays(nh_rows *);

#endif
