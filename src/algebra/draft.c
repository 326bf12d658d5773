#include "algebra/draft.h"

typedef struct draft {
    nh_algebra *algebra;
    nh_pool *caller, pool;
    nh_arena arena;
    const nh_expr *in;
    size_t n_in;
    nh_expr *out;
    size_t n_out;
    nh_draft_body *body;
    void *arg;
    bool done;
} draft;

static void write_draft(void *arg)
{
    draft *d = arg;
    nh_algebra *algebra = d->algebra;
    nh_arena *scratch = &algebra->scratch;
    nh_pool_init_like(&d->pool, &d->arena, d->caller);
    nh_expr *in = nh_arena_array(scratch, d->n_in + 1, sizeof *in);
    nh_expr *out = nh_arena_array(scratch, d->n_out + 1, sizeof *out);
    nh_carry(&d->pool, scratch, d->caller, d->in, d->n_in, in);
    algebra->pool = &d->pool;
    nh_lengths_init(&algebra->lengths, &d->pool, &d->arena);
    d->done = d->body(algebra, in, out, d->arg);
    if (d->done)
        nh_carry(d->caller, scratch, &d->pool, out, d->n_out, d->out);
}

bool nh_draft_run(nh_algebra *algebra, const nh_expr *in, size_t n_in, nh_expr *out, size_t n_out,
                  nh_draft_body *body, void *arg)
{
    nh_heap *heap = algebra->pool->arena->heap;
    nh_lengths lengths = algebra->lengths;
    nh_arena_mark mark = nh_arena_here(&algebra->scratch);
    draft d = {.algebra = algebra,
               .caller = algebra->pool,
               .in = in,
               .n_in = n_in,
               .out = out,
               .n_out = n_out,
               .body = body,
               .arg = arg};
    nh_arena_init(&d.arena, heap);
    nh_status status = nh_heap_try(heap, write_draft, &d);
    nh_pool_free(&d.pool);
    nh_arena_free(&d.arena);
    algebra->pool = d.caller, algebra->lengths = lengths;
    nh_arena_release(&algebra->scratch, mark);
    if (status != NH_OK)
        nh_heap_fail(heap, status);
    return d.done;
}
