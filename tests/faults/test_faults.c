/* test_faults PATH...: every allocation fails once, in every public call that makes any. The call then says so,
 * everything is given back, and the context still works. */
#include "nonholo.h"
#include "support/files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- memory that can fail */

typedef struct memory {
    size_t used, blocks; /* not yet given back */
    size_t taken;        /* how often take was called since the last start() */
    size_t fail_at;      /* the call that fails; SIZE_MAX: none */
    bool lasting;        /* all later ones fail as well */
    bool failed;
} memory;

static void *take(void *user, size_t size)
{
    memory *m = user;
    size_t i = m->taken++;
    if (i == m->fail_at || (m->lasting && i > m->fail_at)) {
        m->failed = true;
        return NULL;
    }
    m->used += size, m->blocks++;
    return malloc(size);
}

static void give(void *user, void *block, size_t size)
{
    memory *m = user;
    m->used -= size, m->blocks--;
    free(block);
}

static void start(memory *m, size_t fail_at, bool lasting)
{
    m->taken = 0, m->fail_at = fail_at, m->lasting = lasting, m->failed = false;
}

static void start_without(memory *m) { start(m, SIZE_MAX, false); }

/* ---------------------------------------------------------------- models */

/* With warnings, and with values from the command line. */
static const char built_in[] =
    "system Built in\n"
    "coordinates x, y\n"
    "angles theta\n"
    "parameters m = 1, g = 981/100, l = 2*m, big = 123456789012345678901234567890\n"
    "input u = min(sin(t), 1/2)\n"
    "let v = (x', y')\n"
    "point P at (x, y) mass m force (u, -big*y')\n"
    "gravity (0, -g)\n"
    "kinetic 1/2*m*l^2*theta'^2\n"
    "potential 1/2*(x - cosh(y))^2/(1 + sqrt(2 + theta^2))\n"
    "constraint blade: cross(v, (cos(theta), sin(theta))) = 0\n"
    "constraint x - x = 0\n"
    "constraint 2*x'*sin(theta) = 2*y'*cos(theta)\n"
    "initial x = 1, y' = l\n"
    "observe R = reaction(x) + multiplier(blade), K = kinetic\n"
    "integral E = kinetic + potential\n";

static nh_model_source source_of(const test_file *file)
{
    bool own = file->text == built_in;
    return (nh_model_source){.name = file->path,
                             .text = file->text,
                             .length = file->length,
                             .set = own ? "m=3,l=m+1" : NULL,
                             .start = own ? "x=2*m,y=1,t=1" : NULL};
}

/* ---------------------------------------------------------------- calls */

static const char *current; /* the file */
static const char *call;
static size_t faults, failures;

static void expect(bool holds, const memory *m, const char *what)
{
    if (holds)
        return;
    printf("%s: %s, allocation %zu%s fails: %s\n", current, call, m->fail_at,
           m->lasting ? " and all later ones" : "", what);
    failures++;
}

/* What a test needs, made without faults. */
typedef struct bench {
    memory memory;
    nh_context *context;
    nh_model_source source;
    nh_model *model;   /* for check; made by another call of the same context */
    size_t variant;    /* which of its options a call takes; the same in all calls that are compared */
    nh_status outcome; /* of the call without faults */
    size_t messages, used, turn;
} bench;

typedef nh_status (*call_function)(bench *b, nh_string *text);

static nh_status call_read(bench *b, nh_string *text)
{
    nh_model *model = (nh_model *)b; /* no model, no NULL */
    nh_status status = nh_model_read(b->context, &b->source, &model);
    (void)text;
    expect((status == NH_OK) == (model != NULL), &b->memory, "a model although the call failed");
    nh_model_free(model);
    return status;
}

static nh_status call_format(bench *b, nh_string *text)
{
    return nh_model_format(b->context, &b->source, text);
}
static nh_status call_text(bench *b, nh_string *text)
{
    return nh_model_check(b->context, b->model, NH_FORMAT_TEXT, text);
}
static nh_status call_json(bench *b, nh_string *text)
{
    return nh_model_check(b->context, b->model, NH_FORMAT_JSON, text);
}

static nh_status call_derive(bench *b, nh_string *text)
{
    return nh_model_derive(b->context, b->model, NH_FORMAT_TEXT, text);
}

static nh_status call_show(bench *b, nh_string *text)
{
    nh_derive_options options = {.format = NH_FORMAT_JSON,
                                 .show = "gauss,gibbs-appell,virtual,christoffel,geodesic,newton"};
    return nh_model_derive_with(b->context, b->model, &options, text);
}

static nh_status call_steps(bench *b, nh_string *text)
{
    static const nh_format formats[] = {NH_FORMAT_TEXT, NH_FORMAT_LATEX, NH_FORMAT_HTML, NH_FORMAT_MODEL};
    nh_derive_options options = {.format = formats[b->variant % 4], .steps = 1, .show = "gauss,virtual"};
    return nh_model_derive_with(b->context, b->model, &options, text);
}

static int take_rows(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    return 0;
}

/* One start after the other, by the first coordinate. */
static void add_starts(bench *b, char *text, size_t size, nh_run_options *options)
{
    snprintf(text, size, "%s\n0.1\n0.2\n0.3\n", nh_model_name(b->model, NH_COORDINATES, 0));
    options->starts = text, options->starts_length = strlen(text);
    options->compare = options->certify = 0;
}

/* Where the model has no such state, that is an outcome like another. */
static nh_status unless_model(nh_status status) { return status == NH_ERROR_MODEL || status == NH_ERROR_NOT_FOUND ? NH_OK : status; }

/* Not every model has a start. */
static nh_status call_run(bench *b, nh_string *text)
{
    char starts[200];
    size_t variant = b->variant;
    int finished;
    nh_run_options options = {.to = 0.5, .every = 0.1, .reactions = 1, .compare = 1, .write = take_rows};
    options.certify = variant % 4 == 1, options.format = (nh_rows_format)(variant % 3);
    options.solver = variant % 5 == 3 ? NH_INTEGRATOR_CVODE : NH_INTEGRATOR_AUTO, options.project = 1;
    if (variant % 4 == 2)
        add_starts(b, starts, sizeof starts, &options);
    nh_status status = nh_model_run(b->context, b->model, &options, &finished, text);
    return unless_model(status);
}

static nh_status call_eval(bench *b, nh_string *text)
{
    return nh_model_eval(b->context, b->model, NH_FORMAT_TEXT, text);
}

static nh_status call_export(bench *b, nh_string *text)
{
    nh_export_options options = {.language = (nh_language)(b->variant % 4)};
    return nh_model_export(b->context, b->model, &options, text);
}

static nh_status call_linearize(bench *b, nh_string *text)
{
    nh_linearize_options options = {.format = (nh_format)(b->variant % 2), .project = 1, .steady = b->variant % 3 == 1};
    return unless_model(nh_model_linearize(b->context, b->model, &options, text));
}

static nh_status call_equilibria(bench *b, nh_string *text)
{
    nh_equilibria_options options = {.format = (nh_format)(b->variant % 2), .steady = b->variant % 3 == 1};
    return unless_model(nh_model_equilibria(b->context, b->model, &options, text));
}

static nh_status call_lyapunov(bench *b, nh_string *text)
{
    int finished;
    nh_lyapunov_options options = {.format = (nh_format)(b->variant % 2), .to = 1, .project = 1};
    return unless_model(nh_model_lyapunov(b->context, b->model, &options, &finished, text));
}

static nh_status call_picture(bench *b, nh_string *text)
{
    nh_report_options options = {.to = 0.5, .every = 0.05};
    return unless_model(nh_model_picture(b->context, b->model, &options, text));
}

static nh_status call_report(bench *b, nh_string *text)
{
    nh_report_options options = {.to = 0.5, .every = 0.1, .plain = 1};
    return unless_model(nh_model_report(b->context, b->model, &b->source, &options, text));
}

/* The smallest space, and no limit of time that could end it here or there: what is compared has to be the same work. */
static nh_status call_integrals(bench *b, nh_string *text)
{
    nh_integrals_options options = {.format = b->variant % 2 ? NH_FORMAT_JSON : NH_FORMAT_TEXT,
                                    .degree = 1,
                                    .space = "constants",
                                    .max_seconds = 60};
    return nh_model_integrals(b->context, b->model, &options, text);
}

static void bench_begin(bench *b, const test_file *file, bool model)
{
    *b = (bench){.source = source_of(file)};
    start_without(&b->memory);
    nh_options options = {.allocator = {&b->memory, take, give}};
    b->context = nh_context_new(&options);
    if (model)
        nh_model_read(b->context, &b->source, &b->model);
}

static void bench_end(bench *b)
{
    nh_model_free(b->model);
    nh_context_free(b->context);
    expect(b->memory.used == 0 && b->memory.blocks == 0, &b->memory, "not everything is given back");
}

/* The call without faults: how it ends, and how many allocations it makes. */
static size_t rehearse(bench *b, call_function function)
{
    nh_string text = {NULL, 0};
    start_without(&b->memory);
    b->outcome = function(b, &text);
    b->messages = nh_message_count(b->context);
    nh_string_free(b->context, &text);
    b->used = b->memory.used;
    return b->memory.taken;
}

/* Again without faults; fail_at is that of the call before. */
static void call_once_more(bench *b, call_function function, size_t fail_at)
{
    nh_string text = {NULL, 0};
    start_without(&b->memory);
    nh_status status = function(b, &text);
    nh_string_free(b->context, &text);
    b->memory.fail_at = fail_at;
    expect(status == b->outcome && nh_message_count(b->context) == b->messages, &b->memory,
           "the context no longer works");
    expect(b->memory.used == b->used, &b->memory, "not everything is given back");
    b->used = b->memory.used;
}

/* One fault; the next one finds what it left, and now and then a call without any does. */
static void call_with_fault(bench *b, call_function function, size_t fail_at, bool lasting)
{
    nh_string text = {NULL, 0};
    start(&b->memory, fail_at, lasting);
    nh_status status = function(b, &text);
    if (b->memory.failed) {
        faults++;
        expect(status == NH_ERROR_MEMORY, &b->memory, nh_status_text(status));
        expect(text.data == NULL, &b->memory, "a text although the call failed");
        for (size_t i = 0; i < nh_message_count(b->context); i++)
            expect(*nh_message_text(b->context, i), &b->memory, "an empty message");
    } else {
        expect(status == b->outcome, &b->memory, "another outcome");
    }
    nh_string_free(b->context, &text);
    if (++b->turn % 3 == 0)
        call_once_more(b, function, fail_at);
}

/* Every allocation; where there are more than `most`, every so-many-th, beginning elsewhere for each file. */
static void fail_everywhere(const test_file *file, const char *name, call_function function, size_t most,
                            size_t number)
{
    bench b;
    call = name;
    bench_begin(&b, file, function != call_format && function != call_read);
    b.variant = number;
    rehearse(&b, function); /* the first call also makes what the context keeps */
    size_t count = rehearse(&b, function), step = count / most + 1;
    for (size_t i = number % step, turn = 0; i < count; i += step, turn++) {
        call_with_fault(&b, function, i, turn % 2 == 0);
        if (step == 1)
            call_with_fault(&b, function, i, turn % 2 != 0);
    }
    call_once_more(&b, function, b.memory.fail_at);
    bench_end(&b);
}

/* A context that fails once is thrown away: what is left must be nothing, wherever it stopped. */
static void fail_new_context(const test_file *file)
{
    memory m = {0};
    nh_options options = {.allocator = {&m, take, give}};
    nh_model_source source = source_of(file);
    call = "nh_context_new and all";
    bool done = false;
    for (size_t n = 0; !done && n < 200; n = n < 60 ? n + 1 : n + 29) {
        start(&m, n, true);
        nh_context *context = nh_context_new(&options);
        nh_model *model = NULL;
        nh_string text = {NULL, 0};
        expect(context || m.failed, &m, "no context");
        if (context && nh_model_read(context, &source, &model) == NH_OK)
            done = nh_model_check(context, model, NH_FORMAT_TEXT, &text) == NH_OK;
        nh_string_free(context, &text);
        nh_model_free(model);
        nh_context_free(context);
        expect(m.used == 0 && m.blocks == 0, &m, "not everything is given back");
    }
}

/* The limit of the context itself. */
static void run_out_of_limit(const test_file *file)
{
    call = "a limit of memory";
    for (size_t limit = 1 << 10; limit < (size_t)1 << 22; limit *= 2) {
        memory m = {0};
        start_without(&m);
        nh_options options = {.allocator = {&m, take, give}, .max_bytes = limit};
        nh_context *context = nh_context_new(&options);
        nh_model *model = NULL;
        nh_model_source source = source_of(file);
        nh_status status = nh_model_read(context, &source, &model);
        expect(status == NH_OK || status == NH_ERROR_MODEL || status == NH_ERROR_MEMORY, &m,
               nh_status_text(status));
        expect(m.used <= limit && nh_context_peak_bytes(context) <= limit, &m, "the limit is passed");
        nh_model_free(model);
        nh_context_free(context);
        expect(m.used == 0, &m, "not everything is given back");
    }
}

/* The calls that have variants; with 0...4 each option is taken once. */
static void fail_variant(const test_file *file, size_t variant)
{
    fail_everywhere(file, "nh_model_derive_with, steps", call_steps, 4, variant);
    fail_everywhere(file, "nh_model_run", call_run, 4, variant);
    fail_everywhere(file, "nh_model_export", call_export, 4, variant);
    fail_everywhere(file, "nh_model_picture", call_picture, 2, variant);
    if (variant % 8 >= 5) /* long calls: not for every model */
        return;
    fail_everywhere(file, "nh_model_integrals", call_integrals, 2, variant);
    fail_everywhere(file, "nh_model_linearize", call_linearize, 2, variant);
    if (variant % 8 < 3) {
        fail_everywhere(file, "nh_model_equilibria", call_equilibria, 1, variant);
        fail_everywhere(file, "nh_model_report", call_report, 1, variant);
    }
    fail_everywhere(file, "nh_model_lyapunov", call_lyapunov, 2, variant);
}

static bool is_valid(const test_file *file)
{
    bench b;
    call = "nh_model_read, nh_model_free";
    bench_begin(&b, file, true);
    bool valid = b.model != NULL;
    bench_end(&b);
    return valid;
}

static void test_model(const test_file *file, size_t number)
{
    current = file->path;
    fail_new_context(file);
    run_out_of_limit(file);
    fail_everywhere(file, "nh_model_format", call_format, 1000, number);
    fail_everywhere(file, "nh_model_read", call_read, 1000, number);
    if (is_valid(file)) {
        fail_everywhere(file, "nh_model_check, text", call_text, 12, 7 * number);
        fail_everywhere(file, "nh_model_check, json", call_json, 4, 7 * number);
        fail_everywhere(file, "nh_model_derive", call_derive, 4, 7 * number);
        fail_everywhere(file, "nh_model_derive_with, show", call_show, 4, 7 * number);
        fail_everywhere(file, "nh_model_eval", call_eval, 4, 7 * number);
        fail_variant(file, 7 * number);
    }
}

/* PART/PARTS FILE...: the first part is the model that is built in, the others have the files between them; a single part has all. */
int main(int argc, char **argv)
{
    test_files files = {NULL, 0};
    test_file own = {.path = (char[]){"built in"}, .text = (char *)built_in, .length = sizeof built_in - 1};
    size_t part = 0, parts = 0;
    if (argc < 2 || sscanf(argv[1], "%zu/%zu", &part, &parts) != 2 || part < 1 || part > parts) {
        puts("usage: test_faults PART/PARTS FILE...");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        test_files_add(&files, argv[i]);
    current = own.path;
    if (!is_valid(&own))
        puts("the model that is built in is wrong"), failures++;
    if (part == 1)
        test_model(&own, 0);
    for (size_t variant = 1; variant < 5 && part == 1; variant++)
        fail_variant(&own, variant);
    for (size_t i = 0; i < files.count; i++)
        if (parts == 1 || (part > 1 && i % (parts - 1) == part - 2))
            test_model(&files.items[i], i);
    printf("%zu files, part %zu of %zu: %zu faults, %zu failures\n", files.count, part, parts, faults, failures);
    test_files_free(&files);
    return failures > 0 || faults == 0;
}
