/* An order of the steps in which equal operations stand together, each behind what it needs: where the operation changes with every
 * step, an interpreter waits for the processor to find out what to do. */
#include "tape/inner.h"

#include <string.h>

enum { OPERATIONS = NH_OP_SOLVE + 1 };

typedef struct grouping {
    nh_tape *tape;
    uint32_t *maker;        /* by register: step + 1; 0: it is there before */
    uint32_t *waits;        /* by step: operands that are not there yet */
    uint32_t *first, *next; /* by step, and by use: the uses + 1 of its results, a list */
    uint32_t *user;         /* by use: the step */
    uint32_t n_uses;
    size_t uses_capacity, users_capacity;
    uint32_t *ready;                             /* by step: the next of a queue */
    uint32_t head[OPERATIONS], tail[OPERATIONS]; /* by operation: step + 1 */
    size_t waiting[OPERATIONS];
    size_t count; /* of what is in the tape */
    nh_arena *scratch;
} grouping;

static uint32_t *zeros(nh_arena *arena, size_t count)
{
    uint32_t *out = nh_arena_array(arena, count + 1, sizeof *out);
    memset(out, 0, (count + 1) * sizeof *out);
    return out;
}

static void need(grouping *g, uint32_t step, uint32_t reg)
{
    uint32_t maker = g->maker[reg];
    if (!maker)
        return;
    size_t use = g->n_uses, also = g->n_uses;
    nh_push(g->scratch, g->user, also, g->users_capacity) = step;
    nh_push(g->scratch, g->next, use, g->uses_capacity) = g->first[maker - 1];
    g->first[maker - 1] = ++g->n_uses;
    g->waits[step]++;
}

static void find_needs(grouping *g, uint32_t step)
{
    const nh_step *s = &g->tape->steps[step];
    if (s->op != NH_OP_SOLVE) {
        need(g, step, s->a), need(g, step, s->b);
        if (s->op == NH_OP_ATAN2)
            need(g, step, s->c), need(g, step, s->c + 1);
        return;
    }
    const nh_linear *l = &g->tape->systems[s->a];
    for (size_t e = 0; e < (size_t)l->n * l->n; e++)
        need(g, step, l->matrix[e]);
    for (size_t i = 0; i < l->n; i++)
        need(g, step, l->right[i]);
}

static void find_results(grouping *g, uint32_t step)
{
    const nh_step *s = &g->tape->steps[step];
    uint32_t count = s->op == NH_OP_SOLVE ? g->tape->systems[s->a].n : nh_op_is_pair(s->op) ? 2 : 1;
    for (uint32_t i = 0; i < count; i++)
        g->maker[s->out + i] = step + 1;
}

static void make_ready(grouping *g, uint32_t step)
{
    uint8_t op = g->tape->steps[step].op;
    if (g->head[op])
        g->ready[g->tail[op] - 1] = step + 1;
    else
        g->head[op] = step + 1;
    g->tail[op] = step + 1, g->waiting[op]++;
}

static void put(grouping *g, uint32_t step)
{
    g->tape->runs[g->count++] = g->tape->steps[step];
    for (uint32_t use = g->first[step]; use; use = g->next[use - 1])
        if (--g->waits[g->user[use - 1]] == 0)
            make_ready(g, g->user[use - 1]);
}

/* All that can be done of the operation of which there is most. */
static void put_run(grouping *g)
{
    int best = 0;
    for (int op = 1; op < OPERATIONS; op++)
        best = g->waiting[op] > g->waiting[best] ? op : best;
    while (g->head[best]) {
        uint32_t step = g->head[best] - 1;
        g->head[best] = g->ready[step], g->waiting[best]--;
        put(g, step);
    }
}

void nh_tape_group(nh_tape *t, nh_arena *scratch)
{
    uint32_t n = (uint32_t)t->n_steps;
    grouping g = {.tape = t, .scratch = scratch};
    g.maker = zeros(scratch, t->n_registers + 1);
    g.waits = zeros(scratch, n), g.first = zeros(scratch, n), g.ready = zeros(scratch, n);
    t->runs = nh_arena_array(t->arena, t->n_steps + 1, sizeof *t->runs);
    for (uint32_t i = 0; i < n; i++) /* operands come before */
        find_needs(&g, i), find_results(&g, i);
    for (uint32_t i = 0; i < n; i++)
        if (!g.waits[i])
            make_ready(&g, i);
    while (g.count < n)
        put_run(&g);
}
