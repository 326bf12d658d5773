/* Long work: progress on a terminal, and what interrupts it. */
#include "cli/cli.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

/* What was found so far is written. A second signal ends the program at once. */
static void interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
    cli_limits_hurry();
}

/* One that is ignored, as in the background, still is. */
static void watch(int number)
{
    if (signal(number, interrupt) == SIG_IGN)
        signal(number, SIG_IGN);
}

void cli_watch_begin(cli_watch *w, const cli_options *options)
{
    *w = (cli_watch){.terminal = !options->quiet && isatty(STDERR_FILENO)};
    watch(SIGINT);
    watch(SIGTERM);
}

bool cli_has_signal(void) { return interrupted; }

int cli_is_interrupted(void *w)
{
    (void)w;
    return interrupted ? NH_STOP_SIGNAL : cli_time_is_over() ? NH_STOP_TIME : 0;
}

/* Once a second, on one line. */
void cli_tell(void *user, double part)
{
    cli_watch *w = user;
    time_t now = time(NULL);
    if (!w->terminal || now == w->told)
        return;
    if (w->told)
        fprintf(stderr, "\r%3.0f %% ", 100 * part);
    w->told = now;
}

void cli_told(const cli_watch *w)
{
    if (w->told)
        fputs("\r      \r", stderr);
}
