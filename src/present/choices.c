/* Names separated by commas, as --show and --only take them. */
#include "present/writer.h"

#include <string.h>

/* The one that contains the name, else the nearest. */
static const char *suggestion(nh_context *context, nh_slice name, const char *const *names, size_t count)
{
    size_t best = name.length / 3 + 2, distance;
    const char *nearest = NULL, *part = nh_arena_copy(&context->arena, name.data, name.length);
    for (size_t k = 0; k < count; k++)
        if ((distance = nh_edit_distance(name, nh_slice_of(names[k]), best)) < best)
            best = distance, nearest = names[k];
    for (size_t k = 0; k < count && name.length >= 3; k++)
        if (strstr(names[k], part))
            nearest = names[k];
    if (!nearest)
        return NULL;
    nh_text hint;
    nh_text_init(&hint, &context->arena);
    nh_text_format(&hint, "did you mean '%s'?", nearest);
    return nh_text_get(&hint);
}

static uint64_t bit_of(nh_context *context, const nh_source *source, nh_span span, const char *const *names,
                       size_t count)
{
    nh_slice name = nh_source_slice(source, span);
    nh_text all;
    nh_text_init(&all, &context->arena);
    for (size_t k = 0; k < count; k++) {
        if (nh_slice_is(name, names[k]))
            return (uint64_t)1 << k;
        nh_text_format(&all, "%s%s", k == 0 ? "" : k + 1 < count ? ", " : " and ", names[k]);
    }
    nh_report(&context->diagnostics, NH_ERROR, source, span, suggestion(context, name, names, count),
              "unknown object '%.*s': there are %s", (int)name.length, name.data, nh_text_get(&all));
    return 0;
}

uint64_t nh_choices_read(nh_context *context, const char *option, const char *text, const char *const *names,
                         size_t count)
{
    uint64_t chosen = 0;
    if (!text || !*text)
        return 0;
    const nh_source *source = nh_source_new(&context->arena, option, text, strlen(text));
    for (size_t begin = 0; begin <= source->length;) {
        size_t end = begin + strcspn(text + begin, ","), next = end + 1;
        while (begin < end && text[begin] == ' ')
            begin++;
        while (end > begin && text[end - 1] == ' ')
            end--;
        chosen |= bit_of(context, source, (nh_span){(uint32_t)begin, (uint32_t)(end - begin)}, names, count);
        begin = next;
    }
    return chosen;
}
