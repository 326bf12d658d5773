/* The real zeros of a polynomial in one symbol, all of them. Those of p are separated by those of its derivative: with the last derivative,
 * which is linear, it begins. All values are whole numbers, x 2^BITS, and exact. */
#include "algebra/work.h"

#include <math.h>

enum { BITS = 320, HIGHEST = 20, OF_DOUBLES = 53 };

typedef struct zeros {
    nh_expr e, symbol;
    size_t most, count;
    double *out;
    bool done;
} zeros;

/* The numerator of e; false: there is something else in it, or it is 0 or too long. */
static bool read_polynomial(nh_ring *ring, const zeros *z, fmpz_poly_t p)
{
    const fmpz_mpoly_struct *from = nh_q_numref(nh_ring_form(ring, z->e));
    slong x = (slong)ring->basis->generator_of[z->symbol] - 1, length = fmpz_mpoly_length(from, ring->ctx);
    int *used = flint_calloc((size_t)ring->n + 1, sizeof *used);
    fmpz_mpoly_used_vars(used, from, ring->ctx);
    bool alone = x >= 0 && length > 0 && fmpz_mpoly_degree_si(from, x, ring->ctx) <= HIGHEST;
    for (slong k = 0; k < ring->n; k++)
        alone = alone && (k == x || !used[k]);
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < length && alone; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, from, i, ring->ctx);
        fmpz_poly_set_coeff_fmpz(p, fmpz_mpoly_get_term_var_exp_si(from, i, x, ring->ctx), c);
    }
    fmpz_clear(c);
    flint_free(used);
    return alone;
}

/* Each zero once: p / gcd(p, p'). */
static void make_simple(fmpz_poly_t p)
{
    fmpz_poly_t g;
    fmpz_poly_init(g);
    fmpz_poly_derivative(g, p);
    fmpz_poly_gcd(g, g, p);
    fmpz_poly_div(p, p, g);
    fmpz_poly_clear(g);
}

/* p(y / 2^BITS) 2^(BITS d) */
static void scale(fmpz_poly_t p)
{
    slong d = fmpz_poly_degree(p);
    for (slong i = 0; i <= d; i++)
        fmpz_mul_2exp(fmpz_poly_get_coeff_ptr(p, i), fmpz_poly_get_coeff_ptr(p, i), (ulong)(BITS * (d - i)));
}

/* All zeros are within +-bound (Cauchy), in these units. */
static void find_bound(fmpz_t bound, const fmpz_poly_t p)
{
    fmpz_poly_height(bound, p);
    fmpz_cdiv_q(bound, bound, fmpz_poly_get_coeff_ptr(p, fmpz_poly_degree(p)));
    fmpz_abs(bound, bound);
    fmpz_add_ui(bound, bound, 2);
    fmpz_mul_2exp(bound, bound, BITS);
}

/* To the nearest double. */
static double value_of(fmpz_t y)
{
    slong power;
    fmpz_t half;
    fmpz_init_set_si(half, fmpz_sgn(y));
    flint_bitcnt_t bits = fmpz_bits(y);
    if (bits > OF_DOUBLES) {
        fmpz_mul_2exp(half, half, bits - OF_DOUBLES - 1);
        fmpz_add(y, y, half);
    }
    fmpz_clear(half);
    double part = fmpz_get_d_2exp(&power, y); /* cut off */
    return ldexp(part, (int)power - BITS);
}

static int sign_at(const fmpz_poly_t p, const fmpz_t y)
{
    fmpz_t value;
    fmpz_init(value);
    fmpz_poly_evaluate_fmpz(value, p, y);
    int sign = fmpz_sgn(value);
    fmpz_clear(value);
    return sign;
}

/* Where p is 0, or its sign is that at a, and not at the next number: a is moved there. */
static void bisect(const fmpz_poly_t p, fmpz_t a, const fmpz_t b)
{
    int sign = sign_at(p, a);
    fmpz_t high, middle;
    fmpz_init_set(high, b), fmpz_init(middle);
    for (;;) {
        fmpz_add(middle, a, high);
        fmpz_fdiv_q_2exp(middle, middle, 1);
        if (fmpz_equal(middle, a))
            break;
        int there = sign_at(p, middle);
        fmpz_set(there == sign || !there ? a : high, middle);
        if (!there)
            break;
    }
    fmpz_clear(high), fmpz_clear(middle);
}

/* The zeros of p, rounded down, from those of its derivative; returns how many. */
static slong separate(const fmpz_poly_t p, const fmpz *between, slong count, const fmpz_t bound, fmpz *out)
{
    slong found = 0;
    fmpz_t a, b;
    fmpz_init(a), fmpz_init(b);
    fmpz_neg(a, bound);
    for (slong i = 0; i <= 2 * count; i++) { /* each of between[] stands for itself and the next one */
        if (i == 2 * count)
            fmpz_set(b, bound);
        else
            fmpz_add_ui(b, between + i / 2, (ulong)(i % 2));
        int before = sign_at(p, a), behind = sign_at(p, b);
        if (before * behind < 0 || behind == 0) {
            fmpz_set(out + found, behind ? a : b);
            if (behind)
                bisect(p, out + found, b);
            found += !(behind == 0 && found && fmpz_equal(out + found, out + found - 1));
        }
        fmpz_set(a, b);
    }
    fmpz_clear(a), fmpz_clear(b);
    return found;
}

/* Of p and all its derivatives, whose zeros are between those of p (Gauss, Lucas), the highest first. */
static slong find_zeros(const fmpz_poly_t p, const fmpz_t bound, fmpz *zero)
{
    slong d = fmpz_poly_degree(p), count = 0;
    fmpz *other = _fmpz_vec_init(2 * d + 2);
    fmpz_poly_t derivative;
    fmpz_poly_init(derivative);
    for (slong order = d - 1; order >= 0; order--) {
        fmpz_poly_nth_derivative(derivative, p, (ulong)order);
        count = separate(derivative, zero, count, bound, other);
        _fmpz_vec_set(zero, other, count);
    }
    _fmpz_vec_clear(other, 2 * d + 2);
    fmpz_poly_clear(derivative);
    return count;
}

static void find_all(nh_ring *ring, void *arg)
{
    zeros *z = arg;
    fmpz_poly_t p;
    fmpz_t bound;
    fmpz_poly_init(p), fmpz_init(bound);
    if (!read_polynomial(ring, z, p))
        nh_job_give_up(ring->job, "it is no polynomial");
    make_simple(p);
    slong real = fmpz_poly_num_real_roots(p), d = fmpz_poly_degree(p);
    fmpz *zero = _fmpz_vec_init(2 * d + 2);
    find_bound(bound, p);
    scale(p);
    slong found = d > 0 ? find_zeros(p, bound, zero) : 0;
    z->done = found == real && (size_t)found <= z->most;
    for (slong i = 0; i < found && z->done; i++)
        z->out[z->count++] = value_of(zero + i);
    _fmpz_vec_clear(zero, 2 * d + 2);
    fmpz_poly_clear(p), fmpz_clear(bound);
}

bool nh_real_zeros(nh_algebra *algebra, nh_expr e, nh_expr symbol, size_t most, size_t *count, double *out)
{
    zeros z = {.e = e, .symbol = symbol, .most = most, .out = out};
    bool done = nh_work(algebra, &e, 1, false, find_all, &z) && z.done;
    *count = done ? z.count : 0;
    return done;
}
