/* A basis of the velocities that linear constraints allow, C_i v^i = 0, from frames that turn with a row: without poles, and independent
 * wherever the rows are, though none of their minors is always different from 0. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <stdlib.h>
#include <string.h>

/* The products of i, j and k with a quaternion a + b i + c j + d k, on its right and on its left, are at right angles to (a, b, c, d), and as
 * long as it is: entry k of a vector is that of the row with number |p|, with the sign of p. A body's unit quaternion, e_i e'_i = 0, has
 * e' = 1/2 e (u1 i + u2 j + u3 k), u its angular velocities along its own axes; on the left they are those along the axes of the ground.
 * Of rows of other lengths only those of two and eight have such frames. */
static const signed char right_products[3][4] = {{-2, 1, 4, -3}, {-3, -4, 1, 2}, {-4, 3, -2, 1}},
                         left_products[3][4] = {{-2, 1, -4, 3}, {-3, 4, 1, -2}, {-4, -3, 2, 1}};

typedef struct frames {
    nh_equations *eq;
    nh_algebra *algebra;
    size_t rows, n;
    nh_expr *W;      /* the rows, those with a number in them solved for its column */
    size_t *solved;  /* by row: its column; n: none */
    bool *is_solved; /* by column */
    size_t *row_of;  /* by column: the row of those left that has an entry there; rows: none */
    nh_expr *N;      /* vectors, one behind the other */
    size_t n_vectors;
} frames;

/* ---------------------------------------------------------------- rows with a number */

/* Row a becomes 0 in the column that row p is solved for. */
static bool take_out(frames *f, size_t a, size_t p)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr *row = f->W + a * f->n, *pivot = f->W + p * f->n, factor = row[f->solved[p]];
    for (size_t i = 0; i < f->n && factor != pool->zero; i++)
        row[i] = nh_sub(pool, row[i], nh_mul(pool, factor, pivot[i]));
    return factor == pool->zero || nh_simplify(f->algebra, row, f->n, row);
}

static size_t number_in(const frames *f, size_t a)
{
    const nh_pool *pool = &f->eq->pool;
    size_t i = 0;
    while (i < f->n && (f->W[a * f->n + i] == pool->zero || !nh_is_number(pool, f->W[a * f->n + i], NULL)))
        i++;
    return i;
}

static bool solve_row(frames *f, size_t a, size_t column)
{
    nh_expr *row = f->W + a * f->n, pivot = row[column];
    bool done = true;
    for (size_t i = 0; i < f->n; i++)
        row[i] = nh_div(&f->eq->pool, row[i], pivot);
    f->solved[a] = column, f->is_solved[column] = true;
    for (size_t b = 0; b < f->rows && done; b++)
        done = b == a || take_out(f, b, a);
    return done;
}

/* Until no row has a number that is not solved for it. */
static bool solve_rows(frames *f)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t a = 0; a < f->rows; a++) {
            size_t column = f->solved[a] == f->n ? number_in(f, a) : f->n;
            if (column < f->n && !solve_row(f, a, column))
                return false;
            more = more || column < f->n;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- rows of four */

/* No column may belong to two of the rows that are left. */
static bool rows_are_apart(frames *f)
{
    for (size_t i = 0; i < f->n; i++) {
        f->row_of[i] = f->rows;
        for (size_t a = 0; a < f->rows; a++) {
            if (f->solved[a] < f->n || f->W[a * f->n + i] == f->eq->pool.zero)
                continue;
            if (f->row_of[i] < f->rows)
                return false;
            f->row_of[i] = a;
        }
    }
    return true;
}

static nh_expr *zeros(frames *f, size_t count)
{
    nh_expr *v = nh_array(f->eq, count * f->n);
    for (size_t i = 0; i < count * f->n; i++)
        v[i] = f->eq->pool.zero;
    return v;
}

/* What the rows that are solved ask of a vector. */
static bool complete(frames *f, nh_expr *v)
{
    nh_pool *pool = &f->eq->pool;
    for (size_t a = 0; a < f->rows; a++) {
        nh_expr sum = pool->zero;
        for (size_t i = 0; i < f->n && f->solved[a] < f->n; i++)
            sum = i == f->solved[a] ? sum : nh_add(pool, sum, nh_mul(pool, f->W[a * f->n + i], v[i]));
        if (f->solved[a] < f->n)
            v[f->solved[a]] = nh_neg(pool, sum);
    }
    return nh_simplify(f->algebra, v, f->n, v);
}

/* What the entries of a row are divided by, so that the first has the number 1/2. */
static nh_expr divisor_of(frames *f, nh_expr first)
{
    nh_pool *pool = &f->eq->pool;
    return nh_mul(pool, nh_integer(pool, 2),
                  nh_number(pool, nh_product_of(pool, &f->eq->arena, first).number));
}

/* Three vectors at right angles to a row with these columns. */
static bool make_frame(frames *f, const nh_expr *row, const size_t *columns, const signed char products[3][4],
                       nh_expr *v)
{
    nh_pool *pool = &f->eq->pool;
    nh_expr divisor = divisor_of(f, row[columns[0]]);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 4; i++) {
            int p = products[k][i];
            nh_expr entry = nh_div(pool, row[columns[abs(p) - 1]], divisor);
            v[k * f->n + columns[i]] = p < 0 ? nh_neg(pool, entry) : entry;
        }
    return complete(f, v) && complete(f, v + f->n) && complete(f, v + 2 * f->n);
}

/* How many entries of G beside its diagonal they make 0, of g_ij v^i_alpha v^j_beta. */
static int zeros_of_metric(frames *f, const nh_expr *v)
{
    int count = 0;
    nh_expr *gv = nh_array(f->eq, f->n);
    for (size_t alpha = 1; alpha < 3; alpha++) {
        nh_lower(f->eq, v + alpha * f->n, gv);
        for (size_t beta = 0; beta < alpha; beta++)
            count += nh_is_null(f->eq, nh_dot(f->eq, v + beta * f->n, gv, f->n));
    }
    return count;
}

/* The side on which G is simpler: which one that is, and where the real part stands, is how the body is written down. */
static bool add_frame(frames *f, size_t a)
{
    size_t columns[4], count = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->row_of[i] == a && count++ < 4)
            columns[count - 1] = i;
    nh_expr *row = f->W + a * f->n, *right = zeros(f, 3), *left = zeros(f, 3);
    if (count != 4 || !make_frame(f, row, columns, right_products, right) ||
        !make_frame(f, row, columns, left_products, left))
        return false;
    bool is_left = zeros_of_metric(f, left) > zeros_of_metric(f, right);
    memcpy(f->N + f->n_vectors * f->n, is_left ? left : right, 3 * f->n * sizeof *f->N);
    f->n_vectors += 3;
    return true;
}

/* The unit vector of a column that no row has, but for those that are solved. */
static bool add_free(frames *f, size_t column)
{
    nh_expr *v = f->N + f->n_vectors++ * f->n;
    memcpy(v, zeros(f, 1), f->n * sizeof *v);
    v[column] = f->eq->pool.one;
    return complete(f, v);
}

static bool make_vectors(frames *f)
{
    bool made = true;
    for (size_t a = 0; a < f->rows && made; a++)
        made = f->solved[a] < f->n || add_frame(f, a);
    for (size_t i = 0; i < f->n && made; i++)
        made = f->is_solved[i] || f->row_of[i] < f->rows || add_free(f, i);
    return made && f->n_vectors == f->n - f->rows;
}

static bool find_frames(frames *f, const nh_expr *M)
{
    size_t n = f->n, rows = f->rows;
    nh_equations *eq = f->eq;
    f->W = nh_array(eq, rows * n), f->N = nh_array(eq, n * n);
    f->solved = nh_arena_array(&eq->arena, rows + 1, sizeof *f->solved);
    f->row_of = nh_arena_array(&eq->arena, n + 1, sizeof *f->row_of);
    f->is_solved = nh_arena_array(&eq->arena, n + 1, sizeof *f->is_solved);
    memset(f->is_solved, 0, n * sizeof *f->is_solved);
    for (size_t a = 0; a < rows; a++)
        f->solved[a] = n;
    return nh_simplify(f->algebra, M, rows * n, f->W) && solve_rows(f) && rows_are_apart(f) &&
           make_vectors(f);
}

/* The vectors v with M v = 0, one for each row of the result; NULL: none of this kind. */
nh_expr *nh_frame_null_space(nh_equations *eq, size_t rows, const nh_expr *M)
{
    nh_algebra algebra;
    frames f = {.eq = eq, .algebra = &algebra, .rows = rows, .n = eq->n};
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = 2000, .max_seconds = 5},
                    nh_model_signs(eq->model, &eq->context->arena));
    bool found = find_frames(&f, M);
    nh_algebra_free(&algebra);
    return found ? f.N : NULL;
}
