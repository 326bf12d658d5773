#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "models/skate.nh" is skate. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *stem = malloc(strlen(name) + 6);
    if (!stem)
        return NULL;
    strcpy(stem, strcmp(name, "-") == 0 ? "model" : name);
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem)
        *dot = '\0';
    return stem;
}

static int write_report(const cli_options *options, const cli_file *file, nh_report_options *how,
                        bool picture)
{
    nh_context *context = cli_context();
    nh_model *model = NULL;
    nh_string html = {NULL, 0};
    nh_model_source source = {.name = file->name, .text = file->text, .length = file->length, .picture = 1};
    source.set = options->set, source.start = options->start;
    source.to = options->to, source.every = options->every;
    nh_status status = nh_model_read(context, &source, &model);
    cli_messages(options, context);
    int result = cli_status(status);
    if (status == NH_OK && (!cli_time(model, NH_TIME_TO, "--to", options->to, &how->to) ||
                            !cli_time(model, NH_TIME_EVERY, "--every", options->every, &how->every)))
        status = NH_ERROR_MODEL, result = EXIT_WRONG;
    if (status == NH_OK) {
        cli_watch watch;
        cli_watch_begin(&watch, options);
        how->stop = cli_is_interrupted, how->progress = cli_tell, how->user = &watch;
        status = picture ? nh_model_picture(context, model, how, &html)
                         : nh_model_report(context, model, &source, how, &html);
        cli_told(&watch);
        if (cli_has_signal()) { /* half a motion would look like a whole one */
            fputs("nonholo: it was interrupted\n", stderr);
            result = EXIT_UNFINISHED;
        } else {
            cli_messages(options, context);
            result = cli_status(status);
        }
        if (result == EXIT_DONE && !cli_write(options, html.data, html.length))
            result = EXIT_UNFINISHED;
    }
    nh_string_free(context, &html);
    nh_model_free(model);
    nh_context_free(context);
    return result;
}

/* Told by --format or, without it, by the name of the file. */
static bool is_picture(const cli_options *options)
{
    const char *dot = options->output ? strrchr(options->output, '.') : NULL;
    return strcmp(options->format ? options->format : dot ? dot + 1 : "", "svg") == 0;
}

static int run(const cli_options *options)
{
    cli_file file = {0};
    nh_report_options how = {.to = NAN, .plain = options->plain};
    bool picture = is_picture(options);
    if (options->format && strcmp(options->format, "html") != 0 && !picture)
        return cli_wrong("report writes HTML or SVG, not '%s'", options->format);
    if (!cli_read(options->file, CLI_LARGEST_MODEL, &file))
        return EXIT_WRONG;
    char *stem = stem_of(options->file);
    how.name = stem;
    if (!how.plain && !picture && !nh_has_page() && !options->quiet)
        fputs("nonholo: built without Node: the page is the static one\n", stderr);
    int result = write_report(options, &file, &how, picture);
    free(file.text), free(stem);
    return result;
}

const cli_command cli_report = {
    "report",
    "one page of HTML: equations, facts, plots, moving picture",
    "usage: nonholo report FILE -o PAGE.html [options]\n"
    "\n"
    "Writes one page that needs nothing else: the model, its equations with all steps, what is\n"
    "true of it, its motion with a moving picture of what the model draws (or of its points and\n"
    "bodies), plots, and the equations as LaTeX and C to be downloaded from the page.\n"
    "\n"
    "  -o PAGE.html         write there instead of to standard output\n"
    "  -o PICTURE.svg       the moving picture alone, which plays without a script\n"
    "  --format html|svg    the same, whatever the name\n"
    "  --static             without scripts, for printing and for mail\n"
    "  --to T               end of the motion (default: 10)\n"
    "  --every H            time between its rows (default: a 400th of it)\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the state and time\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
