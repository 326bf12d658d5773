#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pow10.inc" /* powers[i - FIRST_POWER]: 10^i, see make_pow10.c */

__extension__ typedef unsigned __int128 wide;

/* ---------------------------------------------------------------- reading decimals */

/* A decimal taken apart: with the point left out of the digits, it is digits 10^(exponent - decimals). */
typedef struct decimal {
    nh_slice digits;  /* the point may be among them */
    size_t count;     /* of digits */
    int64_t decimals; /* how many of them are behind the point */
    int64_t exponent;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t skip_digits(nh_slice text, size_t i)
{
    while (i < text.length && is_digit(text.data[i]))
        i++;
    return i;
}

/* digits [. digits] with a digit somewhere; returns where it ends, 0: nothing of that form. */
static size_t scan_mantissa(nh_slice text, decimal *d)
{
    size_t point = skip_digits(text, 0), end = point;
    if (point < text.length && text.data[point] == '.') {
        end = skip_digits(text, point + 1);
        d->decimals = (int64_t)(end - point - 1);
    }
    d->count = point + (size_t)d->decimals;
    d->digits = (nh_slice){text.data, end};
    return d->count ? end : 0;
}

/* e [+-] digits, to the end of the text. */
static bool scan_exponent(nh_slice text, size_t i, decimal *d)
{
    char e = text.data[i++];
    if (e != 'e' && e != 'E')
        return false;
    bool negative = i < text.length && text.data[i] == '-';
    if (i < text.length && (negative || text.data[i] == '+'))
        i++;
    if (i == text.length || skip_digits(text, i) != text.length)
        return false;
    for (; i < text.length; i++)
        if (d->exponent <= NH_DECIMAL_MAX_EXPONENT)
            d->exponent = 10 * d->exponent + (text.data[i] - '0');
    d->exponent = negative ? -d->exponent : d->exponent;
    return true;
}

static nh_decimal_status scan(nh_slice text, decimal *d)
{
    *d = (decimal){0};
    size_t end = scan_mantissa(text, d);
    if (end == 0 || (end < text.length && !scan_exponent(text, end, d)))
        return NH_DECIMAL_FORM;
    if (d->count > NH_DECIMAL_MAX_DIGITS)
        return NH_DECIMAL_LONG;
    if (d->exponent > NH_DECIMAL_MAX_EXPONENT || d->exponent < -NH_DECIMAL_MAX_EXPONENT)
        return NH_DECIMAL_EXPONENT;
    return NH_DECIMAL_OK;
}

/* The values of the digits, without leading zeros and point, into room for d->count of them. */
static size_t copy_digits(const decimal *d, unsigned char *values)
{
    size_t count = 0;
    for (size_t i = 0; i < d->digits.length; i++) {
        char c = d->digits.data[i];
        if (c != '.' && (count > 0 || c != '0'))
            values[count++] = (unsigned char)(c - '0');
    }
    return count;
}

enum { SMALL_DIGITS = 18, DIGITS_PER_LIMB = 19 };

static nh_rational small_integer(const unsigned char *values, size_t count)
{
    int64_t n = 0;
    for (size_t i = 0; i < count; i++)
        n = 10 * n + values[i];
    return nh_rational_int(n);
}

/* Limbs in the arena, as an operand for nh_rational_mul, which brings the result into its normal form. */
static nh_rational long_integer(nh_arena *arena, const unsigned char *values, size_t count)
{
    mp_limb_t *limbs = nh_arena_alloc(arena, (count / DIGITS_PER_LIMB + 2) * sizeof *limbs);
    mpq_ptr q = nh_arena_alloc(arena, sizeof *q);
    mpz_roinit_n(mpq_numref(q), limbs, (mp_size_t)mpn_set_str(limbs, values, count, 10));
    mp_limb_t *one = nh_arena_alloc(arena, sizeof *one);
    *one = 1;
    mpz_roinit_n(mpq_denref(q), one, 1);
    return (nh_rational){.big = q};
}

nh_decimal_status nh_decimal_read(nh_numbers *numbers, const char *text, size_t length, nh_rational *value)
{
    decimal d;
    nh_decimal_status status = scan((nh_slice){text, length}, &d);
    if (status != NH_DECIMAL_OK)
        return status;
    unsigned char few[64], *values = d.count <= sizeof few ? few : nh_arena_alloc(numbers->arena, d.count);
    size_t count = copy_digits(&d, values);
    bool small = count <= SMALL_DIGITS;
    *value = small ? small_integer(values, count) : long_integer(numbers->arena, values, count);
    if (count > 0)
        *value = nh_rational_mul(numbers, *value,
                                 nh_rational_pow(numbers, nh_rational_int(10), d.exponent - d.decimals));
    return NH_DECIMAL_OK;
}

/* ---------------------------------------------------------------- the shortest digits of a double
 *
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2021). The decimals that read back as
 * v = c 2^q lie between its midpoints to both neighbours, an interval of width 2^q (or 3/4 of it, where v is
 * a power of two and its lower neighbour is nearer). With 10^k <= width < 10^(k+1) the interval contains a
 * multiple of 10^k, and at most one multiple of 10^(k+1). If there is one of the latter it is the shortest,
 * without its zeros at the end; otherwise the multiple of 10^k nearest to v is. Both are next to v: with
 * s = floor(v/10^k), they are among s, s + 1, 10 floor(s/10) and 10 floor(s/10) + 10.
 *
 * v and the ends of the interval are compared in units of 10^k/4, as integers rounded to odd: x stands
 * for x itself if it is an integer, otherwise for the odd one of the two integers beside it. Comparing
 * such a number with an even integer gives the right answer. 128 bits of 10^-k are enough to find it: over
 * all c and q (by continued fractions), x is farther than 2^-62 below the next integer, and above the last
 * one by 0 or at least 2^-64, except for x = 4v/10^k at v = 8887055249355788 2^664, where the last is odd. */

enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1075, MAX_DIGITS = 17 };

/* The value digits 10^exponent. */
typedef struct shortest {
    uint64_t digits;
    int exponent;
} shortest;

/* m g / 2^128, rounded to odd. m < 2^60 and g is too large by less than one: together less than 2^-68. */
static uint64_t scale_to_odd(struct power g, uint64_t m)
{
    wide low = (wide)m * g.low, high = (wide)m * g.high + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high != 0);
}

/* floor(log10 2^q), floor(log10 (3/4 2^q)), floor(log2 10^i): right for all q and i of doubles. */
static int floor_log10_pow2(int q, bool three_quarters)
{
    return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}
static int floor_log2_pow10(int i) { return (i * 1741647) >> 19; }

static shortest shortest_of(uint64_t c, int q, bool uneven)
{
    int k = floor_log10_pow2(q, uneven), shift = q + floor_log2_pow10(-k) + 1;
    struct power g = powers[-k - FIRST_POWER];
    uint64_t odd = c & 1; /* then the ends round away from v and do not count */
    uint64_t v = scale_to_odd(g, 4 * c << shift);
    uint64_t lower = scale_to_odd(g, (4 * c - (uneven ? 1 : 2)) << shift) + odd;
    uint64_t upper = scale_to_odd(g, (4 * c + 2) << shift) - odd;

    uint64_t s = v / 4, tens = s / 10;
    bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
    if (below != above)
        return (shortest){tens + above, k + 1};
    below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above)
        return (shortest){s + above, k};
    return (shortest){s + (v > 4 * s + 2 || (v == 4 * s + 2 && s % 2)), k};
}

static inline shortest without(shortest d, uint64_t power, int zeros)
{
    while (d.digits % power == 0)
        d = (shortest){d.digits / power, d.exponent + zeros};
    return d;
}

/* Without the zeros at the end, of which there may be 16. */
static shortest without_zeros(shortest d)
{
    if (d.digits % 10)
        return d;
    return without(without(without(without(d, 100000000, 8), 10000, 4), 100, 2), 10, 1);
}

/* ---------------------------------------------------------------- writing digits */

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                            "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

static char *write_pair_before(char *end, uint64_t n) { return memcpy(end - 2, pairs + 2 * n, 2); }

/* n > 0, its last digit before end; returns its first. */
static char *write_before(char *end, uint64_t n)
{
    for (; n >= 100; n /= 100)
        end = write_pair_before(end, n % 100);
    if (n >= 10)
        return write_pair_before(end, n);
    *--end = (char)('0' + n);
    return end;
}

static char *append(char *to, const char *from, size_t length)
{
    memcpy(to, from, length);
    return to + length;
}

static char *append_zeros(char *to, int count)
{
    memset(to, '0', (size_t)count);
    return to + count;
}

/* 0.00ddd, dd.ddd or ddd00: the first of n digits is worth 10^exponent. */
static char *write_plain(char *to, const char *digits, int n, int exponent)
{
    if (exponent < 0) {
        to = append_zeros(append(to, "0.", 2), -exponent - 1);
        return append(to, digits, (size_t)n);
    }
    if (n <= exponent + 1)
        return append_zeros(append(to, digits, (size_t)n), exponent + 1 - n);
    to = append(to, digits, (size_t)exponent + 1);
    *to++ = '.';
    return append(to, digits + exponent + 1, (size_t)(n - exponent - 1));
}

/* d.ddde-7, without the point where there is one digit. */
static char *write_scientific(char *to, const char *digits, int n, int exponent)
{
    *to++ = digits[0];
    if (n > 1)
        to = append(append(to, ".", 1), digits + 1, (size_t)n - 1);
    *to++ = 'e';
    if (exponent < 0)
        *to++ = '-';
    char room[4], *end = room + sizeof room;
    char *first = write_before(end, (uint64_t)(exponent < 0 ? -exponent : exponent));
    return append(to, first, (size_t)(end - first));
}

static char *write_shortest(char *to, shortest d)
{
    char room[MAX_DIGITS + 3], *end = room + sizeof room, *first = write_before(end, d.digits);
    int n = (int)(end - first), exponent = d.exponent + n - 1;
    bool plain = -4 <= exponent && exponent < 16;
    return plain ? write_plain(to, first, n, exponent) : write_scientific(to, first, n, exponent);
}

/* c 2^q, finite and not zero. */
static char *write_positive(char *to, uint64_t fraction, int biased)
{
    uint64_t c = biased ? fraction | UINT64_C(1) << FRACTION_BITS : fraction;
    int q = (biased ? biased : 1) - EXPONENT_BIAS;
    bool whole = q <= 0 && q > -FRACTION_BITS - 1 && (c & ((UINT64_C(1) << -q) - 1)) == 0;
    if (whole) /* below 2^53 its own digits are the shortest */
        return write_shortest(to, (shortest){c >> -q, 0});
    return write_shortest(to, without_zeros(shortest_of(c, q, fraction == 0 && biased > 1)));
}

size_t nh_double_print(char *buffer, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    int biased = (int)(bits >> FRACTION_BITS) & 0x7ff;
    bool negative = bits >> 63;

    char *to = buffer;
    if (negative && !(biased == 0x7ff && fraction))
        *to++ = '-';
    if (biased == 0x7ff)
        to = append(to, fraction ? "nan" : "inf", 3);
    else if (biased == 0 && fraction == 0)
        to = append(to, "0", 1);
    else
        to = write_positive(to, fraction, biased);
    *to = '\0';
    return (size_t)(to - buffer);
}

void nh_text_double(nh_text *text, double x)
{
    char buffer[32];
    nh_text_add(text, buffer, nh_double_print(buffer, x));
}

/* Both ways in the locale that there is. */
void nh_text_short(nh_text *text, double x, int digits)
{
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%.*e", digits - 1, x);
    nh_text_double(text, strtod(buffer, NULL) + 0.0);
}
