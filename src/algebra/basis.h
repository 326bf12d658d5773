/* Inside algebra/: what an expression is a fraction of.
 *
 * Generators stand for whatever is not a sum, product or whole power: symbols; sines and cosines of angles; the
 * same for hyperbolic functions; exponentials; roots; other functions as they are. The argument of a sine is taken
 * apart into rational multiples of atoms (symbols, or products such as omega*t); an angle of the basis is the common
 * divisor of the multiples of an atom, or a difference of such. */
#ifndef NH_ALGEBRA_BASIS_H
#define NH_ALGEBRA_BASIS_H

#include "algebra/length.h"

typedef enum nh_generator_kind {
    NH_GENERATOR_ROOT, /* k^q = u */
    NH_GENERATOR_ABS,  /* k^2 = u^2 */
    NH_GENERATOR_SIN,
    NH_GENERATOR_COS,
    NH_GENERATOR_SINH,
    NH_GENERATOR_COSH,
    NH_GENERATOR_EXP,
    NH_GENERATOR_OTHER, /* a function of which nothing is used */
    NH_GENERATOR_SYMBOL,
} nh_generator_kind;

typedef struct nh_generator {
    nh_generator_kind kind;
    nh_expr e;        /* how it is written */
    size_t circle;    /* of sines, cosines, hyperbolic functions and exponentials: which one */
    int64_t q;        /* of a root */
    nh_expr under;    /* of a square root of a symbol or of a prime: that; otherwise NH_EXPR_NONE */
    signed char sign; /* of a symbol: +1, -1, 0 for either; +1 for roots, cosh and exp */
} nh_generator;

/* Multiples of one atom under trigonometric functions (or under hyperbolic ones and exponentials). */
typedef struct nh_circle {
    nh_expr atom;          /* NH_EXPR_NONE: a combination of several, see e */
    nh_expr e;             /* the angle of the basis as an expression */
    bool hyperbolic, pair; /* pair: sinh and cosh are needed, not exp alone */
    int64_t step, units;   /* the angle is step * atom / units */
    size_t sine, cosine;   /* generators; exp alone is in sine */
} nh_circle;

/* An argument in the angles of the basis. */
typedef struct nh_turns {
    nh_expr argument;
    bool hyperbolic;
    int64_t *times;   /* by circle */
    int64_t quarters; /* further quarter turns: multiples of pi/2 */
    int64_t twelfths; /* and further multiples of pi/12, 0 to 5 */
} nh_turns;

typedef struct nh_basis {
    nh_pool *pool;
    nh_arena *arena;
    const signed char *signs;
    nh_lengths *lengths; /* of the pool's expressions */
    nh_walk walk;        /* the nodes that have a form, operands first */
    size_t visits;       /* of parts of the argument that is being taken apart */
    nh_generator *generators;
    size_t n, capacity;
    nh_circle *circles;
    size_t n_circles, circles_capacity;
    nh_turns *turns;
    size_t n_turns, turns_capacity;
    uint32_t *generator_of; /* by handle: index + 1 of the generator that it is; 0: none */
    nh_expr root2, root3;   /* sqrt(2), sqrt(3), where multiples of pi/12 need them */
    size_t *simple_roots;   /* generators that are square roots of a positive symbol or a prime */
    size_t n_simple_roots, simple_roots_capacity;
    /* atoms with too many turns: of angles, of hyperbolic functions */
    nh_expr *wild[2];
    size_t n_wild[2], wild_capacity[2];
    int64_t most_turns;
    size_t *absolutes; /* generators that are absolute values of symbols */
    size_t n_absolutes, absolutes_capacity;
} nh_basis;

/* cos(n x) is a polynomial in cos(x) whose coefficients alternate and grow like (1 + sqrt(2))^n. With cos(187/100 x) beside
 * cos(x) it would be one of degree 187 in cos(x/100): right, and without a digit in numbers. So formulas that are to be
 * evaluated have few turns about an angle of the basis; what has more is apart, but for small whole multiples. */
enum { NH_FEW_TURNS = 6, NH_MANY_TURNS = 1 << 30 };

/* The basis for all of the roots. chained: differences of neighbouring angles instead of the angles, where there are
 * several. signs[] by symbol (NULL: either). */
void nh_basis_init(nh_basis *, nh_pool *, nh_arena *, const signed char *signs, const nh_expr *roots,
                   size_t count, bool chained, int64_t most_turns);

/* The operands whose forms a node's form is made of; returns how many. */
int nh_basis_parts(const nh_pool *, nh_node node, nh_expr parts[2]);

const nh_turns *nh_basis_turns(const nh_basis *, nh_expr argument, bool hyperbolic);

/* A sum of angles with equal ones taken together: a - b - b = a - 2*b. */
nh_expr nh_basis_collect(nh_basis *, nh_expr angle);

/* balance.c: another angle as the base, where there are long sums of angles. */
void nh_basis_balance(nh_basis *);

#endif
