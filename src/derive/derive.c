#include "derive/inner.h"

#include <string.h>

nh_expr *nh_array(nh_equations *eq, size_t count)
{
    return nh_arena_array(&eq->arena, count + 1, sizeof(nh_expr));
}

bool nh_have_values(const nh_expr *e, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!e[i])
            return false;
    return true;
}

bool nh_is_null(nh_equations *eq, nh_expr e)
{
    if (e == eq->pool.zero)
        return true;
    nh_residue value = nh_modular_value(eq->modular, e);
    bool zero = value.valid == (1u << NH_MODULAR_POINTS) - 1 && !value.root;
    for (int k = 0; k < NH_MODULAR_POINTS; k++)
        zero = zero && value.at[k] == 0;
    return zero;
}

nh_expr nh_dot(nh_equations *eq, const nh_expr *a, const nh_expr *b, size_t n)
{
    nh_expr sum = eq->pool.zero;
    for (size_t i = 0; i < n; i++)
        if (a[i] != eq->pool.zero && b[i] != eq->pool.zero)
            sum = nh_add(&eq->pool, sum, nh_mul(&eq->pool, a[i], b[i]));
    return sum;
}

static void derive(void *arg)
{
    nh_equations *eq = arg;
    nh_pool_copy(&eq->pool, &eq->arena, &eq->model->pool);
    eq->modular = nh_modular_new(&eq->pool, &eq->arena, 2008);
    eq->n = eq->model->n, eq->m = nh_model_m(eq->model), eq->r = eq->n - eq->m;
    nh_derive_free_motion(eq);
    nh_parametrise(eq);
    nh_refuse_unchosen(eq);
    nh_derive_first(eq);
    nh_derive_second(eq);
    nh_refuse_indefinite(eq);
}

nh_equations *nh_equations_new(nh_context *context, const nh_model *model)
{
    nh_equations *eq = nh_heap_take(&context->heap, sizeof *eq);
    memset(eq, 0, sizeof *eq);
    eq->context = context;
    eq->model = model;
    nh_arena_init(&eq->arena, &context->heap);
    nh_status status = nh_heap_try(&context->heap, derive, eq);
    if (status != NH_OK) {
        nh_equations_free(eq);
        nh_heap_fail(&context->heap, status);
    }
    return eq;
}

void nh_equations_free(nh_equations *eq)
{
    if (!eq)
        return;
    nh_context *context = eq->context;
    nh_pool_free(&eq->pool);
    nh_arena_free(&eq->arena);
    nh_heap_give(&context->heap, eq, sizeof *eq);
}

size_t nh_equations_special(nh_equations *eq, bool first, nh_expr *symbols, nh_expr *values)
{
    size_t found = 0;
    for (size_t i = 0; i < eq->model->n_roles; i++) {
        nh_symbol_role role = eq->model->roles[i];
        nh_expr value = NH_EXPR_NONE;
        if (role.role == NH_ROLE_REACTION)
            value = (first ? eq->first.R : eq->second.R)[role.index];
        else if (role.role == NH_ROLE_ACCELERATION)
            value = (first ? eq->first.acceleration : eq->second.D)[role.index];
        else if (role.role == NH_ROLE_MULTIPLIER && role.index == NH_DROPPED)
            value = eq->pool.zero;
        else if (role.role == NH_ROLE_MULTIPLIER && !eq->second.reason && role.index < eq->r)
            value = eq->second.lambda[role.index];
        else
            continue;
        symbols[found] = nh_symbol_at(&eq->pool, (uint32_t)i);
        values[found++] = value;
    }
    return found;
}
