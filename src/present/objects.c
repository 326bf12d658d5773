/* The objects on a page. */
#include "present/objects.h"

#include <stddef.h>
#include <string.h>

const char *const nh_choice_names[NH_CHOICES] = {
    "system", "constraints", "first",   "second",  "agreement", "facts",   "operations",
    "g",      "g_inverse",   "A",       "L",       "positions", "psi",     "psi_alpha",
    "G",      "G_inverse",   "Zbar",    "Z_lower", "Z_upper",   "R_first", "C",
    "C_i",    "C_upper",     "G_upper", "G_lower", "C_a",       "pi",      "g_minus_pi",
    "dC",     "dC_dt",       "D",       "lambda",  "R",         "R_upper"};

/* What an index runs over. */
typedef enum family { NOTHING, COORDINATES, VELOCITIES, CONSTRAINTS, POSITIONS } family;

/* base with the index of the row and of the column, each above or below; together: the matrix in brackets. */
typedef struct object {
    nh_choice part;
    const char *path; /* in nh_forms.unexpanded */
    size_t offset;    /* in nh_forms */
    family rows, columns;
    const char *base;
    bool row_above, column_above, symmetric;
    const char *together;
    const char *single; /* the same for one constraint, where it is not what is left without its index */
} object;

#define AT(member) offsetof(nh_forms, member)

static const object objects[NH_CHOICES] = {
    [NH_OBJECT_g] = {NH_PART_SYSTEM, "g", AT(g), COORDINATES, COORDINATES, "g", false, false, true,
                     "[g_{i j}]"},
    [NH_OBJECT_g_inverse] = {NH_PART_SECOND, "g_inverse", AT(g_inverse), COORDINATES, COORDINATES, "g", true,
                             true, true, "[g^{i j}]"},
    [NH_OBJECT_A] = {NH_PART_SYSTEM, "A", AT(A), COORDINATES, NOTHING, "A", false, false, false, "A_i"},
    [NH_OBJECT_L] = {NH_PART_FIRST, "L", AT(L), COORDINATES, NOTHING, "L", false, false, false, "L_i"},
    [NH_OBJECT_positions] = {NH_PART_CONSTRAINTS, "positions", AT(positions), POSITIONS, NOTHING, "f", true,
                             false, false, NULL},
    [NH_OBJECT_psi] = {NH_PART_FIRST, "first.psi", AT(psi), COORDINATES, NOTHING, "psi", true, false, false,
                       "psi^i"},
    [NH_OBJECT_psi_alpha] = {NH_PART_FIRST, "first.psi_alpha", AT(psi_alpha), VELOCITIES, COORDINATES, "psi",
                             false, true, false, "[psi^i_alpha]"},
    [NH_OBJECT_G] = {NH_PART_FIRST, "first.G", AT(G), VELOCITIES, VELOCITIES, "G", false, false, true,
                     "[G_{alpha beta}]"},
    [NH_OBJECT_G_inverse] = {NH_PART_FIRST, "first.G_inverse", AT(G_inverse), VELOCITIES, VELOCITIES, "G",
                             true, true, true, "[G^{alpha beta}]"},
    [NH_OBJECT_Zbar] = {NH_PART_FIRST, "first.Zbar", AT(Zbar), COORDINATES, NOTHING, "Zbar", false, false,
                        false, "Zbar_i"},
    [NH_OBJECT_Z_lower] = {NH_PART_FIRST, "first.Z_lower", AT(Z_lower), VELOCITIES, NOTHING, "Z", false,
                           false, false, "Z_alpha"},
    [NH_OBJECT_Z_upper] = {NH_PART_FIRST, "first.Z_upper", AT(Z_upper), VELOCITIES, NOTHING, "Z", true, false,
                           false, "Z^alpha"},
    [NH_OBJECT_R_first] = {NH_PART_FIRST, "first.R", AT(R_first), COORDINATES, NOTHING, "R", false, false,
                           false, "R_i"},
    [NH_OBJECT_C] = {NH_PART_CONSTRAINTS, "second.C", AT(C), CONSTRAINTS, NOTHING, "C", true, false, false,
                     "C^a"},
    [NH_OBJECT_C_i] = {NH_PART_SECOND, "second.C_i", AT(C_i), CONSTRAINTS, COORDINATES, "C", true, false,
                       false, "[C^a_i]"},
    [NH_OBJECT_C_upper] = {NH_PART_SECOND, "second.C_upper", AT(C_upper), CONSTRAINTS, COORDINATES, "C", true,
                           true, false, "[C^{a i}]"},
    [NH_OBJECT_G_upper] = {NH_PART_SECOND, "second.G_upper", AT(G_upper), CONSTRAINTS, CONSTRAINTS, "G", true,
                           true, true, "[G^{a b}]", "G"},
    [NH_OBJECT_G_lower] = {NH_PART_SECOND, "second.G_lower", AT(G_lower), CONSTRAINTS, CONSTRAINTS, "G",
                           false, false, true, "[G_{a b}]", "G^{-1}"},
    [NH_OBJECT_C_a] = {NH_PART_SECOND, "second.C_a", AT(C_a), CONSTRAINTS, COORDINATES, "C", false, true,
                       false, "[C_a^i]", "[C_star^i]"},
    [NH_OBJECT_pi] = {NH_PART_SECOND, "second.pi", AT(pi), COORDINATES, COORDINATES, "pi", true, true, true,
                      "[pi^{i j}]"},
    [NH_OBJECT_g_minus_pi] = {NH_PART_SECOND, "second.g_minus_pi", AT(g_minus_pi), COORDINATES, COORDINATES,
                              "(g - pi)", true, true, true, "[g^{i j} - pi^{i j}]"},
    [NH_OBJECT_dC] = {NH_PART_SECOND, "second.dC", AT(dC), CONSTRAINTS, COORDINATES, "partial C", true, false,
                      false, "[partial_i C^a]"},
    [NH_OBJECT_dC_dt] = {NH_PART_SECOND, "second.dC_dt", AT(dC_dt), CONSTRAINTS, NOTHING, "partial_t C", true,
                         false, false, "partial_t C^a"},
    [NH_OBJECT_D] = {NH_PART_SECOND, "second.D", AT(D), COORDINATES, NOTHING, "D", true, false, false, "D^i"},
    [NH_OBJECT_lambda] = {NH_PART_SECOND, "second.lambda", AT(lambda), CONSTRAINTS, NOTHING, "lambda", false,
                          false, false, "lambda_a"},
    [NH_OBJECT_R] = {NH_PART_SECOND, "second.R", AT(R), COORDINATES, NOTHING, "R", false, false, false,
                     "R_i"},
    [NH_OBJECT_R_upper] = {NH_PART_SECOND, "second.R_upper", AT(R_upper), COORDINATES, NOTHING, "R", true,
                           false, false, "R^i"},
};

bool nh_is_wanted(const nh_writer *w, nh_choice choice)
{
    uint64_t bits = (uint64_t)1 << choice;
    if (choice >= NH_OBJECT_g)
        bits |= (uint64_t)1 << objects[choice].part;
    return !w->only || (w->only & bits);
}

nh_choice nh_object_part(nh_choice choice) { return objects[choice].part; }

static size_t size_of(const nh_writer *w, family f)
{
    const size_t sizes[] = {1, w->eq->n, w->eq->m, w->eq->r, w->forms->n_positions};
    return sizes[f];
}

static const nh_expr *values_of(const nh_writer *w, const object *o)
{
    return *(nh_expr *const *)((const char *)w->forms + o->offset);
}

const nh_expr *nh_object_values(const nh_writer *w, nh_choice choice, size_t *count)
{
    const object *o = &objects[choice];
    *count = size_of(w, o->rows) * size_of(w, o->columns);
    return values_of(w, o);
}

/* Operations, shared ones once, beyond which an object is not written out unless it is asked for by its name: in the worksheet, and
 * where the equations stand alone. */
enum { MOST_OPERATIONS = 250, MOST_OPERATIONS_ALONE = 1500 };

bool nh_second_by_inverses(const nh_writer *w) { return w->forms->G_lower || w->eq->r == 0; }

bool nh_second_is_large(const nh_writer *w)
{
    size_t operations = 0;
    if (nh_second_by_inverses(w) || w->eq->second.reason || !w->forms->D)
        return false;
    operations = nh_count_operations(&w->eq->pool, w->scratch, w->forms->D, w->eq->n);
    return operations > MOST_OPERATIONS;
}

/* A tree that no page could hold. */
enum { LARGEST_TREE = 20000 };

const nh_math *nh_written_math(nh_writer *w, nh_expr e)
{
    if (nh_tree_size(&w->eq->pool, w->scratch, nh_expr_shortened(w, e)) > LARGEST_TREE)
        return nh_math_leaf(&w->page.maker, NH_MATH_WORDS, "(too long to be written)");
    return nh_math_expr(&w->page.maker, nh_expr_shortened(w, e));
}

/* ---------------------------------------------------------------- names with indices */

/* Coordinates and velocities are told by their names, constraints by numbers, and a single one not at all. */
static const nh_math *index_of(nh_writer *w, family f, size_t i)
{
    nh_text digits;
    nh_text_init(&digits, w->page.maker.arena);
    nh_text_format(&digits, "%zu", i + 1);
    switch (f) {
    case COORDINATES: return nh_math_name(&w->page.maker, w->eq->model->coordinates[i].name, 0);
    case VELOCITIES: return nh_math_name(&w->page.maker, w->eq->z[i].name, 0);
    case CONSTRAINTS:
    case POSITIONS:
        return size_of(w, f) == 1 ? NULL : nh_math_leaf(&w->page.maker, NH_MATH_NUMBER, nh_text_get(&digits));
    default: return NULL;
    }
}

static const nh_math *two(nh_writer *w, const nh_math *a, const nh_math *b)
{
    const nh_math *comma = nh_math_leaf(&w->page.maker, NH_MATH_PREFIX, ",");
    const nh_math *items[3] = {a, comma, b};
    return !a ? b : !b ? a : nh_math_of(&w->page.maker, NH_MATH_ROW, 3, items);
}

static const nh_math *entry_name(nh_writer *w, const object *o, size_t i, size_t j)
{
    const nh_math *row = index_of(w, o->rows, i), *column = index_of(w, o->columns, j);
    nh_math_maker *maker = &w->page.maker;
    if (o == &objects[NH_OBJECT_dC]) { /* partial_i C^a */
        const nh_math *items[2] = {nh_math_scripts(maker, nh_notation(maker, "partial"), column, NULL),
                                   nh_math_scripts(maker, nh_notation(maker, "C"), NULL, row)};
        return nh_math_of(maker, NH_MATH_ROW, 2, items);
    }
    const nh_math *above = two(w, o->row_above ? row : NULL, o->column_above ? column : NULL);
    const nh_math *below = two(w, o->row_above ? NULL : row, o->column_above ? NULL : column);
    bool star = w->eq->r == 1 && o->rows == CONSTRAINTS && !o->row_above && o->columns == COORDINATES;
    if (star)
        below = nh_notation(&w->page.maker, "star");
    return nh_math_scripts(&w->page.maker, nh_notation(&w->page.maker, o->base), below, above);
}

/* ---------------------------------------------------------------- on the page */

static const char *together(const nh_writer *w, const object *o)
{
    return w->eq->r == 1 && o->single ? o->single : o->together ? o->together : o->base;
}

static void say_missing(nh_writer *w, const object *o)
{
    const char *reason = NULL;
    for (size_t i = 0; i < w->forms->n_unexpanded; i++)
        if (strcmp(w->forms->unexpanded[i].object, o->path) == 0)
            reason = w->forms->unexpanded[i].reason;
    if (!reason && strncmp(o->path, "second", 6) == 0)
        reason = w->eq->second.reason;
    if (!reason && w->method == NH_METHOD_SECOND && strncmp(o->path, "first", 5) == 0)
        reason = NH_NOT_ASKED_FOR;
    if (!reason && strcmp(o->path, "first.psi") == 0)
        reason = "the constraints were not solved for velocities";
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    nh_text_format(&text, "$%s$ is not written out: %s.", together(w, o),
                   reason ? reason : "it is too large");
    nh_page_say(&w->page, nh_text_get(&text));
}

bool nh_object_is_too_long(const nh_writer *w, nh_choice choice)
{
    size_t count;
    const nh_expr *e = nh_object_values(w, choice, &count);
    bool result = choice == NH_OBJECT_psi || choice == NH_OBJECT_Z_upper || choice == NH_OBJECT_D ||
                  choice == NH_OBJECT_lambda || choice == NH_OBJECT_R;
    size_t most = w->steps && !result ? MOST_OPERATIONS : MOST_OPERATIONS_ALONE;
    return e && !(w->only >> choice & 1) && nh_count_operations(&w->eq->pool, w->scratch, e, count) > most;
}

static void say_too_long(nh_writer *w, nh_choice choice, const nh_expr *e, size_t count)
{
    size_t entries = 0;
    for (size_t i = 0; i < count; i++)
        entries += e[i] != w->eq->pool.zero;
    nh_text text;
    nh_text_init(&text, w->page.maker.arena);
    nh_text_format(
        &text,
        "$%s$ is too long to be read: %zu entries that are not zero, %zu operations. --only %s shows it.",
        together(w, &objects[choice]), entries, nh_count_operations(&w->eq->pool, w->scratch, e, count),
        nh_choice_names[choice]);
    nh_page_say(&w->page, nh_text_get(&text));
}

static size_t width_of_matrix(nh_math_maker *maker, const nh_math *m)
{
    size_t width = 4;
    for (size_t j = 0; j < m->columns; j++) {
        size_t widest = 0;
        for (size_t e = j; e < m->count; e += m->columns) {
            size_t entry = nh_math_width(maker, m->items[e]);
            widest = entry > widest ? entry : widest;
        }
        width += widest + (j ? 2 : 0);
    }
    return width;
}

/* What fits into a line, and is not so high that nobody sees it is one. */
static bool as_matrix(nh_writer *w, const object *o, const nh_expr *e, size_t rows, size_t columns)
{
    nh_math_maker *maker = &w->page.maker;
    if (columns > 12 || rows > 12)
        return false;
    if (o->rows == CONSTRAINTS && o->columns == CONSTRAINTS && rows == 1) {
        nh_page_equation(&w->page, nh_notation(maker, together(w, o)), nh_written_math(w, e[0]));
        return true;
    }
    const nh_math **items = nh_arena_array(maker->arena, rows * columns + 1, sizeof *items);
    for (size_t k = 0; k < rows * columns; k++)
        items[k] = nh_written_math(w, e[k]);
    const nh_math *left = nh_notation(maker, together(w, o)),
                  *right = nh_math_matrix(maker, rows, columns, items);
    if (width_of_matrix(maker, right) + nh_math_width(maker, left) + 8 > w->page.width)
        return false;
    nh_page_equation(&w->page, left, right);
    return true;
}

/* Entries one by one; of a matrix only those that are not zero, of a symmetric one those above the diagonal. */
static void as_list(nh_writer *w, const object *o, const nh_expr *e, size_t rows, size_t columns)
{
    size_t zeros = 0;
    for (size_t k = 0; k < rows * columns; k++)
        zeros += e[k] == w->eq->pool.zero;
    if (zeros == rows * columns && zeros > 1 && together(w, o)) {
        nh_page_equation(&w->page, nh_notation(&w->page.maker, together(w, o)),
                         nh_math_leaf(&w->page.maker, NH_MATH_NUMBER, "0"));
        return;
    }
    for (size_t k = 0; k < rows * columns; k++) {
        if (o->columns && (e[k] == w->eq->pool.zero || (o->symmetric && k / columns > k % columns)))
            continue;
        nh_page_equation(&w->page, entry_name(w, o, k / columns, k % columns), nh_written_math(w, e[k]));
    }
    bool mirrored = o->symmetric && rows > 1;
    if (o->columns && (zeros || mirrored))
        nh_page_say(&w->page, !mirrored ? "The others are zero."
                              : zeros   ? "The others are zero, or equal to these by symmetry."
                                        : "The others are equal to these by symmetry.");
}

void nh_object_page(nh_writer *w, nh_choice choice)
{
    const object *o = &objects[choice];
    size_t rows = size_of(w, o->rows), columns = size_of(w, o->columns);
    const nh_expr *e = values_of(w, o);
    if (!nh_is_wanted(w, choice) || rows * columns == 0)
        return;
    if (!e)
        say_missing(w, o);
    else if (nh_object_is_too_long(w, choice))
        say_too_long(w, choice, e, rows * columns);
    else if (!o->columns || !as_matrix(w, o, e, rows, columns))
        as_list(w, o, e, rows, columns);
}
