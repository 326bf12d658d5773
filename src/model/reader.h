/* Inside model/: the state of reading a model. */
#ifndef NH_MODEL_READER_H
#define NH_MODEL_READER_H

#include "lang/lang.h"
#include "model/model.h"

/* ---------------------------------------------------------------- names */

typedef enum nh_entry_kind {
    NH_ENTRY_COORDINATE,
    NH_ENTRY_PARAMETER,
    NH_ENTRY_INPUT,
    NH_ENTRY_LET,
    NH_ENTRY_POINT,
    NH_ENTRY_FRAME,
    NH_ENTRY_BODY,
    NH_ENTRY_VELOCITY,
    NH_ENTRY_CONSTRAINT,
    NH_ENTRY_OBSERVED,
    NH_ENTRY_INTEGRAL,
    NH_ENTRY_BROKEN, /* its declaration had an error: uses are not reported again */
} nh_entry_kind;

/* What an expression depends on. */
enum {
    NH_ON_PARAMETERS = 1,
    NH_ON_COORDINATES = 2,
    NH_ON_RATES = 4,
    NH_ON_VELOCITIES = 8,
    NH_ON_TIME = 16,
    NH_ON_CORNERS = 32, /* non-smooth functions, other than through an input */
    NH_ON_REACTIONS = 64,
    NH_ON_TOTALS = 128, /* kinetic and potential */
};

/* A scalar (size 1) or a vector (2, 3); size 0: an error was reported. */
typedef struct nh_value {
    int size;
    nh_expr e[3];
    unsigned on;
} nh_value;

typedef struct nh_entry {
    nh_entry_kind kind;
    const char *name;
    nh_span span;
    uint32_t index; /* of the coordinate, parameter, ... */
    nh_value value; /* inputs, lets, observed values, integrals */
} nh_entry;

/* An equation as written, before redundant ones are dropped. */
typedef struct nh_equation {
    nh_constraint constraint;
    nh_span keyword;
    size_t components; /* of the statement it belongs to */
    bool dropped;
} nh_equation;

typedef struct nh_energy {
    nh_expr value;
    nh_span span;
} nh_energy;

typedef struct nh_reader {
    nh_context *context;
    nh_model *model;
    nh_pool *pool;
    nh_arena scratch; /* for sweeps; emptied by them */
    nh_diagnostics *diagnostics;
    const nh_source *source; /* of what is being read: the model, --set or --start */
    const nh_source *text;   /* the model */
    nh_entry *entries;
    size_t n_entries, entries_capacity;
    nh_equation *equations;
    size_t n_equations, equations_capacity;
    nh_energy *kinetics;
    size_t n_kinetics, kinetics_capacity;
    nh_energy *potentials;
    size_t n_potentials, potentials_capacity;
    nh_span velocities_span, parametric_span, independent_span, gravity_span,
        system_span; /* length 0: not said */
    nh_span gravity_place;
    nh_expr totals[2]; /* symbols for `kinetic` and `potential`; NH_EXPR_NONE until they are used */
    nh_modular *modular;
    const signed char *signs;
    nh_formulas formulas; /* of parameters */
} nh_reader;

/* An error (or a warning) at a place of the current source. Both return false. */
bool nh_wrong(nh_reader *, nh_span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void nh_warn(nh_reader *, nh_span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
nh_slice nh_word(const nh_reader *, nh_span);

/* names.c */
void nh_names_init(nh_reader *);
nh_entry *nh_declare(nh_reader *, nh_span name, nh_entry_kind kind); /* NULL: reported */
void nh_declare_broken(nh_reader *, nh_span name);
nh_entry *nh_find(nh_reader *, nh_slice name);                      /* NULL: unknown */
const char *nh_similar(nh_reader *, nh_slice name, bool functions); /* "did you mean 'x'?" or NULL */
bool nh_unknown(nh_reader *, nh_span name);                         /* reports it, with a suggestion */
const char *nh_entry_kind_text(nh_entry_kind kind);                 /* "a parameter" */

/* value.c */
typedef struct nh_scope {
    const char *what; /* "a potential energy" */
    unsigned allowed; /* NH_ON_... */
} nh_scope;
enum {
    NH_ON_ALL = NH_ON_PARAMETERS | NH_ON_COORDINATES | NH_ON_RATES | NH_ON_VELOCITIES | NH_ON_TIME |
                NH_ON_CORNERS | NH_ON_REACTIONS | NH_ON_TOTALS
};
nh_value nh_value_of(nh_reader *, const nh_ast *, const nh_scope *);
nh_value nh_scalar_of(nh_reader *, const nh_ast *, const nh_scope *);
nh_value nh_vector_of(nh_reader *, const nh_ast *, const nh_scope *);
const char *nh_size_text(int size); /* "a scalar" */

/* A symbol with its role. */
nh_expr nh_new_symbol(nh_reader *, const char *name, nh_role role, size_t index);

/* reaction(x), multiplier(NAME)[component] and the like: the same symbol each time. */
nh_expr nh_special_symbol(nh_reader *, nh_role role, uint32_t index, int component);

/* statements.c */
void nh_read_statement(nh_reader *, const nh_statement *);

/* state.c: initial, --set, --start, --until, --event, --vary, --box */
void nh_read_initial(nh_reader *, const nh_item *items, size_t count);
void nh_read_set(nh_reader *, const char *text);
void nh_read_start(nh_reader *, const char *text);
void nh_read_events(nh_reader *, const char *option, const char *text);
void nh_read_ranges(nh_reader *, const char *option, const char *text);
void nh_read_times(nh_reader *, nh_time which, const char *option, const char *text); /* behind --set */
void nh_check_parameters(nh_reader *);

/* draw.c */
void nh_read_drawing(nh_reader *, const nh_statement *);
void nh_add_drawings(nh_reader *);    /* those that nobody asked for */
void nh_finish_drawings(nh_reader *); /* once energies and gravity are known */

/* frames.c: orientations and bodies */
bool nh_frame_of(nh_reader *, const nh_ast *, nh_frame *);
void nh_declare_frame(nh_reader *, const nh_item *);
void nh_declare_body(nh_reader *, const nh_statement *);
void nh_add_body_energy(nh_reader *, const nh_body *);

/* newton.c: reactive forces at points and bodies, and moments about a place; in observed values and conditions */
nh_value nh_reactive_force(nh_reader *, uint32_t point);
nh_value nh_reactive_moment(nh_reader *, uint32_t body, nh_value about);
void nh_insert_newton(nh_reader *, nh_expr *value); /* once gravity is known */

/* statements.c: a point at a place; NULL: reported. */
nh_point *nh_add_point(nh_reader *, const nh_statement *, nh_entry_kind kind, nh_entry **entry);
void nh_set_point_force(nh_reader *, const nh_ast *, nh_point *);

/* energy.c: what points add, and whether the kinetic energy is one */
void nh_add_point_force(nh_reader *, const nh_point *);
void nh_total_derivative(nh_reader *, const nh_expr *f, size_t count, nh_expr *out);
void nh_sum_energies(nh_reader *);
void nh_check_energies(nh_reader *);

/* Random numbers between 0 and 1, exact: a direction for derivatives along which nothing cancels by chance. */
void nh_random_direction(nh_reader *, nh_expr *out, size_t count, uint64_t seed);

/* constraints.c: kinds, parametric equations, independent velocities */
void nh_settle_constraints(nh_reader *);
void nh_classify(nh_reader *, nh_constraint *);                     /* its kind, from C and position */
const char *nh_place_of(nh_reader *, const nh_constraint *);        /* "the equation in line 7" */
void nh_drop_equation(nh_reader *, nh_equation *, const char *why); /* with a warning */
void nh_affine_row(nh_reader *, const nh_constraint *,
                   nh_expr *row); /* dC/dq'^i; the part without velocities */

/* dependence.c: equation a is linear or affine, and follows from such ones before it, and from the derivatives of those of positions, at almost
 * all states. One of them is dropped, or others stand in their place, with a warning. */
void nh_settle_dependent(nh_reader *, size_t a);

/* Whether the equations that are not dropped never hold together, by exact elimination. False: not shown. */
bool nh_contradict_exactly(nh_reader *);

/* independence.c: which equations stay, and whether they leave something free to move */
bool nh_is_affine_row(const nh_equation *);   /* linear or affine, and not dropped */
bool nh_is_position_row(const nh_equation *); /* of positions, and not dropped */
void nh_settle_independence(nh_reader *);
void nh_check_freedom(nh_reader *);

#endif
