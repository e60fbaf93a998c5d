/*
 * Ticks that were measured once, times what was counted.
 */
#include "config.h"

#include "report/overhead.h"

/* Nobody's boundary costs a millisecond: the report is damaged. */
#define MOST_NS 1e6

static double ns_per_tick(const struct report *report)
{
    const struct swprof_anchor *first = &report->header.first, *last = &report->header.last;

    if (report->header.clock == SWPROF_CLOCK_MONOTONIC)
        return 1.0;
    if (last->ticks <= first->ticks || last->monotonic_ns <= first->monotonic_ns)
        return 0.0;
    return ((double)last->monotonic_ns - (double)first->monotonic_ns) / (double)(last->ticks - first->ticks);
}

struct overhead overhead_of(const struct report *report)
{
    double rate = ns_per_tick(report);
    struct overhead overhead = { .inside_ns = (double)report->header.cost_inside * rate,
                                 .outside_ns = (double)report->header.cost_outside * rate };

    overhead.is_known = overhead.inside_ns > 0.0 && overhead.inside_ns < MOST_NS && overhead.outside_ns < MOST_NS;
    return overhead;
}

/* Nearest whole nanoseconds: events add up as whole ones. */
static int subtract(int64_t *ns, double excess_ns)
{
    const double rest_ns = (double)*ns - excess_ns;

    *ns = rest_ns > 0.0 ? (int64_t)(rest_ns + 0.5) : 0;
    return rest_ns < 0.0;
}

unsigned overhead_compensate(const struct overhead *overhead, struct sw__analyze_event *event)
{
    const double of_nested_ns = overhead->inside_ns + overhead->outside_ns;

    return (unsigned)subtract(&event->duration_ns, overhead->inside_ns + (double)event->n_inside * of_nested_ns) +
           (unsigned)subtract(&event->self_ns,
                              overhead->inside_ns + (double)event->n_children * overhead->outside_ns);
}

double overhead_percent(const struct overhead *overhead, const struct sw__aggregate *row)
{
    double inside_ns = (double)row->count * overhead->inside_ns;
    double ns = inside_ns + (double)row->n_children * overhead->outside_ns;

    if (row->self_total_ns <= 0)
        return 0.0;
    return ns < (double)row->self_total_ns ? 100.0 * ns / (double)row->self_total_ns : 100.0;
}
