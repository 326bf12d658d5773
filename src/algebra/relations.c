/* Linear relations between functions. */
#include "algebra/draft.h"
#include "algebra/matrix.h"

#include <string.h>

enum { SURPLUS = 12, MOST_VAIN_MOVES = 600, VAIN_MOVES_WITH_VALUES = 30 };

/* ---------------------------------------------------------------- modulo p */

/* The rows at one point; how many of them are new, or -1 where the point is none. */
static int add_point(nh_relations *r, int point)
{
    int added = 0;
    for (size_t i = 0; i < r->rows; i++) {
        uint64_t *row = nh_arena_array(&r->arena, r->count + 1, sizeof *row);
        for (size_t k = 0; k < r->count; k++) {
            nh_residue value = nh_modular_value(r->points, r->e[i * r->count + k]);
            if (!(value.valid >> point & 1))
                return -1;
            row[k] = value.at[point];
        }
        added += nh_echelon_add(r->echelon, row);
    }
    return added;
}

static void draw_values(nh_relations *r)
{
    for (size_t i = 0; i < r->algebra->pool->n_symbols; i++)
        r->values[i] = nh_hash(nh_hash(i + 1) + r->seed) % NH_P;
}

/* Points until SURPLUS of them have said nothing new. */
static const char *eliminate(nh_relations *r)
{
    int surplus = 0, vain = 0;
    while (r->echelon->rank < r->count && surplus < SURPLUS) {
        nh_modular_move(r->points, r->seed++, r->values);
        vain++;
        for (int point = 0; point < 2; point++) {
            int added = add_point(r, point);
            vain = added < 0 ? vain : 0;
            surplus = added > 0 ? 0 : surplus + (added == 0);
        }
        if (vain % VAIN_MOVES_WITH_VALUES == VAIN_MOVES_WITH_VALUES - 1 && r->echelon->rank == 0)
            draw_values(r); /* of other constants roots may exist */
        if (vain > MOST_VAIN_MOVES)
            return "no point was found at which all functions have values";
        if (nh_seconds() > r->deadline)
            return "it takes too long";
    }
    return NULL;
}

static void take_vectors(nh_relations *r)
{
    r->vectors = nh_arena_array(&r->arena, r->count - r->echelon->rank + 1, sizeof *r->vectors);
    r->last = nh_arena_array(&r->arena, r->count - r->echelon->rank + 1, sizeof *r->last);
    for (size_t k = 0; k < r->count; k++) {
        if (r->echelon->rows[k])
            continue;
        uint64_t *x = nh_arena_array(&r->arena, r->count, sizeof *x);
        nh_echelon_null(r->echelon, k, x);
        r->last[r->found] = k;
        r->vectors[r->found++] = x;
    }
}

bool nh_relations_find(nh_relations *r, nh_algebra *algebra, size_t rows, size_t count, const nh_expr *e,
                       const bool *constant)
{
    nh_pool *pool = algebra->pool;
    *r = (nh_relations){.algebra = algebra, .rows = rows, .count = count, .e = e, .constant = constant};
    nh_arena_init_temporary(&r->arena, pool->arena->heap);
    nh_arena_init_temporary(&r->points_arena, pool->arena->heap);
    r->deadline = nh_seconds() + algebra->budget.max_seconds;
    r->values = nh_arena_array(&r->arena, pool->n_symbols + 1, sizeof *r->values);
    draw_values(r);
    r->points = nh_modular_new_for(pool, &r->points_arena, e, rows * count, constant);
    r->echelon = nh_echelon_new(&r->arena, count, count);
    algebra->reason = eliminate(r);
    if (!algebra->reason)
        take_vectors(r);
    return !algebra->reason;
}

void nh_relations_free(nh_relations *r)
{
    nh_arena_free(&r->points_arena);
    nh_arena_free(&r->arena);
}

/* ---------------------------------------------------------------- short ones */

typedef struct vectors {
    uint64_t **items;
    size_t count, capacity;
} vectors;

static size_t terms_of(const nh_relations *r, const uint64_t *x)
{
    size_t terms = 0;
    for (size_t k = 0; k < r->count; k++)
        terms += x[k] != 0;
    return terms;
}

/* Behind those that are not longer; once, whatever its factor. */
static void insert(nh_relations *r, vectors *v, uint64_t *x)
{
    size_t first = 0, terms = terms_of(r, x), place;
    while (x[first] == 0)
        first++;
    uint64_t factor = nh_mod_inverse(x[first]);
    for (size_t k = first; k < r->count; k++)
        x[k] = nh_mod_mul(x[k], factor);
    for (size_t i = 0; i < v->count; i++)
        if (memcmp(v->items[i], x, r->count * sizeof *x) == 0)
            return;
    nh_push(&r->arena, v->items, v->count, v->capacity) = x;
    for (place = v->count - 1; place > 0 && terms_of(r, v->items[place - 1]) > terms; place--)
        v->items[place] = v->items[place - 1];
    v->items[place] = x;
}

/* The vectors in reduced echelon form for another order of the columns: Gauss and Jordan, with pivots at random places. */
static void reduce_at_random(nh_relations *r, vectors *v)
{
    uint64_t **rows = nh_arena_array(&r->arena, r->found, sizeof *rows);
    for (size_t i = 0; i < r->found; i++) {
        rows[i] = nh_arena_array(&r->arena, r->count, sizeof *rows[i]);
        memcpy(rows[i], r->vectors[i], r->count * sizeof *rows[i]);
    }
    for (size_t i = 0; i < r->found; i++) {
        size_t pivot = nh_hash(r->seed++) % r->count;
        while (rows[i][pivot] == 0)
            pivot = (pivot + 1) % r->count;
        uint64_t below = nh_mod_inverse(rows[i][pivot]);
        for (size_t l = 0; l < r->found; l++) {
            uint64_t factor = l == i ? 0 : nh_mod_mul(rows[l][pivot], below);
            for (size_t k = 0; k < r->count && factor; k++)
                rows[l][k] = nh_mod_sub(rows[l][k], nh_mod_mul(factor, rows[i][k]));
        }
    }
    for (size_t i = 0; i < r->found; i++)
        insert(r, v, rows[i]);
}

enum { ORDERS = 40, MOST_VECTORS_REDUCED = 30 };

uint64_t **nh_relations_short(nh_relations *r, size_t most, size_t *count)
{
    vectors v = {0};
    for (size_t i = 0; i < r->found; i++) {
        uint64_t *x = nh_arena_array(&r->arena, r->count, sizeof *x);
        memcpy(x, r->vectors[i], r->count * sizeof *x);
        insert(r, &v, x);
    }
    for (int order = 0; order < ORDERS && r->found > 1 && r->found <= MOST_VECTORS_REDUCED; order++)
        reduce_at_random(r, &v);
    *count = v.count < most ? v.count : most;
    return v.items;
}

/* ---------------------------------------------------------------- in the constants */

/* Without denominators and common factors; the last one begins with a plus. */
static void clear(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    nh_poly_matrix m = nh_polys_of(ring, 1, t->columns, t->A);
    nh_reduce_vector(ring, m.p, t->columns);
    bool minus = nh_poly_sign(ring, &m.p[t->columns - 1]) < 0;
    for (size_t k = 0; k < t->columns; k++) {
        if (minus)
            fmpz_mpoly_neg(&m.p[k], &m.p[k], ring->ctx);
        t->out[k] = nh_poly_expr(ring, &m.p[k]);
    }
}

bool nh_relations_write(nh_relations *r, const uint64_t *vector, nh_expr *a)
{
    size_t *support = nh_arena_array(&r->arena, r->count, sizeof *support), size = 0;
    nh_expr *some = nh_arena_array(&r->arena, r->count, sizeof *some);
    for (size_t k = 0; k < r->count; k++) {
        a[k] = r->algebra->pool->zero;
        if (vector[k])
            support[size++] = k;
    }
    nh_task t = {.rows = 1, .columns = size, .A = some, .n_a = size, .n_out = size};
    if (!nh_relations_interpolate(r, support, size, some) || !nh_task_run(r->algebra, &t, clear, some))
        return false;
    for (size_t k = 0; k < size; k++)
        a[support[k]] = some[k];
    return true;
}

static bool is_proved(nh_relations *r, const nh_expr *a)
{
    nh_pool *pool = r->algebra->pool;
    bool proved = true;
    for (size_t i = 0; i < r->rows && proved; i++) {
        nh_expr sum = pool->zero;
        for (size_t k = 0; k < r->count; k++)
            sum = nh_add(pool, sum, nh_mul(pool, a[k], r->e[i * r->count + k]));
        proved = !nh_has_solve(pool, &r->arena, &sum, 1) && nh_is_zero(r->algebra, sum) == NH_YES;
    }
    return proved;
}

bool nh_linear_relations(nh_algebra *algebra, size_t rows, size_t count, const nh_expr *e,
                         const bool *constant, size_t *found, nh_expr **out)
{
    nh_relations r;
    bool all = nh_relations_find(&r, algebra, rows, count, e, constant);
    const char *reason = algebra->reason;
    *found = 0;
    *out = nh_arena_array(algebra->pool->arena, r.found * count + 1, sizeof **out);
    for (size_t i = 0; i < r.found; i++) {
        nh_expr *a = *out + *found * count;
        bool proved = nh_relations_write(&r, r.vectors[i], a) && is_proved(&r, a);
        reason = proved ? reason : algebra->reason ? algebra->reason : "it could not be proved";
        all = all && proved;
        *found += proved;
    }
    nh_relations_free(&r);
    algebra->reason = all ? NULL : reason;
    return all;
}
