/* Values modulo p and the zero test: identities that everybody knows, what nearly is one, and random pairs. */
#include "world.h"

typedef struct identity {
    const char *left, *right;
} identity;

/* Decided by residues alone. */
static const identity identities[] = {
    /* rational functions */
    {"(x + y)^2", "x^2 + 2*x*y + y^2"},
    {"(x - y)*(x + y)", "x^2 - y^2"},
    {"(x + y + z)^2", "x^2 + y^2 + z^2 + 2*(x*y + y*z + z*x)"},
    {"(x + y)^3", "x^3 + 3*x^2*y + 3*x*y^2 + y^3"},
    {"x^3 + y^3 + z^3 - 3*x*y*z", "(x + y + z)*(x^2 + y^2 + z^2 - x*y - y*z - z*x)"},
    {"(x^2 + y^2)*(u^2 + v^2)", "(x*u - y*v)^2 + (x*v + y*u)^2"},
    {"1/x + 1/y", "(x + y)/(x*y)"},
    {"x/(x + 1) + 1/(x + 1)", "1"},
    {"1/(x*(x + 1))", "1/x - 1/(x + 1)"},
    {"(x^5 - 1)/(x - 1)", "x^4 + x^3 + x^2 + x + 1"},
    {"1/(1 + 1/(1 + 1/x))", "(x + 1)/(2*x + 1)"},
    {"(x/y)/(z/u)", "x*u/(y*z)"},
    {"x/(y/x)", "x^2/y"},
    {"1/3*x + 1/6*x", "x/2"},
    {"x*(y - z) + y*(z - x) + z*(x - y)", "0"},
    {"(x + 1)^-2 - 1/(x^2 + 2*x + 1)", "0"},
    {"(x - y)/(y - x)", "-1"},
    {"x^-3*y^2/(y^-1*x^2)", "y^3/x^5"},
    {"(2*x + 2*y)/(x + y)", "2"},
    {"x*y*z - z*(y*x)", "0"},
    {"pi*(x + 1) - pi*x", "pi"},
    {"(x + 1/10)*(x - 1/10)", "x^2 - 1/100"},
    /* one angle */
    {"sin(x)^2 + cos(x)^2", "1"},
    {"tan(x)", "sin(x)/cos(x)"},
    {"1 + tan(x)^2", "1/cos(x)^2"},
    {"1/tan(x)^2 + 1", "1/sin(x)^2"},
    {"sin(x)^4 - cos(x)^4", "sin(x)^2 - cos(x)^2"},
    {"(sin(x) + cos(x))^2", "1 + sin(2*x)"},
    {"sin(x)^6 + cos(x)^6", "1 - 3*sin(x)^2*cos(x)^2"},
    {"(1 - cos(x))/sin(x)", "sin(x)/(1 + cos(x))"},
    {"1/(1 - sin(x)) + 1/(1 + sin(x))", "2/cos(x)^2"},
    {"tan(x) + 1/tan(x)", "1/(sin(x)*cos(x))"},
    /* multiples and halves */
    {"sin(2*x)", "2*sin(x)*cos(x)"},
    {"cos(2*x)", "cos(x)^2 - sin(x)^2"},
    {"cos(2*x)", "2*cos(x)^2 - 1"},
    {"cos(2*x)", "1 - 2*sin(x)^2"},
    {"tan(2*x)", "2*tan(x)/(1 - tan(x)^2)"},
    {"sin(3*x)", "3*sin(x) - 4*sin(x)^3"},
    {"cos(3*x)", "4*cos(x)^3 - 3*cos(x)"},
    {"tan(3*x)", "(3*tan(x) - tan(x)^3)/(1 - 3*tan(x)^2)"},
    {"sin(4*x)", "4*sin(x)*cos(x) - 8*sin(x)^3*cos(x)"},
    {"cos(4*x)", "8*cos(x)^4 - 8*cos(x)^2 + 1"},
    {"sin(5*x)", "16*sin(x)^5 - 20*sin(x)^3 + 5*sin(x)"},
    {"cos(6*x)", "32*cos(x)^6 - 48*cos(x)^4 + 18*cos(x)^2 - 1"},
    {"sin(x)", "2*sin(x/2)*cos(x/2)"},
    {"cos(x)", "1 - 2*sin(x/2)^2"},
    {"sin(x/2)^2", "(1 - cos(x))/2"},
    {"cos(x/2)^2", "(1 + cos(x))/2"},
    {"tan(x/2)", "sin(x)/(1 + cos(x))"},
    {"tan(x/2)", "(1 - cos(x))/sin(x)"},
    {"sin(x)", "2*tan(x/2)/(1 + tan(x/2)^2)"},
    {"cos(x)", "(1 - tan(x/2)^2)/(1 + tan(x/2)^2)"},
    {"cos(x)", "4*cos(x/3)^3 - 3*cos(x/3)"},
    {"sin(3*x/2)", "3*sin(x/2) - 4*sin(x/2)^3"},
    {"cos(x/4)^2 - sin(x/4)^2", "cos(x/2)"},
    {"sin(x/6)*cos(x/6)", "sin(x/3)/2"},
    {"cos(2*x/5)", "2*cos(x/5)^2 - 1"},
    {"sin(x/7)^2 + cos(x/7)^2", "1"},
    {"sin(x/10)*cos(x/10)", "sin(x/5)/2"},
    /* sums of angles */
    {"sin(x + y)", "sin(x)*cos(y) + cos(x)*sin(y)"},
    {"sin(x - y)", "sin(x)*cos(y) - cos(x)*sin(y)"},
    {"cos(x + y)", "cos(x)*cos(y) - sin(x)*sin(y)"},
    {"cos(x - y)", "cos(x)*cos(y) + sin(x)*sin(y)"},
    {"tan(x + y)", "(tan(x) + tan(y))/(1 - tan(x)*tan(y))"},
    {"sin(x)*sin(y)", "(cos(x - y) - cos(x + y))/2"},
    {"cos(x)*cos(y)", "(cos(x - y) + cos(x + y))/2"},
    {"sin(x)*cos(y)", "(sin(x + y) + sin(x - y))/2"},
    {"sin(x) + sin(y)", "2*sin((x + y)/2)*cos((x - y)/2)"},
    {"cos(x) - cos(y)", "-2*sin((x + y)/2)*sin((x - y)/2)"},
    {"sin(x + y)*sin(x - y)", "sin(x)^2 - sin(y)^2"},
    {"cos(x + y)*cos(x - y)", "cos(x)^2 - sin(y)^2"},
    {"sin(x + y + z)", "sin(x + y)*cos(z) + cos(x + y)*sin(z)"},
    {"cos(x - (y + z))", "cos(x)*cos(y + z) + sin(x)*sin(z + y)"},
    {"sin(2*(x + y))", "2*sin(y + x)*cos(x + y)"},
    {"cos(x - y)^2 + sin(y - x)^2", "1"},
    {"(cos(x)*u + sin(x)*v)^2 + (-sin(x)*u + cos(x)*v)^2", "u^2 + v^2"},
    {"cos(x/2 + y/3)", "cos(x/2)*cos(y/3) - sin(x/2)*sin(y/3)"},
    {"sin(x + y/2)^2", "(1 - cos(2*x + y))/2"},
    {"sin(x)*sin(y - z) + sin(y)*sin(z - x) + sin(z)*sin(x - y)", "0"},
    /* angles of all kinds */
    {"sin(x*y)^2 + cos(y*x)^2", "1"},
    {"sin(2*x^2)", "2*sin(x^2)*cos(x^2)"},
    {"cos(x/y)", "2*cos(x/(2*y))^2 - 1"},
    {"sin(x + 1)", "sin(x)*cos(1) + cos(x)*sin(1)"},
    {"cos(2)", "1 - 2*sin(1)^2"},
    {"sin(log(x) + y)", "sin(log(x))*cos(y) + cos(log(x))*sin(y)"},
    {"cos((x + y)^2)", "cos((x + y)*(y + x))"},
    {"sin(abs(x))^2 + cos(abs(x))^2", "1"},
    {"cos(2*sqrt(x))", "1 - 2*sin(sqrt(x))^2"},
    /* parts of a turn */
    {"sin(x + pi)", "-sin(x)"},
    {"cos(x - pi)", "-cos(x)"},
    {"sin(x + pi/2)", "cos(x)"},
    {"cos(x + pi/2)", "-sin(x)"},
    {"sin(pi/2 - x)", "cos(x)"},
    {"cos(3*pi/2 - x)", "-sin(x)"},
    {"tan(x + pi)", "tan(x)"},
    {"tan(x + pi/2)", "-1/tan(x)"},
    {"sin(x + 2*pi)", "sin(x)"},
    {"cos(x - 100*pi)", "cos(x)"},
    {"tan(pi/4)", "1"},
    {"sin(pi/4)^2", "1/2"},
    {"sin(pi/4)", "cos(pi/4)"},
    {"sin(3*pi/4)", "-cos(5*pi/4)"},
    {"tan(x + pi/4)", "(1 + tan(x))/(1 - tan(x))"},
    {"sin(x + pi/4)^2", "(1 + sin(2*x))/2"},
    {"8*sin(pi/8)^2*cos(pi/8)^2", "1"},
    {"(2*cos(pi/8)^2 - 1)^2", "1/2"},
    {"cos(x/2 + pi/2)", "-sin(x/2)"},
    {"sin(pi/256)*cos(pi/256)", "sin(pi/128)/2"},
    {"sin(pi/3)^2 + cos(pi/3)^2", "1"},
    {"sin(2*pi/5)", "2*sin(pi/5)*cos(pi/5)"},
    /* exponentials */
    {"exp(x)*exp(y)", "exp(x + y)"},
    {"exp(-x)", "1/exp(x)"},
    {"exp(x)^3", "exp(3*x)"},
    {"exp(x/2)^2", "exp(x)"},
    {"exp(x - y)", "exp(x)/exp(y)"},
    {"(exp(x) + 1)*(exp(x) - 1)", "exp(2*x) - 1"},
    {"exp(x + 1)", "exp(1)*exp(x)"},
    {"1/(1 + exp(-x))", "exp(x)/(exp(x) + 1)"},
    {"exp(x*y + x*z)", "exp(x*y)*exp(z*x)"},
    {"exp(2*(x + y)) - exp(x + y)^2", "0"},
    {"exp(x/3)*exp(x/6)", "exp(x/2)"},
    /* hyperbolic functions */
    {"cosh(x)^2 - sinh(x)^2", "1"},
    {"cosh(x) + sinh(x)", "exp(x)"},
    {"cosh(x) - sinh(x)", "exp(-x)"},
    {"tanh(x)", "sinh(x)/cosh(x)"},
    {"1 - tanh(x)^2", "1/cosh(x)^2"},
    {"sinh(2*x)", "2*sinh(x)*cosh(x)"},
    {"cosh(2*x)", "cosh(x)^2 + sinh(x)^2"},
    {"cosh(2*x)", "1 + 2*sinh(x)^2"},
    {"tanh(2*x)", "2*tanh(x)/(1 + tanh(x)^2)"},
    {"sinh(x + y)", "sinh(x)*cosh(y) + cosh(x)*sinh(y)"},
    {"cosh(x - y)", "cosh(x)*cosh(y) - sinh(x)*sinh(y)"},
    {"tanh(x + y)", "(tanh(x) + tanh(y))/(1 + tanh(x)*tanh(y))"},
    {"sinh(3*x)", "3*sinh(x) + 4*sinh(x)^3"},
    {"cosh(x/2)^2", "(cosh(x) + 1)/2"},
    {"sinh(x)", "(exp(x) - exp(-x))/2"},
    {"tanh(x)", "(exp(2*x) - 1)/(exp(2*x) + 1)"},
    {"sinh(x)*sinh(y)", "(cosh(x + y) - cosh(x - y))/2"},
    {"cosh(x)^3", "(cosh(3*x) + 3*cosh(x))/4"},
    /* functions of which nothing is known but their arguments */
    {"log((x + 1)^2)", "log(x^2 + 2*x + 1)"},
    {"abs((x - y)*(x + y))", "abs(x^2 - y^2)"},
    {"atan(sin(2*x))", "atan(2*sin(x)*cos(x))"},
    {"min(x*(y + 1), z)", "min(z, x*y + x)"},
    {"2^(x + y) - 2^(y + x)", "0"},
    {"(x + y)^(x*y + x)", "(y + x)^(x*(y + 1))"},
    {"asin(x/(1 + x^2))*cos(y)^2", "asin(x/(x^2 + 1))*(1 - sin(y)^2)"},
};

/* Decided by doubles, all symbols being positive. */
static const identity numeric_identities[] = {
    {"sqrt(x^2)", "x"},
    {"sqrt(x)*sqrt(y)", "sqrt(x*y)"},
    {"sqrt(x/y)", "sqrt(x)/sqrt(y)"},
    {"sqrt((x + y)^2)", "x + y"},
    {"1/(sqrt(x + 1) - sqrt(x))", "sqrt(x + 1) + sqrt(x)"},
    {"sqrt(3 + 2*sqrt(2))", "1 + sqrt(2)"},
    {"sqrt(x + y + 2*sqrt(x*y))", "sqrt(x) + sqrt(y)"},
    {"(x^(1/3))^3", "x"},
    {"x^(1/3)*x^(2/3)", "x"},
    {"x^y*x^z", "x^(y + z)"},
    {"(x^y)^z", "x^(y*z)"},
    {"2^x*3^x", "6^x"},
    {"2^x", "exp(x*log(2))"},
    {"log(x*y)", "log(x) + log(y)"},
    {"log(x^3)", "3*log(x)"},
    {"log(x/y)", "log(x) - log(y)"},
    {"log(sqrt(x))", "log(x)/2"},
    {"exp(log(x) + log(y))", "x*y"},
    {"exp(2*log(x))", "x^2"},
    {"abs(x)", "x"},
    {"abs(x*y)", "abs(x)*abs(y)"},
    {"abs(x)^2", "x^2"},
    {"abs(x - y)", "max(x, y) - min(x, y)"},
    {"max(x, y) + min(x, y)", "x + y"},
    {"sign(x)", "1"},
    {"sign(x - y)*abs(x - y)", "x - y"},
    {"cos(pi/3)", "1/2"},
    {"sin(pi/3)", "sqrt(3)/2"},
    {"tan(pi/6)", "1/sqrt(3)"},
    {"sin(pi/4)", "sqrt(2)/2"},
    {"cos(pi/5)", "(1 + sqrt(5))/4"},
    {"cos(pi/8)", "sqrt(2 + sqrt(2))/2"},
    {"sin(x + pi/3)", "sin(x)/2 + sqrt(3)/2*cos(x)"},
    {"cos(x)*cos(pi/3 - x)*cos(pi/3 + x)", "cos(3*x)/4"},
    {"sin(x/9)", "3*sin(x/27) - 4*sin(x/27)^3"},
    {"cos(x/11)", "2*cos(x/22)^2 - 1"},
    {"sin(x^2 - y^2)", "sin((x + y)*(x - y))"},
    {"sin(sin(x)^2 + y)", "sin(1 - cos(x)^2 + y)"},
    {"exp((x + 1)^2)", "exp(x^2)*exp(2*x)*exp(1)"},
    {"atan(x) + atan(1/x)", "pi/2"},
    {"asin(x/2) + acos(x/2)", "pi/2"},
    {"cos(asin(x/2))", "sqrt(1 - x^2/4)"},
    {"sin(atan(x))", "x/sqrt(1 + x^2)"},
    {"sin(2*atan(x))", "2*x/(1 + x^2)"},
    {"tan(acos(x/2))", "sqrt(4/x^2 - 1)"},
    {"atan2(x, y)", "atan(x/y)"},
    {"atan2(x, y) + atan2(y, x)", "pi/2"},
    {"4*atan(1/5) - atan(1/239)", "pi/4"},
    {"sinh(log(x))", "(x - 1/x)/2"},
    {"tanh(log(x))", "(x^2 - 1)/(x^2 + 1)"},
    {"cosh(log(x + sqrt(x^2 + 1)))", "sqrt(x^2 + 1)"},
    {"sqrt((cosh(x) - 1)/2)", "sinh(x/2)"},
};

/* No identities, though each is near to one. */
static const identity near_identities[] = {
    {"(x + y)^2", "x^2 + x*y + y^2"},
    {"sin(x)^2 + cos(x)^2", "1 + 1/10^30"},
    {"sin(x)^2 + cos(x)^2", "1 + x/10^100"},
    {"sin(x)^2 + cos(y)^2", "1"},
    {"sin(x)^2 - cos(x)^2", "1"},
    {"sin(2*x)", "2*sin(x)"},
    {"sin(2*x)", "sin(x)*cos(x)"},
    {"cos(2*x)", "2*cos(x)^2 + 1"},
    {"cos(x + y)", "cos(x)*cos(y) + sin(x)*sin(y)"},
    {"sin(3*x)", "4*sin(x) - 3*sin(x)^3"},
    {"sin(x + pi)", "sin(x)"},
    {"sin(x + pi/2)", "-cos(x)"},
    {"cos(x/2)^2", "(1 - cos(x))/2"},
    {"tan(x + y)", "tan(x) + tan(y)"},
    {"sin(x)", "x - x^3/6"},
    {"sin(x)", "x"},
    {"exp(x)", "1 + x + x^2/2"},
    {"exp(x*y)", "exp(x)*exp(y)"},
    {"exp(x)*exp(y)", "exp(x) + exp(y)"},
    {"cosh(x)^2 + sinh(x)^2", "1"},
    {"sinh(x)", "sin(x)"},
    {"tanh(x)", "cosh(x)/sinh(x)"},
    {"exp(pi)", "pi + 20"},
    {"exp(1)", "2718281828459045/10^15"},
    {"pi", "355/113"},
    {"pi", "31415926535897932/10^16"},
    {"exp(x)", "exp(x/2)"},
    {"1/(x + y)", "1/x + 1/y"},
    {"x/(x + 1)", "1"},
    {"(x + 1)^100", "(x + 1)^99*(x + 2)"},
    {"cos(x)", "cos(y)"},
    {"x", "y"},
    {"tan(pi/4)", "1 + 1/10^20"},
    {"sin(pi/8)", "sin(3*pi/8)"},
    {"sin(x*y)", "sin(x)*sin(y)"},
    {"sin(x)^2", "sin(x^2)"},
    {"2305843009213693951*x", "0"}, /* p */
    {"2305843009213693952*x + y", "x + y"},
    {"2305843009213562879*x", "0"}, /* the other p */
    {"2305843009213562880*x + y", "x + y"},
    {"(((((x^5850)^4697)^4681)^41)^331)^1321", "1"}, /* x^(p - 1) */
    {"sqrt(sin(x/2)^2)", "sin(x/2)"},
    {"sqrt((x - 5)^2)", "5 - x"},
    {"max(x - 5, 0)", "0"},
    {"abs(x - 3)", "3 - x"},
    {"2305843009213693951^2", "0"}, /* p^2 */
    {"x/2305843009213693951", "0"},
    {"sqrt(x^2 + y^2)", "x + y"},
    {"sqrt(x + 1)", "sqrt(x) + 1"},
    {"sqrt(2)", "1414213562/1000000000"},
    {"sqrt(2) + sqrt(3)", "sqrt(10)"},
    {"abs(x - y)", "x - y"},
    {"log(x + y)", "log(x) + log(y)"},
    {"log(x)^2", "2*log(x)"},
    {"x^y", "y^x"},
    {"x^(1/3)", "x^(1/4)"},
    {"asin(x/2)", "acos(x/2)"},
    {"atan2(x, y)", "atan2(y, x)"},
    {"max(x, y)", "x"},
    {"cos(pi/3)", "sqrt(3)/2"},
    {"cos(pi/7)", "9/10"},
    {"sign(x - y)", "1"},
};

static nh_answer difference(world *w, uint64_t seed, identity i, const signed char *sign)
{
    nh_expr e = nh_sub(&w->pool, read_expr(w, i.left), read_expr(w, i.right));
    return nh_zero_test(nh_modular_new(&w->pool, &w->arena, seed), &w->scratch, e, sign);
}

static const signed char positive[SYMBOLS] = {1, 1, 1, 1, 1, 1};

/* The lists themselves: what they say is true, in long double. */
static bool holds(world *w, identity i)
{
    tree *t = malloc(sizeof *t);
    bool holds = true;
    for (int k = 0; k < 10; k++) {
        double values[SYMBOLS];
        for (int j = 0; j < SYMBOLS; j++)
            values[j] = 0.3 + 0.9 * random_unit(w);
        tree_read(t, i.left);
        long double left = tree_value_at(t, values);
        tree_read(t, i.right);
        holds = holds && close_to(left, tree_value_at(t, values), 1e-14L);
    }
    free(t);
    return holds;
}

static void test_lists(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++)
        if (!holds(w, identities[i]))
            fail_msg("%s is not %s", identities[i].left, identities[i].right);
    for (size_t i = 0; i < sizeof numeric_identities / sizeof *numeric_identities; i++)
        if (!holds(w, numeric_identities[i]))
            fail_msg("%s is not %s", numeric_identities[i].left, numeric_identities[i].right);
}

/* ---------------------------------------------------------------- identities */

static void check_identity(world *w, identity i, uint64_t seed)
{
    nh_modular *m = nh_modular_new(&w->pool, &w->arena, seed);
    nh_expr left = read_expr(w, i.left), right = read_expr(w, i.right);
    nh_residue a = nh_modular_value(m, left), b = nh_modular_value(m, right);
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        if ((a.valid & b.valid) >> k & 1 && a.at[k] != b.at[k])
            fail_msg("%s and %s have different residues", i.left, i.right);
    nh_answer answer = nh_zero_test(m, &w->scratch, nh_sub(&w->pool, left, right), NULL);
    if (answer != NH_YES)
        fail_msg("%s = %s: answer %d", i.left, i.right, answer);
}

static void test_identities(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            check_identity(w, identities[i], seed);
            check_identity(w, (identity){identities[i].right, identities[i].left}, seed);
            world_again(w);
        }
}

static void test_numeric_identities(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof numeric_identities / sizeof *numeric_identities; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            nh_answer answer = difference(w, seed, numeric_identities[i], positive);
            if (answer != NH_YES)
                fail_msg("%s = %s: answer %d", numeric_identities[i].left, numeric_identities[i].right, answer);
            world_again(w);
        }
}

static void test_near_identities(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof near_identities / sizeof *near_identities; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            nh_answer answer = difference(w, seed, near_identities[i], positive);
            if (answer != NH_NO)
                fail_msg("%s = %s: answer %d", near_identities[i].left, near_identities[i].right, answer);
            world_again(w);
        }
}

/* ---------------------------------------------------------------- three answers */

/* Where nothing can be said, because there is no value, or none that doubles tell from zero. */
static void test_unknown(void **state)
{
    world *w = *state;
    static const char *const texts[] = {
        "log(-1 - x^2)",
        "sqrt(-1 - x^2)",
        "asin(2 + x^2)",
        "acos(2 + abs(x))",
        "log(0)",
        "1/(sin(x)^2 + cos(x)^2 - 1)",
        "x/(x*(y + 1) - x*y - x)",
        "tan(pi/2)",
        "tan(5*pi/2)*x",
        "log(x - x*cos(y)^2 - x*sin(y)^2)",
        "(-1 - x^2)^(1/3)",
        "abs(x)/10^400",
        "abs(x/100)^3000",
        "max(x - 500, 0)",
        "max(x, y - 100) - x",
        "abs(x + 1000) - x - 1000",
        "sign(x + 1000) - 1",
        "min(x*y, 10^5) - x*y",
        "abs(exp(x) + 1) - exp(x) - 1",
        "abs(x)*abs(y)*abs(z)*abs(u)*abs(v) - abs(x*y*z*u*v)",
        "sign(sqrt(2)*sqrt(x) - sqrt(2*x)) + sign(sqrt(3)*sqrt(x) - sqrt(3*x))",
        "exp(1000*log(abs(x)/400))*sqrt(x)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            nh_modular *m = nh_modular_new(&w->pool, &w->arena, seed);
            nh_answer answer = nh_zero_test(m, &w->scratch, read_expr(w, texts[i]), NULL);
            if (answer != NH_UNKNOWN)
                fail_msg("%s: answer %d", texts[i], answer);
            world_again(w);
        }
    assert_int_equal(nh_zero_test(nh_modular_new(&w->pool, &w->arena, 1), &w->scratch, NH_EXPR_NONE, NULL), NH_UNKNOWN);
    assert_int_equal(nh_zero_test(nh_modular_new(&w->pool, &w->arena, 1), &w->scratch, w->pool.zero, NULL), NH_YES);
    assert_int_equal(nh_zero_test(nh_modular_new(&w->pool, &w->arena, 1), &w->scratch, w->pool.one, NULL), NH_NO);
}

/* The signs of the symbols decide. */
static void test_signs(void **state)
{
    world *w = *state;
    static const signed char negative[SYMBOLS] = {-1, -1, -1, -1, -1, -1};
    static const struct {
        identity i;
        nh_answer positive, negative, either;
    } cases[] = {
        {{"sqrt(x^2)", "x"}, NH_YES, NH_NO, NH_NO},
        {{"sqrt(x^2)", "-x"}, NH_NO, NH_YES, NH_NO},
        {{"sqrt(x^2)", "abs(x)"}, NH_YES, NH_YES, NH_YES},
        {{"abs(x)", "x"}, NH_YES, NH_NO, NH_NO},
        {{"abs(x) + x", "0"}, NH_NO, NH_YES, NH_NO},
        {{"sign(x*y)", "sign(x)*sign(y)"}, NH_YES, NH_YES, NH_YES},
        {{"sign(x)", "-1"}, NH_NO, NH_YES, NH_NO},
        {{"log(x*y)", "log(x) + log(y)"}, NH_YES, NH_UNKNOWN, NH_YES},
        {{"log(x^2)", "2*log(abs(x))"}, NH_YES, NH_YES, NH_YES},
        {{"sqrt(x)*sqrt(y)", "sqrt(x*y)"}, NH_YES, NH_UNKNOWN, NH_YES},
        {{"(abs(x) + x)*(abs(y) + y)", "0"}, NH_NO, NH_YES, NH_NO},
        {{"(abs(x) + x)*(abs(y) + y)*(abs(z) + z)", "0"}, NH_NO, NH_YES, NH_NO},
        {{"max(x, 0)*max(y, 0)", "0"}, NH_NO, NH_UNKNOWN, NH_NO},
        {{"max(x, -x)", "abs(x)"}, NH_YES, NH_YES, NH_YES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            nh_answer answers[] = {difference(w, seed, cases[i].i, positive), difference(w, seed, cases[i].i, negative),
                                   difference(w, seed, cases[i].i, NULL)};
            if (answers[0] != cases[i].positive || answers[1] != cases[i].negative || answers[2] != cases[i].either)
                fail_msg("%s = %s, seed %d: %d %d %d", cases[i].i.left, cases[i].i.right, (int)seed, answers[0],
                         answers[1], answers[2]);
            world_again(w);
        }
}

/* Long sums and large coefficients inside an angle: no wrong answer. */
static void test_long_angles(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    for (int n = 2; n < 300; n += n < 50 ? 1 : 50) {
        nh_expr sum = p->zero;
        for (int i = 1; i <= n; i++) {
            char name[20];
            snprintf(name, sizeof name, "a%d", i);
            nh_expr a = nh_symbol(p, name);
            sum = nh_add(p, sum, nh_mul(p, nh_number(p, (nh_rational){1 + i % 2, 2, NULL}), nh_mul(p, a, a)));
        }
        nh_expr s = nh_call(p, NH_FN_sin, sum, 0), c = nh_call(p, NH_FN_cos, sum, 0);
        nh_expr twice = nh_call(p, NH_FN_sin, nh_mul(p, p->two, sum), 0), exponential = nh_call(p, NH_FN_exp, sum, 0);
        nh_expr one = nh_add(p, nh_power(p, s, 2), nh_power(p, c, 2));
        nh_expr doubled = nh_sub(p, twice, nh_mul(p, p->two, nh_mul(p, s, c)));
        nh_expr wrong = nh_sub(p, twice, nh_mul(p, s, c)), power = nh_call(p, NH_FN_exp, nh_mul(p, p->half, sum), 0);
        nh_modular *m = nh_modular_new(p, &w->arena, (uint64_t)n);
        assert_int_equal(nh_zero_test(m, &w->scratch, nh_sub(p, one, p->one), NULL), NH_YES);
        assert_int_equal(nh_zero_test(m, &w->scratch, doubled, NULL), NH_YES);
        assert_int_equal(nh_zero_test(m, &w->scratch, wrong, NULL), NH_NO);
        nh_expr root = nh_sub(p, nh_power(p, power, 2), exponential);
        assert_true(nh_zero_test(m, &w->scratch, root, NULL) != NH_NO);
        world_again(w);
    }
}

static void test_large_coefficients(void **state)
{
    world *w = *state;
    static const char *const multiples[] = {
        "4611686018427387904", "-4611686018427387904", "9223372036854775807", "-9223372036854775807",
        "1099511627776",       "-1099511627777",       "(1/9223372036854775807)", "(3/1000003)",
    };
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
        for (int k = 1; k < 5; k++) {
            char left[200], right[200];
            const char *a = multiples[i];
            snprintf(left, sizeof left, "sin(%d*(%s*x + y))", 2 * k, a);
            snprintf(right, sizeof right, "2*sin(%d*(%s*x + y))*cos(%d*(y + %s*x))", k, a, k, a);
            assert_true(difference(w, 1, (identity){left, right}, NULL) != NH_NO);
            snprintf(left, sizeof left, "exp(%d*(%s*x + y))", 2 * k, a);
            snprintf(right, sizeof right, "exp(%d*(%s*x + y))^2", k, a);
            assert_true(difference(w, 1, (identity){left, right}, NULL) != NH_NO);
            snprintf(right, sizeof right, "exp(%d*(%s*x + y))^2 + x", k, a);
            assert_true(difference(w, 1, (identity){left, right}, NULL) != NH_YES);
            world_again(w);
        }
}

static void test_scratch_is_left(void **state)
{
    world *w = *state;
    static const char *const texts[] = {"sqrt(x^2) - abs(x)", "sqrt(x) - y", "x - y", "log(-1 - x^2)"};
    for (size_t i = 0; i < 4; i++) {
        nh_expr e = read_expr(w, texts[i]);
        nh_modular *m = nh_modular_new(&w->pool, &w->arena, 1);
        nh_arena_mark before = nh_arena_here(&w->scratch);
        nh_zero_test(m, &w->scratch, e, NULL);
        nh_arena_mark after = nh_arena_here(&w->scratch);
        assert_true(before.last == after.last && before.next == after.next);
    }
}

/* ---------------------------------------------------------------- value numbering */

/* The same values for the same seed, others for another; whatever else is in the pool, and whenever asked. */
static void test_seeds(void **state)
{
    world *w = *state;
    nh_expr e = read_expr(w, "sin(x)*exp(y)/(z + atan(u))");
    nh_modular *first = nh_modular_new(&w->pool, &w->arena, 1), *other = nh_modular_new(&w->pool, &w->arena, 2);
    nh_residue before = nh_modular_value(first, e);
    read_expr(w, "tan(x) + 3");
    nh_expr later = read_expr(w, "(sin(x) + v - v)*exp(y)/(z + atan(u))");
    assert_int_equal(later, e);
    nh_residue after = nh_modular_value(nh_modular_new(&w->pool, &w->arena, 1), e);
    nh_residue otherwise = nh_modular_value(other, e);
    assert_memory_equal(before.at, after.at, sizeof before.at);
    for (int k = 0; k < NH_MODULAR_POINTS; k++) {
        assert_true(before.at[k] != otherwise.at[k]);
        assert_true(before.at[k] != before.at[(k + 1) % NH_MODULAR_POINTS]);
        assert_true(before.at[k] < (UINT64_C(1) << 61) - 1);
    }
}

/* At other points with every move: identities hold, what depends on the given symbols alone stays, and the rest changes. */
static void test_moves(void **state)
{
    world *w = *state;
    nh_expr e[] = {read_expr(w, "sin(x)^2 + cos(x)^2 - 1"), read_expr(w, "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)"),
                   read_expr(w, "exp(x + y) - exp(x)*exp(y)"), read_expr(w, "atan(x + 1/3)/(2 + cos(x))"),
                   read_expr(w, "x*y + tan(y)"), read_expr(w, "y")};
    bool given[SYMBOLS] = {false};
    uint64_t values[SYMBOLS], fixed = 0, last = 0, index_value = 123456789;
    uint32_t index;
    nh_expr x = read_expr(w, "x");
    assert_true(nh_is_symbol(&w->pool, x, &index));
    given[index] = true;
    nh_modular *m = nh_modular_new_for(&w->pool, &w->arena, e, sizeof e / sizeof *e, given);
    for (uint64_t seed = 0; seed < 20; seed++) {
        for (size_t i = 0; i < SYMBOLS; i++)
            values[i] = i == index ? index_value : seed;
        nh_modular_move(m, seed, values);
        for (int k = 0; k < 3; k++)
            for (int point = 0; point < NH_MODULAR_POINTS; point++)
                assert_true(nh_modular_value(m, e[k]).at[point] == 0);
        nh_residue constant = nh_modular_value(m, e[3]), other = nh_modular_value(m, e[4]);
        assert_true(constant.given && !other.given);
        assert_true(constant.at[0] == constant.at[1] && (seed == 0 || constant.at[0] == fixed));
        assert_true(other.at[0] != other.at[1] && other.at[0] != last);
        assert_true(nh_modular_value(m, x).at[0] == index_value);
        fixed = constant.at[0], last = other.at[0];
    }
    values[index] = 987654321;
    nh_modular_move(m, 0, values);
    assert_true(nh_modular_value(m, e[3]).at[0] != fixed);
}

/* Trees of which all rewritings below are tied by their residues: integers only, divisors are symbols. */
static void plain_tree(world *w, tree *t)
{
    static const char operations[] = "++-**/~^ffff";
    t->count = 0;
    for (int i = 0; i < SYMBOLS; i++)
        tree_add(t, (item){.op = 's', .n = i});
    tree_integer(t, random_below(w, 7) - 3);
    for (int k = 0; k < 8; k++) {
        item i = {.op = operations[random_below(w, sizeof operations - 1)]};
        i.a = k > 0 && random_below(w, 2) ? t->count - 1 : random_below(w, t->count);
        i.b = i.op == '/' ? random_below(w, SYMBOLS) : random_below(w, t->count);
        i.n = i.op == '^' ? 2 + random_below(w, 2) : random_below(w, NH_FN_COUNT);
        tree_add(t, i);
    }
}

static bool has_small_numbers(const nh_pool *p)
{
    for (size_t i = 0; i < p->n_rationals; i++) {
        nh_rational r = p->rationals[i];
        if (r.big || llabs(r.num) > 1 << 20 || (r.den != 1 && !(r.num == 1 && r.den == 2)))
            return false;
    }
    return true;
}

static nh_expr call(nh_pool *p, nh_function f, nh_expr a) { return nh_call(p, f, a, NH_EXPR_NONE); }
static nh_expr square(nh_pool *p, nh_expr a) { return nh_power(p, a, 2); }
static nh_expr twice(nh_pool *p, nh_expr a) { return nh_mul(p, p->two, a); }
static nh_expr halved(nh_pool *p, nh_expr a) { return nh_mul(p, p->half, a); }

#define SIN(a) call(p, NH_FN_sin, a)
#define COS(a) call(p, NH_FN_cos, a)
#define TAN(a) call(p, NH_FN_tan, a)
#define EXP(a) call(p, NH_FN_exp, a)
#define SINH(a) call(p, NH_FN_sinh, a)
#define COSH(a) call(p, NH_FN_cosh, a)
#define ADD(a, b) nh_add(p, a, b)
#define SUB(a, b) nh_sub(p, a, b)
#define MUL(a, b) nh_mul(p, a, b)
#define DIV(a, b) nh_div(p, a, b)

/* A multiple of an inverse function: sin(asin x) = x, exp(log x) = x and the like are built as such, and are not
 * tied to functions of halves and sums. */
static bool is_inverse(const nh_pool *p, nh_expr e)
{
    nh_node node = nh_get(p, e);
    if (node.kind == NH_MUL && nh_is_number(p, node.a, NULL))
        node = nh_get(p, node.b);
    nh_function f = (nh_function)node.function;
    return node.kind == NH_CALL &&
           (f == NH_FN_asin || f == NH_FN_acos || f == NH_FN_atan || f == NH_FN_atan2 || f == NH_FN_log);
}

/* f(u) = f(v + z) in another way. */
static nh_expr rewritten_call(nh_pool *p, nh_function f, int way, nh_expr u, nh_expr v, nh_expr z)
{
    nh_expr h = halved(p, u), right = halved(p, p->pi), e = EXP(u), back = EXP(nh_neg(p, u));
    switch (f) {
    case NH_FN_sin:
        return way == 0   ? twice(p, MUL(SIN(h), COS(h)))
               : way == 1 ? ADD(MUL(SIN(v), COS(z)), MUL(COS(v), SIN(z)))
                          : COS(SUB(right, u));
    case NH_FN_cos:
        return way == 0   ? SUB(p->one, twice(p, square(p, SIN(h))))
               : way == 1 ? SUB(MUL(COS(v), COS(z)), MUL(SIN(v), SIN(z)))
                          : SIN(ADD(u, right));
    case NH_FN_tan:
        return way == 0   ? DIV(twice(p, TAN(h)), SUB(p->one, square(p, TAN(h))))
               : way == 1 ? DIV(ADD(TAN(v), TAN(z)), SUB(p->one, MUL(TAN(v), TAN(z))))
                          : DIV(SIN(u), COS(u));
    case NH_FN_exp: return way == 0 ? square(p, EXP(h)) : way == 1 ? MUL(EXP(v), EXP(z)) : ADD(COSH(u), SINH(u));
    case NH_FN_sinh: return way == 0 ? twice(p, MUL(SINH(h), COSH(h))) : halved(p, SUB(e, back));
    case NH_FN_cosh: return way == 0 ? ADD(p->one, twice(p, square(p, SINH(h)))) : halved(p, ADD(e, back));
    default: /* tanh */
        return way == 0 ? DIV(SINH(u), COSH(u)) : DIV(SUB(square(p, e), p->one), ADD(p->one, EXP(twice(p, u))));
    }
}

static nh_expr rewritten_product(nh_pool *p, int way, nh_expr a, nh_expr b)
{
    if (way != 0)
        return MUL(b, a);
    return MUL(SUB(square(p, ADD(a, b)), square(p, SUB(a, b))), nh_power(p, nh_integer(p, 4), -1));
}

/* The item in another way, from operands built in other ways; angles and exponents from plain ones. */
static nh_expr rewritten(world *w, const tree *t, const nh_expr *other, item i)
{
    nh_pool *p = &w->pool;
    nh_expr a = other[i.a], b = other[i.b], u = t->built[i.a], v = u, z = p->zero;
    int way = random_below(w, 3);
    switch (i.op) {
    case '+': return way == 0 ? SUB(b, nh_neg(p, a)) : way == 1 ? halved(p, ADD(twice(p, b), twice(p, a))) : ADD(a, b);
    case '-': return way == 0 ? nh_neg(p, SUB(b, a)) : ADD(nh_neg(p, b), a);
    case '*': return rewritten_product(p, way, a, b);
    case '/': return way == 0 ? DIV(MUL(a, b), square(p, b)) : MUL(nh_power(p, b, -1), a);
    case '~': return SUB(a, twice(p, a));
    case '^': return i.n == 2 ? rewritten_product(p, way, a, a) : MUL(a, rewritten_product(p, way, a, a));
    default: break; /* a call */
    }
    if (t->items[i.a].op == '+')
        v = t->built[t->items[i.a].a], z = t->built[t->items[i.a].b];
    switch ((nh_function)i.n) {
    case NH_FN_sin:
    case NH_FN_cos:
    case NH_FN_tan:
    case NH_FN_exp:
    case NH_FN_sinh:
    case NH_FN_cosh:
    case NH_FN_tanh:
        if (is_inverse(p, u) || is_inverse(p, v) || is_inverse(p, z))
            return call(p, (nh_function)i.n, u);
        return rewritten_call(p, (nh_function)i.n, way, u, v, z);
    case NH_FN_min:
    case NH_FN_max: return nh_call(p, (nh_function)i.n, t->built[i.b], u); /* residues do not know that */
    case NH_FN_acos:
    case NH_FN_sqrt:
    case NH_FN_atan2: return nh_call(p, (nh_function)i.n, a, arity(i.n) == 2 ? b : NH_EXPR_NONE);
    default: return call(p, (nh_function)i.n, u); /* residues do not know what is odd or even */
    }
}

static nh_expr rewritten_tree(world *w, const tree *t)
{
    nh_expr other[TREE_SIZE];
    for (int i = 0; i < t->count; i++) {
        bool leaf = t->items[i].op == 's' || t->items[i].op == '#' || t->items[i].op == 'p';
        other[i] = leaf ? t->built[i] : rewritten(w, t, other, t->items[i]);
    }
    return other[t->count - 1];
}

static void test_equal_pairs(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    int compared = 0, rebuilt = 0;
    for (int i = 0; i < 6000; i++) {
        plain_tree(w, t);
        nh_expr a = tree_build(w, t), b = has_small_numbers(&w->pool) ? rewritten_tree(w, t) : NH_EXPR_NONE;
        if (a && b) {
            nh_modular *m = nh_modular_new(&w->pool, &w->arena, (uint64_t)i);
            nh_residue x = nh_modular_value(m, a), y = nh_modular_value(m, b);
            for (int k = 0; k < NH_MODULAR_POINTS; k++)
                if ((x.valid & y.valid) >> k & 1) {
                    compared++;
                    if (x.at[k] != y.at[k])
                        fail_msg("pair %d: equal, with different residues", i);
                }
            rebuilt += a != b;
            assert_true(nh_zero_test(m, &w->scratch, nh_sub(&w->pool, a, b), NULL) != NH_NO);
        }
        world_again(w);
    }
    assert_true(compared > 6000 && rebuilt > 2000);
    free(t);
}

/* One leaf or operation changed. */
static void change(world *w, tree *t)
{
    item *i = &t->items[random_below(w, t->count)];
    switch (i->op) {
    case 's': i->n = (i->n + 1) % SYMBOLS; break;
    case '#': i->n++, i->value += 1; break;
    case '+': i->op = '-'; break;
    case '-': i->op = '+'; break;
    case '*': i->op = '+'; break;
    case '^': i->n++; break;
    case 'f': i->n = (i->n + 1) % NH_FN_COUNT; break;
    default: i->op = '~'; break;
    }
}

/* Beyond a corner, random states may never come. */
static bool has_corner(const tree *t)
{
    for (int i = 0; i < t->count; i++)
        if (t->items[i].op == 'f' && !nh_function_get((nh_function)t->items[i].n)->smooth)
            return true;
    return false;
}

static void test_different_pairs(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    int compared = 0;
    for (int i = 0; i < 10000; i++) {
        double values[SYMBOLS];
        plain_tree(w, t);
        random_values(w, values);
        nh_expr a = tree_build(w, t);
        long double first = tree_value_at(t, values);
        bool tame = tree_is_tame(t);
        change(w, t);
        nh_expr b = tree_build(w, t);
        long double second = tree_value_at(t, values);
        if (tame && tree_is_tame(t) && !close_to(first, second, 1e-9L)) {
            nh_modular *m = nh_modular_new(&w->pool, &w->arena, (uint64_t)i);
            nh_residue x = nh_modular_value(m, a), y = nh_modular_value(m, b);
            assert_true(a && b && a != b);
            for (int k = 0; k < NH_MODULAR_POINTS; k++)
                if ((x.valid & y.valid) >> k & 1) {
                    compared++;
                    if (x.at[k] == y.at[k] && !x.root && !y.root)
                        fail_msg("pair %d: different, with equal residues", i);
                }
            nh_answer answer = nh_zero_test(m, &w->scratch, nh_sub(&w->pool, a, b), NULL);
            assert_true(answer != NH_YES || has_corner(t));
        }
        world_again(w);
    }
    assert_true(compared > 3000);
    free(t);
}

/* Zero or not, of random differences: never a wrong answer. */
static void test_zero_test_of_random_expressions(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    int no = 0;
    for (int i = 0; i < 5000; i++) {
        double values[SYMBOLS];
        long double value = random_tame_tree(w, t, 4, 8, values);
        nh_modular *m = nh_modular_new(&w->pool, &w->arena, (uint64_t)i);
        nh_answer answer = nh_zero_test(m, &w->scratch, tree_build(w, t), NULL);
        if (fabsl(value) > 1e-6L && !has_corner(t))
            assert_true(answer != NH_YES);
        no += answer == NH_NO;
        world_again(w);
    }
    assert_true(no > 4000);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(test_identities, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numeric_identities, setup, teardown),
        cmocka_unit_test_setup_teardown(test_near_identities, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
        cmocka_unit_test_setup_teardown(test_signs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_angles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large_coefficients, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scratch_is_left, setup, teardown),
        cmocka_unit_test_setup_teardown(test_seeds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_moves, setup, teardown),
        cmocka_unit_test_setup_teardown(test_equal_pairs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_different_pairs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zero_test_of_random_expressions, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
