/* Public calls of lang/. */
#include "lang/lang.h"

typedef struct format_job {
    nh_context *context;
    const nh_model_source *source;
    nh_string *text;
} format_job;

static void format(void *arg)
{
    format_job *job = arg;
    nh_context *context = job->context;
    const nh_model_source *given = job->source;
    const char *name = given->name ? given->name : "model";
    const nh_source *source =
        nh_source_open(&context->arena, name, given->text, given->length, &context->diagnostics);
    nh_text out;
    nh_text_init(&out, &context->arena);
    if (source && nh_lay_out(&context->arena, &context->numbers, source, &context->diagnostics, &out))
        nh_string_make(context, &out, job->text);
}

nh_status nh_model_format(nh_context *context, const nh_model_source *source, nh_string *text)
{
    if (!context || !source || !source->text || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    format_job job = {context, source, text};
    return nh_context_call(context, format, &job);
}
