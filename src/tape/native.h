/* Inside tape/, included by its door: tapes as machine code, in this process. The same operations in the same order as the
 * interpreter's: the results are equal to the last bit. */
#ifndef NH_TAPE_NATIVE_H
#define NH_TAPE_NATIVE_H

typedef struct nh_native nh_native;

/* Code for the values alone, or also for the coefficients of series; NULL: there is no compiler. */
nh_native *nh_native_new(const nh_tape *, bool series);
void nh_native_free(nh_native *);
/* From now on, this series is computed by that code, made for its tape. */
void nh_series_use(nh_series_double *, const nh_native *);

/* Whether so many steps of a series of that order are worth the compiler's time. */
bool nh_native_pays(const nh_tape *, double steps, size_t order);

#endif
