#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the rows go: to the standard output as they come, or into memory, for a file that is written at once. */
typedef struct sink {
    const cli_options *options;
    const nh_context *context;
    char *text;
    size_t length, capacity;
    bool
        at_the_end; /* all rows come when the run is over, and there is nothing left to do but to write them */
    bool failed;    /* a row could be neither kept nor written: the run ends */
    int reason;     /* why not, a number of errno.h; 0: there is no room for it */
    cli_watch watch;
    cli_table table; /* for the picture */
} sink;

static bool has_room(const sink *s, size_t more)
{
    return cli_has_room(s->context, s->length + s->table.n_values * sizeof *s->table.values + more);
}

static bool keep(sink *s, const char *text, size_t length)
{
    if (!has_room(s, length))
        return false;
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

static bool print(sink *s, const char *text, size_t length)
{
    bool printed = fwrite(text, 1, length, stdout) == length;
    s->reason = printed ? 0 : errno;
    return printed;
}

static int take(void *user, const char *text, size_t length)
{
    sink *s = user;
    if (s->at_the_end)
        cli_limits_end();
    s->failed = s->failed || (s->options->output ? !keep(s, text, length) : !print(s, text, length));
    return s->failed || cli_is_interrupted(&s->watch);
}

static void forget(sink *s)
{
    cli_table_free(&s->table);
    free(s->text);
}

static int keep_numbers(void *user, size_t count, const char *const *names, const nh_column *columns,
                        const double *values)
{
    sink *s = user;
    s->failed =
        !has_room(s, count * sizeof *values) || cli_table_take(&s->table, count, names, columns, values) != 0;
    return s->failed;
}

/* Rows that are handed over at the end are in the context. */
static int stop(void *user)
{
    sink *s = user;
    cli_limits_keep(s->length + s->table.n_values * sizeof *s->table.values +
                    (s->at_the_end ? nh_context_peak_bytes(s->context) : 0));
    return cli_is_interrupted(&s->watch);
}

static void progress(void *user, double part)
{
    sink *s = user;
    cli_tell(&s->watch, part);
}

/* ---------------------------------------------------------------- options */

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

static bool ends_in(const char *name, const char *ending)
{
    size_t n = name ? strlen(name) : 0, m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

static bool read_choices(const cli_options *o, nh_run_options *run)
{
    static const char *const solvers[] = {"auto", "taylor", "rk", "cvode"};
    static const char *const precisions[] = {"double", "long", "quad"}, *const formats[] = {"csv", "npy",
                                                                                            "npz"};
    static const char *const methods[] = {"both", "first", "second"}, *const compiles[] = {"auto", "always",
                                                                                           "never"};
    int solver = 0, precision = 0, method = 0, compile = 0, format = 0;
    if ((o->solver && !choose("--solver", o->solver, solvers, 4, &solver)) ||
        (o->precision && !choose("--precision", o->precision, precisions, 3, &precision)) ||
        (o->compile && !choose("--compile", o->compile, compiles, 3, &compile)) ||
        (o->method && !choose("--method", o->method, methods, 3, &method)) ||
        (o->format && !choose("--format", o->format, formats, 3, &format)))
        return false;
    run->solver = (nh_integrator)solver, run->precision = precision, run->method = (nh_method)method;
    run->compare = o->method && method == 0;
    run->compile = compile == 2 ? -1 : compile;
    run->format = o->format                    ? (nh_rows_format)format
                  : ends_in(o->output, ".npy") ? NH_ROWS_NPY
                  : ends_in(o->output, ".npz") ? NH_ROWS_NPZ
                                               : NH_ROWS_CSV;
    return true;
}

static bool read_options(const cli_options *o, nh_run_options *run)
{
    double threads = 0;
    if ((o->tol && !cli_tolerance(o->tol, &run->tolerance)) ||
        (o->threads && !cli_number("--threads", o->threads, &threads)) || !read_choices(o, run))
        return false;
    if (o->threads && !(threads >= 1 && threads <= 256 && threads == floor(threads)))
        return !cli_wrong("--threads is a whole number from 1 to 256");
    if (o->starts && (o->certify || run->compare || o->plot))
        return !cli_wrong("--starts goes with none of --certify, --method both and --plot");
    run->threads = (int)threads;
    run->reactions = o->reactions, run->project = o->project, run->certify = o->certify;
    return true;
}

/* What the model has read. */
static bool take_times(const cli_options *o, const nh_model *model, nh_run_options *run)
{
    run->to = NAN;
    if (!cli_time(model, NH_TIME_TO, "--to", o->to, &run->to) ||
        !cli_time(model, NH_TIME_EVERY, "--every", o->every, &run->every))
        return false;
    if (o->every && !(run->every > 0))
        return !cli_wrong("--every is more than 0");
    run->at = nh_model_times(model, NH_TIME_AT, &run->n_at);
    if (run->at && o->every && !o->quiet)
        cli_wrong("rows are at the times of --at only: --every is not used");
    return !o->at || run->at || !cli_wrong("--at is a list of times, not '%s'", o->at);
}

/* ---------------------------------------------------------------- the command */

/* Rows of CSV for which there is no room are left out; those before them are as good as without. */
static bool write_rows(const cli_options *options, nh_rows_format format, sink *rows)
{
    bool room = !rows->failed || rows->reason;
    if (!room)
        cli_wrong(
            "there is no memory for more rows: more of it (--max-memory), fewer of them (--every), or the "
            "standard output as CSV");
    if (options->output && format != NH_ROWS_CSV && !room)
        return false; /* a piece of such a file is none */
    if (options->output)
        return (rows->length == 0 || cli_write(options, rows->text, rows->length)) && room;
    cli_limits_end();
    bool flushed = fflush(stdout) == 0;
    if (!flushed || rows->reason)
        cli_wrong("cannot write standard output: %s", strerror(rows->reason ? rows->reason : errno));
    return flushed && !rows->failed;
}

static int go(const cli_options *options, const cli_file *file, nh_run_options *run, sink *rows)
{
    nh_context *context = cli_context();
    nh_model *model = NULL;
    nh_string summary = {NULL, 0};
    nh_model_source source = {.name = file->name, .text = file->text, .length = file->length};
    source.set = options->set, source.start = options->start;
    source.to = options->to, source.every = options->every, source.at = options->at;
    source.until = options->until, source.events = options->event, source.section = options->section;
    int finished = 0;
    run->row = options->plot ? keep_numbers : NULL;
    rows->context = context, rows->at_the_end = run->format != NH_ROWS_CSV;
    run->write = take, run->stop = stop, run->progress = progress, run->user = rows;
    nh_status status = nh_model_read(context, &source, &model);
    cli_messages(options, context);
    int result = cli_status(status);
    if (status == NH_OK && !take_times(options, model, run))
        status = NH_ERROR_MODEL, result = EXIT_WRONG;
    if (status == NH_OK) {
        status = nh_model_run(context, model, run, &finished, &summary);
        cli_told(&rows->watch);
        cli_messages(options, context);
        result = cli_status(status);
    }
    if (summary.data && (!options->quiet || !finished))
        fputs(summary.data, stderr);
    bool written = result == EXIT_DONE && write_rows(options, run->format, rows);
    if (result == EXIT_DONE && options->plot && rows->table.n_columns)
        written = cli_table_draw(&rows->table, options, context, model) && written;
    if (result == EXIT_DONE && (!written || !finished))
        result = EXIT_UNFINISHED;
    nh_string_free(context, &summary);
    nh_model_free(model);
    nh_context_free(context);
    return result;
}

static int run_motion(const cli_options *options)
{
    cli_file file = {0}, starts = {0};
    nh_run_options run = {0};
    sink rows = {.options = options};
    int result = EXIT_WRONG;
    if (read_options(options, &run) && cli_read(options->file, CLI_LARGEST_MODEL, &file) &&
        (!options->starts || cli_read(options->starts, CLI_LARGEST_STARTS, &starts))) {
        if (options->starts)
            run.starts = starts.text, run.starts_length = starts.length, run.starts_name = starts.name;
        cli_watch_begin(&rows.watch, options);
        result = go(options, &file, &run, &rows);
    }
    free(file.text), free(starts.text);
    forget(&rows);
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
    "  --to T               end of the run, which may be before its start (default: 10); times may\n"
    "                       be expressions, as 2*pi/omega\n"
    "  --every H            time between rows (default: a hundredth of the run)\n"
    "  --at T1,T2,...       rows at these times only, whatever --every says; without --to the last\n"
    "                       one ends the run\n"
    "  --until EXPR         the run ends where EXPR, or EXPR = EXPR, passes through 0\n"
    "  --event EXPR         rows where it does, and a column `event` with its number, negative\n"
    "                       where it falls; several are numbered, those of --until first\n"
    "  --section EXPR       rows where EXPR rises through 0 (Poincare's section), and no others\n"
    "                       but those that --every or --at ask for. It rises, or falls, along\n"
    "                       the run: from row to row, also where the time goes backwards\n"
    "  --tol E              relative error that is aimed at (default: 1e-12)\n"
    "  --certify            once more in a higher precision, and a column `digits` of those that\n"
    "                       can be relied on\n"
    "  --method first|second|both   both: by the first, and the largest difference is told\n"
    "  --solver auto|taylor|rk|cvode   auto: Taylor series, CVODE where the system is stiff\n"
    "  --precision double|long|quad of the Taylor series\n"
    "  --compile auto|always|never  machine code; auto: for long runs. The rows are the same\n"
    "  --reactions          columns R_x, ... and lambda_1, ...\n"
    "  --starts FILE.csv    many motions: a line of names of state and parameters, a start in every\n"
    "                       other one; a column `start`, and rows at the start and the end only\n"
    "                       unless --every or --at say more\n"
    "  --threads N          for --starts (default: all processors)\n"
    "  --plot FILE.svg      a picture of the motion\n"
    "  --set m=2,R=1/2      values of parameters\n"
    "  --start x=1,u=0,t=0  values of the state and time\n"
    "  --project            move an initial state that violates the constraints onto them\n"
    "  -o FILE              write there instead of to standard output; FILE.npy, FILE.npz: for NumPy\n"
    "  --format csv|npy|npz the same, whatever the name\n"
    "  --max-seconds S      end after so long, with what there is by then or with status 1\n"
    "  --max-memory B       end where more memory is needed, as 500M (default: 1G)\n"
    "  --quiet              no warnings, no summary\n"
    "\n"
    "Exit status: 0 done, 1 the motion could not be followed to its end (the rows so far are kept),\n"
    "2 the model or the command line is wrong.\n",
    run_motion,
};
