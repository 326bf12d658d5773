/* The sums of all steps over lower coefficients, in one sweep over rows that stand one behind the other: no sum waits for another,
 * and the processor's vectors hold neighbouring slots. Compiled for each kind of processor that CMakeLists.txt names. */
#include "tape/sweep.h"

typedef double four __attribute__((vector_size(32), aligned(8)));

#define at(x) (*(const four *)(x))
#define put(out, value) (*(four *)(out) = (value))

void NH_SWEEP_NAME(const double *x, const double *y, size_t width, size_t k, double *sums)
{
    size_t p = 0;
    for (; p + 16 <= width; p += 16) {
        four a = {0}, b = {0}, c = {0}, d = {0};
        const double *u = x + width + p, *v = y + (k - 1) * width + p;
        for (size_t j = 1; j < k; j++, u += width, v -= width) {
            a += at(u) * at(v);
            b += at(u + 4) * at(v + 4);
            c += at(u + 8) * at(v + 8);
            d += at(u + 12) * at(v + 12);
        }
        put(sums + p, a), put(sums + p + 4, b), put(sums + p + 8, c), put(sums + p + 12, d);
    }
    for (; p + 4 <= width; p += 4) {
        four a = {0}, b = {0};
        const double *u = x + width + p, *v = y + (k - 1) * width + p;
        size_t j = 1;
        for (; j + 1 < k; j += 2, u += 2 * width, v -= 2 * width) {
            a += at(u) * at(v);
            b += at(u + width) * at(v - width);
        }
        if (j < k)
            a += at(u) * at(v);
        put(sums + p, a + b);
    }
}
