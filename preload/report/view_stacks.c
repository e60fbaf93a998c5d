/*
 * Modules and call stacks of a report: read whole and checked, so that every
 * frame of a stack has its module.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "record/unwind.h"
#include "report/inside.h"

_Static_assert((int)SWPROF_STACK_CUT == (int)SW__UNWIND_CUT && (int)SWPROF_STACK_LOST == (int)SW__UNWIND_LOST,
               "the flags of a report are what analyze/stack_texts.h reads");

/* The writer's own limits are far below. */
#define MOST_FRAMES 16384u
#define MOST_MODULES 65536u

static enum report_outcome keep_module(struct report *report, const struct swprof_module *record, uint64_t offset)
{
    struct report_module module = {
        .low = record->low,
        .high = record->high,
        .bias = record->bias,
        .build_id_bytes = record->build_id_bytes,
    };

    if (record->number != report->n_modules || record->number >= MOST_MODULES)
        return report_damaged(report, offset, "a module with an impossible number");
    if (record->build_id_bytes > sizeof record->build_id)
        return report_damaged(report, offset, "a build id that is longer than any");
    if (record->low > record->high)
        return report_damaged(report, offset, "a module that ends before it begins");
    memcpy(module.build_id, record->build_id, sizeof module.build_id);
    REPORT_TRY(report_find_text(report, record->path, &module.path));
    REPORT_TRY(report_grow(&report->modules, report->n_modules, sizeof *report->modules));
    report->modules[report->n_modules++] = module;
    return REPORT_OK;
}

static enum report_outcome view_modules_of(struct report *report, const struct report_block *block)
{
    void *payload SW__OWNED = NULL;

    REPORT_TRY(report_load_payload(report, block, &payload));
    for (uint64_t at = 0; at < block->published_bytes; at += sizeof(struct swprof_module)) {
        struct swprof_module record;
        memcpy(&record, (const char *)payload + at, sizeof record);
        REPORT_TRY(keep_module(report, &record, block->offset + at));
    }
    return REPORT_OK;
}

static enum report_outcome keep_stack(struct report *report, const struct sw__raw_stack *stack, uint64_t offset)
{
    if (stack->n_frames == 0 || stack->n_frames > MOST_FRAMES)
        return report_damaged(report, offset, "a call stack with an impossible number of frames");
    for (uint32_t i = 0; i < stack->n_frames; i++)
        if (stack->frames[i] >> SWPROF_FRAME_OFFSET_BITS >= report->n_modules)
            return report_damaged(report, offset, "a call stack with a frame in a module that is not described");
    REPORT_TRY(report_grow(&report->stacks, report->n_stacks, sizeof *report->stacks));
    REPORT_TRY(report_grow(&report->stack_references, report->n_stacks, sizeof *report->stack_references));
    report->stack_references[report->n_stacks] = (struct report_reference){ offset / 8, (uint32_t)report->n_stacks };
    report->stacks[report->n_stacks++] = *stack;
    return REPORT_OK;
}

static enum report_outcome view_stacks_of(struct report *report, const struct report_block *block)
{
    void *payload = NULL;

    REPORT_TRY(report_grow(&report->frame_buffers, report->n_frame_buffers, sizeof *report->frame_buffers));
    REPORT_TRY(report_load_payload(report, block, &payload));
    const uint64_t *words = payload;
    report->frame_buffers[report->n_frame_buffers++] = payload;
    uint64_t n_words = block->published_bytes / sizeof *words;
    for (uint64_t at = 0; at < n_words;) {
        struct swprof_stack head;
        uint64_t offset = block->offset + at * sizeof *words;
        memcpy(&head, words + at, sizeof head);
        at += sizeof head / sizeof *words;
        if (head.n_frames > n_words - at)
            return report_damaged(report, offset, "a call stack that is longer than its block");
        struct sw__raw_stack stack = { head.n_frames, head.flags, words + at };
        REPORT_TRY(keep_stack(report, &stack, offset));
        at += head.n_frames;
    }
    return REPORT_OK;
}

enum report_outcome report_view_stacks(struct report *report)
{
    static const struct {
        uint32_t type;
        enum report_outcome (*view)(struct report *report, const struct report_block *block);
    } kinds[] = {
        { SWPROF_BLOCK_MODULES, view_modules_of },
        { SWPROF_BLOCK_STACKS, view_stacks_of }, /* refers to modules */
    };

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        REPORT_TRY(report_check_total(report, kinds[kind].type));
        for (size_t i = 0; i < report->n_blocks; i++)
            if (report->blocks[i].type == kinds[kind].type)
                REPORT_TRY(kinds[kind].view(report, &report->blocks[i]));
    }
    return REPORT_OK;
}

enum report_outcome report_find_stack(const struct report *report, uint32_t reference, uint32_t *ret_index)
{
    if (reference == 0) {
        *ret_index = SW__ANALYZE_NONE;
        return REPORT_OK;
    }
    if (!report_find_reference(report->stack_references, report->n_stacks, reference, ret_index))
        return report_damaged(report, (uint64_t)reference * 8,
                              "referred to as a call stack, which does not begin there");
    return REPORT_OK;
}
