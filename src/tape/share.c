/* Which sums are formed together. Most of their time is reading: of two that share a row, one row less is read. */
#include "tape/inner.h"

#include <string.h>

typedef struct sharing {
    nh_tape *tape;
    uint32_t *waiting; /* by row: the last slot + 1 that has it for a factor; 0: none */
    uint32_t *partner; /* by slot: another one + 1; 0: none */
} sharing;

static uint32_t *zeros(nh_arena *arena, size_t count)
{
    uint32_t *out = nh_arena_array(arena, count + 1, sizeof *out);
    memset(out, 0, (count + 1) * sizeof *out);
    return out;
}

static bool is_square(const nh_slot *p) { return p->rows[0] == p->rows[1]; }

/* With the last slot that shares a row with it and has no partner yet. */
static void find_partner(sharing *s, uint32_t slot)
{
    const nh_slot *p = &s->tape->slots[slot];
    for (int i = 0; i < 2 && !is_square(p) && !s->partner[slot]; i++) {
        uint32_t other = s->waiting[p->rows[i]];
        if (other && !s->partner[other - 1])
            s->partner[slot] = other, s->partner[other - 1] = slot + 1;
        s->waiting[p->rows[i]] = slot + 1;
    }
}

/* x first. */
static void put_first(nh_slot *p, uint32_t x)
{
    if (p->rows[0] != x)
        p->rows[1] = p->rows[0], p->rows[0] = x;
}

/* a and b, which may be the same. */
static nh_sharing sharing_of(const sharing *s, uint32_t a, uint32_t b)
{
    nh_slot *p = &s->tape->slots[a], *q = &s->tape->slots[b];
    uint32_t x = p->rows[p->rows[0] != q->rows[0] && p->rows[0] != q->rows[1]];
    put_first(p, x), put_first(q, x);
    return (nh_sharing){x, {p->rows[1], q->rows[1]}, {a, b}};
}

enum { PAIR, SINGLE, SQUARE };

static int kind_of(const sharing *s, uint32_t slot)
{
    return s->partner[slot] ? PAIR : is_square(&s->tape->slots[slot]) ? SQUARE : SINGLE;
}

void nh_tape_share(nh_tape *t, nh_arena *scratch)
{
    sharing s = {t, zeros(scratch, t->n_registers + t->n_weighted), zeros(scratch, t->n_slots)};
    size_t *counts[] = {&t->n_pairs, &t->n_singles, &t->n_squares}, count = 0;
    t->sharings = nh_arena_array(t->arena, t->n_slots + 1, sizeof *t->sharings);
    for (uint32_t p = 0; p < t->n_slots; p++)
        find_partner(&s, p);
    for (int kind = PAIR; kind <= SQUARE; kind++)
        for (uint32_t p = 0; p < t->n_slots; p++)
            if (kind_of(&s, p) == kind && (kind != PAIR || s.partner[p] - 1 > p)) {
                t->sharings[count++] = sharing_of(&s, p, kind == PAIR ? s.partner[p] - 1 : p);
                ++*counts[kind];
            }
}
