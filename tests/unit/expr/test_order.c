/* The order of operands, factors and terms: one order, that of what is written. And expressions in other pools. */
#include "world.h"

static const char *text_of(world *w, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_expr_print(&text, &w->pool, e, 0);
    return nh_text_get(&text);
}

/* ---------------------------------------------------------------- a total order */

static int sign_of(int order) { return (order > 0) - (order < 0); }

static void test_total_order(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 300; i++) {
        random_tree(w, t, 4, 20);
        tree_build(w, t);
    }
    int n = (int)w->pool.n_nodes - 1;
    for (int i = 0; i < 200000; i++) {
        nh_expr a = (nh_expr)(1 + random_below(w, n)), b = (nh_expr)(1 + random_below(w, n)), c = (nh_expr)(1 + random_below(w, n));
        int ab = sign_of(nh_compare(&w->pool, a, b)), bc = sign_of(nh_compare(&w->pool, b, c));
        assert_int_equal(ab, -sign_of(nh_compare(&w->pool, b, a)));
        assert_int_equal(ab == 0, a == b);
        if (ab <= 0 && bc <= 0)
            assert_true(nh_compare(&w->pool, a, c) <= 0);
    }
    free(t);
}

/* Two of 2^200 leaves each, if they are written out; and two of a depth of 100000. */
static void test_large_ones(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr a = w->symbols[0], b = w->symbols[1];
    for (int i = 0; i < 200; i++) {
        a = nh_mul(p, nh_add(p, a, p->one), nh_add(p, a, p->two));
        b = nh_mul(p, nh_add(p, b, p->one), nh_add(p, b, p->two));
    }
    assert_true(nh_compare(p, a, b) * nh_compare(p, b, a) < 0);
    for (int i = 0; i < 100000; i++) {
        a = nh_call(p, NH_FN_exp, nh_add(p, a, p->one), NH_EXPR_NONE);
        b = nh_call(p, NH_FN_exp, nh_add(p, b, p->one), NH_EXPR_NONE);
    }
    assert_true(nh_compare(p, a, b) * nh_compare(p, b, a) < 0);
    assert_true(nh_add(p, a, b) == nh_add(p, b, a));
}

/* ---------------------------------------------------------------- the same text, whatever else there is */

enum { TREES = 500 };

/* Other things, and parts of what will come. */
static void fill(world *w)
{
    tree *t = malloc(sizeof *t);
    w->seed = 99;
    for (int i = 0; i < 300; i++) {
        random_tree(w, t, 4, 12);
        tree_build(w, t);
    }
    free(t);
}

/* In a pool for each, and in one pool that is not empty, from the last to the first. */
static void test_same_text(void **state)
{
    world *w = *state;
    world *other = malloc(sizeof *other);
    tree *t = malloc(sizeof *t);
    const char **texts = malloc(TREES * sizeof *texts);
    world_begin(other, NULL, 1);
    fill(other);
    for (int i = 0; i < TREES; i++) {
        world alone;
        world_begin(&alone, NULL, (uint64_t)(1000 * i));
        random_tree(&alone, t, 5, 25);
        const char *text = text_of(&alone, tree_build(&alone, t));
        texts[i] = nh_arena_copy(&w->arena, text, strlen(text));
        world_end(&alone);
    }
    for (int i = TREES; i-- > 0;) {
        other->seed = (uint64_t)(1000 * i);
        random_tree(other, t, 5, 25);
        assert_string_equal(texts[i], text_of(other, tree_build(other, t)));
    }
    world_end(other);
    free(other);
    free(t);
    free(texts);
}

static void test_choices(void **state)
{
    world *w = *state;
    nh_pool *p = &w->pool;
    nh_expr late = nh_call(p, NH_FN_sin, w->symbols[5], NH_EXPR_NONE), early = nh_call(p, NH_FN_cos, w->symbols[0], NH_EXPR_NONE);
    assert_string_equal(text_of(w, nh_call(p, NH_FN_max, late, early)), "max(cos(x), sin(w))");
    assert_string_equal(text_of(w, nh_call(p, NH_FN_min, early, late)), "min(cos(x), sin(w))");
    assert_string_equal(text_of(w, nh_mul(p, late, early)), "cos(x)*sin(w)");
    assert_string_equal(text_of(w, read_expr(w, "(z + u)*(x + y)")), "(x + y)*(z + u)");
    assert_string_equal(text_of(w, read_expr(w, "sin(z*u)*sin(3*x)*sin(y)*sin(x)")), "sin(x)*sin(y)*sin(3*x)*sin(z*u)");
}

/* ---------------------------------------------------------------- in another pool */

/* There and back: the same handles; and the other pool has nothing but them. */
static void test_carry(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 300; i++) {
        nh_expr in[3], there[3], back[3];
        for (int k = 0; k < 3; k++) {
            random_tree(w, t, 4, 20);
            in[k] = tree_build(w, t);
        }
        nh_pool pool;
        nh_pool_init_like(&pool, &w->scratch, &w->pool);
        size_t before = w->pool.n_nodes, empty = pool.n_nodes;
        nh_carry(&pool, &w->arena, &w->pool, in, 3, there);
        nh_carry(&w->pool, &w->arena, &pool, there, 3, back);
        assert_memory_equal(in, back, sizeof in);
        assert_int_equal(w->pool.n_nodes, before);
        assert_true(pool.n_nodes - empty <= nh_walk_of(&w->pool, &w->arena, in, 3).count);
        nh_pool_free(&pool);
        nh_arena_free(&w->scratch);
    }
    free(t);
}

/* The handles there depend on the expression alone. */
static void test_carry_from_anywhere(void **state)
{
    world *w = *state;
    tree *t = malloc(sizeof *t);
    for (int i = 0; i < 200; i++) {
        world alone;
        nh_pool a, b;
        nh_expr e[2];
        random_tree(w, t, 5, 25);
        nh_expr here = tree_build(w, t);
        world_begin(&alone, NULL, 1);
        nh_expr elsewhere = tree_build(&alone, t);
        nh_pool_init_like(&a, &w->scratch, &w->pool);
        nh_pool_init_like(&b, &alone.scratch, &alone.pool);
        nh_carry(&a, &w->arena, &w->pool, &here, 1, &e[0]);
        nh_carry(&b, &alone.arena, &alone.pool, &elsewhere, 1, &e[1]);
        assert_int_equal(e[0], e[1]);
        assert_int_equal(a.n_nodes, b.n_nodes);
        for (size_t k = 0; k < a.n_nodes; k++)
            assert_true(a.nodes[k].kind == b.nodes[k].kind && a.nodes[k].a == b.nodes[k].a && a.nodes[k].b == b.nodes[k].b);
        nh_pool_free(&a);
        nh_pool_free(&b);
        nh_arena_free(&w->scratch);
        world_end(&alone);
    }
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_total_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(test_same_text, setup, teardown),
        cmocka_unit_test_setup_teardown(test_choices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_carry, setup, teardown),
        cmocka_unit_test_setup_teardown(test_carry_from_anywhere, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
