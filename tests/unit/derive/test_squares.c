/* The first kind from squares of velocities, beside the first kind as it is derived: the same G and Z; and shorter, where bodies move along
 * themselves. Regrouped and paired products: the same values. Rates by rows of G z' = Z: the same, with fewer products. */
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
        assert_true(nh_pair_factors(eq, G, count, c.constant, other));
        assert_same(eq, other, G, count);
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

/* Products of two that change, and quotients, in a form. */
static size_t products_in(nh_equations *eq, const bool *constant, const nh_expr *roots, size_t count)
{
    nh_arena *arena = &eq->context->arena;
    nh_walk walk = nh_walk_of(&eq->pool, arena, roots, count);
    bool *changes = nh_arena_array(arena, (size_t)nh_largest(roots, count) + 1, sizeof *changes);
    size_t found = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i];
        nh_list operands = nh_operands(&eq->pool, e);
        uint32_t index = 0;
        size_t changing = 0;
        for (size_t k = 0; k < operands.count; k++)
            changing += changes[operands.items[k]];
        changes[e] = changing || (nh_is_symbol(&eq->pool, e, &index) && !constant[index]);
        found += nh_get(&eq->pool, e).kind == NH_MUL && changing > 1;
    }
    return found;
}

/* m x (y z), (u y) x and (u sin y) x + z: six products of two, and five where u x, or x y, is formed once; m stands apart. */
static void test_pairs(void **state)
{
    (void)state;
    nh_context *context = nh_context_new(NULL);
    nh_model *model;
    nh_equations *eq =
        derived(context, "coordinates x, y, z, u\nparameters m\nkinetic x'^2 + y'^2 + z'^2 + u'^2\n", &model);
    nh_pool *pool = &eq->pool;
    nh_candidates c;
    nh_candidates_init(&c, eq);
    nh_expr q[4], m = model->parameters[0].symbol, out[3];
    for (size_t i = 0; i < 4; i++)
        q[i] = model->coordinates[i].q;
    nh_expr roots[] = {
        nh_mul(pool, nh_mul(pool, q[0], m), nh_mul(pool, q[1], q[2])),
        nh_mul(pool, nh_mul(pool, q[3], q[1]), q[0]),
        nh_add(pool, nh_mul(pool, nh_mul(pool, q[3], nh_call(pool, NH_FN_sin, q[1], NH_EXPR_NONE)), q[0]),
               q[2])};
    assert_true(nh_pair_factors(eq, roots, 3, c.constant, out));
    assert_same(eq, out, roots, 3);
    assert_int_equal(products_in(eq, c.constant, roots, 3), 6);
    assert_int_equal(products_in(eq, c.constant, out, 3), 5); /* one pair is shared: by hand */
    nh_equations_free(eq);
    nh_model_free(model);
    nh_context_free(context);
}

/* The falling disc, sums[1]. By hand, with a = w2 sin, b = w2 cos: a, b, b (..a..), w1 (..a..), its quotient by cos, w1 b, and that quotient times sin: 7,
 * and 2 for x and y. */
static void test_rows(void **state)
{
    (void)state;
    nh_context *context = nh_context_new(NULL);
    nh_model *model;
    nh_equations *eq = derived(context, sums[1], &model);
    nh_candidates c;
    nh_candidates_init(&c, eq);
    nh_expr *field = nh_equations_field(eq, 10);
    assert_same(eq, field, eq->first.psi, eq->n);
    assert_same(eq, field + eq->n, eq->first.Z_upper, eq->m);
    assert_int_equal(products_in(eq, c.constant, field, eq->n + eq->m), 9);
    nh_equations_free(eq);
    nh_model_free(model);
    nh_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree), cmocka_unit_test(test_vehicles),
                                       cmocka_unit_test(test_pairs), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
