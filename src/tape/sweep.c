/* The sums of all steps over lower coefficients, in one sweep over rows that stand one behind the other: no sum waits for another,
 * and the processor's vectors hold neighbouring slots. Two orders are swept at once, since reading is what takes the time: an odd k
 * also prepares k + 1, all but the terms with coefficients k, which are added when these are there. Compiled for each kind of
 * processor that wide.cmake names. */
#include "tape/processor.h"

typedef double four __attribute__((vector_size(32), aligned(8)));
#define at(x) (*(const four *)(x))
#define put(out, value) (*(four *)(out) = (value))

/* For `blocks` vectors from p on: sum_{j=1..k-1} x_j y_{k-j} and sum_{j=2..k-1} x_j y_{k+1-j}. */
static inline __attribute__((always_inline)) void sweep_two(const double *x, const double *y, size_t width,
                                                            size_t k, double *sums, double *prepared,
                                                            const int blocks)
{
    four now[4] = {{0}}, next[4] = {{0}},
         before[4]; /* before: y_{k-j} of the last j, which is y_{k+1-j} of this one */
    const double *u = x + width, *v = y + (k - 1) * width;
    for (int b = 0; b < blocks && k > 1; b++) {
        before[b] = at(v + 4 * b);
        now[b] = at(u + 4 * b) * before[b];
    }
    for (size_t j = 2; j < k; j++) {
        u += width, v -= width;
        for (int b = 0; b < blocks; b++) {
            four a = at(u + 4 * b), c = at(v + 4 * b);
            next[b] += a * before[b];
            now[b] += a * c;
            before[b] = c;
        }
    }
    for (int b = 0; b < blocks; b++)
        put(sums + 4 * b, now[b]), put(prepared + 4 * b, next[b]);
}

/* What is still missing: x_1 y_{k-1} and x_{k-1} y_1. */
static void complete(const double *x, const double *y, size_t width, size_t k, double *sums,
                     const double *prepared)
{
    const double *last_x = x + (k - 1) * width, *last_y = y + (k - 1) * width;
    for (size_t p = 0; p < width; p += 4) {
        four sum = at(prepared + p) + at(x + width + p) * at(last_y + p);
        put(sums + p, k > 2 ? sum + at(last_x + p) * at(y + width + p) : sum);
    }
}

void NH_FOR(nh_sweep)(const double *x, const double *y, size_t width, size_t k, double *sums)
{
    double *prepared = sums + width;
    size_t p = 0;
    if (k % 2 == 0) {
        complete(x, y, width, k, sums, prepared);
        return;
    }
    for (; p + 16 <= width; p += 16)
        sweep_two(x + p, y + p, width, k, sums + p, prepared + p, 4);
    for (; p + 8 <= width; p += 8)
        sweep_two(x + p, y + p, width, k, sums + p, prepared + p, 2);
    for (; p + 4 <= width; p += 4)
        sweep_two(x + p, y + p, width, k, sums + p, prepared + p, 1);
}
