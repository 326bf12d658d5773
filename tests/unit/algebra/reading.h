/* What the tests of algebra/ share: a pool with an algebra on it, expressions from text, and random numbers. Names
 * that begin with a capital letter or with m are parameters, which are positive; others may have either sign. Include
 * it before cmocka.h. */
#ifndef NH_TESTS_ALGEBRA_READING_H
#define NH_TESTS_ALGEBRA_READING_H

#include "algebra/algebra.h"
#include "lang/lang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_SYMBOLS = 64 };

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    nh_pool pool;
    nh_algebra algebra;
    nh_map names; /* to symbols, by index */
    signed char signs[MOST_SYMBOLS];
    uint64_t seed;
} world;

static inline void world_begin(world *w, const nh_budget *budget)
{
    *w = (world){.seed = 1};
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap);
    nh_pool_init(&w->pool, &w->arena);
    nh_map_init(&w->names, &w->arena);
    nh_algebra_init(&w->algebra, &w->pool, budget, w->signs);
}

static inline void world_end(world *w)
{
    nh_algebra_free(&w->algebra);
    nh_pool_free(&w->pool);
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
}

/* An empty pool again, for tests that make many expressions. */
static inline void world_again(world *w)
{
    uint64_t seed = w->seed;
    nh_budget budget = w->algebra.budget;
    world_end(w);
    world_begin(w, &budget);
    w->seed = seed;
}

static inline int setup(void **state)
{
    world *w = malloc(sizeof *w);
    world_begin(w, NULL);
    *state = w;
    return 0;
}

static inline int teardown(void **state)
{
    world_end(*state);
    free(*state);
    return 0;
}

/* ---------------------------------------------------------------- text to expressions */

static inline nh_expr symbol_of(world *w, nh_slice name)
{
    uint32_t index = nh_map_get(&w->names, name);
    if (index != NH_MAP_NONE)
        return nh_symbol_at(&w->pool, index);
    const char *copy = nh_arena_copy(&w->arena, name.data, name.length);
    bool parameter = (copy[0] >= 'A' && copy[0] <= 'Z') || copy[0] == 'm', rate = copy[name.length - 1] == '\'';
    nh_placing placing = parameter ? NH_PLACED_FIRST : rate ? NH_PLACED_THIRD : NH_PLACED_SECOND;
    nh_expr e = nh_symbol_placed(&w->pool, copy, placing);
    assert_true(nh_is_symbol(&w->pool, e, &index) && index < MOST_SYMBOLS);
    w->signs[index] = parameter;
    nh_map_put(&w->names, (nh_slice){copy, name.length}, index);
    return e;
}

static inline nh_expr expr_of(world *w, const nh_source *source, const nh_ast *ast);

static inline nh_expr call_of(world *w, const nh_source *source, const nh_ast *ast)
{
    nh_function f;
    nh_slice name = nh_source_slice(source, ast->name);
    if (!nh_function_find(name, &f) || ast->count != (size_t)nh_function_get(f)->arity)
        fail_msg("no function of this name and so many arguments: %.*s", (int)name.length, name.data);
    nh_expr a = expr_of(w, source, ast->children[0]);
    return nh_call(&w->pool, f, a, ast->count > 1 ? expr_of(w, source, ast->children[1]) : NH_EXPR_NONE);
}

static inline nh_expr expr_of(world *w, const nh_source *source, const nh_ast *ast)
{
    nh_pool *pool = &w->pool;
    nh_slice name = nh_source_slice(source, ast->name);
    nh_expr e = ast->kind == NH_AST_PRODUCT ? pool->one : pool->zero;
    switch (ast->kind) {
    case NH_AST_NUMBER: return nh_number(pool, ast->number);
    case NH_AST_NAME: return nh_slice_is(name, "pi") ? pool->pi : symbol_of(w, name);
    case NH_AST_RATE: return symbol_of(w, nh_source_slice(source, ast->span));
    case NH_AST_CALL: return call_of(w, source, ast);
    case NH_AST_POWER: return nh_pow(pool, expr_of(w, source, ast->children[0]), expr_of(w, source, ast->children[1]));
    case NH_AST_SUM:
        for (size_t i = 0; i < ast->count; i++)
            e = (ast->operators[i] == '-' ? nh_sub : nh_add)(pool, e, expr_of(w, source, ast->children[i]));
        return e;
    case NH_AST_PRODUCT:
        for (size_t i = 0; i < ast->count; i++)
            e = (ast->operators[i] == '/' ? nh_div : nh_mul)(pool, e, expr_of(w, source, ast->children[i]));
        return e;
    default: fail_msg("not a scalar"); return NH_EXPR_NONE;
    }
}

static inline nh_expr read_expr(world *w, const char *text)
{
    nh_text line;
    nh_diagnostics diagnostics;
    nh_statement statement;
    nh_text_init(&line, &w->arena);
    nh_text_format(&line, "kinetic %s\n", text);
    nh_diagnostics_init(&diagnostics, &w->arena);
    const nh_source *source = nh_source_open(&w->arena, "test.nh", nh_text_get(&line), line.length, &diagnostics);
    if (!source || !nh_parser_next(nh_parser_new(&w->arena, &w->pool.numbers, source, &diagnostics), &statement) ||
        !statement.ok || diagnostics.errors)
        fail_msg("cannot be read: %s", text);
    return expr_of(w, source, statement.value);
}

static inline const char *text_of(world *w, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_expr_print(&text, &w->pool, e, 0);
    return nh_text_get(&text);
}

static inline nh_expr simplify(world *w, nh_expr e)
{
    nh_expr out = NH_EXPR_NONE;
    if (!nh_simplify(&w->algebra, &e, 1, &out))
        fail_msg("not simplified, because %s: %s", w->algebra.reason, text_of(w, e));
    return out;
}

/* ---------------------------------------------------------------- random numbers */

static inline uint64_t random_bits(world *w) { return nh_hash(w->seed += 0x9e3779b97f4a7c15u); }
static inline int random_below(world *w, int n) { return (int)(random_bits(w) % (uint64_t)n); }
static inline double random_unit(world *w) { return (double)(random_bits(w) >> 11) * 0x1p-53; }

/* A value for each symbol: in [0.2, 2], with its sign. */
static inline void random_values(world *w, double values[MOST_SYMBOLS])
{
    for (size_t i = 0; i < w->pool.n_symbols; i++) {
        double size = 0.2 + 1.8 * random_unit(w);
        values[i] = w->signs[i] == 0 && random_below(w, 2) ? -size : size;
    }
}

#endif
