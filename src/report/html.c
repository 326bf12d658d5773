/* The sections of the page, without scripts. */
#include "lang/lang.h"
#include "report/inner.h"

#include <string.h>

static void escaped(nh_text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '<': nh_text_str(out, "&lt;"); break;
        case '>': nh_text_str(out, "&gt;"); break;
        case '&': nh_text_str(out, "&amp;"); break;
        case '"': nh_text_str(out, "&quot;"); break;
        default: nh_text_char(out, text[i]);
        }
}

void nh_html_text(nh_text *out, const char *text) { escaped(out, text, strlen(text)); }

static void begin(nh_text *out, const char *id, const char *heading)
{
    nh_text_format(out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, heading);
}

static void end(nh_text *out) { nh_text_str(out, "</section>\n"); }

/* The text as it is, its pieces in colours. */
static void coloured(nh_text *out, const nh_source *source)
{
    static const char *const classes[] = {
        [NH_MARKED_KEYWORD] = "keyword", [NH_MARKED_NAME] = "symbol",     [NH_MARKED_NUMBER] = "number",
        [NH_MARKED_TITLE] = "title",     [NH_MARKED_COMMENT] = "comment",
    };
    nh_marks marks = nh_marks_of(out->arena, source);
    size_t at = 0;
    for (size_t i = 0; i < marks.count; i++) {
        nh_span span = marks.items[i].span;
        escaped(out, source->text + at, span.offset - at);
        nh_text_format(out, "<span class=\"%s\">", classes[marks.items[i].kind]);
        escaped(out, source->text + span.offset, span.length);
        nh_text_str(out, "</span>");
        at = span.offset + span.length;
    }
    escaped(out, source->text + at, source->length - at);
}

/* An empty line first: a page drops the line break with which a text begins. */
static void model_section(nh_text *out, const nh_page_parts *p)
{
    const nh_model_source *given = p->source;
    const nh_source *source = nh_source_open(out->arena, given->name ? given->name : "model", given->text,
                                             given->length, &p->context->diagnostics);
    begin(out, "model", "Model");
    nh_text_str(out, "<pre>\n<code>");
    if (source) /* it has been read before */
        coloured(out, source);
    nh_text_str(out, "</code></pre>\n");
    end(out);
}

/* MathML of present/, as it is. */
static void equations_section(nh_text *out, const nh_page_parts *p)
{
    begin(out, "equations", "Equations of motion");
    nh_text_add(out, p->equations.data, p->equations.length);
    end(out);
    nh_text_str(out, "<section id=\"steps\">\n<details>\n<summary><h2>Every step</h2></summary>\n");
    nh_text_add(out, p->steps.data, p->steps.length);
    nh_text_str(out, "</details>\n");
    end(out);
}

static void facts_section(nh_text *out, const nh_page_parts *p)
{
    begin(out, "facts", "What is true");
    nh_text_str(out, "<table>\n<thead><tr><th scope=\"col\">fact</th><th scope=\"col\">verdict</th>"
                     "<th scope=\"col\">detail</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->facts.count; i++) {
        const nh_fact *f = &p->facts.items[i];
        const char *verdict = nh_verdict_text(f->verdict);
        nh_text_str(out, "<tr><th scope=\"row\">");
        nh_html_text(out, f->name);
        nh_text_format(out, "</th><td class=\"%s\">%s</td><td>", verdict, verdict);
        nh_html_text(out, f->detail);
        nh_text_str(out, "</td></tr>\n");
    }
    nh_text_str(out, "</tbody>\n</table>\n");
    end(out);
}

/* Where there is a script, it draws a better one. */
static void moving_picture(nh_text *out, const nh_page_parts *p, bool script)
{
    nh_text_str(out, script ? "<noscript>\n" : "");
    nh_report_moving(out, p);
    nh_text_str(out, script ? "</noscript>\n" : "");
}

static void motion_section(nh_text *out, const nh_page_parts *p, bool script)
{
    begin(out, "motion", "Motion");
    if (p->no_motion) {
        nh_text_str(out, "<p>There is no motion to show: ");
        nh_html_text(out, p->no_motion);
        nh_text_str(out, "</p>\n");
    } else {
        nh_text_str(out, "<div id=\"picture\"></div>\n");
        moving_picture(out, p, script);
        nh_text_str(out, "<div id=\"plots\"></div>\n<div id=\"static-plots\">\n");
        nh_text_add(out, p->plots.data, p->plots.length);
        nh_text_str(out, "</div>\n");
    }
    end(out);
}

static void summary_section(nh_text *out, const nh_page_parts *p)
{
    if (p->no_motion)
        return;
    begin(out, "summary", "How it was computed");
    nh_text_str(out, "<pre>");
    nh_html_text(out, p->summary.data);
    nh_text_str(out, "</pre>\n");
    end(out);
}

static void count(nh_text *out, size_t n, const char *one, const char *many)
{
    nh_text_format(out, "%zu %s", n, n == 1 ? one : many);
}

/* Links to the sections. */
static void contents(nh_text *out, const nh_page_parts *p, bool script)
{
    static const char *const links[][2] = {
        {"motion", "Motion"},       {"equations", "Equations of motion"},
        {"steps", "Every step"},    {"facts", "What is true"},
        {"model", "Model"},         {"summary", "How it was computed"},
        {"downloads", "Downloads"},
    };
    nh_text_str(out, "<nav aria-label=\"Contents\">");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (i < 5 || (i == 5 && !p->no_motion) || (i == 6 && script))
            nh_text_format(out, "<a href=\"#%s\">%s</a>\n", links[i][0], links[i][1]);
    nh_text_str(out, "</nav>");
}

static void header(nh_text *out, const nh_page_parts *p, bool script)
{
    nh_text_str(out, "<header><h1>");
    nh_html_text(out, *p->model->title ? p->model->title : p->name);
    nh_text_str(out, "</h1>\n<p>");
    count(out, p->model->n, "coordinate", "coordinates");
    nh_text_str(out, ", ");
    count(out, p->model->n - nh_model_m(p->model), "constraint", "constraints");
    nh_text_str(out, ", ");
    count(out, nh_model_m(p->model), "degree of freedom", "degrees of freedom");
    nh_text_str(out, "</p>\n");
    contents(out, p, script);
    nh_text_str(out, "</header>\n");
}

void nh_html_static(nh_text *out, const nh_page_parts *p, bool script)
{
    header(out, p, script);
    motion_section(out, p, script);
    equations_section(out, p);
    facts_section(out, p);
    model_section(out, p);
    summary_section(out, p);
    if (!script)
        return;
    begin(out, "downloads", "Downloads");
    end(out);
}
