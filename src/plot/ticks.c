/* Ticks at steps of 1, 2 or 5, and their labels. A tick is a whole number times a power of ten, so that its label is
 * written from integers and exact. */
#include "plot/inner.h"

#include <math.h>
#include <stdlib.h>

double nh_decimal(int64_t digits, int exponent)
{
    double power = pow(10, abs(exponent));
    return exponent < 0 ? (double)digits / power : (double)digits * power;
}

/* A tick that misses the end of the axis by rounding is one. */
#define SLACK 1e-6

nh_steps nh_steps_of(double low, double high, size_t most)
{
    static const int mantissas[] = {1, 2, 5};
    int exponent = (int)floor(log10((high - low) / (double)most)) - 1;
    for (int k = 0;; k++) {
        nh_steps steps = {.mantissa = mantissas[k % 3], .exponent = exponent + k / 3};
        double step = nh_decimal(steps.mantissa, steps.exponent);
        double first = ceil(low / step - SLACK), last = floor(high / step + SLACK);
        if (last - first < (double)most || k > 12) {
            steps.first = (int64_t)first, steps.last = (int64_t)fmin(last, first + (double)most - 1);
            return steps;
        }
    }
}

/* ---------------------------------------------------------------- numbers */

static int64_t magnitude(int64_t n) { return n < 0 ? -n : n; }

static int digits_of(int64_t n)
{
    int digits = 1;
    for (n = magnitude(n); n >= 10; n /= 10)
        digits++;
    return digits;
}

static int64_t ten_to(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* |n| 10^-decimals, every digit of it. */
static void add_size(nh_text *words, int64_t n, int decimals)
{
    n = magnitude(n);
    if (decimals <= 0) {
        nh_text_format(words, "%zu", (size_t)n);
        nh_text_repeat(words, '0', n ? (size_t)-decimals : 0);
        return;
    }
    int length = digits_of(n) > decimals ? digits_of(n) : decimals + 1;
    for (int i = length - 1; i >= 0; i--) {
        nh_text_char(words, (char)('0' + (i < 18 ? n / ten_to(i) % 10 : 0)));
        if (i == decimals)
            nh_text_char(words, '.');
    }
}

/* n 10^exponent as it is written by itself; without trailing zeros, its sign apart. */
static void add_alone(nh_text *words, int64_t n, int exponent)
{
    while (n && n % 10 == 0)
        n /= 10, exponent++;
    int digits = digits_of(n), leading = exponent + digits - 1;
    if (n == 0 || (leading >= -3 && leading <= 6)) {
        add_size(words, n, n ? -exponent : 0);
        return;
    }
    if (magnitude(n) != 1)
        add_size(words, n, digits - 1), nh_text_str(words, "×");
    nh_words_power(words, leading);
}

/* ---------------------------------------------------------------- labels of a linear axis */

/* What all labels of an axis have in common: a tick n 10^exponent is written (n - offset) 10^(exponent - power). */
typedef struct common {
    int64_t offset;
    int exponent, power;
} common;

enum { MOST_DIGITS = 5 };

/* The multiple of a power of ten, as large as can be, that lies between two numbers; 0 < low. */
static int64_t roundest(int64_t low, int64_t high, int64_t *unit)
{
    for (*unit = ten_to(17); high / *unit * *unit < low;)
        *unit /= 10;
    return high / *unit * *unit;
}

/* Digits that are the same in all labels go to the end of the axis, if they are many: a round number among the ticks, or else
 * the digits before those that differ. */
static int64_t offset_of(int64_t first, int64_t last)
{
    int64_t low = magnitude(first) < magnitude(last) ? magnitude(first) : magnitude(last);
    int64_t high = low == magnitude(first) ? magnitude(last) : magnitude(first), unit = 1;
    if (digits_of(high) <= MOST_DIGITS || (first < 0) != (last < 0))
        return 0;
    int64_t offset = roundest(low, high, &unit), differs = ten_to(digits_of(high - low));
    if (unit < differs)
        offset = low / differs * differs;
    return first < 0 ? -offset : offset;
}

static common common_of(nh_steps steps)
{
    int64_t first = steps.first * steps.mantissa, last = steps.last * steps.mantissa;
    common c = {.offset = offset_of(first, last), .exponent = steps.exponent};
    first -= c.offset, last -= c.offset;
    int64_t largest = magnitude(first) > magnitude(last) ? magnitude(first) : magnitude(last);
    int leading = c.exponent + digits_of(largest) - 1;
    bool long_ones = leading < 0 && -c.exponent >= MOST_DIGITS;
    if (largest && (leading > 4 || leading < -2 || long_ones))
        c.power = leading;
    return c;
}

static const char *label_of(nh_arena *arena, int64_t n, common c)
{
    nh_text words;
    nh_text_init(&words, arena);
    n -= c.offset;
    nh_text_str(&words, n < 0 ? "\u2212" : "");
    add_size(&words, n, c.power - c.exponent);
    return nh_text_get(&words);
}

static const char *rest_of(nh_arena *arena, common c)
{
    nh_text words;
    nh_text_init(&words, arena);
    if (c.power)
        nh_text_str(&words, "×"), nh_words_power(&words, c.power);
    if (c.offset) {
        nh_text_str(&words, c.power ? " " : "");
        nh_text_str(&words, c.offset < 0 ? "\u2212" : "+");
        nh_text_str(&words, c.power ? " " : "");
        add_alone(&words, c.offset, c.exponent);
    }
    return nh_text_get(&words);
}

static nh_ticks linear_ticks(nh_arena *arena, const nh_axis *axis, double low, double high, size_t most)
{
    nh_ticks ticks = {.rest = ""};
    nh_steps steps = nh_steps_of(low, high, most);
    common c = common_of(steps);
    for (int64_t i = steps.first; i <= steps.last && ticks.count < NH_MOST_TICKS; i++) {
        int64_t n = i * steps.mantissa;
        double at = nh_axis_at(axis, nh_decimal(n, steps.exponent));
        ticks.items[ticks.count++] = (nh_tick){at, label_of(arena, n, c)};
    }
    ticks.rest = rest_of(arena, c);
    return ticks;
}

/* ---------------------------------------------------------------- labels of a logarithmic axis */

static void add_power(nh_arena *arena, const nh_axis *axis, nh_ticks *ticks, int mantissa, int exponent)
{
    double value = nh_decimal(mantissa, exponent), on = log10(value);
    if (ticks->count == NH_MOST_TICKS || on < axis->low - SLACK || on > axis->high + SLACK)
        return;
    nh_text words;
    nh_text_init(&words, arena);
    add_alone(&words, mantissa, exponent);
    ticks->items[ticks->count++] = (nh_tick){nh_axis_at(axis, value), nh_text_get(&words)};
}

/* Powers of ten; 1, 2 and 5 times them where there are few; linear steps where there are none. */
static nh_ticks logarithmic_ticks(nh_arena *arena, const nh_axis *axis, size_t most)
{
    nh_ticks ticks = {.rest = ""};
    if (axis->high - axis->low >= 2) {
        nh_steps steps = nh_steps_of(axis->low, axis->high, most);
        bool fine = steps.exponent < 0;
        int64_t by = fine ? 1 : steps.mantissa * ten_to(steps.exponent);
        int64_t first = fine ? (int64_t)ceil(axis->low - SLACK) : steps.first * by;
        for (int64_t n = first; (double)n <= axis->high + SLACK; n += by)
            add_power(arena, axis, &ticks, 1, (int)n);
        return ticks;
    }
    for (int k = (int)floor(axis->low); k <= (int)axis->high + 1; k++)
        for (int m = 0; m < 3; m++)
            add_power(arena, axis, &ticks, (const int[]){1, 2, 5}[m], k);
    return ticks.count > 1 ? ticks : linear_ticks(arena, axis, pow(10, axis->low), pow(10, axis->high), most);
}

/* ---------------------------------------------------------------- as many as have room */

static nh_ticks ticks_of(nh_arena *arena, const nh_axis *axis, size_t most)
{
    return axis->logarithmic ? logarithmic_ticks(arena, axis, most)
                             : linear_ticks(arena, axis, axis->low, axis->high, most);
}

static bool have_room(const nh_ticks *ticks, double size)
{
    for (size_t i = 1; i < ticks->count; i++) {
        const nh_tick *a = &ticks->items[i - 1], *b = &ticks->items[i];
        double half = (nh_words_width(a->words, size) + nh_words_width(b->words, size)) / 2;
        if (fabs(b->at - a->at) < half + size)
            return false;
    }
    return true;
}

nh_ticks nh_ticks_below(nh_arena *arena, const nh_axis *axis, double size)
{
    size_t most = 8;
    nh_ticks ticks = ticks_of(arena, axis, most);
    while (!have_room(&ticks, size) && most > 2)
        ticks = ticks_of(arena, axis, --most);
    return ticks;
}

nh_ticks nh_ticks_beside(nh_arena *arena, const nh_axis *axis)
{
    size_t most = (size_t)fmin(fabs(axis->end - axis->start) / 30, NH_MOST_TICKS);
    return ticks_of(arena, axis, most < 3 ? 3 : most);
}
