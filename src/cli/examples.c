#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct example {
    const char *name, *text;
} example;

static const example gallery[] = {
#include "cli/examples.inc"
};
enum { COUNT = sizeof gallery / sizeof *gallery };

static int by_name(const void *a, const void *b)
{
    return strcmp(((const example *)a)->name, ((const example *)b)->name);
}

/* What stands behind `system` in a model, and how long it is. */
static const char *title_of(const char *text, int *length)
{
    const char *line = strncmp(text, "system ", 7) == 0 ? text : strstr(text, "\nsystem ");
    line = line ? line + (*line == '\n') + 7 : "";
    while (*line == ' ')
        line++;
    *length = (int)strcspn(line, "\r\n#");
    while (*length > 0 && line[*length - 1] == ' ')
        --*length;
    return line;
}

static int list(const cli_options *options)
{
    example sorted[COUNT];
    memcpy(sorted, gallery, sizeof gallery);
    qsort(sorted, COUNT, sizeof *sorted, by_name);
    size_t capacity = 1;
    for (size_t i = 0; i < COUNT; i++)
        capacity += strlen(sorted[i].text) + strlen(sorted[i].name) + 40;
    char *out = malloc(capacity), *end = out;
    if (!out)
        return cli_status(NH_ERROR_MEMORY);
    *out = '\0';
    for (size_t i = 0; i < COUNT; i++) {
        int length;
        const char *title = title_of(sorted[i].text, &length);
        end += sprintf(end, "%-26s %.*s\n", sorted[i].name, length, title);
    }
    bool written = cli_write(options, out, strlen(out));
    free(out);
    return written ? EXIT_DONE : EXIT_UNFINISHED;
}

/* Names that begin so, for somebody who does not know the rest. */
static int unknown(const char *name)
{
    fprintf(stderr, "nonholo: there is no example '%s'", name);
    int found = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (strstr(gallery[i].name, name))
            fprintf(stderr, "%s '%s'", found++ ? "," : "; did you mean", gallery[i].name);
    fputs(found ? "?\n" : "; nonholo examples lists them\n", stderr);
    return EXIT_WRONG;
}

static int examples(const cli_options *options)
{
    if (!options->file)
        return list(options);
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(gallery[i].name, options->file) == 0)
            return cli_write(options, gallery[i].text, strlen(gallery[i].text)) ? EXIT_DONE : EXIT_UNFINISHED;
    return unknown(options->file);
}

const cli_command cli_examples = {
    "examples",
    "the gallery",
    "usage: nonholo examples [NAME] [-o FILE]\n"
    "\n"
    "Lists the gallery of systems, one in a line, or writes the model NAME, to start from:\n"
    "\n"
    "  nonholo examples rolling-disc -o disc.nh\n"
    "  nonholo run disc.nh --plot disc.svg\n",
    examples,
};
