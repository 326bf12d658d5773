/* Names and values: what the files have as lists besides the functions. */
#include "export/writer.h"

#include <math.h>

const char *const nh_table_names[NH_TABLES] = {"coordinates", "velocities",       "parameters",
                                               "observed",    "parameter_values", "start_time",
                                               "first_start", "second_start"};

bool nh_table_is_text(nh_table_id id) { return id <= NH_TABLE_OBSERVED; }

bool nh_table_is_there(const nh_export *e, nh_table_id id)
{
    bool start = id >= NH_TABLE_START_TIME,
         state = id != NH_TABLE_SECOND_START || e->routines[NH_SECOND_KIND].tape;
    return !start || (e->start && state);
}

/* The first kind is in z where there is psi. */
size_t nh_table_size(const nh_export *e, nh_table_id id)
{
    const nh_equations *eq = e->eq;
    switch (id) {
    case NH_TABLE_COORDINATES: return eq->n;
    case NH_TABLE_VELOCITIES: return eq->first.psi ? eq->m : 0;
    case NH_TABLE_PARAMETERS:
    case NH_TABLE_PARAMETER_VALUES: return eq->model->n_parameters;
    case NH_TABLE_OBSERVED: return eq->model->n_observed;
    case NH_TABLE_START_TIME: return 1;
    case NH_TABLE_FIRST_START: return eq->n + (eq->first.psi ? eq->m : eq->n);
    default: return 2 * eq->n;
    }
}

static const char *text_entry(const nh_export *e, nh_table_id id, size_t i)
{
    const nh_model *model = e->eq->model;
    switch (id) {
    case NH_TABLE_COORDINATES: return model->coordinates[i].name;
    case NH_TABLE_VELOCITIES: return e->eq->z[i].name;
    case NH_TABLE_PARAMETERS: return model->parameters[i].name;
    default: return model->observed[i].name;
    }
}

static double start_of(const nh_export *e, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&e->eq->pool, symbol, &index);
    return e->start[index] + 0.0; /* no -0 */
}

static double entry(const nh_export *e, nh_table_id id, size_t i)
{
    const nh_equations *eq = e->eq;
    const nh_coordinate *q = eq->model->coordinates;
    if (id == NH_TABLE_PARAMETER_VALUES)
        return e->values[i];
    if (id == NH_TABLE_START_TIME)
        return start_of(e, eq->model->time);
    if (i < eq->n)
        return start_of(e, q[i].q);
    bool z = id == NH_TABLE_FIRST_START && eq->first.psi;
    return start_of(e, z ? eq->z[i - eq->n].symbol : q[i - eq->n].rate);
}

/* Names are letters, digits, _ and ', which is written twice between two of its kind. */
static void write_text(nh_export *e, const char *text)
{
    char quote = e->dialect->quote;
    nh_text_char(e->out, quote);
    for (const char *c = text; *c; c++) {
        nh_text_char(e->out, *c);
        if (*c == quote)
            nh_text_char(e->out, quote);
    }
    nh_text_char(e->out, quote);
}

/* A few on a line. */
void nh_write_entries(nh_export *e, nh_table_id id, const char *separator)
{
    enum { ON_A_LINE = 8 };
    for (size_t i = 0; i < nh_table_size(e, id); i++) {
        if (i)
            nh_text_str(e->out, i % ON_A_LINE ? ", " : separator);
        if (nh_table_is_text(id))
            write_text(e, text_entry(e, id, i));
        else
            nh_write_double(e, entry(e, id, i));
    }
}
