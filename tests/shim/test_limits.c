/*
 * Room that is not there: losses are counted, the program is not disturbed.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"
#include "shim/run.h"

START_TEST(a_full_buffer_counts_every_event_that_is_missing)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=1M", "count 200000", &totals);
    ck_assert_uint_gt(totals.n_events, 40000);
    ck_assert_uint_lt(totals.n_events, 43700); /* 1 MiB has room for no more of 24 bytes */
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_FULL], 200000);
}
END_TEST

START_TEST(threads_that_find_no_room_are_counted_too)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=64K", "short_threads 1000", &totals);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_FULL], 1000);
    ck_assert_uint_gt(totals.lost[SWPROF_LOST_FULL], 50);
}
END_TEST

/* The program runs, prints nothing and leaves nothing when the report cannot be at `path`. */
static void check_refused(struct run *run, const char *path)
{
    char settings[5200];

    snprintf(settings, sizeof settings, "SWPROF_OUTPUT=%s", path);
    run_program(run, settings, "count 1000");
    ck_assert_int_eq(run->status, 0);
    ck_assert_str_eq(run->output, "");
}

START_TEST(a_place_that_cannot_be_written_changes_nothing)
{
    struct run run;

    run_begin(&run);
    check_refused(&run, "/proc/none/report");
    check_refused(&run, "/nonexistent/report");
    run_end(&run);
}
END_TEST

static void make_file(const char *path, const char *text)
{
    int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

static off_t size_of(const char *path)
{
    struct stat status;

    ck_assert_int_eq(lstat(path, &status), 0);
    return status.st_size;
}

START_TEST(files_links_and_pipes_that_are_no_report_are_never_touched)
{
    struct run run;
    char victim[128], link_to[128], pipe_at[128];

    run_begin(&run);
    snprintf(victim, sizeof victim, "%s/victim", run.directory);
    snprintf(link_to, sizeof link_to, "%s/link", run.directory);
    snprintf(pipe_at, sizeof pipe_at, "%s/pipe", run.directory);
    make_file(victim, "precious");
    ck_assert_int_eq(symlink(victim, link_to), 0);
    ck_assert_int_eq(mkfifo(pipe_at, 0600), 0);
    check_refused(&run, victim);
    check_refused(&run, link_to);
    check_refused(&run, pipe_at);
    ck_assert_int_eq(size_of(victim), 8);
    ck_assert_int_eq(run_count_files(&run), 3);
    run_end(&run);
}
END_TEST

START_TEST(a_finished_report_at_the_chosen_place_is_replaced)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;
    char settings[128];

    run_begin(&run);
    snprintf(settings, sizeof settings, "SWPROF_OUTPUT=%s/report", run.directory);
    run_program(&run, settings, "count 10");
    run_program(&run, settings, "count 20");
    ck_assert_int_eq(run_count_files(&run), 1);
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 20);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

/* The limit is inherited: set around the run, and only lowered softly. */
static void limited(int resource, rlim_t value, struct run *run, const char *arguments)
{
    struct rlimit before, now;

    ck_assert_int_eq(getrlimit(resource, &before), 0);
    now = before;
    now.rlim_cur = value;
    ck_assert_int_eq(setrlimit(resource, &now), 0);
    run_program(run, NULL, arguments);
    ck_assert_int_eq(setrlimit(resource, &before), 0);
}

START_TEST(a_limit_on_file_sizes_is_kept_without_a_signal)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    limited(RLIMIT_FSIZE, 512, &run, "count 1000");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 0);
    limited(RLIMIT_FSIZE, 100000, &run, "count 10000");
    ck_assert_int_eq(run.status, 0);
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_le(probe.header->cap_bytes, 100000);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_FULL], 10000);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(begins_without_end_are_open_up_to_16_bits_of_depth_and_then_counted)
{
    struct probe_totals totals;

    run_totals(NULL, "begins 70000", &totals);
    ck_assert_uint_eq(totals.n_events, 0);
    ck_assert_uint_eq(totals.n_open, 65535);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_DEPTH], 70000 - 65535);
}
END_TEST

START_TEST(a_value_that_is_not_understood_counts_as_not_set)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=lots SWPROF_SHAPES=maybe SWPROF_CLOCK=sundial", "shapes 100", &totals);
    ck_assert_uint_eq(totals.n_events, 100);
    ck_assert_uint_eq(totals.n_shaped, 0);
}
END_TEST

CHECK_MAIN("limits", a_full_buffer_counts_every_event_that_is_missing, threads_that_find_no_room_are_counted_too,
           a_place_that_cannot_be_written_changes_nothing,
           files_links_and_pipes_that_are_no_report_are_never_touched,
           a_finished_report_at_the_chosen_place_is_replaced, a_limit_on_file_sizes_is_kept_without_a_signal,
           begins_without_end_are_open_up_to_16_bits_of_depth_and_then_counted, a_value_that_is_not_understood_counts_as_not_set)
