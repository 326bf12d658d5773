/* The door of tape/: straight-line programs. A tape computes some expressions from inputs, one step after the other, each value once;
 * what depends on constants alone is computed once before. It runs in double, long double or quadruple precision, and also on
 * Taylor series in time: every step has a recurrence for the next coefficient. */
#ifndef NH_TAPE_H
#define NH_TAPE_H

#include "derive/derive.h"

typedef enum nh_op {
    NH_OP_ADD,      /* a + b */
    NH_OP_SUB,      /* a - b */
    NH_OP_MUL,      /* a b */
    NH_OP_SCALE,    /* a b, a constant */
    NH_OP_DIV,      /* a / b; 1/b in c */
    NH_OP_NEG,      /* -a */
    NH_OP_SQUARE,   /* a^2 */
    NH_OP_SQRT,     /* the root of a; 1/(2 root) in c */
    NH_OP_POWER,    /* a^b, b constant; 1/a in c */
    NH_OP_EXP,      /* e^a */
    NH_OP_LOG,      /* log a; 1/a in c */
    NH_OP_SINCOS,   /* sin a; cos a in the register behind it */
    NH_OP_SINHCOSH, /* the same for sinh and cosh */
    NH_OP_TANH,     /* tanh a; 1/cosh(a)^2 in the register behind it */
    NH_OP_ARC,      /* function(a), whose derivative by a is in b: asin, acos, atan */
    NH_OP_ATAN2,    /* atan2(a, b), with b/(a^2 + b^2) and -a/(a^2 + b^2) in the two registers c and c + 1 */
    NH_OP_ABS,      /* |a| */
    NH_OP_SIGN,     /* -1, 0 or 1 */
    NH_OP_MIN,      /* the smaller of a and b */
    NH_OP_MAX,
    NH_OP_SOLVE, /* x with M x = b, the linear system a: in as many registers from out on */
} nh_op;

typedef struct nh_step {
    uint8_t op, function;
    bool a_constant, b_constant; /* the operand does not change in time */
    bool large; /* as exponentials are, perhaps no number any more: the result, of a/b what is below */
    bool
        fades; /* a/b is 0 where b is no number any more, also where a is none: a is a lower power of the same exponential */
    uint32_t out, a, b, c;
    uint32_t slot; /* the first of its sums over lower coefficients, see nh_slot */
} nh_step;

/* Its results are two registers, one behind the other. */
static inline bool nh_op_is_pair(uint8_t op)
{
    return op == NH_OP_SINCOS || op == NH_OP_SINHCOSH || op == NH_OP_TANH;
}

/* sum_{j=1..k-1} x_j y_{k-j}, or with j x_j: what the k-th coefficient of a step takes from lower ones. These sums depend on no
 * other coefficient k: all of them are formed at once. */
typedef struct nh_slot {
    uint32_t x, y;
    bool weighted;
    uint32_t rows
        [2]; /* in lanes: x, or behind all registers the place of j x_j (see nh_tape.weighted), and y; in any order */
    uint32_t place; /* of the sum among all, in lanes */
} nh_slot;

/* Some sums that share a row are formed together: [x, y], [x, z], ... */
enum { NH_MOST_SHARING = 2 };
typedef struct nh_sharing {
    uint32_t x, y[NH_MOST_SHARING]; /* rows */
} nh_sharing;

/* M x = b: registers of the entries by rows and of the right-hand side. */
typedef struct nh_linear {
    uint32_t n;
    uint32_t *matrix, *right;
    uint32_t *slots; /* by entry; NH_NO_SLOT: the entry does not change */
} nh_linear;

#define NH_NO_SLOT UINT32_MAX

/* a^n by products, with a high n, or its inverse. */
typedef struct nh_high_power {
    uint32_t a, out;
    double n; /* negative: the inverse */
} nh_high_power;

enum { NH_HIGH_POWER = 12 };

/* A number, exact. */
typedef struct nh_tape_number {
    uint32_t out;
    nh_rational value;
    bool pi;
} nh_tape_number;

typedef struct nh_tape {
    nh_arena *arena;
    size_t n_inputs,
        n_constant_inputs; /* registers: the inputs that change, then those that do not, then all others */
    size_t n_registers;
    nh_tape_number *numbers;
    size_t n_numbers, numbers_capacity;
    nh_step *before; /* from constants alone */
    size_t n_before, before_capacity;
    nh_step *steps;
    size_t n_steps, steps_capacity;
    nh_step *
        runs; /* the steps once more, for the interpreter: in an order in which equal operations stand together */
    nh_linear *systems;
    size_t n_systems, systems_capacity;
    nh_slot *slots;
    size_t n_slots, slots_capacity;
    nh_sharing *
        sharings; /* all slots in the order of their places: most that share a row first, single ones, then squares [x, x] */
    size_t n_sharing[NH_MOST_SHARING + 1]; /* of so many slots; 0: squares */
    uint32_t *weighted;                    /* registers x of which j x_j is needed */
    size_t n_weighted, weighted_capacity;
    uint32_t *outputs;
    size_t n_outputs;
    uint32_t *roots; /* steps sqrt and power, which have other branches behind a zero of a */
    size_t n_roots, roots_capacity;
    bool has_arcs; /* other functions with several branches */
    /* functions that may be nothing, with all of their coefficients, and something further on: exp, powers */
    bool has_hidden;
    uint32_t *hidden; /* the steps that are such functions: exp, tanh, powers, quotients by exponentials */
    size_t n_hidden, hidden_capacity;
    nh_high_power *powers;
    size_t n_powers, powers_capacity;
    /* registers, each once: what is divided by, and what roots, powers and logarithms are of. Where one of them is nearly 0, these are steep */
    uint32_t *steep;
    size_t n_steep, steep_capacity;
    uint32_t *maker; /* by register: its step + 1; 0: none, it is there before */
    /* of a run, for one step: no more where there are functions that coefficients know of in part only */
    double longest_part;
    bool has_corners;
    uint32_t *corners; /* steps abs, sign, min, max: their branches are decided by a, or by a - b */
    size_t n_corners, corners_capacity;
    size_t operations; /* of one evaluation */
} nh_tape;

/* What a tape is for: values alone, or series, in which a sine costs less than the products that give it from others. */
typedef enum nh_tape_use { NH_FOR_SERIES, NH_FOR_VALUES } nh_tape_use;

/* The roots, computed from the symbols that change and from those that do not; all symbols in the roots are among these. The arena
 * is to live as long as the tape. */
nh_tape *nh_tape_new(const nh_pool *, nh_arena *, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                     const nh_expr *changing, size_t n_changing, const nh_expr *constant, size_t n_constant,
                     nh_tape_use);

/* On which side of a corner the values are: a, or a - b; see nh_tape.corners. */
static inline double nh_corner_side(const nh_tape *t, size_t corner, const double *values, size_t stride)
{
    const nh_step *s = &t->steps[t->corners[corner]];
    double a = values[s->a * stride];
    return s->op == NH_OP_MIN || s->op == NH_OP_MAX ? a - values[s->b * stride] : a;
}

/* The derivative of all outputs along a direction: inputs x and dx, outputs dy. */
nh_tape *nh_tape_tangent(const nh_tape *, nh_arena *);

#include "tape/machine.h"
#include "tape/native.h"

/* The derivatives of the outputs by the inputs that change, by rows: those of output i are values[rows[i]] ... by the inputs
 * columns[rows[i]] ...; what is not there is 0. */
typedef struct nh_jacobian {
    const nh_tape *of;
    nh_tape *tangent;
    nh_series_lanes *machine;
    size_t *rows, count;
    uint32_t *columns;
    uint32_t *direction; /* by input */
    uint32_t n_directions;
    double *values;
    double *constants; /* in all lanes */
    uint32_t lanes;
} nh_jacobian;

nh_jacobian *nh_jacobian_new(const nh_tape *, nh_arena *);
bool nh_jacobian_constants(nh_jacobian *, const double *constants);
bool nh_jacobian_at(nh_jacobian *, const double *inputs); /* false: a linear system is singular */

/* Between which numbers something lies. */
typedef struct nh_interval {
    double low, high;
} nh_interval;

/* The registers of a tape, and their coefficients 1 and 2, from those of the inputs: for all values of the inputs in some ranges, and all
 * places within a stretch of time. Where there may be no value, or a jump, it is anything. */
enum { NH_ENCLOSED = 3 };
typedef struct nh_enclosure {
    const nh_tape *tape;
    size_t stride;
    nh_interval *r;          /* coefficient k of register i is r[k*stride + i] */
    nh_interval *system;     /* one linear system, by rows, with its right-hand side */
    uint32_t *base, *degree; /* by register: it is such a power of another one */
} nh_enclosure;
nh_enclosure *nh_enclosure_new(const nh_tape *, nh_arena *);
void nh_enclosure_constants(nh_enclosure *, const double *constants);
void nh_enclosure_step(nh_enclosure *, size_t k); /* after those below k */
void nh_enclosure_some(nh_enclosure *, size_t k, const uint32_t *steps,
                       size_t count); /* the same, of some steps */

#endif
