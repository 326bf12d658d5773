/* The equations, in every format: the one of the section "format", or one after the other. With a section "language" also as
 * source code. */
#include "input.h"

static const char *const formats[] = {"all", "text", "json", "model", "latex", "mathml", "html"};
static const char *const methods[] = {"both", "first", "second"};
static const char *const languages[] = {"c", "python", "julia", "octave"};

enum { FORMATS = sizeof formats / sizeof *formats, LANGUAGES = sizeof languages / sizeof *languages };

static void write_equations(nh_context *context, const nh_model *model, const fuzz_input *input,
                            nh_format format)
{
    nh_derive_options options = {.format = format,
                                 .show = fuzz_text(input, "show"),
                                 .only = fuzz_text(input, "only"),
                                 .method = (nh_method)fuzz_choice(input, "method", methods, 3),
                                 .steps = fuzz_find(input, "steps") != NULL,
                                 .width = (size_t)fuzz_number(input, "width", 0, 1000, 0),
                                 .ascii = fuzz_find(input, "ascii") != NULL,
                                 .fragment = fuzz_find(input, "fragment") != NULL,
                                 .level = (int)fuzz_number(input, "level", 0, 6, 0)};
    nh_string text;
    nh_status status = nh_model_derive_with(context, model, &options, &text);
    fuzz_look_at_answer(context, status, fuzz_form_of(format), &text);
}

static void write_code(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_export_options options = {.language =
                                     (nh_language)fuzz_choice(input, "language", languages, LANGUAGES),
                                 .name = fuzz_text(input, "name")};
    nh_string text;
    nh_status status = nh_model_export(context, model, &options, &text);
    fuzz_look_at_answer(context, status, FUZZ_TEXT, &text);
}

static void derive(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    int chosen = fuzz_choice(input, "format", formats, FORMATS);
    if (fuzz_find(input, "language"))
        write_code(context, model, input);
    else if (chosen)
        write_equations(context, model, input, (nh_format)(chosen - 1));
    else
        for (nh_format format = NH_FORMAT_TEXT; format <= NH_FORMAT_HTML; format++)
            write_equations(context, model, input, format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_ask(data, size, derive);
    return 0;
}
