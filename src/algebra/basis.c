#include "algebra/basis.h"
#include "algebra/arguments.h"
#include "algebra/lattice.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- circles */

static size_t circle_of(nh_basis *basis, nh_expr atom, bool hyperbolic)
{
    for (size_t i = 0; i < basis->n_circles; i++)
        if (basis->circles[i].atom == atom && basis->circles[i].hyperbolic == hyperbolic)
            return i;
    nh_push(basis->arena, basis->circles, basis->n_circles, basis->circles_capacity) =
        (nh_circle){.atom = atom, .hyperbolic = hyperbolic, .units = 1};
    return basis->n_circles - 1;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

static bool is_pi(const nh_basis *basis, const nh_monomial *m)
{
    return m->count == 1 && m->factors[0].base == basis->pool->pi && m->factors[0].exponent == 1;
}

/* Multiples of pi/12 are known numbers. */
static bool known_turn(const nh_basis *basis, const nh_monomial *m, bool hyperbolic)
{
    return !hyperbolic && is_pi(basis, m) && 12 % m->coefficient.den == 0;
}

/* The circle that a term needs, with units fine enough; false: they would be
 * too fine. */
static bool note_term(nh_basis *basis, const nh_monomial *m, nh_function function, bool hyperbolic)
{
    if (known_turn(basis, m, hyperbolic))
        return true;
    size_t index = circle_of(basis, nh_monomial_expr(basis, m), hyperbolic);
    nh_circle *circle = &basis->circles[index];
    int64_t den = m->coefficient.den, units = circle->units / divisor(circle->units, den) * den;
    circle->pair = circle->pair || (hyperbolic && function != NH_FN_exp);
    if (units > NH_MOST_UNITS)
        return false;
    circle->units = units;
    return true;
}

static bool is_wild(const nh_basis *basis, nh_expr atom, bool hyperbolic)
{
    for (size_t i = 0; i < basis->n_wild[hyperbolic]; i++)
        if (basis->wild[hyperbolic][i] == atom)
            return true;
    return false;
}

static nh_polynomial *tame_argument(nh_basis *basis, nh_expr argument, bool hyperbolic)
{
    nh_polynomial *p = nh_argument_of(basis, argument);
    for (size_t i = 0; i < p->count && basis->n_wild[hyperbolic]; i++) {
        nh_rational c = p->terms[i].coefficient;
        if ((c.den != 1 || llabs(c.num) > basis->most_turns) &&
            is_wild(basis, nh_monomial_expr(basis, &p->terms[i]), hyperbolic))
            nh_set_atom(p, argument, 1);
    }
    return p;
}

static void note_argument(nh_basis *basis, nh_expr argument, nh_function function)
{
    bool hyperbolic =
        function == NH_FN_exp || function == NH_FN_sinh || function == NH_FN_cosh || function == NH_FN_tanh;
    nh_polynomial *p = tame_argument(basis, argument, hyperbolic);
    for (size_t i = 0; i < p->count; i++)
        if (!note_term(basis, &p->terms[i], function, hyperbolic)) {
            nh_set_atom(p, argument, 1);
            note_term(basis, &p->terms[0], function, hyperbolic);
        }
}

/* The argument in terms whose circles are fine enough, or all of it as one
 * atom. */
static nh_polynomial *noted_argument(nh_basis *basis, nh_expr argument, bool hyperbolic)
{
    nh_polynomial *p = tame_argument(basis, argument, hyperbolic);
    for (size_t i = 0; i < p->count; i++) {
        const nh_monomial *m = &p->terms[i];
        if (known_turn(basis, m, hyperbolic))
            continue;
        size_t index = circle_of(basis, nh_monomial_expr(basis, m), hyperbolic);
        if (basis->circles[index].units % m->coefficient.den != 0)
            nh_set_atom(p, argument, 1);
    }
    return p;
}

/* The argument in units of the atoms' circles. */
static void take_turns(nh_basis *basis, nh_expr argument, bool hyperbolic)
{
    if (nh_basis_turns(basis, argument, hyperbolic))
        return;
    nh_turns t = {.argument = argument, .hyperbolic = hyperbolic};
    t.times = nh_arena_array(basis->arena, basis->n_circles + 1, sizeof *t.times);
    nh_polynomial *p = noted_argument(basis, argument, hyperbolic);
    for (size_t i = 0; i < p->count; i++) {
        nh_rational c = p->terms[i].coefficient;
        if (known_turn(basis, &p->terms[i], hyperbolic)) {
            int64_t twelfths = c.num * (12 / c.den);
            t.quarters = twelfths / 6, t.twelfths = twelfths % 6;
            if (t.twelfths < 0)
                t.quarters--, t.twelfths += 6;
            continue;
        }
        size_t k = circle_of(basis, nh_monomial_expr(basis, &p->terms[i]), hyperbolic);
        t.times[k] = c.num * (basis->circles[k].units / c.den);
    }
    nh_push(basis->arena, basis->turns, basis->n_turns, basis->turns_capacity) = t;
}

/* sum of times[k] * angle k */
static nh_expr angle_sum(nh_basis *basis, const int64_t *times)
{
    nh_pool *pool = basis->pool;
    nh_expr sum = pool->zero;
    for (size_t k = 0; k < basis->n_circles; k++) {
        if (!times[k])
            continue;
        nh_rational times_k = nh_rational_int(times[k]), units = nh_rational_int(basis->circles[k].units);
        nh_expr number = nh_number(pool, nh_rational_div(&pool->numbers, times_k, units));
        sum = nh_add(pool, sum, nh_mul(pool, number, basis->circles[k].atom));
    }
    return sum;
}

/* The vector with the sign in which it occurs more often in the turns. */
static void orient(nh_basis *basis, size_t circle, int64_t *vector)
{
    int balance = 0;
    for (size_t i = 0; i < basis->n_turns; i++)
        balance += (basis->turns[i].times[circle] > 0) - (basis->turns[i].times[circle] < 0);
    for (size_t i = 0; i < basis->n_turns && balance < 0; i++)
        basis->turns[i].times[circle] *= -1;
    for (size_t k = 0; k < basis->n_circles && balance < 0; k++)
        vector[k] *= -1;
}

/* A circle for each vector, instead of those of one kind that there are. */
static void replace_circles(nh_basis *basis, int64_t *vectors, size_t count, bool hyperbolic)
{
    size_t n = basis->n_circles, kept = 0, *from = nh_arena_array(basis->arena, n + 1, sizeof *from);
    nh_circle *circles = nh_arena_array(basis->arena, n + 1, sizeof *circles),
              new = {.hyperbolic = hyperbolic, .units = 1};
    for (size_t k = 0; k < n; k++)
        if (basis->circles[k].hyperbolic == hyperbolic)
            new.pair = new.pair || basis->circles[k].pair;
        else
            from[kept] = k, circles[kept++] = basis->circles[k];
    for (size_t i = 0; i < basis->n_turns; i++) {
        nh_turns *t = &basis->turns[i];
        int64_t *times = nh_arena_array(basis->arena, n + 1, sizeof *times);
        for (size_t k = 0; k < kept; k++)
            times[k] = t->times[from[k]];
        if (t->hyperbolic == hyperbolic)
            nh_lattice_coordinates(vectors, count, n, t->times, times + kept);
        t->times = times;
    }
    for (size_t i = 0; i < count; i++) {
        orient(basis, kept + i, vectors + i * n);
        new.e = angle_sum(basis, vectors + i * n);
        circles[kept + i] = new;
    }
    basis->circles = circles, basis->n_circles = kept + count, basis->circles_capacity = n + 1;
}

/* Where only x - y occurs, and not x and y in other ways, the angle is x - y.
 */
static void take_differences(nh_basis *basis, bool hyperbolic)
{
    size_t n = basis->n_circles, count = 0, rank;
    int64_t *M = nh_arena_array(basis->arena, basis->n_turns * n + 1, sizeof *M);
    for (size_t i = 0; i < basis->n_turns; i++)
        if (basis->turns[i].hyperbolic == hyperbolic)
            memcpy(M + i * n, basis->turns[i].times, n * sizeof *M);
    for (size_t k = 0; k < n; k++)
        count += basis->circles[k].hyperbolic == hyperbolic;
    if (nh_lattice_reduce(M, basis->n_turns, n, &rank) && rank < count)
        replace_circles(basis, M, rank, hyperbolic);
}

/* Where only sin(2*x) and sin(4*x) occur, the angle is 2*x. */
static void take_steps(nh_basis *basis)
{
    for (size_t k = 0; k < basis->n_circles; k++) {
        int64_t step = 0;
        for (size_t i = 0; i < basis->n_turns; i++)
            step = divisor(llabs(basis->turns[i].times[k]), step);
        basis->circles[k].step = step > 1 ? step : 1;
        for (size_t i = 0; i < basis->n_turns; i++)
            basis->turns[i].times[k] /= basis->circles[k].step;
    }
}

const nh_turns *nh_basis_turns(const nh_basis *basis, nh_expr argument, bool hyperbolic)
{
    for (size_t i = 0; i < basis->n_turns; i++)
        if (basis->turns[i].argument == argument && basis->turns[i].hyperbolic == hyperbolic)
            return &basis->turns[i];
    return NULL;
}

static bool is_plain_angle(const nh_basis *basis, size_t i)
{
    const nh_circle *c = &basis->circles[i];
    return !c->hyperbolic && c->units == 1 && c->step == 1 && nh_get(basis->pool, c->atom).kind == NH_SYMBOL;
}

/* b_0 = a_0, b_i = a_i - a_(i-1): what does not change under a common rotation
 * becomes free of b_0. sum_j n_j a_j = sum_i (sum_(j >= i) n_j) b_i. */
static void chain(nh_basis *basis)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < basis->n_circles; i++)
        if (is_plain_angle(basis, i)) {
            if (last != SIZE_MAX)
                basis->circles[i].e = nh_sub(basis->pool, basis->circles[i].atom, basis->circles[last].atom);
            last = i;
        }
    for (size_t k = 0; k < basis->n_turns; k++) {
        int64_t sum = 0;
        for (size_t i = basis->n_circles; i-- > 0 && !basis->turns[k].hyperbolic;)
            if (is_plain_angle(basis, i)) {
                sum += basis->turns[k].times[i];
                basis->turns[k].times[i] = sum;
            }
    }
}

/* ---------------------------------------------------------------- nodes and
 * generators */

static bool is_circular(nh_function f) { return f == NH_FN_sin || f == NH_FN_cos || f == NH_FN_tan; }

static bool is_exponential(nh_function f)
{
    return f == NH_FN_exp || f == NH_FN_sinh || f == NH_FN_cosh || f == NH_FN_tanh;
}

/* p/q with a small q > 1. */
static bool is_root(const nh_pool *pool, nh_node node, int64_t *q)
{
    nh_rational n;
    *q = 2;
    if (node.kind == NH_CALL)
        return node.function == NH_FN_sqrt;
    if (node.kind != NH_POW || !nh_is_number(pool, node.b, &n) || n.big || n.den == 1)
        return false;
    *q = n.den;
    return n.den <= 12 && llabs(n.num) <= 100;
}

static bool is_whole_power(const nh_pool *pool, nh_node node)
{
    nh_rational n;
    return node.kind == NH_POW && nh_is_number(pool, node.b, &n) && !n.big && n.den == 1;
}

int nh_basis_parts(const nh_pool *pool, nh_node node, nh_expr parts[2])
{
    int64_t q;
    parts[0] = node.a, parts[1] = node.b;
    if (node.kind == NH_ADD || node.kind == NH_MUL)
        return 2;
    if (is_whole_power(pool, node) || is_root(pool, node, &q))
        return 1;
    return node.kind == NH_CALL && node.function == NH_FN_abs;
}

/* Nodes reached through parts only; operands first. */
static void collect(nh_basis *basis, const nh_expr *roots, size_t count)
{
    const nh_pool *pool = basis->pool;
    nh_expr top = 0;
    for (size_t i = 0; i < count; i++)
        top = roots[i] > top ? roots[i] : top;
    uint8_t *seen = nh_arena_array(basis->arena, (size_t)top + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        seen[roots[i]] = 1;
    for (nh_expr e = top; e > 0; e--) {
        nh_expr parts[2];
        for (int k = seen[e] ? nh_basis_parts(pool, nh_get(pool, e), parts) : 0; k-- > 0;)
            seen[parts[k]] = 1;
        n += seen[e];
    }
    basis->walk = (nh_walk){nh_arena_array(basis->arena, n + 1, sizeof *basis->walk.nodes), 0};
    for (nh_expr e = 1; e <= top; e++)
        if (seen[e])
            basis->walk.nodes[basis->walk.count++] = e;
}

static size_t add_generator(nh_basis *basis, nh_generator g)
{
    nh_push(basis->arena, basis->generators, basis->n, basis->capacity) = g;
    return basis->n - 1;
}

static void own_generator(nh_basis *basis, nh_expr e, nh_generator g)
{
    g.e = e;
    basis->generator_of[e] = (uint32_t)add_generator(basis, g) + 1;
}

/* All x^(p/q) are powers of one x^(1/q). */
static void own_root(nh_basis *basis, nh_expr e, nh_node node, int64_t q)
{
    nh_expr root = e;
    if (node.kind == NH_POW)
        root = nh_pow(basis->pool, node.a, nh_number(basis->pool, (nh_rational){.num = 1, .den = q}));
    for (size_t i = 0; i < basis->n; i++)
        if (basis->generators[i].e == root && !basis->generators[i].under) {
            basis->generator_of[e] = (uint32_t)i + 1;
            return;
        }
    nh_generator g = {.kind = NH_GENERATOR_ROOT, .e = root, .q = q, .sign = 1};
    basis->generator_of[e] = (uint32_t)add_generator(basis, g) + 1;
}

/* ---------------------------------------------------------------- square roots
 * of products */

static void note_simple_root(nh_basis *basis, nh_expr under)
{
    for (size_t i = 0; i < basis->n_simple_roots; i++)
        if (basis->generators[basis->simple_roots[i]].under == under)
            return;
    nh_expr root = nh_call(basis->pool, NH_FN_sqrt, under, NH_EXPR_NONE);
    nh_generator g = {.kind = NH_GENERATOR_ROOT, .e = root, .q = 2, .sign = 1, .under = under};
    size_t index = add_generator(basis, g);
    nh_push(basis->arena, basis->simple_roots, basis->n_simple_roots, basis->simple_roots_capacity) = index;
}

static void note_primes(nh_basis *basis, int64_t n)
{
    for (int64_t p = 2; n > 1 && p < 1000; p++)
        if (n % p == 0) {
            note_simple_root(basis, nh_integer(basis->pool, p));
            while (n % p == 0)
                n /= p;
        }
}

/* sqrt(6 m x) = sqrt(2) sqrt(3) sqrt(m) sqrt(x) for a positive m: each gets a
 * generator of its own, whatever the products they stand in. */
static void note_parts_of_root(nh_basis *basis, nh_expr under)
{
    nh_product product = nh_product_of(basis->pool, basis->arena, under);
    if (!product.number.big && product.number.num > 0) {
        note_primes(basis, product.number.num);
        note_primes(basis, product.number.den);
    }
    for (size_t i = 0; i < product.count; i++) {
        nh_expr base = product.factors[i].base;
        uint32_t index;
        if (nh_is_symbol(basis->pool, base, &index) && basis->signs && basis->signs[index] > 0)
            note_simple_root(basis, base);
    }
}

/* |x y| = |x| |y|: each gets a generator of its own. */
static void note_absolute(nh_basis *basis, nh_expr symbol)
{
    nh_expr e = nh_call(basis->pool, NH_FN_abs, symbol, NH_EXPR_NONE);
    for (size_t i = 0; i < basis->n_absolutes; i++)
        if (basis->generators[basis->absolutes[i]].e == e)
            return;
    size_t index = add_generator(basis, (nh_generator){.kind = NH_GENERATOR_ABS, .e = e, .q = 2, .sign = 1});
    nh_push(basis->arena, basis->absolutes, basis->n_absolutes, basis->absolutes_capacity) = index;
}

static void note_parts_of_absolute(nh_basis *basis, nh_expr under)
{
    nh_product product = nh_product_of(basis->pool, basis->arena, under);
    for (size_t i = 0; i < product.count; i++) {
        uint32_t index;
        if (nh_is_symbol(basis->pool, product.factors[i].base, &index) &&
            (!basis->signs || basis->signs[index] == 0))
            note_absolute(basis, product.factors[i].base);
    }
}

static void note_simple_roots(nh_basis *basis)
{
    for (size_t i = 0; i < basis->walk.count; i++) {
        nh_node node = nh_get(basis->pool, basis->walk.nodes[i]);
        if (node.kind == NH_CALL && node.function == NH_FN_sqrt)
            note_parts_of_root(basis, node.a);
        if (node.kind == NH_CALL && node.function == NH_FN_abs)
            note_parts_of_absolute(basis, node.a);
    }
}

/* The generator of a node that is one: roots and absolute values now, others
 * later: the order is that of the monomials, and a root must come before all
 * that stands under it. x^(2/3) has the place of the first of its kind. */
static void note_roots(nh_basis *basis)
{
    for (size_t i = 0; i < basis->walk.count; i++) {
        nh_expr e = basis->walk.nodes[i];
        nh_node node = nh_get(basis->pool, e);
        int64_t q;
        if (is_root(basis->pool, node, &q))
            own_root(basis, e, node, q);
        else if (node.kind == NH_CALL && node.function == NH_FN_abs)
            own_generator(basis, e, (nh_generator){.kind = NH_GENERATOR_ABS, .q = 2, .sign = 1});
    }
    for (size_t i = 0; i < basis->n / 2; i++) {
        nh_generator swap = basis->generators[i];
        basis->generators[i] = basis->generators[basis->n - 1 - i];
        basis->generators[basis->n - 1 - i] = swap;
    }
    for (size_t i = 0; i < basis->walk.count; i++) {
        uint32_t *index = &basis->generator_of[basis->walk.nodes[i]];
        *index = *index ? (uint32_t)basis->n + 1 - *index : 0;
    }
}

static void name_circles(nh_basis *basis)
{
    nh_pool *pool = basis->pool;
    for (size_t i = 0; i < basis->n_circles; i++) {
        nh_circle *c = &basis->circles[i];
        if (!c->e)
            c->e = nh_div(pool, nh_mul(pool, nh_integer(pool, c->step), c->atom), nh_integer(pool, c->units));
    }
}

static void note_circles(nh_basis *basis)
{
    nh_pool *pool = basis->pool;
    for (int cosines = 0; cosines < 2; cosines++)
        for (size_t i = 0; i < basis->n_circles; i++) {
            nh_circle *c = &basis->circles[i];
            if (c->hyperbolic && !c->pair && cosines)
                continue;
            nh_generator_kind kind = !c->hyperbolic ? (cosines ? NH_GENERATOR_COS : NH_GENERATOR_SIN)
                                     : !c->pair     ? NH_GENERATOR_EXP
                                     : cosines      ? NH_GENERATOR_COSH
                                                    : NH_GENERATOR_SINH;
            static const nh_function functions[] = {[NH_GENERATOR_SIN] = NH_FN_sin,
                                                    [NH_GENERATOR_COS] = NH_FN_cos,
                                                    [NH_GENERATOR_SINH] = NH_FN_sinh,
                                                    [NH_GENERATOR_COSH] = NH_FN_cosh,
                                                    [NH_GENERATOR_EXP] = NH_FN_exp};
            bool positive = kind == NH_GENERATOR_COSH || kind == NH_GENERATOR_EXP;
            nh_generator g = {.kind = kind,
                              .circle = i,
                              .sign = positive,
                              .e = nh_call(pool, functions[kind], c->e, NH_EXPR_NONE)};
            size_t index = add_generator(basis, g);
            if (cosines)
                c->cosine = index;
            else
                c->sine = index;
        }
}

/* Symbols last, parameters behind what varies. */
static void note_others(nh_basis *basis)
{
    const nh_pool *pool = basis->pool;
    for (int placing = NH_PLACED_THIRD + 1; placing >= NH_PLACED_FIRST; placing--)
        for (size_t i = 0; i < basis->walk.count; i++) {
            nh_expr e = basis->walk.nodes[i];
            nh_node node = nh_get(pool, e);
            bool symbol = node.kind == NH_SYMBOL, pi = node.kind == NH_PI;
            int place = symbol ? pool->places[node.a] : pi ? NH_PLACED_FIRST : NH_PLACED_THIRD + 1;
            nh_expr parts[2];
            bool made =
                node.kind == NH_NUMBER || nh_basis_parts(pool, node, parts) > 0 || basis->generator_of[e] ||
                (node.kind == NH_CALL &&
                 (is_circular((nh_function)node.function) || is_exponential((nh_function)node.function)));
            if (made || place != placing)
                continue;
            signed char sign = symbol && basis->signs ? basis->signs[node.a] : pi;
            own_generator(basis, e,
                          (nh_generator){.kind = symbol || pi ? NH_GENERATOR_SYMBOL : NH_GENERATOR_OTHER,
                                         .sign = sign});
        }
}

/* In the order of their atoms, whatever the functions are that they occur in.
 */
static void sort_circles(nh_basis *basis)
{
    for (size_t i = 1; i < basis->n_circles; i++)
        for (size_t j = i;
             j > 0 && nh_compare(basis->pool, basis->circles[j].atom, basis->circles[j - 1].atom) < 0; j--) {
            nh_circle swap = basis->circles[j];
            basis->circles[j] = basis->circles[j - 1], basis->circles[j - 1] = swap;
        }
}

/* Whether there are atoms that were not known to be wild. Powers of exp alone have no such sums. */
static bool find_wild(nh_basis *basis)
{
    bool found = false;
    for (size_t k = 0; k < basis->n_circles; k++) {
        const nh_circle *c = &basis->circles[k];
        int64_t step = 0, most = 0;
        for (size_t i = 0; i < basis->n_turns; i++) {
            int64_t times = basis->turns[i].hyperbolic == c->hyperbolic ? llabs(basis->turns[i].times[k]) : 0;
            step = divisor(times, step), most = times > most ? times : most;
        }
        if (most <= basis->most_turns * step || (c->hyperbolic && !c->pair) ||
            is_wild(basis, c->atom, c->hyperbolic))
            continue;
        int h = c->hyperbolic;
        nh_push(basis->arena, basis->wild[h], basis->n_wild[h], basis->wild_capacity[h]) = c->atom;
        found = true;
    }
    return found;
}

static void note_turns(nh_basis *basis)
{
    for (int turn = 0; turn < 2; turn++, sort_circles(basis)) /* first the circles, then the turns on them */
        for (size_t i = 0; i < basis->walk.count; i++) {
            nh_node node = nh_get(basis->pool, basis->walk.nodes[i]);
            nh_function f = (nh_function)node.function;
            if (node.kind != NH_CALL || (!is_circular(f) && !is_exponential(f)))
                continue;
            if (turn == 0)
                note_argument(basis, node.a, f);
            else
                take_turns(basis, node.a, is_exponential(f));
        }
}

static void note_arguments(nh_basis *basis)
{
    note_turns(basis);
    while (find_wild(basis)) {
        basis->n_circles = basis->n_turns = 0;
        note_turns(basis);
    }
    take_differences(basis, false);
    take_differences(basis, true);
    take_steps(basis);
}

/* sqrt(2) and sqrt(3) come in with multiples of pi/12. */
static bool needs_roots(const nh_basis *basis)
{
    for (size_t i = 0; i < basis->n_turns; i++)
        if (basis->turns[i].twelfths)
            return true;
    return false;
}

static void note_constants(nh_basis *basis)
{
    nh_pool *pool = basis->pool;
    if (!needs_roots(basis))
        return;
    basis->root2 = nh_call(pool, NH_FN_sqrt, nh_integer(pool, 2), NH_EXPR_NONE);
    basis->root3 = nh_call(pool, NH_FN_sqrt, nh_integer(pool, 3), NH_EXPR_NONE);
}

void nh_basis_init(nh_basis *basis, nh_pool *pool, nh_arena *arena, const signed char *signs,
                   const nh_expr *roots, size_t count, bool chained, int64_t most_turns)
{
    *basis = (nh_basis){.pool = pool, .arena = arena, .signs = signs, .most_turns = most_turns};
    collect(basis, roots, count);
    note_arguments(basis);
    note_constants(basis);
    if (basis->root2) { /* again, with the constants as roots of their own */
        nh_expr *all = nh_arena_array(arena, count + 2, sizeof *all);
        memcpy(all, roots, count * sizeof *all);
        all[count] = basis->root2, all[count + 1] = basis->root3;
        collect(basis, all, count + 2);
    }
    name_circles(basis);
    if (chained)
        chain(basis);
    nh_basis_balance(basis);
    basis->generator_of =
        nh_arena_array(arena, basis->walk.count ? basis->walk.nodes[basis->walk.count - 1] + 1u : 1, 4);
    note_roots(basis);
    note_simple_roots(basis);
    note_circles(basis);
    note_others(basis);
}
