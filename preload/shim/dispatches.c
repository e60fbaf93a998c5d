/*
 * First sight of libraries, classes and dispatches.
 */
#include "config.h"

#include "shim/dispatches.h"

#include "record/text.h"
#include "shim/memory.h"
#include "shim/series.h"
#include "shim/shim.h"

#define MOST_CLASSES (UINT32_C(1) << 17)

uint32_t dispatches_class_number(struct capture *capture, const void *address, uint64_t serial)
{
    uint64_t key = table_mix(table_mix(0, (uintptr_t)address), serial);
    uint32_t at = 0;
    uint32_t number = table_find(&capture->class_table, key, &at);

    if (number != 0)
        return number;
    if (capture->class_table.entries == NULL && !table_create(&capture->class_table, 2 * MOST_CLASSES))
        return 0;
    if (!table_insert(&capture->class_table, key, capture->n_classes + 1))
        return 0;
    return ++capture->n_classes;
}

static int write_record(struct capture *capture, const struct swprof_dispatch *form)
{
    enum swprof_lost reason;
    struct swprof_dispatch *record = series_room(capture, &capture->dispatches, SWPROF_BLOCK_DISPATCH, sizeof *record,
                                                 form->id, &reason);

    if (record == NULL)
        return 0;
    sw__copy(record, form, sizeof *record);
    series_publish(&capture->dispatches, sizeof *record);
    capture->n_dispatches++;
    return 1;
}

int dispatches_start(struct capture *capture)
{
    struct swprof_dispatch recorder = {.id = SWPROF_DISPATCH_RECORDER, .flags = SWPROF_DISPATCH_HIDDEN};

    if ((shim_ways() & SHIM_FILTERED) && (capture->hidden = memory_reserve(DISPATCH_LIMIT / 8)) == NULL)
        return 0;
    recorder.name = series_text(capture, "(recorder)");
    recorder.carrier_module = recorder.implementation_module = series_text(capture, "swprof");
    recorder.carrier_name = recorder.implementation_name = series_text(capture, "libswprof");
    return write_record(capture, &recorder);
}

struct library_ids *dispatches_library(struct capture *capture, const struct sw_hook_library *library)
{
    uint32_t n = capture->n_libraries;
    uint32_t *ids;

    for (uint32_t i = 0; i < n; i++)
        if (capture->libraries[i].library == library)
            return &capture->libraries[i];
    if (n == CAPTURE_LIBRARIES || (ids = memory_reserve(DISPATCH_LIMIT * sizeof *ids)) == NULL)
        return NULL;
    capture->libraries[n] = (struct library_ids){library, ids};
    capture->n_libraries = n + 1;
    return &capture->libraries[n];
}

static uint32_t add(struct capture *capture, const struct sw_hook_dispatch *dispatch)
{
    int hidden = !settings_select(shim.settings.carriers, dispatch->carrier_module, dispatch->carrier_name);
    struct swprof_dispatch record = {
        .id = capture->n_dispatches,
        .flags = hidden ? SWPROF_DISPATCH_HIDDEN : 0,
        .name = series_text(capture, dispatch->name),
        .carrier_module = series_text(capture, dispatch->carrier_module),
        .carrier_name = series_text(capture, dispatch->carrier_name),
        .implementation_module = series_text(capture, dispatch->implementation_module),
        .implementation_name = series_text(capture, dispatch->implementation_name),
        .carrier = dispatches_class_number(capture, dispatch->carrier_class, dispatch->carrier_serial),
        .implementation =
            dispatches_class_number(capture, dispatch->implementation_class, dispatch->implementation_serial),
    };

    /* A name that could not be stored would make two operations one row. */
    if (record.id >= DISPATCH_LIMIT || record.name == 0 || record.carrier == 0 || !write_record(capture, &record))
        return DISPATCH_REFUSED;
    if (hidden)
        capture->hidden[record.id / 8] |= (uint8_t)(1u << record.id % 8);
    return record.id | (hidden ? DISPATCH_HIDDEN : 0);
}

uint32_t dispatches_add(struct capture *capture, struct library_ids *library, const struct sw_hook_dispatch *dispatch)
{
    uint32_t *entry;

    if (dispatch->id >= DISPATCH_LIMIT)
        return DISPATCH_REFUSED;
    entry = &library->ids[dispatch->id];
    if (*entry == 0)
        __atomic_store_n(entry, add(capture, dispatch), __ATOMIC_RELEASE);
    return *entry;
}
