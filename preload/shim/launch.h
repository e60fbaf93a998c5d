/*
 * Telling swprof-run what became of the recording (swprof/launch.h). Without a
 * launcher none of this does anything.
 */
#ifndef SHIM_LAUNCH_H
#define SHIM_LAUNCH_H

#include <swprof/launch.h>

#include "shim/capture.h"

/** Map the launcher's structure and count this process. Once, when the shim is loaded. */
void launch_load(void);

/** The report was created, or could not be. For the holder of the capture's lock. */
void launch_tell_report(const struct capture *capture);

/** The report is frozen. */
void launch_tell_frozen(void);

/** The process ends regularly: what was never told otherwise. */
void launch_tell_end(void);

#endif
