/* The state at which numbers are asked for: what the model and the command line give, completed and brought onto the
 * constraints.
 *
 * Coordinates left out are 0, or, under constraints on the positions, the nearest ones that satisfy them. Velocities left
 * out are 0 where the constraints allow that; otherwise those of least 1/2 g_ij q'^i q'^j with the given ones held. */
#include "derive/judge.h"
#include "derive/place.h"
#include "derive/refused.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool project_onto(nh_equations *eq, double *values, const nh_expr *F, size_t count, bool rates)
{
    nh_expr *unknowns = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        unknowns[i] = rates ? eq->model->coordinates[i].rate : eq->model->coordinates[i].q;
    nh_problem p = nh_problem_of(eq, values, F, count, unknowns, eq->n);
    return count == 0 || nh_onto(&p);
}

bool nh_project_velocities(nh_equations *eq, double *values, const nh_expr *C, size_t count)
{
    return project_onto(eq, values, C, count, true);
}

bool nh_project_positions(nh_equations *eq, double *values)
{
    nh_expr *F = nh_array(eq, eq->model->r);
    size_t count = 0;
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].position)
            F[count++] = eq->model->constraints[a].position;
    return project_onto(eq, values, F, count, false);
}

/* ---------------------------------------------------------------- what is given */

static nh_role role_at(const nh_equations *eq, size_t index)
{
    return index < eq->model->n_roles ? eq->model->roles[index].role : NH_ROLE_VELOCITY; /* u1, u2, ... */
}

static nh_role role_of(const nh_equations *eq, nh_expr symbol)
{
    uint32_t index = 0;
    nh_is_symbol(&eq->pool, symbol, &index);
    return role_at(eq, index);
}

static bool gives(const nh_equations *eq, const nh_given *given, nh_role role)
{
    bool any = false;
    for (size_t i = 0; i < given->count; i++)
        any = any || role_of(eq, given->symbols[i]) == role;
    return any;
}

/* Giving z instead replaces all q' of the model, and the reverse. */
static bool is_replaced(const nh_equations *eq, nh_expr symbol, const nh_given *instead)
{
    nh_role role = role_of(eq, symbol);
    return (role == NH_ROLE_RATE && gives(eq, instead, NH_ROLE_VELOCITY)) ||
           (role == NH_ROLE_VELOCITY && gives(eq, instead, NH_ROLE_RATE));
}

static bool *given_symbols(nh_equations *eq, nh_given instead)
{
    bool *given = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *given);
    uint32_t index = 0;
    for (size_t i = 0; i < eq->model->n_initial; i++) {
        nh_is_symbol(&eq->pool, eq->model->initial[i].symbol, &index);
        given[index] = !is_replaced(eq, eq->model->initial[i].symbol, &instead);
    }
    for (size_t i = 0; i < instead.count; i++) {
        nh_is_symbol(&eq->pool, instead.symbols[i], &index);
        given[index] = true;
    }
    return given;
}

/* Parameters, time, and what initial gives, or what is given instead; everything else is 0. */
static double *given_values(nh_equations *eq, nh_given instead)
{
    const nh_model *model = eq->model;
    nh_arena *scratch = &eq->context->arena;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    double *parameters = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *parameters);
    nh_model_parameter_values_with(model, scratch, instead.symbols, instead.values, instead.count,
                                   parameters);
    for (size_t i = 0; i < model->n_roles; i++)
        values[i] = model->roles[i].role == NH_ROLE_PARAMETER ? parameters[i] : 0;
    nh_evaluate(&eq->pool, scratch, &model->start_time, 1, parameters, nh_slot_of(eq, values, model->time),
                NULL);
    for (size_t i = 0; i < model->n_initial; i++)
        if (!is_replaced(eq, model->initial[i].symbol, &instead))
            nh_evaluate(&eq->pool, scratch, &model->initial[i].value, 1, parameters,
                        nh_slot_of(eq, values, model->initial[i].symbol), NULL);
    for (size_t i = 0; i < instead.count; i++)
        *nh_slot_of(eq, values, instead.symbols[i]) = instead.values[i];
    return values;
}

/* ---------------------------------------------------------------- positions */

static bool place(nh_equations *eq, double *values, const bool *given, bool project)
{
    const nh_model *model = eq->model;
    nh_expr *F = nh_array(eq, model->r);
    size_t count = 0;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            F[count++] = model->constraints[a].position;
    nh_placement w = {.eq = eq, .values = values, .F = F, .count = count, .given = given, .project = project};
    bool placed = count == 0 || nh_bring_onto(&w);
    eq->started->positions = w.how;
    return placed;
}

/* ---------------------------------------------------------------- velocities */

static bool any_given(nh_equations *eq, const bool *given, nh_role role)
{
    bool any = false;
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        any = any || (given[i] && role_at(eq, i) == role);
    return any;
}

static bool rates_from_psi(nh_equations *eq, double *values)
{
    double *psi = nh_arena_array(&eq->arena, eq->n + 1, sizeof *psi);
    bool finite = true;
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++) {
        *nh_slot_of(eq, values, eq->model->coordinates[i].rate) = psi[i];
        finite = finite && isfinite(psi[i]);
    }
    return finite ||
           nh_refuse_start(eq, "give another state in 'initial', or another time with --start t=...",
                           "psi has no finite value at the initial state");
}

static double *metric_at(nh_equations *eq, const double *values)
{
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    double *out = nh_arena_array(&eq->arena, eq->n * eq->n + 1, sizeof *out);
    nh_metric(eq, g);
    nh_evaluate(&eq->pool, &eq->context->arena, g, eq->n * eq->n, values, out, NULL);
    return out;
}

size_t nh_velocity_that_is(const nh_equations *eq, size_t alpha)
{
    if (eq->z[alpha].rate_of >= 0)
        return (size_t)eq->z[alpha].rate_of;
    size_t i = eq->first.psi ? 0 : eq->n;
    while (i < eq->n && eq->first.psi[i] != eq->z[alpha].symbol)
        i++;
    return i;
}

/* Where a search for z starts: at the velocities that they are, otherwise at random. */
static void guess_z(nh_equations *eq, double *values, int start)
{
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        size_t i = nh_velocity_that_is(eq, alpha);
        double chance =
            start == 0 ? 0 : 4 * ((double)(nh_hash((uint64_t)start * 97 + alpha) >> 11) * 0x1p-53 - 0.5);
        *nh_slot_of(eq, values, eq->z[alpha].symbol) =
            i < eq->n ? *nh_slot_of(eq, values, eq->model->coordinates[i].rate) : chance;
    }
}

/* Squares of numbers beyond these are none any more, or 0. */
static const double SMALL = 1e-100, LARGE = 1e100;

/* 1, or what brings the largest of some numbers, `stride` apart, to 1. */
static double unit_of(const double *numbers, size_t count, size_t stride)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(numbers[i * stride]));
    return largest > 0 && isfinite(largest) && !(largest > SMALL && largest < LARGE) ? 1 / largest : 1;
}

/* b becomes the solution; false: the matrix is singular. */
static bool solve(nh_equations *eq, double *M, double *b, size_t n)
{
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    size_t *order = nh_arena_array(&eq->arena, n + 1, sizeof *order);
    double *right = nh_arena_array(&eq->arena, n + 1, sizeof *right);
    memcpy(right, b, n * sizeof *b);
    bool regular = nh_factor_dense(M, order, n, 1e-11);
    if (regular)
        nh_solve_dense(M, order, n, right, b);
    nh_arena_release(&eq->arena, mark);
    return regular;
}

/* One step of Gauss and Newton's method: J^T J dz = -J^T F, into b. False: it is singular. Each z in a unit of its own. */
static bool least_squares_step(nh_problem *p, double *M, double *b)
{
    size_t n = p->count, m = p->n;
    double *unit = nh_arena_array(&p->eq->context->arena, m + 1, sizeof *unit);
    for (size_t a = 0; a < m; a++) {
        unit[a] = unit_of(p->out + n + a, n, m);
        for (size_t i = 0; i < n && unit[a] != 1; i++)
            p->out[n + i * m + a] *= unit[a];
    }
    memset(M, 0, m * m * sizeof *M);
    memset(b, 0, m * sizeof *b);
    for (size_t i = 0; i < n; i++) {
        const double *J = p->out + n + i * m;
        for (size_t a = 0; a < m; a++) {
            if (J[a] == 0)
                continue;
            b[a] -= J[a] * p->out[i];
            for (size_t c = 0; c < m; c++)
                M[a * m + c] += J[a] * J[c];
        }
    }
    bool regular = solve(p->eq, M, b, m);
    for (size_t a = 0; a < m; a++)
        b[a] *= unit[a];
    return regular;
}

enum { STEPS = 100 };

/* F = 0 from where the unknowns are. A step to where F has no value, beyond the end of a root, is halved. */
static bool least_squares(nh_problem *p, double *M, double *b)
{
    double before = INFINITY, moved = INFINITY;
    bool stepped = false;
    for (int step = 0; step < STEPS; step++) {
        double size = nh_problem_look(p);
        if ((size < 1e-13 && !(size < 0.1 * before)) ||
            (size < 1e-10 && moved < 1e-13)) /* as near as rounding lets it come */
            return true;
        if (!isfinite(size) && stepped) {
            for (size_t a = 0; a < p->n; a++)
                b[a] /= 2, *nh_slot_of(p->eq, p->values, p->unknowns[a]) -= b[a];
            continue;
        }
        if (!isfinite(size) || !least_squares_step(p, M, b))
            return false;
        before = size, moved = 0, stepped = true;
        for (size_t a = 0; a < p->n; a++) {
            double *x = nh_slot_of(p->eq, p->values, p->unknowns[a]);
            *x += b[a];
            moved = fmax(moved, fabs(b[a]) / (1 + fabs(*x)));
        }
    }
    return false;
}

enum { STARTS_FOR_Z = 40 };

/* What each velocity would be if it had all of the kinetic energy: the largest of the lengths by the metric; 1 at rest. */
static double *scales_of_rates(nh_equations *eq, double *values)
{
    const double *g = metric_at(eq, values);
    double *scales = nh_arena_array(&eq->arena, eq->n + 1, sizeof *scales), size = 0;
    for (size_t i = 0; i < eq->n; i++) {
        double w = g[i * eq->n + i], rate = *nh_slot_of(eq, values, eq->model->coordinates[i].rate);
        scales[i] = w > 0 && isfinite(w) ? 1 / sqrt(w) : 1;
        size = fmax(size, fabs(rate) / scales[i]);
    }
    for (size_t i = 0; i < eq->n; i++)
        scales[i] = size > 0 && isfinite(size) ? size * scales[i] : 1;
    return scales;
}

/* Where all z are velocities themselves, nothing is to be solved: whether the others are what psi says. */
static bool z_are_rates(nh_equations *eq, double *values, const double *scales)
{
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        if (nh_velocity_that_is(eq, alpha) == eq->n)
            return false;
    guess_z(eq, values, 0);
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    double *psi = nh_arena_array(&eq->arena, eq->n + 1, sizeof *psi);
    bool are = true;
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi, eq->n, values, psi, NULL);
    for (size_t i = 0; i < eq->n; i++)
        are = are &&
              fabs(psi[i] - *nh_slot_of(eq, values, eq->model->coordinates[i].rate)) <= 1e-10 * scales[i];
    nh_arena_release(&eq->arena, mark);
    return are;
}

/* z from q' = psi(q,z), from several starts. */
static bool z_from_rates(nh_equations *eq, double *values)
{
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, m = eq->m;
    const double *scales = scales_of_rates(eq, values);
    if (z_are_rates(eq, values, scales))
        return true;
    nh_expr *F = nh_array(eq, n), *z = nh_array(eq, m);
    for (size_t i = 0; i < n; i++)
        F[i] = nh_sub(pool, eq->first.psi[i], eq->model->coordinates[i].rate);
    for (size_t alpha = 0; alpha < m; alpha++)
        z[alpha] = eq->z[alpha].symbol;
    nh_problem p = nh_problem_of(eq, values, F, n, z, m);
    p.least = scales;
    double *M = nh_arena_array(&eq->arena, m * m + 1, sizeof *M),
           *b = nh_arena_array(&eq->arena, m + 1, sizeof *b);
    for (int start = 0; start < STARTS_FOR_Z; start++) {
        guess_z(eq, values, start);
        if (least_squares(&p, M, b))
            return true;
    }
    if (eq->second.C) {
        nh_expr *rates = nh_array(eq, n);
        nh_all_of(eq, true, rates);
        nh_problem whole = nh_problem_of(eq, values, eq->second.C, eq->r, rates, n);
        if (nh_problem_is_singular(&whole, true))
            return false;
    }
    for (size_t alpha = 0; alpha < m; alpha++)
        *nh_slot_of(eq, values, z[alpha]) = NAN;
    const char *dependence = nh_dependence(eq);
    if (dependence)
        return nh_refuse_start(eq, "give another state in 'initial', or leave one of them out", dependence);
    return eq->without_z ||
           nh_refuse_start(
               eq,
               "another branch of a constraint than that of 'initial' has none; --method second needs none",
               "no quasi-velocities were found for the initial velocities");
}

/* q' on C with the velocities given, and of least 1/2 g q'q' among those. */
static bool move(nh_equations *eq, double *values, const bool *given, bool project)
{
    if ((eq->first.psi && any_given(eq, given, NH_ROLE_VELOCITY)) ||
        (eq->model->psi && !any_given(eq, given, NH_ROLE_RATE))) { /* z that are left out are 0 */
        eq->started->rates = NH_FROM_Z;
        return rates_from_psi(eq, values);
    }
    nh_placement w = {.eq = eq, .values = values, .F = eq->second.C, .count = eq->r, .rates = true};
    w.given = given, w.project = project;
    if (eq->second.C && eq->r > 0) {
        w.metric = metric_at(eq, values);
        if (!nh_bring_onto(&w))
            return false;
        eq->started->rates = w.how;
    }
    if (!eq->first.psi)
        return true;
    if (eq->r == 0 || eq->z[0].rate_of >= 0)
        return true; /* the z are velocities themselves */
    return z_from_rates(eq, values);
}

void nh_tell_guess(nh_equations *eq, const double *values, nh_given instead)
{
    if (!eq->started->guessed)
        return;
    const bool *given = given_symbols(eq, instead);
    nh_text text;
    nh_text_init(&text, &eq->arena);
    for (int rates = 0; rates < 2; rates++) {
        nh_expr *unknowns = nh_array(eq, eq->n);
        bool completed = (rates ? eq->started->rates : eq->started->positions) == NH_COMPLETED;
        size_t n = completed ? nh_free_ones(eq, given, rates, unknowns) : 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t index = 0;
            nh_is_symbol(&eq->pool, unknowns[i], &index);
            nh_text_format(&text, "%s%s = ", text.length ? ", " : "", eq->pool.symbols[index]);
            nh_text_six(&text, values[index]);
        }
    }
    nh_report(&eq->context->diagnostics, NH_WARNING, NULL, (nh_span){0, 0}, NULL,
              "the initial state leaves out %s: these are the nearest values, or those of least kinetic "
              "energy; the "
              "constraints are not linear and may allow others",
              nh_text_get(&text));
}

double *nh_start_state_checked(nh_equations *eq, bool project, nh_given instead)
{
    double *values = nh_start_state_with(eq, project, instead);
    if (!values)
        return NULL;
    nh_refuse_indefinite_at(eq, values);
    nh_tell_guess(eq, values, instead);
    return values;
}

static bool *start_anew(nh_equations *eq, nh_given instead)
{
    bool *given = given_symbols(eq, instead);
    eq->started = nh_arena_array(&eq->arena, 1, sizeof *eq->started);
    *eq->started = (nh_started){.given = given};
    return given;
}

double *nh_start_state(nh_equations *eq, bool project)
{
    return nh_start_state_checked(eq, project, (nh_given){.count = 0});
}

double *nh_start_state_with(nh_equations *eq, bool project, nh_given instead)
{
    double *values = given_values(eq, instead);
    bool *given = start_anew(eq, instead);
    if (!nh_parameters_have_values(eq, values) || !place(eq, values, given, project) ||
        !move(eq, values, given, project))
        return NULL;
    return values;
}

bool nh_refuse_singular(nh_equations *eq, double *values)
{
    nh_expr *rates = nh_array(eq, eq->n);
    if (!eq->second.C || eq->r == 0)
        return false;
    nh_all_of(eq, true, rates);
    nh_problem whole = nh_problem_of(eq, values, eq->second.C, eq->r, rates, eq->n);
    return nh_problem_is_singular(&whole, true);
}

/* Velocities that the model gives, and for which the z are given now; none where others of their kind are. */
static nh_given replaced_rates(nh_equations *eq)
{
    const nh_model *model = eq->model;
    nh_given out = {.count = 0};
    nh_expr *symbols = nh_array(eq, model->n_replaced);
    double *values = nh_arena_array(&eq->arena, model->n_replaced + 1, sizeof *values),
           *parameters = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *parameters);
    for (size_t i = 0; i < model->n_initial; i++)
        if (role_of(eq, model->initial[i].symbol) == NH_ROLE_RATE)
            return out;
    nh_model_parameter_values(model, &eq->context->arena, parameters);
    for (size_t i = 0; i < model->n_replaced; i++) {
        nh_start given = model->replaced[i];
        if (role_of(eq, given.symbol) != NH_ROLE_RATE)
            continue;
        symbols[out.count] = given.symbol;
        nh_evaluate(&eq->pool, &eq->context->arena, &given.value, 1, parameters, &values[out.count++], NULL);
    }
    out.symbols = symbols, out.values = values;
    return out;
}

/* A state on the constraints, from what is given. The equations of the first kind are not there yet. */
static double *start_on(nh_equations *eq, nh_given instead, const nh_expr *C)
{
    double *values = given_values(eq, instead);
    bool *given = start_anew(eq, instead);
    for (size_t i = 0; i < eq->model->n_parameters; i++) { /* those without a value: positive */
        double *value = nh_slot_of(eq, values, eq->model->parameters[i].symbol);
        *value = isfinite(*value) ? *value : 1;
    }
    nh_placement w = {.eq = eq, .values = values, .F = C, .count = eq->model->r, .rates = true};
    w.given = given, w.project = true;
    bool found = place(eq, values, given, true);
    w.metric = metric_at(eq, values);
    return found && nh_bring_onto(&w) ? values : NULL;
}

double *nh_start_quietly(nh_equations *eq)
{
    nh_diagnostics *diagnostics = &eq->context->diagnostics;
    size_t count = diagnostics->count, errors = diagnostics->errors;
    nh_given before = replaced_rates(eq);
    nh_expr *C = nh_array(eq, eq->model->r);
    for (size_t a = 0; a < eq->model->r; a++)
        C[a] = eq->model->constraints[a].C;
    const double *values = before.count ? start_on(eq, before, C) : NULL;
    values = values ? values : start_on(eq, (nh_given){.count = 0}, C);
    diagnostics->count = count, diagnostics->errors = errors;
    if (!values)
        return NULL;
    double *kept = nh_arena_array(&eq->arena, eq->pool.n_symbols + 2 * eq->n + 8,
                                  sizeof *kept); /* the z are still to come */
    memcpy(kept, values, eq->pool.n_symbols * sizeof *kept);
    return kept;
}
