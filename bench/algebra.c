/* algebra FILE: simplifies the expressions of a file of straight-line text, all in one call and one by one, and
 * writes as JSON lines how long that took and what it made of them. The results are compared with what they were made
 * of at random points; a difference ends the program with an error.
 *
 * algebra --measure FILE RESULT: the same measures for what another program made of the file.
 *
 * Seconds are processor time, the median of several runs, each with a context of its own. Characters are those of
 * the text in full; operations are counted with shared ones once. */
#include "straight.h"

#include "algebra/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 10000000, FEWEST_RUNS = 3, MOST_RUNS = 25, POINTS = 20 };
static const double LONG_ENOUGH = 0.5; /* seconds for all runs */

typedef struct bench {
    const char *path;
    const char *text;
    size_t length;
    const char *result_path; /* --measure */
    const char *result_text;
    size_t result_length;
} bench;

/* One reading of the file, in a context of its own. */
typedef struct session {
    const bench *bench;
    nh_context *context;
    nh_arena arena, pool_arena, scratch;
    nh_pool pool;
    straight s;
    nh_algebra algebra;
} session;

static void open_session(session *x)
{
    nh_arena_init(&x->arena, &x->context->heap);
    nh_arena_init(&x->pool_arena, &x->context->heap);
    nh_arena_init(&x->scratch, &x->context->heap);
    nh_pool_init(&x->pool, &x->pool_arena);
    straight_read(&x->s, &x->arena, &x->pool, x->bench->path, x->bench->text, x->bench->length);
    nh_algebra_init(&x->algebra, &x->pool, NULL, x->s.signs);
}

static void close_session(session *x)
{
    nh_algebra_free(&x->algebra);
    nh_pool_free(&x->pool);
    nh_arena_free(&x->scratch);
    nh_arena_free(&x->pool_arena);
    nh_arena_free(&x->arena);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---------------------------------------------------------------- measures */

static size_t characters(session *x, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(&x->scratch);
    nh_text text;
    nh_text_init(&text, &x->scratch);
    nh_expr_print(&text, &x->pool, e, LONGEST);
    size_t length = text.length;
    nh_arena_release(&x->scratch, mark);
    return length;
}

static void print_size(session *x, const char *name, const nh_expr *e, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += characters(x, e[i]);
    printf(", \"%s\": {\"characters\": %zu, \"operations\": %zu}", name, length,
           nh_count_operations(&x->pool, &x->scratch, e, count));
}

typedef struct term_count {
    const straight *s;
    size_t terms;
} term_count;

static void count_terms(nh_ring *ring, void *arg)
{
    term_count *count = arg;
    for (size_t i = 0; i < count->s->count; i++) {
        nh_q_struct *form = nh_ring_form(ring, count->s->roots[i]);
        nh_poly_fewest_terms(ring, nh_q_numref(form));
        nh_poly_pair_squares(ring, nh_q_numref(form));
        count->terms += (size_t)fmpz_mpoly_length(nh_q_numref(form), ring->ctx);
        if (!fmpz_mpoly_is_fmpz(nh_q_denref(form), ring->ctx))
            count->terms += (size_t)fmpz_mpoly_length(nh_q_denref(form), ring->ctx);
    }
}

/* Terms of the normal forms, in the angles as they are or in differences of neighbours. */
static void print_terms(session *x, const char *name, bool chained)
{
    term_count count = {.s = &x->s};
    nh_arena_mark mark = nh_arena_here(&x->algebra.scratch);
    if (nh_work(&x->algebra, x->s.roots, x->s.count, chained, count_terms, &count))
        printf(", \"%s\": %zu", name, count.terms);
    else
        printf(", \"%s\": null", name);
    nh_arena_release(&x->algebra.scratch, mark);
}

/* ---------------------------------------------------------------- comparison */

static double random_unit(uint64_t *state)
{
    *state = nh_hash(*state + 1);
    return (double)(*state >> 11) * 0x1p-53;
}

static void random_point(const straight *s, double *values, uint64_t *state)
{
    for (size_t i = 0; i < s->n_signs; i++) {
        double size = 0.25 + 1.5 * random_unit(state);
        bool minus = s->signs[i] < 0 || (s->signs[i] == 0 && random_unit(state) < 0.5);
        values[i] = minus ? -size : size;
    }
}

/* In doubles: no difference beyond the rounding errors, and those small at one point at least. */
static bool agree_in_doubles(session *x, nh_expr a, nh_expr b)
{
    double *values = nh_arena_array(&x->scratch, x->pool.n_symbols + 1, sizeof *values);
    uint64_t state = 1;
    bool told = false;
    for (int k = 0; k < POINTS; k++) {
        nh_expr both[2] = {a, b};
        double value[2], error[2];
        random_point(&x->s, values, &state);
        nh_evaluate(&x->pool, &x->scratch, both, 2, values, value, error);
        double difference = fabs(value[0] - value[1]), bound = error[0] + error[1];
        if (difference > 2 * bound)
            return false;
        told = told || bound < 1e-6 * (1 + fabs(value[0]));
    }
    return told;
}

/* Modulo a prime, where that decides it. */
static bool agree_in_residues(session *x, nh_modular *modular, nh_expr a, nh_expr b)
{
    nh_residue r = nh_modular_value(modular, nh_sub(&x->pool, a, b));
    bool zero = true;
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        zero = zero && (!(r.valid >> k & 1) || r.at[k] == 0);
    return zero || !r.exact || r.root;
}

static bool agree(session *x, nh_expr a, nh_expr b)
{
    nh_arena mod_arena;
    nh_arena_init(&mod_arena, &x->context->heap);
    bool same =
        agree_in_doubles(x, a, b) && agree_in_residues(x, nh_modular_new(&x->pool, &mod_arena, 7), a, b);
    nh_arena_free(&mod_arena);
    return same;
}

static void must_agree(session *x, const nh_expr *out, const char *how)
{
    for (size_t i = 0; i < x->s.count; i++)
        if (!agree(x, x->s.roots[i], out[i]))
            straight_fail("%s: %s, simplified %s, is not the same at some point", x->bench->path,
                          x->s.root_names[i], how);
}

/* ---------------------------------------------------------------- runs */

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

static void print_outcome(session *x, const char *entry, const char *how, double seconds, bool done)
{
    printf("{\"file\": \"%s\", \"entry\": \"%s\", \"how\": \"%s\", \"seconds\": %.9f, \"done\": %s",
           x->bench->path, entry, how, seconds, done ? "true" : "false");
    if (!done && x->algebra.reason)
        printf(", \"reason\": \"%s\"", x->algebra.reason);
}

static void print_together(session *x, double seconds, bool done, const nh_expr *out)
{
    print_outcome(x, "all", "together", seconds, done);
    print_size(x, "before", x->s.roots, x->s.count);
    print_size(x, "after", out, x->s.count);
    print_terms(x, "terms", false);
    print_terms(x, "terms_chained", true);
    puts("}");
    must_agree(x, out, "with the others");
}

/* The time of one call for all; written down where this is the last run. */
static double run_together(session *x, const double *seconds)
{
    nh_expr *out = nh_arena_array(&x->arena, x->s.count, sizeof *out);
    double start = now();
    bool done = nh_simplify(&x->algebra, x->s.roots, x->s.count, out);
    double time = now() - start;
    if (seconds)
        print_together(x, *seconds, done, out);
    return time;
}

static double run_separately(session *x, double *each, const double *seconds)
{
    double sum = 0;
    bool all = true;
    nh_expr *out = nh_arena_array(&x->arena, x->s.count, sizeof *out);
    for (size_t i = 0; i < x->s.count; i++) {
        double start = now();
        bool done = nh_simplify(&x->algebra, &x->s.roots[i], 1, &out[i]);
        double time = now() - start;
        sum += time;
        all = all && done;
        if (each)
            each[i] = time;
        if (!seconds)
            continue;
        print_outcome(x, x->s.root_names[i], "separately", seconds[i], done);
        print_size(x, "before", &x->s.roots[i], 1);
        print_size(x, "after", &out[i], 1);
        puts("}");
    }
    if (seconds) {
        must_agree(x, out, "alone");
        double total = 0;
        for (size_t i = 0; i < x->s.count; i++)
            total += seconds[i];
        print_outcome(x, "all", "separately", total, all);
        print_size(x, "after", out, x->s.count);
        puts("}");
    }
    return sum;
}

/* What is to be done in a session. */
typedef struct task {
    session x;
    bool together;
    double *times;         /* out, of this run: one, or one for each entry */
    const double *seconds; /* where this is the last run: the medians */
    double sum;
} task;

static void run(void *arg)
{
    task *t = arg;
    open_session(&t->x);
    if (t->together)
        t->sum = t->times[0] = run_together(&t->x, t->seconds);
    else
        t->sum = run_separately(&t->x, t->times, t->seconds);
    close_session(&t->x);
}

static void measure(void *arg)
{
    task *t = arg;
    session *x = &t->x;
    open_session(x);
    nh_expr *given = x->s.roots;
    const char **names = x->s.root_names;
    size_t count = x->s.count;
    bool same = true;
    x->s.roots = NULL, x->s.root_names = NULL;
    x->s.roots_capacity = x->s.names_capacity = 0;
    straight_read_more(&x->s, x->bench->result_path, x->bench->result_text, x->bench->result_length);
    for (size_t i = 0; i < x->s.count; i++)
        for (size_t k = 0; k < count; k++)
            if (strcmp(names[k], x->s.root_names[i]) == 0)
                same = same && agree(x, given[k], x->s.roots[i]);
    printf("{\"file\": \"%s\", \"entries\": %zu, \"same\": %s", x->bench->path, x->s.count,
           same ? "true" : "false");
    print_size(x, "after", x->s.roots, x->s.count);
    puts("}");
    close_session(x);
}

static void in_context(const bench *b, task *t, void (*body)(void *))
{
    t->x = (session){.bench = b, .context = nh_context_new(NULL)};
    nh_status status = t->x.context ? nh_heap_try(&t->x.context->heap, body, t) : NH_ERROR_MEMORY;
    if (status != NH_OK)
        straight_fail("%s: %s", b->path, nh_status_text(status));
    nh_context_free(t->x.context);
}

static size_t count_entries(const bench *b)
{
    size_t count = 0;
    for (const char *at = b->text; (at = strchr(at, '\n')); at++)
        count++;
    return count; /* at most */
}

/* Runs until the time is enough, takes the medians, and a last run writes them down. */
static void run_all(const bench *b, bool together)
{
    size_t entries = together ? 1 : count_entries(b), runs = 0;
    double *times = calloc(entries * MOST_RUNS, sizeof *times), *seconds = calloc(entries, sizeof *seconds);
    double *column = calloc(MOST_RUNS, sizeof *column), sum = 0;
    if (!times || !seconds || !column)
        straight_fail("no memory");
    while (runs < FEWEST_RUNS || (runs < MOST_RUNS && sum < LONG_ENOUGH)) {
        task t = {.together = together, .times = times + runs++ * entries};
        in_context(b, &t, run);
        sum += t.sum;
    }
    for (size_t i = 0; i < entries; i++) {
        for (size_t k = 0; k < runs; k++)
            column[k] = times[k * entries + i];
        seconds[i] = median(column, runs);
    }
    in_context(b, &(task){.together = together, .times = times, .seconds = seconds}, run);
    free(times), free(seconds), free(column);
}

int main(int argc, char **argv)
{
    bool measuring = argc == 4 && strcmp(argv[1], "--measure") == 0;
    if (argc != 2 && !measuring)
        straight_fail("usage: algebra FILE | algebra --measure FILE RESULT");
    bench b = {.path = argv[measuring ? 2 : 1]};
    char *text = straight_load(b.path, &b.length), *result = NULL;
    b.text = text;
    if (measuring) {
        b.result_path = argv[3];
        b.result_text = result = straight_load(b.result_path, &b.result_length);
        in_context(&b, &(task){.times = NULL}, measure);
    } else {
        run_all(&b, true);
        run_all(&b, false);
    }
    free(text);
    free(result);
    return 0;
}
