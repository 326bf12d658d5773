/* Layouts: one that is laid out again stays as it is, and is read as the model that it was made from: what is wrong with one is
 * wrong with the other. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

/* What was said of a text when it was read as a model. */
typedef struct reading {
    nh_context *context;
    nh_model *model;
    nh_status status;
} reading;

static reading read_text(nh_model_source source)
{
    reading r = {.context = fuzz_context()};
    r.status = nh_model_read(r.context, &source, &r.model);
    fuzz_look_at_messages(r.context, r.status);
    return r;
}

static void forget(reading *r)
{
    nh_model_free(r->model);
    nh_context_free(r->context);
}

static void compare_names(const nh_model *one, const nh_model *other)
{
    for (nh_part part = NH_COORDINATES; part <= NH_INTEGRALS; part++) {
        if (nh_model_count(one, part) != nh_model_count(other, part))
            fuzz_broken("a layout is another model");
        for (size_t i = 0; i < nh_model_count(one, part); i++)
            if (strcmp(nh_model_name(one, part, i), nh_model_name(other, part, i)) != 0)
                fuzz_broken("a layout is a model with other names");
    }
}

static bool has_ended_early(nh_status status) { return status != NH_OK && status != NH_ERROR_MODEL; }

/* The words; the numbers of lines differ. */
static bool same_words(const char *one, const char *other)
{
    static const char digits[] = "0123456789";
    for (;; one++, other++) {
        one += strspn(one, digits), other += strspn(other, digits);
        if (*one != *other || !*one)
            return *one == *other;
    }
}

static void compare(const reading *one, const reading *other)
{
    if (has_ended_early(one->status) || has_ended_early(other->status))
        return;
    size_t count = nh_message_count(one->context);
    if (one->status != other->status || count != nh_message_count(other->context))
        fuzz_broken("a layout is read with other messages than its model");
    for (size_t i = 0; i < count; i++)
        if (!same_words(nh_message_get(one->context, i).message, nh_message_get(other->context, i).message))
            fuzz_broken("a layout is read with another message than its model");
    if (one->model)
        compare_names(one->model, other->model);
}

static void lay_out_again(nh_context *context, const nh_model_source *layout)
{
    nh_string again = {NULL, 0};
    nh_status status = nh_model_format(context, layout, &again);
    if (has_ended_early(status))
        return;
    if (status != NH_OK)
        fuzz_broken("a layout is no model");
    if (layout->length != again.length || memcmp(layout->text, again.data, again.length) != 0)
        fuzz_broken("a layout is not laid out");
    nh_string_free(context, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    fuzz_take(&input, data, size);
    nh_context *context = fuzz_context();
    nh_string once = {NULL, 0};
    reading original = read_text(input.source);
    nh_status status = nh_model_format(context, &input.source, &once);
    fuzz_look_at_messages(context, status);
    if (status == NH_OK) {
        nh_model_source layout = input.source;
        layout.text = once.data, layout.length = once.length;
        reading laid_out = read_text(layout);
        compare(&original, &laid_out);
        forget(&laid_out);
        lay_out_again(context, &layout);
    } else if (original.status == NH_OK && !has_ended_early(status))
        fuzz_broken("a model without a layout");
    forget(&original);
    nh_string_free(context, &once);
    nh_context_free(context);
    fuzz_free(&input);
    return 0;
}
