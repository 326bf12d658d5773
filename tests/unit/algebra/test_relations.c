/* Linear relations: those that are known by construction are found, no others are, and each one holds at random points. */
#include "reading.h"

#include <math.h>

enum { MOST_FUNCTIONS = 64 };

typedef struct answer {
    size_t found, count;
    nh_expr *a;
} answer;

/* Parameters, by their names, are the constants. */
static answer relations_of(world *w, size_t rows, size_t count, const nh_expr *e)
{
    answer out = {.count = count};
    bool constant[MOST_SYMBOLS];
    for (size_t i = 0; i < w->pool.n_symbols; i++)
        constant[i] = w->signs[i] > 0;
    if (!nh_linear_relations(&w->algebra, rows, count, e, constant, &out.found, &out.a))
        fail_msg("not finished: %s", w->algebra.reason);
    return out;
}

/* At random points, with doubles: sum_k a_k e_k = 0 compared with the size of its terms. */
static void check_values(world *w, size_t rows, const nh_expr *e, const answer *found)
{
    double values[MOST_SYMBOLS];
    for (size_t i = 0; i < found->found * rows; i++)
        for (int point = 0; point < 5; point++) {
            double sum = 0, size = 0;
            random_values(w, values);
            for (size_t k = 0; k < found->count; k++) {
                nh_expr term = nh_mul(&w->pool, found->a[i / rows * found->count + k], e[i % rows * found->count + k]);
                double value;
                nh_evaluate(&w->pool, &w->algebra.scratch, &term, 1, values, &value, NULL);
                sum += value, size += fabs(value);
            }
            if (!(fabs(sum) <= 1e-9 * size))
                fail_msg("relation %zu: %g instead of 0, terms of the size %g", i, sum, size);
        }
}

/* Each has a last function that is in no other one; none has a denominator that is 0 or is 0 itself. */
static void check_echelon(world *w, const answer *found)
{
    for (size_t i = 0; i < found->found; i++) {
        size_t last = found->count;
        while (last > 0 && found->a[i * found->count + last - 1] == w->pool.zero)
            last--;
        assert_true(last > 0);
        for (size_t k = 0; k < found->found; k++)
            if (k != i)
                assert_true(found->a[k * found->count + last - 1] == w->pool.zero);
    }
}

static answer check_count(world *w, size_t rows, size_t count, const char *const *texts, size_t expected)
{
    nh_expr e[MOST_FUNCTIONS];
    for (size_t i = 0; i < rows * count; i++)
        e[i] = read_expr(w, texts[i]);
    answer found = relations_of(w, rows, count, e);
    if (found.found != expected)
        fail_msg("%zu relations of %s, ..., %s instead of %zu", found.found, texts[0], texts[count - 1], expected);
    check_values(w, rows, e, &found);
    check_echelon(w, &found);
    return found;
}

#define COUNT(...) (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define CHECK(w, expected, ...) check_count(w, 1, COUNT(__VA_ARGS__), (const char *const[]){__VA_ARGS__}, expected)

/* The one relation, coefficient by coefficient. */
static void check_one(world *w, const answer *found, const char *const *expected)
{
    assert_int_equal(found->found, 1);
    for (size_t k = 0; k < found->count; k++)
        if (strcmp(text_of(w, found->a[k]), expected[k]) != 0)
            fail_msg("coefficient %zu is %s instead of %s", k, text_of(w, found->a[k]), expected[k]);
}

#define CHECK_ONE(w, found, ...) check_one(w, &found, (const char *const[]){__VA_ARGS__})

static void test_none(void **state)
{
    world *w = *state;
    CHECK(w, 0, "1", "x", "x^2", "sin(x)", "cos(x)", "exp(x)", "sqrt(1 + x^2)");
    CHECK(w, 0, "M*x + R*y", "M*x - R*y");
    CHECK(w, 0, "1", "sin(x)^2", "sin(x)*cos(x)", "cos(x)");
    CHECK(w, 0, "x");
}

static void test_known(void **state)
{
    world *w = *state;
    answer found = CHECK(w, 1, "1", "sin(x)^2", "cos(x)^2");
    CHECK_ONE(w, found, "-1", "1", "1");
    CHECK(w, 1, "1", "cos(x)^2", "cos(2*x)");
    found = CHECK(w, 1, "sin(x)", "cos(x)", "sin(x + A)");
    CHECK(w, 1, "1/(x - M)", "1/(x + M)", "1/(x^2 - M^2)");
    CHECK(w, 3, "M", "R", "1", "7/3", "x");
    CHECK(w, 2, "0", "x", "M*x");
    CHECK(w, 1, "x", "y", "M*x + R*y");
    CHECK(w, 1, "x^2", "y^2", "x^2/(M + R) + R*y^2/(M^2 - A*R)");
    CHECK(w, 1, "x", "y", "sqrt(M)*x - sqrt(R)*y");
    CHECK(w, 1, "sqrt(1 + x^2)", "x^2/sqrt(1 + x^2)", "1/sqrt(1 + x^2)");
    CHECK(w, 1, "exp(x)", "exp(-x)", "cosh(x)");
}

/* The factors are written without denominators or common factors, and only in the constants that matter. */
static void test_form(void **state)
{
    world *w = *state;
    answer found = CHECK(w, 1, "R*x^2", "A*y^2", "A*M*x^2 + 2*R*y^2");
    CHECK_ONE(w, found, "-A^2*M", "-2*R^2", "R*A");
    found = CHECK(w, 1, "x", "y", "z", "(2*M*x + 3*M*y - z)/(5*R)");
    CHECK_ONE(w, found, "-2*M", "-3*M", "1", "5*R");
}

/* One a for several conditions. */
static void test_rows(void **state)
{
    world *w = *state;
    check_count(w, 2, 3, (const char *const[]){"x", "y", "x + M*y", "1", "2", "1 + 2*M"}, 1);
    check_count(w, 2, 3, (const char *const[]){"x", "y", "x + M*y", "1", "2", "1 + 3*M"}, 0);
    check_count(w, 2, 3, (const char *const[]){"x", "y", "x + M*y", "0", "0", "0"}, 1);
}

/* A product of a few constants, by its number. */
static nh_expr random_coefficient(world *w)
{
    static const char *const parts[] = {"M", "R", "A", "M + R", "1/(R + 2*A)", "3/7", "M^2"};
    nh_expr product = nh_integer(&w->pool, 1 + random_below(w, 5));
    for (int factors = random_below(w, 3); factors > 0; factors--)
        product = nh_mul(&w->pool, product, read_expr(w, parts[random_below(w, 7)]));
    return random_below(w, 2) ? product : nh_neg(&w->pool, product);
}

/* Independent functions, and combinations of three of them each: so many relations, and these. */
static void test_random(void **state)
{
    world *w = *state;
    for (int round = 0; round < 6; round++) {
        nh_expr e[MOST_FUNCTIONS];
        size_t functions = 0, extra = 3;
        char text[64];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 5; k++) {
                snprintf(text, sizeof text, "x^%d*cos(theta)^%d%s", i, k / 2, k % 2 ? "*sin(theta)" : "");
                e[functions++] = read_expr(w, text);
            }
        for (size_t i = 0; i < extra; i++) {
            e[functions + i] = w->pool.zero;
            for (int terms = 0; terms < 3; terms++)
                e[functions + i] =
                    nh_add(&w->pool, e[functions + i],
                           nh_mul(&w->pool, random_coefficient(w), e[random_below(w, (int)functions)]));
        }
        answer found = relations_of(w, 1, functions + extra, e);
        assert_int_equal(found.found, extra);
        check_values(w, 1, e, &found);
        check_echelon(w, &found);
        world_again(w);
    }
}

/* Many functions at once; and a budget that is too small for them, which is said. */
static void test_many(void **state)
{
    world *w = *state;
    enum { MANY = 400 };
    nh_expr *e = malloc(MANY * sizeof *e), *a = NULL;
    bool constant[MOST_SYMBOLS] = {false};
    size_t found;
    for (int i = 0; i < MANY; i++) {
        char text[64];
        snprintf(text, sizeof text, "x^%d*y^%d*cos(theta)^%d", i % 8, i / 8 % 8, i / 64);
        e[i] = read_expr(w, text);
    }
    e[MANY - 1] = nh_add(&w->pool, e[3], nh_mul(&w->pool, nh_integer(&w->pool, 5), e[200]));
    assert_true(nh_linear_relations(&w->algebra, 1, MANY, e, constant, &found, &a));
    assert_int_equal(found, 1);
    w->algebra.budget.max_seconds = 1e-9;
    assert_false(nh_linear_relations(&w->algebra, 1, MANY, e, constant, &found, &a));
    assert_int_equal(found, 0);
    assert_non_null(w->algebra.reason);
    free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_known, setup, teardown),
        cmocka_unit_test_setup_teardown(test_form, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
    };
    return cmocka_run_group_tests_name("algebra/relations", tests, NULL, NULL);
}
