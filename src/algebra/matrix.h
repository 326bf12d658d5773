/* Inside algebra/: what the files on matrices share. */
#ifndef NH_ALGEBRA_MATRIX_H
#define NH_ALGEBRA_MATRIX_H

#include "algebra/work.h"

enum { NH_LARGEST_MATRIX = 10, NH_MOST_COLUMNS = 16 };

/* A matrix of polynomials: the given one with the denominators of each row cleared. */
typedef struct nh_poly_matrix {
    size_t rows, columns;
    fmpz_mpoly_struct *p;      /* rows x columns */
    fmpz_mpoly_struct *scales; /* by row: p = scale * given */
} nh_poly_matrix;

static inline fmpz_mpoly_struct *nh_entry(const nh_poly_matrix *m, size_t i, size_t j)
{
    return &m->p[i * m->columns + j];
}

typedef struct nh_task {
    nh_algebra *algebra;
    size_t rows, inner, columns;
    const nh_expr *A, *B;
    size_t n_a, n_b; /* their entries */
    nh_expr *out;    /* in the draft's pool */
    size_t n_out;
    void (*body)(nh_ring *, void *);
    size_t rank, *pivot_rows, *pivot_columns;
    bool chained, symmetric, flag;
} nh_task;

/* minors.c: polynomials, all 0; a matrix of forms without denominators; all minors of these rows, by the set of their columns. */
fmpz_mpoly_struct *nh_polys(nh_ring *ring, size_t count);
void nh_polys_free(nh_ring *ring, fmpz_mpoly_struct *p, size_t count);
nh_poly_matrix nh_polys_of(nh_ring *ring, size_t rows, size_t columns, const nh_expr *A);
fmpz_mpoly_struct *nh_all_minors(nh_ring *ring, const nh_poly_matrix *m, const size_t *rows, size_t count);
void nh_poly_determinant(nh_ring *ring, fmpz_mpoly_t out, const nh_poly_matrix *m);

/* matrix.c */
void nh_set_fraction(nh_ring *ring, nh_q_t x, const fmpz_mpoly_t above, const fmpz_mpoly_t below);
bool nh_task_work(nh_algebra *algebra, const nh_expr *in, nh_expr *out, void *arg);
bool nh_task_run(nh_algebra *algebra, nh_task *t, void (*body)(nh_ring *, void *), nh_expr *out);
bool nh_too_large(nh_algebra *algebra, size_t n, size_t most);
void nh_product_of_scales(nh_ring *ring, fmpz_mpoly_t out, const nh_poly_matrix *m);

/* rank.c: a vector divided by the common divisor of its entries, and by -1 where most of them begin with a minus. */
void nh_reduce_vector(nh_ring *ring, fmpz_mpoly_struct *v, size_t n);
double nh_random_value(uint64_t *state, signed char sign);

#endif
