/* Inside present/: what the files that write equations share. */
#ifndef NH_PRESENT_WRITER_H
#define NH_PRESENT_WRITER_H

#include "derive/derive.h"
#include "present/page.h"
#include "present/present.h"

/* Why one of the two methods is not there. */
#define NH_NOT_ASKED_FOR "it was not asked for"

typedef struct nh_writer {
    nh_text *out;
    nh_equations *eq;
    nh_forms *forms;
    nh_principles *principles; /* NULL: none are asked for */
    nh_arena *scratch;
    nh_method method;
    uint64_t only;    /* bits of objects.h; 0: all */
    bool steps;       /* the worksheet */
    nh_shared shared; /* of the long ones */
    nh_expr *longs;
    size_t n_longs, longs_capacity;
    size_t *place_of_long; /* by expression, up to the largest: its place among them + 1 */
    nh_expr largest_long;
    nh_page page; /* but for JSON */
} nh_writer;

/* choices.c: the bits of names separated by commas; an unknown one is reported to the context. */
uint64_t nh_choices_read(nh_context *, const char *option, const char *text, const char *const *names,
                         size_t count);

/* longs.c: operations of the tree, shared ones as often as they occur; an expression that may have to be written by parts, if it
 * has more than so many of them; names for what all those noted have in common, if it has so many; what it is written as then. */
double nh_tree_size(const nh_pool *, nh_arena *scratch, nh_expr e);
void nh_note_long(nh_writer *, const nh_expr *e, size_t count, double longest);
void nh_share_longs(nh_writer *, double smallest);
nh_expr nh_expr_shortened(const nh_writer *, nh_expr e);
const char *nh_expr_written(nh_writer *, nh_expr e); /* in the model language */

/* json.c */
void nh_derive_json(nh_writer *);

/* summary.c, worksheet.c: the equations alone, or what is asked for, step by step, on the page. */
void nh_derive_summary(nh_writer *);
void nh_derive_worksheet(nh_writer *);

/* show.c: the principles and the geometry. */
void nh_show_note_long(nh_writer *, double longest);
void nh_show_page(nh_writer *);
void nh_show_json(nh_writer *); /* the value of "show" */

/* facts.c */
const char *nh_kind_text(nh_constraint_kind);

#endif
