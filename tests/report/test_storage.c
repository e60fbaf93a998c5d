/*
 * Storage records of a report made by hand: what belongs to which operation,
 * figures over time, and what is printed. Counted by hand.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "report/memory_view.h"
#include "report/storage_history.h"

#include "open_made.h"

static const struct report_filter everything = { .thread = NULL };

static void put(struct made_report *made, size_t chunk, uint64_t start, uint8_t kind, uint64_t bytes, uint64_t carrier,
                const char *class_name, uint8_t flags)
{
    const struct swprof_note note = { .start = start, .value = bytes, .extra = carrier, .kind = kind, .flags = flags,
                                      .name = make_string(made, class_name, strlen(class_name)) };

    make_note(made, chunk, &note);
}

/*
 * The operations of make_good() on thread 0; thread 1 gives back what the other made.
 *
 *                      of CPU            together
 *   1500 alloc 100 #1  100               100        outside of operations
 *   2200 alloc  40 #2  140               140        matmul Evictable
 *   2600 alloc  24 #3                    164        matmul Generic, on Generic
 *   3500 alloc   8 #4  148               172        add 3000..4000
 *   3600 free    8 #4  140               164        the same
 *   4200 alloc  16 #5  156               180        add 4000..4500: the peak
 *   4300 free   40 #2  116               140        thread 1, outside of operations
 *   5000 free   24 #3                    116        matmul Generic
 *   6500 refused       116               116        outside
 *   7500 free    7 #99                              add 7000..8000, made before recording
 */
static struct made_report make_storage(void)
{
    struct made_report made = make_good();
    size_t thread = make_thread(&made, 1, 101, 2000, 9000);
    size_t chunk = make_note_chunk(&made, 0, 0), other = make_note_chunk(&made, 1, 0);

    put(&made, chunk, 1500, SWPROF_NOTE_ALLOC, 100, 1, "strideweave.CPU", 0);
    put(&made, chunk, 2200, SWPROF_NOTE_ALLOC, 40, 2, "strideweave.CPU", 0);
    put(&made, chunk, 2600, SWPROF_NOTE_ALLOC, 24, 3, "strideweave.Generic", 0);
    put(&made, chunk, 3500, SWPROF_NOTE_ALLOC, 8, 4, "strideweave.CPU", 0);
    put(&made, chunk, 3600, SWPROF_NOTE_FREE, 8, 4, "strideweave.CPU", 0);
    put(&made, chunk, 4200, SWPROF_NOTE_ALLOC, 16, 5, "strideweave.CPU", 0);
    put(&made, chunk, 5000, SWPROF_NOTE_FREE, 24, 3, "strideweave.Generic", 0);
    put(&made, chunk, 6500, SWPROF_NOTE_ALLOC, UINT64_C(1) << 40, 6, "strideweave.CPU", SWPROF_NOTE_REFUSED);
    put(&made, chunk, 7500, SWPROF_NOTE_FREE, 7, 99, "strideweave.CPU", 0);
    put(&made, other, 4300, SWPROF_NOTE_FREE, 40, 2, "strideweave.CPU", 0);
    made_thread(&made, thread)->n_notes = 1;
    return made;
}

static const struct sw__aggregate *row_of(const struct sw__aggregates *rows, const char *name, const char *carrier)
{
    for (size_t i = 0; i < rows->n_rows; i++)
        if (strcmp(rows->rows[i].dispatch->name, name) == 0 &&
            strcmp(rows->rows[i].dispatch->carrier_name, carrier) == 0)
            return &rows->rows[i];
    ck_abort_msg("no row of %s on %s", name, carrier);
}

static void check_row(const struct sw__aggregate *row, int64_t allocated, int64_t released, int64_t self)
{
    ck_assert_int_eq(row->allocated_bytes, allocated);
    ck_assert_int_eq(row->released_bytes, released);
    ck_assert_int_eq(row->memory_bytes, allocated - released);
    ck_assert_int_eq(row->self_memory_bytes, self);
}

START_TEST(storage_belongs_to_the_innermost_operation_of_its_own_thread)
{
    struct made_report made = make_storage();
    struct report *report REPORT_OWNED = opened(&made);
    struct sw__aggregates *rows SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    ck_assert_int_eq(report_aggregate_wanted(report, &everything, SW__GROUP_BY_CARRIER, SW__WANT_MEMORY, &rows,
                                             &totals), REPORT_OK);
    check_row(row_of(rows, "add", "Generic"), 8 + 16, 8 + 7, 8 + 16 - 8 - 7);
    check_row(row_of(rows, "matmul", "Generic"), 24 + 24, 24 + 8, 0);
    check_row(row_of(rows, "matmul", "Evictable"), 40 + 48, 32, 40);
    ck_assert_uint_eq(totals.n_events, 5);
}
END_TEST

START_TEST(figures_are_what_there_was_after_each_record)
{
    static const uint64_t current[] = { 100, 140, 164, 172, 164, 180, 140, 116, 116, 116 };
    struct made_report made = make_storage();
    struct report *report REPORT_OWNED = opened(&made);
    struct storage storage REPORT_OWNED_STORAGE = { .records = NULL };
    struct storage_history history REPORT_OWNED_STORAGE_HISTORY = { .steps = NULL };
    struct report_totals totals;

    ck_assert_int_eq(storage_read(report, &everything, &storage), REPORT_OK);
    ck_assert_int_eq(storage_attribute(report, &everything, &storage, &totals), REPORT_OK);
    ck_assert_int_eq(storage_history_build(&storage, &history), REPORT_OK);
    ck_assert_uint_eq(history.n_steps, sizeof current / sizeof *current);
    for (size_t i = 0; i < history.n_steps; i++)
        ck_assert_uint_eq(history.steps[i].current_bytes, current[i]);
    ck_assert_uint_eq(history.all.peak, 5);
    ck_assert_uint_eq(history.all.peak_bytes, 180);
    ck_assert_uint_eq(history.all.n_allocated, 5);
    ck_assert_uint_eq(history.all.n_released, 3);
    ck_assert_uint_eq(history.all.n_refused, 1);
    ck_assert_uint_eq(history.all.n_unknown, 1);
    ck_assert_uint_eq(history.all.n_current, 2);
    ck_assert_uint_eq(storage.classes.n_texts, 2);
    ck_assert_uint_eq(history.classes[0].peak_bytes, 156);
    ck_assert_uint_eq(history.classes[1].peak_bytes, 24);
    ck_assert_uint_eq(history.classes[1].current_bytes, 0);
    ck_assert_uint_eq(history.n_remainders, 2);
    ck_assert_uint_eq(history.remainders[0].bytes, 100);
    ck_assert_uint_eq(history.remainders[0].dispatch, SW__ANALYZE_NONE);
    ck_assert_uint_eq(history.remainders[1].bytes, 16);
    ck_assert_str_eq(report->dispatches[history.remainders[1].dispatch].name, "add");
}
END_TEST

/* A carrier has one storage at a time: when it makes another its release was not seen. */
START_TEST(storage_that_is_made_again_was_given_back)
{
    struct made_report made = make_good();
    size_t chunk = make_note_chunk(&made, 0, 0);

    put(&made, chunk, 2000, SWPROF_NOTE_ALLOC, 100, 1, "strideweave.CPU", 0);
    put(&made, chunk, 3000, SWPROF_NOTE_ALLOC, 30, 1, "strideweave.CPU", 0);
    struct report *report REPORT_OWNED = opened(&made);
    struct storage storage REPORT_OWNED_STORAGE = { .records = NULL };
    struct storage_history history REPORT_OWNED_STORAGE_HISTORY = { .steps = NULL };
    ck_assert_int_eq(storage_read(report, &everything, &storage), REPORT_OK);
    ck_assert_int_eq(storage_history_build(&storage, &history), REPORT_OK);
    ck_assert_uint_eq(history.all.current_bytes, 30);
    ck_assert_uint_eq(history.all.peak_bytes, 100);
    ck_assert_uint_eq(history.n_remainders, 1);
}
END_TEST

static char *print(const struct report *report, enum memory_table table, write_document *format)
{
    struct screen screen = { .unit = DISPLAY_NS };
    char *text = NULL;
    size_t n_bytes = 0;

    screen.stream = open_memstream(&text, &n_bytes);
    ck_assert_ptr_nonnull(screen.stream);
    ck_assert_int_eq(memory_view_print(report, &everything, table, SW_NO_LIMIT, &screen, format), REPORT_OK);
    fclose(screen.stream);
    return text;
}

static void expect(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in: %s", part, text);
}

START_TEST(views_say_where_the_peak_was_and_what_was_left)
{
    struct made_report made = make_storage();
    struct report *report REPORT_OWNED = opened(&made);
    char *classes = print(report, MEMORY_CLASSES, format_text);
    char *timeline = print(report, MEMORY_TIMELINE, format_csv);
    char *alive = print(report, MEMORY_ALIVE, format_csv);
    char *json = print(report, MEMORY_CLASSES, format_json);

    expect(classes, "180 B at the peak, reached after 3200 ns in add on thread 100\n");
    expect(classes, "116 B left at the end: 100 B made outside of operations, 16 B made by add\n");
    expect(classes, "1 request for which there was no room\n");
    expect(classes, "1 release of storage whose making is not recorded");
    expect(timeline, "\n4300,101,free,40,116,140,2,strideweave.CPU,,");
    expect(timeline, "\n4200,100,alloc,16,156,180,5,strideweave.CPU,add,");
    expect(timeline, "\n7500,100,free of older,7,116,116,99,strideweave.CPU,add,");
    expect(alive, "\n16,1,4200,strideweave.CPU,add,");
    expect(json, "\"peak_bytes\": 180");
    free(classes);
    free(timeline);
    free(alive);
    free(json);
}
END_TEST

START_TEST(a_report_without_storage_says_how_to_get_some)
{
    struct made_report made = make_good();
    struct report *report REPORT_OWNED = opened(&made);
    char *classes = print(report, MEMORY_CLASSES, format_text);

    expect(classes, "no storage was recorded: it is with SWPROF_MEMORY=1\n");
    free(classes);
}
END_TEST

CHECK_MAIN("report/storage", storage_belongs_to_the_innermost_operation_of_its_own_thread,
           figures_are_what_there_was_after_each_record, storage_that_is_made_again_was_given_back,
           views_say_where_the_peak_was_and_what_was_left, a_report_without_storage_says_how_to_get_some)
