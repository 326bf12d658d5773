/* Gauss elimination of residues, a row at a time. */
#include "expr/expr.h"

/* Sums of products that are not reduced yet: MOST_SUMMED products of two residues fit. */
typedef unsigned __int128 wide;
enum { MOST_SUMMED = 60 };

nh_echelon *nh_echelon_new(nh_arena *arena, size_t columns, size_t width)
{
    nh_echelon *e = nh_arena_array(arena, 1, sizeof *e);
    *e = (nh_echelon){.columns = columns, .width = width};
    e->rows = nh_arena_array(arena, columns + 1, sizeof *e->rows);
    e->sums = nh_arena_array(arena, width + 1, sizeof(wide));
    return e;
}

static void normalise(uint64_t *row, size_t pivot, size_t width)
{
    uint64_t below = nh_mod_inverse(row[pivot]);
    for (size_t j = pivot; j < width; j++)
        row[j] = nh_mod_mul(row[j], below);
}

/* 2^61 = 1 */
static inline uint64_t fold(wide x)
{
    x = (x & NH_P) + (x >> 61);
    uint64_t folded = (uint64_t)(x & NH_P) + (uint64_t)(x >> 61);
    return folded >= NH_P ? folded - NH_P : folded;
}

/* sums += factor * row, from a column on */
static void add_row(wide *sums, uint64_t factor, const uint64_t *row, size_t from, size_t width)
{
    for (size_t j = from; j < width; j++)
        sums[j] += (wide)factor * row[j];
}

static void fold_all(wide *sums, size_t from, size_t width)
{
    for (size_t j = from; j < width; j++)
        sums[j] = fold(sums[j]);
}

static void take_back(uint64_t *row, const wide *sums, size_t width)
{
    for (size_t j = 0; j < width; j++)
        row[j] = fold(sums[j]);
}

bool nh_echelon_add(nh_echelon *e, uint64_t *row)
{
    wide *sums = e->sums;
    size_t summed = 0;
    for (size_t j = 0; j < e->width; j++)
        sums[j] = row[j];
    for (size_t j = 0; j < e->columns; j++) {
        uint64_t value = fold(sums[j]);
        if (value && !e->rows[j]) {
            take_back(row, sums, e->width);
            normalise(row, j, e->width);
            e->rows[j] = row;
            e->rank++;
            return true;
        }
        if (value)
            add_row(sums, NH_P - value, e->rows[j], j, e->width);
        sums[j] = 0;
        if (value && ++summed == MOST_SUMMED) {
            fold_all(sums, j, e->width);
            summed = 0;
        }
    }
    take_back(row, sums, e->width);
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
