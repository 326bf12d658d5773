/* The door of model/: names and meaning. A model is what the text says of the system, as expressions: nothing
 * is derived yet but what points add to the energies and forces, and nothing is solved. */
#ifndef NH_MODEL_H
#define NH_MODEL_H

#include "expr/expr.h"

/* What a symbol of the pool stands for. */
typedef enum nh_role {
    NH_ROLE_TIME,
    NH_ROLE_COORDINATE, /* q^i */
    NH_ROLE_RATE,       /* q'^i */
    NH_ROLE_PARAMETER,
    NH_ROLE_VELOCITY,     /* z^alpha */
    NH_ROLE_REACTION,     /* reaction(x): R_i */
    NH_ROLE_MULTIPLIER,   /* multiplier(NAME): lambda_a */
    NH_ROLE_ACCELERATION, /* q''^i, in what is observed of reactions at points and bodies */
    NH_ROLE_POINT_FORCE, /* reaction(P), reaction(B, A) while the text is read; in no expression of the model */
    NH_ROLE_BODY_MOMENT,
    NH_ROLE_TOTAL, /* `kinetic`, `potential` while the text is read; in no expression of the model */
} nh_role;

typedef struct nh_symbol_role {
    nh_role role;
    uint32_t
        index; /* among those of the same role; for a multiplier the index of its constraint, or NH_DROPPED */
} nh_symbol_role;

#define NH_DROPPED UINT32_MAX /* an equation that follows from others */

typedef struct nh_coordinate {
    const char *name;
    bool angle;
    nh_expr q, rate; /* symbols */
    nh_expr force;   /* A_i without -dV/dq^i: force statements and forces at points */
} nh_coordinate;

typedef struct nh_parameter {
    const char *name;
    nh_expr symbol;
    nh_expr value; /* in other parameters; NH_EXPR_NONE: not given */
} nh_parameter;

typedef struct nh_velocity {
    const char *name;
    nh_expr symbol;
} nh_velocity;

typedef struct nh_point {
    const char *name;
    int size;         /* 2 or 3 components */
    nh_expr at[3];    /* r(q,t) */
    nh_expr rate[3];  /* r' */
    nh_expr mass;     /* NH_EXPR_NONE: a point without mass */
    nh_expr force[3]; /* at this point, gravity not included; NH_EXPR_NONE: none */
} nh_point;

/* An orientation: rotations about the axes of the ground, or of another frame, one after the other. */
typedef struct nh_frame {
    const char *name;
    nh_expr R[9];     /* by rows: its axes are the columns, in ground components */
    nh_expr omega[3]; /* the angular velocity in ground components, */
    nh_expr own[3];   /* along its own axes, */
    nh_expr last[3];  /* and along the axes before its last rotation, which is */
    int axis;         /* about this one of them, 0 to 2; -1: there was none */
    unsigned on;      /* what it depends on, for the reader */
} nh_frame;

/* A rigid body: its centre is a point of the model. */
typedef struct nh_body {
    const char *name;
    uint32_t point, frame;
    bool turns;         /* it has inertia */
    nh_expr inertia[6]; /* I11, I22, I33, I12, I13, I23: along the axes of its frame */
    nh_expr torque[3];  /* in ground components; NH_EXPR_NONE: none */
} nh_body;

/* How a function depends on the velocities. */
typedef struct nh_nature {
    nh_constraint_kind kind;
    bool exact; /* the kind is certain; false: found by numbers */
    int degree; /* of a homogeneous one; 0 where it is zero or no whole number */
} nh_nature;

typedef struct nh_constraint {
    const char *name; /* "" where it has none */
    const char *text; /* as written, on one line */
    size_t line;
    int component; /* 1, 2, 3 of a vector equation; 0 of a scalar one */
    nh_constraint_kind kind;
    nh_constraint_kind rate_kind; /* of C: the same, or that of the derivative of a position equation */
    bool kind_exact;              /* the kind is certain; false: found by numbers */
    int degree;                   /* of a homogeneous one; 0 where it is zero or no whole number */
    nh_nature
        given; /* of C with the number 0 for the parameters that are 0, and formulas for those that have some */
    nh_expr C;        /* C(q,q',t); the derivative of the position equation where there is one */
    nh_expr position; /* f(q,t); NH_EXPR_NONE for a constraint on velocities */
} nh_constraint;

/* "x2 = 1", "rho = 1", "y1' = 2" */
typedef struct nh_start {
    nh_expr symbol;
    nh_expr value; /* in parameters */
    bool asked;    /* on the command line */
} nh_start;

typedef struct nh_named {
    const char *name;
    nh_expr value;
} nh_named;

/* "theta = pi/2": where the value passes through 0. */
typedef struct nh_event {
    const char *text;
    nh_expr value;
    bool ends;    /* the motion ends there */
    bool section; /* of Poincare: rows where it rises, and no others */
} nh_event;

/* What a picture shows, in space; in the plane the third components are 0. */
typedef enum nh_shape {
    NH_SHAPE_POINT,
    NH_SHAPE_PATH,
    NH_SHAPE_BALL,
    NH_SHAPE_DISC,
    NH_SHAPE_ROD,
    NH_SHAPE_BOX,
    NH_SHAPE_ELLIPSOID, /* of a body's inertia */
    NH_SHAPE_VECTOR,
    NH_SHAPE_VELOCITY, /* vectors that are there unasked */
    NH_SHAPE_REACTION,
    NH_SHAPE_GROUND,
} nh_shape;

typedef struct nh_drawing {
    nh_shape shape;
    const char *name; /* of the point or body; "" */
    nh_expr at[3];
    nh_expr other[3];   /* axis, other end, direction, normal, size; [0] NH_EXPR_NONE: none */
    nh_expr radius;     /* NH_EXPR_NONE: none */
    nh_expr R[9];       /* the axes as columns, by rows; [0] NH_EXPR_NONE: no frame */
    nh_expr inertia[7]; /* of an ellipsoid: the mass, then I11, I22, I33, I12, I13, I23 */
} nh_drawing;

/* "theta = -pi : pi", "v = 0 : 10 : 100": of a variable of the state, or of a parameter. */
typedef struct nh_range {
    nh_expr symbol;
    const char *name;
    nh_expr from, to; /* in parameters */
    nh_expr steps;    /* NH_EXPR_NONE: not given */
} nh_range;

struct nh_model {
    nh_context *context;
    nh_arena arena;
    nh_pool pool;
    nh_symbol_role *roles; /* by symbol index */
    size_t n_roles, roles_capacity;

    const char *title;
    nh_map names; /* all that is declared, Greek letters spelled out */
    nh_expr time;
    nh_coordinate *coordinates;
    size_t n, coordinates_capacity;
    nh_parameter *parameters;
    size_t n_parameters, parameters_capacity;
    nh_velocity *velocities; /* declared z; none: m = n - r still */
    size_t n_velocities, velocities_capacity;
    nh_velocity
        *expected; /* u1, u2, ... that the command line gives values to: the z are still to be chosen */
    size_t n_expected, expected_capacity;
    nh_point *points;
    size_t n_points, points_capacity;
    nh_frame *frames;
    size_t n_frames, frames_capacity;
    nh_body *bodies;
    size_t n_bodies, bodies_capacity;
    nh_constraint *constraints; /* independent ones */
    size_t r, constraints_capacity;
    nh_expr *psi;          /* psi^i(q,z,t) by coordinate; NULL: no parametric equations given */
    uint32_t *independent; /* coordinates whose velocities are to be the z */
    size_t n_independent, independent_capacity;
    nh_expr kinetic, potential; /* totals, points and gravity included */
    int gravity_size;           /* 0: none */
    nh_expr gravity[3];
    nh_start *initial;
    size_t n_initial, initial_capacity;
    nh_start *
        replaced; /* what `initial` gave before velocities of another kind were asked for: it tells the branch */
    size_t n_replaced, replaced_capacity;
    nh_expr start_time; /* 0, or what --start t=... says; in parameters */
    nh_named *observed;
    size_t n_observed, observed_capacity;
    nh_named *integrals;
    size_t n_integrals, integrals_capacity;
    nh_event *events; /* of the command line */
    size_t n_events, events_capacity;
    nh_drawing *drawings;
    size_t n_drawings, drawings_capacity;
    bool planar; /* all that is drawn is in the plane */
    struct {
        double *values;
        size_t count, capacity;
    } times[3];       /* of the command line, by nh_time */
    nh_range *ranges; /* of the command line, too */
    size_t n_ranges, ranges_capacity;
    nh_constraint_kind psi_kind; /* how psi depends on z: linear, affine or not; where psi is given */
    bool psi_exact;
    nh_nature psi_given; /* the same with the number 0 and formulas for parameters */
    nh_answer
        representations_agree; /* C(q,psi) = 0, where both are given: YES or UNKNOWN (a NO is refused) */
};

/* All that a drawing is made of, in a fixed order: at, other, radius, R, inertia; NH_EXPR_NONE for what it has not. */
enum { NH_DRAWING_PARTS = 3 + 3 + 1 + 9 + 7 };
void nh_drawing_parts(const nh_drawing *, nh_expr *parts);

/* n - r where equations are given, otherwise the number of velocities, otherwise n. */
size_t nh_model_m(const nh_model *model);

/* Whether a name, with its Greek letters spelled out, is declared. */
bool nh_model_declares(const nh_model *, const char *name);

/* A name with its Greek letters spelled out: theta and its letter are one name. */
nh_slice nh_name_spelled(nh_arena *, nh_slice name);

/* The sign that a symbol has in tests by numbers: parameters that of their value, and + where none is given;
 * everything else either. By symbol index; in scratch. */
const signed char *nh_model_signs(const nh_model *model, nh_arena *scratch);

/* formulas.c: parameters whose values are formulas in others, and these in parameters that have none; and those that are not treated as symbols,
 * with their values: what is 0, and the parameters that a formula which is 0 is made of. */
typedef struct nh_formulas {
    nh_expr *symbols, *values;
    size_t count;
    nh_expr *fixed, *fixed_values;
    size_t n_fixed;
} nh_formulas;
nh_formulas nh_model_formulas(const nh_model *, const signed char *signs, nh_pool *, nh_arena *);
/* Expressions with formulas in the place of the parameters; with what is fixed; with both. */
void nh_put_formulas(const nh_formulas *, nh_pool *, nh_arena *scratch, const nh_expr *e, size_t count,
                     nh_expr *out);
void nh_put_fixed(const nh_formulas *, nh_pool *, nh_arena *scratch, const nh_expr *e, size_t count,
                  nh_expr *out);
void nh_put_known(const nh_formulas *, nh_pool *, nh_arena *scratch, const nh_expr *e, size_t count,
                  nh_expr *out);
/* Of values that were drawn, by symbol: what is fixed and formulas get theirs. Where that is not possible with their own signs, as of R - r, all parameters come
 * closer to their own values. */
void nh_obey_formulas(const nh_model *, const nh_formulas *, const signed char *signs, nh_arena *scratch,
                      double *values);

/* The values of the parameters by symbol index, NaN for all other symbols and where no value is given. */
void nh_model_parameter_values(const nh_model *model, nh_arena *scratch, double *values);
/* The same with numbers instead of the values of some symbols. */
void nh_model_parameter_values_with(const nh_model *model, nh_arena *scratch, const nh_expr *symbols,
                                    const double *numbers, size_t count, double *values);

#endif
