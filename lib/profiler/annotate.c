/*
 * What a program says of itself: ranges, steps, phases, metadata. Passed on to
 * whoever wants it; levels and step numbers are right also while nobody does.
 */
#include "config.h"

#include <swprof/annotate.h>

#include "base/hooks.h"

static inline const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* ---- To the hooks -------------------------------------------------------------------- */

#if SW_ENABLE_PROFILING
static inline int is_wanted(void)
{
    return sw__hook_is_wanted(SW_HOOK_WANT_NOTE);
}

static __attribute__((noinline)) void pass_push(const char *name, uint32_t level)
{
    struct sw_hook_range range = {
        .struct_bytes = sizeof range,
        .flags = SW_HOOK_RANGE_USER,
        .library = &sw__hook_library,
        .name = text_or_empty(name),
        .level = level,
    };

    sw__hooks.range_enter(&range);
}

static __attribute__((noinline)) void pass_pop(uint32_t level)
{
    struct sw_hook_range range = {
        .struct_bytes = sizeof range,
        .flags = SW_HOOK_RANGE_USER,
        .library = &sw__hook_library,
        .level = level,
    };

    sw__hooks.range_exit(&range);
}

static void pass_step(uint64_t step, uint64_t before)
{
    struct sw_hook_range range = {
        .struct_bytes = sizeof range,
        .flags = SW_HOOK_RANGE_STEP,
        .library = &sw__hook_library,
        .step = step,
        .before = before,
    };

    sw__hooks.range_enter(&range);
}

static void pass_note(struct sw_hook_note note)
{
    note.struct_bytes = sizeof note;
    note.library = &sw__hook_library;
    sw__hooks.note(&note);
}
#else
static inline int is_wanted(void)
{
    return 0;
}

static void pass_push(const char *name, uint32_t level)
{
    (void)text_or_empty(name);
    (void)level;
}

static void pass_pop(uint32_t level)
{
    (void)level;
}

static void pass_step(uint64_t step, uint64_t before)
{
    (void)step;
    (void)before;
}

static void pass_note(struct sw_hook_note note)
{
    (void)note;
}
#endif

/* ---- Ranges ---------------------------------------------------------------------------- */

uint32_t swprof_range_push(const char *name)
{
    uint32_t level = sw__thread.range_level++;

    if (is_wanted())
        pass_push(name, level);
    return level;
}

int swprof_range_pop_to(uint32_t level)
{
    if (level >= sw__thread.range_level)
        return SWPROF_NO_RANGE;
    sw__thread.range_level = level;
    if (is_wanted())
        pass_pop(level);
    return SWPROF_OK;
}

int swprof_range_pop(void)
{
    return sw__thread.range_level > 0 ? swprof_range_pop_to(sw__thread.range_level - 1) : SWPROF_NO_RANGE;
}

/* ---- Steps ------------------------------------------------------------------------------- */

static uint64_t running; /* 1 + number of the step that is running; 0: none was begun. Atomic, relaxed */

/* The first step has begun with the process when nothing else was said. */
static uint64_t step_of(uint64_t one_more)
{
    return one_more != 0 ? one_more - 1 : 0;
}

uint64_t swprof_step(void)
{
    uint64_t before = __atomic_load_n(&running, __ATOMIC_RELAXED);
    uint64_t step;

    do
        step = step_of(before) + 1;
    while (!__atomic_compare_exchange_n(&running, &before, step + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (is_wanted())
        pass_step(step, step - 1);
    return step;
}

void swprof_step_set(uint64_t step)
{
    uint64_t before = __atomic_exchange_n(&running, step + 1, __ATOMIC_RELAXED);

    if (is_wanted())
        pass_step(step, before != 0 ? step_of(before) : SW_HOOK_NO_STEP);
}

/* ---- Moments ------------------------------------------------------------------------------- */

void swprof_phase(const char *name)
{
    if (is_wanted())
        pass_note((struct sw_hook_note){.kind = SW_HOOK_NOTE_PHASE, .name = name});
}

void swprof_metadata_text(const char *key, const char *text)
{
    if (is_wanted())
        pass_note((struct sw_hook_note){
            .kind = SW_HOOK_NOTE_TEXT, .name = text_or_empty(key), .text = text_or_empty(text)});
}

void swprof_metadata_number(const char *key, double number)
{
    if (is_wanted())
        pass_note((struct sw_hook_note){.kind = SW_HOOK_NOTE_NUMBER, .name = text_or_empty(key), .number = number});
}
