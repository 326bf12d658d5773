/* What functions with corners are on either side of these: sqrt(x^2) - x is 0 at all x > 0, and where that is a coefficient the rank drops in a whole region,
 * of which the formula, not being 0, says nothing. So states are taken on the sides of each corner u = 0, near and far, and there the smooth functions of
 * these sides are put in the place of the others. */
#include "derive/judge.h"

#include <math.h>

enum { RANDOM_STATES = 16, STATES_OF_ONE = 2 * NH_CORNER_PLACES };

struct nh_sides {
    nh_judge *j;
    nh_corners corners;
};

/* q, q', z and t. */
static nh_expr *symbols_of(nh_equations *eq, size_t *count)
{
    nh_expr *symbols = nh_array(eq, 2 * eq->n + eq->m + 1);
    for (size_t i = 0; i < eq->n; i++) {
        symbols[(*count)++] = eq->model->coordinates[i].q;
        symbols[(*count)++] = eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < eq->m && eq->first.psi; k++)
        symbols[(*count)++] = eq->z[k].symbol;
    symbols[(*count)++] = eq->model->time;
    return symbols;
}

nh_sides *nh_sides_of(nh_judge *j, const nh_expr *e, size_t count)
{
    nh_equations *eq = j->eq;
    nh_sides *s = nh_arena_array(&eq->arena, 1, sizeof *s);
    size_t n_symbols = 0;
    nh_expr *symbols = symbols_of(eq, &n_symbols);
    *s = (nh_sides){j,
                    nh_corners_of(&eq->pool, &eq->arena, &eq->context->arena, e, count, symbols, n_symbols)};
    return s->corners.n ? s : NULL;
}

/* ---------------------------------------------------------------- states on the sides */

size_t nh_sides_count(const nh_sides *s) { return s ? RANDOM_STATES + s->corners.n * STATES_OF_ONE : 0; }

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
        nh_corner_go_to(&s->corners, which / STATES_OF_ONE, which % NH_CORNER_PLACES, values);
    }
    return drawn && nh_onto_C(j, values);
}

/* ---------------------------------------------------------------- on one choice of sides */

/* Bits: the argument is positive. False: one is 0, or has no value. */
static bool sides_at(const nh_sides *s, const double *values, unsigned *sides)
{
    bool all = true;
    *sides = 0;
    for (size_t i = 0; i < s->corners.n; i++) {
        double u = nh_corner_value(&s->corners, i, values);
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
    const nh_corners *c = &s->corners;
    const nh_walk *walk = &c->walk;
    size_t size = walk->count ? (size_t)walk->nodes[walk->count - 1] + 1 : 1;
    nh_expr *image = nh_array(eq, size);
    for (size_t i = 0; i < walk->count; i++) {
        nh_expr e = walk->nodes[i], u = nh_corner_argument(pool, e);
        size_t at = u ? nh_corner_number(c, u) : c->n;
        nh_list operands = nh_operands(pool, e);
        bool changed = false;
        for (size_t k = 0; k < operands.count; k++)
            changed = changed || image[operands.items[k]] != operands.items[k];
        image[e] = at < c->n ? nh_side_of_corner(pool, e, image, (sides >> at & 1) == (c->arguments[at] == u))
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
    bool seen[1 << NH_MOST_CORNERS] = {false}, depend = false;
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
