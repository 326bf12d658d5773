/* What the tests of model/ share: a model read from a text, and its expressions evaluated at random states. */
#ifndef NH_TESTS_MODEL_WORLD_H
#define NH_TESTS_MODEL_WORLD_H

#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    nh_context *context;
    nh_model *model;
    nh_arena scratch;
    double *values; /* by symbol */
    uint64_t seed;
} world;

/* ---------------------------------------------------------------- reading */

static inline int setup(void **state)
{
    world *w = calloc(1, sizeof *w);
    w->context = nh_context_new(NULL);
    nh_arena_init(&w->scratch, &w->context->heap);
    w->seed = 1;
    *state = w;
    return 0;
}

static inline void world_forget(world *w)
{
    free(w->values);
    nh_model_free(w->model);
    w->model = NULL, w->values = NULL;
}

static inline int teardown(void **state)
{
    world *w = *state;
    world_forget(w);
    nh_arena_free(&w->scratch);
    nh_context_free(w->context);
    free(w);
    return 0;
}

static inline nh_status world_try(world *w, const char *text, const char *set, const char *start)
{
    world_forget(w);
    nh_model_source source = {.name = "m", .text = text, .length = strlen(text), .set = set, .start = start};
    nh_status status = nh_model_read(w->context, &source, &w->model);
    assert_int_equal(status == NH_OK, w->model != NULL);
    if (w->model)
        w->values = calloc(w->model->pool.n_symbols, sizeof *w->values);
    return status;
}

static inline void world_show(const world *w, const char *text)
{
    print_message("%s\n", text);
    for (size_t i = 0; i < nh_message_count(w->context); i++)
        print_message("%s", nh_message_text(w->context, i));
}

static inline void world_read_with(world *w, const char *text, const char *set, const char *start)
{
    nh_status status = world_try(w, text, set, start);
    if (status != NH_OK || nh_message_count(w->context) > 0)
        world_show(w, text);
    assert_int_equal(status, NH_OK);
    assert_int_equal(nh_message_count(w->context), 0);
}

/* A model that is read without any message. */
static inline void world_read(world *w, const char *text) { world_read_with(w, text, NULL, NULL); }

/* Whether message i is of this severity, in this line of this file, and contains these words. */
static inline bool world_says(const world *w, size_t i, nh_severity severity, const char *file, size_t line,
                              const char *words)
{
    nh_message m = nh_message_get(w->context, i);
    return i < nh_message_count(w->context) && m.severity == severity && strcmp(m.file, file) == 0 &&
           m.line == line && (strstr(m.message, words) || (m.hint && strstr(m.hint, words)));
}

static inline void world_refuse_with(world *w, const char *text, const char *set, const char *start,
                                     const char *file, size_t line, const char *words)
{
    bool found = false;
    assert_int_equal(world_try(w, text, set, start), NH_ERROR_MODEL);
    for (size_t i = 0; i < nh_message_count(w->context); i++)
        found = found || world_says(w, i, NH_ERROR, file, line, words);
    if (!found)
        world_show(w, text);
    assert_true(found);
}

/* A model that is refused, with an error in this line that contains these words. */
static inline void world_refuse(world *w, const char *text, size_t line, const char *words)
{
    world_refuse_with(w, text, NULL, NULL, "m", line, words);
}

/* ---------------------------------------------------------------- values */

static inline double world_random(world *w) /* in [1/4, 5/4) */
{
    w->seed += 0x9e3779b97f4a7c15u;
    return 0.25 + (double)(nh_hash(w->seed) >> 12) * 0x1p-52;
}

/* A random state: parameters positive, everything else of either sign. */
static inline void world_draw(world *w)
{
    for (size_t i = 0; i < w->model->pool.n_symbols; i++) {
        bool negative = w->model->roles[i].role != NH_ROLE_PARAMETER && world_random(w) < 0.75;
        w->values[i] = negative ? -world_random(w) : world_random(w);
    }
}

/* The value of a symbol: "x", "x'", "m", "t". */
static inline double *world_slot(world *w, const char *name)
{
    for (uint32_t i = 0; i < w->model->pool.n_symbols; i++)
        if (strcmp(nh_symbol_name(&w->model->pool, i), name) == 0)
            return &w->values[i];
    fail_msg("there is no symbol %s", name);
    return NULL;
}

static inline double at(world *w, const char *name) { return *world_slot(w, name); }

static inline double world_value(world *w, nh_expr e)
{
    double value;
    nh_evaluate(&w->model->pool, &w->scratch, &e, 1, w->values, &value, NULL);
    return value;
}

/* Close, relative to the numbers or to 1. */
static inline void assert_near(double value, double expected)
{
    double size = fmax(1, fmax(fabs(value), fabs(expected)));
    if (!(fabs(value - expected) <= 1e-12 * size))
        fail_msg("%.17g is not %.17g", value, expected);
}

static inline double force_on(world *w, size_t i) { return world_value(w, w->model->coordinates[i].force); }

/* The observed value or the integral of this name, at the state drawn. */
static inline double observed(world *w, const char *name)
{
    const nh_model *model = w->model;
    for (size_t i = 0; i < model->n_observed; i++)
        if (strcmp(model->observed[i].name, name) == 0)
            return world_value(w, model->observed[i].value);
    for (size_t i = 0; i < model->n_integrals; i++)
        if (strcmp(model->integrals[i].name, name) == 0)
            return world_value(w, model->integrals[i].value);
    fail_msg("nothing is called %s", name);
    return 0;
}

/* Whether an expression is the number p/q, exactly. */
static inline bool is_exactly(const nh_model *model, nh_expr e, int64_t p, int64_t q)
{
    nh_rational value;
    return nh_is_number(&model->pool, e, &value) && !value.big && value.num == p && value.den == q;
}

enum { STATES = 5 }; /* random states in each comparison */

#endif
