/* NumPy's files: an array of records (.npy), or an archive of arrays, one for each column (.npz). */
#include "integrate/rows.h"

#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const char NUMBER[] = "<f8";
#else
static const char NUMBER[] = ">f8";
#endif

static void little(nh_text *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        nh_text_char(out, (char)(value & 0xff));
}

static void bytes(nh_text *out, const void *data, size_t length) { nh_text_add(out, data, length); }

/* ---------------------------------------------------------------- one array */

/* Magic, version 3 (the description is UTF-8), and the description, filled up so that the numbers begin at a multiple of 64. */
static void head(nh_text *out, nh_arena *arena, const char *type, size_t count)
{
    nh_text text;
    nh_text_init(&text, arena);
    nh_text_format(&text, "{'descr': %s, 'fortran_order': False, 'shape': (%zu,), }", type, count);
    while ((12 + text.length + 1) % 64)
        nh_text_char(&text, ' ');
    nh_text_char(&text, '\n');
    bytes(out, "\x93NUMPY\x03\x00", 8);
    little(out, text.length, 4);
    bytes(out, nh_text_get(&text), text.length);
}

void nh_numpy_records(nh_text *out, const nh_rows *rows)
{
    nh_text type;
    nh_text_init(&type, rows->arena);
    nh_text_char(&type, '[');
    for (size_t i = 0; i < rows->n; i++) /* names have no quotes but ' */
        nh_text_format(&type, "%s(\"%s\", '%s')", i ? ", " : "", rows->names[i], NUMBER);
    nh_text_char(&type, ']');
    head(out, rows->arena, nh_text_get(&type), rows->n ? rows->count / rows->n : 0);
    bytes(out, rows->values, rows->count * sizeof *rows->values);
}

/* ---------------------------------------------------------------- an archive */

/* The polynomial of zip, bit by bit: this is done once, at the end of a run. */
static uint32_t checksum(const char *data, size_t length)
{
    uint32_t table[256], sum = 0xffffffff;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320 : table[i] >> 1;
    }
    for (size_t i = 0; i < length; i++)
        sum = sum >> 8 ^ table[(sum ^ (unsigned char)data[i]) & 0xff];
    return ~sum;
}

/* What both headers of a file have in common: version 2.0, names in UTF-8, not compressed, 1980-01-01. */
static void file_fields(nh_text *out, uint32_t sum, size_t size, size_t name)
{
    little(out, 20, 2), little(out, 0x800, 2), little(out, 0, 2), little(out, 0, 2), little(out, 0x21, 2);
    little(out, sum, 4), little(out, size, 4), little(out, size, 4), little(out, name, 2), little(out, 0, 2);
}

static void add_file(nh_text *out, nh_text *directory, const char *name, const char *data, size_t size)
{
    uint32_t sum = checksum(data, size);
    size_t place = out->length, length = strlen(name) + 4;
    bytes(out, "PK\x03\x04", 4);
    file_fields(out, sum, size, length);
    nh_text_format(out, "%s.npy", name);
    bytes(out, data, size);
    bytes(directory, "PK\x01\x02", 4);
    little(directory, 20, 2);
    file_fields(directory, sum, size, length);
    little(directory, 0, 2), little(directory, 0, 2), little(directory, 0, 2), little(directory, 0, 4);
    little(directory, place, 4);
    nh_text_format(directory, "%s.npy", name);
}

bool nh_numpy_arrays(nh_text *out, const nh_rows *rows)
{
    nh_text directory, file, type;
    size_t count = rows->n ? rows->count / rows->n : 0;
    if ((rows->count + 64 * rows->n) * sizeof(double) > UINT32_MAX / 2 || rows->n > UINT16_MAX)
        return false;
    nh_text_init(&directory, rows->arena), nh_text_init(&file, rows->arena), nh_text_init(&type, rows->arena);
    nh_text_format(&type, "'%s'", NUMBER);
    for (size_t i = 0; i < rows->n; i++) {
        file.length = 0;
        head(&file, rows->arena, nh_text_get(&type), count);
        for (size_t k = 0; k < count; k++)
            bytes(&file, &rows->values[k * rows->n + i], sizeof(double));
        add_file(out, &directory, rows->names[i], nh_text_get(&file), file.length);
    }
    size_t place = out->length;
    bytes(out, nh_text_get(&directory), directory.length);
    bytes(out, "PK\x05\x06", 4);
    little(out, 0, 2), little(out, 0, 2), little(out, rows->n, 2), little(out, rows->n, 2);
    little(out, directory.length, 4), little(out, place, 4), little(out, 0, 2);
    return true;
}
