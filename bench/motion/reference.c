/* reference SYSTEM TO BUDGET TOL...: motions in extended precision, by extrapolation (Gragg, Bulirsch and Stoer) on the
 * hand-written right-hand sides; it shares nothing with the other programs but these. In numbers of 113 bits, or of 64 where it is
 * compiled with -DLONG. Otherwise as peer_gsl; a line also has the largest size of each component at the ends of steps.
 *
 * A step of length H: the midpoint rule with n_j = 2, 4, ... 2 k substeps gives T_j0 with an expansion in (H/n_j)^2, and
 *     T_jl = T_j,l-1 + (T_j,l-1 - T_j-1,l-1) / ((n_j / n_(j-l))^2 - 1)
 * The error of T_k,k-1, of order 2 k - 2, makes the step, and T_kk is taken. */
#include "fields.h"

#ifdef LONG
#define REAL long double
#define SINCOS sincosl
#define SQRT sqrtl
#define ABS fabsl
#define WRITE(text, x) snprintf(text, sizeof text, "%.21Lg", x)
#else
#include <quadmath.h>
#define REAL __float128
#define SINCOS sincosq
#define SQRT sqrtq
#define ABS fabsq
#define WRITE(text, x) quadmath_snprintf(text, sizeof text, "%.34Qg", x)
#endif
#define FIELD(name) name##_extended
#include "fields.inc"

enum { ROWS = 14 };

typedef void extended_fn(const REAL *restrict y, REAL *restrict d);
static extended_fn *const extended[SYSTEMS] = {disc_extended, points_extended, car_extended};

typedef struct motion {
    extended_fn *field;
    int n, rows; /* components; the k of above */
    long calls;
    REAL y[MOST], low[MOST], size[MOST]; /* low: what y is too short for */
} motion;

/* The midpoint rule with SUBSTEPS substeps: what is to be added to y. */
static void midpoint(motion *m, const REAL *slope, REAL step, int substeps, REAL *increment)
{
    REAL h = step / substeps, before[MOST] = {0}, now[MOST], state[MOST], d[MOST];
    for (int i = 0; i < m->n; i++)
        now[i] = h * slope[i];
    for (int k = 1; k < substeps; k++) {
        for (int i = 0; i < m->n; i++)
            state[i] = m->y[i] + now[i];
        m->field(state, d);
        for (int i = 0; i < m->n; i++) {
            REAL next = before[i] + 2 * h * d[i];
            before[i] = now[i], now[i] = next;
        }
    }
    m->calls += substeps - 1;
    memcpy(increment, now, sizeof now);
}

/* One step from y, in increments. Returns its error, as a multiple of the sizes. */
static double extrapolate(motion *m, REAL step, REAL *increment)
{
    REAL slope[MOST], table[ROWS][MOST], last[MOST] = {0};
    double worst = 0;
    m->field(m->y, slope);
    m->calls++;
    for (int j = 0; j < m->rows; j++) {
        midpoint(m, slope, step, 2 * (j + 1), table[j]);
        for (int l = 1; l <= j; l++) { /* table[j - l] is T_j-1,l-1 until it becomes T_jl */
            REAL ratio = (REAL)(j + 1) / (j + 1 - l), divisor = ratio * ratio - 1;
            for (int i = 0; i < m->n; i++) {
                last[i] = table[j - l + 1][i];
                table[j - l][i] = last[i] + (last[i] - table[j - l][i]) / divisor;
            }
        }
    }
    for (int i = 0; i < m->n; i++) {
        worst = fmax(worst, (double)(ABS(table[0][i] - last[i]) / (m->size[i] + (REAL)0.01)));
        increment[i] = table[0][i];
    }
    return worst;
}

/* The sum keeps what does not fit, so that only the steps themselves are rounded. */
static void add(motion *m, const REAL *increment)
{
    for (int i = 0; i < m->n; i++) {
        REAL part = increment[i] + m->low[i], sum = m->y[i] + part;
        m->low[i] = part - (sum - m->y[i]);
        m->y[i] = sum;
        m->size[i] = ABS(sum) > m->size[i] ? ABS(sum) : m->size[i];
    }
}

static bool follow(motion *m, double to, double tol)
{
    REAL t = 0, step = (REAL)0.05, increment[MOST];
    for (int i = 0; i < m->n; i++)
        m->size[i] = ABS(m->y[i]);
    while (t < to) {
        bool last = t + step >= to;
        REAL h = last ? to - t : step;
        double error = extrapolate(m, h, increment);
        if (error <= tol) {
            add(m, increment);
            t = last ? to : t + h;
        }
        double factor = 0.9 * pow(tol / fmax(error, 1e-40), 1.0 / (2 * m->rows - 1));
        step = h * (REAL)fmin(2, fmax(0.2, factor));
        if (step < (REAL)1e-6)
            return t >= to;
    }
    return true;
}

static void write_numbers(const char *name, const REAL *x, int n)
{
    char text[64];
    printf(", \"%s\": [", name);
    for (int i = 0; i < n; i++) {
        WRITE(text, x[i]);
        printf("%s\"%s\"", i ? ", " : "", text);
    }
    printf("]");
}

/* One motion, and its line. Returns seconds. */
static double one(const field_system *system, const double *start, int number, double to, double tol)
{
    motion m = {.field = extended[system - systems], .n = system->n};
    m.rows = (int)fmin(ROWS, fmax(5, 0.5 - 0.55 * log10(tol)));
    for (int i = 0; i < m.n; i++)
        m.y[i] = start[i];
    double begin = seconds_now();
    bool done = follow(&m, to, tol);
    double seconds = seconds_now() - begin;
    if (!done)
        return seconds;
    printf("{\"start\": %d, \"tol\": %g, \"seconds\": %.9f, \"calls\": %ld", number, tol, seconds, m.calls);
    write_numbers("final", m.y, m.n);
    write_numbers("size", m.size, m.n);
    printf("}\n");
    fflush(stdout);
    return seconds;
}

int main(int argc, char **argv)
{
    static double starts[MOST_STARTS][MOST];
    if (argc < 5)
        return 2;
    const field_system *system = system_named(argv[1]);
    int count = read_starts(system->n, starts);
    for (int k = 4; k < argc; k++) {
        double tol = atof(argv[k]), spent = 0;
        for (int s = 0; s < count; s++)
            spent += one(system, starts[s], s, atof(argv[2]), tol);
        if (spent > atof(argv[3]) && k + 1 < argc) {
            printf("{\"stopped\": %g}\n", tol);
            break;
        }
    }
    return 0;
}
