/* Texts, names and characters. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---------------------------------------------------------------- the world of a test */

typedef struct world {
    nh_heap heap;
    nh_arena arena;
    uint64_t seed;
} world;

static int setup(void **state)
{
    world *w = malloc(sizeof *w);
    nh_heap_init(&w->heap, NULL, 0);
    nh_arena_init(&w->arena, &w->heap);
    w->seed = 1;
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    world *w = *state;
    nh_arena_free(&w->arena);
    assert_int_equal(w->heap.used, 0);
    free(w);
    return 0;
}

static uint64_t random_bits(world *w) { return nh_hash(w->seed += 0x9e3779b97f4a7c15u); }
static size_t random_below(world *w, size_t n) { return (size_t)(random_bits(w) % n); }

/* ---------------------------------------------------------------- texts */

static void test_empty(void **state)
{
    world *w = *state;
    nh_text text;
    nh_text_init(&text, &w->arena);
    assert_string_equal(nh_text_get(&text), "");
    assert_int_equal(text.length, 0);
    nh_text_add(&text, NULL, 0);
    nh_text_str(&text, "");
    nh_text_repeat(&text, 'x', 0);
    nh_text_format(&text, "%s", "");
    assert_string_equal(nh_text_get(&text), "");
    assert_int_equal(text.length, 0);
}

/* Whatever is appended, in whatever portions. */
static void test_growth(void **state)
{
    world *w = *state;
    static char want[200000];
    size_t length = 0;
    nh_text text;
    nh_text_init(&text, &w->arena);
    while (length < sizeof want - 1000) {
        size_t n = random_below(w, 300);
        char piece[301];
        for (size_t i = 0; i < n; i++)
            piece[i] = (char)('a' + random_below(w, 26));
        piece[n] = '\0';
        switch (random_below(w, 5)) {
        case 0: nh_text_add(&text, piece, n); break;
        case 1: nh_text_str(&text, piece); break;
        case 2: nh_text_format(&text, "%s", piece); break;
        case 3: nh_text_format(&text, "%.*s", (int)n, piece); break;
        default:
            memset(piece, '#', n);
            nh_text_repeat(&text, '#', n);
        }
        memcpy(want + length, piece, n);
        length += n;
        assert_int_equal(text.length, length);
        assert_int_equal(nh_text_get(&text)[length], '\0');
    }
    assert_memory_equal(text.data, want, length);
}

static void test_bytes(void **state)
{
    world *w = *state;
    nh_text text;
    nh_text_init(&text, &w->arena);
    for (int c = 0; c < 256; c++)
        nh_text_char(&text, (char)c);
    assert_int_equal(text.length, 256);
    for (int c = 0; c < 256; c++)
        assert_int_equal((unsigned char)text.data[c], c);
}

static void test_format(void **state)
{
    world *w = *state;
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_text_format(&text, "%d|%d|%zu|%u|%c|%%|%.*s|%s", 0, -2147483647 - 1, SIZE_MAX, 4294967295u, 'x', 2, "abc", "θ");
    assert_string_equal(nh_text_get(&text), "0|-2147483648|18446744073709551615|4294967295|x|%|ab|θ");
    for (int n = 250; n < 262; n++) { /* around the size of a first attempt */
        char want[400];
        memset(want, 'y', (size_t)n);
        want[n] = '\0';
        nh_text_init(&text, &w->arena);
        nh_text_str(&text, "<");
        nh_text_format(&text, "%s>", want);
        assert_int_equal(text.length, n + 2);
        assert_memory_equal(text.data + 1, want, (size_t)n);
        assert_string_equal(text.data + n + 1, ">");
    }
}

/* ---------------------------------------------------------------- JSON */

/* Reads a JSON string; returns the bytes it stands for. */
static size_t json_read(const char *json, size_t length, unsigned char *out)
{
    size_t n = 0, i = 1;
    assert_true(length >= 2 && json[0] == '"' && json[length - 1] == '"');
    while (i < length - 1) {
        unsigned char c = (unsigned char)json[i++];
        assert_true(c >= 0x20 && c != '"');
        if (c == '\\') {
            c = (unsigned char)json[i++];
            if (c == 'u') {
                unsigned code;
                assert_int_equal(sscanf(json + i, "%4x", &code), 1);
                assert_true(code < 0x80);
                i += 4;
                c = (unsigned char)code;
            } else {
                const char *place = strchr("\"\"\\\\//b\bf\fn\nr\rt\t", c);
                assert_non_null(place);
                c = (unsigned char)place[1];
            }
        }
        out[n++] = c;
    }
    assert_int_equal(i, length - 1);
    return n;
}

static void test_json(void **state)
{
    world *w = *state;
    nh_text text;
    nh_text_init(&text, &w->arena);
    nh_text_json(&text, "a\"b\\c\n\x7f θ", 10);
    assert_string_equal(nh_text_get(&text), "\"a\\\"b\\\\c\\u000a\\u007f θ\"");
    nh_text_init(&text, &w->arena);
    nh_text_json(&text, "", 0);
    assert_string_equal(nh_text_get(&text), "\"\"");
    for (int k = 0; k < 2000; k++) {
        char bytes[100];
        unsigned char back[700];
        size_t n = random_below(w, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)random_below(w, 128);
        nh_text_init(&text, &w->arena);
        nh_text_json(&text, bytes, n);
        assert_int_equal(json_read(text.data, text.length, back), n);
        assert_memory_equal(back, bytes, n);
    }
}

/* ---------------------------------------------------------------- slices and tables */

static void test_slices(void **state)
{
    (void)state;
    nh_slice abc = nh_slice_of("abc"), ab = {"abc", 2}, none = {NULL, 0};
    assert_int_equal(abc.length, 3);
    assert_true(nh_slice_is(abc, "abc") && nh_slice_is(ab, "ab") && nh_slice_is(none, ""));
    assert_false(nh_slice_is(abc, "ab") || nh_slice_is(ab, "abc") || nh_slice_is(abc, "abC") || nh_slice_is(abc, ""));
    assert_true(nh_slice_equal(ab, (nh_slice){"xab" + 1, 2}));
    assert_true(nh_slice_equal(none, nh_slice_of("")));
    assert_false(nh_slice_equal(abc, ab) || nh_slice_equal(none, ab));
    assert_false(nh_slice_equal((nh_slice){"a\0b", 3}, (nh_slice){"a\0c", 3}));
}

/* Against a list that is searched from end to end. */
static void test_map(void **state)
{
    world *w = *state;
    enum { COUNT = 700 };
    static char names[COUNT][12];
    static uint32_t values[COUNT];
    static size_t lengths[COUNT];
    size_t count = 0;
    nh_map map;
    nh_map_init(&map, &w->arena);
    assert_int_equal(nh_map_get(&map, nh_slice_of("x")), NH_MAP_NONE);
    for (int k = 0; k < 5000; k++) {
        char name[12];
        size_t length = random_below(w, 4), i = 0;
        for (size_t j = 0; j < length; j++)
            name[j] = "abcdefg\0"[random_below(w, 8)];
        while (i < count && !(lengths[i] == length && memcmp(names[i], name, length) == 0))
            i++;
        nh_slice key = {name, length};
        assert_int_equal(nh_map_get(&map, key), i < count ? values[i] : NH_MAP_NONE);
        if (random_below(w, 2)) {
            if (i == count) {
                memcpy(names[i], name, length);
                lengths[i] = length;
                count++;
            }
            values[i] = (uint32_t)k;
            nh_map_put(&map, (nh_slice){names[i], length}, (uint32_t)k);
        }
        assert_int_equal(map.count, count);
        assert_int_equal(nh_map_get(&map, nh_slice_of("never")), NH_MAP_NONE);
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(nh_map_get(&map, (nh_slice){names[i], lengths[i]}), values[i]);
}

static void test_large_map(void **state)
{
    world *w = *state;
    enum { COUNT = 50000 };
    nh_map map;
    nh_map_init(&map, &w->arena);
    for (uint32_t i = 0; i < COUNT; i++) {
        nh_text name;
        nh_text_init(&name, &w->arena);
        nh_text_format(&name, "q%u", i);
        nh_map_put(&map, (nh_slice){name.data, name.length}, i);
    }
    assert_int_equal(map.count, COUNT);
    for (uint32_t i = 0; i < COUNT + 10; i++) {
        char name[20];
        snprintf(name, sizeof name, "q%u", i);
        assert_int_equal(nh_map_get(&map, nh_slice_of(name)), i < COUNT ? i : NH_MAP_NONE);
    }
}

/* ---------------------------------------------------------------- the hash function */

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* It is the mixing function of splitmix64, of which these are known values (for the seed 1234567). */
static void test_hash(void **state)
{
    world *w = *state;
    static const uint64_t known[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                     UINT64_C(16408922859458223821)};
    for (size_t i = 0; i < 5; i++)
        assert_true(nh_hash(1234567 + (i + 1) * UINT64_C(0x9e3779b97f4a7c15)) == known[i]);
    static uint64_t hashes[100000];
    for (size_t i = 0; i < 100000; i++)
        hashes[i] = nh_hash(i);
    qsort(hashes, 100000, sizeof *hashes, compare_words);
    for (size_t i = 1; i < 100000; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    for (int bit = 0; bit < 64; bit++) { /* a bit of the argument changes half the bits of the value */
        int changed = 0;
        for (int k = 0; k < 1000; k++) {
            uint64_t x = random_bits(w);
            changed += __builtin_popcountll(nh_hash(x) ^ nh_hash(x ^ UINT64_C(1) << bit));
        }
        assert_in_range(changed, 30000, 34000);
    }
}

/* ---------------------------------------------------------------- edits */

static size_t distance(const char *a, const char *b, size_t limit)
{
    size_t there = nh_edit_distance(nh_slice_of(a), nh_slice_of(b), limit);
    assert_int_equal(nh_edit_distance(nh_slice_of(b), nh_slice_of(a), limit), there);
    return there;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* By its definition: the last characters are equal, or one of them was deleted, inserted, replaced, or the last
 * two were swapped. */
static size_t defined_distance(const char *a, size_t m, const char *b, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t best = defined_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    best = least(best, 1 + defined_distance(a, m - 1, b, n));
    best = least(best, 1 + defined_distance(a, m, b, n - 1));
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1])
        best = least(best, 1 + defined_distance(a, m - 2, b, n - 2));
    return best;
}

static void test_distance(void **state)
{
    world *w = *state;
    assert_int_equal(distance("", "", 9), 0);
    assert_int_equal(distance("abc", "", 9), 3);
    assert_int_equal(distance("kitten", "sitting", 9), 3);
    assert_int_equal(distance("kinetic", "kintec", 9), 2);
    assert_int_equal(distance("coordinates", "coordinaets", 9), 1);
    assert_int_equal(distance("kitten", "sitting", 2), 3);
    assert_int_equal(distance("kitten", "sitting", 1), 2);
    assert_int_equal(distance("kitten", "sitting", 0), 1);
    assert_int_equal(distance("abc", "abc", 0), 0);
    for (int k = 0; k < 3000; k++) {
        char a[7], b[7];
        size_t m = random_below(w, 6), n = random_below(w, 6);
        for (size_t i = 0; i < 6; i++)
            a[i] = (char)('a' + random_below(w, 3)), b[i] = (char)('a' + random_below(w, 3));
        a[m] = b[n] = '\0';
        assert_int_equal(distance(a, b, 20), defined_distance(a, m, b, n));
    }
}

/* Characters, not bytes: these differ in one, two and three places. */
static void test_distance_of_greek(void **state)
{
    (void)state;
    assert_int_equal(distance("φ", "θ", 9), 1);
    assert_int_equal(distance("φ", "a", 9), 1);
    assert_int_equal(distance("φ1", "1φ", 9), 1);
    assert_int_equal(distance("αβ", "βα", 9), 1);
    assert_int_equal(distance("ωx", "ψy", 9), 2);
    assert_int_equal(distance("θ", "", 9), 1);
    assert_int_equal(distance("theta", "θ", 9), 5);
    assert_int_equal(distance("€𝄞a", "ab", 9), 3);
}

/* Too long to be a slip of the pen: not compared. */
static void test_distance_of_long_names(void **state)
{
    (void)state;
    char a[200], b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'a', sizeof b);
    a[60] = '\0', b[61] = '\0';
    assert_int_equal(distance(a, b, 5), 1);
    a[60] = 'a', b[61] = 'a', a[150] = b[151] = '\0';
    assert_int_equal(distance(a, b, 5), 6);
    for (size_t i = 0; i < 60; i++)
        memcpy(a + 2 * i, "θ", 2);
    a[120] = '\0';
    memcpy(b, a, 118);
    b[118] = '\0';
    assert_int_equal(distance(a, b, 5), 1);
}

/* ---------------------------------------------------------------- UTF-8 */

static size_t encode(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((0xf00u >> size & 0xff) | c);
    return size;
}

static void test_utf8_all_characters(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char bytes[4];
        uint32_t got = 77;
        size_t size = encode(c, bytes);
        bool surrogate = c >= 0xd800 && c < 0xe000;
        assert_true(nh_utf8_decode(bytes, size, &got) == (surrogate ? 0 : size));
        assert_true(got == (surrogate ? 77 : c));
        for (size_t n = 0; n < size; n++)
            assert_true(nh_utf8_decode(bytes, n, &got) == 0);
        if (!surrogate)
            assert_true(nh_utf8_count(bytes, size) == 1);
    }
}

/* Well-formed byte sequences, as the Unicode standard lists them (table 3-7). */
static const struct {
    size_t size;
    unsigned char first[2], second[2];
} well_formed[] = {
    {1, {0x00, 0x7f}, {0, 0}},       {2, {0xc2, 0xdf}, {0x80, 0xbf}}, {3, {0xe0, 0xe0}, {0xa0, 0xbf}},
    {3, {0xe1, 0xec}, {0x80, 0xbf}}, {3, {0xed, 0xed}, {0x80, 0x9f}}, {3, {0xee, 0xef}, {0x80, 0xbf}},
    {4, {0xf0, 0xf0}, {0x90, 0xbf}}, {4, {0xf1, 0xf3}, {0x80, 0xbf}}, {4, {0xf4, 0xf4}, {0x80, 0x8f}},
};

static size_t size_of(const unsigned char bytes[4], size_t length)
{
    for (size_t i = 0; i < sizeof well_formed / sizeof *well_formed; i++) {
        size_t size = well_formed[i].size;
        if (size > length || bytes[0] < well_formed[i].first[0] || bytes[0] > well_formed[i].first[1])
            continue;
        if (size > 1 && (bytes[1] < well_formed[i].second[0] || bytes[1] > well_formed[i].second[1]))
            continue;
        bool rest = true;
        for (size_t k = 2; k < size; k++)
            rest = rest && bytes[k] >= 0x80 && bytes[k] <= 0xbf;
        if (rest)
            return size;
    }
    return 0;
}

static void test_utf8_all_sequences(void **state)
{
    static const unsigned char others[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xe0, 0xff};
    (void)state;
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (size_t c = 0; c < sizeof others; c++)
                for (size_t d = 0; d < sizeof others; d++) {
                    unsigned char bytes[4] = {(unsigned char)a, (unsigned char)b, others[c], others[d]};
                    uint32_t code;
                    size_t length = (a + b + c + d) % 5;
                    assert_true(nh_utf8_decode((char *)bytes, 4, &code) == size_of(bytes, 4));
                    assert_true(nh_utf8_decode((char *)bytes, length, &code) == size_of(bytes, length));
                }
}

static void test_well_formed(void **state)
{
    nh_heap heap;
    nh_arena arena;
    (void)state;
    nh_heap_init(&heap, NULL, SIZE_MAX);
    nh_arena_init(&arena, &heap);
    assert_string_equal(nh_well_formed(&arena, ""), "");
    assert_string_equal(nh_well_formed(&arena, "ä, ∂ and 𝜑"), "ä, ∂ and 𝜑");
    assert_string_equal(nh_well_formed(&arena, "a\nb\x7f" "c\xc2\x85" "d"), "a b c d");
    assert_string_equal(nh_well_formed(&arena, "\xff" "a\xe2\x88"), "\xef\xbf\xbd" "a\xef\xbf\xbd\xef\xbf\xbd");
    nh_arena_free(&arena);
}

static void test_utf8_count(void **state)
{
    (void)state;
    static const char text[] = "aθ€𝄞";
    assert_int_equal(nh_utf8_count(text, sizeof text - 1), 4);
    assert_int_equal(nh_utf8_count("", 0), 0);
    assert_int_equal(nh_utf8_count("a\0b", 3), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(test_growth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_format, setup, teardown),
        cmocka_unit_test_setup_teardown(test_json, setup, teardown),
        cmocka_unit_test(test_slices),
        cmocka_unit_test_setup_teardown(test_map, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large_map, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hash, setup, teardown),
        cmocka_unit_test_setup_teardown(test_distance, setup, teardown),
        cmocka_unit_test(test_distance_of_greek),
        cmocka_unit_test(test_distance_of_long_names),
        cmocka_unit_test(test_utf8_all_characters),
        cmocka_unit_test(test_utf8_all_sequences),
        cmocka_unit_test(test_well_formed),
        cmocka_unit_test(test_utf8_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
