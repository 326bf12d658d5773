/* The command line: which command, which options. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const cli_command *const commands[] = {&cli_derive,    &cli_check,      &cli_eval,      &cli_run,
                                              &cli_integrals, &cli_equilibria, &cli_linearize, &cli_lyapunov,
                                              &cli_report,    &cli_export,     &cli_fmt,       &cli_examples};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *stream)
{
    fputs("nonholo: the dynamical equations of systems with velocity constraints, linear or not\n\n"
          "usage: nonholo COMMAND FILE [options]     FILE may be -, for standard input\n\n",
          stream);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n  nonholo COMMAND --help says more; nonholo --version prints the version\n", stream);
}

/* After help or version. */
static int printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    cli_wrong("cannot write standard output: %s", strerror(errno));
    return EXIT_UNFINISHED;
}

static const cli_command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Several --set, --start or --show are one list. */
static bool join(char **list, const char *more)
{
    size_t before = *list ? strlen(*list) : 0;
    char *joined = malloc(before + strlen(more) + 2);
    if (!joined)
        return false;
    sprintf(joined, "%s%s%s", before ? *list : "", before ? "," : "", more);
    free(*list);
    *list = joined;
    return true;
}

typedef enum option_kind { FLAG, VALUE, LIST } option_kind;

/* The options of all commands, and where their values go; those of a list are joined. */
typedef struct option {
    const char *name;
    option_kind kind;
    size_t place;
    const char *commands; /* that take it; NULL: all */
} option;

static const option options_known[] = {
    {"--help", FLAG, offsetof(cli_options, help), NULL},
    {"-h", FLAG, offsetof(cli_options, help), NULL},
    {"--quiet", FLAG, offsetof(cli_options, quiet), NULL},
    {"-q", FLAG, offsetof(cli_options, quiet), NULL},
    {"--project", FLAG, offsetof(cli_options, project), "eval run linearize lyapunov"},
    {"--steps", FLAG, offsetof(cli_options, steps), "derive"},
    {"--ascii", FLAG, offsetof(cli_options, ascii), "derive"},
    {"--unicode", FLAG, offsetof(cli_options, unicode), "derive"},
    {"--fragment", FLAG, offsetof(cli_options, fragment), "derive"},
    {"--reactions", FLAG, offsetof(cli_options, reactions), "run"},
    {"--steady", FLAG, offsetof(cli_options, steady), "linearize equilibria"},
    {"--static", FLAG, offsetof(cli_options, plain), "report"},
    {"--certify", FLAG, offsetof(cli_options, certify), "run"},
    {"--set", LIST, offsetof(cli_options, set), NULL},
    {"--start", LIST, offsetof(cli_options, start), NULL},
    {"--only", LIST, offsetof(cli_options, only), "derive"},
    {"--show", LIST, offsetof(cli_options, show), "derive"},
    {"--event", LIST, offsetof(cli_options, event), "run"},
    {"--section", LIST, offsetof(cli_options, section), "run"},
    {"--until", LIST, offsetof(cli_options, until), "run"},
    {"--at", LIST, offsetof(cli_options, at), "run linearize"},
    {"--vary", LIST, offsetof(cli_options, vary), "linearize"},
    {"--box", LIST, offsetof(cli_options, box), "equilibria"},
    {"--to", VALUE, offsetof(cli_options, to), "run lyapunov report"},
    {"--to", VALUE, offsetof(cli_options, language), "export"},
    {"--tol", VALUE, offsetof(cli_options, tol), "run lyapunov"},
    {"--every", VALUE, offsetof(cli_options, every), "run report"},
    {"--solver", VALUE, offsetof(cli_options, solver), "run"},
    {"--precision", VALUE, offsetof(cli_options, precision), "run"},
    {"--compile", VALUE, offsetof(cli_options, compile), "run"},
    {"--starts", VALUE, offsetof(cli_options, starts), "run"},
    {"--threads", VALUE, offsetof(cli_options, threads), "run"},
    {"--plot", VALUE, offsetof(cli_options, plot), "run linearize"},
    {"--width", VALUE, offsetof(cli_options, width), "derive"},
    {"--degree", VALUE, offsetof(cli_options, degree), "integrals"},
    {"--space", VALUE, offsetof(cli_options, space), "integrals"},
    {"--max-seconds", VALUE, offsetof(cli_options, max_seconds), NULL},
    {"--max-memory", VALUE, offsetof(cli_options, max_memory), NULL},
    {"--method", VALUE, offsetof(cli_options, method), NULL},
    {"--format", VALUE, offsetof(cli_options, format), NULL},
    {"--output", VALUE, offsetof(cli_options, output), NULL},
    {"-o", VALUE, offsetof(cli_options, output), NULL},
};

/* "--name", "--name value" or "--name=value". */
static bool is_option(const option *o, const char *word)
{
    size_t length = strlen(o->name);
    if (strncmp(word, o->name, length) != 0)
        return false;
    return word[length] == '\0' || (o->kind != FLAG && length > 2 && word[length] == '=');
}

static bool put_value(cli_options *o, const option *found, const char *value)
{
    void *place = (char *)o + found->place;
    if (found->kind == LIST)
        return join(place, value);
    *(const char **)place = value;
    return true;
}

static bool takes(const char *command, const option *o)
{
    size_t length = strlen(command);
    const char *found = o->commands;
    while (found && (found = strstr(found, command))) {
        if ((found == o->commands || found[-1] == ' ') && (found[length] == ' ' || found[length] == '\0'))
            return true;
        found += length;
    }
    return !o->commands;
}

/* One option; false: it is wrong, which has been said. */
static bool take_option(cli_options *o, const char *command, int count, char **words, int *i)
{
    const char *word = words[*i];
    const option *found = NULL, *other = NULL; /* other: of the same name, for other commands */
    for (size_t k = 0; k < sizeof options_known / sizeof *options_known && !found; k++)
        if (is_option(&options_known[k], word) && (takes(command, &options_known[k]) || !other))
            *(takes(command, &options_known[k]) ? &found : &other) = &options_known[k];
    found = found ? found : other;
    if (!found)
        return !cli_wrong("unknown option '%s'; try --help", word);
    if (!takes(command, found))
        return !cli_wrong("%s takes no %s", command, found->name);
    size_t length = strlen(found->name);
    if (found->kind == FLAG) {
        *(bool *)((char *)o + found->place) = true;
        return true;
    }
    if (word[length] == '=')
        return put_value(o, found, word + length + 1);
    if (*i + 1 >= count)
        return !cli_wrong("%s needs a value", word);
    return put_value(o, found, words[++*i]);
}

static bool take_words(cli_options *o, const char *command, int count, char **words)
{
    bool options_end = false;
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        if (!options_end && strcmp(word, "--") == 0)
            options_end = true;
        else if (!options_end && word[0] == '-' && word[1]) {
            if (!take_option(o, command, count, words, &i))
                return false;
        } else if (o->file)
            return !cli_wrong("one FILE at a time: '%s' and '%s'", o->file, word);
        else
            o->file = word;
    }
    return true;
}

static int run_command(const cli_command *command, int count, char **words)
{
    cli_options options = {0};
    int result = EXIT_WRONG;
    if (take_words(&options, command->name, count, words)) {
        if (options.help) {
            fputs(command->help, stdout);
            result = printed();
        } else if (!options.file && command->run != cli_examples.run)
            result = cli_wrong("%s needs a FILE; try nonholo %s --help", command->name, command->name);
        else if (cli_limits_begin(&options)) {
            result = cli_check_places(&options, command == &cli_fmt);
            if (result == EXIT_DONE)
                result = command->run(&options);
        }
    }
    char *lists[] = {options.set,   options.start, options.show, options.only, options.event,
                     options.until, options.at,    options.vary, options.box,  options.section};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]);
    return result;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be longer: writing fails, which is told */
    if (argc < 2) {
        print_help(stderr);
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return printed();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("nonholo %s\n", nh_version());
        return printed();
    }
    const cli_command *command = find_command(argv[1]);
    if (!command)
        return cli_wrong("unknown command '%s'; try nonholo --help", argv[1]);
    return run_command(command, argc - 2, argv + 2);
}
