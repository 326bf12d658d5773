/* Inside cli/: options, files and exit statuses, shared by the commands. */
#ifndef NH_CLI_H
#define NH_CLI_H

#include "nonholo.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

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
    const char *max_seconds, *max_memory;
    const char *degree, *space;                                                            /* for integrals */
    const char *language;                                                                  /* for export */
    const char *to, *every, *tol, *solver, *precision, *compile, *starts, *threads, *plot; /* for run */
    char *vary, *box;                   /* for linearize and equilibria, joined */
    char *event, *until, *section, *at; /* the same, joined */
    bool quiet, help, project, steps, ascii, unicode, fragment, reactions, certify, steady, plain;
} cli_options;

/* One command: a file of its own. */
typedef struct cli_command {
    const char *name, *summary, *help;
    int (*run)(const cli_options *options);
} cli_command;

extern const cli_command cli_check, cli_derive, cli_equilibria, cli_eval, cli_examples, cli_export, cli_fmt,
    cli_integrals, cli_linearize, cli_lyapunov, cli_report, cli_run;

/* A file in memory. */
typedef struct cli_file {
    const char *name;
    char *text;
    size_t length;
} cli_file;

/* Of a file that is larger than the library takes, no more than shows it. False: said why. */
enum { CLI_LARGEST_MODEL = 17 << 20, CLI_LARGEST_STARTS = (1 << 30) + 1 };
bool cli_read(const char *path, size_t largest, cli_file *file);
bool cli_write(const cli_options *options, const char *text, size_t length);
/* Whether -o and --plot can be written and are none of the files that are read, but for FILE if that is meant; an exit status, and it
 * has been said. */
int cli_check_places(const cli_options *options, bool onto_itself);
void cli_messages(const cli_options *options, nh_context *context); /* errors; warnings unless --quiet */
int cli_status(nh_status status);                                   /* says it where no message did */
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2))); /* EXIT_WRONG */

/* A number on the command line; false: it is none, which has been said. */
bool cli_number(const char *option, const char *text, double *value);
bool cli_tolerance(const char *text, double *value); /* --tol */
/* A time, an expression that the model has read; *value stays as it is where the text is NULL. */
bool cli_time(const nh_model *model, nh_time which, const char *option, const char *text, double *value);

/* --max-seconds and --max-memory. False: one of them is wrong, which has been said. */
bool cli_limits_begin(const cli_options *);
void cli_limits_end(void);   /* nothing is left to do but writing */
void cli_limits_keep(size_t bytes); /* that have to be written before the time is over */
void cli_limits_hurry(void); /* by a signal: it ends within seconds, but for writing */
bool cli_time_is_over(void);
bool cli_has_room(const nh_context *,
                  size_t bytes); /* for so many beside those of the library; may be NULL */
nh_context *cli_context(void);   /* within them */

/* Long work; the last two are callbacks of the library with the watch as their user. */
typedef struct cli_watch {
    bool terminal;
    time_t told; /* when progress was told last */
} cli_watch;
void cli_watch_begin(cli_watch *, const cli_options *);
void cli_told(const cli_watch *); /* no more */
bool cli_has_signal(void);
int cli_is_interrupted(void *watch); /* by a signal, or because the time is over */
void cli_tell(void *watch, double part);

/* Rows of numbers, kept for a picture; --plot FILE. */
typedef struct cli_table {
    size_t n_columns;
    const char **names;
    nh_column *columns;
    double *values;
    size_t n_values, values_capacity;
} cli_table;
nh_take_numbers cli_table_take; /* the first argument is the table */
bool cli_table_draw(const cli_table *, const cli_options *, nh_context *, const nh_model *);
void cli_table_free(cli_table *);

/* A question that the library answers with a text; the whole of a command that asks it. */
typedef nh_status cli_question(const cli_options *options, nh_context *context, const nh_model *model,
                               nh_format format, nh_string *text);
nh_method cli_method(const cli_options *options);
int cli_answer(const cli_options *options, const char *command, cli_question *question);

#endif
