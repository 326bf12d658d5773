/* The flag that some fields generate, by exact elimination. */
#include "analyse/flag.h"

#include <string.h>

/* Beyond so many operations of its rows a flag is not followed. */
enum { MOST_OPERATIONS = 6000 };

static nh_pool *pool_of(const nh_flag *f) { return &f->space->eq->pool; }

static nh_expr *row_of(const nh_flag *f, size_t i) { return f->rows + i * f->n; }

static bool is_too_long(const nh_flag *f)
{
    nh_equations *eq = f->space->eq;
    return f->stuck || nh_is_late(f->space) ||
           nh_count_operations(&eq->pool, &eq->context->arena, f->rows, f->rank * f->n) > MOST_OPERATIONS;
}

/* ---------------------------------------------------------------- elimination */

/* v -= v[p] row, for a row with 1 at p. */
static void subtract(nh_flag *f, nh_expr *v, const nh_expr *row, size_t p)
{
    nh_pool *pool = pool_of(f);
    nh_expr factor = v[p];
    if (factor == pool->zero)
        return;
    for (size_t j = 0; j < f->n; j++)
        if (row[j] != pool->zero)
            v[j] = j == p ? pool->zero : nh_sub(pool, v[j], nh_mul(pool, factor, row[j]));
}

/* Whether an entry vanishes: if that cannot be proved, whether it seems to. */
static bool vanishes(nh_flag *f, nh_expr e)
{
    nh_answer zero = nh_space_is_zero(f->space, e);
    if (zero != NH_UNKNOWN)
        return zero == NH_YES;
    f->proved = false;
    f->stuck = f->stuck || !e || nh_space_seems_zero(f->space, e) == NH_UNKNOWN;
    return true;
}

/* Entries that vanish become 0; the pivot is the shortest that does not. f->n: there is none. */
static size_t find_pivot(nh_flag *f, nh_expr *v)
{
    nh_equations *eq = f->space->eq;
    size_t best = f->n, fewest = SIZE_MAX;
    for (size_t j = 0; j < f->n; j++) {
        bool value = f->with_value && j == f->n - 1;
        if (f->is_pivot[j] || vanishes(f, v[j])) {
            v[j] = eq->pool.zero;
            continue;
        }
        size_t operations = nh_count_operations(&eq->pool, &eq->context->arena, &v[j], 1);
        if (operations < fewest && !(value && best < f->n))
            best = j, fewest = operations;
    }
    return best;
}

static void keep(nh_flag *f, const nh_expr *v, size_t pivot, nh_origin origin)
{
    nh_pool *pool = pool_of(f);
    nh_expr *row = row_of(f, f->rank), inverse = nh_div(pool, pool->one, v[pivot]);
    for (size_t j = 0; j < f->n; j++)
        row[j] = j == pivot ? pool->one : nh_mul(pool, v[j], inverse);
    nh_space_simplify(f->space, row, f->n);
    for (size_t i = 0; i < f->rank; i++)
        if (row_of(f, i)[pivot] != pool->zero) {
            subtract(f, row_of(f, i), row, pivot);
            nh_space_simplify(f->space, row_of(f, i), f->n);
        }
    f->is_pivot[pivot] = true, f->pivots[f->rank] = pivot, f->origin[f->rank] = origin;
    f->rank++;
}

/* Takes a field in, if it is not a combination of the rows. */
static void take_in(nh_flag *f, nh_expr *v, nh_origin origin)
{
    for (size_t i = 0; i < f->rank; i++)
        subtract(f, v, row_of(f, i), f->pivots[i]);
    nh_space_simplify(f->space, v, f->n);
    size_t pivot = find_pivot(f, v);
    if (pivot < f->n)
        keep(f, v, pivot, origin);
}

/* ---------------------------------------------------------------- brackets */

/* [X, Y]^i = X(Y^i) - Y(X^i) */
static void plain_bracket(const nh_flag *f, const nh_expr *X, const nh_expr *Y, nh_expr *out)
{
    nh_expr *back = nh_arena_array(&f->space->eq->arena, f->n + 1, sizeof *back);
    nh_along(f->space, X, Y, f->n, out);
    nh_along(f->space, Y, X, f->n, back);
    for (size_t i = 0; i < f->n; i++)
        out[i] = nh_sub(pool_of(f), out[i], back[i]);
}

static const nh_expr *generator_of(const nh_flag *f, size_t i) { return f->X + f->origin[i].alpha * f->n; }

/* D^2: the brackets of two generators. */
static void take_first_step(nh_flag *f)
{
    size_t before = f->rank;
    nh_expr *v = nh_arena_array(&f->space->eq->arena, f->n + 1, sizeof *v);
    for (size_t b = 1; b < before; b++)
        for (size_t a = 0; a < b && f->rank < f->n && !is_too_long(f); a++) {
            plain_bracket(f, generator_of(f, a), generator_of(f, b), v);
            take_in(f, v, (nh_origin){f->origin[a].alpha, b});
        }
}

/* The rows of one D, kept while the next one is made. */
typedef struct level {
    nh_expr *rows, *moved; /* moved: R_q(A^N_p) for the q under way */
    size_t rank;
} level;

/* [X, R_q]^N = X(A^N_q) - X^p R_q(A^N_p) but for combinations of the rows, and 0 in the pivots, for an X that is one of them: with
 * X = X^p R_p, [X, R_q] = X^p [R_p, R_q] - R_q(X^p) R_p. */
static void bracket(const nh_flag *f, const level *l, const nh_expr *X, size_t q, nh_expr *out)
{
    nh_pool *pool = pool_of(f);
    nh_along(f->space, X, l->rows + q * f->n, f->n, out);
    for (size_t j = 0; j < f->n; j++)
        for (size_t p = 0; p < l->rank; p++)
            out[j] = nh_sub(pool, out[j], nh_mul(pool, X[f->pivots[p]], l->moved[p * f->n + j]));
}

/* The next D: the brackets of the generators with what the last step has added, from row `fresh` on. */
static void take_step(nh_flag *f, size_t generators, size_t fresh)
{
    nh_arena *arena = &f->space->eq->arena;
    size_t size = f->rank * f->n + 1;
    level l = {nh_arena_array(arena, size, sizeof(nh_expr)), nh_arena_array(arena, size, sizeof(nh_expr)),
               f->rank};
    nh_expr *v = nh_arena_array(arena, f->n + 1, sizeof *v);
    memcpy(l.rows, f->rows, f->rank * f->n * sizeof *l.rows);
    for (size_t q = fresh; q < l.rank && f->rank < f->n; q++) {
        nh_along(f->space, l.rows + q * f->n, l.rows, l.rank * f->n, l.moved);
        for (size_t a = 0; a < generators && f->rank < f->n && !is_too_long(f); a++) {
            bracket(f, &l, generator_of(f, a), q, v);
            take_in(f, v, (nh_origin){f->origin[a].alpha, q});
        }
    }
}

static void allocate(nh_flag *f)
{
    nh_arena *arena = &f->space->eq->arena;
    f->rows = nh_arena_array(arena, f->n * f->n + 1, sizeof *f->rows);
    f->pivots = nh_arena_array(arena, f->n + 1, sizeof *f->pivots);
    f->is_pivot = nh_arena_array(arena, f->n + 1, sizeof *f->is_pivot);
    f->origin = nh_arena_array(arena, f->n + 1, sizeof *f->origin);
}

static void take_generators(nh_flag *f)
{
    nh_expr *v = nh_arena_array(&f->space->eq->arena, f->n + 1, sizeof *v);
    for (size_t alpha = 0; alpha < f->m; alpha++) {
        memcpy(v, f->X + alpha * f->n, f->n * sizeof *v);
        take_in(f, v, (nh_origin){alpha, NH_NO_ROW});
    }
    f->sizes[f->steps++] = f->rank;
}

/* A step that the limits have cut short does not count. */
void nh_flag_grow(nh_flag *f, nh_space *space, size_t n, size_t m, const nh_expr *X, bool with_value)
{
    *f = (nh_flag){.space = space, .n = n, .with_value = with_value, .m = m, .X = X, .proved = true};
    allocate(f);
    take_generators(f);
    size_t fresh = 0, generators = f->rank;
    f->complete = f->rank == f->n;
    while (!f->complete && f->steps < NH_MOST_STEPS && !is_too_long(f)) {
        size_t before = f->rank;
        if (f->steps == 1)
            take_first_step(f);
        else
            take_step(f, generators, fresh);
        if (f->rank < f->n && is_too_long(f))
            return;
        f->complete = f->rank == before || f->rank == f->n;
        if (f->rank > before)
            f->sizes[f->steps++] = f->rank;
        fresh = before;
    }
}

const char *nh_flag_text(const nh_flag *f)
{
    nh_text text;
    nh_text_init(&text, &f->space->eq->arena);
    for (size_t k = 0; k < f->steps; k++)
        nh_text_format(&text, "%c%zu", k ? ',' : '(', f->sizes[k]);
    nh_text_str(&text, f->complete ? ")" : ",...)");
    return nh_text_get(&text);
}

/* ---------------------------------------------------------------- where the dimensions drop */

/* The brackets behind the rows, as they are: without the denominators of the elimination, and what it has left out. */
static nh_expr *plain_fields(const nh_flag *f)
{
    nh_expr *fields = nh_arena_array(&f->space->eq->arena, f->n * f->n + 1, sizeof *fields);
    for (size_t i = 0; i < f->rank; i++) {
        nh_expr *field = fields + i * f->n;
        if (f->origin[i].from == NH_NO_ROW)
            memcpy(field, generator_of(f, i), f->n * sizeof *field);
        else
            plain_bracket(f, generator_of(f, i), fields + f->origin[i].from * f->n, field);
        nh_space_simplify(f->space, field, f->n);
    }
    return fields;
}

enum { LARGEST = 6, SHORT = 120 };

static bool all_within_reach(const nh_flag *f, const nh_expr *fields)
{
    nh_equations *eq = f->space->eq;
    return !nh_has_solve(&eq->pool, &eq->context->arena, fields, f->rank * f->n) && !nh_is_late(f->space) &&
           nh_count_operations(&eq->pool, &eq->context->arena, fields, f->rank * f->n) < SHORT;
}

static bool never_zero(const nh_flag *f, nh_expr e)
{
    nh_expr minus = nh_neg(pool_of(f), e);
    return nh_matrix_positive(&f->space->algebra, 1, &e) == NH_YES ||
           nh_matrix_positive(&f->space->algebra, 1, &minus) == NH_YES;
}

static bool has_factor(const nh_flag *f, nh_expr product, nh_expr base)
{
    nh_product have = nh_product_of(pool_of(f), &f->space->eq->arena, product);
    bool there = false;
    for (size_t k = 0; k < have.count; k++)
        there = there || have.factors[k].base == base;
    return there;
}

/* The product with the factors of another one that it does not have and that may vanish, each once. */
static nh_expr with_factors(const nh_flag *f, nh_expr product, nh_expr other)
{
    nh_product more = nh_product_of(pool_of(f), &f->space->eq->arena, other);
    for (size_t i = 0; i < more.count; i++)
        if (!has_factor(f, product, more.factors[i].base) && !never_zero(f, more.factors[i].base))
            product = nh_mul(pool_of(f), product, more.factors[i].base);
    return product;
}

/* The factors, each in a shorter form, which may have factors of its own. */
static nh_expr simple_factors(const nh_flag *f, nh_expr product)
{
    nh_product all = nh_product_of(pool_of(f), &f->space->eq->arena, product);
    nh_expr out = pool_of(f)->one;
    for (size_t i = 0; i < all.count; i++) {
        nh_space_simplify(f->space, &all.factors[i].base, 1);
        out = with_factors(f, out, all.factors[i].base);
    }
    return out;
}

/* Each D^k is at least what its fields span, and at no point more than at almost all points: where these are independent, its
 * dimension is what it is at almost all points. */
bool nh_flag_drops(const nh_flag *f, nh_expr *condition)
{
    nh_pool *pool = pool_of(f);
    nh_expr product = pool->one;
    if (f->n > LARGEST || !f->complete)
        return false;
    nh_expr *fields = plain_fields(f);
    for (size_t k = 0; k < f->steps; k++) {
        size_t rank = 0;
        nh_expr here = NH_EXPR_NONE;
        if (!all_within_reach(f, fields) ||
            !nh_matrix_rank(&f->space->algebra, f->sizes[k], f->n, fields, &rank, &here) ||
            rank < f->sizes[k])
            return false;
        if (here)
            product = with_factors(f, product, here);
    }
    product = simple_factors(f, product);
    *condition = product == pool->one ? NH_EXPR_NONE : product;
    return true;
}
