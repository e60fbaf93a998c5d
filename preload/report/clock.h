/*
 * Ticks of the recorded clock to nanoseconds of CLOCK_MONOTONIC: one monotone
 * piecewise linear function through anchors.
 */
#ifndef REPORT_CLOCK_H
#define REPORT_CLOCK_H

#include <swprof/format.h>

#include "report/outcome.h"

/** Binary digits behind the point of a rate. */
#define CLOCK_SHIFT 44
/** With the highest rate they are less than INT64_MAX / 2 nanoseconds. */
#define CLOCK_NEAR_TICKS (UINT64_C(1) << 50)

/** From its ticks on time goes on from its ns at `scale` nanoseconds per tick, a fixed-point number. */
struct clock_knot {
    uint64_t ticks;
    int64_t ns;
    uint64_t scale;
    uint64_t n_near; /* stamps from there on for which nothing saturates */
    int64_t most_ns; /* where the next knot is; a rounded rate must not lead past it */
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

__extension__ typedef unsigned __int128 clock_wide;

/** Nanoseconds of a length in ticks, to the nearest; so that anchors are met exactly. */
static inline clock_wide clock_length_ns(const struct clock_knot *knot, uint64_t ticks)
{
    return ((clock_wide)ticks * knot->scale + ((clock_wide)1 << (CLOCK_SHIFT - 1))) >> CLOCK_SHIFT;
}

/** clock_ns() in all cases. */
int64_t clock_slow_ns(const struct report_clock *clock, uint64_t ticks, size_t *hint);

/** Nanoseconds of a stamp; saturates. @hint: index of the last knot used, 0 at first; makes series fast. */
static inline int64_t clock_ns(const struct report_clock *clock, uint64_t ticks, size_t *hint)
{
    const struct clock_knot *knot = clock->knots != NULL ? &clock->knots[*hint] : NULL;
    int64_t ns;

    if (__builtin_expect(knot == NULL || ticks - knot->ticks >= knot->n_near, 0))
        return clock_slow_ns(clock, ticks, hint);
    ns = knot->ns + (int64_t)clock_length_ns(knot, ticks - knot->ticks);
    return ns < knot->most_ns ? ns : knot->most_ns;
}

/** From one moment to a later one; saturates. */
static inline int64_t clock_between(int64_t from_ns, int64_t to_ns)
{
    int64_t ns = 0;

    return __builtin_sub_overflow(to_ns, from_ns, &ns) ? INT64_MAX : ns;
}

/** CLOCK_MONOTONIC of this machine now. */
int64_t clock_monotonic_ns(void);

/** Both clocks of this machine now; 0 when it cannot read @kind. */
int clock_now(uint32_t kind, struct swprof_anchor *ret_anchor);

#endif
