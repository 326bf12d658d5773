/* The door of expr/: the expression DAG.
 *
 * Expressions are 32-bit handles into a pool. They are immutable and hash-consed: equal expressions (in the
 * cheap normal form below) have equal handles, and the operands of a node have smaller handles than the
 * node, so that every walk is a loop over an increasing list of handles, never a recursion.
 *
 * The cheap normal form: numbers are folded exactly; sums and products of two have their operands in a fixed
 * order, a number first in a product and last in a sum; x + x = 2 x, x x = x^2, c1 (c2 x) = (c1 c2) x,
 * sqrt(x)^2 = x, f(-x) = +-f(x), exp(log x) = log(exp x) = x, sin and cos of multiples of pi/2. It never
 * expands and never looks further than an operand's operands: sharing, once there, stays. What is equal
 * beyond that, the modular values (nh_modular) and the room algebra/ find out.
 *
 * A linear system that is too large to be eliminated in formulas stays one: NH_COMPONENT of NH_SOLVE of NH_MATRIX. All that is
 * done with expressions is done with these too, but for printing and the exact algebra, for which derive/ eliminates. */
#ifndef NH_EXPR_H
#define NH_EXPR_H

#include "base/base.h"
#include "expr/residue.h"

typedef uint32_t nh_expr;
#define NH_EXPR_NONE ((nh_expr)0) /* no expression: the value of 1/0; operations on it yield it again */

typedef enum nh_kind {
    NH_NONE,
    NH_NUMBER, /* a: index of the rational */
    NH_SYMBOL, /* a: index of the symbol */
    NH_PI,     /* the number pi */
    NH_ADD,    /* a + b */
    NH_MUL,    /* a * b */
    NH_POW,    /* a ^ b; an integer b is a number node */
    NH_CALL,   /* function(a) or function(a, b) */
    NH_MATRIX, /* a: index of the list of its entries by rows, b: its size n; function: whether it is symmetric */
    NH_SOLVE,     /* the vector x with M x = b; a: the matrix, b: index of the list (matrix, b_1, ..., b_n) */
    NH_COMPONENT, /* x_b of a solution a, from 0 */
} nh_kind;

typedef enum nh_function {
#define NH_FUNCTION(name, ...) NH_FN_##name,
#include "expr/functions.def"
#undef NH_FUNCTION
    NH_FN_COUNT
} nh_function;

typedef struct nh_node {
    uint8_t kind;     /* nh_kind */
    uint8_t function; /* nh_function */
    union {
        struct {
            uint32_t a, b;
        };
        uint32_t both[2];
    };
} nh_node;

typedef struct nh_list {
    const nh_expr *items;
    size_t count;
} nh_list;

typedef struct nh_pool {
    nh_arena *arena;
    nh_numbers numbers;
    nh_node *nodes; /* [0] is NH_NONE */
    size_t n_nodes, nodes_capacity;
    nh_expr *table; /* hash table of handles, 0 where free */
    size_t table_capacity;
    nh_expr *number_table; /* the same for number nodes, by value */
    size_t numbers_capacity;
    nh_rational *rationals;
    size_t n_rationals, rationals_capacity;
    const char **symbols; /* their names */
    size_t n_symbols, symbols_capacity;
    uint8_t *places; /* by symbol: nh_placing */
    size_t n_places, places_capacity;
    nh_list *lists; /* entries of matrices and right-hand sides */
    size_t n_lists, lists_capacity;
    uint32_t *list_table; /* hash table of indices + 1 */
    size_t list_table_capacity;
    nh_expr zero, one, minus_one, two, half, pi;
} nh_pool;

void nh_pool_init(nh_pool *pool, nh_arena *arena);
void nh_pool_copy(nh_pool *pool, nh_arena *arena, const nh_pool *from); /* with the same handles */
void nh_pool_free(nh_pool *pool);                                       /* what the arena does not hold */

/* A pool with the same symbols and nothing else, and expressions from one pool to another with the same symbols. The
 * scratch arena is neither pool's. */
void nh_pool_init_like(nh_pool *pool, nh_arena *arena, const nh_pool *from);
nh_expr nh_import(nh_pool *pool, nh_arena *scratch, const nh_pool *from, nh_expr e);

/* The same for several, node by node as they are; those that are new get handles that do not depend on the other pool's. */
void nh_carry(nh_pool *to, nh_arena *scratch, const nh_pool *from, const nh_expr *in, size_t count,
              nh_expr *out);

/* ---------------------------------------------------------------- functions */

typedef enum nh_parity { NH_PARITY_NONE, NH_PARITY_ODD, NH_PARITY_EVEN } nh_parity;

typedef struct nh_function_info {
    const char *name;
    int arity;
    bool smooth;
    nh_parity parity;
    double at_zero; /* NaN: not folded */
    const char *c_name, *latex, *mathml;
} nh_function_info;

const nh_function_info *nh_function_get(nh_function function);
bool nh_function_find(nh_slice name, nh_function *function);
double nh_function_value(nh_function function, double x, double y);

/* ---------------------------------------------------------------- building */

/* Where a symbol stands in a product: parameters first, then coordinates, then velocities. */
typedef enum nh_placing { NH_PLACED_FIRST, NH_PLACED_SECOND, NH_PLACED_THIRD } nh_placing;

nh_expr nh_number(nh_pool *, nh_rational value);
nh_expr nh_integer(nh_pool *, int64_t value);
nh_expr nh_symbol(nh_pool *, const char *name); /* a new one, placed second; the name is copied */
nh_expr nh_symbol_placed(nh_pool *, const char *name, nh_placing);
nh_expr nh_symbol_at(nh_pool *, uint32_t index); /* the symbol of this index */
nh_expr nh_add(nh_pool *, nh_expr a, nh_expr b);
nh_expr nh_sub(nh_pool *, nh_expr a, nh_expr b);
nh_expr nh_neg(nh_pool *, nh_expr a);
nh_expr nh_mul(nh_pool *, nh_expr a, nh_expr b);
nh_expr nh_div(nh_pool *, nh_expr a, nh_expr b); /* by a literal zero: NH_EXPR_NONE */
nh_expr nh_pow(nh_pool *, nh_expr a, nh_expr b); /* 0^0 = 1; 0^-1: NH_EXPR_NONE */
nh_expr nh_power(nh_pool *, nh_expr a, int64_t n);
nh_expr nh_call(nh_pool *, nh_function, nh_expr a, nh_expr b); /* b: NH_EXPR_NONE for one argument */

/* x with M x = b, as nodes: M by rows. Equal matrices are shared by different right-hand sides. */
void nh_solution(nh_pool *, size_t n, bool symmetric, const nh_expr *M, const nh_expr *b, nh_expr *x);

enum { NH_MAX_EXPONENT = 10000 }; /* powers are merged as long as the exponent stays below */

/* ---------------------------------------------------------------- reading */

static inline nh_node nh_get(const nh_pool *pool, nh_expr e) { return pool->nodes[e]; }
bool nh_is_number(const nh_pool *, nh_expr e, nh_rational *value); /* value may be NULL */
bool nh_is_symbol(const nh_pool *, nh_expr e, uint32_t *index);
const char *nh_symbol_name(const nh_pool *, uint32_t index);

/* Negative, zero or positive where a comes before b, is b, or comes behind it, by what they are (and by the order of the
 * symbols), not by their handles. Sums, products, min and max have their operands in this order. */
int nh_compare(const nh_pool *, nh_expr a, nh_expr b);

/* Into that order; room: for n of them. */
void nh_sort(const nh_pool *, nh_expr *items, nh_expr *room, size_t n);

/* The handles that the roots consist of, in increasing order: operands come before what uses them. */
typedef struct nh_walk {
    nh_expr *nodes;
    size_t count;
} nh_walk;
nh_expr nh_largest(const nh_expr *e, size_t count); /* the largest handle; 0: there is none */
nh_walk nh_walk_of(const nh_pool *, nh_arena *, const nh_expr *roots, size_t count);

/* The operands of a node. They stay where they are, whatever is built in the meantime. */
nh_list nh_operands(const nh_pool *pool, nh_expr e);

/* Whether a linear system stands among them that was not eliminated. */
bool nh_has_solve(const nh_pool *, nh_arena *, const nh_expr *roots, size_t count);

/* Operations needed to evaluate the roots together, shared ones once. */
size_t nh_count_operations(const nh_pool *, nh_arena *, const nh_expr *roots, size_t count);

/* range.c: whether an expression is easily seen to be 0 nowhere, as 2 + sin(y), the first symbols having signs: those with one are never 0. */
bool nh_is_never_zero(const nh_pool *, nh_expr e, const signed char *signs, size_t known);

/* Whether one needs more; no more than that is looked at, however large the rest is. */
bool nh_operations_exceed(const nh_pool *, nh_arena *, nh_expr e, size_t most);

/* Which symbols occur: depends[index] is set to true, the others are left alone. */
void nh_find_symbols(const nh_pool *, nh_arena *, const nh_expr *roots, size_t count, bool *depends);

/* ---------------------------------------------------------------- calculus */

/* scratch is another arena than the pool's, and is left as it was found. */

/* Reverse sweep: out[j] = sum_i seeds[i] d roots[i] / d symbols[j]. seeds NULL: all 1. */
void nh_gradient(nh_pool *, nh_arena *scratch, const nh_expr *roots, const nh_expr *seeds, size_t n_roots,
                 const nh_expr *symbols, size_t n_symbols, nh_expr *out);

/* Forward sweep: out[i] = sum_j d roots[i] / d symbols[j] * directions[j]. */
void nh_directional(nh_pool *, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                    const nh_expr *symbols, const nh_expr *directions, size_t n_symbols, nh_expr *out);

/* One partial derivative. */
nh_expr nh_derivative(nh_pool *, nh_arena *scratch, nh_expr root, nh_expr symbol);

/* Simultaneous substitution: out[i] = roots[i] with values[j] for symbols[j]. NH_EXPR_NONE where a
 * denominator became zero. */
void nh_substitute(nh_pool *, nh_arena *scratch, const nh_expr *roots, size_t n_roots, const nh_expr *symbols,
                   const nh_expr *values, size_t n_symbols, nh_expr *out);

/* A node again, with image[] of its operands (by handle) in their place. */
nh_expr nh_rebuilt_with(nh_pool *, nh_expr e, const nh_expr *image);

/* ---------------------------------------------------------------- evaluation */

/* In doubles: values[] by symbol index, out[i] the value of roots[i]. errors, where not NULL, receives a bound
 * for the rounding errors committed on the way, for values taken as exact; INFINITY where there is none. */
void nh_evaluate(const nh_pool *, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                 const double *values, double *out, double *errors);

/* The same at many points: what is to be done is found once. The roots are to stay where they are. */
typedef struct nh_evaluator nh_evaluator;
nh_evaluator *nh_evaluator_new(const nh_pool *, nh_arena *, const nh_expr *roots, size_t n_roots);
void nh_evaluator_at(const nh_evaluator *, nh_arena *scratch, const double *values, double *out,
                     double *errors);
size_t nh_evaluator_length(const nh_evaluator *); /* how many steps that takes */

/* The same for all values within radii of the given ones (by symbol; NULL: 0): |f(x) - out| <= errors for each such x. */
void nh_evaluate_within(const nh_pool *, nh_arena *scratch, const nh_expr *roots, size_t n_roots,
                        const double *values, const double *radii, double *out, double *errors);

/* Gauss elimination in doubles with row exchanges: A (n x n) becomes its factors, order the rows. False: singular, a pivot
 * being no larger than the tolerance times the terms that it is the sum of. */
bool nh_factor_dense(double *A, size_t *order, size_t n, double tolerance);
void nh_solve_dense(const double *factors, const size_t *order, size_t n, const double *b, double *x);

/* Cholesky's method in the lower half of a symmetric matrix M (n x n); false: a square of its diagonal is not larger than `least`. */
bool nh_decompose(double *M, size_t n, double least);

/* Whether all eigenvalues of a symmetric matrix are larger than -shift, by elimination in its upper half, which is lost. */
bool nh_is_positive(double *S, size_t n, double shift);

/* The eigenvalues of a symmetric matrix S (n x n), by Jacobi's rotations: they replace its diagonal. */
void nh_eigenvalues(double *S, size_t n);

/* Modulo p = 2^61 - 1, and at the last point p = 2^61 - 2^17 - 1, at random points: nodes with different values are different;
 * with equal values they are equal but for a chance of d/p for each point, d being the degree of their difference. Every symbol is a random residue. For each angle a, sin
 * and cos are a random point of the circle c^2 + s^2 = 1, and sums and rational multiples of angles follow the
 * addition formulas; exp and the hyperbolic functions likewise. sqrt is multiplicative. Other functions are
 * random functions of their argument's residue. */
enum { NH_MODULAR_POINTS = 3 };
typedef struct nh_modular nh_modular;

typedef struct nh_residue {
    uint64_t at[NH_MODULAR_POINTS];
    uint8_t valid;       /* bit k: defined at point k (no pole, roots of squares only) */
    bool exact;          /* a value other than zero proves the expression not to be zero */
    bool root;           /* a square root occurs: a value of zero may depend on its sign */
    bool given;          /* a function of given values, and of numbers, alone */
    double above, below; /* bounds for the degrees of numerator and denominator */
} nh_residue;

nh_modular *nh_modular_new(const nh_pool *, nh_arena *, uint64_t seed);
nh_residue nh_modular_value(nh_modular *, nh_expr e);

/* The values of these expressions, and of what they consist of, at other points with each move; none before the first. Symbols that
 * are given have the values that are given, by symbol; what depends on these alone has one value for all seeds, which is the same at
 * the first two points. The arena is used by nothing else meanwhile. */
nh_modular *nh_modular_new_for(const nh_pool *, nh_arena *, const nh_expr *roots, size_t count,
                               const bool *given);
void nh_modular_move(nh_modular *, uint64_t seed, const uint64_t *values);

/* A test by numbers. */
typedef enum nh_answer { NH_NO, NH_YES, NH_UNKNOWN } nh_answer;

/* Whether e is zero, by its residues, and by doubles at random states where residues do not decide it. YES and
 * NO are practically certain, but no proof. UNKNOWN where functions with corners occur whose corners the states may not
 * have met, as in max(x - 5, 0). sign[] gives each symbol a sign for the random doubles: +1, -1, or
 * 0 for either; NULL: all 0. */
/* By residues alone: a YES does not rest on rounded numbers. */
nh_answer nh_zero_by_residues(nh_modular *, nh_expr e);
nh_answer nh_zero_test(nh_modular *, nh_arena *scratch, nh_expr e, const signed char *sign);

/* Rows of a matrix of expressions, taken in one by one: elimination modulo p at one random point, which for a
 * row whose residues are exact tells what is true at almost all points. The first `columns` entries are
 * coefficients, the last one is a right-hand side. */
typedef enum nh_row {
    NH_ROW_INDEPENDENT,
    NH_ROW_FOLLOWS,     /* a combination of earlier rows */
    NH_ROW_CONTRADICTS, /* its coefficients are, its right-hand side is not */
    NH_ROW_UNDECIDED,   /* residues do not tell; the row was not taken in */
} nh_row;

typedef struct nh_elimination nh_elimination;
nh_elimination *nh_elimination_new(nh_modular *, nh_arena *, size_t columns);
nh_row nh_elimination_add(nh_elimination *, const nh_expr *row); /* columns + 1 entries */

/* Rows of residues modulo the first prime, taken in one by one. Pivots are in the first `columns`; what stands behind them is
 * carried along. */
typedef struct nh_echelon {
    size_t columns, width, rank;
    uint64_t **rows; /* by the column of their pivot, which is 1; NULL: none */
    void *sums;      /* room for a row */
} nh_echelon;

nh_echelon *nh_echelon_new(nh_arena *, size_t columns, size_t width);

/* True: it is kept (a pointer to it), being independent of the others. False: its first `columns` are 0 now, and what stands
 * behind them is by how much it contradicts the others. */
bool nh_echelon_add(nh_echelon *, uint64_t *row);

/* The vector x of the null space with 1 at a column without pivot, and 0 at the others of that kind; columns of them. */
void nh_echelon_null(const nh_echelon *, size_t without, uint64_t *x);

/* sum_j x_j row_j = row_(columns + k) in every row, with 0 for columns without pivot. */
void nh_echelon_solve(const nh_echelon *, size_t k, uint64_t *x);

/* ---------------------------------------------------------------- text */

/* A product as a person orders it: number * base^exponent * ...; a sum as a list of such products. */
typedef struct nh_factor {
    nh_expr base;
    int64_t exponent;
} nh_factor;

typedef struct nh_product {
    nh_rational number;
    nh_factor *factors;
    size_t count;
} nh_product;

typedef struct nh_sum {
    nh_product *terms;
    size_t count;
} nh_sum;

nh_product nh_product_of(const nh_pool *, nh_arena *, nh_expr e);
nh_sum nh_sum_of(const nh_pool *, nh_arena *, nh_expr e);

/* Names prefix1, prefix2, ... that no symbol has, and that are not among the others, if there are any, for what the roots share, each defined from earlier ones, and the roots in those names. */
typedef struct nh_definition {
    nh_expr symbol, value;
} nh_definition;

typedef struct nh_shared {
    nh_definition *definitions;
    size_t count, capacity;
    nh_expr *roots;
} nh_shared;

nh_shared nh_share(nh_pool *, nh_arena *, const nh_expr *roots, size_t count, const char *prefix,
                   const nh_map *others);

/* corner.c: node is sqrt(u^(2 k)): u and k. */
bool nh_is_root_of_power(const nh_pool *, nh_expr node, nh_expr *u, int64_t *k);
/* u, where the node is a function with a corner at u = 0; NH_EXPR_NONE: it is none. */
nh_expr nh_corner_argument(nh_pool *, nh_expr node);
/* The smooth function that it is where u is positive, or negative; image: by handle, of what it depends on. */
nh_expr nh_side_of_corner(nh_pool *, nh_expr node, const nh_expr *image, bool positive);
/* What changes its sign where e may jump: functions of these n variables, the first symbols having signs; how many. */
size_t nh_find_jumps(nh_pool *, nh_arena *, nh_arena *scratch, nh_expr e, const nh_expr *variables, size_t n,
                     const signed char *signs, size_t known, nh_expr **places);

/* corner.c: the arguments u of the corners in expressions, the first of them where there are many, and their derivatives by what may be moved. */
enum { NH_MOST_CORNERS = 6, NH_CORNER_PLACES = 6 };

typedef struct nh_corners {
    nh_pool *pool;
    nh_arena *scratch;
    nh_walk walk; /* of the expressions */
    nh_expr arguments[NH_MOST_CORNERS], *slopes;
    size_t n;
    const nh_expr *symbols;
    size_t n_symbols;
} nh_corners;

nh_corners nh_corners_of(nh_pool *, nh_arena *, nh_arena *scratch, const nh_expr *e, size_t count,
                         const nh_expr *symbols, size_t n_symbols);
/* Of u, or -u, among the arguments; n: it is none. */
size_t nh_corner_number(const nh_corners *, nh_expr u);
/* 0 within rounding is 0. */
double nh_corner_value(const nh_corners *, size_t argument, const double *values);
/* Moves a state, by symbol, to one of the places on both sides of a corner, near and far. */
void nh_corner_go_to(const nh_corners *, size_t argument, size_t place, double *values);

/* In the model language, fully parenthesised where needed and not more. Stops after limit bytes with "..."; 0:
 * no limit. */
void nh_expr_print(nh_text *, const nh_pool *, nh_expr e, size_t limit);

#endif
