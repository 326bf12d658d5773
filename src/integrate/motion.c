/* The differential equations of a model, by one of the two kinds, as tapes. */
#include "integrate/inner.h"

#include <string.h>

static nh_expr *array(nh_motion *m, size_t count)
{
    return nh_arena_array(m->arena, count + 1, sizeof(nh_expr));
}

/* The symbols that change: t, q, then z or q', and, where all are wanted, q' and z. */
static nh_expr *changing(nh_motion *m, bool all, size_t *count)
{
    const nh_model *model = m->eq->model;
    size_t n = m->eq->n;
    nh_expr *symbols = array(m, 1 + 2 * n + m->eq->m);
    *count = 0;
    symbols[(*count)++] = model->time;
    for (size_t i = 0; i < n; i++)
        symbols[(*count)++] = model->coordinates[i].q;
    for (size_t i = 0; i < n && (m->second || all); i++)
        symbols[(*count)++] = model->coordinates[i].rate;
    for (size_t alpha = 0; alpha < m->eq->m && (!m->second || all); alpha++)
        if (!all || m->eq->z[alpha].rate_of < 0)
            symbols[(*count)++] = m->eq->z[alpha].symbol;
    return symbols;
}

static nh_tape *tape_for(nh_motion *m, const nh_expr *roots, size_t count, bool all, nh_tape_use use)
{
    const nh_model *model = m->eq->model;
    size_t n_changing;
    nh_expr *symbols = changing(m, all, &n_changing), *constants = array(m, model->n_parameters);
    for (size_t i = 0; i < model->n_parameters; i++)
        constants[i] = model->parameters[i].symbol;
    return nh_tape_new(&m->eq->pool, m->arena, &m->eq->context->arena, roots, count, symbols, n_changing,
                       constants, model->n_parameters, use);
}

static nh_tape *tape_of(nh_motion *m, const nh_expr *roots, size_t count, bool all)
{
    return tape_for(m, roots, count, all, NH_FOR_VALUES);
}

/* ---------------------------------------------------------------- the tapes */

/* A net: what is tried is decided by counts of terms, so that every run has the same bits. */
static const double SECONDS_TO_SIMPLIFY = 2;

static const nh_expr *rates_and_accelerations(nh_motion *m)
{
    const nh_equations *eq = m->eq;
    nh_expr *roots = array(m, 2 * eq->n);
    for (size_t i = 0; i < eq->n; i++) {
        roots[i] = eq->model->coordinates[i].rate;
        roots[eq->n + i] = eq->second.reason ? eq->first.acceleration[i] : eq->second.D[i];
    }
    return roots;
}

/* q' = psi, z' = Z; or q' = q', q'' = D. */
static void make_field(nh_motion *m)
{
    nh_equations *eq = m->eq;
    size_t n = eq->n;
    m->size = n + (m->second ? n : eq->m);
    const nh_expr *roots =
        m->second ? rates_and_accelerations(m) : nh_equations_field(eq, SECONDS_TO_SIMPLIFY);
    m->field = tape_for(m, roots, m->size, false, NH_FOR_SERIES);
    m->values = tape_for(m, roots, m->size, false, NH_FOR_VALUES);
}

/* f, df/dq and C, dC/dq', behind them g and, where there are C, what moves in spite of them: L. */
static void make_constraints(nh_motion *m)
{
    nh_equations *eq = m->eq;
    const nh_model *model = eq->model;
    size_t n = eq->n, count = 0;
    nh_expr *q = array(m, n), *f = array(m, model->r);
    for (size_t i = 0; i < n; i++)
        q[i] = model->coordinates[i].q;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            f[m->n_positions++] = model->constraints[a].position;
    m->n_constraints = m->second && !eq->second.reason ? eq->r : 0;
    size_t all = m->n_positions + m->n_constraints;
    if (!all)
        return;
    nh_expr *roots = array(m, all * (n + 1) + n * n + n);
    memcpy(roots, f, m->n_positions * sizeof *roots);
    count = m->n_positions;
    for (size_t a = 0; a < m->n_positions; a++, count += n)
        nh_gradient(&eq->pool, &eq->context->arena, &f[a], NULL, 1, q, n, roots + count);
    if (m->n_constraints) {
        memcpy(roots + count, eq->second.C, eq->r * sizeof *roots);
        memcpy(roots + count + eq->r, eq->second.C_i, eq->r * n * sizeof *roots);
        count += eq->r * (n + 1);
    }
    nh_metric(eq, roots + count), count += n * n;
    for (size_t i = 0; i < n && m->n_constraints; i++)
        roots[count++] = eq->L[i];
    m->constraints = tape_of(m, roots, count, false);
}

/* Whether none of the expressions contains one of the symbols. */
static bool are_without(const nh_motion *m, const nh_expr *e, size_t count, const nh_expr *symbols, size_t n)
{
    const nh_equations *eq = m->eq;
    nh_arena *scratch = &eq->context->arena;
    bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends), without = true;
    memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
    nh_find_symbols(&eq->pool, scratch, e, count, depends);
    for (size_t i = 0; i < n; i++) {
        uint32_t index = 0;
        nh_is_symbol(&eq->pool, symbols[i], &index);
        without = without && !depends[index];
    }
    return without;
}

static bool have_roots(const nh_motion *m, const nh_expr *e, size_t count)
{
    const nh_pool *pool = &m->eq->pool;
    nh_walk walk = nh_walk_of(pool, &m->eq->context->arena, e, count);
    bool found = false;
    for (size_t i = 0; i < walk.count && !found; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_rational n;
        found = (node.kind == NH_CALL && (node.function == NH_FN_sqrt || node.function == NH_FN_abs)) ||
                (node.kind == NH_POW && !(nh_is_number(pool, node.b, &n) && nh_rational_is_int(n)));
    }
    return found;
}

/* Whether the velocities are q' = N(q,t) z + ..., as those of linear and affine constraints: N is chosen so that its columns are
 * independent. x'^2 = y^2 (2 + sin x) has x' = |y| sqrt(2 + sin x), which seems to be so, but two branches meet at y = 0; x'^2 = y'^2 is a
 * product, one factor of which is followed for ever. */
static bool is_straight(nh_motion *m)
{
    const nh_equations *eq = m->eq;
    nh_expr *z = array(m, eq->m), *rates = array(m, eq->n);
    if (!eq->first.psi)
        return false;
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        z[alpha] = eq->z[alpha].symbol;
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    return are_without(m, eq->first.psi_alpha, eq->m * eq->n, z, eq->m) &&
           (!eq->second.C_i || are_without(m, eq->second.C_i, eq->r * eq->n, rates, eq->n) ||
            !have_roots(m, eq->first.psi, eq->n));
}

/* q' = psi */
static void put_psi(nh_motion *m, nh_expr *roots, size_t count)
{
    const nh_equations *eq = m->eq;
    nh_expr *rates = array(m, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    nh_substitute(&m->eq->pool, &eq->context->arena, roots, count, rates, eq->first.psi, eq->n, roots);
}

enum { MOST_ROWS = 64 }; /* of a determinant that is worth its time */

/* Whether all of them have values and derivatives everywhere: no roots, quotients or functions with ends. */
static bool are_smooth(const nh_motion *m, const nh_expr *e, size_t count)
{
    const nh_pool *pool = &m->eq->pool;
    nh_walk walk = nh_walk_of(pool, &m->eq->context->arena, e, count);
    bool smooth = true;
    for (size_t i = 0; i < walk.count && smooth; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_rational n;
        if (node.kind == NH_POW)
            smooth = nh_is_number(pool, node.b, &n) && nh_rational_is_int(n) && nh_rational_sign(n) > 0;
        else if (node.kind == NH_CALL)
            smooth = node.function == NH_FN_sin || node.function == NH_FN_cos || node.function == NH_FN_exp;
        else
            smooth = node.kind == NH_NUMBER || node.kind == NH_SYMBOL || node.kind == NH_PI ||
                     node.kind == NH_ADD || node.kind == NH_MUL;
    }
    return smooth;
}

/* Whether C^a_i are the same for all velocities. */
static bool is_affine(nh_motion *m)
{
    const nh_equations *eq = m->eq;
    nh_expr *rates = array(m, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    return are_without(m, eq->second.C_i, eq->r * eq->n, rates, eq->n);
}

/* psi_alpha of equations that are given; of those that were found the constraints, for a root may hide where they end, and a factor that is left
 * out where they say nothing. Where a constraint is a product, the motion on one factor goes on where the others vanish, but has no multiplier there. */
static void make_rows(nh_motion *m, bool multipliers)
{
    nh_equations *eq = m->eq;
    bool implicit = eq->r && eq->second.C_i && (m->second || !eq->model->psi);
    bool straight = !m->second && !m->n_positions && is_straight(m);
    const nh_expr *rows = implicit ? eq->second.C_i : m->second ? NULL : eq->first.psi_alpha;
    size_t count = implicit ? eq->r : eq->m;
    if (!rows || !count || (straight && !implicit))
        return;
    m->passes = straight && !is_affine(m) && !multipliers;
    nh_expr *roots = array(m, count * eq->n);
    memcpy(roots, rows, count * eq->n * sizeof *roots);
    if (!m->second && eq->first.psi)
        put_psi(m, roots, count * eq->n);
    if (straight || are_smooth(m, roots, count * eq->n))
        count = nh_rows_in_doubt(eq, roots, count);
    if (!count || count > MOST_ROWS)
        return;
    nh_expr volume = nh_equations_gram(eq, roots, count);
    if (volume && nh_is_number(&eq->pool, volume, NULL) && (volume != eq->pool.zero || m->passes))
        return;
    m->n_rows = volume ? 0 : count;
    m->rows = volume ? tape_of(m, &volume, 1, false) : tape_of(m, roots, count * eq->n, false);
}

static bool have_corners(nh_motion *m, const nh_expr *roots, size_t count)
{
    return tape_of(m, roots, count, true)->n_corners > 0;
}

/* psi, C and g have to have derivatives, and sqrt(u^2) has none at u = 0. In psi that was found from C, corners count where C has some. */
static void make_bends(nh_motion *m)
{
    nh_equations *eq = m->eq;
    size_t n = eq->n, count = 0, r = eq->second.C ? eq->r : 0;
    bool psi = !m->second && eq->first.psi && (eq->model->psi || (r && have_corners(m, eq->second.C, r)));
    nh_expr *roots = array(m, n + r + n * n);
    if (psi)
        memcpy(roots, eq->first.psi, n * sizeof *roots), count = n;
    else if (m->second && r)
        memcpy(roots, eq->second.C, r * sizeof *roots), count = r;
    nh_metric(eq, roots + count);
    nh_tape *tape = tape_of(m, roots, count + n * n, false);
    m->bends = tape->n_corners ? tape : NULL;
}

/* R_i and lambda_a in the place of the symbols for them. */
static void put_reactions(nh_motion *m, nh_expr *roots, size_t count)
{
    nh_equations *eq = m->eq;
    nh_expr *symbols = array(m, eq->model->n_roles), *values = array(m, eq->model->n_roles);
    size_t found = nh_equations_special(eq, eq->second.reason != NULL, symbols, values);
    nh_substitute(&eq->pool, &eq->context->arena, roots, count, symbols, values, found, roots);
}

/* Whether what is asked for can be computed: a multiplier where there is no second method cannot, nor 1/reaction(x) where that is 0. */
static void check_values(nh_motion *m, const char *const *names, const nh_expr *roots, size_t count)
{
    const nh_equations *eq = m->eq;
    nh_arena *scratch = &eq->context->arena;
    for (size_t i = 0; i < count; i++) {
        bool *depends = nh_arena_array(scratch, eq->pool.n_symbols + 1, sizeof *depends), missing = false;
        memset(depends, 0, (eq->pool.n_symbols + 1) * sizeof *depends);
        if (roots[i])
            nh_find_symbols(&eq->pool, scratch, &roots[i], 1, depends);
        for (size_t k = 0; k < eq->model->n_roles; k++)
            missing = missing || (depends[k] && eq->model->roles[k].role == NH_ROLE_MULTIPLIER);
        if (!roots[i])
            nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                      "'%s' has no value: it divides by what is always 0", names[i]);
        else if (missing)
            nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0}, NULL,
                      "'%s' has no value: there are no multipliers%s%s", names[i],
                      eq->second.reason ? ", since " : "", eq->second.reason ? eq->second.reason : "");
    }
    if (eq->context->diagnostics.errors)
        nh_heap_fail(&eq->context->heap, NH_OK);
}

static const char *joined(nh_motion *m, const char *a, const char *b)
{
    nh_text text;
    nh_text_init(&text, m->arena);
    nh_text_format(&text, "%s%s", a, b);
    return nh_text_get(&text);
}

static void add_column(nh_motion *m, nh_expr *roots, const char *name, nh_column kind, nh_expr value)
{
    m->names[m->n_columns] = name, m->kinds[m->n_columns] = kind;
    roots[m->n_columns++] = value;
}

static void add_reactions(nh_motion *m, nh_expr *roots)
{
    nh_equations *eq = m->eq;
    for (size_t i = 0; i < eq->n; i++)
        add_column(m, roots, joined(m, "R_", eq->model->coordinates[i].name), NH_COLUMN_REACTION,
                   eq->second.reason ? eq->first.R[i] : eq->second.R[i]);
    for (size_t a = 0; a < eq->r && !eq->second.reason; a++) {
        nh_text name;
        nh_text_init(&name, m->arena);
        nh_text_format(&name, "lambda_%zu", a + 1);
        add_column(m, roots, nh_text_get(&name), NH_COLUMN_MULTIPLIER, eq->second.lambda[a]);
    }
}

/* What the drawings are made of, but for plain numbers. */
static void add_picture(nh_motion *m, nh_expr *roots)
{
    const nh_model *model = m->eq->model;
    nh_expr parts[NH_DRAWING_PARTS];
    for (size_t i = 0; i < model->n_drawings; i++) {
        nh_drawing_parts(&model->drawings[i], parts);
        for (size_t k = 0; k < NH_DRAWING_PARTS; k++)
            if (parts[k] && !nh_is_number(&m->eq->pool, parts[k], NULL))
                add_column(m, roots, "picture", NH_COLUMN_PICTURE, parts[k]);
    }
}

/* q, q', the declared z, what is observed, and R and lambda, and what pictures need, where they are asked for. */
static void make_columns(nh_motion *m, nh_columns_wanted wanted)
{
    nh_equations *eq = m->eq;
    const nh_model *model = eq->model;
    size_t n = eq->n, most = 3 * n + model->n_velocities + model->n_observed + eq->r +
                             model->n_drawings * NH_DRAWING_PARTS;
    nh_expr *roots = array(m, most);
    m->names = nh_arena_array(m->arena, most + 1, sizeof *m->names);
    m->kinds = nh_arena_array(m->arena, most + 1, sizeof *m->kinds);
    for (size_t i = 0; i < n; i++)
        add_column(m, roots, model->coordinates[i].name,
                   model->coordinates[i].angle ? NH_COLUMN_ANGLE : NH_COLUMN_COORDINATE,
                   model->coordinates[i].q);
    for (size_t i = 0; i < n; i++)
        add_column(m, roots, joined(m, model->coordinates[i].name, "'"),
                   model->coordinates[i].angle ? NH_COLUMN_ANGLE_RATE : NH_COLUMN_RATE,
                   model->coordinates[i].rate);
    for (size_t i = 0; i < model->n_velocities; i++)
        add_column(m, roots, model->velocities[i].name, NH_COLUMN_VELOCITY, model->velocities[i].symbol);
    for (size_t i = 0; i < model->n_observed; i++)
        add_column(m, roots, model->observed[i].name, NH_COLUMN_OBSERVED, model->observed[i].value);
    if (wanted.reactions)
        add_reactions(m, roots);
    if (wanted.picture)
        add_picture(m, roots);
    put_reactions(m, roots, m->n_columns);
    check_values(m, m->names, roots, m->n_columns);
    m->columns = tape_of(m, roots, m->n_columns, true);
}

/* What changes its sign where one of some expressions may jump with the time or a coordinate, behind `count` roots; how many there are then. */
static size_t add_places(nh_motion *m, const nh_expr *of, size_t n, nh_expr **roots, size_t count)
{
    nh_equations *eq = m->eq;
    const nh_model *model = eq->model;
    nh_arena *scratch = &eq->context->arena;
    const signed char *signs = nh_model_signs(model, scratch);
    nh_expr *variables = array(m, 1 + eq->n), *places;
    variables[0] = model->time;
    for (size_t i = 0; i < eq->n; i++)
        variables[1 + i] = model->coordinates[i].q;
    for (size_t k = 0; k < n; k++) {
        size_t found = nh_find_jumps(&eq->pool, m->arena, scratch, of[k], variables, 1 + eq->n, signs,
                                     model->pool.n_symbols, &places);
        nh_expr *all = array(m, count + found);
        memcpy(all, *roots, count * sizeof *all);
        for (size_t i = 0; i < found; i++) {
            bool known = false;
            for (size_t l = model->n_events; l < count; l++)
                known = known || all[l] == places[i];
            if (!known)
                all[count++] = places[i];
        }
        *roots = all;
    }
    return count;
}

/* Where constraints may jump: signs of inputs, and the derivatives of corners in constraints on positions. So may the momenta p_i = dK/dq'^i, as those of a
 * point that an input moves along a line with a corner. */
static size_t add_jumps(nh_motion *m, nh_expr **roots, size_t count)
{
    const nh_equations *eq = m->eq;
    size_t before = count;
    count = add_places(m, eq->p, eq->n, roots, count);
    if (count > before)
        m->momenta = tape_of(m, eq->p, eq->n, true);
    if (!eq->second.reason)
        count = add_places(m, eq->second.C, eq->r, roots, count);
    else if (eq->first.psi)
        count = add_places(m, eq->first.psi, eq->n, roots, count);
    return count;
}

/* The conditions from the state alone, where all velocities follow from it by formulas: over a stretch of time they are enclosed in ranges. */
static void make_watched(nh_motion *m, nh_expr *roots)
{
    const nh_equations *eq = m->eq;
    nh_expr *z = array(m, eq->m);
    size_t n_z = 0;
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (eq->z[alpha].rate_of < 0)
            z[n_z++] = eq->z[alpha].symbol;
    if (!m->second && eq->first.psi)
        put_psi(m, roots, m->n_events);
    for (size_t i = 0; i < m->n_events; i++)
        if (!roots[i])
            return;
    if (!m->second || are_without(m, roots, m->n_events, z, n_z))
        m->watched = tape_of(m, roots, m->n_events, false);
}

/* What passes through 0 where something is to be told, or the motion is to end; behind that, where constraints may jump. */
static void make_events(nh_motion *m)
{
    const nh_model *model = m->eq->model;
    nh_expr *roots = array(m, model->n_events);
    for (size_t i = 0; i < model->n_events; i++)
        roots[i] = model->events[i].value;
    put_reactions(m, roots, model->n_events);
    const char **texts = nh_arena_array(m->arena, model->n_events + 1, sizeof *texts);
    for (size_t i = 0; i < model->n_events; i++)
        texts[i] = model->events[i].text;
    check_values(m, texts, roots, model->n_events);
    m->n_events = add_jumps(m, &roots, model->n_events);
    if (!m->n_events)
        return;
    m->events = tape_of(m, roots, m->n_events, true);
    make_watched(m, roots);
}

/* The energy, and what the model claims to stay as it is. */
static void make_kept(nh_motion *m)
{
    const nh_model *model = m->eq->model;
    nh_expr *roots = array(m, 3 + model->n_integrals);
    m->kept_names = nh_arena_array(m->arena, 2 + model->n_integrals, sizeof *m->kept_names);
    m->kept_names[0] = "energy", roots[0] = nh_add(&m->eq->pool, model->kinetic, model->potential);
    m->n_kept = 1;
    for (size_t i = 0; i < model->n_integrals; i++, m->n_kept++)
        m->kept_names[m->n_kept] = model->integrals[i].name, roots[m->n_kept] = model->integrals[i].value;
    put_reactions(m, roots, m->n_kept);
    check_values(m, m->kept_names, roots, m->n_kept);
    roots[m->n_kept] = model->kinetic, roots[m->n_kept + 1] = model->potential;
    m->kept = tape_of(m, roots, m->n_kept + 2, true);
}

/* psi and its derivatives by z, from t, q, q' and z: to find z where q' is known, and the reverse. */
static void make_velocities(nh_motion *m)
{
    const nh_equations *eq = m->eq;
    size_t n = eq->n, mm = eq->m;
    if (!eq->first.psi)
        return;
    nh_expr *roots = array(m, n * (mm + 1));
    memcpy(roots, eq->first.psi, n * sizeof *roots);
    memcpy(roots + n, eq->first.psi_alpha, mm * n * sizeof *roots);
    m->velocities = tape_of(m, roots, n * (mm + 1), true);
}

/* ---------------------------------------------------------------- the start */

static double value_of(const nh_motion *m, const double *values, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&m->eq->pool, symbol, &index);
    return values[index];
}

void nh_motion_start(nh_motion *m, nh_arena *arena, const double *values)
{
    const nh_equations *eq = m->eq;
    size_t count;
    nh_expr *symbols = changing(m, false, &count);
    m->start = nh_arena_array(arena, count + 1, sizeof *m->start);
    for (size_t i = 0; i < count; i++)
        m->start[i] = value_of(m, values, symbols[i]);
    m->constants = nh_arena_array(arena, eq->model->n_parameters + 1, sizeof *m->constants);
    for (size_t i = 0; i < eq->model->n_parameters; i++)
        m->constants[i] = value_of(m, values, eq->model->parameters[i].symbol);
    m->z = nh_arena_array(arena, eq->m + 1, sizeof *m->z);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        m->z[alpha] = value_of(m, values, eq->z[alpha].symbol);
}

nh_motion *nh_motion_new(nh_equations *eq, bool second, nh_columns_wanted wanted, const double *values)
{
    nh_motion *m = nh_arena_array(&eq->arena, 1, sizeof *m);
    *m = (nh_motion){.eq = eq, .arena = &eq->arena, .second = second};
    make_field(m);
    make_constraints(m);
    make_rows(m, wanted.reactions);
    make_bends(m);
    make_columns(m, wanted);
    make_kept(m);
    make_events(m);
    make_velocities(m);
    m->smooth = !m->field->has_corners;
    nh_motion_start(m, m->arena, values);
    if (wanted.longer)
        m->sharp = nh_sharp_new(m, values);
    return m;
}

/* ---------------------------------------------------------------- machine code */

const nh_native *nh_motion_compile(const nh_motion *motion)
{
    nh_motion *m = (nh_motion *)motion; /* nothing that can be seen changes */
    double before = nh_thread_seconds();
    if (!m->native)
        m->native = nh_native_new(m->field, NH_NATIVE_FLOW, 0);
    m->seconds_to_compile += nh_thread_seconds() - before;
    return m->native;
}

const nh_native *nh_motion_compile_values(const nh_motion *motion)
{
    nh_motion *m = (nh_motion *)motion;
    double before = nh_thread_seconds();
    if (!m->native_values)
        m->native_values = nh_native_new(m->values, NH_NATIVE_VALUES, 0);
    m->seconds_to_compile += nh_thread_seconds() - before;
    return m->native_values;
}

/* Judged after 24, 48, 96, ... steps, never by a clock, so that every run of the same kind is made in the same way. How many will come is
 * not known: as many as fit in if they stay as they are, but what has not lasted for long is not taken to last for ever. */
enum { FIRST_JUDGED = 24, MOST_TO_COME = 16 };

bool nh_code_pays(const nh_stepper *s, const nh_tape *tape, size_t order, double left)
{
    size_t steps = s->steps;
    if (s->motion->code != NH_CODE_WHERE_IT_PAYS)
        return s->motion->code == NH_CODE_ALWAYS && steps == 0;
    size_t part = steps / FIRST_JUDGED;
    if (steps == 0 || steps % FIRST_JUDGED || (part & (part - 1)))
        return false;
    return nh_native_pays(tape, fmin(fabs(left / s->h), MOST_TO_COME * (double)steps), order);
}

void nh_motion_free_code(nh_motion *m)
{
    if (!m)
        return;
    nh_native_free(m->native);
    nh_native_free(m->native_values);
}
