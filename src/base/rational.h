/* Exact rational numbers of any size, and decimal text of doubles.
 *
 * A rational is a value: small ones are two machine words, large ones point to limbs in an arena. Always
 * in lowest terms with a positive denominator, and `big` only where it does not fit in 64 bits, so that
 * equal numbers have equal representations. */
#ifndef NH_BASE_RATIONAL_H
#define NH_BASE_RATIONAL_H

#include "base/text.h"

#include <gmp.h>

typedef struct nh_rational {
    int64_t num, den;         /* where big is NULL; den >= 1, num > INT64_MIN */
    const __mpq_struct *big;  /* otherwise */
} nh_rational;

/* Where large results are kept, and room to compute them. */
typedef struct nh_numbers {
    nh_arena *arena;
    size_t max_bits; /* of numerator and denominator; beyond: nh_heap_fail(NH_ERROR_NUMBER_SIZE) */
    mpq_t x, y, z;   /* scratch, made on first use */
    bool ready;
} nh_numbers;

void nh_numbers_init(nh_numbers *numbers, nh_arena *arena);
void nh_numbers_free(nh_numbers *numbers); /* the scratch; results live as long as the arena */

nh_rational nh_rational_int(int64_t n); /* n > INT64_MIN */
nh_rational nh_rational_add(nh_numbers *, nh_rational a, nh_rational b);
nh_rational nh_rational_sub(nh_numbers *, nh_rational a, nh_rational b);
nh_rational nh_rational_mul(nh_numbers *, nh_rational a, nh_rational b);
nh_rational nh_rational_div(nh_numbers *, nh_rational a, nh_rational b); /* b not zero */
nh_rational nh_rational_neg(nh_numbers *, nh_rational a);
nh_rational nh_rational_pow(nh_numbers *, nh_rational a, int64_t n); /* a not zero where n < 0 */
bool nh_rational_sqrt(nh_numbers *, nh_rational a, nh_rational *root); /* false: not a square */
nh_rational nh_rational_copy(nh_numbers *, nh_rational a); /* into this arena, from another */

int nh_rational_sign(nh_rational a);
int nh_rational_compare(nh_rational a, nh_rational b);
bool nh_rational_equal(nh_rational a, nh_rational b);
bool nh_rational_is_int(nh_rational a);
bool nh_rational_is(nh_rational a, int64_t n);
uint64_t nh_rational_hash(nh_rational a);
uint64_t nh_rational_mod(nh_rational a, uint64_t prime, bool *pole); /* pole: the denominator vanishes */

/* Rounded to nearest, ties to even, subnormals and overflow to infinity included. */
double nh_rational_to_double(nh_rational a);

/* The exact value of a finite double. */
nh_rational nh_rational_from_double(nh_numbers *, double x);

/* "3", "-1/10"; appends. */
void nh_rational_print(nh_text *text, nh_rational a);

/* Reads digits [. digits] [e[+-]digits], all of it, exactly. */
typedef enum { NH_DECIMAL_OK, NH_DECIMAL_FORM, NH_DECIMAL_LONG, NH_DECIMAL_EXPONENT } nh_decimal_status;
enum { NH_DECIMAL_MAX_DIGITS = 10000, NH_DECIMAL_MAX_EXPONENT = 5000 };
nh_decimal_status nh_decimal_read(nh_numbers *, const char *text, size_t length, nh_rational *value);

/* The shortest decimal that reads back to the same double, among those the one nearest to it. Where the
 * first digit is worth 10^e, -4 <= e < 16, in plain notation: "0.0001", "3", "1234567890123456"; otherwise
 * with an exponent without plus sign and leading zeros: "1e-5", "1e16", "1.2345678901234568e17". No ".0"
 * behind whole numbers, "-0" for the negative zero, "inf", "-inf", "nan". Ends with a NUL; needs 32 bytes;
 * returns the length. */
size_t nh_double_print(char *buffer, double x);
void nh_text_double(nh_text *text, double x);
void nh_text_short(nh_text *text, double x, int digits); /* so many digits, for a reader */

#endif
