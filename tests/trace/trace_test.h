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

#endif
