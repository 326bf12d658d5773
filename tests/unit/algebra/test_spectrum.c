/* Eigenvalues to many digits, of matrices that have known ones. */
#include "reading.h"

#include <math.h>

static nh_spectral spectrum_of(world *w, size_t n, const char *const *texts, const double *radii)
{
    nh_spectral s = {.n = n, .radii = radii};
    nh_expr *A = nh_arena_array(&w->arena, n * n + 1, sizeof *A), *rates = nh_arena_array(&w->arena, 1, sizeof *rates);
    for (size_t i = 0; i < n * n; i++)
        A[i] = read_expr(w, texts[i]);
    rates[0] = w->pool.one; /* a state that is not exact, where there are radii */
    s.A = A, s.rates = rates, s.n_rates = radii != NULL;
    s.exact = nh_arena_array(&w->arena, MOST_SYMBOLS, sizeof *s.exact);
    double *values = nh_arena_array(&w->arena, MOST_SYMBOLS, sizeof *values);
    for (size_t i = 0; i < MOST_SYMBOLS; i++)
        values[i] = 1;
    s.values = values, s.numbers = nh_arena_array(&w->arena, n * n, sizeof(double));
    s.number_errors = nh_arena_array(&w->arena, n * n, sizeof(double));
    s.pairs = nh_arena_array(&w->arena, n, sizeof *s.pairs);
    for (size_t k = 0; k < n; k++)
        s.pairs[k].vector_re = nh_arena_array(&w->arena, n, sizeof(double)),
        s.pairs[k].vector_im = nh_arena_array(&w->arena, n, sizeof(double));
    nh_arena scratch;
    nh_arena_init(&scratch, &w->heap);
    assert_true(nh_find_spectrum(&w->pool, &scratch, &s));
    nh_arena_free(&scratch);
    return s;
}

static void check_has(const nh_spectral *s, double re, double im, double tolerance)
{
    double least = INFINITY;
    for (size_t k = 0; k < s->count; k++)
        least = fmin(least, hypot(s->pairs[k].re - re, s->pairs[k].im - im));
    if (!(least <= tolerance * hypot(re, im)))
        fail_msg("%g + %gi is missed by %g", re, im, least);
}

#define MATRIX(...) ((const char *const[]){__VA_ARGS__})

/* l^2 + l - 1e-40 = 0; and +-i, exactly on the axis. */
static void test_sizes(void **state)
{
    nh_spectral s = spectrum_of(*state, 2, MATRIX("0", "1", "1e-40", "-1"), NULL);
    check_has(&s, 1e-40, 0, 1e-14), check_has(&s, -1, 0, 1e-14);
    assert_int_equal(s.zeros, 0);
    s = spectrum_of(*state, 2, MATRIX("0", "1", "-1", "0"), NULL);
    check_has(&s, 0, 1, 1e-15), check_has(&s, 0, -1, 1e-15);
    assert_true(s.pairs[0].re == 0 && s.pairs[0].error < 1e-50);
}

/* One block of three rows with 0; two eigenvectors of three; (l + 1)^3. */
static void test_multiple(void **state)
{
    nh_spectral s = spectrum_of(*state, 3, MATRIX("0", "1", "0", "0", "0", "1", "0", "0", "0"), NULL);
    assert_int_equal(s.zeros, 3);
    assert_int_equal(s.kernel, 1);
    s = spectrum_of(*state, 3, MATRIX("0", "1", "0", "0", "0", "0", "0", "0", "0"), NULL);
    assert_int_equal(s.zeros, 3);
    assert_int_equal(s.kernel, 2);
    s = spectrum_of(*state, 3, MATRIX("0", "1", "0", "0", "0", "1", "-1", "-3", "-3"), NULL);
    assert_int_equal(s.count, 3);
    for (size_t k = 0; k < 3; k++)
        assert_true(hypot(s.pairs[k].re + 1, s.pairs[k].im) < 1e-12 && s.pairs[k].error < 1e-12);
}

/* x = 1 to 1e-12: x - 1 is 0 as far as can be told, and 2 x is 2 to 2e-12. */
static void test_uncertain(void **state)
{
    double radii[MOST_SYMBOLS];
    for (size_t i = 0; i < MOST_SYMBOLS; i++)
        radii[i] = 1e-12;
    nh_spectral s = spectrum_of(*state, 2, MATRIX("x - 1", "0", "0", "2*x"), radii);
    assert_int_equal(s.zeros, 1);
    check_has(&s, 2, 0, 1e-14);
    assert_true(s.pairs[0].error >= 2e-12 && s.pairs[0].error < 1e-9);
    assert_true(s.number_errors[0] >= 1e-12 && s.number_errors[3] >= 2e-12 && s.number_errors[1] == 0);
}

/* A x = l x. */
static void test_vectors(void **state)
{
    static const double A[] = {1, 2, 0, -3, 1, 4, 0, 5, -2};
    nh_spectral s = spectrum_of(*state, 3, MATRIX("1", "2", "0", "-3", "1", "4", "0", "5", "-2"), NULL);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            const nh_eigenpair *p = &s.pairs[k];
            double re = -p->re * p->vector_re[i] + p->im * p->vector_im[i],
                   im = -p->re * p->vector_im[i] - p->im * p->vector_re[i];
            for (size_t j = 0; j < 3; j++)
                re += A[i * 3 + j] * p->vector_re[j], im += A[i * 3 + j] * p->vector_im[j];
            assert_true(hypot(re, im) < 1e-13);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_multiple, setup, teardown),
        cmocka_unit_test_setup_teardown(test_uncertain, setup, teardown),
        cmocka_unit_test_setup_teardown(test_vectors, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
