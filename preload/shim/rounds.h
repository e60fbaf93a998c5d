/*
 * Rounds: the stretches between enable and disable, each a session of the
 * report. The first begins when the shim is loaded.
 */
#ifndef SHIM_ROUNDS_H
#define SHIM_ROUNDS_H

#include <swprof/swprof.h>

#include "shim/capture.h"

/** Begin the first round, or do not, as SWPROF_START says. Once, when the shim is loaded. */
void rounds_load(void);

/** Stay out of the way: a set-uid program. */
void rounds_stay_inert(void);

/** Stamps are nanoseconds of CLOCK_MONOTONIC from here on, also the one that was taken. For the holder of the lock. */
void rounds_change_clock(void);

/** As swprof_enable() and swprof_disable() document, without a schedule; @options are valid. Threads: any. */
int rounds_begin(const struct swprof_options *options);
int rounds_end(void);

/** End the round that is open, else begin one. For a signal handler. */
void rounds_toggle(void);

/** Freeze the session of the round that has ended. Not for the holder of the lock. */
void rounds_close(struct capture *capture);

/* For the holder of the capture's lock. */

/** The report was made: write the open round into it. 0 when there is no room. */
int rounds_publish(struct capture *capture);

/** The report could not be made: record nothing any more. */
void rounds_abandon(void);

/** The process ends: freeze the open round. */
void rounds_freeze(struct capture *capture);

/** An operation ran after that: open it again. */
void rounds_thaw(struct capture *capture);

/** Whether a round is open that had begun by then. */
int rounds_cover(uint64_t ticks);

/** When the open round of the process began; @now when there is none. Threads: any. */
uint64_t rounds_begin_ticks(const struct capture *capture, uint64_t now);

/** Whether any round was ever begun. */
int rounds_any(void);

#endif
