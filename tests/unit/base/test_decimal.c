/* Decimals to exact numbers, against GMP; doubles to shortest decimals, against the C library. */
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    nh_numbers numbers;
} world;

static int setup(void **state)
{
    world *w = malloc(sizeof *w);
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap);
    nh_numbers_init(&w->numbers, &w->arena);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    world *w = *state;
    nh_numbers_free(&w->numbers);
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
    free(w);
    return 0;
}

static uint64_t random_bits(uint64_t *seed) { return nh_hash(*seed += 0x9e3779b97f4a7c15u); }

/* ---------------------------------------------------------------- reading */

static nh_decimal_status read_text(world *w, const char *text, nh_rational *value)
{
    return nh_decimal_read(&w->numbers, text, strlen(text), value);
}

static void test_read(void **state)
{
    world *w = *state;
    static const char *const cases[][2] = {
        {"1", "1"},
        {"1.", "1"},
        {".5", "1/2"},
        {"0", "0"},
        {"0.0", "0"},
        {"0e5000", "0"},
        {"007", "7"},
        {"0.1", "1/10"},
        {"1.5e-3", "3/2000"},
        {"1.5e+3", "1500"},
        {"12.50", "25/2"},
        {"1e0", "1"},
        {"1e-0", "1"},
        {"2.50e1", "25"},
        {"1e18", "1000000000000000000"},
        {"1e19", "10000000000000000000"},
        {"1e00005", "100000"},
        {"1E5", "100000"},
        {"9223372036854775807", "9223372036854775807"},
        {"9223372036854775808", "9223372036854775808"},
        {"0.000000000000000000000000000001", "1/1000000000000000000000000000000"},
        {"123456789012345678901234567890.5", "246913578024691357802469135781/2"},
        {"000000000000000000000000000000000000000000000000000000000000000000000000001.250", "5/4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nh_rational value;
        nh_text text;
        assert_int_equal(read_text(w, cases[i][0], &value), NH_DECIMAL_OK);
        nh_text_init(&text, &w->arena);
        nh_rational_print(&text, value);
        assert_string_equal(nh_text_get(&text), cases[i][1]);
    }
}

static void test_read_rejects(void **state)
{
    world *w = *state;
    static const char *const cases[] = {"",     ".",    "e5",    ".e5", "1e",  "1e+",  "1e-",   "1.2.3",
                                        "1..2", "+1",   "-1",    " 1",  "1 ",  "1e5.", "1e5e5", "1e+-5",
                                        "0x10", "1_000", "inf", "nan", "1,5"};
    nh_rational value;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(read_text(w, cases[i], &value), NH_DECIMAL_FORM);
    assert_int_equal(nh_decimal_read(&w->numbers, NULL, 0, &value), NH_DECIMAL_FORM);
    assert_int_equal(nh_decimal_read(&w->numbers, "1\0", 2, &value), NH_DECIMAL_FORM);
    assert_int_equal(nh_decimal_read(&w->numbers, "123", 2, &value), NH_DECIMAL_OK);
    assert_true(nh_rational_is(value, 12));
}

static void test_read_limits(void **state)
{
    world *w = *state;
    char text[NH_DECIMAL_MAX_DIGITS + 8];
    nh_rational value;
    memset(text, '9', sizeof text);
    text[5000] = '.';
    assert_int_equal(nh_decimal_read(&w->numbers, text, NH_DECIMAL_MAX_DIGITS + 1, &value), NH_DECIMAL_OK);
    assert_int_equal(nh_decimal_read(&w->numbers, text, NH_DECIMAL_MAX_DIGITS + 2, &value), NH_DECIMAL_LONG);
    text[NH_DECIMAL_MAX_DIGITS + 7] = 'x';
    assert_int_equal(nh_decimal_read(&w->numbers, text, sizeof text, &value), NH_DECIMAL_FORM);
    memcpy(text + NH_DECIMAL_MAX_DIGITS + 1, "e5000", 5);
    assert_int_equal(nh_decimal_read(&w->numbers, text, NH_DECIMAL_MAX_DIGITS + 6, &value), NH_DECIMAL_OK);
    memcpy(text + NH_DECIMAL_MAX_DIGITS, "e-5000", 6);
    assert_int_equal(nh_decimal_read(&w->numbers, text, NH_DECIMAL_MAX_DIGITS + 6, &value), NH_DECIMAL_OK);
    assert_int_equal(read_text(w, "1e5000", &value), NH_DECIMAL_OK);
    assert_int_equal(read_text(w, "1e5001", &value), NH_DECIMAL_EXPONENT);
    assert_int_equal(read_text(w, "1e-5000", &value), NH_DECIMAL_OK);
    assert_int_equal(read_text(w, "1e-5001", &value), NH_DECIMAL_EXPONENT);
    assert_int_equal(read_text(w, "0e99999999999999999999999999", &value), NH_DECIMAL_EXPONENT);
    assert_int_equal(read_text(w, "1e-18446744073709551617", &value), NH_DECIMAL_EXPONENT);
}

typedef struct reading {
    world *w;
    const char *text;
    nh_rational value;
} reading;

static void read_body(void *arg)
{
    reading *r = arg;
    read_text(r->w, r->text, &r->value);
}

static void test_read_number_size(void **state)
{
    world *w = *state;
    reading r = {.w = w, .text = "1e500"};
    w->numbers.max_bits = 1000;
    assert_int_equal(nh_heap_try(&w->heap, read_body, &r), NH_ERROR_NUMBER_SIZE);
    r.text = "1e300";
    assert_int_equal(nh_heap_try(&w->heap, read_body, &r), NH_OK);
}

/* digits and the value GMP reads from them without a point, divided by 10^(digits behind it) */
static void random_decimal(uint64_t *seed, char *text, mpq_t value)
{
    char plain[64];
    size_t digits = 1 + random_bits(seed) % 60, point = random_bits(seed) % (digits + 1), length = 0;
    for (size_t i = 0; i < digits; i++) {
        if (i == point)
            text[length++] = '.';
        uint64_t r = random_bits(seed);
        text[length++] = plain[i] = (char)('0' + (r % 3 ? r / 3 % 10 : 0));
    }
    plain[digits] = '\0';
    int exponent = (int)(random_bits(seed) % 101) - 50;
    sprintf(text + length, "e%d", exponent);
    exponent -= (int)(digits - point);
    mpz_set_str(mpq_numref(value), plain, 10);
    mpz_ui_pow_ui(mpq_denref(value), 10, (unsigned long)abs(exponent));
    if (exponent > 0) {
        mpz_mul(mpq_numref(value), mpq_numref(value), mpq_denref(value));
        mpz_set_ui(mpq_denref(value), 1);
    }
    mpq_canonicalize(value);
}

static void test_read_random(void **state)
{
    world *w = *state;
    uint64_t seed = 2;
    char text[128];
    mpq_t want;
    mpq_init(want);
    for (int i = 0; i < 30000; i++) {
        nh_rational value;
        random_decimal(&seed, text, want);
        assert_int_equal(read_text(w, text, &value), NH_DECIMAL_OK);
        if (value.big)
            assert_true(mpq_equal(value.big, want) && (mpz_sizeinbase(mpq_numref(want), 2) > 63 ||
                                                       mpz_sizeinbase(mpq_denref(want), 2) > 63));
        else
            assert_true(mpq_cmp_si(want, value.num, (unsigned long)value.den) == 0);
    }
    mpq_clear(want);
}

/* ---------------------------------------------------------------- printing: the form */

static void expect_print(double x, const char *want)
{
    char buffer[32];
    size_t length = nh_double_print(buffer, x);
    assert_int_equal(length, strlen(want));
    assert_string_equal(buffer, want);
}

static void test_print_form(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1, "-1"},
        {10, "10"},
        {0.1, "0.1"},
        {-0.1, "-0.1"},
        {0.5, "0.5"},
        {1.5, "1.5"},
        {100, "100"},
        {123.456, "123.456"},
        {1000000, "1000000"},
        {0.001, "0.001"},
        {0.0001, "0.0001"},
        {0.00012345, "0.00012345"},
        {0.00001, "1e-5"},
        {0.000012345, "1.2345e-5"},
        {1e-7, "1e-7"},
        {1e15, "1000000000000000"},
        {1e16, "1e16"},
        {9999999999999998.0, "9999999999999998"},
        {12345678901234568.0, "1.2345678901234568e16"},
        {123456789012345680.0, "1.2345678901234568e17"},
        {1e21, "1e21"},
        {1e22, "1e22"},
        {1e23, "1e23"},
        {1e100, "1e100"},
        {-1.5e300, "-1.5e300"},
        {2.5e-300, "2.5e-300"},
        {9007199254740993.0, "9007199254740992"},
        {9007199254740991.0, "9007199254740991"},
        {2251799813685248.5, "2251799813685248.5"},
        {0.30000000000000004, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {3.141592653589793, "3.141592653589793"},
        {5e-324, "5e-324"},
        {1e-323, "1e-323"},
        {1.5e-323, "1.5e-323"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {DBL_MAX, "1.7976931348623157e308"},
        {-DBL_MAX, "-1.7976931348623157e308"},
        {0x1p-44, "5.684341886080802e-14"},
        {0x1p-1074, "5e-324"},
        {9.5367431640625e-7, "9.5367431640625e-7"},
        {-0.00012345678901234567, "-0.00012345678901234567"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_print(cases[i].x, cases[i].text);
}

static void test_text_double(void **state)
{
    world *w = *state;
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_text_double(&text, -2.5);
    nh_text_char(&text, ',');
    nh_text_double(&text, 1e-9);
    assert_string_equal(nh_text_get(&text), "-2.5,1e-9");
}

/* ---------------------------------------------------------------- printing: the value */

static double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0; }

static void check_round_trip(double x)
{
    char buffer[32];
    size_t length = nh_double_print(buffer, x);
    if (!(length == strlen(buffer) && length < 25 && same(strtod(buffer, NULL), x)))
        fail_msg("%a prints as %s", x, buffer);
}

/* The significant digits of a decimal, without zeros at both ends. */
static int digits_of(const char *text, char *digits)
{
    int n = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0'))
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        n--;
    digits[n] = '\0';
    return n;
}

/* Reads back the decimal of `digits` digits nearest to x; true: it is x. */
static bool reads_back(double x, int digits, char *text)
{
    snprintf(text, 64, "%.*e", digits - 1, x);
    return same(strtod(text, NULL), x);
}

/* No shorter decimal reads back: enough to look at one digit less, because a decimal of fewer digits is one of
 * more digits as well. With as many digits, the nearest one is printed, except where only a farther one reads
 * back (at powers of two). */
static void check_shortest(double x)
{
    char buffer[64], text[64], got[64], want[64];
    nh_double_print(buffer, x);
    int n = digits_of(buffer, got);
    if (n > 1 && reads_back(x, n - 1, text))
        fail_msg("%a prints as %s, but %s is shorter", x, buffer, text);
    if (!reads_back(x, n, text))
        return;
    digits_of(text, want);
    if (strcmp(got, want) != 0)
        fail_msg("%a prints as %s, but %s is nearer", x, buffer, text);
}

static void check_every_length(double x)
{
    char buffer[64], text[64], digits[64];
    nh_double_print(buffer, x);
    int n = digits_of(buffer, digits);
    for (int shorter = 1; shorter < n; shorter++)
        assert_false(reads_back(x, shorter, text));
}

static void check_value(double x)
{
    check_round_trip(x);
    check_round_trip(-x);
    if (x != 0) {
        check_shortest(x);
        check_every_length(x);
    }
}

static void check_around(double x)
{
    check_value(x);
    if (x < DBL_MAX)
        check_value(nextafter(x, INFINITY));
    check_value(nextafter(x, 0));
}

static void test_print_powers(void **state)
{
    (void)state;
    for (int i = -1074; i <= 1023; i++)
        check_around(ldexp(1, i));
    for (int i = -323; i <= 308; i++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", i);
        check_around(strtod(text, NULL));
    }
}

static void test_print_boundaries(void **state)
{
    (void)state;
    static const double cases[] = {
        0.0,
        5e-324,
        DBL_MIN,
        DBL_MAX,
        9007199254740993.0,
        0x1p53,
        0x1p54,
        1e15,
        1e16,
        1e17,
        123456789012345680.0,
        /* the hardest to tell from a decimal (see decimal.c), and hard ones to read */
        5592117679628511 * 0x1p163,
        8887055249355788 * 0x1p664,
        2.2250738585072011e-308,
        6.631236846766476e-316,
        3.2378839133029012895883524125015321748630094e-319,
        1.7800590868057611e-307,
        2.8480945388892175e-306,
        4.450147717014403e-308,
        2.98023223876953125e-8,
        9.109e-31,
        8.41e21,
        2.0019e-21,
        9.5e-3,
        1.448997445238699,
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_around(cases[i]);
    for (uint64_t bits = 1; bits < 2000; bits++)
        check_value(double_of_bits(bits));
}

/* The decimal of n digits nearest to x, or the one step beside it, does not read back. At a power of two the
 * nearest may fail where the next one above, where doubles are farther apart, would do. */
static void check_neighbour(double x, int n, int step)
{
    char text[64], digits[64], other[64];
    snprintf(text, sizeof text, "%.*e", n - 1, x);
    const char *exponent = strchr(text, 'e');
    int length = 0;
    for (const char *c = text; c < exponent; c++)
        if (*c != '.')
            digits[length++] = *c;
    digits[length] = '\0';
    long long neighbour = strtoll(digits, NULL, 10) + step;
    snprintf(other, sizeof other, "%llde%ld", neighbour, strtol(exponent + 1, NULL, 10) - (n - 1));
    assert_false(same(strtod(other, NULL), x));
}

static void test_print_powers_of_two_both_sides(void **state)
{
    (void)state;
    for (int i = -1074; i <= 1023; i++) {
        char buffer[32], digits[32];
        nh_double_print(buffer, ldexp(1, i));
        int n = digits_of(buffer, digits);
        for (int step = -1; n > 1 && step <= 1; step++)
            check_neighbour(ldexp(1, i), n - 1, step);
    }
}

static void test_print_random_bits(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 2000000; i++) {
        double x = double_of_bits(random_bits(&seed));
        if (isfinite(x))
            check_round_trip(x);
    }
}

static void test_print_shortest(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 200000; i++) {
        double x = double_of_bits(random_bits(&seed) >> (i % 16 == 0 ? 12 : 0)); /* one of 16 subnormal */
        if (isfinite(x) && x != 0)
            check_shortest(x);
    }
}

/* What people write: few digits, numbers in the range of tables. */
static void test_print_short_decimals(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 200000; i++) {
        char text[32], buffer[32];
        int places = 1 + i % 9;
        snprintf(text, sizeof text, "%d.%0*d", (int)(random_bits(&seed) % 100000), places,
                 (int)(random_bits(&seed) % (uint64_t)pow(10, places)));
        double x = strtod(text, NULL);
        nh_double_print(buffer, x);
        size_t end = strlen(text);
        while (text[end - 1] == '0')
            end--;
        text[text[end - 1] == '.' ? end - 1 : end] = '\0';
        if (x >= 1e-4)
            assert_string_equal(buffer, text);
    }
}

static void test_print_whole_numbers(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 200000; i++) {
        char text[32];
        int64_t n = (int64_t)(random_bits(&seed) >> (11 + i % 53));
        snprintf(text, sizeof text, "%lld", (long long)n);
        expect_print((double)n, text);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read),
        TEST(test_read_rejects),
        TEST(test_read_limits),
        TEST(test_read_number_size),
        TEST(test_read_random),
        TEST(test_print_form),
        TEST(test_text_double),
        TEST(test_print_powers),
        TEST(test_print_boundaries),
        TEST(test_print_powers_of_two_both_sides),
        TEST(test_print_random_bits),
        TEST(test_print_shortest),
        TEST(test_print_short_decimals),
        TEST(test_print_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
