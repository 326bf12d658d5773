/* Numbers: the objects at the start, and a short motion, whose rows have as many columns as there are names. A section "starts"
 * has many of them. */
#include "input.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"both", "first", "second"};
static const char *const solvers[] = {"auto", "taylor", "rk", "cvode"};
static const char *const precisions[] = {"double", "long", "quad"};
static const char *const rows_formats[] = {"csv", "npy", "npz"};

typedef struct rows {
    bool csv;
    size_t columns; /* of the first line */
} rows;

static int take(void *user, const char *text, size_t length)
{
    rows *r = user;
    const char *end = text + length;
    while (r->csv && text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        size_t columns = 1;
        if (!line_end)
            fuzz_broken("half a row");
        for (; text < line_end; text++)
            columns += *text == ',';
        r->columns = r->columns ? r->columns : columns;
        if (r->columns != columns)
            fuzz_broken("a row with another number of columns");
        text++;
    }
    return 0;
}

static void eval(nh_context *context, const nh_model *model, nh_eval_options options)
{
    nh_string text;
    nh_status status = nh_model_eval_with(context, model, &options, &text);
    fuzz_look_at_answer(context, status, fuzz_form_of(options.format), &text);
}

static void run(nh_context *context, const nh_model *model, const fuzz_input *input, nh_eval_options same)
{
    const fuzz_section *starts = fuzz_find(input, "starts");
    rows r = {0};
    nh_run_options options = {
        .to = fuzz_number(input, "to", -10, 10, 0.1),
        .every = fuzz_number(input, "every", 1e-3, 1e300, 0),
        .parts = 5,
        .tolerance = fuzz_number(input, "tol", 1e-33, 0.1, 1e-6),
        .method = same.method,
        .project = same.project,
        .solver = (nh_integrator)fuzz_choice(input, "solver", solvers, 4),
        .precision = fuzz_choice(input, "precision", precisions, 3),
        .format = (nh_rows_format)fuzz_choice(input, "rows", rows_formats, 3),
        .compile = fuzz_find(input, "compile") ? 1 : -1,
        .reactions = fuzz_find(input, "reactions") != NULL,
        .certify = !starts && fuzz_find(input, "certify"),
        .starts = starts ? starts->text : NULL,
        .starts_length = starts ? starts->length : 0,
        .threads = 1,
        .write = take,
        .user = &r,
    };
    r.csv = options.format == NH_ROWS_CSV;
    int finished;
    nh_string summary;
    nh_status status = nh_model_run(context, model, &options, &finished, &summary);
    fuzz_look_at_answer(context, status, FUZZ_TEXT, &summary);
}

static void picture(nh_context *context, const nh_model *model)
{
    nh_string svg;
    nh_status status = nh_model_picture(context, model, &(nh_report_options){.to = 0.1, .every = 0.02}, &svg);
    fuzz_look_at_answer(context, status, FUZZ_MARKED_UP, &svg);
}

static void report(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_report_options options = {.name = fuzz_text(input, "name"), .to = 0.1, .every = 0.02, .plain = 1};
    nh_string html;
    nh_status status = nh_model_report(context, model, &input->source, &options, &html);
    fuzz_look_at_answer(context, status, FUZZ_TEXT, &html);
}

static void move(nh_context *context, const nh_model *model, const fuzz_input *input)
{
    nh_eval_options options = {.method = (nh_method)fuzz_choice(input, "method", methods, 3),
                               .project = fuzz_find(input, "project") != NULL};
    eval(context, model, options);
    run(context, model, input, options);
    options.format = NH_FORMAT_JSON;
    eval(context, model, options);
    if (input->source.picture)
        picture(context, model);
    if (fuzz_find(input, "report"))
        report(context, model, input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_ask(data, size, move);
    return 0;
}
