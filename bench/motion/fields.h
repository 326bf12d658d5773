/* What the programs of this folder have in common: the systems, the starts they are given, the clock, and the lines they write. */
#ifndef BENCH_MOTION_FIELDS_H
#define BENCH_MOTION_FIELDS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sincos */
#endif
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, MOST_STARTS = 64 }; /* components of a state; starts */

#define REAL double
#define FIELD(name) name
#define SINCOS sincos
#define SQRT sqrt
#include "fields.inc"
#undef REAL
#undef FIELD
#undef SINCOS
#undef SQRT

typedef void field_fn(const double *restrict y, double *restrict d);

typedef struct field_system {
    const char *name;
    int n; /* components of the state */
    field_fn *field;
} field_system;

static const field_system systems[] = {
    {"falling-disc", 8, disc}, {"points", 7, points}, {"car-8-absolute", 13, car}};
enum { SYSTEMS = sizeof systems / sizeof *systems };

/* Ends the program where there is no such system. */
static inline const field_system *system_named(const char *name)
{
    for (int k = 0; k < SYSTEMS; k++)
        if (strcmp(systems[k].name, name) == 0)
            return &systems[k];
    fprintf(stderr, "no system %s\n", name);
    exit(2);
}

/* The starts stand on the standard input, one after the other. Returns their number. */
static inline int read_starts(int n, double (*starts)[MOST])
{
    int count = 0;
    for (; count < MOST_STARTS; count++)
        for (int i = 0; i < n; i++)
            if (scanf("%lf", &starts[count][i]) != 1)
                return count;
    return count;
}

static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void write_line(int start, double tol, double seconds, long calls, int n, const double *y)
{
    printf("{\"start\": %d, \"tol\": %g, \"seconds\": %.9f, \"calls\": %ld, \"final\": [", start, tol,
           seconds, calls);
    for (int i = 0; i < n; i++)
        printf("%s\"%.17g\"", i ? ", " : "", y[i]);
    printf("]}\n");
    fflush(stdout);
}

/* A program measures all starts with one tolerance after the other, from the coarsest on, and stops after one that took
 * longer than its budget: the next would take longer still. */
typedef bool motion_fn(const field_system *system, double *y, double to, double tol, long *calls);

static inline int measure(const char *name, double budget, char **tolerances, int count, double to,
                          motion_fn *motion)
{
    static double starts[MOST_STARTS][MOST];
    const field_system *system = system_named(name);
    int of_starts = read_starts(system->n, starts);
    for (int k = 0; k < count; k++) {
        double tol = atof(tolerances[k]), spent = 0;
        for (int s = 0; s < of_starts; s++) {
            double y[MOST];
            long calls = 0;
            memcpy(y, starts[s], sizeof y);
            double begin = seconds_now();
            bool done = motion(system, y, to, tol, &calls);
            double seconds = seconds_now() - begin;
            spent += seconds;
            if (done)
                write_line(s, tol, seconds, calls, system->n, y);
        }
        if (spent > budget && k + 1 < count) {
            printf("{\"stopped\": %g}\n", tol);
            break;
        }
    }
    return 0;
}

/* Start K of many motions of the falling disc: multiples of irrational numbers, spread evenly over
 * leans of -0.4..0.4 and rates of -0.4..0.4, -0.6..0.6, 4..7. */
static inline void many_start(int k, double *y)
{
    static const double step[4] = {0.8566748838545029, 0.7338918566271260, 0.6287067210378087,
                                   0.5385972572236101};
    static const double low[4] = {-0.4, -0.4, -0.6, 4}, wide[4] = {0.8, 0.8, 1.2, 3};
    static const int at[4] = {3, 5, 6, 7};
    memset(y, 0, 8 * sizeof *y);
    for (int i = 0; i < 4; i++) {
        double whole, part = modf((k + 1) * step[i], &whole);
        y[at[i]] = low[i] + wide[i] * part;
    }
}

#endif
