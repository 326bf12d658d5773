/* Zero tests and simplification. */
#include "algebra/work.h"

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
    nh_arena_init(&algebra->scratch, pool->arena->heap);
    nh_arena_init(&algebra->modular_arena, pool->arena->heap);
}

void nh_algebra_free(nh_algebra *algebra)
{
    nh_arena_free(&algebra->scratch);
    nh_arena_free(&algebra->modular_arena);
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

bool nh_work(nh_algebra *algebra, const nh_expr *roots, size_t count, bool chained, void (*body)(nh_ring *, void *), void *arg)
{
    work w = {.max_terms = algebra->budget.max_terms, .body = body, .arg = arg};
    for (size_t i = 0; i < count; i++)
        if (!roots[i]) {
            algebra->reason = "it is undefined";
            return false;
        }
    nh_basis_init(&w.basis, algebra->pool, &algebra->scratch, algebra->signs, roots, count, chained);
    w.job = (nh_job){.heap = algebra->pool->arena->heap, .max_bytes = algebra->budget.max_bytes,
                     .max_seconds = algebra->budget.max_seconds, .cancel_after = algebra->cancel_after};
    bool done = nh_job_run(&w.job, run, &w);
    algebra->reason = w.job.reason;
    return done;
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

/* A value other than zero somewhere settles it at once; otherwise the normal form has to. */
nh_answer nh_is_zero(nh_algebra *algebra, nh_expr e)
{
    if (e == algebra->pool->zero)
        return NH_YES;
    if (!algebra->modular)
        algebra->modular = nh_modular_new(algebra->pool, &algebra->modular_arena, 1);
    if (nh_zero_test(algebra->modular, &algebra->scratch, e, algebra->signs) == NH_NO)
        return NH_NO;
    zero_test test = {.e = e};
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    bool done = nh_work(algebra, &e, 1, false, test_zero, &test);
    nh_arena_release(&algebra->scratch, mark);
    if (done && !test.zero)
        algebra->reason = "its normal form is not zero, but no point is known where it is not zero";
    return done && test.zero ? NH_YES : NH_UNKNOWN;
}

/* ---------------------------------------------------------------- simplification */

typedef struct simplification {
    nh_algebra *algebra;
    const nh_expr *in;
    size_t count;
    nh_expr *best; /* so far; kept also where the job is given up later */
} simplification;

static void simplify_all(nh_ring *ring, void *arg)
{
    simplification *s = arg;
    for (size_t i = 0; i < s->count; i++) {
        nh_expr form = nh_form_expr(ring, nh_ring_form(ring, s->in[i]));
        nh_job_pause(ring->job);
        size_t now = nh_expr_length(ring->basis->pool, ring->basis->arena, s->best[i]);
        size_t then = nh_expr_length(ring->basis->pool, ring->basis->arena, form);
        if (then <= now)
            s->best[i] = form;
        nh_job_resume(ring->job);
    }
}

static size_t total_length(nh_algebra *algebra, const nh_expr *e, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += nh_expr_length(algebra->pool, &algebra->scratch, e[i]);
    return length;
}

/* Whether a chain of differences of angles might be shorter: there are several, and the result is long. */
static bool worth_chaining(nh_algebra *algebra, const nh_expr *best, size_t count)
{
    return total_length(algebra, best, count) > 40 * count;
}

bool nh_simplify(nh_algebra *algebra, const nh_expr *in, size_t count, nh_expr *out)
{
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    nh_expr *best = nh_arena_array(&algebra->scratch, count + 1, sizeof *best);
    for (size_t i = 0; i < count; i++)
        best[i] = in[i];
    simplification s = {algebra, in, count, best};
    bool done = nh_work(algebra, in, count, false, simplify_all, &s);
    const char *reason = algebra->reason;
    if (worth_chaining(algebra, best, count))
        done = nh_work(algebra, in, count, true, simplify_all, &s) || done;
    algebra->reason = done ? NULL : reason;
    for (size_t i = 0; i < count; i++)
        out[i] = best[i];
    nh_arena_release(&algebra->scratch, mark);
    return done;
}
