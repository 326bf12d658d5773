/* The first kind from squares of velocities, beside the first kind as it is derived: the same G and Z; and shorter, where bodies move along
 * themselves. Regrouped products: the same values. */
#include "derive/candidates.h"
#include "derive/squares.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static nh_equations *derived(nh_context *context, const char *text, nh_model **model)
{
    nh_model_source source = {.name = "test", .text = text, .length = strlen(text)};
    assert_int_equal(nh_model_read(context, &source, model), NH_OK);
    return nh_equations_new(context, *model);
}

static void assert_same(nh_equations *eq, const nh_expr *a, const nh_expr *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(nh_zero_test(eq->modular, &eq->context->arena, nh_sub(&eq->pool, a[i], b[i]), NULL),
                         NH_YES);
}

/* Operations for G and Z from squares, or 0 where there are none; `regrouped`: after both rules. */
static size_t compare(const char *text, bool is_sum, size_t *regrouped)
{
    nh_context *context = nh_context_new(NULL);
    nh_model *model;
    nh_equations *eq = derived(context, text, &model);
    nh_candidates c;
    size_t m = eq->m, count = m * m + m;
    nh_candidates_init(&c, eq);
    nh_expr *G = nh_array(eq, count), *Z = G + m * m, *other = nh_array(eq, count),
            *again = nh_array(eq, count);
    bool found = nh_from_squares(eq, eq->first.psi, c.constant, G, Z);
    assert_int_equal(found, is_sum);
    if (found) {
        assert_same(eq, G, eq->first.G, m * m);
        assert_same(eq, Z, eq->first.Z_lower, m);
        nh_regroup(eq, G, count, true, other);
        nh_regroup(eq, other, count, false, again);
        assert_same(eq, other, G, count);
        assert_same(eq, again, G, count);
    }
    size_t operations = found ? nh_count_operations(&eq->pool, &context->arena, G, count) : 0;
    *regrouped = found ? nh_count_operations(&eq->pool, &context->arena, again, count) : 0;
    nh_equations_free(eq);
    nh_model_free(model);
    nh_context_free(context);
    return operations;
}

/* Off-centre sleigh in a field; a disc, whose rates about its axes are no rates of functions; a chain without constraints; moving frames; affine
 * constraints; weights and velocities that depend on time or are written otherwise. */
static const char *const sums[] = {
    "coordinates x, y\nangles a\nparameters m = 1, I = 1, c = 1/3, k = 1\n"
    "kinetic 1/2*m*((x' - c*a'*sin(a))^2 + (y' + c*a'*cos(a))^2) + 1/2*I*a'^2\npotential k*x^2\nforce a = "
    "-a'\n"
    "velocities v, w\nparametric x' = v*cos(a), y' = v*sin(a), a' = w\n",
    "coordinates x, y\nangles psi, theta, phi\nparameters m = 1, R = 1/2, A = 1/16, C = 1/8, g = 9.81\n"
    "let vx = x' - R*(cos(theta)*sin(psi)*theta' + sin(theta)*cos(psi)*psi')\n"
    "let vy = y' + R*(cos(theta)*cos(psi)*theta' - sin(theta)*sin(psi)*psi')\nlet vz = -R*sin(theta)*theta'\n"
    "kinetic 1/2*m*(vx^2 + vy^2 + vz^2) + 1/2*A*(theta'^2 + (psi'*cos(theta))^2) + 1/2*C*(phi' - "
    "psi'*sin(theta))^2\n"
    "potential m*g*R*cos(theta)\nvelocities w1, w2, w3\n"
    "parametric x' = R*cos(psi)*w3, y' = R*sin(psi)*w3, psi' = w2, theta' = w1, phi' = w3\n",
    "angles a, b, c\nparameters m = 2\npoint P at (cos(a), sin(a)) mass m\npoint Q at pos(P) + (cos(b), "
    "sin(b)) mass m\n"
    "point R at pos(Q) + 2*(cos(c), sin(c)) mass 1\ngravity (9.81, 0)\n",
    "coordinates x, y\nparameters m = 1, n = 2\nkinetic 1/2*m*((x' - n*y)^2 + (y' + n*x)^2)\npotential x*y\n",
    "coordinates x, y, z\nparameters w = 3\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint x' - w*y*z' = "
    "sin(t)\nconstraint y' = t*z'\n",
    "coordinates x, y\nangles a\nkinetic x'^2/2 + 3*y'^2 + (a' - t)^2\nconstraint x'*sin(a + t) = y'*cos(a + "
    "t)\n",
    "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential y\nvelocities u\nparametric x' = u*cos(u), y' = "
    "u*sin(u)\n",
};

/* Velocities in the frame of a body: both of them not 0, and one in two of the z; and one against its direction. */
static const char *const turned[] = {
    "coordinates x, y\nangles a\nparameters m = 1, b = 1/2, c = 1/3\nkinetic 1/2*m*((x' - c*a'*sin(a))^2 + "
    "(y' + c*a'*cos(a))^2) + a'^2\n"
    "velocities v, w\nparametric x' = (v - b*w)*cos(a), y' = (v - b*w)*sin(a), a' = w\n",
    "coordinates x, y\nangles a\nparameters c = 1/3\nkinetic 1/2*((x' + c*a'*sin(a))^2 + (y' - "
    "c*a'*cos(a))^2) + a'^2\n"
    "velocities v, w\nparametric x' = v*cos(a), y' = v*sin(a), a' = w\n",
};

static const char *const others[] = {
    "angles a, b\nkinetic a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)\n",
    "coordinates x\nkinetic 1/2*(1 + x^2)*x'^2\n",
};

static void test_agree(void **state)
{
    (void)state;
    size_t regrouped;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        size_t operations = compare(sums[i], true, &regrouped);
        assert_true(operations > 0 && regrouped > 0);
    }
    for (size_t i = 0; i < sizeof turned / sizeof *turned; i++) {
        size_t operations = compare(turned[i], true, &regrouped);
        assert_true(operations > 0 && operations < 32);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        compare(others[i], false, &regrouped);
}

/* A car with n trailers, in absolute angles. By hand (see bench/motion/fields.inc) each trailer takes 9 products, 2 squares, 4 products with constants, a sine
 * with its cosine and 6 sums, 23 in all; here signs and inverses of parameters are counted, too. */
static size_t car(int n, size_t *regrouped)
{
    static char text[8192], speed[1024];
    int at = snprintf(text, sizeof text,
                      "coordinates x, y\nangles a0\npoint P0 at (x, y) mass 1\nkinetic a0'^2/2\n");
    for (int i = 1; i <= n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "angles a%d\nparameters m%d = 1, l%d = 1, J%d = 1\npoint P%d at pos(P%d) - "
                       "l%d*(cos(a%d), sin(a%d)) mass m%d\n"
                       "kinetic 1/2*J%d*a%d'^2\n",
                       i, i, i, i, i, i - 1, i, i, i, i, i, i);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "velocities v, w\nparametric x' = v*cos(a0), y' = v*sin(a0), a0' = w\n");
    int length = snprintf(speed, sizeof speed, "v");
    for (int i = 1; i <= n; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "parametric a%d' = %s*sin(a%d - a%d)/l%d\n", i,
                       speed, i - 1, i, i);
        length += snprintf(speed + length, sizeof speed - (size_t)length, "*cos(a%d - a%d)", i - 1, i);
    }
    return compare(text, true, regrouped);
}

static void test_vehicles(void **state)
{
    (void)state;
    size_t few, many, few_regrouped, many_regrouped;
    few = car(3, &few_regrouped), many = car(8, &many_regrouped);
    assert_true(many - few <= (size_t)5 * 35);
    assert_true(many_regrouped - few_regrouped <= (size_t)5 * 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree), cmocka_unit_test(test_vehicles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
