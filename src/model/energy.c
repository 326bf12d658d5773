/* Energies and forces: what points add, the totals, and whether the kinetic energy is one. */
#include "model/reader.h"

#include <string.h>

/* The symbols q, q' or t with their velocities, for total derivatives: n + 1 of them. */
static size_t motion(const nh_model *model, nh_arena *arena, nh_expr **symbols, nh_expr **rates)
{
    *symbols = nh_arena_array(arena, model->n + 1, sizeof **symbols);
    *rates = nh_arena_array(arena, model->n + 1, sizeof **rates);
    for (size_t i = 0; i < model->n; i++) {
        (*symbols)[i] = model->coordinates[i].q;
        (*rates)[i] = model->coordinates[i].rate;
    }
    (*symbols)[model->n] = model->time;
    (*rates)[model->n] = model->pool.one;
    return model->n + 1;
}

/* d/dt of functions of (q,t): f_i q'^i + f_t */
void nh_total_derivative(nh_reader *reader, const nh_expr *f, size_t count, nh_expr *out)
{
    nh_expr *symbols, *rates;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    size_t n = motion(reader->model, &reader->scratch, &symbols, &rates);
    nh_directional(reader->pool, &reader->scratch, f, count, symbols, rates, n, out);
    nh_arena_release(&reader->scratch, mark);
}

/* A_i += F . dr/dq^i */
void nh_add_point_force(nh_reader *reader, const nh_point *point)
{
    nh_model *model = reader->model;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    nh_expr *q = nh_arena_array(&reader->scratch, model->n, sizeof *q);
    nh_expr *A = nh_arena_array(&reader->scratch, model->n, sizeof *A);
    for (size_t i = 0; i < model->n; i++)
        q[i] = model->coordinates[i].q;
    nh_gradient(reader->pool, &reader->scratch, point->at, point->force, (size_t)point->size, q, model->n, A);
    for (size_t i = 0; i < model->n; i++)
        model->coordinates[i].force = nh_add(reader->pool, model->coordinates[i].force, A[i]);
    nh_arena_release(&reader->scratch, mark);
}

/* K += 1/2 m v^2, V -= m g.r */
static void add_point_energy(nh_reader *reader, const nh_point *point)
{
    nh_model *model = reader->model;
    nh_pool *pool = reader->pool;
    if (!point->mass)
        return;
    nh_expr square = pool->zero, height = pool->zero;
    for (int k = 0; k < point->size; k++) {
        square = nh_add(pool, square, nh_power(pool, point->rate[k], 2));
        if (model->gravity_size == point->size)
            height = nh_add(pool, height, nh_mul(pool, model->gravity[k], point->at[k]));
    }
    model->kinetic =
        nh_add(pool, model->kinetic, nh_mul(pool, pool->half, nh_mul(pool, point->mass, square)));
    model->potential = nh_sub(pool, model->potential, nh_mul(pool, point->mass, height));
}

/* The totals in place of their symbols, in an observed value, an integral (by name) or a condition. */
static void insert_totals(nh_reader *reader, const char *name, nh_expr *value)
{
    const nh_expr totals[2] = {reader->model->kinetic, reader->model->potential};
    for (int k = 0; k < 2; k++) {
        if (!reader->totals[k] || !*value)
            continue;
        nh_substitute(reader->pool, &reader->scratch, value, 1, &reader->totals[k], &totals[k], 1, value);
        nh_entry *entry = name ? nh_find(reader, nh_slice_of(name)) : NULL;
        if (!*value)
            nh_wrong(reader, entry ? entry->span : (nh_span){0, 0}, NULL,
                     "division by zero: there is no %s energy", k == 0 ? "kinetic" : "potential");
    }
}

void nh_sum_energies(nh_reader *reader)
{
    nh_model *model = reader->model;
    model->kinetic = model->potential = reader->pool->zero;
    for (size_t i = 0; i < reader->n_kinetics; i++)
        model->kinetic = nh_add(reader->pool, model->kinetic, reader->kinetics[i].value);
    for (size_t i = 0; i < reader->n_potentials; i++)
        model->potential = nh_add(reader->pool, model->potential, reader->potentials[i].value);
    for (size_t i = 0; i < model->n_points; i++)
        add_point_energy(reader, &model->points[i]);
    for (size_t i = 0; i < model->n_bodies; i++)
        nh_add_body_energy(reader, &model->bodies[i]);
    for (size_t i = 0; i < model->n_observed; i++)
        insert_totals(reader, model->observed[i].name, &model->observed[i].value);
    for (size_t i = 0; i < model->n_integrals; i++)
        insert_totals(reader, model->integrals[i].name, &model->integrals[i].value);
    for (size_t i = 0; i < model->n_events; i++)
        insert_totals(reader, NULL, &model->events[i].value);
    for (size_t i = 0; i < model->n_observed; i++)
        nh_insert_newton(reader, &model->observed[i].value);
    for (size_t i = 0; i < model->n_events; i++)
        nh_insert_newton(reader, &model->events[i].value);
    nh_finish_drawings(reader);
}

/* ---------------------------------------------------------------- checks */

void nh_random_direction(nh_reader *reader, nh_expr *out, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        int64_t odd = (int64_t)(nh_hash(nh_hash(seed) + i) >> 34) | 1;
        out[i] = nh_number(reader->pool, (nh_rational){.num = odd, .den = INT64_C(1) << 30});
    }
}

static nh_expr *rates_of(nh_reader *reader)
{
    nh_model *model = reader->model;
    nh_expr *rates = nh_arena_array(&reader->scratch, model->n, sizeof *rates);
    for (size_t i = 0; i < model->n; i++)
        rates[i] = model->coordinates[i].rate;
    return rates;
}

/* K is a polynomial of degree <= 2 in q' if and only if (w.d/dq')^3 K = 0 for all w: for a random w, and zero as a
 * function of the state. Powers of K's derivative before that: whether there are velocities at all. */
static nh_answer degree_at_most(nh_reader *reader, nh_expr K, int degree)
{
    size_t n = reader->model->n;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    nh_expr *rates = rates_of(reader), *w = nh_arena_array(&reader->scratch, n, sizeof *w);
    nh_random_direction(reader, w, n, 1);
    for (int k = 0; k <= degree; k++)
        nh_directional(reader->pool, &reader->scratch, &K, 1, rates, w, n, &K);
    nh_arena_release(&reader->scratch, mark);
    return nh_zero_test(reader->modular, &reader->scratch, K, reader->signs);
}

/* Whether a function or a root of velocities stands in K: without one it has no corners. */
static bool has_functions_of_rates(nh_reader *reader, nh_expr K)
{
    nh_arena *scratch = &reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(reader->pool, scratch, &K, 1);
    bool *depends = nh_arena_array(scratch, reader->pool->n_symbols + 1, sizeof *depends), found = false;
    for (size_t i = 0; i < walk.count && !found; i++) {
        nh_node node = nh_get(reader->pool, walk.nodes[i]);
        nh_rational exponent;
        bool root = node.kind == NH_POW &&
                    !(nh_is_number(reader->pool, node.b, &exponent) && nh_rational_is_int(exponent));
        if (node.kind != NH_CALL && !root)
            continue;
        memset(depends, 0, (reader->pool->n_symbols + 1) * sizeof *depends);
        nh_find_symbols(reader->pool, scratch, &walk.nodes[i], 1, depends);
        for (size_t k = 0; k < reader->model->n && !found; k++) {
            uint32_t index = 0;
            nh_is_symbol(reader->pool, reader->model->coordinates[k].rate, &index);
            found = depends[index];
        }
    }
    nh_arena_release(scratch, mark);
    return found;
}

/* That derivative is 0, too, where K is another polynomial on the other side of a corner, as sqrt(x'^2) is. Then
 * K(q' + c) is not K + (c.d/dq') K + 1/2 (c.d/dq')^2 K for some of several c. */
static bool has_sides(nh_reader *reader, nh_expr K)
{
    nh_pool *pool = reader->pool;
    size_t n = reader->model->n;
    nh_arena *scratch = &reader->scratch;
    nh_expr there, first, second;
    bool sides = false;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_expr *rates = rates_of(reader), *c = nh_arena_array(scratch, n, sizeof *c),
            *moved = nh_arena_array(scratch, n, sizeof *moved);
    for (uint64_t seed = 2; seed < 8 && !sides; seed++) {
        nh_random_direction(reader, c, n, seed);
        for (size_t i = 0; i < n; i++)
            moved[i] = nh_add(pool, rates[i], c[i]);
        nh_substitute(pool, scratch, &K, 1, rates, moved, n, &there);
        nh_directional(pool, scratch, &K, 1, rates, c, n, &first);
        nh_directional(pool, scratch, &first, 1, rates, c, n, &second);
        nh_expr series = nh_add(pool, K, nh_add(pool, first, nh_mul(pool, pool->half, second)));
        sides = nh_zero_test(reader->modular, scratch, nh_sub(pool, there, series), reader->signs) == NH_NO;
    }
    nh_arena_release(scratch, mark);
    return sides;
}

static void check_kinetic(nh_reader *reader, const nh_energy *energy)
{
    if (degree_at_most(reader, energy->value, 2) == NH_NO ||
        (has_functions_of_rates(reader, energy->value) && has_sides(reader, energy->value)))
        nh_wrong(reader, energy->span, NULL,
                 "the kinetic energy must be a polynomial of degree 2 at most in the velocities");
    else if (degree_at_most(reader, energy->value, 0) == NH_YES)
        nh_wrong(reader, energy->span,
                 "a term without velocities belongs into 'potential', with its sign changed",
                 "this kinetic energy contains no velocities");
}

static bool any_mass(const nh_model *model)
{
    for (size_t i = 0; i < model->n_points; i++)
        if (model->points[i].mass)
            return true;
    return false;
}

static bool any_inertia(const nh_model *model)
{
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].turns)
            return true;
    return false;
}

static void check_gravity(nh_reader *reader)
{
    const nh_model *model = reader->model;
    if (!model->gravity_size)
        return;
    if (model->n_points && model->points[0].size != model->gravity_size)
        nh_wrong(reader, reader->gravity_place, NULL, "gravity has %d components, '%s' has %d",
                 model->gravity_size, model->points[0].name, model->points[0].size);
    else if (!any_mass(model))
        nh_warn(reader, reader->gravity_span, "give points their mass: point P at VECTOR mass M",
                "gravity acts on nothing: there is no point with mass");
}

void nh_check_energies(nh_reader *reader)
{
    check_gravity(reader);
    if (reader->n_kinetics == 0 && !any_mass(reader->model) && !any_inertia(reader->model))
        nh_wrong(reader, (nh_span){0, 0}, "add a 'kinetic' statement, or points or bodies with mass",
                 "there is no kinetic energy");
    for (size_t i = 0; i < reader->n_kinetics; i++)
        check_kinetic(reader, &reader->kinetics[i]);
}
