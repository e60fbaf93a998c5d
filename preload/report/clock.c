/*
 * Conversion of ticks. Anchors a second or more apart make the knots, so that
 * the few nanoseconds by which an anchor may be off do not tilt a segment.
 */
#include "config.h"

#include "report/clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "base/alloc.h"

#define KNOT_DISTANCE_NS INT64_C(1000000000)
/* Rates of real counters lie far inside: 1 MHz to 64 GHz. */
#define MAX_SCALE (UINT64_C(1000) << CLOCK_SHIFT)
#define MIN_SCALE ((UINT64_C(1) << CLOCK_SHIFT) / 64)

static int by_ticks(const void *a, const void *b)
{
    const struct swprof_anchor *left = a, *right = b;

    return (left->ticks > right->ticks) - (left->ticks < right->ticks);
}

/* Nanoseconds per tick from @a to @b; 0 when they contradict each other. */
static uint64_t scale_between(const struct swprof_anchor *a, const struct swprof_anchor *b)
{
    if (b->ticks <= a->ticks || b->monotonic_ns <= a->monotonic_ns)
        return 0;
    uint64_t ns = (uint64_t)b->monotonic_ns - (uint64_t)a->monotonic_ns;
    uint64_t ticks = b->ticks - a->ticks;
    clock_wide scale = (((clock_wide)ns << CLOCK_SHIFT) + ticks / 2) / ticks;
    return scale >= MIN_SCALE && scale <= MAX_SCALE ? (uint64_t)scale : 0;
}

static int close_to(uint64_t scale, uint64_t overall)
{
    uint64_t tolerance = overall / 64;

    return scale >= overall - tolerance && scale <= overall + tolerance;
}

static struct clock_knot knot_at(const struct swprof_anchor *anchor, uint64_t scale)
{
    return (struct clock_knot){ anchor->ticks, anchor->monotonic_ns, scale, 0, INT64_MAX };
}

/* Knots from the first anchor to the last; those between only when far from both and in line. */
static void place_knots(struct report_clock *clock, const struct swprof_anchor *anchors, size_t n_anchors,
                        uint64_t overall)
{
    const struct swprof_anchor *from = &anchors[0], *last = &anchors[n_anchors - 1];

    for (size_t i = 1; i < n_anchors; i++) {
        const struct swprof_anchor *to = &anchors[i];
        uint64_t scale = scale_between(from, to);
        if (scale == 0 || !close_to(scale, overall))
            continue;
        int far = to->monotonic_ns - from->monotonic_ns >= KNOT_DISTANCE_NS;
        uint64_t rest = scale_between(to, last);
        int rest_fits = rest != 0 && close_to(rest, overall) &&
                        last->monotonic_ns - to->monotonic_ns >= KNOT_DISTANCE_NS;
        if (to != last && !(far && rest_fits))
            continue;
        clock->knots[clock->n_knots++] = knot_at(from, scale);
        from = to;
    }
}

/* What clock_ns() asks of the knots, once they are all there. */
static void limit_knots(struct report_clock *clock)
{
    for (size_t i = 0; i < clock->n_knots; i++) {
        struct clock_knot *knot = &clock->knots[i];
        const struct clock_knot *next = i + 1 < clock->n_knots ? knot + 1 : NULL;

        knot->n_near = knot->ns < INT64_MAX / 2 ? CLOCK_NEAR_TICKS : 0;
        if (next != NULL && next->ticks - knot->ticks < knot->n_near)
            knot->n_near = next->ticks - knot->ticks;
        if (next != NULL)
            knot->most_ns = next->ns;
    }
}

enum report_outcome clock_build(uint32_t kind, struct swprof_anchor *anchors, size_t n_anchors,
                                struct report_clock *ret_clock)
{
    struct report_clock clock = { NULL, 0 };

    if (kind == SWPROF_CLOCK_MONOTONIC) {
        *ret_clock = clock;
        return REPORT_OK;
    }
    qsort(anchors, n_anchors, sizeof *anchors, by_ticks);
    uint64_t overall = n_anchors > 1 ? scale_between(&anchors[0], &anchors[n_anchors - 1]) : 0;
    if (overall == 0)
        return report_fail(REPORT_DAMAGED, "its clock has no two anchors that give a rate");
    clock.knots = sw__alloc(n_anchors * sizeof *clock.knots);
    if (clock.knots == NULL)
        return REPORT_SYSTEM;
    place_knots(&clock, anchors, n_anchors, overall);
    limit_knots(&clock);
    *ret_clock = clock;
    return REPORT_OK;
}

void clock_clear(struct report_clock *clock)
{
    sw__free(clock->knots);
    *clock = (struct report_clock){ NULL, 0 };
}

static int64_t after_knot(const struct clock_knot *knot, uint64_t ticks)
{
    clock_wide ns = clock_length_ns(knot, ticks - knot->ticks);
    int64_t sum = 0;

    if (ns > INT64_MAX || __builtin_add_overflow(knot->ns, (int64_t)ns, &sum))
        return knot->most_ns;
    return sum < knot->most_ns ? sum : knot->most_ns;
}

static int64_t before_knot(const struct clock_knot *knot, uint64_t ticks)
{
    clock_wide ns = clock_length_ns(knot, knot->ticks - ticks);
    int64_t difference = 0;

    if (ns > INT64_MAX || __builtin_sub_overflow(knot->ns, (int64_t)ns, &difference))
        return INT64_MIN;
    return difference;
}

int64_t clock_slow_ns(const struct report_clock *clock, uint64_t ticks, size_t *hint)
{
    if (clock->knots == NULL)
        return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
    size_t i = *hint;
    while (i > 0 && ticks < clock->knots[i].ticks)
        i--;
    while (i + 1 < clock->n_knots && ticks >= clock->knots[i + 1].ticks)
        i++;
    *hint = i;
    const struct clock_knot *knot = &clock->knots[i];
    if (ticks < knot->ticks)
        return before_knot(knot, ticks);
    return after_knot(knot, ticks);
}

int64_t clock_monotonic_ns(void)
{
    struct timespec now;

    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec : 0;
}

int clock_now(uint32_t kind, struct swprof_anchor *ret_anchor)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    ret_anchor->monotonic_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    ret_anchor->ticks = (uint64_t)ret_anchor->monotonic_ns;
    if (kind == SWPROF_CLOCK_MONOTONIC)
        return 1;
#if defined(__x86_64__)
    ret_anchor->ticks = __rdtsc();
    return kind == SWPROF_CLOCK_TSC;
#else
    return 0;
#endif
}
