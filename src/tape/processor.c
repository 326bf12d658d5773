#include "tape/processor.h"

bool nh_processor_is_wide(void)
{
#ifdef NH_WIDE_CODE
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

#ifdef NH_WIDE_CODE /* there is code for AVX2 and FMA */
#define CHOOSE(call, ...) (nh_processor_is_wide() ? call##_wide(__VA_ARGS__) : call##_plain(__VA_ARGS__))
#else
#define CHOOSE(call, ...) call##_plain(__VA_ARGS__)
#endif

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
    return CHOOSE(nh_series_new_lanes, tape, arena, order);
}

bool nh_series_constants_lanes(nh_series_lanes *s, const nh_lanes *constants)
{
    return CHOOSE(nh_series_constants_lanes, s, constants);
}

bool nh_series_step_lanes(nh_series_lanes *s, size_t k) { return CHOOSE(nh_series_step_lanes, s, k); }

bool nh_series_flow_lanes(nh_series_lanes *s) { return CHOOSE(nh_series_flow_lanes, s); }

void nh_crowd_constants(nh_crowd *c, const double *constants) { CHOOSE(nh_crowd_constants, c, constants); }

void nh_crowd_values(nh_crowd *c, size_t members) { CHOOSE(nh_crowd_values, c, members); }

nh_crowd *nh_crowd_new(const nh_tape *tape, nh_arena *arena)
{
    nh_crowd *c = nh_arena_array(arena, 1, sizeof *c);
    size_t largest = 0;
    for (size_t i = 0; i < tape->n_systems; i++)
        largest = tape->systems[i].n > largest ? tape->systems[i].n : largest;
    *c = (nh_crowd){.tape = tape};
    c->r = nh_new_numbers(arena, (tape->n_registers + 2) * NH_CROWD, sizeof *c->r);
    c->system = nh_new_numbers(arena, largest * (largest + 1), sizeof *c->system);
    return c;
}

const nh_lanes_code *nh_lanes_code_get(void)
{
#ifdef NH_WIDE_CODE
    if (nh_processor_is_wide())
        return &nh_lanes_code_wide;
#endif
    return &nh_lanes_code_plain;
}

void nh_lanes_log(nh_lanes *x) { nh_lanes_code_get()->log(x, x, x); }

void nh_lanes_exp(nh_lanes *x) { nh_lanes_code_get()->exp(x, x, x); }
