#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static int check_text(const cli_options *options, const cli_file *file, nh_format format)
{
    nh_context *context = nh_context_new(NULL);
    nh_model *model = NULL;
    nh_string text = {NULL, 0};
    nh_model_source source = {file->name, file->text, file->length, options->set, options->start};
    nh_status status = nh_model_read(context, &source, &model);
    cli_messages(options, context);
    int result = cli_status(status);
    if (status == NH_OK) {
        result = cli_status(nh_model_check(context, model, format, &text));
        if (result == EXIT_DONE && !cli_write(options, text.data, text.length))
            result = EXIT_UNFINISHED;
    }
    nh_string_free(context, &text);
    nh_model_free(model);
    nh_context_free(context);
    return result;
}

static int run(const cli_options *options)
{
    cli_file file;
    bool json = options->format && strcmp(options->format, "json") == 0;
    if (options->format && !json && strcmp(options->format, "text") != 0)
        return cli_wrong("check writes the formats text and json, not '%s'", options->format);
    if (!cli_read(options->file, &file))
        return EXIT_WRONG;
    int result = check_text(options, &file, json ? NH_FORMAT_JSON : NH_FORMAT_TEXT);
    free(file.text);
    return result;
}

const cli_command cli_check = {
    "check",
    "what was understood of a model, and what is true of it",
    "usage: nonholo check FILE [options]\n"
    "\n"
    "Reads a model and prints its coordinates, parameters, energies and constraints, each\n"
    "constraint with its kind (positional, linear, affine, homogeneous, non-linear), the\n"
    "degrees of freedom, and what is true of the system.\n"
    "\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the initial state and time\n"
    "  --format text|json   form of the output (default: text)\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
