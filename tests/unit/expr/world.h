/* What the tests of expr/ share: a pool, and trees. A tree is an expression as the tests see it, written down at
 * random or read from text; its value is found in long double without the library, and the library builds the
 * same expression from it. */
#ifndef NH_TESTS_EXPR_WORLD_H
#define NH_TESTS_EXPR_WORLD_H

#include "expr/expr.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---------------------------------------------------------------- the world of a test */

enum { SYMBOLS = 6 };
static const char symbol_names[SYMBOLS + 1] = "xyzuvw";

typedef struct world {
    nh_heap heap;
    nh_arena arena, scratch;
    nh_pool pool;
    nh_expr symbols[SYMBOLS];
    uint64_t seed;
} world;

static inline void world_begin(world *w, const nh_allocator *allocator, uint64_t seed)
{
    nh_heap_init(&w->heap, allocator, 0);
    nh_arena_init(&w->arena, &w->heap);
    nh_arena_init(&w->scratch, &w->heap);
    nh_pool_init(&w->pool, &w->arena);
    for (int i = 0; i < SYMBOLS; i++)
        w->symbols[i] = nh_symbol(&w->pool, (char[]){symbol_names[i], '\0'});
    w->seed = seed;
}

static inline void world_end(world *w)
{
    nh_pool_free(&w->pool);
    nh_arena_free(&w->scratch);
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
}

static inline int setup(void **state)
{
    world *w = malloc(sizeof *w);
    world_begin(w, NULL, 1);
    *state = w;
    return 0;
}

static inline int teardown(void **state)
{
    world_end(*state);
    free(*state);
    return 0;
}

/* An empty pool again, for tests that make many expressions. */
static inline void world_again(world *w)
{
    uint64_t seed = w->seed;
    world_end(w);
    world_begin(w, NULL, seed);
}

static inline uint64_t random_bits(world *w) { return nh_hash(w->seed += 0x9e3779b97f4a7c15u); }
static inline int random_below(world *w, int n) { return (int)(random_bits(w) % (uint64_t)n); }
static inline double random_unit(world *w) { return (double)(random_bits(w) >> 11) * 0x1p-53; }

/* A value for each symbol: [0.2, 2], of either sign. */
static inline void random_values(world *w, double values[SYMBOLS])
{
    for (int i = 0; i < SYMBOLS; i++) {
        double size = 0.2 + 1.8 * random_unit(w);
        values[i] = random_below(w, 2) ? -size : size;
    }
}

/* ---------------------------------------------------------------- trees */

/* '#' number n, 'p' pi, 's' symbol n, '+', '-', '*', '/' of a and b, '~' -a, '^' a to the n-th, 'r' a to the
 * b-th, 'f' function n of a (and b). The operands of an item come before it; the last item is the whole. */
typedef struct item {
    char op;
    int64_t n;
    int a, b;
    long double value; /* of a number, where n is too small for it */
} item;

enum { TREE_SIZE = 20000 };

typedef struct tree {
    item items[TREE_SIZE];
    long double values[TREE_SIZE];
    nh_expr built[TREE_SIZE];
    int count;
} tree;

static inline int tree_add(tree *t, item i)
{
    assert_in_range(t->count, 0, TREE_SIZE - 1);
    t->items[t->count] = i;
    return t->count++;
}

static inline int tree_integer(tree *t, int64_t n) { return tree_add(t, (item){.op = '#', .n = n, .value = n}); }

static inline int arity(int64_t function)
{
    return function == NH_FN_atan2 || function == NH_FN_min || function == NH_FN_max ? 2 : 1;
}

static inline nh_expr build_item(world *w, const tree *t, item i)
{
    nh_pool *p = &w->pool;
    nh_expr a = t->built[i.a], b = t->built[i.b];
    switch (i.op) {
    case '#': return nh_integer(p, i.n);
    case 'p': return p->pi;
    case 's': return w->symbols[i.n];
    case '+': return nh_add(p, a, b);
    case '-': return nh_sub(p, a, b);
    case '*': return nh_mul(p, a, b);
    case '/': return nh_div(p, a, b);
    case '~': return nh_neg(p, a);
    case '^': return nh_power(p, a, i.n);
    case 'r': return nh_pow(p, a, b);
    default: return nh_call(p, (nh_function)i.n, a, arity(i.n) == 2 ? b : NH_EXPR_NONE);
    }
}

typedef struct building {
    world *w;
    tree *t;
} building;

static inline void build_items(void *arg)
{
    building *b = arg;
    for (int i = 0; i < b->t->count; i++)
        b->t->built[i] = build_item(b->w, b->t, b->t->items[i]);
}

/* NH_EXPR_NONE also where a number became too long. */
static inline nh_expr tree_build(world *w, tree *t)
{
    memset(t->built, 0, (size_t)t->count * sizeof *t->built);
    nh_status status = nh_heap_try(&w->heap, build_items, &(building){w, t});
    assert_true(status == NH_OK || status == NH_ERROR_NUMBER_SIZE);
    return t->built[t->count - 1];
}

/* ---------------------------------------------------------------- values */

static inline long double function_value(int64_t function, long double x, long double y)
{
    switch ((nh_function)function) {
    case NH_FN_sin: return sinl(x);
    case NH_FN_cos: return cosl(x);
    case NH_FN_tan: return tanl(x);
    case NH_FN_asin: return asinl(x);
    case NH_FN_acos: return acosl(x);
    case NH_FN_atan: return atanl(x);
    case NH_FN_atan2: return atan2l(x, y);
    case NH_FN_sinh: return sinhl(x);
    case NH_FN_cosh: return coshl(x);
    case NH_FN_tanh: return tanhl(x);
    case NH_FN_exp: return expl(x);
    case NH_FN_log: return logl(x);
    case NH_FN_sqrt: return sqrtl(x);
    case NH_FN_abs: return fabsl(x);
    case NH_FN_sign: return isnan(x) ? x : (long double)((x > 0) - (x < 0));
    case NH_FN_min: return isnan(x) || isnan(y) ? x + y : x < y ? x : y;
    case NH_FN_max: return isnan(x) || isnan(y) ? x + y : x > y ? x : y;
    case NH_FN_COUNT: break;
    }
    return NAN;
}

static inline long double item_value(const tree *t, item i, const long double *symbols)
{
    long double a = t->values[i.a], b = t->values[i.b];
    switch (i.op) {
    case '#': return i.value;
    case 'p': return 3.14159265358979323846264338327950288L;
    case 's': return symbols[i.n];
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    case '~': return -a;
    case '^': return powl(a, (long double)i.n);
    case 'r': return powl(a, b);
    default: return function_value(i.n, a, b);
    }
}

static inline long double tree_value(tree *t, const long double *symbols)
{
    for (int i = 0; i < t->count; i++)
        t->values[i] = item_value(t, t->items[i], symbols);
    return t->values[t->count - 1];
}

/* Whether a call is far from where its function has a corner, a pole or an end. */
static inline bool tame_call(int64_t function, long double x, long double y)
{
    const long double little = 0.01L;
    switch ((nh_function)function) {
    case NH_FN_tan: return fabsl(cosl(x)) > little;
    case NH_FN_asin:
    case NH_FN_acos: return fabsl(x) < 1 - little;
    case NH_FN_atan2: return hypotl(x, y) > little && (y > 0 || fabsl(x) > little);
    case NH_FN_log:
    case NH_FN_sqrt: return x > little;
    case NH_FN_abs:
    case NH_FN_sign: return fabsl(x) > little;
    case NH_FN_min:
    case NH_FN_max: return fabsl(x - y) > little;
    default: return fabsl(x) < 20;
    }
}

static inline bool tame_item(const tree *t, const item *i)
{
    long double a = t->values[i->a], b = t->values[i->b], value = t->values[i - t->items];
    if (!(fabsl(value) < 1e4L))
        return false;
    switch (i->op) {
    case '+':
    case '-': return fabsl(value) > 1e-3L * (fabsl(a) + fabsl(b));
    case '/': return fabsl(b) > 0.01L;
    case '^': return fabsl(a) > 0.01L;
    case 'r': return a > 0.01L;
    case 'f': return tame_call(i->n, a, b);
    default: return true;
    }
}

/* Whether the value is well conditioned: no cancellation, no pole, no corner near. After tree_value. */
static inline bool tree_is_tame(const tree *t)
{
    for (int i = 0; i < t->count; i++)
        if (!tame_item(t, &t->items[i]))
            return false;
    return true;
}

static inline long double tree_value_at(tree *t, const double values[SYMBOLS])
{
    long double wide[SYMBOLS];
    for (int i = 0; i < SYMBOLS; i++)
        wide[i] = values[i];
    return tree_value(t, wide);
}

/* A rational to about 100 bits. */
static inline long double wide_number(nh_rational r)
{
    if (!r.big)
        return (long double)r.num / (long double)r.den;
    mpq_t high, rest;
    mpq_inits(high, rest, NULL);
    double first = mpq_get_d(r.big);
    long double value = first;
    if (isfinite(first)) {
        mpq_set_d(high, first);
        mpq_sub(rest, r.big, high);
        value += mpq_get_d(rest);
    }
    mpq_clears(high, rest, NULL);
    return value;
}

/* The values of all nodes up to e, in long double; freed by the caller. */
static inline long double *wide_values(const nh_pool *p, nh_expr e, const double *symbols)
{
    long double *v = malloc(((size_t)e + 1) * sizeof *v);
    v[0] = NAN;
    for (nh_expr i = 1; i <= e; i++) {
        nh_node node = nh_get(p, i);
        switch ((nh_kind)node.kind) {
        case NH_NUMBER: v[i] = wide_number(p->rationals[node.a]); break;
        case NH_SYMBOL: v[i] = node.a < SYMBOLS ? symbols[node.a] : NAN; break;
        case NH_PI: v[i] = 3.14159265358979323846264338327950288L; break;
        case NH_ADD: v[i] = v[node.a] + v[node.b]; break;
        case NH_MUL: v[i] = v[node.a] * v[node.b]; break;
        case NH_POW: v[i] = powl(v[node.a], v[node.b]); break;
        case NH_CALL: v[i] = function_value(node.function, v[node.a], v[node.b]); break;
        case NH_NONE:
        case NH_MATRIX: /* the tests of linear systems have a truth of their own */
        case NH_SOLVE:
        case NH_COMPONENT: v[i] = NAN; break;
        }
    }
    return v;
}

static inline long double wide_value(const nh_pool *p, nh_expr e, const double *symbols)
{
    long double *v = wide_values(p, e, symbols), value = v[e];
    free(v);
    return value;
}

static inline bool close_to(long double a, long double b, long double relative)
{
    return fabsl(a - b) <= relative * (1 + fabsl(a) + fabsl(b));
}

/* ---------------------------------------------------------------- random trees */

static inline void random_leaf(world *w, tree *t)
{
    int kind = random_below(w, 16);
    if (kind == 0)
        tree_add(t, (item){.op = 'p'});
    else if (kind < 4)
        tree_integer(t, random_below(w, 11) - 5);
    else
        tree_add(t, (item){.op = 's', .n = random_below(w, SYMBOLS)});
}

static inline void random_operation(world *w, tree *t)
{
    static const char operations[] = "++--***//~^^rffffffff";
    item i = {.op = operations[random_below(w, sizeof operations - 1)]};
    i.a = random_below(w, t->count), i.b = random_below(w, t->count);
    i.n = i.op == '^' ? random_below(w, 8) - 3 : random_below(w, NH_FN_COUNT);
    tree_add(t, i);
}

/* So many leaves, and so many operations on what is there. */
static inline void random_tree(world *w, tree *t, int leaves, int operations)
{
    t->count = 0;
    for (int i = 0; i < leaves; i++)
        random_leaf(w, t);
    for (int i = 0; i < operations; i++)
        random_operation(w, t);
}

/* A tree and a point at which it is tame. */
static inline long double random_tame_tree(world *w, tree *t, int leaves, int operations, double values[SYMBOLS])
{
    for (;;) {
        random_tree(w, t, leaves, operations);
        random_values(w, values);
        long double value = tree_value_at(t, values);
        if (tree_is_tame(t))
            return value;
    }
}

/* ---------------------------------------------------------------- trees from text */

typedef struct reader {
    tree *t;
    const char *at;
} reader;

static inline int read_sum(reader *r);

static inline void skip_space(reader *r) { r->at += strspn(r->at, " "); }

static inline bool accept(reader *r, char c)
{
    skip_space(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static inline void expect_char(reader *r, char c)
{
    if (!accept(r, c))
        fail_msg("'%c' expected before: %.60s", c, r->at);
}

static inline int read_digits(reader *r)
{
    char *end;
    int64_t n = strtoll(r->at, &end, 10);
    item number = {.op = '#', .n = n, .value = strtold(r->at, NULL)};
    assert_true(strspn(r->at, "0123456789") == (size_t)(end - r->at));
    r->at = end;
    return tree_add(r->t, number);
}

static inline int read_call(reader *r, nh_slice name)
{
    nh_function function;
    if (!nh_function_find(name, &function))
        fail_msg("no such function: %.*s", (int)name.length, name.data);
    item call = {.op = 'f', .n = function};
    call.a = call.b = read_sum(r);
    if (arity(function) == 2) {
        expect_char(r, ',');
        call.b = read_sum(r);
    }
    expect_char(r, ')');
    return tree_add(r->t, call);
}

static inline int read_name(reader *r)
{
    nh_slice name = {r->at, 0};
    while (isalnum((unsigned char)r->at[name.length]))
        name.length++;
    r->at += name.length;
    if (accept(r, '('))
        return read_call(r, name);
    if (nh_slice_is(name, "pi"))
        return tree_add(r->t, (item){.op = 'p'});
    const char *place = name.length == 1 ? strchr(symbol_names, *name.data) : NULL;
    if (!place)
        fail_msg("no such name: %.*s", (int)name.length, name.data);
    return tree_add(r->t, (item){.op = 's', .n = place - symbol_names});
}

static inline int read_primary(reader *r)
{
    if (accept(r, '(')) {
        int inside = read_sum(r);
        expect_char(r, ')');
        return inside;
    }
    if (isdigit((unsigned char)*r->at))
        return read_digits(r);
    if (isalpha((unsigned char)*r->at))
        return read_name(r);
    fail_msg("an operand expected before: %.60s", r->at);
    return 0;
}

static inline int read_signed(reader *r)
{
    if (accept(r, '-')) {
        int a = read_signed(r);
        return tree_add(r->t, (item){.op = '~', .a = a});
    }
    int base = read_primary(r);
    if (!accept(r, '^'))
        return base;
    int exponent = read_signed(r);
    return tree_add(r->t, (item){.op = 'r', .a = base, .b = exponent});
}

static inline int read_product(reader *r)
{
    int left = read_signed(r);
    for (;;) {
        char op = accept(r, '*') ? '*' : accept(r, '/') ? '/' : '\0';
        if (!op)
            return left;
        int right = read_signed(r);
        left = tree_add(r->t, (item){.op = op, .a = left, .b = right});
    }
}

static inline int read_sum(reader *r)
{
    bool minus = accept(r, '-');
    int left = read_product(r);
    if (minus)
        left = tree_add(r->t, (item){.op = '~', .a = left});
    for (;;) {
        char op = accept(r, '+') ? '+' : accept(r, '-') ? '-' : '\0';
        if (!op)
            return left;
        int right = read_product(r);
        left = tree_add(r->t, (item){.op = op, .a = left, .b = right});
    }
}

static inline void tree_read(tree *t, const char *text)
{
    t->count = 0;
    reader r = {t, text};
    read_sum(&r);
    skip_space(&r);
    if (*r.at)
        fail_msg("the end expected before: %.60s", r.at);
}

/* The expression of a text. */
static inline nh_expr read_expr(world *w, const char *text)
{
    static tree t;
    tree_read(&t, text);
    return tree_build(w, &t);
}

#endif
