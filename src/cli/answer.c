/* What most commands do: read a model, ask one question of the library, write the answer. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static int answer(const cli_options *options, const cli_file *file, nh_format format, cli_question *question)
{
    nh_context *context = cli_context();
    nh_model *model = NULL;
    nh_string text = {NULL, 0};
    nh_model_source source = {.name = file->name,
                              .text = file->text,
                              .length = file->length,
                              .set = options->set,
                              .start = options->start,
                              .vary = options->vary,
                              .to = options->to,
                              .box = options->box};
    nh_status status = nh_model_read(context, &source, &model);
    cli_messages(options, context);
    int result = cli_status(status);
    if (status == NH_OK) {
        status = question(options, context, model, format, &text);
        cli_messages(options, context);
        result = cli_status(status);
        bool any = text.length > 0; /* nothing replaces no file */
        if (result == EXIT_DONE && any && !cli_write(options, text.data, text.length))
            result = EXIT_UNFINISHED;
    }
    nh_string_free(context, &text);
    nh_model_free(model);
    nh_context_free(context);
    return result;
}

nh_method cli_method(const cli_options *options)
{
    const char *method = options->method ? options->method : "both";
    return strcmp(method, "first") == 0    ? NH_METHOD_FIRST
           : strcmp(method, "second") == 0 ? NH_METHOD_SECOND
                                           : NH_METHOD_BOTH;
}

static const struct {
    const char *name, *ending; /* of files, where that tells it */
    nh_format format;
} formats[] = {{"text", ".txt", NH_FORMAT_TEXT},     {"json", ".json", NH_FORMAT_JSON},
               {"model", NULL, NH_FORMAT_MODEL},     {"latex", ".tex", NH_FORMAT_LATEX},
               {"mathml", ".mml", NH_FORMAT_MATHML}, {"html", ".html", NH_FORMAT_HTML}};
enum { FORMATS = sizeof formats / sizeof *formats, PLAIN_FORMATS = 2 };

/* The first `count` of them; false: it is none, which has been said. */
static bool find_format(const cli_options *options, const char *command, size_t count, nh_format *format)
{
    size_t length = options->output ? strlen(options->output) : 0;
    *format = NH_FORMAT_TEXT;
    for (size_t k = 0; k < count; k++) {
        size_t end = formats[k].ending ? strlen(formats[k].ending) : length + 1;
        bool by_ending = !options->format && length > end &&
                         strcmp(options->output + length - end, formats[k].ending) == 0;
        if (by_ending || (options->format && strcmp(options->format, formats[k].name) == 0)) {
            *format = formats[k].format;
            return true;
        }
    }
    if (!options->format && length > 4 && strcmp(options->output + length - 4, ".pdf") == 0)
        return !cli_wrong("%s makes no PDF: write %.*s.tex, and run pdflatex on it", command,
                          (int)(length - 4), options->output);
    if (options->format)
        cli_wrong("%s writes the formats %s, not '%s'", command,
                  count == FORMATS ? "text, json, model, latex, mathml and html" : "text and json",
                  options->format);
    return !options->format;
}

int cli_answer(const cli_options *options, const char *command, cli_question *question)
{
    cli_file file;
    bool derive = strcmp(command, "derive") == 0;
    nh_format format;
    if (!find_format(options, command, derive ? FORMATS : PLAIN_FORMATS, &format))
        return EXIT_WRONG;
    if (options->method && cli_method(options) == NH_METHOD_BOTH && strcmp(options->method, "both") != 0)
        return cli_wrong("--method is first, second or both, not '%s'", options->method);
    if (!cli_read(options->file, CLI_LARGEST_MODEL, &file))
        return EXIT_WRONG;
    int result = answer(options, &file, format, question);
    free(file.text);
    return result;
}
