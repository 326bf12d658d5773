/* Inside tape/. */
#ifndef NH_TAPE_INNER_H
#define NH_TAPE_INNER_H

#include "tape/tape.h"

/* build.c: a tape while it is made. */
typedef struct nh_known {
    uint64_t key; /* operation and operands; 0: free */
    uint32_t out;
} nh_known;

/* How a register grows where an exponential does: as its power of that degree. */
typedef struct nh_growth {
    uint32_t
        of; /* the argument of the exponential + 1; 0: it does not grow; UINT32_MAX: not as a power of one exponential */
    int degree;
    bool tame; /* it has a value, or is too large for that, where its inputs and the exponential are so */
    bool is_quotient; /* above/below, below with an exponential */
    uint32_t above, below;
} nh_growth;

typedef struct nh_builder {
    nh_tape *tape;
    nh_arena *scratch;
    bool *constant; /* by register */
    uint32_t *base,
        *factor; /* by register: it is factor - 1, a constant, times base; factor 0: nothing like that */
    nh_growth *growth; /* by register */
    size_t constant_capacity, base_capacity, factor_capacity, growth_capacity;
    nh_known *known; /* steps that are there, by hashing */
    size_t n_known, known_capacity;
    uint32_t integers[5]; /* registers + 1 of -2 ... 2 */
} nh_builder;

void nh_builder_init(nh_builder *, nh_tape *, nh_arena *scratch);
void nh_builder_finish(nh_builder *); /* when the outputs are known */
bool nh_build_is_constant(const nh_builder *, uint32_t);
uint32_t nh_build_registers(nh_builder *, uint32_t count, bool constant); /* the first of them */
void nh_build_step(nh_builder *, nh_step, bool constant);
uint32_t nh_build_one(nh_builder *, nh_op, uint32_t a);
uint32_t nh_build_pair(nh_builder *, nh_op, uint32_t a); /* sin and cos: the first of two registers */
uint32_t nh_build_two(nh_builder *, nh_op, uint32_t a, uint32_t b);
uint32_t nh_build_quotient(nh_builder *, uint32_t a, uint32_t b);
uint32_t nh_build_number(nh_builder *, nh_rational value, bool pi);
uint32_t nh_build_integer(nh_builder *, int64_t n);
uint32_t nh_build_solve(nh_builder *, uint32_t n, uint32_t *matrix,
                        uint32_t *right); /* the first of n registers */

/* group.c: the order of the interpreter, when all steps are there. */
void nh_tape_group(nh_tape *, nh_arena *scratch);

/* share.c: which sums are formed together, when all slots are there. */
void nh_tape_share(nh_tape *, nh_arena *scratch);

/* series.c: zeros, one more than `count`, where a line of the cache begins. */
void *nh_new_numbers(nh_arena *, size_t count, size_t size);

/* For the interpreter and for machine code. */
double nh_inverse_square_of_cosh(double);

/* A linear system of a tape, coefficient k; 0: singular. Called by machine code. */
int nh_series_solve(void *series, const nh_step *, double k);

/* How far apart registers are in lanes, in numbers: odd, so that one order of all registers is spread over the cache. */
static inline size_t nh_lanes_stride(size_t order) { return (order + 1) | 1; }

/* lanes.c: functions of all lanes, for machine code. */
typedef void nh_lanes_function(const nh_lanes *a, const nh_lanes *b, nh_lanes *out);
typedef struct nh_lanes_code {
    int count; /* of lanes */
    nh_lanes_function *sincos, *exp, *log, *pow, *sinh, *cosh, *tanh, *inverse_square_of_cosh, *asin, *acos,
        *atan, *atan2; /* sincos: two behind each other */
    int (*solve)(void *series, const nh_step *, double k);
} nh_lanes_code;
const nh_lanes_code *nh_lanes_code_get(void);

#endif
