/*
 * The gate: what is refused and how it is named; nothing that stands in a file
 * makes the reader crash, hang or take memory without bound.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/analyze.h"
#include "base/alloc.h"
#include "check_main.h"
#include "report/collect.h"
#include "report/report.h"

#include "bad_samples.h"
#include "sums_samples.h"

/* A file without a name, opened by the reader through /proc. */
struct file {
    int descriptor;
    char path[64];
};

static struct file make_file(const void *bytes, size_t n_bytes)
{
    struct file file = { .descriptor = memfd_create("report", MFD_CLOEXEC) };

    ck_assert_int_ge(file.descriptor, 0);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    ck_assert_int_eq(pwrite(file.descriptor, bytes, n_bytes, 0), (ssize_t)n_bytes);
    return file;
}

/* Everything that a command does with a report. */
static enum report_outcome read_all(const char *path)
{
    struct report *report REPORT_OWNED = NULL;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };
    struct report_filter everything = { .thread = NULL };
    struct report_totals totals;

    REPORT_TRY(report_open(path, &report));
    REPORT_TRY(report_aggregate(report, &everything, SW__GROUP_BY_SHAPES, &aggregates, &totals));
    return report_collect(report, &everything, &events);
}

static enum report_outcome outcome_of(const struct made_report *made)
{
    struct file file = make_file(made->bytes, made->n_bytes);
    enum report_outcome outcome = read_all(file.path);

    close(file.descriptor);
    return outcome;
}

static void check_damaged(struct made_report *made, const char *sentence)
{
    ck_assert_int_eq(outcome_of(made), REPORT_DAMAGED);
    ck_assert_msg(strstr(sw_error_message(), sentence) != NULL, "'%s' does not say '%s'", sw_error_message(), sentence);
    made_free(made);
}

START_TEST(good_report_is_read)
{
    struct made_report made = make_good();

    ck_assert_int_eq(outcome_of(&made), REPORT_OK);
    made_free(&made);
}
END_TEST

START_TEST(what_is_no_report_is_called_so)
{
    struct made_report made = make_good();
    static const char nothing[1];

    made_header(&made)->magic[7] = ' ';
    ck_assert_int_eq(outcome_of(&made), REPORT_NOT_A_REPORT);
    made_free(&made);

    struct file file = make_file(nothing, 0);
    ck_assert_int_eq(read_all(file.path), REPORT_NOT_A_REPORT);
    close(file.descriptor);
    ck_assert_int_eq(read_all("/dev/zero"), REPORT_NOT_A_REPORT);
    ck_assert_int_eq(read_all("/"), REPORT_NOT_A_REPORT);
    ck_assert_int_eq(read_all("/nowhere/at/all"), REPORT_SYSTEM);
}
END_TEST

START_TEST(pipe_is_no_report_and_does_not_block)
{
    char path[] = "/tmp/swprof-test-XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(path));
    char pipe_path[64];
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", path);
    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
    ck_assert_int_eq(read_all(pipe_path), REPORT_NOT_A_REPORT);
    unlink(pipe_path);
    rmdir(path);
}
END_TEST

START_TEST(newer_reports_are_told_from_damaged_ones)
{
    struct made_report made = make_good();

    made_header(&made)->major = SWPROF_MAJOR + 1;
    ck_assert_int_eq(outcome_of(&made), REPORT_NEWER);
    made_header(&made)->major = 0;
    ck_assert_int_eq(outcome_of(&made), REPORT_DAMAGED);
    made_header(&made)->major = SWPROF_MAJOR;
    made_header(&made)->incompatible = UINT64_C(1) << 63;
    ck_assert_int_eq(outcome_of(&made), REPORT_NEWER);
    made_header(&made)->incompatible = 0;
    made_header(&made)->compatible = UINT64_MAX;
    made_header(&made)->minor = UINT16_MAX;
    ck_assert_int_eq(outcome_of(&made), REPORT_OK);
    made_free(&made);
}
END_TEST

START_TEST(block_of_an_unknown_type_is_passed_over)
{
    struct made_report made = make_good();
    size_t block = make_block(&made, 1000, 2);

    make_payload(&made, block, 17);
    ck_assert_int_eq(outcome_of(&made), REPORT_OK);
    made_free(&made);
}
END_TEST

START_TEST(block_that_was_never_published_is_passed_over)
{
    struct made_report made = make_good();
    size_t block = make_block(&made, 0, 3);

    made_block(&made, block)->pages = 0;
    made_block(&made, block)->anchor = (struct swprof_anchor){ 0, 0 };
    make_thread(&made, 1, 101, 1000, 2000);
    ck_assert_int_eq(outcome_of(&made), REPORT_OK);
    made_free(&made);
}
END_TEST

START_TEST(hostile_sizes_are_damage_with_a_place)
{
    struct made_report made = make_good();

    made_block(&made, made.strings)->published = UINT64_MAX - 7;
    check_damaged(&made, "byte 4096: a block that holds more than its size");
    made = make_good();
    made_block(&made, made.dispatches)->pages = UINT32_MAX;
    check_damaged(&made, "byte 8192: a block that ends behind the bytes in use");
    made = make_good();
    made_block(&made, made.dispatches)->published++;
    check_damaged(&made, "byte 8192: a block that ends inside a record");
    made = make_good();
    made_header(&made)->used_bytes = UINT64_MAX;
    check_damaged(&made, "cut short");
    made = make_good();
    made_header(&made)->header_bytes = 64;
    check_damaged(&made, "impossible size of the header");
    made = make_good();
    made_header(&made)->header_bytes = UINT32_MAX - 4095;
    check_damaged(&made, "impossible number of bytes in use");
}
END_TEST

START_TEST(each_bad_sample_is_damaged_in_its_own_way)
{
    static const struct {
        struct made_report (*make)(void);
        const char *sentence;
    } samples[] = {
#define BAD_SAMPLE(name, function, sentence) { function, sentence },
#include "bad_samples.def"
#undef BAD_SAMPLE
    };

    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct made_report made = samples[i].make();
        check_damaged(&made, samples[i].sentence);
    }
}
END_TEST

START_TEST(hostile_references_are_damage)
{
    struct made_report made = make_good();
    struct swprof_dispatch *record =
        (struct swprof_dispatch *)(void *)(made.bytes + made.dispatches + sizeof(struct swprof_block));

    record->id = SWPROF_MAX_DISPATCH + 1;
    check_damaged(&made, "impossible number");
    made = make_good();
    make_event(&made, make_chunk(&made, 0, 1, 1), 9000, 1, 99, 0, 0, 0);
    check_damaged(&made, "operation 99, which is not described");
    made = make_good();
    make_event(&made, make_chunk(&made, 0, 1, 1), 9000, 1, 0, 0, 0, UINT32_MAX);
    check_damaged(&made, "referred to as a shape list");
}
END_TEST

/* 1024 levels are accepted, more are not; a count without its modes is not. */
START_TEST(hostile_shapes_are_damage)
{
    static int64_t words[400];
    struct made_report made = make_good();

    words[0] = 1;
    words[1] = INT64_MIN + 2;
    make_shapes(&made, 1, words, 2);
    check_damaged(&made, "a shape list that is not well formed");
    made = make_good();
    make_shapes(&made, UINT32_MAX, words, 0);
    check_damaged(&made, "a shape list that is not well formed");
}
END_TEST

START_TEST(hostile_carriers_are_damage)
{
    struct made_report made = make_good();
    uint32_t list[] = { UINT32_MAX, 0, 1, 2 };
    size_t offset = make_payload(&made, make_block(&made, SWPROF_BLOCK_CARRIERS, 1), sizeof list);
    size_t session = make_session(&made, 1000, 2000, "");

    memcpy(made.bytes + offset, list, sizeof list);
    ((struct swprof_session *)(void *)(made.bytes + session))->carriers = (uint32_t)(offset / 8);
    check_damaged(&made, "a list of carriers that is longer than its block");
    made = make_good();
    session = make_session(&made, 1000, 2000, "");
    ((struct swprof_session *)(void *)(made.bytes + session))->carriers = 77;
    check_damaged(&made, "referred to as a list of carriers");
}
END_TEST

START_TEST(huge_sparse_file_takes_no_memory)
{
    struct made_report made = make_good();
    struct swprof_block *strings = made_block(&made, made.strings);
    uint64_t n_bytes = UINT64_C(1) << 42;

    strings->pages = (uint32_t)((n_bytes - made.strings) / SWPROF_BLOCK_ALIGN);
    strings->published = n_bytes - made.strings - sizeof *strings;
    made_header(&made)->used_bytes = n_bytes;
    struct file file = make_file(made.bytes, made.n_bytes);
    ck_assert_int_eq(ftruncate(file.descriptor, (off_t)n_bytes), 0);
    ck_assert_int_eq(read_all(file.path), REPORT_DAMAGED);
    /* The same emptiness, unpublished: passed over without reading it. */
    *strings = (struct swprof_block){ .type = SWPROF_BLOCK_STRINGS, .pages = 1 };
    ck_assert_int_eq(pwrite(file.descriptor, made.bytes, 8192, 0), 8192);
    read_all(file.path);
    close(file.descriptor);
    made_free(&made);
}
END_TEST

/* One with events, one with sums, one of a ring: the checks differ. */
static struct made_report (*const whole_reports[])(void) = { make_good, good_sums, good_ring_sessions };
#define N_WHOLE_REPORTS (sizeof whole_reports / sizeof *whole_reports)

static void cut_everywhere(struct made_report made)
{
    struct file file = make_file(made.bytes, made.n_bytes);

    for (size_t n = made.n_bytes; n-- > 0;) {
        ck_assert_int_eq(ftruncate(file.descriptor, (off_t)n), 0);
        enum report_outcome outcome = read_all(file.path);
        ck_assert_msg(outcome == (n < SWPROF_MAGIC_BYTES ? REPORT_NOT_A_REPORT : REPORT_DAMAGED),
                      "cut at %zu gives outcome %d", n, outcome);
    }
    close(file.descriptor);
    made_free(&made);
}

START_TEST(every_truncation_is_a_sentence)
{
    for (size_t i = 0; i < N_WHOLE_REPORTS; i++)
        cut_everywhere(whole_reports[i]());
}
END_TEST

/* Whatever a changed byte makes of the report: an outcome, and memory in order. */
static void change_bytes(const struct made_report *made, size_t from, size_t to)
{
    static const unsigned char changes[] = { 0x01, 0x80, 0xff, 0x10 };
    struct file file = make_file(made->bytes, made->n_bytes);

    for (size_t at = from; at < to; at++) {
        for (size_t i = 0; i < sizeof changes; i++) {
            unsigned char changed = made->bytes[at] ^ changes[i];
            ck_assert_int_eq(pwrite(file.descriptor, &changed, 1, (off_t)at), 1);
            enum report_outcome outcome = read_all(file.path);
            ck_assert(outcome == REPORT_OK || outcome == REPORT_NOT_A_REPORT || outcome == REPORT_NEWER ||
                      outcome == REPORT_DAMAGED);
        }
        ck_assert_int_eq(pwrite(file.descriptor, &made->bytes[at], 1, (off_t)at), 1);
    }
    ck_assert_int_eq(read_all(file.path), REPORT_OK);
    close(file.descriptor);
}

START_TEST(no_changed_byte_of_the_header_is_fatal)
{
    struct made_report made = make_good();

    change_bytes(&made, 0, sizeof(struct swprof_header));
    made_free(&made);
}
END_TEST

START_TEST(no_changed_byte_of_the_blocks_is_fatal)
{
    for (size_t i = 0; i < N_WHOLE_REPORTS; i++) {
        struct made_report made = whole_reports[i]();
        for (size_t block = SWPROF_HEADER_BYTES; block < made.n_bytes; block += SWPROF_BLOCK_ALIGN)
            change_bytes(&made, block, block + 700);
        made_free(&made);
    }
}
END_TEST

/* As the writer would leave it when killed while it renewed the anchor. */
START_TEST(anchor_that_was_being_written_is_not_used)
{
    struct made_report made = make_good();
    struct report *report REPORT_OWNED = NULL;

    made_header(&made)->state = SWPROF_REPORT_RECORDING;
    made_header(&made)->anchor_sequence = 7;
    made_header(&made)->last = (struct swprof_anchor){ UINT64_MAX, INT64_MAX };
    struct file file = make_file(made.bytes, made.n_bytes);
    ck_assert_int_eq(report_open(file.path, &report), REPORT_OK);
    ck_assert_uint_eq(report->seen_ticks, 11000); /* of the thread's end */
    close(file.descriptor);
    made_free(&made);
}
END_TEST

CHECK_MAIN("validate", good_report_is_read, what_is_no_report_is_called_so, pipe_is_no_report_and_does_not_block,
           newer_reports_are_told_from_damaged_ones, block_of_an_unknown_type_is_passed_over,
           block_that_was_never_published_is_passed_over, hostile_sizes_are_damage_with_a_place,
           each_bad_sample_is_damaged_in_its_own_way, hostile_references_are_damage,
           hostile_shapes_are_damage, hostile_carriers_are_damage, huge_sparse_file_takes_no_memory,
           every_truncation_is_a_sentence,
           no_changed_byte_of_the_header_is_fatal, no_changed_byte_of_the_blocks_is_fatal,
           anchor_that_was_being_written_is_not_used)
