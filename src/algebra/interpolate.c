/* The coefficients of a relation as functions of the constants.
 *
 * a(x) is known modulo p for any values x of the constants, with 1 for its last component. Each a_k is N(x)/D(x) with polynomials in
 * generators: the constants that it changes with, and functions of them. They are found by the smallest degree for which
 *     a_k(x) D(x) - N(x) = 0
 * has a solution; then rational numbers with the residues of the coefficients. How often a constant is a factor at most, above and below,
 * is found before, with the others held fixed, and the degrees along a line. */
#include "algebra/algebra.h"

#include <string.h>

enum { MOST_MOVES = 400, VAIN_MOVES = 30, MOST_DRAWS = 60, CHECKS = 3 };
enum { MOST_DEGREE = 12, MOST_UNKNOWNS = 1400, MOST_POWER = 8, ANY = UINT8_MAX };

/* a at some values of the constants. */
typedef struct sample {
    uint64_t *generators, *a;
} sample;

typedef struct monomial {
    uint8_t *exponents; /* by generator in use */
    size_t degree;
} monomial;

/* Degrees of the numerator and the denominator; ANY: not known. */
typedef struct degrees {
    uint8_t above, below;
} degrees;

typedef struct interpolation {
    nh_relations *r;
    nh_arena *arena;
    nh_expr *
        e; /* rows x size; behind them functions of constants that are not written there, but follow from it */
    size_t size, n_roots, roots_capacity;
    nh_arena points_arena;
    nh_modular *points;
    uint64_t *values;
    bool *matters; /* by component and symbol: whether a_k changes with it */
    nh_expr *generators;
    size_t n_generators, generators_capacity;
    degrees *bounds; /* by component, then by generator and, last, in all of them together */
    sample *samples;
    size_t n_samples, samples_capacity;
    size_t *used; /* generators that the component under way is a function of */
    size_t n_used;
    monomial *monomials; /* by degree */
    size_t n_monomials, monomials_capacity;
} interpolation;

static uint64_t draw(interpolation *x) { return nh_hash(x->r->seed++ * 0x9e3779b97f4a7c15u) % NH_P; }

/* ---------------------------------------------------------------- a at values of the constants */

static bool add_point(interpolation *x, nh_echelon *echelon, int point)
{
    for (size_t i = 0; i < x->r->rows; i++) {
        uint64_t *row = nh_arena_array(x->arena, x->size, sizeof *row);
        for (size_t k = 0; k < x->size; k++) {
            nh_residue value = nh_modular_value(x->points, x->e[i * x->size + k]);
            if (!(value.valid >> point & 1))
                return false;
            row[k] = value.at[point];
        }
        nh_echelon_add(echelon, row);
    }
    return true;
}

/* YES: a is there. NO: there is no such relation at these values. UNKNOWN: there are no points, some root not existing, say. */
static nh_answer solve_at_values(interpolation *x, uint64_t *a)
{
    nh_arena_mark mark = nh_arena_here(x->arena);
    nh_echelon *echelon = nh_echelon_new(x->arena, x->size, x->size);
    int further = 2, added = 0; /* further: points, after the rank is what it should be */
    for (int move = 0; move < MOST_MOVES && further > 0 && (added || move < VAIN_MOVES); move++) {
        nh_modular_move(x->points, x->r->seed++, x->values);
        for (int point = 0; point < 2; point++)
            if (add_point(x, echelon, point)) {
                added++;
                further -= echelon->rank + 1 >= x->size;
            }
    }
    bool found = further <= 0 && echelon->rank + 1 == x->size && !echelon->rows[x->size - 1];
    if (found)
        nh_echelon_null(echelon, x->size - 1, a);
    nh_arena_release(x->arena, mark);
    return found ? NH_YES : further > 0 ? NH_UNKNOWN : NH_NO;
}

/* At random values of all constants, or of one of them. */
static bool solve_somewhere(interpolation *x, size_t only, uint64_t *a)
{
    nh_answer answer = NH_UNKNOWN;
    for (int draws = 0; draws < MOST_DRAWS && answer == NH_UNKNOWN; draws++) {
        for (size_t i = 0; i < x->r->algebra->pool->n_symbols; i++)
            if (only == SIZE_MAX || only == i)
                x->values[i] = draw(x);
        answer = solve_at_values(x, a);
    }
    return answer == NH_YES;
}

/* ---------------------------------------------------------------- generators */

/* The constants that each component changes with. */
static bool find_what_matters(interpolation *x)
{
    size_t symbols = x->r->algebra->pool->n_symbols;
    uint64_t *a = nh_arena_array(x->arena, x->size, sizeof *a),
             *other = nh_arena_array(x->arena, x->size, sizeof *other);
    bool *occurs = nh_arena_array(x->arena, symbols + 1, sizeof *occurs);
    nh_find_symbols(x->r->algebra->pool, x->arena, x->e, x->r->rows * x->size, occurs);
    x->matters = nh_arena_array(x->arena, x->size * symbols + 1, sizeof *x->matters);
    if (!solve_somewhere(x, SIZE_MAX, a))
        return false;
    for (size_t i = 0; i < symbols; i++) {
        if (!occurs[i] || !x->r->constant[i])
            continue;
        uint64_t before = x->values[i];
        if (!solve_somewhere(x, i, other))
            return false;
        for (size_t k = 0; k < x->size; k++)
            x->matters[k * symbols + i] = a[k] != other[k];
        x->values[i] = before;
    }
    return true;
}

/* Whether the component changes with something that occurs in e. */
static bool changes_with(interpolation *x, size_t component, nh_expr e)
{
    const nh_pool *pool = x->r->algebra->pool;
    const bool *matters = x->matters + component * pool->n_symbols;
    bool *occurs = nh_arena_array(x->arena, pool->n_symbols + 1, sizeof *occurs), changes = e == pool->pi;
    nh_find_symbols(pool, x->arena, &e, 1, occurs);
    for (size_t i = 0; i < pool->n_symbols; i++)
        changes = changes || (occurs[i] && matters[i]);
    return changes;
}

static bool is_generator(interpolation *x, nh_expr e)
{
    const nh_pool *pool = x->r->algebra->pool;
    nh_node node = nh_get(pool, e);
    nh_rational n;
    bool function = node.kind == NH_CALL || node.kind == NH_PI ||
                    (node.kind == NH_POW && !(nh_is_number(pool, node.b, &n) && nh_rational_is_int(n)));
    return (node.kind == NH_SYMBOL || function) && nh_modular_value(x->points, e).given;
}

/* The sum of the terms of an argument that are constants. */
static nh_expr constant_part(interpolation *x, nh_expr argument)
{
    nh_pool *pool = x->r->algebra->pool;
    nh_arena_mark mark = nh_arena_here(x->arena);
    nh_sum sum = nh_sum_of(pool, x->arena, argument);
    nh_expr part = pool->zero;
    bool *occurs = nh_arena_array(x->arena, pool->n_symbols + 1, sizeof *occurs);
    for (size_t i = 0; i < sum.count; i++) {
        nh_expr term = nh_number(pool, sum.terms[i].number);
        for (size_t k = 0; k < sum.terms[i].count; k++)
            term = nh_mul(pool, term,
                          nh_power(pool, sum.terms[i].factors[k].base, sum.terms[i].factors[k].exponent));
        memset(occurs, 0, pool->n_symbols * sizeof *occurs);
        nh_find_symbols(pool, x->arena, &term, 1, occurs);
        bool constant = true;
        for (size_t k = 0; k < pool->n_symbols; k++)
            constant = constant && (!occurs[k] || x->r->constant[k]);
        part = constant ? nh_add(pool, part, term) : part;
    }
    nh_arena_release(x->arena, mark);
    return part;
}

/* sin(x + a) is a combination of sines and cosines of x with those of a, and exp(x + a) the same with exp(a). */
static void add_roots(interpolation *x)
{
    nh_pool *pool = x->r->algebra->pool;
    nh_walk walk = nh_walk_of(pool, x->arena, x->e, x->n_roots);
    for (size_t i = 0; i < walk.count; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        nh_function f = (nh_function)node.function;
        bool angle = f == NH_FN_sin || f == NH_FN_cos || f == NH_FN_tan;
        bool power = f == NH_FN_exp || f == NH_FN_sinh || f == NH_FN_cosh || f == NH_FN_tanh;
        nh_expr part = node.kind == NH_CALL && (angle || power) ? constant_part(x, node.a) : pool->zero;
        if (part == pool->zero || part == node.a)
            continue;
        nh_push(x->arena, x->e, x->n_roots, x->roots_capacity) =
            nh_call(pool, angle ? NH_FN_sin : NH_FN_exp, part, NH_EXPR_NONE);
        if (angle)
            nh_push(x->arena, x->e, x->n_roots, x->roots_capacity) =
                nh_call(pool, NH_FN_cos, part, NH_EXPR_NONE);
    }
}

/* Symbols, and functions of constants, as they come from above: what stands within a function of constants is none. */
static void find_generators(interpolation *x)
{
    const nh_pool *pool = x->r->algebra->pool;
    nh_walk walk = nh_walk_of(pool, x->arena, x->e, x->n_roots);
    size_t end = walk.count ? (size_t)walk.nodes[walk.count - 1] + 1 : 1;
    bool *needed = nh_arena_array(x->arena, end, sizeof *needed);
    for (size_t i = 0; i < x->n_roots; i++)
        needed[x->e[i]] = true;
    for (size_t i = walk.count; i-- > 0;) {
        nh_expr e = walk.nodes[i];
        if (!needed[e])
            continue;
        bool generator = is_generator(x, e);
        if (generator)
            nh_push(x->arena, x->generators, x->n_generators, x->generators_capacity) = e;
        nh_list operands = nh_operands(pool, e);
        for (size_t k = 0; k < operands.count && !generator; k++)
            needed[operands.items[k]] = true;
    }
}

/* ---------------------------------------------------------------- degrees */

/* Of the fraction that is r at t, from a solution of r(t) D(t) - N(t) = 0 of a degree. False: there is none. */
static bool fit(interpolation *x, const uint64_t *t, const uint64_t *r, size_t degree, degrees *out)
{
    size_t n = degree + 1, without = 0;
    nh_arena_mark mark = nh_arena_here(x->arena);
    nh_echelon *echelon = nh_echelon_new(x->arena, 2 * n, 2 * n);
    for (size_t i = 0; i < 2 * n + CHECKS; i++) {
        uint64_t *row = nh_arena_array(x->arena, 2 * n, sizeof *row), power = 1;
        for (size_t j = 0; j < n; j++, power = nh_mod_mul(power, t[i])) {
            row[j] = nh_mod_mul(r[i], power);
            row[n + j] = nh_mod_sub(0, power);
        }
        nh_echelon_add(echelon, row);
    }
    while (without < 2 * n && echelon->rows[without])
        without++;
    if (without < 2 * n) {
        uint64_t *solution = nh_arena_array(x->arena, 2 * n, sizeof *solution);
        nh_echelon_null(echelon, without, solution);
        *out = (degrees){0, 0};
        for (size_t j = 0; j < n; j++) {
            out->below = solution[j] ? (uint8_t)j : out->below;
            out->above = solution[n + j] ? (uint8_t)j : out->above;
        }
    }
    nh_arena_release(x->arena, mark);
    return without < 2 * n;
}

/* Generators that are symbols, and in no other one. */
static bool is_free(const interpolation *x, size_t g, uint32_t *index)
{
    const nh_pool *pool = x->r->algebra->pool;
    if (!nh_is_symbol(pool, x->generators[g], index))
        return false;
    for (size_t l = 0; l < x->n_generators; l++) {
        bool *occurs = nh_arena_array(x->arena, pool->n_symbols + 1, sizeof *occurs);
        nh_find_symbols(pool, x->arena, &x->generators[l], 1, occurs);
        if (l != g && occurs[*index])
            return false;
    }
    return true;
}

enum { MOST_ON_LINE = 2 * MOST_POWER + 2 + CHECKS };

/* values = origin + t direction */
typedef struct line {
    uint64_t *origin, *direction;
    uint64_t t[MOST_ON_LINE], *a[MOST_ON_LINE];
    size_t count;
} line;

static bool add_on_line(interpolation *x, line *l)
{
    nh_answer answer = NH_UNKNOWN;
    l->a[l->count] = nh_arena_array(x->arena, x->size, sizeof **l->a);
    for (int draws = 0; draws < MOST_DRAWS && answer == NH_UNKNOWN; draws++) {
        uint64_t t = l->t[l->count] = draw(x);
        for (size_t i = 0; i < x->r->algebra->pool->n_symbols; i++)
            x->values[i] = nh_mod_add(l->origin[i], nh_mod_mul(t, l->direction[i]));
        answer = solve_at_values(x, l->a[l->count]);
    }
    l->count++;
    return answer == NH_YES;
}

/* The degrees of all components along a line; they stay as they are where that fails. */
static void find_degrees(interpolation *x, line *l, size_t g)
{
    size_t left = x->size, stride = x->n_generators + 1;
    uint64_t r[MOST_ON_LINE];
    for (size_t degree = 0; degree < MOST_POWER && left > 0 && nh_seconds() < x->r->deadline; degree++) {
        while (l->count < 2 * degree + 2 + CHECKS)
            if (!add_on_line(x, l))
                return;
        for (size_t k = 0; k < x->size; k++) {
            degrees *bound = &x->bounds[k * stride + g];
            for (size_t i = 0; i < l->count; i++)
                r[i] = l->a[i][k];
            if (bound->above == ANY)
                left -= fit(x, l->t, r, degree, bound);
        }
    }
}

/* Along each constant, and along a line in all of them. */
static void find_bounds(interpolation *x)
{
    size_t symbols = x->r->algebra->pool->n_symbols, count = x->size * (x->n_generators + 1);
    line all = {.origin = nh_arena_array(x->arena, symbols, sizeof *all.origin),
                .direction = nh_arena_array(x->arena, symbols, sizeof *all.direction)};
    bool all_free = true;
    x->bounds = nh_arena_array(x->arena, count, sizeof *x->bounds);
    memset(x->bounds, ANY, count * sizeof *x->bounds);
    memcpy(all.origin, x->values, symbols * sizeof *all.origin);
    for (size_t g = 0; g < x->n_generators; g++) {
        uint32_t index = 0;
        if (!is_free(x, g, &index)) {
            all_free = false;
            continue;
        }
        line one = {.origin = all.origin,
                    .direction = nh_arena_array(x->arena, symbols, sizeof *one.direction)};
        one.direction[index] = 1, all.direction[index] = draw(x);
        find_degrees(x, &one, g);
    }
    if (all_free)
        find_degrees(x, &all, x->n_generators);
}

/* ---------------------------------------------------------------- samples and monomials */

static bool add_sample(interpolation *x)
{
    sample s = {.a = nh_arena_array(x->arena, x->size, sizeof *s.a),
                .generators = nh_arena_array(x->arena, x->n_generators + 1, sizeof *s.generators)};
    if (!solve_somewhere(x, SIZE_MAX, s.a))
        return false;
    for (size_t g = 0; g < x->n_generators; g++)
        s.generators[g] = nh_modular_value(x->points, x->generators[g]).at[0];
    nh_push(x->arena, x->samples, x->n_samples, x->samples_capacity) = s;
    return true;
}

static bool want_samples(interpolation *x, size_t count)
{
    while (x->n_samples < count) {
        if (nh_seconds() > x->r->deadline) {
            x->r->algebra->reason = "it takes too long";
            return false;
        }
        if (!add_sample(x))
            return false;
    }
    return true;
}

/* Those of the next degree: each of the last degree times a generator that is not before its last one. */
static void add_degree(interpolation *x, size_t component, size_t degree)
{
    size_t end = x->n_monomials;
    const degrees *bounds = x->bounds + component * (x->n_generators + 1);
    if (degree == 0)
        nh_push(x->arena, x->monomials, x->n_monomials, x->monomials_capacity) =
            (monomial){nh_arena_array(x->arena, x->n_used + 1, 1), 0};
    for (size_t i = 0; i < end; i++) {
        size_t last = 0;
        for (size_t g = 0; g < x->n_used; g++)
            last = x->monomials[i].exponents[g] ? g : last;
        for (size_t g = last; g < x->n_used && x->monomials[i].degree + 1 == degree; g++) {
            degrees bound = bounds[x->used[g]];
            if (x->monomials[i].exponents[g] >= (bound.above > bound.below ? bound.above : bound.below))
                continue;
            uint8_t *exponents = nh_arena_array(x->arena, x->n_used + 1, 1);
            memcpy(exponents, x->monomials[i].exponents, x->n_used);
            exponents[g]++;
            nh_push(x->arena, x->monomials, x->n_monomials, x->monomials_capacity) =
                (monomial){exponents, degree};
        }
    }
}

static uint64_t monomial_at(const interpolation *x, const monomial *m, const sample *s)
{
    uint64_t value = 1;
    for (size_t g = 0; g < x->n_used; g++)
        if (m->exponents[g])
            value = nh_mod_mul(value, nh_field_power(NH_P, s->generators[x->used[g]], m->exponents[g]));
    return value;
}

/* ---------------------------------------------------------------- the polynomials modulo p */

/* Which monomials there may be in the denominator, then those in the numerator; how many there are. */
static size_t count_unknowns(interpolation *x, size_t component, bool *possible)
{
    const degrees *bounds = x->bounds + component * (x->n_generators + 1), total = bounds[x->n_generators];
    size_t n = x->n_monomials, count = 0;
    for (size_t j = 0; j < n; j++) {
        const monomial *m = &x->monomials[j];
        possible[j] = m->degree <= total.below, possible[n + j] = m->degree <= total.above;
        for (size_t g = 0; g < x->n_used; g++) {
            possible[j] = possible[j] && m->exponents[g] <= bounds[x->used[g]].below;
            possible[n + j] = possible[n + j] && m->exponents[g] <= bounds[x->used[g]].above;
        }
        count += (size_t)possible[j] + possible[n + j];
    }
    return count;
}

static uint64_t *row_of(interpolation *x, size_t component, const bool *possible, size_t count,
                        const sample *s)
{
    size_t n = x->n_monomials, column = 0;
    uint64_t *row = nh_arena_array(x->arena, count, sizeof *row);
    for (size_t j = 0; j < n; j++)
        if (possible[j])
            row[column++] = nh_mod_mul(s->a[component], monomial_at(x, &x->monomials[j], s));
    for (size_t j = 0; j < n; j++)
        if (possible[n + j])
            row[column++] = nh_mod_sub(0, monomial_at(x, &x->monomials[j], s));
    return row;
}

/* The solution with 0 for what is not possible. */
static uint64_t *spread(interpolation *x, const bool *possible, const uint64_t *solution)
{
    size_t n = x->n_monomials, column = 0;
    uint64_t *out = nh_arena_array(x->arena, 2 * n, sizeof *out);
    for (size_t j = 0; j < 2 * n; j++)
        out[j] = possible[j] ? solution[column++] : 0;
    return out;
}

/* D, then N, from a_k(x) D(x) - N(x) = 0. NULL: they are not of this degree. */
static uint64_t *find_polynomials(interpolation *x, size_t component, const bool *possible, size_t count)
{
    nh_echelon *echelon = nh_echelon_new(x->arena, count, count);
    for (size_t i = 0; i < count + CHECKS; i++)
        nh_echelon_add(echelon, row_of(x, component, possible, count, &x->samples[i]));
    uint64_t *solution = nh_arena_array(x->arena, count, sizeof *solution);
    for (size_t j = 0; j < count; j++) {
        if (echelon->rows[j])
            continue;
        nh_echelon_null(echelon, j, solution);
        uint64_t *both = spread(x, possible, solution), D = 0;
        for (size_t l = 0; l < x->n_monomials; l++)
            D = nh_mod_add(D, nh_mod_mul(both[l], monomial_at(x, &x->monomials[l], &x->samples[0])));
        if (D) /* not one that vanishes by sin^2 + cos^2 = 1 */
            return both;
    }
    return NULL;
}

/* D with 1 as its first coefficient: the others will be short fractions. */
static void normalise(uint64_t *solution, size_t n)
{
    size_t first = 0;
    while (solution[first] == 0)
        first++;
    uint64_t factor = nh_mod_inverse(solution[first]);
    for (size_t j = 0; j < 2 * n; j++)
        solution[j] = nh_mod_mul(solution[j], factor);
}

/* ---------------------------------------------------------------- rational coefficients */

/* The fraction u/v = c modulo p with u, v < 2^30, by Euclid's algorithm; there is at most one. */
static bool fraction_of(uint64_t c, nh_rational *out)
{
    int64_t a = (int64_t)NH_P, b = (int64_t)c, s = 0, t = 1, bound = INT64_C(1) << 30;
    while (b >= bound) {
        int64_t q = a / b, rest = a - q * b, next = s - q * t;
        a = b, b = rest, s = t, t = next;
    }
    *out = (nh_rational){t < 0 ? -b : b, t < 0 ? -t : t, NULL};
    return t != 0 && out->den < bound;
}

static bool polynomial_expr(interpolation *x, const uint64_t *c, nh_expr *out)
{
    nh_pool *pool = x->r->algebra->pool;
    *out = pool->zero;
    for (size_t j = 0; j < x->n_monomials; j++) {
        nh_rational number;
        if (c[j] == 0)
            continue;
        if (!fraction_of(c[j], &number))
            return false;
        nh_expr term = pool->one;
        for (size_t g = 0; g < x->n_used; g++)
            term =
                nh_mul(pool, term, nh_power(pool, x->generators[x->used[g]], x->monomials[j].exponents[g]));
        *out = nh_add(pool, *out, nh_mul(pool, nh_number(pool, number), term));
    }
    return true;
}

/* ---------------------------------------------------------------- component by component, degree by degree */

static bool write_fraction(interpolation *x, uint64_t *solution, nh_expr *out)
{
    nh_expr D, N;
    normalise(solution, x->n_monomials);
    bool short_enough = polynomial_expr(x, solution, &D) && polynomial_expr(x, solution + x->n_monomials, &N);
    if (short_enough)
        *out = nh_div(x->r->algebra->pool, N, D);
    else
        x->r->algebra->reason = "a coefficient has too many digits";
    return short_enough;
}

static bool find_component(interpolation *x, size_t component, nh_expr *out)
{
    degrees total = x->bounds[component * (x->n_generators + 1) + x->n_generators];
    x->n_monomials = x->n_used = 0;
    for (size_t g = 0; g < x->n_generators; g++)
        if (changes_with(x, component, x->generators[g]))
            x->used[x->n_used++] = g;
    for (size_t degree = 0; degree <= MOST_DEGREE && (degree == 0 || x->n_used > 0); degree++) {
        add_degree(x, component, degree);
        if (total.above != ANY && degree < (total.above > total.below ? total.above : total.below))
            continue;
        bool *possible = nh_arena_array(x->arena, 2 * x->n_monomials, sizeof *possible);
        size_t count = count_unknowns(x, component, possible);
        if (count > MOST_UNKNOWNS)
            break;
        if (!want_samples(x, count + CHECKS))
            return false;
        nh_arena_mark mark = nh_arena_here(x->arena);
        uint64_t *solution = find_polynomials(x, component, possible, count);
        if (solution)
            return write_fraction(x, solution, out);
        nh_arena_release(x->arena, mark);
    }
    x->r->algebra->reason = "a coefficient is no short function of the parameters";
    return false;
}

static bool interpolate(interpolation *x, nh_expr *a)
{
    x->r->algebra->reason = "a relation does not hold for other values of the parameters";
    if (!find_what_matters(x))
        return false;
    find_generators(x);
    find_bounds(x);
    x->used = nh_arena_array(x->arena, x->n_generators + 1, sizeof *x->used);
    for (size_t k = 0; k < x->size; k++)
        if (!find_component(x, k, &a[k]))
            return false;
    return true;
}

bool nh_relations_interpolate(nh_relations *r, const size_t *support, size_t size, nh_expr *a)
{
    nh_pool *pool = r->algebra->pool;
    nh_arena_mark mark = nh_arena_here(&r->arena);
    interpolation x = {.r = r, .arena = &r->arena, .size = size};
    x.e = nh_arena_array(x.arena, r->rows * size + 1, sizeof *x.e);
    for (size_t i = 0; i < r->rows; i++)
        for (size_t k = 0; k < size; k++)
            x.e[i * size + k] = r->e[i * r->count + support[k]];
    x.n_roots = x.roots_capacity = r->rows * size;
    add_roots(&x);
    x.values = nh_arena_array(x.arena, pool->n_symbols + 1, sizeof *x.values);
    nh_arena_init_temporary(&x.points_arena, pool->arena->heap);
    x.points = nh_modular_new_for(pool, &x.points_arena, x.e, x.n_roots, r->constant);
    bool done = interpolate(&x, a);
    nh_arena_free(&x.points_arena);
    nh_arena_release(&r->arena, mark);
    if (done)
        r->algebra->reason = NULL;
    return done;
}
