#include "base/base.h"

#include <string.h>
#include <time.h>

#define STRING(x) #x
#define VERSION(major, minor, patch) STRING(major) "." STRING(minor) "." STRING(patch)

const char *nh_version(void) { return VERSION(NH_VERSION_MAJOR, NH_VERSION_MINOR, NH_VERSION_PATCH); }

const char *nh_status_text(nh_status status)
{
    switch (status) {
    case NH_OK: return "done";
    case NH_ERROR_MODEL: return "the model is wrong";
    case NH_ERROR_ARGUMENT: return "a function of the library was called with a wrong argument";
    case NH_ERROR_MEMORY: return "out of memory, or of the memory that is allowed";
    case NH_ERROR_NUMBER_SIZE: return "an exact number became too long";
    case NH_ERROR_NOT_FOUND: return "what was asked for was not found";
    case NH_ERROR_TIME: return "it takes more time than is allowed";
    }
    return "unknown status";
}

nh_context *nh_context_new(const nh_options *options)
{
    nh_options defaults = {.max_bytes = (size_t)1 << 30};
    nh_heap heap;
    nh_heap_init(&heap, options ? &options->allocator : NULL,
                 options && options->max_bytes ? options->max_bytes : defaults.max_bytes);
    nh_context *context = nh_heap_take(&heap, sizeof *context);
    if (!context)
        return NULL;
    *context = (nh_context){.heap = heap};
    if (options && options->max_seconds > 0)
        context->deadline = nh_seconds() + options->max_seconds;
    nh_arena_init(&context->arena, &context->heap);
    nh_numbers_init(&context->numbers, &context->arena);
    nh_diagnostics_init(&context->diagnostics, &context->arena);
    return context;
}

void nh_context_free(nh_context *context)
{
    if (!context)
        return;
    nh_numbers_free(&context->numbers);
    nh_arena_free(&context->arena);
    nh_heap heap = context->heap;
    nh_heap_give(&heap, context, sizeof *context);
}

size_t nh_context_peak_bytes(const nh_context *context) { return context ? context->heap.peak : 0; }

/* ---------------------------------------------------------------- calls */

static void render_messages(void *arg)
{
    nh_context *context = arg;
    size_t count = context->diagnostics.count;
    if (count == 0)
        return; /* what has succeeded so far cannot fail here */
    context->texts = nh_arena_array(&context->arena, count, sizeof *context->texts);
    for (size_t i = 0; i < count; i++) {
        nh_text text;
        nh_text_init(&text, &context->arena);
        nh_diagnostic_print(&text, &context->diagnostics.items[i]);
        context->texts[context->n_texts++] = nh_text_get(&text);
    }
}

nh_status nh_context_call(nh_context *context, void (*body)(void *), void *arg)
{
    nh_arena_free(&context->arena);
    nh_diagnostics_init(&context->diagnostics, &context->arena);
    context->texts = NULL, context->n_texts = 0;
    context->heap.deadline = context->deadline; /* which may have been lifted for the messages of the last call */
    nh_status status = nh_heap_try(&context->heap, body, arg);
    nh_status rendered = nh_heap_try(&context->heap, render_messages, context);
    if (status == NH_OK)
        status = rendered;
    return status == NH_OK && context->diagnostics.errors > 0 ? NH_ERROR_MODEL : status;
}

/* ---------------------------------------------------------------- messages */

size_t nh_message_count(const nh_context *context) { return context ? context->n_texts : 0; }

const char *nh_message_text(const nh_context *context, size_t i)
{
    return i < nh_message_count(context) ? context->texts[i] : "";
}

nh_message nh_message_get(const nh_context *context, size_t i)
{
    nh_message message = {.severity = NH_WARNING, .file = "", .message = ""};
    if (i >= nh_message_count(context))
        return message;
    const nh_diagnostic *item = &context->diagnostics.items[i];
    message.severity = item->severity;
    message.message = item->message, message.hint = item->hint;
    if (item->source) {
        nh_place place = nh_source_place(item->source, item->span.offset);
        nh_slice text = nh_source_slice(item->source, item->span);
        message.file = item->source->name;
        message.line = place.line, message.column = place.column;
        message.length = nh_utf8_count(text.data, text.length);
    }
    return message;
}

/* ---------------------------------------------------------------- texts */

void nh_string_make(nh_context *context, const nh_text *text, nh_string *string)
{
    char *data = nh_heap_take(&context->heap, text->length + 1);
    if (text->length)
        memcpy(data, text->data, text->length);
    data[text->length] = '\0';
    *string = (nh_string){data, text->length};
}

void nh_string_free(nh_context *context, nh_string *string)
{
    if (!context || !string || !string->data)
        return;
    nh_heap_give(&context->heap, string->data, string->length + 1);
    *string = (nh_string){NULL, 0};
}

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double nh_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

double nh_thread_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
