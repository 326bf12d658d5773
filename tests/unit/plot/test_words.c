/* Words: any text is shown as text; names are set as formulas. */
#include "world.h"

static const char *svg_of(world *w, const char *words)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    nh_svg_words(&out, 1, 2.5, (nh_lettering){.size = 10}, words);
    check_xml(nh_text_get(&out));
    return nh_text_get(&out);
}

static void test_names(void **state)
{
    static const char *const names[][2] = {
        {"x", "\3x\4"},
        {"theta1'", "\3θ\u0307\4\2"
                    "1\2\4"},
        {"R_theta1", "\3R\4\2\3θ\2"
                     "1\4"},
        {"v_G", "\3v\4\2\3G\2\4"},
        {"speed", "speed\4"},
        {"speed'", "speed\u2032\4"},
        {"x, y", "\3x\4, \3y\4"},
        {"a + b", "a + b"},
        {"1x", "1x"},
        {"", ""},
    };
    world *w = *state;
    assert_string_equal(nh_words_name(&w->arena, NULL), "");
    assert_string_equal(nh_words_name(&w->arena, "lambda_1"), "\3λ\4\2"
                                                              "1\2\4");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_string_equal(nh_words_name(&w->arena, names[k][0]), names[k][1]);
}

static void test_hostile(void **state)
{
    world *w = *state;
    const char *text = svg_of(
        w, nh_words_plain(&w->arena, "<b a=\"'\">&\1\2\3\4\x1b\t\xff\xed\xa0\x80\xef\xbf\xbf\xe2\x80\xae."));
    assert_non_null(strstr(text, "&lt;b a=&quot;'&quot;&gt;&amp;"));
    assert_null(strstr(text, "<b"));
    assert_null(strstr(text, "\xe2\x80\xae"));
    for (int k = 0; k < 20000; k++) {
        nh_arena_mark before = nh_arena_here(&w->arena);
        char bytes[20] = {0};
        for (size_t i = 0; i < 1 + random_bits(w) % 18; i++)
            bytes[i] = (char)(1 + random_bits(w) % (random_bits(w) % 2 ? 255 : 60));
        svg_of(w, nh_words_name(&w->arena, bytes));
        svg_of(w, nh_words_fit(&w->arena, nh_words_name(&w->arena, bytes), 10, random_between(w, 0, 100)));
        nh_arena_release(&w->arena, before);
    }
}

static void test_fit(void **state)
{
    world *w = *state;
    const char *words = nh_words_name(&w->arena, "a_rather_long_name_theta1_with_many_indices");
    for (double width = 15; width < 300; width += 7) {
        const char *cut = nh_words_fit(&w->arena, words, 12, width);
        assert_true(nh_words_width(cut, 12) <= width);
        assert_true(cut == words || strstr(cut, "…"));
    }
    assert_string_equal(nh_words_fit(&w->arena, "x", 12, 100), "x");
}

static void test_numbers(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},     {1, "1"},      {-1.5, "-1.5"},        {0.25, ".25"}, {-0.049, "-.05"},
                 {0.001, "0"}, {-0.004, "0"}, {1234.567, "1234.57"}, {0.1, ".1"},   {10.05, "10.05"}};
    world *w = *state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        nh_text out;
        nh_text_init(&out, &w->arena);
        nh_svg_number(&out, cases[k].value);
        assert_string_equal(nh_text_get(&out), cases[k].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
