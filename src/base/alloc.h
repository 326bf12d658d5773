/* Where memory comes from, how much may be taken, and what happens when there is none.
 *
 * Every byte of the library comes through an nh_heap. When an allocation fails, or a limit is
 * exceeded, control returns to the innermost nh_heap_try, which reports the status: the code in
 * between needs no checks. Nothing leaks, because everything lives in arenas that the owner of the
 * heap frees. */
#ifndef NH_BASE_ALLOC_H
#define NH_BASE_ALLOC_H

#include "nonholo.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>

typedef struct nh_guard {
    jmp_buf jump;
    nh_status status;
    struct nh_guard *outer;
    struct nh_arena *temporaries; /* arenas to free when something inside gives up */
} nh_guard;

typedef struct nh_heap {
    nh_allocator allocator;
    size_t used, peak, limit; /* bytes */
    nh_guard *guard;          /* innermost barrier, NULL outside of nh_heap_try */
    double deadline;          /* of nh_seconds(); then arenas give up; 0: none */
    unsigned allocations;     /* since somebody looked at the clock */
} nh_heap;

void nh_heap_init(nh_heap *heap, const nh_allocator *allocator, size_t limit);

/* Runs body(arg); returns NH_OK, or the status with which something inside gave up. */
nh_status nh_heap_try(nh_heap *heap, void (*body)(void *), void *arg);

/* Gives up: back to the innermost nh_heap_try. */
noreturn void nh_heap_fail(nh_heap *heap, nh_status status);

/* Whether the time is over. It says so once: what tells of it afterwards has its time. */
bool nh_heap_is_late(nh_heap *heap);

/* Of so many seconds that something may take, as many as are left before the deadline, but for a part that is left for the rest. */
double nh_heap_seconds(const nh_heap *heap, double usual);

/* Raw blocks, for arenas and for the few objects that own one. May be called without a guard: then
 * (and only then) nh_heap_take returns NULL on failure. */
void *nh_heap_take(nh_heap *heap, size_t size);
void nh_heap_give(nh_heap *heap, void *block, size_t size);

/* An arena: allocation is a pointer increment, freeing is for all at once. */
typedef struct nh_chunk nh_chunk;

typedef struct nh_arena {
    nh_heap *heap;
    nh_chunk *last;
    char *next, *end;
    nh_guard *guard; /* of a temporary one */
    struct nh_arena *older, *newer;
} nh_arena;

void nh_arena_init(nh_arena *arena, nh_heap *heap);

/* An arena that nobody will free where control leaves this function by giving up: then it is freed on the way. It must not
 * be moved in memory. */
void nh_arena_init_temporary(nh_arena *arena, nh_heap *heap);
void nh_arena_free(nh_arena *arena);

/* size bytes, aligned for any type, not cleared; never NULL (see above). */
void *nh_arena_alloc(nh_arena *arena, size_t size);

/* The same for count elements, with the product checked, cleared to zero. */
void *nh_arena_array(nh_arena *arena, size_t count, size_t size);

/* A copy of length bytes with a NUL behind them. */
char *nh_arena_copy(nh_arena *arena, const char *text, size_t length);

/* What was allocated after a mark can be given back at once, the arena being used as a stack. */
typedef struct nh_arena_mark {
    nh_chunk *last;
    char *next, *end;
} nh_arena_mark;

nh_arena_mark nh_arena_here(const nh_arena *arena);
void nh_arena_release(nh_arena *arena, nh_arena_mark mark);

/* Growable arrays: a pointer, a count and a capacity, wherever they are kept. nh_push(...) = item appends
 * an item. Old storage stays in the arena. */
#define nh_push(arena, items, count, capacity)                                                        \
    (*((count) < (capacity)                                                                           \
           ? (void)0                                                                                  \
           : (void)((items) = nh_array_grow((arena), (items), (count), &(capacity), sizeof *(items))), \
       &(items)[(count)++]))

void *nh_array_grow(nh_arena *arena, const void *items, size_t count, size_t *capacity, size_t size);

/* First capacity of tables that grow; tiny in the hardened build, so that growth is always tested. */
#ifdef NH_HARDENED
#define NH_FIRST_CAPACITY 2
#define NH_CHUNK_SIZE 64
#else
#define NH_FIRST_CAPACITY 64
#define NH_CHUNK_SIZE 65536
#endif

#endif
