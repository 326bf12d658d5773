/* Both kinds of equations against the oracle, on the examples and on random systems. */
#include "derive/derive.h"
#include "oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state = 1;

static uint64_t next(void)
{
    state += 0x9e3779b97f4a7c15u;
    return nh_hash(state);
}

static double uniform(void) { return (double)(next() >> 11) * 0x1p-53; }
static int below(int n) { return (int)(next() % (uint64_t)n); }

/* ---------------------------------------------------------------- comparison */

typedef struct job {
    nh_context *context;
    const nh_model *model;
    nh_equations *equations;
} job;

static void derive(void *arg)
{
    job *j = arg;
    j->equations = nh_equations_new(j->context, j->model);
}

/* The largest bound for a rounding error since it was last set to 0: where it is large, the numbers are not to be compared. */
static double rounding;

static double *numbers(const nh_equations *eq, const nh_expr *e, size_t count, const double *values)
{
    double *out = calloc(count + 1, sizeof *out), *errors = calloc(count + 1, sizeof *errors);
    nh_evaluate(&eq->pool, &eq->context->arena, e, count, values, out, errors);
    for (size_t i = 0; i < count; i++)
        rounding = fmax(rounding, isfinite(errors[i]) ? errors[i] / (1 + fabs(out[i])) : INFINITY);
    free(errors);
    return out;
}

/* Relative to the largest of the numbers compared, or to 1. */
static int differs(const char *what, const double *a, const double *b, size_t n)
{
    double size = 1, worst = 0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
        worst = isfinite(a[i]) && isfinite(b[i]) ? fmax(worst, fabs(a[i] - b[i])) : INFINITY;
    }
    if (worst <= 1e-8 * size)
        return 0;
    printf("%s differs by %g of %g\n", what, worst, size);
    return 1;
}

/* The state of the oracle in the symbols of the equations. */
static double *values_of(const nh_equations *eq, const oracle *o)
{
    double *values = calloc(eq->pool.n_symbols + 1, sizeof *values);
    memcpy(values, o->values, eq->model->pool.n_symbols * sizeof *values);
    return values;
}

static void draw(oracle *o)
{
    for (size_t i = 0; i < o->model->pool.n_symbols; i++) {
        bool parameter = o->model->roles[i].role == NH_ROLE_PARAMETER;
        o->values[i] = parameter ? 0.5 + uniform() : 2 * uniform() - 1;
    }
}

static double *z_value(const nh_equations *eq, double *values, size_t alpha)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, eq->z[alpha].symbol, &index);
    return &values[index];
}

/* Draws z, and puts q' = psi into the oracle. */
static double *draw_z(const nh_equations *eq, oracle *o)
{
    double *values = values_of(eq, o);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        *z_value(eq, values, alpha) = 2 * uniform() - 1;
    double *psi = numbers(eq, eq->first.psi, eq->n, values);
    memcpy(o->values, values, eq->model->pool.n_symbols * sizeof *values);
    for (size_t i = 0; i < eq->n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, eq->model->coordinates[i].rate, &index);
        *oracle_value(o, eq->model->coordinates[i].rate) = psi[i];
        values[index] = psi[i];
    }
    free(psi);
    return values;
}

/* Where psi is not written down the first kind is in a chart, which is none where some of its velocities do not depend on
 * the free ones. */
static bool chart_is_good(const nh_equations *eq, const double *values)
{
    double *psi_alpha = numbers(eq, eq->first.psi_alpha, eq->m * eq->n, values), largest = 0;
    for (size_t i = 0; i < eq->m * eq->n; i++)
        largest = fmax(largest, isfinite(psi_alpha[i]) ? fabs(psi_alpha[i]) : INFINITY);
    free(psi_alpha);
    return largest < 1e3;
}

/* What the equations say is known to nine digits at this state. */
static bool is_well_conditioned(const nh_equations *eq, const double *values)
{
    rounding = 0;
    free(numbers(eq, eq->first.acceleration, eq->n, values));
    free(numbers(eq, eq->first.R, eq->n, values));
    return rounding < 1e-9;
}

/* 1: compared; 0: the state is singular or not to be had. Failures are counted. */
static int compare_at_a_state(const nh_equations *eq, oracle *o, int *failures)
{
    draw(o);
    double *values;
    if (eq->first.psi) {
        values = draw_z(eq, o);
    } else {
        if (!oracle_project(o))
            return 0;
        values = values_of(eq, o);
    }
    int ok = chart_is_good(eq, values) && (eq->model->r || !eq->model->psi ? oracle_solve(o) : oracle_solve_parametric(o));
    double largest = 0;
    for (size_t i = 0; i < eq->n; i++)
        largest = fmax(largest, fabs(o->acceleration[i]));
    ok = ok && largest < 1e5 && is_well_conditioned(eq, values);
    if (ok) {
        double *q = numbers(eq, eq->first.acceleration, eq->n, values), *R = numbers(eq, eq->first.R, eq->n, values);
        *failures += differs("first kind: q''", q, o->acceleration, eq->n) + differs("first kind: R", R, o->R, eq->n);
        free(q), free(R);
        if (!eq->second.reason) {
            double *D = numbers(eq, eq->second.D, eq->n, values), *R2 = numbers(eq, eq->second.R, eq->n, values);
            double *lambda = numbers(eq, eq->second.lambda, eq->r, values);
            *failures += differs("second kind: D", D, o->acceleration, eq->n) + differs("second kind: R", R2, o->R, eq->n);
            if (eq->model->r)
                *failures += differs("lambda", lambda, o->lambda, eq->r);
            free(D), free(R2), free(lambda);
        }
    }
    free(values);
    return ok;
}

static int systems_seen, systems_kept; /* large ones compared, and those with a linear system in them */

static int check_text(const char *name, const char *text, int states)
{
    nh_context *context = nh_context_new(NULL);
    nh_model *model = NULL;
    nh_status status = nh_model_read(context, &(nh_model_source){.name = name, .text = text, .length = strlen(text)}, &model);
    if (status != NH_OK) {
        printf("%s\n%s", text, nh_message_count(context) ? nh_message_text(context, 0) : "");
        nh_context_free(context);
        return -1;
    }
    job j = {context, model, NULL};
    assert_int_equal(nh_heap_try(&context->heap, derive, &j), NH_OK);
    oracle o;
    oracle_init(&o, model);
    systems_kept += j.equations->second.system ||
                    nh_has_solve(&j.equations->pool, &context->arena, j.equations->first.Z_upper, j.equations->m);
    int compared = 0, failures = 0;
    for (int k = 0; k < 20 * states && compared < states; k++)
        compared += compare_at_a_state(j.equations, &o, &failures);
    if (failures)
        printf("%s:\n%s\n", name, text);
    oracle_free(&o);
    nh_equations_free(j.equations);
    nh_model_free(model);
    nh_context_free(context);
    assert_int_equal(failures, 0);
    return compared;
}

/* ---------------------------------------------------------------- examples and textbook systems */

static void test_examples(void **unused)
{
    static const char *const names[] = {"skate", "vertical-disc", "coaxial-discs", "coaxial-discs-implicit", "parallel-velocities",
                                        "parallel-incline", "parallel-equal-masses"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1000], text[10000];
        snprintf(path, sizeof path, "%s/examples/paper/%s.nh", NH_SOURCE_DIR, names[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        assert_int_equal(check_text(names[i], text, 20), 20);
    }
}

static const char *const systems[] = {
    /* the sleigh with its centre of mass off the blade: what the term g_ij psi^k d_k psi^j is for */
    "coordinates x, y\nangles theta\nparameters m, I, a\n"
    "point P at (x + a*cos(theta), y + a*sin(theta)) mass m\nkinetic 1/2*I*theta'^2\n"
    "constraint x'*sin(theta) = y'*cos(theta)\n",
    "coordinates x, y\nangles theta\nparameters m, I, a\n"
    "point P at (x + a*cos(theta), y + a*sin(theta)) mass m\nkinetic 1/2*I*theta'^2\n"
    "velocities v, w\nparametric x' = v*cos(theta), y' = v*sin(theta), theta' = w\n",
    /* pendulum in Cartesian coordinates, and one whose length is a given function of time */
    "coordinates x, y\nparameters m, l, g\npoint P at (x, y) mass m\ngravity (0, -g)\nconstraint x^2 + y^2 = l^2\n",
    "coordinates x, y\nparameters m, l, g\ninput s = l*(1 + sin(t)/4)\npoint P at (x, y) mass m\ngravity (0, -g)\n"
    "constraint x^2 + y^2 = s^2\n",
    /* constant speed, prescribed speed */
    "coordinates x, y, z\nparameters m, c, g\nkinetic 1/2*m*(x'^2 + y'^2 + z'^2)\npotential m*g*z\n"
    "constraint x'^2 + y'^2 + z'^2 = c^2\n",
    /* a moving frame: linear and constant terms in the kinetic energy */
    "coordinates r, s\nparameters m, omega, k\npoint P at (r*cos(omega*t) - s*sin(omega*t), r*sin(omega*t) + s*cos(omega*t)) mass m\n"
    "potential 1/2*k*(r^2 + s^2)\nconstraint r' - s*s' = t*r\n",
    /* double pendulum, free */
    "angles a, b\nparameters m, l, g\npoint P at (l*sin(a), -l*cos(a)) mass m\n"
    "point Q at (l*sin(a) + l*sin(b), -l*cos(a) - l*cos(b)) mass 2*m\ngravity (0, -g)\nforce a = -a'^3\n",
    /* independent velocities named */
    "coordinates x, y\nangles theta, phi\nparameters m, I, J, R\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2 + 1/2*J*phi'^2\n"
    "constraint x' = R*cos(theta)*phi'\nconstraint y' = R*sin(theta)*phi'\nindependent phi', theta'\nforce phi = sin(t)\n",
    /* affine psi without equations */
    "coordinates x, y, s\nparameters m, w\nkinetic 1/2*m*(x'^2 + y'^2 + 2*s'^2 + x'*s')\nvelocities u, v\n"
    "parametric x' = u*cos(s) + w*y, y' = u*sin(s) - w*x, s' = v + u*t\nforce x = -x, s = x*y\n",
    /* non-linear psi without equations */
    "coordinates x, y\nparameters m, c\nkinetic 1/2*m*(x'^2 + 2*y'^2)\npotential x^2*y\nvelocities phi\n"
    "parametric x' = c*cos(phi) + y, y' = c*sin(phi)\n",
    /* Appell-Hamel */
    "coordinates x, y, z\nparameters m, M, k, g\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*M*z'^2\npotential M*g*z\n"
    "constraint x'^2 + y'^2 = k^2*z'^2\n",
};

static void test_systems(void **unused)
{
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        assert_int_equal(check_text("system", systems[i], 20), 20);
}

/* ---------------------------------------------------------------- random systems */

static char text[20000];
static size_t length;

static void write_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
}

/* A bounded function of the coordinates. */
static void write_function(int n)
{
    static const char *const shapes[] = {"cos(q%d)", "sin(q%d)", "(1 + q%d^2)", "exp(-q%d^2)", "cos(q%d - q%d)", "q%d*q%d", "A", "1/(2 + sin(q%d))"};
    int k = below(8);
    write_text(shapes[k], below(n) + 1, below(n) + 1);
}

static void write_metric(int n)
{
    write_text("kinetic 1/2*B*(q1'^2");
    for (int i = 2; i <= n; i++)
        write_text(" + %d*q%d'^2", 1 + below(3), i);
    write_text(")\n");
    for (int k = 0; k < n; k++) {
        write_text("kinetic 1/2*A*(");
        write_function(n);
        write_text("*q%d' + ", below(n) + 1);
        write_function(n);
        write_text("*q%d'%s)^2\n", below(n) + 1, below(4) == 0 ? " + sin(t)" : "");
    }
}

static void write_forces(int n)
{
    for (int i = 1; i <= n; i++) {
        write_text("force q%d = ", i);
        write_function(n);
        write_text("*q%d' - tanh(q%d)*q%d'^2 + cos(t)*abs(q%d)\n", below(n) + 1, below(n) + 1, below(n) + 1, below(n) + 1);
    }
    write_text("potential ");
    write_function(n);
    write_text("*A\n");
}

/* kind: 0 linear, 1 affine, 2 quadratic, 3 transcendental */
static void write_constraint(int n, int kind, int a)
{
    write_text("constraint ");
    for (int i = 1; i <= n; i++)
        if (i == a || below(2)) {
            write_function(n);
            write_text("*q%d' + ", i);
        }
    write_text("3*q%d'", a);
    if (kind == 1)
        write_text(" + sin(q%d + t)", below(n) + 1);
    if (kind == 2)
        write_text(" + q%d'*q%d' + q%d'^2", below(n) + 1, below(n) + 1, below(n) + 1);
    if (kind == 3)
        write_text(" + sin(q%d')*cos(q%d) + exp(q%d'/4)", below(n) + 1, below(n) + 1, below(n) + 1);
    write_text(kind >= 2 && below(2) ? " = A\n" : " = 0\n");
}

static void write_system_of(int number, int n, int r)
{
    length = 0;
    write_text("system random %d\ncoordinates q1", number);
    for (int i = 2; i <= n; i++)
        write_text(", q%d", i);
    write_text("\nparameters A, B\n");
    write_metric(n);
    write_forces(n);
    int kinds = below(4);
    for (int a = 1; a <= r; a++)
        write_constraint(n, kinds == 0 ? 0 : below(kinds + 1), a);
}

static void write_system(int number)
{
    int r = 1 + below(4);
    write_system_of(number, r + 1 + below(3), r);
}

/* Full metrics of many coordinates, with few and with many constraints: what stays a linear system. */
static void test_large(void **unused)
{
    state = 3; /* whatever was drawn before */
    for (int number = 0; number < 12; number++) {
        int n = 11 + below(5), r = number % 2 ? 1 + below(3) : n - 2 - below(4);
        write_system_of(number, n, r);
        write_text("kinetic 1/2*A*(q1'");
        for (int i = 2; i <= n; i++)
            write_text(" + cos(q%d)*q%d'", below(n) + 1, i);
        write_text(")^2\n");
        systems_seen += check_text("large", text, 4) > 0;
    }
    print_message("%d large systems compared, %d kept a linear system\n", systems_seen, systems_kept);
    assert_true(systems_seen >= 8 && systems_kept >= 8);
}

static void test_random(void **unused)
{
    int read = 0, compared = 0;
    for (int k = 0; k < NH_RANDOM_SYSTEMS; k++) {
        write_system(k);
        int states = check_text("random", text, 3);
        read += states >= 0;
        compared += states > 0;
    }
    print_message("%d random systems, %d read, %d compared\n", NH_RANDOM_SYSTEMS, read, compared);
    assert_true(compared > NH_RANDOM_SYSTEMS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_systems), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
