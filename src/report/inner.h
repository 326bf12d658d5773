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
    const char *no_motion; /* why there is none; NULL: there is one */
    char reason[400];
    nh_trace trace;
} nh_page_parts;

/* drawn.c: what is drawn, in numbers. */

/* A part of a drawing: a number, or the column where it changes. */
typedef struct nh_quantity {
    bool there, fixed;
    double value; /* fixed, or in the first row */
    size_t column;
} nh_quantity;

typedef struct nh_drawn {
    const nh_drawing *drawing;
    nh_quantity at[3], other[3], radius, R[9];
    double axes[3];   /* of an ellipsoid: half of each */
    double turned[9]; /* its principal axes as columns, by rows, in the frame of the body */
    bool is_turned;
    size_t colour; /* the same for all that has the same name */
} nh_drawn;

/* All drawings of the model. The columns of the motion hold them one after the other. */
typedef struct nh_scene {
    const nh_trace *trace;
    nh_drawn *items;
    size_t count;
    bool planar;
    bool curves; /* nothing is drawn: coordinates over time instead */
    double up[3];
} nh_scene;

nh_scene nh_scene_of(const nh_page_parts *, nh_arena *);
double nh_quantity_at(const nh_scene *, const nh_quantity *, size_t row);

/* html.c: text as text; the sections that need no script. script: there is a place for what it adds. */
void nh_html_text(nh_text *out, const char *text);
void nh_html_static(nh_text *out, const nh_page_parts *, bool script);

/* data.c: what the scripts read, as JSON. */
void nh_report_data(nh_text *out, const nh_page_parts *);

/* picture.c: the member "picture" of it, for the scripts. */
void nh_report_picture(nh_text *out, const nh_page_parts *);

/* moving.c: the picture as SVG that plays by itself; false: there is none. */
bool nh_report_moving(nh_text *out, const nh_page_parts *);

/* template.c: the page around the sections. script: with what the scripts need. */
void nh_report_page(nh_text *out, const nh_page_parts *, bool script);

#endif
