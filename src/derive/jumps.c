/* Functions that are constant between jumps. That the rate of F along the motion is 0 says nothing of the places where something in it
 * changes its branch, u = 0 in sign(u), |u|, min and max: F = sign(x) has the rate 0, and is not constant. Nor is atan(tan(x)) - x, which
 * jumps where tan(x) has its poles: cos(x) = 0. */
#include "derive/judge.h"

#include <math.h>
#include <string.h>

/* States for each switch; and operations in all, so that long functions are looked at fewer times. */
enum { MOST_SWITCHES = 8, STATES = 12, NEWTON_STEPS = 40, MOST_OPERATIONS = 200000 };

typedef struct hunt {
    nh_judge *judge;
    nh_expr F;
    nh_expr u[MOST_SWITCHES], rates[MOST_SWITCHES]; /* what decides, and its rate along the motion */
    size_t count;
    bool has_sign, has_zero;      /* one of the u is 0 somewhere */
    bool *depends[MOST_SWITCHES]; /* by symbol */
    nh_expr *variables;
    size_t n_variables;
} hunt;

/* ---------------------------------------------------------------- what decides */

static bool has_root(const nh_equations *eq, nh_expr e)
{
    nh_walk walk = nh_walk_of(&eq->pool, &eq->context->arena, &e, 1);
    bool found = false;
    for (size_t i = 0; i < walk.count && !found; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        found = node.kind == NH_CALL && (node.function == NH_FN_sqrt || node.function == NH_FN_abs);
    }
    return found;
}

/* Functions that are finite at a pole of their argument, on one side at least, so that the pole becomes a jump. */
static bool takes_poles(nh_node node)
{
    return node.kind == NH_CALL && (node.function == NH_FN_atan || node.function == NH_FN_atan2 ||
                                    node.function == NH_FN_tanh || node.function == NH_FN_exp);
}

/* By handle: what stands inside of such a function. */
static bool *inside_of_those(const nh_equations *eq, nh_walk walk)
{
    size_t end = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    bool *inside = nh_arena_array(&eq->context->arena, end, sizeof *inside);
    for (size_t i = walk.count; i-- > 0;) {
        nh_list operands = nh_operands(&eq->pool, walk.nodes[i]);
        bool passes = inside[walk.nodes[i]] || takes_poles(nh_get(&eq->pool, walk.nodes[i]));
        for (size_t k = 0; k < operands.count; k++)
            inside[operands.items[k]] = inside[operands.items[k]] || passes;
    }
    return inside;
}

/* What is 0 where a call jumps, or has a corner or, inside of atan, a pole; atan2(y, x) jumps at y = 0. */
static nh_expr switch_of_call(hunt *h, nh_node node, bool inside)
{
    nh_pool *pool = &h->judge->eq->pool;
    h->has_sign = h->has_sign || node.function == NH_FN_sign;
    switch (node.function) {
    case NH_FN_sign:
    case NH_FN_abs:
    case NH_FN_atan2: return node.a;
    case NH_FN_min:
    case NH_FN_max: return nh_sub(pool, node.a, node.b);
    case NH_FN_tan: return inside ? nh_call(pool, NH_FN_cos, node.a, NH_EXPR_NONE) : NH_EXPR_NONE;
    default: return NH_EXPR_NONE;
    }
}

/* The same for every node: a denominator such as that of x/sqrt(x^2), too, and inside of atan every one. */
static nh_expr switch_of(hunt *h, nh_node node, bool inside)
{
    nh_equations *eq = h->judge->eq;
    nh_rational n;
    if (node.kind == NH_POW && nh_is_number(&eq->pool, node.b, &n) && nh_rational_sign(n) < 0)
        return !nh_rational_is_int(n)           ? nh_call(&eq->pool, NH_FN_sqrt, node.a, NH_EXPR_NONE)
               : inside || has_root(eq, node.a) ? node.a
                                                : NH_EXPR_NONE;
    return node.kind == NH_CALL ? switch_of_call(h, node, inside) : NH_EXPR_NONE;
}

/* What is constant along the motion never comes to 0. */
static void add_switch(hunt *h, nh_expr u)
{
    nh_expr rate = nh_rate_of(h->judge, u);
    if (nh_is_null(h->judge->eq, rate))
        return;
    h->rates[h->count] = rate;
    h->u[h->count++] = u;
}

static void find_switches(hunt *h)
{
    nh_equations *eq = h->judge->eq;
    nh_walk walk = nh_walk_of(&eq->pool, &eq->context->arena, &h->F, 1);
    bool *inside = inside_of_those(eq, walk);
    for (size_t i = 0; i < walk.count && h->count < MOST_SWITCHES; i++) {
        nh_expr u = switch_of(h, nh_get(&eq->pool, walk.nodes[i]), inside[walk.nodes[i]]);
        if (u)
            add_switch(h, u);
    }
}

/* q and z, or q and q'. */
static void find_variables(hunt *h)
{
    nh_equations *eq = h->judge->eq;
    bool in_z = eq->first.psi != NULL;
    h->n_variables = eq->n + (in_z ? eq->m : eq->n);
    h->variables = nh_array(eq, h->n_variables);
    for (size_t i = 0; i < eq->n; i++)
        h->variables[i] = eq->model->coordinates[i].q;
    for (size_t k = 0; eq->n + k < h->n_variables; k++)
        h->variables[eq->n + k] = in_z ? eq->z[k].symbol : eq->model->coordinates[k].rate;
}

/* ---------------------------------------------------------------- at a state */

static double value_of(hunt *h, nh_expr e, const double *values)
{
    nh_equations *eq = h->judge->eq;
    double out = NAN;
    nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, values, &out, NULL);
    return out;
}

/* With one variable moved. */
static double value_beside(hunt *h, nh_expr e, double *values, double *x, double by)
{
    double before = *x;
    *x = before + by;
    double out = value_of(h, e, values);
    *x = before;
    return out;
}

/* How far from a zero, which is found to within a hundredth of that. */
static const double NEAR = 1e-7;

/* Moves one variable to where u = 0. */
static bool find_zero(hunt *h, nh_expr u, double *values, double *x)
{
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double at = value_of(h, u, values), step = 1e-6 * fmax(1, fabs(*x));
        double slope =
            (value_beside(h, u, values, x, step) - value_beside(h, u, values, x, -step)) / (2 * step);
        if (fabs(at) < 1e-9)
            return fabs(*x) < 100;
        if (!isfinite(at) || !(fabs(slope) > 1e-9))
            return false;
        *x -= at / slope;
    }
    return false;
}

static double height(hunt *h, double *values, double *x, double distance)
{
    return fabs(value_beside(h, h->F, values, x, distance) - value_beside(h, h->F, values, x, -distance));
}

static double size(hunt *h, double *values, double *x, double distance)
{
    return fmax(fabs(value_beside(h, h->F, values, x, distance)),
                fabs(value_beside(h, h->F, values, x, -distance)));
}

/* What is continuous has next to no height within a short distance; and a pole is no jump. */
static bool jumps_at(hunt *h, double *values, double *x)
{
    double close = NEAR * fmax(1, fabs(*x)), away = 1000 * close;
    double near = height(h, values, x, close), far = height(h, values, x, away);
    return isfinite(near) && isfinite(far) && near > 1e-6 && near > 0.5 * far &&
           size(h, values, x, close) < 10 * (1 + size(h, values, x, away));
}

static const char *told(hunt *h, size_t k, double *values, double *x)
{
    nh_equations *eq = h->judge->eq;
    double unit = NEAR * fmax(1, fabs(*x));
    nh_text text;
    nh_text_init(&text, &eq->arena);
    nh_text_str(&text, "its rate is 0, but it jumps where ");
    nh_expr_print(&text, &eq->pool, h->u[k], 0);
    nh_text_str(&text, " = 0, as from ");
    nh_text_double(&text, round(value_beside(h, h->F, values, x, -unit) * 1e6) / 1e6 + 0.0);
    nh_text_str(&text, " to ");
    nh_text_double(&text, round(value_beside(h, h->F, values, x, unit) * 1e6) / 1e6 + 0.0);
    return nh_text_get(&text);
}

/* Along the motion u changes, and F with it. Each variable begins so far from its value: sin(x) is 0 at other places than x. */
static const char *find_jump(hunt *h, size_t k, double *values, double away)
{
    nh_equations *eq = h->judge->eq;
    double *start = nh_arena_array(&eq->context->arena, eq->pool.n_symbols + 1, sizeof *start);
    for (size_t v = 0; v < h->n_variables; v++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, h->variables[v], &index);
        if (!h->depends[k][index])
            continue;
        memcpy(start, values, eq->pool.n_symbols * sizeof *start);
        start[index] += away;
        if (!find_zero(h, h->u[k], start, &start[index]))
            continue;
        h->has_zero = true;
        if (!jumps_at(h, start, &start[index]))
            continue;
        double rate = value_beside(h, h->rates[k], start, &start[index], 1e-6);
        if (isfinite(rate) && fabs(rate) > 1e-6)
            return told(h, k, start, &start[index]);
    }
    return NULL;
}

/* ---------------------------------------------------------------- the verdict */

static bool on_surface(const nh_model *model)
{
    bool positions = false;
    for (size_t a = 0; a < model->r; a++)
        positions = positions || model->constraints[a].position;
    return positions;
}

static const char *search(hunt *h)
{
    nh_judge *j = h->judge;
    double *values = nh_arena_array(&j->eq->arena, j->eq->pool.n_symbols + 1, sizeof *values);
    const char *found = NULL;
    size_t operations = nh_count_operations(&j->eq->pool, &j->eq->context->arena, &h->F, 1);
    size_t most = MOST_OPERATIONS / (h->count * (operations + 1)), states = most < STATES ? most : STATES;
    for (size_t k = 0; k < (states ? states : 1) * h->count && !found; k++) {
        double away = 3 * ((double)(k / h->count % 5) - 2);
        found = nh_draw_state(j, values) ? find_jump(h, k % h->count, values, away) : NULL;
    }
    return found;
}

nh_verdict nh_judge_jumps(nh_judge *j, nh_expr F, const char **detail)
{
    nh_equations *eq = j->eq;
    hunt h = {.judge = j};
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    nh_on_C(j, &F, 1, &h.F);
    nh_put_given(eq, &h.F, 1, &h.F);
    if (!h.F || nh_has_solve(&eq->pool, &eq->context->arena, &h.F, 1))
        return NH_PROVED;
    find_switches(&h);
    if (!h.count)
        return NH_PROVED;
    find_variables(&h);
    for (size_t k = 0; k < h.count; k++) {
        h.depends[k] = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *h.depends[k]);
        memset(h.depends[k], 0, (eq->pool.n_symbols + 1) * sizeof *h.depends[k]);
        nh_find_symbols(&eq->pool, &eq->context->arena, &h.u[k], 1, h.depends[k]);
    }
    const char *found = on_surface(eq->model) ? NULL : search(&h);
    j->random = random;
    bool doubt = h.has_sign || h.has_zero;
    *detail = found ? found : doubt ? "its rate along the motion is 0, and no jump was found" : *detail;
    return found ? NH_REFUTED : doubt ? NH_TESTED : NH_PROVED;
}
