/* Which functions are independent along the motions of the model itself: on the surface f^p(q, t) = 0, and on C, where there is no psi, with the
 * parameters that are 0 and those that are formulas in others. There F adds something to F_1, F_2, ... if
 *
 *     dF is no combination of dF_1, dF_2, ... and the df^p,
 *
 * which may be otherwise at states off the surface and for other parameters, where residues look. Here it is looked at in numbers, at several
 * states. */
#include "analyse/search.h"

#include <math.h>
#include <string.h>

enum { STATES = 8, ENOUGH = 2 };

/* Lengths beside those nearby that are 0, and what is left of a row of length 1 that depends on others. */
static const double NOTHING = 1e-7, LEFT = 1e-6, AWAY = 0.1;

/* ---------------------------------------------------------------- whether it makes a difference */

static bool is_formula(const nh_search *s, nh_expr value)
{
    bool *depends = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *depends), any = false;
    if (value)
        nh_find_symbols(s->pool, nh_search_scratch(s), &value, 1, depends);
    for (size_t i = 0; i < s->pool->n_symbols; i++)
        any = any || depends[i];
    return any;
}

bool nh_search_is_special(const nh_search *s)
{
    const nh_model *model = s->eq->model;
    const signed char *signs = nh_model_signs(model, nh_search_scratch(s));
    bool special = !s->eq->first.psi && s->eq->r > 0;
    for (size_t a = 0; a < model->r; a++)
        special = special || model->constraints[a].position;
    for (size_t i = 0; i < model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(s->pool, model->parameters[i].symbol, &index);
        special = special || signs[index] == 0 || is_formula(s, model->parameters[i].value);
    }
    return special;
}

/* ---------------------------------------------------------------- gradients at a state */

/* Rows of `size`: the df^p, and dC^a, first. */
typedef struct rows {
    nh_search *s;
    size_t held, count, size;
    nh_expr *d;
    nh_evaluator *evaluator;
    double *at, *errors, *nearby, *basis;
    size_t rank;
} rows;

static rows rows_of(nh_search *s, const nh_expr *F, size_t count)
{
    const nh_equations *eq = s->eq;
    rows g = {.s = s, .size = s->size};
    nh_expr *all = nh_search_array(s, eq->model->r + eq->r + count);
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            all[g.held++] = eq->model->constraints[a].position;
    for (size_t a = 0; a < eq->r && !eq->first.psi; a++)
        all[g.held++] = eq->second.C[a];
    memcpy(all + g.held, F, count * sizeof *all);
    g.count = g.held + count;
    size_t entries = g.count * g.size;
    g.d = nh_search_array(s, entries);
    for (size_t i = 0; i < g.count; i++)
        nh_gradient(s->pool, nh_search_scratch(s), &all[i], NULL, 1, s->state, s->size, g.d + i * g.size);
    g.evaluator = nh_evaluator_new(s->pool, s->arena, g.d, entries);
    g.at = nh_arena_array(s->arena, entries + 1, sizeof *g.at);
    g.errors = nh_arena_array(s->arena, entries + 1, sizeof *g.errors);
    g.nearby = nh_arena_array(s->arena, entries + 1, sizeof *g.nearby);
    g.basis = nh_arena_array(s->arena, g.size * g.size + 1, sizeof *g.basis);
    return g;
}

static double length(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = hypot(sum, v[i]);
    return sum;
}

/* At the state, and at one beside it that is on no surface. False: not all of them are numbers there. */
static bool evaluate(rows *g, const double *state)
{
    nh_search *s = g->s;
    double *beside = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *beside);
    memcpy(beside, state, s->pool->n_symbols * sizeof *beside);
    for (size_t k = 0; k < s->size; k++) {
        uint32_t index = 0;
        nh_is_symbol(s->pool, s->state[k], &index);
        beside[index] += AWAY * ((double)(nh_hash(k + 1) >> 40) / (1 << 23) - 1);
    }
    nh_evaluator_at(g->evaluator, nh_search_scratch(s), beside, g->nearby, g->errors);
    nh_evaluator_at(g->evaluator, nh_search_scratch(s), state, g->at, g->errors);
    bool known = true;
    for (size_t i = 0; i < g->count * g->size; i++)
        known = known && isfinite(g->at[i]) && isfinite(g->errors[i]);
    return known;
}

/* A row that is 0 but for rounding, and for how far the state is from the surface, is none. */
static bool is_nothing(const rows *g, size_t i)
{
    double own = length(g->at + i * g->size, g->size), nearby = length(g->nearby + i * g->size, g->size);
    return own <= 10 * length(g->errors + i * g->size, g->size) ||
           (isfinite(nearby) && own <= NOTHING * nearby);
}

/* What is left of a row beside the orthonormal ones before it. True: it is one more of them. */
static bool adds(rows *g, size_t i)
{
    double *v = g->at + i * g->size, own = length(v, g->size);
    if (is_nothing(g, i) || g->rank == g->size)
        return false;
    for (size_t k = 0; k < g->size; k++)
        v[k] /= own;
    for (size_t turn = 0; turn < 2 * g->rank; turn++) { /* twice, for rounding */
        const double *b = g->basis + turn % g->rank * g->size;
        double along = 0;
        for (size_t k = 0; k < g->size; k++)
            along += b[k] * v[k];
        for (size_t k = 0; k < g->size; k++)
            v[k] -= along * b[k];
    }
    double left = length(v, g->size);
    for (size_t k = 0; k < g->size && left > LEFT; k++)
        g->basis[g->rank * g->size + k] = v[k] / left;
    g->rank += left > LEFT;
    return left > LEFT;
}

bool nh_search_ranks(nh_search *s, const nh_expr *F, size_t count, bool *new_ones, size_t *rank)
{
    rows g = rows_of(s, F, count);
    double *states[STATES];
    size_t found = nh_equations_states(s->eq, STATES, states), seen = 0,
           *times = nh_arena_array(s->arena, g.count + 1, sizeof *times);
    *rank = 0;
    for (size_t k = 0; k < found; k++) {
        if (!evaluate(&g, states[k]))
            continue;
        g.rank = 0, seen++;
        for (size_t i = 0; i < g.count; i++)
            times[i] += adds(&g, i);
        *rank = g.rank > *rank ? g.rank : *rank;
    }
    for (size_t i = 0; i < count && seen >= ENOUGH; i++)
        new_ones[i] = times[g.held + i] >= ENOUGH;
    return seen >= ENOUGH;
}
