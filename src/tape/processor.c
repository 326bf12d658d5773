/* Which code the processor can run. */
#include "tape/sweep.h"
#include "tape/tape.h"

#ifdef NH_WIDE_CODE /* there is code for AVX2 and FMA */
static bool is_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

void nh_sweep(const double *x, const double *y, size_t width, size_t k, double *sums)
{
#ifdef NH_WIDE_CODE
    if (is_wide()) {
        nh_sweep_wide(x, y, width, k, sums);
        return;
    }
#endif
    nh_sweep_plain(x, y, width, k, sums);
}
