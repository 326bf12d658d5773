/* The rank of a matrix with the states where it drops, and its null space. */
#include "algebra/draft.h"
#include "algebra/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An entry and a bound for its error. */
typedef struct entry {
    double value, error;
} entry;

/* x - y z / p */
static entry eliminate(entry x, entry y, entry z, entry p)
{
    double factor = y.value / p.value, change = factor * z.value;
    double factor_error = (y.error + fabs(factor) * p.error) / fabs(p.value);
    double error = x.error + fabs(factor) * z.error + 2 * factor_error * (fabs(z.value) + z.error);
    return (entry){x.value - change, error + 4 * DBL_EPSILON * (fabs(x.value) + fabs(change))};
}

/* The entry left that is surest not to be zero; false: none is. */
static bool find_pivot(const entry *M, const nh_task *t, const bool *used_row, const bool *used_column,
                       size_t *row, size_t *column)
{
    double best = 1000;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->columns; j++) {
            entry e = M[i * t->columns + j];
            double sure = fabs(e.value) / (e.error + DBL_MIN);
            if (!used_row[i] && !used_column[j] && sure > best)
                best = sure, *row = i, *column = j;
        }
    return best > 1000;
}

/* Gauss elimination at one random point; false: the point is none for the matrix. */
static bool pivots_at(entry *M, nh_task *t)
{
    size_t rows = t->rows, columns = t->columns, row = 0, column = 0;
    for (size_t i = 0; i < rows * columns; i++)
        if (!isfinite(M[i].value) || !isfinite(M[i].error))
            return false;
    bool used_row[NH_MOST_COLUMNS] = {false}, used_column[NH_MOST_COLUMNS] = {false};
    for (t->rank = 0; find_pivot(M, t, used_row, used_column, &row, &column); t->rank++) {
        used_row[row] = used_column[column] = true;
        t->pivot_rows[t->rank] = row, t->pivot_columns[t->rank] = column;
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns && !used_row[i]; j++)
                if (j != column)
                    M[i * columns + j] = eliminate(M[i * columns + j], M[i * columns + column],
                                                   M[row * columns + j], M[row * columns + column]);
    }
    return true;
}

static void sort_indices(size_t *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && x[j] < x[j - 1]; j--) {
            size_t swap = x[j];
            x[j] = x[j - 1], x[j - 1] = swap;
        }
}

enum { POINTS_TRIED = 50, POINTS_WANTED = 3 };

/* The largest of the ranks at some random points, and pivots there. */
static bool find_pivots(nh_algebra *algebra, nh_task *t)
{
    size_t n = algebra->pool->n_symbols, size = t->rows * t->columns;
    t->pivot_rows = nh_arena_array(&algebra->scratch, t->rows + 1, sizeof *t->pivot_rows);
    t->pivot_columns = nh_arena_array(&algebra->scratch, t->columns + 1, sizeof *t->pivot_columns);
    nh_task trial = *t;
    trial.pivot_rows = nh_arena_array(&algebra->scratch, t->rows + 1, sizeof *t->pivot_rows);
    trial.pivot_columns = nh_arena_array(&algebra->scratch, t->columns + 1, sizeof *t->pivot_columns);
    double *values = nh_arena_array(&algebra->scratch, n + 1, sizeof *values);
    double *out = nh_arena_array(&algebra->scratch, 2 * size + 1, sizeof *out);
    entry *M = nh_arena_array(&algebra->scratch, size + 1, sizeof *M);
    uint64_t state = 4711;
    int points = 0;
    for (int tries = 0; tries < POINTS_TRIED && points < POINTS_WANTED; tries++) {
        for (size_t i = 0; i < n; i++)
            values[i] = nh_random_value(&state, algebra->signs ? algebra->signs[i] : 0);
        nh_evaluate(algebra->pool, &algebra->scratch, t->A, size, values, out, out + size);
        for (size_t i = 0; i < size; i++)
            M[i] = (entry){out[i], out[size + i]};
        if (!pivots_at(M, &trial) || (points++ > 0 && trial.rank <= t->rank))
            continue;
        t->rank = trial.rank;
        memcpy(t->pivot_rows, trial.pivot_rows, t->rows * sizeof *t->pivot_rows);
        memcpy(t->pivot_columns, trial.pivot_columns, t->columns * sizeof *t->pivot_columns);
    }
    sort_indices(t->pivot_rows, t->rank);
    sort_indices(t->pivot_columns, t->rank);
    if (points == 0)
        algebra->reason = "no point was found at which the matrix has a value";
    return points > 0;
}

static size_t pivot_mask(const nh_task *t)
{
    size_t mask = 0;
    for (size_t k = 0; k < t->rank; k++)
        mask |= (size_t)1 << t->pivot_columns[k];
    return mask;
}

/* The rank is r if a minor of r rows and columns is not zero, and all that border it are (Kronecker). */
static void prove_rank(nh_ring *ring, const nh_poly_matrix *m, const nh_task *t)
{
    size_t r = t->rank, rows[NH_MOST_COLUMNS + 1], masks = (size_t)1 << m->columns, pivots = pivot_mask(t);
    memcpy(rows, t->pivot_rows, r * sizeof *rows);
    fmpz_mpoly_struct *minors = nh_all_minors(ring, m, rows, r);
    bool proved = !fmpz_mpoly_is_zero(&minors[pivots], ring->ctx);
    nh_polys_free(ring, minors, masks);
    for (size_t i = 0; i < t->rows && proved && r < t->rows && r < t->columns; i++) {
        rows[r] = i;
        minors = nh_all_minors(ring, m, rows, r + 1);
        for (size_t j = 0; j < t->columns; j++)
            proved = proved &&
                     (pivots >> j & 1 || fmpz_mpoly_is_zero(&minors[pivots | (size_t)1 << j], ring->ctx));
        nh_polys_free(ring, minors, masks);
    }
    if (!proved)
        nh_job_give_up(ring->job, "the rank could not be proved");
}

/* The product of the different irreducible factors of p that may vanish; 1: none may. */
static void vanishing_part(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ring->ctx);
    fmpz_mpoly_t base, minus;
    fmpz_mpoly_init(base, ring->ctx), fmpz_mpoly_init(minus, ring->ctx);
    fmpz_mpoly_one(out, ring->ctx);
    if (!fmpz_mpoly_factor(f, p, ring->ctx))
        nh_job_give_up(ring->job, "a polynomial could not be factored");
    fmpz_mpoly_factor_sort(f, ring->ctx);
    for (slong i = 0; i < fmpz_mpoly_factor_length(f, ring->ctx); i++) {
        fmpz_mpoly_factor_get_base(base, f, i, ring->ctx);
        fmpz_mpoly_neg(minus, base, ring->ctx);
        if (!nh_poly_is_positive(ring, base, true) && !nh_poly_is_positive(ring, minus, true))
            fmpz_mpoly_mul(out, out, base, ring->ctx);
    }
    fmpz_mpoly_clear(base, ring->ctx), fmpz_mpoly_clear(minus, ring->ctx);
    fmpz_mpoly_factor_clear(f, ring->ctx);
}

/* Adds the squares of the minors of r rows to the sum: zero where these rows are dependent. */
static void add_squares(nh_ring *ring, fmpz_mpoly_t sum, const nh_poly_matrix *m, const size_t *rows,
                        size_t r)
{
    fmpz_mpoly_struct *minors = nh_all_minors(ring, m, rows, r);
    fmpz_mpoly_t square;
    fmpz_mpoly_init(square, ring->ctx);
    for (size_t mask = 0; mask < (size_t)1 << m->columns; mask++)
        if ((size_t)__builtin_popcountll(mask) == r) {
            nh_poly_mul(ring, square, &minors[mask], &minors[mask]);
            fmpz_mpoly_add(sum, sum, square, ring->ctx);
        }
    fmpz_mpoly_clear(square, ring->ctx);
    nh_polys_free(ring, minors, (size_t)1 << m->columns);
}

/* The sum of the squares of all minors of order r: zero where the rank is less. */
static void sum_of_squares(nh_ring *ring, fmpz_mpoly_t sum, const nh_poly_matrix *m, size_t r)
{
    fmpz_mpoly_zero(sum, ring->ctx);
    for (size_t chosen = 0; chosen < (size_t)1 << m->rows; chosen++) {
        size_t rows[NH_MOST_COLUMNS], count = 0;
        if ((size_t)__builtin_popcountll(chosen) != r)
            continue;
        for (size_t i = 0; i < m->rows; i++)
            if (chosen >> i & 1)
                rows[count++] = i;
        add_squares(ring, sum, m, rows, r);
    }
}

/* Where the factors are written with c^2 = 1 - s^2 or the reverse, whichever has fewer terms. */
static void find_rank(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    nh_poly_matrix m = nh_polys_of(ring, t->rows, t->columns, t->A);
    prove_rank(ring, &m, t);
    fmpz_mpoly_t sum, part;
    fmpz_mpoly_init(sum, ring->ctx), fmpz_mpoly_init(part, ring->ctx);
    sum_of_squares(ring, sum, &m, t->rank);
    nh_poly_fewest_terms(ring, sum);
    vanishing_part(ring, part, sum);
    if (!fmpz_mpoly_is_one(part, ring->ctx))
        t->out[0] = nh_poly_expr(ring, part);
}

bool nh_matrix_rank(nh_algebra *algebra, size_t rows, size_t columns, const nh_expr *A, size_t *rank,
                    nh_expr *condition)
{
    nh_task t = {.rows = rows, .columns = columns, .A = A, .n_a = rows * columns, .n_out = 1};
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    bool done = !nh_too_large(algebra, columns, NH_MOST_COLUMNS) &&
                !nh_too_large(algebra, rows, NH_MOST_COLUMNS) && find_pivots(algebra, &t) &&
                nh_task_run(algebra, &t, find_rank, condition);
    if (done)
        *rank = t.rank;
    nh_arena_release(&algebra->scratch, mark);
    return done;
}

/* ---------------------------------------------------------------- null space */

/* v divided by the common divisor of its entries, and by -1 where most of them begin with a minus. */
void nh_reduce_vector(nh_ring *ring, fmpz_mpoly_struct *v, size_t n)
{
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ring->ctx);
    for (size_t k = 0; k < n; k++)
        if (!fmpz_mpoly_gcd(g, g, &v[k], ring->ctx))
            nh_job_give_up(ring->job, "a common divisor could not be found");
    fmpz_t c;
    fmpz_init(c);
    int signs = 0;
    for (size_t k = 0; k < n; k++) {
        if (fmpz_mpoly_is_zero(&v[k], ring->ctx))
            continue;
        fmpz_mpoly_divides(&v[k], &v[k], g, ring->ctx);
        fmpz_mpoly_get_term_coeff_fmpz(c, &v[k], 0, ring->ctx);
        signs += fmpz_sgn(c);
    }
    for (size_t k = 0; k < n && signs < 0; k++)
        fmpz_mpoly_neg(&v[k], &v[k], ring->ctx);
    fmpz_clear(c);
    fmpz_mpoly_clear(g, ring->ctx);
}

/* Cramer's rule with pivot columns `mask`: for a free column j the vector with det at j and, at the k-th pivot column,
 * minus the determinant with that column replaced by column j. */
static void null_vector(nh_ring *ring, const nh_poly_matrix *m, const fmpz_mpoly_struct *minors, size_t mask,
                        size_t j, fmpz_mpoly_struct *v)
{
    for (size_t k = 0; k < m->columns; k++) {
        fmpz_mpoly_zero(&v[k], ring->ctx);
        if (!(mask >> k & 1))
            continue;
        size_t low = k < j ? k : j, high = k < j ? j : k, between = mask & ~((size_t)1 << k);
        between &= ((size_t)1 << high) - ((size_t)1 << (low + 1));
        fmpz_mpoly_set(&v[k], &minors[(mask & ~((size_t)1 << k)) | (size_t)1 << j], ring->ctx);
        if (__builtin_popcountll(between) % 2 == 0)
            fmpz_mpoly_neg(&v[k], &v[k], ring->ctx);
    }
    fmpz_mpoly_set(&v[j], &minors[mask], ring->ctx);
    nh_reduce_vector(ring, v, m->columns);
}

static nh_poly_matrix null_basis(nh_ring *ring, const nh_poly_matrix *m, const fmpz_mpoly_struct *minors,
                                 size_t mask, size_t r)
{
    nh_poly_matrix basis = {m->columns - r, m->columns, nh_polys(ring, (m->columns - r) * m->columns), NULL};
    size_t row = 0;
    for (size_t j = 0; j < m->columns; j++)
        if (!(mask >> j & 1))
            null_vector(ring, m, minors, mask, j, nh_entry(&basis, row++, 0));
    return basis;
}

typedef struct independence {
    nh_ring *ring;
    const nh_poly_matrix *basis;
    bool shown;
} independence;

static void show_independence(void *arg)
{
    independence *i = arg;
    fmpz_mpoly_t sum;
    fmpz_mpoly_init(sum, i->ring->ctx);
    sum_of_squares(i->ring, sum, i->basis, i->basis->rows);
    i->shown = nh_poly_is_positive(i->ring, sum, true);
    fmpz_mpoly_clear(sum, i->ring->ctx);
}

/* Whether the rows are shown to be independent at every point. */
static bool never_dependent(nh_ring *ring, const nh_poly_matrix *basis)
{
    independence i = {ring, basis, false};
    return nh_job_try(ring->job, show_independence, &i) && i.shown;
}

static slong terms_of(nh_ring *ring, const nh_poly_matrix *m)
{
    slong terms = 0;
    for (size_t i = 0; i < m->rows * m->columns; i++)
        terms += fmpz_mpoly_length(&m->p[i], ring->ctx);
    return terms;
}

enum { MOST_BASES = 64 };

/* A pivot minor that never vanishes: its basis is never dependent, since each vector has it at a place of its own. */
static bool never_zero(nh_ring *ring, const fmpz_mpoly_t p)
{
    fmpz_mpoly_t minus;
    fmpz_mpoly_init(minus, ring->ctx);
    fmpz_mpoly_neg(minus, p, ring->ctx);
    bool never = nh_poly_is_positive(ring, p, true) || nh_poly_is_positive(ring, minus, true);
    fmpz_mpoly_clear(minus, ring->ctx);
    return never;
}

/* Among the bases for all choices of pivot columns: one that is never dependent, of the fewest terms. First those whose
 * pivot minor shows it, then, where there are none, the others. */
static void find_null_space(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    size_t r = t->rank, tried = 0;
    nh_poly_matrix m = nh_polys_of(ring, t->rows, t->columns, t->A), best = {0, 0, NULL, NULL};
    prove_rank(ring, &m, t);
    fmpz_mpoly_struct *minors = nh_all_minors(ring, &m, t->pivot_rows, r);
    for (int easy = 1; easy >= 0 && !t->flag; easy--)
        for (size_t mask = 0; mask < (size_t)1 << t->columns && tried < MOST_BASES; mask++) {
            if ((size_t)__builtin_popcountll(mask) != r || fmpz_mpoly_is_zero(&minors[mask], ring->ctx))
                continue;
            if (easy && !never_zero(ring, &minors[mask]))
                continue;
            nh_poly_matrix basis = null_basis(ring, &m, minors, mask, r);
            bool never = easy || never_dependent(ring, &basis);
            tried++;
            if (!best.p || (never && !t->flag) ||
                (never == t->flag && terms_of(ring, &basis) < terms_of(ring, &best))) {
                best = basis;
                t->flag = never;
            }
        }
    for (size_t i = 0; i < best.rows * best.columns; i++)
        t->out[i] = nh_poly_expr(ring, &best.p[i]);
}

bool nh_matrix_null_space(nh_algebra *algebra, size_t rows, size_t columns, const nh_expr *A, size_t *count,
                          nh_expr *out, bool *everywhere)
{
    nh_task t = {.rows = rows, .columns = columns, .A = A, .n_a = rows * columns};
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    bool done = !nh_too_large(algebra, columns, NH_MOST_COLUMNS) &&
                !nh_too_large(algebra, rows, NH_MOST_COLUMNS) && find_pivots(algebra, &t);
    t.n_out = done ? (columns - t.rank) * columns : 0;
    done = done && nh_task_run(algebra, &t, find_null_space, out);
    if (done)
        *count = columns - t.rank, *everywhere = t.flag;
    nh_arena_release(&algebra->scratch, mark);
    return done;
}
