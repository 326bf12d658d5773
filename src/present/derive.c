/* The equations of motion in every format: what is asked for, and the call. */
#include "present/objects.h"
#include "present/present.h"
#include "present/systems.h"

#include <string.h>

/* Operations beyond which a formula is written by parts: in JSON, and for readers. */
enum { LONGEST_WHOLE = 600, LONGEST_READ = 150 };

/* Operations that are worth a name of their own, in the same. */
enum { SMALLEST_NAMED = 0, SMALLEST_NAMED_READ = 8 };

/* Seconds for simplifying: the equations, and what is shown besides. */
enum { SECONDS = 20, SECONDS_TO_SHOW = 10 };

enum { DEFAULT_WIDTH = 80, NARROWEST = 40, WIDEST = 100000 };

/* A large second kind is shown as the linear system that it is; its elimination only where it is asked for. */
static bool is_eliminated(const nh_writer *w, nh_choice object)
{
    if (object == NH_OBJECT_Z_upper && nh_first_is_large(w))
        return !(w->only >> object & 1);
    bool solved = object == NH_OBJECT_D || object == NH_OBJECT_lambda || object == NH_OBJECT_R ||
                  object == NH_OBJECT_R_upper;
    return solved && nh_second_is_large(w) && !(w->only >> object & 1);
}

static bool is_in_summary(const nh_writer *w, nh_choice object)
{
    return object == NH_OBJECT_psi || object == NH_OBJECT_Z_upper || object == NH_OBJECT_D ||
           object == NH_OBJECT_lambda || object == NH_OBJECT_R || (w->only && w->only >> object & 1);
}

/* Those of the objects that are written. */
static void find_long(nh_writer *w, bool json)
{
    double longest = json ? LONGEST_WHOLE : LONGEST_READ;
    for (nh_choice k = NH_OBJECT_g; k < NH_CHOICES; k++) {
        size_t count;
        const nh_expr *e = nh_object_values(w, k, &count);
        bool shown =
            !is_eliminated(w, k) && !nh_object_is_too_long(w, k) && (w->steps || is_in_summary(w, k));
        if (nh_is_wanted(w, k) && (json || shown))
            nh_note_long(w, e, count, longest);
    }
    if (json || (!w->forms->psi && nh_is_wanted(w, NH_PART_FIRST)))
        nh_note_long(w, w->forms->acceleration, w->eq->n, longest);
    if (w->principles)
        nh_show_note_long(w, longest);
    nh_share_longs(w, json ? SMALLEST_NAMED : SMALLEST_NAMED_READ);
}

typedef struct derive_job {
    nh_context *context;
    const nh_model *model;
    nh_derive_options options;
    nh_string *text;
    nh_equations *equations;
} derive_job;

static void start_page(const derive_job *job, nh_writer *w)
{
    nh_format format = job->options.format;
    size_t width = job->options.width ? job->options.width : DEFAULT_WIDTH;
    w->page = (nh_page){.maker = {.arena = &job->equations->arena, .pool = &job->equations->pool}};
    w->page.maker.no_index_a = job->equations->r == 1;
    w->page.maker.plain = format == NH_FORMAT_MODEL || (format == NH_FORMAT_TEXT && job->options.ascii);
    w->page.width = format == NH_FORMAT_MODEL ? WIDEST : width < NARROWEST ? NARROWEST : width;
    w->page.fragment = job->options.fragment || format == NH_FORMAT_MATHML;
    w->page.level = job->options.level < 0 ? 0 : job->options.level > 6 ? 6 : job->options.level;
    nh_math_distinguish(&w->page.maker, (const char *const *)w->eq->pool.symbols, w->eq->pool.n_symbols);
}

static void write_page(const derive_job *job, nh_writer *w)
{
    start_page(job, w);
    if (w->steps)
        nh_derive_worksheet(w);
    else
        nh_derive_summary(w);
    if (job->options.format == NH_FORMAT_LATEX)
        nh_page_latex(&w->page, w->out);
    else if (job->options.format == NH_FORMAT_MATHML || job->options.format == NH_FORMAT_HTML)
        nh_page_mathml(&w->page, w->out, job->options.format == NH_FORMAT_HTML);
    else
        nh_page_text(&w->page, w->out);
}

static void derive(void *arg)
{
    derive_job *job = arg;
    nh_derive_options *o = &job->options;
    unsigned shown = (unsigned)nh_choices_read(job->context, "--show", o->show, nh_show_names, NH_SHOW_COUNT);
    uint64_t only = nh_choices_read(job->context, "--only", o->only, nh_choice_names, NH_CHOICES);
    if (job->context->diagnostics.errors)
        return;
    job->equations = nh_equations_new(job->context, job->model);
    nh_warn_dependent(job->equations);
    if (o->method == NH_METHOD_FIRST && !job->equations->second.reason)
        job->equations->second.reason = NH_NOT_ASKED_FOR;
    nh_forms *forms = nh_equations_forms(job->equations, nh_heap_seconds(&job->context->heap, SECONDS));
    nh_text out;
    nh_text_init(&out, &job->equations->arena);
    nh_writer w = {.out = &out,
                   .eq = job->equations,
                   .forms = forms,
                   .scratch = &job->context->arena,
                   .method = o->method,
                   .only = only,
                   .steps = o->steps != 0 || only & NH_WORKSHEET_ONLY};
    if (shown)
        w.principles = nh_equations_principles(job->equations, forms, shown, SECONDS_TO_SHOW);
    find_long(&w, o->format == NH_FORMAT_JSON);
    if (o->format == NH_FORMAT_JSON)
        nh_derive_json(&w);
    else
        write_page(job, &w);
    nh_string_make(job->context, &out, job->text);
}

nh_status nh_model_derive_with(nh_context *context, const nh_model *model, const nh_derive_options *options,
                               nh_string *text)
{
    if (!context || !model || !text)
        return NH_ERROR_ARGUMENT;
    *text = (nh_string){NULL, 0};
    derive_job job = {context, model, options ? *options : (nh_derive_options){0}, text, NULL};
    nh_status status = nh_context_call(context, derive, &job);
    nh_equations_free(job.equations);
    return status;
}

nh_status nh_model_derive(nh_context *context, const nh_model *model, nh_format format, nh_string *text)
{
    return nh_model_derive_with(context, model, &(nh_derive_options){.format = format}, text);
}
