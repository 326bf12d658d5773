#include "base/base.h"

#include <math.h>
#include <string.h>

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(unsigned long) == 8,
               "limbs and unsigned long must have 64 bits");

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

enum { DEFAULT_MAX_BITS = 1 << 17, SMALL_BITS = 63 };

static uint64_t magnitude(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }
static int sign_of(int64_t n) { return (n > 0) - (n < 0); }
static size_t length_of(uint64_t n) { return n ? 64 - (size_t)__builtin_clzll(n) : 0; }

/* ---------------------------------------------------------------- room to compute, and where results go */

void nh_numbers_init(nh_numbers *numbers, nh_arena *arena)
{
    numbers->arena = arena;
    numbers->max_bits = DEFAULT_MAX_BITS;
    numbers->ready = false;
}

static void numbers_prepare(nh_numbers *numbers)
{
    if (numbers->ready)
        return;
    mpq_inits(numbers->x, numbers->y, numbers->z, NULL);
    numbers->ready = true;
}

void nh_numbers_free(nh_numbers *numbers)
{
    if (numbers->ready)
        mpq_clears(numbers->x, numbers->y, numbers->z, NULL);
    numbers->ready = false;
}

/* Small numbers are always allowed, whatever max_bits says. */
static size_t limit_of(const nh_numbers *numbers)
{
    return numbers->max_bits > SMALL_BITS ? numbers->max_bits : SMALL_BITS;
}

/* Every operand passes here before GMP computes with it: then no sum, product or quotient takes more than
 * 2 max_bits + 1 bits before it is reduced. Every result passes here before it is kept. */
static void check_size(nh_numbers *numbers, mpq_srcptr q)
{
    size_t limit = limit_of(numbers);
    if (mpz_sizeinbase(mpq_numref(q), 2) > limit || mpz_sizeinbase(mpq_denref(q), 2) > limit)
        nh_heap_fail(numbers->arena->heap, NH_ERROR_NUMBER_SIZE);
}

static void keep_integer(nh_arena *arena, mpz_ptr to, mpz_srcptr from)
{
    size_t size = mpz_size(from);
    mp_limb_t *limbs = nh_arena_alloc(arena, size * sizeof *limbs);
    memcpy(limbs, mpz_limbs_read(from), size * sizeof *limbs);
    mpz_roinit_n(to, limbs, mpz_sgn(from) * (mp_size_t)size);
}

/* q, which is not small, in the arena. */
static nh_rational keep(nh_numbers *numbers, mpq_srcptr q)
{
    check_size(numbers, q);
    mpq_ptr copy = nh_arena_alloc(numbers->arena, sizeof *copy);
    keep_integer(numbers->arena, mpq_numref(copy), mpq_numref(q));
    keep_integer(numbers->arena, mpq_denref(copy), mpq_denref(q));
    return (nh_rational){.big = copy};
}

static bool is_small(mpz_srcptr z) { return mpz_size(z) <= 1 && mpz_getlimbn(z, 0) <= INT64_MAX; }
static int64_t small_of(mpz_srcptr z) { return mpz_sgn(z) * (int64_t)mpz_getlimbn(z, 0); }

/* A result in lowest terms, as small as it can be written. */
static nh_rational store(nh_numbers *numbers, mpq_srcptr q)
{
    if (is_small(mpq_numref(q)) && is_small(mpq_denref(q)))
        return (nh_rational){small_of(mpq_numref(q)), small_of(mpq_denref(q)), NULL};
    return keep(numbers, q);
}

/* Any rational as GMP sees it, without taking memory: read only. */
typedef struct view {
    __mpq_struct q;
    mp_limb_t num, den;
} view;

static mpq_srcptr view_of(view *v, nh_rational a)
{
    if (a.big)
        return a.big;
    v->num = magnitude(a.num);
    v->den = (mp_limb_t)a.den;
    mpz_roinit_n(mpq_numref(&v->q), &v->num, sign_of(a.num));
    mpz_roinit_n(mpq_denref(&v->q), &v->den, 1);
    return &v->q;
}

/* ---------------------------------------------------------------- arithmetic in 64 bits, where it fits */

/* Binary: gcd(2^i a, 2^j b) = 2^min(i,j) gcd(a, b) for odd a and b, and gcd(a, b) = gcd(a, b - a). */
static uint64_t gcd(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a | b;
    int twos = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    while (b) {
        b >>= __builtin_ctzll(b);
        uint64_t less = a < b ? a : b;
        b = a < b ? b - a : a - b;
        a = less;
    }
    return a << twos;
}

static int64_t gcd_with(int64_t num, int64_t den)
{
    return den == 1 ? 1 : (int64_t)gcd(magnitude(num), (uint64_t)den);
}

/* num/den in lowest terms, if both fit. */
static bool fit(wide num, wide den, nh_rational *result)
{
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX)
        return false;
    *result = (nh_rational){(int64_t)num, (int64_t)den, NULL};
    return true;
}

/* With g = gcd(ad, bd) and t = an (bd/g) + bn (ad/g), only a divisor of g is left to cancel:
 * an/ad + bn/bd = (t/h) / ((ad/g) (bd/h)),  h = gcd(t, g)                           (Knuth, 4.5.1) */
static bool add_small(nh_rational a, nh_rational b, nh_rational *sum)
{
    int64_t g = gcd_with(a.den, b.den);
    wide t = (wide)a.num * (b.den / g) + (wide)b.num * (a.den / g);
    int64_t h = g == 1 ? 1 : gcd_with((int64_t)(t % g), g);
    return fit(h == 1 ? t : t / h, (wide)(a.den / g) * (b.den / h), sum);
}

/* Cancel an with bd and bn with ad first, then nothing is left to cancel. */
static bool mul_small(nh_rational a, nh_rational b, nh_rational *product)
{
    int64_t g = gcd_with(a.num, b.den), h = gcd_with(b.num, a.den);
    return fit((wide)(a.num / g) * (b.num / h), (wide)(a.den / h) * (b.den / g), product);
}

static nh_rational invert_small(nh_rational a)
{
    return (nh_rational){sign_of(a.num) * a.den, (int64_t)magnitude(a.num), NULL};
}

/* b^n where it fits. */
static int64_t power_small(int64_t b, uint64_t n)
{
    int64_t power = n & 1 ? b : 1;
    while (n >>= 1) {
        b *= b;
        if (n & 1)
            power *= b;
    }
    return power;
}

/* ---------------------------------------------------------------- arithmetic */

static nh_rational compute(nh_numbers *numbers, void (*operation)(mpq_ptr, mpq_srcptr, mpq_srcptr),
                           nh_rational a, nh_rational b)
{
    view va, vb;
    mpq_srcptr qa = view_of(&va, a), qb = view_of(&vb, b);
    check_size(numbers, qa);
    check_size(numbers, qb);
    numbers_prepare(numbers);
    operation(numbers->x, qa, qb);
    return store(numbers, numbers->x);
}

nh_rational nh_rational_int(int64_t n) { return (nh_rational){n, 1, NULL}; }

nh_rational nh_rational_add(nh_numbers *numbers, nh_rational a, nh_rational b)
{
    nh_rational sum;
    return !a.big && !b.big && add_small(a, b, &sum) ? sum : compute(numbers, mpq_add, a, b);
}

nh_rational nh_rational_sub(nh_numbers *numbers, nh_rational a, nh_rational b)
{
    nh_rational difference;
    if (!a.big && !b.big && add_small(a, (nh_rational){-b.num, b.den, NULL}, &difference))
        return difference;
    return compute(numbers, mpq_sub, a, b);
}

nh_rational nh_rational_mul(nh_numbers *numbers, nh_rational a, nh_rational b)
{
    nh_rational product;
    return !a.big && !b.big && mul_small(a, b, &product) ? product : compute(numbers, mpq_mul, a, b);
}

nh_rational nh_rational_div(nh_numbers *numbers, nh_rational a, nh_rational b)
{
    nh_rational quotient;
    if (!a.big && !b.big && mul_small(a, invert_small(b), &quotient))
        return quotient;
    return compute(numbers, mpq_div, a, b);
}

nh_rational nh_rational_neg(nh_numbers *numbers, nh_rational a)
{
    if (!a.big)
        return (nh_rational){-a.num, a.den, NULL};
    __mpq_struct opposite = *a.big;
    opposite._mp_num._mp_size = -opposite._mp_num._mp_size;
    return keep(numbers, &opposite);
}

nh_rational nh_rational_copy(nh_numbers *numbers, nh_rational a) { return a.big ? keep(numbers, a.big) : a; }

/* |b| >= 2^(bits-1) makes |b^n| >= 2^((bits-1) n): too long if (bits-1) n >= limit. Otherwise b^n, of at most
 * bits n bits, is at most twice as long as allowed. */
static void check_power(nh_numbers *numbers, mpz_srcptr b, uint64_t n)
{
    size_t bits = mpz_sizeinbase(b, 2);
    if (bits > 1 && n > (limit_of(numbers) - 1) / (bits - 1))
        nh_heap_fail(numbers->arena->heap, NH_ERROR_NUMBER_SIZE);
}

/* a^n in lowest terms, because num and den have nothing in common. */
static nh_rational power_big(nh_numbers *numbers, nh_rational a, uint64_t n, bool invert)
{
    view v;
    mpq_srcptr q = view_of(&v, a);
    check_power(numbers, mpq_numref(q), n);
    check_power(numbers, mpq_denref(q), n);
    numbers_prepare(numbers);
    mpz_pow_ui(mpq_numref(numbers->x), mpq_numref(q), n);
    mpz_pow_ui(mpq_denref(numbers->x), mpq_denref(q), n);
    if (invert)
        mpq_inv(numbers->x, numbers->x);
    return store(numbers, numbers->x);
}

nh_rational nh_rational_pow(nh_numbers *numbers, nh_rational a, int64_t n)
{
    uint64_t power = magnitude(n);
    if (!a.big && a.den == 1 && magnitude(a.num) <= 1)
        return nh_rational_int(power_small(a.num, power ? 2 - power % 2 : 0));
    if (!a.big && power <= SMALL_BITS / length_of(magnitude(a.num) | (uint64_t)a.den)) {
        nh_rational result = {power_small(a.num, power), power_small(a.den, power), NULL};
        return n < 0 ? invert_small(result) : result;
    }
    return power_big(numbers, a, power, n < 0);
}

bool nh_rational_sqrt(nh_numbers *numbers, nh_rational a, nh_rational *root)
{
    view v;
    mpq_srcptr q = view_of(&v, a);
    if (!mpz_perfect_square_p(mpq_numref(q)) || !mpz_perfect_square_p(mpq_denref(q)))
        return false;
    numbers_prepare(numbers);
    mpz_sqrt(mpq_numref(numbers->x), mpq_numref(q));
    mpz_sqrt(mpq_denref(numbers->x), mpq_denref(q));
    *root = store(numbers, numbers->x);
    return true;
}

/* ---------------------------------------------------------------- questions */

int nh_rational_sign(nh_rational a) { return a.big ? mpq_sgn(a.big) : sign_of(a.num); }

int nh_rational_compare(nh_rational a, nh_rational b)
{
    view va, vb;
    if (a.big || b.big) {
        int order = mpq_cmp(view_of(&va, a), view_of(&vb, b));
        return (order > 0) - (order < 0);
    }
    wide left = (wide)a.num * b.den, right = (wide)b.num * a.den;
    return (left > right) - (left < right);
}

bool nh_rational_equal(nh_rational a, nh_rational b)
{
    if (a.big && b.big)
        return mpq_equal(a.big, b.big);
    return !a.big && !b.big && a.num == b.num && a.den == b.den;
}

bool nh_rational_is_int(nh_rational a) { return a.big ? mpz_cmp_ui(mpq_denref(a.big), 1) == 0 : a.den == 1; }
bool nh_rational_is(nh_rational a, int64_t n) { return !a.big && a.den == 1 && a.num == n; }

static uint64_t hash_integer(uint64_t h, mpz_srcptr z)
{
    h = nh_hash(h + (uint64_t)mpz_sgn(z) + 2 * mpz_size(z));
    for (size_t i = 0; i < mpz_size(z); i++)
        h = nh_hash(h ^ mpz_getlimbn(z, (mp_size_t)i)) + 0x9e3779b97f4a7c15u;
    return h;
}

uint64_t nh_rational_hash(nh_rational a)
{
    if (a.big)
        return hash_integer(hash_integer(1, mpq_numref(a.big)), mpq_denref(a.big));
    return nh_hash((uint64_t)a.num ^ (nh_hash((uint64_t)a.den) + 0x9e3779b97f4a7c15u));
}

/* Euclid, with s b = r (mod prime) for both remainders: at the end r = gcd(b, prime) = 1. */
static uint64_t invert_modulo(uint64_t b, uint64_t prime)
{
    uint64_t r = prime, next_r = b;
    int64_t s = 0, next_s = 1;
    while (next_r) {
        uint64_t quotient = r / next_r, rest = r % next_r;
        int64_t before = s;
        s = next_s;
        next_s = (int64_t)((uint64_t)before - quotient * (uint64_t)next_s);
        r = next_r;
        next_r = rest;
    }
    return s < 0 ? prime - magnitude(s) : (uint64_t)s;
}

uint64_t nh_rational_mod(nh_rational a, uint64_t prime, bool *pole)
{
    view v;
    mpq_srcptr q = view_of(&v, a);
    uint64_t num = mpz_fdiv_ui(mpq_numref(q), prime);
    if (nh_rational_is_int(a))
        return num;
    uint64_t den = mpz_fdiv_ui(mpq_denref(q), prime);
    if (den == 0) {
        *pole = true;
        return 0;
    }
    return (uint64_t)((unsigned_wide)num * invert_modulo(den, prime) % prime);
}

/* ---------------------------------------------------------------- doubles
 *
 * With e = bits(num) - bits(den), 2^(e-1) < |num|/den < 2^(e+1). Let k = e - 56 and q = floor(|num|/(den 2^k)):
 * 2^55 <= q < 2^57, more bits than a double has. Its last bit is set if there is a remainder ("sticky"), so
 * that q 2^k rounds as num/den does. */

enum { MANTISSA = 53, QUOTIENT = 56, MIN_EXPONENT = -1074, FAR_EXPONENT = 1200 };

/* q 2^k, with the last bit worth 2^MIN_EXPONENT at least, ties to even. */
static double round_scaled(uint64_t q, int k)
{
    int drop = (int)length_of(q) - MANTISSA;
    if (drop < MIN_EXPONENT - k)
        drop = MIN_EXPONENT - k;
    if (drop >= 64)
        return 0;
    uint64_t half = UINT64_C(1) << (drop - 1), kept = q >> drop, rest = q & (2 * half - 1);
    if (rest > half || (rest == half && kept % 2))
        kept++;
    return ldexp((double)kept, k + drop);
}

/* For num, den < 2^63 nothing is longer than 63 + 56 bits. */
static double small_to_double(uint64_t num, uint64_t den)
{
    int k = (int)length_of(num) - (int)length_of(den) - QUOTIENT;
    unsigned_wide n = num, d = den;
    if (k < 0)
        n <<= -k;
    else
        d <<= k;
    return round_scaled((uint64_t)(n / d) | (n % d != 0), k);
}

/* GMP's own memory, given back here: nothing in between can fail. */
static double big_to_double(mpq_srcptr a)
{
    long e = (long)mpz_sizeinbase(mpq_numref(a), 2) - (long)mpz_sizeinbase(mpq_denref(a), 2);
    if (e > FAR_EXPONENT || e < -FAR_EXPONENT)
        return e > 0 ? INFINITY : 0;
    int k = (int)e - QUOTIENT;
    mpz_t n, d;
    mpz_inits(n, d, NULL);
    mpz_abs(n, mpq_numref(a));
    mpz_mul_2exp(n, n, k < 0 ? (mp_bitcnt_t)-k : 0);
    mpz_mul_2exp(d, mpq_denref(a), k < 0 ? 0 : (mp_bitcnt_t)k);
    mpz_tdiv_qr(n, d, n, d);
    uint64_t q = mpz_get_ui(n) | (mpz_sgn(d) != 0);
    mpz_clears(n, d, NULL);
    return round_scaled(q, k);
}

/* The quotient of two integers that are doubles is rounded by the machine. */
double nh_rational_to_double(nh_rational a)
{
    if (a.big)
        return copysign(big_to_double(a.big), mpq_sgn(a.big));
    uint64_t num = magnitude(a.num), den = (uint64_t)a.den;
    if ((num | den) >> MANTISSA == 0)
        return (double)a.num / (double)a.den;
    return copysign(small_to_double(num, den), a.num < 0 ? -1 : 1);
}

nh_rational nh_rational_from_double(nh_numbers *numbers, double x)
{
    if (fabs(x) < 0x1p53 && x == (double)(int64_t)x)
        return nh_rational_int((int64_t)x);
    numbers_prepare(numbers);
    mpq_set_d(numbers->x, x);
    return store(numbers, numbers->x);
}

/* ---------------------------------------------------------------- text */

static void print_integer(nh_text *text, mpz_srcptr z)
{
    char *digits = nh_arena_alloc(text->arena, mpz_sizeinbase(z, 10) + 2);
    nh_text_str(text, mpz_get_str(digits, 10, z));
}

static void print_small(nh_text *text, int64_t n)
{
    char digits[24], *c = digits + sizeof digits;
    uint64_t rest = magnitude(n);
    *--c = '\0';
    do
        *--c = (char)('0' + rest % 10);
    while (rest /= 10);
    if (n < 0)
        *--c = '-';
    nh_text_str(text, c);
}

void nh_rational_print(nh_text *text, nh_rational a)
{
    if (!a.big)
        print_small(text, a.num);
    else
        print_integer(text, mpq_numref(a.big));
    if (nh_rational_is_int(a))
        return;
    nh_text_char(text, '/');
    if (!a.big)
        print_small(text, a.den);
    else
        print_integer(text, mpq_denref(a.big));
}
