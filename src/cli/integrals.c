#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DEGREE = 6 };

/* What the terminal was told last, to be wiped out. */
typedef struct teller {
    size_t length;
} teller;

static void tell(void *user, double part, const char *what)
{
    teller *t = user;
    char line[120];
    int length = snprintf(line, sizeof line, "%3.0f %% of the time: %s", 100 * part, what);
    fprintf(stderr, "\r%-*s", (int)t->length, line);
    t->length = length > 0 ? (size_t)length : 0;
}

static bool read_number(const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && *value >= least && *value <= most;
}

static nh_status ask(const cli_options *options, nh_context *context, const nh_model *model, nh_format format,
                     nh_string *text)
{
    teller t = {0};
    double degree = 0;
    if (options->degree)
        read_number(options->degree, 1, MOST_DEGREE, &degree);
    nh_integrals_options asked = {.format = format,
                                  .degree = (int)degree,
                                  .space = options->space,
                                  .max_seconds =
                                      options->max_seconds ? strtod(options->max_seconds, NULL) : 0,
                                  .progress = !options->quiet && isatty(STDERR_FILENO) ? tell : NULL,
                                  .user = &t};
    nh_status status = nh_model_integrals(context, model, &asked, text);
    if (t.length)
        fprintf(stderr, "\r%-*s\r", (int)t.length, "");
    return status;
}

static int run(const cli_options *options)
{
    double value;
    if (options->degree && (!read_number(options->degree, 1, MOST_DEGREE, &value) || value != (int)value))
        return cli_wrong("--degree is a whole number from 1 to %d, not '%s'", MOST_DEGREE, options->degree);
    return cli_answer(options, "integrals", ask);
}

const cli_command cli_integrals = {
    "integrals",
    "quantities that are constant along every motion",
    "usage: nonholo integrals FILE [options]\n"
    "\n"
    "Finds first integrals: functions that are constant along every motion, for all values of the\n"
    "parameters. They are polynomials in the velocities, in z and in q', with coefficients that\n"
    "are polynomials in the coordinates, in cosines and sines of angles, and in functions that\n"
    "occur in the model. Each is proved; those that are functions of others are left out. The\n"
    "answer says which space was searched.\n"
    "\n"
    "  --degree N           the largest degree in the velocities, 1 to 6 (default: 2)\n"
    "  --space LIST         coefficients: constants, polynomials, trigonometric, functions, separated\n"
    "                       by commas (default: all)\n"
    "  --max-seconds S      end after so long, with what was found by then or with status 1; without it\n"
    "                       the search, which goes from small spaces to large ones, takes 10\n"
    "  --max-memory B       memory, as 500M (default: 1G)\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,x'=2     values of the initial state, which tells the branch of a constraint\n"
    "  --format text|json   form of the output (default: text)\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --quiet              no warnings, no progress\n"
    "\n"
    "Exit status: 0 done, 1 could not be finished, 2 the model or the command line is wrong.\n",
    run,
};
