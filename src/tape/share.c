/* Which sums are formed together. Most of their time is reading: of some that share a row, it is read once. */
#include "tape/inner.h"

#include <string.h>

typedef struct sharing {
    nh_tape *tape;
    uint32_t *first,
        *next;        /* by row, and by factor, which is 2 slot + i: the next factor + 1 that is this row */
    uint32_t *degree; /* by row: its slots that are not taken */
    uint32_t *taken;  /* by slot */
    size_t count;     /* of what is in the tape */
    uint32_t places;
} sharing;

static uint32_t *zeros(nh_arena *arena, size_t count)
{
    uint32_t *out = nh_arena_array(arena, count + 1, sizeof *out);
    memset(out, 0, (count + 1) * sizeof *out);
    return out;
}

static bool is_square(const nh_slot *p) { return p->rows[0] == p->rows[1]; }

/* Backwards, so that lists go forwards. */
static void find_slots(sharing *s)
{
    for (uint32_t f = 2 * (uint32_t)s->tape->n_slots; f-- > 0;) {
        const nh_slot *p = &s->tape->slots[f / 2];
        uint32_t row = p->rows[f % 2];
        if (is_square(p))
            continue;
        s->next[f] = s->first[row], s->first[row] = f + 1;
        s->degree[row]++;
    }
}

/* So many slots of a row. */
static void take(sharing *s, uint32_t row, uint32_t count)
{
    nh_tape *t = s->tape;
    nh_sharing *g = &t->sharings[s->count++];
    uint32_t found = 0;
    *g = (nh_sharing){.x = row};
    for (uint32_t f = s->first[row]; f && found < count; f = s->next[f - 1]) {
        nh_slot *p = &t->slots[(f - 1) / 2];
        uint32_t other = p->rows[p->rows[0] == row];
        if (s->taken[(f - 1) / 2])
            continue;
        s->taken[(f - 1) / 2] = 1, s->degree[row]--, s->degree[other]--;
        p->rows[0] = row, p->rows[1] = g->y[found++] = other, p->place = s->places++;
    }
    t->n_sharing[count]++;
}

static void take_squares(sharing *s)
{
    nh_tape *t = s->tape;
    for (uint32_t p = 0; p < t->n_slots; p++)
        if (is_square(&t->slots[p])) {
            uint32_t row = t->slots[p].rows[0];
            t->sharings[s->count++] = (nh_sharing){.x = row, .y = {row}};
            t->slots[p].place = s->places++;
            t->n_sharing[0]++;
        }
}

void nh_tape_share(nh_tape *t, nh_arena *scratch)
{
    uint32_t n_rows = (uint32_t)(t->n_registers + t->n_weighted);
    sharing s = {t,
                 zeros(scratch, n_rows),
                 zeros(scratch, 2 * t->n_slots),
                 zeros(scratch, n_rows),
                 zeros(scratch, t->n_slots),
                 0,
                 0};
    t->sharings = nh_arena_array(t->arena, t->n_slots + 1, sizeof *t->sharings);
    find_slots(&s);
    for (uint32_t count = NH_MOST_SHARING; count > 0; count--)
        for (uint32_t row = 0; row < n_rows; row++)
            while (s.degree[row] >= count)
                take(&s, row, count);
    take_squares(&s);
}
