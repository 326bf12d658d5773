/* nh_plot_rows: columns out of rows, and their picture. */
#include "plot/plot.h"

typedef struct plot_job {
    nh_context *context;
    const char *title;
    size_t count, rows;
    const char *const *names;
    const nh_column *columns;
    const double *values;
    nh_string *svg;
} plot_job;

static const double *column(const plot_job *job, size_t i)
{
    double *out = nh_arena_array(&job->context->arena, job->rows + 1, sizeof *out);
    for (size_t k = 0; k < job->rows; k++)
        out[k] = job->values[k * job->count + i];
    return out;
}

/* All rows are those of events. */
static bool is_section(const plot_job *job)
{
    size_t event = 0;
    while (event < job->count && job->columns[event] != NH_COLUMN_EVENT)
        event++;
    for (size_t k = 0; k < job->rows && event < job->count; k++)
        if (job->values[k * job->count + event] == 0)
            return false;
    return event < job->count && job->rows > 0;
}

static void plot(void *arg)
{
    plot_job *job = arg;
    nh_arena *arena = &job->context->arena;
    nh_plot_column *columns = nh_arena_array(arena, job->count + 1, sizeof *columns);
    const double *t = NULL;
    size_t n = 0;
    for (size_t i = 0; i < job->count; i++) {
        nh_column kind = job->columns[i];
        if (kind == NH_COLUMN_TIME)
            t = column(job, i);
        else if (kind != NH_COLUMN_START && kind != NH_COLUMN_EVENT && kind != NH_COLUMN_DIGITS && kind != NH_COLUMN_PICTURE)
            columns[n++] = (nh_plot_column){job->names[i], kind, column(job, i)};
    }
    nh_text out;
    nh_text_init(&out, arena);
    if (job->count && job->columns[0] == NH_COLUMN_VARIED)
        nh_plot_locus(&out, job->title, job->rows, columns, n);
    else if (is_section(job))
        nh_plot_section(&out, job->title, job->rows, columns, n);
    else if (t)
        nh_plot_motion(&out, job->title, t, job->rows, columns, n);
    nh_string_make(job->context, &out, job->svg);
}

nh_status nh_plot_rows(nh_context *context, const char *title, size_t count, const char *const *names,
                       const nh_column *columns, const double *values, size_t rows, nh_string *svg)
{
    if (!context || !names || !columns || (!values && rows) || !svg)
        return NH_ERROR_ARGUMENT;
    *svg = (nh_string){NULL, 0};
    plot_job job = {context, title, count, rows, names, columns, values, svg};
    return nh_context_call(context, plot, &job);
}
