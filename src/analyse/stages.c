/* One stage of the search for integrals: relations between the rates of phi_k(q) w^mu. */
#include "analyse/search.h"

#include <string.h>

/* Columns of a stage beyond which it is left out; relations that are looked at. */
enum { MOST_COLUMNS = 1000, MOST_VECTORS = 100, ROUNDS = 6 };

/* For the coefficients of one of them: seconds, as long as there are others; and in the end a part of the time that is left. */
static const double SECONDS_FOR_WRITING = 0.15, PART_FOR_WRITING = 0.2;

/* phi_k w^mu, as it is shown, as a function of the state, and its rate. */
typedef struct columns {
    nh_expr *shown, *on_C, *rates;
    size_t count, capacity;
} columns;

/* ---------------------------------------------------------------- columns */

/* w^mu up to a degree; of one parity where the system is reversible. */
static nh_phis monomials(nh_search *s, const nh_expr *variables, size_t count, size_t degree)
{
    nh_phis all = {0}, out = {0};
    size_t *last = NULL, n_last = 0, capacity = 0; /* variable of each; the next ones are not before it */
    nh_push(s->arena, all.items, all.count, all.capacity) = (nh_phi){s->pool->one, 0};
    nh_push(s->arena, last, n_last, capacity) = 0;
    for (size_t i = 0; i < all.count && all.items[i].degree < degree; i++)
        for (size_t k = last[i]; k < count; k++) {
            nh_phi next = {nh_mul(s->pool, all.items[i].value, variables[k]), all.items[i].degree + 1};
            nh_push(s->arena, all.items, all.count, all.capacity) = next;
            nh_push(s->arena, last, n_last, capacity) = k;
        }
    for (size_t i = 0; i < all.count; i++)
        if (!s->reversible || (degree - all.items[i].degree) % 2 == 0)
            nh_push(s->arena, out.items, out.count, out.capacity) = all.items[i];
    return out;
}

static double choose(double n, size_t k)
{
    double count = 1;
    for (size_t i = 0; i < k; i++)
        count *= (n - (double)i) / (double)(i + 1);
    return count;
}

/* From above: an angle counts as two functions. */
static double predicted(const nh_search *s, const nh_stage *g)
{
    double functions = 0, variables = (double)(g->with_rates ? s->n : s->m);
    for (size_t k = 0; k < s->n_axes; k++)
        functions += s->axes[k].x ? 1 : 2;
    return choose(variables + (double)g->degree, g->degree) *
           choose(functions + (double)g->coefficients, g->coefficients);
}

static void add_column(nh_search *s, columns *c, nh_expr F)
{
    if (F != s->pool->one && F != s->pool->zero)
        nh_push(s->arena, c->shown, c->count, c->capacity) = F;
}

static bool has_axis(const nh_search *s, nh_expr x)
{
    for (size_t k = 0; k < s->n_axes; k++)
        if (s->axes[k].x == x)
            return true;
    return false;
}

static bool fits(const nh_search *s, const nh_stage *g, size_t degree)
{
    return degree <= g->degree && (!s->reversible || (g->degree - degree) % 2 == 0);
}

/* Coordinates themselves, angles too. */
static void add_coordinates(nh_search *s, const nh_stage *g, columns *c)
{
    for (size_t i = 0; i < s->n && fits(s, g, 0); i++)
        if (g->coefficients == 0 || !has_axis(s, s->state[i]))
            add_column(s, c, s->state[i]);
}

/* Where x does not occur, dF/dx is an integral of its own: F = x A + B with integrals A that are known, those that are functions of
 * others included. */
static void add_multiples(nh_search *s, const nh_stage *g, columns *c)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->out->count && !s->occurs[i]; k++)
            if (fits(s, g, s->out->items[k].degree))
                add_column(s, c, nh_mul(s->pool, s->state[i], s->out->items[k].value));
        for (size_t k = 0; k < s->n_also && !s->occurs[i]; k++)
            if (fits(s, g, 1))
                add_column(s, c, nh_mul(s->pool, s->state[i], s->also[k]));
    }
}

/* phi w^mu, those of low degree first, with the cosine and sine of an angle as factors. */
static void add_products(nh_search *s, const nh_stage *g, columns *c)
{
    size_t count = g->with_rates ? s->n : s->m, n_factors = g->mode < s->n ? 2 : 1;
    nh_expr *variables = nh_search_array(s, count), factors[2] = {s->pool->one, s->pool->one};
    for (size_t i = 0; i < count; i++)
        variables[i] = g->with_rates ? s->eq->model->coordinates[i].rate : s->state[s->n + i];
    for (size_t f = 0; f < 2 && n_factors == 2; f++)
        factors[f] = nh_call(s->pool, f ? NH_FN_sin : NH_FN_cos, s->state[g->mode], NH_EXPR_NONE);
    nh_phis phis = nh_search_functions(s, g->coefficients), mus = monomials(s, variables, count, g->degree);
    for (size_t mu = 0; mu < mus.count; mu++)
        for (size_t k = 0; k < phis.count; k++)
            for (size_t f = 0; f < n_factors; f++)
                add_column(
                    s, c,
                    nh_mul(s->pool, nh_mul(s->pool, phis.items[k].value, factors[f]), mus.items[mu].value));
}

static void make_columns(nh_search *s, const nh_stage *g, columns *c)
{
    bool plain = g->mode == s->n && s->options.space & NH_SPACE_POLYNOMIALS;
    if (plain)
        add_coordinates(s, g, c);
    add_products(s, g, c);
    if (plain)
        add_multiples(s, g, c);
    c->on_C = nh_search_array(s, c->count), c->rates = nh_search_array(s, c->count);
    nh_search_on_C(s, c->shown, c->count, c->on_C);
}

/* Whether columns may be combinations of others on C: the q' are, and functions that are powers of each other, as r, 1/r, x^2 + y^2. */
static bool may_depend(const nh_search *s, const nh_stage *g)
{
    bool functions = g->with_rates;
    for (size_t k = 0; k < s->n_axes; k++)
        functions = functions || (s->axes[k].x && nh_get(s->pool, s->axes[k].x).kind != NH_SYMBOL);
    return functions;
}

/* Those that are are left out. */
static bool drop_dependent(nh_algebra *algebra, columns *c, const bool *constant)
{
    nh_relations r;
    bool done = nh_relations_find(&r, algebra, 1, c->count, c->on_C, constant);
    size_t left = 0, next = 0;
    for (size_t k = 0; k < c->count && done; k++) {
        bool dependent = next < r.found && r.last[next] == k;
        next += dependent;
        if (!dependent)
            c->shown[left] = c->shown[k], c->on_C[left++] = c->on_C[k];
    }
    c->count = left;
    nh_relations_free(&r);
    return done;
}

/* ---------------------------------------------------------------- relations */

/* sum_k a_k F_k */
static nh_expr combine(nh_search *s, const nh_expr *a, const nh_expr *F, size_t count)
{
    nh_expr sum = s->pool->zero;
    for (size_t k = 0; k < count; k++)
        if (a[k] != s->pool->zero)
            sum = nh_add(s->pool, sum, nh_mul(s->pool, a[k], F[k]));
    return sum;
}

/* Relations of a stage; those that are written, and those that could not be. */
typedef struct findings {
    uint64_t **vectors;
    nh_known *f; /* by vector */
    size_t count;
    bool *written, *failed;
    nh_expr *shown, *of_state; /* of those that are written */
    size_t n_written;
} findings;

/* Those among the chosen ones that are new, after those that are written. */
static bool *new_among(nh_search *s, const findings *f, const nh_relations *r, size_t degree,
                       const bool *chosen)
{
    size_t n = 0;
    nh_known *of = nh_arena_array(s->arena, f->count + 1, sizeof *of);
    size_t *index = nh_arena_array(s->arena, f->count + 1, sizeof *index);
    bool *grows = nh_arena_array(s->arena, f->count + 1, sizeof *grows),
         *new_ones = nh_arena_array(s->arena, f->count + 1, sizeof *new_ones);
    for (int written = 1; written >= 0; written--)
        for (size_t i = 0; i < f->count; i++)
            if (f->written[i] == written && (written || chosen[i]))
                of[n] = f->f[i], index[n++] = i;
    nh_search_independent(s, of, n, degree, r->values, grows);
    for (size_t i = 0; i < n; i++)
        new_ones[index[i]] = grows[i] && !f->written[index[i]];
    return new_ones;
}

static void write_one(nh_search *s, findings *f, size_t i, nh_relations *r, const columns *c, double seconds)
{
    nh_expr *a = nh_search_array(s, c->count);
    r->deadline = nh_seconds() + seconds;
    f->written[i] = nh_relations_write(r, f->vectors[i], a), f->failed[i] = !f->written[i];
    if (f->written[i]) {
        f->shown[f->n_written] = combine(s, a, c->shown, c->count);
        f->of_state[f->n_written++] = combine(s, a, c->on_C, c->count);
    }
}

/* Where one could not be written, there may be another instead of it. False: all are written, or failed before. */
static bool write_new(nh_search *s, findings *f, nh_relations *r, const columns *c, size_t degree,
                      double seconds)
{
    bool *chosen = nh_arena_array(s->arena, f->count + 1, sizeof *chosen), failed = false;
    for (size_t i = 0; i < f->count; i++)
        chosen[i] = !f->failed[i];
    bool *new_ones = new_among(s, f, r, degree, chosen);
    for (size_t i = 0; i < f->count; i++)
        if (new_ones[i]) {
            write_one(s, f, i, r, c, seconds);
            failed = failed || f->failed[i];
        }
    return failed;
}

/* A copy that lives as long as the search. */
static uint64_t *vector_of(nh_search *s, const uint64_t *a, size_t count)
{
    uint64_t *out = nh_arena_array(s->arena, count + 1, sizeof *out);
    memcpy(out, a, count * sizeof *out);
    return out;
}

/* The relations that are new, as expressions; short ones are tried first. */
static findings find_new(nh_search *s, nh_relations *r, const columns *c, size_t degree)
{
    findings f = {0};
    f.vectors = nh_relations_short(r, MOST_VECTORS + r->found, &f.count);
    f.f = nh_arena_array(s->arena, f.count + 1, sizeof *f.f);
    f.shown = nh_search_array(s, f.count), f.of_state = nh_search_array(s, f.count);
    f.written = nh_arena_array(s->arena, f.count + 1, sizeof *f.written);
    f.failed = nh_arena_array(s->arena, f.count + 1, sizeof *f.failed);
    for (size_t i = 0; i < f.count; i++)
        f.f[i] = (nh_known){c->on_C, vector_of(s, f.vectors[i], c->count), c->count, degree};
    bool failed = true;
    for (int round = 0; round < ROUNDS && failed; round++)
        failed = write_new(s, &f, r, c, degree, SECONDS_FOR_WRITING);
    memset(f.failed, 0, f.count * sizeof *f.failed);
    write_new(s, &f, r, c, degree, PART_FOR_WRITING * (s->deadline - nh_seconds()));
    bool *lost = new_among(s, &f, r, degree, f.failed);
    for (size_t i = 0; i < f.count; i++)
        if (lost[i])
            nh_push(s->arena, s->lost, s->n_lost, s->lost_capacity) = f.f[i];
    return f;
}

bool nh_search_stage(nh_search *s, const nh_stage *g)
{
    columns c = {0};
    nh_algebra algebra;
    nh_relations r;
    findings new_ones = {0};
    if (nh_search_is_over(s) || predicted(s, g) > 20 * MOST_COLUMNS)
        return false;
    make_columns(s, g, &c);
    if (c.count > MOST_COLUMNS)
        return false;
    bool *constant = nh_search_parameters(s);
    nh_search_algebra(s, &algebra);
    bool done = !may_depend(s, g) || drop_dependent(&algebra, &c, constant);
    nh_search_rates(s, c.on_C, c.count, c.rates);
    if (done) {
        done = nh_relations_find(&r, &algebra, 1, c.count, c.rates, constant);
        if (done)
            new_ones = find_new(s, &r, &c, g->degree);
        nh_relations_free(&r);
    }
    nh_algebra_free(&algebra);
    for (size_t i = 0; i < new_ones.n_written; i++)
        nh_search_keep(s, new_ones.shown[i], new_ones.of_state[i], NULL, g->degree);
    return done;
}
