/* Inside cli/: options, files and exit statuses, shared by the commands. */
#ifndef NH_CLI_H
#define NH_CLI_H

#include "nonholo.h"

#include <stdbool.h>
#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_UNFINISHED = 1, EXIT_WRONG = 2 };

/* What the command line says. */
typedef struct cli_options {
    const char *file;   /* "-": standard input */
    char *set, *start;  /* several of each are joined by ','; NULL: none */
    const char *format; /* NULL: the command's default */
    char *show;         /* the same; for derive */
    const char *output; /* NULL: standard output */
    const char *method; /* first, second or both; NULL: both */
    char *only;         /* the same; for derive */
    const char *width;  /* columns; for derive */
    const char *degree, *space, *max_seconds; /* for integrals */
    const char *to, *every, *tol, *solver, *precision, *compile, *starts, *threads, *plot; /* for run */
    char *event, *until, *at;                                                              /* the same, joined */
    bool quiet, help, project, steps, ascii, unicode, fragment, reactions, certify;
} cli_options;

/* One command: a file of its own. */
typedef struct cli_command {
    const char *name, *summary, *help;
    int (*run)(const cli_options *options);
} cli_command;

extern const cli_command cli_check, cli_derive, cli_eval, cli_examples, cli_export, cli_fmt, cli_integrals, cli_run;

/* A file in memory. */
typedef struct cli_file {
    const char *name;
    char *text;
    size_t length;
} cli_file;

bool cli_read(const char *path, cli_file *file); /* false: said why */
bool cli_write(const cli_options *options, const char *text, size_t length);
void cli_messages(const cli_options *options, nh_context *context); /* errors; warnings unless --quiet */
int cli_status(nh_status status);                                   /* says it where no message did */
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2))); /* EXIT_WRONG */

/* A question that the library answers with a text; the whole of a command that asks it. */
typedef nh_status cli_question(const cli_options *options, nh_context *context, const nh_model *model,
                               nh_format format, nh_string *text);
nh_method cli_method(const cli_options *options);
int cli_answer(const cli_options *options, const char *command, cli_question *question);

#endif
