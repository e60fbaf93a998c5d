/*
 * Reports made by hand, byte by byte from swprof/format.h alone: what the
 * reader is tested against. Nothing of the writer or the reader is used.
 */
#ifndef TESTS_REPORT_MAKE_REPORT_H
#define TESTS_REPORT_MAKE_REPORT_H

#include <swprof/format.h>

#include <stddef.h>

struct made_report {
    unsigned char *bytes;
    size_t n_bytes;
    size_t capacity;
    size_t strings; /* offsets of the blocks to which make_* add */
    size_t dispatches;
    size_t shapes;
    size_t sessions;
    size_t aggregates; /* the latest of each; 0: none yet */
    size_t octaves;
    uint32_t n_dispatches;
};

/** A report of one page per kind of name: recorded by pid 1 of host "testhost", frozen, monotonic clock. */
struct made_report make_report(void);
void made_free(struct made_report *report);
struct swprof_header *made_header(struct made_report *report);

/** A new block of @pages pages; its offset. */
size_t make_block(struct made_report *report, uint32_t type, uint32_t pages);
struct swprof_block *made_block(struct made_report *report, size_t block);
/** Room for @n_bytes more in a block, published; its offset in the file. */
size_t make_payload(struct made_report *report, size_t block, size_t n_bytes);

uint32_t make_string(struct made_report *report, const char *text, size_t n_bytes);
/** The id of a new operation "name" of carrier class @carrier, "strideweave.<carrier_name>". */
uint32_t make_dispatch(struct made_report *report, const char *name, const char *carrier_name, uint32_t carrier);
uint32_t make_shapes(struct made_report *report, uint32_t n_inputs, const int64_t *words, uint32_t n_words);
size_t make_session(struct made_report *report, uint64_t begin, uint64_t end, const char *label);
/** A THREADS block with one record, and its frames; its offset. Alive from @begin to @end. */
size_t make_thread(struct made_report *report, uint32_t number, int64_t tid, uint64_t begin, uint64_t end);
struct swprof_thread *made_thread(struct made_report *report, size_t block);
struct swprof_frame *made_frames(struct made_report *report, size_t block);
/** A record of sums begun by thread @number, its histogram empty; its offset. The sums are of @count operations. */
size_t make_aggregate(struct made_report *report, uint32_t number, uint32_t dispatch, uint32_t shapes, uint64_t count,
                      uint64_t total, uint64_t self, uint64_t min, uint64_t max);
struct swprof_aggregate *made_aggregate(struct made_report *report, size_t record);
/** The half of them that counts. */
struct swprof_sums *made_sums(struct made_report *report, size_t record);
/** Count a duration in the histogram, found by what each counter is said to count. */
void make_duration(struct made_report *report, size_t record, uint64_t duration);
/** A summary report: thread 0 (tid 100) alive 1000..11000 in one round, nothing recorded yet. */
struct made_report make_summary(void);

/** An EVENTS block: chunk @chunk of thread @number. */
size_t make_chunk(struct made_report *report, uint32_t number, uint32_t chunk, uint32_t pages);
/** An event of a chunk; wide when @duration needs it. */
void make_event(struct made_report *report, size_t chunk, uint64_t start, uint64_t duration, uint32_t dispatch,
                uint16_t depth, uint8_t flags, uint32_t shapes);

/** A NOTES block: chunk @chunk of notes of thread @number; and a note of it. */
size_t make_note_chunk(struct made_report *report, uint32_t number, uint32_t chunk);
void make_note(struct made_report *report, size_t chunk, const struct swprof_note *note);

/** Write the bytes to a file; 0 when that failed. */
int made_write(const struct made_report *report, const char *path);

/**
 * The small good report of the tests: one thread (tid 100, alive 1000..11000),
 * one round 1000..11000, carriers Generic (1) and Evictable (2).
 *
 *   matmul    Evictable  2000..6000, failed never
 *     matmul  Generic    2500..5500
 *       add   Generic    3000..4000
 *       add   Generic    4000..4500
 *   add       Generic    7000..8000, failed
 */
struct made_report make_good(void);

/**
 * The good report with notes of its thread: two ranges "epoch" 1500..9000 and
 * "forward" 1800..6500 inside it, step 3 from 1200 to 9500, phase "train" from
 * 1300 on (open), a text and a number, and a range of a thread that has none.
 */
struct made_report make_noted(void);

#endif
