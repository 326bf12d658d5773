/* From text to a model: the public calls of model/. */
#include "model/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- messages */

static void report(nh_reader *reader, nh_severity severity, nh_span span, const char *hint,
                   const char *format, va_list arguments)
{
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    nh_report(reader->diagnostics, severity, reader->source, span, hint, "%s", message);
}

bool nh_wrong(nh_reader *reader, nh_span span, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(reader, NH_ERROR, span, hint, format, arguments);
    va_end(arguments);
    return false;
}

void nh_warn(nh_reader *reader, nh_span span, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(reader, NH_WARNING, span, hint, format, arguments);
    va_end(arguments);
}

nh_slice nh_word(const nh_reader *reader, nh_span span) { return nh_source_slice(reader->source, span); }

/* ---------------------------------------------------------------- reading */

typedef struct step {
    nh_reader *reader;
    const nh_statement *statement;
} step;

static void read_statement(void *arg)
{
    step *s = arg;
    nh_read_statement(s->reader, s->statement);
}

/* A statement with an error declares its names all the same, so that one mistake is one message. */
static void take_statement(nh_reader *reader, const nh_statement *statement)
{
    if (!statement->ok) {
        for (size_t i = 0; i < statement->n_items; i++)
            nh_declare_broken(reader, statement->items[i].name);
        return;
    }
    step s = {reader, statement};
    nh_status status = nh_heap_try(&reader->context->heap, read_statement, &s);
    if (status == NH_ERROR_NUMBER_SIZE)
        nh_wrong(reader, statement->span, NULL, "a number in this statement becomes too long");
    else if (status != NH_OK)
        nh_heap_fail(&reader->context->heap, status);
}

static void check_model(nh_reader *reader)
{
    nh_model *model = reader->model;
    if (model->n == 0 && reader->diagnostics->errors == 0)
        nh_wrong(reader, (nh_span){0, 0}, "add a 'coordinates' statement", "there are no coordinates");
    if (reader->diagnostics->errors)
        return;
    reader->signs = nh_model_signs(model, &reader->context->arena);
    reader->formulas = nh_model_formulas(model, reader->signs, &model->pool, &reader->context->arena);
    nh_sum_energies(reader);
    nh_check_energies(reader);
    nh_check_parameters(reader);
    nh_settle_constraints(reader);
}

typedef struct read_job {
    nh_context *context;
    const nh_model_source *given;
    nh_model *model;
    nh_reader reader;
} read_job;

static void read_model(void *arg)
{
    read_job *job = arg;
    nh_context *context = job->context;
    nh_reader *reader = &job->reader;
    nh_model *model = job->model;
    const char *name = job->given->name ? job->given->name : "model";
    reader->diagnostics = &context->diagnostics;
    reader->source = reader->text =
        nh_source_open(&context->arena, name, job->given->text, job->given->length, &context->diagnostics);
    if (!reader->source)
        return;
    nh_pool_init(&model->pool, &model->arena);
    reader->modular = nh_modular_new(&model->pool, &context->arena, 2007);
    nh_names_init(reader);
    model->title = "";
    model->start_time = model->pool.zero;
    model->time = nh_new_symbol(reader, "t", NH_ROLE_TIME, 0);
    nh_parser *parser =
        nh_parser_new(&context->arena, &context->numbers, reader->source, reader->diagnostics);
    nh_statement statement;
    while (nh_parser_next(parser, &statement))
        take_statement(reader, &statement);
    nh_read_set(reader, job->given->set);
    nh_read_start(reader, job->given->start);
    nh_read_events(reader, "--until", job->given->until);
    nh_read_events(reader, "--event", job->given->events);
    nh_read_events(reader, "--section", job->given->section);
    nh_read_ranges(reader, "--vary", job->given->vary);
    nh_read_ranges(reader, "--box", job->given->box);
    nh_read_times(reader, NH_TIME_TO, "--to", job->given->to);
    nh_read_times(reader, NH_TIME_EVERY, "--every", job->given->every);
    nh_read_times(reader, NH_TIME_AT, "--at", job->given->at);
    if (job->given->picture)
        nh_add_drawings(reader);
    check_model(reader);
}

static void check_number_size(void *arg)
{
    read_job *job = arg;
    nh_report(&job->context->diagnostics, NH_ERROR, job->reader.text, (nh_span){0, 0}, NULL,
              "a number in this model becomes too long");
}

static void read_guarded(void *arg)
{
    read_job *job = arg;
    nh_status status = nh_heap_try(&job->context->heap, read_model, job);
    if (status == NH_ERROR_NUMBER_SIZE)
        check_number_size(job);
    else if (status != NH_OK)
        nh_heap_fail(&job->context->heap, status);
}

nh_status nh_model_read(nh_context *context, const nh_model_source *source, nh_model **out)
{
    if (!context || !source || !source->text || !out)
        return NH_ERROR_ARGUMENT;
    *out = NULL;
    nh_model *model = nh_heap_take(&context->heap, sizeof *model);
    if (!model)
        return NH_ERROR_MEMORY;
    memset(model, 0, sizeof *model);
    model->context = context;
    nh_arena_init(&model->arena, &context->heap);
    read_job job = {.context = context, .given = source, .model = model};
    job.reader = (nh_reader){.context = context, .model = model, .pool = &model->pool};
    nh_arena_init(&job.reader.scratch, &context->heap);
    nh_status status = nh_context_call(context, read_guarded, &job);
    nh_arena_free(&job.reader.scratch);
    if (status == NH_OK)
        *out = model;
    else
        nh_model_free(model);
    return status;
}

void nh_model_free(nh_model *model)
{
    if (!model)
        return;
    nh_context *context = model->context;
    nh_pool_free(&model->pool);
    nh_arena_free(&model->arena);
    nh_heap_give(&context->heap, model, sizeof *model);
}

/* ---------------------------------------------------------------- what it consists of */

const char *nh_model_title(const nh_model *model) { return model ? model->title : ""; }

size_t nh_model_m(const nh_model *model)
{
    return model->r ? model->n - model->r : model->psi ? model->n_velocities : model->n;
}

size_t nh_model_freedom(const nh_model *model) { return model ? nh_model_m(model) : 0; }

size_t nh_model_count(const nh_model *model, nh_part part)
{
    if (!model)
        return 0;
    switch (part) {
    case NH_COORDINATES: return model->n;
    case NH_VELOCITIES: return model->n_velocities;
    case NH_PARAMETERS: return model->n_parameters;
    case NH_CONSTRAINTS: return model->r;
    case NH_POINTS: return model->n_points;
    case NH_FRAMES: return model->n_frames;
    case NH_BODIES: return model->n_bodies;
    case NH_OBSERVED: return model->n_observed;
    case NH_INTEGRALS: return model->n_integrals;
    }
    return 0;
}

const char *nh_model_name(const nh_model *model, nh_part part, size_t i)
{
    if (i >= nh_model_count(model, part))
        return "";
    switch (part) {
    case NH_COORDINATES: return model->coordinates[i].name;
    case NH_VELOCITIES: return model->velocities[i].name;
    case NH_PARAMETERS: return model->parameters[i].name;
    case NH_CONSTRAINTS: return model->constraints[i].name;
    case NH_POINTS: return model->points[i].name;
    case NH_FRAMES: return model->frames[i].name;
    case NH_BODIES: return model->bodies[i].name;
    case NH_OBSERVED: return model->observed[i].name;
    case NH_INTEGRALS: return model->integrals[i].name;
    }
    return "";
}

nh_constraint_kind nh_model_constraint_kind(const nh_model *model, size_t a)
{
    return model && a < model->r ? model->constraints[a].kind : NH_NONLINEAR;
}
