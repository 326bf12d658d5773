/* Files, messages and statuses. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("nonholo: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_WRONG;
}

enum { PIECE = 1 << 16 };

static bool read_all(FILE *stream, size_t largest, cli_file *file)
{
    size_t capacity = 0;
    while (file->length < largest) {
        if (file->length + PIECE > capacity) {
            char *larger = realloc(file->text, capacity = 2 * capacity + PIECE);
            if (!larger)
                return false;
            file->text = larger;
        }
        size_t got = fread(file->text + file->length, 1, PIECE, stream);
        file->length += got;
        if (got == 0)
            return !ferror(stream);
    }
    return true;
}

bool cli_read(const char *path, size_t largest, cli_file *file)
{
    bool standard = strcmp(path, "-") == 0;
    *file = (cli_file){.name = standard ? "<stdin>" : path};
    FILE *stream = standard ? stdin : fopen(path, "rb");
    bool ok = stream && read_all(stream, largest, file);
    int reason = errno;
    if (stream && !standard)
        fclose(stream);
    if (!ok) {
        cli_wrong("cannot read %s: %s", path, strerror(reason));
        free(file->text);
        *file = (cli_file){0};
    }
    return ok;
}

static bool write_all(FILE *stream, const char *text, size_t length)
{
    return fwrite(text, 1, length, stream) == length && fflush(stream) == 0;
}

static bool cannot_write(const char *path)
{
    cli_wrong("cannot write %s: %s", path, strerror(errno));
    return false;
}

/* Signals that end the program wait until the file is in its place, or gone. */
static void hold_signals(sigset_t *before)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&held, numbers[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

/* The permissions of the file that is replaced, or those of a new one. */
static mode_t permissions(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return status.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Written beside it and renamed: there is never half a file under the final name. */
static bool write_beside(const char *path, const char *text, size_t length)
{
    char *aside = malloc(strlen(path) + 8);
    if (!aside)
        return false;
    sprintf(aside, "%s.XXXXXX", path);
    int descriptor = mkstemp(aside);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    bool ok = stream && write_all(stream, text, length) && fchmod(descriptor, permissions(path)) == 0;
    ok = stream && fclose(stream) == 0 && ok;
    ok = ok && rename(aside, path) == 0;
    int reason = errno;
    if (!ok && descriptor >= 0)
        unlink(aside);
    free(aside);
    errno = reason;
    return ok;
}

static bool write_file(const char *path, const char *text, size_t length)
{
    char *target = realpath(path, NULL); /* where a link leads to: the link itself stays */
    sigset_t before;
    hold_signals(&before);
    bool ok = write_beside(target ? target : path, text, length) || cannot_write(path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(target);
    return ok;
}

/* A device, a pipe: nothing that could be renamed. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_standard_output(const char *path)
{
    return !path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

bool cli_write(const cli_options *options, const char *text, size_t length)
{
    cli_limits_end();
    if (is_standard_output(options->output))
        return write_all(stdout, text, length) || cannot_write("standard output");
    if (!is_special(options->output))
        return write_file(options->output, text, length);
    FILE *stream = fopen(options->output, "wb");
    bool ok = stream && write_all(stream, text, length);
    ok = stream && fclose(stream) == 0 && ok;
    return ok || cannot_write(options->output);
}

/* ---------------------------------------------------------------- before the work */

/* The folder in which a file is or would be, with the '/' behind it. */
static char *folder_of(const char *path)
{
    char *folder = realpath(path, NULL), *slash; /* where a link leads to */
    if (!folder && (folder = malloc(strlen(path) + 3)))
        strcpy(folder, path);
    slash = folder ? strrchr(folder, '/') : NULL;
    if (folder)
        strcpy(slash ? slash + 1 : folder, slash ? "" : "./");
    return folder;
}

/* Whether there could be such a file: nothing is made. */
static bool can_write(const char *path)
{
    struct stat status;
    if (is_standard_output(path))
        return true;
    if (is_special(path))
        return access(path, W_OK) == 0 || cannot_write(path);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return cannot_write(path);
    }
    char *folder = folder_of(path);
    bool can = !folder || access(folder, W_OK | X_OK) == 0 || cannot_write(path);
    free(folder);
    return can;
}

/* Whether writing there would replace what is read. */
static bool is_same(const char *read, const char *written)
{
    struct stat a, b;
    if (!read || is_standard_output(written) || stat(written, &b) != 0)
        return false;
    int found = strcmp(read, "-") == 0 ? fstat(STDIN_FILENO, &a) : stat(read, &a);
    return found == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool replaces(const char *read, const char *written)
{
    if (is_same(read, written))
        cli_wrong("%s would be replaced by what is written: give another name", written);
    return is_same(read, written);
}

int cli_check_places(const cli_options *o, bool onto_itself)
{
    if ((!onto_itself && replaces(o->file, o->output)) || replaces(o->file, o->plot) ||
        replaces(o->starts, o->output) || replaces(o->starts, o->plot))
        return EXIT_WRONG;
    return can_write(o->output) && can_write(o->plot) ? EXIT_DONE : EXIT_UNFINISHED;
}

/* ---------------------------------------------------------------- messages */

void cli_messages(const cli_options *options, nh_context *context)
{
    for (size_t i = 0; i < nh_message_count(context); i++)
        if (nh_message_get(context, i).severity == NH_ERROR || !options->quiet)
            fputs(nh_message_text(context, i), stderr);
}

int cli_status(nh_status status)
{
    if (status == NH_OK)
        return EXIT_DONE;
    if (status == NH_ERROR_MODEL)
        return EXIT_WRONG;
    if (status == NH_ERROR_NOT_FOUND)
        return EXIT_UNFINISHED;
    fprintf(stderr, "nonholo: %s\n", nh_status_text(status));
    return EXIT_UNFINISHED;
}

bool cli_time(const nh_model *model, nh_time which, const char *option, const char *text, double *value)
{
    size_t count;
    const double *times = nh_model_times(model, which, &count);
    if (text && count == 0)
        return !cli_wrong("%s is a time, not '%s'", option, text);
    if (count)
        *value = times[0];
    return true;
}

bool cli_number(const char *option, const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (*text && !*end && isfinite(*value))
        return true;
    return !cli_wrong("%s is a number, not '%s'", option, text);
}

bool cli_tolerance(const char *text, double *value)
{
    return cli_number("--tol", text, value) &&
           ((*value >= 1e-33 && *value <= 0.1) || !cli_wrong("--tol is between 1e-33 and 0.1"));
}
