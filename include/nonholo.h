/* nonholo: the dynamical equations of systems with velocity constraints, linear or not.
 *
 * Everything hangs on a context: it owns the memory limits and the messages of the last call. A context
 * belongs to one thread at a time; different contexts are independent. A model does not change once it is
 * read: threads may share it, each with a context of its own. What a function returns by pointer belongs to
 * the caller and is freed by the function named beside it. The library never prints, exits or aborts: a call
 * that can fail returns an nh_status, and the messages say what was wrong and where.
 *
 *     nh_context *context = nh_context_new(NULL);
 *     nh_model *model;
 *     if (nh_model_read(context, &(nh_model_source){.name = "skate.nh", .text = text, .length = length},
 *                       &model) != NH_OK)
 *         for (size_t i = 0; i < nh_message_count(context); i++)
 *             fputs(nh_message_text(context, i), stderr);
 *     ...
 *     nh_model_free(model);
 *     nh_context_free(context);
 */
#ifndef NONHOLO_H
#define NONHOLO_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NH_VERSION_MAJOR 0
#define NH_VERSION_MINOR 1
#define NH_VERSION_PATCH 0

#if defined(NH_SHARED) && defined(__GNUC__)
#define NH_API __attribute__((visibility("default")))
#else
#define NH_API
#endif

/* How a call ended. */
typedef enum nh_status {
    NH_OK = 0,
    NH_ERROR_MODEL,       /* the model is wrong: the messages say where and why */
    NH_ERROR_ARGUMENT,    /* the caller is wrong: a null pointer, an index out of range */
    NH_ERROR_MEMORY,      /* out of memory, or of the memory allowed by nh_options.max_bytes */
    NH_ERROR_NUMBER_SIZE, /* an exact number became too long */
    NH_ERROR_NOT_FOUND,   /* nothing is wrong, but what was asked for was not found: the messages say what */
    NH_ERROR_TIME,        /* more time than nh_options.max_seconds allows */
} nh_status;

/* A status in words, in English, without a full stop. */
NH_API const char *nh_status_text(nh_status status);

/* "0.1.0" */
NH_API const char *nh_version(void);

/* ---------------------------------------------------------------- context */

/* Where memory comes from. take returns NULL when there is none; give gets the size that was taken. */
typedef struct nh_allocator {
    void *user;
    void *(*take)(void *user, size_t size);
    void (*give)(void *user, void *block, size_t size);
} nh_allocator;

/* All zero: the defaults. */
typedef struct nh_options {
    nh_allocator allocator; /* take NULL: malloc and free */
    size_t max_bytes;       /* limit on the memory of this context and all that is made with it; 0: 1 GiB */
    double max_seconds;     /* from now on, for all that is done with it; 0: no limit. A call may end a little later; it ends
                               with NH_ERROR_TIME, or with a part of the answer where a part is one */
} nh_options;

typedef struct nh_context nh_context;

NH_API nh_context *nh_context_new(const nh_options *options); /* options may be NULL; NULL: no memory */
NH_API void nh_context_free(nh_context *context);             /* last, after all that was made with it */
NH_API size_t nh_context_peak_bytes(const nh_context *context);

/* ---------------------------------------------------------------- messages */

typedef enum nh_severity { NH_WARNING, NH_ERROR } nh_severity;

/* A message of the last call. Lines and columns count characters from 1; line 0: no place in a text. */
typedef struct nh_message {
    nh_severity severity;
    const char *file; /* as given in nh_model_source.name, "--set", "--start" or "--show"; "" without a place */
    size_t line, column, length;
    const char *message;
    const char *hint; /* what to write instead; NULL where there is nothing to say */
} nh_message;

NH_API size_t nh_message_count(const nh_context *context);
NH_API nh_message nh_message_get(const nh_context *context, size_t i);

/* The message as compilers write it, with the source line and a caret, ending in a newline. */
NH_API const char *nh_message_text(const nh_context *context, size_t i);

/* ---------------------------------------------------------------- texts that are returned */

typedef struct nh_string {
    char *data; /* NUL-terminated */
    size_t length;
} nh_string;

NH_API void nh_string_free(nh_context *context, nh_string *string);

/* ---------------------------------------------------------------- models */

/* A model as text, and what replaces parts of it. */
typedef struct nh_model_source {
    const char *name; /* for messages */
    const char *text;
    size_t length;     /* bytes */
    const char *set;   /* "m=2,R=1/2": values of parameters; may be NULL */
    const char *start; /* "x=1,u=0,t=0": values of the initial state and time; may be NULL */
    const char *until; /* "theta = pi/2, y": conditions EXPR = EXPR, or EXPR for EXPR = 0, that end a run; may be NULL */
    const char *events; /* the same for conditions whose times a run tells; may be NULL */
    const char *section; /* the same for Poincare's sections: a run writes rows where it rises, and no others; may be NULL */
    const char *to, *every, *at; /* times: "2*pi/omega", `at` a list of them, expressions in numbers and parameters that
                                    nh_model_times tells; each may be NULL */
    int picture; /* not 0: points, bodies, velocities and reactions that the model does not draw are drawn, too */
    const char *vary; /* "v=0:10:100": what nh_model_linearize varies, from, to, in how many steps; may be NULL */
    const char *box;  /* "x=-1:1, theta=0:pi": where nh_model_equilibria searches; may be NULL */
} nh_model_source;

typedef struct nh_model nh_model;

/* Reads a model. On NH_ERROR_MODEL *model is NULL and the messages tell all that is wrong (up to 20
 * errors); on NH_OK there may be warnings. Freed by nh_model_free. */
NH_API nh_status nh_model_read(nh_context *context, const nh_model_source *source, nh_model **model);
NH_API void nh_model_free(nh_model *model);

/* What a model consists of. */
typedef enum nh_part {
    NH_COORDINATES, /* q^i, n of them */
    NH_VELOCITIES,  /* declared z^alpha; none where only implicit equations are given */
    NH_PARAMETERS,
    NH_CONSTRAINTS, /* scalar equations C^a, r of them, without those that were dropped */
    NH_POINTS,       /* the centres of bodies among them */
    NH_FRAMES,
    NH_BODIES,
    NH_OBSERVED,
    NH_INTEGRALS,
} nh_part;

NH_API const char *nh_model_title(const nh_model *model); /* "" where none is given */
NH_API size_t nh_model_count(const nh_model *model, nh_part part);
NH_API const char *nh_model_name(const nh_model *model, nh_part part, size_t i); /* "" for an unnamed constraint */
NH_API size_t nh_model_freedom(const nh_model *model);                           /* m = n - r */

/* What kind of equation a constraint is. */
typedef enum nh_constraint_kind {
    NH_POSITIONAL,  /* f(q,t) = 0, without velocities */
    NH_LINEAR,      /* a_i(q,t) q'^i = 0 */
    NH_AFFINE,      /* a_i(q,t) q'^i + b(q,t) = 0 */
    NH_HOMOGENEOUS, /* not linear, C(q, s q', t) = s^k C(q, q', t) */
    NH_NONLINEAR,
} nh_constraint_kind;

NH_API nh_constraint_kind nh_model_constraint_kind(const nh_model *model, size_t a);

/* The model laid out: the same model, with the user's line breaks and comments kept. Only the syntax has
 * to be right. */
NH_API nh_status nh_model_format(nh_context *context, const nh_model_source *source, nh_string *text);

/* LaTeX, MathML, HTML and the model language are for equations: nh_model_derive_with. */
typedef enum nh_format {
    NH_FORMAT_TEXT,
    NH_FORMAT_JSON,
    NH_FORMAT_MODEL,  /* text with each formula on one line, in the model language */
    NH_FORMAT_LATEX,  /* a document, or a fragment of one */
    NH_FORMAT_MATHML, /* headings, sentences and MathML, to be put into a page */
    NH_FORMAT_HTML,   /* a page of its own */
} nh_format;

/* What was understood, and what is true of the system. */
NH_API nh_status nh_model_check(nh_context *context, const nh_model *model, nh_format format, nh_string *text);

/* Every object of both recipes in numbers, at the state that `initial` and nh_model_source.start give, completed and brought
 * onto the constraints. NH_ERROR_MODEL: there is no such state; the messages say why. */
NH_API nh_status nh_model_eval(nh_context *context, const nh_model *model, nh_format format, nh_string *text);

/* Which of the two methods is asked for. */
typedef enum nh_method { NH_METHOD_BOTH, NH_METHOD_FIRST, NH_METHOD_SECOND } nh_method;

/* All zero: the defaults, with which nh_model_eval_with is nh_model_eval as text. */
typedef struct nh_eval_options {
    nh_format format; /* NH_FORMAT_TEXT */
    nh_method method; /* NH_METHOD_BOTH; the other one is null in JSON, and left out of the text */
    int project;      /* not 0: initial values that violate the constraints are moved onto them, whatever their distance */
} nh_eval_options;

/* The same with options; NULL: the defaults. */
NH_API nh_status nh_model_eval_with(nh_context *context, const nh_model *model, const nh_eval_options *options, nh_string *text);

/* The dynamical equations of the first and of the second kind, with every object of both recipes in JSON. */
NH_API nh_status nh_model_derive(nh_context *context, const nh_model *model, nh_format format, nh_string *text);

/* All zero: the defaults, with which nh_model_derive_with is nh_model_derive as text. */
typedef struct nh_derive_options {
    nh_format format; /* NH_FORMAT_TEXT */
    /* Which objects are added to the equations: names separated by commas, or NULL for none.
     *     gauss         Gauss's function of (q, z, z', t), which is least along the motion
     *     gibbs-appell  the energy S of the accelerations, and the equations dS/dz' = A
     *     virtual       virtual displacements of the points, and virtual power
     *     christoffel   Christoffel symbols of the metric, of both kinds
     *     geodesic      the geodesic field
     *     newton        the reactive force at each point
     * Each is a member of "show" in JSON; one that there is not for this model is null, with the reason in "unexpanded". */
    const char *show;
    nh_method method; /* NH_METHOD_BOTH; the other one is null in JSON, and left out of the text */
    int steps;        /* not 0: the worksheet, both recipes step by step; JSON has all objects anyway */
    /* Which parts or objects, by their names, separated by commas; NULL: all. Parts: system, constraints, first, second,
     * agreement, facts, operations. Objects: the keys of JSON, and R_first for R of the first kind. */
    const char *only;
    size_t width; /* columns of a line; 0: 80. Formulas are broken there in every format but JSON and the model language */
    int ascii;    /* not 0: text in ASCII, formulas as in the model language; otherwise in Unicode, in two dimensions */
    int fragment; /* not 0: LaTeX and HTML without what makes them documents */
    int level;    /* of the headings in MathML and HTML, 3 for h3, where they are part of a page, which then has the title; 0: of their own */
} nh_derive_options;

/* The same with options; NULL: the defaults. NH_ERROR_MODEL: a name in `show` or `only` is not one of these; the messages say which. */
NH_API nh_status nh_model_derive_with(nh_context *context, const nh_model *model, const nh_derive_options *options,
                                      nh_string *text);

/* ---------------------------------------------------------------- conserved quantities */

/* All zero: the defaults. */
typedef struct nh_integrals_options {
    nh_format format; /* NH_FORMAT_TEXT or NH_FORMAT_JSON */
    int degree;       /* the largest in the velocities, from 1 to 6; 0: 2 */
    /* What the coefficients are made of besides constants: names separated by commas, or NULL for all.
     *     polynomials    in the coordinates
     *     trigonometric  cosines and sines of angles, products of them
     *     functions      others of the coordinates that occur in the model
     *     constants      nothing else */
    const char *space;
    /* Of the search; 0: 10. What was finished until then is told. With nh_options.max_seconds it is at most six tenths of what is left of that,
     * and what is found is proved, and told, within the rest: NH_ERROR_TIME is returned only where the search could not begin. */
    double max_seconds;
    int (*stop)(void *user); /* asked now and then; not 0: the search ends. May be NULL */
    void (*progress)(void *user, double part, const char *what); /* told before each stage; part of the time, 0 to 1; may be NULL */
    void *user;                                                  /* for both */
} nh_integrals_options;

/* First integrals: functions that are constant along every motion, polynomial in the velocities z or q', functionally independent,
 * each proved, or tested at random states where the proof is too long; and the space that was searched. Options NULL: the
 * defaults. NH_ERROR_MODEL: a name in `space` is not one of these; the messages say which. The text is freed by nh_string_free. */
NH_API nh_status nh_model_integrals(nh_context *context, const nh_model *model, const nh_integrals_options *options,
                                    nh_string *text);

/* ---------------------------------------------------------------- motion */

typedef enum nh_integrator {
    NH_INTEGRATOR_AUTO,   /* Taylor where the forces are smooth, Runge-Kutta where not, CVODE where the system is stiff */
    NH_INTEGRATOR_TAYLOR, /* series of the order that the tolerance asks for */
    NH_INTEGRATOR_RUNGE,  /* order 8 */
    NH_INTEGRATOR_CVODE,  /* backward differentiation, for stiff systems; where the library was built with SUNDIALS */
} nh_integrator;

typedef enum nh_rows_format {
    NH_ROWS_CSV, /* a line of names, then a line for each row; handed over as the run goes on */
    NH_ROWS_NPY, /* a NumPy array of records with the names of the columns; handed over at the end */
    NH_ROWS_NPZ, /* NumPy arrays, one for each column, in one file; handed over at the end */
} nh_rows_format;

/* What a column is. */
typedef enum nh_column {
    NH_COLUMN_START, /* with many starts: which one, from 1 */
    NH_COLUMN_TIME,
    NH_COLUMN_COORDINATE,
    NH_COLUMN_ANGLE,
    NH_COLUMN_RATE,       /* x' */
    NH_COLUMN_ANGLE_RATE, /* the same of an angle */
    NH_COLUMN_VELOCITY,
    NH_COLUMN_OBSERVED,
    NH_COLUMN_REACTION,   /* R_x */
    NH_COLUMN_MULTIPLIER, /* lambda_1 */
    NH_COLUMN_EVENT,      /* 0, or the number of the condition that the row belongs to; negative: it falls */
    NH_COLUMN_DIGITS,     /* decimal digits that can be relied on */
    NH_COLUMN_ENERGY,     /* kinetic + potential, and */
    NH_COLUMN_INTEGRAL,   /* what the model claims to be one: handed to `row`, not written */
    NH_COLUMN_PICTURE,    /* what a drawing is made of */
    NH_COLUMN_VARIED,     /* of nh_model_linearize: what is varied, and */
    NH_COLUMN_REAL,       /* the parts of each eigenvalue, the imaginary one behind the real one */
    NH_COLUMN_IMAGINARY,
} nh_column;

/* Takes a piece of what is written: whole lines of CSV; of a file for NumPy pieces of any size, all of them at the end. Not 0: the run
 * ends. */
typedef int nh_write(void *user, const char *text, size_t length);

/* Takes the numbers of a row, energy and integrals behind the others; the first time with values NULL. Not 0: the run ends. */
typedef int nh_take_numbers(void *user, size_t count, const char *const *names, const nh_column *columns,
                            const double *values);

/* Why a caller ends what takes long. */
typedef enum nh_stop {
    NH_STOP = 1,    /* it wants no more */
    NH_STOP_TIME,   /* the time that was given is over */
    NH_STOP_SIGNAL, /* somebody interrupts it */
    NH_STOP_MEMORY, /* told by the library alone: there is no memory for more rows of a file for NumPy */
} nh_stop;

/* All zero but `to` and `write`: the defaults. */
typedef struct nh_run_options {
    double to;        /* the time of the end, which may be before the start; NAN: the last of `at`, or 10 */
    double every;     /* time between rows; 0: a part of the run, or all of it with many starts */
    int parts;        /* how many parts it then has; 0: 100 */
    const double *at; /* rows at these times only, instead; in any order */
    size_t n_at;
    double tolerance; /* relative, 0.1 at most; 0: 1e-12 */
    nh_method method; /* NH_METHOD_BOTH: the first, where there is one */
    int compare;      /* not 0: also by the second, and the summary has the largest difference */
    nh_integrator solver;
    int precision; /* of Taylor: 0 double, 1 long double, 2 quadruple */
    int compile;   /* machine code: 0 where the run is long enough to be worth it, 1 always, -1 never; the same rows anyway */
    int picture;   /* not 0: columns of what the drawings of the model are made of, for nh_model_report */
    int reactions; /* not 0: columns R_x, ... and lambda_1, ... */
    int project;   /* as for nh_eval_options */
    int certify;   /* not 0: also in another precision and order, and a column `digits` of those that both agree in */
    nh_rows_format format;
    const char *starts; /* many motions: CSV in UTF-8 with a row for each start, columns of state and parameters; may be NULL */
    size_t starts_length;
    const char *starts_name; /* for messages */
    int threads;             /* for many starts; 0: one for each processor. The rows do not depend on it */
    nh_write *write;
    nh_take_numbers *row;    /* may be NULL; not with many starts */
    int (*stop)(void *user); /* asked now and then; not 0: the run ends, and the summary says why, see nh_stop. May be NULL */
    void (*progress)(void *user, double part); /* told now and then, 0 to 1; may be NULL */
    void *user;                                /* for all of them */
} nh_run_options;

/* The times that the source of the model gives, as numbers, and how many they are; NULL, 0: none. */
typedef enum nh_time { NH_TIME_TO, NH_TIME_EVERY, NH_TIME_AT } nh_time;
NH_API const double *nh_model_times(const nh_model *model, nh_time which, size_t *count);

/* Integrates the motion from the initial state. Columns: t, the coordinates, their velocities x', the declared velocities, what
 * is observed; numbers as the shortest text that reads back to the same double. *finished: not 0 if the end was reached; if not,
 * the rows so far were written and the last line of the summary says why. The summary is freed by nh_string_free. */
NH_API nh_status nh_model_run(nh_context *context, const nh_model *model, const nh_run_options *options, int *finished,
                              nh_string *summary);

/* ---------------------------------------------------------------- stability */

/* All zero: the defaults. */
typedef struct nh_linearize_options {
    nh_format format; /* text or JSON */
    int project;      /* as for nh_eval_options */
    int steady;       /* not 0: the state is first moved to the nearest steady motion; what nh_model_source.start gives is held */
    nh_take_numbers *row; /* takes a row for each value of what nh_model_source.vary varies, each eigenvalue followed; may be NULL */
    void *user;
} nh_linearize_options;

/* The motion near the initial state: the linear equations, their eigenvalues and modes, and whether the state is stable. With
 * nh_model_source.vary also along a parameter, or a variable of the state. Options NULL: the defaults. */
NH_API nh_status nh_model_linearize(nh_context *context, const nh_model *model, const nh_linearize_options *options,
                                    nh_string *text);

/* All zero: the defaults. */
typedef struct nh_equilibria_options {
    nh_format format; /* text or JSON */
    int steady;       /* not 0: steady motions, in which coordinates that nothing else depends on may change */
} nh_equilibria_options;

/* States of rest, or steady motions, within nh_model_source.box, and whether they are stable. Options NULL: the defaults. */
NH_API nh_status nh_model_equilibria(nh_context *context, const nh_model *model, const nh_equilibria_options *options,
                                     nh_string *text);

/* All zero but `to`: the defaults. */
typedef struct nh_lyapunov_options {
    nh_format format; /* text or JSON */
    double to;        /* the time of the end; NAN: 1000 */
    double tolerance; /* of a step, 0.1 at most; 0: 1e-12 */
    int project;      /* as for nh_eval_options */
    int (*stop)(void *user);                   /* asked now and then; not 0: it ends. May be NULL */
    void (*progress)(void *user, double part); /* told now and then, 0 to 1; may be NULL */
    void *user;
} nh_lyapunov_options;

/* How fast neighbouring motions part: the largest Lyapunov exponent along the motion from the initial state, with its error.
 * *finished: not 0 if the motion could be followed to its end. Options NULL: the defaults. */
NH_API nh_status nh_model_lyapunov(nh_context *context, const nh_model *model, const nh_lyapunov_options *options, int *finished,
                                   nh_string *text);

/* ---------------------------------------------------------------- the page */

/* All zero but `to`: the defaults. */
typedef struct nh_report_options {
    const char *name; /* of downloads, without an ending; NULL: "model" */
    double to, every; /* of the motion, as for nh_run_options; 0: 400 rows */
    int plain;        /* not 0: without scripts, for printing and for mail; so it is where the library was built without the page */
    int (*stop)(void *user); /* as for nh_run_options */
    void (*progress)(void *user, double part);
    void *user;
} nh_report_options;

/* One page of HTML that needs nothing else: the model, its equations with all steps, what is true of it, and its motion, with a moving
 * picture of what the model draws, or of its points and bodies if it was read with nh_model_source.picture. Where there is no start
 * state, the page is without a motion, and a message says why. */
NH_API nh_status nh_model_report(nh_context *context, const nh_model *model, const nh_model_source *source,
                                 const nh_report_options *options, nh_string *html);

/* The moving picture alone, as a small SVG that plays by itself, without a script: what the model draws or, where that is nothing, its
 * coordinates over time. Of the options, `plain` makes no difference. */
NH_API nh_status nh_model_picture(nh_context *context, const nh_model *model, const nh_report_options *options, nh_string *svg);

/* Whether the library was built with the scripts of the page. */
NH_API int nh_has_page(void);

/* ---------------------------------------------------------------- source code */

typedef enum nh_language {
    NH_LANGUAGE_C,      /* C11, and C++ */
    NH_LANGUAGE_PYTHON, /* Python 3 */
    NH_LANGUAGE_JULIA,  /* Julia 1 */
    NH_LANGUAGE_OCTAVE, /* Octave and MATLAB */
} nh_language;

/* All zero: the defaults. */
typedef struct nh_export_options {
    nh_language language; /* NH_LANGUAGE_C */
    /* Of the file, without its ending: the module in Julia, the function in Octave, what names begin with in C. It is changed
     * where the language takes no such name. NULL: the title of the model. */
    const char *name;
} nh_export_options;

/* The equations of motion of both kinds as one file of source code that needs nothing but the language's own mathematics: the
 * right-hand sides, psi, multipliers, reactive forces, energies and what is observed, as functions of time, state and
 * parameters; the names, the values of the parameters and the initial state, as far as the model has them. Options NULL: the
 * defaults. Where the model has initial values that are no state, a warning says why they are left out. */
NH_API nh_status nh_model_export(nh_context *context, const nh_model *model, const nh_export_options *options, nh_string *text);

/* A picture of a motion, as SVG: the path in the plane, where there is one, and everything over time; or of eigenvalues: over what
 * is varied, and their paths in the complex plane. Columns as handed to nh_take_numbers, `rows` of them one behind the other. The text is freed by nh_string_free. */
NH_API nh_status nh_plot_rows(nh_context *context, const char *title, size_t count, const char *const *names,
                              const nh_column *columns, const double *values, size_t rows, nh_string *svg);

#ifdef __cplusplus
}
#endif

#endif
