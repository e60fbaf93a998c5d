/*
 * What frames are called, module by module.
 */
#include "config.h"

#include "report/stack_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/stack_texts.h"
#include "analyze/visible.h"
#include "base/alloc.h"
#include "report/inside.h"

/* The writer's own limits are 65536 frames. */
#define MOST_FRAMES ((size_t)1 << 20)
/* Functions put into one another; text of a name. */
#define MOST_TEXTS 64
/* Of all files with symbol tables together. */
#define MOST_FILE_BYTES (UINT64_C(1) << 30)

/* Instead of texts for which there is no room. */
static char left_out[] = "(more names than are kept)";

struct stack_names {
    struct sw__stack_texts made;
    char **texts; /* of frames */
    size_t n_texts;
    uint64_t text_bytes;
    int has_left_out;
    struct sw__builder notes;
};

void stack_names_free(struct stack_names *names)
{
    if (names == NULL)
        return;
    for (size_t i = 0; i < names->n_texts; i++)
        if (names->texts[i] != left_out)
            sw__free(names->texts[i]);
    sw__stack_texts_clear(&names->made);
    sw__free(names->texts);
    sw__builder_clear(&names->notes);
    sw__free(names);
}

const char *stack_names_notes(const struct report *report)
{
    return report->stack_names != NULL && report->stack_names->notes.bytes != NULL ? report->stack_names->notes.bytes
                                                                                    : "";
}

/* Texts come frame by frame. */
struct taking {
    struct stack_names *names;
    struct sw__frame_texts *frame;
};

static enum sw_status keep(struct stack_names *names, const char *text, char **ret_copy)
{
    size_t n_bytes = strlen(text) + 1;

    *ret_copy = left_out;
    names->has_left_out |= n_bytes > REPORT_MAX_NAME_BYTES - names->text_bytes;
    if (names->has_left_out)
        return SW_OK;
    *ret_copy = sw__alloc(n_bytes);
    if (*ret_copy == NULL)
        return SW_MEMORY_ERROR;
    memcpy(*ret_copy, text, n_bytes);
    names->text_bytes += n_bytes;
    return SW_OK;
}

static enum sw_status take_text(void *context, const char *text)
{
    struct taking *taking = context;
    struct stack_names *names = taking->names;
    char *copy = NULL;

    if (taking->frame->n == MOST_TEXTS || (names->has_left_out && taking->frame->n != 0))
        return SW_OK;
    if (report_grow(&names->texts, names->n_texts, sizeof *names->texts) != REPORT_OK)
        return SW_MEMORY_ERROR;
    SW__TRY(keep(names, text, &copy));
    names->texts[names->n_texts++] = copy;
    taking->frame->n++;
    return SW_OK;
}

static enum sw_status put_note(struct sw__builder *notes, const struct report_module *module, const char *note)
{
    SW__TRY(sw__builder_string(notes, "NAMES of "));
    SW__TRY(sw__visible(notes, module->path[0] != '\0' ? module->path : "(unknown)"));
    SW__TRY(sw__builder_string(notes, " are missing: "));
    SW__TRY(sw__builder_string(notes, note));
    return sw__builder_string(notes, "\n");
}

static void symbols_clear(struct symbols **symbols)
{
    symbols_close(*symbols);
}

/* The frames of a module, which stand together. */
struct module_frames {
    const struct report_module *module;
    size_t first;
    size_t end;
};

static int compare_files(const struct report_module *left, const struct report_module *right)
{
    int order = left->path == right->path ? 0 : strcmp(left->path, right->path);

    if (order == 0)
        order = (left->build_id_bytes > right->build_id_bytes) - (left->build_id_bytes < right->build_id_bytes);
    return order != 0 ? order : memcmp(left->build_id, right->build_id, left->build_id_bytes);
}

static int by_file(const void *a, const void *b)
{
    const struct module_frames *left = a, *right = b;
    int order = compare_files(left->module, right->module);

    return order != 0 ? order : (left->first > right->first) - (left->first < right->first);
}

static enum report_outcome find_modules(const struct report *report, const struct stack_names *names,
                                        struct module_frames **ret_modules, size_t *ret_n)
{
    size_t end = 0;

    for (size_t first = 0; first < names->made.n_frames; first = end) {
        const uint64_t number = names->made.frames[first].frame >> SWPROF_FRAME_OFFSET_BITS;

        while (end < names->made.n_frames && names->made.frames[end].frame >> SWPROF_FRAME_OFFSET_BITS == number)
            end++;
        REPORT_TRY(report_grow(ret_modules, *ret_n, sizeof **ret_modules));
        (*ret_modules)[(*ret_n)++] = (struct module_frames){ &report->modules[number], first, end };
    }
    if (*ret_n > 1)
        qsort(*ret_modules, *ret_n, sizeof **ret_modules, by_file);
    return REPORT_OK;
}

static enum report_outcome name_module(struct symbols *symbols, const struct module_frames *module,
                                       struct stack_names *names)
{
    for (size_t i = module->first; i < module->end; i++) {
        struct taking taking = { names, &names->made.frames[i] };
        uint64_t address = names->made.frames[i].frame & ((UINT64_C(1) << SWPROF_FRAME_OFFSET_BITS) - 1);

        names->made.frames[i].first = names->n_texts;
        REPORT_TRY(report_status(names->has_left_out ? take_text(&taking, left_out)
                                                     : symbols_look_up(symbols, address, take_text, &taking)));
    }
    return REPORT_OK;
}

/* Modules of one file, which is read once: a program may have mapped it again and again. */
static enum report_outcome name_file(const struct symbols_wanted *wanted, struct stack_names *names,
                                     const struct module_frames *modules, size_t n_modules)
{
    struct symbols *symbols SW__CLEANUP(symbols_clear) = NULL;

    REPORT_TRY(symbols_open(modules[0].module, wanted, &symbols));
    if (symbols_note(symbols) != NULL)
        REPORT_TRY(report_status(put_note(&names->notes, modules[0].module, symbols_note(symbols))));
    for (size_t i = 0; i < n_modules; i++)
        REPORT_TRY(name_module(symbols, &modules[i], names));
    return REPORT_OK;
}

static enum report_outcome name_frames(const struct report *report, const struct symbols_wanted *wanted,
                                       struct stack_names *names)
{
    struct module_frames *modules SW__OWNED = NULL;
    size_t n_modules = 0, end = 0;

    REPORT_TRY(find_modules(report, names, &modules, &n_modules));
    for (size_t first = 0; first < n_modules; first = end) {
        while (end < n_modules && compare_files(modules[first].module, modules[end].module) == 0)
            end++;
        REPORT_TRY(name_file(wanted, names, modules + first, end - first));
    }
    if (names->has_left_out)
        REPORT_TRY(report_status(sw__builder_string(
            &names->notes, "NAMES of some frames are missing: there are more than are kept\n")));
    return REPORT_OK;
}

static enum report_outcome fill(const struct report *report, const struct symbols_wanted *wanted,
                                struct stack_names *names)
{
    uint64_t bytes_left = MOST_FILE_BYTES;
    const struct symbols_wanted here = { wanted->directories, wanted->no_lines, report->header.realtime_ns,
                                         &bytes_left };

    if (!wanted->no_lines && !symbols_have_lines())
        REPORT_TRY(report_status(sw__builder_string(
            &names->notes, "LINES are missing: this swprof-report was built without elfutils (libdw)\n")));
    REPORT_TRY(report_status(sw__stack_texts_begin(&names->made, report->stacks, report->n_stacks)));
    if (names->made.n_frames > MOST_FRAMES)
        return report_fail(REPORT_DAMAGED, "%s: damaged: more frames than any program has", report->source->path);
    REPORT_TRY(name_frames(report, &here, names));
    return report_status(sw__stack_texts_finish(&names->made, report->stacks, report->n_stacks, names->texts));
}

enum report_outcome report_name_stacks(struct report *report, const struct symbols_wanted *wanted)
{
    struct stack_names *names;
    enum report_outcome outcome;

    if (report->stack_names != NULL)
        return REPORT_OK;
    names = sw__alloc_zero(sizeof *names);
    if (names == NULL)
        return REPORT_SYSTEM;
    outcome = fill(report, wanted, names);
    if (outcome != REPORT_OK) {
        stack_names_free(names);
        return outcome;
    }
    report->stack_names = names;
    report->names.stacks = names->made.stacks;
    report->names.n_stacks = report->n_stacks;
    return REPORT_OK;
}

enum sw_status stack_names_put(struct sw__builder *text, const struct report *report, uint32_t stack, size_t most)
{
    const struct sw__analyze_stack *entries = &report->names.stacks[stack];

    for (size_t i = 0; i < entries->n_entries && i < most; i++) {
        SW__TRY(sw__builder_string(text, i == 0 ? "" : ";"));
        SW__TRY(sw__builder_string(text, entries->entries[i]));
    }
    return SW_OK;
}
