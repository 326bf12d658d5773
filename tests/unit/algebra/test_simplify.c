/* What expressions are simplified to: as a person would write them, and never to something else. */
#include "reading.h"

#include "algebra/prove.h"

#include <math.h>

static double length_of(world *w, nh_expr e) { return nh_expr_length(&w->algebra.lengths, e); }

/* ---------------------------------------------------------------- as a person would write it */

/* The order in which these are declared. */
static const char names[] = "m*m1*m2*M*K*L*R*G*A*B*A1*A2*A3*A4*Omega*x*y*z*rho*sigma*theta*psi*phi*t*x'*y'*theta'*psi'";

static const struct {
    const char *given, *simplified;
} forms[] = {
    /* mechanics */
    {"(m*A1*cos(theta)*R + m*R*A2*sin(theta))/(m^2*R)", "(A1*cos(theta) + A2*sin(theta))/m"},
    {"1/m*(A1*cos(theta)^3 + A1*cos(theta)*sin(theta)^2 + A2*sin(theta)*cos(theta)^2 + A2*sin(theta)^3)",
     "(A1*cos(theta) + A2*sin(theta))/m"},
    {"R^2/(m*R^4*cos(psi)^2 + m*R^4*sin(psi)^2 + A*R^2)", "1/(m*R^2 + A)"},
    {"1/(m*R^2*(cos(psi)^2 + sin(psi)^2) + A)", "1/(m*R^2 + A)"},
    {"B*(A1*R*cos(psi) + A2*R*sin(psi) + A3)/(B*(A + m*R^2*cos(psi)^2 + m*R^2*sin(psi)^2))",
     "(R*(A1*cos(psi) + A2*sin(psi)) + A3)/(m*R^2 + A)"},
    {"rho*A2*cos(theta) - rho*A1*sin(theta) + sigma*A4*cos(theta) - sigma*A3*sin(theta)",
     "rho*(A2*cos(theta) - A1*sin(theta)) + sigma*(A4*cos(theta) - A3*sin(theta))"},
    {"m1*(rho*cos(theta))^2 + m1*(rho*sin(theta))^2 + m2*sigma^2*cos(theta)^2 + m2*sigma^2*sin(theta)^2",
     "m1*rho^2 + m2*sigma^2"},
    {"1/2*m*(x'*cos(theta) + y'*sin(theta))^2 + 1/2*m*(y'*cos(theta) - x'*sin(theta))^2",
     "1/2*m*(x'^2 + y'^2)"},
    {"m*(x'*sin(theta) - y'*cos(theta))*theta' + m*theta'*y'*cos(theta)", "m*x'*theta'*sin(theta)"},
    {"(A - B)*sin(theta)*cos(theta)*psi'^2 + B*psi'^2*sin(theta)*cos(theta) - A*psi'^2*cos(theta)*sin(theta) + M*G*sin(theta)",
     "M*G*sin(theta)"},
    {"(M + K)*R^2*K*L^2 - (K*R*L*cos(x - y))^2", "K*L^2*R^2*(M + K*sin(x - y)^2)"},
    {"A*cos(theta)^2 + A*sin(theta)^2*cos(psi)^2 + A*sin(theta)^2*sin(psi)^2 + B", "A + B"},
    {"M*G*R*cos(x)/(M*R^2)", "G*cos(x)/R"},
    {"theta'*(x - y) + psi'*(y - x)", "(x - y)*(theta' - psi')"},
    {"(rho^2 + sigma^2)*A + rho^2*(B - A) + sigma^2*(B - A)", "B*(rho^2 + sigma^2)"},
    /* rational functions */
    {"(x^2 - y^2)/(x - y)", "x + y"},
    {"(x + y)^2 - (x - y)^2", "4*x*y"},
    {"(x^3 - 3*x^2*y + 3*x*y^2 - y^3)/(x - y)^2", "x - y"},
    {"x*(y + z) - x*y - x*z", "0"},
    {"1/x - 1/y", "1/x - 1/y"},
    {"x/y + z/y", "(x + z)/y"},
    {"x/y/z*y", "x/z"},
    {"1/(1/M + 1/K)", "M*K/(M + K)"},
    {"((x + y)/(x - y) - (x - y)/(x + y))*(x^2 - y^2)", "4*x*y"},
    {"(x^2*A + 2*A*x + A)/(A*x + A)", "x + 1"},
    {"(2*x + 2*y)/(4*z)", "(x + y)/(2*z)"},
    {"(x*y + x)/(x*z - x)", "(y + 1)/(z - 1)"},
    {"x - (y - (z - x))", "z - y"},
    {"R + t - t + (R + t)^2", "R + (R + t)^2"},
    {"3*(x + y) + 2*(x - y)", "5*x + y"},
    {"-(x - y)", "y - x"},
    {"(x - y)*(x + y)*(x^2 + y^2) - x^4", "-y^4"},
    {"(x + 1)^5 - (x^5 + 5*x^4 + 10*x^3 + 10*x^2 + 5*x)", "1"},
    {"x^4 + 2*x^2*y^2 + y^4", "(x^2 + y^2)^2"},
    {"A*x*y + A*x*z + B*x*y + B*x*z", "x*(A + B)*(y + z)"},
    {"x/3 + x/6", "1/2*x"},
    {"10^20*x/(10^19*y)", "10*x/y"},
    {"(M*G*sin(theta) + K*G*sin(theta))/(M + K)", "G*sin(theta)"},
    /* angles */
    {"sin(theta)*cos(psi) - cos(theta)*sin(psi)", "sin(theta - psi)"},
    {"cos(theta)*cos(psi) + sin(theta)*sin(psi)", "cos(theta - psi)"},
    {"cos(theta)*cos(psi) - sin(theta)*sin(psi)", "cos(theta + psi)"},
    {"cos(x)*cos(y)*cos(z) - sin(x)*sin(y)*cos(z) - sin(x)*cos(y)*sin(z) - cos(x)*sin(y)*sin(z)",
     "cos(x + y + z)"},
    {"sin(x - y)*cos(y - z) + cos(x - y)*sin(y - z)", "sin(x - z)"},
    {"sin(x)^2*cos(y)^2 + cos(x)^2*cos(y)^2 + sin(y)^2", "1"},
    {"(1 - cos(x)^2)*M + M*cos(x)^2", "M"},
    {"(1 - cos(x)^2)/sin(x)", "sin(x)"},
    {"sin(x)/(1 + cos(x)) + (1 + cos(x))/sin(x)", "2/sin(x)"},
    {"(1 - cos(x))/sin(x) - sin(x)/(1 + cos(x)) + y", "y"},
    {"sin(x)^3 + sin(x)*cos(x)^2", "sin(x)"},
    {"1/(1 + tan(x)^2)", "cos(x)^2"},
    {"tan(x)*cos(x)", "sin(x)"},
    {"tan(x)", "tan(x)"},
    {"sin(2*x)/(2*sin(x))", "cos(x)"},
    {"cos(2*x) + sin(x)^2", "cos(x)^2"},
    {"2*cos(2*x)*sin(2*x)*y + sin(2*x)^2 + cos(2*x)^2", "y*sin(4*x) + 1"},
    {"2*sin(x)*cos(x)", "sin(2*x)"},
    {"M*G*sin(x)*cos(x)", "M*G*cos(x)*sin(x)"},
    {"cos(x)^2 - sin(x)^2", "cos(2*x)"},
    {"2*M*cos(x)^2 - M", "M*cos(2*x)"},
    {"2*A*sin(x)*cos(x)*x'*y' - B*x'", "x'*(A*y'*sin(2*x) - B)"},
    {"sin(x)/cos(x)", "tan(x)"},
    {"M*sin(x)/cos(x) + y*sin(x)/cos(x)", "tan(x)*(M + y)"},
    {"x*(2*y + 2*z) + 2*x*y", "2*x*(2*y + z)"},
    {"M*(1/2*x' + 1/4*y')", "1/4*M*(2*x' + y')"},
    {"sqrt((x - y)^2 + (rho - sigma)^2)", "sqrt((x - y)^2 + (rho - sigma)^2)"},
    {"K*(sqrt((x - y)^2 + (rho - sigma)^2) - L)", "K*(sqrt((x - y)^2 + (rho - sigma)^2) - L)"},
    {"(cos(x) + sin(x))^2 + (cos(x) - sin(x))^2", "2"},
    {"1/4*cos(2*psi - theta)", "1/4*cos(2*psi - theta)"},
    {"sin(x + 2*pi)", "sin(x)"},
    {"cos(x + pi/2)", "-sin(x)"},
    {"sin(pi/6)*x + cos(pi/3)*y", "1/2*(x + y)"},
    {"sin(Omega*t)^2*A + cos(Omega*t)^2*A", "A"},
    {"cos(Omega*t)*cos(phi) - sin(Omega*t)*sin(phi)", "cos(Omega*t + phi)"},
    {"cosh(x - y)^2 - sinh(x - y)^2 + sin(x - y)", "sin(x - y) + 1"},
    {"sin(775) - sin(775)^2 + x - cos(775)^2", "sin(775) + x - 1"},
    /* roots */
    {"sqrt(M^2*x^2 + M^2*y^2)", "M*sqrt(x^2 + y^2)"},
    {"sqrt(x^2 + 2*x*y + y^2 + z^2 - 2*x*y)", "sqrt(x^2 + y^2 + z^2)"},
    {"x/sqrt(x^2 + y^2)*sqrt(x^2 + y^2)", "x"},
    {"x^2/(x^2 + y^2)^(3/2) + y^2/(x^2 + y^2)^(3/2)", "1/sqrt(x^2 + y^2)"},
    {"sqrt(8)*x - sqrt(2)*x", "sqrt(2)*x"},
    {"G*M*m/(x^2 + y^2)*x/sqrt(x^2 + y^2)", "m*M*G*x/sqrt(x^2 + y^2)^3"},
    {"sqrt(M)*sqrt(K)*sqrt(M*K)", "M*K"},
    {"sqrt(M)*sqrt(K)", "sqrt(M*K)"},
    {"M*sqrt(K/M)", "sqrt(M*K)"},
    {"sqrt(2)*sqrt(3)*x", "sqrt(6)*x"},
    {"sqrt(cos(x)^2 + sin(x)^2 + y)", "sqrt(y + 1)"},
    {"x^(1/3)*x^(5/3)", "x^2"},
    {"sqrt(x^2)", "sqrt(x^2)"},
    {"abs(x)^2 + abs(M)*y", "M*y + x^2"},
    {"abs(y*sqrt(x/y))", "abs(y*sqrt(x/y))"},
    /* other functions, and their arguments */
    {"exp(x)*exp(-y)*exp(y)", "exp(x)"},
    {"exp(-K*t)*exp(2*K*t)", "exp(K*t)"},
    {"exp(x - y)*exp(y - x) + exp(x - y)", "exp(x - y) + 1"},
    {"cosh(x)^2 - sinh(x)^2 + x", "x + 1"},
    {"cos(atan2(y, x))*sqrt(x^2 + y^2)", "x"},
    {"log(exp(x + y)*exp(-y))", "x"},
    {"log(sin(x)^2 + cos(x)^2 + M + M - 1)", "log(2*M)"},
    {"asin(M + M - y)", "asin(2*M - y)"},
    {"atan((x^2 - 1)/(x - 1))*(y + z - y)", "z*atan(x + 1)"},
};

static void test_forms(void **state)
{
    world *w = *state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        read_expr(w, names);
        const char *text = text_of(w, simplify(w, read_expr(w, forms[i].given)));
        if (strcmp(text, forms[i].simplified) != 0)
            wrong++, print_error("%s instead of %s: %s\n", text, forms[i].simplified, forms[i].given);
        world_again(w);
    }
    assert_int_equal(wrong, 0);
}

/* All together: the angles of one are there for the others, too, and change nothing but the choice among equals. */
static void test_forms_together(void **state)
{
    world *w = *state;
    enum { COUNT = sizeof forms / sizeof *forms };
    nh_expr in[COUNT], out[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        in[i] = read_expr(w, forms[i].given);
    assert_true(nh_simplify(&w->algebra, in, COUNT, out));
    for (size_t i = 0; i < COUNT; i++) {
        if (length_of(w, out[i]) > length_of(w, in[i]))
            fail_msg("%s is longer than %s", text_of(w, out[i]), text_of(w, in[i]));
        if (nh_is_zero(&w->algebra, nh_sub(&w->pool, in[i], out[i])) != NH_YES)
            fail_msg("%s is not known to be %s", text_of(w, out[i]), text_of(w, in[i]));
    }
}

/* Drafts are thrown away: what is added to the pool is the result, and what is added to the heap is next to nothing. */
static void test_nothing_is_left(void **state)
{
    world *w = *state;
    size_t results = 0, added = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        nh_expr e = read_expr(w, forms[i].given);
        size_t before = w->pool.n_nodes;
        nh_expr out = simplify(w, e);
        assert_int_equal(nh_is_zero(&w->algebra, out), out == w->pool.zero ? NH_YES : NH_NO);
        added += w->pool.n_nodes - before;
        results += nh_walk_of(&w->pool, &w->algebra.scratch, &out, 1).count;
        assert_true(w->pool.n_nodes - before <= nh_walk_of(&w->pool, &w->algebra.scratch, &out, 1).count);
    }
    print_message("%zu nodes added for results of %zu\n", added, results);
}

/* ---------------------------------------------------------------- random expressions */

static const char *const symbol_names[] = {"x", "y", "theta", "phi", "t", "M", "K", "R"};
enum { SYMBOLS = sizeof symbol_names / sizeof *symbol_names, ANGLES = 5, MOST_NODES = 30 };

static nh_expr random_symbol(world *w, int below) { return symbol_of(w, nh_slice_of(symbol_names[random_below(w, below)])); }

static nh_expr random_number(world *w)
{
    nh_expr n = nh_integer(&w->pool, 1 + random_below(w, 6));
    return random_below(w, 3) ? n : nh_div(&w->pool, n, nh_integer(&w->pool, 1 + random_below(w, 6)));
}

/* Multiples and sums of angles, phases, multiples of pi/12. */
static nh_expr random_angle(world *w)
{
    nh_pool *p = &w->pool;
    nh_expr a = random_symbol(w, ANGLES), b = random_symbol(w, ANGLES);
    switch (random_below(w, 8)) {
    case 0: return nh_add(p, a, nh_div(p, nh_mul(p, nh_integer(p, random_below(w, 25) - 12), p->pi), nh_integer(p, 12)));
    case 1: return nh_add(p, a, b);
    case 2: return nh_sub(p, nh_mul(p, p->two, a), b);
    case 3: return nh_mul(p, a, random_symbol(w, SYMBOLS));
    case 4: return nh_mul(p, random_number(w), a);
    default: return a;
    }
}

static nh_expr random_leaf(world *w)
{
    switch (random_below(w, 8)) {
    case 0: return random_number(w);
    case 1: return random_below(w, 4) ? random_number(w) : w->pool.pi;
    case 2: return nh_call(&w->pool, random_below(w, 2) ? NH_FN_sin : NH_FN_cos, random_angle(w), NH_EXPR_NONE);
    default: return random_symbol(w, SYMBOLS);
    }
}

static nh_expr random_call(world *w, nh_expr a, nh_expr b)
{
    static const nh_function often[] = {NH_FN_sin, NH_FN_cos, NH_FN_tan, NH_FN_sqrt, NH_FN_sqrt, NH_FN_abs, NH_FN_exp};
    int k = random_below(w, NH_FN_COUNT + 8);
    if (k >= NH_FN_COUNT)
        return nh_call(&w->pool, often[k % 7], k % 2 ? random_angle(w) : a, NH_EXPR_NONE);
    nh_function f = (nh_function)k;
    return nh_call(&w->pool, f, a, nh_function_get(f)->arity == 2 ? b : NH_EXPR_NONE);
}

static nh_expr random_operation(world *w, nh_expr a, nh_expr b)
{
    nh_pool *p = &w->pool;
    switch (random_below(w, 16)) {
    case 0:
    case 1:
    case 2: return nh_add(p, a, b);
    case 3:
    case 4: return nh_sub(p, a, b);
    case 5:
    case 6:
    case 7: return nh_mul(p, a, b);
    case 8:
    case 9: return nh_div(p, a, b);
    case 10: return nh_power(p, a, random_below(w, 7) - 2);
    case 11: return nh_pow(p, a, nh_div(p, nh_integer(p, 1 + random_below(w, 4)), nh_integer(p, 2 + random_below(w, 2))));
    default: return random_call(w, a, b);
    }
}

/* 3 to 30 leaves and operations; NH_EXPR_NONE where something was divided by zero. */
static nh_expr random_expr(world *w)
{
    for (int i = 0; i < SYMBOLS; i++)
        symbol_of(w, nh_slice_of(symbol_names[i]));
    nh_expr nodes[MOST_NODES];
    int count = 3 + random_below(w, MOST_NODES - 2), leaves = 1 + random_below(w, count < 8 ? count : 8);
    for (int i = 0; i < count; i++) {
        int near = i > 4 ? i - 4 : 0; /* mostly of what was made last, so that most of it is used */
        nh_expr a = i < leaves ? 0 : nodes[near + random_below(w, i - near)], b = i < leaves ? 0 : nodes[random_below(w, i)];
        nodes[i] = i < leaves ? random_leaf(w) : random_operation(w, a, b);
        if (!nodes[i])
            return NH_EXPR_NONE;
    }
    return nodes[count - 1];
}

/* ---------------------------------------------------------------- properties */

enum { POINTS = 12 };

/* Whether a and b have the same value at random points; returns at how many this says something. */
static int compare_values(world *w, nh_expr a, nh_expr b)
{
    int telling = 0;
    for (int k = 0; k < POINTS; k++) {
        double values[MOST_SYMBOLS], out[2], errors[2];
        random_values(w, values);
        nh_evaluate(&w->pool, &w->algebra.scratch, (nh_expr[]){a, b}, 2, values, out, errors);
        if (!isfinite(out[0]) || !isfinite(out[1]))
            continue;
        if (fabs(out[0] - out[1]) > errors[0] + errors[1])
            fail_msg("%s\nis not %s:\n%.17g (error %g), %.17g (error %g)", text_of(w, a), text_of(w, b), out[0], errors[0],
                     out[1], errors[1]);
        telling += errors[0] + errors[1] < 1e-6 * (fabs(out[0]) + fabs(out[1]));
    }
    return telling;
}

static void check_again(world *w, nh_expr e, nh_expr once)
{
    nh_expr twice = simplify(w, once);
    if (once != twice)
        fail_msg("%s\nis simplified to %s,\nand then to %s", text_of(w, e), text_of(w, once), text_of(w, twice));
}

/* The same text in another pool. */
static void check_elsewhere(world *w, uint64_t seed, const char *simplified)
{
    world other;
    world_begin(&other, &w->algebra.budget);
    other.seed = seed;
    nh_expr e = random_expr(&other), out = NH_EXPR_NONE;
    if (nh_simplify(&other.algebra, &e, 1, &out) && strcmp(text_of(&other, out), simplified) != 0)
        fail_msg("%s\nis simplified to %s\nand elsewhere to %s", text_of(&other, e), simplified, text_of(&other, out));
    world_end(&other);
}

static int check_random_expr(world *w)
{
    uint64_t seed = w->seed;
    nh_expr e = random_expr(w), simple = NH_EXPR_NONE;
    if (!e || length_of(w, e) > 400 || !nh_simplify(&w->algebra, &e, 1, &simple))
        return 0;
    assert_true(simple);
    if (length_of(w, simple) > length_of(w, e))
        fail_msg("%s\nis longer than %s", text_of(w, simple), text_of(w, e));
    int telling = compare_values(w, e, simple);
    compare_values(w, simple, read_expr(w, text_of(w, simple)));
    check_again(w, e, simple);
    check_elsewhere(w, seed, text_of(w, simple));
    return telling;
}

static void test_random_expressions(void **state)
{
    world *w = *state;
    enum { COUNT = 2000 };
    int telling = 0;
    w->algebra.budget = (nh_budget){1000, 64 << 20, 100}; /* no clock: what is done must be the same everywhere */
    for (int i = 0; i < COUNT; i++) {
        telling += check_random_expr(w) > 0;
        world_again(w);
    }
    print_message("%d of %d said something\n", telling, COUNT);
    assert_true(telling > COUNT / 2);
}

/* What proofs are made with has the same values. */
static void test_rewriting(void **state)
{
    world *w = *state;
    enum { COUNT = 3000 };
    int other = 0;
    for (int i = 0; i < COUNT; i++) {
        nh_expr e = random_expr(w);
        if (e && length_of(w, e) < 400) {
            nh_expr rewritten = nh_unify_roots(&w->algebra, nh_rewrite(&w->algebra, e));
            assert_true(rewritten);
            other += rewritten != e && compare_values(w, e, rewritten) > 0;
        }
        world_again(w);
    }
    print_message("%d of %d were written in other terms\n", other, COUNT);
    assert_true(other > COUNT / 10);
}

/* Multiples of pi/120. */
static void test_known_turns(void **state)
{
    world *w = *state;
    for (int n = -250; n <= 250; n++)
        for (int k = 0; k < 2; k++) {
            nh_expr angle = nh_mul(&w->pool, nh_div(&w->pool, nh_integer(&w->pool, n), nh_integer(&w->pool, 120)), w->pool.pi);
            nh_expr e = nh_call(&w->pool, k ? NH_FN_sin : NH_FN_cos, angle, NH_EXPR_NONE);
            compare_values(w, e, nh_rewrite(&w->algebra, e));
        }
}

/* ---------------------------------------------------------------- the same text everywhere */

enum { BATCH = 40 };

/* Expressions from seeds, as texts before and after. */
static void texts_of(world *w, uint64_t seed, const char **given, const char **simplified)
{
    w->seed = seed;
    nh_expr e = random_expr(w), out = NH_EXPR_NONE;
    bool tame = e && length_of(w, e) < 400 && nh_simplify(&w->algebra, &e, 1, &out);
    *given = tame ? text_of(w, e) : "";
    *simplified = tame ? text_of(w, out) : "";
}

/* Other names, and parts of what will come, in another order: what would have been made late has small handles. */
static void fill_pool(world *w, uint64_t seed)
{
    read_expr(w, "Q1*q2*Q3*q4");
    for (int i = 0; i < SYMBOLS; i++)
        symbol_of(w, nh_slice_of(symbol_names[i]));
    read_expr(w, "max(q4, Q1)*sin(q2*R)*exp(K*M)*cos(2*R)*tan(t - x)*sqrt(M)*(R + K)*(K - M)*(y + x)*abs(t)");
    for (uint64_t i = 0; i < 10; i++) {
        w->seed = seed + 1000 * i;
        random_expr(w);
    }
}

/* Each alone in a pool, and all in a pool that holds other things, from the last one to the first. */
static int compare_texts(world *w, uint64_t seed)
{
    const char *given[BATCH], *simplified[BATCH], *other_given, *other_simplified;
    world alone;
    int telling = 0;
    for (int i = 0; i < BATCH; i++) {
        world_begin(&alone, &w->algebra.budget);
        texts_of(&alone, seed + (uint64_t)i, &other_given, &other_simplified);
        given[i] = nh_arena_copy(&w->arena, other_given, strlen(other_given));
        simplified[i] = nh_arena_copy(&w->arena, other_simplified, strlen(other_simplified));
        world_end(&alone);
    }
    fill_pool(w, seed + BATCH);
    for (int i = BATCH; i-- > 0;) {
        texts_of(w, seed + (uint64_t)i, &other_given, &other_simplified);
        if (strcmp(given[i], other_given) != 0)
            fail_msg("%s\nis written elsewhere as %s", given[i], other_given);
        if (strcmp(simplified[i], other_simplified) != 0)
            fail_msg("%s\nis simplified to %s\nand elsewhere to %s", given[i], simplified[i], other_simplified);
        telling += *given[i] != '\0';
    }
    return telling;
}

static void test_same_text(void **state)
{
    world *w = *state;
    enum { BATCHES = 50 };
    int telling = 0;
    w->algebra.budget = (nh_budget){1000, 64 << 20, 100};
    for (uint64_t i = 0; i < BATCHES; i++) {
        telling += compare_texts(w, 1000000 * i);
        world_again(w);
    }
    assert_true(telling > BATCHES * BATCH / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forms_together, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_is_left, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_expressions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rewriting, setup, teardown),
        cmocka_unit_test_setup_teardown(test_known_turns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_same_text, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
