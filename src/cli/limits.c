/* --max-seconds and --max-memory. The library ends by itself when its time is over, and motions keep the rows that they have; what
 * does not look at the clock for long is ended by an alarm a little later. */
#include "cli/cli.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static double seconds, bytes, began, to_write;
static volatile sig_atomic_t writes; /* nothing is left to do but that */

static const double USUAL_BYTES = 1 << 30; /* of a context, too */
static const double SECONDS_A_BYTE = 4e-9; /* to write what is kept, on a machine that others use, too */
enum { SECONDS_TO_STOP = 3 };              /* after a signal */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void end(int number)
{
    static const char late[] = "nonholo: it takes more time than --max-seconds allows\n";
    static const char stopped[] = "nonholo: it was interrupted\n";
    (void)number;
    ssize_t written = cli_has_signal() ? write(STDERR_FILENO, stopped, sizeof stopped - 1)
                                       : write(STDERR_FILENO, late, sizeof late - 1);
    (void)written; /* where nobody listens, it ends all the same */
    _exit(EXIT_UNFINISHED);
}

static void set_alarm(double after)
{
    double whole = floor(after);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((after - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* "500M": a number, with K, M or G behind it. */
static bool read_bytes(const char *text)
{
    static const char units[] = "KMG";
    char *rest;
    bytes = strtod(text, &rest);
    const char *unit = *rest ? strchr(units, *rest) : NULL;
    if (unit)
        bytes *= pow(1024, (double)(unit - units + 1)), rest++;
    return rest != text && !*rest && bytes >= 1 && bytes < 1e18;
}

bool cli_limits_begin(const cli_options *options)
{
    char *rest;
    seconds = bytes = to_write = 0;
    if (options->max_memory && !read_bytes(options->max_memory))
        return !cli_wrong("--max-memory is a number of bytes, as 500M, not '%s'", options->max_memory);
    if (!options->max_seconds)
        return true;
    seconds = strtod(options->max_seconds, &rest);
    if (rest == options->max_seconds || *rest || !(seconds >= 1e-3 && seconds <= 1e6))
        return !cli_wrong("--max-seconds is a number of seconds, not '%s'", options->max_seconds);
    began = now();
    signal(SIGALRM, end);
    set_alarm(seconds + fmax(0.09 * seconds, 0.4));
    return true;
}

void cli_limits_end(void)
{
    writes = 1;
    set_alarm(0);
}

void cli_limits_hurry(void)
{
    if (writes)
        return;
    signal(SIGALRM, end);
    unsigned left = alarm(SECONDS_TO_STOP);
    if (left > 0 && left < SECONDS_TO_STOP)
        alarm(left);
}

void cli_limits_keep(size_t kept) { to_write = SECONDS_A_BYTE * (double)kept; }

/* For what has not been written yet some time is left. */
bool cli_time_is_over(void) { return seconds > 0 && now() - began > seconds - to_write; }

bool cli_has_room(const nh_context *context, size_t more)
{
    double used = context ? (double)nh_context_peak_bytes(context) : 0;
    return used + (double)more <= (bytes > 0 ? bytes : USUAL_BYTES);
}

nh_context *cli_context(void)
{
    return nh_context_new(&(nh_options){
        .max_bytes = (size_t)bytes,
        .max_seconds = seconds > 0 ? fmax(seconds + fmax(0.05 * seconds, 0.2) - (now() - began), 1e-3) : 0});
}
