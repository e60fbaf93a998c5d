/*
 * What recording a boundary costs on this machine, for the header of the report.
 */
#ifndef SHIM_COST_H
#define SHIM_COST_H

#include <strideweave/hooks.h>

struct thread;

/**
 * Record operations like one that is being entered, away from the report, and
 * measure. Once for a capture, at its first boundary of a selected carrier: what
 * records nothing does not wait for it. For a thread whose signals are blocked, with the dispatch of
 * @call known, without the capture's lock. Without memory nothing is measured.
 */
void cost_measure(const struct thread *thread, const struct sw_hook_compute *call);

#endif
