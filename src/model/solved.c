/* Whether equations contradict each other exactly: x = 0 and x y' = 1. Those that are linear in a coordinate, or in a velocity, with a number or a
 * parameter as its coefficient are solved for it, and put into the others with its derivative. Where one of these is a number then that is not 0,
 * they never hold together. */
#include "model/reader.h"

#include <string.h>

typedef struct solving {
    nh_reader *reader;
    nh_expr *e; /* what is 0: positions, and equations in the velocities */
    bool *of_positions;
    size_t count;
} solving;

static void list(solving *s)
{
    nh_reader *reader = s->reader;
    nh_arena *arena = &reader->context->arena;
    s->e = nh_arena_array(arena, 2 * reader->n_equations + 1, sizeof *s->e);
    s->of_positions = nh_arena_array(arena, 2 * reader->n_equations + 1, sizeof *s->of_positions);
    for (size_t a = 0; a < reader->n_equations; a++) {
        const nh_constraint *c = &reader->equations[a].constraint;
        if (reader->equations[a].dropped)
            continue;
        if (c->position)
            s->of_positions[s->count] = true, s->e[s->count++] = c->position;
        s->of_positions[s->count] = false, s->e[s->count++] = c->C;
    }
}

/* A number, or a parameter that is not 0. */
static bool is_never_zero(const nh_reader *reader, nh_expr e)
{
    uint32_t index = 0;
    if (nh_is_symbol(reader->pool, e, &index))
        return index < reader->model->n_roles && reader->model->roles[index].role == NH_ROLE_PARAMETER &&
               reader->signs[index] != 0;
    return e != reader->pool->zero && nh_is_number(reader->pool, e, NULL);
}

/* x from e = k x + rest. NH_EXPR_NONE: it is not of that kind. */
static nh_expr solution_of(nh_reader *reader, nh_expr e, nh_expr x)
{
    nh_expr slope, rest;
    nh_directional(reader->pool, &reader->scratch, &e, 1, &x, &reader->pool->one, 1, &slope);
    if (!slope || !is_never_zero(reader, slope))
        return NH_EXPR_NONE;
    nh_substitute(reader->pool, &reader->scratch, &e, 1, &x, &reader->pool->zero, 1, &rest);
    return rest ? nh_neg(reader->pool, nh_div(reader->pool, rest, slope)) : NH_EXPR_NONE;
}

/* Coordinate i, or its velocity, in all equations but the one that it is from. False: they have no value then. */
static bool put_in(solving *s, size_t from, size_t i, nh_expr value)
{
    nh_reader *reader = s->reader;
    const nh_coordinate *q = &reader->model->coordinates[i];
    nh_expr symbols[] = {q->rate, q->q}, values[] = {value, value};
    bool both = s->of_positions[from], all = true;
    if (both)
        nh_total_derivative(reader, &value, 1, &values[0]);
    s->e[from] = reader->pool->zero;
    nh_substitute(reader->pool, &reader->scratch, s->e, s->count, symbols, values, both ? 2 : 1, s->e);
    for (size_t b = 0; b < s->count; b++)
        all = all && s->e[b];
    return all;
}

/* Solves one equation. False: there is none left that can be, or what is left has no value. */
static bool solve_one(solving *s)
{
    nh_reader *reader = s->reader;
    for (size_t a = 0; a < s->count; a++)
        for (size_t i = 0; i < reader->model->n && s->e[a] != reader->pool->zero; i++) {
            const nh_coordinate *q = &reader->model->coordinates[i];
            nh_expr value = solution_of(reader, s->e[a], s->of_positions[a] ? q->q : q->rate);
            if (value)
                return put_in(s, a, i, value);
        }
    return false;
}

bool nh_contradict_exactly(nh_reader *reader)
{
    solving s = {.reader = reader};
    bool never = false;
    list(&s);
    while (solve_one(&s))
        ;
    for (size_t a = 0; a < s.count; a++)
        never = never || (s.e[a] && s.e[a] != reader->pool->zero && nh_is_number(reader->pool, s.e[a], NULL));
    return never;
}
