/*
 * Each distinct frame is looked up once, module by module, so that one file at a
 * time is read.
 */
#include "config.h"

#include "profiler/stack_names.h"

#include "analyze/elf_symbols.h"
#include "analyze/frame_text.h"
#include "base/alloc.h"
#include "record/unwind.h"

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

/* The frames of the first one's module; the first behind them. */
static enum sw_status name_module(struct sw__stack_names *names, size_t first, int64_t recorded_ns, size_t *ret_end)
{
    struct sw__frame_texts *frames = names->made.frames;
    uint32_t number = sw__unwind_module_of(frames[first].frame);
    const struct sw__unwind_module *module = sw__unwind_module(number);
    const struct sw__elf_module file = { module->path, module->build_id, module->build_id_bytes, recorded_ns, NULL };
    struct sw__elf_symbols *symbols SW__OWNED_ELF_SYMBOLS = NULL;
    size_t i = first;

    SW__TRY(sw__elf_symbols_open(&file, NULL, &symbols));
    for (; i < names->made.n_frames && sw__unwind_module_of(frames[i].frame) == number; i++) {
        frames[i].first = names->n_texts;
        frames[i].n = 1;
        SW__TRY(name_frame(names, module, symbols, sw__unwind_offset_of(frames[i].frame)));
    }
    *ret_end = i;
    return SW_OK;
}

static enum sw_status name_frames(struct sw__stack_names *names, int64_t recorded_ns)
{
    names->texts = sw__alloc(names->made.n_frames * sizeof *names->texts);
    if (names->texts == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < names->made.n_frames;)
        SW__TRY(name_module(names, i, recorded_ns, &i));
    return SW_OK;
}

enum sw_status sw__stack_names_new(const struct sw__stack_table *table, struct sw__stack_names **ret_names)
{
    struct sw__stack_names *names SW__OWNED_STACK_NAMES = sw__alloc_zero(sizeof *names);
    struct sw__raw_stack *stacks SW__OWNED = sw__alloc(table->n * sizeof *stacks);

    if (names == NULL || stacks == NULL)
        return SW_MEMORY_ERROR;
    for (uint32_t i = 0; i < table->n; i++)
        stacks[i] = (struct sw__raw_stack){ table->stacks[i]->n_frames, table->stacks[i]->flags,
                                            table->stacks[i]->frames };
    SW__TRY(sw__stack_texts_begin(&names->made, stacks, table->n));
    SW__TRY(name_frames(names, table->began_ns));
    SW__TRY(sw__stack_texts_finish(&names->made, stacks, table->n, names->texts));
    names->n_stacks = table->n;
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
    sw__stack_texts_clear(&names->made);
    sw__free(names);
}
