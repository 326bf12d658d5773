/* Inside tape/, included by its door: tapes as machine code, in this process. The same operations in the same order as the
 * interpreter's: the results are equal to the last bit. */
#ifndef NH_TAPE_NATIVE_H
#define NH_TAPE_NATIVE_H

typedef struct nh_native nh_native;

/* For what: the values alone, also the coefficients of series, or those of the lanes of series of an order, also where it is that of a
 * motion (nh_series_flow_lanes). */
typedef enum nh_native_kind {
    NH_NATIVE_VALUES,
    NH_NATIVE_SERIES,
    NH_NATIVE_FLOW,
    NH_NATIVE_LANES,
    NH_NATIVE_FLOW_LANES
} nh_native_kind;

/* NULL: there is no compiler. */
nh_native *nh_native_new(const nh_tape *, nh_native_kind, size_t order);
void nh_native_free(nh_native *);
/* From now on, this series is computed by that code, made for its tape and kind. */
void nh_series_use(nh_series_double *, const nh_native *);
void nh_series_use_lanes(nh_series_lanes *, const nh_native *);

/* Whether so many steps of a series of that order are worth the compiler's time, and its memory is not more than the tape's heap has left. */
bool nh_native_pays(const nh_tape *, double steps, size_t order);

#endif
