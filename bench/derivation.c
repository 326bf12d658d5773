/* derivation MODEL: from the text of a model to evaluable equations of both kinds, nothing simplified, and a JSON line
 * that tells how long that took, how many operations they have, and their values at a random state on the constraint.
 *
 * derivation --once MODEL: the same without repetitions, for a measure of memory.
 *
 * derivation --system MODEL: what the equations are derived from, as straight-line text for other programs: energy (kinetic), potential,
 * force_1.., constraint_1.., parametric_1.., and before them, in comments, the names of the coordinates (the velocity
 * of x is d_x), of the z, and of the time.
 *
 * Seconds are processor time, the median of several runs, each with a context of its own. */
#include "straight.h"

#include "derive/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEWEST_RUNS = 5, MOST_RUNS = 101 };
static const double LONG_ENOUGH = 0.5; /* seconds for all runs */

typedef struct bench {
    const char *path;
    const char *text;
    size_t length;
    bool system; /* --system */
    bool last;   /* this run writes */
    size_t runs;
    double read[MOST_RUNS], derive[MOST_RUNS]; /* seconds */
    nh_context *context;
    nh_model *model;
    nh_equations *eq;
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t runs)
{
    qsort(times, runs, sizeof *times, by_size);
    return runs % 2 ? times[runs / 2] : (times[runs / 2 - 1] + times[runs / 2]) / 2;
}

/* ---------------------------------------------------------------- the system for others */

static const char *name_of(nh_arena *arena, const char *prefix, const char *name)
{
    nh_text text;
    nh_text_init(&text, arena);
    nh_text_format(&text, "%s%s", prefix, name);
    return nh_text_get(&text);
}

static const char *numbered(nh_arena *arena, const char *name, size_t number)
{
    nh_text text;
    nh_text_init(&text, arena);
    nh_text_format(&text, "%s_%zu", name, number);
    return nh_text_get(&text);
}

static const char *symbol_name(const nh_equations *eq, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return nh_symbol_name(&eq->pool, index);
}

static void write_names(const nh_equations *eq)
{
    printf("# coordinates");
    for (size_t i = 0; i < eq->n; i++)
        printf(" %s", symbol_name(eq, eq->model->coordinates[i].q));
    printf("\n# velocities");
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        printf(" %s", symbol_name(eq, eq->z[alpha].symbol));
    printf("\n# time %s\n", symbol_name(eq, eq->model->time));
}

static void write_system(nh_equations *eq)
{
    nh_arena *arena = &eq->arena;
    const nh_model *model = eq->model;
    size_t n = eq->n, r = eq->second.reason ? 0 : eq->r, count = 0;
    nh_expr *roots = nh_arena_array(arena, 2 + 2 * n + r, sizeof *roots);
    const char **names = nh_arena_array(arena, 2 + 2 * n + r, sizeof *names);
    nh_expr *rate = nh_arena_array(arena, n, sizeof *rate), *named = nh_arena_array(arena, n, sizeof *named);
    names[count] = "energy", roots[count++] = model->kinetic;
    names[count] = "potential", roots[count++] = model->potential;
    for (size_t i = 0; i < n; i++)
        names[count] = numbered(arena, "force", i + 1), roots[count++] = model->coordinates[i].force;
    for (size_t a = 0; a < r; a++)
        names[count] = numbered(arena, "constraint", a + 1), roots[count++] = eq->second.C[a];
    for (size_t i = 0; i < n; i++)
        names[count] = numbered(arena, "parametric", i + 1), roots[count++] = eq->first.psi[i];
    for (size_t i = 0; i < n; i++) {
        rate[i] = model->coordinates[i].rate;
        named[i] = nh_symbol(&eq->pool, name_of(arena, "d_", symbol_name(eq, model->coordinates[i].q)));
    }
    nh_substitute(&eq->pool, &eq->context->arena, roots, count, rate, named, n, roots);
    signed char *signs = nh_arena_array(arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(model, arena), model->pool.n_symbols);
    write_names(eq);
    straight_write(stdout, &eq->pool, &eq->context->arena, signs, roots, names, count);
}

/* ---------------------------------------------------------------- figures */

static double random_unit(uint64_t *state)
{
    *state = nh_hash(*state + 1);
    return (double)(*state >> 11) * 0x1p-53;
}

static double *value_at(const nh_equations *eq, double *values, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return &values[index];
}

/* Parameters from 1/2 to 3/2, the rest from -1 to 1; q' = psi. */
static double *random_state(nh_equations *eq)
{
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    double *psi = nh_arena_array(&eq->arena, eq->n, sizeof *psi);
    uint64_t state = 1;
    for (size_t i = 0; i < eq->pool.n_symbols; i++) {
        bool parameter = i < eq->model->pool.n_symbols && eq->model->roles[i].role == NH_ROLE_PARAMETER;
        values[i] = parameter ? 0.5 + random_unit(&state) : 2 * random_unit(&state) - 1;
    }
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++)
        *value_at(eq, values, eq->model->coordinates[i].rate) = psi[i];
    return values;
}

static void write_values(nh_equations *eq, const char *name, const nh_expr *e, size_t count, const double *values)
{
    double *out = nh_arena_array(&eq->arena, count, sizeof *out);
    nh_evaluate(&eq->pool, &eq->context->arena, e, count, values, out, NULL);
    printf(", \"%s\": [", name);
    for (size_t i = 0; i < count; i++)
        printf("%s%.17g", i ? ", " : "", out[i]);
    printf("]");
}

static void write_state(nh_equations *eq, double *values)
{
    printf(", \"state\": {");
    for (size_t i = 0; i < eq->n; i++) {
        const char *name = symbol_name(eq, eq->model->coordinates[i].q);
        printf("\"%s\": %.17g, \"d_%s\": %.17g, ", name, *value_at(eq, values, eq->model->coordinates[i].q), name,
               *value_at(eq, values, eq->model->coordinates[i].rate));
    }
    for (uint32_t i = 0; i < eq->model->pool.n_symbols; i++)
        if (eq->model->roles[i].role == NH_ROLE_PARAMETER)
            printf("\"%s\": %.17g, ", nh_symbol_name(&eq->pool, i), values[i]);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        printf("\"%s\": %.17g, ", eq->z[alpha].name, *value_at(eq, values, eq->z[alpha].symbol));
    printf("\"%s\": %.17g}", symbol_name(eq, eq->model->time), *value_at(eq, values, eq->model->time));
}

/* The most memory so far. (getrusage also counts what the program had that started this one.) */
static long kilobytes(void)
{
    char line[200];
    long most = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld kB", &most) == 1)
            break;
    if (file)
        fclose(file);
    return most;
}

static void write_figures(bench *b)
{
    nh_equations *eq = b->eq;
    nh_arena *scratch = &eq->context->arena;
    printf("{\"n\": %zu, \"m\": %zu, \"r\": %zu, \"runs\": %zu, \"read\": %.9f, \"derive\": %.9f, \"kilobytes\": %ld", eq->n,
           eq->m, eq->r, b->runs, median(b->read, b->runs), median(b->derive, b->runs), kilobytes());
    double *values = random_state(eq);
    printf(", \"operations_first\": %zu", nh_count_operations(&eq->pool, scratch, eq->first.Z_upper, eq->m));
    write_values(eq, "Z", eq->first.Z_upper, eq->m, values);
    if (!eq->second.reason) {
        printf(", \"operations_second\": %zu", nh_count_operations(&eq->pool, scratch, eq->second.D, eq->n));
        write_values(eq, "D", eq->second.D, eq->n, values);
    }
    write_state(eq, values);
    puts("}");
}

/* ---------------------------------------------------------------- runs */

static void derive(void *arg)
{
    bench *b = arg;
    double start = now();
    b->eq = nh_equations_new(b->context, b->model);
    b->derive[b->runs++] = now() - start;
    if (b->last && !b->eq->first.psi)
        straight_fail("%s: the constraints cannot be solved for velocities", b->path);
    if (b->last && b->system)
        write_system(b->eq);
    else if (b->last)
        write_figures(b);
    nh_equations_free(b->eq);
}

static void must(bench *b, nh_status status)
{
    if (status == NH_OK)
        return;
    for (size_t i = 0; i < nh_message_count(b->context); i++)
        fputs(nh_message_text(b->context, i), stderr);
    straight_fail("%s: %s", b->path, nh_status_text(status));
}

static double run(bench *b)
{
    b->context = nh_context_new(NULL);
    if (!b->context)
        straight_fail("no memory");
    double start = now();
    must(b, nh_model_read(b->context, &(nh_model_source){.name = b->path, .text = b->text, .length = b->length}, &b->model));
    b->read[b->runs] = now() - start;
    must(b, nh_heap_try(&b->context->heap, derive, b));
    nh_model_free(b->model);
    nh_context_free(b->context);
    return now() - start;
}

int main(int argc, char **argv)
{
    bool once = argc == 3 && strcmp(argv[1], "--once") == 0, system = argc == 3 && strcmp(argv[1], "--system") == 0;
    if (argc != 2 && !once && !system)
        straight_fail("usage: derivation [--once|--system] MODEL");
    static bench b;
    b.path = argv[argc - 1];
    char *text = straight_load(b.path, &b.length);
    b.text = text;
    b.system = system;
    double sum = 0;
    while (!once && !system && (b.runs < FEWEST_RUNS || (b.runs < MOST_RUNS - 1 && sum < LONG_ENOUGH)))
        sum += run(&b);
    b.last = true;
    run(&b);
    free(text);
    return 0;
}
