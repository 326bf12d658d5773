#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Whether text may have more than ASCII: by the locale, and not on a terminal that says it is dumb. */
static bool takes_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = NULL, *terminal = getenv("TERM");
    for (int k = 0; k < 3 && !(locale && *locale); k++)
        locale = getenv(names[k]);
    if (!locale || (isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") == 0))
        return false;
    return strstr(locale, "UTF-8") || strstr(locale, "utf8") || strstr(locale, "UTF8") ||
           strstr(locale, "utf-8");
}

/* 0: as wide as the library thinks is good. */
static size_t terminal_width(const cli_options *options)
{
    struct winsize size;
    bool known = !options->output && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return known ? size.ws_col : 0;
}

enum { NARROWEST = 40, WIDEST = 10000 };

static bool read_width(const char *text, size_t *width)
{
    char *end;
    long value = strtol(text, &end, 10);
    *width = (size_t)value;
    return *text && !*end && value >= NARROWEST && value <= WIDEST;
}

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    nh_derive_options asked = {.format = format,
                               .show = options->show,
                               .method = cli_method(options),
                               .steps = options->steps,
                               .only = options->only,
                               .fragment = options->fragment,
                               .ascii = options->ascii || (!options->unicode && !takes_unicode())};
    if (options->width)
        read_width(options->width, &asked.width);
    else if (format == NH_FORMAT_TEXT)
        asked.width = terminal_width(options);
    return nh_model_derive_with(context, model, &asked, text);
}

static int run(const cli_options *options)
{
    size_t width;
    if (options->width && !read_width(options->width, &width))
        return cli_wrong("--width is a number of columns from %d to %d, not '%s'", NARROWEST, WIDEST,
                         options->width);
    return cli_answer(options, "derive", ask);
}

const cli_command cli_derive = {
    "derive",
    "the dynamical equations, by both methods",
    "usage: nonholo derive FILE [options]\n"
    "\n"
    "Derives the equations of motion of the first kind (on the constraint) and of the second kind\n"
    "(with multipliers and reactive forces), simplified. JSON has every object of both recipes.\n"
    "\n"
    "  --steps              the worksheet: both recipes, step by step, with the proof that they agree\n"
    "  --only LIST          only these parts (system, constraints, first, second, agreement, facts,\n"
    "                       operations) or objects (g, G, Z_upper, lambda, ...: the keys of JSON)\n"
    "\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,x'=2     values of the initial state, which tells the branch of a constraint\n"
    "  --method first|second|both   (default: both)\n"
    "  --show LIST          more objects, by their names, separated by commas: gauss, gibbs-appell,\n"
    "                       virtual, christoffel, geodesic, newton\n"
    "  --format F           text, json, latex, mathml, html, or model: the model language, each\n"
    "                       formula on one line (default: by the name of -o FILE, or text)\n"
    "  --width N            columns of a line (default: those of the terminal, or 80)\n"
    "  --ascii, --unicode   letters of the text (default: what the locale allows)\n"
    "  --fragment           LaTeX or HTML to be pasted into a document, instead of a document\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
