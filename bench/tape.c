/* tape MODEL...: from a model to straight-line code, as a JSON line for each: milliseconds from the text to the tape and from the tape to
 * machine code, of the right-hand side alone and of series, and nanoseconds for one right-hand side by the interpreter and by machine
 * code. The compiler is loaded before, which is told by itself. */
#define _GNU_SOURCE
#include "integrate/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 20000, RUNS = 15 };

/* Of this thread. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double nanoseconds(nh_series_double *s)
{
    double times[RUNS];
    for (int run = 0; run < RUNS; run++) {
        double begin = seconds();
        for (int i = 0; i < ROUNDS; i++) {
            s->r[2] += 1e-9; /* another state each time */
            nh_series_step_double(s, 0);
        }
        times[run] = 1e9 * (seconds() - begin) / ROUNDS;
    }
    qsort(times, RUNS, sizeof *times, by_size);
    return times[RUNS / 2];
}

static double compile(const nh_tape *tape, nh_native_kind kind, nh_native **code)
{
    double begin = seconds();
    *code = nh_native_new(tape, kind, 20);
    return 1e3 * (seconds() - begin);
}

/* The state does not matter: the parameters do. */
static double *some_state(nh_equations *eq)
{
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    nh_model_parameter_values(eq->model, &eq->context->arena, values);
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        values[i] = values[i] == values[i] ? values[i] : 0.5;
    return values;
}

static int measure(const char *name, const char *text, size_t length)
{
    nh_context *context = nh_context_new(NULL);
    nh_model *model = NULL;
    nh_native *first, *values, *series;
    double begin = seconds();
    if (nh_model_read(context, &(nh_model_source){.name = name, .text = text, .length = length}, &model) !=
        NH_OK)
        return 1;
    nh_equations *eq = nh_equations_new(context, model);
    nh_motion *motion = nh_motion_new(eq, false, (nh_columns_wanted){0}, some_state(eq));
    double derived = 1e3 * (seconds() - begin);
    double load = compile(motion->values, NH_NATIVE_VALUES, &first);
    double value = compile(motion->values, NH_NATIVE_VALUES, &values),
           both = compile(motion->field, NH_NATIVE_FLOW, &series);
    nh_series_double *s = nh_series_new_double(motion->values, &eq->arena, 0);
    nh_series_constants_double(s, motion->constants);
    for (size_t i = 0; i < motion->field->n_inputs; i++)
        s->r[i] = 0.25 + 0.03 * (double)i;
    double interpreted = nanoseconds(s);
    nh_series_use(s, values);
    printf("{\"model\": \"%s\", \"steps\": %zu, \"derive_ms\": %.2f, \"load_ms\": %.2f, \"compile_ms\": "
           "%.2f, \"compile_series_ms\": "
           "%.2f, \"interpreted_ns\": %.1f, \"native_ns\": %.1f}\n",
           name, motion->values->n_steps, derived, load - value, value, both, interpreted,
           values ? nanoseconds(s) : -1);
    nh_native_free(first), nh_native_free(values), nh_native_free(series);
    nh_equations_free(eq);
    nh_model_free(model);
    nh_context_free(context);
    return 0;
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        size_t length = file ? fread(text, 1, sizeof text, file) : 0;
        if (!file || measure(argv[i], text, length))
            return 1;
        fclose(file);
    }
    return 0;
}
