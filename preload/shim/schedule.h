/*
 * Which steps are recorded: SWPROF_SCHEDULE, or the schedule of swprof_enable().
 */
#ifndef SHIM_SCHEDULE_H
#define SHIM_SCHEDULE_H

#include <swprof/swprof.h>

/** What becomes of a step. */
enum schedule_action {
    SCHEDULE_NONE = 0,
    SCHEDULE_WARMUP = 1,
    SCHEDULE_RECORD = 2,
    SCHEDULE_RECORD_AND_SAVE = 3 /* the last one of a round */
};

/** What a schedule says of its step number @step, which counts from 0. */
enum schedule_action schedule_action(const struct swprof_schedule *schedule, uint64_t step);

/** Whether every part is within its bounds. */
int schedule_is_valid(const struct swprof_schedule *schedule);

/** Follow a schedule from its first step on; rounds are begun with @options. Returns as swprof_enable(). */
int schedule_begin(const struct swprof_options *options);
/** The same for that of the environment, when the shim is loaded: whether a round is to be open now. */
int schedule_load(void);
/** Follow none any more. Returns whether one was followed. */
int schedule_end(void);

/** A step ends: begin and end rounds. Threads: any. */
void schedule_step(void);

#endif
