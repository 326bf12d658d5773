/* The principles behind the equations of the first kind. With q'' = psi_a z'^a + drift,
 *     a_nu = a_0nu + a_anu z'^a,  a_anu = d_i r_nu psi^i_a
 *     Gauss:         G = 1/2 g_ij (q'' - q''_f)^i (q'' - q''_f)^j is least at z' = Z;  q''_f = g^-1 L
 *     Gibbs-Appell:  dS/dz'^a = A_a,  S = 1/2 sum m a^2
 *     Newton:        R_nu = m a_nu - A_nu
 * Where the points of a system are linked, 1/2 sum m (a - A/m)^2 is G and a function of (q,z,t) more. */
#include "derive/show.h"

#include <math.h>
#include <string.h>

const char *const nh_show_names[NH_SHOW_COUNT] = {"gauss",       "gibbs-appell", "virtual",
                                                  "christoffel", "geodesic",     "newton"};

/* ---------------------------------------------------------------- what all objects need */

static nh_expr *simple_scalar(nh_show_work *w, nh_expr e) { return nh_simple(&w->effort, &e, 1); }

/* In the variables of the first kind: psi for q'. */
static void put_psi(nh_show_work *w, const nh_expr *in, size_t count, nh_expr *out)
{
    nh_equations *eq = w->eq;
    if (w->forms->psi)
        nh_substitute(&eq->pool, &eq->context->arena, in, count, w->rates, w->forms->psi, eq->n, out);
    else
        memmove(out, in, count * sizeof *out);
}

/* g^ij v_j: by the inverse, or by elimination; NULL: g is singular. */
nh_expr *nh_show_raised(nh_show_work *w, const nh_expr *v)
{
    nh_equations *eq = w->eq;
    size_t n = eq->n;
    nh_expr *out = nh_array(eq, n);
    if (w->forms->g_inverse)
        for (size_t i = 0; i < n; i++)
            out[i] = nh_dot(eq, w->forms->g_inverse + i * n, v, n);
    else if (!nh_eliminate_symmetric(eq, n, w->forms->g, 1, v, out))
        return NULL;
    return out;
}

static void name_zdot(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    w->out->zdot = nh_array(eq, eq->m);
    w->out->zdot_names = nh_arena_array(&eq->arena, eq->m + 1, sizeof *w->out->zdot_names);
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        nh_text name;
        nh_text_init(&name, &eq->arena);
        nh_text_format(&name, "%s'", eq->z[alpha].name);
        w->out->zdot_names[alpha] = nh_text_get(&name);
        w->out->zdot[alpha] = nh_symbol_placed(&eq->pool, w->out->zdot_names[alpha], NH_PLACED_THIRD);
    }
}

/* ---------------------------------------------------------------- points */

/* a_0nu: the second derivative of r_nu with q'' = drift, and a_anu: what psi_a adds to it. */
static void find_accelerations(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_principles *o = w->out;
    size_t n = eq->n, count = o->n_points * o->size;
    nh_expr *velocities = nh_array(eq, count), *raw = nh_array(eq, count);
    nh_expr *symbols = nh_array(eq, 2 * n + 1), *directions = nh_array(eq, 2 * n + 1);
    for (size_t nu = 0; nu < o->n_points; nu++)
        memcpy(velocities + nu * o->size, eq->model->points[nu].rate, o->size * sizeof *velocities);
    for (size_t i = 0; i < n; i++) {
        symbols[i] = eq->model->coordinates[i].q, directions[i] = w->rates[i];
        symbols[n + i] = w->rates[i], directions[n + i] = w->drift[i];
    }
    symbols[2 * n] = eq->model->time, directions[2 * n] = eq->pool.one;
    nh_directional(&eq->pool, &eq->context->arena, velocities, count, symbols, directions, 2 * n + 1, raw);
    put_psi(w, raw, count, raw);
    o->a_0 = nh_simple(&w->effort, raw, count);
    o->a_alpha = nh_array(eq, eq->m * count);
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        nh_directional(&eq->pool, &eq->context->arena, velocities, count, w->rates,
                       w->forms->psi_alpha + alpha * n, n, raw);
        memcpy(o->a_alpha + alpha * count, nh_simple(&w->effort, raw, count), count * sizeof *raw);
    }
}

/* a_anu x^a, and a_0nu more where wanted. */
static nh_expr *combined(nh_show_work *w, const nh_expr *begin, const nh_expr *x)
{
    nh_equations *eq = w->eq;
    size_t count = w->out->n_points * w->out->size;
    nh_expr *out = nh_array(eq, count);
    for (size_t k = 0; k < count; k++) {
        out[k] = begin ? begin[k] : eq->pool.zero;
        for (size_t alpha = 0; alpha < eq->m; alpha++)
            out[k] =
                nh_add(&eq->pool, out[k], nh_mul(&eq->pool, w->out->a_alpha[alpha * count + k], x[alpha]));
    }
    return out;
}

/* A_nu: its own force, and m g. */
static void find_point_forces(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_pool *pool = &eq->pool;
    const nh_model *model = eq->model;
    size_t size = w->out->size;
    w->force = nh_array(eq, w->out->n_points * size);
    for (size_t nu = 0; nu < w->out->n_points; nu++)
        for (size_t k = 0; k < size; k++) {
            const nh_point *p = &model->points[nu];
            nh_expr own = p->force[k] ? p->force[k] : pool->zero;
            bool falls = p->mass && model->gravity_size == p->size;
            w->force[nu * size + k] =
                falls ? nh_add(pool, own, nh_mul(pool, p->mass, model->gravity[k])) : own;
        }
    put_psi(w, w->force, w->out->n_points * size, w->force);
}

static bool same(nh_equations *eq, nh_expr a, nh_expr b)
{
    return a == b || nh_is_null(eq, nh_sub(&eq->pool, a, b));
}

/* Why the kinetic energy is not that of the points; NULL: it is. */
static const char *not_of_points(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_pool *pool = &eq->pool;
    nh_expr K = pool->zero;
    for (size_t nu = 0; nu < eq->model->n_points; nu++) {
        const nh_point *p = &eq->model->points[nu];
        nh_expr square = pool->zero;
        for (int k = 0; k < p->size; k++)
            square = nh_add(pool, square, nh_power(pool, p->rate[k], 2));
        if (p->mass)
            K = nh_add(pool, K, nh_mul(pool, pool->half, nh_mul(pool, p->mass, square)));
    }
    if (K == pool->zero)
        return "there are no points with mass";
    return same(eq, K, eq->model->kinetic) ? NULL : "there is kinetic energy that is not of points";
}

/* Why the active forces do not all act at points; NULL: they do. The sum of F.dr/dq^i, and gravity's potential. */
static const char *not_at_points(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_pool *pool = &eq->pool;
    const nh_model *model = eq->model;
    nh_expr V = pool->zero, *q = nh_array(eq, eq->n), *part = nh_array(eq, eq->n), *A = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        q[i] = model->coordinates[i].q, A[i] = pool->zero;
    for (size_t nu = 0; nu < model->n_points; nu++) {
        const nh_point *p = &model->points[nu];
        nh_expr height = pool->zero;
        for (int k = 0; k < p->size && model->gravity_size == p->size; k++)
            height = nh_add(pool, height, nh_mul(pool, model->gravity[k], p->at[k]));
        if (p->mass)
            V = nh_sub(pool, V, nh_mul(pool, p->mass, height));
        if (!p->force[0])
            continue;
        nh_gradient(pool, &eq->context->arena, p->at, p->force, (size_t)p->size, q, eq->n, part);
        for (size_t i = 0; i < eq->n; i++)
            A[i] = nh_add(pool, A[i], part[i]);
    }
    if (!same(eq, V, model->potential))
        return "there is potential energy besides that of gravity at points";
    for (size_t i = 0; i < eq->n; i++)
        if (!same(eq, A[i], model->coordinates[i].force))
            return "there are forces that do not act at points";
    return NULL;
}

/* A/m needs a mass wherever there is a force. */
static const char *force_without_mass(nh_show_work *w)
{
    for (size_t nu = 0; nu < w->out->n_points; nu++)
        if (w->eq->model->points[nu].force[0] && !w->eq->model->points[nu].mass)
            return "a force acts at a point without mass";
    return NULL;
}

static const char *first_reason(const char *a, const char *b) { return a ? a : b; }

/* sum_nu factor_nu x_nu.y_nu; factor: the mass, its inverse, or 1. */
enum factor { BY_MASS = 1, BY_INVERSE = -1, BY_ONE = 0 };

static nh_expr sum_over_points(nh_show_work *w, enum factor power, const nh_expr *x, const nh_expr *y)
{
    nh_equations *eq = w->eq;
    nh_pool *pool = &eq->pool;
    nh_expr sum = pool->zero;
    for (size_t nu = 0; nu < w->out->n_points; nu++) {
        nh_expr mass = eq->model->points[nu].mass,
                square = nh_dot(eq, x + nu * w->out->size, y + nu * w->out->size, w->out->size);
        if (!mass && power != BY_ONE)
            continue;
        sum = nh_add(pool, sum, power == BY_ONE ? square : nh_mul(pool, nh_power(pool, mass, power), square));
    }
    return sum;
}

static nh_expr half(nh_show_work *w, nh_expr e) { return nh_mul(&w->eq->pool, w->eq->pool.half, e); }

/* ---------------------------------------------------------------- Gauss */

/* 1/2 G_ab z'^a z'^b */
static nh_expr quadratic(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *gradient = nh_array(eq, eq->m);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        gradient[alpha] = nh_dot(eq, w->forms->G + alpha * eq->m, w->out->zdot, eq->m);
    return half(w, nh_dot(eq, gradient, w->out->zdot, eq->m));
}

/* q'' - q''_f = psi_a z'^a - g^-1 Zbar, so that G = 1/2 G_ab z'^a z'^b - Z_a z'^a + 1/2 Zbar g^-1 Zbar. The three parts are
 * simplified one by one: together they would be one long fraction. */
static const char *find_lipschitz(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_pool *pool = &eq->pool;
    nh_expr *L = nh_simple(&w->effort, eq->L_on_C, eq->n);
    nh_expr *raised = nh_show_raised(w, w->forms->Zbar), *free = nh_show_raised(w, L);
    if (!raised || !free)
        return "the metric g is singular";
    nh_expr parts[3] = {quadratic(w), nh_neg(pool, nh_dot(eq, w->forms->Z_lower, w->out->zdot, eq->m)),
                        half(w, nh_dot(eq, w->forms->Zbar, raised, eq->n))};
    nh_expr *simple = nh_simple(&w->effort, parts, 3);
    w->out->free = nh_simple(&w->effort, free, eq->n);
    w->out->lipschitz = nh_array(eq, 1);
    w->out->lipschitz[0] = nh_add(pool, nh_add(pool, simple[0], simple[1]), simple[2]);
    return NULL;
}

/* As it is defined, with its components simplified. */
static const char *find_gauss_of_points(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    size_t size = w->out->size;
    const char *reason =
        first_reason(first_reason(w->not_of_points, w->not_at_points), force_without_mass(w));
    if (reason)
        return reason;
    nh_expr *a = combined(w, w->out->a_0, w->out->zdot);
    for (size_t k = 0; k < w->out->n_points * size; k++) {
        nh_expr mass = eq->model->points[k / size].mass;
        a[k] = mass ? nh_sub(&eq->pool, a[k], nh_div(&eq->pool, w->force[k], mass)) : eq->pool.zero;
    }
    nh_expr *simple = nh_simple(&w->effort, a, w->out->n_points * size);
    w->out->gauss = nh_array(eq, 1);
    w->out->gauss[0] = half(w, sum_over_points(w, BY_MASS, simple, simple));
    return NULL;
}

static void find_gauss(nh_show_work *w)
{
    const char *lipschitz = find_lipschitz(w), *points = find_gauss_of_points(w);
    if (lipschitz && points)
        nh_missing(&w->effort, "show.gauss", lipschitz);
    else if (lipschitz) {
        nh_missing(&w->effort, "show.gauss.free", lipschitz);
        nh_missing(&w->effort, "show.gauss.lipschitz", lipschitz);
    } else if (points)
        nh_missing(&w->effort, "show.gauss.points", points);
}

/* ---------------------------------------------------------------- Gibbs and Appell */

/* A_a = A_i psi^i_a */
static void find_A_alpha(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *A = nh_array(eq, eq->n), *sums = nh_array(eq, eq->m);
    put_psi(w, w->forms->A, eq->n, A);
    for (size_t alpha = 0; alpha < eq->m; alpha++)
        sums[alpha] = nh_dot(eq, A, w->forms->psi_alpha + alpha * eq->n, eq->n);
    w->out->A_alpha = nh_simple(&w->effort, sums, eq->m);
}

/* S_* = 1/2 G_ab z'^a z'^b + (A_a - Z_a) z'^a. For K = 1/2 g q' q' the bracket is
 * (Gamma_ijk psi^i psi^j + g_ki (psi^j d_j psi^i + d_t psi^i)) psi^k_a. */
static void find_S_star(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *linear = nh_array(eq, eq->m), *dS = nh_array(eq, eq->m);
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        linear[alpha] = nh_sub(&eq->pool, w->out->A_alpha[alpha], w->forms->Z_lower[alpha]);
        dS[alpha] =
            nh_add(&eq->pool, nh_dot(eq, w->forms->G + alpha * eq->m, w->out->zdot, eq->m), linear[alpha]);
    }
    w->out->S_star =
        simple_scalar(w, nh_add(&eq->pool, quadratic(w), nh_dot(eq, linear, w->out->zdot, eq->m)));
    w->out->dS = nh_simple(&w->effort, dS, eq->m);
}

static void find_gibbs_appell(nh_show_work *w)
{
    find_S_star(w);
    nh_expr *a = combined(w, w->out->a_0, w->out->zdot);
    const char *forces = first_reason(w->not_of_points, w->not_at_points),
               *masses = first_reason(forces, force_without_mass(w));
    if (w->not_of_points)
        nh_missing(&w->effort, "show.gibbs-appell.S", w->not_of_points);
    else
        w->out->S = simple_scalar(w, half(w, sum_over_points(w, BY_MASS, a, a)));
    if (masses)
        nh_missing(&w->effort, "show.gibbs-appell.S_1", masses);
    else
        w->out->S_1 = simple_scalar(w, half(w, sum_over_points(w, BY_INVERSE, w->force, w->force)));
    if (forces)
        nh_missing(&w->effort, "show.gibbs-appell.S_2", forces);
    else
        w->out->S_2 = simple_scalar(w, sum_over_points(w, BY_ONE, w->force, a));
}

/* ---------------------------------------------------------------- virtual displacements, Newton's reactive forces */

static void find_virtual(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    w->out->w = nh_simple(&w->effort, combined(w, NULL, w->out->zdot), w->out->n_points * w->out->size);
    w->out->W = simple_scalar(w, nh_dot(eq, w->out->A_alpha, w->out->zdot, eq->m));
}

static void find_newton(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    size_t size = w->out->size, count = w->out->n_points * size;
    const char *reason = first_reason(w->not_of_points, w->not_at_points);
    if (reason) {
        nh_missing(&w->effort, "show.newton", reason);
        return;
    }
    nh_expr *R = combined(w, w->out->a_0, w->forms->Z_upper);
    for (size_t k = 0; k < count; k++) {
        nh_expr mass = eq->model->points[k / size].mass;
        R[k] = nh_sub(&eq->pool, mass ? nh_mul(&eq->pool, mass, R[k]) : eq->pool.zero, w->force[k]);
    }
    w->out->R_points = nh_simple(&w->effort, R, count);
}

/* ---------------------------------------------------------------- all */

static void prepare(nh_show_work *w)
{
    nh_equations *eq = w->eq;
    w->rates = nh_array(eq, eq->n);
    for (size_t i = 0; i < eq->n; i++)
        w->rates[i] = eq->model->coordinates[i].rate;
    w->out->n_points = eq->model->n_points;
    w->out->size = eq->model->n_points ? (size_t)eq->model->points[0].size : 0;
    w->drift = nh_simple(&w->effort, eq->first.drift, eq->n);
    if (w->out->shown & (NH_SHOW_GAUSS | NH_SHOW_GIBBS_APPELL | NH_SHOW_VIRTUAL | NH_SHOW_NEWTON)) {
        find_accelerations(w);
        find_point_forces(w);
        w->not_of_points = not_of_points(w);
        w->not_at_points = not_at_points(w);
    }
    if (w->out->shown & (NH_SHOW_GIBBS_APPELL | NH_SHOW_VIRTUAL))
        find_A_alpha(w);
}

nh_principles *nh_equations_principles(nh_equations *eq, nh_forms *forms, unsigned shown, double max_seconds)
{
    nh_show_work w = {.eq = eq, .forms = forms, .out = nh_arena_array(&eq->arena, 1, sizeof *w.out)};
    w.out->shown = shown;
    name_zdot(&w);
    nh_effort_init(&w.effort, eq, forms, max_seconds);
    prepare(&w);
    if (shown & NH_SHOW_GAUSS)
        find_gauss(&w);
    if (shown & NH_SHOW_GIBBS_APPELL)
        find_gibbs_appell(&w);
    if (shown & NH_SHOW_VIRTUAL)
        find_virtual(&w);
    if (shown & (NH_SHOW_CHRISTOFFEL | NH_SHOW_GEODESIC))
        nh_show_geometry(&w);
    if (shown & NH_SHOW_NEWTON)
        find_newton(&w);
    nh_effort_free(&w.effort);
    return w.out;
}
