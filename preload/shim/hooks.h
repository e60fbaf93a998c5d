/*
 * The shim's own hooks, whatever the loader made of their exported names.
 */
#ifndef SHIM_HOOKS_H
#define SHIM_HOOKS_H

#include <strideweave/hooks.h>

void own_compute_enter(struct sw_hook_compute *call) __attribute__((visibility("hidden")));
void own_compute_exit(struct sw_hook_compute *call) __attribute__((visibility("hidden")));

#endif
