/*
 * The control calls as this library answers them when no shim took the hooks.
 */
#ifndef PROFILER_CONTROL_H
#define PROFILER_CONTROL_H

#include <strideweave/hooks.h>

/** The default control hook: says why there is no capture. Returns an enum swprof_status, never SWPROF_OK. */
int sw__control_without_shim(struct sw_hook_control *control);

#endif
