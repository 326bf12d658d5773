#include "base/base.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT alignof(max_align_t)

static void *default_take(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void default_give(void *user, void *block, size_t size)
{
    (void)user, (void)size;
    free(block);
}

void nh_heap_init(nh_heap *heap, const nh_allocator *allocator, size_t limit)
{
    *heap = (nh_heap){.limit = limit ? limit : SIZE_MAX};
    if (allocator && allocator->take)
        heap->allocator = *allocator;
    else
        heap->allocator = (nh_allocator){NULL, default_take, default_give};
}

nh_status nh_heap_try(nh_heap *heap, void (*body)(void *), void *arg)
{
    nh_guard guard = {.status = NH_OK, .outer = heap->guard};
    heap->guard = &guard;
    if (setjmp(guard.jump) == 0)
        body(arg);
    for (nh_arena *a = guard.temporaries; a; a = a->older)
        a->guard = NULL; /* they stay with their owners */
    heap->guard = guard.outer;
    return guard.status;
}

noreturn void nh_heap_fail(nh_heap *heap, nh_status status)
{
    while (heap->guard->temporaries)
        nh_arena_free(heap->guard->temporaries);
    heap->guard->status = status;
    longjmp(heap->guard->jump, 1);
}

double nh_heap_seconds(const nh_heap *heap, double usual)
{
    double left = heap->deadline > 0 ? 0.5 * (heap->deadline - nh_seconds()) : usual;
    return left < usual ? (left > 1e-3 ? left : 1e-3) : usual;
}

enum { ALLOCATIONS_BETWEEN_LOOKS = 64 };

bool nh_heap_is_late(nh_heap *heap)
{
    if (!(heap->deadline > 0 && nh_seconds() > heap->deadline))
        return false;
    heap->deadline = 0;
    return true;
}

static void look_at_clock(nh_heap *heap)
{
    heap->allocations = 0;
    if (heap->guard && nh_heap_is_late(heap))
        nh_heap_fail(heap, NH_ERROR_TIME);
}

void *nh_heap_take(nh_heap *heap, size_t size)
{
    void *block = NULL;
    if (size <= heap->limit - heap->used)
        block = heap->allocator.take(heap->allocator.user, size);
    if (!block) {
        if (heap->guard)
            nh_heap_fail(heap, NH_ERROR_MEMORY);
        return NULL;
    }
    heap->used += size;
    if (heap->used > heap->peak)
        heap->peak = heap->used;
    return block;
}

void nh_heap_give(nh_heap *heap, void *block, size_t size)
{
    if (!block)
        return;
    heap->used -= size;
    heap->allocator.give(heap->allocator.user, block, size);
}

struct nh_chunk {
    nh_chunk *before;
    size_t size;
};

void nh_arena_init(nh_arena *arena, nh_heap *heap) { *arena = (nh_arena){.heap = heap}; }

void nh_arena_init_temporary(nh_arena *arena, nh_heap *heap)
{
    nh_arena_init(arena, heap);
    if (!heap->guard)
        return;
    arena->guard = heap->guard;
    arena->older = heap->guard->temporaries;
    if (arena->older)
        arena->older->newer = arena;
    heap->guard->temporaries = arena;
}

static void forget_temporary(nh_arena *arena)
{
    if (!arena->guard)
        return;
    if (arena->newer)
        arena->newer->older = arena->older;
    else
        arena->guard->temporaries = arena->older;
    if (arena->older)
        arena->older->newer = arena->newer;
    arena->guard = NULL;
}

void nh_arena_free(nh_arena *arena)
{
    forget_temporary(arena);
    nh_arena_release(arena, (nh_arena_mark){NULL, NULL, NULL});
}

nh_arena_mark nh_arena_here(const nh_arena *arena)
{
    return (nh_arena_mark){arena->last, arena->next, arena->end};
}

void nh_arena_release(nh_arena *arena, nh_arena_mark mark)
{
    while (arena->last != mark.last) {
        nh_chunk *chunk = arena->last;
        arena->last = chunk->before;
        nh_heap_give(arena->heap, chunk, chunk->size);
    }
    arena->next = mark.next, arena->end = mark.end;
}

static size_t round_up(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static void arena_extend(nh_arena *arena, size_t size)
{
    size_t header = round_up(sizeof(nh_chunk));
    size_t body = size > NH_CHUNK_SIZE ? size : NH_CHUNK_SIZE;
    nh_chunk *chunk = nh_heap_take(arena->heap, header + body);
    *chunk = (nh_chunk){.before = arena->last, .size = header + body};
    arena->last = chunk;
    arena->next = (char *)chunk + header;
    arena->end = arena->next + body;
}

void *nh_arena_alloc(nh_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        nh_heap_fail(arena->heap, NH_ERROR_MEMORY);
    if (arena->heap->deadline > 0 && ++arena->heap->allocations > ALLOCATIONS_BETWEEN_LOOKS)
        look_at_clock(arena->heap);
    size = round_up(size ? size : 1);
    if ((size_t)(arena->end - arena->next) < size)
        arena_extend(arena, size);
    void *block = arena->next;
    arena->next += size;
    return block;
}

void *nh_arena_array(nh_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        nh_heap_fail(arena->heap, NH_ERROR_MEMORY);
    return memset(nh_arena_alloc(arena, count * size), 0, count * size);
}

char *nh_arena_copy(nh_arena *arena, const char *text, size_t length)
{
    char *copy = nh_arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void *nh_array_grow(nh_arena *arena, const void *items, size_t count, size_t *capacity, size_t size)
{
    size_t larger = *capacity ? 2 * *capacity : NH_FIRST_CAPACITY / 8 + 1;
    char *copy = nh_arena_array(arena, larger, size);
    if (count)
        memcpy(copy, items, count * size);
    *capacity = larger;
    return copy;
}
