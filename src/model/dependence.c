/* Linear and affine equations that depend on each other at almost all states. sin(a) w = 0 and cos(a) w = 0: each follows from the
 * other, but where this one reads 0 = 0; together they say w = 0. With n_k C^k = 0 and T a basis of the vectors that n is orthogonal to,
 * T C says the same as all C wherever n is not 0: (n; T) can be inverted there. C^k can be dropped where n_k is not 0. The same beside
 * derivatives of equations of positions, which stay: n_k C^k is one of them then, or a combination. */
#include "algebra/algebra.h"
#include "model/reader.h"
#include "model/solve.h"

#include <math.h>
#include <string.h>

enum { MOST_EQUATIONS = 40, MOST_JOINED = 8, LONGEST = 100 };

/* Equations of which each follows from the others, and from no fewer. */
typedef struct circle {
    nh_reader *reader;
    nh_algebra *algebra;
    size_t members[MOST_EQUATIONS], count; /* the last one is to go, */
    size_t fixed;                          /* and so many, of positions, stay as they are: the first ones */
    nh_expr *rows;                         /* count x width: dC/dq'^i, and the part without velocities */
    size_t width;
    nh_expr n[MOST_JOINED];
    nh_expr T[MOST_JOINED * MOST_JOINED]; /* count - 1 rows */
} circle;

static nh_expr *new_array(const circle *c, size_t count)
{
    return nh_arena_array(&c->reader->context->arena, count + 1, sizeof(nh_expr));
}

/* ---------------------------------------------------------------- who depends on whom */

/* Whether the last member follows from the others, without one of them. */
static bool follows_without(circle *c, size_t without)
{
    nh_reader *reader = c->reader;
    nh_arena_mark mark = nh_arena_here(&reader->scratch);
    nh_elimination *e = nh_elimination_new(reader->modular, &reader->scratch, c->width - 1);
    nh_row found = NH_ROW_UNDECIDED;
    for (size_t k = 0; k < c->count; k++)
        if (k != without)
            found = nh_elimination_add(e, c->rows + k * c->width);
    nh_arena_release(&reader->scratch, mark);
    return found == NH_ROW_FOLLOWS;
}

static void leave_out(circle *c, size_t k)
{
    c->count--;
    memmove(c->members + k, c->members + k + 1, (c->count - k) * sizeof *c->members);
    memmove(c->rows + k * c->width, c->rows + (k + 1) * c->width,
            (c->count - k) * c->width * sizeof *c->rows);
}

/* The equations of positions, and the affine ones up to a. False: they are too many. */
static bool find_members(circle *c, size_t a)
{
    const nh_reader *reader = c->reader;
    for (size_t b = 0; b < reader->n_equations && c->count < MOST_EQUATIONS; b++)
        if (nh_is_position_row(&reader->equations[b]))
            c->members[c->count++] = b;
    c->fixed = c->count;
    for (size_t b = 0; b <= a && c->count < MOST_EQUATIONS; b++)
        if (nh_is_affine_row(&reader->equations[b]))
            c->members[c->count++] = b;
    return c->count > 0 && c->members[c->count - 1] == a;
}

/* Those that equation a follows from. False: they are too many, or their kinds were found by numbers. */
static bool find_circle(circle *c, size_t a)
{
    nh_reader *reader = c->reader;
    bool exact = true;
    c->width = reader->model->n + 1;
    if (!find_members(c, a))
        return false;
    c->rows = new_array(c, c->count * c->width);
    for (size_t k = 0; k < c->count; k++)
        nh_affine_row(reader, &reader->equations[c->members[k]].constraint, c->rows + k * c->width);
    for (size_t k = c->count - 1; k-- > 0;)
        if (follows_without(c, k)) {
            c->fixed -= k < c->fixed;
            leave_out(c, k);
        }
    for (size_t k = 0; k < c->count; k++)
        exact = exact && reader->equations[c->members[k]].constraint.kind_exact;
    return exact && c->count <= MOST_JOINED;
}

/* The exponent of a factor in all entries of a vector that are not 0. */
static int64_t least_power(const circle *c, const nh_expr *v, nh_expr base)
{
    int64_t least = INT64_MAX;
    for (size_t k = 0; k < c->count; k++) {
        int64_t power = 0;
        if (v[k] == c->reader->pool->zero)
            continue;
        nh_product product = nh_product_of(c->reader->pool, &c->reader->context->arena, v[k]);
        for (size_t i = 0; i < product.count; i++)
            power = product.factors[i].base == base ? product.factors[i].exponent : power;
        least = power < least ? power : least;
    }
    return least;
}

/* Divides a vector by the factors that can be seen in all of its entries. The algebra has done so for polynomials; sin^2, as 1 - cos^2, and sin
 * have no common divisor there. */
static void divide_by_common(const circle *c, nh_expr *v)
{
    nh_pool *pool = c->reader->pool;
    size_t first = 0;
    while (first + 1 < c->count && v[first] == pool->zero)
        first++;
    nh_product product = nh_product_of(pool, &c->reader->context->arena, v[first]);
    for (size_t i = 0; i < product.count; i++) {
        int64_t power = least_power(c, v, product.factors[i].base);
        for (size_t k = 0; k < c->count && power > 0; k++)
            v[k] = nh_div(pool, v[k], nh_power(pool, product.factors[i].base, power));
    }
}

/* n_k C^k = 0. The columns without entries say nothing. */
static bool find_relation(circle *c)
{
    nh_expr *columns = new_array(c, c->width * c->count), *out = new_array(c, c->count * c->count);
    size_t rows = 0, count = 0;
    bool everywhere;
    for (size_t i = 0; i < c->width; i++) {
        bool any = false;
        for (size_t k = 0; k < c->count; k++) {
            columns[rows * c->count + k] = c->rows[k * c->width + i];
            any = any || c->rows[k * c->width + i] != c->reader->pool->zero;
        }
        rows += any;
    }
    if (rows == 0 || !nh_matrix_null_space(c->algebra, rows, c->count, columns, &count, out, &everywhere) ||
        count != 1)
        return false;
    divide_by_common(c, out);
    memcpy(c->n, out, c->count * sizeof *c->n);
    return true;
}

/* From now on without those that stay. */
static void leave_out_fixed(circle *c)
{
    memmove(c->n, c->n + c->fixed, (c->count - c->fixed) * sizeof *c->n);
    while (c->fixed > 0)
        leave_out(c, --c->fixed);
}

/* ---------------------------------------------------------------- what says the same as all of them */

/* Whether a vector is shown to be 0 at no state. */
static bool is_never_0(circle *c, const nh_expr *v, size_t count)
{
    size_t rank = 0;
    nh_expr condition = NH_EXPR_NONE;
    return nh_matrix_rank(c->algebra, 1, count, v, &rank, &condition) && rank == 1 && !condition;
}

/* The last member that follows from the others at every state; their number: none is shown to. */
static size_t find_superfluous(circle *c)
{
    for (size_t k = c->count; k-- > 0;)
        if (is_never_0(c, c->n + k, 1))
            return k;
    return c->count;
}

/* T: vectors orthogonal to n. Where the algebra finds no basis that is one everywhere, one vector that is never 0, and then those orthogonal
 * to it as well; the only one that is left at the end is 0 where n is 0, and nowhere else. */
static bool find_complement(circle *c)
{
    size_t k = c->count, found = 0, left = 0;
    nh_expr held[MOST_JOINED * MOST_JOINED], out[MOST_JOINED * MOST_JOINED];
    memcpy(held, c->n, k * sizeof *held);
    for (bool everywhere = false; found < k - 1;) {
        if (!nh_matrix_null_space(c->algebra, found + 1, k, held, &left, out, &everywhere) ||
            left != k - 1 - found)
            return false;
        for (size_t i = 0; i < left; i++)
            divide_by_common(c, out + i * k);
        size_t row = 0, taken = everywhere || left == 1 ? left : 1;
        while (taken < left && row < left && !is_never_0(c, out + row * k, k))
            row++;
        if (row == left)
            return false;
        memcpy(c->T + found * k, out + row * k, taken * k * sizeof *out);
        memcpy(held + (found + 1) * k, out + row * k, taken * k * sizeof *out);
        found += taken;
    }
    return true;
}

/* B_i q'^i + b */
static nh_expr equation_of(circle *c, const nh_expr *row)
{
    nh_pool *pool = c->reader->pool;
    nh_expr C = row[c->width - 1];
    for (size_t i = 0; i + 1 < c->width; i++)
        C = nh_add(pool, C, nh_mul(pool, row[i], c->reader->model->coordinates[i].rate));
    return C;
}

static void replace(circle *c, nh_constraint *constraint, const nh_expr *row)
{
    nh_text text;
    nh_text_init(&text, &c->reader->model->arena);
    constraint->C = equation_of(c, row);
    constraint->component = 0;
    nh_classify(c->reader, constraint);
    nh_expr_print(&text, c->reader->pool, constraint->C, 0);
    nh_text_str(&text, " = 0");
    constraint->text = nh_text_get(&text);
}

static void tell(circle *c, nh_equation *last)
{
    nh_text text;
    nh_text_init(&text, c->reader->diagnostics->arena);
    for (size_t k = 0; k + 1 < c->count; k++)
        nh_text_format(&text, "%s%s", k ? " and " : "", c->reader->equations[c->members[k]].constraint.text);
    bool one = c->count == 2, shown = strlen(nh_text_get(&text)) <= LONGEST;
    nh_warn(c->reader, last->keyword, NULL,
            "%s follows from the others at almost all states, but not everywhere: %s stand%s in their place, "
            "with %s",
            nh_place_of(c->reader, &last->constraint),
            shown ? nh_text_get(&text)
            : one ? "a combination of them"
                  : "combinations of them",
            one ? "s" : "", one ? "a multiplier of its own" : "multipliers of their own");
    last->dropped = true;
}

/* T C in the place of C. */
static bool join(circle *c)
{
    nh_expr *B = new_array(c, c->count * c->width);
    if (!find_complement(c) ||
        !nh_matrix_multiply(c->algebra, c->count - 1, c->count, c->width, c->T, c->rows, B))
        return false;
    for (size_t k = 0; k + 1 < c->count; k++)
        replace(c, &c->reader->equations[c->members[k]].constraint, B + k * c->width);
    tell(c, &c->reader->equations[c->members[c->count - 1]]);
    return true;
}

/* ---------------------------------------------------------------- all of it */

/* The values of all symbols at the start, as far as it is given; 0 for the other coordinates. */
static double *start_of(const circle *c)
{
    const nh_model *model = c->reader->model;
    nh_arena *arena = &c->reader->context->arena;
    double *values = nh_arena_array(arena, model->pool.n_symbols + 1, sizeof *values);
    nh_model_parameter_values(model, arena, values);
    for (size_t i = 0; i < model->n_roles; i++)
        if (model->roles[i].role != NH_ROLE_PARAMETER)
            values[i] = 0;
    for (size_t i = 0; i < model->n_initial; i++) {
        uint32_t index = 0;
        nh_is_symbol(&model->pool, model->initial[i].symbol, &index);
        nh_evaluate(&model->pool, arena, &model->initial[i].value, 1, values, &values[index], NULL);
    }
    return values;
}

/* The member that follows from the others at the start, as far as can be: n is the largest there. */
static size_t find_least_needed(circle *c)
{
    double at[MOST_JOINED];
    size_t best = c->count - 1;
    nh_evaluate(c->reader->pool, &c->reader->context->arena, c->n, c->count, start_of(c), at, NULL);
    for (size_t k = c->count; k-- > 0;)
        if (fabs(at[k]) > fabs(at[best]))
            best = k;
    return best;
}

/* "follows from the others where x is not 0" */
static const char *where_not_0(circle *c, nh_expr e)
{
    nh_text text;
    nh_text_init(&text, c->reader->diagnostics->arena);
    nh_text_str(&text, "follows from the others where ");
    nh_expr_print(&text, c->reader->pool, e, LONGEST);
    nh_text_str(&text, " is not 0");
    return nh_text_get(&text);
}

/* Whether n is other than 0 where the equations of positions hold: (x, y) = (cos(z), sin(z)) may make it 0 at each of these states. */
static bool is_there_on_positions(circle *c)
{
    const nh_reader *reader = c->reader;
    nh_pool *pool = reader->pool;
    nh_expr sum = pool->zero;
    nh_solver s;
    nh_solver_init(&s, c->reader);
    for (size_t b = 0; b < reader->n_equations; b++)
        if (nh_is_position_row(&reader->equations[b]))
            nh_solver_add(&s, reader->equations[b].constraint.position);
    for (size_t k = 0; k < c->count; k++)
        sum = nh_add(pool, sum, nh_mul(pool, c->n[k], c->n[k]));
    return nh_solver_vanishes(&s, sum) == NH_NO;
}

/* False: nothing was found that can be relied on everywhere. */
static bool settle(circle *c)
{
    bool beside_positions = c->fixed > 0;
    if (!find_relation(c))
        return false;
    leave_out_fixed(c);
    size_t superfluous = find_superfluous(c);
    if (superfluous == c->count)
        return c->count > 1 && (!beside_positions || is_there_on_positions(c)) && join(c);
    nh_drop_equation(c->reader, &c->reader->equations[c->members[superfluous]], "follows from the others");
    return true;
}

void nh_settle_dependent(nh_reader *reader, size_t a)
{
    nh_algebra algebra;
    circle c = {.reader = reader, .algebra = &algebra};
    bool found = find_circle(&c, a), beside_positions = c.fixed > 0, settled = false;
    if (found) {
        nh_algebra_init(&algebra, reader->pool, &(nh_budget){.max_terms = 2000, .max_seconds = 5},
                        reader->signs);
        settled = settle(&c);
        nh_algebra_free(&algebra);
    }
    if (settled || beside_positions) /* on the surface of those, numbers tell */
        return;
    size_t k = c.n[0] ? find_least_needed(&c) : 0;
    if (c.n[0])
        nh_drop_equation(reader, &reader->equations[c.members[k]], where_not_0(&c, c.n[k]));
    else
        nh_drop_equation(reader, &reader->equations[a], "follows from the others at almost all states");
}
