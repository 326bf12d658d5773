/* Inside present/: what the files that write equations share. */
#ifndef NH_PRESENT_WRITER_H
#define NH_PRESENT_WRITER_H

#include "derive/derive.h"

/* Why one of the two methods is not there. */
#define NH_NOT_ASKED_FOR "it was not asked for"

typedef struct nh_writer {
    nh_text *out;
    nh_equations *eq;
    nh_forms *forms;
    nh_principles *principles; /* NULL: none are asked for */
    nh_arena *scratch;
    nh_method method;
    nh_shared shared; /* of the long ones */
    nh_expr *longs;
    size_t n_longs, longs_capacity;
} nh_writer;

/* equations.c: an expression that may have to be written by parts, and its text. */
void nh_note_long(nh_writer *, const nh_expr *e, size_t count);
const char *nh_expr_written(nh_writer *, nh_expr e);

/* show.c: names separated by commas to bits NH_SHOW_...; an unknown one is reported to the context. */
unsigned nh_show_read(nh_context *, const char *names);
void nh_show_note_long(nh_writer *);
void nh_show_text(nh_writer *);
void nh_show_json(nh_writer *); /* the value of "show" */

#endif
