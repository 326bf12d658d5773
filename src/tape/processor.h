/* Inside tape/: what is compiled for several kinds of processors, and chosen when the program runs. The files in wide.cmake see
 * NH_FOR(name) as the name for their kind. */
#ifndef NH_TAPE_PROCESSOR_H
#define NH_TAPE_PROCESSOR_H

#include "tape/inner.h"

#if defined(NH_FOR_WIDEST)
#define NH_FOR(name) name##_widest
#elif defined(NH_FOR_WIDE)
#define NH_FOR(name) name##_wide
#else
#define NH_FOR(name) name##_plain
#endif

/* Lanes. */
#define NH_LANES_OF(KIND)                                                                   \
    extern const nh_lanes_code nh_lanes_code_##KIND;                                        \
    nh_series_lanes *nh_series_new_lanes_##KIND(const nh_tape *, nh_arena *, size_t order); \
    bool nh_series_constants_lanes_##KIND(nh_series_lanes *, const nh_lanes *constants);    \
    bool nh_series_step_lanes_##KIND(nh_series_lanes *, size_t k);                          \
    bool nh_series_flow_lanes_##KIND(nh_series_lanes *);                                    \
    void nh_crowd_constants_##KIND(nh_crowd *, const double *constants);                    \
    void nh_crowd_values_##KIND(nh_crowd *, size_t members);
NH_LANES_OF(plain)
NH_LANES_OF(wide)
NH_LANES_OF(widest)

/* One motion, whose numbers are taken by fours. */
#define NH_ROWS_OF(KIND)                                                                            \
    void nh_sweep_##KIND(const double *x, const double *y, size_t width, size_t k, double *sums);   \
    void nh_rows_change_##KIND(const double *rows, size_t stride, size_t n, size_t order, double h, \
                               double *out);                                                        \
    void nh_rows_rates_##KIND(const double *rows, size_t stride, size_t n, size_t order, double h,  \
                              double *out);                                                         \
    double nh_rows_largest_##KIND(const double *row, size_t n, const double *weights);
NH_ROWS_OF(plain)
NH_ROWS_OF(wide)

#endif
