/* Constraints: what kind of equation each is, which of them are independent, and whether the parametric
 * equations fit. Decided by residues at random points, and by doubles where those do not tell. */
#include "model/reader.h"
#include "model/solve.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- kinds */

/* The rates, and a random direction in them. */
typedef struct directions {
    nh_expr *rates, *random, *zero;
} directions;

static directions directions_of(nh_reader *reader)
{
    const nh_model *model = reader->model;
    nh_arena *arena = &reader->context->arena;
    directions d = {nh_arena_array(arena, model->n, sizeof(nh_expr)), nh_arena_array(arena, model->n, sizeof(nh_expr)),
                    nh_arena_array(arena, model->n, sizeof(nh_expr))};
    for (size_t i = 0; i < model->n; i++) {
        d.rates[i] = model->coordinates[i].rate;
        d.zero[i] = reader->pool->zero;
    }
    nh_random_direction(reader, d.random, model->n, 2);
    return d;
}

static nh_expr along(nh_reader *reader, nh_expr e, const nh_expr *symbols, const nh_expr *direction, size_t n)
{
    nh_expr out;
    nh_directional(reader->pool, &reader->scratch, &e, 1, symbols, direction, n, &out);
    return out;
}

static nh_answer is_zero(nh_reader *reader, nh_expr e)
{
    return nh_zero_test(reader->modular, &reader->scratch, e, reader->signs);
}

/* Whether an expression does not depend on the coordinates. */
static bool has_coordinates(nh_reader *reader, nh_expr e)
{
    const nh_model *model = reader->model;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    bool *depends = nh_arena_array(&reader->scratch, model->pool.n_symbols, sizeof *depends), found = false;
    nh_find_symbols(&model->pool, &reader->scratch, &e, 1, depends);
    for (size_t i = 0; i < model->n_roles; i++)
        found = found || (depends[i] && model->roles[i].role == NH_ROLE_COORDINATE);
    nh_arena_release(&reader->scratch, mark);
    return found;
}

/* Euler: C(q, s q') = s^k C means q'^i dC/dq'^i = k C. Tries small whole k. */
static bool is_homogeneous(nh_reader *reader, nh_constraint *c, const directions *d)
{
    nh_expr euler = along(reader, c->C, d->rates, d->rates, reader->model->n);
    for (int k = -4; k <= 8; k++) {
        nh_expr rest = nh_sub(reader->pool, euler, nh_mul(reader->pool, nh_integer(reader->pool, k), c->C));
        if (is_zero(reader, rest) == NH_YES) {
            c->degree = k;
            return true;
        }
    }
    return false;
}

static nh_expr at_rest(nh_reader *reader, nh_expr e, const directions *d)
{
    nh_expr out;
    nh_substitute(reader->pool, &reader->scratch, &e, 1, d->rates, d->zero, reader->model->n, &out);
    return out;
}

/* affine: (w.d/dq')^2 C = 0 for a random w; linear: C(q,0) = 0 besides */
static void classify(nh_reader *reader, nh_constraint *c, const directions *d)
{
    size_t n = reader->model->n;
    nh_expr second = along(reader, along(reader, c->C, d->rates, d->random, n), d->rates, d->random, n);
    nh_expr rest = at_rest(reader, c->C, d);
    bool affine = is_zero(reader, second) == NH_YES;
    bool linear = affine && rest && is_zero(reader, rest) == NH_YES;
    bool homogeneous = !affine && is_homogeneous(reader, c, d);
    c->kind_exact = second == reader->pool->zero && (!linear || rest == reader->pool->zero);
    c->rate_kind = linear ? NH_LINEAR : affine ? NH_AFFINE : homogeneous ? NH_HOMOGENEOUS : NH_NONLINEAR;
    c->degree = linear ? 1 : c->degree;
    c->kind = c->position ? NH_POSITIONAL : c->rate_kind;
}

/* "line 7", or "component 2 of line 7" */
static const char *place_of(nh_reader *reader, const nh_constraint *c)
{
    nh_text text;
    nh_text_init(&text, reader->diagnostics->arena);
    if (c->component)
        nh_text_format(&text, "component %d of the equation in line %zu", c->component, c->line);
    else
        nh_text_format(&text, "the equation in line %zu", c->line);
    return nh_text_get(&text);
}

static void drop(nh_reader *reader, nh_equation *equation, const char *why)
{
    equation->dropped = true;
    nh_warn(reader, equation->keyword, NULL, "%s %s; it is dropped", place_of(reader, &equation->constraint), why);
}

/* An equation without velocities is one on the coordinates, or none at all. */
static bool classify_equation(nh_reader *reader, nh_equation *equation, const directions *d)
{
    nh_constraint *c = &equation->constraint;
    size_t n = reader->model->n;
    if (is_zero(reader, c->C) == NH_YES) {
        drop(reader, equation, "reads 0 = 0");
        return true;
    }
    if (is_zero(reader, along(reader, c->C, d->rates, d->random, n)) != NH_YES) {
        classify(reader, c, d);
        return true;
    }
    if (nh_is_number(reader->pool, c->C, NULL))
        return nh_wrong(reader, equation->keyword, NULL, "this constraint contradicts itself: it never holds");
    if (!has_coordinates(reader, c->C))
        return nh_wrong(reader, equation->keyword, NULL, "this constraint contains neither coordinates nor velocities");
    c->position = c->C;
    nh_total_derivative(reader, &c->position, 1, &c->C);
    classify(reader, c, d);
    return true;
}

/* ---------------------------------------------------------------- independence */

static bool contradiction(nh_reader *reader, nh_equation *equation, const char *how)
{
    bool first = equation == reader->equations;
    return nh_wrong(reader, equation->keyword, NULL, "%s contradicts %s%s", place_of(reader, &equation->constraint),
                    first ? "itself: it never holds" : "the equations before it: they never hold together", how);
}

/* dC/dq'^i, and C - q'^i dC/dq'^i, which for an affine C is its part without velocities. */
static void affine_row(nh_reader *reader, const nh_constraint *c, const directions *d, nh_expr *row)
{
    nh_gradient(reader->pool, &reader->scratch, &c->C, NULL, 1, d->rates, reader->model->n, row);
    row[reader->model->n] = at_rest(reader, c->C, d);
}

/* Affine equations without positions: at almost all (q,t) it is linear algebra. UNDECIDED where residues do not
 * tell; then nothing has been reported or dropped. */
static nh_row settle_affine(nh_reader *reader, const directions *d)
{
    size_t n = reader->model->n;
    nh_elimination *e = nh_elimination_new(reader->modular, &reader->context->arena, n);
    nh_expr *row = nh_arena_array(&reader->context->arena, n + 1, sizeof *row);
    nh_row *found = nh_arena_array(&reader->context->arena, reader->n_equations, sizeof *found);
    for (size_t a = 0; a < reader->n_equations; a++) {
        nh_equation *equation = &reader->equations[a];
        if (equation->dropped)
            continue;
        if (equation->constraint.kind != NH_LINEAR && equation->constraint.kind != NH_AFFINE)
            return NH_ROW_UNDECIDED;
        affine_row(reader, &equation->constraint, d, row);
        found[a] = nh_elimination_add(e, row);
        if (found[a] == NH_ROW_UNDECIDED)
            return NH_ROW_UNDECIDED;
    }
    for (size_t a = 0; a < reader->n_equations; a++) {
        if (found[a] == NH_ROW_FOLLOWS)
            drop(reader, &reader->equations[a], "follows from those before it");
        if (found[a] == NH_ROW_CONTRADICTS)
            contradiction(reader, &reader->equations[a], "");
    }
    return NH_ROW_INDEPENDENT;
}

/* The equation into the solver: position and derivative. Returns how many rows it takes. */
static size_t add_equation(nh_solver *s, const nh_constraint *c)
{
    if (c->position)
        nh_solver_add(s, c->position);
    nh_solver_add(s, c->C);
    return c->position ? 2 : 1;
}

enum { STARTS = 12, POINTS = 4 };

/* All at once: a state that satisfies all of them, with independent derivatives, settles it. */
static bool all_independent(nh_reader *reader, nh_solver *s)
{
    nh_solver_init(s, reader);
    size_t r = 0;
    for (size_t a = 0; a < reader->n_equations; a++)
        if (!reader->equations[a].dropped)
            add_equation(s, &reader->equations[a].constraint), r++;
    for (int i = 0; i < STARTS; i++)
        if (nh_solver_find(s) == NH_FOUND && nh_solver_rank(s, 0, NULL) == r)
            return true;
    return false;
}

/* Whether e vanishes at states that satisfy what is in the solver. */
static nh_answer vanishes(nh_solver *s, nh_expr e)
{
    int zeros = 0;
    for (int i = 0; i < STARTS && zeros < POINTS; i++) {
        double error;
        if (nh_solver_find(s) != NH_FOUND)
            continue;
        double value = nh_solver_value(s, e, &error);
        if (!isfinite(value))
            continue;
        if (fabs(value) > 1e-7)
            return NH_NO;
        zeros++;
    }
    return zeros == POINTS ? NH_YES : NH_UNKNOWN;
}

typedef enum joined { JOINS, NEVER_HOLDS, NEVER_REGULAR, UNCLEAR } joined;

/* Whether the solver's equations, the last one included, can hold together and be independent. */
static joined joins(nh_solver *s, size_t rank)
{
    int stuck = 0, dependent = 0;
    for (int i = 0; i < STARTS; i++) {
        nh_found found = nh_solver_find(s);
        if (found == NH_FOUND && nh_solver_rank(s, 0, NULL) == rank)
            return JOINS;
        stuck += found == NH_STUCK;
        dependent += found == NH_FOUND;
    }
    return stuck == STARTS ? NEVER_HOLDS : dependent > 0 ? NEVER_REGULAR : UNCLEAR;
}

/* One equation after the other, on the set that those before it single out. */
static void settle_in_turn(nh_reader *reader, nh_solver *s)
{
    size_t rank = 0;
    nh_solver_init(s, reader);
    for (size_t a = 0; a < reader->n_equations; a++) {
        nh_equation *equation = &reader->equations[a];
        nh_constraint *c = &equation->constraint;
        if (equation->dropped)
            continue;
        if (vanishes(s, c->position ? c->position : c->C) == NH_YES) {
            drop(reader, equation, "follows from those before it (tested in numbers)");
            continue;
        }
        size_t rows = add_equation(s, c);
        joined how = joins(s, rank + 1);
        bool affine = c->kind == NH_LINEAR || c->kind == NH_AFFINE;
        if (how == NEVER_HOLDS || (how == NEVER_REGULAR && affine)) {
            contradiction(reader, equation, " (tested in numbers)");
            s->count -= rows;
            continue;
        }
        if (how == NEVER_REGULAR)
            nh_warn(reader, equation->keyword, NULL, "every state that was found to satisfy this equation is singular");
        if (how == UNCLEAR)
            nh_warn(reader, equation->keyword, NULL, "no state was found that satisfies this equation and those before it");
        rank++;
    }
}

enum { MOST_IN_TURN = 60 };

static void settle_independence(nh_reader *reader, const directions *d, nh_solver *s)
{
    if (settle_affine(reader, d) != NH_ROW_UNDECIDED || all_independent(reader, s))
        return;
    if (reader->n_equations <= MOST_IN_TURN)
        settle_in_turn(reader, s);
    else
        nh_warn(reader, reader->equations[0].keyword, NULL, "whether these equations are independent could not be decided");
}

/* Every freedom taken away: what is left to move? */
static void check_count(nh_reader *reader)
{
    size_t r = 0, n = reader->model->n;
    for (size_t a = 0; a < reader->n_equations; a++) {
        r += !reader->equations[a].dropped;
        if (r == n && !reader->equations[a].dropped) {
            nh_wrong(reader, reader->equations[a].keyword, NULL,
                     "too many constraints: %zu independent equations for %zu coordinate%s leave nothing free to move", r, n,
                     n == 1 ? "" : "s");
            return;
        }
    }
}

/* The independent equations become the model's; multipliers follow them. */
static void keep_equations(nh_reader *reader)
{
    nh_model *model = reader->model;
    for (size_t a = 0; a < reader->n_equations; a++) {
        uint32_t kept = reader->equations[a].dropped ? UINT32_MAX : (uint32_t)model->r;
        for (size_t i = 0; i < model->n_roles; i++)
            if (model->roles[i].role == NH_ROLE_MULTIPLIER && model->roles[i].index == a)
                model->roles[i].index = kept;
        if (!reader->equations[a].dropped)
            nh_push(&model->arena, model->constraints, model->r, model->constraints_capacity) =
                reader->equations[a].constraint;
    }
}

/* ---------------------------------------------------------------- parametric equations */

static bool psi_is_complete(nh_reader *reader)
{
    const nh_model *model = reader->model;
    bool complete = true;
    for (size_t i = 0; i < model->n; i++)
        if (!model->psi[i])
            complete = nh_wrong(reader, reader->parametric_span, NULL, "there is no parametric equation for %s'",
                                model->coordinates[i].name);
    return complete;
}

/* dpsi^i/dz^alpha, rows alpha; the right-hand side is 0. */
static bool psi_has_rank(nh_reader *reader)
{
    nh_model *model = reader->model;
    nh_arena *arena = &reader->context->arena;
    size_t n = model->n, m = model->n_velocities;
    nh_elimination *e = nh_elimination_new(reader->modular, arena, n);
    nh_expr *row = nh_arena_array(arena, n + 1, sizeof *row);
    row[n] = reader->pool->zero;
    for (size_t alpha = 0; alpha < m; alpha++) {
        nh_expr z = model->velocities[alpha].symbol;
        nh_directional(reader->pool, &reader->scratch, model->psi, n, &z, &reader->pool->one, 1, row);
        nh_row found = nh_elimination_add(e, row);
        if (found == NH_ROW_UNDECIDED)
            return true;
        if (found != NH_ROW_INDEPENDENT)
            return nh_wrong(reader, reader->velocities_span, NULL,
                            "the parametric equations do not depend independently on all the velocities: '%s' is one too many",
                            model->velocities[alpha].name);
    }
    return true;
}

/* How psi depends on z: the same test as for C and q'. */
static void classify_psi(nh_reader *reader)
{
    nh_model *model = reader->model;
    nh_pool *pool = reader->pool;
    nh_arena *arena = &reader->context->arena;
    size_t n = model->n, m = model->n_velocities;
    nh_expr *z = nh_arena_array(arena, m, sizeof *z), *w = nh_arena_array(arena, m, sizeof *w);
    nh_expr *zero = nh_arena_array(arena, m, sizeof *zero), *out = nh_arena_array(arena, 3 * n, sizeof *out);
    for (size_t i = 0; i < m; i++)
        z[i] = model->velocities[i].symbol, zero[i] = pool->zero;
    nh_random_direction(reader, w, m, 3);
    nh_directional(pool, &reader->scratch, model->psi, n, z, w, m, out);
    nh_directional(pool, &reader->scratch, out, n, z, w, m, out + n);
    nh_substitute(pool, &reader->scratch, model->psi, n, z, zero, m, out + 2 * n);
    bool affine = true, rest = true;
    model->psi_exact = true;
    for (size_t i = 0; i < n; i++) {
        affine = affine && is_zero(reader, out[n + i]) == NH_YES;
        rest = rest && out[2 * n + i] && is_zero(reader, out[2 * n + i]) == NH_YES;
        model->psi_exact = model->psi_exact && out[n + i] == pool->zero && (!rest || out[2 * n + i] == pool->zero);
    }
    model->psi_kind = !affine ? NH_NONLINEAR : rest ? NH_LINEAR : NH_AFFINE;
}

static bool check_parametric(nh_reader *reader)
{
    const nh_model *model = reader->model;
    size_t n = model->n, m = model->n_velocities, r = model->r;
    bool parametric = reader->parametric_span.length > 0, velocities = reader->velocities_span.length > 0;
    if (parametric && !velocities)
        return nh_wrong(reader, reader->parametric_span, "declare the parameters z: velocities u, w",
                        "parametric equations without 'velocities'");
    if (velocities && !parametric)
        return nh_wrong(reader, reader->velocities_span, "add: parametric x' = ..., for each coordinate",
                        "velocities are declared, but there are no parametric equations");
    if (!parametric)
        return true;
    if (!psi_is_complete(reader))
        return false;
    if (r > 0 && m != n - r)
        return nh_wrong(reader, reader->velocities_span, NULL,
                        "%zu coordinate%s and %zu constraint%s need %zu velocit%s, not %zu", n, n == 1 ? "" : "s", r,
                        r == 1 ? "" : "s", n - r, n - r == 1 ? "y" : "ies", m);
    if (m > n)
        return nh_wrong(reader, reader->velocities_span, NULL, "there are more velocities (%zu) than coordinates (%zu)", m, n);
    classify_psi(reader);
    return psi_has_rank(reader);
}

/* C(q,psi) = 0; where it fails as an identity it may still hold where the position equations do. */
static nh_answer agrees(nh_reader *reader, nh_expr C_psi)
{
    const nh_model *model = reader->model;
    nh_answer answer = C_psi ? is_zero(reader, C_psi) : NH_NO;
    nh_solver s;
    bool any = false;
    if (answer != NH_NO)
        return answer;
    nh_solver_init(&s, reader);
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            nh_solver_add(&s, model->constraints[a].position), any = true;
    return any ? vanishes(&s, C_psi) : answer;
}

static void check_agreement(nh_reader *reader, const directions *d)
{
    nh_model *model = reader->model;
    model->representations_agree = NH_YES;
    for (size_t e = 0, a = 0; e < reader->n_equations; e++) {
        if (reader->equations[e].dropped)
            continue;
        nh_expr C_psi;
        nh_span keyword = reader->equations[e].keyword;
        const nh_constraint *c = &model->constraints[a++];
        nh_substitute(reader->pool, &reader->scratch, &c->C, 1, d->rates, model->psi, model->n, &C_psi);
        nh_answer answer = agrees(reader, C_psi);
        if (answer == NH_NO)
            nh_wrong(reader, keyword, NULL, "the parametric equations do not satisfy %s", place_of(reader, c));
        if (answer == NH_UNKNOWN) {
            model->representations_agree = NH_UNKNOWN;
            nh_warn(reader, keyword, NULL, "whether the parametric equations satisfy %s could not be decided",
                    place_of(reader, c));
        }
    }
}

/* ---------------------------------------------------------------- independent velocities */

static bool solvable_for_others(nh_reader *reader, const bool *named, nh_solver *s)
{
    const nh_model *model = reader->model;
    nh_solver_init(s, reader);
    for (size_t a = 0; a < model->r; a++)
        add_equation(s, &model->constraints[a]);
    bool any = false;
    for (int i = 0; i < STARTS; i++) {
        if (nh_solver_find(s) != NH_FOUND)
            continue;
        any = true;
        if (nh_solver_rank(s, 0, named) == model->r)
            return true;
    }
    return !any;
}

static void check_independent(nh_reader *reader, nh_solver *s)
{
    const nh_model *model = reader->model;
    size_t m = model->n - model->r;
    if (!reader->independent_span.length)
        return;
    if (reader->parametric_span.length || reader->velocities_span.length) {
        nh_wrong(reader, reader->independent_span, "leave out one of them",
                 "'independent' stands instead of 'velocities' and 'parametric'");
        return;
    }
    if (model->n_independent != m) {
        nh_wrong(reader, reader->independent_span, NULL, "%zu independent velocit%s needed, not %zu", m,
                 m == 1 ? "y is" : "ies are", model->n_independent);
        return;
    }
    bool *named = nh_arena_array(&reader->context->arena, model->n, sizeof *named);
    for (size_t i = 0; i < model->n_independent; i++)
        named[model->independent[i]] = true;
    if (!solvable_for_others(reader, named, s))
        nh_wrong(reader, reader->independent_span, NULL,
                 "these velocities are not independent: the constraints cannot be solved for the others");
}

/* ---------------------------------------------------------------- all of it */

void nh_settle_constraints(nh_reader *reader)
{
    directions d = directions_of(reader);
    nh_solver s;
    size_t errors = reader->diagnostics->errors;
    for (size_t a = 0; a < reader->n_equations; a++)
        classify_equation(reader, &reader->equations[a], &d);
    if (reader->diagnostics->errors == errors)
        settle_independence(reader, &d, &s);
    if (reader->diagnostics->errors == errors)
        check_count(reader);
    if (reader->diagnostics->errors > errors)
        return;
    keep_equations(reader);
    if (!check_parametric(reader))
        return;
    if (reader->model->psi)
        check_agreement(reader, &d);
    check_independent(reader, &s);
}
