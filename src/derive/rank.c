/* Whether the constraints are independent, rank [C^a_i] = r: at a state, in numbers; and which of them can be dependent at all. */
#include "derive/inner.h"
#include "derive/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- at a state */

/* C^a_i, and behind each row which rows it is made of: elimination keeps rows (C | combination). */
typedef struct table {
    size_t rows, n, width;
    double *entries;
    double rounding; /* of entries, which are 1 at most */
} table;

#define entry(t, a, i) (t)->entries[(a) * (t)->width + (i)]

/* Entries that are so far apart: the largest becomes 1. */
static void scale_line(double *line, size_t count, size_t apart)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(line[k * apart]));
    for (size_t k = 0; k < count && largest > 0; k++)
        line[k * apart] /= largest;
}

/* By rows, and then by columns: units are nobody's business. */
static void scale(table *t)
{
    for (size_t a = 0; a < t->rows; a++)
        scale_line(&entry(t, a, 0), t->n, 1);
    for (size_t i = 0; i < t->n; i++)
        scale_line(&entry(t, 0, i), t->rows, t->width);
}

/* With q' = psi where z are given: q' need not be known. */
static const double *with_rates(nh_equations *eq, const double *values)
{
    nh_arena *scratch = &eq->context->arena;
    size_t n = eq->n, count = eq->pool.n_symbols;
    double *all = nh_arena_array(scratch, count + 1, sizeof *all),
           *rates = nh_arena_array(scratch, n + 1, sizeof *rates);
    if (!eq->first.psi)
        return values;
    memcpy(all, values, count * sizeof *all);
    nh_evaluate(&eq->pool, scratch, eq->first.psi, n, values, rates, NULL);
    for (size_t i = 0; i < n; i++) {
        uint32_t index = 0;
        if (!isfinite(rates[i]))
            return values;
        nh_is_symbol(&eq->pool, eq->model->coordinates[i].rate, &index);
        all[index] = rates[i];
    }
    return all;
}

static table table_at(nh_equations *eq, const double *values)
{
    size_t r = eq->r, n = eq->n;
    nh_arena *scratch = &eq->context->arena;
    table t = {.rows = r, .n = n, .width = n + r};
    t.entries = nh_arena_array(scratch, r * (n + r) + 1, sizeof *t.entries);
    double *C_i = nh_arena_array(scratch, r * n + 1, sizeof *C_i),
           *errors = nh_arena_array(scratch, r * n + 1, sizeof *errors), lost = 0;
    nh_evaluate(&eq->pool, scratch, eq->second.C_i, r * n, with_rates(eq, values), C_i, errors);
    memset(t.entries, 0, r * (n + r) * sizeof *t.entries);
    for (size_t a = 0; a < r; a++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            entry(&t, a, i) = C_i[a * n + i], largest = fmax(largest, fabs(C_i[a * n + i]));
        for (size_t i = 0; i < n && largest > 0; i++)
            lost = fmax(lost, errors[a * n + i] / largest);
        entry(&t, a, n + a) = 1;
    }
    scale(&t);
    t.rounding = fmin(1e-8, 1e-13 + 16 * (double)n * lost);
    return t;
}

/* The largest entry of a row; n: it is nothing but rounding. */
static size_t pivot_of(const table *t, size_t row)
{
    size_t column = t->n;
    double largest = t->rounding;
    for (size_t i = 0; i < t->n; i++)
        if (fabs(entry(t, row, i)) > largest)
            largest = fabs(entry(t, row, i)), column = i;
    return column;
}

/* The first row that follows from those before it, as its combination says; their number: none does. */
static size_t first_that_follows(table *t)
{
    for (size_t k = 0; k < t->rows; k++) {
        size_t column = pivot_of(t, k);
        if (column == t->n)
            return k;
        for (size_t a = k + 1; a < t->rows; a++) {
            double factor = entry(t, a, column) / entry(t, k, column);
            for (size_t i = 0; i < t->width && factor != 0; i++)
                entry(t, a, i) -= factor * entry(t, k, i);
            entry(t, a, column) = 0;
        }
    }
    return t->rows;
}

bool nh_rows_depend_at(nh_equations *eq, const double *values)
{
    table t = table_at(eq, values);
    return first_that_follows(&t) < eq->r;
}

/* ---------------------------------------------------------------- for all states */

bool nh_rows_follow(nh_equations *eq, size_t rows, size_t columns, const nh_expr *M)
{
    nh_elimination *elimination = nh_elimination_new(eq->modular, &eq->arena, columns);
    nh_expr *row = nh_array(eq, columns + 1);
    bool follow = false;
    row[columns] = eq->pool.zero;
    for (size_t a = 0; a < rows && !follow; a++) {
        memcpy(row, M + a * columns, columns * sizeof *row);
        follow = nh_elimination_add(elimination, row) == NH_ROW_FOLLOWS;
    }
    return follow;
}

/* With numbers in the place of the parameters: whether the rows depend on each other at every state. What is symbolic is taken to be
 * independent: the model has dropped what follows from the rest then. */
bool nh_rows_depend_always(nh_equations *eq)
{
    const nh_model *model = eq->model;
    size_t r = eq->r, n = eq->n, p = model->n_parameters, found = 0;
    nh_expr *all = nh_array(eq, r * n), *symbols = nh_array(eq, p), *values = nh_array(eq, p);
    for (size_t i = 0; i < p; i++)
        if (model->parameters[i].value)
            symbols[found] = model->parameters[i].symbol, values[found++] = model->parameters[i].value;
    memcpy(all, eq->second.C_i, r * n * sizeof *all);
    for (size_t pass = 0; pass < p; pass++) /* values may be formulas in formulas */
        nh_substitute(&eq->pool, &eq->context->arena, all, r * n, symbols, values, found, all);
    return nh_have_values(all, r * n) && nh_rows_follow(eq, r, n, all);
}

/* "the constraint in line 3", "the constraints in lines 3, 4" */
static void tell_rows(const nh_equations *eq, const table *t, size_t row, nh_text *message)
{
    size_t count = 0;
    for (size_t a = 0; a < t->rows; a++)
        count += fabs(entry(t, row, t->n + a)) > 1e-9;
    nh_text_format(message, "the constraint%s%s%s", count > 1 ? "s" : "",
                   eq->model->r == t->rows ? " in line" : "",
                   eq->model->r == t->rows && count > 1 ? "s" : "");
    const char *before = " ";
    for (size_t a = 0; a < t->rows && eq->model->r == t->rows; a++)
        if (fabs(entry(t, row, t->n + a)) > 1e-9)
            nh_text_format(message, "%s%zu", before, eq->model->constraints[a].line), before = ", ";
    nh_text_format(message, count > 1 ? " depend on each other" : " says nothing of the velocities");
}

bool nh_refuse_dependent(nh_equations *eq, const double *values)
{
    if (!eq->second.C_i || eq->r == 0)
        return false;
    table t = table_at(eq, values);
    size_t row = first_that_follows(&t);
    if (row == eq->r)
        return false;
    bool always = nh_rows_depend_always(eq);
    nh_text message;
    nh_text_init(&message, &eq->arena);
    nh_text_str(&message, "the initial state is singular: ");
    tell_rows(eq, &t, row, &message);
    nh_text_str(&message, always ? " with these values of the parameters, at every state" : " there");
    nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
              always ? "leave out what follows from the rest, or give other values with --set"
                     : "give another state in 'initial' or with --start",
              "%s", nh_text_get(&message));
    return true;
}

/* A random state, on the constraints if that can be, with the values of the parameters; 1 where there is none. */
static double *some_state(nh_equations *eq)
{
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    nh_model_parameter_values(eq->model, &eq->context->arena, values);
    for (size_t i = 0; i < eq->pool.n_symbols; i++) {
        bool known = i < eq->model->n_roles && eq->model->roles[i].role == NH_ROLE_PARAMETER;
        if (!known)
            values[i] = 0.25 + (double)(nh_hash(i + 7) >> 12) * 0x1p-52;
        values[i] = isfinite(values[i]) ? values[i] : 1;
    }
    nh_project_positions(eq, values);
    return values;
}

void nh_warn_dependent(nh_equations *eq)
{
    if (!eq->second.C_i || eq->model->r < 2 || !nh_rows_depend_always(eq))
        return;
    table t = table_at(eq, some_state(eq));
    size_t row = first_that_follows(&t);
    nh_text message;
    nh_text_init(&message, &eq->arena);
    if (row < eq->r)
        tell_rows(eq, &t, row, &message);
    else
        nh_text_str(&message, "the constraints depend on each other");
    nh_report(
        &eq->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0},
        "leave out what follows from the rest, or give other values with --set",
        "%s with these values of the parameters, at every state: the equations are those for other values",
        nh_text_get(&message));
}

/* ---------------------------------------------------------------- which can be dependent */

/* Whether it is a number that is not 0, or a product of such ones and of parameters that are not 0. */
static bool is_never_0(const nh_equations *eq, nh_expr e, const signed char *signs, int depth)
{
    nh_rational value;
    uint32_t index = 0;
    nh_node node = nh_get(&eq->pool, e);
    if (nh_is_number(&eq->pool, e, &value))
        return nh_rational_sign(value) != 0;
    if (nh_is_symbol(&eq->pool, e, &index))
        return index < eq->model->pool.n_symbols && signs[index] != 0;
    return depth > 0 && (node.kind == NH_MUL || node.kind == NH_POW) &&
           is_never_0(eq, node.a, signs, depth - 1) &&
           (node.kind == NH_POW || is_never_0(eq, node.b, signs, depth - 1));
}

/* By column: the entries that are not 0, in all rows. */
static size_t *count_entries(nh_equations *eq, const nh_expr *rows, size_t count)
{
    size_t *entries = nh_arena_array(&eq->context->arena, eq->n + 1, sizeof *entries);
    memset(entries, 0, (eq->n + 1) * sizeof *entries);
    for (size_t k = 0; k < count * eq->n; k++)
        entries[k % eq->n] += rows[k] != eq->pool.zero;
    return entries;
}

/* Whether a row alone of those that are left has an entry in some column, one that is never 0; it is then taken away. */
static bool takes_away(const nh_equations *eq, const nh_expr *row, const signed char *signs, size_t *entries)
{
    enum { DEPTH = 8 };
    bool own = false;
    for (size_t i = 0; i < eq->n && !own; i++)
        own = entries[i] == 1 && row[i] != eq->pool.zero && is_never_0(eq, row[i], signs, DEPTH);
    for (size_t i = 0; i < eq->n && own; i++)
        entries[i] -= row[i] != eq->pool.zero;
    return own;
}

/* A row with a column of its own is independent of the others, and these are among themselves or not. */
size_t nh_rows_in_doubt(nh_equations *eq, nh_expr *rows, size_t count)
{
    const signed char *signs = nh_model_signs(eq->model, &eq->context->arena);
    size_t n = eq->n, kept = 0, *entries = count_entries(eq, rows, count);
    bool *taken = nh_arena_array(&eq->context->arena, count + 1, sizeof *taken), again = true;
    memset(taken, 0, (count + 1) * sizeof *taken);
    while (again) {
        again = false;
        for (size_t a = count; a-- > 0;)
            if (!taken[a] && takes_away(eq, rows + a * n, signs, entries))
                taken[a] = again = true;
    }
    for (size_t a = 0; a < count; a++)
        if (!taken[a])
            memmove(rows + n * kept++, rows + n * a, n * sizeof *rows);
    return kept;
}
