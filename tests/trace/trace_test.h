/*
 * What the tests of traces share: a folder of their own, files as texts.
 */
#ifndef TESTS_TRACE_TEST_H
#define TESTS_TRACE_TEST_H

#include <strideweave/trace_session.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check_main.h"

/** Work in an empty folder, before the tests begin. */
static inline void trace_test_folder(char folder[32])
{
    strcpy(folder, "/tmp/trace-test.XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        exit(99);
}

static inline void trace_test_folder_clear(const char *folder)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        exit(99);
}

/** The text of a file; free(). */
static inline char *trace_test_read(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 22);

    ck_assert_msg(file != NULL && text != NULL, "%s cannot be read", path);
    size_t n = fread(text, 1, (1 << 22) - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

/** The first line of a trace that trace_test_open() began. */
#define META(phase)                                                                                          \
    "{\"kind\":\"meta\",\"schema\":\"candle-graph/runtime/3\",\"entrypoint\":\"Model::forward\",\"profile\":" \
    "\"release\",\"cargo_features\":[],\"cfg\":[],\"phase\":\"" phase "\"}\n"

static inline struct sw_trace_session *open_at(const char *path, enum sw_trace_phase phase)
{
    struct sw_trace_config config = SW_TRACE_CONFIG_TRAIN("Model::forward");
    struct sw_trace_session *session = NULL;

    config.phase = (int32_t)phase;
    ck_assert_msg(sw_trace_session_open(path, &config, &session) == SW_OK, "%s", sw_error_message());
    return session;
}

static inline void check_file(const char *path, const char *expected)
{
    char *text = trace_test_read(path);

    ck_assert_str_eq(text, expected);
    free(text);
}

/** A call fails with a status and a sentence. */
#define FAILS(status, call, sentence)                   \
    do {                                                \
        ck_assert_int_eq(call, status);                 \
        ck_assert_str_eq(sw_error_message(), sentence); \
    } while (0)

/** Run tests in a folder that is gone afterwards. */
static inline int trace_test_main(const char *name, const TTest *const *tests, size_t n_tests)
{
    char folder[32];

    trace_test_folder(folder);
    int status = check_main(name, tests, n_tests);
    trace_test_folder_clear(folder);
    return status;
}

#endif
