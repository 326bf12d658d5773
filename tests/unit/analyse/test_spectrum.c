/* Matrices: eigenvalues with multiple zeros, kernels, shortest solutions. */
#include "analyse/dense.h"
#include "analyse/spectrum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static nh_heap heap;
static nh_arena arena;

static int setup(void **state)
{
    nh_heap_init(&heap, NULL, 0);
    nh_arena_init(&arena, &heap);
    return 0;
}

static int teardown(void **state)
{
    nh_arena_free(&arena);
    return 0;
}

static void assert_near(double a, double b, double error)
{
    if (!(fabs(a - b) <= error))
        fail_msg("%.17g is not %.17g", a, b);
}

static double draw(uint64_t *random)
{
    *random += 0x9e3779b97f4a7c15u;
    return (double)(nh_hash(*random) >> 11) / 4503599627370496.0 - 1;
}

/* B = T A T^-1 with T = 1 + N, N strictly above the diagonal, so that T^-1 is found by substitution. */
static void disguise(size_t n, const double *A, double *B, uint64_t *random)
{
    double *T = nh_arena_array(&arena, n * n, sizeof *T), *AT = nh_arena_array(&arena, n * n, sizeof *AT);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            T[i * n + j] = i == j ? 1 : i < j ? draw(random) : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                AT[i * n + j] += T[i * n + k] * A[k * n + j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) { /* B T = AT, column by column */
            B[i * n + j] = AT[i * n + j];
            for (size_t k = 0; k < j; k++)
                B[i * n + j] -= B[i * n + k] * T[k * n + j];
        }
}

/* A v = lambda v for each eigenvalue that is not 0. */
static void check_vectors(const nh_spectrum *s, const double *A)
{
    size_t n = s->n;
    for (size_t k = 0; k < n; k++) {
        nh_eigenvalue e = s->values[k];
        double size = 0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, hypot(s->re[i * n + k], s->im[i * n + k]));
        assert_true(size > 1e-8);
        for (size_t i = 0; i < n && (e.re != 0 || e.im != 0); i++) {
            double re = 0, im = 0;
            for (size_t j = 0; j < n; j++)
                re += A[i * n + j] * s->re[j * n + k], im += A[i * n + j] * s->im[j * n + k];
            assert_near(re, e.re * s->re[i * n + k] - e.im * s->im[i * n + k], 1e-11 * size * fmax(1, s->norm));
            assert_near(im, e.re * s->im[i * n + k] + e.im * s->re[i * n + k], 1e-11 * size * fmax(1, s->norm));
        }
    }
}

/* Jordan blocks of 0 of these sizes, a pair a +- i b and a real one. */
static void check_blocks(const size_t *blocks, size_t count, uint64_t seed)
{
    size_t zeros = 0;
    for (size_t k = 0; k < count; k++)
        zeros += blocks[k];
    size_t n = zeros + 3;
    double *A = nh_arena_array(&arena, n * n, sizeof *A), *B = nh_arena_array(&arena, n * n, sizeof *B);
    for (size_t k = 0, at = 0; k < count; at += blocks[k++])
        for (size_t i = 0; i + 1 < blocks[k]; i++)
            A[(at + i) * n + at + i + 1] = 1;
    size_t z = zeros;
    A[z * n + z] = A[(z + 1) * n + z + 1] = -0.25, A[z * n + z + 1] = 2, A[(z + 1) * n + z] = -2;
    A[(z + 2) * n + z + 2] = 0.5;
    disguise(n, A, B, &seed);
    nh_spectrum *s = nh_spectrum_of(&arena, n, B, 0);
    assert_non_null(s);
    assert_int_equal(s->zeros, zeros);
    assert_int_equal(s->kernel, count);
    assert_near(s->values[0].re, 0.5, 1e-12);
    assert_near(s->values[n - 2].re, -0.25, 1e-12), assert_near(s->values[n - 2].im, 2, 1e-12);
    assert_near(s->values[n - 1].re, -0.25, 1e-12), assert_near(s->values[n - 1].im, -2, 1e-12);
    for (size_t k = 1; k + 2 < n; k++)
        assert_true(s->values[k].re == 0 && s->values[k].im == 0);
    check_vectors(s, B);
}

static void zeros_stay_zeros(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_blocks((const size_t[]){1}, 1, seed);
        check_blocks((const size_t[]){3}, 1, seed);
        check_blocks((const size_t[]){2, 1}, 2, seed);
        check_blocks((const size_t[]){4, 2, 1}, 3, seed);
        check_blocks(NULL, 0, seed);
    }
}

/* A slow and a fast oscillator: neither is rounding beside the other. */
static void scales_are_no_matter(void **state)
{
    const double A[] = {0, 1, 0, 0, -1e-10, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1e6, 0};
    nh_spectrum *s = nh_spectrum_of(&arena, 4, A, 0);
    assert_int_equal(s->zeros, 0);
    double slow = INFINITY, fast = 0;
    for (size_t k = 0; k < 4; k++)
        slow = fmin(slow, fabs(s->values[k].im)), fast = fmax(fast, fabs(s->values[k].im));
    assert_near(slow, 1e-5, 1e-15);
    assert_near(fast, 1e3, 1e-9);
}

static void rounding_is_nothing(void **state)
{
    const double A[] = {1e-17, 3e-16, -2e-16, 1e-16};
    assert_int_equal(nh_spectrum_of(&arena, 2, A, 1)->zeros, 2);
    assert_int_equal(nh_spectrum_of(&arena, 0, A, 1)->zeros, 0);
}

static void kernels(void **state)
{
    const double A[] = {1, 2, 3, 2, 4, 6};
    double basis[9], x[3];
    size_t count;
    assert_true(nh_kernel(&arena, 2, 3, A, 1e-12, basis, &count));
    assert_int_equal(count, 2);
    for (size_t k = 0; k < count; k++)
        assert_near(basis[3 * k] + 2 * basis[3 * k + 1] + 3 * basis[3 * k + 2], 0, 1e-15);
    assert_true(nh_kernel(&arena, 0, 3, A, 1e-12, basis, &count));
    assert_int_equal(count, 3);
    assert_true(nh_least_squares(&arena, 2, 3, A, (const double[]){14, 28}, 1e-12, x)); /* the shortest: (1, 2, 3) */
    for (size_t k = 0; k < 3; k++)
        assert_near(x[k], (double)(k + 1), 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(zeros_stay_zeros, setup, teardown),
        cmocka_unit_test_setup_teardown(scales_are_no_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(rounding_is_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(kernels, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
