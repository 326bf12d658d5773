/* nh_model_export: the equations of a model as one file in another language. */
#include "export/writer.h"

#include <string.h>

typedef struct export_job {
    nh_context *context;
    const nh_model *model;
    nh_export_options options;
    nh_string *text;
    nh_equations *equations;
} export_job;

static const nh_dialect *dialect_of(nh_language language)
{
    switch (language) {
    case NH_LANGUAGE_C: return &nh_dialect_c;
    case NH_LANGUAGE_PYTHON: return &nh_dialect_python;
    case NH_LANGUAGE_JULIA: return &nh_dialect_julia;
    case NH_LANGUAGE_OCTAVE: return &nh_dialect_octave;
    }
    return NULL;
}

/* What is wrong with the start is no error here: the file does without it. Where the model gives one, it is said. */
static void find_start(nh_export *e)
{
    nh_diagnostics *diagnostics = &e->eq->context->diagnostics;
    size_t count = diagnostics->count, errors = diagnostics->errors;
    e->start = nh_start_state(e->eq, false);
    e->no_start = !e->start && diagnostics->count > count ? diagnostics->items[count].message : "";
    diagnostics->count = count, diagnostics->errors = errors;
    if (!e->start && e->eq->model->n_initial)
        nh_report(diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL, "the initial state is left out: %s",
                  e->no_start);
}

static void find_values(nh_export *e)
{
    const nh_model *model = e->eq->model;
    double *values = nh_arena_array(e->arena, e->eq->pool.n_symbols + 1, sizeof *values);
    nh_model_parameter_values(model, &e->eq->context->arena, values);
    e->values = nh_arena_array(e->arena, model->n_parameters + 1, sizeof *e->values);
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(&e->eq->pool, model->parameters[i].symbol, &index);
        e->values[i] = values[index];
    }
}

static void name_all(nh_export *e, const char *name)
{
    const char *title = e->eq->model->title;
    nh_name_file(e, name && *name ? name : title && *title ? title : "model");
    nh_name_variables(e);
}

static void write_file(nh_export *e)
{
    e->dialect->begin(e);
    for (nh_routine_id id = 0; id < NH_ROUTINES; id++)
        nh_write_routine(e, id);
    e->dialect->end_of_file(e);
}

static void export_model(void *arg)
{
    export_job *job = arg;
    nh_text out;
    nh_equations *eq = job->equations = nh_equations_new(job->context, job->model);
    if (job->context->diagnostics.errors)
        return;
    nh_warn_dependent(eq);
    nh_text_init(&out, &eq->arena);
    nh_export *e = nh_arena_array(&eq->arena, 1, sizeof *e);
    *e =
        (nh_export){.out = &out, .eq = eq, .arena = &eq->arena, .dialect = dialect_of(job->options.language)};
    find_start(e);
    find_values(e);
    name_all(e, job->options.name);
    nh_make_routines(e);
    write_file(e);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_export(nh_context *context, const nh_model *model, const nh_export_options *options,
                          nh_string *text)
{
    nh_export_options asked = options ? *options : (nh_export_options){0};
    if (!context || !model || !text || !dialect_of(asked.language))
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    export_job job = {context, model, asked, text, NULL};
    nh_status status = nh_context_call(context, export_model, &job);
    nh_equations_free(job.equations);
    return status;
}
