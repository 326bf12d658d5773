/* Inside present/: the objects of both recipes, by the names under which they are asked for. */
#ifndef NH_PRESENT_OBJECTS_H
#define NH_PRESENT_OBJECTS_H

#include "present/writer.h"

/* What --only takes: parts of the worksheet first, then objects, by their names in JSON. */
typedef enum nh_choice {
    NH_PART_SYSTEM,
    NH_PART_CONSTRAINTS,
    NH_PART_FIRST,
    NH_PART_SECOND,
    NH_PART_AGREEMENT,
    NH_PART_FACTS,
    NH_PART_OPERATIONS,
    NH_OBJECT_g,
    NH_OBJECT_g_inverse,
    NH_OBJECT_A,
    NH_OBJECT_L,
    NH_OBJECT_positions,
    NH_OBJECT_psi,
    NH_OBJECT_psi_alpha,
    NH_OBJECT_G,
    NH_OBJECT_G_inverse,
    NH_OBJECT_Zbar,
    NH_OBJECT_Z_lower,
    NH_OBJECT_Z_upper,
    NH_OBJECT_R_first,
    NH_OBJECT_C,
    NH_OBJECT_C_i,
    NH_OBJECT_C_upper,
    NH_OBJECT_G_upper,
    NH_OBJECT_G_lower,
    NH_OBJECT_C_a,
    NH_OBJECT_pi,
    NH_OBJECT_g_minus_pi,
    NH_OBJECT_dC,
    NH_OBJECT_dC_dt,
    NH_OBJECT_D,
    NH_OBJECT_lambda,
    NH_OBJECT_R,
    NH_OBJECT_R_upper,
    NH_CHOICES,
} nh_choice;

extern const char *const nh_choice_names[NH_CHOICES];

/* Parts that only the worksheet has. */
#define NH_WORKSHEET_ONLY                                                                                                    \
    (UINT64_C(1) << NH_PART_SYSTEM | UINT64_C(1) << NH_PART_CONSTRAINTS | UINT64_C(1) << NH_PART_AGREEMENT |                 \
     UINT64_C(1) << NH_PART_FACTS | UINT64_C(1) << NH_PART_OPERATIONS)

/* Whether it is asked for, by itself or with its part. */
bool nh_is_wanted(const nh_writer *, nh_choice object);

nh_choice nh_object_part(nh_choice object);

/* The values of an object and their number; NULL: it is not there. */
const nh_expr *nh_object_values(const nh_writer *, nh_choice object, size_t *count);

/* Whether nobody would read it; one that is asked for by its name is shown all the same. */
bool nh_object_is_too_long(const nh_writer *, nh_choice object);

/* The object on the page: a matrix, a list of entries where that is too wide, or why it is not there. */
void nh_object_page(nh_writer *, nh_choice object);

/* Whether the second kind goes by the inverses of g and G^ab; if not, it is a linear system, whose solution may be too large for
 * a reader. */
bool nh_second_by_inverses(const nh_writer *);
bool nh_second_is_large(const nh_writer *);

/* A formula with what is long shortened. */
const nh_math *nh_written_math(nh_writer *, nh_expr e);

#endif
