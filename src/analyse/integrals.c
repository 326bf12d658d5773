/* First integrals: those that have names, then stage by stage those in larger and larger spaces of functions. */
#include "analyse/fields.h"
#include "analyse/search.h"

#include <math.h>
#include <string.h>

/* Degrees of the coefficients; of those with q', where q' is linear in w. */
enum { MOST_COEFFICIENT_DEGREE = 6, MOST_DEGREE_WITH_RATES = 3 };

/* Seconds for one proof, and for making one formula short, at least and at most; and for algebra that is not to be done. */
static const double LEAST_FOR_PROOF = 2, MOST_FOR_FORM = 2, LITTLE = 1e-3;

/* Where time is limited, of what is left of it: until when it is searched, proved, and done; and of what is left for proofs, for one. */
static const double PART_FOR_SEARCH = 0.6, PART_FOR_PROOFS = 0.8, PART_FOR_ALL = 0.9, PART_FOR_ONE = 0.7;

/* ---------------------------------------------------------------- time */

static void set_deadlines(nh_search *s)
{
    double now = s->start = nh_seconds(), left;
    s->last = s->arena->heap->deadline;
    left = s->last > 0 ? fmax(s->last - now, 0) : INFINITY;
    s->deadline = now + fmin(s->options.max_seconds, PART_FOR_SEARCH * left);
    s->proofs = now + PART_FOR_PROOFS * left, s->end = now + PART_FOR_ALL * left;
}

/* body(arg), given up at a deadline where time is limited at all. False: it was; what was kept until then is whole. */
static bool within(nh_search *s, double deadline, void (*body)(void *), void *arg)
{
    nh_heap *heap = s->arena->heap;
    double outer = heap->deadline;
    if (s->last > 0)
        heap->deadline = fmin(deadline, s->last);
    nh_status status = nh_heap_try(heap, body, arg);
    heap->deadline = outer;
    if (status != NH_OK && status != NH_ERROR_TIME)
        nh_heap_fail(heap, status);
    return status == NH_OK;
}

/* ---------------------------------------------------------------- what is kept */

/* In the words of the model, and short. */
static nh_expr shown_form(nh_search *s, nh_expr F)
{
    nh_expr in_rates = F, out;
    nh_algebra algebra;
    if (s->shown_w)
        nh_substitute(s->pool, nh_search_scratch(s), &F, 1, s->state + s->n, s->shown_w, s->m, &in_rates);
    F = out = in_rates ? in_rates : F;
    nh_search_algebra(s, &algebra);
    algebra.budget.max_seconds = MOST_FOR_FORM;
    nh_simplify(&algebra, &F, 1, &out);
    nh_algebra_free(&algebra);
    return out;
}

/* Without the factors that are numbers or parameters alone. */
static nh_expr without_constants(nh_search *s, nh_expr F)
{
    nh_product product = nh_product_of(s->pool, s->arena, F);
    nh_expr out = s->pool->one;
    for (size_t k = 0; k < product.count; k++) {
        bool *depends = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *depends), constant = true;
        nh_find_symbols(s->pool, nh_search_scratch(s), &product.factors[k].base, 1, depends);
        for (size_t i = 0; i < s->size; i++) {
            uint32_t index = 0;
            nh_is_symbol(s->pool, s->state[i], &index);
            constant = constant && !depends[index];
        }
        for (size_t i = 0; i < s->n; i++) {
            uint32_t index = 0;
            nh_is_symbol(s->pool, s->eq->model->coordinates[i].rate, &index);
            constant = constant && !depends[index];
        }
        if (!constant)
            out =
                nh_mul(s->pool, out, nh_power(s->pool, product.factors[k].base, product.factors[k].exponent));
    }
    return out;
}

/* One of them, on its way. */
typedef struct finding {
    nh_search *s;
    nh_expr shown, of_state;
    const char *meaning;
    size_t degree;
    nh_fact fact;
    bool between; /* it is unknown since velocities jump */
    nh_expr form;
    double seconds; /* of the algebra */
} finding;

static void judge(void *arg)
{
    finding *f = arg;
    nh_named named = {"", f->shown};
    nh_facts *facts = nh_equations_conserved(f->s->eq, &named, 1, f->seconds);
    f->fact = facts->items[0], f->between = facts->has_steps;
    f->s->out->has_steps = f->s->out->has_steps || f->between;
}

/* Numbers need time, too: the algebra has half of it; and where that is over, numbers alone. False: not even these. */
static bool prove(finding *f)
{
    nh_search *s = f->s;
    double now = nh_seconds(), left = PART_FOR_ONE * (s->proofs - now);
    f->seconds = fmax(fmin(fmax(s->deadline - now, LEAST_FOR_PROOF), 0.5 * left), LITTLE);
    if (within(s, now + left, judge, f))
        return true;
    f->seconds = LITTLE;
    return within(s, s->proofs, judge, f);
}

static void make_form(void *arg)
{
    finding *f = arg;
    nh_expr form = shown_form(f->s, f->shown);
    f->form = f->meaning ? form : without_constants(f->s, form);
}

static void know(void *arg)
{
    finding *f = arg;
    nh_integrals *out = f->s->out;
    nh_push(f->s->arena, out->items, out->count, out->capacity) =
        (nh_integral){f->form, f->fact.verdict, f->fact.detail, f->meaning, f->degree, false};
    nh_search_know(f->s, f->of_state, f->degree);
}

void nh_search_keep(nh_search *s, nh_expr shown, nh_expr of_state, const char *meaning, size_t degree)
{
    nh_fact unknown = {"", NH_NOT_KNOWN, "no time was left to prove it"};
    finding f = {s, shown, of_state, meaning, degree, unknown, false, shown, 0};
    bool judged = prove(&f);
    if (judged && f.fact.verdict == NH_NOT_KNOWN && !f.between)
        s->out->unwritten++;
    else if (f.fact.verdict != NH_REFUTED) {
        within(s, s->proofs, make_form, &f);
        within(s, s->end, know, &f);
    }
}

/* ---------------------------------------------------------------- those that have names */

/* Whether it is constant: by residues, or, where they do not tell, judged. */
static bool try_named(nh_search *s, nh_expr F, const char *meaning, size_t degree)
{
    nh_expr of_state, rate;
    nh_search_on_C(s, &F, 1, &of_state);
    nh_search_rates(s, &of_state, 1, &rate);
    nh_answer constant = nh_zero_test(s->eq->modular, nh_search_scratch(s), rate, NULL);
    size_t before = s->out->count;
    if (constant != NH_NO && degree <= s->options.degree && nh_search_is_independent(s, of_state, degree))
        nh_search_keep(s, F, of_state, meaning, degree);
    return constant == NH_YES || s->out->count > before;
}

static bool is_without(nh_search *s, nh_expr e, nh_expr q)
{
    return nh_search_is_null(s, nh_derivative(s->pool, nh_search_scratch(s), e, q));
}

/* dK/dq^i = 0, A_i = 0, and no constraint depends on q^i: the word is that of `check`, but for forces of other coordinates. */
static bool is_cyclic(nh_search *s, size_t i)
{
    const nh_equations *eq = s->eq;
    const nh_model *model = eq->model;
    nh_expr q = model->coordinates[i].q;
    bool cyclic = is_without(s, model->kinetic, q) && nh_search_is_null(s, eq->A[i]);
    for (size_t k = 0; k < s->n && cyclic; k++)
        cyclic = is_without(s, eq->A[k], q) && (!model->psi || is_without(s, model->psi[k], q));
    for (size_t a = 0; eq->second.C && a < eq->r && cyclic; a++)
        cyclic = is_without(s, eq->second.C[a], q);
    for (size_t a = 0; a < model->r && cyclic; a++)
        cyclic = !model->constraints[a].position || is_without(s, model->constraints[a].position, q);
    return cyclic;
}

/* p_i = dK/dq'^i, and whether the coordinate is cyclic. */
static void try_momentum(nh_search *s, size_t i)
{
    const nh_coordinate *q = &s->eq->model->coordinates[i];
    nh_text name;
    nh_text_init(&name, s->arena);
    nh_text_format(&name, "momentum of %s", q->name);
    size_t before = s->out->count;
    bool conserved = try_named(s, s->eq->p[i], nh_text_get(&name), 1);
    if (conserved && s->nonlinear && s->out->count == before)
        nh_push(s->arena, s->also, s->n_also, s->also_capacity) = s->eq->p[i];
    if (is_cyclic(s, i))
        nh_push(s->arena, s->out->cyclic, s->out->n_cyclic, s->out->cyclic_capacity) =
            (nh_cyclic){q->name, conserved};
}

/* K + V - A_i q^i, where the forces A_i that are no gradients of V are parameters or numbers. */
static void try_work(nh_search *s)
{
    const nh_model *model = s->eq->model;
    nh_expr F = nh_add(s->pool, model->kinetic, model->potential);
    bool *constant = nh_search_parameters(s), any = false, fixed = true;
    bool *depends = nh_arena_array(s->arena, s->pool->n_symbols + 1, sizeof *depends);
    for (size_t i = 0; i < s->n; i++) {
        const nh_coordinate *q = &model->coordinates[i];
        nh_find_symbols(s->pool, nh_search_scratch(s), &q->force, 1, depends);
        any = any || q->force != s->pool->zero;
        F = nh_sub(s->pool, F, nh_mul(s->pool, q->force, q->q));
    }
    for (size_t k = 0; k < s->pool->n_symbols; k++)
        fixed = fixed && (!depends[k] || constant[k]);
    if (any && fixed)
        try_named(s, F, "energy, less the work of the constant forces", 2);
}

/* K + V; K_2 - K_0 + V = q'^i p_i - K + V; momenta. */
static void try_all_named(void *arg)
{
    nh_search *s = arg;
    const nh_model *model = s->eq->model;
    nh_pool *pool = s->pool;
    nh_expr jacobi = nh_sub(pool, model->potential, model->kinetic);
    try_named(s, nh_add(pool, model->kinetic, model->potential), "energy", 2);
    try_work(s);
    for (size_t i = 0; i < s->n; i++)
        jacobi = nh_add(pool, jacobi, nh_mul(pool, model->coordinates[i].rate, s->eq->p[i]));
    try_named(s, jacobi, "Jacobi's integral", 2);
    for (size_t i = 0; i < s->n; i++)
        try_momentum(s, i);
}

/* What is constant by definition: the positions that are given, and without psi the constraints. */
static void know_constraints(void *arg)
{
    nh_search *s = arg;
    nh_search_begin(s);
    const nh_model *model = s->eq->model;
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position && nh_search_is_independent(s, model->constraints[a].position, 0))
            nh_search_know(s, model->constraints[a].position, 0);
    for (size_t a = 0; a < s->eq->r && !s->eq->first.psi; a++)
        if (nh_search_is_independent(s, s->eq->second.C[a], 0))
            nh_search_know(s, s->eq->second.C[a], 0);
    s->n_constraints = s->n_known;
}

/* ---------------------------------------------------------------- all stages */

static bool try_stage(nh_search *s, const nh_stage *g)
{
    nh_text text;
    nh_text_init(&text, s->arena);
    nh_text_format(&text, "degree %zu, coefficients of degree %zu", g->degree, g->coefficients);
    double part = (nh_seconds() - s->start) / (s->deadline - s->start);
    if (s->options.progress && !nh_search_is_over(s))
        s->options.progress(s->options.user, fmin(part, 1), nh_text_get(&text));
    return nh_search_stage(s, g);
}

/* In w, and with the cosine and sine of each angle that does not occur. */
static bool search_w(nh_search *s, size_t degree, size_t coefficients)
{
    nh_stage g = {degree, coefficients, false, s->n};
    bool done = try_stage(s, &g);
    for (g.mode = 0; g.mode < s->n && done && s->options.space & NH_SPACE_TRIGONOMETRIC; g.mode++)
        if (!s->occurs[g.mode] && s->eq->model->coordinates[g.mode].angle)
            done = try_stage(s, &g);
    return done;
}

/* In q'. */
static bool search_rates(nh_search *s, size_t degree, size_t coefficients)
{
    nh_stage g = {degree, coefficients, true, s->n};
    return !s->in_rates && degree > 0 && (s->nonlinear || coefficients <= MOST_DEGREE_WITH_RATES) &&
           try_stage(s, &g);
}

/* By degree of the velocities: the degree of the coefficients up to which all was searched, in w and in q'; -1: none was. */
typedef struct progress {
    nh_search *s;
    int *w, *rates;
} progress;

static progress no_progress(nh_search *s)
{
    progress done = {s, nh_arena_array(s->arena, s->options.degree + 1, sizeof *done.w),
                     nh_arena_array(s->arena, s->options.degree + 1, sizeof *done.rates)};
    for (size_t d = 0; d <= s->options.degree; d++)
        done.w[d] = done.rates[d] = -1;
    return done;
}

static void run_all(void *arg)
{
    progress done = *(progress *)arg;
    nh_search *s = done.s;
    int most = s->n_axes ? MOST_COEFFICIENT_DEGREE : 1; /* once more, with multiples of what was found */
    for (int coefficients = 0; coefficients <= most; coefficients++)
        for (size_t degree = 0; degree <= s->options.degree; degree++) {
            if (done.w[degree] + 1 == coefficients && search_w(s, degree, (size_t)coefficients))
                done.w[degree] = coefficients;
            if (done.rates[degree] + 1 == coefficients && search_rates(s, degree, (size_t)coefficients))
                done.rates[degree] = coefficients;
        }
}

/* What was found, at states of the model itself: there it may be less. */
static void look_at_states(nh_search *s, bool *new_ones)
{
    size_t rank = 0;
    s->special = nh_search_is_special(s);
    if (s->special && nh_search_ranks(s, s->found, s->n_found, new_ones, &rank))
        s->out->complete = s->out->complete && rank >= s->most;
}

/* Those without a name that are functions of others of lower degree, which were found later, go; of those with a name it is said. */
static void leave_independent(void *arg)
{
    nh_search *s = arg;
    nh_integrals *out = s->out;
    size_t left = 0;
    nh_expr *F = nh_search_array(s, out->count);
    nh_known *f = nh_arena_array(s->arena, out->count + 1, sizeof *f);
    size_t *order = nh_arena_array(s->arena, out->count + 1, sizeof *order), n = 0;
    for (size_t degree = 0; degree <= s->options.degree; degree++)
        for (size_t i = 0; i < out->count; i++)
            if (out->items[i].degree == degree)
                F[n] = out->items[i].value, order[n++] = i;
    bool *new_ones = nh_arena_array(s->arena, n + 1, sizeof *new_ones);
    nh_search_on_C(s, F, n, F);
    s->n_known = s->n_constraints;
    for (size_t i = 0; i < n; i++)
        f[i] = (nh_known){&F[i], NULL, 1, 0};
    nh_search_independent(s, f, n, SIZE_MAX, NULL, new_ones);
    s->found = F, s->n_found = n;
    look_at_states(s, new_ones);
    for (size_t i = 0; i < n; i++)
        out->items[order[i]].follows = !new_ones[i];
    for (size_t i = 0; i < out->count; i++)
        if (!out->items[i].follows || (out->items[i].meaning && out->items[i].degree == 2))
            out->items[left++] = out->items[i];
    out->count = left;
    for (size_t i = 0; i < n; i++)
        nh_search_know(s, F[i], 0);
    out->unwritten += nh_search_count_lost(s);
}

/* ---------------------------------------------------------------- what was searched, in words */

static void print_names(nh_text *out, const nh_search *s, bool rates)
{
    for (size_t i = 0; i < (rates ? s->n : s->m); i++) {
        nh_text_str(out, i ? ", " : "");
        nh_expr_print(out, s->pool, rates ? s->eq->model->coordinates[i].rate : s->state[s->n + i], 0);
    }
}

/* " of degree 0 and 1 with coefficients of degree up to 6, of degree 2 with coefficients of degree up to 4" */
static void print_degrees(nh_text *out, const nh_search *s, const int *completed)
{
    bool any = false;
    for (size_t d = 0; d <= s->options.degree; d++) {
        if (completed[d] < 0)
            continue;
        bool again = d < s->options.degree && completed[d + 1] == completed[d];
        bool before = d > 0 && completed[d - 1] == completed[d];
        if (before)
            nh_text_format(out, "%s%zu", again ? ", " : " and ", d);
        else
            nh_text_format(out, "%s of degree %zu", any ? "," : "", d);
        if (!again && s->n_axes && completed[d] > 0)
            nh_text_format(out, " with coefficients of degree up to %d", completed[d]);
        else if (!again)
            nh_text_str(out, " with constant coefficients");
        any = true;
    }
    nh_text_str(out, any ? "" : " of no degree");
}

/* The coordinates that do not occur, or the angles among them; how many there are. */
static size_t print_absent(nh_text *out, const nh_search *s, const char *before, bool angles)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!s->occurs[i] && (!angles || s->eq->model->coordinates[i].angle))
            nh_text_format(out, "%s%s", count++ ? ", " : before, s->eq->model->coordinates[i].name);
    return count;
}

/* What there is besides the products: see stages.c. */
static void print_others(nh_text *out, const nh_search *s)
{
    bool linear = s->options.space & NH_SPACE_POLYNOMIALS;
    nh_text_str(out, linear ? "; the coordinates themselves" : "");
    if (linear && print_absent(out, s, "; those found times ", false))
        nh_text_str(out, ", which do not occur");
    if (s->options.space & NH_SPACE_TRIGONOMETRIC)
        print_absent(out, s, "; the former also times the cosine and sine of ", true);
}

/* It is short, and told also where the time is over. */
static const char *searched(nh_search *s, progress done)
{
    nh_text text;
    s->arena->heap->deadline = 0;
    nh_text_init(&text, s->arena);
    nh_text_str(&text, "polynomials in ");
    print_names(&text, s, false);
    print_degrees(&text, s, done.w);
    if (!s->in_rates) {
        nh_text_str(&text, "; in ");
        print_names(&text, s, true);
        print_degrees(&text, s, done.rates);
    }
    if (s->n_axes) {
        nh_text_str(&text, "; coefficients in ");
        nh_search_name_axes(s, &text);
    }
    print_others(&text, s);
    const char *told = nh_text_get(&text);
    s->arena->heap->deadline = s->last;
    return told;
}

/* ---------------------------------------------------------------- the claims of the model */

/* With the gradient 0 by these symbols. */
static bool is_constant(nh_search *s, nh_expr F, const nh_expr *symbols, size_t count)
{
    nh_expr *d = nh_search_array(s, count);
    bool constant = true;
    nh_gradient(s->pool, nh_search_scratch(s), &F, NULL, 1, symbols, count, d);
    for (size_t k = 0; k < count && constant; k++)
        constant = nh_search_is_null(s, d[k]);
    return constant;
}

/* By q, q' and t, and by the z that have names, with the parameters' own values. */
static bool is_fixed(nh_search *s, nh_expr F)
{
    nh_expr *rates = nh_search_array(s, s->n), own;
    for (size_t i = 0; i < s->n; i++)
        rates[i] = s->eq->model->coordinates[i].rate;
    if (nh_put_own_values(s->eq, &F, 1, &own))
        F = own;
    return is_constant(s, F, s->state, s->size) && is_constant(s, F, rates, s->n);
}

/* Whether it is a function of what was found, and whether it is constant by what is held. */
static void compare(nh_search *s, nh_expr of_state, nh_claim *c)
{
    nh_expr *all = nh_search_array(s, s->n_found + 1);
    bool *new_ones = nh_arena_array(s->arena, s->n_found + 2, sizeof *new_ones);
    size_t rank = 0;
    memcpy(all, s->found, s->n_found * sizeof *all), all[s->n_found] = of_state;
    if (s->special && nh_search_ranks(s, all, s->n_found + 1, new_ones, &rank)) {
        c->follows = !new_ones[s->n_found];
        c->trivial = nh_search_ranks(s, &of_state, 1, new_ones, &rank) && !new_ones[0];
    } else {
        c->follows = !nh_search_is_independent(s, of_state, SIZE_MAX);
        c->trivial = is_constant(s, of_state, s->state, s->size);
    }
}

static void list_claims(nh_search *s)
{
    const nh_model *model = s->eq->model;
    s->out->claims = nh_arena_array(s->arena, model->n_integrals + 1, sizeof *s->out->claims);
    s->out->n_claims = model->n_integrals;
    for (size_t i = 0; i < model->n_integrals; i++)
        s->out->claims[i] = (nh_claim){.name = model->integrals[i].name, .verdict = NH_NOT_KNOWN};
}

static void judge_claims(void *arg)
{
    nh_search *s = arg;
    const nh_model *model = s->eq->model;
    double seconds = fmax(fmin(LEAST_FOR_PROOF, 0.5 * (s->end - nh_seconds())), LITTLE);
    nh_facts *facts = nh_equations_conserved(s->eq, model->integrals, model->n_integrals, seconds);
    for (size_t i = 0; i < model->n_integrals; i++) {
        nh_claim c = {.name = model->integrals[i].name, .verdict = facts->items[i].verdict};
        nh_expr of_state;
        nh_search_on_C(s, &model->integrals[i].value, 1, &of_state);
        if (c.verdict == NH_PROVED || c.verdict == NH_TESTED) {
            compare(s, of_state, &c);
            c.fixed = c.trivial && is_fixed(s, model->integrals[i].value);
            s->out->complete =
                s->out->complete && c.follows; /* one more than there can be is none of these */
        }
        s->out->claims[i] = c;
    }
}

/* ---------------------------------------------------------------- the whole */

static bool all_judged(const nh_integrals *out)
{
    bool all = true;
    for (size_t i = 0; i < out->count; i++)
        all = all && out->items[i].verdict != NH_NOT_KNOWN;
    return all;
}

/* The search takes the positions that are given as constants of any value. */
static void say_what_positions_leave_out(nh_search *s)
{
    const nh_model *model = s->eq->model;
    bool positions = false;
    for (size_t a = 0; a < model->r; a++)
        positions = positions || model->constraints[a].position;
    if (positions && !s->out->complete && !s->out->rest)
        s->out->rest =
            "integrals that hold for the positions as they are given alone, and not for other values "
            "of these constraints";
}

/* What is not finished in time is left as it is, and said. */
static void search(nh_search *s, progress *done)
{
    if (!within(s, s->proofs, know_constraints, s)) {
        s->out->searched = "nothing", s->out->late = true;
        return;
    }
    if (s->last > 0) /* a late beginning leaves half of the rest */
        s->deadline = fmax(s->deadline, 0.5 * (nh_seconds() + s->proofs));
    within(s, s->deadline, try_all_named, s);
    done->rates[0] = MOST_COEFFICIENT_DEGREE; /* without velocities they are the same */
    within(s, s->deadline, run_all, done);
    s->out->complete = s->rank >= s->most && all_judged(s->out);
    s->out->timed = s->occurs[s->n];
    if (!s->eq->first.psi)
        s->out->rest = "integrals that hold on C alone, and not for all values of the constraints";
    done->rates[0] = -1;
    s->out->searched = searched(s, *done);
    if (within(s, s->end, leave_independent, s))
        within(s, s->end, judge_claims, s), say_what_positions_leave_out(s);
    else
        s->out->rest = "which of these are functions of others: the time was over";
}

nh_integrals *nh_find_integrals(nh_equations *eq, const nh_search_options *options)
{
    nh_search *s = nh_arena_array(&eq->arena, 1, sizeof *s);
    *s = (nh_search){.eq = eq, .pool = &eq->pool, .arena = &eq->arena, .options = *options};
    s->out = nh_arena_array(s->arena, 1, sizeof *s->out);
    set_deadlines(s);
    const char *reason = eq->first.psi || !eq->second.reason ? nh_dependence(eq) : eq->second.reason;
    list_claims(s);
    if (reason) {
        s->out->searched = "nothing", s->out->rest = reason;
        return s->out;
    }
    progress done = no_progress(s);
    s->out->degree = options->degree;
    search(s, &done);
    return s->out;
}
