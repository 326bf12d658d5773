/* What functions with corners are on either side of these: sqrt(x^2) - x is 0 at all x > 0, and where that is a coefficient the rank drops in a whole region,
 * of which the formula, not being 0, says nothing. So states are taken on the sides of each corner u = 0, near and far, and there the smooth functions of
 * these sides are put in the place of the others. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

enum { MOST_ARGUMENTS = 6, RANDOM_STATES = 16, STEPS = 20 };

/* Values of u that are gone to, from each of two states. */
static const double PLACES[] = {-0.1, 0.1, -5, 5, -300, 300};
enum { N_PLACES = sizeof PLACES / sizeof *PLACES, STATES_OF_ONE = 2 * N_PLACES };

typedef struct nh_sides {
    nh_judge *j;
    nh_walk walk;
    nh_expr arguments[MOST_ARGUMENTS], *slopes; /* slopes: by argument, then by symbol */
    size_t n;
    nh_expr *symbols; /* of the state */
    size_t n_symbols;
} nh_sides;

/* ---------------------------------------------------------------- the corners */

/* u and -u are one; MOST_ARGUMENTS: there are too many. */
static size_t number_of(const nh_sides *s, nh_expr u)
{
    nh_expr opposite = nh_neg(&s->j->eq->pool, u);
    for (size_t i = 0; i < s->n; i++)
        if (s->arguments[i] == u || s->arguments[i] == opposite)
            return i;
    return s->n;
}

static void find_arguments(nh_sides *s)
{
    for (size_t i = 0; i < s->walk.count; i++) {
        nh_expr u = nh_corner_argument(&s->j->eq->pool, s->walk.nodes[i]);
        size_t at = u ? number_of(s, u) : MOST_ARGUMENTS;
        if (u && at == s->n && at < MOST_ARGUMENTS)
            s->arguments[s->n++] = u;
    }
}

/* q, q', z and t. */
static void find_symbols(nh_sides *s)
{
    nh_equations *eq = s->j->eq;
    s->symbols = nh_array(eq, 2 * eq->n + eq->m + 1);
    for (size_t i = 0; i < eq->n; i++) {
        s->symbols[s->n_symbols++] = eq->model->coordinates[i].q;
        s->symbols[s->n_symbols++] = eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < eq->m && eq->first.psi; k++)
        s->symbols[s->n_symbols++] = eq->z[k].symbol;
    s->symbols[s->n_symbols++] = eq->model->time;
}

nh_sides *nh_sides_of(nh_judge *j, const nh_expr *e, size_t count)
{
    nh_equations *eq = j->eq;
    nh_sides *s = nh_arena_array(&eq->arena, 1, sizeof *s);
    *s = (nh_sides){.j = j, .walk = nh_walk_of(&eq->pool, &eq->arena, e, count)};
    find_arguments(s);
    if (s->n == 0)
        return NULL;
    find_symbols(s);
    s->slopes = nh_array(eq, s->n * s->n_symbols);
    for (size_t i = 0; i < s->n; i++)
        nh_gradient(&eq->pool, &eq->context->arena, &s->arguments[i], NULL, 1, s->symbols, s->n_symbols,
                    s->slopes + i * s->n_symbols);
    return s;
}

/* ---------------------------------------------------------------- states on the sides */

static double value_of(const nh_sides *s, nh_expr e, const double *values)
{
    double value = NAN, error = NAN;
    if (e)
        nh_evaluate(&s->j->eq->pool, &s->j->eq->context->arena, &e, 1, values, &value, &error);
    return fabs(value) > error ? value : 0;
}

/* x -= (u - place) du/|du|^2 */
static void go_to(const nh_sides *s, size_t argument, double place, double *values)
{
    nh_equations *eq = s->j->eq;
    double *slopes = nh_arena_array(&eq->arena, s->n_symbols + 1, sizeof *slopes);
    for (int k = 0; k < STEPS; k++) {
        double off = value_of(s, s->arguments[argument], values) - place, square = 0;
        nh_evaluate(&eq->pool, &eq->context->arena, s->slopes + argument * s->n_symbols, s->n_symbols, values,
                    slopes, NULL);
        for (size_t i = 0; i < s->n_symbols; i++)
            square += slopes[i] * slopes[i];
        if (!(square > 0) || !isfinite(square) || fabs(off) < 1e-9)
            return;
        for (size_t i = 0; i < s->n_symbols; i++) {
            uint32_t index = 0;
            nh_is_symbol(&eq->pool, s->symbols[i], &index);
            values[index] -= off * slopes[i] / square;
        }
    }
}

size_t nh_sides_count(const nh_sides *s) { return s ? RANDOM_STATES + s->n * STATES_OF_ONE : 0; }

bool nh_sides_state(nh_sides *s, size_t number, double *values)
{
    nh_judge *j = s->j;
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    j->random += 1 + number, j->wide = number % 2;
    bool drawn = nh_draw_state(j, values);
    j->wide = false, j->random = random;
    nh_put_parameters(j, values);
    if (drawn && number >= RANDOM_STATES) {
        size_t which = number - RANDOM_STATES;
        go_to(s, which / STATES_OF_ONE, PLACES[which % N_PLACES], values);
    }
    return drawn && nh_onto_C(j, values);
}

/* ---------------------------------------------------------------- on one choice of sides */

/* Bits: the argument is positive. False: one is 0, or has no value. */
static bool sides_at(const nh_sides *s, const double *values, unsigned *sides)
{
    bool all = true;
    *sides = 0;
    for (size_t i = 0; i < s->n; i++) {
        double u = value_of(s, s->arguments[i], values);
        all = all && isfinite(u) && u != 0;
        *sides |= (unsigned)(u > 0) << i;
    }
    return all;
}

/* All nodes on these sides, by handle. */
static nh_expr *on_sides(const nh_sides *s, unsigned sides)
{
    nh_equations *eq = s->j->eq;
    nh_pool *pool = &eq->pool;
    size_t size = s->walk.count ? (size_t)s->walk.nodes[s->walk.count - 1] + 1 : 1;
    nh_expr *image = nh_array(eq, size);
    for (size_t i = 0; i < s->walk.count; i++) {
        nh_expr e = s->walk.nodes[i], u = nh_corner_argument(pool, e);
        size_t at = u ? number_of(s, u) : s->n;
        nh_list operands = nh_operands(pool, e);
        bool changed = false;
        for (size_t k = 0; k < operands.count; k++)
            changed = changed || image[operands.items[k]] != operands.items[k];
        image[e] = at < s->n ? nh_side_of_corner(pool, e, image, (sides >> at & 1) == (s->arguments[at] == u))
                   : changed ? nh_rebuilt_with(pool, e, image)
                             : e;
    }
    return image;
}

/* Whether the rows of M depend on each other wherever the sides are these. */
static bool depend_there(const nh_sides *s, size_t rows, const nh_expr *M, unsigned sides)
{
    nh_equations *eq = s->j->eq;
    size_t count = rows * eq->n;
    nh_expr *there = nh_array(eq, count), *image = on_sides(s, sides);
    for (size_t i = 0; i < count; i++)
        there[i] = M[i] ? image[M[i]] : NH_EXPR_NONE;
    if (!nh_have_values(there, count))
        return false;
    nh_put_given(eq, there, count, there);
    return nh_have_values(there, count) && nh_rows_follow(eq, rows, eq->n, there);
}

bool nh_rows_depend_on_a_side(nh_judge *j, size_t rows, const nh_expr *M, double *values)
{
    nh_sides *s = nh_sides_of(j, M, rows * j->eq->n);
    bool seen[1 << MOST_ARGUMENTS] = {false}, depend = false;
    for (size_t k = 0; k < nh_sides_count(s) && !depend; k++) {
        unsigned sides;
        if (!nh_sides_state(s, k, values) || !sides_at(s, values, &sides) || seen[sides])
            continue;
        seen[sides] = true;
        depend = depend_there(s, rows, M, sides);
    }
    return depend;
}

bool nh_is_half_singular(nh_judge *j)
{
    size_t rows = 0;
    if (!j->half_looked_for) {
        double *values = nh_arena_array(&j->eq->arena, j->eq->pool.n_symbols + 1, sizeof *values);
        nh_expr *M = j->eq->r && !j->dependent ? nh_rank_matrix(j, &rows) : NULL;
        j->half_looked_for = true;
        j->half_singular =
            M && nh_put_own_zeros(j, M, rows * j->eq->n, M) && nh_rows_depend_on_a_side(j, rows, M, values);
    }
    return j->half_singular;
}
