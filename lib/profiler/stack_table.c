/*
 * The walk, and stacks by content.
 */
#include "config.h"

#include "profiler/stack_table.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/alloc.h"
#include "base/hooks.h"
#include "record/unwind.h"

#define IS(left, right) ((int)(left) == (int)(right))
_Static_assert(IS(SW_PROFILER_STACKS_OFF, SW__UNWIND_OFF) && IS(SW_PROFILER_STACKS_RECORDED, SW__UNWIND_READY) &&
                   IS(SW_PROFILER_STACKS_NO_LIBRARY, SW__UNWIND_NO_LIBRARY) &&
                   IS(SW_PROFILER_STACKS_NO_SUPPORT, SW__UNWIND_NO_SUPPORT) &&
                   IS(SW_PROFILER_MOST_STACK_DEPTH, SW__UNWIND_MOST_FRAMES),
               "states are passed on as they are");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum sw__unwind_state state;

/* Kept for good: other Profilers use it, and addresses stay known. */
static void *reserve(uint64_t n_bytes)
{
    void *memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory != MAP_FAILED ? memory : NULL;
}

static void load(void)
{
    state = sw__unwind_load(reserve);
    /* The frames of the dispatcher and of this recorder, and those of a tool whose hook calls it. */
    sw__unwind_hide(&once);
#if SW_ENABLE_PROFILING
    sw__unwind_hide((const void *)(uintptr_t)sw__hooks.compute_enter);
#endif
}

enum sw_profiler_stacks sw__stacks_load(void)
{
    pthread_once(&once, load);
    return (enum sw_profiler_stacks)state;
}

enum sw_status sw__stack_table_begin(struct sw__stack_table *table, uint32_t depth)
{
    struct timespec now;

    table->found = sw__alloc(depth * sizeof *table->found);
    if (table->found == NULL)
        return SW_MEMORY_ERROR;
    clock_gettime(CLOCK_REALTIME, &now);
    table->began_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    table->depth = depth;
    return SW_OK;
}

static uint64_t hash_of(const uint64_t *frames, uint32_t n_frames, uint32_t flags)
{
    uint64_t hash = sw__hash_number(n_frames, flags);

    for (uint32_t i = 0; i < n_frames; i++)
        hash = sw__hash_number(hash, frames[i]);
    return hash;
}

static int is_same(const struct sw__call_stack *stack, const uint64_t *frames, uint32_t n_frames, uint32_t flags)
{
    return stack->n_frames == n_frames && stack->flags == flags &&
           memcmp(stack->frames, frames, n_frames * sizeof *frames) == 0;
}

static int make_room(struct sw__stack_table *table)
{
    uint32_t room = table->room != 0 ? 2 * table->room : 32;
    struct sw__call_stack **larger;

    if (table->n < table->room)
        return 1;
    larger = room > table->room ? sw__realloc(table->stacks, room * sizeof(struct sw__call_stack *)) : NULL;
    if (larger == NULL)
        return 0;
    table->stacks = larger;
    table->room = room;
    return 1;
}

static int add(struct sw__stack_table *table, uint64_t hash, uint32_t n_frames, uint32_t flags, uint32_t *ret_index)
{
    struct sw__call_stack *stack SW__OWNED = sw__alloc(sizeof *stack + n_frames * sizeof stack->frames[0]);

    if (stack == NULL || !make_room(table) || sw__index_put(&table->index, hash, table->n) != SW_OK)
        return 0;
    stack->n_frames = n_frames;
    stack->flags = flags;
    memcpy(stack->frames, table->found, n_frames * sizeof stack->frames[0]);
    table->stacks[table->n] = sw__take(stack);
    *ret_index = table->n++;
    return 1;
}

int sw__stack_table_find(struct sw__stack_table *table, struct sw__stack *own, uint32_t *ret_index)
{
    uint32_t flags = 0, n_frames = sw__unwind_trace(own, table->found, table->depth, &flags);

    *ret_index = SW__ANALYZE_NONE;
    if (n_frames == 0)
        return 1;
    flags &= ~(uint32_t)SW__UNWIND_LEARNED;
    uint64_t hash = hash_of(table->found, n_frames, flags);
    struct sw__index_probe probe = sw__index_probe(&table->index, hash);
    while ((*ret_index = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (is_same(table->stacks[*ret_index], table->found, n_frames, flags))
            return 1;
    return add(table, hash, n_frames, flags, ret_index);
}

void sw__stack_table_clear(struct sw__stack_table *table)
{
    for (uint32_t i = 0; i < table->n; i++)
        sw__free(table->stacks[i]);
    sw__free(table->stacks);
    sw__free(table->found);
    sw__index_table_clear(&table->index);
    *table = (struct sw__stack_table){0};
}
