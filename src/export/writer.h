/* Inside export/: what is written, and how a language writes it.
 *
 * A file has a few routines, each a tape: functions of the time, of a state and of the parameters. One walker goes through
 * the tapes; a language is a table of words and a few functions that write what stands around the steps. */
#ifndef NH_EXPORT_WRITER_H
#define NH_EXPORT_WRITER_H

#include "export/export.h"

/* Where a variable of a routine comes from. */
typedef enum nh_from {
    NH_FROM_TIME,
    NH_FROM_STATE,
    NH_FROM_RATE, /* of psi: q' where the state has z */
    NH_FROM_PARAMETERS,
} nh_from;

typedef struct nh_variable {
    nh_expr symbol;
    const char *name; /* in the language */
    nh_from from;
    size_t index;
} nh_variable;

typedef enum nh_routine_id {
    NH_FIRST_KIND,
    NH_FIRST_PSI,
    NH_FIRST_REACTIONS,
    NH_FIRST_MULTIPLIERS,
    NH_FIRST_ENERGY,
    NH_FIRST_OBSERVED,
    NH_SECOND_KIND,
    NH_SECOND_REACTIONS,
    NH_SECOND_MULTIPLIERS,
    NH_SECOND_ENERGY,
    NH_SECOND_OBSERVED,
    NH_SECOND_CONSTRAINTS,
    NH_ROUTINES
} nh_routine_id;

typedef struct nh_routine {
    const char *meaning;    /* what it computes; NULL: nothing is said of it */
    const nh_tape *tape;    /* NULL: there is none */
    const char *reason;     /* why */
    nh_variable *variables; /* by register of the tape's inputs */
    const char **undefined; /* by output: why it has no value; NULL: it has one */
    bool *live;             /* by register: it is needed */
    nh_routine_id id;
    bool uses_time, uses_state, uses_rates, uses_parameters;
} nh_routine;

typedef struct nh_dialect nh_dialect;

typedef struct nh_export {
    nh_text *out;
    nh_equations *eq;
    nh_arena *arena;
    const nh_dialect *dialect;
    const char *name;                           /* of the file, the module, or before each name */
    nh_map taken;                               /* names that cannot be given any more */
    const char **q, **rates, **z, **parameters; /* variables in the language */
    const double *start;                        /* by symbol; NULL: none */
    const char *no_start;                       /* why */
    double *values;                             /* of the parameters; NaN: not given */
    nh_routine routines[NH_ROUTINES];
    const nh_forms *forms; /* shorter ones, perhaps; NULL: the system is too large to look for them */
    /* of the routine at hand */
    const nh_routine *routine;
    uint32_t *label;  /* by register: the number in its name */
    uint32_t *number; /* by register: the number that it is, + 1 */
    uint32_t labels;
} nh_export;

/* Functions that are called by name; the others are operators. */
typedef enum nh_call_name {
    NH_CALL_SQRT,
    NH_CALL_POWER,
    NH_CALL_EXP,
    NH_CALL_LOG,
    NH_CALL_SIN,
    NH_CALL_COS,
    NH_CALL_SINH,
    NH_CALL_COSH,
    NH_CALL_TANH,
    NH_CALL_ASIN,
    NH_CALL_ACOS,
    NH_CALL_ATAN,
    NH_CALL_ATAN2,
    NH_CALL_ABS,
    NH_CALL_SIGN,
    NH_CALL_MIN,
    NH_CALL_MAX,
    NH_CALLS
} nh_call_name;

struct nh_dialect {
    const char *comment;               /* before a line of comment */
    const char *note_begin, *note_end; /* around a comment of one line in a routine */
    const char *define;                /* before the name of a local variable */
    const char *indent, *end;          /* of a statement */
    char open, close;                  /* around an index */
    size_t origin;                     /* the first index */
    bool two_indices;                  /* a matrix has rows and columns; otherwise it is a list by rows */
    char quote;                        /* around texts */
    const char *pi, *nan, *infinity;
    const char *calls[NH_CALLS];
    const char *reserved; /* words that are no names of variables, separated by blanks */
    void (*begin)(nh_export *);
    void (*routine_begin)(nh_export *);
    void (*rates)(nh_export *);                           /* q' = psi, into `rate` */
    void (*matrix)(nh_export *, size_t system, size_t n); /* a matrix and a right-hand side of zeros */
    void (*solve)(nh_export *, size_t system, size_t n);  /* the right-hand side becomes the solution */
    void (*routine_end)(nh_export *);
    void (*end_of_file)(nh_export *);
};

extern const nh_dialect nh_dialect_c, nh_dialect_python, nh_dialect_julia, nh_dialect_octave;

/* names.c: a name that the language allows and nothing else has, from any text; and those of the file and of
 * the variables. */
const char *nh_safe_name(nh_export *, const char *text);
void nh_name_file(nh_export *, const char *text); /* first */
void nh_name_variables(nh_export *);

/* routines.c: what is computed, as tapes. */
extern const char *const nh_routine_names[NH_ROUTINES];
void nh_make_routines(nh_export *);
bool nh_step_is_needed(const nh_routine *, const nh_step *);
bool nh_export_uses(const nh_export *, nh_op); /* some routine does */

/* code.c: a routine; and a double as the language reads it. */
void nh_write_routine(nh_export *, nh_routine_id);
void nh_write_double(nh_export *, double value);

/* describe.c: lines of comment: all that is said before the code, and single ones with what a language adds. */
void nh_describe(nh_export *);
void nh_comment(nh_export *, const char *text);
void nh_comment_format(nh_export *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* tables.c: what the languages have as lists: names as they are in the model, and values. */
typedef enum nh_table_id {
    NH_TABLE_COORDINATES,
    NH_TABLE_VELOCITIES,
    NH_TABLE_PARAMETERS,
    NH_TABLE_OBSERVED,
    NH_TABLE_PARAMETER_VALUES,
    NH_TABLE_START_TIME,
    NH_TABLE_FIRST_START,
    NH_TABLE_SECOND_START,
    NH_TABLES
} nh_table_id;

extern const char *const nh_table_names[NH_TABLES];
size_t nh_table_size(const nh_export *, nh_table_id); /* 0: it is left out, or empty */
bool nh_table_is_text(nh_table_id);
bool nh_table_is_there(const nh_export *, nh_table_id);
void nh_write_entries(nh_export *, nh_table_id, const char *separator); /* all entries */

#endif
