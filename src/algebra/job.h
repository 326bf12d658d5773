/* Inside algebra/: a barrier around FLINT.
 *
 * FLINT has no limits of its own: it takes what memory and time it needs, and aborts when misused. So every
 * computation is a job in a thread of its own. All that FLINT and GMP allocate there goes through an allocator that
 * counts, and looks at the clock; on an excess it jumps out of whatever FLINT is doing, all blocks of the job are
 * freed at once, and the thread ends, and with it FLINT's thread-local caches. Nothing is leaked, and the next job
 * finds everything as if this one had never been. */
#ifndef NH_ALGEBRA_JOB_H
#define NH_ALGEBRA_JOB_H

#include "base/base.h"

typedef struct nh_block nh_block;
typedef struct nh_chunk nh_chunk;
typedef struct nh_free nh_free;

typedef struct nh_job {
    nh_heap *heap;           /* of the pool that results are written to */
    size_t max_bytes;        /* 0: none */
    double max_seconds;      /* of the processor; 0: none */
    size_t cancel_after;     /* allocations until the job is cancelled, for tests; 0: never */
    const char *reason;      /* afterwards: why it was given up; NULL: it was not */
    const char *part_reason; /* why something was given up that it could do without */
    nh_status status;        /* afterwards: whether the pool's heap gave up */
    /* private */
    size_t bytes, allocations, unseen; /* unseen: work since the last look at the clock */
    double spent; /* seconds, when it has ended */
    bool ended;
    nh_block *blocks;
    nh_chunk *chunks;
    size_t chunk_size;       /* of the last one */
    char *fresh, *fresh_end; /* what is left of it */
    nh_free *waiting[33];    /* short blocks to be used again, by their units */
    jmp_buf barrier, *inner;
    void (*body)(void *);
    void *arg;
} nh_job;

/* Runs body(arg) as a job. True: finished. False: job->reason says why not. Where the heap gave up, gives up. */
bool nh_job_run(nh_job *job, void (*body)(void *), void *arg);

/* Within a job: what is allocated between these two calls stays when the job ends. No FLINT in between. */
void nh_job_pause(nh_job *job);
void nh_job_resume(nh_job *job);

/* Within a job, not paused, and not from within FLINT: gives up. */
noreturn void nh_job_give_up(nh_job *job, const char *reason);

/* Within a job: something that the job can do without. False: it was given up; what it had allocated goes with the
 * job. An excess of memory or time still ends the job. */
bool nh_job_try(nh_job *job, void (*body)(void *), void *arg);

/* Seconds left, at most; for deciding whether to try something long. */
double nh_job_seconds_left(const nh_job *job);

#endif
