/*
 * Distinct frames by sorting, entries by looking them up.
 */
#include "config.h"

#include "analyze/stack_texts.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/frame_text.h"
#include "base/alloc.h"
#include "record/unwind.h"

static int by_frame(const void *a, const void *b)
{
    uint64_t left, right; /* of a number, or of what begins with one */

    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

static uint64_t *sort_frames(const struct sw__raw_stack *stacks, size_t n_stacks, size_t *ret_n)
{
    size_t n_all = 0, n = 0;

    for (size_t i = 0; i < n_stacks; i++)
        n_all += stacks[i].n_frames;
    uint64_t *frames = sw__alloc(n_all * sizeof *frames);
    if (frames == NULL)
        return NULL;
    for (size_t i = 0; i < n_stacks; i++)
        for (uint32_t k = 0; k < stacks[i].n_frames; k++)
            frames[n++] = stacks[i].frames[k];
    if (n_all > 1)
        qsort(frames, n_all, sizeof *frames, by_frame);
    *ret_n = n_all;
    return frames;
}

enum sw_status sw__stack_texts_begin(struct sw__stack_texts *texts, const struct sw__raw_stack *stacks, size_t n_stacks)
{
    size_t n_all = 0, n = 0;
    uint64_t *all SW__OWNED = sort_frames(stacks, n_stacks, &n_all);

    if (all == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n_all; i++)
        if (n == 0 || all[i] != all[n - 1])
            all[n++] = all[i];
    texts->frames = sw__alloc(n * sizeof *texts->frames);
    if (texts->frames == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        texts->frames[i] = (struct sw__frame_texts){ .frame = all[i] };
    texts->n_frames = n;
    return SW_OK;
}

static const struct sw__frame_texts *find_frame(const struct sw__stack_texts *texts, uint64_t frame)
{
    return bsearch(&frame, texts->frames, texts->n_frames, sizeof *texts->frames, by_frame);
}

/* Why a stack does not end where the thread began; NULL: it does. */
static const char *end_text(const struct sw__raw_stack *stack)
{
    if (stack->flags & SW__UNWIND_CUT)
        return SW__STACK_CUT_TEXT;
    return stack->flags & SW__UNWIND_LOST ? SW__STACK_LOST_TEXT : NULL;
}

static size_t count_entries(const struct sw__stack_texts *texts, const struct sw__raw_stack *stack)
{
    size_t n = end_text(stack) != NULL;

    for (uint32_t i = 0; i < stack->n_frames; i++)
        n += find_frame(texts, stack->frames[i])->n;
    return n;
}

static const char **put_entries(const struct sw__stack_texts *texts, const struct sw__raw_stack *stack,
                                char *const *of_frames, const char **entries)
{
    for (uint32_t i = 0; i < stack->n_frames; i++) {
        const struct sw__frame_texts *frame = find_frame(texts, stack->frames[i]);

        for (size_t k = 0; k < frame->n; k++)
            *entries++ = of_frames[frame->first + k];
    }
    if (end_text(stack) != NULL)
        *entries++ = end_text(stack);
    return entries;
}

enum sw_status sw__stack_texts_finish(struct sw__stack_texts *texts, const struct sw__raw_stack *stacks,
                                      size_t n_stacks, char *const *of_frames)
{
    size_t n_entries = 0;

    for (size_t i = 0; i < n_stacks; i++)
        n_entries += count_entries(texts, &stacks[i]);
    texts->stacks = sw__alloc(n_stacks * sizeof *texts->stacks);
    texts->entries = sw__alloc(n_entries * sizeof *texts->entries);
    if (texts->stacks == NULL || texts->entries == NULL)
        return SW_MEMORY_ERROR;
    const char **entries = texts->entries;
    for (size_t i = 0; i < n_stacks; i++) {
        const char **end = put_entries(texts, &stacks[i], of_frames, entries);

        texts->stacks[i] = (struct sw__analyze_stack){ entries, (size_t)(end - entries) };
        entries = end;
    }
    return SW_OK;
}

void sw__stack_texts_clear(struct sw__stack_texts *texts)
{
    sw__free(texts->frames);
    sw__free(texts->stacks);
    sw__free(texts->entries);
    *texts = (struct sw__stack_texts){ .frames = NULL };
}
