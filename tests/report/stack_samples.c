/*
 * Modules, stacks, and events that refer to them.
 */
#include "config.h"

#include "stack_samples.h"

#include <string.h>

static void put_module(struct made_report *report, size_t block, uint32_t number, const char *path)
{
    struct swprof_module module = {
        .number = number,
        .path = make_string(report, path, strlen(path)),
        .low = 0x1000 * (number + 1),
        .high = 0x1000 * (number + 2),
        .bias = 0x1000 * (number + 1),
        .build_id_bytes = 4,
        .build_id = { 1, 2, 3, (uint8_t)number },
    };
    size_t offset = make_payload(report, block, sizeof module);

    memcpy(report->bytes + offset, &module, sizeof module);
}

static uint32_t put_stack(struct made_report *report, size_t block, const uint64_t *frames, uint32_t n_frames,
                          uint32_t flags)
{
    const struct swprof_stack head = { .n_frames = n_frames, .flags = flags };
    size_t offset = make_payload(report, block, sizeof head + n_frames * sizeof *frames);

    memcpy(report->bytes + offset, &head, sizeof head);
    memcpy(report->bytes + offset + sizeof head, frames, n_frames * sizeof *frames);
    return (uint32_t)(offset / 8);
}

static void put_event(struct made_report *report, size_t chunk, uint64_t start, uint64_t duration, uint32_t dispatch,
                      uint32_t stack)
{
    const struct swprof_event slots[2] = {
        { .start = start,
          .word = SWPROF_EVENT_WIDE_DURATION | (uint64_t)dispatch << SWPROF_EVENT_DURATION_BITS,
          .flags = SWPROF_EVENT_SUCCEEDED },
        { .start = duration, .shapes = stack, .flags = SWPROF_EVENT_EXTENSION | SWPROF_EVENT_STACK },
    };
    size_t offset = make_payload(report, chunk, sizeof slots);

    memcpy(report->bytes + offset, slots, sizeof slots);
}

struct made_report make_stacks(struct made_stacks *ret_places)
{
    static const uint64_t inner[] = { UINT64_C(1) << SWPROF_FRAME_OFFSET_BITS | 0x20, 0x10 };
    struct made_report report = make_report();
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);
    size_t thread = make_thread(&report, 0, 100, 1000, 11000);
    size_t modules = make_block(&report, SWPROF_BLOCK_MODULES, 1);
    size_t stacks, chunk;
    uint32_t first, second;

    make_session(&report, 1000, 11000, "");
    put_module(&report, modules, 0, "/nowhere/program");
    put_module(&report, modules, 1, "/nowhere/libmodel.so");
    stacks = make_block(&report, SWPROF_BLOCK_STACKS, 1);
    first = put_stack(&report, stacks, inner, 2, SWPROF_STACK_CUT);
    second = put_stack(&report, stacks, inner + 1, 1, 0);
    chunk = make_chunk(&report, 0, 0, 1);
    put_event(&report, chunk, 2000, 3000, add, first);
    put_event(&report, chunk, 6000, 2500, add, second);
    made_thread(&report, thread)->n_events = 2;
    made_header(&report)->minor = 3;
    made_header(&report)->stacks = SWPROF_STACKS_RECORDED;
    made_header(&report)->stack_depth = 2;
    *ret_places = (struct made_stacks){ modules, stacks, chunk };
    return report;
}

struct made_report good_stacks(void)
{
    struct made_stacks places;

    return make_stacks(&places);
}
