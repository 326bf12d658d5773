/* Constraints: what kind of equation each is, and whether the parametric equations and the independent velocities
 * fit. Decided by residues at random points, and by doubles where those do not tell. */
#include "algebra/algebra.h"
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
    directions d = {nh_arena_array(arena, model->n, sizeof(nh_expr)),
                    nh_arena_array(arena, model->n, sizeof(nh_expr)),
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

/* Whether e is not 0 on some side of a corner that the states of a test may not have met. */
static bool differs_on_a_side(nh_reader *reader, nh_expr e)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    nh_corners c = nh_solver_corners(&s, &e, 1);
    bool differs = false;
    for (size_t k = 0; k < nh_solver_sides(&c) && !differs; k++) {
        double error, value;
        nh_solver_draw_side(&s, &c, k);
        value = nh_solver_value(&s, e, &error);
        differs = isfinite(value) && fabs(value) > 1000 * error;
    }
    return differs;
}

static nh_answer is_zero(nh_reader *reader, nh_expr e)
{
    nh_answer answer = nh_zero_test(reader->modular, &reader->scratch, e, reader->signs);
    bool known = answer == NH_NO || !e || nh_zero_by_residues(reader->modular, e) == NH_YES;
    return !known && differs_on_a_side(reader, e) ? NH_NO : answer;
}

/* Whether an expression depends on coordinates. */
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

/* euler/C at some state: the only degree that C may have. In twelfths. */
static bool guess_degree(nh_reader *reader, nh_expr euler, nh_expr C, int64_t *twelfths)
{
    nh_solver s;
    nh_solver_init(&s, reader);
    for (int i = 0; i < NH_STARTS; i++) {
        double error, k;
        nh_solver_find(&s); /* any state */
        k = 12 * nh_solver_value(&s, euler, &error) / nh_solver_value(&s, C, &error);
        if (!isfinite(k))
            continue;
        *twelfths = (int64_t)fmin(fmax(round(k), -1e6), 1e6);
        return fabs(k - (double)*twelfths) < 1e-6;
    }
    return false;
}

/* Euler: C(q, s q') = s^k C means q'^i dC/dq'^i = k C. */
static bool is_homogeneous(nh_reader *reader, nh_expr C, const directions *d, int *degree)
{
    nh_pool *pool = reader->pool;
    nh_expr euler = along(reader, C, d->rates, d->rates, reader->model->n);
    int64_t twelfths;
    if (!guess_degree(reader, euler, C, &twelfths))
        return false;
    nh_expr k = nh_div(pool, nh_integer(pool, twelfths), nh_integer(pool, 12));
    *degree = twelfths % 12 == 0 ? (int)(twelfths / 12) : 0;
    return is_zero(reader, nh_sub(pool, euler, nh_mul(pool, k, C))) == NH_YES;
}

static nh_expr at_velocities(nh_reader *reader, nh_expr e, const directions *d, const nh_expr *velocities)
{
    nh_expr out;
    nh_substitute(reader->pool, &reader->scratch, &e, 1, d->rates, velocities, reader->model->n, &out);
    return out;
}

/* The part of an affine C without velocities: C(q,0), or, where it is written with a pole there, C - q'^i dC/dq'^i
 * at some other q'. */
static nh_expr at_rest(nh_reader *reader, nh_expr C, const directions *d)
{
    nh_expr rest = at_velocities(reader, C, d, d->zero);
    if (rest)
        return rest;
    nh_expr euler = along(reader, C, d->rates, d->rates, reader->model->n);
    return at_velocities(reader, nh_sub(reader->pool, C, euler), d, d->random);
}

/* Whether e is the same where all of the symbols, or every second one, have the other sign. */
static bool is_even(nh_reader *reader, nh_expr e, const nh_expr *symbols, size_t n)
{
    bool even = true;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    nh_expr *mirrored = nh_arena_array(&reader->scratch, n, sizeof *mirrored), image;
    for (size_t step = 1; step <= 2 && even; step++) {
        for (size_t i = 0; i < n; i++)
            mirrored[i] = i % step == 0 ? nh_neg(reader->pool, symbols[i]) : symbols[i];
        nh_substitute(reader->pool, &reader->scratch, &e, 1, symbols, mirrored, n, &image);
        even = is_zero(reader, nh_sub(reader->pool, e, image)) == NH_YES;
    }
    nh_arena_release(&reader->scratch, mark);
    return even;
}

/* Affine in the symbols x: (w.d)^2 f = 0 for a random w, and w.d f is the same everywhere, unlike that of |x|, and so is f - x.d f, unlike that of
 * x/|x|. */
static bool is_affine(nh_reader *reader, nh_expr f, const nh_expr *symbols, const nh_expr *w, size_t n,
                      bool *exact)
{
    nh_expr first = along(reader, f, symbols, w, n), second = along(reader, first, symbols, w, n);
    *exact = second == reader->pool->zero;
    if (is_zero(reader, second) != NH_YES || !is_even(reader, first, symbols, n))
        return false;
    nh_expr rest = nh_sub(reader->pool, f, along(reader, f, symbols, symbols, n));
    return *exact || is_even(reader, rest, symbols, n);
}

/* linear: affine, and without a part that does not depend on the velocities */
static nh_nature nature_of(nh_reader *reader, nh_expr C, const directions *d)
{
    int degree = 0;
    bool exact, affine = is_affine(reader, C, d->rates, d->random, reader->model->n, &exact);
    nh_expr rest = affine ? at_rest(reader, C, d) : NH_EXPR_NONE;
    bool linear = affine && rest && is_zero(reader, rest) == NH_YES;
    bool homogeneous = !affine && is_homogeneous(reader, C, d, &degree);
    return (nh_nature){linear        ? NH_LINEAR
                       : affine      ? NH_AFFINE
                       : homogeneous ? NH_HOMOGENEOUS
                                     : NH_NONLINEAR,
                       exact && (!linear || rest == reader->pool->zero),
                       linear        ? 1
                       : homogeneous ? degree
                                     : 0};
}

/* What parameters say that are formulas, or 0. Where something has no value then, it stays as it is. */
static nh_expr with_given(nh_reader *reader, nh_expr e)
{
    nh_expr given;
    nh_put_known(&reader->formulas, reader->pool, &reader->scratch, &e, 1, &given);
    return given ? given : e;
}

static void classify(nh_reader *reader, nh_constraint *c, const directions *d)
{
    nh_expr given = with_given(reader, c->C);
    nh_nature nature = nature_of(reader, c->C, d);
    c->given = given == c->C ? nature : nature_of(reader, given, d);
    c->kind_exact = nature.exact, c->degree = nature.degree;
    c->rate_kind = nature.kind;
    c->kind = c->position ? NH_POSITIONAL : nature.kind;
}

void nh_classify(nh_reader *reader, nh_constraint *c)
{
    directions d = directions_of(reader);
    classify(reader, c, &d);
}

/* "line 7", or "component 2 of line 7" */
const char *nh_place_of(nh_reader *reader, const nh_constraint *c)
{
    nh_text text;
    nh_text_init(&text, reader->diagnostics->arena);
    if (c->component)
        nh_text_format(&text, "component %d of the equation in line %zu", c->component, c->line);
    else
        nh_text_format(&text, "the equation in line %zu", c->line);
    return nh_text_get(&text);
}

void nh_drop_equation(nh_reader *reader, nh_equation *equation, const char *why)
{
    equation->dropped = true;
    nh_warn(reader, equation->keyword, NULL, "%s %s; it is dropped",
            nh_place_of(reader, &equation->constraint), why);
}

/* Whether something is divided by what contains velocities. */
static bool has_pole_in_rates(nh_reader *reader, nh_expr e, const directions *d)
{
    const nh_pool *pool = reader->pool;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    bool *depends = nh_arena_array(&reader->scratch, pool->n_symbols + 1, sizeof *depends), found = false;
    nh_walk walk = nh_walk_of(pool, &reader->scratch, &e, 1);
    for (size_t k = 0; k < walk.count && !found; k++) {
        nh_node node = nh_get(pool, walk.nodes[k]);
        nh_rational exponent;
        if (node.kind != NH_POW || !nh_is_number(pool, node.b, &exponent) || nh_rational_sign(exponent) > 0)
            continue;
        memset(depends, 0, (pool->n_symbols + 1) * sizeof *depends);
        nh_find_symbols(pool, &reader->scratch, &node.a, 1, depends);
        for (size_t i = 0; i < reader->model->n; i++) {
            uint32_t index = 0;
            nh_is_symbol(pool, d->rates[i], &index);
            found = found || depends[index];
        }
    }
    nh_arena_release(&reader->scratch, mark);
    return found;
}

/* An affine C that is written with velocities in denominators, where they cancel, is
 *     q'^i C_i(w) + (C - q'^i C_i)(w)
 * with any numbers w for the velocities: x' y'/y' is x'. */
static void cancel_poles(nh_reader *reader, nh_constraint *c, const directions *d)
{
    nh_pool *pool = reader->pool;
    if (c->rate_kind > NH_AFFINE || !has_pole_in_rates(reader, c->C, d))
        return;
    nh_expr slope = along(reader, c->C, d->rates, d->rates, reader->model->n),
            C = at_velocities(reader, nh_sub(pool, c->C, slope), d, d->random);
    for (size_t i = 0; i < reader->model->n && C; i++) {
        nh_expr row = along(reader, c->C, &d->rates[i], &pool->one, 1);
        row = at_velocities(reader, row, d, d->random);
        C = row ? nh_add(pool, C, nh_mul(pool, row, d->rates[i])) : NH_EXPR_NONE;
    }
    if (!C)
        return;
    c->C = C;
    classify(reader, c, d);
}

/* An equation without velocities is one on the coordinates, or none at all. */
static bool classify_equation(nh_reader *reader, nh_equation *equation, const directions *d)
{
    nh_constraint *c = &equation->constraint;
    size_t n = reader->model->n;
    nh_expr said;
    nh_put_formulas(&reader->formulas, reader->pool, &reader->scratch, &c->C, 1, &said);
    if (said && is_zero(reader, said) == NH_YES) {
        nh_drop_equation(reader, equation, "reads 0 = 0");
        return true;
    }
    if (is_zero(reader, along(reader, c->C, d->rates, d->random, n)) != NH_YES) {
        classify(reader, c, d);
        cancel_poles(reader, c, d);
        return true;
    }
    c->position = at_rest(reader, c->C, d); /* velocities that cancel are gone */
    if (nh_is_number(reader->pool, c->position, NULL))
        return nh_wrong(reader, equation->keyword, NULL,
                        "this constraint contradicts itself: it never holds");
    if (!has_coordinates(reader, c->position))
        return nh_wrong(reader, equation->keyword, NULL,
                        "this constraint contains neither coordinates nor velocities");
    nh_total_derivative(reader, &c->position, 1, &c->C);
    classify(reader, c, d);
    return true;
}

/* dC/dq'^i, and the part of C without velocities. */
void nh_affine_row(nh_reader *reader, const nh_constraint *c, nh_expr *row)
{
    directions d = directions_of(reader);
    nh_gradient(reader->pool, &reader->scratch, &c->C, NULL, 1, d.rates, reader->model->n, row);
    row[reader->model->n] = at_rest(reader, c->C, &d);
    nh_put_formulas(&reader->formulas, reader->pool, &reader->scratch, row, reader->model->n + 1, row);
}

/* The independent equations become the model's; multipliers follow them. */
static void keep_equations(nh_reader *reader)
{
    nh_model *model = reader->model;
    for (size_t a = 0; a < reader->n_equations; a++) {
        uint32_t kept = reader->equations[a].dropped ? NH_DROPPED : (uint32_t)model->r;
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
            complete = nh_wrong(reader, reader->parametric_span, NULL,
                                "there is no parametric equation for %s'", model->coordinates[i].name);
    return complete;
}

/* How many rows of a matrix are independent of those before them, by numbers where residues do not tell. The last
 * column is a right-hand side, and 0. */
static size_t independent_rows(nh_reader *reader, const nh_expr *rows, size_t count, size_t columns)
{
    nh_elimination *e = nh_elimination_new(reader->modular, &reader->context->arena, columns - 1);
    size_t most = 0;
    nh_solver s;
    for (size_t a = 0; a < count; a++) {
        nh_row found = nh_elimination_add(e, rows + a * columns);
        if (found == NH_ROW_UNDECIDED)
            break;
        if (found != NH_ROW_INDEPENDENT || a + 1 == count)
            return found == NH_ROW_INDEPENDENT ? count : a;
    }
    nh_solver_init(&s, reader);
    for (int i = 0; i < NH_STARTS && most < count; i++) {
        nh_solver_find(&s); /* any state */
        size_t found = nh_solver_independent_rows(&s, rows, count, columns);
        most = found > most ? found : most;
    }
    nh_corners c = nh_solver_corners(&s, rows, count * columns);
    for (size_t k = 0; k < nh_solver_sides(&c) && most < count; k++) {
        nh_solver_draw_side(&s, &c, k);
        size_t found = nh_solver_independent_rows(&s, rows, count, columns);
        most = found > most ? found : most;
    }
    return most;
}

/* dpsi^i/dz^alpha, rows alpha, a column of zeros behind. */
static bool psi_has_rank(nh_reader *reader)
{
    nh_model *model = reader->model;
    size_t n = model->n, m = model->n_velocities;
    nh_expr *rows = nh_arena_array(&reader->context->arena, m * (n + 1), sizeof *rows);
    for (size_t alpha = 0; alpha < m; alpha++) {
        nh_expr z = model->velocities[alpha].symbol, *row = rows + alpha * (n + 1);
        nh_directional(reader->pool, &reader->scratch, model->psi, n, &z, &reader->pool->one, 1, row);
        row[n] = reader->pool->zero;
    }
    size_t count = independent_rows(reader, rows, m, n + 1);
    return count == m || nh_wrong(reader, reader->velocities_span, NULL,
                                  "the parametric equations do not depend independently on all the "
                                  "velocities: '%s' is one too many",
                                  model->velocities[count].name);
}

/* How psi depends on z: the same test as for C and q'. */
static nh_nature nature_of_psi(nh_reader *reader, const nh_expr *psi)
{
    const nh_model *model = reader->model;
    nh_pool *pool = reader->pool;
    nh_arena *arena = &reader->context->arena;
    size_t n = model->n, m = model->n_velocities;
    nh_expr *z = nh_arena_array(arena, m, sizeof *z), *w = nh_arena_array(arena, m, sizeof *w);
    nh_expr *zero = nh_arena_array(arena, m, sizeof *zero), *rest = nh_arena_array(arena, n, sizeof *rest);
    for (size_t i = 0; i < m; i++)
        z[i] = model->velocities[i].symbol, zero[i] = pool->zero;
    nh_random_direction(reader, w, m, 3);
    nh_substitute(pool, &reader->scratch, psi, n, z, zero, m, rest);
    bool affine = true, linear = true, all_exact = true;
    for (size_t i = 0; i < n; i++) {
        bool exact;
        affine = affine && is_affine(reader, psi[i], z, w, m, &exact);
        linear = linear && affine && rest[i] && is_zero(reader, rest[i]) == NH_YES;
        all_exact = all_exact && affine && exact && (!linear || rest[i] == pool->zero);
    }
    return (nh_nature){linear ? NH_LINEAR : affine ? NH_AFFINE : NH_NONLINEAR, all_exact, 0};
}

static void classify_psi(nh_reader *reader)
{
    nh_model *model = reader->model;
    nh_expr *given = nh_arena_array(&reader->context->arena, model->n, sizeof *given);
    nh_nature nature = nature_of_psi(reader, model->psi);
    for (size_t i = 0; i < model->n; i++)
        given[i] = with_given(reader, model->psi[i]);
    model->psi_kind = nature.kind, model->psi_exact = nature.exact;
    model->psi_given = nature_of_psi(reader, given);
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
                        "%zu coordinate%s and %zu constraint%s need %zu velocit%s, not %zu", n,
                        n == 1 ? "" : "s", r, r == 1 ? "" : "s", n - r, n - r == 1 ? "y" : "ies", m);
    if (m > n)
        return nh_wrong(reader, reader->velocities_span, NULL,
                        "there are more velocities (%zu) than coordinates (%zu)", m, n);
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
    return any ? nh_solver_vanishes(&s, C_psi) : answer;
}

/* Whether what random states say is known exactly. */
static bool is_certain(nh_reader *reader, nh_expr C_psi)
{
    const nh_budget budget = {.max_seconds = 1};
    nh_algebra algebra;
    if (nh_zero_by_residues(reader->modular, C_psi) == NH_YES)
        return true;
    nh_algebra_init(&algebra, reader->pool, &budget, reader->signs);
    bool proved = nh_is_zero(&algebra, C_psi) == NH_YES;
    nh_algebra_free(&algebra);
    return proved;
}

static bool on_positions(const nh_model *model)
{
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            return true;
    return false;
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
        nh_put_formulas(&reader->formulas, reader->pool, &reader->scratch, &C_psi, 1, &C_psi);
        nh_answer answer = agrees(reader, C_psi);
        if (answer == NH_NO)
            nh_wrong(reader, keyword, NULL, "the parametric equations do not satisfy %s",
                     nh_place_of(reader, c));
        if (answer == NH_YES && !on_positions(model) && !is_certain(reader, C_psi))
            nh_warn(reader, keyword, NULL,
                    "that the parametric equations satisfy %s could not be proved: it was tested at random "
                    "states",
                    nh_place_of(reader, c));
        if (answer == NH_UNKNOWN) {
            model->representations_agree = NH_UNKNOWN;
            nh_warn(reader, keyword, NULL, "whether the parametric equations satisfy %s could not be decided",
                    nh_place_of(reader, c));
        }
    }
}

/* ---------------------------------------------------------------- independent velocities */

static bool solvable_for_others(nh_reader *reader, const bool *named, nh_solver *s)
{
    const nh_model *model = reader->model;
    nh_solver_init(s, reader);
    for (size_t a = 0; a < model->r; a++)
        nh_solver_add_constraint(s, &model->constraints[a]);
    bool any = false;
    for (int i = 0; i < NH_STARTS; i++) {
        if (nh_solver_find(s) != NH_FOUND)
            continue;
        any = true;
        if (nh_solver_rank(s, NH_NO_ROW, named) == model->r)
            return true;
    }
    return !any || nh_solver_has_rank_on_a_side(s, model->r, named);
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
        nh_settle_independence(reader);
    if (reader->diagnostics->errors == errors)
        nh_check_freedom(reader);
    if (reader->diagnostics->errors > errors)
        return;
    keep_equations(reader);
    if (!check_parametric(reader))
        return;
    if (reader->model->psi)
        check_agreement(reader, &d);
    check_independent(reader, &s);
}
