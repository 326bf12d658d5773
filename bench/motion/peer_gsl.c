/* peer_gsl SYSTEM TO BUDGET TOL...: motions with rk8pd of the GNU Scientific Library, its adaptive driver.
 * peer_gsl --many COUNT TO ERROR: COUNT short motions of the falling disc, with a tolerance that makes the largest error
 * ERROR or up to a tenth less; errors are differences from the same with a tolerance of 1e-13.
 * peer_gsl --again COUNT TO TOL: the seconds that they take with this tolerance.
 *
 * The starts stand on the standard input; for each a JSON line with seconds of processor time for the stepping. */
#include "fields.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

typedef struct counted {
    field_fn *field;
    long calls;
} counted;

static int field_of(double t, const double y[], double d[], void *user)
{
    counted *c = user;
    (void)t;
    c->field(y, d);
    c->calls++;
    return GSL_SUCCESS;
}

static gsl_odeiv2_driver *driver_new(const gsl_odeiv2_system *system, double tol)
{
    return gsl_odeiv2_driver_alloc_y_new(system, gsl_odeiv2_step_rk8pd, 1e-3, tol, tol);
}

static bool motion(const field_system *system, double *y, double to, double tol, long *calls)
{
    counted c = {system->field, 0};
    gsl_odeiv2_system equations = {field_of, NULL, (size_t)system->n, &c};
    gsl_odeiv2_driver *driver = driver_new(&equations, tol);
    double t = 0;
    int status = gsl_odeiv2_driver_apply(driver, &t, to, y);
    gsl_odeiv2_driver_free(driver);
    *calls = c.calls;
    return status == GSL_SUCCESS;
}

/* ---------------------------------------------------------------- many short motions */

/* All of them, to ENDS. Returns seconds. */
static double many(int count, double to, double tol, double (*ends)[8])
{
    counted c = {disc, 0};
    gsl_odeiv2_system equations = {field_of, NULL, 8, &c};
    gsl_odeiv2_driver *driver = driver_new(&equations, tol);
    double begin = seconds_now();
    for (int k = 0; k < count; k++) {
        double t = 0;
        many_start(k, ends[k]);
        gsl_odeiv2_driver_reset_hstart(driver, 0.1);
        if (gsl_odeiv2_driver_apply(driver, &t, to, ends[k]) != GSL_SUCCESS)
            exit(1);
    }
    double seconds = seconds_now() - begin;
    gsl_odeiv2_driver_free(driver);
    return seconds;
}

/* The largest difference of a component, relative where it is larger than 1. */
static double largest(int count, double (*a)[8], double (*b)[8])
{
    double most = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 8; i++)
            most = fmax(most, fabs(a[k][i] - b[k][i]) / fmax(1, fabs(b[k][i])));
    return most;
}

/* The error is about proportional to the tolerance: a few corrections are enough. */
static int tuned(int count, double to, double error)
{
    double(*exact)[8] = malloc(sizeof *exact * (size_t)count),
    (*ends)[8] = malloc(sizeof *ends * (size_t)count);
    if (!exact || !ends)
        return 1;
    many(count, to, 1e-13, exact);
    double tol = error, found = 0;
    for (int k = 0; k < 8; k++) {
        many(count, to, tol, ends);
        found = largest(count, ends, exact);
        if (found <= error && found > 0.9 * error)
            break;
        tol *= 0.95 * error / found;
    }
    double times[3];
    for (int k = 0; k < 3; k++)
        times[k] = many(count, to, tol, ends);
    found = largest(count, ends, exact); /* of what was timed, also where the corrections came to no end */
    double middle = fmax(fmin(times[0], times[1]), fmin(fmax(times[0], times[1]), times[2]));
    printf(
        "{\"count\": %d, \"to\": %g, \"tol\": %g, \"error\": %g, \"seconds\": %.6f, \"per_second\": %.0f}\n",
        count, to, tol, found, middle, count / middle);
    free(exact), free(ends);
    return 0;
}

/* The starts of the many motions, each with its end, for others. */
static int write_many(int count, double to)
{
    double(*ends)[8] = malloc(sizeof *ends * (size_t)count);
    if (!ends)
        return 1;
    many(count, to, 1e-13, ends);
    for (int k = 0; k < count; k++) {
        double start[8];
        many_start(k, start);
        for (int i = 0; i < 16; i++)
            printf("%.17g%c", i < 8 ? start[i] : ends[k][i - 8], i < 15 ? ' ' : '\n');
    }
    free(ends);
    return 0;
}

static int again(int count, double to, double tol)
{
    double(*ends)[8] = malloc(sizeof *ends * (size_t)count);
    if (!ends)
        return 1;
    printf("%.6f\n", many(count, to, tol, ends));
    free(ends);
    return 0;
}

int main(int argc, char **argv)
{
    gsl_set_error_handler_off();
    if (argc == 4 && strcmp(argv[1], "--starts") == 0)
        return write_many(atoi(argv[2]), atof(argv[3]));
    if (argc == 5 && strcmp(argv[1], "--many") == 0)
        return tuned(atoi(argv[2]), atof(argv[3]), atof(argv[4]));
    if (argc == 5 && strcmp(argv[1], "--again") == 0)
        return again(atoi(argv[2]), atof(argv[3]), atof(argv[4]));
    if (argc < 5)
        return 2;
    return measure(argv[1], atof(argv[3]), argv + 4, argc - 4, atof(argv[2]), motion);
}
