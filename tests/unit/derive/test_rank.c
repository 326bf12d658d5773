/* Rows that may be dependent: which of them have a column of their own, and the determinant of their products as a formula. */
#include "derive/inner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    nh_context *context;
    nh_model *model;
    nh_equations *eq;
} world;

static world world_of(const char *text)
{
    world w = {.context = nh_context_new(NULL)};
    nh_model_source source = {.name = "test", .text = text, .length = strlen(text)};
    assert_int_equal(nh_model_read(w.context, &source, &w.model), NH_OK);
    w.eq = nh_equations_new(w.context, w.model);
    return w;
}

static void end(world *w)
{
    nh_equations_free(w->eq);
    nh_model_free(w->model);
    nh_context_free(w->context);
}

#define PLANE "coordinates x, y\nangles a\nparameters l = 1\nkinetic x'^2 + y'^2 + a'^2\n"
#define POINTS \
    "coordinates x1, y1, x2, y2\nkinetic x1'^2 + y1'^2 + x2'^2 + y2'^2\nvelocities rho, sigma, theta\n"

/* How many rows C_i are left. */
static size_t left_of(const char *text)
{
    world w = world_of(text);
    nh_expr *rows = nh_array(w.eq, w.eq->r * w.eq->n);
    memcpy(rows, w.eq->second.C_i, w.eq->r * w.eq->n * sizeof *rows);
    size_t left = nh_rows_in_doubt(w.eq, rows, w.eq->r);
    end(&w);
    return left;
}

static void test_own_columns(void **state)
{
    (void)state;
    assert_int_equal(left_of(PLANE "constraint x'*sin(a) - y'*cos(a) = 0\n"), 1);
    assert_int_equal(left_of(PLANE "constraint x'*sin(a) - y'*cos(a) + l*a' = 0\n"), 0);
    assert_int_equal(left_of(PLANE "constraint x'*sin(a) - y'*cos(a) + (l - 1)*a' = 0\n"), 1);
    assert_int_equal(left_of(PLANE "constraint x' = a*a'\nconstraint y' = x*a'\n"), 0);
    assert_int_equal(left_of(PLANE "constraint x' = a*a'\nconstraint x' = y*y'\n"), 2);
    assert_int_equal(left_of(PLANE "constraint x' + a' = 0\nconstraint 2*x' + y'*x + a*a' = 0\n"), 2);
    /* one after the other: y' is the second one's own, and then x' the first one's */
    assert_int_equal(left_of(PLANE "constraint x' + a*a' = 0\nconstraint x'*a + y' + a'*y = 0\n"), 0);
}

static double volume_of(const char *text, double rho, double sigma, bool *found)
{
    world w = world_of(text);
    double values[64] = {0}, out = NAN;
    nh_expr e = nh_equations_gram(w.eq, w.eq->first.psi_alpha, w.eq->m);
    *found = e != NH_EXPR_NONE;
    for (size_t i = 0; i < w.eq->pool.n_symbols && i < 64; i++)
        values[i] = strcmp(w.eq->pool.symbols[i], "rho") == 0     ? rho
                    : strcmp(w.eq->pool.symbols[i], "sigma") == 0 ? sigma
                                                                  : 0.7;
    if (*found)
        nh_evaluate(&w.eq->pool, &w.context->arena, &e, 1, values, &out, NULL);
    end(&w);
    return out;
}

static void test_formula(void **state)
{
    (void)state;
    bool found;
    static const char parallel[] = POINTS "parametric x1' = rho*cos(theta), y1' = rho*sin(theta), x2' = "
                                          "sigma*cos(theta), y2' = sigma*sin(theta)\n";
    assert_true(fabs(volume_of(parallel, 3, 4, &found) - 25) < 1e-12 && found);
    assert_true(fabs(volume_of(parallel, 3e-200, 0, &found)) < 1e-300 && found);
    /* (1 + rho)^2 + ... may be expanded, and loses its digits near -1: either it does not, or it is none */
    static const char shifted[] =
        POINTS "parametric x1' = rho, y1' = sigma*(1 + rho), x2' = theta, y2' = 0\n";
    double volume = volume_of(shifted, -1 + 1e-9, 0, &found);
    assert_true(!found || fabs(volume / 1e-18 - 1) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_columns), cmocka_unit_test(test_formula)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
