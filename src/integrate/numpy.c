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

int nh_numpy_records(nh_rows *rows)
{
    nh_text type;
    nh_text_init(&type, rows->arena);
    nh_text_char(&type, '[');
    for (size_t i = 0; i < rows->n; i++) /* names have no quotes but ' */
        nh_text_format(&type, "%s(\"%s\", '%s')", i ? ", " : "", rows->names[i], NUMBER);
    nh_text_char(&type, ']');
    head(&rows->line, rows->arena, nh_text_get(&type), rows->n ? rows->count / rows->n : 0);
    int stop = nh_rows_hand_over(rows);
    for (size_t done = 0; done < rows->count; done += NH_ROWS_BLOCK) {
        size_t left = rows->count - done, count = left < NH_ROWS_BLOCK ? left : NH_ROWS_BLOCK;
        bytes(&rows->line, rows->blocks[done / NH_ROWS_BLOCK], count * sizeof(double));
        stop |= nh_rows_hand_over(rows);
    }
    return stop;
}

/* ---------------------------------------------------------------- an archive */

/* The polynomial of zip, eight bytes at a time: tables[i] is what a byte becomes behind which there are i more. */
enum { AT_ONCE = 8 };
typedef struct checksum {
    uint32_t tables[AT_ONCE][256], sum;
} checksum;

static void begin_sum(checksum *c)
{
    c->sum = 0xffffffff;
    for (uint32_t i = 0; i < 256; i++) {
        c->tables[0][i] = i;
        for (int k = 0; k < 8; k++)
            c->tables[0][i] = c->tables[0][i] & 1 ? c->tables[0][i] >> 1 ^ 0xedb88320 : c->tables[0][i] >> 1;
    }
    for (int k = 1; k < AT_ONCE; k++)
        for (uint32_t i = 0; i < 256; i++)
            c->tables[k][i] = c->tables[k - 1][i] >> 8 ^ c->tables[0][c->tables[k - 1][i] & 0xff];
}

static void add_to_sum(checksum *c, const void *data, size_t length)
{
    const unsigned char *byte = data;
    for (; length >= AT_ONCE; length -= AT_ONCE, byte += AT_ONCE) {
        uint32_t sum = 0;
        for (int i = 0; i < AT_ONCE; i++)
            sum ^= c->tables[AT_ONCE - 1 - i][byte[i] ^ (i < 4 ? c->sum >> 8 * i & 0xff : 0)];
        c->sum = sum;
    }
    for (size_t i = 0; i < length; i++)
        c->sum = c->sum >> 8 ^ c->tables[0][(c->sum ^ byte[i]) & 0xff];
}

/* What both headers of a file have in common: version 2.0, names in UTF-8, not compressed, 1980-01-01. */
static void file_fields(nh_text *out, uint32_t sum, size_t size, size_t name)
{
    little(out, 20, 2), little(out, 0x800, 2), little(out, 0, 2), little(out, 0, 2), little(out, 0x21, 2);
    little(out, sum, 4), little(out, size, 4), little(out, size, 4), little(out, name, 2), little(out, 0, 2);
}

/* What is in front of the numbers, and the numbers of one column. */
typedef struct column {
    const nh_rows *rows;
    size_t index;
    nh_text head;
    uint32_t sum;
    size_t size; /* bytes */
} column;

/* Its numbers from a row on, as many as have room; how many. */
static size_t gather(const column *c, size_t row, double out[NH_ROWS_BLOCK])
{
    const nh_rows *rows = c->rows;
    size_t left = rows->count / rows->n - row, count = left < NH_ROWS_BLOCK ? left : NH_ROWS_BLOCK;
    for (size_t i = 0, k = row * rows->n + c->index; i < count; i++, k += rows->n)
        out[i] = rows->blocks[k / NH_ROWS_BLOCK][k % NH_ROWS_BLOCK];
    return count;
}

static column column_of(const nh_rows *rows, size_t index, const char *type)
{
    column c = {.rows = rows, .index = index};
    size_t count = rows->count / rows->n, some;
    double numbers[NH_ROWS_BLOCK];
    checksum sum;
    nh_text_init(&c.head, rows->arena);
    head(&c.head, rows->arena, type, count);
    begin_sum(&sum);
    add_to_sum(&sum, nh_text_get(&c.head), c.head.length);
    for (size_t k = 0; k < count; k += some)
        some = gather(&c, k, numbers), add_to_sum(&sum, numbers, some * sizeof(double));
    c.sum = ~sum.sum, c.size = c.head.length + count * sizeof(double);
    return c;
}

/* The file of a column, at this place of the archive; what it is long. */
static int write_column(nh_rows *rows, column *c, size_t *place)
{
    size_t count = rows->count / rows->n, some, name = strlen(rows->names[c->index]) + 4;
    double numbers[NH_ROWS_BLOCK];
    bytes(&rows->line, "PK\x03\x04", 4);
    file_fields(&rows->line, c->sum, c->size, name);
    nh_text_format(&rows->line, "%s.npy", rows->names[c->index]);
    *place += rows->line.length + c->size;
    bytes(&rows->line, nh_text_get(&c->head), c->head.length);
    int stop = nh_rows_hand_over(rows);
    for (size_t k = 0; k < count; k += some) {
        some = gather(c, k, numbers);
        stop |= rows->options->write(rows->options->user, (const char *)numbers, some * sizeof(double));
    }
    return stop;
}

static void add_to_directory(nh_text *directory, const column *c, size_t place)
{
    const char *name = c->rows->names[c->index];
    bytes(directory, "PK\x01\x02", 4);
    little(directory, 20, 2);
    file_fields(directory, c->sum, c->size, strlen(name) + 4);
    little(directory, 0, 2), little(directory, 0, 2), little(directory, 0, 2), little(directory, 0, 4);
    little(directory, place, 4);
    nh_text_format(directory, "%s.npy", name);
}

int nh_numpy_arrays(nh_rows *rows)
{
    nh_text directory, type;
    size_t place = 0;
    int stop = 0;
    if ((rows->count + 64 * rows->n) * sizeof(double) > UINT32_MAX / 2 || rows->n > UINT16_MAX)
        return 1;
    nh_text_init(&directory, rows->arena), nh_text_init(&type, rows->arena);
    nh_text_format(&type, "'%s'", NUMBER);
    for (size_t i = 0; i < rows->n; i++) {
        column c = column_of(rows, i, nh_text_get(&type));
        add_to_directory(&directory, &c, place);
        stop |= write_column(rows, &c, &place);
    }
    bytes(&rows->line, nh_text_get(&directory), directory.length);
    bytes(&rows->line, "PK\x05\x06", 4);
    little(&rows->line, 0, 2), little(&rows->line, 0, 2), little(&rows->line, rows->n, 2);
    little(&rows->line, rows->n, 2), little(&rows->line, directory.length, 4), little(&rows->line, place, 4);
    little(&rows->line, 0, 2);
    return nh_rows_hand_over(rows) | stop;
}
