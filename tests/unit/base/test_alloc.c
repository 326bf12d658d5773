/* Memory: arenas, limits, and what happens when there is none. */
#include "base/base.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---------------------------------------------------------------- an allocator that keeps books */

typedef struct meter {
    int left;    /* allocations until there are none */
    int blocks;  /* now taken */
    size_t bytes;
    size_t most;
} meter;

static void *meter_take(void *user, size_t size)
{
    meter *m = user;
    if (m->left-- <= 0)
        return NULL;
    m->blocks++;
    m->bytes += size;
    m->most = m->bytes > m->most ? m->bytes : m->most;
    return memset(malloc(size), 0xa5, size);
}

static void meter_give(void *user, void *block, size_t size)
{
    meter *m = user;
    m->blocks--;
    m->bytes -= size;
    memset(block, 0x5a, size);
    free(block);
}

static nh_allocator metered(meter *m) { return (nh_allocator){m, meter_take, meter_give}; }

enum { PLENTY = 1 << 30 };

/* ---------------------------------------------------------------- the heap */

static void test_heap(void **state)
{
    (void)state;
    meter m = {.left = PLENTY};
    nh_heap heap;
    nh_heap_init(&heap, &(nh_allocator){&m, meter_take, meter_give}, 1000);
    void *a = nh_heap_take(&heap, 600), *b = nh_heap_take(&heap, 400);
    assert_true(a && b);
    assert_int_equal(heap.used, 1000);
    assert_null(nh_heap_take(&heap, 1)); /* over the limit; without a guard, NULL */
    assert_int_equal(m.blocks, 2);
    nh_heap_give(&heap, b, 400);
    assert_int_equal(heap.used, 600);
    assert_null(nh_heap_take(&heap, 401));
    assert_null(nh_heap_take(&heap, SIZE_MAX));
    b = nh_heap_take(&heap, 100);
    assert_non_null(b);
    assert_int_equal(heap.peak, 1000);
    nh_heap_give(&heap, NULL, 7);
    nh_heap_give(&heap, a, 600);
    nh_heap_give(&heap, b, 100);
    assert_true(heap.used == 0 && heap.peak == 1000 && m.blocks == 0 && m.bytes == 0 && m.most == 1000);
    m.left = 0;
    assert_null(nh_heap_take(&heap, 1));
    assert_int_equal(heap.used, 0);
}

/* Without an allocator, or with one that is all zero, malloc; without a limit, none. */
static void test_heap_defaults(void **state)
{
    (void)state;
    nh_heap heap;
    nh_heap_init(&heap, NULL, 0);
    void *block = nh_heap_take(&heap, 100);
    assert_non_null(block);
    nh_heap_give(&heap, block, 100);
    assert_true(heap.limit == SIZE_MAX);
    nh_heap_init(&heap, &(nh_allocator){0}, 0);
    block = nh_heap_take(&heap, 100);
    assert_non_null(block);
    nh_heap_give(&heap, block, 100);
}

/* ---------------------------------------------------------------- barriers */

typedef struct play {
    nh_heap heap;
    int steps;
    nh_status inner, failure;
} play;

static void body_works(void *arg) { ((play *)arg)->steps++; }

static void fail_deep(play *p, int depth)
{
    if (depth == 0 && p->failure != NH_OK)
        nh_heap_fail(&p->heap, p->failure);
    p->steps++;
    if (depth > 0)
        fail_deep(p, depth - 1);
    p->steps += 1000; /* not reached */
}

static void body_fails(void *arg)
{
    play *p = arg;
    fail_deep(p, 5);
}

static void body_nests(void *arg)
{
    play *p = arg;
    p->inner = nh_heap_try(&p->heap, body_fails, p);
    p->steps += 100;
}

static void body_passes_on(void *arg)
{
    play *p = arg;
    p->inner = nh_heap_try(&p->heap, body_fails, p);
    nh_heap_fail(&p->heap, p->inner);
}

static void body_fails_after(void *arg)
{
    play *p = arg;
    p->inner = nh_heap_try(&p->heap, body_works, p);
    nh_heap_fail(&p->heap, NH_ERROR_ARGUMENT);
}

static void test_try(void **state)
{
    (void)state;
    play p = {.failure = NH_ERROR_NUMBER_SIZE};
    nh_heap_init(&p.heap, NULL, 0);
    assert_int_equal(nh_heap_try(&p.heap, body_works, &p), NH_OK);
    assert_int_equal(p.steps, 1);
    assert_null(p.heap.guard);
    assert_int_equal(nh_heap_try(&p.heap, body_fails, &p), NH_ERROR_NUMBER_SIZE);
    assert_int_equal(p.steps, 6);
    assert_null(p.heap.guard);
    assert_int_equal(nh_heap_try(&p.heap, body_nests, &p), NH_OK);
    assert_int_equal(p.inner, NH_ERROR_NUMBER_SIZE);
    assert_int_equal(p.steps, 111);
    p.failure = NH_ERROR_MEMORY;
    assert_int_equal(nh_heap_try(&p.heap, body_passes_on, &p), NH_ERROR_MEMORY);
    assert_int_equal(p.inner, NH_ERROR_MEMORY);
    assert_int_equal(nh_heap_try(&p.heap, body_fails_after, &p), NH_ERROR_ARGUMENT);
    assert_int_equal(p.inner, NH_OK);
    assert_null(p.heap.guard);
}

typedef struct tower {
    nh_heap heap;
    int depth, reached, unwound;
} tower;

/* A barrier in each of many storeys; every second one gives way. */
static void climb(void *arg)
{
    tower *t = arg;
    int here = t->depth++;
    t->reached = here > t->reached ? here : t->reached;
    if (here == 1000)
        nh_heap_fail(&t->heap, NH_ERROR_MEMORY);
    nh_status status = nh_heap_try(&t->heap, climb, t);
    t->unwound++;
    assert_int_equal(status, here % 2 ? NH_ERROR_MEMORY : NH_OK);
    if (here % 2 == 0)
        nh_heap_fail(&t->heap, NH_ERROR_MEMORY);
}

static void test_many_barriers(void **state)
{
    (void)state;
    tower t = {0};
    nh_heap_init(&t.heap, NULL, 0);
    assert_int_equal(nh_heap_try(&t.heap, climb, &t), NH_ERROR_MEMORY);
    assert_true(t.reached == 1000 && t.unwound == 1000);
}

/* ---------------------------------------------------------------- arenas */

static void fill(char *block, size_t size, size_t n)
{
    for (size_t i = 0; i < size; i++)
        block[i] = (char)(n * 7 + i);
}

static void check_filled(const char *block, size_t size, size_t n)
{
    for (size_t i = 0; i < size; i++)
        assert_true(block[i] == (char)(n * 7 + i));
}

/* Blocks are aligned, and do not touch each other. */
static void test_arena(void **state)
{
    (void)state;
    meter m = {.left = PLENTY};
    nh_heap heap;
    nh_arena arena;
    nh_allocator allocator = metered(&m);
    nh_heap_init(&heap, &allocator, 0);
    nh_arena_init(&arena, &heap);
    assert_int_equal(heap.used, 0); /* nothing is taken before it is needed */
    enum { BLOCKS = 2000 };
    static char *blocks[BLOCKS];
    static size_t sizes[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        sizes[i] = i % 100 == 99 ? 100000 : (size_t)(nh_hash(i) % 200);
        blocks[i] = nh_arena_alloc(&arena, sizes[i]);
        assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
        fill(blocks[i], sizes[i], i);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        check_filled(blocks[i], sizes[i], i);
        assert_true(i == 0 || blocks[i] != blocks[i - 1]); /* not even empty ones */
    }
    assert_int_equal(heap.used, m.bytes);
    nh_arena_free(&arena);
    assert_true(heap.used == 0 && m.blocks == 0);
    nh_arena_free(&arena);
    assert_non_null(nh_arena_alloc(&arena, 1)); /* as good as new */
    nh_arena_free(&arena);
    assert_int_equal(m.blocks, 0);
}

static void test_array_and_copy(void **state)
{
    (void)state;
    meter m = {.left = PLENTY};
    nh_heap heap;
    nh_arena arena;
    nh_allocator allocator = metered(&m); /* its memory is not clean */
    nh_heap_init(&heap, &allocator, 0);
    nh_arena_init(&arena, &heap);
    nh_arena_mark mark = nh_arena_here(&arena);
    for (int again = 0; again < 3; again++) {
        unsigned char *a = nh_arena_array(&arena, 333, 3);
        for (int i = 0; i < 999; i++)
            assert_int_equal(a[i], 0);
        memset(a, 0xff, 999);
        assert_non_null(nh_arena_array(&arena, 0, 8));
        nh_arena_release(&arena, mark);
    }
    char text[] = "a\0bθ";
    char *copy = nh_arena_copy(&arena, text, 5);
    text[0] = '#';
    assert_memory_equal(copy, "a\0bθ", 6);
    assert_string_equal(nh_arena_copy(&arena, "abc", 2), "ab");
    assert_string_equal(nh_arena_copy(&arena, NULL, 0), "");
    nh_arena_free(&arena);
}

/* Like a stack: what is above a mark goes, what is below stays. */
static void test_marks(void **state)
{
    (void)state;
    meter m = {.left = PLENTY};
    nh_heap heap;
    nh_arena arena;
    nh_allocator allocator = metered(&m);
    nh_heap_init(&heap, &allocator, 0);
    nh_arena_init(&arena, &heap);
    enum { LEVELS = 40 };
    nh_arena_mark marks[LEVELS];
    char *blocks[LEVELS];
    size_t used[LEVELS];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < LEVELS; i++) {
            marks[i] = nh_arena_here(&arena);
            used[i] = heap.used;
            blocks[i] = nh_arena_alloc(&arena, 5000);
            fill(blocks[i], 5000, i);
        }
        for (size_t i = LEVELS; i-- > 0;) {
            for (size_t k = 0; k <= i; k++)
                check_filled(blocks[k], 5000, k);
            nh_arena_release(&arena, marks[i]);
            assert_int_equal(heap.used, used[i]);
            char *again = nh_arena_alloc(&arena, 10);
            memset(again, 0, 10);
            nh_arena_release(&arena, marks[i]);
        }
        assert_int_equal(heap.used, 0);
    }
    nh_arena_mark first = nh_arena_here(&arena);
    nh_arena_alloc(&arena, 16);
    nh_arena_mark second = nh_arena_here(&arena);
    char *block = nh_arena_alloc(&arena, 16);
    nh_arena_release(&arena, second);
    assert_ptr_equal(nh_arena_alloc(&arena, 16), block); /* the room is used again */
    nh_arena_release(&arena, first);
    nh_arena_free(&arena);
    assert_int_equal(m.blocks, 0);
}

static void test_push(void **state)
{
    (void)state;
    nh_heap heap;
    nh_arena arena;
    nh_heap_init(&heap, NULL, 0);
    nh_arena_init(&arena, &heap);
    uint64_t *items = NULL;
    size_t count = 0, capacity = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        nh_push(&arena, items, count, capacity) = i * i;
        assert_true(count == i + 1 && capacity >= count);
    }
    for (uint64_t i = 0; i < 100000; i++)
        assert_true(items[i] == i * i);
    assert_in_range(heap.used, 800000, 4000000); /* doubling: twice the last, twice that with what was left */
    nh_arena_free(&arena);
}

/* ---------------------------------------------------------------- temporary arenas */

typedef struct troupe {
    nh_heap heap;
    nh_arena kept; /* its owner frees it */
    int wanted;    /* temporary arenas to make */
    bool fails, nests;
    nh_status inner;
    size_t more; /* bytes that the inner one left */
} troupe;

/* Makes some, frees every third one, and gives up or frees the rest, the oldest ones first. */
static void act(void *arg)
{
    troupe *t = arg;
    nh_arena arenas[10];
    for (int i = 0; i < t->wanted; i++) {
        nh_arena_init_temporary(&arenas[i], &t->heap);
        nh_arena_alloc(&arenas[i], 1000);
    }
    for (int i = 0; i < t->wanted; i += 3)
        nh_arena_free(&arenas[i]);
    nh_arena_alloc(&t->kept, 10);
    if (t->nests) {
        t->nests = false;
        size_t before = t->heap.used;
        t->inner = nh_heap_try(&t->heap, act, t);
        t->more = t->heap.used - before;
    }
    if (t->fails)
        nh_heap_fail(&t->heap, NH_ERROR_NUMBER_SIZE);
    for (int i = 0; i < t->wanted; i++)
        nh_arena_free(&arenas[i]); /* once more is no harm */
}

static void test_temporary_arenas(void **state)
{
    (void)state;
    for (int wanted = 0; wanted <= 10; wanted++)
        for (int way = 0; way < 4; way++) {
            meter m = {.left = PLENTY};
            nh_allocator allocator = metered(&m);
            troupe t = {.wanted = wanted, .fails = way & 1, .nests = way & 2};
            nh_heap_init(&t.heap, &allocator, 0);
            nh_arena_init(&t.kept, &t.heap);
            assert_int_equal(nh_heap_try(&t.heap, act, &t), way & 1 ? NH_ERROR_NUMBER_SIZE : NH_OK);
            if (way & 2) { /* what the inner one had is gone, what the outer one has is there */
                assert_int_equal(t.inner, way & 1 ? NH_ERROR_NUMBER_SIZE : NH_OK);
                assert_in_range(t.more, 0, 500);
            }
            assert_int_equal(t.heap.used, m.bytes);
            assert_true(m.bytes > 0);
            nh_arena_free(&t.kept);
            assert_true(m.blocks == 0 && t.heap.used == 0);
        }
}

static void borrow(void *arg)
{
    troupe *t = arg;
    nh_arena_init_temporary(&t->kept, &t->heap);
    nh_arena_alloc(&t->kept, 1000);
}

/* One that outlives the barrier it was made behind is its owner's. */
static void test_temporary_arena_that_stays(void **state)
{
    (void)state;
    meter m = {.left = PLENTY};
    nh_allocator allocator = metered(&m);
    troupe t = {.wanted = 2, .fails = true};
    nh_heap_init(&t.heap, &allocator, 0);
    assert_int_equal(nh_heap_try(&t.heap, borrow, &t), NH_OK);
    int blocks = m.blocks;
    assert_true(blocks > 0);
    assert_int_equal(nh_heap_try(&t.heap, act, &t), NH_ERROR_NUMBER_SIZE);
    assert_true(m.blocks >= blocks);
    nh_arena_free(&t.kept);
    assert_int_equal(m.blocks, 0);
    nh_arena_init_temporary(&t.kept, &t.heap); /* nor does it need a barrier */
    nh_arena_alloc(&t.kept, 1);
    nh_arena_free(&t.kept);
    assert_int_equal(m.blocks, 0);
}

/* ---------------------------------------------------------------- limits */

typedef struct job {
    nh_heap heap;
    nh_arena arena;
    size_t count, size;
    void *result;
} job;

static void job_alloc(void *arg)
{
    job *j = arg;
    j->result = nh_arena_alloc(&j->arena, j->size);
}

static void job_array(void *arg)
{
    job *j = arg;
    j->result = nh_arena_array(&j->arena, j->count, j->size);
}

static void job_fill(void *arg)
{
    job *j = arg;
    for (;;) {
        memset(nh_arena_alloc(&j->arena, j->size), 1, j->size);
        j->count++;
    }
}

static void must_fail(job *j, void (*body)(void *), size_t count, size_t size)
{
    j->count = count, j->size = size, j->result = NULL;
    assert_int_equal(nh_heap_try(&j->heap, body, j), NH_ERROR_MEMORY);
    assert_null(j->result);
}

static void test_impossible_sizes(void **state)
{
    (void)state;
    job j = {.count = 0};
    nh_heap_init(&j.heap, NULL, (size_t)1 << 40);
    nh_arena_init(&j.arena, &j.heap);
    must_fail(&j, job_alloc, 0, SIZE_MAX);
    must_fail(&j, job_alloc, 0, SIZE_MAX / 2);
    must_fail(&j, job_alloc, 0, SIZE_MAX / 2 + 1);
    must_fail(&j, job_array, SIZE_MAX, 1);
    must_fail(&j, job_array, SIZE_MAX / 2, 3);
    must_fail(&j, job_array, (size_t)1 << 33, (size_t)1 << 33);
    must_fail(&j, job_array, 3, SIZE_MAX / 3 + 2); /* the product is 5 modulo 2^64 */
    j.count = SIZE_MAX, j.size = 0;
    assert_int_equal(nh_heap_try(&j.heap, job_array, &j), NH_OK);
    assert_non_null(j.result);
    nh_arena_free(&j.arena);
    assert_int_equal(j.heap.used, 0);
}

static void test_limit(void **state)
{
    (void)state;
    for (size_t limit = 1000; limit < 3000000; limit *= 3) {
        meter m = {.left = PLENTY};
        job j = {.size = 100};
        nh_allocator allocator = metered(&m);
        nh_heap_init(&j.heap, &allocator, limit);
        nh_arena_init(&j.arena, &j.heap);
        for (int again = 0; again < 2; again++) {
            j.count = 0;
            assert_int_equal(nh_heap_try(&j.heap, job_fill, &j), NH_ERROR_MEMORY);
            assert_true(m.most <= limit && j.heap.peak <= limit);
            assert_true(j.count * 112 <= limit && (limit < 200000 || j.count * 200 > limit / 2));
            nh_arena_free(&j.arena);
            assert_true(j.heap.used == 0 && m.blocks == 0);
        }
    }
}

/* ---------------------------------------------------------------- the n-th allocation fails */

/* Something of everything in base/. */
typedef struct labour {
    nh_heap heap;
    nh_arena arena, other;
    nh_numbers numbers;
    size_t done;
} labour;

static void work_inside(void *arg)
{
    labour *l = arg;
    nh_arena_array(&l->other, 1000, 10);
    l->done++;
}

static void work(void *arg)
{
    labour *l = arg;
    nh_text text;
    nh_map map;
    nh_diagnostics diagnostics;
    nh_text_init(&text, &l->arena);
    nh_map_init(&map, &l->arena);
    nh_diagnostics_init(&diagnostics, &l->arena);
    for (uint32_t i = 0; i < 100; i++) {
        nh_text_format(&text, "line %u of a text that is longer than a chunk\n", i);
        nh_map_put(&map, nh_slice_of(nh_arena_copy(&l->arena, nh_text_get(&text), text.length)), i);
    }
    const nh_source *source = nh_source_new(&l->arena, "name", text.data, text.length);
    for (uint32_t i = 0; i < 30; i++)
        nh_report(&diagnostics, NH_ERROR, source, (nh_span){i * 40, 10}, "hint", "message %u", i);
    for (size_t i = 0; i < diagnostics.count; i++)
        nh_diagnostic_print(&text, &diagnostics.items[i]);
    nh_arena_mark mark = nh_arena_here(&l->other);
    nh_status status = nh_heap_try(&l->heap, work_inside, l);
    nh_arena_release(&l->other, mark);
    if (status != NH_OK)
        nh_heap_fail(&l->heap, status);
    nh_rational r = nh_rational_pow(&l->numbers, nh_rational_int(7), 500), back;
    nh_rational_print(&text, r);
    nh_text_json(&text, text.data, text.length);
    assert_int_equal(nh_decimal_read(&l->numbers, "1.23456789e-300", 15, &back), NH_DECIMAL_OK);
    nh_text_double(&text, nh_rational_to_double(back));
    l->done++;
}

static void test_every_failure(void **state)
{
    (void)state;
    nh_status status = NH_ERROR_MEMORY;
    int n = 0;
    for (; status != NH_OK; n++) {
        meter m = {.left = n};
        labour l = {.done = 0};
        nh_allocator allocator = metered(&m);
        nh_heap_init(&l.heap, &allocator, 0);
        nh_arena_init(&l.arena, &l.heap);
        nh_arena_init(&l.other, &l.heap);
        nh_numbers_init(&l.numbers, &l.arena);
        status = nh_heap_try(&l.heap, work, &l);
        assert_true(status == NH_ERROR_MEMORY || l.done == 2);
        assert_null(l.heap.guard);
        nh_numbers_free(&l.numbers);
        nh_arena_free(&l.other);
        nh_arena_free(&l.arena);
        if (l.heap.used || m.blocks || m.bytes)
            fail_msg("%zu bytes are lost when allocation %d fails", m.bytes, n);
    }
    assert_true(n > 3);
}

/* ---------------------------------------------------------------- the context */

typedef struct call {
    nh_context *context;
    nh_string string;
} call;

static void call_body(void *arg)
{
    call *c = arg;
    nh_arena *arena = &c->context->arena;
    const nh_source *source = nh_source_new(arena, "m.nh", "kinetic x\n", 10);
    nh_report(&c->context->diagnostics, NH_WARNING, source, (nh_span){0, 7}, NULL, "careful");
    nh_text text;
    nh_text_init(&text, arena);
    nh_text_repeat(&text, 'x', 1000);
    nh_string_make(c->context, &text, &c->string);
}

static void check_context(int n, nh_status *status)
{
    meter m = {.left = n};
    nh_options options = {.allocator = metered(&m)};
    call c = {.context = nh_context_new(&options)};
    *status = NH_ERROR_MEMORY;
    if (c.context) {
        *status = nh_context_call(c.context, call_body, &c);
        if (*status == NH_OK) {
            assert_int_equal(nh_message_count(c.context), 1);
            assert_int_equal(strlen(c.string.data), 1000);
        }
        for (size_t i = 0; i < nh_message_count(c.context); i++)
            assert_non_null(strstr(nh_message_text(c.context, i), "careful"));
        assert_true(nh_context_peak_bytes(c.context) >= m.most);
        nh_string_free(c.context, &c.string);
        nh_string_free(c.context, &c.string); /* once more does nothing */
        assert_null(c.string.data);
    }
    nh_context_free(c.context);
    assert_true(m.blocks == 0 && m.bytes == 0);
}

static void test_context(void **state)
{
    (void)state;
    nh_status status = NH_ERROR_MEMORY;
    for (int n = 0; status != NH_OK; n++)
        check_context(n, &status);
}

static void call_too_much(void *arg)
{
    call *c = arg;
    for (;;)
        nh_arena_alloc(&c->context->arena, 1000);
}

static void test_context_limit(void **state)
{
    (void)state;
    meter m = {.left = PLENTY};
    nh_options options = {.allocator = metered(&m), .max_bytes = 1000000};
    call c = {.context = nh_context_new(&options)};
    assert_non_null(c.context);
    assert_int_equal(nh_context_call(c.context, call_too_much, &c), NH_ERROR_MEMORY);
    assert_true(m.most <= 1000000 && nh_context_peak_bytes(c.context) <= 1000000);
    assert_int_equal(nh_context_call(c.context, call_body, &c), NH_OK); /* the next call has all of it again */
    nh_string_free(c.context, &c.string);
    nh_context_free(c.context);
    assert_int_equal(m.blocks, 0);
    options.max_bytes = 1;
    assert_null(nh_context_new(&options));
    assert_int_equal(m.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_heap_defaults),
        cmocka_unit_test(test_try),
        cmocka_unit_test(test_many_barriers),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_array_and_copy),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_push),
        cmocka_unit_test(test_temporary_arenas),
        cmocka_unit_test(test_temporary_arena_that_stays),
        cmocka_unit_test(test_impossible_sizes),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_every_failure),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_context_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
