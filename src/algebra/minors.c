/* Matrices of polynomials, and their minors, each computed once and without divisions: in a ring without unique factorisation
 * elimination would leave factors behind that no division finds. */
#include "algebra/matrix.h"

fmpz_mpoly_struct *nh_polys(nh_ring *ring, size_t count)
{
    fmpz_mpoly_struct *p = flint_malloc((count + 1) * sizeof *p);
    for (size_t i = 0; i < count; i++)
        fmpz_mpoly_init(&p[i], ring->ctx);
    return p;
}

/* out = lcm(a, b) */
static void poly_lcm(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ring->ctx);
    nh_poly_gcd(ring, g, a, b);
    fmpz_mpoly_divides(g, b, g, ring->ctx);
    nh_poly_mul(ring, out, a, g);
    fmpz_mpoly_clear(g, ring->ctx);
}

nh_poly_matrix nh_polys_of(nh_ring *ring, size_t rows, size_t columns, const nh_expr *A)
{
    nh_poly_matrix m = {rows, columns, nh_polys(ring, rows * columns), nh_polys(ring, rows)};
    fmpz_mpoly_t factor;
    fmpz_mpoly_init(factor, ring->ctx);
    for (size_t i = 0; i < rows; i++) {
        fmpz_mpoly_one(&m.scales[i], ring->ctx);
        for (size_t j = 0; j < columns; j++)
            poly_lcm(ring, &m.scales[i], &m.scales[i], nh_q_denref(nh_ring_form(ring, A[i * columns + j])));
        for (size_t j = 0; j < columns; j++) {
            const nh_q_struct *x = nh_ring_form(ring, A[i * columns + j]);
            if (fmpz_mpoly_divides(factor, &m.scales[i], nh_q_denref(x), ring->ctx)) {
                nh_poly_mul(ring, nh_entry(&m, i, j), nh_q_numref(x), factor);
            } else { /* reduction has changed the product: one factor more does no harm */
                nh_job_give_up(ring->job, "denominators could not be cleared");
            }
        }
    }
    fmpz_mpoly_clear(factor, ring->ctx);
    return m;
}

/* ---------------------------------------------------------------- minors */

/* minors[mask]: of rows[0..k) and the k columns in the mask, k = bits of the mask; expanded by the last row. */
fmpz_mpoly_struct *nh_all_minors(nh_ring *ring, const nh_poly_matrix *m, const size_t *rows, size_t count)
{
    size_t masks = (size_t)1 << m->columns;
    fmpz_mpoly_struct *minors = nh_polys(ring, masks);
    fmpz_mpoly_t term;
    fmpz_mpoly_init(term, ring->ctx);
    fmpz_mpoly_one(&minors[0], ring->ctx);
    for (size_t mask = 1; mask < masks; mask++) {
        size_t k = (size_t)__builtin_popcountll(mask), left = k;
        if (k > count)
            continue;
        for (size_t j = 0; j < m->columns; j++) {
            if (!(mask >> j & 1))
                continue;
            left--; /* columns of the mask to the right of j */
            const fmpz_mpoly_struct *entry = nh_entry(m, rows[k - 1], j),
                                    *minor = &minors[mask & ~((size_t)1 << j)];
            if (fmpz_mpoly_is_zero(entry, ring->ctx) || fmpz_mpoly_is_zero(minor, ring->ctx))
                continue;
            nh_poly_mul(ring, term, entry, minor);
            if (left % 2)
                fmpz_mpoly_sub(&minors[mask], &minors[mask], term, ring->ctx);
            else
                fmpz_mpoly_add(&minors[mask], &minors[mask], term, ring->ctx);
        }
    }
    fmpz_mpoly_clear(term, ring->ctx);
    return minors;
}

void nh_polys_free(nh_ring *ring, fmpz_mpoly_struct *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fmpz_mpoly_clear(&p[i], ring->ctx);
    flint_free(p);
}

void nh_poly_determinant(nh_ring *ring, fmpz_mpoly_t out, const nh_poly_matrix *m)
{
    size_t rows[NH_MOST_COLUMNS];
    for (size_t i = 0; i < m->rows; i++)
        rows[i] = i;
    fmpz_mpoly_struct *minors = nh_all_minors(ring, m, rows, m->rows);
    fmpz_mpoly_set(out, &minors[((size_t)1 << m->columns) - 1], ring->ctx);
    nh_polys_free(ring, minors, (size_t)1 << m->columns);
}
