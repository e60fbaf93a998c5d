/*
 * What a program says of itself: ranges, steps, phases and metadata, shown beside
 * the operations. libstrideweave defines these functions; without libswprof.so
 * they record nothing and cost a few instructions.
 *
 * A name is copied, at most 1024 bytes of it; NULL counts as "". What finds no room
 * in the report is counted there as lost; no call fails for it.
 */
#ifndef SWPROF_ANNOTATE_H
#define SWPROF_ANNOTATE_H

#include <swprof/swprof.h>

SW_BEGIN_DECLS

/**
 * swprof_range_push - begin a named range on the calling thread.
 *
 * Ranges nest. The operations that run until its end are inside of it.
 *
 * Returns its level: the number of ranges that are open around it.
 * Threads: any; each has its own ranges. May be called inside of operations and
 * of signal handlers.
 */
SW_API uint32_t swprof_range_push(const char *name);
/** swprof_range_pop - end the innermost range of the thread. SWPROF_NO_RANGE when none is open. */
SW_API int swprof_range_pop(void);
/**
 * swprof_range_pop_to - end the range of a level, and those inside of it.
 *
 * What was left open inside of it, by a jump or an early return, ends too and is
 * marked so. SWPROF_NO_RANGE when no range of that level is open.
 */
SW_API int swprof_range_pop_to(uint32_t level);

/**
 * swprof_step - a step of the program ends, the next one begins.
 *
 * Steps are of the process and count from 0: the first lasts from the beginning
 * to the first call. They are shown as ProfilerStep#N. With a schedule
 * (SWPROF_SCHEDULE, swprof_enable()) they say when rounds begin and end.
 *
 * Returns the number of the step that begins.
 * Threads: any, one at a time.
 */
SW_API uint64_t swprof_step(void);
/**
 * swprof_step_set - the same, and the step that begins has the number @step.
 *
 * As the first call it begins the first step: what was before is in none. For
 * loops that go on from a checkpoint.
 */
SW_API void swprof_step_set(uint64_t step);

/** swprof_phase - the phase in which the process is from now on: "train", "infer"; NULL: none. */
SW_API void swprof_phase(const char *name);

/** swprof_metadata_text, swprof_metadata_number - note the value that a key has now. Traces have it at its moment. */
SW_API void swprof_metadata_text(const char *key, const char *text);
SW_API void swprof_metadata_number(const char *key, double number);

static inline void swprof__range_leave(const uint32_t *level)
{
    (void)swprof_range_pop_to(*level);
}

/**
 * SWPROF_RANGE(name) { ... } - the body runs once inside of a range, which ends on
 * every way out: at the end, by break, continue or return, by goto, by a C++
 * exception. break and continue leave the body, not a loop around it.
 */
#define SWPROF_RANGE(name) SWPROF__RANGE(name, __COUNTER__)
/* A number of its own, so that one in another has other names. */
#define SWPROF__RANGE(name, number) SWPROF__RANGE_NUMBERED(name, number)
#define SWPROF__RANGE_NUMBERED(name, number) SWPROF__RANGE_NAMED(name, swprof__level_##number, swprof__once_##number)
#define SWPROF__RANGE_NAMED(name, level, once)                                                                \
    for (uint32_t level __attribute__((cleanup(swprof__range_leave), unused)) = swprof_range_push(name),       \
                        once = 1;                                                                             \
         once != 0; once = 0)

SW_END_DECLS

#endif
