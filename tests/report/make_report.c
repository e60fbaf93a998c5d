/*
 * A writer of reports for tests: slow, obvious, and able to lie.
 */
#include "config.h"

#include "make_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *memory)
{
    if (memory == NULL) {
        fputs("no memory\n", stderr);
        exit(99);
    }
    return memory;
}

static void extend(struct made_report *report, size_t n_bytes)
{
    size_t n_total = report->n_bytes + n_bytes;

    if (n_total > report->capacity) {
        size_t capacity = report->capacity * 2 > n_total ? report->capacity * 2 : n_total;
        report->bytes = need(realloc(report->bytes, capacity));
        report->capacity = capacity;
    }
    memset(report->bytes + report->n_bytes, 0, n_bytes);
    report->n_bytes = n_total;
}

struct swprof_header *made_header(struct made_report *report)
{
    return (struct swprof_header *)(void *)report->bytes;
}

struct swprof_block *made_block(struct made_report *report, size_t block)
{
    return (struct swprof_block *)(void *)(report->bytes + block);
}

size_t make_block(struct made_report *report, uint32_t type, uint32_t pages)
{
    size_t block = report->n_bytes;

    extend(report, (size_t)pages * SWPROF_BLOCK_ALIGN);
    made_block(report, block)->type = type;
    made_block(report, block)->pages = pages;
    made_block(report, block)->anchor = made_header(report)->first;
    made_header(report)->used_bytes = report->n_bytes;
    return block;
}

size_t make_payload(struct made_report *report, size_t block, size_t n_bytes)
{
    struct swprof_block *head = made_block(report, block);
    size_t offset = block + sizeof *head + (size_t)head->published;

    if (offset + n_bytes > block + (size_t)head->pages * SWPROF_BLOCK_ALIGN) {
        fputs("a test's block is too small\n", stderr);
        exit(99);
    }
    head->published += n_bytes;
    return offset;
}

struct made_report make_report(void)
{
    struct made_report report = { .bytes = NULL };
    struct swprof_header *header;

    extend(&report, SWPROF_HEADER_BYTES);
    header = made_header(&report);
    memcpy(header->magic, SWPROF_MAGIC, SWPROF_MAGIC_BYTES);
    header->byte_order = SWPROF_BYTE_ORDER;
    header->major = SWPROF_MAJOR;
    header->minor = SWPROF_MINOR;
    header->header_bytes = SWPROF_HEADER_BYTES;
    header->state = SWPROF_REPORT_FROZEN;
    header->cap_bytes = UINT64_C(1) << 28;
    header->pid = 1;
    header->start_time = UINT64_MAX; /* of no process that there is */
    header->clock = SWPROF_CLOCK_MONOTONIC;
    header->rank = -1;
    header->first = (struct swprof_anchor){ 1000, 1000 };
    header->last = (struct swprof_anchor){ 11000, 11000 };
    header->realtime_ns = INT64_C(1700000000123000000); /* 2023-11-14T22:13:20.123Z */
    strcpy(header->program, "ops");
    strcpy(header->host, "testhost");
    strcpy(header->executable, "/bin/ops");
    strcpy(header->command_line, "./ops --n 5");
    report.strings = make_block(&report, SWPROF_BLOCK_STRINGS, 1);
    report.dispatches = make_block(&report, SWPROF_BLOCK_DISPATCH, 1);
    report.shapes = make_block(&report, SWPROF_BLOCK_SHAPES, 1);
    report.sessions = make_block(&report, SWPROF_BLOCK_SESSIONS, 1);
    return report;
}

void made_free(struct made_report *report)
{
    free(report->bytes);
    report->bytes = NULL;
}

uint32_t make_string(struct made_report *report, const char *text, size_t n_bytes)
{
    struct swprof_string head = { .bytes = (uint32_t)n_bytes };
    size_t offset = make_payload(report, report->strings, sizeof head + (n_bytes + 8) / 8 * 8);

    memcpy(report->bytes + offset, &head, sizeof head);
    memcpy(report->bytes + offset + sizeof head, text, n_bytes);
    return (uint32_t)(offset / 8);
}

static uint32_t text(struct made_report *report, const char *string)
{
    return make_string(report, string, strlen(string));
}

uint32_t make_dispatch(struct made_report *report, const char *name, const char *carrier_name, uint32_t carrier)
{
    struct swprof_dispatch record = {
        .id = report->n_dispatches++,
        .name = text(report, name),
        .carrier_module = text(report, "strideweave"),
        .carrier_name = text(report, carrier_name),
        .implementation_module = text(report, "strideweave.op"),
        .implementation_name = text(report, "Kernel"),
        .carrier = carrier,
        .implementation = carrier,
    };
    size_t offset = make_payload(report, report->dispatches, sizeof record);

    memcpy(report->bytes + offset, &record, sizeof record);
    return record.id;
}

uint32_t make_shapes(struct made_report *report, uint32_t n_inputs, const int64_t *words, uint32_t n_words)
{
    struct swprof_shapes head = { n_inputs, n_words };
    size_t offset = make_payload(report, report->shapes, sizeof head + n_words * sizeof *words);

    memcpy(report->bytes + offset, &head, sizeof head);
    memcpy(report->bytes + offset + sizeof head, words, n_words * sizeof *words);
    return (uint32_t)(offset / 8);
}

size_t make_session(struct made_report *report, uint64_t begin, uint64_t end, const char *label)
{
    struct swprof_session record = {
        .kind = SWPROF_SESSION_ROUND,
        .state = SWPROF_SESSION_FROZEN,
        .label = text(report, label),
        .begin = { begin, (int64_t)begin },
        .end = { end, (int64_t)end },
    };
    size_t offset = make_payload(report, report->sessions, sizeof record);

    memcpy(report->bytes + offset, &record, sizeof record);
    return offset;
}

size_t make_thread(struct made_report *report, uint32_t number, int64_t tid, uint64_t begin, uint64_t end)
{
    size_t frames = make_block(report, SWPROF_BLOCK_FRAMES, 1);
    size_t block = make_block(report, SWPROF_BLOCK_THREADS, 1);

    make_payload(report, frames, SWPROF_OPEN_FRAMES * sizeof(struct swprof_frame));
    make_payload(report, block, sizeof(struct swprof_thread));
    *made_thread(report, block) = (struct swprof_thread){
        .tid = tid,
        .number = number,
        .state = SWPROF_THREAD_ENDED,
        .begin = begin,
        .end = end,
        .name = "main",
        .frames = (uint32_t)((frames + sizeof(struct swprof_block)) / 8),
    };
    return block;
}

struct swprof_thread *made_thread(struct made_report *report, size_t block)
{
    return (struct swprof_thread *)(void *)(report->bytes + block + sizeof(struct swprof_block));
}

struct swprof_frame *made_frames(struct made_report *report, size_t block)
{
    return (struct swprof_frame *)(void *)(report->bytes + (size_t)made_thread(report, block)->frames * 8);
}

/* One more record in the latest block of its type, or in a new one. */
static size_t make_record(struct made_report *report, size_t *block, uint32_t type, size_t n_bytes)
{
    if (*block == 0 || sizeof(struct swprof_block) + made_block(report, *block)->published + n_bytes > SWPROF_BLOCK_ALIGN)
        *block = make_block(report, type, 1);
    return make_payload(report, *block, n_bytes);
}

size_t make_aggregate(struct made_report *report, uint32_t number, uint32_t dispatch, uint32_t shapes, uint64_t count,
                      uint64_t total, uint64_t self, uint64_t min, uint64_t max)
{
    size_t record =
        make_record(report, &report->aggregates, SWPROF_BLOCK_AGGREGATES, sizeof(struct swprof_aggregate));

    *made_aggregate(report, record) =
        (struct swprof_aggregate){ .dispatch = dispatch, .shapes = shapes, .thread = number, .count = count };
    *made_sums(report, record) = (struct swprof_sums){
        .count = count,
        .total = total,
        .self = self,
        .min = min,
        .max = max,
        .bucket = SWPROF_NO_BUCKET,
        .check = count,
    };
    return record;
}

struct swprof_aggregate *made_aggregate(struct made_report *report, size_t record)
{
    return (struct swprof_aggregate *)(void *)(report->bytes + record);
}

struct swprof_sums *made_sums(struct made_report *report, size_t record)
{
    struct swprof_aggregate *aggregate = made_aggregate(report, record);

    return &aggregate->sums[aggregate->count & 1];
}

void make_duration(struct made_report *report, size_t record, uint64_t duration)
{
    uint64_t low = 0, width = 1;
    uint32_t octave = 0;

    while (duration - low >= 64 * width && octave < SWPROF_OCTAVES - 1) {
        low += 64 * width;
        width *= octave == 0 ? 1 : 2;
        octave++;
    }
    if (made_aggregate(report, record)->octaves[octave] == 0) {
        size_t counters = make_record(report, &report->octaves, SWPROF_BLOCK_OCTAVES, sizeof(struct swprof_octave));
        made_aggregate(report, record)->octaves[octave] = (uint32_t)(counters / 8);
    }
    size_t counters = (size_t)made_aggregate(report, record)->octaves[octave] * 8;
    ((struct swprof_octave *)(void *)(report->bytes + counters))->counters[(duration - low) / width]++;
}

struct made_report make_summary(void)
{
    struct made_report report = make_report();

    made_header(&report)->policy = SWPROF_POLICY_SUMMARY;
    made_header(&report)->incompatible = SWPROF_FEATURE_SUMMARY;
    make_session(&report, 1000, 11000, "");
    size_t thread = make_thread(&report, 0, 100, 1000, 11000);
    made_thread(&report, thread)->aggregates = 1;
    return report;
}

size_t make_chunk(struct made_report *report, uint32_t number, uint32_t chunk, uint32_t pages)
{
    size_t block = make_block(report, SWPROF_BLOCK_EVENTS, pages);

    made_block(report, block)->thread = number;
    made_block(report, block)->first_id = chunk;
    return block;
}

static void put_slot(struct made_report *report, size_t chunk, const struct swprof_event *event)
{
    size_t offset = make_payload(report, chunk, sizeof *event);

    memcpy(report->bytes + offset, event, sizeof *event);
}

void make_event(struct made_report *report, size_t chunk, uint64_t start, uint64_t duration, uint32_t dispatch,
                uint16_t depth, uint8_t flags, uint32_t shapes)
{
    int is_wide = duration >= SWPROF_EVENT_WIDE_DURATION;
    struct swprof_event event = {
        .start = start,
        .word = (is_wide ? SWPROF_EVENT_WIDE_DURATION : duration) |
                (uint64_t)dispatch << SWPROF_EVENT_DURATION_BITS,
        .shapes = shapes,
        .depth = depth,
        .flags = flags,
    };
    struct swprof_event extension = { .start = duration, .flags = SWPROF_EVENT_EXTENSION };

    put_slot(report, chunk, &event);
    if (is_wide)
        put_slot(report, chunk, &extension);
}

int made_write(const struct made_report *report, const char *path)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        return 0;
    size_t n = fwrite(report->bytes, 1, report->n_bytes, file);
    return fclose(file) == 0 && n == report->n_bytes;
}

struct made_report make_good(void)
{
    static const int64_t two_matrices[] = { 2, 2, 3, 2, 3, 4 };
    static const int64_t nested_and_none[] = { 4, INT64_MIN + 2, 2, 3, 4, -1 };
    struct made_report report = make_report();
    uint32_t outer = make_dispatch(&report, "matmul", "Evictable", 2);
    uint32_t inner = make_dispatch(&report, "matmul", "Generic", 1);
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);
    uint32_t matrices = make_shapes(&report, 2, two_matrices, 6);
    uint32_t nested = make_shapes(&report, 2, nested_and_none, 6);

    make_session(&report, 1000, 11000, "");
    size_t thread = make_thread(&report, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    make_event(&report, chunk, 3000, 1000, add, 2, SWPROF_EVENT_SUCCEEDED, nested);
    make_event(&report, chunk, 4000, 500, add, 2, SWPROF_EVENT_SUCCEEDED, nested);
    make_event(&report, chunk, 2500, 3000, inner, 1, SWPROF_EVENT_SUCCEEDED, matrices);
    make_event(&report, chunk, 2000, 4000, outer, 0, SWPROF_EVENT_SUCCEEDED, matrices);
    make_event(&report, chunk, 7000, 1000, add, 0, 0, nested);
    made_thread(&report, thread)->n_events = 5;
    return report;
}

size_t make_note_chunk(struct made_report *report, uint32_t number, uint32_t chunk)
{
    size_t block = make_block(report, SWPROF_BLOCK_NOTES, 1);

    made_block(report, block)->thread = number;
    made_block(report, block)->first_id = chunk;
    return block;
}

void make_note(struct made_report *report, size_t chunk, const struct swprof_note *note)
{
    size_t offset = make_payload(report, chunk, sizeof *note);

    memcpy(report->bytes + offset, note, sizeof *note);
}

static void make_named(struct made_report *report, size_t chunk, const char *name, struct swprof_note note)
{
    note.name = text(report, name);
    make_note(report, chunk, &note);
}

struct made_report make_noted(void)
{
    struct made_report report = make_good();
    double rate = 0.125;
    struct swprof_note number = { .start = 1450, .kind = SWPROF_NOTE_NUMBER };
    size_t thread = make_thread(&report, 1, 101, 2000, 9000);
    size_t chunk = make_note_chunk(&report, 0, 0);

    make_note(&report, chunk,
              &(struct swprof_note){ .start = 1200, .value = 8300, .extra = 3, .kind = SWPROF_NOTE_STEP });
    make_named(&report, chunk, "train",
               (struct swprof_note){ .start = 1300, .kind = SWPROF_NOTE_PHASE, .flags = SWPROF_NOTE_OPEN });
    make_named(&report, chunk, "model",
               (struct swprof_note){ .start = 1400, .value = text(&report, "mlp"), .kind = SWPROF_NOTE_TEXT });
    memcpy(&number.value, &rate, sizeof rate);
    make_named(&report, chunk, "rate", number);
    make_named(&report, chunk, "epoch", (struct swprof_note){ .start = 1500, .value = 7500, .kind = SWPROF_NOTE_RANGE });
    make_named(&report, chunk, "forward",
               (struct swprof_note){ .start = 1800, .value = 4700, .extra = 1, .kind = SWPROF_NOTE_RANGE });
    /* The second thread goes on in the chunk; nothing of a later kind is shown. */
    made_block(&report, chunk)->n_owners = 1;
    make_note(&report, chunk, &(struct swprof_note){ .start = 1, .kind = SWPROF_NOTE_OWNER });
    make_named(&report, chunk, "load", (struct swprof_note){ .start = 2100, .value = 800, .kind = SWPROF_NOTE_RANGE });
    make_named(&report, chunk, "later", (struct swprof_note){ .start = 2200, .kind = 200 });
    made_thread(&report, thread)->n_notes = 2;
    return report;
}
