/*
 * How the shim stands to the loaded libstrideweave, for control calls and the
 * launcher.
 */
#ifndef SHIM_CONTROL_H
#define SHIM_CONTROL_H

#include <strideweave/hooks.h>
#include <swprof/swprof.h>

/** SWPROF_OK, SWPROF_HOOKS_ELSEWHERE or SWPROF_ABI_MISMATCH. Not for hot paths. */
int control_library_status(void);

/** Whether a libstrideweave is in the process. */
int control_library_seen(void);

/* The hooks as defined here, whatever the loader chose for their public names. */
int own_control(struct sw_hook_control *control) __attribute__((visibility("hidden")));

#endif
