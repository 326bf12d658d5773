/* Inside tape/, included by its door: tapes on Taylor series, in double, long double and quadruple precision, and in double for
 * several motions at once; and the values of a tape for a crowd. */
#ifndef NH_TAPE_MACHINE_H
#define NH_TAPE_MACHINE_H

#if defined(__SIZEOF_FLOAT128__) && defined(__has_include) && __has_include(<quadmath.h>)
#include <quadmath.h>
#define NH_HAS_QUAD 1
#endif

/* Machine code for the values of a tape and for its coefficients k; see native.c. */
typedef int nh_value_code(void *r, void *series);
typedef int nh_next_code(void *r, void *row, const void *sums, void *x, void *y, double k, double part,
                         double ahead, void *series);

#define NH_MACHINE_OF(REAL, SCALAR, SUFFIX)                                                                      \
    typedef struct nh_series_##SUFFIX {                                                                          \
        const nh_tape *tape;                                                                                     \
        size_t order, stride;                                                                                    \
        size_t of_order, of_register; /* coefficient k of register i is r[k*of_order + i*of_register] */         \
        REAL *r;                                                                                                 \
        REAL *x, *y, *sums; /* by slot, width apart for the coefficients; see nh_sweep */                        \
        size_t width;                                                                                            \
        SCALAR *parts;   /* 1/k */                                                                               \
        SCALAR *factors; /* of the linear systems, one behind the other */                                       \
        REAL *right;     /* one right-hand side */                                                               \
        size_t *pivots;                                                                                          \
        size_t *factors_at, *pivots_at; /* by system */                                                          \
        const void *places;             /* in lanes: where the rows of sums are */                               \
        nh_value_code *value_code;      /* NULL: interpreted */                                                  \
        nh_next_code *next_code;                                                                                 \
        nh_next_code *complete_code; /* in lanes, for an even k > 2: the same from sums that are prepared */     \
        bool flows; /* the code is that of a motion: it also makes coefficients k + 1 of x */                    \
    } nh_series_##SUFFIX;                                                                                        \
                                                                                                                 \
    nh_series_##SUFFIX *nh_series_new_##SUFFIX(const nh_tape *, nh_arena *, size_t order);                       \
    /* The inputs that do not change, and all that follows from them. */                                         \
    bool nh_series_constants_##SUFFIX(nh_series_##SUFFIX *, const REAL *constants);                              \
    /* Coefficient k of every register, from those of the inputs up to k; false: a linear system is singular. */ \
    bool nh_series_step_##SUFFIX(nh_series_##SUFFIX *, size_t k);

NH_MACHINE_OF(double, double, double)
NH_MACHINE_OF(long double, long double, long)
NH_MACHINE_OF(nh_lanes, double, lanes)
#ifdef NH_HAS_QUAD
NH_MACHINE_OF(__float128, __float128, quad)
#endif

/* The series of the motion x' = outputs, x the inputs from 1 on, in units of time that coefficient 1 of the time itself gives, input 0: all
 * coefficients from order `from` on and below `to`, and those of x up to `to`; in lanes from 0 to the order. */
bool nh_series_flow_double(nh_series_double *, size_t from, size_t to);
bool nh_series_flow_long(nh_series_long *, size_t from, size_t to);
#ifdef NH_HAS_QUAD
bool nh_series_flow_quad(nh_series_quad *, size_t from, size_t to);
#endif
bool nh_series_flow_lanes(nh_series_lanes *);

/* The values of a tape for up to NH_CROWD different inputs, interpreted: each step is read once and done for all of them. */
enum { NH_CROWD = 64 };
typedef struct nh_crowd {
    const nh_tape *tape;
    double *r;        /* register i of member k is r[i*NH_CROWD + k] */
    nh_lanes *system; /* one linear system of some members, by rows, with its right-hand side */
} nh_crowd;
nh_crowd *nh_crowd_new(const nh_tape *, nh_arena *);
/* constants[i*NH_CROWD + k]: the inputs that do not change, and all that follows from them. */
void nh_crowd_constants(nh_crowd *, const double *constants);
/* All registers of the first `members`; no numbers where a linear system is singular. */
void nh_crowd_values(nh_crowd *, size_t members);

/* sums[p] = sum_{j=1..k-1} x[j*width + p] y[(k-j)*width + p], p < width, a multiple of 4; behind them room for as many again. For
 * k = 1, 2, 3, ... in this order. */
void nh_sweep(const double *x, const double *y, size_t width, size_t k, double *sums);

/* Of a series in double, r + 1 being the rows of x and of_order their stride, after h in units of time: x(h) - x(0), and x'(h) times the unit;
 * and the largest |row_i| weights_i of one row, what is no number not counted. All arrays have room for n + 3 numbers; the weights behind
 * n are 0. */
void nh_rows_change(const double *rows, size_t stride, size_t n, size_t order, double h, double *out);
void nh_rows_rates(const double *rows, size_t stride, size_t n, size_t order, double h, double *out);
double nh_rows_largest(const double *row, size_t n, const double *weights);

/* What this processor runs of the code that there is: any, that for AVX2 and FMA, that for AVX-512. */
typedef enum nh_processor { NH_PROCESSOR_PLAIN, NH_PROCESSOR_WIDE, NH_PROCESSOR_WIDEST } nh_processor;
nh_processor nh_processor_kind(void);
size_t nh_lanes_count(void); /* on this processor */

#endif
