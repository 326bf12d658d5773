/* The reader of models: on any text it ends with a model or with messages, and a model can be asked what it consists of. */
#include "input.h"

static void look_at_parts(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    (void)context, (void)input;
    for (nh_part part = NH_COORDINATES; part <= NH_INTEGRALS; part++)
        for (size_t i = 0; i < nh_model_count(model, part); i++)
            if (!*nh_model_name(model, part, i) && part != NH_CONSTRAINTS)
                fuzz_broken("a part without a name");
    for (size_t i = 0; i < nh_model_count(model, NH_CONSTRAINTS); i++)
        if (nh_model_constraint_kind(model, i) > NH_NONLINEAR)
            fuzz_broken("a constraint of no kind");
    if (nh_model_freedom(model) > nh_model_count(model, NH_COORDINATES))
        fuzz_broken("more freedom than coordinates");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_ask(data, size, look_at_parts);
    return 0;
}
