/* Rationals against GMP's own mpq, on random numbers: tiny, around the limits of 64 bits, and huge. */
#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---------------------------------------------------------------- the world of a test */

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    nh_numbers numbers;
    uint64_t seed;
} world;

static void world_begin(world *w, const nh_allocator *allocator, uint64_t seed)
{
    nh_heap_init(&w->heap, allocator, 0);
    nh_arena_init(&w->arena, &w->heap);
    nh_numbers_init(&w->numbers, &w->arena);
    w->seed = seed;
}

static void world_end(world *w)
{
    nh_numbers_free(&w->numbers);
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
}

static int setup(void **state)
{
    world *w = malloc(sizeof *w);
    world_begin(w, NULL, 1);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    world_end(*state);
    free(*state);
    return 0;
}

/* ---------------------------------------------------------------- random numbers */

static uint64_t random_bits(world *w) { return nh_hash(w->seed += 0x9e3779b97f4a7c15u); }
static uint64_t random_below(world *w, uint64_t n) { return random_bits(w) % n; }

static void random_limbs(world *w, mpz_t z, size_t limbs)
{
    mpz_set_ui(z, 0);
    while (limbs--) {
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, random_bits(w));
    }
}

/* |z| of one of the kinds, with a random sign. */
static void random_integer(world *w, mpz_t z)
{
    switch (random_below(w, 6)) {
    case 0: mpz_set_ui(z, random_below(w, 20)); break;
    case 1: mpz_set_ui(z, (UINT64_C(1) << random_below(w, 64)) - 2 + random_below(w, 5)); break;
    case 2: mpz_set_ui(z, (uint64_t)INT64_MAX - 2 + random_below(w, 5)); break;
    case 3: mpz_set_ui(z, random_bits(w) >> random_below(w, 64)); break;
    case 4: mpz_set_ui(z, random_bits(w)); break;
    default: random_limbs(w, z, 1 + random_below(w, 10)); break;
    }
    if (random_below(w, 2))
        mpz_neg(z, z);
}

static void random_mpq(world *w, mpq_t q)
{
    random_integer(w, mpq_numref(q));
    do
        random_integer(w, mpq_denref(q));
    while (mpz_sgn(mpq_denref(q)) == 0);
    if (random_below(w, 4) == 0)
        mpz_set_ui(mpq_denref(q), 1);
    mpq_canonicalize(q);
}

/* ---------------------------------------------------------------- between mpq and nh_rational */

static bool fits(mpz_srcptr z) { return mpz_fits_slong_p(z) && mpz_cmp_si(z, INT64_MIN) != 0; }

/* Valid as long as q is not changed. */
static nh_rational of(mpq_srcptr q)
{
    if (!fits(mpq_numref(q)) || !fits(mpq_denref(q)))
        return (nh_rational){.big = q};
    return (nh_rational){mpz_get_si(mpq_numref(q)), mpz_get_si(mpq_denref(q)), NULL};
}

/* The right number in the right representation. */
static void expect(nh_rational r, mpq_srcptr q)
{
    if (!fits(mpq_numref(q)) || !fits(mpq_denref(q))) {
        assert_non_null(r.big);
        assert_true(mpq_equal(r.big, q));
        return;
    }
    assert_null(r.big);
    assert_true(mpz_cmp_si(mpq_numref(q), r.num) == 0);
    assert_true(mpz_cmp_si(mpq_denref(q), r.den) == 0);
}

static void expect_text(world *w, nh_rational r, const char *want)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_rational_print(&text, r);
    assert_string_equal(nh_text_get(&text), want);
}

/* ---------------------------------------------------------------- arithmetic */

/* b is unrelated to a, equal to it, its opposite or its inverse. */
static void random_partner(world *w, mpq_t b, mpq_srcptr a)
{
    switch (random_below(w, 8)) {
    case 0: mpq_set(b, a); break;
    case 1: mpq_neg(b, a); break;
    case 2:
        if (mpq_sgn(a) != 0) {
            mpq_inv(b, a);
            break;
        } /* fall through */
    default: random_mpq(w, b);
    }
}

static void check_arithmetic(world *w, mpq_srcptr a, mpq_srcptr b, mpq_t want)
{
    nh_rational x = of(a), y = of(b);
    mpq_add(want, a, b);
    expect(nh_rational_add(&w->numbers, x, y), want);
    mpq_sub(want, a, b);
    expect(nh_rational_sub(&w->numbers, x, y), want);
    mpq_mul(want, a, b);
    expect(nh_rational_mul(&w->numbers, x, y), want);
    mpq_neg(want, a);
    expect(nh_rational_neg(&w->numbers, x), want);
    if (mpq_sgn(b) == 0)
        return;
    mpq_div(want, a, b);
    expect(nh_rational_div(&w->numbers, x, y), want);
}

static void check_questions(mpq_srcptr a, mpq_srcptr b)
{
    nh_rational x = of(a), y = of(b);
    int order = mpq_cmp(a, b);
    assert_int_equal(nh_rational_compare(x, y), (order > 0) - (order < 0));
    assert_int_equal(nh_rational_equal(x, y), order == 0);
    assert_int_equal(nh_rational_hash(x) == nh_rational_hash(y), order == 0);
    assert_int_equal(nh_rational_sign(x), mpq_sgn(a));
    assert_int_equal(nh_rational_is_int(x), mpz_cmp_ui(mpq_denref(a), 1) == 0);
    assert_int_equal(nh_rational_is(x, 7), mpq_cmp_si(a, 7, 1) == 0);
}

static void test_arithmetic(void **state)
{
    world *w = *state;
    mpq_t a, b, want;
    mpq_inits(a, b, want, NULL);
    for (int i = 0; i < 40000; i++) {
        random_mpq(w, a);
        random_partner(w, b, a);
        check_arithmetic(w, a, b, want);
        check_questions(a, b);
    }
    mpq_clears(a, b, want, NULL);
}

static void test_limits_of_64_bits(void **state)
{
    world *w = *state;
    nh_rational max = nh_rational_int(INT64_MAX), min = nh_rational_int(-INT64_MAX), one = nh_rational_int(1);
    expect_text(w, nh_rational_add(&w->numbers, max, one), "9223372036854775808");
    expect_text(w, nh_rational_sub(&w->numbers, min, one), "-9223372036854775808");
    nh_rational beyond = nh_rational_sub(&w->numbers, min, one);
    assert_non_null(beyond.big);
    expect_text(w, nh_rational_neg(&w->numbers, beyond), "9223372036854775808");
    assert_true(nh_rational_is(nh_rational_add(&w->numbers, beyond, one), -INT64_MAX));
    expect_text(w, nh_rational_div(&w->numbers, one, beyond), "-1/9223372036854775808");
    expect_text(w, nh_rational_div(&w->numbers, one, min), "-1/9223372036854775807");
    assert_true(nh_rational_is(nh_rational_div(&w->numbers, beyond, beyond), 1));
    assert_true(nh_rational_is(nh_rational_sub(&w->numbers, beyond, beyond), 0));
    expect_text(w, nh_rational_mul(&w->numbers, max, max), "85070591730234615847396907784232501249");
}

static void test_pow(void **state)
{
    world *w = *state;
    mpq_t a, want;
    mpq_inits(a, want, NULL);
    for (int i = 0; i < 3000; i++) {
        random_mpq(w, a);
        mpq_set_ui(want, 1, 1);
        int limit = random_below(w, 20) == 0 ? 70 : 9;
        for (int n = 0; n < limit; n++) {
            expect(nh_rational_pow(&w->numbers, of(a), n), want);
            if (mpq_sgn(a) != 0) {
                mpq_inv(want, want);
                expect(nh_rational_pow(&w->numbers, of(a), -n), want);
                mpq_inv(want, want);
            }
            mpq_mul(want, want, a);
        }
    }
    mpq_clears(a, want, NULL);
}

static void test_pow_of_units(void **state)
{
    world *w = *state;
    static const int64_t powers[] = {0, 1, 2, 3, INT64_MAX, -1, -2, INT64_MIN};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        int64_t n = powers[i];
        assert_true(nh_rational_is(nh_rational_pow(&w->numbers, nh_rational_int(1), n), 1));
        assert_true(nh_rational_is(nh_rational_pow(&w->numbers, nh_rational_int(-1), n), n % 2 ? -1 : 1));
        if (n >= 0)
            assert_true(nh_rational_is(nh_rational_pow(&w->numbers, nh_rational_int(0), n), n == 0));
    }
}

static void test_sqrt(void **state)
{
    world *w = *state;
    mpq_t a, square;
    mpq_inits(a, square, NULL);
    for (int i = 0; i < 10000; i++) {
        nh_rational root;
        random_mpq(w, a);
        mpq_mul(square, a, a);
        assert_true(nh_rational_sqrt(&w->numbers, of(square), &root));
        mpq_abs(a, a);
        expect(root, a);
        bool is_square =
            mpz_root(mpq_numref(square), mpq_numref(a), 2) && mpz_root(mpq_denref(square), mpq_denref(a), 2);
        assert_int_equal(nh_rational_sqrt(&w->numbers, of(a), &root), is_square);
        mpq_neg(a, a);
        assert_int_equal(nh_rational_sqrt(&w->numbers, of(a), &root), mpq_sgn(a) == 0);
    }
    mpq_clears(a, square, NULL);
}

/* The residue r is the one with r den = num (mod prime), 0 <= r < prime. */
static void check_mod(mpq_srcptr a, uint64_t prime, mpz_t rest)
{
    bool pole = false;
    uint64_t r = nh_rational_mod(of(a), prime, &pole);
    assert_int_equal(pole, mpz_divisible_ui_p(mpq_denref(a), prime) != 0);
    if (pole)
        return;
    assert_true(r < prime);
    mpz_mul_ui(rest, mpq_denref(a), r);
    mpz_sub(rest, rest, mpq_numref(a));
    assert_true(mpz_divisible_ui_p(rest, prime));
}

static void test_mod(void **state)
{
    world *w = *state;
    static const uint64_t primes[] = {
        2, 3, 7, 1000003, (UINT64_C(1) << 61) - 1, UINT64_C(9223372036854775783)};
    mpq_t a;
    mpz_t rest;
    mpq_init(a);
    mpz_init(rest);
    for (int i = 0; i < 20000; i++) {
        random_mpq(w, a);
        check_mod(a, primes[(size_t)i % (sizeof primes / sizeof *primes)], rest);
    }
    mpz_clear(rest);
    mpq_clear(a);
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_hashes_differ(void **state)
{
    (void)state;
    static uint64_t hashes[201 * 100];
    size_t count = 0;
    for (int64_t num = -100; num <= 100; num++)
        for (int64_t den = 1; den <= 100; den++)
            hashes[count++] = nh_rational_hash((nh_rational){num, den, NULL});
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    for (size_t i = 1; i < count; i++)
        assert_true(hashes[i] != hashes[i - 1]);
}

static void test_copy_outlives_the_original(void **state)
{
    world *w = *state;
    world other;
    world_begin(&other, NULL, 0);
    nh_rational power = nh_rational_pow(&other.numbers, (nh_rational){-3, 7, NULL}, 101);
    nh_rational copy = nh_rational_copy(&w->numbers, power);
    assert_true(nh_rational_equal(copy, power));
    world_end(&other);
    assert_true(nh_rational_equal(copy, nh_rational_pow(&w->numbers, (nh_rational){-3, 7, NULL}, 101)));
    assert_true(nh_rational_is(nh_rational_copy(&w->numbers, nh_rational_int(5)), 5));
}

static void test_print(void **state)
{
    world *w = *state;
    expect_text(w, nh_rational_int(3), "3");
    expect_text(w, nh_rational_int(0), "0");
    expect_text(w, (nh_rational){-1, 10, NULL}, "-1/10");
    mpq_t a;
    mpq_init(a);
    for (int i = 0; i < 2000; i++) {
        random_mpq(w, a);
        char *want = mpq_get_str(NULL, 10, a);
        expect_text(w, of(a), want);
        free(want);
    }
    mpq_clear(a);
}

/* ---------------------------------------------------------------- doubles */

static double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Infinity stands where the next double would be. */
static void exact(mpq_t q, double x)
{
    if (!isinf(x)) {
        mpq_set_d(q, x);
        return;
    }
    mpq_set_ui(q, 1, 1);
    mpq_mul_2exp(q, q, 1024);
    if (x < 0)
        mpq_neg(q, q);
}

/* Compares |a - x| and |a - y|. */
static int compare_distance(mpq_srcptr a, double x, double y)
{
    mpq_t dx, dy;
    mpq_inits(dx, dy, NULL);
    exact(dx, x);
    exact(dy, y);
    mpq_sub(dx, a, dx);
    mpq_sub(dy, a, dy);
    mpq_abs(dx, dx);
    mpq_abs(dy, dy);
    int order = mpq_cmp(dx, dy);
    mpq_clears(dx, dy, NULL);
    return order;
}

/* No neighbour is nearer, and one that is as near has an odd last bit. */
static void check_to_double(mpq_srcptr a)
{
    double x = nh_rational_to_double(of(a)), around[] = {nextafter(x, INFINITY), nextafter(x, -INFINITY)};
    assert_true(x == x);
    assert_int_equal(signbit(x) != 0, mpq_sgn(a) < 0);
    for (int i = 0; i < 2; i++) {
        int order = isinf(x) && around[i] == x ? -1 : compare_distance(a, x, around[i]);
        assert_true(order < 0 || (order == 0 && bits_of_double(x) % 2 == 0));
    }
}

static void test_to_double(void **state)
{
    world *w = *state;
    mpq_t a;
    mpq_init(a);
    for (int i = 0; i < 60000; i++) {
        random_mpq(w, a);
        check_to_double(a);
        long scale = (long)random_below(w, 2300) - 1150; /* from below the subnormals to infinity */
        if (scale > 0)
            mpq_mul_2exp(a, a, (mp_bitcnt_t)scale);
        else
            mpq_div_2exp(a, a, (mp_bitcnt_t)-scale);
        check_to_double(a);
    }
    mpq_clear(a);
}

/* The midpoint of a double and the next one, and numbers beside it. */
static void check_midpoint(mpq_t a, mpq_t b, double x)
{
    exact(a, x);
    exact(b, nextafter(x, INFINITY));
    mpq_add(a, a, b);
    mpq_div_2exp(a, a, 1);
    check_to_double(a);
    mpq_set_ui(b, 1, 1);
    mpq_div_2exp(b, b, 3000);
    mpq_add(a, a, b);
    check_to_double(a);
    mpq_sub(a, a, b);
    mpq_sub(a, a, b);
    check_to_double(a);
}

static void test_to_double_between_doubles(void **state)
{
    world *w = *state;
    static const double special[] = {
        0x1p-1074, 0x1p-1073, 0x1p-1022, 0x1p-1023, 0x1.fffffffffffffp1023, 0x1.ffffffffffffep1023,
        1,         2,         0x1p53,    0x1p54};
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        check_midpoint(a, b, special[i]);
    for (int i = 0; i < 5000; i++) {
        uint64_t bits = random_bits(w) >> 1;
        if (random_below(w, 4) == 0)
            bits >>= 11; /* subnormal or nearly so */
        if (isfinite(double_of_bits(bits)))
            check_midpoint(a, b, double_of_bits(bits));
    }
    mpq_clears(a, b, NULL);
}

static void test_to_double_far_away(void **state)
{
    world *w = *state;
    nh_rational huge = nh_rational_pow(&w->numbers, nh_rational_int(-10), 30001);
    assert_true(nh_rational_to_double(huge) == -INFINITY);
    nh_rational tiny = nh_rational_div(&w->numbers, nh_rational_int(1), huge);
    assert_true(nh_rational_to_double(tiny) == 0 && signbit(nh_rational_to_double(tiny)));
    nh_rational near_one =
        nh_rational_div(&w->numbers, huge, nh_rational_add(&w->numbers, huge, nh_rational_int(1)));
    assert_true(nh_rational_to_double(near_one) == 1);
    assert_true(nh_rational_to_double(nh_rational_int(0)) == 0 &&
                !signbit(nh_rational_to_double(nh_rational_int(0))));
}

static void test_from_double(void **state)
{
    world *w = *state;
    mpq_t want;
    mpq_init(want);
    for (int i = 0; i < 20000; i++) {
        double x = double_of_bits(random_bits(w));
        if (i % 4 == 0)
            x = (double)(int64_t)random_bits(w) / 1024;
        if (!isfinite(x))
            continue;
        mpq_set_d(want, x);
        nh_rational r = nh_rational_from_double(&w->numbers, x);
        expect(r, want);
        assert_true(nh_rational_to_double(r) == x);
    }
    assert_true(nh_rational_is(nh_rational_from_double(&w->numbers, -0.0), 0));
    expect_text(w, nh_rational_from_double(&w->numbers, 0x1p63), "9223372036854775808");
    expect_text(w, nh_rational_from_double(&w->numbers, -0.375), "-3/8");
    mpq_clear(want);
}

/* ---------------------------------------------------------------- limits and failures */

/* What GMP itself holds, and its largest block. */
static size_t gmp_live, gmp_largest;

static void *gmp_take(size_t size)
{
    gmp_live += size;
    gmp_largest = size > gmp_largest ? size : gmp_largest;
    return malloc(size);
}

static void gmp_give(void *block, size_t size)
{
    gmp_live -= size;
    free(block);
}

static void *gmp_resize(void *block, size_t old, size_t size)
{
    void *copy = gmp_take(size);
    memcpy(copy, block, old < size ? old : size);
    gmp_give(block, old);
    return copy;
}

typedef struct job {
    world w;
    nh_rational a, b, result;
    int64_t n;
} job;

static void job_pow(void *arg)
{
    job *j = arg;
    j->result = nh_rational_pow(&j->w.numbers, j->a, j->n);
}

static void job_mul(void *arg)
{
    job *j = arg;
    j->result = nh_rational_mul(&j->w.numbers, j->a, j->b);
}

static void job_add(void *arg)
{
    job *j = arg;
    j->result = nh_rational_add(&j->w.numbers, j->a, j->b);
}

static void job_copy(void *arg)
{
    job *j = arg;
    j->result = nh_rational_copy(&j->w.numbers, j->a);
}

static void expect_pow(job *j, nh_rational a, int64_t n, nh_status want)
{
    j->a = a;
    j->n = n;
    assert_int_equal(nh_heap_try(&j->w.heap, job_pow, j), want);
}

static void check_pow_limits(job *j)
{
    int64_t limit = (int64_t)j->w.numbers.max_bits;
    expect_pow(j, nh_rational_int(2), limit, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, nh_rational_int(2), limit - 1, NH_OK); /* 1 and limit - 1 zeros */
    expect_pow(j, (nh_rational){-1, 2, NULL}, limit - 1, NH_OK);
    expect_pow(j, (nh_rational){-1, 2, NULL}, limit, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, (nh_rational){-1, 2, NULL}, -limit, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, nh_rational_int(3), INT64_MAX, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, nh_rational_int(3), INT64_MIN, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, (nh_rational){1, INT64_MAX, NULL}, INT64_MAX, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, (nh_rational){INT64_MAX, 2, NULL}, limit / 32, NH_ERROR_NUMBER_SIZE);
    expect_pow(j, nh_rational_int(7), 10000, NH_OK);
    expect_pow(j, j->result, INT64_C(1) << 40, NH_ERROR_NUMBER_SIZE);
}

/* Neither longer than allowed, nor refused because only the way there is long. */
static void check_arithmetic_limits(job *j)
{
    int64_t limit = (int64_t)j->w.numbers.max_bits;
    expect_pow(j, nh_rational_int(2), 1 - limit, NH_OK);
    j->a = j->b = j->result;
    assert_int_equal(nh_heap_try(&j->w.heap, job_add, j), NH_OK);
    assert_int_equal(nh_heap_try(&j->w.heap, job_mul, j), NH_ERROR_NUMBER_SIZE);
    j->b = nh_rational_pow(&j->w.numbers, nh_rational_int(2), limit - 1);
    assert_int_equal(nh_heap_try(&j->w.heap, job_mul, j), NH_OK);
    assert_true(nh_rational_is(j->result, 1));
    j->a = j->b;
    assert_int_equal(nh_heap_try(&j->w.heap, job_add, j), NH_ERROR_NUMBER_SIZE);
    j->w.numbers.max_bits = 1000;
    assert_int_equal(nh_heap_try(&j->w.heap, job_copy, j), NH_ERROR_NUMBER_SIZE);
    j->b = nh_rational_int(0);
    assert_int_equal(nh_heap_try(&j->w.heap, job_mul, j), NH_ERROR_NUMBER_SIZE);
}

static void test_number_size(void **state)
{
    (void)state;
    job j;
    gmp_live = gmp_largest = 0;
    mp_set_memory_functions(gmp_take, gmp_resize, gmp_give);
    world_begin(&j.w, NULL, 0);
    assert_int_equal(j.w.numbers.max_bits, 1 << 17);
    check_pow_limits(&j);
    check_arithmetic_limits(&j);
    world_end(&j.w);
    mp_set_memory_functions(NULL, NULL, NULL);
    assert_int_equal(gmp_live, 0);
    assert_in_range(gmp_largest, 1, 1 << 20);
}

static void test_small_numbers_ignore_the_limit(void **state)
{
    (void)state;
    job j;
    world_begin(&j.w, NULL, 0);
    j.w.numbers.max_bits = 0;
    expect_pow(&j, nh_rational_int(2), 62, NH_OK);
    expect_pow(&j, nh_rational_int(2), 63, NH_ERROR_NUMBER_SIZE);
    j.a = j.b = nh_rational_int(INT64_MAX);
    assert_int_equal(nh_heap_try(&j.w.heap, job_add, &j), NH_ERROR_NUMBER_SIZE);
    world_end(&j.w);
}

/* Memory that ends after some blocks. */
static void *few_take(void *user, size_t size)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(size) : NULL;
}

static void few_give(void *user, void *block, size_t size)
{
    (void)user, (void)size;
    free(block);
}

static void job_harmonic_sum(void *arg)
{
    job *j = arg;
    j->result = nh_rational_int(0);
    for (int64_t i = 1; i <= 600; i++)
        j->result = nh_rational_add(&j->w.numbers, j->result, (nh_rational){1, i, NULL});
}

static void test_memory_ends(void **state)
{
    (void)state;
    nh_status status = NH_ERROR_MEMORY;
    gmp_live = 0;
    mp_set_memory_functions(gmp_take, gmp_resize, gmp_give);
    int blocks = 0;
    for (; status != NH_OK; blocks += 1 + blocks / 8) {
        int left = blocks;
        job j;
        world_begin(&j.w, &(nh_allocator){&left, few_take, few_give}, 0);
        status = nh_heap_try(&j.w.heap, job_harmonic_sum, &j);
        assert_true(status == NH_OK || status == NH_ERROR_MEMORY);
        world_end(&j.w);
        assert_int_equal(gmp_live, 0);
    }
    mp_set_memory_functions(NULL, NULL, NULL);
    assert_true(blocks > 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_arithmetic),
        TEST(test_limits_of_64_bits),
        TEST(test_pow),
        TEST(test_pow_of_units),
        TEST(test_sqrt),
        TEST(test_mod),
        TEST(test_hashes_differ),
        TEST(test_copy_outlives_the_original),
        TEST(test_print),
        TEST(test_to_double),
        TEST(test_to_double_between_doubles),
        TEST(test_to_double_far_away),
        TEST(test_from_double),
        TEST(test_number_size),
        TEST(test_small_numbers_ignore_the_limit),
        TEST(test_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
