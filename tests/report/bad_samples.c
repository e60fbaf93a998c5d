/*
 * One contradiction each, put into the good report.
 */
#include "config.h"

#include "bad_samples.h"

#include <stdlib.h>
#include <string.h>

static struct swprof_session *first_session(struct made_report *report)
{
    return (struct swprof_session *)(void *)(report->bytes + report->sessions + sizeof(struct swprof_block));
}

static struct swprof_string *first_text(struct made_report *report)
{
    return (struct swprof_string *)(void *)(report->bytes + report->strings + sizeof(struct swprof_block));
}

static struct swprof_dispatch *dispatch_record(struct made_report *report, size_t index)
{
    return (struct swprof_dispatch *)(void *)(report->bytes + report->dispatches + sizeof(struct swprof_block)) + index;
}

/* The good report with one field changed. */
#define GOOD_BUT(function, change)                \
    struct made_report function(void)             \
    {                                             \
        struct made_report report = make_good();  \
        change;                                   \
        return report;                            \
    }

GOOD_BUT(bad_state, made_header(&report)->state = 3)
GOOD_BUT(bad_clock, made_header(&report)->clock = 0)

/* Two anchors of the same moment. */
struct made_report bad_clock_rate(void)
{
    struct made_report report = make_good();

    made_header(&report)->clock = SWPROF_CLOCK_TSC;
    made_header(&report)->last = made_header(&report)->first;
    return report;
}

GOOD_BUT(bad_byte_order, made_header(&report)->byte_order = 0)
GOOD_BUT(bad_header_size, made_header(&report)->header_bytes = UINT32_MAX)
GOOD_BUT(bad_used_bytes, made_header(&report)->used_bytes = UINT64_MAX)

/* A block of no size: whoever goes on by its size stays where it is. */
GOOD_BUT(bad_block_loop, made_block(&report, report.shapes)->pages = 0)
GOOD_BUT(bad_block_size, made_block(&report, report.shapes)->pages = UINT32_MAX)
GOOD_BUT(bad_block_count, made_block(&report, report.dispatches)->published = UINT64_MAX - 39)
GOOD_BUT(bad_half_record, made_block(&report, report.dispatches)->published -= 8)
GOOD_BUT(bad_text_length, first_text(&report)->bytes = UINT32_MAX)
GOOD_BUT(bad_text_end, first_text(&report)->text[first_text(&report)->bytes] = 'x')

/* No writer has names as long as this. */
struct made_report bad_long_text(void)
{
    const uint32_t n_bytes = 64 << 10;
    struct made_report report = make_good();
    size_t block = make_block(&report, SWPROF_BLOCK_STRINGS, 17);
    size_t offset = make_payload(&report, block, sizeof(struct swprof_string) + n_bytes + 8);

    memcpy(report.bytes + offset, &n_bytes, sizeof n_bytes);
    memset(report.bytes + offset + sizeof(struct swprof_string), 'x', n_bytes);
    return report;
}

GOOD_BUT(bad_text_reference, dispatch_record(&report, 0)->name = UINT32_MAX)
GOOD_BUT(bad_inside_text, dispatch_record(&report, 0)->name++)
GOOD_BUT(bad_dispatch_twice, dispatch_record(&report, 1)->id = 0)

/* The largest id that events can have, of which no report of this size has as many. */
GOOD_BUT(bad_dispatch_number, dispatch_record(&report, 1)->id = SWPROF_MAX_DISPATCH)

static struct swprof_shapes *first_shapes(struct made_report *report)
{
    return (struct swprof_shapes *)(void *)(report->bytes + report->shapes + sizeof(struct swprof_block));
}

GOOD_BUT(bad_shape_count, first_shapes(&report)->n_words = UINT32_MAX)

/* A mode of more modes than there are. */
GOOD_BUT(bad_shape_nesting, first_shapes(&report)->words[1] = INT64_MIN + 200)

/* Deeper than the nesting that is read. */
struct made_report bad_shape_depth(void)
{
    struct made_report report = make_good();
    const int64_t n_words = 2000;
    size_t block = make_block(&report, SWPROF_BLOCK_SHAPES, 4);
    size_t offset = make_payload(&report, block, sizeof(struct swprof_shapes) + (size_t)n_words * 8);
    struct swprof_shapes *list = (struct swprof_shapes *)(void *)(report.bytes + offset);

    list->n_inputs = 1;
    list->n_words = (uint32_t)n_words;
    list->words[0] = n_words - 1;
    for (int64_t i = 1; i < n_words - 1; i++)
        list->words[i] = INT64_MIN + 1;
    list->words[n_words - 1] = 5;
    return report;
}

struct made_report bad_shape_reference(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 0, 1, 1);

    make_event(&report, chunk, 9000, 10, 0, 0, SWPROF_EVENT_SUCCEEDED, 7);
    return report;
}

GOOD_BUT(bad_session_kind, first_session(&report)->kind = 9)
GOOD_BUT(bad_session_backwards, first_session(&report)->end.ticks = 1)

struct made_report bad_carriers_count(void)
{
    struct made_report report = make_good();
    size_t block = make_block(&report, SWPROF_BLOCK_CARRIERS, 1);
    size_t offset = make_payload(&report, block, 16);
    const uint32_t n_numbers = UINT32_MAX;

    memcpy(report.bytes + offset, &n_numbers, sizeof n_numbers);
    first_session(&report)->carriers = (uint32_t)(offset / 8);
    return report;
}

GOOD_BUT(bad_thread_twice, make_thread(&report, 0, 101, 1000, 2000))

struct made_report bad_thread_number(void)
{
    struct made_report report = make_good();
    size_t block = make_block(&report, SWPROF_BLOCK_THREAD, 1); /* of version 1.0 */

    make_payload(&report, block, SWPROF_THREAD_BLOCK_FIELDS + SWPROF_THREAD_BLOCK_FRAMES * sizeof(struct swprof_frame));
    made_block(&report, block)->thread = 1;
    made_thread(&report, block)->number = 2;
    return report;
}

struct made_report bad_events_of_nobody(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 5, 0, 1);

    make_event(&report, chunk, 9000, 10, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

struct made_report bad_chunk_twice(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 0, 0, 1);

    make_event(&report, chunk, 9000, 10, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

struct made_report bad_event_end(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 0, 1, 1);

    make_event(&report, chunk, UINT64_MAX - 5, 10, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

struct made_report bad_extension_alone(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 0, 1, 1);

    make_event(&report, chunk, 9000, 10, 0, 0, SWPROF_EVENT_EXTENSION, 0);
    return report;
}

struct made_report bad_extension_missing(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 0, 1, 1);

    make_event(&report, chunk, 9000, SWPROF_EVENT_WIDE_DURATION, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    made_block(&report, chunk)->published -= sizeof(struct swprof_event);
    return report;
}
