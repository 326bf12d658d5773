#include "tape/processor.h"

nh_processor nh_processor_kind(void)
{
#ifdef NH_WIDEST_CODE
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return NH_PROCESSOR_WIDEST;
#endif
#ifdef NH_WIDE_CODE
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return NH_PROCESSOR_WIDE;
#endif
    return NH_PROCESSOR_PLAIN;
}

#ifdef NH_WIDE_CODE
#define IF_WIDE(wide, plain) (nh_processor_kind() != NH_PROCESSOR_PLAIN ? wide : plain)
#else
#define IF_WIDE(wide, plain) plain
#endif
#ifdef NH_WIDEST_CODE
#define IF_WIDEST(widest, other) (nh_processor_kind() == NH_PROCESSOR_WIDEST ? widest : other)
#else
#define IF_WIDEST(widest, other) other
#endif
#define CHOOSE(call, ...) IF_WIDE(call##_wide(__VA_ARGS__), call##_plain(__VA_ARGS__))
#define CHOOSE_LANES(call, ...) IF_WIDEST(call##_widest(__VA_ARGS__), CHOOSE(call, __VA_ARGS__))

void nh_sweep(const double *x, const double *y, size_t width, size_t k, double *sums)
{
    CHOOSE(nh_sweep, x, y, width, k, sums);
}

void nh_rows_change(const double *rows, size_t stride, size_t n, size_t order, double h, double *out)
{
    CHOOSE(nh_rows_change, rows, stride, n, order, h, out);
}

void nh_rows_rates(const double *rows, size_t stride, size_t n, size_t order, double h, double *out)
{
    CHOOSE(nh_rows_rates, rows, stride, n, order, h, out);
}

double nh_rows_largest(const double *row, size_t n, const double *weights)
{
    return CHOOSE(nh_rows_largest, row, n, weights);
}

nh_series_lanes *nh_series_new_lanes(const nh_tape *tape, nh_arena *arena, size_t order)
{
    return CHOOSE_LANES(nh_series_new_lanes, tape, arena, order);
}

bool nh_series_constants_lanes(nh_series_lanes *s, const nh_lanes *constants)
{
    return CHOOSE_LANES(nh_series_constants_lanes, s, constants);
}

bool nh_series_step_lanes(nh_series_lanes *s, size_t k) { return CHOOSE_LANES(nh_series_step_lanes, s, k); }

bool nh_series_flow_lanes(nh_series_lanes *s) { return CHOOSE_LANES(nh_series_flow_lanes, s); }

void nh_crowd_constants(nh_crowd *c, const double *constants)
{
    CHOOSE_LANES(nh_crowd_constants, c, constants);
}

void nh_crowd_values(nh_crowd *c, size_t members) { CHOOSE_LANES(nh_crowd_values, c, members); }

nh_crowd *nh_crowd_new(const nh_tape *tape, nh_arena *arena)
{
    nh_crowd *c = nh_arena_array(arena, 1, sizeof *c);
    size_t largest = 0;
    for (size_t i = 0; i < tape->n_systems; i++)
        largest = tape->systems[i].n > largest ? tape->systems[i].n : largest;
    *c = (nh_crowd){.tape = tape};
    c->r = nh_new_numbers(arena, (tape->n_registers + 2) * NH_CROWD, sizeof *c->r);
    c->system = nh_new_numbers(arena, largest * (largest + 1), NH_LANES_AT_MOST * sizeof(double));
    return c;
}

const nh_lanes_code *nh_lanes_code_get(void)
{
    return IF_WIDEST(&nh_lanes_code_widest, IF_WIDE(&nh_lanes_code_wide, &nh_lanes_code_plain));
}

size_t nh_lanes_count(void) { return (size_t)nh_lanes_code_get()->count; }
