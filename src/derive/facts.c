/* What is true of the equations: identities along the motion, each proved, tested, refuted or unknown.
 *
 * All are of the form e = 0 on C. With psi, e becomes a function of (q, z, t), and is zero if its normal form is. Without
 * psi it is tested at states on C. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <math.h>
#include <string.h>

typedef struct judge {
    nh_equations *eq;
    nh_algebra algebra;
    const signed char *signs;
    nh_facts *facts;
    uint64_t random;
} judge;

static double draw(judge *j, signed char sign)
{
    j->random += 0x9e3779b97f4a7c15u;
    uint64_t bits = nh_hash(j->random);
    double size = 0.25 + (double)(bits >> 12) * 0x1p-52;
    return sign < 0 || (sign == 0 && (bits & 1)) ? -size : size;
}

/* A random state, on C where there is no psi. */
static void draw_state(judge *j, double *values)
{
    nh_equations *eq = j->eq;
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        values[i] = draw(j, j->signs[i]);
    if (!eq->first.psi && eq->second.C)
        nh_project_velocities(eq, values, eq->second.C, eq->r);
}

/* "it is 0.25 at x = 1, theta = 0.5": the state that shows it. */
static const char *witness(judge *j, nh_expr e, double value, const double *values)
{
    nh_equations *eq = j->eq;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, depends);
    nh_text text;
    nh_text_init(&text, &eq->arena);
    nh_text_str(&text, "it is ");
    nh_text_double(&text, value);
    bool any = false;
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        if (depends[i]) {
            nh_text_format(&text, "%s%s = ", any ? ", " : " at ", eq->pool.symbols[i]);
            nh_text_double(&text, values[i]);
            any = true;
        }
    return nh_text_get(&text);
}

enum { STATES = 60, WANTED = 8 };

/* By numbers: NO with a witness, YES where e vanishes at several states. */
static nh_answer by_numbers(judge *j, nh_expr e, const char **detail)
{
    nh_equations *eq = j->eq;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values), value, error;
    int zeros = 0;
    for (int k = 0; k < STATES && zeros < WANTED; k++) {
        draw_state(j, values);
        nh_evaluate(&eq->pool, &eq->context->arena, &e, 1, values, &value, &error);
        if (!isfinite(value) || !isfinite(error))
            continue;
        if (fabs(value) > 1000 * error + (eq->first.psi ? 0 : 1e-8)) {
            *detail = witness(j, e, value, values);
            return NH_NO;
        }
        zeros++;
    }
    return zeros >= WANTED ? NH_YES : NH_UNKNOWN;
}

static nh_verdict judge_one(judge *j, nh_expr e, const char **detail)
{
    nh_answer exact = j->eq->first.psi || j->eq->r == 0 ? nh_is_zero(&j->algebra, e) : NH_UNKNOWN;
    if (exact == NH_YES)
        return NH_PROVED;
    nh_answer numeric = by_numbers(j, e, detail);
    return numeric == NH_NO ? NH_REFUTED : numeric == NH_YES ? NH_TESTED : NH_NOT_KNOWN;
}

static void add_fact(judge *j, const char *name, nh_verdict verdict, const char *detail)
{
    nh_push(&j->eq->arena, j->facts->items, j->facts->count, j->facts->capacity) = (nh_fact){name, verdict, detail};
}

/* All of them must vanish; the weakest verdict counts. */
static void judge_all(judge *j, const char *name, const nh_expr *e, size_t count, const char *yes)
{
    nh_verdict worst = NH_PROVED;
    const char *detail = yes, *where = yes;
    for (size_t i = 0; i < count && worst != NH_REFUTED; i++) {
        nh_verdict verdict = judge_one(j, e[i], &where);
        if (verdict > worst) {
            worst = verdict;
            detail = verdict == NH_REFUTED ? where : verdict == NH_NOT_KNOWN ? "not decided" : yes;
        }
    }
    add_fact(j, name, worst, detail);
}

/* ---------------------------------------------------------------- the identities */

/* e on C: with psi in the place of q'. */
static void on_C(judge *j, const nh_expr *e, size_t count, nh_expr *out)
{
    nh_equations *eq = j->eq;
    nh_expr *rates = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    if (eq->first.psi)
        nh_substitute(&eq->pool, &eq->context->arena, e, count, rates, eq->first.psi, eq->n, out);
    else
        memcpy(out, e, count * sizeof *out);
}

/* The rate of a function along the motion: Z(F). */
static nh_expr rate_of(judge *j, nh_expr F)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    nh_first_kind *f = &eq->first;
    size_t n = eq->n, m = f->psi ? eq->m : eq->n, count = n + m + 1;
    nh_expr *symbols = nh_array(eq, count), *rates = nh_array(eq, count), out;
    on_C(j, &F, 1, &F);
    for (size_t i = 0; i < n; i++) {
        symbols[i] = eq->model->coordinates[i].q;
        rates[i] = f->psi ? f->psi[i] : eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < m; k++) {
        symbols[n + k] = f->psi ? eq->z[k].symbol : eq->model->coordinates[k].rate;
        rates[n + k] = f->psi ? f->Z_upper[k] : f->acceleration[k];
    }
    symbols[n + m] = eq->model->time, rates[n + m] = pool->one;
    nh_directional(pool, &eq->context->arena, &F, 1, symbols, rates, count, &out);
    return out;
}

static void judge_methods(judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *D = nh_array(eq, n), *difference = nh_array(eq, n);
    if (eq->second.reason) {
        add_fact(j, "methods-agree", NH_NOT_KNOWN, eq->second.reason);
        return;
    }
    on_C(j, eq->second.D, n, D);
    for (size_t i = 0; i < n; i++)
        difference[i] = nh_sub(&eq->pool, eq->first.acceleration[i], D[i]);
    judge_all(j, "methods-agree", difference, n, "both methods give the same accelerations on C");
}

static void judge_reactions(judge *j)
{
    nh_equations *eq = j->eq;
    nh_first_kind *f = &eq->first;
    size_t n = eq->n;
    nh_expr *e = nh_array(eq, eq->m + 1), *rates = nh_array(eq, n);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        e[alpha] = nh_dot(eq, f->R, f->psi_alpha + alpha * n, n);
    judge_all(j, "reactions-ideal", e, eq->m, "R_i psi^i_alpha = 0");
    for (size_t i = 0; i < n; i++)
        rates[i] = f->psi ? f->psi[i] : eq->model->coordinates[i].rate;
    e[0] = nh_dot(eq, f->R, rates, n);
    judge_all(j, "reactions-powerless", e, 1, "R_i q'^i = 0");
}

static void judge_representations(judge *j)
{
    nh_equations *eq = j->eq;
    if (!eq->first.psi || !eq->model->r)
        return;
    nh_expr *C = nh_array(eq, eq->r);
    on_C(j, eq->second.C, eq->r, C);
    judge_all(j, "representations-agree", C, eq->r, "C(q,psi) = 0");
}

static void judge_integrals(judge *j)
{
    nh_equations *eq = j->eq;
    const nh_model *model = eq->model;
    nh_expr energy = rate_of(j, nh_add(&eq->pool, model->kinetic, model->potential));
    judge_all(j, "energy-conserved", &energy, 1, "the rate of K + V along the motion is 0");
    for (size_t i = 0; i < model->n_integrals; i++) {
        nh_expr rate = rate_of(j, model->integrals[i].value);
        nh_text name;
        nh_text_init(&name, &eq->arena);
        nh_text_format(&name, "integral %s", model->integrals[i].name);
        judge_all(j, nh_text_get(&name), &rate, 1, "its rate along the motion is 0");
    }
}

nh_facts *nh_equations_facts(nh_equations *eq)
{
    judge j = {.eq = eq, .facts = nh_arena_array(&eq->arena, 1, sizeof *j.facts), .random = 1};
    nh_budget budget = {.max_terms = 5000, .max_seconds = 1};
    signed char *signs = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(eq->model, &eq->context->arena), eq->model->pool.n_symbols);
    j.signs = signs;
    nh_algebra_init(&j.algebra, &eq->pool, &budget, signs);
    judge_representations(&j);
    judge_reactions(&j);
    judge_methods(&j);
    judge_integrals(&j);
    nh_algebra_free(&j.algebra);
    return j.facts;
}
