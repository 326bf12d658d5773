/* Inside report/. */
#ifndef NH_REPORT_INNER_H
#define NH_REPORT_INNER_H

#include "present/present.h"

/* The motion, row after row. */
typedef struct nh_trace {
    nh_arena *arena;
    size_t n_columns, rows;
    const char **names;
    nh_column *columns;
    double *values;
    size_t n_values, capacity;
} nh_trace;

/* What the page is made of; NULL: it is not there. */
typedef struct nh_page_parts {
    nh_context *context;
    const nh_model *model;
    const nh_model_source *source;
    const nh_report_options *options;
    const char *name; /* of downloads */
    nh_string equations, steps, latex, code, plots, summary;
    nh_facts facts;
    const char *no_motion; /* why there is none */
    nh_trace trace;
} nh_page_parts;

/* html.c: text as text; the sections that need no script. */
void nh_html_text(nh_text *out, const char *text);
void nh_html_static(nh_text *out, const nh_page_parts *);

/* data.c: what the scripts read, as JSON. */
void nh_report_data(nh_text *out, const nh_page_parts *);

/* picture.c: the member "picture" of it. */
void nh_report_picture(nh_text *out, const nh_page_parts *);

/* template.c: the page around the sections. script: with what the scripts need. */
void nh_report_page(nh_text *out, const nh_page_parts *, bool script);

#endif
