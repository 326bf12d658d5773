/* Many starts, as CSV, of a model whose motion is simple: every start has a row at its beginning, and one at the end. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "coordinates x, y\n"
                           "angles      theta\n"
                           "parameters  m = 2, \xce\xbb = 1\n"
                           "kinetic     1/2*m*(x'^2 + y'^2) + 1/2*theta'^2\n"
                           "force       x = 1, theta = \xce\xbb\n"
                           "constraint  x'*sin(theta) - y'*cos(theta) = 0\n"
                           "velocities  v, w\n"
                           "parametric  x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
                           "initial     v = 1\n";

/* Lines with something in them, but for the one with the names. A byte order mark is nothing. */
static size_t count_starts(const char *csv, size_t length)
{
    size_t lines = 0;
    bool blank = true;
    for (size_t i = length >= 3 && memcmp(csv, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; i < length; i++) {
        bool space = strchr(" \t\r\n", csv[i]);
        lines += blank && !space;
        blank = csv[i] == '\n' || (blank && space);
    }
    return lines ? lines - 1 : 0;
}

static int count_rows(void *user, const char *rows, size_t length)
{
    for (size_t i = 0; i < length; i++)
        *(size_t *)user += rows[i] == '\n';
    return 0;
}

static void run(nh_context *context, const nh_model *model, const char *csv, size_t length)
{
    size_t lines = 0;
    int finished;
    nh_string summary;
    nh_run_options options = {.to = 1e-3,
                              .tolerance = 1e-6,
                              .compile = -1,
                              .threads = 1,
                              .starts = csv,
                              .starts_length = length,
                              .write = count_rows,
                              .user = &lines};
    nh_status status = nh_model_run(context, model, &options, &finished, &summary);
    if (status == NH_OK && finished && lines != 1 + 2 * count_starts(csv, length))
        fuzz_broken("starts without two rows");
    fuzz_look_at_answer(context, status, FUZZ_TEXT, &summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nh_context *context = fuzz_context();
    nh_model *model;
    if (nh_model_read(context, &(nh_model_source){.name = "starts", .text = text, .length = sizeof text - 1},
                      &model) != NH_OK)
        fuzz_broken("the model is wrong");
    char *csv = malloc(size ? size : 1);
    if (!csv)
        abort();
    memcpy(csv, data, size);
    run(context, model, csv, size);
    free(csv);
    nh_model_free(model);
    nh_context_free(context);
    return 0;
}
