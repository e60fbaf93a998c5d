/*
 * One contradiction each, put into a report with sums or a ring.
 */
#include "config.h"

#include "bad_samples.h"
#include "sums_samples.h"

static struct swprof_aggregate *first_aggregate(struct made_report *report)
{
    return made_aggregate(report, report->aggregates + sizeof(struct swprof_block));
}

/* The report with sums with one field changed. */
#define SUMS_BUT(function, change)                \
    struct made_report function(void)             \
    {                                             \
        struct made_report report = good_sums();  \
        change;                                   \
        return report;                            \
    }

SUMS_BUT(bad_sums_not_whole, first_aggregate(&report)->sums[1].check = 1)
/* The half that is not whole is said to be the valid one. */
SUMS_BUT(bad_sums_other_half, first_aggregate(&report)->count = 4)

/* Of a program that runs nobody knows it at once: it may be writing. */
struct made_report bad_sums_recording(void)
{
    struct made_report report = bad_sums_other_half();

    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    return report;
}

SUMS_BUT(bad_sums_cut, made_block(&report, report.aggregates)->published -= 8)
SUMS_BUT(bad_sums_operation, first_aggregate(&report)->dispatch = 55)
SUMS_BUT(bad_sums_shapes, first_aggregate(&report)->shapes = 7)
SUMS_BUT(bad_histogram_inside, first_aggregate(&report)->octaves[0]++)
SUMS_BUT(bad_histogram_beyond, first_aggregate(&report)->octaves[SWPROF_OCTAVES - 1] = UINT32_MAX)
SUMS_BUT(bad_histogram_is_sums,
         first_aggregate(&report)->octaves[1] = (uint32_t)((report.aggregates + sizeof(struct swprof_block)) / 8))

struct made_report bad_ring_owner(void)
{
    size_t chunk;
    struct made_report report = make_ring(&chunk);

    make_owner(&report, chunk, UINT64_C(1) << 32);
    return report;
}

struct made_report bad_ring_owner_unknown(void)
{
    size_t chunk;
    struct made_report report = make_ring(&chunk);

    make_owner(&report, chunk, 9);
    make_event(&report, chunk, 9000, 10, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

/* An event that announces its extension, and none. */
struct made_report bad_ring_children_alone(void)
{
    size_t chunk;
    struct made_report report = make_ring(&chunk);

    make_parent(&report, chunk, 8000, 400, 300, 0, 0);
    made_block(&report, chunk)->published -= sizeof(struct swprof_event);
    return report;
}

struct made_report bad_ring_open_operations(void)
{
    size_t chunk;
    struct made_report report = make_ring(&chunk);
    size_t thread = make_thread(&report, 3, 103, 1000, 0);

    made_thread(&report, thread)->depth = 1;
    made_thread(&report, thread)->frames++;
    return report;
}
