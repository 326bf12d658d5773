/* First integrals: those that have names, then stage by stage those in larger and larger spaces of functions. */
#include "analyse/search.h"

#include <math.h>
#include <string.h>

/* Columns of a stage beyond which it is left out; degrees of the coefficients; of those with q', where q' is linear in z. */
enum { MOST_COLUMNS = 1000, MOST_COEFFICIENT_DEGREE = 6, MOST_DEGREE_WITH_RATES = 2 };

typedef struct stage {
    size_t degree, coefficients; /* degrees: in the velocities, in the coordinates */
    bool with_rates;             /* in q', not in w */
    size_t mode; /* an angle that does not occur, whose cosine and sine are factors; n: none */
} stage;

/* phi_k w^mu, as it is shown, as a function of the state, and its rate. */
typedef struct columns {
    nh_expr *shown, *on_C, *rates;
    size_t count, capacity, on_C_count, on_C_capacity;
} columns;

static nh_arena *scratch_of(const nh_search *s) { return &s->eq->context->arena; }

static nh_expr *array_of(const nh_search *s, size_t count)
{
    return nh_arena_array(s->arena, count + 1, sizeof(nh_expr));
}

static bool is_null(nh_search *s, nh_expr e)
{
    return nh_zero_test(s->eq->modular, scratch_of(s), e, NULL) == NH_YES;
}

static bool is_over(const nh_search *s)
{
    bool stopped = s->options.stop && s->options.stop(s->options.user);
    return stopped || nh_seconds() > s->deadline || s->n_known >= s->out->most;
}

/* Symbols are added on the way: made anew for each use. Not to be moved in memory. */
static void begin_algebra(nh_search *s, nh_algebra *algebra)
{
    const nh_model *model = s->eq->model;
    signed char *signs = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(model, scratch_of(s)), model->pool.n_symbols);
    nh_budget budget = {.max_seconds = fmax(s->deadline - nh_seconds(), 0.05)};
    nh_algebra_init(algebra, s->pool, &budget, signs);
}

static bool *parameters_of(const nh_search *s)
{
    bool *constant = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *constant);
    for (size_t i = 0; i < s->eq->model->n_parameters; i++) {
        uint32_t index = 0;
        nh_is_symbol(s->pool, s->eq->model->parameters[i].symbol, &index);
        constant[index] = true;
    }
    return constant;
}

/* ---------------------------------------------------------------- the field */

/* Functions of (q, q') as functions of the state. */
static void on_C(nh_search *s, const nh_expr *in, size_t count, nh_expr *out)
{
    nh_expr *rates = array_of(s, s->n);
    for (size_t i = 0; i < s->n; i++)
        rates[i] = s->eq->model->coordinates[i].rate;
    if (s->eq->first.psi)
        nh_substitute(s->pool, scratch_of(s), in, count, rates, s->eq->first.psi, s->n, out);
    else
        memcpy(out, in, count * sizeof *out);
}

static void rates_of(nh_search *s, const nh_expr *F, size_t count, nh_expr *out)
{
    nh_directional(s->pool, scratch_of(s), F, count, s->state, s->rates, s->size, out);
}

/* With psi: (q, z), rates psi and Z. Without: (q, q') on all of TQ, rates q' and D. */
static void begin_field(nh_search *s)
{
    const nh_equations *eq = s->eq;
    bool psi = eq->first.psi != NULL;
    s->n = eq->n, s->m = psi ? eq->m : eq->n, s->size = s->n + s->m + 1;
    s->state = array_of(s, s->size), s->rates = array_of(s, s->size);
    for (size_t i = 0; i < s->n; i++) {
        s->state[i] = eq->model->coordinates[i].q;
        s->rates[i] = psi ? eq->first.psi[i] : eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < s->m; k++) {
        s->state[s->n + k] = psi ? eq->z[k].symbol : eq->model->coordinates[k].rate;
        s->rates[s->n + k] = psi ? eq->first.Z_upper[k] : eq->second.D[k];
    }
    s->state[s->size - 1] = eq->model->time, s->rates[s->size - 1] = s->pool->one;
}

/* psi(q, -w) = -psi(q, w), Z(q, -w) = Z(q, w) */
static bool is_reversible(nh_search *s)
{
    nh_expr *minus = array_of(s, s->m), *turned = array_of(s, s->size);
    for (size_t k = 0; k < s->m; k++)
        minus[k] = nh_neg(s->pool, s->state[s->n + k]);
    nh_substitute(s->pool, scratch_of(s), s->rates, s->size, s->state + s->n, minus, s->m, turned);
    bool reversible = !s->occurs[s->n];
    for (size_t i = 0; i + 1 < s->size && reversible; i++)
        reversible = is_null(s, (i < s->n ? nh_add : nh_sub)(s->pool, turned[i], s->rates[i]));
    return reversible;
}

/* ---------------------------------------------------------------- those that are there */

static void know(nh_search *s, nh_expr F) { nh_push(s->arena, s->known, s->n_known, s->known_capacity) = F; }

/* dF/dstate for each. */
static nh_expr *gradients_of(nh_search *s, const nh_expr *F, size_t count)
{
    nh_expr *out = array_of(s, count * s->size);
    for (size_t i = 0; i < count; i++)
        nh_gradient(s->pool, scratch_of(s), &F[i], NULL, 1, s->state, s->size, out + i * s->size);
    return out;
}

enum { GRADIENT_TRIES = 200 };

static uint64_t *some_values(nh_search *s, uint64_t seed)
{
    uint64_t *values = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *values);
    for (size_t i = 0; i < s->pool->n_symbols; i++)
        values[i] = nh_hash(nh_hash(i + 1) + seed) % NH_P;
    return values;
}

/* new_ones[i]: the rank of the gradients grows with F_i, at a random point modulo p, with these values of the parameters or, where
 * they are NULL, with others. */
static void find_independent(nh_search *s, const nh_expr *F, size_t count, const bool *constant,
                             const uint64_t *values, bool *new_ones)
{
    size_t all = s->n_known + count;
    nh_expr *both = array_of(s, all);
    memcpy(both, s->known, s->n_known * sizeof *both);
    memcpy(both + s->n_known, F, count * sizeof *both);
    nh_expr *gradients = gradients_of(s, both, all);
    nh_arena points;
    nh_arena_init_temporary(&points, s->arena->heap);
    nh_modular *modular = nh_modular_new_for(s->pool, &points, gradients, all * s->size, constant);
    nh_echelon *echelon = NULL;
    bool valid = false;
    for (uint64_t seed = 1; seed < GRADIENT_TRIES && !valid; seed++) {
        nh_modular_move(modular, seed << 32, values ? values : some_values(s, seed));
        echelon = nh_echelon_new(s->arena, s->size, s->size);
        valid = true;
        for (size_t i = 0; i < all && valid; i++) {
            uint64_t *row = nh_arena_array(s->arena, s->size, sizeof *row);
            for (size_t k = 0; k < s->size; k++) {
                nh_residue value = nh_modular_value(modular, gradients[i * s->size + k]);
                valid = valid && value.valid & 1;
                row[k] = value.at[0];
            }
            bool grows = nh_echelon_add(echelon, row);
            if (i >= s->n_known)
                new_ones[i - s->n_known] = grows && valid;
        }
    }
    nh_arena_free(&points);
}

static bool is_independent(nh_search *s, nh_expr F)
{
    bool independent = false;
    find_independent(s, &F, 1, parameters_of(s), NULL, &independent);
    return independent;
}

/* Judged, and kept unless it is refuted. */
static void keep(nh_search *s, nh_expr shown, nh_expr of_state, const char *meaning, size_t degree)
{
    nh_named named = {"", shown};
    nh_fact fact = nh_equations_conserved(s->eq, &named, 1, fmax(s->deadline - nh_seconds(), 2))->items[0];
    if (fact.verdict != NH_PROVED && fact.verdict != NH_TESTED) {
        s->out->unwritten += fact.verdict == NH_NOT_KNOWN;
        return;
    }
    nh_expr simple = shown;
    nh_algebra algebra;
    begin_algebra(s, &algebra);
    algebra.budget.max_seconds = 2;
    nh_simplify(&algebra, &shown, 1, &simple);
    nh_algebra_free(&algebra);
    nh_push(s->arena, s->out->items, s->out->count, s->out->capacity) =
        (nh_integral){simple, fact.verdict, fact.detail, meaning, degree};
    know(s, of_state);
}

/* ---------------------------------------------------------------- those that have names */

static void try_named(nh_search *s, nh_expr F, const char *meaning, size_t degree)
{
    nh_expr of_state, rate;
    on_C(s, &F, 1, &of_state);
    rates_of(s, &of_state, 1, &rate);
    if (degree <= s->options.degree && is_null(s, rate) && is_independent(s, of_state))
        keep(s, F, of_state, meaning, degree);
}

static const char *name_of_momentum(nh_search *s, size_t i)
{
    nh_text text;
    nh_text_init(&text, s->arena);
    nh_text_format(&text, "momentum of %s", s->eq->model->coordinates[i].name);
    return nh_text_get(&text);
}

/* K + V; K_2 - K_0 + V = q'^i p_i - K + V; p_i. */
static void try_all_named(nh_search *s)
{
    const nh_model *model = s->eq->model;
    nh_pool *pool = s->pool;
    nh_expr jacobi = nh_sub(pool, model->potential, model->kinetic);
    try_named(s, nh_add(pool, model->kinetic, model->potential), "energy", 2);
    for (size_t i = 0; i < s->n; i++)
        jacobi = nh_add(pool, jacobi, nh_mul(pool, model->coordinates[i].rate, s->eq->p[i]));
    try_named(s, jacobi, "Jacobi's integral", 2);
    for (size_t i = 0; i < s->n; i++)
        try_named(s, s->eq->p[i], name_of_momentum(s, i), 1);
}

/* What is constant by definition: the positions that are given, and without psi the constraints. */
static void know_constraints(nh_search *s)
{
    const nh_model *model = s->eq->model;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position && is_independent(s, model->constraints[a].position))
            know(s, model->constraints[a].position);
    for (size_t a = 0; a < s->eq->r && !s->eq->first.psi; a++)
        if (is_independent(s, s->eq->second.C[a]))
            know(s, s->eq->second.C[a]);
}

/* ---------------------------------------------------------------- columns */

/* w^mu up to a degree: products of the variables; of one parity where the system is reversible. */
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

static double choose(double n, double k) { return k < 1 ? 1 : choose(n - 1, k - 1) * n / k; }

/* An estimate from above: each axis counts twice if it is an angle. */
static double predicted(const nh_search *s, const stage *g)
{
    double axes = 0, variables = (double)(g->with_rates ? s->n : s->m);
    for (size_t k = 0; k < s->n_axes; k++)
        axes += s->axes[k].x ? 1 : 2;
    return choose(variables + (double)g->degree, (double)g->degree) *
           choose(axes + (double)g->coefficients, (double)g->coefficients);
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

/* phi w^mu, with the cosine and sine of an angle as factors, or with multiples of coordinates that do not occur: where x does not,
 * dF/dx is an integral of its own, and F = x A + B with integrals A that are known. */
static void make_columns(nh_search *s, const stage *g, columns *c)
{
    nh_expr variables[64], factors[2] = {s->pool->one, s->pool->one};
    size_t count = 0, n_factors = g->mode < s->n ? 2 : 1;
    for (size_t i = 0; i < (g->with_rates ? s->n : s->m) && count < 64; i++)
        variables[count++] = g->with_rates ? s->eq->model->coordinates[i].rate : s->state[s->n + i];
    nh_phis phis = nh_search_functions(s, g->coefficients), mus = monomials(s, variables, count, g->degree);
    for (size_t f = 0; f < 2 && g->mode < s->n; f++)
        factors[f] = nh_call(s->pool, f ? NH_FN_sin : NH_FN_cos, s->state[g->mode], NH_EXPR_NONE);
    for (size_t mu = 0; mu < mus.count; mu++)
        for (size_t k = 0; k < phis.count; k++)
            for (size_t f = 0; f < n_factors; f++)
                add_column(
                    s, c,
                    nh_mul(s->pool, nh_mul(s->pool, phis.items[k].value, factors[f]), mus.items[mu].value));
    for (size_t i = 0; i < s->n && g->mode == s->n && s->options.space & NH_SPACE_POLYNOMIALS; i++) {
        if ((!s->reversible || g->degree % 2 == 0) && (g->coefficients == 0 || !has_axis(s, s->state[i])))
            add_column(s, c, s->state[i]);
        for (size_t k = 0; k < s->out->count && !s->occurs[i]; k++)
            if (s->out->items[k].degree <= g->degree &&
                (!s->reversible || (g->degree - s->out->items[k].degree) % 2 == 0))
                add_column(s, c, nh_mul(s->pool, s->state[i], s->out->items[k].value));
    }
}

/* Those that are combinations of others on C are left out. */
static bool drop_dependent(nh_search *s, nh_algebra *algebra, columns *c, const bool *constant)
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
    (void)s;
    return done;
}

/* ---------------------------------------------------------------- a stage */

/* sum_k a_k F_k */
static nh_expr combine(nh_search *s, const nh_expr *a, const nh_expr *F, size_t count)
{
    nh_expr sum = s->pool->zero;
    for (size_t k = 0; k < count; k++)
        if (a[k] != s->pool->zero)
            sum = nh_add(s->pool, sum, nh_mul(s->pool, a[k], F[k]));
    return sum;
}

static nh_expr combine_modular(nh_search *s, const uint64_t *a, const nh_expr *F, size_t count)
{
    nh_expr *integers = array_of(s, count);
    for (size_t k = 0; k < count; k++)
        integers[k] = nh_integer(s->pool, (int64_t)a[k]);
    return combine(s, integers, F, count);
}

static size_t terms_of(const nh_relations *r, size_t i)
{
    size_t terms = 0;
    for (size_t k = 0; k < r->count; k++)
        terms += r->vectors[i][k] != 0;
    return terms;
}

/* The shortest first. */
static size_t *order_of(nh_search *s, const nh_relations *r)
{
    size_t *order = nh_arena_array(s->arena, r->found + 1, sizeof *order);
    for (size_t i = 0; i < r->found; i++) {
        size_t k = i;
        for (; k > 0 && terms_of(r, order[k - 1]) > terms_of(r, i); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return order;
}

typedef struct written {
    nh_expr *shown, *of_state;
    size_t count;
} written;

/* Those of the relations that are new, as expressions. */
static written write_new(nh_search *s, nh_relations *r, const columns *c)
{
    size_t *order = order_of(s, r);
    nh_expr *F = array_of(s, r->found), *a = array_of(s, c->count);
    written out = {array_of(s, r->found), array_of(s, r->found), 0};
    bool *new_ones = nh_arena_array(s->arena, r->found + 1, sizeof *new_ones);
    for (size_t i = 0; i < r->found; i++)
        F[i] = combine_modular(s, r->vectors[order[i]], c->on_C, c->count);
    find_independent(s, F, r->found, r->constant, r->values, new_ones);
    for (size_t i = 0; i < r->found; i++) {
        if (!new_ones[i])
            continue;
        if (nh_relations_write(r, order[i], a)) {
            out.shown[out.count] = combine(s, a, c->shown, c->count);
            out.of_state[out.count++] = combine(s, a, c->on_C, c->count);
        } else {
            know(s, F[i]);
            s->out->unwritten++;
        }
    }
    return out;
}

/* False: it was not finished. */
static bool run_stage(nh_search *s, const stage *g)
{
    columns c = {0};
    nh_algebra algebra;
    nh_relations r;
    bool *constant = parameters_of(s);
    make_columns(s, g, &c);
    if (c.count > MOST_COLUMNS)
        return false;
    begin_algebra(s, &algebra);
    c.on_C = array_of(s, c.count), c.rates = array_of(s, c.count);
    on_C(s, c.shown, c.count, c.on_C);
    bool done = !g->with_rates || drop_dependent(s, &algebra, &c, constant);
    rates_of(s, c.on_C, c.count, c.rates);
    written new_ones = {0};
    if (done) {
        done = nh_relations_find(&r, &algebra, 1, c.count, c.rates, constant);
        if (done)
            new_ones = write_new(s, &r, &c);
        nh_relations_free(&r);
    }
    nh_algebra_free(&algebra);
    for (size_t i = 0; i < new_ones.count; i++)
        keep(s, new_ones.shown[i], new_ones.of_state[i], NULL, g->degree);
    return done;
}

/* ---------------------------------------------------------------- all stages */

static void tell(nh_search *s, const stage *g)
{
    nh_text text;
    nh_text_init(&text, s->arena);
    nh_text_format(&text, "degree %zu, coefficients of degree %zu", g->degree, g->coefficients);
    double part = (nh_seconds() - s->start) / (s->deadline - s->start);
    if (s->options.progress)
        s->options.progress(s->options.user, fmin(part, 1), nh_text_get(&text));
}

static bool try_stage(nh_search *s, stage g)
{
    if (is_over(s) || predicted(s, &g) > 20 * MOST_COLUMNS)
        return false;
    tell(s, &g);
    return run_stage(s, &g);
}

/* q' is not linear in w: then polynomials in q' are none in w. */
static bool is_nonlinear(nh_search *s)
{
    nh_expr *twice = array_of(s, s->m), *d = array_of(s, s->n);
    if (!s->eq->first.psi)
        return false;
    for (size_t k = 0; k < s->m; k++)
        twice[k] = nh_mul(s->pool, s->pool->two, s->state[s->n + k]);
    nh_substitute(s->pool, scratch_of(s), s->eq->first.psi_alpha, s->m * s->n, s->state + s->n, twice, s->m,
                  d = array_of(s, s->m * s->n));
    for (size_t i = 0; i < s->m * s->n; i++)
        if (!is_null(s, nh_sub(s->pool, d[i], s->eq->first.psi_alpha[i])))
            return true;
    return false;
}

/* The stages of one degree of the coefficients; completed[d]: the last one for velocities of degree d. */
static bool run_degree(nh_search *s, size_t coefficients, bool nonlinear, int *completed)
{
    bool any = false;
    for (size_t degree = 0; degree <= s->options.degree; degree++) {
        stage g = {degree, coefficients, false, s->n};
        if (completed[degree] + 1 < (int)coefficients)
            continue;
        bool done = try_stage(s, g);
        g.with_rates = true;
        bool rates = s->eq->first.psi && degree > 0 && (nonlinear || coefficients <= MOST_DEGREE_WITH_RATES);
        if (done && rates)
            done = try_stage(s, g);
        g.with_rates = false;
        for (g.mode = 0; g.mode < s->n && done && s->options.space & NH_SPACE_TRIGONOMETRIC; g.mode++)
            if (!s->occurs[g.mode] && s->eq->model->coordinates[g.mode].angle)
                done = try_stage(s, g);
        if (done)
            completed[degree] = (int)coefficients, any = true;
    }
    return any;
}

/* ---------------------------------------------------------------- what was searched, in words */

static void print_names(nh_text *out, const nh_search *s, bool rates)
{
    for (size_t i = 0; i < (rates ? s->n : s->m); i++) {
        nh_text_str(out, i ? ", " : "");
        nh_expr_print(out, s->pool, rates ? s->eq->model->coordinates[i].rate : s->state[s->n + i], 0);
    }
}

static const char *searched(nh_search *s, const int *completed)
{
    nh_text text;
    bool any = false;
    nh_text_init(&text, s->arena);
    nh_text_str(&text, "polynomials in ");
    print_names(&text, s, false);
    if (s->eq->first.psi) {
        nh_text_str(&text, " and in ");
        print_names(&text, s, true);
    }
    for (size_t d = 0; d <= s->options.degree; d++)
        if (completed[d] >= 0) {
            nh_text_format(&text, "%s of degree %zu with coefficients of degree %d", any ? "," : "", d,
                           completed[d]);
            any = true;
        }
    if (s->n_axes) {
        nh_text_str(&text, " in ");
        nh_search_name_axes(s, &text);
    }
    any = false;
    for (size_t i = 0; i < s->n; i++)
        if (!s->occurs[i]) {
            nh_text_format(&text, "%s%s", any ? ", " : "; and of degree 1 in ",
                           s->eq->model->coordinates[i].name);
            any = true;
        }
    return nh_text_get(&text);
}

/* ---------------------------------------------------------------- the claims of the model */

static void judge_claims(nh_search *s)
{
    const nh_model *model = s->eq->model;
    s->out->n_claims = model->n_integrals;
    s->out->claims = nh_arena_array(s->arena, model->n_integrals + 1, sizeof *s->out->claims);
    nh_facts *facts = nh_equations_conserved(s->eq, model->integrals, model->n_integrals, 2);
    for (size_t i = 0; i < model->n_integrals; i++) {
        nh_expr of_state;
        on_C(s, &model->integrals[i].value, 1, &of_state);
        nh_verdict verdict = facts->items[i].verdict;
        bool holds = verdict == NH_PROVED || verdict == NH_TESTED;
        s->out->claims[i] =
            (nh_claim){model->integrals[i].name, verdict, holds && !is_independent(s, of_state)};
    }
}

nh_integrals *nh_find_integrals(nh_equations *eq, const nh_search_options *options)
{
    nh_search *s = nh_arena_array(&eq->arena, 1, sizeof *s);
    *s = (nh_search){.eq = eq, .pool = &eq->pool, .arena = &eq->arena, .options = *options};
    s->out = nh_arena_array(s->arena, 1, sizeof *s->out);
    s->start = nh_seconds(), s->deadline = s->start + options->max_seconds;
    if (!eq->first.psi && eq->second.reason) {
        s->out->searched = "nothing", s->out->rest = eq->second.reason;
        return s->out;
    }
    begin_field(s);
    nh_search_axes(s);
    s->out->most = s->n + s->m - !s->occurs[s->n];
    s->reversible = is_reversible(s);
    know_constraints(s);
    try_all_named(s);
    int *completed = nh_arena_array(s->arena, options->degree + 1, sizeof *completed);
    for (size_t d = 0; d <= options->degree; d++)
        completed[d] = -1;
    bool nonlinear = is_nonlinear(s);
    for (size_t k = 0; k <= MOST_COEFFICIENT_DEGREE; k++)
        if (!run_degree(s, k, nonlinear, completed))
            break;
    s->out->searched = searched(s, completed);
    if (!eq->first.psi)
        s->out->rest = "integrals that hold on C alone, and not on the neighbouring levels of the "
                       "constraints, are not looked for";
    judge_claims(s);
    return s->out;
}
