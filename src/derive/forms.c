/* The objects of both recipes, each simplified, the inverses written out where they are small. */
#include "algebra/algebra.h"
#include "derive/inner.h"

#include <string.h>
#include <time.h>

enum { LARGEST_INVERSE = 4, LARGEST_METRIC = 8, MOST_OPERATIONS = 4000 };

typedef struct work {
    nh_equations *eq;
    nh_forms *forms;
    nh_algebra algebra;
    double deadline;
} work;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The budget of the next job: what is left of the time, and no more than a fifth of it. */
static bool time_left(work *w)
{
    double left = w->deadline - now();
    w->algebra.budget.max_seconds = left / 5 > 0.05 ? left / 5 : 0.05;
    if (left <= 0)
        w->algebra.reason = "there was no time left for it";
    return left > 0;
}

static void missing(work *w, const char *object, const char *reason)
{
    nh_push(&w->eq->arena, w->forms->unexpanded, w->forms->n_unexpanded, w->forms->unexpanded_capacity) =
        (nh_unexpanded){object, reason ? reason : "it is too large"};
}

/* Simplified, or as it is. */
static nh_expr *simple(work *w, const nh_expr *in, size_t count)
{
    nh_equations *eq = w->eq;
    nh_expr *out = nh_array(eq, count);
    memcpy(out, in, count * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        bool small = nh_count_operations(&eq->pool, &eq->context->arena, &in[i], 1) <= MOST_OPERATIONS;
        if (small && time_left(w))
            nh_simplify(&w->algebra, &in[i], 1, &out[i]);
    }
    return out;
}

/* A (rows x inner) times B (inner x columns), or its entries as they come. */
static nh_expr *product(work *w, size_t rows, size_t inner, size_t columns, const nh_expr *A, const nh_expr *B)
{
    nh_equations *eq = w->eq;
    nh_expr *out = nh_array(eq, rows * columns), *column = nh_array(eq, inner);
    if (time_left(w) && nh_matrix_multiply(&w->algebra, rows, inner, columns, A, B, out))
        return out;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            for (size_t k = 0; k < inner; k++)
                column[k] = B[k * columns + j];
            out[i * columns + j] = nh_dot(eq, A + i * inner, column, inner);
        }
    return out;
}

static nh_expr *transposed(work *w, size_t rows, size_t columns, const nh_expr *A)
{
    nh_expr *out = nh_array(w->eq, rows * columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            out[j * rows + i] = A[i * columns + j];
    return out;
}

/* NULL and a reason where it is too large or singular. */
static nh_expr *inverse(work *w, size_t n, const nh_expr *A, size_t largest, const char *object)
{
    nh_expr *out = nh_array(w->eq, n * n);
    if (n > largest) {
        missing(w, object, "the matrix is too large for its inverse to be written out");
        return NULL;
    }
    if (time_left(w) && nh_matrix_inverse(&w->algebra, n, A, out))
        return out;
    missing(w, object, w->algebra.reason);
    return NULL;
}

static void find_free(work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    nh_metric(eq, g);
    w->forms->g = simple(w, g, eq->n * eq->n);
    w->forms->A = simple(w, eq->A, eq->n);
    w->forms->L = simple(w, eq->L, eq->n);
    w->forms->g_inverse = inverse(w, eq->n, w->forms->g, LARGEST_METRIC, "g_inverse");
}

/* Z^alpha from the simplified G and Z_alpha, where these are small; R from that. */
static void find_first(work *w)
{
    nh_equations *eq = w->eq;
    nh_first_kind *f = &eq->first;
    nh_forms *o = w->forms;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, m = eq->m;
    if (f->psi)
        o->psi = simple(w, f->psi, n);
    o->psi_alpha = simple(w, f->psi_alpha, m * n);
    o->G = simple(w, f->G, m * m);
    o->G_inverse = inverse(w, m, o->G, LARGEST_INVERSE, "first.G_inverse");
    o->Zbar = simple(w, f->Zbar, n);
    o->Z_lower = simple(w, f->Z_lower, m);
    o->Z_upper = nh_array(eq, m);
    if (!(o->G_inverse && time_left(w) && nh_matrix_multiply(&w->algebra, m, m, 1, o->G_inverse, o->Z_lower, o->Z_upper)))
        o->Z_upper = simple(w, f->Z_upper, m);
    nh_expr *acceleration = nh_array(eq, n), *R = nh_array(eq, n);
    for (size_t i = 0; i < n; i++) {
        acceleration[i] = f->drift[i];
        for (size_t alpha = 0; alpha < m; alpha++)
            acceleration[i] = nh_add(pool, acceleration[i], nh_mul(pool, o->psi_alpha[alpha * n + i], o->Z_upper[alpha]));
    }
    o->acceleration = simple(w, acceleration, n);
    nh_lower(eq, acceleration, R);
    for (size_t i = 0; i < n; i++)
        R[i] = nh_sub(pool, R[i], eq->L_on_C[i]);
    o->R_first = simple(w, R, n);
}

/* -(C^bi L_i + q'^i d_i C^b + d_t C^b) */
static nh_expr *right_side(work *w)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    nh_expr *b = nh_array(eq, r), *rates = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        rates[i] = eq->model->coordinates[i].rate;
    for (size_t a = 0; a < r; a++) {
        nh_expr sum = nh_add(pool, nh_dot(eq, o->C_upper + a * n, o->L, n), nh_dot(eq, rates, o->dC + a * n, n));
        b[a] = nh_neg(pool, nh_add(pool, sum, o->dC_dt[a]));
    }
    return simple(w, b, r);
}

static void find_reactions(work *w)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    nh_pool *pool = &eq->pool;
    size_t n = eq->n, r = eq->r;
    nh_expr *b = right_side(w);
    o->lambda = product(w, r, r, 1, o->G_lower, b);
    o->R = product(w, 1, r, n, o->lambda, o->C_i);
    o->R_upper = product(w, 1, r, n, o->lambda, o->C_upper);
    nh_expr *force = nh_array(eq, n);
    for (size_t i = 0; i < n; i++)
        force[i] = nh_add(pool, o->L[i], o->R[i]);
    o->D = product(w, n, n, 1, o->g_inverse, simple(w, force, n));
}

static void as_they_come(work *w)
{
    nh_equations *eq = w->eq;
    nh_second_kind *s = &eq->second;
    nh_forms *o = w->forms;
    o->lambda = simple(w, s->lambda, eq->r);
    o->R = simple(w, s->R, eq->n);
    o->R_upper = simple(w, s->R_upper, eq->n);
    o->D = simple(w, s->D, eq->n);
}

static void find_second(work *w)
{
    nh_equations *eq = w->eq;
    nh_second_kind *s = &eq->second;
    nh_forms *o = w->forms;
    size_t n = eq->n, r = eq->r;
    o->C = simple(w, s->C, r);
    o->C_i = simple(w, s->C_i, r * n);
    o->dC = simple(w, s->dC, r * n);
    o->dC_dt = simple(w, s->dC_dt, r);
    o->C_upper = o->g_inverse ? product(w, r, n, n, o->C_i, o->g_inverse) : simple(w, s->C_upper, r * n);
    o->G_upper = product(w, r, n, r, o->C_upper, transposed(w, r, n, o->C_i));
    o->G_lower = inverse(w, r, o->G_upper, LARGEST_INVERSE, "second.G_lower");
    if (!o->g_inverse || !o->G_lower) {
        missing(w, "second.C_a", "it needs an inverse that is not written out");
        missing(w, "second.pi", "it needs an inverse that is not written out");
        missing(w, "second.g_minus_pi", "it needs an inverse that is not written out");
        as_they_come(w);
        return;
    }
    o->C_a = product(w, r, r, n, o->G_lower, o->C_upper);
    o->pi = product(w, n, r, n, transposed(w, r, n, o->C_upper), o->C_a);
    nh_expr *difference = nh_array(eq, n * n);
    for (size_t k = 0; k < n * n; k++)
        difference[k] = nh_sub(&eq->pool, o->g_inverse[k], o->pi[k]);
    o->g_minus_pi = simple(w, difference, n * n);
    find_reactions(w);
}

nh_forms *nh_equations_forms(nh_equations *eq, double max_seconds)
{
    work w = {.eq = eq, .forms = nh_arena_array(&eq->arena, 1, sizeof *w.forms), .deadline = now() + max_seconds};
    nh_budget budget = {.max_terms = 5000};
    const nh_model *model = eq->model;
    signed char *signs = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(model, &eq->context->arena), model->pool.n_symbols);
    nh_algebra_init(&w.algebra, &eq->pool, &budget, signs);
    find_free(&w);
    find_first(&w);
    if (!eq->second.reason)
        find_second(&w);
    nh_expr *positions = nh_array(eq, model->r);
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            positions[w.forms->n_positions++] = model->constraints[a].position;
    w.forms->positions = simple(&w, positions, w.forms->n_positions);
    nh_algebra_free(&w.algebra);
    return w.forms;
}
