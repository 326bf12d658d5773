/* The sections of the page, without scripts. */
#include "report/inner.h"

#include <string.h>

void nh_html_text(nh_text *out, const char *text)
{
    for (const char *c = text; *c; c++)
        switch (*c) {
        case '<': nh_text_str(out, "&lt;"); break;
        case '>': nh_text_str(out, "&gt;"); break;
        case '&': nh_text_str(out, "&amp;"); break;
        case '"': nh_text_str(out, "&quot;"); break;
        default: nh_text_char(out, *c);
        }
}

static void begin(nh_text *out, const char *id, const char *heading)
{
    nh_text_format(out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, heading);
}

static void end(nh_text *out) { nh_text_str(out, "</section>\n"); }

static void model_section(nh_text *out, const nh_page_parts *p)
{
    begin(out, "model", "Model");
    nh_text_str(out, "<pre><code>");
    nh_html_text(out, nh_arena_copy(out->arena, p->source->text, p->source->length));
    nh_text_str(out, "</code></pre>\n");
    end(out);
}

/* MathML of present/, as it is. */
static void equations_section(nh_text *out, const nh_page_parts *p)
{
    begin(out, "equations", "Equations of motion");
    nh_text_add(out, p->equations.data, p->equations.length);
    end(out);
    nh_text_str(out, "<section id=\"steps\">\n<details>\n<summary>Show the steps</summary>\n");
    nh_text_add(out, p->steps.data, p->steps.length);
    nh_text_str(out, "</details>\n");
    end(out);
}

static void facts_section(nh_text *out, const nh_page_parts *p)
{
    begin(out, "facts", "What is true");
    nh_text_str(out,
                "<table>\n<thead><tr><th>fact</th><th>verdict</th><th>detail</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->facts.count; i++) {
        const nh_fact *f = &p->facts.items[i];
        const char *verdict = nh_verdict_text(f->verdict);
        nh_text_str(out, "<tr><td>");
        nh_html_text(out, f->name);
        nh_text_format(out, "</td><td class=\"%s\">%s</td><td>", verdict, verdict);
        nh_html_text(out, f->detail);
        nh_text_str(out, "</td></tr>\n");
    }
    nh_text_str(out, "</tbody>\n</table>\n");
    end(out);
}

static void motion_section(nh_text *out, const nh_page_parts *p)
{
    begin(out, "motion", "Motion");
    if (p->no_motion) {
        nh_text_str(out, "<p>There is no motion to show: ");
        nh_html_text(out, p->no_motion);
        nh_text_str(out, "</p>\n");
    } else {
        nh_text_str(out, "<div id=\"picture\"></div>\n<div id=\"plots\"></div>\n<div id=\"static-plots\">\n");
        nh_text_add(out, p->plots.data, p->plots.length);
        nh_text_str(out, "</div>\n");
    }
    end(out);
    if (p->no_motion)
        return;
    begin(out, "summary", "How it was computed");
    nh_text_str(out, "<pre>");
    nh_html_text(out, p->summary.data);
    nh_text_str(out, "</pre>\n");
    end(out);
}

void nh_html_static(nh_text *out, const nh_page_parts *p)
{
    const char *title = *p->model->title ? p->model->title : p->name;
    nh_text_str(out, "<header><h1>");
    nh_html_text(out, title);
    nh_text_str(out, "</h1></header>\n");
    motion_section(out, p);
    equations_section(out, p);
    facts_section(out, p);
    model_section(out, p);
    begin(out, "downloads", "Downloads");
    end(out);
}
