/* A basis of the velocities that linear constraints allow, C_i v^i = 0, without poles and without states where it is none. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SMOOTH = 12, MOST_TERMS = 3000 };

/* A bound for the terms of a minor: one entry of each row. What is tried is decided by that, so that it is the same on every
 * machine; the time is a net below. */
static bool minors_are_short(nh_equations *eq, size_t rows, const nh_expr *M)
{
    size_t n = eq->n;
    double *terms = nh_arena_array(&eq->arena, n + 1, sizeof *terms), product = 1;
    for (size_t a = 0; a < rows; a++) {
        double sum = 0;
        nh_predict_terms(eq, M + a * n, n, terms);
        for (size_t i = 0; i < n; i++)
            sum += M[a * n + i] == eq->pool.zero ? 0 : terms[i] - 1;
        product *= fmax(sum, 1);
    }
    return product <= MOST_TERMS;
}

/* A basis that is not one everywhere has to be one at the start. */
static bool is_regular_at_start(nh_equations *eq, size_t rows, const nh_expr *N)
{
    bool *pivot = nh_arena_array(&eq->arena, eq->n, sizeof *pivot);
    return !eq->sample || nh_pivots_at(eq, eq->sample, N, rows, pivot) == rows;
}

/* Whether vectors are not nearly parallel at the start: the Gram matrix of those of length 1 is what rounding would make singular, as of (1, 0, a/e)
 * and (0, 1, b/e) for a x' + b y' + e z' = 0 with a tiny e. */
static bool are_apart(nh_equations *eq, size_t count, const nh_expr *N)
{
    static const double least = 1e-10; /* of sin^2 of an angle between them */
    size_t n = eq->n;
    nh_arena *scratch = &eq->context->arena;
    double *v = nh_arena_array(scratch, count * n + 1, sizeof *v),
           *gram = nh_arena_array(scratch, count * count + 1, sizeof *gram);
    memset(gram, 0, count * count * sizeof *gram);
    nh_evaluate(&eq->pool, scratch, N, count * n, eq->sample ? eq->sample : nh_random_values(eq), v, NULL);
    for (size_t a = 0; a < count; a++) {
        double length = 0;
        for (size_t i = 0; i < n; i++)
            length = hypot(length, v[a * n + i]);
        for (size_t i = 0; i < n; i++)
            v[a * n + i] /= length;
        for (size_t b = 0; b <= a; b++)
            for (size_t i = 0; i < n; i++)
                gram[a * count + b] += v[a * n + i] * v[b * n + i];
    }
    return nh_decompose(gram, count, least);
}

/* The powers of one parameter that are in all of a product, below counted as negative. */
static int64_t power_in(nh_equations *eq, nh_expr e, nh_expr parameter)
{
    nh_product product = nh_product_of(&eq->pool, &eq->arena, e);
    for (size_t k = 0; k < product.count; k++)
        if (product.factors[k].base == parameter)
            return product.factors[k].exponent;
    return 0;
}

/* A vector without denominators may be long: x' = R l u cos(theta), theta' = R u sin(phi), phi' = l u is written with
 * u/(R l) instead of u, if that is shorter. Parameters that have a sign are never zero. */
static void divide_by_parameters(nh_equations *eq, nh_algebra *algebra, nh_expr *v)
{
    nh_pool *pool = &eq->pool;
    nh_expr *divided = nh_array(eq, eq->n), monomial = pool->one;
    for (size_t p = 0; p < eq->model->n_parameters; p++) {
        int64_t most = 0;
        uint32_t index = 0;
        nh_is_symbol(pool, eq->model->parameters[p].symbol, &index);
        for (size_t i = 0; i < eq->n && algebra->signs[index] != 0; i++) {
            int64_t power = v[i] == pool->zero ? 0 : power_in(eq, v[i], eq->model->parameters[p].symbol);
            most = power > most ? power : most;
        }
        monomial = nh_mul(pool, monomial, nh_power(pool, eq->model->parameters[p].symbol, most));
    }
    double before = 0, after = 0;
    for (size_t i = 0; i < eq->n; i++)
        divided[i] = nh_div(pool, v[i], monomial);
    if (monomial == pool->one || !nh_simplify(algebra, divided, eq->n, divided))
        return;
    for (size_t i = 0; i < eq->n; i++)
        before += nh_expr_length(&algebra->lengths, v[i]),
            after += nh_expr_length(&algebra->lengths, divided[i]);
    if (after < before)
        memcpy(v, divided, eq->n * sizeof *v);
}

/* ---------------------------------------------------------------- where parameters may become small */

/* Whether the vectors are independent at all states whatever the parameters are, also where they are 0. */
static bool is_regular_for_all(nh_equations *eq, size_t count, const nh_expr *N)
{
    nh_algebra algebra;
    size_t rank = 0;
    nh_expr condition = NH_EXPR_NONE;
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = 2000, .max_seconds = 5}, NULL);
    bool regular =
        nh_matrix_rank(&algebra, count, eq->n, N, &rank, &condition) && rank == count && !condition;
    nh_algebra_free(&algebra);
    return regular;
}

static bool has_parameters(nh_equations *eq, nh_expr e)
{
    nh_arena *scratch = &eq->context->arena;
    bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_find_symbols(&eq->pool, scratch, &e, 1, depends);
    for (size_t i = 0; i < eq->model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, eq->model->parameters[i].symbol, &index);
        any = any || depends[index];
    }
    return any;
}

/* The number that an entry has as a factor. */
static double factor_of(nh_equations *eq, nh_expr e)
{
    return e == eq->pool.zero ? 0
                              : fabs(nh_rational_to_double(nh_product_of(&eq->pool, &eq->arena, e).number));
}

/* Whether an entry has a factor that is small beside those of its row. */
static bool is_small(nh_equations *eq, const nh_expr *row, size_t i)
{
    static const double small = 1e-3;
    double largest = 0;
    for (size_t k = 0; k < eq->n; k++)
        largest = fmax(largest, factor_of(eq, row[k]));
    return row[i] != eq->pool.zero && factor_of(eq, row[i]) < small * largest;
}

static bool has_small_ones(nh_equations *eq, size_t rows, const nh_expr *M)
{
    for (size_t k = 0; k < rows * eq->n; k++)
        if (is_small(eq, M + k / eq->n * eq->n, k % eq->n))
            return true;
    return false;
}

/* The columns, none of whose entries is small or depends on parameters; how many. */
static size_t plain_columns(nh_equations *eq, size_t rows, const nh_expr *M, size_t *columns)
{
    size_t n = eq->n, count = 0;
    for (size_t i = 0; i < n; i++) {
        bool plain = true;
        for (size_t a = 0; a < rows && plain; a++)
            plain = !is_small(eq, M + a * n, i) && !has_parameters(eq, M[a * n + i]);
        if (plain)
            columns[count++] = i;
    }
    return count;
}

/* With C = (S | T), S the plain columns: the vectors of S alone, and for each column t of T the unit vector there with -S^T (S S^T)^-1 t in S, which
 * has no poles where det S S^T is a number. The blade x' sin(a) - y' cos(a) + l a' = 0 has (cos(a), sin(a), 0) and (-l sin(a), l cos(a), 1), also
 * where l = 0; and not (l, 0, -sin(a)) and (0, l, cos(a)), which are next to nothing where l is small. */
typedef struct split {
    nh_equations *eq;
    nh_algebra *algebra;
    size_t rows, count; /* of S */
    const nh_expr *M;
    size_t *columns;
    nh_expr *S, *transposed, *inverse;
} split;

static bool make_split(split *s)
{
    size_t r = s->rows, k = s->count;
    nh_expr *products = nh_array(s->eq, r * r), determinant = NH_EXPR_NONE;
    s->S = nh_array(s->eq, r * k), s->transposed = nh_array(s->eq, r * k),
    s->inverse = nh_array(s->eq, r * r);
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < k; i++)
            s->S[a * k + i] = s->transposed[i * r + a] = s->M[a * s->eq->n + s->columns[i]];
    return nh_matrix_multiply_symmetric(s->algebra, r, k, s->S, s->transposed, products) &&
           nh_matrix_determinant(s->algebra, r, products, &determinant) && determinant != s->eq->pool.zero &&
           nh_is_number(&s->eq->pool, determinant, NULL) &&
           nh_matrix_inverse(s->algebra, r, products, s->inverse);
}

/* Of S alone. */
static bool own_vectors(split *s, nh_expr *N)
{
    size_t k = s->count, n = s->eq->n, found = 0;
    bool everywhere = false;
    nh_expr *own = nh_array(s->eq, k * k);
    if (k == s->rows)
        return true;
    if (!nh_matrix_null_space(s->algebra, s->rows, k, s->S, &found, own, &everywhere) || !everywhere ||
        found != k - s->rows)
        return false;
    for (size_t alpha = 0; alpha < found; alpha++)
        for (size_t i = 0; i < k; i++)
            N[alpha * n + s->columns[i]] = own[alpha * k + i];
    return true;
}

/* e_t - S^T (S S^T)^-1 t */
static bool vector_of_column(split *s, size_t t, nh_expr *v)
{
    nh_equations *eq = s->eq;
    size_t r = s->rows, k = s->count, n = eq->n;
    nh_expr *column = nh_array(eq, r), *x = nh_array(eq, r), *y = nh_array(eq, k);
    for (size_t a = 0; a < r; a++)
        column[a] = s->M[a * n + t];
    if (!nh_matrix_multiply(s->algebra, r, r, 1, s->inverse, column, x) ||
        !nh_matrix_multiply(s->algebra, k, r, 1, s->transposed, x, y))
        return false;
    v[t] = eq->pool.one;
    for (size_t i = 0; i < k; i++)
        v[s->columns[i]] = nh_neg(&eq->pool, y[i]);
    return nh_simplify(s->algebra, v, n, v);
}

/* NULL: there is none of this kind. */
static nh_expr *split_null_space(nh_equations *eq, nh_algebra *algebra, size_t rows, const nh_expr *M)
{
    size_t n = eq->n, next = 0;
    split s = {.eq = eq, .algebra = algebra, .rows = rows, .M = M};
    s.columns = nh_arena_array(&eq->context->arena, n + 1, sizeof *s.columns);
    s.count = plain_columns(eq, rows, M, s.columns);
    nh_expr *N = nh_array(eq, n * n);
    for (size_t k = 0; k < n * n; k++)
        N[k] = eq->pool.zero;
    if (s.count < rows || s.count == n || !make_split(&s) || !own_vectors(&s, N))
        return NULL;
    size_t row = s.count - rows;
    for (size_t t = 0; t < n; t++)
        if (next < s.count && s.columns[next] == t)
            next++;
        else if (!vector_of_column(&s, t, N + n * row++))
            return NULL;
    return N;
}

/* The vectors v with M v = 0 for rows x n entries, one for each row of the result, n - rows of them: the algebra finds a basis without singular
 * states, if there is one. NULL: none that is short and regular at the start. */
nh_expr *nh_smooth_null_space(nh_equations *eq, size_t rows, const nh_expr *M)
{
    size_t n = eq->n, count = 0;
    bool everywhere = false;
    if (n > LARGEST_SMOOTH || !minors_are_short(eq, rows, M)) {
        nh_expr *v = nh_successive_null_space(eq, rows, M);
        return v && are_apart(eq, n - rows, v) ? v : NULL;
    }
    nh_algebra algebra;
    nh_budget budget = {.max_terms = 2000, .max_seconds = 5};
    const signed char *signs = nh_model_signs(eq->model, &eq->context->arena);
    nh_algebra_init(&algebra, &eq->pool, &budget, signs);
    nh_expr *N = nh_array(eq, n * n);
    bool found = nh_matrix_null_space(&algebra, rows, n, M, &count, N, &everywhere) && count == n - rows;
    nh_expr *better = found && !everywhere ? nh_frame_null_space(eq, rows, M) : NULL;
    found = found && (everywhere || is_regular_at_start(eq, count, N));
    bool in_doubt = found && count && (has_small_ones(eq, rows, M) || !is_regular_for_all(eq, count, N));
    better = !better && in_doubt ? split_null_space(eq, &algebra, rows, M) : better;
    found = found && (better || !in_doubt || are_apart(eq, count, N));
    for (size_t k = 0; found && !better && k < count; k++)
        divide_by_parameters(eq, &algebra, N + k * n);
    nh_algebra_free(&algebra);
    return better ? better : found ? N : NULL;
}
