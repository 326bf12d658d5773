/* The derivatives of all outputs by all inputs that change, as far as they are not always 0. Columns that share no row are found
 * together, along one direction (Curtis, Powell and Reid), and several directions at once. */
#include "tape/inner.h"

#include <string.h>

/* ---------------------------------------------------------------- where it is not 0 */

enum { WORD = 64 };

/* By register: the inputs that it depends on, as bits. */
static uint64_t *dependences(const nh_tape *t, nh_arena *arena, size_t words)
{
    uint64_t *bits = nh_arena_array(arena, (t->n_registers + 2) * words, sizeof *bits);
    memset(bits, 0, (t->n_registers + 2) * words * sizeof *bits);
    for (size_t i = 0; i < t->n_inputs; i++)
        bits[i * words + i / WORD] |= (uint64_t)1 << i % WORD;
    return bits;
}

static void join(uint64_t *bits, size_t words, uint32_t out, uint32_t from)
{
    for (size_t w = 0; w < words; w++)
        bits[out * words + w] |= bits[from * words + w];
}

static void follow(const nh_tape *t, const nh_step *s, uint64_t *bits, size_t words)
{
    if (s->op == NH_OP_SOLVE) {
        const nh_linear *l = &t->systems[s->a];
        for (size_t e = 0; e < (size_t)l->n * l->n; e++)
            join(bits, words, s->out, l->matrix[e]);
        for (size_t i = 0; i < l->n; i++)
            join(bits, words, s->out, l->right[i]);
        for (uint32_t i = 1; i < l->n; i++)
            join(bits, words, s->out + i, s->out);
        return;
    }
    join(bits, words, s->out, s->a), join(bits, words, s->out, s->b);
    if (nh_op_is_pair(s->op))
        join(bits, words, s->out + 1, s->a);
}

static void find_pattern(nh_jacobian *j, nh_arena *arena)
{
    const nh_tape *t = j->of;
    size_t words = t->n_inputs / WORD + 1, capacity = 0, count = 0;
    uint64_t *bits = dependences(t, arena, words);
    for (size_t i = 0; i < t->n_steps; i++)
        follow(t, &t->steps[i], bits, words);
    j->rows = nh_arena_array(arena, t->n_outputs + 1, sizeof *j->rows);
    for (size_t i = 0; i < t->n_outputs; i++) {
        const uint64_t *row = bits + t->outputs[i] * words;
        j->rows[i] = count;
        for (uint32_t c = 0; c < t->n_inputs; c++)
            if (row[c / WORD] >> c % WORD & 1)
                nh_push(arena, j->columns, count, capacity) = c;
    }
    j->rows[t->n_outputs] = j->count = count;
}

/* ---------------------------------------------------------------- directions */

/* Column after column takes the first direction none of whose columns has a row in common with it. */
static void find_directions(nh_jacobian *j, nh_arena *arena)
{
    size_t n = j->of->n_inputs, m = j->of->n_outputs;
    uint32_t *taken =
        nh_arena_array(arena, n + 1, sizeof *taken); /* by direction: the last column that asked, + 1 */
    bool *is_there = nh_arena_array(arena, n * m + 1, sizeof *is_there);
    memset(taken, 0, (n + 1) * sizeof *taken), memset(is_there, 0, n * m + 1);
    for (size_t i = 0; i < m; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++)
            is_there[j->columns[e] * m + i] = true;
    j->direction = nh_arena_array(arena, n + 1, sizeof *j->direction);
    for (uint32_t c = 0; c < n; c++) {
        for (size_t i = 0; i < m; i++)
            for (size_t e = j->rows[i]; e < j->rows[i + 1] && is_there[c * m + i]; e++)
                if (j->columns[e] < c)
                    taken[j->direction[j->columns[e]]] = c + 1;
        uint32_t d = 0;
        while (taken[d] == c + 1)
            d++;
        j->direction[c] = d;
        j->n_directions = d + 1 > j->n_directions ? d + 1 : j->n_directions;
    }
}

nh_jacobian *nh_jacobian_new(const nh_tape *tape, nh_arena *arena)
{
    nh_jacobian *j = nh_arena_array(arena, 1, sizeof *j);
    *j = (nh_jacobian){.of = tape};
    find_pattern(j, arena);
    find_directions(j, arena);
    j->tangent = nh_tape_tangent(tape, arena);
    j->machine = nh_series_new_lanes(j->tangent, arena, 0);
    j->values = nh_arena_array(arena, j->count + 1, sizeof *j->values);
    j->lanes = (uint32_t)nh_lanes_count();
    j->constants = nh_arena_array(arena, (tape->n_constant_inputs + 1) * j->lanes, sizeof *j->constants);
    return j;
}

bool nh_jacobian_constants(nh_jacobian *j, const double *constants)
{
    size_t n = j->tangent->n_constant_inputs;
    for (size_t i = 0; i < n * j->lanes; i++)
        j->constants[i] = constants[i / j->lanes];
    return nh_series_constants_lanes(j->machine, (const nh_lanes *)j->constants);
}

/* Directions from `first` on, one in each lane. */
static bool find_some(nh_jacobian *j, const double *inputs, uint32_t first)
{
    size_t n = j->of->n_inputs, lanes = j->lanes;
    double *r = (double *)j->machine->r;
    for (size_t i = 0; i < n; i++)
        for (uint32_t lane = 0; lane < lanes; lane++) {
            r[i * lanes + lane] = inputs[i];
            r[(n + i) * lanes + lane] = j->direction[i] == first + lane;
        }
    if (!nh_series_step_lanes(j->machine, 0))
        return false;
    for (size_t i = 0; i < j->of->n_outputs; i++)
        for (size_t e = j->rows[i]; e < j->rows[i + 1]; e++) {
            uint32_t d = j->direction[j->columns[e]];
            if (d >= first && d < first + lanes)
                j->values[e] = r[j->tangent->outputs[i] * lanes + (d - first)];
        }
    return true;
}

bool nh_jacobian_at(nh_jacobian *j, const double *inputs)
{
    for (uint32_t first = 0; first < j->n_directions; first += j->lanes)
        if (!find_some(j, inputs, first))
            return false;
    return true;
}
