/*
 * By elfutils where that is there and lines are wanted, and else by the symbol
 * table alone.
 */
#include "config.h"

#include "report/symbols.h"

#include <string.h>

#include "analyze/elf_symbols.h"
#include "base/alloc.h"
#include "report/debug_info.h"
#include "report/inside.h"

struct symbols {
    const struct report_module *module;
    struct debug_info *info;       /* NULL: the table is asked */
    struct sw__elf_symbols *table; /* NULL: the information is asked */
};

int symbols_have_lines(void)
{
    return debug_info_is_there();
}

static enum report_outcome open_way(struct symbols *symbols, const struct symbols_wanted *wanted)
{
    const struct report_module *module = symbols->module;
    const struct sw__elf_module file = { module->path, module->build_id, module->build_id_bytes,
                                         wanted->recorded_ns, wanted->bytes_left };

    if (debug_info_is_there() && !wanted->no_lines)
        return debug_info_open(module, wanted->directories, wanted->recorded_ns, &symbols->info);
    return report_status(sw__elf_symbols_open(&file, wanted->directories, &symbols->table));
}

enum report_outcome symbols_open(const struct report_module *module, const struct symbols_wanted *wanted,
                                 struct symbols **ret_symbols)
{
    struct symbols *symbols = sw__alloc_zero(sizeof *symbols);
    enum report_outcome outcome;

    if (symbols == NULL)
        return REPORT_SYSTEM;
    symbols->module = module;
    outcome = open_way(symbols, wanted);
    if (outcome != REPORT_OK) {
        symbols_close(symbols);
        return outcome;
    }
    *ret_symbols = symbols;
    return REPORT_OK;
}

void symbols_close(struct symbols *symbols)
{
    if (symbols == NULL)
        return;
    debug_info_close(symbols->info);
    sw__elf_symbols_close(symbols->table);
    sw__free(symbols);
}

const char *symbols_note(const struct symbols *symbols)
{
    return symbols->info != NULL ? debug_info_note(symbols->info) : sw__elf_symbols_note(symbols->table);
}

/* Where the texts go. */
struct passing {
    symbols_sink *sink;
    void *context;
};

/* As much of a name as is shown: a file's may be as long as the file. */
static enum sw_status cut(struct sw__builder *room, const char **name)
{
    if (*name == NULL || strnlen(*name, REPORT_MAX_TEXT_BYTES + 1) <= REPORT_MAX_TEXT_BYTES)
        return SW_OK;
    SW__TRY(sw__builder_append(room, *name, REPORT_MAX_TEXT_BYTES));
    *name = room->bytes;
    return SW_OK;
}

static enum sw_status pass(void *context, const struct sw__frame *frame)
{
    const struct passing *passing = context;
    struct sw__builder text SW__OWNED_BUILDER = { NULL, 0, 0 };
    struct sw__builder function SW__OWNED_BUILDER = { NULL, 0, 0 };
    struct sw__builder source SW__OWNED_BUILDER = { NULL, 0, 0 };
    struct sw__frame shown = *frame;

    SW__TRY(cut(&function, &shown.function));
    SW__TRY(cut(&source, &shown.source));
    SW__TRY(sw__frame_text(&text, &shown));
    return passing->sink(passing->context, text.bytes);
}

enum sw_status symbols_look_up(struct symbols *symbols, uint64_t address, symbols_sink *sink, void *context)
{
    struct passing passing = { sink, context };
    struct sw__frame frame = { .path = symbols->module->path, .address = address };
    size_t n_passed = 0;

    if (symbols->info != NULL)
        SW__TRY(debug_info_look_up(symbols->info, address, pass, &passing, &n_passed));
    if (n_passed > 0)
        return SW_OK;
    if (symbols->table != NULL)
        frame.function = sw__elf_symbols_find(symbols->table, address);
    return pass(&passing, &frame);
}
