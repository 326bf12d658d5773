/* The layout: what it makes of texts, and what it leaves alone in any text. */
#include "lang/lexer.h"
#include "world.h"

static const char *laid_out(world *w, const char *text)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    if (!nh_lay_out(&w->arena, &w->numbers, open_text(w, text), &w->diagnostics, &out)) {
        assert_int_equal(out.length, 0);
        add_messages(w, &out);
        fail_msg("no layout of\n%s\n%s", text, nh_text_get(&out));
    }
    return nh_text_get(&out);
}

/* ---------------------------------------------------------------- what must not change */

/* All tokens of a text, without line breaks, blank lines and, if so wished, comments. */
static const char *tokens_of(world *w, const char *text, bool comments)
{
    const nh_source *source = open_text(w, text);
    nh_lexer lexer = nh_lexer_of(&w->arena, source);
    nh_tokens tokens = {0};
    nh_text out;
    nh_text_init(&out, &w->arena);
    while (nh_lex_statement(&lexer, &tokens))
        for (size_t i = 0; i < tokens.count; i++) {
            const nh_token *t = &tokens.items[i];
            nh_slice slice = nh_source_slice(source, t->span);
            if (t->kind < NH_TOKEN_COMMENT || t->kind == NH_TOKEN_END ||
                (comments && t->kind == NH_TOKEN_COMMENT))
                nh_text_format(&out, "%d%.*s\n", (int)t->kind, (int)slice.length, slice.data);
        }
    return nh_text_get(&out);
}

/* No trailing white space, no two blank lines, no blank line at either end. */
static void check_lines(const char *text)
{
    bool blank = true;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        assert_int_equal(line[length], '\n');
        assert_false(length == 0 && blank);
        assert_false(length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'));
        blank = length == 0;
        line += length + 1;
    }
    assert_false(blank);
    assert_null(strchr(text, '\r'));
    assert_int_not_equal(strncmp(text, "\ufeff", 3), 0);
}

/* Returns the layout. */
static const char *check(world *w, const char *text)
{
    const char *once = laid_out(w, text), *twice = laid_out(w, once);
    if (strcmp(once, twice) != 0)
        fail_msg("laid out:\n%s\nlaid out again:\n%s", once, twice);
    assert_string_equal(tokens_of(w, once, true), tokens_of(w, text, true));
    check_lines(once);
    return once;
}

/* ---------------------------------------------------------------- examples */

typedef struct example {
    const char *text, *expected;
} example;

static void check_all(world *w, const example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = check(w, examples[i].text);
        if (strcmp(found, examples[i].expected) != 0)
            fail_msg("the layout of\n%s\nis\n%sinstead of\n%s", examples[i].text, found,
                     examples[i].expected);
    }
}

#define CHECK(w, examples) check_all(w, examples, sizeof(examples) / sizeof *(examples))

static void columns(void **state)
{
    static const example examples[] = {
        {"kinetic x", "kinetic      x\n"},
        {"let a=1", "let          a = 1\n"},
        {"coordinates\t x,y", "coordinates  x, y\n"},
        {"independent x',y'", "independent  x', y'\n"},
        {"system   A  title, as = it-is", "system       A  title, as = it-is\n"},
        {"kinetic x\n + y\n\t\t\t+ z", "kinetic      x\n             + y\n             + z\n"},
        {"kinetic\n  x", "kinetic\n             x\n"},
    };
    CHECK(*state, examples);
}

static void spaces(void **state)
{
    static const example examples[] = {
        {"let a=b+c-d", "let          a = b + c - d\n"},
        {"let a = b * c / d ^ e", "let          a = b*c/d^e\n"},
        {"let a=-b", "let          a = -b\n"},
        {"let a = - b - - c", "let          a = -b - -c\n"},
        {"let a = b*-c^ - d", "let          a = b*-c^-d\n"},
        {"let a = ( - b, + c )", "let          a = (-b, +c)\n"},
        {"let a = f ( b ,- c ) [ 1 ]", "let          a = f(b, -c)[1]\n"},
        {"let a = b ' ^2", "let          a = b'^2\n"},
        {"let a = (b)-(c)", "let          a = (b) - (c)\n"},
        {"let a = 2-b", "let          a = 2 - b\n"},
        {"let a = b'-c", "let          a = b' - c\n"},
        {"let a = v[1]-c", "let          a = v[1] - c\n"},
        {"constraint roll :x'=0", "constraint   roll: x' = 0\n"},
        {"constraint roll:-x'=-y'", "constraint   roll: -x' = -y'\n"},
        {"parameters m=1,R,l = 2", "parameters   m = 1, R, l = 2\n"},
        {"parametric dot ( x )=u", "parametric   dot(x) = u\n"},
        {"gravity(0,-g)", "gravity      (0, -g)\n"},
        {"kinetic x\n - y", "kinetic      x\n             - y\n"},
        {"kinetic x -\n  y", "kinetic      x -\n             y\n"},
        {"kinetic x\n -\n y - z", "kinetic      x\n             -\n             y - z\n"},
    };
    CHECK(*state, examples);
}

static void points(void **state)
{
    static const example examples[] = {
        {"point P at(x,y)mass(m)force(a,b)", "point        P at (x, y) mass (m) force (a, b)\n"},
        {"point P at -v mass -m force -f", "point        P at -v mass -m force -f\n"},
        {"point P at v-w mass m-n", "point        P at v - w mass m - n\n"},
        {"point P at (x,\n y) mass m", "point        P at (x,\n             y) mass m\n"},
        {"point P at (x, mass[1], force(y))", "point        P at (x, mass[1], force(y))\n"},
        {"point P at (x,\n mass[1])", "point        P at (x,\n             mass[1])\n"},
        {"point P at mass*(x,y)mass mass-1", "point        P at mass*(x, y) mass mass - 1\n"},
        {"point at at(x,y)", "point        at at (x, y)\n"},
        {"let at = mass(x), force = at - 1", "let          at = mass(x), force = at - 1\n"},
    };
    CHECK(*state, examples);
}

static void comments_and_blank_lines(void **state)
{
    static const example examples[] = {
        {"\n\n# head\n\n\n\n#  two  \nlet a = 1#one\n\n\n\nlet b = 2\n\n\n",
         "# head\n\n#  two\nlet          a = 1  #one\n\nlet          b = 2\n"},
        {"let a = 1 # one\n   # inside?\nlet b = 2",
         "let          a = 1  # one\n# inside?\nlet          b = 2\n"},
        {"let a = # one\n# two\n\n  1 # three\n# four\n",
         "let          a =  # one\n             # two\n             1  # three\n# four\n"},
        {"let # one\n a = 1", "let  # one\n             a = 1\n"},
        {"let a = 1 # voilà\n", "let          a = 1  # voilà\n"},
        {"# only\nlet a = 1", "# only\nlet          a = 1\n"},
        {"let a = 1\n#last", "let          a = 1\n#last\n"},
        {"let a = 1\n\n#last\n\n", "let          a = 1\n\n#last\n"},
    };
    CHECK(*state, examples);
}

static void line_ends(void **state)
{
    static const example examples[] = {
        {"\ufefflet a = 1\r\n\r\n\r\n# c\r\nlet b = 2\r\n",
         "let          a = 1\n\n# c\nlet          b = 2\n"},
        {"let a = 1,\r b = 2\rlet c = 3", "let          a = 1,\n             b = 2\nlet          c = 3\n"},
    };
    CHECK(*state, examples);
}

static void long_lines(void **state)
{
    world *w = *state;
    const char *item = "a = 1234567";                                  /* 11, with ", " 13 characters */
    const char *six = join(w, times(w, join(w, item, ", "), 6), item); /* columns 14 to 102 */
    const char *expected =
        join(w, join(w, "let          ", join(w, times(w, "a = 1234567, ", 5), "a = 1234567,\n")),
             "             a = 1234567\n");
    assert_string_equal(check(w, join(w, "let ", six)), expected);

    /* exactly 100 characters stay on one line; one more does not */
    const char *exact = join(w, "let ", join(w, times(w, "a = 1234567, ", 6), "b = 12345"));
    assert_int_equal(nh_utf8_count(check(w, exact), strcspn(check(w, exact), "\n")), 100);
    const char *more = check(w, join(w, exact, "6"));
    assert_int_equal(nh_utf8_count(more, strcspn(more, "\n")), 90);

    /* Greek letters are one character each */
    const char *greek = join(w, "let ", join(w, times(w, "θ = 1234567, ", 6), "θ = 12345"));
    assert_int_equal(nh_utf8_count(check(w, greek), strcspn(check(w, greek), "\n")), 100);

    /* commas within parentheses are no places to break at, and where there is none the line stays long */
    const char *vector = join(w, join(w, "let v = f(a", times(w, ", aaaaaaaaa", 20)), "), b = 1");
    assert_non_null(strstr(check(w, vector), "),\n             b = 1\n"));
    const char *sum = join(w, "kinetic a", times(w, " + aaaaaaa", 20));
    assert_int_equal(strcspn(check(w, sum), "\n"), strlen(check(w, sum)) - 1);

    /* a comment does not count, and goes with the last part */
    const char *comment = join(w, join(w, "let ", six), join(w, " # ", times(w, "word ", 30)));
    assert_non_null(strstr(check(w, comment), "             a = 1234567  # word"));
    const char *title = join(w, "system ", times(w, "a long title, ", 20));
    assert_non_null(strstr(check(w, title), "title, a long title,\n"));
}

/* A comma in a line that began within parentheses. */
static void long_lines_within_parentheses(void **state)
{
    world *w = *state;
    const char *text = join(w, "let v = f(a,\n", join(w, times(w, " aaaaaaaaaa,", 12), " b), c = 1"));
    const char *found = check(w, text);
    assert_non_null(strstr(found, " b),\n             c = 1\n"));
}

static void wrong_texts(void **state)
{
    static const char *const texts[] = {"let a", "kinetic (x", "foo x", "draw B = Rz(a)",
                                        "let a = 1\nlet b = ;"};
    world *w = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        nh_text out;
        nh_text_init(&out, &w->arena);
        assert_false(nh_lay_out(&w->arena, &w->numbers, open_text(w, texts[i]), &w->diagnostics, &out));
        assert_int_equal(out.length, 0);
        assert_int_equal(w->diagnostics.errors, 1);
    }
}

static void public_call(void **state)
{
    nh_context *context = nh_context_new(NULL);
    nh_string text = {NULL, 0};
    nh_model_source right = {.text = "let a=1", .length = 7}, wrong = {.text = "let a", .length = 5},
                    none = {.name = "a"};
    (void)state;
    assert_int_equal(nh_model_format(context, &right, &text), NH_OK); /* the name may be left out */
    assert_string_equal(text.data, "let          a = 1\n");
    assert_int_equal(text.length, strlen(text.data));
    assert_int_equal(nh_message_count(context), 0);
    nh_string_free(context, &text);
    assert_null(text.data);
    assert_int_equal(nh_model_format(context, &wrong, &text), NH_ERROR_MODEL);
    assert_null(text.data);
    assert_int_equal(nh_message_count(context), 1);
    assert_string_equal(nh_message_text(context, 0),
                        "model:1:6: error: expected '=' but found the end of the statement\n"
                        "    1 | let a\n"
                        "      |      ^\n");
    assert_int_equal(nh_model_format(NULL, &right, &text), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_format(context, NULL, &text), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_format(context, &none, &text), NH_ERROR_ARGUMENT);
    assert_int_equal(nh_model_format(context, &right, NULL), NH_ERROR_ARGUMENT);
    nh_context_free(context);
}

/* ---------------------------------------------------------------- random texts */

typedef struct author {
    nh_text *out;
    uint64_t seed;
} author;

static size_t below(author *a, size_t n) { return (size_t)(nh_hash(a->seed += 0x9e3779b97f4a7c15u) % n); }

static void write_one(author *a, const char *const *choices, size_t count)
{
    nh_text_str(a->out, choices[below(a, count)]);
}

#define WRITE_ONE(a, ...)                            \
    write_one(a, (const char *const[]){__VA_ARGS__}, \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* White space that may stand between any two tokens, line breaks and comments included. */
static void write_gap(author *a)
{
    switch (below(a, 12)) {
    case 0: nh_text_str(a->out, "  "); break;
    case 1: nh_text_str(a->out, "\t"); break;
    case 2: WRITE_ONE(a, "\n ", "\r\n  ", "\r\t", "\n\n ", "\n \n\n "); break;
    case 3: WRITE_ONE(a, " # à\n ", "#\n# b, c = (\n ", "\n# d\n\n \t", "\n  # e \n "); break;
    case 4: nh_text_str(a->out, "\u00a0"); break;
    default: break;
    }
}

static void write_token(author *a, const char *text)
{
    write_gap(a);
    nh_text_str(a->out, text);
}

static void write_name(author *a)
{
    write_gap(a);
    WRITE_ONE(a, "x", "y1", "θ", "mass_of_the_first_body", "at", "mass", "force", "_", "e5", "t", "pi");
}

static void write_number(author *a)
{
    write_gap(a);
    WRITE_ONE(a, "1", ".5", "2.", "1e-3", "12345678901234567890", "0.1", "3e2");
}

static void write_sum(author *a, int depth);

static void write_list(author *a, int depth, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            write_token(a, ",");
        write_sum(a, depth - 1);
    }
}

static void write_operand(author *a, int depth)
{
    switch (below(a, depth > 0 ? 8 : 4)) {
    case 0: write_number(a); break;
    case 1:
        write_name(a);
        write_token(a, "'");
        break;
    case 4:
        write_token(a, "(");
        write_list(a, depth, 1 + below(a, 3));
        write_token(a, ")");
        break;
    case 5:
        write_name(a);
        write_token(a, "(");
        write_list(a, depth, below(a, 3));
        write_token(a, ")");
        break;
    case 6:
        write_name(a);
        write_token(a, "[");
        write_list(a, depth, 1);
        write_token(a, "]");
        break;
    default: write_name(a); break;
    }
}

static void write_sum(author *a, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "/", "^"};
    for (size_t i = 0, count = 1 + below(a, 4); i < count; i++) {
        if (i)
            write_token(a, operators[below(a, 5)]);
        while (below(a, 8) == 0)
            write_token(a, below(a, 2) ? "-" : "+");
        write_operand(a, depth);
    }
}

static void write_items(author *a, bool values, bool primes)
{
    for (size_t i = 0, count = 1 + below(a, 12); i < count; i++) {
        if (i)
            write_token(a, ",");
        write_name(a);
        if (primes && below(a, 2))
            write_token(a, "'");
        if (values) {
            write_token(a, "=");
            write_sum(a, 2);
        }
    }
}

/* Words of a point stand apart from the names around them. */
static void write_word(author *a, const char *word)
{
    nh_text_char(a->out, ' ');
    write_gap(a);
    nh_text_format(a->out, "%s ", word);
}

static void write_point(author *a)
{
    nh_text_str(a->out, "point ");
    write_name(a);
    write_word(a, "at");
    write_sum(a, 2);
    if (below(a, 2)) {
        write_word(a, "mass");
        write_sum(a, 2);
    }
    if (below(a, 2)) {
        write_word(a, "force");
        write_sum(a, 2);
    }
}

static void write_statement(author *a)
{
    switch (below(a, 9)) {
    case 0: nh_text_str(a->out, "system A title, (with = signs -"); break;
    case 1:
        nh_text_str(a->out, "coordinates ");
        write_items(a, false, false);
        break;
    case 2:
        nh_text_str(a->out, "let ");
        write_items(a, true, false);
        break;
    case 3:
        nh_text_str(a->out, "initial ");
        write_items(a, true, true);
        break;
    case 4:
        nh_text_str(a->out, "kinetic ");
        write_sum(a, 3);
        break;
    case 5:
    case 6: write_point(a); break;
    case 7:
        nh_text_str(a->out, "independent ");
        write_items(a, false, true);
        break;
    default:
        nh_text_str(a->out, "constraint ");
        if (below(a, 2)) {
            write_name(a);
            write_token(a, ":");
        }
        write_sum(a, 3);
        write_token(a, "=");
        write_sum(a, 3);
        break;
    }
}

static const char *random_text(world *w, uint64_t seed)
{
    nh_text out;
    nh_text_init(&out, &w->arena);
    author a = {&out, nh_hash(seed)};
    WRITE_ONE(&a, "", "\ufeff", "\n\n", "# head\n", "\r\n# head\r\n\r\n\r\n");
    for (size_t i = 0, count = 1 + below(&a, 5); i < count; i++) {
        write_statement(&a);
        WRITE_ONE(&a, "\n", "\r\n", "\r", "\n\n\n", "  # tail\n", "\n# between\n\n", "\n   \n");
    }
    if (below(&a, 2))
        nh_text_str(&out, "# end");
    return nh_text_get(&out);
}

/* Whether a break might still be made: a comma outside of parentheses that is not the last token of its line. */
static void check_widths(world *w, const char *text)
{
    const nh_source *source = open_text(w, text);
    nh_lexer lexer = nh_lexer_of(&w->arena, source);
    nh_tokens tokens = {0};
    while (nh_lex_statement(&lexer, &tokens)) {
        int depth = 0;
        bool breakable = false;
        for (size_t i = 0; i < tokens.count && tokens.items[tokens.count - 1].kind == NH_TOKEN_END; i++) {
            const nh_token *t = &tokens.items[i];
            depth += t->sign == '(' || t->sign == '[' ? 1 : t->sign == ')' || t->sign == ']' ? -1 : 0;
            breakable = breakable && t->kind < NH_TOKEN_COMMENT;
            nh_place end = nh_source_place(source, t->span.offset + t->span.length);
            if (breakable && end.column > 101)
                fail_msg("line %zu could be broken:\n%s", end.line, text);
            breakable = breakable || (t->kind == NH_TOKEN_SIGN && t->sign == ',' && depth == 0);
        }
    }
}

static void random_texts(void **state)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        world *w = *state;
        nh_arena_mark mark = nh_arena_here(&w->arena);
        check_widths(w, check(w, random_text(w, seed)));
        nh_arena_release(&w->arena, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns, setup, teardown),
        cmocka_unit_test_setup_teardown(spaces, setup, teardown),
        cmocka_unit_test_setup_teardown(points, setup, teardown),
        cmocka_unit_test_setup_teardown(comments_and_blank_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(line_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(long_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(long_lines_within_parentheses, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_texts, setup, teardown),
        cmocka_unit_test(public_call),
        cmocka_unit_test_setup_teardown(random_texts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
