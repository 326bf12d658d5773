#include "algebra/job.h"
#include "algebra/flint.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the allocator
 *
 * Nearly all blocks of FLINT are short and live shortly. These are cut from chunks, and wait in lists by their size when they are given back; all
 * chunks go with the job. Long ones are blocks of the system's, in a list of their own. Under the address sanitizer all are,
 * so that it sees each. */

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SEES_BLOCKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SEES_BLOCKS
#endif
#ifdef SEES_BLOCKS
enum { SHORT = 0 };
#else
enum { SHORT = 512 };
#endif
enum { UNIT = 16, SMALLEST_CHUNK = 1 << 15, LARGEST_CHUNK = 1 << 20 };

/* Before each block: the bytes it has room for. */
typedef struct size_mark {
    size_t room;
    size_t unused; /* keeps what follows aligned to 16 bytes */
} size_mark;

struct nh_block {
    nh_block *before, *after;
    size_mark mark;
};

struct nh_chunk {
    nh_chunk *next;
    size_t unused;
};

/* A short block that waits. */
struct nh_free {
    nh_free *next;
};

/* FLINT's and GMP's allocators have no argument for a context: it has to be found by the thread. */
static _Thread_local nh_job *current __attribute__((tls_model("initial-exec")));

/* What GMP used before; blocks outside of jobs still go there. */
static void *(*gmp_take)(size_t);
static void *(*gmp_change)(void *, size_t, size_t);
static void (*gmp_give)(void *, size_t);

/* Of the processor, for this thread: what else the machine does makes no difference to the result. */
double nh_job_seconds_left(const nh_job *job)
{
    return job->max_seconds > 0 ? job->max_seconds - (job->ended ? job->spent : nh_thread_seconds()) : 1e9;
}

noreturn static void stop(nh_job *job, const char *reason)
{
    job->reason = reason;
    longjmp(job->barrier, 1);
}

noreturn void nh_job_give_up(nh_job *job, const char *reason)
{
    job->part_reason = reason;
    if (job->inner)
        longjmp(*job->inner, 1);
    stop(job, reason);
}

bool nh_job_try(nh_job *job, void (*body)(void *), void *arg)
{
    jmp_buf here, *outer = job->inner;
    volatile bool done = false;
    job->inner = &here;
    if (setjmp(here) == 0) {
        body(arg);
        done = true;
    }
    job->inner = outer;
    return done;
}

static void check_limits(nh_job *job, size_t size)
{
    job->allocations++;
    if (job->cancel_after && job->allocations >= job->cancel_after)
        stop(job, "it was cancelled");
    if (job->max_bytes && (size > job->max_bytes || job->bytes > job->max_bytes - size))
        stop(job, "it needs more memory than allowed");
    job->unseen += 1 + size / 32; /* much is done between large blocks */
    if (job->unseen < 1024)
        return;
    job->unseen = 0;
    bool late = job->heap->deadline > 0 && nh_seconds() > job->heap->deadline;
    if (late || (job->max_seconds > 0 && nh_thread_seconds() > job->max_seconds))
        stop(job, "it takes more time than allowed");
}

static void link_block(nh_job *job, nh_block *block)
{
    block->before = NULL, block->after = job->blocks;
    if (job->blocks)
        job->blocks->before = block;
    job->blocks = block;
    job->bytes += block->mark.room;
}

static void unlink_block(nh_job *job, nh_block *block)
{
    if (block->before)
        block->before->after = block->after;
    else
        job->blocks = block->after;
    if (block->after)
        block->after->before = block->before;
    job->bytes -= block->mark.room;
}

static void *take_long(nh_job *job, size_t size)
{
    nh_block *block = size < SIZE_MAX - sizeof *block ? malloc(sizeof *block + size) : NULL;
    if (!block)
        stop(job, "there is no more memory");
    block->mark.room = size;
    link_block(job, block);
    return block + 1;
}

static void *change_long(nh_job *job, nh_block *block, size_t size)
{
    unlink_block(job, block);
    nh_block *larger = size < SIZE_MAX - sizeof *block ? realloc(block, sizeof *block + size) : NULL;
    if (!larger) {
        link_block(job, block);
        stop(job, "there is no more memory");
    }
    larger->mark.room = size;
    link_block(job, larger);
    return larger + 1;
}

static void next_chunk(nh_job *job)
{
    size_t size = job->chunk_size < LARGEST_CHUNK ? 2 * job->chunk_size : LARGEST_CHUNK;
    size = size < SMALLEST_CHUNK ? SMALLEST_CHUNK : size;
    check_limits(job, size);
    nh_chunk *chunk = malloc(size);
    if (!chunk)
        stop(job, "there is no more memory");
    chunk->next = job->chunks, job->chunks = chunk, job->chunk_size = size, job->bytes += size;
    job->fresh = (char *)(chunk + 1), job->fresh_end = (char *)chunk + size;
}

static void *take_short(nh_job *job, size_t size)
{
    size_t units = size ? (size + UNIT - 1) / UNIT : 1;
    nh_free *waiting = job->waiting[units];
    if (waiting) {
        job->waiting[units] = waiting->next;
        return waiting;
    }
    if ((size_t)(job->fresh_end - job->fresh) < sizeof(size_mark) + units * UNIT)
        next_chunk(job);
    size_mark *mark = (size_mark *)(void *)job->fresh;
    job->fresh += sizeof *mark + units * UNIT;
    mark->room = units * UNIT;
    return mark + 1;
}

/* Also of no bytes: those are long where all are. */
static bool is_short(size_t size) { return SHORT > 0 && size <= SHORT; }

static size_t room_of(const void *data) { return ((const size_mark *)data - 1)->room; }

static void *job_take(nh_job *job, size_t size)
{
    check_limits(job, is_short(size) ? 0 : size);
    return is_short(size) ? take_short(job, size) : take_long(job, size);
}

static void job_give(nh_job *job, void *data)
{
    if (!data)
        return;
    size_t room = room_of(data);
    if (!is_short(room)) {
        nh_block *block = (nh_block *)data - 1;
        unlink_block(job, block);
        free(block);
    } else {
        nh_free *waiting = data;
        waiting->next = job->waiting[room / UNIT], job->waiting[room / UNIT] = waiting;
    }
}

static void *job_change(nh_job *job, void *data, size_t size)
{
    if (!data)
        return job_take(job, size);
    size_t room = room_of(data);
    if (is_short(room) && size <= room)
        return data;
    if (!is_short(room) && !is_short(size)) {
        check_limits(job, size);
        return change_long(job, (nh_block *)data - 1, size);
    }
    void *other = job_take(job, size);
    memcpy(other, data, room < size ? room : size);
    job_give(job, data);
    return other;
}

static void *flint_take(size_t size) { return current ? job_take(current, size) : malloc(size); }

static void *flint_take_clear(size_t count, size_t size)
{
    if (!current)
        return calloc(count, size);
    if (size && count > SIZE_MAX / size)
        stop(current, "there is no more memory");
    return memset(job_take(current, count * size), 0, count * size);
}

static void *flint_change(void *data, size_t size)
{
    return current ? job_change(current, data, size) : realloc(data, size);
}

static void flint_give(void *data)
{
    if (current)
        job_give(current, data);
    else
        free(data);
}

static void *mpz_take(size_t size) { return current ? job_take(current, size) : gmp_take(size); }

static void *mpz_change(void *data, size_t old_size, size_t size)
{
    return current ? job_change(current, data, size) : gmp_change(data, old_size, size);
}

static void mpz_give(void *data, size_t size)
{
    if (current)
        job_give(current, data);
    else
        gmp_give(data, size);
}

static noreturn void misuse(void)
{
    if (current)
        stop(current, "the algebra library gave up");
    abort();
}

/* Once in a process: FLINT and GMP have one set of memory functions each. */
static void install(void)
{
    mp_get_memory_functions(&gmp_take, &gmp_change, &gmp_give);
    mp_set_memory_functions(mpz_take, mpz_change, mpz_give);
    __flint_set_memory_functions(flint_take, flint_take_clear, flint_change, flint_give);
    flint_set_abort(misuse);
}

/* ---------------------------------------------------------------- jobs */

void nh_job_pause(nh_job *job)
{
    (void)job;
    current = NULL;
}

void nh_job_resume(nh_job *job) { current = job; }

static void guarded(void *arg)
{
    nh_job *job = arg;
    current = job;
    job->body(job->arg);
    current = NULL;
}

static void *thread_main(void *arg)
{
    nh_job *job = arg;
    nh_guard *guard = job->heap->guard;
    if (setjmp(job->barrier) == 0)
        job->status = nh_heap_try(job->heap, guarded, job);
    current = NULL;
    job->spent = nh_thread_seconds(), job->ended = true;
    job->heap->guard = guard;
    while (job->blocks) {
        nh_block *block = job->blocks;
        job->blocks = block->after;
        free(block);
    }
    while (job->chunks) {
        nh_chunk *chunk = job->chunks;
        job->chunks = chunk->next;
        free(chunk);
    }
    return NULL;
}

bool nh_job_run(nh_job *job, void (*body)(void *), void *arg)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    job->reason = job->part_reason = NULL, job->status = NH_OK;
    job->bytes = job->allocations = 0, job->inner = NULL;
    job->blocks = NULL, job->chunks = NULL, job->chunk_size = 0, job->fresh = job->fresh_end = NULL;
    memset(job->waiting, 0, sizeof job->waiting);
    if (job->heap->limit < SIZE_MAX) {
        size_t left = job->heap->limit - job->heap->used;
        job->max_bytes = job->max_bytes && job->max_bytes < left ? job->max_bytes : left;
    }
    job->spent = 0, job->ended = false;
    job->body = body, job->arg = arg;
    pthread_t thread;
    if (pthread_create(&thread, NULL, thread_main, job) != 0) {
        job->reason = "no thread could be started for it";
        return false;
    }
    pthread_join(thread, NULL);
    if (job->status != NH_OK)
        nh_heap_fail(job->heap, job->status);
    return job->reason == NULL;
}
