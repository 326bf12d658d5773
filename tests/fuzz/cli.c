/* The program, with a command line of the input: a word in each line before the first section. The file "m" is the section "model",
 * and also what comes from the standard input; "s" is the section "starts". What is written goes nowhere. */
#define _GNU_SOURCE /* memfd_create */
#define NH_FUZZ_OUTSIDE
#include "input.h"
#include "outside.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

static const fuzz_input *running;

/* ---------------------------------------------------------------- the outside */

static FILE *open_section(const char *name)
{
    const fuzz_section *section = fuzz_find(running, name);
    if (!section) {
        errno = ENOENT;
        return NULL;
    }
    return section->length ? fmemopen((char *)section->text, section->length, "rb")
                           : fopen("/dev/null", "rb");
}

FILE *outside_fopen(const char *path, const char *mode)
{
    if (*mode == 'w')
        return fopen("/dev/null", mode);
    return open_section(strcmp(path, "m") == 0 ? "model" : strcmp(path, "s") == 0 ? "starts" : "");
}

int outside_mkstemp(char *path) { return memfd_create(path, 0); }

int outside_unlink(const char *path) { return *path ? 0 : -1; }

int outside_rename(const char *from, const char *to) { return *from && *to ? 0 : -1; }

char *outside_realpath(const char *path, char *resolved)
{
    (void)path, (void)resolved;
    return NULL;
}

/* A name with a slash in it is a device. */
int outside_stat(const char *path, struct stat *status)
{
    status->st_mode = S_IFCHR;
    return strchr(path, '/') ? 0 : -1;
}

int outside_setitimer(int which, const struct itimerval *timer, struct itimerval *old)
{
    (void)which, (void)timer, (void)old;
    return 0;
}

void (*outside_signal(int number, void (*handler)(int)))(int)
{
    (void)number;
    return handler;
}

nh_context *outside_context(const nh_options *options)
{
    nh_options small = *options;
    const double seconds = 0.5;
    const size_t bytes = (size_t)256 << 20;
    small.max_seconds = small.max_seconds > 0 ? fmin(small.max_seconds, seconds) : seconds;
    small.max_bytes = small.max_bytes > 0 && small.max_bytes < bytes ? small.max_bytes : bytes;
    return nh_context_new(&small);
}

/* ---------------------------------------------------------------- the command line */

enum { MOST_WORDS = 40 };

/* Lines of the first section, which is not a model here. */
static int split(char *lines, size_t length, char **words)
{
    int count = 0;
    words[count++] = (char *)"nonholo";
    for (char *word = lines, *end; word < lines + length && count < MOST_WORDS; word = end + 1) {
        end = word + strcspn(word, "\n");
        *end = '\0';
        words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

static void run_program(char *lines, size_t length)
{
    char *words[MOST_WORDS + 1];
    FILE *in = stdin, *out = stdout, *err = stderr, *nothing = fopen("/dev/null", "w");
    stdin = open_section("model");
    stdin = stdin ? stdin : fopen("/dev/null", "r");
    stdout = stderr = nothing;
    int result = program_main(split(lines, length, words), words);
    fclose(stdin), fclose(nothing);
    stdin = in, stdout = out, stderr = err;
    if (result < 0 || result > 2)
        fuzz_broken("an exit status that there is not");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    fuzz_take(&input, data, size);
    running = &input;
    char *lines = strndup(input.source.text, input.source.length);
    run_program(lines, strlen(lines));
    free(lines);
    fuzz_free(&input);
    return 0;
}
