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
 * unchanged; with a schedule it ends first); SWPROF_NO_SHIM, _HOOKS_ELSEWHERE, _ABI_MISMATCH, _NOT_BUILT when
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

SW_END_DECLS

#endif
