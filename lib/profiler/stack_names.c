/*
 * Each distinct frame is looked up once, module by module, so that one file at a
 * time is read.
 */
#include "config.h"

#include "profiler/stack_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/elf_symbols.h"
#include "analyze/frame_text.h"
#include "base/alloc.h"
#include "record/unwind.h"

static int by_frame(const void *a, const void *b)
{
    uint64_t left, right;

    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return left < right ? -1 : left > right;
}

static size_t count_frames(const struct sw__stack_table *table)
{
    size_t n = 0;

    for (uint32_t i = 0; i < table->n; i++)
        n += table->stacks[i]->n_frames;
    return n;
}

/* The distinct frames, ascending: those of a module stand together. */
static enum sw_status distinct_frames(const struct sw__stack_table *table, uint64_t **ret_frames, size_t *ret_n)
{
    uint64_t *frames = sw__alloc(count_frames(table) * sizeof *frames);
    size_t n_all = 0, n = 0;

    if (frames == NULL)
        return SW_MEMORY_ERROR;
    for (uint32_t i = 0; i < table->n; i++) {
        memcpy(frames + n_all, table->stacks[i]->frames, table->stacks[i]->n_frames * sizeof *frames);
        n_all += table->stacks[i]->n_frames;
    }
    if (n_all > 1)
        qsort(frames, n_all, sizeof *frames, by_frame);
    for (size_t i = 0; i < n_all; i++)
        if (n == 0 || frames[i] != frames[n - 1])
            frames[n++] = frames[i];
    *ret_frames = frames;
    *ret_n = n;
    return SW_OK;
}

static enum sw_status name_frame(struct sw__stack_names *names, const struct sw__unwind_module *module,
                                 const struct sw__elf_symbols *symbols, uint64_t address)
{
    struct sw__builder text SW__OWNED_BUILDER = { NULL, 0, 0 };
    const struct sw__frame frame = { .path = module->path,
                                     .address = address,
                                     .function = sw__elf_symbols_find(symbols, address) };

    SW__TRY(sw__frame_text(&text, &frame));
    SW__TRY(sw__builder_take(&text, &names->texts[names->n_texts]));
    names->n_texts++;
    return SW_OK;
}

/* The frames of the first one's module; their number. */
static enum sw_status name_module(struct sw__stack_names *names, const uint64_t *frames, size_t n_frames,
                                  int64_t recorded_ns, size_t *ret_n)
{
    uint32_t number = sw__unwind_module_of(frames[0]);
    const struct sw__unwind_module *module = sw__unwind_module(number);
    const struct sw__elf_module file = { module->path, module->build_id, module->build_id_bytes, recorded_ns, NULL };
    struct sw__elf_symbols *symbols SW__OWNED_ELF_SYMBOLS = NULL;
    size_t n = 0;

    SW__TRY(sw__elf_symbols_open(&file, NULL, &symbols));
    for (; n < n_frames && sw__unwind_module_of(frames[n]) == number; n++)
        SW__TRY(name_frame(names, module, symbols, sw__unwind_offset_of(frames[n])));
    *ret_n = n;
    return SW_OK;
}

static enum sw_status name_frames(struct sw__stack_names *names, const uint64_t *frames, size_t n_frames,
                                  int64_t recorded_ns)
{
    names->texts = sw__alloc(n_frames * sizeof *names->texts);
    if (names->texts == NULL)
        return SW_MEMORY_ERROR;
    for (size_t done = 0, n = 0; done < n_frames; done += n)
        SW__TRY(name_module(names, frames + done, n_frames - done, recorded_ns, &n));
    return SW_OK;
}

static const char *end_text(const struct sw__call_stack *stack)
{
    return stack->flags & SW__UNWIND_CUT ? SW__STACK_CUT_TEXT : stack->flags & SW__UNWIND_LOST ? SW__STACK_LOST_TEXT
                                                                                                : NULL;
}

static enum sw_status make_stacks(struct sw__stack_names *names, const struct sw__stack_table *table,
                                  const uint64_t *frames, size_t n_frames)
{
    const char **entries = sw__alloc((count_frames(table) + table->n) * sizeof *entries);

    names->entries = entries;
    names->stacks = sw__alloc(table->n * sizeof *names->stacks);
    if (entries == NULL || names->stacks == NULL)
        return SW_MEMORY_ERROR;
    for (uint32_t i = 0; i < table->n; i++) {
        const struct sw__call_stack *stack = table->stacks[i];

        names->stacks[i].entries = entries;
        for (uint32_t k = 0; k < stack->n_frames; k++) {
            const uint64_t *found = bsearch(&stack->frames[k], frames, n_frames, sizeof *frames, by_frame);

            *entries++ = names->texts[found - frames];
        }
        if (end_text(stack) != NULL)
            *entries++ = end_text(stack);
        names->stacks[i].n_entries = (size_t)(entries - names->stacks[i].entries);
    }
    names->n_stacks = table->n;
    return SW_OK;
}

enum sw_status sw__stack_names_new(const struct sw__stack_table *table, struct sw__stack_names **ret_names)
{
    struct sw__stack_names *names SW__OWNED_STACK_NAMES = sw__alloc_zero(sizeof *names);
    uint64_t *frames SW__OWNED = NULL;
    size_t n_frames = 0;

    if (names == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(distinct_frames(table, &frames, &n_frames));
    SW__TRY(name_frames(names, frames, n_frames, table->began_ns));
    SW__TRY(make_stacks(names, table, frames, n_frames));
    *ret_names = sw__take(names);
    return SW_OK;
}

void sw__stack_names_free(struct sw__stack_names *names)
{
    if (names == NULL)
        return;
    for (size_t i = 0; i < names->n_texts; i++)
        sw__free(names->texts[i]);
    sw__free(names->texts);
    sw__free(names->entries);
    sw__free(names->stacks);
    sw__free(names);
}
