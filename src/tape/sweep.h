/* Inside tape/: what is compiled for several kinds of processors. */
#ifndef NH_TAPE_SWEEP_H
#define NH_TAPE_SWEEP_H

#include <stddef.h>

#ifndef NH_SWEEP_NAME
#define NH_SWEEP_NAME nh_sweep_plain
#endif

typedef void nh_sweep_function(const double *x, const double *y, size_t width, size_t k, double *sums);
nh_sweep_function nh_sweep_plain, nh_sweep_wide;

#endif
