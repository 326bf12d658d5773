/* Values in many digits, for what is too small to be seen in doubles beside what it is added to, or at all. */
#include "algebra/algebra.h"

#include <gmp.h>
#include <mpfr.h>

/* The first precision decides nearly everything; the last one tells 1 - tanh(1000)^2 from 0. Each is tried beside its double. */
static const mpfr_prec_t precisions[] = {256, 8192};
enum { AGREED = 40, MOST_OPERATIONS = 4000 };

typedef struct numbers {
    const nh_pool *pool;
    const double *values; /* by symbol */
    nh_walk walk;
    uint32_t *place; /* by handle: in the walk */
    mpfr_t *x;       /* by place */
} numbers;

static mpfr_ptr value_of(const numbers *n, nh_expr e) { return n->x[n->place[e]]; }

static void put_number(mpfr_ptr out, nh_rational value)
{
    if (value.big) {
        mpfr_set_q(out, value.big, MPFR_RNDN);
        return;
    }
    mpfr_set_si(out, value.num, MPFR_RNDN);
    mpfr_div_si(out, out, value.den, MPFR_RNDN);
}

static void put_sign(mpfr_ptr out, mpfr_srcptr a)
{
    int sign = mpfr_sgn(a);
    mpfr_set_si(out, sign, MPFR_RNDN);
}

static void put_call(const numbers *n, mpfr_ptr out, nh_node node)
{
    mpfr_srcptr a = value_of(n, node.a), b = node.b ? value_of(n, node.b) : NULL;
    switch (node.function) {
    case NH_FN_sin: mpfr_sin(out, a, MPFR_RNDN); break;
    case NH_FN_cos: mpfr_cos(out, a, MPFR_RNDN); break;
    case NH_FN_tan: mpfr_tan(out, a, MPFR_RNDN); break;
    case NH_FN_asin: mpfr_asin(out, a, MPFR_RNDN); break;
    case NH_FN_acos: mpfr_acos(out, a, MPFR_RNDN); break;
    case NH_FN_atan: mpfr_atan(out, a, MPFR_RNDN); break;
    case NH_FN_atan2: mpfr_atan2(out, a, b, MPFR_RNDN); break;
    case NH_FN_sinh: mpfr_sinh(out, a, MPFR_RNDN); break;
    case NH_FN_cosh: mpfr_cosh(out, a, MPFR_RNDN); break;
    case NH_FN_tanh: mpfr_tanh(out, a, MPFR_RNDN); break;
    case NH_FN_exp: mpfr_exp(out, a, MPFR_RNDN); break;
    case NH_FN_log: mpfr_log(out, a, MPFR_RNDN); break;
    case NH_FN_sqrt: mpfr_sqrt(out, a, MPFR_RNDN); break;
    case NH_FN_abs: mpfr_abs(out, a, MPFR_RNDN); break;
    case NH_FN_sign: put_sign(out, a); break;
    case NH_FN_min: mpfr_min(out, a, b, MPFR_RNDN); break;
    case NH_FN_max: mpfr_max(out, a, b, MPFR_RNDN); break;
    default: mpfr_set_nan(out); break;
    }
}

static void put_power(const numbers *n, mpfr_ptr out, nh_node node)
{
    nh_rational exponent;
    if (nh_is_number(n->pool, node.b, &exponent) && !exponent.big && exponent.den == 1)
        mpfr_pow_si(out, value_of(n, node.a), (long)exponent.num, MPFR_RNDN);
    else
        mpfr_pow(out, value_of(n, node.a), value_of(n, node.b), MPFR_RNDN);
}

/* Linear systems have no value here. */
static void put(const numbers *n, size_t i)
{
    nh_node node = nh_get(n->pool, n->walk.nodes[i]);
    mpfr_ptr out = n->x[i];
    switch (node.kind) {
    case NH_NUMBER: put_number(out, n->pool->rationals[node.a]); break;
    case NH_SYMBOL: mpfr_set_d(out, n->values[node.a], MPFR_RNDN); break;
    case NH_PI: mpfr_const_pi(out, MPFR_RNDN); break;
    case NH_ADD: mpfr_add(out, value_of(n, node.a), value_of(n, node.b), MPFR_RNDN); break;
    case NH_MUL: mpfr_mul(out, value_of(n, node.a), value_of(n, node.b), MPFR_RNDN); break;
    case NH_POW: put_power(n, out, node); break;
    case NH_CALL: put_call(n, out, node); break;
    default: mpfr_set_nan(out); break;
    }
}

/* The value of the last node. */
static void evaluate(numbers *n, mpfr_prec_t bits, mpfr_ptr out)
{
    for (size_t i = 0; i < n->walk.count; i++) {
        mpfr_init2(n->x[i], bits);
        put(n, i);
    }
    mpfr_set(out, n->x[n->walk.count - 1], MPFR_RNDN);
    for (size_t i = 0; i < n->walk.count; i++)
        mpfr_clear(n->x[i]);
}

/* Both precisions agree in some digits: what is 0 is rounding in both, and of different sizes. */
static bool is_certain(numbers *n, mpfr_prec_t bits, char *text, size_t size)
{
    mpfr_t a, b, difference;
    mpfr_init2(a, 2 * bits), mpfr_init2(b, 2 * bits), mpfr_init2(difference, 2 * bits);
    evaluate(n, bits, a);
    evaluate(n, 2 * bits, b);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    bool certain = mpfr_regular_p(b) &&
                   (mpfr_zero_p(difference) ||
                    (mpfr_regular_p(difference) && mpfr_get_exp(difference) < mpfr_get_exp(b) - AGREED));
    if (certain)
        mpfr_snprintf(text, size, "%.6Rg", b);
    mpfr_clear(a), mpfr_clear(b), mpfr_clear(difference);
    return certain;
}

bool nh_is_not_zero_at(const nh_pool *pool, nh_arena *scratch, nh_expr e, const double *values, bool thorough,
                       char *text, size_t size)
{
    bool found = false;
    if (nh_operations_exceed(pool, scratch, e, MOST_OPERATIONS) || nh_has_solve(pool, scratch, &e, 1))
        return false;
    nh_arena_mark mark = nh_arena_here(scratch);
    numbers n = {.pool = pool, .values = values, .walk = nh_walk_of(pool, scratch, &e, 1)};
    n.place = nh_arena_array(scratch, (size_t)e + 1, sizeof *n.place);
    n.x = nh_arena_array(scratch, n.walk.count, sizeof *n.x);
    for (size_t i = 0; i < n.walk.count; i++)
        n.place[n.walk.nodes[i]] = (uint32_t)i;
    size_t most =
        thorough && n.walk.count < MOST_OPERATIONS / 20 ? sizeof precisions / sizeof *precisions : 1;
    for (size_t k = 0; k < most && !found; k++)
        found = is_certain(&n, precisions[k], text, size);
    mpfr_free_cache();
    nh_arena_release(scratch, mark);
    return found;
}
