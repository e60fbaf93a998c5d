/*
 * Control of the capture from inside a program. Both libraries define these
 * functions: a program that calls them links with libstrideweave alone, and
 * without libswprof.so they change nothing and say so.
 */
#ifndef SWPROF_SWPROF_H
#define SWPROF_SWPROF_H

#include <strideweave/export.h>

SW_BEGIN_DECLS

/** What a control call returns; SWPROF_OK is zero. */
enum swprof_status {
#define SWPROF_STATUS(enumerator, number, text) SWPROF_##enumerator = number,
#include <swprof/status.def>
#undef SWPROF_STATUS
};

/**
 * Which of a long run's steps are recorded. The first skip_first steps are not;
 * then come cycles of wait steps that are not recorded, warmup steps that are not
 * either, and active steps, which are a round. repeat cycles, 0: without end.
 */
struct swprof_schedule {
    uint64_t wait;
    uint64_t warmup;
    uint64_t active; /* at least 1 */
    uint64_t repeat;
    uint64_t skip_first;
};

struct swprof_options {
    uint32_t struct_bytes;
    int32_t shapes;    /* record input shapes: 0, 1, or -1 for what SWPROF_SHAPES says; -1 */
    const char *label; /* shown with the round, copied; NULL for none */
    const struct swprof_schedule *schedule; /* copied; its first step begins now; NULL: one round, until it is ended */
};
#define SWPROF_OPTIONS_INIT { (uint32_t)sizeof(struct swprof_options), -1, NULL, NULL }

/**
 * swprof_enable - begin a round: record the boundaries of all threads.
 *
 * @options  NULL for the defaults. With a schedule the steps from now on are
 *           counted from 0 and say when rounds begin and end (swprof_step()); it
 *           takes the place of one that is being followed, and of SWPROF_SCHEDULE.
 *
 * Returns SWPROF_OK; SWPROF_ALREADY_ENABLED when a round is open (it goes on
 * unchanged); SWPROF_NO_SHIM, _HOOKS_ELSEWHERE, _ABI_MISMATCH, _NOT_BUILT when
 * nothing can be recorded; SWPROF_INERT in a set-uid program;
 * SWPROF_INVALID_OPTIONS; SWPROF_NO_REPORT.
 * Threads: any.
 */
SW_API int swprof_enable(const struct swprof_options *options);
/**
 * swprof_disable - end the round; its session is frozen. A schedule is not followed any more.
 *
 * SWPROF_NOT_ENABLED when no round is open and no schedule followed.
 */
SW_API int swprof_disable(void);
/** swprof_is_loaded - 1 when libswprof.so is in the process and its hooks are called, else 0. */
SW_API int swprof_is_loaded(void);
/** swprof_status_text - one sentence for a status. Static, never NULL. */
SW_API const char *swprof_status_text(int status);

/* ---- What a program says of itself --------------------------------------------------- */

/*
 * Ranges, steps, phases and metadata, shown beside the operations. libstrideweave
 * defines them; without libswprof.so they record nothing and cost a few
 * instructions. A name is copied, at most 1024 bytes of it; UTF-8 is shown as it
 * is, anything else is escaped. NULL counts as "". What finds no room in the
 * report is counted there as lost; no call fails for it.
 */

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

/** swprof_phase - "train", "infer": the phase of the process that lasts until the next call. NULL: until it has one again. */
SW_API void swprof_phase(const char *name);

/** swprof_metadata_text, swprof_metadata_number - a key and its value, now; the latest value of a key is shown as that of the run. */
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
