/*
 * A signal that ends the open round and begins one where none is open
 * (SWPROF_SIGNAL). Off unless asked for.
 */
#ifndef SHIM_TOGGLE_H
#define SHIM_TOGGLE_H

/**
 * Handle the signal that the settings name, if it has its default action; a
 * program that installs a handler of its own later simply replaces ours. Once,
 * when the shim is loaded.
 */
void toggle_load(void);

#endif
