#include "cli/cli.h"

#include <stdlib.h>

static int run(const cli_options *options)
{
    cli_file file;
    if (options->set || options->start || options->format)
        return cli_wrong("fmt takes no --set, --start or --format");
    if (options->show || options->method || options->project)
        return cli_wrong("fmt takes no --show, --method or --project");
    if (!cli_read(options->file, CLI_LARGEST_MODEL, &file))
        return EXIT_WRONG;
    nh_context *context = cli_context();
    nh_string text = {NULL, 0};
    nh_model_source source = {.name = file.name, .text = file.text, .length = file.length};
    nh_status status = nh_model_format(context, &source, &text);
    cli_messages(options, context);
    int result = cli_status(status);
    if (result == EXIT_DONE && !cli_write(options, text.data, text.length))
        result = EXIT_UNFINISHED;
    nh_string_free(context, &text);
    nh_context_free(context);
    free(file.text);
    return result;
}

const cli_command cli_fmt = {
    "fmt",
    "the model, laid out",
    "usage: nonholo fmt FILE [options]\n"
    "\n"
    "Writes the model with its white space put right: keywords in the first column, the rest\n"
    "from column 14 on, one space around '+', '-' and '='. Comments and line breaks stay; lines\n"
    "over 100 characters are broken after commas. Only the syntax has to be right.\n"
    "\n"
    "  -o FILE              write there (it may be FILE itself) instead of to standard output\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n",
    run,
};
