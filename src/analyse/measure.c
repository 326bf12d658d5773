/* Invariant measures: rho(q) with div(rho Z) = 0, that is, for sigma = log rho,
 *
 *     psi^i d_i sigma + d_t sigma = -div,   div = d_i psi^i + d_alpha Z^alpha.
 *
 * As a condition on the fields X_k that span the velocities: X_k(sigma) = -d_k, where div belongs to psi as d_k to X_k. With one more
 * coordinate s, along which X_k has the component -d_k, the graph of sigma is a surface tangent to the fields: there is one near almost
 * every state if and only if the brackets of the fields never lead to d_s alone. */
#include "analyse/measure.h"

#include "analyse/flag.h"
#include "analyse/functions.h"

#include <string.h>

static const double SECONDS = 3;

/* Beyond so many it is not looked for. */
enum { MOST_VELOCITIES = 12, MOST_IF_NOT_AFFINE = 4 };

typedef struct divergence {
    nh_space *space;
    bool own;         /* for the values that the parameters have; otherwise for almost all */
    nh_expr all;      /* div */
    size_t m, n;      /* n: with the component along s */
    nh_expr *X;       /* m x n */
    nh_answer affine; /* whether div is affine in the z, where psi is */
    bool split;       /* the parts are all of it: div = d_0 + d_alpha z^alpha is proved */
} divergence;

static nh_expr divergence_of_Z(nh_equations *eq)
{
    nh_expr sum = eq->pool.zero;
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        sum = nh_add(
            &eq->pool, sum,
            nh_derivative(&eq->pool, &eq->context->arena, eq->first.Z_upper[alpha], eq->z[alpha].symbol));
    return sum;
}

/* d_i psi^i + d_alpha Z^alpha */
static nh_expr divergence_of(nh_equations *eq)
{
    nh_expr sum = divergence_of_Z(eq);
    for (size_t i = 0; i < eq->n; i++)
        sum = nh_add(
            &eq->pool, sum,
            nh_derivative(&eq->pool, &eq->context->arena, eq->first.psi[i], eq->model->coordinates[i].q));
    return sum;
}

/* With 0 for all z but one; kept == m: for all. */
static void with_one_velocity(nh_equations *eq, const nh_expr *e, size_t count, size_t kept, nh_expr *out)
{
    nh_expr *z = nh_arena_array(&eq->arena, eq->m + 1, sizeof *z),
            *value = nh_arena_array(&eq->arena, eq->m + 1, sizeof *value);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        z[alpha] = eq->z[alpha].symbol, value[alpha] = alpha == kept ? z[alpha] : eq->pool.zero;
    nh_substitute(&eq->pool, &eq->context->arena, e, count, z, value, eq->m, out);
}

static nh_expr at_rest(nh_equations *eq, nh_expr e)
{
    nh_expr out;
    with_one_velocity(eq, &e, 1, eq->m, &out);
    return out;
}

static void put(const divergence *d, const nh_expr *e, size_t count, nh_expr *out)
{
    if (d->own)
        nh_put_own_values(d->space->eq, e, count, out);
    else
        nh_put_given(d->space->eq, e, count, out);
}

static void add_field(divergence *d, const nh_expr *field, bool with_time, nh_expr part)
{
    nh_equations *eq = d->space->eq;
    nh_expr *row = d->X + d->m++ * d->n;
    put(d, field, eq->n, row); /* the space has seen to it that they have values */
    if (d->space->timed)
        row[eq->n] = with_time ? eq->pool.one : eq->pool.zero;
    row[d->n - 1] = nh_neg(&eq->pool, part);
}

/* q' = X_0 + X_alpha z^alpha, and div = d_0 + d_alpha z^alpha. */
static void split(divergence *d)
{
    nh_equations *eq = d->space->eq;
    nh_pool *pool = &eq->pool;
    nh_expr *rest = nh_space_rows(d->space, 1), left = at_rest(eq, d->all), remainder;
    for (size_t i = 0; i < eq->n; i++)
        rest[i] = at_rest(eq, eq->first.psi[i]);
    nh_space_simplify(d->space, &left, 1);
    add_field(d, rest, true, left);
    remainder = nh_sub(pool, d->all, left);
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        nh_expr z = eq->z[alpha].symbol,
                part = at_rest(eq, nh_derivative(pool, &eq->context->arena, d->all, z));
        nh_space_simplify(d->space, &part, 1);
        add_field(d, eq->first.psi_alpha + alpha * eq->n, false, part);
        remainder = nh_sub(pool, remainder, nh_mul(pool, part, z));
    }
    d->affine = nh_space_is_zero(d->space, remainder);
    d->split = d->affine == NH_YES;
}

/* psi and its derivatives at one z, which stands for all. */
static void differentiate(divergence *d)
{
    nh_equations *eq = d->space->eq;
    add_field(d, eq->first.psi, true, d->all);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        add_field(d, eq->first.psi_alpha + alpha * eq->n, false,
                  nh_derivative(&eq->pool, &eq->context->arena, d->all, eq->z[alpha].symbol));
    d->affine = NH_YES;
}

/* ---------------------------------------------------------------- whether there is one */

typedef enum chance { NONE_EXISTS, EXISTS_LOCALLY, NOT_CLEAR } chance;

static chance chance_of(divergence *d)
{
    nh_flag flag;
    if (d->affine == NH_NO)
        return NONE_EXISTS;
    nh_flag_grow(&flag, d->space, d->n, d->m, d->X, true);
    if (flag.is_pivot[d->n - 1])
        return flag.proved ? NONE_EXISTS : NOT_CLEAR;
    bool steady = d->space->timed || !nh_depends_on(d->space->eq, d->all, d->space->eq->model->time);
    return flag.complete && flag.proved && d->split && steady ? EXISTS_LOCALLY : NOT_CLEAR;
}

/* ---------------------------------------------------------------- which one it is */

enum { LARGEST_DETERMINANT = 4, LONGEST = 200 };

/* Densities are powers of determinants more often than not. */
static void add_determinant(nh_functions *f)
{
    nh_equations *eq = f->space->eq;
    nh_expr determinant, *G = nh_arena_array(&eq->arena, eq->m * eq->m + 1, sizeof *G);
    nh_put_given(eq, eq->first.G, eq->m * eq->m, G);
    if (!nh_all_have_values(G, eq->m * eq->m))
        return;
    if (eq->m <= LARGEST_DETERMINANT && !nh_has_solve(&eq->pool, &eq->context->arena, G, eq->m * eq->m) &&
        nh_matrix_determinant(&f->space->algebra, eq->m, G, &determinant))
        nh_functions_add_logarithms(f, determinant);
}

/* X_k(f_j) for each function, and d_k behind them, by rows. */
static nh_expr *conditions(divergence *d, const nh_functions *f)
{
    size_t width = f->count + 1;
    nh_expr *e = nh_arena_array(&d->space->eq->arena, d->m * width + 1, sizeof *e);
    for (size_t k = 0; k < d->m; k++) {
        const nh_expr *X = d->X + k * d->n;
        nh_along(d->space, X, f->items, f->count, e + k * width);
        e[k * width + f->count] = nh_neg(&d->space->eq->pool, X[d->n - 1]);
    }
    return e;
}

/* psi^i d_i sigma + d_t sigma + div = 0 */
static bool is_density(divergence *d, nh_expr sigma)
{
    nh_equations *eq = d->space->eq;
    nh_expr *velocity = nh_space_rows(d->space, 1), rate;
    put(d, eq->first.psi, eq->n, velocity);
    if (d->space->timed)
        velocity[eq->n] = eq->pool.one;
    nh_along(d->space, velocity, &sigma, 1, &rate);
    return d->split || nh_space_is_zero(d->space, nh_add(&eq->pool, rate, d->all)) == NH_YES;
}

/* The relation that expresses d by the functions: the last one, if d is in it; NULL: there is none. */
static nh_expr *relation_with_divergence(divergence *d, const nh_functions *f)
{
    nh_relations relations;
    nh_expr *a = NULL;
    bool found = nh_space_relations(d->space, &relations, d->m, f->count + 1, conditions(d, f),
                                    nh_constants(d->space));
    if (found && relations.found && relations.last[relations.found - 1] == f->count)
        a = nh_space_relation(d->space, &relations, relations.found - 1);
    nh_relations_free(&relations);
    return a;
}

/* log rho = sum_j a_j f_j with sum_j a_j X_k(f_j) + d_k = 0; NH_EXPR_NONE: there is none among these. */
static nh_expr density_among(divergence *d, const nh_functions *f)
{
    nh_pool *pool = &d->space->eq->pool;
    nh_expr *a = relation_with_divergence(d, f), sigma = pool->zero;
    if (!a)
        return NH_EXPR_NONE;
    for (size_t j = 0; j < f->count; j++) {
        a[j] = nh_div(pool, a[j], a[f->count]);
        nh_space_simplify(d->space, &a[j], 1);
        sigma = nh_add(pool, sigma, nh_mul(pool, a[j], f->items[j]));
    }
    return is_density(d, sigma) ? nh_exponential_of(d->space, f->count, a, f->items) : NH_EXPR_NONE;
}

/* On a circle rho has to be periodic. */
static nh_expr find_density(divergence *d)
{
    nh_expr rho = NH_EXPR_NONE;
    for (int wealth = NH_OCCURRING; wealth < NH_WEALTH_COUNT && !rho && !nh_is_late(d->space); wealth++) {
        nh_functions f;
        nh_functions_init(&f, d->space, true);
        add_determinant(&f);
        nh_functions_fill(&f, d->X, d->m * d->n, (nh_wealth)wealth);
        rho = density_among(d, &f);
    }
    if (rho)
        nh_space_simplify(d->space, &rho, 1);
    return rho ? nh_space_positive(d->space, rho) : rho;
}

/* ---------------------------------------------------------------- the fact */

static nh_fact density_fact(divergence *d, nh_expr rho)
{
    nh_text text;
    nh_text_init(&text, &d->space->eq->arena);
    nh_text_format(&text, "rho = %s", nh_space_text(d->space, rho, LONGEST));
    return (nh_fact){"invariant-measure", NH_PROVED, nh_text_get(&text)};
}

/* ---------------------------------------------------------------- none of any kind
 *
 * Z(rho) + rho div = 0: where the motion rests and div is not 0, every smooth density vanishes. */

/* Whether Z = 0 and e is not, with one velocity or none. */
static bool rests_with(nh_space *space, nh_expr e, size_t kept)
{
    nh_equations *eq = space->eq;
    nh_expr *Z = nh_arena_array(&eq->arena, eq->m + 1, sizeof *Z);
    nh_put_given(eq, eq->first.Z_upper, eq->m, Z);
    bool rests = nh_all_have_values(Z, eq->m);
    if (!rests)
        return false;
    with_one_velocity(eq, Z, eq->m, kept, Z);
    with_one_velocity(eq, &e, 1, kept, &e);
    for (size_t alpha = 0; alpha < eq->m && rests; alpha++)
        rests = nh_space_is_zero(space, Z[alpha]) == NH_YES;
    return rests && nh_space_is_zero(space, e) == NH_NO;
}

/* Whether the equations of the z contain no q and no t. */
static bool closes_by_itself(nh_space *space)
{
    nh_equations *eq = space->eq;
    nh_expr *change = nh_arena_array(&eq->arena, eq->m + 1, sizeof *change),
            *Z = nh_arena_array(&eq->arena, eq->m + 1, sizeof *Z);
    nh_put_given(eq, eq->first.Z_upper, eq->m, Z);
    bool closes = nh_all_have_values(Z, eq->m);
    for (size_t i = 0; i <= eq->n && closes; i++) {
        nh_expr q = i < eq->n ? eq->model->coordinates[i].q : eq->model->time;
        nh_directional(&eq->pool, &eq->context->arena, Z, eq->m, &q, &eq->pool.one, 1, change);
        for (size_t alpha = 0; alpha < eq->m && closes; alpha++)
            closes = nh_space_is_zero(space, change[alpha]) == NH_YES;
    }
    return closes;
}

/* The system at rest; else the equations of the z alone, in steady motion with one of them. */
static const char *none_at_all(divergence *d)
{
    nh_space *space = d->space;
    nh_equations *eq = space->eq;
    if (!d->split)
        return "";
    if (!space->timed && rests_with(space, d->all, eq->m))
        return "; and none of any kind is smooth and positive at rest, where the divergence is not 0";
    nh_expr own = divergence_of_Z(eq);
    nh_put_given(eq, &own, 1, &own);
    for (size_t kept = 0; kept < eq->m && closes_by_itself(space); kept++)
        if (rests_with(space, own, kept)) {
            nh_text text;
            nh_text_init(&text, &eq->arena);
            nh_text_format(
                &text,
                "; the equations of the velocities alone have none of any kind: with only %s they are "
                "at rest, and their divergence is not 0",
                eq->z[kept].name);
            return nh_text_get(&text);
        }
    return "";
}

static const char *refutation(divergence *d)
{
    nh_text text;
    nh_text_init(&text, &d->space->eq->arena);
    nh_text_format(&text, "no density depends on the coordinates alone: %s%s",
                   d->affine == NH_NO ? "the divergence is not affine in the velocities"
                                      : "the Lie brackets contradict X(log rho) = -div",
                   none_at_all(d));
    return nh_text_get(&text);
}

/* Friction that jumps has the divergence 0 beside the jump, and takes all volume away at it. */
static bool field_jumps(const nh_equations *eq)
{
    nh_walk walk = nh_walk_of(&eq->pool, &eq->context->arena, eq->first.Z_upper, eq->m);
    bool found = false;
    for (size_t i = 0; i < walk.count && !found; i++) {
        nh_node node = nh_get(&eq->pool, walk.nodes[i]);
        found = node.kind == NH_CALL && node.function == NH_FN_sign;
    }
    return found;
}

static nh_fact measure_fact(divergence *d)
{
    if (field_jumps(d->space->eq))
        return (nh_fact){
            "invariant-measure", NH_NOT_KNOWN,
            "not looked for: the accelerations jump where a sign changes, and volumes may vanish there"};
    if (nh_space_is_zero(d->space, d->all) == NH_YES)
        return (nh_fact){"invariant-measure", NH_PROVED, "rho = 1: the divergence of the motion is 0"};
    chance local = chance_of(d);
    if (local == NONE_EXISTS)
        return (nh_fact){"invariant-measure", NH_REFUTED, refutation(d)};
    nh_expr rho = find_density(d);
    if (rho)
        return density_fact(d, rho);
    return (nh_fact){"invariant-measure", NH_NOT_KNOWN,
                     local == EXISTS_LOCALLY ? "no density was found; near almost every state there is one "
                                               "that depends on the coordinates alone"
                                             : "no density was found"};
}

/* The constraints on the positions hold on a surface only, of which brackets at almost all states tell nothing. */
static const char *why_not(const nh_equations *eq)
{
    return nh_positional(eq) ? "not looked for with constraints on the positions"
           : eq->m > (nh_is_affine(eq) ? MOST_VELOCITIES : MOST_IF_NOT_AFFINE)
               ? "not looked for with so many velocities"
               : NULL;
}

/* False: it is divided by a parameter that is 0. */
static bool find_divergence(divergence *d)
{
    nh_equations *eq = d->space->eq;
    d->n = d->space->n + 1;
    d->X = nh_arena_array(&eq->arena, (eq->m + 1) * d->n + 1, sizeof *d->X);
    d->all = divergence_of(eq);
    put(d, &d->all, 1, &d->all);
    if (!d->all)
        return false;
    nh_space_simplify(d->space, &d->all, 1);
    if (nh_is_affine(eq))
        split(d);
    else
        differentiate(d);
    return true;
}

/* What is true of almost all values of the parameters need not be of those that they have. */
static void tell_exception(nh_space *space, nh_fact *fact)
{
    divergence d = {.space = space, .own = true};
    if (fact->verdict != NH_REFUTED || !find_divergence(&d) || !nh_all_have_values(d.X, d.m * d.n))
        return;
    nh_fact own = measure_fact(&d);
    nh_text text;
    nh_text_init(&text, &space->eq->arena);
    nh_text_format(&text, "%s; but for the values that the parameters have: %s", fact->detail, own.detail);
    if (own.verdict == NH_PROVED)
        fact->detail = nh_text_get(&text);
}

static nh_fact fact_of(nh_space *space)
{
    divergence d = {.space = space};
    if (!find_divergence(&d))
        return (nh_fact){"invariant-measure", NH_NOT_KNOWN,
                         "the divergence is divided by a parameter that is 0"};
    nh_fact fact = measure_fact(&d);
    tell_exception(space, &fact);
    return fact;
}

void nh_measure_facts(nh_equations *eq, nh_facts *facts)
{
    nh_space space;
    if (eq->r == 0 || nh_positional(eq) == eq->r)
        return;
    const char *reason = why_not(eq);
    if (!reason && nh_is_long(eq, eq->first.Z_upper, eq->m))
        reason = "not looked for: the equations of motion are too long";
    if (!reason)
        reason = nh_space_init(&space, eq, SECONDS);
    nh_fact fact = reason ? (nh_fact){"invariant-measure", NH_NOT_KNOWN, reason} : fact_of(&space);
    nh_fact_insert(eq, facts, facts->count, fact);
    if (!reason)
        nh_space_free(&space);
}
