/* Matrices of exact forms: products, determinants, inverses, definiteness. */
#include "algebra/matrix.h"
#include "algebra/draft.h"

#include <string.h>

/* adjugate[j][i] = (-1)^(i+j) minor without row i and column j */
static fmpz_mpoly_struct *adjugate(nh_ring *ring, const nh_poly_matrix *m)
{
    size_t n = m->rows, all = ((size_t)1 << n) - 1;
    fmpz_mpoly_struct *out = nh_polys(ring, n * n);
    for (size_t i = 0; i < n; i++) {
        size_t rows[NH_MOST_COLUMNS], count = 0;
        for (size_t k = 0; k < n; k++)
            if (k != i)
                rows[count++] = k;
        fmpz_mpoly_struct *minors = nh_all_minors(ring, m, rows, count);
        for (size_t j = 0; j < n; j++) {
            fmpz_mpoly_set(&out[j * n + i], &minors[all & ~((size_t)1 << j)], ring->ctx);
            if ((i + j) % 2)
                fmpz_mpoly_neg(&out[j * n + i], &out[j * n + i], ring->ctx);
        }
        nh_polys_free(ring, minors, all + 1);
    }
    return out;
}

void nh_set_fraction(nh_ring *ring, nh_q_t x, const fmpz_mpoly_t above, const fmpz_mpoly_t below)
{
    if (fmpz_mpoly_is_zero(below, ring->ctx))
        nh_job_give_up(ring->job, "the matrix is singular");
    fmpz_mpoly_set(nh_q_numref(x), above, ring->ctx);
    fmpz_mpoly_set(nh_q_denref(x), below, ring->ctx);
    nh_form_cancel(ring, x);
    nh_form_reduce(ring, x);
}

bool nh_task_work(nh_algebra *algebra, const nh_expr *in, nh_expr *out, void *arg)
{
    nh_task *t = arg;
    t->algebra = algebra;
    t->A = in, t->B = t->n_b ? in + t->n_a : NULL;
    t->out = out;
    algebra->seconds_left = 0;
    return nh_work(algebra, in, t->n_a + t->n_b, t->chained, t->body, t);
}

bool nh_task_run(nh_algebra *algebra, nh_task *t, void (*body)(nh_ring *, void *), nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    nh_expr *roots = nh_arena_array(&algebra->scratch, t->n_a + t->n_b + 1, sizeof *roots);
    for (size_t i = 0; i < t->n_a + t->n_b; i++)
        roots[i] = i < t->n_a ? t->A[i] : t->B[i - t->n_a];
    t->body = body;
    bool done = nh_draft_run(algebra, roots, t->n_a + t->n_b, out, t->n_out, nh_task_work, t);
    nh_arena_release(&algebra->scratch, mark);
    return done;
}

/* sum_k A_ik B_kj; what is zero is left out. */
static void dot(nh_ring *ring, const nh_task *t, size_t i, size_t j, nh_q_t sum)
{
    nh_q_t term;
    nh_q_init(term, ring->ctx);
    nh_q_zero(sum, ring->ctx);
    for (size_t k = 0; k < t->inner; k++) {
        const nh_q_struct *a = nh_ring_form(ring, t->A[i * t->inner + k]);
        const nh_q_struct *b = nh_ring_form(ring, t->B[k * t->columns + j]);
        if (nh_form_is_zero(ring, a) || nh_form_is_zero(ring, b))
            continue;
        nh_form_mul(ring, term, a, b);
        nh_form_add(ring, sum, sum, term);
    }
    nh_q_clear(term, ring->ctx);
}

/* Entries that are equal are written once. */
static void multiply(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    size_t count = t->rows * t->columns;
    nh_q_struct *sums = flint_malloc((count + 1) * sizeof *sums);
    for (size_t e = 0; e < count; e++) {
        size_t i = e / t->columns, j = e % t->columns, same = 0;
        nh_q_init(&sums[e], ring->ctx);
        if (t->symmetric && j < i) {
            nh_q_set(&sums[e], &sums[j * t->columns + i], ring->ctx);
            t->out[e] = t->out[j * t->columns + i];
            continue;
        }
        dot(ring, t, i, j, &sums[e]);
        while (same < e && !nh_q_equal(&sums[same], &sums[e], ring->ctx))
            same++;
        t->out[e] = same < e ? t->out[same] : nh_form_expr(ring, &sums[e]);
    }
    for (size_t e = 0; e < count; e++)
        nh_q_clear(&sums[e], ring->ctx);
    flint_free(sums);
}

static bool run_product(nh_algebra *algebra, nh_task *t, nh_expr *out)
{
    t->n_a = t->rows * t->inner, t->n_b = t->inner * t->columns, t->n_out = t->rows * t->columns;
    return nh_task_run(algebra, t, multiply, out);
}

bool nh_matrix_multiply(nh_algebra *algebra, size_t rows, size_t inner, size_t columns, const nh_expr *A,
                        const nh_expr *B, nh_expr *out)
{
    nh_task t = {.rows = rows, .inner = inner, .columns = columns, .A = A, .B = B};
    return run_product(algebra, &t, out);
}

bool nh_matrix_multiply_symmetric(nh_algebra *algebra, size_t n, size_t inner, const nh_expr *A,
                                  const nh_expr *B, nh_expr *out)
{
    nh_task t = {.rows = n, .inner = inner, .columns = n, .A = A, .B = B, .symmetric = true};
    return run_product(algebra, &t, out);
}

bool nh_too_large(nh_algebra *algebra, size_t n, size_t most)
{
    if (n > most)
        algebra->reason = "the matrix is too large for explicit formulas";
    return n > most;
}

void nh_product_of_scales(nh_ring *ring, fmpz_mpoly_t out, const nh_poly_matrix *m)
{
    fmpz_mpoly_one(out, ring->ctx);
    for (size_t i = 0; i < m->rows; i++)
        nh_poly_mul(ring, out, out, &m->scales[i]);
}

static void find_determinant(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    nh_poly_matrix m = nh_polys_of(ring, t->rows, t->columns, t->A);
    fmpz_mpoly_t det, scale;
    fmpz_mpoly_init(det, ring->ctx), fmpz_mpoly_init(scale, ring->ctx);
    nh_poly_determinant(ring, det, &m);
    nh_product_of_scales(ring, scale, &m);
    nh_q_t x;
    nh_q_init(x, ring->ctx);
    nh_set_fraction(ring, x, det, scale);
    t->out[0] = nh_form_expr(ring, x);
}

bool nh_matrix_determinant(nh_algebra *algebra, size_t n, const nh_expr *A, nh_expr *out)
{
    nh_task t = {.rows = n, .columns = n, .A = A, .n_a = n * n, .n_out = 1};
    return !nh_too_large(algebra, n, NH_LARGEST_MATRIX) && nh_task_run(algebra, &t, find_determinant, out);
}

/* ---------------------------------------------------------------- factors */

static void write_factor(nh_ring *ring, nh_task *t, const fmpz_mpoly_t p)
{
    if (!fmpz_mpoly_is_fmpz(p, ring->ctx) && t->rank < t->n_out)
        t->out[t->rank++] = nh_poly_expr(ring, p);
}

static void write_factors(nh_ring *ring, nh_task *t, const fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_t base;
    fmpz_mpoly_factor_init(f, ring->ctx), fmpz_mpoly_init(base, ring->ctx);
    bool several = !fmpz_mpoly_is_fmpz(p, ring->ctx) && nh_poly_factor(ring, f, p);
    if (several)
        fmpz_mpoly_factor_sort(f, ring->ctx);
    else
        write_factor(ring, t, p);
    for (slong i = 0; several && i < fmpz_mpoly_factor_length(f, ring->ctx); i++) {
        fmpz_mpoly_factor_get_base(base, f, i, ring->ctx);
        write_factor(ring, t, base);
    }
    fmpz_mpoly_clear(base, ring->ctx), fmpz_mpoly_factor_clear(f, ring->ctx);
}

static void find_factors_above(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    for (size_t k = 0; k < t->n_out; k++)
        t->out[k] = NH_EXPR_NONE;
    write_factors(ring, t, nh_q_numref(nh_ring_form(ring, t->A[0])));
}

static void find_factors(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    find_factors_above(ring, arg);
    write_factors(ring, t, nh_q_denref(nh_ring_form(ring, t->A[0])));
}

bool nh_factors(nh_algebra *algebra, nh_expr e, size_t most, size_t *count, nh_expr *out)
{
    nh_task t = {.rows = 1, .columns = 1, .A = &e, .n_a = 1, .n_out = most};
    bool done = nh_task_run(algebra, &t, find_factors, out);
    *count = done ? t.rank : 0;
    return done;
}

bool nh_factors_above(nh_algebra *algebra, nh_expr e, size_t most, size_t *count, nh_expr *out)
{
    nh_task t = {.rows = 1, .columns = 1, .A = &e, .n_a = 1, .n_out = most};
    bool done = nh_task_run(algebra, &t, find_factors_above, out);
    *count = done ? t.rank : 0;
    return done;
}

/* ---------------------------------------------------------------- inverses */

/* given = S^-1 p: adj(given) = adj(p) adj(S^-1), adj(S^-1)_ii = s_i / prod s */
static void find_adjugate(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    size_t n = t->rows;
    nh_poly_matrix m = nh_polys_of(ring, n, n, t->A);
    fmpz_mpoly_struct *adj = adjugate(ring, &m);
    fmpz_mpoly_t above, scale;
    fmpz_mpoly_init(above, ring->ctx), fmpz_mpoly_init(scale, ring->ctx);
    nh_product_of_scales(ring, scale, &m);
    nh_q_t x;
    nh_q_init(x, ring->ctx);
    for (size_t k = 0; k < n * n; k++) {
        nh_poly_mul(ring, above, &adj[k], &m.scales[k % n]);
        nh_set_fraction(ring, x, above, scale);
        t->out[k] = nh_form_expr(ring, x);
    }
}

bool nh_matrix_adjugate(nh_algebra *algebra, size_t n, const nh_expr *A, nh_expr *out)
{
    nh_task t = {.rows = n, .columns = n, .A = A, .n_a = n * n, .n_out = n * n};
    return !nh_too_large(algebra, n, NH_LARGEST_MATRIX) && nh_task_run(algebra, &t, find_adjugate, out);
}

/* det p from its first row and the adjugate */
static void determinant_from(nh_ring *ring, fmpz_mpoly_t det, const nh_poly_matrix *m,
                             const fmpz_mpoly_struct *adj)
{
    fmpz_mpoly_t term;
    fmpz_mpoly_init(term, ring->ctx);
    fmpz_mpoly_zero(det, ring->ctx);
    for (size_t j = 0; j < m->columns; j++) {
        nh_poly_mul(ring, term, nh_entry(m, 0, j), &adj[j * m->columns]);
        fmpz_mpoly_add(det, det, term, ring->ctx);
    }
    fmpz_mpoly_clear(term, ring->ctx);
}

/* given^-1 = p^-1 S = adj(p) S / det p */
static void find_solution(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    size_t n = t->rows;
    nh_poly_matrix m = nh_polys_of(ring, n, n, t->A);
    fmpz_mpoly_struct *adj = adjugate(ring, &m);
    fmpz_mpoly_t det, above;
    fmpz_mpoly_init(det, ring->ctx), fmpz_mpoly_init(above, ring->ctx);
    determinant_from(ring, det, &m, adj);
    nh_q_t x, entry, sum;
    nh_q_init(x, ring->ctx), nh_q_init(entry, ring->ctx), nh_q_init(sum, ring->ctx);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < t->columns; j++) {
            nh_q_zero(sum, ring->ctx);
            for (size_t k = 0; k < n; k++) {
                if (!t->B && k != j)
                    continue;
                nh_poly_mul(ring, above, &adj[i * n + k], &m.scales[k]);
                nh_set_fraction(ring, x, above, det);
                if (t->B) {
                    nh_form_mul(ring, entry, x, nh_ring_form(ring, t->B[k * t->columns + j]));
                    nh_form_add(ring, sum, sum, entry);
                } else {
                    nh_q_set(sum, x, ring->ctx);
                }
            }
            t->out[i * t->columns + j] = nh_form_expr(ring, sum);
        }
}

bool nh_matrix_inverse(nh_algebra *algebra, size_t n, const nh_expr *A, nh_expr *out)
{
    nh_task t = {.rows = n, .columns = n, .A = A, .n_a = n * n, .n_out = n * n};
    return !nh_too_large(algebra, n, NH_LARGEST_MATRIX) && nh_task_run(algebra, &t, find_solution, out);
}

bool nh_matrix_solve(nh_algebra *algebra, size_t n, const nh_expr *A, size_t columns, const nh_expr *B,
                     nh_expr *out)
{
    nh_task t = {.rows = n,
                 .columns = columns,
                 .A = A,
                 .B = B,
                 .n_a = n * n,
                 .n_b = n * columns,
                 .n_out = n * columns};
    return !nh_too_large(algebra, n, NH_LARGEST_MATRIX) && nh_task_run(algebra, &t, find_solution, out);
}

double nh_random_value(uint64_t *state, signed char sign)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t bits = nh_hash(*state);
    double size = 0.25 + (double)(bits >> 12) * 0x1p-52;
    return sign < 0 || (sign == 0 && (bits & 1)) ? -size : size;
}

/* ---------------------------------------------------------------- positive definite */

static void find_leading_minors(nh_ring *ring, void *arg)
{
    nh_task *t = arg;
    t->flag = true;
    fmpz_mpoly_t det, scale;
    fmpz_mpoly_init(det, ring->ctx), fmpz_mpoly_init(scale, ring->ctx);
    nh_expr *part = flint_malloc(t->rows * t->rows * sizeof *part);
    for (size_t k = 1; k <= t->rows; k++) {
        for (size_t i = 0; i < k * k; i++)
            part[i] = t->A[i / k * t->rows + i % k];
        nh_poly_matrix m = nh_polys_of(ring, k, k, part);
        nh_poly_determinant(ring, det, &m);
        nh_product_of_scales(ring, scale, &m);
        t->flag = t->flag && nh_poly_is_positive(ring, det, true) && nh_poly_is_positive(ring, scale, true);
        nh_q_t x;
        nh_q_init(x, ring->ctx);
        nh_set_fraction(ring, x, det, scale);
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
                nh_random_value(&state, algebra->signs ? algebra->signs[i] : 0) * (tries % 3 == 0 ? 4 : 1);
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
    nh_task *t = arg;
    (void)out;
    nh_expr *minors = nh_arena_array(&algebra->scratch, t->rows + 1, sizeof *minors);
    bool done = nh_task_work(algebra, in, minors, t);
    if (done && !t->flag && negative_somewhere(algebra, minors, t->rows))
        return false;
    t->chained = true;
    if (!t->flag || !done)
        t->flag = nh_task_work(algebra, in, minors, t) && t->flag;
    return true;
}

nh_answer nh_matrix_positive(nh_algebra *algebra, size_t n, const nh_expr *A)
{
    nh_task t = {.rows = n, .columns = n, .n_a = n * n, .body = find_leading_minors};
    if (nh_too_large(algebra, n, NH_LARGEST_MATRIX))
        return NH_UNKNOWN;
    bool negative = !nh_draft_run(algebra, A, n * n, NULL, 0, find_definiteness, &t);
    return negative ? NH_NO : t.flag ? NH_YES : NH_UNKNOWN;
}
