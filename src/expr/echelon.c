/* Gauss elimination of residues, a row at a time. */
#include "expr/expr.h"

nh_echelon *nh_echelon_new(nh_arena *arena, size_t columns, size_t width)
{
    nh_echelon *e = nh_arena_array(arena, 1, sizeof *e);
    *e = (nh_echelon){.columns = columns, .width = width};
    e->rows = nh_arena_array(arena, columns + 1, sizeof *e->rows);
    return e;
}

static void normalise(uint64_t *row, size_t pivot, size_t width)
{
    uint64_t below = nh_mod_inverse(row[pivot]);
    for (size_t j = pivot; j < width; j++)
        row[j] = nh_mod_mul(row[j], below);
}

/* row -= row[pivot] * other, the other's pivot being 1 */
static void subtract(uint64_t *row, const uint64_t *other, size_t pivot, size_t width)
{
    uint64_t factor = row[pivot];
    for (size_t j = pivot; j < width; j++)
        row[j] = nh_mod_sub(row[j], nh_mod_mul(factor, other[j]));
}

bool nh_echelon_add(nh_echelon *e, uint64_t *row)
{
    for (size_t j = 0; j < e->columns; j++) {
        if (row[j] == 0)
            continue;
        if (!e->rows[j]) {
            normalise(row, j, e->width);
            e->rows[j] = row;
            e->rank++;
            return true;
        }
        subtract(row, e->rows[j], j, e->width);
    }
    return false;
}

/* x_j = row_jk - sum_(l > j) row_jl x_l, from the last pivot upwards; those without pivot are there already. k = width: the right-hand
 * sides are 0. */
static void substitute_back(const nh_echelon *e, size_t end, size_t k, uint64_t *x)
{
    for (size_t j = end; j-- > 0;) {
        const uint64_t *row = e->rows[j];
        if (!row)
            continue;
        uint64_t sum = k < e->width ? row[k] : 0;
        for (size_t l = j + 1; l < end; l++)
            if (x[l])
                sum = nh_mod_sub(sum, nh_mod_mul(row[l], x[l]));
        x[j] = sum;
    }
}

void nh_echelon_null(const nh_echelon *e, size_t without, uint64_t *x)
{
    for (size_t j = 0; j < e->columns; j++)
        x[j] = j == without;
    substitute_back(e, without + 1, e->width, x);
}

void nh_echelon_solve(const nh_echelon *e, size_t k, uint64_t *x)
{
    for (size_t j = 0; j < e->columns; j++)
        x[j] = 0;
    substitute_back(e, e->columns, e->columns + k, x);
}
