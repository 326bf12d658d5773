/* Long work: progress on a terminal, and what interrupts it. */
#include "cli/cli.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void cli_watch_begin(cli_watch *w, const cli_options *options)
{
    *w = (cli_watch){.terminal = !options->quiet && isatty(STDERR_FILENO)};
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
}

int cli_is_interrupted(void *watch)
{
    (void)watch;
    return interrupted || cli_time_is_over();
}

/* Once a second, on one line. */
void cli_tell(void *watch, double part)
{
    cli_watch *w = watch;
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
