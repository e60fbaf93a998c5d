/*
 * Estimates of floating point operations, from the name of an operation and
 * the shapes of its inputs. flops.def has the formulas and where they come from.
 */
#ifndef ANALYZE_FLOPS_H
#define ANALYZE_FLOPS_H

#include "analyze/analyze.h"

struct sw_conv_options;

/** Of one successful execution; SW__FLOPS_NONE without a formula, for shapes that it does not take, and beyond 63 bits. */
int64_t sw__flops_estimate(const char *name, const struct sw__analyze_shapes *shapes,
                           const struct sw_conv_options *conv);

/** Add an estimate to a sum: none and something is something. */
static inline void sw__flops_add(int64_t *sum, int64_t more)
{
    if (more == SW__FLOPS_NONE)
        return;
    if (__builtin_add_overflow(*sum == SW__FLOPS_NONE ? 0 : *sum, more, sum))
        *sum = INT64_MAX;
}

/* ---- Of many executions ------------------------------------------------------------------------- */

/** Estimates by index of operation and shape list. Borrows the names. */
struct sw__flops;

SW_NODISCARD enum sw_status sw__flops_new(const struct sw__analyze_names *names, struct sw__flops **ret_flops);
/** The estimate of a dispatch with a shape list; SW__FLOPS_NONE also where an index is that of nothing. */
int64_t sw__flops_of(struct sw__flops *flops, uint32_t dispatch, uint32_t shapes);
void sw__flops_free(struct sw__flops *flops);

/** Of an event: what failed, is unfinished, or only accounts for time has none. */
static inline int64_t sw__flops_of_event(struct sw__flops *flops, const struct sw__analyze_event *event)
{
    const uint32_t state = event->flags & (SW__ANALYZE_SUCCEEDED | SW__ANALYZE_UNFINISHED | SW__ANALYZE_HIDDEN);

    return state == SW__ANALYZE_SUCCEEDED ? sw__flops_of(flops, event->dispatch, event->shapes) : SW__FLOPS_NONE;
}

SW__DEFINE_CLEANUP(flops, struct sw__flops, sw__flops_free)
#define SW__OWNED_FLOPS SW__CLEANUP(sw__cleanup_flops)

#endif
