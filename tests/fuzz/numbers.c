/* Numbers: text to exact values, to doubles and back, against the C library and GMP. The input is words; each is a decimal, and
 * its first bytes are also a double as they stand. Pairs of neighbours are computed with. */
#include "base/base.h"
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    nh_numbers numbers;
    const char *text; /* a word */
    size_t length;
    nh_rational value, before; /* of this word, and of the last one; 0, where it was no number */
} world;

/* ---------------------------------------------------------------- against GMP */

static void to_gmp(world *w, mpq_t q, nh_rational a)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_rational_print(&text, a);
    if (mpq_set_str(q, nh_text_get(&text), 10) != 0)
        fuzz_broken("a number is printed as something else");
}

static void expect(world *w, nh_rational a, const mpq_t expected, const char *what)
{
    mpq_t q;
    mpq_init(q);
    to_gmp(w, q, a);
    if (!mpq_equal(q, expected) || nh_rational_sign(a) != mpq_sgn(expected))
        fuzz_broken(what);
    mpq_clear(q);
}

/* The digits without the point, times a power of ten. */
static void expect_decimal(world *w)
{
    char *digits = malloc(w->length + 2);
    size_t count = 0, i = 0;
    long decimals = -1;
    for (; i < w->length && (w->text[i] & ~0x20) != 'E'; i++) {
        if (w->text[i] != '.')
            digits[count++] = w->text[i];
        decimals += decimals >= 0 || w->text[i] == '.';
    }
    digits[count] = '\0';
    long exponent = (i < w->length ? strtol(w->text + i + 1, NULL, 10) : 0) - (decimals > 0 ? decimals : 0);
    mpq_t q, power;
    mpq_inits(q, power, NULL);
    mpz_ui_pow_ui(mpq_numref(power), 10, (unsigned long)labs(exponent));
    mpz_set_str(mpq_numref(q), digits, 10);
    if (exponent < 0)
        mpq_div(q, q, power);
    else
        mpq_mul(q, q, power);
    expect(w, w->value, q, "a decimal is read as another number");
    mpq_clears(q, power, NULL);
    free(digits);
}

/* ---------------------------------------------------------------- doubles */

static bool same_bits(double x, double y) { return memcmp(&x, &y, sizeof x) == 0; }

/* Whether some decimal of so many digits is read as x. */
static bool has_digits(double x, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    return same_bits(strtod(text, NULL), x);
}

static int count_digits(const char *text)
{
    char digits[32];
    int count = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count || *text != '0'))
            digits[count++] = *text;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    return count;
}

/* It is read back, is as short as it can be, and has the same value as a decimal and as a double. */
static void print_double(world *w, double x)
{
    char text[32];
    size_t length = nh_double_print(text, x);
    if (length != strlen(text) || (isnan(x) ? strcmp(text, "nan") != 0 : !same_bits(strtod(text, NULL), x)))
        fuzz_broken("a double is printed as something else");
    if (!isfinite(x))
        return;
    int digits = count_digits(text);
    if (digits > 1 && has_digits(x, digits - 1))
        fuzz_broken("a double could be printed with fewer digits");
    nh_rational read, exact = nh_rational_from_double(&w->numbers, x);
    if (nh_decimal_read(&w->numbers, text + (text[0] == '-'), length - (text[0] == '-'), &read) !=
            NH_DECIMAL_OK ||
        nh_rational_to_double(read) != fabs(x) || nh_rational_to_double(exact) != x)
        fuzz_broken("a double is not read back");
}

static void print_bytes(world *w)
{
    double x;
    if (w->length < sizeof x)
        return;
    memcpy(&x, w->text, sizeof x);
    print_double(w, x);
}

/* ---------------------------------------------------------------- reading */

/* What only the C library takes: signs before the number, blanks, names, other bases. */
static bool is_for_others(const char *text)
{
    return strspn(text, "0123456789.eE+-") < strlen(text) || strchr("+-", *text);
}

static void read_decimal(world *w)
{
    char *end;
    double expected = strtod(w->text, &end);
    bool number = w->length > 0 && end == w->text + w->length && !is_for_others(w->text);
    nh_decimal_status status = nh_decimal_read(&w->numbers, w->text, w->length, &w->value);
    if ((status == NH_DECIMAL_FORM) == number)
        fuzz_broken("a number is taken for something else, or the other way round");
    if (status != NH_DECIMAL_OK) {
        w->value = nh_rational_int(0);
        return;
    }
    if (!same_bits(nh_rational_to_double(w->value), expected))
        fuzz_broken("a decimal becomes another double than in the C library");
    expect_decimal(w);
    print_double(w, expected);
    print_double(w, -expected);
}

/* ---------------------------------------------------------------- arithmetic */

typedef nh_rational operation(nh_numbers *, nh_rational, nh_rational);

static void expect_operation(world *w, operation *ours, void (*theirs)(mpq_ptr, mpq_srcptr, mpq_srcptr))
{
    nh_rational result = ours(&w->numbers, w->before, w->value); /* which may give up */
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    to_gmp(w, a, w->before), to_gmp(w, b, w->value);
    theirs(a, a, b);
    expect(w, result, a, "a result is not GMP's");
    mpq_clears(a, b, NULL);
}

static void expect_root(world *w)
{
    nh_rational square = nh_rational_mul(&w->numbers, w->value, w->value), root;
    if (!nh_rational_sqrt(&w->numbers, square, &root) || !nh_rational_equal(root, w->value))
        fuzz_broken("the root of a square is another number");
    if (nh_rational_sqrt(&w->numbers, w->value, &root) &&
        !nh_rational_equal(nh_rational_mul(&w->numbers, root, root), w->value))
        fuzz_broken("the square of a root is another number");
}

static void expect_powers(world *w)
{
    nh_rational square = nh_rational_mul(&w->numbers, w->value, w->value);
    nh_rational cube = nh_rational_pow(&w->numbers, w->value, 3), inverse;
    if (!nh_rational_equal(cube, nh_rational_mul(&w->numbers, square, w->value)))
        fuzz_broken("a third power is another number");
    if (nh_rational_sign(w->value) == 0)
        return;
    inverse = nh_rational_pow(&w->numbers, w->value, -2);
    if (!nh_rational_is(nh_rational_mul(&w->numbers, inverse, square), 1))
        fuzz_broken("a power with a negative exponent is another number");
}

static void compute(world *w)
{
    expect_operation(w, nh_rational_add, mpq_add);
    expect_operation(w, nh_rational_sub, mpq_sub);
    expect_operation(w, nh_rational_mul, mpq_mul);
    if (nh_rational_sign(w->value) != 0)
        expect_operation(w, nh_rational_div, mpq_div);
    nh_rational difference = nh_rational_sub(&w->numbers, w->before, w->value);
    if (nh_rational_compare(w->before, w->value) != nh_rational_sign(difference) ||
        nh_rational_equal(w->before, w->value) != (nh_rational_sign(difference) == 0))
        fuzz_broken("a comparison is not that of the difference");
    double x = nh_rational_to_double(nh_rational_add(&w->numbers, w->before, w->value));
    print_double(w, x);
    expect_root(w);
    expect_powers(w);
}

/* ---------------------------------------------------------------- words */

static void try_word(void *arg)
{
    world *w = arg;
    print_bytes(w);
    read_decimal(w);
    compute(w);
    w->before = w->value;
}

static void try_words(world *w, char *text, const char *end)
{
    static const char blanks[] = " \n";
    for (char *next; text < end; text = next) {
        char *stop = text + strcspn(text, blanks);
        next = stop + 1;
        *stop = '\0';
        w->text = text, w->length = (size_t)(stop - text);
        nh_status status = nh_heap_try(&w->heap, try_word, w);
        if (status != NH_OK && status != NH_ERROR_NUMBER_SIZE)
            fuzz_broken("a number takes too much memory");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    world w = {0};
    nh_heap_init(&w.heap, NULL, (size_t)256 << 20);
    nh_arena_init(&w.arena, &w.heap);
    nh_numbers_init(&w.numbers, &w.arena);
    w.before = nh_rational_int(1);
    try_words(&w, text, text + size);
    nh_numbers_free(&w.numbers);
    nh_arena_free(&w.arena);
    if (w.heap.used)
        fuzz_broken("memory is left");
    free(text);
    return 0;
}
