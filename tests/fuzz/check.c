/* What is true of a model, in text and in JSON. */
#include "input.h"

/* A model may be refused here, too: where a motion has no inertia, for example. */
static void check(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    (void)input;
    nh_string text;
    nh_status status = nh_model_check(context, model, NH_FORMAT_TEXT, &text);
    fuzz_look_at_answer(context, status, FUZZ_TEXT, &text);
    status = nh_model_check(context, model, NH_FORMAT_JSON, &text);
    fuzz_look_at_answer(context, status, FUZZ_JSON, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_ask(data, size, check);
    return 0;
}
