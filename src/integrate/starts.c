/* Many starts, as CSV: the first line names columns of the state and parameters, every other one is a start. What it does not name is
 * as in the model. */
#include "integrate/starts.h"

#include <math.h>
#include <string.h>

typedef struct reading {
    nh_run_job *job;
    const nh_source *source;
    size_t at; /* bytes read */
    nh_expr *symbols;
    size_t n_columns, columns_capacity;
    double *numbers;                     /* of one line */
    bool simple;                         /* q and z alone: nothing has to be completed */
    bool has_parameters, has_velocities; /* there are such columns */
    bool inertia;                        /* depends on what may change */
    bool checked;                        /* for these, by parameter: */
    double *last;
} reading;

#define wrong(r, span, hint, ...) \
    (nh_report(&(r)->job->context->diagnostics, NH_ERROR, (r)->source, span, hint, __VA_ARGS__), false)

static const nh_span NOWHERE = {0, 0};
enum { LARGEST = 1 << 30 }; /* bytes */

static nh_span at(size_t place) { return (nh_span){(uint32_t)place, 0}; }

/* ---------------------------------------------------------------- cells */

static bool at_end(const reading *r) { return r->at >= r->source->length; }

/* The next cell of a line, without blanks and quotes around it; *last: it ends the line. */
static nh_span cell(reading *r, bool *last)
{
    const char *text = r->source->text;
    size_t begin = r->at, end = begin;
    while (end < r->source->length && text[end] != ',' && text[end] != '\n')
        end++;
    *last = end >= r->source->length || text[end] == '\n';
    r->at = end + (end < r->source->length);
    while (end > begin && strchr(" \t\r\"", text[end - 1]))
        end--;
    while (begin < end && strchr(" \t\"", text[begin]))
        begin++;
    return (nh_span){(uint32_t)begin, (uint32_t)(end - begin)};
}

static bool skip_empty_lines(reading *r)
{
    const char *text = r->source->text;
    while (!at_end(r) && strchr(" \t\r\n", text[r->at]))
        r->at++;
    return !at_end(r);
}

/* ---------------------------------------------------------------- names */

/* Names are compared with their Greek letters spelled out. */
static bool is_named(nh_arena *arena, nh_slice name, const char *declared)
{
    nh_slice other = nh_name_spelled(arena, (nh_slice){declared, strlen(declared)});
    return other.length == name.length && memcmp(other.data, name.data, name.length) == 0;
}

static nh_expr symbol_named(nh_equations *eq, nh_slice written)
{
    nh_slice name = nh_name_spelled(&eq->arena, written);
    const nh_model *model = eq->model;
    bool rate = name.length > 1 && name.data[name.length - 1] == '\'';
    nh_slice stem = {name.data, name.length - rate};
    if (nh_slice_is(name, "t"))
        return model->time;
    for (size_t i = 0; i < eq->n; i++)
        if (is_named(&eq->arena, stem, model->coordinates[i].name))
            return rate ? model->coordinates[i].rate : model->coordinates[i].q;
    for (size_t i = 0; i < eq->m && !rate; i++)
        if (is_named(&eq->arena, name, eq->z[i].name))
            return eq->z[i].symbol;
    for (size_t i = 0; i < model->n_parameters && !rate; i++)
        if (is_named(&eq->arena, name, model->parameters[i].name))
            return model->parameters[i].symbol;
    return NH_EXPR_NONE;
}

static nh_role role_of(const nh_equations *eq, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return index < eq->model->n_roles ? eq->model->roles[index].role : NH_ROLE_VELOCITY;
}

static bool read_names(reading *r)
{
    nh_equations *eq = r->job->equations;
    bool last = false, rates = false, velocities = false;
    if (!skip_empty_lines(r))
        return wrong(r, NOWHERE, "the first line has the names of the columns", "there are no starts");
    while (!last) {
        nh_span span = cell(r, &last);
        nh_slice name = nh_source_slice(r->source, span);
        nh_expr symbol = symbol_named(eq, name);
        if (!symbol)
            return wrong(r, span,
                         "columns are coordinates, velocities x', declared velocities, parameters and t",
                         "unknown name '%.*s'", (int)name.length, name.data);
        for (size_t i = 0; i < r->n_columns; i++)
            if (r->symbols[i] == symbol)
                return wrong(r, span, NULL, "there are two columns '%.*s'", (int)name.length, name.data);
        nh_role role = role_of(eq, symbol);
        rates = rates || role == NH_ROLE_RATE, velocities = velocities || role == NH_ROLE_VELOCITY;
        r->has_parameters = r->has_parameters || role == NH_ROLE_PARAMETER;
        if (rates && velocities)
            return wrong(r, span, NULL, "velocities are given as quasi-velocities or as x', not as both");
        nh_push(&r->job->equations->arena, r->symbols, r->n_columns, r->columns_capacity) = symbol;
    }
    r->has_velocities = velocities;
    return true;
}

/* ---------------------------------------------------------------- numbers */

static bool read_number(reading *r, nh_span span, double *value)
{
    nh_slice text = nh_source_slice(r->source, span);
    nh_rational number;
    bool minus = text.length && text.data[0] == '-', sign = minus || (text.length && text.data[0] == '+');
    if (text.length == sign || nh_decimal_read(&r->job->context->numbers, text.data + sign,
                                               text.length - sign, &number) != NH_DECIMAL_OK)
        return wrong(r, span, NULL, "'%.*s' is not a number", (int)text.length, text.data);
    *value = minus ? -nh_rational_to_double(number) : nh_rational_to_double(number);
    return isfinite(*value) || wrong(r, span, NULL, "'%.*s' is too large", (int)text.length, text.data);
}

static bool read_line(reading *r)
{
    bool last = false;
    size_t begin = r->at;
    for (size_t i = 0; i < r->n_columns; i++) {
        if (last)
            return wrong(r, at(begin), NULL, "this line has %zu columns, the first one %zu", i, r->n_columns);
        if (!read_number(r, cell(r, &last), &r->numbers[i]))
            return false;
    }
    if (!last)
        return wrong(r, at(begin), NULL, "this line has more columns than the first one");
    return true;
}

/* ---------------------------------------------------------------- starts */

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

bool nh_start_is_singular(nh_run_job *job, bool second, double *values)
{
    nh_equations *eq = job->equations;
    size_t errors = job->context->diagnostics.errors;
    if (nh_refuse_dependent(eq, values))
        return true;
    if (second)
        return nh_refuse_singular(eq, values);
    if (nh_first_is_regular(eq, values))
        return false;
    if (job->context->diagnostics.errors == errors)
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, NOWHERE,
                  "give another state in 'initial' or with --start", "the initial state is singular");
    return true;
}

static bool is_in(const nh_equations *eq, const bool *depends, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return depends[index];
}

/* Whether the inertia depends on what may differ between the lines of the table. */
static bool changes_inertia(const reading *r)
{
    nh_equations *eq = r->job->equations;
    const nh_model *model = eq->model;
    nh_expr *g = nh_arena_array(&eq->arena, eq->n * eq->n + 1, sizeof *g);
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_metric(eq, g);
    nh_find_symbols(&eq->pool, &eq->context->arena, g, eq->n * eq->n, depends);
    bool any = is_in(eq, depends, model->time);
    for (size_t i = 0; i < eq->n; i++)
        any = any || is_in(eq, depends, model->coordinates[i].q);
    for (size_t i = 0; i < model->n_parameters; i++)
        any = any || (r->has_parameters && is_in(eq, depends, model->parameters[i].symbol));
    return any;
}

/* Whether the parameters are those of the last line, which these become. */
static bool are_as_before(reading *r, const double *parameters)
{
    const nh_model *model = r->job->equations->model;
    bool same = r->checked;
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(&r->job->equations->pool, model->parameters[i].symbol, &index);
        same = same && parameters[index] == r->last[i];
        r->last[i] = parameters[index];
    }
    r->checked = true;
    return same;
}

/* What a single run with these parameters, from this state, would be refused for. */
static bool has_inertia(reading *r, const double *state)
{
    nh_equations *eq = r->job->equations;
    const nh_model *model = eq->model;
    double *parameters = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *parameters);
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        parameters[i] = i < model->n_roles && model->roles[i].role == NH_ROLE_PARAMETER ? state[i] : NAN;
    return !nh_is_indefinite_at(eq, state) &&
           (!r->has_parameters || are_as_before(r, state) || !nh_is_indefinite_with(eq, parameters));
}

/* Where nothing has to be completed: the numbers in the place of the model's. */
static void put_simple(const reading *r, double *values)
{
    for (size_t i = 0; i < r->n_columns; i++) {
        uint32_t index = 0;
        nh_is_symbol(&r->job->equations->pool, r->symbols[i], &index);
        values[index] = r->numbers[i];
    }
}

/* How much there is in a pool: entries, and room in its tables, which grow before they are looked into. What is new is in the
 * arena of the equations, and stays there. */
static size_t pool_size(const nh_pool *pool)
{
    return pool->n_nodes + pool->n_rationals + pool->n_symbols + pool->n_lists + pool->table_capacity +
           pool->numbers_capacity + pool->list_table_capacity;
}

static bool take_start(reading *r, const nh_motion *m, double *values, nh_starts *starts)
{
    nh_equations *eq = r->job->equations;
    size_t before = pool_size(&eq->pool); /* the first start that has to be completed makes derivatives */
    nh_arena_mark mark = nh_arena_here(&eq->arena), scratch = nh_arena_here(&eq->context->arena);
    double *state = values;
    if (r->simple)
        put_simple(r, values);
    else
        state = nh_start_state_with(eq, r->job->options.project != 0,
                                    (nh_given){r->symbols, r->numbers, r->n_columns});
    if (!state || (r->inertia && !has_inertia(r, state)) || nh_start_is_singular(r->job, m->second, state))
        return false;
    nh_motion copy = *m;
    nh_motion_start(&copy, &eq->arena, state);
    size_t k = starts->count++, n = 1 + m->size, p = eq->model->n_parameters;
    memcpy(starts->states + k * n, copy.start, n * sizeof *copy.start);
    memcpy(starts->constants + k * p, copy.constants, p * sizeof *copy.constants);
    memcpy(starts->z + k * eq->m, copy.z, eq->m * sizeof *copy.z);
    if (pool_size(&eq->pool) == before)
        nh_arena_release(&eq->arena, mark);
    if (!r->job->context->diagnostics.count)
        nh_arena_release(&eq->context->arena, scratch);
    return true;
}

/* The table, without a byte order mark. */
static reading reading_of(nh_run_job *job)
{
    const nh_run_options *o = &job->options;
    const char *name = o->starts_name ? o->starts_name : "starts";
    size_t skip = o->starts_length >= 3 && memcmp(o->starts, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return (reading){
        .job = job,
        .source = nh_source_new(&job->context->arena, name, o->starts + skip, o->starts_length - skip)};
}

/* Its names are read. */
static bool open_table(nh_run_job *job, reading *r)
{
    if (job->options.starts_length > LARGEST) {
        nh_report(&job->context->diagnostics, NH_ERROR, NULL, NOWHERE, NULL,
                  "the starts are larger than 1 GiB");
        return false;
    }
    *r = reading_of(job);
    if (!nh_source_is_text(r->source, &job->context->diagnostics) || !read_names(r))
        return false;
    r->numbers = nh_arena_array(&job->equations->arena, r->n_columns + 1, sizeof *r->numbers);
    return true;
}

static bool have_none(reading *r) { return wrong(r, NOWHERE, NULL, "there are no starts below the names"); }

static bool have_none_at(reading *r, size_t line)
{
    return wrong(r, at(line), NULL, "there is no such start");
}

double *nh_starts_first(nh_run_job *job)
{
    reading r;
    if (!open_table(job, &r))
        return NULL;
    if (!skip_empty_lines(&r)) {
        have_none(&r);
        return NULL;
    }
    size_t line = r.at;
    if (!read_line(&r))
        return NULL;
    nh_equations *eq = job->equations;
    nh_given given = {r.symbols, r.numbers, r.n_columns};
    double *values = nh_start_state_with(eq, job->options.project != 0, given);
    if (!values || nh_is_indefinite_at(eq, values)) {
        have_none_at(&r, line);
        return NULL;
    }
    nh_tell_guess(eq, values, given);
    return values;
}

bool nh_starts_read(nh_run_job *job, const nh_motion *m, const double *values, nh_starts *starts)
{
    nh_equations *eq = job->equations;
    const nh_run_options *o = &job->options;
    struct nh_started *started = eq->started; /* those of the lines are given back */
    reading r;
    if (!open_table(job, &r))
        return false;
    r.simple = r.has_velocities && !r.has_parameters && !m->second && m->n_positions == 0;
    size_t most = count_lines(o->starts, o->starts_length);
    starts->count = 0, starts->same_constants = !r.has_parameters;
    starts->states = nh_arena_array(&eq->arena, most * (1 + m->size) + 1, sizeof(double));
    starts->constants = nh_arena_array(&eq->arena, most * eq->model->n_parameters + 1, sizeof(double));
    starts->z = nh_arena_array(&eq->arena, most * eq->m + 1, sizeof(double));
    r.last = nh_arena_array(&eq->arena, eq->model->n_parameters + 1, sizeof *r.last);
    r.inertia = changes_inertia(&r);
    double *own = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *own);
    memcpy(own, values, job->n_values * sizeof *own);
    while (skip_empty_lines(&r)) {
        size_t line = r.at;
        if (!read_line(&r))
            return false;
        if (!take_start(&r, m, own, starts))
            return have_none_at(&r, line);
        eq->started = started;
    }
    return starts->count > 0 || have_none(&r);
}
