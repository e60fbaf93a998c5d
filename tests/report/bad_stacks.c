/*
 * One contradiction each, put into a report with call stacks.
 */
#include "config.h"

#include "bad_samples.h"
#include "stack_samples.h"

static struct swprof_module *first_module(struct made_report *report, const struct made_stacks *places)
{
    return (struct swprof_module *)(void *)(report->bytes + places->modules + sizeof(struct swprof_block));
}

static struct swprof_stack *first_stack(struct made_report *report, const struct made_stacks *places)
{
    return (struct swprof_stack *)(void *)(report->bytes + places->stacks + sizeof(struct swprof_block));
}

/* The extension of the first event. */
static struct swprof_event *first_extension(struct made_report *report, const struct made_stacks *places)
{
    return (struct swprof_event *)(void *)(report->bytes + places->chunk + sizeof(struct swprof_block)) + 1;
}

#define STACKS_BUT(function, change)                       \
    struct made_report function(void)                      \
    {                                                      \
        struct made_stacks places;                         \
        struct made_report report = make_stacks(&places);  \
        change;                                            \
        return report;                                     \
    }

STACKS_BUT(bad_module_number, first_module(&report, &places)->number = UINT32_MAX)
STACKS_BUT(bad_module_twice, first_module(&report, &places)[1].number = 0)
STACKS_BUT(bad_module_build_id, first_module(&report, &places)->build_id_bytes = UINT32_MAX)
STACKS_BUT(bad_module_extent, first_module(&report, &places)->high = 0)
STACKS_BUT(bad_module_path, first_module(&report, &places)->path = 7)
STACKS_BUT(bad_module_cut, made_block(&report, places.modules)->published -= 8)
STACKS_BUT(bad_stack_length, first_stack(&report, &places)->n_frames = UINT32_MAX)
STACKS_BUT(bad_stack_empty, first_stack(&report, &places)->n_frames = 0)
STACKS_BUT(bad_stack_module, first_stack(&report, &places)->frames[0] = UINT64_MAX)
STACKS_BUT(bad_stack_cut, made_block(&report, places.stacks)->published -= 8)
STACKS_BUT(bad_stack_reference, first_extension(&report, &places)->shapes++)
