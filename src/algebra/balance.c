/* Long sums of angles.
 *
 * The sine of a sum of n angles has 2^(n-1) terms in the sines and cosines of the angles, and products of such sums
 * soon have more than can be paid for. In a chain of bodies the directions are a, a + b, a + b + c, ...: seen from the
 * middle one, which takes the place of a as the base, no sum is longer than half of the longest. What does not change
 * under a common rotation is free of the base in the end, whichever it was. */
#include "algebra/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_SUM = 3, MOST_CIRCLES = 20, MOST_TURNS = 40 };

/* The arguments sum_i times_i a_i, and their differences: what sines and cosines of arguments are multiplied to. A new
 * base b instead of the angle a_j, a_j = b + sum_i shift_i a_i, turns them into times_j b + sum_i (times_i + shift_i
 * times_j) a_i. */
typedef struct rebasing {
    size_t n, j;
    int64_t *shift;  /* by circle */
    int64_t *times;  /* by row and circle */
    int64_t *angles; /* by row: the sum of |times| */
    size_t rows;
    double cost;
} rebasing;

static int64_t angles_in(const int64_t *times, size_t n)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += llabs(times[i]);
    return sum;
}

/* With `by` times a_i more in the shift. */
static double cost_of(const rebasing *r, size_t i, int by)
{
    double cost = 0;
    for (size_t k = 0; k < r->rows; k++) {
        const int64_t *times = r->times + k * r->n;
        int64_t more = llabs(times[i] + by * times[r->j]) - llabs(times[i]);
        cost += ldexp(1, (int)(r->angles[k] + more));
    }
    return cost;
}

static void shift(rebasing *r, size_t i, int by)
{
    r->shift[i] += by;
    for (size_t k = 0; k < r->rows; k++) {
        int64_t *times = r->times + k * r->n;
        r->angles[k] -= llabs(times[i]);
        times[i] += by * times[r->j];
        r->angles[k] += llabs(times[i]);
    }
}

/* The best step; false: none makes it cheaper. */
static bool step(rebasing *r)
{
    size_t best = 0;
    int best_by = 0;
    for (size_t i = 0; i < r->n; i++)
        for (int by = -1; by <= 1; by += 2) {
            double cost = i == r->j ? r->cost : cost_of(r, i, by);
            if (cost < r->cost)
                r->cost = cost, best = i, best_by = by;
        }
    if (best_by)
        shift(r, best, best_by);
    return best_by != 0;
}

static void add_row(rebasing *r, const nh_turns *a, const nh_turns *b)
{
    int64_t *row = r->times + r->rows * r->n;
    for (size_t i = 0; i < r->n; i++)
        row[i] = a->times[i] - (b ? b->times[i] : 0);
    r->angles[r->rows++] = angles_in(row, r->n);
}

static rebasing rebase(const nh_basis *basis, size_t j)
{
    size_t n = basis->n_circles, most = basis->n_turns * (basis->n_turns + 1) / 2;
    rebasing r = {.n = n, .j = j};
    r.shift = nh_arena_array(basis->arena, n, sizeof *r.shift);
    r.times = nh_arena_array(basis->arena, n * most, sizeof *r.times);
    r.angles = nh_arena_array(basis->arena, most, sizeof *r.angles);
    for (size_t k = 0; k < basis->n_turns; k++) {
        const nh_turns *t = &basis->turns[k];
        for (size_t l = 0; l < k && !t->hyperbolic; l++)
            if (!basis->turns[l].hyperbolic)
                add_row(&r, t, &basis->turns[l]);
        if (!t->hyperbolic)
            add_row(&r, t, NULL);
    }
    r.cost = cost_of(&r, j, 0);
    while (step(&r))
        ;
    return r;
}

static void apply(nh_basis *basis, const rebasing *r)
{
    nh_pool *pool = basis->pool;
    nh_expr base = basis->circles[r->j].e;
    for (size_t i = 0; i < r->n; i++)
        base = nh_sub(pool, base, nh_mul(pool, nh_integer(pool, r->shift[i]), basis->circles[i].e));
    basis->circles[r->j].e = nh_basis_collect(basis, base);
    for (size_t k = 0; k < basis->n_turns; k++)
        for (size_t i = 0; i < r->n && !basis->turns[k].hyperbolic; i++)
            basis->turns[k].times[i] += r->shift[i] * basis->turns[k].times[r->j];
}

static bool has_long_sum(const nh_basis *basis)
{
    for (size_t k = 0; k < basis->n_turns; k++)
        if (!basis->turns[k].hyperbolic && angles_in(basis->turns[k].times, basis->n_circles) > LONG_SUM)
            return true;
    return false;
}

void nh_basis_balance(nh_basis *basis)
{
    if (basis->n_circles > MOST_CIRCLES || basis->n_turns > MOST_TURNS || !has_long_sum(basis))
        return;
    rebasing best = {.cost = INFINITY};
    for (size_t j = 0; j < basis->n_circles; j++) {
        rebasing r = rebase(basis, j);
        if (!basis->circles[j].hyperbolic && r.cost < best.cost)
            best = r;
    }
    if (best.n)
        apply(basis, &best);
}
