/* test_threads PATH...: eight threads use the library at once, and each gets what one thread gets alone.
 *
 * First each thread has contexts and models of its own, and does other work than its neighbours; then all of them share models, each
 * with a context of its own; then they share a tape and its machine code. The variant `threads` is built with the thread sanitizer,
 * which tells of every two accesses to the same memory that nothing puts in an order. */
#include "nonholo.h"
#include "support/files.h"
#include "tape/tape.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8 };

static atomic_size_t failures, compared;

static void expect(bool holds, const char *file, const char *what)
{
    atomic_fetch_add(&compared, 1);
    if (holds)
        return;
    printf("%s: %s: not what one thread gets alone\n", file, what);
    atomic_fetch_add(&failures, 1);
}

/* ---------------------------------------------------------------- calls */

/* What a call answers: its status, and its texts one behind the other. */
typedef struct answer {
    nh_status status;
    char *text;
    size_t length;
} answer;

static int add_text(void *user, const char *text, size_t length)
{
    answer *a = user;
    char *longer = realloc(a->text, a->length + length + 1);
    if (!longer)
        return 1;
    memcpy(longer + a->length, text, length);
    a->text = longer, a->length += length;
    return 0;
}

typedef struct question {
    nh_context *context;
    const nh_model *model;
    nh_model_source source;
    nh_string text;
    answer answer;
} question;

typedef nh_status call_function(question *);

static nh_status call_check(question *q)
{
    return nh_model_check(q->context, q->model, NH_FORMAT_TEXT, &q->text);
}

static nh_status call_derive(question *q)
{
    nh_derive_options options = {.format = NH_FORMAT_LATEX, .steps = 1, .show = "gauss,christoffel"};
    return nh_model_derive_with(q->context, q->model, &options, &q->text);
}

static nh_status call_eval(question *q)
{
    nh_eval_options options = {.format = NH_FORMAT_JSON, .project = 1};
    return nh_model_eval_with(q->context, q->model, &options, &q->text);
}

/* The summary of a run tells times, too: only its rows are compared. */
static nh_status run_with(question *q, nh_run_options options)
{
    nh_string summary = {NULL, 0};
    int finished = 0;
    options.to = 2, options.every = 0.5, options.project = 1, options.write = add_text,
    options.user = &q->answer;
    nh_status status = nh_model_run(q->context, q->model, &options, &finished, &summary);
    nh_string_free(q->context, &summary);
    return status;
}

static nh_status call_run(question *q) { return run_with(q, (nh_run_options){.reactions = 1}); }

static nh_status call_compiled(question *q) { return run_with(q, (nh_run_options){.compile = 1}); }

static nh_status call_stiff(question *q)
{
    return run_with(q, (nh_run_options){.solver = NH_INTEGRATOR_CVODE, .tolerance = 1e-8});
}

/* Threads within threads. */
static nh_status call_many(question *q)
{
    char starts[200];
    snprintf(starts, sizeof starts, "%s\n0.1\n0.2\n0.3\n0.4\n0.5\n0.6\n0.7\n",
             nh_model_name(q->model, NH_COORDINATES, 0));
    return run_with(
        q, (nh_run_options){.starts = starts, .starts_length = strlen(starts), .threads = 2, .compile = 1});
}

static nh_status call_linearize(question *q)
{
    nh_linearize_options options = {.format = NH_FORMAT_JSON, .project = 1};
    return nh_model_linearize(q->context, q->model, &options, &q->text);
}

static nh_status call_export(question *q) { return nh_model_export(q->context, q->model, NULL, &q->text); }

static nh_status call_picture(question *q)
{
    nh_report_options options = {.to = 1, .every = 0.1};
    return nh_model_picture(q->context, q->model, &options, &q->text);
}

static nh_status call_format(question *q) { return nh_model_format(q->context, &q->source, &q->text); }

static const struct {
    const char *name;
    call_function *function;
} calls[] = {{"check", call_check},     {"derive", call_derive},         {"eval", call_eval},
             {"run", call_run},         {"compiled run", call_compiled}, {"stiff run", call_stiff},
             {"many runs", call_many},  {"linearize", call_linearize},   {"export", call_export},
             {"picture", call_picture}, {"format", call_format}};
enum { CALLS = sizeof calls / sizeof *calls };

static nh_model_source source_of(const test_file *file)
{
    return (nh_model_source){.name = file->path, .text = file->text, .length = file->length, .picture = 1};
}

static answer ask(nh_context *context, const nh_model *model, const test_file *file, size_t call)
{
    question q = {.context = context, .model = model, .source = source_of(file)};
    q.answer.status = calls[call].function(&q);
    if (q.text.data)
        add_text(&q.answer, q.text.data, q.text.length);
    for (size_t i = 0; i < nh_message_count(context); i++)
        add_text(&q.answer, nh_message_text(context, i), strlen(nh_message_text(context, i)));
    nh_string_free(context, &q.text);
    return q.answer;
}

/* With a context and a model for this call alone. */
static answer ask_afresh(const test_file *file, size_t call)
{
    nh_context *context = nh_context_new(NULL);
    nh_model_source source = source_of(file);
    nh_model *model = NULL;
    answer a = {.status = nh_model_read(context, &source, &model)};
    if (a.status == NH_OK)
        a = ask(context, model, file, call);
    nh_model_free(model);
    nh_context_free(context);
    return a;
}

/* ---------------------------------------------------------------- a tape */

enum { N = 12, ORDER = 8 };

typedef struct program {
    nh_heap heap;
    nh_arena arena, scratch;
    nh_pool pool;
    nh_tape *tape;
    nh_native *code; /* NULL: there is no compiler */
} program;

/* x_i' = sin(x_{i-1}) x_i / (2 + cos(x_{i+1})) */
static void program_begin(program *p)
{
    nh_heap_init(&p->heap, NULL, 0);
    nh_arena_init(&p->arena, &p->heap), nh_arena_init(&p->scratch, &p->heap);
    nh_pool_init(&p->pool, &p->arena);
    nh_expr x[N], roots[N];
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        x[i] = nh_symbol(&p->pool, name);
    }
    for (int i = 0; i < N; i++) {
        nh_expr sine = nh_call(&p->pool, NH_FN_sin, x[(i + N - 1) % N], NH_EXPR_NONE);
        nh_expr cosine = nh_call(&p->pool, NH_FN_cos, x[(i + 1) % N], NH_EXPR_NONE);
        nh_expr below = nh_add(&p->pool, nh_integer(&p->pool, 2), cosine);
        roots[i] = nh_div(&p->pool, nh_mul(&p->pool, sine, x[i]), below);
    }
    p->tape = nh_tape_new(&p->pool, &p->arena, &p->scratch, roots, N, x, N, NULL, 0, NH_FOR_SERIES);
    p->code = nh_native_new(p->tape, NH_NATIVE_SERIES, ORDER);
}

static void program_end(program *p)
{
    if (p->code)
        nh_native_free(p->code);
    nh_pool_free(&p->pool);
    nh_arena_free(&p->scratch), nh_arena_free(&p->arena);
}

/* The series of the motion, in memory of this thread; the sum of its coefficients, with weights that differ. */
static double follow(const program *p, double start, bool compiled)
{
    nh_heap heap;
    nh_arena arena;
    double sum = 0;
    nh_heap_init(&heap, NULL, 0);
    nh_arena_init(&arena, &heap);
    nh_series_double *s = nh_series_new_double(p->tape, &arena, ORDER);
    if (compiled && p->code)
        nh_series_use(s, p->code);
    nh_series_constants_double(s, NULL);
    for (size_t i = 0; i < N; i++)
        s->r[i * s->of_register] = start + 0.1 * (double)i;
    for (size_t k = 0; k < ORDER; k++) {
        nh_series_step_double(s, k);
        for (size_t i = 0; i < N; i++) {
            double rate = s->r[k * s->of_order + p->tape->outputs[i] * s->of_register];
            s->r[(k + 1) * s->of_order + i * s->of_register] = rate / (double)(k + 1);
            sum += rate * (double)(i + 1) / (double)(k + 1);
        }
    }
    nh_arena_free(&arena);
    return sum;
}

/* ---------------------------------------------------------------- the threads */

typedef struct worker {
    pthread_t thread;
    size_t number;
    const test_files *files;
    nh_model *const *models; /* shared, by file; NULL: each call reads its own */
    answer *answers;         /* by file and call */
    const program *program;
    const double *sums; /* by start */
} worker;

/* Every task, each thread beginning elsewhere. */
static void *work(void *arg)
{
    worker *w = arg;
    size_t count = w->files->count * CALLS;
    nh_context *context = w->models ? nh_context_new(NULL) : NULL;
    for (size_t i = 0; i < count; i++) {
        size_t task = (i + w->number * count / THREADS) % count, file = task / CALLS, call = task % CALLS;
        w->answers[task] = w->models ? ask(context, w->models[file], &w->files->items[file], call)
                                     : ask_afresh(&w->files->items[file], call);
    }
    nh_context_free(context);
    return NULL;
}

enum { STARTS = 200 };

static double start_of(size_t i) { return 0.01 * (double)i; }

static void *work_on_tape(void *arg)
{
    worker *w = arg;
    for (size_t i = 0; i < STARTS; i++) {
        expect(follow(w->program, start_of(i), false) == w->sums[i], "a tape", "its series");
        expect(follow(w->program, start_of(i), true) == w->sums[i], "a tape", "its series by machine code");
    }
    return NULL;
}

/* Each thread with a copy of what is common. */
static void run_all(const worker *common, worker *workers, void *(*body)(void *))
{
    size_t started = 0, count = common->files ? common->files->count * CALLS : 0;
    for (; started < THREADS; started++) {
        worker *w = &workers[started];
        *w = *common, w->number = started, w->answers = calloc(count + 1, sizeof *w->answers);
        if (!w->answers || pthread_create(&w->thread, NULL, body, w) != 0)
            break;
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    if (started < THREADS) {
        puts("not all threads could be started");
        exit(1);
    }
}

static bool same(const answer *a, const answer *b)
{
    return a->status == b->status && a->length == b->length &&
           (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

/* Frees what the threads have found. */
static void compare(worker *workers, const test_files *files, const answer *expected)
{
    for (size_t i = 0; i < THREADS; i++) {
        answer *answers = workers[i].answers;
        for (size_t task = 0; task < files->count * CALLS; task++) {
            expect(same(&answers[task], &expected[task]), files->items[task / CALLS].path,
                   calls[task % CALLS].name);
            free(answers[task].text);
        }
        free(answers);
    }
}

/* ---------------------------------------------------------------- what they share */

static void share_models(const test_files *files, const answer *expected)
{
    worker workers[THREADS];
    nh_context *context = nh_context_new(NULL);
    nh_model **models = calloc(files->count, sizeof *models);
    for (size_t i = 0; i < files->count; i++) {
        nh_model_source source = source_of(&files->items[i]);
        expect(nh_model_read(context, &source, &models[i]) == NH_OK, source.name, "reading");
    }
    run_all(&(worker){.files = files, .models = models}, workers, work);
    compare(workers, files, expected);
    for (size_t i = 0; i < files->count; i++)
        nh_model_free(models[i]);
    free(models);
    nh_context_free(context);
}

static void share_tape(void)
{
    worker workers[THREADS];
    program p;
    double sums[STARTS];
    program_begin(&p);
    for (size_t i = 0; i < STARTS; i++) {
        sums[i] = follow(&p, start_of(i), false);
        expect(isfinite(sums[i]), "a tape", "a number");
    }
    run_all(&(worker){.program = &p, .sums = sums}, workers, work_on_tape);
    for (size_t i = 0; i < THREADS; i++)
        free(workers[i].answers);
    program_end(&p);
}

int main(int argc, char **argv)
{
    test_files files = {NULL, 0};
    worker workers[THREADS];
    for (int i = 1; i < argc; i++)
        test_files_add(&files, argv[i]);
    size_t count = files.count * CALLS;
    answer *expected = calloc(count + 1, sizeof *expected);
    run_all(&(worker){.files = &files}, workers,
            work); /* first: what is made once in a process is not there yet */
    for (size_t i = 0; i < count; i++)
        expected[i] = ask_afresh(&files.items[i / CALLS], i % CALLS);
    compare(workers, &files, expected);
    share_models(&files, expected);
    share_tape();
    for (size_t i = 0; i < count; i++)
        free(expected[i].text);
    free(expected);
    test_files_free(&files);
    printf("%zu answers of %d threads, %zu of them wrong\n", atomic_load(&compared), THREADS,
           atomic_load(&failures));
    return count == 0 || failures > 0;
}
