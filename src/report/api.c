/* nh_model_report: the results of the other calls, one after the other, on one page. */
#include "report/inner.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- the motion */

static int take_text(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    return 0;
}

typedef struct run_of_page {
    nh_page_parts *p;
    const nh_report_options *o;
} run_of_page;

static void keep_names(nh_trace *t, size_t count, const char *const *names, const nh_column *columns)
{
    t->n_columns = count;
    t->names = nh_arena_array(t->arena, count + 1, sizeof *t->names);
    t->columns = nh_arena_array(t->arena, count + 1, sizeof *t->columns);
    for (size_t i = 0; i < count; i++)
        t->names[i] = nh_arena_copy(t->arena, names[i], strlen(names[i])), t->columns[i] = columns[i];
}

static int take_row(void *user, size_t count, const char *const *names, const nh_column *columns,
                    const double *values)
{
    run_of_page *r = user;
    nh_trace *t = &r->p->trace;
    if (!values) {
        keep_names(t, count, names, columns);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        nh_push(t->arena, t->values, t->n_values, t->capacity) = values[i];
    t->rows++;
    return 0;
}

static int is_stopped(void *user)
{
    run_of_page *r = user;
    return r->o->stop && r->o->stop(r->o->user);
}

static void tell(void *user, double part)
{
    run_of_page *r = user;
    if (r->o->progress)
        r->o->progress(r->o->user, part);
}

enum { ROWS = 400 };

static nh_status run(nh_page_parts *p)
{
    const nh_report_options *o = p->options;
    run_of_page user = {p, o};
    int finished = 0;
    nh_run_options run = {.to = o->to, .every = o->every, .parts = ROWS, .reactions = 1, .picture = 1};
    run.write = take_text, run.row = take_row, run.stop = is_stopped, run.progress = tell, run.user = &user;
    nh_status status = nh_model_run(p->context, p->model, &run, &finished, &p->summary);
    if (status != NH_ERROR_MODEL)
        return status;
    nh_message why = nh_message_get(p->context, 0);
    size_t length = strlen(why.message), most = sizeof p->reason - 1;
    memcpy(p->reason, why.message, length < most ? length : most); /* where memory may fail, there is nobody to say so */
    p->no_motion = p->reason;
    return NH_OK;
}

/* ---------------------------------------------------------------- everything else */

static nh_status derive(nh_page_parts *p, nh_format format, int steps, nh_string *out)
{
    nh_derive_options options = {
        .format = format, .steps = steps, .fragment = format == NH_FORMAT_MATHML, .level = 3, .width = 100};
    return nh_model_derive_with(p->context, p->model, &options, out);
}

static nh_status plot(nh_page_parts *p)
{
    const nh_trace *t = &p->trace;
    if (p->no_motion || !t->rows)
        return NH_OK;
    return nh_plot_rows(p->context, NULL, t->n_columns, t->names, t->columns, t->values, t->rows, &p->plots);
}

static nh_status find_parts(nh_page_parts *p)
{
    nh_status status = derive(p, NH_FORMAT_MATHML, 0, &p->equations);
    if (status == NH_OK)
        status = derive(p, NH_FORMAT_MATHML, 1, &p->steps);
    if (status == NH_OK)
        status = derive(p, NH_FORMAT_LATEX, 1, &p->latex);
    if (status == NH_OK)
        status = nh_model_export(p->context, p->model, &(nh_export_options){.name = p->name}, &p->code);
    if (status == NH_OK)
        status = run(p);
    return status == NH_OK ? plot(p) : status;
}

static void free_parts(nh_page_parts *p)
{
    nh_string *all[] = {&p->equations, &p->steps, &p->latex, &p->code, &p->plots, &p->summary};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        nh_string_free(p->context, all[i]);
}

/* ---------------------------------------------------------------- the calls */

typedef struct report_job {
    nh_page_parts *parts;
    nh_equations *equations;
    nh_string *html;
} report_job;

static void write_page(void *arg)
{
    report_job *job = arg;
    nh_page_parts *p = job->parts;
    nh_text out;
    job->equations = nh_equations_new(p->context, p->model);
    p->facts = nh_all_facts(job->equations);
    nh_text_init(&out, &job->equations->arena);
    p->name = nh_well_formed(&job->equations->arena, p->name);
    nh_report_page(&out, p, !p->options->plain);
    if (p->no_motion)
        nh_report(&p->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL,
                  "the page has no motion: %s", p->no_motion);
    nh_string_make(p->context, &out, job->html);
}

static void write_picture(void *arg)
{
    report_job *job = arg;
    nh_text out;
    nh_text_init(&out, &job->parts->context->arena);
    job->parts->name = nh_well_formed(&job->parts->context->arena, job->parts->name);
    if (nh_report_moving(&out, job->parts))
        nh_string_make(job->parts->context, &out, job->html);
    else
        nh_report(&job->parts->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                  "there is no picture: %s",
                  job->parts->no_motion ? job->parts->no_motion : "there is nothing to look at");
}

static nh_page_parts parts_of(nh_context *context, const nh_model *model, const nh_model_source *source,
                              const nh_report_options *options, nh_arena *arena)
{
    static const nh_report_options defaults = {.to = NAN};
    nh_page_parts p = {.context = context, .model = model, .source = source};
    p.options = options ? options : &defaults;
    p.name = p.options->name ? p.options->name : "model";
    nh_arena_init(arena, &context->heap); /* of the motion */
    p.trace.arena = arena;
    return p;
}

nh_status nh_model_report(nh_context *context, const nh_model *model, const nh_model_source *source,
                          const nh_report_options *options, nh_string *html)
{
    if (!context || !model || !source || !html)
        return NH_ERROR_ARGUMENT;
    nh_arena arena;
    *html = (nh_string){NULL, 0};
    nh_page_parts parts = parts_of(context, model, source, options, &arena);
    nh_status status = find_parts(&parts);
    report_job job = {&parts, NULL, html};
    if (status == NH_OK)
        status = nh_context_call(context, write_page, &job);
    nh_equations_free(job.equations);
    free_parts(&parts);
    nh_arena_free(&arena);
    return status;
}

nh_status nh_model_picture(nh_context *context, const nh_model *model, const nh_report_options *options,
                           nh_string *svg)
{
    if (!context || !model || !svg)
        return NH_ERROR_ARGUMENT;
    nh_arena arena;
    *svg = (nh_string){NULL, 0};
    nh_page_parts parts = parts_of(context, model, NULL, options, &arena);
    nh_status status = run(&parts);
    report_job job = {&parts, NULL, svg};
    if (status == NH_OK)
        status = nh_context_call(context, write_picture, &job);
    free_parts(&parts);
    nh_arena_free(&arena);
    return status;
}
