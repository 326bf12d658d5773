/* A kinetic energy that can be negative is refused, and so is a motion that has no inertia: at random states, with the values
 * of the parameters where they have one, g and G must not have negative eigenvalues, and G must be regular at one of them, or on
 * some side of a corner, or at the start. Where g is positive at the start it may be negative elsewhere, as s s'^2/2 for s < 0:
 * the motion ends before it comes there, as g is singular between. */
#include "derive/inner.h"
#include "derive/nearest.h"

#include <math.h>
#include <string.h>

enum { STATES = 12 };

/* In +-[1/4, 5/4]; parameters have their values, or a positive one. */
static void draw(nh_equations *eq, uint64_t seed, const double *parameters, const signed char *signs,
                 double *values)
{
    for (size_t i = 0; i < eq->pool.n_symbols; i++) {
        uint64_t bits = nh_hash(nh_hash(seed) + i);
        double size = 0.25 + (double)(bits >> 12) * 0x1p-52;
        signed char sign = i < eq->model->pool.n_symbols ? signs[i] : 0;
        bool given = i < eq->model->pool.n_symbols && isfinite(parameters[i]);
        values[i] = given ? parameters[i] : sign < 0 || (sign == 0 && (bits & 1)) ? -size : size;
    }
}

/* What is seen of a matrix at a state. */
typedef struct outlook {
    bool has_value;
    bool negative; /* there is a negative eigenvalue, beyond rounding: the smallest one */
    double smallest;
    bool regular; /* all are positive, beyond rounding */
} outlook;

/* Each unknown in a unit of its own, in which the diagonal is 1: the sun and a satellite have masses. */
static void scale(double *M, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double unit = sqrt(fabs(M[i * n + i]));
        for (size_t k = 0; k < n && unit > 0; k++)
            M[i * n + k] /= unit;
        for (size_t k = 0; k < n && unit > 0; k++)
            M[k * n + i] /= unit;
    }
}

static double smallest_eigenvalue(double *M, size_t n)
{
    double smallest = INFINITY;
    nh_eigenvalues(M, n);
    for (size_t i = 0; i < n; i++)
        smallest = fmin(smallest, M[i * n + i]);
    return smallest;
}

/* The largest sum of sizes in a row: no eigenvalue is larger. */
static double norm_of(const double *M, size_t n)
{
    double norm = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += fabs(M[i * n + k]);
        norm = !(sum <= norm) ? sum : norm;
    }
    return norm;
}

static outlook outlook_of(nh_equations *eq, const nh_expr *M, size_t n, const double *values)
{
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    double *at = nh_arena_array(&eq->arena, n * n + 1, sizeof *at),
           *lost = nh_arena_array(&eq->arena, n * n + 1, sizeof *lost),
           *own = nh_arena_array(&eq->arena, n * n + 1, sizeof *own);
    nh_evaluate(&eq->pool, &eq->context->arena, M, n * n, values, at, NULL);
    outlook o = {.has_value = isfinite(norm_of(at, n))};
    if (o.has_value) {
        memcpy(own, at, n * n * sizeof *at);
        scale(at, n);
        double norm = norm_of(at, n);
        memcpy(lost, at, n * n * sizeof *at);
        o.regular = nh_is_positive(lost, n, -1e-13 * norm);
        memcpy(lost, at, n * n * sizeof *at);
        o.negative = !o.regular && !nh_is_positive(lost, n, 1e-9 * norm);
        o.smallest = o.negative ? smallest_eigenvalue(own, n) : 0;
    }
    nh_arena_release(&eq->arena, mark);
    return o;
}

/* Whether psi is real at a state. G may have a value where it is not: roots in psi_alpha are squared there. */
static bool has_velocities(nh_equations *eq, const double *values)
{
    size_t count = eq->m * eq->n;
    nh_arena_mark mark = nh_arena_here(&eq->arena);
    double *at = nh_arena_array(&eq->arena, count + 1, sizeof *at);
    bool real = true;
    nh_evaluate(&eq->pool, &eq->context->arena, eq->first.psi_alpha, count, values, at, NULL);
    for (size_t k = 0; k < count && real; k++)
        real = isfinite(at[k]);
    nh_arena_release(&eq->arena, mark);
    return real;
}

typedef enum place { ANYWHERE, AT_THE_STATE_GIVEN, NOT_AT_THE_START } place;

static bool is_parameter(const nh_model *model, size_t symbol)
{
    return symbol < model->n_roles && model->roles[symbol].role == NH_ROLE_PARAMETER;
}

/* "g has the eigenvalue -1 at x = 0.5": the symbols that M depends on. A warning where it is another at the start. */
static void tell(nh_equations *eq, const char *what, const nh_expr *M, size_t n, const double *values,
                 double eigenvalue, place where)
{
    bool *depends = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *depends), any = false,
         moves = false, at_start = where == NOT_AT_THE_START;
    nh_find_symbols(&eq->pool, &eq->context->arena, M, n * n, depends);
    nh_text text;
    nh_text_init(&text, &eq->arena);
    nh_text_format(&text, "the kinetic energy is not positive%s: %s has the eigenvalue ",
                   at_start ? " everywhere" : "", what);
    nh_text_double(&text, eigenvalue);
    for (size_t i = 0; i < eq->pool.n_symbols; i++)
        if (depends[i]) {
            nh_text_format(&text, "%s%s = ", any ? ", " : " at ", eq->pool.symbols[i]);
            nh_text_double(&text, values[i]);
            any = true, moves = moves || !is_parameter(eq->model, i);
        }
    nh_report(&eq->context->diagnostics, at_start ? NH_WARNING : NH_ERROR, NULL, (nh_span){0, 0},
              at_start                     ? "it is positive where the motion begins"
              : moves && where == ANYWHERE ? "look at the signs in 'kinetic' and of masses and inertias, or "
                                             "say with 'initial' where it is positive"
                                           : "look at the signs in 'kinetic' and of masses and inertias",
              "%s", nh_text_get(&text));
}

/* The start, by symbol; parameters as at another state, the rest as 'initial' says. False: it is not on the positions. */
static bool put_start(nh_equations *eq, const double *drawn, double *values)
{
    const nh_model *model = eq->model;
    for (size_t i = 0; i < model->n_roles; i++)
        values[i] = is_parameter(model, i) ? drawn[i] : 0;
    nh_evaluate(&eq->pool, &eq->context->arena, &model->start_time, 1, drawn,
                nh_slot_of(eq, values, model->time), NULL);
    for (size_t i = 0; i < model->n_initial; i++)
        nh_evaluate(&eq->pool, &eq->context->arena, &model->initial[i].value, 1, drawn,
                    nh_slot_of(eq, values, model->initial[i].symbol), NULL);
    return nh_project_positions(eq, values);
}

static bool is_positive_at_start(nh_equations *eq, const nh_expr *g, const double *drawn)
{
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    return put_start(eq, drawn, values) && outlook_of(eq, g, eq->n, values).regular;
}

/* A constraint at a state: C, what rounding makes of it, and C_i; of one on the positions f, and its derivatives by these. */
typedef struct point {
    nh_expr *roots;    /* C, C_i */
    nh_expr *unknowns; /* q', or q */
    double *at, *errors;
    double size; /* of C_i */
} point;

static point point_of(nh_equations *eq, size_t a)
{
    size_t count = eq->n + 1;
    nh_expr f = eq->model->constraints[a].position;
    point p = {nh_array(eq, count), nh_array(eq, eq->n), nh_arena_array(&eq->arena, count, sizeof(double)),
               nh_arena_array(&eq->arena, count, sizeof(double)), 0};
    for (size_t i = 0; i < eq->n; i++)
        p.unknowns[i] = f ? eq->model->coordinates[i].q : eq->model->coordinates[i].rate;
    p.roots[0] = f ? f : eq->second.C[a];
    nh_gradient(&eq->pool, &eq->context->arena, p.roots, NULL, 1, p.unknowns, eq->n, p.roots + 1);
    return p;
}

static bool look(nh_equations *eq, point *p, const double *values)
{
    nh_evaluate(&eq->pool, &eq->context->arena, p->roots, eq->n + 1, values, p->at, p->errors);
    p->size = 0;
    for (size_t i = 1; i <= eq->n; i++)
        p->size = hypot(p->size, p->at[i]);
    return isfinite(p->at[0]) && isfinite(p->size);
}

typedef enum zero { NO_ZERO, SIMPLE, MULTIPLE } zero;

enum { NEWTON_STEPS = 600 };
static const double slow = 0.05, farthest = 1e-280;

/* C, which was that large at first, is no more than rounding. */
static bool is_nothing(const point *p, double first)
{
    return (isfinite(p->errors[0]) && fabs(p->at[0]) <= 8 * p->errors[0]) ||
           fabs(p->at[0]) <= farthest * first;
}

/* Newton's method q'^i -= C C_i/|C_i|^2, or in the positions, down to what rounding leaves. At a simple zero the last steps leave next to nothing of C,
 * whatever the units; at one of order k each of them leaves (1 - 1/k)^k, 1/4 of f^2. Where C_i vanishes and C does not, as tanh(x') - 2
 * far away, there is none. */
static zero zero_of(nh_equations *eq, point *p, double *values)
{
    if (!look(eq, p, values))
        return NO_ZERO;
    double first = fabs(p->at[0]), left = 0;
    for (int k = 0; k < NEWTON_STEPS && p->size > 0; k++) {
        double before = fabs(p->at[0]), step = p->at[0] / p->size, size = p->size;
        if (is_nothing(p, first))
            return left < slow ? SIMPLE : MULTIPLE;
        for (size_t i = 0; i < eq->n; i++) {
            uint32_t index = 0;
            nh_is_symbol(&eq->pool, p->unknowns[i], &index);
            values[index] -= step * (p->at[1 + i] / size);
        }
        if (!look(eq, p, values))
            return NO_ZERO;
        left = fabs(p->at[0]) / before;
    }
    return p->size > 0 || !is_nothing(p, first) ? NO_ZERO : MULTIPLE;
}

/* Whether it is a simple zero, or a multiple one, that is found from a random state; on the positions, where it is one of the velocities. */
static zero zero_near(nh_equations *eq, size_t a, point *p, double *values)
{
    bool placed = eq->model->constraints[a].position || nh_project_positions(eq, values);
    return placed ? zero_of(eq, p, values) : NO_ZERO;
}

/* f^2 = 0: the derivatives vanish wherever the constraint holds, and nothing can be said. */
static void refuse_squares(nh_equations *eq, const double *parameters)
{
    const signed char *signs = nh_model_signs(eq->model, &eq->context->arena);
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    for (size_t a = 0; eq->second.C_i && a < eq->model->r; a++) {
        size_t found = 0, flat = 0;
        if (eq->model->constraints[a].kind == NH_LINEAR || eq->model->constraints[a].kind == NH_AFFINE)
            continue;
        point p = point_of(eq, a);
        for (uint64_t k = 0; k < STATES; k++) {
            draw(eq, k + 100, parameters, signs, values);
            zero z = zero_near(eq, a, &p, values);
            found += z != NO_ZERO, flat += z == MULTIPLE;
        }
        if (found < 3 || flat < found)
            continue;
        nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
                  "write f = 0 instead of f^2 = 0",
                  "the constraint in line %zu is singular at every state that satisfies it: its derivatives "
                  "vanish there",
                  eq->model->constraints[a].line);
        nh_heap_fail(&eq->context->heap, NH_ERROR_MODEL);
    }
}

bool nh_is_indefinite_at(nh_equations *eq, const double *values)
{
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    nh_metric(eq, g);
    outlook of_g = outlook_of(eq, g, eq->n, values);
    if (of_g.negative)
        tell(eq, "g", g, eq->n, values, of_g.smallest, AT_THE_STATE_GIVEN);
    return of_g.negative;
}

void nh_refuse_indefinite_at(nh_equations *eq, const double *values)
{
    if (nh_is_indefinite_at(eq, values))
        nh_heap_fail(&eq->context->heap, NH_ERROR_MODEL);
}

/* At how many states G has a value, and at how many of these it is regular; the same for g. */
typedef struct count {
    size_t looked, regular, g_looked, g_regular;
    bool negative; /* an eigenvalue was, which is reported */
} count;

/* Nothing else is asked where g is positive at the start, but negative elsewhere. */
static const count of_domain = {.looked = 1, .regular = 1, .g_looked = 1, .g_regular = 1};

typedef enum manner { LENIENT, STRICT, STRICT_AND_WARN } manner;

/* Whether g and G are regular at one more state. */
static void look_there(nh_equations *eq, const nh_expr *g, const double *values, count *c)
{
    c->g_regular += outlook_of(eq, g, eq->n, values).regular;
    c->regular += has_velocities(eq, values) && outlook_of(eq, eq->first.G, eq->m, values).regular;
}

/* Where random states are all singular, others need not be: max(x - 50, 0) is a mass where x > 50. States on the sides of the corners, and the start. */
static void look_further(nh_equations *eq, const double *parameters, const nh_expr *g, count *c)
{
    size_t n = eq->n, m = eq->m;
    const signed char *signs = nh_model_signs(eq->model, &eq->context->arena);
    nh_expr *both = nh_array(eq, n * n + m * m);
    double **states, *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values),
                     *start = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *start);
    memcpy(both, g, n * n * sizeof *both);
    memcpy(both + n * n, eq->first.G, m * m * sizeof *both);
    size_t found = nh_states_on_sides(eq, both, n * n + m * m, &states);
    for (size_t k = 0; k < found && !(c->regular && c->g_regular); k++) {
        for (size_t i = 0; i < eq->model->pool.n_symbols; i++)
            states[k][i] = isfinite(parameters[i]) ? parameters[i] : states[k][i];
        look_there(eq, g, states[k], c);
    }
    draw(eq, 1, parameters, signs, values);
    if (put_start(eq, values, start))
        look_there(eq, g, start, c);
}

/* STRICT: no further than to the first negative eigenvalue. */
static count look_around(nh_equations *eq, const double *parameters, manner how)
{
    size_t n = eq->n, m = eq->m;
    const signed char *signs = nh_model_signs(eq->model, &eq->context->arena);
    double *values = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *values);
    nh_expr *g = nh_array(eq, n * n);
    count c = {.looked = 0};
    nh_metric(eq, g);
    for (uint64_t k = 0; k < STATES && !c.negative; k++) {
        draw(eq, k + 1, parameters, signs, values);
        if (!nh_project_positions(eq, values) ||
            (!eq->first.psi && eq->second.C && !nh_project_velocities(eq, values, eq->second.C, eq->r)))
            continue;
        outlook of_g = outlook_of(eq, g, n, values), of_G = outlook_of(eq, eq->first.G, m, values);
        c.negative = of_g.negative && how != LENIENT;
        bool at_start = c.negative && is_positive_at_start(eq, g, values);
        if (c.negative && (!at_start || how == STRICT_AND_WARN))
            tell(eq, "g", g, n, values, of_g.smallest, at_start ? NOT_AT_THE_START : ANYWHERE);
        if (at_start)
            return of_domain;
        c.g_looked += of_g.has_value, c.g_regular += of_g.regular;
        if (c.negative || !has_velocities(eq, values))
            continue;
        c.negative = of_G.negative && how != LENIENT;
        if (c.negative)
            tell(eq, "G", eq->first.G, m, values, of_G.smallest, ANYWHERE);
        c.looked += of_G.has_value, c.regular += of_G.regular;
    }
    if (!c.negative && ((c.looked && !c.regular) || (c.g_looked && !c.g_regular)))
        look_further(eq, parameters, g, &c);
    return c;
}

/* There is no g^-1 wherever one looks: with these values of the parameters, or with any. Residues do not tell where roots are in g. */
static void see_singular(nh_equations *eq, count given, count any)
{
    if (!given.g_looked || given.g_regular || eq->second.reason)
        return;
    eq->second.none_given = "the metric g is singular";
    if (any.g_looked && !any.g_regular)
        eq->second.reason = eq->second.none_given;
}

/* Whether some motion has no inertia, wherever one looks. */
static bool is_undetermined(nh_equations *eq, count c)
{
    if (eq->m == 0 || !c.looked || c.regular)
        return false;
    nh_report(&eq->context->diagnostics, NH_ERROR, NULL, (nh_span){0, 0},
              "every velocity that the constraints leave free needs a mass",
              "the motion is not determined: G is singular, some motion has no inertia");
    return true;
}

bool nh_is_indefinite_with(nh_equations *eq, const double *parameters)
{
    count c = look_around(eq, parameters, STRICT);
    return c.negative || is_undetermined(eq, c);
}

void nh_refuse_indefinite(nh_equations *eq)
{
    double *parameters = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *parameters);
    nh_model_parameter_values(eq->model, &eq->context->arena, parameters);
    refuse_squares(eq, parameters);
    count given = look_around(eq, parameters, STRICT_AND_WARN), c = given;
    if (given.negative)
        nh_heap_fail(&eq->context->heap, NH_ERROR_MODEL);
    if (!given.looked ||
        !given.g_regular) { /* singular wherever one looks: what other parameters would make of it */
        for (size_t i = 0; i < eq->pool.n_symbols; i++)
            parameters[i] = NAN;
        count any = look_around(eq, parameters, LENIENT);
        see_singular(eq, given, any);
        c = given.looked ? given : any;
    }
    if (is_undetermined(eq, c))
        nh_heap_fail(&eq->context->heap, NH_ERROR_MODEL);
}
