/*
 * Interning of call stacks by content, and of the modules that they name.
 */
#include "config.h"

#include "shim/stacks.h"

#include "record/at_load.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/unwind.h"
#include "shim/memory.h"
#include "shim/series.h"
#include "shim/slow.h"
#include "shim/thread.h"

#define IS(left, right) ((int)(left) == (int)(right))
_Static_assert(IS(SWPROF_FRAME_OFFSET_BITS, SW__UNWIND_OFFSET_BITS) &&
                   IS(SWPROF_BUILD_ID_BYTES, SW__UNWIND_BUILD_ID_BYTES) && IS(SWPROF_STACK_CUT, SW__UNWIND_CUT) &&
                   IS(SWPROF_STACK_LOST, SW__UNWIND_LOST) && IS(SWPROF_STACKS_RECORDED, SW__UNWIND_READY) &&
                   IS(SWPROF_STACKS_NO_LIBRARY, SW__UNWIND_NO_LIBRARY) &&
                   IS(SWPROF_STACKS_NO_SUPPORT, SW__UNWIND_NO_SUPPORT),
               "frames are stored as they are found");

static enum sw__unwind_state state;

/* What is known of addresses holds in a forked child, too. */
static void *reserve(uint64_t n_bytes)
{
    return memory_map(n_bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

SW__AT_LOAD void stacks_load(void)
{
    if (shim.settings.stack == 0)
        return;
    state = sw__unwind_load(reserve);
    if (state == SW__UNWIND_READY) {
        shim.ways |= SHIM_STACKS;
        sw__unwind_hide(&shim);
    } else {
        shim_say("no call stacks: ", state == SW__UNWIND_NO_LIBRARY ? "libunwind is not there"
                                                                    : "there is no way on this system", NULL);
    }
}

uint32_t stacks_state(void)
{
    return state;
}

void stacks_hide(const void *library)
{
    if (state == SW__UNWIND_READY)
        sw__unwind_hide(library);
}

void stacks_start(struct thread_stacks *stacks)
{
    uint64_t n_bytes = shim.settings.stack * sizeof *stacks->frames;
    char *room;

    if (state != SW__UNWIND_READY || stacks->frames != NULL)
        return;
    room = memory_reserve(n_bytes + (SW__FRAMES_MAX + 1) * sizeof *stacks->references);
    if (room == NULL)
        return;
    stacks->frames = (uint64_t *)(void *)room;
    stacks->references = (uint32_t *)(void *)(room + n_bytes);
}

/* A stack that was found, and the key of its content. */
struct found {
    const uint64_t *frames;
    uint32_t n_frames;
    uint32_t flags;
    uint64_t key;
};

static uint64_t key_of(const struct found *found)
{
    uint64_t key = (uint64_t)found->n_frames << 32 | found->flags;

    for (uint32_t i = 0; i < found->n_frames; i++)
        key = table_mix(key, found->frames[i]);
    return key;
}

static int is_stored(const struct capture *capture, uint32_t reference, const struct found *found)
{
    const struct swprof_stack *stored = report_address(&capture->report, reference);

    if (stored->n_frames != found->n_frames || stored->flags != found->flags)
        return 0;
    for (uint32_t i = 0; i < found->n_frames; i++)
        if (stored->frames[i] != found->frames[i])
            return 0;
    return 1;
}

static uint32_t find(const struct capture *capture, const struct found *found)
{
    uint32_t reference, at = 0;

    while ((reference = table_find(&capture->stack_table, found->key, &at)) != 0)
        if (is_stored(capture, reference, found))
            break;
    return reference;
}

/* ---- First sights, for the holder of the lock ------------------------------------------------ */

static int write_module(struct capture *capture, uint32_t number)
{
    const struct sw__unwind_module *module = sw__unwind_module(number);
    uint32_t path = series_text(capture, module->path);
    struct swprof_module *record;
    enum swprof_lost reason;

    record = series_room(capture, &capture->modules, SWPROF_BLOCK_MODULES, sizeof *record, number, &reason);
    if (record == NULL)
        return 0;
    record->number = number;
    record->path = path;
    record->low = module->low;
    record->high = module->high;
    record->bias = module->bias;
    record->build_id_bytes = module->build_id_bytes;
    sw__copy(record->build_id, module->build_id, module->build_id_bytes);
    series_publish(&capture->modules, sizeof *record);
    return 1;
}

/* All modules so far: who names one finds it. */
static int write_modules(struct capture *capture)
{
    uint32_t n = sw__unwind_n_modules();

    for (; capture->n_modules < n; capture->n_modules++)
        if (!write_module(capture, capture->n_modules))
            return 0;
    return 1;
}

static uint32_t add(struct capture *capture, const struct found *found)
{
    uint32_t reference = find(capture, found);
    uint64_t n_bytes = sizeof(struct swprof_stack) + found->n_frames * sizeof *found->frames;
    struct swprof_stack *stack;
    enum swprof_lost reason;

    if (reference != 0)
        return reference;
    if (capture->stack_table.n_used >= STACKS_MOST || !write_modules(capture))
        return 0;
    if (capture->stack_table.entries == NULL && !table_create(&capture->stack_table, 2 * STACKS_MOST))
        return 0;
    stack = series_room(capture, &capture->stacks, SWPROF_BLOCK_STACKS, n_bytes, 0, &reason);
    if (stack == NULL)
        return 0;
    stack->n_frames = found->n_frames;
    stack->flags = found->flags;
    sw__copy(stack->frames, found->frames, found->n_frames * sizeof *found->frames);
    series_publish(&capture->stacks, n_bytes);
    reference = report_reference(&capture->report, stack);
    /* From here on other threads read it. */
    table_insert(&capture->stack_table, found->key, reference);
    return reference;
}

static __attribute__((noinline)) uint32_t add_slow(struct thread *thread, const struct found *found)
{
    struct capture *capture = thread->capture;
    uint32_t reference;
    struct slow slow;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    reference = add(capture, found);
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (reference == 0)
        thread->report->lost_stacks++;
    return reference;
}

/* ---- Every boundary -------------------------------------------------------------------------- */

uint32_t stacks_of(struct thread *thread)
{
    struct found found = {.frames = thread->stacks.frames};
    uint64_t begin = thread_now();
    uint32_t flags, reference;

    if (UNLIKELY(thread->stacks.frames == NULL)) {
        thread->report->lost_stacks++;
        return 0;
    }
    found.n_frames = sw__unwind_trace(&thread->frames.stack, thread->stacks.frames, shim.settings.stack, &flags);
    found.flags = flags & ~(uint32_t)SW__UNWIND_LEARNED;
    found.key = key_of(&found);
    reference = found.n_frames != 0 ? find(thread->capture, &found) : 0;
    if (LIKELY(reference != 0 && found.flags == flags))
        return reference;
    if (reference == 0 && found.n_frames != 0)
        reference = add_slow(thread, &found);
    thread_account(thread, begin);
    thread_put_tool(thread);
    return reference;
}
