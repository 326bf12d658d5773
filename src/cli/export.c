#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *ending;
} languages[] = {[NH_LANGUAGE_C] = {"c", ".c"},
                 [NH_LANGUAGE_PYTHON] = {"python", ".py"},
                 [NH_LANGUAGE_JULIA] = {"julia", ".jl"},
                 [NH_LANGUAGE_OCTAVE] = {"octave", ".m"}};
enum { LANGUAGES = sizeof languages / sizeof *languages };

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* By --to, or by the name of the file that is written; false: by neither, which has been said. */
static bool find_language(const cli_options *options, nh_language *language)
{
    for (int k = 0; k < LANGUAGES; k++)
        if (options->language ? strcmp(options->language, languages[k].name) == 0
                              : options->output && ends_with(options->output, languages[k].ending)) {
            *language = (nh_language)k;
            return true;
        }
    if (options->language)
        return !cli_wrong("--to is c, python, julia or octave, not '%s'", options->language);
    return !cli_wrong(
        "export needs a language: --to c, python, julia or octave, or -o FILE with the ending .c, .py, .jl "
        "or .m");
}

/* The name of a file without its folder and ending: that of the output, or of the model. */
static char *stem_of(const cli_options *options)
{
    bool written = options->output && strcmp(options->output, "-") != 0;
    const char *path = written ? options->output : strcmp(options->file, "-") != 0 ? options->file : "model";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *stem = malloc(length + 1);
    if (stem) {
        memcpy(stem, name, length);
        stem[length] = 0;
    }
    return stem;
}

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    nh_export_options asked = {0};
    (void)format;
    if (!find_language(options, &asked.language))
        return NH_ERROR_ARGUMENT;
    char *stem = stem_of(options);
    asked.name = stem;
    nh_status status = nh_model_export(context, model, &asked, text);
    free(stem);
    return status;
}

static int run(const cli_options *options)
{
    nh_language language;
    if (options->format)
        return cli_wrong("export takes no --format: the language is given by --to");
    if (options->method)
        return cli_wrong("export takes no --method: both kinds are written");
    return find_language(options, &language) ? cli_answer(options, "export", ask) : EXIT_WRONG;
}

const cli_command cli_export = {
    "export",
    "the equations as source code",
    "usage: nonholo export FILE --to c|python|julia|octave [options]\n"
    "\n"
    "Writes one file of source code that needs nothing but the language's own mathematics: the\n"
    "right-hand sides of the equations of both kinds, psi, multipliers, reactive forces, energies and\n"
    "what is observed, as functions of time, state and parameters; the names, the values of the\n"
    "parameters and the initial state. A comment says what is where, and how to integrate it.\n"
    "\n"
    "  --to LANGUAGE        c, python, julia or octave, which is MATLAB's as well (default: by the\n"
    "                       ending of -o FILE: .c, .py, .jl, .m)\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the state and time\n"
    "  -o FILE              write there instead of to standard output; its name without the ending is\n"
    "                       that of the module or function in it\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
