/* Matrices of expressions against matrices of numbers: at random points the results must be what elimination in
 * doubles gives there; and some whose answers are known. */
#include "reading.h"

#include <math.h>

enum { LARGEST = 6, MOST = LARGEST * LARGEST };

static void read_matrix(world *w, size_t count, const char *const *texts, nh_expr *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = read_expr(w, texts[i]);
}

#define MATRIX(...) ((const char *const[]){__VA_ARGS__})

static void check_text(world *w, const char *what, nh_expr e, const char *expected)
{
    const char *text = text_of(w, e);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: %s instead of %s", what, text, expected);
}

/* ---------------------------------------------------------------- random matrices */

/* A product or sum of a few sines, cosines, coordinates and parameters; zero now and then. */
static nh_expr random_entry(world *w)
{
    static const char *const parts[] = {"sin(theta)", "cos(theta)",       "sin(psi)", "cos(psi)", "x",
                                        "y",          "cos(theta - psi)", "M",        "R",        "1/(1 + x^2)"};
    nh_expr sum = w->pool.zero;
    for (int terms = random_below(w, 3); terms > 0; terms--) {
        nh_expr product = nh_integer(&w->pool, random_below(w, 2) ? 1 : random_below(w, 5) - 2);
        for (int factors = 1 + random_below(w, 2); factors > 0; factors--)
            product = nh_mul(&w->pool, product, read_expr(w, parts[random_below(w, sizeof parts / sizeof *parts)]));
        sum = nh_add(&w->pool, sum, product);
    }
    return sum;
}

static void random_matrix(world *w, size_t count, nh_expr *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = random_entry(w);
}

/* ---------------------------------------------------------------- matrices of numbers */

/* Elimination with complete pivoting of a copy: the determinant of a square one, and the rank. */
static double eliminate(size_t rows, size_t columns, const double *A, size_t *rank)
{
    double M[MOST], det = 1;
    memcpy(M, A, rows * columns * sizeof *M);
    for (*rank = 0; *rank < rows && *rank < columns; ++*rank) {
        size_t r = *rank, pi = r, pj = r;
        for (size_t i = r; i < rows; i++)
            for (size_t j = r; j < columns; j++)
                if (fabs(M[i * columns + j]) > fabs(M[pi * columns + pj]))
                    pi = i, pj = j;
        if (fabs(M[pi * columns + pj]) < 1e-10)
            break;
        for (size_t j = 0; j < columns; j++) {
            double swap = M[r * columns + j];
            M[r * columns + j] = M[pi * columns + j], M[pi * columns + j] = swap;
        }
        for (size_t i = 0; i < rows; i++) {
            double swap = M[i * columns + r];
            M[i * columns + r] = M[i * columns + pj], M[i * columns + pj] = swap;
        }
        det *= (pi == r) == (pj == r) ? M[r * columns + r] : -M[r * columns + r];
        for (size_t i = r + 1; i < rows; i++) {
            double factor = M[i * columns + r] / M[r * columns + r];
            for (size_t j = r; j < columns; j++)
                M[i * columns + j] -= factor * M[r * columns + j];
        }
    }
    return *rank < rows || *rank < columns ? 0 : det;
}

static void multiply(size_t rows, size_t inner, size_t columns, const double *A, const double *B, double *out)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            out[i * columns + j] = 0;
            for (size_t k = 0; k < inner; k++)
                out[i * columns + j] += A[i * inner + k] * B[k * columns + j];
        }
}

/* Values of a and b at one random point. */
static void values_of(world *w, size_t na, const nh_expr *a, double *x, size_t nb, const nh_expr *b, double *y)
{
    double values[MOST_SYMBOLS];
    random_values(w, values);
    nh_evaluate(&w->pool, &w->algebra.scratch, a, na, values, x, NULL);
    nh_evaluate(&w->pool, &w->algebra.scratch, b, nb, values, y, NULL);
}

static void check_near(const char *what, double a, double b, double size)
{
    if (!(fabs(a - b) <= 1e-7 * (1 + size)))
        fail_msg("%s: %.17g instead of %.17g", what, a, b);
}

static void check_all_near(const char *what, size_t count, const double *a, const double *b, double size)
{
    for (size_t i = 0; i < count; i++)
        check_near(what, a[i], b[i], size);
}

static double largest(size_t count, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static void identity(size_t n, double scale, double *out)
{
    for (size_t i = 0; i < n * n; i++)
        out[i] = i % (n + 1) == 0 ? scale : 0;
}

/* ---------------------------------------------------------------- products, determinants, inverses */

static void test_products(void **state)
{
    world *w = *state;
    for (int turn = 0; turn < 30; turn++) {
        size_t rows = 1 + (size_t)random_below(w, 4), inner = 1 + (size_t)random_below(w, 4);
        size_t columns = 1 + (size_t)random_below(w, 4);
        nh_expr AB[2 * MOST], C[MOST];
        double ab[2 * MOST], c[MOST], expected[MOST];
        random_matrix(w, rows * inner + inner * columns, AB);
        assert_true(nh_matrix_multiply(&w->algebra, rows, inner, columns, AB, AB + rows * inner, C));
        for (int point = 0; point < 4; point++) {
            values_of(w, rows * inner + inner * columns, AB, ab, rows * columns, C, c);
            multiply(rows, inner, columns, ab, ab + rows * inner, expected);
            check_all_near("product", rows * columns, c, expected, largest(rows * columns, expected));
        }
        world_again(w);
    }
}

/* A adj(A) = det(A) 1, det(A) by elimination. */
static void check_determinant(world *w, size_t n, const nh_expr *A)
{
    nh_expr out[MOST + 1];
    double a[MOST], x[MOST + 1], product[MOST], expected[MOST];
    size_t rank;
    if (!nh_matrix_determinant(&w->algebra, n, A, out) || !nh_matrix_adjugate(&w->algebra, n, A, out + 1))
        fail_msg("no determinant of %zu rows, because %s", n, w->algebra.reason);
    for (int point = 0; point < 4; point++) {
        values_of(w, n * n, A, a, n * n + 1, out, x);
        check_near("determinant", x[0], eliminate(n, n, a, &rank), fabs(x[0]));
        multiply(n, n, n, a, x + 1, product);
        identity(n, x[0], expected);
        check_all_near("adjugate", n * n, product, expected, largest(n * n, x) * largest(n * n, a));
    }
}

/* A B = 1, and A X = Y. Singular matrices are refused. */
static bool check_inverse(world *w, size_t n, const nh_expr *A)
{
    nh_expr inverse[MOST], solution[2 * LARGEST], right[2 * LARGEST], out[MOST + 4 * LARGEST], det;
    double a[MOST], x[MOST + 4 * LARGEST], product[MOST], expected[MOST];
    random_matrix(w, 2 * n, right);
    assert_true(nh_matrix_determinant(&w->algebra, n, A, &det));
    if (det == w->pool.zero) {
        assert_false(nh_matrix_inverse(&w->algebra, n, A, inverse));
        assert_string_equal(w->algebra.reason, "the matrix is singular");
        assert_false(nh_matrix_solve(&w->algebra, n, A, 2, right, solution));
        return false;
    }
    if (!nh_matrix_inverse(&w->algebra, n, A, inverse) || !nh_matrix_solve(&w->algebra, n, A, 2, right, solution))
        fail_msg("no inverse of %zu rows, because %s", n, w->algebra.reason);
    memcpy(out, inverse, n * n * sizeof *out);
    memcpy(out + n * n, solution, 2 * n * sizeof *out);
    memcpy(out + n * n + 2 * n, right, 2 * n * sizeof *out);
    for (int point = 0; point < 4; point++) {
        values_of(w, n * n, A, a, n * n + 4 * n, out, x);
        double size = largest(n * n + 4 * n, x) * largest(n * n, a);
        if (!(size < 1e6))
            continue;
        multiply(n, n, n, a, x, product);
        identity(n, 1, expected);
        check_all_near("inverse", n * n, product, expected, size);
        multiply(n, n, 2, a, x + n * n, product);
        check_all_near("solution", 2 * n, product, x + n * n + 2 * n, size);
    }
    return true;
}

static void test_determinants(void **state)
{
    world *w = *state;
    for (size_t n = 1; n <= 5; n++)
        for (int turn = 0; turn < (n < 5 ? 12 : 4); turn++) {
            nh_expr A[MOST];
            random_matrix(w, n * n, A);
            check_determinant(w, n, A);
            world_again(w);
        }
}

static void test_inverses(void **state)
{
    world *w = *state;
    int inverted = 0;
    for (size_t n = 1; n <= 4; n++)
        for (int turn = 0; turn < (n < 4 ? 10 : 4); turn++) {
            nh_expr A[MOST];
            random_matrix(w, n * n, A);
            inverted += check_inverse(w, n, A);
            world_again(w);
        }
    assert_in_range(inverted, 12, 33);
}

/* Metrics of mechanisms: symmetric, and positive. */
static void test_inverse_of_metrics(void **state)
{
    world *w = *state;
    nh_expr A[MOST], out[MOST];
    read_matrix(w, 4, MATRIX("(M + K)*R^2", "K*R*L*cos(x - y)", "K*R*L*cos(x - y)", "K*L^2"), A);
    assert_true(check_inverse(w, 2, A));
    assert_int_equal(nh_matrix_positive(&w->algebra, 2, A), NH_YES);
    assert_true(nh_matrix_determinant(&w->algebra, 2, A, out));
    check_text(w, "determinant", out[0], "K*R^2*L^2*(M + K*sin(x - y)^2)");
    read_matrix(w, 9,
                MATRIX("M + K + L", "K*R*cos(y)", "0", "K*R*cos(y)", "K*R^2", "0", "0", "0", "A + M*x^2"), A);
    assert_true(check_inverse(w, 3, A));
    assert_int_equal(nh_matrix_positive(&w->algebra, 3, A), NH_YES);
    read_matrix(w, 4, MATRIX("cos(x)", "-sin(x)", "sin(x)", "cos(x)"), A);
    assert_true(nh_matrix_inverse(&w->algebra, 2, A, out));
    check_text(w, "inverse", out[0], "cos(x)");
    check_text(w, "inverse", out[1], "sin(x)");
    check_text(w, "inverse", out[2], "-sin(x)");
    check_text(w, "inverse", out[3], "cos(x)");
}

static void test_singular(void **state)
{
    world *w = *state;
    nh_expr A[MOST], out[MOST] = {0}, b[LARGEST];
    static const char *const singular[][4] = {
        {"0", "0", "0", "0"},
        {"sin(x)", "cos(x)", "2*sin(x)", "2*cos(x)"},
        {"1", "cos(x)", "cos(x)", "1 - sin(x)^2"},
        {"sqrt(M)", "1", "M", "sqrt(M)"},
        {"cosh(x) + sinh(x)", "1", "exp(2*x)", "exp(x)"},
        {"tan(x)", "1", "sin(x)", "cos(x)"},
    };
    read_matrix(w, 2, MATRIX("x", "y"), b);
    for (size_t i = 0; i < sizeof singular / sizeof *singular; i++) {
        read_matrix(w, 4, singular[i], A);
        assert_false(nh_matrix_inverse(&w->algebra, 2, A, out));
        assert_string_equal(w->algebra.reason, "the matrix is singular");
        assert_false(nh_matrix_solve(&w->algebra, 2, A, 1, b, out));
        assert_true(out[0] == NH_EXPR_NONE && out[3] == NH_EXPR_NONE);
        assert_true(nh_matrix_determinant(&w->algebra, 2, A, out + 4) && out[4] == w->pool.zero);
    }
}

static void test_sizes(void **state)
{
    world *w = *state;
    nh_expr A[20 * 20], out[20 * 20], condition;
    size_t rank = 99, count = 99;
    bool everywhere;
    for (size_t i = 0; i < 20 * 20; i++)
        A[i] = w->pool.one;
    assert_true(nh_matrix_multiply(&w->algebra, 2, 0, 2, NULL, NULL, out));
    assert_true(out[0] == w->pool.zero && out[3] == w->pool.zero);
    assert_true(nh_matrix_determinant(&w->algebra, 0, NULL, out) && out[0] == w->pool.one);
    assert_true(nh_matrix_inverse(&w->algebra, 0, NULL, out));
    assert_true(nh_matrix_solve(&w->algebra, 0, NULL, 3, NULL, out));
    assert_true(nh_matrix_null_space(&w->algebra, 0, 2, NULL, &count, out, &everywhere) && count == 2 && everywhere);
    assert_true(out[0] == w->pool.one && out[1] == w->pool.zero && out[3] == w->pool.one);
    assert_false(nh_matrix_determinant(&w->algebra, 20, A, out));
    assert_false(nh_matrix_inverse(&w->algebra, 11, A, out));
    assert_false(nh_matrix_rank(&w->algebra, 20, 20, A, &rank, &condition));
    assert_int_equal(rank, 99);
    assert_int_equal(nh_matrix_positive(&w->algebra, 20, A), NH_UNKNOWN);
    assert_non_null(w->algebra.reason);
    A[1] = NH_EXPR_NONE; /* something was divided by zero */
    assert_false(nh_matrix_determinant(&w->algebra, 2, A, out));
    assert_false(nh_matrix_rank(&w->algebra, 1, 2, A, &rank, &condition));
}

/* ---------------------------------------------------------------- rank and null space */

/* A random matrix of lower rank: a product. */
static void random_product(world *w, size_t rows, size_t inner, size_t columns, nh_expr *out)
{
    nh_expr B[MOST], C[MOST];
    random_matrix(w, rows * inner, B);
    random_matrix(w, inner * columns, C);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            nh_expr sum = w->pool.zero;
            for (size_t k = 0; k < inner; k++)
                sum = nh_add(&w->pool, sum, nh_mul(&w->pool, B[i * inner + k], C[k * columns + j]));
            out[i * columns + j] = sum;
        }
}

static size_t rank_at(size_t rows, size_t columns, const double *a)
{
    size_t rank;
    eliminate(rows, columns, a, &rank);
    return rank;
}

/* A x = 0 for as many independent x as there must be, and the rank at random points is what was found. False: beyond the
 * budget. */
static bool check_null_space(world *w, size_t rows, size_t columns, const nh_expr *A)
{
    size_t rank, count;
    nh_expr condition, out[MOST];
    bool everywhere;
    double a[MOST], x[MOST], product[LARGEST];
    if (!nh_matrix_null_space(&w->algebra, rows, columns, A, &count, out, &everywhere))
        fail_msg("no null space of %zu x %zu, because %s", rows, columns, w->algebra.reason);
    bool ranked = nh_matrix_rank(&w->algebra, rows, columns, A, &rank, &condition);
    assert_true(!ranked || rank + count == columns);
    for (int point = 0; point < 4; point++) {
        values_of(w, rows * columns, A, a, count * columns, out, x);
        assert_int_equal(rank_at(rows, columns, a) + count, columns);
        assert_int_equal(rank_at(count, columns, x), count);
        for (size_t i = 0; i < count; i++) {
            multiply(rows, columns, 1, a, x + i * columns, product);
            for (size_t k = 0; k < rows; k++)
                check_near("null vector", product[k], 0, largest(rows * columns, a) * largest(columns, x + i * columns));
        }
    }
    return ranked;
}

static void test_null_spaces(void **state)
{
    world *w = *state;
    int ranked = 0;
    for (int turn = 0; turn < 60; turn++) {
        size_t rows = 1 + (size_t)random_below(w, 4), columns = 1 + (size_t)random_below(w, 5);
        size_t inner = 1 + (size_t)random_below(w, 2);
        nh_expr A[MOST];
        if (turn % 2)
            random_matrix(w, rows * columns, A);
        else
            random_product(w, rows, inner, columns, A);
        ranked += check_null_space(w, rows, columns, A);
        world_again(w);
    }
    print_message("%d of 60 with conditions for the rank\n", ranked);
    assert_true(ranked > 50);
}

static void check_rank(world *w, size_t rows, size_t columns, const char *const *texts, size_t expected, const char *where)
{
    nh_expr A[MOST], condition;
    size_t rank;
    read_matrix(w, rows * columns, texts, A);
    if (!nh_matrix_rank(&w->algebra, rows, columns, A, &rank, &condition))
        fail_msg("no rank of a matrix with %s, because %s", texts[0], w->algebra.reason);
    assert_int_equal(rank, expected);
    assert_int_equal(condition == NH_EXPR_NONE, where == NULL);
    if (where)
        check_text(w, "condition", condition, where);
    world_again(w);
}

static void test_ranks(void **state)
{
    world *w = *state;
    check_rank(w, 1, 3, MATRIX("0", "0", "0"), 0, NULL);
    check_rank(w, 1, 1, MATRIX("sin(x)^2 + cos(x)^2 - 1"), 0, NULL);
    check_rank(w, 2, 2, MATRIX("10^12*(cos(x)^2 + sin(x)^2 - 1)", "0", "0", "1 - cosh(y)^2 + sinh(y)^2"), 0, NULL);
    check_rank(w, 1, 3, MATRIX("sin(psi)", "-cos(psi)", "0"), 1, NULL);
    check_rank(w, 1, 2, MATRIX("x", "y"), 1, "x^2 + y^2");
    check_rank(w, 2, 1, MATRIX("x", "y"), 1, "x^2 + y^2");
    check_rank(w, 2, 2, MATRIX("x", "0", "y", "0"), 1, "x^2 + y^2");
    check_rank(w, 2, 2, MATRIX("x", "x*y", "y", "y^2"), 1, "x^2 + y^2");
    check_rank(w, 2, 2, MATRIX("x", "0", "0", "y"), 2, "x*y");
    check_rank(w, 2, 2, MATRIX("M", "0", "0", "1 + x^2"), 2, NULL);
    check_rank(w, 2, 2, MATRIX("x/10^12", "0", "0", "1"), 2, "x");
    check_rank(w, 2, 2, MATRIX("1/10^30", "0", "0", "10^30"), 2, NULL);
    check_rank(w, 2, 2, MATRIX("cos(x)", "sin(x)", "-sin(x)", "cos(x)"), 2, NULL);
    check_rank(w, 2, 2, MATRIX("1", "cos(x - y)", "cos(x - y)", "1"), 2, "sin(x - y)");
    /* two points with parallel velocities, rho and sigma along (cos(theta), sin(theta)) */
    const char *condition = "rho^2 + sigma^2";
    check_rank(w, 1, 4, MATRIX("rho*sin(theta)", "-rho*cos(theta)", "-sigma*sin(theta)", "sigma*cos(theta)"), 1, condition);
    check_rank(w, 1, 4, MATRIX("m*rho*sin(x)", "-m*rho*cos(x)", "-m*sigma*sin(x)", "m*sigma*cos(x)"), 1, condition);
}

typedef struct null_case {
    size_t rows, columns, count;
    bool everywhere;
    const char *texts[24], *vectors[12];
} null_case;

static void test_null_spaces_known(void **state)
{
    world *w = *state;
    static const null_case cases[] = {
        /* a skate */
        {1, 3, 2, true, {"sin(theta)", "-cos(theta)", "0"}, {"cos(theta)", "sin(theta)", "0", "0", "0", "1"}},
        /* a disc: x, y, theta, psi */
        {2, 4, 2, true,
         {"1", "0", "-R*cos(psi)", "0", "0", "1", "-R*sin(psi)", "0"},
         {"R*cos(psi)", "R*sin(psi)", "1", "0", "0", "0", "0", "1"}},
        /* two discs on an axle: x, y, theta1, theta2, psi, a */
        {4, 6, 2, true,
         {"1", "0", "-R*cos(psi)", "0", "0", "0", "0", "1", "-R*sin(psi)", "0", "0", "0",
          "1", "0", "0", "-R*cos(psi)", "a*cos(psi)", "sin(psi)", "0", "1", "0", "-R*sin(psi)", "a*sin(psi)", "-cos(psi)"},
         {"R*cos(psi)", "R*sin(psi)", "1", "1", "0", "0", "0", "0", "0", "a", "R", "0"}},
        {1, 2, 1, false, {"x", "y"}, {"-y", "x"}},
        {1, 2, 1, true, {"M", "x"}, {"-x", "M"}},
        {2, 2, 0, true, {"1", "0", "0", "1"}, {NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const null_case *c = &cases[i];
        nh_expr A[MOST], out[MOST];
        size_t count = 0;
        bool everywhere = false;
        read_matrix(w, c->rows * c->columns, c->texts, A);
        assert_true(nh_matrix_null_space(&w->algebra, c->rows, c->columns, A, &count, out, &everywhere));
        assert_int_equal(count, c->count);
        assert_int_equal(everywhere, c->everywhere);
        for (size_t k = 0; k < count * c->columns; k++)
            check_text(w, "null vector", out[k], c->vectors[k]);
        world_again(w);
    }
}

/* ---------------------------------------------------------------- positive definite */

static void check_positive(world *w, size_t n, const char *const *texts, nh_answer expected)
{
    nh_expr A[MOST];
    read_matrix(w, n * n, texts, A);
    nh_answer answer = nh_matrix_positive(&w->algebra, n, A);
    if (answer != expected)
        fail_msg("%d instead of %d for %s ...", answer, expected, texts[0]);
    world_again(w);
}

static void test_positive(void **state)
{
    world *w = *state;
    check_positive(w, 1, MATRIX("M"), NH_YES);
    check_positive(w, 1, MATRIX("M + K*x^2"), NH_YES);
    check_positive(w, 1, MATRIX("exp(x)"), NH_YES);
    check_positive(w, 1, MATRIX("cosh(x)"), NH_YES);
    check_positive(w, 1, MATRIX("2 - sin(x)^2"), NH_YES);
    check_positive(w, 2, MATRIX("M/(1 + x^2)", "0", "0", "1/M"), NH_YES);
    check_positive(w, 2, MATRIX("M + K", "K", "K", "K"), NH_YES);
    check_positive(w, 2, MATRIX("M + K", "M*cos(x)", "M*cos(x)", "M"), NH_YES);
    check_positive(w, 3, MATRIX("M", "0", "0", "0", "M*x^2 + A", "0", "0", "0", "K"), NH_YES);
    check_positive(w, 1, MATRIX("-M"), NH_NO);
    check_positive(w, 1, MATRIX("x"), NH_NO);
    check_positive(w, 1, MATRIX("M - K"), NH_NO);
    check_positive(w, 1, MATRIX("cos(3*x)"), NH_NO);
    check_positive(w, 2, MATRIX("M", "K", "K", "M"), NH_NO);
    check_positive(w, 2, MATRIX("M", "2*M", "2*M", "M"), NH_NO);
    check_positive(w, 2, MATRIX("1", "0", "0", "x - y"), NH_NO);
    check_positive(w, 1, MATRIX("0"), NH_UNKNOWN);
    check_positive(w, 1, MATRIX("x^2"), NH_UNKNOWN);
    check_positive(w, 1, MATRIX("abs(x)"), NH_UNKNOWN);
    check_positive(w, 1, MATRIX("2 + cos(x)"), NH_UNKNOWN);
    check_positive(w, 1, MATRIX("M^2 - 2*M*K + K^2 + 1"), NH_UNKNOWN);
    check_positive(w, 2, MATRIX("M", "M*cos(x)", "M*cos(x)", "M"), NH_UNKNOWN);
    check_positive(w, 2, MATRIX("M", "M", "M", "M"), NH_UNKNOWN);
}

/* ---------------------------------------------------------------- factors */

/* Whether e is, but for its sign, one of them. */
static bool is_among(world *w, nh_expr e, const nh_expr *all, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count && !found; k++)
        found = nh_is_zero(&w->algebra, nh_sub(&w->pool, e, all[k])) == NH_YES ||
                nh_is_zero(&w->algebra, nh_add(&w->pool, e, all[k])) == NH_YES;
    return found;
}

static void check_factors(world *w, const char *text, size_t count, const char *const *expected)
{
    nh_expr factors[8];
    size_t found = 0;
    if (!nh_factors(&w->algebra, read_expr(w, text), 8, &found, factors) || found != count)
        fail_msg("%s: %zu factors instead of %zu", text, found, count);
    for (size_t k = 0; k < count; k++)
        if (!is_among(w, read_expr(w, expected[k]), factors, found))
            fail_msg("%s: no factor %s", text, expected[k]);
}

/* Multiplied out, and not: of the numerator and of the denominator, each once, and no numbers. */
static void test_factors(void **state)
{
    world *w = *state;
    check_factors(w, "6*x^2*y", 2, MATRIX("x", "y"));
    check_factors(w, "x^3 + x^2*y + 2*x^2 + 2*x*y + x + y", 2, MATRIX("x + 1", "x + y"));
    check_factors(w, "(x^2 - M^2)/(y^2 + 1)", 3, MATRIX("x - M", "x + M", "y^2 + 1"));
    check_factors(w, "x^2 + 1", 1, MATRIX("x^2 + 1"));
    check_factors(w, "7/3", 0, NULL);
    check_factors(w, "sin(theta)^2", 2, MATRIX("1 - cos(theta)", "1 + cos(theta)"));
    nh_expr few[1];
    size_t found = 0;
    assert_true(nh_factors(&w->algebra, read_expr(w, "x*y*M"), 1, &found, few));
    assert_int_equal(found, 1);
    w->algebra.cancel_after = 1;
    assert_false(nh_factors(&w->algebra, read_expr(w, "x*y + M"), 1, &found, few));
    assert_int_equal(found, 0);
    w->algebra.cancel_after = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_products, setup, teardown),
        cmocka_unit_test_setup_teardown(test_determinants, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inverses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inverse_of_metrics, setup, teardown),
        cmocka_unit_test_setup_teardown(test_singular, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_null_spaces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ranks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_null_spaces_known, setup, teardown),
        cmocka_unit_test_setup_teardown(test_positive, setup, teardown),
        cmocka_unit_test_setup_teardown(test_factors, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
