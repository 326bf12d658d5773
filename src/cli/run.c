#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Where the rows go: to the standard output as they come, or into memory, for a file that is written at once. */
typedef struct sink {
    const cli_options *options;
    char *text;
    size_t length, capacity;
    bool failed;
} sink;

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool keep(sink *s, const char *text, size_t length)
{
    if (s->length + length > s->capacity) {
        size_t capacity = 2 * s->capacity + length + (1 << 16);
        char *larger = realloc(s->text, capacity);
        if (!larger)
            return false;
        s->text = larger, s->capacity = capacity;
    }
    memcpy(s->text + s->length, text, length);
    s->length += length;
    return true;
}

static int take(void *user, const char *text, size_t length)
{
    sink *s = user;
    s->failed = s->options->output ? !keep(s, text, length) : fwrite(text, 1, length, stdout) != length;
    return s->failed || interrupted;
}

static int stop(void *user)
{
    (void)user;
    return interrupted;
}

/* ---------------------------------------------------------------- options */

static bool read_number(const char *option, const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (*text && !*end && isfinite(*value))
        return true;
    return !cli_wrong("%s is a number, not '%s'", option, text);
}

static bool choose(const char *option, const char *text, const char *const *names, int count, int *chosen)
{
    for (int k = 0; k < count; k++)
        if (strcmp(text, names[k]) == 0) {
            *chosen = k;
            return true;
        }
    fprintf(stderr, "nonholo: %s is", option);
    for (int k = 0; k < count; k++)
        fprintf(stderr, "%s%s", k == 0 ? " " : k + 1 < count ? ", " : " or ", names[k]);
    fprintf(stderr, ", not '%s'\n", text);
    return false;
}

static bool read_options(const cli_options *o, nh_run_options *run)
{
    static const char *const solvers[] = {"auto", "taylor", "rk"}, *const precisions[] = {"double", "long",
                                                                                          "quad"};
    static const char *const methods[] = {"both", "first", "second"}, *const compiles[] = {"auto", "always", "never"};
    int solver = 0, precision = 0, method = 0, compile = 0;
    run->to = 10;
    if ((o->to && !read_number("--to", o->to, &run->to)) ||
        (o->every && !read_number("--every", o->every, &run->every)) ||
        (o->tol && !read_number("--tol", o->tol, &run->tolerance)) ||
        (o->solver && !choose("--solver", o->solver, solvers, 3, &solver)) ||
        (o->precision && !choose("--precision", o->precision, precisions, 3, &precision)) ||
        (o->compile && !choose("--compile", o->compile, compiles, 3, &compile)) ||
        (o->method && !choose("--method", o->method, methods, 3, &method)))
        return false;
    if (o->every && !(run->every > 0))
        return !cli_wrong("--every is more than 0");
    if (o->tol && !(run->tolerance >= 1e-33 && run->tolerance <= 0.1))
        return !cli_wrong("--tol is between 1e-33 and 0.1");
    run->solver = (nh_integrator)solver, run->precision = precision, run->method = (nh_method)method;
    run->compare = o->method && method == 0;
    run->compile = compile == 2 ? -1 : compile;
    run->reactions = o->reactions, run->project = o->project;
    return true;
}

/* ---------------------------------------------------------------- the command */

static int go(const cli_options *options, const cli_file *file, nh_run_options *run)
{
    nh_context *context = nh_context_new(NULL);
    nh_model *model = NULL;
    nh_string summary = {NULL, 0};
    nh_model_source source = {file->name, file->text, file->length, options->set, options->start};
    sink rows = {.options = options};
    int finished = 0;
    run->write = take, run->stop = stop, run->user = &rows;
    nh_status status = nh_model_read(context, &source, &model);
    cli_messages(options, context);
    int result = cli_status(status);
    if (status == NH_OK) {
        status = nh_model_run(context, model, run, &finished, &summary);
        cli_messages(options, context);
        result = cli_status(status);
    }
    bool written = result == EXIT_DONE && !rows.failed;
    if (written)
        written = options->output ? cli_write(options, rows.text ? rows.text : "", rows.length)
                                  : fflush(stdout) == 0;
    if (result == EXIT_DONE && !written && !options->output)
        cli_wrong("cannot write the rows");
    if (summary.data && (!options->quiet || !finished))
        fputs(summary.data, stderr);
    if (result == EXIT_DONE && (!written || !finished))
        result = EXIT_UNFINISHED;
    free(rows.text);
    nh_string_free(context, &summary);
    nh_model_free(model);
    nh_context_free(context);
    return result;
}

static int run_motion(const cli_options *options)
{
    cli_file file;
    nh_run_options run = {0};
    if (!read_options(options, &run))
        return EXIT_WRONG;
    if (!cli_read(options->file, &file))
        return EXIT_WRONG;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    int result = go(options, &file, &run);
    free(file.text);
    return result;
}

const cli_command cli_run = {
    "run",
    "integrate the motion",
    "usage: nonholo run FILE [options]\n"
    "\n"
    "Integrates the motion from the initial state, and writes CSV: t, the coordinates, their\n"
    "velocities, the declared velocities, and what is observed. What was done is told on the\n"
    "standard error.\n"
    "\n"
    "  --to T               end of the run, which may be before its start (default: 10)\n"
    "  --every H            time between rows (default: a hundredth of the run)\n"
    "  --tol E              tolerance of a step, relative (default: 1e-12)\n"
    "  --method first|second|both   both: by the first, and the largest difference is told\n"
    "  --solver auto|taylor|rk      auto: Taylor series, Runge-Kutta where forces have corners\n"
    "  --precision double|long|quad of the Taylor series\n"
    "  --reactions          columns R_x, ... and lambda_1, ...\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the state and time\n"
    "  --project            move an initial state that violates the constraints onto them\n"
    "  -o FILE              write there instead of to standard output\n"
    "  --quiet              no warnings, no summary\n"
    "\n"
    "Exit status: 0 done, 1 the motion could not be followed to its end (the rows so far are kept),\n"
    "2 the model or the command line is wrong.\n",
    run_motion,
};
