/*
 * Trace sessions that cannot write, or have no memory.
 */
#include "config.h"

#define _GNU_SOURCE 1

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "allocations.h"
#include "trace/trace_test.h"

START_TEST(a_full_device_is_told_at_every_call_from_then_on)
{
    struct sw_trace_config config = SW_TRACE_CONFIG_TRAIN("e");
    struct sw_trace_session *session = NULL;
    struct sw_trace_statistics statistics;
    char *path = (char *)"untouched";

    if (access("/dev/full", W_OK) != 0)
        return;
    ck_assert_int_eq(sw_trace_session_open("/dev/full", &config, &session), SW_OK);
    ck_assert_int_eq(sw_trace_session_edge(session, "a", "b", 1), SW_OK); /* buffered */
    FAILS(SW_OS_ERROR, sw_trace_session_flush(session), "/dev/full: cannot be written: No space left on device");
    FAILS(SW_OS_ERROR, sw_trace_session_edge(session, "a", "b", 1),
          "/dev/full: cannot be written: No space left on device");
    FAILS(SW_OS_ERROR, sw_trace_session_flush(session), "/dev/full: cannot be written: No space left on device");
    FAILS(SW_OS_ERROR, sw_trace_session_finish(session, &path, &statistics),
          "/dev/full: cannot be written: No space left on device");
    ck_assert_str_eq(path, "untouched");
    ck_assert_uint_eq(statistics.n_lost, 3); /* the run's, and two edges */
    ck_assert_uint_eq(statistics.n_written_bytes, 0);
}
END_TEST

START_TEST(a_file_that_may_not_grow_ends_with_a_whole_line)
{
    const struct rlimit limit = { 100000, 100000 };
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_statistics statistics;
    struct stat status;
    uint64_t n_tried = 0;

    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    while (n_tried < 10000) {
        n_tried++;
        if (sw_trace_session_edge(session, "from", "to", n_tried) != SW_OK)
            break;
    }
    ck_assert_str_eq(sw_error_message(), "t.jsonl: cannot be written: File too large");
    ck_assert_int_eq(sw_trace_session_finish(session, NULL, &statistics), SW_OS_ERROR);
    ck_assert_int_eq(stat("t.jsonl", &status), 0);
    ck_assert_uint_eq((uint64_t)status.st_size, statistics.n_written_bytes);
    ck_assert(status.st_size > 99000 && status.st_size <= 100000);
    char *text = trace_test_read("t.jsonl");
    uint64_t n_lines = 0;
    for (char *at = text; *at != '\0'; at++)
        n_lines += *at == '\n';
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    ck_assert_uint_eq(n_lines - 1 + statistics.n_lost, n_tried);
    free(text);
}
END_TEST

START_TEST(a_child_writes_nothing_of_its_parents)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    int status = -1;

    ck_assert_int_eq(sw_trace_session_edge(session, "a", "b", 1), SW_OK);
    pid_t child = fork();
    if (child == 0) {
        enum sw_status edge = sw_trace_session_edge(session, "c", "d", 1);
        enum sw_status flush = sw_trace_session_flush(session);
        sw_trace_session_free(session);
        _exit(edge == SW_OK && flush == SW_OS_ERROR ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    check_file("t.jsonl", "");
    ck_assert_int_eq(sw_trace_session_finish(session, NULL, NULL), SW_OK);
    char *text = trace_test_read("t.jsonl");
    ck_assert_ptr_nonnull(strstr(text, "\"from_static_id\":\"a\""));
    ck_assert_ptr_null(strstr(text, "\"from_static_id\":\"c\""));
    free(text);
}
END_TEST

#ifdef SW_FAILURE_INJECTION
static enum sw_status whole_session(const void *argument)
{
    struct sw_trace_config config = SW_TRACE_CONFIG_TRAIN("e");
    struct sw_trace_session *session = NULL;
    struct sw_trace_tensor tensor = SW_TRACE_TENSOR_INIT;
    struct sw_trace_id id;

    (void)argument;
    enum sw_status status = sw_trace_session_open("x/t.jsonl", &config, &session);
    if (status == SW_OK)
        status = sw_trace_session_begin(session, "s", "o", NULL, 0, &id);
    if (status == SW_OK)
        status = sw_trace_session_end(session, id.text, NULL, NULL);
    if (status == SW_OK)
        status = sw_trace_session_tensor(session, &tensor);
    sw_trace_session_free(session);
    return status;
}

START_TEST(an_operation_goes_on_when_its_record_finds_no_memory)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_statistics statistics;
    struct sw_trace_id id;
    uint64_t duration_ns = 0;

    ck_assert_int_eq(sw_trace_session_begin(session, "s", "o", NULL, 0, &id), SW_OK);
    sw__inject_failures(0, UINT64_MAX);
    enum sw_status status = sw_trace_session_end(session, id.text, NULL, NULL);
    sw__inject_failure_after(UINT64_MAX);
    ck_assert_int_eq(status, SW_MEMORY_ERROR);
    sw_trace_session_statistics(session, &statistics);
    ck_assert_uint_eq(statistics.n_open, 1);
    ck_assert_int_eq(sw_trace_session_end(session, id.text, NULL, &duration_ns), SW_OK);
    ck_assert_int_eq(sw_trace_session_finish(session, NULL, &statistics), SW_OK);
    ck_assert_uint_eq(statistics.n_open, 0);
    ck_assert_uint_eq(statistics.n_lost, 0);
}
END_TEST

START_TEST(no_memory_is_said_and_nothing_kept)
{
    ck_assert_uint_gt(fail_each_allocation(whole_session, NULL, "a session", SW_OK), 5);
}
END_TEST
#endif

int main(void)
{
    const TTest *const tests[] = {
        a_full_device_is_told_at_every_call_from_then_on,
        a_file_that_may_not_grow_ends_with_a_whole_line,
        a_child_writes_nothing_of_its_parents,
#ifdef SW_FAILURE_INJECTION
        an_operation_goes_on_when_its_record_finds_no_memory,
        no_memory_is_said_and_nothing_kept,
#endif
    };

    return trace_test_main("trace session faults", tests, sizeof tests / sizeof *tests);
}
