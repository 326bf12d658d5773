/* The time of a context: it is for all calls together, and ends motions, too. */
#include "nonholo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char body[] = "angles a, b, c\n"
                           "frame W = Rz(a)*Rx(b)*Rz(c)\n"
                           "body B at (sin(a), cos(b), c) frame W mass 1 inertia (1, 2, 3)\n"
                           "constraint dot(angvel(B), axis(W, 3)) = 0\n"
                           "initial a = 1, b = 1\n";
static const char pendulum[] = "angles a\nkinetic 1/2*a'^2\npotential -cos(a)\ninitial a = 1\n";
static const char oscillators[] = "coordinates x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential x^4 + y^4 + x*y\n";

static nh_context *context_of(double seconds)
{
    nh_context *context = nh_context_new(&(nh_options){.max_seconds = seconds});
    assert_non_null(context);
    return context;
}

static nh_model *read_model(nh_context *context, const char *text)
{
    nh_model *model;
    nh_model_source source = {.name = "model", .text = text, .length = strlen(text)};
    assert_int_equal(nh_model_read(context, &source, &model), NH_OK);
    return model;
}

static void free_both(nh_context *context, nh_model *model)
{
    nh_model_free(model);
    nh_context_free(context);
}

/* Not once, and then never again. */
static void test_all_calls(void **state)
{
    nh_context *reader = context_of(0), *context = context_of(1e-3);
    nh_model *model = read_model(reader, body);
    usleep(2000);
    for (int k = 0; k < 3; k++) {
        nh_string text;
        assert_int_equal(nh_model_derive(context, model, NH_FORMAT_TEXT, &text), NH_ERROR_TIME);
        assert_null(text.data);
    }
    nh_context_free(context);
    free_both(reader, model);
}

static int write_nothing(void *user, const char *text, size_t length) { return 0; }

static void run(nh_run_options options)
{
    nh_context *context = context_of(0.2);
    nh_model *model = read_model(context, pendulum);
    nh_string summary;
    int finished;
    options.to = 1e9, options.write = write_nothing;
    assert_int_equal(nh_model_run(context, model, &options, &finished, &summary), NH_OK);
    assert_false(finished);
    assert_non_null(strstr(summary.data, "the time was over"));
    nh_string_free(context, &summary);
    free_both(context, model);
}

static void test_motions(void **state)
{
    static const char starts[] = "a\n1\n2\n";
    run((nh_run_options){0});
    run((nh_run_options){.starts = starts, .starts_length = sizeof starts - 1});
    run((nh_run_options){
        .starts = starts, .starts_length = sizeof starts - 1, .solver = NH_INTEGRATOR_RUNGE});
}

static void test_neighbours(void **state)
{
    nh_context *context = context_of(0.2);
    nh_model *model = read_model(context, pendulum);
    nh_string text;
    int finished;
    nh_lyapunov_options options = {.to = 1e6};
    assert_int_equal(nh_model_lyapunov(context, model, &options, &finished, &text), NH_OK);
    assert_false(finished);
    nh_string_free(context, &text);
    free_both(context, model);
}

static void sleep_until_late(void *user, double part, const char *what)
{
    usleep(*(const useconds_t *)user);
    *(useconds_t *)user = 0;
}

/* The search begins with a sleep until all of the time is over: the energy was found and proved before it. */
static void test_integrals(void **state)
{
    nh_context *context = context_of(2);
    nh_model *model = read_model(context, oscillators);
    nh_string text;
    useconds_t time = 2100000;
    nh_integrals_options options = {.progress = sleep_until_late, .user = &time};
    assert_int_equal(nh_model_integrals(context, model, &options, &text), NH_OK);
    assert_non_null(strstr(text.data, "proved: energy"));
    assert_non_null(strstr(text.data, "of no degree"));
    nh_string_free(context, &text);
    assert_int_equal(nh_model_integrals(context, model, NULL, &text), NH_ERROR_TIME);
    assert_null(text.data);
    free_both(context, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_calls),
        cmocka_unit_test(test_motions),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_integrals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
