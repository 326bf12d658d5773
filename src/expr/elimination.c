/* Gauss elimination modulo p, a row at a time. */
#include "expr/expr.h"
#include "expr/residue.h"

struct nh_elimination {
    nh_modular *modular;
    nh_arena *arena;
    size_t columns;
    uint64_t **rows; /* reduced, with pivot 1 */
    size_t *pivots;
    size_t rank, capacity, pivots_capacity, n_pivots;
};

nh_elimination *nh_elimination_new(nh_modular *modular, nh_arena *arena, size_t columns)
{
    nh_elimination *e = nh_arena_array(arena, 1, sizeof *e);
    *e = (nh_elimination){.modular = modular, .arena = arena, .columns = columns};
    return e;
}

/* row -= row[pivot] * other, the other's pivot being 1 */
static void subtract(uint64_t *row, const uint64_t *other, size_t pivot, size_t size)
{
    uint64_t factor = row[pivot];
    if (factor == 0)
        return;
    for (size_t j = pivot; j < size; j++)
        if (other[j])
            row[j] = nh_mod_sub(row[j], nh_mod_mul(factor, other[j]));
}

static uint64_t *residues(nh_elimination *e, const nh_expr *row)
{
    uint64_t *out = nh_arena_array(e->arena, e->columns + 1, sizeof *out);
    for (size_t j = 0; j <= e->columns; j++) {
        nh_residue value = nh_modular_value(e->modular, row[j]);
        if (!value.exact || !(value.valid & 1))
            return NULL;
        out[j] = value.at[0];
    }
    return out;
}

static void keep(nh_elimination *e, uint64_t *row, size_t pivot)
{
    uint64_t below = nh_mod_inverse(row[pivot]);
    for (size_t j = pivot; j <= e->columns; j++)
        row[j] = nh_mod_mul(row[j], below);
    nh_push(e->arena, e->rows, e->rank, e->capacity) = row;
    nh_push(e->arena, e->pivots, e->n_pivots, e->pivots_capacity) = pivot;
}

nh_row nh_elimination_add(nh_elimination *e, const nh_expr *given)
{
    uint64_t *row = residues(e, given);
    if (!row)
        return NH_ROW_UNDECIDED;
    for (size_t i = 0; i < e->rank; i++)
        subtract(row, e->rows[i], e->pivots[i], e->columns + 1);
    for (size_t j = 0; j < e->columns; j++)
        if (row[j]) {
            keep(e, row, j);
            return NH_ROW_INDEPENDENT;
        }
    return row[e->columns] ? NH_ROW_CONTRADICTS : NH_ROW_FOLLOWS;
}
