#include "model/solve.h"

#include <math.h>
#include <string.h>

void nh_solver_init(nh_solver *s, nh_reader *reader)
{
    const nh_model *model = reader->model;
    nh_arena *arena = &reader->context->arena;
    *s = (nh_solver){.reader = reader, .n = model->n, .random = 20070301, .range = 1};
    s->unknowns = nh_arena_array(arena, 2 * s->n, sizeof *s->unknowns);
    for (size_t i = 0; i < s->n; i++) {
        s->unknowns[i] = model->coordinates[i].q;
        s->unknowns[s->n + i] = model->coordinates[i].rate;
    }
    s->held = nh_arena_array(arena, 2 * s->n + 1, sizeof *s->held);
    memset(s->held, 0, (2 * s->n + 1) * sizeof *s->held);
    s->values = nh_arena_array(arena, model->pool.n_symbols, sizeof *s->values);
    s->given = nh_arena_array(arena, model->pool.n_symbols, sizeof *s->given);
    nh_model_parameter_values(model, arena, s->given);
    s->initial = nh_arena_array(arena, model->pool.n_symbols, sizeof *s->initial);
    for (size_t i = 0; i < model->pool.n_symbols; i++)
        s->initial[i] = NAN;
    for (size_t i = 0; i < model->n_initial; i++) {
        uint32_t index = 0;
        nh_is_symbol(&model->pool, model->initial[i].symbol, &index);
        nh_evaluate(&model->pool, &reader->scratch, &model->initial[i].value, 1, s->given, &s->initial[index],
                    NULL);
    }
}

void nh_solver_add(nh_solver *s, nh_expr F)
{
    nh_arena *arena = &s->reader->context->arena;
    size_t width = 2 * s->n + 1;
    if (s->count == s->capacity) {
        size_t larger = s->capacity ? 2 * s->capacity : 4;
        nh_expr *roots = nh_arena_array(arena, larger * width, sizeof *roots);
        if (s->count)
            memcpy(roots, s->roots, s->count * width * sizeof *roots);
        s->roots = roots, s->capacity = larger;
        s->out = nh_arena_array(arena, larger * width, sizeof *s->out);
        s->errors = nh_arena_array(arena, larger * width, sizeof *s->errors);
        double *scale = nh_arena_array(arena, larger, sizeof *scale);
        if (s->count)
            memcpy(scale, s->scale, s->count * sizeof *scale);
        s->scale = scale;
    }
    s->scale[s->count] = 0, s->evaluator = NULL;
    nh_expr *row = s->roots + s->count * width;
    row[0] = F;
    nh_gradient(s->reader->pool, &s->reader->scratch, &F, NULL, 1, s->unknowns, 2 * s->n, row + 1);
    s->count++;
}

size_t nh_solver_add_constraint(nh_solver *s, const nh_constraint *c)
{
    if (c->position)
        nh_solver_add(s, c->position);
    nh_solver_add(s, c->C);
    return c->position ? 2 : 1;
}

static double *slot(nh_solver *s, size_t unknown)
{
    uint32_t index = 0;
    nh_is_symbol(s->reader->pool, s->unknowns[unknown], &index);
    return &s->values[index];
}

static double random_unit(nh_solver *s) /* in (0,1) */
{
    s->random += 0x9e3779b97f4a7c15u;
    return ((double)(nh_hash(s->random) >> 12) + 0.5) * 0x1p-52;
}

static bool is_angle(const nh_model *model, size_t symbol)
{
    nh_symbol_role role = model->roles[symbol];
    return role.role == NH_ROLE_COORDINATE && model->coordinates[role.index].angle;
}

static void draw(nh_solver *s)
{
    const nh_model *model = s->reader->model;
    bool as_initial = s->draws % 4 == 2;
    s->as_given = s->always_as_given || s->draws % 2 == 0;
    for (size_t i = 0; i < model->pool.n_symbols; i++) {
        double x = (0.25 + random_unit(s)) * (is_angle(model, i) ? 2.5 : 1);
        signed char sign = s->reader->signs[i];
        s->values[i] = sign == 0 ? (random_unit(s) < 0.5 ? -x : x) * s->range : sign * x;
        if (s->late && i < model->n_roles && model->roles[i].role == NH_ROLE_TIME)
            s->values[i] *= exp2((double)(2 * (s->draws % 5)));
        if (s->as_given && isfinite(s->given[i]))
            s->values[i] = s->given[i];
        if (as_initial && isfinite(s->initial[i]))
            s->values[i] = s->initial[i];
    }
    if (!s->as_given)
        nh_obey_formulas(model, &s->reader->formulas, s->reader->signs, &s->reader->scratch, s->values);
    s->draws++;
}

/* F and its derivatives at values[]; |F|^2, or NaN. */
static double evaluate(nh_solver *s)
{
    size_t width = 2 * s->n + 1;
    if (!s->evaluator || s->evaluated != s->count)
        s->evaluated = s->count, s->evaluator = nh_evaluator_new(s->reader->pool, &s->reader->context->arena,
                                                                 s->roots, s->count * width);
    nh_evaluator_at(s->evaluator, &s->reader->scratch, s->values, s->out, s->errors);
    double sum = 0;
    for (size_t i = 0; i < s->count * width; i++)
        if (!isfinite(s->out[i]))
            return NAN;
    for (size_t a = 0; a < s->count; a++)
        sum += s->out[a * width] * s->out[a * width];
    return sum;
}

/* |F| is not larger than this, or than rounding makes it. */
static bool is_below(const nh_solver *s, double size)
{
    size_t width = 2 * s->n + 1;
    for (size_t a = 0; a < s->count; a++)
        if (!(fabs(s->out[a * width]) <= size + 8 * s->errors[a * width]))
            return false;
    return true;
}

/* Cholesky: solves M x = b in place for a symmetric positive definite M; false where it is not. */
static bool cholesky(double *M, double *b, size_t n)
{
    if (!nh_decompose(M, n, 0))
        return false;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= M[i * n + k] * b[k];
        b[i] /= M[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= M[k * n + i] * b[k];
        b[i] /= M[i * n + i];
    }
    return true;
}

static double row_norm(const double *row, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += row[j] * row[j];
    return sqrt(sum);
}

/* Room for a step: where it begins, the step, and what it is found with. */
typedef struct room {
    double *y, *dy, *M, *x;
} room;

/* The damped Gauss-Newton step dy = -J^T x, x = (J J^T + nu)^-1 F, of least length; nu = mu |J|^2/r. What it would
 * leave of F, were F linear, is nu x: left, where not NULL, receives its square. */
static bool step(nh_solver *s, double mu, room *w, double *left)
{
    size_t r = s->count, width = 2 * s->n + 1;
    double square = 0, *M = w->M, *x = w->x;
    for (size_t a = 0; a < r; a++) {
        const double *A = s->out + a * width;
        x[a] = A[0];
        for (size_t b = 0; b <= a; b++) {
            const double *B = s->out + b * width;
            double sum = 0;
            for (size_t k = 1; k < width; k++)
                sum += s->held[k - 1] ? 0 : A[k] * B[k];
            M[a * r + b] = M[b * r + a] = sum;
        }
        square += M[a * r + a];
    }
    double nu = mu * square / (double)(r ? r : 1);
    for (size_t a = 0; a < r; a++)
        M[a * r + a] += nu;
    if (!cholesky(M, x, r))
        return false;
    if (left)
        *left = pow(nu * row_norm(x, r), 2);
    for (size_t k = 1; k < width; k++) {
        double sum = 0;
        for (size_t a = 0; a < r && !s->held[k - 1]; a++)
            sum -= s->out[a * width + k] * x[a];
        w->dy[k - 1] = sum;
    }
    return true;
}

static void remember_scale(nh_solver *s)
{
    size_t width = 2 * s->n + 1;
    for (size_t a = 0; a < s->count; a++)
        s->scale[a] = fmax(s->scale[a], row_norm(s->out + a * width + 1, width - 1));
}

/* Whether every |F| is small against its derivatives times the unknowns, or what rounding makes it: in any units. */
static bool is_settled(nh_solver *s)
{
    size_t width = 2 * s->n + 1;
    for (size_t a = 0; a < s->count; a++) {
        const double *row = s->out + a * width;
        double size = 0;
        for (size_t k = 1; k < width; k++)
            size += fabs(row[k] * *slot(s, k - 1));
        if (!(fabs(row[0]) <= 1e-6 * size + 8 * s->errors[a * width]))
            return false;
    }
    return true;
}

/* |J^T F| against its usual size |J| |F|: small where |F|^2 is stationary. here: |J| at this state alone. */
static double slope(const nh_solver *s, bool here)
{
    size_t width = 2 * s->n + 1;
    double gradient = 0, usual = 0;
    for (size_t k = 1; k < width; k++) {
        double sum = 0;
        for (size_t a = 0; a < s->count; a++)
            sum += s->out[a * width + k] * s->out[a * width];
        gradient += sum * sum;
    }
    for (size_t a = 0; a < s->count; a++)
        usual += fabs((here ? row_norm(s->out + a * width + 1, width - 1) : s->scale[a]) * s->out[a * width]);
    return usual > 0 ? sqrt(gradient) / usual : 0;
}

static void go(nh_solver *s, room *w)
{
    for (size_t k = 0; k < 2 * s->n; k++) {
        w->y[k] = *slot(s, k);
        *slot(s, k) += w->dy[k];
    }
}

static void go_back(nh_solver *s, const room *w)
{
    for (size_t k = 0; k < 2 * s->n; k++)
        *slot(s, k) = w->y[k];
}

enum { ITERATIONS = 120 };
static const double SMALL = 1e-12; /* what |F| is to be at first */

/* Levenberg and Marquardt's method, until |F| is below that. */
static nh_found iterate(nh_solver *s, room *w, double target)
{
    double sum = evaluate(s), mu = 1e-3, left;
    if (isfinite(sum))
        remember_scale(s);
    for (int i = 0; i < ITERATIONS && isfinite(sum); i++) {
        if (is_below(s, target))
            return NH_FOUND;
        if (!step(s, mu, w, &left)) {
            mu = fmax(10 * mu, 1e-12);
            continue;
        }
        go(s, w);
        double next = evaluate(s), gain = (sum - next) / (sum - left);
        if (next < sum) {
            sum = next, mu = gain > 0.5 ? fmax(mu / 10, 1e-20) : gain < 0.1 ? 4 * mu : mu;
        } else {
            go_back(s, w);
            evaluate(s);
            mu *= 10;
        }
    }
    bool here = !is_settled(s) && slope(s, true)<1e-3, usual = sum> 1e-10 && slope(s, false) < 1e-3;
    return isfinite(sum) && (here || (usual && target == SMALL)) ? NH_STUCK : NH_LOST;
}

enum { HALVINGS = 60 };
static const double simple =
    2.5e-3; /* of |F|^2: a double zero leaves 1/16 in a step, one of order 6/5 leaves 1/75 */

/* Newton's method from F that is small to F that is zero. Next to a singular solution it halves the distance at
 * each step, until the derivative is small beyond doubt; where the solution is at infinity, as that of exp(x) = 0,
 * the steps do not become shorter. */
static nh_found polish(nh_solver *s, room *w, bool *settled)
{
    double sum = evaluate(s), first = 0;
    *settled = true;
    for (int i = 0; i < HALVINGS; i++) {
        if (is_below(s, 0) || !step(s, 0, w, NULL))
            return *settled = is_settled(s), NH_FOUND;
        go(s, w);
        double next = evaluate(s);
        if (!(next < sum)) {
            go_back(s, w);
            evaluate(s);
            return *settled = is_settled(s), NH_FOUND;
        }
        s->simple = next < simple * sum;
        sum = next;
        first = i == 0 ? row_norm(w->dy, 2 * s->n) : first;
    }
    return row_norm(w->dy, 2 * s->n) < 0.1 * first ? NH_FOUND : NH_LOST;
}

/* An unknown that is smaller is 0, for all that is known of it. */
static const double NOTHING = 1e-9;

/* Beside an equation that holds to rounding, one as 2 x' = 0 need not come to rest: its x' may become smaller for ever. Whether all of them hold
 * to rounding where such unknowns are 0; they are, then. */
static bool put_zeros(nh_solver *s, room *w)
{
    for (size_t k = 0; k < 2 * s->n; k++) {
        w->y[k] = *slot(s, k);
        if (fabs(w->y[k]) < NOTHING && !s->held[k])
            *slot(s, k) = 0;
    }
    bool holds = isfinite(evaluate(s)) && is_below(s, 0);
    for (size_t k = 0; k < 2 * s->n && !holds; k++)
        *slot(s, k) = w->y[k];
    return holds;
}

static nh_found solve(nh_solver *s)
{
    nh_arena *scratch = &s->reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    room w = {nh_arena_array(scratch, 2 * s->n, sizeof(double)),
              nh_arena_array(scratch, 2 * s->n, sizeof(double)),
              nh_arena_array(scratch, s->count * s->count + 1, sizeof(double)),
              nh_arena_array(scratch, s->count + 1, sizeof(double))};
    s->simple = false;
    nh_found found = NH_FOUND;
    bool settled = false;
    for (double target = SMALL; found == NH_FOUND && !settled && target > 1e-100; target *= 1e-6) {
        found = iterate(s, &w, target);
        found = found == NH_FOUND ? polish(s, &w, &settled) : found;
        settled = settled || (found == NH_FOUND && put_zeros(s, &w));
    }
    evaluate(s);
    nh_arena_release(scratch, mark);
    return found;
}

enum { REDRAWS = 20 };

static void draw_start(nh_solver *s)
{
    for (int i = 0; i < REDRAWS; i++) {
        draw(s);
        if (isfinite(evaluate(s)))
            break;
        s->range = s->range < 100 ? 4 * s->range : 1;
    }
}

/* Where an equation swings in one unknown and is simple in another, as y = 20 + 15 sin(9 x), steps in both of them go astray. */
static void draw_held(nh_solver *s)
{
    for (size_t k = 0; k < 2 * s->n; k++)
        s->held[k] = s->holds && random_unit(s) < 0.5;
}

nh_found nh_solver_find(nh_solver *s)
{
    draw_start(s);
    if (s->holds)
        draw_held(s);
    return solve(s);
}

/* ---------------------------------------------------------------- on the sides of corners */

nh_corners nh_solver_corners(nh_solver *s, const nh_expr *e, size_t count)
{
    const nh_model *model = s->reader->model;
    nh_arena *arena = &s->reader->context->arena;
    nh_expr *symbols = nh_arena_array(arena, 2 * s->n + model->n_velocities + 1, sizeof *symbols);
    size_t n = 2 * s->n;
    memcpy(symbols, s->unknowns, n * sizeof *symbols);
    for (size_t k = 0; k < model->n_velocities; k++)
        symbols[n++] = model->velocities[k].symbol;
    symbols[n++] = model->time;
    return nh_corners_of(s->reader->pool, arena, &s->reader->scratch, e, count, symbols, n);
}

size_t nh_solver_sides(const nh_corners *c) { return 2 * c->n * NH_CORNER_PLACES; }

void nh_solver_draw_side(nh_solver *s, const nh_corners *c, size_t number)
{
    draw(s);
    nh_corner_go_to(c, number / 2 / NH_CORNER_PLACES, number / 2 % NH_CORNER_PLACES, s->values);
}

nh_found nh_solver_find_on_side(nh_solver *s, const nh_corners *c, size_t number)
{
    nh_solver_draw_side(s, c, number);
    return solve(s);
}

void nh_solver_let_go(nh_solver *s)
{
    s->holds = s->late = false;
    memset(s->held, 0, 2 * s->n * sizeof *s->held);
}

nh_found nh_solver_find_near(nh_solver *s)
{
    for (size_t k = 0; k < 2 * s->n; k++)
        *slot(s, k) += 0.05 * (2 * random_unit(s) - 1) * (1 + fabs(*slot(s, k)));
    return solve(s);
}

/* ---------------------------------------------------------------- rank */

/* Modified Gram-Schmidt: rows that keep a part of their length are independent. A row that is short against its
 * scale, if that is given, is none. */
static size_t rank_of(double *rows, const double *scale, size_t r, size_t n)
{
    size_t rank = 0;
    for (size_t a = 0; a < r; a++) {
        double *row = rows + a * n, before = row_norm(row, n);
        for (int twice = 0; twice < 2; twice++)
            for (size_t b = 0; b < rank; b++) {
                double product = 0;
                for (size_t j = 0; j < n; j++)
                    product += row[j] * rows[b * n + j];
                for (size_t j = 0; j < n; j++)
                    row[j] -= product * rows[b * n + j];
            }
        double after = row_norm(row, n);
        if (!(after > 1e-6 * before) || (scale && before < 1e-8 * scale[a]))
            continue;
        for (size_t j = 0; j < n; j++)
            rows[rank * n + j] = row[j] / after;
        rank++;
    }
    return rank;
}

size_t nh_solver_rank(nh_solver *s, size_t without, const bool *skip)
{
    nh_arena *scratch = &s->reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t width = 2 * s->n + 1;
    double *rows = nh_arena_array(scratch, s->count * s->n + 1, sizeof *rows);
    for (size_t a = 0; a < s->count; a++)
        for (size_t i = 0; i < s->n; i++)
            rows[a * s->n + i] = a == without || (skip && skip[i]) ? 0 : s->out[a * width + 1 + s->n + i];
    size_t rank = rank_of(rows, s->simple ? NULL : s->scale, s->count, s->n);
    nh_arena_release(scratch, mark);
    return rank;
}

bool nh_solver_has_rank_on_a_side(nh_solver *s, size_t rank, const bool *skip)
{
    uint64_t random = s->random, draws = s->draws; /* other draws do not depend on these */
    nh_corners c = nh_solver_corners(s, s->roots, s->count * (2 * s->n + 1));
    bool found = false;
    for (size_t k = 0; k < nh_solver_sides(&c) && !found; k++)
        found = nh_solver_find_on_side(s, &c, k) == NH_FOUND && nh_solver_rank(s, NH_NO_ROW, skip) == rank;
    s->random = random, s->draws = draws;
    return found;
}

size_t nh_solver_independent_rows(nh_solver *s, const nh_expr *rows, size_t count, size_t columns)
{
    nh_arena *scratch = &s->reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    double *values = nh_arena_array(scratch, count * columns, sizeof *values);
    double *copy = nh_arena_array(scratch, count * columns, sizeof *copy);
    nh_evaluate(s->reader->pool, scratch, rows, count * columns, s->values, values, NULL);
    size_t rank = 0;
    while (rank < count) {
        memcpy(copy, values, (rank + 1) * columns * sizeof *copy);
        if (rank_of(copy, NULL, rank + 1, columns) == rank)
            break;
        rank++;
    }
    nh_arena_release(scratch, mark);
    return rank;
}

double nh_solver_value(nh_solver *s, nh_expr e, double *error)
{
    double value;
    nh_evaluate(s->reader->pool, &s->reader->scratch, &e, 1, s->values, &value, error);
    return value;
}

double nh_solver_usual(nh_solver *s, nh_expr e)
{
    double usual = 0, error;
    uint64_t random = s->random, draws = s->draws; /* other draws do not depend on these */
    for (int i = 0; i < NH_STATES; i++) {
        draw_start(s);
        usual = fmax(usual, fabs(nh_solver_value(s, e, &error))); /* but for NaN */
    }
    s->random = random, s->draws = draws;
    return fmin(usual, 1);
}

/* How large an expression is that does not vanish at values[]: its derivatives times the unknowns. */
static double size_here(nh_solver *s, nh_expr e)
{
    nh_arena *scratch = &s->reader->scratch;
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t count = 2 * s->n;
    nh_expr *derivatives = nh_arena_array(scratch, count + 1, sizeof *derivatives);
    double *slopes = nh_arena_array(scratch, count + 1, sizeof *slopes), size = 0;
    nh_gradient(s->reader->pool, &s->reader->context->arena, &e, NULL, 1, s->unknowns, count, derivatives);
    nh_evaluate(s->reader->pool, scratch, derivatives, count, s->values, slopes, NULL);
    for (size_t k = 0; k < count; k++)
        size += fabs(slopes[k]) * fmax(fabs(*slot(s, k)), NOTHING);
    nh_arena_release(scratch, mark);
    return isfinite(size) ? size : INFINITY;
}

bool nh_solver_is_zero(nh_solver *s, nh_expr e, double usual, double part, double *value)
{
    double error;
    *value = nh_solver_value(s, e, &error);
    return fabs(*value) <= part * fmin(usual, size_here(s, e)) + 1000 * error;
}

/* Whether it does not on some side of a corner, where the equations hold: max(x - 30, 0) is 0 at all states that are not far. Other draws do not
 * depend on these. */
static bool differs_on_a_side(nh_solver *s, nh_expr e, double usual)
{
    uint64_t random = s->random, draws = s->draws;
    nh_corners c = nh_solver_corners(s, &e, 1);
    bool differs = false;
    for (size_t k = 0; k < nh_solver_sides(&c) && !differs; k++) {
        double value;
        bool found = nh_solver_find_on_side(s, &c, k) == NH_FOUND;
        differs = found && !nh_solver_is_zero(s, e, usual, 1e-7, &value) && isfinite(value);
    }
    s->random = random, s->draws = draws;
    return differs;
}

nh_answer nh_solver_vanishes(nh_solver *s, nh_expr e)
{
    int zeros = 0;
    double usual = nh_solver_usual(s, e);
    for (int i = 0; i < NH_STARTS_ALL && zeros < NH_STATES_ALL; i++) {
        double value;
        if (nh_solver_find(s) != NH_FOUND)
            continue;
        bool zero = nh_solver_is_zero(s, e, usual, 1e-7, &value);
        if (!isfinite(value))
            continue;
        if (!zero)
            return NH_NO;
        zeros++;
    }
    if (differs_on_a_side(s, e, usual))
        return NH_NO;
    return zeros == NH_STATES_ALL ? NH_YES : NH_UNKNOWN;
}
