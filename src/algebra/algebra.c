/* Zero tests and simplification. */
#include "algebra/draft.h"
#include "algebra/prove.h"
#include "algebra/work.h"

#include <math.h>
#include <string.h>

void nh_algebra_init(nh_algebra *algebra, nh_pool *pool, const nh_budget *budget, const signed char *signs)
{
    *algebra = (nh_algebra){.pool = pool, .signs = signs};
    if (budget)
        algebra->budget = *budget;
    if (!algebra->budget.max_terms)
        algebra->budget.max_terms = 20000;
    if (!algebra->budget.max_bytes)
        algebra->budget.max_bytes = (size_t)512 << 20;
    if (!(algebra->budget.max_seconds > 0))
        algebra->budget.max_seconds = 10;
    nh_arena_init_temporary(&algebra->scratch, pool->arena->heap);
    nh_arena_init_temporary(&algebra->modular_arena, pool->arena->heap);
    nh_arena_init_temporary(&algebra->lengths_arena, pool->arena->heap);
    nh_lengths_init(&algebra->lengths, pool, &algebra->lengths_arena);
}

void nh_algebra_free(nh_algebra *algebra)
{
    nh_arena_free(&algebra->scratch);
    nh_arena_free(&algebra->modular_arena);
    nh_arena_free(&algebra->lengths_arena);
}

/* ---------------------------------------------------------------- jobs on rings */

typedef struct work {
    nh_job job;
    nh_basis basis;
    size_t max_terms;
    void (*body)(nh_ring *, void *);
    void *arg;
} work;

static void run(void *arg)
{
    work *w = arg;
    nh_ring ring;
    nh_ring_init(&ring, &w->job, &w->basis, w->max_terms);
    w->body(&ring, w->arg);
}

static bool work_within(nh_algebra *algebra, size_t max_terms, int64_t most_turns, const nh_expr *roots,
                        size_t count, bool chained, void (*body)(nh_ring *, void *), void *arg)
{
    work w = {.max_terms = max_terms, .body = body, .arg = arg};
    for (size_t i = 0; i < count; i++)
        if (!roots[i]) {
            algebra->reason = "it is undefined";
            return false;
        }
    nh_basis_init(&w.basis, algebra->pool, &algebra->scratch, algebra->signs, roots, count, chained,
                  most_turns);
    w.basis.lengths = &algebra->lengths;
    w.job = (nh_job){.heap = algebra->pool->arena->heap,
                     .max_bytes = algebra->budget.max_bytes,
                     .max_seconds =
                         algebra->seconds_left > 0 ? algebra->seconds_left : algebra->budget.max_seconds,
                     .cancel_after = algebra->cancel_after};
    bool done = nh_job_run(&w.job, run, &w);
    algebra->spent += w.job.spent;
    if (algebra->seconds_left > 0) /* what is left is next to nothing rather than none */
        algebra->seconds_left = fmax(nh_job_seconds_left(&w.job), 1e-3 * algebra->budget.max_seconds);
    algebra->reason = w.job.reason;
    return done;
}

bool nh_work(nh_algebra *algebra, const nh_expr *roots, size_t count, bool chained,
             void (*body)(nh_ring *, void *), void *arg)
{
    return work_within(algebra, algebra->budget.max_terms, NH_FEW_TURNS, roots, count, chained, body, arg);
}

/* ---------------------------------------------------------------- one simplification */

typedef struct simplification {
    const nh_expr *in;
    size_t count;
    nh_expr *best;     /* so far; kept also where the job is given up later */
    bool *done;        /* by expression */
    size_t now;        /* the expression under way */
    size_t most_terms; /* of the polynomials on the way */
    nh_ring *ring;
    const char *reason; /* why one was given up */
} simplification;

static void simplify_one(void *arg)
{
    simplification *s = arg;
    nh_expr *best = &s->best[s->now];
    const nh_q_struct *x = nh_ring_form(s->ring, s->in[s->now]);
    double length = nh_form_length(s->ring, *best);
    nh_expr form = nh_form_is_longer(s->ring, x, length) ? NH_EXPR_NONE : nh_form_expr(s->ring, x);
    if (form && nh_form_length(s->ring, form) <= length)
        *best = form;
    s->done[s->now] = true;
}

/* One that is given up leaves the others alone. */
static void simplify_all(nh_ring *ring, void *arg)
{
    simplification *s = arg;
    s->ring = ring;
    for (; s->now < s->count; s->now++) {
        if (!nh_job_try(ring->job, simplify_one, s))
            s->reason = ring->job->part_reason;
        s->most_terms = ring->most_terms > s->most_terms ? ring->most_terms : s->most_terms;
    }
}

/* Whether a chain of differences of angles might be shorter: the result is long. */
static bool worth_chaining(nh_algebra *algebra, const nh_expr *best, size_t count)
{
    double length = 0;
    for (size_t i = 0; i < count; i++)
        length += nh_expr_length(&algebra->lengths, best[i]);
    return length > 40 * (double)count;
}

enum { FEW_TERMS = 500 };

/* A chain that needs much longer polynomials on the way does not lead to something shorter. */
static size_t most_terms_chained(const nh_algebra *algebra, bool done, size_t most_terms)
{
    size_t most = 2 * most_terms + FEW_TERMS;
    return done && most < algebra->budget.max_terms ? most : algebra->budget.max_terms;
}

/* In one job, or, where that ends with one of the expressions (in lack of memory, say), the others in another one. */
static void simplify_each(nh_algebra *algebra, size_t max_terms, bool chained, simplification *s)
{
    double little = 0.01 * algebra->budget.max_seconds;
    for (s->now = 0; s->now < s->count; s->now++) {
        simplification rest = *s;
        rest.in += s->now, rest.best += s->now, rest.done += s->now, rest.count -= s->now, rest.now = 0;
        if (!work_within(algebra, max_terms, NH_FEW_TURNS, rest.in, rest.count, chained, simplify_all, &rest))
            s->reason = algebra->reason;
        else
            s->reason = rest.reason;
        s->most_terms = rest.most_terms;
        s->now += rest.now;
        if (algebra->seconds_left > 0 && algebra->seconds_left < little)
            return;
    }
}

static bool all_done(const simplification *s)
{
    bool all = true;
    for (size_t i = 0; i < s->count; i++)
        all = all && s->done[i];
    return all;
}

/* The arguments of functions stay as they are. */
static bool simplify_once(nh_algebra *algebra, const nh_expr *in, size_t count, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    nh_expr *given = nh_arena_array(&algebra->scratch, count + 1, sizeof *given);
    simplification s = {.in = given, .count = count};
    s.best = nh_arena_array(&algebra->scratch, count + 1, sizeof *s.best);
    s.done = nh_arena_array(&algebra->scratch, count + 1, sizeof *s.done);
    for (size_t i = 0; i < count; i++)
        given[i] = s.best[i] = in[i] ? in[i] : algebra->pool->zero;
    simplify_each(algebra, algebra->budget.max_terms, false, &s);
    const char *reason = s.reason;
    bool done = all_done(&s);
    if (worth_chaining(algebra, s.best, count))
        simplify_each(algebra, most_terms_chained(algebra, done, s.most_terms), true, &s);
    done = all_done(&s);
    algebra->reason = done ? NULL : reason ? reason : s.reason;
    for (size_t i = 0; i < count; i++) {
        bool defined = in[i] != NH_EXPR_NONE;
        if (!defined)
            algebra->reason = "it is undefined";
        done = done && defined;
        out[i] = defined ? s.best[i] : NH_EXPR_NONE;
    }
    nh_arena_release(&algebra->scratch, mark);
    return done;
}

/* ---------------------------------------------------------------- arguments */

typedef enum argument_use { AS_OPERAND, APART, AS_IT_IS } argument_use;

/* What is done with the argument of a call: an operand like others, a sum of angles, or nothing. */
static argument_use use_of(nh_node node)
{
    switch (node.kind == NH_CALL ? (nh_function)node.function : NH_FN_sqrt) {
    case NH_FN_sqrt:
    case NH_FN_abs: return AS_OPERAND;
    case NH_FN_sin:
    case NH_FN_cos:
    case NH_FN_tan:
    case NH_FN_exp:
    case NH_FN_sinh:
    case NH_FN_cosh:
    case NH_FN_tanh: return APART;
    default: return AS_IT_IS;
    }
}

static bool is_leaf(const nh_pool *pool, nh_expr e)
{
    nh_kind kind = (nh_kind)nh_get(pool, e).kind;
    return kind == NH_SYMBOL || kind == NH_NUMBER || kind == NH_PI || kind == NH_NONE;
}

static int operands_of(const nh_pool *pool, nh_expr e, nh_expr operands[2])
{
    nh_node node = nh_get(pool, e);
    int n = is_leaf(pool, e)       ? 0
            : node.kind == NH_CALL ? nh_function_get((nh_function)node.function)->arity
                                   : 2;
    operands[0] = n > 0 ? node.a : NH_EXPR_NONE, operands[1] = n > 1 ? node.b : NH_EXPR_NONE;
    return n;
}

static bool same_factors(const nh_product *a, const nh_product *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = a->factors[i].base == b->factors[i].base && a->factors[i].exponent == b->factors[i].exponent;
    return same;
}

static nh_expr product_expr(nh_pool *pool, const nh_product *product)
{
    nh_expr e = pool->one;
    for (size_t i = 0; i < product->count; i++)
        e = nh_mul(pool, e, nh_power(pool, product->factors[i].base, product->factors[i].exponent));
    return nh_mul(pool, nh_number(pool, product->number), e);
}

enum { MOST_TERMS_TIDIED = 60 };

/* A sum with equal terms taken together, wherever they stand in it: a + (b - a) = b. */
static nh_expr tidy(nh_algebra *algebra, nh_expr e)
{
    nh_pool *pool = algebra->pool;
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    nh_sum sum = nh_sum_of(pool, &algebra->scratch, e);
    size_t left = 0;
    for (size_t i = 0; i < sum.count && sum.count <= MOST_TERMS_TIDIED; i++) {
        size_t k = 0;
        while (k < left && !same_factors(&sum.terms[k], &sum.terms[i]))
            k++;
        if (k < left)
            sum.terms[k].number = nh_rational_add(&pool->numbers, sum.terms[k].number, sum.terms[i].number);
        else
            sum.terms[left++] = sum.terms[i];
    }
    if (left > 0 && left < sum.count) {
        e = pool->zero;
        for (size_t i = 0; i < left; i++)
            e = nh_add(pool, e, product_expr(pool, &sum.terms[i]));
    }
    nh_arena_release(&algebra->scratch, mark);
    return e;
}

static nh_expr rebuild(nh_pool *pool, nh_expr e, nh_expr a, nh_expr b)
{
    nh_node node = nh_get(pool, e);
    switch (node.kind) {
    case NH_ADD: return nh_add(pool, a, b);
    case NH_MUL: return nh_mul(pool, a, b);
    case NH_POW: return nh_pow(pool, a, b);
    case NH_CALL: return nh_call(pool, (nh_function)node.function, a, b);
    default: return e;
    }
}

/* What is known of a node of the given expressions. */
typedef struct part {
    nh_expr now, simple; /* rebuilt so far; and simplified, where it is an argument */
    int terms;           /* of a sum; more than can be tidied are not counted */
    bool polynomial;     /* in symbols, with rational coefficients, and pi */
    bool whole;          /* not a part of a longer sum */
} part;

static bool makes_polynomial(const nh_pool *pool, nh_node node)
{
    nh_rational n;
    return node.kind != NH_CALL &&
           (node.kind != NH_POW ||
            (nh_is_number(pool, node.b, &n) && nh_rational_is_int(n) && nh_rational_sign(n) > 0));
}

static part *parts_of(nh_algebra *algebra, const nh_walk *walk, const nh_expr *roots, size_t count)
{
    const nh_pool *pool = algebra->pool;
    size_t size = walk->count ? (size_t)walk->nodes[walk->count - 1] + 1 : 1;
    part *parts = nh_arena_array(&algebra->scratch, size, sizeof *parts);
    for (size_t i = 0; i < count; i++)
        parts[roots[i]].whole = true;
    for (size_t i = 0; i < walk->count; i++) {
        nh_expr e = walk->nodes[i], operands[2];
        bool sum = nh_get(pool, e).kind == NH_ADD;
        parts[e].polynomial = makes_polynomial(pool, nh_get(pool, e));
        parts[e].terms = !sum;
        for (int k = operands_of(pool, e, operands); k-- > 0;) {
            if (sum && parts[e].terms <= MOST_TERMS_TIDIED)
                parts[e].terms += parts[operands[k]].terms;
            parts[e].polynomial = parts[e].polynomial && parts[operands[k]].polynomial;
            parts[operands[k]].whole = parts[operands[k]].whole || !sum;
        }
    }
    return parts;
}

enum { MOST_ARGUMENTS = 40 };

/* The same expressions with tidy sums, and with the arguments of all functions simplified, from the inside out. */
static void simplify_arguments(nh_algebra *algebra, const nh_expr *in, size_t count, nh_expr *out)
{
    nh_pool *pool = algebra->pool;
    nh_walk walk = nh_walk_of(pool, &algebra->scratch, in, count);
    part *parts = parts_of(algebra, &walk, in, count);
    size_t jobs = 0;
    for (size_t i = 0; i < walk.count; i++) {
        nh_expr e = walk.nodes[i], operands[2];
        argument_use use = use_of(nh_get(pool, e));
        for (int k = operands_of(pool, e, operands); k-- > 0;) {
            part *p = &parts[operands[k]];
            bool plain = use == AS_OPERAND || is_leaf(pool, p->now) || (use == APART && p->polynomial);
            if (!plain && !p->simple && jobs++ < MOST_ARGUMENTS &&
                !simplify_once(algebra, &p->now, 1, &p->simple))
                p->simple = p->now;
            operands[k] = !plain && p->simple ? p->simple : p->now;
        }
        nh_expr now = rebuild(pool, e, operands[0], operands[1]);
        bool long_sum = parts[e].terms > MOST_TERMS_TIDIED;
        parts[e].now =
            parts[e].whole && !long_sum && nh_get(pool, now).kind == NH_ADD ? tidy(algebra, now) : now;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = parts[in[i]].now ? parts[in[i]].now : in[i]; /* a division by zero came out */
}

/* ---------------------------------------------------------------- zero */

typedef struct zero_test {
    nh_expr e;
    bool zero;
} zero_test;

static void test_zero(nh_ring *ring, void *arg)
{
    zero_test *test = arg;
    test->zero = nh_form_is_zero(ring, nh_ring_form(ring, test->e));
}

/* Nothing is evaluated: all turns are welcome. */
static bool test_form(nh_algebra *algebra, zero_test *test)
{
    return work_within(algebra, algebra->budget.max_terms, NH_MANY_TURNS, &test->e, 1, false, test_zero,
                       test);
}

/* As it is, then in terms of which more is known. */
static bool find_zero(nh_algebra *algebra, const nh_expr *in, nh_expr *out, void *arg)
{
    zero_test *test = arg;
    (void)out;
    algebra->seconds_left = algebra->budget.max_seconds;
    simplify_arguments(algebra, in, 1, &test->e);
    bool done = test_form(algebra, test);
    nh_expr other = done && !test->zero ? nh_unify_roots(algebra, nh_rewrite(algebra, test->e)) : test->e;
    if (other != test->e) {
        simplify_arguments(algebra, &other, 1, &test->e);
        test_form(algebra, test);
    }
    algebra->seconds_left = 0;
    if (done && !test->zero)
        algebra->reason = "its normal form is not zero, but no point is known where it is not zero";
    return done && test->zero;
}

/* A value other than zero somewhere settles it at once; otherwise the normal form has to. */
nh_answer nh_is_zero(nh_algebra *algebra, nh_expr e)
{
    if (e == algebra->pool->zero)
        return NH_YES;
    if (!algebra->modular)
        algebra->modular = nh_modular_new(algebra->pool, &algebra->modular_arena, 1);
    if (nh_zero_test(algebra->modular, &algebra->scratch, e, algebra->signs) == NH_NO)
        return NH_NO;
    zero_test test = {.zero = false};
    return nh_draft_run(algebra, &e, 1, NULL, 0, find_zero, &test) ? NH_YES : NH_UNKNOWN;
}

/* ---------------------------------------------------------------- simplification */

/* Whether to simplify once more could change something: other functions than sines and cosines are there. */
static bool is_settled(nh_algebra *algebra, const nh_expr *e, size_t count)
{
    nh_walk walk = nh_walk_of(algebra->pool, &algebra->scratch, e, count);
    bool settled = true;
    for (size_t i = 0; i < walk.count && settled; i++) {
        nh_node node = nh_get(algebra->pool, walk.nodes[i]);
        nh_rational n;
        settled = node.kind == NH_CALL  ? node.function == NH_FN_sin || node.function == NH_FN_cos
                  : node.kind == NH_POW ? nh_is_number(algebra->pool, node.b, &n) && nh_rational_is_int(n)
                                        : true;
    }
    return settled;
}

enum { MOST_PASSES = 4 };

typedef struct passes {
    size_t count;
    bool done;
} passes;

static bool simplify_in_passes(nh_algebra *algebra, const nh_expr *in, nh_expr *now, void *arg)
{
    passes *p = arg;
    size_t bytes = p->count * sizeof *now;
    nh_expr *next = nh_arena_array(&algebra->scratch, p->count + 1, sizeof *next);
    bool same = false;
    algebra->seconds_left = algebra->budget.max_seconds;
    memcpy(now, in, bytes);
    for (int pass = 0; pass < MOST_PASSES && !same && (pass == 0 || !is_settled(algebra, now, p->count));
         pass++) {
        simplify_arguments(algebra, now, p->count, next);
        p->done = simplify_once(algebra, next, p->count, next) || p->done;
        same = memcmp(now, next, bytes) == 0;
        memcpy(now, next, bytes);
    }
    algebra->seconds_left = 0;
    for (size_t i = 0; i < p->count; i++)
        if (nh_expr_length(&algebra->lengths, now[i]) > nh_expr_length(&algebra->lengths, in[i]))
            now[i] = in[i];
    return true;
}

enum { MOST_FACTORS = 12 };

/* The factors of a product of few; false: there are more, or it is not one. */
static bool list_factors(const nh_pool *pool, nh_expr e, nh_expr *factors, size_t *count)
{
    nh_node node = nh_get(pool, e);
    if (node.kind == NH_MUL)
        return list_factors(pool, node.a, factors, count) && list_factors(pool, node.b, factors, count);
    if (*count == MOST_FACTORS)
        return false;
    factors[(*count)++] = e;
    return true;
}

/* What a factor is a power of, and at most one factor of a shortest product may have: a symbol, also that of a sine or cosine; 1 for a
 * number. NH_EXPR_NONE: something else. */
static nh_expr root_of(const nh_pool *pool, nh_expr factor)
{
    nh_node node = nh_get(pool, factor);
    nh_rational n;
    if (node.kind == NH_NUMBER)
        return pool->one;
    bool power = node.kind == NH_POW && nh_is_number(pool, node.b, &n) && nh_rational_is_int(n),
         below = power && nh_rational_sign(n) < 0;
    nh_expr base = power ? node.a : factor;
    node = nh_get(pool, base);
    if (node.kind == NH_CALL && (node.function == NH_FN_sin || node.function == NH_FN_cos) && !below)
        base = node.a;
    return nh_get(pool, base).kind == NH_SYMBOL ? base : NH_EXPR_NONE;
}

/* A number times powers of different symbols, of sines and cosines: it cannot be shorter. */
static bool is_shortest(const nh_pool *pool, nh_expr e)
{
    nh_expr factors[MOST_FACTORS];
    size_t count = 0;
    if (!e || !list_factors(pool, e, factors, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        factors[i] = root_of(pool, factors[i]);
        for (size_t k = 0; k < i; k++)
            if (factors[k] == factors[i])
                return false;
        if (!factors[i])
            return false;
    }
    return true;
}

/* Built in the same order, however it came, so that equal ones are one. */
static nh_expr ordered(nh_algebra *algebra, nh_expr e)
{
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    nh_product product = nh_product_of(algebra->pool, &algebra->scratch, e);
    e = product_expr(algebra->pool, &product);
    nh_arena_release(&algebra->scratch, mark);
    return e;
}

bool nh_simplify(nh_algebra *algebra, const nh_expr *in, size_t count, nh_expr *out)
{
    passes p = {.count = count};
    bool shortest = true;
    for (size_t i = 0; i < count && shortest; i++)
        shortest = is_shortest(algebra->pool, in[i]);
    p.done = shortest;
    if (shortest)
        memmove(out, in, count * sizeof *out);
    bool written = shortest || nh_draft_run(algebra, in, count, out, count, simplify_in_passes, &p);
    for (size_t i = 0; i < count && written; i++)
        out[i] = is_shortest(algebra->pool, out[i]) ? ordered(algebra, out[i]) : out[i];
    if (p.done)
        algebra->reason = NULL;
    return p.done;
}
