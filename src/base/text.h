/* Text that grows, and tables from names to numbers. */
#ifndef NH_BASE_TEXT_H
#define NH_BASE_TEXT_H

#include "base/alloc.h"

/* A text being written, NUL-terminated at all times once something was written. */
typedef struct nh_text {
    nh_arena *arena;
    char *data;
    size_t length, capacity;
} nh_text;

void nh_text_init(nh_text *text, nh_arena *arena);
void nh_text_add(nh_text *text, const char *bytes, size_t length);
void nh_text_str(nh_text *text, const char *string);
void nh_text_char(nh_text *text, char c);
void nh_text_repeat(nh_text *text, char c, size_t times);

/* %s string, %.*s bytes (int length), %d int, %zu size_t, %u unsigned, %c, %%; nothing of the locale. */
void nh_text_format(nh_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A JSON string with its quotes: escapes what JSON wants escaped. */
void nh_text_json(nh_text *text, const char *bytes, size_t length);

const char *nh_text_get(nh_text *text); /* "" when empty */

/* A piece of text, not owned. */
typedef struct nh_slice {
    const char *data;
    size_t length;
} nh_slice;

nh_slice nh_slice_of(const char *string);
bool nh_slice_is(nh_slice slice, const char *string);
bool nh_slice_equal(nh_slice a, nh_slice b);

/* Names to numbers, by hashing. The names are not copied. */
typedef struct nh_map_entry {
    nh_slice key;
    uint64_t hash;
    uint32_t value;
    bool taken;
} nh_map_entry;

typedef struct nh_map {
    nh_arena *arena;
    nh_map_entry *entries;
    size_t count, capacity;
} nh_map;

#define NH_MAP_NONE UINT32_MAX

void nh_map_init(nh_map *map, nh_arena *arena);
uint32_t nh_map_get(const nh_map *map, nh_slice key); /* NH_MAP_NONE: not there */
void nh_map_put(nh_map *map, nh_slice key, uint32_t value);

/* Mixes 64 bits well; the one hash function of the library. */
uint64_t nh_hash(uint64_t x);

/* The number of single-character edits (and swaps of neighbours) between two names, at most limit + 1. */
size_t nh_edit_distance(nh_slice a, nh_slice b, size_t limit);

/* UTF-8: the bytes of the character at data (1..4), 0 if it is not well-formed; its code point. */
size_t nh_utf8_decode(const char *data, size_t length, uint32_t *code_point);
/* A text from outside: a byte that is not UTF-8 is written as the character for that, one that controls as a space. */
const char *nh_well_formed(nh_arena *, const char *);
size_t nh_utf8_count(const char *data, size_t length); /* characters in well-formed text */

#endif
