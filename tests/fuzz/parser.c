/* The reader of models: on any text it ends with a model or with messages, and a layout is laid out already. */
#include "nonholo.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static nh_context *new_context(void)
{
    nh_context *context = nh_context_new(&(nh_options){.max_bytes = (size_t)256 << 20});
    if (!context)
        abort();
    return context;
}

static void broken(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Messages are there where the model is wrong, and can be asked for. */
static void look_at_messages(const nh_context *context, nh_status status)
{
    size_t errors = 0;
    for (size_t i = 0; i < nh_message_count(context); i++) {
        nh_message message = nh_message_get(context, i);
        const char *text = nh_message_text(context, i);
        errors += message.severity == NH_ERROR;
        if (!*text || text[strlen(text) - 1] != '\n' || !*message.message)
            broken("a message without text");
    }
    if (status == NH_ERROR_MODEL && errors == 0)
        broken("a model is wrong, but no message says why");
    if (status == NH_OK && errors > 0)
        broken("errors, but the model is accepted");
}

static void lay_out(const nh_model_source *source)
{
    nh_context *context = new_context();
    nh_string once, twice = {NULL, 0};
    nh_status status = nh_model_format(context, source, &once);
    look_at_messages(context, status);
    if (status == NH_OK) {
        nh_model_source again = {.name = "again", .text = once.data, .length = once.length};
        if (nh_model_format(context, &again, &twice) != NH_OK)
            broken("a layout is no model");
        if (once.length != twice.length || memcmp(once.data, twice.data, once.length) != 0)
            broken("a layout is not laid out");
    }
    nh_string_free(context, &once);
    nh_string_free(context, &twice);
    nh_context_free(context);
}

/* A model may be refused here, too: where a motion has no inertia, for example. */
static void check(nh_context *context, const nh_model *model, nh_format format)
{
    nh_string text;
    nh_status status = nh_model_check(context, model, format, &text);
    if (status == NH_OK ? !text.length : text.data != NULL)
        broken("an answer without a text, or a text without an answer");
    look_at_messages(context, status);
    nh_string_free(context, &text);
}

static void read_model(const nh_model_source *source)
{
    nh_context *context = new_context();
    nh_model *model;
    nh_status status = nh_model_read(context, source, &model);
    look_at_messages(context, status);
    if ((status == NH_OK) != (model != NULL))
        broken("a model, or a status, that should not be");
    if (model) {
        check(context, model, NH_FORMAT_TEXT);
        check(context, model, NH_FORMAT_JSON);
    }
    nh_model_free(model);
    nh_context_free(context);
}

/* Cuts a part behind the separator off; the rest ends with a NUL. */
static const char *cut(char *text, size_t *length)
{
    static const char separator[] = "\n%%\n";
    for (size_t i = 0; i + 4 <= *length; i++)
        if (memcmp(text + i, separator, 4) == 0) {
            *length = i;
            text[i] = '\0';
            return text + i + 4;
        }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A model; behind a line "%%" stand the values of the command line: --set, and behind another one --start. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    size_t length = size, rest;
    const char *set = cut(text, &length), *start = NULL;
    if (set) {
        rest = size - (size_t)(set - text);
        start = cut((char *)set, &rest);
    }
    /* a block of just the size of the model, so that nothing behind it is read */
    char *exact = malloc(length ? length : 1);
    memcpy(exact, text, length);
    nh_model_source source = {.name = "fuzz", .text = exact, .length = length, .set = set, .start = start};
    lay_out(&source);
    read_model(&source);
    free(exact);
    free(text);
    return 0;
}
