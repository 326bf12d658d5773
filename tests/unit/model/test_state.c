/* Values: parameters and --set, the initial state and --start; the calls of the library used wrongly, one context
 * used twice, several contexts at once. */
#include "world.h"

#include <pthread.h>

/* ---------------------------------------------------------------- parameters */

/* The value of a parameter, those that it is given by included. */
static double parameter(world *w, const char *name)
{
    double *slot = world_slot(w, name);
    nh_arena_mark mark = nh_arena_here(&w->scratch);
    double *values = nh_arena_array(&w->scratch, w->model->pool.n_symbols, sizeof *values);
    nh_model_parameter_values(w->model, &w->scratch, values);
    double value = values[slot - w->values];
    nh_arena_release(&w->scratch, mark);
    return value;
}

#define PARAMETERS                                                                                         \
    "coordinates x\nparameters a = 2, b = a^2 + 1, c, d = sqrt(b - 1)/c\nparameters e = 3*a - b\nkinetic " \
    "a*x'^2\n"

static void parameters_in_terms_of_others(void **state)
{
    world *w = *state;
    world_read(w, PARAMETERS);
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    assert_int_equal(nh_model_count(w->model, NH_PARAMETERS), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(nh_model_name(w->model, NH_PARAMETERS, i), names[i]);
    assert_near(parameter(w, "a"), 2);
    assert_near(parameter(w, "b"), 5);
    assert_true(isnan(parameter(w, "c")));
    assert_true(isnan(parameter(w, "d")));
    assert_near(parameter(w, "e"), 1);
    assert_int_equal(w->model->parameters[2].value, NH_EXPR_NONE);
    world_draw(w); /* energies keep the symbol */
    assert_near(world_value(w, w->model->kinetic), at(w, "a") * at(w, "x'") * at(w, "x'"));
}

/* What depends on a value that is replaced follows it. */
static void set_replaces_values(void **state)
{
    world *w = *state;
    world_read_with(w, PARAMETERS, "a=3, c=2", NULL);
    assert_near(parameter(w, "a"), 3);
    assert_near(parameter(w, "b"), 10);
    assert_near(parameter(w, "d"), 1.5);
    assert_near(parameter(w, "e"), -1);
    world_read_with(w, PARAMETERS, "b=1/2", NULL);
    assert_near(parameter(w, "a"), 2);
    assert_near(parameter(w, "b"), 0.5);
    assert_near(parameter(w, "e"), 5.5);
    assert_true(is_exactly(w->model, w->model->parameters[1].value, 1, 2));
    world_read_with(w, PARAMETERS, "a = 0.1, a = 0.2", NULL); /* the last one counts */
    assert_true(is_exactly(w->model, w->model->parameters[0].value, 1, 5));
}

/* Also in terms of parameters that are declared later, in any order, as long as there is an end to it. */
static void set_in_terms_of_others(void **state)
{
    world *w = *state;
    world_read_with(w, PARAMETERS, "a=2*c,c=7", NULL);
    assert_near(parameter(w, "a"), 14);
    assert_near(parameter(w, "e"), 42 - 197);
    world_read_with(w, PARAMETERS, "a=b,b=4", NULL); /* b = a^2 + 1 no longer counts */
    assert_near(parameter(w, "a"), 4);
    world_read_with(w, PARAMETERS, "b=4,a=b", NULL);
    assert_near(parameter(w, "a"), 4);
    world_refuse_with(w, PARAMETERS, "a=b", NULL, "--set", 1, "'a' depends on itself");
    world_refuse_with(w, PARAMETERS, "a=a+1", NULL, "--set", 1, "'a' depends on itself");
    world_refuse_with(w, PARAMETERS, "c=1,a=e", NULL, "--set", 1, "'a' depends on itself");
}

static void set_is_refused(void **state)
{
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"f=1", "unknown name 'f'"},
        {"a=f", "unknown name 'f'"},
        {"x=1", "--start"},
        {"x'=1", "not a parameter"},
        {"a'=1", "has no velocity"},
        {"a=x", "coordinate"},
        {"a=t", "time"},
        {"a=(1, 2)", "scalar"},
        {"a=1/0", "division by zero"},
        {"a=", "expected"},
        {"a", "expected '='"},
        {"a=1,", "expected"},
        {"a=1;b=2", "';'"},
        {"a=\xff", "UTF-8"},
        {"b=1/(a-2)", "is not a number"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool computed =
            strstr(cases[i].words, "not a number") != NULL; /* found in the model, at the parameter */
        world_refuse_with(w, PARAMETERS, cases[i].set, NULL, computed ? "m" : "--set", computed ? 2 : 1,
                          cases[i].words);
    }
    world_read_with(w, PARAMETERS, "", "");
}

/* Parameters have the sign of their value in tests by numbers: sqrt(s^2) is s only where s is positive. */
static void signs_of_parameters(void **state)
{
    const char *text = "coordinates x, y\nparameters s = 2, r = -s, u\nkinetic x'^2 + y'^2\n"
                       "constraint sqrt(s^2)*x' - s*x' + sqrt(u^2)*y' - u*y' + sqrt(r^2)*y' + r*y' = "
                       "0\nconstraint x' = y'\n";
    world *w = *state;
    assert_int_equal(world_try(w, text, NULL, NULL), NH_OK);
    assert_int_equal(w->model->r, 1);
    assert_true(world_says(w, 0, NH_WARNING, "m", 4, "reads 0 = 0"));
    assert_int_equal(world_try(w, text, "s=-2", NULL), NH_ERROR_MODEL); /* two independent equations now */
    assert_true(world_says(w, 0, NH_ERROR, "m", 5, "too many"));
    const signed char *signs;
    world_read(w, "coordinates x\nparameters s = 2, r = -s, u\nkinetic x'^2\n");
    signs = nh_model_signs(w->model, &w->scratch);
    assert_int_equal(signs[world_slot(w, "s") - w->values], 1);
    assert_int_equal(signs[world_slot(w, "r") - w->values], -1);
    assert_int_equal(signs[world_slot(w, "u") - w->values], 1);
    assert_int_equal(signs[world_slot(w, "x") - w->values], 0);
}

/* ---------------------------------------------------------------- the start */

#define SKATE                                                                    \
    "coordinates x, y\nangles a\nparameters c = 3\nkinetic x'^2 + y'^2 + a'^2\n" \
    "constraint x'*sin(a) = y'*cos(a)\nvelocities v, w\nparametric x' = v*cos(a), y' = v*sin(a), a' = w\n"

/* The initial state as "x=1 v=2", in the order in which it is kept. */
static const char *start_text(world *w)
{
    nh_text text;
    nh_text_init(&text, &w->scratch);
    for (size_t i = 0; i < w->model->n_initial; i++) {
        nh_text_str(&text, i ? " " : "");
        nh_expr_print(&text, &w->model->pool, w->model->initial[i].symbol, 0);
        nh_text_str(&text, "=");
        nh_expr_print(&text, &w->model->pool, w->model->initial[i].value, 0);
    }
    return nh_text_get(&text);
}

static void start_replaces_values(void **state)
{
    static const struct {
        const char *initial, *start, *result;
    } cases[] = {
        {"x = 1, y = 2", NULL, "x=1 y=2"},
        {"x = 1, y = 2", "y=5", "x=1 y=5"},
        {"x = 1, y = 2", "a=7,x=1/2", "x=1/2 y=2 a=7"},
        {"x = 1, v = 2, w = 3", "v=4", "x=1 v=4 w=3"},
        {"x = 1, v = 2, w = 3", "y=4", "x=1 v=2 w=3 y=4"},
        {"x = 1, v = 2, w = 3", "x'=4", "x=1 x'=4"},
        {"x = 1, v = 2, w = 3", "y'=1, x'=4", "x=1 y'=1 x'=4"},
        {"x = 1, x' = 2, y' = 0, a' = 1", "v=3", "x=1 v=3"},
        {"x = 1, x' = 2, y' = 0, a' = 1", "x'=3", "x=1 x'=3 y'=0 a'=1"},
        {"x = 1, x' = 2", "dot(y)=1", "x=1 x'=2 y'=1"},
        {"x = 1", "x=2*c^2", "x=2*c^2"},
        {"x = 1", "", "x=1"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text, SKATE "initial %s\n", cases[i].initial);
        world_read_with(w, text, NULL, cases[i].start);
        assert_string_equal(start_text(w), cases[i].result);
        assert_true(is_exactly(w->model, w->model->start_time, 0, 1));
    }
    world_read_with(w, SKATE, NULL, "v=1,x=2");
    assert_string_equal(start_text(w), "v=1 x=2");
}

static void start_time(void **state)
{
    world *w = *state;
    world_read_with(w, SKATE "initial x = 1\n", NULL, "t=5/2");
    assert_true(is_exactly(w->model, w->model->start_time, 5, 2));
    assert_string_equal(start_text(w), "x=1");
    world_read_with(w, SKATE, "c=4", "t=-c, x=c");
    assert_near(parameter(w, "c"), 4);
    world_draw(w);
    assert_near(world_value(w, w->model->start_time), -at(w, "c"));
}

static void start_is_refused(void **state)
{
    static const struct {
        const char *start, *words;
    } cases[] = {
        {"q=1", "unknown name 'q'"},
        {"c=1", "--set"},
        {"x=1,x=2", "given twice"},
        {"t=1,t=2", "given twice"},
        {"v=1,x'=2", "not as both"},
        {"x'=2,w=1", "not as both"},
        {"x=y", "coordinate"},
        {"x=v", "quasi-velocity"},
        {"x=t", "time"},
        {"v'=1", "has no velocity"},
        {"x=(1,2)", "scalar"},
        {"x=1/0", "division by zero"},
        {"x", "expected '='"},
        {"x=1 y=2", "','"},
        {"x=\xc3", "UTF-8"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        world_refuse_with(w, SKATE "initial x = 3\n", NULL, cases[i].start, "--start", 1, cases[i].words);
    world_refuse(w, SKATE "initial t = 1\n", 8, "--start t=");
}

/* Errors in the model and on the command line are reported together, each where it is. */
static void errors_everywhere(void **state)
{
    world *w = *state;
    assert_int_equal(world_try(w, "coordinates x\nparameters m = 1\nkinetic m*x'^2 + k\n", "n=1", "z=1"),
                     NH_ERROR_MODEL);
    assert_int_equal(nh_message_count(w->context), 3);
    assert_true(world_says(w, 0, NH_ERROR, "m", 3, "unknown name 'k'"));
    assert_true(world_says(w, 1, NH_ERROR, "--set", 1, "unknown name 'n'"));
    assert_true(world_says(w, 2, NH_ERROR, "--start", 1, "unknown name 'z'"));
    assert_non_null(strstr(nh_message_text(w->context, 1), "--set:1:1: error: "));
    assert_int_equal(world_try(w, "coordinates x\nparameters m = (1\nkinetic m*x'^2\n", "m=2", NULL),
                     NH_ERROR_MODEL);
    assert_int_equal(nh_message_count(w->context), 1); /* what is wrong with m is said once */
}

/* ---------------------------------------------------------------- the library used wrongly */

static void null_arguments(void **state)
{
    world *w = *state;
    nh_model *model = NULL;
    nh_string text;
    nh_model_source source = {.name = NULL, .text = "coordinates x\nkinetic x'^2\n", .length = 27},
                    none = {.name = "m"};
    assert_int_equal(nh_model_read(NULL, &source, &model), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_read(w->context, NULL, &model), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_read(w->context, &source, NULL), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_read(w->context, &none, &model), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_read(w->context, &source, &w->model), NH_OK); /* a name is not needed */
    assert_int_equal(nh_model_check(NULL, w->model, NH_FORMAT_TEXT, &text), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_check(w->context, NULL, NH_FORMAT_TEXT, &text), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_check(w->context, w->model, NH_FORMAT_TEXT, NULL), NH_ERROR_ARGUMENT);
    nh_model_free(NULL);
    nh_context_free(NULL);
    nh_string_free(NULL, NULL);
    nh_string_free(w->context, NULL);
    assert_string_equal(nh_model_title(NULL), "");
    assert_int_equal(nh_model_count(NULL, NH_COORDINATES), 0);
    assert_string_equal(nh_model_name(NULL, NH_COORDINATES, 0), "");
    assert_int_equal(nh_model_freedom(NULL), 0);
    assert_int_equal(nh_model_constraint_kind(NULL, 0), NH_NONLINEAR);
    assert_int_equal(nh_message_count(NULL), 0);
    assert_string_equal(nh_message_text(NULL, 0), "");
    assert_int_equal(nh_message_get(NULL, 0).line, 0);
}

static void indices_out_of_range(void **state)
{
    world *w = *state;
    world_read(w, SKATE);
    for (int part = NH_COORDINATES; part <= NH_INTEGRALS; part++) {
        size_t count = nh_model_count(w->model, (nh_part)part);
        assert_string_equal(nh_model_name(w->model, (nh_part)part, count), "");
        assert_string_equal(nh_model_name(w->model, (nh_part)part, SIZE_MAX), "");
    }
    assert_int_equal(nh_model_constraint_kind(w->model, 0), NH_LINEAR);
    assert_int_equal(nh_model_constraint_kind(w->model, 1), NH_NONLINEAR);
    assert_int_equal(nh_model_count(w->model, (nh_part)99), 0);
    assert_string_equal(nh_model_name(w->model, (nh_part)99, 0), "");
    assert_string_equal(nh_message_text(w->context, 5), "");
    assert_string_equal(nh_message_get(w->context, 5).message, "");
}

/* ---------------------------------------------------------------- one context, several contexts */

static const char *const paper =
    "system Two points\ncoordinates x1, y1, x2, y2\nparameters m1 = 1, m2 = 2, g = 9.81\n"
    "point P1 at (x1, y1) mass m1\npoint P2 at (x2, y2) mass m2\ngravity (g, 0)\n"
    "constraint parallel: cross(vel(P1), vel(P2)) = 0\nvelocities rho, sigma, theta\n"
    "parametric x1' = rho*cos(theta), y1' = rho*sin(theta),\n"
    "           x2' = sigma*cos(theta), y2' = sigma*sin(theta)\n"
    "initial x2 = 1, rho = 1, sigma = 2, theta = 0.3\nintegral E = kinetic + potential\n";

static nh_model *read_text(nh_context *context, const char *text, nh_status expected)
{
    nh_model *model;
    nh_model_source source = {.name = "m", .text = text, .length = strlen(text)};
    assert_int_equal(nh_model_read(context, &source, &model), expected);
    return model;
}

static nh_string check_text(nh_context *context, const nh_model *model)
{
    nh_string text;
    assert_int_equal(nh_model_check(context, model, NH_FORMAT_JSON, &text), NH_OK);
    assert_int_equal(strlen(text.data), text.length);
    return text;
}

/* Models outlive the calls after them; messages are those of the last call; the same text is read the same way. */
static void one_context_many_models(void **state)
{
    world *w = *state;
    nh_context *c = w->context;
    nh_model *first = read_text(c, paper, NH_OK);
    nh_string before = check_text(c, first);
    assert_null(read_text(c, "coordinates x\nkinetic y\nforce z = 1\n", NH_ERROR_MODEL));
    assert_int_equal(nh_message_count(c), 2);
    nh_model *big = read_text(c, "coordinates x\nkinetic x'^2\ninitial x = 3^500/7^300\n", NH_OK);
    assert_int_equal(nh_message_count(c), 0);
    nh_model *second = read_text(c, paper, NH_OK);
    nh_string after = check_text(c, second), again = check_text(c, first), long_number = check_text(c, big);
    assert_string_equal(before.data, after.data);
    assert_string_equal(before.data, again.data);
    assert_string_equal(nh_model_name(first, NH_VELOCITIES, 2), "theta");
    nh_model_free(first);
    nh_model_free(big);
    assert_string_equal(nh_model_name(second, NH_VELOCITIES, 2), "theta");
    nh_model_free(second);
    nh_string_free(c, &before), nh_string_free(c, &after), nh_string_free(c, &again),
        nh_string_free(c, &long_number);
    assert_null(before.data);
}

enum { THREADS = 8, ROUNDS = 5 };

typedef struct worker {
    pthread_t thread;
    int number;
    bool right;
} worker;

/* No assertions here: they belong to the thread of the test. */
static void *work(void *arg)
{
    worker *w = arg;
    nh_context *context = nh_context_new(NULL);
    w->right = context != NULL;
    for (int i = 0; i < ROUNDS && w->right; i++) {
        char set[40];
        snprintf(set, sizeof set, "m1=%d", w->number + i);
        nh_model *model = NULL, *wrong = NULL;
        nh_string text = {NULL, 0};
        nh_model_source source = {.name = "m", .text = paper, .length = strlen(paper), .set = set};
        nh_model_source bad = {.name = "m", .text = "coordinates x\nkinetic y\n", .length = 24};
        w->right = nh_model_read(context, &source, &model) == NH_OK && nh_model_freedom(model) == 3 &&
                   is_exactly(model, model->parameters[0].value, w->number + i, 1) &&
                   nh_model_check(context, model, NH_FORMAT_TEXT, &text) == NH_OK &&
                   strstr(text.data, "homogeneous of degree 2") &&
                   nh_model_read(context, &bad, &wrong) == NH_ERROR_MODEL && nh_message_count(context) == 1;
        nh_string_free(context, &text);
        nh_model_free(model);
    }
    nh_context_free(context);
    return NULL;
}

static void contexts_in_threads(void **state)
{
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = 10 * i + 1};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++)
        assert_true(workers[i].right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(parameters_in_terms_of_others),
        TEST(set_replaces_values),
        TEST(set_in_terms_of_others),
        TEST(set_is_refused),
        TEST(signs_of_parameters),
        TEST(start_replaces_values),
        TEST(start_time),
        TEST(start_is_refused),
        TEST(errors_everywhere),
        TEST(null_arguments),
        TEST(indices_out_of_range),
        TEST(one_context_many_models),
        TEST(contexts_in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
