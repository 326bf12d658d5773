/* Parameters whose values are formulas in others: M = 2 m holds for all m, whatever the value of m is now. A parameter that is 0 is no symbol: what is
 * divided by it has no value. Where a formula is 0, as m1 - m2 for equal masses, it is so for the values that its parameters have: these are fixed with it. */
#include "model/model.h"

#include <math.h>
#include <string.h>

static uint32_t index_of(const nh_pool *pool, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(pool, symbol, &index);
    return index;
}

static bool is_formula(const nh_pool *pool, nh_arena *scratch, nh_expr value)
{
    bool any = false;
    nh_arena_mark mark = nh_arena_here(scratch);
    bool *depends = nh_arena_array(scratch, pool->n_symbols + 1, sizeof *depends);
    if (value)
        nh_find_symbols(pool, scratch, &value, 1, depends);
    for (size_t i = 0; i < pool->n_symbols; i++)
        any = any || depends[i];
    nh_arena_release(scratch, mark);
    return any;
}

/* Formulas in formulas; values that are none, 1/(a - b) with b = a, stay as they are. */
static void resolve(nh_formulas *f, nh_pool *pool, nh_arena *arena)
{
    nh_expr *next = nh_arena_array(arena, f->count + 1, sizeof *next);
    bool news = true;
    for (size_t pass = 1; pass < f->count && news; pass++) {
        nh_substitute(pool, arena, f->values, f->count, f->symbols, f->values, f->count, next);
        news = false;
        for (size_t i = 0; i < f->count; i++) {
            news = news || (next[i] && next[i] != f->values[i]);
            f->values[i] = next[i] ? next[i] : f->values[i];
        }
    }
}

static bool is_among(nh_expr symbol, const nh_expr *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (symbols[i] == symbol)
            return true;
    return false;
}

static void fix(nh_formulas *f, nh_expr symbol, nh_expr value)
{
    if (!is_among(symbol, f->fixed, f->n_fixed))
        f->fixed[f->n_fixed] = symbol, f->fixed_values[f->n_fixed++] = value;
}

/* What the formula is made of; parameters without values are in none that is 0. */
static void fix_parts(nh_formulas *f, const nh_model *model, nh_pool *pool, nh_arena *arena, nh_expr formula)
{
    bool *depends = nh_arena_array(arena, pool->n_symbols + 1, sizeof *depends);
    nh_find_symbols(pool, arena, &formula, 1, depends);
    for (size_t i = 0; i < model->n_parameters; i++) {
        const nh_parameter *p = &model->parameters[i];
        if (depends[index_of(pool, p->symbol)] && p->value && !is_among(p->symbol, f->symbols, f->count))
            fix(f, p->symbol, p->value);
    }
}

static void find_fixed(nh_formulas *f, const nh_model *model, const signed char *signs, nh_pool *pool,
                       nh_arena *arena)
{
    f->fixed = nh_arena_array(arena, model->n_parameters + 1, sizeof *f->fixed);
    f->fixed_values = nh_arena_array(arena, model->n_parameters + 1, sizeof *f->fixed_values);
    for (size_t i = 0; i < model->n_parameters; i++)
        if (signs[index_of(pool, model->parameters[i].symbol)] == 0)
            fix(f, model->parameters[i].symbol, pool->zero);
    nh_expr *left = nh_arena_array(arena, f->count + 1, sizeof *left);
    nh_substitute(pool, arena, f->values, f->count, f->fixed, f->fixed_values, f->n_fixed, left);
    for (size_t i = 0; i < f->count; i++) /* 3 e is 0 because e is, whatever else there is in it */
        if (left[i] && left[i] != pool->zero && signs[index_of(pool, f->symbols[i])] == 0)
            fix_parts(f, model, pool, arena, left[i]);
}

nh_formulas nh_model_formulas(const nh_model *model, const signed char *signs, nh_pool *pool, nh_arena *arena)
{
    size_t n = model->n_parameters;
    nh_formulas f = {.symbols = nh_arena_array(arena, n + 1, sizeof *f.symbols),
                     .values = nh_arena_array(arena, n + 1, sizeof *f.values)};
    for (size_t i = 0; i < n; i++)
        if (is_formula(pool, arena, model->parameters[i].value)) {
            f.symbols[f.count] = model->parameters[i].symbol;
            f.values[f.count++] = model->parameters[i].value;
        }
    resolve(&f, pool, arena);
    find_fixed(&f, model, signs, pool, arena);
    return f;
}

static void put(nh_pool *pool, nh_arena *scratch, const nh_expr *e, size_t count, const nh_expr *symbols,
                const nh_expr *values, size_t n, nh_expr *out)
{
    if (n)
        nh_substitute(pool, scratch, e, count, symbols, values, n, out);
    else if (out != e)
        memcpy(out, e, count * sizeof *out);
}

void nh_put_formulas(const nh_formulas *f, nh_pool *pool, nh_arena *scratch, const nh_expr *e, size_t count,
                     nh_expr *out)
{
    put(pool, scratch, e, count, f->symbols, f->values, f->count, out);
}

void nh_put_fixed(const nh_formulas *f, nh_pool *pool, nh_arena *scratch, const nh_expr *e, size_t count,
                  nh_expr *out)
{
    put(pool, scratch, e, count, f->fixed, f->fixed_values, f->n_fixed, out);
}

void nh_put_known(const nh_formulas *f, nh_pool *pool, nh_arena *scratch, const nh_expr *e, size_t count,
                  nh_expr *out)
{
    nh_put_fixed(f, pool, scratch, e, count, out);
    nh_put_formulas(f, pool, scratch, out, count, out);
    nh_put_fixed(f, pool, scratch, out, count, out);
}

/* ---------------------------------------------------------------- values that obey */

typedef struct drawing {
    const nh_model *model;
    const nh_formulas *f;
    const signed char *signs;
    nh_arena *scratch;
    double *values;        /* by symbol */
    double *own, *numbers; /* by symbol: the model's own; by parameter: what was drawn */
} drawing;

static void put_fixed_numbers(drawing *d)
{
    const nh_pool *pool = &d->model->pool;
    double *out = nh_arena_array(d->scratch, d->f->n_fixed + 1, sizeof *out);
    nh_evaluate(pool, d->scratch, d->f->fixed_values, d->f->n_fixed, d->values, out, NULL);
    for (size_t i = 0; i < d->f->n_fixed; i++)
        d->values[index_of(pool, d->f->fixed[i])] = out[i];
}

/* Formulas have the values that follow from the other parameters. False: one of them has none, or another sign than its own. */
static bool obeys(drawing *d)
{
    const nh_pool *pool = &d->model->pool;
    put_fixed_numbers(d);
    double *out = nh_arena_array(d->scratch, d->f->count + 1, sizeof *out);
    bool fits = true;
    nh_evaluate(pool, d->scratch, d->f->values, d->f->count, d->values, out, NULL);
    for (size_t i = 0; i < d->f->count; i++) {
        uint32_t index = index_of(pool, d->f->symbols[i]);
        d->values[index] = out[i];
        fits = fits && isfinite(out[i]) && (d->signs[index] == 0 || out[i] * d->signs[index] > 0);
    }
    put_fixed_numbers(d); /* without rounding */
    return fits;
}

/* What was drawn, closer to the model's own values: v (1 + part (2 |x| - 3/2)), |x| in [1/4, 5/4]. */
static void come_closer(drawing *d, double part)
{
    for (size_t i = 0; i < d->model->n_parameters; i++) {
        uint32_t index = index_of(&d->model->pool, d->model->parameters[i].symbol);
        double away = fmax(-1, fmin(2 * fabs(d->numbers[i]) - 1.5, 1));
        d->values[index] = isfinite(d->own[index]) ? d->own[index] * (1 + part * away) : d->numbers[i];
    }
}

void nh_obey_formulas(const nh_model *model, const nh_formulas *f, const signed char *signs,
                      nh_arena *scratch, double *values)
{
    nh_arena_mark mark = nh_arena_here(scratch);
    drawing d = {model, f, signs, scratch, values, NULL, NULL};
    if ((f->count || f->n_fixed) && !obeys(&d)) {
        d.own = nh_arena_array(scratch, model->pool.n_symbols + 1, sizeof *d.own);
        d.numbers = nh_arena_array(scratch, model->n_parameters + 1, sizeof *d.numbers);
        nh_model_parameter_values(model, scratch, d.own);
        for (size_t i = 0; i < model->n_parameters; i++)
            d.numbers[i] = values[index_of(&model->pool, model->parameters[i].symbol)];
        double part = 0.5;
        for (come_closer(&d, part); !obeys(&d) && part > 0; come_closer(&d, part))
            part = part > 1e-3 ? part / 2 : 0;
    }
    nh_arena_release(scratch, mark);
}
