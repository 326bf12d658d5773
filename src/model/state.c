/* Values: parameters (--set), the initial state, what --start replaces in it, the conditions of --until, --event and --section, the ranges
 * of --vary and --box, times. */
#include "model/reader.h"

#include <math.h>
#include <string.h>

static const nh_scope in_initial = {"an initial value", NH_ON_PARAMETERS};
static const nh_scope in_set = {"the value of a parameter", NH_ON_PARAMETERS};
static const nh_scope in_range = {"the end of a range", NH_ON_PARAMETERS};
static const nh_scope in_time = {"a time", NH_ON_PARAMETERS};
static const nh_scope in_event = {"a condition", NH_ON_ALL};

/* ---------------------------------------------------------------- the initial state */

static nh_role role_of(const nh_model *model, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&model->pool, symbol, &index);
    return model->roles[index].role;
}

/* u1, u2, ...: whether the program may choose such a name for a velocity. */
static bool may_be_chosen(const nh_reader *reader, nh_slice name)
{
    const nh_model *model = reader->model;
    bool number = name.length > 1 && name.length < 10 && name.data[0] == 'u' && name.data[1] != '0';
    for (size_t i = 1; i < name.length; i++)
        number = number && name.data[i] >= '0' && name.data[i] <= '9';
    return number && !model->psi && !model->n_velocities && !model->n_independent;
}

/* Its symbol; derive/ takes it, or says that there is none of this name. */
static nh_expr expected(nh_reader *reader, nh_slice name)
{
    nh_model *model = reader->model;
    for (size_t i = 0; i < model->n_expected; i++)
        if (nh_slice_is(name, model->expected[i].name))
            return model->expected[i].symbol;
    const char *copy = nh_arena_copy(&model->arena, name.data, name.length);
    nh_velocity z = {copy, nh_new_symbol(reader, copy, NH_ROLE_VELOCITY, model->n_expected)};
    nh_push(&model->arena, model->expected, model->n_expected, model->expected_capacity) = z;
    return z.symbol;
}

/* The symbol that an item gives a value to; NH_EXPR_NONE: reported. */
static nh_expr target_of(nh_reader *reader, const nh_item *item)
{
    nh_model *model = reader->model;
    bool command_line = reader->source != reader->text;
    nh_slice name = nh_word(reader, item->name);
    nh_entry *entry = nh_find(reader, name);
    if (!entry && nh_slice_is(name, "t") && command_line)
        return model->time;
    if (!entry && command_line && !item->rate && may_be_chosen(reader, name))
        return expected(reader, name);
    if (!entry && nh_slice_is(name, "t"))
        nh_wrong(reader, item->name, "another time is given by --start t=...", "a model starts at t = 0");
    else if (!entry)
        nh_unknown(reader, item->name);
    else if (entry->kind == NH_ENTRY_COORDINATE)
        return item->rate ? model->coordinates[entry->index].rate : model->coordinates[entry->index].q;
    else if (entry->kind == NH_ENTRY_VELOCITY && !item->rate)
        return model->velocities[entry->index].symbol;
    else if (entry->kind == NH_ENTRY_PARAMETER)
        nh_wrong(reader, item->name, "give it a value in 'parameters', or with --set",
                 "'%s' is a parameter, not part of the state", entry->name);
    else if (entry->kind != NH_ENTRY_BROKEN)
        nh_wrong(reader, item->name, NULL,
                 item->rate ? "'%s' is %s: it has no velocity" : "'%s' is %s, not part of the state",
                 entry->name, nh_entry_kind_text(entry->kind));
    return NH_EXPR_NONE;
}

static nh_start *start_of(nh_model *model, nh_expr symbol)
{
    for (size_t i = 0; i < model->n_initial; i++)
        if (model->initial[i].symbol == symbol)
            return &model->initial[i];
    return NULL;
}

static void append_start(nh_model *model, nh_expr symbol, nh_expr value)
{
    nh_push(&model->arena, model->initial, model->n_initial, model->initial_capacity) =
        (nh_start){.symbol = symbol, .value = value};
}

/* Velocities are given as z or as q', not as both. */
static bool mixes(nh_reader *reader, nh_span span, nh_role role)
{
    nh_role other = role == NH_ROLE_RATE ? NH_ROLE_VELOCITY : NH_ROLE_RATE;
    const nh_model *model = reader->model;
    if (role != NH_ROLE_RATE && role != NH_ROLE_VELOCITY)
        return false;
    for (size_t i = 0; i < model->n_initial; i++)
        if (role_of(model, model->initial[i].symbol) == other)
            return !nh_wrong(reader, span, NULL,
                             "initial velocities are given as quasi-velocities or as x', not as both: '%.*s'",
                             (int)nh_word(reader, span).length, nh_word(reader, span).data);
    return false;
}

void nh_read_initial(nh_reader *reader, const nh_item *items, size_t count)
{
    nh_model *model = reader->model;
    bool mixed = false;
    for (size_t i = 0; i < count; i++) {
        nh_expr symbol = target_of(reader, &items[i]);
        nh_value value = nh_scalar_of(reader, items[i].value, &in_initial);
        if (!symbol || !value.size)
            continue;
        if (start_of(model, symbol))
            nh_wrong(reader, items[i].name, NULL, "the initial value of '%.*s' is given twice",
                     (int)nh_word(reader, items[i].name).length, nh_word(reader, items[i].name).data);
        else if (!mixed && (mixed = mixes(reader, items[i].name, role_of(model, symbol))))
            continue;
        else
            append_start(model, symbol, value.e[0]);
    }
}

/* ---------------------------------------------------------------- the command line */

typedef bool parse_list(nh_arena *, nh_numbers *, const nh_source *, nh_diagnostics *, nh_statement *);

static bool open_option(nh_reader *reader, const char *name, const char *text, parse_list *parse,
                        nh_statement *s)
{
    nh_context *context = reader->context;
    if (!text || !*text)
        return false;
    nh_source *source = nh_source_new(&context->arena, name, text, strlen(text));
    reader->source = source;
    for (size_t i = 0; i < source->length;) {
        uint32_t c;
        size_t size = nh_utf8_decode(source->text + i, source->length - i, &c);
        if (size == 0)
            return nh_wrong(reader, (nh_span){(uint32_t)i, 1}, NULL, "invalid UTF-8");
        i += size;
    }
    return parse(&context->arena, &context->numbers, source, reader->diagnostics, s);
}

void nh_read_events(nh_reader *reader, const char *option, const char *text)
{
    nh_model *model = reader->model;
    nh_statement s = {.n_items = 0};
    bool ok = open_option(reader, option, text, nh_parse_conditions, &s);
    for (size_t i = 0; ok && i < s.n_items; i++) {
        nh_value left = nh_scalar_of(reader, s.items[i].value, &in_event), right = {.size = 1};
        if (s.items[i].right)
            right = nh_scalar_of(reader, s.items[i].right, &in_event);
        nh_slice words = nh_word(reader, s.items[i].name);
        if (left.size && right.size)
            nh_push(&model->arena, model->events, model->n_events, model->events_capacity) = (nh_event){
                .text = nh_arena_copy(&model->arena, words.data, words.length),
                .value = s.items[i].right ? nh_sub(&model->pool, left.e[0], right.e[0]) : left.e[0],
                .ends = strcmp(option, "--until") == 0,
                .section = strcmp(option, "--section") == 0,
            };
    }
    reader->source = reader->text;
}

/* A parameter, or what `initial` gives a value to. */
static nh_expr varied(nh_reader *reader, const nh_item *item)
{
    const nh_entry *entry = nh_find(reader, nh_word(reader, item->name));
    if (entry && entry->kind == NH_ENTRY_PARAMETER && !item->rate)
        return reader->model->parameters[entry->index].symbol;
    return target_of(reader, item);
}

void nh_read_ranges(nh_reader *reader, const char *option, const char *text)
{
    nh_model *model = reader->model;
    nh_statement s = {.n_items = 0};
    bool ok = open_option(reader, option, text, nh_parse_ranges, &s);
    for (size_t i = 0; ok && i < s.n_items; i++) {
        const nh_item *item = &s.items[i];
        nh_range range = {.symbol = varied(reader, item)};
        nh_value from = nh_scalar_of(reader, item->value, &in_range),
                 to = nh_scalar_of(reader, item->right, &in_range), steps = {.size = 1};
        if (item->steps)
            steps = nh_scalar_of(reader, item->steps, &in_range);
        if (!range.symbol || !from.size || !to.size || !steps.size)
            continue;
        uint32_t index = 0;
        nh_is_symbol(&model->pool, range.symbol, &index);
        nh_role role = model->roles[index].role;
        bool box = strcmp(option, "--box") == 0;
        if (role == NH_ROLE_TIME || (box && role == NH_ROLE_PARAMETER))
            nh_wrong(reader, item->name, NULL,
                     box ? "a box is one of coordinates and velocities" : "the time is not varied");
        if (box && item->steps)
            nh_wrong(reader, item->steps->span, "write x=-1:1", "a box has no steps");
        if (!box && i > 0)
            nh_wrong(reader, item->name, NULL, "one thing is varied at a time");
        range.name = nh_symbol_name(&model->pool, index), range.from = from.e[0], range.to = to.e[0];
        range.steps = item->steps ? steps.e[0] : NH_EXPR_NONE;
        nh_push(&model->arena, model->ranges, model->n_ranges, model->ranges_capacity) = range;
    }
    reader->source = reader->text;
}

/* One of a list; its number, or NAN: reported. */
static double time_of(nh_reader *reader, const nh_item *item)
{
    const nh_model *model = reader->model;
    nh_value value = nh_scalar_of(reader, item->value, &in_time);
    double *values = nh_arena_array(&reader->scratch, model->pool.n_symbols + 1, sizeof *values), out = NAN;
    if (item->right)
        nh_wrong(reader, item->right->span, NULL, "a time is one expression, without '='");
    if (!value.size || item->right)
        return NAN;
    nh_model_parameter_values(model, &reader->scratch, values);
    nh_evaluate(&model->pool, &reader->scratch, value.e, 1, values, &out, NULL);
    if (isfinite(out))
        return out;
    nh_wrong(reader, item->name, "give all parameters in it a value with --set", "this time is not a number");
    return NAN;
}

void nh_read_times(nh_reader *reader, nh_time which, const char *option, const char *text)
{
    nh_model *model = reader->model;
    nh_statement s = {.n_items = 0};
    bool ok = open_option(reader, option, text, nh_parse_conditions, &s);
    if (ok && which != NH_TIME_AT && s.n_items > 1)
        nh_wrong(reader, s.items[1].name, "several of them are given by --at", "%s is one time", option);
    for (size_t i = 0; ok && i < s.n_items; i++)
        nh_push(&model->arena, model->times[which].values, model->times[which].count,
                model->times[which].capacity) = time_of(reader, &s.items[i]);
    reader->source = reader->text;
}

const double *nh_model_times(const nh_model *model, nh_time which, size_t *count)
{
    bool there = model && which >= NH_TIME_TO && which <= NH_TIME_AT && model->times[which].count;
    if (count)
        *count = there ? model->times[which].count : 0;
    return there ? model->times[which].values : NULL;
}

/* Giving z replaces all q' of the model, and the reverse. */
static void replace(nh_model *model, nh_role role)
{
    size_t kept = 0;
    for (size_t i = 0; i < model->n_initial; i++) {
        nh_start start = model->initial[i];
        if (role_of(model, start.symbol) == role)
            nh_push(&model->arena, model->replaced, model->n_replaced, model->replaced_capacity) = start;
        else
            model->initial[kept++] = start;
    }
    model->n_initial = kept;
}

/* What the list gives, first in a list of its own, with the checks of `initial`. */
void nh_read_start(nh_reader *reader, const char *text)
{
    nh_model *model = reader->model;
    nh_statement s;
    if (open_option(reader, "--start", text, nh_parse_assignments, &s)) {
        nh_model before = *model;
        model->initial = NULL, model->n_initial = model->initial_capacity = 0;
        nh_read_initial(reader, s.items, s.n_items);
        nh_model given = *model;
        model->initial = before.initial, model->n_initial = before.n_initial,
        model->initial_capacity = before.initial_capacity;
        for (size_t i = 0; i < given.n_initial; i++) {
            nh_start start = given.initial[i];
            nh_role role = role_of(model, start.symbol);
            if (role == NH_ROLE_RATE || role == NH_ROLE_VELOCITY)
                replace(model, role == NH_ROLE_RATE ? NH_ROLE_VELOCITY : NH_ROLE_RATE);
            nh_start *known = start_of(model, start.symbol);
            if (role == NH_ROLE_TIME)
                model->start_time = start.value;
            else if (known)
                known->value = start.value;
            else
                append_start(model, start.symbol, start.value);
            if (role != NH_ROLE_TIME)
                start_of(model, start.symbol)->asked = true;
        }
    }
    reader->source = reader->text;
}

/* Whether the value of a parameter leads back to it; seen[] by parameter. */
static bool leads_to(nh_reader *reader, nh_expr value, uint32_t parameter, bool *seen)
{
    const nh_model *model = reader->model;
    size_t n = model->n_parameters, count = 0;
    nh_expr *todo = nh_arena_array(&reader->scratch, n + 1, sizeof *todo);
    for (todo[count++] = value; count > 0;) {
        nh_expr e = todo[--count];
        bool *depends = nh_arena_array(&reader->scratch, model->pool.n_symbols, sizeof *depends);
        nh_find_symbols(&model->pool, &reader->scratch, &e, 1, depends);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t index = 0;
            nh_is_symbol(&model->pool, model->parameters[i].symbol, &index);
            if (!depends[index] || seen[i])
                continue;
            if (i == parameter)
                return true;
            seen[i] = true;
            if (model->parameters[i].value)
                todo[count++] = model->parameters[i].value;
        }
    }
    return false;
}

static void set_parameter(nh_reader *reader, const nh_item *item)
{
    nh_model *model = reader->model;
    nh_entry *entry = nh_find(reader, nh_word(reader, item->name));
    nh_value value = nh_scalar_of(reader, item->value, &in_set);
    if (!entry) {
        nh_unknown(reader, item->name);
    } else if (entry->kind == NH_ENTRY_PARAMETER && item->rate) {
        nh_wrong(reader, item->name, NULL, "'%s' is a parameter: it has no velocity", entry->name);
    } else if (entry->kind == NH_ENTRY_PARAMETER && value.size) {
        model->parameters[entry->index].value = value.e[0];
    } else if (entry->kind != NH_ENTRY_PARAMETER && entry->kind != NH_ENTRY_BROKEN) {
        bool state = entry->kind == NH_ENTRY_COORDINATE || entry->kind == NH_ENTRY_VELOCITY;
        nh_wrong(reader, item->name, state ? "the initial state is given by --start" : NULL,
                 "'%s' is %s, not a parameter", entry->name, nh_entry_kind_text(entry->kind));
    }
}

/* Once all of the list is set: in a = b, b = 1 the value that b had before does not count. */
static void refuse_circular(nh_reader *reader, const nh_item *item)
{
    const nh_model *model = reader->model;
    nh_entry *entry = nh_find(reader, nh_word(reader, item->name));
    if (!entry || entry->kind != NH_ENTRY_PARAMETER || !model->parameters[entry->index].value)
        return;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    bool *seen = nh_arena_array(&reader->scratch, model->n_parameters, sizeof *seen);
    bool circular = leads_to(reader, model->parameters[entry->index].value, entry->index, seen);
    nh_arena_release(&reader->scratch, mark);
    if (circular)
        nh_wrong(reader, item->name, NULL, "the value of '%s' depends on itself", entry->name);
}

void nh_read_set(nh_reader *reader, const char *text)
{
    nh_statement s = {.n_items = 0};
    bool ok = open_option(reader, "--set", text, nh_parse_assignments, &s);
    for (size_t i = 0; ok && i < s.n_items; i++)
        set_parameter(reader, &s.items[i]);
    for (size_t i = 0; ok && i < s.n_items; i++)
        refuse_circular(reader, &s.items[i]);
    reader->source = reader->text;
}

/* ---------------------------------------------------------------- parameters as numbers */

/* The number that is given instead of a parameter's own value. */
static const double *number_of(nh_expr symbol, const nh_expr *symbols, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (symbols[i] == symbol)
            return &numbers[i];
    return NULL;
}

void nh_model_parameter_values(const nh_model *model, nh_arena *scratch, double *values)
{
    nh_model_parameter_values_with(model, scratch, NULL, NULL, 0, values);
}

void nh_model_parameter_values_with(const nh_model *model, nh_arena *scratch, const nh_expr *symbols,
                                    const double *numbers, size_t count, double *values)
{
    size_t n = model->n_parameters;
    nh_expr *roots = nh_arena_array(scratch, n + 1, sizeof *roots);
    double *out = nh_arena_array(scratch, n + 1, sizeof *out);
    for (size_t i = 0; i < model->pool.n_symbols; i++)
        values[i] = NAN;
    for (size_t i = 0; i < n; i++)
        roots[i] = model->parameters[i].value;
    bool news = true;
    for (size_t pass = 0; news && pass <= n; pass++) { /* as many passes as values lean on each other */
        news = false;
        nh_evaluate(&model->pool, scratch, roots, n, values, out, NULL);
        for (size_t i = 0; i < n; i++) {
            uint32_t index = 0;
            nh_is_symbol(&model->pool, model->parameters[i].symbol, &index);
            const double *number = number_of(model->parameters[i].symbol, symbols, numbers, count);
            if (number)
                out[i] = *number;
            news = news || (isnan(values[index]) && !isnan(out[i]));
            values[index] = out[i];
        }
    }
}

const signed char *nh_model_signs(const nh_model *model, nh_arena *scratch)
{
    size_t n = model->pool.n_symbols;
    signed char *signs = nh_arena_array(scratch, n + 1, sizeof *signs);
    double *values = nh_arena_array(scratch, n + 1, sizeof *values);
    nh_expr *roots = nh_arena_array(scratch, model->n_parameters + 1, sizeof *roots);
    double *out = nh_arena_array(scratch, model->n_parameters + 1, sizeof *out),
           *errors = nh_arena_array(scratch, model->n_parameters + 1, sizeof *errors);
    nh_model_parameter_values(model, scratch, values);
    for (size_t i = 0; i < model->n_parameters; i++)
        roots[i] = model->parameters[i].value;
    nh_evaluate(&model->pool, scratch, roots, model->n_parameters, values, out, errors);
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(&model->pool, model->parameters[i].symbol, &index);
        bool zero = out[i] == 0 || (isfinite(errors[i]) && fabs(out[i]) <= 4 * errors[i]);
        signs[index] = zero ? 0 : out[i] < 0 ? -1 : 1;
    }
    return signs;
}

/* A value that can be computed but is no number: 1/(a - b) with a = b. */
void nh_check_parameters(nh_reader *reader)
{
    nh_model *model = reader->model;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    double *values = nh_arena_array(&reader->scratch, model->pool.n_symbols + 1, sizeof *values);
    nh_model_parameter_values(model, &reader->scratch, values);
    for (size_t i = 0; i < model->n_parameters; i++) {
        nh_parameter *p = &model->parameters[i];
        uint32_t index = 0;
        nh_is_symbol(&model->pool, p->symbol, &index);
        nh_arena_mark inner = nh_arena_here(&reader->scratch);
        bool *depends = nh_arena_array(&reader->scratch, model->pool.n_symbols, sizeof *depends);
        nh_find_symbols(&model->pool, &reader->scratch, &p->value, 1, depends);
        bool known = p->value != NH_EXPR_NONE;
        for (size_t k = 0; k < model->pool.n_symbols; k++)
            known = known && !(depends[k] && isnan(values[k]));
        nh_arena_release(&reader->scratch, inner);
        nh_entry *entry = nh_find(reader, nh_slice_of(p->name));
        if (known && !isfinite(values[index]) && entry)
            nh_wrong(reader, entry->span, NULL, "the value of parameter '%s' is not a number", p->name);
    }
    nh_arena_release(&reader->scratch, mark);
}
