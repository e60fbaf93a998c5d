/*
 * The side of recording that is not in thread.h's inlines: chunks, losses, and
 * frames that were left without an exit.
 */
#ifndef SHIM_EVENTS_H
#define SHIM_EVENTS_H

#include "record/frames.h"

extern const struct sw__frames_sink thread_sink;

#endif
