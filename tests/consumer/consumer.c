/* Reads a model from a string and prints what it is. */
#include <nonholo.h>

#include <stdio.h>
#include <string.h>

static const char skate[] = "system      Skate\n"
                            "coordinates x, y\n"
                            "angles      theta\n"
                            "parameters  m = 1, I = 1\n"
                            "kinetic     1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2\n"
                            "constraint  blade: x'*sin(theta) - y'*cos(theta) = 0\n";

static int complain(const nh_context *context, nh_status status)
{
    fprintf(stderr, "%s\n", nh_status_text(status));
    for (size_t i = 0; i < nh_message_count(context); i++)
        fputs(nh_message_text(context, i), stderr);
    return 1;
}

int main(void)
{
    nh_context *context = nh_context_new(NULL);
    if (!context)
        return 1;
    nh_model_source source = {.name = "skate.nh", .text = skate, .length = strlen(skate)};
    nh_model *model = NULL;
    nh_status status = nh_model_read(context, &source, &model);
    if (status != NH_OK)
        return complain(context, status);

    printf("nonholo %s\n", nh_version());
    printf("%s: %zu coordinates, %zu constraints, freedom %zu\n", nh_model_title(model),
           nh_model_count(model, NH_COORDINATES), nh_model_count(model, NH_CONSTRAINTS),
           nh_model_freedom(model));
    nh_model_free(model);
    nh_context_free(context);
    return 0;
}
