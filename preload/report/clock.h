/*
 * Ticks of the recorded clock to nanoseconds of CLOCK_MONOTONIC: one monotone
 * piecewise linear function through anchors.
 */
#ifndef REPORT_CLOCK_H
#define REPORT_CLOCK_H

#include <swprof/format.h>

#include "report/outcome.h"

/** From its ticks on time goes on from its ns at `scale` nanoseconds per tick, a fixed-point number. */
struct clock_knot {
    uint64_t ticks;
    int64_t ns;
    uint64_t scale;
};

struct report_clock {
    struct clock_knot *knots; /* NULL when ticks are nanoseconds */
    size_t n_knots;
};

/**
 * clock_build - the function through @anchors (sorted in place; contradicting
 * ones are left out).
 *
 * @kind  enum swprof_clock. DAMAGED when the anchors give no usable rate.
 */
SW_NODISCARD enum report_outcome clock_build(uint32_t kind, struct swprof_anchor *anchors, size_t n_anchors,
                                             struct report_clock *ret_clock);
void clock_clear(struct report_clock *clock);

/** Nanoseconds of a stamp; saturates. @hint: index of the last knot used, 0 at first; makes series fast. */
int64_t clock_ns(const struct report_clock *clock, uint64_t ticks, size_t *hint);

/** Both clocks of this machine now; 0 when it cannot read @kind. */
int clock_now(uint32_t kind, struct swprof_anchor *ret_anchor);

#endif
