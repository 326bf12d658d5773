/* The command line: which command, which options. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const cli_command *const commands[] = {&cli_derive, &cli_check, &cli_eval, &cli_run, &cli_fmt};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *stream)
{
    fputs("nonholo: the dynamical equations of systems with velocity constraints, linear or not\n\n"
          "usage: nonholo COMMAND FILE [options]     FILE may be -, for standard input\n\n",
          stream);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
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

/* "--name value" or "--name=value"; NULL: it is not this option, or has no value. */
static const char *value_of(const char *name, int count, char **words, int *i, bool *missing)
{
    size_t length = strlen(name);
    if (strncmp(words[*i], name, length) == 0 && words[*i][length] == '=' && length > 2)
        return words[*i] + length + 1;
    if (strcmp(words[*i], name) != 0)
        return NULL;
    if (*i + 1 >= count) {
        *missing = true;
        return NULL;
    }
    return words[++*i];
}

/* One option; false: it is wrong, which has been said. */
static bool take_option(cli_options *o, int count, char **words, int *i)
{
    const char *word = words[*i], *value;
    bool missing = false;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        o->help = true;
    else if (strcmp(word, "--quiet") == 0 || strcmp(word, "-q") == 0)
        o->quiet = true;
    else if ((value = value_of("--set", count, words, i, &missing)))
        return join(&o->set, value);
    else if ((value = value_of("--start", count, words, i, &missing)))
        return join(&o->start, value);
    else if (strcmp(word, "--project") == 0)
        o->project = true;
    else if (strcmp(word, "--steps") == 0)
        o->steps = true;
    else if (strcmp(word, "--ascii") == 0)
        o->ascii = true, o->unicode = false;
    else if (strcmp(word, "--unicode") == 0)
        o->unicode = true, o->ascii = false;
    else if (strcmp(word, "--fragment") == 0)
        o->fragment = true;
    else if (strcmp(word, "--reactions") == 0)
        o->reactions = true;
    else if ((value = value_of("--tol", count, words, i, &missing)))
        o->tol = value;
    else if ((value = value_of("--to", count, words, i, &missing)))
        o->to = value;
    else if ((value = value_of("--every", count, words, i, &missing)))
        o->every = value;
    else if ((value = value_of("--solver", count, words, i, &missing)))
        o->solver = value;
    else if ((value = value_of("--precision", count, words, i, &missing)))
        o->precision = value;
    else if ((value = value_of("--only", count, words, i, &missing)))
        return join(&o->only, value);
    else if ((value = value_of("--width", count, words, i, &missing)))
        o->width = value;
    else if ((value = value_of("--method", count, words, i, &missing)))
        o->method = value;
    else if ((value = value_of("--show", count, words, i, &missing)))
        return join(&o->show, value);
    else if ((value = value_of("--format", count, words, i, &missing)))
        o->format = value;
    else if ((value = value_of("-o", count, words, i, &missing)) ||
             (value = value_of("--output", count, words, i, &missing)))
        o->output = value;
    else if (missing)
        return !cli_wrong("%s needs a value", word);
    else
        return !cli_wrong("unknown option '%s'; try --help", word);
    return true;
}

static bool take_words(cli_options *o, int count, char **words)
{
    bool options_end = false;
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        if (!options_end && strcmp(word, "--") == 0)
            options_end = true;
        else if (!options_end && word[0] == '-' && word[1]) {
            if (!take_option(o, count, words, &i))
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
    if (take_words(&options, count, words)) {
        if (options.help) {
            fputs(command->help, stdout);
            result = printed();
        } else if (!options.file)
            result = cli_wrong("%s needs a FILE; try nonholo %s --help", command->name, command->name);
        else
            result = command->run(&options);
    }
    free(options.set);
    free(options.start);
    free(options.show);
    free(options.only);
    return result;
}

int main(int argc, char **argv)
{
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
