/* Characters to tokens: names, numbers, signs, comments, lines, and texts that are no models. */
#include "lang/lexer.h"
#include "world.h"

/* ---------------------------------------------------------------- tokens as text */

/* Names, numbers and signs as they are; <title>, {comment}, !bad!, | a line break, _ blank lines, $ the end. */
static void show(nh_text *out, const nh_source *source, const nh_token *t)
{
    static const char *const frames[][2] = {
        [NH_TOKEN_NAME] = {"", ""},     [NH_TOKEN_NUMBER] = {"", ""}, [NH_TOKEN_SIGN] = {"", ""},
        [NH_TOKEN_TITLE] = {"<", ">"},  [NH_TOKEN_BAD] = {"!", "!"},  [NH_TOKEN_COMMENT] = {"{", "}"},
        [NH_TOKEN_NEWLINE] = {"|", ""}, [NH_TOKEN_BLANK] = {"_", ""}, [NH_TOKEN_END] = {"$", ""},
    };
    nh_slice text = nh_source_slice(source, t->span);
    bool empty = t->kind >= NH_TOKEN_NEWLINE;
    nh_text_format(out, "%s%.*s%s", frames[t->kind][0], empty ? 0 : (int)text.length, text.data,
                   frames[t->kind][1]);
    if (t->kind == NH_TOKEN_SIGN)
        assert_int_equal(t->sign, text.data[0]);
    if (empty)
        assert_int_equal(t->span.length, 0);
}

static void show_all(nh_text *out, const nh_source *source, const nh_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        nh_text_str(out, i ? " " : "");
        show(out, source, &tokens->items[i]);
    }
    nh_text_char(out, '\n');
}

/* The statements of a text and what stands between them, a line for each. */
static const char *lexed(world *w, const char *text)
{
    const nh_source *source = open_text(w, text);
    nh_lexer lexer = nh_lexer_of(&w->arena, source);
    nh_tokens tokens = {0};
    nh_text out;
    nh_text_init(&out, &w->arena);
    while (nh_lex_statement(&lexer, &tokens))
        show_all(&out, source, &tokens);
    assert_int_equal(lexer.at, source->length);
    return nh_text_get(&out);
}

typedef struct example {
    const char *text, *tokens;
} example;

static void check(world *w, const example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = lexed(w, examples[i].text);
        if (strcmp(found, examples[i].tokens) != 0)
            fail_msg("the tokens of\n%s\nare\n%sinstead of\n%s", examples[i].text, found, examples[i].tokens);
    }
}

#define CHECK(w, examples) check(w, examples, sizeof(examples) / sizeof *(examples))

/* ---------------------------------------------------------------- words and numbers */

static void names(void **state)
{
    static const example examples[] = {
        {"x x1 _a a_1 A Zz9", "x x1 _a a_1 A Zz9 $\n"},
        {"θ Ω θ1 mθ ω_0 ϑ ϕ ϖ ϰ ϱ ϵ ς", "θ Ω θ1 mθ ω_0 ϑ ϕ ϖ ϰ ϱ ϵ ς $\n"},
        {"x'' x ' 1'", "x ' ' x ' 1 ' $\n"},
        {"µ", "!µ! $\n"},              /* the micro sign is no Greek letter */
        {"a\u03a2", "a !\u03a2! $\n"}, /* a hole among the Greek letters */
        {"ά", "!ά! $\n"},              /* with an accent */
        {"é", "!é! $\n"},
        {"xж", "x !ж! $\n"},
    };
    CHECK(*state, examples);
}

static void long_names(void **state)
{
    world *w = *state;
    const char *latin = times(w, "a", NH_MAX_NAME), *greek = times(w, "θ", NH_MAX_NAME);
    const example examples[] = {
        {latin, join(w, latin, " $\n")},
        {greek, join(w, greek, " $\n")},
        {join(w, latin, "b"), join(w, join(w, "!", latin), "b! $\n")},
        {join(w, greek, "1"), join(w, join(w, "!", greek), "1! $\n")},
    };
    CHECK(w, examples);
}

static void numbers(void **state)
{
    static const example examples[] = {
        {"1 .5 1. 1.5 1e3 1E3 1e+3 1e-3 .5e-2 1.e5", "1 .5 1. 1.5 1e3 1E3 1e+3 1e-3 .5e-2 1.e5 $\n"},
        {"1+2 1-2 1e3-2", "1 + 2 1 - 2 1e3 - 2 $\n"},
        {"1e 1ex 1e_3", "1 e 1 ex 1 e_3 $\n"}, /* without digits the e is a name of its own */
        {"0x10 2x 1_000", "0 x10 2 x 1 _000 $\n"},
        {"1e5e5", "1e5 e5 $\n"},
        {"1e+", "!1! e + $\n"},
        {"1e-x", "!1! e - x $\n"},
        {"1.2.3", "!1.2.3! $\n"},
        {"1..2", "!1..2! $\n"},
        {"1.2.3e4", "!1.2.3e4! $\n"},
        {".", "!.! $\n"},
        {"x.y", "x !.! y $\n"},
        {"..5", "!.! .5 $\n"},
    };
    CHECK(*state, examples);
}

static void signs(void **state)
{
    static const example examples[] = {
        {"+-*/^()[],=:'", "+ - * / ^ ( ) [ ] , = : ' $\n"},
        {"= = * *", "= = * * $\n"},
        {"a==b", "a !==! b $\n"},
        {"a**b", "a !**! b $\n"},
        {"a===b", "a !==! = b $\n"},
        {"a*=b", "a * = b $\n"},
        {"a;b@c", "a !;! b c $\n"}, /* only the first bad token is kept */
        {"@\n  @ a", "!@! | a $\n"},
        {"@\n@", "!@! $\n!@! $\n"}, /* of each statement */
    };
    CHECK(*state, examples);
}

/* ---------------------------------------------------------------- characters that are no part of the language */

static const nh_token *only_bad(world *w, const char *text, nh_tokens *tokens)
{
    const nh_source *source = open_text(w, text);
    nh_lexer lexer = nh_lexer_of(&w->arena, source);
    *tokens = (nh_tokens){0};
    assert_true(nh_lex_statement(&lexer, tokens));
    assert_true(tokens->bad);
    for (size_t i = 0; i < tokens->count; i++)
        if (tokens->items[i].kind == NH_TOKEN_BAD)
            return &tokens->items[i];
    return NULL;
}

static void hints(void **state)
{
    static const struct {
        const char *text, *hint;
    } examples[] = {
        {";", "','"},     {"\"", "quotes"},   {"!", "'#'"},      {"%", "'#'"},     {"{", "( )"},
        {"}", "( )"},     {"\\", "white"},    {"<", "'='"},      {">", "'='"},     {"·", "'*'"},
        {"⋅", "'*'"},     {"×", "cross"},     {"−", "'-'"},      {"–", "'-'"},     {"—", "'-'"},
        {"÷", "'/'"},     {"²", "^2"},        {"³", "^3"},       {"¹", "^1"},      {"½", "1/2"},
        {"¼", "1/4"},     {"√", "sqrt"},      {"°", "pi/180"},   {"′", "plain '"}, {"’", "plain '"},
        {"‘", "plain '"}, {"´", "plain '"},   {"`", "plain '"},  {"″", "accel"},   {"₂", "x1"},
        {"\u0307", "x'"}, {"é", "names are"}, {"==", "one '='"}, {"**", "'^'"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        nh_tokens tokens;
        const nh_token *t = only_bad(*state, examples[i].text, &tokens);
        assert_non_null(t);
        assert_int_equal(t->span.length, strlen(examples[i].text));
        assert_non_null(strstr(t->message, examples[i].text));
        assert_non_null(t->hint);
        if (!strstr(t->hint, examples[i].hint))
            fail_msg("the hint for %s is \"%s\", without \"%s\"", examples[i].text, t->hint,
                     examples[i].hint);
    }
}

/* ---------------------------------------------------------------- lines */

static void lines(void **state)
{
    static const example examples[] = {
        {"a b\nc", "a b $\nc $\n"},
        {"a\n  b\n\tc\nd", "a | b | c $\nd $\n"},
        {"a\n\u00a0b", "a | b $\n"}, /* a no-break space is white space */
        {"a \t \u00a0 b", "a b $\n"},
        {"a\r\nb", "a $\nb $\n"},
        {"a\rb", "a $\nb $\n"},
        {"a\r\n b\r c\n d", "a | b | c | d $\n"},
        {"a\n\rb", "a $\n_\nb $\n"}, /* two line ends */
        {"a\r\r\nb", "a $\n_\nb $\n"},
        {"a\n", "a $\n"},
        {"a\n   ", "a $\n_\n"},
        {"  a", "a $\n"}, /* refused by the parser */
        {"", ""},
        {"\n\n \n", "_\n"},
    };
    CHECK(*state, examples);
}

static void comments(void **state)
{
    static const example examples[] = {
        {"# one\n#two\n\n\n  # three\na", "{# one} {#two} _ {# three}\na $\n"},
        {"a#b\nc # d  \t\n", "a {#b} $\nc {# d} $\n"},
        {"a # b\n  c", "a {# b} | c $\n"},
        {"a\n# b\n  c", "a | {# b} | c $\n"}, /* a comment line does not end a statement */
        {"a\n\n\n# b\n\n  c", "a | _ | _ | {# b} | _ | c $\n"},
        {"a\n# b\n  # c\nd", "a $\n{# b} {# c}\nd $\n"},
        {"a # b", "a {# b} $\n"},
        {"a # b # c", "a {# b # c} $\n"},
        {"a #", "a {#} $\n"},
        {"a # voilà\nb", "a {# voilà} $\nb $\n"}, /* à ends with the byte 0xa0, which is no space */
        {"a # b\u00a0 \nc", "a {# b} $\nc $\n"},
        {"a # Р\r\nb", "a {# Р} $\nb $\n"},
        {"# a\r\n# b\r# c\nd", "{# a} {# b} {# c}\nd $\n"},
    };
    CHECK(*state, examples);
}

static void byte_order_mark(void **state)
{
    static const example examples[] = {
        {"\ufeffa b", "a b $\n"},
        {"\ufeff# a\nb", "{# a}\nb $\n"},
        {"a \ufeff", "a !\ufeff! $\n"}, /* only at the beginning */
        {"\ufeff\ufeff", "!\ufeff! $\n"},
    };
    CHECK(*state, examples);
}

static void titles(void **state)
{
    static const example examples[] = {
        {"system A title: with = signs, 2x & more", "system <A title: with = signs, 2x & more> $\n"},
        {"system\tA  title \t # comment", "system <A  title> {# comment} $\n"},
        {"system é → ∞", "system <é → ∞> $\n"},
        {"system à ", "system <à> $\n"},
        {"system", "system $\n"},
        {"system   # nothing", "system {# nothing} $\n"},
        {"system:a", "system <:a> $\n"},
        {"systems a b", "systems a b $\n"},
        {"system1 a", "system1 a $\n"},
        {"systemθ a", "systemθ a $\n"},
        {"system_ a", "system_ a $\n"},
        {"a system b", "a system b $\n"},
        {"system A\n  b c", "system <A> | b c $\n"}, /* refused by the parser */
        {"\ufeffsystem A\r\ncoordinates x", "system <A> $\ncoordinates x $\n"},
    };
    CHECK(*state, examples);
}

/* A line is looked at twice at most, however many comment lines a statement has. */
static void many_comments(void **state)
{
    world *w = *state;
    size_t count = 200000;
    const nh_source *source = open_text(w, join(w, join(w, "a\n", times(w, "#\n", count)), "  b"));
    nh_lexer lexer = nh_lexer_of(&w->arena, source);
    nh_tokens tokens = {0};
    assert_true(nh_lex_statement(&lexer, &tokens));
    assert_int_equal(tokens.count, 1 + 2 * count + 2 + 1);
    assert_false(nh_lex_statement(&lexer, &tokens));
}

/* Nothing behind the end is read: the text is a block of just its size, which the sanitizers watch. */
static void ends(void **state)
{
    static const char *const texts[] = {
        "a 1",    "a 1.",  "a 1e",     "a 1e+", "a .",  "a =",  "a *", "a #", "a '",
        "system", "syste", "system a", "a\r",   "a\n ", "a\n#", "θ",   "a µ", "\ufeff"};
    world *w = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        char *exact = malloc(length);
        memcpy(exact, texts[i], length);
        nh_source source = {.name = "test.nh", .text = exact, .length = length};
        nh_lexer lexer = nh_lexer_of(&w->arena, &source);
        nh_tokens tokens = {0};
        while (nh_lex_statement(&lexer, &tokens))
            continue;
        assert_int_equal(lexer.at, length);
        free(exact);
    }
}

static void everything_as_one(void **state)
{
    world *w = *state;
    const nh_source *source = open_text(w, "a = 1,\nb=2\n  c");
    nh_lexer lexer = nh_lexer_of(&w->arena, source);
    nh_tokens tokens = {0};
    nh_text out;
    nh_text_init(&out, &w->arena);
    nh_lex_all(&lexer, &tokens);
    show_all(&out, source, &tokens);
    assert_string_equal(nh_text_get(&out), "a = 1 , b = 2 c $\n");
}

/* ---------------------------------------------------------------- texts that are no models */

static const char *refusal(world *w, const char *text, size_t length)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    nh_diagnostics_init(&w->diagnostics, &w->arena);
    assert_null(nh_source_open(&w->arena, "test.nh", text, length, &w->diagnostics));
    assert_int_equal(w->diagnostics.count, 1);
    add_messages(w, &out);
    return nh_text_get(&out);
}

static void no_models(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        const char *message;
    } examples[] = {
        {"", 0, "1:1: the model is empty"},
        {"\xef\xbb\xbf", 3, "1:1: the model is empty"},
        {" \n# nothing\r\n\t", 13, "1:1: the model is empty"},
        {"a\nb \0c", 6, "2:3: NUL character"},
        {"a\n\x1b[1m", 6, "2:1: control character 0x1b"},
        {"a\x7f", 2, "1:2: control character 0x7f"},
        {"a\xc2\x85", 3, "1:2: control character 0x85"},
        {"a\fb", 3, "1:2: control character 0x0c"},
        {"θ\xff", 3, "1:2: invalid UTF-8: byte 0xff"},
        {"\xef\xbb\xbfx\xce", 5, "1:2: invalid UTF-8: byte 0xce"},
        {"# \xc0\x80", 4, "1:3: invalid UTF-8: byte 0xc0"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const char *found = refusal(*state, examples[i].text, examples[i].length);
        if (strncmp(found, examples[i].message, strlen(examples[i].message)) != 0)
            fail_msg("text %zu: %s instead of %s", i, found, examples[i].message);
    }
}

static void too_large(void **state)
{
    world *w = *state;
    size_t length = NH_MAX_SOURCE;
    char *text = malloc(length + 1);
    memset(text, '#', length + 1);
    assert_non_null(strstr(refusal(w, text, length + 1), "1:1: the model is larger than 16 MiB"));
    assert_non_null(strstr(refusal(w, text, length), "1:1: the model is empty"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names, setup, teardown),
        cmocka_unit_test_setup_teardown(long_names, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(signs, setup, teardown),
        cmocka_unit_test_setup_teardown(hints, setup, teardown),
        cmocka_unit_test_setup_teardown(lines, setup, teardown),
        cmocka_unit_test_setup_teardown(comments, setup, teardown),
        cmocka_unit_test_setup_teardown(byte_order_mark, setup, teardown),
        cmocka_unit_test_setup_teardown(titles, setup, teardown),
        cmocka_unit_test_setup_teardown(many_comments, setup, teardown),
        cmocka_unit_test_setup_teardown(ends, setup, teardown),
        cmocka_unit_test_setup_teardown(everything_as_one, setup, teardown),
        cmocka_unit_test_setup_teardown(no_models, setup, teardown),
        cmocka_unit_test_setup_teardown(too_large, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
