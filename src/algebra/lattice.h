/* Inside algebra/: what integer vectors span with integer coefficients. */
#ifndef NH_ALGEBRA_LATTICE_H
#define NH_ALGEBRA_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of M become a basis of what they span, in echelon form: *rank rows, then rows of zeros. False: the numbers
 * became too large. */
bool nh_lattice_reduce(int64_t *M, size_t rows, size_t columns, size_t *rank);

/* v = sum of out[i] * row i of the basis; v is used up. */
void nh_lattice_coordinates(const int64_t *basis, size_t rank, size_t columns, int64_t *v, int64_t *out);

#endif
