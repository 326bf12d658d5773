/* Series whose coefficients of one order stand together, a row of them for each order: their sums after a time, and how large they are. Four
 * components at a time: what is read and written has room for as many as that makes. Compiled for each kind of processor that wide.cmake names. */
#include "tape/processor.h"

typedef double four __attribute__((vector_size(32), aligned(8)));
typedef long long four_masks __attribute__((vector_size(32)));
#define at(x) (*(const four *)(x))
#define put(out, value) (*(four *)(out) = (value))

/* sum_{k=1..order} c_k h^k = h (c_1 + c_3 h^2 + ...) + h^2 (c_2 + c_4 h^2 + ...): two chains, neither of which waits for the other */
void NH_FOR(nh_rows_change)(const double *rows, size_t stride, size_t n, size_t order, double h, double *out)
{
    const double square = h * h;
    for (size_t i = 0; i < n; i += 4) {
        four even = {0}, odd = {0};
        const double *c = rows + i + order * stride;
        if (order % 2)
            odd = at(c), c -= stride;
        for (size_t k = order / 2; k > 0; k--, c -= 2 * stride) {
            even = even * square + at(c);
            odd = odd * square + at(c - stride);
        }
        put(out + i, odd * h + even * square);
    }
}

/* sum_{k=1..order} k c_k h^(k-1), likewise */
void NH_FOR(nh_rows_rates)(const double *rows, size_t stride, size_t n, size_t order, double h, double *out)
{
    const double square = h * h;
    for (size_t i = 0; i < n; i += 4) {
        four even = {0}, odd = {0};
        const double *c = rows + i + order * stride;
        double k = (double)order;
        if (order % 2)
            odd = k * at(c), c -= stride, k -= 1;
        for (; k >= 2; k -= 2, c -= 2 * stride) {
            even = even * square + k * at(c);
            odd = odd * square + (k - 1) * at(c - stride);
        }
        put(out + i, odd + even * h);
    }
}

/* max_i |row_i| weights_i; what is no number does not count. Behind the n weights stand zeros. */
double NH_FOR(nh_rows_largest)(const double *row, size_t n, const double *weights)
{
    const four_masks positive = (four_masks){0} + (long long)(~0ull >> 1);
    four largest = {0};
    for (size_t i = 0; i < n; i += 4) {
        four size = (four)((four_masks)at(row + i) & positive) * at(weights + i);
        four_masks more = size > largest;
        largest = (four)(((four_masks)size & more) | ((four_masks)largest & ~more));
    }
    double a = largest[0] > largest[1] ? largest[0] : largest[1];
    double b = largest[2] > largest[3] ? largest[2] : largest[3];
    return a > b ? a : b;
}
