/* What is said of motions without following them: conserved quantities, rest, stability, and how fast neighbours part. A section
 * "question" names one of them; otherwise all are asked for. */
#include "input.h"

static nh_format format_of(const fuzz_input *input)
{
    return fuzz_find(input, "text") ? NH_FORMAT_TEXT : NH_FORMAT_JSON;
}

static void integrals(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_integrals_options options = {.format = format_of(input),
                                    .degree = (int)fuzz_number(input, "degree", 1, 6, 1),
                                    .space = fuzz_text(input, "space"),
                                    .max_seconds = 0.2};
    nh_string text;
    nh_status status = nh_model_integrals(context, model, &options, &text);
    fuzz_look_at_answer(context, status, fuzz_form_of(options.format), &text);
}

static void equilibria(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_equilibria_options options = {.format = format_of(input),
                                     .steady = fuzz_find(input, "steady") != NULL};
    nh_string text;
    nh_status status = nh_model_equilibria(context, model, &options, &text);
    fuzz_look_at_answer(context, status, fuzz_form_of(options.format), &text);
}

static void linearize(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_linearize_options options = {.format = format_of(input),
                                    .steady = fuzz_find(input, "steady") != NULL,
                                    .project = fuzz_find(input, "project") != NULL};
    nh_string text;
    nh_status status = nh_model_linearize(context, model, &options, &text);
    fuzz_look_at_answer(context, status, fuzz_form_of(options.format), &text);
}

static void lyapunov(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_lyapunov_options options = {.format = format_of(input),
                                   .to = fuzz_number(input, "to", 0, 10, 1),
                                   .tolerance = 1e-6,
                                   .project = fuzz_find(input, "project") != NULL};
    int finished;
    nh_string text;
    nh_status status = nh_model_lyapunov(context, model, &options, &finished, &text);
    if (status == NH_OK && !finished && !text.length) { /* the motion is too short for an answer */
        nh_string_free(context, &text);
        return;
    }
    fuzz_look_at_answer(context, status, fuzz_form_of(options.format), &text);
}

static void analyse(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    static const char *const names[] = {"all", "integrals", "equilibria", "linearize", "lyapunov"};
    static fuzz_question *const questions[] = {NULL, integrals, equilibria, linearize, lyapunov};
    enum { COUNT = sizeof names / sizeof *names };
    int chosen = fuzz_choice(input, "question", names, COUNT);
    for (int k = 1; k < COUNT; k++)
        if (chosen == 0 || chosen == k)
            questions[k](context, model, input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_ask(data, size, analyse);
    return 0;
}
