/* Prints the table of powers of ten that decimal.c needs, as C, into the file named on the command line:
 *
 *     10^i = g 2^(floor(log2 10^i) - 127),  2^127 <= g < 2^128,  g rounded up,  FIRST <= i <= LAST
 *
 * Runs while nonholo is built. */
#include <gmp.h>
#include <stdio.h>

/* 10^-k for every k = floor(log10 2^q) of a double c 2^q, -1074 <= q <= 971. */
enum { FIRST = -292, LAST = 324, BITS = 128 };

/* g for 10^i, i >= 0: the first 128 bits. */
static void positive_power(mpz_t g, unsigned i)
{
    mpz_ui_pow_ui(g, 10, i);
    size_t bits = mpz_sizeinbase(g, 2);
    if (bits > BITS)
        mpz_cdiv_q_2exp(g, g, bits - BITS);
    else
        mpz_mul_2exp(g, g, BITS - bits);
}

/* g for 10^-i, i > 0: no power of two, so 2^(bits-1) < 10^i < 2^bits and 2^(127+bits) / 10^i is in range. */
static void negative_power(mpz_t g, unsigned i)
{
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, i);
    mpz_set_ui(g, 1);
    mpz_mul_2exp(g, g, BITS - 1 + mpz_sizeinbase(power, 2));
    mpz_cdiv_q(g, g, power);
    mpz_clear(power);
}

static void print_power(FILE *file, int i)
{
    mpz_t g;
    mpz_init(g);
    if (i < 0)
        negative_power(g, (unsigned)-i);
    else
        positive_power(g, (unsigned)i);
    fprintf(file, "    {0x%016lxu, 0x%016lxu}, /* 10^%d */\n", (unsigned long)mpz_getlimbn(g, 1),
            (unsigned long)mpz_getlimbn(g, 0), i);
    mpz_clear(g);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!file) {
        fprintf(stderr, "usage: make_pow10 FILE, which must be writable\n");
        return 1;
    }
    fprintf(file, "/* Made by make_pow10. */\nenum { FIRST_POWER = %d };\n", FIRST);
    fprintf(file, "static const struct power { uint64_t high, low; } powers[] = {\n");
    for (int i = FIRST; i <= LAST; i++)
        print_power(file, i);
    fprintf(file, "};\n");
    return fclose(file) == 0 ? 0 : 1;
}
