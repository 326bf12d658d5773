/* The door of derive/: the mechanics. From a model to the dynamical equations of the first kind, the field Z on the
 * constraint, and of the second kind, the field D on all of TQ, with every object of both recipes.
 *
 * Indices: i, j, k = 1..n coordinates, alpha, beta = 1..m velocities z, a, b = 1..r constraints. Matrices are stored by
 * rows: psi_alpha[alpha*n + i], C_i[a*n + i]. Objects of the first kind are functions of (q, z, t); where psi cannot be
 * written down they are functions of (q, q', t) on C, and psi is NULL. */
#ifndef NH_DERIVE_H
#define NH_DERIVE_H

#include "derive/forms.h"
#include "derive/principles.h"
#include "model/model.h"

/* One of the z. */
typedef struct nh_z {
    const char *name;
    nh_expr symbol;
    int64_t rate_of; /* the coordinate whose velocity it is, or -1 */
} nh_z;

typedef struct nh_first_kind {
    nh_expr *psi; /* psi^i, or NULL */
    size_t root;  /* a coordinate + 1 whose velocity in psi is one of two roots, that of the start; 0: none */
    nh_expr *psi_alpha;    /* psi^i_alpha = dpsi^i/dz^alpha, m x n */
    nh_expr *drift;        /* psi^k d_k psi^i + d_t psi^i: the part of q'' without z' */
    nh_expr *G;            /* G_ab = g_ij psi^i_a psi^j_b, m x m */
    nh_expr *Zbar;         /* Zbar_i = L_i - g_ij drift^j */
    nh_expr *Z_lower;      /* Z_a = Zbar_i psi^i_a */
    nh_expr *Z_upper;      /* Z^a = G^ab Z_b */
    nh_expr *R;            /* R_i = g_ij q''^j - L_i */
    nh_expr *acceleration; /* q''^i = psi^i_a Z^a + drift^i */
} nh_first_kind;

typedef struct nh_second_kind {
    const char *reason;     /* why there is none; NULL: there is */
    const char *none_given; /* the same with the values that the parameters have */
    nh_expr *C;             /* C^a */
    nh_expr *C_i;           /* dC^a/dq'^i, r x n */
    bool system; /* D and lambda are the components of one linear system; the next two and R_upper are NULL */
    nh_expr *C_upper; /* C^ai = g^ij C^a_j, r x n */
    nh_expr *G_upper; /* G^ab = C^ai C^b_i, r x r */
    nh_expr *dC;      /* d_i C^a, r x n */
    nh_expr *dC_dt;   /* d_t C^a */
    nh_expr *moved;   /* q'^i d_i C^a + d_t C^a */
    nh_expr *lambda;  /* lambda_a */
    nh_expr *R;       /* R_i = lambda_a C^a_i */
    nh_expr *R_upper; /* g^ij R_j */
    nh_expr *D;       /* D^i = g^ij (L_j + R_j) */
} nh_second_kind;

typedef struct nh_equations {
    nh_context *context;
    const nh_model *model;
    nh_arena arena;
    nh_pool pool; /* begins as a copy of the model's: its handles are good here */
    nh_modular *modular;
    double
        *sample; /* a state on C, by symbol, where charts are good: the start, or a random one; NULL: none */
    size_t n, m, r;
    bool of_table; /* starts come from a table, too: for messages */
    bool
        without_z; /* only the second kind is wanted: a start whose z are not found will do, they are NAN then */
    nh_z *z;
    nh_expr *p;      /* dK/dq'^i */
    nh_expr *A, *L;  /* active forces; L_i, in (q, q', t) */
    nh_expr *L_on_C; /* L_i in the variables of the first kind */
    nh_first_kind first;
    nh_second_kind second;
    struct nh_started *started; /* how the last start was found; NULL: there was none */
} nh_equations;

/* The equations of a model, as they come: nothing is simplified. */
nh_equations *nh_equations_new(nh_context *context, const nh_model *model);
void nh_equations_free(nh_equations *equations);

/* g_ij, as it comes: n x n. */
void nh_metric(nh_equations *equations, nh_expr *g);

/* How coordinates or velocities got onto the constraints: as they were given; by those that are not given, of least distance from 0 or
 * energy; by the least change of all. Velocities may follow from the z. */
typedef enum nh_placed { NH_AS_GIVEN, NH_COMPLETED, NH_MOVED, NH_FROM_Z } nh_placed;

/* Of the last start: by symbol, whether it was given. */
typedef struct nh_started {
    nh_placed positions, rates;
    const bool *given;
    bool guessed; /* by equations that are not linear in what was left out */
} nh_started;

/* The start state, completed and brought onto the constraints: values by symbol index (q, q', z, t, parameters), which live
 * as long as the equations. NULL: there is none, which is reported to the context's diagnostics. */
double *nh_start_state(nh_equations *equations, bool project);

/* The same with other values for some symbols, parameters too, in the way of --start and --set. */
typedef struct nh_given {
    const nh_expr *symbols;
    const double *values;
    size_t count;
} nh_given;
double *nh_start_state_with(nh_equations *equations, bool project, nh_given given);
/* And a kinetic energy that can be negative there is reported, as it is by the first. */
double *nh_start_state_checked(nh_equations *equations, bool project, nh_given given);
/* A warning where equations that are not linear in what the last start left out may have other solutions. */
void nh_tell_guess(nh_equations *equations, const double *values, nh_given given);

/* Whether the kinetic energy is negative for some velocities, or leaves a motion without inertia, at random states with other values of
 * the parameters (by symbol; NAN: any positive one); whether g has a negative eigenvalue at a state. It is reported. */
bool nh_is_indefinite_with(nh_equations *equations, const double *parameters);
bool nh_is_indefinite_at(nh_equations *equations, const double *values);

/* Whether a constraint has no derivatives by the velocities at a state, which is then reported as singular. */
bool nh_refuse_singular(nh_equations *equations, double *values);

/* Whether rank [C^a_i] < r at a state, which is then reported as singular, with the constraints that depend on each other. */
bool nh_refuse_dependent(nh_equations *equations, const double *values);

/* Warns where they are so at every state, with the values of the parameters: the equations are those for others then. */
void nh_warn_dependent(nh_equations *equations);

/* Keeps those of `count` rows of n that may be dependent somewhere; their number. The others have a column of their own with an entry that is
 * never 0. */
size_t nh_rows_in_doubt(nh_equations *equations, nh_expr *rows, size_t count);

/* With the number 0 for the parameters whose value is 0. NH_EXPR_NONE where a denominator became zero. */
void nh_put_zeros(nh_equations *equations, const nh_expr *e, size_t count, nh_expr *out);

/* The same, and with their formulas in place of the parameters whose values are formulas in other ones. */
void nh_put_given(nh_equations *equations, const nh_expr *e, size_t count, nh_expr *out);

/* Whether these make the constraints depend on each other at every state, or at all states around the start: the equations are those for
 * other values or states then. The first in words; NULL: they do not. */
const char *nh_dependence(nh_equations *equations);
bool nh_constraints_depend(nh_equations *equations);

/* The coordinate whose velocity a z is by itself, psi^i = z; n: none. */
size_t nh_velocity_that_is(const nh_equations *equations, size_t alpha);

/* A fact and how it is known; the weaker verdicts are the larger ones. */
typedef enum nh_verdict { NH_PROVED, NH_TESTED, NH_NOT_KNOWN, NH_REFUTED } nh_verdict;

typedef struct nh_fact {
    const char *name;
    nh_verdict verdict;
    const char *detail;
} nh_fact;

typedef struct nh_facts {
    nh_fact *items;
    size_t count, capacity;
    bool has_steps;     /* velocities jump, so that some are unknown: they hold in between */
    bool half_singular; /* the constraints depend on each other at all states on one side of a corner */
} nh_facts;

/* Whether the constraints that are homogeneous in the velocities by numbers are proved to be so. */
bool nh_equations_homogeneous(nh_equations *equations);

/* The identities that hold along every motion, and the claimed integrals. */
nh_facts *nh_equations_facts(nh_equations *equations);

/* Whether each F(q, q', z, t) is constant along every motion, within so many seconds for all of them: a fact for each. */
nh_facts *nh_equations_conserved(nh_equations *equations, const nh_named *F, size_t count,
                                 double max_seconds);

/* At most so many random states by symbol, on the positions and on C, the parameters being 0, positive, negative, or formulas in others as the
 * model has them; how many were found. */
size_t nh_equations_states(nh_equations *equations, size_t count, double **values);

/* Whether F, whose rate is 0, jumps along some motion. PROVED: it does not; REFUTED: where is 0 at a jump; TESTED: no jump was seen. */
nh_verdict nh_equations_jump(nh_equations *equations, nh_expr F, double max_seconds, nh_expr *where);

/* Whether G is regular at a state (values by symbol), so that the accelerations of the first kind are determined. False, with an error
 * reported: it is too large for a number. */
bool nh_first_is_regular(nh_equations *equations, const double *values);

/* Every object at a state (values by symbol index). NULL: the state is singular, or, if an error was reported, something has no
 * finite value there. */
nh_numbers_at *nh_equations_at(nh_equations *equations, const double *values);

/* Every object in readable form, as far as the time (in seconds, for all of it) allows. */
nh_forms *nh_equations_forms(nh_equations *equations, double max_seconds);

/* Whether free velocities that the program chose stand under a root: such a choice ends where the root does, and the motion goes on. */
bool nh_equations_has_own_root(const nh_equations *equations);

/* The second kind as one linear system, where its formulas would lose digits at a state (by symbol): rows of C_i are nearly dependent there. Before
 * anything is made of them. */
void nh_second_at(nh_equations *, const double *values);

/* The symbols of the model for reactive forces, multipliers and accelerations that have a value, and this value, by the first kind or by the
 * second; both have room for all roles. How many they are. The multiplier of an equation that was dropped is 0. */
size_t nh_equations_special(nh_equations *equations, bool first, nh_expr *symbols, nh_expr *values);

/* psi and Z^alpha, n + m expressions, in the form that is evaluated with the fewest operations. */
nh_expr *nh_equations_field(nh_equations *equations, double max_seconds);

/* det [rows_a . rows_b] of `count` rows of n, as a sum of squares, which loses no digits where it is small. NH_EXPR_NONE: it is not short, or none. */
nh_expr nh_equations_gram(nh_equations *equations, const nh_expr *rows, size_t count);

/* The objects of NH_SHOW_... that are asked for, from the forms, within the same kind of limit. */
nh_principles *nh_equations_principles(nh_equations *equations, nh_forms *forms, unsigned shown,
                                       double max_seconds);

#endif
