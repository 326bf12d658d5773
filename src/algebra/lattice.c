#include "algebra/lattice.h"

#include <stdlib.h>

#define LARGEST (INT64_C(1) << 30)

/* Row i -= times * row k; false: too large. */
static bool subtract(int64_t *M, size_t columns, size_t i, size_t k, int64_t times)
{
    bool fits = llabs(times) <= LARGEST;
    for (size_t j = 0; j < columns && fits; j++) {
        M[i * columns + j] -= times * M[k * columns + j];
        fits = llabs(M[i * columns + j]) <= LARGEST;
    }
    return fits;
}

static void swap_rows(int64_t *M, size_t columns, size_t i, size_t k)
{
    for (size_t j = 0; j < columns; j++) {
        int64_t swap = M[i * columns + j];
        M[i * columns + j] = M[k * columns + j], M[k * columns + j] = swap;
    }
}

/* Euclid's algorithm on the entries of one column, from row `first` on: one of them is left, in that row. */
static bool clear_column(int64_t *M, size_t rows, size_t columns, size_t first, size_t column)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = first; i < rows; i++) /* the smallest one to the top */
            if (M[i * columns + column] &&
                (!M[first * columns + column] ||
                 llabs(M[i * columns + column]) < llabs(M[first * columns + column])))
                swap_rows(M, columns, first, i);
        for (size_t i = first + 1; i < rows; i++)
            if (M[i * columns + column]) {
                if (!subtract(M, columns, i, first, M[i * columns + column] / M[first * columns + column]))
                    return false;
                more = more || M[i * columns + column];
            }
    }
    return true;
}

bool nh_lattice_reduce(int64_t *M, size_t rows, size_t columns, size_t *rank)
{
    for (size_t i = 0; i < rows * columns; i++)
        if (llabs(M[i]) > LARGEST)
            return false;
    *rank = 0;
    for (size_t column = 0; column < columns && *rank < rows; column++) {
        if (!clear_column(M, rows, columns, *rank, column))
            return false;
        *rank += M[*rank * columns + column] != 0;
    }
    return true;
}

void nh_lattice_coordinates(const int64_t *basis, size_t rank, size_t columns, int64_t *v, int64_t *out)
{
    for (size_t i = 0; i < rank; i++) {
        const int64_t *row = basis + i * columns;
        size_t first = 0;
        while (row[first] == 0)
            first++;
        out[i] = v[first] / row[first];
        for (size_t j = first; j < columns; j++)
            v[j] -= out[i] * row[j];
    }
}
