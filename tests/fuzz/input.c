#include "input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_broken(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

/* ---------------------------------------------------------------- sections */

/* Where the next section begins, behind its "%%"; NULL: there is none. */
static const char *next_section(const char *at, const char *end)
{
    for (; end - at >= 3; at++)
        if (memcmp(at, "\n%%", 3) == 0)
            return at + 3;
    return NULL;
}

/* A copy with a NUL behind it. */
static char *copy(const char *text, size_t length)
{
    char *to = malloc(length + 1);
    if (!to)
        abort();
    memcpy(to, text, length);
    to[length] = '\0';
    return to;
}

static fuzz_section take_section(const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);
    char *name = copy(begin, length), *text = name + strcspn(name, " \n");
    bool named = text < name + length;
    *text = '\0';
    text += named;
    return (fuzz_section){name, text, length - (size_t)(text - name)};
}

void fuzz_take(fuzz_input *input, const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size, *section = next_section(text, end);
    size_t length = section ? (size_t)(section - text) - 2 : size;
    char *model = malloc(length ? length : 1);
    if (!model)
        abort();
    memcpy(model, text, length);
    *input = (fuzz_input){.source = {.name = "fuzz", .text = model, .length = length}};
    while (section && input->count < FUZZ_SECTIONS) {
        const char *next = next_section(section, end);
        input->sections[input->count++] = take_section(section, next ? next - 3 : end);
        section = next;
    }
    nh_model_source *s = &input->source;
    s->set = fuzz_text(input, "set"), s->start = fuzz_text(input, "start");
    s->until = fuzz_text(input, "until"), s->events = fuzz_text(input, "event");
    s->section = fuzz_text(input, "section"), s->picture = fuzz_find(input, "picture") != NULL;
    s->vary = fuzz_text(input, "vary"), s->box = fuzz_text(input, "box");
}

void fuzz_free(fuzz_input *input)
{
    free((char *)input->source.text);
    for (size_t i = 0; i < input->count; i++)
        free(input->sections[i].name);
}

const fuzz_section *fuzz_find(const fuzz_input *input, const char *name)
{
    for (size_t i = 0; i < input->count; i++)
        if (strcmp(input->sections[i].name, name) == 0)
            return &input->sections[i];
    return NULL;
}

const char *fuzz_text(const fuzz_input *input, const char *name)
{
    const fuzz_section *found = fuzz_find(input, name);
    return found ? found->text : NULL;
}

double fuzz_number(const fuzz_input *input, const char *name, double least, double most, double otherwise)
{
    const char *text = fuzz_text(input, name);
    double value = text ? strtod(text, NULL) : NAN;
    return value >= least && value <= most ? value : otherwise;
}

int fuzz_choice(const fuzz_input *input, const char *name, const char *const *names, int count)
{
    const char *text = fuzz_text(input, name);
    for (int k = 0; text && k < count; k++)
        if (strncmp(text, names[k], strlen(names[k])) == 0)
            return k;
    return 0;
}

/* ---------------------------------------------------------------- asking */

nh_context *fuzz_context(void)
{
    nh_context *context = nh_context_new(&(nh_options){.max_bytes = (size_t)256 << 20, .max_seconds = 0.5});
    if (!context)
        abort();
    return context;
}

void fuzz_ask(const uint8_t *data, size_t size, fuzz_question *question)
{
    fuzz_input input;
    fuzz_take(&input, data, size);
    nh_context *context = fuzz_context();
    nh_model *model;
    nh_status status = nh_model_read(context, &input.source, &model);
    fuzz_look_at_messages(context, status);
    if ((status == NH_OK) != (model != NULL))
        fuzz_broken("a model, or a status, that should not be");
    if (model)
        question(context, model, &input);
    nh_model_free(model);
    nh_context_free(context);
    fuzz_free(&input);
}

/* How many bytes a character has; 0: it is none. Those that could be written with fewer bytes and halves of pairs are none. */
static size_t character(const unsigned char *at, size_t left)
{
    size_t size = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000};
    if (size == 0 || size > left)
        return 0;
    uint32_t code = size == 1 ? *at : *at & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    return code >= least[size] && code <= 0x10ffff && code >> 11 != 27 ? size : 0;
}

static bool is_utf8(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        size_t size = character(at, (size_t)(end - at));
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

void fuzz_look_at_messages(const nh_context *context, nh_status status)
{
    size_t errors = 0;
    for (size_t i = 0; i < nh_message_count(context); i++) {
        nh_message message = nh_message_get(context, i);
        const char *text = nh_message_text(context, i);
        errors += message.severity == NH_ERROR;
        if (!*text || text[strlen(text) - 1] != '\n' || !*message.message)
            fuzz_broken("a message without text");
        if (!is_utf8(text, strlen(text)))
            fuzz_broken("a message that is not UTF-8");
    }
    if (status == NH_ERROR_MODEL && errors == 0)
        fuzz_broken("a model is wrong, but no message says why");
    if (status == NH_OK && errors > 0)
        fuzz_broken("errors, but the model is accepted");
    if (status == NH_ERROR_ARGUMENT)
        fuzz_broken("the caller is said to be wrong");
}

fuzz_form fuzz_form_of(nh_format format)
{
    switch (format) {
    case NH_FORMAT_JSON: return FUZZ_JSON;
    case NH_FORMAT_LATEX: return FUZZ_BRACED;
    case NH_FORMAT_MATHML: return FUZZ_MARKED_UP;
    default: return FUZZ_TEXT;
    }
}

static bool is_of_form(const nh_string *text, fuzz_form form)
{
    switch (form) {
    case FUZZ_TEXT: return true;
    case FUZZ_JSON: return fuzz_is_json(text->data, text->length);
    case FUZZ_MARKED_UP: return fuzz_is_marked_up(text->data);
    case FUZZ_BRACED: return fuzz_is_braced(text->data);
    }
    return false;
}

void fuzz_look_at_answer(nh_context *context, nh_status status, fuzz_form form, nh_string *text)
{
    fuzz_look_at_messages(context, status);
    if (status == NH_OK ? !text->length : text->data != NULL)
        fuzz_broken("an answer without a text, or a text without an answer");
    if (text->data && (strlen(text->data) != text->length || !is_utf8(text->data, text->length)))
        fuzz_broken("a text that is not UTF-8");
    if (text->data && !is_of_form(text, form))
        fuzz_broken("a text that is not of its form");
    nh_string_free(context, text);
}
