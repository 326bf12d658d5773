/* worker [SECONDS [MEGABYTES]]: the library behind a pipe, one context for all that is asked.
 *
 * A request is a line, a word and numbers; the last numbers are the lengths of the texts that follow it:
 *     read TEXT SET START         a model, in place of the last one; a text of length 0 is none
 *     format TEXT                 its layout
 *     derive FORMAT               nh_format
 *     eval METHOD PROJECT         nh_method
 *     check
 *     run METHOD SOLVER COMPILE PROJECT TO EVERY TOLERANCE STARTS
 *     export LANGUAGE             nh_language
 *     fresh                       another context
 * The answer is a line "STATUS FLAG BYTES TEXT MESSAGES", then the text and the messages; FLAG is that of a run that was
 * finished, BYTES is what the context holds. A request that takes more than SECONDS of the processor ends the process, and
 * so does memory beyond MEGABYTES. */
#include "nonholo.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

static nh_context *context;
static nh_model *model;
static char *texts[3]; /* of the request; the first one of the last model is kept in `source` */
static char *source_texts[3];
static size_t live;
static int seconds; /* of the processor, for a request */

static void *take(void *user, size_t size)
{
    (void)user;
    void *block = malloc(size);
    live += block ? size : 0;
    return block;
}

static void give(void *user, void *block, size_t size)
{
    (void)user;
    live -= block ? size : 0;
    free(block);
}

static void broken(const char *what)
{
    fprintf(stderr, "worker: %s\n", what);
    exit(3);
}

static void new_context(void)
{
    context = nh_context_new(&(nh_options){.allocator = {NULL, take, give}});
    if (!context)
        broken("no memory for a context");
}

/* ---------------------------------------------------------------- questions and answers */

static char *take_text(size_t length)
{
    char *text = malloc(length + 1);
    if (!text || fread(text, 1, length, stdin) != length)
        broken("a text is too short");
    text[length] = '\0';
    return text;
}

static size_t messages_length(void)
{
    size_t length = 0;
    for (size_t i = 0; i < nh_message_count(context); i++)
        length += strlen(nh_message_text(context, i));
    return length;
}

static void answer(nh_status status, int flag, const char *text, size_t length)
{
    printf("%d %d %zu %zu %zu\n", (int)status, flag, live, length, messages_length());
    fwrite(text, 1, length, stdout);
    for (size_t i = 0; i < nh_message_count(context); i++)
        fputs(nh_message_text(context, i), stdout);
    fflush(stdout);
}

static void answer_string(nh_status status, nh_string *string)
{
    answer(status, 0, string->data ? string->data : "", string->data ? string->length : 0);
    nh_string_free(context, string);
}

/* ---------------------------------------------------------------- the calls */

static void read_model(const double *numbers)
{
    nh_model_free(model);
    model = NULL;
    for (int i = 0; i < 3; i++) {
        free(source_texts[i]);
        source_texts[i] = texts[i];
        texts[i] = NULL;
    }
    nh_model_source source = {.name = "model", .text = source_texts[0], .length = (size_t)numbers[0],
                              .set = *source_texts[1] ? source_texts[1] : NULL,
                              .start = *source_texts[2] ? source_texts[2] : NULL};
    answer(nh_model_read(context, &source, &model), model != NULL, "", 0);
}

static void format_model(const double *numbers)
{
    nh_string text = {NULL, 0};
    nh_model_source source = {.name = "model", .text = texts[0], .length = (size_t)numbers[0]};
    answer_string(nh_model_format(context, &source, &text), &text);
}

static void derive(const double *numbers)
{
    nh_string text = {NULL, 0};
    nh_derive_options options = {.format = (nh_format)numbers[0], .steps = numbers[1] != 0};
    answer_string(nh_model_derive_with(context, model, &options, &text), &text);
}

static void evaluate(const double *numbers)
{
    nh_string text = {NULL, 0};
    nh_eval_options options = {.format = NH_FORMAT_JSON, .method = (nh_method)numbers[0], .project = (int)numbers[1]};
    answer_string(nh_model_eval_with(context, model, &options, &text), &text);
}

static void check(const double *numbers)
{
    (void)numbers;
    nh_string text = {NULL, 0};
    answer_string(nh_model_check(context, model, NH_FORMAT_JSON, &text), &text);
}

static void export_model(const double *numbers)
{
    nh_string text = {NULL, 0};
    nh_export_options options = {.language = (nh_language)numbers[0], .name = "model"};
    answer_string(nh_model_export(context, model, &options, &text), &text);
}

typedef struct rows {
    char *text;
    size_t length, size;
} rows;

static int take_rows(void *user, const char *text, size_t length)
{
    rows *r = user;
    if (r->length + length > r->size) {
        r->size = 2 * (r->length + length);
        r->text = realloc(r->text, r->size);
        if (!r->text)
            broken("no memory for rows");
    }
    memcpy(r->text + r->length, text, length);
    r->length += length;
    return 0;
}

/* A motion may creep for hours. It has half of the time of a request, and says then that it was stopped: what does not look at this in
 * time is ended with the request. */
static int is_over(void *user)
{
    (void)user;
    struct itimerval left;
    getitimer(ITIMER_PROF, &left);
    return left.it_value.tv_sec < seconds / 2 ? NH_STOP_TIME : 0;
}

static void run(const double *numbers)
{
    rows r = {NULL, 0, 0};
    nh_string summary = {NULL, 0};
    int finished = 0;
    nh_run_options options = {.method = (nh_method)numbers[0],
                              .solver = (nh_integrator)numbers[1],
                              .compile = (int)numbers[2],
                              .project = (int)numbers[3],
                              .to = numbers[4],
                              .every = numbers[5],
                              .tolerance = numbers[6],
                              .reactions = 0,
                              .threads = 1,
                              .starts = *texts[0] ? texts[0] : NULL,
                              .starts_length = (size_t)numbers[7],
                              .starts_name = "starts",
                              .write = take_rows,
                              .stop = is_over,
                              .user = &r};
    nh_status status = nh_model_run(context, model, &options, &finished, &summary);
    /* the summary stands behind the rows, after a NUL */
    take_rows(&r, "", 1);
    if (summary.data)
        take_rows(&r, summary.data, summary.length);
    answer(status, finished, r.text, r.length);
    nh_string_free(context, &summary);
    free(r.text);
}

/* What the context holds once the model is freed, and once it is freed itself: 0. */
static void fresh(const double *numbers)
{
    (void)numbers;
    nh_model_free(model);
    model = NULL;
    nh_context_free(context);
    size_t left = live;
    new_context();
    answer(left ? NH_ERROR_MEMORY : NH_OK, 0, "", 0);
}

static const struct {
    const char *name;
    void (*call)(const double *numbers);
    int numbers, texts, needs_model; /* the last `texts` of the numbers are lengths */
} requests[] = {
    {"read", read_model, 3, 3, 0}, {"format", format_model, 1, 1, 0}, {"derive", derive, 2, 0, 1}, {"eval", evaluate, 2, 0, 1},
    {"check", check, 0, 0, 1},     {"run", run, 8, 1, 1},             {"export", export_model, 1, 0, 1}, {"fresh", fresh, 0, 0, 0},
};

static void serve(char *line)
{
    char *word = strtok(line, " \n");
    for (size_t k = 0; word && k < sizeof requests / sizeof *requests; k++)
        if (strcmp(word, requests[k].name) == 0) {
            double numbers[8];
            for (int i = 0; i < requests[k].numbers; i++) {
                char *number = strtok(NULL, " \n");
                numbers[i] = number ? atof(number) : 0;
            }
            for (int i = 0; i < requests[k].texts; i++) {
                free(texts[i]);
                texts[i] = take_text((size_t)numbers[requests[k].numbers - requests[k].texts + i]);
            }
            if (requests[k].needs_model && !model)
                broken("there is no model");
            requests[k].call(numbers);
            return;
        }
    broken("no such request");
}

#if defined(__SANITIZE_ADDRESS__)
#define NH_SHADOWED 1 /* sanitizers have terabytes of their own */
#else
#define NH_SHADOWED 0
#endif

int main(int argc, char **argv)
{
    seconds = argc > 1 ? atoi(argv[1]) : 10;
    rlim_t megabytes = argc > 2 ? (rlim_t)atoi(argv[2]) : 1024;
    struct rlimit memory = {megabytes << 20, megabytes << 20}, core = {0, 0};
    setrlimit(RLIMIT_CORE, &core);
    if (!NH_SHADOWED)
        setrlimit(RLIMIT_DATA, &memory);
    signal(SIGPIPE, SIG_DFL);
    new_context();
    char line[1000];
    while (fgets(line, sizeof line, stdin)) {
        /* SIGPROF ends a process that has used its time */
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
        serve(line);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = 0}}, NULL);
    }
    nh_model_free(model);
    nh_context_free(context);
    for (int i = 0; i < 3; i++) {
        free(texts[i]);
        free(source_texts[i]);
    }
    if (live)
        broken("memory is left at the end");
    return 0;
}
