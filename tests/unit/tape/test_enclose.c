/* Ranges that enclose the registers of a tape: series at places within a stretch are inside, and the ranges of short stretches are narrow. */
#include "world.h"

enum { WORLDS = 400, PLACES = 9 };
static const double constants[CONSTANT] = {0.7, -1.3};

/* Inputs c_0 + c_1 s + c_2 s^2 */
typedef struct inputs {
    double c[CHANGING][NH_ENCLOSED];
} inputs;

static inputs choose_inputs(world *w)
{
    inputs in;
    for (int i = 0; i < CHANGING; i++)
        for (int k = 0; k < NH_ENCLOSED; k++)
            in.c[i][k] = uniform(w, -1, 1);
    return in;
}

/* For |s| <= radius: their coefficients around s lie in c_0 -+ |c_1| radius -+ |c_2| radius^2, c_1 -+ 2 |c_2| radius, c_2. */
static nh_enclosure *enclosed(world *w, const inputs *in, double radius)
{
    nh_enclosure *e = nh_enclosure_new(w->tape, &w->arena);
    nh_enclosure_constants(e, constants);
    for (size_t i = 0; i < CHANGING; i++) {
        const double *c = in->c[i];
        double widths[] = {fabs(c[1]) * radius + fabs(c[2]) * radius * radius, 2 * fabs(c[2]) * radius, 0};
        for (size_t k = 0; k < NH_ENCLOSED; k++)
            e->r[k * e->stride + i] = (nh_interval){c[k] - widths[k] - 1e-15, c[k] + widths[k] + 1e-15};
    }
    for (size_t k = 0; k < NH_ENCLOSED; k++)
        nh_enclosure_step(e, k);
    return e;
}

/* The series around s. */
static nh_series_double *series_at(world *w, const inputs *in, double s)
{
    nh_series_double *series = nh_series_new_double(w->tape, &w->arena, NH_ENCLOSED - 1);
    assert_true(nh_series_constants_double(series, constants));
    for (size_t k = 0; k < NH_ENCLOSED; k++) {
        for (size_t i = 0; i < CHANGING; i++) {
            const double *c = in->c[i], there[] = {c[0] + s * (c[1] + s * c[2]), c[1] + 2 * s * c[2], c[2]};
            series->r[i * series->of_register + k * series->of_order] = there[k];
        }
        assert_true(nh_series_step_double(series, k));
    }
    return series;
}

static void assert_inside(const nh_enclosure *e, const nh_series_double *s)
{
    for (size_t i = 0; i < ROOTS; i++)
        for (size_t k = 0; k < NH_ENCLOSED; k++) {
            uint32_t out = s->tape->outputs[i];
            double value = s->r[out * s->of_register + k * s->of_order], slack = 1e-9 * (1 + fabs(value));
            nh_interval r = e->r[k * e->stride + out];
            if (isfinite(value) && !(r.low - slack <= value && value <= r.high + slack)) {
                print_error("output %zu, order %zu: %.17g in [%.17g, %.17g]\n", i, k, value, r.low, r.high);
                fail();
            }
        }
}

static void test_inside(void **state)
{
    (void)state;
    static const double radii[] = {0.01, 0.2, 2};
    for (uint64_t seed = 0; seed < WORLDS; seed++)
        for (size_t r = 0; r < 3; r++) {
            world w;
            world_begin(&w, seed, true);
            inputs in = choose_inputs(&w);
            const nh_enclosure *e = enclosed(&w, &in, radii[r]);
            for (int p = 0; p < PLACES; p++)
                assert_inside(e, series_at(&w, &in, radii[r] * (2.0 * p / (PLACES - 1) - 1)));
            world_end(&w);
        }
}

/* Without corners, nearly all ranges over 2e-9 are hardly wider than that. */
static void test_narrow(void **state)
{
    (void)state;
    size_t narrow = 0, all = 0;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        world w;
        world_begin(&w, seed, false);
        inputs in = choose_inputs(&w);
        const nh_enclosure *e = enclosed(&w, &in, 1e-9);
        for (size_t i = 0; i < ROOTS; i++)
            for (size_t k = 0; k < NH_ENCLOSED; k++, all++) {
                nh_interval r = e->r[k * e->stride + w.tape->outputs[i]];
                narrow += r.high - r.low <= 1e-5 * (1 + fabs(r.low));
            }
        world_end(&w);
    }
    assert_true(narrow >= all - all / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_inside), cmocka_unit_test(test_narrow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
