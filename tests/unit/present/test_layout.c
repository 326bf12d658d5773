/* Formulas as they are laid out: read as a person reads them they have the value they had, broken or not; and boxes look as if drawn
 * by hand. */
#include "../expr/world.h"

#include "present/math.h"

static nh_math_maker maker_of(world *w, bool plain)
{
    return (nh_math_maker){.arena = &w->arena, .pool = &w->pool, .plain = plain};
}

/* ---------------------------------------------------------------- the tree, walked by a reader */

static long double value_of(const nh_math *m, const double *values);

/* Factors up to the next sign; a product sign is what stands between them. */
static long double row_value(const nh_math *const *items, size_t count, const double *values)
{
    long double sum = 0, product = 1, sign = 1;
    bool any = false;
    for (size_t i = 0; i <= count; i++) {
        bool ends = i == count || items[i]->kind == NH_MATH_SIGN || items[i]->kind == NH_MATH_PREFIX;
        if (ends && any)
            sum += sign * product, product = 1, sign = 1, any = false;
        if (i == count)
            break;
        if (ends)
            sign *= *items[i]->text == '-' ? -1 : 1;
        else if (items[i]->kind != NH_MATH_TIMES)
            product *= value_of(items[i], values), any = true;
    }
    return sum;
}

static long double call_value(const nh_math *m, const double *values)
{
    const nh_math *exponent = m->items[m->count - 1];
    long double a = value_of(m->items[0], values), b = m->count == 3 ? value_of(m->items[1], values) : 0;
    long double value = function_value(m->function, a, b);
    return exponent ? powl(value, value_of(exponent, values)) : value;
}

static long double name_value(const char *text, const double *values)
{
    return strcmp(text, "pi") == 0 ? acosl(-1)
                                   : (long double)values[strchr(symbol_names, *text) - symbol_names];
}

static long double value_of(const nh_math *m, const double *values)
{
    switch (m->kind) {
    case NH_MATH_ROW: return row_value(m->items, m->count, values);
    case NH_MATH_NUMBER: return strtold(m->text, NULL);
    case NH_MATH_NAME: return name_value(m->text, values);
    case NH_MATH_FRACTION: return value_of(m->items[0], values) / value_of(m->items[1], values);
    case NH_MATH_SCRIPTS: return powl(value_of(m->items[0], values), value_of(m->items[2], values));
    case NH_MATH_FENCE: return value_of(m->items[0], values);
    case NH_MATH_CALL: return call_value(m, values);
    default: fail_msg("nothing of the kind %d has a value", m->kind); return 0;
    }
}

/* Lines that are broken inside of parentheses are read as one row. */
static long double lines_value(const nh_math *const *items, size_t *at, size_t count, const double *values)
{
    const nh_math **row = malloc((count + 1) * sizeof *row);
    nh_math *numbers = calloc(count + 1, sizeof *numbers);
    char(*digits)[64] = calloc(count + 1, sizeof *digits);
    size_t n = 0;
    for (; *at < count && items[*at]->kind != NH_MATH_CLOSE; ++*at) {
        row[n] = items[*at];
        if (items[*at]->kind == NH_MATH_OPEN) {
            ++*at;
            long double inside = lines_value(items, at, count, values);
            if (*at < count && items[*at]->count) /* ) with an exponent */
                inside = powl(inside, value_of(items[*at]->items[0], values));
            snprintf(digits[n], sizeof digits[n], "%.21Lg", inside);
            numbers[n] = (nh_math){.kind = NH_MATH_NUMBER, .text = digits[n]};
            row[n] = &numbers[n];
        }
        n++;
    }
    for (size_t i = 0; i + 2 < n; i++) /* a/b of two values in parentheses */
        if (row[i + 1]->kind == NH_MATH_PREFIX && *row[i + 1]->text == '/') {
            snprintf(digits[i], sizeof digits[i], "%.21Lg",
                     value_of(row[i], values) / value_of(row[i + 2], values));
            numbers[i] = (nh_math){.kind = NH_MATH_NUMBER, .text = digits[i]};
            row[i] = &numbers[i];
            memmove(row + i + 1, row + i + 3, (n - i - 3) * sizeof *row);
            n -= 2;
        }
    long double value = row_value(row, n, values);
    free(row), free(numbers), free(digits);
    return value;
}

static size_t flatten(const nh_math *m, const nh_math **out, size_t count, size_t room)
{
    if (m->kind != NH_MATH_ROW) {
        assert_true(count < room);
        out[count++] = m;
        return count;
    }
    for (size_t i = 0; i < m->count; i++)
        count = flatten(m->items[i], out, count, room);
    return count;
}

/* A row in a row is a term: in a flat list of all lines its factors still stand between signs. */
static long double broken_value(const nh_math_lines *lines, const double *values)
{
    enum { ROOM = 100000 };
    const nh_math **items = malloc(ROOM * sizeof *items);
    size_t count = 0, at = 0;
    for (size_t i = 0; i < lines->count; i++)
        count = flatten(lines->items[i].math, items, count, ROOM);
    long double value = lines_value(items, &at, count, values);
    free(items);
    return value;
}

/* ---------------------------------------------------------------- random expressions */

static void must_be(long double got, long double want, const char *how, const char *text)
{
    if ((double)got != (double)want && !close_to(got, want, 1e-12L))
        fail_msg("%s of %s is %.15Lg instead of %.15Lg", how, text, got, want);
}

static const char *plain_text(world *w, const nh_math *m)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_math_plain(&text, m);
    return nh_text_get(&text);
}

static void check(world *w, tree *t, nh_expr e, const double *values, size_t width, size_t *lines,
                  size_t *too_long)
{
    nh_math_maker rich = maker_of(w, false), plain = maker_of(w, true);
    long double want = wide_value(&w->pool, e, values);
    const nh_math *m = nh_math_expr(&rich, e), *line = nh_math_expr(&plain, e);
    const char *text = plain_text(w, line);
    if (!isfinite((double)want) || fabsl(want) > 1e12L || strlen(text) > 4000)
        return;
    must_be(value_of(m, values), want, "the tree", text);
    tree_read(t, text);
    must_be(tree_value_at(t, values), want, "the line", text);
    nh_math_lines broken = nh_math_break(&rich, m, width);
    must_be(broken_value(&broken, values), want, "the broken tree", text);
    for (size_t i = 0; i < broken.count; i++, ++*lines)
        *too_long += nh_math_width(&rich, broken.items[i].math) + broken.items[i].indent > width + 2;
}

static void test_values(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    double values[SYMBOLS];
    size_t lines = 0, too_long = 0;
    for (int i = 0; i < 3000; i++) {
        random_tame_tree(w, t, 4, 10, values);
        nh_expr e = tree_build(w, t), gradient[SYMBOLS];
        check(w, t, e, values, 30 + (size_t)random_below(w, 60), &lines, &too_long);
        nh_gradient(&w->pool, &w->scratch, &e, NULL, 1, w->symbols, SYMBOLS, gradient);
        for (int j = 0; j < SYMBOLS; j++)
            check(w, t, gradient[j], values, 60, &lines, &too_long);
        world_again(w);
    }
    assert_true(lines > 5000);
    if (too_long * 20 > lines) /* what has no sum in it cannot be broken */
        fail_msg("%zu of %zu lines are too long", too_long, lines);
    free(t);
}

/* ---------------------------------------------------------------- by hand */

static const char *drawn(world *w, const nh_math *m)
{
    nh_box b = nh_box_of(&w->arena, m);
    nh_text text;
    nh_text_init(&text, &w->arena);
    for (size_t i = 0; i < b.height; i++) {
        nh_box_write(&text, &b, i);
        nh_text_char(&text, '\n');
    }
    return nh_text_get(&text);
}

static nh_expr made_of(world *w, tree *t, const char *text)
{
    tree_read(t, text);
    return tree_build(w, t);
}

static void test_boxes(void **state)
{
    static const char *const boxes[][2] = {
        {"x", "x\n"},
        {"x*y", "x y\n"},
        {"x - y", "x − y\n"},
        {"-x", "−x\n"},
        {"x^2*y^12", "x² y¹²\n"},
        {"sin(x)^2*cos(y)", "sin² x cos y\n"},
        {"sin(x + y)", "sin(x + y)\n"},
        {"(x + y)*sin(z)", "(x + y) sin z\n"},
        {"exp(x)^2", "(exp x)²\n"},
        {"abs(x - y)", "|x − y|\n"},
        {"sqrt(x)*sqrt(x + y)", "√x √(x + y)\n"},
        {"atan2(x, y)", "atan2(x, y)\n"},
        {"x/y", " x\n───\n y\n"},
        {"(x + y)/(2*z)", " x + y\n───────\n  2 z\n"},
        {"1/2*x", " 1\n─── x\n 2\n"},
        {"(x/y)^2", "     2\n⎛ x ⎞\n⎜───⎟\n⎝ y ⎠\n"},
        {"x^(y + 1)", " y + 1\nx\n"},
    };
    world *w = *state;
    tree *t = malloc(sizeof *t);
    nh_math_maker maker = maker_of(w, false);
    for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++)
        assert_string_equal(drawn(w, nh_math_expr(&maker, made_of(w, t, boxes[k][0]))), boxes[k][1]);
    free(t);
}

static void test_matrix(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    nh_math_maker maker = maker_of(w, false);
    const nh_math *entries[4] = {
        nh_math_expr(&maker, made_of(w, t, "x")), nh_math_expr(&maker, made_of(w, t, "0")),
        nh_math_expr(&maker, made_of(w, t, "1/y")), nh_math_expr(&maker, made_of(w, t, "x + y"))};
    assert_string_equal(drawn(w, nh_math_matrix(&maker, 2, 2, entries)), "⎡  x     0   ⎤\n"
                                                                         "⎢  1         ⎥\n"
                                                                         "⎢ ───  x + y ⎥\n"
                                                                         "⎣  y         ⎦\n");
    assert_string_equal(drawn(w, nh_math_matrix(&maker, 1, 2, entries)), "[ x  0 ]\n");
    free(t);
}

static void test_names(void **state)
{
    static const struct {
        const char *name;
        int primes;
        const char *drawn;
    } names[] = {{"theta", 0, "θ\n"},
                 {"theta1", 0, "θ₁\n"},
                 {"theta12'", 0, "θ̇₁₂\n"},
                 {"x'", 0, "ẋ\n"},
                 {"x", 2, "ẍ\n"},
                 {"x1'", 1, "ẍ₁\n"},
                 {"lambda_1", 0, "λ₁\n"},
                 {"v_G", 0, "v_G\n"},
                 {"v_G", 1, "v̇_G\n"},
                 {"mass", 0, "mass\n"},
                 {"speed2", 1, "speed′₂\n"},
                 {"Omega", 0, "Ω\n"},
                 {"I_theta", 0, "I_θ\n"},
                 {"a_1_b", 0, "a_1,b\n"},
                 {"u", 2, "ü\n"},
                 {"q", 1, "q̇\n"}};
    world *w = *state;
    nh_math_maker maker = maker_of(w, false), plain = maker_of(w, true);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_string_equal(drawn(w, nh_math_name(&maker, names[k].name, names[k].primes)), names[k].drawn);
    assert_string_equal(plain_text(w, nh_math_name(&plain, "theta1'", 1)), "theta1''");
}

/* x1 and x_1 would look the same: the later one stays as it is written. */
static void test_names_alike(void **state)
{
    static const char *const names[] = {"x1", "x_1", "theta1", "m", "m_", "v__x", "v_x", "x1'"};
    world *w = *state;
    nh_math_maker maker = maker_of(w, false);
    nh_math_distinguish(&maker, names, 8);
    assert_string_equal(drawn(w, nh_math_name(&maker, "x1", 0)), "x₁\n");
    assert_string_equal(drawn(w, nh_math_name(&maker, "x_1", 0)), "x_1\n");
    assert_string_equal(drawn(w, nh_math_name(&maker, "x_1'", 0)), "x_1′\n");
    assert_string_equal(drawn(w, nh_math_name(&maker, "m_", 0)), "m_\n");
    assert_string_equal(drawn(w, nh_math_name(&maker, "v__x", 0)), "v__x\n");
    assert_string_equal(drawn(w, nh_math_name(&maker, "theta1", 0)), "θ₁\n");
}

static void test_notation(void **state)
{
    static const char *const formulas[][2] = {
        {"lambda_a = -G_{a b} C^{b i}", "           bi\nλ  = −G   C\n a     ab\n"},
        {"{partial K}/{partial q'^i}", " ∂K\n─────\n   i\n ∂q̇\n"},
        {"[g_{i j}]^{-1}", "     −1\n⎡g  ⎤\n⎣ ij⎦\n"},
        {"reals^2 times circle^1", "ℝ² × 𝕊¹\n"},
    };
    world *w = *state;
    nh_math_maker maker = maker_of(w, false), one = maker_of(w, false);
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
        assert_string_equal(drawn(w, nh_notation(&maker, formulas[k][0])), formulas[k][1]);
    one.no_index_a = true;
    assert_string_equal(drawn(w, nh_notation(&one, "lambda_a = C^{a i} C^b_i")),
                        "     i\nλ = C  C\n        i\n");
}

/* Deeper than any page: it is cut off, and nothing overflows. */
static void test_deep(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr e = w->symbols[0];
    for (int i = 0; i < 100000; i++)
        e = nh_call(p, NH_FN_sin, nh_add(p, e, w->symbols[1]), NH_EXPR_NONE);
    nh_math_maker maker = maker_of(w, false);
    const nh_math *m = nh_math_expr(&maker, e);
    assert_true(nh_math_break(&maker, m, 60).count > 0);
    assert_true(nh_box_of(&w->arena, m).width < 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_boxes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_matrix, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names_alike, setup, teardown),
        cmocka_unit_test_setup_teardown(test_notation, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
