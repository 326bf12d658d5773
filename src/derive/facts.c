/* What is true of the equations: identities along the motion, each proved, tested, refuted or unknown.
 *
 * All are of the form e = 0 on C. With psi, e becomes a function of (q, z, t), and is zero if its normal form is. Without
 * psi it is tested at states on C. */
#include "algebra/algebra.h"
#include "derive/judge.h"

#include <math.h>
#include <string.h>

/* In +-[1/4, 5/4], or a tenth of it; at some states in +-[1/8, 12], the sizes with the same chance for each power. */
static double draw(nh_judge *j, signed char sign)
{
    j->random += 0x9e3779b97f4a7c15u;
    uint64_t bits = nh_hash(j->random);
    double size = (double)(250 + (bits >> 12) % 1000) / 1000; /* three digits, for those who want to try it */
    if (j->wide && sign == 0)
        size = round(pow(2, -3 + 6.6 * (size - 0.25)) * 1000) / 1000;
    if (j->small && sign == 0)
        size = round(size * 100) / 1000;
    return sign < 0 || (sign == 0 && (bits & 1)) ? -size : size;
}

enum { DRAWS = 8 };

/* On the positions, and on C: by psi, or, where there is none, by projection. */
bool nh_onto_C(nh_judge *j, double *values)
{
    nh_equations *eq = j->eq;
    if (!nh_project_positions(eq, values))
        return false;
    return eq->first.psi || !eq->second.C || nh_project_velocities(eq, values, eq->second.C, eq->r);
}

bool nh_draw_state(nh_judge *j, double *values)
{
    bool found = false;
    for (int k = 0; k < DRAWS && !found; k++) {
        j->small = k >= DRAWS / 2; /* C may be near the origin only */
        for (size_t i = 0; i < j->eq->pool.n_symbols; i++)
            values[i] = draw(j, j->signs[i]);
        nh_obey_formulas(j->eq->model, &j->given, j->signs, &j->eq->context->arena, values);
        found = nh_onto_C(j, values);
    }
    j->small = false;
    return found;
}

void nh_text_six(nh_text *text, double value)
{
    double unit = value != 0 ? pow(10, floor(log10(fabs(value))) - 5) : 1;
    nh_text_double(text, unit >= 1 ? round(value / unit) * unit : round(value / unit) / round(1 / unit));
}

/* "the rate is 0.25 at x = 1, theta = 0.5": the state that shows it. */
static const char *witness(nh_judge *j, const char *what, nh_expr e, const char *value, const double *values)
{
    nh_equations *eq = j->eq;
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends);
    nh_find_symbols(&eq->pool, &eq->context->arena, &e, 1, depends);
    if (!eq->first.psi && eq->second.C)
        nh_find_symbols(&eq->pool, &eq->context->arena, eq->second.C, eq->r, depends);
    nh_text text;
    nh_text_init(&text, &eq->arena);
    nh_text_format(&text, "%s is %s", what, value);
    bool any = false;
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        if (depends[i]) {
            nh_text_format(&text, "%s%s = ", any ? ", " : " at ", eq->pool.symbols[i]);
            nh_text_double(&text, values[i]);
            any = true;
        }
    return nh_text_get(&text);
}

const char *nh_witness(nh_judge *j, const char *what, nh_expr e, double value, const double *values)
{
    nh_text text;
    nh_text_init(&text, &j->eq->arena);
    nh_text_six(&text, value);
    return witness(j, what, e, nh_text_get(&text), values);
}

enum { STATES = 60, WANTED = 8 };

/* States that are brought onto C by numbers are there within 1e-8 or so of what is added up, which errors tell. */
static double of_projection(const nh_judge *j, double error)
{
    return j->eq->first.psi ? 0 : 1e-8 * fmax(1, 1e14 * error);
}

/* False: one of them is not 0, with a witness. finite, where not NULL: all have values. */
static bool vanish_at(nh_judge *j, const nh_expr *e, size_t count, const double *values, const char *what,
                      const char **detail, bool *finite)
{
    nh_equations *eq = j->eq;
    nh_arena_mark mark = nh_arena_here(&eq->context->arena);
    double *out = nh_arena_array(&eq->context->arena, count + 1, sizeof *out),
           *errors = nh_arena_array(&eq->context->arena, count + 1, sizeof *errors);
    size_t other = count;
    bool all = true;
    nh_evaluate(&eq->pool, &eq->context->arena, e, count, values, out, errors);
    for (size_t i = 0; i < count && other == count; i++) {
        bool known = isfinite(out[i]) && isfinite(errors[i]);
        all = all && known;
        if (known && fabs(out[i]) > 1000 * errors[i] + of_projection(j, errors[i]))
            other = i;
    }
    if (other < count)
        *detail = nh_witness(j, what, e[other], out[other], values);
    if (finite)
        *finite = all;
    nh_arena_release(&eq->context->arena, mark);
    return other == count;
}

/* By numbers, all at once: NO with a witness, YES where every e vanishes at so many states. */
static nh_answer by_numbers(nh_judge *j, const nh_expr *e, size_t count, int states, int wanted,
                            const char *what, const char **detail)
{
    nh_equations *eq = j->eq;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    int zeros = 0;
    for (int k = 0; k < states && zeros < wanted; k++) {
        bool finite;
        if (!nh_draw_state(j, values))
            continue;
        if (!vanish_at(j, e, count, values, what, detail, &finite))
            return NH_NO;
        zeros += finite;
    }
    return zeros >= wanted ? NH_YES : NH_UNKNOWN;
}

enum { WIDE_STATES = 48, WIDE_OPERATIONS = 400000 };

/* Beyond the first states, too: a force may have a corner at x = 2, and roots other branches there. Fewer where it is long. */
static bool holds_widely(nh_judge *j, const nh_expr *e, size_t count, const char *what, const char **detail)
{
    nh_equations *eq = j->eq;
    size_t operations = nh_count_operations(&eq->pool, &eq->context->arena, e, count);
    size_t most = WIDE_OPERATIONS / (operations + 1);
    int states = most < WIDE_STATES ? (int)most : WIDE_STATES;
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    j->wide = true;
    bool holds = by_numbers(j, e, count, states, states, what, detail) != NH_NO;
    j->wide = false, j->random = random;
    return holds;
}

/* On all sides of the corners: max(x - 30, 0) is 0 at all states that are not far. */
static bool holds_on_sides(nh_judge *j, const nh_expr *e, size_t count, const char *what, const char **detail)
{
    nh_equations *eq = j->eq;
    size_t operations = nh_count_operations(&eq->pool, &eq->context->arena, e, count);
    size_t most = WIDE_OPERATIONS / (operations + 1);
    nh_sides *sides = nh_sides_of(j, e, count);
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    for (size_t k = 0; k < nh_sides_count(sides) && k < most; k++)
        if (nh_sides_state(sides, k, values) && !vanish_at(j, e, count, values, what, detail, NULL))
            return false;
    return true;
}

static bool on_positions(const nh_model *model)
{
    bool any = false;
    for (size_t a = 0; a < model->r; a++)
        any = any || model->constraints[a].position;
    return any;
}

enum { PRECISE_STATES = 8 };

/* What doubles cannot see, 1e-18*x beside the energy: at states that are on C exactly, in more digits. Every other one is far away. */
static bool holds_precisely(nh_judge *j, const nh_expr *e, size_t count, const char *what,
                            const char **detail)
{
    nh_equations *eq = j->eq;
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    nh_expr *given = nh_array(eq, count);
    uint64_t random = j->random; /* what is drawn later does not depend on it */
    bool holds = true;
    char value[64];
    if (!eq->first.psi || on_positions(eq->model))
        return true;
    nh_put_given(eq, e, count, given); /* M = 2*m in all digits */
    for (int k = 0; k < PRECISE_STATES && holds; k++) {
        j->wide = k % 2;
        if (!nh_draw_state(j, values))
            continue;
        for (size_t i = 0; i < count && holds; i++) {
            holds = !given[i] || !nh_is_not_zero_at(&eq->pool, &eq->context->arena, given[i], values, k == 0,
                                                    value, sizeof value);
            *detail = holds ? *detail : witness(j, what, e[i], value, values);
        }
    }
    j->wide = false, j->random = random;
    return holds;
}

/* Beyond so many operations nothing is tried: the algebra would only use up its time. */
enum { MOST_OPERATIONS = 1500, MOST_OPERATIONS_OF_INTEGRALS = 20000 };

static bool is_zero(nh_judge *j, nh_expr e)
{
    nh_equations *eq = j->eq;
    nh_arena *scratch = &eq->context->arena;
    if (!e || e == eq->pool.zero)
        return e != NH_EXPR_NONE;
    if (nh_has_solve(&eq->pool, scratch, &e, 1) ||
        nh_count_operations(&eq->pool, scratch, &e, 1) > j->most_operations)
        return false;
    return nh_is_zero(&j->algebra, e) == NH_YES;
}

/* For all values of the parameters that are not 0; where that fails, for those that obey their formulas. */
static bool is_proved(nh_judge *j, nh_expr e)
{
    nh_expr general, special;
    nh_put_zeros(j->eq, &e, 1, &general);
    if (is_zero(j, general))
        return true;
    if (!j->given.count)
        return false;
    nh_put_given(j->eq, &e, 1, &special);
    return special != general && is_zero(j, special);
}

static bool all_proved(nh_judge *j, const nh_expr *e, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_proved(j, e[i]))
            return false;
    return true;
}

void nh_add_fact(nh_judge *j, const char *name, nh_verdict verdict, const char *detail)
{
    nh_push(&j->eq->arena, j->facts->items, j->facts->count, j->facts->capacity) =
        (nh_fact){name, verdict, detail};
}

/* Numbers first: they refute fast. */
void nh_judge_all(nh_judge *j, const char *name, const nh_expr *e, size_t count, const char *what,
                  const char *yes)
{
    const char *where = yes;
    if (j->dependent) {
        nh_add_fact(j, name, NH_NOT_KNOWN, j->dependent);
        return;
    }
    nh_answer numeric = by_numbers(j, e, count, STATES, WANTED, what, &where);
    if (numeric == NH_NO)
        nh_add_fact(j, name, NH_REFUTED, where);
    else if (all_proved(j, e, count))
        nh_add_fact(j, name, NH_PROVED, yes);
    else if (!holds_widely(j, e, count, what, &where) || !holds_on_sides(j, e, count, what, &where) ||
             !holds_precisely(j, e, count, what, &where))
        nh_add_fact(j, name, NH_REFUTED, where);
    else
        nh_add_fact(j, name, numeric == NH_YES ? NH_TESTED : NH_NOT_KNOWN,
                    numeric == NH_YES ? yes : "not decided");
}

/* ---------------------------------------------------------------- the identities */

/* e on C: with psi in the place of q'. */
void nh_on_C(nh_judge *j, const nh_expr *e, size_t count, nh_expr *out)
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

/* The rate of a function along the motion, with z'^alpha = Z^alpha. */
static nh_expr rate_with(nh_judge *j, nh_expr F, const nh_expr *Z)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    nh_first_kind *f = &eq->first;
    size_t n = eq->n, m = f->psi ? eq->m : eq->n, count = n + m + 1;
    nh_expr *symbols = nh_array(eq, count), *rates = nh_array(eq, count), out;
    nh_on_C(j, &F, 1, &F);
    for (size_t i = 0; i < n; i++) {
        symbols[i] = eq->model->coordinates[i].q;
        rates[i] = f->psi ? f->psi[i] : eq->model->coordinates[i].rate;
    }
    for (size_t k = 0; k < m; k++) {
        symbols[n + k] = f->psi ? eq->z[k].symbol : eq->model->coordinates[k].rate;
        rates[n + k] = f->psi ? Z[k] : f->acceleration[k];
    }
    symbols[n + m] = eq->model->time, rates[n + m] = pool->one;
    nh_directional(pool, &eq->context->arena, &F, 1, symbols, rates, count, &out);
    return out;
}

nh_expr nh_rate_of(nh_judge *j, nh_expr F) { return rate_with(j, F, j->eq->first.Z_upper); }

/* ---------------------------------------------------------------- proofs for long formulas
 *
 * Where Z is long, it is not put in: with symbols zeta for the z', R_i = g_ij (psi^j_alpha zeta^alpha + drift^j) - L_i is short,
 * and what has to vanish is shown to be a combination of what vanishes by G_ab Z^b = Z_a. */

static nh_fact *last_fact(nh_judge *j) { return &j->facts->items[j->facts->count - 1]; }

static void now_proved(nh_judge *j, const char *detail)
{
    last_fact(j)->verdict = NH_PROVED;
    last_fact(j)->detail = detail;
}

static nh_expr *reactions_with(nh_judge *j, const nh_expr *zeta)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *acceleration = nh_array(eq, n), *R = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        acceleration[i] = eq->first.drift[i];
        for (size_t alpha = 0; alpha < eq->m; alpha++)
            acceleration[i] = nh_add(&eq->pool, acceleration[i],
                                     nh_mul(&eq->pool, eq->first.psi_alpha[alpha * n + i], zeta[alpha]));
    }
    nh_lower(eq, acceleration, R);
    for (size_t i = 0; i < n; i++)
        R[i] = nh_sub(&eq->pool, R[i], eq->L_on_C[i]);
    return R;
}

/* R_i psi^i_a = G_ab zeta^b - Z_a */
static bool ideal_by_identities(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n, m = eq->m;
    nh_expr *R = reactions_with(j, j->zeta), *e = nh_array(eq, m);
    for (size_t alpha = 0; alpha < m; alpha++) {
        nh_expr solved =
            nh_sub(&eq->pool, nh_dot(eq, eq->first.G + alpha * m, j->zeta, m), eq->first.Z_lower[alpha]);
        e[alpha] = nh_sub(&eq->pool, nh_dot(eq, R, eq->first.psi_alpha + alpha * n, n), solved);
    }
    return all_proved(j, e, m);
}

/* psi^i = psi^i_alpha z^alpha: then R_i psi^i = 0 follows. */
static bool velocities_are_virtual(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *e = nh_array(eq, n);
    for (size_t i = 0; i < n && eq->first.psi; i++) {
        e[i] = eq->first.psi[i];
        for (size_t alpha = 0; alpha < eq->m; alpha++)
            e[i] = nh_sub(&eq->pool, e[i],
                          nh_mul(&eq->pool, eq->first.psi_alpha[alpha * n + i], eq->z[alpha].symbol));
    }
    return eq->first.psi && all_proved(j, e, n);
}

/* The rate of E is R_i q'^i. */
static bool rate_is_power(nh_judge *j, nh_expr E)
{
    nh_equations *eq = j->eq;
    if (!eq->first.psi || !j->powerless)
        return false;
    nh_expr power = nh_dot(eq, reactions_with(j, j->zeta), eq->first.psi, eq->n);
    return is_proved(j, nh_sub(&eq->pool, rate_with(j, E, j->zeta), power));
}

/* Where the difference of two long formulas is more than can be reduced: the accelerations q'' of the second kind are the only
 * ones with C_i q''^i + dC = 0 and g q'' - L a combination of the C_i. Those of the first kind, q'' = psi_alpha Z^alpha + drift,
 * satisfy the first if C_i psi^i_alpha = 0 and C_i drift^i + dC = 0 on C, and the second by G_ab Z^b = Z_a. */
static bool methods_agree_by_identities(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n, m = eq->m, r = eq->r, count = 0;
    nh_expr *C_i = nh_array(eq, r * n), *moved = nh_array(eq, r), *e = nh_array(eq, r * (m + 1));
    if (!eq->first.psi)
        return false;
    nh_on_C(j, eq->second.C_i, r * n, C_i);
    nh_on_C(j, eq->second.moved, r, moved);
    for (size_t a = 0; a < r; a++) {
        for (size_t alpha = 0; alpha < m; alpha++)
            e[count++] = nh_dot(eq, C_i + a * n, eq->first.psi_alpha + alpha * n, n);
        e[count++] = nh_add(&eq->pool, nh_dot(eq, C_i + a * n, eq->first.drift, n), moved[a]);
    }
    return all_proved(j, e, count);
}

/* Whether g is singular at every state, with what the parameters are. */
static bool has_no_inverse(nh_judge *j)
{
    nh_equations *eq = j->eq;
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    if (!j->given.n_fixed && !j->given.count)
        return false;
    nh_metric(eq, g);
    return nh_rows_depend(eq, eq->n, g);
}

/* Why there is no second kind, or none with what the parameters are; NULL: there is one. */
static const char *without_second(nh_judge *j)
{
    return j->eq->second.reason ? j->eq->second.reason
           : j->dependent       ? j->dependent
           : has_no_inverse(j)  ? "the metric g is singular"
                                : NULL;
}

static void judge_methods(nh_judge *j)
{
    nh_equations *eq = j->eq;
    size_t n = eq->n;
    nh_expr *D = nh_array(eq, n), *difference = nh_array(eq, n);
    const char *reason = without_second(j);
    if (reason) {
        nh_add_fact(j, "methods-agree", NH_NOT_KNOWN, reason);
        return;
    }
    nh_on_C(j, eq->second.D, n, D);
    for (size_t i = 0; i < n; i++)
        difference[i] = nh_sub(&eq->pool, eq->first.acceleration[i], D[i]);
    nh_judge_all(j, "methods-agree", difference, n, "the difference of the accelerations",
                 "both methods give the same accelerations on C");
    if (last_fact(j)->verdict == NH_TESTED && methods_agree_by_identities(j))
        now_proved(j, "C_i psi^i_alpha = 0 and C_i drift^i + dC = 0 are proved, which leaves one "
                      "acceleration; the formulas agree at random states");
}

static bool is_homogeneous(const nh_equations *eq)
{
    for (size_t a = 0; a < eq->model->r; a++)
        if (eq->model->constraints[a].given.kind != NH_LINEAR &&
            eq->model->constraints[a].given.kind != NH_HOMOGENEOUS)
            return false;
    return true;
}

static void judge_reactions(nh_judge *j)
{
    nh_equations *eq = j->eq;
    nh_first_kind *f = &eq->first;
    size_t n = eq->n;
    nh_expr *e = nh_array(eq, eq->m + 1), *rates = nh_array(eq, n);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        e[alpha] = nh_dot(eq, f->R, f->psi_alpha + alpha * n, n);
    nh_judge_all(j, "reactions-ideal", e, eq->m, "R_i psi^i_alpha", "R_i psi^i_alpha = 0");
    if (last_fact(j)->verdict == NH_TESTED && ideal_by_identities(j))
        now_proved(j, "R_i psi^i_a = G_ab Z^b - Z_a, and that is 0");
    bool ideal = last_fact(j)->verdict == NH_PROVED;
    for (size_t i = 0; i < n; i++)
        rates[i] = f->psi ? f->psi[i] : eq->model->coordinates[i].rate;
    e[0] = nh_dot(eq, f->R, rates, n);
    nh_judge_all(j, "reactions-powerless", e, 1, "R_i q'^i", "R_i q'^i = 0");
    if (last_fact(j)->verdict == NH_TESTED && ideal && velocities_are_virtual(j))
        now_proved(j, "q'^i = psi^i_alpha z^alpha, and R_i psi^i_alpha = 0");
    if (last_fact(j)->verdict == NH_TESTED && eq->model->r && is_homogeneous(eq) &&
        nh_equations_homogeneous(eq))
        now_proved(j, "R_i q'^i = lambda_a C^a_i q'^i, and that is 0 for homogeneous constraints (Euler)");
    j->powerless = last_fact(j)->verdict == NH_PROVED;
}

static void judge_representations(nh_judge *j)
{
    nh_equations *eq = j->eq;
    if (!eq->first.psi || !eq->model->r)
        return;
    nh_expr *C = nh_array(eq, eq->r);
    nh_on_C(j, eq->second.C, eq->r, C);
    nh_judge_all(j, "representations-agree", C, eq->r, "C(q,psi)", "C(q,psi) = 0");
}

/* What is known of the rate of F holds between jumps of F, and of the velocities, only. Where these jump as well, one may make up for the
 * other: m x' is constant where m is not. */
static void mind_jumps(nh_judge *j, nh_expr F)
{
    nh_fact *fact = last_fact(j);
    const char *detail = fact->detail, *told = fact->detail;
    nh_expr where = NH_EXPR_NONE;
    if (fact->verdict != NH_PROVED && fact->verdict != NH_TESTED)
        return;
    nh_verdict verdict = nh_judge_jumps(j, F, fact->verdict == NH_PROVED, &detail, &where),
               steps = nh_judge_steps(j, F, &told);
    j->facts->has_steps = j->facts->has_steps || steps == NH_NOT_KNOWN;
    bool together = steps == NH_NOT_KNOWN && where && where == j->steps_where;
    if (steps > verdict || together)
        verdict = steps, detail = told;
    if (verdict > fact->verdict)
        fact->verdict = verdict, fact->detail = detail;
}

/* What has no value is not constant. */
static void mind_values(nh_judge *j, nh_expr F)
{
    nh_fact *fact = last_fact(j);
    if (!j->dependent && fact->verdict != NH_REFUTED && !nh_has_a_value(j, F))
        fact->verdict = NH_NOT_KNOWN, fact->detail = "no state was found where it has a value";
}

/* K_2 - K_0 + V = q'^i p_i - K + V, where K has linear or constant terms in q'. */
static void judge_jacobi(nh_judge *j)
{
    nh_equations *eq = j->eq;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n;
    nh_expr *rates = nh_array(eq, n), *zero = nh_array(eq, n), *rest = nh_array(eq, n + 1);
    for (size_t i = 0; i < n; i++)
        rates[i] = eq->model->coordinates[i].rate, zero[i] = pool->zero;
    nh_substitute(pool, &eq->context->arena, eq->p, n, rates, zero, n, rest);
    nh_substitute(pool, &eq->context->arena, &eq->model->kinetic, 1, rates, zero, n, rest + n);
    bool plain = true;
    for (size_t i = 0; i <= n; i++)
        plain = plain && nh_is_null(eq, rest[i]);
    if (plain)
        return;
    nh_expr twice = nh_dot(eq, rates, eq->p, n);
    nh_expr jacobi = nh_add(pool, nh_sub(pool, twice, eq->model->kinetic), eq->model->potential),
            rate = nh_rate_of(j, jacobi);
    nh_judge_all(j, "jacobi-conserved", &rate, 1, "the rate",
                 "the rate of K_2 - K_0 + V along the motion is 0");
    if (last_fact(j)->verdict == NH_TESTED && rate_is_power(j, jacobi))
        now_proved(j, "the rate of K_2 - K_0 + V is the power of the reactions, and that is 0");
    mind_jumps(j, jacobi);
}

static void judge_integrals(nh_judge *j)
{
    nh_equations *eq = j->eq;
    const nh_model *model = eq->model;
    nh_expr energy = nh_add(&eq->pool, model->kinetic, model->potential), change = nh_rate_of(j, energy);
    nh_judge_all(j, "energy-conserved", &change, 1, "the rate", "the rate of K + V along the motion is 0");
    if (last_fact(j)->verdict == NH_TESTED && rate_is_power(j, energy))
        now_proved(j, "the rate of K + V is the power of the reactions, and that is 0");
    mind_jumps(j, energy);
    judge_jacobi(j);
    for (size_t i = 0; i < model->n_integrals; i++) {
        nh_expr rate = nh_rate_of(j, model->integrals[i].value);
        nh_text name;
        nh_text_init(&name, &eq->arena);
        nh_text_format(&name, "integral %s", model->integrals[i].name);
        nh_judge_all(j, nh_text_get(&name), &rate, 1, "its rate", "its rate along the motion is 0");
        bool is_energy = model->integrals[i].value == energy;
        if (last_fact(j)->verdict == NH_TESTED && is_energy && rate_is_power(j, energy))
            now_proved(j, "its rate is the power of the reactions, and that is 0");
        mind_jumps(j, model->integrals[i].value);
        mind_values(j, model->integrals[i].value);
    }
}

/* What states are drawn with, and no more. */
static void begin_states(nh_judge *j, nh_equations *eq)
{
    *j = (nh_judge){.eq = eq,
                    .facts = nh_arena_array(&eq->arena, 1, sizeof *j->facts),
                    .random = 1,
                    .good_chart = NH_UNKNOWN};
    signed char *signs = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(eq->model, &eq->context->arena), eq->model->pool.n_symbols);
    j->signs = signs;
    j->given = nh_find_formulas(eq, &eq->arena);
}

/* Not to be moved in memory. */
static void begin(nh_judge *j, nh_equations *eq, nh_budget budget)
{
    nh_expr *zeta = nh_array(eq, eq->m);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        zeta[alpha] = nh_symbol_placed(&eq->pool, eq->z[alpha].name, NH_PLACED_THIRD);
    begin_states(j, eq);
    j->most_operations = MOST_OPERATIONS;
    j->zeta = zeta;
    j->dependent = nh_dependence(eq);
    nh_algebra_init(&j->algebra, &eq->pool, &budget, j->signs);
}

/* ---------------------------------------------------------------- integrals that were found */

/* With G_ab c^b = dF/dz^a the rate is psi^i d_i F + d_t F + c^a Z_a: Z^a is not needed. */
static bool rate_is_zero_by_G(nh_judge *j, nh_expr F)
{
    nh_equations *eq = j->eq;
    size_t m = eq->m;
    nh_expr *z = nh_array(eq, m), *dF = nh_array(eq, m), *c = nh_array(eq, m), *none = nh_array(eq, m), on_C;
    if (!eq->first.psi || m > 4)
        return false;
    for (size_t alpha = 0; alpha < m; alpha++)
        z[alpha] = eq->z[alpha].symbol, none[alpha] = eq->pool.zero;
    nh_on_C(j, &F, 1, &on_C);
    nh_gradient(&eq->pool, &eq->context->arena, &on_C, NULL, 1, z, m, dF);
    if (nh_has_solve(&eq->pool, &eq->context->arena, eq->first.G, m * m) ||
        !nh_matrix_solve(&j->algebra, m, eq->first.G, 1, dF, c))
        return false;
    nh_expr rate = nh_add(&eq->pool, rate_with(j, F, none), nh_dot(eq, c, eq->first.Z_lower, m));
    return is_proved(j, rate);
}

/* By the power of the reactions, of which nothing is to be told. */
static bool energy_is_kept(nh_judge *j, nh_expr energy)
{
    nh_facts *facts = j->facts, others = {0};
    j->facts = &others, j->most_operations = MOST_OPERATIONS;
    judge_reactions(j);
    j->facts = facts;
    return rate_is_power(j, energy);
}

nh_facts *nh_equations_conserved(nh_equations *eq, const nh_named *F, size_t count, double max_seconds)
{
    nh_judge j;
    nh_expr energy = nh_add(&eq->pool, eq->model->kinetic, eq->model->potential);
    begin(&j, eq, (nh_budget){.max_seconds = max_seconds / (double)(count + 1)});
    for (size_t i = 0; i < count; i++) {
        nh_expr rate = nh_rate_of(&j, F[i].value);
        j.most_operations = MOST_OPERATIONS_OF_INTEGRALS;
        nh_judge_all(&j, F[i].name, &rate, 1, "its rate", "its rate along the motion is 0");
        if (last_fact(&j)->verdict == NH_TESTED && rate_is_zero_by_G(&j, F[i].value))
            now_proved(&j, "its rate along the motion is 0, by G_ab Z^b = Z_a");
        if (last_fact(&j)->verdict == NH_TESTED && F[i].value == energy && energy_is_kept(&j, energy))
            now_proved(&j, "its rate is the power of the reactions, and that is 0");
        mind_jumps(&j, F[i].value);
        mind_values(&j, F[i].value);
    }
    nh_algebra_free(&j.algebra);
    return j.facts;
}

size_t nh_equations_states(nh_equations *eq, size_t count, double **values)
{
    nh_judge j;
    size_t found = 0;
    begin(&j, eq, (nh_budget){.max_seconds = 0});
    for (size_t k = 0; k < count; k++) {
        values[found] = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values[found]);
        found += nh_draw_state(&j, values[found]);
    }
    nh_algebra_free(&j.algebra);
    return found;
}

size_t nh_states_on_sides(nh_equations *eq, const nh_expr *e, size_t count, double ***states)
{
    nh_judge j;
    begin_states(&j, eq);
    nh_sides *sides = nh_sides_of(&j, e, count);
    size_t most = nh_sides_count(sides), found = 0;
    *states = nh_arena_array(&eq->arena, most + 1, sizeof **states);
    for (size_t k = 0; k < most; k++) {
        (*states)[found] = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof ***states);
        found += nh_sides_state(sides, k, (*states)[found]);
    }
    return found;
}

nh_verdict nh_equations_jump(nh_equations *eq, nh_expr F, double max_seconds, nh_expr *where)
{
    nh_judge j;
    const char *detail;
    *where = NH_EXPR_NONE;
    begin(&j, eq, (nh_budget){.max_terms = 5000, .max_seconds = max_seconds});
    nh_verdict verdict = nh_judge_jumps(&j, F, true, &detail, where);
    nh_algebra_free(&j.algebra);
    return verdict;
}

nh_facts *nh_equations_facts(nh_equations *eq)
{
    nh_judge j;
    begin(&j, eq, (nh_budget){.max_terms = 5000, .max_seconds = 0.5});
    nh_judge_regular(&j);
    nh_judge_holonomic(&j);
    nh_judge_metric(&j);
    judge_representations(&j);
    judge_reactions(&j);
    judge_methods(&j);
    judge_integrals(&j);
    nh_judge_structure(&j);
    nh_algebra_free(&j.algebra);
    return j.facts;
}
