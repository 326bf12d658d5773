/* The pieces of a text that have colours of their own. */
#include "world.h"

/* Each piece as a letter for its kind and its text. */
static const char *marked(world *w, const char *text)
{
    static const char letters[] = {[NH_MARKED_KEYWORD] = 'k',
                                   [NH_MARKED_NAME] = 'n',
                                   [NH_MARKED_NUMBER] = 'd',
                                   [NH_MARKED_TITLE] = 't',
                                   [NH_MARKED_COMMENT] = 'c'};
    const nh_source *source = open_text(w, text);
    nh_marks marks = nh_marks_of(&w->arena, source);
    nh_text out;
    nh_text_init(&out, &w->arena);
    uint32_t end = 0;
    for (size_t i = 0; i < marks.count; i++) {
        nh_slice piece = nh_source_slice(source, marks.items[i].span);
        assert_true(marks.items[i].span.offset >= end);
        end = marks.items[i].span.offset + marks.items[i].span.length;
        nh_text_format(&out, "%s%c:%.*s", i ? " " : "", letters[marks.items[i].kind], (int)piece.length,
                       piece.data);
    }
    assert_true(end <= source->length);
    return nh_text_get(&out);
}

static void pieces(void **state)
{
    world *w = *state;
    assert_string_equal(marked(w, "coordinates x, y2\n"), "k:coordinates n:x n:y2");
    assert_string_equal(marked(w, "system a = 1 # b\nkinetic 1/2*x'^2"),
                        "k:system t:a = 1 c:# b k:kinetic d:1 d:2 n:x d:2");
    assert_string_equal(marked(w, "let a = 1e-3,\n    force = 2.5\n"), "k:let n:a d:1e-3 n:force d:2.5");
    assert_string_equal(marked(w, "# one\n\n# two\nangles a # three\n  # four\n  , b\n"),
                        "c:# one c:# two k:angles n:a c:# three c:# four n:b");
}

/* A statement that there is not is a name, and what is behind a foreign character still has its colours. */
static void wrong_texts(void **state)
{
    world *w = *state;
    assert_string_equal(marked(w, "coordinate x\n"), "n:coordinate n:x");
    assert_string_equal(marked(w, "coordinates x; y\ninput z = 1\n"),
                        "k:coordinates n:x n:y k:input n:z d:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pieces, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_texts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
