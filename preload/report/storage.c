/*
 * Gathering storage records, and handing them to operations: these come by in
 * the reverse order of their ends, so records are given out from the last to
 * the first, to what is open at the time that the pass has reached.
 */
#include "config.h"

#include "report/storage.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "report/inside.h"
#include "report/noted.h"

/* ---- Reading ---------------------------------------------------------------------------- */

static enum sw_status append(struct storage *storage, const struct storage_record *record)
{
    if (report_grow(&storage->records, storage->n_records, sizeof *storage->records) != REPORT_OK)
        return SW_MEMORY_ERROR;
    storage->records[storage->n_records++] = *record;
    return SW_OK;
}

static enum sw_status take_note(void *context, const struct noted *noted)
{
    struct storage *storage = context;
    const struct report_note *note = &noted->note;
    struct storage_record record = {
        .ns = noted->start_ns,
        .bytes = note->value,
        .carrier = note->extra,
        .thread = note->thread,
        .dispatch = SW__ANALYZE_NONE,
        .kind = note->kind == SWPROF_NOTE_FREE ? STORAGE_FREE : note->is_refused ? STORAGE_REFUSED : STORAGE_ALLOC,
    };

    if (note->kind != SWPROF_NOTE_ALLOC && note->kind != SWPROF_NOTE_FREE)
        return SW_OK;
    SW__TRY(text_table_number(&storage->classes, note->name, &record.class_index));
    return append(storage, &record);
}

static int by_time(const void *a, const void *b)
{
    const struct storage_record *left = a, *right = b;

    return (left->ns > right->ns) - (left->ns < right->ns);
}

/* A thread's stamps only grow; a report that says otherwise is put in order all the same. */
static void put_in_order(struct storage_record *records, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (records[i].ns < records[i - 1].ns) {
            qsort(records, n, sizeof *records, by_time);
            return;
        }
}

/* Where each thread's records begin: they came thread by thread. */
static enum report_outcome divide(struct storage *storage)
{
    const size_t n_threads = storage->report->n_threads;

    storage->first_of_thread = sw__alloc((n_threads + 1) * sizeof *storage->first_of_thread);
    if (storage->first_of_thread == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0, at = 0; i <= n_threads; i++) {
        storage->first_of_thread[i] = at;
        while (i < n_threads && at < storage->n_records &&
               storage->records[at].thread == storage->report->threads[i].number)
            at++;
        put_in_order(storage->records + storage->first_of_thread[i], at - storage->first_of_thread[i]);
    }
    return REPORT_OK;
}

enum report_outcome storage_read(const struct report *report, const struct report_filter *filter,
                                 struct storage *ret_storage)
{
    struct storage storage REPORT_OWNED_STORAGE = { .report = report };

    REPORT_TRY(noted_each(report, filter, take_note, &storage));
    REPORT_TRY(divide(&storage));
    *ret_storage = storage;
    storage = (struct storage){ .records = NULL };
    return REPORT_OK;
}

void storage_clear(struct storage *storage)
{
    sw__free(storage->records);
    text_table_clear(&storage->classes);
    sw__free(storage->first_of_thread);
    *storage = (struct storage){ .records = NULL };
}

/* ---- Beside a pass over operations -------------------------------------------------------- */

struct storage_open {
    uint32_t dispatch;
    struct storage_sums inside;
    struct storage_sums own;
};

static void add_sums(struct storage_sums *sums, const struct storage_sums *more)
{
    sw__add_saturating(&sums->allocated, more->allocated);
    sw__add_saturating(&sums->released, more->released);
}

/* The records from @since on that are still there belong to what is open; @since itself where @is_inside. */
static void give(struct storage_pass *pass, int64_t since, int is_inside)
{
    struct storage_open *open = pass->n_open > 0 ? &pass->open[pass->n_open - 1] : NULL;

    while (pass->left > pass->first) {
        struct storage_record *record = &pass->storage->records[pass->left - 1];
        if (record->ns < since || (record->ns == since && !is_inside))
            return;
        pass->left--;
        if (open == NULL)
            continue;
        record->dispatch = open->dispatch;
        if (record->kind == STORAGE_ALLOC)
            sw__add_saturating(&open->own.allocated, record->bytes);
        else if (record->kind == STORAGE_FREE)
            sw__add_saturating(&open->own.released, record->bytes);
    }
}

/* The pass goes from thread to thread. */
static void go_to_thread(struct storage_pass *pass, uint32_t thread)
{
    const struct storage *storage = pass->storage;
    const struct report_thread *found;

    if (thread == pass->thread)
        return;
    found = report_find_thread(storage->report, thread);
    pass->thread = thread;
    pass->n_open = 0;
    pass->first = found != NULL ? storage->first_of_thread[found - storage->report->threads] : 0;
    pass->left = found != NULL ? storage->first_of_thread[found - storage->report->threads + 1] : 0;
}

static enum sw_status push_open(struct storage_pass *pass, uint32_t dispatch)
{
    if (pass->n_open == pass->capacity) {
        size_t larger = pass->capacity != 0 ? pass->capacity * 2 : 32;
        struct storage_open *open = sw__realloc(pass->open, larger * sizeof *open);
        if (open == NULL)
            return SW_MEMORY_ERROR;
        pass->open = open;
        pass->capacity = larger;
    }
    pass->open[pass->n_open++] = (struct storage_open){ .dispatch = dispatch };
    return SW_OK;
}

static enum sw_status enter(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct storage_pass *pass = context;
    int64_t end_ns = 0;

    if (__builtin_add_overflow(event->start_ns, event->duration_ns, &end_ns))
        end_ns = INT64_MAX;
    go_to_thread(pass, event->thread);
    give(pass, end_ns, 0);
    SW__TRY(push_open(pass, event->dispatch));
    return pass->inner->enter != NULL ? pass->inner->enter(pass->inner->context, event, serial) : SW_OK;
}

static enum sw_status leave(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct storage_pass *pass = context;

    give(pass, event->start_ns, 1);
    const struct storage_open open = pass->open[--pass->n_open];
    pass->own = pass->inside = open.own;
    add_sums(&pass->inside, &open.inside);
    if (pass->n_open > 0)
        add_sums(&pass->open[pass->n_open - 1].inside, &pass->inside);
    return pass->inner->sink(pass->inner->context, event, serial);
}

void storage_pass_init(struct storage_pass *pass, struct storage *storage, const struct report_part *inner)
{
    *pass = (struct storage_pass){
        .storage = storage,
        .inner = inner,
        .part = { .sink = leave, .context = pass, .totals = inner->totals, .enter = enter },
        .thread = SW__ANALYZE_NONE,
    };
}

void storage_pass_clear(struct storage_pass *pass)
{
    sw__free(pass->open);
    pass->open = NULL;
}

static enum sw_status pass_over(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    (void)context;
    (void)event;
    (void)serial;
    return SW_OK;
}

enum report_outcome storage_attribute(const struct report *report, const struct report_filter *filter,
                                      struct storage *storage, struct report_totals *ret_totals)
{
    struct report_totals totals = { 0 };
    const struct report_part nothing = { .sink = pass_over, .totals = &totals };
    struct storage_pass pass REPORT_OWNED_STORAGE_PASS = { .open = NULL };

    storage_pass_init(&pass, storage, &nothing);
    REPORT_TRY(report_each_part(report, filter, NULL, NULL, &pass.part));
    *ret_totals = totals;
    return REPORT_OK;
}

/* ---- Into an aggregation ------------------------------------------------------------------- */

struct aggregating {
    struct sw__aggregation *aggregation;
    const struct storage_pass *pass;
};

static int64_t bytes_of(uint64_t bytes)
{
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

static enum sw_status aggregate_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    const struct aggregating *aggregating = context;
    const struct storage_pass *pass = aggregating->pass;
    const struct sw__aggregate memory = {
        .memory_bytes = storage_net(&pass->inside),
        .self_memory_bytes = storage_net(&pass->own),
        .allocated_bytes = bytes_of(pass->inside.allocated),
        .released_bytes = bytes_of(pass->inside.released),
    };

    (void)serial;
    SW__TRY(sw__aggregation_add(aggregating->aggregation, event, 1));
    if (event->flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED))
        return SW_OK;
    return sw__aggregation_add_memory(aggregating->aggregation, event, &memory);
}

enum report_outcome storage_aggregate(const struct report *report, const struct report_filter *filter,
                                      struct sw__aggregation *aggregation, struct report_totals *totals)
{
    struct storage storage REPORT_OWNED_STORAGE = { .records = NULL };
    struct storage_pass pass REPORT_OWNED_STORAGE_PASS = { .open = NULL };
    struct aggregating aggregating = { aggregation, &pass };
    const struct report_part inner = { .sink = aggregate_event, .context = &aggregating, .totals = totals };

    REPORT_TRY(storage_read(report, filter, &storage));
    storage_pass_init(&pass, &storage, &inner);
    return report_each_part(report, filter, NULL, NULL, &pass.part);
}
