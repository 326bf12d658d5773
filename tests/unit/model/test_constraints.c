/* What kind of equation each constraint is, which equations are independent, which contradict each other, and
 * whether parametric equations and independent velocities fit them. What is expected follows from the equations
 * by hand. */
#include "world.h"

#include <time.h>

/* Lines 1 to 4 of the models below. */
#define HEAD                                                      \
    "coordinates x, y, z\nangles a, b\nparameters R = 2, L = 3\n" \
    "kinetic x'^2 + y'^2 + z'^2 + a'^2 + b'^2\n"

typedef struct writer {
    char *text;
    size_t length, capacity;
} writer;

static void put(writer *w, const char *format, ...)
{
    va_list arguments;
    if (w->capacity - w->length < 200)
        w->text = realloc(w->text, w->capacity = 2 * w->capacity + 200);
    va_start(arguments, format);
    w->length += (size_t)vsnprintf(w->text + w->length, 200, format, arguments);
    va_end(arguments);
}

static void put_text(writer *w, const char *text)
{
    while (*text) {
        size_t length = strlen(text) < 150 ? strlen(text) : 150;
        put(w, "%.*s", (int)length, text);
        text += length;
    }
}

/* ---------------------------------------------------------------- kinds */

typedef struct kind_case {
    const char *equation;
    nh_constraint_kind kind, rate_kind;
    int degree;
} kind_case;

static void check_kind(world *w, const kind_case *c)
{
    char text[600];
    snprintf(text, sizeof text, HEAD "constraint %s\n", c->equation);
    world_read(w, text);
    const nh_constraint *found = &w->model->constraints[0];
    if (w->model->r != 1 || found->kind != c->kind || found->rate_kind != c->rate_kind ||
        found->degree != c->degree)
        fail_msg("%s: kind %d, rate kind %d, degree %d", c->equation, (int)found->kind, (int)found->rate_kind,
                 found->degree);
    assert_int_equal(nh_model_constraint_kind(w->model, 0), c->kind);
    assert_int_equal(found->position != NH_EXPR_NONE, c->kind == NH_POSITIONAL);
    assert_int_equal(nh_model_freedom(w->model), 4);
}

static void check_kinds(world *w, const char *const *equations, size_t count, nh_constraint_kind kind,
                        int degree)
{
    for (size_t i = 0; i < count; i++)
        check_kind(w, &(kind_case){equations[i], kind, kind, degree});
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void linear_equations(void **state)
{
    static const char *const equations[] = {
        "x' = 0",
        "x'*sin(a) - y'*cos(a) = 0",
        "x' = R*a'*cos(b)",
        "y*x' + exp(z)*z' = 0",
        "dot(x) = t*y'",
        "tan(a)*x' = y'",
        "sqrt(x^2 + 1)*x' = y'",
        "sqrt(R^2)*x' = y'",
        "x'*atan(y) = z'*log(2 + x^2)",
        "cross((x', y'), (cos(a), sin(a))) = 0",
        "log(exp(x')) = y'",
        "x'^2/x' = y'",
    };
    check_kinds(*state, equations, COUNT(equations), NH_LINEAR, 1);
}

static void linear_in_disguise(void **state)
{
    static const char *const equations[] = {
        "(x' + y')^2 - x'^2 - 2*x'*y' - y'^2 + x' = 0",
        "(x' + 1)^3 - x'^3 - 3*x'^2 - 3*x' - 1 + y' = z'",
        "(x'^2 - y'^2)/(x' - y') + z' = 0",
        "(sin(a)^2 + cos(a)^2 - 1)*x'^2 + y' = 0",
        "sin(a)^2 + cos(a)^2 - 1 + x' = 0",
        "(tan(a)*cos(a) - sin(a))*x'^2 + z' = 0",
        "(1 + tan(a)^2 - 1/cos(a)^2)*x'^3 + z' = 0",
        "sin(2*a)*x'^2 - 2*sin(a)*cos(a)*x'^2 + y' = 0",
        "sin(a + b)*x'^2 - (sin(a)*cos(b) + cos(a)*sin(b))*x'^2 + z' = 0",
        "(cos(a)^2 - (1 + cos(2*a))/2)*x'*y' = z' + x'",
        "(cosh(x)^2 - sinh(x)^2 - 1)*x'*y' + z' = 0",
        "(exp(x + y) - exp(x)*exp(y))*x'^2 + y' = 0",
        "(2*cosh(x) - exp(x) - exp(-x))*x'^2 = y'",
        "cosh(x')^2 - sinh(x')^2 - 1 + x' = 0",
        "sqrt((x^2 + 1)^2)*x'^2 - (x^2 + 1)*x'^2 + y' = 0",
        "(sqrt(R^2*x^2 + R^2) - R*sqrt(x^2 + 1))*x'^2 = y'",
        "(sqrt(2)*sqrt(3) - sqrt(6))*x'^2 + x' = z'",
        "(asin(x) + acos(x) - pi/2)*x'^2 + x' = z'",
        "(x^(1/3)*x^(2/3) - x)*y'^2 + z' = 0",
    };
    check_kinds(*state, equations, COUNT(equations), NH_LINEAR, 1);
}

static void affine_equations(void **state)
{
    static const char *const equations[] = {
        "x' = 1",
        "x' - R*a' = L*y",
        "y' = t",
        "x'*y = sin(t)",
        "x' = tan(t)",
        "sqrt(x^2 + 1)*x' = y' + x",
        "x' + R = L",
        "(x' + 1)^2 - x'^2 = y'",
        "x' + cos(b)^2 + sin(b)^2 = 0",
        "x' + cosh(y)^2 - sinh(y)^2 = 0",
        "(x'^2 - 1)/(x' - 1) = y'",
        "norm((x, y))*a' = R",
    };
    check_kinds(*state, equations, COUNT(equations), NH_AFFINE, 0);
}

static void homogeneous_equations(void **state)
{
    static const struct {
        const char *equation;
        int degree;
    } cases[] = {
        {"x'^2 = y'^2", 2},
        {"x'*y' = z'^2", 2},
        {"cross((x', y'), (y', z')) = 0", 2},
        {"x'*a'*sin(a) = b'^2*t", 2},
        {"x'*y'*(sin(a)^2 + cos(a)^2) = z'^2", 2},
        {"x'^2*exp(x) = y'^2", 2},
        {"x'*sqrt(x'^2 + y'^2) = z'^2", 2},
        {"(x' + y')^2 - x'^2 - y'^2 = 0", 2},
        {"x'^3 = y'*z'^2", 3},
        {"(x'^2 + y'^2)^2 = z'^4", 4},
        {"x'^10 = y'^10", 10},
        {"norm((x', y')) = z'", 1},
        {"sqrt(x'^2 + y'^2) = R*a'", 1},
        {"x'^2/y' = z'", 1},
        {"x'/y' = tan(a)", 0},
        {"atan2(y', x') = a", 0},
        {"x'*sqrt(y') = x'^2/sqrt(z')", 0}, /* 3/2: no whole number */
        {"x'^(1/3)*y' = z'^(4/3)", 0},      /* 4/3 */
        {"1/x' = 1/y'", -1},
        {"x'^-3 = 8*y'^-3", -3},
        {"sqrt(x'^2)*y' = sqrt(z'^2)*x'", 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_kind(*state, &(kind_case){cases[i].equation, NH_HOMOGENEOUS, NH_HOMOGENEOUS, cases[i].degree});
}

/* |x'| is linear for x' > 0 and for x' < 0, but not linear. */
static void absolute_values(void **state)
{
    static const char *const homogeneous[] = {
        "sqrt(x'^2) = y'",
        "sqrt(x'^2) + x' = 2*y'",
        "sqrt((x' + y')^2) = z'",
        "sqrt(4*x'^2) - R*sqrt(y'^2) = 0",
    };
    static const char *const nonlinear[] = {"sqrt(x'^2) = y' + 1", "sqrt((x' - y')^2) = x"};
    check_kinds(*state, homogeneous, COUNT(homogeneous), NH_HOMOGENEOUS, 1);
    check_kinds(*state, nonlinear, COUNT(nonlinear), NH_NONLINEAR, 0);
}

static void nonlinear_equations(void **state)
{
    static const char *const equations[] = {
        "x'^2 + y'^2 = 1",   "x' = y'^2",        "norm((x', y')) = R",  "sin(x') = y'",
        "x'*y' = x",         "exp(x') = 1 + y'", "x'^2 + t = y'^2",     "sqrt(1 + x'^2) = y'",
        "cosh(x') = y' + 2", "atan(x') = y'",    "x'^2 + x*y' = z'*a'", "x' + y'^3 = z",
        "x'*y' + z' = 0",    "x'^2 = R^2",       "x'/(1 + y') = z'",
    };
    check_kinds(*state, equations, COUNT(equations), NH_NONLINEAR, 0);
}

static bool has_rates(world *w, nh_expr e)
{
    bool *depends = calloc(w->model->pool.n_symbols, sizeof *depends), found = false;
    nh_find_symbols(&w->model->pool, &w->scratch, &e, 1, depends);
    for (size_t i = 0; i < w->model->pool.n_symbols; i++)
        found = found || (depends[i] && w->model->roles[i].role == NH_ROLE_RATE);
    free(depends);
    return found;
}

/* No velocities, or none that count: the equation holds for coordinates, and its derivative for velocities. */
static void position_equations(void **state)
{
    static const char *const at_rest[] = {
        "x = y",
        "x^2 + y^2 = R^2",
        "norm((x, y)) = R",
        "z = R*atan2(y, x)",
        "sin(a) = b",
        "x' - x' + x = y",
        "(x' + 1)^2 - x'^2 - 2*x' - 1 + x = y",
        "x'*(sin(a)^2 + cos(a)^2 - 1) + x = y",
        "(x'^2 + x')/x' - x' - 1 + x = y",
        "x + sin(t)^2 + cos(t)^2 = y",
    };
    static const char *const moving[] = {"x = sin(t)", "x + t^2 = y", "(x - t)^2 + y^2 = R^2", "x = t*z"};
    world *w = *state;
    for (size_t i = 0; i < COUNT(at_rest) + COUNT(moving); i++) {
        bool rest = i < COUNT(at_rest);
        const char *equation = rest ? at_rest[i] : moving[i - COUNT(at_rest)];
        check_kind(w, &(kind_case){equation, NH_POSITIONAL, rest ? NH_LINEAR : NH_AFFINE, rest ? 1 : 0});
        assert_false(has_rates(w, w->model->constraints[0].position));
    }
}

static void equations_that_say_nothing(void **state)
{
    static const char *const equations[] = {
        "0 = 0",
        "x' = x'",
        "sin(a)^2 + cos(a)^2 = 1",
        "(x' + y')^2 = x'^2 + 2*x'*y' + y'^2",
        "tan(a)*cos(a)*x' = sin(a)*x'",
        "sin(3*a) = 3*sin(a) - 4*sin(a)^3",
        "cosh(x')^2 - sinh(x')^2 = 1",
        "exp(x)*exp(-x) = 1",
        "log(exp(x')) = x'",
        "sqrt(x^2)^2 = x^2",
        "sqrt(R^2) = R",
        "asin(x/2) + acos(x/2) = pi/2",
        "atan(x) + atan(-x) = 0",
        "(x'^2 - y'^2)/(x' - y') = x' + y'",
        "cos(a/2)^2 = (1 + cos(a))/2",
        "tanh(x) = (exp(2*x) - 1)/(exp(2*x) + 1)",
    };
    world *w = *state;
    for (size_t i = 0; i < COUNT(equations); i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "constraint %s\n", equations[i]);
        assert_int_equal(world_try(w, text, NULL, NULL), NH_OK);
        if (w->model->r != 0 || nh_message_count(w->context) != 1 ||
            !world_says(w, 0, NH_WARNING, "m", 5, "line 5 reads 0 = 0"))
            world_show(w, text), fail();
    }
}

static void equations_that_never_hold(void **state)
{
    static const char *const equations[] = {
        "0 = 1",
        "x' = x' + 1",
        "sin(a)^2 + cos(a)^2 = 2",
        "exp(x)*exp(-x) = 2",
        "x'^2 + y'^2 = -1",
        "x^2 + 1 = 0",
        "sin(x) = 2",
        "cosh(x') = 1/2",
        "(x' + 1)^2 = x'^2 + 2*x'",
        "x'^2 + R = 0",
    };
    world *w = *state;
    for (size_t i = 0; i < COUNT(equations); i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "constraint %s\n", equations[i]);
        world_refuse(w, text, 5, "contradicts itself: it never holds");
        snprintf(text, sizeof text, HEAD "constraint x' = z'\nconstraint %s\n", equations[i]);
        world_refuse(w, text, 6, "contradicts itself: it never holds");
    }
    world_refuse(w, HEAD "constraint R = L\n", 5, "neither coordinates nor velocities");
    world_refuse(w, HEAD "constraint t = 1\n", 5, "neither coordinates nor velocities");
}

/* Equations that swing in one velocity and are solved for another one: they hold with any value of the first, and nothing is said of them. */
static void equations_that_swing(void **state)
{
    static const char *const equations[] = {"y' = 20 + 15*sin(x' + 1)*cos(3*x')", "y' = 1000 + 900*sin(20*x')",
                                            "y'^3 + y' = 200 + 50*sin(7*x')"};
    world *w = *state;
    for (size_t i = 0; i < COUNT(equations); i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "constraint %s\n", equations[i]);
        world_read(w, text);
        if (nh_message_count(w->context) != 0 || w->model->r != 1)
            world_show(w, text), fail();
    }
}

/* Kinds are certain where the derivatives say so without any simplification. */
static void certainty(void **state)
{
    world *w = *state;
    world_read(w,
               HEAD "constraint x'*sin(a) = y'*cos(a)\nconstraint (sin(a)^2 + cos(a)^2 - 1)*x'^2 + z' = 0\n");
    assert_true(w->model->constraints[0].kind_exact);
    assert_false(w->model->constraints[1].kind_exact);
}

/* ---------------------------------------------------------------- independence */

/* The model is read, r equations are left, and the warnings are those of the dropped ones: "5 7.2" for the
 * equation in line 5 and component 2 of the one in line 7. */
static void check_dropped(world *w, const char *text, size_t r, const char *dropped)
{
    char rest[100];
    size_t count = 0;
    assert_int_equal(world_try(w, text, NULL, NULL), NH_OK);
    snprintf(rest, sizeof rest, "%s", dropped);
    for (char *place = strtok(rest, " "); place; place = strtok(NULL, " "), count++) {
        char *component = strchr(place, '.'), words[100];
        size_t line = strtoul(place, NULL, 10);
        if (component)
            snprintf(words, sizeof words, "component %s of the equation in line %zu follows", component + 1,
                     line);
        else
            snprintf(words, sizeof words, "the equation in line %zu follows", line);
        if (!world_says(w, count, NH_WARNING, "m", line, words)) {
            world_show(w, text);
            fail_msg("expected: %s", words);
        }
    }
    if (nh_message_count(w->context) != count || w->model->r != r)
        world_show(w, text);
    assert_int_equal(nh_message_count(w->context), count);
    assert_int_equal(w->model->r, r);
    assert_int_equal(nh_model_freedom(w->model), w->model->n - r);
}

static void linear_redundancy(void **state)
{
    world *w = *state;
    check_dropped(w, HEAD "constraint x' = y'\nconstraint 2*x' = 2*y'\n", 1, "6");
    check_dropped(w, HEAD "constraint x' = y'\nconstraint sin(a)*x' = sin(a)*y'\nconstraint y' - x' = 0\n", 1,
                  "6 7");
    check_dropped(w, HEAD "constraint x' = a'\nconstraint y' = b'\nconstraint x' + y' = a' + b'\n", 2, "7");
    check_dropped(w,
                  HEAD "constraint x' = R*a'*cos(b)\nconstraint y' = R*a'*sin(b)\nconstraint z' = 0\n"
                       "constraint x'*sin(b) - y'*cos(b) = 0\nconstraint x'*cos(b) + y'*sin(b) = R*a'\n",
                  3, "8 9");
    check_dropped(w, HEAD "constraint x' = 1 + t\nconstraint y' = x\nconstraint x' + y' = 1 + x + t\n", 2,
                  "7");
    check_dropped(w, HEAD "constraint sqrt(2)*x' = y'\nconstraint x' = y'/sqrt(2)\nconstraint z' = y'\n", 2,
                  "6");
    check_dropped(w, HEAD "constraint (x', x', y') = (y', y', x')\nconstraint z' = a'\n", 2, "5.2 5.3");
}

/* Two wheels on an axle of length 2 L: the third condition at each contact, and the axle. */
static void rolling_redundancy(void **state)
{
    world *w = *state;
    check_dropped(
        w,
        "coordinates x, y\nangles th, r, l\nparameters R, L\nkinetic x'^2 + y'^2 + th'^2 + r'^2 + l'^2\n"
        "constraint side: -x'*sin(th) + y'*cos(th) = 0\n"
        "constraint right: x'*cos(th) + y'*sin(th) + L*th' = R*r'\n"
        "constraint left: x'*cos(th) + y'*sin(th) - L*th' = R*l'\n"
        "constraint yaw: 2*L*th' = R*(r' - l')\n"
        "constraint mean: x' = R/2*(r' + l')*cos(th)\n",
        3, "8 9");
    check_dropped(
        w,
        "coordinates x, y, z\nangles p, q, s\nparameters R\nkinetic x'^2 + y'^2 + z'^2 + p'^2 + q'^2 + s'^2\n"
        "let w = (cos(p)*q' + sin(p)*sin(q)*s', sin(p)*q' - cos(p)*sin(q)*s', p' + cos(q)*s')\n"
        "constraint height: z = R\n"
        "constraint roll: (x', y', z') + cross(w, (0, 0, -R)) = (0, 0, 0)\n",
        3, "7.3");
}

/* A position equation includes its derivative, in whichever order they are written. */
static void position_redundancy(void **state)
{
    world *w = *state;
    check_dropped(w, HEAD "constraint x^2 + y^2 = R^2\nconstraint x*x' + y*y' = 0\n", 1, "6");
    check_dropped(w, HEAD "constraint x*x' + y*y' = 0\nconstraint x^2 + y^2 = R^2\n", 1, "5");
    check_dropped(w, HEAD "constraint x*x' + y*y' = 0\nconstraint z' = a'\nconstraint x^2 + y^2 = R^2\n", 2,
                  "5");
    check_dropped(w, HEAD "constraint x + y = t\nconstraint x' + y' = 1\n", 1, "6");
    check_dropped(w, HEAD "constraint x^2 + y^2 = R^2\nconstraint 3*x^2 + 3*y^2 = 3*R^2\n", 1, "6");
    check_dropped(w, HEAD "constraint (x, y) = R*(cos(z), sin(z))\nconstraint x^2 + y^2 = R^2\n", 2, "6");
    check_dropped(
        w, HEAD "constraint (x, y) = R*(cos(z), sin(z))\nconstraint x' = -y*z'\nconstraint y' = x*z'\n", 2,
        "6 7");
}

/* The simpler of two equations stays: x' = y' includes x'^2 = y'^2, and not the reverse. */
static void nonlinear_redundancy(void **state)
{
    world *w = *state;
    check_dropped(w, HEAD "constraint x'^2 + y'^2 = 1\nconstraint 2*x'^2 + 2*y'^2 = 2\n", 1, "6");
    check_dropped(w, HEAD "constraint x'^2 = y'^2\nconstraint (x' - y')*(x' + y') = 0\n", 1, "6");
    check_dropped(w, HEAD "constraint x' = y'\nconstraint x'^2 = y'^2\n", 1, "6");
    check_dropped(w, HEAD "constraint x'^2 = y'^2\nconstraint x' = y'\n", 1, "5");
    check_dropped(w,
                  HEAD "constraint x'^2 + y'^2 = a'^2\nconstraint z'^2 = b'^2\n"
                       "constraint x'^2 + y'^2 + z'^2 = a'^2 + b'^2\n",
                  2, "7");
    check_dropped(
        w, HEAD "constraint x'*z' = y'*a'\nconstraint x'*b' = y'*z'\nconstraint exp(x'*z') = exp(y'*a')\n", 2,
        "7");
}

/* Equations that hold on one branch of the others and not on another: a second diagonal in a square of rods, a
 * parallelogram that is told not to cross, one of two factors. */
static void branches(void **state)
{
    world *w = *state;
    check_dropped(
        w,
        "coordinates x1, y1, x2, y2, x3, y3, x4, y4\nparameters m = 1, l = 1\n"
        "point A at (x1, y1) mass m\npoint B at (x2, y2) mass m\n"
        "point C at (x3, y3) mass m\npoint D at (x4, y4) mass m\n"
        "constraint norm(pos(A) - pos(B)) = l\nconstraint norm(pos(B) - pos(C)) = l\n"
        "constraint norm(pos(C) - pos(D)) = l\nconstraint norm(pos(D) - pos(A)) = l\n"
        "constraint norm(pos(A) - pos(C)) = sqrt(2)*l\nconstraint norm(pos(B) - pos(D)) = sqrt(2)*l\n",
        5, "12");
    check_dropped(w,
                  "angles a, b, c\nparameters l = 1, d = 2\nkinetic a'^2 + b'^2 + c'^2\n"
                  "constraint (l*cos(a) + d*cos(b) - l*cos(c), l*sin(a) + d*sin(b) - l*sin(c)) = (d, 0)\n"
                  "constraint a = c\n",
                  2, "5");
    check_dropped(w, HEAD "constraint x*(x - 1)*y = 0\nconstraint x = 1\n", 1, "5");
}

/* Three points on a line: the distance of the outer two is as large as it can be, and never regular. */
static void stretched(void **state)
{
    world *w = *state;
    assert_int_equal(
        world_try(w,
                  "coordinates x1, y1, x2, y2, x3, y3\nparameters m = 1, l = 1\npoint A at (x1, y1) mass m\n"
                  "point B at (x2, y2) mass m\npoint C at (x3, y3) mass m\n"
                  "constraint norm(pos(A) - pos(B)) = l\nconstraint norm(pos(B) - pos(C)) = l\n"
                  "constraint norm(pos(C) - pos(A)) = 2*l\n",
                  NULL, NULL),
        NH_OK);
    assert_int_equal(nh_message_count(w->context), 1);
    assert_true(world_says(w, 0, NH_WARNING, "m", 8, "singular"));
}

static void independent_equations(void **state)
{
    world *w = *state;
    check_dropped(w, HEAD "constraint x'*sin(a) = y'*cos(a)\nconstraint x'*sin(b) = y'*cos(b)\n", 2, "");
    check_dropped(w, HEAD "constraint x'^2 + y'^2 = 1\nconstraint x'^2 - y'^2 = z\nconstraint x = a\n", 3,
                  "");
    check_dropped(w, HEAD "constraint x^2 + y^2 = R^2\nconstraint x'*y' = z'\nconstraint a' = b'*t\n", 3, "");
    check_dropped(w, HEAD "constraint x^2 + y^2 + z^2 = R^2\nconstraint x + y = R\n", 2, "");
}

static void contradictions(void **state)
{
    world *w = *state;
    world_refuse(w, HEAD "constraint x' = y'\nconstraint x' = y' + 1\n", 6, "line 6 contradicts");
    world_refuse(w, HEAD "constraint x' + y' = 1\nconstraint x' - y' = 1\nconstraint x' = 7\n", 7,
                 "line 7 contradicts");
    world_refuse(w, HEAD "constraint (x', y', 2*x') = (z', a', 2*z' + R)\n", 5,
                 "component 3 of the equation in line 5 contradicts");
    world_refuse(w, HEAD "constraint sqrt(2)*x' = y'\nconstraint 2*x' = sqrt(2)*y' + 1\n", 6,
                 "line 6 contradicts");
    world_refuse(w, HEAD "constraint x + y = 1\nconstraint x + y = 2\n", 6, "line 6 contradicts");
    world_refuse(w, HEAD "constraint x^2 + y^2 = R^2\nconstraint x^2 + y^2 = 4*R^2\n", 6,
                 "line 6 contradicts");
    world_refuse(w, HEAD "constraint x + y = t\nconstraint x' + y' = 2\n", 6, "line 6 contradicts");
    world_refuse(w, HEAD "constraint x' + y' = 2\nconstraint x + y = t\n", 5, "line 5 contradicts");
    world_refuse(w, HEAD "constraint x'^2 + y'^2 = 1\nconstraint x'^2 + y'^2 = 2\n", 6, "line 6 contradicts");
    world_refuse(w, HEAD "constraint x'^2 + y'^2 = 1\nconstraint x' = 2\n", 5, "line 5 contradicts");
    world_refuse(w, HEAD "constraint x' = 1\nconstraint x' = y\n", 6, "special positions");
}

/* Two mistakes at once are both reported. */
static void several_contradictions(void **state)
{
    world *w = *state;
    world_refuse(w, HEAD "constraint x' = 1\nconstraint x' = 2\nconstraint y' = 1\nconstraint 2*y' = 1\n", 6,
                 "line 6 contradicts");
    assert_int_equal(nh_message_count(w->context), 2);
    assert_true(world_says(w, 1, NH_ERROR, "m", 8, "line 8 contradicts"));
}

/* Three bars of length 1 over a distance of 10 cannot be joined; with longer ones they can. */
static void values_that_do_not_fit(void **state)
{
    const char *text = "angles a, b, c\nparameters l = 1, d = 10\nkinetic a'^2 + b'^2 + c'^2\n"
                       "constraint l*(cos(a) + cos(b) + cos(c), sin(a) + sin(b) + sin(c)) = (d, 0)\n";
    world *w = *state;
    assert_int_equal(world_try(w, text, NULL, NULL), NH_OK);
    assert_int_equal(nh_message_count(w->context), 1);
    assert_true(world_says(w, 0, NH_WARNING, "m", 4, "with the values of the parameters"));
    world_read_with(w, text, "l=4", NULL);
    world_read_with(w, text, "d=2.9", NULL);
}

static void nothing_left_to_move(void **state)
{
    world *w = *state;
    world_refuse(w, "coordinates x\nkinetic x'^2\nconstraint x' = 0\n", 3, "1 equation for 1 coordinate");
    world_refuse(w, HEAD "constraint (x', y', z') = (0, 0, t)\nconstraint a' = 1\nconstraint b' = x\n", 7,
                 "5 equations for 5 coordinates");
    world_refuse(w, "coordinates x, y\nkinetic x'^2 + y'^2\nconstraint x'^2 = 1\nconstraint y = x\n", 4,
                 "too many");
    check_dropped(w, "coordinates x, y\nkinetic x'^2 + y'^2\nconstraint x' = y'\nconstraint 2*x' = 2*y'\n", 1,
                  "4");
}

/* The model is read with one warning, about line 5; the equation in line 6 has nothing to do with it. */
static void check_warned(world *w, const char *equation, const char *words)
{
    char text[600];
    snprintf(text, sizeof text, HEAD "constraint %s\nconstraint a' = x*b'\n", equation);
    assert_int_equal(world_try(w, text, NULL, NULL), NH_OK);
    if (nh_message_count(w->context) != 1 || w->model->r != 2 || !world_says(w, 0, NH_WARNING, "m", 5, words))
        world_show(w, text), fail();
}

/* Singular at all states, or at none that could be found: said, and not refused. */
static void singular_equations(void **state)
{
    static const char *const singular[] = {
        "x'^2 = 0",      "x'^2 + y'^2 = 0", "x'^3 = 0",      "x'^5 = 0",
        "(x - y)^2 = 0", "(x' - y')^2 = 0", "x'^2*y'^4 = 0",
    };
    static const char *const unknown[] = {"exp(x') = 0", "norm((x', y')) = -R", "1/x' = 0"};
    for (size_t i = 0; i < COUNT(singular); i++)
        check_warned(*state, singular[i], "singular");
    for (size_t i = 0; i < COUNT(unknown); i++)
        check_warned(*state, unknown[i], "no state was found");
}

/* Large and small numbers, and functions that are defined only far away or where the start says. */
static void scales_and_domains(void **state)
{
    world *w = *state;
    check_dropped(
        w,
        HEAD
        "constraint x^2 + y^2 + z^2 = 6371000^2\nconstraint x*x' + y*y' + z*z' = 0\nconstraint a' = x*b'\n",
        2, "6");
    check_dropped(w, HEAD "constraint x^2 + y^2 = 1e-8\nconstraint z' = x'*y\n", 2, "");
    check_dropped(w, HEAD "constraint x'^2 + y'^2 = 299792458^2\nconstraint z' = x'*y\n", 2, "");
    check_dropped(w, HEAD "constraint norm((x', y')) = 100000\nconstraint z' = x'*y\n", 2, "");
    check_dropped(w, HEAD "constraint x' = 1e9*y'^2\nconstraint z' = x'*y\n", 2, "");
    check_dropped(w, HEAD "constraint y' = sqrt(x^2 - 25)*x'\nconstraint z = log(x - 3)\n", 2, "");
    check_dropped(w, HEAD "constraint y' = sqrt(x - 1000)*x'\nconstraint a' = b'\ninitial x = 1001\n", 2, "");
}

/* ---------------------------------------------------------------- random systems */

/* The value of a term at the state that every equation of a system is made to pass through. */
typedef struct term {
    const char *text;
    double value;
} term;

static double draw_number(world *w) { return round(100 * (2 * world_random(w) - 1.5)) / 50; }
static size_t draw_index(world *w, size_t count)
{
    return (size_t)((world_random(w) - 0.25) * (double)count) % count;
}

enum { POSITIONS = 8, RATES = 5, SHAPES = 5 };

/* x = 0.3, y = -0.7, z = 1.1, a = 0.4, b = -0.9; x' = 0.8, y' = -0.5, z' = 0.6, a' = 1.2, b' = -0.2 */
static void fill_terms(term *positions, term *rates)
{
    const double x = 0.3, y = -0.7, z = 1.1, a = 0.4, b = -0.9;
    const term p[POSITIONS] = {{"x", x},
                               {"y^2", y * y},
                               {"x*z", x * z},
                               {"sin(a)", sin(a)},
                               {"cos(a - b)", cos(a - b)},
                               {"exp(y)", exp(y)},
                               {"sqrt(1 + z^2)", sqrt(1 + z * z)},
                               {"b", b}};
    const term v[RATES] = {{"x'", 0.8}, {"y'", -0.5}, {"z'", 0.6}, {"a'", 1.2}, {"b'", -0.2}};
    memcpy(positions, p, sizeof p);
    memcpy(rates, v, sizeof v);
}

/* One more product; returns its value. Shapes: 0 position, 1 linear, 2 affine, 3 quadratic, 4 anything. */
static double put_product(world *w, writer *out, size_t shape)
{
    term positions[POSITIONS], rates[RATES];
    fill_terms(positions, rates);
    term p = positions[draw_index(w, POSITIONS)], q = positions[draw_index(w, POSITIONS)];
    term v = rates[draw_index(w, RATES)], u = rates[draw_index(w, RATES)];
    double c = draw_number(w);
    c = fabs(c) < 0.1 ? 1 : c;
    if (shape == 0)
        return put(out, " + (%.2f)*%s*%s", c, p.text, q.text), c * p.value * q.value;
    if (shape <= 2)
        return put(out, " + (%.2f)*%s*%s", c, p.text, v.text), c * p.value * v.value;
    if (shape == 3)
        return put(out, " + (%.2f)*%s*%s", c, u.text, v.text), c * u.value * v.value;
    return put(out, " + (%.2f)*sin(%s)*%s", c, u.text, v.text), c * sin(u.value) * v.value;
}

/* An equation that holds at that state; linear ones hold there for some velocities by their last product. */
static void put_equation(world *w, writer *out, size_t shape)
{
    double sum = 0;
    put(out, "0");
    for (int i = 0; i < 4; i++)
        sum += put_product(w, out, shape);
    if (shape == 1)
        put(out, " + (%.17g)*y'", sum / 0.5);
    else
        put(out, " - (%.17g)", sum);
}

/* What is added to r equations that go together: nothing, a combination of them, or one that contradicts them. */
typedef enum addition { NOTHING, A_COMBINATION, A_CONTRADICTION } addition;

static char *random_system(world *w, size_t r, addition added)
{
    writer out = {NULL, 0, 0}, equations[4];
    put(&out, HEAD);
    for (size_t i = 0; i < r; i++) {
        equations[i] = (writer){NULL, 0, 0};
        put_equation(w, &equations[i], draw_index(w, SHAPES));
        put(&out, "constraint ");
        put_text(&out, equations[i].text);
        put(&out, " = 0\n");
    }
    if (added != NOTHING)
        put(&out, "constraint %d", added == A_CONTRADICTION);
    for (size_t i = 0; i < r; i++) {
        if (added != NOTHING && (i == 0 || added == A_COMBINATION)) {
            put(&out, " + %zu*(", i + 2);
            put_text(&out, equations[i].text);
            put(&out, ")");
        }
        free(equations[i].text);
    }
    put(&out, added != NOTHING ? " = 0\n" : "");
    return out.text;
}

/* Equations that have a state in common are accepted, a combination of them is dropped, and an equation that
 * contradicts the first of them is refused. */
static void random_systems(void **state)
{
    world *w = *state;
    for (int i = 0; i < 18; i++) {
        size_t r = 1 + (size_t)i % 3;
        char *text = random_system(w, r, NOTHING);
        check_dropped(w, text, r, "");
        free(text);
        text = random_system(w, r, A_COMBINATION);
        check_dropped(w, text, r, (const char *[]){"6", "7", "8"}[r - 1]);
        free(text);
        text = random_system(w, r, A_CONTRADICTION);
        world_refuse(w, text, 5 + r, "contradicts");
        free(text);
    }
}

/* ---------------------------------------------------------------- parametric equations */

#define PLANE "coordinates x, y\nangles a\nparameters R = 2\nkinetic x'^2 + y'^2 + a'^2\n"

static void parametric_fits(void **state)
{
    static const char *const models[] = {
        PLANE "constraint x'*sin(a) = y'*cos(a)\nvelocities v, w\nparametric x' = v*cos(a), y' = v*sin(a), "
              "a' = w\n",
        PLANE "constraint x'*sin(a) = y'*cos(a)\nvelocities v, w\nparametric x' = v, y' = v*tan(a), a' = w\n",
        PLANE "constraint x'*sin(a) = y'*cos(a)\nvelocities v, w\nparametric x' = (v + w)*cos(a)/2, y' = (v "
              "+ w)*sin(a)/2, a' = w - v\n",
        PLANE "constraint x' = a' + t\nvelocities v, w\nparametric x' = v + t, y' = w, a' = v\n",
        PLANE
        "constraint x'^2 + y'^2 = R^2\nvelocities f, w\nparametric x' = R*cos(f), y' = R*sin(f), a' = w\n",
        PLANE "constraint x'^2 - y'^2 = 1\nvelocities u, w\nparametric x' = cosh(u), y' = sinh(u), a' = w\n",
        PLANE
        "constraint x' = sqrt(1 + y'^2)\nvelocities u, w\nparametric x' = cosh(u), y' = sinh(u), a' = w\n",
        PLANE "constraint x'*y' = a'\nvelocities u, w\nparametric x' = u, y' = w, a' = u*w\n",
        PLANE "constraint norm((x', y')) = R\nvelocities s, w\n"
              "parametric x' = R*(1 - s^2)/(1 + s^2), y' = 2*R*s/(1 + s^2), a' = w\n",
        /* only where the position equation holds */
        PLANE "constraint x^2 + y^2 = R^2\nvelocities u, w\nparametric x' = -u*y, y' = u*x, a' = w\n",
        PLANE
        "constraint x^2 + y^2 = R^2\nvelocities u, w\nparametric x' = u*(x^2 - R^2), y' = u*x*y, a' = w\n",
        PLANE "constraint x^2 + y^2 = R^2\nconstraint a' = R*x'\nvelocities u\nparametric x' = -u*y*R, y' = "
              "u*x*R, a' = -u*y*(x^2 + y^2)\n",
    };
    world *w = *state;
    for (size_t i = 0; i < COUNT(models); i++) {
        world_read(w, models[i]);
        assert_int_equal(w->model->representations_agree, NH_YES);
        assert_int_equal(nh_model_freedom(w->model), w->model->n_velocities);
    }
}

static void parametric_fails(void **state)
{
    world *w = *state;
    world_refuse(w,
                 PLANE "constraint x'*sin(a) = y'*cos(a)\nvelocities v, w\nparametric x' = v*sin(a), y' = "
                       "v*cos(a), a' = w\n",
                 5, "do not satisfy the equation in line 5");
    world_refuse(w, PLANE "constraint x' = a' + t\nvelocities v, w\nparametric x' = v, y' = w, a' = v\n", 5,
                 "do not satisfy");
    world_refuse(
        w,
        PLANE "constraint x'^2 + y'^2 = R^2\nvelocities f, w\nparametric x' = cos(f), y' = sin(f), a' = w\n",
        5, "do not satisfy");
    world_refuse(
        w,
        PLANE
        "constraint x' = sqrt(1 + y'^2)\nvelocities u, w\nparametric x' = -cosh(u), y' = sinh(u), a' = w\n",
        5, "do not satisfy");
    world_refuse(w,
                 PLANE "constraint x^2 + y^2 = R^2\nvelocities u, w\nparametric x' = u*y, y' = u*x, a' = w\n",
                 5, "do not satisfy");
    world_refuse(
        w,
        PLANE
        "constraint (x', y') = a'*(cos(a), sin(a))\nvelocities v\nparametric x' = v*cos(a), y' = v, a' = v\n",
        5, "do not satisfy component 2 of the equation in line 5");
}

/* As many velocities as are free, each with an effect of its own. */
static void parametric_rank(void **state)
{
    world *w = *state;
    world_refuse(w, PLANE "constraint x' = y'\nvelocities u\nparametric x' = u, y' = u, a' = u\n", 6,
                 "need 2 velocities, not 1");
    world_refuse(w, PLANE "velocities u, v, w, s\nparametric x' = u, y' = v, a' = w + s\n", 5,
                 "more velocities");
    world_refuse(w, PLANE "velocities u, w\nparametric x' = u + w, y' = u + w, a' = u + w\n", 5,
                 "'w' is one too many");
    world_refuse(w, PLANE "velocities u, w\nparametric x' = u, y' = u^2, a' = x\n", 5, "'w' is one too many");
    world_refuse(w, PLANE "velocities u, w\nparametric x' = u*w, y' = u^2*w^2, a' = sin(u*w)\n", 5,
                 "one too many");
    world_refuse(w, PLANE "velocities u, w\nparametric x' = sqrt(2)*(u + w), y' = x*(u + w), a' = u + w\n", 5,
                 "one too many");
    world_refuse(w, PLANE "velocities u, w\nparametric x' = sqrt(1 + u^2*w^2), y' = u*w, a' = atan(u*w)\n", 5,
                 "one too many");
    world_read(w, PLANE
               "velocities u, v, w\nparametric x' = u*cos(a) - v*sin(a), y' = u*sin(a) + v*cos(a), a' = w\n");
    world_read(w, PLANE "velocities u, w\nparametric x' = sqrt(2)*u, y' = x*w, a' = atan(u)\n");
}

static void parametric_kinds(void **state)
{
    static const struct {
        const char *equations;
        nh_constraint_kind kind;
    } cases[] = {
        {"x' = u*cos(a), y' = u*sin(a), a' = w", NH_LINEAR},
        {"x' = (u + 1)^2 - u^2 - 1, y' = w, a' = w + u", NH_LINEAR},
        {"x' = u + t, y' = w, a' = 2*u", NH_AFFINE},
        {"x' = u, y' = w, a' = x", NH_AFFINE},
        {"x' = u*cos(w), y' = u*sin(w), a' = u", NH_NONLINEAR},
        {"x' = sqrt(u^2), y' = w, a' = u", NH_NONLINEAR},
    };
    world *w = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[600];
        snprintf(text, sizeof text, PLANE "velocities u, w\nparametric %s\n", cases[i].equations);
        world_read(w, text);
        if (w->model->psi_kind != cases[i].kind)
            fail_msg("%s: kind %d", cases[i].equations, (int)w->model->psi_kind);
    }
}

/* ---------------------------------------------------------------- independent velocities */

static void independent_velocities(void **state)
{
    world *w = *state;
    world_read(w, PLANE "constraint x' = y'\nindependent x', a'\n");
    world_read(w, PLANE "constraint x'*y' = a'\nindependent x', a'\n");
    world_read(w, PLANE "constraint x^2 + y^2 = R^2\nindependent y', a'\n");
    world_read(w, PLANE "independent y', a', x'\n");
    world_refuse(w, PLANE "constraint x' = y'\nindependent x', y'\n", 6, "not independent");
    world_refuse(w, PLANE "constraint x'^2 + y'^2 = R^2\nindependent x', y'\n", 6, "not independent");
    world_refuse(w, PLANE "constraint x^2 + y^2 = R^2\nindependent x', y'\n", 6, "not independent");
    world_refuse(w, PLANE "constraint x' = y'\nindependent x'\n", 6,
                 "2 independent velocities are needed, not 1");
    world_refuse(w, PLANE "constraint x' = y'\nconstraint a' = t\nindependent x', y'\n", 7,
                 "1 independent velocity is needed, not 2");
    world_refuse(w, PLANE "constraint x' = y'\nindependent x', x'\n", 6, "named twice");
}

/* ---------------------------------------------------------------- many coordinates */

/* A car with n trailers: theta_i are the directions, the hitch of trailer i is the axle of i - 1. */
static char *trailers(int n, const char *length)
{
    writer w = {NULL, 0, 0};
    put(&w, "coordinates x, y\nangles phi, th0");
    for (int i = 1; i <= n; i++)
        put(&w, ", th%d", i);
    put(&w, "\nparameters m = 1, J = 1, l = 1\nkinetic m/2*(x'^2 + y'^2) + J/2*(phi'^2");
    for (int i = 0; i <= n; i++)
        put(&w, " + th%d'^2", i);
    put(&w, ")\nconstraint x'*sin(th0 + phi) - y'*cos(th0 + phi) - l*th0'*cos(phi) = 0\n");
    for (int i = 0; i <= n; i++) {
        put(&w, "constraint x'*sin(th%d) - y'*cos(th%d)", i, i);
        for (int j = 1; j <= i; j++)
            put(&w, " + %s*cos(th%d - th%d)*th%d'", length, i, j, j);
        put(&w, " = 0\n");
    }
    return w.text;
}

/* n points in a row, each at the distance l from the one before it, the last one's derivative besides. */
static char *chain(int n)
{
    writer w = {NULL, 0, 0};
    put(&w, "coordinates x0");
    for (int i = 1; i <= n; i++)
        put(&w, ", x%d, y%d", i, i);
    put(&w, "\nparameters l = 1/2, m = 1\npoint P0 at (x0, 0) mass m\n");
    for (int i = 1; i <= n; i++)
        put(&w, "point P%d at (x%d, y%d) mass m\n", i, i, i);
    for (int i = 1; i <= n; i++)
        put(&w, "constraint norm(pos(P%d) - pos(P%d)) = l\n", i, i - 1);
    return w.text;
}

static void check_large(world *w, char *text, size_t n, size_t r)
{
    clock_t start = clock();
    world_read(w, text);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(text);
    assert_int_equal(w->model->n, n);
    assert_int_equal(w->model->r, r);
    assert_int_equal(nh_model_freedom(w->model), n - r);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(seconds < 0.5);
#else
    assert_true(seconds < 10);
#endif
}

static void many_coordinates(void **state)
{
    world *w = *state;
    check_large(w, trailers(16, "l"), 20, 18);
    check_large(w, trailers(64, "l"), 68, 66);
    check_large(w, trailers(24, "sqrt(2)*l"), 28, 26);
    check_large(w, chain(10), 21, 10);
    check_large(w, chain(40), 81, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(linear_equations),
        TEST(linear_in_disguise),
        TEST(affine_equations),
        TEST(homogeneous_equations),
        TEST(absolute_values),
        TEST(nonlinear_equations),
        TEST(position_equations),
        TEST(equations_that_say_nothing),
        TEST(equations_that_never_hold),
        TEST(equations_that_swing),
        TEST(certainty),
        TEST(linear_redundancy),
        TEST(rolling_redundancy),
        TEST(position_redundancy),
        TEST(nonlinear_redundancy),
        TEST(branches),
        TEST(stretched),
        TEST(independent_equations),
        TEST(contradictions),
        TEST(several_contradictions),
        TEST(values_that_do_not_fit),
        TEST(nothing_left_to_move),
        TEST(singular_equations),
        TEST(scales_and_domains),
        TEST(random_systems),
        TEST(parametric_fits),
        TEST(parametric_fails),
        TEST(parametric_rank),
        TEST(parametric_kinds),
        TEST(independent_velocities),
        TEST(many_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
