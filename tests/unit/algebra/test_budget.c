/* Jobs that are too large end with a reason, leave nothing behind, and do no harm to what comes after them. */
#include "reading.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---------------------------------------------------------------- nothing is printed */

/* Standard output and error go to a file until capture_end, which returns how much was written there. */
typedef struct capture {
    int out, err;
    FILE *file;
} capture;

static capture capture_begin(void)
{
    fflush(NULL);
    capture c = {dup(STDOUT_FILENO), dup(STDERR_FILENO), tmpfile()};
    assert_non_null(c.file);
    dup2(fileno(c.file), STDOUT_FILENO);
    dup2(fileno(c.file), STDERR_FILENO);
    return c;
}

static long capture_end(capture c)
{
    fflush(NULL);
    long written = (long)lseek(fileno(c.file), 0, SEEK_END);
    dup2(c.out, STDOUT_FILENO);
    dup2(c.err, STDERR_FILENO);
    close(c.out), close(c.err), fclose(c.file);
    return written;
}

/* ---------------------------------------------------------------- what comes after is right */

typedef struct form {
    const char *given, *simplified;
} form;

static const form forms[] = {
    {"(M*A*cos(theta)*R + M*R*K*sin(theta))/(M^2*R)", "(A*cos(theta) + K*sin(theta))/M"},
    {"sin(x)/(1 - cos(x)) - (1 + cos(x))/sin(x)", "0"},
    {"sqrt(M^2*x^2 + M^2*y^2)*sqrt(x^2 + y^2)", "M*(x^2 + y^2)"},
    {"(x^8 - y^8)/(x^4 - y^4)", "x^4 + y^4"},
    {"cos(x)*cos(y) + sin(x)*sin(y) + cosh(t)^2 - sinh(t)^2", "cos(x - y) + 1"},
    {"((x + 1)^3 - (x - 1)^3)/2 - 1", "3*x^2"},
    {"12345678901234567890123*(x + y)*9876543210987654321 - 12345678901234567890123*9876543210987654321*x",
     "121932631137021795224961194926077834171483*y"},
    {"log(sin(x)^2 + cos(x)^2 + M + M - 1)", "log(2*M)"},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* The names in the same order in every pool. */
static nh_expr read_here(world *w, const char *text)
{
    read_expr(w, "M*A*K*R*x*y*z*t*theta");
    return read_expr(w, text);
}

static bool is_right(world *w, size_t i)
{
    nh_expr e = read_here(w, forms[i % FORMS].given), simple = NH_EXPR_NONE;
    return nh_simplify(&w->algebra, &e, 1, &simple) && strcmp(text_of(w, simple), forms[i % FORMS].simplified) == 0;
}

static void all_are_right(world *w)
{
    for (size_t i = 0; i < FORMS; i++)
        if (!is_right(w, i))
            fail_msg("not simplified to %s: %s", forms[i].simplified, forms[i].given);
    assert_int_equal(nh_is_zero(&w->algebra, read_here(w, "sin(2*x) - 2*sin(x)*cos(x)")), NH_YES);
    assert_int_equal(nh_is_zero(&w->algebra, read_here(w, "sin(2*x) - 2*sin(x)*cos(y)")), NH_NO);
}

static void test_forms(void **state) { all_are_right(*state); }

/* ---------------------------------------------------------------- limits */

/* All calls on something too large give up for this reason, leave their results alone, and the scratch memory as it
 * was. Returns what is wrong, since nothing can be printed here; NULL: nothing. */
static const char *not_given_up(world *w, const char *large, const char *zero, const char *reason)
{
    nh_expr e = read_here(w, large), out = NH_EXPR_NONE, condition = NH_EXPR_NONE;
    nh_expr A[4] = {e, w->pool.one, read_here(w, "x"), e}, B[4] = {0, 0, 0, 0};
    nh_expr nothing = read_here(w, zero);
    size_t rank = 99;
    nh_algebra *a = &w->algebra;
    nh_arena_mark before = nh_arena_here(&a->scratch);
    if (nh_simplify(a, &e, 1, &out) || out != e || strcmp(a->reason, reason) != 0)
        return "simplify";
    if (nh_is_zero(a, nothing) != NH_UNKNOWN || strcmp(a->reason, reason) != 0)
        return "is zero";
    if (nh_matrix_determinant(a, 2, A, B) || strcmp(a->reason, reason) != 0)
        return "determinant";
    if (nh_matrix_inverse(a, 2, A, B) || nh_matrix_solve(a, 2, A, 1, A, B) || nh_matrix_multiply(a, 2, 2, 2, A, A, B))
        return "inverse, solution or product";
    if (nh_matrix_rank(a, 2, 2, A, &rank, &condition) || rank != 99 || condition)
        return "rank";
    nh_arena_mark after = nh_arena_here(&a->scratch);
    bool same = before.last == after.last && before.next == after.next;
    return B[0] || B[3] ? "results" : same ? NULL : "scratch memory";
}

static const char large[] = "(x + y + z + t + M + K + R + 1)^20*(x + 2*y + 3*z + t)^9 + (x + t)^30";
static const char large_zero[] = "(x + y + z + t + M + K + R + 1)^20*(x + 2*y + 3*z + t)^20"
                                 " - ((x + y + z + t + M + K + R + 1)*(x + 2*y + 3*z + t))^20";

static void check_limit(nh_budget budget, const char *reason)
{
    world w;
    world_begin(&w, &budget);
    capture c = capture_begin();
    double start = now();
    const char *wrong = not_given_up(&w, large, large_zero, reason);
    double seconds = now() - start;
    assert_int_equal(capture_end(c), 0);
    if (wrong)
        fail_msg("not given up, or for another reason than that %s: %s, %s", reason, wrong, w.algebra.reason);
    assert_true(seconds < 20);
    w.algebra.budget = (nh_budget){20000, 1 << 28, 10};
    all_are_right(&w);
    world_end(&w);
}

static void test_terms(void **state)
{
    check_limit((nh_budget){.max_terms = 1000, .max_seconds = 100}, "a product would have too many terms");
}

static void test_bytes(void **state)
{
    check_limit((nh_budget){.max_terms = 1 << 30, .max_bytes = 1 << 20, .max_seconds = 100},
                "it needs more memory than allowed");
}

static void test_seconds(void **state)
{
    check_limit((nh_budget){.max_terms = 1 << 30, .max_bytes = (size_t)1 << 40, .max_seconds = 0.05},
                "it takes more time than allowed");
}

/* With little enough of everything nothing works, and nothing is wrong. */
static void test_tiny_budgets(void **state)
{
    for (size_t terms = 1; terms < 6; terms++)
        for (size_t bytes = 1; bytes < 1 << 20; bytes *= 4) {
            world w;
            world_begin(&w, &(nh_budget){terms, bytes, 1});
            for (size_t i = 0; i < FORMS; i++) {
                nh_expr e = read_here(&w, forms[i].given), out = NH_EXPR_NONE;
                bool done = nh_simplify(&w.algebra, &e, 1, &out);
                assert_true(done || w.algebra.reason);
                assert_int_not_equal(nh_is_zero(&w.algebra, nh_sub(&w.pool, e, out)), NH_NO);
                assert_int_not_equal(nh_is_zero(&w.algebra, read_here(&w, "sin(2*x) - 2*sin(x)*cos(x)")), NH_NO);
            }
            world_end(&w);
        }
}

/* One that is too large for the budget, or undefined, leaves the others alone. */
static void check_batch(const nh_budget *budget, const char *long_one)
{
    world w;
    world_begin(&w, budget);
    static const char *const small[] = {"sin(x)^2 + cos(x)^2", "(x^2 - y^2)/(x - y)", "(M*x + M*y)/M", "tan(x)*cos(x)"};
    static const char *const simple[] = {"1", "x + y", "x + y", "sin(x)"};
    for (size_t place = 0; place < 5; place++)
        for (int undefined = 0; undefined < 2; undefined++) {
            nh_expr in[5], out[5];
            for (size_t i = 0; i < 5; i++)
                in[i] = i == place ? (undefined ? NH_EXPR_NONE : read_here(&w, long_one)) : read_here(&w, small[i < place ? i : i - 1]);
            assert_false(nh_simplify(&w.algebra, in, 5, out));
            assert_non_null(w.algebra.reason);
            assert_int_equal(out[place], in[place]);
            for (size_t i = 0; i < 5; i++)
                if (i != place)
                    assert_string_equal(text_of(&w, out[i]), simple[i < place ? i : i - 1]);
        }
    world_end(&w);
}

static void test_batches(void **state)
{
    check_batch(&(nh_budget){200, 64 << 20, 20}, "(x + y + z + u + v)^12*sin(x + y + z)^8 + (x - y)^2");
    check_batch(&(nh_budget){10000000, 2 << 20, 20}, "(x + y + z + u + v)^30*(x + z)^20 + (x - y)^2");
}

/* e' = (e + y) + (e - y), and so on: 2^30 terms if it is written out, 60 nodes. */
static void test_shared_parts(void **state)
{
    world *w = *state;
    nh_expr e = read_here(w, "x"), y = read_here(w, "y"), out = NH_EXPR_NONE;
    for (int i = 0; i < 30; i++)
        e = nh_add(&w->pool, nh_add(&w->pool, e, y), nh_sub(&w->pool, e, y));
    nh_expr in[3] = {e, nh_call(&w->pool, NH_FN_sin, e, NH_EXPR_NONE), nh_call(&w->pool, NH_FN_log, e, NH_EXPR_NONE)};
    double start = now();
    for (int i = 0; i < 3; i++)
        assert_true(nh_simplify(&w->algebra, &in[i], 1, &out));
    assert_string_equal(text_of(w, out), "log(1073741824*x)");
    assert_int_equal(nh_is_zero(&w->algebra, nh_sub(&w->pool, e, read_here(w, "2^30*x"))), NH_YES);
    assert_true(now() - start < 20);
    assert_true(w->heap.peak < 64 << 20);
}

/* ---------------------------------------------------------------- cancelled at any moment */

static void test_cancelled(void **state)
{
    world *w = *state;
    size_t cancelled = 0, wrong = 0;
    capture c = capture_begin();
    for (size_t i = 0; i < 1000; i++) {
        int most = 1 << (1 + random_below(w, 12));
        nh_expr e = read_here(w, forms[i % FORMS].given), out = NH_EXPR_NONE;
        w->algebra.cancel_after = 1 + (size_t)random_below(w, most);
        nh_arena_mark before = nh_arena_here(&w->algebra.scratch);
        bool done = nh_simplify(&w->algebra, &e, 1, &out);
        nh_arena_mark after = nh_arena_here(&w->algebra.scratch);
        w->algebra.cancel_after = 0;
        cancelled += !done;
        wrong += !done && strcmp(w->algebra.reason, "it was cancelled") != 0;
        wrong += before.last != after.last || before.next != after.next;
        wrong += !is_right(w, i + 1);
        if (i % 50 == 49)
            world_again(w);
    }
    assert_int_equal(capture_end(c), 0);
    assert_int_equal(wrong, 0);
    assert_true(cancelled > 400);
    all_are_right(w);
}

/* The same for matrices: many minors and fractions are under way. */
static void test_cancelled_matrices(void **state)
{
    world *w = *state;
    nh_expr A[9], inverse[9], out[9];
    static const char *const texts[9] = {
        "M + K + R", "K*cos(y)", "0", "K*cos(y)", "K*R^2", "sin(x)", "0", "sin(x)", "A + M*x^2",
    };
    for (int i = 0; i < 9; i++)
        A[i] = read_here(w, texts[i]);
    assert_true(nh_matrix_inverse(&w->algebra, 3, A, inverse));
    int cancelled = 0;
    for (int i = 0; i < 200; i++) {
        w->algebra.cancel_after = 1 + (size_t)random_below(w, 1 << (1 + random_below(w, 16)));
        bool done = nh_matrix_inverse(&w->algebra, 3, A, out);
        w->algebra.cancel_after = 0;
        cancelled += !done;
    }
    assert_true(cancelled > 50);
    assert_true(nh_matrix_inverse(&w->algebra, 3, A, out));
    assert_memory_equal(out, inverse, sizeof out);
}

/* ---------------------------------------------------------------- memory that ends */

typedef struct failing {
    size_t left; /* allocations until one fails */
} failing;

static void *failing_take(void *user, size_t size)
{
    failing *f = user;
    return f->left == 0 || --f->left == 0 ? NULL : malloc(size);
}

static void failing_give(void *user, void *block, size_t size) { free(block); }

/* A world in memory that is already there, and may end. */
static void simplify_forms(void *arg)
{
    world *w = arg;
    nh_pool_init(&w->pool, &w->arena);
    nh_map_init(&w->names, &w->arena);
    for (size_t i = 0; i < FORMS; i++)
        is_right(w, i);
}

/* Allocations of the library's own fail, within jobs and outside. */
static void test_failing_memory(void **state)
{
    bool failed = true;
    for (size_t left = 1; failed && left < 100000; left += 1 + left / 8) {
        failing f = {left};
        world w = {.seed = 1};
        nh_heap_init(&w.heap, &(nh_allocator){&f, failing_take, failing_give}, 0);
        nh_arena_init(&w.arena, &w.heap);
        w.pool.arena = &w.arena;
        nh_algebra_init(&w.algebra, &w.pool, NULL, w.signs);
        failed = nh_heap_try(&w.heap, simplify_forms, &w) != NH_OK;
        nh_algebra_free(&w.algebra);
        nh_pool_free(&w.pool);
        nh_arena_free(&w.arena);
        assert_int_equal(w.heap.used, 0);
    }
    assert_false(failed);
}

/* ---------------------------------------------------------------- several threads */

typedef struct worker {
    pthread_t thread;
    size_t number;
    bool right;
} worker;

static void *work(void *arg)
{
    worker *me = arg;
    world w;
    world_begin(&w, NULL);
    me->right = true;
    for (size_t i = 0; i < 60; i++) {
        w.algebra.cancel_after = i % 3 == me->number % 3 ? 50 + i : 0; /* one in three is cancelled */
        bool right = is_right(&w, i + me->number);
        me->right = me->right && (right || w.algebra.cancel_after);
    }
    nh_algebra_free(&w.algebra);
    nh_pool_free(&w.pool);
    nh_arena_free(&w.arena);
    me->right = me->right && w.heap.used == 0;
    return NULL;
}

static void test_threads(void **state)
{
    worker workers[4];
    for (size_t i = 0; i < 4; i++) {
        workers[i] = (worker){.number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < 4; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < 4; i++)
        assert_true(workers[i].right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms, setup, teardown),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_tiny_budgets),
        cmocka_unit_test_setup_teardown(test_shared_parts, setup, teardown),
        cmocka_unit_test(test_batches),
        cmocka_unit_test_setup_teardown(test_cancelled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cancelled_matrices, setup, teardown),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
