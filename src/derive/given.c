/* What the values of the parameters say. Proofs treat parameters as symbols, which have a sign; two things a symbol does not
 * know: that its value is 0, where what is divided by it has none, and that it is a formula in others, M = 2 m. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

static uint32_t index_of(const nh_equations *eq, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return index;
}

nh_formulas nh_find_formulas(nh_equations *eq, nh_arena *arena)
{
    return nh_model_formulas(eq->model, nh_model_signs(eq->model, arena), &eq->pool, arena);
}

void nh_put_zeros(nh_equations *eq, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_formulas f = nh_find_formulas(eq, scratch);
    nh_put_fixed(&f, &eq->pool, scratch, e, count, out);
    nh_arena_release(scratch, mark);
}

void nh_put_given(nh_equations *eq, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_arena *scratch = &eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_formulas f = nh_find_formulas(eq, scratch);
    nh_put_known(&f, &eq->pool, scratch, e, count, out);
    nh_arena_release(scratch, mark);
}

bool nh_rows_depend(nh_equations *eq, size_t rows, const nh_expr *M)
{
    size_t n = eq->n;
    nh_formulas f = nh_find_formulas(eq, &eq->arena);
    if (!f.n_fixed && !f.count)
        return false; /* nothing was taken in that follows from the rest */
    nh_expr *all = nh_array(eq, rows * n);
    nh_put_given(eq, M, rows * n, all);
    return nh_have_values(all, rows * n) && nh_rows_follow(eq, rows, n, all);
}

enum { MOST_ROWS = 12, PLACES = 6 };

/* Whether they do at the start and at all states around it that satisfy the equations of the positions: x = y is a branch of
 * x^2 = y^2, where its derivative is that of x - y. What is divided by x - y is true on the other branch alone. */
static bool depend_around_start(nh_equations *eq)
{
    bool positions = false;
    for (size_t a = 0; a < eq->model->r; a++)
        positions = positions || eq->model->constraints[a].position;
    if (!positions || eq->r < 2 || eq->r > MOST_ROWS)
        return false;
    const double *start = nh_start_quietly(eq);
    double *here = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *here);
    bool depend = start && nh_rows_depend_at(eq, start);
    for (uint64_t k = 0; k < PLACES && depend; k++) {
        memcpy(here, start, eq->pool.n_symbols * sizeof *here);
        for (size_t i = 0; i < 2 * eq->n; i++) {
            const nh_coordinate *q = &eq->model->coordinates[i % eq->n];
            here[index_of(eq, i < eq->n ? q->q : q->rate)] +=
                0.1 * ((double)(nh_hash(k * 2 * eq->n + i + 1) >> 40) / (1 << 23) - 1);
        }
        depend = nh_project_positions(eq, here) && nh_rows_depend_at(eq, here);
    }
    return depend;
}

const char *nh_dependence(nh_equations *eq)
{
    if (eq->model->r == 0 || !eq->second.C_i)
        return NULL;
    return nh_rows_depend(eq, eq->r, eq->second.C_i) || nh_rows_depend_always(eq)
               ? "the constraints are nowhere independent"
           : depend_around_start(eq) ? "the constraints depend on each other at all states around the start"
                                     : NULL;
}

bool nh_constraints_depend(nh_equations *eq) { return nh_dependence(eq) != NULL; }
