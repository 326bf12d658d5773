/* replay NAME MUTATIONS SEED FILE...: a fuzz target without libFuzzer, for every compiler. The files are its inputs, one by one; then so
 * many inputs that are made from them: pieces taken out, doubled, exchanged between two files, and bytes changed. The last input
 * is in NAME.input while it runs, so that it is there when it fails; one that takes more than ten seconds fails, too. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

enum { LARGEST = 4096, SECONDS = 10 };

static uint64_t state;
static char kept[64]; /* the name of the file with the last input */

/* splitmix64 */
static size_t below(size_t n)
{
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return n ? (size_t)((x ^ x >> 31) % n) : 0;
}

static bytes read_file(const char *name)
{
    bytes out = {malloc(LARGEST), 0};
    FILE *file = fopen(name, "rb");
    if (!file || !out.data) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(2);
    }
    out.size = fread(out.data, 1, LARGEST, file);
    fclose(file);
    return out;
}

/* Of the processor: whoever else uses it makes no difference. At the end the process is killed; 0: no end. */
static void set_clock(time_t seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

static void try(bytes input)
{
    FILE *file = fopen(kept, "wb");
    if (!file || fwrite(input.data, 1, input.size, file) != input.size || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", kept);
        exit(2);
    }
    set_clock(SECONDS);
    LLVMFuzzerTestOneInput(input.data, input.size);
    set_clock(0);
}

/* The place where a line begins that is before, or at, some place. */
static size_t line_before(bytes b, size_t place)
{
    while (place > 0 && b.data[place - 1] != '\n')
        place--;
    return place;
}

/* Some bytes, or some lines, of one file in the place of some of another. */
static void splice(bytes *to, bytes from)
{
    static uint8_t made[LARGEST];
    size_t a = below(to->size + 1), b = a + below(to->size - a + 1), c = below(from.size + 1),
           d = c + below(from.size - c + 1), size;
    if (below(2))
        a = line_before(*to, a), b = line_before(*to, b), c = line_before(from, c), d = line_before(from, d);
    else
        b = a + (b - a) % 16, d = c + (d - c) % 16;
    size = a + (d - c) + (to->size - b);
    if (size > LARGEST)
        return;
    memcpy(made, to->data, a);
    memcpy(made + a, from.data + c, d - c);
    memcpy(made + a + (d - c), to->data + b, to->size - b);
    memcpy(to->data, made, size);
    to->size = size;
}

static void mutate(bytes *input, const bytes *files, size_t count)
{
    static const char marks[] = "()=+-*/^',:[]#\n\"0123456789.etx_";
    for (size_t k = below(4) + 1; k > 0; k--)
        switch (below(3)) {
        case 0: splice(input, files[below(count)]); break;
        case 1: splice(input, *input); break;
        default:
            if (input->size)
                input->data[below(input->size)] =
                    below(8) ? (uint8_t)marks[below(sizeof marks - 1)] : (uint8_t)below(256);
        }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: replay NAME MUTATIONS SEED FILE...\n");
        return 2;
    }
    size_t count = (size_t)argc - 4, mutations = strtoul(argv[2], NULL, 10);
    bytes *files = calloc(count, sizeof *files), input = {malloc(LARGEST), 0};
    if (!files || !input.data)
        return 2;
    snprintf(kept, sizeof kept, "%s.input", argv[1]);
    state = strtoull(argv[3], NULL, 10);
    for (size_t i = 0; i < count; i++) {
        files[i] = read_file(argv[4 + i]);
        try(files[i]);
    }
    for (size_t i = 0; i < mutations; i++) {
        bytes from = files[below(count)];
        memcpy(input.data, from.data, from.size);
        input.size = from.size;
        mutate(&input, files, count);
        try(input);
    }
    remove(kept);
    printf("%zu inputs\n", count + mutations);
    for (size_t i = 0; i < count; i++)
        free(files[i].data);
    free(files);
    free(input.data);
    return 0;
}
