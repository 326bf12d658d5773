/* Whether an equation cannot hold, whatever the unknowns are: z = 3 on the sphere x^2 + y^2 + z^2 = 4 leaves x^2 + y^2 + 5, a sum of positive terms. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>

/* All that the equations of a start may contain and that is known: its symbols, and its values as exact numbers. */
typedef struct known {
    nh_equations *eq;
    const nh_expr *unknowns;
    size_t n;
    nh_expr *symbols, *numbers;
    size_t count;
    bool finite;
} known;

static void know(known *k, const double *values, nh_expr symbol)
{
    uint32_t index = 0;
    for (size_t i = 0; i < k->n; i++)
        if (k->unknowns[i] == symbol)
            return;
    nh_is_symbol(&k->eq->pool, symbol, &index);
    if (!isfinite(values[index])) {
        k->finite = false;
        return;
    }
    k->symbols[k->count] = symbol;
    k->numbers[k->count++] =
        nh_number(&k->eq->pool, nh_rational_from_double(&k->eq->context->numbers, values[index]));
}

static known known_of(nh_equations *eq, const double *values, const nh_expr *unknowns, size_t n)
{
    const nh_model *model = eq->model;
    size_t most = 1 + model->n_parameters + 2 * eq->n;
    known k = {.eq = eq, .unknowns = unknowns, .n = n, .finite = true};
    k.symbols = nh_array(eq, most), k.numbers = nh_array(eq, most);
    know(&k, values, model->time);
    for (size_t i = 0; i < model->n_parameters; i++)
        know(&k, values, model->parameters[i].symbol);
    for (size_t i = 0; i < eq->n; i++)
        know(&k, values, model->coordinates[i].q), know(&k, values, model->coordinates[i].rate);
    return k;
}

bool nh_contains_any(nh_equations *eq, nh_expr F, const nh_expr *unknowns, size_t n)
{
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false;
    for (size_t i = 0; i <= eq->pool.n_symbols; i++)
        depends[i] = false;
    nh_find_symbols(&eq->pool, &eq->context->arena, &F, 1, depends);
    for (size_t i = 0; i < n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, unknowns[i], &index);
        any = any || depends[index];
    }
    return any;
}

bool nh_is_contradicted(nh_equations *eq, nh_expr F, const double *values, const nh_expr *unknowns, size_t n)
{
    if (!nh_contains_any(eq, F, unknowns, n))
        return true;
    known k = known_of(eq, values, unknowns, n);
    nh_expr e = NH_EXPR_NONE;
    nh_algebra algebra;
    nh_substitute(&eq->pool, &eq->context->arena, &F, 1, k.symbols, k.numbers, k.count, &e);
    if (!e || !k.finite)
        return false;
    nh_expr minus = nh_neg(&eq->pool, e);
    nh_algebra_init(&algebra, &eq->pool, &(nh_budget){.max_terms = 200, .max_seconds = 1}, NULL);
    bool never =
        nh_matrix_positive(&algebra, 1, &e) == NH_YES || nh_matrix_positive(&algebra, 1, &minus) == NH_YES;
    nh_algebra_free(&algebra);
    return never;
}
