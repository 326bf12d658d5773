/* The objects of both recipes in readable form. Each is built from earlier ones that are simplified already; what is likely to
 * be too long is not tried, by its predicted number of terms: then it stays as it came, written out as straight-line code
 * where it has to be there, and left out with the reason where it has not. */
#include "derive/candidates.h"
#include "derive/effort.h"
#include "derive/squares.h"

#include <string.h>

/* The largest matrices whose inverse is written out; predicted terms up to which G and Z_alpha are tried, for which there is
 * much to cancel, however large the system is. */
enum { LARGEST_INVERSE = 4, LARGEST_METRIC = 8, MOST_TERMS_OF_Z = 400000 };

/* Multiplications beyond which elimination is avoided, if it can be. */
enum { LONG_ELIMINATION = 5000 };

typedef nh_effort work;

/* ---------------------------------------------------------------- pieces of work */

/* The same for a symmetric matrix: the lower half is a copy. */
static nh_expr *simple_symmetric(work *w, const nh_expr *in, size_t n, double most_terms)
{
    nh_expr *folded = nh_array(w->eq, n * n);
    for (size_t k = 0; k < n * n; k++)
        folded[k] = k % n < k / n ? in[k % n * n + k / n] : in[k];
    return nh_simple_within(w, folded, n * n, most_terms);
}

enum { LARGE_PRODUCT = 4096 };

/* A (rows x inner) times B (inner x columns): simplified where that is promising, else the sums of products. */
static nh_expr *product_of(work *w, size_t rows, size_t inner, size_t columns, const nh_expr *A,
                           const nh_expr *B, bool symmetric)
{
    nh_equations *eq = w->eq;
    nh_expr *out = nh_array(eq, rows * columns), *plain = nh_array(eq, rows * columns),
            *column = nh_array(eq, inner);
    for (size_t j = 0; j < columns; j++) {
        for (size_t k = 0; k < inner; k++)
            column[k] = B[k * columns + j];
        for (size_t i = 0; i < rows; i++)
            plain[i * columns + j] = nh_dot(eq, A + i * inner, column, inner);
    }
    if (rows * inner * columns >
        LARGE_PRODUCT) /* sparse: entry by entry, each in the few symbols that it has */
        return nh_simple(w, plain, rows * columns);
    bool done = nh_promising(w, plain, rows * columns) && nh_time_left(w) &&
                (symmetric ? nh_matrix_multiply_symmetric(&w->algebra, rows, inner, A, B, out)
                           : nh_matrix_multiply(&w->algebra, rows, inner, columns, A, B, out));
    return done ? out : plain;
}

static nh_expr *product(work *w, size_t rows, size_t inner, size_t columns, const nh_expr *A,
                        const nh_expr *B)
{
    return product_of(w, rows, inner, columns, A, B, false);
}

/* n x n, and known to be symmetric. */
static nh_expr *symmetric_product(work *w, size_t n, size_t inner, const nh_expr *A, const nh_expr *B)
{
    return product_of(w, n, inner, n, A, B, true);
}

static nh_expr *transposed(work *w, size_t rows, size_t columns, const nh_expr *A)
{
    nh_expr *out = nh_array(w->eq, rows * columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            out[j * rows + i] = A[i * columns + j];
    return out;
}

/* [A | B]: rows of A (columns of them) and B side by side. */
static nh_expr *beside(work *w, size_t rows, size_t a, const nh_expr *A, size_t b, const nh_expr *B)
{
    nh_expr *out = nh_array(w->eq, rows * (a + b));
    for (size_t i = 0; i < rows; i++) {
        memcpy(out + i * (a + b), A + i * a, a * sizeof *out);
        memcpy(out + i * (a + b) + a, B + i * b, b * sizeof *out);
    }
    return out;
}

static nh_expr *negated(work *w, const nh_expr *A, size_t count)
{
    nh_expr *out = nh_array(w->eq, count);
    for (size_t k = 0; k < count; k++)
        out[k] = nh_neg(&w->eq->pool, A[k]);
    return out;
}

static nh_expr *rates_of(work *w)
{
    nh_expr *rates = nh_array(w->eq, w->eq->n);
    for (size_t i = 0; i < w->eq->n; i++)
        rates[i] = w->eq->model->coordinates[i].rate;
    return rates;
}

/* NULL and a reason where it is too large or singular. */
static nh_expr *inverse(work *w, size_t n, const nh_expr *A, size_t largest, const char *object)
{
    nh_expr *out = nh_array(w->eq, n * n);
    if (n > largest || nh_predict_determinant(w->eq, n, A) > NH_MOST_TERMS) {
        nh_missing(w, object, "the matrix is too large for its inverse to be written out");
        return NULL;
    }
    if (nh_time_left(w) && nh_matrix_inverse(&w->algebra, n, A, out))
        return out;
    nh_missing(w, object, w->algebra.reason);
    return NULL;
}

/* ---------------------------------------------------------------- the free motion */

static void find_free(work *w)
{
    nh_equations *eq = w->eq;
    nh_expr *g = nh_array(eq, eq->n * eq->n);
    nh_metric(eq, g);
    w->forms->g = simple_symmetric(w, g, eq->n, w->most_terms);
    w->forms->A = nh_simple(w, eq->A, eq->n);
    w->forms->L = nh_simple(w, eq->L, eq->n);
    w->forms->g_inverse = inverse(w, eq->n, w->forms->g, LARGEST_METRIC, "g_inverse");
}

/* ---------------------------------------------------------------- the first kind */

/* Multiplications that elimination takes, up to a limit. */
static size_t cost_of_elimination(work *w, const nh_expr *M, size_t n, size_t limit)
{
    nh_arena_mark mark = nh_arena_here(&w->eq->arena);
    bool *full = nh_arena_array(&w->eq->arena, n * n + 1, sizeof *full);
    for (size_t k = 0; k < n * n; k++)
        full[k] = M[k] != w->eq->pool.zero;
    size_t cost = nh_elimination_cost(full, n, limit) / 2;
    nh_arena_release(&w->eq->arena, mark);
    return cost;
}

/* Where each z^alpha is a velocity itself, and D is written down: Z^alpha = D^i on C. NULL: it is not so. */
static nh_expr *Z_from_second(work *w)
{
    nh_equations *eq = w->eq;
    if (eq->second.reason || eq->second.system || !eq->first.psi)
        return NULL;
    nh_expr *Z = nh_array(eq, eq->m), *D = nh_array(eq, eq->n);
    memcpy(D, eq->second.D, eq->n * sizeof *D);
    nh_put_psi(eq, D);
    for (size_t alpha = 0; alpha < eq->m; alpha++) {
        size_t i = nh_velocity_that_is(eq, alpha);
        if (i == eq->n)
            return NULL;
        Z[alpha] = D[i];
    }
    return Z;
}

/* Z^alpha from the simplified G and Z_alpha: by the inverse, or by elimination; from the second kind, where that would be very long. */
static nh_expr *find_Z(work *w)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    size_t m = eq->m;
    if (o->G_inverse)
        return product(w, m, m, 1, o->G_inverse, o->Z_lower);
    nh_expr *short_one =
        cost_of_elimination(w, o->G, m, 2 * LONG_ELIMINATION) > LONG_ELIMINATION ? Z_from_second(w) : NULL;
    if (short_one)
        return short_one;
    nh_expr *Z = nh_array(eq, m), *written = nh_array(eq, m);
    nh_arena *scratch = &eq->context->arena;
    nh_write_out(eq, eq->first.Z_upper, m, written);
    if (!nh_eliminate_symmetric(eq, m, o->G, 1, o->Z_lower, Z) ||
        nh_count_operations(&eq->pool, scratch, written, m) < nh_count_operations(&eq->pool, scratch, Z, m))
        return written;
    return Z;
}

/* q'' = psi_alpha Z^alpha + drift */
static nh_expr *find_acceleration(work *w)
{
    nh_equations *eq = w->eq;
    size_t n = eq->n, m = eq->m;
    nh_expr *factors =
        beside(w, n, m, transposed(w, m, n, w->forms->psi_alpha), 1, nh_simple(w, eq->first.drift, n));
    nh_expr *Z = beside(w, 1, m, w->forms->Z_upper, 1, &eq->pool.one);
    return product(w, n, m + 1, 1, factors, Z);
}

/* R = g q'' - L = [g | -L] [q'' ; 1] */
static nh_expr *find_R(work *w)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    size_t n = eq->n;
    nh_expr *acceleration = find_acceleration(w), *L = nh_simple(w, eq->L_on_C, n);
    if (!o->psi)
        o->acceleration = acceleration;
    return product(w, n, n + 1, 1, beside(w, n, n, o->g, 1, negated(w, L, n)),
                   beside(w, 1, n, acceleration, 1, &eq->pool.one));
}

static void find_first(work *w)
{
    nh_equations *eq = w->eq;
    nh_first_kind *f = &eq->first;
    nh_forms *o = w->forms;
    size_t n = eq->n, m = eq->m;
    if (f->psi)
        o->psi = nh_simple(w, f->psi, n);
    o->psi_alpha = nh_simple(w, f->psi_alpha, m * n);
    o->G = simple_symmetric(w, f->G, m, MOST_TERMS_OF_Z);
    o->G_inverse = inverse(w, m, o->G, LARGEST_INVERSE, "first.G_inverse");
    o->Zbar = nh_simple(w, f->Zbar, n);
    o->Z_lower = nh_simple_within(w, f->Z_lower, m, MOST_TERMS_OF_Z);
    o->Z_upper = find_Z(w);
    o->R_first = find_R(w);
}

/* ---------------------------------------------------------------- the second kind */

/* lambda = -G_ab (C^bi L_i + q'^i d_i C^b + d_t C^b): the sum is one product, of the rows (C_upper, dC, dC_dt) and (L, q', 1).
 * D = g^-1 L + C_upper^T lambda likewise. */
static void find_reactions(work *w)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    size_t n = eq->n, r = eq->r;
    nh_expr *rows = beside(w, r, 2 * n, beside(w, r, n, o->C_upper, n, o->dC), 1, o->dC_dt);
    nh_expr *column = beside(w, 1, 2 * n, beside(w, 1, n, o->L, n, rates_of(w)), 1, &eq->pool.one);
    nh_expr *b = product(w, r, 2 * n + 1, 1, rows, column);
    o->lambda = product(w, r, r, 1, o->G_lower, negated(w, b, r));
    o->R = product(w, 1, r, n, o->lambda, o->C_i);
    o->R_upper = product(w, 1, r, n, o->lambda, o->C_upper);
    nh_expr *all = beside(w, n, n, o->g_inverse, r, transposed(w, r, n, o->C_upper));
    o->D = product(w, n, n + r, 1, all, beside(w, 1, n, o->L, r, o->lambda));
}

/* Written out, not simplified. */
static void find_reactions_by_elimination(work *w)
{
    nh_equations *eq = w->eq;
    nh_second_kind s = eq->second;
    nh_forms *o = w->forms;
    if (s.system)
        nh_second_by_elimination(eq, &s);
    o->lambda = s.lambda, o->R = s.R, o->D = s.D;
}

/* g^-1 - pi = [g^-1 | -pi] [1 ; 1] */
static void find_projectors(work *w)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    size_t n = eq->n, r = eq->r;
    nh_expr *units = nh_array(eq, 2 * n * n);
    for (size_t k = 0; k < 2 * n * n; k++)
        units[k] = k % n == k / n % n ? eq->pool.one : eq->pool.zero;
    o->C_a = product(w, r, r, n, o->G_lower, o->C_upper);
    o->pi = symmetric_product(w, n, r, transposed(w, r, n, o->C_upper), o->C_a);
    o->g_minus_pi =
        symmetric_product(w, n, 2 * n, beside(w, n, n, o->g_inverse, n, negated(w, o->pi, n * n)), units);
}

static void leave_out_inverses(work *w)
{
    static const char *const objects[] = {"second.C_a", "second.pi", "second.g_minus_pi", "second.R_upper"};
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
        nh_missing(w, objects[k], "it needs an inverse that is not written out");
}

static void find_second(work *w)
{
    nh_equations *eq = w->eq;
    nh_second_kind *s = &eq->second;
    nh_forms *o = w->forms;
    size_t n = eq->n, r = eq->r;
    o->C = nh_simple(w, s->C, r);
    o->C_i = nh_simple(w, s->C_i, r * n);
    o->dC = nh_simple(w, s->dC, r * n);
    o->dC_dt = nh_simple(w, s->dC_dt, r);
    if (o->g_inverse) {
        o->C_upper = product(w, r, n, n, o->C_i, o->g_inverse);
        o->G_upper = symmetric_product(w, r, n, o->C_upper, transposed(w, r, n, o->C_i));
        o->G_lower = inverse(w, r, o->G_upper, LARGEST_INVERSE, "second.G_lower");
    } else {
        nh_missing(w, "second.C_upper", "it needs the inverse of g, which is not written out");
        nh_missing(w, "second.G_upper", "it needs the inverse of g, which is not written out");
        nh_missing(w, "second.G_lower", "it needs the inverse of g, which is not written out");
    }
    if (o->G_lower) {
        find_projectors(w);
        find_reactions(w);
    } else {
        leave_out_inverses(w);
        find_reactions_by_elimination(w);
    }
}

/* ---------------------------------------------------------------- the field alone */

/* What costs less than this is as short as it has to be. Of what is nested, entries of more predicted terms are not tried, and
 * polynomials of more terms are given up: they have no short form. */
enum { SHORT_FIELD = 100, MOST_TERMS_NESTED = 500 };
static const double MOST_TERMS_TO_NEST = 1e9;

/* G and Z_alpha, or Z^alpha, as polynomials in what changes. */
static void consider_nested(work *w, nh_candidates *c)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    size_t m = eq->m, count = m * m + m, max_terms = w->algebra.budget.max_terms;
    if (m > LARGEST_INVERSE || c->cost < SHORT_FIELD)
        return;
    nh_expr *all = beside(w, 1, m * m, o->G, m, o->Z_lower), *nested = nh_array(eq, 2 * count),
            *Z = nh_array(eq, m);
    w->algebra.budget.max_terms = MOST_TERMS_NESTED;
    if (nh_most_terms(w, all, count) <= MOST_TERMS_TO_NEST && nh_time_left(w) &&
        nh_nest(&w->algebra, all, count, c->constant, nested))
        for (nh_expr *G = nested; G <= nested + count; G += count)
            if (nh_eliminate_symmetric(eq, m, G, 1, G + m * m, Z))
                nh_consider(c, o->psi, Z, true);
    if (o->Z_upper && nh_promising(w, o->Z_upper, m) && nh_time_left(w) &&
        nh_nest(&w->algebra, o->Z_upper, m, c->constant, nested))
        nh_consider(c, o->psi, nested, true), nh_consider(c, o->psi, nested + m, true);
    w->algebra.budget.max_terms = max_terms;
}

/* With G and Z_alpha from the squares of velocities that the kinetic energy consists of. */
static void consider_squares(work *w, nh_candidates *c)
{
    nh_equations *eq = w->eq;
    nh_forms *o = w->forms;
    size_t m = eq->m;
    nh_expr *G = nh_array(eq, m * m), *Z_lower = nh_array(eq, m), *Z = nh_array(eq, m);
    const nh_expr *both[] = {eq->first.psi, o->psi};
    for (int k = 0; k < 2 && c->cost >= SHORT_FIELD; k++)
        if (nh_time_left(w) && nh_from_squares(eq, both[k], c->constant, G, Z_lower)) {
            if (m > LARGEST_INVERSE || !nh_eliminate_symmetric(eq, m, G, 1, Z_lower, Z))
                nh_solution(&eq->pool, m, true, G, Z_lower, Z);
            nh_consider_regrouped(c, both[k], Z);
        }
}

/* (Z_a - sum_{b != a} G_ab z'^b) / G_aa; each term is divided where G_aa is constant: constants are multiplied beforehand. */
static nh_expr from_row(work *w, const nh_candidates *c, size_t alpha, const nh_expr *Z)
{
    const nh_forms *o = w->forms;
    nh_pool *pool = &w->eq->pool;
    size_t m = w->eq->m;
    nh_expr pivot = o->G[alpha * m + alpha], inverse = nh_div(pool, pool->one, pivot);
    nh_expr factor = nh_is_parametric(c, pivot) ? inverse : pool->one;
    nh_expr sum = nh_mul(pool, o->Z_lower[alpha], factor);
    for (size_t beta = 0; beta < m; beta++)
        if (beta != alpha)
            sum = nh_sub(pool, sum, nh_mul(pool, nh_mul(pool, o->G[alpha * m + beta], factor), Z[beta]));
    return factor == inverse ? sum : nh_mul(pool, sum, inverse);
}

/* Some of the z' from others by their own rows of G z' = Z_alpha, where that makes the whole cheaper: numbers on the diagonal of a
 * positive matrix are not 0. */
static void consider_rows(work *w, nh_candidates *c)
{
    size_t m = w->eq->m;
    nh_expr *Z = nh_array(w->eq, m);
    memcpy(Z, w->forms->Z_upper, m * sizeof *Z);
    for (size_t alpha = 0; alpha < m && m > 1; alpha++) {
        nh_expr before = Z[alpha];
        size_t least = c->cost;
        Z[alpha] = from_row(w, c, alpha, Z);
        nh_consider_regrouped(c, w->forms->psi, Z);
        Z[alpha] = c->cost < least ? Z[alpha] : before;
    }
}

/* As it comes; simplified, with z' by elimination of G z' = Z_alpha; with the inverse of G; nested; or from squares. */
nh_expr *nh_equations_field(nh_equations *eq, double max_seconds)
{
    work w;
    size_t m = eq->m;
    nh_candidates c;
    nh_candidates_init(&c, eq);
    nh_effort_init(&w, eq, nh_arena_array(&eq->arena, 1, sizeof *w.forms), max_seconds);
    nh_forms *o = w.forms;
    nh_consider(&c, eq->first.psi, eq->first.Z_upper, false);
    o->psi = nh_simple(&w, eq->first.psi, eq->n);
    o->G = simple_symmetric(&w, eq->first.G, m, w.most_terms);
    o->Z_lower = nh_simple(&w, eq->first.Z_lower, m);
    nh_expr *Z = nh_array(eq, m);
    if (m <= LARGEST_INVERSE ? nh_eliminate_symmetric(eq, m, o->G, 1, o->Z_lower, Z) : false)
        nh_consider(&c, o->psi, Z, false);
    else {
        nh_solution(&eq->pool, m, true, o->G, o->Z_lower, Z);
        nh_consider(&c, o->psi, Z, false);
    }
    if (m <= LARGEST_INVERSE && (o->G_inverse = inverse(&w, m, o->G, LARGEST_INVERSE, "first.G_inverse"))) {
        o->Z_upper = product(&w, m, m, 1, o->G_inverse, o->Z_lower);
        size_t before = c.cost;
        nh_consider(&c, o->psi, o->Z_upper, false);
        if (c.cost < before)
            consider_rows(&w, &c);
    }
    consider_nested(&w, &c);
    consider_squares(&w, &c);
    nh_effort_free(&w);
    return c.field;
}

nh_forms *nh_equations_forms(nh_equations *eq, double max_seconds)
{
    work w;
    const nh_model *model = eq->model;
    nh_effort_init(&w, eq, nh_arena_array(&eq->arena, 1, sizeof *w.forms), max_seconds);
    find_free(&w);
    find_first(&w);
    if (!eq->second.reason)
        find_second(&w);
    nh_expr *positions = nh_array(eq, model->r);
    for (size_t a = 0; a < model->r; a++)
        if (model->constraints[a].position)
            positions[w.forms->n_positions++] = model->constraints[a].position;
    w.forms->positions = nh_simple(&w, positions, w.forms->n_positions);
    nh_effort_free(&w);
    return w.forms;
}
