/* Matrices of exact forms. Determinants and inverses by minors, each computed once and without divisions: in a ring
 * without unique factorisation elimination would leave factors behind that no division finds. */
#include "algebra/draft.h"
#include "algebra/work.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 10, MOST_COLUMNS = 16 };

/* A matrix of polynomials: the given one with the denominators of each row cleared. */
typedef struct matrix {
    size_t rows, columns;
    fmpz_mpoly_struct *p;      /* rows x columns */
    fmpz_mpoly_struct *scales; /* by row: p = scale * given */
} matrix;

static fmpz_mpoly_struct *polys(nh_ring *ring, size_t count)
{
    fmpz_mpoly_struct *p = flint_malloc((count + 1) * sizeof *p);
    for (size_t i = 0; i < count; i++)
        fmpz_mpoly_init(&p[i], ring->ctx);
    return p;
}

static fmpz_mpoly_struct *at(const matrix *m, size_t i, size_t j) { return &m->p[i * m->columns + j]; }

/* out = lcm(a, b) */
static void poly_lcm(nh_ring *ring, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ring->ctx);
    if (!fmpz_mpoly_gcd(g, a, b, ring->ctx) || !fmpz_mpoly_divides(g, b, g, ring->ctx))
        nh_job_give_up(ring->job, "a common divisor could not be found");
    nh_poly_mul(ring, out, a, g);
    fmpz_mpoly_clear(g, ring->ctx);
}

static matrix matrix_of(nh_ring *ring, size_t rows, size_t columns, const nh_expr *A)
{
    matrix m = {rows, columns, polys(ring, rows * columns), polys(ring, rows)};
    fmpz_mpoly_t factor;
    fmpz_mpoly_init(factor, ring->ctx);
    for (size_t i = 0; i < rows; i++) {
        fmpz_mpoly_one(&m.scales[i], ring->ctx);
        for (size_t j = 0; j < columns; j++)
            poly_lcm(ring, &m.scales[i], &m.scales[i],
                     fmpz_mpoly_q_denref(nh_ring_form(ring, A[i * columns + j])));
        for (size_t j = 0; j < columns; j++) {
            const fmpz_mpoly_q_struct *x = nh_ring_form(ring, A[i * columns + j]);
            if (fmpz_mpoly_divides(factor, &m.scales[i], fmpz_mpoly_q_denref(x), ring->ctx)) {
                nh_poly_mul(ring, at(&m, i, j), fmpz_mpoly_q_numref(x), factor);
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
static fmpz_mpoly_struct *all_minors(nh_ring *ring, const matrix *m, const size_t *rows, size_t count)
{
    size_t masks = (size_t)1 << m->columns;
    fmpz_mpoly_struct *minors = polys(ring, masks);
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
            const fmpz_mpoly_struct *entry = at(m, rows[k - 1], j),
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

static void free_polys(nh_ring *ring, fmpz_mpoly_struct *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fmpz_mpoly_clear(&p[i], ring->ctx);
    flint_free(p);
}

static void determinant(nh_ring *ring, fmpz_mpoly_t out, const matrix *m)
{
    size_t rows[MOST_COLUMNS];
    for (size_t i = 0; i < m->rows; i++)
        rows[i] = i;
    fmpz_mpoly_struct *minors = all_minors(ring, m, rows, m->rows);
    fmpz_mpoly_set(out, &minors[((size_t)1 << m->columns) - 1], ring->ctx);
    free_polys(ring, minors, (size_t)1 << m->columns);
}

/* adjugate[j][i] = (-1)^(i+j) minor without row i and column j */
static fmpz_mpoly_struct *adjugate(nh_ring *ring, const matrix *m)
{
    size_t n = m->rows, all = ((size_t)1 << n) - 1;
    fmpz_mpoly_struct *out = polys(ring, n * n);
    for (size_t i = 0; i < n; i++) {
        size_t rows[MOST_COLUMNS], count = 0;
        for (size_t k = 0; k < n; k++)
            if (k != i)
                rows[count++] = k;
        fmpz_mpoly_struct *minors = all_minors(ring, m, rows, count);
        for (size_t j = 0; j < n; j++) {
            fmpz_mpoly_set(&out[j * n + i], &minors[all & ~((size_t)1 << j)], ring->ctx);
            if ((i + j) % 2)
                fmpz_mpoly_neg(&out[j * n + i], &out[j * n + i], ring->ctx);
        }
        free_polys(ring, minors, all + 1);
    }
    return out;
}

/* ---------------------------------------------------------------- jobs */

typedef struct task {
    nh_algebra *algebra;
    size_t rows, inner, columns;
    const nh_expr *A, *B;
    size_t n_a, n_b; /* their entries */
    nh_expr *out;    /* in the draft's pool */
    size_t n_out;
    void (*body)(nh_ring *, void *);
    size_t rank, *pivot_rows, *pivot_columns;
    bool chained, flag;
} task;

static void set_fraction(nh_ring *ring, fmpz_mpoly_q_t x, const fmpz_mpoly_t above, const fmpz_mpoly_t below)
{
    if (fmpz_mpoly_is_zero(below, ring->ctx))
        nh_job_give_up(ring->job, "the matrix is singular");
    fmpz_mpoly_set(fmpz_mpoly_q_numref(x), above, ring->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_denref(x), below, ring->ctx);
    fmpz_mpoly_q_canonicalise(x, ring->ctx);
    nh_form_reduce(ring, x);
}

static bool work_on_task(nh_algebra *algebra, const nh_expr *in, nh_expr *out, void *arg)
{
    task *t = arg;
    t->algebra = algebra;
    t->A = in, t->B = t->n_b ? in + t->n_a : NULL;
    t->out = out;
    algebra->seconds_left = 0;
    return nh_work(algebra, in, t->n_a + t->n_b, t->chained, t->body, t);
}

static bool run_task(nh_algebra *algebra, task *t, void (*body)(nh_ring *, void *), nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    nh_expr *roots = nh_arena_array(&algebra->scratch, t->n_a + t->n_b + 1, sizeof *roots);
    for (size_t i = 0; i < t->n_a + t->n_b; i++)
        roots[i] = i < t->n_a ? t->A[i] : t->B[i - t->n_a];
    t->body = body;
    bool done = nh_draft_run(algebra, roots, t->n_a + t->n_b, out, t->n_out, work_on_task, t);
    nh_arena_release(&algebra->scratch, mark);
    return done;
}

/* sum_k A_ik B_kj; what is zero is left out. */
static void dot(nh_ring *ring, const task *t, size_t i, size_t j, fmpz_mpoly_q_t sum)
{
    fmpz_mpoly_q_t term;
    fmpz_mpoly_q_init(term, ring->ctx);
    fmpz_mpoly_q_zero(sum, ring->ctx);
    for (size_t k = 0; k < t->inner; k++) {
        const fmpz_mpoly_q_struct *a = nh_ring_form(ring, t->A[i * t->inner + k]);
        const fmpz_mpoly_q_struct *b = nh_ring_form(ring, t->B[k * t->columns + j]);
        if (nh_form_is_zero(ring, a) || nh_form_is_zero(ring, b))
            continue;
        nh_form_mul(ring, term, a, b);
        nh_form_add(ring, sum, sum, term);
    }
    fmpz_mpoly_q_clear(term, ring->ctx);
}

/* Entries that are equal, as in symmetric matrices, are written once. */
static void multiply(nh_ring *ring, void *arg)
{
    task *t = arg;
    size_t count = t->rows * t->columns;
    fmpz_mpoly_q_struct *sums = flint_malloc((count + 1) * sizeof *sums);
    for (size_t e = 0; e < count; e++) {
        size_t same = 0;
        fmpz_mpoly_q_init(&sums[e], ring->ctx);
        dot(ring, t, e / t->columns, e % t->columns, &sums[e]);
        while (same < e && !fmpz_mpoly_q_equal(&sums[same], &sums[e], ring->ctx))
            same++;
        t->out[e] = same < e ? t->out[same] : nh_form_expr(ring, &sums[e]);
    }
    for (size_t e = 0; e < count; e++)
        fmpz_mpoly_q_clear(&sums[e], ring->ctx);
    flint_free(sums);
}

bool nh_matrix_multiply(nh_algebra *algebra, size_t rows, size_t inner, size_t columns, const nh_expr *A,
                        const nh_expr *B, nh_expr *out)
{
    task t = {.rows = rows, .inner = inner, .columns = columns, .A = A, .B = B, .n_out = rows * columns};
    t.n_a = rows * inner, t.n_b = inner * columns;
    return run_task(algebra, &t, multiply, out);
}

static bool too_large(nh_algebra *algebra, size_t n, size_t most)
{
    if (n > most)
        algebra->reason = "the matrix is too large for explicit formulas";
    return n > most;
}

static void product_of_scales(nh_ring *ring, fmpz_mpoly_t out, const matrix *m)
{
    fmpz_mpoly_one(out, ring->ctx);
    for (size_t i = 0; i < m->rows; i++)
        nh_poly_mul(ring, out, out, &m->scales[i]);
}

static void find_determinant(nh_ring *ring, void *arg)
{
    task *t = arg;
    matrix m = matrix_of(ring, t->rows, t->columns, t->A);
    fmpz_mpoly_t det, scale;
    fmpz_mpoly_init(det, ring->ctx), fmpz_mpoly_init(scale, ring->ctx);
    determinant(ring, det, &m);
    product_of_scales(ring, scale, &m);
    fmpz_mpoly_q_t x;
    fmpz_mpoly_q_init(x, ring->ctx);
    set_fraction(ring, x, det, scale);
    t->out[0] = nh_form_expr(ring, x);
}

bool nh_matrix_determinant(nh_algebra *algebra, size_t n, const nh_expr *A, nh_expr *out)
{
    task t = {.rows = n, .columns = n, .A = A, .n_a = n * n, .n_out = 1};
    return !too_large(algebra, n, LARGEST) && run_task(algebra, &t, find_determinant, out);
}

/* given = S^-1 p: adj(given) = adj(p) adj(S^-1), adj(S^-1)_ii = s_i / prod s */
static void find_adjugate(nh_ring *ring, void *arg)
{
    task *t = arg;
    size_t n = t->rows;
    matrix m = matrix_of(ring, n, n, t->A);
    fmpz_mpoly_struct *adj = adjugate(ring, &m);
    fmpz_mpoly_t above, scale;
    fmpz_mpoly_init(above, ring->ctx), fmpz_mpoly_init(scale, ring->ctx);
    product_of_scales(ring, scale, &m);
    fmpz_mpoly_q_t x;
    fmpz_mpoly_q_init(x, ring->ctx);
    for (size_t k = 0; k < n * n; k++) {
        nh_poly_mul(ring, above, &adj[k], &m.scales[k % n]);
        set_fraction(ring, x, above, scale);
        t->out[k] = nh_form_expr(ring, x);
    }
}

bool nh_matrix_adjugate(nh_algebra *algebra, size_t n, const nh_expr *A, nh_expr *out)
{
    task t = {.rows = n, .columns = n, .A = A, .n_a = n * n, .n_out = n * n};
    return !too_large(algebra, n, LARGEST) && run_task(algebra, &t, find_adjugate, out);
}

/* det p from its first row and the adjugate */
static void determinant_from(nh_ring *ring, fmpz_mpoly_t det, const matrix *m, const fmpz_mpoly_struct *adj)
{
    fmpz_mpoly_t term;
    fmpz_mpoly_init(term, ring->ctx);
    fmpz_mpoly_zero(det, ring->ctx);
    for (size_t j = 0; j < m->columns; j++) {
        nh_poly_mul(ring, term, at(m, 0, j), &adj[j * m->columns]);
        fmpz_mpoly_add(det, det, term, ring->ctx);
    }
    fmpz_mpoly_clear(term, ring->ctx);
}

/* given^-1 = p^-1 S = adj(p) S / det p */
static void find_solution(nh_ring *ring, void *arg)
{
    task *t = arg;
    size_t n = t->rows;
    matrix m = matrix_of(ring, n, n, t->A);
    fmpz_mpoly_struct *adj = adjugate(ring, &m);
    fmpz_mpoly_t det, above;
    fmpz_mpoly_init(det, ring->ctx), fmpz_mpoly_init(above, ring->ctx);
    determinant_from(ring, det, &m, adj);
    fmpz_mpoly_q_t x, entry, sum;
    fmpz_mpoly_q_init(x, ring->ctx), fmpz_mpoly_q_init(entry, ring->ctx), fmpz_mpoly_q_init(sum, ring->ctx);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < t->columns; j++) {
            fmpz_mpoly_q_zero(sum, ring->ctx);
            for (size_t k = 0; k < n; k++) {
                if (!t->B && k != j)
                    continue;
                nh_poly_mul(ring, above, &adj[i * n + k], &m.scales[k]);
                set_fraction(ring, x, above, det);
                if (t->B) {
                    nh_form_mul(ring, entry, x, nh_ring_form(ring, t->B[k * t->columns + j]));
                    nh_form_add(ring, sum, sum, entry);
                } else {
                    fmpz_mpoly_q_set(sum, x, ring->ctx);
                }
            }
            t->out[i * t->columns + j] = nh_form_expr(ring, sum);
        }
}

bool nh_matrix_inverse(nh_algebra *algebra, size_t n, const nh_expr *A, nh_expr *out)
{
    task t = {.rows = n, .columns = n, .A = A, .n_a = n * n, .n_out = n * n};
    return !too_large(algebra, n, LARGEST) && run_task(algebra, &t, find_solution, out);
}

bool nh_matrix_solve(nh_algebra *algebra, size_t n, const nh_expr *A, size_t columns, const nh_expr *B,
                     nh_expr *out)
{
    task t = {.rows = n,
              .columns = columns,
              .A = A,
              .B = B,
              .n_a = n * n,
              .n_b = n * columns,
              .n_out = n * columns};
    return !too_large(algebra, n, LARGEST) && run_task(algebra, &t, find_solution, out);
}

/* ---------------------------------------------------------------- rank */

static double random_value(uint64_t *state, signed char sign)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t bits = nh_hash(*state);
    double size = 0.25 + (double)(bits >> 12) * 0x1p-52;
    return sign < 0 || (sign == 0 && (bits & 1)) ? -size : size;
}

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
static bool find_pivot(const entry *M, const task *t, const bool *used_row, const bool *used_column,
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
static bool pivots_at(entry *M, task *t)
{
    size_t rows = t->rows, columns = t->columns, row = 0, column = 0;
    for (size_t i = 0; i < rows * columns; i++)
        if (!isfinite(M[i].value) || !isfinite(M[i].error))
            return false;
    bool used_row[MOST_COLUMNS] = {false}, used_column[MOST_COLUMNS] = {false};
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
static bool find_pivots(nh_algebra *algebra, task *t)
{
    size_t n = algebra->pool->n_symbols, size = t->rows * t->columns;
    t->pivot_rows = nh_arena_array(&algebra->scratch, t->rows + 1, sizeof *t->pivot_rows);
    t->pivot_columns = nh_arena_array(&algebra->scratch, t->columns + 1, sizeof *t->pivot_columns);
    task trial = *t;
    trial.pivot_rows = nh_arena_array(&algebra->scratch, t->rows + 1, sizeof *t->pivot_rows);
    trial.pivot_columns = nh_arena_array(&algebra->scratch, t->columns + 1, sizeof *t->pivot_columns);
    double *values = nh_arena_array(&algebra->scratch, n + 1, sizeof *values);
    double *out = nh_arena_array(&algebra->scratch, 2 * size + 1, sizeof *out);
    entry *M = nh_arena_array(&algebra->scratch, size + 1, sizeof *M);
    uint64_t state = 4711;
    int points = 0;
    for (int tries = 0; tries < POINTS_TRIED && points < POINTS_WANTED; tries++) {
        for (size_t i = 0; i < n; i++)
            values[i] = random_value(&state, algebra->signs ? algebra->signs[i] : 0);
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

static size_t pivot_mask(const task *t)
{
    size_t mask = 0;
    for (size_t k = 0; k < t->rank; k++)
        mask |= (size_t)1 << t->pivot_columns[k];
    return mask;
}

/* The rank is r if a minor of r rows and columns is not zero, and all that border it are (Kronecker). */
static void prove_rank(nh_ring *ring, const matrix *m, const task *t)
{
    size_t r = t->rank, rows[MOST_COLUMNS + 1], masks = (size_t)1 << m->columns, pivots = pivot_mask(t);
    memcpy(rows, t->pivot_rows, r * sizeof *rows);
    fmpz_mpoly_struct *minors = all_minors(ring, m, rows, r);
    bool proved = !fmpz_mpoly_is_zero(&minors[pivots], ring->ctx);
    free_polys(ring, minors, masks);
    for (size_t i = 0; i < t->rows && proved && r < t->rows && r < t->columns; i++) {
        rows[r] = i;
        minors = all_minors(ring, m, rows, r + 1);
        for (size_t j = 0; j < t->columns; j++)
            proved = proved &&
                     (pivots >> j & 1 || fmpz_mpoly_is_zero(&minors[pivots | (size_t)1 << j], ring->ctx));
        free_polys(ring, minors, masks);
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
static void add_squares(nh_ring *ring, fmpz_mpoly_t sum, const matrix *m, const size_t *rows, size_t r)
{
    fmpz_mpoly_struct *minors = all_minors(ring, m, rows, r);
    fmpz_mpoly_t square;
    fmpz_mpoly_init(square, ring->ctx);
    for (size_t mask = 0; mask < (size_t)1 << m->columns; mask++)
        if ((size_t)__builtin_popcountll(mask) == r) {
            nh_poly_mul(ring, square, &minors[mask], &minors[mask]);
            fmpz_mpoly_add(sum, sum, square, ring->ctx);
        }
    fmpz_mpoly_clear(square, ring->ctx);
    free_polys(ring, minors, (size_t)1 << m->columns);
}

/* The sum of the squares of all minors of order r: zero where the rank is less. */
static void sum_of_squares(nh_ring *ring, fmpz_mpoly_t sum, const matrix *m, size_t r)
{
    fmpz_mpoly_zero(sum, ring->ctx);
    for (size_t chosen = 0; chosen < (size_t)1 << m->rows; chosen++) {
        size_t rows[MOST_COLUMNS], count = 0;
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
    task *t = arg;
    matrix m = matrix_of(ring, t->rows, t->columns, t->A);
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
    task t = {.rows = rows, .columns = columns, .A = A, .n_a = rows * columns, .n_out = 1};
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    bool done = !too_large(algebra, columns, MOST_COLUMNS) && !too_large(algebra, rows, MOST_COLUMNS) &&
                find_pivots(algebra, &t) && run_task(algebra, &t, find_rank, condition);
    if (done)
        *rank = t.rank;
    nh_arena_release(&algebra->scratch, mark);
    return done;
}

/* ---------------------------------------------------------------- null space */

/* v divided by the common divisor of its entries, and by -1 where most of them begin with a minus. */
static void reduce_vector(nh_ring *ring, fmpz_mpoly_struct *v, size_t n)
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
static void null_vector(nh_ring *ring, const matrix *m, const fmpz_mpoly_struct *minors, size_t mask,
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
    reduce_vector(ring, v, m->columns);
}

static matrix null_basis(nh_ring *ring, const matrix *m, const fmpz_mpoly_struct *minors, size_t mask,
                         size_t r)
{
    matrix basis = {m->columns - r, m->columns, polys(ring, (m->columns - r) * m->columns), NULL};
    size_t row = 0;
    for (size_t j = 0; j < m->columns; j++)
        if (!(mask >> j & 1))
            null_vector(ring, m, minors, mask, j, at(&basis, row++, 0));
    return basis;
}

typedef struct independence {
    nh_ring *ring;
    const matrix *basis;
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
static bool never_dependent(nh_ring *ring, const matrix *basis)
{
    independence i = {ring, basis, false};
    return nh_job_try(ring->job, show_independence, &i) && i.shown;
}

static slong terms_of(nh_ring *ring, const matrix *m)
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
    task *t = arg;
    size_t r = t->rank, tried = 0;
    matrix m = matrix_of(ring, t->rows, t->columns, t->A), best = {0, 0, NULL, NULL};
    prove_rank(ring, &m, t);
    fmpz_mpoly_struct *minors = all_minors(ring, &m, t->pivot_rows, r);
    for (int easy = 1; easy >= 0 && !t->flag; easy--)
        for (size_t mask = 0; mask < (size_t)1 << t->columns && tried < MOST_BASES; mask++) {
            if ((size_t)__builtin_popcountll(mask) != r || fmpz_mpoly_is_zero(&minors[mask], ring->ctx))
                continue;
            if (easy && !never_zero(ring, &minors[mask]))
                continue;
            matrix basis = null_basis(ring, &m, minors, mask, r);
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
    task t = {.rows = rows, .columns = columns, .A = A, .n_a = rows * columns};
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    bool done = !too_large(algebra, columns, MOST_COLUMNS) && !too_large(algebra, rows, MOST_COLUMNS) &&
                find_pivots(algebra, &t);
    t.n_out = done ? (columns - t.rank) * columns : 0;
    done = done && run_task(algebra, &t, find_null_space, out);
    if (done)
        *count = columns - t.rank, *everywhere = t.flag;
    nh_arena_release(&algebra->scratch, mark);
    return done;
}

/* ---------------------------------------------------------------- positive definite */

static void find_leading_minors(nh_ring *ring, void *arg)
{
    task *t = arg;
    t->flag = true;
    fmpz_mpoly_t det, scale;
    fmpz_mpoly_init(det, ring->ctx), fmpz_mpoly_init(scale, ring->ctx);
    nh_expr *part = flint_malloc(t->rows * t->rows * sizeof *part);
    for (size_t k = 1; k <= t->rows; k++) {
        for (size_t i = 0; i < k * k; i++)
            part[i] = t->A[i / k * t->rows + i % k];
        matrix m = matrix_of(ring, k, k, part);
        determinant(ring, det, &m);
        product_of_scales(ring, scale, &m);
        t->flag = t->flag && nh_poly_is_positive(ring, det, true) && nh_poly_is_positive(ring, scale, true);
        fmpz_mpoly_q_t x;
        fmpz_mpoly_q_init(x, ring->ctx);
        set_fraction(ring, x, det, scale);
        t->out[k - 1] = nh_form_expr(ring, x);
    }
    flint_free(part);
}

/* A leading minor that is negative somewhere. */
static bool negative_somewhere(nh_algebra *algebra, const nh_expr *minors, size_t count)
{
    size_t n = algebra->pool->n_symbols;
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    double *values = nh_arena_array(&algebra->scratch, n + 1, sizeof *values);
    double *out = nh_arena_array(&algebra->scratch, count + 1, sizeof *out);
    double *errors = nh_arena_array(&algebra->scratch, count + 1, sizeof *errors);
    uint64_t state = 99;
    bool negative = false;
    for (int tries = 0; tries < 200 && !negative; tries++) {
        for (size_t i = 0; i < n; i++)
            values[i] =
                random_value(&state, algebra->signs ? algebra->signs[i] : 0) * (tries % 3 == 0 ? 4 : 1);
        nh_evaluate(algebra->pool, &algebra->scratch, minors, count, values, out, errors);
        for (size_t i = 0; i < count; i++)
            negative = negative || out[i] < -1000 * errors[i];
    }
    nh_arena_release(&algebra->scratch, mark);
    return negative;
}

/* In the angles, and in their differences. */
static bool find_definiteness(nh_algebra *algebra, const nh_expr *in, nh_expr *out, void *arg)
{
    task *t = arg;
    (void)out;
    nh_expr *minors = nh_arena_array(&algebra->scratch, t->rows + 1, sizeof *minors);
    bool done = work_on_task(algebra, in, minors, t);
    if (done && !t->flag && negative_somewhere(algebra, minors, t->rows))
        return false;
    t->chained = true;
    if (!t->flag || !done)
        t->flag = work_on_task(algebra, in, minors, t) && t->flag;
    return true;
}

nh_answer nh_matrix_positive(nh_algebra *algebra, size_t n, const nh_expr *A)
{
    task t = {.rows = n, .columns = n, .n_a = n * n, .body = find_leading_minors};
    if (too_large(algebra, n, LARGEST))
        return NH_UNKNOWN;
    bool negative = !nh_draft_run(algebra, A, n * n, NULL, 0, find_definiteness, &t);
    return negative ? NH_NO : t.flag ? NH_YES : NH_UNKNOWN;
}
