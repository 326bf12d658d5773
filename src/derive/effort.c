/* Simplifying within limits. Numbers of terms, not seconds, decide what is tried, so that it is the same on every machine; the
 * time is a net below. */
#include "derive/effort.h"

#include <math.h>
#include <string.h>

/* Operations of the input beyond which nothing is tried. */
enum { MOST_OPERATIONS = 1500 };

/* A system is large if its L_i would have more than so many terms. Of a large one little is tried. */
enum { MOST_TERMS_OF_L = 10000, MOST_TERMS_IF_LARGE = 60, MOST_OPERATIONS_IF_LARGE = 60 };

/* Of an object with many entries only shorter ones are tried: those of all of them together count. */
enum { MOST_OPERATIONS_IN_ALL = 48000 };

static size_t most_operations(double most_terms, size_t count)
{
    size_t most = most_terms < MOST_TERMS_OF_L ? MOST_OPERATIONS_IF_LARGE : MOST_OPERATIONS,
           share = MOST_OPERATIONS_IN_ALL / (count + 1);
    share = share < MOST_OPERATIONS_IF_LARGE ? MOST_OPERATIONS_IF_LARGE : share;
    return most < share ? most : share;
}

/* After so many attempts in vain the rest of an object is not tried. */
enum { MOST_FAILURES = 3 };

/* The budget of the next job: what is left of the time, and no more than a fifth of it. */
bool nh_time_left(nh_effort *w)
{
    double left = w->max_seconds - (nh_thread_seconds() - w->begin) - w->algebra.spent;
    w->algebra.budget.max_seconds = left / 5 > 0.05 ? left / 5 : 0.05;
    if (left <= 0)
        w->algebra.reason = "there was no time left for it";
    return left > 0;
}

void nh_missing(nh_effort *w, const char *object, const char *reason)
{
    nh_push(&w->eq->arena, w->forms->unexpanded, w->forms->n_unexpanded, w->forms->unexpanded_capacity) =
        (nh_unexpanded){object, reason ? reason : "it is too large"};
}

double nh_most_terms(nh_effort *w, const nh_expr *e, size_t count)
{
    double *terms = nh_arena_array(&w->eq->arena, count + 1, sizeof *terms), most = 0;
    nh_predict_terms(w->eq, e, count, terms);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, terms[i]);
    return most;
}

bool nh_promising(nh_effort *w, const nh_expr *e, size_t count)
{
    return nh_most_terms(w, e, count) <= NH_MOST_TERMS;
}

static bool is_leaf(const nh_pool *pool, nh_expr e)
{
    nh_kind kind = (nh_kind)nh_get(pool, e).kind;
    return kind == NH_NUMBER || kind == NH_SYMBOL || kind == NH_PI;
}

/* False: it was tried in vain. */
static bool simple_one(nh_effort *w, nh_expr e, double most_terms, size_t most, nh_expr *out)
{
    nh_equations *eq = w->eq;
    *out = e;
    if (is_leaf(&eq->pool, e) || nh_operations_exceed(&eq->pool, &eq->context->arena, e, most))
        return true;
    return nh_most_terms(w, &e, 1) > most_terms || (nh_time_left(w) && nh_simplify(&w->algebra, &e, 1, out));
}

/* Short ones, which hardly cost more than the job that they need, are simplified in one. */
enum { SHORT_OPERATIONS = 60, SHORT_TERMS = 40, MOST_TOGETHER = 100 };

/* Functions of sums are left alone: how one is written should not depend on what others contain. */
static bool has_sums_inside(nh_effort *w, nh_expr e)
{
    const nh_pool *pool = &w->eq->pool;
    nh_arena *scratch = &w->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    nh_walk walk = nh_walk_of(pool, scratch, &e, 1);
    bool found = false;
    for (size_t i = 0; i < walk.count && !found; i++) {
        nh_node node = nh_get(pool, walk.nodes[i]);
        found = node.kind == NH_CALL && (!is_leaf(pool, node.a) || (node.b && !is_leaf(pool, node.b)));
    }
    nh_arena_release(scratch, mark);
    return found;
}

static bool is_short(nh_effort *w, nh_expr e)
{
    return !is_leaf(&w->eq->pool, e) &&
           !nh_operations_exceed(&w->eq->pool, &w->eq->context->arena, e, SHORT_OPERATIONS) &&
           !has_sums_inside(w, e) && nh_most_terms(w, &e, 1) <= SHORT_TERMS;
}

/* seen: by expression, its place + 1. */
static void simplify_short(nh_effort *w, const nh_expr *plain, size_t count, size_t *seen, nh_expr *out)
{
    nh_expr together[MOST_TOGETHER], simple[MOST_TOGETHER];
    size_t places[MOST_TOGETHER], n = 0;
    for (size_t i = 0; i < count && n < MOST_TOGETHER; i++)
        if (!seen[plain[i]] && is_short(w, plain[i]))
            together[n] = plain[i], places[n++] = i, seen[plain[i]] = i + 1;
    bool done = n > 1 && nh_time_left(w) && nh_simplify(&w->algebra, together, n, simple);
    for (size_t k = 0; k < n; k++)
        if (done)
            out[places[k]] = simple[k];
        else
            seen[together[k]] = 0;
}

nh_expr *nh_simple_within(nh_effort *w, const nh_expr *in, size_t count, double most_terms)
{
    nh_expr *out = nh_array(w->eq, count), *plain = nh_array(w->eq, count);
    size_t most = most_operations(most_terms, count);
    nh_write_out(w->eq, in, count, plain);
    memcpy(out, plain, count * sizeof *out);
    nh_arena *scratch = &w->eq->context->arena;
    nh_arena_mark mark = nh_arena_here(scratch);
    size_t *seen = nh_arena_array(scratch, nh_largest(plain, count) + 1, sizeof *seen);
    simplify_short(w, plain, count, seen, out);
    for (size_t i = 0, failures = 0; i < count && failures < MOST_FAILURES; i++) {
        size_t *place = &seen[plain[i]];
        if (*place)
            out[i] = out[*place - 1];
        else
            failures += !simple_one(w, plain[i], most_terms, most, &out[i]), *place = i + 1;
    }
    nh_arena_release(scratch, mark);
    return out;
}

nh_expr *nh_simple(nh_effort *w, const nh_expr *in, size_t count)
{
    return nh_simple_within(w, in, count, w->most_terms);
}

void nh_effort_init(nh_effort *w, nh_equations *eq, nh_forms *forms, double max_seconds)
{
    *w = (nh_effort){.eq = eq, .forms = forms, .begin = nh_thread_seconds(), .max_seconds = max_seconds};
    nh_budget budget = {.max_terms = NH_MOST_TERMS};
    signed char *signs = nh_arena_array(&eq->arena, eq->pool.n_symbols + 1, sizeof *signs);
    memcpy(signs, nh_model_signs(eq->model, &eq->context->arena), eq->model->pool.n_symbols);
    nh_algebra_init(&w->algebra, &eq->pool, &budget, signs);
    w->most_terms = nh_most_terms(w, eq->L, eq->n) > MOST_TERMS_OF_L ? MOST_TERMS_IF_LARGE : MOST_TERMS_OF_L;
}

void nh_effort_free(nh_effort *w) { nh_algebra_free(&w->algebra); }
