/* What most commands do: read a model, ask one question of the library, write the answer. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static int answer(const cli_options *options, const cli_file *file, nh_format format, cli_question *question)
{
    nh_context *context = nh_context_new(NULL);
    nh_model *model = NULL;
    nh_string text = {NULL, 0};
    nh_model_source source = {file->name, file->text, file->length, options->set, options->start};
    nh_status status = nh_model_read(context, &source, &model);
    cli_messages(options, context);
    int result = cli_status(status);
    if (status == NH_OK) {
        status = question(options, context, model, format, &text);
        cli_messages(options, context);
        result = cli_status(status);
        if (result == EXIT_DONE && !cli_write(options, text.data, text.length))
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

int cli_answer(const cli_options *options, const char *command, cli_question *question)
{
    cli_file file;
    bool json = options->format && strcmp(options->format, "json") == 0;
    if (options->format && !json && strcmp(options->format, "text") != 0)
        return cli_wrong("%s writes the formats text and json, not '%s'", command, options->format);
    if (options->show && strcmp(command, "derive") != 0)
        return cli_wrong("%s takes no --show", command);
    if (options->method && cli_method(options) == NH_METHOD_BOTH && strcmp(options->method, "both") != 0)
        return cli_wrong("--method is first, second or both, not '%s'", options->method);
    if (options->project && strcmp(command, "eval") != 0)
        return cli_wrong("%s takes no --project", command);
    if (!cli_read(options->file, &file))
        return EXIT_WRONG;
    int result = answer(options, &file, json ? NH_FORMAT_JSON : NH_FORMAT_TEXT, question);
    free(file.text);
    return result;
}
