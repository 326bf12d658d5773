/* Elimination against exact ranks over the rationals. */
#include "world.h"

enum { MAX_COLUMNS = 6, MAX_ROWS = 10 };

/* ---------------------------------------------------------------- exact ranks */

/* The rank of a matrix, by GMP. */
static int rank_of(int rows, int columns, const int64_t entries[][MAX_COLUMNS + 1])
{
    mpq_t a[MAX_ROWS][MAX_COLUMNS + 1], factor, product;
    mpq_inits(factor, product, NULL);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            mpq_init(a[i][j]);
            mpq_set_si(a[i][j], entries[i][j], 1);
        }
    int rank = 0;
    for (int column = 0; column < columns && rank < rows; column++) {
        int pivot = rank;
        while (pivot < rows && mpq_sgn(a[pivot][column]) == 0)
            pivot++;
        if (pivot == rows)
            continue;
        for (int j = 0; j < columns; j++)
            mpq_swap(a[pivot][j], a[rank][j]);
        for (int i = rank + 1; i < rows; i++) {
            mpq_div(factor, a[i][column], a[rank][column]);
            for (int j = 0; j < columns; j++) {
                mpq_mul(product, factor, a[rank][j]);
                mpq_sub(a[i][j], a[i][j], product);
            }
        }
        rank++;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            mpq_clear(a[i][j]);
    mpq_clears(factor, product, NULL);
    return rank;
}

/* ---------------------------------------------------------------- random systems */

typedef struct table {
    int columns, rows;
    int64_t entries[MAX_ROWS][MAX_COLUMNS + 1];
} table;

/* A new row: unrelated, a combination of two earlier ones, one with another right-hand side, or nothing at all. */
static void random_row(world *w, table *t)
{
    int64_t *row = t->entries[t->rows];
    int kind = t->rows ? random_below(w, 4) : 0;
    int64_t p = random_below(w, 7) - 3, q = random_below(w, 7) - 3;
    int a = t->rows ? random_below(w, t->rows) : 0, b = t->rows ? random_below(w, t->rows) : 0;
    for (int j = 0; j <= t->columns; j++)
        row[j] = kind == 0 || kind == 3 ? random_below(w, 5) - 2 : p * t->entries[a][j] + q * t->entries[b][j];
    if (kind == 2)
        row[t->columns] += random_below(w, 3) - 1;
    if (kind == 3)
        for (int j = 0; j < t->columns; j++)
            row[j] = random_below(w, 3) ? 0 : row[j];
    t->rows++;
}

/* What the last row is, given those before it that were independent. */
static nh_row expected(const table *t, const table *kept)
{
    table all = *kept;
    memcpy(all.entries[all.rows++], t->entries[t->rows - 1], sizeof all.entries[0]);
    if (rank_of(all.rows, t->columns, all.entries) > rank_of(kept->rows, t->columns, kept->entries))
        return NH_ROW_INDEPENDENT;
    bool more = rank_of(all.rows, t->columns + 1, all.entries) > rank_of(kept->rows, t->columns + 1, kept->entries);
    return more ? NH_ROW_CONTRADICTS : NH_ROW_FOLLOWS;
}

/* The entries as expressions: times a factor for each row and one for each column, which change no rank. */
static void row_of(world *w, const table *t, nh_expr row_factor, const nh_expr *column_factors, nh_expr *row)
{
    for (int j = 0; j <= t->columns; j++) {
        nh_expr entry = nh_integer(&w->pool, t->entries[t->rows - 1][j]);
        row[j] = nh_mul(&w->pool, nh_mul(&w->pool, entry, row_factor), column_factors[j]);
    }
}

static void check_system(world *w, const char *const *factors, size_t n_factors, int counts[4])
{
    nh_modular *m = nh_modular_new(&w->pool, &w->arena, random_bits(w));
    table t = {.columns = 1 + random_below(w, MAX_COLUMNS)}, kept = {.columns = t.columns};
    nh_elimination *e = nh_elimination_new(m, &w->arena, (size_t)t.columns);
    nh_expr column_factors[MAX_COLUMNS + 1], row[MAX_COLUMNS + 1];
    for (int j = 0; j <= t.columns; j++)
        column_factors[j] = read_expr(w, factors[random_below(w, (int)n_factors)]);
    for (int i = 0; i < MAX_ROWS; i++) {
        random_row(w, &t);
        row_of(w, &t, read_expr(w, factors[random_below(w, (int)n_factors)]), column_factors, row);
        nh_row want = expected(&t, &kept), got = nh_elimination_add(e, row);
        assert_int_equal(got, want);
        if (want == NH_ROW_INDEPENDENT)
            memcpy(kept.entries[kept.rows++], t.entries[i], sizeof t.entries[i]);
        counts[want]++;
    }
}

static void test_numbers(void **state)
{
    world *w = *state;
    static const char *const factors[] = {"1", "2", "-3", "1/7", "22/7"};
    int counts[4] = {0};
    for (int i = 0; i < 2000; i++) {
        check_system(w, factors, 5, counts);
        world_again(w);
    }
    assert_true(counts[NH_ROW_INDEPENDENT] > 1000);
    assert_true(counts[NH_ROW_FOLLOWS] > 1000 && counts[NH_ROW_CONTRADICTS] > 1000);
}

static void test_expressions(void **state)
{
    world *w = *state;
    static const char *const factors[] = {"x",      "sin(y)",        "1/(1 + z^2)", "exp(u - v)",    "cos(x)*sinh(w)",
                                          "1",      "tan(x + y)/3",  "pi",          "sin(pi/4 + x)", "x^2 - y",
                                          "tanh(u)"};
    int counts[4] = {0};
    for (int i = 0; i < 500; i++) {
        check_system(w, factors, sizeof factors / sizeof *factors, counts);
        world_again(w);
    }
    assert_true(counts[NH_ROW_INDEPENDENT] > 300 && counts[NH_ROW_FOLLOWS] > 300 && counts[NH_ROW_CONTRADICTS] > 300);
}

/* ---------------------------------------------------------------- systems with names */

typedef struct equation {
    const char *entries[4];
    nh_row answer;
} equation;

static void check_equations(world *w, size_t columns, const equation *equations, size_t count)
{
    nh_elimination *e = nh_elimination_new(nh_modular_new(&w->pool, &w->arena, 7), &w->arena, columns);
    for (size_t i = 0; i < count; i++) {
        nh_expr row[4];
        for (size_t j = 0; j <= columns; j++)
            row[j] = read_expr(w, equations[i].entries[j]);
        if (nh_elimination_add(e, row) != equations[i].answer)
            fail_msg("row %zu is not %d", i, equations[i].answer);
    }
}

/* A turned frame: two unit vectors, and what follows from them. */
static void test_turned_frame(void **state)
{
    static const equation equations[] = {
        {{"sin(x)", "-cos(x)", "0"}, NH_ROW_INDEPENDENT},
        {{"sin(x)*cos(x)", "-cos(x)^2", "0"}, NH_ROW_FOLLOWS},
        {{"1 - cos(x)^2", "-sin(2*x)/2", "0"}, NH_ROW_FOLLOWS},
        {{"tan(x)", "-1", "1"}, NH_ROW_CONTRADICTS},
        {{"tan(x)", "-1", "0"}, NH_ROW_FOLLOWS},
        {{"sqrt(x)", "1", "0"}, NH_ROW_UNDECIDED},
        {{"0", "0", "0"}, NH_ROW_FOLLOWS},
        {{"0", "0", "y"}, NH_ROW_CONTRADICTS},
        {{"cos(x)", "sin(x)", "y"}, NH_ROW_INDEPENDENT},
        {{"cos(2*x)", "sin(2*x)", "y*cos(x)"}, NH_ROW_FOLLOWS},
        {{"cos(2*x)", "sin(2*x)", "y*sin(x)"}, NH_ROW_CONTRADICTS},
        {{"1", "1", "z"}, NH_ROW_CONTRADICTS},
    };
    check_equations(*state, 2, equations, sizeof equations / sizeof *equations);
}

/* Rows that residues know nothing certain of are not taken in. */
static void test_undecided(void **state)
{
    static const equation equations[] = {
        {{"abs(x)", "1", "0", "0"}, NH_ROW_UNDECIDED},  {{"1", "log(y)", "0", "0"}, NH_ROW_UNDECIDED},
        {{"1", "0", "0", "sqrt(2)"}, NH_ROW_UNDECIDED}, {{"cos(pi/3)", "0", "0", "0"}, NH_ROW_UNDECIDED},
        {{"1/0", "0", "0", "0"}, NH_ROW_UNDECIDED},     {{"1", "tan(pi/2)", "0", "0"}, NH_ROW_UNDECIDED},
        {{"1", "0", "0", "0"}, NH_ROW_INDEPENDENT},     {{"x^y", "0", "0", "0"}, NH_ROW_UNDECIDED},
        {{"x", "y", "z", "1"}, NH_ROW_INDEPENDENT},     {{"x", "2*y", "2*z", "2"}, NH_ROW_FOLLOWS},
        {{"x", "2*y", "2*z", "3"}, NH_ROW_CONTRADICTS}, {{"1", "1", "1", "1"}, NH_ROW_INDEPENDENT},
        {{"u", "v", "w", "x"}, NH_ROW_CONTRADICTS},
    };
    check_equations(*state, 3, equations, sizeof equations / sizeof *equations);
}

/* No columns at all: only the right-hand side is left. */
static void test_no_columns(void **state)
{
    static const equation equations[] = {
        {{"0"}, NH_ROW_FOLLOWS}, {{"sin(x)^2 + cos(x)^2 - 1"}, NH_ROW_FOLLOWS}, {{"x"}, NH_ROW_CONTRADICTS}};
    check_equations(*state, 0, equations, 3);
}

/* Many columns and rows. */
static void test_wide(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    enum { COLUMNS = 60 };
    nh_elimination *e = nh_elimination_new(nh_modular_new(p, &w->arena, 3), &w->arena, COLUMNS);
    nh_expr names[COLUMNS], row[COLUMNS + 1];
    for (int j = 0; j < COLUMNS; j++)
        names[j] = nh_symbol(p, "a");
    for (int i = 0; i < COLUMNS + 5; i++) { /* a Vandermonde matrix: rows names[j]^i */
        for (int j = 0; j < COLUMNS; j++)
            row[j] = nh_power(p, names[j], i);
        row[COLUMNS] = p->zero;
        assert_int_equal(nh_elimination_add(e, row), i < COLUMNS ? NH_ROW_INDEPENDENT : NH_ROW_FOLLOWS);
    }
    row[COLUMNS] = p->one;
    assert_int_equal(nh_elimination_add(e, row), NH_ROW_CONTRADICTS);
}

/* ---------------------------------------------------------------- residues */

static uint64_t residue_of(int64_t n) { return n < 0 ? NH_P - (uint64_t)-n : (uint64_t)n; }

/* A random matrix of small numbers: as many null vectors as the exact rank leaves, each of them one of every row; and the last
 * column, a combination of the others, is one again where the rows are taken in with it behind them. */
static void check_echelon(world *w, int counts[2])
{
    table t = {.columns = 1 + random_below(w, MAX_COLUMNS)};
    size_t n = (size_t)t.columns, rows = 1 + (size_t)random_below(w, MAX_ROWS);
    int64_t factors[MAX_COLUMNS];
    uint64_t x[MAX_COLUMNS + 1];
    nh_echelon *e = nh_echelon_new(&w->arena, n, n + 1);
    for (size_t j = 0; j < n; j++)
        factors[j] = random_below(w, 9) - 4;
    for (size_t i = 0; i < rows; i++) {
        random_row(w, &t);
        int64_t *row = t.entries[i];
        row[n] = 0;
        for (size_t j = 0; j < n; j++)
            row[n] += factors[j] * row[j];
        uint64_t *copy = nh_arena_array(&w->arena, n + 1, sizeof *copy);
        for (size_t j = 0; j <= n; j++)
            copy[j] = residue_of(row[j]);
        size_t before = e->rank;
        bool kept = nh_echelon_add(e, copy);
        assert_int_equal(e->rank, before + kept);
        assert_true(kept || copy[n] == 0);
    }
    assert_int_equal(e->rank, rank_of((int)rows, (int)n, (const int64_t(*)[MAX_COLUMNS + 1])t.entries));
    for (size_t without = 0; without <= n; without++) { /* the null vectors, then the solution */
        if (without < n && e->rows[without])
            continue;
        if (without < n) {
            nh_echelon_null(e, without, x);
            x[n] = 0;
            assert_true(x[without] == 1);
        } else {
            nh_echelon_solve(e, 0, x);
            x[n] = NH_P - 1;
        }
        counts[without < n]++;
        for (size_t i = 0; i < rows; i++) {
            uint64_t sum = 0;
            for (size_t j = 0; j <= n; j++)
                sum = nh_mod_add(sum, nh_mod_mul(x[j], residue_of(t.entries[i][j])));
            assert_true(sum == 0);
        }
    }
}

static void test_echelon(void **state)
{
    world *w = *state;
    int counts[2] = {0};
    for (int i = 0; i < 2000; i++) {
        check_echelon(w, counts);
        world_again(w);
    }
    assert_true(counts[0] > 1000 && counts[1] > 500);
}

/* What stands behind the columns tells a contradiction. */
static void test_echelon_contradiction(void **state)
{
    world *w = *state;
    nh_echelon *e = nh_echelon_new(&w->arena, 2, 3);
    uint64_t first[] = {1, 2, 3}, second[] = {2, 4, 6}, third[] = {2, 4, 7};
    assert_true(nh_echelon_add(e, first));
    assert_false(nh_echelon_add(e, second));
    assert_true(second[2] == 0);
    assert_false(nh_echelon_add(e, third));
    assert_true(third[0] == 0 && third[1] == 0 && third[2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_turned_frame, setup, teardown),
        cmocka_unit_test_setup_teardown(test_undecided, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wide, setup, teardown),
        cmocka_unit_test_setup_teardown(test_echelon, setup, teardown),
        cmocka_unit_test_setup_teardown(test_echelon_contradiction, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
