/* Expressions as straight-line text, for programs that are compared with one another:
 *
 *     symbol m first +          a symbol, where it stands in a product, and its sign: + - 0 (either)
 *     k1 = sin(theta)           whatever is used more than once has a name; all of these begin with k
 *     G11 = m + J*k1^2          what is asked for
 */
#ifndef NH_BENCH_STRAIGHT_H
#define NH_BENCH_STRAIGHT_H

#include "expr/expr.h"

#include <stdio.h>

/* Ends the program with a message. */
noreturn void straight_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A whole file; freed by free. */
char *straight_load(const char *path, size_t *length);

/* ---------------------------------------------------------------- writing */

/* The names of the roots are not taken by symbols. signs[] by symbol. */
void straight_write(FILE *out, nh_pool *pool, nh_arena *scratch, const signed char *signs,
                    const nh_expr *roots, const char *const *names, size_t count);

/* ---------------------------------------------------------------- reading */

typedef struct straight {
    nh_arena *arena;
    nh_pool *pool;
    signed char *signs; /* by symbol */
    size_t n_signs, signs_capacity;
    nh_map names;   /* of symbols and definitions: handles */
    nh_expr *roots; /* what is asked for, in order */
    size_t count, roots_capacity;
    const char **root_names; /* as many */
    size_t n_names, names_capacity;
} straight;

/* From text into an empty pool; path is for messages. */
void straight_read(straight *, nh_arena *arena, nh_pool *pool, const char *path, const char *text,
                   size_t length);

/* More definitions, with the symbols that are there: replaces roots. */
void straight_read_more(straight *, const char *path, const char *text, size_t length);

#endif
