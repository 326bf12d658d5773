#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void nh_text_init(nh_text *text, nh_arena *arena) { *text = (nh_text){.arena = arena}; }

void nh_text_add(nh_text *text, const char *bytes, size_t length)
{
    while (text->length + length + 1 > text->capacity)
        text->data = nh_array_grow(text->arena, text->data, text->length, &text->capacity, 1);
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void nh_text_str(nh_text *text, const char *string) { nh_text_add(text, string, strlen(string)); }
void nh_text_char(nh_text *text, char c) { nh_text_add(text, &c, 1); }

void nh_text_repeat(nh_text *text, char c, size_t times)
{
    while (times--)
        nh_text_char(text, c);
}

void nh_text_format(nh_text *text, const char *format, ...)
{
    char small[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length >= (int)sizeof small) {
        char *large = nh_arena_alloc(text->arena, (size_t)length + 1);
        vsnprintf(large, (size_t)length + 1, format, again);
        nh_text_add(text, large, (size_t)length);
    } else if (length > 0) {
        nh_text_add(text, small, (size_t)length);
    }
    va_end(again);
    va_end(arguments);
}

void nh_text_json(nh_text *text, const char *bytes, size_t length)
{
    nh_text_char(text, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\')
            nh_text_format(text, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            nh_text_format(text, "\\u%04x", (unsigned)c);
        else
            nh_text_char(text, (char)c);
    }
    nh_text_char(text, '"');
}

const char *nh_text_get(nh_text *text) { return text->data ? text->data : ""; }

nh_slice nh_slice_of(const char *string) { return (nh_slice){string, strlen(string)}; }

bool nh_slice_equal(nh_slice a, nh_slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

bool nh_slice_is(nh_slice slice, const char *string) { return nh_slice_equal(slice, nh_slice_of(string)); }

uint64_t nh_hash(uint64_t x)
{
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27, x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t hash_bytes(nh_slice key)
{
    uint64_t h = key.length;
    for (size_t i = 0; i < key.length; i++)
        h = nh_hash(h ^ (unsigned char)key.data[i]) + 0x9e3779b97f4a7c15u;
    return h;
}

void nh_map_init(nh_map *map, nh_arena *arena) { *map = (nh_map){.arena = arena}; }

/* The entry of the key, or the free one where it would go. */
static nh_map_entry *map_find(const nh_map *map, nh_slice key, uint64_t hash)
{
    size_t mask = map->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        nh_map_entry *entry = &map->entries[i];
        if (!entry->taken || (entry->hash == hash && nh_slice_equal(entry->key, key)))
            return entry;
    }
}

static void map_grow(nh_map *map)
{
    nh_map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : NH_FIRST_CAPACITY;
    map->entries = nh_arena_array(map->arena, map->capacity, sizeof *map->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].taken)
            *map_find(map, old.entries[i].key, old.entries[i].hash) = old.entries[i];
}

uint32_t nh_map_get(const nh_map *map, nh_slice key)
{
    if (map->count == 0)
        return NH_MAP_NONE;
    nh_map_entry *entry = map_find(map, key, hash_bytes(key));
    return entry->taken ? entry->value : NH_MAP_NONE;
}

void nh_map_put(nh_map *map, nh_slice key, uint32_t value)
{
    if (2 * map->count >= map->capacity)
        map_grow(map);
    uint64_t hash = hash_bytes(key);
    nh_map_entry *entry = map_find(map, key, hash);
    if (!entry->taken)
        map->count++;
    *entry = (nh_map_entry){key, hash, value, true};
}

enum { LONGEST_COMPARED = 64 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The characters of a name, a byte that is not UTF-8 being one by itself; false: too many. */
static bool characters_of(nh_slice name, uint32_t characters[LONGEST_COMPARED], size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < name.length; ++*count) {
        if (*count == LONGEST_COMPARED)
            return false;
        uint32_t *c = &characters[*count];
        size_t size = nh_utf8_decode(name.data + i, name.length - i, c);
        if (size == 0)
            *c = (unsigned char)name.data[i];
        i += size ? size : 1;
    }
    return true;
}

/* Optimal string alignment, three rows kept. */
size_t nh_edit_distance(nh_slice a, nh_slice b, size_t limit)
{
    uint32_t x[LONGEST_COMPARED], y[LONGEST_COMPARED];
    size_t m, n, rows[3][LONGEST_COMPARED + 1];
    if (!characters_of(a, x, &m) || !characters_of(b, y, &n))
        return limit + 1;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            bool same = x[i - 1] == y[j - 1];
            row[j] = least(above[j - 1] + !same, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return least(rows[m % 3][n], limit + 1);
}

size_t nh_utf8_decode(const char *data, size_t length, uint32_t *code_point)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = length ? (unsigned char)data[0] : 0xff;
    size_t size = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (size == 0 || size > length)
        return 0;
    uint32_t c = size == 1 ? first : first & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)data[i];
        if (next >> 6 != 2)
            return 0;
        c = c << 6 | (next & 0x3f);
    }
    if (c < smallest[size] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *code_point = c;
    return size;
}

const char *nh_well_formed(nh_arena *arena, const char *string)
{
    nh_text out;
    size_t length = strlen(string);
    nh_text_init(&out, arena);
    for (size_t i = 0, size; i < length; i += size ? size : 1) {
        uint32_t c = 0;
        size = nh_utf8_decode(string + i, length - i, &c);
        if (!size)
            nh_text_str(&out, "\xef\xbf\xbd");
        else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
            nh_text_char(&out, ' ');
        else
            nh_text_add(&out, string + i, size);
    }
    return nh_text_get(&out);
}

size_t nh_utf8_count(const char *data, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)data[i] & 0xc0) != 0x80;
    return count;
}
